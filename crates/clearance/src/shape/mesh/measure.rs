//! Volume, centroid, and the farthest point along a direction.

use glam::DVec3;

use super::Mesh;
use crate::math::{Real, Vec3, narrow, narrow_real, widen};
use crate::tolerance::BOX_ERROR;

impl Mesh {
    /// Volume and its centre about the middle of the box, so that a mesh far from the origin loses nothing.
    pub(super) fn measured(&self) -> (Real, Vec3) {
        let middle = widen(self.bounds.center());
        let (mut volume, mut moment) = (0.0, DVec3::ZERO);
        let (mut area, mut flat_moment, mut points) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for triangle in 0..self.triangles.len() as u32 {
            let [a, b, c] = self.wide_triangle(triangle).map(|p| p - middle);
            let cross = (b - a).cross(c - a);
            let six = a.dot(b.cross(c));
            volume += six;
            moment += (a + b + c) * six;
            area += cross.length();
            flat_moment += (a + b + c) * cross.length();
            points += a;
        }
        let (volume, centre) = if self.solid && volume > 0.0 {
            (volume / 6.0, moment / (4.0 * volume))
        } else if self.solid {
            (volume / 6.0, DVec3::ZERO)
        } else if area > 0.0 {
            (0.0, flat_moment / (3.0 * area))
        } else {
            (0.0, points / self.triangles.len() as f64)
        };
        (narrow_real(volume), narrow(middle + centre))
    }

    /// A vertex farthest along `direction`, and its number: that of the convex hull. Boxes that cannot reach farther than
    /// what was found are left out.
    pub fn support(&self, direction: Vec3) -> (Vec3, u32) {
        let d = widen(direction);
        let size = d.abs().dot(widen(self.bounds.max.abs().max(self.bounds.min.abs())));
        let reach = |bounds: &crate::bvh::NodeBox| {
            let [low, high] = [bounds.min(), bounds.max()].map(|p| DVec3::from_array(p.map(f64::from)));
            (d * low).max(d * high).element_sum()
        };
        let mut best = (f64::NEG_INFINITY, 0);
        self.tree.nearest(
            Real::INFINITY,
            // The nearest is the least: what a box may reach at most, negated, with room for the rounding of the product.
            |_, bounds| narrow_real(-reach(bounds) - size * BOX_ERROR).next_down(),
            |triangle, _| {
                for v in self.triangles[triangle as usize].corners {
                    let value = d.dot(self.wide(v));
                    if value > best.0 || value == best.0 && v < best.1 {
                        best = (value, v);
                    }
                }
                narrow_real(-best.0).next_up()
            },
        );
        (self.vertices[best.1 as usize], best.1)
    }
}
