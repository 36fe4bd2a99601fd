//! The boolean as a linear program (proximity-queries lecture, "LP for collision detection"), solved by Seidel's randomised
//! incremental algorithm.
//!
//! With the origin moved to a point of A, every plane that separates the bodies strictly can be written `n·x = 1`: then
//! `n·a ≤ 1` for all vertices a of A, and `n·b ≥ 1 + margin` for all vertices b of B. That is a linear program in the three
//! components of n, bounded by a large box. Vertices come in one by one, in a fixed random order; one that the solution so
//! far violates is on the border of the next solution, which is thus found in a program of one dimension less. Expected time is
//! linear in the number of vertices.
//!
//! Departures. The lecture's program has no margin, and a solution may touch both bodies; here it separates them by some part
//! of A's size, first a large one in a small box and then smaller ones in larger boxes, whose corners cost digits. What is infeasible comes down to at most four vertices (Helly), whose
//! weights (Farkas) add up to a common point. Both answers are *proposed* and then checked with supports and weights, with
//! the touching rule of the verbs; where neither check holds, near touching above all, the verb [`overlap`](crate::overlap())
//! answers and [`Program::handed_over`] says so.
//!
//! It ends: three nested loops over the vertices, for each of a few margins. Nothing is allocated and nothing is kept: the
//! order is a keyed permutation of the indices, computed where it is needed.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::End;
use super::PairCache;
use super::gjk::{self, Goal, Start, SubAlgorithm};
use super::minkowski::Minkowski;
use super::mpr::interior;
use super::overlap::overlap as verb;
use crate::answer::{Overlap, Witness};
use crate::math::{Mat3, Pose, Real, Relative, Vec3, length, narrow, unit_or, widen, widen_real};
use crate::shape::{Core, Part, Shape};
use crate::support::{Support, SupportPoint, VertexId};
use crate::tolerance::{PROGRAM_FLAT, PROGRAM_ROUNDS};

/// The boolean of two polyhedral bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Program {
    /// Whether they share a point, and why; `iterations` counts the programs of lower dimension that were solved.
    pub overlap: Overlap,
    /// Whether the verb had to answer.
    pub handed_over: bool,
}

/// `normal · x ≤ bound`, and the vertex it stands for.
#[derive(Debug, Clone, Copy)]
struct Constraint<const D: usize> {
    normal: [f64; D],
    bound: f64,
    of: Option<usize>,
}

/// Which constraints contradict each other.
type Contradiction = [Option<usize>; 4];

/// The bodies' vertices in a frame about a point of A, divided by the pair's size.
struct Bodies<'s> {
    a: &'s Core,
    b: &'s Core,
    counts: [usize; 2],
    rotation: Mat3,
    translation: Vec3,
    /// In the frame of A.
    origin: DVec3,
    scale: f64,
}

struct Solver<'s> {
    bodies: &'s Bodies<'s>,
    margin: f64,
    /// Half the side of the box.
    reach: f64,
    order: Order,
    programs: u32,
}

/// A permutation of 0..count: a Feistel network of four rounds, walked along until it is in range.
struct Order {
    count: usize,
    half_bits: u32,
}

