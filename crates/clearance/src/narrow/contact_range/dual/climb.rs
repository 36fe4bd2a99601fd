//! Search-FV, Search-VF and Search-EE (sections 3.2.1 to 3.2.3), for the end towards z.

use glam::{DMat3, DVec3};

use super::visited::Visited;
use crate::math::{narrow, widen, widen_real};
use crate::narrow::contact_range::answer::FacesVisited;
use crate::narrow::contact_range::line::{Line, Seen, across};
use crate::narrow::contact_range::walk::Walk;
use crate::polytope::Polytope;
use crate::support::VertexId;
use crate::tolerance::TOUCHING_SIGMAS;

/// How the search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Search {
    /// It ends at the first face that contains the line, and starts from faces that are near.
    #[default]
    Shortened,
    /// As printed in the paper: all three searches to their ends, the first face the best aligned of all, and the first pairs of edges
    /// those at all vertices of a face.
    Printed,
}

/// A face of A − B by what it is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A face of A and a vertex of B.
    FaceVertex(u32, u32),
    /// A vertex of A and a face of B.
    VertexFace(u32, u32),
    /// A half-edge of either.
    EdgeEdge(u32, u32),
}

/// A face, its normal in the line's frame, and how far along the line its dual point is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    kind: Kind,
    normal: DVec3,
    value: f64,
}

