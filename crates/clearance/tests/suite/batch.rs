//! Batches against the verbs for one pair: the same booleans, values within the bounds of both, witnesses that hold; the same bits however the
//! pairs are grouped; errors that name what is wrong.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common::bodies::catalogue;
use crate::common::{pose_of, random_pose};
use crate::meshes;
use clearance::batch::{self, BatchError};
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::tolerance::{RELATIVE_GAP, UNIT_ROUNDOFF, sigma};
use clearance::{
    Body, Cache, Closest, Contact, End, HalfSpace, HeightField, Overlap, PointCloud, Polytope, Pose, Real, Shape, Vec3,
    Within, Witness, closest, distance, overlap, within,
};
use clearance_testkit::{Cloud, HitRate, PairFamily, Polyhedron, Rng};
use glam::{DQuat, DVec3};

/// The error of a pair of shapes, and what world coordinates round by.
fn error([a, b]: [&Shape; 2], [pose_a, pose_b]: [&Pose; 2]) -> f64 {
    let between = widen(pose_b.translation() - pose_a.translation());
    let size = widen_real(a.bounding_radius() + b.bounding_radius()) + between.length();
    let far = widen(pose_a.translation()).length() + widen(pose_b.translation()).length();
    widen_real(sigma(narrow_real(size))) + 8.0 * far * widen_real(UNIT_ROUNDOFF)
}

/// Whether the answer is that of the verb for one pair, and its witness holds.
fn check_overlap(found: &Overlap, shapes: [&Shape; 2], poses: [&Pose; 2], what: &str) -> bool {
    let [a, b] = shapes;
    let alone = overlap(a, poses[0], b, poses[1], &mut Cache::default());
    assert_eq!(found.overlap, alone.overlap, "{what}: {found:?} but alone {alone:?}");
    let most = 16.0 * error(shapes, poses);
    match found.witness {
        Witness::Plane { normal, offset_a, offset_b } => {
            assert!(!found.overlap && offset_b >= offset_a, "{what}: {found:?}");
            let reach = |shape: &Shape, pose: &Pose, direction: Vec3| {
                widen_real(shape.extent(pose.direction_to_local(direction))[1])
                    + widen(direction).dot(widen(pose.translation()))
            };
            let (of_a, of_b) = (reach(a, poses[0], normal), -reach(b, poses[1], -normal));
            assert!(of_a <= widen_real(offset_a) + most, "{what}: A reaches {of_a}, {found:?}");
            assert!(of_b >= widen_real(offset_b) - most, "{what}: B reaches {of_b}, {found:?}");
            assert!((widen(normal).length() - 1.0).abs() < 16.0 * widen_real(UNIT_ROUNDOFF), "{what}: {found:?}");
        }
        Witness::Point(point) => {
            assert!(found.overlap, "{what}: {found:?}");
            let place = Pose::from_translation(point).unwrap();
            for (shape, pose) in shapes.into_iter().zip(poses) {
                let beside = distance(&Shape::point(), &place, shape, pose, &mut Cache::default());
                let beside = beside.map_or(0.0, |near| widen_real(near.distance));
                assert!(
                    beside <= 4.0 * most,
                    "{what}: the point is {beside} beside {shape:?}, error {most}: {found:?}"
                );
            }
        }
        // A point of each, of bodies of which no common one was found.
        Witness::Points(points) => {
            assert!(found.overlap && found.end != End::Converged, "{what}: {found:?}");
            for (nth, point) in points.into_iter().enumerate() {
                let place = Pose::from_translation(point).unwrap();
                let beside = distance(&Shape::point(), &place, shapes[nth], poses[nth], &mut Cache::default());
                let beside = beside.map_or(0.0, |near| widen_real(near.distance));
                assert!(beside <= 4.0 * most, "{what}: point {nth} is {beside} beside its body: {found:?}");
            }
        }
        _ => panic!("{what}: {found:?}"),
    }
    assert!(found.end == End::Converged || found.end == alone.end, "{what}: {found:?} but alone {alone:?}");
    found.overlap
}

