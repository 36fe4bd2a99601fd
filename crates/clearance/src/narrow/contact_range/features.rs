//! What touches at an end of a range (section 3.3.1 of the paper).
//!
//! The corners of the last triangle are pairs of vertices; the features of the bodies that they span are in contact. Where a
//! face meets a face or an edge in its plane, the contact is more than the paper's three kinds have a name for, and a walk in
//! that plane, from the point of contact to a corner of one face and then along an edge of the other, finds a place that is of
//! one of the three: a corner of one polygon in the other, or two edges that cross.

use glam::{DMat3, DVec3};

use super::answer::FacesVisited;
use super::line::Line;
use super::portal::Exit;
use crate::answer::Element;
use crate::math::{Mat3, Real, Vec3, narrow, narrow_real, unit_or, widen};
use crate::narrow::{Label, Labels};
use crate::polytope::Polytope;
use crate::shape::Core;
use crate::support::VertexId;

/// Where two bodies touch at an end of a range.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    /// In the frame of A.
    pub on_a: Vec3,
    pub features: Labels,
}

/// What touches at an exit of the line, seen along it.
pub(super) fn touch(line: &Line<'_>, exit: &Exit) -> Touch {
    let mut on_a = Vec3::ZERO;
    for (corner, weight) in exit.corners.iter().zip(exit.weights) {
        on_a += corner.on_a * narrow_real(weight);
    }
    let [a, b] = [0, 1].map(|body: usize| exit.corners.map(|corner| corner.ids[body]));
    let normal = narrow(line.frame * exit.normal);
    if line.radii[0] + line.radii[1] > 0.0 {
        return Touch { on_a, features: Labels { a: Label::Smooth, b: Label::Smooth } };
    }
    if let (Core::Polytope(body_a), Core::Polytope(body_b)) = (line.m.a, line.m.b) {
        let shift = line.m.translation + narrow(line.frame.z_axis * exit.height);
        let a = Solid { polytope: body_a, rotation: Mat3::IDENTITY, translation: Vec3::ZERO, normal, at: on_a };
        let b = Solid { polytope: body_b, rotation: line.m.rotation, translation: shift, normal: -normal, at: on_a };
        let features = [a.spanned(exit.corners.map(|c| c.ids[0])), b.spanned(exit.corners.map(|c| c.ids[1]))];
        return named(&a, &b, features, on_a);
    }
    let on_b = line.m.to_b(on_a - line.m.translation - narrow(line.frame.z_axis * exit.height));
    Touch { on_a, features: Labels { a: of_core(line.m.a, a, on_a), b: of_core(line.m.b, b, on_b) } }
}

impl FacesVisited {
    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            face_vertex: self.face_vertex + other.face_vertex,
            vertex_face: self.vertex_face + other.vertex_face,
            edge_edge: self.edge_edge + other.edge_edge,
        }
    }

    /// Counts a face of the difference by what it is made of; what is none of the three kinds does not count.
    pub(super) fn count(&mut self, elements: [Element; 2]) {
        match elements {
            [Element::Face(_), Element::Vertex(_)] => self.face_vertex += 1,
            [Element::Vertex(_), Element::Face(_)] => self.vertex_face += 1,
            [Element::Edge(_), Element::Edge(_)] => self.edge_edge += 1,
            _ => {}
        }
    }
}

/// The feature of a body that has no adjacency, from the corners in contact.
fn of_core(core: &Core, ids: [VertexId; 3], at: Vec3) -> Label {
    let all = ids[0].0 & ids[1].0 & ids[2].0;
    let any = ids[0].0 | ids[1].0 | ids[2].0;
    match core {
        Core::Point => Label::Vertex(0),
        // A corner of a box has one bit for each axis: those that differ say what is spanned.
        Core::Cuboid { .. } if any < 8 => match (any ^ all).count_ones() {
            0 => Label::Vertex(any),
            1 => Label::Edge((any ^ all).trailing_zeros() * 8 + all),
            2 => {
                let axis = (7 & !(any ^ all)).trailing_zeros();
                Label::Face(2 * axis + (all >> axis & 1))
            }
            _ => Label::Smooth,
        },
        Core::Polytope(polytope) => {
            let rotation = Mat3::IDENTITY;
            Solid { polytope, rotation, translation: Vec3::ZERO, normal: Vec3::ZERO, at }.spanned(ids)
        }
        _ => Label::Smooth,
    }
}

