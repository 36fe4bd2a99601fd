//! Casts of polyhedra in cases with known answers, at rest and in contact.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::ccd::polyhedra::{
    Cast, CastError, CastScratch, Feature, Polyhedron, Rotation, TrajectoryOptions, cast_point, cast_rotation,
    cast_translation, contacts, move_body,
};
use clearance::ccd::{ImpactOptions, Motion, time_of_impact};
use clearance::math::{consts::PI, narrow, narrow_real, widen, widen_real};
use clearance::{MeshError, Polytope, Pose, Real, Shape, Vec3};
use clearance_testkit::{HitRate, Rng};
use common::voxels::{Poly, cells, world};
use common::{SINGLE, narrowed, pose_of};
use glam::{DQuat, DVec3};

fn translated(world: &Poly, pose_w: &Pose, body: &Poly, pose_b: &Pose, by: DVec3) -> Cast {
    let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
    cast_translation(&world.cast, pose_w, &body.cast, pose_b, narrow(by), &options, &mut scratch).unwrap()
}

fn rotated(world: &Poly, pose_w: &Pose, body: &Poly, pose_b: &Pose, rotation: Rotation) -> Cast {
    let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
    cast_rotation(&world.cast, pose_w, &body.cast, pose_b, rotation, &options, &mut scratch).unwrap()
}

fn about(origin: DVec3, axis: DVec3, angle: Real) -> Rotation {
    Rotation { origin: narrow(origin), axis: narrow(axis), angle }
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    pose_of(DVec3::new(x, y, z), DQuat::IDENTITY)
}

/// A cube on a wide block, at heights and sizes over twelve orders of magnitude: it stops at the zone above the floor.
#[test]
fn a_cube_falls_on_a_floor() {
    for size in [1.0e-6, 1.0e-3, 1.0, 1.0e3, 1.0e6] {
        let floor = Poly::cuboid(DVec3::new(4.0, 4.0, 1.0) * size);
        let cube = Poly::cuboid(DVec3::splat(0.5) * size);
        let start = at(0.3 * size, -0.2 * size, 3.5 * size);
        let cast = translated(&floor, &Pose::IDENTITY, &cube, &start, DVec3::new(0.0, 0.0, -4.0) * size);
        let zone = widen_real(cast.zone);
        let fallen = 4.0 * size * widen_real(cast.fraction);
        assert!((2.0 * size - fallen - zone).abs() < 0.25 * zone, "{size}: {fallen} {cast:?}");
        assert!(zone < 1.0e3 * common::u() * 10.0 * size);
        let hit = cast.hit.unwrap();
        assert!((hit.normal - Vec3::Z).length() < 1e-5);
        assert!(matches!(hit.features, [Feature::Face(_), Feature::Vertex(_)]));
    }
}

/// Two boxes laid across each other like a plus sign meet at edges and nowhere else.
#[test]
fn crossed_boxes_meet_at_their_edges() {
    let beam = Poly::cuboid(DVec3::new(3.0, 0.5, 0.5));
    let other = Poly::cuboid(DVec3::new(0.5, 3.0, 0.5));
    let cast = translated(&beam, &Pose::IDENTITY, &other, &at(0.1, 0.0, 3.0), DVec3::new(0.0, 0.0, -4.0));
    assert!((widen_real(cast.fraction) - 0.5).abs() < widen_real(cast.zone), "{cast:?}");
    let mut list = Vec::new();
    let mut scratch = CastScratch::default();
    let reach = cast.zone * 4.0;
    contacts(&beam.cast, &Pose::IDENTITY, &other.cast, &cast.pose, reach, &mut scratch, &mut list).unwrap();
    assert_eq!(list.len(), 4, "{list:?}");
    assert!(list.iter().all(|c| matches!(c.features, [Feature::Edge(_), Feature::Edge(_)])));
    assert!(list.iter().all(|c| (c.distance - cast.zone).abs() < 0.5 * cast.zone));
}

