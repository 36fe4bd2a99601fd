//! Balls that fall on a floor: contacts frame by frame, and questions about the bodies as they are.

use clearance::world::{EventKind, Filter, Mode, NewBody, World, WorldOptions};
use clearance::{HalfSpace, ManifoldOptions, Pose, Ray, RayOptions, Shape, Vec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mode = Mode::Contacts(ManifoldOptions::default());
    let mut world = World::new(WorldOptions { mode, ..WorldOptions::default() });
    let floor = world.add(NewBody::fixed(HalfSpace::new(Vec3::Z, 0.0)?, Pose::IDENTITY))?;
    let mut balls = Vec::new();
    for nth in 0..5 {
        let height = 1.0 + 0.5 * f64::from(nth);
        let pose = Pose::from_translation([2.0 * f64::from(nth), 0.0, height])?;
        balls.push((world.add(NewBody::new(Shape::sphere(0.5)?, pose))?, height));
    }
    for frame in 0..10 {
        for (id, height) in &mut balls {
            *height = f64::max(0.49, *height - 0.25);
            let at = world.pose(*id)?.translation();
            world.set_pose(*id, Pose::from_translation([at.x, at.y, *height])?)?;
        }
        let step = world.step();
        for event in step.events.iter().filter(|event| event.kind == EventKind::Begin) {
            println!("frame {frame}: ball {} lands", event.bodies[1].index());
        }
        println!("frame {frame}: {} contacts", step.contacts.len());
    }
    let mut near = Vec::new();
    world.nearest(
        2,
        &Shape::sphere(0.1)?,
        &Pose::from_translation([3.0, 0.0, 0.5])?,
        &Filter::except(floor),
        &mut near,
    );
    println!("nearest: {:?}", near.iter().map(|near| (near.body.index(), near.closest.distance)).collect::<Vec<_>>());
    let down = Ray::new(Vec3::new(4.0, 0.0, 9.0), Vec3::NEG_Z)?;
    if let Some((id, hit)) = world.cast_ray(&down, &RayOptions::default(), &Filter::default()) {
        println!("the ray meets body {} at {:.3}", id.index(), hit.t);
    }
    Ok(())
}
