//! How a stream of questions ended.

use std::io;

use thiserror::Error;

use crate::error::QueryError;

/// What became of the lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Answers given.
    pub answers: u64,
    /// How many of them are errors.
    pub errors: u64,
    /// The first of these and the number of its line, counted from one.
    pub first_error: Option<(u64, QueryError)>,
}

/// Why the loop ended before its input did.
#[derive(Debug, Error)]
pub enum StreamError {
    /// The input could not be read.
    #[error("cannot read: {0}")]
    Read(io::Error),
    /// The answers could not be written.
    #[error("cannot write the answers: {0}")]
    Write(io::Error),
}
