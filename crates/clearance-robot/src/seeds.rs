//! Directions that often separate two links, found once for a robot by looking at random configurations. They decide about speed alone.

use clearance::{Cache, Vec3, closest};

use crate::chain::Placed;
use crate::gaps::along;
use crate::pair::{Pair, SEEDS, Seed};
use crate::robot::{Joint, Robot};
use crate::solid::Solid;

/// Configurations that are looked at.
const SAMPLES: usize = 96;
/// Directions that are compared for a pair.
const CANDIDATES: usize = 24;
/// A direction is kept if it separates at least one in so many of the samples that the first plane does not.
const WORTH: usize = 8;

/// Frames of random configurations, the same ones for every robot of that many joints.
pub fn samples(robot: &Robot) -> Vec<Vec<Placed>> {
    let mut rng = fastrand::Rng::with_seed(0);
    let mut value = |joint: &Joint| {
        let [low, high] = joint.limits.unwrap_or([-std::f64::consts::PI, std::f64::consts::PI]);
        low + (high - low) * rng.f64()
    };
    let frames = |_| {
        let mut q = robot.home();
        for joint in robot.joints.iter().filter(|joint| joint.kind.value_count() == 1) {
            q[joint.first_value] = value(joint);
        }
        let mut frames = Vec::new();
        robot.chain.place(&q, &Placed::IDENTITY, &mut frames);
        frames
    };
    (0..SAMPLES).map(frames).collect()
}

/// The directions of a pair of moving bodies: each of them separates the most of the samples that are left.
pub fn learn(pair: &Pair, solids: &[Solid], samples: &[Vec<Placed>]) -> [Seed; SEEDS] {
    let (a, b) = (&solids[pair.a as usize], &solids[pair.b as usize]);
    let mut hard: Vec<&[Placed]> = Vec::new();
    let mut candidates = Vec::new();
    for frames in samples {
        let between = b.centre(frames) - a.centre(frames);
        let far = between.length() > a.radius + b.radius;
        if far || along(a, b, between, between, frames) > 0.0 {
            continue;
        }
        hard.push(frames);
        if candidates.len() < CANDIDATES {
            let (pose_a, pose_b) = (a.pose(frames), b.pose(frames));
            let near = match (&a.hull, &b.hull) {
                (Some(a), Some(b)) => closest(a, &pose_a, b, &pose_b, &mut Cache::default()),
                _ => continue,
            };
            let apart = near.distance > 0.0 && near.normal.is_finite();
            candidates.extend(apart.then(|| frames[b.frame as usize].to_local(near.normal)));
        }
    }
    let mut seeds = [Seed::default(); SEEDS];
    for seed in &mut seeds {
        let separates = |direction: Vec3, frames: &[Placed]| {
            let normal = frames[b.frame as usize].m * direction;
            along(a, b, normal, b.centre(frames) - a.centre(frames), frames) > 0.0
        };
        let count = |direction: &Vec3| hard.iter().filter(|frames| separates(*direction, frames)).count();
        let best = candidates.iter().map(|direction| (count(direction), *direction)).max_by_key(|(count, _)| *count);
        let Some((count, direction)) =
            best.filter(|(count, _)| count * WORTH >= SAMPLES.min(hard.len().max(1) * WORTH))
        else {
            break;
        };
        let table = b.table.as_ref();
        *seed = Seed { direction, reach: table.map_or(f64::INFINITY, |table| table.reach(-direction)) };
        hard.retain(|frames| !separates(direction, frames));
        if count == 0 || hard.is_empty() {
            break;
        }
    }
    seeds
}
