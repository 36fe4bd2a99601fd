//! Manifolds of needles, plates and rods: every point is on both bodies, to rounding, however slender they are.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{narrow_real, widen, widen_real};
use clearance::tolerance::sigma;
use clearance::{Cache, Manifold, ManifoldOptions, Polytope, Pose, Shape, closest, manifold};
use clearance_testkit::{HitRate, PosedSolid, Rng};
use common::{SINGLE, held, narrowed, pose_of, solid_of, unposed};
use glam::{DMat3, DQuat, DVec3};

fn placed(polytope: &Polytope, pose: &Pose) -> PosedSolid {
    let m = pose.matrix();
    let matrix = DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis));
    PosedSolid::new(&solid_of(polytope), matrix, widen(pose.translation()))
}

fn error(a: &Shape, b: &Shape, pose_b: &Pose) -> f64 {
    widen_real(sigma(a.bounding_radius() + b.bounding_radius() + pose_b.translation().abs().element_sum()))
}

/// What holds of every manifold: one point is as deep as the whole, none is deeper, and points differ by their depth.
fn judge(contact: &Manifold, near: f64, error: f64) {
    let deepest = contact.points.iter().map(|p| widen_real(p.distance)).fold(f64::INFINITY, f64::min);
    assert!((deepest - near).abs() <= 20.0 * error, "{near} {contact:?}");
    for p in &contact.points {
        let off = widen(p.points[1] - p.points[0]) - widen(p.normal) * widen_real(p.distance);
        assert!(off.length() <= 8.0 * error, "{contact:?}");
    }
}

#[test]
fn points_are_on_needles_and_plates() {
    let mut rng = Rng::new(501);
    let [mut met, mut several] = ["in contact", "more than one point"].map(HitRate::new);
    for _ in 0..9000 {
        let thin = rng.log_uniform(if SINGLE { 1e-4 } else { 1e-13 }, 0.1);
        let wide = if rng.chance(0.7) { thin } else { 0.3 };
        let scale = rng.log_uniform(1.0, 1e5);
        let mut points = || -> Vec<DVec3> {
            (0..4 + rng.index(6)).map(|_| rng.in_ball(1.0) * DVec3::new(1.0, wide, thin) * scale).collect()
        };
        let (p, q) = (points(), points());
        let q = if rng.chance(0.5) { &p } else { &q };
        let hulls = [&p, q].map(|points| Polytope::from_points(&narrowed(points)).ok());
        let [Some(a), Some(b)] = hulls else { continue };
        let angle = if rng.chance(0.3) { 0.0 } else { rng.log_uniform(1e-6, 1.0) };
        let turn = DQuat::from_axis_angle(rng.unit_vector(), angle);
        // Tip at tip, or crossing somewhere.
        let across = DVec3::new(rng.uniform(-1.5, 1.5), thin * rng.uniform(-1.0, 1.0), thin * rng.uniform(-1.0, 1.0));
        let at = if rng.chance(0.3) { DVec3::X * rng.uniform(1.5, 1.9) } else { across } * scale;
        let pose_b = pose_of(at, turn);
        let solids = [placed(&a, &Pose::IDENTITY), placed(&b, &pose_b)];
        let (a, b) = (Shape::from(a), Shape::from(b));
        let options = ManifoldOptions { margin: narrow_real(0.1 * thin * scale), ..ManifoldOptions::default() };
        let contact = manifold(&a, &Pose::IDENTITY, &b, &pose_b, &mut Cache::default(), &options);
        met.record(contact.is_some());
        let Some(contact) = contact else { continue };
        let near = closest(&a, &Pose::IDENTITY, &b, &pose_b, &mut Cache::default());
        let error = error(&a, &b, &pose_b);
        judge(&contact, widen_real(near.distance), error);
        several.record(contact.points.len() > 1);
        for p in &contact.points {
            for (solid, point) in solids.iter().zip(p.points) {
                let outside = solid.outside_by(widen(point)) / error;
                assert!(outside <= 64.0, "{thin}: outside by {outside} errors: {p:?} in {contact:?}");
            }
        }
    }
    met.assert_between(0.1, 0.9);
    several.assert_between(0.1, 0.99);
}

/// How far a point is from the side of a rounded rod or a cylinder about the x or the z axis, inside or outside.
fn off_side(point: DVec3, axis: DVec3, radius: f64) -> f64 {
    ((point - axis * axis.dot(point)).length() - radius).abs()
}

/// Rods that lie along each other, at angles from nothing to a hundredth: points are on both surfaces, and lines touch in two.
#[test]
fn points_are_on_rods() {
    let mut rng = Rng::new(502);
    let [mut met, mut several] = ["in contact", "two points"].map(HitRate::new);
    for i in 0..4000 {
        let [r, s] = [0, 1].map(|_| held(rng.log_uniform(0.05, 0.5)));
        let is_capsule = i % 2 == 0;
        let rod = |radius: f64| {
            let radius = narrow_real(radius);
            if is_capsule { Shape::capsule(1.0, radius) } else { Shape::cylinder(1.0, radius) }.unwrap()
        };
        let (a, b) = (rod(r), rod(s));
        let (axis, aside, up) =
            if is_capsule { (DVec3::X, DVec3::Y, DVec3::Z) } else { (DVec3::Z, DVec3::Y, DVec3::X) };
        let angle = if rng.chance(0.3) { 0.0 } else { rng.log_uniform(1e-12, 1e-2) };
        let at = up * (r + s - rng.uniform(0.0, 0.1) * r.min(s)) + axis * rng.uniform(-0.5, 0.5);
        let around = DQuat::from_axis_angle(axis, rng.uniform(0.0, 6.0));
        let pose_b =
            pose_of(around * at, around * DQuat::from_axis_angle(up, angle) * DQuat::from_axis_angle(aside, 0.0));
        let contact = manifold(&a, &Pose::IDENTITY, &b, &pose_b, &mut Cache::default(), &ManifoldOptions::default());
        met.record(contact.is_some());
        let Some(contact) = contact else { continue };
        let near = closest(&a, &Pose::IDENTITY, &b, &pose_b, &mut Cache::default());
        let error = error(&a, &b, &pose_b);
        judge(&contact, widen_real(near.distance), error);
        if angle < 1e-5 {
            several.record(contact.points.len() >= 2);
        }
        for p in &contact.points {
            let off_a = off_side(widen(p.points[0]), axis, r);
            let off_b = off_side(unposed(&pose_b, widen(p.points[1])), axis, s);
            let most = 64.0 * error;
            assert!(
                off_a <= most && off_b <= most,
                "angle {angle}: off by {off_a} and {off_b}: {a:?} {b:?} {pose_b:?} {contact:?}"
            );
        }
    }
    met.assert_between(0.9, 1.0);
    several.assert_between(0.95, 1.0);
}
