//! Bodies that meet on the line between their centres.
//!
//! A body about its own origin that contains a vector scaled by 1/γ reaches that far along it. If what two bodies reach of the way between
//! their origins adds up to all of it, they have the points between in common: two in three of random overlaps of cones,
//! for two roots and no search.

use crate::math::{Real, Vec3, length};
use crate::narrow::pair::Pair;
use crate::shape::Core;

/// A common point in the frame of A, if that is certain.
#[inline]
pub(super) fn common(pair: &Pair<'_>) -> Option<Vec3> {
    let way = pair.m.translation;
    let of_a = gauge(pair.m.a, way)?;
    let back = -pair.m.to_b(way);
    let of_b = gauge(pair.m.b, back)?;
    // 1/γa + 1/γb ≥ 1.
    if !(of_a + of_b >= of_a * of_b) {
        return None;
    }
    // Half-way between where B begins and A ends, or the ends of the way.
    let reach = |gauge: Real| if gauge > 1.0 { 1.0 / gauge } else { 1.0 };
    let (from, to) = (1.0 - reach(of_b), reach(of_a));
    let share = 0.5 * (from + to);
    let (on_a, on_b) = (way * share, back * (1.0 - share));
    (holds(pair.m.a, on_a, pair.sigma) && holds(pair.m.b, on_b, pair.sigma)).then_some(on_a)
}

/// The least factor at which a body of a kind that is easily told about its origin contains a vector.
#[inline]
fn gauge(core: &Core, v: Vec3) -> Option<Real> {
    match core {
        Core::Cone { height, radius } => {
            let out = length(Vec3::new(v.x, v.y, 0.0)) * height + v.z * radius;
            Some((-4.0 * v.z / height).max(out / (0.75 * radius * height)))
        }
        Core::Cylinder { half_height, radius } => {
            Some((v.z.abs() / half_height).max(length(Vec3::new(v.x, v.y, 0.0)) / radius))
        }
        Core::Cuboid { half_extents } => Some((v.abs() / *half_extents).max_element()),
        Core::Ellipsoid { radii } => Some(length(v / *radii)),
        _ => None,
    }
}

/// Whether such a body contains all points nearer to a point than an error.
#[inline]
fn holds(core: &Core, p: Vec3, error: Real) -> bool {
    let radial = length(Vec3::new(p.x, p.y, 0.0)) + error;
    match core {
        Core::Cone { height, radius } => {
            let top = p.z + error;
            p.z - error >= -0.25 * height && radial * height <= radius * (0.75 * height - top)
        }
        Core::Cylinder { half_height, radius } => p.z.abs() + error <= *half_height && radial <= *radius,
        Core::Cuboid { half_extents } => (p.abs() + Vec3::splat(error)).cmple(*half_extents).all(),
        Core::Ellipsoid { radii } => ((p.abs() + Vec3::splat(error)) / *radii).length_squared() <= 1.0,
        _ => false,
    }
}
