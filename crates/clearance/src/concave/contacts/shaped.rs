//! The contacts of a mesh and a convex shape, triangle by triangle.
//!
//! Usually from the list of the triangles near the shape; a shape with too many near it by the tree. The direction of a contact is
//! that in which triangle and shape are nearest or come apart soonest (boxes in closed form, other shapes by the narrow phase), if
//! the surface ends there along it, otherwise the normal of the face.

use glam::DVec3;

use super::ball::Ball;
use super::block::Block;
use super::close::{Close, Gap};
use super::found::{Found, Limits};
use super::names::of_triangle;
use super::nearby::{Nearby, Room, around};
use crate::answer::{Contact, Element, Feature, Manifold};
use crate::bvh::NodeBox;
use crate::concave::convex::{Nearest, WithConvex};
use crate::concave::meeting::BodyCache;
use crate::concave::pieces::Piece;
use crate::concave::surfaces::CONTACT_PAIRS;
use crate::manifold::{MAX_POINTS, ManifoldOptions, along};
use crate::math::{Aabb, Pose, Real, Vec3, narrow, narrow_real, widen, widen_real};
use crate::narrow::{Closest, End, PairCache, closest};
use crate::shape::mesh::{Mesh, Side};
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
    /// How far away what is near may be, and what is rounding.
    reach: f64,
    slop: f64,
}

const NOWHERE: [Feature; 2] = [Feature::WHOLE; 2];

