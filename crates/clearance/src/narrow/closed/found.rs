//! What a formula proposes, and what of it is certain.

use crate::answer::End;
use crate::math::{Real, Vec3, length, unit_or};
use crate::narrow::gjk::SupportPlane;
use crate::narrow::local::Local;
use crate::narrow::pair::Pair;
use crate::narrow::witness::aligned;
use crate::shape::Core;
use crate::support::{Support, VertexId};
use crate::tolerance::STALL_SIGMAS;

/// Nearest points of two cores, or the deepest where one is a point in the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// On the first and on the second core.
    pub points: [Vec3; 2],
    /// Unit vector from the first to the second.
    pub normal: Vec3,
    /// Along the normal; not positive for a point in a body.
    pub distance: Real,
    /// The support value of the difference along the normal: no two points are closer along it.
    pub bound: Real,
}

/// How two cores lie.
pub(super) enum Cores {
    Apart(Found),
    /// A point in the other core, with its depth.
    Inside(Found),
    /// A point of both; the depth takes another formula.
    Meeting(Vec3),
}

/// A boolean with its witness, in the frame of A.
pub(in crate::narrow) enum Decision {
    /// A plane between the bodies, rounding included.
    Apart(SupportPlane),
    /// Points of the cores that are no further apart than the radii reach.
    Common([Vec3; 2]),
}

impl Found {
    /// The same seen from the frame of A, if it was found in the frame of B with B as the first.
    #[inline]
    pub(super) fn seen_from_a(self, pair: &Pair<'_>) -> Self {
        let [on_b, on_a] = self.points.map(|p| pair.m.rotation * p + pair.m.translation);
        // The product of rotations keeps unit length only to a few roundings.
        let normal = unit_or(pair.m.rotation * -self.normal, Vec3::X);
        Self { points: [on_a, on_b], normal, ..self }
    }

    #[inline]
    pub(super) fn upper(&self) -> Real {
        length(self.points[1] - self.points[0]).max(self.distance)
    }

    /// The answer, unless its bounds are further apart than rounding.
    pub(super) fn certified(self, pair: &Pair<'_>) -> Option<Local> {
        let (lower, upper) = (self.bound.min(self.distance), self.upper());
        (upper - lower <= STALL_SIGMAS * pair.sigma).then(|| self.exact(pair, lower, upper))
    }

    /// The answer for the bodies, with the margin taken off, from bounds on the distance of the cores.
    #[inline]
    pub(super) fn exact(self, pair: &Pair<'_>, lower: Real, upper: Real) -> Local {
        Local {
            distance: self.distance - pair.margin,
            lower: lower - pair.sigma - pair.margin,
            upper: upper + pair.sigma - pair.margin,
            points: aligned(self.points, self.normal * self.distance),
            normal: self.normal,
            end: End::Converged,
            iterations: 1,
        }
    }

    /// What it says about the bodies, if it is certain.
    pub(super) fn decision(self, pair: &Pair<'_>) -> Option<Decision> {
        let bound = self.bound - pair.margin;
        if bound > pair.sigma {
            let on_a = pair.m.a.support(self.normal, VertexId::NONE).point;
            return Some(Decision::Apart(SupportPlane { direction: self.normal, bound, on_a }));
        }
        // What is not apart is touching, if the points say so too.
        (self.upper() <= pair.margin + 2.0 * pair.sigma).then_some(Decision::Common(self.points))
    }
}

impl Cores {
    pub(super) fn seen_from_a(self, pair: &Pair<'_>) -> Self {
        match self {
            Self::Apart(found) => Self::Apart(found.seen_from_a(pair)),
            Self::Inside(found) => Self::Inside(found.seen_from_a(pair)),
            Self::Meeting(point) => Self::Meeting(pair.m.rotation * point + pair.m.translation),
        }
    }
}

/// Half the edges of a core that is a box, flat or thin as it may be.
#[inline]
pub(super) fn half_extents(core: &Core) -> Option<Vec3> {
    match core {
        Core::Point => Some(Vec3::ZERO),
        Core::Segment { half_length } => Some(Vec3::new(*half_length, 0.0, 0.0)),
        Core::Rectangle { half_extents: [x, y] } => Some(Vec3::new(*x, *y, 0.0)),
        Core::Cuboid { half_extents } => Some(*half_extents),
        _ => None,
    }
}
