//! The contacts of a mesh and a convex shape, triangle by triangle.
//!
//! Usually from the list of the triangles near the shape; a shape with too many near it by the tree. The direction of a contact is
//! that in which triangle and shape are nearest or come apart soonest (boxes in closed form, other shapes by the narrow phase), if
//! the surface ends there along it, otherwise the normal of the face.

use glam::DVec3;

use super::block::Block;
use super::found::{Found, Limits, REGION_POINTS};
use super::nearby::{Close, Nearby, Room};
use crate::answer::{Contact, Feature, Manifold};
use crate::concave::convex::{Nearest, WithConvex};
use crate::concave::meeting::BodyCache;
use crate::concave::pieces::Piece;
use crate::concave::surfaces::CONTACT_PAIRS;
use crate::manifold::{ManifoldOptions, along};
use crate::math::{Aabb, Pose, Real, Vec3, narrow, narrow_real, widen, widen_real};
use crate::narrow::{Closest, End, PairCache, closest};
use crate::shape::mesh::Mesh;
use crate::shape::{Core, Shape};
use crate::support::{Support, VertexId};
use crate::tolerance::EDGE_WEDGE;

/// A mesh and a shape, with what is near the shape.
pub(super) struct Shaped<'m> {
    mesh: &'m Mesh,
    pose_mesh: &'m Pose,
    shape: &'m Shape,
    pose_shape: &'m Pose,
    /// The shape's pose in the frame of the mesh, and its box there.
    pose: Pose,
    bounds: Aabb,
    block: Option<Block>,
    nearby: Option<Nearby<'m>>,
    /// Which of the two bodies of the pair the mesh is: 0 for A, 1 for B.
    side: usize,
}

const NOWHERE: [Feature; 2] = [Feature::WHOLE; 2];

