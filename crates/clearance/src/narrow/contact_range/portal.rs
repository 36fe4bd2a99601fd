//! Where a line leaves a convex body known by its supports: a triangle of its points around the line, pushed out until its plane
//! supports the body.
//!
//! The function `h(n)/(n·d)` over all normals is the largest parameter at which a plane lets the line through, and its minimum is
//! the end of the range: the maximum of the paper's signed distance, with which it differs by a monotone map (equation (1)
//! and what follows it). With `n·d = 1` it is convex in two unknowns; the triangle is the basis of a simplex method for it, its
//! plane the trial normal and the support along it the point that enters. Every plane bounds the end from outside, and the
//! triangle, a part of the body, bounds it from inside. For flat-faced bodies the last triangle lies in a face and contains the
//! point where the line meets it: the certificate that erratum 1 asks for.
//!
//! Two polytopes have a shorter way: a guess at the normal, interpolated between those that the corners of the outline were found
//! along, and from there a walk over faces. What it finds is certified here, by one support. Where the surface is smooth, Newton's
//! method on the normal supplies the last digits.
//!
//! Lines through edges and corners leave a choice of triangles. It is made as if the line were a fraction of the error farther
//! inside, always the same way, as one does against cycles in linear programming; the end is evaluated on the line itself.
//!
//! It ends: each support is above the plane by more than the error, or it is the last; and the number of supports is limited.

use glam::DVec3;

use super::answer::FacesVisited;
use super::line::{Line, Outline, Seen, across, places, unit};
use super::walk::Walk;
use crate::math::widen;
use crate::narrow::End;
use crate::narrow::simplex::normal_of;
use crate::support::VertexId;
use crate::tolerance::RANGE_THIN;

/// Supports that the search for one end may take. Polytopes of 10,000 vertices take about 20, curved bodies in f64 about 50.
const SUPPORT_LIMIT: u32 = 200;

/// Supports between two tries of Newton's method, and steps of one.
const NEWTON_EVERY: u32 = 6;
const NEWTON_STEPS: u32 = 8;

/// Normals guessed before a walk over faces starts.
const GUESSES: u32 = 2;

/// One end of a line inside the difference, seen along the line; the end towards z.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exit {
    /// The triangle that the line leaves through.
    pub corners: [Seen; 3],
    /// What the point where it does is made of.
    pub weights: [f64; 3],
    /// The unit normal of the plane that the end is known from.
    pub normal: DVec3,
    /// Where the line leaves.
    pub height: f64,
    /// It does so no earlier, if the line meets the body at all.
    pub inner: f64,
    /// And no later.
    pub outer: f64,
    /// How the search ended.
    pub end: End,
    /// Supports evaluated.
    pub supports: u32,
    /// Faces looked at on the way, if both bodies are polytopes.
    pub visited: FacesVisited,
}

/// When a search may stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    /// How far the support may be above the plane, absolute.
    pub gap: f64,
    /// The end does not matter once it is known to be below this.
    pub enough: f64,
    /// Whether the difference may have curved parts, where Newton's method finds the end.
    pub smooth: bool,
}

/// Finds the end towards z.
pub(super) fn exit(line: &Line<'_>, outline: &Outline, start: Option<[Seen; 3]>, goal: &Goal) -> Exit {
    let mut search = Search { line, outline, outer: f64::INFINITY, supports: 0 };
    let mut visited = FacesVisited::default();
    let start = start.or_else(|| search.walked(&mut visited, goal));
    if search.outer < goal.enough {
        return search.finish(&State { corners: [outline.corners[0]; 3], normal: DVec3::Z, end: End::Converged });
    }
    let corners = start.or_else(|| search.first()).unwrap_or_else(|| outline.side_at_line());
    let mut state = State { corners, normal: DVec3::Z, end: End::IterationLimit };
    while search.supports < SUPPORT_LIMIT {
        match search.step(&mut state, goal) {
            Some(end) => {
                state.end = end;
                break;
            }
            None => continue,
        }
    }
    if search.outer == f64::INFINITY {
        search.first();
    }
    Exit { visited, ..search.finish(&state) }
}

