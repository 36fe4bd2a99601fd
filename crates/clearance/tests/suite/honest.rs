//! What `Converged` promises holds for every size, for supports that are none, and for what is done with a depth: bounds are as close as is stated,
//! numbers are numbers, touching means one thing, and a depth separates.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use std::sync::Arc;

use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::tolerance::{COARSE_DEPTH_GAP, RELATIVE_GAP, STALL_SIGMAS, STATED_SIGMAS, sigma};
use clearance::{
    Cache, Closest, Contact, End, ManifoldOptions, Polytope, Pose, Real, Shape, Support, SupportPoint, Vec3, VertexId,
    Witness, closest, manifold, overlap,
};
use clearance_testkit::{HitRate, MinkowskiDifference, PairFamily, PosedSolid, Rng};
use common::bodies::catalogue;
use common::{SINGLE, narrowed, pose_of, solid_of, u};
use glam::{DMat3, DQuat, DVec3};

fn error(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> f64 {
    let between = (pose_b.translation() - pose_a.translation()).abs().element_sum();
    widen_real(sigma(a.bounding_radius() + b.bounding_radius() + between))
}

/// Whether an answer that converged has bounds as close as is stated.
fn is_as_stated(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, near: &Closest) -> bool {
    let flat = a.core().is_polyhedral() && b.core().is_polyhedral();
    let core = widen_real(near.distance + a.radius() + b.radius());
    let gap = match (flat, core > 0.0) {
        (true, _) => 0.0,
        (_, true) => STALL_SIGMAS * RELATIVE_GAP,
        _ => COARSE_DEPTH_GAP,
    };
    // The size of a pair is taken in the frame of A, where a sum of components may be 1.74 times what it is here.
    let most = widen_real(STATED_SIGMAS) * 1.75 * error(a, pose_a, b, pose_b) + widen_real(gap) * core.abs();
    widen_real(near.upper - near.lower) <= most
}

/// One meaning in both verbs, and the witness that goes with it.
fn same_contact(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, near: &Closest) {
    let met = overlap(a, pose_a, b, pose_b, &mut Cache::default());
    let certain = met.end == End::Converged && near.end == End::Converged;
    let same = met.overlap == (near.contact != Contact::Apart);
    assert!(same || !certain, "{a:?} {pose_a:?} {b:?} {pose_b:?} {met:?} {near:?}");
    let shown = matches!(met.witness, Witness::Point(_) | Witness::Points(_));
    assert_eq!(met.overlap, shown, "{met:?}");
    assert!(met.end != End::Converged || !matches!(met.witness, Witness::Points(_)), "{met:?}");
}

#[test]
fn bodies_of_every_size() {
    let mut rng = Rng::new(1201);
    let exponents: &[i32] = if SINGLE { &[-8, -6, 0, 6, 8] } else { &[-74, -72, -69, -66, -40, -20, 0, 20, 60, 74] };
    let mut met = HitRate::new("overlapping");
    for &exponent in exponents {
        let scale = 10f64.powi(exponent);
        let bodies = catalogue(scale);
        let mut converged = HitRate::new("converged");
        for _ in 0..120 {
            let (a, b) = (&bodies[rng.index(bodies.len())].shape, &bodies[rng.index(bodies.len())].shape);
            let reach = widen_real(a.bounding_radius()) / scale + widen_real(b.bounding_radius()) / scale;
            let at = rng.in_ball(0.9 * reach) * scale;
            let (pose_a, pose_b) = (pose_of(DVec3::ZERO, rng.rotation()), pose_of(at, rng.rotation()));
            let near = closest(a, &pose_a, b, &pose_b, &mut Cache::default());
            assert!(near.lower <= near.distance && near.distance <= near.upper, "{near:?}");
            let stated = near.end != End::Converged || is_as_stated(a, &pose_a, b, &pose_b, &near);
            assert!(stated, "{exponent}: {a:?} {pose_a:?} {b:?} {pose_b:?} {near:?}");
            same_contact(a, &pose_a, b, &pose_b, &near);
            converged.record(near.end == End::Converged);
            met.record(near.distance < 0.0);
        }
        converged.assert_between(0.99, 1.0);
    }
    met.assert_between(0.2, 0.9);
}

/// Adversarial hulls, down to sizes whose fourth powers are barely numbers.
#[test]
fn hulls_of_every_size() {
    let mut rng = Rng::new(1202);
    let exponents: &[i32] = if SINGLE { &[0] } else { &[-72, -69, -66, 0, 60] };
    for &exponent in exponents {
        let scale = 10f64.powi(exponent);
        let mut converged = HitRate::new("converged");
        for family in PairFamily::ALL {
            for _ in 0..100 {
                let case = family.generate(&mut rng);
                let grown = |points: &[DVec3]| narrowed(&points.iter().map(|p| *p * scale).collect::<Vec<_>>());
                let shapes = [&case.a, &case.b].map(|points| Shape::polytope(&grown(points)).ok());
                let [Some(a), Some(b)] = shapes else { continue };
                let [pose_a, pose_b] = [case.pose_a, case.pose_b].map(|(turn, at)| pose_of(at * scale, turn));
                let near = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
                let stated = near.end != End::Converged || is_as_stated(&a, &pose_a, &b, &pose_b, &near);
                assert!(stated, "{exponent}: {near:?}");
                same_contact(&a, &pose_a, &b, &pose_b, &near);
                converged.record(near.end == End::Converged);
            }
        }
        converged.assert_between(0.99, 1.0);
    }
}

/// Supports that are no supports, by kind; along the axes they are those of a cube, or they would be refused.
struct Nonsense(u32);

impl Support for Nonsense {
    fn support(&self, d: Vec3, _hint: VertexId) -> SupportPoint {
        let bits = widen(d).to_array().map(f64::to_bits);
        let mixed = (bits[0] ^ bits[1].rotate_left(17) ^ bits[2].rotate_left(31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let x = narrow_real((mixed >> 40) as f64 / (1u64 << 24) as f64);
        let (large, huge) = (narrow_real(if SINGLE { 1e20 } else { 1e30 }), narrow_real(1e300));
        let unit = narrow(widen(d).normalize_or(DVec3::X));
        if d.to_array().iter().filter(|x| **x != 0.0).count() == 1 {
            return unit.into();
        }
        match self.0 {
            0 => unit * large,
            1 => Vec3::splat(Real::NAN),
            2 => Vec3::new(x, 1.0 - x, x * x),
            3 => -unit,
            4 => Vec3::splat(Real::INFINITY),
            5 => d * huge,
            6 if x < 0.1 => Vec3::splat(Real::NAN),
            7 if x < 0.1 => Vec3::splat(large),
            8 => Vec3::splat(large) * (x - 0.5),
            9 if x < 0.1 => unit * -3.0,
            _ => unit,
        }
        .into()
    }
}

#[test]
fn supports_that_are_none_end_honestly() {
    let mut rng = Rng::new(1203);
    let bodies = catalogue(1.0);
    for kind in 0..10 {
        let mad = Shape::custom(Arc::new(Nonsense(kind))).unwrap();
        let mut converged = HitRate::new("converged");
        for i in 0..200 {
            let other = if i % 7 == 0 { &mad } else { &bodies[rng.index(bodies.len())].shape };
            let mad = if i % 5 == 0 { mad.clone().rounded(0.3).unwrap() } else { mad.clone() };
            let (a, b) = if i % 2 == 0 { (&mad, other) } else { (other, &mad) };
            let (pose_a, pose_b) = (pose_of(DVec3::ZERO, rng.rotation()), pose_of(rng.in_ball(4.0), rng.rotation()));
            let near = closest(a, &pose_a, b, &pose_b, &mut Cache::default());
            let numbers = near.points.iter().all(|p| p.is_finite()) && near.normal.is_finite();
            assert!(numbers && near.distance.is_finite(), "{kind}: {near:?}");
            assert!(near.lower <= near.distance && near.distance <= near.upper, "{kind}: {near:?}");
            let stated = near.end != End::Converged || is_as_stated(a, &pose_a, b, &pose_b, &near);
            assert!(stated, "{kind}: {near:?}");
            converged.record(near.end == End::Converged);
            overlap(a, &pose_a, b, &pose_b, &mut Cache::default());
            manifold(a, &pose_a, b, &pose_b, &mut Cache::default(), &ManifoldOptions::default());
        }
        // Points without end and points that are none are noticed; a wrong but finite point need not be.
        converged.assert_between(0.0, if [0, 1, 4, 5].contains(&kind) { 0.0 } else { 1.0 });
    }
}

/// Moved by its depth along its normal a body overlaps no more, and the manifold has that depth too.
#[test]
fn a_depth_separates_and_is_the_manifolds() {
    let mut rng = Rng::new(1204);
    let bodies = catalogue(1.0);
    let mut deep = HitRate::new("overlapping");
    for i in 0..5000 {
        let (a, b) = (&bodies[rng.index(bodies.len())].shape, &bodies[rng.index(bodies.len())].shape);
        let reach = widen_real(a.bounding_radius() + b.bounding_radius());
        let turn = |rng: &mut Rng| if i % 2 == 0 { DQuat::IDENTITY } else { rng.rotation() };
        let (pose_a, pose_b) =
            (pose_of(DVec3::ZERO, turn(&mut rng)), pose_of(rng.in_ball(0.7 * reach), turn(&mut rng)));
        let near = closest(a, &pose_a, b, &pose_b, &mut Cache::default());
        deep.record(near.distance < 0.0);
        if near.distance >= 0.0 {
            continue;
        }
        let error = error(a, &pose_a, b, &pose_b);
        let contact = manifold(a, &pose_a, b, &pose_b, &mut Cache::default(), &ManifoldOptions::default()).unwrap();
        let deepest = contact.points.iter().map(|p| widen_real(p.distance)).fold(f64::INFINITY, f64::min);
        let what = format!("{a:?} {pose_a:?} {b:?} {pose_b:?} {near:?}");
        assert!((deepest - widen_real(near.distance)).abs() <= 20.0 * error, "{deepest} {what} {contact:?}");
        let apart = pose_b.with_translation(pose_b.translation() - near.normal * near.distance).unwrap();
        let after = closest(a, &pose_a, b, &apart, &mut Cache::default());
        assert!(widen_real(after.upper) >= -8.0 * error, "{what}, then {after:?}");
    }
    deep.assert_between(0.3, 0.9);
}

/// Unit boxes, against exact arithmetic: the error is that of a few roundings of the coordinates.
#[test]
fn distances_of_boxes() {
    let mut rng = Rng::new(1205);
    let cube = Shape::cuboid([0.5; 3]).unwrap();
    let hull = Polytope::from_points(&common::cube(0.5).0).unwrap();
    let placed = |pose: &Pose| {
        let m = pose.matrix();
        let matrix = DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis));
        PosedSolid::new(&solid_of(&hull), matrix, widen(pose.translation()))
    };
    let mut apart = HitRate::new("apart");
    let (mut worst, mut sum) = (0.0f64, 0.0);
    for _ in 0..2000 {
        let at = rng.in_ball(4.0);
        let (pose_a, pose_b) = (pose_of(DVec3::ZERO, rng.rotation()), pose_of(at, rng.rotation()));
        let truth = MinkowskiDifference::new(&placed(&pose_a), &placed(&pose_b)).signed_distance().distance;
        apart.record(truth > 0.0);
        let near = closest(&cube, &pose_a, &cube, &pose_b, &mut Cache::default());
        let off = (widen_real(near.distance) - truth).abs() / u();
        (worst, sum) = (worst.max(off), sum + off);
    }
    println!("boxes within 4 of each other: worst {worst} u, mean {} u", sum / 2000.0);
    assert!(worst <= if SINGLE { 16.0 } else { 96.0 }, "{worst} u");
    apart.assert_between(0.5, 0.99);
}
