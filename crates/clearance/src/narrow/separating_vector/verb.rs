//! `overlap_by`: the whole algorithm, from the last frame to the distance that decides what is too close to call.

use super::coherence::{still_apart, still_meeting};
use super::options::{Options, Steps};
use super::search::decide;
use crate::answer::{End, Overlap, Witness};
use crate::math::{Pose, Vec3, unit_or};
use crate::narrow::gjk::{Start, SupportPlane};
use crate::narrow::pair::Pair;
use crate::narrow::sa_gjk::Answer;
use crate::narrow::simplex::Simplex;
use crate::narrow::witness::{common, separation};
use crate::narrow::{PairCache, overlap};
use crate::shape::{Core, Shape};
use crate::support::VertexId;

/// [`overlap`](crate::overlap()) by the separating vector algorithm; also says how the search went.
///
/// ```
/// use clearance::study::PairCache;
/// use clearance::study::separating_vector::{Options, overlap_by};
/// use clearance::{Pose, Shape};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let mut cache = PairCache::default();
/// for (x, meets) in [(2.5, false), (1.5, true)] {
///     let pose = Pose::from_translation([x, 0.0, 0.0])?;
///     let (answer, steps) = overlap_by(&Options::default(), &cube, &Pose::IDENTITY, &cube, &pose, &mut cache);
///     assert_eq!(answer.overlap, meets);
///     assert!(steps.k <= 64);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap_by(
    options: &Options,
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> (Overlap, Steps) {
    if let Some(answer) = still_apart(a, pose_a, b, pose_b, cache) {
        return (answer, Steps { k: 1, ..Steps::default() });
    }
    let (answer, mut steps) = search_anew(options, a, pose_a, b, pose_b, cache);
    let decided = answer.unwrap_or_else(|| {
        steps.by_distance = true;
        let answer = overlap(a, pose_a, b, pose_b, cache);
        Overlap { iterations: answer.iterations + steps.k, ..answer }
    });
    (decided, steps)
}

/// [`overlap_by`] by separating vectors and nothing else. What is too close to call counts as touching, and ends with [`End::Degenerate`] and
/// with a point of each body as its witness.
///
/// ```
/// use clearance::study::PairCache;
/// use clearance::study::separating_vector::{Options, overlap_by};
/// use clearance::{End, Pose, Shape};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let pose = Pose::from_translation([2.5, 0.0, 0.0])?;
/// let (answer, steps) =
///     overlap_by(&Options::default(), &cube, &Pose::IDENTITY, &cube, &pose, &mut PairCache::default());
/// assert!(!answer.overlap && answer.end == End::Converged && !steps.by_distance);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap_alone(
    options: &Options,
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> (Overlap, Steps) {
    if let Some(answer) = still_apart(a, pose_a, b, pose_b, cache) {
        return (answer, Steps { k: 1, ..Steps::default() });
    }
    let (answer, mut steps) = search_anew(options, a, pose_a, b, pose_b, cache);
    let decided = answer.unwrap_or_else(|| {
        let pair = Pair::new(a, pose_a, b, pose_b);
        let direction = pose_a.direction_to_local(cache.direction);
        let w = pair.m.lowest(direction, cache.corners[0]);
        steps.k += 1;
        let unit = unit_or(direction, Vec3::X);
        let points = [w.a + unit * a.radius(), w.a + w.m - unit * b.radius()].map(|p| pose_a.point(p));
        Overlap { overlap: true, witness: Witness::Points(points), end: End::Degenerate, iterations: steps.k }
    });
    (decided, steps)
}

/// Nothing if it is too close to call.
#[inline(never)]
fn search_anew(
    options: &Options,
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> (Option<Overlap>, Steps) {
    let pair = Pair::new(a, pose_a, b, pose_b);
    if let Some(simplex) = still_meeting(&pair, cache) {
        return (Some(meeting(a, pose_a, b, &simplex, 0)), Steps::default());
    }
    let start = if cache.warm { pair.start(cache, pose_a) } else { between_centroids(&pair) };
    let verdict = decide(&pair.m, &start, options, pair.margin + pair.sigma, pair.size);
    let steps = verdict.steps;
    let direction = pose_a.direction(verdict.direction);
    let answer = match verdict.answer {
        Answer::Apart(plane) => {
            cache.remember(direction, &[], verdict.hints);
            let SupportPlane { bound, .. } = plane;
            let witness = separation(a, pose_a, &plane, bound - pair.margin);
            Some(Overlap { overlap: false, witness, end: End::Converged, iterations: steps.k })
        }
        Answer::Meeting(simplex) => {
            cache.remember(direction, simplex.vertices(), verdict.hints);
            Some(meeting(a, pose_a, b, &simplex, steps.k))
        }
        Answer::Unclear(_) => {
            cache.remember(direction, &[], verdict.hints);
            None
        }
    };
    (answer, steps)
}

fn meeting(a: &Shape, pose_a: &Pose, b: &Shape, simplex: &Simplex, iterations: u32) -> Overlap {
    let witness = Witness::Point(pose_a.point(common(a, b, simplex.points())));
    Overlap { overlap: true, witness, end: End::Converged, iterations }
}

/// From centroid to centroid (section 3.4). Other shapes than polytopes have theirs at the origin, or near it.
fn between_centroids(pair: &Pair<'_>) -> Start {
    let centroid = |core: &Core| if let Core::Polytope(polytope) = core { polytope.centroid() } else { Vec3::ZERO };
    let m = &pair.m;
    let direction = m.rotation * centroid(m.b) + m.translation - centroid(m.a);
    Start { direction: unit_or(direction, Vec3::X), hints: [VertexId::NONE; 2] }
}
