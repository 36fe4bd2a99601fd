//! The same bits for any number of threads and any broad phase.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::world_twin;
use clearance::ManifoldOptions;
use clearance::math::narrow_real;
use clearance::world::{BodyId, Broad, EventKind, Mode, MotionBounds, NewBody, World, WorldOptions};
use clearance_testkit::{HitRate, Rng};
use common::pose_of;
use glam::DVec3;
use world_twin::scene::shapes;

/// Everything that a run tells, as text: floats are printed to the last bit.
fn run(options: WorldOptions, bodies: usize, frames: usize) -> String {
    let mut rng = Rng::new(160);
    let shapes = shapes(&mut rng);
    let mut world = World::new(options);
    let room = (bodies as f64 / 0.3).cbrt();
    let mut ids: Vec<(BodyId, DVec3, DVec3)> = Vec::new();
    let motion = Some(MotionBounds { speed: narrow_real(0.1), spin: narrow_real(0.2), ..MotionBounds::default() });
    let add = |world: &mut World, rng: &mut Rng| {
        let at = rng.in_box(DVec3::splat(0.5 * room));
        let shape = shapes[rng.index(shapes.len())].clone();
        let id = world.add(NewBody { motion, ..NewBody::new(shape, pose_of(at, rng.rotation())) }).unwrap();
        (id, at, rng.unit_vector() * 0.1)
    };
    (0..bodies).for_each(|_| ids.push(add(&mut world, &mut rng)));
    let mut told = String::new();
    let (mut chunks, mut touching) = (HitRate::new("more pairs than one thread takes"), HitRate::new("begin or end"));
    for _ in 0..frames {
        for place in &mut ids {
            if rng.chance(0.003) {
                world.remove(place.0).unwrap();
                *place = add(&mut world, &mut rng);
                continue;
            }
            let (id, at, velocity) = place;
            *at += *velocity;
            let turn = if rng.chance(0.02) { rng.rotation() } else { glam::DQuat::IDENTITY };
            world.set_pose(*id, pose_of(*at, turn)).unwrap();
        }
        let step = world.step();
        chunks.record(step.statistics.pairs > 1000);
        touching.record(step.events.iter().any(|event| event.kind != EventKind::Persist));
        told += &format!("{:?} {:?} {:?} {:?}\n", step.events, step.near, step.contacts, step.statistics);
    }
    chunks.assert_between(0.9, 1.0);
    touching.assert_between(0.9, 1.0);
    told
}

fn with_threads(threads: usize, options: WorldOptions) -> String {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| run(options, 1500, 12))
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for mode in [
        Mode::Boolean,
        Mode::Combined,
        Mode::Closest { within: narrow_real(0.2) },
        Mode::Contacts(ManifoldOptions::default()),
    ] {
        for schedule in [false, true] {
            let options = WorldOptions { mode, schedule, ..WorldOptions::default() };
            let alone = with_threads(1, options);
            for threads in [2, 3, 8] {
                assert!(alone == with_threads(threads, options), "{threads} threads, {options:?}");
            }
        }
    }
}

#[test]
fn any_broad_phase_gives_the_same_bits() {
    let told =
        [Broad::Grid, Broad::Tree, Broad::SweepAndPrune, Broad::PartitionedSweep, Broad::BruteForce].map(|broad| {
            let mode = Mode::Closest { within: narrow_real(0.1) };
            with_threads(3, WorldOptions { broad, mode, ..WorldOptions::default() })
        });
    assert!(told.iter().all(|other| *other == told[0]));
}
