//! Shapes and poses from JSON.
//!
//! A shape is an object with a `type`, or the name of a definition. Combined shapes are bounded in depth and in the number
//! of their parts, counted through names: a chain of definitions could otherwise double its parts with every line.

use std::collections::BTreeMap;
use std::path::{Path as FilePath, PathBuf};

use super::library::{
    Body, Compound, HalfSpace, HeightField, Mesh, Part, PointCloud, Polytope, Pose, Real, Shape, ShapeError, Vec3,
};

use super::error::{Code, QueryError};
use super::parse::{Node, Object};
use super::suggest::{did_you_mean, did_you_mean_of, list, quoted};

/// How deeply combined shapes may be nested.
pub const MAX_DEPTH: usize = 32;
/// How many primitives a combined shape may be made of.
pub const MAX_PARTS: usize = 1024;

/// Every shape type and its fields.
const TYPES: &[(&str, &[&str])] = &[
    ("point", &[]),
    ("segment", &["half_length"]),
    ("rectangle", &["half_extents"]),
    ("disc", &["radius"]),
    ("ellipse", &["radii"]),
    ("sphere", &["radius"]),
    ("cuboid", &["half_extents"]),
    ("ellipsoid", &["radii"]),
    ("capsule", &["half_length", "radius"]),
    ("lozenge", &["half_extents", "radius"]),
    ("round_box", &["half_extents", "radius"]),
    ("cylinder", &["half_height", "radius"]),
    ("cone", &["height", "radius"]),
    ("wheel", &["disc_radius", "radius"]),
    ("frustum", &["bottom", "top", "height"]),
    ("triangle", &["points"]),
    ("polygon", &["points"]),
    ("polytope", &["points", "faces"]),
    ("sum", &["of"]),
    ("hull", &["of"]),
    ("difference", &["of"]),
    ("posed", &["shape", "pose"]),
    ("rounded", &["shape", "radius"]),
    ("mesh", &["vertices", "faces", "file"]),
    ("compound", &["parts"]),
    ("half_space", &["normal", "offset"]),
    ("height_field", &["heights", "cell"]),
    ("points", &["points", "radius"]),
    ("tapered_capsule", &["half_length", "radii"]),
    ("tapered_cylinder", &["bottom_radius", "top_radius", "height"]),
];

/// The names of all shape types.
pub fn type_names() -> impl Iterator<Item = &'static str> {
    TYPES.iter().map(|(name, _)| *name)
}

/// A shape and how much it is made of.
#[derive(Clone, Debug)]
pub struct Built {
    /// The body.
    pub body: Body,
    depth: usize,
    count: usize,
}

/// The shapes defined so far, by name, and where files are looked for.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    named: BTreeMap<String, Built>,
    folder: Option<PathBuf>,
}

impl Definitions {
    /// No definitions.
    pub fn new() -> Self {
        Self::default()
    }

    /// No definitions; paths of mesh files are relative to the folder, or to the working directory where the file is not in it.
    pub fn in_folder(folder: PathBuf) -> Self {
        Self { folder: Some(folder), ..Self::default() }
    }

    /// Defines a shape, in place of an earlier one of that name.
    pub fn insert(&mut self, name: String, shape: Built) {
        self.named.insert(name, shape);
    }

    /// How many shapes are defined.
    pub fn len(&self) -> usize {
        self.named.len()
    }

    /// Whether none is defined.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// Where a file is.
    fn find_file(&self, file: &str) -> PathBuf {
        let beside = self.folder.as_ref().map(|folder| folder.join(file)).filter(|path| path.exists());
        beside.unwrap_or_else(|| FilePath::new(file).to_owned())
    }
}

/// Where the shape stands, which decides whether it may carry a `pose`.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Whole,
    Part,
}

/// Makes the shape that `node` describes or names.
///
/// # Errors
/// If it is none; the message names the field.
pub fn shape(node: &Node, definitions: &Definitions) -> Result<Built, QueryError> {
    Ok(placed(node, definitions, 0, Place::Whole)?.0)
}

