//! When do two moving bodies meet? Fast ones as well: nothing passes through between two frames.
//!
//! `cargo run --release -p clearance --example time_of_impact`

use clearance::{Cache, CastOptions, Motion, Pose, Shape, time_of_impact};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (plate, bolt) = (Shape::cuboid([2.0, 2.0, 0.01])?, Shape::capsule(0.2, 0.05)?);
    let falling =
        Motion::with_velocity(Pose::from_translation([0.0, 0.0, 30.0])?, [0.0, 0.0, -100.0], [0.0, 40.0, 0.0])?;
    for (name, spin) in [("resting", 0.0), ("tumbling", 25.0)] {
        let of_plate = Motion::with_velocity(Pose::IDENTITY, [0.0; 3], [spin, 0.0, 0.0])?;
        let options = CastOptions::default();
        let impact = time_of_impact(&plate, &of_plate, &bolt, &falling, &mut Cache::default(), &options)?;
        // The time is never later than the contact: both bodies may safely be moved to it.
        let Some(hit) = impact.hit else {
            println!("a plate {name}: missed");
            continue;
        };
        println!("a plate {name}: at time {:.6}, within [{:.6}, {:.6}]", impact.fraction, impact.lower, impact.upper);
        println!("  {:.1e} apart at {:.3}, after {} distances", hit.distance, hit.points[0], impact.iterations);
    }
    Ok(())
}
