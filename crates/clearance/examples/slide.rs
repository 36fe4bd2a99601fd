//! A character that walks into a corner slides along the walls: among obstacles of your own, and through a world.
//!
//! `cargo run --release -p clearance --example slide`

use clearance::world::{Filter, NewBody, WorldOptions};
use clearance::{BodyRef, Cache, CastOptions, Pose, Shape, Vec3, World, slide};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (floor, wall) = (Shape::cuboid([9.0, 9.0, 1.0])?, Shape::cuboid([0.1, 5.0, 1.0])?);
    let floor_at = Pose::from_translation([0.0, 0.0, -1.0])?;
    let wall_at = Pose::from_translation([3.0, 0.0, 1.0])?;
    let walker = Shape::capsule(0.5, 0.3)?; // along x; the quarter turn makes it upright
    let start = Pose::new([0.0, 0.0, 1.0], [0.0, 0.5, 0.0, 0.5].map(f64::sqrt))?;
    let way = Vec3::new(4.0, 2.0, -1.0); // down to the floor, then into the wall
    let (mut cache, options) = (Cache::default(), CastOptions::default());

    let obstacles = [(BodyRef::from(&floor), floor_at), (BodyRef::from(&wall), wall_at)];
    let slid = slide(&obstacles, &walker, &start, way, &mut cache, &options)?;
    println!("{:?} at {:.3}; met:", slid.end, slid.pose.translation());
    for (obstacle, hit) in &slid.hits {
        println!("  obstacle {obstacle} at {:.3}, normal {:.3}", hit.points[0], hit.normal);
    }

    let mut world = World::new(WorldOptions::default());
    world.add(NewBody::fixed(floor, floor_at))?;
    world.add(NewBody::fixed(wall, wall_at))?;
    let walker = world.add(NewBody::new(walker, start))?;
    for step in 1..=3 {
        // The world looks for the obstacles and moves the body; what is left of the way is lost.
        let slid = world.slide(walker, way / 3.0, &mut cache, &options, &Filter::default())?;
        println!("step {step}: {:?} at {:.3}", slid.end, world.pose(walker)?.translation());
    }
    Ok(())
}
