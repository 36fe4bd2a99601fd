//! The promise: poses, boxes, options and answers are plain data (features `serde` and `mint`). What is written is read back to
//! the same bits, and what a constructor would refuse is refused when read.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common;
use clearance::glam::{DMat4, DVec3};
use clearance::math::{widen, widen_real};
use clearance::{
    Aabb, Cache, Closest, Contact, End, Manifold, ManifoldOptions, Method, Overlap, Pose, PoseError, Real, Shape, Vec3,
    Witness, closest, manifold, overlap,
};
use clearance_testkit::Rng;
use common::{random_pose, u};
use serde_json::{Value, from_value, json, to_value};

/// Poses as they come about: given, composed, inverted.
fn poses(rng: &mut Rng) -> Vec<Pose> {
    let given: Vec<Pose> = (0..1000).map(|_| random_pose(rng, 100.0)).collect();
    let composed = given.windows(2).map(|two| two[0].compose(&two[1]));
    composed.chain(given.iter().map(Pose::inverse)).chain(given.iter().copied()).collect()
}

/// The message with which a pose is refused.
fn refused(pose: Value) -> String {
    from_value::<Pose>(pose).expect_err("a bad pose").to_string()
}

#[test]
fn poses_are_read_back_to_the_same_bits() {
    for pose in poses(&mut Rng::new(1)) {
        assert_eq!(from_value::<Pose>(to_value(pose).unwrap()).unwrap(), pose);
    }
    // A pose seen from another one has not been normalised: its rotation is read back up to rounding.
    let mut rng = Rng::new(2);
    for _ in 0..1000 {
        let pose = random_pose(&mut rng, 1.0).relative_to(&random_pose(&mut rng, 1.0));
        let read: Pose = from_value(to_value(pose).unwrap()).unwrap();
        assert_eq!(read.translation(), pose.translation());
        assert!(widen(read.point(Vec3::ONE) - pose.point(Vec3::ONE)).length() < 100.0 * u());
    }
}

#[test]
fn poses_are_checked_when_they_are_read() {
    assert_eq!(from_value::<Pose>(json!({})).unwrap(), Pose::IDENTITY);
    let moved = from_value::<Pose>(json!({"translation": [1, 2, 3]})).unwrap();
    assert_eq!(moved, Pose::from_translation([1.0, 2.0, 3.0]).unwrap());
    assert_eq!(
        to_value(Pose::IDENTITY).unwrap(),
        json!({"translation": [0.0, 0.0, 0.0], "rotation": [0.0, 0.0, 0.0, 1.0]})
    );
    // Brought to unit length, as by the constructor.
    let near = [0.0, 0.0, 0.6000012, 0.8];
    assert_eq!(
        from_value::<Pose>(json!({"rotation": near})).unwrap(),
        Pose::new([0.0; 3], near.map(|x| x as Real)).unwrap()
    );
    assert!(refused(json!({"rotation": [0, 0, 0, 2]})).contains("has length 2"));
    assert!(refused(json!({"rotation": [0, 0, 0, 0]})).contains("has length 0"));
    assert!(refused(json!({"translation": [0, 1e300, 0]})).contains("translation: component y"));
    assert!(refused(json!({"position": [0, 0, 0]})).contains("unknown field `position`"));
    assert!(refused(json!({"translation": [0, null, 0]})).contains("null"));
}

#[test]
fn answers_and_options_are_read_back() {
    let (a, b) = (Shape::cuboid([1.0, 2.0, 3.0]).unwrap(), Shape::sphere(0.5).unwrap());
    let mut rng = Rng::new(3);
    let mut overlapping = 0;
    for _ in 0..200 {
        let (pose_a, pose_b) = (random_pose(&mut rng, 2.0), random_pose(&mut rng, 2.0));
        let near = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
        assert_eq!(from_value::<Closest>(to_value(near).unwrap()).unwrap(), near);
        let hit = overlap(&a, &pose_a, &b, &pose_b, &mut Cache::default());
        assert_eq!(from_value::<Overlap>(to_value(hit).unwrap()).unwrap(), hit);
        overlapping += usize::from(hit.overlap);
        if let Some(contact) = manifold(&a, &pose_a, &b, &pose_b, &mut Cache::default(), &ManifoldOptions::default()) {
            assert_eq!(from_value::<Manifold>(to_value(&contact).unwrap()).unwrap(), contact);
        }
    }
    assert!((20..180).contains(&overlapping), "{overlapping}");
    // The words are those of `clearance query`.
    assert_eq!(to_value([End::Converged, End::IterationLimit]).unwrap(), json!(["converged", "iteration-limit"]));
    assert_eq!(to_value(Contact::Touching).unwrap(), json!("touching"));
    assert_eq!(to_value(Witness::Point(Vec3::X)).unwrap(), json!({"point": [1.0, 0.0, 0.0]}));
    let bounds = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
    assert_eq!(from_value::<Aabb>(to_value(bounds).unwrap()).unwrap(), bounds);
    let options: ManifoldOptions = from_value(json!({"method": "perturbed"})).unwrap();
    assert_eq!(options, ManifoldOptions { method: Method::Perturbed, ..ManifoldOptions::default() });
    assert!(from_value::<ManifoldOptions>(json!({"margins": 1})).is_err());
}

#[test]
fn poses_and_matrices_of_mint() {
    for pose in poses(&mut Rng::new(4)) {
        let matrix = mint::ColumnMatrix4::from(pose);
        let read = Pose::try_from(matrix).unwrap();
        assert_eq!(read.translation(), pose.translation());
        assert!(widen(read.direction(Vec3::ONE) - pose.direction(Vec3::ONE)).length() < 50.0 * u());
        let point = DMat4::from_cols_array_2d(&widened(matrix)).transform_point3(DVec3::ONE);
        assert!((point - widen(pose.point(Vec3::ONE))).length() < 1000.0 * u());
    }
    let turn: mint::Quaternion<Real> = Pose::IDENTITY.rotation().into();
    let place: mint::Vector3<Real> = Vec3::new(1.0, 2.0, 3.0).into();
    assert_eq!(Pose::new(place, turn).unwrap(), Pose::from_translation([1.0, 2.0, 3.0]).unwrap());
}

/// The matrix in f64: exact.
fn widened(matrix: mint::ColumnMatrix4<Real>) -> [[f64; 4]; 4] {
    <[[Real; 4]; 4]>::from(matrix).map(|column| column.map(widen_real))
}

#[test]
fn matrices_that_are_no_rigid_motions_are_refused() {
    let good: [[Real; 4]; 4] = mint::ColumnMatrix4::from(Pose::from_translation([1.0, 2.0, 3.0]).unwrap()).into();
    assert!(Pose::try_from(mint::ColumnMatrix4::from(good)).is_ok());
    let spoiled = |column: usize, row: usize, value: Real| {
        let mut matrix = good;
        matrix[column][row] = value;
        Pose::try_from(mint::ColumnMatrix4::from(matrix))
    };
    for (column, row, value) in [
        (0, 0, 2.0),       // scaled
        (1, 1, -1.0),      // mirrored
        (0, 1, 0.1),       // sheared
        (2, 2, Real::NAN), // no number
        (0, 3, 0.5),       // perspective
        (3, 3, 2.0),
        (3, 3, Real::NAN),
    ] {
        assert_eq!(spoiled(column, row, value), Err(PoseError::NotRigid), "{column} {row} {value}");
    }
    assert!(matches!(spoiled(3, 1, Real::INFINITY), Err(PoseError::Translation { axis: 'y', .. })));
}
