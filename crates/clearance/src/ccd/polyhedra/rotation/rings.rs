//! A body seen along its turn: distances from the axis and places along it, which do not change while it turns.
//!
//! What two features have of these must overlap if they are to meet: a filter as tight as the features themselves, whatever the
//! angle. A ring is a rectangle of them.

use glam::{DMat3, DVec2, DVec3};

use super::arc::Arc;
use crate::ccd::polyhedra::bounds::greater;
use crate::ccd::polyhedra::parts::NONE;
use crate::ccd::polyhedra::polyhedron::Polyhedron;
use crate::ccd::polyhedra::posed::Posed;
use crate::ccd::polyhedra::shortcuts::Shortcuts;

/// A range of distances from the axis (x) and of places along it (y).
#[derive(Debug, Clone, Copy)]
pub(super) struct Ring {
    min: DVec2,
    max: DVec2,
}

impl Default for Ring {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Ring {
    const EMPTY: Self = Self { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };

    fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    fn grown(self, by: f64) -> Self {
        Self { min: self.min - by, max: self.max + by }
    }

    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        let x = greater(self.min.x - other.max.x, other.min.x - self.max.x);
        greater(x, greater(self.min.y - other.max.y, other.min.y - self.max.y)) <= 0.0
    }

    pub fn radius(&self) -> f64 {
        self.max.x
    }

    /// Of a point whose place across the axis and along it is known.
    #[inline]
    pub fn of_point(at: DVec3) -> Self {
        let place = DVec2::new(at.truncate().length(), at.z);
        Self { min: place, max: place }
    }

    /// Of a segment: the nearest place to the axis may be between its ends.
    #[inline]
    pub fn of_segment([a, b]: [DVec3; 2]) -> Self {
        let ends = Self::of_point(a).union(Self::of_point(b));
        let (from, along) = (a.truncate(), (b - a).truncate());
        let share = -from.dot(along) / along.length_squared();
        // Not a number if the segment is parallel to the axis: then its ends tell.
        let nearest = if share > 0.0 && share < 1.0 { (from + along * share).length() } else { ends.min.x };
        Self { min: DVec2::new(ends.min.x.min(nearest), ends.min.y), ..ends }
    }

    /// Of a convex polygon: the axis may pass through it.
    pub fn of_polygon(corners: impl Iterator<Item = [DVec3; 2]>) -> Self {
        let (mut ring, mut left, mut right) = (Self::EMPTY, false, false);
        for [a, b] in corners {
            ring = ring.union(Self::of_segment([a, b]));
            let turn = a.truncate().perp_dot(b.truncate());
            left |= turn > 0.0;
            right |= turn < 0.0;
        }
        let around = !(left && right);
        Self { min: DVec2::new(if around { 0.0 } else { ring.min.x }, ring.min.y), ..ring }
    }
}

/// The body's features that may meet something, with their rings grown by a margin.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Rings {
    axes: DMat3,
    origin: DVec3,
    places: Vec<DVec3>,
    /// Points that are not internal.
    pub(super) points: Vec<(u32, Ring)>,
    /// Edges that are not internal and have a polygon beside them that leads.
    pub(super) edges: Vec<(u32, Ring)>,
    /// Polygons that lead.
    pub(super) faces: Vec<(u32, Ring)>,
    pub(super) whole: Ring,
}

impl Rings {
    /// Which features lead does not change while the body turns.
    pub(super) fn draw(&mut self, body: &Polyhedron, posed: &Posed, about: &Arc, zone: f64, shortcuts: &Shortcuts) {
        let x = about.axis.any_orthonormal_vector();
        self.axes = DMat3::from_cols(x, about.axis.cross(x), about.axis).transpose();
        self.origin = about.origin;
        let Self { axes, origin, places, points, edges, faces, .. } = self;
        let margin = 2.0 * zone;
        places.clear();
        places.extend(posed.points.iter().map(|&p| *axes * (p - *origin)));
        points.clear();
        let is_sharp = |v: &usize| !(shortcuts.internal_points && body.blunt[*v]);
        let ring = |v: usize| Ring::of_point(places[v]).grown(margin);
        points.extend((0..places.len()).filter(is_sharp).map(|v| (v as u32, ring(v))));
        edges.clear();
        for (i, edge) in body.edges.iter().enumerate() {
            let any_leads = || edge.polygons.iter().any(|&face| leads(posed, about, zone, face, edge.ends));
            let hidden = shortcuts.back_edges && !edge.has_no_back() && !any_leads();
            if !(hidden || shortcuts.internal_edges && edge.internal) {
                let ring = Ring::of_segment(edge.ends.map(|v| places[v as usize]));
                edges.push((i as u32, ring.grown(margin)));
            }
        }
        faces.clear();
        for (i, face) in body.faces.iter().enumerate() {
            let corners = body.loop_of(face);
            if !shortcuts.back_faces || leads(posed, about, zone, i as u32, corners.iter().map(|c| c.point)) {
                let sides = corners.iter().map(|c| body.edges[c.edge as usize].ends.map(|v| places[v as usize]));
                let turned = sides.zip(corners).map(|([a, b], c)| if c.side == 0 { [a, b] } else { [b, a] });
                faces.push((i as u32, Ring::of_polygon(turned).grown(margin)));
            }
        }
        let all = edges.iter().chain(faces.iter()).chain(points.iter());
        self.whole = all.fold(Ring::EMPTY, |all, (_, ring)| all.union(*ring));
    }

    /// A place of the world across the axis and along it.
    #[inline]
    pub(super) fn of(&self, p: DVec3) -> DVec3 {
        self.axes * (p - self.origin)
    }
}

/// Whether some of these points of a polygon of the body move towards where it faces; if there is no polygon, they may.
fn leads(posed: &Posed, about: &Arc, zone: f64, face: u32, points: impl IntoIterator<Item = u32>) -> bool {
    let Some(normal) = posed.normals.get(face as usize).filter(|_| face != NONE) else { return true };
    let closing = normal.cross(about.axis);
    let towards = |v: u32| closing.dot(posed.points[v as usize] - about.origin) > -zone;
    closing != DVec3::ZERO && points.into_iter().any(towards)
}
