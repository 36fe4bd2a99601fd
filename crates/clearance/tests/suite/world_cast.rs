//! The first body of a world that a ray or a moving body meets is that of brute force over the verbs; bodies that slide and move
//! through a world stay out of the others.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::world_twin;
use clearance::math::{narrow, narrow_real, widen_real};
use clearance::ray::{Ray, RayOptions};
use clearance::world::{BodyId, Filter, Group, NewBody, World, WorldError, WorldOptions};
use clearance::{Body, Cache, Cast, CastOptions, Motion, Pose, Rotation, Shape, SlideEnd, Vec3, cast, closest};
use clearance_testkit::{HitRate, Rng};
use common::pose_of;
use glam::DVec3;
use world_twin::scene::{concave_bodies, shapes};

type Known = (BodyId, Body, Pose);

/// Where the bodies are: half the sides of a flat box, so small that at least one cast in three hits something.
const ROOM: DVec3 = DVec3::new(7.0, 7.0, 3.0);

/// Bodies scattered in a flat box, two in five fixed, in four groups.
fn scene(rng: &mut Rng, queries: bool, count: usize) -> (World, Vec<Known>) {
    let mut palette: Vec<Body> = shapes(rng).into_iter().map(Body::from).collect();
    palette.extend(concave_bodies(rng));
    let mut world = World::new(WorldOptions { queries, ..WorldOptions::default() });
    let mut bodies = Vec::new();
    for nth in 0..count {
        let (body, at) = (palette[rng.index(palette.len())].clone(), rng.in_box(ROOM));
        let pose = pose_of(at, rng.rotation());
        let group = Group::new(nth % 4).unwrap();
        let new = NewBody { group, fixed: rng.chance(0.4), ..NewBody::new(body.clone(), pose) };
        bodies.push((world.add(new).unwrap(), body, pose));
    }
    (world, bodies)
}

#[test]
fn rays_are_brute_force() {
    let mut hits = HitRate::new("rays that hit");
    for queries in [true, false] {
        let mut rng = Rng::new(501);
        let (mut world, bodies) = scene(&mut rng, queries, 80);
        for trial in 0..600 {
            if trial == 200 {
                world.step();
            }
            let (from, to) = (rng.in_box(DVec3::splat(20.0)), rng.in_box(ROOM));
            let ray = Ray::between(narrow(from), narrow(to)).unwrap();
            let options = if rng.chance(0.5) { RayOptions::default() } else { RayOptions::up_to(1.0).unwrap() };
            let except = bodies[rng.index(bodies.len())].0;
            let found = world.cast_ray(&ray, &options, &Filter::except(except));
            // Alone in a world each body says for itself where it is hit.
            let mut expected = None;
            for (id, body, pose) in bodies.iter().filter(|body| body.0 != except) {
                let mut alone = World::new(WorldOptions::default());
                alone.add(NewBody::new(body.clone(), *pose)).unwrap();
                if let Some((_, hit)) = alone.cast_ray(&ray, &options, &Filter::default())
                    && expected.is_none_or(|(_, t)| hit.t < t)
                {
                    expected = Some((*id, hit.t));
                }
            }
            assert_eq!(found.map(|(id, hit)| (id, hit.t)), expected, "trial {trial}");
            hits.record(found.is_some());
            assert_eq!(world.cast_ray(&ray, &options, &Filter::groups([])), None);
        }
    }
    hits.assert_between(0.3, 0.95);
}

