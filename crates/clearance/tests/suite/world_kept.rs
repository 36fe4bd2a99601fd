//! Contacts that a world keeps from step to step agree with those found anew: distances to the first order of the motion for every kind of
//! body, exactly where a vertex of a core is over a face, without lag where something rolls.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{narrow_real, widen, widen_real};
use clearance::world::{BodyId, ContactPair, Mode, NewBody, World, WorldOptions};
use clearance::{Body, Cache, Compound, HalfSpace, ManifoldOptions, Mesh, Pose, Real, Shape, Vec3, closest, manifold};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use common::{narrowed, pose_of, u};
use glam::{DQuat, DVec3};

const MARGIN: f64 = 0.02;
/// The share of the radius of the smaller body that it may move by.
const SHARE: f64 = 0.01;

fn manifolds() -> ManifoldOptions {
    ManifoldOptions { margin: narrow_real(MARGIN), ..ManifoldOptions::default() }
}

fn options(keep_contacts: f64) -> WorldOptions {
    WorldOptions {
        mode: Mode::Contacts(manifolds()),
        keep_contacts: narrow_real(keep_contacts),
        ..WorldOptions::default()
    }
}

fn bodies() -> Vec<Body> {
    let arm = Body::from(Shape::cuboid([0.25, 0.08, 0.08]).unwrap());
    let ball = Body::from(Shape::sphere(0.15).unwrap());
    let parts =
        [(arm, [0.0, -0.08, 0.0]), (ball, [-0.2, 0.1, 0.0])].map(|(b, at)| (b, Pose::from_translation(at).unwrap()));
    let ring = Polyhedron::torus(0.3, 0.12, 12, 8);
    let gem =
        [[0.3, 0.0, 0.0], [-0.2, 0.1, 0.0], [0.0, 0.28, 0.0], [0.0, -0.3, 0.1], [0.0, 0.0, 0.25], [0.0, 0.0, -0.3]];
    vec![
        Shape::cuboid([0.3, 0.2, 0.15]).unwrap().into(),
        Shape::sphere(0.25).unwrap().into(),
        Shape::capsule(0.2, 0.15).unwrap().into(),
        Shape::cylinder(0.2, 0.2).unwrap().into(),
        Shape::cone(0.4, 0.25).unwrap().into(),
        Shape::ellipsoid([0.3, 0.2, 0.15]).unwrap().into(),
        Shape::round_box([0.2, 0.15, 0.1], 0.06).unwrap().into(),
        Shape::polytope(&gem.map(Vec3::from)).unwrap().into(),
        Compound::new(parts).unwrap().into(),
        Mesh::new(&narrowed(&ring.vertices), &ring.faces).unwrap().into(),
    ]
}

/// A pose of B at which the two are a given distance apart, by moving it along the normal.
fn near(a: &Body, b: &Body, rng: &mut Rng, distance: f64) -> Option<Pose> {
    let turn = DQuat::from_axis_angle(rng.unit_vector(), rng.uniform(0.0, 3.0));
    let mut at = rng.unit_vector() * 1.2;
    for _ in 0..4 {
        let near = closest(a, &Pose::IDENTITY, b, &pose_of(at, turn), &mut Cache::default());
        at += widen(near.normal) * (distance - widen_real(near.distance));
    }
    let pose = pose_of(at, turn);
    let near = closest(a, &Pose::IDENTITY, b, &pose, &mut Cache::default());
    ((widen_real(near.distance) - distance).abs() < 1e-3).then_some(pose)
}

fn of(world: &World, id: BodyId) -> Pose {
    *world.pose(id).unwrap()
}

