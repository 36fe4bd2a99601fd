//! Rotations about any axis (sections 2.4, 2.5, 3.3, 3.4), in steps of at most a quarter turn.
//!
//! Contacts are sorted by r = tan(α/2); one arc tangent is taken at the end. Frame-free: a point turns as
//! `a∥ + a⊥ cos α + (k × a) sin α` about the axis k, and the direction and the moment of a line do too, so that both the height of
//! a point above a plane and the determinant of two lines are a [`Wave`].
//!
//! The world's polygons are asked for by boxes around pieces of the arc, in order, and each new one is looked at for the whole step;
//! it ends with the piece that the first contact is in. Back faces: a point of a polygon is approached where the velocity k × a there is
//! against its normal, `(n × k)·a < 0`. That is linear in the place, so that the corners of a polygon, and those of its box within the
//! box of the step, bound it.

use glam::DVec3;

use super::answer::{Cast, TrajectoryOptions};
use super::error::CastError;
use super::first::{First, answer};
use super::frame::Frame;
use super::overlap::{is_clear, met_by, start_overlap};
use super::polyhedron::Polyhedron;
use super::scratch::CastScratch;
use super::shortcuts::CastCounts;
use crate::math::{Pose, Quat, Real, Vec3, length, narrow, rounded_up, unit_or, widen, widen_real};

mod arc;
mod edges;
mod rings;
mod sweep;
mod witness;

use arc::Arc;
pub(super) use rings::Rings;
use sweep::Sweep;

/// A rotation about an axis of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rotation {
    /// A point of the axis.
    pub origin: Vec3,
    /// Its direction, of any length but zero.
    pub axis: Vec3,
    /// The angle in radians, right-handed about the axis; of any size.
    pub angle: Real,
}

/// How far the body may turn before it meets the world, which rests.
///
/// # Errors
/// If the rotation is not finite, has no axis or leaves the range of poses, or the coordinates are too large for the precision.
///
/// ```
/// use clearance::ccd::polyhedra::{TrajectoryOptions, CastScratch, Polyhedron, Rotation, cast_rotation};
/// use clearance::{Polytope, Pose, Vec3};
/// let corners: Vec<Vec3> = (0..8).map(|i| Vec3::new((i & 1) as _, (i >> 1 & 1) as _, (i >> 2) as _)).collect();
/// let cube = Polyhedron::from(&Polytope::from_points(&corners)?);
/// let beside = Pose::from_translation([3.0, 0.0, 0.0])?;
/// let rotation = Rotation { origin: Vec3::ZERO, axis: Vec3::Z, angle: 7.0 };
/// let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
/// let cast = cast_rotation(&cube, &Pose::IDENTITY, &cube, &beside, rotation, &options, &mut scratch)?;
/// assert_eq!(cast.fraction, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_rotation(
    world: &Polyhedron,
    pose_w: &Pose,
    body: &Polyhedron,
    pose_b: &Pose,
    rotation: Rotation,
    options: &TrajectoryOptions,
    scratch: &mut CastScratch,
) -> Result<Cast, CastError> {
    let frame = Frame::new(pose_w, pose_b);
    let turn = Turn::new(&rotation, pose_b)?;
    let zone = frame.zone(world.radius + body.radius, body.extent(), 2.0 * turn.arm.length(), options)?;
    let near_start = !options.check_start || !is_clear(world, body, &frame, zone, scratch);
    if options.check_start
        && near_start
        && let Some(out) = start_overlap(world, body, &frame, zone, false, scratch)
    {
        return Ok(Cast { overlap: Some(out), near_start, ..answer(&frame, None, 0.0, zone, *pose_b) });
    }
    if turn.angle == 0.0 {
        return Ok(Cast { near_start, ..answer(&frame, None, 1.0, zone, *pose_b) });
    }
    let shrink = if options.shrink { 0.5 * zone } else { 0.0 };
    let axis = frame.direction_in(turn.axis).normalize();
    let about = Arc { axis, origin: frame.point_in(rotation.origin), limit: (0.5 * turn.step).tan() };
    let CastScratch { posed, found, rings, .. } = scratch;
    let mut counts = CastCounts::default();
    for step in 0..turn.steps {
        if step > 0 || shrink > 0.0 || !options.check_start {
            posed.place(body, frame.turn, frame.shift, shrink);
        }
        if step == 0 {
            rings.draw(body, posed, &about, zone, &options.shortcuts);
        }
        let turned = f64::from(step) * turn.step;
        posed.turn(&about, turned);
        found.seen.start(world);
        let (first, shortcuts) = (First::new(about.limit), options.shortcuts);
        let mut sweep = Sweep { world, body, posed, found, rings, about, zone, first, counts: &mut counts, shortcuts };
        sweep.pieces(turn.step);
        if let Some(contact) = sweep.first.contact {
            let (met, height) = (sweep.met_by(&contact), sweep.height(&contact));
            let share = |at: f64| ((turned + 2.0 * at.atan()) / turn.angle).clamp(0.0, 1.0);
            let (fraction, pose) = (share(contact.at), turn.pose(pose_b, turned + 2.0 * contact.at.atan())?);
            let upper = met.map(share).unwrap_or_else(|| {
                let arm = (contact.point - about.origin).length();
                let there = |share: f64| turn.pose(pose_b, share * turn.angle).ok();
                met_by([world, body], pose_w, fraction, zone / (arm * turn.angle), there, zone, scratch)
            });
            let upper = rounded_up(upper);
            return Ok(Cast {
                counts,
                near_start,
                upper,
                ..answer(&frame, Some((contact, height)), fraction, zone, pose)
            });
        }
    }
    Ok(Cast { counts, near_start, ..answer(&frame, None, 1.0, zone, turn.pose(pose_b, turn.angle)?) })
}

