//! The search along one edge: by halves until all is clear or a hit is found, then towards the hit from either end.

use std::collections::VecDeque;

use clearance::Cache;

use super::answer::{EdgeAnswer, EdgeOptions, EdgeVerdict};
use super::motion::EdgeMotion;
use super::test::{Exact, Meeting, Middle, exact};
use crate::gaps::{Plane, best_plane, sort};
use crate::tolerance::SHORTEST_STRETCH;
use crate::workcell::Workcell;

/// A stretch of the edge and the pairs that are open on it: a range of the list of pairs.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    low: f64,
    high: f64,
    first: usize,
    len: usize,
}

/// Memory of a thread.
#[derive(Debug, Default)]
pub struct EdgeScratch {
    pub(crate) motion: EdgeMotion,
    pub(crate) middle: Middle,
    largest: Vec<f64>,
    /// Lists of open pairs one after the other.
    pairs: Vec<u32>,
    queue: VecDeque<Stretch>,
    stack: Vec<Stretch>,
    /// Lower bounds of the distances of the pairs that were listed last, by balls and boxes.
    gaps: Vec<f64>,
    /// Pairs that are close in the middle of a stretch, and what the library says of them.
    close: Vec<(Plane, u32)>,
    known: Vec<(u32, Exact)>,
    caches: Vec<Cache>,
    used: Vec<u32>,
}

/// A search in progress.
struct Search<'s> {
    cell: &'s Workcell,
    scratch: &'s mut EdgeScratch,
    error: f64,
    steps: u32,
    max_steps: u32,
}

impl Workcell {
    /// One edge between valid configurations.
    pub(crate) fn check_edge(
        &self,
        q0: &[f64],
        q1: &[f64],
        options: &EdgeOptions,
        scratch: &mut EdgeScratch,
    ) -> EdgeAnswer {
        let free = EdgeAnswer {
            verdict: EdgeVerdict::Free,
            free_from_start: 1.0,
            free_from_end: 1.0,
            hits: None,
            pair: None,
            steps: 0,
        };
        if self.always.is_some() {
            let (verdict, hits) = (EdgeVerdict::Colliding, Some([0.0, 1.0]));
            return EdgeAnswer { verdict, free_from_start: 0.0, free_from_end: 0.0, hits, pair: self.always, ..free };
        }
        scratch.motion.prepare(&self.robot, &self.paths, q0, q1);
        scratch.motion.largest_values(&mut scratch.largest);
        let error = self.place_error(&scratch.largest);
        let mut search = Search { cell: self, scratch, error, steps: 0, max_steps: options.max_steps };
        let answer = search.run(options, free);
        search.forget();
        answer
    }
}

