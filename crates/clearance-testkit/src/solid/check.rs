//! Is this really a convex polyhedron? Every property is checked exactly, by its definition.

use super::{FacePlane, Solid};
use crate::exact::orient3d;
use std::collections::HashSet;

impl Solid {
    /// Whether this is a convex polyhedron without redundancy, in exact arithmetic: closed, of one
    /// piece by Euler's formula, every face flat and strictly convex, every other vertex strictly
    /// below it. The message names the first element that is wrong.
    pub fn check(&self) -> Result<(), String> {
        self.check_indices()?;
        self.check_closed()?;
        self.check_euler()?;
        (0..self.faces.len()).try_for_each(|index| self.check_face(index))
    }

    fn check_indices(&self) -> Result<(), String> {
        let count = self.vertices.len();
        for (index, face) in self.faces.iter().enumerate() {
            if face.len() < 3 {
                return Err(format!("face {index} has {} vertices", face.len()));
            }
            if let Some(vertex) = face.iter().find(|&&v| v >= count) {
                return Err(format!("face {index} names vertex {vertex}, of {count} vertices"));
            }
        }
        match self.vertices.iter().position(|v| !v.is_finite()) {
            Some(index) => Err(format!("vertex {index} is not finite")),
            None => Ok(()),
        }
    }

    fn check_closed(&self) -> Result<(), String> {
        let mut seen = HashSet::new();
        for (index, face) in self.faces.iter().enumerate() {
            for (a, b) in directed_edges(face) {
                if !seen.insert((a, b)) {
                    return Err(format!("face {index} repeats the edge {a} -> {b}"));
                }
            }
        }
        for (index, face) in self.faces.iter().enumerate() {
            if let Some((a, b)) = directed_edges(face).find(|&(a, b)| !seen.contains(&(b, a))) {
                return Err(format!("edge {a} -> {b} of face {index} has no opposite"));
            }
        }
        Ok(())
    }

    fn check_euler(&self) -> Result<(), String> {
        let (v, e, f) = (self.vertices.len(), self.edges().len(), self.faces.len());
        if v + f != e + 2 {
            return Err(format!("{v} vertices, {e} edges and {f} faces do not satisfy V - E + F = 2"));
        }
        Ok(())
    }

    fn check_face(&self, index: usize) -> Result<(), String> {
        let face = &self.faces[index];
        let point = |i: usize| self.vertices[i];
        let plane = FacePlane::new(point(face[0]), point(face[1]), point(face[2]));
        let mut below = None;
        for vertex in 0..self.vertices.len() {
            let side = plane.side(point(vertex));
            let member = face.contains(&vertex);
            if member && side != 0 {
                return Err(format!("vertex {vertex} of face {index} is off the plane of its first three"));
            }
            if !member && side <= 0 {
                return Err(format!("vertex {vertex} is not strictly below face {index}"));
            }
            if !member {
                below = Some(vertex);
            }
        }
        match below {
            Some(inner) => self.check_polygon(index, inner),
            None => Err(format!("face {index} has all vertices")),
        }
    }

    /// Seen from outside, every vertex of the face must be strictly left of every edge of it that it
    /// is not on; `below` is a vertex strictly below the face.
    fn check_polygon(&self, index: usize, below: usize) -> Result<(), String> {
        let face = &self.faces[index];
        let point = |i: usize| self.vertices[i];
        for (a, b) in directed_edges(face) {
            for &c in face.iter().filter(|&&c| c != a && c != b) {
                if orient3d(point(a), point(b), point(c), point(below)) <= 0 {
                    return Err(format!("vertex {c} of face {index} is not strictly left of edge {a} -> {b}"));
                }
            }
        }
        Ok(())
    }
}

fn directed_edges(face: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let next = face.iter().cycle().skip(1);
    face.iter().copied().zip(next.copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn cube() -> Solid {
        Solid::cuboid(DVec3::ZERO, DVec3::ONE)
    }

    fn complaint(change: impl Fn(&mut Solid)) -> String {
        let mut solid = cube();
        change(&mut solid);
        solid.check().unwrap_err()
    }

    #[test]
    fn each_defect_is_named() {
        let missing = complaint(|s| drop(s.faces.pop()));
        assert!(missing.contains("has no opposite"), "{missing}");
        let inverted = complaint(|s| s.faces[2].reverse());
        assert!(inverted.contains("repeats the edge"), "{inverted}");
        let inside_out = complaint(|s| s.faces.iter_mut().for_each(|f| f.reverse()));
        assert!(inside_out.contains("strictly below"), "{inside_out}");
        let extra = complaint(|s| s.vertices.push(DVec3::ZERO));
        assert!(extra.contains("V - E + F"), "{extra}");
        let bent = complaint(|s| s.vertices[7].x = 1.0_f64.next_up());
        assert!(bent.contains("face 1"), "{bent}");
        let index = complaint(|s| s.faces[3][1] = 99);
        assert!(index.contains("face 3 names vertex 99"), "{index}");
        let short = complaint(|s| s.faces[4].truncate(2));
        assert!(short.contains("face 4 has 2"), "{short}");
        let nan = complaint(|s| s.vertices[5].y = f64::NAN);
        assert!(nan.contains("vertex 5 is not finite"), "{nan}");
    }

    #[test]
    fn triangles_in_one_plane_are_redundant() {
        let mut solid = cube();
        let quad = solid.faces.remove(0);
        solid.faces.push(vec![quad[0], quad[1], quad[2]]);
        solid.faces.push(vec![quad[0], quad[2], quad[3]]);
        assert!(solid.check().unwrap_err().contains("not strictly below"));
    }

    #[test]
    fn a_vertex_in_the_middle_of_an_edge_is_redundant() {
        let mut solid = cube();
        solid.vertices.push(DVec3::new(-1.0, -1.0, 0.0));
        for face in &mut solid.faces {
            let edge = (0..4).find(|&i| [face[i], face[(i + 1) % 4]] == [0, 4]);
            let back = (0..4).find(|&i| [face[i], face[(i + 1) % 4]] == [4, 0]);
            if let Some(at) = edge.or(back) {
                face.insert(at + 1, 8);
            }
        }
        assert!(solid.check().is_err());
    }
}
