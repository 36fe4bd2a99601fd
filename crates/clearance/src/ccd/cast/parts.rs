//! Bodies as their parts: the first contact of any two of them, or that of each two.

use super::super::polyhedra::{CastError, CastScratch};
use super::options::CastOptions;
use super::pair::{Pair, Placed, Stop};
use super::start::Resting;
use crate::answer::{Cast, Contact, Start};
use crate::math::{Aabb, Pose, Real, Vec3, narrow, narrow_real};
use crate::motion::{Motion, Simple};
use crate::narrow::End;
use crate::shape::{BodyRef, Core, Geometry};
use crate::tolerance::CAST_ROOM;

/// Moves B along a motion and finds its first contact with A, which rests. Bodies and motions of every kind; see the
/// module for which algorithm answers, and for what the bounds mean.
///
/// # Errors
/// If a number of the options is negative or not finite, the motion of a part leaves the range of poses, or coordinates are too large for
/// the precision.
///
/// ```
/// use clearance::ccd::{CastOptions, cast_body, polyhedra::CastScratch};
/// use clearance::{Body, Mesh, Motion, Pose, Shape, Vec3};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
/// let mesh: Body = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?.into();
/// let ball: Body = Shape::sphere(0.5)?.into();
/// let start = Pose::from_translation([-2.5, 0.25, 0.25])?;
/// let motion = Motion::translation(start, [4.0, 0.0, 0.0])?;
/// let (options, mut scratch) = (CastOptions::default(), CastScratch::default());
/// let cast = cast_body(&mesh, &Pose::IDENTITY, &ball, &motion, &options, &mut scratch)?;
/// assert!((cast.fraction - 0.5).abs() < 1e-6 && cast.lower <= 0.5 && cast.upper >= 0.5);
/// let keep = CastOptions { clearance: 1.0, ..options };
/// assert!((cast_body(&mesh, &Pose::IDENTITY, &ball, &motion, &keep, &mut scratch)?.fraction - 0.25).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_body<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    motion: &Motion,
    options: &CastOptions,
    scratch: &mut CastScratch,
) -> Result<Cast, CastError> {
    let (a, b) = (a.into(), b.into());
    let padded = Padded::new([&a, &b], options)?;
    let asked = padded.asked(pose_a, motion, false);
    Ok(padded.unpadded(asked.first(scratch)?.cast))
}

/// [`cast_body`] for two convex shapes and a translation, which need no memory; nothing for others, or if that cannot tell.
///
/// # Errors
/// As [`cast_body`].
pub fn cast_straight(
    a: &BodyRef<'_>,
    pose_a: &Pose,
    b: &BodyRef<'_>,
    motion: &Motion,
    options: &CastOptions,
) -> Result<Option<Cast>, CastError> {
    let padded = Padded::new([a, b], options)?;
    let asked = padded.asked(pose_a, motion, false);
    let simple = motion.steady().and_then(|steady| steady.simple());
    let (Some(Simple::Translation(by)), true) = (simple, asked.is_convex()) else { return Ok(None) };
    let [Some(part_a), Some(part_b)] = [placed(asked.bodies[0], 0, pose_a), placed(asked.bodies[1], 0, motion.start())]
    else {
        return Ok(None);
    };
    // A translation is the same for a shape moved within its frame.
    let pair = Pair { parts: [&part_a, &part_b], motion, options: asked.options, keeps_zone: false };
    let found = pair.by_range(narrow(by));
    Ok(found.map(|stop| padded.unpadded(started(&asked.resting(), stop, [0; 2]).cast)))
}

/// The first contact of each part of B with each part of A that it meets, appended to the list, the earliest first.
///
/// # Errors
/// As [`cast_body`].
pub fn cast_all<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    motion: &Motion,
    options: &CastOptions,
    scratch: &mut CastScratch,
    list: &mut Vec<Cast>,
) -> Result<(), CastError> {
    let (a, b) = (a.into(), b.into());
    let padded = Padded::new([&a, &b], options)?;
    let asked = padded.asked(pose_a, motion, false);
    let begin = list.len();
    asked.each(scratch, |two, stop| {
        if stop.cast.hit.is_some() || stop.overlaps() {
            let resting = Resting {
                bodies: two.map(|part| part.body),
                poses: [&two[0].pose, &two[1].pose],
                clearance: padded.options.clearance,
            };
            list.push(padded.unpadded(started(&resting, stop, two.map(|part| part.number)).cast));
        }
        true
    })?;
    list[begin..].sort_by(|a, b| a.fraction.total_cmp(&b.fraction));
    Ok(())
}

