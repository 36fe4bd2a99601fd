//! `within` against the signed distance, near the distance asked for and far from it, for bodies of every kind and padded ones.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::meshes;
use clearance::math::{narrow, narrow_real, widen_real};
use clearance::{
    Body, Cache, Compound, HalfSpace, HeightField, Mesh, PointCloud, Pose, Real, Shape, Vec3, Within, Witness, closest,
    overlap, within,
};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use glam::DVec3;
use meshes::{body, pose};

fn catalogue(rng: &mut Rng) -> Vec<Body> {
    let mut seeds = Rng::new(rng.index(1 << 30) as u64);
    let ball = Body::from(Shape::sphere(0.3).unwrap());
    let notched = body(&Polyhedron::notched().mapped(|p| p * 0.6));
    let sheet = Mesh::new(&[[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.0, 0.5, 0.2]].map(Vec3::from), &[[0, 1, 2]]);
    let points: Vec<Vec3> = (0..50).map(|_| narrow(rng.in_ball(0.8))).collect();
    let heights: Vec<Vec<Real>> =
        (0..6).map(|_| (0..6).map(|_| narrow_real(rng.uniform(-0.3, 0.3))).collect()).collect();
    let parts = [(ball.clone(), pose(rng, DVec3::X)), (notched.clone(), pose(rng, -DVec3::X))];
    vec![
        body(&Polyhedron::star(1, |_| seeds.uniform(0.4, 1.0))),
        notched.clone(),
        notched.padded(narrow_real(rng.uniform(0.01, 0.4))).unwrap(),
        body(&Polyhedron::cuboid(DVec3::new(0.6, 0.3, 0.2))),
        sheet.unwrap().into(),
        Compound::new(parts).unwrap().into(),
        ball,
        Shape::cuboid([0.9, 0.1, 0.4]).unwrap().into(),
        Shape::cone(0.8, 0.4).unwrap().into(),
        HeightField::new(&heights, [0.3, 0.3]).unwrap().into(),
        PointCloud::new(&points, 0.05).unwrap().into(),
        HalfSpace::new(Vec3::Z, narrow_real(rng.uniform(-1.0, 0.0))).unwrap().into(),
    ]
}

/// How far a point is outside of a body.
fn outside(body: &Body, at: &Pose, point: Vec3) -> f64 {
    let place = Pose::from_translation(point).unwrap();
    let near = closest(body, at, &Shape::sphere(1e-6).unwrap(), &place, &mut Cache::default());
    widen_real(near.distance)
}

fn check(found: &Within, [a, b]: [&Body; 2], [pose_a, pose_b]: [&Pose; 2], asked: f64, rounding: f64, what: &str) {
    match found.witness {
        Witness::Points([on_a, on_b]) => {
            assert!(found.within, "{what}");
            assert!(widen_real((on_b - on_a).length()) <= asked.max(0.0) + rounding, "{what}");
            assert!(outside(a, pose_a, on_a) <= rounding && outside(b, pose_b, on_b) <= rounding, "{what}");
        }
        Witness::Gap(gap) => assert!(!found.within && widen_real(gap) >= asked - rounding, "{what}"),
        Witness::Plane { offset_a, offset_b, .. } => {
            assert!(!found.within && widen_real(offset_b - offset_a) >= asked - rounding, "{what}");
        }
        Witness::Point(_) => panic!("{what}"),
    }
}

#[test]
fn within_is_the_boolean_of_the_distance() {
    let mut rng = Rng::new(3);
    let [mut hits, mut decided] = ["within", "clearly either"].map(HitRate::new);
    for case in 0..3000 {
        let all = catalogue(&mut rng);
        let (i, j) = (rng.index(all.len()), rng.index(all.len()));
        let (a, b) = (&all[i], &all[j]);
        let at = rng.unit_vector() * rng.uniform(0.3, 3.0);
        let (pose_a, pose_b) = (pose(&mut rng, DVec3::ZERO), pose(&mut rng, at));
        let near = closest(a, &pose_a, b, &pose_b, &mut Cache::default());
        let distance = widen_real(near.distance);
        if !distance.is_finite() {
            continue;
        }
        let rounding = if cfg!(single_precision) { 3e-5 } else { 1e-9 } + 1e-6;
        let mut cache = Cache::default();
        for asked in [0.0, distance, distance * 0.9, distance * 1.1, rng.uniform(0.0, 2.0), distance + 1e-4, -0.05] {
            let asked_for = narrow_real(asked);
            let found = within(a, &pose_a, b, &pose_b, asked_for, &mut cache);
            let what = format!("{case}: {i} {j} asked {asked}, {near:?} {found:?}");
            let is_clear = (distance - asked).abs() > rounding && widen_real(near.upper - near.lower) < rounding;
            decided.record(is_clear);
            if is_clear {
                assert_eq!(found.within, distance < asked, "{what}");
            }
            hits.record(found.within);
            if asked >= 0.0 {
                check(&found, [a, b], [&pose_a, &pose_b], asked, rounding, &what);
            }
            assert!(found.lower <= found.upper, "{what}");
            assert!(found.lower <= near.upper && near.lower <= found.upper, "{what}");
        }
        let met = overlap(a, &pose_a, b, &pose_b, &mut cache);
        assert!(met.overlap == (distance <= 0.0) || distance.abs() < rounding, "{case}: {i} {j} {near:?} {met:?}");
    }
    hits.assert_between(0.3, 0.8);
    decided.assert_between(0.4, 1.0);
}
