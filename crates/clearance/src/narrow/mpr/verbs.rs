//! Portal refinement of two shapes: with a distance run for what it leaves open, and alone.

use super::{Mpr, MprDepth, Problem, Search, interior, penetration, run};
use crate::answer::{Closest, Contact, End, Overlap, Witness};
use crate::math::{Pose, Relative, Vec3, length, unit_or};
use crate::narrow::PairCache;
use crate::narrow::closest::closest;
use crate::narrow::gjk::State;
use crate::narrow::minkowski::Minkowski;
use crate::shape::{Core, Shape};
use crate::support::{Support, VertexId};

fn posed<'a>(a: &'a Shape, pose_a: &Pose, b: &'a Shape, pose_b: &Pose) -> (Minkowski<'a, Core, Core>, Problem) {
    let relative = Relative::new([a.bounding_radius(), b.bounding_radius()], pose_a, pose_b);
    let m = Minkowski::new(a.core(), b.core(), &relative);
    let inside_b = m.rotation * interior(b.core()) + m.translation;
    let interior = [interior(a.core()), inside_b];
    (m, Problem { radii: [a.radius(), b.radius()], interior, sigma: relative.sigma() })
}

/// Whether two bodies share a point, by portal refinement. Touching counts; the answer carries a separating plane or a common
/// point.
///
/// ```
/// use clearance::{Pose, Shape, study::mpr};
/// let cone = Shape::cone(2.0, 1.0)?;
/// let pose = Pose::from_translation([0.0, 0.0, 1.9])?;
/// assert!(mpr::overlap(&cone, &Pose::IDENTITY, &cone, &pose).overlap);
/// let pose = Pose::from_translation([0.0, 0.0, 2.1])?;
/// assert!(!mpr::overlap(&cone, &Pose::IDENTITY, &cone, &pose).overlap);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Overlap {
    let (m, problem) = posed(a, pose_a, b, pose_b);
    said(a, pose_a, &m, &run(&m, &problem))
}

/// The answer of a run.
fn said(a: &Shape, pose_a: &Pose, m: &Minkowski<'_, Core, Core>, mpr: &Mpr) -> Overlap {
    let witness = if mpr.state == State::Apart {
        let normal = unit_or(pose_a.direction(mpr.direction), Vec3::X);
        let reach = mpr.direction.dot(m.a.support(mpr.direction, VertexId::NONE).point) + a.radius();
        let offset_a = reach + normal.dot(pose_a.translation());
        Witness::Plane { normal, offset_a, offset_b: offset_a + mpr.lower }
    } else {
        let points = mpr.simplex.points();
        match mpr.end {
            End::Converged => Witness::Point(pose_a.point((points[0] + points[1]) * 0.5)),
            _ if mpr.rescued => Witness::Point(pose_a.point((points[0] + points[1]) * 0.5)),
            // Not decided: a point of each body, as near to each other as was found.
            _ => Witness::Points(points.map(|p| pose_a.point(p))),
        }
    };
    Overlap { overlap: mpr.state == State::Meeting, witness, end: mpr.end, iterations: mpr.iterations }
}

/// The depth of two bodies by portal refinement, as a signed distance. For bodies that meet, `−distance` is an estimate and
/// never less than the true depth up to the error, so `lower` is close by while `upper` only says that they meet; `end` tells
/// whether the portals reached the surface. `points` differ by `distance · normal`; they are those of the last portal, moved
/// towards each other by what the estimate lacks. Bodies that are apart have no depth: the answer is that of
/// [`closest`](crate::closest()).
///
/// ```
/// use clearance::{Pose, Shape, study::mpr};
/// let ball = Shape::sphere(1.0)?;
/// let deep = mpr::depth(&ball, &Pose::IDENTITY, &ball, &Pose::from_translation([1.5, 0.0, 0.0])?);
/// assert!((deep.distance + 0.5).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn depth(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Closest {
    let (m, problem) = posed(a, pose_a, b, pose_b);
    let (mpr, Some(depth)) = penetration(&m, &problem) else {
        return closest(a, pose_a, b, pose_b, &mut PairCache::default());
    };
    deep(pose_a, &problem, &mpr, &depth)
}

/// The depth of bodies that meet as a signed distance.
fn deep(pose_a: &Pose, problem: &Problem, mpr: &Mpr, depth: &MprDepth) -> Closest {
    let [on_a, on_b] = mpr.simplex.points();
    let reach = if mpr.simplex.vertices().len() < 4 { length(on_b - on_a) } else { 0.0 };
    let distance = -depth.estimate;
    let middle = (depth.points[0] + depth.points[1]) * 0.5;
    let points = [middle - depth.normal * (distance * 0.5), middle + depth.normal * (distance * 0.5)];
    Closest {
        distance,
        lower: distance - problem.sigma,
        upper: (reach + problem.sigma).max(distance),
        points: points.map(|point| pose_a.point(point)),
        normal: pose_a.direction(depth.normal),
        end: depth.end,
        iterations: depth.iterations,
        ..Closest::UNKNOWN
    }
}

/// [`overlap`] by portal refinement and nothing else. What it cannot decide counts as touching, and ends with [`End::Degenerate`] or
/// [`End::IterationLimit`] and with a point of each body as its witness.
///
/// ```
/// use clearance::{Pose, Shape, study::mpr};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let far = mpr::overlap(&cube, &Pose::IDENTITY, &cube, &Pose::from_translation([3.0, 0.5, 0.0])?);
/// assert!(!far.overlap && far.iterations > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap_alone(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Overlap {
    let (m, problem) = posed(a, pose_a, b, pose_b);
    let mut search = Search { alone: true, ..Search::new(&m, &problem) };
    said(a, pose_a, &m, &search.decide().0)
}

/// [`depth`] by portal refinement and nothing else. Bodies that are apart have no depth: `distance` is then the gap along the direction
/// that separates them, a lower bound, and `upper` the distance of a point inside each; it ends with [`End::IterationLimit`].
///
/// ```
/// use clearance::{Pose, Shape, study::mpr};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let deep = mpr::depth(&cube, &Pose::IDENTITY, &cube, &Pose::from_translation([1.5, 0.1, 0.2])?);
/// assert!(deep.lower <= -0.5 && deep.upper >= -0.5 && deep.iterations > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn depth_alone(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Closest {
    let (m, problem) = posed(a, pose_a, b, pose_b);
    let mut search = Search { alone: true, ..Search::new(&m, &problem) };
    let (mpr, portal) = search.decide();
    if mpr.state == State::Meeting {
        let depth = search.estimate(portal, mpr.simplex);
        let found = deep(pose_a, &problem, &mpr, &depth);
        return Closest { end: if mpr.end == End::Converged { found.end } else { mpr.end }, ..found };
    }
    let [inside_a, inside_b] = problem.interior;
    let farthest = m.a.support(mpr.direction, VertexId::NONE).point + mpr.direction * a.radius();
    Closest {
        distance: mpr.lower,
        lower: mpr.lower - problem.sigma,
        upper: (length(inside_b - inside_a) + problem.sigma).max(mpr.lower),
        points: [farthest, farthest + mpr.direction * mpr.lower].map(|p| pose_a.point(p)),
        normal: pose_a.direction(mpr.direction),
        contact: Contact::Apart,
        end: End::IterationLimit,
        iterations: mpr.iterations + 1,
        ..Closest::UNKNOWN
    }
}
