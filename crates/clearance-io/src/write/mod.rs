//! Writers of STL, OBJ and GLB, so that any result can be opened elsewhere; and files that are whole or not there.

mod animation;
mod archive;
mod glb;
mod obj;
mod stl;
mod whole;

use std::path::Path;

use crate::error::{Fault, IoError};
use crate::model::{Format, Model};

pub use animation::Track;
pub use archive::stored_zip;
pub use glb::{Colour, GlbPart, GlbScene, glb};
pub use stl::bytes as stl_bytes;
pub use whole::{part_of, write_whole};

/// Writes a model as STL (binary, all parts in one, single precision), OBJ or GLB; the extension names the format. The file is there
/// whole or, after an error, as it was.
///
/// # Errors
/// If the extension is another one, or the file cannot be written.
///
/// ```
/// let folder = std::env::temp_dir();
/// let path = folder.join("clearance-doc-write.off");
/// std::fs::write(&path, "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n")?;
/// let model = clearance_io::read(&path)?;
/// clearance_io::write(&model, folder.join("clearance-doc-write.obj"))?;
/// assert_eq!(clearance_io::read(folder.join("clearance-doc-write.obj"))?.surfaces[0], model.surfaces[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(model: &Model, path: impl AsRef<Path>) -> Result<(), IoError> {
    let path = path.as_ref();
    let bytes = match crate::read::format_of(path)? {
        Format::Stl => stl::bytes(model),
        Format::Obj => obj::text(model).into_bytes(),
        Format::Glb => glb(&GlbScene::of_model(model)),
        other => {
            return Err(Fault::Unsupported(format!("{} is not written; STL, OBJ and GLB are", other.name())).of(path));
        }
    };
    write_whole(path, &bytes).map_err(|error| Fault::System(error).of(path))
}