/// A rotation in steps, its angle made positive.
struct Turn {
    origin: Vec3,
    axis: Vec3,
    angle: f64,
    arm: DVec3,
    steps: u32,
    step: f64,
}

/// More steps than this are as many full turns: a body that passed one passes them all.
const MOST_STEPS: f64 = 5.0;

impl Turn {
    fn new(rotation: &Rotation, pose: &Pose) -> Result<Self, CastError> {
        let Rotation { origin, axis, angle } = *rotation;
        if !(origin.is_finite() && axis.is_finite() && angle.is_finite()) {
            return Err(CastError::NotFinite);
        }
        if !(length(axis) > 0.0) {
            return Err(CastError::NoAxis);
        }
        let axis = unit_or(axis, Vec3::Z) * if angle < 0.0 { -1.0 } else { 1.0 };
        let angle = widen_real(angle).abs();
        let arm = widen(pose.translation()) - widen(origin);
        let quarter = std::f64::consts::FRAC_PI_2;
        let steps = (angle / quarter).ceil().max(1.0);
        // Beyond a full turn the way repeats itself; the angle itself is reached by the pose.
        let (steps, step) = if steps > MOST_STEPS { (MOST_STEPS, quarter) } else { (steps, angle / steps) };
        Ok(Self { origin, axis, angle, arm, steps: steps as u32, step })
    }

    fn pose(&self, start: &Pose, angle: f64) -> Result<Pose, CastError> {
        let axis = widen(self.axis).normalize();
        let half = 0.5 * angle;
        let turn = glam::DQuat::from_xyzw(axis.x * half.sin(), axis.y * half.sin(), axis.z * half.sin(), half.cos());
        let place = narrow(widen(self.origin) + turn * self.arm);
        Pose::from_translation(place).map_err(|_| CastError::Range)?;
        let own = start.rotation().to_array().map(widen_real);
        let reached = turn * glam::DQuat::from_array(own);
        Ok(Pose::IDENTITY.turned(Quat::from_array(reached.to_array().map(crate::math::narrow_real)), place))
    }
}
