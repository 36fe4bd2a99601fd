//! How far may a body move before it meets another? Straight, turning, along a path of your own, and with a distance to keep.
//!
//! `cargo run --release -p clearance --example cast`

use std::sync::Arc;

use clearance::{Cache, CastOptions, Motion, Pose, Real, Shape, Trajectory, cast};

/// A hand on an arm of length two, bowing down from upright.
#[derive(Debug)]
struct Bow;

impl Trajectory for Bow {
    fn pose(&self, time: Real) -> Pose {
        let (sin, cos) = (2.0 * time * time).sin_cos(); // the angle, which grows faster and faster
        Pose::from_translation([2.0 * sin, 0.0, 2.0 * cos]).unwrap_or_default()
    }

    /// The promise on which the answer rests: no point moves faster than this between the two times.
    fn speed(&self, _radius: Real, _from: Real, to: Real) -> Real {
        2.0 * 4.0 * to
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (chest, hand) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::capsule(0.3, 0.2)?);
    let place = Pose::from_translation([2.5, 0.0, 0.0])?;
    let start = Pose::from_translation([0.0, 0.0, 2.0])?;
    let motions = [
        ("straight", Motion::translation(start, [2.5, 0.0, -2.5])?),
        ("turn", Motion::rotation(start, [0.0; 3], [0.0, 1.0, 0.0], 2.0)?),
        ("screw", Motion::between(start, Pose::new([2.5, 0.0, 0.0], [0.0, 0.6, 0.0, 0.8])?)),
        ("own path", Motion::custom(Arc::new(Bow))),
    ];
    for (name, motion) in &motions {
        for keep in [0.0, 0.25] {
            let options = CastOptions { clearance: keep, ..CastOptions::default() };
            let stop = cast(&chest, &place, &hand, motion, &mut Cache::default(), &options)?;
            let at = stop.hit.map(|hit| hit.points[0]);
            println!("{name}, keeping {keep}: {:.6} is free, then {at:.3?} ({:?})", stop.fraction, stop.end);
        }
    }
    Ok(())
}
