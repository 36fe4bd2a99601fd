//! Many pairs at once: which of a robot's poses hit a table, and how far apart a few parts are.
//!
//! `cargo run --release -p clearance --example batch`

use clearance::{Pose, Shape, batch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // One pair of bodies, the second at many poses.
    let (table, gripper) = (Shape::cuboid([1.0, 0.6, 0.05])?, Shape::cylinder(0.2, 0.06)?);
    let tilted = |step: i32| {
        let height = 0.4 - 0.02 * f64::from(step);
        Pose::from_axis_angle([0.0, 1.0, 0.0], 0.3)?.with_translation([0.2, 0.0, height as clearance::Real])
    };
    let poses = (0..16).map(tilted).collect::<Result<Vec<_>, _>>()?;
    let answers = batch::overlap_at(&table, &Pose::IDENTITY, &gripper, &poses);
    println!(
        "the gripper is free for {} of {} poses",
        answers.iter().filter(|answer| !answer.overlap).count(),
        poses.len()
    );

    // A table of bodies with their poses, and the pairs to ask about.
    let parts = [Shape::sphere(0.3)?, Shape::cone(0.8, 0.4)?, Shape::cuboid([0.5, 0.2, 0.2])?];
    let places = [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [0.0, 2.0, 0.0]].map(Pose::from_translation);
    let places = places.into_iter().collect::<Result<Vec<_>, _>>()?;
    let pairs = [[0, 1], [0, 2], [1, 2]];
    for ([a, b], near) in pairs.iter().zip(batch::closest(&parts, &places, &pairs)?) {
        println!("parts {a} and {b}: {:.3} apart, between {:.3} and {:.3}", near.distance, near.lower, near.upper);
    }
    // A pair that names no body is an error.
    if let Err(error) = batch::overlap(&parts, &places, &[[0, 3]]) {
        println!("{error}");
    }
    Ok(())
}