/// A rod about one end meets a wall beyond it at a known angle.
#[test]
fn a_rod_turns_into_a_wall() {
    let wall = Poly::cuboid(DVec3::new(4.0, 1.0, 4.0));
    let rod = Poly::cuboid(DVec3::new(1.0, 0.0625, 0.0625));
    // The rod lies along x from the origin to 2; the wall begins at y = 1. Its far upper corner is at (2, 1/16).
    let (pose_w, pose_b) = (at(0.0, 2.0, 0.0), at(1.0, 0.0, 0.0));
    let arm = (4.0_f64 + 0.0625 * 0.0625).sqrt();
    let truth = (1.0 / arm).asin() - (0.0625_f64 / 2.0).atan();
    for angle in [1.0, 3.0, 6.0, 40.0] {
        let cast = rotated(&wall, &pose_w, &rod, &pose_b, about(DVec3::ZERO, DVec3::Z * 3.0, angle));
        let turned = widen_real(cast.fraction) * widen_real(angle);
        assert!((turned - truth).abs() < 4.0 * widen_real(cast.zone) + 1e2 * common::u(), "{angle}: {turned} {truth}");
        assert!(turned <= truth);
        assert!((cast.hit.unwrap().normal + Vec3::Y).length() < 1e-5);
    }
    // The other way round it is the lower corner that meets the wall, after almost half a turn.
    let cast = rotated(&wall, &pose_w, &rod, &pose_b, about(DVec3::ZERO, DVec3::Z, -6.0));
    let turned = 6.0 * widen_real(cast.fraction);
    let expected = std::f64::consts::PI + truth;
    assert!((turned - expected).abs() < 1e3 * common::u(), "{turned} {expected}");
}

/// A turn about an axis through a corner that touches the floor, and about one through the body's middle.
#[test]
fn an_axis_through_a_vertex_or_the_body() {
    let floor = Poly::cuboid(DVec3::new(4.0, 4.0, 1.0));
    let cube = Poly::cuboid(DVec3::splat(0.5));
    let up = widen_real(translated(&floor, &Pose::IDENTITY, &cube, &at(0.0, 0.0, 2.0), -DVec3::Z).zone);
    let resting = at(0.0, 0.0, 1.5 + up);
    // About its lower edge at x = 0.5: one way it tips over, by a quarter turn; the other way it cannot.
    let corner = DVec3::new(0.5, 0.5, 1.0 + up);
    let tip = rotated(&floor, &Pose::IDENTITY, &cube, &resting, about(corner, DVec3::Y, 3.0));
    let turned = 3.0 * widen_real(tip.fraction);
    assert!((turned - std::f64::consts::FRAC_PI_2).abs() < 1e3 * common::u(), "{turned}: {tip:?}");
    let stuck = rotated(&floor, &Pose::IDENTITY, &cube, &resting, about(corner, -DVec3::Y, 3.0));
    assert!(widen_real(stuck.fraction) < 8.0 * up, "{stuck:?}");
    // Spinning on the floor is free, whatever the angle.
    for angle in [0.5, 20.0, -7.0] {
        let spin = rotated(&floor, &Pose::IDENTITY, &cube, &resting, about(corner, DVec3::Z, angle));
        assert_eq!((spin.fraction, spin.hit), (1.0, None), "{angle}");
    }
    // Through its middle, between two walls 1.2 apart: the diagonal of the square gets stuck.
    let slot = cells([3, 1, 1], false, 0.0, &mut Rng::new(1), |c| c[0] != 1).unwrap();
    let body = Poly::cuboid(DVec3::new(0.4, 0.4, 0.4));
    let middle = DVec3::new(1.5, 0.5, 0.5);
    let cast = rotated(&slot, &Pose::IDENTITY, &body, &pose_of(middle, DQuat::IDENTITY), about(middle, DVec3::Y, 1.0));
    // The corner at radius 0.4·√2 comes to 0.5 at the angle below.
    let truth = std::f64::consts::FRAC_PI_4 - (0.5 / (0.4 * 2.0_f64.sqrt())).acos();
    assert!((widen_real(cast.fraction) - truth).abs() < 16.0 * widen_real(cast.zone), "{truth}: {cast:?}");
}

