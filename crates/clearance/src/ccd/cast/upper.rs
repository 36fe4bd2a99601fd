//! By when bodies on a motion have certainly met: a place after the first contact at which they overlap beyond doubt.

use super::super::custom::reach;
use crate::concave::{BodyCache, closest};
use crate::math::{Pose, Real};
use crate::motion::Motion;
use crate::shape::Geometry;

/// Places looked at beyond a contact, each so many times as far as the one before.
const PLACES: u32 = 10;
const FARTHER: Real = 8.0;
/// Halvings of the part of the motion before the first overlap found.
const HALVINGS: u32 = 12;

/// A time by which the bodies are nearer than the clearance for certain, from one at which they were about to be; 1 if none is found.
/// At first it is looked for where they could be at the speed they have, if they were a small distance `near` apart.
pub(super) fn met_by(
    [a, b]: [Geometry<'_>; 2],
    motions: [&Motion; 2],
    from: Real,
    near: Real,
    clearance: Real,
) -> Real {
    let mut cache = BodyCache::default();
    let mut meets = |time: Real| {
        let [pose_a, pose_b]: [Pose; 2] = motions.map(|motion| motion.pose(time));
        let near = closest(a, &pose_a, b, &pose_b, &mut cache);
        // A depth of concave bodies is a local measure, and at least that deep they are.
        near.upper < clearance
    };
    let speed = motions[0].speed(reach(a, motions[0])) + motions[1].speed(reach(b, motions[1]));
    let mut step = 2.0 * near / speed;
    if !(step > 0.0 && from < 1.0) {
        return 1.0;
    }
    let (mut apart, mut found) = (from, None);
    for _ in 0..PLACES {
        let time = from + step;
        if !(time < 1.0) {
            break;
        }
        if meets(time) {
            found = Some(time);
            break;
        }
        (apart, step) = (time, step * FARTHER);
    }
    let Some(mut met) = found else { return 1.0 };
    for _ in 0..HALVINGS {
        let middle = apart + 0.5 * (met - apart);
        if !(middle > apart && middle < met) || (met - apart) * speed <= near {
            break;
        }
        if meets(middle) {
            met = middle;
        } else {
            apart = middle;
        }
    }
    met
}
