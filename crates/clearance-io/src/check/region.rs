//! What two bodies that overlap have in common: the kind of the clash, the intersection curve, the box of the overlap and its volume.
//!
//! Of two solids the library's `intersection` tells all of it. A surface that is open has no volume in common with anything: there the kind is
//! told by what the other verbs say. *Duplicate* if both surfaces lie on each other; *contained* if the one's surface does not cut the
//! other and a point of the other is inside; *protruding* if a vertex of one is inside the other; *piercing* if none is, so that edges
//! go through faces only.

use clearance::{Aabb, Body, Cache, Contact, Cut, Pose, Vec3, closest, intersection, project};

use super::finding::Kind;
use crate::scene::Geometry;
use crate::tolerance::{DUPLICATE, ON_SURFACE};

/// Vertices of a body that are looked at, at most, evenly chosen.
const MOST_VERTICES: usize = 4096;

/// What two bodies have in common.
#[derive(Debug, Clone)]
pub struct Region {
    /// The kind of the clash.
    pub kind: Kind,
    /// The intersection curve, as polylines; closed ones repeat their first point.
    pub curve: Vec<Vec<Vec3>>,
    /// A box around the overlap.
    pub bounds: Option<Aabb>,
    /// Bounds of its volume.
    pub volume: Option<[f64; 2]>,
}

/// The region that two bodies which overlap have in common.
pub(super) fn region(geometry: [&Geometry; 2], poses: [&Pose; 2]) -> Region {
    let common = match [geometry[0].body(), geometry[1].body()] {
        [Ok(a), Ok(b)] => intersection(a, poses[0], b, poses[1]),
        _ => None,
    };
    let Some(common) = common else {
        return Region { kind: kind(geometry, poses), curve: Vec::new(), bounds: None, volume: None };
    };
    let kind = match common.cut {
        Some(Cut::Piercing) => Kind::Piercing,
        Some(Cut::Protruding) => Kind::Protruding,
        Some(Cut::InsideA | Cut::InsideB) => Kind::Contained,
        Some(Cut::Duplicate) => Kind::Duplicate,
        None => kind(geometry, poses),
    };
    Region { kind, curve: common.curves, bounds: Some(common.bounds), volume: Some(common.volume) }
}

fn kind(geometry: [&Geometry; 2], poses: [&Pose; 2]) -> Kind {
    let (Ok(a), Ok(b)) = (geometry[0].body(), geometry[1].body()) else { return Kind::Protruding };
    let size = a.bounding_radius() + b.bounding_radius();
    let places = [0, 1].map(|i| places(&geometry[i].surface.vertices, poses[i]));
    let reach = |points: &[Vec3], body: &Body, pose: &Pose| {
        let signed = points.iter().map(|point| project(body, pose, *point, &mut Cache::default()).distance);
        signed.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], d| [least.min(d), most.max(d)])
    };
    let (of_a, of_b) = (reach(&places[0], b, poses[1]), reach(&places[1], a, poses[0]));
    let on = |[least, most]: [f64; 2]| least >= -DUPLICATE * size && most <= DUPLICATE * size;
    if on(of_a) && on(of_b) {
        return Kind::Duplicate;
    }
    let within = [(0, 1, of_a), (1, 0, of_b)].into_iter().any(|(inner, outer, [_, most])| {
        most <= ON_SURFACE * size && is_whole(geometry[inner], poses[inner], geometry[outer], poses[outer])
    });
    if within {
        Kind::Contained
    } else if of_a[0].min(of_b[0]) < -ON_SURFACE * size {
        Kind::Protruding
    } else {
        Kind::Piercing
    }
}

/// Whether the outer surface leaves the inner body whole.
fn is_whole(inner: &Geometry, inner_pose: &Pose, outer: &Geometry, outer_pose: &Pose) -> bool {
    let (Ok(body), Some(shell)) = (inner.body(), outer.shell()) else { return false };
    closest(body, inner_pose, shell, outer_pose, &mut Cache::default()).contact != Contact::Overlapping
}

/// Vertices in their place: all, or evenly chosen ones.
fn places(vertices: &[Vec3], pose: &Pose) -> Vec<Vec3> {
    let every = vertices.len().div_ceil(MOST_VERTICES).max(1);
    vertices.iter().step_by(every).map(|vertex| pose.point(*vertex)).collect()
}