#[test]
fn kept_contacts_are_near_those_found_anew() {
    let (all, mut rng) = (bodies(), Rng::new(811));
    let (mut kept, mut told, mut exact) =
        (HitRate::new("kept"), HitRate::new("with points"), HitRate::new("as found anew"));
    for round in 0..4000 {
        let [a, b] = [round % all.len(), round / all.len() % all.len()].map(|at| all[at].clone());
        let distance = rng.uniform(-0.02, 0.01);
        let Some(pose) = near(&a, &b, &mut rng, distance) else { continue };
        let mut world = World::new(options(SHARE));
        let [one, two] =
            [(&a, Pose::IDENTITY), (&b, pose)].map(|(body, at)| world.add(NewBody::new(body.clone(), at)).unwrap());
        world.step();
        let size = widen_real(a.bounding_radius().min(b.bounding_radius()));
        let most = (SHARE * size).min(0.25 * MARGIN);
        // Somewhat less than what is allowed: both turn and move, and all of it moves far away.
        let half = 0.25 * most;
        let axis = rng.unit_vector();
        let turn = DQuat::from_axis_angle(axis, half / widen_real(b.bounding_radius()).max(size));
        let at = widen(pose.translation()) + rng.unit_vector() * half;
        let frame = DQuat::from_axis_angle(rng.unit_vector(), 1.0);
        let own = DQuat::from_array(pose.rotation().to_array().map(widen_real));
        world.set_pose(one, pose_of(DVec3::splat(3.0), frame)).unwrap();
        world.set_pose(two, pose_of(DVec3::splat(3.0) + frame * at, frame * turn * own)).unwrap();
        let poses = [of(&world, one), of(&world, two)];
        let pairs: Vec<ContactPair> = world.step().contacts.to_vec();
        let truth = closest(&a, &poses[0], &b, &poses[1], &mut Cache::default());
        let is_kept = pairs.first().is_some_and(|pair| pair.is_kept);
        kept.record(is_kept);
        let Some(pair) = pairs.first().filter(|pair| pair.is_kept) else { continue };
        told.record(!pair.manifold.points.is_empty());
        let off = (widen_real(pair.manifold.distance) - widen_real(truth.distance)).abs();
        // Depths of concave bodies in `closest` are of the whole; contacts of one region.
        let is_deep = truth.distance < 0.0 && [&a, &b].iter().any(|body| !matches!(body, Body::Convex(_)));
        assert!(is_deep || off <= 2.0 * most + 64.0 * u(), "{round}: off by {off:.2e} of {most:.2e}\n{a:?}\n{b:?}");
        exact.record(off <= 0.02 * most + 64.0 * u());
        for point in &pair.manifold.points {
            let gap = point.points[1] - point.points[0] - point.normal * point.distance;
            assert!(widen(gap).length() <= 64.0 * u() && (widen(point.normal).length() - 1.0).abs() <= 64.0 * u());
        }
    }
    kept.assert_between(0.5, 0.95);
    exact.assert_between(0.6, 1.0);
    told.assert_between(1.0, 1.0);
}

/// The contact of a world's only pair, and the one found anew.
fn both(world: &mut World, ids: [BodyId; 2]) -> [ContactPair; 2] {
    let pair = world.step().contacts.first().unwrap().clone();
    let [a, b] = ids.map(|id| (world.body(id).unwrap(), of(world, id)));
    let found = manifold(a.0, &a.1, b.0, &b.1, &mut Cache::default(), &manifolds()).unwrap();
    [pair.clone(), ContactPair { manifold: found, is_kept: false, ..pair }]
}

#[test]
fn a_box_on_the_ground_is_followed_exactly() {
    let mut world = World::new(options(SHARE));
    let ground = world.add(NewBody::fixed(HalfSpace::new(Vec3::Z, 0.0).unwrap(), Pose::IDENTITY)).unwrap();
    let id = world.add(NewBody::new(Shape::cuboid([0.5, 0.5, 0.5]).unwrap(), Pose::IDENTITY)).unwrap();
    let mut kept = HitRate::new("kept");
    for step in 0..200 {
        // Slides, turns about the vertical, tilts and sinks, by a quarter of a millimetre a step.
        let (way, turn) = (2.5e-4 * f64::from(step), 1e-4 * f64::from(step));
        let tilt = DQuat::from_rotation_x(1e-4 * (f64::from(step) * 0.1).sin()) * DQuat::from_rotation_z(turn);
        world.set_pose(id, pose_of(DVec3::new(way, 0.0, 0.5 - 1e-3 * (f64::from(step) * 0.2).sin()), tilt)).unwrap();
        let [pair, anew] = both(&mut world, [ground, id]);
        kept.record(pair.is_kept);
        assert_eq!(pair.manifold.points.len(), 4);
        for (point, fresh) in pair.manifold.points.iter().zip(&anew.manifold.points) {
            assert_eq!(point.features, fresh.features);
            assert!((widen_real(point.distance) - widen_real(fresh.distance)).abs() < 32.0 * u(), "{step}");
            assert!(widen(point.points[1] - fresh.points[1]).length() < 64.0 * u(), "{step}");
        }
    }
    kept.assert_between(0.85, 0.98);
}

