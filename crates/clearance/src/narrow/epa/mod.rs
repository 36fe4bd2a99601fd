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
mod surface;

use arrayvec::ArrayVec;

pub use self::surface::VERTEX_LIMIT;
use self::surface::{Plane, Surface};
use super::End;
use super::active;
use super::minkowski::{Minkowski, Vertex};
use super::polish::polish;
use super::simplex::{Simplex, normal_of};
use super::witness::{points_at, points_of_corners};
use crate::math::{Real, Vec3, length, narrow, narrow_real, unit_or, widen, widen_real};
use crate::support::{Support, VertexId};
use crate::tolerance::{COARSE_DEPTH_GAP, FLAT_SIGMAS, PLANE_ERROR, POLISHED_RESIDUAL, STALL_SIGMAS, SUPPORT_ERROR};

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

struct Epa<'m, 's, A, B> {
    m: &'m Minkowski<'s, A, B>,
    sigma: f64,
    /// Vertices there may be.
    limit: usize,
    vertices: ArrayVec<Vertex, VERTEX_LIMIT>,
    surface: Surface,
    upper: f64,
    upper_normal: Vec3,
    /// The simplex in which GJK found the origin.
    common: Simplex,
    /// The corners of the last answer, and how deep the place between them is that its points are looked for at.
    corners: ArrayVec<Vertex, 4>,
    place: f64,
    iterations: u32,
}

