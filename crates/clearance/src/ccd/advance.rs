//! Conservative advancement of two convex pieces: time moves forward only by steps in which they are certain not to meet.
//!
//! At a time the nearest points give a direction; along it the gap stays open for as long as [`Closing`](super::moving::Closing)
//! says, or for shapes as a concave function of the time says: a chord of it that starts above zero crosses zero inside of it.
//!
//! Pieces have met when they are within `enough` of each other. Those that start nearer than that have met when half of the gap is
//! gone. Bodies that touch at the start are asked for more, in all their pieces, since sliding brings pieces together that did not
//! touch before: they have met when they are deeper than half of `enough`, and then they met when they were last seen near and not
//! deep. So what parts or slides is free, and what moves in is a hit at once.
//!
//! It ends: a step is at least the time in which the bodies could cross half of the least distance above, and after `STEP_LIMIT` of
//! them the time reached is what is known.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::moving::{Mover, Relative, balls_apart, bend_of};
use crate::answer::Feature;
use crate::math::triangle::{Prepared, Shared, exit, nearest, shared, triangles_meet};
use crate::math::{Pose, narrow, narrow_real, widen, widen_real};
use crate::narrow::{End, PairCache, closest};
use crate::shape::Shape;
use crate::support::{Support, VertexId};
use crate::tolerance::{IMPACT_FAR, IMPACT_SIGMAS, IMPACT_WIDE, UNIT_ROUNDOFF, sigma};

/// Looks at one pair of pieces there may be.
pub const STEP_LIMIT: u32 = 4096;
/// Looks at pairs of pieces there may be in all.
const LOOK_LIMIT: u32 = 1 << 22;
/// Chords drawn for one step of two shapes.
const CHORDS: u32 = 6;
/// Directions tried for triangles that touch.
const AXES: usize = 24;

/// A meeting, in world space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub time: f64,
    pub distance: f64,
    pub normal: DVec3,
    pub points: [DVec3; 2],
    pub features: [Feature; 2],
    pub end: End,
}

/// What a search for the first meeting knows.
pub(super) struct Search {
    /// The sum of the bodies' radii.
    pub size: f64,
    /// How far their points go from time 0 to 1.
    pub ways: f64,
    /// How far the bodies are from the origin at time 0.
    pub far: f64,
    /// The distance to be kept: gaps and distances count from it.
    pub clearance: f64,
    /// How near they are to come, beyond the clearance, if that is more than rounding.
    pub asked: f64,
    /// Below this they touch at time 0.
    pub rounding: f64,
    /// Whether the bodies touch at time 0; if it is not known, the first look tells.
    pub touching: Option<bool>,
    /// Nothing after this is of interest.
    pub latest: f64,
    pub found: Option<Found>,
    /// What was looked at last, of whatever came of it.
    pub looked: Option<Found>,
    pub looks: u32,
}

impl Search {
    /// The error of a gap between pieces at a time at which their origins are so far apart.
    pub fn error(&self, between: DVec3, time: f64) -> f64 {
        widen_real(sigma(narrow_real(self.size + between.abs().element_sum()))) + self.of_poses(time)
    }

    /// The error of where the bodies are at a time, by as much of the way as they have gone: small bodies on a long way meet at its start as
    /// exactly as if it were short.
    fn of_poses(&self, time: f64) -> f64 {
        let gone = self.ways * time;
        IMPACT_WIDE * gone + widen_real(IMPACT_FAR * UNIT_ROUNDOFF) * (self.far + gone)
    }

    /// Below what distance pieces touch at a time at which their gap has this error.
    pub fn rounding(&self, error: f64, time: f64) -> f64 {
        let of_poses = self.of_poses(time);
        widen_real(IMPACT_SIGMAS) * (error - of_poses) + 2.0 * of_poses
    }

    /// At what distance pieces have met that start at this one, where so much is `rounding`.
    fn level(&self, start: f64, rounding: f64) -> f64 {
        let enough = rounding.max(self.asked);
        if self.touching == Some(true) {
            return -f64::max(0.5 * enough, rounding);
        }
        enough.min(0.5 * start.max(rounding))
    }

    fn offer(&mut self, found: Found) {
        if found.time < self.latest || self.found.is_none() {
            self.latest = found.time;
            self.found = Some(found);
        }
    }

    pub fn is_spent(&self) -> bool {
        self.looks >= LOOK_LIMIT
    }
}

/// Where two pieces are at a time, in axes of their own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub distance: f64,
    pub normal: DVec3,
    pub points: [DVec3; 2],
    pub features: [Feature; 2],
    pub end: End,
}

