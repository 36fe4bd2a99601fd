//! A closed surface of triangles along the axes of the world, with a tree over them.

use std::collections::HashMap;

use glam::DVec3;

use crate::bvh::{Bvh, NodeBox};
use crate::math::triangle::{Prepared, foot};
use crate::math::{Aabb, Pose, Real, Vec3, narrow, widen, widen_real};
use crate::polytope::Polytope;
use crate::shape::mesh::Mesh;
use crate::shape::{Core, Shape};
use crate::support::{Support, VertexId};
use crate::tolerance::INSCRIBED_WELD;

/// Rings of directions between the poles whose supports are the corners of a polyhedron inscribed in a curved shape.
const RINGS: usize = 24;

/// A closed surface, its edges and how much is inside.
pub(super) struct Surface {
    pub points: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    /// The edges of each triangle: from each corner to the next.
    pub sides: Vec<[u32; 3]>,
    /// Each edge from its lower vertex to its higher one.
    pub edges: Vec<[u32; 2]>,
    pub tree: Bvh,
    pub bounds: [DVec3; 2],
    pub volume: f64,
    pub area: f64,
    /// The volume that an inscribed polyhedron lacks of its curved body.
    pub missing: f64,
}

impl Surface {
    /// A solid mesh; nothing if it is none.
    pub fn of_mesh(mesh: &Mesh, place: &Place) -> Option<Self> {
        if !mesh.is_solid() {
            return None;
        }
        let points = mesh.vertices().iter().map(|v| place.of(widen(*v))).collect();
        let triangles = (0..mesh.triangle_count() as u32).map(|t| mesh.triangle_corners(t)).collect();
        Some(Self::new(points, triangles, 0.0))
    }

    /// A convex shape: its own faces, or those of a polyhedron inscribed in it. Nothing if it has no volume.
    pub fn of_convex(shape: &Shape, place: &Place) -> Option<Self> {
        let inscribed;
        let polytope = match shape.core() {
            Core::Polytope(polytope) if shape.radius() == 0.0 => polytope,
            _ => {
                let corners: Vec<Vec3> = directions().map(|d| shape.support(d, VertexId::NONE).point).collect();
                // Supports along directions that differ by little are one corner.
                inscribed = Polytope::from_points_welded(&corners, INSCRIBED_WELD * shape.bounding_radius()).ok()?;
                &inscribed
            }
        };
        let mut triangles = Vec::new();
        for face in 0..polytope.face_count() as u32 {
            let corners: Vec<u32> = polytope.face_vertices(face).collect();
            triangles.extend(corners[1..].windows(2).map(|next| [corners[0], next[0], next[1]]));
        }
        let points = polytope.vertices().iter().map(|v| place.of(widen(*v))).collect();
        let has_flat_faces = shape.radius() == 0.0 && matches!(shape.core(), Core::Polytope(_) | Core::Cuboid { .. });
        Some(Self::new(
            points,
            triangles,
            if has_flat_faces { 0.0 } else { widen_real(shape.mass_properties().volume) },
        ))
    }

    /// A surface whose body has at least the volume given.
    fn new(points: Vec<DVec3>, triangles: Vec<[u32; 3]>, volume: f64) -> Self {
        let mut numbers = HashMap::new();
        let mut edges = Vec::new();
        let mut number = |v: u32, w: u32| {
            let ends = [v.min(w), v.max(w)];
            *numbers.entry(ends).or_insert_with(|| {
                edges.push(ends);
                edges.len() as u32 - 1
            })
        };
        let sides = triangles.iter().map(|&[a, b, c]| [number(a, b), number(b, c), number(c, a)]).collect();
        let mut surface = Self {
            tree: Bvh::new(),
            bounds: span(&points),
            volume: 0.0,
            area: 0.0,
            missing: 0.0,
            points,
            triangles,
            sides,
            edges,
        };
        let middle = (surface.bounds[0] + surface.bounds[1]) * 0.5;
        for [a, b, c] in surface.triangles.iter().map(|corners| corners.map(|v| surface.points[v as usize] - middle)) {
            surface.volume += a.dot(b.cross(c)) / 6.0;
            surface.area += (b - a).cross(c - a).length() * 0.5;
        }
        surface.missing = (volume - surface.volume).max(0.0);
        surface.tree = surface.boxes();
        surface
    }

    fn boxes(&self) -> Bvh {
        let boxes = self.triangles.iter().enumerate().map(|(i, corners)| {
            (i as u32, NodeBox::enclosing(&outwards(span(&corners.map(|v| self.points[v as usize])))))
        });
        let mut tree = Bvh::new();
        tree.build(boxes);
        tree
    }

