//! The plane that a piece is cut by.
//!
//! Planes of faces at concave edges are tried, where parts of a machine meet, and planes along the axes: through the solid next to the point where the
//! part reaches farthest beyond it, and through the middle. The one with the smallest hulls on both sides together is taken.

use glam::DVec3;

use super::excess::Excess;
use super::piece::{Half, Piece, hull_of};
use crate::math::{Pose, narrow, widen, widen_real};
use crate::ray::project_on_mesh;
use crate::shape::mesh::Mesh;
use crate::tolerance::{DECOMPOSED_FLAT, DECOMPOSED_SHARE};

/// Planes of faces at concave edges that are tried.
const MOST_FACES: usize = 12;
/// Points of a surface beyond which its hull is looked at in some directions only.
const MOST_POINTS: usize = 1024;

/// Both halves of a piece, cut where it is best; nothing if no plane cuts it.
pub(super) fn best(piece: &Piece, excess: &Excess, mesh: &Mesh) -> Option<[Piece; 2]> {
    let span = piece.span();
    let mut candidates = at_concave_edges(mesh, span);
    candidates.extend(along_axes(excess, mesh, span));
    let scored = candidates.iter().filter_map(|half| Some((half, score(piece, half)?)));
    let (half, _) = scored.min_by(|first, second| first.1.total_cmp(&second.1))?;
    Some([piece.cut(half, mesh), piece.cut(&half.flipped(), mesh)])
}

/// The volumes of the hulls on both sides of a plane, together; nothing if next to nothing is on one side. A side of which only the cap is there,
/// deep in the solid, has no volume here.
fn score(piece: &Piece, half: &Half) -> Option<f64> {
    let volume = |side: &Half| {
        let hull = hull_of(extreme(&piece.surface_beside(side)).into_iter())?;
        Some(widen_real(hull.volume()))
    };
    let (below, above) = (volume(half)?, volume(&half.flipped())?);
    let whole = below + above;
    (below.min(above) >= DECOMPOSED_SHARE * whole).then_some(whole)
}

/// The points themselves, or those that are farthest in some directions.
fn extreme(points: &[DVec3]) -> Vec<DVec3> {
    if points.len() <= MOST_POINTS {
        return points.to_vec();
    }
    // Points of a spiral over the sphere.
    let count = 160;
    let turn = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..count)
        .filter_map(|nth| {
            let z = 1.0 - (2.0 * f64::from(nth) + 1.0) / f64::from(count);
            let (sin, cos) = (turn * f64::from(nth)).sin_cos();
            let across = (1.0 - z * z).sqrt();
            let d = DVec3::new(across * cos, across * sin, z);
            points.iter().copied().max_by(|p, q| d.dot(*p).total_cmp(&d.dot(*q)))
        })
        .collect()
}

/// The planes of faces at concave edges within a box, those of the longest edges first.
fn at_concave_edges(mesh: &Mesh, [low, high]: [DVec3; 2]) -> Vec<Half> {
    let size = (high - low).max_element();
    let mut found: Vec<(f64, Half)> = Vec::new();
    for edge in mesh.edges().iter().filter(|edge| edge.internal && !edge.is_dangling()) {
        let [p, q] = edge.vertices.map(|v| widen(mesh.vertices()[v as usize]));
        if p.min(q).cmpgt(high).any() || p.max(q).cmplt(low).any() {
            continue;
        }
        let planes = edge.faces.map(|face| mesh.plane(face));
        let [first, second] = planes.map(|plane| widen(plane.normal));
        // Flat edges are internal, too.
        let bend = first.cross(second).length();
        if bend <= DECOMPOSED_SHARE {
            continue;
        }
        for plane in planes {
            found.push((bend * p.distance(q), Half { normal: widen(plane.normal), offset: widen_real(plane.offset) }));
        }
    }
    found.sort_by(|first, second| second.0.total_cmp(&first.0));
    let mut chosen: Vec<Half> = Vec::new();
    for (_, half) in found {
        let is_known = chosen.iter().any(|other| {
            let along = other.normal.dot(half.normal);
            let apart = (half.offset - other.offset * along.signum()).abs();
            along.abs() > 1.0 - DECOMPOSED_SHARE && apart <= DECOMPOSED_SHARE * size
        });
        if !is_known {
            chosen.push(half);
        }
        if chosen.len() == MOST_FACES {
            break;
        }
    }
    chosen
}

/// Planes across the axes: where the solid is next to the farthest point, through that point, and in the middle.
fn along_axes(excess: &Excess, mesh: &Mesh, [low, high]: [DVec3; 2]) -> Vec<Half> {
    let near = project_on_mesh(mesh, &Pose::IDENTITY, narrow(excess.farthest));
    let places = [widen(near.nearest), excess.farthest, (low + high) * 0.5];
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let planes = axes.into_iter().flat_map(|axis| places.map(|place| Half { normal: axis, offset: axis.dot(place) }));
    let thin = DECOMPOSED_FLAT * (high - low).max_element();
    let is_between = |half: &Half| {
        let [from, to] = [low, high].map(|corner| half.normal.dot(corner));
        half.offset > from + thin && half.offset < to - thin
    };
    planes.filter(is_between).collect()
}