/// The searches for one end.
pub(super) struct Climb<'l, 'a> {
    line: &'l Line<'a>,
    bodies: [&'a Polytope; 2],
    /// From the frames of A and of −B to the line's.
    to_line: [DMat3; 2],
    /// The origin of −B, seen along the line.
    offset: DVec3,
    inside: DVec3,
    /// The centre of duality is here on the line.
    centre: f64,
    hints: [u32; 2],
    search: Search,
    pub visited: FacesVisited,
}

/// Where a search over pairs of edges looks for edges of one body.
#[derive(Debug, Clone, Copy)]
enum Around {
    /// At the ends of an edge, or at a vertex given twice.
    Ends([u32; 2]),
    /// At all vertices of a face.
    Face(u32),
}

impl<'l, 'a> Climb<'l, 'a> {
    /// `reach` is the sum of the bounding radii.
    pub fn new(line: &'l Line<'a>, bodies: [&'a Polytope; 2], inside: DVec3, reach: f64, search: Search) -> Self {
        let to_line = line.frame.transpose();
        let r = line.m.rotation;
        let rotation = DMat3::from_cols(widen(r.x_axis), widen(r.y_axis), widen(r.z_axis));
        let offset = -(to_line * widen(line.m.translation));
        // Before the difference and before the origin, by as much again as the difference may be long.
        let centre = (offset.z - reach).min(0.0) - reach;
        let to_line = [to_line, -(to_line * rotation)];
        Self { line, bodies, to_line, offset, inside, centre, hints: [0; 2], search, visited: FacesVisited::default() }
    }

    /// The three searches in turn, from the faces of the last call if there are some.
    pub fn run(&mut self, seed: Option<[[VertexId; 2]; 3]>) -> Option<Face> {
        if self.search == Search::Printed {
            return self.run_as_printed();
        }
        let first = self.first_face(seed.map(|corners| corners[0][0].0));
        let by_faces_of_a = self.search_faces(0, first?);
        if by_faces_of_a.is_some_and(|face| self.contains(&face)) {
            return by_faces_of_a;
        }
        if let Some(Face { kind: Kind::FaceVertex(_, vertex), .. }) = by_faces_of_a {
            self.hints[1] = vertex;
        }
        let first = self.bodies[1].faces_around(self.hints[1]).next()?;
        let by_faces_of_b = self.search_faces(1, first);
        let best = better(by_faces_of_a, by_faces_of_b)?;
        Some(if self.contains(&best) { best } else { self.search_edges(best) })
    }

    /// MaxSignedDistance of the paper: all three searches to their ends, the first two from the best aligned of all faces.
    fn run_as_printed(&mut self) -> Option<Face> {
        let [of_a, of_b] = [0, 1].map(|body| {
            let first = self.best_aligned(body)?;
            self.search_faces(body, first)
        });
        let best = better(of_a, of_b)?;
        Some(self.search_edges(best))
    }

    fn best_aligned(&self, body: usize) -> Option<u32> {
        let along = |face: &u32| (self.to_line[body] * widen(self.bodies[body].plane(*face).normal)).z;
        (0..self.bodies[body].face_count() as u32).max_by(|f, g| along(f).total_cmp(&along(g)))
    }

    /// The best aligned face at A's vertex farthest along the line, or at that of the last call.
    fn first_face(&mut self, seed: Option<u32>) -> Option<u32> {
        let a = self.bodies[0];
        let seed = seed.filter(|&vertex| (vertex as usize) < a.vertices().len());
        let along = narrow(self.line.frame.z_axis);
        let vertex = seed.unwrap_or_else(|| a.search().farthest(along, VertexId::NONE));
        a.faces_around(vertex).max_by(|&f, &g| {
            let cosine = |face: u32| a.plane(face).normal.dot(along);
            cosine(f).total_cmp(&cosine(g))
        })
    }

    /// The dual point of a plane along the line; nothing if the centre is not inside of the plane (a supporting or concave face).
    fn value(&self, normal: DVec3, offset: f64) -> Option<f64> {
        let room = offset - normal.z * self.centre;
        (room > 0.0).then(|| normal.z / room)
    }

    fn place(&self, body: usize, vertex: u32) -> DVec3 {
        let local = self.to_line[body] * widen(self.bodies[body].vertices()[vertex as usize]);
        if body == 0 { local } else { local + self.offset }
    }

    /// The face of the difference that a face of one body and the other's supporting vertex make.
    fn construct(&mut self, body: usize, face: u32) -> Option<Face> {
        let other = 1 - body;
        let plane = self.bodies[body].plane(face);
        let normal = self.to_line[body] * widen(plane.normal);
        let in_other = narrow(self.to_line[other].transpose() * normal);
        let vertex = self.bodies[other].search().farthest(in_other, VertexId(self.hints[other]));
        self.hints[other] = vertex;
        // The vertex of −B as a point of the difference; of the two, one has the offset in its place and one in its plane.
        let mut offset = widen_real(plane.offset) + normal.dot(self.place(other, vertex));
        if body == 1 {
            offset += normal.dot(self.offset);
        }
        let kind = if body == 0 { Kind::FaceVertex(face, vertex) } else { Kind::VertexFace(vertex, face) };
        *(if body == 0 { &mut self.visited.face_vertex } else { &mut self.visited.vertex_face }) += 1;
        Some(Face { kind, normal, value: self.value(normal, offset)? })
    }

    /// Search-FV for A, Search-VF for B: neighbours are the faces that share a vertex.
    fn search_faces(&mut self, body: usize, first: u32) -> Option<Face> {
        let polytope = self.bodies[body];
        let mut seen = Visited::new();
        seen.insert((first, 0));
        let mut here = (first, self.construct(body, first));
        loop {
            let mut best = here;
            for vertex in polytope.face_vertices(here.0) {
                for face in polytope.faces_around(vertex) {
                    if !seen.insert((face, 0)) {
                        continue;
                    }
                    let found = self.construct(body, face);
                    let value = |face: &Option<Face>| face.map_or(f64::NEG_INFINITY, |face| face.value);
                    if value(&found) > value(&best.1) {
                        best = (face, found);
                    }
                }
            }
            if best.0 == here.0 {
                return here.1;
            }
            here = best;
        }
    }

    /// Search-EE from the better of the two faces found.
    fn search_edges(&mut self, start: Face) -> Face {
        let mut seen = Visited::new();
        let mut best = start;
        let printed = self.search == Search::Printed;
        let of_face = |body: usize, face: u32, vertex: u32| {
            if printed { Around::Face(face) } else { Around::Ends(self.crossed(body, face, vertex)) }
        };
        let mut around = match start.kind {
            Kind::FaceVertex(face, vertex) => [of_face(0, face, vertex), Around::Ends([vertex; 2])],
            Kind::VertexFace(vertex, face) => [Around::Ends([vertex; 2]), of_face(1, face, vertex)],
            Kind::EdgeEdge(..) => return start,
        };
        loop {
            let mut next = best;
            for of_a in self.edges(0, around[0]) {
                for of_b in self.edges(1, around[1]) {
                    if let Some(face) = self.construct_edges(of_a, of_b, &mut seen)
                        && face.value > next.value
                    {
                        if !printed && self.contains(&face) {
                            return face;
                        }
                        next = face;
                    }
                }
            }
            let Kind::EdgeEdge(of_a, of_b) = next.kind else { return best };
            if !(next.value > best.value) {
                return best;
            }
            best = next;
            around = [Around::Ends(self.ends(0, of_a)), Around::Ends(self.ends(1, of_b))];
        }
    }

    /// The ends of the edge of a face of one body, with a vertex of the other, that the line is farthest beyond.
    fn crossed(&self, body: usize, face: u32, vertex: u32) -> [u32; 2] {
        let shift = self.place(1 - body, vertex) - self.inside;
        let polytope = self.bodies[body];
        let depth = |edge: &u32| {
            let [from, to] = self.ends(body, *edge).map(|end| self.place(body, end) + shift);
            // −B is seen from inside: its faces run the other way.
            let inside = across(from, to) / (to - from).truncate().length();
            if body == 0 { inside } else { -inside }
        };
        let edge = polytope.face_half_edges(face).min_by(|e, f| depth(e).total_cmp(&depth(f)));
        edge.map_or([0; 2], |edge| self.ends(body, edge))
    }

    fn ends(&self, body: usize, half_edge: u32) -> [u32; 2] {
        let edges = self.bodies[body].half_edges();
        let edge = edges[half_edge as usize];
        [edge.origin, edges[edge.twin as usize].origin]
    }

    /// Half-edges from vertices.
    fn edges(&self, body: usize, around: Around) -> impl Iterator<Item = u32> + use<'a> {
        let polytope = self.bodies[body];
        let (ends, face) = match around {
            Around::Ends([first, second]) => ([Some(first), (second != first).then_some(second)], None),
            Around::Face(face) => ([None; 2], Some(face)),
        };
        let of_face = face.into_iter().flat_map(move |face| polytope.face_vertices(face));
        ends.into_iter().flatten().chain(of_face).flat_map(move |vertex| {
            let first = polytope.vertex_half_edge(vertex);
            let turn = move |&edge: &u32| {
                Some(polytope.next(polytope.half_edges()[edge as usize].twin)).filter(|&next| next != first)
            };
            std::iter::successors(Some(first), turn)
        })
    }

