//! The surface of the expanding polytope: triangles, who is beside whom, and which is nearest to the origin.
//!
//! Faces name the *half-edge* across each of their edges, so that a new face is joined to the old ones without a search. The
//! border of what the newest vertex sees is walked in order around that vertex (an explicit stack in place of the thesis's
//! recursion), which makes the new faces a fan in which each one's neighbour is the one before.
//!
//! Departure: no heap. There are a few dozen faces, most of them new in each step; the smallest of so many numbers in a row is
//! found sooner than a heap takes them in. They are squares of distances, so that only the face in question costs a root.
//!
//! Which faces the newest vertex sees is decided exactly: the vertices are taken as exact, so the surface is always that of a
//! convex body and the border one closed line. If it is not, for want of range, the caller is told.

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::math::predicates::above;
use crate::narrow::simplex::normal_of;
use crate::tolerance::{F64_SAFE, SLIVER, THIN};

/// Vertices the polytope may have.
pub const VERTEX_LIMIT: usize = 192;
const FACE_LIMIT: usize = 2 * VERTEX_LIMIT;

/// A face's plane: unit normal outwards, and its distance from the origin, negative if that is outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    pub normal: DVec3,
    pub distance: f64,
}

/// The same with a normal of any length.
#[derive(Debug, Clone, Copy)]
struct Scaled {
    normal: DVec3,
    offset: f64,
}

#[derive(Debug, Clone, Copy)]
struct Links {
    /// Counter-clockwise seen from outside.
    vertices: [u8; 3],
    state: State,
    /// The half-edge across the edge from `vertices[i]` to the next.
    across: [HalfEdge; 3],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Surface,
    Dead,
}

/// A face and which of its three edges.
#[derive(Debug, Clone, Copy)]
struct HalfEdge(u16);

impl HalfEdge {
    #[inline]
    fn new(face: u16, edge: u16) -> Self {
        Self(face << 2 | edge)
    }

    #[inline]
    fn face(self) -> usize {
        (self.0 >> 2) as usize
    }

    #[inline]
    fn edge(self) -> usize {
        (self.0 & 3) as usize
    }

    /// The next edge of the same face.
    #[inline]
    fn next(self) -> Self {
        Self(if self.0 & 3 == 2 { self.0 - 2 } else { self.0 + 1 })
    }
}

pub(super) struct Surface {
    pub points: ArrayVec<DVec3, VERTEX_LIMIT>,
    planes: ArrayVec<Scaled, FACE_LIMIT>,
    links: ArrayVec<Links, FACE_LIMIT>,
    /// The square of the distance of each face with the sign of the distance; infinite if there is no such face.
    squares: ArrayVec<f64, FACE_LIMIT>,
    free: ArrayVec<u16, FACE_LIMIT>,
    /// Beyond this a plane's side is certain in plain arithmetic.
    doubt: f64,
}

impl Surface {
    pub fn new(doubt: f64) -> Self {
        Self {
            points: ArrayVec::new(),
            planes: ArrayVec::new(),
            links: ArrayVec::new(),
            squares: ArrayVec::new(),
            free: ArrayVec::new(),
            doubt,
        }
    }

    /// The four faces of a tetrahedron, whose first three points appear counter-clockwise from outside. False if one has no
    /// area.
    pub fn enclose(&mut self) -> bool {
        const FACES: [[u8; 3]; 4] = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
        const ACROSS: [[[u16; 2]; 3]; 4] =
            [[[1, 2], [2, 2], [3, 2]], [[3, 1], [2, 0], [0, 0]], [[1, 1], [3, 0], [0, 1]], [[2, 1], [1, 0], [0, 2]]];
        FACES.into_iter().zip(ACROSS).all(|(vertices, across)| {
            self.add_face(vertices, across.map(|[face, edge]| HalfEdge::new(face, edge))).is_some()
        })
    }

