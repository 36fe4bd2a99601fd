//! The op `contacts`: every vertex of one body near a face of the other, and every two edges near each other.

use clearance::Body;
use clearance::ccd::polyhedra::{CastScratch, FeatureContact, Polyhedron, contacts};
use clearance::{End, Pose, Vec3};
use serde_json::{Value, json};

use super::answer::{Fields, Request, number, vector};
use super::cast::{polyhedron_feature, refused, with_part};
use super::error::{Code, QueryError};
use super::facets::Part;
use super::pairs::end_name;
use super::shapes::Built;

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
    let (a, b) = (request.built("a")?, request.built("b")?);
    let poses = [request.pose("pose_a")?, request.pose("pose_b")?];
    check_flat("a", &a)?;
    check_flat("b", &b)?;
    let name = |built: &Built, part: usize| matches!(built.body, Body::Compound(_)).then_some(part as u32);
    let mut list = Vec::new();
    let scratch: &mut CastScratch = &mut request.scratch();
    for (i, part_a) in a.parts.of(&a.body).iter().enumerate() {
        for (j, part_b) in b.parts.of(&b.body).iter().enumerate() {
            let placed = [poses[0].compose(&part_a.pose), poses[1].compose(&part_b.pose)];
            let mut found: Vec<Found> = Vec::new();
            for side_a in &part_a.sides {
                for side_b in &part_b.sides {
                    let mut new = Vec::new();
                    contacts(side_a, &placed[0], side_b, &placed[1], distance, scratch, &mut new)
                        .map_err(|error| refused(&error))?;
                    for contact in new {
                        add(&mut found, Found { contact, sides: [side_a, side_b] }, middle(part_b, &placed[1]));
                    }
                }
            }
            let names = [name(&a, i), name(&b, j)];
            list.extend(found.iter().map(|found| value(found, names)).collect::<Result<Vec<_>, _>>()?);
        }
    }
    Ok(vec![("contacts", Value::Array(list)), ("end", Value::from(end_name(End::Converged)))])
}

/// A contact and the polyhedra that it is of.
struct Found<'p> {
    contact: FeatureContact,
    sides: [&'p Polyhedron; 2],
}

impl Found<'_> {
    fn features(&self) -> [Value; 2] {
        [0, 1].map(|i| polyhedron_feature(self.sides[i], self.contact.features[i]))
    }

    /// How far the contact's normal points to a point.
    fn toward(&self, point: Vec3) -> f64 {
        self.contact.normal.dot(point - self.contact.point)
    }
}

/// Adds a contact. What touches a sheet is near both its sides: of the two, the one counts that b is on.
fn add<'p>(found: &mut Vec<Found<'p>>, new: Found<'p>, of_b: Vec3) {
    let same = |other: &&mut Found| {
        let is_other_side = !std::ptr::eq(other.sides[0], new.sides[0]) || !std::ptr::eq(other.sides[1], new.sides[1]);
        is_other_side && other.contact.point == new.contact.point && other.features() == new.features()
    };
    match found.iter_mut().find(same) {
        Some(known) if known.toward(of_b) < new.toward(of_b) => *known = new,
        Some(_) => {}
        None => found.push(new),
    }
}

fn middle(part: &Part, pose: &Pose) -> Vec3 {
    let bounds = part.body.aabb(pose);
    bounds.min + (bounds.max - bounds.min) / 2.0
}

fn value(found: &Found, names: [Option<u32>; 2]) -> Result<Value, QueryError> {
    let (contact, [of_a, of_b]) = (&found.contact, found.features());
    Ok(json!({
        "point": vector("point", contact.point)?,
        "normal": vector("normal", contact.normal)?,
        "distance": number("distance", contact.distance)?,
        "features": { "a": with_part(names[0], of_a), "b": with_part(names[1], of_b) },
    }))
}

fn check_flat(field: &str, built: &Built) -> Result<(), QueryError> {
    let parts = built.parts.of(&built.body);
    let Some(curved) = parts.iter().position(|part| part.sides.is_empty()) else {
        return Ok(());
    };
    let part = if parts.len() > 1 { format!(" (part {curved})") } else { String::new() };
    let message = format!("{field}{part} has no flat faces; contacts are of vertices, edges and faces");
    Err(QueryError::new(Code::UnsupportedShape, message))
}
