//! How far can a peg go in each of 26 directions before it touches its socket?
//!
//! The socket is five boxes around a square hole; each is convex, so that the first contact of all is the least of five casts.
//!
//! `cargo run --release -p clearance --example insertion`

use clearance::narrow::contact_range::RangeCache;
use clearance::{Cast, Pose, Shape, Vec3, cast};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let peg = Shape::cylinder(1.0, 0.45)?; // two long, along z
    let start = Pose::from_translation([0.0, 0.0, 0.5])?; // half of it in the hole
    let (wall, floor) = (Shape::cuboid([0.25, 0.75, 1.0])?, Shape::cuboid([0.75, 0.75, 0.1])?);
    let quarter_turn = [0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()];
    let socket = [
        (&wall, Pose::from_translation([0.75, 0.0, 0.0])?),
        (&wall, Pose::from_translation([-0.75, 0.0, 0.0])?),
        (&wall, Pose::new([0.0, 0.75, 0.0], quarter_turn)?),
        (&wall, Pose::new([0.0, -0.75, 0.0], quarter_turn)?),
        (&floor, Pose::from_translation([0.0, 0.0, -1.1])?),
    ];
    let steps = [-1.0, 0.0, 1.0];
    for (x, y, z) in steps.iter().flat_map(|x| steps.iter().flat_map(move |y| steps.map(|z| (*x, *y, z)))) {
        let direction = Vec3::new(x, y, z);
        if direction == Vec3::ZERO {
            continue;
        }
        let way = direction.normalize() * 3.0;
        let mut free: f64 = 3.0;
        for (part, pose) in &socket {
            let answer = cast(part, pose, &peg, &start, way, &mut RangeCache::default())?;
            assert!(answer != Cast::Overlapping, "the peg starts where it fits");
            free = free.min(3.0 * answer.fraction());
        }
        let all = if free == 3.0 { " (all of it)" } else { "" };
        println!("{x:>4} {y:>4} {z:>4}  free for {free:.4}{all}");
    }
    Ok(())
}
