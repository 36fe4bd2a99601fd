//! A brush as a convex polyhedron in this build's precision.
//!
//! Vertices that an edge of no more than a few roundings joins become one, by contracting that edge, and faces that have fewer than
//! three corners then are left out. So faces share vertices by how they meet, never because points happen to be near. If
//! rounding has spoilt the faces (bent them, or left them without area), the piece is the exact hull of the rounded vertices instead.

use super::clip::{Clipped, clipped, edges_of};
use super::{Brush, BrushFault};
use crate::math::{Real, Vec3, narrow, widen, widen_real};
use crate::polytope::Polytope;
use crate::shape::mesh::Mesh;
use crate::tolerance::BRUSH_WELD;

/// A brush as a closed convex polyhedron.
#[derive(Debug, Clone, PartialEq)]
pub struct BrushPiece {
    /// The vertices.
    pub vertices: Vec<Vec3>,
    /// The faces as loops of vertices, counter-clockwise seen from outside.
    pub faces: Vec<Vec<u32>>,
    /// The faces of the brush that bound nothing: another face is in front of them, or the same.
    pub redundant: Vec<u32>,
    /// The volume.
    pub volume: Real,
}

impl Brush {
    /// The brush as a convex polyhedron.
    ///
    /// # Errors
    /// If the brush encloses nothing, or something without bounds, or a face has no plane.
    pub fn piece(&self) -> Result<BrushPiece, BrushFault> {
        let mut solid = clipped(&self.faces)?;
        weld(&mut solid);
        let redundant = |plane: &u32| !solid.planes.contains(plane);
        let redundant = (0..self.faces.len() as u32).filter(redundant).collect();
        let (vertices, faces) = used(&solid);
        match volume(&vertices, &faces) {
            Some(volume) => Ok(BrushPiece { vertices, faces, redundant, volume }),
            None => hull(&vertices, redundant),
        }
    }
}

/// The volume of a closed surface that is sound.
fn volume(vertices: &[Vec3], faces: &[Vec<u32>]) -> Option<Real> {
    let mesh = Mesh::new(vertices, faces).ok()?;
    Some(mesh.mass().0).filter(|&volume| mesh.is_solid() && volume > 0.0)
}

fn hull(points: &[Vec3], redundant: Vec<u32>) -> Result<BrushPiece, BrushFault> {
    let polytope = Polytope::from_points(points).map_err(|_| BrushFault::NoVolume)?;
    let vertices = polytope.vertices().to_vec();
    let faces: Vec<Vec<u32>> =
        (0..polytope.face_count() as u32).map(|face| polytope.face_vertices(face).collect()).collect();
    let volume = volume(&vertices, &faces).ok_or(BrushFault::NoVolume)?;
    Ok(BrushPiece { vertices, faces, redundant, volume })
}

/// Contracts edges that are too short for the precision.
fn weld(solid: &mut Clipped) {
    let rounded: Vec<_> = solid.vertices.iter().map(|&p| widen(narrow(p))).collect();
    let largest = rounded.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let shortest = widen_real(BRUSH_WELD) * largest;
    // Each vertex leads to a smaller one or is itself: paths end.
    let mut lead: Vec<u32> = (0..rounded.len() as u32).collect();
    let root = |lead: &[u32], mut v: u32| {
        while lead[v as usize] != v {
            v = lead[v as usize];
        }
        v
    };
    for edge in solid.faces.iter().flat_map(|corners| edges_of(corners)) {
        let [a, b] = edge.map(|v| root(&lead, v));
        if (rounded[a as usize] - rounded[b as usize]).abs().max_element() <= shortest {
            lead[a.max(b) as usize] = a.min(b);
        }
    }
    for corners in &mut solid.faces {
        corners.iter_mut().for_each(|v| *v = root(&lead, *v));
        corners.dedup();
        if corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
    }
    let keep: Vec<bool> = solid.faces.iter().map(|corners| corners.len() >= 3).collect();
    let mut kept = keep.iter().copied();
    solid.planes.retain(|_| kept.next().unwrap_or(false));
    let mut kept = keep.into_iter();
    solid.faces.retain(|_| kept.next().unwrap_or(false));
}

/// The vertices that faces use, rounded, and the faces with their new numbers.
fn used(solid: &Clipped) -> (Vec<Vec3>, Vec<Vec<u32>>) {
    let mut renamed = vec![u32::MAX; solid.vertices.len()];
    let (mut vertices, mut faces) = (Vec::new(), solid.faces.clone());
    for v in faces.iter_mut().flatten() {
        let slot = &mut renamed[*v as usize];
        if *slot == u32::MAX {
            *slot = vertices.len() as u32;
            vertices.push(narrow(solid.vertices[*v as usize]));
        }
        *v = *slot;
    }
    (vertices, faces)
}
