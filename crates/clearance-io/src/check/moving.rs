//! A pair in motion: when it collides, when first, when worst, and how near it comes otherwise.
//!
//! Time is cut where poses are given. A span that starts free is free up to the time of impact, which is never later than the first
//! contact; a span that ends free is free back to the time of impact of the motion backwards. What is not shown to be free in
//! one of these ways is collision: gaps within one span between two times at which the parts overlap are not looked for.

use clearance::{Closest, Contact};

use super::CheckOptions;
use super::broad::Boxes;
use super::clear::least_clearance;
use super::finding::{Finding, Kind, PairClearance};
use super::track::Pair;
use crate::scene::PairRule;

/// What is found about a pair.
pub(super) struct Moved {
    pub finding: Option<Finding>,
    pub clearance: Option<PairClearance>,
}

/// What is found about a pair in motion.
pub(super) fn check(pair: &Pair<'_>, boxes: &Boxes, rule: &PairRule, options: &CheckOptions) -> Moved {
    let hard = spans(pair, boxes, 0.0);
    let worst = hard.worst(pair);
    if let Some((step, share, near)) = worst
        && near.contact == Contact::Overlapping
    {
        let time = pair.time(step, share);
        let found = pair.finding(step, share, rule, &near);
        let finding = found.map(|found| Finding {
            time: Some(time),
            intervals: hard.spans.iter().map(|span| [span.from, span.to]).collect(),
            first_contact: hard.first,
            ..found
        });
        let clearance = options.clearances.then(|| PairClearance {
            a: pair.parts[0],
            b: pair.parts[1],
            time,
            distance: near.distance,
            lower: finding.as_ref().map_or(near.lower, |found: &Finding| found.lower),
            upper: near.upper,
            samples: pair.samples(),
        });
        return Moved { finding, clearance };
    }
    if !options.clearances && rule.clearance == 0.0 && hard.spans.is_empty() {
        return Moved { finding: touching(pair, boxes, rule), clearance: None };
    }
    let least = least_clearance(pair, boxes, options.every_sample);
    let mut finding = pair.finding(least.step, least.share, rule, &least.near);
    if let Some(found) = &mut finding {
        found.time = Some(least.clearance.time);
        (found.lower, found.upper) = (least.clearance.lower, least.clearance.upper);
        if found.kind == Kind::Clearance {
            let soft = spans(pair, boxes, rule.clearance);
            found.intervals = soft.spans.iter().map(|span| [span.from, span.to]).collect();
            found.first_contact = soft.first;
        }
    }
    let clearance = (options.clearances || rule.clearance > 0.0).then_some(least.clearance);
    Moved { finding, clearance }
}

/// A pair that never collides, but touches at a time at which poses are given.
fn touching(pair: &Pair<'_>, boxes: &Boxes, rule: &PairRule) -> Option<Finding> {
    let steps = pair.timeline.times.len();
    let may_touch = |step: usize| {
        step.checked_sub(1).is_some_and(|before| pair.gap(boxes, before) == 0.0)
            || (step + 1 < steps && pair.gap(boxes, step) == 0.0)
    };
    let touches =
        (0..steps).filter(|step| may_touch(*step)).find(|step| pair.near(*step).contact == Contact::Touching)?;
    let (step, share) = pair.place(touches);
    let found = pair.finding(step, share, rule, &pair.near(touches))?;
    Some(Finding { time: Some(pair.timeline.times[touches]), ..found })
}

/// A span of collision.
#[derive(Debug, Clone, Copy)]
struct Span {
    from: f64,
    to: f64,
    /// A step that it has a part in, with the shares of that step which it covers.
    step: usize,
    shares: [f64; 2],
}

#[derive(Default)]
struct Spans {
    spans: Vec<Span>,
    /// Bounds of the first contact.
    first: Option<[f64; 2]>,
}

impl Spans {
    /// Adds a part of a step; parts that follow each other become one span.
    fn add(&mut self, pair: &Pair<'_>, step: usize, shares: [f64; 2]) {
        let [from, to] = shares.map(|share| pair.time(step, share));
        match self.spans.last_mut() {
            Some(last) if last.to >= from => last.to = to.max(last.to),
            _ => self.spans.push(Span { from, to, step, shares }),
        }
    }

    /// The deepest moment that was looked at, as a share of a step: the times at which poses are given, and the middle of short spans
    /// between them.
    fn worst(&self, pair: &Pair<'_>) -> Option<(usize, f64, Closest)> {
        let mut worst: Option<(usize, f64, Closest)> = None;
        let mut look = |(step, share): (usize, f64), near: Closest| {
            if worst.as_ref().is_none_or(|worst| near.distance < worst.2.distance) {
                worst = Some((step, share, near));
            }
        };
        let times = &pair.timeline.times;
        for span in &self.spans {
            let [from, to] = [times.partition_point(|t| *t < span.from), times.partition_point(|t| *t <= span.to)];
            (from..to).for_each(|step| look(pair.place(step), pair.near(step)));
            if from == to {
                let middle = 0.5 * (span.shares[0] + span.shares[1]);
                look((span.step, middle), pair.near_at(&pair.poses_between(span.step, middle)));
            }
        }
        worst
    }
}

/// The spans of time in which the pair is nearer than a clearance, or overlaps if that is zero.
fn spans(pair: &Pair<'_>, boxes: &Boxes, clearance: f64) -> Spans {
    let mut found = Spans::default();
    let is_in = |near: &Closest| {
        if clearance > 0.0 { near.upper < clearance } else { near.contact == Contact::Overlapping }
    };
    let steps = pair.timeline.times.len() - 1;
    for step in 0..steps {
        if pair.gap(boxes, step) > clearance {
            continue;
        }
        let [starts_in, ends_in] = [is_in(&pair.near(step)), is_in(&pair.near(step + 1))];
        let begins = if starts_in {
            [0.0, 0.0]
        } else {
            match pair.impact(step, clearance, false) {
                // Certainly free up to the end, where rounding calls it the other way.
                None if ends_in => [1.0, 1.0],
                None => continue,
                Some(cast) => {
                    [cast.lower.min(cast.fraction), if cast.upper < 1.0 || ends_in { cast.upper } else { 1.0 }]
                }
            }
        };
        let ends =
            if ends_in { 1.0 } else { pair.impact(step, clearance, true).map_or(begins[0], |cast| 1.0 - cast.lower) };
        if found.first.is_none() {
            found.first = Some(begins.map(|share| pair.time(step, share)));
        }
        found.add(pair, step, [begins[0], ends.max(begins[0])]);
    }
    found
}
