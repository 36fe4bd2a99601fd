//! Rays and points against bodies with trees of their own: height fields and point clouds.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::convex::cast_ray_convex;
use super::input::{Ray, RayOptions};
use super::local::LocalRay;
use super::mesh::{outward, place_hit};
use super::triangle::{Count, Passage, Probe};
use crate::answer::{Contact, End, Feature, Projection, RayHit};
use crate::math::triangle::{Prepared, foot};
use crate::math::{Pose, Real, Vec3, narrow, narrow_real, widen, widen_real};
use crate::shape::{CloudNode, FieldNode, HeightField, PointCloud, Shape};
use crate::tolerance::{BOX_ERROR, RAY_TURN, sigma};

/// The most nodes that wait on the way down: three for each of 28 levels of a field, or eight points of a cloud, with room.
const WAITING: usize = 160;

/// Visits nodes in the order of `least`, which bounds a node and all below it from below, as long as that is at most the limit.
/// `visit` returns the limit from then on.
fn front_to_back<N: Copy>(
    root: N,
    mut limit: f64,
    mut children: impl FnMut(N, &mut dyn FnMut(N)),
    mut least: impl FnMut(N) -> f64,
    mut visit: impl FnMut(N) -> f64,
) {
    let mut stack = ArrayVec::<(f64, N), WAITING>::new();
    stack.push((least(root), root));
    while let Some((bound, node)) = stack.pop() {
        if !(bound <= limit) {
            continue;
        }
        let first = stack.len();
        let mut is_leaf = true;
        children(node, &mut |child| {
            is_leaf = false;
            let bound = least(child);
            if bound <= limit && !stack.is_full() {
                stack.push((bound, child));
            }
        });
        if is_leaf {
            limit = visit(node);
        } else {
            // The nearest on top.
            stack[first..].sort_by(|a, b| b.0.total_cmp(&a.0));
        }
    }
}

/// At most the parameter at which a ray enters a box grown by a margin; infinite if it misses it.
fn entry(ray: &LocalRay, [low, high]: [Vec3; 2], margin: f64) -> f64 {
    let (low, high) = (widen(low) - ray.origin, widen(high) - ray.origin);
    let (mut enter, mut leave) = (0.0, f64::INFINITY);
    for axis in 0..3 {
        let (a, b, d) = (low[axis] - margin, high[axis] + margin, ray.direction[axis]);
        if d == 0.0 {
            if a > 0.0 || b < 0.0 {
                return f64::INFINITY;
            }
            continue;
        }
        let (a, b) = (a / d, b / d);
        enter = f64::max(enter, a.min(b));
        leave = f64::min(leave, a.max(b));
    }
    let (enter, leave) = (enter * (1.0 - BOX_ERROR), leave * (1.0 + BOX_ERROR));
    if enter <= leave { enter } else { f64::INFINITY }
}

/// Where a ray first meets a height field, from above or from below; nothing if it does not, or only beyond the largest position.
///
/// No ray passes between the triangles of a field. The feature is the triangle.
pub fn cast_ray_height_field(field: &HeightField, pose: &Pose, ray: &Ray, options: &RayOptions) -> Option<RayHit> {
    let probe = Probe::new(LocalRay::new(ray, pose, field.bounding_radius()));
    let most = probe.ray.parameter(options.max);
    // Boxes are made of products of whole numbers with the size of a cell, each rounded.
    let margin = widen_real(RAY_TURN) * probe.ray.size;
    let mut best: Option<(Passage, FieldNode)> = None;
    front_to_back(
        field.root(),
        most,
        |node, visit| field.children(node, visit),
        |node| entry(&probe.ray, field.node_box(node), margin),
        |node| {
            let passage = field.leaf(node).and_then(|corners| probe.passage(&corners.map(widen), Count::Touched));
            if let Some(passage) = passage.filter(|passage| passage.t[0] <= most) {
                best = Some(match best {
                    Some((old, at)) if !is_before(&passage, node, &old, at) => (narrowed(old, &passage), at),
                    Some((old, _)) => (narrowed(passage, &old), node),
                    None => (passage, node),
                });
            }
            best.map_or(most, |(passage, _)| passage.t[2].min(most))
        },
    );
    let (passage, node) = best?;
    let corners = field.leaf(node)?.map(widen);
    let feature = Feature::face(field.leaf_number(node)?);
    Some(place_hit(&probe, &corners, &passage, feature, pose, false))
}

