//! Bodies that are hulls of two circles about one axis: cones, cylinders, tapered ones, discs. Distance by Newton's method on the direction.
//!
//! Along a direction d the farthest point of such a body is on one circle or the other, and moves smoothly with d while it stays there. Where
//! the distance is largest one circle counts, or both are equally far (the body lies on its side), or d is along the axis (it lies on a flat end).
//! So at most two numbers, the shares of the second circles, are unknown beside the direction: one small linear system for each step, no
//! simplex. The search starts between the normals of the surfaces on the line between the centres, which separates four in five random pairs
//! that are apart.
//!
//! A distance has one maximum over directions, so that an answer needs no other check than the supports along its direction and points that are in the
//! bodies by construction. What does not get there goes the general way.

mod body;
mod climb;

use self::body::Circles;
pub(super) use self::body::are_circles;
use self::climb::Ended;
use super::central;
use crate::math::{Mat3, Vec3};
use crate::narrow::gjk::Start;
use crate::narrow::local::Local;
use crate::narrow::pair::Pair;
use crate::narrow::sa_gjk::{self, Answer};
use crate::support::VertexId;

/// The distance, nothing in it if the cores meet, if it is certain.
#[inline(never)]
pub(super) fn distance(pair: &Pair<'_>) -> Option<Option<Local>> {
    let start = match central::look(pair) {
        Some(central::Seen::Common(_)) => return Some(None),
        Some(central::Seen::Towards(direction)) => direction,
        None => pair.m.translation,
    };
    let a = Circles::of(pair.m.a, &Mat3::IDENTITY, Vec3::ZERO)?;
    let b = Circles::of(pair.m.b, &pair.m.rotation, pair.m.translation)?;
    match climb::climb(pair, [&a, &b], start, true) {
        Ended::Nearest(nearest) => return Some(Some(nearest.local(pair))),
        Ended::Lost => return None,
        Ended::Behind => {}
    }
    let start = Start { direction: start, hints: [VertexId::NONE; 2] };
    match sa_gjk::decide(&pair.m, &start, pair.sigma, pair.size).answer {
        Answer::Apart(plane) => match climb::climb(pair, [&a, &b], plane.direction, false) {
            Ended::Nearest(nearest) => Some(Some(nearest.local(pair))),
            _ => None,
        },
        Answer::Meeting(_) => Some(None),
        Answer::Unclear(_) => None,
    }
}

/// The signed distance of cores that are apart, if it is certain.
pub(super) fn closest(pair: &Pair<'_>) -> Option<Local> {
    distance(pair)?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, narrow, narrow_real};
    use crate::shape::Shape;
    use clearance_testkit::{HitRate, Rng};

    /// Few are left to the general way; of bodies that lie on each other with their ends or sides, more.
    #[test]
    fn nearly_all_random_pairs_are_decided() {
        let mut rng = Rng::new(1502);
        let shape = |rng: &mut Rng| {
            let [first, second] = [rng.uniform(0.3, 1.5), rng.uniform(0.3, 1.5)].map(narrow_real);
            if rng.chance(0.5) { Shape::cone(first, second) } else { Shape::cylinder(first, second) }
        };
        let (mut decided, mut apart) = (HitRate::new("decided"), HitRate::new("apart"));
        for _ in 0..4000 {
            let place = Pose::new(narrow(rng.in_ball(3.0)), rng.rotation().to_array().map(narrow_real));
            if let (Ok(a), Ok(b), Ok(place)) = (shape(&mut rng), shape(&mut rng), place) {
                let found = distance(&Pair::new(&a, &Pose::IDENTITY, &b, &place));
                decided.record(found.is_some());
                apart.record(matches!(found, Some(Some(_))));
            }
        }
        assert_eq!(decided.trials(), 4000);
        decided.assert_between(if cfg!(single_precision) { 0.96 } else { 0.97 }, 1.0);
        apart.assert_between(0.3, 0.9);
    }
}
