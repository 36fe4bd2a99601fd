//! What a world saves by remembering its pairs: some frames again, with all pairs forgotten.
//!
//! A few frames of a run are recorded, each with the poses of the frame before. Afterwards a world is given the bodies as they were
//! before, and then as they are in the frame; one world was asked in between and so remembers its pairs, the other was not and
//! has never seen two of them together. All else is the same: threads, grown tables, boxes that follow their bodies, and
//! what the processor has at hand. The times are those of telling the world the poses and asking it, the best of a few in turn.
//! Supports and touching pairs of the forgetful world are compared with those of the run itself; the pairs must be the same.

use std::time::{Duration, Instant};

use clearance::Pose;
use clearance::world::{BodyId, EventKind, Step, World};

use super::motion::{Frame, RunError, body, called, empty_world};
use super::scene::Scene;

/// Frames that are recorded, if the scene is not too large.
const SAMPLES: u32 = 20;
/// Poses that all records together hold.
const RECORDED: usize = 100_000;
/// How often a time is taken, for the best of them.
const ROUNDS: usize = 3;

/// A recorded frame.
pub struct Sample {
    before: Vec<Pose>,
    poses: Vec<Pose>,
    seen: Seen,
}

/// What a world was asked and said in one frame.
#[derive(Clone, Debug, Default)]
struct Seen {
    tested: u64,
    supports: u64,
    touching: Vec<[usize; 2]>,
}

/// The recorded frames, warm and cold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coherence {
    /// How many frames were compared.
    pub frames: usize,
    /// Exact tests, with memory and without.
    pub tested: [u64; 2],
    /// Supports in these tests, with memory and without.
    pub supports: [u64; 2],
    /// The times of these frames when they were run again, with memory and without.
    pub times: [Vec<Duration>; 2],
    /// Frames in which other pairs touch without memory: there must be none.
    pub differing: usize,
}

/// The frames of a run that are recorded: none of a run of one frame, whose only frame has nothing to remember.
pub fn sampled(frames: u32, bodies: usize) -> Vec<u32> {
    let most = (RECORDED / bodies.max(1)).clamp(2, SAMPLES as usize) as u64;
    let later = u64::from(frames.saturating_sub(1));
    let mut chosen: Vec<u32> = (1..=most).map(|i| 1 + (i * later / most) as u32).filter(|frame| *frame > 1).collect();
    chosen.dedup();
    chosen
}

impl Seen {
    fn new(step: &Step<'_>, index: impl Fn(BodyId) -> usize) -> Self {
        let touching = step.events.iter().filter(|event| event.kind != EventKind::End);
        let mut touching: Vec<[usize; 2]> =
            touching.map(|event| event.bodies.map(&index)).map(|[a, b]| [a.min(b), a.max(b)]).collect();
        touching.sort_unstable();
        Self { tested: step.statistics.tested, supports: step.statistics.supports, touching }
    }
}

impl Sample {
    /// Records a frame and the poses of the one before.
    pub fn new(before: Vec<Pose>, frame: &Frame<'_>) -> Self {
        Self { before, poses: frame.poses.to_vec(), seen: Seen::new(&frame.step, BodyId::index) }
    }
}

/// Asks again, without memory. Nothing if nothing was recorded.
///
/// # Errors
/// If a world refuses a body.
pub fn compare(scene: &Scene, samples: &[Sample]) -> Result<Option<Coherence>, RunError> {
    let Some(first) = samples.first() else {
        return Ok(None);
    };
    let mut world = empty_world(scene);
    // Lets the tables grow.
    again(&mut world, scene, first, true)?;
    let mut sum = Coherence { frames: samples.len(), ..Coherence::default() };
    for sample in samples {
        let mut best = [Duration::MAX; 2];
        let mut cold = Seen::default();
        for _ in 0..ROUNDS {
            best[0] = best[0].min(again(&mut world, scene, sample, true)?.1);
            let (seen, time) = again(&mut world, scene, sample, false)?;
            best[1] = best[1].min(time);
            cold = seen;
        }
        for (i, seen) in [&sample.seen, &cold].into_iter().enumerate() {
            sum.tested[i] += seen.tested;
            sum.supports[i] += seen.supports;
            sum.times[i].push(best[i]);
        }
        sum.differing += usize::from(sample.seen.touching != cold.touching);
    }
    Ok(Some(sum))
}

/// Runs a recorded frame again, in a world that is empty before and after.
fn again(world: &mut World, scene: &Scene, sample: &Sample, remember: bool) -> Result<(Seen, Duration), RunError> {
    let refused = |i: usize, error| RunError::Body { body: called(&scene.bodies[i], i), error };
    let mut ids = Vec::with_capacity(scene.bodies.len());
    for (i, (mover, pose)) in scene.bodies.iter().zip(&sample.before).enumerate() {
        ids.push(world.add(body(mover, *pose)).map_err(|error| refused(i, error))?);
    }
    // The frames ran before, so that they have no more pairs than a step keeps.
    if remember {
        world.step();
    }
    let start = Instant::now();
    for (i, (id, pose)) in ids.iter().zip(&sample.poses).enumerate() {
        world.set_pose(*id, *pose).map_err(|error| refused(i, error))?;
    }
    let step = world.step();
    let time = start.elapsed();
    let mut index_of = vec![0; ids.len()];
    for (i, id) in ids.iter().enumerate() {
        index_of[id.index()] = i;
    }
    let seen = Seen::new(&step, |id| index_of[id.index()]);
    for (i, id) in ids.iter().enumerate() {
        world.remove(*id).map_err(|error| refused(i, error))?;
    }
    world.step();
    Ok((seen, time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_later_frames_and_few() {
        assert!(sampled(1, 10).is_empty());
        assert_eq!(sampled(2, 10), [2]);
        assert_eq!(sampled(5, 10), [2, 3, 4, 5]);
        let many = sampled(1000, 500);
        assert_eq!((many.len(), many.last()), (20, Some(&1000)));
        assert_eq!(sampled(1_000_000, 100_000).len(), 2);
    }
}
