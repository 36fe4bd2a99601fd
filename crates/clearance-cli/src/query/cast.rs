//! The op `cast`: how far a body may move straight, or turn, before it meets another.
//!
//! Two convex shapes that move straight have the first end of their contact range. Bodies with flat faces have the trajectories of their
//! features. What is left, curved bodies that turn or that meet a mesh, has the certified time of impact of the same motion: a fraction
//! that is never too large. A compound is all its parts: the first contact counts.

use std::f64::consts::TAU;

use clearance::ccd::polyhedra::{self, CastError, CastOptions, CastScratch, Feature, Polyhedron, Rotation};
use clearance::ccd::{ImpactOptions, Motion, bodies};
use clearance::concave::{BodyCache, closest, overlap};
use clearance::study::contact_range::RangeCache;
use clearance::{Aabb, Cast, End, Pose, Vec3, cast};
use clearance::{Body, Contact};
use serde_json::{Map, Value, json};

use super::answer::{Fields, Request, number, vector};
use super::concave::element;
use super::error::{Code, QueryError};
use super::facets::Part;
use super::manifold::feature_value;
use super::pairs::end_name;
use super::shapes::Built;

/// What [`cast_op`] reads.
pub const FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b", "translation", "rotation"];

/// How near curved bodies come that are cast by advancement, relative to their size.
const FINE: f64 = 1e-9;
/// Places along a way at which a second opinion is checked.
const PLACES: u32 = 16;
/// By how much boxes are grown before they tell parts apart, relative to their size: far more than a zone or what counts as touching.
const ROOM: f64 = 1e-6;

/// The motion of b.
#[derive(Clone, Copy)]
enum Way {
    Straight(Vec3),
    Turn(Rotation),
}

/// Where a motion ends.
struct Stop {
    fraction: f64,
    bounds: Option<[f64; 2]>,
    /// A point, the normal there, and the features.
    hit: Option<(Vec3, Vec3, Value)>,
    /// The bodies overlap at the start.
    overlap: bool,
    end: End,
}

/// Two bodies and their places.
struct Pair<'b> {
    built: [&'b Built; 2],
    poses: [Pose; 2],
}

/// The first contact of b, moved or turned; a fraction of 1 without a contact means that all of it is free.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn cast_op(request: &Request) -> Result<Fields, QueryError> {
    let way = way(request)?;
    let (a, b) = (request.built("a")?, request.built("b")?);
    let pair = Pair { built: [&a, &b], poses: [request.pose("pose_a")?, request.pose("pose_b")?] };
    let stop = pair.first_stop(way, &mut request.scratch())?;
    let mut fields = vec![("fraction", number("fraction", stop.fraction)?), ("overlapping", Value::from(stop.overlap))];
    if stop.overlap {
        fields.push(("overlap", Value::from(true)));
        fields.push(("way_out", vector("way out", pair.way_out())?));
    }
    if let Some([lower, upper]) = stop.bounds {
        fields.push(("lower", number("lower bound", lower)?));
        fields.push(("upper", number("upper bound", upper)?));
    }
    match stop.hit {
        Some((point, normal, features)) => fields.extend([
            ("point", vector("point", point)?),
            ("normal", vector("normal", normal)?),
            ("features", features),
        ]),
        None => fields.extend([("point", Value::Null), ("normal", Value::Null), ("features", Value::Null)]),
    }
    fields.push(("end", Value::from(end_name(stop.end))));
    Ok(fields)
}

fn way(request: &Request) -> Result<Way, QueryError> {
    match (request.has("translation"), request.find("rotation")) {
        (true, None) => Ok(Way::Straight(request.vector("translation")?)),
        (true, Some(node)) => Err(node.bad("and translation are both given; a cast has one of them")),
        (false, None) => {
            Err(QueryError::new(Code::MissingField, "translation is missing; a cast has it or a rotation"))
        }
        (false, Some(node)) => {
            let members = node.object()?;
            members.only(&["origin", "axis", "angle"])?;
            let triple = |name: &str| members.get(name)?.numbers::<3>().map(Vec3::from);
            let (origin, axis) = (triple("origin")?, triple("axis")?);
            if axis == Vec3::ZERO {
                let message = "rotation.axis is zero; it must point somewhere";
                return Err(QueryError::new(Code::BadDirection, message));
            }
            Ok(Way::Turn(Rotation { origin, axis, angle: members.get("angle")?.number()? }))
        }
    }
}

