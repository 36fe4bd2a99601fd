//! An algorithm called by its name is that algorithm and nothing else: each support that is asked for is one of its own steps, simple bodies
//! are no exception, and what it finds agrees with the verbs.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use clearance::math::{narrow, widen_real};
use clearance::study::gjk::{SubAlgorithm, closest_by, distance_by};
use clearance::study::separating_vector::{Options, overlap_by};
use clearance::study::{PairCache, combined, epa, gilbert, mpr, sa_gjk, swept_gjk};
use clearance::{
    Cache, Closest, End, Overlap, Polytope, Pose, Real, Shape, Support, SupportPoint, Vec3, VertexId, Witness, closest,
    overlap,
};
use clearance_testkit::{HitRate, Rng};
use common::{SINGLE, pose_of, u};

/// A shape of somebody else's that counts how often it is asked.
#[derive(Debug)]
struct Counted {
    shape: Shape,
    asked: AtomicU32,
}

impl Support for Counted {
    fn support(&self, direction: Vec3, hint: VertexId) -> SupportPoint {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.shape.support(direction, hint)
    }
}

type Boolean = fn(&Shape, &Pose, &Shape, &Pose) -> Overlap;
type Distance = fn(&Shape, &Pose, &Shape, &Pose) -> Closest;

const BOOLEANS: [(&str, Boolean); 4] = [
    ("sa-gjk", |a, at_a, b, at_b| sa_gjk::overlap(a, at_a, b, at_b, &mut PairCache::default())),
    ("mpr", |a, at_a, b, at_b| mpr::overlap(a, at_a, b, at_b)),
    ("separating-vector", |a, at_a, b, at_b| {
        overlap_by(&Options::default(), a, at_a, b, at_b, &mut PairCache::default()).0
    }),
    ("combined", |a, at_a, b, at_b| combined::frame(a, at_a, b, at_b, &mut combined::CombinedCache::default()).overlap),
];

const DISTANCES: [(&str, Distance); 5] = [
    ("gjk", |a, at_a, b, at_b| closest_by(SubAlgorithm::Regions, a, at_a, b, at_b, &mut PairCache::default())),
    ("gjk-johnson", |a, at_a, b, at_b| closest_by(SubAlgorithm::Johnson, a, at_a, b, at_b, &mut PairCache::default())),
    ("gilbert", |a, at_a, b, at_b| gilbert::closest(a, at_a, b, at_b, &mut PairCache::default())),
    ("swept by nothing", |a, at_a, b, at_b| swept_gjk::closest(0.0, a, at_a, b, at_b, &mut PairCache::default())),
    ("mpr", |a, at_a, b, at_b| mpr::depth(a, at_a, b, at_b)),
];

fn shape(rng: &mut Rng) -> Shape {
    let mut size = || rng.uniform(0.3, 1.5) as Real;
    let [x, y, z] = [size(), size(), size()];
    match rng.index(6) {
        0 => Shape::cuboid([x, y, z]),
        1 => Shape::sphere(x),
        2 => Shape::capsule(x, y),
        3 => Shape::cylinder(x, y),
        4 => Shape::ellipsoid([x, y, z]),
        _ => {
            let points: Vec<Vec3> = (0..12).map(|_| narrow(rng.in_ball(1.5))).collect();
            Ok(Polytope::from_points(&points).unwrap().into())
        }
    }
    .unwrap()
}

fn pose(rng: &mut Rng, reach: f64) -> Pose {
    let at = rng.in_ball(reach);
    pose_of(at, rng.rotation())
}

#[test]
fn cuboids_take_steps() {
    let (a, b) = (Shape::cuboid([1.0, 1.0, 1.0]).unwrap(), Shape::cuboid([0.5, 0.75, 1.0]).unwrap());
    for x in [4.0, 1.75, 1.25, 0.5] {
        let pose_b = Pose::from_translation([x, 0.25, 0.125]).unwrap();
        let usual = closest(&a, &Pose::IDENTITY, &b, &pose_b, &mut Cache::default());
        for (name, run) in BOOLEANS {
            let answer = run(&a, &Pose::IDENTITY, &b, &pose_b);
            assert!(answer.iterations > 0, "{name} at {x}: {answer:?}");
            assert_eq!(
                (answer.overlap, answer.end),
                (usual.distance <= 0.0, End::Converged),
                "{name} at {x}: {answer:?}"
            );
        }
        for (name, run) in DISTANCES {
            let answer = run(&a, &Pose::IDENTITY, &b, &pose_b);
            assert!(answer.iterations > 0, "{name} at {x}: {answer:?}");
            assert!(answer.lower <= usual.upper && usual.lower <= answer.upper, "{name} at {x}: {answer:?}");
        }
    }
}

