//! The poses of parts over time as a glTF animation.

use clearance::{Pose, Vec3};
use serde_json::{Value, json};

use super::glb::{Gathered, GlbPart};

/// The poses of a part over time, between which viewers interpolate.
#[derive(Debug, Clone)]
pub struct Track {
    /// Which part moves.
    pub part: usize,
    /// Times, in seconds of the animation, ascending.
    pub times: Vec<f64>,
    /// The pose at each time.
    pub poses: Vec<Pose>,
}

/// The animation of all tracks; parts are nodes 1 and following.
pub(super) fn animation(
    tracks: &[Track],
    shapes: &[(Vec3, Value)],
    parts: &[GlbPart],
    gathered: &mut Gathered,
) -> Vec<Value> {
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for track in tracks {
        let Some((centre, _)) = parts.get(track.part).and_then(|part| shapes.get(part.surface)) else { continue };
        let times: Vec<f32> = track.times.iter().map(|time| *time as f32).collect();
        let places: Vec<f32> =
            track.poses.iter().flat_map(|pose| pose.point(*centre).to_array()).map(|x| x as f32).collect();
        let input = gathered.floats(&times, "SCALAR", true);
        let translation = gathered.floats(&places, "VEC3", false);
        let rotation = gathered.floats(&turns(&track.poses), "VEC4", false);
        for (path, output) in [("translation", translation), ("rotation", rotation)] {
            channels.push(json!({"sampler": samplers.len(), "target": {"node": track.part + 1, "path": path}}));
            samplers.push(json!({"input": input, "output": output}));
        }
    }
    if channels.is_empty() {
        Vec::new()
    } else {
        vec![json!({"name": "motion", "channels": channels, "samplers": samplers})]
    }
}

/// Quaternions, each on the side of the one before, so that viewers take the short way.
fn turns(poses: &[Pose]) -> Vec<f32> {
    let mut last = None;
    let mut numbers = Vec::with_capacity(4 * poses.len());
    for pose in poses {
        let mut turn = pose.rotation();
        if last.is_some_and(|before: clearance::Quat| before.dot(turn) < 0.0) {
            turn = -turn;
        }
        last = Some(turn);
        numbers.extend(turn.to_array().map(|x| x as f32));
    }
    numbers
}
