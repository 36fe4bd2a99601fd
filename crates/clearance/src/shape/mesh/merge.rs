//! Neighbouring faces that are coplanar, united while they stay convex.
//!
//! Edges are gone through in a fixed order, again for as long as that leaves fewer faces; at each the two faces beside it
//! become one if a [`Judge`] says that all corners are in one plane and that neither end of what they share becomes a corner
//! that points inwards: by exact predicates for a mesh. Corners in line with their neighbours stay where other faces have them
//! too; one inside a united face has no edge left.

use glam::{DVec2, DVec3};
use robust::Coord;

use super::Faces;
use super::topology::{HalfEdge, Surface};
use super::triangulate::vector_area;
use crate::math::predicates::{collinear, orient3d};
use crate::math::{Plane, Vec3, narrow, narrow_real, widen};

/// What may be united.
pub(crate) trait Judge {
    /// Whether two faces could be one, as far as their planes go.
    fn in_one_plane(&self, left: u32, right: u32) -> bool;
    /// Whether the loop of both is convex at the ends of what they shared, the corners `seams`.
    fn is_convex(&self, left: u32, right: u32, joined: &[u32], seams: [usize; 2]) -> bool;
    /// The right face has become part of the left one, which has this loop now.
    fn united(&mut self, _left: u32, _right: u32, _joined: &[u32]) {}
}

struct Merger {
    loops: Vec<Vec<u32>>,
    /// The face that a face has become part of.
    parent: Vec<u32>,
}

/// United are faces that are exactly in one plane.
struct Exactly<'m> {
    vertices: &'m [Vec3],
    /// Three corners that span the plane of each face.
    spans: Vec<[DVec3; 3]>,
    /// Whether all corners of each face are exactly in one plane; a face united of such ones is flat too.
    flat: Vec<bool>,
}

/// What became of two faces beside an edge.
#[derive(PartialEq)]
enum Outcome {
    United,
    /// They are in one plane, and may be united once one of them has grown.
    NotYet,
    Never,
}

/// The united faces of a surface, with their planes.
pub(super) fn merged(vertices: &[Vec3], surface: &Surface) -> Faces {
    let at = |v: u32| widen(vertices[v as usize]);
    let loops: Vec<Vec<u32>> = (0..surface.count()).map(|face| surface.corners(face).to_vec()).collect();
    let spans: Vec<[DVec3; 3]> = loops.iter().map(|corners| span(corners, at)).collect();
    let is_flat = |(corners, [a, b, c]): (&Vec<u32>, &[DVec3; 3])| {
        corners.len() == 3 || corners.iter().all(|&v| orient3d(*a, *b, *c, at(v)) == 0.0)
    };
    let flat = loops.iter().zip(&spans).map(is_flat).collect();
    let loops = united(loops, &surface.half_edges(), &mut Exactly { vertices, spans, flat });
    let mut faces = Faces { starts: vec![0], ..Faces::default() };
    for corners in loops {
        faces.loops.extend_from_slice(&corners);
        faces.starts.push(faces.loops.len() as u32);
        faces.planes.push(plane(&corners, at));
    }
    faces
}

/// The loops that are left when all were united that may be; `half_edges` are those of the loops, in order.
pub(crate) fn united(loops: Vec<Vec<u32>>, half_edges: &[HalfEdge], judge: &mut impl Judge) -> Vec<Vec<u32>> {
    let mut merger = Merger { parent: (0..loops.len() as u32).collect(), loops };
    let mut edges: Vec<_> = half_edges.chunk_by(|a, b| a.ends == b.ends).filter(|edge| edge.len() == 2).collect();
    loop {
        let mut changed = false;
        edges.retain(|edge| {
            let [from, to] = if edge[0].backward { [edge[0].ends[1], edge[0].ends[0]] } else { edge[0].ends };
            let outcome = merger.unite([edge[0].face, edge[1].face], from, to, judge);
            changed |= outcome == Outcome::United;
            outcome == Outcome::NotYet
        });
        if !changed {
            break;
        }
    }
    merger.loops.retain(|corners| !corners.is_empty());
    merger.loops
}

/// Three corners that are not in line.
fn span(corners: &[u32], at: impl Fn(u32) -> DVec3) -> [DVec3; 3] {
    let n = corners.len();
    let triples = (0..n).flat_map(|i| (1..n - 1).map(move |j| [i, (i + j) % n, (i + j + 1) % n]));
    let mut points = triples.map(|triple| triple.map(|i| at(corners[i])));
    points.find(|&[a, b, c]| !collinear(a, b, c)).unwrap_or([DVec3::ZERO; 3])
}

fn plane(corners: &[u32], at: impl Fn(u32) -> DVec3) -> Plane {
    let points: Vec<DVec3> = corners.iter().map(|&v| at(v)).collect();
    let normal = vector_area(&points).normalize_or(DVec3::Z);
    let mean = points.iter().copied().sum::<DVec3>() / points.len() as f64;
    Plane { normal: narrow(normal), offset: narrow_real(normal.dot(mean)) }
}

