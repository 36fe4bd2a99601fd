//! Motions, ranges and ways out, judged by certificates at places on the way.

use glam::DVec3;

use super::super::tally::{Finding, Question, Tally};
use super::bodies::reach;
use super::judge::{LOWER, POINT_SIGMAS, Pair, UPPER, bounds_of, is_unit};
use super::library::exact::{NotCertified, certify_unchecked as certify};
use super::library::math::{narrow, narrow_real, widen, widen_real};
use super::library::tolerance::sigma;
use super::library::{
    Body, BodyRef, Cache, Cast, CastOptions, End, Motion, SlideEnd, Start, Vec3, cast, contact_range, contacts,
    push_out, slide, time_of_impact,
};

/// A translation of B.
pub(crate) fn cast_by(pair: &Pair, by: DVec3, tally: &mut Tally) {
    let Ok(motion) = Motion::translation(pair.poses[1], narrow(by)) else { return };
    let [a, b] = &pair.bodies;
    let answer = cast(a, &pair.poses[0], b, &motion, &mut Cache::default(), &CastOptions::default());
    let Ok(answer) = answer else { return };
    moved(pair, &[Motion::still(pair.poses[0]), motion], &answer, Question::Cast, tally);
}

/// Both bodies turn, and B moves.
pub(crate) fn turn_by(pair: &Pair, [linear, angular, other]: [DVec3; 3], tally: &mut Tally) {
    let Ok(of_b) = Motion::with_velocity(pair.poses[1], narrow(linear), narrow(angular)) else { return };
    let Ok(of_a) = Motion::with_velocity(pair.poses[0], Vec3::ZERO, narrow(other)) else { return };
    let [a, b] = &pair.bodies;
    let answer = time_of_impact(a, &of_a, b, &of_b, &mut Cache::default(), &CastOptions::default());
    let Ok(answer) = answer else { return };
    moved(pair, &[of_a, of_b], &answer, Question::Impact, tally);
}

/// A motion: free before `lower`, in contact at the end of it.
fn moved(pair: &Pair, motions: &[Motion; 2], answer: &Cast, question: Question, tally: &mut Tally) {
    tally.ended(question, answer.end == End::Converged);
    if !matches!(answer.start, Start::Apart) {
        return;
    }
    let [a, b] = &pair.bodies;
    let touching = POINT_SIGMAS * pair.error;
    let at = |time: f64, claims: [bool; 2]| {
        let [of_a, of_b] = [0, 1].map(|side: usize| motions[side].pose(narrow_real(time)));
        match certify(a, &of_a, b, &of_b, &mut Cache::default(), claims) {
            Ok(proof) => Some(bounds_of(&proof)),
            // Bodies that touch have no lower bound.
            Err(NotCertified::Unproved) if claims == LOWER => Some([f64::NEG_INFINITY, f64::INFINITY]),
            Err(_) => None,
        }
    };
    for share in [0.3, 0.7, 0.95, 1.0] {
        let Some([_, high]) = at(widen_real(answer.lower) * share, UPPER) else { return tally.unproved() };
        tally.check(high >= -touching, Finding::Passed, || format!("{answer:?}, at {share} of lower proved {high:e}"));
    }
    if answer.hit.is_some() {
        let Some([low, _]) = at(widen_real(answer.fraction), LOWER) else { return tally.unproved() };
        let [a, b] = [0, 1].map(|side: usize| motions[side].speed(narrow_real(reach(&pair.bodies[side]))));
        let early = widen_real(answer.upper - answer.lower) * widen_real(a + b);
        tally.check(low <= touching + early, Finding::Passed, || format!("{answer:?}, at the hit proved {low:e}"));
    }
}

/// Shares of a range at which bodies are looked at.
const SHARES: [f64; 3] = [0.2, 0.5, 0.8];

/// What is proved of the distance with B at another place, and the rounding of that place.
fn moved_to(pair: &Pair, by: DVec3, claims: [bool; 2]) -> Option<([f64; 2], f64)> {
    let at = pair.poses[1].with_translation(narrow(widen(pair.poses[1].translation()) + by)).ok()?;
    let error = POINT_SIGMAS * (pair.error + widen_real(sigma(narrow_real(by.length()))));
    let [a, b] = &pair.bodies;
    match certify(a, &pair.poses[0], b, &at, &mut Cache::default(), claims) {
        Ok(proof) => Some((bounds_of(&proof), error)),
        Err(NotCertified::Unproved) if claims == LOWER => Some(([f64::NEG_INFINITY, f64::INFINITY], error)),
        Err(_) => None,
    }
}

