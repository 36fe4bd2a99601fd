//! The distance of two convex shapes from the corners that a run of GJK elsewhere ended with.

use glam::DVec3;

use super::closed;
use super::closest::{apart, in_the_world, on_pieces, overlapping, smooth};
use super::gjk::{Gjk, State, SupportPlane};
use super::local::Local;
use super::minkowski::Vertex;
use super::pair::{Pair, is_as_stated};
use super::simplex::Simplex;
use crate::answer::{Closest, End};
use crate::math::{Pose, Real, Vec3, narrow_real, widen};
use crate::shape::Shape;
use crate::support::VertexId;
use crate::tolerance::{rounded_doubt, sigma};

/// Where a run has ended, in the frame of A.
pub struct Ended<'a> {
    /// Corners of M, of which some may be equal.
    pub corners: &'a [Vec3; 3],
    /// Their points of A.
    pub on_a: &'a [Vec3; 3],
    /// A direction, near that of the nearest point.
    pub direction: Vec3,
    /// The lowest point of M along it.
    pub lowest: Vec3,
    /// Supports that it took.
    pub steps: u32,
}

/// The answer for two shapes whose cores are apart, with the same checks as any other; nothing if it fails them. Neither shape is one that
/// is moved within its own frame.
#[inline]
pub fn finished(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, ended: &Ended<'_>) -> Option<Closest> {
    let pair = Pair::new(a, pose_a, b, pose_b);
    let gjk = run_of(ended);
    let local = if pair.flat { apart(&pair, &gjk) } else { on_pieces(&pair, &gjk).or_else(|| smooth(&pair, &gjk))? };
    let is_told = !is_doubtful(&local, pair.margin, pair.sigma) && pair.is_as_stated(&local);
    is_told.then(|| in_the_world(local, pair.sigma, a, pose_a, b))
}

/// The answer for two shapes whose cores meet, from corners of M around the origin and their points of A, with the same checks as any other;
/// nothing if it fails them. Neither shape is one that is moved within its own frame.
#[inline]
pub fn deep(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    corners: &[Vec3; 4],
    on_a: &[Vec3; 4],
    steps: u32,
) -> Option<Closest> {
    let pair = Pair::new(a, pose_a, b, pose_b);
    if let Some(local) = closed::closest(&pair) {
        return Some(in_the_world(local, pair.sigma, a, pose_a, b));
    }
    let mut simplex = Simplex::default();
    for (m, a) in corners.iter().zip(on_a) {
        simplex.push(Vertex { m: *m, a: *a, ids: [VertexId::NONE; 2] });
    }
    let nearest = simplex.reduce();
    let plane = SupportPlane { direction: Vec3::X, bound: Real::NEG_INFINITY, on_a: on_a[0] };
    let (state, hints, end) = (State::Meeting, [VertexId::NONE; 2], End::Converged);
    let gjk = Gjk { state, simplex, nearest, plane, hints, iterations: steps, end };
    let local = overlapping(&pair, &gjk);
    (nearest == DVec3::ZERO && pair.is_as_stated(&local)).then(|| in_the_world(local, pair.sigma, a, pose_a, b))
}

/// The distance of two cores that are apart, in the frame of A, with bounds to which the error of a support is still to be added.
pub struct Cores {
    /// Points of both.
    pub points: [Vec3; 2],
    /// Of unit length, from A to B.
    pub normal: Vec3,
    /// The distance along it.
    pub distance: Real,
    /// A plane's.
    pub lower: Real,
    /// That of two points.
    pub upper: Real,
    /// The size of the pair.
    pub size: Real,
    /// Supports that it took.
    pub steps: u32,
}

/// The answer for two shapes from the distance of their cores, with the same checks as any other; nothing if it fails them.
#[inline]
pub fn rounded(a: &Shape, pose_a: &Pose, b: &Shape, cores: &Cores) -> Option<Closest> {
    let (margin, sigma) = (a.radius() + b.radius(), sigma(cores.size));
    let local = Local {
        distance: cores.distance - margin,
        lower: cores.lower - sigma - margin,
        upper: cores.upper + sigma - margin,
        points: cores.points,
        normal: cores.normal,
        end: End::Converged,
        iterations: cores.steps,
    };
    let local = local.with_points(cores.points, cores.normal * cores.distance, sigma);
    let is_flat = a.core().is_polyhedral() && b.core().is_polyhedral();
    let is_told = !is_doubtful(&local, margin, sigma) && is_as_stated(&local, margin, sigma, is_flat);
    is_told.then(|| in_the_world(local, sigma, a, pose_a, b))
}

/// Whether an answer about rounded bodies is so near to touching that one algorithm alone tells.
#[inline]
fn is_doubtful(local: &Local, margin: Real, sigma: Real) -> bool {
    let core = local.distance + margin;
    margin > 0.0 && local.distance.abs() <= rounded_doubt(sigma, core)
}

/// The run as the narrow phase would have ended it.
#[inline]
fn run_of(ended: &Ended<'_>) -> Gjk {
    let mut simplex = Simplex::default();
    for (nth, (m, a)) in ended.corners.iter().zip(ended.on_a).enumerate() {
        if !ended.corners[..nth].contains(m) {
            simplex.push(Vertex { m: *m, a: *a, ids: [VertexId::NONE; 2] });
        }
    }
    let nearest: DVec3 = simplex.reduce();
    let direction = widen(ended.direction);
    let bound: Real = narrow_real(direction.dot(widen(ended.lowest)) / direction.length());
    Gjk {
        state: State::Apart,
        simplex,
        nearest,
        plane: SupportPlane { direction: ended.direction, bound, on_a: ended.on_a[0] },
        hints: [VertexId::NONE; 2],
        iterations: ended.steps,
        end: End::Converged,
    }
}
