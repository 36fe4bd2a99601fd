//! The bodies of a broad phase: their boxes by number, and which have gone since the last update.

use super::error::{BroadError, MAX_BODY};
use super::fixed::FixedBodies;
use super::pair::Pair;
use crate::bvh::Bvh;
use crate::math::Aabb;

/// Boxes by number, of moving bodies and of fixed ones.
#[derive(Debug, Clone)]
pub struct Bodies {
    bounds: Vec<Aabb>,
    alive: Vec<bool>,
    count: usize,
    /// The numbers of the moving bodies in ascending order, as of the last update.
    moving: Vec<u32>,
    /// Whether bodies have come or gone since then.
    is_changed: bool,
    fixed: FixedBodies,
    /// Removed since the last update, each once.
    removed: Vec<u32>,
    was_removed: Vec<bool>,
    most_pairs: usize,
}

/// Pairs that an update keeps unless told otherwise. A world remembers about half a kilobyte for each: a gigabyte in all.
pub const MOST_PAIRS: usize = 1 << 21;

impl Default for Bodies {
    fn default() -> Self {
        Self {
            bounds: Vec::new(),
            alive: Vec::new(),
            count: 0,
            moving: Vec::new(),
            is_changed: false,
            fixed: FixedBodies::default(),
            removed: Vec::new(),
            was_removed: Vec::new(),
            most_pairs: MOST_PAIRS,
        }
    }
}

impl Bodies {
    /// How many pairs an update keeps at most; one that finds more is not complete, and takes no more memory and time than those
    /// take. [`MOST_PAIRS`] unless told otherwise.
    pub fn set_most_pairs(&mut self, most: usize) {
        self.most_pairs = most;
    }

    /// How many pairs an update keeps at most.
    #[inline]
    pub fn most_pairs(&self) -> usize {
        self.most_pairs
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The box of a body.
    #[inline]
    pub fn get(&self, id: u32) -> Option<&Aabb> {
        self.contains(id).then(|| &self.bounds[id as usize])
    }

    /// All bodies, in ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Aabb)> {
        let slots = self.alive.iter().zip(&self.bounds).enumerate();
        slots.filter(|(_, (alive, _))| **alive).map(|(id, (_, bounds))| (id as u32, bounds))
    }

    /// The numbers of the moving bodies as of the last update, in ascending order.
    #[inline]
    pub(crate) fn moving(&self) -> &[u32] {
        &self.moving
    }

    /// The moving bodies as of the last update, in ascending order.
    #[inline]
    pub(super) fn iter_moving(&self) -> impl Iterator<Item = (u32, &Aabb)> {
        self.moving.iter().map(|&id| (id, &self.bounds[id as usize]))
    }

    /// The tree of the fixed bodies, as of the last update.
    #[inline]
    pub(crate) fn fixed_tree(&self) -> &Bvh {
        self.fixed.tree()
    }

    /// Whether this is a fixed body.
    #[inline]
    pub fn is_fixed(&self, id: u32) -> bool {
        self.contains(id) && self.fixed.contains(id)
    }

    /// Adds a body that rarely moves, or never; see [`BroadPhase::add_fixed`](super::BroadPhase::add_fixed).
    ///
    /// # Errors
    /// If the number is in use or too large, or the box is none.
    pub fn add_fixed(&mut self, id: u32, bounds: Aabb) -> Result<(), BroadError> {
        self.add(id, bounds)?;
        self.fixed.add(id);
        Ok(())
    }

    /// Adds a moving body; see [`BroadPhase::add`](super::BroadPhase::add).
    ///
    /// # Errors
    /// If the number is in use or too large, or the box is none.
    pub fn add(&mut self, id: u32, bounds: Aabb) -> Result<(), BroadError> {
        if id > MAX_BODY {
            return Err(BroadError::NumberTooLarge { id });
        }
        if self.contains(id) {
            return Err(BroadError::DuplicateBody { id });
        }
        check(id, &bounds)?;
        let index = id as usize;
        if index >= self.alive.len() {
            self.bounds.resize(index + 1, Aabb::EMPTY);
            self.alive.resize(index + 1, false);
            self.was_removed.resize(index + 1, false);
        }
        self.bounds[index] = bounds;
        self.alive[index] = true;
        self.count += 1;
        self.is_changed = true;
        Ok(())
    }

