//! The verb `contact_range`, its answer and what it remembers.

use glam::DVec3;
use thiserror::Error;

use super::features::{self, Touch};
use super::line::{Line, Outline, Seen};
use super::portal::{self, Exit, Goal};
use crate::answer::{End, Feature};
use crate::math::{Mat3, Pose, Real, Vec3, narrow, narrow_real, widen, widen_real};
use crate::narrow::minkowski::Minkowski;
use crate::polytope::Polytope;
use crate::shape::{Core, Shape};
use crate::support::VertexId;
use crate::tolerance::{CURVED_RANGE_GAP, TOUCHING_SIGMAS, sigma};

/// Why a direction or a translation was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum DirectionError {
    /// It has no direction.
    #[error("the direction is zero; it must point somewhere")]
    Zero,
    /// A component is NaN or infinite.
    #[error("direction: component {axis} is {value}; it must be finite")]
    NotFinite {
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The offending number.
        value: Real,
    },
    /// Positions are in units of its length, and would be too large for a number.
    #[error("the direction's length is {length:e}; positions in units of it would overflow")]
    TooShort {
        /// Its length.
        length: Real,
    },
}

/// One end of a contact range: B is moved by `at · direction` and touches A from outside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RangeEnd {
    /// The position, in units of the direction's length.
    pub at: Real,
    /// The true end is not less.
    pub lower: Real,
    /// The true end is not more.
    pub upper: Real,
    /// Where they touch: on A, and on B where B is now, so that `points[1] + at · direction = points[0]`. World space.
    pub points: [Vec3; 2],
    /// Unit normal of the contact, out of A, in world space.
    pub normal: Vec3,
    /// What touches: for polytopes a face and a vertex, a vertex and a face, or two edges.
    pub features: [Feature; 2],
    /// How the search for this end ended.
    pub end: End,
}

/// How many faces of A − B were looked at, by what they are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FacesVisited {
    /// A face of A and a vertex of B.
    pub face_vertex: u32,
    /// A vertex of A and a face of B.
    pub vertex_face: u32,
    /// An edge of either.
    pub edge_edge: u32,
}

/// The positions of B along a direction at which it meets A: all from the first end to the last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The first and the last contact.
    pub ends: [RangeEnd; 2],
    /// Faces of A − B looked at: those on a walk over its faces, which only polytopes have, or the two that the ends are on.
    pub faces_visited: FacesVisited,
    /// Supports evaluated.
    pub iterations: u32,
}

impl Range {
    /// The first position of contact.
    #[inline]
    pub fn lo(&self) -> Real {
        self.ends[0].at
    }

    /// The last position of contact.
    #[inline]
    pub fn hi(&self) -> Real {
        self.ends[1].at
    }

    /// How far B is from touching, moving along the direction either way: positive if it is apart from A, and negative if it
    /// overlaps, where it is minus the shorter of the two ways out. In units of the direction's length.
    pub fn distance(&self) -> Real {
        self.lo().max(-self.hi())
    }
}

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
///
/// ```
/// use clearance::{Pose, RangeCache, Shape, Vec3, contact_range};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let pose = Pose::from_translation([5.0, 0.5, 0.0])?;
/// let step = Vec3::new(-2.0, 0.0, 0.0);
/// let range = contact_range(&cube, &Pose::IDENTITY, &cube, &pose, step, &mut RangeCache::default())?;
/// assert_eq!(range.map(|range| (range.lo(), range.hi())), Some((1.5, 3.5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
        let of_b = pose_b.matrix();
        let rotation = Mat3::from_cols(
            pose_a.direction_to_local(of_b.x_axis),
            pose_a.direction_to_local(of_b.y_axis),
            pose_a.direction_to_local(of_b.z_axis),
        );
        let translation = pose_a.direction_to_local(pose_b.translation() - pose_a.translation());
        let size = a.bounding_radius() + b.bounding_radius() + translation.abs().element_sum();
        if !narrow_real(4.0 * widen_real(size) / length).is_finite() {
            return Err(DirectionError::TooShort { length: narrow_real(length) });
        }
        let local = widen(pose_a.direction_to_local(narrow(widen(direction) / largest)));
        let m = Minkowski { a: a.core(), b: b.core(), rotation, translation };
        let line = Line::new(m, [a.radius(), b.radius()], local.normalize_or(DVec3::Z), size);
        let reach = widen_real(a.bounding_radius() + b.bounding_radius());
        let sharp = a.radius() + b.radius() == 0.0;
        let flat = sharp && a.core().is_polyhedral() && b.core().is_polyhedral();
        let gap = if flat { line.error } else { line.error + CURVED_RANGE_GAP * widen_real(size) };
        Ok(Self { line, pose_a: *pose_a, direction, length, error: widen_real(sigma(size)), gap, reach, flat })
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
        if side == Side::Last {
            return search(&self.line, outline, cache, side, &goal);
        }
        search(&self.line.flipped(), &outline.flipped(), cache, side, &goal)
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
