//! The op `cast`: how far a body may move straight, or turn, before it meets another.

use clearance::answer::{ContactPoint, Element, Feature, Start};
use clearance::ccd::polyhedra::CastError;
use clearance::ccd::{BodyCastOptions, Motion, cast_body};
use clearance::{Body, Pose, Vec3};
use serde_json::{Map, Value, json};

use super::answer::{Fields, Request, number, vector};
use super::error::{Code, QueryError};
use super::pairs::end_name;

/// What [`cast_op`] reads.
pub const FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b", "translation", "rotation", "clearance"];

/// The first contact of b, moved or turned; a fraction of 1 without a contact means that all of it is free.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn cast_op(request: &Request) -> Result<Fields, QueryError> {
    let (a, b) = (request.body("a")?, request.body("b")?);
    let pose_a = request.pose("pose_a")?;
    let motion = motion(request, request.pose("pose_b")?)?;
    let mut options = BodyCastOptions::default();
    if let Some(clearance) = request.length("clearance")? {
        options.clearance = clearance;
    }
    let cast =
        cast_body(&a, &pose_a, &b, &motion, &options, &mut request.scratch()).map_err(|error| refused(&error))?;
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

fn motion(request: &Request, start: Pose) -> Result<Motion, QueryError> {
    let motion = match (request.has("translation"), request.find("rotation")) {
        (true, None) => Motion::translation(start, request.vector("translation")?),
        (true, Some(node)) => return Err(node.bad("and translation are both given; a cast has one of them")),
        (false, None) => {
            return Err(QueryError::new(Code::MissingField, "translation is missing; a cast has it or a rotation"));
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
            Motion::rotation(start, origin, axis, members.get("angle")?.number()?)
        }
    };
    motion.map_err(|error| QueryError::new(Code::BadPose, error.to_string()))
}

fn start_name(start: Start) -> &'static str {
    match start {
        Start::Apart => "apart",
        Start::Touching => "touching",
        Start::Overlapping { .. } => "overlapping",
    }
}

/// The features of both bodies, with their parts if they have several.
pub(super) fn feature_values(bodies: [&Body; 2], features: [Feature; 2]) -> Value {
    let [a, b] = [0, 1].map(|side| {
        let part = matches!(bodies[side], Body::Compound(_)).then_some(features[side].part);
        with_part(part, element_value(features[side].element))
    });
    json!({ "a": a, "b": b })
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
