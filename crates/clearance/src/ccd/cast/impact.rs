//! The first contact of two moving bodies, by conservative advancement, with the answer of a cast.

use super::super::answer::ImpactOptions;
use super::super::bodies;
use super::super::polyhedra::CastError;
use super::features::of_distance;
use super::options::CastOptions;
use super::parts::Padded;
use super::start::Resting;
use super::upper::met_by;
use crate::answer::{Cast, Contact, ContactPoint, End, Start};
use crate::math::Real;
use crate::motion::Motion;
use crate::shape::{BodyRef, Geometry};

/// When two bodies of every kind meet that move from time 0 to time 1.
///
/// # Errors
/// If a number of the options is negative or not finite.
pub fn impact_body<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    of_a: &Motion,
    b: impl Into<BodyRef<'b>>,
    of_b: &Motion,
    options: &CastOptions,
) -> Result<Cast, CastError> {
    let (a, b) = (a.into(), b.into());
    let padded = Padded::new([&a, &b], options)?;
    let bodies = [a.geometry(), b.geometry()];
    Ok(padded.unpadded(impact(bodies, [of_a, of_b], padded.clearance(), options.tolerance)))
}

fn impact([a, b]: [Geometry<'_>; 2], motions: [&Motion; 2], clearance: Real, tolerance: Real) -> Cast {
    let resting = Resting { bodies: [a, b], poses: motions.map(Motion::start), clearance };
    let asked = ImpactOptions { tolerance, clearance };
    let found = bodies::time_of_impact(a, motions[0], b, motions[1], &asked);
    let (impact, rounding) = (&found.impact, resting.rounding());
    if impact.at_start {
        let near = resting.near();
        let above = near.distance - clearance;
        let is_deep = if clearance > 0.0 { above < -rounding } else { near.contact == Contact::Overlapping };
        if is_deep {
            let way_out = resting.way_out(&near, None);
            return Cast {
                fraction: 0.0,
                lower: 0.0,
                upper: 0.0,
                start: Start::Overlapping { way_out },
                hit: Some(resting.contact(&near)),
                end: impact.end,
                iterations: impact.iterations,
            };
        }
    }
    let hit = impact.time.map(|_| {
        let features = [of_distance(a, found.features[0]), of_distance(b, found.features[1])];
        ContactPoint { points: impact.points, normal: impact.normal, distance: impact.distance, features }
    });
    let fraction = impact.time.unwrap_or(impact.lower);
    let is_bounded = hit.is_some() && impact.end == End::Converged;
    let apart = (impact.distance - clearance).abs().max(rounding);
    let upper = if is_bounded { met_by([a, b], motions, fraction, apart, clearance) } else { 1.0 };
    let touches = || {
        let near = resting.near();
        near.distance - clearance <= rounding || (clearance == 0.0 && near.contact != Contact::Apart)
    };
    let start = if touches() { Start::Touching } else { Start::Apart };
    Cast { fraction, lower: impact.lower, upper, start, hit, end: impact.end, iterations: impact.iterations }
}
