//! Rotations about any axis (sections 2.4, 2.5, 3.3, 3.4), in steps of at most a quarter turn.
//!
//! Contacts are sorted by r = tan(α/2); one arc tangent is taken at the end. Frame-free: a point turns as
//! `a∥ + a⊥ cos α + (k × a) sin α` about the axis k, and the direction and the moment of a line do too, so that both the height of
//! a point above a plane and the determinant of two lines are a [`Wave`].

use glam::DVec3;

use super::error::CastError;
use super::overlap::start_overlap;
use super::polyhedron::{NONE, Polyhedron};
use super::query::{Bounds, Candidates, CastScratch, Contact, First, Frame, Posed, answer};
use super::translation::stands_on;
use super::wave::{Low, Wave, last_before};
use super::{Cast, CastCounts, CastOptions, Feature};
use crate::math::{Pose, Quat, Real, Vec3, length, narrow, unit_or, widen, widen_real};
use crate::tolerance::SIDE_MARGIN;

mod edges;

pub(super) use edges::cross_within;

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
/// use clearance::ccd::polyhedra::{CastOptions, CastScratch, Polyhedron, Rotation, cast_rotation};
/// use clearance::{Polytope, Pose, Vec3};
/// let corners: Vec<Vec3> = (0..8).map(|i| Vec3::new((i & 1) as _, (i >> 1 & 1) as _, (i >> 2) as _)).collect();
/// let cube = Polyhedron::from(&Polytope::from_points(&corners)?);
/// let beside = Pose::from_translation([3.0, 0.0, 0.0])?;
/// let rotation = Rotation { origin: Vec3::ZERO, axis: Vec3::Z, angle: 7.0 };
/// let (options, mut scratch) = (CastOptions::default(), CastScratch::default());
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
    options: &CastOptions,
    scratch: &mut CastScratch,
) -> Result<Cast, CastError> {
    let frame = Frame::new(pose_w, pose_b);
    let turn = Turn::new(&rotation, pose_b)?;
    let zone = frame.zone(world.radius + body.radius, body.extent(), 2.0 * turn.arm.length(), options)?;
    let mut counts = CastCounts::default();
    if options.check_start
        && let Some(out) = start_overlap(world, body, &frame, zone, scratch)
    {
        return Ok(Cast { overlap: Some(out), counts, ..answer(&frame, None, 0.0, zone, *pose_b) });
    }
    if turn.angle == 0.0 {
        return Ok(answer(&frame, None, 1.0, zone, *pose_b));
    }
    let shrink = if options.shrink { 0.5 * zone } else { 0.0 };
    let axis = frame.direction_in(turn.axis).normalize();
    let origin = frame.point_in(rotation.origin);
    for step in 0..turn.steps {
        let about = Arc { axis, origin, limit: (0.5 * turn.step).tan() };
        let CastScratch { posed, found, .. } = &mut *scratch;
        posed.place(body, frame.turn, frame.shift, shrink);
        let turned = f64::from(step) * turn.step;
        posed.turn(&about, turned);
        posed.sweep(body, 2.0 * zone, |p| about.bounds(p));
        let whole = posed.whole.unwrap_or(Bounds::EMPTY);
        found.gather(world, &whole, &mut counts, |face| {
            let closing = face.normal.cross(about.axis);
            world.loop_of(face).iter().any(|c| closing.dot(world.points[c.point as usize] - about.origin) < zone)
                && closing != DVec3::ZERO
        });
        let mut sweep =
            Sweep { world, body, posed, found, about, zone, first: First::new(about.limit), counts: &mut counts };
        sweep.points_on_world();
        sweep.points_on_body();
        sweep.edges();
        if let Some(contact) = sweep.first.contact {
            let angle = turned + 2.0 * contact.at.atan();
            let fraction = (angle / turn.angle).clamp(0.0, 1.0);
            let pose = turn.pose(pose_b, angle)?;
            return Ok(Cast { counts, ..answer(&frame, Some(contact), fraction, zone, pose) });
        }
    }
    Ok(Cast { counts, ..answer(&frame, None, 1.0, zone, turn.pose(pose_b, turn.angle)?) })
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

/// A step of a rotation in the world's frame.
#[derive(Clone, Copy)]
pub(super) struct Arc {
    pub axis: DVec3,
    pub origin: DVec3,
    /// tan of half the angle.
    pub limit: f64,
}

impl Arc {
    /// The parts of a point that go with the cosine and the sine.
    fn parts(&self, p: DVec3) -> [DVec3; 2] {
        let arm = p - self.origin;
        let sine = self.axis.cross(arm);
        [sine.cross(self.axis), sine]
    }

    /// The point at r = tan(α/2).
    pub fn at(&self, p: DVec3, r: f64) -> DVec3 {
        let [cosine, sine] = self.parts(p);
        p + (sine * (2.0 * r) - cosine * (2.0 * r * r)) / (1.0 + r * r)
    }

    /// The direction at r.
    fn direction_at(&self, v: DVec3, r: f64) -> DVec3 {
        Self { origin: DVec3::ZERO, ..*self }.at(v, r)
    }

    fn reversed(&self) -> Self {
        Self { axis: -self.axis, ..*self }
    }

    fn velocity(&self, p: DVec3) -> DVec3 {
        self.axis.cross(p - self.origin)
    }

    /// The height of a turning point above a plane.
    fn height(&self, p: DVec3, normal: DVec3, offset: f64) -> Wave {
        let [cosine, sine] = self.parts(p);
        Wave { start: normal.dot(p) - offset, cosine: normal.dot(cosine), sine: normal.dot(sine) }
    }

    /// The box of the arc of a point: its ends, and where a coordinate is extreme between them.
    fn bounds(&self, p: DVec3) -> Bounds {
        let [cosine, sine] = self.parts(p);
        let mut bounds = Bounds::EMPTY.with(p).with(self.at(p, self.limit));
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let wave = Wave { start: 0.0, cosine: sign * cosine[axis], sine: sign * sine[axis] };
                if let Some(r) = wave.peak().filter(|&r| r < self.limit) {
                    bounds = bounds.with(self.at(p, r));
                }
            }
        }
        bounds
    }
}

