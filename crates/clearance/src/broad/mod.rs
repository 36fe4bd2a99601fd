//! Which bodies may touch: pairs of overlapping boxes, frame by frame.
//!
//! Every way of finding them is a [`BroadPhase`] and gives the same answer: the pairs of bodies whose given boxes, closed and
//! unrounded, share a point, in ascending order, and what has changed since the last update. Margins, single precision and
//! cells are internal; each candidate is decided by the boxes as given.
//!
//! - [`BruteForce`]: every pair, the plain twin of the others
//! - [`SweepAndPrune`]: three sorted axes kept in order by insertion (proximity-queries lecture, "Sweep and Prune")
//! - [`PartitionedSweep`]: the same in each region of a partition of space (Q_COLLIDE, section 3.1)
//! - [`Tree`]: a tree of fattened boxes, changed only where a body leaves its own
//! - [`Grid`]: a grid sorted anew each frame, with a tree for what does not fit; the fastest for bodies of similar size
//!
//! Bodies added as fixed stand in a tree of their own: they cost nothing per update, and no two of them are a pair.
//!
//! `BoxTracker` gives a shape its box: the fixed cube or the dynamic box of the lecture.
//!
//! Bodies are named by numbers of the caller's, which index tables: small ones, used again after a removal. Nothing is
//! allocated once the tables have grown to the scene.
//!
//! Threads (feature `parallel`): the grid finds cells and compares entries in parts. Since the pairs are sorted at the end, found
//! in any order they are the same bits.

mod bodies;
mod brute;
mod code;
mod error;
mod extent;
mod fixed;
mod grid;
mod pair;
mod pairs;
mod regions;
mod sweep;
mod threads;
mod tree;

use crate::math::Aabb;

pub use bodies::{Bodies, MOST_PAIRS};
pub use brute::BruteForce;
pub use error::{BroadError, MAX_BODY};
#[cfg(not(feature = "internals"))]
pub(crate) use extent::BoxTracker;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub use extent::BoxTracker;
pub use grid::Grid;
pub use pair::Pair;
pub use regions::PartitionedSweep;
pub use sweep::SweepAndPrune;
pub use tree::Tree;

/// The state after an update. All lists are in ascending order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Update<'a> {
    /// All pairs of bodies whose boxes overlap, except those of two fixed bodies.
    pub pairs: &'a [Pair],
    /// Those that did not overlap at the last update, or of which one is a new body under an old number.
    pub entered: &'a [Pair],
    /// Those that overlapped at the last update and do no more, or of which one has been removed since.
    pub left: &'a [Pair],
    /// Whether all pairs were kept: false if there are more than [`Bodies::most_pairs`]. The pairs are then those of the last complete
    /// update, but for bodies removed since, and nothing is said to have entered or left; the next complete one tells.
    pub is_complete: bool,
}

/// Finds all pairs of overlapping boxes.
///
/// ```
/// use clearance::broad::{BroadPhase, Grid};
/// use clearance::{Aabb, Vec3};
/// let cube = |x| Aabb { min: Vec3::new(x, 0.0, 0.0), max: Vec3::new(x + 1.0, 1.0, 1.0) };
/// let mut broad = Grid::new();
/// broad.add(0, cube(0.0))?;
/// broad.add(7, cube(1.0))?; // they share a face
/// assert_eq!(broad.update().entered, [[0, 7]]);
/// broad.set(7, cube(1.5))?;
/// assert_eq!(broad.update().left, [[0, 7]]);
/// # Ok::<(), clearance::broad::BroadError>(())
/// ```
pub trait BroadPhase {
    /// The bodies.
    fn bodies(&self) -> &Bodies;

    /// The bodies, to be changed before the next update.
    fn bodies_mut(&mut self) -> &mut Bodies;

    /// Finds the pairs of the boxes as they are now.
    fn update(&mut self) -> Update<'_>;

    /// Adds a body.
    ///
    /// # Errors
    /// If the number is in use or too large, or the box has a bound that is not a number or is inverted. Infinite boxes are fine.
    fn add(&mut self, id: u32, bounds: Aabb) -> Result<(), BroadError> {
        self.bodies_mut().add(id, bounds)
    }

    /// Adds a body that moves rarely or never: it costs an update nothing, and is paired with moving bodies only. Its box may be
    /// changed, which costs more than for a moving body.
    ///
    /// # Errors
    /// As for [`BroadPhase::add`].
    fn add_fixed(&mut self, id: u32, bounds: Aabb) -> Result<(), BroadError> {
        self.bodies_mut().add_fixed(id, bounds)
    }

    /// Removes a body; its number may be used again at once.
    ///
    /// # Errors
    /// If there is no such body.
    fn remove(&mut self, id: u32) -> Result<(), BroadError> {
        self.bodies_mut().remove(id)
    }

    /// Gives a body a new box.
    ///
    /// # Errors
    /// If there is no such body, or the box is refused as in [`BroadPhase::add`].
    #[inline]
    fn set(&mut self, id: u32, bounds: Aabb) -> Result<(), BroadError> {
        self.bodies_mut().set(id, bounds)
    }
}
