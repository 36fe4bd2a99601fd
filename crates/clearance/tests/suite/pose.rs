//! The promise: a pose is checked when it is made, stays a rigid motion through any chain, and loses nothing far from the
//! origin; boxes, aligned and oriented, bound what they say.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common;
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::tolerance::LARGEST_SIZE;
use clearance::{Aabb, Mat3, Pose, PoseError, Real, Vec3};
use clearance_testkit::Rng;
use common::{pose_of, posed, random_pose, u};
use glam::{DMat3, DVec3};

fn wide(m: Mat3) -> DMat3 {
    DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis))
}

/// A stored quaternion's length is off by d ≤ 3 u (its square by 2.5 u, then a root, a division and a product). Its matrix is
/// R + 2 d (R − I), and the product of two columns so off by 8 d at most. Each entry is three more roundings off, which in
/// the product of two columns of length one makes 6 √3 u: 24 + 10.4.
const SKEW: f64 = 36.0;

/// The largest entry of `MᵀM − I`.
fn skew(m: Mat3) -> f64 {
    let defect = wide(m).transpose() * wide(m) - DMat3::IDENTITY;
    defect.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max)
}

#[test]
fn bad_numbers_are_named() {
    let unit: [Real; 4] = [0.0, 0.0, 0.0, 1.0];
    for bad in [Real::NAN, Real::INFINITY, Real::NEG_INFINITY] {
        for (i, axis) in ['x', 'y', 'z'].into_iter().enumerate() {
            let mut translation = [1.0; 3];
            translation[i] = bad;
            let new = Pose::new(translation, unit).expect_err("a bad translation");
            assert!(matches!(new, PoseError::Translation { axis: a, .. } if a == axis), "{new}");
            let from = Pose::from_translation(translation).expect_err("a bad translation");
            assert!(matches!(from, PoseError::Translation { axis: a, .. } if a == axis), "{from}");
        }
        for (i, component) in ['x', 'y', 'z', 'w'].into_iter().enumerate() {
            let mut rotation = unit;
            rotation[i] = bad;
            let error = Pose::new([0.0; 3], rotation).expect_err("a bad rotation");
            assert!(matches!(error, PoseError::Rotation { component: c, .. } if c == component), "{error}");
        }
    }
    let beyond = LARGEST_SIZE.next_up();
    let error = Pose::from_translation([0.0, -beyond, 0.0]).expect_err("too far");
    assert_eq!(error, PoseError::Translation { axis: 'y', value: -beyond });
    assert!(Pose::from_translation([LARGEST_SIZE, -LARGEST_SIZE, 0.0]).is_ok());
}

#[test]
fn quaternions_off_by_less_than_a_millionth_are_brought_to_unit_length() {
    let mut rng = Rng::new(701);
    for _ in 0..1000 {
        let q = rng.rotation();
        let scaled = |factor: f64| (q * factor).to_array().map(narrow_real);
        // The length itself is computed to a few roundings, 2e-7 in single precision.
        for factor in [1.0 - 0.75e-6, 1.0, 1.0 + 0.75e-6] {
            let pose = Pose::new([0.0; 3], scaled(factor)).unwrap();
            assert!((widen_real(pose.rotation().length()) - 1.0).abs() <= 4.0 * u());
            assert!(skew(pose.matrix()) <= SKEW * u(), "{}", skew(pose.matrix()));
            let expected = DMat3::from_quat(q) * DVec3::new(1.0, 2.0, 3.0);
            let off = (widen(pose.direction(Vec3::new(1.0, 2.0, 3.0))) - expected).length();
            assert!(off <= 16.0 * u() * 4.0, "{off}");
        }
        for factor in [0.0, 0.5, 1.0 - 1.25e-6, 1.0 + 1.25e-6, 2.0] {
            let error = Pose::new([0.0; 3], scaled(factor)).expect_err("not unit");
            let PoseError::NotUnit { length } = error else { panic!("{error}") };
            assert!((widen_real(length) - factor).abs() <= 8.0 * u() * factor, "{length} for {factor}");
        }
    }
}

#[test]
fn a_million_compositions_stay_a_rotation() {
    let mut rng = Rng::new(702);
    let steps: Vec<Pose> = (0..1000).map(|_| random_pose(&mut rng, 1.0)).collect();
    let mut pose = Pose::IDENTITY;
    for i in 0..1_000_000 {
        pose = pose.compose(&rng.pick(&steps));
        if i % 1000 == 0 || i == 999_999 {
            assert!(skew(pose.matrix()) <= SKEW * u(), "after {i}: {}", skew(pose.matrix()));
            assert!((wide(pose.matrix()).determinant() - 1.0).abs() <= 1.5 * SKEW * u());
            assert!((widen_real(pose.rotation().length()) - 1.0).abs() <= 4.0 * u());
        }
    }
    // The translations are a walk of a million steps below one: about the square root of that, surely not more.
    assert!((100.0..10_000.0).contains(&widen(pose.translation()).length()));
}

