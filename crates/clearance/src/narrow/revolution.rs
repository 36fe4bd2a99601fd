//! How deep two bodies of revolution with parallel axes overlap, in the plane of the axes.
//!
//! **Why the plane is enough.** The difference W = A − B of two bodies of revolution with parallel axes is a body of revolution itself,
//! about a parallel axis: its support value along d is a sum of two values that depend on the part of d along the axes and on the
//! length of the part across them only, plus the product of d with the translation. The depth is the distance of the origin from the surface
//! of W. Of a circle of W's surface, of radius r about W's axis, the point nearest to the origin is the one in the half-plane of the
//! axis and the origin: the squared distance is s + ρ² + r² − 2ρr cos θ, with ρ the origin's distance from the axis, θ the angle between the two
//! half-planes and s independent of θ. So the nearest point of the surface is in the section by that half-plane; where ρ = 0 (one axis) it
//! is in every section alike: a ring of equal minima, on which nothing in space converges. For a direction in the plane the section of W
//! has the support value of W, and the section of a sum is the sum of the sections.
//!
//! **How.** A polygon inside of the section grows by supports, as the expanding polytope does in space: an edge bounds the depth from below
//! for all directions between those of its ends, a support plane bounds it from above. Cones, cylinders and discs end exactly, their
//! sections being polygons; of ellipses the last digits come from halving the angle between a falling and a rising depth.
//!
//! **Axes that are nearly parallel.** Turning a body by α about its origin moves no point by more than αR, with R its bounding radius. The
//! signed distance is the largest support value over all directions, so it changes by no more than that: the answer for parallel axes
//! bounds that of the pair (turn the smaller body), and the pair's own support certifies the direction.
//!
//! It ends: at most `LOOKS` supports and `HALVINGS` halvings.

use arrayvec::ArrayVec;

use super::active;
use super::local::Local;
use super::minkowski::Vertex;
use super::pair::Pair;
use super::simplex::Simplex;
use super::witness::points_at;
use crate::answer::End;
use crate::math::{Real, Vec3, consts, length, narrow_real, unit_or, widen, widen_real};
use crate::shape::Core;
use crate::support::VertexId;
use crate::tolerance::{COARSE_DEPTH_GAP, PLANE_ERROR, POLISHED_RESIDUAL, RELATIVE_DEPTH_GAP};

/// Supports of the section. Polygons of eight sides take ten; where the depth is the same all around, so many leave a gap of 3e-4 of it.
const LOOKS: usize = 64;
/// Halvings of the last angle, each worth a bit.
const HALVINGS: usize = 56;
/// Half-planes that are tried where the axes are not quite parallel, so that some are less deep than others.
const SECTIONS: u32 = 16;

/// A vector of the section: across the axis and along it.
type Planar = [f64; 2];

/// The section of a body of revolution by a plane through its axis.
#[derive(Debug, Clone, Copy)]
enum Profile {
    /// The hull of two circles, points of it if their radii are zero.
    Rims([Planar; 2]),
    /// Semi-axes.
    Ellipse(Planar),
    /// The hull of a point of the axis and a ball about another.
    Drop { point: f64, ball: f64, radius: f64 },
}

/// Which axis of its frame a body is turned about.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Axis {
    Any,
    Along(Vec3),
}

/// A support of the section.
#[derive(Debug, Clone, Copy)]
struct Look {
    d: Planar,
    /// The points of A and B, in the plane of the axes with its origin at that of A.
    points: [Planar; 2],
    /// Their difference.
    w: Planar,
}

/// The two profiles, that of B turned to A's axis and moved to where it is.
struct Section {
    profiles: [Profile; 2],
    /// The sign of B's axis along A's.
    sense: f64,
    /// The origin of B.
    translation: Planar,
}

/// The least depth in the section.
struct Least {
    d: Planar,
    depth: f64,
    /// No direction is less deep than this.
    lower: f64,
    ends: [Look; 2],
    iterations: u32,
}

/// The depth of two cores that meet, if both are turned about axes that are parallel or nearly so. `gap` is how far apart the bounds may
/// be for it, relative.
#[inline]
pub(super) fn depth(pair: &Pair<'_>, iterations: u32, gap: Real) -> Option<Local> {
    let ((first, a), (second, b)) = (profile(pair.m.a)?, profile(pair.m.b)?);
    in_section(pair, [first, second], [a, b], iterations, gap)
}

