//! Questions about the bodies of a world as they are now: what overlaps a body or a box, what is nearest.
//!
//! Bodies that have not moved since the last step are found through two trees, that of the fixed bodies and that of the moving
//! ones; those that have are few between a step and the next, and are looked at one by one. Nothing is changed and nothing
//! remembered: every pair is asked with a cold cache, so that answers do not depend on what was asked before.

use super::World;
use super::filter::Filter;
use super::id::BodyId;
use super::report::NearBody;
use super::slot::{Slot, box_of};
use crate::bvh::{Bvh, NodeBox};
use crate::math::{Aabb, Pose, Real, Vec3};
use crate::shape::{Body, BodyRef, Shape};
use crate::tolerance::sigma;
use crate::verbs::{self, Cache};

impl World {
    /// The bodies that have a point in common with a body at a pose, in ascending order of their ids. `found` is emptied first.
    ///
    /// ```
    /// use clearance::world::{Filter, NewBody, World, WorldOptions};
    /// use clearance::{Pose, Shape};
    /// let mut world = World::new(WorldOptions::default());
    /// let ball = world.add(NewBody::new(Shape::sphere(1.0)?, Pose::IDENTITY))?;
    /// let (probe, pose) = (Shape::cuboid([1.0, 1.0, 1.0])?, Pose::from_translation([1.5, 0.0, 0.0])?);
    /// let mut found = Vec::new();
    /// world.overlapping(&probe, &pose, &Filter::default(), &mut found);
    /// assert_eq!(found, [ball]);
    /// world.overlapping(&probe, &pose, &Filter::except(ball), &mut found);
    /// assert!(found.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlapping<'b>(&self, body: impl Into<BodyRef<'b>>, pose: &Pose, filter: &Filter, found: &mut Vec<BodyId>) {
        let body = body.into();
        found.clear();
        self.each_near(&box_of(&body, pose), filter, |id, slot, other| {
            if verbs::overlap(&body, pose, other, &slot.pose, &mut Cache::default()).overlap {
                found.push(id);
            }
        });
        found.sort_unstable();
    }

    /// The bodies that have a point in common with a box along the axes, in ascending order of their ids; none if the box is empty or
    /// not a number. `found` is emptied first.
    pub fn overlapping_box(&self, bounds: &Aabb, filter: &Filter, found: &mut Vec<BodyId>) {
        found.clear();
        if !bounds.min.cmple(bounds.max).all() {
            return;
        }
        self.each_near(bounds, filter, |id, slot, other| {
            if slot.meets_box(other, bounds) {
                found.push(id);
            }
        });
        found.sort_unstable();
    }

    /// The `k` bodies nearest to a body at a pose, the nearest first; of equally near ones the lower id first. Those that overlap it
    /// come first, the deepest before the others. `found` is emptied first; it has fewer where there are fewer.
    ///
    /// ```
    /// use clearance::world::{Filter, NewBody, World, WorldOptions};
    /// use clearance::{Pose, Shape};
    /// let mut world = World::new(WorldOptions::default());
    /// for x in [9.0, 3.0, 6.0] {
    ///     world.add(NewBody::new(Shape::sphere(1.0)?, Pose::from_translation([x, 0.0, 0.0])?))?;
    /// }
    /// let mut found = Vec::new();
    /// world.nearest(2, &Shape::sphere(1.0)?, &Pose::IDENTITY, &Filter::default(), &mut found);
    /// let distances: Vec<_> = found.iter().map(|near| near.closest.distance).collect();
    /// assert_eq!(distances, [1.0, 4.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest<'b>(
        &self,
        k: usize,
        body: impl Into<BodyRef<'b>>,
        pose: &Pose,
        filter: &Filter,
        found: &mut Vec<NearBody>,
    ) {
        let (body, mut nearest) = (body.into(), Nearest { k, found });
        nearest.found.clear();
        let bounds = box_of(&body, pose);
        let near = |slot: u32, nearest: &mut Nearest<'_>| {
            if let Some((id, slot, other)) = self.admitted(slot, filter) {
                let closest = verbs::closest(&body, pose, other, &slot.pose, &mut Cache::default());
                nearest.offer(NearBody { body: id, closest });
            }
            nearest.bound()
        };
        for &slot in self.unsettled() {
            let away = |slot: &Slot| slot.current_box().is_none_or(|other| gap(&bounds, &other) >= nearest.bound());
            if !self.slots.get(slot as usize).is_none_or(away) {
                near(slot, &mut nearest);
            }
        }
        for tree in self.trees() {
            let bound = nearest.bound();
            tree.nearest(
                bound,
                |_, node| gap(&bounds, &node.to_aabb()),
                |slot, bound| if self.is_settled(slot) { near(slot, &mut nearest) } else { bound },
            );
        }
    }

    /// The `k` bodies nearest to a point, as for [`World::nearest`]. A point that is not a number or out of range has none.
    pub fn nearest_to_point(&self, k: usize, point: Vec3, filter: &Filter, found: &mut Vec<NearBody>) {
        found.clear();
        if let Ok(pose) = Pose::from_translation(point) {
            self.nearest(k, &Shape::point(), &pose, filter, found);
        }
    }

    /// Every body the filter admits whose box meets the given one, each once.
    pub(super) fn each_near(&self, bounds: &Aabb, filter: &Filter, mut visit: impl FnMut(BodyId, &Slot, &Body)) {
        for &at in self.unsettled() {
            if let Some((id, slot, body)) = self.admitted(at, filter)
                && slot.current_box().is_some_and(|other| other.overlaps(bounds))
            {
                visit(id, slot, body);
            }
        }
        let wide = NodeBox::enclosing(bounds);
        for tree in self.trees() {
            tree.overlapping(&wide, |at| {
                if let Some((id, slot, body)) = self.admitted(at, filter)
                    && self.is_settled(at)
                {
                    visit(id, slot, body);
                }
            });
        }
    }

    /// The trees of fixed and of moving bodies.
    pub(super) fn trees(&self) -> [&Bvh; 2] {
        [self.broad.bodies().fixed_tree(), self.index.tree()]
    }

    /// The bodies that are to be looked at one by one: those changed since the last step and, if there is no tree of them, all moving
    /// ones. Each once.
    pub(super) fn unsettled(&self) -> impl Iterator<Item = &u32> {
        let others = if self.options.queries { &[] } else { self.broad.bodies().moving() };
        let others = others.iter().filter(|&&at| self.is_settled(at));
        self.moved.iter().chain(others)
    }

    /// Whether what a tree says of a body is still so.
    #[inline]
    pub(super) fn is_settled(&self, at: u32) -> bool {
        self.slots.get(at as usize).is_some_and(|slot| slot.listed <= self.now)
    }

    /// The body in a place, if there is one and the filter admits it.
    #[inline]
    pub(super) fn admitted(&self, at: u32, filter: &Filter) -> Option<(BodyId, &Slot, &Body)> {
        let slot = self.slots.get(at as usize)?;
        let (id, body) = (slot.id(at), slot.body.as_ref()?);
        filter.admits(id, slot.group).then_some((id, slot, body))
    }
}

