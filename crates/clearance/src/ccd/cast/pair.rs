//! Two parts of bodies: which algorithm casts them, and what it answers.

use super::super::answer::ImpactOptions;
use super::super::bodies;
use super::super::custom::reach;
use super::super::polyhedra::flats::{Sides, mesh_sides};
use super::super::polyhedra::{
    self, CastError, CastScratch, Polyhedron, Rotation, TrajectoryOptions, cast_rotation, cast_translation,
};
use super::super::translation;
use super::features::{contact_point, is_curved, of_distance, of_polyhedron};
use super::options::CastOptions;
use super::start::{Resting, may_be_near, size};
use super::upper::met_by;
use crate::answer::{Cast, Contact, ContactPoint, Start};
use crate::concave::{BodyCache, closest};
use crate::math::{Pose, Real, Vec3, consts, narrow, narrow_real, widen_real};
use crate::motion::{Motion, Simple};
use crate::narrow::End;
use crate::narrow::contact_range::RangeCache;
use crate::shape::Geometry;
use crate::tolerance;

/// Places along a way at which a second opinion is checked.
const PLACES: u32 = 16;

/// A part of a body: a convex shape or a mesh, and where it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed<'b> {
    pub body: Geometry<'b>,
    pub pose: Pose,
    pub number: u32,
}

impl Placed<'_> {
    /// The surface that casts by trajectories see; nothing for what is curved.
    pub fn sides(&self, scratch: &mut CastScratch) -> Option<Sides> {
        let sides = match self.body {
            Geometry::Mesh(mesh) => Some(mesh_sides(mesh)),
            Geometry::Convex(shape) => scratch.flats.sides(shape),
            _ => None,
        };
        sides.filter(|sides| !sides.is_empty())
    }
}

/// What a cast of two parts found. The start is only told apart from an overlap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop {
    pub cast: Cast,
    /// A way out that was found with an overlap.
    pub way_out: Option<Vec3>,
    /// The start counts as touching if the bodies are as near as this; nothing if they are certainly apart.
    pub near: Option<Real>,
    /// The thickness of the zone, if there is one.
    pub zone: Real,
}

impl Stop {
    /// Nothing in the way.
    pub const FREE: Self = Self {
        cast: Cast {
            fraction: 1.0,
            lower: 1.0,
            upper: 1.0,
            start: Start::Apart,
            hit: None,
            end: End::Converged,
            iterations: 0,
        },
        way_out: None,
        near: None,
        zone: 0.0,
    };

    pub fn overlaps(&self) -> bool {
        matches!(self.cast.start, Start::Overlapping { .. })
    }

    fn overlapping(way_out: Option<Vec3>, end: End) -> Self {
        let start = Start::Overlapping { way_out: way_out.unwrap_or(Vec3::ZERO) };
        Self {
            cast: Cast { fraction: 0.0, lower: 0.0, upper: 0.0, start, end, ..Self::FREE.cast },
            way_out,
            ..Self::FREE
        }
    }
}

/// Two parts, the motion of the second, and what is asked.
pub(super) struct Pair<'b> {
    pub parts: [&'b Placed<'b>; 2],
    pub motion: &'b Motion,
    pub options: &'b CastOptions,
    /// Bodies are kept a zone apart, and nothing is asked for a second opinion: what slides is to rest at the zone.
    pub keeps_zone: bool,
}

