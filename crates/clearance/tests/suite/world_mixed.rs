//! A world of convex shapes, meshes and compounds, fixed and moving, is brute force over the verbs, frame by frame, in every broad
//! phase and mode; any number of threads gives the same bits.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::world_twin;
use clearance::math::narrow_real;
use clearance::world::{
    Boxes, Broad, ContactPair, Event, EventKind, Group, Mode, MotionBounds, NearPair, NewBody, PairRule, Statistics,
    World, WorldError, WorldOptions,
};
use clearance::{
    Body, Cache, HalfSpace, HeightField, ManifoldOptions, Mesh, PointCloud, Pose, Real, Shape, Vec3, overlap,
};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use common::{narrowed, pose_of};
use glam::{DQuat, DVec3};
use world_twin::scene::{Scene, concave_bodies, shapes};

const BROADS: [Broad; 5] = [Broad::Grid, Broad::Tree, Broad::SweepAndPrune, Broad::PartitionedSweep, Broad::BruteForce];

type Told = (Vec<Event>, Vec<NearPair>, Vec<ContactPair>, Statistics);

fn follow(mode: Mode, frames: usize, seed: u64) {
    let with = |broad| WorldOptions { broad, ..WorldOptions::default() };
    let mut scene = Scene::mixed(&BROADS.map(with), mode, 20, seed);
    let mut fixed = HitRate::new("touching pairs with a fixed body");
    for frame in 0..frames {
        scene.change();
        let mut first: Option<Told> = None;
        let Scene { worlds, twin, .. } = &mut scene;
        for (nth, world) in worlds.iter_mut().enumerate() {
            let what = format!("{mode:?}, frame {frame}, world {nth}");
            let step = world.step();
            let told: Told = (step.events.to_vec(), step.near.to_vec(), step.contacts.to_vec(), step.statistics);
            match &first {
                Some(first) => assert_eq!(&told, first, "{what}"),
                None => {
                    twin.check(&step, &what);
                    for pair in &twin.touching {
                        fixed.record(pair.iter().any(|id| twin.bodies[id].fixed));
                    }
                    first = Some(told);
                }
            }
        }
    }
    let hits = &scene.twin.hits;
    println!("{mode:?}: {hits:?} {fixed:?}");
    hits.begin.assert_between(0.1, 1.0);
    hits.end.assert_between(0.1, 1.0);
    hits.persist.assert_between(0.5, 1.0);
    hits.ignored.assert_between(0.01, 0.5);
    hits.doubtful.assert_between(0.0, 1e-2);
    fixed.assert_between(0.1, 0.6);
}

#[test]
fn boolean_is_brute_force() {
    follow(Mode::Boolean, 400, 301);
}

#[test]
fn combined_is_brute_force() {
    follow(Mode::Combined, 250, 302);
}

#[test]
fn closest_is_brute_force() {
    follow(Mode::Closest { within: 0.5 }, 200, 303);
}

#[test]
fn contacts_are_brute_force() {
    follow(Mode::Contacts(ManifoldOptions::default()), 150, 304);
}

/// Everything that a run tells, as text: floats are printed to the last bit.
fn run(options: WorldOptions) -> String {
    let mut rng = Rng::new(305);
    let mut palette: Vec<Body> = shapes(&mut rng).into_iter().map(Body::from).collect();
    palette.extend(concave_bodies(&mut rng));
    let mut world = World::new(options);
    let motion = Some(MotionBounds { speed: narrow_real(0.1), spin: narrow_real(0.2), ..MotionBounds::default() });
    let mut movers = Vec::new();
    for nth in 0..220 {
        let at = rng.in_box(DVec3::splat(3.5));
        let body = palette[rng.index(palette.len())].clone();
        let new = NewBody { motion, fixed: nth % 5 == 0, ..NewBody::new(body, pose_of(at, rng.rotation())) };
        movers.push((world.add(new.clone()).unwrap(), at, rng.unit_vector() * 0.1, new.fixed));
    }
    let mut told = String::new();
    let mut caches = HitRate::new("more pairs than one thread takes");
    for _ in 0..4 {
        for (id, at, velocity, fixed) in &mut movers {
            if !*fixed {
                *at += *velocity;
                world.set_pose(*id, pose_of(*at, DQuat::IDENTITY)).unwrap();
            }
        }
        let step = world.step();
        caches.record(step.statistics.pairs > 300);
        told += &format!("{:?} {:?} {:?} {:?}\n", step.events, step.near, step.contacts, step.statistics);
    }
    caches.assert_between(1.0, 1.0);
    told
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let contacts = Mode::Contacts(ManifoldOptions::default());
    for mode in [Mode::Boolean, Mode::Closest { within: narrow_real(0.1) }, contacts] {
        for schedule in [false, true] {
            let options = WorldOptions { mode, schedule, ..WorldOptions::default() };
            let told = [1, 2, 3, 8].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| run(options))
            });
            assert!(told.iter().all(|other| *other == told[0]), "{options:?}");
        }
    }
}