/// The depth of two cores that meet, from the simplex in which GJK found it out.
///
/// The bounds may stay apart by `relative_gap` of the depth: zero for flat-faced bodies, which end exactly.
pub fn depth<A: Support, B: Support>(
    m: &Minkowski<'_, A, B>,
    start: &Simplex,
    sigma: Real,
    relative_gap: Real,
) -> Depth {
    let mut epa = Epa::new(m, start, sigma);
    let sigma = epa.sigma;
    if let Err(flat) = epa.start(start) {
        return epa.flat(flat);
    }
    if !epa.surface.enclose() {
        // Only for want of range; the origin is in M, or within the error of it.
        let depth = epa.by_plane(0.0, None, End::Degenerate);
        return epa.with_points(depth);
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
    let polished = epa.on_pieces(&coarse).or_else(|| epa.polished(&coarse));
    polished.unwrap_or_else(|| {
        let fine = epa.resume(&coarse, relative_gap);
        epa.with_points(fine)
    })
}

/// [`depth`] by the expanding polytope and nothing else: no Newton steps, and points of the faces that
/// it has.
pub fn depth_alone<A: Support, B: Support>(
    m: &Minkowski<'_, A, B>,
    start: &Simplex,
    sigma: Real,
    relative_gap: Real,
) -> Depth {
    let mut epa = Epa::new(m, start, sigma);
    if let Err(flat) = epa.start(start) {
        return epa.flat(flat);
    }
    let depth = if epa.surface.enclose() {
        epa.expand(widen_real(relative_gap))
    } else {
        epa.by_plane(0.0, None, End::Degenerate)
    };
    epa.with_points_of_faces(depth)
}

impl<'m, 's, A: Support, B: Support> Epa<'m, 's, A, B> {
    fn new(m: &'m Minkowski<'s, A, B>, start: &Simplex, sigma: Real) -> Self {
        let sigma = widen_real(sigma);
        Self {
            m,
            sigma,
            limit: VERTEX_LIMIT,
            vertices: ArrayVec::new(),
            surface: Surface::new(sigma * (PLANE_ERROR / widen_real(SUPPORT_ERROR))),
            upper: f64::INFINITY,
            upper_normal: Vec3::X,
            common: *start,
            corners: ArrayVec::new(),
            place: 0.0,
            iterations: 0,
        }
    }

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

    fn expand(&mut self, relative_gap: f64) -> Depth {
        loop {
            let Some(face) = self.surface.lowest() else {
                // No face has a distance that is a number: nothing is known from below but that the bodies meet.
                return self.by_plane(0.0, None, End::Degenerate);
            };
            let Plane { normal, distance } = self.surface.plane(face);
            if distance > self.upper + widen_real(FLAT_SIGMAS) * self.sigma {
                // Beyond the best upper bound, rounding aside: this face cannot be the nearest of M.
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
            self.surface.points.push(widen(vertex.m));
            if !self.surface.replace_visible(face) {
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
            // Of its own plane; another direction may have been as good to what is asked, and said a little less.
            upper: depth,
            normal: polished.direction,
            points: [polished.vertex.a, polished.vertex.a + polished.vertex.m],
            iterations: self.iterations,
            end: End::Converged,
        })
    }

    /// The same where the bodies are made of known pieces.
    fn on_pieces(&mut self, coarse: &Depth) -> Option<Depth> {
        if coarse.end != End::Converged {
            return None;
        }
        let enough = POLISHED_RESIDUAL * coarse.upper.abs() + 4.0 * narrow_real(self.sigma);
        let found = active::polish(self.m, &self.corners, coarse.normal, enough, narrow_real(self.sigma))?;
        self.iterations += found.iterations;
        let depth = -found.bound;
        (depth <= coarse.upper + enough).then(|| Depth {
            depth,
            lower: coarse.lower.min(depth),
            upper: depth,
            normal: found.direction,
            points: found.points,
            iterations: self.iterations,
            end: End::Converged,
        })
    }

    /// Goes on from the coarse answer to a finer one, for so many supports as are worth it: where the depth is much the same in
    /// many directions, a digit more costs ten times as many. The coarse gap is what is promised.
    fn resume(&mut self, coarse: &Depth, relative_gap: f64) -> Depth {
        if coarse.end != End::Converged {
            return *coarse;
        }
        self.limit = (self.vertices.len() + REFINEMENTS).min(VERTEX_LIMIT);
        self.expand(relative_gap)
    }

    /// The answer from a face, given the height of the support beyond it; unless a plane seen on the way is lower.
    fn by_face(&mut self, face: u16, height: f64) -> Depth {
        let Plane { normal, distance } = self.surface.plane(face);
        if self.upper + widen_real(STALL_SIGMAS) * self.sigma < height {
            return self.by_plane(distance, Some(face), End::Converged);
        }
        let corners = self.surface.corners(face).map(|v| self.vertices[v]);
        // Moved by the height of the support, and no less, the bodies are apart; on a flat face both are the same to rounding.
        let depth = if height - distance > self.sigma { height } else { distance };
        let answer = self.answer(-narrow(normal), depth, distance, End::Converged, &corners);
        // The face is a part of M, what is above it need not be.
        self.place = distance;
        answer
    }

    /// The answer from the lowest supporting plane seen, with a lower bound from the nearest face, whose corners help to find
    /// the points.
    fn by_plane(&mut self, lower: f64, face: Option<u16>, end: End) -> Depth {
        let outward = self.upper_normal;
        let vertex = self.farthest(outward);
        let mut corners: ArrayVec<Vertex, 4> = ArrayVec::new();
        if let Some(face) = face {
            corners.extend(self.surface.corners(face).map(|v| self.vertices[v]));
        }
        corners.push(vertex);
        self.answer(-outward, widen(outward).dot(widen(vertex.m)), lower, end, &corners)
    }

    fn answer(&mut self, normal: Vec3, depth: f64, lower: f64, end: End, corners: &[Vertex]) -> Depth {
        self.corners = corners.iter().copied().collect();
        self.place = depth;
        let (lower, upper) = (lower.min(depth), self.upper.max(depth));
        let stated = widen_real(STALL_SIGMAS) * self.sigma + widen_real(COARSE_DEPTH_GAP) * upper.abs();
        let end = if upper - lower <= stated { End::Converged } else { end };
        let [depth, lower, upper] = [depth, lower, upper].map(narrow_real);
        Depth { depth, lower, upper, normal, points: [Vec3::ZERO; 2], iterations: self.iterations, end }
    }

    /// The answer with points of its corners. Where several triangles make up a face of M, that of them which has the deepest point.
    fn with_points_of_faces(&self, depth: Depth) -> Depth {
        let (sigma, target) = (narrow_real(self.sigma), depth.normal * -narrow_real(self.place));
        let mut best = points_of_corners(sigma, target, &self.corners);
        if best.1 > STALL_SIGMAS * sigma {
            for face in self.surface.up_to(widen_real(depth.upper) + widen_real(STALL_SIGMAS) * self.sigma) {
                let corners = self.surface.corners(face).map(|v| self.vertices[v]);
                let found = points_of_corners(sigma, target, &corners);
                if found.1 < best.1 {
                    best = found;
                }
            }
        }
        Depth { points: best.0, ..depth }
    }

    /// The answer with its points, which are not looked for before it is final.
    fn with_points(&self, depth: Depth) -> Depth {
        let target = depth.normal * -narrow_real(self.place);
        let points = points_at(self.m, narrow_real(self.sigma), target, &self.corners, &self.common);
        Depth { points, ..depth }
    }
}
