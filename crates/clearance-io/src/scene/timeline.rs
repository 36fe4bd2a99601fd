//! How parts move: the poses of all that move, at times between which each moves along a screw.

use clearance::{Motion, Pose};

use super::format::{JointEntry, JointKind, MotionEntry, MoveEntry};
use super::tree::{Knots, pose_of};

/// Times at which poses are kept, at most.
const MOST_TIMES: usize = 100_000;
/// The largest turn of a joint between two times that are kept, in degrees: a screw takes the shorter way.
const LARGEST_TURN: f64 = 30.0;
/// Times that are added where moves are in one another and few times are given: there the path between two times is not one screw.
const NESTED_STEPS: usize = 720;

/// Steps that are added where fewer times are given: the worst moment is looked for at these times, and the end of one collision before
/// another begins.
const LEAST_STEPS: usize = 90;

/// How parts move.
#[derive(Debug, Clone)]
pub struct Timeline {
    /// What the time is measured in, as it is shown.
    pub unit: String,
    /// The times, ascending; at least two.
    pub times: Vec<f64>,
    /// The parts that move.
    pub moving: Vec<Moving>,
    /// For each part of the assembly, its place in `moving`.
    pub of_part: Vec<Option<usize>>,
    /// How each part is placed in its assemblies.
    chains: Vec<Vec<Link>>,
    /// The pose of each move at each time.
    moved: Vec<Vec<Pose>>,
}

/// A part that moves.
#[derive(Debug, Clone)]
pub struct Moving {
    /// Which part.
    pub part: usize,
    /// Its pose at each time.
    pub poses: Vec<Pose>,
}

impl Timeline {
    /// The pose of a part at one of the times; nothing if it does not move.
    pub fn pose(&self, part: usize, step: usize) -> Option<Pose> {
        let moving = self.of_part.get(part).copied().flatten()?;
        self.moving.get(moving)?.poses.get(step).copied()
    }

    /// How many links two parts have in common, if one of them moves: then their distance is looked at in the frame of that assembly.
    pub(crate) fn common_links(&self, [a, b]: [usize; 2]) -> usize {
        let both = self.chains[a].iter().zip(&self.chains[b]);
        let common = both.take_while(|(a, b)| a == b).count();
        let moves = self.chains[a][..common].iter().any(|link| matches!(link, Link::Moved(_)));
        if moves { common } else { 0 }
    }

    /// The pose of a range of a part's links at one of the times.
    pub(crate) fn pose_of_links(&self, part: usize, links: std::ops::Range<usize>, step: usize) -> Pose {
        self.chains[part][links].iter().fold(Pose::IDENTITY, |outer, link| match link {
            Link::Fixed(pose) => outer.compose(pose),
            Link::Moved(at) => outer.compose(&self.moved[*at][step]),
        })
    }

    /// How many links a part has.
    pub(crate) fn links(&self, part: usize) -> usize {
        self.chains[part].len()
    }

    /// The motion of a part from one of the times to the next; nothing if it does not move.
    pub fn motion(&self, part: usize, step: usize) -> Option<Motion> {
        Some(Motion::between(self.pose(part, step)?, self.pose(part, step + 1)?))
    }
}

/// A link from an assembly to what is in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Link {
    Fixed(Pose),
    /// It follows a move.
    Moved(usize),
}

/// A move, read: when it has what pose.
pub(super) fn knots_of(entry: &MoveEntry, motion: &MotionEntry, own: Pose) -> Result<Knots, String> {
    let span = [motion.start.unwrap_or(0.0), motion.end];
    match (&entry.keyframes, &entry.screw, &entry.joint) {
        (Some(frames), None, None) => {
            let times: Vec<f64> = frames.iter().map(|frame| frame.time).collect();
            ascending(&times, "keyframes")?;
            let pose = |(i, frame): (usize, &super::format::KeyframeEntry)| {
                pose_of(Some(&frame.pose)).map_err(|error| format!("keyframes[{i}].pose: {error}"))
            };
            let poses = frames.iter().enumerate().map(pose).collect::<Result<_, _>>()?;
            Ok(Knots { times, poses })
        }
        (None, Some(screw), None) => {
            let end = pose_of(Some(&screw.to)).map_err(|error| format!("screw.to: {error}"))?;
            Ok(Knots { times: span.to_vec(), poses: vec![own, end] })
        }
        (None, None, Some(joint)) => joint_knots(joint, own),
        _ => Err("exactly one of keyframes, screw and joint must be given".to_owned()),
    }
}

