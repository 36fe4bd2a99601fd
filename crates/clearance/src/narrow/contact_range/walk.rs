//! From face to face of A − B, for two polytopes: the walk that erratum 1 asks for.
//!
//! The paper's searches stop at a face that need not be the one the line leaves through; from any face, or any vertex, this walk
//! goes on across the edge that the line is beyond until a face contains it. Faces of A − B are found one at a time, by turning
//! the normal until the next vertex comes into the plane: a neighbour of the vertices of A or of B at hand (a corner of an arc on
//! the Gaussian sphere, or the crossing of two). So a step costs as many products as these vertices have neighbours, and no
//! search for supports.
//!
//! In the terms of `portal` it is the simplex method on the convex function `h(n)` over the plane `n·d = 1`, with neighbours in
//! place of all vertices: first down from one vertex to an edge, then along edges from corner to corner of its graph.
//!
//! It ends: the function never grows, lines through edges and corners are taken to be inside by a fraction of the error, and the
//! number of steps is limited. It only proposes; `portal` certifies what it found by a support, and takes over if it found nothing.

use glam::{DMat3, DVec3};

use super::answer::FacesVisited;
use super::line::{Line, Seen, across, places, unit};
use crate::math::{Vec3, widen};
use crate::narrow::simplex::normal_of;
use crate::polytope::Polytope;
use crate::shape::Core;
use crate::support::VertexId;

/// Steps that a walk may take; from a good start it takes fewer than ten.
const STEP_LIMIT: u32 = 64;

/// The two polytopes and the line.
pub(super) struct Walk<'l, 'a> {
    line: &'l Line<'a>,
    a: &'a Polytope,
    b: &'a Polytope,
    /// From the line's frame to those of A and of −B.
    frames: [DMat3; 2],
    inside: DVec3,
    /// Faces looked at.
    pub visited: FacesVisited,
}

/// The way of a normal: from `at`, `along`.
struct Turn {
    at: DVec3,
    along: DVec3,
}

/// The next vertex that comes into the plane.
#[derive(Clone, Copy)]
struct Next {
    ids: [u32; 2],
    /// Its height above the plane, not above zero, over the speed at which it rises.
    height: f64,
}

impl<'l, 'a> Walk<'l, 'a> {
    /// Nothing unless both bodies are sharp polytopes.
    pub fn new(line: &'l Line<'a>, inside: DVec3) -> Option<Self> {
        let (Core::Polytope(a), Core::Polytope(b)) = (line.m.a, line.m.b) else { return None };
        if line.radii[0] + line.radii[1] > 0.0 {
            return None;
        }
        let r = line.m.rotation;
        let rotation = DMat3::from_cols(widen(r.x_axis), widen(r.y_axis), widen(r.z_axis));
        let frames = [line.frame, -(rotation.transpose() * line.frame)];
        Some(Self { line, a, b, frames, inside, visited: FacesVisited::default() })
    }

    /// The corners of the part of a face that the line leaves through, from a vertex that is the farthest along its normal.
    pub fn start_at(&mut self, start: &Seen) -> Option<[Seen; 3]> {
        // Down the slope of the function until it rises again: there two vertices are in the plane. The normal turns one way, so
        // that the next neighbour of the body whose vertex stays is the same as before.
        let slope = (start.at - self.inside).with_z(0.0);
        let at = start.normal / start.normal.z;
        let ways = self.frames.map(|frame| (frame * at, frame * -slope));
        let bodies = [self.a, self.b];
        let mut here = *start;
        let mut ids = here.ids.map(|id| id.0);
        let mut coming = [0, 1].map(|body: usize| comes(bodies[body], ids[body], &ways[body], u32::MAX, 0.0));
        for _ in 0..STEP_LIMIT {
            let body = usize::from(coming[1].1 > coming[0].1);
            let (near, height) = coming[body];
            if height == f64::NEG_INFINITY {
                return None;
            }
            ids[body] = near;
            let there = self.seen(ids)?;
            if slope.dot(there.at - self.inside) <= 0.0 {
                return self.follow_edges([here, there], at + slope * height);
            }
            here = there;
            coming[body] = comes(bodies[body], near, &ways[body], u32::MAX, height);
        }
        None
    }

