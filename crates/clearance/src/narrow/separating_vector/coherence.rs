//! What the last frame knows about this one: its plane and its tetrahedron, asked before any search.

use super::existence::enclosing;
use crate::answer::{End, Overlap, Witness};
use crate::math::{Pose, Real, pair_size};
use crate::narrow::PairCache;
use crate::narrow::pair::Pair;
use crate::narrow::simplex::Simplex;
use crate::shape::Shape;
use crate::support::Support;
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
    cache.corners[0] = [on_a.vertex, on_b.vertex];
    let up_to_a = in_a.dot(on_a.point);
    let along = direction.dot(translation) + in_b.dot(on_b.point) - up_to_a;
    let margin = a.radius() + b.radius();
    let error = sigma(pair_size([a.bounding_radius(), b.bounding_radius()], translation));
    let is_beyond = |gap: Real| along > 0.0 && along * along > gap * gap * square;
    if !is_beyond(margin + CLOSE_SIGMAS * error) {
        // Flat faces that all but touch are decided as from a cold start.
        let is_flat = a.core().is_polyhedral() && b.core().is_polyhedral();
        if is_flat || !is_beyond(margin + error) {
            return None;
        }
    }
    let scale = 1.0 / square.sqrt();
    let offset_a = (up_to_a + direction.dot(pose_a.translation())) * scale + a.radius();
    let witness = Witness::Plane { normal: direction * scale, offset_a, offset_b: offset_a + (along * scale - margin) };
    Some(Overlap { overlap: false, witness, end: End::Converged, iterations: 1 })
}

/// The tetrahedron of the last frame, if it still has the origin inside.
pub(in crate::narrow) fn still_meeting(pair: &Pair<'_>, cache: &PairCache) -> Option<Simplex> {
    if cache.len < 4 {
        return None;
    }
    let corners = pair.warm_simplex(cache).into_inner().ok()?;
    enclosing(corners, pair.size)
}
