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
/// Directions are looked for if at least one in so many of the samples is hard, and one is kept if it separates as many of those.
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
    let mut hard: Vec<&[Placed]> = samples.iter().map(Vec::as_slice).filter(|frames| is_hard(a, b, frames)).collect();
    let mut seeds = [Seed::default(); SEEDS];
    let (Some(hull_a), Some(hull_b), Some(table)) = (&a.hull, &b.hull, &b.table) else { return seeds };
    if hard.len() * WORTH < SAMPLES {
        return seeds;
    }
    let candidate = |frames: &&[Placed]| {
        let near = closest(hull_a, &a.pose(frames), hull_b, &b.pose(frames), &mut Cache::default());
        let apart = near.distance > 0.0 && near.normal.is_finite();
        apart.then(|| frames[b.frame as usize].to_local(near.normal))
    };
    let candidates: Vec<Vec3> = hard.iter().filter_map(candidate).take(CANDIDATES).collect();
    let separates = |direction: Vec3, frames: &[Placed]| {
        let normal = frames[b.frame as usize].m * direction;
        along(a, b, normal, b.centre(frames) - a.centre(frames), frames) > 0.0
    };
    for seed in &mut seeds {
        let count = |direction: &Vec3| hard.iter().filter(|frames| separates(*direction, frames)).count();
        let best = candidates.iter().map(|direction| (count(direction), *direction)).max_by_key(|(count, _)| *count);
        let Some((_, direction)) = best.filter(|(count, _)| count * WORTH >= hard.len().max(1)) else { break };
        *seed = Seed { direction, reach: table.reach(-direction) };
        hard.retain(|frames| !separates(direction, frames));
    }
    seeds
}

/// Whether neither the balls around two bodies nor the plane across the line between their centres keep them apart.
fn is_hard(a: &Solid, b: &Solid, frames: &[Placed]) -> bool {
    let between = b.centre(frames) - a.centre(frames);
    between.length() <= a.radius + b.radius && !(along(a, b, between, between, frames) > 0.0)
}
