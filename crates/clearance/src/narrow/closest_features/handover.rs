//! Where marching ends without an answer: GJK for the distance, the expanding polytope for the depth, and the features that
//! their last simplex stands on.

use glam::DVec3;

use super::feature::PolytopeFeature;
use super::{Found, Pair};
use crate::answer::Closest;
use crate::math::{Real, length, narrow, narrow_real, widen};
use crate::narrow::End;
use crate::narrow::epa;
use crate::narrow::gjk::{self, Gjk, Goal, Start, State, SubAlgorithm};
use crate::narrow::simplex::Simplex;
use crate::narrow::witness::aligned;
use crate::polytope::{HalfEdge, Polytope};
use crate::support::VertexId;
use crate::tolerance::{NEAR, STALL_SIGMAS};

impl Pair<'_> {
    /// The signed distance by GJK and the expanding polytope, in the frame of A, with the features it stands on.
    pub(super) fn hand_over(&self, start: Start) -> (Closest, Found, [PolytopeFeature; 2]) {
        let sub_algorithm = SubAlgorithm::Regions;
        let goal = Goal { boolean: false, margin: 0.0, sigma: self.sigma, relative_gap: 0.0, sub_algorithm };
        let gjk = gjk::run(&self.m, &start, &[], &goal);
        let features = self.features_of(&gjk.simplex);
        if gjk.state == State::Meeting {
            return (self.depth(&gjk), Found::Depth, features);
        }
        let apart = self.apart(&gjk);
        if apart.end != End::Converged && gjk.upper() <= NEAR * self.size {
            // So near that the direction of GJK's vector is noise: the directions of faces are not.
            let by_faces = self.depth(&gjk);
            if by_faces.upper - by_faces.lower < apart.upper - apart.lower {
                let found = if by_faces.distance > self.sigma { Found::Gjk } else { Found::Depth };
                return (by_faces, found, features);
            }
        }
        (apart, Found::Gjk, features)
    }

    fn apart(&self, gjk: &Gjk) -> Closest {
        let mut normal = gjk.nearest.normalize_or(DVec3::X);
        let mut distance = gjk.nearest.length();
        if let Some(face) = gjk.simplex.triangle_normal() {
            let face = face.normalize_or(normal);
            normal = if face.dot(normal) < 0.0 { -face } else { face };
            distance = normal.dot(widen(gjk.simplex.vertices()[0].m));
        }
        let mut simplex = gjk.simplex;
        simplex.refine(normal * distance);
        let (points, normal, distance) = (simplex.points(), narrow(normal), narrow_real(distance));
        let upper = gjk.upper().max(length(points[1] - points[0]));
        let lower = gjk.plane.bound.max(normal.dot(self.m.lowest(normal, gjk.hints).m));
        let close = upper - lower <= STALL_SIGMAS * self.sigma;
        Closest {
            distance,
            lower: lower.min(distance) - self.sigma,
            upper: upper.max(distance) + self.sigma,
            points: aligned(points, normal * distance),
            normal,
            end: if close { End::Converged } else { gjk.end },
            iterations: gjk.iterations + 1,
            ..Closest::UNKNOWN
        }
    }

    fn depth(&self, gjk: &Gjk) -> Closest {
        let depth = epa::depth(&self.m, &gjk.simplex, self.sigma, 0.0);
        let [on_a, on_b] = gjk.simplex.points();
        let upper: Real = (-depth.lower).min(gjk.upper().max(length(on_b - on_a))).max(-depth.depth);
        let close = upper + depth.upper <= STALL_SIGMAS * self.sigma;
        Closest {
            distance: -depth.depth,
            lower: -depth.upper - self.sigma,
            upper: upper + self.sigma,
            points: aligned(depth.points, depth.normal * -depth.depth),
            normal: depth.normal,
            end: if close { End::Converged } else { depth.end },
            iterations: gjk.iterations + depth.iterations,
            ..Closest::UNKNOWN
        }
    }

    /// The smallest features that hold the corners of a simplex.
    fn features_of(&self, simplex: &Simplex) -> [PolytopeFeature; 2] {
        let corners = |body: usize| simplex.vertices().iter().map(move |vertex| vertex.ids[body]);
        [feature_of(self.m.a, corners(0)), feature_of(self.m.b, corners(1))]
    }
}

/// The smallest feature that holds all these vertices; one of them if none does.
fn feature_of(polytope: &Polytope, vertices: impl Iterator<Item = VertexId> + Clone) -> PolytopeFeature {
    let first = vertices.clone().next().map_or(0, |id| id.0);
    let Some(second) = vertices.clone().map(|id| id.0).find(|&id| id != first) else {
        return PolytopeFeature::Vertex(first);
    };
    let all_of = |holds: &dyn Fn(u32) -> bool| vertices.clone().all(|id| holds(id.0));
    let half_edges = polytope.half_edges();
    let mut half_edge = polytope.vertex_half_edge(first);
    let mut found = PolytopeFeature::Vertex(first);
    for _ in polytope.neighbours(first) {
        let HalfEdge { twin, face, .. } = half_edges[half_edge as usize];
        if half_edges[twin as usize].origin == second && all_of(&|id| id == first || id == second) {
            return PolytopeFeature::Edge(half_edge);
        }
        if all_of(&|id| polytope.face_vertices(face).any(|corner| corner == id)) {
            found = PolytopeFeature::Face(face);
        }
        half_edge = polytope.next(twin);
    }
    found
}