fn check_closest(found: &Closest, alone: &Closest, what: &str) {
    assert!(found.lower <= alone.upper && alone.lower <= found.upper, "{what}: {found:?} but alone {alone:?}");
    assert!(found.lower <= found.distance && found.distance <= found.upper, "{what}: {found:?}");
    assert_eq!(found.contact, alone.contact, "{what}: {found:?} but alone {alone:?}");
}

/// The points of bodies that are apart are on them and as far from each other as is said, and the normal has the gap that is said.
fn check_witness(found: &Closest, shapes: [&Shape; 2], poses: [&Pose; 2], what: &str) {
    if found.contact != Contact::Apart {
        return;
    }
    // Curved answers are right relative to the distance of the cores.
    let cores = widen_real(found.distance + shapes[0].radius() + shapes[1].radius());
    let most = 64.0 * error(shapes, poses) + 16.0 * widen_real(RELATIVE_GAP) * cores;
    let [on_a, on_b] = found.points.map(widen);
    let normal = widen(found.normal);
    assert!((normal.length() - 1.0).abs() < 16.0 * widen_real(UNIT_ROUNDOFF), "{what}: {found:?}");
    let off = (on_b - on_a - normal * widen_real(found.distance)).length();
    assert!(off <= most, "{what}: the points are off by {off}: {found:?}");
    for (nth, point) in found.points.into_iter().enumerate() {
        let place = Pose::from_translation(point).unwrap();
        let beside = distance(&Shape::point(), &place, shapes[nth], poses[nth], &mut Cache::default());
        let beside = beside.map_or(0.0, |near| widen_real(near.distance));
        assert!(beside <= most, "{what}: point {nth} is {beside} beside its body, error {most}: {found:?}");
    }
    let reach = |nth: usize, direction: DVec3| {
        let local = poses[nth].direction_to_local(narrow(direction));
        widen_real(shapes[nth].extent(local)[1]) + direction.dot(widen(poses[nth].translation()))
    };
    let gap = -reach(1, -normal) - reach(0, normal);
    assert!(gap >= widen_real(found.lower) - most, "{what}: the gap along the normal is {gap}: {found:?}");
}

fn check_within(found: &Within, alone: &Within, what: &str) {
    assert_eq!(found.within, alone.within, "{what}: {found:?} but alone {alone:?}");
    assert!(found.lower <= alone.upper && alone.lower <= found.upper, "{what}: {found:?} but alone {alone:?}");
}

fn concave(rng: &mut Rng) -> Vec<Body> {
    let points: Vec<Vec3> = (0..30).map(|_| narrow(rng.in_ball(0.8))).collect();
    let heights = [[0.1, -0.2, 0.3], [0.0, 0.2, -0.1], [0.3, 0.1, 0.0]].map(|row| row.map(narrow_real).to_vec());
    vec![
        meshes::body(&Polyhedron::notched()),
        meshes::body(&Polyhedron::cuboid(DVec3::new(0.6, 0.3, 0.2))).padded(narrow_real(0.1)).unwrap(),
        HeightField::new(&heights, [0.5, 0.5]).unwrap().into(),
        PointCloud::new(&points, narrow_real(0.05)).unwrap().into(),
        HalfSpace::new(Vec3::Z, narrow_real(-0.5)).unwrap().into(),
    ]
}

