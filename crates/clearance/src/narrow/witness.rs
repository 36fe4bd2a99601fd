//! From a point of M back to the points of the bodies.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::careful;
use super::gjk::{self, Goal, Start, SubAlgorithm, SupportPlane};
use super::minkowski::{Minkowski, Vertex};
use super::simplex::Simplex;
use crate::answer::Witness;
use crate::math::{Pose, Real, Vec3, length, unit_or};
use crate::shape::Shape;
use crate::support::{Support, VertexId};
use crate::tolerance::STALL_SIGMAS;

/// The points of the bodies whose difference is `target`, a point of M near the given corners. A face of M may be larger than
/// the triangle at hand; then GJK looks for the point in M moved so that the target is its origin. Where rounding stops it, or
/// the target is not quite in M, the nearest difference found counts: that of the corners, GJK's, or that of a simplex `known`
/// to contain the origin.
pub(super) fn points_at<A: Support, B: Support>(
    m: &Minkowski<'_, A, B>,
    sigma: Real,
    target: Vec3,
    corners: &[Vertex],
    known: &Simplex,
) -> [Vec3; 2] {
    let moved = |vertex: &Vertex| Vertex { m: vertex.m - target, ..*vertex };
    let corners: ArrayVec<Vertex, 4> = corners.iter().map(moved).collect();
    let enough = STALL_SIGMAS * sigma;
    if let Some(points) = across_edges(&corners, sigma).and_then(|other| of_two([&corners, &other], enough)) {
        let [a, b] = points;
        return [a, b + target];
    }
    let mut best = nearest_of(&corners, enough);
    if best.1 > enough {
        let m = Minkowski { translation: m.translation - target, ..*m };
        let start = Start { direction: Vec3::X, hints: [VertexId::NONE; 2] };
        let sub_algorithm = SubAlgorithm::Regions;
        let goal = Goal { boolean: false, margin: 0.0, sigma, relative_gap: 0.0, sub_algorithm };
        let found = gjk::run(&m, &start, &corners, &goal).simplex;
        let known: ArrayVec<Vertex, 4> = known.vertices().iter().map(moved).collect();
        for candidate in [found.vertices(), known.as_slice()] {
            let candidate = nearest_of(candidate, enough);
            if candidate.1 < best.1 {
                best = candidate;
            }
        }
    }
    let [a, b] = best.0;
    [a, b + target]
}

/// [`points_at`] from the corners alone, and how far their difference is from the target.
pub(super) fn points_of_corners(sigma: Real, target: Vec3, corners: &[Vertex]) -> ([Vec3; 2], Real) {
    let moved: ArrayVec<Vertex, 4> = corners.iter().map(|v| Vertex { m: v.m - target, ..*v }).collect();
    let ([a, b], off) = nearest_of(&moved, STALL_SIGMAS * sigma);
    ([a, b + target], off)
}

/// How often the weights of a thin simplex are corrected: each time removes what the last left of the error but a share that
/// grows with its thinness.
const CORRECTIONS: usize = 4;

/// The other half of a face that two edges span, given three of its corners: two share a vertex of A, and one of these and the third a vertex
/// of B.
fn across_edges(corners: &[Vertex], sigma: Real) -> Option<[Vertex; 3]> {
    let [first, second, third] = corners else { return None };
    let by_a = |[x, y, z]: [&Vertex; 3]| (x.a == y.a && y.a != z.a).then_some([*x, *y, *z]);
    let orders = [[first, second, third], [second, third, first], [third, first, second]];
    let [x, y, z] = orders.into_iter().find_map(by_a)?;
    let on_b = |vertex: &Vertex| vertex.a + vertex.m;
    let is_same = |vertex: &Vertex| length(on_b(vertex) - on_b(&z)) <= sigma;
    let other = match [is_same(&x), is_same(&y)] {
        [true, false] => y,
        [false, true] => x,
        _ => return None,
    };
    let fourth = Vertex { m: on_b(&other) - z.a, a: z.a, ids: [VertexId::NONE; 2] };
    Some([other, z, fourth])
}