struct State {
    corners: [Seen; 3],
    normal: DVec3,
    end: End,
}

struct Search<'l, 'a> {
    line: &'l Line<'a>,
    outline: &'l Outline,
    outer: f64,
    supports: u32,
}

impl Search<'_, '_> {
    /// The farthest point along the line and the side of the outline that it has the line between.
    fn first(&mut self) -> Option<[Seen; 3]> {
        let w = self.line.support(DVec3::Z, self.outline.corners[0].ids);
        self.supports += 1;
        self.outer = w.at.z + self.line.error;
        self.around(&w, &self.outline.corners)
    }

    /// For polytopes: a first guess at the normal from the outline, a second from the first, and from there by a walk over faces.
    fn walked(&mut self, visited: &mut FacesVisited, goal: &Goal) -> Option<[Seen; 3]> {
        let mut walk = Walk::new(self.line, self.outline.inside)?;
        let corners = &self.outline.corners;
        let mut triangle = self.around(corners.first()?, &corners[1..])?;
        let mut guess = None;
        for _ in 0..GUESSES {
            let Some(normal) = self.interpolated(&triangle) else { break };
            let w = self.line.support(normal, self.hints(&triangle, normal));
            self.supports += 1;
            self.outer = self.outer.min((normal.dot(w.at) + self.line.error) / normal.z);
            if self.outer < goal.enough {
                return None;
            }
            guess = Some(w);
            let Some(closer) = self.around(&w, &triangle) else { break };
            triangle = closer;
        }
        let found = walk.start_at(&guess?);
        *visited = walk.visited;
        found
    }

    /// The triangle of `w` and a side of the polygon that has the line inside.
    fn around(&self, w: &Seen, polygon: &[Seen]) -> Option<[Seen; 3]> {
        let here = w.at - self.outline.inside;
        let side = |corner: &Seen| across(here, corner.at - self.outline.inside);
        let mut best = (f64::NEG_INFINITY, None);
        let mut from = polygon.last()?;
        let mut left = side(from);
        for to in polygon {
            let right = side(to);
            // Inside if the first corner is to the left of w and the second to its right; rounding may leave none quite so.
            let inside = left.min(-right);
            if inside > best.0 && !w.is(from) && !w.is(to) && across(from.at - w.at, to.at - w.at) > 0.0 {
                best = (inside, Some([*w, *from, *to]));
            }
            (from, left) = (to, right);
        }
        best.1
    }

    /// Pushes the triangle out to the support along its normal; how it ended, if it did.
    fn step(&mut self, state: &mut State, goal: &Goal) -> Option<End> {
        let [a, b, c] = places(&state.corners, DVec3::ZERO);
        let Some(normal) = self.normal([a, b, c]) else {
            return Some(End::Degenerate);
        };
        state.normal = normal;
        let w = self.line.support(normal, self.hints(&state.corners, normal));
        self.supports += 1;
        let (height, error) = (normal.dot(w.at), self.line.error);
        if normal.z > 0.0 {
            self.outer = self.outer.min((height + error) / normal.z);
        }
        let plane = normal.dot(a).max(normal.dot(b)).max(normal.dot(c));
        if !(height - plane > goal.gap) || self.outer < goal.enough {
            return Some(End::Converged);
        }
        if goal.smooth && self.supports.is_multiple_of(NEWTON_EVERY) && self.polish(state, &w, goal.gap) {
            return Some(End::Converged);
        }
        match self.around(&w, &state.corners) {
            Some(corners) if !state.corners.iter().any(|corner| corner.is(&w)) => {
                state.corners = corners;
                None
            }
            _ => Some(End::Degenerate),
        }
    }

