//! Where does a ray meet a body first, and where does it pass the surface in all?
//!
//! `cargo run --release -p clearance --example cast_ray`

use clearance::{Body, Compound, Pose, Ray, RayOptions, Shape, Side, cast_ray, cast_ray_all};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (cup, ball) = (Body::from(Shape::cylinder(0.5, 1.0)?), Body::from(Shape::sphere(1.0)?));
    let scene = Compound::new([
        (cup, Pose::from_translation([3.0, 0.0, 0.0])?),
        (ball, Pose::from_translation([8.0, 0.0, 0.0])?),
    ])?;
    let ray = Ray::new([0.0, 0.0, 0.0], [2.0, 0.0, 0.0])?; // positions are in units of its length
    if let Some(hit) = cast_ray(&scene, &Pose::IDENTITY, &ray, &RayOptions::default()) {
        println!("first: t = {} at {}, normal {}, part {}", hit.t, hit.point, hit.normal, hit.feature.part);
    }
    let mut hits = Vec::new(); // kept, it saves an allocation in the next call
    cast_ray_all(&scene, &Pose::IDENTITY, &ray, &RayOptions::default(), &mut hits);
    for hit in &hits {
        let what = if hit.side == Side::Front { "enters" } else { "leaves" };
        println!("{what} part {} at t = {:.3}", hit.feature.part, hit.t);
    }
    println!("nothing up to t = 0.9: {}", cast_ray(&scene, &Pose::IDENTITY, &ray, &RayOptions::up_to(0.9)?).is_none());
    let inside = Ray::new([3.0, 0.0, 0.0], [1.0, 0.0, 0.0])?;
    if let Some(hit) = cast_ray(&scene, &Pose::IDENTITY, &inside, &RayOptions::default()) {
        println!("from inside of the cup: out at t = {}, inside: {}", hit.t, hit.inside);
    }
    Ok(())
}