fn placed(node: &Node, known: &Definitions, level: usize, place: Place) -> Result<(Built, Pose), QueryError> {
    if level >= MAX_DEPTH {
        return Err(too_much(node, format!("is nested more than {MAX_DEPTH} deep")));
    }
    if node.is_string() {
        let name = node.string()?;
        let built = known.named.get(&name).cloned().ok_or_else(|| undefined(node, &name, known))?;
        return Ok((built, Pose::IDENTITY));
    }
    let object = node.object()?;
    let kind = object.get("type")?.string()?;
    let Some((_, fields)) = TYPES.iter().find(|(name, _)| *name == kind) else {
        return Err(unknown_type(&object.get("type")?, &kind));
    };
    // A posed shape has a pose of its own; that of a part is optional.
    let carries_pose = place == Place::Part && !fields.contains(&"pose");
    let extra: &[&str] = if carries_pose { &["type", "padding", "pose"] } else { &["type", "padding"] };
    object.only(&[*fields, extra].concat())?;
    let own_pose = if carries_pose { pose(&object, "pose")? } else { Pose::IDENTITY };
    let mut built = match kind.as_str() {
        "half_space" | "height_field" | "points" => Built { body: field(&kind, fields, &object)?, depth: 1, count: 1 },
        "mesh" => Built { body: mesh(&object, known)?, depth: 1, count: 1 },
        "compound" => compound(&object, known, level)?,
        "sum" | "hull" | "difference" | "posed" | "rounded" => combined(&kind, fields, &object, known, level)?,
        _ => Built { body: primitive(&kind, fields, &object)?.into(), depth: 1, count: 1 },
    };
    if let Some(padding) = object.find("padding") {
        let padded = built.body.padded(padding.number()?);
        built.body = padded.map_err(|error| refused(&object, &["padding"], &error))?;
    }
    if built.depth > MAX_DEPTH {
        return Err(too_much(node, format!("is nested more than {MAX_DEPTH} deep, counting the shapes it names")));
    }
    if built.count > MAX_PARTS {
        return Err(too_much(node, format!("has {} parts, more than {MAX_PARTS}", built.count)));
    }
    Ok((built, own_pose))
}

fn primitive(kind: &str, fields: &[&str], object: &Object) -> Result<Shape, QueryError> {
    let number = |field| object.get(field)?.number();
    let pair = |field| object.get(field)?.numbers::<2>();
    let triple = |field| object.get(field)?.numbers::<3>();
    let made = match kind {
        "point" => Ok(Shape::point()),
        "segment" => Shape::segment(number("half_length")?),
        "rectangle" => Shape::rectangle(pair("half_extents")?),
        "disc" => Shape::disc(number("radius")?),
        "ellipse" => Shape::ellipse(pair("radii")?),
        "sphere" => Shape::sphere(number("radius")?),
        "cuboid" => Shape::cuboid(triple("half_extents")?),
        "ellipsoid" => Shape::ellipsoid(triple("radii")?),
        "capsule" => Shape::capsule(number("half_length")?, number("radius")?),
        "lozenge" => Shape::lozenge(pair("half_extents")?, number("radius")?),
        "round_box" => Shape::round_box(triple("half_extents")?, number("radius")?),
        "cylinder" => Shape::cylinder(number("half_height")?, number("radius")?),
        "cone" => Shape::cone(number("height")?, number("radius")?),
        "wheel" => Shape::wheel(number("disc_radius")?, number("radius")?),
        "frustum" => Shape::frustum(pair("bottom")?, pair("top")?, number("height")?),
        "triangle" => Shape::triangle(corners(&object.get("points")?)?),
        "polygon" => Shape::polygon(&points(&object.get("points")?)?),
        "polytope" => polytope(object)?,
        "tapered_capsule" => Shape::tapered_capsule(number("half_length")?, pair("radii")?),
        "tapered_cylinder" => {
            Shape::tapered_cylinder(number("bottom_radius")?, number("top_radius")?, number("height")?)
        }
        _ => return Err(unknown_type(&object.get("type")?, kind)),
    };
    made.map_err(|error| refused(object, fields, &error))
}

