//! Maps of convex brushes, by the library's own reader. Each brush is a surface and a part; its entity is the group that it is in.

use clearance::brush::Map;

use crate::error::{Fault, at_most};
use crate::limits::Limits;
use crate::model::{Format, Model, Surface, Up};
use crate::triangulate::add_polygon;

pub(super) fn parse(bytes: &[u8], limits: &Limits) -> Result<Model, Fault> {
    let map = Map::parse(super::text(bytes)?).map_err(|error| Fault::Unsupported(error.to_string()))?;
    let count: usize = map.entities.iter().map(|entity| entity.brushes.len()).sum();
    at_most("brushes", count as u64, limits.parts)?;
    let (mut surfaces, mut paths, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for (number, entity) in map.entities.iter().enumerate() {
        for (index, brush) in entity.brushes.iter().enumerate() {
            let name = format!("entity {number} brush {index}");
            match brush.piece() {
                Ok(piece) => {
                    let mut surface = Surface { name, vertices: piece.vertices.clone(), ..Surface::default() };
                    for face in &piece.faces {
                        add_polygon(&surface.vertices, face, &mut surface.triangles);
                    }
                    surfaces.push(surface);
                    paths.push(vec![format!("entity {number} {}", entity.class())]);
                }
                // Editors leave such brushes behind; compilers pass over them, too.
                Err(fault) => notes.push(format!("{name} is left out: {fault}")),
            }
        }
    }
    let mut model = Model::of_surfaces(Format::Map, surfaces);
    model.parts.iter_mut().zip(paths).for_each(|(part, path)| part.path = path);
    (model.up, model.notes) = (Some(Up::Z), notes);
    Ok(model)
}
