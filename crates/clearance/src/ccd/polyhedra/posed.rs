//! The body in the world's frame.

use glam::{DMat3, DVec3};

use super::bounds::Bounds;
use super::parts::Face;
use super::polyhedron::Polyhedron;

/// The body in the world's frame, at the start of the motion, with the boxes of what its features sweep.
#[derive(Debug, Clone, Default)]
pub(super) struct Posed {
    pub points: Vec<DVec3>,
    pub normals: Vec<DVec3>,
    pub offsets: Vec<f64>,
    pub into: Vec<[DVec3; 2]>,
    pub point_boxes: Vec<Bounds>,
    pub edge_boxes: Vec<Bounds>,
    pub face_boxes: Vec<Bounds>,
    pub whole: Option<Bounds>,
}

impl Posed {
    /// Puts the body where it starts; `shrink` draws its surface in by that much, or where it is thin as far as it can be.
    pub fn place(&mut self, body: &Polyhedron, turn: DMat3, shift: DVec3, shrink: f64) {
        self.points.clear();
        let pairs = body.points.iter().zip(body.insets.iter().zip(&body.rooms));
        let drawn = |(&p, (&inset, &room)): (&DVec3, (&DVec3, &f64))| p + inset * shrink.min(room);
        self.points.extend(pairs.map(|pair| turn * drawn(pair) + shift));
        self.normals.clear();
        self.normals.extend(body.faces.iter().map(|face| turn * face.normal));
        self.offsets.clear();
        for (face, normal) in body.faces.iter().zip(&self.normals) {
            let heights = body.loop_of(face).iter().map(|corner| normal.dot(self.points[corner.point as usize]));
            self.offsets.push(heights.fold(f64::NEG_INFINITY, f64::max));
        }
        self.into.clear();
        self.into.extend(body.edges.iter().map(|edge| edge.into.map(|v| turn * v)));
    }

    /// The boxes of what the features sweep, given that of each point; the zone is added.
    pub fn sweep(&mut self, body: &Polyhedron, margin: f64, of_point: impl Fn(DVec3) -> Bounds) {
        self.point_boxes.clear();
        self.point_boxes.extend(self.points.iter().map(|&p| of_point(p).grown(margin)));
        let boxes = &self.point_boxes;
        self.edge_boxes.clear();
        self.edge_boxes
            .extend(body.edges.iter().map(|edge| boxes[edge.ends[0] as usize].union(boxes[edge.ends[1] as usize])));
        self.face_boxes.clear();
        self.face_boxes.extend(body.faces.iter().map(|face| {
            body.loop_of(face).iter().fold(Bounds::EMPTY, |all, corner| all.union(boxes[corner.point as usize]))
        }));
        self.whole = Some(self.point_boxes.iter().fold(Bounds::EMPTY, |all, &one| all.union(one)));
    }

    /// How far a point is inside of the body's polygon across its sides.
    pub fn depth_across(&self, body: &Polyhedron, face: &Face, x: DVec3) -> f64 {
        let depths = body.loop_of(face).iter().map(|corner| {
            self.into[corner.edge as usize][corner.side as usize].dot(x - self.points[corner.point as usize])
        });
        depths.fold(f64::INFINITY, f64::min)
    }
}
