//! When two moving bodies meet, by conservative advancement on certified gaps.
//!
//! A gap along a unit direction n closes no faster than the bodies' points move along n, and a bound on that is known for the whole
//! motion. So from a time at which the gap is γ nothing can happen for γ divided by that bound, and if the bound is not positive,
//! nothing ever happens: no direction but n is needed to prove a miss. Time only moves forward by steps so proved; it is never
//! later than the first contact. When the gap along n has all but closed, the nearest points give the next n.
//!
//! It ends: a step at a gap above the tolerance moves time forward by at least the tolerance over the bound, and after
//! `STEP_LIMIT` evaluations the time reached is returned as what it is, a lower bound, with [`End::IterationLimit`].

use super::motion::Motion;
use crate::math::{Pose, Real, Vec3};
use crate::narrow::{End, PairCache, closest};
use crate::shape::Shape;
use crate::support::{Support, VertexId};
use crate::tolerance::{IMPACT_SIGMAS, IMPACT_TOLERANCE, sigma};

/// Evaluations of a gap there may be.
pub const STEP_LIMIT: u32 = 4096;
/// Evaluations along one direction before the nearest points are asked again.
const ALONG_ONE: u32 = 16;

/// What to ask of [`time_of_impact`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactOptions {
    /// Bodies nearer than this, relative to the size of the pair, have met. It cannot be smaller than a few roundings.
    pub tolerance: Real,
}

impl Default for ImpactOptions {
    fn default() -> Self {
        Self { tolerance: IMPACT_TOLERANCE }
    }
}

/// The first contact of two motions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// When the bodies have come within the tolerance; nothing if they do not meet from time 0 to 1.
    pub time: Option<Real>,
    /// They do not meet before this time, for certain.
    pub lower: Real,
    /// Whether they touch or overlap at time 0.
    pub at_start: bool,
    /// The nearest points of A and B at that time; of a miss, those last looked at.
    pub points: [Vec3; 2],
    /// Unit vector from A to B between them.
    pub normal: Vec3,
    /// Their signed distance at that time.
    pub distance: Real,
    /// How it ended.
    pub end: End,
    /// Gaps evaluated.
    pub iterations: u32,
}

/// When two convex bodies meet that move from time 0 to time 1: never later than the true first contact, and early by no more than
/// what it takes them to cross the tolerance. Bodies that are nearer than the tolerance at time 0 without touching have met when
/// half of that gap is gone; bodies that touch or overlap at time 0 meet at time 0.
///
/// ```
/// use clearance::ccd::{ImpactOptions, Motion, time_of_impact};
/// use clearance::{Pose, Shape};
/// let rod = Shape::cuboid([2.0, 0.1, 0.1])?;
/// let turning = Motion::with_velocity(Pose::IDENTITY, [0.0; 3], [0.0, 0.0, 3.0])?;
/// let ball = Shape::sphere(0.5)?;
/// let resting = Motion::still(Pose::from_translation([0.0, 2.0, 0.0])?);
/// let impact = time_of_impact(&rod, &turning, &ball, &resting, &ImpactOptions::default());
/// assert!(impact.time.is_some_and(|time| (0.4..0.5).contains(&time)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time_of_impact(a: &Shape, of_a: &Motion, b: &Shape, of_b: &Motion, options: &ImpactOptions) -> Impact {
    let pair = Moving { shapes: [a, b], motions: [of_a, of_b] };
    let mut cache = PairCache::default();
    let mut time = 0.0;
    let mut iterations = 0;
    let mut tolerance = None;
    loop {
        let [at_a, at_b] = pair.poses(time);
        let near = closest(a, &at_a, b, &at_b, &mut cache);
        iterations += 1;
        let answer = Impact {
            time: Some(time),
            lower: time,
            at_start: false,
            points: near.points,
            normal: near.normal,
            distance: near.distance,
            end: near.end,
            iterations,
        };
        let enough = *tolerance.get_or_insert_with(|| pair.tolerance(options, &at_a, &at_b, near.distance));
        if near.distance <= enough {
            return Impact { at_start: time == 0.0, ..answer };
        }
        let advanced = pair.advance(time, near.normal, enough, &mut iterations);
        if advanced >= 1.0 {
            return Impact { time: None, lower: 1.0, end: End::Converged, iterations, ..answer };
        }
        if iterations >= STEP_LIMIT || !(advanced > time) {
            let end = if iterations >= STEP_LIMIT { End::IterationLimit } else { End::Degenerate };
            return Impact { time: Some(advanced), lower: advanced, end, iterations, ..answer };
        }
        time = advanced;
    }
}

struct Moving<'a> {
    shapes: [&'a Shape; 2],
    motions: [&'a Motion; 2],
}

impl Moving<'_> {
    fn poses(&self, time: Real) -> [Pose; 2] {
        self.motions.map(|motion| motion.pose(time))
    }

    /// The error of a support value at these poses.
    fn error(&self, at_a: &Pose, at_b: &Pose) -> Real {
        let between = at_b.translation() - at_a.translation();
        sigma(self.shapes[0].bounding_radius() + self.shapes[1].bounding_radius() + between.abs().element_sum())
    }

    /// The distance at which the bodies have met: what was asked for, but no more than half the gap they start with, and no less
    /// than what rounding leaves of it.
    fn tolerance(&self, options: &ImpactOptions, at_a: &Pose, at_b: &Pose, gap: Real) -> Real {
        let size = self.shapes[0].bounding_radius() + self.shapes[1].bounding_radius();
        let rounding = IMPACT_SIGMAS * self.error(at_a, at_b);
        (options.tolerance * size).min(0.5 * gap).max(rounding)
    }

    /// The latest time up to which the gap along the direction is certain to stay open, from a time at which it is.
    fn advance(&self, mut time: Real, direction: Vec3, enough: Real, iterations: &mut u32) -> Real {
        let radii = self.shapes.map(Shape::bounding_radius);
        let closing =
            self.motions[0].speed_along(direction, radii[0]) + self.motions[1].speed_along(-direction, radii[1]);
        for _ in 0..ALONG_ONE {
            let [at_a, at_b] = self.poses(time);
            let gap = self.gap(direction, &at_a, &at_b) - self.error(&at_a, &at_b);
            *iterations += 1;
            if !(gap > 0.0) {
                break;
            }
            // Only a gap that is open stays open.
            if !(closing > 0.0) {
                return 1.0;
            }
            time += gap / closing;
            // Once it has all but closed, another direction gets farther.
            if time >= 1.0 || gap < enough * 0.5 || *iterations >= STEP_LIMIT {
                break;
            }
        }
        time.min(1.0)
    }

    /// How far the bodies are apart along a unit direction.
    fn gap(&self, direction: Vec3, at_a: &Pose, at_b: &Pose) -> Real {
        let (in_a, in_b) = (at_a.direction_to_local(direction), at_b.direction_to_local(-direction));
        let [a, b] = self.shapes;
        let reach = in_a.dot(a.support(in_a, VertexId::NONE).point) + in_b.dot(b.support(in_b, VertexId::NONE).point);
        direction.dot(at_b.translation() - at_a.translation()) - reach
    }
}