    /// Newton's method for the normal whose farthest point is on the line, where the surface is smooth; whether it got there.
    fn polish(&mut self, state: &mut State, start: &Seen, gap: f64) -> bool {
        let mut w = *start;
        for _ in 0..NEWTON_STEPS {
            let off = w.at.truncate().length();
            if off <= gap {
                self.outer = self.outer.min((w.normal.dot(w.at) + self.line.error) / w.normal.z);
                (state.corners, state.normal) = ([w; 3], w.normal);
                return true;
            }
            let Some(normal) = self.line.toward_line(&w).filter(|normal| normal.z > f64::EPSILON) else { return false };
            let next = self.line.support(normal, w.ids);
            self.supports += 1;
            if !(next.at.truncate().length() < 0.5 * off) {
                return false;
            }
            w = next;
        }
        false
    }

    /// The normal that the line would have if normals, seen along it, changed evenly across the triangle, as they do on a ball:
    /// those of the corners, each with the corner's share of the point where the line passes.
    fn interpolated(&self, corners: &[Seen; 3]) -> Option<DVec3> {
        let [a, b, c] = places(corners, self.outline.inside);
        let shares = [across(b, c), across(c, a), across(a, b)];
        let sum: f64 = shares.iter().sum();
        let flat: DVec3 = corners.iter().zip(shares).map(|(corner, share)| corner.normal * (share / sum)).sum();
        let rest = 1.0 - flat.x * flat.x - flat.y * flat.y;
        (rest > 0.0).then(|| DVec3::new(flat.x, flat.y, rest.sqrt()))
    }

    /// Of the corners' vertices, of either body the one farthest along the normal.
    #[inline]
    fn hints(&self, corners: &[Seen; 3], normal: DVec3) -> [VertexId; 2] {
        let in_a = self.line.frame * normal;
        let mut best = [f64::NEG_INFINITY; 2];
        let mut hints = [VertexId::NONE; 2];
        for corner in corners {
            let of_a = in_a.dot(widen(corner.on_a));
            let values = [of_a, normal.dot(corner.at) - of_a];
            for body in 0..2 {
                if values[body] > best[body] {
                    (best[body], hints[body]) = (values[body], corner.ids[body]);
                }
            }
        }
        hints
    }

    /// The unit normal of a triangle. Of one so thin that its own normal is rounding, the steepest along its longest side, if its corners are in
    /// that plane sooner.
    #[inline]
    fn normal(&self, [a, b, c]: [DVec3; 3]) -> Option<DVec3> {
        let off = |normal: DVec3| {
            let heights = [a, b, c].map(|corner| normal.dot(corner));
            heights.into_iter().fold(f64::NEG_INFINITY, f64::max) - heights.into_iter().fold(f64::INFINITY, f64::min)
        };
        let own = self.outward(normal_of(a, b, c), a);
        if own.is_some_and(|normal| off(normal) <= self.line.error) {
            return own;
        }
        let steep = steepest([a, b, c]);
        if steep.is_some_and(|steep| own.is_none_or(|own| off(steep) < off(own))) { steep } else { own }
    }

    /// The normal at length one. It points along the line unless the triangle is as good as parallel to it; then away from the
    /// outline's middle.
    fn outward(&self, normal: DVec3, corner: DVec3) -> Option<DVec3> {
        let unit = unit(normal)?;
        if unit.z > f64::EPSILON {
            return Some(unit);
        }
        let corners = &self.outline.corners;
        let middle = corners.iter().map(|c| c.at).sum::<DVec3>() / corners.len() as f64;
        Some(if unit.dot(middle - corner) > 0.0 { -unit } else { unit })
    }

