//! Whether two convex shapes meet, the best way for the pair.
//!
//! The plane or the tetrahedron of the last frame, closed forms, and a boolean search are asked in turn; what they leave open, touching
//! above all, is decided by the distance.

use super::active;
use super::cache::PairCache;
use super::closed::{self, Decision};
use super::closest::{apart, near, of_cores};
use super::gjk::{self, Gjk, Start, State, SupportPlane};
use super::pair::Pair;
use super::posed::{in_frame_of_a, is_posed};
use super::sa_gjk::{self, Answer};
use super::separating_vector::{self, still_apart, still_meeting};
use super::witness::{common, points_of_meeting, separation};
use crate::answer::{End, Overlap, Witness};
use crate::math::{Pose, Vec3};
use crate::shape::{Core, Shape};

/// Whether two bodies share a point. Touching counts; the answer carries a separating plane or a common point.
pub fn overlap(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Overlap {
    if is_posed(a) || is_posed(b) {
        return of_posed(a, pose_a, b, pose_b, cache);
    }
    match still_apart(a, pose_a, b, pose_b, cache) {
        Some(answer) => answer,
        None => overlap_anew(a, pose_a, b, pose_b, cache),
    }
}

/// Where the plane of the last frame does not separate any more.
#[inline(never)]
fn overlap_anew(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Overlap {
    let pair = Pair::new(a, pose_a, b, pose_b);
    if let Some(decision) = closed::overlap(&pair) {
        let (overlap, witness) = match decision {
            Decision::Apart(plane) => (false, separation(a, pose_a, &plane, plane.bound)),
            Decision::Common(points) => (true, Witness::Point(pose_a.point(common(a, b, points)))),
        };
        return Overlap { overlap, witness, end: End::Converged, iterations: 0 };
    }
    if let Some(simplex) = still_meeting(&pair, cache) {
        let witness = Witness::Point(pose_a.point(common(a, b, points_of_meeting(&simplex, pair.sigma))));
        return Overlap { overlap: true, witness, end: End::Converged, iterations: 0 };
    }
    let mut start = pair.start(cache, pose_a);
    let mut iterations = 0;
    if pair.margin == 0.0 {
        let verdict = quickly(&pair, &start);
        iterations = verdict.iterations;
        start.hints = verdict.hints;
        match verdict.answer {
            Answer::Apart(plane) => {
                cache.remember(pose_a.direction(plane.direction), &[], verdict.hints);
                let witness = separation(a, pose_a, &plane, plane.bound);
                return Overlap { overlap: false, witness, end: End::Converged, iterations };
            }
            Answer::Meeting(simplex) => {
                cache.remember(pose_a.direction(start.direction), simplex.vertices(), verdict.hints);
                let [on_a, on_b] = points_of_meeting(&simplex, pair.sigma);
                let witness = Witness::Point(pose_a.point((on_a + on_b) * 0.5));
                return Overlap { overlap: true, witness, end: End::Converged, iterations };
            }
            Answer::Unclear(direction) => start.direction = direction,
        }
    }
    let mut gjk = gjk::run(&pair.m, &start, &[], &pair.goal(true));
    let is_meeting = gjk.state == State::Meeting;
    let mut points = if is_meeting { points_of_meeting(&gjk.simplex, pair.sigma) } else { gjk.simplex.points() };
    if gjk.state == State::Apart && !pair.is_certain(&gjk) {
        points = settle(&pair, &mut gjk).unwrap_or(points);
    }
    let bound = gjk.plane.bound - pair.margin;
    let apart = bound > pair.sigma;
    let direction = if apart { gjk.plane.direction } else { start.direction };
    cache.remember(pose_a.direction(direction), gjk.simplex.vertices(), gjk.hints);
    let witness = if apart {
        separation(a, pose_a, &gjk.plane, bound)
    } else {
        Witness::Point(pose_a.point(common(a, b, points)))
    };
    Overlap { overlap: !apart, witness, end: gjk.end, iterations: iterations + gjk.iterations }
}

/// The boolean where it is clear: by separating vectors for bodies large enough to be climbed, else by SA-GJK (both measured).
#[inline]
fn quickly(pair: &Pair<'_>, start: &Start) -> sa_gjk::Verdict {
    match (pair.m.a, pair.m.b) {
        (Core::Polytope(a), Core::Polytope(b)) if a.search().is_climbed() && b.search().is_climbed() => {
            let options = separating_vector::Options::default();
            let verdict = separating_vector::decide(&pair.m, start, &options, pair.sigma, pair.size);
            sa_gjk::Verdict { answer: verdict.answer, hints: verdict.hints, iterations: verdict.steps.k }
        }
        _ => sa_gjk::decide(&pair.m, start, pair.sigma, pair.size),
    }
}

/// A boolean run that rounding stopped before it was certain: a plane that separates may still be found by Newton's method, or
/// be that of the distance itself; and if the distance is known to rounding, that is the answer, with its points.
fn settle(pair: &Pair<'_>, gjk: &mut Gjk) -> Option<[Vec3; 2]> {
    if !pair.flat {
        gjk.plane = active::sharpened(&pair.m, gjk, pair.margin, pair.sigma);
        if gjk.plane.bound > pair.margin + pair.sigma {
            gjk.end = End::Converged;
            return None;
        }
    }
    let answer = near(pair, gjk, apart(pair, gjk));
    let w = pair.m.lowest(answer.normal, gjk.hints);
    let bound = answer.normal.dot(w.m);
    if bound > gjk.plane.bound {
        gjk.plane = SupportPlane { direction: answer.normal, bound, on_a: w.a };
    }
    gjk.end = answer.end;
    gjk.iterations = answer.iterations + 1;
    if gjk.end == End::Converged { Some(answer.points) } else { by_distance(pair, gjk) }
}

/// The signed distance with all its ways decides what none of the others could.
#[cold]
fn by_distance(pair: &Pair<'_>, gjk: &mut Gjk) -> Option<[Vec3; 2]> {
    let answer = of_cores(pair);
    let w = pair.m.lowest(answer.normal, gjk.hints);
    let bound = answer.normal.dot(w.m);
    if bound > gjk.plane.bound {
        gjk.plane = SupportPlane { direction: answer.normal, bound, on_a: w.a };
    }
    gjk.end = answer.end;
    gjk.iterations += answer.iterations + 1;
    Some(answer.points)
}

/// Shapes of which one is moved within its frame.
#[inline(never)]
fn of_posed(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Overlap {
    let answer = in_frame_of_a(a, pose_a, b, pose_b, |a, of_a, b, of_b| overlap(a, of_a, b, of_b, cache));
    let witness = match answer.witness {
        Witness::Plane { normal, offset_a, offset_b } => {
            let normal = pose_a.direction(normal);
            let along = normal.dot(pose_a.translation());
            Witness::Plane { normal, offset_a: offset_a + along, offset_b: offset_b + along }
        }
        Witness::Point(point) => Witness::Point(pose_a.point(point)),
        other => other,
    };
    Overlap { witness, ..answer }
}
