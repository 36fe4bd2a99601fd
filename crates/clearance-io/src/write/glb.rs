//! GLB: meshes once, parts as nodes with poses and colours, lines, and one animation of the parts that move.
//!
//! Positions are single precision relative to the centre of their mesh's box, which goes into the node, so that parts far from the
//! origin keep their shape. A glTF file is in metres with y up: coordinates are written as they are, and a root node turns
//! z up into y up and scales the scene's unit to metres where that is known.

use clearance::glam::DQuat;
use clearance::{Pose, Vec3};
use serde_json::{Value, json};

use super::animation::{Track, animation};
use crate::model::{Model, Surface, Unit, Up};

/// Red, green and blue, from 0 to 1.
pub type Colour = [f64; 3];

/// A part of a scene to be written.
#[derive(Debug, Clone)]
pub struct GlbPart {
    /// Its name.
    pub name: String,
    /// Which surface it shows.
    pub surface: usize,
    /// Where it is.
    pub pose: Pose,
    /// Its colour; grey if none.
    pub colour: Option<Colour>,
}

/// A scene to be written.
#[derive(Debug, Clone, Default)]
pub struct GlbScene<'s> {
    /// The surfaces, each once.
    pub surfaces: Vec<&'s Surface>,
    /// The parts.
    pub parts: Vec<GlbPart>,
    /// Polylines, each with its name: intersection curves and witnesses.
    pub lines: Vec<(String, Vec<Vec3>)>,
    /// The poses of parts over time.
    pub tracks: Vec<Track>,
    /// The unit of the coordinates.
    pub unit: Option<Unit>,
    /// The axis that is up.
    pub up: Up,
}

impl<'s> GlbScene<'s> {
    /// The scene of a model's parts.
    pub fn of_model(model: &'s Model) -> Self {
        let part = |part: &crate::model::Placed| GlbPart {
            name: part.name.clone(),
            surface: part.surface,
            pose: part.pose,
            colour: None,
        };
        Self {
            surfaces: model.surfaces.iter().collect(),
            parts: model.parts.iter().map(part).collect(),
            unit: model.unit,
            up: model.up.unwrap_or(Up::Y),
            ..Self::default()
        }
    }
}

/// What is gathered for the file.
#[derive(Default)]
pub(super) struct Gathered {
    pub bytes: Vec<u8>,
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
}

