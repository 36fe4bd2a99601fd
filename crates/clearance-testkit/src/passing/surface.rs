//! A surface of triangles, and where a pose as stored puts it.
//!
//! Coordinates are kept relative to an origin near the world, rounded once, with a bound of their error: so the filters of
//! [`meet`](super::meet) work as well ten thousand units away. Exact coordinates are made where they are asked for.

use std::collections::HashSet;

use glam::{DMat3, DVec3};

use super::double::{ROUNDOFF, dot, dot_error};
use super::tree::{Bounds, Tree};
use crate::exact::{Exact3, collinear, posed};
use crate::meshes::Polyhedron;

/// A matrix and a translation, as stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Turns; a rounded rotation is taken for the linear map that it is.
    pub matrix: DMat3,
    /// Moves.
    pub translation: DVec3,
}

impl Placement {
    /// Where a point is, rounded.
    pub fn point(&self, p: DVec3) -> DVec3 {
        self.matrix * p + self.translation
    }
}

/// A surface of triangles with shared vertices.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The vertices.
    pub points: Vec<DVec3>,
    /// The faces, cut into triangles from their first corner.
    pub triangles: Vec<[u32; 3]>,
    /// All sides of triangles, once.
    pub edges: Vec<[u32; 2]>,
    /// A vertex of each connected piece.
    pub anchors: Vec<u32>,
    /// Each side has a triangle along it and one against it.
    pub closed: bool,
}

impl Surface {
    /// The surface of a polyhedron. Triangles without area are left out.
    pub fn new(polyhedron: &Polyhedron) -> Self {
        let points = polyhedron.vertices.clone();
        let fan = |face: &Vec<u32>| -> Vec<[u32; 3]> {
            face[1..].windows(2).map(|pair| [face[0], pair[0], pair[1]]).collect()
        };
        let mut triangles: Vec<[u32; 3]> = polyhedron.faces.iter().flat_map(fan).collect();
        triangles.retain(|t| {
            let [a, b, c] = t.map(|v| points[v as usize]);
            !collinear(a, b, c)
        });
        let sides = |corners: &[u32]| -> Vec<[u32; 2]> {
            (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]]).collect()
        };
        let directed: HashSet<[u32; 2]> = polyhedron.faces.iter().flat_map(|face| sides(face)).collect();
        let closed = directed.iter().all(|&[a, b]| directed.contains(&[b, a]));
        let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(|t| sides(t)).collect();
        edges.iter_mut().for_each(|edge| edge.sort_unstable());
        edges.sort_unstable();
        edges.dedup();
        let anchors = anchors(points.len(), &edges);
        Self { points, triangles, edges, anchors, closed }
    }

    /// The distance of the farthest vertex from the local origin.
    pub fn reach(&self) -> f64 {
        self.points.iter().map(|p| p.length()).fold(0.0, f64::max)
    }
}

/// The first vertex of each connected piece that has edges.
fn anchors(points: usize, edges: &[[u32; 2]]) -> Vec<u32> {
    let mut piece: Vec<u32> = (0..points as u32).collect();
    loop {
        let mut changed = false;
        for &[a, b] in edges {
            let least = piece[a as usize].min(piece[b as usize]);
            for v in [a, b] {
                changed |= std::mem::replace(&mut piece[v as usize], least) != least;
            }
        }
        if !changed {
            break;
        }
    }
    let used: HashSet<u32> = edges.iter().flatten().copied().collect();
    (0..points as u32).filter(|v| piece[*v as usize] == *v && used.contains(v)).collect()
}

/// What the coordinates of a placed surface stand for.
#[derive(Clone, Debug)]
enum Source {
    /// The image under a pose, less an origin.
    Pose(Placement, DVec3),
    /// The numbers themselves.
    Given,
}

/// A surface somewhere.
#[derive(Clone, Debug)]
pub struct Placed<'a> {
    /// The surface.
    pub surface: &'a Surface,
    /// Its vertices, relative to the origin, each coordinate off by no more than the error.
    pub points: Vec<DVec3>,
    /// How much the coordinates are off.
    pub error: f64,
    source: Source,
    pub(super) triangle_boxes: Vec<Bounds>,
    pub(super) edge_boxes: Vec<Bounds>,
    pub(super) whole: Bounds,
}