/// Whether a hit comes before another one: by position, what faces the ray first, then by its place in the field.
fn is_before(new: &Passage, node: FieldNode, old: &Passage, at: FieldNode) -> bool {
    let key = |passage: &Passage, node: FieldNode| (passage.facing, node.packed());
    new.t[0] < old.t[0] || (new.t[0] == old.t[0] && key(new, node) < key(old, at))
}

/// The first of two hits with the bounds of both.
fn narrowed(first: Passage, other: &Passage) -> Passage {
    let [t, lower, upper] = first.t;
    Passage { t: [t, lower.min(other.t[1]), upper.min(other.t[2])], ..first }
}

/// Where a ray first meets a point cloud; nothing if it does not, or only beyond the largest position. The feature is the point.
///
/// An origin inside of several balls leaves the one that reaches farthest along the ray.
pub fn cast_ray_cloud(cloud: &PointCloud, pose: &Pose, ray: &Ray, options: &RayOptions) -> Option<RayHit> {
    let ball = if cloud.radius() > 0.0 { Shape::sphere(cloud.radius()).ok()? } else { Shape::point() };
    let local = LocalRay::new(ray, pose, cloud.bounding_radius());
    let most = local.parameter(options.max);
    let margin = widen_real(cloud.radius()) * (1.0 + BOX_ERROR) + widen_real(RAY_TURN) * local.size * 8.0;
    let mut best: Option<RayHit> = None;
    front_to_back(
        cloud.root(),
        most,
        |node, visit| cloud.children(node, visit),
        |node| entry(&local, cloud.node_box(node), margin),
        |node| {
            let CloudNode::Point(place) = node else {
                return most;
            };
            let (point, number) = cloud.at(place);
            let place = Pose::from_translation(pose.point(point)).ok();
            if let Some(hit) = place.and_then(|place| cast_ray_convex(&ball, &place, 0.0, ray, options)) {
                let hit = RayHit { feature: Feature::vertex(number), ..hit };
                best = Some(best.map_or(hit, |old| ball_first(hit, old)));
            }
            // Balls around the origin begin at 0, and are looked at whatever the limit is.
            best.map_or(most, |hit| local.parameter(hit.upper).min(most))
        },
    );
    best
}

/// Leaving a ball comes before all else, the farthest of several; otherwise the nearest, by number if tied.
fn ball_first(a: RayHit, b: RayHit) -> RayHit {
    let tied = a.t == b.t && a.feature < b.feature;
    match (a.inside, b.inside) {
        (true, false) => a,
        (false, true) => b,
        (true, true) => {
            if a.t > b.t || tied {
                a
            } else {
                b
            }
        }
        (false, false) => {
            let first = if a.t < b.t || tied { a } else { b };
            RayHit { lower: a.lower.min(b.lower), upper: a.upper.min(b.upper), ..first }
        }
    }
}

/// A point in the frame of a pose, in f64, and the size that errors are relative to.
fn to_local(pose: &Pose, point: Vec3, reach: Real) -> (DVec3, f64, f64) {
    let m = pose.matrix();
    let from = widen(point) - widen(pose.translation());
    let local = DVec3::new(widen(m.x_axis).dot(from), widen(m.y_axis).dot(from), widen(m.z_axis).dot(from));
    let size = widen_real(reach) + from.abs().element_sum();
    (local, size, BOX_ERROR * size + widen_real(RAY_TURN) * from.abs().element_sum())
}

/// At most the distance of a point from a box.
fn gap([low, high]: [Vec3; 2], point: DVec3) -> f64 {
    (widen(low) - point).max(point - widen(high)).max(DVec3::ZERO).length() * (1.0 - BOX_ERROR)
}