    /// Removes a body.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn remove(&mut self, id: u32) -> Result<(), BroadError> {
        if !self.contains(id) {
            return Err(BroadError::UnknownBody { id });
        }
        let index = id as usize;
        self.alive[index] = false;
        self.bounds[index] = Aabb::EMPTY;
        self.count -= 1;
        self.is_changed = true;
        self.fixed.remove(id);
        if !self.was_removed[index] {
            self.was_removed[index] = true;
            self.removed.push(id);
        }
        Ok(())
    }

    /// Gives a body a new box.
    ///
    /// # Errors
    /// If there is no such body, or the box is none.
    #[inline]
    pub fn set(&mut self, id: u32, bounds: Aabb) -> Result<(), BroadError> {
        check(id, &bounds)?;
        match self.bounds.get_mut(id as usize) {
            Some(slot) if self.alive[id as usize] => *slot = bounds,
            _ => return Err(BroadError::UnknownBody { id }),
        }
        self.fixed.mark(id);
        Ok(())
    }

    /// Says that the box of a fixed body has been changed through [`Bodies::bounds_mut`].
    pub(crate) fn mark_fixed(&mut self, id: u32) {
        self.fixed.mark(id);
    }

    /// All boxes by number, to be set in any order or at once. Each must be a box, and those of no body must stay.
    #[inline]
    pub(crate) fn bounds_mut(&mut self) -> &mut [Aabb] {
        &mut self.bounds
    }

    /// The box of each number.
    #[inline]
    pub(super) fn bounds(&self) -> &[Aabb] {
        &self.bounds
    }

    /// An update begins: lists the moving bodies, and the tree of the fixed ones takes over what has changed.
    pub(super) fn prepare(&mut self) {
        if std::mem::take(&mut self.is_changed) {
            let Self { moving, alive, fixed, .. } = self;
            moving.clear();
            let alive = alive.iter().enumerate().filter(|(_, alive)| **alive);
            moving.extend(alive.map(|(id, _)| id as u32).filter(|&id| !fixed.contains(id)));
        }
        let Self { bounds, alive, fixed, removed, .. } = self;
        fixed.follow(removed, |id| alive.get(id as usize).is_some_and(|&alive| alive).then(|| &bounds[id as usize]));
    }

    /// Finds the pairs of a moving and a fixed body.
    pub(super) fn pairs_with_fixed(&mut self, found: &mut Vec<Pair>) {
        let Self { bounds, moving, fixed, most_pairs, .. } = self;
        if found.len() <= *most_pairs {
            fixed.pairs_with(moving, bounds, *most_pairs, found);
        }
    }

    /// Whether there is such a body.
    #[inline]
    pub fn contains(&self, id: u32) -> bool {
        self.alive.get(id as usize).is_some_and(|&alive| alive)
    }

    /// One more than the largest number ever used.
    #[inline]
    pub(super) fn capacity(&self) -> usize {
        self.alive.len()
    }

    /// Whether the boxes of two bodies overlap, both of which exist.
    #[inline]
    pub(super) fn overlap(&self, a: u32, b: u32) -> bool {
        self.bounds[a as usize].overlaps(&self.bounds[b as usize])
    }

    /// Those removed since the last update; they may exist again.
    #[inline]
    pub(super) fn removed(&self) -> &[u32] {
        &self.removed
    }

    /// Whether one of the two was removed since the last update.
    #[inline]
    pub(super) fn replaced(&self, [a, b]: [u32; 2]) -> bool {
        self.was_removed[a as usize] || self.was_removed[b as usize]
    }

    /// An update has seen all changes.
    pub(super) fn settle(&mut self) {
        for id in self.removed.drain(..) {
            self.was_removed[id as usize] = false;
        }
    }
}

#[inline]
fn check(id: u32, bounds: &Aabb) -> Result<(), BroadError> {
    if bounds.min.cmple(bounds.max).all() {
        return Ok(());
    }
    Err(bad_box(id, bounds))
}

#[cold]
fn bad_box(id: u32, bounds: &Aabb) -> BroadError {
    let axis = (0..3).find(|&axis| !(bounds.min[axis] <= bounds.max[axis])).unwrap_or(0);
    BroadError::BadBox { id, axis: ['x', 'y', 'z'][axis], min: bounds.min[axis], max: bounds.max[axis] }
}
