//! The verb `contact_range` and what it remembers.

use glam::DVec3;

use super::answer::{DirectionError, FacesVisited, Range, RangeEnd};
use super::features::{self, Touch};
use super::line::{Line, Outline, Seen};
use super::portal::{self, Exit, Goal};
use super::rounded;
use crate::math::{Pose, Relative, Vec3, narrow, narrow_real, widen, widen_real};
use crate::narrow::minkowski::Minkowski;
use crate::polytope::Polytope;
use crate::shape::{Core, Shape};
use crate::support::VertexId;
use crate::tolerance::{CURVED_RANGE_GAP, TOUCHING_SIGMAS};

/// What a pair remembers from one call to the next: the corners of the faces that the ends are on. It changes the speed of an
/// answer, never the answer. Cold by default.
#[derive(Debug, Clone, Copy)]
pub struct RangeCache {
    pub(super) corners: [[[VertexId; 2]; 3]; 2],
    pub(super) warm: bool,
}

impl Default for RangeCache {
    fn default() -> Self {
        Self { corners: [[[VertexId::NONE; 2]; 3]; 2], warm: false }
    }
}

/// The positions along a direction at which B meets A, moved by that multiple of the direction; nothing if it never does.
///
/// Both bodies are closed: a line along which they touch without entering each other has a range too, within the tolerance
/// of touching. A unit direction is not required; positions are in units of its length.
///
/// # Errors
/// If the direction is zero, not finite, or so short that positions would overflow.
pub fn contact_range(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    direction: Vec3,
    cache: &mut RangeCache,
) -> Result<Option<Range>, DirectionError> {
    let sweep = Sweep::new(a, pose_a, b, pose_b, direction)?;
    let Some(outline) = sweep.outline(cache) else {
        return Ok(None);
    };
    let exits = [sweep.exit(Side::First, &outline, cache, None), sweep.exit(Side::Last, &outline, cache, None)];
    cache.remember(&exits);
    Ok(Some(sweep.range(&exits)))
}

impl RangeCache {
    pub(super) fn corners_if_warm(&self) -> Option<&[[[VertexId; 2]; 3]; 2]> {
        self.warm.then_some(&self.corners)
    }

    pub(super) fn remember(&mut self, exits: &[Exit; 2]) {
        self.warm = true;
        for (corners, exit) in self.corners.iter_mut().zip(exits) {
            *corners = exit.corners.map(|corner| corner.ids);
        }
    }
}

impl RangeCache {
    pub(crate) fn remember_last(&mut self, exit: &Exit) {
        self.warm = true;
        self.corners[1] = exit.corners.map(|corner| corner.ids);
    }
}

/// Which end of the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    First,
    Last,
}

/// A pair and a direction.
pub(crate) struct Sweep<'a> {
    line: Line<'a>,
    pose_a: Pose,
    direction: Vec3,
    /// The direction's length.
    length: f64,
    /// The error of a support value.
    error: f64,
    gap: f64,
    reach: f64,
    /// Whether all faces are flat.
    flat: bool,
}

impl<'a> Sweep<'a> {
    pub(crate) fn new(
        a: &'a Shape,
        pose_a: &Pose,
        b: &'a Shape,
        pose_b: &Pose,
        direction: Vec3,
    ) -> Result<Self, DirectionError> {
        for (axis, value) in ['x', 'y', 'z'].into_iter().zip(direction.to_array()) {
            if !value.is_finite() {
                return Err(DirectionError::NotFinite { axis, value });
            }
        }
        let largest = widen_real(direction.abs().max_element());
        if largest == 0.0 {
            return Err(DirectionError::Zero);
        }
        let length = largest * (widen(direction) / largest).length();
        let radii = [a.bounding_radius(), b.bounding_radius()];
        let relative = Relative::new(radii, pose_a, pose_b);
        let size = relative.size;
        if !narrow_real(4.0 * widen_real(size) / length).is_finite() {
            return Err(DirectionError::TooShort { length: narrow_real(length) });
        }
        let local = widen(pose_a.direction_to_local(narrow(widen(direction) / largest)));
        let m = Minkowski::new(a.core(), b.core(), &relative);
        let line = Line::new(m, [a.radius(), b.radius()], local.normalize_or(DVec3::Z), size);
        let reach = widen_real(radii[0] + radii[1]);
        let sharp = a.radius() + b.radius() == 0.0;
        let flat = sharp && a.core().is_polyhedral() && b.core().is_polyhedral();
        let gap = if flat { line.error } else { line.error + CURVED_RANGE_GAP * widen_real(size) };
        Ok(Self { line, pose_a: *pose_a, direction, length, error: widen_real(relative.sigma()), gap, reach, flat })
    }

    /// The direction's length.
    #[inline]
    pub(crate) fn length(&self) -> f64 {
        self.length
    }

