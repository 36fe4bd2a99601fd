//! Convex solids as plain vertices and faces, and exact judgements about them.
//!
//! Everything here is a loop over all faces and all points. What makes it usable on large inputs
//! is that almost every sign is settled by a rounded plane equation with an error bound.

mod check;
mod hull;
mod plane;

use crate::exact::{Dyadic, Exact3, ratio};
use glam::DVec3;
use plane::FacePlane;

pub use hull::is_flat;

/// A convex polyhedron: vertices, and faces as vertex indices, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solid {
    /// Corner points.
    pub vertices: Vec<DVec3>,
    /// Polygons, each with at least three vertices.
    pub faces: Vec<Vec<usize>>,
}

/// Where a point lies relative to a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Containment {
    /// Strictly inside.
    Inside,
    /// On a face, an edge or a vertex.
    Boundary,
    /// Strictly outside.
    Outside,
}

impl Solid {
    /// The axis-aligned box with corners `center ± half`; exact if those corners are.
    pub fn cuboid(center: DVec3, half: DVec3) -> Self {
        let corner = |i: usize| {
            let side = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            center + half * DVec3::new(side(0), side(1), side(2))
        };
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Self { vertices: (0..8).map(corner).collect(), faces: faces.iter().map(|f| f.to_vec()).collect() }
    }

    /// The solid moved by a vector, each coordinate rounded.
    pub fn moved(&self, by: DVec3) -> Self {
        Self { vertices: self.vertices.iter().map(|&v| v + by).collect(), faces: self.faces.clone() }
    }

    /// Every undirected edge once, with the smaller index first, in order.
    pub fn edges(&self) -> Vec<[usize; 2]> {
        undirected_edges(&self.faces)
    }

    /// Where a point lies, exactly.
    pub fn contains(&self, point: DVec3) -> Containment {
        let sides = self.planes().into_iter().map(|plane| plane.side(point));
        match sides.min() {
            Some(1) => Containment::Inside,
            Some(0) => Containment::Boundary,
            _ => Containment::Outside,
        }
    }

    /// Whether every point lies inside or on the boundary, exactly; otherwise the first that does not.
    pub fn contains_all(&self, points: &[DVec3]) -> Result<(), usize> {
        let planes = self.planes();
        let outside = |point: DVec3| planes.iter().any(|plane| plane.side(point) < 0);
        match points.iter().position(|&point| outside(point)) {
            Some(index) => Err(index),
            None => Ok(()),
        }
    }

    /// The volume: summed exactly, rounded at the end.
    pub fn volume(&self) -> f64 {
        ratio(&self.moments().0, &Dyadic::from(6.0))
    }

    /// The center of mass: summed exactly, each coordinate rounded at the end. NaN without volume.
    pub fn centroid(&self) -> DVec3 {
        let (six_volume, moment) = self.moments();
        let below = &six_volume * &Dyadic::from(4.0);
        DVec3::new(ratio(&moment.x, &below), ratio(&moment.y, &below), ratio(&moment.z, &below))
    }

    /// Six times the volume, and 24 times the first moment, from the tetrahedra between the origin
    /// and a fan of each face.
    fn moments(&self) -> (Dyadic, Exact3) {
        let exact: Vec<Exact3> = self.vertices.iter().map(|&v| v.into()).collect();
        let mut volume = Dyadic::default();
        let mut moment = Exact3::default();
        for face in &self.faces {
            for pair in face[1..].windows(2) {
                let [a, b, c] = [face[0], pair[0], pair[1]].map(|i| &exact[i]);
                let part = a.dot(&b.cross(c));
                moment = &moment + &(&(a + b) + c).times(&part);
                volume = &volume + &part;
            }
        }
        (volume, moment)
    }

    fn planes(&self) -> Vec<FacePlane> {
        let point = |i: usize| self.vertices[i];
        self.faces.iter().map(|f| FacePlane::new(point(f[0]), point(f[1]), point(f[2]))).collect()
    }
}

/// Every undirected edge of the faces once, with the smaller index first, in order.
pub(crate) fn undirected_edges(faces: &[Vec<usize>]) -> Vec<[usize; 2]> {
    let mut edges: Vec<_> = faces
        .iter()
        .flat_map(|face| {
            let next = face.iter().cycle().skip(1);
            face.iter().zip(next).map(|(&a, &b)| [a.min(b), a.max(b)])
        })
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::HitRate;
    use crate::random::Rng;

    #[test]
    fn a_box_knows_its_volume_centroid_and_inside() {
        let center = DVec3::new(5.0, -3.0, 0.25);
        let solid = Solid::cuboid(center, DVec3::new(1.0, 2.0, 0.5));
        assert_eq!(solid.check(), Ok(()));
        assert_eq!(solid.volume(), 8.0);
        assert_eq!(solid.centroid(), center);
        assert_eq!(solid.edges().len(), 12);
        assert_eq!(solid.contains(center), Containment::Inside);
        let on = center + DVec3::new(1.0, 0.3, 0.1);
        assert_eq!(solid.contains(on), Containment::Boundary);
        let off = DVec3::new(on.x.next_up(), on.y, on.z);
        assert_eq!(solid.contains(off), Containment::Outside);
        assert_eq!(solid.contains_all(&[center, on, off, on]), Err(2));
    }

    #[test]
    fn volume_of_a_far_tiny_tetrahedron_is_right() {
        let far = DVec3::splat(f64::from(1 << 20));
        let step = 1.0 / 1024.0;
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| far + p * step);
        let solid = Solid::hull(&points).unwrap();
        assert_eq!(solid.volume(), step * step * step / 6.0);
        assert_eq!(solid.centroid(), far + DVec3::splat(step / 4.0));
    }

    #[test]
    fn containment_agrees_with_the_hull_of_one_more_point() {
        let mut rng = Rng::new(21);
        let mut inside = HitRate::new("points inside");
        for _ in 0..300 {
            let points: Vec<_> = (0..12).map(|_| rng.in_ball(1.0)).collect();
            let solid = Solid::hull(&points).unwrap();
            let extra = rng.in_ball(1.0);
            let grown = Solid::hull(&[points.as_slice(), &[extra]].concat()).unwrap();
            let outside = grown.vertices.contains(&extra);
            assert_eq!(solid.contains(extra) == Containment::Outside, outside);
            inside.record(!outside);
        }
        inside.assert_between(0.1, 0.9);
    }
}
