//! Whether two convex shapes meet, the best way for the pair.
//!
//! The plane or the tetrahedron of the last frame, closed forms, and a boolean search are asked in turn; what they leave open, touching
//! above all, is decided by the distance. Bodies with flat faces within a few errors of touching are asked for their signed distance
//! straight away, so that this verb and those for distances never differ there.

use super::active;
use super::cache::PairCache;
use super::closed::{self, Decision};
use super::closest::{apart, distance, near, of_cores};
use super::gjk::{self, Gjk, Goal, Start, State, SubAlgorithm, SupportPlane};
use super::pair::Pair;
use super::plates::crossings;
use super::posed::{in_frame_of_a, is_posed};
use super::rods::common_point;
use super::sa_gjk::{self, Answer};
use super::separating_vector::{self, still_apart, still_meeting};
use super::simplex::Simplex;
use super::witness::{common, grown_towards, points_of_meeting, separation};
use crate::answer::{Contact, End, Overlap, Witness};
use crate::math::{Pose, Real, Vec3, length};
use crate::shape::{Core, Shape};
use crate::support::VertexId;
use crate::tolerance::{CLOSE_SIGMAS, SHARED_SIGMAS};

/// How often [`drawn_in`] goes from body to body: each time leaves about half of the way, of some hundred errors.
const MOST_ROUNDS: usize = 16;

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
    let mut start = pair.start(cache, pose_a);
    match closed::overlap(&pair) {
        Ok(decision) => return of_formula([a, b], pose_a, &pair, cache, decision),
        Err(Some(direction)) if !cache.warm => start.direction = direction,
        Err(_) => {}
    }
    if let Some(simplex) = still_meeting(&pair, cache) {
        let (points, end) = shown(a, b, &pair, points_of_meeting(&simplex, pair.sigma), &simplex, End::Converged);
        return Overlap { overlap: true, witness: shared_by([a, b], pose_a, &pair, points), end, iterations: 0 };
    }
    let mut iterations = 0;
    if pair.margin == 0.0 {
        let verdict = quickly(&pair, &start);
        iterations = verdict.iterations;
        start.hints = verdict.hints;
        match verdict.answer {
            Answer::Apart(plane) if is_close(&pair, plane.bound) => {
                return closely([a, b], pose_a, &pair, cache, iterations);
            }
            Answer::Apart(plane) => {
                cache.remember(pose_a.direction(plane.direction), &[], verdict.hints);
                let witness = separation(a, pose_a, &plane, plane.bound);
                return Overlap { overlap: false, witness, end: End::Converged, iterations };
            }
            Answer::Meeting(simplex) => {
                cache.remember(pose_a.direction(start.direction), simplex.vertices(), verdict.hints);
                let (points, end) =
                    shown(a, b, &pair, points_of_meeting(&simplex, pair.sigma), &simplex, End::Converged);
                return Overlap { overlap: true, witness: shared_by([a, b], pose_a, &pair, points), end, iterations };
            }
            Answer::Unclear(direction) => start.direction = direction,
        }
    }
    let mut gjk = gjk::run(&pair.m, &start, &[], &pair.goal(true));
    let is_meeting = gjk.state == State::Meeting;
    let is_near = is_close(&pair, gjk.plane.bound - pair.margin) && !(gjk.upper() <= pair.margin);
    if !is_meeting && is_near || pair.barely_meets(&gjk) {
        return closely([a, b], pose_a, &pair, cache, iterations + gjk.iterations);
    }
    let mut points = if is_meeting { points_of_meeting(&gjk.simplex, pair.sigma) } else { gjk.simplex.points() };
    if gjk.state == State::Apart && !pair.is_certain(&gjk) {
        // Points that were moved to agree with a distance may be beside the bodies by what the distance is off.
        let settled = settle(&pair, &mut gjk);
        points = settled.filter(|p| in_both([a, b], &pair, common(a, b, *p))).unwrap_or(points);
    }
    let bound = gjk.plane.bound - pair.margin;
    let apart = bound > pair.sigma;
    let direction = if apart { gjk.plane.direction } else { start.direction };
    cache.remember(pose_a.direction(direction), gjk.simplex.vertices(), gjk.hints);
    let iterations = iterations + gjk.iterations;
    if apart {
        let witness = separation(a, pose_a, &gjk.plane, bound);
        return Overlap { overlap: false, witness, end: gjk.end, iterations };
    }
    let (points, end) = shown(a, b, &pair, points, &gjk.simplex, gjk.end);
    Overlap { overlap: true, witness: shared_by([a, b], pose_a, &pair, points), end, iterations }
}

