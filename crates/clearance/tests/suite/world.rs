//! A world is brute force, frame by frame, in every broad phase and mode; what it refuses changes nothing.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::world_twin;
use clearance::math::narrow;
use clearance::world::{
    BodyId, Boxes, Broad, ContactPair, EventKind, Group, Mode, MotionBounds, NearPair, NewBody, PairRule, Statistics,
    World, WorldError, WorldOptions,
};
use clearance::{Cache, ManifoldOptions, Pose, Real, Shape, overlap};
use clearance_testkit::{HitRate, Rng};
use common::pose_of;
use glam::DVec3;
use world_twin::scene::Scene;

fn all_options() -> [WorldOptions; 6] {
    let with = |broad| WorldOptions { broad, ..WorldOptions::default() };
    let fixed = WorldOptions { boxes: Boxes::Fixed, ..with(Broad::Grid) };
    [
        with(Broad::Grid),
        with(Broad::Tree),
        with(Broad::SweepAndPrune),
        with(Broad::PartitionedSweep),
        with(Broad::BruteForce),
        fixed,
    ]
}

type Told = (Vec<clearance::world::Event>, Vec<NearPair>, Vec<ContactPair>, Statistics);

fn follow(mode: Mode, seed: u64) {
    let mut scene = Scene::new(&all_options(), mode, 24, seed);
    for frame in 0..1000 {
        scene.change();
        let mut first: Option<Told> = None;
        let Scene { worlds, twin, .. } = &mut scene;
        let last = worlds.len() - 1;
        for (nth, world) in worlds.iter_mut().enumerate() {
            assert_eq!(world.len(), twin.bodies.len());
            let what = format!("{mode:?}, frame {frame}, world {nth}");
            let step = world.step();
            if nth == last {
                // Other boxes keep caches for longer or shorter: the same answers, not the same bits.
                let [a, b] = [step.events, &first.as_ref().unwrap().0].map(|events| {
                    let touching = events.iter().filter(|event| event.kind != EventKind::End);
                    touching.map(|event| event.bodies).collect::<Vec<_>>()
                });
                assert!(a == b || twin.in_doubt, "{what}: {a:?} but {b:?}");
                continue;
            }
            let told: Told = (step.events.to_vec(), step.near.to_vec(), step.contacts.to_vec(), step.statistics);
            match &first {
                Some(first) => assert_eq!(&told, first, "{what}"),
                None => {
                    twin.check(&step, &what);
                    first = Some(told);
                }
            }
        }
    }
    let hits = &scene.twin.hits;
    println!("{mode:?}: {hits:?}");
    hits.begin.assert_between(0.2, 1.0);
    hits.end.assert_between(0.2, 1.0);
    hits.persist.assert_between(0.5, 1.0);
    hits.ignored.assert_between(0.02, 0.5);
    hits.at_margin.assert_between(0.02, 0.6);
    hits.doubtful.assert_between(0.0, 1e-3);
    if mode != Mode::Boolean {
        hits.before.assert_between(0.2, 0.99);
    }
    if matches!(mode, Mode::Closest { .. }) {
        hits.near.assert_between(0.2, 0.9);
    }
}

#[test]
fn boolean_is_brute_force() {
    follow(Mode::Boolean, 101);
}

#[test]
fn combined_is_brute_force() {
    follow(Mode::Combined, 102);
}

#[test]
fn closest_is_brute_force() {
    follow(Mode::Closest { within: 0.5 }, 103);
}

#[test]
fn contacts_are_brute_force() {
    follow(Mode::Contacts(ManifoldOptions::default()), 104);
}

#[test]
fn contacts_with_a_margin_are_brute_force() {
    follow(Mode::Contacts(ManifoldOptions { margin: 0.2, ..ManifoldOptions::default() }), 105);
}

fn ball(radius: Real, at: [Real; 3]) -> NewBody {
    NewBody::new(Shape::sphere(radius).unwrap(), Pose::from_translation(at).unwrap())
}

fn kinds(world: &mut World) -> Vec<(EventKind, [BodyId; 2])> {
    world.step().events.iter().map(|event| (event.kind, event.bodies)).collect()
}

