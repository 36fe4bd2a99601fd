//! The ops `ray` and `project`: where a ray meets a body, and the nearest point of a body to a point.

use serde_json::Value;

use super::answer::{Fields, Request, number, vector};
use super::cast::feature_of;
use super::concave::contact_name;
use super::error::{Code, QueryError};
use super::library::{Cache, Ray, RayError, RayHit, RayOptions, Side, cast_ray, cast_ray_all, project};
use super::pairs::end_name;

/// What [`ray_op`] reads.
pub const RAY_FIELDS: &[&str] = &["a", "pose_a", "origin", "direction", "max", "all"];
/// What [`project_op`] reads.
pub const PROJECT_FIELDS: &[&str] = &["a", "pose_a", "point"];

/// Where a ray first meets a, or with `all` every place where it passes the surface.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn ray_op(request: &Request) -> Result<Fields, QueryError> {
    let (body, pose) = (request.body("a")?, request.pose("pose_a")?);
    let ray = Ray::new(request.vector("origin")?, request.vector("direction")?).map_err(|error| refused(&error))?;
    let mut options = RayOptions::default();
    if let Some(max) = request.length("max")? {
        options.max = max;
    }
    let fields = |hit: &RayHit| -> Result<Fields, QueryError> {
        Ok(vec![
            ("t", number("position", hit.t)?),
            ("lower", number("lower bound", hit.lower)?),
            ("upper", number("upper bound", hit.upper)?),
            ("point", vector("point", hit.point)?),
            ("normal", vector("normal", hit.normal)?),
            ("feature", feature_of(&body, hit.feature)),
            ("side", Value::from(if hit.side == Side::Front { "front" } else { "back" })),
            ("inside", Value::from(hit.inside)),
            ("end", Value::from(end_name(hit.end))),
        ])
    };
    if request.find("all").map(|node| node.boolean()).transpose()?.unwrap_or(false) {
        let mut hits = Vec::new();
        cast_ray_all(&body, &pose, &ray, &options, &mut hits);
        let object = |hit: &RayHit| {
            let members = fields(hit)?.into_iter().map(|(name, value)| (name.to_owned(), value));
            Ok(Value::Object(members.collect()))
        };
        return Ok(vec![("hits", Value::Array(hits.iter().map(object).collect::<Result<_, QueryError>>()?))]);
    }
    match cast_ray(&body, &pose, &ray, &options) {
        Some(hit) => fields(&hit),
        None => {
            let mut none: Fields = ["t", "point", "normal", "feature"].map(|name| (name, Value::Null)).into();
            none.push(("inside", Value::from(false)));
            none.push(("end", Value::from("converged")));
            Ok(none)
        }
    }
}

/// The point of a nearest to a given one, with the signed distance.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn project_op(request: &Request) -> Result<Fields, QueryError> {
    let (body, pose, point) = (request.body("a")?, request.pose("pose_a")?, request.vector("point")?);
    let near = project(&body, &pose, point, &mut Cache::default());
    Ok(vec![
        ("distance", number("distance", near.distance)?),
        ("lower", number("lower bound", near.lower)?),
        ("upper", number("upper bound", near.upper)?),
        ("nearest", vector("nearest point", near.nearest)?),
        ("normal", vector("normal", near.normal)?),
        ("feature", feature_of(&body, near.feature)),
        ("contact", Value::from(contact_name(near.contact))),
        ("end", Value::from(end_name(near.end))),
    ])
}

fn refused(error: &RayError) -> QueryError {
    let code = match error {
        RayError::Zero | RayError::TooShort { .. } | RayError::Direction { .. } => Code::BadDirection,
        _ => Code::OutOfRange,
    };
    QueryError::new(code, error.to_string())
}
