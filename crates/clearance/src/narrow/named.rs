//! GJK, its boolean and its swept kind by their own names: that algorithm and nothing else.
//!
//! The verbs put formulas in front of GJK, Newton's steps behind it, and ask again where it fails. Here a run is a run: of cold or remembered
//! corners, on the cores with the radii as a margin, to the end that it finds. What it cannot decide ends as [`End::Degenerate`] or
//! [`End::IterationLimit`], with the bounds that the supports seen so far give: `lower` is that of the best plane, `upper` that of the
//! nearest point of the simplex, which is a point of the difference whatever the rounding. `iterations` counts every support of each body.
//!
//! It ends because a run of GJK does, and the expanding polytope after it.

use glam::DVec3;

use super::closest::{in_the_world, of_depth};
use super::epa;
use super::gjk::{self, Gjk, Goal, Start, State, SubAlgorithm};
use super::local::Local;
use super::pair::Pair;
use super::witness::{aligned, common, separation};
use super::{Closest, End, Overlap, PairCache, Witness};
use crate::math::{Pose, Real, length, narrow};
use crate::shape::Shape;
use crate::tolerance::RELATIVE_DEPTH_GAP;

/// Whether two bodies share a point, by SA-GJK and nothing else (implicit-objects thesis, Algorithm 4). Touching counts. A run that rounding
/// ends before it is certain counts as touching, too: it ends with [`End::Degenerate`], and a point of each body is its witness.
///
/// ```
/// use clearance::study::{PairCache, sa_gjk};
/// use clearance::{Pose, Shape};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let pose = Pose::from_translation([2.5, 0.25, 0.0])?;
/// let answer = sa_gjk::overlap(&cube, &Pose::IDENTITY, &cube, &pose, &mut PairCache::default());
/// assert!(!answer.overlap && answer.iterations > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Overlap {
    decided(a, pose_a, b, pose_b, cache).2
}

/// A run of SA-GJK and what it says.
fn decided<'s>(
    a: &'s Shape,
    pose_a: &Pose,
    b: &'s Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> (Pair<'s>, Gjk, Overlap) {
    let pair = Pair::new(a, pose_a, b, pose_b);
    let start = pair.start(cache, pose_a);
    let gjk = gjk::run(&pair.m, &start, &pair.warm_simplex(cache), &pair.goal(true));
    let bound = gjk.plane.bound - pair.margin;
    let is_apart = bound > pair.sigma;
    let direction = if is_apart { gjk.plane.direction } else { start.direction };
    cache.remember(pose_a.direction(direction), gjk.simplex.vertices(), gjk.hints);
    let points = gjk.simplex.points();
    let is_known = gjk.state == State::Meeting || gjk.upper() <= pair.margin + pair.sigma;
    let (witness, end) = match (is_apart, is_known) {
        (true, _) => (separation(a, pose_a, &gjk.plane, bound), End::Converged),
        (_, true) => (Witness::Point(pose_a.point(common(a, b, points))), End::Converged),
        _ => {
            let end = if gjk.end == End::IterationLimit { gjk.end } else { End::Degenerate };
            (Witness::Points(points.map(|p| pose_a.point(p))), end)
        }
    };
    let iterations = gjk.iterations;
    (pair, gjk, Overlap { overlap: !is_apart, witness, end, iterations })
}

/// The signed distance of two bodies by GJK with the given sub-algorithm, and by the expanding polytope if their cores meet; nothing else.
///
/// ```
/// use clearance::study::PairCache;
/// use clearance::study::gjk::{SubAlgorithm, closest_by};
/// use clearance::{Pose, Shape};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// for (x, distance) in [(2.5, 0.5), (1.5, -0.5)] {
///     let pose = Pose::from_translation([x, 0.25, 0.0])?;
///     let near = closest_by(SubAlgorithm::Regions, &cube, &Pose::IDENTITY, &cube, &pose, &mut PairCache::default());
///     assert!((near.distance - distance).abs() < 1e-5 && near.iterations > 0);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest_by(
    way: SubAlgorithm,
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> Closest {
    let (pair, gjk) = run(way, a, pose_a, b, pose_b, cache);
    let local = answered(&pair, &gjk);
    cache.remember(pose_a.direction(local.normal), gjk.simplex.vertices(), gjk.hints);
    in_the_world(local, pair.sigma, a, pose_a, b)
}

