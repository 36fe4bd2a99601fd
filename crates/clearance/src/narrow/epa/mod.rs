//! Expanding polytope: how deep two bodies overlap (implicit-objects thesis, section 2.5, erratum 5).
//!
//! A polytope inside M = B − A grows from a simplex of GJK. Its face nearest to the origin bounds the depth from below, the
//! supporting plane beyond that face from above; the face is expanded until the two agree. For two polytopes the last face
//! lies on a face of M and the depth is exact.
//!
//! Departures. Faces are kept by their *signed* distance from the origin and the lowest is expanded, so the start need not
//! contain the origin: the thesis's cases of a point, a segment and a triangle become one, "add supports along what is
//! missing until it is a tetrahedron". If M has no extent in a direction, the bodies touch there and that direction is the
//! answer. The silhouette is found with an explicit stack, and by exact predicates: the vertices are taken as exact, so the
//! surface is always that of a convex body. A vertex is off by the error of a support, and so is that body, but no more.
//!
//! It ends: a face is expanded only if its support lies beyond it by more than the error, so each step adds a new vertex; at
//! most `VERTEX_LIMIT` of them. Whatever ends it, the best supporting plane found is an upper bound and the nearest face a
//! lower one, and both are returned. Nothing is allocated.

mod start;

use arrayvec::ArrayVec;
use glam::DVec3;

use super::End;
use super::heap::Heap;
use super::minkowski::{Minkowski, Vertex};
use super::polish::{Flat, polish, polish_on_edges};
use super::simplex::{Simplex, normal_of};
use super::witness::points_at;
use crate::math::predicates::above;
use crate::math::{Real, Vec3, length, narrow, narrow_real, unit_or, widen, widen_real};
use crate::support::{Support, VertexId};
use crate::tolerance::{
    COARSE_DEPTH_GAP, F64_SAFE, FLAT_SIGMAS, PLANE_ERROR, POLISHED_RESIDUAL, STALL_SIGMAS, SUPPORT_ERROR,
};

/// Vertices the polytope may have.
pub const VERTEX_LIMIT: usize = 192;
const FACE_LIMIT: usize = 2 * VERTEX_LIMIT;
/// Supports spent on more digits than are promised, where the surface is not smooth.
const REFINEMENTS: usize = 32;

/// The depth of the cores, in the frame of A.
#[derive(Debug, Clone, Copy)]
pub struct Depth {
    /// How deep: the distance from the origin to the face of M that was found. Negative if the origin turned out outside.
    pub depth: Real,
    /// A lower bound up to the error.
    pub lower: Real,
    /// An upper bound up to the error.
    pub upper: Real,
    /// The direction in which B has to move, of unit length.
    pub normal: Vec3,
    /// The deepest points, of A and of B.
    pub points: [Vec3; 2],
    /// Supports evaluated.
    pub iterations: u32,
    /// How it ended.
    pub end: End,
}

/// Planes are kept in f64 whatever the build's precision: see `narrow::simplex`.
#[derive(Debug, Clone, Copy)]
struct Face {
    vertices: [u16; 3],
    /// `adjacent[i]` lies across the edge from `vertices[i]` to the next.
    adjacent: [u16; 3],
    normal: DVec3,
    distance: f64,
    alive: bool,
    visited: u16,
}

#[derive(Debug, Clone, Copy)]
struct HorizonEdge {
    from: u16,
    to: u16,
    beyond: u16,
}

struct Epa<'m, 's, A, B> {
    m: &'m Minkowski<'s, A, B>,
    sigma: f64,
    /// Beyond this a plane's side is certain in plain arithmetic.
    doubt: f64,
    /// Vertices there may be.
    limit: usize,
    vertices: ArrayVec<Vertex, VERTEX_LIMIT>,
    faces: ArrayVec<Face, FACE_LIMIT>,
    free: ArrayVec<u16, FACE_LIMIT>,
    heap: Heap<FACE_LIMIT>,
    visible: ArrayVec<u16, FACE_LIMIT>,
    horizon: ArrayVec<HorizonEdge, FACE_LIMIT>,
    stamp: u16,
    upper: f64,
    upper_normal: Vec3,
    /// The simplex in which GJK found the origin.
    common: Simplex,
    /// The corners of the last answer.
    corners: ArrayVec<Vertex, 4>,
    iterations: u32,
}

