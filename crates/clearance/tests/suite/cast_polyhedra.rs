//! Casts of concave polyhedra: nothing passes, nothing is missed, nothing stops early.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::ccd::polyhedra::{
    Cast, CastError, CastScratch, Rotation, TrajectoryOptions, cast_rotation, cast_translation,
};
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::{End, Pose};
use clearance_testkit::{HitRate, Rng};
use common::voxels::{Poly, body, world};
use common::{SINGLE, pose_of};
use glam::{DQuat, DVec3};

/// Where the body is at a share of a motion, in f64 and independent of the library.
#[derive(Clone, Copy)]
enum Way {
    Straight(DVec3),
    Turn { origin: DVec3, axis: DVec3, angle: f64 },
}

impl Way {
    fn pose(&self, start: &Pose, share: f64) -> Pose {
        let own = DQuat::from_array(start.rotation().to_array().map(widen_real));
        let place = widen(start.translation());
        match *self {
            Self::Straight(by) => pose_of(place + by * share, own),
            Self::Turn { origin, axis, angle } => {
                let turn = DQuat::from_axis_angle(axis.normalize(), angle * share);
                pose_of(origin + turn * (place - origin), turn * own)
            }
        }
    }

    fn cast(&self, world: &Poly, pose_w: &Pose, body: &Poly, pose_b: &Pose, scratch: &mut CastScratch) -> Cast {
        let options = TrajectoryOptions::default();
        match *self {
            Self::Straight(by) => {
                cast_translation(&world.cast, pose_w, &body.cast, pose_b, narrow(by), &options, scratch).unwrap()
            }
            Self::Turn { origin, axis, angle } => {
                let rotation = Rotation { origin: narrow(origin), axis: narrow(axis), angle: narrow_real(angle) };
                cast_rotation(&world.cast, pose_w, &body.cast, pose_b, rotation, &options, scratch).unwrap()
            }
        }
    }
}

#[derive(Default)]
struct Tally {
    hits: usize,
    free: usize,
    overlaps: usize,
    ways_out: usize,
    shallow: usize,
    early: usize,
    tests: [u64; 4],
    /// Polygons and edges spared: candidates, back faces, back edges, internal edges.
    spared: [u64; 4],
}

fn pose_b_moved(pose: &Pose, by: DVec3) -> Pose {
    Way::Straight(by).pose(pose, 1.0)
}

/// One cast against a dense sampling, and the distance where it ended.
fn check(what: &str, scene: (&Poly, &Pose, &Poly, &Pose), way: Way, scratch: &mut CastScratch, tally: &mut Tally) {
    let (world, pose_w, body, pose_b) = scene;
    let fixed = world.placed(pose_w);
    let at = |share: f64| body.placed(&way.pose(pose_b, share));
    let cast = way.cast(world, pose_w, body, pose_b, scratch);
    let zone = widen_real(cast.zone);
    assert_eq!(cast.end, End::Converged);
    let start = body.placed(pose_b);
    if let Some(out) = cast.overlap {
        tally.overlaps += 1;
        assert_eq!(cast.fraction, 0.0, "{what}");
        let inside = fixed.is_solid(start.points[0]) || start.is_solid(fixed.points[0]);
        assert!(inside || fixed.meets(&start, 0.0), "{what}: no overlap: {out:?}");
        if out.is_free {
            tally.ways_out += 1;
            let there = body.placed(&pose_b_moved(pose_b, widen(out.translation)));
            assert!(!fixed.meets(&there, zone) && !fixed.is_solid(there.points[0]), "{what}: no way out: {out:?}");
        }
        return;
    }
    let deep = |p: DVec3| fixed.is_solid(p) && fixed.boundary_distance(p) > 4.0 * zone;
    assert!(!deep(start.points[0]), "{what}: starts inside: {cast:?}");
    assert!(!fixed.meets(&start, 4.0 * zone), "{what}: an overlap at the start was not seen");
    let apart = fixed.distance(&start, 1.0);
    if fixed.meets(&start, 0.0) {
        // Overlapping by less than the zone, which is as good as touching: nothing is promised but that it may leave.
        tally.shallow += 1;
        return;
    }
    let fraction = widen_real(cast.fraction);
    // The poses of the sampling are rounded, and so is the start.
    for i in 0..=40 {
        let share = fraction * f64::from(i) / 40.0;
        assert!(!fixed.meets(&at(share), zone * 0.25), "{what}: passes at {share}: {cast:?}");
    }
    let there = body.placed(&cast.pose);
    let left = fixed.distance(&there, 1.0);
    assert!(left >= 0.2 * zone.min(apart), "{what}: {left} left of {apart}, zone {zone}: {cast:?}");
    assert!(!fixed.meets(&there, 0.0), "{what}: goes through at the end: {cast:?}");
    let c = &cast.counts;
    let (tests, spared) = (
        [c.point_face, c.edge_edge, c.sides, c.shared_sides],
        [c.candidates, c.back_faces, c.back_edges, c.internal_edges],
    );
    tally.tests.iter_mut().zip(tests).for_each(|(sum, count)| *sum += u64::from(count));
    tally.spared.iter_mut().zip(spared).for_each(|(sum, count)| *sum += u64::from(count));
    match cast.hit {
        None => {
            assert_eq!(cast.fraction, 1.0, "{what}");
            tally.free += 1;
        }
        Some(hit) => {
            tally.hits += 1;
            assert!((widen(hit.normal).length() - 1.0).abs() < 1e-5, "{what}: {cast:?}");
            if left > 4.0 * zone {
                tally.early += 1;
                // Only a way that grazes comes into the zone far from where it would touch.
                let grazing = (zone * 40.0).sqrt() * 4.0;
                let speed = match way {
                    Way::Straight(by) => by.dot(widen(hit.normal)).abs() / by.length(),
                    Way::Turn { .. } => 1.0,
                };
                assert!(left <= grazing.max(4.0 * zone / speed), "{what}: {left} left, zone {zone}: {cast:?}");
            }
        }
    }
}

