//! The bodies, and what a search finds.

use crate::answer::End;
use crate::math::{Mat3, Real, Vec3};
use crate::narrow::local::Local;
use crate::narrow::pair::Pair;
use crate::shape::Core;

/// The hull of two circles about the third of its axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circles {
    /// The body's frame in that of A, its axis last.
    pub axes: Mat3,
    pub centre: Vec3,
    /// The heights of the circles over the centre, along the axis.
    pub heights: [Real; 2],
    pub radii: [Real; 2],
}

/// Heights and radii of the circles.
#[inline]
fn kind(core: &Core) -> Option<([Real; 2], [Real; 2])> {
    Some(match core {
        Core::Cone { height, radius } => ([-0.25 * height, 0.75 * height], [*radius, 0.0]),
        Core::Cylinder { half_height, radius } => ([-half_height, *half_height], [*radius; 2]),
        Core::TaperedCylinder { radii, heights } => (*heights, *radii),
        Core::Disc { radius } => ([0.0; 2], [*radius; 2]),
        _ => return None,
    })
}

/// Whether the pair is one of these.
#[inline]
pub(in crate::narrow) fn are_circles(pair: &Pair<'_>) -> bool {
    kind(pair.m.a).is_some() && kind(pair.m.b).is_some()
}

impl Circles {
    #[inline]
    pub(super) fn of(core: &Core, frame: &Mat3, centre: Vec3) -> Option<Self> {
        let (heights, radii) = kind(core)?;
        Some(Self { axes: *frame, centre, heights, radii })
    }
}

/// Nearest points of the cores.
pub(super) struct Nearest {
    pub direction: Vec3,
    /// The support value of the difference along it.
    pub bound: Real,
    pub points: [Vec3; 2],
    /// How far their difference is from the direction, and how much less than it the support value says.
    pub residual: Real,
    pub steps: u32,
}

impl Nearest {
    pub(super) fn local(&self, pair: &Pair<'_>) -> Local {
        let answer = Local {
            distance: self.bound - pair.margin,
            lower: self.bound - pair.sigma - pair.margin,
            upper: self.bound + self.residual + pair.sigma - pair.margin,
            points: self.points,
            normal: self.direction,
            end: End::Converged,
            iterations: self.steps,
        };
        answer.with_points(self.points, self.direction * self.bound, pair.sigma)
    }
}