impl<'m> Shaped<'m> {
    /// A mesh and a shape, in either order, with the triangles within a distance of the shape gathered, if they are not too many;
    /// nothing if the pieces are others.
    pub fn of_pieces(
        pieces: [Piece<'m>; 2],
        [pose_a, pose_b]: [&'m Pose; 2],
        reach: Real,
        room: &'m mut Room,
    ) -> Option<Self> {
        let (mesh, pose_mesh, shape, pose_shape, side) = match pieces {
            [Piece::Mesh(mesh), Piece::Convex(shape, _)] => (mesh, pose_a, shape, pose_b, 0),
            [Piece::Convex(shape, _), Piece::Mesh(mesh)] => (mesh, pose_b, shape, pose_a, 1),
            _ => return None,
        };
        let pose = pose_shape.relative_to(pose_mesh);
        let bounds = shape.aabb(&pose);
        let grown = Aabb { min: bounds.min - Vec3::splat(reach), max: bounds.max + Vec3::splat(reach) };
        let nearby = Nearby::gather(mesh, &grown, room);
        let block = Block::of(shape, &pose);
        Some(Self { mesh, pose_mesh, shape, pose_shape, pose, bounds, block, nearby, side })
    }

    /// Which of the two bodies the mesh is: 0 for A, 1 for B.
    pub fn mesh_side(&self) -> usize {
        self.side
    }

    /// The signed distance of the pair, if it can be told from what is near; farther than that, any distance that
    /// is. `lower` is that of the shape and the surface near it.
    pub fn closest(&self, cache: &mut BodyCache, reach: Real) -> Option<Closest> {
        let nearby = self.nearby.as_ref()?;
        if nearby.list.is_empty() && self.mesh.is_solid() {
            return None;
        }
        let pair = WithConvex::new(self.mesh, self.pose_mesh, self.shape, self.pose_shape);
        let slop = widen_real(pair.sigma);
        let known = cache.triangles.map(|triangles| triangles[self.side]);
        let first = nearby.list.iter().position(|close| Some(close.triangle) == known).unwrap_or(0);
        let order = std::iter::once(first).chain((0..nearby.list.len()).filter(|&i| i != first));
        let (mut best, mut least): (Option<Nearest>, _) = (None, Real::INFINITY);
        for close in order.filter_map(|i| nearby.list.get(i)) {
            let bound = narrow_real(self.plane_bound(close) - slop);
            if best.is_some_and(|best| bound >= best.closest.distance - 2.0 * pair.sigma) {
                least = least.min(bound);
                continue;
            }
            // What is farther than the best does not have to be known better than that.
            let reach = best.map_or(reach, |best| Real::min(reach, best.closest.distance));
            let wanted = best.map_or(Real::INFINITY, |best| best.closest.distance);
            let near = self.near_if(close, slop, widen_real(reach), widen_real(wanted), &mut cache.convex);
            least = least.min(near.lower);
            if best.is_none_or(|best| near.distance < best.closest.distance) {
                best = Some(Nearest { closest: near, triangle: close.triangle });
            }
        }
        let found = best?;
        let triangles = cache.triangles.get_or_insert([0; 2]);
        triangles[self.side] = found.triangle;
        let local = pair.answer(found, least, nearby.list.len() as u32);
        let mut near = local.in_the_world(self.pose_mesh, pair.sigma);
        if near.distance < 0.0 {
            near.lower = narrow_real(self.local_lower(nearby, &near)) - 2.0 * pair.sigma;
        }
        Some(if self.side == 0 { near } else { swapped(near) })
    }

    /// By how much the shape and the surface near it overlap along the normal or an axis of the mesh, negated: the least of these.
    fn local_lower(&self, nearby: &Nearby, near: &Closest) -> f64 {
        let normal = widen(self.pose_mesh.direction_to_local(near.normal));
        let support = self.shape.support(self.pose.direction_to_local(narrow(-normal)), VertexId::NONE).point;
        let along_normal = normal.dot(widen(self.pose.point(support))) - nearby.span(normal)[1];
        let (low, high) = (widen(self.bounds.min), widen(self.bounds.max));
        let gap = |axis: usize| {
            let [least, most] = nearby.span(DVec3::AXES[axis]);
            f64::max(low[axis] - most, least - high[axis])
        };
        let best = (0..3).map(gap).fold(along_normal, f64::max);
        best.min(widen_real(near.distance))
    }

    /// At most the signed distance of a triangle and the shape: their gap along the normal of the triangle.
    fn plane_bound(&self, close: &Close) -> f64 {
        let unit = close.unit;
        let height = unit.dot(close.face.corners[0]);
        let [low, high] = match &self.block {
            Some(block) => block.span(unit),
            None => {
                let reach = |d: DVec3| {
                    let p = self.shape.support(self.pose.direction_to_local(narrow(d)), VertexId::NONE).point;
                    unit.dot(widen(self.pose.point(p)))
                };
                [reach(-unit), reach(unit)]
            }
        };
        f64::max(low - height, height - high)
    }

    /// The signed distance of a triangle and the shape, in the frame of the mesh; of those farther apart than `reach` a lower bound.
    fn near(&self, close: &Close, slop: f64, reach: f64, cache: &mut PairCache) -> Closest {
        self.near_if(close, slop, reach, f64::INFINITY, cache)
    }

    /// The same, without the points if the distance is not below the one that is wanted.
    fn near_if(&self, close: &Close, slop: f64, reach: f64, wanted: f64, cache: &mut PairCache) -> Closest {
        if let Some(block) = &self.block {
            let near = along_axis(block, close, slop, reach, wanted);
            if !(near.distance > 0.0 && widen_real(near.distance) <= reach) {
                return near;
            }
        }
        let face = Shape::sharp(Core::Triangle(self.mesh.triangle(close.triangle).0));
        closest(&face, &Pose::IDENTITY, self.shape, &self.pose, cache)
    }

    /// The contacts of a box and a triangle along the axis of their largest gap, if there are any.
    fn cut_along_axis(
        &self,
        block: &Block,
        near: &Closest,
        close: &Close,
        limits: &Limits,
        add: &mut impl FnMut(Found),
    ) -> bool {
        let mut count = 0;
        self.cut(block, close, widen(near.normal), limits, &mut |found| {
            count += 1;
            add(found);
        });
        count > 0
    }

    /// Gives every contact, from the mesh to the shape in world space, with its face.
    pub fn contacts(&self, limits: &Limits, end: &mut End, mut add: impl FnMut(Found, u32)) {
        let mut cache = PairCache::default();
        if let Some(nearby) = &self.nearby {
            for close in nearby.list {
                if self.plane_bound(close) <= limits.margin + limits.slop {
                    let add = &mut |found| add(found, self.mesh.given_face(close.triangle));
                    self.triangle(close, limits, &mut cache, &|p, d| nearby.ends(p, d, limits.slop), add);
                }
            }
            return;
        }
        let pair = WithConvex::new(self.mesh, self.pose_mesh, self.shape, self.pose_shape);
        let tested = std::cell::Cell::new(0);
        self.mesh.tree().descend(
            |id, _| tested.get() <= CONTACT_PAIRS && pair.separation(id) <= limits.margin + limits.slop,
            |triangle| {
                tested.set(tested.get() + 1);
                let close = Close::new(self.mesh, triangle);
                let ends = |p: DVec3, d: DVec3| {
                    let at = Aabb { min: narrow(p), max: narrow(p) };
                    let slop = Vec3::splat(narrow_real(limits.slop * 2.0));
                    let mut room = Room::new();
                    let grown = Aabb { min: at.min - slop, max: at.max + slop };
                    let around = Nearby::gather(self.mesh, &grown, &mut room);
                    around.is_some_and(|around| around.ends(p, d, limits.slop))
                };
                let add = &mut |found| add(found, self.mesh.given_face(triangle));
                self.triangle(&close, limits, &mut cache, &ends, add);
            },
        );
        if tested.get() > CONTACT_PAIRS {
            *end = End::IterationLimit;
        }
    }

    fn triangle(
        &self,
        close: &Close,
        limits: &Limits,
        cache: &mut PairCache,
        ends: &impl Fn(DVec3, DVec3) -> bool,
        add: &mut impl FnMut(Found),
    ) {
        if let Some(block) = &self.block
            && self.mesh.surroundings(close.triangle).are_internal()
        {
            // Around such a triangle the surface is flat or concave: it ends along its normal alone.
            let out = self.outward(close);
            self.cut(block, close, out, limits, add);
            return;
        }
        let Some((near, ending)) = self.direction(close, limits, cache, ends, add) else {
            return;
        };
        let face = Shape::sharp(Core::Triangle(self.mesh.triangle(close.triangle).0));
        if ending {
            return self.give(&face, &near, true, limits, add);
        }
        // The way out leads along the surface: what counts is how deep the shape is behind the face.
        if close.unit == DVec3::ZERO {
            return;
        }
        let out = narrow(self.outward(close));
        let reach = self.shape.support(self.pose.direction_to_local(-out), VertexId::NONE).point;
        let (on_b, corner) = (self.pose.point(reach), narrow(close.face.corners[0]));
        let distance = (on_b - corner).dot(out);
        if limits.accepts(-widen_real(distance)) {
            if let Some(block) = &self.block
                && self.cut(block, close, widen(out), limits, add)
            {
                return;
            }
            let over = Closest { distance, points: [on_b - out * distance, on_b], normal: out, ..near };
            self.give(&face, &over, false, limits, add);
        }
    }

    /// The nearest points of a triangle and the shape, and whether the surface ends there along their direction; nothing if they are
    /// too far apart, or a box whose contacts were given already.
    fn direction(
        &self,
        close: &Close,
        limits: &Limits,
        cache: &mut PairCache,
        ends: &impl Fn(DVec3, DVec3) -> bool,
        add: &mut impl FnMut(Found),
    ) -> Option<(Closest, bool)> {
        let reach = limits.margin + limits.slop;
        if let Some(block) = &self.block {
            let near = along_axis(block, close, limits.slop, reach, reach);
            if widen_real(near.distance) > reach {
                return None;
            }
            // Along the normal of the face contacts are the same whether the surface ends there or not.
            let normal = widen(near.normal);
            let is_face = normal.dot(self.outward(close)) >= 1.0 - EDGE_WEDGE * EDGE_WEDGE;
            let ending = is_face || ends(widen(near.points[0]), normal);
            if ending && self.cut_along_axis(block, &near, close, limits, add) || is_face && near.distance <= 0.0 {
                return None;
            }
            if near.distance <= 0.0 {
                return Some((near, ending));
            }
        }
        let near = self.near(close, limits.slop, reach, cache);
        if !limits.accepts(-widen_real(near.distance)) && !(near.distance < 0.0) {
            return None;
        }
        let ending = ends(widen(near.points[0]), widen(near.normal));
        Some((near, ending))
    }

    /// The contacts of a box along a direction, if one of the two has a face across it.
    fn cut(&self, block: &Block, close: &Close, d: DVec3, limits: &Limits, add: &mut impl FnMut(Found)) -> bool {
        let around = self.mesh.surroundings(close.triangle);
        let normal = self.to_world(d);
        block.cut(close, around, d, limits.slop, &mut |on_a, depth| {
            let on_a = self.to_world(on_a) + widen(self.pose_mesh.translation());
            add(Found { on_a, normal, depth, features: NOWHERE });
        })
    }

    /// A direction of the mesh in the world.
    fn to_world(&self, d: DVec3) -> DVec3 {
        let turn = self.pose_mesh.matrix();
        widen(turn.x_axis) * d.x + widen(turn.y_axis) * d.y + widen(turn.z_axis) * d.z
    }

    /// The direction out of the solid, or to the side of the surface that the shape is on.
    fn outward(&self, close: &Close) -> DVec3 {
        let over = close.unit.dot(widen(self.bounds.center()) - close.face.corners[0]);
        if !self.mesh.is_solid() && over < 0.0 { -close.unit } else { close.unit }
    }

    fn give(&self, face: &Shape, near: &Closest, whole: bool, limits: &Limits, add: &mut impl FnMut(Found)) {
        let options = ManifoldOptions {
            max_points: REGION_POINTS,
            margin: narrow_real(limits.margin),
            ..ManifoldOptions::default()
        };
        let Manifold { points, normal, .. } =
            along(face, &Pose::IDENTITY, self.shape, &self.pose, near, &options, whole);
        let normal = self.to_world(widen(normal));
        for point in &points {
            let on_a = self.to_world(widen(point.points[0])) + widen(self.pose_mesh.translation());
            add(Found { on_a, normal, depth: widen_real(point.depth()), features: NOWHERE });
        }
    }
}

/// The answer with A and B exchanged.
fn swapped(near: Closest) -> Closest {
    let ([p, q], [of_a, of_b]) = (near.points, near.features);
    Closest { points: [q, p], normal: -near.normal, features: [of_b, of_a], ..near }
}

/// The largest gap of a triangle and a box along an axis, as an answer: their signed distance if they overlap, otherwise at most that.
/// Stops at a gap above `enough`; points only for one of at most `wanted`.
fn along_axis(block: &Block, close: &Close, slop: f64, enough: f64, wanted: f64) -> Closest {
    let gap = block.gap(&close.face, close.unit, slop, enough);
    let has_point = gap.distance <= wanted;
    let point = if has_point { block.touching_point(&close.face, gap.direction, slop) } else { DVec3::ZERO };
    let [on_a, normal] = [narrow(point), narrow(gap.direction)];
    let distance = narrow_real(gap.distance);
    Closest {
        distance,
        lower: distance - narrow_real(slop),
        upper: distance + narrow_real(slop),
        points: [on_a, on_a + normal * distance],
        normal,
        features: NOWHERE,
        contact: if distance > 0.0 { Contact::Apart } else { Contact::Overlapping },
        end: End::Converged,
        iterations: 1,
    }
}