/// A half-space, a height field or a point cloud.
fn field(kind: &str, fields: &[&str], object: &Object) -> Result<Body, QueryError> {
    let made = match kind {
        "half_space" => {
            let normal = vector(&object.get("normal")?)?;
            let offset = object.find("offset").map(|node| node.number()).transpose()?.unwrap_or(0.0);
            HalfSpace::new(normal, offset).map(Body::from)
        }
        "height_field" => {
            let height = |node: Node| if node.is_null() { Ok(None) } else { node.number().map(Some) };
            let row = |node: Node| node.elements()?.map(height).collect::<Result<Vec<_>, _>>();
            let rows = object.get("heights")?.elements()?.map(row).collect::<Result<Vec<_>, _>>()?;
            HeightField::with_holes(&rows, object.get("cell")?.numbers::<2>()?).map(Body::from)
        }
        _ => {
            let radius = object.find("radius").map(|node| node.number()).transpose()?.unwrap_or(0.0);
            PointCloud::new(&points(&object.get("points")?)?, radius).map(Body::from)
        }
    };
    made.map_err(|error| refused(object, fields, &error))
}

fn combined(
    kind: &str,
    fields: &[&str],
    object: &Object,
    known: &Definitions,
    level: usize,
) -> Result<Built, QueryError> {
    if fields.contains(&"of") {
        let of = object.get("of")?;
        let elements = of.elements()?;
        let count = elements.len();
        let Ok([a, b]) = <[Node; 2]>::try_from(elements.take(3).collect::<Vec<_>>()) else {
            return Err(of.bad(format!("must have 2 shapes, not {count}")));
        };
        let part = |node: &Node| {
            let (built, pose) = placed(node, known, level + 1, Place::Part)?;
            let (depth, parts) = (built.depth, built.count);
            Ok::<_, QueryError>((Part { shape: built.convex(node)?, pose }, depth, parts))
        };
        let ((a, depth_a, parts_a), (b, depth_b, parts_b)) = (part(&a)?, part(&b)?);
        let (depth, parts) = (1 + depth_a.max(depth_b), parts_a + parts_b);
        let combine = match kind {
            "sum" => Shape::sum,
            "hull" => Shape::hull,
            _ => Shape::difference,
        };
        return Ok(Built { body: combine(a, b).into(), depth, count: parts });
    }
    let node = object.get("shape")?;
    let (inner, _) = placed(&node, known, level + 1, Place::Whole)?;
    let (depth, parts) = (1 + inner.depth, inner.count);
    let inner = inner.convex(&node)?;
    let shape = if fields.contains(&"radius") {
        let rounded = inner.rounded(object.get("radius")?.number()?);
        rounded.map_err(|error| refused(object, fields, &error))?
    } else {
        object.get("pose")?;
        inner.posed(pose(object, "pose")?)
    };
    Ok(Built { body: shape.into(), depth, count: parts })
}

fn polytope(object: &Object) -> Result<Result<Shape, ShapeError>, QueryError> {
    let points = points(&object.get("points")?)?;
    let Some(faces) = object.find("faces") else {
        return Ok(Shape::polytope(&points));
    };
    let faces = loops(&faces)?;
    Ok(Polytope::from_faces(&points, &faces).map(Shape::from).map_err(ShapeError::from))
}

/// Faces, each a list of vertices.
fn loops(node: &Node) -> Result<Vec<Vec<u32>>, QueryError> {
    let face = |node: Node| node.elements()?.map(|index| index.index()).collect::<Result<Vec<u32>, _>>();
    node.elements()?.map(face).collect()
}

fn mesh(object: &Object, known: &Definitions) -> Result<Body, QueryError> {
    if let Some(file) = object.find("file") {
        return mesh_file(object, &file, known);
    }
    let (vertices, faces) = (points(&object.get("vertices")?)?, loops(&object.get("faces")?)?);
    let refused = |error: super::library::MeshError| {
        let message = error.to_string();
        let separator = if message.starts_with("vertices") || message.starts_with("faces") { "." } else { ": " };
        QueryError::new(Code::BadShape, format!("{}{separator}{message}", object.path))
    };
    Mesh::new(&vertices, &faces).map(Body::from).map_err(refused)
}

/// All parts of a mesh file as one mesh.
fn mesh_file(object: &Object, node: &Node, known: &Definitions) -> Result<Body, QueryError> {
    if object.find("vertices").is_some() || object.find("faces").is_some() {
        return Err(node.bad("is given beside vertices or faces; a mesh has one or the other"));
    }
    let path = known.find_file(&node.string()?);
    let bad = |message: String| QueryError::new(Code::BadShape, format!("{}: {message}", node.path));
    let surface = clearance_io::read(&path).map_err(|error| bad(error.to_string()))?.merged();
    let vertices: Vec<Vec3> = surface.vertices.iter().map(|v| Vec3::from(v.to_array().map(|x| x as Real))).collect();
    let made = Mesh::new(&vertices, &surface.triangles).map(Body::from);
    made.map_err(|error| bad(format!("{}: {error}", path.display())))
}

