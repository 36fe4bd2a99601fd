//! Bodies of a world that move one after the other, each until others are in the way (DOOM III paper, section 6).

use smallvec::SmallVec;

use super::World;
use super::error::WorldError;
use super::filter::Filter;
use super::id::BodyId;
use super::slot::{box_of, rounded_reach};
use crate::ccd::polyhedra::Rotation;
use crate::ccd::{CastOptions, Moved, Slid};
use crate::math::{Aabb, Pose, Real, Vec3};
use crate::shape::BodyRef;
use crate::verbs::{self, Cache};

/// Obstacles kept without allocating.
const FEW: usize = 16;

/// What may be in the way: the place in the table of bodies, and the body.
type Obstacles<'a> = (SmallVec<[u32; FEW]>, SmallVec<[(BodyRef<'a>, Pose); FEW]>);

impl World {
    /// Moves a body of the world along a translation as far as it is free of the bodies that the filter admits, and on along what it
    /// meets; the body is then where the answer says. The number with each hit is the [`index`](BodyId::index) of the body met.
    ///
    /// # Errors
    /// If there is no such body, or as for [`slide`](crate::slide()); the body stays where it is.
    ///
    /// ```
    /// use clearance::world::{Filter, NewBody, World, WorldOptions};
    /// use clearance::{Cache, CastOptions, Pose, Shape, SlideEnd, Vec3};
    /// let mut world = World::new(WorldOptions::default());
    /// let floor = world.add(NewBody::fixed(Shape::cuboid([10.0, 10.0, 1.0])?, Pose::IDENTITY))?;
    /// let ball = world.add(NewBody::new(Shape::sphere(0.5)?, Pose::from_translation([0.0, 0.0, 3.0])?))?;
    /// let (way, mut cache) = (Vec3::new(4.0, 0.0, -6.0), Cache::default());
    /// let slid = world.slide(ball, way, &mut cache, &CastOptions::default(), &Filter::default())?;
    /// assert!(slid.end == SlideEnd::Slid && slid.hits[0].0 == floor.index());
    /// assert!((world.pose(ball)?.translation() - Vec3::new(4.0, 0.0, 1.5)).length() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slide(
        &mut self,
        id: BodyId,
        translation: Vec3,
        cache: &mut Cache,
        options: &CastOptions,
        filter: &Filter,
    ) -> Result<Slid, WorldError> {
        let (body, pose) = (self.body(id)?, *self.pose(id)?);
        let reach = translation.length();
        let (slots, obstacles) = self.obstacles(id, &box_of(&body.into(), &pose), reach, options, filter);
        let mut slid = verbs::slide(&obstacles, body, &pose, translation, cache, options)?;
        for (met, _) in &mut slid.hits {
            *met = named(&slots, *met);
        }
        drop(obstacles);
        self.set_pose(id, slid.pose)?;
        Ok(slid)
    }

    /// Moves a body of the world along a translation and then turns it, each until a body that the filter admits is in the way; the
    /// body is then where the answer says. The number with each cast is the [`index`](BodyId::index) of the body that stopped it, and
    /// of no meaning if nothing did.
    ///
    /// # Errors
    /// If there is no such body, or as for [`move_body`](crate::move_body()); the body stays where it is.
    pub fn move_body(
        &mut self,
        id: BodyId,
        translation: Vec3,
        rotation: Rotation,
        cache: &mut Cache,
        options: &CastOptions,
        filter: &Filter,
    ) -> Result<Moved, WorldError> {
        let (body, pose) = (self.body(id)?, *self.pose(id)?);
        // No point turns farther from where it was than the diameter of its circle.
        let (at, radius) = (pose.translation(), body.bounding_radius());
        let reach = translation.length() + 2.0 * (radius + (rotation.origin - at).length());
        let (slots, obstacles) = self.obstacles(id, &box_of(&body.into(), &pose), reach, options, filter);
        let mut moved = verbs::move_body(&obstacles, body, &pose, translation, rotation, cache, options)?;
        moved.translation.0 = named(&slots, moved.translation.0);
        moved.rotation.0 = named(&slots, moved.rotation.0);
        drop(obstacles);
        self.set_pose(id, moved.pose)?;
        Ok(moved)
    }

    /// The bodies that the filter admits within a distance of a box, in ascending order.
    fn obstacles(
        &self,
        mover: BodyId,
        bounds: &Aabb,
        reach: Real,
        options: &CastOptions,
        filter: &Filter,
    ) -> Obstacles<'_> {
        let size = bounds.half_extents().length();
        let size = if size.is_finite() { size } else { 0.0 };
        let beyond = options.clearance.max(0.0) + options.zone.max(0.0) + options.tolerance.max(0.0) * size;
        let mut slots = SmallVec::new();
        self.each_near(&bounds.grown(reach + 4.0 * rounded_reach(reach + size, beyond)), filter, |id, _, _| {
            if id != mover {
                slots.push(id.slot);
            }
        });
        slots.sort_unstable();
        let placed = |&slot: &u32| {
            let slot = self.slots.get(slot as usize)?;
            Some((slot.body.as_ref()?.into(), slot.pose))
        };
        let bodies = slots.iter().filter_map(placed).collect();
        (slots, bodies)
    }
}

/// The place of an obstacle in the table of bodies.
fn named(slots: &[u32], obstacle: usize) -> usize {
    slots.get(obstacle).map_or(usize::MAX, |&slot| slot as usize)
}