/// Every shape of the catalogue and concave bodies, in one table, each with each.
#[test]
fn a_table_of_every_kind_answers_as_pairs_do() {
    let mut rng = Rng::new(1501);
    let mut bodies: Vec<Body> = catalogue(1.0).into_iter().map(|body| body.shape.into()).collect();
    let shapes = bodies.len() as u32;
    bodies.extend(concave(&mut rng));
    let [mut hits, mut near] = ["overlapping", "within"].map(HitRate::new);
    for round in 0..4 {
        let poses: Vec<Pose> = bodies.iter().map(|_| random_pose(&mut rng, 1.5)).collect();
        let count = bodies.len() as u32;
        let pairs: Vec<[u32; 2]> = (0..count).flat_map(|a| (0..count).map(move |b| [a, b])).collect();
        let asked = narrow_real(0.3);
        let overlaps = batch::overlap(&bodies, &poses, &pairs).unwrap();
        let signed = batch::closest(&bodies, &poses, &pairs).unwrap();
        let distances = batch::distance(&bodies, &poses, &pairs).unwrap();
        let withins = batch::within(&bodies, &poses, &pairs, asked).unwrap();
        for (nth, [i, j]) in pairs.iter().copied().enumerate() {
            let what = format!("round {round}, bodies {i} and {j}");
            let [(a, pose_a), (b, pose_b)] = [i, j].map(|of| (&bodies[of as usize], &poses[of as usize]));
            let mut cache = Cache::default();
            if let (Body::Convex(a), Body::Convex(b)) = (a, b) {
                hits.record(check_overlap(&overlaps[nth], [a, b], [pose_a, pose_b], &what));
            } else {
                assert!(i >= shapes || j >= shapes, "{what}");
                assert_eq!(overlaps[nth], overlap(a, pose_a, b, pose_b, &mut Cache::default()), "{what}");
            }
            check_closest(&signed[nth], &closest(a, pose_a, b, pose_b, &mut cache), &what);
            let apart = distance(a, pose_a, b, pose_b, &mut Cache::default());
            assert_eq!(distances[nth].is_some(), apart.is_some(), "{what}");
            if let (Some(found), Some(alone)) = (&distances[nth], &apart) {
                check_closest(found, alone, &what);
            }
            let alone = within(a, pose_a, b, pose_b, asked, &mut Cache::default());
            check_within(&withins[nth], &alone, &what);
            near.record(alone.within);
        }
    }
    hits.assert_between(0.3, 0.8);
    near.assert_between(0.4, 0.95);
}

/// Shapes that lanes answer, of random sizes.
fn simple(rng: &mut Rng, kind: usize, scale: f64) -> Shape {
    let mut size = || narrow_real(rng.log_uniform(0.2, 1.5) * scale);
    let [x, y, z] = [size(), size(), size()];
    match kind % 7 {
        0 => Shape::cuboid([x, y, z]),
        1 => Shape::ellipsoid([x, y, z]),
        2 => Shape::cone(x, y),
        3 => Shape::cylinder(x, y),
        4 => Shape::round_box([x, y, z], 0.3 * x),
        5 => Shape::cone(x, y).and_then(|cone| cone.rounded(0.2 * z)),
        _ => {
            let count = 6 + rng.index(50);
            let points = Cloud::Ball.generate(rng, count);
            let points: Vec<Vec3> = points.into_iter().map(|p| narrow(p * scale)).collect();
            return Polytope::from_points(&points).unwrap().into();
        }
    }
    .unwrap()
}

/// B moved along the normal so that the distance is a few errors, on either side of touching.
fn nearly_touching(rng: &mut Rng, [a, b]: [&Shape; 2], pose_a: &Pose, pose_b: &Pose) -> Pose {
    let near = closest(a, pose_a, b, pose_b, &mut Cache::default());
    let wanted = rng.sign() * rng.log_uniform(0.1, 1e4) * error([a, b], [pose_a, pose_b]);
    let wanted = if rng.chance(0.2) { 0.0 } else { wanted };
    let by = widen(near.normal) * (wanted - widen_real(near.distance));
    pose_b.with_translation(narrow(widen(pose_b.translation()) + by)).unwrap()
}

