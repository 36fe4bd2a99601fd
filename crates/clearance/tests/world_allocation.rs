//! A warm step allocates nothing, and memory grows with the bodies alone: counted, not timed.
#![allow(unsafe_code)] // an allocator that counts
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

#[cfg(single_precision)]
extern crate clearance_f32 as clearance;

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use clearance::math::narrow_real;
use clearance::world::{BodyId, Broad, Mode, MotionBounds, NewBody, Statistics, World, WorldOptions};
use clearance::{Body, Mesh, Polytope, Shape};
use clearance_testkit::{Cloud, Polyhedron, Rng};
use common::{narrowed, pose_of};
use glam::{DQuat, DVec3};

static LIVE: AtomicUsize = AtomicUsize::new(0);
static CALLS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        LIVE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        LIVE.fetch_add(size, Ordering::Relaxed);
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(place, layout, size) }
    }
}

fn live() -> usize {
    LIVE.load(Ordering::Relaxed)
}

fn calls() -> usize {
    CALLS.load(Ordering::Relaxed)
}

/// Bodies that swing and turn on fixed orbits, as many per volume whatever their number.
struct Orbits {
    world: World,
    bodies: Vec<(BodyId, DVec3, DVec3, DVec3)>,
}

/// Of the thesis: bodies of radius one half whose volumes take up a tenth of the room.
fn orbits(count: usize, options: WorldOptions) -> Orbits {
    let mut rng = Rng::new(170);
    let mut shapes: Vec<Shape> = Vec::new();
    for _ in 0..8 {
        let points: Vec<DVec3> = Cloud::Sphere.generate(&mut rng, 20).iter().map(|p| *p * 0.5).collect();
        shapes.push(Polytope::from_points(&narrowed(&points)).unwrap().into());
    }
    let half = 0.5 * (count as f64 * 0.3 / 0.1).cbrt();
    let mut world = World::new(options);
    let motion = Some(MotionBounds { speed: narrow_real(0.1), spin: narrow_real(0.2), ..MotionBounds::default() });
    let bodies = (0..count).map(|nth| {
        let at = rng.in_box(DVec3::splat(half));
        let body = NewBody { motion, ..NewBody::new(shapes[nth % 8].clone(), pose_of(at, DQuat::IDENTITY)) };
        (world.add(body).unwrap(), at, rng.unit_vector() * 0.3, rng.unit_vector())
    });
    let bodies = bodies.collect();
    Orbits { world, bodies }
}

impl Orbits {
    fn step(&mut self, frame: usize) -> Statistics {
        let angle = 0.2 * (frame % 32) as f64;
        for (id, center, swing, axis) in &self.bodies {
            let turn = DQuat::from_axis_angle(*axis, angle);
            self.world.set_pose(*id, pose_of(*center + *swing * angle.sin(), turn)).unwrap();
        }
        self.world.step().statistics
    }
}

fn a_warm_step_allocates_nothing() {
    let modes = [Mode::Boolean, Mode::Combined, Mode::Closest { within: narrow_real(0.1) }];
    for broad in [Broad::Grid, Broad::Tree, Broad::SweepAndPrune, Broad::PartitionedSweep, Broad::BruteForce] {
        for mode in modes.into_iter().chain([Mode::Contacts(clearance::ManifoldOptions::default())]) {
            for schedule in [false, true] {
                let keep_contacts = narrow_real(0.01);
                let options = WorldOptions { mode, broad, schedule, keep_contacts, ..WorldOptions::default() };
                let mut orbits = orbits(400, options);
                (0..96).for_each(|frame| _ = orbits.step(frame));
                let before = calls();
                let tested: u64 = (96..128).map(|frame| orbits.step(frame).tested).sum();
                assert_eq!(calls() - before, 0, "{options:?}");
                assert!(tested > 2_000, "{tested} tests");
            }
        }
    }
}

