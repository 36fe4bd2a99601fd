//! How far can a peg go in each of 26 directions before it touches its socket?
//!
//! The socket is a compound of five boxes around a square hole.
//!
//! `cargo run --release -p clearance --example insertion`

use clearance::{Body, Cache, CastOptions, Compound, Motion, Pose, Shape, Start, Vec3, cast};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let peg = Shape::cylinder(1.0, 0.45)?; // two long, along z
    let start = Pose::from_translation([0.0, 0.0, 0.5])?; // half of it in the hole
    let wall = Body::from(Shape::cuboid([0.25, 0.75, 1.0])?);
    let floor = Body::from(Shape::cuboid([0.75, 0.75, 0.1])?);
    let quarter_turn = [0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()];
    let socket = Compound::new([
        (wall.clone(), Pose::from_translation([0.75, 0.0, 0.0])?),
        (wall.clone(), Pose::from_translation([-0.75, 0.0, 0.0])?),
        (wall.clone(), Pose::new([0.0, 0.75, 0.0], quarter_turn)?),
        (wall, Pose::new([0.0, -0.75, 0.0], quarter_turn)?),
        (floor, Pose::from_translation([0.0, 0.0, -1.1])?),
    ])?;
    let mut cache = Cache::default();
    let steps = [-1.0, 0.0, 1.0];
    for (x, y, z) in steps.iter().flat_map(|x| steps.iter().flat_map(move |y| steps.map(|z| (*x, *y, z)))) {
        let direction = Vec3::new(x, y, z);
        if direction == Vec3::ZERO {
            continue;
        }
        let motion = Motion::translation(start, direction.normalize() * 3.0)?;
        let stop = cast(&socket, &Pose::IDENTITY, &peg, &motion, &mut cache, &CastOptions::default())?;
        assert!(stop.start == Start::Apart, "the peg starts where it fits");
        let free = 3.0 * stop.fraction;
        let all = if free == 3.0 { " (all of it)" } else { "" };
        println!("{x:>4} {y:>4} {z:>4}  free for {free:.4}{all}");
    }
    Ok(())
}
