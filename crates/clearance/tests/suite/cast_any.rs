//! Casts of bodies of every kind along every motion: the first contact is within the bounds, judged by distances along a dense sampling.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::meshes;
use std::sync::Arc;

use clearance::ccd::polyhedra::{CastScratch, Rotation, SlideEnd};
use clearance::ccd::{
    CastOptions, Motion, cast_all, cast_body, cast_obstacles, contacts_between, move_among, slide_among,
};
use clearance::concave::{BodyCache, closest};
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::{
    Body, BodyRef, Cache, Compound, Contact, End, HalfSpace, HeightField, Mesh, PointCloud, Polytope, Pose, Real,
    Shape, Trajectory, Vec3,
};
use clearance::{Cast, Start};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use common::{SINGLE, pose_of, u};
use glam::{DQuat, DVec3};
use meshes::body;

#[derive(Debug)]
struct Wrapped(Motion);

impl Trajectory for Wrapped {
    fn pose(&self, time: Real) -> Pose {
        self.0.pose(time)
    }

    fn speed(&self, radius: Real, _from: Real, _to: Real) -> Real {
        self.0.speed(radius)
    }
}

fn catalogue(rng: &mut Rng) -> Vec<(&'static str, Body)> {
    let mut seeds = Rng::new(rng.index(1 << 30) as u64);
    let ball = Body::from(Shape::sphere(0.3).unwrap());
    let rod = Body::from(Shape::cuboid([0.9, 0.1, 0.1]).unwrap());
    let place = |x: f64| pose_of(DVec3::new(x, 0.2, 0.0), DQuat::from_rotation_z(x));
    let points: Vec<Vec3> = (0..20).map(|_| narrow(rng.in_ball(0.7))).collect();
    let notched = body(&Polyhedron::notched().mapped(|p| p * 0.6));
    let sheet = Mesh::new(&[[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.0, 0.5, 0.2]].map(Vec3::from), &[[0, 1, 2]]);
    vec![
        ("star", body(&Polyhedron::star(1, |_| seeds.uniform(0.4, 1.0)))),
        ("notched", notched.clone()),
        ("flat parts", Compound::new([(notched, place(0.5)), (rod.clone(), place(-0.4))]).unwrap().into()),
        ("mixed parts", Compound::new([(ball.clone(), place(0.5)), (rod.clone(), place(-0.4))]).unwrap().into()),
        ("ball", ball),
        ("rod", rod),
        ("cone", Body::from(Shape::cone(0.8, 0.4).unwrap())),
        ("polytope", Body::from(Shape::from(Polytope::from_points(&points).unwrap()))),
        ("moved", Body::from(Shape::cuboid([0.3, 0.4, 0.2]).unwrap().posed(place(0.3)))),
        ("rounded", Body::from(Shape::round_box([0.3, 0.4, 0.2], 0.1).unwrap())),
        (
            "triangle",
            Body::from(Shape::triangle([[0.0, 0.0, 0.0], [0.8, 0.0, 0.0], [0.0, 0.5, 0.1]].map(Vec3::from)).unwrap()),
        ),
        ("sheet", sheet.unwrap().into()),
    ]
}

/// Height fields, clouds and half-spaces.
fn fields(rng: &mut Rng) -> Vec<(&'static str, Body)> {
    let heights: Vec<Vec<Option<Real>>> = (0..8)
        .map(|_| (0..6).map(|_| (!rng.chance(0.1)).then(|| narrow_real(rng.uniform(-0.4, 0.4)))).collect())
        .collect();
    let flat = HeightField::new(&vec![vec![0.0; 5]; 5], [0.75, 0.75]).unwrap();
    let points: Vec<Vec3> = (0..200).map(|_| narrow(rng.in_ball(1.2))).collect();
    vec![
        ("hills", HeightField::with_holes(&heights, [0.4, 0.3]).unwrap().into()),
        ("flat field", flat.into()),
        ("cloud", PointCloud::new(&points, 0.05).unwrap().into()),
        ("half-space", HalfSpace::new(narrow(rng.unit_vector()), narrow_real(rng.uniform(-1.0, 0.5))).unwrap().into()),
    ]
}

