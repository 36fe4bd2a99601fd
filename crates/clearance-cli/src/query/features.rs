//! The op `feature_ccd`: whether and when a vertex and a triangle, or two edges, touch while their points move on straight lines.

use super::library::Vec3;
use super::library::study::feature_ccd::{FeatureError, FeatureHit, edge_edge, vertex_face};
use serde_json::Value;

use super::answer::{Fields, Request, number};
use super::error::{Code, QueryError};
use super::pairs::end_name;
use super::suggest::{did_you_mean, list, quoted};

/// What [`feature_ccd_op`] reads.
pub const FIELDS: &[&str] = &["kind", "t0", "t1"];

type Query = fn([Vec3; 4], [Vec3; 4]) -> Result<FeatureHit, FeatureError>;

const KINDS: &[(&str, Query)] = &[("vertex-face", vertex_face), ("edge-edge", edge_edge)];

/// Whether the features touch, and bounds of the first time; without contact these are null.
///
/// # Errors
/// If a field is absent or bad; the message names it.
pub fn feature_ccd_op(request: &Request) -> Result<Fields, QueryError> {
    let query = kind(request)?;
    let (t0, t1) = (request.points("t0")?, request.points("t1")?);
    let answer = query(t0, t1).map_err(|error| QueryError::new(Code::BadField, error.to_string()))?;
    let bound = |name, time| if answer.hit { number(name, time) } else { Ok(Value::Null) };
    Ok(vec![
        ("hit", Value::from(answer.hit)),
        ("time", bound("time", answer.time)?),
        ("latest", bound("latest time", answer.latest)?),
        ("end", Value::from(end_name(answer.end))),
    ])
}

fn kind(request: &Request) -> Result<Query, QueryError> {
    let names = || KINDS.iter().map(|(name, _)| *name);
    let Some(given) = request.name("kind")? else {
        return Err(QueryError::new(Code::MissingField, format!("kind is missing; known: {}", list(names()))));
    };
    KINDS.iter().find(|(name, _)| *name == given).map(|(_, query)| *query).ok_or_else(|| {
        let hint = did_you_mean(&given, names());
        let message = format!("kind is {}, no known one{hint}; known: {}", quoted(&given), list(names()));
        QueryError::new(Code::BadField, message)
    })
}