/// Bodies that touch within rounding touch: no box and no ball is too tight for what `overlap` says.
#[test]
fn a_touch_within_rounding_is_seen() {
    let mut rng = Rng::new(106);
    let mut touching = HitRate::new("touching");
    let mut beyond = HitRate::new("touching with balls or boxes apart");
    let mut shapes = world_twin::scene::shapes(&mut rng);
    shapes.push(Shape::cuboid([0.5, 0.5, 0.5]).unwrap());
    for trial in 0..4000 {
        let [a, b] = [0; 2].map(|_| shapes[rng.index(shapes.len())].clone());
        let (a, b) = if trial % 2 == 0 { (a, b) } else { (shapes[5].clone(), shapes[5].clone()) };
        let origin = if trial % 3 == 0 { DVec3::ZERO } else { rng.in_ball(rng.clone().log_uniform(1.0, 1e3)) };
        let (turn_a, turn_b) = (rng.rotation(), rng.rotation());
        let (pose_a, direction) = (pose_of(origin, turn_a), [DVec3::X, rng.unit_vector()][rng.index(2)]);
        // Along the axis or any direction until they only just touch.
        let (mut near, mut far) = (0.0, 10.0);
        let at = |x: f64| pose_of(origin + direction * x, turn_b);
        let meet = |pose: &Pose| overlap(&a, &pose_a, &b, pose, &mut Cache::default()).overlap;
        for _ in 0..60 {
            let middle = 0.5 * (near + far);
            *(if meet(&at(middle)) { &mut near } else { &mut far }) = middle;
        }
        for pose_b in [at(near), at(far)] {
            let expected = touching.record(meet(&pose_b));
            let apart = !a.aabb(&pose_a).overlaps(&b.aabb(&pose_b))
                || pose_a.translation().distance(pose_b.translation()) > a.bounding_radius() + b.bounding_radius();
            beyond.record(expected && apart);
            for options in all_options() {
                let mut world = World::new(options);
                world.add(NewBody::new(a.clone(), pose_a)).unwrap();
                world.add(NewBody::new(b.clone(), pose_b)).unwrap();
                assert_eq!(world.step().events.len() == 1, expected, "trial {trial}, {options:?}");
            }
        }
    }
    touching.assert_between(0.4, 0.6);
    beyond.assert_between(0.05, 0.5);
}

/// In single precision a box a million away is off by more than a margin; still no pair is lost.
#[test]
fn margins_hold_far_from_the_origin() {
    let mut rng = Rng::new(107);
    let mut seen = HitRate::new("within the margin");
    for trial in 0..4000 {
        let far = DVec3::new(1e6, 3e6, -2e6) * rng.uniform(0.2, 1.0);
        let step = [DVec3::X, DVec3::Y, DVec3::Z, rng.unit_vector()][rng.index(4)] * rng.uniform(2.0, 2.3);
        let [a, b] = [far, far + step].map(|at| ball(1.03, narrow(at).to_array()));
        let gap = a.pose.translation().distance(b.pose.translation()) - 2.06;
        let expected = seen.record(gap <= 0.1);
        for options in all_options() {
            let mut world = World::new(options);
            let [a, b] = [&a, &b].map(|body| world.add(body.clone()).unwrap());
            world.set_pair(a, b, Some(PairRule::Within(0.1))).unwrap();
            assert!((gap - 0.1).abs() < 1e-3 || world.step().events.len() == usize::from(expected), "trial {trial}");
        }
    }
    seen.assert_between(0.1, 0.9);
}

#[test]
fn contacts_within_a_margin_are_found_beyond_the_balls() {
    let options = ManifoldOptions { margin: 0.5, ..ManifoldOptions::default() };
    let mut world = World::new(WorldOptions { mode: Mode::Contacts(options), ..WorldOptions::default() });
    world.add(ball(1.0, [0.0; 3])).unwrap();
    world.add(ball(1.0, [2.3, 0.0, 0.0])).unwrap();
    let step = world.step();
    assert_eq!((step.contacts.len(), step.events.len()), (1, 1));
    assert!((step.contacts[0].manifold.depth() + 0.3).abs() < 1e-5);
}

/// A body removed and another added in its place before the next step: the end is told of the old one.
#[test]
fn ends_name_the_body_that_was_there() {
    for options in all_options() {
        let mut world = World::new(options);
        let floor = world.add(ball(1.0, [0.0; 3])).unwrap();
        let first = world.add(ball(1.0, [1.0, 0.0, 0.0])).unwrap();
        assert_eq!(kinds(&mut world), [(EventKind::Begin, [floor, first])]);
        world.remove(first).unwrap();
        let second = world.add(ball(1.0, [1.0, 0.0, 0.0])).unwrap();
        world.remove(second).unwrap();
        let third = world.add(ball(1.0, [1.0, 0.0, 0.0])).unwrap();
        assert_eq!(third.index(), first.index());
        assert_eq!(kinds(&mut world), [(EventKind::End, [floor, first]), (EventKind::Begin, [floor, third])]);
        world.remove(third).unwrap();
        let fourth = world.add(ball(1.0, [1.0, 0.0, 0.0])).unwrap();
        world.remove(fourth).unwrap();
        assert_eq!(kinds(&mut world), [(EventKind::End, [floor, third])]);
        assert!(world.step().events.is_empty());
        // Never seen by a step: nothing to tell.
        let fifth = world.add(ball(1.0, [1.0, 0.0, 0.0])).unwrap();
        world.remove(fifth).unwrap();
        world.remove(floor).unwrap();
        assert!(world.step().events.is_empty() && world.is_empty());
    }
}