/// A corner that starts exactly in the plane of a far face and turns through it is not held there, nor is it above that face when it
/// is long behind it.
#[test]
fn turning_about_in_the_planes_of_faces() {
    let cube = Poly::cuboid(DVec3::splat(0.5));
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        for (place, angle) in [(1.2, 7.0), (3.0, -7.0), (5.0, 1.6)] {
            let pose = pose_of(DVec3::new(axis.z, axis.x, axis.y) * place, DQuat::IDENTITY);
            let corner = DVec3::splat(-0.5);
            let cast = rotated(&cube, &Pose::IDENTITY, &cube, &pose, about(corner, axis, angle));
            let far = place > 2.5;
            assert_eq!(cast.hit.is_none(), far, "{axis}, {place}: {cast:?}");
            let left = cube.placed(&cast.pose).distance(&cube.placed(&Pose::IDENTITY), 1.0);
            assert!(left > 0.2 * widen_real(cast.zone));
            assert!(far || left < 4.0 * widen_real(cast.zone), "{axis}, {place}: {left} {cast:?}");
        }
    }
}

#[test]
fn nothing_moves_by_nothing() {
    let cube = Poly::cuboid(DVec3::splat(0.5));
    for z in [0.0, 1.0, 3.0] {
        let cast = translated(&cube, &Pose::IDENTITY, &cube, &at(0.0, 0.0, z), DVec3::ZERO);
        assert_eq!(cast.overlap.is_some(), z == 0.0);
        assert_eq!(cast.fraction, if z == 0.0 { 0.0 } else { 1.0 });
        let cast = rotated(&cube, &Pose::IDENTITY, &cube, &at(0.0, 0.0, z), about(DVec3::ZERO, DVec3::X, 0.0));
        assert_eq!(cast.fraction, if z == 0.0 { 0.0 } else { 1.0 });
    }
}

/// Exactly touching: it may slide and leave, not go in; and the start is not an overlap.
#[test]
fn touching_starts() {
    let block = Poly::cuboid(DVec3::splat(1.0));
    let cube = Poly::cuboid(DVec3::splat(0.5));
    let touching = at(0.25, 0.0, 1.5);
    for (by, free) in [
        (DVec3::X, true),
        (-DVec3::Y * 5.0, true),
        (DVec3::Z, true),
        (DVec3::new(0.5, 0.0, 0.25), true),
        (-DVec3::Z, false),
        (DVec3::new(1.0, 0.0, -0.001), false),
    ] {
        let cast = translated(&block, &Pose::IDENTITY, &cube, &touching, by);
        assert!(cast.overlap.is_none(), "{by}");
        assert_eq!(cast.fraction, if free { 1.0 } else { 0.0 }, "{by}: {cast:?}");
        assert_eq!(cast.hit.is_some(), !free);
    }
    // Identical boxes side by side, all faces in the same planes.
    let beside = at(1.0, 0.0, 0.0);
    for (by, free) in [(DVec3::Z, true), (DVec3::X, true), (DVec3::Y * 3.0, true), (-DVec3::X, false)] {
        let cast = translated(&cube, &Pose::IDENTITY, &cube, &beside, by);
        assert_eq!((cast.fraction, cast.overlap), (if free { 1.0 } else { 0.0 }, None), "{by}: {cast:?}");
    }
    // Half over each other with two faces in common planes: no edge goes through a face, and yet they overlap.
    let over = translated(&cube, &Pose::IDENTITY, &cube, &at(0.5, 0.5, 0.0), DVec3::X);
    assert!(over.overlap.is_some_and(|out| out.is_free), "{over:?}");
    let same = translated(&cube, &Pose::IDENTITY, &cube, &Pose::IDENTITY, DVec3::X);
    assert!(same.overlap.is_some());
}

