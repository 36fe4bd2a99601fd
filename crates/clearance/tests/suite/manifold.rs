//! Contact manifolds in closed form: scenes with a known contact area, at three sizes, under rigid motions, in both orders.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::{Cache, Feature, Manifold, ManifoldOptions, Method, Part, Pose, Real, Shape, Vec3, manifold};
use clearance_testkit::Rng;
use common::{SINGLE, pose_of, posed, u};
use glam::{DQuat, DVec3};

/// How far into each other the bodies of a scene are, in units of its scale.
const DEPTH: f64 = 0.01;

/// Two bodies, the second with its pose in the frame of the first, and the contact places: points on A with depths.
struct Scene {
    name: &'static str,
    a: Shape,
    b: Shape,
    b_in_a: (DVec3, DQuat),
    expected: Vec<(DVec3, f64)>,
    /// Accuracy relative to the scale: rounding, or that of the normal of curved bodies.
    accuracy: f64,
}

fn exact() -> f64 {
    if SINGLE { 2e-4 } else { 1e-9 }
}

fn curved() -> f64 {
    if SINGLE { 2e-2 } else { 2e-3 }
}

fn r(x: f64) -> Real {
    narrow_real(x)
}

fn cuboid(s: f64, half: [f64; 3]) -> Shape {
    Shape::cuboid(half.map(|x| r(x * s))).unwrap()
}

/// A floor whose upper side is at z = 0.5.
fn floor(s: f64) -> Shape {
    cuboid(s, [2.0, 2.0, 0.5])
}

fn run(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, options: &ManifoldOptions) -> Option<Manifold> {
    manifold(a, pose_a, b, pose_b, &mut Cache::default(), options)
}

fn up_to(max_points: usize) -> ManifoldOptions {
    ManifoldOptions { max_points, ..Default::default() }
}

/// B over the floor at a height that leaves it `DEPTH` deep, touching at the given places (x, y), on level ground.
fn standing(name: &'static str, s: f64, b: Shape, rotation: DQuat, low: f64, places: &[[f64; 2]]) -> Scene {
    let at = DVec3::Z * ((0.5 - low - DEPTH) * s);
    let expected = places.iter().map(|&[x, y]| (DVec3::new(x, y, 0.5) * s, DEPTH * s)).collect();
    Scene { name, a: floor(s), b, b_in_a: (at, rotation), expected, accuracy: exact() }
}

fn rough(mut scene: Scene) -> Scene {
    scene.accuracy = curved();
    scene
}

fn corners(x: f64, y: f64) -> Vec<[f64; 2]> {
    vec![[x, y], [-x, y], [-x, -y], [x, -y]]
}

fn flat_scenes(s: f64) -> Vec<Scene> {
    let none = DQuat::IDENTITY;
    let on_edge = DQuat::from_rotation_x(FRAC_PI_4);
    let on_corner = DQuat::from_rotation_arc(DVec3::ONE.normalize(), -DVec3::Z);
    let low = 0.5 * 2f64.sqrt();
    let triangle = [[0.6, 0.1], [-0.3, 0.5], [-0.2, -0.4]];
    let points = |list: &[[f64; 2]]| list.iter().map(|&[x, y]| narrow(DVec3::new(x, y, 0.0) * s)).collect::<Vec<_>>();
    let pentagon: Vec<[f64; 2]> = (0..5).map(|i| (1.25 * i as f64).sin_cos()).map(|(y, x)| [x, y]).collect();
    let rectangle = Shape::rectangle([0.7, 0.3].map(|x| r(x * s))).unwrap();
    // The centroid is not in the middle: heights are taken from the body itself.
    let frustum = Shape::frustum([0.9, 0.5].map(|x| r(x * s)), [0.3, 0.8].map(|x| r(x * s)), r(s)).unwrap();
    let bottom = widen_real(frustum.extent(Vec3::Z)[0]) / s;
    vec![
        standing("box", s, cuboid(s, [0.5, 0.4, 0.3]), none, -0.3, &corners(0.5, 0.4)),
        standing("box on its edge", s, cuboid(s, [0.6, 0.5, 0.5]), on_edge, -low, &[[0.6, 0.0], [-0.6, 0.0]]),
        standing("box on its corner", s, cuboid(s, [0.5; 3]), on_corner, -0.5 * 3f64.sqrt(), &[[0.0, 0.0]]),
        standing("frustum", s, frustum, none, bottom, &corners(0.9, 0.5)),
        standing("rectangle", s, rectangle, none, 0.0, &corners(0.7, 0.3)),
        standing("triangle", s, Shape::triangle(points(&triangle).try_into().unwrap()).unwrap(), none, 0.0, &triangle),
        standing("polygon", s, Shape::polygon(&points(&pentagon)).unwrap(), none, 0.0, &pentagon),
        standing("split box", s, split_box(s, [0.5, 0.4, 0.3]), split_turn().inverse(), -0.3, &corners(0.5, 0.4)),
        standing("sum of boxes", s, sum(s), none, -0.4, &corners(0.7, 0.6)),
        standing("moved box", s, moved(s), none, 0.1, &[[0.7, 0.4], [-0.3, 0.4], [-0.3, -0.4], [0.7, -0.4]]),
        edge_across_edge(s),
        standing("segment", s, Shape::segment(r(0.7 * s)).unwrap(), none, 0.0, &[[0.7, 0.0], [-0.7, 0.0]]),
        standing("point", s, Shape::point(), none, 0.0, &[[0.0, 0.0]]),
    ]
}