fn random_way(rng: &mut Rng, turning: bool, place: DVec3) -> Way {
    if !turning {
        return Way::Straight(widen(narrow(rng.unit_vector() * rng.uniform(0.1, 6.0))));
    }
    // Through the body, near it, or anywhere.
    let reach = rng.pick(&[0.2, 1.0, 4.0]);
    let origin = place + rng.in_ball(reach);
    let angle = rng.sign() * if rng.chance(0.2) { rng.uniform(3.0, 9.0) } else { rng.uniform(0.05, 3.0) };
    let [origin, axis] = [origin, rng.unit_vector()].map(|v| widen(narrow(v)));
    Way::Turn { origin, axis, angle: widen_real(narrow_real(angle)) }
}

fn nothing_passes(seed: u64, turning: bool, away: f64, rounds: usize) {
    let mut rng = Rng::new(seed);
    let (mut scratch, mut tally) = (CastScratch::default(), Tally::default());
    for round in 0..rounds {
        let world = world(&mut rng);
        let far = rng.unit_vector() * away;
        let pose_w = if rng.chance(0.3) { pose_of(far, DQuat::IDENTITY) } else { pose_of(far, rng.rotation()) };
        let turn = DQuat::from_array(pose_w.rotation().to_array().map(widen_real));
        for case in 0..12 {
            let body = body(&mut rng);
            let mut anywhere = || DVec3::new(rng.uniform(-0.5, 4.5), rng.uniform(-0.5, 4.5), rng.uniform(-0.5, 4.5));
            let fixed = world.placed(&pose_of(DVec3::ZERO, DQuat::IDENTITY));
            let mut local = anywhere();
            for _ in 0..6 {
                if fixed.is_solid(local) {
                    local = anywhere();
                }
            }
            let own = if rng.chance(0.3) { turn } else { rng.rotation() };
            let pose_b = pose_of(widen(pose_w.translation()) + turn * local, own);
            let way = random_way(&mut rng, turning, widen(pose_b.translation()));
            let what = format!("seed {seed}, world {round}, case {case}");
            check(&what, (&world, &pose_w, &body, &pose_b), way, &mut scratch, &mut tally);
        }
    }
    let Tally { hits, free, overlaps, ways_out, shallow, early, tests, spared } = tally;
    println!(
        "{hits} hits, {free} free, {overlaps} overlaps ({ways_out} ways out), {shallow} shallow, {early} grazing; \
         points, edges, signs, shared: {tests:?}; candidates, back faces, back edges, internal edges: {spared:?}"
    );
    let total = (hits + free + overlaps) as f64;
    assert!(hits as f64 > 0.15 * total && free as f64 > 0.05 * total && overlaps as f64 > 0.1 * total);
    assert!(ways_out as f64 > 0.75 * overlaps as f64, "{ways_out} ways out of {overlaps}");
    assert!((shallow as f64) < if SINGLE { 0.05 } else { 0.001 } * total, "{shallow} of {total} start shallow");
    assert!((early as f64) < 0.02 * total, "{early} of {total} stop early");
}

