//! The ops: what each one reads and what it answers. A new op is one row of the table and one function.

use std::cell::{RefCell, RefMut};
use std::ops::RangeInclusive;

use super::library::glam::DVec3;
use super::library::{Body, Cache, Core, Pose, Real, Shape, Vec3};
use super::parse::BITS;
use serde_json::{Number, Value};

use super::cast;
use super::certify;
use super::contacts;
use super::error::{Code, QueryError};
use super::features;
use super::impact;
use super::manifold;
use super::moves;
use super::near;
use super::pairs;
use super::parse::{Node, Object};
use super::range;
use super::rays;
use super::shapes::{self, Definitions};
use super::suggest::{did_you_mean, list, quoted};
use super::trajectory;

/// The members of an answer, in the order in which they are printed.
pub type Fields = Vec<(&'static str, Value)>;

/// A line that asks for something.
pub struct Request<'r> {
    object: &'r Object<'r, 'r>,
    definitions: &'r Definitions,
    scratch: &'r RefCell<Cache>,
}

struct Op {
    name: &'static str,
    /// What it reads besides `id` and `op`.
    fields: &'static [&'static str],
    run: fn(&Request) -> Result<Fields, QueryError>,
}

const OPS: &[Op] = &[
    Op { name: "support", fields: &["a", "pose_a", "direction"], run: support },
    Op { name: "aabb", fields: &["a", "pose_a"], run: aabb },
    Op { name: "describe", fields: &["a", "pose_a"], run: describe },
    Op { name: "overlap", fields: pairs::OVERLAP_FIELDS, run: pairs::overlap_op },
    Op { name: "closest", fields: pairs::CLOSEST_FIELDS, run: pairs::closest_op },
    Op { name: "manifold", fields: manifold::FIELDS, run: manifold::manifold_op },
    Op { name: "range", fields: range::RANGE_FIELDS, run: range::range_op },
    Op { name: "cast", fields: cast::FIELDS, run: cast::cast_op },
    Op { name: "contacts", fields: contacts::FIELDS, run: contacts::contacts_op },
    Op { name: "within", fields: near::WITHIN_FIELDS, run: near::within_op },
    Op { name: "pairs", fields: near::PAIRS_FIELDS, run: near::pairs_op },
    Op { name: "push_out", fields: near::PUSH_OUT_FIELDS, run: near::push_out_op },
    Op { name: "slide", fields: moves::SLIDE_FIELDS, run: moves::slide_op },
    Op { name: "move", fields: moves::MOVE_FIELDS, run: moves::move_op },
    Op { name: "ray", fields: rays::RAY_FIELDS, run: rays::ray_op },
    Op { name: "project", fields: rays::PROJECT_FIELDS, run: rays::project_op },
    Op { name: "time_of_impact", fields: impact::FIELDS, run: impact::impact_op },
    Op { name: "feature_ccd", fields: features::FIELDS, run: features::feature_ccd_op },
    Op { name: "trajectory", fields: trajectory::FIELDS, run: trajectory::trajectory_op },
];

/// The ops whose answers come with a certificate on request.
const CERTIFIED: &[&str] = &["overlap", "closest", "within", "cast"];

/// The names of the ops that are answered.
pub fn op_names() -> impl Iterator<Item = &'static str> {
    OPS.iter().map(|op| op.name)
}

/// Answers one request; casts use the memory given.
///
/// # Errors
/// If it cannot be answered; the message names the field.
pub fn answer(object: &Object, definitions: &Definitions, scratch: &RefCell<Cache>) -> Result<Fields, QueryError> {
    let Some(op) = object.find("op") else {
        let message = format!("op is missing; a line has an op ({}) or a define", list(op_names()));
        return Err(QueryError::new(Code::MissingField, message));
    };
    let name = op.string()?;
    let Some(op) = OPS.iter().find(|op| op.name == name) else {
        return Err(no_such_op(&name));
    };
    let certified = CERTIFIED.contains(&op.name);
    let common: &[&str] = if certified { &["id", "op", "certify"] } else { &["id", "op"] };
    object.only(&[common, op.fields].concat())?;
    let request = Request { object, definitions, scratch };
    let fields = (op.run)(&request)?;
    if certified { certify::add(op.name, &request, fields) } else { Ok(fields) }
}