    /// The same from two vertices of an edge and a normal at which both are the farthest.
    fn follow_edges(&mut self, mut edge: [Seen; 2], mut at: DVec3) -> Option<[Seen; 3]> {
        let across_edge = |edge: &[Seen; 2]| {
            let e = edge[1].at - edge[0].at;
            DVec3::new(-e.y, e.x, 0.0)
        };
        let mut along = across_edge(&edge);
        if along.dot(edge[0].at - self.inside) > 0.0 {
            along = -along;
        }
        for _ in 0..STEP_LIMIT {
            let next = self.next(&edge, &Turn { at, along })?;
            let third = self.seen(next.ids)?;
            let corners = in_order([edge[0], edge[1], third]);
            self.count(&corners);
            let Some(beyond) = self.beyond(&corners)? else { return Some(corners) };
            let [from, to, opposite] = [&corners[(beyond + 1) % 3], &corners[(beyond + 2) % 3], &corners[beyond]];
            let [a, b, c] = places(&corners, DVec3::ZERO);
            let normal = unit(normal_of(a, b, c)).filter(|normal| normal.z > f64::EPSILON)?;
            at = normal / normal.z;
            let away = opposite.at - from.at;
            edge = [*from, *to];
            along = across_edge(&edge);
            if along.dot(away) > 0.0 {
                along = -along;
            }
        }
        None
    }

    /// The corner opposite to the side that the line is farthest beyond; no corner if it is inside, nothing at all if the
    /// triangle, seen along the line, has no area.
    fn beyond(&self, corners: &[Seen; 3]) -> Option<Option<usize>> {
        let [a, b, c] = places(corners, self.inside);
        let areas = [across(b, c), across(c, a), across(a, b)];
        if !(areas.iter().sum::<f64>() > 0.0) {
            return None;
        }
        let least = if areas[1] < areas[0] { 1 } else { 0 };
        let least = if areas[2] < areas[least] { 2 } else { least };
        Some((areas[least] < 0.0).then_some(least))
    }

    /// The first neighbour of the vertices in the plane that comes into it when the normal turns.
    fn next(&self, vertices: &[Seen], turn: &Turn) -> Option<Next> {
        let mut best = Next { ids: [0; 2], height: f64::NEG_INFINITY };
        let [of_a, of_b] = self.frames.map(|frame| (frame * turn.at, frame * turn.along));
        for (i, vertex) in vertices.iter().enumerate() {
            let ids = vertex.ids.map(|id| id.0);
            let other = vertices.get(1 - i).map_or([u32::MAX; 2], |other| other.ids.map(|id| id.0));
            // Of a vertex that both have, once is enough. The other end of the edge stays in the plane; by rounding it may seem
            // to come.
            if i == 0 || other[0] != ids[0] {
                let along_edge = if other[1] == ids[1] { other[0] } else { u32::MAX };
                let (near, height) = comes(self.a, ids[0], &of_a, along_edge, 0.0);
                if height > best.height {
                    best = Next { ids: [near, ids[1]], height };
                }
            }
            if i == 0 || other[1] != ids[1] {
                let along_edge = if other[0] == ids[0] { other[1] } else { u32::MAX };
                let (near, height) = comes(self.b, ids[1], &of_b, along_edge, 0.0);
                if height > best.height {
                    best = Next { ids: [ids[0], near], height };
                }
            }
        }
        (best.height > f64::NEG_INFINITY).then_some(best)
    }

    fn seen(&self, ids: [u32; 2]) -> Option<Seen> {
        self.line.vertex(ids.map(VertexId), DVec3::ZERO)
    }

    fn count(&mut self, corners: &[Seen; 3]) {
        let distinct = |body: usize| {
            let [a, b, c] = corners.map(|corner| corner.ids[body]);
            1 + u32::from(b != a) + u32::from(c != a && c != b)
        };
        match (distinct(0), distinct(1)) {
            (_, 1) => self.visited.face_vertex += 1,
            (1, _) => self.visited.vertex_face += 1,
            _ => self.visited.edge_edge += 1,
        }
    }
}

/// The neighbour of a vertex, but for one, that comes into the plane first, and its height above the plane over the speed at
/// which it rises: minus the way of the normal until then, and not above `latest`; minus infinity if none comes. The normal and
/// its change are given in the frame of the polytope. Without branches: which neighbours rise is as good as random.
#[inline]
fn comes(polytope: &Polytope, vertex: u32, (normal, change): &(DVec3, DVec3), but: u32, latest: f64) -> (u32, f64) {
    let points: &[Vec3] = polytope.vertices();
    let here = widen(points[vertex as usize]);
    let mut best = (0, f64::NEG_INFINITY);
    for &near in polytope.neighbours(vertex) {
        let edge = widen(points[near as usize]) - here;
        let rate = change.dot(edge);
        let height = (normal.dot(edge) / rate).min(latest);
        let height = if (rate > 0.0) & (near != but) { height } else { f64::NEG_INFINITY };
        let first = height > best.1;
        best.0 = if first { near } else { best.0 };
        best.1 = if first { height } else { best.1 };
    }
    best
}

/// Counter-clockwise, seen against the line.
fn in_order([a, b, c]: [Seen; 3]) -> [Seen; 3] {
    if across(b.at - a.at, c.at - a.at) < 0.0 { [a, c, b] } else { [a, b, c] }
}