impl Posed {
    /// Turns everything on by an angle.
    fn turn(&mut self, about: &Arc, angle: f64) {
        if angle == 0.0 {
            return;
        }
        let quaternion = glam::DQuat::from_axis_angle(about.axis, angle);
        self.points.iter_mut().for_each(|p| *p = about.origin + quaternion * (*p - about.origin));
        for (normal, offset) in self.normals.iter_mut().zip(&mut self.offsets) {
            let on_plane = *normal * *offset;
            *normal = quaternion * *normal;
            *offset = normal.dot(about.origin + quaternion * (on_plane - about.origin));
        }
        self.into.iter_mut().flatten().for_each(|v| *v = quaternion * *v);
    }
}

pub(super) struct Sweep<'a> {
    world: &'a Polyhedron,
    body: &'a Polyhedron,
    posed: &'a Posed,
    found: &'a Candidates,
    about: Arc,
    zone: f64,
    first: First,
    counts: &'a mut CastCounts,
}

impl Sweep<'_> {
    /// Points of the body against the world's polygons.
    fn points_on_world(&mut self) {
        for &index in &self.found.faces {
            let face = self.world.faces[index as usize];
            let bounds = Bounds::of(self.world.loop_of(&face).iter().map(|c| self.world.points[c.point as usize]));
            for (i, &p) in self.posed.points.iter().enumerate() {
                if self.body.blunt[i] || !self.posed.point_boxes[i].overlaps(&bounds) {
                    continue;
                }
                self.counts.point_face += 1;
                let about = self.about;
                let wave = about.height(p, face.normal, face.offset);
                for low in wave.lows(self.zone, about.limit) {
                    let depth = |r: f64| self.world.depth_across(&face, about.at(p, r));
                    let cone = || stands_on(self.body, i as u32, face.normal, &self.posed.points);
                    if let Some(at) = self.stopped(&low, depth, cone) {
                        let features = [Feature::Face(index), Feature::Vertex(i as u32)];
                        self.first.offer(Contact { at, normal: face.normal, point: about.at(p, at), features });
                    }
                }
            }
        }
    }

    /// Points of the world, turning backwards, against the body's polygons.
    fn points_on_body(&mut self) {
        let back = self.about.reversed();
        for (index, face) in self.body.faces.iter().enumerate() {
            if !self.leads(index as u32) {
                continue;
            }
            let (normal, offset) = (self.posed.normals[index], self.posed.offsets[index]);
            for &i in &self.found.points {
                let p = self.world.points[i as usize];
                if !self.posed.face_boxes[index].overlaps(&Bounds { min: p, max: p }) {
                    continue;
                }
                self.counts.point_face += 1;
                for low in back.height(p, normal, offset).lows(self.zone, back.limit) {
                    let depth = |r: f64| self.posed.depth_across(self.body, face, back.at(p, r));
                    let cone = || stands_on(self.world, i, normal, &self.world.points);
                    if let Some(at) = self.stopped(&low, depth, cone) {
                        let features = [Feature::Vertex(i), Feature::Face(index as u32)];
                        let normal = -self.about.direction_at(normal, at);
                        self.first.offer(Contact { at, normal, point: p, features });
                    }
                }
            }
        }
    }

    /// Where a point that is low on a stretch of its arc is stopped, if that is above the polygon: where it came into the zone, or
    /// from the side. At the start, what is behind a point on the border of a polygon decides whether it is on it.
    fn stopped(&self, low: &Low, depth: impl Fn(f64) -> f64, stands_on: impl Fn() -> bool) -> Option<f64> {
        if !self.first.wants(low.report) {
            return None;
        }
        let margin = SIDE_MARGIN * self.zone;
        let inside = depth(low.from);
        if inside >= -margin && (low.from > 0.0 || inside > margin || stands_on()) {
            return Some(low.report);
        }
        let above = |r: f64| depth(r) >= -margin;
        (inside < -margin && above(low.to)).then(|| last_before(low.from, low.to, above))
    }

    /// Whether some corner of the body's polygon moves towards where it faces; that does not change while it turns.
    fn leads(&self, face: u32) -> bool {
        let Some(face_data) = self.body.faces.get(face as usize).filter(|_| face != NONE) else { return true };
        let closing = self.posed.normals[face as usize].cross(self.about.axis);
        closing != DVec3::ZERO
            && self
                .body
                .loop_of(face_data)
                .iter()
                .any(|corner| closing.dot(self.posed.points[corner.point as usize] - self.about.origin) > -self.zone)
    }
}
