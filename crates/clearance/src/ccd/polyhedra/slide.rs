//! Sliding: a body that goes on along what it meets, as players of a game move (section 6).
//!
//! The paper says only that its casts serve for this; the way to go on is ours. After a hit the rest of the translation is projected
//! on the plane met; if that leads into another plane met at the same place, on the crease of both; if that leads into a third
//! one, the body is in a corner and stops. A step is lifted off each plane along which it goes, by a part of the zone, so that
//! rounding never makes it sink into what it slides along: however often a body slides along a wall, it is held by what is before
//! it only.
//!
//! Planes are forgotten once the body has moved on by more than a few zones. The rest is only ever projected, so it never
//! grows, and a rest that points against the translation ends the slide. Steps are bounded, so it ends.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::answer::{CastHit, TrajectoryOptions, WayOut};
use super::error::CastError;
use super::polyhedron::Polyhedron;
use super::scratch::CastScratch;
use super::translation::cast_translation;
use crate::math::{Pose, Real, Vec3, narrow, widen, widen_real};
use crate::tolerance::{SLIDE_LEFT, SLIDE_LIFT, SLIDE_NEAR, SLIDE_SINK};

/// Casts of a slide.
pub const MOST_SLIDE_STEPS: usize = 16;

/// How a slide ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlideEnd {
    /// The whole translation was free.
    Free,
    /// The body went along what it met until nothing was left of the translation.
    Slid,
    /// What was left led into what the body had met: straight on a plane, into a crease or into a corner.
    Stopped,
    /// The steps were used up; the body is where the last one ended.
    StepLimit,
    /// The bodies overlapped at the start by more than the zone; nothing was moved.
    Overlapping,
}

/// How a body slid.
#[derive(Debug, Clone, PartialEq)]
pub struct Slide {
    /// Where it is now.
    pub pose: Pose,
    /// What it met, in order.
    pub hits: ArrayVec<CastHit, MOST_SLIDE_STEPS>,
    /// What is left of the translation, along what was met last.
    pub left: Vec3,
    /// How it ended.
    pub end: SlideEnd,
    /// A way out of an overlap at the start.
    pub overlap: Option<WayOut>,
    /// The thickness of the zone of the last cast.
    pub zone: Real,
}

/// Moves the body along the translation as far as it is free, and on along what it meets.
///
/// # Errors
/// As [`cast_translation`].
///
/// ```
/// use clearance::ccd::polyhedra::{TrajectoryOptions, CastScratch, Polyhedron, SlideEnd, slide};
/// use clearance::{Polytope, Pose, Vec3};
/// let corners = |x: f64, y: f64| (0..8).map(move |i| Vec3::new((i & 1) as f64 * x, (i >> 1 & 1) as f64 * y, (i >> 2) as f64));
/// let [floor, cube] = [10.0, 1.0].map(|side| Polytope::from_points(&corners(side, side).collect::<Vec<_>>()));
/// let (floor, cube) = (Polyhedron::from(&floor?), Polyhedron::from(&cube?));
/// let above = Pose::from_translation([1.0, 1.0, 2.0])?;
/// let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
/// let slid = slide(&floor, &Pose::IDENTITY, &cube, &above, Vec3::new(5.0, 0.0, -5.0), &options, &mut scratch)?;
/// assert_eq!(slid.end, SlideEnd::Slid);
/// assert!((slid.pose.translation() - Vec3::new(6.0, 1.0, 1.0)).length() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn slide(
    world: &Polyhedron,
    pose_w: &Pose,
    body: &Polyhedron,
    pose_b: &Pose,
    translation: Vec3,
    options: &TrajectoryOptions,
    scratch: &mut CastScratch,
) -> Result<Slide, CastError> {
    let mut slid = Slide {
        pose: *pose_b,
        hits: ArrayVec::new(),
        left: translation,
        end: SlideEnd::StepLimit,
        overlap: None,
        zone: 0.0,
    };
    let whole = widen(translation);
    let mut planes = Planes::default();
    for step in 0..MOST_SLIDE_STEPS {
        let options = TrajectoryOptions { check_start: options.check_start && step == 0, ..*options };
        let way = planes.lifted(widen(slid.left), widen_real(slid.zone));
        let cast = cast_translation(world, pose_w, body, &slid.pose, narrow(way), &options, scratch)?;
        slid.zone = cast.zone;
        if cast.overlap.is_some() {
            return Ok(Slide { overlap: cast.overlap, end: SlideEnd::Overlapping, ..slid });
        }
        slid.pose = cast.pose;
        let Some(hit) = cast.hit else {
            let end = if slid.hits.is_empty() { SlideEnd::Free } else { SlideEnd::Slid };
            return Ok(Slide { left: Vec3::ZERO, end, ..slid });
        };
        slid.hits.push(hit);
        let zone = widen_real(cast.zone);
        let fraction = widen_real(cast.fraction);
        planes.meet(widen(hit.normal).normalize_or_zero(), fraction * way.length() > SLIDE_NEAR * zone);
        let rest = widen(slid.left) * (1.0 - fraction);
        let along = planes.along(rest, zone);
        slid.left = narrow(along);
        if !(along.dot(whole) > 0.0 && along.length() > SLIDE_LEFT * zone) {
            slid.end = if rest.length() > zone { SlideEnd::Stopped } else { SlideEnd::Slid };
            return Ok(slid);
        }
    }
    Ok(slid)
}

/// The planes met where the body is, by their normals; the newest last.
#[derive(Default)]
pub(in crate::ccd) struct Planes {
    normals: ArrayVec<DVec3, MOST_SLIDE_STEPS>,
}

impl Planes {
    /// Another plane met, after the body moved on from the others or not.
    pub fn meet(&mut self, normal: DVec3, moved: bool) {
        if moved {
            self.normals.clear();
        }
        // There is room: one is met in each step.
        let _ = self.normals.try_push(normal);
    }

    /// What can be kept of a way: along the newest plane, or its crease with another one, whichever keeps most and sinks into
    /// none of the planes by more than rounding; zero in a corner.
    pub fn along(&self, way: DVec3, zone: f64) -> DVec3 {
        let Some((&newest, others)) = self.normals.split_last() else { return way };
        let on_plane = way - newest * newest.dot(way).min(0.0);
        let creases = others.iter().map(|&other| {
            let crease = newest.cross(other).normalize_or_zero();
            crease * crease.dot(way)
        });
        let free = |v: &DVec3| self.normals.iter().all(|n| n.dot(*v) >= -SLIDE_SINK * zone);
        let all = std::iter::once(on_plane).chain(creases).filter(free);
        all.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared())).unwrap_or(DVec3::ZERO)
    }

    /// The way with a part of the zone added along the planes that it goes along.
    pub fn lifted(&self, way: DVec3, zone: f64) -> DVec3 {
        let beside = self.normals.iter().filter(|n| n.dot(way).abs() <= SLIDE_SINK * zone);
        way + beside.sum::<DVec3>() * (SLIDE_LIFT * zone)
    }
}
