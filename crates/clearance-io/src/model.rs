//! What a file of meshes holds: surfaces, and parts that place them.

use clearance::{Pose, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The format of a mesh file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// STL, text or binary.
    Stl,
    /// Wavefront OBJ.
    Obj,
    /// PLY, text or binary.
    Ply,
    /// Object File Format.
    Off,
    /// glTF 2.0 as JSON with buffers beside it or in it.
    Gltf,
    /// glTF 2.0 in one binary file.
    Glb,
    /// 3D Manufacturing Format.
    ThreeMf,
    /// A map of convex brushes.
    Map,
}

impl Format {
    /// The format that the extension of a file's name stands for, in any case of letters.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "stl" => Self::Stl,
            "obj" => Self::Obj,
            "ply" => Self::Ply,
            "off" => Self::Off,
            "gltf" => Self::Gltf,
            "glb" => Self::Glb,
            "3mf" => Self::ThreeMf,
            "map" => Self::Map,
            _ => return None,
        })
    }

    /// The name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stl => "STL",
            Self::Obj => "OBJ",
            Self::Ply => "PLY",
            Self::Off => "OFF",
            Self::Gltf => "glTF",
            Self::Glb => "GLB",
            Self::ThreeMf => "3MF",
            Self::Map => "brush map",
        }
    }
}

/// A unit of length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Micrometres.
    Um,
    /// Millimetres.
    Mm,
    /// Centimetres.
    Cm,
    /// Metres.
    M,
    /// Kilometres.
    Km,
    /// Inches.
    In,
    /// Feet.
    Ft,
}

impl Unit {
    /// The abbreviation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Um => "um",
            Self::Mm => "mm",
            Self::Cm => "cm",
            Self::M => "m",
            Self::Km => "km",
            Self::In => "in",
            Self::Ft => "ft",
        }
    }

    /// Micrometres in one of it: whole numbers, so that a factor between two units is rounded once.
    pub(crate) fn micrometres(self) -> f64 {
        match self {
            Self::Um => 1.0,
            Self::Mm => 1_000.0,
            Self::Cm => 10_000.0,
            Self::M => 1_000_000.0,
            Self::Km => 1_000_000_000.0,
            Self::In => 25_400.0,
            Self::Ft => 304_800.0,
        }
    }
}

/// The axis that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Up {
    /// The y axis, as in glTF.
    Y,
    /// The z axis, as in most drawings and maps.
    #[default]
    Z,
}

/// A surface of triangles: vertices and, for each triangle, three of them, counter-clockwise seen from outside.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surface {
    /// Its name in the file; empty if it has none.
    pub name: String,
    /// The vertices.
    pub vertices: Vec<Vec3>,
    /// The triangles.
    pub triangles: Vec<[u32; 3]>,
}

/// A surface of a model in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// Its name in the file; empty if it has none.
    pub name: String,
    /// The names of the groups that it is in, the outermost first.
    pub path: Vec<String>,
    /// Which surface.
    pub surface: usize,
    /// Where it is.
    pub pose: Pose,
}

/// What a file of meshes holds.
#[derive(Debug, Clone)]
pub struct Model {
    /// The format it was read from.
    pub format: Format,
    /// The unit of its coordinates, if the file or the format states one.
    pub unit: Option<Unit>,
    /// The axis that is up, if the format states it.
    pub up: Option<Up>,
    /// The surfaces, each once.
    pub surfaces: Vec<Surface>,
    /// Where they are.
    pub parts: Vec<Placed>,
    /// What was noticed and does not keep the file from being read.
    pub notes: Vec<String>,
}

impl Model {
    /// A model whose surfaces are all where their coordinates say.
    pub(crate) fn of_surfaces(format: Format, surfaces: Vec<Surface>) -> Self {
        let part = |(surface, mesh): (usize, &Surface)| Placed {
            name: mesh.name.clone(),
            path: Vec::new(),
            surface,
            pose: Pose::IDENTITY,
        };
        let parts = surfaces.iter().enumerate().map(part).collect();
        Self { format, unit: None, up: None, surfaces, parts, notes: Vec::new() }
    }

    /// The number of triangles of all parts.
    pub fn triangle_count(&self) -> usize {
        self.parts.iter().map(|part| self.surfaces[part.surface].triangles.len()).sum()
    }

    /// One surface of all parts in their places.
    pub fn merged(&self) -> Surface {
        let mut whole = Surface::default();
        for part in &self.parts {
            whole.add(&self.surfaces[part.surface], &part.pose);
        }
        whole
    }
}
