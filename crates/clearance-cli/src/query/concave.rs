//! Pairs with a body that is not convex.

use serde_json::{Map, Value, json};

use super::answer::{Fields, Request, number, vector};
use super::cast::feature_values;
use super::error::{Code, QueryError};
use super::library::{
    Body, Cache, Contact, ContactPoint, End, Feature, ManifoldOptions, Pose, closest, manifold, overlap,
};
use super::pairs::{closest_fields, end_name, witness_value};
use super::suggest::quoted;

/// Two bodies at their places, at least one of them concave.
pub(super) struct Concave {
    bodies: [Body; 2],
    pose_a: Pose,
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
                let message = format!("{field} {} is for convex shapes; a or b is not", quoted(&name));
                return Err(QueryError::new(Code::UnsupportedAlgorithm, message));
            }
        }
        Ok(Some(Self { bodies, pose_a: request.pose("pose_a")? }))
    }

    pub fn overlap(&self, pose_b: &Pose, cache: &mut Cache) -> Result<Fields, QueryError> {
        let ([a, b], pose_a) = (&self.bodies, &self.pose_a);
        let found = overlap(a, pose_a, b, pose_b, cache);
        let mut fields = vec![
            ("overlap", Value::from(found.overlap)),
            ("witness", witness_value(&found.witness)?),
            ("end", Value::from(end_name(found.end))),
            ("iterations", Value::from(found.iterations)),
        ];
        if found.overlap {
            let near = closest(a, pose_a, b, pose_b, cache);
            // The boolean is the answer; a distance within the error of zero does not change it.
            let contact = if near.contact == Contact::Overlapping { near.contact } else { Contact::Touching };
            fields.push(("contact", Value::from(contact_name(contact))));
            fields.push(("elements", self.elements(near.features)));
        } else {
            fields.push(("contact", Value::from(contact_name(Contact::Apart))));
        }
        Ok(fields)
    }

    pub fn closest(&self, pose_b: &Pose, cache: &mut Cache) -> Result<Fields, QueryError> {
        let [a, b] = &self.bodies;
        let near = closest(a, &self.pose_a, b, pose_b, cache);
        let mut fields = closest_fields(&near)?;
        fields.push(("contact", Value::from(contact_name(near.contact))));
        fields.push(("elements", self.elements(near.features)));
        Ok(fields)
    }

    /// At most so many contacts, shared out among the regions.
    pub fn manifold(&self, pose_b: &Pose, options: &ManifoldOptions) -> Result<Fields, QueryError> {
        let [a, b] = &self.bodies;
        let ask = |max_points: usize| {
            let options = ManifoldOptions { max_points, ..*options };
            manifold(a, &self.pose_a, b, pose_b, &mut Cache::default(), &options)
        };
        let regions = ask(1).map_or(1, |found| found.points.len().max(1));
        let found = ask((options.max_points / regions).max(1));
        let mut points = found.as_ref().map_or(Vec::new(), |found| found.points.to_vec());
        while points.len() > options.max_points {
            let shallowest = (0..points.len()).max_by(|&i, &j| points[i].distance.total_cmp(&points[j].distance));
            points.remove(shallowest.unwrap_or(0));
        }
        let each = |value: &dyn Fn(&ContactPoint) -> Result<Value, QueryError>| {
            points.iter().map(value).collect::<Result<Vec<_>, _>>().map(Value::Array)
        };
        let (normal, depth) = match found.as_ref().and_then(|found| found.deepest()) {
            Some(deepest) => (vector("normal", deepest.normal)?, number("depth", deepest.depth())?),
            None => (Value::Null, Value::Null),
        };
        let end = found.as_ref().map_or(End::Converged, |found| found.end);
        Ok(vec![
            ("normal", normal),
            ("depth", depth),
            ("points", each(&|c| vector("point", c.points[0] + (c.points[1] - c.points[0]) / 2.0))?),
            ("points_a", each(&|c| vector("point of a", c.points[0]))?),
            ("points_b", each(&|c| vector("point of b", c.points[1]))?),
            ("normals", each(&|c| vector("normal of a point", c.normal))?),
            ("depths", each(&|c| number("depth of a point", c.depth()))?),
            ("features", each(&|c| Ok(feature_values([&self.bodies[0], &self.bodies[1]], c.features)))?),
            ("end", Value::from(end_name(end))),
        ])
    }

    fn elements(&self, [a, b]: [Feature; 2]) -> Value {
        json!({ "a": element(&self.bodies[0], a), "b": element(&self.bodies[1], b) })
    }
}

/// The part of a compound and the face of a mesh.
fn element(body: &Body, element: Feature) -> Value {
    let mut members = Map::new();
    let inner = if let Body::Padded(padded) = body { padded.body() } else { body };
    if matches!(inner, Body::Compound(_)) {
        members.insert("part".to_owned(), Value::from(element.part));
    }
    if let Some(face) = element.face_index() {
        members.insert("face".to_owned(), Value::from(face));
    }
    Value::Object(members)
}

pub(super) fn contact_name(contact: Contact) -> &'static str {
    match contact {
        Contact::Apart => "apart",
        Contact::Touching => "touching",
        Contact::Overlapping => "overlapping",
    }
}