/// Supports of a shape that is not known by its kind: as many as the steps that an answer says it took.
#[test]
fn every_support_is_a_step() {
    let mut rng = Rng::new(71);
    for case in 0..400 {
        let counted = Arc::new(Counted { shape: shape(&mut rng), asked: AtomicU32::new(0) });
        let (a, b) = (Shape::custom(counted.clone()).unwrap(), shape(&mut rng));
        let (pose_a, pose_b) = (pose(&mut rng, 2.0), pose(&mut rng, 2.5));
        let asked = || counted.asked.swap(0, Ordering::Relaxed);
        asked();
        for (name, run) in BOOLEANS {
            let steps = run(&a, &pose_a, &b, &pose_b).iterations;
            // Portal refinement looks for a point inside of what it does not know, and for the place of its plane.
            let more = if name == "mpr" { 15 } else { 0 };
            let asked = asked();
            assert!(asked >= steps && asked <= steps + more, "{case}, {name}: {asked} supports in {steps} steps");
        }
        for (name, run) in DISTANCES {
            let steps = run(&a, &pose_a, &b, &pose_b).iterations;
            let more = if name == "mpr" { 15 } else { 0 };
            let asked = asked();
            assert!(asked >= steps && asked <= steps + more, "{case}, {name}: {asked} supports in {steps} steps");
        }
    }
}

#[test]
fn booleans_agree_with_the_verb_wherever_they_decide() {
    let mut rng = Rng::new(72);
    let mut decided = BOOLEANS.map(|(name, _)| HitRate::new(name));
    let mut overlaps = HitRate::new("overlapping");
    for case in 0..2000 {
        let (a, b) = (shape(&mut rng), shape(&mut rng));
        let (pose_a, pose_b) = (pose(&mut rng, 2.0), pose(&mut rng, 2.0));
        let usual = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
        overlaps.record(overlap(&a, &pose_a, &b, &pose_b, &mut Cache::default()).overlap);
        let doubt = if SINGLE { 1e-4 } else { 1e-9 };
        for (rate, (name, run)) in decided.iter_mut().zip(BOOLEANS) {
            let answer = run(&a, &pose_a, &b, &pose_b);
            if rate.record(answer.end == End::Converged) && usual.distance.abs() > doubt {
                assert_eq!(answer.overlap, usual.distance < 0.0, "{case}, {name}: {answer:?}, {usual:?}");
            }
            let decided = matches!(answer.witness, Witness::Plane { .. } | Witness::Point(_));
            assert_eq!(decided, answer.end == End::Converged, "{case}, {name}: {answer:?}");
        }
    }
    // Separating vectors leave open what no tetrahedron proves: deep overlaps of curved bodies among them.
    for (rate, least) in decided.iter().zip([0.99, 0.99, 0.9, 0.9]) {
        rate.assert_between(least, 1.0);
    }
    overlaps.assert_between(0.2, 0.8);
}

#[test]
fn distances_and_depths_agree_with_the_verb_within_bounds() {
    let mut rng = Rng::new(73);
    let mut converged = DISTANCES.map(|(name, _)| HitRate::new(name));
    for case in 0..1500 {
        let (a, b) = (shape(&mut rng), shape(&mut rng));
        let (pose_a, pose_b) = (pose(&mut rng, 2.0), pose(&mut rng, 2.0));
        let usual = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
        for (rate, (name, run)) in converged.iter_mut().zip(DISTANCES) {
            let answer = run(&a, &pose_a, &b, &pose_b);
            let context = || format!("{case}, {name}: {answer:?}, {usual:?}");
            assert!(answer.lower <= usual.upper && usual.lower <= answer.upper, "{}", context());
            assert!(answer.lower <= answer.distance && answer.distance <= answer.upper, "{}", context());
            let off = (answer.points[1] - answer.points[0] - answer.normal * answer.distance).length();
            assert!(widen_real(off) <= 1024.0 * u() * 8.0, "{}", context());
            rate.record(answer.end == End::Converged);
            for (body, pose, point) in [(&a, &pose_a, answer.points[0]), (&b, &pose_b, answer.points[1])] {
                // In the body, or on its surface: no supporting plane has it beyond. Estimates have points of portals.
                let beyond = |d: Vec3| {
                    let local = pose.direction_to_local(d);
                    let reach = body.support(local, VertexId::NONE).point;
                    d.dot(point) - d.dot(pose.point(reach))
                };
                let axes = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE.normalize(), answer.normal];
                let most = axes.into_iter().flat_map(|d| [d, -d]).map(beyond).fold(-1.0, Real::max);
                assert!(name == "mpr" || most <= if SINGLE { 2e-3 } else { 1e-4 }, "{most} {}", context());
            }
            if name != "mpr" && answer.end == End::Converged {
                let stated = 2e-3 * usual.distance.min(0.0).abs() + if SINGLE { 1e-3 } else { 1e-6 };
                assert!((answer.distance - usual.distance).abs() <= stated, "{}", context());
            }
        }
    }
    // Portal refinement has no distance: half of the pairs.
    converged[..4].iter().for_each(|rate| rate.assert_between(0.97, 1.0));
    converged[4].assert_between(0.3, 0.8);
}

