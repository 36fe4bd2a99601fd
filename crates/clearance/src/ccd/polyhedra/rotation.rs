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

use super::candidates::Candidates;
use super::error::CastError;
use super::overlap::{is_clear, met_by, start_overlap};
use super::polyhedron::{Face, NONE, Polyhedron};
use super::query::{Bounds, CastScratch, Contact, First, Frame, Posed, answer};
use super::translation::stands_on;
use super::wave::{Low, Wave, last_before};
use super::{Cast, CastCounts, Feature, Shortcuts, TrajectoryOptions};
use crate::math::{Pose, Quat, Real, Vec3, length, narrow, rounded_up, unit_or, widen, widen_real};
use crate::tolerance::{ARC_NOISE, SIDE_MARGIN};

mod edges;
mod rings;
mod witness;

use rings::Ring;
pub(super) use rings::Rings;

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
        let [cosine, sine] = self.parts(p).map(|part| normal.dot(part));
        // A point on the axis, or that turns in the plane, stays where it is: rounding must not hold it there.
        let noise = ARC_NOISE * (p.abs().max_element() + self.origin.abs().max_element());
        let still = cosine.abs() + sine.abs() <= noise;
        let [cosine, sine] = if still { [0.0; 2] } else { [cosine, sine] };
        Wave { start: normal.dot(p) - offset, cosine, sine }
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
    found: &'a mut Candidates,
    rings: &'a Rings,
    about: Arc,
    zone: f64,
    first: First,
    counts: &'a mut CastCounts,
    shortcuts: Shortcuts,
}

/// Boxes along a step at most.
const MOST_PIECES: f64 = 64.0;
/// The length of a piece of the arc, relative to the body's box.
const PIECE_LENGTH: f64 = 0.5;

