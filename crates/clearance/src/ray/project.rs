//! The point of a body nearest to a given point, signed.
//!
//! Inside of a solid the distance is negative: minus the distance from its surface. For a compound that is inside of several parts it is a
//! local measure, as the depth of concave bodies is: minus the largest depth in a part. The surface of the union is at least that far,
//! so `upper` holds; `lower` is how far it is at most, along an axis out of the box of the compound.

use glam::DVec3;

use super::mesh::{edge_or_face, outward};
use crate::answer::{Contact, End, Feature, Projection};
use crate::bvh::NodeBox;
use crate::math::triangle::{Prepared, foot};
use crate::math::{Pose, Real, Vec3, length, narrow, narrow_real, widen, widen_real};
use crate::narrow::{PairCache, closest};
use crate::shape::mesh::{Mesh, NO_FACE, Side};
use crate::shape::{Compound, Leaf, Shape};
use crate::tolerance::{BOX_ERROR, RAY_TURN, sigma};

/// The point of a convex shape nearest to a point; inside, the nearest point of its surface.
pub fn project_on_convex(shape: &Shape, pose: &Pose, point: Vec3, cache: &mut PairCache) -> Projection {
    let Ok(place) = Pose::from_translation(point) else {
        return unknown(point);
    };
    let near = closest(shape, pose, &Shape::point(), &place, cache);
    Projection {
        distance: near.distance,
        lower: near.lower,
        upper: near.upper,
        nearest: near.points[0],
        normal: near.normal,
        feature: near.features[0],
        contact: near.contact,
        end: near.end,
    }
}

/// What is said of a point that is not finite or out of range: nothing.
pub(super) fn unknown(point: Vec3) -> Projection {
    Projection {
        distance: Real::MAX,
        lower: Real::NEG_INFINITY,
        upper: Real::INFINITY,
        nearest: point,
        normal: Vec3::X,
        feature: Feature::WHOLE,
        contact: Contact::Apart,
        end: End::Degenerate,
    }
}

/// The point of a mesh's surface nearest to a point. The distance is negative inside of a solid, and beyond the walls of a room.
pub fn project_on_mesh(mesh: &Mesh, pose: &Pose, point: Vec3) -> Projection {
    if Pose::from_translation(point).is_err() {
        return unknown(point);
    }
    let m = pose.matrix();
    let from = widen(point) - widen(pose.translation());
    let local = DVec3::new(widen(m.x_axis).dot(from), widen(m.y_axis).dot(from), widen(m.z_axis).dot(from));
    let Some((near, triangle)) = nearest_on(mesh, local) else {
        return unknown(point);
    };
    let away = local - near;
    let gap = away.length();
    let size = widen_real(mesh.bounding_radius()) + from.abs().element_sum();
    let error = BOX_ERROR * size + widen_real(RAY_TURN) * from.abs().element_sum();
    let side = if mesh.is_solid() || mesh.is_room() { mesh.locate_wide(local) } else { Side::Outside };
    let distance = match side {
        Side::Inside => -gap,
        Side::Boundary => 0.0,
        Side::Outside => gap,
    };
    let face = outward(mesh.wide_triangle(triangle));
    // Within the error of the surface the direction is rounding, and the face says more.
    let direction = if gap > error { Some(away / distance) } else { face };
    let normal = direction.or_else(|| away.try_normalize()).unwrap_or(DVec3::X);
    let turned = |v: DVec3| widen(m.x_axis) * v.x + widen(m.y_axis) * v.y + widen(m.z_axis) * v.z;
    let (held, slack) = (narrow_real(distance), narrow_real(error).next_up());
    let lower = (held - slack).next_down();
    Projection {
        distance: held,
        lower,
        upper: (held + slack).next_up(),
        nearest: narrow(turned(near) + widen(pose.translation())),
        normal: narrow(turned(normal)),
        feature: place_on(mesh, triangle, near),
        contact: Contact::of(held, lower, sigma(narrow_real(size))),
        end: End::Converged,
    }
}

