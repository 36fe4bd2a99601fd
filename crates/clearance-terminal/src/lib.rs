//! What the program and the lab share on a terminal: a progress bar, and the spelling distance behind "did you mean".
//!
//! A crate of its own, so that the program can be built without the lab and its dependencies.

#![deny(missing_docs)]

mod progress;
mod spelling;

pub use progress::Progress;
pub use spelling::edits;
