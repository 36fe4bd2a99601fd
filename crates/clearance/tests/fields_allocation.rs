//! Queries of height fields, point clouds and half-spaces allocate nothing: counted, not timed.
#![allow(unsafe_code)] // an allocator that counts
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

#[cfg(single_precision)]
extern crate clearance_f32 as clearance;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use clearance::{
    Body, Cache, HalfSpace, HeightField, ManifoldOptions, Mesh, PointCloud, Polytope, Pose, Real, Shape, Vec3, closest,
    contact_range, manifold, overlap, within,
};

thread_local! {
    /// Of this thread alone: the threads of the test harness allocate when they like.
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(place, layout) }
    }
}

#[test]
fn queries_allocate_nothing() {
    let wave = |i: usize, j: usize| (0.3 * (i as Real * 0.7).sin() + 0.2 * (j as Real * 1.1).cos()) as Real;
    let rows: Vec<Vec<Real>> = (0..40).map(|j| (0..50).map(|i| wave(i, j)).collect()).collect();
    let field = HeightField::new(&rows, [0.25, 0.25]).unwrap();
    let points: Vec<Vec3> =
        (0..2000).map(|i| Vec3::new((i % 50) as Real * 0.2, (i / 50) as Real * 0.2, wave(i % 7, i % 11))).collect();
    let cloud = PointCloud::new(&points, 0.02).unwrap();
    let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
    let mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap();
    let bodies: Vec<Body> = vec![
        field.into(),
        cloud.into(),
        HalfSpace::new(Vec3::Z, 0.1).unwrap().into(),
        mesh.into(),
        Polytope::cuboid([0.5, 0.4, 0.3]).unwrap().into(),
        Shape::capsule_between(Vec3::ZERO, Vec3::new(1.0, 1.0, 0.3), 0.2).unwrap().into(),
    ];
    let mut cache = Cache::default();
    let options = ManifoldOptions::default();
    let direction = Vec3::new(0.1, 0.2, -1.0);
    let mut ask = |a: &Body, b: &Body, at: &Pose| {
        let mut counts = [0; 5];
        let mut counted = |verb: usize, query: &mut dyn FnMut()| {
            let before = CALLS.get();
            query();
            counts[verb] = CALLS.get() - before;
        };
        counted(0, &mut || _ = black_box(closest(a, &Pose::IDENTITY, b, at, &mut cache)));
        counted(1, &mut || _ = black_box(overlap(a, &Pose::IDENTITY, b, at, &mut cache)));
        counted(2, &mut || _ = black_box(within(a, &Pose::IDENTITY, b, at, 0.5, &mut cache)));
        counted(3, &mut || _ = black_box(manifold(a, &Pose::IDENTITY, b, at, &mut cache, &options)));
        counted(4, &mut || _ = black_box(contact_range(a, &Pose::IDENTITY, b, at, direction, &mut cache)));
        counts
    };
    // Once to warm the cache.
    ask(&bodies[4], &bodies[4], &Pose::from_translation([0.3, 0.0, 0.0]).unwrap());
    for z in [0.2, 1.5] {
        let at = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.4).unwrap().with_translation([3.0, 3.0, z]).unwrap();
        for (i, field) in bodies[..3].iter().enumerate() {
            for (j, other) in bodies.iter().enumerate() {
                let counts = ask(field, other, &at);
                // A manifold of many points keeps them on the heap, and grows while they are put there.
                assert!(counts[3] <= 4 && counts[..3] == [0; 3] && counts[4] == 0, "{i} {j} {z} {counts:?}");
            }
        }
    }
}
