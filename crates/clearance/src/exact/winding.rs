//! How often a surface winds around a rational point: signed crossings of a ray, in integers.
//!
//! A ray that meets the border of a triangle, or runs in its plane, says nothing; another direction is taken. The directions are
//! (1, k, k²), of which no plane contains more than two: one of them is good after at most twice as many as there are edges.

use glam::DVec3;

use super::solid::Solid;
use super::vector::{Int3, Rational3};
use crate::bvh::RayPath;
use crate::math::integer::Int;
use crate::tolerance::EXACT_ROUGHNESS;

/// More than the distance of any two points whose coordinates are at most one.
const WIDEST: f64 = 8.0;

/// A side of a plane: its normal, and whether the side is where the normal points (1) or behind (−1).
pub(super) type Side<'n> = (&'n Int3, i32);

/// How often the surface winds around the point; nothing if the point is on it. With a side, around a point that is infinitesimally
/// beside the given one: all triangles through it are passed over.
pub(super) fn winding(body: &Solid, point: &Rational3, scale: u64, side: Option<Side<'_>>) -> Option<i32> {
    let rough = point.rough(scale);
    let mut k = 3;
    loop {
        let mut direction = Int3([1, k, k * k].map(Int::from));
        let mut about = DVec3::new(1.0 / (k * k) as f64, 1.0 / k as f64, 1.0);
        k += 1;
        if let Some((normal, sign)) = side {
            let along = normal.dot(&direction).sign();
            if along == 0 {
                continue;
            }
            if along != sign {
                (direction, about) = (direction.negative(), -about);
            }
        }
        let ray = Ray { from: point, rough, direction, about, beside: side.is_some() };
        match ray.crossings(body) {
            Crossings::Count(count) => return Some(count),
            Crossings::OnSurface => return None,
            Crossings::Degenerate => {}
        }
    }
}

struct Ray<'p> {
    from: &'p Rational3,
    rough: DVec3,
    direction: Int3,
    about: DVec3,
    /// Whether triangles through the start are passed over.
    beside: bool,
}

enum Crossings {
    Count(i32),
    OnSurface,
    Degenerate,
}

enum Hit {
    Miss,
    /// 1 out of the surface, −1 into it.
    Through(i32),
    Start,
    Degenerate,
}

impl Ray<'_> {
    fn crossings(&self, body: &Solid) -> Crossings {
        let tree = body.tree();
        // Coordinates are at most one, and the path is as rough as they are.
        let Some(path) = RayPath::new(tree, self.rough, self.about, WIDEST, EXACT_ROUGHNESS) else {
            return Crossings::Count(0);
        };
        let mut found = Crossings::Count(0);
        tree.along_ray(&path, f32::INFINITY, |triangle, _| {
            if self.surely_misses(body.rough_corners(triangle)) {
                return f32::INFINITY;
            }
            match (self.hit(body.corners(triangle)), &mut found) {
                (Hit::Through(way), Crossings::Count(count)) => *count += way,
                (Hit::Start, found) if !self.beside => *found = Crossings::OnSurface,
                (Hit::Degenerate, found) => *found = Crossings::Degenerate,
                _ => {}
            }
            if matches!(found, Crossings::Count(_)) { f32::INFINITY } else { f32::NEG_INFINITY }
        });
        found
    }

    /// Whether the line of the ray passes beside the triangle by more than rounding.
    fn surely_misses(&self, corners: [DVec3; 3]) -> bool {
        let [a, b, c] = corners.map(|p| p - self.rough);
        let turns = [a.cross(b), b.cross(c), c.cross(a)].map(|normal| normal.dot(self.about));
        turns.iter().any(|&t| t > EXACT_ROUGHNESS) && turns.iter().any(|&t| t < -EXACT_ROUGHNESS)
    }

    fn hit(&self, corners: [&Int3; 3]) -> Hit {
        let [a, b, c] = corners.map(|p| p.times(&self.from.under).minus(&self.from.over));
        let around = [a.cross(&b), b.cross(&c), c.cross(&a)];
        let turns = [0, 1, 2].map(|i: usize| self.direction.dot(&around[i]).sign());
        if turns.contains(&1) && turns.contains(&-1) {
            return Hit::Miss;
        }
        let normal = corners[1].minus(corners[0]).cross(&corners[2].minus(corners[0]));
        if normal.is_zero() {
            // Its edges are those of triangles with an area.
            return Hit::Miss;
        }
        let (height, along) = (normal.dot(&a).sign(), normal.dot(&self.direction).sign());
        match (height, along) {
            (0, _) => {
                let inside = around.iter().all(|turn| normal.dot(turn).sign() >= 0);
                match (inside, along) {
                    (true, 0) if self.beside => Hit::Degenerate,
                    (true, _) => Hit::Start,
                    (false, 0) => Hit::Degenerate,
                    (false, _) => Hit::Miss,
                }
            }
            // Beside the plane, or behind the start.
            _ if along != height => Hit::Miss,
            _ if turns.contains(&0) => Hit::Degenerate,
            _ => Hit::Through(along),
        }
    }
}