impl<'a> Placed<'a> {
    /// Where a pose puts a surface, relative to an origin.
    pub fn new(surface: &'a Surface, at: Placement, origin: DVec3) -> Self {
        let place = |p: &DVec3| {
            let row = |i: usize| {
                let m = at.matrix.row(i);
                dot([m.x, m.y, m.z, at.translation[i], -origin[i]], [p.x, p.y, p.z, 1.0, 1.0])
            };
            DVec3::new(row(0), row(1), row(2))
        };
        let points: Vec<DVec3> = surface.points.iter().map(place).collect();
        let largest = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
        let size = 4.0 * surface.reach() + at.translation.abs().max_element() + origin.abs().max_element();
        let error = 1.01 * (ROUNDOFF * largest + dot_error(size));
        Self::boxed(surface, points, error, Source::Pose(at, origin))
    }

    /// The surface with its vertices at the places given, relative to an origin.
    pub fn given(surface: &'a Surface, points: Vec<DVec3>) -> Self {
        Self::boxed(surface, points, 0.0, Source::Given)
    }

    fn boxed(surface: &'a Surface, points: Vec<DVec3>, error: f64, source: Source) -> Self {
        let none = (Vec::new(), Vec::new(), Bounds::EMPTY);
        let (triangle_boxes, edge_boxes, whole) = none;
        let mut placed = Self { surface, points, error, source, triangle_boxes, edge_boxes, whole };
        placed.bound();
        placed
    }

    /// Puts the vertices elsewhere, and counts the numbers as exact.
    pub fn put(&mut self, place: impl FnMut(usize) -> DVec3) {
        self.points.clear();
        self.points.extend((0..self.surface.points.len()).map(place));
        (self.error, self.source) = (0.0, Source::Given);
        self.bound();
    }

    fn bound(&mut self) {
        let (points, by) = (&self.points, self.error);
        let of = |corners: &[u32]| Bounds::of(corners.iter().map(|&v| points[v as usize])).grown(by);
        self.triangle_boxes.clear();
        self.triangle_boxes.extend(self.surface.triangles.iter().map(|t| of(t)));
        self.edge_boxes.clear();
        self.edge_boxes.extend(self.surface.edges.iter().map(|e| of(e)));
        self.whole = self.triangle_boxes.iter().fold(Bounds::EMPTY, |all, &one| all.union(one));
    }

    /// The exact place of a vertex.
    pub fn exact(&self, vertex: u32) -> Exact3 {
        match self.source {
            Source::Pose(at, origin) => {
                &posed(self.surface.points[vertex as usize], at.matrix, at.translation) - &Exact3::from(origin)
            }
            Source::Given => Exact3::from(self.points[vertex as usize]),
        }
    }

    /// The rounded corners of a triangle.
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.surface.triangles[triangle as usize].map(|v| self.points[v as usize])
    }
}

/// A surface at rest, with a tree over its triangles.
#[derive(Debug)]
pub struct Fixed<'a> {
    /// The surface in its place.
    pub placed: Placed<'a>,
    /// What coordinates are relative to.
    pub origin: DVec3,
    /// How often the surface winds about free points: 0 for solids, −1 for rooms. Points with more are inside a solid. Nothing for
    /// surfaces that are not closed.
    pub free: Option<i32>,
    pub(super) tree: Tree,
}

impl<'a> Fixed<'a> {
    /// A surface at a pose; `free` as in [`Fixed::free`].
    pub fn new(surface: &'a Surface, at: Placement, free: Option<i32>) -> Self {
        let bounds = Bounds::of(surface.points.iter().map(|&p| at.point(p)));
        let origin = (bounds.min + bounds.max) * 0.5;
        let placed = Placed::new(surface, at, origin);
        let tree = Tree::new(&placed.triangle_boxes);
        Self { placed, origin, free: free.filter(|_| surface.closed), tree }
    }

    /// The box of the surface, relative to the origin.
    pub fn bounds(&self) -> [DVec3; 2] {
        [self.placed.whole.min, self.placed.whole.max]
    }
}
