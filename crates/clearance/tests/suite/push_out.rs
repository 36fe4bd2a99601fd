//! Ways out of overlaps: the bodies do not overlap after them, and they are as short as depths say.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::math::{narrow, widen, widen_real};
use clearance::shape::mesh::Kind;
use clearance::{
    Body, Cache, Closest, Contact, End, HalfSpace, Polytope, Pose, PushOut, Real, Shape, Vec3, closest, push_out,
};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use glam::DVec3;

use crate::cells::{Built, Voxels};
use crate::meshes::{mesh, pose};

fn moved(pose: &Pose, by: Vec3) -> Pose {
    Pose::new(pose.translation() + by, pose.rotation().to_array()).unwrap()
}

fn near(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Closest {
    closest(a, pose_a, b, pose_b, &mut Cache::default())
}

/// The bodies do not overlap after it, by a query without a cache; how long it is, and the depth before.
fn check(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, what: &str) -> (PushOut, f64, Closest) {
    let before = near(a, pose_a, b, pose_b);
    let out = push_out(a, pose_a, b, pose_b, &mut Cache::default());
    assert_eq!(out.end, End::Converged, "{what}: {out:?}");
    let after = near(a, pose_a, b, &moved(pose_b, out.translation));
    assert_ne!(after.contact, Contact::Overlapping, "{what}: {out:?}");
    let length = widen(out.translation).length();
    // No translation that separates is shorter than the depth, and touching bodies may still overlap by rounding.
    let known = length - widen_real(after.lower).min(0.0);
    assert!(known >= -widen_real(before.upper), "{what}: {length} for {before:?}");
    (out, length, before)
}

#[test]
fn convex_bodies_leave_by_their_depth() {
    let mut rng = Rng::new(71);
    let mut overlapping = HitRate::new("overlapping");
    for i in 0..3_000 {
        let shapes = [0; 2].map(|_| match rng.index(5) {
            0 => Shape::cuboid([0; 3].map(|_| rng.uniform(0.2, 1.0) as Real)).unwrap(),
            1 => Shape::ellipsoid([0; 3].map(|_| rng.uniform(0.2, 1.0) as Real)).unwrap(),
            2 => Shape::capsule(rng.uniform(0.2, 1.0) as Real, rng.uniform(0.1, 0.5) as Real).unwrap(),
            3 => Shape::cone(rng.uniform(0.3, 1.0) as Real, rng.uniform(0.3, 1.0) as Real).unwrap(),
            _ => {
                let points: Vec<Vec3> = (0..12).map(|_| narrow(rng.in_ball(1.0))).collect();
                Polytope::from_points(&points).unwrap().into()
            }
        });
        let [a, b] = shapes.map(Body::from);
        let places = [pose(&mut rng, DVec3::ZERO), {
            let offset = rng.in_ball(1.2);
            pose(&mut rng, offset)
        }];
        let (out, length, before) = check(&a, &places[0], &b, &places[1], &i.to_string());
        if overlapping.record(before.contact == Contact::Overlapping) {
            // Casts keep a zone of rounding in front of what they meet.
            let most = -widen_real(before.lower) * 1.002 + if cfg!(single_precision) { 2e-3 } else { 1e-4 };
            assert!(length <= most, "{i}: {length}, depth at most {most}");
        } else {
            assert_eq!(out.translation, Vec3::ZERO);
        }
    }
    overlapping.assert_between(0.5, 0.9);
}

#[test]
fn unions_of_cells_leave_each_other() {
    let mut rng = Rng::new(72);
    let [mut overlapping, mut shorter] = ["overlapping", "shorter than the bound of the distance"].map(HitRate::new);
    for i in 0..400 {
        let (a, b) = (Voxels::random(&mut rng, 2), Voxels::random(&mut rng, 2));
        let (Some(a), Some(b)) = (a.mesh(Kind::Solid), b.mesh(Kind::Solid)) else { continue };
        let place = if rng.chance(0.5) { Pose::IDENTITY } else { pose(&mut rng, DVec3::new(1.0, -2.0, 3.0)) };
        let offset = rng.in_ball(1.5);
        let other = if rng.chance(0.5) { place } else { pose(&mut rng, widen(place.translation()) + offset) };
        let (_, length, before) = check(&a.into(), &place, &b.into(), &other, &i.to_string());
        if overlapping.record(before.contact == Contact::Overlapping) {
            let bound = -widen_real(before.lower);
            assert!(length <= bound * 1.01 + 1e-3, "{i}: {length}, but {before:?}");
            shorter.record(length < 0.9 * bound);
        }
    }
    overlapping.assert_between(0.3, 1.0);
    shorter.assert_between(0.1, 1.0);
}

#[test]
fn a_rod_in_a_ring_leaves_into_its_hole() {
    // The ring's tube has the radius 0.3 about a circle of radius 1: a rod through the hole that is 0.1 in the tube has 0.1 to go.
    let ring = mesh(&Polyhedron::torus(1.0, 0.3, 48, 24));
    let rod = Shape::cylinder(2.0, 0.2).unwrap();
    let start = Pose::from_translation([0.6 as Real, 0.0, 0.0]).unwrap();
    let (out, length, before) = check(&ring.into(), &Pose::IDENTITY, &rod.into(), &start, "rod");
    assert!(length < 0.11 && out.translation.x < 0.0, "{out:?}");
    // The whole ring would have to leave the rod otherwise.
    assert!(widen_real(before.lower) < -0.2, "{before:?}");
}

#[test]
fn bodies_without_an_end_and_of_any_size() {
    let ground = Body::from(HalfSpace::new([0.0, 0.0, 1.0], 0.0).unwrap());
    for size in [1e-6, 1.0, 1e6] {
        let cube = Body::from(Shape::cuboid([size as Real; 3]).unwrap());
        let at = Pose::from_translation([0.0, 0.0, (0.25 * size) as Real]).unwrap();
        let (out, length, _) = check(&ground, &Pose::IDENTITY, &cube, &at, &size.to_string());
        assert!((length / size - 0.75).abs() < 2e-3 && out.translation.z > 0.0, "{size}: {out:?}");
        let (_, length, _) = check(&cube, &at, &cube, &at, "the same body");
        assert!((length / size - 2.0).abs() < 4e-3, "{size}: {length}");
    }
    // Nothing is outside of two grounds that face each other.
    let ceiling = Body::from(HalfSpace::new([0.0, 0.0, -1.0], 1.0).unwrap());
    let out = push_out(&ground, &Pose::IDENTITY, &ceiling, &Pose::IDENTITY, &mut Cache::default());
    assert!(out.end == End::Converged || out.near.contact == Contact::Overlapping, "{out:?}");
}

/// Far from the origin a place is rounded by more than depths are known: the push still ends outside.
#[test]
fn bodies_far_from_the_origin_leave() {
    let mut rng = Rng::new(73);
    let mut overlapping = HitRate::new("overlapping");
    for i in 0..1_000 {
        let away = rng.unit_vector() * rng.log_uniform(1e3, if cfg!(single_precision) { 1e6 } else { 1e12 });
        let bodies = [0; 2].map(|_| {
            let points: Vec<Vec3> = (0..10).map(|_| narrow(rng.in_ball(1.0))).collect();
            Body::from(Polytope::from_points(&points).unwrap())
        });
        let places = [0; 2].map(|_| {
            let offset = away + rng.in_ball(0.7);
            pose(&mut rng, offset)
        });
        let (_, _, before) = check(&bodies[0], &places[0], &bodies[1], &places[1], &i.to_string());
        overlapping.record(before.contact == Contact::Overlapping);
    }
    overlapping.assert_between(0.5, 1.0);
}