/// A box falls on a floor of many coplanar squares, slides over all of their seams, and along a wall to its end.
#[test]
fn sliding_over_internal_edges() {
    let mut rng = Rng::new(5);
    let mut stops = HitRate::new("slides that are stopped");
    for case in 0..60 {
        // With holes, so that the floor cannot be one polygon.
        let whole = |c: [i32; 3]| ![[2, 2], [4, 3]].contains(&[c[0], c[1]]);
        let hall = cells([6, 6, 3], false, 0.0, &mut rng, |c| (c[2] == 0 && whole(c)) || c[0] == 0).unwrap();
        assert!(hall.cast.edge_counts().1 >= 8);
        let turn = if case % 2 == 0 { DQuat::IDENTITY } else { rng.rotation() };
        let pose_w = pose_of(rng.in_ball(3.0), turn);
        let turn = DQuat::from_array(pose_w.rotation().to_array().map(widen_real));
        let half = DVec3::new(rng.uniform(0.1, 0.4), rng.uniform(0.1, 0.4), rng.uniform(0.1, 0.4));
        let body = Poly::cuboid(half);
        let spun = turn * DQuat::from_rotation_z(rng.uniform(0.0, 3.0));
        let start = pose_of(widen(pose_w.translation()) + turn * DVec3::new(3.0, 3.0, 2.0), spun);
        let fallen = translated(&hall, &pose_w, &body, &start, turn * DVec3::new(0.0, 0.0, -3.0));
        assert!(fallen.hit.is_some());
        let mut pose = fallen.pose;
        for leg in 0..6 {
            // Parallel to the floor to within rounding, and within the floor.
            let here = turn.inverse() * (widen(pose.translation()) - widen(pose_w.translation()));
            let to = DVec3::new(rng.uniform(1.8, 5.2), rng.uniform(0.8, 5.2), here.z);
            let slide = translated(&hall, &pose_w, &body, &pose, turn * (to - here));
            stops.record(slide.hit.is_some());
            assert!(slide.hit.is_none(), "case {case}, leg {leg}: caught: {slide:?}");
            pose = slide.pose;
        }
        // Into the wall, and then along it.
        let wall = translated(&hall, &pose_w, &body, &pose, turn * DVec3::new(-6.0, 0.0, 0.0));
        let hit = wall.hit.unwrap();
        assert!((widen(hit.normal) - turn * DVec3::X).length() < 1e-4, "{case}: {hit:?}");
        let y = (turn.inverse() * (widen(wall.pose.translation()) - widen(pose_w.translation()))).y;
        let along = translated(&hall, &pose_w, &body, &wall.pose, turn * DVec3::new(0.0, 3.0 - y, 0.0));
        assert!(along.hit.is_none(), "{case}: caught along the wall: {along:?}");
    }
    stops.assert_between(0.0, 0.0);
}

/// Resting on the seam of two coplanar faces: held downwards, free sideways, free to turn about the vertical.
#[test]
fn resting_on_a_seam() {
    // A floor like a T: however its squares are united, a seam is left beside the middle one.
    let floor = cells([3, 2, 1], false, 0.0, &mut Rng::new(1), |c| c[1] == 0 || c[0] == 1).unwrap();
    assert!(floor.cast.edge_counts().1 >= 2);
    let body = Poly::cuboid(DVec3::new(0.3, 0.2, 0.3));
    for [x, y] in [[1.0, 0.5], [2.0, 0.5], [1.5, 1.0]] {
        let middle = DVec3::new(x, y, 1.0);
        let start = at(x, y, 2.0);
        let fallen = translated(&floor, &Pose::IDENTITY, &body, &start, DVec3::new(0.0, 0.0, -3.0));
        let again = translated(&floor, &Pose::IDENTITY, &body, &fallen.pose, -DVec3::Z);
        assert!(widen_real(again.fraction) <= widen_real(again.zone), "{again:?}");
        for by in [DVec3::X * 0.5, -DVec3::X * 3.0, DVec3::new(0.3, 0.4, 0.0), DVec3::Z] {
            assert_eq!(translated(&floor, &Pose::IDENTITY, &body, &fallen.pose, by).hit, None, "{by}");
        }
        let spin = rotated(&floor, &Pose::IDENTITY, &body, &fallen.pose, about(middle, DVec3::Z, 7.0));
        assert_eq!(spin.hit, None);
        let roll = rotated(&floor, &Pose::IDENTITY, &body, &fallen.pose, about(middle, DVec3::X, 1.0));
        assert!(widen_real(roll.fraction) < 16.0 * widen_real(roll.zone), "{roll:?}");
    }
}