#[test]
fn composition_is_one_motion_after_the_other() {
    let mut rng = Rng::new(703);
    for _ in 0..2000 {
        let [outer, inner] = [0; 2].map(|_| random_pose(&mut rng, 3.0));
        let p = narrow(rng.in_ball(3.0));
        let both = outer.compose(&inner).point(p);
        // Sizes up to 9; two matrix products of three terms, a quaternion product and its matrix: 32 u.
        assert!(widen(both - outer.point(inner.point(p))).length() <= 32.0 * u() * 9.0);
        assert!((widen(outer.point(p)) - posed(&outer, widen(p))).length() <= 8.0 * u() * 6.0);
    }
}

#[test]
fn inverses_and_local_frames_undo() {
    let mut rng = Rng::new(704);
    for _ in 0..2000 {
        let pose = random_pose(&mut rng, 5.0);
        let p = narrow(rng.in_ball(3.0));
        let d = narrow(rng.unit_vector());
        // Out and back is two matrix products, 6 u each, and the matrix's own defect; sizes are up to 8.
        let close = |a: Vec3, b: Vec3, size: f64| widen(a - b).length() <= (SKEW + 12.0) * u() * size;
        assert!(close(pose.point_to_local(pose.point(p)), p, 8.0));
        assert!(close(pose.inverse().point(pose.point(p)), p, 8.0));
        assert!(close(pose.inverse().inverse().point(p), pose.point(p), 8.0));
        assert!(close(pose.direction_to_local(pose.direction(d)), d, 1.0));
        assert!(close(pose.inverse().direction(d), pose.direction_to_local(d), 1.0));
        let nothing = pose.compose(&pose.inverse());
        assert!(close(nothing.point(p), p, 16.0));
        assert!(close(pose.relative_to(&pose).point(p), p, 3.0));
        assert_eq!(pose.relative_to(&pose).translation(), Vec3::ZERO);
    }
    assert_eq!(Pose::default(), Pose::IDENTITY);
    assert_eq!(Pose::IDENTITY.point(Vec3::new(1.0, 2.0, 3.0)), Vec3::new(1.0, 2.0, 3.0));
}

#[test]
fn relative_poses_lose_nothing_far_from_the_origin() {
    let mut rng = Rng::new(705);
    let far = DVec3::new(1.0e6, -2.0e6, 0.5e6);
    for _ in 0..2000 {
        // A sixteenth is the spacing of single precision at a million: both translations are exact.
        let apart = (rng.in_ball(1.0) * 8.0).round() / 8.0;
        let (frame, other) = (pose_of(far, rng.rotation()), pose_of(far + apart, rng.rotation()));
        assert_eq!(widen(other.translation()) - widen(frame.translation()), apart);
        let relative = other.relative_to(&frame);
        let expected = wide(frame.matrix()).transpose() * apart;
        // Three products and two sums.
        assert!((widen(relative.translation()) - expected).length() <= 8.0 * u() * apart.length());
        let turned = wide(frame.matrix()).transpose() * wide(other.matrix());
        let off = (wide(relative.matrix()) - turned).to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
        assert!(off <= 8.0 * u() && skew(relative.matrix()) <= (2.0 * SKEW + 8.0) * u());
        let quaternion = Mat3::from_quat(relative.rotation());
        assert!(
            (wide(quaternion) - wide(relative.matrix())).to_cols_array().into_iter().all(|x| x.abs() <= 32.0 * u())
        );
    }
}

#[test]
fn aligned_boxes() {
    let unit = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
    assert_eq!(Aabb::from_points([Vec3::ONE, Vec3::ZERO, Vec3::splat(0.5)]), unit);
    assert_eq!(Aabb::from_points([]), Aabb::EMPTY);
    assert_eq!(Aabb::EMPTY.union(&unit), unit);
    assert!(!Aabb::EMPTY.overlaps(&unit) && !Aabb::EMPTY.contains(Vec3::ZERO));
    assert_eq!((unit.center(), unit.half_extents(), unit.half_area()), (Vec3::splat(0.5), Vec3::splat(0.5), 3.0));
    assert!(unit.contains(Vec3::ZERO) && unit.contains(Vec3::ONE) && !unit.contains(Vec3::new(0.5, 0.5, 1.5)));
    let moved = |by: Vec3| Aabb { min: unit.min + by, max: unit.max + by };
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        assert!(unit.overlaps(&moved(axis)) && unit.overlaps(&moved(-axis)), "closed boxes touch");
        assert!(!unit.overlaps(&moved(axis * 1.25)) && !unit.overlaps(&moved(axis * -1.25)));
        assert_eq!(unit.union(&moved(axis)).max, Vec3::ONE + axis);
    }
    assert_eq!(unit.grown(0.5), Aabb { min: Vec3::splat(-0.5), max: Vec3::splat(1.5) });
}
