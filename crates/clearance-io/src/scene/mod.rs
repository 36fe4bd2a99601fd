//! Scene files: parts in their places, how they move, and what is allowed of them. The format is described in `docs/scene-format.md` and
//! by `docs/scene.schema.json`, which is made from the types of [`mod@format`].
//!
//! A file is read in two passes: its values are compared with the schema, which finds every misspelt, missing or wrong field at once;
//! then the parts are loaded and the names looked up, which finds every missing file and unknown name at once.

pub mod format;
mod load;
mod rules;
mod schema;
mod shown;
mod taken;
mod timeline;
mod tree;

pub use load::{LoadOptions, ShapeReader, load, load_files};
pub use rules::{PairRule, Rules};
pub use schema::{nearest, schema_text};
pub use timeline::{Moving, Timeline};

use std::sync::OnceLock;

use clearance::{Body, Pose};

use crate::describe::Repair;
use crate::model::{Surface, Unit, Up};

/// What is wrong with a scene: the file, the field or element, and why. All that was found in one run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .problems.join("\n"))]
pub struct SceneError {
    /// One line for each problem.
    pub problems: Vec<String>,
}

/// The geometry that one or more parts have.
#[derive(Debug)]
pub struct Geometry {
    /// Where it is from, for messages: a file, or a field of the scene.
    pub source: String,
    /// The surface that is shown, and of which the body is made if it is none of the library's shapes.
    pub surface: Surface,
    /// The repairs that are asked for.
    pub repairs: Vec<Repair>,
    /// The body, made when it is first needed.
    body: OnceLock<Result<Body, String>>,
    /// What was repaired, and what is to be known of the surface.
    notes: OnceLock<Vec<String>>,
    /// The surface alone, without what is inside.
    shell: OnceLock<Option<Body>>,
}

impl Geometry {
    /// Geometry of a surface.
    pub fn of_surface(source: String, surface: Surface, repairs: Vec<Repair>) -> Self {
        Self { source, surface, repairs, body: OnceLock::new(), notes: OnceLock::new(), shell: OnceLock::new() }
    }

    /// Geometry of a body, with a surface to show.
    pub fn of_body(source: String, body: Body, surface: Surface) -> Self {
        let made = Self::of_surface(source, surface, Vec::new());
        let _ = made.body.set(Ok(body));
        made
    }

    /// The body.
    ///
    /// # Errors
    /// Why no body can be made of the surface, with its element.
    pub fn body(&self) -> Result<&Body, &str> {
        self.body.get_or_init(|| self.make()).as_ref().map_err(String::as_str)
    }

    /// The body, if it has been made.
    pub fn ready(&self) -> Option<&Body> {
        self.body.get().and_then(|made| made.as_ref().ok())
    }

    /// The surface alone as a body, without what is inside; nothing if no body can be made of it. Of curved shapes it is that which is
    /// shown.
    pub fn shell(&self) -> Option<&Body> {
        let make = || {
            let (vertices, triangles) = match self.body() {
                Ok(Body::Mesh(mesh)) => {
                    let corners = |face| mesh.face_vertices(face).to_vec();
                    (mesh.vertices().to_vec(), (0..mesh.face_count() as u32).map(corners).collect::<Vec<_>>())
                }
                Ok(_) => (self.surface.vertices.clone(), self.surface.triangles.iter().map(|t| t.to_vec()).collect()),
                Err(_) => return None,
            };
            let options = clearance::MeshOptions { kind: clearance::Kind::Surface, ..Default::default() };
            clearance::Mesh::with_options(&vertices, &triangles, &options).ok().map(Body::from)
        };
        self.shell.get_or_init(make).as_ref()
    }

    /// What is to be known of it: repairs that were made, an open surface.
    pub fn notes(&self) -> &[String] {
        self.notes.get().map_or(&[], Vec::as_slice)
    }

    fn make(&self) -> Result<Body, String> {
        let refused = |error: &dyn std::fmt::Display| format!("{}: {error}", self.source);
        let (mesh, done) = crate::describe::repaired(&self.surface, &self.repairs).map_err(|error| refused(&error))?;
        let mut notes = Vec::new();
        if !done.summary().is_empty() {
            notes.push(format!("{}: repaired: {}", self.source, done.summary()));
        }
        if !mesh.is_solid() {
            notes.push(format!("{}: the surface is open: what is inside of it does not count", self.source));
        }
        let _ = self.notes.set(notes);
        Ok(mesh.into())
    }
}

/// A part of an assembly.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its full name: the names of the assemblies that it is in and its own, with `/` between.
    pub name: String,
    /// The names of the assemblies that it is in, the outermost first.
    pub path: Vec<String>,
    /// Its group, if it has one.
    pub group: Option<String>,
    /// Its colour: red, green and blue from 0 to 1.
    pub colour: Option<[f64; 3]>,
    /// Its geometry.
    pub geometry: usize,
    /// Where it is; of a part that moves, at the start.
    pub pose: Pose,
}

/// Parts in their places, with their motions and rules: what is checked.
#[derive(Debug)]
pub struct Assembly {
    /// The title; the name of the file if it has none.
    pub title: String,
    /// The unit of coordinates, if stated.
    pub unit: Option<Unit>,
    /// The axis that is up.
    pub up: Up,
    /// Geometry, each once.
    pub geometry: Vec<Geometry>,
    /// The parts.
    pub parts: Vec<Part>,
    /// How parts move; none if all are at rest.
    pub timeline: Option<Timeline>,
    /// What is allowed and what is required.
    pub rules: Rules,
    /// What was noticed in the files and is no error.
    pub notes: Vec<String>,
}
