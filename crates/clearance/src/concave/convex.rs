//! A mesh and a convex shape: the tree of the mesh, with each triangle a convex body against the shape.
//!
//! Distances and depths of a triangle and the shape are those of the narrow phase; the answer is the least signed distance of
//! all triangles. A shape inside a solid mesh touches no triangle: a point of it tells.

use glam::DVec3;

use super::local::Local;
use super::on_surface::nearest_on;
use crate::answer::{Contact, End, Feature};
use crate::bvh::{Frame, NodeId, OrientedBox};
use crate::math::{Pose, Real, Vec3, narrow_real, pair_size, widen, widen_real};
use crate::narrow::{self, Closest, PairCache, Witness};
use crate::shape::mesh::{Mesh, Side};
use crate::shape::{Core, Shape};
use crate::support::{Support, VertexId};
use crate::tolerance::{TOUCHING_SIGMAS, sigma};

/// Along which the ends of a shape are looked for.
const AXES: [Vec3; 6] = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z];

/// A mesh and a shape in the mesh's frame.
pub(super) struct WithConvex<'m> {
    mesh: &'m Mesh,
    shape: &'m Shape,
    /// The shape's pose in the mesh's frame.
    pose: Pose,
    frame: Frame,
    bounds: OrientedBox,
    pub sigma: Real,
}

/// The least signed distance found, with its triangle.
#[derive(Clone, Copy)]
pub(super) struct Nearest {
    pub closest: Closest,
    pub triangle: u32,
}

impl<'m> WithConvex<'m> {
    pub fn new(mesh: &'m Mesh, pose_mesh: &Pose, shape: &'m Shape, pose_shape: &Pose) -> Self {
        let pose = pose_shape.relative_to(pose_mesh);
        let frame = Frame::of(pose_shape, pose_mesh);
        let size = pair_size([mesh.bounding_radius(), shape.bounding_radius()], pose.translation());
        let bounds = OrientedBox::from_aabb(&shape.aabb(&Pose::IDENTITY));
        Self { mesh, shape, pose, frame, bounds, sigma: sigma(size) }
    }

    /// At most the signed distance of the shape and what is in a node.
    pub fn separation(&self, id: NodeId) -> f64 {
        self.mesh.oriented_boxes().get(id).separation(&self.bounds, &self.frame)
    }

    fn triangle(&self, triangle: u32) -> Shape {
        Shape::sharp(Core::Triangle(self.mesh.triangle(triangle).0))
    }

    /// The signed distance, and whether bodies only touch. Stops at the first triangle deeper than `enough`.
    pub fn closest(&self, cache: &mut PairCache, enough: Real) -> Local {
        let mut best: Option<Nearest> = None;
        let (mut least, mut tested) = (Real::INFINITY, 0);
        self.mesh.tree().nearest(
            Real::INFINITY,
            |id, _| {
                let apart = self.separation(id);
                narrow_real(apart) - self.sigma
            },
            |triangle, bound| {
                let closest = narrow::closest(&self.triangle(triangle), &Pose::IDENTITY, self.shape, &self.pose, cache);
                tested += closest.iterations.max(1);
                least = least.min(closest.lower);
                if best.is_none_or(|best| closest.distance < best.closest.distance) {
                    best = Some(Nearest { closest, triangle });
                }
                let near = best.map_or(bound, |best| best.closest.distance);
                if near < -enough { Real::NEG_INFINITY } else { near.next_up() }
            },
        );
        let answer = best.map(|found| self.answer(found, least, tested, true));
        // A mesh has at least one vertex, hence a triangle.
        answer.unwrap_or_else(|| self.nothing())
    }

    /// The answer from the nearest triangle. A shape that meets the surface is asked for its deepest point in the solid, or only whether its
    /// middle is there.
    pub fn answer(&self, found: Nearest, least: Real, tested: u32, deepest: bool) -> Local {
        let Nearest { closest, triangle } = found;
        let touching = TOUCHING_SIGMAS * self.sigma;
        let mut local = Local {
            contact: Contact::Apart,
            distance: widen_real(closest.distance),
            lower: widen_real(closest.lower.min(least)),
            upper: widen_real(closest.upper),
            points: closest.points.map(widen),
            normal: widen(closest.normal),
            features: [self.element(triangle), Feature::WHOLE],
            end: closest.end,
            iterations: tested,
        };
        let inside =
            self.inside(deepest && closest.distance <= touching).filter(|inside| inside.distance < local.distance);
        if let Some(inside) = inside {
            local = Local { iterations: tested, ..inside };
        } else if closest.distance < -touching {
            local.contact = Contact::Overlapping;
        } else if closest.distance <= self.sigma || closest.lower <= 0.0 {
            local.contact = Contact::Touching;
        }
        local
    }