impl Slot {
    /// Whether the body has a point in common with a box along the axes.
    fn meets_box(&self, body: &Body, bounds: &Aabb) -> bool {
        let Some(own) = self.current_box() else {
            return false;
        };
        // What is outside of the body's own box does not matter: an endless box becomes finite.
        let common = Aabb { min: bounds.min.max(own.min), max: bounds.max.min(own.max) };
        if !common.min.cmple(common.max).all() {
            return false;
        }
        let (middle, half) = (common.center(), common.half_extents());
        let shape = Shape::cuboid(half.to_array()).or_else(|_| Shape::cuboid(slightly(half).to_array()));
        match (shape, Pose::from_translation(middle)) {
            (Ok(shape), Ok(pose)) => verbs::overlap(&shape, &pose, body, &self.pose, &mut Cache::default()).overlap,
            // Both are without end, and their boxes meet.
            _ => true,
        }
    }
}

/// The same with sides that are not zero, for a box that is flat.
fn slightly(half: Vec3) -> Vec3 {
    half.max(Vec3::splat(sigma(half.max_element())).max(Vec3::splat(Real::MIN_POSITIVE)))
}

/// A lower bound on the distance of what is in two boxes: less than everything if they overlap, since then nothing is known of the
/// depth.
fn gap(a: &Aabb, b: &Aabb) -> Real {
    let apart = (a.min - b.max).max(b.min - a.max);
    let distance = apart.max(Vec3::ZERO).length();
    // The sides have been rounded where they are, and bodies touch within rounding.
    let largest = |bounds: &Aabb| bounds.min.abs().max(bounds.max.abs()).min(Vec3::splat(Real::MAX)).element_sum();
    let least = distance - sigma(largest(a).min(Real::MAX) + largest(b).min(Real::MAX)).min(Real::MAX);
    if least > 0.0 { least } else { Real::NEG_INFINITY }
}

/// The nearest bodies so far, in order.
struct Nearest<'a> {
    k: usize,
    found: &'a mut Vec<NearBody>,
}

impl Nearest<'_> {
    /// What a body must be nearer than to count.
    fn bound(&self) -> Real {
        if self.k == 0 {
            return Real::NEG_INFINITY;
        }
        let last = self.found.last().filter(|_| self.found.len() >= self.k);
        last.map_or(Real::INFINITY, |last| last.closest.distance.next_up())
    }

    fn offer(&mut self, near: NearBody) {
        let order = |near: &NearBody| (near.closest.distance, near.body);
        let before = |other: &NearBody| {
            let ((d, id), (own, own_id)) = (order(other), order(&near));
            d.total_cmp(&own).then(id.cmp(&own_id)).is_lt()
        };
        let at = self.found.partition_point(before);
        if at < self.k {
            self.found.insert(at, near);
            self.found.truncate(self.k);
        }
    }
}