    pub fn plane(&self, face: u16) -> Plane {
        let Scaled { normal, offset } = self.planes[face as usize];
        let inverse = 1.0 / normal.length();
        Plane { normal: normal * inverse, distance: offset * inverse }
    }

    /// The faces whose planes are no farther than this from the origin.
    pub fn up_to(&self, distance: f64) -> impl Iterator<Item = u16> {
        let most = distance * distance.abs();
        self.squares.iter().enumerate().filter(move |(_, square)| **square <= most).map(|(face, _)| face as u16)
    }

    pub fn corners(&self, face: u16) -> [usize; 3] {
        self.links[face as usize].vertices.map(usize::from)
    }

    #[inline]
    fn add_face(&mut self, vertices: [u8; 3], across: [HalfEdge; 3]) -> Option<u16> {
        // Corners by themselves, and those of slivers by their numbers: as an array, or by reference, they would be stored and loaded again
        // before they have been, which costs as much as all the arithmetic.
        let [i, j, k] = vertices;
        let (a, b, c) = (self.points[i as usize], self.points[j as usize], self.points[k as usize]);
        let (ab, ac) = (b - a, c - a);
        let mut normal = ab.cross(ac);
        let mut length_squared = normal.length_squared();
        let (of_ab, of_ac) = (ab.length_squared(), ac.length_squared());
        if !(length_squared > THIN * THIN * (of_ab * of_ac)) {
            // As `normal_of` has it.
            let (long, of_long) = if of_ab > of_ac { (ab, of_ab) } else { (ac, of_ac) };
            normal -= long * (normal.dot(long) / of_long);
        }
        let is_plain = length_squared > SLIVER * SLIVER * (of_ab * of_ac) && SQUARES.contains(&length_squared);
        if is_plain {
            length_squared = normal.length_squared()
        } else {
            (normal, length_squared) = self.of_sliver(vertices)?
        }
        let offset = normal.dot(a);
        let plane = Scaled { normal, offset };
        let links = Links { vertices, state: State::Surface, across };
        // In this order nothing overflows that the square itself does not.
        let square = offset / length_squared * offset.abs();
        if let Some(slot) = self.free.pop() {
            let at = slot as usize;
            (self.planes[at], self.links[at], self.squares[at]) = (plane, links, square);
            return Some(slot);
        }
        self.planes.try_push(plane).ok()?;
        self.links.try_push(links).ok()?;
        self.squares.try_push(square).ok()?;
        Some(self.links.len() as u16 - 1)
    }

    /// The normal of a face that is hardly more than a line, and the square of its length.
    #[cold]
    #[inline(never)]
    fn of_sliver(&self, vertices: [u8; 3]) -> Option<(DVec3, f64)> {
        let [a, b, c] = vertices.map(|v| self.points[v as usize]);
        in_range(normal_of(a, b, c))
    }

    /// The face with the smallest distance.
    #[inline]
    pub fn lowest(&self) -> Option<u16> {
        // Four at a time, which become two or one of the processor's vectors.
        let mut lanes = [f64::INFINITY; 4];
        let chunks = self.squares.chunks_exact(4);
        let rest = chunks.remainder();
        for chunk in chunks {
            for (lane, &square) in lanes.iter_mut().zip(chunk) {
                *lane = if square < *lane { square } else { *lane };
            }
        }
        let lowest = lanes.iter().chain(rest).fold(f64::INFINITY, |low, &x| if x < low { x } else { low });
        self.squares.iter().position(|&square| square == lowest).filter(|_| lowest < f64::INFINITY).map(|at| at as u16)
    }

