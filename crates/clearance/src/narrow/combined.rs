//! The combined algorithm: a boolean per frame and, when a collision begins, the nearest points of the last frame apart.
//!
//! Q_COLLIDE, section 5.5 and Appendix III (erratum 6). A simulation needs nearest points only for its response to a
//! collision, and then those of the frame before it. So a frame apart costs one step of the separating vector algorithm, and the
//! improved Gilbert algorithm runs once per collision, at the poses saved from the last frame apart, from the vertices that
//! the boolean ended with.
//!
//! Departures: the vertices handed over are those of the tetrahedron that proves the collision, of which the repeated
//! vertices of Appendix III are a part if there are any. Of Gilbert's result the direction is kept for the next frame, as the
//! thesis has it, but the vertices stay those of the tetrahedron: a body that stays in collision is then known to do so
//! without a search.

use super::PairCache;
use super::gjk::SubAlgorithm;
use super::separating_vector::{Options, Steps, overlap_alone, overlap_by};
use super::{gilbert, named};
use crate::answer::{Closest, Overlap};
use crate::math::Pose;
use crate::shape::Shape;

/// What a pair remembers from frame to frame. Plain data; cold by default.
#[derive(Debug, Clone, Copy, Default)]
pub struct CombinedCache {
    /// For the boolean, and shared with every other query of the pair.
    pub pair: PairCache,
    /// The poses of the two bodies in the last frame in which they were apart.
    pub last_apart: Option<[Pose; 2]>,
    /// Whether they met in the last frame.
    pub meeting: bool,
}

/// The answer for one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Whether the bodies meet, and why.
    pub overlap: Overlap,
    /// How the boolean was found.
    pub steps: Steps,
    /// In the frame in which a collision begins: their nearest points in the last frame apart, at the poses they had then.
    pub before: Option<Closest>,
}

/// Asks about one frame of two moving bodies.
///
/// ```
/// use clearance::study::combined::{CombinedCache, frame};
/// use clearance::{Pose, Shape};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let mut cache = CombinedCache::default();
/// let mut at = |x| {
///     let pose = Pose::from_translation([x, 0.0, 0.0])?;
///     Ok::<_, clearance::PoseError>(frame(&cube, &Pose::IDENTITY, &cube, &pose, &mut cache))
/// };
/// assert!(!at(2.25)?.overlap.overlap);
/// let hit = at(1.75)?;
/// assert!(hit.overlap.overlap && hit.before.is_some_and(|near| near.distance == 0.25));
/// assert!(at(1.5)?.before.is_none()); // still the same collision
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn frame(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut CombinedCache) -> Frame {
    let found = overlap_by(&Options::default(), a, pose_a, b, pose_b, &mut cache.pair);
    followed(found, [pose_a, pose_b], cache, |cache| before(a, b, cache))
}

/// [`frame`] by separating vectors and Gilbert's algorithm and nothing else. What is too close to call counts as touching and ends with
/// [`End::Degenerate`](crate::End::Degenerate).
pub fn frame_alone(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut CombinedCache) -> Frame {
    let found = overlap_alone(&Options::default(), a, pose_a, b, pose_b, &mut cache.pair);
    followed(found, [pose_a, pose_b], cache, |cache| before_alone(a, b, cache))
}

/// A frame from its boolean.
fn followed(
    (overlap, steps): (Overlap, Steps),
    [pose_a, pose_b]: [&Pose; 2],
    cache: &mut CombinedCache,
    before: impl FnOnce(&mut CombinedCache) -> Option<Closest>,
) -> Frame {
    let begins = overlap.overlap && !cache.meeting;
    cache.meeting = overlap.overlap;
    if !overlap.overlap {
        cache.last_apart = Some([*pose_a, *pose_b]);
    }
    let before = if begins { before(cache) } else { None };
    Frame { overlap, steps, before }
}

/// The nearest points of the last frame apart, if there was one: also during a collision.
pub fn before(a: &Shape, b: &Shape, cache: &mut CombinedCache) -> Option<Closest> {
    let [pose_a, pose_b] = cache.last_apart?;
    let mut from_collision = cache.pair;
    let near = gilbert::closest(a, &pose_a, b, &pose_b, &mut from_collision);
    cache.pair.direction = from_collision.direction;
    Some(near)
}

/// [`before`] by Gilbert's algorithm and nothing else.
pub fn before_alone(a: &Shape, b: &Shape, cache: &mut CombinedCache) -> Option<Closest> {
    let [pose_a, pose_b] = cache.last_apart?;
    let mut from_collision = cache.pair;
    let near = named::closest_by(SubAlgorithm::Johnson, a, &pose_a, b, &pose_b, &mut from_collision);
    cache.pair.direction = from_collision.direction;
    Some(near)
}
