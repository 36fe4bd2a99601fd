//! Continuous collision detection: when moving bodies meet.

mod impact;
mod motion;

pub use impact::{Impact, ImpactOptions, STEP_LIMIT, time_of_impact};
pub use motion::{Motion, MotionError};
