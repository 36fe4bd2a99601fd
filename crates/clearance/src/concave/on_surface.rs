//! Points and rays on one surface: which triangle faces a way, which point is nearest, what a ray comes upon first.

use glam::DVec3;

use crate::math::triangle::{Prepared, foot};
use crate::math::{Real, narrow, narrow_real, widen_real};
use crate::shape::mesh::Mesh;
use crate::tolerance::BOX_ERROR;

/// Of the triangles within the error of a point, the one that faces most along a direction; the first of several.
pub(super) fn facing(mesh: &Mesh, point: DVec3, direction: DVec3, error: f64, known: u32) -> u32 {
    let along = |t: &Prepared| t.normal.normalize_or_zero().dot(direction);
    let mut best = (along(&Prepared::new(mesh.wide_triangle(known))), known);
    mesh.tree().descend(
        |_, bounds| {
            let [low, high] = [bounds.min(), bounds.max()].map(|p| DVec3::from_array(p.map(f64::from)));
            (low - point).max(point - high).max_element() <= error
        },
        |triangle| {
            let t = Prepared::new(mesh.wide_triangle(triangle));
            let here = along(&t);
            if (here > best.0 || here == best.0 && triangle < best.1) && foot(&t, point).distance(point) <= error {
                best = (here, triangle);
            }
        },
    );
    best.1
}

/// Of the triangles within the error of a point, the one that faces most along a direction, the first of several; if there is none
/// within the error, the nearest.
pub(super) fn face_at(mesh: &Mesh, point: DVec3, direction: DVec3, error: f64) -> Option<u32> {
    let mut best: Option<(f64, u32)> = None;
    mesh.tree().descend(
        |_, bounds| {
            let [low, high] = [bounds.min(), bounds.max()].map(|p| DVec3::from_array(p.map(f64::from)));
            (low - point).max(point - high).max_element() <= error
        },
        |triangle| {
            let t = Prepared::new(mesh.wide_triangle(triangle));
            let here = t.normal.normalize_or_zero().dot(direction);
            let better = best.is_none_or(|(most, first)| here > most || here == most && triangle < first);
            if better && foot(&t, point).distance(point) <= error {
                best = Some((here, triangle));
            }
        },
    );
    best.map(|(_, triangle)| triangle).or_else(|| nearest_on(mesh, point).map(|(_, triangle)| triangle))
}

/// The point of a surface nearest to a point, and its triangle.
pub(super) fn nearest_on(mesh: &Mesh, point: DVec3) -> Option<(DVec3, u32)> {
    let mut best: Option<(f64, DVec3, u32)> = None;
    mesh.tree().nearest(
        Real::INFINITY,
        |_, bounds| {
            let [low, high] = [bounds.min(), bounds.max()].map(|p| DVec3::from_array(p.map(f64::from)));
            let off = (low - point).max(point - high).max(DVec3::ZERO);
            narrow_real(off.length() * (1.0 - BOX_ERROR)).next_down()
        },
        |triangle, bound| {
            let foot = foot(&Prepared::new(mesh.wide_triangle(triangle)), point);
            let distance = foot.distance(point);
            if best.is_some_and(|(least, ..)| !(distance < least)) {
                return bound;
            }
            best = Some((distance, foot, triangle));
            narrow_real(distance).next_up()
        },
    );
    best.map(|(_, foot, triangle)| (foot, triangle))
}

/// Where a ray first comes upon a surface, beyond `least`.
pub(super) fn first_hit(mesh: &Mesh, from: DVec3, along: DVec3, least: f64) -> Option<f64> {
    let limit = narrow_real((widen_real(mesh.bounding_radius()) + from.length()) * 2.0);
    let mut first = None;
    mesh.tree().along(narrow(from), narrow(along), limit, |triangle, bound| {
        let t = Prepared::new(mesh.wide_triangle(triangle));
        let slope = t.normal.dot(along);
        let at = t.normal.dot(t.corners[0] - from) / slope;
        if !(at > least && at < first.unwrap_or(f64::INFINITY)) || slope == 0.0 {
            return bound;
        }
        let p = from + along * at;
        if foot(&t, p).distance(p) > least {
            return bound;
        }
        first = Some(at);
        Real::min(bound, narrow_real(at).next_up())
    });
    first
}
