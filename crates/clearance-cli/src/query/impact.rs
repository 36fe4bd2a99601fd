//! The op `time_of_impact`: when two moving bodies meet.

use clearance::Body;
use clearance::Pose;
use clearance::ccd::{ImpactOptions, Motion, bodies};
use serde_json::{Value, json};

use super::answer::{Fields, Request, number, vector};
use super::concave::element;
use super::error::{Code, QueryError};
use super::pairs::end_name;

/// What [`impact_op`] reads.
pub const FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b", "motion_a", "motion_b", "tolerance"];

/// The first contact from time 0 to time 1; `time` is null for bodies that do not meet.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn impact_op(request: &Request) -> Result<Fields, QueryError> {
    let (a, b) = (request.body("a")?, request.body("b")?);
    let (of_a, of_b) =
        (motion(request, "motion_a", request.pose("pose_a")?)?, motion(request, "motion_b", request.pose("pose_b")?)?);
    let mut options = ImpactOptions::default();
    if let Some(tolerance) = request.length("tolerance")? {
        options.tolerance = tolerance;
    }
    let found = bodies::time_of_impact(&a, &of_a, &b, &of_b, &options);
    let impact = &found.impact;
    let [on_a, on_b] = impact.points;
    let time = impact.time.map(|time| number("time", time)).transpose()?;
    let mut fields = vec![
        ("time", time.unwrap_or(Value::Null)),
        ("point", if impact.time.is_some() { vector("point", on_a + (on_b - on_a) / 2.0)? } else { Value::Null }),
        ("normal", if impact.time.is_some() { vector("normal", impact.normal)? } else { Value::Null }),
        ("lower", number("lower", impact.lower)?),
        ("distance", number("distance", impact.distance)?),
        ("at_start", Value::from(impact.at_start)),
        ("end", Value::from(end_name(impact.end))),
        ("iterations", Value::from(impact.iterations)),
    ];
    if impact.time.is_some() && !matches!((&a, &b), (Body::Convex(_), Body::Convex(_))) {
        let [of_a, of_b] = found.features;
        fields.push(("elements", json!({ "a": element(&a, of_a), "b": element(&b, of_b) })));
    }
    Ok(fields)
}

/// A motion from the given pose: to an end pose by a constant screw, or with velocities; none if the field is absent.
fn motion(request: &Request, field: &str, start: Pose) -> Result<Motion, QueryError> {
    let Some(node) = request.find(field) else {
        return Ok(Motion::still(start));
    };
    let members = node.object()?;
    let velocity = |name: &str| members.find(name).map(|node| node.numbers::<3>()).transpose();
    if members.find("linear").is_some() || members.find("angular").is_some() {
        members.only(&["linear", "angular"])?;
        let (linear, angular) = (velocity("linear")?.unwrap_or_default(), velocity("angular")?.unwrap_or_default());
        return Motion::with_velocity(start, linear, angular)
            .map_err(|error| QueryError::new(Code::BadPose, format!("{field}: {error}")));
    }
    if members.find("translation").is_none() && members.find("rotation").is_none() {
        let message = format!("{field} must have an end pose (translation, rotation) or velocities (linear, angular)");
        return Err(QueryError::new(Code::MissingField, message));
    }
    Ok(Motion::between(start, request.pose(field)?))
}