impl Pair<'_> {
    pub fn stop(&self, scratch: &mut CastScratch) -> Result<Stop, CastError> {
        let simple = self.motion.steady().and_then(|steady| steady.simple());
        let Some(simple) = simple else { return Ok(self.advanced()) };
        if let Simple::Translation(by) = simple
            && let Some(stop) = self.by_range(narrow(by))
        {
            return Ok(stop);
        }
        if self.options.clearance > 0.0 {
            return Ok(self.advanced());
        }
        match self.parts.map(|part| part.sides(scratch)) {
            [Some(a), Some(b)] if !a.iter().chain(b.iter()).any(|side| side.thin) => {
                self.by_trajectories([&a, &b], simple, scratch)
            }
            _ => Ok(self.advanced()),
        }
    }

    fn bodies(&self) -> [Geometry<'_>; 2] {
        self.parts.map(|part| part.body)
    }

    /// The distance that is kept, and the thickness of the zone: what is asked for and, where a zone is kept, a zone or a few tolerances.
    /// What starts nearer than that keeps the distance that it has, so that it may go on along what it rests on.
    fn clearance(&self) -> (Real, Real) {
        let asked = self.options.clearance;
        if !self.keeps_zone {
            return (asked, 0.0);
        }
        let ([a, b], [pose_a, pose_b]) = (self.bodies(), self.parts.map(|part| &part.pose));
        let [at_a, at_b] = [pose_a.translation(), pose_b.translation()];
        let local = size([a, b]) + (at_b - at_a).length() + self.motion.speed(reach(b, self.motion));
        let far = at_a.abs().max_element().max(at_b.abs().max_element());
        // Advancement stops within a tolerance above it, and what slides may sink by half of one; distances of curved bodies are
        // no better either.
        let near = self.options.tolerance.max(0.0) * size([a, b]);
        let rounding = self.resting(asked).rounding();
        let few = 4.0 * near.max(2.0 * rounding);
        let zone = self.options.zone.max(tolerance::zone(local, far)).max(few);
        if !may_be_near([a, b], [pose_a, pose_b], asked + zone + rounding) {
            return (asked + zone, zone);
        }
        // Less than it has by the rounding, so that what starts there is not called an overlap with what is kept away.
        let apart = closest(a, pose_a, b, pose_b, &mut BodyCache::default()).distance - asked - rounding;
        (asked + zone.min(apart.max(0.0)), zone)
    }

    /// Two convex shapes along a translation, by their contact range. Nothing if they are not, or if the translation is too short for it.
    pub fn by_range(&self, by: Vec3) -> Option<Stop> {
        let [Geometry::Convex(a), Geometry::Convex(b)] = self.bodies() else { return None };
        if self.keeps_zone && !self.parts.iter().any(|part| is_curved(part.body)) {
            return None;
        }
        let [pose_a, pose_b] = self.parts.map(|part| &part.pose);
        let (clearance, zone) = self.clearance();
        let wide = if clearance > 0.0 { Some(a.clone().rounded(clearance).ok()?) } else { None };
        let answer =
            translation::cast(wide.as_ref().unwrap_or(a), pose_a, b, pose_b, by, &mut RangeCache::default()).ok()?;
        let resting = self.resting(clearance);
        let rounding = resting.rounding();
        let near = may_be_near(self.bodies(), [pose_a, pose_b], clearance + rounding).then_some(rounding);
        Some(match answer {
            translation::Cast::Free => Stop { near, zone, ..Stop::FREE },
            translation::Cast::Overlapping => Stop::overlapping(None, End::Converged),
            translation::Cast::Hit(hit) => {
                let on_a = hit.point - hit.normal * clearance;
                let features = [0, 1].map(|side| hit.features[side].of_part(self.parts[side].number));
                let contact =
                    ContactPoint { points: [on_a, hit.point], normal: hit.normal, distance: clearance, features };
                let cast = Cast {
                    fraction: hit.fraction,
                    lower: hit.lower.min(hit.fraction),
                    upper: hit.upper.max(hit.fraction),
                    hit: Some(contact),
                    end: hit.end,
                    ..Stop::FREE.cast
                };
                Stop { cast, near, zone, ..Stop::FREE }
            }
        })
    }

    fn resting(&self, clearance: Real) -> Resting<'_> {
        Resting { bodies: self.bodies(), poses: self.parts.map(|part| &part.pose), clearance }
    }

    /// Flat faces: the first contact of any two sides.
    fn by_trajectories(
        &self,
        sides: [&Sides; 2],
        simple: Simple,
        scratch: &mut CastScratch,
    ) -> Result<Stop, CastError> {
        let mut first: Option<(polyhedra::Cast, [&Polyhedron; 2])> = None;
        let mut iterations = 0;
        let (mut check_start, mut zone) = (self.options.check_start, self.options.zone);
        for a in sides[0].iter() {
            for b in sides[1].iter() {
                let mut cast = self.by_features([a, b], simple, zone, check_start, scratch)?;
                if cast.overlap.is_some()
                    && let Some(depth) = self.depth_of_touching()
                {
                    // What is deeper than the zone at the start would not be seen on the way.
                    (check_start, zone) = (false, zone.max(2.0 * depth));
                    cast = self.by_features([a, b], simple, zone, check_start, scratch)?;
                }
                iterations += cast.counts.point_face + cast.counts.edge_edge;
                if cast.overlap.is_some() || first.is_none_or(|(first, _)| cast.fraction < first.fraction) {
                    first = Some((cast, [a, b]));
                }
            }
        }
        let Some((cast, sides)) = first else { return Ok(self.advanced()) };
        let stop = self.of_trajectories(&cast, sides, iterations);
        let way = self.motion.speed(reach(self.parts[1].body, self.motion));
        if self.keeps_zone || stop.cast.hit.is_none() || way * cast.fraction > 2.0 * cast.zone {
            return Ok(stop);
        }
        // What starts within the zone may do no more than leave it, and a sheet has a zone on either side. Bodies that rest on each
        // other exactly may slide and turn as long as they do not enter: a second opinion, which has no zone, and counts if the way is
        // found free of overlap up to there. If neither has a volume that cannot be found, and the first opinion stands.
        if !self.parts.iter().any(|part| part.body.mass_properties().volume > 0.0) {
            return Ok(stop);
        }
        let other = self.advanced();
        let is_better = other.cast.end == End::Converged && other.cast.fraction > stop.cast.fraction;
        let is_free = is_better && self.is_free_up_to(other.cast.fraction);
        Ok(if is_free { Stop { near: stop.near, zone: stop.zone, ..other } } else { stop })
    }

    fn by_features(
        &self,
        [a, b]: [&Polyhedron; 2],
        simple: Simple,
        zone: Real,
        check_start: bool,
        scratch: &mut CastScratch,
    ) -> Result<polyhedra::Cast, CastError> {
        let [pose_a, pose_b] = self.parts.map(|part| &part.pose);
        let options = TrajectoryOptions { zone, check_start, ..TrajectoryOptions::default() };
        match simple {
            Simple::Translation(by) => cast_translation(a, pose_a, b, pose_b, narrow(by), &options, scratch),
            Simple::Rotation { origin, axis, angle } => {
                let rotation = Rotation { origin: narrow(origin), axis: narrow(axis), angle: narrow_real(angle) };
                cast_rotation(a, pose_a, b, pose_b, rotation, &options, scratch)
            }
        }
    }

    /// How deep bodies found in overlap are if they do no more than touch for the verbs about bodies at rest, which have the last word. They
    /// do not see the rock about a room.
    fn depth_of_touching(&self) -> Option<Real> {
        let is_room = |body: &Geometry<'_>| matches!(body, Geometry::Mesh(mesh) if mesh.is_room());
        if self.bodies().iter().any(is_room) {
            return None;
        }
        let near = self.resting(0.0).near();
        (near.contact != Contact::Overlapping).then(|| (-near.distance).max(0.0))
    }

    fn of_trajectories(&self, cast: &polyhedra::Cast, sides: [&Polyhedron; 2], iterations: u32) -> Stop {
        let zone = cast.zone;
        if let Some(out) = cast.overlap {
            return Stop { zone, ..Stop::overlapping(Some(out.translation), cast.end) };
        }
        let hit = cast.hit.map(|hit| {
            let features = [0, 1].map(|i| of_polyhedron(sides[i], hit.features[i], self.parts[i].number));
            contact_point(hit.point, hit.normal, hit.distance, features)
        });
        let cast_answer = Cast {
            fraction: cast.fraction,
            lower: cast.lower,
            upper: cast.upper,
            start: Start::Apart,
            hit,
            end: cast.end,
            iterations,
        };
        Stop { cast: cast_answer, way_out: None, near: cast.near_start.then_some(zone), zone }
    }

    /// Whether the bodies do no more than touch at some places along a share of the way, its end included.
    fn is_free_up_to(&self, fraction: Real) -> bool {
        let [a, b] = self.bodies();
        let allowed = self.options.tolerance.max(0.0) * size([a, b]);
        let allowed = allowed.max(self.resting(0.0).rounding());
        (1..=PLACES).all(|i| {
            let pose = self.motion.pose(fraction * i as Real / PLACES as Real);
            closest(a, &self.parts[0].pose, b, &pose, &mut BodyCache::default()).distance >= -allowed
        })
    }

    /// By conservative advancement, as near as that gets in the steps it has.
    pub fn advanced(&self) -> Stop {
        let stop = self.advanced_once(self.motion);
        let turn = self.motion.steady().and_then(|steady| steady.simple());
        let share = match turn {
            Some(Simple::Rotation { angle, .. }) => widen_real(consts::TAU) / angle.abs(),
            _ => 1.0,
        };
        if stop.cast.end == End::Converged || !(share < 1.0) {
            return stop;
        }
        // After a full turn the way repeats itself.
        let turn = self.advanced_once(&self.motion.cut(share));
        let share = narrow_real(share);
        let Cast { fraction, lower, upper, hit, .. } = turn.cast;
        if hit.is_none() {
            return turn;
        }
        let upper = if upper < 1.0 { upper * share } else { 1.0 };
        let cast = Cast { fraction: fraction * share, lower: lower * share, upper, ..turn.cast };
        Stop { cast, ..turn }
    }

    fn advanced_once(&self, motion: &Motion) -> Stop {
        let ([a, b], (clearance, zone)) = (self.bodies(), self.clearance());
        let still = Motion::still(self.parts[0].pose);
        let motions = [&still, motion];
        let ask = |options: &ImpactOptions| bodies::time_of_impact(a, &still, b, motion, options);
        let mut found = ask(&ImpactOptions { tolerance: self.options.tolerance, clearance });
        if found.impact.end == End::IterationLimit {
            let coarse = ask(&ImpactOptions { clearance, ..ImpactOptions::default() });
            if coarse.impact.lower > found.impact.lower {
                found = coarse;
            }
        }
        let (impact, resting) = (&found.impact, self.resting(clearance));
        let rounding = resting.rounding();
        let near = may_be_near([a, b], [&self.parts[0].pose, motion.start()], clearance + rounding).then_some(rounding);
        if impact.at_start && self.options.check_start && self.is_deep(&resting) {
            return Stop { near, zone, ..Stop::overlapping(None, impact.end) };
        }
        let hit = impact.time.map(|_| {
            let features = [0, 1].map(|side| {
                let (feature, part) = (of_distance(self.parts[side].body, found.features[side]), self.parts[side]);
                // Of whole bodies advancement knows the part.
                if matches!(part.body, Geometry::Compound(_)) { feature } else { feature.of_part(part.number) }
            });
            ContactPoint { points: impact.points, normal: impact.normal, distance: impact.distance, features }
        });
        let fraction = impact.time.unwrap_or(impact.lower);
        let is_bounded = hit.is_some() && impact.end == End::Converged;
        let apart = (impact.distance - clearance).abs().max(rounding);
        let upper = if is_bounded { met_by([a, b], motions, fraction, apart, clearance) } else { 1.0 };
        let (lower, start, end, iterations) = (impact.lower, Start::Apart, impact.end, impact.iterations);
        let cast = Cast { fraction, lower, upper, start, hit, end, iterations };
        let cast = if self.keeps_zone && fraction > 0.0 { self.held(cast, motion) } else { cast };
        Stop { cast, way_out: None, near, zone }
    }

    /// What turns along a contact may sink by half a tolerance. Where that would make it overlap it stays, so that it can move on.
    fn held(&self, cast: Cast, motion: &Motion) -> Cast {
        let ([a, b], resting) = (self.bodies(), self.resting(0.0));
        let there = closest(a, resting.poses[0], b, &motion.pose(cast.fraction), &mut BodyCache::default());
        if there.contact != Contact::Overlapping {
            return cast;
        }
        let mut contact = resting.contact(&resting.near());
        contact.features = [0, 1].map(|side| contact.features[side].of_part(self.parts[side].number));
        Cast { fraction: 0.0, lower: 0.0, hit: Some(contact), ..cast }
    }

    /// Whether the bodies overlap by more than touching, or are nearer than the clearance by more than that.
    fn is_deep(&self, resting: &Resting) -> bool {
        let near = resting.near();
        if resting.clearance > 0.0 {
            return near.distance - resting.clearance < -resting.rounding();
        }
        near.contact == Contact::Overlapping
    }
}