/// Whether two bodies share a point, by linear programming. Touching counts; nothing if one of them is curved or rounded.
///
/// ```
/// use clearance::{Pose, Shape, narrow::linear_program};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let meets = |x| {
///     let pose = Pose::from_translation([x, 0.5, 0.0])?;
///     Ok::<_, clearance::PoseError>(linear_program::overlap(&cube, &Pose::IDENTITY, &cube, &pose))
/// };
/// assert!(meets(1.75)?.is_some_and(|program| program.overlap.overlap));
/// assert!(meets(2.25)?.is_some_and(|program| !program.overlap.overlap));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Option<Program> {
    let counts = [vertex_count(a)?, vertex_count(b)?];
    let relative = Relative::new([a.bounding_radius(), b.bounding_radius()], pose_a, pose_b);
    let Relative { rotation, translation, size } = relative;
    let scale = if size > 0.0 { 1.0 / widen_real(size) } else { 1.0 };
    let origin = widen(interior(a.core()));
    let bodies = Bodies { a: a.core(), b: b.core(), counts, rotation, translation, origin, scale };
    let error = relative.sigma();
    let mut iterations = 0;
    for [margin, reach] in PROGRAM_ROUNDS {
        let order = Order::new(counts[0] + counts[1]);
        let mut solver = Solver { bodies: &bodies, margin, reach, order, programs: 0 };
        let solved = solver.solve();
        iterations += solver.programs;
        let witness = match solved {
            Ok(n) => bodies.separation(n, pose_a, error).map(|plane| (false, plane)),
            Err(contradiction) => {
                let point = bodies.common_point(contradiction, widen_real(error) * scale);
                point
                    .or_else(|| bodies.common_point_of_few(contradiction, error))
                    .map(|point| (true, Witness::Point(pose_a.point(point))))
            }
        };
        if let Some((overlap, witness)) = witness {
            let overlap = Overlap { overlap, witness, end: End::Converged, iterations };
            return Some(Program { overlap, handed_over: false });
        }
    }
    let answer = verb(a, pose_a, b, pose_b, &mut PairCache::default());
    let overlap = Overlap { iterations: answer.iterations + iterations, ..answer };
    Some(Program { overlap, handed_over: true })
}

/// How many vertices a body with flat faces has, those of a sum that turn out inside included; nothing for a curved one.
pub fn vertex_count(shape: &Shape) -> Option<usize> {
    let both = |parts: &[Part; 2]| Some([vertex_count(&parts[0].shape)?, vertex_count(&parts[1].shape)?]);
    if shape.radius() > 0.0 {
        return None;
    }
    match shape.core() {
        Core::Point => Some(1),
        Core::Segment { .. } => Some(2),
        Core::Triangle(_) => Some(3),
        Core::Rectangle { .. } => Some(4),
        Core::Cuboid { .. } | Core::Frustum { .. } => Some(8),
        Core::Polygon(polygon) => Some(polygon.vertices().len()),
        Core::Polytope(polytope) => Some(polytope.vertices().len()),
        Core::Sum(parts) | Core::Difference(parts) => both(parts).and_then(|[a, b]| a.checked_mul(b)),
        Core::Hull(parts) => both(parts).map(|[a, b]| a + b),
        Core::Posed(part) => vertex_count(&part.shape),
        _ => None,
    }
}

/// The vertex of that index, below [`vertex_count`].
fn vertex(core: &Core, i: usize) -> Vec3 {
    let side = |bit: usize, half: Real| if i & bit == 0 { half } else { -half };
    let part = |part: &Part, i: usize| part.pose.point(vertex(part.shape.core(), i));
    let count = |part: &Part| vertex_count(&part.shape).unwrap_or(1);
    match core {
        Core::Segment { half_length } => Vec3::new(side(1, *half_length), 0.0, 0.0),
        Core::Triangle(corners) => corners[i % 3],
        Core::Rectangle { half_extents: [x, y] } => Vec3::new(side(1, *x), side(2, *y), 0.0),
        Core::Cuboid { half_extents: h } => Vec3::new(side(1, h.x), side(2, h.y), side(4, h.z)),
        Core::Frustum { bottom, top, bottom_z, top_z } => {
            let ([x, y], z) = if i & 4 == 0 { (*top, *top_z) } else { (*bottom, *bottom_z) };
            Vec3::new(side(1, x), side(2, y), z)
        }
        Core::Polygon(polygon) => polygon.vertices()[i],
        Core::Polytope(polytope) => polytope.vertices()[i],
        Core::Sum(parts) => part(&parts[0], i / count(&parts[1])) + part(&parts[1], i % count(&parts[1])),
        Core::Difference(parts) => part(&parts[0], i / count(&parts[1])) - part(&parts[1], i % count(&parts[1])),
        Core::Hull(parts) => {
            let first = count(&parts[0]);
            if i < first { part(&parts[0], i) } else { part(&parts[1], i - first) }
        }
        Core::Posed(posed) => part(posed, i),
        _ => Vec3::ZERO,
    }
}