#[test]
fn what_rolls_has_its_contact_straight_below() {
    let rolling: [(Shape, f64, DQuat); 3] = [
        (Shape::sphere(0.5).unwrap(), 0.5, DQuat::IDENTITY),
        (Shape::capsule(0.4, 0.25).unwrap(), 0.25, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2)),
        (Shape::cylinder(0.4, 0.25).unwrap(), 0.25, DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2)),
    ];
    for (shape, radius, lying) in rolling {
        let mut world = World::new(options(SHARE));
        let ground = world.add(NewBody::fixed(HalfSpace::new(Vec3::Z, 0.0).unwrap(), Pose::IDENTITY)).unwrap();
        let id = world.add(NewBody::new(shape, Pose::IDENTITY)).unwrap();
        let mut kept = HitRate::new("kept");
        for step in 0..200 {
            let angle = 1e-3 * f64::from(step);
            let at = DVec3::new(radius * angle, 0.0, radius - 1e-3);
            world.set_pose(id, pose_of(at, DQuat::from_rotation_y(angle) * lying)).unwrap();
            let [pair, anew] = both(&mut world, [ground, id]);
            kept.record(pair.is_kept);
            let off = widen_real(pair.manifold.distance) - widen_real(anew.manifold.distance);
            assert!(off.abs() < 64.0 * u(), "{step}: {off:e}");
            for point in &pair.manifold.points {
                assert!((widen_real(point.points[1].x) - at.x).abs() < 64.0 * u(), "{step}: {point:?} at {at}");
            }
        }
        kept.assert_between(0.6, 0.9);
    }
}

#[test]
fn only_what_is_asked_for_is_kept() {
    let asked = |keep: f64, margin: Real| {
        let mode = Mode::Contacts(ManifoldOptions { margin, ..ManifoldOptions::default() });
        let mut world = World::new(WorldOptions { mode, keep_contacts: narrow_real(keep), ..WorldOptions::default() });
        world.add(NewBody::fixed(HalfSpace::new(Vec3::Z, 0.0).unwrap(), Pose::IDENTITY)).unwrap();
        let at = Pose::from_translation([0.0, 0.0, 0.49]).unwrap();
        let id = world.add(NewBody::new(Shape::cuboid([0.5, 0.5, 0.5]).unwrap(), at)).unwrap();
        world.step();
        let first = world.step().statistics;
        // Another body in the same place knows nothing of the first.
        world.remove(id).unwrap();
        world.add(NewBody::new(Shape::cuboid([0.5, 0.5, 0.5]).unwrap(), at)).unwrap();
        [first.kept, world.step().statistics.kept, world.step().statistics.kept]
    };
    assert_eq!(asked(SHARE, narrow_real(MARGIN)), [1, 0, 1]);
    for (keep, margin) in [(0.0, MARGIN), (-1.0, MARGIN), (f64::NAN, MARGIN)] {
        assert_eq!(asked(keep, narrow_real(margin)), [0, 0, 0], "{keep}, {margin}");
    }
    // Without a margin contacts that come are not known in time; only what has not moved at all is kept.
    assert_eq!(asked(SHARE, 0.0), [1, 0, 1]);
}

/// Bodies that wander a little in each step, all together in one corner so that many touch, with a slide of the whole now and then.
struct Crowd {
    world: World,
    ids: Vec<BodyId>,
    bodies: Vec<Body>,
    places: Vec<(DVec3, DQuat)>,
    rng: Rng,
}

impl Crowd {
    fn new(options: WorldOptions, seed: u64) -> Self {
        let mut crowd =
            Self { world: World::new(options), ids: vec![], bodies: vec![], places: vec![], rng: Rng::new(seed) };
        for number in 0..40 {
            let body = bodies()[number % 10].clone();
            let place = (
                crowd.rng.unit_vector() * crowd.rng.uniform(0.3, 1.2),
                DQuat::from_axis_angle(crowd.rng.unit_vector(), 1.0),
            );
            crowd.ids.push(crowd.world.add(NewBody::new(body.clone(), pose_of(place.0, place.1))).unwrap());
            crowd.bodies.push(body);
            crowd.places.push(place);
        }
        crowd
    }