    /// The face of two edges, if their arcs on the Gaussian sphere cross (section 3.3.3) and it was not seen before.
    fn construct_edges(&mut self, of_a: u32, of_b: u32, seen: &mut Visited) -> Option<Face> {
        let normals = |body: usize, half_edge: u32| {
            let edges = self.bodies[body].half_edges();
            let edge = edges[half_edge as usize];
            [edge.face, edges[edge.twin as usize].face]
                .map(|face| self.to_line[body] * widen(self.bodies[body].plane(face).normal))
        };
        let ([a, b], [c, d]) = (normals(0, of_a), normals(1, of_b));
        let (ba, dc) = (b.cross(a), d.cross(c));
        let (cba, dba, adc, bdc) = (c.dot(ba), d.dot(ba), a.dot(dc), b.dot(dc));
        if !(cba * dba < 0.0 && adc * bdc < 0.0 && cba * bdc > 0.0) {
            return None;
        }
        let name = |body: usize, half_edge: u32| half_edge.min(self.bodies[body].half_edges()[half_edge as usize].twin);
        let (of_a, of_b) = (name(0, of_a), name(1, of_b));
        if !seen.insert((of_a, of_b)) {
            return None;
        }
        self.visited.edge_edge += 1;
        let [ends_a, ends_b] =
            [(0, of_a), (1, of_b)].map(|(body, edge)| self.ends(body, edge).map(|v| self.place(body, v)));
        let normal = (ends_a[1] - ends_a[0]).cross(ends_b[1] - ends_b[0]).try_normalize()?;
        let normal = if normal.dot(a + b) < 0.0 { -normal } else { normal };
        let value = self.value(normal, normal.dot(ends_a[0] + ends_b[0]))?;
        Some(Face { kind: Kind::EdgeEdge(of_a, of_b), normal, value })
    }

