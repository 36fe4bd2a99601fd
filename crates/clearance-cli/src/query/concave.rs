//! Pairs with a mesh or a compound.

use clearance::Pose;
use clearance::concave::{BodyCache, BodyContact, BodyManifoldOptions, closest, manifold, overlap};
use clearance::{Body, Contact, Feature};
use serde_json::{Map, Value, json};

use super::answer::{Fields, Request, number, vector};
use super::error::{Code, QueryError};
use super::pairs::{closest_fields, end_name, witness_value};
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
        let mut fields = vec![
            ("overlap", Value::from(found.overlap())),
            ("witness", witness_value(&found.witness)?),
            ("end", Value::from(end_name(found.end))),
            ("iterations", Value::from(found.iterations)),
            ("contact", Value::from(contact_name(found.contact))),
        ];
        if found.overlap() {
            fields.push(("elements", self.elements(found.features)));
        }
        Ok(fields)
    }

    pub fn closest(&self) -> Result<Fields, QueryError> {
        let ([a, b], [pose_a, pose_b]) = (&self.bodies, &self.poses);
        let near = closest(a, pose_a, b, pose_b, &mut BodyCache::default());
        let mut fields = closest_fields(&near)?;
        fields.push(("contact", Value::from(contact_name(near.contact))));
        fields.push(("elements", self.elements(near.features)));
        Ok(fields)
    }

    /// At most so many contacts, shared out among the regions.
    pub fn manifold(&self, most: usize, margin: f64) -> Result<Fields, QueryError> {
        let ([a, b], [pose_a, pose_b]) = (&self.bodies, &self.poses);
        let ask = |max_points: usize| {
            manifold(a, pose_a, b, pose_b, &mut BodyCache::default(), &BodyManifoldOptions { max_points, margin })
        };
        let regions = ask(1).contacts.len().max(1);
        let found = ask((most / regions).max(1));
        let contacts = &found.contacts[..found.contacts.len().min(most)];
        let each = |value: &dyn Fn(&BodyContact) -> Result<Value, QueryError>| {
            contacts.iter().map(value).collect::<Result<Vec<_>, _>>().map(Value::Array)
        };
        let (normal, depth) = match contacts.first() {
            Some(deepest) => (vector("normal", deepest.normal)?, number("depth", deepest.depth)?),
            None => (Value::Null, Value::Null),
        };
        Ok(vec![
            ("normal", normal),
            ("depth", depth),
            ("points", each(&|c| vector("point", c.on_a + (c.on_b - c.on_a) / 2.0))?),
            ("points_a", each(&|c| vector("point of a", c.on_a))?),
            ("points_b", each(&|c| vector("point of b", c.on_b))?),
            ("normals", each(&|c| vector("normal of a point", c.normal))?),
            ("depths", each(&|c| number("depth of a point", c.depth))?),
            ("features", each(&|c| Ok(self.elements(c.features)))?),
            ("end", Value::from(end_name(found.end))),
        ])
    }

    fn elements(&self, [a, b]: [Feature; 2]) -> Value {
        json!({ "a": element(&self.bodies[0], a), "b": element(&self.bodies[1], b) })
    }
}

/// The part of a compound and the face of a mesh.
pub(super) fn element(body: &Body, element: Feature) -> Value {
    let mut members = Map::new();
    if matches!(body, Body::Compound(_)) {
        members.insert("part".to_owned(), Value::from(element.part));
    }
    if let Some(face) = element.face_index() {
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
