//! The parts of the program `clearance`, callable and testable without a process.
//!
//! - [`query`]: JSON Lines in, JSON Lines out; [`single::query`]: the same in single precision
//! - `lab`: the experiments, listed and run; with the feature `lab`
//! - [`check`]: every clash of an assembly; [`cast`]: the first contact along its motions; [`describe`]: what a mesh file is
//! - [`distance`]: the signed distance of two files or shapes; [`range`]: their contact range
//! - [`simulate`]: a moving environment, frame by frame
//! - [`verify`]: certificates, checked
//! - [`demo`]: a first look at what the library answers
//!
//! Everything writes to a given sink. [`Outcome`] is how a subcommand ended; the program turns it into its exit status.

#![deny(missing_docs)]
// `query` is compiled once for each precision.
#![allow(clippy::duplicate_mod)]

mod assembly;
pub mod cast;
pub mod check;
pub mod demo;
pub mod describe;
pub mod distance;
mod double;
pub mod error;
#[cfg(feature = "lab")]
pub mod lab;
mod locate;
pub mod range;
pub mod simulate;
pub mod single;
pub mod stream;
mod suggest;
pub mod verify;

pub use double::query;

use std::io;

/// How a subcommand ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It ran and found nothing to complain about: exit status 0.
    Fine,
    /// It ran and found something that does not hold: exit status 1.
    Found,
    /// Some input was bad, or could not be read: exit status 2.
    BadInput,
}

impl Outcome {
    /// The exit status of the program.
    pub fn status(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Found => 1,
            Self::BadInput => 2,
        }
    }
}

/// A reader that went away (`| head`) ends the work and is no error.
///
/// # Errors
/// Any other failure to write.
pub fn quiet_if_closed(result: io::Result<Outcome>) -> io::Result<Outcome> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::Fine),
        other => other,
    }
}
