//! The first body of a world that a ray or a moving body meets.

use super::World;
use super::filter::Filter;
use super::id::BodyId;
use super::slot::{Slot, box_of, rounded_reach};
use crate::answer::{Cast, RayHit, Start};
use crate::bvh::{NodeBox, SweptBox};
use crate::ccd::CastOptions;
use crate::ccd::polyhedra::CastError;
use crate::math::{Aabb, Real, Vec3, widen, widen_real};
use crate::motion::Motion;
use crate::ray::{Ray, RayOptions};
use crate::shape::BodyRef;
use crate::tolerance::sigma;
use crate::verbs::{self, Cache};

/// Parts into which the time of a motion that turns is cut to bound what the body passes.
const PARTS: u32 = 8;

impl World {
    /// The first hit of a ray among the bodies that the filter admits; of equal positions that of the lower id.
    ///
    /// ```
    /// use clearance::{Ray, RayOptions};
    /// use clearance::world::{Filter, NewBody, World, WorldOptions};
    /// use clearance::{Pose, Shape, Vec3};
    /// let mut world = World::new(WorldOptions::default());
    /// world.add(NewBody::new(Shape::sphere(1.0)?, Pose::from_translation([8.0, 0.0, 0.0])?))?;
    /// let near = world.add(NewBody::new(Shape::sphere(1.0)?, Pose::from_translation([4.0, 0.0, 0.0])?))?;
    /// let ray = Ray::new(Vec3::ZERO, Vec3::X)?;
    /// let (id, hit) = world.cast_ray(&ray, &RayOptions::default(), &Filter::default()).ok_or("a hit")?;
    /// assert!(id == near && (hit.t - 3.0).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_ray(&self, ray: &Ray, options: &RayOptions, filter: &Filter) -> Option<(BodyId, RayHit)> {
        let mut first: Option<(BodyId, RayHit)> = None;
        let mut meet = |at: u32| -> Real {
            if let Some((id, slot, body)) = self.admitted(at, filter)
                && let Some(hit) = verbs::cast_ray(body, &slot.pose, ray, options)
                && first.is_none_or(|(best, nearest)| hit.t < nearest.t || hit.t == nearest.t && id < best)
            {
                first = Some((id, hit));
            }
            first.map_or(options.max, |(_, hit)| hit.t)
        };
        let (origin, direction) = (ray.origin(), ray.direction());
        let mut bound = options.max;
        for &at in self.unsettled() {
            let bounds = self.slots.get(at as usize).and_then(Slot::current_box);
            let entry = |bounds: Aabb| NodeBox::enclosing(&bounds).entry(origin, direction, bound);
            if bounds.and_then(entry).is_some() {
                bound = meet(at);
            }
        }
        for tree in self.trees() {
            bound =
                tree.along(origin, direction, bound, |at, bound| if self.is_settled(at) { meet(at) } else { bound });
        }
        first
    }

    /// Moves a body along a motion and finds its first contact with a body that the filter admits; of equal fractions that of the
    /// lower id. Nothing if the whole motion is free. A body of the world that asks is left out by the filter.
    ///
    /// # Errors
    /// As for [`cast`](crate::cast()).
    ///
    /// ```
    /// use clearance::world::{Filter, NewBody, World, WorldOptions};
    /// use clearance::{Cache, CastOptions, Motion, Pose, Shape};
    /// let mut world = World::new(WorldOptions::default());
    /// let wall = NewBody::fixed(Shape::cuboid([1.0, 5.0, 5.0])?, Pose::from_translation([6.0, 0.0, 0.0])?);
    /// let wall = world.add(wall)?;
    /// let motion = Motion::translation(Pose::IDENTITY, [8.0, 0.0, 0.0])?;
    /// let (ball, mut cache) = (Shape::sphere(1.0)?, Cache::default());
    /// let found = world.cast(&ball, &motion, &mut cache, &CastOptions::default(), &Filter::default())?;
    /// let (id, cast) = found.ok_or("the ball meets the wall")?;
    /// assert!(id == wall && (cast.fraction - 0.5).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast<'b>(
        &self,
        body: impl Into<BodyRef<'b>>,
        motion: &Motion,
        cache: &mut Cache,
        options: &CastOptions,
        filter: &Filter,
    ) -> Result<Option<(BodyId, Cast)>, CastError> {
        let body = body.into();
        let mut first: Option<(BodyId, Cast)> = None;
        let mut failure = None;
        let sweep = Sweep::new(&body, motion);
        let beyond = options.clearance.max(0.0) + options.zone.max(0.0);
        self.each_near(&sweep.bounds.grown(beyond + sweep.slack(options, 0.0)), filter, |id, slot, other| {
            let latest = first.map_or(1.0, |(_, cast)| cast.fraction);
            let is_late = sweep.is_met_after(latest, slot, beyond + sweep.slack(options, slot.radius));
            if failure.is_some() || is_late {
                return;
            }
            match verbs::cast(other, &slot.pose, &body, motion, cache, options) {
                Err(error) => failure = Some(error),
                Ok(cast) => {
                    let overlaps = matches!(cast.start, Start::Overlapping { .. });
                    let met = cast.hit.is_some() || cast.fraction < 1.0 || overlaps;
                    let sooner = |(best, known): (BodyId, Cast)| {
                        cast.fraction < known.fraction || cast.fraction == known.fraction && id < best
                    };
                    if met && first.is_none_or(sooner) {
                        first = Some((id, cast));
                    }
                }
            }
        });
        failure.map_or(Ok(first), Err)
    }
}

