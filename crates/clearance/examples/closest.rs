//! How far apart, or how deep? One signed distance, with points, normal and bounds, from far to deep.
//!
//! `cargo run --release -p clearance --example closest`

use clearance::{Cache, Pose, Shape, Vec3, closest};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gem = Shape::polytope(
        &[[1., 0., 0.], [-1., 0., 0.], [0., 1., 0.], [0., -1., 0.], [0., 0., 1.5], [0., 0., -1.5]].map(Vec3::from),
    )?;
    let egg = Shape::ellipsoid([0.5, 0.5, 0.8])?;
    let mut cache = Cache::default(); // one per pair: the next frame starts where this one ended
    for x in [3.0, 2.0, 1.5, 1.0, 0.5] {
        let pose = Pose::from_translation([x, 0.2, 0.1])?;
        let near = closest(&gem, &Pose::IDENTITY, &egg, &pose, &mut cache);
        // Below zero the bodies overlap, and moving the egg along the normal by the depth separates them.
        println!(
            "x = {x}: {:?}, distance {:+.6} (true value in [{:+.6}, {:+.6}]), from {:.3} to {:.3}, {:?}, {} supports",
            near.contact,
            near.distance,
            near.lower,
            near.upper,
            near.points[0],
            near.points[1],
            near.end,
            near.iterations
        );
    }
    Ok(())
}
