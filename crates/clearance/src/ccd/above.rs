//! A body above a half-space that does not turn: the height of its lowest point, advanced in time.
//!
//! The distance from a half-space is that of the convex hull, whatever the body is, and one direction, the normal, tells all of it. So
//! bodies of every kind are one piece here, and a translation is one step.

use glam::DVec3;

use super::advance::{Directions, Found, Look, Pieces, Search, advance, stays_above};
use super::answer::{BodyImpact, ImpactOptions};
use super::moving::{Mover, bend_of};
use crate::answer::{Closest, Contact, Feature};
use crate::concave::fields::Below;
use crate::math::{Pose, narrow, widen, widen_real};
use crate::motion::Steady;
use crate::shape::{Geometry, HalfSpace};
use crate::support::VertexId;

/// As [`bodies::time_of_impact`](super::bodies::time_of_impact()) for two bodies of which one is a half-space; nothing if that turns, or
/// if both are half-spaces.
pub(super) fn time_of_impact(
    bodies: [Geometry<'_>; 2],
    motions: [&Steady; 2],
    options: &ImpactOptions,
) -> Option<BodyImpact> {
    let (half_space, body, is_second) = match bodies {
        [Geometry::HalfSpace(_), Geometry::HalfSpace(_)] => return None,
        [Geometry::HalfSpace(half_space), body] => (half_space, body, false),
        [body, Geometry::HalfSpace(half_space)] => (half_space, body, true),
        _ => return None,
    };
    let [below, moving] = if is_second { [motions[1], motions[0]] } else { motions };
    if below.omega() != DVec3::ZERO {
        return None;
    }
    let mut search = Search::new([0.0, body.bounding_radius()], [below, moving], options);
    // The offset is rounded as the bodies' extents are.
    search.size += widen_real(half_space.offset().abs());
    let between = widen(moving.start().translation()) - widen(below.start().translation());
    search.rounding = search.rounding(search.error(between, 0.0), 0.0);
    let normal = widen(below.start().direction(half_space.normal()));
    let movers = [below, moving].map(Mover::new);
    let poses = [*below.start(), *moving.start()];
    let mut pair = Above { half_space, body, movers, normal, is_second, poses, time: 0.0, lowest: VertexId::NONE };
    let start = pair.near();
    let above = widen_real(start.distance) - search.clearance;
    let is_deep = search.clearance == 0.0 && start.contact == Contact::Overlapping;
    if is_deep || above < -search.rounding {
        return Some(BodyImpact::at_start(&start, start.end));
    }
    search.touching = Some(above <= search.rounding);
    advance(&mut pair, 0.0, &mut search);
    let features = search.found.or(search.looked).map_or([Feature::WHOLE; 2], |found| found.features);
    Some(BodyImpact { impact: search.impact(), features })
}

/// A half-space and a body; the half-space is the first of the movers and poses.
struct Above<'m> {
    half_space: &'m HalfSpace,
    body: Geometry<'m>,
    movers: [Mover<'m>; 2],
    /// The half-space's own, in world space.
    normal: DVec3,
    /// Whether the half-space is the second body of the question.
    is_second: bool,
    poses: [Pose; 2],
    time: f64,
    /// What of the body was lowest at the last look.
    lowest: VertexId,
}

impl Above<'_> {
    fn near(&mut self) -> Closest {
        let below = Below::new(self.half_space, &self.poses[0], self.body, &self.poses[1]);
        let near = below.closest(&mut self.lowest);
        if self.is_second { near.swapped() } else { near }
    }

    /// From the first body of the question to the second.
    fn direction(&self) -> DVec3 {
        if self.is_second { -self.normal } else { self.normal }
    }
}

impl Pieces for Above<'_> {
    fn look(&mut self, time: f64, search: &mut Search) -> (Look, f64) {
        search.looks += 1;
        self.time = time;
        self.poses = self.movers.map(|mover| mover.pose(time));
        let near = self.near();
        let [below, body] = &self.poses;
        let error = search.error(widen(body.translation()) - widen(below.translation()), time);
        let look = Look {
            distance: widen_real(near.distance),
            normal: widen(near.normal),
            points: near.points.map(widen),
            features: near.features,
            end: near.end,
        };
        (look, error)
    }

    fn lasts(&mut self, direction: DVec3, floor: f64, left: f64, search: &mut Search) -> Option<f64> {
        if direction.dot(self.direction()) < 0.0 {
            return None;
        }
        let (normal, [below, body]) = (self.normal, &self.poses);
        let apart = widen(body.translation()) - widen(below.translation());
        let error = search.error(apart, self.time);
        let places = self.movers.map(|mover| mover.at(self.time));
        let omega = self.movers[1].motion.omega();
        let (across, spin) = (normal.cross(omega), omega.length());
        let between = normal.dot(apart) - widen_real(self.half_space.offset());
        let velocity = places[1].velocity - places[0].velocity;
        let drift = normal.dot(velocity);
        let bend = bend_of(&self.movers, normal, [0.0, widen_real(self.body.bounding_radius())]);
        // Less than the height of the body after a time: concave, as for two shapes. The floor has the error of now in it; the normal is
        // rounded, so that the error grows with the way along the plane too, which is convex and is taken off.
        let height = |after: f64| {
            search.looks += 1;
            let down = body.direction_to_local(narrow(-(normal + across * after)));
            let reach = widen(self.body.support(down)).dot(widen(down));
            let error_there = search.error(apart + velocity * after, self.time).max(error) + error * spin * after;
            between + drift * after - reach - 0.5 * bend * after * after - (error_there - error) - floor
        };
        stays_above(left, height)
    }

    fn directions(&self, _look: &Look, _touching: f64, _search: &mut Search) -> Directions {
        Directions::from_iter([self.direction()])
    }

    fn found(&self, time: f64, look: &Look) -> Found {
        let Look { distance, normal, points, features, end } = *look;
        Found { time, distance, normal, points, features, end }
    }
}