fn no_such_op(name: &str) -> QueryError {
    let (given, hint) = (quoted(name), did_you_mean(name, op_names()));
    QueryError::new(Code::UnknownOp, format!("op is {given}, no known op{hint}; known: {}", list(op_names())))
}

impl Request<'_> {
    /// The body in a field, described or named.
    pub(super) fn body(&self, field: &str) -> Result<Body, QueryError> {
        Ok(shapes::shape(&self.object.get(field)?, self.definitions)?.body)
    }

    /// Memory for casts. It is lent to one op at a time.
    pub(super) fn scratch(&self) -> RefMut<'_, Cache> {
        self.scratch.borrow_mut()
    }

    /// The convex shape in a field, described or named.
    pub(super) fn shape(&self, field: &str) -> Result<Shape, QueryError> {
        let node = self.object.get(field)?;
        shapes::shape(&node, self.definitions)?.convex(&node)
    }

    /// The pose in a field; the identity if it is absent.
    pub(super) fn pose(&self, field: &str) -> Result<Pose, QueryError> {
        shapes::pose(self.object, field)
    }

    /// What is in a field, if it is there.
    pub(super) fn find<'s>(&'s self, field: &'s str) -> Option<Node<'s, 's>> {
        self.object.find(field)
    }

    /// A list of bodies with their poses.
    pub(super) fn placed_bodies(&self, field: &str) -> Result<Vec<(Body, Pose)>, QueryError> {
        let list = self.object.get(field)?;
        let placed = |node: Node| {
            let members = node.object()?;
            members.only(&["shape", "pose"])?;
            Ok((shapes::shape(&members.get("shape")?, self.definitions)?.body, shapes::pose(&members, "pose")?))
        };
        list.elements()?.map(placed).collect()
    }

    /// The poses of a list, if it is there.
    pub(super) fn poses(&self, field: &str) -> Result<Option<Vec<Pose>>, QueryError> {
        let Some(list) = self.object.find(field) else { return Ok(None) };
        list.elements()?.map(|node| shapes::pose_of(&node)).collect::<Result<_, _>>().map(Some)
    }

    /// Exactly `N` points.
    pub(super) fn points<const N: usize>(&self, field: &str) -> Result<[Vec3; N], QueryError> {
        let node = self.object.get(field)?;
        let elements = node.elements()?;
        if elements.len() != N {
            return Err(node.bad(format!("must have {N} points, not {}", elements.len())));
        }
        let mut points = [Vec3::ZERO; N];
        for (point, element) in points.iter_mut().zip(elements) {
            *point = shapes::vector(&element)?;
        }
        Ok(points)
    }

    /// A list of points.
    pub(super) fn point_list(&self, field: &str) -> Result<Vec<DVec3>, QueryError> {
        let node = self.object.get(field)?;
        node.elements()?.map(|element| Ok(DVec3::from_array(shapes::vector(&element)?.to_array().map(wide)))).collect()
    }

    /// The string in a field, if it is there.
    pub(super) fn name(&self, field: &str) -> Result<Option<String>, QueryError> {
        self.object.find(field).map(|node| node.string()).transpose()
    }

    /// A whole number of a range, if it is there.
    pub(super) fn whole(&self, field: &str, range: RangeInclusive<u32>) -> Result<Option<u32>, QueryError> {
        self.object.find(field).map(|node| node.whole(range)).transpose()
    }

    /// A number that is not negative, if it is there.
    pub(super) fn length(&self, field: &str) -> Result<Option<Real>, QueryError> {
        self.object.find(field).map(|node| node.length()).transpose()
    }

    /// The vector in a field.
    pub(super) fn vector(&self, field: &str) -> Result<Vec3, QueryError> {
        shapes::vector(&self.object.get(field)?)
    }

    /// Whether a field is given.
    pub(super) fn has(&self, field: &str) -> bool {
        self.object.find(field).is_some()
    }

    /// A direction, and the same scaled by a power of two to a length of about one: its squares neither overflow nor
    /// underflow, and its angle is the same to the last bit.
    fn direction(&self, field: &str) -> Result<Direction, QueryError> {
        let given = shapes::vector(&self.object.get(field)?)?;
        let largest = given.abs().max_element();
        if largest == 0.0 {
            return Err(QueryError::new(Code::BadDirection, format!("{field} is zero; it must point somewhere")));
        }
        // In two steps, because the inverse of a tiny number may overflow.
        let half = Real::powi(2.0, -(largest.log2() / 2.0).floor() as i32);
        Ok(Direction { scaled: given * half * half, length: 1.0 / half })
    }
}