impl Bodies<'_> {
    /// A vertex of A, or after those one of B, in the program's frame.
    #[inline]
    fn point(&self, i: usize) -> DVec3 {
        let in_a = match i.checked_sub(self.counts[0]) {
            None => vertex(self.a, i),
            Some(i) => self.rotation * vertex(self.b, i) + self.translation,
        };
        (widen(in_a) - self.origin) * self.scale
    }

    #[inline]
    fn is_of_b(&self, i: usize) -> bool {
        i >= self.counts[0]
    }

    /// The plane across `n` in world space, if it separates by more than the error.
    fn separation(&self, n: DVec3, pose_a: &Pose, error: Real) -> Option<Witness> {
        let normal = unit_or(narrow(n.normalize_or_zero()), Vec3::ZERO);
        let of_a = self.a.support(normal, VertexId::NONE).point;
        let in_b = Vec3::new(
            self.rotation.x_axis.dot(normal),
            self.rotation.y_axis.dot(normal),
            self.rotation.z_axis.dot(normal),
        );
        let of_b = self.rotation * self.b.support(-in_b, VertexId::NONE).point + self.translation;
        let gap = normal.dot(of_b - of_a);
        let world = pose_a.direction(normal);
        let offset_a = normal.dot(of_a) + world.dot(pose_a.translation());
        (gap > error).then_some(Witness::Plane { normal: world, offset_a, offset_b: offset_a + gap })
    }

    /// The common point that contradictory constraints amount to, in the frame of A: a combination of vertices of B that is one
    /// of vertices of A and of the origin, which is a point of A. Nothing if the weights are not good enough to be sure.
    fn common_point(&self, contradiction: Contradiction, error: f64) -> Option<Vec3> {
        let mut signed = [DVec3::ZERO; 4];
        for (slot, &i) in signed.iter_mut().zip(&contradiction) {
            let point = self.point(i?);
            *slot = if self.is_of_b(i?) { -point } else { point };
        }
        // The weights w with Σ w·v = 0 are the volumes that the other three span, with alternating signs.
        let volume = |i: usize, j: usize, k: usize| signed[i].dot(signed[j].cross(signed[k]));
        let weights = [volume(1, 2, 3), -volume(0, 2, 3), volume(0, 1, 3), -volume(0, 1, 2)];
        let sign = weights.iter().sum::<f64>().signum();
        let weights = weights.map(|weight| weight * sign);
        let (mut of_a, mut of_b, mut share_a, mut share_b) = (DVec3::ZERO, DVec3::ZERO, 0.0, 0.0);
        for ((&v, weight), i) in signed.iter().zip(weights).zip(contradiction) {
            if weight < 0.0 {
                return None;
            }
            if self.is_of_b(i?) {
                (of_b, share_b) = (of_b - v * weight, share_b + weight);
            } else {
                (of_a, share_a) = (of_a + v * weight, share_a + weight);
            }
        }
        let inverse = 1.0 / share_b;
        let near = (of_a - of_b).length() * inverse <= error;
        let inside = share_a * inverse <= 1.0;
        (near && inside).then(|| narrow(of_b * inverse / self.scale + self.origin))
    }
}

impl Bodies<'_> {
    /// The same where fewer than four vertices contradict each other, or their weights are rounding, as among coplanar ones: the
    /// nearest points of the hulls of these few.
    fn common_point_of_few(&self, contradiction: Contradiction, error: Real) -> Option<Vec3> {
        let (mut of_a, mut of_b) = (Few::new(), Few::new());
        of_a.0.push(narrow(self.origin));
        for i in contradiction.into_iter().flatten() {
            match i.checked_sub(self.counts[0]) {
                None => of_a.0.push(vertex(self.a, i)),
                Some(i) => of_b.0.push(self.rotation * vertex(self.b, i) + self.translation),
            }
        }
        let m = Minkowski { a: &of_a, b: &of_b, rotation: Mat3::IDENTITY, translation: Vec3::ZERO };
        let toward_b = unit_or(*of_b.0.first()? - narrow(self.origin), Vec3::X);
        let sub_algorithm = SubAlgorithm::Regions;
        let goal = Goal { boolean: false, margin: 0.0, sigma: error, relative_gap: 0.0, sub_algorithm };
        let start = Start { direction: toward_b, hints: [VertexId::NONE; 2] };
        let [on_a, on_b] = gjk::run(&m, &start, &[], &goal).simplex.points();
        (length(on_b - on_a) <= error).then(|| on_a + (on_b - on_a) * 0.5)
    }
}

