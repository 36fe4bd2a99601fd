//! Proofs that a motion is free: intervals of time, each with a cut that holds throughout.

use glam::DVec3;

use super::bounds::{below_plane, of_simplex, upper, with_outside};
use super::cut::{Interval, NoCut, Scene, Turning, half_space};
use super::record::{NotCertified, Side, sides, written};
use super::value::{Certificate, Value};
use crate::answer::Start;
use crate::ccd::CastOptions;
use crate::math::{Pose, widen, widen_real};
use crate::motion::Motion;
use crate::shape::BodyRef;
use crate::tolerance::{PROOF_INTERVAL, PROOF_INTERVALS};
use crate::verbs::{Cache, cast};

pub(super) fn certify(
    a: &BodyRef<'_>,
    pose_a: &Pose,
    b: &BodyRef<'_>,
    motion: &Motion,
    cache: &mut Cache,
    options: &CastOptions,
) -> Result<Certificate, NotCertified> {
    let Some(steady) = motion.steady() else { return Err(NotCertified::Trajectory) };
    let found = cast(a, pose_a, b, motion, cache, options).map_err(NotCertified::Cast)?;
    let sides = sides([a, b], [pose_a, motion.start()])?;
    let origin = widen(pose_a.translation());
    let [centre, linear, angular] = steady.about();
    let turning = Turning { centre: centre - origin, linear, angular };
    let record = Value::record([("centre", centre.into()), ("linear", linear.into()), ("angular", angular.into())]);
    let both = [&sides[0], &sides[1]];
    let hint = found.hit.map_or(DVec3::X, |hit| widen(hit.normal));
    let free = free(both, turning, widen_real(found.lower), widen_real(options.clearance), hint)?;
    if matches!(found.start, Start::Overlapping { .. }) {
        let upper = upper(&mut Scene::new(both, None), -1.0, hint)?;
        return written(&sides, [("upper", upper)]);
    }
    let near = match found.hit {
        Some(_) => near(both, turning, widen_real(found.fraction), widen_real(options.clearance), hint)?,
        None => None,
    };
    written(&sides, [("motion", Some(record)), ("free", free), ("near", near)])
}

fn free(
    sides: [&Side; 2],
    motion: Turning,
    until: f64,
    clearance: f64,
    hint: DVec3,
) -> Result<Option<Value>, NotCertified> {
    let solid = sides.iter().any(|side| !side.shells.is_empty());
    // Surfaces of solids have to be apart by more than nothing, lest one solid passes into the other.
    let least = if solid { Scene::new(sides, None).margin() } else { 0.0 };
    let clearance = clearance.max(least);
    let (mut from, mut length) = (0.0, until);
    let mut steps = Vec::new();
    for _ in 0..PROOF_INTERVALS {
        let to = if length >= until - from { until } else { from + length };
        let interval = Interval { motion, middle: 0.5 * (from + to), half: 0.5 * (to - from) };
        if !(to > from) {
            break;
        }
        match Scene::new(sides, Some(interval)).cut(clearance, hint) {
            Ok(cut) => {
                steps.push(Value::record([("to", to.into()), ("cut", cut)]));
                (from, length) = (to, 2.0 * length);
            }
            Err(NoCut::Refused(error)) => return Err(error),
            Err(_) if length <= PROOF_INTERVAL * until => break,
            Err(_) => length *= 0.5,
        }
    }
    if steps.is_empty() {
        return Ok(None);
    }
    let claim = Value::record([("until", from.into()), ("clearance", clearance.into()), ("steps", Value::List(steps))]);
    Ok(with_outside(claim, sides))
}

/// How near the bodies are at a time.
fn near(
    sides: [&Side; 2],
    motion: Turning,
    time: f64,
    clearance: f64,
    hint: DVec3,
) -> Result<Option<Value>, NotCertified> {
    let mut scene = Scene::new(sides, Some(Interval { motion, middle: time, half: 0.0 }));
    if let Some((side, direction, _)) = half_space(sides) {
        let found = (side == 0).then(|| below_plane(&scene, side, direction)).flatten();
        return Ok(found.and_then(|found| at_time(found, time)));
    }
    let margin = scene.margin();
    let mut reach = clearance + 64.0 * margin;
    while reach <= clearance + scene.size {
        if let Some(simplex) = scene.pair_within(reach, hint)? {
            return Ok(at_time(of_simplex(&scene, &simplex, hint), time));
        }
        reach = clearance + (reach - clearance) * 16.0;
    }
    Ok(None)
}

/// A bound by weights as that of a time.
fn at_time(bound: Value, time: f64) -> Option<Value> {
    bound.field("weights")?;
    Some(bound.with("time", time))
}
