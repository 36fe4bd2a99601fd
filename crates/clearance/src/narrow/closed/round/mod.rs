//! An ellipsoid with a box or another ellipsoid: boolean, distance and depth.
//!
//! The support value of an ellipsoid is √(dᵀQd), that of a box Σ hᵢ|dᵢ|. So the signed distance, the largest over unit directions d of
//! d·t − h(d), is found by Newton's method on a few numbers, without a simplex: from the direction that decides the boolean, or for a depth from
//! the best of a few. A distance has one maximum; that a depth has no better one elsewhere is shown by an ellipsoid inside of the sum
//! (`inner`). What is not certain in the end goes the general way.

mod climb;
mod ellipsoids;
mod inner;
mod plate;

use super::found::Decision;
use super::symmetric::Symmetric;
use crate::answer::End;
use crate::math::{Mat3, Real, Vec3, length, unit_or};
use crate::narrow::gjk::SupportPlane;
use crate::narrow::local::Local;
use crate::narrow::pair::Pair;
use crate::shape::Core;
use crate::support::VertexId;
use crate::tolerance::POLISHED_RESIDUAL;

/// The body along the axes of the frame.
#[derive(Debug, Clone, Copy)]
pub(super) enum First {
    /// Its half extents.
    Box(Vec3),
    /// Its semi-axes.
    Ellipsoid(Vec3),
}

/// Two bodies, the second an ellipsoid, in the frame of the first and at a size of about one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    pub first: First,
    /// The axes of the second, and its semi-axes.
    pub axes: Mat3,
    pub radii: Vec3,
    /// The squares of the semi-axes, as a matrix.
    pub second: Symmetric,
    /// From the first centre to the second.
    pub between: Vec3,
    /// Whether the first body is B.
    is_swapped: bool,
}

/// How the cores lie, by formulas that rounding may have spoilt.
pub(super) enum Lie {
    /// Apart along this direction.
    Apart(Vec3),
    /// With this common point, and as near as that to being apart along this direction, if it is not zero.
    Meeting(Vec3, Vec3),
    /// Too near to touching along this direction.
    Unclear(Vec3),
}

/// Two cores of which there is such a pair.
#[inline]
fn kinds(pair: &Pair<'_>) -> Option<(First, Vec3, bool)> {
    match (pair.m.a, pair.m.b) {
        (Core::Ellipsoid { radii: a }, Core::Ellipsoid { radii: b }) => Some((First::Ellipsoid(*a), *b, false)),
        (Core::Cuboid { half_extents }, Core::Ellipsoid { radii }) => Some((First::Box(*half_extents), *radii, false)),
        (Core::Ellipsoid { radii }, Core::Cuboid { half_extents }) => Some((First::Box(*half_extents), *radii, true)),
        _ => None,
    }
}

/// Whether the pair is one of these.
#[inline]
pub(super) fn is_round(pair: &Pair<'_>) -> bool {
    kinds(pair).is_some()
}

/// The boolean, if it is certain.
#[inline(never)]
pub(super) fn overlap(pair: &Pair<'_>) -> Option<Decision> {
    let round = Round::of(pair)?;
    match round.lie()? {
        Lie::Apart(normal) => round.separating(pair, normal).map(Decision::Apart),
        Lie::Meeting(point, _) => round.common(pair, point).map(|point| Decision::Common([point; 2])),
        Lie::Unclear(_) => None,
    }
}

/// The distance, nothing in it if the cores meet, if it is certain.
#[inline(never)]
pub(super) fn distance(pair: &Pair<'_>) -> Option<Option<Local>> {
    let round = Round::of(pair)?;
    match round.lie()? {
        Lie::Apart(normal) | Lie::Unclear(normal) => round.apart(pair, normal).map(Some),
        Lie::Meeting(point, _) => round.common(pair, point).map(|_| None),
    }
}

/// The signed distance, if it is certain.
#[inline(never)]
pub(super) fn closest(pair: &Pair<'_>) -> Option<Local> {
    let round = Round::of(pair)?;
    match round.lie()? {
        Lie::Apart(normal) => round.apart(pair, normal),
        Lie::Meeting(_, normal) => round.deep(pair, normal),
        Lie::Unclear(normal) => round.apart(pair, normal).or_else(|| round.deep(pair, normal)),
    }
}

impl Round {
    #[inline]
    fn of(pair: &Pair<'_>) -> Option<Self> {
        let (first, radii, is_swapped) = kinds(pair)?;
        let scale = 1.0 / pair.size;
        let (axes, between) = if is_swapped {
            (pair.m.rotation.transpose(), -pair.m.to_b(pair.m.translation))
        } else {
            (pair.m.rotation, pair.m.translation)
        };
        let radii = radii * scale;
        Some(Self {
            first: match first {
                First::Box(half) => First::Box(half * scale),
                First::Ellipsoid(radii) => First::Ellipsoid(radii * scale),
            },
            axes,
            radii,
            second: Symmetric::of_axes(&axes, radii * radii),
            between: between * scale,
            is_swapped,
        })
    }