/// All pairs of simple shapes at many poses: random, nearly touching, one in the other, far from the origin, tiny and huge.
#[test]
fn poses_of_one_pair_answer_as_pairs_do() {
    let mut rng = Rng::new(1502);
    let [mut hits, mut touching] = ["overlapping", "overlapping among nearly touching"].map(HitRate::new);
    for round in 0..294 {
        let scale = [1.0, 1.0, 1.0, 1e-6, 1e5, 30.0][round % 6];
        let other = scale * rng.log_uniform(0.3, 2.0);
        let (a, b) = (simple(&mut rng, round / 7, scale), simple(&mut rng, round, other));
        let from = if round % 7 == 0 { rng.in_ball(100.0 * scale) } else { DVec3::ZERO };
        let aligned = round % 11 == 0;
        let turn = |rng: &mut Rng| if aligned { DQuat::IDENTITY } else { rng.rotation() };
        let pose_a = pose_of(from, turn(&mut rng));
        let reach = widen_real(a.bounding_radius() + b.bounding_radius());
        let poses: Vec<Pose> = (0..120)
            .map(|nth| {
                let at = match nth % 10 {
                    0 => DVec3::ZERO,
                    1 => rng.in_ball(0.1 * reach),
                    _ => rng.in_ball(1.2 * reach),
                };
                let pose = pose_of(from + at, turn(&mut rng));
                if nth % 3 == 0 { nearly_touching(&mut rng, [&a, &b], &pose_a, &pose) } else { pose }
            })
            .collect();
        let answers = batch::overlap_at(&a, &pose_a, &b, &poses);
        assert_eq!(answers.len(), poses.len());
        for (nth, (answer, pose_b)) in answers.iter().zip(&poses).enumerate() {
            let what = format!("round {round}, pose {nth}");
            let hit = check_overlap(answer, [&a, &b], [&pose_a, pose_b], &what);
            if nth % 3 == 0 { &mut touching } else { &mut hits }.record(hit);
        }
        if round % 2 == 0 {
            check_other_verbs([&a, &b], &pose_a, &poses);
        }
    }
    hits.assert_between(0.2, 0.8);
    touching.assert_between(0.3, 0.8);
}

fn check_other_verbs([a, b]: [&Shape; 2], pose_a: &Pose, poses: &[Pose]) {
    let asked = narrow_real(0.1) * a.bounding_radius();
    let signed = batch::closest_at(a, pose_a, b, poses);
    let distances = batch::distance_at(a, pose_a, b, poses);
    let withins = batch::within_at(a, pose_a, b, poses, asked);
    for (nth, pose_b) in poses.iter().enumerate() {
        let what = format!("{a:?} and {b:?}, pose {nth}");
        check_closest(&signed[nth], &closest(a, pose_a, b, pose_b, &mut Cache::default()), &what);
        check_witness(&signed[nth], [a, b], [pose_a, pose_b], &what);
        let alone = distance(a, pose_a, b, pose_b, &mut Cache::default());
        assert_eq!(distances[nth].is_some(), alone.is_some(), "{what}");
        if let (Some(found), Some(alone)) = (&distances[nth], &alone) {
            check_closest(found, alone, &what);
        }
        check_within(&withins[nth], &within(a, pose_a, b, pose_b, asked, &mut Cache::default()), &what);
    }
}

/// The families of pairs, in which hulls are awkward.
#[test]
fn families_of_hulls_answer_as_pairs_do() {
    let mut rng = Rng::new(1503);
    for family in PairFamily::ALL {
        let [mut hits, mut used] = ["overlapping", "solid"].map(HitRate::new);
        for nth in 0..600 {
            let case = family.generate(&mut rng);
            let hull = |points: &[DVec3]| {
                Polytope::from_points(&points.iter().map(|&p| narrow(p)).collect::<Vec<_>>()).ok().map(Shape::from)
            };
            let shapes = (hull(&case.a), hull(&case.b));
            used.record(shapes.0.is_some() && shapes.1.is_some());
            let (Some(a), Some(b)) = shapes else { continue };
            let [pose_a, pose_b] = [case.pose_a, case.pose_b].map(|(turn, at)| pose_of(at, turn));
            let what = format!("{} {nth}", family.name());
            let answers = batch::overlap_at(&a, &pose_a, &b, &[pose_b]);
            hits.record(check_overlap(&answers[0], [&a, &b], [&pose_a, &pose_b], &what));
            let table = batch::overlap(&[a.clone(), b.clone()], &[pose_a, pose_b], &[[1, 0]]).unwrap();
            check_overlap(&table[0], [&b, &a], [&pose_b, &pose_a], &what);
            check_other_verbs([&a, &b], &pose_a, &[pose_b]);
        }
        used.assert_between(0.5, 1.0);
        hits.assert_between(0.1, 1.0);
    }
}

