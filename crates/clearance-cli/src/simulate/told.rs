//! What the scenes of the simulator tell alike: poses, summaries, and why a run ended early.

use std::io::{self, Write};

use clearance::Pose;
use clearance::brush::MapError;
use clearance_sim::SimError;
use clearance_sim::walk::WalkError;
use serde_json::{Value, json};

use super::film::TooLong;

/// Why a run ended early.
pub(super) enum Stopped {
    Output(io::Error),
    Scene(String),
    /// What is wrong with the file of the motion.
    Film(String),
}

impl From<TooLong> for Stopped {
    fn from(error: TooLong) -> Self {
        Self::Film(error.to_string())
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<SimError> for Stopped {
    fn from(error: SimError) -> Self {
        Self::Scene(error.to_string())
    }
}

impl From<WalkError> for Stopped {
    fn from(error: WalkError) -> Self {
        Self::Scene(error.to_string())
    }
}

impl From<MapError> for Stopped {
    fn from(error: MapError) -> Self {
        Self::Scene(error.to_string())
    }
}

/// A pose: translation and rotation (x, y, z, w).
pub(super) fn pose_of(pose: &Pose) -> Value {
    let (at, turn) = (pose.translation().to_array(), pose.rotation().to_array());
    json!({"translation": at, "rotation": turn})
}

/// The summary for people, but for the times.
pub(super) fn write_members(summary: &Value, output: &mut dyn Write) -> io::Result<()> {
    let members = summary.as_object().into_iter().flatten();
    for (name, value) in members.filter(|(name, _)| *name != "scene" && *name != "time") {
        writeln!(output, "{:<18} {value}", name.replace('_', " "))?;
    }
    Ok(())
}
