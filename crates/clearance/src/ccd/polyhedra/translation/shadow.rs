//! A body seen along its way: places across it and depths along it.

use glam::{DMat3, DVec3};

use super::buckets::Buckets;
use crate::bvh::NodeBox;
use crate::ccd::polyhedra::bounds::{Bounds, greater};
use crate::ccd::polyhedra::parts::NONE;
use crate::ccd::polyhedra::polyhedron::Polyhedron;
use crate::ccd::polyhedra::posed::Posed;
use crate::ccd::polyhedra::shortcuts::Shortcuts;

/// The body's features that may meet something, with the boxes of their shadows grown by a margin. The third coordinate is the depth.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Shadows {
    axes: DMat3,
    /// How far a unit of each coordinate reaches along the axes.
    spreads: [DVec3; 3],
    center: DVec3,
    length: f64,
    margin: f64,
    /// Of all points.
    pub places: Vec<DVec3>,
    /// Points that are not internal.
    pub points: Vec<u32>,
    /// Edges that are not internal and have a polygon beside them that leads.
    pub edges: Vec<(u32, Bounds)>,
    /// Polygons that lead.
    pub faces: Vec<(u32, Bounds)>,
    pub whole: Bounds,
    /// Which points, edges and polygons are near a place, by their place in the lists.
    near_points: Buckets,
    near_edges: Buckets,
    near_faces: Buckets,
}

impl Shadows {
    pub fn cast(
        &mut self,
        body: &Polyhedron,
        posed: &Posed,
        way: DVec3,
        center: DVec3,
        margin: f64,
        shortcuts: &Shortcuts,
    ) {
        (self.axes, self.length) = axes_along(way);
        (self.center, self.margin) = (center, margin);
        self.spreads = [self.axes.x_axis.abs(), self.axes.y_axis.abs(), self.axes.z_axis.abs()];
        let Self { axes, places, points, edges, faces, .. } = self;
        places.clear();
        places.extend(posed.points.iter().map(|&p| *axes * (p - center)));
        self.whole = Bounds::of(places.iter().copied()).grown(margin);
        points.clear();
        let is_sharp = |&v: &u32| !(shortcuts.internal_points && body.blunt[v as usize]);
        points.extend((0..body.points.len() as u32).filter(is_sharp));
        let leads = |face: u32| face == NONE || posed.normals[face as usize].dot(way) > 0.0;
        edges.clear();
        for (i, edge) in body.edges.iter().enumerate() {
            let hidden = shortcuts.back_edges && !edge.has_no_back() && !edge.polygons.iter().any(|&face| leads(face));
            if !(hidden || shortcuts.internal_edges && edge.internal) {
                let bounds = Bounds::of(edge.ends.map(|v| places[v as usize])).grown(margin);
                edges.push((i as u32, bounds));
            }
        }
        faces.clear();
        for (i, face) in body.faces.iter().enumerate() {
            if !shortcuts.back_faces || leads(i as u32) {
                let corners = body.loop_of(face).iter().map(|c| places[c.point as usize]);
                faces.push((i as u32, Bounds::of(corners).grown(margin)));
            }
        }
        let whole = self.whole;
        self.near_points.fill(points.len(), &whole, |i| Bounds::point(places[points[i] as usize]).grown(margin));
        self.near_edges.fill(edges.len(), &whole, |i| edges[i].1);
        self.near_faces.fill(faces.len(), &whole, |i| faces[i].1);
    }

    /// Visits the points that may reach a shadow of the world, and some others.
    #[inline]
    pub fn points_near(&self, theirs: &Bounds, mut visit: impl FnMut(u32)) {
        self.near_points.near(theirs, |i| visit(self.points[i]));
    }

    /// The same for edges, with their boxes.
    #[inline]
    pub fn edges_near(&self, theirs: &Bounds, mut visit: impl FnMut(u32, &Bounds)) {
        self.near_edges.near(theirs, |i| visit(self.edges[i].0, &self.edges[i].1));
    }

    /// The same for polygons.
    #[inline]
    pub fn faces_near(&self, theirs: &Bounds, mut visit: impl FnMut(u32, &Bounds)) {
        self.near_faces.near(theirs, |i| visit(self.faces[i].0, &self.faces[i].1));
    }

    /// The shadow of a point of the world.
    #[inline]
    pub fn of(&self, p: DVec3) -> DVec3 {
        self.axes * (p - self.center)
    }

    /// The box of the shadow of a point of the body.
    #[inline]
    pub fn point_box(&self, point: u32) -> Bounds {
        Bounds::point(self.places[point as usize]).grown(self.margin)
    }

    /// Whether a feature of the body may reach one of the world before a share of the way, by the boxes of their shadows.
    #[inline]
    pub fn reach(&self, own: &Bounds, theirs: &Bounds, limit: f64) -> bool {
        // The largest gap, without a branch between them: none of them is likelier than the others to be open.
        let depth = greater(own.min.z - theirs.max.z, theirs.min.z - own.max.z - limit * self.length);
        greater(own.gap_across(theirs), depth) <= 0.0
    }

    /// Whether the body's shadow overlaps that of a box, which is a hexagon, along the two axes across the way.
    #[inline]
    pub fn reach_box(&self, bounds: &NodeBox) -> bool {
        let [middle, half] = bounds.middle_and_half();
        let (at, whole) = (self.of(middle), &self.whole);
        let across = self.spreads[0] * half.x + self.spreads[1] * half.y + self.spreads[2] * half.z;
        !(whole.gap_across(&Bounds { min: at - across, max: at + across }) > 0.0)
    }

    /// The share of the way at which it may do so.
    #[inline]
    pub fn entry(&self, own: &Bounds, theirs: &Bounds) -> f64 {
        (theirs.min.z - own.max.z) / self.length
    }
}

/// Axes across a way and along it, in that order, and its length.
fn axes_along(way: DVec3) -> (DMat3, f64) {
    // Brought to size one first, so that no square leaves the range.
    let largest = way.abs().max_element();
    let scaled = way / largest;
    let length = scaled.length();
    let z = scaled / length;
    let x = z.any_orthonormal_vector();
    (DMat3::from_cols(x, z.cross(x), z).transpose(), length * largest)
}