/// The swept kind has no step where the expanding polytope takes over, and is the distance less the margin everywhere.
#[test]
fn sweeping_adds_the_margin_on_both_sides_of_contact() {
    let mut rng = Rng::new(74);
    let mut deep = HitRate::new("deeper than the margin");
    for case in 0..300 {
        let (a, b) = (Shape::cuboid([1.0, 0.5, 0.75]).unwrap(), shape(&mut rng));
        let turn = rng.rotation();
        let direction = rng.unit_vector();
        let margin = rng.uniform(0.01, 0.3);
        let mut last: Option<f64> = None;
        for step in 0..40 {
            let pose_b = pose_of(direction * (3.5 - 0.075 * f64::from(step)), turn);
            let cache = &mut PairCache::default();
            let swept = swept_gjk::closest(margin as Real, &a, &Pose::IDENTITY, &b, &pose_b, cache);
            let near = closest(&a, &Pose::IDENTITY, &b, &pose_b, &mut Cache::default());
            let (signed, plain) = (widen_real(swept.distance), widen_real(near.distance));
            deep.record(signed < -2.0 * margin);
            let slack = 2e-3 * plain.min(0.0).abs() + if SINGLE { 1e-3 } else { 1e-6 };
            assert!((signed - (plain - 2.0 * margin)).abs() <= slack, "{case}.{step}: {swept:?} {near:?}");
            assert!(swept.lower <= swept.distance && swept.distance <= swept.upper);
            // A signed distance changes no more than the bodies move.
            assert!(last.is_none_or(|last| (last - signed).abs() <= 0.075 + 2.0 * slack), "{case}.{step}");
            last = Some(signed);
            let alone = distance_by(SubAlgorithm::Regions, &a, &Pose::IDENTITY, &b, &pose_b, &mut PairCache::default());
            assert!(alone.is_ok() || plain <= 1e-3, "{case}.{step}: {alone:?}");
        }
    }
    deep.assert_between(0.2, 0.9);
}

/// Depths by SA-GJK and the expanding polytope: of pairs that overlap, and the boolean of those that do not; every support is a step.
#[test]
fn depths_follow_the_boolean() {
    let mut rng = Rng::new(75);
    let (mut deep, mut converged) = (HitRate::new("overlapping"), HitRate::new("converged"));
    for case in 0..1500 {
        let counted = Arc::new(Counted { shape: shape(&mut rng), asked: AtomicU32::new(0) });
        let (a, b) = (Shape::custom(counted.clone()).unwrap(), shape(&mut rng));
        let (pose_a, pose_b) = (pose(&mut rng, 2.0), pose(&mut rng, 2.0));
        counted.asked.store(0, Ordering::Relaxed);
        let answer = epa::depth(&a, &pose_a, &b, &pose_b, &mut PairCache::default());
        let asked = counted.asked.load(Ordering::Relaxed);
        let usual = closest(&counted.shape, &pose_a, &b, &pose_b, &mut Cache::default());
        let doubt = if SINGLE { 1e-4 } else { 1e-9 };
        deep.record(answer.is_ok());
        match answer {
            Ok(answer) => {
                assert!(usual.distance <= doubt, "{case}: {answer:?}, {usual:?}");
                assert!(answer.lower <= usual.upper && usual.lower <= answer.upper, "{case}: {answer:?}, {usual:?}");
                assert_eq!(answer.iterations, asked, "{case}: {answer:?}");
                converged.record(answer.end == End::Converged);
            }
            Err(boolean) => {
                assert!(!boolean.overlap && usual.distance >= -doubt, "{case}: {boolean:?}, {usual:?}");
                assert_eq!(boolean.iterations, asked, "{case}: {boolean:?}");
            }
        }
    }
    deep.assert_between(0.2, 0.8);
    converged.assert_between(0.97, 1.0);
}
