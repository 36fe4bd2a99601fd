//! The op `time_of_impact`: when two moving bodies meet.

use serde_json::Value;

use super::answer::{Fields, Request, number, vector};
use super::cast::{feature_values, refused, start_name, velocities};
use super::error::{Code, QueryError};
use super::library::{CastOptions, ContactPoint, Motion, Pose, Start, time_of_impact};
use super::pairs::end_name;

/// What [`impact_op`] reads.
pub const FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b", "motion_a", "motion_b", "tolerance", "clearance"];

/// The first contact from time 0 to time 1; `time` is null for bodies that do not meet.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn impact_op(request: &Request) -> Result<Fields, QueryError> {
    let (a, b) = (request.body("a")?, request.body("b")?);
    let (of_a, of_b) =
        (motion(request, "motion_a", request.pose("pose_a")?)?, motion(request, "motion_b", request.pose("pose_b")?)?);
    let mut options = CastOptions::default();
    if let Some(tolerance) = request.length("tolerance")? {
        options.tolerance = tolerance;
    }
    if let Some(clearance) = request.length("clearance")? {
        options.clearance = clearance;
    }
    let found =
        time_of_impact(&a, &of_a, &b, &of_b, &mut request.scratch(), &options).map_err(|error| refused(&error))?;
    let mut fields = match found.hit {
        Some(ContactPoint { points: [on_a, on_b], normal, distance, features }) => vec![
            ("time", number("time", found.fraction)?),
            ("point", vector("point", on_a + (on_b - on_a) / 2.0)?),
            ("normal", vector("normal", normal)?),
            ("distance", number("distance", distance)?),
            ("features", feature_values([&a, &b], features)),
        ],
        None => ["time", "point", "normal", "distance", "features"].map(|name| (name, Value::Null)).into(),
    };
    fields.extend([
        ("lower", number("lower", found.lower)?),
        ("upper", number("upper", found.upper)?),
        ("start", Value::from(start_name(found.start))),
        ("at_start", Value::from(found.hit.is_some() && found.fraction == 0.0)),
        ("end", Value::from(end_name(found.end))),
        ("iterations", Value::from(found.iterations)),
    ]);
    if let Start::Overlapping { way_out } = found.start {
        fields.push(("way_out", vector("way out", way_out)?));
    }
    Ok(fields)
}

/// A motion from the given pose: to an end pose by a constant screw, or with velocities; none if the field is absent.
fn motion(request: &Request, field: &str, start: Pose) -> Result<Motion, QueryError> {
    let Some(node) = request.find(field) else {
        return Ok(Motion::still(start));
    };
    let members = node.object()?;
    if members.find("linear").is_some() || members.find("angular").is_some() {
        return velocities(&members, field, start);
    }
    if members.find("translation").is_none() && members.find("rotation").is_none() {
        let message = format!("{field} must have an end pose (translation, rotation) or velocities (linear, angular)");
        return Err(QueryError::new(Code::MissingField, message));
    }
    Ok(Motion::between(start, request.pose(field)?))
}
