//! The separating vector algorithm: whether two bodies meet, by turning a plane between them.
//!
//! Q_COLLIDE (Chung 1996), chapters 3 and 4 and Appendix I. A direction `s` is asked for the lowest point `m` of M = B − A. If
//! `s · m` is positive, the bodies are apart; else `s` is turned away from `m`: mirrored (3.2), which finds the answer for two
//! balls in one step; only until it is at a right angle to `m` (3.5); or in between (3.9). Every such turn brings it nearer to
//! every separating vector (Lemmas 2, 5 and 7). The points `m` are collected; when no plane has them all on one side, four of
//! them enclose the origin and the bodies meet.
//!
//! Lemma 3 says that the same point in two steps in a row means apart, Lemma 8 the same of any point seen before that is found
//! again along `w`, a direction on whose side all points are. Rounding can contradict both, so neither is trusted: the
//! plane is asked, as in every step, and counts only if it separates by more than the error of a support. A point seen before
//! restarts the search from `w`, and so does a plane that separates by less than the error; a second time in a row the
//! question is too close to call. With (3.5) a point that repeats lies in the plane by construction, which proves nothing, and
//! the restart decides.
//!
//! Collisions are certain too: the four points enclose the origin by more than they can be off, in f64 whatever the
//! build's precision. A point `m` that is the origin to within the error (erratum 4) is a collision by itself.
//!
//! What is left goes to the distance, as in [`overlap`](crate::overlap()). It ends: at most [`STEP_LIMIT`] steps.
//!
//! Departures: a list of the points seen instead of an array of time stamps for all pairs of vertices, and none in the shapes
//! (errata 7 and 8). A frame of a pair that stays apart needs no relative pose, only the cached direction in both frames. A
//! pair that stays together has the tetrahedron of the last frame asked first, which needs no support at all.

mod existence;
mod half_planes;
mod hemisphere;
mod search;

pub use existence::Existence;
pub use search::{Verdict, decide};

use super::End;
use super::PairCache;
use super::gjk::{Start, SupportPlane};
use super::pair::{Pair, overlap, separation};
use super::sa_gjk::Answer;
use super::simplex::Simplex;
use super::witness::common;
use crate::answer::{Overlap, Witness};
use crate::math::{Pose, Real, Vec3, unit_or};
use crate::shape::{Core, Shape};
use crate::support::{Support, VertexId};
use crate::tolerance::{SAFE_SQUARE_MAX, SAFE_SQUARE_MIN, sigma};

/// Steps before the question is handed on. The thesis counts up to 55, for rods of 1,000 vertices (figure 6.5).
pub const STEP_LIMIT: usize = 64;

/// How the next direction is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Rule {
    /// Mirrored at the plane across the point found (3.2).
    #[default]
    Greedy,
    /// Turned until it is at a right angle to the point found (3.5).
    Conservative,
    /// Between the two (3.9): this share, from 0 to 1, of the greedy one.
    Blended(Real),
}

/// How the search is done.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Options {
    /// How the next direction is chosen.
    pub rule: Rule,
    /// How it is found out that no separating plane exists.
    pub existence: Existence,
}

/// How a search went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Steps {
    /// Directions tried: k in the thesis. Zero if the tetrahedron of the last frame still had the origin inside.
    pub k: u32,
    /// How often the search was restarted from `w` (Lemma 8).
    pub restarts: u32,
    /// Whether it was too close to call, and the distance decided.
    pub by_distance: bool,
}

/// [`overlap`](crate::overlap()) by the separating vector algorithm; also says how the search went.
///
/// ```
/// use clearance::narrow::separating_vector::{Options, overlap_by};
/// use clearance::{PairCache, Pose, Shape};
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
    search_anew(options, a, pose_a, b, pose_b, cache)
}

/// Whether the cached direction still separates the bodies. All that a frame apart costs: two turned directions, two climbs
/// from the last vertices, three products.
///
/// The value of the support is off by less than `tolerance::sigma`: each turned direction by 3u, its product with a
/// vertex by 3u and the choice of the vertex by 6u of the body's size, the product with the translation by 4u of its length.
#[inline]
pub(super) fn still_apart(
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
    let size = a.bounding_radius() + b.bounding_radius() + translation.abs().element_sum();
    let enough = margin + sigma(size);
    if !(along > 0.0 && along * along > enough * enough * square) {
        return None;
    }
    let scale = 1.0 / square.sqrt();
    let offset_a = (up_to_a + direction.dot(pose_a.translation())) * scale + a.radius();
    let witness = Witness::Plane { normal: direction * scale, offset_a, offset_b: offset_a + (along * scale - margin) };
    Some(Overlap { overlap: false, witness, end: End::Converged, iterations: 1 })
}

/// The tetrahedron of the last frame, if it still has the origin inside.
pub(super) fn still_meeting(pair: &Pair<'_>, cache: &PairCache) -> Option<Simplex> {
    if cache.len < 4 {
        return None;
    }
    let corners = pair.warm_simplex(cache).into_inner().ok()?;
    existence::enclosing(corners, pair.size)
}

#[inline(never)]
fn search_anew(
    options: &Options,
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> (Overlap, Steps) {
    let pair = Pair::new(a, pose_a, b, pose_b);
    if let Some(simplex) = still_meeting(&pair, cache) {
        return (meeting(a, pose_a, b, &simplex, 0), Steps::default());
    }
    let start = if cache.warm { pair.start(cache, pose_a) } else { between_centroids(&pair) };
    let verdict = decide(&pair.m, &start, options, pair.margin + pair.sigma, pair.size);
    let mut steps = verdict.steps;
    let direction = pose_a.direction(verdict.direction);
    let answer = match verdict.answer {
        Answer::Apart(plane) => {
            cache.remember(direction, &[], verdict.hints);
            let SupportPlane { bound, .. } = plane;
            let witness = separation(a, pose_a, &plane, bound - pair.margin);
            Overlap { overlap: false, witness, end: End::Converged, iterations: steps.k }
        }
        Answer::Meeting(simplex) => {
            cache.remember(direction, simplex.vertices(), verdict.hints);
            meeting(a, pose_a, b, &simplex, steps.k)
        }
        Answer::Unclear(_) => {
            steps.by_distance = true;
            cache.remember(direction, &[], verdict.hints);
            let answer = overlap(a, pose_a, b, pose_b, cache);
            Overlap { iterations: answer.iterations + steps.k, ..answer }
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
