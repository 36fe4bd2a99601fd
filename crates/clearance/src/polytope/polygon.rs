//! Flat convex polygons: what a cloud in one plane is the hull of.

use glam::DVec3;

use super::PolytopeError;
use super::build::check_coordinates;
use super::measure::{unit, vector_area};
use crate::math::predicates::collinear;
use crate::math::{Plane, Real, Vec3, length, narrow, narrow_real, widen};
use crate::support::{Support, SupportPoint, VertexId};
use crate::tolerance::GIVEN_FACE_FLATNESS;

/// A flat convex polygon in space, without thickness.
#[derive(Debug, Clone)]
pub struct Polygon {
    points: Box<[Vec3]>,
    plane: Plane,
    centroid: Vec3,
    bounding_radius: Real,
}

impl Polygon {
    /// The convex hull of points in one plane (to within 1e-6 of their size).
    ///
    /// # Errors
    /// If a coordinate is not finite or out of range, the points are on a line, or not in one plane.
    pub fn from_points(points: &[Vec3]) -> Result<Self, PolytopeError> {
        let count = points.len();
        if count < 3 {
            return Err(PolytopeError::TooFewPoints { count, needed: 3 });
        }
        check_coordinates(points)?;
        let wide: Vec<DVec3> = points.iter().map(|&p| widen(p)).collect();
        let normal = spanned_normal(&wide)?;
        let size = wide.iter().map(|&p| (p - wide[0]).abs().max_element()).fold(0.0, f64::max);
        for (index, &p) in wide.iter().enumerate() {
            let off = normal.dot(p - wide[0]).abs();
            if off > GIVEN_FACE_FLATNESS * size {
                return Err(PolytopeError::NotPlanar { index, off: narrow_real(off) });
            }
        }
        let corners = planar_hull(&wide, normal);
        if corners.len() < 3 {
            return Err(PolytopeError::Collinear { count });
        }
        let centroid = narrow(centroid(&corners.iter().map(|&i| wide[i]).collect::<Vec<_>>()));
        let points: Box<[Vec3]> = corners.iter().map(|&i| points[i]).collect();
        let normal = narrow(unit(vector_area(corners.iter().map(|&i| wide[i]))));
        let offset = normal.dot(centroid);
        let bounding_radius = points.iter().map(|&p| length(p)).fold(0.0, Real::max);
        Ok(Self { points, plane: Plane { normal, offset }, centroid, bounding_radius })
    }

    /// The corners, counter-clockwise seen from where the normal points.
    pub fn vertices(&self) -> &[Vec3] {
        &self.points
    }

    /// Its plane.
    pub fn plane(&self) -> Plane {
        self.plane
    }

    /// The centre of its area.
    pub fn centroid(&self) -> Vec3 {
        self.centroid
    }

    /// The radius of the smallest ball about the local origin that contains it.
    pub fn bounding_radius(&self) -> Real {
        self.bounding_radius
    }
}

impl Support for Polygon {
    #[inline]
    fn support(&self, direction: Vec3, _hint: VertexId) -> SupportPoint {
        let (mut best, mut best_value) = (0, Real::NEG_INFINITY);
        for (i, p) in self.points.iter().enumerate() {
            let value = p.dot(direction);
            if value > best_value {
                (best, best_value) = (i, value);
            }
        }
        SupportPoint { point: self.points[best], vertex: VertexId(best as u32) }
    }

    fn vertex(&self, id: VertexId) -> Option<Vec3> {
        self.points.get(id.index()).copied()
    }
}

/// The normal of the widest triangle found with the first point and the one farthest from it.
fn spanned_normal(points: &[DVec3]) -> Result<DVec3, PolytopeError> {
    let count = points.len();
    let a = points[0];
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        points.iter().copied().max_by(|&p, &q| measure(p).total_cmp(&measure(q))).unwrap_or(a)
    };
    let b = farthest(&|p| (p - a).abs().max_element());
    if a == b {
        return Err(PolytopeError::Coincident { count });
    }
    let along = unit(b - a);
    let c = farthest(&|p| along.cross(p - a).abs().max_element());
    if collinear(a, b, c) {
        return Err(PolytopeError::Collinear { count });
    }
    Ok(unit(crate::math::exact::triangle_normal(a, b, c)))
}

/// Andrew's monotone chain in the coordinate plane most nearly parallel to the polygon, counter-clockwise about the normal.
fn planar_hull(points: &[DVec3], normal: DVec3) -> Vec<usize> {
    let magnitude = normal.abs();
    let flatten: fn(DVec3) -> (f64, f64) = if magnitude.z >= magnitude.x && magnitude.z >= magnitude.y {
        |p| (p.x, p.y)
    } else if magnitude.y >= magnitude.x {
        |p| (p.z, p.x)
    } else {
        |p| (p.y, p.z)
    };
    let upward =
        normal.to_array()[magnitude.to_array().iter().position(|&m| m == magnitude.max_element()).unwrap_or(2)] > 0.0;
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&i, &j| flatten(points[i]).partial_cmp(&flatten(points[j])).unwrap_or(std::cmp::Ordering::Equal));
    let turns_left = |i: usize, j: usize, k: usize| {
        let [a, b, c] = [i, j, k].map(|v| {
            let (x, y) = flatten(points[v]);
            robust::Coord { x, y }
        });
        robust::orient2d(a, b, c) > 0.0
    };
    let half = |order: &mut dyn Iterator<Item = usize>| {
        let mut chain: Vec<usize> = Vec::new();
        for next in order {
            while chain.len() >= 2 && !turns_left(chain[chain.len() - 2], chain[chain.len() - 1], next) {
                chain.pop();
            }
            chain.push(next);
        }
        chain.pop();
        chain
    };
    let mut corners = half(&mut order.iter().copied());
    corners.extend(half(&mut order.iter().rev().copied()));
    if !upward {
        corners.reverse();
    }
    corners
}

/// The centre of area of a flat polygon.
fn centroid(corners: &[DVec3]) -> DVec3 {
    let first = corners[0];
    let (mut area, mut moment) = (0.0, DVec3::ZERO);
    // Of unit length, so that moments of the smallest polygons do not underflow.
    let whole = unit(vector_area(corners.iter().copied()));
    for fan in corners[1..].windows(2) {
        let part = crate::math::exact::triangle_normal(first, fan[0], fan[1]).dot(whole);
        area += part;
        moment += part * ((fan[0] - first) + (fan[1] - first));
    }
    let centroid = first + moment / (3.0 * area);
    if centroid.is_finite() { centroid } else { first }
}