fn sum(s: f64) -> Shape {
    Shape::sum(cuboid(s, [0.5, 0.4, 0.3]).into(), cuboid(s, [0.2, 0.2, 0.1]).into())
}

fn moved(s: f64) -> Shape {
    cuboid(s, [0.5, 0.4, 0.3]).posed(Pose::from_translation(narrow(DVec3::new(0.2, 0.0, 0.4) * s)).unwrap())
}

fn split_turn() -> DQuat {
    DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7)
}

/// A box as the hull of turned and rounded corners, some on its faces: exact faces are slivers, not rectangles.
fn split_box(s: f64, half: [f64; 3]) -> Shape {
    let mut rng = Rng::new(5);
    let mut points: Vec<Vec3> = Vec::new();
    for i in 0..8 {
        let sign = |bit: usize| if i & bit == 0 { 1.0 } else { -1.0 };
        let p = DVec3::new(half[0] * sign(1), half[1] * sign(2), half[2] * sign(4)) * s;
        points.push(narrow(split_turn() * p));
    }
    for _ in 0..6 {
        let p = DVec3::new(half[0] * rng.uniform(-0.9, 0.9), half[1] * rng.uniform(-0.9, 0.9), -half[2]) * s;
        points.push(narrow(split_turn() * p));
    }
    Shape::polytope(&points).unwrap()
}

fn edge_across_edge(s: f64) -> Scene {
    // Both cubes stand on an edge, one along x, the other along y.
    let low = 0.5 * 2f64.sqrt();
    let b_in_a = DQuat::from_rotation_x(FRAC_PI_4).inverse() * DQuat::from_rotation_y(FRAC_PI_4);
    let back = DQuat::from_rotation_x(FRAC_PI_4).inverse();
    Scene {
        name: "edge across edge",
        a: cuboid(s, [0.5; 3]),
        b: cuboid(s, [0.5; 3]),
        b_in_a: (back * DVec3::Z * ((2.0 * low - DEPTH) * s), b_in_a),
        expected: vec![(back * DVec3::Z * (low * s), DEPTH * s)],
        accuracy: exact(),
    }
}

