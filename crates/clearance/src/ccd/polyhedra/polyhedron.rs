//! A polyhedron as casts see it: points, edges with up to two polygons, convex polygons, in f64.
//!
//! What depends on the shape alone is computed once (section 4): which edges are internal (their polygons face each other or are
//! flat) and which points only have such edges; these never meet anything first. Surfaces may be open and need not be convex;
//! polygons must be. A polygon that is flat only roughly is cut into triangles, and the plane of one is pushed out to its
//! outermost corner.

use std::collections::HashMap;

use glam::{DMat3, DVec3};

use super::error::PolyhedronError;
use crate::bvh::Bvh;
use crate::math::exact::triangle_normal;
use crate::math::{Aabb, Real, Vec3, narrow, narrow_real, widen, widen_real};
use crate::polytope::{Polytope, check_coordinates};
use crate::tolerance::{LONGEST_INSET, LONGEST_MITRE, POLYGON_FLATNESS};

/// Stands for "no polygon on this side".
pub(super) const NONE: u32 = u32::MAX;

/// An edge with what lies beside it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub ends: [u32; 2],
    /// The polygon on the left going along it, and the one on the right or [`NONE`].
    pub polygons: [u32; 2],
    /// Unit vectors across the edge into the two polygons; zero where there is none.
    pub into: [DVec3; 2],
    /// Where the planes beside it meet when both are moved out by one, drawn back if that is far.
    pub outset: DVec3,
    /// Concave or flat: nothing meets it first.
    pub internal: bool,
}

impl Edge {
    /// Whether the mitre was drawn back: the polygons are almost back to back, and neither may be approached while the edge is.
    pub fn is_sharp(&self) -> bool {
        self.outset.length_squared() > 0.5 * LONGEST_MITRE * LONGEST_MITRE
    }
}

/// A corner of a polygon and the edge that leaves it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub point: u32,
    pub edge: u32,
    /// Which of the edge's two sides the polygon is: 0 goes along it, 1 against it.
    pub side: u8,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    pub normal: DVec3,
    pub offset: f64,
    pub start: u32,
    pub end: u32,
}

/// A polyhedron prepared for casts; closed or open, convex or not.
#[derive(Debug, Clone)]
pub struct Polyhedron {
    pub(super) points: Vec<DVec3>,
    pub(super) edges: Vec<Edge>,
    pub(super) faces: Vec<Face>,
    pub(super) corners: Vec<Corner>,
    /// Points at which nothing can be met first.
    pub(super) blunt: Vec<bool>,
    /// Where each point goes when the faces around it move in by one, as nearly as one point can.
    pub(super) insets: Vec<DVec3>,
    pub(super) tree: Bvh,
    pub(super) radius: f64,
    pub(super) closed: bool,
    /// A point of each piece of the surface.
    pub(super) anchors: Vec<u32>,
    /// The solid is outside of the surface: a room.
    pub(super) inside_out: bool,
}

impl Polyhedron {
    /// A polyhedron from its points and its polygons, each a list of indices counter-clockwise seen from the free side.
    ///
    /// # Errors
    /// If a coordinate is out of range, a polygon is not convex or has no area, or three polygons meet at an edge.
    pub fn from_faces<F: AsRef<[u32]>>(points: &[Vec3], faces: &[F]) -> Result<Self, PolyhedronError> {
        check_coordinates(points)?;
        if faces.is_empty() {
            return Err(PolyhedronError::NoFaces);
        }
        let points: Vec<DVec3> = points.iter().map(|&p| widen(p)).collect();
        let radius = points.iter().map(|p| p.length()).fold(0.0, f64::max);
        let mut builder = Builder { points, radius, faces: Vec::new(), corners: Vec::new(), edges: HashMap::new() };
        for (index, face) in faces.iter().enumerate() {
            builder.add(index, face.as_ref())?;
        }
        Ok(builder.finish())
    }

    /// The number of points.
    pub fn point_count(&self) -> usize {
        self.points.len()
    }

    /// The number of edges, and how many of them are internal: concave or flat.
    pub fn edge_counts(&self) -> (usize, usize) {
        (self.edges.len(), self.edges.iter().filter(|edge| edge.internal).count())
    }

