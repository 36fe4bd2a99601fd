//! The op `manifold`: where two bodies touch, as a few points with depths.

use serde_json::{Value, json};

use super::answer::{Fields, Request, number, vector};
use super::concave::Concave;
use super::error::{Code, QueryError};
use super::library::{Cache, ContactPoint, Element, Feature, ManifoldOptions, Method, Vec3, manifold};
use super::pairs::{Choices, Pair, choose, end_name};

/// The most points a manifold may be asked for.
const MAX_POINTS: u32 = 16;

/// What [`manifold_op`] reads.
pub const FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b", "method", "max_points", "margin"];

const METHODS: &Choices<Method> = &[("clip", Some(Method::Clip)), ("perturbed", Some(Method::Perturbed))];

/// The contact of two bodies; without one, `normal` and `depth` are null and the lists are empty.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn manifold_op(request: &Request) -> Result<Fields, QueryError> {
    let options = options(request)?;
    if let Some(concave) = Concave::read(request, &[])? {
        if options.method != Method::Clip {
            let message = "method 'perturbed' is for convex shapes; a or b is not";
            return Err(QueryError::new(Code::UnsupportedAlgorithm, message));
        }
        return concave.manifold(&request.pose("pose_b")?, &options);
    }
    let pair = Pair::read(request)?;
    let Pair { a, pose_a, b, pose_b } = &pair;
    let contact = manifold(a, pose_a, b, pose_b, &mut Cache::default(), &options);
    let end = contact.as_ref().map_or_else(|| pair.closest().end, |contact| contact.end);
    let (normal, depth) = match &contact {
        Some(contact) => (vector("normal", contact.normal)?, number("depth", contact.depth())?),
        None => (Value::Null, Value::Null),
    };
    let points = contact.map(|contact| contact.points).unwrap_or_default();
    let vectors = |name, place: fn(&ContactPoint) -> Vec3| each(&points, |point| vector(name, place(point)));
    Ok(vec![
        ("normal", normal),
        ("depth", depth),
        ("points", vectors("point", |point| point.points[0] + (point.points[1] - point.points[0]) / 2.0)?),
        ("points_a", vectors("point of a", |point| point.points[0])?),
        ("points_b", vectors("point of b", |point| point.points[1])?),
        ("depths", each(&points, |point| number("depth of a point", point.depth()))?),
        (
            "features",
            each(&points, |ContactPoint { features: [a, b], .. }| {
                Ok(json!({ "a": feature_value(*a), "b": feature_value(*b) }))
            })?,
        ),
        ("end", Value::from(end_name(end))),
    ])
}

fn options(request: &Request) -> Result<ManifoldOptions, QueryError> {
    let usual = ManifoldOptions::default();
    let max_points = request.whole("max_points", 1..=MAX_POINTS)?;
    Ok(ManifoldOptions {
        method: choose(request, "method", METHODS)?,
        max_points: max_points.map_or(usual.max_points, |points| points as usize),
        margin: request.length("margin")?.unwrap_or(usual.margin),
        ..usual
    })
}

/// A list with one value for every contact.
fn each(
    points: &[ContactPoint],
    value: impl Fn(&ContactPoint) -> Result<Value, QueryError>,
) -> Result<Value, QueryError> {
    points.iter().map(value).collect::<Result<_, _>>().map(Value::Array)
}

/// A feature in answers.
pub(super) fn feature_value(feature: Feature) -> Value {
    match feature.element {
        Element::Vertex(index) => json!({ "vertex": index }),
        Element::Edge(ends) => json!({ "edge": ends }),
        Element::Face(index) => json!({ "face": index }),
        Element::Smooth => json!("smooth"),
        Element::Whole => json!({}),
    }
}