/// The nearest point of the surface and its triangle.
fn nearest_on(mesh: &Mesh, point: DVec3) -> Option<(DVec3, u32)> {
    let mut best: Option<(f64, DVec3, u32)> = None;
    mesh.tree().nearest(
        Real::INFINITY,
        |_, bounds| narrow_real(box_distance(bounds, point)).next_down(),
        |triangle, bound| {
            let foot = foot(&Prepared::new(mesh.wide_triangle(triangle)), point);
            let distance = foot.distance(point);
            // The first of several at the same distance, whatever the order of the walk.
            let is_nearer =
                best.is_none_or(|(least, _, known)| distance < least || (distance == least && triangle < known));
            if !is_nearer {
                return bound;
            }
            best = Some((distance, foot, triangle));
            Real::min(bound, narrow_real(distance).next_up())
        },
    );
    best.map(|(_, foot, triangle)| (foot, triangle))
}

/// At most the distance of a point from a box.
fn box_distance(bounds: &NodeBox, point: DVec3) -> f64 {
    let [low, high] = [bounds.min(), bounds.max()].map(|p| DVec3::from_array(p.map(f64::from)));
    (low - point).max(point - high).max(DVec3::ZERO).length() * (1.0 - BOX_ERROR)
}

/// The vertex, edge or face of a triangle that a point of it is on, to within rounding.
fn place_on(mesh: &Mesh, triangle: u32, point: DVec3) -> Feature {
    let numbers = mesh.triangle_corners(triangle);
    let corners = mesh.wide_triangle(triangle);
    let face = mesh.given_face(triangle);
    if face == NO_FACE {
        return Feature::vertex(numbers[0]);
    }
    let error = BOX_ERROR * (point.abs().max_element() + widen_real(mesh.bounding_radius()));
    if let Some(i) = (0..3).find(|&i| corners[i].distance(point) <= error) {
        return Feature::vertex(numbers[i]);
    }
    let off_edge = |i: usize| {
        let (from, along) = (corners[i], corners[(i + 1) % 3] - corners[i]);
        let square = along.length_squared();
        let foot = from + along * (along.dot(point - from) / square);
        if square > 0.0 { foot.distance(point) } else { f64::INFINITY }
    };
    match (0..3).find(|&i| off_edge(i) <= error) {
        Some(i) => edge_or_face(mesh, triangle, [numbers[i], numbers[(i + 1) % 3]]),
        None => Feature::face(face),
    }
}

/// The point of a compound nearest to a point; see the module for what is said inside of several parts.
pub fn project_on_compound(compound: &Compound, pose: &Pose, point: Vec3, cache: &mut PairCache) -> Projection {
    if Pose::from_translation(point).is_err() {
        return unknown(point);
    }
    let mut on_part = |part: u32| {
        let (leaf, own) = &compound.parts[part as usize];
        let place = pose.compose(own);
        let near = match leaf {
            Leaf::Convex(shape) => project_on_convex(shape, &place, point, cache),
            Leaf::Mesh(mesh) => project_on_mesh(mesh, &place, point),
        };
        Projection { feature: near.feature.of_part(part), ..near }
    };
    let local = widen(pose.point_to_local(point));
    let size = compound.bounding_radius() + length(point - pose.translation());
    let rounding = widen_real(sigma(size));
    let mut best: Option<Projection> = None;
    // Parts that the point may be inside of: the deepest.
    compound.tree.descend(
        |_, bounds| box_distance(bounds, local) <= rounding,
        |part| best = Some(first_of(on_part(part), best)),
    );
    if let Some(inside) = best.filter(|best| best.distance < 0.0) {
        let bounds = compound.aabb(pose);
        let ways = (bounds.max - point).min(point - bounds.min).min_element().max(-inside.lower);
        return Projection { lower: -(ways + sigma(size)).next_up(), ..inside };
    }
    compound.tree.nearest(
        best.map_or(Real::INFINITY, |best| best.upper.max(0.0)),
        |_, bounds| narrow_real(box_distance(bounds, local) - rounding).next_down(),
        |part, bound| {
            let near = first_of(on_part(part), best);
            best = Some(near);
            bound.min(near.upper.max(0.0).next_up())
        },
    );
    best.unwrap_or_else(|| unknown(point))
}

/// The nearer, or deeper, of two; the first part if they are tied. The exact least is not below the lower bound of either.
fn first_of(new: Projection, old: Option<Projection>) -> Projection {
    let Some(old) = old else {
        return new;
    };
    let is_first = new.distance < old.distance || (new.distance == old.distance && new.feature < old.feature);
    let first = if is_first { new } else { old };
    Projection { lower: new.lower.min(old.lower), upper: new.upper.min(old.upper), ..first }
}
