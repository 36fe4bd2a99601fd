//! What the commands about assemblies share: how scenes and files are loaded.

use std::path::{Path, PathBuf};

use clearance::Body;
use clearance_io::scene::{Assembly, LoadOptions, SceneError, load, load_files};
use clearance_io::{Format, Limits, Repair};
use serde_json::Value;

use crate::query::parse::{Object, Path as FieldPath, read_members};
use crate::query::shapes::{self, Definitions};

/// A shape as `clearance query` takes it.
///
/// # Errors
/// What is wrong with it, with its field.
pub fn body_of(value: &Value, folder: &Path) -> Result<Body, String> {
    let text = serde_json::json!({ "shape": value }).to_string();
    let mut members = Vec::new();
    read_members(&text, &mut members).map_err(|error| error.to_string())?;
    let object = Object::new(&FieldPath::Root, members).map_err(|error| error.message)?;
    let definitions = Definitions::in_folder(folder.to_owned());
    let built = object.get("shape").and_then(|node| shapes::shape(&node, &definitions));
    built.map(|built| built.body).map_err(|error| error.message)
}

/// Loads a scene, or mesh files as the parts of an assembly.
///
/// # Errors
/// All that is wrong with the files.
pub fn assembly(paths: &[PathBuf], repairs: &[Repair]) -> Result<Assembly, SceneError> {
    let options = LoadOptions { limits: Limits::default(), shapes: &body_of, repairs };
    let is_scene = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        Format::of_extension(extension).is_none()
            && ["json", "toml"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    };
    match paths {
        [only] if is_scene(only) => load(only, &options),
        _ => load_files(paths, &options),
    }
}
