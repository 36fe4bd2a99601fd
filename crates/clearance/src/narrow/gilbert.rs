//! The improved Gilbert algorithm: the signed distance with Johnson's sub-algorithm and all that coherence offers.
//!
//! Q_COLLIDE, section 5.4 and Appendix II: Gilbert's iteration from the simplex of the last frame, the nearest point of a
//! simplex by Johnson's determinants with the back-up procedure (5.2), and supports by climbing from the last vertices.
//!
//! Departures. The iteration is that of [`gjk`](super::gjk), which is Gilbert's with any sub-algorithm. It ends on the
//! duality gap (erratum 2) besides on a support that appears again. Bodies that overlap get their depth from the expanding
//! polytope, as in [`closest`](crate::closest()).

use super::PairCache;
use super::closest::closest_by;
use super::gjk::SubAlgorithm;
use crate::answer::Closest;
use crate::math::Pose;
use crate::shape::Shape;

/// [`closest`](crate::closest()) by the improved Gilbert algorithm.
///
/// ```
/// use clearance::study::{PairCache, gilbert};
/// use clearance::{Pose, Shape};
/// let (cube, ball) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::sphere(0.5)?);
/// let mut cache = PairCache::default();
/// let pose = Pose::from_translation([3.0, 0.0, 0.0])?;
/// let near = gilbert::closest(&cube, &Pose::IDENTITY, &ball, &pose, &mut cache);
/// assert!((near.distance - 1.5).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Closest {
    closest_by(SubAlgorithm::Johnson, a, pose_a, b, pose_b, cache)
}