#[test]
fn no_translation_passes() {
    nothing_passes(101, false, 0.0, 100);
}

#[test]
fn no_rotation_passes() {
    nothing_passes(103, true, 0.0, 100);
}

#[test]
fn no_translation_passes_far_away() {
    nothing_passes(107, false, 1.0e4, 60);
}

#[test]
fn no_rotation_passes_far_away() {
    nothing_passes(109, true, 1.0e4, 60);
}

#[test]
fn too_far_for_the_precision_is_an_error() {
    let cube = Poly::cuboid(DVec3::splat(0.5));
    let far = if SINGLE { 1.0e6 } else { 1.0e15 };
    let pose = pose_of(DVec3::X * far, DQuat::IDENTITY);
    let by = narrow(DVec3::X);
    let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
    let cast = cast_translation(&cube.cast, &pose, &cube.cast, &pose, by, &options, &mut scratch);
    assert!(matches!(cast, Err(CastError::TooLarge { .. })), "{cast:?}");
}

/// Beams and wedges whose edges are parallel to within angles from a tenth down to rounding, passing each other closely.
#[test]
fn nearly_parallel_edges_do_not_pass() {
    nearly_parallel(113);
}

fn nearly_parallel(seed: u64) {
    let mut rng = Rng::new(seed);
    let (mut scratch, mut tally) = (CastScratch::default(), Tally::default());
    for case in 0..1500 {
        let tilt = 0.1_f64.powf(rng.uniform(1.0, 17.0));
        let half = [(); 2].map(|()| DVec3::new(rng.uniform(0.5, 3.0), rng.uniform(0.05, 0.4), rng.uniform(0.05, 0.4)));
        let [beam, other] = half.map(Poly::cuboid);
        let frame = if rng.chance(0.5) { DQuat::IDENTITY } else { rng.rotation() };
        // Standing on its edge or flat, turned by next to nothing about any axis.
        let roll = DQuat::from_rotation_x(if rng.chance(0.5) { 0.0 } else { std::f64::consts::FRAC_PI_4 });
        let tilted = DQuat::from_axis_angle(rng.unit_vector(), tilt) * roll;
        let flush = half[0].y + half[1].y * if rng.chance(0.5) { -1.0 } else { 1.0 };
        let beside = if rng.chance(0.5) { flush + rng.uniform(-2.0, 2.0) * tilt } else { rng.uniform(-0.5, 0.5) };
        let apart = 1.0 + half[0].z + half[1].z;
        let offset = DVec3::new(rng.uniform(-1.0, 1.0), beside, apart);
        let (pose_w, pose_b) = (pose_of(DVec3::ZERO, frame), pose_of(frame * offset, frame * tilted));
        let way = if rng.chance(0.5) {
            Way::Straight(widen(narrow(frame * DVec3::new(0.0, 0.0, -2.0 * apart))))
        } else {
            // A long arm: nearly the same way.
            let origin = widen(narrow(frame * DVec3::new(0.0, rng.sign() * 5.0, rng.uniform(-0.5, 0.5))));
            let angle = if origin.dot(frame * DVec3::Y) > 0.0 { 0.8 } else { -0.8 };
            Way::Turn { origin, axis: widen(narrow(frame * DVec3::X)), angle }
        };
        check(&format!("case {case}, tilt {tilt:e}"), (&beam, &pose_w, &other, &pose_b), way, &mut scratch, &mut tally);
    }
    println!("{} hits, {} free, {} overlaps, {} grazing", tally.hits, tally.free, tally.overlaps, tally.early);
    assert!(tally.hits > 500 && tally.free > 100, "{} hits, {} free", tally.hits, tally.free);
}

/// A body pushed about in a concave world, each step from where the last one ended, mostly in contact: it never comes nearer than
/// half the zone, however often it is pushed, and it does not get stuck either.
#[test]
fn pushed_about_it_never_sinks_in() {
    pushed_about(127);
}