/// Plates without thickness, two polygons back to back, meet edge to edge and with a spike from either side; so do single polygons
/// from their front.
#[test]
fn plates_without_thickness() {
    let square =
        |half: f64| [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.0) * half);
    let plate = |half: f64| Poly::new(&square(half), vec![vec![0, 1, 2, 3], vec![3, 2, 1, 0]]).unwrap();
    let upright = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let across = upright * DQuat::from_rotation_y(0.7);
    // Standing on edge across each other: only edges meet.
    let (fixed, moving) = (pose_of(DVec3::ZERO, upright), pose_of(DVec3::new(0.1, 0.05, 3.0), across));
    let cast = translated(&plate(1.0), &fixed, &plate(1.0), &moving, DVec3::new(0.0, 0.0, -3.0));
    assert!((3.0 * widen_real(cast.fraction) - 1.0).abs() < 2.0 * widen_real(cast.zone), "{cast:?}");
    // The same on a long arm.
    let cast = rotated(&plate(1.0), &fixed, &plate(1.0), &moving, about(DVec3::new(20.0, 0.0, 2.0), DVec3::Y, -0.3));
    let there = plate(1.0).placed(&cast.pose).distance(&plate(1.0).placed(&fixed), 1.0);
    let (zone, hit) = (widen_real(cast.zone), cast.hit.unwrap());
    // The zone of an edge without an angle reaches as far as its mitre.
    assert!(there > 0.2 * zone && there < 20.0 * zone, "{there}: {cast:?}");
    assert!(matches!(hit.features, [Feature::Edge(_), Feature::Edge(_)]));
    // Edges that slide across each other's planes: the direction across them is a plate's normal.
    let flat = pose_of(DVec3::new(0.1, 0.05, 2.0), DQuat::from_rotation_z(0.7));
    let cast = translated(&plate(1.0), &Pose::IDENTITY, &plate(1.0), &flat, DVec3::new(0.0, 0.0, -3.0));
    assert!((3.0 * widen_real(cast.fraction) - 2.0).abs() < 2.0 * widen_real(cast.zone), "{cast:?}");
    let cast =
        rotated(&plate(1.0), &Pose::IDENTITY, &plate(1.0), &flat, about(DVec3::new(20.0, 0.0, 1.0), DVec3::Y, -0.3));
    assert!(cast.hit.is_some());
    let spike =
        Poly::hull(&[DVec3::Z, DVec3::new(1.0, 0.0, -1.0), DVec3::new(-1.0, 1.0, -1.0), DVec3::new(-1.0, -1.0, -1.0)]);
    let spike = spike.unwrap();
    for turn in [DQuat::IDENTITY, DQuat::from_rotation_x(std::f64::consts::PI)] {
        let above = pose_of(DVec3::new(0.3, 0.2, 3.0), turn);
        let cast = translated(&spike, &Pose::IDENTITY, &plate(1.0), &above, DVec3::new(0.0, 0.0, -4.0));
        assert!((4.0 * widen_real(cast.fraction) - 2.0).abs() < 2.0 * widen_real(cast.zone), "{cast:?}");
        let single = Poly::new(&square(1.0), vec![vec![0, 1, 2, 3]]).unwrap();
        let cast = translated(&spike, &Pose::IDENTITY, &single, &above, DVec3::new(0.0, 0.0, -4.0));
        assert_eq!(cast.hit.is_some_and(|hit| matches!(hit.features[0], Feature::Vertex(_))), turn != DQuat::IDENTITY);
    }
}

