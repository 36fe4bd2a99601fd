//! The contacts of height fields, point clouds and half-spaces.
//!
//! Two leaves have what is cut out of both along the direction of their nearest points. Where one is a triangle and the surface goes on
//! in that direction, as at the rim of what stands on many small triangles, the direction is the normal of the triangle instead; that
//! of a height field is the one upwards. A half-space has the vertices of a body that are nearest to its plane, and a convex shape's face,
//! edge or rim that is turned towards it.

use glam::DVec3;

use super::found::{BodyContact, BodyManifold, Found, Limits};
use super::names::{Bodies, BodyNames, of_triangle};
use super::regions::Regions;
use crate::answer::{Closest, Contact, End, Feature};
use crate::concave::bounds::pair_error;
use crate::concave::fields::{Below, Node, Pair, Piece, Tree, closest, each_part};
use crate::concave::meeting::BodyCache;
use crate::concave::pieces::Piece as ConvexPiece;
use crate::concave::surfaces::CONTACT_PAIRS;
use crate::manifold::{MAX_POINTS, ManifoldOptions, along};
use crate::math::triangle::{Prepared, foot};
use crate::math::{Pose, Real, Vec3, narrow, narrow_real, widen, widen_real};
use crate::narrow::{PairCache, closest as of_convex};
use crate::shape::mesh::Mesh;
use crate::shape::{Core, Geometry, HalfSpace, Shape};
use crate::support::{Support, VertexId};
use crate::tolerance::{CONTACT_SIGMAS, EDGE_WEDGE};

/// The contacts of two bodies of which one is a height field, a point cloud or a half-space; a lower bound of their distance.
pub(super) fn find_contacts(
    bodies: [Geometry<'_>; 2],
    poses: [&Pose; 2],
    cache: &mut BodyCache,
    known: &BodyNames,
    margin: Real,
    most: usize,
    out: &mut BodyManifold,
) -> Real {
    let ([a, b], [pose_a, pose_b]) = (bodies, poses);
    let near = closest(a, pose_a, b, pose_b, cache);
    let half_space = matches!(a, Geometry::HalfSpace(_)) || matches!(b, Geometry::HalfSpace(_));
    let error = if half_space { (near.upper - near.distance).max(0.0) } else { pair_error(a, pose_a, b, pose_b) };
    let slop = CONTACT_SIGMAS * error;
    out.end = near.end;
    // Half-spaces without end in each other have no contact either.
    if near.contact == Contact::Apart && !(near.distance <= margin + slop) || !near.distance.is_finite() {
        return near.lower;
    }
    let at_rest = Bodies::new(bodies, poses, widen_real(slop));
    let mut limits = Limits::of([near.distance, near.lower], margin, slop, narrow_real(at_rest.still));
    if half_space {
        limits.deepest = widen_real(Real::max(0.0, -near.distance) + slop);
    }
    let mut found = Collected { limits, regions: Regions::new(limits, most, known), end: near.end, tested: 0 };
    match (a, b) {
        (Geometry::HalfSpace(half_space), _) => found.below(half_space, pose_a, b, pose_b, false),
        (_, Geometry::HalfSpace(half_space)) => found.below(half_space, pose_b, a, pose_a, true),
        (Geometry::Compound(compound), _) => {
            if let Some(other) = Tree::of_body(b) {
                each_part(compound, pose_a, &other, pose_b, margin + slop, |part, at, number, bound| {
                    found.trees([part, other], [&at, pose_b], [number, 0]);
                    bound
                });
            }
        }
        (_, Geometry::Compound(compound)) => {
            if let Some(other) = Tree::of_body(a) {
                each_part(compound, pose_b, &other, pose_a, margin + slop, |part, at, number, bound| {
                    found.trees([other, part], [pose_a, &at], [0, number]);
                    bound
                });
            }
        }
        _ => {
            if let (Some(of_a), Some(of_b)) = (Tree::of_body(a), Tree::of_body(b)) {
                found.trees([of_a, of_b], poses, [0; 2]);
            }
        }
    }
    out.end = found.end;
    found.regions.choose(&at_rest, &mut out.contacts);
    if out.contacts.is_empty() {
        // No two features face each other: the place that `closest` names is a contact all the same.
        out.contacts.push(BodyContact::of(&near));
    }
    near.lower
}

struct Collected<'n> {
    limits: Limits,
    regions: Regions<'n>,
    end: End,
    tested: u32,
}