/// The positions along a direction at which B meets A.
pub(crate) fn range_along(pair: &Pair, direction: DVec3, tally: &mut Tally) {
    let ([a, b], [of_a, of_b]) = (&pair.bodies, &pair.poses);
    let direction = narrow(direction);
    let Ok(found) = contact_range(a, of_a, b, of_b, direction, &mut Cache::default()) else { return };
    let direction = widen(direction);
    tally.ended(Question::Range, found.is_none_or(|range| range.ends.iter().all(|end| end.end == End::Converged)));
    let Some(range) = found else {
        // Where the origins are nearest, and around it.
        let between = widen(of_b.translation()) - widen(of_a.translation());
        let nearest = -between.dot(direction) / direction.length_squared();
        let size = pair.bodies.iter().map(reach).sum::<f64>() / direction.length();
        for share in [-0.6, -0.3, 0.0, 0.3, 0.6] {
            let Some(([_, high], error)) = moved_to(pair, direction * (nearest + share * size), UPPER) else {
                return tally.unproved();
            };
            tally.check(high >= -error, Finding::Passed, || format!("no range, at {share} proved {high:e}"));
        }
        return;
    };
    let [lo, hi] = range.ends.map(|end| [end.lower, end.at, end.upper].map(widen_real));
    if [lo, hi].iter().flatten().any(|at| !at.is_finite()) {
        return;
    }
    // Before the first contact and after the last they do not overlap.
    for at in [lo[0], hi[2]] {
        let Some(([_, high], error)) = moved_to(pair, direction * at, UPPER) else { return tally.unproved() };
        tally.check(high >= -error, Finding::Passed, || format!("{range:?}, at {at} proved {high:e}"));
    }
    let convex = pair.bodies.iter().all(|body| matches!(body, Body::Convex(_)));
    let inner = SHARES.iter().filter(|_| convex).map(|share| (lo[1] + (hi[1] - lo[1]) * share, 0.0));
    for (at, width) in inner.chain([lo, hi].map(|[lower, at, upper]| (at, upper - lower))) {
        let Some(([low, _], error)) = moved_to(pair, direction * at, LOWER) else { return tally.unproved() };
        let room = error + width * direction.length();
        tally.check(low <= room, Finding::Passed, || format!("{range:?}, at {at} proved {low:e}"));
    }
    for end in range.ends {
        tally.check(is_unit(end.normal), Finding::Normal, || format!("{end:?}"));
        let room = widen_real(end.upper - end.lower) * direction.length();
        let on = (0..2).all(|side| pair.on(side, widen(end.points[side]), room));
        tally.check(on, Finding::Point, || {
            let off = [0, 1].map(|side: usize| pair.off(side, widen(end.points[side])));
            format!("{end:?}, off by {off:?}")
        });
    }
}

/// A translation that takes B out of A.
pub(crate) fn pushed_out(pair: &Pair, tally: &mut Tally) {
    let ([a, b], [of_a, of_b]) = (&pair.bodies, &pair.poses);
    let answer = push_out(a, of_a, b, of_b, &mut Cache::default());
    tally.ended(Question::PushOut, answer.end == End::Converged);
    if answer.end != End::Converged {
        return;
    }
    let Some(([_, high], error)) = moved_to(pair, widen(answer.translation), UPPER) else { return tally.unproved() };
    // What they may still overlap by is told.
    let told = widen_real(answer.near.lower).min(0.0);
    tally.check(high >= told - error, Finding::Passed, || format!("{answer:?}, after it proved {high:e}"));
}

/// B slides along A: what was apart is apart or touches afterwards.
pub(crate) fn slid_by(pair: &Pair, by: DVec3, tally: &mut Tally) {
    let ([a, b], [of_a, of_b]) = (&pair.bodies, &pair.poses);
    let obstacles = [(BodyRef::from(a), *of_a)];
    let answer = slide(&obstacles, b, of_b, narrow(by), &mut Cache::default(), &CastOptions::default());
    let Ok(answer) = answer else { return };
    tally.ended(Question::Slide, answer.end != SlideEnd::StepLimit);
    let starts_in = moved_to(pair, DVec3::ZERO, UPPER).is_none_or(|([_, high], error)| high < -error);
    if answer.end == SlideEnd::Overlapping || starts_in {
        return;
    }
    let went = widen(answer.pose.translation()) - widen(of_b.translation());
    let Some(([_, high], error)) = moved_to(pair, went, UPPER) else { return tally.unproved() };
    tally.check(high >= -error, Finding::Passed, || format!("{answer:?}, at its end proved {high:e}"));
}

/// Every pair of features within a distance.
pub(crate) fn contacts_within(pair: &Pair, distance: f64, tally: &mut Tally) {
    let ([a, b], [of_a, of_b]) = (&pair.bodies, &pair.poses);
    let mut list = Vec::new();
    if contacts(a, of_a, b, of_b, narrow_real(distance), &mut Cache::default(), &mut list).is_err() {
        return;
    }
    for point in &list {
        tally.check(is_unit(point.normal), Finding::Normal, || format!("{point:?}"));
        let [p, q] = point.points.map(widen);
        let room = POINT_SIGMAS * pair.error;
        let consistent = (q - p - widen(point.normal) * widen_real(point.distance)).length() <= room;
        let near = widen_real(point.distance) <= distance + room;
        let on = pair.on(0, p, 0.0) && pair.on(1, q, 0.0);
        tally.check(consistent && near && on, Finding::Contact, || {
            format!("{point:?}, off by {:e} {:e}", pair.off(0, p), pair.off(1, q))
        });
    }
}