fn round_scenes(s: f64) -> Vec<Scene> {
    let none = DQuat::IDENTITY;
    let lying = DQuat::from_rotation_y(FRAC_PI_2);
    let capsule = || Shape::capsule(r(0.6 * s), r(0.2 * s)).unwrap();
    let wheel = || Shape::wheel(r(0.5 * s), r(0.1 * s)).unwrap();
    let round_box = |half: [f64; 3]| Shape::round_box(half.map(|x| r(x * s)), r(0.1 * s)).unwrap();
    let lozenge = Shape::lozenge([0.5, 0.4].map(|x| r(x * s)), r(0.1 * s)).unwrap();
    let cylinder = Shape::cylinder(r(0.5 * s), r(0.3 * s)).unwrap();
    let mut on_round = standing("round boxes", s, round_box([0.5, 0.4, 0.3]), none, -0.4, &corners(0.5, 0.4));
    on_round.a = round_box([1.9, 1.9, 0.4]);
    let mut capsules = rough(standing("parallel capsules", s, capsule(), none, -0.2, &[[0.6, 0.0], [-0.5, 0.0]]));
    capsules.a = Shape::capsule(r(0.6 * s), r(0.5 * s)).unwrap().posed(pose_of(DVec3::X * (0.1 * s), none));
    let mut crossing = rough(standing("crossing capsules", s, capsule(), none, -0.2, &[[0.0, 0.0]]));
    crossing.a =
        Shape::capsule(r(0.6 * s), r(0.5 * s)).unwrap().posed(pose_of(DVec3::ZERO, DQuat::from_rotation_z(1.0)));
    let mut cylinders =
        rough(standing("parallel cylinders", s, cylinder.clone(), lying, -0.3, &[[0.5, 0.0], [-0.5, 0.0]]));
    cylinders.a = Shape::cylinder(r(0.8 * s), r(0.5 * s)).unwrap().posed(pose_of(DVec3::ZERO, lying));
    vec![
        standing("sphere", s, Shape::sphere(r(0.3 * s)).unwrap(), none, -0.3, &[[0.0, 0.0]]),
        standing("capsule", s, capsule(), none, -0.2, &[[0.6, 0.0], [-0.6, 0.0]]),
        standing("lozenge", s, lozenge, none, -0.1, &corners(0.5, 0.4)),
        on_round,
        standing("wheel on its rim", s, wheel(), DQuat::from_rotation_x(FRAC_PI_2), -0.6, &[[0.0, 0.0]]),
        rough(standing("cylinder lying", s, cylinder, lying, -0.3, &[[0.5, 0.0], [-0.5, 0.0]])),
        cone_on_its_side(s),
        capsules,
        crossing,
        cylinders,
    ]
    .into_iter()
    .map(|scene| if scene.name.contains("rim") { rough(scene) } else { scene })
    .collect()
}

fn cone_on_its_side(s: f64) -> Scene {
    let (h, radius) = (0.8, 0.3);
    let turn = DQuat::from_rotation_arc(DVec3::new(h, 0.0, radius).normalize(), -DVec3::Z);
    let ends = [DVec3::Z * (0.75 * h), DVec3::new(radius, 0.0, -0.25 * h)].map(|p| turn * p);
    let shape = Shape::cone(r(h * s), r(radius * s)).unwrap();
    rough(standing("cone on its side", s, shape, turn, ends[0].z, &ends.map(|p| [p.x, p.y])))
}

/// Whether both have the same places, in any order.
fn same_places(found: &[(DVec3, f64)], expected: &[(DVec3, f64)], tolerance: f64) -> bool {
    let near = |p: &(DVec3, f64), q: &(DVec3, f64)| p.0.distance(q.0) <= tolerance && (p.1 - q.1).abs() <= tolerance;
    let covered = |one: &[(DVec3, f64)], other: &[(DVec3, f64)]| one.iter().all(|p| other.iter().any(|q| near(p, q)));
    found.len() == expected.len() && covered(found, expected) && covered(expected, found)
}

fn check(scene: &Scene, s: f64, pose_a: &Pose, options: &ManifoldOptions) {
    let name = scene.name;
    let (t, q) = scene.b_in_a;
    let turn = pose_a.rotation().to_array().map(widen_real);
    let pose_b = pose_of(posed(pose_a, t), DQuat::from_array(turn).normalize() * q);
    let far = widen(pose_a.translation()).length() * u() * 16.0;
    let tolerance = scene.accuracy * s + far;
    let expected: Vec<_> = scene.expected.iter().map(|&(p, depth)| (posed(pose_a, p), depth)).collect();
    let there = run(&scene.a, pose_a, &scene.b, &pose_b, options).unwrap_or_else(|| panic!("{name}: no contact"));
    let back =
        run(&scene.b, &pose_b, &scene.a, pose_a, options).unwrap_or_else(|| panic!("{name}: no contact swapped"));
    for (contact, side) in [(&there, 0), (&back, 1)] {
        let on_first = |p: &clearance::ContactPoint| widen(if side == 0 { p.points[0] } else { p.points[1] });
        let found: Vec<_> = contact.points.iter().map(|p| (on_first(p), widen_real(p.depth()))).collect();
        assert!(
            same_places(&found, &expected, tolerance),
            "{name}, scale {s}, order {side}, at {pose_a:?}:\nexpected {expected:?}\nfound {contact:?}"
        );
        for p in &contact.points {
            let apart = widen(p.points[1] - p.points[0] + contact.normal * p.depth()).length();
            assert!(apart <= 4.0 * far + 16.0 * u() * s, "{name}: {apart} off the normal");
        }
    }
}

