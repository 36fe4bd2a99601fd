//! What can be wrong with a batch.

use thiserror::Error;

/// Why a batch of pairs was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BatchError {
    /// The tables of bodies and of poses have different lengths.
    #[error("there are {bodies} bodies and {poses} poses; every body has one pose")]
    Lengths {
        /// How many bodies there are.
        bodies: usize,
        /// How many poses there are.
        poses: usize,
    },
    /// A pair names a body that is not in the table.
    #[error("pair {pair}: body {index} does not exist; the table has {bodies}, counted from 0")]
    Index {
        /// The position of the pair in the list.
        pair: usize,
        /// The number that names no body.
        index: u32,
        /// How many bodies there are.
        bodies: usize,
    },
}
