//! A body among any number of others: casts, slides and moves (sections 2 and 6 of the paper on trajectories).
//!
//! A body that slides or is moved stops a zone away from what it meets, so that it may go on along it: bodies with flat faces by the expel
//! zone of trajectories, others by a clearance of a zone, or of a few tolerances where they are cast by advancement.

use arrayvec::ArrayVec;

use super::super::polyhedra::{CastError, CastScratch, MOST_SLIDE_STEPS, Planes, Rotation, SlideEnd};
use super::options::CastOptions;
use super::pair::Stop;
use super::parts::{Padded, cast_body};
use crate::answer::{Cast, ContactPoint, Start};
use crate::math::{Pose, Real, Vec3, narrow, widen, widen_real};
use crate::motion::{Motion, MotionError};
use crate::shape::BodyRef;
use crate::tolerance::{SLIDE_LEFT, SLIDE_NEAR};

/// The first contact of a moving body with each of several others that it meets, with their numbers, appended to the list; the
/// earliest first.
///
/// # Errors
/// As [`cast_body`].
pub fn cast_obstacles<'b>(
    obstacles: &[(BodyRef<'_>, Pose)],
    body: impl Into<BodyRef<'b>>,
    motion: &Motion,
    options: &CastOptions,
    scratch: &mut CastScratch,
    list: &mut Vec<(usize, Cast)>,
) -> Result<(), CastError> {
    let (body, begin) = (body.into(), list.len());
    for (index, (obstacle, pose)) in obstacles.iter().enumerate() {
        let cast = cast_body(obstacle, pose, &body, motion, options, scratch)?;
        if cast.hit.is_some() || cast.fraction < 1.0 {
            list.push((index, cast));
        }
    }
    list[begin..].sort_by(|(i, a), (j, b)| a.fraction.total_cmp(&b.fraction).then(i.cmp(j)));
    Ok(())
}

/// How a body slid.
#[derive(Debug, Clone, PartialEq)]
pub struct Slid {
    /// Where it is now.
    pub pose: Pose,
    /// What it met, in order, each with the number of the obstacle.
    pub hits: ArrayVec<(usize, ContactPoint), MOST_SLIDE_STEPS>,
    /// What is left of the translation, along what was met last.
    pub left: Vec3,
    /// How it ended.
    pub end: SlideEnd,
    /// A way out of an overlap at the start, in which case nothing was moved.
    pub way_out: Option<Vec3>,
    /// How far the body is kept from what it met last.
    pub zone: Real,
}

/// Moves a body along a translation as far as it is free of all obstacles, and on along what it meets.
///
/// # Errors
/// As [`cast_body`].
///
/// ```
/// use clearance::ccd::polyhedra::{CastScratch, SlideEnd};
/// use clearance::ccd::{CastOptions, slide_among};
/// use clearance::{Body, BodyRef, Pose, Shape, Vec3};
/// let floor: Body = Shape::cuboid([10.0, 10.0, 1.0])?.into();
/// let wall: Body = Shape::cuboid([1.0, 10.0, 10.0])?.into();
/// let wall_pose = Pose::from_translation([5.0, 0.0, 0.0])?;
/// let obstacles = [(BodyRef::from(&floor), Pose::IDENTITY), (BodyRef::from(&wall), wall_pose)];
/// let ball: Body = Shape::sphere(0.5)?.into();
/// let start = Pose::from_translation([0.0, 0.0, 3.0])?;
/// let way = Vec3::new(6.0, 2.0, -6.0);
/// let slid = slide_among(&obstacles, &ball, &start, way, &CastOptions::default(), &mut CastScratch::default())?;
/// assert_eq!(slid.end, SlideEnd::Slid);
/// assert!((slid.pose.translation() - Vec3::new(3.5, 2.0, 1.5)).length() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn slide_among<'b>(
    obstacles: &[(BodyRef<'_>, Pose)],
    body: impl Into<BodyRef<'b>>,
    pose: &Pose,
    translation: Vec3,
    options: &CastOptions,
    scratch: &mut CastScratch,
) -> Result<Slid, CastError> {
    let body = body.into();
    options.check()?;
    slide_by(pose, translation, |motion, is_first| {
        let options = CastOptions { check_start: options.check_start && is_first, ..*options };
        first_of(obstacles, &body, motion, &options, scratch)
    })
}

/// A slide by casts that are made by the caller: of a motion, of which it is told whether it is the first. The number with a stop is that
/// of what was met.
pub(crate) fn slide_by(
    pose: &Pose,
    translation: Vec3,
    mut cast: impl FnMut(&Motion, bool) -> Result<(usize, Stop), CastError>,
) -> Result<Slid, CastError> {
    let mut slid = Slid {
        pose: *pose,
        hits: ArrayVec::new(),
        left: translation,
        end: SlideEnd::StepLimit,
        way_out: None,
        zone: 0.0,
    };
    let whole = widen(translation);
    let mut planes = Planes::default();
    for step in 0..MOST_SLIDE_STEPS {
        let way = planes.lifted(widen(slid.left), widen_real(slid.zone));
        let motion = Motion::translation(slid.pose, narrow(way)).map_err(|error| refused(&error))?;
        let (index, stop) = cast(&motion, step == 0)?;
        slid.zone = slid.zone.max(stop.zone);
        if let Start::Overlapping { way_out } = stop.cast.start {
            return Ok(Slid { way_out: Some(way_out), end: SlideEnd::Overlapping, ..slid });
        }
        let fraction = widen_real(stop.cast.fraction);
        slid.pose = slid.pose.moved_to(narrow(widen(slid.pose.translation()) + way * fraction));
        let Some(hit) = stop.cast.hit else {
            let is_free = stop.cast.fraction == 1.0;
            let end = match (is_free, slid.hits.is_empty()) {
                (true, true) => SlideEnd::Free,
                (true, false) => SlideEnd::Slid,
                // It could not be decided how the way goes on.
                (false, _) => SlideEnd::StepLimit,
            };
            let left = if is_free { Vec3::ZERO } else { narrow(widen(slid.left) * (1.0 - fraction)) };
            return Ok(Slid { left, end, ..slid });
        };
        slid.hits.push((index, hit));
        let zone = widen_real(slid.zone);
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

/// How far a body was moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moved {
    /// Where it is now.
    pub pose: Pose,
    /// How the translation went, and which obstacle stopped it.
    pub translation: (usize, Cast),
    /// How the rotation went, from where the translation ended, and which obstacle stopped it.
    pub rotation: (usize, Cast),
}

/// Moves a body along a translation and then turns it, each until an obstacle is in the way. The rotation's origin moves with the body.
///
/// # Errors
/// As [`cast_body`], and if the rotation has no axis.
pub fn move_among<'b>(
    obstacles: &[(BodyRef<'_>, Pose)],
    body: impl Into<BodyRef<'b>>,
    pose: &Pose,
    translation: Vec3,
    rotation: Rotation,
    options: &CastOptions,
    scratch: &mut CastScratch,
) -> Result<Moved, CastError> {
    let body = body.into();
    options.check()?;
    let way = Motion::translation(*pose, translation).map_err(|error| refused(&error))?;
    let (by, first) = first_of(obstacles, &body, &way, options, scratch)?;
    let there = pose.moved_to(way.pose(first.cast.fraction).translation());
    let travelled = there.translation() - pose.translation();
    let Rotation { origin, axis, angle } = rotation;
    let turn = Motion::rotation(there, origin + travelled, axis, angle).map_err(|error| refused(&error))?;
    let (about, second) = first_of(obstacles, &body, &turn, options, scratch)?;
    let pose = turn.pose(second.cast.fraction);
    Ok(Moved { pose, translation: (by, first.cast), rotation: (about, second.cast) })
}

/// The first stop by any of the obstacles, and its number; a free one if there is none.
fn first_of(
    obstacles: &[(BodyRef<'_>, Pose)],
    body: &BodyRef<'_>,
    motion: &Motion,
    options: &CastOptions,
    scratch: &mut CastScratch,
) -> Result<(usize, Stop), CastError> {
    let mut first = (0, Stop::FREE);
    let mut zone: Real = 0.0;
    for (index, (obstacle, pose)) in obstacles.iter().enumerate() {
        let padded = Padded::new([obstacle, body], options)?;
        let mut stop = padded.asked(pose, motion, true).first(scratch)?;
        stop.cast = padded.unpadded(stop.cast);
        zone = zone.max(stop.zone);
        let overlaps = stop.overlaps();
        if overlaps || stop.cast.fraction < first.1.cast.fraction {
            first = (index, stop);
        }
        if overlaps {
            break;
        }
    }
    first.1.zone = zone;
    Ok(first)
}

fn refused(error: &MotionError) -> CastError {
    match error {
        MotionError::Velocity { .. } => CastError::NotFinite,
        MotionError::Axis { axis, angle } if axis.is_finite() && angle.is_finite() => CastError::NoAxis,
        MotionError::Axis { .. } => CastError::NotFinite,
        MotionError::Range(_) => CastError::Range,
    }
}