impl Collected<'_> {
    /// Whether another pair of leaves may be looked at.
    fn may_go_on(&mut self) -> bool {
        self.tested += 1;
        if self.tested > CONTACT_PAIRS {
            self.end = End::IterationLimit;
        }
        self.tested <= CONTACT_PAIRS
    }

    /// The contacts of two trees.
    fn trees(&mut self, trees: [Tree<'_>; 2], poses: [&Pose; 2], parts: [u32; 2]) {
        // A convex mesh is its polytope: it ends where that does.
        let convex = trees.map(|tree| if let Tree::Mesh(mesh) = tree { mesh.convex().zip(Some(mesh)) } else { None });
        let trees = [0, 1].map(|i| convex[i].map_or(trees[i], |(shape, _)| Tree::of_shape(shape)));
        let pair = Pair::new(trees[0], poses[0], trees[1], poses[1]);
        let sides = [0, 1].map(|i| Side { tree: trees[i], pose: poses[i], mesh: convex[i].map(|(_, mesh)| mesh) });
        let reach = self.limits.margin + self.limits.slop;
        pair.trees.walk(reach.next_up(), |i, j, bound| {
            if !self.may_go_on() {
                return f64::NEG_INFINITY;
            }
            if let (Some(of_a), Some(of_b)) = (trees[0].piece(i), trees[1].piece(j)) {
                self.leaves(&sides, [&of_a, &of_b], parts);
            }
            bound
        });
    }

    fn leaves(&mut self, sides: &[Side<'_, '_>; 2], pieces: [&Piece<'_>; 2], parts: [u32; 2]) {
        let at = [pieces[0].pose(sides[0].pose), pieces[1].pose(sides[1].pose)];
        let [a, b] = [&*pieces[0].shape, &*pieces[1].shape];
        let near = of_convex(a, &at[0], b, &at[1], &mut PairCache::default());
        if !self.limits.accepts(-widen_real(near.distance)) && !(near.distance < 0.0) {
            return;
        }
        let slop = self.limits.slop;
        let goes_on = [
            !sides[0].ends(widen(near.points[0]), widen(near.normal), slop),
            !sides[1].ends(widen(near.points[1]), -widen(near.normal), slop),
        ];
        let over = |side: usize| {
            let over = sides[side].above(pieces[side], pieces[1 - side], &at[1 - side], side == 0, &near)?;
            // No way out leads along the other's surface either, unless that ends there.
            let (other, sign) = (1 - side, if side == 0 { -1.0 } else { 1.0 });
            let out = widen(over.normal) * sign;
            (sides[other].faces(pieces[other], out) || sides[other].ends(widen(over.points[other]), out, slop))
                .then_some(over)
        };
        let (near, whole) = match goes_on {
            [false, false] => (near, true),
            // The way out leads along the surface: what counts is how deep the other is behind the face.
            [true, _] => match over(0) {
                Some(near) => (near, false),
                None => return,
            },
            [_, true] => match over(1) {
                Some(near) => (near, false),
                None => return,
            },
        };
        if !self.limits.accepts(-widen_real(near.distance)) {
            return;
        }
        let options = ManifoldOptions {
            max_points: MAX_POINTS,
            margin: narrow_real(self.limits.margin),
            ..ManifoldOptions::default()
        };
        let found = along(a, &at[0], b, &at[1], &near, &options, whole);
        for point in &found.points {
            let depth = widen_real(point.depth());
            let features = [0, 1].map(|i| sides[i].named(pieces[i], point.features[i], slop).of_part(parts[i]));
            self.regions.add(Found { on_a: widen(point.points[0]), normal: widen(found.normal), depth, features });
        }
    }

    /// The contacts of a half-space and a body; `swapped` if the body is A.
    fn below(&mut self, half_space: &HalfSpace, pose: &Pose, body: Geometry<'_>, at: &Pose, swapped: bool) {
        let plane = Plane { half_space, pose, swapped };
        match body {
            Geometry::Compound(compound) => {
                for (number, (leaf, own)) in compound.parts.iter().enumerate() {
                    self.over_plane(&plane, Tree::of_leaf(leaf), &at.compose(own), number as u32);
                }
            }
            _ => {
                if let Some(tree) = Tree::of_body(body) {
                    self.over_plane(&plane, tree, at, 0);
                }
            }
        }
    }

    fn over_plane(&mut self, plane: &Plane<'_>, tree: Tree<'_>, at: &Pose, part: u32) {
        if let Tree::Convex(shape, _) = tree {
            return self.shape_over_plane(plane, shape, at, part);
        }
        let body = match tree {
            Tree::Mesh(mesh) => Geometry::Mesh(mesh),
            Tree::Field(field) => Geometry::HeightField(field),
            Tree::Cloud(cloud) => Geometry::PointCloud(cloud),
            Tree::Convex(shape, _) => Geometry::Convex(shape),
        };
        let below = Below::new(plane.half_space, plane.pose, body, at);
        let down = widen(at.direction_to_local(-below.normal));
        let reach = self.limits.margin + self.limits.slop;
        let radius = tree.radius();
        let lowest = |node: Node| {
            let extent = tree.extent(node);
            below.height(narrow(extent.centre)) - extent.half.dot(down.abs()) - radius
        };
        tree.descend(
            |node| lowest(node) <= reach,
            |node| {
                let Some(piece) = tree.piece(node).filter(|_| self.may_go_on()) else { return };
                let mut add = |local: Vec3, feature: Feature| {
                    let height = below.height(local) - radius;
                    let on_body = widen(at.point(local)) - widen(below.normal) * radius;
                    let feature = feature.of_part(part);
                    plane.add(&mut self.regions, widen(below.normal), on_body, height, feature);
                };
                match piece.shape.core() {
                    Core::Triangle(places) => {
                        places.iter().zip(piece.corners).for_each(|(&place, v)| add(place, Feature::vertex(v)));
                    }
                    _ => add(piece.at, piece.feature),
                }
            },
        );
    }

    /// A convex shape: what of it is turned towards the plane, cut against a rectangle of it that is large enough.
    fn shape_over_plane(&mut self, plane: &Plane<'_>, shape: &Shape, at: &Pose, part: u32) {
        let near =
            Below::new(plane.half_space, plane.pose, Geometry::Convex(shape), at).closest(&mut VertexId::default());
        if !self.limits.accepts(-widen_real(near.distance)) {
            return;
        }
        let half = 4.0 * shape.bounding_radius() + self.limits.slop as Real;
        let floor = Shape::sharp(Core::Rectangle { half_extents: [half; 2] });
        let under = Pose::turning_z_to(near.normal).moved_to(near.points[0]);
        let options = ManifoldOptions {
            max_points: MAX_POINTS,
            margin: narrow_real(self.limits.margin),
            ..ManifoldOptions::default()
        };
        let found = along(&floor, &under, shape, at, &near, &options, true);
        for point in &found.points {
            let feature = point.features[1].of_part(part);
            plane.add(
                &mut self.regions,
                widen(near.normal),
                widen(point.points[1]),
                -widen_real(point.depth()),
                feature,
            );
        }
    }
}

/// A half-space at its place; `swapped` if it is B.
struct Plane<'p> {
    half_space: &'p HalfSpace,
    pose: &'p Pose,
    swapped: bool,
}

