//! The shortcuts of section 4: each leaves the answer as it is and spares something.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::Pose;
use clearance::ccd::polyhedra::{
    Cast, CastCounts, CastScratch, Rotation, Shortcuts, TrajectoryOptions, cast_rotation, cast_translation,
};
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance_testkit::{HitRate, Rng};
use common::pose_of;
use common::voxels::{Poly, body, cells, world};
use glam::{DQuat, DVec3};

#[derive(Clone, Copy)]
enum Way {
    Straight(DVec3),
    Turn(Rotation),
}

impl Way {
    fn cast(&self, scene: (&Poly, &Pose, &Poly, &Pose), shortcuts: Shortcuts, scratch: &mut CastScratch) -> Cast {
        let (world, pose_w, body, pose_b) = scene;
        let options = TrajectoryOptions { shortcuts, ..TrajectoryOptions::default() };
        match *self {
            Self::Straight(by) => {
                cast_translation(&world.cast, pose_w, &body.cast, pose_b, narrow(by), &options, scratch).unwrap()
            }
            Self::Turn(turn) => {
                cast_rotation(&world.cast, pose_w, &body.cast, pose_b, turn, &options, scratch).unwrap()
            }
        }
    }

    /// How fast the contact is approached, per share of the motion.
    fn speed(&self, cast: &Cast) -> f64 {
        let Some(hit) = cast.hit else { return f64::INFINITY };
        let velocity = match *self {
            Self::Straight(by) => by,
            Self::Turn(turn) => {
                let arm = widen(hit.point) - widen(turn.origin);
                widen(turn.axis).normalize().cross(arm) * widen_real(turn.angle)
            }
        };
        velocity.dot(widen(hit.normal)).abs()
    }
}

fn random_way(rng: &mut Rng, turning: bool, place: DVec3) -> Way {
    if !turning {
        return Way::Straight(widen(narrow(rng.unit_vector() * rng.uniform(0.1, 6.0))));
    }
    let reach = rng.pick(&[0.2, 1.0, 4.0]);
    let origin = place + rng.in_ball(reach);
    let angle = rng.sign() * rng.uniform(0.05, 4.0);
    Way::Turn(Rotation { origin: narrow(origin), axis: narrow(rng.unit_vector()), angle: narrow_real(angle) })
}

