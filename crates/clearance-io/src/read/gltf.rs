//! glTF 2.0: meshes of triangles, in the places that the nodes of the default scene give them. Units are metres and y is up.
//!
//! Buffers are in the file, in data URIs or in files beside it. A node that is reached twice (a cycle, or two parents) is an error. A
//! place that stretches gets a surface of its own, with the stretch in its vertices. Skins, morph targets and animations are passed
//! over: what is read is the scene at rest.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clearance::glam::{DAffine3, DMat4, DQuat};
use clearance::{Pose, Vec3};

use super::Load;
use super::accessor::{indices, positions};
use super::binary::u32_at;
use super::document::{Document, MeshEntry, Node, Primitive};
use super::place::{rigid, stretch};
use crate::error::{Fault, at_most};
use crate::limits::Limits;
use crate::model::{Format, Model, Placed, Surface, Unit, Up};

const GLB_MAGIC: u32 = 0x4654_6c67;
const JSON_CHUNK: u32 = 0x4e4f_534a;
const BINARY_CHUNK: u32 = 0x004e_4942;
const TRIANGLES: u32 = 4;
const STRIP: u32 = 5;
const FAN: u32 = 6;

/// The binary form: a header, JSON, and one buffer.
pub(super) fn parse_binary(bytes: &[u8], limits: &Limits, load: Load<'_>) -> Result<Model, Fault> {
    let word = |at| {
        u32_at(bytes, at).ok_or(Fault::Truncated { what: "bytes", promised: at as u64 + 4, found: bytes.len() as u64 })
    };
    if word(0)? != GLB_MAGIC {
        return Err(Fault::element("header", "does not begin with 'glTF'"));
    }
    if word(4)? != 2 {
        return Err(Fault::Unsupported(format!("version {} of the binary form; 2 is read", word(4)?)));
    }
    let length = word(8)? as usize;
    if length > bytes.len() {
        return Err(Fault::Truncated { what: "bytes", promised: length as u64, found: bytes.len() as u64 });
    }
    let (mut json, mut buffer, mut at) = (None, None, 12);
    while at + 8 <= length {
        let (size, kind) = (word(at)? as usize, word(at + 4)?);
        let Some(chunk) = (at + 8).checked_add(size).and_then(|end| bytes.get(at + 8..end)) else {
            return Err(Fault::Truncated {
                what: "bytes of a chunk",
                promised: size as u64,
                found: (bytes.len() - at - 8) as u64,
            });
        };
        match kind {
            JSON_CHUNK if json.is_none() => json = Some(chunk),
            BINARY_CHUNK if buffer.is_none() => buffer = Some(chunk),
            _ => {}
        }
        at += 8 + size;
    }
    let json = json.ok_or_else(|| Fault::element("header", "there is no JSON chunk"))?;
    let mut model = parse(json, buffer, limits, load)?;
    model.format = Format::Glb;
    Ok(model)
}

pub(super) fn parse(json: &[u8], own: Option<&[u8]>, limits: &Limits, load: Load<'_>) -> Result<Model, Fault> {
    let document: Document =
        serde_json::from_slice(json).map_err(|error| Fault::line(error.line(), error.to_string()))?;
    if !document.asset.version.starts_with("2.") {
        return Err(Fault::Unsupported(format!("glTF {}; 2.0 is read", crate::text::short(&document.asset.version))));
    }
    // Required extensions change what the numbers mean (compressed meshes, quantised positions).
    if let Some(name) = document
        .extensions_required
        .iter()
        .find(|name| name.starts_with("KHR_draco") || name.contains("meshopt") || name.contains("quantization"))
    {
        return Err(Fault::Unsupported(format!(
            "requires the extension {}, which is not read",
            crate::text::short(name)
        )));
    }
    let buffers = buffers(&document, own, limits, load)?;
    let mut builder = Builder {
        document: &document,
        buffers,
        limits,
        model: Model::of_surfaces(Format::Gltf, Vec::new()),
        made: HashMap::new(),
        vertices: 0,
        triangles: 0,
    };
    (builder.model.unit, builder.model.up) = (Some(Unit::M), Some(Up::Y));
    builder.place_all()?;
    Ok(builder.model)
}