/// The same over a terrain, a fixed mesh, and among meshes that swing.
fn a_warm_step_among_meshes_allocates_nothing() {
    let mut rng = Rng::new(171);
    let mesh = |solid: &Polyhedron| Body::from(Mesh::new(&narrowed(&solid.vertices), &solid.faces).unwrap());
    let ground = mesh(&Polyhedron::terrain(&mut rng, 30).mapped(|v| v * DVec3::new(6.0, 6.0, 2.0)));
    let ring = mesh(&Polyhedron::torus(0.4, 0.15, 10, 6));
    for mode in [Mode::Boolean, Mode::Combined, Mode::Closest { within: narrow_real(0.1) }] {
        let mut orbits = orbits(200, WorldOptions { mode, ..WorldOptions::default() });
        orbits.world.add(NewBody::fixed(ground.clone(), pose_of(DVec3::ZERO, DQuat::IDENTITY))).unwrap();
        for _ in 0..20 {
            let at = rng.in_box(DVec3::splat(3.0));
            let id = orbits.world.add(NewBody::new(ring.clone(), pose_of(at, DQuat::IDENTITY))).unwrap();
            orbits.bodies.push((id, at, rng.unit_vector() * 0.3, rng.unit_vector()));
        }
        (0..96).for_each(|frame| _ = orbits.step(frame));
        let before = calls();
        let tested: u64 = (96..128).map(|frame| orbits.step(frame).tested).sum();
        assert_eq!(calls() - before, 0, "{mode:?}");
        assert!(tested > 2_000, "{tested} tests");
    }
}

/// Pairs with a mesh that come to an end leave their memory to new ones: a step allocates only if there are more of them than ever before.
fn pairs_with_meshes_take_over_memory() {
    let mut rng = Rng::new(172);
    let terrain = Polyhedron::terrain(&mut rng, 30).mapped(|v| v * DVec3::new(6.0, 6.0, 2.0));
    let ground = Body::from(Mesh::new(&narrowed(&terrain.vertices), &terrain.faces).unwrap());
    for mode in [Mode::Boolean, Mode::Combined, Mode::Closest { within: narrow_real(0.1) }] {
        let mut orbits = orbits(200, WorldOptions { mode, ..WorldOptions::default() });
        let ground = NewBody::fixed(ground.clone(), pose_of(DVec3::ZERO, DQuat::IDENTITY));
        let ground = orbits.world.add(ground).unwrap();
        let (mut pairs, mut most) = ([u64::MAX, 0], 0);
        for frame in 0..256 {
            // The ground goes down and comes back, and so do its pairs.
            let depth = 3.0 + 3.0 * (0.2 * (frame % 32) as f64).sin();
            orbits.world.set_pose(ground, pose_of(DVec3::Z * -depth, DQuat::IDENTITY)).unwrap();
            let before = calls();
            let step = orbits.step(frame);
            assert!(frame < 128 || calls() == before, "{mode:?}, frame {frame}: {} allocations", calls() - before);
            most = most.max(step.touching);
            pairs = [pairs[0].min(step.pairs), pairs[1].max(step.pairs)];
        }
        assert!(most > 10 && pairs[1] > pairs[0] + 40, "{most} touch, pairs: {pairs:?}");
    }
}

/// Bytes, pairs and supports per body do not depend on the number of bodies.
fn nothing_grows_faster_than_the_bodies() {
    let mut per_body: Vec<[f64; 3]> = Vec::new();
    for count in [1_000, 10_000, 30_000, 100_000] {
        let before = live();
        let mut orbits = orbits(count, WorldOptions { mode: Mode::Combined, ..WorldOptions::default() });
        let frames = if count > 30_000 { 2 } else { 8 };
        let mut sum = Statistics::default();
        for frame in 0..frames {
            let step = orbits.step(frame);
            (sum.pairs, sum.supports) = (sum.pairs + step.pairs, sum.supports + step.supports);
        }
        let bytes = live() - before;
        println!("{count} bodies: {} MB", bytes as f64 / 1e6);
        assert!(count < 100_000 || bytes < 500_000_000, "{bytes} bytes");
        let per = |total: u64| total as f64 / (frames * count) as f64;
        per_body.push([bytes as f64 / count as f64, per(sum.pairs), per(sum.supports)]);
    }
    println!("bytes, pairs and supports per body: {per_body:.2?}");
    assert!(per_body[0][1] > 0.1, "they meet");
    for nth in 1..per_body.len() {
        let [small, large] = [per_body[0], per_body[nth]];
        // A tenth more for bodies at the boundary, which have fewer neighbours; tables double their room.
        assert!(large[0] < 2.2 * small[0] && large[1] < 1.3 * small[1], "{per_body:?}");
        assert!(nth == per_body.len() - 1 || large[2] < 1.3 * small[2], "{per_body:?}");
    }
}

/// One test, so that nobody else allocates meanwhile; and one thread, since a pool of them allocates for itself.
#[test]
fn memory() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        a_warm_step_allocates_nothing();
        a_warm_step_among_meshes_allocates_nothing();
        pairs_with_meshes_take_over_memory();
        nothing_grows_faster_than_the_bodies();
    });
}
