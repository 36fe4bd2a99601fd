//! When two moving convex bodies meet, by conservative advancement on certified gaps.
//!
//! A gap along a unit direction n closes no faster than the bodies' points move along n, and a bound on that is known for the whole
//! motion. So from a time at which the gap is γ nothing can happen for a while, and if the gap does not close, nothing ever happens: no
//! direction but n is needed to prove a miss. Time only moves forward by steps so proved; it is never later than the first contact.
//! When the gap along n has all but closed, the nearest points give the next n. `advance` has the steps, and why they end.

use glam::DVec3;

use super::advance::{Found, Search, Shapes, advance};
use super::answer::{Impact, ImpactOptions};
use super::custom;
use super::moving::Mover;
use crate::answer::Feature;
use crate::math::{Real, narrow, narrow_real, rounded_down, widen, widen_real};
use crate::motion::{Motion, Steady};
use crate::narrow::{End, PairCache};
use crate::shape::{Geometry, Shape};

/// When two convex bodies meet that move from time 0 to time 1: never later than the true first contact, and early by no more than
/// what it takes them to cross the tolerance. Bodies that are nearer than the tolerance at time 0 without touching have met when
/// half of that gap is gone.
///
/// Bodies that overlap at time 0 meet at time 0. Bodies that touch at time 0 may part or slide along each other: that is free. They have
/// met only when they get deeper into each other than half the tolerance, and the time is then that at which they were last seen
/// within the tolerance and not deep: so what moves in at once meets at time 0.
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
    let (Some(of_a), Some(of_b)) = (of_a.steady(), of_b.steady()) else {
        return custom::time_of_impact(Geometry::Convex(a), of_a, Geometry::Convex(b), of_b, options).impact;
    };
    let radii = [a.bounding_radius(), b.bounding_radius()];
    let mut search = Search::new(radii, [of_a, of_b], options);
    let mut cache = PairCache::default();
    let mut pair = Shapes::new([of_a, of_b].map(Mover::new), [a, b], [Feature::WHOLE; 2], None, &mut cache);
    advance(&mut pair, 0.0, &mut search);
    search.impact()
}

impl Search {
    pub fn new(radii: [Real; 2], motions: [&Steady; 2], options: &ImpactOptions) -> Self {
        let starts = motions.map(|motion| widen(motion.start().translation()));
        let size = radii[0] + radii[1];
        let ways: f64 = motions.iter().zip(radii).map(|(m, r)| m.length() + m.omega().length() * widen_real(r)).sum();
        let mut search = Self {
            size: widen_real(size),
            ways,
            far: starts[0].abs().max_element().max(starts[1].abs().max_element()),
            clearance: widen_real(options.clearance.max(0.0)),
            asked: widen_real(options.tolerance.max(0.0) * size),
            rounding: 0.0,
            touching: None,
            latest: 1.0,
            found: None,
            looked: None,
            looks: 0,
        };
        search.rounding = search.rounding(search.error(starts[1] - starts[0], 0.0), 0.0);
        search
    }

    /// What was found, in the build's precision; times are rounded down.
    pub fn impact(&self) -> Impact {
        let nothing = Found {
            time: 1.0,
            distance: 0.0,
            normal: DVec3::X,
            points: [DVec3::ZERO; 2],
            features: [Feature::WHOLE; 2],
            end: End::Converged,
        };
        let shown = self.found.or(self.looked).unwrap_or(nothing);
        let time = self.found.map(|found| rounded_down(found.time));
        Impact {
            time,
            lower: time.unwrap_or(1.0),
            at_start: time == Some(0.0),
            points: shown.points.map(narrow),
            normal: narrow(shown.normal.normalize_or(DVec3::X)),
            distance: narrow_real(shown.distance),
            end: self.found.map_or(End::Converged, |found| found.end),
            iterations: self.looks,
        }
    }
}