struct Direction {
    scaled: Vec3,
    /// The square root of what the scaled vector is to be multiplied by.
    length: Real,
}

fn support(request: &Request) -> Result<Fields, QueryError> {
    let (body, pose, direction) = (request.body("a")?, request.pose("pose_a")?, request.direction("direction")?);
    let point = pose.point(body.support(pose.direction_to_local(direction.scaled)));
    let value = point.dot(direction.scaled) * direction.length * direction.length;
    Ok(vec![("point", vector("point", point)?), ("value", number("value", value)?)])
}

fn aabb(request: &Request) -> Result<Fields, QueryError> {
    let bounds = request.body("a")?.aabb(&request.pose("pose_a")?);
    Ok(vec![("min", vector("min", bounds.min)?), ("max", vector("max", bounds.max)?)])
}

fn describe(request: &Request) -> Result<Fields, QueryError> {
    let (body, pose) = (request.body("a")?, request.pose("pose_a")?);
    let (volume, centroid) = body.mass();
    let mut fields = Fields::new();
    let counts = match &body {
        Body::Convex(shape) => feature_counts(shape),
        Body::Mesh(mesh) => Some([mesh.vertices().len(), mesh.edges().len(), mesh.face_count()]),
        Body::Compound(compound) => {
            fields.push(("parts", Value::from(compound.part_count())));
            None
        }
        _ => None,
    };
    if let Body::Mesh(mesh) = &body {
        fields.push(("solid", Value::from(mesh.is_solid())));
    }
    if let Some(counts) = counts {
        fields.extend(["vertices", "edges", "faces"].into_iter().zip(counts.map(Value::from)));
    }
    fields.push(("volume", number("volume", volume)?));
    fields.push(("centroid", vector("centroid", pose.point(centroid))?));
    Ok(fields)
}

/// Vertices, edges and faces, for a shape whose features are known; none for curved and combined ones.
pub fn feature_counts(shape: &Shape) -> Option<[usize; 3]> {
    if shape.radius() > 0.0 {
        return None;
    }
    match shape.core() {
        Core::Point => Some([1, 0, 0]),
        Core::Segment { .. } => Some([2, 1, 0]),
        Core::Rectangle { .. } => Some([4, 4, 1]),
        Core::Triangle(_) => Some([3, 3, 1]),
        Core::Cuboid { .. } | Core::Frustum { .. } => Some([8, 12, 6]),
        Core::Polygon(polygon) => Some([polygon.vertices().len(), polygon.vertices().len(), 1]),
        Core::Polytope(polytope) => Some([polytope.vertices().len(), polytope.edge_count(), polytope.face_count()]),
        Core::Posed(part) => feature_counts(&part.shape),
        _ => None,
    }
}

/// A number of either precision as one of 64 bits.
pub(super) fn wide(value: Real) -> f64 {
    #[allow(clippy::useless_conversion)] // in double precision it is one already
    value.into()
}

/// A number of an answer. JSON has no infinity, and `null` in its place would be an answer that says nothing.
pub(super) fn number(field: &str, value: Real) -> Result<Value, QueryError> {
    // Adding zero turns minus zero into zero.
    Number::from_f64(wide(value) + 0.0)
        .map(Value::Number)
        .ok_or_else(|| QueryError::new(Code::OutOfRange, format!("the {field} exceeds the range of {BITS}-bit floats")))
}

/// A vector of an answer, likewise.
pub(super) fn vector(field: &str, value: Vec3) -> Result<Value, QueryError> {
    value.to_array().into_iter().map(|x| number(field, x)).collect::<Result<Vec<_>, _>>().map(Value::Array)
}