/// Terrain and the bodies over it: hulls, boxes and others that fall, roll and bounce, against brute force over the verb.
#[test]
fn bodies_over_a_terrain() {
    let mut rng = Rng::new(306);
    let cells = 50;
    let terrain = Polyhedron::terrain(&mut rng, cells).mapped(|v| v * DVec3::new(20.0, 20.0, 5.0));
    let mesh = Mesh::new(&narrowed(&terrain.vertices), &terrain.faces).unwrap();
    assert_eq!(mesh.triangle_count(), 5000);
    let ground = Body::from(mesh);
    let shapes = shapes(&mut rng);
    let mut worlds = BROADS.map(|broad| World::new(WorldOptions { broad, ..WorldOptions::default() }));
    let fixed = NewBody::fixed(ground.clone(), Pose::IDENTITY);
    let floor = worlds.each_mut().map(|world| world.add(fixed.clone()).unwrap())[0];
    let mut movers = Vec::new();
    for _ in 0..100 {
        let shape = shapes[rng.index(shapes.len())].clone();
        let at = DVec3::new(rng.uniform(-19.0, 19.0), rng.uniform(-19.0, 19.0), rng.uniform(0.0, 3.0));
        let pose = pose_of(at, rng.rotation());
        let id = worlds.each_mut().map(|world| world.add(NewBody::new(shape.clone(), pose)).unwrap())[0];
        movers.push((id, shape, at, rng.rotation(), rng.unit_vector() * 0.2));
    }
    let mut touching = HitRate::new("bodies that touch the ground");
    for frame in 0..40 {
        let mut expected = Vec::new();
        for (id, shape, at, turn, velocity) in &mut movers {
            velocity.z -= 0.01;
            if at.z < 0.3 {
                velocity.z = velocity.z.abs();
            }
            *at += *velocity;
            let pose = pose_of(*at, *turn);
            worlds.iter_mut().for_each(|world| world.set_pose(*id, pose).unwrap());
            if touching.record(overlap(&ground, &Pose::IDENTITY, &*shape, &pose, &mut Cache::default()).overlap) {
                expected.push([floor, *id]);
            }
        }
        for world in &mut worlds {
            let step = world.step();
            let with_floor = step.events.iter().filter(|e| e.kind != EventKind::End && e.bodies.contains(&floor));
            let told: Vec<_> = with_floor.map(|event| event.bodies).collect();
            assert_eq!(told, expected, "frame {frame}");
        }
    }
    touching.assert_between(0.1, 0.7);
}

fn ball(radius: Real, at: [Real; 3]) -> NewBody {
    NewBody::new(Shape::sphere(radius).unwrap(), Pose::from_translation(at).unwrap())
}