    /// The volume of the body, at most.
    pub fn most_volume(&self) -> f64 {
        self.volume + self.missing
    }

    /// The same surface elsewhere.
    pub fn moved(&self, by: DVec3) -> std::borrow::Cow<'_, Self> {
        if by == DVec3::ZERO {
            return std::borrow::Cow::Borrowed(self);
        }
        let mut moved = self.clone();
        moved.points.iter_mut().for_each(|p| *p += by);
        moved.bounds = self.bounds.map(|p| p + by);
        moved.tree = moved.boxes();
        std::borrow::Cow::Owned(moved)
    }

    /// Whether a vertex on the given side of another solid is farther from its surface than a distance.
    pub fn has_vertex_off(&self, other: &Self, sides: &[bool], inside: bool, distance: f64) -> bool {
        let mut on_side = self.points.iter().zip(sides).filter(|(_, side)| **side == inside);
        on_side.any(|(point, _)| !other.is_near(*point, distance))
    }

    /// Whether a point is no farther from the surface than a distance.
    fn is_near(&self, point: DVec3, distance: f64) -> bool {
        let reach = DVec3::splat(distance);
        let around = NodeBox::enclosing(&outwards([point - reach, point + reach]));
        let mut near = false;
        self.tree.overlapping(&around, |triangle| {
            near |= foot(&Prepared::new(self.corners(triangle)), point).distance(point) <= distance;
        });
        near
    }

    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|v| self.points[v as usize])
    }

    pub fn ends(&self, edge: u32) -> [DVec3; 2] {
        self.edges[edge as usize].map(|v| self.points[v as usize])
    }
}

impl Clone for Surface {
    fn clone(&self) -> Self {
        Self {
            points: self.points.clone(),
            triangles: self.triangles.clone(),
            sides: self.sides.clone(),
            edges: self.edges.clone(),
            tree: self.tree.clone(),
            ..*self
        }
    }
}

/// Where a body is, in f64. Bodies that are turned alike have their vertices turned alike to the last digit, so that what is flush stays so.
pub(super) struct Place {
    axes: [DVec3; 3],
    origin: DVec3,
}

impl Place {
    /// The place of a pose, seen from a point.
    pub fn new(pose: &Pose, from: DVec3) -> Self {
        let turn = pose.matrix();
        Self { axes: [turn.x_axis, turn.y_axis, turn.z_axis].map(widen), origin: widen(pose.translation()) - from }
    }

    /// That of a part which has a pose of its own.
    pub fn with(&self, own: &Pose) -> Self {
        let turn = own.matrix();
        let turned = |v: DVec3| self.axes[0] * v.x + self.axes[1] * v.y + self.axes[2] * v.z;
        Self {
            axes: [turn.x_axis, turn.y_axis, turn.z_axis].map(|axis| turned(widen(axis))),
            origin: self.of(widen(own.translation())),
        }
    }

    fn of(&self, v: DVec3) -> DVec3 {
        self.axes[0] * v.x + self.axes[1] * v.y + self.axes[2] * v.z + self.origin
    }
}

/// A box in the library's precision around one in f64.
fn outwards([low, high]: [DVec3; 2]) -> Aabb {
    let [down, up] = [Real::next_down, Real::next_up];
    Aabb {
        min: Vec3::from_array(narrow(low).to_array().map(down)),
        max: Vec3::from_array(narrow(high).to_array().map(up)),
    }
}

/// The least and the greatest coordinates.
fn span(points: &[DVec3]) -> [DVec3; 2] {
    points.iter().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], p| [low.min(*p), high.max(*p)])
}

/// Directions all around: those to the corners of a box, the axes, and rings about z.
fn directions() -> impl Iterator<Item = Vec3> {
    let corner = |i: i32| {
        let sign = |bit: i32| if i >> bit & 1 == 0 { 1.0 } else { -1.0 };
        Vec3::new(sign(0), sign(1), sign(2))
    };
    let ring = |i: usize| {
        let (ring, step) = (i / (2 * RINGS), i % (2 * RINGS));
        let angle = |share: usize| std::f64::consts::PI * share as f64 / RINGS as f64;
        let ((up, out), (across, along)) = (angle(ring).sin_cos(), angle(step).sin_cos());
        narrow(DVec3::new(up * along, up * across, out))
    };
    (0..8).map(corner).chain((0..=RINGS).flat_map(move |r| (0..2 * RINGS).map(move |s| ring(r * 2 * RINGS + s))))
}