/// The depth of two cores that meet, from the simplex in which GJK found it out.
///
/// The bounds may stay apart by `relative_gap` of the depth: zero for flat-faced bodies, which end exactly. `only_flat` says
/// which of the two has flat faces only, if the other has not.
pub fn depth<A: Support, B: Support>(
    m: &Minkowski<'_, A, B>,
    start: &Simplex,
    sigma: Real,
    relative_gap: Real,
    only_flat: Option<Flat>,
) -> Depth {
    let sigma = widen_real(sigma);
    let mut epa = Epa {
        m,
        sigma,
        doubt: sigma * (PLANE_ERROR / widen_real(SUPPORT_ERROR)),
        limit: VERTEX_LIMIT,
        vertices: ArrayVec::new(),
        faces: ArrayVec::new(),
        free: ArrayVec::new(),
        heap: Heap::new(),
        visible: ArrayVec::new(),
        horizon: ArrayVec::new(),
        stamp: 0,
        upper: f64::INFINITY,
        upper_normal: Vec3::X,
        common: *start,
        corners: ArrayVec::new(),
        iterations: 0,
    };
    if let Err(flat) = epa.start(start) {
        return epa.flat(flat);
    }
    let relative_gap = widen_real(relative_gap);
    if relative_gap == 0.0 {
        let depth = epa.expand(0.0);
        return epa.with_points(depth);
    }
    let coarse = epa.expand(widen_real(COARSE_DEPTH_GAP));
    if widen_real(coarse.upper - coarse.lower) <= sigma {
        // A flat face of M, even of curved bodies: there is nothing to add.
        return epa.with_points(coarse);
    }
    let polished = epa.polished(&coarse).or_else(|| epa.polished_on_edges(&coarse, only_flat?));
    polished.unwrap_or_else(|| {
        let fine = epa.resume(&coarse, relative_gap);
        epa.with_points(fine)
    })
}

impl<A: Support, B: Support> Epa<'_, '_, A, B> {
    /// The point of M farthest along `d`.
    fn farthest(&mut self, d: Vec3) -> Vertex {
        self.iterations += 1;
        let hints = self.vertices.last().map_or([VertexId::NONE; 2], |vertex| vertex.ids);
        let vertex = self.m.lowest(-d, hints);
        let height = widen(d).dot(widen(vertex.m));
        if height < self.upper {
            (self.upper, self.upper_normal) = (height, d);
        }
        vertex
    }

