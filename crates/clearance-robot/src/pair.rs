//! The pairs of bodies that are checked, and what lies between the two of each: the joints that move the one against the other.

use std::collections::HashMap;
use std::sync::Arc;

use clearance::Vec3;

use crate::chain::{BASE, Chain, Movement};
use crate::solid::Solid;

/// Two bodies that some joint moves against each other. The first one moves; the second may be at rest.
#[derive(Debug, Clone)]
pub struct Pair {
    pub a: u32,
    pub b: u32,
    /// Directions that often separate them.
    pub seeds: [Seed; SEEDS],
}

/// The joints between the bodies of pairs, once for pairs that have the same.
#[derive(Debug, Clone)]
pub struct Paths {
    /// The frames whose joints are between two bodies, from that of the first to that of the second.
    pub steps: Vec<Box<[Step]>>,
    /// For each pair its path.
    pub of_pairs: Arc<[u32]>,
}

impl Paths {
    pub fn of(pairs: &[Pair], solids: &[Solid], chain: &Chain) -> Self {
        let mut steps = Vec::new();
        let mut known: HashMap<u32, u32> = HashMap::new();
        let mut add = |a: &Solid, b: &Solid| {
            steps.push(path(a, b, chain));
            steps.len() as u32 - 1
        };
        let of_pairs = pairs.iter().map(|pair| {
            let (a, b) = (&solids[pair.a as usize], &solids[pair.b as usize]);
            // All bodies at rest are at the end of the same path.
            if b.is_at_rest() { *known.entry(pair.a).or_insert_with(|| add(a, b)) } else { add(a, b) }
        });
        let of_pairs = of_pairs.collect();
        Self { steps, of_pairs }
    }
}

/// Most directions that a pair has.
pub const SEEDS: usize = 2;

/// A direction in the frame of the second body, from the first to it, that often separates the two; and a bound on how far the second
/// body reaches against it. A direction of zero is none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seed {
    pub direction: Vec3,
    pub reach: f64,
}

/// What a first look at a pair needs, close together in memory.
#[derive(Debug, Clone, Copy)]
pub struct Quick {
    pub a: u32,
    pub b: u32,
    /// The radius of the first body; if the second one moves, with its radius.
    pub far: f64,
}

/// A joint between two bodies.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub frame: u32,
    /// No point of the first body is farther from the joint's axis, but for lengths that are values of joints in between.
    pub reach: f64,
    /// Whether the joint is on the side of the second body.
    pub is_reversed: bool,
}

/// The pairs that joints move, and pairs at rest, which need to be looked at once.
pub fn pairs_of(
    solids: &[Solid],
    links: u32,
    is_allowed: impl Fn(&Solid, &Solid) -> bool,
) -> (Vec<Pair>, Vec<[u32; 2]>) {
    let (mut pairs, mut resting) = (Vec::new(), Vec::new());
    for (i, first) in solids.iter().enumerate() {
        for (j, second) in solids.iter().enumerate().skip(i + 1) {
            // Of bodies that nothing moves against each other only those of the robot and others at rest can be wrong.
            let is_resting = first.is_at_rest() && (first.owner < links) != (second.owner < links);
            if first.frame == second.frame && !is_resting || is_allowed(first, second) {
                continue;
            }
            if first.frame == second.frame {
                resting.push([i as u32, j as u32]);
                continue;
            }
            // The smaller one is the first: it is its size that a turn is multiplied with.
            let swap = first.is_at_rest() || (!second.is_at_rest() && second.radius < first.radius);
            let (a, b) = if swap { (j, i) } else { (i, j) };
            pairs.push(Pair { a: a as u32, b: b as u32, seeds: Default::default() });
        }
    }
    // Those with a body at rest come last, one such body after the other.
    pairs.sort_by_key(|pair| if solids[pair.b as usize].is_at_rest() { pair.b + 1 } else { 0 });
    (pairs, resting)
}

/// The way from one body up to the frame that both hang on, and down to the other.
fn path(a: &Solid, b: &Solid, chain: &Chain) -> Box<[Step]> {
    let (from_a, from_b) = (ancestors(a.frame, chain), ancestors(b.frame, chain));
    let common = from_a.iter().find(|frame| from_b.contains(frame)).copied();
    let until_common = |all: &[u32]| all.iter().position(|frame| Some(*frame) == common).unwrap_or(all.len());
    let (up, down) = (&from_a[..until_common(&from_a)], &from_b[..until_common(&from_b)]);
    let mut steps = Vec::with_capacity(up.len() + down.len());
    let mut reach = a.centre.length() + a.radius;
    for (at, &frame) in up.iter().enumerate() {
        let joint = &chain.frames[frame as usize];
        let own = match &joint.movement {
            // The body's own joint turns about an axis through its frame's origin.
            Movement::Turn { axis, .. } if at == 0 => {
                reach.min((a.centre - *axis * axis.dot(a.centre)).length() * (1.0 + f64::EPSILON * 8.0) + a.radius)
            }
            _ => reach,
        };
        steps.push(Step { frame, reach: own, is_reversed: false });
        reach += joint.translation.length();
    }
    for &frame in down.iter().rev() {
        let joint = &chain.frames[frame as usize];
        reach += joint.translation.length();
        steps.push(Step { frame, reach, is_reversed: true });
    }
    steps.into()
}

/// A frame and those that it hangs on, up to the base; none for bodies at rest.
fn ancestors(frame: u32, chain: &Chain) -> Vec<u32> {
    let mut all = Vec::new();
    let mut at = frame;
    while at != BASE {
        all.push(at);
        at = chain.frames[at as usize].parent;
    }
    all
}
