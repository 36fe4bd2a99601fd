//! What of a polyhedron is near: its tree of boxes or its axial BSP (section 5), and the edges around its points.

use std::cell::Cell;

use glam::DVec3;

use super::parts::{Corner, Edge, Face, NONE};
use super::polygons::Polygon;
use super::polyhedron::Polyhedron;
use crate::bvh::{AxialBsp, Bvh, NodeBox, SweptBox};
use crate::math::{Aabb, narrow};

/// More products of points and polygons than this are not looked at to find out whether a polyhedron is convex.
const MOST_PRODUCTS: usize = 1 << 20;

/// The polygons in the order in which a tree has them: neighbours get near numbers, and a cast finds them near in memory.
pub(super) fn in_tree_order(points: &[DVec3], polygons: Vec<Polygon>) -> Vec<Polygon> {
    let bounds = |polygon: &Polygon| Aabb::from_points(polygon.corners.iter().map(|&v| narrow(points[v as usize])));
    let tree = Bvh::from_boxes(&polygons.iter().map(bounds).collect::<Vec<_>>());
    let mut slots: Vec<Option<Polygon>> = polygons.into_iter().map(Some).collect();
    let mut ordered = Vec::with_capacity(slots.len());
    tree.descend(|_, _| true, |index| ordered.extend(slots[index as usize].take()));
    ordered
}

/// The edges in the order in which the polygons' corners name them, for the same reason.
pub(super) fn in_corner_order(edges: Vec<Edge>, corners: &mut [Corner]) -> Vec<Edge> {
    let (mut numbers, mut ordered) = (vec![NONE; edges.len()], Vec::with_capacity(edges.len()));
    for corner in corners {
        let number = &mut numbers[corner.edge as usize];
        if *number == NONE {
            *number = ordered.len() as u32;
            ordered.push(edges[corner.edge as usize]);
        }
        corner.edge = *number;
    }
    ordered
}

/// The boxes of the pieces that have polygons, in no certain order of the pieces but always the same.
pub(super) fn piece_boxes(points: &[DVec3], corners: &[Corner], pieces: &[u32]) -> Vec<Aabb> {
    let mut boxes = vec![None::<Aabb>; points.len()];
    for corner in corners {
        let place = Aabb::from_points([narrow(corner.place)]);
        let bounds = &mut boxes[pieces[corner.point as usize] as usize];
        *bounds = Some(bounds.map_or(place, |all| all.union(&place)));
    }
    boxes.into_iter().flatten().collect()
}

/// Whether no point is above the plane of a polygon by more than rounding. Said only of what has few features.
pub(super) fn is_convex(points: &[DVec3], faces: &[Face], flatness: f64) -> bool {
    let below = |face: &Face| points.iter().all(|p| face.normal.dot(*p) - face.offset <= 2.0 * flatness);
    !faces.is_empty() && points.len() * faces.len() <= MOST_PRODUCTS && faces.iter().all(below)
}

impl Polyhedron {
    /// Finds its polygons by an axial BSP from now on, as the paper does, and not by the tree of boxes. Answers are the same bits.
    #[must_use]
    pub fn with_axial_bsp(mut self) -> Self {
        let boxes: Vec<Aabb> = self
            .faces
            .iter()
            .map(|face| Aabb::from_points(self.loop_of(face).iter().map(|c| narrow(self.points[c.point as usize]))))
            .collect();
        self.axial = Some(AxialBsp::from_boxes(&boxes));
        self
    }

    /// The axial BSP, if it was told to have one.
    pub fn axial_bsp(&self) -> Option<&AxialBsp> {
        self.axial.as_ref()
    }

    /// The polygons whose boxes meet a box, each once.
    pub(super) fn in_box(&self, bounds: &NodeBox, visit: impl FnMut(u32)) {
        match &self.axial {
            None => self.tree.overlapping(bounds, visit),
            Some(axial) => axial.overlapping(bounds, visit),
        }
    }

    /// Whether there is a polygon, or a point of a polyhedron without polygons, whose box meets a box.
    pub(super) fn has_any_in(&self, bounds: &NodeBox) -> bool {
        let (tree, found) = (if self.faces.is_empty() { &self.anchor_tree } else { &self.tree }, Cell::new(false));
        tree.descend(|_, node| !found.get() && node.overlaps(bounds), |_| found.set(true));
        found.get()
    }

    /// The polygons whose boxes a moving box meets, roughly in that order, up to a limit that `visit` lowers.
    pub(super) fn on_way(&self, sweep: &SweptBox, limit: f64, visit: impl FnMut(u32, &NodeBox, f64) -> f64) {
        match &self.axial {
            None => self.tree.swept(sweep, limit, visit),
            Some(axial) => axial.swept(sweep, limit, visit),
        }
    }
}