/// The bytes of all buffers.
fn buffers(document: &Document, own: Option<&[u8]>, limits: &Limits, load: Load<'_>) -> Result<Vec<Vec<u8>>, Fault> {
    let mut total = 0;
    let mut all = Vec::new();
    at_most("buffers", document.buffers.len() as u64, limits.parts)?;
    for (index, buffer) in document.buffers.iter().enumerate() {
        let name = format!("buffers[{index}]");
        let bytes = match (&buffer.uri, own) {
            (None, Some(own)) if index == 0 => own.to_vec(),
            (None, _) => return Err(Fault::element(name, "is missing: it has no uri")),
            (Some(uri), _) => match uri.strip_prefix("data:") {
                Some(data) => {
                    let text =
                        data.split_once(";base64,").ok_or_else(|| Fault::element(&name, "its data are not base64"))?;
                    STANDARD
                        .decode(text.1)
                        .map_err(|error| Fault::element(&name, format!("its data are not base64: {error}")))?
                }
                None => {
                    let file = percent_decoded(uri);
                    load(&file)
                        .map_err(|error| Fault::element(&name, format!("'{}': {error}", crate::text::short(&file))))?
                }
            },
        };
        if (bytes.len() as u64) < buffer.byte_length {
            return Err(Fault::Truncated {
                what: "bytes of a buffer",
                promised: buffer.byte_length,
                found: bytes.len() as u64,
            });
        }
        total += bytes.len() as u64;
        at_most("bytes of buffers", total, limits.bytes)?;
        all.push(bytes);
    }
    Ok(all)
}

/// A URI with its `%20` as the letters that they stand for.
fn percent_decoded(uri: &str) -> String {
    let (bytes, mut decoded, mut at) = (uri.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()).filter(|_| bytes[at] == b'%') {
            Some(byte) => (decoded, at) = ([decoded, vec![byte]].concat(), at + 3),
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

struct Builder<'d> {
    document: &'d Document,
    buffers: Vec<Vec<u8>>,
    limits: &'d Limits,
    model: Model,
    /// The surfaces of each mesh without a stretch.
    made: HashMap<usize, Vec<usize>>,
    vertices: u64,
    triangles: u64,
}

impl Builder<'_> {
    /// Walks the nodes from the roots, without recursion.
    fn place_all(&mut self) -> Result<(), Fault> {
        let document = self.document;
        let mut seen = vec![false; document.nodes.len()];
        let mut open: Vec<(usize, DAffine3, Vec<String>)> = Vec::new();
        let roots = self.roots()?;
        // A root above everything, which has no mesh itself, is no group.
        let above_all = if let [only] = roots[..] { Some(only) } else { None };
        for &root in roots.iter().rev() {
            open.push((root, DAffine3::IDENTITY, Vec::new()));
        }
        while let Some((index, parent, path)) = open.pop() {
            let name = format!("nodes[{index}]");
            let node = document.nodes.get(index).ok_or_else(|| Fault::element(&name, "does not exist"))?;
            if std::mem::replace(&mut seen[index], true) {
                return Err(Fault::element(name, "is reached twice: nodes must form trees"));
            }
            if path.len() > 256 {
                return Err(Fault::element(name, "is nested more than 256 deep"));
            }
            let place = parent * local(node, &name)?;
            if let Some(mesh) = node.mesh {
                self.place(mesh, node, &path, place, &name)?;
            }
            let mut inner = path;
            if above_all != Some(index) || node.mesh.is_some() {
                inner.push(if node.name.is_empty() { name } else { node.name.clone() });
            }
            open.extend(node.children.iter().rev().map(|&child| (child, place, inner.clone())));
        }
        Ok(())
    }

    fn roots(&self) -> Result<Vec<usize>, Fault> {
        let scenes = &self.document.scenes;
        match self.document.scene.or(if scenes.is_empty() { None } else { Some(0) }) {
            Some(scene) => match scenes.get(scene) {
                Some(list) => Ok(list.nodes.clone()),
                None => Err(Fault::element(format!("scenes[{scene}]"), "does not exist")),
            },
            // Without a scene: all that is nobody's child.
            None => {
                let mut is_child = vec![false; self.document.nodes.len()];
                for &child in self.document.nodes.iter().flat_map(|node| &node.children) {
                    if let Some(flag) = is_child.get_mut(child) {
                        *flag = true;
                    }
                }
                Ok((0..is_child.len()).filter(|&i| !is_child[i]).collect())
            }
        }
    }

    fn place(&mut self, mesh: usize, node: &Node, path: &[String], place: DAffine3, name: &str) -> Result<(), Fault> {
        let missing = || Fault::element(name, format!("meshes[{mesh}] does not exist"));
        let entry = self.document.meshes.get(mesh).ok_or_else(missing)?;
        let rigid = rigid(&place);
        let surfaces = match (rigid, self.made.get(&mesh)) {
            (Some(_), Some(known)) => known.clone(),
            _ => {
                let by = if rigid.is_some() { DAffine3::IDENTITY } else { place };
                let made = self.surfaces(mesh, entry, by)?;
                if rigid.is_some() {
                    self.made.insert(mesh, made.clone());
                }
                made
            }
        };
        let own = if node.name.is_empty() { &entry.name } else { &node.name };
        let several = surfaces.len() > 1;
        for (i, surface) in surfaces.into_iter().enumerate() {
            let name = if several { format!("{own} {i}") } else { own.clone() };
            let (path, pose) = (path.to_vec(), rigid.unwrap_or(Pose::IDENTITY));
            self.model.parts.push(Placed { name, path, surface, pose });
        }
        at_most("parts", self.model.parts.len() as u64, self.limits.parts)
    }

    fn surfaces(&mut self, mesh: usize, entry: &MeshEntry, by: DAffine3) -> Result<Vec<usize>, Fault> {
        let mut made = Vec::new();
        for (index, primitive) in entry.primitives.iter().enumerate() {
            let name = format!("meshes[{mesh}].primitives[{index}]");
            let Some(mut surface) = self.surface(primitive, &name)? else { continue };
            surface.name.clone_from(&entry.name);
            if by != DAffine3::IDENTITY {
                stretch(&mut surface, &by);
            }
            made.push(self.model.surfaces.len());
            self.model.surfaces.push(surface);
            at_most("meshes", self.model.surfaces.len() as u64, self.limits.parts)?;
        }
        Ok(made)
    }

    /// The triangles of a primitive; nothing for points and lines.
    fn surface(&mut self, primitive: &Primitive, name: &str) -> Result<Option<Surface>, Fault> {
        let mode = primitive.mode.unwrap_or(TRIANGLES);
        if ![TRIANGLES, STRIP, FAN].contains(&mode) {
            self.model.notes.push(format!("{name} is left out: it is no triangles"));
            return Ok(None);
        }
        let position = primitive.attributes.position.ok_or_else(|| Fault::element(name, "has no POSITION"))?;
        let vertices = positions(self.document, &self.buffers, position, self.limits.vertices)?;
        self.vertices += vertices.len() as u64;
        at_most("vertices", self.vertices, self.limits.vertices)?;
        let corners = match primitive.indices {
            Some(index) => indices(self.document, &self.buffers, index, self.limits.triangles)?,
            None => (0..vertices.len() as u32).collect(),
        };
        if let Some(at) = corners.iter().position(|&v| v as usize >= vertices.len()) {
            let message =
                format!("corner {at} refers to vertex {}, but there are {} vertices", corners[at], vertices.len());
            return Err(Fault::element(name, message));
        }
        let triangles: Vec<[u32; 3]> = match mode {
            TRIANGLES => corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
            STRIP => corners
                .windows(3)
                .enumerate()
                .map(|(i, c)| if i % 2 == 0 { [c[0], c[1], c[2]] } else { [c[1], c[0], c[2]] })
                .collect(),
            _ => corners.windows(2).skip(1).map(|c| [corners[0], c[0], c[1]]).collect(),
        };
        self.triangles += triangles.len() as u64;
        at_most("triangles", self.triangles, self.limits.triangles)?;
        Ok(Some(welded(vertices, triangles)))
    }
}