/// The hull of a few points.
struct Few(ArrayVec<Vec3, 5>);

impl Few {
    fn new() -> Self {
        Self(ArrayVec::new())
    }
}

impl Support for Few {
    fn support(&self, direction: Vec3, _hint: VertexId) -> SupportPoint {
        let farther = |best: Vec3, p: &Vec3| if direction.dot(*p - best) > 0.0 { *p } else { best };
        self.0.iter().fold(self.0.first().copied().unwrap_or(Vec3::ZERO), farther).into()
    }
}

impl Order {
    fn new(count: usize) -> Self {
        let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
        Self { count, half_bits: bits.div_ceil(2).max(1) }
    }

    /// Where the index goes; 0..count is mapped onto itself.
    #[inline]
    fn at(&self, i: usize) -> usize {
        let mask = (1usize << self.half_bits) - 1;
        let mut x = i;
        loop {
            let (mut left, mut right) = (x >> self.half_bits, x & mask);
            for key in [0x9E37_79B9u32, 0x85EB_CA6B, 0xC2B2_AE35, 0x27D4_EB2F] {
                let mixed = (right as u32).wrapping_add(1).wrapping_mul(key);
                (left, right) = (right, left ^ ((mixed ^ mixed >> 15) as usize & mask));
            }
            x = left << self.half_bits | right;
            if x < self.count {
                return x;
            }
        }
    }
}

impl Solver<'_> {
    /// The constraint in a place of the order.
    #[inline]
    fn constraint(&self, place: usize) -> Constraint<3> {
        let i = self.order.at(place);
        let p = self.bodies.point(i);
        if self.bodies.is_of_b(i) {
            Constraint { normal: (-p).to_array(), bound: -1.0 - self.margin, of: Some(i) }
        } else {
            Constraint { normal: p.to_array(), bound: 1.0, of: Some(i) }
        }
    }

    /// A vector n that meets all constraints and goes far along B, or those that contradict each other.
    fn solve(&mut self) -> Result<DVec3, Contradiction> {
        let toward_b = widen(self.bodies.translation) - self.bodies.origin;
        let goal = toward_b.normalize_or(DVec3::X).to_array();
        let mut n = goal.map(|x| self.reach.copysign(x));
        for place in 0..self.order.count {
            let new = self.constraint(place);
            if is_violated(&new, &n) {
                n = self.on_plane(&new, place, &goal)?;
            }
        }
        Ok(DVec3::from_array(n))
    }

    /// The best point on the border of a constraint, for the constraints before it.
    fn on_plane(&mut self, border: &Constraint<3>, before: usize, goal: &[f64; 3]) -> Result<[f64; 3], Contradiction> {
        self.programs += 1;
        let fail = |of: [Option<usize>; 3]| [border.of, of[0], of[1], of[2]];
        let Some(on) = Border::new(border) else {
            return Err(fail([None; 3]));
        };
        let goal = on.project_goal(goal);
        let mut y = goal.map(|x| self.reach.copysign(x));
        for place in 0..before + 2 {
            let new: Constraint<2> = on.restrict(&self.constraint_or_box(place, before, on.axis));
            if is_violated(&new, &y) {
                y = self.on_line(&on, &new, place, before, &goal).map_err(fail)?;
            }
        }
        Ok(on.lift(y))
    }

    /// The constraint in a place; after the last the two sides of the box that an eliminated coordinate must keep to.
    #[inline]
    fn constraint_or_box(&self, place: usize, before: usize, axis: usize) -> Constraint<3> {
        if place < before { self.constraint(place) } else { side_of_box(place - before, axis, self.reach) }
    }

    fn on_line(
        &mut self,
        plane: &Border<3>,
        border: &Constraint<2>,
        places: usize,
        before: usize,
        goal: &[f64; 2],
    ) -> Result<[f64; 2], [Option<usize>; 3]> {
        self.programs += 1;
        let Some(on) = Border::new(border) else {
            return Err([border.of, None, None]);
        };
        let [goal]: [f64; 1] = on.project_goal(goal);
        let (mut low, mut high) = ((-self.reach, None), (self.reach, None));
        for place in 0..places + 2 {
            let in_plane: Constraint<2> = if place < places {
                plane.restrict(&self.constraint_or_box(place, before, plane.axis))
            } else {
                side_of_box(place - places, on.axis, self.reach)
            };
            let new: Constraint<1> = on.restrict(&in_plane);
            let at = new.bound / new.normal[0];
            if new.normal[0] > PROGRAM_FLAT && at < high.0 {
                high = (at, new.of);
            } else if new.normal[0] < -PROGRAM_FLAT && at > low.0 {
                low = (at, new.of);
            } else if new.normal[0].abs() <= PROGRAM_FLAT && new.bound < -PROGRAM_FLAT {
                return Err([border.of, new.of, None]);
            }
        }
        if low.0 > high.0 {
            return Err([border.of, low.1, high.1]);
        }
        Ok(on.lift([if goal > 0.0 { high.0 } else { low.0 }]))
    }
}