fn random_motion(rng: &mut Rng, kind: usize, from: DVec3, to: DVec3) -> Motion {
    let start = pose_of(from, rng.rotation());
    let rotation = |rng: &mut Rng| {
        let angle = narrow_real(rng.uniform(-4.0, 4.0));
        Motion::rotation(start, narrow(from * 0.5 + rng.in_ball(0.5)), narrow(rng.unit_vector()), angle).unwrap()
    };
    match kind {
        0 | 1 => Motion::translation(start, narrow(to - from)).unwrap(),
        2 | 3 => rotation(rng),
        4 => Motion::between(start, pose_of(to, rng.rotation())),
        5 => Motion::with_velocity(start, narrow(to - from), narrow(rng.in_ball(4.0))).unwrap(),
        _ => Motion::custom(Arc::new(Wrapped(rotation(rng)))),
    }
}

fn distance_at(a: &Body, pose_a: &Pose, b: &Body, motion: &Motion, time: Real) -> (f64, Contact) {
    let near = closest(a, pose_a, b, &motion.pose(time), &mut BodyCache::default());
    (widen_real(near.distance), near.contact)
}

fn check_shape(cast: &Cast, what: &str) {
    assert!(0.0 <= cast.lower && cast.lower <= cast.fraction, "{what}");
    assert!(cast.fraction <= cast.upper && cast.upper <= 1.0, "{what}");
    if let Some(hit) = cast.hit {
        let [on_a, on_b] = hit.points.map(widen);
        let off = on_b - on_a - widen(hit.normal) * widen_real(hit.distance);
        assert!(off.length() < if SINGLE { 1e-4 } else { 1e-9 }, "{what}: {off}");
        assert!((widen(hit.normal).length() - 1.0).abs() < 1e-5, "{what}");
    }
}

#[test]
fn first_contacts_are_within_their_bounds() {
    first_contacts(7, 1500, |rng| (catalogue(rng), catalogue(rng)));
}

/// As for other bodies; touching starts are those of flat fields and half-spaces.
#[test]
fn first_contacts_with_fields_are_within_their_bounds() {
    first_contacts(8, 1500, |rng| (fields(rng), catalogue(rng)));
}

fn first_contacts(seed: u64, cases: usize, bodies: impl Fn(&mut Rng) -> (Vec<Named>, Vec<Named>)) {
    let mut rng = Rng::new(seed);
    let mut rates = Rates([HitRate::new("hits"), HitRate::new("bounded from above"), HitRate::new("overlaps")]);
    for case in 0..cases {
        let (all_a, all_b) = bodies(&mut rng);
        let ((name_a, a), (name_b, b)) = (&all_a[rng.index(all_a.len())], &all_b[rng.index(all_b.len())]);
        let from = rng.unit_vector() * if rng.chance(0.1) { 0.8 } else { 3.0 };
        let motion = random_motion(&mut rng, case % 7, from, -from * 0.5);
        let pose_a = pose_of(DVec3::ZERO, rng.rotation());
        let clearance = if rng.chance(0.2) { narrow_real(rng.uniform(0.01, 0.4)) } else { 0.0 };
        let what = format!("{case}: {name_a} {name_b} {clearance}");
        judge([a, b], &pose_a, &motion, clearance, &what, &mut rates);
    }
    rates.0[0].assert_between(0.2, 0.9);
    rates.0[1].assert_between(0.7, 1.0);
    rates.0[2].assert_between(0.02, 0.5);
}