/// A polytope at the place where it touches, and the direction that it touches in.
struct Solid<'a> {
    polytope: &'a Polytope,
    rotation: Mat3,
    translation: Vec3,
    normal: Vec3,
    /// The place where it touches.
    at: Vec3,
}

impl Solid<'_> {
    /// In f64, so that a body no larger than the rounding of its place still has a shape.
    fn place(&self, vertex: u32) -> DVec3 {
        let Mat3 { x_axis, y_axis, z_axis } = self.rotation;
        let rotation = DMat3::from_cols(widen(x_axis), widen(y_axis), widen(z_axis));
        let local = self.polytope.vertices().get(vertex as usize).map_or(DVec3::ZERO, |&p| widen(p));
        rotation * local + widen(self.translation)
    }

    fn end(&self, half_edge: u32) -> u32 {
        let edges = self.polytope.half_edges();
        edges[edges[half_edge as usize].twin as usize].origin
    }

    /// Edges are named by the lower of their half-edges.
    fn edge(&self, half_edge: u32) -> Label {
        Label::Edge(half_edge.min(self.polytope.half_edges()[half_edge as usize].twin))
    }

    /// The half-edges that start at a vertex.
    fn around(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.polytope.vertex_half_edge(vertex);
        let turn = move |&edge: &u32| {
            Some(self.polytope.next(self.polytope.half_edges()[edge as usize].twin)).filter(|&next| next != first)
        };
        std::iter::successors(Some(first), turn)
    }

    /// The smallest feature that has all these corners; where none has, in a body as thin as the error, the face at the contact.
    fn spanned(&self, ids: [VertexId; 3]) -> Label {
        let [a, b, c] = ids.map(|id| id.0);
        let other = if b == a { c } else { b };
        if other == a {
            return Label::Vertex(a);
        }
        if (c == a || c == other)
            && let Some(edge) = self.around(a).find(|&edge| self.end(edge) == other)
        {
            return self.edge(edge);
        }
        let has = |face: &u32| {
            let mut corners = self.polytope.face_vertices(*face);
            let (mut found_b, mut found_c) = (false, false);
            corners.any(|corner| {
                found_b |= corner == b;
                found_c |= corner == c;
                found_b && found_c
            }) || b == a && found_c
                || c == a && found_b
        };
        // Most faces are triangles, where two corners have an edge; else any of the faces around may have all three.
        let edge = self.around(a).find(|&edge| self.end(edge) == b);
        let beside = edge.and_then(|edge| self.faces(edge).into_iter().find(has));
        let face = beside.or_else(|| self.polytope.faces_around(a).find(has));
        Label::Face(face.unwrap_or_else(|| self.nearest_face()))
    }

    /// The face nearest to the contact.
    fn nearest_face(&self) -> u32 {
        let local = self.rotation.transpose() * (self.at - self.translation);
        let off = |face: &u32| {
            let plane = self.polytope.plane(*face);
            let beyond = self.polytope.face_half_edges(*face).map(|edge| {
                let [start, end] = self.ends(edge).map(|vertex| self.polytope.vertices()[vertex as usize]);
                unit_or((end - start).cross(plane.normal), Vec3::ZERO).dot(local - start)
            });
            beyond.fold(plane.distance(local).abs(), Real::max)
        };
        (0..self.polytope.face_count() as u32).min_by(|f, g| off(f).total_cmp(&off(g))).unwrap_or(0)
    }

    /// The face that faces the contact most.
    fn facing(&self, faces: impl Iterator<Item = u32>) -> u32 {
        let cosine = |face: &u32| (self.rotation * self.polytope.plane(*face).normal).dot(self.normal);
        faces.max_by(|f, g| cosine(f).total_cmp(&cosine(g))).unwrap_or(0)
    }

    /// How much of the way from a point of a face to another one in its plane is inside the face, and the half-edge that it
    /// leaves over: of those whose lines it crosses, the one that it crosses between its ends. Of a long thin face several
    /// lines are within rounding.
    fn leaves(&self, face: u32, from: DVec3, to: DVec3) -> (f64, u32) {
        let normal = widen(self.rotation * self.polytope.plane(face).normal);
        let mut best = (1.0, self.polytope.face_half_edges(face).start, f64::INFINITY);
        for edge in self.polytope.face_half_edges(face) {
            let [start, end] = self.ends(edge).map(|vertex| self.place(vertex));
            let out = (end - start).cross(normal);
            let (rise, room) = (out.dot(to - from), out.dot(start - from));
            if rise > 0.0 && room < rise {
                let share = (room / rise).max(0.0);
                let off = distance_to_edge(from + (to - from) * share, start, end);
                if off < best.2 {
                    best = (share, edge, off);
                }
            }
        }
        (best.0, best.1)
    }

    fn ends(&self, edge: u32) -> [u32; 2] {
        [self.polytope.half_edges()[edge as usize].origin, self.end(edge)]
    }

    fn faces(&self, edge: u32) -> [u32; 2] {
        let edges = self.polytope.half_edges();
        let half_edge = edges[edge as usize];
        [half_edge.face, edges[half_edge.twin as usize].face]
    }
}

