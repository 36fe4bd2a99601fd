//! The op `range`: where along a line two bodies touch.

use super::library::study::contact_range::{self as dual, DualError, RangeCache};
use super::library::{Body, Cache, DirectionError, Range, RangeEnd, Real, contact_range};
use serde_json::{Value, json};

use super::answer::{Fields, Request, number, vector};
use super::cast::feature_values;
use super::error::{Code, QueryError};
use super::pairs::{Choices, Pair, choose, end_name};

/// What [`range_op`] reads.
pub const RANGE_FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b", "direction", "algorithm"];

/// How a range is found.
#[derive(Clone, Copy)]
enum Way {
    /// Whatever the bodies are.
    Supports,
    /// By the duals of faces, for two polytopes.
    Dual,
}

const WAYS: &Choices<Way> = &[("auto", Some(Way::Supports)), ("dual", Some(Way::Dual))];

/// The positions along a direction, in units of its length, at which b meets a; `null` if there are none, and in place of an end that
/// is infinite.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn range_op(request: &Request) -> Result<Fields, QueryError> {
    let way = choose(request, "algorithm", WAYS)?;
    let direction = request.vector("direction")?;
    let bodies = [request.body("a")?, request.body("b")?];
    let range = match way {
        Way::Supports => {
            let ([a, b], pose_a, pose_b) = (&bodies, request.pose("pose_a")?, request.pose("pose_b")?);
            let found = contact_range(a, &pose_a, b, &pose_b, direction, &mut Cache::default());
            found.map_err(|error| bad("direction", error))?
        }
        Way::Dual => {
            let Pair { a, pose_a, b, pose_b } = &Pair::read(request)?;
            match dual::contact_range(
                dual::Search::Printed,
                a,
                pose_a,
                b,
                pose_b,
                direction,
                &mut RangeCache::default(),
            ) {
                Ok(found) => found.map(|found| found.range),
                Err(DualError::Direction(error)) => return Err(bad("direction", error)),
                Err(error) => return Err(QueryError::new(Code::UnsupportedAlgorithm, format!("algorithm: {error}"))),
            }
        }
    };
    match range {
        Some(range) => found(&range, [&bodies[0], &bodies[1]]),
        None => Ok(vec![("range", Value::Null), ("features", Value::Null), ("faces_visited", visited(None))]),
    }
}

fn found(range: &Range, bodies: [&Body; 2]) -> Result<Fields, QueryError> {
    let both = |value: &dyn Fn(&RangeEnd) -> Result<Value, QueryError>| {
        range.ends.iter().map(value).collect::<Result<Vec<_>, _>>().map(Value::Array)
    };
    Ok(vec![
        ("range", both(&|end| position("end", end.at))?),
        ("lower", both(&|end| position("lower bound", end.lower))?),
        ("upper", both(&|end| position("upper bound", end.upper))?),
        ("distance", position("distance", range.distance())?),
        ("features", both(&|end| Ok(feature_values(bodies, end.features)))?),
        ("points_a", both(&|end| vector("point of a", end.points[0]))?),
        ("points_b", both(&|end| vector("point of b", end.points[1]))?),
        ("normals", both(&|end| vector("normal", end.normal))?),
        ("faces_visited", visited(Some(range))),
        ("end", both(&|end| Ok(Value::from(end_name(end.end))))?),
        ("iterations", Value::from(range.iterations)),
    ])
}

/// A position, or null for one that is infinite: along a half-space there is no first or no last contact.
fn position(field: &str, value: Real) -> Result<Value, QueryError> {
    if value.is_infinite() { Ok(Value::Null) } else { number(field, value) }
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