    /// The number of polygons; more than were given if some were not flat.
    pub fn face_count(&self) -> usize {
        self.faces.len()
    }

    /// Whether each edge has two polygons.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The radius of the smallest ball about the local origin that contains all points.
    pub fn bounding_radius(&self) -> Real {
        narrow_real(self.radius)
    }

    /// The corners of a polygon.
    pub fn face_points(&self, face: u32) -> impl Iterator<Item = Vec3> + '_ {
        let face = self.faces.get(face as usize).copied();
        let range = face.map_or(0..0, |face| face.start as usize..face.end as usize);
        self.corners[range].iter().map(|corner| narrow(self.points[corner.point as usize]))
    }

    pub(super) fn loop_of(&self, face: &Face) -> &[Corner] {
        &self.corners[face.start as usize..face.end as usize]
    }

    /// How far a point is inside of the polygon, across its sides; negative outside.
    pub(super) fn depth_across(&self, face: &Face, x: DVec3) -> f64 {
        let depth = |corner: &Corner| {
            let edge = &self.edges[corner.edge as usize];
            edge.into[corner.side as usize].dot(x - self.points[corner.point as usize])
        };
        self.loop_of(face).iter().map(depth).fold(f64::INFINITY, f64::min)
    }
}

impl From<&Polytope> for Polyhedron {
    fn from(polytope: &Polytope) -> Self {
        let points: Vec<DVec3> = polytope.vertices().iter().map(|&p| widen(p)).collect();
        let radius = points.iter().map(|p| p.length()).fold(0.0, f64::max);
        let mut builder = Builder { points, radius, faces: Vec::new(), corners: Vec::new(), edges: HashMap::new() };
        for face in 0..polytope.face_count() as u32 {
            let corners: Vec<u32> = polytope.face_vertices(face).collect();
            // A hull's faces are convex and each edge has two: what can be refused does not occur, and is left out if it does.
            let _ = builder.add(face as usize, &corners);
        }
        builder.finish()
    }
}

/// Where an edge is used: its two sides, as places in the list of corners.
type Sides = [Option<u32>; 2];

struct Builder {
    points: Vec<DVec3>,
    radius: f64,
    faces: Vec<Face>,
    corners: Vec<Corner>,
    edges: HashMap<[u32; 2], Sides>,
}

impl Builder {
    fn flatness(&self) -> f64 {
        widen_real(POLYGON_FLATNESS) * self.radius
    }

