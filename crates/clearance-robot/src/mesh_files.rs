//! Where the meshes of a URDF are: packages, the folder of the URDF, and folders by file name.

use std::path::{Path, PathBuf};

use clearance_io::Surface;

use crate::robot::RobotOptions;

/// Finds and reads mesh files.
pub struct MeshFiles<'o> {
    options: &'o RobotOptions,
    folder: &'o Path,
}

impl<'o> MeshFiles<'o> {
    pub fn new(options: &'o RobotOptions, folder: &'o Path) -> Self {
        Self { options, folder }
    }

    /// Reads a mesh by its name in a URDF.
    pub fn read(&self, name: &str) -> Result<Surface, String> {
        let path = self.find(name)?;
        clearance_io::read(&path).map(|model| model.merged()).map_err(|error| error.to_string())
    }

    /// The file of a name: `package://` by the packages, `file://` and plain paths from the folder of the URDF; then by the file name alone.
    fn find(&self, name: &str) -> Result<PathBuf, String> {
        let direct = if let Some(rest) = name.strip_prefix("package://").or_else(|| name.strip_prefix("model://")) {
            let (package, inner) = rest.split_once('/').unwrap_or((rest, ""));
            let known = self.options.packages.iter().find(|(known, _)| known == package);
            known.map(|(_, folder)| folder.join(inner))
        } else {
            Some(self.folder.join(name.strip_prefix("file://").unwrap_or(name)))
        };
        if let Some(path) = direct.as_ref().filter(|path| path.is_file()) {
            return Ok(path.clone());
        }
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let found = self.options.mesh_folders.iter().map(|folder| folder.join(file)).find(|path| path.is_file());
        found.ok_or_else(|| match direct {
            Some(path) => format!("there is no file {}", path.display()),
            None => "the package is not among those given, and the file is in none of the mesh folders".to_owned(),
        })
    }
}