/// An answer in the frame of the pose, in world space.
fn projected(
    pose: &Pose,
    [distance, error, size]: [f64; 3],
    nearest: DVec3,
    normal: DVec3,
    feature: Feature,
) -> Projection {
    let m = pose.matrix();
    let turned = |v: DVec3| widen(m.x_axis) * v.x + widen(m.y_axis) * v.y + widen(m.z_axis) * v.z;
    let (held, slack) = (narrow_real(distance), narrow_real(error).next_up());
    let lower = (held - slack).next_down();
    Projection {
        distance: held,
        lower,
        upper: (held + slack).next_up(),
        nearest: narrow(turned(nearest) + widen(pose.translation())),
        normal: narrow(turned(normal)),
        feature,
        contact: Contact::of(held, lower, sigma(narrow_real(size))),
        end: End::Converged,
    }
}

/// The point of a height field nearest to a point. A field is a surface: the distance is never negative. The feature is the triangle.
pub fn project_on_height_field(field: &HeightField, pose: &Pose, point: Vec3) -> Projection {
    let (local, size, error) = to_local(pose, point, field.bounding_radius());
    let mut best: Option<(f64, u64, DVec3, FieldNode)> = None;
    front_to_back(
        field.root(),
        f64::INFINITY,
        |node, visit| field.children(node, visit),
        |node| gap(field.node_box(node), local) - error,
        |node| {
            if let Some(corners) = field.leaf(node) {
                let foot = foot(&Prepared::new(corners.map(widen)), local);
                let key = (foot.distance(local), node.packed());
                if best.is_none_or(|(distance, number, ..)| key < (distance, number)) {
                    best = Some((key.0, key.1, foot, node));
                }
            }
            best.map_or(f64::INFINITY, |(distance, ..)| distance)
        },
    );
    let found =
        best.and_then(|(distance, _, foot, node)| Some((distance, foot, field.leaf(node)?, field.leaf_number(node)?)));
    let Some((distance, near, corners, number)) = found else {
        return super::project::unknown(point);
    };
    let away = (local - near) / distance;
    let normal = if distance > error { away } else { outward(corners.map(widen)).unwrap_or(DVec3::Z) };
    projected(pose, [distance, error, size], near, normal, Feature::face(number))
}

/// The point of a point cloud nearest to a point: of the ball of the nearest point. Inside of several balls the distance is a local
/// measure, minus the largest depth in a ball; `lower` is how far the surface is at most.
pub fn project_on_cloud(cloud: &PointCloud, pose: &Pose, point: Vec3) -> Projection {
    let (local, size, error) = to_local(pose, point, cloud.bounding_radius());
    let mut best: Option<(f64, u32, DVec3)> = None;
    front_to_back(
        cloud.root(),
        f64::INFINITY,
        |node, visit| cloud.children(node, visit),
        |node| gap(cloud.node_box(node), local),
        |node| {
            if let CloudNode::Point(place) = node {
                let (p, number) = cloud.at(place);
                let key = (widen(p).distance(local), number);
                if best.is_none_or(|(distance, old, _)| key < (distance, old)) {
                    best = Some((key.0, number, widen(p)));
                }
            }
            best.map_or(f64::INFINITY, |(distance, ..)| distance)
        },
    );
    let Some((apart, number, middle)) = best else {
        return super::project::unknown(point);
    };
    let radius = widen_real(cloud.radius());
    let normal = (local - middle).try_normalize().unwrap_or(DVec3::Z);
    let nearest = middle + normal * radius;
    let near = projected(pose, [apart - radius, error, size], nearest, normal, Feature::vertex(number));
    if near.distance >= 0.0 {
        return near;
    }
    let bounds = cloud.aabb(pose);
    let way = (bounds.max - point).min(point - bounds.min).min_element().max(-near.lower);
    Projection { lower: -(way + sigma(narrow_real(size))).next_up(), ..near }
}