/// A body drawn in by half the zone stops half a zone later, and a wider zone stops it earlier.
#[test]
fn zones_can_be_wider_and_bodies_drawn_in() {
    let cube = Poly::cuboid(DVec3::splat(0.5));
    let (start, by) = (at(0.1, 0.2, 3.0), narrow(DVec3::new(0.0, 0.0, -4.0)));
    let mut scratch = CastScratch::default();
    let mut gap = |zone: Real, shrink: bool| {
        let options = TrajectoryOptions { zone, shrink, ..TrajectoryOptions::default() };
        let cast = cast_translation(&cube.cast, &Pose::IDENTITY, &cube.cast, &start, by, &options, &mut scratch);
        widen_real(cast.unwrap().pose.translation().z) - 1.0
    };
    let rounding = 16.0 * common::u();
    assert!((gap(0.01, false) - 0.01).abs() < rounding);
    assert!((gap(0.01, true) - 0.005).abs() < rounding + 1e-6 * 0.01);
    assert!(gap(0.0, true) > 0.0);
}

/// Convex bodies turning about an axis: the same first contact as conservative advancement finds.
#[test]
fn rotations_agree_with_conservative_advancement() {
    let mut rng = Rng::new(23);
    let mut meetings = HitRate::new("meetings");
    for case in 0..1500 {
        let hull = |rng: &mut Rng, middle: DVec3| {
            let count = 4 + rng.index(8);
            let points: Vec<DVec3> = (0..count).map(|_| middle + rng.in_ball(1.0)).collect();
            Polytope::from_points(&narrowed(&points)).unwrap()
        };
        let (a, b) = (hull(&mut rng, DVec3::ZERO), hull(&mut rng, DVec3::X * 2.0));
        let pose_a = pose_of(DVec3::ZERO, rng.rotation());
        let pose_b = pose_of(rng.unit_vector() * rng.uniform(1.0, 2.5), rng.rotation());
        let angular = rng.unit_vector() * rng.uniform(1.0, 3.1);
        // About the body's own origin: a velocity motion is a rotation then.
        let motion = Motion::with_velocity(pose_b, [0.0; 3], narrow(angular)).unwrap();
        let still = Motion::still(pose_a);
        let rotation = about(widen(pose_b.translation()), angular, narrow_real(angular.length()));
        let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
        let (of_a, of_b) = (Polyhedron::from(&a), Polyhedron::from(&b));
        let cast = cast_rotation(&of_a, &pose_a, &of_b, &pose_b, rotation, &options, &mut scratch).unwrap();
        let tolerance = if SINGLE { 1.0e-4 } else { 1.0e-9 };
        let ask = ImpactOptions { tolerance, ..ImpactOptions::default() };
        let impact = time_of_impact(&Shape::from(a), &still, &Shape::from(b), &motion, &ask);
        assert_eq!(cast.overlap.is_some(), impact.at_start && impact.distance < -cast.zone, "{case}: {impact:?}");
        if cast.overlap.is_some() || impact.at_start {
            continue;
        }
        let fraction = widen_real(cast.fraction);
        meetings.record(cast.hit.is_some());
        // Advancement is early by its tolerance, the cast by its zone; a graze stretches both.
        let slack = (4.0 * tolerance.max(cast.zone)).sqrt();
        match impact.time {
            Some(time) => {
                assert!((fraction - widen_real(time)).abs() < widen_real(slack), "{case}: {cast:?} {impact:?}")
            }
            None => assert!(fraction > 1.0 - widen_real(slack), "{case}: {cast:?} {impact:?}"),
        }
    }
    meetings.assert_between(0.08, 0.8);
}

/// A point on its way meets what the sampling of polygons says; through shared edges too.
#[test]
fn points_meet_the_first_polygon() {
    let mut rng = Rng::new(29);
    let mut hits = HitRate::new("rays that hit");
    for case in 0..300 {
        let world = world(&mut rng);
        let pose = pose_of(rng.in_ball(5.0), rng.rotation());
        let placed = world.placed(&pose);
        for _ in 0..10 {
            let mut anywhere = || common::posed(&pose, rng.in_box(DVec3::splat(3.0)) + DVec3::splat(2.0));
            let (from, to) = (anywhere(), anywhere());
            let corner = placed.points[rng.index(placed.points.len())];
            let to = if rng.chance(0.3) { corner + (corner - from) } else { to };
            let [from, by] = [from, to - from].map(|v| widen(narrow(v)));
            if placed.is_solid(from) {
                continue;
            }
            let hit = cast_point(&world.cast, &pose, narrow(from), narrow(by)).unwrap();
            let until = hit.map_or(1.0, |hit| widen_real(hit.fraction));
            hits.record(hit.is_some());
            let slack = 1e2 * common::u() * 30.0;
            for i in 1..=30 {
                let share = until * f64::from(i) / 30.0 * (1.0 - slack);
                let p = from + by * share;
                let deep = placed.is_solid(p) && placed.boundary_distance(p) > slack;
                assert!(!deep, "{case}: through at {share} of {until}");
            }
            if let Some(hit) = hit {
                assert!(placed.boundary_distance(widen(hit.point)) < slack, "{case}: {hit:?}");
                assert!(widen(hit.normal).dot(by) < 0.0);
            }
        }
    }
    hits.assert_between(0.4, 0.95);
}