fn compound(object: &Object, known: &Definitions, level: usize) -> Result<Built, QueryError> {
    let node = object.get("parts")?;
    let (mut depth, mut count, mut parts) = (0, 0, Vec::new());
    for part in node.elements()? {
        let (built, pose) = placed(&part, known, level + 1, Place::Part)?;
        (depth, count) = (depth.max(built.depth), count + built.count);
        // Before there are more of them than memory: names can double them with every line.
        if count > MAX_PARTS {
            return Err(too_much(&node, format!("has more than {MAX_PARTS} parts")));
        }
        parts.push((built.body, pose));
    }
    let compound = Compound::new(parts).map_err(|error| too_much(&node, format!("is refused: {error}")))?;
    Ok(Built { body: compound.into(), depth: 1 + depth, count })
}

impl Built {
    /// The shape, if it is convex: what sums, hulls and some ops need.
    ///
    /// # Errors
    /// If it is a mesh or a compound.
    pub fn convex(self, node: &Node) -> Result<Shape, QueryError> {
        let what = match self.body {
            Body::Convex(shape) => return Ok(shape),
            Body::Mesh(_) => "a mesh",
            Body::Compound(_) => "a compound",
            Body::HalfSpace(_) => "a half-space",
            Body::HeightField(_) => "a height field",
            Body::PointCloud(_) => "a point cloud",
            _ => "not convex",
        };
        let message = format!("{} is {what}; a convex shape is needed here", node.path);
        Err(QueryError::new(Code::UnsupportedShape, message))
    }
}

fn points(node: &Node) -> Result<Vec<Vec3>, QueryError> {
    node.elements()?.map(|point| vector(&point)).collect()
}

fn corners(node: &Node) -> Result<[Vec3; 3], QueryError> {
    let points = points(node)?;
    let count = points.len();
    points.try_into().map_err(|_| node.bad(format!("must have 3 points, not {count}")))
}

/// Three numbers as a vector.
///
/// # Errors
/// If it is not that.
pub fn vector(node: &Node) -> Result<Vec3, QueryError> {
    Ok(Vec3::from(node.numbers::<3>()?))
}

/// The pose in a field; the identity if the field, or a part of it, is absent.
///
/// # Errors
/// If it is none; the message names the field.
pub fn pose(object: &Object, field: &str) -> Result<Pose, QueryError> {
    object.find(field).map_or(Ok(Pose::IDENTITY), |node| pose_of(&node))
}

/// The pose that a value describes; what is absent is that of the identity.
///
/// # Errors
/// If it is none; the message names the field.
pub fn pose_of(node: &Node) -> Result<Pose, QueryError> {
    let members = node.object()?;
    members.only(&["translation", "rotation"])?;
    let translation = members.find("translation").map(|t| t.numbers::<3>()).transpose()?.unwrap_or_default();
    let rotation = members.find("rotation").map(|r| r.numbers::<4>()).transpose()?.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    // The library's message starts with the name of the part.
    Pose::new(translation, rotation)
        .map_err(|error| QueryError::new(Code::BadPose, format!("{}.{error}", members.path)))
}

fn refused(object: &Object, fields: &[&str], error: &ShapeError) -> QueryError {
    let message = error.to_string();
    let starts_with_field = fields.iter().any(|field| message.starts_with(field));
    let separator = if starts_with_field { "." } else { ": " };
    QueryError::new(Code::BadShape, format!("{}{separator}{message}", object.path))
}

fn too_much(node: &Node, what: String) -> QueryError {
    QueryError::new(Code::BadShape, format!("{} {what}", node.path))
}

fn unknown_type(node: &Node, kind: &str) -> QueryError {
    let given = quoted(kind);
    let hint = did_you_mean(kind, type_names());
    let message = format!("{} is {given}, no known shape{hint}; known: {}", node.path, list(type_names()));
    QueryError::new(Code::UnknownShape, message)
}

fn undefined(node: &Node, name: &str, known: &Definitions) -> QueryError {
    let hint = did_you_mean_of(name, &known.named);
    let message = format!("{} is {}, which nothing before it defined{hint}", node.path, quoted(name));
    QueryError::new(Code::UndefinedShape, message)
}
