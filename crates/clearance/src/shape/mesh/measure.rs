//! Volume, centroid, inertia, and the farthest point along a direction.

use glam::DVec3;

use super::{Mesh, Triangle};
use crate::math::{Real, Vec3, narrow, narrow_real, widen, widen_real};
use crate::shape::mass::{MassProperties, Moments};
use crate::support::VertexId;
use crate::tolerance::{BOX_ERROR, REACH_SLACK};

impl Mesh {
    /// Volume, centre and inertia about the middle of the box, so that a mesh far from the origin loses nothing. `share` is 1 for triangles that
    /// count and 0 for those that do not.
    pub(super) fn measured(&self, share: impl Fn(&Triangle) -> f64) -> MassProperties {
        let middle = widen(self.bounds.center());
        let unit = widen_real(self.bounds.half_extents().max_element());
        let unit = if unit > 0.0 { unit } else { 1.0 };
        let mut moments = Moments::ZERO;
        let (mut area, mut flat_moment, mut points) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for triangle in &self.triangles {
            let [a, b, c] = triangle.corners.map(|v| (self.wide(v) - middle) / unit);
            let cross = (b - a).cross(c - a).length();
            moments = moments.plus_times(&Moments::tetrahedron([a, b, c]), share(triangle));
            area += cross;
            flat_moment += (a + b + c) * cross;
            points += a;
        }
        if self.solid && moments.volume > 0.0 {
            return moments.properties(middle, unit);
        }
        let centre = match area > 0.0 {
            _ if self.solid => DVec3::ZERO,
            true => flat_moment / (3.0 * area),
            false => points / self.triangles.len() as f64,
        };
        MassProperties::without_volume(narrow(middle + centre * unit))
    }

    /// At least how far the mesh reaches along a direction, and more by no more than `REACH_SLACK`: what ties with the farthest vertex
    /// found is not looked at, as all of a flat floor does seen from above.
    pub(crate) fn reach_along(&self, direction: Vec3) -> Real {
        let d = widen(direction);
        let size = d.abs().dot(widen(self.bounds.max.abs().max(self.bounds.min.abs())));
        let slack = widen_real(self.reach) * d.length() * REACH_SLACK;
        let mut most = f64::NEG_INFINITY;
        self.tree.nearest(
            Real::INFINITY,
            |_, bounds| {
                let [low, high] = [bounds.min(), bounds.max()].map(|p| DVec3::from_array(p.map(f64::from)));
                narrow_real(-(d * low).max(d * high).element_sum() - size * BOX_ERROR).next_down()
            },
            |triangle, _| {
                let values = self.wide_triangle(triangle).map(|p| d.dot(p));
                most = values.into_iter().fold(most, f64::max);
                narrow_real(-(most + slack))
            },
        );
        narrow_real(most + slack).next_up()
    }

    /// A vertex farthest along `direction`, and its number: that of the convex hull. Boxes that cannot reach farther than
    /// what was found are left out.
    pub fn support(&self, direction: Vec3) -> (Vec3, u32) {
        self.support_from(direction, &mut VertexId::default())
    }

    /// The same. `hint` is the number of a triangle that may reach about as far, and becomes that of one that does.
    pub(crate) fn support_from(&self, direction: Vec3, hint: &mut VertexId) -> (Vec3, u32) {
        let d = widen(direction);
        let size = d.abs().dot(widen(self.bounds.max.abs().max(self.bounds.min.abs())));
        let reach = |bounds: &crate::bvh::NodeBox| {
            let [low, high] = [bounds.min(), bounds.max()].map(|p| DVec3::from_array(p.map(f64::from)));
            (d * low).max(d * high).element_sum()
        };
        let known = Some(hint.index()).filter(|&known| known < self.triangles.len());
        let mut best = (f64::NEG_INFINITY, 0);
        let mut offer = |triangle: u32| {
            for v in self.triangles[triangle as usize].corners {
                let value = d.dot(self.wide(v));
                if value > best.0 || value == best.0 && v < best.1 {
                    (best, *hint) = ((value, v), VertexId(triangle));
                }
            }
            narrow_real(-best.0).next_up()
        };
        let bound = known.map_or(Real::INFINITY, |known| offer(known as u32));
        self.tree.nearest(
            bound,
            // The nearest is the least: what a box may reach at most, negated, with room for the rounding of the product.
            |_, bounds| narrow_real(-reach(bounds) - size * BOX_ERROR).next_down(),
            |triangle, _| offer(triangle),
        );
        (self.vertices[best.1 as usize], best.1)
    }
}