    /// Takes a polygon as it is if it is flat, or as triangles.
    fn add(&mut self, index: usize, corners: &[u32]) -> Result<(), PolyhedronError> {
        if corners.len() < 3 {
            return Err(PolyhedronError::ShortFace { face: index, count: corners.len() });
        }
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= self.points.len()) {
            return Err(PolyhedronError::VertexIndex { face: index, vertex, count: self.points.len() });
        }
        let normal = self.normal(corners).ok_or(PolyhedronError::NoArea { face: index })?;
        self.check_convex(index, corners, normal)?;
        let heights = || corners.iter().map(|&v| normal.dot(self.points[v as usize]));
        let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
        if high - low <= self.flatness() {
            return self.push(index, corners, normal, high);
        }
        for i in 1..corners.len() - 1 {
            let triangle = [corners[0], corners[i], corners[i + 1]];
            // A corner in line with its neighbours makes a triangle without area; its edges then stay open.
            if let Some(normal) = self.normal(&triangle) {
                let offset = triangle.map(|v| normal.dot(self.points[v as usize])).into_iter().fold(f64::MIN, f64::max);
                self.push(index, &triangle, normal, offset)?;
            }
        }
        Ok(())
    }

    /// The unit normal, from the largest triangle at the first corner.
    fn normal(&self, corners: &[u32]) -> Option<DVec3> {
        let at = |v: u32| self.points[v as usize];
        let fans = corners.windows(2).skip(1).map(|pair| triangle_normal(at(corners[0]), at(pair[0]), at(pair[1])));
        let best = fans.max_by(|a, b| a.abs().max_element().total_cmp(&b.abs().max_element()))?;
        let largest = best.abs().max_element();
        (largest > 0.0).then(|| (best / largest).normalize())
    }

    fn check_convex(&self, index: usize, corners: &[u32], normal: DVec3) -> Result<(), PolyhedronError> {
        let count = corners.len();
        for i in 0..count {
            let [a, b, c] = [i, (i + 1) % count, (i + 2) % count].map(|j| self.points[corners[j] as usize]);
            let turn = (b - a).cross(c - b).dot(normal);
            let slack = self.flatness() * ((b - a).length() + (c - b).length());
            if !(turn >= -slack) {
                return Err(PolyhedronError::NotConvex { face: index, vertex: corners[(i + 1) % count] });
            }
        }
        Ok(())
    }

    fn push(&mut self, index: usize, corners: &[u32], normal: DVec3, offset: f64) -> Result<(), PolyhedronError> {
        let start = self.corners.len() as u32;
        for (i, &from) in corners.iter().enumerate() {
            let to = corners[(i + 1) % corners.len()];
            let side = usize::from(from > to);
            let key = [from.min(to), from.max(to)];
            let sides = self.edges.entry(key).or_default();
            if from == to || sides[side].replace(self.corners.len() as u32).is_some() {
                return Err(PolyhedronError::EdgeTwice { from, to, face: index });
            }
            self.corners.push(Corner { point: from, edge: 0, side: side as u8 });
        }
        self.faces.push(Face { normal, offset, start, end: self.corners.len() as u32 });
        Ok(())
    }

    fn finish(mut self) -> Polyhedron {
        let mut owner = vec![NONE; self.corners.len()];
        for (i, face) in self.faces.iter().enumerate() {
            owner[face.start as usize..face.end as usize].fill(i as u32);
        }
        let mut keys: Vec<([u32; 2], Sides)> = self.edges.drain().collect();
        keys.sort_unstable_by_key(|(key, _)| *key);
        let mut edges = Vec::with_capacity(keys.len());
        for (ends, sides) in keys {
            for place in sides.into_iter().flatten() {
                self.corners[place as usize].edge = edges.len() as u32;
            }
            let polygons = sides.map(|place| place.map_or(NONE, |place| owner[place as usize]));
            edges.push(self.edge(ends, polygons));
        }
        let boxes: Vec<Aabb> = self.faces.iter().map(|face| self.bounds(face)).collect();
        let closed = edges.iter().all(|edge| !edge.polygons.contains(&NONE));
        let mut blunt = vec![true; self.points.len()];
        for edge in edges.iter().filter(|edge| !edge.internal) {
            edge.ends.iter().for_each(|&v| blunt[v as usize] = false);
        }
        Polyhedron {
            insets: self.insets(),
            anchors: anchors(&edges, self.points.len()),
            inside_out: closed && self.volume() < 0.0,
            tree: Bvh::from_boxes(&boxes),
            points: self.points,
            edges,
            faces: self.faces,
            corners: self.corners,
            blunt,
            radius: self.radius,
            closed,
        }
    }

    fn bounds(&self, face: &Face) -> Aabb {
        let corners = &self.corners[face.start as usize..face.end as usize];
        Aabb::from_points(corners.iter().map(|corner| narrow(self.points[corner.point as usize])))
    }

    fn edge(&self, ends: [u32; 2], polygons: [u32; 2]) -> Edge {
        let along = self.points[ends[1] as usize] - self.points[ends[0] as usize];
        let largest = along.abs().max_element();
        let along = if largest > 0.0 { (along / largest).normalize() } else { DVec3::ZERO };
        let normal = |i: usize| self.faces.get(polygons[i] as usize).map_or(DVec3::ZERO, |face| face.normal);
        let normals = [normal(0), normal(1)];
        let into = [normals[0].cross(along), -normals[1].cross(along)];
        let outset = match polygons.iter().position(|&polygon| polygon == NONE) {
            // A dangling edge is also moved out in the plane of its polygon.
            Some(open) => normals[1 - open] - into[1 - open],
            None => mitre(normals, into),
        };
        let internal = !polygons.contains(&NONE) && self.is_internal(polygons);
        Edge { ends, polygons, into, outset, internal }
    }

    /// Whether neither polygon falls below the other's plane by more than rounding.
    fn is_internal(&self, [a, b]: [u32; 2]) -> bool {
        let drop = |from: u32, below: u32| {
            let (plane, face) = (&self.faces[from as usize], &self.faces[below as usize]);
            let corners = &self.corners[face.start as usize..face.end as usize];
            let heights = corners.iter().map(|c| plane.normal.dot(self.points[c.point as usize]) - plane.offset);
            heights.fold(f64::INFINITY, f64::min)
        };
        // Folded over onto itself, the polygons of a plate without thickness: sharp, not flat.
        let folded = self.faces[a as usize].normal.dot(self.faces[b as usize].normal) < 0.0;
        let slack = 2.0 * self.flatness();
        let (first, second) = (drop(a, b), drop(b, a));
        first >= -slack && second >= -slack && !(folded && first <= slack && second <= slack)
    }

    /// Least squares of "each face around the point moves in by one".
    fn insets(&self) -> Vec<DVec3> {
        let mut sums = vec![(DMat3::ZERO, DVec3::ZERO); self.points.len()];
        for face in &self.faces {
            let n = face.normal;
            for corner in &self.corners[face.start as usize..face.end as usize] {
                let (squares, total) = &mut sums[corner.point as usize];
                *squares += DMat3::from_cols(n * n.x, n * n.y, n * n.z);
                *total += n;
            }
        }
        let solve = |(squares, total): (DMat3, DVec3)| {
            // A little of the identity settles directions that no face constrains.
            let damped = squares + DMat3::IDENTITY * f64::from(f32::EPSILON);
            let inset = -(damped.inverse() * total);
            if inset.is_finite() { inset.clamp_length_max(LONGEST_INSET) } else { DVec3::ZERO }
        };
        sums.into_iter().map(solve).collect()
    }

    /// Six times the signed volume, of which only the sign is asked.
    fn volume(&self) -> f64 {
        let scale = if self.radius > 0.0 { 1.0 / self.radius } else { 1.0 };
        let at = |corner: &Corner| self.points[corner.point as usize] * scale;
        let of = |face: &Face| {
            let corners = &self.corners[face.start as usize..face.end as usize];
            let pairs = corners.windows(2).skip(1);
            pairs.map(|pair| at(&corners[0]).dot(at(&pair[0]).cross(at(&pair[1])))).sum::<f64>()
        };
        self.faces.iter().map(of).sum()
    }
}