impl Search<'_> {
    fn run(&mut self, options: &EdgeOptions, free: EdgeAnswer) -> EdgeAnswer {
        let count = self.cell.pairs.len();
        self.scratch.pairs.clear();
        self.scratch.pairs.extend(0..count as u32);
        self.scratch.caches.resize_with(count, Cache::default);
        self.scratch.queue.clear();
        self.scratch.queue.push_back(Stretch { low: 0.0, high: 1.0, first: 0, len: count });
        let hit = self.divide();
        let Some((at, pair)) = hit else {
            return if self.scratch.queue.is_empty() {
                EdgeAnswer { steps: self.steps, ..free }
            } else {
                self.undecided(free)
            };
        };
        let (mut hits, mut pair) = ([at, at], pair);
        let mut shares = [0.0, 0.0];
        let resolution = if options.fractions { options.resolution } else { 1.0 };
        for (side, forward) in [(0, true), (1, false)] {
            let (reached, hit, nearer) = self.approach(at, forward, resolution);
            (shares[side], hits[side]) = (if forward { reached } else { 1.0 - reached }, hit);
            if let (true, Some(nearer)) = (forward, nearer) {
                pair = nearer;
            }
        }
        EdgeAnswer {
            verdict: EdgeVerdict::Colliding,
            free_from_start: shares[0],
            free_from_end: shares[1],
            hits: Some(hits),
            pair: Some(self.cell.owners(pair)),
            steps: self.steps,
        }
    }

    /// Divides stretches until none is open, a hit is found, or nothing more can be done; then open ones are left in the queue.
    fn divide(&mut self) -> Option<(f64, u32)> {
        let mut hit = None;
        self.scratch.stack.clear();
        while let Some(stretch) = self.scratch.queue.pop_front() {
            if self.steps >= self.max_steps {
                self.scratch.queue.push_front(stretch);
                break;
            }
            if self.is_exhausted(&stretch) {
                self.scratch.stack.push(stretch);
                continue;
            }
            let middle = 0.5 * (stretch.low + stretch.high);
            let (met, (first, len)) = self.examine(&stretch, middle);
            if len > 0 {
                self.scratch.queue.push_back(Stretch { low: stretch.low, high: middle, first, len });
                self.scratch.queue.push_back(Stretch { low: middle, high: stretch.high, first, len });
            }
            if let Some(pair) = met {
                hit = Some((middle, pair));
                break;
            }
        }
        let EdgeScratch { queue, stack, .. } = &mut *self.scratch;
        queue.extend(stack.drain(..));
        hit
    }

    /// Whether no more configurations may be looked at, or a stretch is too short to be divided.
    fn is_exhausted(&self, stretch: &Stretch) -> bool {
        self.steps >= self.max_steps || stretch.high - stretch.low < 2.0 * SHORTEST_STRETCH
    }

    /// Looks at the pairs of a stretch: the first that overlaps in the middle, and where the list of those that are left is.
    fn examine(&mut self, stretch: &Stretch, middle: f64) -> (Option<u32>, (usize, usize)) {
        self.steps += 1;
        let EdgeScratch { motion, middle: placed, .. } = &mut *self.scratch;
        placed.place(self.cell, motion, middle);
        let half = 0.5 * (stretch.high - stretch.low);
        let start = self.scratch.pairs.len();
        self.first_look(stretch, half);
        if let Some(hit) = self.ask() {
            return (Some(hit), (start, self.scratch.pairs.len() - start));
        }
        let (mut close, mut left) = (0, start);
        for at in start..self.scratch.pairs.len() {
            let index = self.scratch.pairs[at];
            let known = self.scratch.known.get(close).filter(|(known, _)| *known == index).map(|(_, exact)| *exact);
            close += usize::from(known.is_some());
            if !self.is_clear(index, half, self.scratch.gaps[at - start], known) {
                self.scratch.pairs[left] = index;
                left += 1;
            }
        }
        self.scratch.pairs.truncate(left);
        (None, (start, left - start))
    }

    /// Lists the pairs whose balls and boxes are not clear of each other on the stretch, and those of them that the tables do not know to
    /// be apart in the middle, the likeliest to overlap first.
    fn first_look(&mut self, stretch: &Stretch, half: f64) {
        let EdgeScratch { motion, middle, pairs, gaps, close, .. } = &mut *self.scratch;
        let (centres, frames) = (&middle.centres, &middle.frames);
        gaps.clear();
        close.clear();
        for at in stretch.first..stretch.first + stretch.len {
            let index = pairs[at];
            let gap = self.cell.ball_gap(index as usize, centres);
            if gap > motion.farthest(index, half) + self.error {
                continue;
            }
            pairs.push(index);
            gaps.push(gap);
            if gap > self.error {
                continue;
            }
            let pair = &self.cell.pairs[index as usize];
            let plane = best_plane(pair, &self.cell.solids, centres, frames, self.error);
            if !(plane.gap > self.error) {
                close.push((plane, index));
            }
        }
        sort(close);
    }

    /// Asks the library about close pairs until one overlaps; otherwise what it says is known, in the order of the pairs.
    fn ask(&mut self) -> Option<u32> {
        let EdgeScratch { middle, close, known, caches, used, .. } = &mut *self.scratch;
        known.clear();
        for &(_, index) in close.iter() {
            used.push(index);
            let answer = exact(self.cell.solids_of(index), &middle.frames, self.error, &mut caches[index as usize]);
            if answer == Exact::Overlap {
                return Some(index);
            }
            known.push((index, answer));
        }
        known.sort_unstable_by_key(|(index, _)| *index);
        None
    }

    /// Whether a pair is apart within half a stretch of the middle.
    fn is_clear(&mut self, index: u32, half: f64, gap: f64, known: Option<Exact>) -> bool {
        let EdgeScratch { motion, middle, caches, used, .. } = &mut *self.scratch;
        // Bodies that may swing farther than their centres are apart cannot be told to be clear.
        let far = self.cell.quick[index as usize].far;
        if known.is_none() && gap.is_finite() && motion.bend(index, half) > gap + far {
            return false;
        }
        let solids = self.cell.solids_of(index);
        let pair = &self.cell.pairs[index as usize];
        let centres = [middle.centres[pair.a as usize], middle.centres[pair.b as usize]];
        let relative = motion.relative(index, solids, centres[0], &middle.frames, &middle.twists);
        let (seeds, frames, error) = (&pair.seeds, &middle.frames, self.error);
        let meeting = Meeting { solids, seeds, gap, centres, frames, motion: relative, half, error };
        let cache = &mut caches[index as usize];
        match known {
            Some(exact) => meeting.is_clear_by(exact, cache),
            None => {
                used.push(index);
                meeting.is_clear(cache)
            }
        }
    }

    /// Forgets what the pairs remember, so that the next edge starts from nothing.
    fn forget(&mut self) {
        for index in self.scratch.used.drain(..) {
            self.scratch.caches[index as usize] = Cache::default();
        }
    }

    /// From one end towards a hit: how far the edge is free, the nearest hit found, and its pair if it is another one. Shares are those
    /// of the edge from its start.
    fn approach(&mut self, hit: f64, forward: bool, resolution: f64) -> (f64, f64, Option<u32>) {
        let (mut hit, mut pair) = (hit, None);
        let near = |stretch: &Stretch| if forward { stretch.low } else { stretch.high };
        let is_before = |share: f64, hit: f64| if forward { share < hit } else { share > hit };
        let EdgeScratch { queue, stack, .. } = self.scratch;
        stack.clear();
        stack.extend(queue.iter().filter(|stretch| is_before(near(stretch), hit)));
        // The nearest to the end comes last.
        stack.sort_by(|x, y| if forward { y.low.total_cmp(&x.low) } else { x.high.total_cmp(&y.high) });
        while let Some(stretch) = self.scratch.stack.pop() {
            let from = near(&stretch);
            if !is_before(from, hit) {
                return (hit, hit, pair);
            }
            if (hit - from).abs() <= resolution || self.is_exhausted(&stretch) {
                return (from, hit, pair);
            }
            let middle = 0.5 * (stretch.low + stretch.high);
            let (met, (first, len)) = self.examine(&stretch, middle);
            if let Some(met) = met {
                (hit, pair) = (middle, Some(met));
            }
            if len > 0 {
                let halves = [
                    Stretch { low: stretch.low, high: middle, first, len },
                    Stretch { low: middle, high: stretch.high, first, len },
                ];
                let [nearer, farther] = if forward { halves } else { [halves[1], halves[0]] };
                if met.is_none() {
                    self.scratch.stack.push(farther);
                }
                self.scratch.stack.push(nearer);
            }
        }
        (hit, hit, pair)
    }

    /// What is proved of an edge that is open somewhere and has no certain hit.
    fn undecided(&self, free: EdgeAnswer) -> EdgeAnswer {
        let queue = &self.scratch.queue;
        let low = queue.iter().map(|stretch| stretch.low).fold(1.0, f64::min);
        let high = queue.iter().map(|stretch| stretch.high).fold(0.0, f64::max);
        let pair = queue.front().and_then(|stretch| self.scratch.pairs.get(stretch.first)).copied();
        EdgeAnswer {
            verdict: EdgeVerdict::Undecided,
            free_from_start: low,
            free_from_end: 1.0 - high,
            pair: pair.map(|pair| self.cell.owners(pair)),
            steps: self.steps,
            ..free
        }
    }
}