/// The contact as one of the three kinds.
fn named(a: &Solid<'_>, b: &Solid<'_>, features: [Label; 2], on_a: Vec3) -> Touch {
    let touch = |a, b, on_a| Touch { on_a: narrow(on_a), features: Labels { a, b } };
    let on_a = widen(on_a);
    match features {
        [Label::Face(face), Label::Edge(edge)] => {
            let (kind, at) = edge_on_face(a, face, b, edge, on_a);
            touch(kind[0], kind[1], at)
        }
        [Label::Edge(edge), Label::Face(face)] => {
            let (kind, at) = edge_on_face(b, face, a, edge, on_a);
            touch(kind[1], kind[0], at)
        }
        [Label::Face(face_a), Label::Face(face_b)] => {
            let corner = b.polytope.face_vertices(face_b).next().unwrap_or(0);
            let target = b.place(corner);
            let (share, edge) = a.leaves(face_a, on_a, target);
            if share >= 1.0 {
                return touch(features[0], Label::Vertex(corner), target);
            }
            let (kind, at) = edge_on_face(b, face_b, a, edge, on_a + (target - on_a) * share);
            touch(kind[1], kind[0], at)
        }
        [Label::Edge(edge), Label::Vertex(_)] => {
            touch(Label::Face(a.facing(a.faces(edge).into_iter())), features[1], on_a)
        }
        [Label::Vertex(_), Label::Edge(edge)] => {
            touch(features[0], Label::Face(b.facing(b.faces(edge).into_iter())), on_a)
        }
        [Label::Vertex(vertex), Label::Vertex(_)] => {
            touch(Label::Face(a.facing(a.polytope.faces_around(vertex))), features[1], on_a)
        }
        [a, b] => touch(a, b, on_a),
    }
}

/// An edge of one body that lies on a face of another at a point: its end on the face, or the edge of the face that it crosses.
/// The feature of the face's body comes first.
fn edge_on_face(on: &Solid<'_>, face: u32, of: &Solid<'_>, edge: u32, at: DVec3) -> ([Label; 2], DVec3) {
    let end = of.ends(edge)[1];
    let target = of.place(end);
    let (share, over) = on.leaves(face, at, target);
    if share >= 1.0 {
        return ([Label::Face(face), Label::Vertex(end)], target);
    }
    ([on.edge(over), of.edge(edge)], at + (target - at) * share)
}

fn distance_to_edge(point: DVec3, start: DVec3, end: DVec3) -> f64 {
    let along = end - start;
    let share = (along.dot(point - start) / along.length_squared()).clamp(0.0, 1.0);
    (start + along * share).distance(point)
}