#[test]
fn scenes_have_their_known_places() {
    let mut rng = Rng::new(3);
    for s in [1e-3, 1.0, 1e3] {
        let mut poses = vec![Pose::IDENTITY];
        let reach: f64 = if SINGLE { 10.0 } else { 1e5 };
        poses.extend((0..4).map(|i| pose_of(rng.in_ball(reach.min(10f64.powi(2 * i))) * s, rng.rotation())));
        for scene in flat_scenes(s).iter().chain(&round_scenes(s)) {
            for pose in &poses {
                check(scene, s, pose, &up_to(8));
            }
        }
    }
}

#[test]
fn touching_bodies_touch_everywhere() {
    // The bodies of the exact scenes drawn apart until they only touch; crossing edges that touch in a point have no one normal.
    for mut scene in flat_scenes(1.0).into_iter().filter(|scene| scene.name != "edge across edge") {
        scene.b_in_a.0 += DVec3::Z * DEPTH;
        for place in &mut scene.expected {
            place.1 = 0.0;
        }
        check(&scene, 1.0, &Pose::IDENTITY, &up_to(8));
    }
}

#[test]
fn margin_asks_before_the_touch() {
    let (a, b) = (floor(1.0), cuboid(1.0, [0.5, 0.4, 0.3]));
    let pose = pose_of(DVec3::new(0.0, 0.0, 0.805), DQuat::IDENTITY);
    assert!(run(&a, &Pose::IDENTITY, &b, &pose, &ManifoldOptions::default()).is_none());
    let options = ManifoldOptions { margin: r(0.01), ..Default::default() };
    let contact = run(&a, &Pose::IDENTITY, &b, &pose, &options).unwrap();
    assert_eq!(contact.points.len(), 4);
    assert!(contact.points.iter().all(|p| (widen_real(p.depth()) + 0.005).abs() < exact()));
    // Nonsense in the options is put right, not passed on.
    let wild = ManifoldOptions { margin: Real::NAN, max_points: 0, samples: 0, angle: Real::NAN, ..Default::default() };
    let deep = pose_of(DVec3::Z * 0.79, DQuat::IDENTITY);
    for method in [Method::Clip, Method::Perturbed] {
        assert_eq!(run(&a, &Pose::IDENTITY, &b, &deep, &ManifoldOptions { method, ..wild }).unwrap().points.len(), 1);
    }
}

/// The area of the polygon of the contact points, which come in the order of their features.
fn area(contact: &Manifold) -> f64 {
    let mut p: Vec<DVec3> = contact.points.iter().map(|p| widen(p.points[0])).collect();
    let middle = p.iter().sum::<DVec3>() / p.len() as f64;
    let (across, third) = widen(contact.normal).any_orthonormal_pair();
    let angle = |p: &DVec3| third.dot(*p - middle).atan2(across.dot(*p - middle));
    p.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    let fan = p[1..].windows(2).map(|pair| (pair[0] - p[0]).cross(pair[1] - p[0])).sum::<DVec3>();
    fan.length() / 2.0
}

/// A body on the floor (whose upper side is at 0.5), `DEPTH` deep, moved sideways.
fn on_floor(b: &Shape, low: f64, x: f64, turn: DQuat, options: &ManifoldOptions) -> Manifold {
    let pose = pose_of(DVec3::new(x, 0.0, 0.5 - low - DEPTH), turn);
    run(&floor(1.0), &Pose::IDENTITY, b, &pose, options).unwrap()
}