impl Sweep<'_> {
    /// Looks at the world along the step, a piece at a time, until the first contact.
    fn pieces(&mut self, angle: f64) {
        let start = Bounds::of(self.posed.points.iter().copied());
        let radius = self.rings.whole.radius();
        let wanted = radius * angle / (PIECE_LENGTH * (start.max - start.min).max_element());
        let count = if wanted > 0.0 { wanted.ceil().min(MOST_PIECES) } else { 1.0 };
        // An arc is as far from its chord as this at most.
        let bulge = radius * (1.0 - (0.5 * angle / count).cos()) + 2.0 * self.zone;
        let tangent = |piece: f64| (0.5 * angle * piece / count).tan();
        let at = |sweep: &Self, r: f64| Bounds::of(sweep.posed.points.iter().map(|&p| sweep.about.at(p, r)));
        let ends = start.union(at(self, self.about.limit));
        let whole = ends.grown(radius * (1.0 - (0.5 * angle).cos()) + 2.0 * self.zone);
        if !self.world.has_any_in(&whole.node_box()) {
            return;
        }
        let mut before = start;
        for piece in 1..=count as u32 {
            let end = tangent(f64::from(piece));
            let after = at(self, end);
            let world = self.world;
            let near = before.union(after).grown(bulge).node_box();
            if world.faces.is_empty() {
                world.anchor_tree.overlapping(&near, |anchor| self.visit_point(world.anchors[anchor as usize]));
            } else {
                world.in_box(&near, |face| self.visit(face, &whole));
            }
            if self.first.contact.is_some_and(|contact| contact.at <= end) {
                return;
            }
            before = after;
        }
    }

    /// A polygon of the world near the arc, with those of its points and edges that were not seen before.
    fn visit(&mut self, index: u32, whole: &Bounds) {
        if !self.found.seen.face(index) {
            return;
        }
        self.counts.candidates += 1;
        let (world, rings) = (self.world, self.rings);
        let face = &world.faces[index as usize];
        if self.shortcuts.leave_out(face.sight) {
            self.counts.covered_faces += 1;
            return;
        }
        let corners = world.loop_of(face);
        let nexts = corners.iter().skip(1).chain(corners.first());
        let ring = Ring::of_polygon(corners.iter().zip(nexts).map(|(a, b)| [rings.of(a.place), rings.of(b.place)]));
        if !rings.whole.overlaps(&ring) {
            return;
        }
        self.counts.reached += 1;
        self.points_on_face(index, face, &ring, whole);
        for corner in corners {
            self.visit_point(corner.point);
        }
        for corner in corners {
            if self.shortcuts.internal_edges && corner.internal {
                self.counts.internal_edges += u32::from(corner.side == 0);
            } else if self.found.seen.edge(corner.edge) {
                self.edge_on_body(corner.edge);
            }
        }
    }

    fn visit_point(&mut self, point: u32) {
        if self.found.seen.point(point) {
            self.point_on_body(point);
        }
    }

    /// Points of the body against a polygon of the world.
    fn points_on_face(&mut self, index: u32, face: &Face, ring: &Ring, whole: &Bounds) {
        if self.shortcuts.leave_out_face(face.sight) {
            self.counts.covered_faces += 1;
            return;
        }
        if self.shortcuts.back_faces && !self.is_approached(face, whole) {
            self.counts.back_faces += 1;
            return;
        }
        let rings = self.rings;
        for (i, own) in &rings.points {
            if !own.overlaps(ring) {
                continue;
            }
            self.counts.point_face += 1;
            let (about, p) = (self.about, self.posed.points[*i as usize]);
            let wave = about.height(p, face.normal, face.offset);
            if !wave.may_sink(self.zone, about.limit) {
                continue;
            }
            for low in wave.lows(self.zone, about.limit) {
                let depth = |r: f64| self.world.depth_across(face, about.at(p, r));
                let cone = || stands_on(self.body, *i, face.normal, &self.posed.points);
                if let Some(at) = self.stopped(&low, depth, cone) {
                    let features = [Feature::Face(index), Feature::Vertex(*i)];
                    self.first.offer(Contact { at, normal: face.normal, point: about.at(p, at), features });
                }
            }
        }
    }

    /// A point of the world, turning backwards, against the body's polygons.
    fn point_on_body(&mut self, i: u32) {
        if self.shortcuts.internal_points && self.world.blunt[i as usize] {
            self.counts.internal_points += 1;
            return;
        }
        let (back, rings) = (self.about.reversed(), self.rings);
        let p = self.world.points[i as usize];
        let ring = Ring::of_point(rings.of(p));
        for (index, own) in &rings.faces {
            if !own.overlaps(&ring) {
                continue;
            }
            self.counts.point_face += 1;
            let (normal, offset) = (self.posed.normals[*index as usize], self.posed.offsets[*index as usize]);
            let wave = back.height(p, normal, offset);
            if !wave.may_sink(self.zone, back.limit) {
                continue;
            }
            let face = &self.body.faces[*index as usize];
            for low in wave.lows(self.zone, back.limit) {
                let depth = |r: f64| self.posed.depth_across(self.body, face, back.at(p, r));
                let cone = || stands_on(self.world, i, normal, &self.world.points);
                if let Some(at) = self.stopped(&low, depth, cone) {
                    let features = [Feature::Vertex(i), Feature::Face(*index)];
                    let normal = -self.about.direction_at(normal, at);
                    self.first.offer(Contact { at, normal, point: p, features });
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

    /// Whether a point of the body may come nearer to a polygon of the world where it is above it.
    fn is_approached(&self, face: &Face, whole: &Bounds) -> bool {
        let closing = face.normal.cross(self.about.axis);
        let arms = self.world.loop_of(face).iter().map(|c| c.place);
        let near = Bounds::of(arms.clone()).grown(self.zone).intersection(whole);
        // The corner of the box that is least along it; a polygon is met within a zone of itself.
        let least = DVec3::select(closing.cmplt(DVec3::ZERO), near.max, near.min);
        closing != DVec3::ZERO
            && closing.dot(least - self.about.origin) < self.zone
            && arms.into_iter().any(|p| closing.dot(p - self.about.origin) < self.zone)
    }

    /// Whether some place on an edge of the world moves against a polygon beside it, seen from the body.
    fn edge_is_approached(&self, ends: [DVec3; 2], polygons: [u32; 2]) -> bool {
        polygons.iter().any(|&face| {
            let Some(face) = self.world.faces.get(face as usize).filter(|_| face != NONE) else { return true };
            let closing = face.normal.cross(self.about.axis);
            closing != DVec3::ZERO && ends.iter().any(|&p| closing.dot(p - self.about.origin) < self.zone)
        })
    }
}