/// Directions to be tried.
pub(super) type Directions = ArrayVec<DVec3, { 2 * AXES }>;

/// Two convex pieces.
pub(super) trait Pieces {
    /// Their signed distance at a time, which the others refer to from then on; and the error of a gap then.
    fn look(&mut self, time: f64, search: &mut Search) -> (Look, f64);
    /// For how long, up to `left`, the gap along a direction is certain to be above `floor`; nothing if it is not now.
    fn lasts(&mut self, direction: DVec3, floor: f64, left: f64, search: &mut Search) -> Option<f64>;
    /// A time up to which the pieces are apart by the balls around them, however fast they turn; not before the given one.
    fn clear_until(&self, time: f64, _search: &Search) -> f64 {
        time
    }
    /// Directions that may tell pieces apart that touch.
    fn directions(&self, look: &Look, touching: f64, search: &mut Search) -> Directions;
    /// The look in world space.
    fn found(&self, time: f64, look: &Look) -> Found;
}

/// Advances two pieces from a time up to which they are known to be apart, and offers their meeting to the search.
pub(super) fn advance(pieces: &mut impl Pieces, from: f64, search: &mut Search) {
    let (mut time, mut start) = (from, None);
    let mut last_near = None;
    for _ in 0..STEP_LIMIT {
        let (mut look, mut error) = pieces.look(time, search);
        let rounding = search.rounding(error, time);
        let enough = rounding.max(search.asked);
        let above = look.distance - search.clearance;
        let touching = *search.touching.get_or_insert(above <= rounding);
        if above <= enough && start.is_none() {
            let is_start = time == 0.0 || touching;
            start = Some(if is_start { above } else { pieces.look(0.0, search).0.distance - search.clearance });
            (look, error) = pieces.look(time, search);
        }
        let level = start.map_or(enough, |start| search.level(start, rounding));
        let found = pieces.found(time, &look);
        search.looked = Some(found);
        if above <= level {
            return search.offer(last_near.unwrap_or(found));
        }
        if above <= enough && level < 0.0 {
            last_near = Some(found);
        }
        // What is far only goes as far as to a contact; what is near may go on to what is asked of it.
        let floor = error + search.clearance + if above <= enough { (2.0 * level).min(0.0) } else { 0.0 };
        let left = search.latest - time;
        let near = (look.distance > rounding).then(|| pieces.lasts(look.normal, floor, left, search)).flatten();
        // Between points that touch there is no direction, and between triangles that all but touch over a length it is blurred. Along a
        // direction that the last step went to the end of, the next one may be below the rounding of the time.
        let step = near.filter(|step| time + step > time).or_else(|| {
            let directions = pieces.directions(&look, rounding, search);
            directions.iter().filter_map(|&d| pieces.lasts(d, floor, left, search)).reduce(f64::max)
        });
        let next = step.map_or(time, |step| time + step).max(pieces.clear_until(time, search));
        if !(next < search.latest) {
            return;
        }
        if !(next > time) {
            return search.offer(Found { end: End::Degenerate, ..found });
        }
        time = next;
        if search.is_spent() {
            break;
        }
    }
    let (look, _) = pieces.look(time, search);
    let found = pieces.found(time, &look);
    search.offer(Found { end: End::IterationLimit, ..found });
}

/// Two triangles of meshes, each in the frame of its mesh.
pub(super) struct Triangles<'m> {
    movers: [Mover<'m>; 2],
    corners: [[DVec3; 3]; 2],
    features: [Feature; 2],
    /// Whether the meshes are solids.
    solid: [bool; 2],
    here: Relative<'m>,
    placed: [Prepared; 2],
}

