//! The signed distance of two convex shapes, the best way for the pair.
//!
//! The cores are asked; radii are added; and only the answer goes back to world space. Every answer carries bounds from the
//! witnesses that the algorithms propose, widened by the error of a support.

use glam::DVec3;

use super::active;
use super::cache::PairCache;
use super::closed;
use super::epa;
use super::gjk::{self, Gjk, Goal, Start, State, SubAlgorithm};
use super::local::Local;
use super::pair::Pair;
use super::polish::polish;
use super::posed::{in_frame_of_a, is_posed, placed};
use super::revolution;
use crate::answer::{Closest, Contact, End, Feature};
use crate::math::{Pose, Real, Vec3, length, narrow, narrow_real, unit_or, wide_unit_or, widen};
use crate::shape::Shape;
use crate::tolerance::{
    COARSE_DEPTH_GAP, COARSE_GAP, NEAR, POLISHED_RESIDUAL, RELATIVE_DEPTH_GAP, STALL_SIGMAS, UNIT_ROUNDOFF,
};

/// The signed distance of two bodies with their nearest or deepest points, from far apart to deep inside.
pub fn closest(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Closest {
    if is_posed(a) || is_posed(b) {
        let near = in_frame_of_a(a, pose_a, b, pose_b, |a, of_a, b, of_b| closest(a, of_a, b, of_b, cache));
        return placed(near, pose_a);
    }
    let pair = Pair::new(a, pose_a, b, pose_b);
    if let Some(local) = closed::closest(&pair) {
        return in_the_world(local, pair.sigma, a, pose_a, b);
    }
    let was_warm = cache.warm;
    let mut local = solved(&pair, pose_a, cache, SubAlgorithm::Regions);
    if !pair.is_as_stated(&local) {
        local = solved_again(&pair, local, pose_a, cache, was_warm);
    }
    in_the_world(local, pair.sigma, a, pose_a, b)
}

/// The signed distance of a pair from a cold start, in the frame of A.
pub(super) fn of_cores(pair: &Pair<'_>) -> Local {
    closed::closest(pair).unwrap_or_else(|| {
        let mut cache = PairCache::default();
        let local = solved(pair, &Pose::IDENTITY, &mut cache, SubAlgorithm::Regions);
        let good = pair.is_as_stated(&local);
        if good { local } else { solved_again(pair, local, &Pose::IDENTITY, &mut cache, false) }
    })
}

/// The signed distance by GJK and what comes after it.
#[inline]
fn solved(pair: &Pair<'_>, pose_a: &Pose, cache: &mut PairCache, way: SubAlgorithm) -> Local {
    let start = pair.start(cache, pose_a);
    let mut gjk = Gjk::new(&start);
    let local = pair.separation(&mut gjk, &start, cache, way).unwrap_or_else(|| overlapping(pair, &gjk));
    cache.remember(pose_a.direction(local.normal), gjk.simplex.vertices(), gjk.hints);
    local
}

/// The depth of two cores that meet, after a run of GJK that found it out.
#[inline]
pub(super) fn overlapping(pair: &Pair<'_>, gjk: &Gjk) -> Local {
    let local = closed::depth(pair, &gjk.simplex, gjk.iterations);
    let local = local.or_else(|| revolution::depth(pair, gjk.iterations, RELATIVE_DEPTH_GAP));
    local.unwrap_or_else(|| meeting(pair, gjk))
}

/// What to do with an answer that is not as good as is stated: from a cold start, if the last was none, and then with simplices in pairs
/// of doubles. The answer with the closer bounds counts.
#[cold]
#[inline(never)]
fn solved_again(pair: &Pair<'_>, first: Local, pose_a: &Pose, cache: &mut PairCache, was_warm: bool) -> Local {
    let mut best = first;
    let mut iterations = first.iterations;
    for (way, is_due) in [(SubAlgorithm::Regions, was_warm), (SubAlgorithm::Careful, true)] {
        if !is_due || (way == SubAlgorithm::Careful && pair.is_as_stated(&best)) {
            continue;
        }
        let mut fresh = PairCache::default();
        let local = solved(pair, pose_a, &mut fresh, way);
        iterations += local.iterations;
        // A cold answer replaces a warm one, so that no answer depends on a cache.
        if was_warm && way == SubAlgorithm::Regions || local.upper - local.lower < best.upper - best.lower {
            (best, *cache) = (local, fresh);
        }
    }
    let coarse = if best.distance < -pair.margin && !pair.is_as_stated(&best) {
        revolution::depth(pair, 0, COARSE_DEPTH_GAP).filter(|local| pair.is_as_stated(local))
    } else {
        None
    };
    best = coarse.unwrap_or(best);
    if best.end == End::Converged && !pair.is_as_stated(&best) {
        best.end = End::Degenerate;
    }
    Local { iterations, ..honest(best) }
}

/// An answer about supports that are not those of a convex body, infinite or not numbers: in order, with bounds that say that nothing
/// is known where that is so.
fn honest(local: Local) -> Local {
    let numbers = local.points.iter().all(|p| p.is_finite()) && local.normal.is_finite() && local.distance.is_finite();
    if !numbers {
        let (lower, upper) = (Real::NEG_INFINITY, Real::INFINITY);
        let nothing = Local { distance: 0.0, lower, upper, points: [Vec3::ZERO; 2], normal: Vec3::X, ..local };
        return Local { end: End::Degenerate, ..nothing };
    }
    let [lower, upper] = [local.lower.min(local.distance), local.upper.max(local.distance)];
    if !(local.lower <= local.upper) {
        return Local { lower: Real::NEG_INFINITY, upper: Real::INFINITY, end: End::Degenerate, ..local };
    }
    Local { lower, upper, ..local }
}

/// The distance of two bodies whose cores do not meet, as [`closest`] has it; nothing if they do. For those who do not need
/// depths: bodies that overlap cost no more than a boolean.
pub fn distance(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Option<Closest> {
    if is_posed(a) || is_posed(b) {
        let near = in_frame_of_a(a, pose_a, b, pose_b, |a, of_a, b, of_b| distance(a, of_a, b, of_b, cache));
        return near.map(|near| placed(near, pose_a));
    }
    let pair = Pair::new(a, pose_a, b, pose_b);
    if let Some(local) = closed::distance(&pair) {
        return local.map(|local| in_the_world(local, pair.sigma, a, pose_a, b));
    }
    let was_warm = cache.warm;
    let start = pair.start(cache, pose_a);
    let mut gjk = Gjk::new(&start);
    let mut local = pair.separation(&mut gjk, &start, cache, SubAlgorithm::Regions);
    if pair.barely_meets(&gjk) {
        // They may still be apart along the normal of a face or across two edges, as the signed distance has it.
        let near = closed::depth(&pair, &gjk.simplex, gjk.iterations).unwrap_or_else(|| meeting(&pair, &gjk));
        local = Some(near).filter(|near| near.contact(pair.sigma) == Contact::Apart);
    }
    let direction = local.map_or(cache.direction, |local| pose_a.direction(local.normal));
    cache.remember(direction, gjk.simplex.vertices(), gjk.hints);
    if let Some(first) = local.filter(|local| !pair.is_as_stated(local)) {
        local = Some(solved_again(&pair, first, pose_a, cache, was_warm)).filter(|local| local.distance > -pair.margin);
    }
    local.map(|local| in_the_world(local, pair.sigma, a, pose_a, b))
}

/// [`closest`] with the nearest point of a simplex found the given way, two boxes like others: for study and comparison.
pub fn closest_by(
    way: SubAlgorithm,
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> Closest {
    let pair = Pair::new(a, pose_a, b, pose_b);
    let start = pair.start(cache, pose_a);
    let mut gjk = Gjk::new(&start);
    let local = pair.separation(&mut gjk, &start, cache, way).unwrap_or_else(|| meeting(&pair, &gjk));
    cache.remember(pose_a.direction(local.normal), gjk.simplex.vertices(), gjk.hints);
    in_the_world(local, pair.sigma, a, pose_a, b)
}

impl Pair<'_> {
    /// The distance of the cores with the margin taken off, unless they meet. `gjk` is fresh, and becomes the last run.
    fn separation(&self, gjk: &mut Gjk, start: &Start, cache: &PairCache, way: SubAlgorithm) -> Option<Local> {
        let mut goal = Goal { sub_algorithm: way, ..self.goal(false) };
        let fine = goal.relative_gap;
        if !self.flat {
            goal.relative_gap = COARSE_GAP;
        }
        gjk.advance(&self.m, start, &self.warm_simplex(cache), &goal);
        if gjk.state == State::Meeting {
            return None;
        }
        if self.flat {
            return Some(near(self, gjk, apart(self, gjk)));
        }
        if let Some(smooth) = on_pieces(self, gjk).or_else(|| smooth(self, gjk)) {
            return Some(smooth);
        }
        goal.relative_gap = fine;
        let coarse = *gjk;
        let start = Start { direction: narrow(coarse.nearest), hints: coarse.hints };
        *gjk = gjk::run(&self.m, &start, coarse.simplex.vertices(), &goal);
        gjk.iterations += coarse.iterations;
        if coarse.plane.bound > gjk.plane.bound {
            gjk.plane = coarse.plane;
        }
        (gjk.state == State::Apart).then(|| near(self, gjk, apart(self, gjk)))
    }
}

/// An answer about the cores in the frame of A, for the whole bodies in world space.
pub(super) fn in_the_world(local: Local, sigma: Real, a: &Shape, pose_a: &Pose, b: &Shape) -> Closest {
    let [on_a, on_b] = local.points;
    Closest {
        points: [on_a + local.normal * a.radius(), on_b - local.normal * b.radius()].map(|p| pose_a.point(p)),
        normal: pose_a.direction(local.normal),
        contact: local.contact(sigma),
        distance: local.distance,
        lower: local.lower,
        upper: local.upper,
        features: [Feature::WHOLE; 2],
        end: local.end,
        iterations: local.iterations,
    }
}

/// The answer of GJK, with the margin taken off; points are those of the cores.
pub(super) fn apart(pair: &Pair<'_>, gjk: &Gjk) -> Local {
    let upper = gjk.upper();
    let mut normal = narrow(wide_unit_or(gjk.nearest, DVec3::X));
    let mut distance = upper;
    if let Some(face) = gjk.simplex.triangle_normal().filter(|_| pair.flat) {
        // The direction of a face is known better than that of a short vector.
        let face = wide_unit_or(face, widen(normal));
        let face = if face.dot(widen(normal)) < 0.0 { -face } else { face };
        distance = narrow_real(face.dot(widen(gjk.simplex.vertices()[0].m)));
        normal = narrow(face);
    }
    if !pair.flat {
        normal = better_normal(pair, gjk, normal);
    }
    let mut simplex = gjk.simplex;
    simplex.refine(widen(normal * distance));
    let points = simplex.points();
    // A combination of corners is a point of M whatever the rounding; the vector to it is an upper bound.
    let upper = upper.max(length(points[1] - points[0]));
    let mut lower = gjk.plane.bound;
    if upper - lower > STALL_SIGMAS * pair.sigma + pair.goal(false).relative_gap * upper {
        // The plane that belongs to the answer may be a better one than those on the way to it.
        lower = lower.max(normal.dot(pair.m.lowest(normal, gjk.hints).m));
    }
    // However the run ended: bounds as near as this are all that is stated.
    let close = upper - lower <= STALL_SIGMAS * (pair.sigma + pair.goal(false).relative_gap * upper);
    let end = if close { End::Converged } else { gjk.end };
    if !pair.flat && distance < pair.margin {
        // A depth of rounded bodies: moved by what the plane across the normal says, and no less, they are apart.
        let bound = normal.dot(pair.m.lowest(normal, gjk.hints).m);
        lower = lower.max(bound);
        distance = distance.min(bound).max(lower - pair.sigma);
    }
    let answer = Local {
        distance: distance - pair.margin,
        lower: lower.min(distance) - pair.sigma - pair.margin,
        upper: upper.max(distance) + pair.sigma - pair.margin,
        points,
        normal,
        end,
        iterations: gjk.iterations,
    };
    answer.with_points(points, normal * distance, pair.sigma)
}

/// The direction of the best plane of a run, if the bodies are farther apart along it, by more than rounding, than along the vector between
/// their nearest points: rounding has turned that vector if it is short.
fn better_normal(pair: &Pair<'_>, gjk: &Gjk, normal: Vec3) -> Vec3 {
    if gjk.plane.direction == narrow(gjk.nearest) {
        return normal;
    }
    let own = normal.dot(pair.m.lowest(normal, gjk.hints).m);
    let rounding = 4.0 * pair.sigma + pair.goal(false).relative_gap * gjk.upper();
    if gjk.plane.bound - own > rounding { unit_or(gjk.plane.direction, normal) } else { normal }
}

/// A distance so near to zero that GJK's direction is noise, by the directions of faces; the answer with the closer bounds.
pub(super) fn near(pair: &Pair<'_>, gjk: &Gjk, answer: Local) -> Local {
    if answer.end == End::Converged || !(gjk.upper() <= NEAR * pair.size) {
        return answer;
    }
    let mut by_faces = meeting(pair, gjk);
    let width = by_faces.upper - by_faces.lower;
    if !(width < answer.upper - answer.lower) {
        return answer;
    }
    // What is stated for distances, not for depths.
    let stated = STALL_SIGMAS * (4.0 * pair.sigma + pair.goal(false).relative_gap * gjk.upper());
    if by_faces.distance > -pair.margin && width > stated {
        by_faces.end = End::Degenerate;
    }
    by_faces
}

/// Newton's answer from a coarse one, if the bodies are smooth where they are nearest.
#[inline]
pub(super) fn smooth(pair: &Pair<'_>, gjk: &Gjk) -> Option<Local> {
    let polished = polish(&pair.m, narrow(wide_unit_or(gjk.nearest, DVec3::X)), pair.sigma);
    let distance = polished.bound;
    let reached = polished.residual <= POLISHED_RESIDUAL * distance + 4.0 * pair.sigma;
    // The point and the plane bound the distance from above and below.
    let upper = length(polished.vertex.m);
    let answer = Local {
        distance: distance - pair.margin,
        lower: distance - pair.sigma - pair.margin,
        upper: upper + pair.sigma - pair.margin,
        points: [Vec3::ZERO; 2],
        normal: polished.direction,
        end: End::Converged,
        iterations: gjk.iterations + polished.iterations,
    };
    let points = [polished.vertex.a, polished.vertex.a + polished.vertex.m];
    (distance > pair.sigma && reached).then(|| answer.with_points(points, polished.direction * distance, pair.sigma))
}

/// Newton's answer from a coarse one, if the bodies are made of known pieces.
#[inline]
pub(super) fn on_pieces(pair: &Pair<'_>, gjk: &Gjk) -> Option<Local> {
    let direction = narrow(wide_unit_or(gjk.nearest, DVec3::X));
    let enough = POLISHED_RESIDUAL * gjk.upper() + 4.0 * pair.sigma;
    let found = active::polish(&pair.m, gjk.simplex.vertices(), direction, enough, pair.sigma)?;
    let upper = found.bound + found.residual;
    let answer = Local {
        distance: found.bound - pair.margin,
        lower: found.bound - pair.sigma - pair.margin,
        upper: upper + pair.sigma - pair.margin,
        points: found.points,
        normal: found.direction,
        end: End::Converged,
        iterations: gjk.iterations + found.iterations,
    };
    (found.bound > pair.sigma).then(|| answer.with_points(found.points, found.direction * found.bound, pair.sigma))
}

/// The answer of the expanding polytope, with the margin taken off.
fn meeting(pair: &Pair<'_>, gjk: &Gjk) -> Local {
    let gap = if pair.flat { 0.0 } else { RELATIVE_DEPTH_GAP };
    of_depth(pair, gjk, &epa::depth(&pair.m, &gjk.simplex, pair.sigma, gap))
}

/// A depth of the cores after a run of GJK, with the margin taken off.
pub(super) fn of_depth(pair: &Pair<'_>, gjk: &Gjk, depth: &epa::Depth) -> Local {
    // GJK came within this of a common point, whatever became of the expansion: a combination of corners is a point of M.
    let [on_a, on_b] = gjk.simplex.points();
    let by_points = gjk.upper().max(length(on_b - on_a)).min(length(depth.points[1] - depth.points[0]));
    // The plane of a face bounds a depth. Of an origin that turned out outside it bounds the distance from the wrong side: the foot need not
    // be in the face.
    let upper = if depth.lower >= 0.0 { -depth.lower } else { by_points }.max(-depth.depth);
    let close = upper + depth.upper <= STALL_SIGMAS * pair.sigma;
    // The normal of a difference without volume may be that of a very short vector, which loses its length.
    let is_unit = (depth.normal.length_squared() - 1.0).abs() <= 8.0 * UNIT_ROUNDOFF;
    let normal = if is_unit { depth.normal } else { unit_or(depth.normal, Vec3::X) };
    let answer = Local {
        distance: -depth.depth - pair.margin,
        lower: -depth.upper - pair.sigma - pair.margin,
        upper: upper + pair.sigma - pair.margin,
        points: depth.points,
        normal,
        end: if close { End::Converged } else { depth.end },
        iterations: gjk.iterations + depth.iterations,
    };
    answer.with_points(depth.points, normal * -depth.depth, pair.sigma)
}