#[test]
fn moving_is_translating_and_then_turning() {
    let floor = Poly::cuboid(DVec3::new(4.0, 4.0, 1.0));
    let cube = Poly::cuboid(DVec3::splat(0.5));
    let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
    let start = at(0.0, 0.0, 3.0);
    let turn = about(DVec3::new(0.5, 0.0, 2.5), DVec3::Y, PI);
    let by = narrow(DVec3::new(1.0, 0.0, -3.0));
    let (world, body) = (&floor.cast, &cube.cast);
    let moved = move_body(world, &Pose::IDENTITY, body, &start, by, turn, &options, &mut scratch).unwrap();
    let zone = widen_real(moved.translation.zone);
    assert!((widen_real(moved.translation.fraction) - 0.5).abs() < zone);
    // It tips over its edge onto its side.
    assert!((widen_real(moved.rotation.fraction) - 0.5).abs() < 4.0 * zone, "{moved:?}");
    assert!((widen(moved.pose.translation()) - DVec3::new(1.5, 0.0, 1.5)).length() < 16.0 * zone, "{:?}", moved.pose);
    assert_eq!(moved.pose, moved.rotation.pose);
}

#[test]
fn bad_input_is_an_error() {
    let points = narrowed(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.25, 0.25, 0.0)]);
    let refused = |faces: &[Vec<u32>]| Polyhedron::from_faces(&points, faces).unwrap_err();
    assert_eq!(refused(&[vec![0, 1]]), MeshError::ShortFace { face: 0, count: 2 });
    assert_eq!(refused(&[vec![0, 1, 9]]), MeshError::VertexIndex { face: 0, vertex: 9, count: 4 });
    assert_eq!(refused(&[vec![0, 1, 1]]), MeshError::RepeatedVertex { face: 0, vertex: 1 });
    assert_eq!(refused(&[vec![0, 1, 2]]), MeshError::UnusedVertex { vertex: 3 });
    assert!(matches!(refused(&[vec![0, 1, 3, 2]]), MeshError::NotConvexFace { face: 0, .. }));
    assert!(matches!(refused(&[vec![0, 1, 2], vec![0, 1, 3]]), MeshError::TurnedOver { from: 0, to: 1, .. }));
    let nan = [Vec3::splat(Real::NAN), Vec3::X, Vec3::Y];
    assert!(matches!(Polyhedron::from_faces(&nan, &[[0, 1, 2]]), Err(MeshError::Coordinate { index: 0, .. })));
    let cube = Poly::cuboid(DVec3::splat(0.5)).cast;
    let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
    let far = at(3.0, 0.0, 0.0);
    let mut cast = |by: Vec3| cast_translation(&cube, &Pose::IDENTITY, &cube, &far, by, &options, &mut scratch);
    assert_eq!(cast(Vec3::splat(Real::NAN)), Err(CastError::NotFinite));
    assert!(cast(Vec3::splat(Real::MAX)).is_err());
    let mut turn = |rotation| cast_rotation(&cube, &Pose::IDENTITY, &cube, &far, rotation, &options, &mut scratch);
    assert_eq!(turn(about(DVec3::ZERO, DVec3::ZERO, 1.0)), Err(CastError::NoAxis));
    assert_eq!(turn(about(DVec3::ZERO, DVec3::X, Real::INFINITY)), Err(CastError::NotFinite));
}
