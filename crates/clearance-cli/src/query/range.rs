//! The op `range`: where along a line two bodies touch.

use super::library::study::contact_range::{self as dual, DualError, RangeCache};
use super::library::{Cache, DirectionError, Range, RangeEnd, contact_range};
use serde_json::{Value, json};

use super::answer::{Fields, Request, number, vector};
use super::error::{Code, QueryError};
use super::manifold::feature_value;
use super::pairs::{Choices, Pair, choose, end_name};

/// What [`range_op`] reads.
pub const RANGE_FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b", "direction", "algorithm"];

/// How a range is found.
#[derive(Clone, Copy)]
enum Way {
    /// By supports, for every convex body.
    Supports,
    /// By the duals of faces, for two polytopes.
    Dual,
}

const WAYS: &Choices<Way> = &[("auto", Some(Way::Supports)), ("dual", Some(Way::Dual))];

/// The positions along a direction, in units of its length, at which b meets a; `null` if there are none.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn range_op(request: &Request) -> Result<Fields, QueryError> {
    let way = choose(request, "algorithm", WAYS)?;
    let direction = request.vector("direction")?;
    let Pair { a, pose_a, b, pose_b } = &Pair::read(request)?;
    let mut cache = Cache::default();
    let range = match way {
        Way::Supports => {
            contact_range(a, pose_a, b, pose_b, direction, &mut cache).map_err(|error| bad("direction", error))?
        }
        Way::Dual => match dual::contact_range(a, pose_a, b, pose_b, direction, &mut RangeCache::default()) {
            Ok(found) => found.map(|found| found.range),
            Err(DualError::Direction(error)) => return Err(bad("direction", error)),
            Err(error) => return Err(QueryError::new(Code::UnsupportedAlgorithm, format!("algorithm: {error}"))),
        },
    };
    match range {
        Some(range) => found(&range),
        None => Ok(vec![("range", Value::Null), ("features", Value::Null), ("faces_visited", visited(None))]),
    }
}

fn found(range: &Range) -> Result<Fields, QueryError> {
    let both = |value: &dyn Fn(&RangeEnd) -> Result<Value, QueryError>| {
        range.ends.iter().map(value).collect::<Result<Vec<_>, _>>().map(Value::Array)
    };
    Ok(vec![
        ("range", both(&|end| number("end", end.at))?),
        ("lower", both(&|end| number("lower bound", end.lower))?),
        ("upper", both(&|end| number("upper bound", end.upper))?),
        ("distance", number("distance", range.distance())?),
        (
            "features",
            both(&|end| Ok(json!({ "a": feature_value(end.features[0]), "b": feature_value(end.features[1]) })))?,
        ),
        ("points_a", both(&|end| vector("point of a", end.points[0]))?),
        ("points_b", both(&|end| vector("point of b", end.points[1]))?),
        ("normals", both(&|end| vector("normal", end.normal))?),
        ("faces_visited", visited(Some(range))),
        ("end", both(&|end| Ok(Value::from(end_name(end.end))))?),
        ("iterations", Value::from(range.iterations)),
    ])
}

fn visited(range: Option<&Range>) -> Value {
    let visited = range.map(|range| range.faces_visited).unwrap_or_default();
    json!({
        "face_vertex": visited.face_vertex,
        "vertex_face": visited.vertex_face,
        "edge_edge": visited.edge_edge,
    })
}

fn bad(field: &str, error: DirectionError) -> QueryError {
    QueryError::new(Code::BadDirection, format!("{field}: {error}"))
}