/// The answer of a formula.
#[inline]
fn of_formula(
    [a, b]: [&Shape; 2],
    pose_a: &Pose,
    pair: &Pair<'_>,
    cache: &mut PairCache,
    decision: Decision,
) -> Overlap {
    let (overlap, witness) = match decision {
        Decision::Apart(plane) if is_close(pair, plane.bound) => return closely([a, b], pose_a, pair, cache, 0),
        Decision::Apart(plane) => (false, separation(a, pose_a, &plane, plane.bound)),
        Decision::Common(points) => (true, Witness::Point(pose_a.point(common(a, b, points)))),
    };
    Overlap { overlap, witness, end: End::Converged, iterations: 0 }
}

/// Whether a plane separates bodies with flat faces by so little that the signed distance decides; for curved ones that is known less well
/// than a plane.
#[inline]
fn is_close(pair: &Pair<'_>, gap: Real) -> bool {
    pair.flat && gap <= CLOSE_SIGMAS * pair.sigma
}

/// The boolean of the signed distance, from a cold start: so no two verbs differ on bodies that all but touch.
#[cold]
#[inline(never)]
fn closely([a, b]: [&Shape; 2], pose_a: &Pose, pair: &Pair<'_>, cache: &mut PairCache, iterations: u32) -> Overlap {
    let near = of_cores(pair);
    let lowest = pair.m.lowest(near.normal, [VertexId::NONE; 2]);
    cache.remember(pose_a.direction(near.normal), &[], lowest.ids);
    let iterations = iterations + near.iterations;
    if near.contact(pair.sigma) == Contact::Apart {
        let bound = (near.normal.dot(lowest.m) - pair.margin).max(near.lower);
        let plane = SupportPlane { direction: near.normal, bound, on_a: lowest.a };
        return Overlap { overlap: false, witness: separation(a, pose_a, &plane, bound), end: near.end, iterations };
    }
    // Points that were moved to agree with the depth may be beside the bodies.
    let (none, converged) = (Simplex::default(), End::Converged);
    let (points, end) = if in_both([a, b], pair, common(a, b, near.points)) {
        shown(a, b, pair, near.points, &none, near.end)
    } else {
        shown_anew([a, b], pair, near.points, &none, converged)
    };
    Overlap { overlap: true, witness: shared_by([a, b], pose_a, pair, points), end, iterations }
}

/// The common point of two bodies, in world space, from points of their cores; or a point of each if none was found that is in both.
#[inline]
fn shared_by([a, b]: [&Shape; 2], pose_a: &Pose, pair: &Pair<'_>, points: [Vec3; 2]) -> Witness {
    if is_shared(pair, points) {
        return Witness::Point(pose_a.point(common(a, b, points)));
    }
    Witness::Points(grown_towards(points, [a.radius(), b.radius()]).map(|point| pose_a.point(point)))
}

/// Points of the cores that show a common point of the bodies, and how the query ended. If they differ by more than the radii and rounding,
/// other points are looked for; if none show one, the query did not converge.
#[inline]
fn shown(a: &Shape, b: &Shape, pair: &Pair<'_>, points: [Vec3; 2], simplex: &Simplex, end: End) -> ([Vec3; 2], End) {
    if is_shared(pair, points) { (points, end) } else { shown_anew([a, b], pair, points, simplex, end) }
}