    /// Removes the faces that the newest point sees, `first` among them, and joins it to their border. False if the border is
    /// not one closed line, or a new face has no area.
    pub fn replace_visible(&mut self, first: u16) -> bool {
        let Some(&newest) = self.points.last() else { return false };
        let apex = (self.points.len() - 1) as u8;
        let mut pending = ArrayVec::<HalfEdge, FACE_LIMIT>::new();
        let mut dead = ArrayVec::<u16, FACE_LIMIT>::new();
        let mut fan = Fan::default();
        let start = HalfEdge::new(first, 0);
        self.remove(start);
        dead.push(first);
        pending.extend([start.next().next(), start.next(), start]);
        while let Some(inner) = pending.pop() {
            let outer = self.links[inner.face()].across[inner.edge()];
            if self.links[outer.face()].state == State::Dead {
                continue;
            }
            if self.is_seen(outer.face(), newest) {
                self.remove(outer);
                let room = dead.try_push(outer.face() as u16).is_ok() && pending.remaining_capacity() >= 2;
                if !room {
                    return false;
                }
                pending.extend([outer.next().next(), outer.next()]);
            } else if !self.add_to_fan(&mut fan, inner, outer, apex) {
                return false;
            }
        }
        // Free slots only now: a new face must not take the place of one whose edges are still being walked.
        self.free.try_extend_from_slice(&dead).is_ok() && self.close_fan(&fan)
    }

    #[inline]
    fn remove(&mut self, of: HalfEdge) {
        self.links[of.face()].state = State::Dead;
        self.squares[of.face()] = f64::INFINITY;
    }

    /// The face of one edge of the border, beside the one made before.
    #[inline]
    fn add_to_fan(&mut self, fan: &mut Fan, inner: HalfEdge, outer: HalfEdge, apex: u8) -> bool {
        let vertices = self.links[inner.face()].vertices;
        let (from, to) = (vertices[inner.edge()], vertices[inner.next().edge()]);
        if fan.len > 0 && fan.end != from {
            return false;
        }
        let before = HalfEdge::new(fan.last, 1);
        let Some(face) = self.add_face([from, to, apex], [outer, HalfEdge::new(0, 0), before]) else {
            return false;
        };
        self.links[outer.face()].across[outer.edge()] = HalfEdge::new(face, 0);
        if fan.len == 0 {
            (fan.first, fan.start) = (face, from);
        } else {
            self.links[fan.last as usize].across[1] = HalfEdge::new(face, 2);
        }
        (fan.last, fan.end) = (face, to);
        fan.len += 1;
        true
    }

    fn close_fan(&mut self, fan: &Fan) -> bool {
        if fan.len < 3 || fan.start != fan.end {
            return false;
        }
        self.links[fan.last as usize].across[1] = HalfEdge::new(fan.first, 2);
        self.links[fan.first as usize].across[2] = HalfEdge::new(fan.last, 1);
        true
    }

    /// Whether a point is strictly above the face, exactly.
    #[inline]
    fn is_seen(&self, face: usize, apex: DVec3) -> bool {
        let Scaled { normal, offset } = self.planes[face];
        let height = normal.dot(apex) - offset;
        if height.abs() > self.doubt * normal.abs().element_sum() {
            return height > 0.0;
        }
        let [a, b, c] = self.links[face].vertices.map(|v| self.points[v as usize]);
        above(a, b, c, apex)
    }
}

/// The new faces around the newest vertex so far.
#[derive(Default)]
struct Fan {
    first: u16,
    last: u16,
    start: u8,
    end: u8,
    len: usize,
}

/// The vector and the square of its length, scaled if that would otherwise lose digits; nothing if it is zero.
#[inline]
fn in_range(v: DVec3) -> Option<(DVec3, f64)> {
    let square = v.length_squared();
    if square > SQUARES.start && square < SQUARES.end {
        return Some((v, square));
    }
    let largest = v.abs().max_element();
    let scaled = v / largest;
    (largest > 0.0 && v.is_finite()).then(|| (scaled, scaled.length_squared()))
}

/// Squares that lose nothing to underflow or overflow in f64.
const SQUARES: std::ops::Range<f64> = 1.0 / F64_SAFE..F64_SAFE;
