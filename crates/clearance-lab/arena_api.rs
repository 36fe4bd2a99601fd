// Every call of the library that the arena makes, for the verbs as they are now. Compiled twice: `lib` is the crate `clearance` with R = f64,
// then `clearance_f32` with R = f32. What the library returns goes through black_box whole, so that points and normals are computed though
// only a number is used.
use lib::world::{BodyId, Broad, NewBody, WorldOptions};
use lib::{CastOptions, End, Motion, Polytope, Vec3};
use std::hint::black_box;

pub use lib::{Cache, Pose, Shape};

/// Two posed shapes.
pub type Pair<'a> = (&'a Shape, &'a Pose, &'a Shape, &'a Pose);
/// A translation along which a shape is cast.
pub type Way = Vec3;

// Shapes and poses

/// Position, and a normalised quaternion x, y, z, w.
pub fn pose((position, quaternion): ([f64; 3], [f64; 4])) -> Pose {
    Pose::new(position.map(|x| x as R), quaternion.map(|x| x as R)).unwrap()
}

pub fn way(w: [f64; 3]) -> Way {
    Vec3::from(w.map(|x| x as R))
}

pub fn cuboid(half: [f64; 3]) -> Shape {
    Shape::cuboid(half.map(|x| x as R)).unwrap()
}

/// A cuboid and all within `radius` of it.
pub fn round_box(half: [f64; 3], radius: f64) -> Shape {
    Shape::round_box(half.map(|x| x as R), radius as R).unwrap()
}

pub fn ellipsoid(radii: [f64; 3]) -> Shape {
    Shape::ellipsoid(radii.map(|x| x as R)).unwrap()
}

/// A cone along z, apex up; and the z of the middle of its axis in its own frame.
pub fn cone(radius: f64, height: f64) -> (Shape, f64) {
    (Shape::cone(height as R, radius as R).unwrap(), height / 4.0)
}

/// The hull of points that are all its vertices.
pub fn hull(points: &[[f64; 3]]) -> Shape {
    let points: Vec<Vec3> = points.iter().map(|p| Vec3::from(p.map(|x| x as R))).collect();
    let polytope = Polytope::from_points(&points).unwrap();
    assert_eq!(polytope.vertices().len(), points.len(), "the hull dropped vertices");
    Shape::from(polytope)
}

// Queries

/// A new cache, for a cold query.
#[inline(always)]
pub fn cold() -> Cache {
    Cache::default()
}

/// Do they overlap?
#[inline(always)]
pub fn overlap((a, pa, b, pb): Pair, cache: &mut Cache) -> bool {
    let r = lib::overlap(a, pa, b, pb, cache);
    black_box(&r);
    r.overlap
}

/// The distance with both closest points; 0 where they overlap.
#[inline(always)]
pub fn distance((a, pa, b, pb): Pair, cache: &mut Cache) -> f64 {
    let r = lib::distance(a, pa, b, pb, cache);
    black_box(&r);
    r.map_or(0.0, |r| r.distance.max(0.0) as f64)
}

/// The signed distance with both points: minus the depth where they overlap.
#[inline(always)]
pub fn closest((a, pa, b, pb): Pair, cache: &mut Cache) -> f64 {
    let r = lib::closest(a, pa, b, pb, cache);
    black_box(&r);
    r.distance as f64
}

/// Minus the depth, with both points, where they overlap; 0, and nothing else, where they do not.
#[inline(always)]
pub fn contact(pair: Pair, cache: &mut Cache) -> f64 {
    if overlap(pair, cache) { closest(pair, cache).min(0.0) } else { 0.0 }
}

/// b moves along `way`: at which fraction of it does it touch a?
#[inline(always)]
pub fn cast((a, pa, b, pb): Pair, way: Way) -> Option<f64> {
    let motion = Motion::translation(*pb, way).unwrap();
    let r = lib::cast(a, pa, b, &motion, &mut Cache::default(), &CastOptions::default()).unwrap();
    black_box(&r);
    r.hit.map(|_| r.fraction as f64)
}

// A world of many bodies

/// The broad phases to try; the fastest counts.
pub const BROADS: [(&str, Broad); 2] = [("grid", Broad::Grid), ("tree", Broad::Tree)];

pub struct World {
    world: lib::World,
    bodies: Vec<BodyId>,
}

/// A body of that shape at each pose.
pub fn world(shape: &Shape, poses: &[Pose], broad: Broad) -> World {
    let mut world = lib::World::new(WorldOptions { broad, ..WorldOptions::default() });
    let bodies = poses.iter().map(|p| world.add(NewBody::new(shape.clone(), *p)).unwrap()).collect();
    World { world, bodies }
}

/// Moves all bodies, finds the pairs that touch; returns the pairs of the broad phase and those that touch.
#[inline(always)]
pub fn step(w: &mut World, poses: &[Pose]) -> [u64; 2] {
    for (id, pose) in w.bodies.iter().zip(poses) {
        w.world.set_pose(*id, *pose).unwrap();
    }
    let step = w.world.step();
    black_box(step.events);
    [step.statistics.pairs, step.statistics.touching]
}

// Answers against exact ones

/// Signed distance, its lower and upper bounds, and how `closest` and `overlap` ended (0: converged).
pub fn bounds((a, pa, b, pb): Pair) -> [f64; 5] {
    let code = |end| match end {
        End::Converged => 0.0,
        End::IterationLimit => 1.0,
        End::Degenerate => 2.0,
    };
    let (r, o) = (lib::closest(a, pa, b, pb, &mut cold()), lib::overlap(a, pa, b, pb, &mut cold()));
    [r.distance as f64, r.lower as f64, r.upper as f64, code(r.end), code(o.end)]
}

/// The pose as it is stored: the columns of its matrix, then the translation.
pub fn stored(pose: &Pose) -> [f64; 12] {
    let (m, t) = (pose.matrix().to_cols_array(), pose.translation().to_array());
    std::array::from_fn(|i| if i < 9 { m[i] as f64 } else { t[i - 9] as f64 })
}