/// The distance of two bodies by GJK with the given sub-algorithm; nothing if their cores meet, but for the number of supports.
///
/// # Errors
/// The number of supports after which the cores were found to meet.
pub fn distance_by(
    way: SubAlgorithm,
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> Result<Closest, u32> {
    let (pair, gjk) = run(way, a, pose_a, b, pose_b, cache);
    if gjk.state == State::Meeting {
        return Err(gjk.iterations);
    }
    let local = apart(&pair, &gjk);
    cache.remember(pose_a.direction(local.normal), gjk.simplex.vertices(), gjk.hints);
    Ok(in_the_world(local, pair.sigma, a, pose_a, b))
}

/// The depth of two bodies by SA-GJK and the expanding polytope from its last simplex (implicit-objects thesis, sections 2.5 and 4.1). Rounded
/// bodies whose cores do not meet take a distance run instead, as in Algorithm 5.
///
/// # Errors
/// Bodies that are apart have no depth: the boolean with its separating plane.
///
/// ```
/// use clearance::study::{PairCache, epa};
/// use clearance::{Pose, Shape};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let at = |x| Pose::from_translation([x, 0.25, 0.0]);
/// let deep = epa::depth(&cube, &Pose::IDENTITY, &cube, &at(1.5)?, &mut PairCache::default());
/// assert!(deep.is_ok_and(|deep| (deep.distance + 0.5).abs() < 1e-5));
/// assert!(epa::depth(&cube, &Pose::IDENTITY, &cube, &at(2.5)?, &mut PairCache::default()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn depth(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Result<Closest, Overlap> {
    let (pair, mut gjk, boolean) = decided(a, pose_a, b, pose_b, cache);
    if !boolean.overlap {
        return Err(boolean);
    }
    if gjk.state == State::Apart {
        let first = gjk.iterations;
        let start = Start { direction: narrow(gjk.nearest), hints: gjk.hints };
        gjk = gjk::run(&pair.m, &start, gjk.simplex.vertices(), &pair.goal(false));
        gjk.iterations += first;
    }
    Ok(in_the_world(answered(&pair, &gjk), pair.sigma, a, pose_a, b))
}

/// [`closest_by`] as the improved Gilbert algorithm has it: with Johnson's sub-algorithm and the corners of the last frame.
pub fn gilbert(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Closest {
    closest_by(SubAlgorithm::Johnson, a, pose_a, b, pose_b, cache)
}

/// The signed distance of two bodies swept by a ball of the given radius each, by GJK on the bodies themselves (implicit-objects thesis,
/// Algorithm 5): shallow overlaps of the swept bodies, up to twice the radius, take no more than a distance. Deeper ones take the expanding
/// polytope, to whose depth the margin of both is added, so that the answer has no step where one takes over (erratum 3).
///
/// ```
/// use clearance::study::{PairCache, swept_gjk};
/// use clearance::{Pose, Shape};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let pose = Pose::from_translation([2.125, 0.25, 0.0])?;
/// let near = swept_gjk::closest(0.125, &cube, &Pose::IDENTITY, &cube, &pose, &mut PairCache::default());
/// assert!((near.distance + 0.125).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn swept(radius: Real, a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Closest {
    let mut near = closest_by(SubAlgorithm::Regions, a, pose_a, b, pose_b, cache);
    let margin = 2.0 * radius;
    (near.distance, near.lower, near.upper) = (near.distance - margin, near.lower - margin, near.upper - margin);
    near.points = [near.points[0] + near.normal * radius, near.points[1] - near.normal * radius];
    let sigma = Pair::new(a, pose_a, b, pose_b).sigma;
    near.contact = crate::answer::Contact::of(near.distance, near.lower, sigma);
    near
}

fn run<'s>(
    way: SubAlgorithm,
    a: &'s Shape,
    pose_a: &Pose,
    b: &'s Shape,
    pose_b: &Pose,
    cache: &PairCache,
) -> (Pair<'s>, Gjk) {
    let pair = Pair::new(a, pose_a, b, pose_b);
    let goal = Goal { sub_algorithm: way, ..pair.goal(false) };
    let gjk = gjk::run(&pair.m, &pair.start(cache, pose_a), &pair.warm_simplex(cache), &goal);
    (pair, gjk)
}

/// The answer of a run, with the margin taken off; points are those of the cores.
fn apart(pair: &Pair<'_>, gjk: &Gjk) -> Local {
    let points = gjk.simplex.points();
    let upper = gjk.upper().max(length(points[1] - points[0]));
    let normal = narrow(gjk.nearest.normalize_or(DVec3::X));
    Local {
        distance: upper - pair.margin,
        lower: gjk.plane.bound.min(upper) - pair.sigma - pair.margin,
        upper: upper + pair.sigma - pair.margin,
        points: aligned(points, normal * upper),
        normal,
        end: gjk.end,
        iterations: gjk.iterations,
    }
}

/// The depth of cores that meet, else their distance.
fn answered(pair: &Pair<'_>, gjk: &Gjk) -> Local {
    if gjk.state == State::Meeting { by_polytope(pair, gjk) } else { apart(pair, gjk) }
}

fn by_polytope(pair: &Pair<'_>, gjk: &Gjk) -> Local {
    let gap = if pair.flat { 0.0 } else { RELATIVE_DEPTH_GAP };
    of_depth(pair, gjk, &epa::depth_alone(&pair.m, &gjk.simplex, pair.sigma, gap))
}
