//! Do two bodies collide? The answer comes with its reason: a separating plane or a common point.
//!
//! `cargo run --release -p clearance --example overlap`

use clearance::{Cache, Pose, Shape, Witness, overlap};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wheel = Shape::wheel(1.0, 0.25)?;
    let ramp = Shape::frustum([2.0, 1.0], [0.5, 1.0], 1.0)?;
    let mut cache = Cache::default(); // kept from frame to frame, it makes the next answer cheaper
    for height in [2.0, 1.6, 1.2, 0.8] {
        let pose = Pose::from_translation([0.0, 0.0, height])?;
        let answer = overlap(&ramp, &Pose::IDENTITY, &wheel, &pose, &mut cache);
        match answer.witness {
            Witness::Plane { normal, offset_a, offset_b } => {
                println!("height {height}: apart; a plane with normal {normal} has {:.3} of room", offset_b - offset_a);
            }
            Witness::Point(point) => println!("height {height}: they share the point {point}"),
            other => println!("height {height}: {other:?}"),
        }
    }
    Ok(())
}