impl<'m> Triangles<'m> {
    pub fn new(
        movers: [Mover<'m>; 2],
        corners: [[DVec3; 3]; 2],
        features: [Feature; 2],
        solid: [bool; 2],
        time: f64,
    ) -> Self {
        let here = Relative::new(movers, time);
        let placed = [Prepared::new(corners[0]), Prepared::new(corners[1])];
        Self { movers, corners, features, solid, here, placed }
    }

    /// The faces' own direction, where two share an area in a plane and one of them is of a solid.
    fn facing(&self, touching: f64) -> Option<DVec3> {
        let [a, b] = &self.placed;
        if shared(a, b, touching) == Shared::Nothing {
            return None;
        }
        match self.solid {
            [true, _] => a.normal.try_normalize(),
            [_, true] => b.normal.try_normalize().map(|n| -n),
            _ => None,
        }
    }
}

impl Pieces for Triangles<'_> {
    fn look(&mut self, time: f64, search: &mut Search) -> (Look, f64) {
        search.looks += 1;
        self.here = Relative::new(self.movers, time);
        self.placed[1] = Prepared::new(self.corners[1].map(|p| self.here.frame.point(p)));
        let error = search.error(self.here.frame.translation, time);
        let [a, b] = &self.placed;
        let meet = triangles_meet(&a.corners, &b.corners);
        let near = nearest(a, b);
        let distance = if meet { 0.0 } else { near.square.sqrt() };
        let between = (near.points[1] - near.points[0]) / distance;
        let (points, features) = (near.points, self.features);
        let mut look = Look { distance, normal: between, points, features, end: End::Converged };
        if !(distance > error) {
            // Between points as near as this there is no direction, or a wrong one.
            let way = exit(a, b, f64::INFINITY);
            look.normal = way.map_or(DVec3::X, |way| way.direction);
            look.distance = if meet { way.map_or(0.0, |way| -way.depth).min(0.0) } else { distance };
        }
        (look, error)
    }

    fn lasts(&mut self, direction: DVec3, floor: f64, _left: f64, _search: &mut Search) -> Option<f64> {
        self.here.points(direction, &self.placed[0].corners, &self.placed[1].corners, floor)
    }

    fn directions(&self, look: &Look, touching: f64, _search: &mut Search) -> Directions {
        let mut axes = ArrayVec::<DVec3, AXES>::new();
        if let Some(facing) = self.facing(touching) {
            return Directions::from_iter([facing]);
        }
        let [a, b] = &self.placed;
        let sides =
            |t: &Prepared| [t.corners[1] - t.corners[0], t.corners[2] - t.corners[1], t.corners[0] - t.corners[2]];
        axes.extend([look.normal, a.normal, b.normal]);
        axes.extend(self.here.parting(look.points[0], look.points[1]));
        axes.extend(sides(a).into_iter().flat_map(|u| sides(b).map(|v| u.cross(v))));
        axes.extend(sides(a).map(|u| u.cross(a.normal)));
        axes.extend(sides(b).map(|v| v.cross(b.normal)));
        axes.into_iter().filter_map(DVec3::try_normalize).flat_map(|axis| [axis, -axis]).collect()
    }

    fn found(&self, time: f64, look: &Look) -> Found {
        Found {
            time,
            distance: look.distance,
            normal: self.here.direction_out(look.normal),
            points: look.points.map(|p| self.here.point_out(p)),
            features: look.features,
            end: look.end,
        }
    }
}