#[inline]
fn is_shared(pair: &Pair<'_>, [on_a, on_b]: [Vec3; 2]) -> bool {
    length(on_b - on_a) <= pair.margin + SHARED_SIGMAS * pair.sigma
}

/// GJK with simplices in pairs of doubles, from the simplex at hand and from nothing; then the points of the signed
/// distance, what is between them, and where a body passes through the plane of a plate, asked of both bodies: of two that overlap by
/// little one is in both.
#[cold]
#[inline(never)]
fn shown_anew(
    shapes: [&Shape; 2],
    pair: &Pair<'_>,
    points: [Vec3; 2],
    simplex: &Simplex,
    end: End,
) -> ([Vec3; 2], End) {
    let goal =
        Goal { boolean: false, margin: 0.0, sigma: 0.0, relative_gap: 0.0, sub_algorithm: SubAlgorithm::Careful };
    let start = Start { direction: Vec3::X, hints: [VertexId::NONE; 2] };
    let mut best = points;
    for warm in [simplex.vertices(), &[]] {
        let found = points_of_meeting(&gjk::run(&pair.m, &start, warm, &goal).simplex, 0.0);
        if length(found[1] - found[0]) < length(best[1] - best[0]) {
            best = found;
        }
        if is_shared(pair, best) {
            return (best, end);
        }
    }
    let [on_a, on_b] = of_cores(pair).points;
    let deepest = [common(shapes[0], shapes[1], [on_a, on_b]), on_a, on_b];
    let mut candidates = deepest.into_iter().chain(crossings(pair));
    let on_segment = || common_point(shapes, pair, deepest[0], SHARED_SIGMAS * pair.sigma);
    let drawn_in = || drawn_in(shapes, pair, deepest[0]);
    let found = candidates.find(|p| in_both(shapes, pair, *p)).or_else(drawn_in).or_else(on_segment);
    found.map_or((best, End::Degenerate), |p| ([p; 2], end))
}

/// A common point by going from a point to the nearest of one body, from there to that of the other, and so on: where bodies meet behind sharp
/// edges, or one has no room, the deepest points need not be in both.
#[cold]
fn drawn_in(shapes: [&Shape; 2], pair: &Pair<'_>, from: Vec3) -> Option<Vec3> {
    let mut point = from;
    (0..2 * MOST_ROUNDS).find_map(|step| {
        point = nearest_of(shapes, pair, step % 2, point);
        in_both(shapes, pair, point).then_some(point)
    })
}

/// The point of one of the shapes that is nearest to a point, both in the frame of A.
#[cold]
fn nearest_of(shapes: [&Shape; 2], pair: &Pair<'_>, side: usize, point: Vec3) -> Vec3 {
    let turned = pair.m.rotation.transpose() * (point - pair.m.translation);
    let local = [point, turned][side];
    let at = Pose::IDENTITY.moved_to(local);
    let near = distance(&Shape::point(), &at, shapes[side], &Pose::IDENTITY, &mut PairCache::default());
    let on = near.map_or(local, |near| near.points[1]);
    [on, pair.m.rotation * on + pair.m.translation][side]
}

/// Whether a point in the frame of A is in both bodies, to rounding.
#[cold]
fn in_both([a, b]: [&Shape; 2], pair: &Pair<'_>, point: Vec3) -> bool {
    let most = SHARED_SIGMAS * pair.sigma;
    let in_b = pair.m.rotation.transpose() * (point - pair.m.translation);
    is_in(a, point, most) && is_in(b, in_b, most)
}

/// Whether a point of a shape's own frame is in the shape, or no farther from it than a tolerance.
fn is_in(shape: &Shape, point: Vec3, tolerance: Real) -> bool {
    let at = Pose::IDENTITY.moved_to(point);
    let near = distance(&Shape::point(), &at, shape, &Pose::IDENTITY, &mut PairCache::default());
    near.is_none_or(|near| near.distance <= tolerance)
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
        Witness::Points(points) => Witness::Points(points.map(|point| pose_a.point(point))),
        Witness::Gap(gap) => Witness::Gap(gap),
    };
    Overlap { witness, ..answer }
}