impl Plane<'_> {
    /// Adds a contact of a point of the body that is so far above the plane.
    fn add(&self, regions: &mut Regions<'_>, normal: DVec3, on_body: DVec3, height: f64, feature: Feature) {
        let (on_a, normal, features) = if self.swapped {
            (on_body, -normal, [feature, Feature::WHOLE])
        } else {
            (on_body - normal * height, normal, [Feature::WHOLE, feature])
        };
        regions.add(Found { on_a, normal, depth: -height, features });
    }
}

/// A body at its place.
struct Side<'b, 'p> {
    tree: Tree<'b>,
    pose: &'p Pose,
    /// The mesh that the convex shape stands for.
    mesh: Option<&'b Mesh>,
}

impl Side<'_, '_> {
    /// The name of a feature of a piece of the body.
    fn named(&self, piece: &Piece<'_>, feature: Feature, slop: f64) -> Feature {
        match self.tree {
            Tree::Convex(shape, _) => ConvexPiece::Convex(shape, self.mesh).named(feature, slop),
            Tree::Cloud(_) => piece.feature,
            Tree::Mesh(_) | Tree::Field(_) => of_triangle(feature.element, piece.corners, piece.feature),
        }
    }

    /// Whether the body around a point of it, in world space, ends there along a direction. Convex shapes and points always do.
    fn ends(&self, point: DVec3, direction: DVec3, slop: f64) -> bool {
        let faces = match self.tree {
            Tree::Convex(..) | Tree::Cloud(_) => return true,
            Tree::Mesh(mesh) => !mesh.is_solid(),
            Tree::Field(_) => false,
        };
        let local = widen(self.pose.point_to_local(narrow(point)));
        let towards = widen(self.pose.direction_to_local(narrow(direction)));
        let (mut ends, mut faces) = (true, faces);
        self.tree.descend(
            |node| {
                let extent = self.tree.extent(node);
                ((local - extent.centre).abs() - extent.half).max_element() <= slop
            },
            |node| {
                let Some(piece) = self.tree.piece(node) else { return };
                let Core::Triangle(corners) = piece.shape.core() else { return };
                let t = Prepared::new(corners.map(widen));
                if foot(&t, local).distance(local) <= slop {
                    let rises =
                        |corner: DVec3| towards.dot(corner - local) > slop + EDGE_WEDGE * corner.distance(local);
                    ends &= !t.corners.into_iter().any(rises);
                    faces |= t.normal.normalize_or_zero().dot(towards) > EDGE_WEDGE;
                }
            },
        );
        ends && faces
    }