#[test]
fn casts_are_brute_force() {
    let mut hits = HitRate::new("casts that hit");
    let mut overlapping = HitRate::new("casts that start in an overlap");
    let mut rng = Rng::new(502);
    let (mut world, bodies) = scene(&mut rng, true, 60);
    let probes = [
        Body::from(Shape::sphere(0.3).unwrap()),
        Shape::cuboid([0.3, 0.2, 0.1]).unwrap().into(),
        Shape::capsule(0.3, 0.1).unwrap().into(),
    ];
    let (mut cache, options) = (Cache::default(), CastOptions::default());
    for trial in 0..120 {
        if trial == 60 {
            world.step();
        }
        let start = pose_of(rng.in_box(ROOM), rng.rotation());
        let way = narrow(rng.unit_vector() * rng.uniform(1.0, 12.0));
        let motion = match trial % 3 {
            0 | 1 => Motion::translation(start, way).unwrap(),
            _ => Motion::with_velocity(start, way, narrow(rng.unit_vector() * 2.0)).unwrap(),
        };
        let probe = &probes[rng.index(3)];
        let filter = Filter::groups([0, 1, 2].map(|number| Group::new(number).unwrap()));
        let found = world.cast(probe, &motion, &mut cache, &options, &filter).unwrap();
        let mut expected: Option<(BodyId, Cast)> = None;
        for (nth, (id, body, pose)) in bodies.iter().enumerate() {
            if nth % 4 == 3 {
                continue;
            }
            let one = cast(body, pose, probe, &motion, &mut Cache::default(), &options).unwrap();
            let met = one.hit.is_some() || one.fraction < 1.0;
            if met && expected.is_none_or(|(_, known)| one.fraction < known.fraction) {
                expected = Some((*id, one));
            }
        }
        let told = |found: Option<(BodyId, Cast)>| found.map(|(id, cast)| (id, cast.fraction));
        assert_eq!(told(found), told(expected), "trial {trial}");
        overlapping.record(found.is_some_and(|(_, cast)| cast.fraction == 0.0));
        hits.record(found.is_some());
    }
    hits.assert_between(0.3, 0.95);
    overlapping.assert_between(0.02, 0.5);
}

/// Bodies fall, slide and turn one after the other; none gets into another.
#[test]
fn bodies_move_one_after_the_other() {
    let mut rng = Rng::new(503);
    let mut world = World::new(WorldOptions::default());
    let floor = NewBody::fixed(Shape::cuboid([6.0, 6.0, 1.0]).unwrap(), pose_of(DVec3::NEG_Z, glam::DQuat::IDENTITY));
    let floor = world.add(floor).unwrap();
    let mut ids = Vec::new();
    for nth in 0..12 {
        let at = DVec3::new(f64::from(nth % 4) * 2.0 - 3.0, f64::from(nth / 4) * 2.0 - 2.0, 1.0 + 0.1 * f64::from(nth));
        let shape = if nth % 2 == 0 { Shape::cuboid([0.4, 0.3, 0.3]) } else { Shape::sphere(0.4) }.unwrap();
        ids.push(world.add(NewBody::new(shape, pose_of(at, glam::DQuat::IDENTITY))).unwrap());
    }
    let (mut cache, options) = (Cache::default(), CastOptions::default());
    let mut stopped = HitRate::new("moves that something stops");
    for frame in 0..30 {
        for &id in &ids {
            let way = DVec3::new(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), -0.3);
            let slid = world.slide(id, narrow(way), &mut cache, &options, &Filter::default()).unwrap();
            assert_ne!(slid.end, SlideEnd::Overlapping, "frame {frame}");
            assert_eq!(*world.pose(id).unwrap(), slid.pose);
            stopped.record(!slid.hits.is_empty());
            assert!(slid.hits.iter().all(|(met, _)| *met != id.index() && *met < world.len()));
            let origin = slid.pose.translation();
            let turn = Rotation { origin, axis: narrow(rng.unit_vector()), angle: narrow_real(0.1) };
            let moved = world.move_body(id, Vec3::ZERO, turn, &mut cache, &options, &Filter::default()).unwrap();
            assert_eq!(*world.pose(id).unwrap(), moved.pose);
        }
        let everyone: Vec<BodyId> = world.ids().collect();
        for (i, &a) in everyone.iter().enumerate() {
            for &b in &everyone[i + 1..] {
                let (body_a, body_b) = (world.body(a).unwrap(), world.body(b).unwrap());
                let near =
                    closest(body_a, world.pose(a).unwrap(), body_b, world.pose(b).unwrap(), &mut Cache::default());
                assert!(widen_real(near.distance) > -1e-5, "frame {frame}: {near:?}");
            }
        }
        world.step();
    }
    stopped.assert_between(0.3, 1.0);
    let gone = ids[0];
    world.remove(gone).unwrap();
    let refused = world.slide(gone, Vec3::X, &mut cache, &options, &Filter::default());
    assert_eq!(refused, Err(WorldError::UnknownBody { id: gone }));
    assert!(world.slide(ids[1], Vec3::NAN, &mut cache, &options, &Filter::default()).is_err());
    assert!(world.pose(floor).is_ok());
}
