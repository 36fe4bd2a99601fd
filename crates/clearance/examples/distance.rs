//! How far apart, for those who need no depth: bodies that overlap cost no more than a boolean.
//!
//! `cargo run --release -p clearance --example distance`

use clearance::{Cache, Pose, Shape, distance};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (pipe, valve) = (Shape::capsule(2.0, 0.1)?, Shape::cone(0.6, 0.3)?);
    let mut cache = Cache::default();
    for y in [2.0, 1.0, 0.5, 0.2] {
        let pose = Pose::from_translation([0.5, y, 0.0])?;
        match distance(&pipe, &Pose::IDENTITY, &valve, &pose, &mut cache) {
            Some(near) => {
                println!("y = {y}: {:.4} apart, from {:.3} to {:.3}", near.distance, near.points[0], near.points[1])
            }
            None => println!("y = {y}: they overlap; `closest` would tell how deep"),
        }
    }
    Ok(())
}