    /// How deep bodies may be inside each other and still only touch.
    #[inline]
    pub(crate) fn touching(&self) -> f64 {
        widen_real(TOUCHING_SIGMAS) * self.error
    }

    /// Corners of the shadow around the line; nothing if it misses.
    pub(crate) fn outline(&self, cache: &RangeCache) -> Option<Outline> {
        let hints = if cache.warm { cache.corners[1][0] } else { [VertexId::NONE; 2] };
        self.line.shadow(hints)
    }

    /// Searches one end; `enough` is a position beyond which, away from the other end, it need not be known.
    pub(crate) fn exit(&self, side: Side, outline: &Outline, cache: &RangeCache, enough: Option<f64>) -> Exit {
        let sign = if side == Side::First { -1.0 } else { 1.0 };
        let enough = enough.map_or(f64::NEG_INFINITY, |position| sign * position * self.length - self.line.error);
        let goal = Goal { gap: self.gap, enough, smooth: !self.flat };
        let flipped;
        let (line, exit) = if side == Side::Last {
            (&self.line, search(&self.line, outline, cache, side, &goal))
        } else {
            flipped = self.line.flipped();
            (&flipped, search(&flipped, &outline.flipped(), cache, side, &goal))
        };
        let is_known = exit.outer >= enough;
        if is_known && line.radii[0] + line.radii[1] > 0.0 { rounded::refined(line, exit) } else { exit }
    }

    /// The line and its outline seen towards an end.
    pub(super) fn toward(&self, side: Side, outline: &Outline) -> (Line<'a>, Outline) {
        match side {
            Side::First => (self.line.flipped(), outline.flipped()),
            Side::Last => (self.line.flipped().flipped(), outline.clone()),
        }
    }

    /// Certifies corners around an end, proposed by some search, or finds the end without.
    pub(super) fn certify(&self, line: &Line<'_>, outline: &Outline, start: Option<[Seen; 3]>) -> Exit {
        portal::exit(line, outline, start, &Goal { gap: self.gap, enough: f64::NEG_INFINITY, smooth: !self.flat })
    }

    /// The two bodies, if both are sharp polytopes.
    pub(super) fn polytopes(&self) -> Option<[&'a Polytope; 2]> {
        match (self.line.m.a, self.line.m.b) {
            (Core::Polytope(a), Core::Polytope(b)) if self.line.radii == [0.0; 2] => Some([a, b]),
            _ => None,
        }
    }

    /// The sum of the bounding radii.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    pub(super) fn range(&self, exits: &[Exit; 2]) -> Range {
        let [first, last] = exits;
        let mut ends = [self.end(Side::First, first), self.end(Side::Last, last)];
        // The line meets the bodies at least once, if it does at all: no end is beyond the bound of the other.
        ends[0].upper = ends[0].upper.min(ends[1].upper);
        ends[1].lower = ends[1].lower.max(ends[0].lower);
        if ends[0].at > ends[1].at {
            // Where the line all but misses, both are points of contact within the error, and each end reaches to the other.
            let bounds = ends.map(|end| (end.lower, end.upper));
            ends.swap(0, 1);
            ends.iter_mut().zip(bounds).for_each(|(end, bounds)| (end.lower, end.upper) = bounds);
        }
        for end in &mut ends {
            end.lower = end.lower.min(end.at);
            end.upper = end.upper.max(end.at);
        }
        let mut faces_visited = first.visited.plus(last.visited);
        if faces_visited == FacesVisited::default() {
            ends.iter().for_each(|end| faces_visited.count(end.features.map(|feature| feature.element)));
        }
        Range { ends, faces_visited, iterations: first.supports + last.supports }
    }

    /// An end in world space and in units of the direction.
    pub(crate) fn end(&self, side: Side, exit: &Exit) -> RangeEnd {
        let flipped = self.line.flipped();
        let (sign, line) = if side == Side::First { (-1.0, &flipped) } else { (1.0, &self.line) };
        let at = sign * exit.height / self.length;
        let bounds = [exit.inner, exit.outer].map(|height| narrow_real(sign * height / self.length));
        let Touch { on_a, features } = features::touch(line, exit);
        let on_a = self.pose_a.point(on_a);
        let at = narrow_real(at);
        RangeEnd {
            at,
            lower: bounds[0].min(bounds[1]),
            upper: bounds[0].max(bounds[1]),
            points: [on_a, on_a - self.direction * at],
            normal: self.pose_a.direction(narrow(line.frame * exit.normal)),
            features: features.features(self.line.m.a, self.line.m.b),
            end: exit.end,
        }
    }
}

/// The end towards z, from the corners of the last call if the line still passes between them.
fn search(line: &Line<'_>, outline: &Outline, cache: &RangeCache, side: Side, goal: &Goal) -> Exit {
    let corners = cache.corners_if_warm().map(|corners| corners[side as usize]);
    let start = corners.and_then(|corners| portal::remembered(line, &corners, DVec3::Z));
    portal::exit(line, outline, start, goal)
}
