//! Convex brushes: profiles drawn out along an axis, and profiles that shrink on the way.

use glam::DVec3;

/// A convex solid as the planes it is behind.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildingBrush {
    /// What it is made of.
    pub texture: &'static str,
    /// Three points of each plane, clockwise seen from outside.
    pub faces: Vec<[DVec3; 3]>,
}

impl BuildingBrush {
    /// From faces that are counter-clockwise seen from outside.
    fn of(texture: &'static str, loops: impl IntoIterator<Item = [DVec3; 3]>) -> Self {
        Self { texture, faces: loops.into_iter().map(|[a, b, c]| [c, b, a]).collect() }
    }
}

/// A point from its two coordinates in a profile and the one along an axis, so that the three are right-handed.
fn along(axis: usize, [u, v]: [f64; 2], w: f64) -> DVec3 {
    match axis {
        0 => DVec3::new(w, u, v),
        1 => DVec3::new(v, w, u),
        _ => DVec3::new(u, v, w),
    }
}

/// A profile, counter-clockwise seen against the axis, drawn out along it. The profile's coordinates are y and z for x, z and x
/// for y, x and y for z.
pub(super) fn prism(texture: &'static str, profile: &[[f64; 2]], axis: usize, low: f64, high: f64) -> BuildingBrush {
    tapered(texture, profile, profile, axis, [low, high])
}

/// From one profile to another whose sides are parallel to those of the first.
pub(super) fn tapered(
    texture: &'static str,
    bottom: &[[f64; 2]],
    top: &[[f64; 2]],
    axis: usize,
    [low, high]: [f64; 2],
) -> BuildingBrush {
    let n = bottom.len();
    let below = |i: usize| along(axis, bottom[i % n], low);
    let above = |i: usize| along(axis, top[i % n], high);
    let sides = (0..n).map(|i| [below(i), below(i + 1), above(i + 1)]);
    let ends = [[below(2), below(1), below(0)], [above(0), above(1), above(2)]];
    BuildingBrush::of(texture, sides.chain(ends))
}

/// A profile in y and z drawn out along x.
pub(super) fn beam(texture: &'static str, profile: &[[f64; 2]], from: f64, to: f64) -> BuildingBrush {
    prism(texture, profile, 0, from, to)
}

/// A box.
pub(super) fn cuboid(texture: &'static str, min: DVec3, max: DVec3) -> BuildingBrush {
    let profile = [[min.x, min.y], [max.x, min.y], [max.x, max.y], [min.x, max.y]];
    prism(texture, &profile, 2, min.z, max.z)
}

/// The corners of a regular polygon about a point, to multiples of 1/8.
pub(super) fn round_profile(center: [f64; 2], radius: f64, sides: u32) -> Vec<[f64; 2]> {
    let corner = |i: u32| {
        let (sin, cos) = (std::f64::consts::TAU * (f64::from(i) + 0.5) / f64::from(sides)).sin_cos();
        [cos, sin].map(|x| (8.0 * radius * x).round() / 8.0)
    };
    (0..sides).map(corner).map(|[x, y]| [center[0] + x, center[1] + y]).collect()
}