impl Merger {
    fn root(&self, mut face: u32) -> u32 {
        while self.parent[face as usize] != face {
            face = self.parent[face as usize];
        }
        face
    }

    /// Unites the faces left and right of the edge if that gives a convex face.
    fn unite(&mut self, beside: [u32; 2], from: u32, to: u32, judge: &mut impl Judge) -> Outcome {
        let [left, right] = beside.map(|face| self.root(face));
        if left == right || !judge.in_one_plane(left, right) {
            return Outcome::Never;
        }
        let (a, b) = (&self.loops[left as usize], &self.loops[right as usize]);
        // The left one runs from `from` to `to`, the right one back.
        let place = |corners: &[u32], v: u32| corners.iter().position(|&corner| corner == v);
        let (Some(i), Some(j)) = (place(a, to), place(b, from)) else {
            return Outcome::NotYet;
        };
        let (of_a, of_b) = (|k: usize| a[(i + k) % a.len()], |k: usize| b[(j + k) % b.len()]);
        // They may share more edges on either side, all in line. What is between them is inside the united face.
        let most = a.len().min(b.len()) - 2;
        let ahead = (0..most).take_while(|&k| of_a(k + 1) == of_b(b.len() - 2 - k)).count();
        let behind = (0..most - ahead).take_while(|&k| of_a(a.len() - 2 - k) == of_b(k + 1)).count();
        let own = (ahead..a.len() - behind).map(of_a);
        let joined: Vec<u32> = own.chain((behind + 1..b.len() - 1 - ahead).map(of_b)).collect();
        let seam = a.len() - 1 - behind - ahead;
        if of_a(a.len() - 1) != from || joined.len() < 3 || seam >= joined.len() {
            return Outcome::NotYet;
        }
        if !judge.is_convex(left, right, &joined, [0, seam]) {
            return Outcome::NotYet;
        }
        judge.united(left, right, &joined);
        self.loops[right as usize].clear();
        self.parent[right as usize] = left;
        self.loops[left as usize] = joined;
        Outcome::United
    }
}

impl Judge for Exactly<'_> {
    /// Both flat themselves, and three points that span the one are in the plane of the other.
    fn in_one_plane(&self, left: u32, right: u32) -> bool {
        let [a, b, c] = self.spans[left as usize];
        self.flat[left as usize]
            && self.flat[right as usize]
            && self.spans[right as usize].into_iter().all(|p| orient3d(a, b, c, p) == 0.0)
            && self.faces_alike(left, right)
    }

    fn is_convex(&self, left: u32, _right: u32, joined: &[u32], seams: [usize; 2]) -> bool {
        let n = joined.len();
        let corner = |k: usize| [joined[(k + n - 1) % n], joined[k], joined[(k + 1) % n]];
        seams.into_iter().all(|k| self.turns_left(left, corner(k)))
    }
}

impl Exactly<'_> {
    /// Whether both faces look to the same side: two that fold back on each other are in one plane too.
    fn faces_alike(&self, left: u32, right: u32) -> bool {
        let [a, b, c] = self.spans[left as usize];
        let [p, q, r] = self.spans[right as usize];
        flat_turn(a, b, c, [a, b, c]) * flat_turn(a, b, c, [p, q, r]) > 0.0
    }

    /// Whether three corners in the plane of a face turn to the left or go straight on.
    fn turns_left(&self, face: u32, corners: [u32; 3]) -> bool {
        let [a, b, c] = self.spans[face as usize];
        let points = corners.map(|v| widen(self.vertices[v as usize]));
        if points[0] == points[2] {
            return false;
        }
        let turn = flat_turn(a, b, c, points) * flat_turn(a, b, c, [a, b, c]);
        // Straight on, not back.
        turn > 0.0 || turn == 0.0 && (points[1] - points[0]).dot(points[2] - points[1]) > 0.0
    }
}

/// The sign of the turn of three points in the plane of `a`, `b`, `c`, seen along the axis across which the plane is widest.
/// Which side it is seen from is the same for all points of a plane.
fn flat_turn(a: DVec3, b: DVec3, c: DVec3, points: [DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a).abs();
    let drop = |p: DVec3, axis: usize| match axis {
        0 => DVec2::new(p.y, p.z),
        1 => DVec2::new(p.z, p.x),
        _ => DVec2::new(p.x, p.y),
    };
    let widest = if normal.x >= normal.y && normal.x >= normal.z {
        0
    } else if normal.y >= normal.z {
        1
    } else {
        2
    };
    let [p, q, r] = points.map(|p| drop(p, widest)).map(|p| Coord { x: p.x, y: p.y });
    let turn = robust::orient2d(p, q, r);
    if turn > 0.0 {
        1.0
    } else if turn < 0.0 {
        -1.0
    } else {
        0.0
    }
}