impl Way {
    fn motion(&self, start: Pose) -> Result<Motion, QueryError> {
        let motion = match *self {
            Self::Straight(by) => Motion::with_velocity(start, by, [0.0; 3]),
            Self::Turn(Rotation { origin, axis, angle }) => Motion::rotation(start, origin, axis, angle),
        };
        motion.map_err(|error| QueryError::new(Code::BadPose, error.to_string()))
    }

    /// A turn by no more than a full one, and what share of the whole that is.
    fn within_a_turn(self) -> (Self, f64) {
        match self {
            Self::Turn(turn) if turn.angle.abs() > TAU => {
                (Self::Turn(Rotation { angle: TAU.copysign(turn.angle), ..turn }), TAU / turn.angle.abs())
            }
            _ => (self, 1.0),
        }
    }

    /// At most so far does a point of a body move.
    fn length(&self, body: &Body, pose: &Pose) -> f64 {
        match *self {
            Self::Straight(by) => by.length(),
            Self::Turn(Rotation { origin, angle, .. }) => {
                angle.abs() * ((pose.translation() - origin).length() + body.bounding_radius())
            }
        }
    }

    /// A box that contains all that a body in the given one sweeps.
    fn swept(&self, bounds: &Aabb) -> Aabb {
        match *self {
            Self::Straight(by) => bounds.union(&Aabb { min: bounds.min + by, max: bounds.max + by }),
            Self::Turn(Rotation { origin, axis, .. }) => {
                let middle = (bounds.min + bounds.max) / 2.0;
                let along = (axis / axis.abs().max_element()).normalize();
                let foot = origin + along * along.dot(middle - origin);
                // Room for the rounding of the foot, too.
                let reach = (bounds.max - bounds.min).length() / 2.0 + (middle - foot).length();
                let reach = reach + (reach + (foot - origin).length()) * ROOM;
                Aabb { min: foot - Vec3::splat(reach), max: foot + Vec3::splat(reach) }
            }
        }
    }
}

impl Pair<'_> {
    fn first_stop(&self, way: Way, scratch: &mut CastScratch) -> Result<Stop, QueryError> {
        // The whole of the motion must be in range, whatever is in the way.
        way.motion(self.poses[1])?;
        let [parts_a, parts_b] = self.built.map(|built| built.parts.of(&built.body));
        let mut first = Stop { fraction: 1.0, bounds: None, hit: None, overlap: false, end: End::Converged };
        let place = |pose: &Pose, part: &Part| pose.compose(&part.pose);
        let boxes: Vec<Aabb> =
            parts_b.iter().map(|part| way.swept(&part.body.aabb(&place(&self.poses[1], part)))).collect();
        for (i, part_a) in parts_a.iter().enumerate() {
            let pose_a = place(&self.poses[0], part_a);
            let around = part_a.body.aabb(&pose_a);
            // Within reach of the zone and of what counts as touching.
            let margin = Vec3::splat(ROOM * (around.max - around.min).length());
            let around = Aabb { min: around.min - margin, max: around.max + margin };
            for (j, part_b) in parts_b.iter().enumerate().filter(|(j, _)| around.overlaps(&boxes[*j])) {
                let pose_b = place(&self.poses[1], part_b);
                let two =
                    Two { parts: [part_a, part_b], poses: [pose_a, pose_b], names: [self.name(0, i), self.name(1, j)] };
                let stop = two.stop(way, scratch)?;
                let worse = stop.end != End::Converged && first.hit.is_none();
                if stop.overlap || stop.fraction < first.fraction || (stop.fraction == first.fraction && worse) {
                    first = stop;
                }
                if first.overlap {
                    return Ok(first);
                }
            }
        }
        Ok(first)
    }

    /// The number of a part, for bodies that have several.
    fn name(&self, side: usize, part: usize) -> Option<u32> {
        matches!(self.built[side].body, Body::Compound(_)).then_some(part as u32)
    }

    /// A translation of b after which the bodies do not overlap: along the normal of the deepest place, or out of a's box.
    fn way_out(&self) -> Vec3 {
        let ([a, b], [pose_a, pose_b]) = (self.built.map(|built| &built.body), &self.poses);
        let near = closest(a, pose_a, b, pose_b, &mut BodyCache::default());
        let (around_a, around_b) = (a.aabb(pose_a), b.aabb(pose_b));
        let (up, down) = (around_a.max - around_b.min, around_b.max - around_a.min);
        let mut tries = vec![near.normal * -near.distance.min(0.0)];
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            tries.extend([axis * axis.dot(up), -axis * axis.dot(down)]);
        }
        tries.sort_by(|a, b| a.length().total_cmp(&b.length()));
        let is_free = |by: &Vec3| {
            Pose::new(pose_b.translation() + *by, pose_b.rotation().to_array()).is_ok_and(|moved| {
                overlap(a, pose_a, b, &moved, &mut BodyCache::default()).contact != Contact::Overlapping
            })
        };
        // Out of the box is out, but for the rounding of the place.
        tries.iter().copied().find(|by| is_free(by)).unwrap_or(tries[tries.len() - 1])
    }
}