    /// Whether a piece is turned towards a direction in the world, by 60° at most; any but a triangle is.
    fn faces(&self, own: &Piece<'_>, direction: DVec3) -> bool {
        let Core::Triangle(corners) = own.shape.core() else { return true };
        let normal = Prepared::new(corners.map(widen)).normal.normalize_or_zero();
        let cosine = widen(self.pose.direction(narrow(normal))).dot(direction);
        let is_solid = !matches!(self.tree, Tree::Mesh(mesh) if !mesh.is_solid());
        if is_solid { cosine >= 0.5 } else { cosine.abs() >= 0.5 }
    }

    /// How deep another piece is behind a triangle of this side, along its normal; `first` if this side is A.
    fn above(&self, own: &Piece<'_>, other: &Piece<'_>, at: &Pose, first: bool, near: &Closest) -> Option<Closest> {
        let Core::Triangle(corners) = own.shape.core() else { return None };
        let normal = Prepared::new(corners.map(widen)).normal.try_normalize()?;
        let up = self.pose.direction(narrow(normal));
        let corner = self.pose.point(corners[0]);
        let flips = match self.tree {
            Tree::Mesh(mesh) => !mesh.is_solid() && (other.shape.aabb(at).center() - corner).dot(up) < 0.0,
            _ => false,
        };
        let out = if flips { -up } else { up };
        let lowest = at.point(other.shape.support(at.direction_to_local(-out), VertexId::NONE).point);
        let distance = (lowest - corner).dot(out);
        let below = lowest - out * distance;
        let (points, normal) = if first { ([below, lowest], out) } else { ([lowest, below], -out) };
        Some(Closest { distance, points, normal, ..*near })
    }
}