/// Bodies of the other kinds take part like all others; those without end, too.
#[test]
fn every_kind_takes_part() {
    let field = HeightField::new(&[[0.0; 5]; 5], [1.0, 1.0]);
    let points: Vec<Vec3> = (0..8).map(|i| Vec3::new(i as Real, 0.0, 0.0)).collect();
    let kinds: Vec<Body> = vec![
        HalfSpace::new(Vec3::Z, 0.0).unwrap().into(),
        field.unwrap().into(),
        PointCloud::new(&points, 0.1).unwrap().into(),
        Body::from(Mesh::new(&narrowed(&Polyhedron::notched().vertices), &Polyhedron::notched().faces).unwrap())
            .padded(0.05)
            .unwrap(),
    ];
    for body in kinds {
        let mut hits = HitRate::new("touching");
        for fixed in [false, true] {
            for broad in BROADS {
                for schedule in [false, true] {
                    let mut world = World::new(WorldOptions { broad, schedule, ..WorldOptions::default() });
                    let it = world.add(NewBody { fixed, ..NewBody::new(body.clone(), Pose::IDENTITY) }).unwrap();
                    let motion = Some(MotionBounds { speed: 1.0, ..MotionBounds::default() });
                    let high = [1.0, 0.0, 3.0];
                    let other = world.add(NewBody { motion, ..ball(0.5, high) }).unwrap();
                    for z in [3.0, 2.1, 1.3, 0.4, 0.3, 1.2, 2.2] {
                        let pose = Pose::from_translation([1.0, 0.0, z]).unwrap();
                        world.set_pose(other, pose).unwrap();
                        let small = Shape::sphere(0.5).unwrap();
                        let expected = overlap(&body, &Pose::IDENTITY, &small, &pose, &mut Cache::default()).overlap;
                        let step = world.step();
                        let told = step.events.iter().any(|event| event.kind != EventKind::End);
                        assert_eq!(told, hits.record(expected), "{body:?} at {z}");
                        assert!(step.events.iter().all(|event| event.bodies == [it, other]));
                    }
                }
            }
        }
        hits.assert_between(0.2, 0.6);
    }
}

/// Fixed bodies are no pairs; one that is moved all the same is seen.
#[test]
fn fixed_bodies() {
    for broad in BROADS {
        for schedule in [false, true] {
            let mut world = World::new(WorldOptions { broad, schedule, ..WorldOptions::default() });
            let fixed = |x: Real| NewBody { fixed: true, ..ball(1.0, [x, 0.0, 0.0]) };
            let [a, _] = [0.0, 1.0].map(|x| world.add(fixed(x)).unwrap());
            assert_eq!(world.step().statistics.pairs, 0);
            let motion = Some(MotionBounds::default());
            let moving = world.add(NewBody { motion, ..ball(1.0, [-2.5, 0.0, 0.0]) }).unwrap();
            assert_eq!(world.step().events.len(), 0);
            world.set_pair(a, moving, Some(PairRule::Within(1.0))).unwrap();
            assert_eq!(world.step().events[0].bodies, [a, moving]);
            world.set_pair(a, moving, None).unwrap();
            assert_eq!(world.step().events[0].kind, EventKind::End);
            world.set_pose(a, Pose::from_translation([-1.0, 0.0, 0.0]).unwrap()).unwrap();
            let step = world.step();
            assert_eq!((step.events[0].kind, step.events[0].bodies), (EventKind::Begin, [a, moving]));
            world.remove(a).unwrap();
            let b = world.add(ball(1.0, [-1.0, 0.0, 0.0])).unwrap();
            assert_eq!(b.index(), a.index());
            let kinds: Vec<_> = world.step().events.iter().map(|event| (event.kind, event.bodies)).collect();
            assert!(kinds.contains(&(EventKind::End, [a, moving])) && kinds.contains(&(EventKind::Begin, [b, moving])));
            assert!(Group::new(64).is_err_and(|error| error == WorldError::Group { number: 64 }));
        }
    }
}

/// Boxes of every kind give the same touching pairs.
#[test]
fn any_boxes() {
    let told = [Boxes::Auto, Boxes::Dynamic, Boxes::Fixed].map(|boxes| {
        let mut rng = Rng::new(307);
        let mut palette: Vec<Body> = shapes(&mut rng).into_iter().map(Body::from).collect();
        palette.extend(concave_bodies(&mut rng));
        let mut world = World::new(WorldOptions { boxes, ..WorldOptions::default() });
        for _ in 0..100 {
            let (body, at) = (palette[rng.index(palette.len())].clone(), rng.in_box(DVec3::splat(4.0)));
            world.add(NewBody::new(body, pose_of(at, rng.rotation()))).unwrap();
        }
        world.step().events.iter().map(|event| event.bodies).collect::<Vec<_>>()
    });
    assert!(told[0].len() > 10 && told[0] == told[1] && told[0] == told[2]);
}