impl Gathered {
    /// Adds single-precision numbers and says which accessor they are.
    pub fn floats(&mut self, numbers: &[f32], kind: &str, bounds: bool) -> usize {
        let width = match kind {
            "VEC4" => 4,
            "VEC3" => 3,
            _ => 1,
        };
        let start = self.bytes.len();
        self.bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self.views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start}));
        let mut accessor = json!({"bufferView": self.views.len() - 1, "componentType": 5126, "count": numbers.len() / width, "type": kind});
        if bounds {
            let column = |i: usize| numbers.iter().skip(i).step_by(width).copied();
            accessor["min"] = (0..width).map(|i| column(i).fold(f32::INFINITY, f32::min)).collect();
            accessor["max"] = (0..width).map(|i| column(i).fold(f32::NEG_INFINITY, f32::max)).collect();
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn indices(&mut self, triangles: &[[u32; 3]]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(triangles.iter().flatten().flat_map(|index| index.to_le_bytes()));
        self.views
            .push(json!({"buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start, "target": 34963}));
        let count = 3 * triangles.len();
        self.accessors
            .push(json!({"bufferView": self.views.len() - 1, "componentType": 5125, "count": count, "type": "SCALAR"}));
        self.accessors.len() - 1
    }
}

/// The bytes of a scene as GLB.
///
/// ```
/// use clearance_io::write::{GlbScene, glb};
/// let bytes = glb(&GlbScene::default());
/// assert_eq!(&bytes[..4], b"glTF");
/// ```
pub fn glb(scene: &GlbScene<'_>) -> Vec<u8> {
    let mut gathered = Gathered::default();
    let (materials, material_of) = materials(scene);
    let shapes: Vec<(Vec3, Value)> = scene.surfaces.iter().map(|surface| geometry(surface, &mut gathered)).collect();
    let (mut meshes, mut nodes) = (Vec::new(), vec![root(scene)]);
    let mut mesh_of = std::collections::HashMap::new();
    let mut children = Vec::new();
    for (part, material) in scene.parts.iter().zip(material_of) {
        children.push(nodes.len());
        let Some((centre, geometry)) = shapes.get(part.surface).filter(|shape| !shape.1.is_null()) else {
            nodes.push(json!({"name": part.name}));
            continue;
        };
        let mesh = *mesh_of.entry((part.surface, material)).or_insert_with(|| {
            let mut primitive = geometry.clone();
            primitive["material"] = json!(material);
            meshes.push(json!({"name": scene.surfaces[part.surface].name, "primitives": [primitive]}));
            meshes.len() - 1
        });
        let (at, q) = (part.pose.point(*centre), part.pose.rotation());
        nodes.push(json!({"name": part.name, "mesh": mesh, "translation": at.to_array(), "rotation": q.to_array()}));
    }
    let animations = animation(&scene.tracks, &shapes, &scene.parts, &mut gathered);
    for (name, points) in scene.lines.iter().filter(|line| line.1.len() > 1) {
        children.push(nodes.len());
        let (centre, primitive) = polyline(points, materials.len() - 1, &mut gathered);
        nodes.push(json!({"name": name, "mesh": meshes.len(), "translation": centre.to_array()}));
        meshes.push(json!({"name": name, "primitives": [primitive]}));
    }
    if !children.is_empty() {
        nodes[0]["children"] = json!(children);
    }
    let mut document = json!({
        "asset": {"version": "2.0", "generator": concat!("clearance ", env!("CARGO_PKG_VERSION"))},
        "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes, "materials": materials,
    });
    // Lists may not be empty.
    for (name, list) in [
        ("meshes", meshes),
        ("accessors", gathered.accessors),
        ("bufferViews", gathered.views),
        ("animations", animations),
    ] {
        if !list.is_empty() {
            document[name] = Value::Array(list);
        }
    }
    if !gathered.bytes.is_empty() {
        document["buffers"] = json!([{"byteLength": gathered.bytes.len()}]);
    }
    container(&document, gathered.bytes)
}

/// Every colour once and the material of each part; the last material is that of lines.
fn materials(scene: &GlbScene<'_>) -> (Vec<Value>, Vec<usize>) {
    let mut colours: Vec<Colour> = Vec::new();
    let mut known = std::collections::HashMap::new();
    let mut of_parts = Vec::new();
    for part in &scene.parts {
        let colour = part.colour.unwrap_or([0.7; 3]);
        of_parts.push(*known.entry(colour.map(f64::to_bits)).or_insert_with(|| {
            colours.push(colour);
            colours.len() - 1
        }));
    }
    let material = |[r, g, b]: &Colour| json!({"pbrMetallicRoughness": {"baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8}, "doubleSided": true});
    let mut materials: Vec<Value> = colours.iter().map(material).collect();
    materials.push(material(&[1.0, 0.1, 0.1]));
    (materials, of_parts)
}

/// The node above all others: y up, metres.
fn root(scene: &GlbScene<'_>) -> Value {
    let mut root = json!({"name": "clearance"});
    if scene.up == Up::Z {
        root["rotation"] = json!(DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2).to_array());
    }
    if let Some(unit) = scene.unit.filter(|unit| *unit != Unit::M) {
        let scale = unit.micrometres() / Unit::M.micrometres();
        root["scale"] = json!([scale, scale, scale]);
    }
    root
}

/// The centre of a surface and its primitive about it; null for a surface without triangles.
fn geometry(surface: &Surface, gathered: &mut Gathered) -> (Vec3, Value) {
    if surface.triangles.is_empty() {
        return (Vec3::ZERO, Value::Null);
    }
    let (centre, positions) = centred(&surface.vertices);
    let position = gathered.floats(&positions, "VEC3", true);
    let indices = gathered.indices(&surface.triangles);
    (centre, json!({"attributes": {"POSITION": position}, "indices": indices}))
}

fn polyline(points: &[Vec3], material: usize, gathered: &mut Gathered) -> (Vec3, Value) {
    let (centre, positions) = centred(points);
    let position = gathered.floats(&positions, "VEC3", true);
    (centre, json!({"attributes": {"POSITION": position}, "mode": 3, "material": material}))
}

fn centred(points: &[Vec3]) -> (Vec3, Vec<f32>) {
    let min = points.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let max = points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let centre = min + 0.5 * (max - min);
    (centre, points.iter().flat_map(|p| (*p - centre).to_array()).map(|x| x as f32).collect())
}

fn container(document: &Value, mut binary: Vec<u8>) -> Vec<u8> {
    let mut json = document.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let chunks: usize = 8 + json.len() + if binary.is_empty() { 0 } else { 8 + binary.len() };
    let mut bytes = Vec::with_capacity(12 + chunks);
    bytes.extend(b"glTF");
    bytes.extend([2_u32, 12 + chunks as u32, json.len() as u32].iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(b"JSON");
    bytes.extend(json);
    if !binary.is_empty() {
        bytes.extend((binary.len() as u32).to_le_bytes());
        bytes.extend(b"BIN\0");
        bytes.extend(binary);
    }
    bytes
}