/// All of them switched off one by one, and together.
fn variants() -> [(&'static str, Shortcuts); 6] {
    let all = Shortcuts::default();
    [
        ("internal edges", Shortcuts { internal_edges: false, ..all }),
        ("internal points", Shortcuts { internal_points: false, ..all }),
        ("back faces", Shortcuts { back_faces: false, ..all }),
        ("back edges", Shortcuts { back_edges: false, ..all }),
        ("shared sides", Shortcuts { shared_sides: false, ..all }),
        ("all", Shortcuts::NONE),
    ]
}

/// Tests of points and polygons, of edges, signs computed.
fn work(counts: &CastCounts) -> [u64; 3] {
    [counts.point_face, counts.edge_edge, counts.sides].map(u64::from)
}

fn add(sum: &mut [u64; 3], counts: &CastCounts) {
    sum.iter_mut().zip(work(counts)).for_each(|(sum, count)| *sum += count);
}

/// Where they stop differs by no more than two zones along the normal, or by what an arc needs for that if it grazes; so one is free and
/// the other not only at the very end of a motion.
fn assert_same(what: &str, way: &Way, with: &Cast, without: &Cast) {
    assert_eq!(with.overlap.is_some(), without.overlap.is_some(), "{what}");
    let zone = widen_real(with.zone);
    let off = (widen_real(with.fraction) - widen_real(without.fraction)).abs();
    let speed = way.speed(with).min(way.speed(without));
    let slack = match way {
        Way::Straight(_) => 2.0 * zone / speed,
        // An arc leaves its tangent by the square of the angle.
        Way::Turn(turn) => (4.0 * zone / speed).min(8.0 * zone.sqrt() / widen_real(turn.angle).abs()),
    };
    assert!(off <= slack, "{what}: {off} > {slack}\n{with:?}\n{without:?}");
}

fn shortcuts_change_nothing(seed: u64, turning: bool) {
    let mut rng = Rng::new(seed);
    let mut scratch = CastScratch::default();
    let (mut hits, mut base, mut sums) = (HitRate::new("casts that hit"), [0; 3], [[0; 3]; 6]);
    let mut spared = CastCounts::default();
    for round in 0..150 {
        let (fixed, pose_w) = (world(&mut rng), pose_of(rng.in_ball(2.0), rng.rotation()));
        for case in 0..10 {
            let moving = body(&mut rng);
            let place = common::posed(&pose_w, rng.in_box(DVec3::splat(2.5)) + DVec3::splat(2.0));
            let turn = DQuat::from_array(pose_w.rotation().to_array().map(widen_real));
            let pose = pose_of(place, if rng.chance(0.3) { turn } else { rng.rotation() });
            let (scene, way) = ((&fixed, &pose_w, &moving, &pose), random_way(&mut rng, turning, place));
            let with = way.cast(scene, Shortcuts::default(), &mut scratch);
            if with.overlap.is_none() {
                hits.record(with.hit.is_some());
            }
            add(&mut base, &with.counts);
            let CastCounts { back_faces, back_edges, internal_edges, internal_points, shared_sides, .. } = with.counts;
            spared.back_faces += back_faces;
            spared.back_edges += back_edges;
            spared.internal_edges += internal_edges;
            spared.internal_points += internal_points;
            spared.shared_sides += shared_sides;
            for ((name, shortcuts), sum) in variants().into_iter().zip(&mut sums) {
                let without = way.cast(scene, shortcuts, &mut scratch);
                add(sum, &without.counts);
                assert_same(&format!("seed {seed}, world {round}, case {case}, {name}"), &way, &with, &without);
            }
        }
    }
    println!("points, edges, signs: {base:?}");
    variants().iter().zip(&sums).for_each(|((name, _), sum)| println!("without {name}: {sum:?}"));
    println!("{spared:?}");
    hits.assert_between(0.2, 0.9);
    let [edges, points, faces, back_edges, sides, all] = sums;
    assert!(edges[1] > base[1]);
    assert!(points[0] > base[0]);
    assert!(faces[0] > base[0]);
    assert!(back_edges[1] > base[1]);
    assert_eq!(sides[2] > base[2], !turning);
    assert!(all[0] > base[0] && all[1] > base[1]);
    assert!(spared.back_faces > 0 && spared.internal_edges > 0 && spared.internal_points > 0);
    // Along a straight way polygons that face away are left out with their edges.
    assert_eq!(spared.back_edges > 0, turning);
    assert_eq!(spared.shared_sides > 0, !turning);
}

#[test]
fn translations_are_the_same_without_shortcuts() {
    shortcuts_change_nothing(701, false);
}

#[test]
fn rotations_are_the_same_without_shortcuts() {
    shortcuts_change_nothing(709, true);
}

/// Flat and concave edges are tested too and do not catch: a box slides over a floor of squares, along a wall, and turns on the floor.
#[test]
fn internal_edges_do_not_catch() {
    let mut rng = Rng::new(719);
    let mut scratch = CastScratch::default();
    let mut tests = [0_u64; 2];
    for case in 0..60 {
        let hall = cells([6, 6, 3], false, 0.0, &mut rng, |c| c[2] == 0 || c[0] == 0).unwrap();
        let turn = if case % 2 == 0 { DQuat::IDENTITY } else { rng.rotation() };
        let pose_w = pose_of(rng.in_ball(3.0), turn);
        let turn = DQuat::from_array(pose_w.rotation().to_array().map(widen_real));
        let half = DVec3::new(rng.uniform(0.1, 0.4), rng.uniform(0.1, 0.4), rng.uniform(0.1, 0.4));
        let body = Poly::cuboid(half);
        let spun = turn * DQuat::from_rotation_z(rng.uniform(0.0, 3.0));
        let start = pose_of(widen(pose_w.translation()) + turn * DVec3::new(3.0, 3.0, 2.0), spun);
        let mut go = |pose: &Pose, way: Way| {
            let casts = [Shortcuts::default(), Shortcuts::NONE]
                .map(|shortcuts| way.cast((&hall, &pose_w, &body, pose), shortcuts, &mut scratch));
            casts.iter().zip(&mut tests).for_each(|(cast, sum)| *sum += u64::from(cast.counts.edge_edge));
            assert_same(&format!("case {case}"), &way, &casts[0], &casts[1]);
            casts[1]
        };
        let mut pose = go(&start, Way::Straight(widen(narrow(turn * DVec3::new(0.0, 0.0, -3.0))))).pose;
        for leg in 0..4 {
            let here = turn.inverse() * (widen(pose.translation()) - widen(pose_w.translation()));
            let to = DVec3::new(rng.uniform(1.8, 5.2), rng.uniform(0.8, 5.2), here.z);
            let slide = go(&pose, Way::Straight(widen(narrow(turn * (to - here)))));
            assert!(slide.hit.is_none(), "case {case}, leg {leg}: caught: {slide:?}");
            pose = slide.pose;
            let (origin, axis) = (pose.translation(), narrow(turn * DVec3::Z));
            let spin = go(&pose, Way::Turn(Rotation { origin, axis, angle: narrow_real(rng.uniform(-2.0, 2.0)) }));
            assert!(spin.hit.is_none(), "case {case}, leg {leg}: caught turning: {spin:?}");
            pose = spin.pose;
        }
        let wall = go(&pose, Way::Straight(widen(narrow(turn * DVec3::new(-6.0, 0.0, 0.0)))));
        let y = (turn.inverse() * (widen(wall.pose.translation()) - widen(pose_w.translation()))).y;
        let along = go(&wall.pose, Way::Straight(widen(narrow(turn * DVec3::new(0.0, 3.0 - y, 0.0)))));
        assert!(along.hit.is_none(), "{case}: caught along the wall: {along:?}");
    }
    assert!(tests[1] > tests[0], "{tests:?}");
}