    fn wander(&mut self, step: usize) {
        let slide = if step % 7 == 3 { DVec3::new(0.3, -0.1, 0.2) } else { DVec3::ZERO };
        let around = if step % 11 == 5 { DQuat::from_rotation_z(0.5) } else { DQuat::IDENTITY };
        for at in 0..self.ids.len() {
            let (place, turn) = &mut self.places[at];
            // A third of them rest.
            let size = if at % 3 == 0 { 0.0 } else { 2e-3 };
            *place = around * (*place + self.rng.unit_vector() * size) + slide;
            *turn = (around * DQuat::from_axis_angle(self.rng.unit_vector(), 2.0 * size) * *turn).normalize();
            self.world.set_pose(self.ids[at], pose_of(*place, *turn)).unwrap();
        }
    }

    fn distance(&self, pair: [BodyId; 2]) -> f64 {
        let [a, b] = pair.map(|id| id.index());
        let [at_a, at_b] = pair.map(|id| of(&self.world, id));
        widen_real(closest(&self.bodies[a], &at_a, &self.bodies[b], &at_b, &mut Cache::default()).distance)
    }
}

#[test]
fn contacts_that_are_only_named_have_hardly_moved_and_none_is_lost() {
    let mut crowd = Crowd::new(WorldOptions { name_kept: true, ..options(0.05) }, 812);
    let mut told = std::collections::BTreeMap::new();
    let (mut named, mut lasting) = (HitRate::new("named"), HitRate::new("named after a slide of all"));
    let mut convex = HitRate::new("of two convex bodies");
    for step in 0..60 {
        crowd.wander(step);
        let found = crowd.world.step();
        let (contacts, kept) = (found.contacts.to_vec(), found.kept.to_vec());
        assert_eq!(found.roundings.len(), contacts.iter().map(|pair| pair.manifold.points.len()).sum::<usize>());
        assert!(kept.is_sorted() && contacts.is_sorted_by_key(|pair| pair.bodies));
        assert!(contacts.iter().all(|pair| !kept.contains(&pair.bodies)));
        let anew = contacts.iter().filter(|pair| !pair.is_kept);
        told.extend(anew.map(|pair| (pair.bodies, crowd.distance(pair.bodies))));
        for pair in &kept {
            let [a, b] = pair.map(|id| widen_real(crowd.bodies[id.index()].bounding_radius()));
            let most = (0.05 * a.min(b)).min(0.5 * MARGIN);
            let (now, then) = (crowd.distance(*pair), told[pair]);
            // The depth of a concave body is not continuous: from where the way out is the shortest changes.
            let is_convex = pair.iter().all(|id| matches!(crowd.bodies[id.index()], Body::Convex(_)));
            let is_jump = !is_convex && now.min(then) < 0.0;
            assert!(is_jump || (now - then).abs() <= most + 256.0 * u(), "{step}: {then} to {now}");
            convex.record(is_convex);
        }
        let all = crowd.ids.iter().enumerate().flat_map(|(at, a)| crowd.ids[at + 1..].iter().map(move |b| [*a, *b]));
        for pair in all {
            let is_told = kept.contains(&pair) || contacts.iter().any(|other| other.bodies == pair);
            assert!(is_told || crowd.distance(pair) > 0.5 * MARGIN - 256.0 * u(), "{step}: {pair:?} is lost");
            assert!(!is_told || crowd.distance(pair) < 1.5 * MARGIN + 256.0 * u(), "{step}: {pair:?} is no contact");
            if is_told && step > 0 {
                named.record(kept.contains(&pair));
                if step % 7 == 3 || step % 11 == 5 {
                    lasting.record(kept.contains(&pair));
                }
            }
        }
    }
    convex.assert_between(0.4, 0.9);
    named.assert_between(0.5, 0.9);
    lasting.assert_between(0.4, 0.9);
}

#[test]
fn a_pair_that_was_not_looked_at_is_found_anew() {
    let mut crowd = Crowd::new(WorldOptions { name_kept: true, ..options(0.05) }, 813);
    crowd.world.step();
    let step = crowd.world.step();
    assert!(step.contacts.is_empty());
    let pair = step.kept[0];
    crowd.world.set_pair(pair[0], pair[1], Some(clearance::world::PairRule::Ignore)).unwrap();
    assert!(!crowd.world.step().kept.contains(&pair));
    crowd.world.set_pair(pair[0], pair[1], None).unwrap();
    let step = crowd.world.step();
    assert!(step.contacts.len() == 1 && step.contacts[0].bodies == pair && !step.kept.contains(&pair));
    assert!(crowd.world.step().kept.contains(&pair));
}
