//! Pairs with a mesh or a compound.

use clearance::Pose;
use clearance::mesh_query::{Body, BodyCache, Contact, Element, Reason, closest, overlap};
use serde_json::{Map, Value, json};

use super::answer::{Fields, Request, number, vector};
use super::error::{Code, QueryError};
use super::pairs::{closest_fields, end_name};
use super::suggest::quoted;

/// Two bodies at their places, at least one of them concave.
pub(super) struct Concave {
    bodies: [Body; 2],
    poses: [Pose; 2],
}

impl Concave {
    /// The two bodies of a request, unless both are convex. The fields that choose algorithms are for convex ones.
    pub fn read(request: &Request, choices: &[&str]) -> Result<Option<Self>, QueryError> {
        let bodies = [request.body("a")?, request.body("b")?];
        if bodies.iter().all(|body| matches!(body, Body::Convex(_))) {
            return Ok(None);
        }
        for field in choices {
            if let Some(name) = request.name(field)?.filter(|name| name != "auto") {
                let message = format!("{field} {} is for convex shapes; a or b is a mesh or a compound", quoted(&name));
                return Err(QueryError::new(Code::UnsupportedAlgorithm, message));
            }
        }
        Ok(Some(Self { bodies, poses: [request.pose("pose_a")?, request.pose("pose_b")?] }))
    }

    pub fn overlap(&self) -> Result<Fields, QueryError> {
        let ([a, b], [pose_a, pose_b]) = (&self.bodies, &self.poses);
        let found = overlap(a, pose_a, b, pose_b, &mut BodyCache::default());
        let witness = match found.reason {
            Reason::Gap(gap) => json!({ "gap": number("gap", gap)? }),
            Reason::Point(point) => json!({ "point": vector("common point", point)? }),
        };
        let mut fields = vec![
            ("overlap", Value::from(found.overlap)),
            ("witness", witness),
            ("end", Value::from(end_name(found.end))),
            ("iterations", Value::from(found.iterations)),
            ("contact", Value::from(contact_name(found.contact))),
        ];
        if found.overlap {
            fields.push(("elements", self.elements(found.elements)));
        }
        Ok(fields)
    }

    pub fn closest(&self) -> Result<Fields, QueryError> {
        let ([a, b], [pose_a, pose_b]) = (&self.bodies, &self.poses);
        let near = closest(a, pose_a, b, pose_b, &mut BodyCache::default());
        let mut fields = closest_fields(&near.closest)?;
        fields.push(("contact", Value::from(contact_name(near.contact))));
        fields.push(("elements", self.elements(near.elements)));
        Ok(fields)
    }

    fn elements(&self, [a, b]: [Element; 2]) -> Value {
        json!({ "a": element(&self.bodies[0], a), "b": element(&self.bodies[1], b) })
    }
}

/// The part of a compound and the face of a mesh.
pub(super) fn element(body: &Body, element: Element) -> Value {
    let mut members = Map::new();
    if matches!(body, Body::Compound(_)) {
        members.insert("part".to_owned(), Value::from(element.part));
    }
    if let Some(face) = element.face() {
        members.insert("face".to_owned(), Value::from(face));
    }
    Value::Object(members)
}

fn contact_name(contact: Contact) -> &'static str {
    match contact {
        Contact::Apart => "apart",
        Contact::Touching => "touching",
        Contact::Overlapping => "overlapping",
    }
}