/// Two bodies without their padding, which is added to the clearance and taken from the answer.
pub(super) struct Padded<'b> {
    bodies: [Geometry<'b>; 2],
    padding: [Real; 2],
    options: CastOptions,
}

impl<'b> Padded<'b> {
    pub fn new([a, b]: [&'b BodyRef<'_>; 2], options: &CastOptions) -> Result<Self, CastError> {
        options.check()?;
        let padding = [a.padding, b.padding];
        let clearance = options.clearance + padding[0] + padding[1];
        Ok(Self { bodies: [a.geometry(), b.geometry()], padding, options: CastOptions { clearance, ..*options } })
    }

    /// The distance to be kept between the bodies without padding.
    pub fn clearance(&self) -> Real {
        self.options.clearance
    }

    pub fn asked<'s>(&'s self, pose_a: &'s Pose, motion: &'s Motion, keeps_zone: bool) -> Asked<'s> {
        Asked { bodies: self.bodies, pose_a, motion, options: &self.options, keeps_zone }
    }

    /// A contact of the bodies as one of the padded bodies.
    pub fn unpadded(&self, mut cast: Cast) -> Cast {
        if let Some(hit) = &mut cast.hit {
            let [of_a, of_b] = self.padding;
            hit.points = [hit.points[0] + hit.normal * of_a, hit.points[1] - hit.normal * of_b];
            hit.distance -= of_a + of_b;
        }
        cast
    }
}

/// A cast of two bodies.
pub(super) struct Asked<'b> {
    pub bodies: [Geometry<'b>; 2],
    pub pose_a: &'b Pose,
    pub motion: &'b Motion,
    pub options: &'b CastOptions,
    pub keeps_zone: bool,
}