fn pushed_about(seed: u64) {
    let mut rng = Rng::new(seed);
    let mut scratch = CastScratch::default();
    let (mut hits, mut moves) = (HitRate::new("moves that end in contact"), HitRate::new("moves that go somewhere"));
    for walk in 0..60 {
        // Rooms: elsewhere it drifts away.
        let (world, body) = (std::iter::repeat_with(|| world(&mut rng)).find(|w| w.room).unwrap(), body(&mut rng));
        let pose_w = pose_of(rng.in_ball(10.0), rng.rotation());
        let fixed = world.placed(&pose_w);
        let mut pose = loop {
            let start =
                pose_of(common::posed(&pose_w, rng.in_box(DVec3::splat(2.5)) + DVec3::splat(2.0)), rng.rotation());
            let placed = body.placed(&start);
            if !fixed.is_solid(placed.points[0]) && !fixed.meets(&placed, 0.0) && fixed.distance(&placed, 1.0) > 0.01 {
                break start;
            }
        };
        let drift = rng.unit_vector();
        for step in 0..60 {
            let push = drift * rng.uniform(0.0, 1.0) + rng.in_ball(0.5);
            let way = if rng.chance(0.6) {
                Way::Straight(widen(narrow(push)))
            } else {
                let origin = widen(pose.translation()) + rng.in_ball(0.5);
                let angle = widen_real(narrow_real(rng.uniform(-2.0, 2.0)));
                let [origin, axis] = [origin, rng.unit_vector()].map(|v| widen(narrow(v)));
                Way::Turn { origin, axis, angle }
            };
            let cast = way.cast(&world, &pose_w, &body, &pose, &mut scratch);
            let what = format!("walk {walk}, step {step}");
            assert!(cast.overlap.is_none(), "{what}: {cast:?}");
            hits.record(cast.hit.is_some());
            moves.record(widen_real(cast.fraction) > 1e-3);
            pose = cast.pose;
            let placed = body.placed(&pose);
            let left = fixed.distance(&placed, 1.0);
            assert!(left > 0.2 * widen_real(cast.zone), "{what}: {left} left, zone {}: {cast:?}", cast.zone);
            assert!(!fixed.meets(&placed, 0.0), "{what}: {cast:?}");
            // Straight out along the normal is free for a little.
            if let Some(hit) = cast.hit {
                let out = Way::Straight(widen(hit.normal) * 1e-3).cast(&world, &pose_w, &body, &pose, &mut scratch);
                assert!(out.overlap.is_none());
            }
        }
    }
    println!("{} of {} moves end in contact, {} go somewhere", hits.hits(), hits.trials(), moves.hits());
    hits.assert_between(0.3, 0.98);
    moves.assert_between(0.1, 0.95);
}

/// The answers do not depend on what the scratch was used for, nor on the thread.
#[test]
fn scratch_and_threads_change_nothing() {
    let mut rng = Rng::new(131);
    let scenes: Vec<(Poly, Poly, Pose, Way)> = (0..60)
        .map(|i| {
            let (world, body) = (world(&mut rng), body(&mut rng));
            let pose = pose_of(rng.in_box(DVec3::splat(2.5)) + DVec3::splat(2.0), rng.rotation());
            let way = random_way(&mut rng, i % 2 == 0, widen(pose.translation()));
            (world, body, pose, way)
        })
        .collect();
    let fresh: Vec<Cast> = scenes
        .iter()
        .map(|(world, body, pose, way)| way.cast(world, &Pose::IDENTITY, body, pose, &mut CastScratch::default()))
        .collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut scratch = CastScratch::default();
                for ((world, body, pose, way), expected) in scenes.iter().zip(&fresh).rev() {
                    assert_eq!(way.cast(world, &Pose::IDENTITY, body, pose, &mut scratch), *expected);
                }
            });
        }
    });
}

/// Seeds of the long run; each is some ten thousand casts.
const SOAK: u64 = 40;

/// Many times of the above; by hand, with `--ignored`.
#[test]
#[ignore = "takes minutes"] // about 2 s for each
fn nothing_passes_at_length() {
    for seed in 0..SOAK {
        nearly_parallel(2000 + seed);
        pushed_about(3000 + seed);
        for (turning, away) in [(false, 0.0), (true, 0.0), (false, 1.0e4), (true, 1.0e4)] {
            nothing_passes(1000 + seed * 4 + u64::from(turning) * 2 + u64::from(away > 0.0), turning, away, 100);
        }
    }
}