/// Renderers need a vertex for each normal; those at one place become one again, so that the surface is closed.
fn welded(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Surface {
    let mut known: HashMap<[u64; 3], u32> = HashMap::with_capacity(vertices.len());
    let mut kept = Vec::new();
    let numbers: Vec<u32> = vertices
        .iter()
        .map(|&vertex| {
            let vertex = vertex + Vec3::ZERO;
            *known.entry(vertex.to_array().map(f64::to_bits)).or_insert_with(|| {
                kept.push(vertex);
                kept.len() as u32 - 1
            })
        })
        .collect();
    let triangles = triangles.into_iter().map(|corners| corners.map(|v| numbers[v as usize]));
    Surface { name: String::new(), vertices: kept, triangles: triangles.collect() }
}

/// The place of a node in its parent.
fn local(node: &Node, name: &str) -> Result<DAffine3, Fault> {
    let place = match &node.matrix {
        Some(matrix) => DAffine3::from_mat4(DMat4::from_cols_array(matrix)),
        None => {
            let rotation = DQuat::from_array(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
            if !(rotation.is_finite() && (0.5..2.0).contains(&rotation.length())) {
                return Err(Fault::element(name, "rotation is no unit quaternion"));
            }
            let [scale, translation] =
                [node.scale.unwrap_or([1.0; 3]), node.translation.unwrap_or_default()].map(Vec3::from);
            DAffine3::from_scale_rotation_translation(scale, rotation.normalize(), translation)
        }
    };
    if place.is_finite() { Ok(place) } else { Err(Fault::element(name, "its place is not finite")) }
}
