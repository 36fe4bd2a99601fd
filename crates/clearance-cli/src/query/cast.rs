//! The op `cast`: how far a body may move straight, or turn, before it meets another.

use super::library::{
    Body, CastError, CastOptions, ContactPoint, Element, Feature, Motion, Pose, Rotation, Start, Vec3, cast,
};
use super::parse::{Node, Object};
use super::shapes::pose_of;
use serde_json::{Map, Value, json};

use super::answer::{Fields, Request, number, vector};
use super::error::{Code, QueryError};
use super::pairs::end_name;

/// What [`cast_op`] reads.
pub const FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b", "translation", "rotation", "motion", "clearance"];

/// The first contact of b, moved or turned; a fraction of 1 without a contact means that all of it is free.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn cast_op(request: &Request) -> Result<Fields, QueryError> {
    let (a, b) = (request.body("a")?, request.body("b")?);
    let pose_a = request.pose("pose_a")?;
    let (motion, options) = cast_motion(request)?;
    let cast = cast(&a, &pose_a, &b, &motion, &mut request.scratch(), &options).map_err(|error| refused(&error))?;
    let overlaps = matches!(cast.start, Start::Overlapping { .. });
    let mut fields = vec![("fraction", number("fraction", cast.fraction)?), ("overlapping", Value::from(overlaps))];
    if let Start::Overlapping { way_out } = cast.start {
        fields.push(("overlap", Value::from(true)));
        fields.push(("way_out", vector("way out", way_out)?));
    }
    fields.push(("start", Value::from(start_name(cast.start))));
    fields.push(("lower", number("lower bound", cast.lower)?));
    fields.push(("upper", number("upper bound", cast.upper)?));
    match cast.hit {
        Some(ContactPoint { points: [on_a, on_b], normal, distance, features }) => fields.extend([
            ("point", vector("point", on_a + (on_b - on_a) / 2.0)?),
            ("points", json!([vector("point of a", on_a)?, vector("point of b", on_b)?])),
            ("normal", vector("normal", normal)?),
            ("distance", number("distance", distance)?),
            ("features", feature_values([&a, &b], features)),
        ]),
        None => fields.extend(["point", "points", "normal", "distance", "features"].map(|name| (name, Value::Null))),
    }
    fields.push(("end", Value::from(end_name(cast.end))));
    Ok(fields)
}

/// The motion of b, and the clearance that it keeps.
pub(super) fn cast_motion(request: &Request) -> Result<(Motion, CastOptions), QueryError> {
    let mut options = CastOptions::default();
    if let Some(clearance) = request.length("clearance")? {
        options.clearance = clearance;
    }
    Ok((motion(request, request.pose("pose_b")?)?, options))
}

/// The motion of b: a translation, a rotation, or `motion`: a screw to an end pose, or velocities.
fn motion(request: &Request, start: Pose) -> Result<Motion, QueryError> {
    let given: Vec<&str> =
        ["translation", "rotation", "motion"].into_iter().filter(|field| request.has(field)).collect();
    let motion = match given[..] {
        ["translation"] => Motion::translation(start, request.vector("translation")?),
        ["rotation"] => {
            let Some(node) = request.find("rotation") else { return Ok(Motion::still(start)) };
            let Rotation { origin, axis, angle } = rotation(&node)?;
            Motion::rotation(start, origin, axis, angle)
        }
        ["motion"] => return screw_or_velocities(request, start),
        [] => {
            let message = "translation is missing; a cast has it, a rotation or a motion";
            return Err(QueryError::new(Code::MissingField, message));
        }
        _ => {
            let message = format!("{} and {} are both given; a cast has one of them", given[1], given[0]);
            return Err(QueryError::new(Code::BadField, message));
        }
    };
    motion.map_err(|error| QueryError::new(Code::BadPose, error.to_string()))
}

fn screw_or_velocities(request: &Request, start: Pose) -> Result<Motion, QueryError> {
    let Some(node) = request.find("motion") else { return Ok(Motion::still(start)) };
    let members = node.object()?;
    if let Some(end) = members.find("to") {
        members.only(&["to"])?;
        return Ok(Motion::between(start, pose_of(&end)?));
    }
    if members.find("linear").is_none() && members.find("angular").is_none() {
        let message = "motion must have an end pose (to) or velocities (linear, angular)";
        return Err(QueryError::new(Code::MissingField, message));
    }
    velocities(&members, "motion", start)
}

/// A motion by a linear and an angular velocity, either of which may be absent.
pub(super) fn velocities(members: &Object, field: &str, start: Pose) -> Result<Motion, QueryError> {
    members.only(&["linear", "angular"])?;
    let velocity = |name: &str| members.find(name).map(|node| node.numbers::<3>()).transpose();
    let (linear, angular) = (velocity("linear")?.unwrap_or_default(), velocity("angular")?.unwrap_or_default());
    Motion::with_velocity(start, linear, angular)
        .map_err(|error| QueryError::new(Code::BadPose, format!("{field}: {error}")))
}

/// A turn about an axis.
pub(super) fn rotation(node: &Node) -> Result<Rotation, QueryError> {
    let members = node.object()?;
    members.only(&["origin", "axis", "angle"])?;
    let triple = |name: &str| members.get(name)?.numbers::<3>().map(Vec3::from);
    let (origin, axis) = (triple("origin")?, triple("axis")?);
    if axis == Vec3::ZERO {
        return Err(QueryError::new(Code::BadDirection, "rotation.axis is zero; it must point somewhere"));
    }
    Ok(Rotation { origin, axis, angle: members.get("angle")?.number()? })
}

pub(super) fn start_name(start: Start) -> &'static str {
    match start {
        Start::Apart => "apart",
        Start::Touching => "touching",
        Start::Overlapping { .. } => "overlapping",
    }
}

/// The features of both bodies, with their parts if they have several.
pub(super) fn feature_values(bodies: [&Body; 2], features: [Feature; 2]) -> Value {
    let [a, b] = [0, 1].map(|side| feature_of(bodies[side], features[side]));
    json!({ "a": a, "b": b })
}

/// A feature of a body, with its part if it has several.
pub(super) fn feature_of(body: &Body, feature: Feature) -> Value {
    let inner = if let Body::Padded(padded) = body { padded.body() } else { body };
    let part = matches!(inner, Body::Compound(_)).then_some(feature.part);
    with_part(part, element_value(feature.element))
}

/// A feature in answers: vertices and faces by their numbers in the input, an edge by the vertices at its ends.
fn element_value(element: Element) -> Value {
    match element {
        Element::Vertex(index) => json!({ "vertex": index }),
        Element::Edge(ends) => json!({ "edge": ends }),
        Element::Face(index) => json!({ "face": index }),
        Element::Smooth => json!("smooth"),
        Element::Whole => Value::Null,
    }
}

/// A feature, with its part if there are several.
fn with_part(part: Option<u32>, feature: Value) -> Value {
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

/// Why bodies could not be cast.
pub(super) fn refused(error: &CastError) -> QueryError {
    let code = match error {
        CastError::NoAxis => Code::BadDirection,
        CastError::TooLarge { .. } => Code::OutOfRange,
        CastError::Distance { .. } | CastError::Zone { .. } => Code::BadField,
        CastError::Curved { .. } => Code::UnsupportedShape,
        _ => Code::BadPose,
    };
    QueryError::new(code, error.to_string())
}