/// What a moving body passes.
pub(super) struct Sweep {
    /// A box of all of it.
    pub bounds: Aabb,
    radius: Real,
    /// The box at the start and the way, if it does not turn.
    straight: Option<(Aabb, Vec3)>,
}

impl Sweep {
    pub fn new(body: &BodyRef<'_>, motion: &Motion) -> Self {
        let radius = body.geometry().bounding_radius() + body.padding;
        let start = box_of(body, motion.start());
        let speed = motion.speed(radius);
        // A motion of a fixed kind in which points away from the origin are no faster than the origin.
        let is_straight = motion.steady().is_some() && speed == motion.speed(0.0);
        if is_straight {
            let end = box_of(body, &motion.pose(1.0));
            let way = motion.pose(1.0).translation() - motion.start().translation();
            return Self { bounds: start.union(&end), radius, straight: Some((start, way)) };
        }
        // Within a part of the time no point is farther than half of its way from where it is at one of the ends.
        let (mut bounds, mut before) = (start, start);
        for part in 1..=PARTS {
            let times = [part - 1, part].map(|part| part as Real / PARTS as Real);
            let after = box_of(body, &motion.pose(times[1]));
            let way = motion.speed_between(radius, times[0], times[1]) / PARTS as Real;
            bounds = bounds.union(&before.union(&after).grown(0.5 * way));
            before = after;
        }
        Self { bounds, radius, straight: None }
    }

    /// How far from another body of a radius a cast may end, beyond its clearance and its zone.
    fn slack(&self, options: &CastOptions, radius: Real) -> Real {
        let size = self.radius + radius;
        let size = if size.is_finite() { size } else { self.radius.min(radius) };
        options.tolerance.max(0.0) * size + rounded_reach(size, 0.0)
    }

    /// Whether the box of another body, grown, is met after that share of the way, or not at all.
    fn is_met_after(&self, latest: Real, slot: &Slot, grown: Real) -> bool {
        let (Some((start, way)), Some(other)) = (&self.straight, slot.current_box()) else {
            return false;
        };
        let far = sigma(start.min.abs().max(start.max.abs()).element_sum() + way.abs().element_sum());
        let other = other.grown(grown + far);
        if !(start.min.is_finite() && other.min.is_finite() && other.max.is_finite()) {
            return false;
        }
        let sweep = SweptBox::new(widen(start.min), widen(start.max), widen(*way));
        !(sweep.entry(widen(other.min), widen(other.max)) <= widen_real(latest))
    }
}
