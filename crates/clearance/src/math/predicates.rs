//! Exact signs of orientation, through Shewchuk's adaptive predicates (`robust`).
//!
//! Exact as long as no product of three coordinates leaves the range of f64: callers bring their coordinates into range by
//! a power of two first (see `tolerance::PREDICATE_RANGE_LOG2`), which changes no sign.

use glam::DVec3;
use robust::{Coord, Coord3D};

/// Side of `d` with respect to the plane through `a`, `b`, `c`: positive if `d` is below it, where above is the side from
/// which `a`, `b`, `c` appear counter-clockwise; zero exactly if the four are coplanar.
#[inline]
pub fn orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|p| Coord3D { x: p.x, y: p.y, z: p.z });
    robust::orient3d(a, b, c, d)
}

/// Whether `d` lies strictly above the plane through `a`, `b`, `c` (the side from which they appear counter-clockwise).
#[inline]
pub fn above(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> bool {
    orient3d(a, b, c, d) < 0.0
}

/// Whether the three points are on one line, exactly: each of their three projections on a coordinate plane is.
pub fn collinear(a: DVec3, b: DVec3, c: DVec3) -> bool {
    let flat = |u: fn(DVec3) -> (f64, f64)| {
        let [a, b, c] = [a, b, c].map(|p| {
            let (x, y) = u(p);
            Coord { x, y }
        });
        robust::orient2d(a, b, c) == 0.0
    };
    flat(|p| (p.x, p.y)) && flat(|p| (p.y, p.z)) && flat(|p| (p.z, p.x))
}
