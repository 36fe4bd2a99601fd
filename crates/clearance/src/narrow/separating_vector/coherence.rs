//! What the last frame knows about this one: its plane and its tetrahedron, asked before any search.

use super::existence::enclosing;
use crate::answer::{End, Overlap, Witness};
use crate::math::{Pose, Real, Vec3, pair_size};
use crate::narrow::PairCache;
use crate::narrow::pair::Pair;
use crate::narrow::simplex::Simplex;
use crate::shape::Shape;
use crate::support::{Support, VertexId};
use crate::tolerance::{CLOSE_SIGMAS, SAFE_SQUARE_MAX, SAFE_SQUARE_MIN, sigma};

/// Whether the cached direction still separates the bodies. All that a frame apart costs: two turned directions, two climbs
/// from the last vertices, three products.
///
/// The value of the support is off by less than `tolerance::sigma`: each turned direction by 3u, its product with a
/// vertex by 3u and the choice of the vertex by 6u of the body's size, the product with the translation by 4u of its length.
#[inline]
pub(in crate::narrow) fn still_apart(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> Option<Overlap> {
    let plane = LastPlane::of(a, pose_a, b, pose_b, cache)?;
    cache.corners[0] = plane.vertices;
    let LastPlane { direction, square, along, up_to_a, .. } = plane;
    let margin = a.radius() + b.radius();
    let is_beyond = |gap: Real| along > 0.0 && along * along > gap * gap * square;
    if !is_beyond(margin + CLOSE_SIGMAS * plane.sigma) {
        // Flat faces that all but touch are decided as from a cold start.
        let is_flat = a.core().is_polyhedral() && b.core().is_polyhedral();
        if is_flat || !is_beyond(margin + plane.sigma) {
            return None;
        }
    }
    let scale = 1.0 / square.sqrt();
    let offset_a = (up_to_a + direction.dot(pose_a.translation())) * scale + a.radius();
    let witness = Witness::Plane { normal: direction * scale, offset_a, offset_b: offset_a + (along * scale - margin) };
    Some(Overlap { overlap: false, witness, end: End::Converged, iterations: 1 })
}

/// A lower bound of the distance: how far the cached direction separates the bodies. Nothing if none is cached.
#[inline]
pub(crate) fn last_bound(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &PairCache) -> Option<Real> {
    let plane = LastPlane::of(a, pose_a, b, pose_b, cache)?;
    Some(plane.along / plane.square.sqrt() - a.radius() - b.radius() - plane.sigma)
}

/// The cores along the cached direction.
struct LastPlane {
    direction: Vec3,
    square: Real,
    /// How far the cores are apart along it, times its length.
    along: Real,
    /// How far A's core reaches along it from its origin, times its length.
    up_to_a: Real,
    /// The error of a unit direction's support value.
    sigma: Real,
    vertices: [VertexId; 2],
}

impl LastPlane {
    #[inline]
    fn of(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &PairCache) -> Option<Self> {
        if !cache.warm || cache.len == 4 {
            return None;
        }
        let direction = cache.direction;
        let square = direction.length_squared();
        if !(square > SAFE_SQUARE_MIN && square < SAFE_SQUARE_MAX) {
            return None;
        }
        let translation = pose_b.translation() - pose_a.translation();
        let (in_a, in_b) = (pose_a.direction_to_local(direction), pose_b.direction_to_local(direction));
        let [hint_a, hint_b] = cache.corners[0];
        let on_a = a.core().support(in_a, hint_a);
        let on_b = b.core().support(-in_b, hint_b);
        let up_to_a = in_a.dot(on_a.point);
        let along = direction.dot(translation) + in_b.dot(on_b.point) - up_to_a;
        let sigma = sigma(pair_size([a.bounding_radius(), b.bounding_radius()], translation));
        Some(Self { direction, square, along, up_to_a, sigma, vertices: [on_a.vertex, on_b.vertex] })
    }
}

/// The tetrahedron of the last frame, if it still has the origin inside.
pub(in crate::narrow) fn still_meeting(pair: &Pair<'_>, cache: &PairCache) -> Option<Simplex> {
    if cache.len < 4 {
        return None;
    }
    let corners = pair.warm_simplex(cache).into_inner().ok()?;
    enclosing(corners, pair.size)
}