    /// The first triangle that overlaps the shape, or else one that touches it; and the least separation of all others.
    pub fn overlap(&self, cache: &mut PairCache) -> (Option<Local>, Real, u32) {
        let (mut touching, mut overlapping) = (None, None);
        let (mut gap, mut tested) = (Real::INFINITY, 0);
        let done = std::cell::Cell::new(false);
        let least = std::cell::Cell::new(Real::INFINITY);
        self.mesh.tree().descend(
            |id, _| {
                let apart = self.separation(id);
                let apart = narrow_real(apart) - self.sigma;
                let far = apart > self.sigma;
                least.set(if far { least.get().min(apart) } else { least.get() });
                !far && !done.get()
            },
            |triangle| {
                if done.get() {
                    return;
                }
                let body = self.triangle(triangle);
                let answer = narrow::overlap(&body, &Pose::IDENTITY, self.shape, &self.pose, cache);
                tested += answer.iterations.max(1);
                if let Witness::Plane { offset_a, offset_b, .. } = answer.witness {
                    gap = gap.min(offset_b - offset_a);
                    return;
                }
                let closest = narrow::closest(&body, &Pose::IDENTITY, self.shape, &self.pose, cache);
                let mut found = self.answer(Nearest { closest, triangle }, closest.lower, tested, true);
                // Nearest points of bodies that overlap are points of one of them each: what both have in common is the witness.
                if let Witness::Point(common) = answer.witness {
                    found.points = [widen(common); 2];
                }
                if found.contact == Contact::Overlapping {
                    overlapping = Some(found);
                    done.set(true);
                } else if touching.is_none() {
                    touching = Some(found);
                }
            },
        );
        // Of a point inside and the nearest one on the surface, the first is in both bodies.
        let within = |local: Local| Local { points: [local.points[1]; 2], ..local };
        let found = overlapping.or(touching).or_else(|| self.inside(false).map(within));
        (found, gap.min(least.get()), tested)
    }

    fn element(&self, triangle: u32) -> Feature {
        Feature::given(0, self.mesh.given_face(triangle))
    }

    /// How deep a point of the shape is in the solid, if it is: its middle or, for a shape that meets the surface and may have no
    /// volume, the deepest of a few.
    fn inside(&self, meets: bool) -> Option<Local> {
        if !self.mesh.is_solid() {
            return None;
        }
        let ends = AXES.map(|axis| self.shape.support(axis, VertexId::NONE).point);
        // Rounding may take it out of a flat shape by a few last places, no more than the error.
        let middle = ends.iter().map(|&end| end / 6.0).sum::<Vec3>();
        let others = ends.into_iter().flat_map(|end| [end, (end + middle) / 2.0]).filter(|_| meets);
        let deep = std::iter::once(middle).chain(others).filter_map(|point| self.point_inside(point));
        deep.reduce(|deepest, other| if other.distance < deepest.distance { other } else { deepest })
    }

    fn point_inside(&self, point: Vec3) -> Option<Local> {
        let wide = widen(self.pose.point(point));
        if self.mesh.locate_wide(wide) != Side::Inside {
            return None;
        }
        let (foot, triangle) = nearest_on(self.mesh, wide)?;
        let depth = foot.distance(wide);
        if !(depth > widen_real(TOUCHING_SIGMAS * self.sigma)) {
            return None;
        }
        Some(Local {
            contact: Contact::Overlapping,
            distance: -depth,
            lower: -depth - widen_real(self.sigma),
            upper: -depth + widen_real(self.sigma),
            points: [foot, wide],
            normal: (foot - wide) / depth,
            features: [self.element(triangle), Feature::WHOLE],
            end: End::Converged,
            iterations: 0,
        })
    }

    fn nothing(&self) -> Local {
        Local {
            contact: Contact::Apart,
            distance: f64::INFINITY,
            lower: 0.0,
            upper: f64::INFINITY,
            points: [DVec3::ZERO; 2],
            normal: DVec3::X,
            features: [Feature::WHOLE; 2],
            end: End::Degenerate,
            iterations: 0,
        }
    }
}