/// Where two planes meet that are both moved out by one; for the two sides of a plate without thickness, away from the plate.
fn mitre([a, b]: [DVec3; 2], into: [DVec3; 2]) -> DVec3 {
    let sum = a + b;
    let square = sum.length_squared();
    // |a + b|² = 2(1 + a·b), so that 2(a + b)/|a + b|² has an inner product of one with both.
    if square * (LONGEST_MITRE * LONGEST_MITRE) > 4.0 {
        return sum * (2.0 / square);
    }
    let outward = if square > f64::EPSILON { sum } else { -(into[0] + into[1]) };
    outward.normalize_or_zero() * LONGEST_MITRE
}

/// A point of each connected piece: the first of each set of points joined by edges.
fn anchors(edges: &[Edge], points: usize) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..points as u32).collect();
    let root = |parents: &mut Vec<u32>, mut v: u32| {
        while parents[v as usize] != v {
            parents[v as usize] = parents[parents[v as usize] as usize];
            v = parents[v as usize];
        }
        v
    };
    let mut used = vec![false; points];
    for edge in edges {
        let [a, b] = edge.ends.map(|v| root(&mut parents, v));
        // The smaller number becomes the root, so that paths only ever lead downwards and end.
        parents[a.max(b) as usize] = a.min(b);
        edge.ends.iter().for_each(|&v| used[v as usize] = true);
    }
    (0..points as u32).filter(|&v| used[v as usize] && parents[v as usize] == v).collect()
}