/// Two parts at their places.
struct Two<'b> {
    parts: [&'b Part; 2],
    poses: [Pose; 2],
    names: [Option<u32>; 2],
}

impl Two<'_> {
    fn stop(&self, way: Way, scratch: &mut CastScratch) -> Result<Stop, QueryError> {
        if let ([Body::Convex(a), Body::Convex(b)], Way::Straight(by)) = (self.parts.map(|part| &part.body), way) {
            let [pose_a, pose_b] = &self.poses;
            let answer = cast(a, pose_a, b, pose_b, by, &mut RangeCache::default());
            let answer =
                answer.map_err(|error| QueryError::new(Code::BadDirection, format!("translation: {error}")))?;
            return Ok(self.straight(&answer));
        }
        if self.parts.iter().any(|part| part.sides.is_empty()) {
            return self.advanced(way);
        }
        let mut first: Option<(polyhedra::Cast, [&Polyhedron; 2])> = None;
        for a in &self.parts[0].sides {
            for b in &self.parts[1].sides {
                let cast = self.by_features(a, b, way, scratch)?;
                if cast.overlap.is_some() || first.is_none_or(|(first, _)| cast.fraction < first.fraction) {
                    first = Some((cast, [a, b]));
                }
            }
        }
        let Some((cast, sides)) = first else {
            return self.advanced(way);
        };
        let stop = self.by_trajectories(&cast, sides);
        if stop.hit.is_none() || way.length(&self.parts[1].body, &self.poses[1]) * cast.fraction > 2.0 * cast.zone {
            return Ok(stop);
        }
        // What starts within the zone may do no more than leave it, and a sheet has a zone on either side. Bodies that rest on each
        // other exactly may slide and turn as long as they do not enter: a second opinion, which has no zone, and counts if the way is
        // found free of overlap up to there. If neither has a volume that cannot be found, and the first opinion stands.
        if !self.parts.iter().any(|part| part.body.mass().0 > 0.0) {
            return Ok(stop);
        }
        let other = self.advanced(way)?;
        let is_better = other.end == End::Converged && other.fraction > stop.fraction;
        Ok(if is_better && self.is_free_up_to(way, other.fraction)? { other } else { stop })
    }

    /// Whether the bodies do no more than touch at some places along a share of the way, its end included.
    fn is_free_up_to(&self, way: Way, fraction: f64) -> Result<bool, QueryError> {
        let motion = way.motion(self.poses[1])?;
        let [a, b] = self.parts.map(|part| &part.body);
        let allowed = FINE * (a.bounding_radius() + b.bounding_radius());
        Ok((1..=PLACES).all(|i| {
            let pose = motion.pose(fraction * f64::from(i) / f64::from(PLACES));
            closest(a, &self.poses[0], b, &pose, &mut BodyCache::default()).distance >= -allowed
        }))
    }

    fn by_features(
        &self,
        a: &Polyhedron,
        b: &Polyhedron,
        way: Way,
        scratch: &mut CastScratch,
    ) -> Result<polyhedra::Cast, QueryError> {
        let ([pose_a, pose_b], options) = (&self.poses, CastOptions::default());
        let cast = match way {
            Way::Straight(by) => polyhedra::cast_translation(a, pose_a, b, pose_b, by, &options, scratch),
            Way::Turn(rotation) => polyhedra::cast_rotation(a, pose_a, b, pose_b, rotation, &options, scratch),
        };
        cast.map_err(|error| refused(&error))
    }

    fn straight(&self, answer: &Cast) -> Stop {
        let (bounds, hit, end) = match answer {
            Cast::Hit(hit) => {
                let [of_a, of_b] = hit.features.map(feature_value);
                let features = json!({ "a": self.named(0, of_a), "b": self.named(1, of_b) });
                (Some([hit.lower, hit.upper]), Some((hit.point, hit.normal, features)), hit.end)
            }
            _ => (None, None, End::Converged),
        };
        Stop { fraction: answer.fraction(), bounds, hit, overlap: *answer == Cast::Overlapping, end }
    }

    fn by_trajectories(&self, cast: &polyhedra::Cast, sides: [&Polyhedron; 2]) -> Stop {
        let hit = cast.hit.map(|hit| {
            let [of_a, of_b] = [0, 1].map(|i| polyhedron_feature(sides[i], hit.features[i]));
            (hit.point, hit.normal, json!({ "a": self.named(0, of_a), "b": self.named(1, of_b) }))
        });
        Stop { fraction: cast.fraction, bounds: None, hit, overlap: cast.overlap.is_some(), end: cast.end }
    }

    /// By conservative advancement, as near as that gets in the steps it has.
    fn advanced(&self, way: Way) -> Result<Stop, QueryError> {
        let stop = self.advanced_once(way)?;
        let (turn, share) = way.within_a_turn();
        if stop.end == End::Converged || share == 1.0 {
            return Ok(stop);
        }
        // After a full turn the way repeats itself.
        let stop = self.advanced_once(turn)?;
        Ok(if stop.hit.is_some() { Stop { fraction: stop.fraction * share, ..stop } } else { stop })
    }

    fn advanced_once(&self, way: Way) -> Result<Stop, QueryError> {
        let ([a, b], [pose_a, pose_b]) = (self.parts.map(|part| &part.body), &self.poses);
        let (still, motion) = (Motion::still(*pose_a), way.motion(*pose_b)?);
        let ask = |options: &ImpactOptions| bodies::time_of_impact(a, &still, b, &motion, options);
        let mut found = ask(&ImpactOptions { tolerance: FINE });
        if found.impact.end == End::IterationLimit {
            let coarse = ask(&ImpactOptions::default());
            if coarse.impact.lower > found.impact.lower {
                found = coarse;
            }
        }
        let impact = &found.impact;
        let overlap =
            impact.at_start && overlap(a, pose_a, b, pose_b, &mut BodyCache::default()).contact == Contact::Overlapping;
        let [on_a, on_b] = impact.points;
        let hit = impact.time.filter(|_| !overlap).map(|_| {
            let [of_a, of_b] = [0, 1].map(|side| {
                let named = element(&self.parts[side].body, found.features[side]);
                let has_faces = !self.parts[side].sides.is_empty();
                let unnamed = || if has_faces { Value::Null } else { json!("smooth") };
                self.named(side, if named == json!({}) { unnamed() } else { named })
            });
            (on_a + (on_b - on_a) / 2.0, impact.normal, json!({ "a": of_a, "b": of_b }))
        });
        Ok(Stop { fraction: impact.time.unwrap_or(1.0), bounds: None, hit, overlap, end: impact.end })
    }

    /// A feature with the part that it is of.
    fn named(&self, side: usize, feature: Value) -> Value {
        with_part(self.names[side], feature)
    }
}

