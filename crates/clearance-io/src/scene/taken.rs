//! How the mesh of a file becomes geometry: as it is, as its convex hull, or as convex parts.

use clearance::{Body, Compound, Mesh, Polytope, Pose, Shape, decompose};

use super::shown;
use super::{Geometry, Surface};
use crate::describe::{Repair, repaired};
use crate::scene::format::TakenEntry;
use crate::tolerance::PARTS;

/// Convex parts of a mesh, at most.
const MOST_PARTS: usize = 128;

/// Geometry of a mesh, and what there is to say about it.
///
/// # Errors
/// Why there is none.
pub(super) fn geometry(
    source: &str,
    surface: Surface,
    taken: TakenEntry,
    repairs: &[Repair],
) -> Result<(Geometry, Option<String>), String> {
    match taken {
        TakenEntry::Mesh => Ok((Geometry::of_surface(source.to_owned(), surface, repairs.to_vec()), None)),
        TakenEntry::Hull => {
            let hull = Polytope::from_points(&surface.vertices).map_err(|error| error.to_string())?;
            let shown = shown::hull(&hull);
            Ok((Geometry::of_body(source.to_owned(), hull.into(), shown), None))
        }
        TakenEntry::Parts => {
            let (mesh, done) = repaired(&surface, repairs).map_err(|error| error.to_string())?;
            let (body, shown, mut said) = parts(&mesh)?;
            if !done.summary().is_empty() {
                said = format!("repaired: {}; {said}", done.summary());
            }
            Ok((Geometry::of_body(source.to_owned(), body, shown), Some(said)))
        }
    }
}

/// The convex parts of a mesh as one body, their surfaces, and a sentence about them.
fn parts(mesh: &Mesh) -> Result<(Body, Surface, String), String> {
    let bounds = mesh.bounds();
    let size = (bounds.max - bounds.min).max_element();
    let found = decompose(mesh, PARTS * size, MOST_PARTS).map_err(|error| error.to_string())?;
    let mut shown = Surface::default();
    for part in &found.parts {
        shown.add(&shown::hull(part), &Pose::IDENTITY);
    }
    let said = format!("{} convex parts, which reach at most {:.3e} beyond the mesh", found.parts.len(), found.error);
    let leaves = found.parts.into_iter().map(|part| (Body::from(Shape::from(part)), Pose::IDENTITY));
    let body = Compound::new(leaves).map_err(|error| error.to_string())?;
    Ok((body.into(), shown, said))
}
