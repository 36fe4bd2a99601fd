//! What a cast costs does not grow with the world: polygons touched are counted, and so is memory. No times.
#![allow(unsafe_code)] // an allocator that counts
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

#[cfg(single_precision)]
extern crate clearance_f32 as clearance;

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use clearance::ccd::polyhedra::{
    Cast, CastScratch, Polyhedron, Rotation, TrajectoryOptions, cast_rotation, cast_translation,
};
use clearance::math::{narrow, narrow_real};
use clearance::{Mesh, Pose};
use clearance_testkit::{Polyhedron as Solid, Rng};
use common::{narrowed, pose_of};
use glam::DVec3;

static CALLS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(place, layout, size) }
    }
}

fn prepared(solid: &Solid) -> Polyhedron {
    Polyhedron::from(&Mesh::new(&narrowed(&solid.vertices), &solid.faces).unwrap())
}

/// Terrain of as many triangles, a unit per cell.
fn terrain(rng: &mut Rng, triangles: usize) -> (Polyhedron, DVec3) {
    let cells = (triangles as f64 / 2.0).sqrt().ceil();
    let size = DVec3::new(cells, cells, 40.0) * 0.5;
    (prepared(&Solid::terrain(rng, cells as u32).mapped(|p| p * size)), size * DVec3::new(1.0, 1.0, 0.4))
}

/// A lattice of boxes turned at random, one per unit: as many polygons.
fn lattice(rng: &mut Rng, polygons: usize) -> (Polyhedron, DVec3) {
    let along = (polygons as f64 / 6.0).cbrt().ceil() as i32;
    let mut all = Solid { vertices: Vec::new(), faces: Vec::new() };
    let middle = 0.5 * f64::from(along);
    for i in 0..along * along * along {
        let cell = [i % along, i / along % along, i / (along * along)].map(f64::from);
        let (at, turn) = (DVec3::from_array(cell) + 0.5 - middle, rng.rotation());
        let half = DVec3::new(rng.uniform(0.1, 0.25), rng.uniform(0.1, 0.25), rng.uniform(0.1, 0.25));
        all = all.joined(&Solid::cuboid(half).mapped(|p| turn * p + at));
    }
    (prepared(&all), DVec3::splat(middle))
}

/// Polygons touched as a share of the world, on average and at most, and hits.
#[derive(Default)]
struct Share {
    casts: u32,
    hits: u32,
    overlaps: u32,
    sum: f64,
    most: f64,
}

impl Share {
    fn add(&mut self, cast: &Cast, world: &Polyhedron) {
        if cast.overlap.is_some() {
            self.overlaps += 1;
            return;
        }
        let share = f64::from(cast.counts.candidates) / world.face_count() as f64;
        self.casts += 1;
        self.hits += u32::from(cast.hit.is_some());
        self.sum += share;
        self.most = self.most.max(share);
    }

    fn check(&self, what: &str) {
        let mean = self.sum / f64::from(self.casts.max(1));
        println!(
            "{what}: {:.4} % on average, {:.4} % at most; {} of {} hit, {} start inside",
            100.0 * mean,
            100.0 * self.most,
            self.hits,
            self.casts,
            self.overlaps
        );
        assert!(self.casts >= 100, "{what}: {} casts", self.casts);
        assert!(self.most < 0.01, "{what}: {} of the world", self.most);
    }
}

const CASTS: usize = 300;

fn few_polygons_are_touched(name: &str, rng: &mut Rng, world: &Polyhedron, half: DVec3, size: f64) {
    let solid = Solid::cuboid(DVec3::new(0.2, 0.25, 0.3) * size);
    let (body, mut scratch) = (prepared(&solid), CastScratch::default());
    assert_eq!(body.edge_counts(), (12, 0));
    let options = TrajectoryOptions::default();
    let reach = half.length();
    let start = |rng: &mut Rng| pose_of(rng.in_box(half) + DVec3::Z * 0.5 * half.z, rng.rotation());
    for length in [0.01, 0.1, 0.5, 2.0] {
        let mut share = Share::default();
        for _ in 0..CASTS {
            let (pose, way) = (start(rng), rng.unit_vector() * length * reach);
            let cast = cast_translation(world, &Pose::IDENTITY, &body, &pose, narrow(way), &options, &mut scratch);
            share.add(&cast.unwrap(), world);
        }
        share.check(&format!("{name}, translations by {length} of its radius"));
    }
    for (arm, angle) in [(0.0, 6.0), (0.01, 3.0), (0.1, 3.0), (1.0, 0.2), (1.0, 1.5), (1.0, 6.0)] {
        let mut share = Share::default();
        for _ in 0..CASTS {
            let pose = start(rng);
            let origin = pose.translation() + narrow(rng.unit_vector() * arm * reach);
            let rotation = Rotation { origin, axis: narrow(rng.unit_vector()), angle: narrow_real(angle) };
            let cast = cast_rotation(world, &Pose::IDENTITY, &body, &pose, rotation, &options, &mut scratch);
            share.add(&cast.unwrap(), world);
        }
        share.check(&format!("{name}, rotations by {angle} about {arm} of its radius away"));
    }
}

/// A scratch that has seen a few casts takes no more memory, whatever else is cast through the same world.
fn a_warm_cast_allocates_nothing(rng: &mut Rng, world: &Polyhedron, half: DVec3) {
    let body = prepared(&Solid::cuboid(DVec3::new(0.2, 0.25, 0.3)));
    let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
    let casts: Vec<(Pose, DVec3)> =
        (0..200).map(|_| (pose_of(rng.in_box(half), rng.rotation()), rng.in_ball(half.length()))).collect();
    let mut all = || {
        let mut hits = 0;
        for (pose, way) in &casts {
            let by = narrow(*way);
            let cast = cast_translation(world, &Pose::IDENTITY, &body, pose, by, &options, &mut scratch).unwrap();
            let rotation = Rotation { origin: by, axis: by, angle: 1.0 };
            let turn = cast_rotation(world, &Pose::IDENTITY, &body, pose, rotation, &options, &mut scratch).unwrap();
            hits += usize::from(cast.hit.is_some()) + usize::from(turn.hit.is_some());
        }
        hits
    };
    assert!(all() > 20);
    let before = CALLS.load(Ordering::Relaxed);
    all();
    assert_eq!(CALLS.load(Ordering::Relaxed) - before, 0);
}

/// One test, so that nobody else allocates meanwhile.
#[test]
fn costs() {
    let mut rng = Rng::new(801);
    let (field, half) = terrain(&mut rng, 100_000);
    assert!(field.face_count() >= 100_000);
    a_warm_cast_allocates_nothing(&mut rng, &field, half);
    few_polygons_are_touched("terrain", &mut rng, &field, half, 1.0);
    few_polygons_are_touched("terrain, a body of four cells", &mut rng, &field, half, 4.0);
    let (boxes, half) = lattice(&mut rng, 100_000);
    assert!(boxes.face_count() >= 100_000);
    a_warm_cast_allocates_nothing(&mut rng, &boxes, half);
    few_polygons_are_touched("lattice", &mut rng, &boxes, half, 1.0);
    few_polygons_are_touched("lattice, through the BSP", &mut rng, &boxes.with_axial_bsp(), half, 0.5);
}