fn ascending(times: &[f64], what: &str) -> Result<(), String> {
    if times.is_empty() {
        return Err(format!("{what}: none are given"));
    }
    match times.windows(2).position(|pair| !(pair[0] < pair[1])) {
        Some(at) => Err(format!("{what}[{}]: its time is not later than the one before", at + 1)),
        None => Ok(()),
    }
}

fn joint_knots(joint: &JointEntry, own: Pose) -> Result<Knots, String> {
    let given: Vec<f64> = joint.values.iter().map(|value| value[0]).collect();
    ascending(&given, "joint.values")?;
    let mut knots = Knots { times: Vec::new(), poses: Vec::new() };
    let mut push = |time: f64, value: f64| {
        knots.times.push(time);
        jointed(joint, own, value).map(|pose| knots.poses.push(pose))
    };
    push(joint.values[0][0], joint.values[0][1])?;
    for pair in joint.values.windows(2) {
        let ([t0, v0], [t1, v1]) = (pair[0], pair[1]);
        let largest = if joint.kind == JointKind::Revolute { LARGEST_TURN } else { f64::INFINITY };
        let steps = ((v1 - v0).abs() / largest).ceil().max(1.0);
        if steps > MOST_TIMES as f64 {
            return Err(format!("joint.values: a turn by {} degrees is too long", v1 - v0));
        }
        for step in 1..=steps as usize {
            let share = step as f64 / steps;
            push(if step as f64 == steps { t1 } else { t0 + (t1 - t0) * share }, v0 + (v1 - v0) * share)?;
        }
    }
    Ok(knots)
}

/// A pose moved by a joint.
fn jointed(joint: &JointEntry, own: Pose, value: f64) -> Result<Pose, String> {
    let axis = clearance::Vec3::from(joint.axis);
    let length = axis.length();
    if !(length > 0.0 && length.is_finite()) {
        return Err("joint.axis must be finite and not zero".to_owned());
    }
    let refused = |error: &dyn std::fmt::Display| format!("joint: {error}");
    match joint.kind {
        JointKind::Prismatic => {
            let by = Pose::from_translation(axis / length * value).map_err(|error| refused(&error))?;
            Ok(by.compose(&own))
        }
        JointKind::Revolute => {
            let origin = joint.origin.unwrap_or_default();
            // Whole turns come back to exactly where they were.
            let angle = (value % 360.0).to_radians();
            let turn = Motion::rotation(own, origin, joint.axis, angle).map_err(|error| refused(&error))?;
            Ok(turn.pose(1.0))
        }
    }
}

/// All times at which something changes, and the poses of all that moves.
pub(super) fn timeline(entry: &MotionEntry, knots: &[Knots], chains: &[Vec<Link>]) -> Result<Timeline, String> {
    let (start, end) = (entry.start.unwrap_or(0.0), entry.end);
    if !(start.is_finite() && end.is_finite() && start < end) {
        return Err(format!("motion: it ends at {end}, not after its start at {start}"));
    }
    let is_moved = |chain: &&Vec<Link>| chain.iter().filter(|link| matches!(link, Link::Moved(_))).count();
    let mut times: Vec<f64> =
        knots.iter().flat_map(|knots| &knots.times).copied().filter(|t| start < *t && *t < end).collect();
    let is_nested = chains.iter().any(|chain| is_moved(&chain) > 1);
    let (enough, steps) = if is_nested { (NESTED_STEPS / 4, NESTED_STEPS) } else { (LEAST_STEPS, LEAST_STEPS) };
    if times.len() < enough {
        times.extend((1..steps).map(|i| start + (end - start) * i as f64 / steps as f64));
    }
    times.extend([start, end]);
    times.sort_by(f64::total_cmp);
    times.dedup();
    if times.len() > MOST_TIMES {
        return Err(format!("motion: {} times are more than {MOST_TIMES}", times.len()));
    }
    let mut of_part = vec![None; chains.len()];
    let mut moving = Vec::new();
    for (part, chain) in chains.iter().enumerate() {
        if is_moved(&chain) == 0 {
            continue;
        }
        of_part[part] = Some(moving.len());
        let place = |time: f64| {
            chain.iter().fold(Pose::IDENTITY, |outer, link| match link {
                Link::Fixed(pose) => outer.compose(pose),
                Link::Moved(at) => outer.compose(&knots[*at].pose(time)),
            })
        };
        moving.push(Moving { part, poses: times.iter().map(|time| place(*time)).collect() });
    }
    let moved = knots.iter().map(|knots| times.iter().map(|time| knots.pose(*time)).collect()).collect();
    let (unit, chains) = (entry.unit.clone().unwrap_or_default(), chains.to_vec());
    Ok(Timeline { unit, times, moving, of_part, chains, moved })
}
