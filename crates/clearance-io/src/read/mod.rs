//! Readers of mesh files, written here so that no count of a file is trusted before it is compared with the bytes that are there.
//!
//! Each reader works on the bytes of the file, takes memory in proportion to them, does not recurse, and names the line or element at
//! fault. Binary STL, the largest kind of file, is read block by block. Polygons become triangles. STL, which has no vertex numbers, gets its equal corners made one vertex.

mod accessor;
mod binary;
mod document;
mod gltf;
mod map;
mod obj;
mod off;
mod place;
mod ply;
mod stl;
mod threemf;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::error::{Fault, IoError, at_most};
use crate::limits::Limits;
use crate::model::{Format, Model};

/// Reads a file of meshes; its extension names the format.
///
/// # Errors
/// If it cannot be read, is larger than the default [`Limits`], or is not what its extension says; with the line or element at fault.
///
/// ```
/// let path = std::env::temp_dir().join("clearance-doc-read.off");
/// std::fs::write(&path, "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n")?;
/// let model = clearance_io::read(&path)?;
/// assert_eq!(model.surfaces[0].triangles.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(path: impl AsRef<Path>) -> Result<Model, IoError> {
    read_within(path, &Limits::default())
}

/// Reads a file of meshes within given limits.
///
/// # Errors
/// As [`read`].
pub fn read_within(path: impl AsRef<Path>, limits: &Limits) -> Result<Model, IoError> {
    let path = path.as_ref();
    let format = format_of(path)?;
    if format == Format::Stl
        && let Some(model) = streamed(path, limits).map_err(|fault| fault.of(path))?
    {
        return Ok(model);
    }
    let bytes = read_bytes(path, limits).map_err(|fault| fault.of(path))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let load = |name: &str| read_beside(folder, name, limits);
    parse(format, &bytes, limits, &load).map_err(|fault| fault.of(path))
}

/// The format that a file's extension names.
///
/// # Errors
/// If it names none.
pub fn format_of(path: &Path) -> Result<Format, IoError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    Format::of_extension(extension).ok_or_else(|| {
        let extension = crate::text::short(extension);
        Fault::UnknownFormat { extension }.of(path)
    })
}

/// Reads the bytes of a mesh file that is in memory. `load` finds the files that a glTF names as its buffers.
///
/// # Errors
/// If the bytes are not of that format.
///
/// ```
/// use clearance_io::{Format, Limits, parse};
/// let text = b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
/// let model = parse(Format::Off, text, &Limits::default(), &|_| Err("no other files".into()))?;
/// assert_eq!(model.surfaces[0].vertices.len(), 3);
/// # Ok::<(), clearance_io::Fault>(())
/// ```
pub fn parse(format: Format, bytes: &[u8], limits: &Limits, load: Load<'_>) -> Result<Model, Fault> {
    at_most("bytes", bytes.len() as u64, limits.bytes)?;
    match format {
        Format::Stl => stl::parse(bytes, limits),
        Format::Obj => obj::parse(bytes, limits),
        Format::Ply => ply::parse(bytes, limits),
        Format::Off => off::parse(bytes, limits),
        Format::Gltf => gltf::parse(bytes, None, limits, load),
        Format::Glb => gltf::parse_binary(bytes, limits, load),
        Format::ThreeMf => threemf::parse(bytes, limits),
        Format::Map => map::parse(bytes, limits),
    }
}

/// Finds the bytes of a file that another one names.
pub type Load<'l> = &'l dyn Fn(&str) -> Result<Vec<u8>, String>;

/// A binary STL, which is the largest kind of file, without all of its bytes in memory; nothing if it is another kind.
fn streamed(path: &Path, limits: &Limits) -> Result<Option<Model>, Fault> {
    let length = size(path, limits)?;
    stl::streamed(File::open(path)?.take(length), length, limits)
}

/// How long a regular file is, if it is not too long.
fn size(path: &Path, limits: &Limits) -> Result<u64, Fault> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(Fault::Unsupported("is no regular file".to_owned()));
    }
    at_most("bytes", metadata.len(), limits.bytes)?;
    Ok(metadata.len())
}

/// The bytes of a file, whose size is looked at first; one that grows meanwhile is cut off by the limit, too.
pub(crate) fn read_bytes(path: &Path, limits: &Limits) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::with_capacity(size(path, limits)? as usize);
    File::open(path)?.take(limits.bytes + 1).read_to_end(&mut bytes)?;
    at_most("bytes", bytes.len() as u64, limits.bytes)?;
    Ok(bytes)
}

/// A file that another one names, which must be in its folder or below: a file from elsewhere is not led to others of this machine.
fn read_beside(folder: &Path, name: &str, limits: &Limits) -> Result<Vec<u8>, String> {
    let inner = Path::new(name);
    let is_plain = inner.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if !is_plain || name.is_empty() {
        return Err("is no path within the folder of the file".to_owned());
    }
    read_bytes(&folder.join(inner), limits).map_err(|fault| fault.to_string())
}

/// The text of a file.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Fault> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|b| **b == b'\n').count();
        Fault::line(line, "is not UTF-8 text")
    })
}
