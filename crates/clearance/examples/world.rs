//! Many bodies, frame after frame: which begin to touch, where, and what is near a place or in the way of a ray.
//!
//! `cargo run --release -p clearance --example world`

use clearance::world::{Filter, Mode, NewBody, WorldOptions};
use clearance::{HalfSpace, ManifoldOptions, Pose, Ray, RayOptions, Shape, Vec3, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = WorldOptions { mode: Mode::Contacts(ManifoldOptions::default()), ..WorldOptions::default() };
    let mut world = World::new(options);
    let floor = world.add(NewBody::fixed(HalfSpace::new(Vec3::Z, 0.0)?, Pose::IDENTITY))?;
    let at = |x: f64, z: f64| Pose::from_translation([x, 0.0, z]);
    let block = world.add(NewBody::new(Shape::cuboid([0.5, 0.5, 0.5])?, at(0.0, 2.0)?))?;
    let ball = world.add(NewBody::new(Shape::sphere(0.5)?, at(0.8, 4.0)?))?;
    for frame in 0..4 {
        let fall = 0.51 * f64::from(frame);
        world.set_pose(block, at(0.0, (2.0 - fall).max(0.49))?)?;
        world.set_pose(ball, at(0.8, 4.0 - 1.75 * fall)?)?;
        let step = world.step();
        for event in step.events {
            println!("frame {frame}: {:?} {:?}", event.kind, event.bodies.map(|id| id.index()));
        }
        for pair in step.contacts {
            let (points, depth) = (pair.manifold.points.len(), pair.manifold.depth());
            println!("frame {frame}: {:?} have {points} points, depth {depth:.3}", pair.bodies.map(|id| id.index()));
        }
    }
    // Queries see the bodies where they are now, between steps as well.
    let mut near = Vec::new();
    world.nearest_to_point(1, Vec3::new(2.0, 0.0, 1.0), &Filter::except(floor), &mut near);
    println!("nearest to (2, 0, 1): {:?}", near.first().map(|near| (near.body == ball, near.closest.distance)));
    let down = Ray::new([0.8, 0.0, 9.0], [0.0, 0.0, -1.0])?;
    let hit = world.cast_ray(&down, &RayOptions::default(), &Filter::default());
    println!("below (0.8, 0, 9): {:?}", hit.map(|(id, hit)| (id.index(), hit.t)));
    Ok(())
}
