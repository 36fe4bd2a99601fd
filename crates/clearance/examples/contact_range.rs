//! Along a direction, from where to where do two bodies touch? Also the answer to: how far until they meet, and how far to get clear.
//!
//! `cargo run --release -p clearance --example contact_range`

use clearance::{Cache, Pose, Shape, Vec3, contact_range};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (die, punch) = (Shape::cuboid([1.0, 1.0, 0.5])?, Shape::cylinder(1.0, 0.3)?);
    let down = Vec3::new(0.0, 0.0, -0.1); // positions are in units of this step
    let mut cache = Cache::default();
    for (what, at) in [
        ("above", [0.0, 0.0, 4.0]),
        ("inside", [0.0, 0.0, 0.5]),
        ("below", [0.0, 0.0, -4.0]),
        ("beside", [3.0, 0.0, 4.0]),
    ] {
        match contact_range(&die, &Pose::IDENTITY, &punch, &Pose::from_translation(at)?, down, &mut cache)? {
            // Negative positions lie behind: the punch would have to go back.
            Some(range) => println!("{what}: touches from step {:.2} to step {:.2}", range.lo(), range.hi()),
            None => println!("{what}: never, however far it goes"),
        }
    }
    Ok(())
}
