//! A piece of a solid: what is left of it in a convex cell.
//!
//! The extreme points of a piece are vertices of the solid, points where edges of the solid pass planes of the cell, points where edges of the
//! cell pass faces of the solid, and corners of the cell inside the solid. The first three are corners of the solid's triangles cut to the
//! cell; the last are added.

use glam::DVec3;

use crate::math::{Pose, Vec3, narrow, narrow_real, widen, widen_real};
use crate::polytope::Polytope;
use crate::ray::project_on_mesh;
use crate::shape::mesh::Mesh;
use crate::tolerance::DECOMPOSED_FLAT;

/// The side of a plane where `normal · x <= offset`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Half {
    pub normal: DVec3,
    pub offset: f64,
}

impl Half {
    #[inline]
    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    pub fn flipped(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }
}

/// Triangles of a solid cut to a convex cell, and the corners of the cell that are inside the solid.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub triangles: Vec<[DVec3; 3]>,
    /// The planes of the cell.
    planes: Vec<Half>,
    inner: Vec<DVec3>,
}

impl Piece {
    /// All of a solid.
    pub fn whole(mesh: &Mesh) -> Self {
        let triangles: Vec<[DVec3; 3]> =
            (0..mesh.triangle_count() as u32).map(|nth| mesh.triangle(nth).0.map(widen)).collect();
        let [low, high] = span(triangles.iter().flatten().copied());
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let planes = axes.iter().flat_map(|&axis| {
            let outward = Half { normal: axis, offset: axis.dot(high) };
            [outward, Half { normal: -axis, offset: -axis.dot(low) }]
        });
        Self { planes: planes.collect(), triangles, inner: Vec::new() }
    }

    /// The least and the greatest coordinates of its surface and its corners.
    pub fn span(&self) -> [DVec3; 2] {
        span(self.points())
    }

    /// What is rounding in a piece of its size.
    fn flat(&self) -> f64 {
        let [low, high] = self.span();
        DECOMPOSED_FLAT * (high - low).max_element()
    }

    fn points(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.triangles.iter().flatten().chain(&self.inner).copied()
    }

    /// The part of it on one side of a plane.
    pub fn cut(&self, half: &Half, mesh: &Mesh) -> Self {
        let triangles = self.beside(half);
        let mut planes = self.planes.clone();
        planes.push(*half);
        let mut piece = Self { triangles, planes, inner: Vec::new() };
        // Corners on the surface of the solid are corners of its triangles, if it is on this side of them.
        let flat = piece.flat();
        piece.inner = piece.corners().into_iter().filter(|corner| depth(mesh, *corner) > flat).collect();
        piece
    }

    /// The surface of it on one side of a plane, for a first look: corners inside the solid are left out.
    pub fn surface_beside(&self, half: &Half) -> Vec<DVec3> {
        self.beside(half).into_iter().flatten().collect()
    }

    fn beside(&self, half: &Half) -> Vec<[DVec3; 3]> {
        let flat = self.flat();
        let mut triangles = Vec::with_capacity(self.triangles.len());
        for triangle in &self.triangles {
            clip(triangle, half, flat, &mut triangles);
        }
        triangles
    }

    /// Takes another piece in.
    pub fn add(&mut self, other: Self) {
        self.triangles.extend(other.triangles);
        self.inner.extend(other.inner);
    }

    /// Its convex hull; nothing if its points are in a plane.
    pub fn hull(&self) -> Option<Polytope> {
        hull_of(self.points())
    }

    /// The corners of the cell.
    fn corners(&self) -> Vec<DVec3> {
        let (slack, planes) = (self.flat(), &self.planes);
        let mut corners = Vec::new();
        for (i, p) in planes.iter().enumerate() {
            for (j, q) in planes.iter().enumerate().skip(i + 1) {
                let along = p.normal.cross(q.normal);
                for r in &planes[j + 1..] {
                    let volume = along.dot(r.normal);
                    if volume.abs() <= DECOMPOSED_FLAT {
                        continue;
                    }
                    let corner =
                        (q.normal.cross(r.normal) * p.offset + r.normal.cross(p.normal) * q.offset + along * r.offset)
                            / volume;
                    if planes.iter().all(|plane| plane.height(corner) <= slack) {
                        corners.push(corner);
                    }
                }
            }
        }
        corners
    }
}

/// How deep a point is in a solid.
fn depth(mesh: &Mesh, point: DVec3) -> f64 {
    -widen_real(project_on_mesh(mesh, &Pose::IDENTITY, narrow(point)).distance)
}

/// The hull of points; nothing if they have none.
pub(super) fn hull_of(points: impl Iterator<Item = DVec3>) -> Option<Polytope> {
    let mut points: Vec<Vec3> = points.map(narrow).collect();
    let key = |p: &Vec3| p.to_array().map(|x| x.to_bits());
    points.sort_unstable_by_key(key);
    points.dedup();
    let [low, high] = span(points.iter().map(|p| widen(*p)));
    // Points of cuts that are equal but for rounding would make slivers; where nothing else is left, slivers it is.
    let thin = narrow_real(DECOMPOSED_FLAT * (high - low).max_element());
    Polytope::from_points_welded(&points, thin).or_else(|_| Polytope::from_points(&points)).ok()
}

/// The least and the greatest coordinates.
pub(super) fn span(points: impl Iterator<Item = DVec3>) -> [DVec3; 2] {
    points.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], p| [low.min(p), high.max(p)])
}

/// Adds the part of a triangle on one side of a plane. A triangle in the plane is on the side where the solid is; what only touches the plane
/// from the other side is not on this one.
fn clip(triangle: &[DVec3; 3], half: &Half, flat: f64, out: &mut Vec<[DVec3; 3]>) {
    let heights =
        triangle.map(|corner| half.height(corner)).map(|height| if height.abs() <= flat { 0.0 } else { height });
    let [low, high] = [f64::min, f64::max].map(|pick| pick(pick(heights[0], heights[1]), heights[2]));
    if high <= 0.0 {
        let [a, b, c] = *triangle;
        if low < 0.0 || (b - a).cross(c - a).dot(half.normal) > 0.0 {
            out.push(*triangle);
        }
        return;
    }
    if low >= 0.0 {
        return;
    }
    let mut kept = arrayvec::ArrayVec::<DVec3, 4>::new();
    for i in 0..3 {
        let j = (i + 1) % 3;
        if heights[i] <= 0.0 {
            kept.push(triangle[i]);
        }
        if (heights[i] <= 0.0) != (heights[j] <= 0.0) {
            // From the lower end, so that an edge is cut at one place whichever triangle asks.
            let (from, to) = if heights[i] <= 0.0 { (i, j) } else { (j, i) };
            let share = heights[from] / (heights[from] - heights[to]);
            kept.push(triangle[from] + (triangle[to] - triangle[from]) * share);
        }
    }
    for next in 2..kept.len() {
        out.push([kept[0], kept[next - 1], kept[next]]);
    }
}