#[test]
fn circles_stand_on_their_rim() {
    let none = DQuat::IDENTITY;
    let cone = Shape::cone(r(0.8), r(0.4)).unwrap();
    let cases = [
        (Shape::cylinder(r(0.5), r(0.4)).unwrap(), -0.5, 0.4),
        (cone, -0.2, 0.4),
        (Shape::wheel(r(0.4), r(0.1)).unwrap(), -0.1, 0.4),
        (Shape::disc(r(0.4)).unwrap(), 0.0, 0.4),
    ];
    for (shape, low, radius) in cases {
        let all = on_floor(&shape, low, 0.0, none, &up_to(16));
        assert_eq!(all.points.len(), 16, "{shape:?}: {all:?}");
        for p in &all.points {
            assert!((widen(p.points[0]).truncate().length() - radius).abs() < exact(), "{shape:?}: {p:?}");
            assert!((widen_real(p.depth()) - DEPTH).abs() < exact());
        }
        let four = on_floor(&shape, low, 0.0, none, &up_to(4));
        assert_eq!(four.points.len(), 4);
        assert!((area(&four) - 2.0 * radius * radius).abs() < exact(), "{shape:?}: the largest is a square");
        // Half over the edge of the floor, which is at x = 2.
        let half = on_floor(&shape, low, 2.0, none, &up_to(16));
        assert!(half.points.iter().all(|p| widen(p.points[0]).x <= 2.0 + exact()));
        for y in [-radius, radius] {
            let end = DVec3::new(2.0, y, 0.5);
            assert!(half.points.iter().any(|p| widen(p.points[0]).distance(end) < exact()), "{shape:?}: {half:?}");
        }
        let least = half.points.iter().map(|p| widen(p.points[0]).x).fold(2.0, f64::min);
        assert!((least - (2.0 - radius)).abs() < exact());
    }
}

#[test]
fn tilted_cylinders_keep_their_deepest_place() {
    let shape = Shape::cylinder(r(0.5), r(0.4)).unwrap();
    for tilt in [1e-6, 1e-4, 1e-3, 1e-2, 0.1] {
        let turn = DQuat::from_rotation_z(0.3) * DQuat::from_rotation_y(tilt);
        let low = -0.5 * tilt.cos() - 0.4 * tilt.sin();
        let contact = on_floor(&shape, low, 0.0, turn, &up_to(16));
        let deepest = contact.points.iter().map(|p| widen_real(p.depth())).fold(f64::MIN, f64::max);
        assert!((deepest - DEPTH).abs() < exact().max(DEPTH * 1e-4), "tilt {tilt}: {contact:?}");
        for p in &contact.points {
            let x = (turn.inverse() * (widen(p.points[1]) - DVec3::Z * (0.5 - low - DEPTH))).x;
            let depth = DEPTH - (0.4 - x) * tilt.sin();
            assert!((widen_real(p.depth()) - depth).abs() < exact().max(2e-4 * tilt), "tilt {tilt}: {p:?}, {depth}");
        }
        assert_eq!(contact.points.len() >= 16, tilt <= 1e-2, "tilt {tilt}: {}", contact.points.len());
    }
}

#[test]
fn a_turned_box_meets_in_an_octagon() {
    let cube = cuboid(1.0, [0.5; 3]);
    let turn = DQuat::from_rotation_z(FRAC_PI_4);
    let pose = pose_of(DVec3::Z * (1.0 - DEPTH), turn);
    let all = run(&cube, &Pose::IDENTITY, &cube, &pose, &up_to(16)).unwrap();
    assert_eq!(all.points.len(), 8, "{all:?}");
    let radius = 0.5 / (std::f64::consts::PI / 8.0).cos();
    assert!(all.points.iter().all(|p| (widen(p.points[0]).truncate().length() - radius).abs() < exact()));
    let four = run(&cube, &Pose::IDENTITY, &cube, &pose, &up_to(4)).unwrap();
    assert!((area(&four) - 2.0 * radius * radius).abs() < exact());
}

#[test]
fn nearly_parallel_faces_have_a_slope_of_depths() {
    let b = cuboid(1.0, [0.5, 0.4, 0.3]);
    for tilt in [1e-9, 1e-7, 1e-5, 1e-4, 1e-3] {
        let turn = DQuat::from_rotation_y(tilt);
        let low = -0.3 * tilt.cos() - 0.5 * tilt.sin();
        let contact = on_floor(&b, low, 0.0, turn, &ManifoldOptions::default());
        assert_eq!(contact.points.len(), 4, "tilt {tilt}: {contact:?}");
        for p in &contact.points {
            let depth = DEPTH - (0.5 - widen(p.points[1]).x) * tilt.sin();
            assert!((widen_real(p.depth()) - depth).abs() < exact().max(tilt * tilt), "tilt {tilt}: {p:?}");
        }
    }
}