type Named = (&'static str, Body);

/// Of hits, of upper bounds before the end, and of overlaps at the start.
struct Rates([HitRate; 3]);

/// One cast, against distances along the way.
fn judge([a, b]: [&Body; 2], pose_a: &Pose, motion: &Motion, clearance: Real, what: &str, rates: &mut Rates) {
    let Rates([hits, bounded, overlaps]) = rates;
    let options = CastOptions { clearance, ..CastOptions::default() };
    let cast = cast_body(a, pose_a, b, motion, &options, &mut CastScratch::default()).unwrap();
    let what = format!("{what} {cast:?}");
    check_shape(&cast, &what);
    let radii = [a, b].map(|body| widen_real(body.bounding_radius()));
    let size = radii.into_iter().filter(|radius| radius.is_finite()).sum::<f64>() + 6.0;
    let rounding = 4e3 * u() * size;
    let at = |time: Real| {
        let (distance, contact) = distance_at(a, pose_a, b, motion, time);
        (distance - widen_real(clearance), contact)
    };
    let (start, contact) = at(0.0);
    let overlapping = matches!(cast.start, Start::Overlapping { .. });
    overlaps.record(overlapping);
    if let Start::Overlapping { way_out } = cast.start {
        assert!(start < rounding || contact == Contact::Overlapping, "{what}: {start}");
        let moved = pose_of(widen(motion.start().translation()) + widen(way_out), quat(motion.start()));
        let near = closest(a, pose_a, b, &moved, &mut BodyCache::default());
        assert!(widen_real(near.distance - clearance) > -rounding.max(1e-6), "{what}: {near:?}");
        let hit = cast.hit.unwrap();
        assert!((widen_real(hit.distance - clearance) - start).abs() <= rounding, "{what}: {start}");
        return;
    }
    assert!(start > -rounding, "{what}: {start}");
    assert!(cast.start == Start::Touching || start > 0.0, "{what}: {start}");
    assert!(cast.end == End::Converged || cast.hit.is_some(), "{what}");
    for i in 0..=64 {
        // Depths of curved bodies come with bounds: not certainly an overlap.
        let pose = motion.pose(cast.lower * i as Real / 64.0);
        let there = widen_real(closest(a, pose_a, b, &pose, &mut BodyCache::default()).upper - clearance);
        assert!(there > -rounding, "{what}: {there} at {i}/64");
    }
    hits.record(cast.hit.is_some());
    if cast.hit.is_some() {
        let (there, _) = at(cast.fraction);
        assert!(there < if SINGLE { 2e-3 } else { 1e-6 } || cast.end != End::Converged, "{what}: {there}");
        bounded.record(cast.upper < 1.0);
        if cast.upper < 1.0 && cast.start == Start::Apart {
            // Distances of curved bodies come with bounds: not certainly apart.
            let near =
                |time: Real| closest(a, pose_a, b, &motion.pose(time), &mut BodyCache::default()).lower <= clearance;
            let met = (0..=64).any(|i| near(cast.lower + (cast.upper - cast.lower) * i as Real / 64.0));
            assert!(met, "{what}: {:?}", at(cast.upper));
        }
    } else {
        assert!(cast.fraction == 1.0 && cast.lower == 1.0, "{what}");
    }
}

/// A ball that comes down on a tilted half-space over a way of thousands of radii, along which the rounding of the normal adds up.
#[test]
fn long_ways_along_a_half_space_are_bounded() {
    let mut rng = Rng::new(9);
    let mut hits = HitRate::new("hits");
    let ball = Body::from(Shape::sphere(0.5).unwrap());
    for case in 0..2000 {
        let ground = HalfSpace::new(narrow(rng.unit_vector()), 0.0).unwrap();
        let pose = pose_of(DVec3::ZERO, rng.rotation());
        // The plane as it is stored, in f64.
        let normal = common::wide_matrix(&pose) * widen(ground.normal());
        let along = normal.cross(rng.unit_vector()).normalize();
        let (high, sinks) = (rng.uniform(0.6, 2.0), rng.uniform(0.0, 3.0));
        let start = pose_of(normal.normalize() * high, DQuat::IDENTITY);
        let by = narrow(along * rng.log_uniform(10.0, 3000.0) - normal * sinks);
        let motion = Motion::translation(start, by).unwrap();
        let options = CastOptions::default();
        let cast =
            cast_body(&Body::from(ground), &pose, &ball, &motion, &options, &mut CastScratch::default()).unwrap();
        let (height, rate) = (normal.dot(widen(start.translation())) - 0.5 * normal.length(), normal.dot(widen(by)));
        let truth = if rate < 0.0 { (-height / rate).min(1.0) } else { 1.0 };
        let what = format!("{case}: truly {truth}, {cast:?}");
        assert!(widen_real(cast.lower) <= truth && truth <= widen_real(cast.upper), "{what}");
        hits.record(cast.hit.is_some());
    }
    hits.assert_between(0.3, 0.8);
}

fn quat(pose: &Pose) -> DQuat {
    DQuat::from_array(pose.rotation().to_array().map(widen_real))
}

/// All contacts of parts and of obstacles, in order.
#[test]
fn all_hits_come_in_order() {
    let cube = Body::from(Shape::cuboid([0.5, 0.5, 0.5]).unwrap());
    let place = |x: f64| pose_of(DVec3::new(x, 0.0, 0.0), DQuat::IDENTITY);
    let row: Body = Compound::new([5.0, 1.0, 3.0].map(|x| (cube.clone(), place(x)))).unwrap().into();
    let motion = Motion::translation(place(-4.0), [10.0, 0.0, 0.0]).unwrap();
    let (options, mut scratch) = (CastOptions::default(), CastScratch::default());
    let mut list = Vec::new();
    cast_all(&row, &Pose::IDENTITY, &cube, &motion, &options, &mut scratch, &mut list).unwrap();
    let parts: Vec<u32> = list.iter().map(|cast| cast.hit.unwrap().features[0].part).collect();
    assert_eq!(parts, [1, 2, 0]);
    for (cast, expected) in list.iter().zip([0.4, 0.6, 0.8]) {
        assert!((widen_real(cast.fraction) - expected).abs() < 1e-5, "{cast:?}");
    }
    let obstacles = [5.0, 20.0, 1.0].map(|x| (BodyRef::from(&cube), place(x)));
    let mut list = Vec::new();
    cast_obstacles(&obstacles, &cube, &motion, &options, &mut scratch, &mut list).unwrap();
    assert_eq!(list.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [2, 0]);
}

/// A corner of a room made of shapes and a mesh: boxes, balls and concave bodies slide into it and end there, never in overlap.
#[test]
fn slides_among_obstacles_end_free() {
    let floor = Body::from(Shape::cuboid([10.0, 10.0, 1.0]).unwrap());
    let wall = body(&Polyhedron::cuboid(DVec3::new(1.0, 10.0, 10.0)));
    let post = Body::from(Shape::capsule(6.0, 0.5).unwrap());
    let at = |x: f64, y: f64, z: f64| pose_of(DVec3::new(x, y, z), DQuat::IDENTITY);
    let upright = pose_of(DVec3::new(0.0, 3.0, 0.0), DQuat::from_rotation_y(1.5));
    let obstacles = [(&floor, at(0.0, 0.0, -1.0)), (&wall, at(5.0, 0.0, 0.0)), (&post, upright)]
        .map(|(body, pose)| (BodyRef::from(body), pose));
    slides(&obstacles);
}

/// The same with a floor that is a half-space, a wall that is a height field, and a post of points.
#[test]
fn slides_among_fields_end_free() {
    let floor = Body::from(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    let wall = Body::from(HeightField::new(&vec![vec![0.0; 9]; 9], [2.0, 2.5]).unwrap());
    let points: Vec<Vec3> = (0..60).map(|i| narrow(DVec3::Z * 0.1 * f64::from(i))).collect();
    let post = Body::from(PointCloud::new(&points, 0.4).unwrap());
    // The field's z axis is turned to −x.
    let facing = pose_of(DVec3::new(4.0, -10.0, -3.0), DQuat::from_rotation_y(-std::f64::consts::FRAC_PI_2));
    let obstacles = [(&floor, Pose::IDENTITY), (&wall, facing), (&post, pose_of(DVec3::Y * 3.0, DQuat::IDENTITY))]
        .map(|(body, pose)| (BodyRef::from(body), pose));
    slides(&obstacles);
}

fn slides(obstacles: &[(BodyRef<'_>, Pose)]) {
    let mut rng = Rng::new(5);
    let mut scratch = CastScratch::default();
    let bodies = catalogue(&mut rng);
    let [mut slid, mut met] = ["slid", "met two"].map(HitRate::new);
    for case in 0..300 {
        let (name, body) = &bodies[rng.index(bodies.len())];
        let mut pose = pose_of(DVec3::new(rng.uniform(-3.0, 2.0), rng.uniform(-3.0, 0.0), 2.5), rng.rotation());
        for step in 0..4 {
            let way = narrow(DVec3::new(rng.uniform(-1.0, 4.0), rng.uniform(-1.0, 4.0), rng.uniform(-4.0, 0.5)));
            let options = CastOptions::default();
            let went = slide_among(obstacles, body, &pose, way, &options, &mut scratch).unwrap();
            let what = format!("{case} {step} {name} by {way}: {went:?}");
            assert!(went.end != SlideEnd::Overlapping, "{what}");
            for (obstacle, place) in obstacles {
                let near = clearance::closest(obstacle, place, body, &went.pose, &mut Cache::default());
                let rounding = 1e3 * u() * 20.0;
                assert!(
                    widen_real(near.distance) > -rounding && near.contact != Contact::Overlapping,
                    "{what}: {near:?}"
                );
            }
            slid.record(!went.hits.is_empty() && went.end != SlideEnd::StepLimit);
            met.record(went.hits.iter().any(|(index, _)| *index != went.hits[0].0));
            pose = went.pose;
        }
        let spin = Rotation { origin: pose.translation(), axis: narrow(rng.unit_vector()), angle: 2.0 };
        let options = CastOptions::default();
        let moved = move_among(obstacles, body, &pose, Vec3::new(0.0, 0.0, 0.5), spin, &options, &mut scratch).unwrap();
        for (obstacle, place) in obstacles {
            let near = clearance::closest(obstacle, place, body, &moved.pose, &mut Cache::default());
            assert!(near.contact != Contact::Overlapping, "{case} {name}: {moved:?} {near:?}");
        }
    }
    slid.assert_between(0.5, 1.0);
    met.assert_between(0.1, 1.0);
}

#[test]
fn bad_options_and_curved_contacts_are_errors() {
    let (cube, ball) = (Body::from(Shape::cuboid([1.0; 3]).unwrap()), Body::from(Shape::sphere(1.0).unwrap()));
    let motion = Motion::translation(pose_of(DVec3::X * 5.0, DQuat::IDENTITY), [-9.0, 0.0, 0.0]).unwrap();
    let mut scratch = CastScratch::default();
    for bad in [-1.0, Real::NAN, Real::INFINITY] {
        for options in [
            CastOptions { clearance: bad, ..CastOptions::default() },
            CastOptions { zone: bad, ..CastOptions::default() },
        ] {
            assert!(cast_body(&cube, &Pose::IDENTITY, &ball, &motion, &options, &mut scratch).is_err());
        }
    }
    let mut list = Vec::new();
    let pose = motion.start();
    let error = contacts_between(&cube, &Pose::IDENTITY, &ball, pose, 1.0, &mut scratch, &mut list).unwrap_err();
    assert!(error.to_string().contains("b (part 0)"), "{error}");
    assert!(
        slide_among(&[], &ball, pose, Vec3::X, &CastOptions::default(), &mut scratch).unwrap().end == SlideEnd::Free
    );
}

/// Half-spaces and point clouds, at rest and moving, and padded bodies.
#[test]
fn fields_and_padding_are_cast() {
    let mut scratch = CastScratch::default();
    let options = CastOptions::default();
    let floor = Body::from(HalfSpace::new(Vec3::Z, 1.0).unwrap());
    let ball = Body::from(Shape::sphere(0.5).unwrap());
    let mesh = body(&Polyhedron::cuboid(DVec3::splat(0.5)));
    let cloud = Body::from(PointCloud::new(&[Vec3::ZERO, Vec3::X * 2.0], 0.5).unwrap());
    let at = |z: f64| pose_of(DVec3::new(0.0, 0.0, z), DQuat::IDENTITY);
    let down = |z: f64, by: Real| Motion::translation(at(z), [0.0, 0.0, by]).unwrap();
    for b in [&ball, &mesh, &cloud] {
        let cast = cast_body(&floor, &Pose::IDENTITY, b, &down(5.5, -8.0), &options, &mut scratch).unwrap();
        assert!((widen_real(cast.fraction) - 0.5).abs() < 1e-4 && cast.end == End::Converged, "{cast:?}");
        assert!(cast.lower <= 0.5 && cast.upper >= 0.5 && cast.upper < 0.51, "{cast:?}");
        let up = cast_body(b, &at(5.5), &floor, &down(0.0, 8.0), &options, &mut scratch).unwrap();
        assert!((widen_real(up.fraction) - 0.5).abs() < 1e-4, "{up:?}");
        let free = cast_body(&floor, &Pose::IDENTITY, b, &down(5.5, -3.0), &options, &mut scratch).unwrap();
        assert!(free.fraction == 1.0 && free.hit.is_none() && free.start == Start::Apart, "{free:?}");
        let deep = cast_body(&floor, &Pose::IDENTITY, b, &down(1.2, -3.0), &options, &mut scratch).unwrap();
        let Start::Overlapping { way_out } = deep.start else { panic!("{deep:?}") };
        assert!((widen_real(way_out.z) - 0.3).abs() < 1e-4 && deep.hit.unwrap().distance < -0.29, "{deep:?}");
        // A half-space that turns moves infinitely fast somewhere, but not where the body is: that is 9 cos α − 1 above it.
        let turn = |angle: Real| Motion::rotation(at(0.0), [0.0; 3], [1.0, 0.0, 0.0], angle).unwrap();
        let free = cast_body(b, &at(9.0), &floor, &turn(1.0), &options, &mut scratch).unwrap();
        assert!(free.end == End::Converged && free.lower == 1.0 && free.hit.is_none(), "{free:?}");
        let met = cast_body(b, &at(9.0), &floor, &turn(2.0), &options, &mut scratch).unwrap();
        let [first, last] = [1.8, 1.5].map(|height: f64| (height / 9.0).acos() / 2.0);
        let fraction = widen_real(met.fraction);
        assert!(fraction > first && fraction < last + 1e-4 && met.hit.is_some(), "{met:?} between {first} and {last}");
    }
    for (thick, other) in [(&mesh, &mesh), (&ball, &mesh), (&mesh, &ball)] {
        let thick = thick.clone().padded(0.25).unwrap();
        let cast = cast_body(&thick, &Pose::IDENTITY, other, &down(5.25, -8.0), &options, &mut scratch).unwrap();
        assert!((widen_real(cast.fraction) - 0.5).abs() < 1e-4, "{cast:?}");
        let hit = cast.hit.unwrap();
        assert!(hit.distance.abs() < 1e-3 && (hit.points[0].z - 0.75).abs() < 1e-3, "{cast:?}");
    }
}
