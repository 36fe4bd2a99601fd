//! Vertices against faces and edges against edges, every point moving on a straight line between two given places: exact.
//!
//! Both are one question. With e₁, e₂ two sides and w a point, all three linear in time: is w in the triangle (vertex against face)
//! or in the parallelogram (edge against edge: the Minkowski difference of the two) that e₁ and e₂ span at the origin?
//!
//! `filter` decides almost everything in floating point with error bounds; what it cannot tell, `exact` decides in integers.
//! The data are exact as given, features and the interval of time are closed, and touching is a hit: "no hit" is a guarantee,
//! and so is "hit". Degenerate features (a triangle without area, an edge without length, no motion, motion in one plane) are no
//! exception. The design follows what is common to the literature on exact continuous collision detection (roots of the
//! coplanarity cubic, then inside tests at the roots), but with signs of polynomials at algebraic numbers by Sturm's
//! theorem where others count crossings of a ray or subdivide to a tolerance.
//!
//! Invariants: same input, same bits; nothing is allocated before the exact stage. Why it ends: see the stages.

mod answer;
mod exact;
mod filter;
mod polynomial;
mod root;

use glam::DVec3;

use crate::math::{Vec3, narrow_real, widen, widen_real};
use crate::narrow::End;
use answer::Region;
pub use answer::{FeatureError, FeatureHit, Stage};
use filter::{Motion, Verdict};

/// A vertex, the first point, against a triangle, the other three: `t0` at the beginning, `t1` at the end.
///
/// ```
/// use clearance::Vec3;
/// use clearance::study::feature_ccd::vertex_face;
///
/// let [a, b, c] = [Vec3::ZERO, Vec3::X, Vec3::Y];
/// let at = |height: f64| [Vec3::new(0.25, 0.25, height), a, b, c];
/// let fall = vertex_face(at(1.0), at(-3.0))?;
/// assert!(fall.hit && fall.time <= 0.25 && fall.latest >= 0.25);
/// assert!(!vertex_face(at(1.0), at(1.0e-300))?.hit);
/// # Ok::<(), clearance::study::feature_ccd::FeatureError>(())
/// ```
///
/// # Errors
/// [`FeatureError`] if a coordinate is not finite.
pub fn vertex_face(t0: [Vec3; 4], t1: [Vec3; 4]) -> Result<FeatureHit, FeatureError> {
    let [p, q] = checked(t0, t1)?;
    if axis_separates(p, q, 1) {
        return Ok(free(Stage::Axis));
    }
    let difference = |to: usize, from: usize| [[p[to], p[from]], [q[to], q[from]]];
    Ok(decide([difference(2, 1), difference(3, 1), difference(0, 1)], Region::Triangle))
}

/// An edge, the first two points, against an edge, the last two: `t0` at the beginning, `t1` at the end.
///
/// ```
/// use clearance::Vec3;
/// use clearance::study::feature_ccd::edge_edge;
///
/// let at = |z: f64| [-Vec3::X, Vec3::X, Vec3::new(1.0, -1.0, z), Vec3::new(1.0, 1.0, z)];
/// assert!(edge_edge(at(1.0), at(-1.0))?.hit, "an end of the first edge is in the middle of the second");
/// # Ok::<(), clearance::study::feature_ccd::FeatureError>(())
/// ```
///
/// # Errors
/// [`FeatureError`] if a coordinate is not finite.
pub fn edge_edge(t0: [Vec3; 4], t1: [Vec3; 4]) -> Result<FeatureHit, FeatureError> {
    let [p, q] = checked(t0, t1)?;
    if axis_separates(p, q, 2) {
        return Ok(free(Stage::Axis));
    }
    let difference = |to: usize, from: usize| [[p[to], p[from]], [q[to], q[from]]];
    Ok(decide([difference(1, 0), difference(2, 3), difference(2, 0)], Region::Parallelogram))
}

fn checked(t0: [Vec3; 4], t1: [Vec3; 4]) -> Result<[[DVec3; 4]; 2], FeatureError> {
    for (time, points) in [t0, t1].iter().enumerate() {
        if let Some(point) = points.iter().position(|p| !p.is_finite()) {
            return Err(FeatureError::NotFinite { point, time });
        }
    }
    Ok([t0.map(widen), t1.map(widen)])
}

/// Whether along some axis the first `count` points are on one side of the others, the same at both ends: then, as all points
/// move linearly, also between.
fn axis_separates(t0: [DVec3; 4], t1: [DVec3; 4], count: usize) -> bool {
    let order = |points: &[DVec3; 4]| {
        let (a, b) = points.split_at(count);
        let low = |points: &[DVec3]| points.iter().fold(DVec3::INFINITY, |low, p| low.min(*p));
        let high = |points: &[DVec3]| points.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p));
        (high(a).cmplt(low(b)), high(b).cmplt(low(a)))
    };
    let (before, after) = (order(&t0), order(&t1));
    ((before.0 & after.0) | (before.1 & after.1)).any()
}

/// Each vector as its end and its beginning, at t = 0 and t = 1.
fn decide(differences: [[[DVec3; 2]; 2]; 3], region: Region) -> FeatureHit {
    let [e1, e2, w] = differences.map(|at| at.map(|[to, from]| to - from));
    match (Motion { e1, e2, w, region }).decide() {
        Verdict::Free(stage) => free(stage),
        Verdict::Hit(first) => hit(first, Stage::Interval, End::Converged),
        Verdict::Unknown => {
            let decision = exact::decide(differences, region);
            let stage = if decision.coplanar { Stage::Coplanar } else { Stage::Exact };
            let end = if decision.certain { End::Converged } else { End::Degenerate };
            decision.first.map_or(free(stage), |first| hit(first, stage, end))
        }
    }
}

fn free(stage: Stage) -> FeatureHit {
    FeatureHit { hit: false, time: 1.0, latest: 1.0, end: End::Converged, stage }
}

fn hit([earliest, latest]: [f64; 2], stage: Stage, end: End) -> FeatureHit {
    let (low, high) = (narrow_real(earliest), narrow_real(latest));
    let time = if widen_real(low) > earliest { low.next_down() } else { low };
    let latest = if widen_real(high) < latest { high.next_up() } else { high };
    FeatureHit { hit: true, time, latest, end, stage }
}