    fn add_face(&mut self, vertices: [u16; 3]) -> Option<u16> {
        let [a, b, c] = vertices.map(|v| widen(self.vertices[v as usize].m));
        let normal = unit(normal_of(a, b, c))?;
        let distance = normal.dot(a);
        let face = Face { vertices, adjacent: [0; 3], normal, distance, alive: true, visited: 0 };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.faces[slot as usize] = face;
                slot
            }
            None if self.faces.is_full() => return None,
            None => {
                self.faces.push(face);
                self.faces.len() as u16 - 1
            }
        };
        // A face beyond the best upper bound, rounding aside, can never be the nearest.
        if distance <= self.upper + widen_real(FLAT_SIGMAS) * self.sigma {
            self.push_heap(distance, slot);
        }
        Some(slot)
    }

    fn expand(&mut self, relative_gap: f64) -> Depth {
        loop {
            let Some(face) = self.pop_lowest() else {
                return self.by_plane(self.upper, None, End::Converged);
            };
            let Face { normal, distance, .. } = self.faces[face as usize];
            if distance > self.upper + widen_real(FLAT_SIGMAS) * self.sigma {
                return self.by_plane(distance, Some(face), End::Converged);
            }
            let vertex = self.farthest(narrow(normal));
            let height = normal.dot(widen(vertex.m));
            if !(height - distance > relative_gap * height.abs() + self.sigma) {
                return self.by_face(face, height);
            }
            if !(self.upper - distance > relative_gap * self.upper) {
                return self.by_plane(distance, Some(face), End::Converged);
            }
            if self.vertices.len() >= self.limit {
                return self.by_plane(distance, Some(face), End::IterationLimit);
            }
            self.vertices.push(vertex);
            if !self.replace_visible(face) {
                return self.by_plane(distance, None, End::Degenerate);
            }
        }
    }

    /// Newton's answer from the coarse one, where the surface is smooth: all digits of the depth, with the polytope's lower bound.
    fn polished(&mut self, coarse: &Depth) -> Option<Depth> {
        if coarse.end != End::Converged {
            return None;
        }
        let enough = narrow_real(self.sigma);
        let polished = polish(self.m, coarse.normal, enough);
        self.iterations += polished.iterations;
        let depth = -polished.bound;
        let smooth = polished.residual <= POLISHED_RESIDUAL * depth.abs() + 4.0 * enough;
        (smooth && depth <= coarse.upper + enough).then(|| Depth {
            depth,
            lower: coarse.lower.min(depth),
            upper: coarse.upper.min(depth),
            normal: polished.direction,
            points: [polished.vertex.a, polished.vertex.a - polished.direction * depth],
            iterations: self.iterations,
            end: End::Converged,
        })
    }

    /// The same where an edge or a face of the flat-faced body is deepest in the other.
    fn polished_on_edges(&mut self, coarse: &Depth, flat: Flat) -> Option<Depth> {
        let enough = POLISHED_RESIDUAL * coarse.upper.abs() + 4.0 * narrow_real(self.sigma);
        let found = polish_on_edges(self.m, &self.corners, flat, coarse.normal, enough)?;
        self.iterations += found.iterations;
        let depth = -found.bound;
        (coarse.end == End::Converged && depth <= coarse.upper + enough).then(|| Depth {
            depth,
            lower: coarse.lower.min(depth),
            upper: coarse.upper.min(depth),
            normal: found.direction,
            points: found.points,
            iterations: self.iterations,
            end: End::Converged,
        })
    }

    /// Goes on from the coarse answer to a finer one, for so many supports as are worth it: where the depth is much the same in
    /// many directions, a digit more costs ten times as many. The coarse gap is what is promised. The heap is made anew: the
    /// face that ended the coarse run was taken off it.
    fn resume(&mut self, coarse: &Depth, relative_gap: f64) -> Depth {
        if coarse.end != End::Converged {
            return *coarse;
        }
        self.heap.clear();
        for face in 0..self.faces.len() {
            let Face { distance, alive, .. } = self.faces[face];
            if alive && distance <= self.upper {
                self.push_heap(distance, face as u16);
            }
        }
        self.limit = (self.vertices.len() + REFINEMENTS).min(VERTEX_LIMIT);
        self.expand(relative_gap)
    }

    /// Removes the faces that the newest vertex sees and joins it to their border. False if the border is not one closed
    /// line, or a new face has no area.
    fn replace_visible(&mut self, first: u16) -> bool {
        let apex = self.vertices.len() as u16 - 1;
        self.find_horizon(first);
        let mut created = ArrayVec::<u16, FACE_LIMIT>::new();
        for i in 0..self.visible.len() {
            self.faces[self.visible[i] as usize].alive = false;
        }
        for i in 0..self.horizon.len() {
            let HorizonEdge { from, to, beyond } = self.horizon[i];
            let Some(face) = self.add_face([from, to, apex]) else {
                return false;
            };
            created.push(face);
            self.faces[face as usize].adjacent[0] = beyond;
            let neighbour = &mut self.faces[beyond as usize];
            let Some(edge) = neighbour.vertices.iter().position(|&v| v == to) else {
                return false;
            };
            neighbour.adjacent[edge] = face;
        }
        for i in 0..created.len() {
            let to = self.horizon[i].to;
            let Some(next) = self.horizon.iter().position(|edge| edge.from == to) else {
                return false;
            };
            self.faces[created[i] as usize].adjacent[1] = created[next];
            self.faces[created[next] as usize].adjacent[2] = created[i];
        }
        // Free slots only now: a new face must not take the place of one whose neighbours are still being joined.
        for i in 0..self.visible.len() {
            let slot = self.visible[i];
            if self.free.try_push(slot).is_err() {
                return false;
            }
        }
        created.len() >= 3
    }

    fn find_horizon(&mut self, first: u16) {
        self.stamp += 1;
        self.visible.clear();
        self.horizon.clear();
        self.visible.push(first);
        self.faces[first as usize].visited = self.stamp;
        let mut next = 0;
        while next < self.visible.len() {
            let Face { vertices, adjacent, .. } = self.faces[self.visible[next] as usize];
            next += 1;
            for edge in 0..3 {
                let beyond = adjacent[edge];
                if self.faces[beyond as usize].visited == self.stamp {
                    continue;
                }
                if self.newest_sees(beyond) {
                    self.faces[beyond as usize].visited = self.stamp;
                    self.visible.push(beyond);
                } else if !self.horizon.is_full() {
                    self.horizon.push(HorizonEdge { from: vertices[edge], to: vertices[(edge + 1) % 3], beyond });
                }
            }
        }
    }

    /// Whether the newest vertex is strictly above the face, exactly: as in the hull builder, the horizon is then one closed
    /// line whatever the points.
    fn newest_sees(&self, face: u16) -> bool {
        let Face { normal, distance, vertices, .. } = self.faces[face as usize];
        let apex = widen(self.vertices[self.vertices.len() - 1].m);
        let height = normal.dot(apex) - distance;
        if height.abs() > self.doubt {
            return height > 0.0;
        }
        let [a, b, c] = vertices.map(|v| widen(self.vertices[v as usize].m));
        above(a, b, c, apex)
    }

    /// The answer from a face, given the height of the support beyond it; unless a plane seen on the way is lower.
    fn by_face(&mut self, face: u16, height: f64) -> Depth {
        let Face { normal, vertices, distance, .. } = self.faces[face as usize];
        if self.upper + widen_real(STALL_SIGMAS) * self.sigma < height {
            return self.by_plane(distance, Some(face), End::Converged);
        }
        let corners = vertices.map(|v| self.vertices[v as usize]);
        self.answer(-narrow(normal), distance, distance, End::Converged, &corners)
    }

    /// The answer from the lowest supporting plane seen, with a lower bound from the nearest face, whose corners help to find
    /// the points.
    fn by_plane(&mut self, lower: f64, face: Option<u16>, end: End) -> Depth {
        let outward = self.upper_normal;
        let vertex = self.farthest(outward);
        let mut corners: ArrayVec<Vertex, 4> = ArrayVec::new();
        if let Some(face) = face {
            corners.extend(self.faces[face as usize].vertices.map(|v| self.vertices[v as usize]));
        }
        corners.push(vertex);
        self.answer(-outward, widen(outward).dot(widen(vertex.m)), lower, end, &corners)
    }

    fn answer(&mut self, normal: Vec3, depth: f64, lower: f64, end: End, corners: &[Vertex]) -> Depth {
        self.corners = corners.iter().copied().collect();
        let (lower, upper) = (lower.min(depth), self.upper.max(depth));
        let stated = widen_real(STALL_SIGMAS) * self.sigma + widen_real(COARSE_DEPTH_GAP) * upper.abs();
        let end = if upper - lower <= stated { End::Converged } else { end };
        let [depth, lower, upper] = [depth, lower, upper].map(narrow_real);
        Depth { depth, lower, upper, normal, points: [Vec3::ZERO; 2], iterations: self.iterations, end }
    }

    /// The answer with its points, which are not looked for before it is final.
    fn with_points(&self, depth: Depth) -> Depth {
        let target = depth.normal * -depth.depth;
        let points = points_at(self.m, narrow_real(self.sigma), target, &self.corners, &self.common);
        Depth { points, ..depth }
    }

    fn push_heap(&mut self, key: f64, face: u16) {
        if self.heap.is_full() {
            let faces = &self.faces;
            self.heap.retain(|key, face| is_current(faces, key, face));
        }
        self.heap.push(key, face);
    }

    /// The live face with the smallest distance.
    fn pop_lowest(&mut self) -> Option<u16> {
        while let Some((key, face)) = self.heap.pop() {
            if is_current(&self.faces, key, face) {
                return Some(face);
            }
        }
        None
    }
}

/// Whether a heap entry still means the face in its slot.
fn is_current(faces: &[Face], key: f64, face: u16) -> bool {
    let face = &faces[face as usize];
    face.alive && face.distance == key
}

/// The vector at length one; nothing if it is zero. Areas of tiny and huge bodies are scaled before they are squared.
#[inline]
fn unit(v: DVec3) -> Option<DVec3> {
    let square = v.length_squared();
    if square > SQUARES.start && square < SQUARES.end {
        return Some(v * (1.0 / square.sqrt()));
    }
    let largest = v.abs().max_element();
    (largest > 0.0 && v.is_finite()).then(|| (v / largest).normalize())
}

/// Squares that lose nothing to underflow or overflow in f64.
const SQUARES: std::ops::Range<f64> = 1.0 / F64_SAFE..F64_SAFE;