    /// What the point where the line passes through a triangle is made of.
    fn weights(&self, at: [DVec3; 3]) -> [f64; 3] {
        let [a, b, c] = at;
        let areas = [across(b, c), across(c, a), across(a, b)];
        let sum: f64 = areas.iter().sum();
        let square = |side: DVec3| side.x * side.x + side.y * side.y;
        let longest = square(b - a).max(square(c - b)).max(square(a - c)).sqrt();
        let inside = areas.iter().all(|&area| area >= 0.0);
        if inside && sum > RANGE_THIN * self.line.error * longest {
            return refined(areas.map(|area| area / sum), at, sum);
        }
        // The line passes beside it, by less than the error, or it is as good as an edge, seen along the line: the highest of the
        // points of edges that are at the line.
        let mut best = ([1.0, 0.0, 0.0], f64::NEG_INFINITY, f64::INFINITY);
        for i in 0..3 {
            let j = (i + 1) % 3;
            let side = (at[j] - at[i]).truncate();
            let share = (-at[i].truncate().dot(side) / side.length_squared()).clamp(0.0, 1.0);
            let share = if side.length() > self.line.error { share } else { f64::from(u8::from(at[j].z > at[i].z)) };
            let point = at[i].lerp(at[j], share);
            // Above the bound it is beside the line, however near.
            let above = (point.z - self.outer).max(0.0);
            let off = (point.truncate().length() + above).max(2.0 * self.line.error);
            if off < best.2 || off == best.2 && point.z > best.1 {
                let mut weights = [0.0; 3];
                (weights[i], weights[j]) = (1.0 - share, share);
                best = (weights, point.z, off);
            }
        }
        best.0
    }

    fn finish(&self, state: &State) -> Exit {
        let corners_at = places(&state.corners, DVec3::ZERO);
        let weights = self.weights(corners_at);
        let [a, b, c] = corners_at;
        let point = a * weights[0] + b * weights[1] + c * weights[2];
        let Outline { corners, room, supports, .. } = self.outline;
        let lowest = corners.iter().map(|corner| corner.at.z).fold(point.z, f64::min);
        // A point of the body this far off the line, and one of the outline on the other side of it, no nearer than the room:
        // on the line, somewhere between their heights, is a point of the body.
        let off = point.truncate().length() + self.line.error;
        let room = room - self.line.error;
        let share = if room > 0.0 { off / (room + off) } else { 1.0 };
        let inner = if room > 0.0 { point.z - share * (point.z - lowest) - self.line.error } else { f64::NEG_INFINITY };
        let height = point.z.min(self.outer);
        Exit {
            corners: state.corners,
            weights,
            normal: state.normal,
            height,
            // The points on both bodies differ by the way along the line: one of them is as far off its body as the point is off the line.
            inner: inner.min(height - off),
            outer: self.outer.max(height),
            end: state.end,
            supports: supports + self.supports,
            visited: FacesVisited::default(),
        }
    }
}

/// The unit normal most along the line of a plane through points that are all on one line; the line's own direction if they are one point.
fn steepest([a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    let sides = [b - a, c - b, a - c];
    let longest = sides
        .iter()
        .fold(DVec3::ZERO, |best, side| if side.length_squared() > best.length_squared() { *side } else { best });
    let Some(along) = unit(longest) else { return Some(DVec3::Z) };
    unit(DVec3::Z - along * along.z).filter(|normal| normal.z > f64::EPSILON)
}

/// Weights of a point on the line, corrected by what they leave across it: areas of a thin triangle are differences of products
/// that are much larger.
fn refined(mut weights: [f64; 3], at: [DVec3; 3], sum: f64) -> [f64; 3] {
    for _ in 0..2 {
        let left: DVec3 = weights.iter().zip(at).map(|(&weight, corner)| corner * weight).sum();
        for i in 0..3 {
            weights[i] += across(left, at[(i + 2) % 3] - at[(i + 1) % 3]) / sum;
        }
    }
    // A combination of points of the body is one only if the weights are positive and add up to one.
    weights = weights.map(|weight| weight.max(0.0));
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// The triangle of three remembered corners, if the line passes through it.
pub(super) fn remembered(line: &Line<'_>, ids: &[[VertexId; 2]; 3], normal: DVec3) -> Option<[Seen; 3]> {
    let [a, b, c] = [0, 1, 2].map(|i: usize| line.vertex(ids[i], normal));
    let corners = [a?, b?, c?];
    let [a, b, c] = places(&corners, DVec3::ZERO);
    (across(a, b) > 0.0 && across(b, c) > 0.0 && across(c, a) > 0.0).then_some(corners)
}