impl Asked<'_> {
    /// The first contact of any two parts.
    pub fn first(&self, scratch: &mut CastScratch) -> Result<Stop, CastError> {
        let (mut first, mut iterations) = (Stop::FREE, 0);
        let mut near: Option<Real> = None;
        self.each(scratch, |_, stop| {
            iterations += stop.cast.iterations;
            near = [near, stop.near].into_iter().flatten().reduce(Real::max);
            let (zone, upper) = (first.zone.max(stop.zone), first.cast.upper.min(stop.cast.upper));
            let lower = first.cast.lower.min(stop.cast.lower);
            let worse = stop.cast.end != End::Converged && first.cast.hit.is_none();
            let (this, that) = (stop.cast.fraction, first.cast.fraction);
            if stop.overlaps() || this < that || (this == that && worse) {
                first = stop;
            }
            (first.zone, first.cast.lower, first.cast.upper) = (zone, lower, upper.max(first.cast.fraction));
            !stop.overlaps()
        })?;
        // Of what slides only an overlap is asked for.
        first.near = near.filter(|_| !self.keeps_zone);
        first.cast.iterations = iterations;
        Ok(started(&self.resting(), first, [0; 2]))
    }

    fn resting(&self) -> Resting<'_> {
        let poses = [self.pose_a, self.motion.start()];
        Resting { bodies: self.bodies, poses, clearance: self.options.clearance }
    }

    fn is_convex(&self) -> bool {
        matches!(self.bodies, [Geometry::Convex(_), Geometry::Convex(_)])
    }

    /// Two bodies that have one part each.
    fn alone(&self, simple: Simple, ask: impl FnOnce(&Pair<'_>) -> Result<(), CastError>) -> Result<(), CastError> {
        let Self { bodies: [a, b], pose_a, motion, options, keeps_zone } = *self;
        let [Some(part_a), Some(part_b)] = [placed(a, 0, pose_a), placed(b, 0, motion.start())] else {
            return Ok(());
        };
        let moved = part_motion(motion, simple, &part_b.pose)?;
        ask(&Pair { parts: [&part_a, &part_b], motion: &moved, options, keeps_zone })
    }

    /// Visits the stop of each two parts that may meet, until told to end.
    fn each(
        &self,
        scratch: &mut CastScratch,
        mut visit: impl FnMut([&Placed<'_>; 2], Stop) -> bool,
    ) -> Result<(), CastError> {
        let Self { bodies: [a, b], pose_a, motion, options, keeps_zone } = *self;
        let start = motion.start();
        let Some(simple) = motion.steady().and_then(|steady| steady.simple()) else {
            // Other motions are advanced with the bodies as they are.
            let parts = [&Placed { body: a, pose: *pose_a, number: 0 }, &Placed { body: b, pose: *start, number: 0 }];
            visit(parts, Pair { parts, motion, options, keeps_zone }.advanced());
            return Ok(());
        };
        if self.is_convex() {
            // What is found for two shapes at once costs no more than their boxes do.
            return self.alone(simple, |pair| {
                visit(pair.parts, pair.stop(scratch)?);
                Ok(())
            });
        }
        for j in 0..part_count(b) {
            let Some(part_b) = placed(b, j, start) else { continue };
            let moved = part_motion(motion, simple, &part_b.pose)?;
            let swept = swept(&part_b.body.aabb(&part_b.pose), simple);
            for i in 0..part_count(a) {
                let Some(part_a) = placed(a, i, pose_a) else { continue };
                let around = part_a.body.aabb(&part_a.pose);
                // Within reach of the zone and of what counts as touching.
                let size = (around.max - around.min).length() + around.center().abs().max_element();
                let margin = CAST_ROOM * size + options.clearance + options.zone;
                let is_known = margin.is_finite() && swept.min.is_finite() && swept.max.is_finite();
                if is_known && !around.grown(margin).overlaps(&swept) {
                    continue;
                }
                let parts = [&part_a, &part_b];
                let stop = Pair { parts, motion: &moved, options, keeps_zone }.stop(scratch)?;
                if !visit(parts, stop) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Fills in how the bodies are at the start, with the contact and the way out of an overlap.
fn started(resting: &Resting, mut stop: Stop, numbers: [u32; 2]) -> Stop {
    if stop.overlaps() {
        let near = resting.near();
        let mut contact = resting.contact(&near);
        for (feature, number) in contact.features.iter_mut().zip(numbers) {
            feature.part = feature.part.max(number);
        }
        stop.cast.hit = Some(contact);
        stop.cast.start = Start::Overlapping { way_out: resting.way_out(&near, stop.way_out) };
        return stop;
    }
    let touches = stop.near.is_some_and(|reach| {
        let near = resting.near();
        near.distance - resting.clearance <= reach || (resting.clearance == 0.0 && near.contact != Contact::Apart)
    });
    stop.cast.start = if touches { Start::Touching } else { Start::Apart };
    stop
}

/// How many parts a body has.
pub(super) fn part_count(body: Geometry<'_>) -> u32 {
    if let Geometry::Compound(compound) = body { compound.part_count() as u32 } else { 1 }
}

/// A part where it is, a moved shape as what it is.
pub(super) fn placed<'b>(body: Geometry<'b>, number: u32, pose: &Pose) -> Option<Placed<'b>> {
    let (body, pose) = match body {
        Geometry::Compound(compound) => {
            let (leaf, own) = compound.parts.get(number as usize)?;
            (leaf.geometry(), pose.compose(own))
        }
        other => (other, *pose),
    };
    let Geometry::Convex(shape) = body else { return Some(Placed { body, pose, number }) };
    let (mut inner, mut place) = (shape, pose);
    while let Core::Posed(part) = inner.core()
        && inner.radius() == 0.0
    {
        (inner, place) = (&part.shape, place.compose(&part.pose));
    }
    Some(Placed { body: Geometry::Convex(inner), pose: place, number })
}

/// The motion of a part that starts at a pose.
fn part_motion(motion: &Motion, simple: Simple, pose: &Pose) -> Result<Motion, CastError> {
    if pose == motion.start() {
        return Ok(motion.clone());
    }
    let moved = match simple {
        Simple::Translation(by) => Motion::translation(*pose, narrow(by)),
        Simple::Rotation { origin, axis, angle } => {
            Motion::rotation(*pose, narrow(origin), narrow(axis), narrow_real(angle))
        }
    };
    moved.map_err(|_| CastError::Range)
}

/// A box that contains all that a body in the given one sweeps.
fn swept(bounds: &Aabb, simple: Simple) -> Aabb {
    match simple {
        Simple::Translation(by) => {
            let by = narrow(by);
            bounds.union(&Aabb { min: bounds.min + by, max: bounds.max + by })
        }
        Simple::Rotation { origin, axis, .. } => {
            let (origin, along) = (narrow(origin), narrow(axis));
            let middle = bounds.center();
            let foot = origin + along * along.dot(middle - origin);
            // Room for the rounding of the foot, too.
            let reach = bounds.half_extents().length() + (middle - foot).length();
            let reach = reach + (reach + (foot - origin).length()) * CAST_ROOM;
            Aabb { min: foot - Vec3::splat(reach), max: foot + Vec3::splat(reach) }
        }
    }
}