/// A feature, with its part if there are several.
pub(super) fn with_part(part: Option<u32>, feature: Value) -> Value {
    let Some(part) = part else {
        return feature;
    };
    let mut members = Map::new();
    members.insert("part".to_owned(), Value::from(part));
    match feature {
        Value::Object(own) => members.extend(own),
        other => {
            members.insert("feature".to_owned(), other);
        }
    }
    Value::Object(members)
}

/// A feature of a polyhedron in answers: vertices and faces by their numbers in the input, an edge by the vertices at its ends.
pub(super) fn polyhedron_feature(polyhedron: &Polyhedron, feature: Feature) -> Value {
    match feature {
        Feature::Vertex(index) => json!({ "vertex": index }),
        Feature::Edge(index) => json!({ "edge": polyhedron.edge_vertices(index) }),
        Feature::Face(index) => json!({ "face": polyhedron.given_face(index) }),
    }
}

/// Why a polyhedron could not be cast.
pub(super) fn refused(error: &CastError) -> QueryError {
    let code = match error {
        CastError::NoAxis => Code::BadDirection,
        CastError::TooLarge { .. } => Code::OutOfRange,
        CastError::Distance { .. } | CastError::Zone { .. } => Code::BadField,
        _ => Code::BadPose,
    };
    QueryError::new(code, error.to_string())
}