#[test]
fn bad_calls_are_errors_and_change_nothing() {
    let mut world = World::new(WorldOptions::default());
    let [a, b] = [0.0, 1.0].map(|x| world.add(ball(1.0, [x, 0.0, 0.0])).unwrap());
    let gone = world.add(ball(1.0, [0.5, 0.0, 0.0])).unwrap();
    world.remove(gone).unwrap();
    assert_eq!(kinds(&mut world), [(EventKind::Begin, [a, b])]);
    let before = *world.pose(b).unwrap();
    let unknown = WorldError::UnknownBody { id: gone };
    let (pose, motion) = (Pose::IDENTITY, Some(MotionBounds::default()));
    let refused = [
        world.remove(gone),
        world.set_pose(gone, pose),
        world.set_motion(gone, motion),
        world.set_group(gone, Group::default()),
        world.set_pair(a, gone, Some(PairRule::Ignore)),
        world.set_pair(gone, a, Some(PairRule::Ignore)),
        world.pose(gone).map(|_| ()),
        world.body(gone).map(|_| ()),
    ];
    assert!(refused.iter().all(|result| result.as_ref() == Err(&unknown)), "{refused:?}");
    assert_eq!(world.set_pair(a, a, None), Err(WorldError::SameBody { id: a }));
    for value in [Real::NAN, Real::INFINITY, -1.0] {
        let refused = |result: Result<(), WorldError>| matches!(result, Err(WorldError::Margin { value: v }) if v.to_bits() == value.to_bits());
        assert!(refused(world.set_pair(a, b, Some(PairRule::Within(value)))));
        assert!(refused(world.add(NewBody { margin: value, ..ball(1.0, [0.0; 3]) }).map(|_| ())));
        for (name, motion) in [
            ("speed", MotionBounds { speed: value, ..MotionBounds::default() }),
            ("spin", MotionBounds { spin: value, ..MotionBounds::default() }),
            ("acceleration", MotionBounds { acceleration: value, ..MotionBounds::default() }),
            ("spin_acceleration", MotionBounds { spin_acceleration: value, ..MotionBounds::default() }),
        ] {
            let named =
                |result: Result<(), WorldError>| matches!(result, Err(WorldError::Motion { name: n, .. }) if n == name);
            assert!(named(world.set_motion(a, Some(motion))));
            assert!(named(world.add(NewBody { motion: Some(motion), ..ball(1.0, [0.0; 3]) }).map(|_| ())));
        }
    }
    assert!(matches!(world.add(NewBody { margin: Real::MAX, ..ball(1.0, [0.0; 3]) }), Err(WorldError::Shape(_))));
    assert_eq!(Group::new(64), Err(WorldError::Group { number: 64 }));
    assert!(Group::new(63).is_ok() && Pose::from_translation([Real::NAN, 0.0, 0.0]).is_err());
    assert_eq!((world.len(), *world.pose(b).unwrap()), (2, before));
    assert_eq!(kinds(&mut world), [(EventKind::Persist, [a, b])]);
    // An id of the next generation is not that of the body now in the same place.
    let next = world.add(ball(1.0, [50.0, 0.0, 0.0])).unwrap();
    assert_eq!(next.index(), gone.index());
    assert_eq!(world.remove(gone), Err(unknown));
    assert_eq!(world.len(), 3);
}

/// Options out of range make sense or find nothing; they do not panic or hang.
#[test]
fn odd_options_are_harmless() {
    for value in [Real::NAN, Real::INFINITY, -1.0, 0.0, Real::MAX] {
        for mode in [
            Mode::Closest { within: value },
            Mode::Contacts(ManifoldOptions { margin: value, ..ManifoldOptions::default() }),
        ] {
            for options in all_options() {
                let mut world = World::new(WorldOptions { mode, schedule: true, ..options });
                for x in [0.0, 0.5, 2.5] {
                    world.add(NewBody { motion: Some(MotionBounds::default()), ..ball(1.0, [x, 0.0, 0.0]) }).unwrap();
                }
                for _ in 0..3 {
                    let touching = world.step().statistics.touching;
                    assert!(touching >= 2, "{mode:?} {options:?}: {touching}");
                }
            }
        }
    }
}