/// Everything that a batch tells, as text: floats are printed to the last bit.
fn told(shapes: &[Shape], poses: &[Pose], pairs: &[[u32; 2]]) -> Vec<String> {
    let overlaps = batch::overlap(shapes, poses, pairs).unwrap();
    let signed = batch::closest(shapes, poses, pairs).unwrap();
    overlaps.iter().zip(&signed).map(|both| format!("{both:?}")).collect()
}

#[test]
fn the_same_bits_for_any_threads_grouping_and_order() {
    let mut rng = Rng::new(1504);
    let shapes: Vec<Shape> = (0..60).map(|nth| simple(&mut rng, nth, 1.0)).collect();
    let poses: Vec<Pose> = shapes.iter().map(|_| random_pose(&mut rng, 2.0)).collect();
    let pairs: Vec<[u32; 2]> = (0..3600).map(|nth| [nth / 60, nth % 60]).collect();
    let whole = told(&shapes, &poses, &pairs);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(whole == pool.install(|| told(&shapes, &poses, &pairs)), "{threads} threads");
    }
    for size in [1, 3, 100] {
        let split: Vec<String> = pairs.chunks(size).take(1200).flat_map(|part| told(&shapes, &poses, part)).collect();
        assert!(whole[..split.len()] == split, "batches of {size}");
    }
    let backwards: Vec<[u32; 2]> = pairs.iter().rev().copied().collect();
    let mut answers = told(&shapes, &poses, &backwards);
    answers.reverse();
    assert!(whole == answers, "backwards");
    let (a, b) = (&shapes[4], &shapes[9]);
    let many: Vec<Pose> = (0..2500).map(|_| random_pose(&mut rng, 2.0)).collect();
    let together = batch::overlap_at(a, &poses[0], b, &many);
    for size in [1, 7, 700] {
        let split: Vec<Overlap> = many.chunks(size).flat_map(|part| batch::overlap_at(a, &poses[0], b, part)).collect();
        assert!(together == split, "poses by {size}");
    }
}

#[test]
fn what_is_wrong_is_named_and_nothing_is_nothing() {
    let shapes = [Shape::sphere(1.0).unwrap(), Shape::cuboid([1.0, 1.0, 1.0]).unwrap()];
    let poses = [Pose::IDENTITY; 3];
    let lengths = BatchError::Lengths { bodies: 2, poses: 3 };
    assert_eq!(batch::overlap(&shapes, &poses, &[]).unwrap_err(), lengths);
    let index = |pair, index| BatchError::Index { pair, index, bodies: 2 };
    let poses = &poses[..2];
    assert_eq!(batch::overlap(&shapes, poses, &[[0, 1], [1, 2]]).unwrap_err(), index(1, 2));
    assert_eq!(batch::closest(&shapes, poses, &[[u32::MAX, 0]]).unwrap_err(), index(0, u32::MAX));
    assert_eq!(batch::distance(&shapes, poses, &[[0, 1], [0, 0], [7, 9]]).unwrap_err(), index(2, 7));
    assert_eq!(batch::within(&shapes, poses, &[[0, 2]], 1.0).unwrap_err(), index(0, 2));
    assert!(index(1, 2).to_string().starts_with("pair 1: body 2 "));
    assert!(lengths.to_string().contains("2 bodies and 3 poses"));
    let nobody: [Shape; 0] = [];
    assert!(batch::overlap(&nobody, &[], &[]).unwrap().is_empty());
    assert_eq!(
        batch::overlap(&nobody, &[], &[[0, 0]]).unwrap_err(),
        BatchError::Index { pair: 0, index: 0, bodies: 0 }
    );
    assert!(batch::closest(&shapes, poses, &[]).unwrap().is_empty());
    assert!(batch::within_at(&shapes[0], &Pose::IDENTITY, &shapes[1], &[], Real::NAN).is_empty());
    let same = batch::overlap(&shapes, poses, &[[1, 1]]).unwrap();
    assert!(same[0].overlap, "a body overlaps itself");
}