/// The points of the first of two simplices that has the origin to within a distance.
fn of_two(simplices: [&[Vertex]; 2], enough: Real) -> Option<[Vec3; 2]> {
    simplices.into_iter().find_map(|corners| {
        let mut simplex = Simplex::default();
        corners.iter().for_each(|corner| simplex.push(*corner));
        simplex.reduce();
        simplex.refine(DVec3::ZERO);
        let points = simplex.points();
        (length(points[1] - points[0]) <= enough).then_some(points)
    })
}

/// The points of the bodies for the point of a simplex nearest to the origin, and how far that is.
fn nearest_of(corners: &[Vertex], enough: Real) -> ([Vec3; 2], Real) {
    let mut best = ([Vec3::ZERO; 2], Real::INFINITY);
    if corners.is_empty() {
        return best;
    }
    let mut whole = Simplex::default();
    corners.iter().for_each(|corner| whole.push(*corner));
    let mut simplex = whole;
    simplex.reduce();
    for _ in 0..CORRECTIONS {
        simplex.refine(DVec3::ZERO);
        let points = simplex.points();
        let off = length(points[1] - points[0]);
        if !(off < best.1) {
            break;
        }
        best = (points, off);
        if off <= enough {
            return best;
        }
    }
    if best.1 == Real::INFINITY {
        return best;
    }
    let points = points_of_thin(&whole, best.0);
    (points, length(points[1] - points[0]))
}

/// Two points moved, both by the same, so that they differ by just `difference`: what rounding left of it is shared.
pub(super) fn aligned([on_a, on_b]: [Vec3; 2], difference: Vec3) -> [Vec3; 2] {
    let first = on_a + (on_b - on_a - difference) * 0.5;
    [first, first + difference]
}

/// The points of the bodies for a simplex that contains the origin or touches it: those of its weights, which a thin simplex may have lost
/// to rounding; then those of weights in pairs of doubles. Either way each is a point of its body, and they are as near as they are found.
#[inline]
pub(super) fn points_of_meeting(simplex: &Simplex, sigma: Real) -> [Vec3; 2] {
    let points = simplex.points();
    let is_near = length(points[1] - points[0]) <= 2.0 * sigma;
    if is_near { points } else { points_of_thin(simplex, points) }
}

#[cold]
fn points_of_thin(simplex: &Simplex, points: [Vec3; 2]) -> [Vec3; 2] {
    let mut simplex = *simplex;
    simplex.keep(&careful::locate(&simplex));
    let better = simplex.points();
    if length(better[1] - better[0]) < length(points[1] - points[0]) { better } else { points }
}

/// A point of both bodies: between the nearest points of the cores, divided in proportion to the radii.
pub(super) fn common(a: &Shape, b: &Shape, [on_a, on_b]: [Vec3; 2]) -> Vec3 {
    let radii = a.radius() + b.radius();
    let share = if radii > 0.0 { a.radius() / radii } else { 0.5 };
    on_a + (on_b - on_a) * share
}

/// Points of two bodies after both were grown by a radius: each goes towards the other by its radius, no farther than they meet.
pub fn grown_towards([on_a, on_b]: [Vec3; 2], radii: [Real; 2]) -> [Vec3; 2] {
    let (apart, along) = (length(on_b - on_a), unit_or(on_b - on_a, Vec3::X));
    let of_a = radii[0].min(apart);
    let of_b = radii[1].min(apart - of_a);
    [on_a + along * of_a, on_b - along * of_b]
}

/// A plane that separates the bodies by `bound`, in world space.
pub(super) fn separation(a: &Shape, pose_a: &Pose, plane: &SupportPlane, bound: Real) -> Witness {
    let direction = unit_or(plane.direction, Vec3::X);
    let normal = pose_a.direction(direction);
    let offset_a = direction.dot(plane.on_a) + a.radius() + normal.dot(pose_a.translation());
    Witness::Plane { normal, offset_a, offset_b: offset_a + bound }
}