/// Whether a point violates a constraint by more than rounding; what is overlooked shows when the answer is checked.
#[inline]
fn is_violated<const D: usize>(constraint: &Constraint<D>, x: &[f64; D]) -> bool {
    let (mut excess, mut terms) = (-constraint.bound, 1.0);
    for (n, x) in constraint.normal.iter().zip(x) {
        excess += n * x;
        terms += x.abs();
    }
    excess > PROGRAM_FLAT * terms
}

/// `x ≤ box` or `−x ≤ box` for the coordinate of an axis.
#[inline]
fn side_of_box<const D: usize>(side: usize, axis: usize, reach: f64) -> Constraint<D> {
    let mut normal = [0.0; D];
    normal[axis] = if side == 0 { 1.0 } else { -1.0 };
    Constraint { normal, bound: reach, of: None }
}

/// The border of a constraint, solved for the coordinate with the largest coefficient.
struct Border<const D: usize> {
    axis: usize,
    /// The coefficients divided by the largest one, and the bound.
    normal: [f64; D],
    bound: f64,
}

impl<const D: usize> Border<D> {
    #[inline]
    fn new(constraint: &Constraint<D>) -> Option<Self> {
        let mut axis = 0;
        for i in 1..D {
            if constraint.normal[i].abs() > constraint.normal[axis].abs() {
                axis = i;
            }
        }
        let largest = constraint.normal[axis];
        (largest.abs() > PROGRAM_FLAT).then(|| Self {
            axis,
            normal: constraint.normal.map(|x| x / largest),
            bound: constraint.bound / largest,
        })
    }

    /// The coordinate in place of `i` when the eliminated one is left out.
    #[inline]
    fn kept(&self, i: usize) -> usize {
        if i < self.axis { i } else { i + 1 }
    }

    #[inline]
    fn restrict<const E: usize>(&self, constraint: &Constraint<D>) -> Constraint<E> {
        let along = constraint.normal[self.axis];
        let normal = std::array::from_fn(|i| {
            let kept = self.kept(i);
            constraint.normal[kept] - along * self.normal[kept]
        });
        Constraint { normal, bound: constraint.bound - along * self.bound, of: constraint.of }
    }

    #[inline]
    fn project_goal<const E: usize>(&self, goal: &[f64; D]) -> [f64; E] {
        self.restrict(&Constraint { normal: *goal, bound: 0.0, of: None }).normal
    }

    #[inline]
    fn lift<const E: usize>(&self, y: [f64; E]) -> [f64; D] {
        let mut x = [0.0; D];
        let mut rest = self.bound;
        for (i, value) in y.into_iter().enumerate() {
            let kept = self.kept(i);
            x[kept] = value;
            rest -= self.normal[kept] * value;
        }
        x[self.axis] = rest;
        x
    }
}