#[inline]
fn profile(core: &Core) -> Option<(Axis, Profile)> {
    let rims = |rims: [[Real; 2]; 2]| Profile::Rims(rims.map(|rim| rim.map(widen_real)));
    let upright = Axis::Along(Vec3::Z);
    Some(match *core {
        Core::Point => (Axis::Any, rims([[0.0; 2]; 2])),
        Core::Segment { half_length: h } => (Axis::Along(Vec3::X), rims([[0.0, h], [0.0, -h]])),
        Core::Disc { radius } => (upright, rims([[radius, 0.0]; 2])),
        Core::Cylinder { half_height: h, radius } => (upright, rims([[radius, h], [radius, -h]])),
        Core::Cone { height, radius } => (upright, rims([[0.0, 0.75 * height], [radius, -0.25 * height]])),
        Core::TaperedCylinder { radii, heights } => (upright, rims([[radii[1], heights[1]], [radii[0], heights[0]]])),
        Core::Drop { point, ball, radius } => {
            let [point, ball, radius] = [point, ball, radius].map(widen_real);
            (Axis::Along(Vec3::X), Profile::Drop { point, ball, radius })
        }
        Core::Ellipsoid { radii } => {
            let [x, y, z] = widen(radii).to_array();
            match (x == y, y == z, x == z) {
                (true, true, _) => (Axis::Any, Profile::Ellipse([x, x])),
                (true, ..) => (upright, Profile::Ellipse([x, z])),
                (_, true, _) => (Axis::Along(Vec3::X), Profile::Ellipse([y, x])),
                (.., true) => (Axis::Along(Vec3::Y), Profile::Ellipse([x, y])),
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// The depth by the section, certified by the pair's own support.
#[inline(never)]
fn in_section(pair: &Pair<'_>, axes: [Axis; 2], profiles: [Profile; 2], iterations: u32, gap: Real) -> Option<Local> {
    let (axis, of_b) = match axes {
        [Axis::Along(a), Axis::Along(b)] => (a, pair.m.rotation * b),
        [Axis::Along(a), Axis::Any] => (a, a),
        [Axis::Any, Axis::Along(b)] => (pair.m.rotation * b, pair.m.rotation * b),
        // Two bodies without an axis are turned about the line between their centres.
        [Axis::Any, Axis::Any] => [unit_or(pair.m.translation, Vec3::Z); 2].into(),
    };
    let axis = unit_or(axis, Vec3::Z);
    // The length of the difference of two unit vectors is no less than the sine of their angle.
    let tilt = length(of_b - axis).min(length(of_b + axis));
    // Turning by an angle moves a point by less than 1.2 times the angle's sine, up to half a right angle.
    let moved = 1.2 * tilt * pair.m.a.bounding_radius().min(pair.m.b.bounding_radius());
    if !(moved <= pair.sigma + COARSE_DEPTH_GAP * pair.size) {
        return None;
    }
    let along = axis.dot(pair.m.translation);
    let across = pair.m.translation - axis * along;
    let section = Section {
        profiles,
        sense: if of_b.dot(axis) < 0.0 { -1.0 } else { 1.0 },
        translation: [length(across), along].map(widen_real),
    };
    let outward = unit_or(across, axis.any_orthonormal_vector());
    let least = section.least(PLANE_ERROR * widen_real(pair.size))?;
    let lower = narrow_real(least.lower) - moved;
    let lift = |[r, z]: Planar, out: Vec3| out * narrow_real(r) + axis * narrow_real(z);
    let stated = |depth: Real, height: Real, normal: Vec3, points: [Vec3; 2], more: u32| {
        let answer = Local {
            distance: -depth - pair.margin,
            lower: -depth.max(height) - pair.sigma - pair.margin,
            upper: -lower.min(depth) + pair.sigma - pair.margin,
            points,
            normal,
            end: End::Converged,
            iterations: iterations + least.iterations + more,
        };
        answer.with_points(points, normal * -depth, pair.sigma)
    };
    if moved <= pair.sigma {
        let normal = unit_or(lift(least.d, outward), axis);
        let height = -pair.m.gap(normal);
        let depth = narrow_real(least.depth);
        let points = least.points().map(|p| lift(p, outward));
        let is_certified = (height - depth).abs() <= 4.0 * pair.sigma + moved;
        return is_certified.then(|| stated(depth, height, normal, points, 1));
    }
    // The bounds are up to twice as far apart as that.
    if !(moved <= 0.4 * gap * narrow_real(least.depth)) {
        return None;
    }
    nearly_parallel(pair, &least, [axis, outward], gap)
        .map(|(depth, normal, points)| stated(depth, depth, normal, points, SECTIONS))
}

/// The shallowest direction of nearly parallel axes: in the half-plane that turns out best, then by Newton's method.
fn nearly_parallel(
    pair: &Pair<'_>,
    least: &Least,
    [axis, outward]: [Vec3; 2],
    gap: Real,
) -> Option<(Real, Vec3, [Vec3; 2])> {
    let sideways = axis.cross(outward);
    let lift = |[r, z]: Planar, out: Vec3| unit_or(out * narrow_real(r) + axis * narrow_real(z), axis);
    let mut best = (Real::NEG_INFINITY, outward);
    for i in 0..SECTIONS {
        let (s, c) = (consts::TAU * i as Real / SECTIONS as Real).sin_cos();
        let out = outward * c + sideways * s;
        let value = pair.m.gap(lift(least.d, out));
        if value > best.0 {
            best = (value, out);
        }
    }
    let (value, out) = best;
    let normal = lift(least.d, out);
    let depth = -value;
    // On either side of the direction, so that both ends of an edge are there.
    let none = [VertexId::NONE; 2];
    let mut corners: ArrayVec<Vertex, 4> = ArrayVec::new();
    corners.push(pair.m.lowest(normal, none));
    for end in &least.ends {
        let other = pair.m.lowest(lift(end.d, out), none);
        if corners.iter().all(|known| known.m != other.m) && corners.len() < 3 {
            corners.push(other);
        }
    }
    let enough = POLISHED_RESIDUAL * depth.abs() + 4.0 * pair.sigma;
    let polished = active::polish(&pair.m, &corners, normal, enough, pair.sigma);
    if let Some(found) = polished.filter(|found| -found.bound <= depth + enough) {
        return Some((-found.bound, found.direction, found.points));
    }
    let close = widen_real(depth) - least.lower <= widen_real(gap) * least.depth;
    close.then(|| (depth, normal, points_at(&pair.m, pair.sigma, normal * value, &corners, &Simplex::default())))
}

impl Profile {
    /// The point farthest along `d`.
    #[inline]
    fn support(&self, [r, z]: Planar) -> Planar {
        match *self {
            Self::Rims([p, q]) => {
                let is_second = r.abs() * (q[0] - p[0]) + z * (q[1] - p[1]) > 0.0;
                let rim = if is_second { q } else { p };
                [rim[0].copysign(r), rim[1]]
            }
            Self::Ellipse([across, along]) => {
                let scaled = unit([across * r, along * z]);
                [across * scaled[0], along * scaled[1]]
            }
            Self::Drop { point, ball, radius } => {
                let outward = unit([r, z]);
                let far = [radius * outward[0], ball + radius * outward[1]];
                if r * far[0] + z * (far[1] - point) < 0.0 { [0.0, point] } else { far }
            }
        }
    }
}

impl Section {
    fn look(&self, d: Planar) -> Look {
        let a = self.profiles[0].support(d);
        let [r, z] = self.profiles[1].support([-d[0], -d[1] * self.sense]);
        let b = [r + self.translation[0], z * self.sense + self.translation[1]];
        Look { d, points: [a, b], w: [a[0] - b[0], a[1] - b[1]] }
    }

    /// The least depth over all directions that lead B away from A's axis. Nothing if a number is none.
    fn least(&self, error: f64) -> Option<Least> {
        // From the top to the bottom, through the side.
        let mut looks: ArrayVec<Look, LOOKS> = ArrayVec::new();
        looks.extend([[0.0, 1.0], [1.0, 0.0], [0.0, -1.0]].map(|d| self.look(d)));
        loop {
            let (best, depth) = shallowest(&looks)?;
            let edge = lowest_edge(&looks);
            let lower = edge.map_or(depth, |edge| edge.bound.min(depth));
            let room = looks.len() < LOOKS;
            let wide = depth - lower > error + widen_real(RELATIVE_DEPTH_GAP) * depth;
            let Some(edge) = edge.filter(|_| depth - lower > error) else {
                return Some(self.at_look(&looks, best, lower));
            };
            let next = self.look(edge.normal);
            if height(&next) - edge.bound <= error {
                let ends = [looks[edge.after], looks[edge.after + 1]];
                let iterations = looks.len() as u32;
                return Some(Least { d: edge.normal, depth: height(&next), lower, ends, iterations });
            }
            if !wide || !room {
                return Some(self.at_look(&looks, best, lower));
            }
            looks.try_insert(edge.after + 1, next).ok()?;
        }
    }

    /// The least depth near the best look.
    fn at_look(&self, looks: &[Look], best: usize, lower: f64) -> Least {
        let iterations = looks.len() as u32;
        let look = looks[best];
        let rises = slope(&look) >= 0.0;
        let answer = |d: Planar, ends: [Look; 2]| {
            let depth = height(&self.look(d));
            Least { d, depth, lower: lower.min(depth), ends, iterations }
        };
        let is_pole = look.d[0] == 0.0;
        if is_pole && rises == (best == 0) {
            // The section goes on beyond the axis: a flat end has its other half there.
            return answer(look.d, [look, self.look([-0.0, look.d[1]])]);
        }
        let (mut low, mut high) =
            if rises { (looks[best.saturating_sub(1)], look) } else { (look, looks[(best + 1).min(looks.len() - 1)]) };
        for _ in 0..HALVINGS {
            let middle = self.look(unit([low.d[0] + high.d[0], low.d[1] + high.d[1]]));
            if slope(&middle) < 0.0 { low = middle } else { high = middle }
        }
        answer(if slope(&look) == 0.0 { look.d } else { high.d }, [low, high])
    }
}

/// How deep it is along a look's direction.
#[inline]
fn height(look: &Look) -> f64 {
    look.d[0] * look.w[0] + look.d[1] * look.w[1]
}

/// How the depth changes when the direction turns down.
#[inline]
fn slope(look: &Look) -> f64 {
    look.d[1] * look.w[0] - look.d[0] * look.w[1]
}

fn shallowest(looks: &[Look]) -> Option<(usize, f64)> {
    let mut best = None;
    for (i, look) in looks.iter().enumerate() {
        let depth = height(look);
        if !depth.is_finite() {
            return None;
        }
        if best.is_none_or(|(_, known)| depth < known) {
            best = Some((i, depth));
        }
    }
    best
}

/// An edge of the polygon, after that look.
#[derive(Clone, Copy)]
struct Edge {
    after: usize,
    normal: Planar,
    bound: f64,
}

/// The edge nearest to the origin. A direction between those of its ends is at least as deep as the lower of the ends and the edge.
fn lowest_edge(looks: &[Look]) -> Option<Edge> {
    let mut best: Option<Edge> = None;
    for (after, ends) in looks.windows(2).enumerate() {
        let along = [ends[1].w[0] - ends[0].w[0], ends[1].w[1] - ends[0].w[1]];
        let normal = unit([-along[1], along[0]]);
        let bound = normal[0] * ends[0].w[0] + normal[1] * ends[0].w[1];
        // Two ends in one place have no edge between them.
        if normal != [0.0; 2] && best.is_none_or(|known| bound < known.bound) {
            best = Some(Edge { after, normal, bound });
        }
    }
    best
}

impl Least {
    /// The points of A and B: those of the place between the ends that is right along the direction.
    fn points(&self) -> [Planar; 2] {
        let [low, high] = &self.ends;
        let aside = |look: &Look| self.d[1] * look.w[0] - self.d[0] * look.w[1];
        let (from, to) = (aside(low), aside(high));
        let share = if from == to { 0.5 } else { (from / (from - to)).clamp(0.0, 1.0) };
        [0, 1].map(|i: usize| [0, 1].map(|k: usize| low.points[i][k] + (high.points[i][k] - low.points[i][k]) * share))
    }
}

/// The vector with unit length; zero if it has none.
#[inline]
fn unit(v: Planar) -> Planar {
    let largest = v[0].abs().max(v[1].abs());
    if !(largest > 0.0) {
        return [0.0; 2];
    }
    let scaled = [v[0] / largest, v[1] / largest];
    let length = (scaled[0] * scaled[0] + scaled[1] * scaled[1]).sqrt();
    [scaled[0] / length, scaled[1] / length]
}