    /// The vertex pairs of a face's corners, in order around it.
    fn corners(&self, face: &Face) -> impl Iterator<Item = [u32; 2]> + use<'a> {
        let [a, b] = self.bodies;
        let (of_a, of_b) = match face.kind {
            Kind::FaceVertex(face, vertex) => (Some((a.face_vertices(face), vertex)), None),
            Kind::VertexFace(vertex, face) => (None, Some((b.face_vertices(face), vertex))),
            Kind::EdgeEdge(..) => (None, None),
        };
        let of_edges = match face.kind {
            Kind::EdgeEdge(of_a, of_b) => {
                let ([a, b], [c, d]) = (self.ends(0, of_a), self.ends(1, of_b));
                Some([[a, c], [b, c], [b, d], [a, d]])
            }
            _ => None,
        };
        let of_a = of_a.into_iter().flat_map(|(corners, vertex)| corners.map(move |corner| [corner, vertex]));
        let of_b = of_b.into_iter().flat_map(|(corners, vertex)| corners.map(move |corner| [vertex, corner]));
        of_a.chain(of_b).chain(of_edges.into_iter().flatten())
    }

    /// The part of a face that contains the line, if one does: a triangle of its fan, counter-clockwise seen against the line.
    pub fn containing(&self, face: &Face) -> Option<[Seen; 3]> {
        let seen = |ids: [u32; 2]| self.line.vertex(ids.map(VertexId), DVec3::ZERO);
        let mut corners = self.corners(face).filter_map(seen);
        let (first, mut previous) = (corners.next()?, corners.next()?);
        for corner in corners {
            let mut triangle = [first, previous, corner];
            if across(previous.at - first.at, corner.at - first.at) < 0.0 {
                triangle.swap(1, 2);
            }
            let [a, b, c] = triangle.map(|corner| corner.at - self.inside);
            if across(a, b) >= 0.0 && across(b, c) >= 0.0 && across(c, a) >= 0.0 {
                return Some(triangle);
            }
            previous = corner;
        }
        None
    }

    /// Whether the line leaves through a face: it contains the line, and every face here is supported, so there is no other.
    fn contains(&self, face: &Face) -> bool {
        face.normal.z > 0.0 && self.containing(face).is_some()
    }

    /// Whether the line goes through the plane of a face later than at a given place, by more than the error.
    pub fn is_beyond(&self, face: &Face, place: f64) -> bool {
        let later = self.centre + 1.0 / face.value - place;
        !(face.value > 0.0 && later * face.normal.z <= widen_real(TOUCHING_SIGMAS) * self.line.error)
    }

    /// A corner of a face with the face's normal.
    pub fn corner(&self, face: &Face) -> Option<Seen> {
        let ids = self.corners(face).next()?;
        self.line.vertex(ids.map(VertexId), DVec3::ZERO).map(|corner| Seen { normal: face.normal, ..corner })
    }

    /// The walk over faces of the difference from a corner.
    pub fn walk(&self, corner: &Seen) -> (Option<[Seen; 3]>, FacesVisited) {
        let Some(mut walk) = Walk::new(self.line, self.inside) else { return (None, FacesVisited::default()) };
        let found = if corner.normal.z > 0.0 { walk.start_at(corner) } else { None };
        (found, walk.visited)
    }
}

fn better(a: Option<Face>, b: Option<Face>) -> Option<Face> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.value > a.value { b } else { a }),
        (a, b) => a.or(b),
    }
}
