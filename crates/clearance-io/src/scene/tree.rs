//! Poses of a scene file.

use clearance::{Motion, Pose};

use super::format::PoseEntry;

/// The pose that an entry gives.
pub(super) fn pose_of(entry: Option<&PoseEntry>) -> Result<Pose, String> {
    let Some(entry) = entry else { return Ok(Pose::IDENTITY) };
    let translation = entry.translation.unwrap_or_default();
    match (entry.rotation, entry.turn) {
        (Some(_), Some(_)) => Err("rotation and turn are both given".to_owned()),
        (Some(rotation), None) => Pose::new(translation, rotation).map_err(|error| error.to_string()),
        (None, Some(turn)) => {
            let turned = Pose::from_axis_angle(turn.axis, turn.degrees.to_radians());
            let placed = turned.and_then(|turned| turned.with_translation(translation));
            placed.map_err(|error| format!("turn: {error}"))
        }
        (None, None) => Pose::from_translation(translation).map_err(|error| error.to_string()),
    }
}

/// Times and poses between which a part moves along screws.
#[derive(Debug, Clone)]
pub(super) struct Knots {
    pub times: Vec<f64>,
    pub poses: Vec<Pose>,
}

impl Knots {
    /// The pose at a time; before the first and after the last it rests.
    pub fn pose(&self, time: f64) -> Pose {
        let after = self.times.partition_point(|knot| *knot <= time);
        let (Some(&first), Some(&last)) = (self.poses.first(), self.poses.last()) else { return Pose::IDENTITY };
        if after == 0 {
            return first;
        }
        if after == self.times.len() {
            return last;
        }
        let (from, to) = (self.times[after - 1], self.times[after]);
        if time == from {
            return self.poses[after - 1];
        }
        Motion::between(self.poses[after - 1], self.poses[after]).pose((time - from) / (to - from))
    }
}