#[test]
fn perturbed_sampling_agrees_with_clipping_on_flat_faces() {
    for scene in flat_scenes(1.0) {
        let flat = ["box", "frustum", "rectangle", "triangle", "split box", "sum of boxes", "moved box"];
        if flat.contains(&scene.name) {
            let options = ManifoldOptions { method: Method::Perturbed, ..Default::default() };
            check(&scene, 1.0, &Pose::IDENTITY, &options);
        }
    }
    // Where it must give up: a curved surface is one point.
    let options = ManifoldOptions { method: Method::Perturbed, ..Default::default() };
    let lying =
        on_floor(&Shape::cylinder(r(0.5), r(0.3)).unwrap(), -0.3, 0.0, DQuat::from_rotation_y(FRAC_PI_2), &options);
    assert_eq!(lying.points.len(), 1);
    // A rounded box that is tilted a little rests on its face, as in the thesis's stacks; a ball and a capsule's end on a point.
    let tilted = DQuat::from_rotation_x(1e-3) * DQuat::from_rotation_y(-2e-3);
    let round = Shape::round_box([r(0.4), r(0.4), r(0.3)], r(0.1)).unwrap();
    assert_eq!(on_floor(&round, -0.4, 0.0, tilted, &options).points.len(), 4);
    assert_eq!(on_floor(&Shape::sphere(r(0.4)).unwrap(), -0.4, 0.0, tilted, &options).points.len(), 1);
    // A vertex on a face, where the published test would pass every corner of the face.
    let on_corner = DQuat::from_rotation_arc(DVec3::ONE.normalize(), -DVec3::Z);
    let corner = on_floor(&cuboid(1.0, [0.5; 3]), -0.5 * 3f64.sqrt(), 0.0, on_corner, &options);
    assert_eq!(corner.points.len(), 1);
    assert!(widen(corner.points[0].points[1]).truncate().length() < exact());
}

#[test]
fn ids_in_a_stack_survive_small_motions() {
    let mut rng = Rng::new(11);
    // The thesis's stack: boxes 4 × 2 × 4, each off by up to 0.2 sideways.
    let brick = cuboid(1.0, [2.0, 1.0, 2.0]);
    for _ in 0..50 {
        let place = DVec3::new(rng.uniform(-0.2, 0.2), 2.0 - DEPTH, rng.uniform(-0.2, 0.2));
        let ids = |at: DVec3, turn: DQuat| -> Vec<[Feature; 2]> {
            let contact =
                run(&brick, &Pose::IDENTITY, &brick, &pose_of(at, turn), &ManifoldOptions::default()).unwrap();
            let mut ids: Vec<_> = contact.points.iter().map(|p| p.features).collect();
            ids.sort();
            ids
        };
        let first = ids(place, DQuat::IDENTITY);
        assert_eq!(first.len(), 4);
        assert!(first.windows(2).all(|pair| pair[0] != pair[1]));
        for _ in 0..20 {
            let turn = DQuat::from_scaled_axis(rng.in_ball(1e-4));
            assert_eq!(first, ids(place + rng.in_ball(1e-4), turn), "at {place}");
        }
    }
}

#[test]
fn combined_bodies_fall_back_to_samples() {
    // A hull of two boxes has a long flat face; a hull of spheres has none.
    let part = |shape: Shape, x: f64| Part { shape, pose: pose_of(DVec3::X * x, DQuat::IDENTITY) };
    let hull = Shape::hull(part(cuboid(1.0, [0.2; 3]), -0.6), part(cuboid(1.0, [0.2; 3]), 0.6));
    let contact = on_floor(&hull, -0.2, 0.0, DQuat::IDENTITY, &ManifoldOptions::default());
    assert!((area(&contact) - 1.6 * 0.4).abs() < exact(), "{contact:?}");
    let ball = |radius: f64| Shape::sphere(r(radius)).unwrap();
    let drop = Shape::hull(part(ball(0.3), 0.0), part(ball(0.2), 0.9));
    let contact = on_floor(&drop, -0.3, 0.0, DQuat::IDENTITY, &ManifoldOptions::default());
    assert_eq!(contact.points.len(), 1, "{contact:?}");
}
