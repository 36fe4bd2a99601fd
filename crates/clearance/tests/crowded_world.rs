//! Many bodies in one place: their pairs are as many as the square of them, and a world keeps no more than it is told to. It says so, takes
//! no more memory than the pairs it keeps, and goes on where it was when the crowd is gone.
#![allow(unsafe_code)] // an allocator that counts
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

#[cfg(single_precision)]
extern crate clearance_f32 as clearance;

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clearance::world::{BodyId, Broad, EventKind, NewBody, World, WorldError, WorldOptions};
use clearance::{Pose, Shape};
use clearance_testkit::{HitRate, Rng};
use common::pose_of;
use glam::{DQuat, DVec3};

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// The tests share the counts: one at a time.
static ALONE: Mutex<()> = Mutex::new(());

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(live, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(place, layout) }
    }
}

const BROADS: [Broad; 5] = [Broad::Grid, Broad::Tree, Broad::SweepAndPrune, Broad::PartitionedSweep, Broad::BruteForce];

fn at(place: DVec3) -> Pose {
    pose_of(place, DQuat::IDENTITY)
}

fn ball(radius: f64) -> Shape {
    Shape::sphere(radius as clearance::Real).unwrap()
}

/// A crowd far larger than is kept, of moving bodies and over fixed ones: little memory, and an error that names the limit.
#[test]
fn a_crowd_takes_no_more_than_the_pairs_that_are_kept() {
    let _alone = ALONE.lock().unwrap();
    let most = 50_000;
    for (broad, count) in [
        (Broad::Grid, 30_000),
        (Broad::Tree, 30_000),
        (Broad::SweepAndPrune, 30_000),
        (Broad::PartitionedSweep, 30_000),
        (Broad::BruteForce, 2_000),
    ] {
        for over_fixed in [false, true] {
            let options = WorldOptions { broad, most_pairs: most, ..WorldOptions::default() };
            let mut world = World::new(options);
            let shape = ball(1.0);
            for i in 0..count {
                let place = at(DVec3::new(1e-3 * (i % 10) as f64, 0.0, 0.0));
                let new = if over_fixed && i % 2 == 0 {
                    NewBody::fixed(shape.clone(), place)
                } else {
                    // Those over fixed bodies are apart from each other.
                    let x = if over_fixed { 1e-4 * i as f64 } else { 0.0 };
                    NewBody::new(shape.clone(), at(DVec3::new(x, 0.0, 0.0)))
                };
                world.add(new).unwrap();
            }
            let before = LIVE.load(Ordering::Relaxed);
            PEAK.store(before, Ordering::Relaxed);
            assert!(!world.step().is_complete, "{broad:?}");
            let refused = world.try_step().map(|step| step.statistics);
            assert_eq!(refused, Err(WorldError::TooManyPairs { most }), "{broad:?}");
            assert!(refused.unwrap_err().to_string().contains("most_pairs"));
            let peak = PEAK.load(Ordering::Relaxed) - before;
            assert!(peak < 64 * most + 3_000 * count, "{broad:?}: {peak} bytes for {count} bodies");
        }
    }
}

/// The pairs that touch after each complete step, found by looking at all of them.
fn touching(places: &[(BodyId, DVec3)], radius: f64) -> BTreeSet<[BodyId; 2]> {
    let mut pairs = BTreeSet::new();
    for (i, (a, at_a)) in places.iter().enumerate() {
        for (b, at_b) in &places[..i] {
            if at_a.distance(*at_b) < 2.0 * radius {
                pairs.insert([*a.min(b), *a.max(b)]);
            }
        }
    }
    pairs
}

/// Bodies that gather and part, come and go: complete steps tell what has begun and ended since the last complete one, whatever the
/// broad phase.
#[test]
fn what_has_changed_meanwhile_is_told_by_the_next_complete_step() {
    let _alone = ALONE.lock().unwrap();
    for broad in BROADS {
        let (mut rng, radius) = (Rng::new(61), 0.25);
        let mut world = World::new(WorldOptions { broad, most_pairs: 300, ..WorldOptions::default() });
        let mut places: Vec<(BodyId, DVec3)> = Vec::new();
        let (mut known, mut complete) = (BTreeSet::new(), HitRate::new("complete steps"));
        let mut touched = HitRate::new("steps with touching pairs");
        for frame in 0..300 {
            let spread = if frame % 7 < 3 { 0.4 } else { 3.0 };
            if places.len() > 40 || (!places.is_empty() && rng.chance(0.3)) {
                let (id, _) = places.swap_remove(rng.index(places.len()));
                world.remove(id).unwrap();
            }
            while places.len() < 40 {
                let place = rng.in_ball(spread);
                places.push((world.add(NewBody::new(ball(radius), at(place))).unwrap(), place));
            }
            for (id, place) in &mut places {
                if rng.chance(0.8) {
                    *place = rng.in_ball(spread);
                    world.set_pose(*id, at(*place)).unwrap();
                }
            }
            let now = touching(&places, radius);
            let step = world.step();
            if !complete.record(step.is_complete) {
                assert!(step.events.is_empty() && now.len() > 100, "{broad:?}, {frame}");
                continue;
            }
            touched.record(!now.is_empty());
            let of = |kind: EventKind| -> BTreeSet<[BodyId; 2]> {
                step.events.iter().filter(|event| event.kind == kind).map(|event| event.bodies).collect()
            };
            assert_eq!(of(EventKind::Begin), &now - &known, "{broad:?}, {frame}");
            assert_eq!(of(EventKind::Persist), &now & &known, "{broad:?}, {frame}");
            assert_eq!(of(EventKind::End), &known - &now, "{broad:?}, {frame}");
            known = now;
        }
        complete.assert_between(0.3, 0.8);
        touched.assert_between(0.5, 1.0);
    }
}
