//! Bodies that meet on the line between their centres.
//!
//! A body about its own origin that contains a vector scaled by 1/γ reaches that far along it. If what two bodies reach of the way between
//! their origins adds up to all of it, they have the points between in common: two in three of random overlaps of cones,
//! for two roots and no search. Of others, the normals of the surfaces where the way leaves them tell where a plane may be: their sum
//! separates four in five of the cones that are apart, the way itself two in three.

use crate::math::{Real, Vec3, length, unit_or};
use crate::narrow::pair::Pair;
use crate::shape::Core;

/// What the line between the centres shows.
pub(super) enum Seen {
    /// A common point in the frame of A.
    Common(Vec3),
    /// A direction along which the bodies may be apart, of any length.
    Towards(Vec3),
}

/// A common point on the line, if that is certain; nothing about bodies of other kinds.
#[inline]
pub(super) fn look(pair: &Pair<'_>) -> Option<Seen> {
    let way = pair.m.translation;
    let back = -pair.m.to_b(way);
    let (of_a, of_b) = (gauge(pair.m.a, way)?, gauge(pair.m.b, back)?);
    let towards = || {
        let normals = normal(pair.m.a, way) - pair.m.rotation * normal(pair.m.b, back);
        Some(Seen::Towards(normals + unit_or(way, Vec3::X)))
    };
    // 1/γa + 1/γb ≥ 1.
    if !(of_a + of_b >= of_a * of_b) {
        return towards();
    }
    // Half-way between where B begins and A ends, or the ends of the way.
    let reach = |gauge: Real| if gauge > 1.0 { 1.0 / gauge } else { 1.0 };
    let (from, to) = (1.0 - reach(of_b), reach(of_a));
    let share = 0.5 * (from + to);
    let (on_a, on_b) = (way * share, back * (1.0 - share));
    let is_common = holds(pair.m.a, on_a, pair.sigma) && holds(pair.m.b, on_b, pair.sigma);
    if is_common { Some(Seen::Common(on_a)) } else { towards() }
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

/// The unit normal where the line along a vector leaves such a body.
#[inline]
fn normal(core: &Core, v: Vec3) -> Vec3 {
    match core {
        Core::Cone { height, radius } => {
            let beside = Vec3::new(v.x, v.y, 0.0);
            let out = length(beside) * height + v.z * radius;
            if -3.0 * v.z * radius > out {
                return -Vec3::Z;
            }
            let outward = unit_or(beside, Vec3::ZERO);
            unit_or(outward * *height + Vec3::Z * *radius, Vec3::Z)
        }
        Core::Cylinder { half_height, radius } => {
            let beside = Vec3::new(v.x, v.y, 0.0);
            let is_end = v.z.abs() * radius > length(beside) * half_height;
            if is_end { Vec3::Z.copysign(v) } else { unit_or(beside, Vec3::ZERO) }
        }
        Core::Cuboid { half_extents } => {
            let parts = v.abs() / *half_extents;
            let is_face = parts.cmpeq(Vec3::splat(parts.max_element()));
            Vec3::select(is_face, Vec3::ONE.copysign(v), Vec3::ZERO)
        }
        Core::Ellipsoid { radii } => unit_or(v / (*radii * *radii), Vec3::ZERO),
        _ => Vec3::ZERO,
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
