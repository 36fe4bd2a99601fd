//! Nothing falls through a floor, however thin, at any frequency.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::{Body, HeightField, Mesh, Pose, Real, Shape, Vec3};
use clearance_sim::{RigidBody, Simulation, SimulationOptions};
use clearance_testkit::{HitRate, Rng};

/// Floors at z = 0: a thin slab, an open surface of two triangles, a height field.
fn floors() -> Vec<(&'static str, Body)> {
    let slab = Shape::cuboid([50.0, 50.0, 0.005]).unwrap();
    let corners = [[-50., -50., 0.], [50., -50., 0.], [50., 50., 0.], [-50., 50., 0.]].map(Vec3::from);
    let sheet = Mesh::new(&corners, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    let field = HeightField::new(&[[0.0; 5]; 5], [25.0, 25.0]).unwrap();
    vec![("slab", slab.into()), ("sheet", sheet.into()), ("field", field.into())]
}

fn shapes() -> Vec<Body> {
    vec![
        Shape::cuboid([0.3, 0.2, 0.1]).unwrap().into(),
        Shape::sphere(0.1).unwrap().into(),
        Shape::capsule(0.3, 0.05).unwrap().into(),
        Shape::cylinder(0.05, 0.3).unwrap().into(),
        Shape::cuboid([0.5, 0.5, 0.01]).unwrap().into(),
    ]
}

#[test]
fn fast_bodies_stay_above_thin_floors_at_any_frequency() {
    let mut rng = Rng::new(13);
    let (mut stopped, mut landed) = (HitRate::new("stopped by a cast"), HitRate::new("landed"));
    for hertz in [30.0, 60.0, 144.0, 240.0] {
        for (name, floor) in floors() {
            let step = 1.0 / hertz;
            let mut simulation = Simulation::new(SimulationOptions { step, ..SimulationOptions::default() }).unwrap();
            let at = if name == "field" { [-50.0, -50.0, 0.0] } else { [0.0; 3] };
            simulation.add(RigidBody::fixed(floor, Pose::from_translation(at).unwrap())).unwrap();
            for number in 0..30 {
                let body = shapes().swap_remove(number % 5);
                let place = [(number % 6) as Real * 3.0 - 9.0, (number / 6) as Real * 3.0 - 6.0, 3.0];
                let rotation = rng.rotation().to_array().map(|x| x as Real);
                let down = rng.uniform(1.0, 60.0) as Real;
                let spin = Vec3::from(rng.in_ball(10.0).to_array().map(|x| x as Real));
                let pose = Pose::new(place, rotation).unwrap();
                simulation.add(RigidBody::dynamic(body, pose).with_velocity([0.3, 0.2, -down], spin)).unwrap();
            }
            let mut any = false;
            for _ in 0..(2.0 * hertz) as usize {
                any |= simulation.step().unwrap().stopped > 0;
            }
            stopped.record(any);
            for body in simulation.bodies().skip(1) {
                let z = simulation.pose(body).unwrap().translation().z;
                assert!(z > 0.0, "body {body:?} at {z} under the {name} at {hertz} Hz");
                landed.record(z < 1.0);
            }
        }
    }
    stopped.assert_between(0.99, 1.0);
    landed.assert_between(0.9, 1.0);
}