/// Two convex shapes; all is in world space.
pub(super) struct Shapes<'m> {
    pub movers: [Mover<'m>; 2],
    pub shapes: [&'m Shape; 2],
    pub features: [Feature; 2],
    /// The way out of the solid that one of them is a face of, in that one's frame, and which one it is.
    pub outward: Option<(usize, DVec3)>,
    pub cache: &'m mut PairCache,
    pub poses: [Pose; 2],
    time: f64,
    error: f64,
}

impl<'m> Shapes<'m> {
    pub fn new(
        movers: [Mover<'m>; 2],
        shapes: [&'m Shape; 2],
        features: [Feature; 2],
        outward: Option<(usize, DVec3)>,
        cache: &'m mut PairCache,
    ) -> Self {
        let poses = movers.map(|mover| mover.pose(0.0));
        Self { movers, shapes, features, outward, cache, poses, time: 0.0, error: 0.0 }
    }
}

/// For how long, up to `left`, a concave function of the time from now on is certain to be above zero; nothing if it is not now. Chords
/// from a point above zero cross zero inside of the function.
pub(super) fn stays_above(left: f64, mut function: impl FnMut(f64) -> f64) -> Option<f64> {
    let mut inside = (0.0, function(0.0));
    if !(inside.1 > 0.0) {
        return None;
    }
    let mut outside = (left, function(left));
    for _ in 0..CHORDS {
        if !(outside.1 < 0.0) {
            return Some(outside.0);
        }
        let chord = inside.0 + (outside.0 - inside.0) * (inside.1 / (inside.1 - outside.1));
        let before = inside;
        let here = function(chord);
        inside = (chord, here);
        // On the function itself, where it is straight: above zero by the error that it has been lowered by.
        if !(here > 0.0 && chord > before.0) {
            break;
        }
        // Where the line through two points inside crosses zero is not inside; it is if the function is straight.
        let slope = (inside.1 - before.1) / (inside.0 - before.0);
        let beyond = inside.0 - inside.1 / slope;
        if inside.1 < 0.125 * before.1 || !(beyond > inside.0 && beyond < outside.0) {
            break;
        }
        outside = (beyond, function(beyond));
    }
    Some(inside.0)
}

/// The gap of two shapes along a direction as a function of the time from now on, less than it will be: concave.
struct GapAhead<'s, 'm> {
    pair: &'s Shapes<'m>,
    direction: DVec3,
    across: [DVec3; 2],
    between: f64,
    drift: f64,
    bend: f64,
    spin: f64,
}

impl<'s, 'm> GapAhead<'s, 'm> {
    fn new(pair: &'s Shapes<'m>, direction: DVec3) -> Self {
        let places = pair.movers.map(|mover| mover.at(pair.time));
        let omegas = pair.movers.map(|mover| mover.motion.omega());
        let [at_a, at_b] = pair.poses.map(|pose| widen(pose.translation()));
        let radii = pair.shapes.map(|shape| widen_real(shape.bounding_radius()));
        Self {
            pair,
            direction,
            across: omegas.map(|omega| direction.cross(omega)),
            between: direction.dot(at_b - at_a),
            drift: direction.dot(places[1].velocity - places[0].velocity),
            bend: bend_of(&pair.movers, direction, radii),
            spin: omegas[0].length().max(omegas[1].length()),
        }
    }

    /// The gap after a time, less its error.
    fn at(&self, after: f64, search: &mut Search) -> f64 {
        search.looks += 1;
        let reach = |body: usize, sign: f64| {
            let toward = (self.direction + self.across[body] * after) * sign;
            let local = self.pair.poses[body].direction_to_local(narrow(toward));
            widen(self.pair.shapes[body].support(local, VertexId::NONE).point).dot(widen(local))
        };
        let error = self.pair.error * (1.0 + self.spin * after);
        self.between + self.drift * after - reach(0, 1.0) - reach(1, -1.0) - 0.5 * self.bend * after * after - error
    }
}

impl Pieces for Shapes<'_> {
    fn look(&mut self, time: f64, search: &mut Search) -> (Look, f64) {
        search.looks += 1;
        self.time = time;
        self.poses = self.movers.map(|mover| mover.pose(time));
        let [a, b] = &self.poses;
        self.error = search.error(widen(b.translation()) - widen(a.translation()), time);
        let near = closest(self.shapes[0], a, self.shapes[1], b, self.cache);
        let look = Look {
            distance: widen_real(near.distance),
            normal: widen(near.normal),
            points: near.points.map(widen),
            features: self.features,
            end: near.end,
        };
        (look, self.error)
    }

    fn lasts(&mut self, direction: DVec3, floor: f64, left: f64, search: &mut Search) -> Option<f64> {
        let ahead = GapAhead::new(self, direction);
        // The error is in the function already.
        let floor = floor - self.error;
        stays_above(left, |after| ahead.at(after, search) - floor)
    }

    fn clear_until(&self, time: f64, search: &Search) -> f64 {
        let radii = self.shapes.map(|shape| widen_real(shape.bounding_radius()));
        let reach = radii[0] + radii[1] + search.clearance + 2.0 * self.error;
        time + balls_apart(&self.movers, time, reach)
    }

    fn directions(&self, look: &Look, touching: f64, search: &mut Search) -> Directions {
        let mut list = Directions::from_iter([look.normal, -look.normal]);
        if let Some((body, out)) = self.outward {
            let turned = widen(self.poses[body].direction(narrow(out)));
            let out = if body == 0 { turned } else { -turned };
            let mut gap = |d: DVec3| GapAhead::new(self, d).at(0.0, search);
            // A flat shape on a face of a solid has two ways out of the face, of which one leads into the solid.
            if gap(out) > -touching && gap(-out) > -touching {
                return Directions::from_iter([out]);
            }
            list.extend([out, -out]);
        }
        let places = self.movers.map(|mover| mover.at(self.time));
        let speeds = [0, 1].map(|i| {
            let arm = look.points[i] - places[i].origin;
            places[i].velocity + self.movers[i].motion.omega().cross(arm)
        });
        list.extend((speeds[1] - speeds[0]).try_normalize());
        list
    }

    fn found(&self, time: f64, look: &Look) -> Found {
        let Look { distance, normal, points, features, end } = *look;
        Found { time, distance, normal, points, features, end }
    }
}
