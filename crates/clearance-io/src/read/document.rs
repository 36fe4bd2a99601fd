//! The members of a glTF document that surfaces and their places need. Everything else is passed over.

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: Asset,
    pub scene: Option<usize>,
    #[serde(default)]
    pub scenes: Vec<SceneList>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub meshes: Vec<MeshEntry>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<View>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct Asset {
    pub version: String,
}

#[derive(Deserialize)]
pub(super) struct SceneList {
    #[serde(default)]
    pub nodes: Vec<usize>,
}

#[derive(Deserialize)]
pub(super) struct Node {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub children: Vec<usize>,
    pub mesh: Option<usize>,
    pub matrix: Option<[f64; 16]>,
    pub translation: Option<[f64; 3]>,
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
}

#[derive(Deserialize)]
pub(super) struct MeshEntry {
    #[serde(default)]
    pub name: String,
    pub primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    pub attributes: Attributes,
    pub indices: Option<usize>,
    pub mode: Option<u32>,
}

#[derive(Deserialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    pub count: u64,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub normalized: bool,
    pub sparse: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub uri: Option<String>,
    pub byte_length: u64,
}