impl<'m> Shaped<'m> {
    /// A mesh and a shape, in either order, with the triangles within a distance of the shape gathered, if they are not too many;
    /// nothing if the pieces are others.
    pub fn of_pieces(
        pieces: [Piece<'m>; 2],
        [pose_a, pose_b]: [&'m Pose; 2],
        [reach, slop]: [Real; 2],
        room: &'m mut Room,
    ) -> Option<Self> {
        let (mesh, pose_mesh, shape, pose_shape, side) = match pieces {
            [Piece::Mesh(mesh), Piece::Convex(shape, _)] => (mesh, pose_a, shape, pose_b, 0),
            [Piece::Convex(shape, _), Piece::Mesh(mesh)] => (mesh, pose_b, shape, pose_a, 1),
            _ => return None,
        };
        let pose = pose_shape.relative_to(pose_mesh);
        let bounds = shape.aabb(&pose);
        let grown =
            NodeBox::enclosing(&Aabb { min: bounds.min - Vec3::splat(reach), max: bounds.max + Vec3::splat(reach) });
        let block = Block::of(shape, &pose);
        let [reach, slop] = [reach, slop].map(widen_real);
        let nearby = match &block {
            Some(block) => Nearby::gather(mesh, &grown, room, |close| block.look_at(close, reach)),
            None => {
                let ball = Ball::around(shape, &pose);
                Nearby::gather(mesh, &grown, room, |close| {
                    close.find_normal();
                    close.beside = ball.beside(&close.face);
                    if close.beside <= reach {
                        close.over = plane_bound(close, shape, &pose);
                    }
                })
            }
        };
        Some(Self { mesh, pose_mesh, shape, pose_shape, pose, bounds, block, nearby, side, reach, slop })
    }

    /// Which of the two bodies the mesh is: 0 for A, 1 for B.
    pub fn mesh_side(&self) -> usize {
        self.side
    }

    /// Whether the bodies are certain to be farther apart than what is near: no triangle is, and the shape is not in the solid.
    pub fn is_apart(&self) -> bool {
        let is_far = |close: &Close| close.over.max(close.beside) > self.reach;
        self.nearby.as_ref().is_some_and(|nearby| nearby.list.iter().all(is_far)) && {
            let point = self.pose.point(self.shape.support(Vec3::X, VertexId::NONE).point);
            self.mesh.locate(point) == Side::Outside
        }
    }

    /// A lower bound of the distance of the shape from the surface: that of the ball around the shape, and no more than its diameter.
    pub fn least_gap(&self, cache: &mut BodyCache) -> Real {
        let known = cache.triangles.map(|triangles| triangles[self.side]);
        let (gap, nearest) = Ball::around(self.shape, &self.pose).gap(self.mesh, known);
        if let Some(nearest) = nearest {
            cache.triangles.get_or_insert([0; 2])[self.side] = nearest;
        }
        gap - narrow_real(self.slop)
    }

    /// The signed distance of the pair, if it can be told from what is near; farther than that, any distance that
    /// is. `lower` is that of the shape and the surface near it.
    pub fn closest(&self, cache: &mut BodyCache) -> Option<Closest> {
        let nearby = self.nearby.as_ref()?;
        if nearby.list.is_empty() && self.mesh.is_solid() {
            return None;
        }
        let pair = WithConvex::new(self.mesh, self.pose_mesh, self.shape, self.pose_shape);
        let slop = widen_real(pair.sigma);
        let known = cache.triangles.map(|triangles| triangles[self.side]);
        let first = nearby.list.iter().position(|close| Some(close.triangle) == known).unwrap_or(0);
        let (mut best, mut least): (Option<Nearest>, _) = (None, Real::INFINITY);
        let mut look_at = |close: &Close| {
            let bound = narrow_real(close.over.max(close.beside) - slop);
            if best.is_some_and(|best| bound >= best.closest.distance - 2.0 * pair.sigma) {
                least = least.min(bound);
                return;
            }
            // What is farther than the best does not have to be known better than that.
            let wanted = best.map_or(f64::INFINITY, |best| widen_real(best.closest.distance));
            let near = self.near(close, wanted, &mut cache.convex);
            least = least.min(near.lower);
            if best.is_none_or(|best| near.distance < best.closest.distance) {
                best = Some(Nearest { closest: near, triangle: close.triangle });
            }
        };
        nearby.list.get(first).into_iter().for_each(&mut look_at);
        nearby.list.iter().for_each(look_at);
        let found = best?;
        let triangles = cache.triangles.get_or_insert([0; 2]);
        triangles[self.side] = found.triangle;
        let local = pair.answer(found, least, nearby.list.len() as u32, false);
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
        let along_normal = normal.dot(widen(self.pose.point(support))) - nearby.most(normal);
        let [least, most] = nearby.span();
        let along_axes = (widen(self.bounds.min) - most).max(least - widen(self.bounds.max));
        along_normal.max(along_axes.max_element()).min(widen_real(near.distance))
    }

    /// The largest gap of a triangle and a box along an axis; of one above the reach no more than that.
    fn gap(&self, block: &Block, close: &Close) -> Gap {
        let known = close.gap.get();
        let gap = known.unwrap_or_else(|| block.gap(close, self.slop, self.reach));
        close.gap.set(Some(gap));
        gap
    }

    /// The signed distance of a triangle and the shape, in the frame of the mesh; of those farther apart than the reach or than what is
    /// wanted a lower bound, without points.
    fn near(&self, close: &Close, wanted: f64, cache: &mut PairCache) -> Closest {
        if let Some(block) = &self.block {
            let gap = self.gap(block, close);
            if gap.distance <= 0.0 || gap.distance > self.reach.min(wanted) {
                return self.along_axis(block, close, gap, wanted);
            }
            if let Some(near) = self.apart(block, close) {
                return near;
            }
        }
        self.by_supports(close, cache)
    }

    /// The signed distance of a triangle and the shape by the narrow phase.
    fn by_supports(&self, close: &Close, cache: &mut PairCache) -> Closest {
        let known = close.near.get();
        let near = known.unwrap_or_else(|| {
            let face = Shape::sharp(Core::Triangle(self.mesh.triangle(close.triangle).0));
            closest(&face, &Pose::IDENTITY, self.shape, &self.pose, cache)
        });
        close.near.set(Some(near));
        near
    }

    /// The largest gap of a triangle and a box along an axis, as an answer: their signed distance if they overlap, otherwise at most
    /// that. Points only for one of at most `wanted`.
    fn along_axis(&self, block: &Block, close: &Close, gap: Gap, wanted: f64) -> Closest {
        let has_point = gap.distance <= wanted;
        let point =
            if has_point { block.touching_point(close, gap.direction, self.slop) } else { close.face.corners[0] };
        let points = [point, point + gap.direction * gap.distance];
        answer(points, gap.direction, gap.distance, self.slop)
    }

    /// The nearest points of a triangle and a box that are apart, if it is certain that there are none nearer; of those farther apart than
    /// the reach a lower bound.
    fn apart(&self, block: &Block, close: &Close) -> Option<Closest> {
        let (points, lower) = block.nearest(close, self.slop, self.reach);
        let between = points[1] - points[0];
        let distance = between.length();
        if lower > self.reach {
            return Some(answer(points, between / distance, lower, self.slop));
        }
        let is_certain = distance > self.slop && lower >= distance - self.slop;
        is_certain.then(|| answer(points, between / distance, distance, self.slop))
    }

    /// The contacts of a box and a triangle along the axis of their largest gap, if there are any.
    fn cut_along(
        &self,
        block: &Block,
        direction: DVec3,
        close: &Close,
        limits: &Limits,
        add: &mut impl FnMut(Found),
    ) -> bool {
        let mut count = 0;
        self.cut(block, close, direction, limits, &mut |found| {
            count += 1;
            add(found);
        });
        count > 0
    }

    /// Gives every contact, from the mesh to the shape in world space, with the features of both.
    pub fn contacts(&self, limits: &Limits, end: &mut End, mut add: impl FnMut(Found)) {
        let mut cache = PairCache::default();
        if let Some(nearby) = &self.nearby {
            for close in nearby.list {
                let ends = |p: DVec3, d: DVec3| nearby.ends(p, d, limits.slop);
                self.listed(close, limits, &mut cache, &ends, &mut add);
            }
            return;
        }
        let pair = WithConvex::new(self.mesh, self.pose_mesh, self.shape, self.pose_shape);
        let tested = std::cell::Cell::new(0);
        self.mesh.tree().descend(
            |id, _| tested.get() <= CONTACT_PAIRS && pair.separation(id) <= limits.margin + limits.slop,
            |triangle| {
                tested.set(tested.get() + 1);
                let mut close = Close::new(self.mesh, triangle);
                self.block.iter().for_each(|block| block.look_at(&mut close, f64::INFINITY));
                let ends = |p: DVec3, d: DVec3| {
                    let mut room = Room::default();
                    let around = Nearby::gather(self.mesh, &around(p, limits.slop), &mut room, Close::find_normal);
                    around.is_some_and(|around| around.ends(p, d, limits.slop))
                };
                self.triangle(&close, limits, &mut cache, &ends, &mut add);
            },
        );
        if tested.get() > CONTACT_PAIRS {
            *end = End::IterationLimit;
        }
    }

    /// The contacts of a triangle of the list.
    fn listed(
        &self,
        close: &Close,
        limits: &Limits,
        cache: &mut PairCache,
        ends: &impl Fn(DVec3, DVec3) -> bool,
        add: &mut impl FnMut(Found),
    ) {
        let reach = limits.margin + limits.slop;
        if close.over > reach || close.beside > limits.farthest() {
            return;
        }
        match &self.block {
            // A contact along a direction that is not one of the box may be beside it by a part of its depth.
            Some(block) if close.beside > self.reach => {
                let mut close = Close::new(self.mesh, close.triangle);
                block.look_at(&mut close, f64::INFINITY);
                if close.over <= reach {
                    self.triangle(&close, limits, cache, ends, add);
                }
            }
            _ => self.triangle(close, limits, cache, ends, add),
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
        // Around such a triangle the surface is flat or concave: it ends along its normal alone.
        let is_internal = self.mesh.surroundings(close.triangle).are_internal();
        match &self.block {
            Some(block) if is_internal => {
                // Where it goes on in all directions, only corners of the box count.
                let around = self.mesh.surroundings(close.triangle);
                if !around.goes_on_everywhere() || block.may_be_over(close, limits.farthest()) {
                    self.cut(block, close, self.outward(close), limits, add);
                }
                return;
            }
            None if is_internal => return self.behind(close, true, limits, add),
            _ => {}
        }
        let Some((near, ending)) = self.direction(close, limits, cache, ends, add) else {
            return;
        };
        if ending {
            let face = Shape::sharp(Core::Triangle(self.mesh.triangle(close.triangle).0));
            return self.give(close, &face, &near, true, limits, add);
        }
        // The way out leads along the surface: what counts is how deep the shape is behind the face.
        self.behind(close, false, limits, add);
    }

    /// The contacts of a triangle and the shape along the normal of the triangle. The deepest point of a shape with a smooth surface is one
    /// where the surface ends along the normal alone (`is_internal`) and the point is over the triangle; elsewhere only what both
    /// have across the normal counts.
    fn behind(&self, close: &Close, is_internal: bool, limits: &Limits, add: &mut impl FnMut(Found)) {
        if close.unit == DVec3::ZERO {
            return;
        }
        let out = narrow(self.outward(close));
        let reach = self.shape.support(self.pose.direction_to_local(-out), VertexId::NONE).point;
        let (on_b, corner) = (self.pose.point(reach), narrow(close.face.corners[0]));
        let distance = (on_b - corner).dot(out);
        if !limits.accepts(-widen_real(distance)) {
            return;
        }
        if let Some(block) = &self.block
            && self.cut(block, close, widen(out), limits, add)
        {
            return;
        }
        let on_a = on_b - out * distance;
        let is_over = is_internal && close.holds(widen(on_a), limits.slop);
        let over = answer([widen(on_a), widen(on_b)], widen(out), widen_real(distance), self.slop);
        let face = Shape::sharp(Core::Triangle(self.mesh.triangle(close.triangle).0));
        self.give(close, &face, &over, is_over, limits, add);
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
            let gap = self.gap(block, close);
            if gap.distance > reach {
                return None;
            }
            // Along the normal of the face contacts are the same whether the surface ends there or not.
            let is_face = gap.direction.dot(self.outward(close)) >= 1.0 - EDGE_WEDGE * EDGE_WEDGE;
            let point = || block.touching_point(close, gap.direction, self.slop);
            let ending = is_face || ends(point(), gap.direction);
            if ending && self.cut_along(block, gap.direction, close, limits, add) || is_face && gap.distance <= 0.0 {
                return None;
            }
            if gap.distance <= 0.0 && !ending {
                return Some((self.along_axis(block, close, gap, f64::INFINITY), false));
            }
            if gap.distance <= 0.0 {
                // The point of the box along an axis may be beside it: the narrow phase has points of both.
                let near = self.by_supports(close, cache);
                let ending = ends(widen(near.points[0]), widen(near.normal));
                return Some((near, ending));
            }
        }
        let near = self.near(close, f64::INFINITY, cache);
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
        block.cut(close, around, d, limits, &mut |touch| {
            if !limits.accepts(touch.depth) {
                return;
            }
            let on_a = self.to_world(touch.on_triangle) + widen(self.pose_mesh.translation());
            let features = self.named(close, [touch.of_triangle, touch.of_box]);
            add(Found { on_a, normal, depth: touch.depth, features });
        })
    }

    /// The names of a feature of a triangle and one of the shape.
    fn named(&self, close: &Close, [on_mesh, of_shape]: [Element; 2]) -> [Feature; 2] {
        let face = Feature::given(0, self.mesh.given_face(close.triangle));
        let corners = self.mesh.triangle_corners(close.triangle);
        [of_triangle(on_mesh, corners, face), Feature { part: 0, element: of_shape }]
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

    fn give(
        &self,
        close: &Close,
        face: &Shape,
        near: &Closest,
        whole: bool,
        limits: &Limits,
        add: &mut impl FnMut(Found),
    ) {
        let options = ManifoldOptions {
            max_points: MAX_POINTS,
            margin: narrow_real(limits.margin),
            ..ManifoldOptions::default()
        };
        let Manifold { points, normal, .. } =
            along(face, &Pose::IDENTITY, self.shape, &self.pose, near, &options, whole);
        let normal = self.to_world(widen(normal));
        for point in &points {
            let on_a = self.to_world(widen(point.points[0])) + widen(self.pose_mesh.translation());
            let features = self.named(close, point.features.map(|feature| feature.element));
            add(Found { on_a, normal, depth: widen_real(point.depth()), features });
        }
    }
}

/// The answer with A and B exchanged.
fn swapped(near: Closest) -> Closest {
    let ([p, q], [of_a, of_b]) = (near.points, near.features);
    Closest { points: [q, p], normal: -near.normal, features: [of_b, of_a], ..near }
}

/// At most the signed distance of a triangle and a shape: their gap along the normal of the triangle.
fn plane_bound(close: &Close, shape: &Shape, pose: &Pose) -> f64 {
    let unit = close.unit;
    let height = unit.dot(close.face.corners[0]);
    let reach = |d: DVec3| {
        let p = shape.support(pose.direction_to_local(narrow(d)), VertexId::NONE).point;
        unit.dot(widen(pose.point(p)))
    };
    f64::max(reach(-unit) - height, height - reach(unit))
}

/// A distance known to within an error.
fn answer(points: [DVec3; 2], normal: DVec3, distance: f64, error: f64) -> Closest {
    Closest {
        distance: narrow_real(distance),
        lower: narrow_real(distance - error),
        upper: narrow_real(distance + error),
        points: points.map(narrow),
        normal: narrow(normal),
        features: NOWHERE,
        contact: if distance > 0.0 { Contact::Apart } else { Contact::Overlapping },
        end: End::Converged,
        iterations: 1,
    }
}