    #[inline]
    fn lie(&self) -> Option<Lie> {
        match self.first {
            First::Ellipsoid(radii) => self.scaled(radii),
            First::Box(half) => self.plate(half),
        }
    }

    /// A direction or a vector of this frame in that of A.
    #[inline]
    fn in_frame_of_a(&self, pair: &Pair<'_>, v: Vec3) -> Vec3 {
        if self.is_swapped { pair.m.rotation * v } else { v }
    }

    /// From A to B, for a direction from the first body to the second.
    #[inline]
    fn towards_b(&self, pair: &Pair<'_>, direction: Vec3) -> Vec3 {
        if self.is_swapped { pair.m.rotation * -direction } else { direction }
    }

    /// The plane along a direction, if it separates for certain.
    #[inline]
    fn separating(&self, pair: &Pair<'_>, direction: Vec3) -> Option<SupportPlane> {
        let direction = self.towards_b(pair, direction);
        let lowest = pair.m.lowest(direction, [VertexId::NONE; 2]);
        let bound = direction.dot(lowest.m) / length(direction) - pair.margin;
        (bound > pair.sigma).then_some(SupportPlane { direction, bound, on_a: lowest.a })
    }

    /// The point in the frame of A, if both bodies have it for certain.
    #[inline]
    fn common(&self, pair: &Pair<'_>, point: Vec3) -> Option<Vec3> {
        let point = self.in_frame_of_a(pair, point * pair.size);
        let point = if self.is_swapped { point + pair.m.translation } else { point };
        let is_in = |core: &Core, point: Vec3| match core {
            Core::Ellipsoid { radii } => ((point.abs() + Vec3::splat(pair.sigma)) / *radii).length_squared() <= 1.0,
            Core::Cuboid { half_extents } => point.abs().cmple(*half_extents + Vec3::splat(pair.sigma)).all(),
            _ => false,
        };
        (is_in(pair.m.a, point) && is_in(pair.m.b, pair.m.into_b(point))).then_some(point)
    }

    /// The distance of cores that are apart.
    #[inline]
    fn apart(&self, pair: &Pair<'_>, normal: Vec3) -> Option<Local> {
        let (direction, steps) = self.climb(unit_or(normal, Vec3::X))?;
        let at = self.at(pair, direction);
        let upper = length(at.points[1] - at.points[0]);
        (at.bound > pair.sigma && at.is_nearest(pair)).then(|| at.local(pair, upper + pair.sigma, steps))
    }

    /// The depth of cores that meet.
    #[inline]
    fn deep(&self, pair: &Pair<'_>, normal: Vec3) -> Option<Local> {
        let (direction, steps) = self.climb(self.shallow(normal)?)?;
        let at = self.at(pair, direction);
        let is_deep = at.bound < -pair.sigma && at.is_nearest(pair);
        let is_least = is_deep && self.contains_ball(direction, -at.bound / pair.size);
        is_least.then(|| at.local(pair, at.bound + at.residual + 2.0 * pair.sigma, steps))
    }

    /// The points along a direction, by the supports of the pair itself.
    #[inline]
    fn at(&self, pair: &Pair<'_>, direction: Vec3) -> Place {
        let normal = unit_or(self.towards_b(pair, direction), Vec3::X);
        let lowest = pair.m.lowest(normal, [VertexId::NONE; 2]);
        let bound = normal.dot(lowest.m);
        let [mut on_a, mut on_b] = [lowest.a, lowest.a + lowest.m];
        // Of a box all points along a direction that has no part along an edge: that beside the ellipsoid's.
        let is_across = direction.cmpeq(Vec3::ZERO);
        match (pair.m.a, pair.m.b) {
            (Core::Cuboid { half_extents: half }, _) => on_a = Vec3::select(is_across, on_b.clamp(-*half, *half), on_a),
            (_, Core::Cuboid { half_extents: half }) => {
                let beside = pair.m.into_b(on_a).clamp(-*half, *half);
                let in_b = Vec3::select(is_across, beside, half.copysign(direction));
                on_b = pair.m.rotation * in_b + pair.m.translation;
            }
            _ => {}
        }
        Place { normal, bound, points: [on_a, on_b], residual: length(on_b - on_a - normal * bound) }
    }
}

/// Points that belong to a direction, in the frame of A.
struct Place {
    normal: Vec3,
    bound: Real,
    points: [Vec3; 2],
    /// How far their difference is from the direction.
    residual: Real,
}

impl Place {
    #[inline]
    fn is_nearest(&self, pair: &Pair<'_>) -> bool {
        self.residual <= POLISHED_RESIDUAL * self.bound.abs() + 4.0 * pair.sigma
    }

    #[inline]
    fn local(&self, pair: &Pair<'_>, upper: Real, iterations: u32) -> Local {
        let answer = Local {
            distance: self.bound - pair.margin,
            lower: self.bound - pair.sigma - pair.margin,
            upper: upper.max(self.bound) - pair.margin,
            points: self.points,
            normal: self.normal,
            end: End::Converged,
            iterations,
        };
        answer.with_points(self.points, self.normal * self.bound, pair.sigma)
    }
}
