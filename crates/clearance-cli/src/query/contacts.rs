//! The op `contacts`: every vertex of one body near a face of the other, and every two edges near each other.

use super::library::{Body, ContactPoint, Element, End, contacts};
use serde_json::{Value, json};

use super::answer::{Fields, Request, number, vector};
use super::cast::{feature_values, refused};
use super::error::{Code, QueryError};
use super::pairs::end_name;

/// What [`contacts_op`] reads.
pub const FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b", "distance"];

/// All contacts within a distance, of bodies with flat faces.
///
/// # Errors
/// If a field is bad, or a body is curved; the message names it.
pub fn contacts_op(request: &Request) -> Result<Fields, QueryError> {
    let Some(distance) = request.length("distance")? else {
        return Err(QueryError::new(Code::MissingField, "distance is missing"));
    };
    let (a, b) = (request.body("a")?, request.body("b")?);
    let (pose_a, pose_b) = (request.pose("pose_a")?, request.pose("pose_b")?);
    let mut list = Vec::new();
    contacts(&a, &pose_a, &b, &pose_b, distance, &mut request.scratch(), &mut list).map_err(|error| refused(&error))?;
    let list = list.iter().map(|contact| value([&a, &b], contact)).collect::<Result<Vec<_>, _>>()?;
    Ok(vec![("contacts", Value::Array(list)), ("end", Value::from(end_name(End::Converged)))])
}

/// The point of a contact is that of the feature which is one, or on the edge of a.
fn value(bodies: [&Body; 2], contact: &ContactPoint) -> Result<Value, QueryError> {
    let on_b = matches!(contact.features[1].element, Element::Vertex(_));
    Ok(json!({
        "point": vector("point", contact.points[usize::from(on_b)])?,
        "normal": vector("normal", contact.normal)?,
        "distance": number("distance", contact.distance)?,
        "features": feature_values(bodies, contact.features),
    }))
}
