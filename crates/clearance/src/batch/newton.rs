//! Newton's method on the direction for curved bodies that are apart, in lanes: the same as the verb for one pair does (`narrow::active`).
//!
//! Each corner of the simplex that a search ended with is a point of one smooth piece of A and one of B: a vertex, a circle or an ellipsoid.
//! At the solution up to three pairs of pieces tie. One is turned by Newton's step in two angles, two by a step in one angle about the line between
//! their points, three by the normal of the triangle. A lane at rest stays as it is while others go on. A flat round face of one body
//! with the nearest point of the other below it is tried as well.
//!
//! What came to rest is good if the true support is no lower than the pieces' and the point of M lies on the direction's line. Where not, pieces
//! have to come or go, which is left to the verb's own way.

use super::block::{Kind, Side};
use super::finish::{Finished, weighted, weights};
use super::frame::Frame;
use super::group::Group;
use super::lane::Lane;
use super::vectors::Vectors;
use crate::math::Real;
use crate::tolerance::{CAP_DIRECTION, LANE_NEAR_SIGMAS, NEWTON_REST, POLISHED_RESIDUAL, sigma};

/// Steps of Newton's method double the digits.
const STEP_LIMIT: usize = 8;

/// How a farthest point moves when the direction turns: `e ↦ scale · (diagonal ∘ e − point (point · e))`.
#[derive(Clone, Copy)]
struct Bend<L> {
    diagonal: Vectors<L>,
    point: Vectors<L>,
    scale: L,
}

impl<L: Lane> Bend<L> {
    #[inline(always)]
    fn towards(&self, tangent: Vectors<L>) -> Vectors<L> {
        (self.diagonal * tangent - self.point.scaled(self.point.dot(tangent))).scaled(self.scale)
    }
}

/// What tells the piece of a shape that a point of it belongs to from others: the vertex, or the height of the circle.
#[inline(always)]
fn label<L: Lane>(kind: Kind, sizes: Vectors<L>, point: Vectors<L>) -> Vectors<L> {
    let zero = L::splat(0.0);
    match kind {
        Kind::Cuboid => Vectors {
            x: sizes.x.with_sign_of(point.x),
            y: sizes.y.with_sign_of(point.y),
            z: sizes.z.with_sign_of(point.z),
        },
        Kind::Ellipsoid => Vectors { x: zero, y: zero, z: zero },
        Kind::Cylinder => Vectors { x: zero, y: zero, z: sizes.z.with_sign_of(point.z) },
        Kind::Cone => {
            let apex = point.z.above(zero);
            let [up, down] = [sizes.z.mul(L::splat(0.75)), sizes.z.mul(L::splat(-0.25))];
            Vectors { x: zero, y: zero, z: L::select(apex, up, down) }
        }
        Kind::Hull => point,
    }
}

/// The farthest point of a piece along a direction, and how it moves.
#[inline(always)]
fn piece<L: Lane>(kind: Kind, sizes: Vectors<L>, label: Vectors<L>, d: Vectors<L>) -> (Vectors<L>, Bend<L>) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let none = Vectors { x: zero, y: zero, z: zero };
    match kind {
        Kind::Cuboid | Kind::Hull => (label, Bend { diagonal: none, point: none, scale: zero }),
        Kind::Ellipsoid => {
            let stretched = sizes * d;
            let scale = one.div(stretched.dot(stretched).sqrt());
            let point = (sizes * stretched).scaled(scale);
            (point, Bend { diagonal: sizes * sizes, point, scale })
        }
        Kind::Cylinder | Kind::Cone => {
            let radius = match kind {
                Kind::Cone => L::select(label.z.above(zero), zero, sizes.x),
                _ => sizes.x,
            };
            let scale = one.div(d.x.mul(d.x).add(d.y.mul(d.y)).sqrt());
            let outward = Vectors { x: d.x.mul(scale), y: d.y.mul(scale), z: zero };
            let point = Vectors { x: outward.x.mul(radius), y: outward.y.mul(radius), z: label.z };
            let diagonal = Vectors { x: one, y: one, z: zero };
            (point, Bend { diagonal, point: outward, scale: scale.mul(radius) })
        }
    }
}

/// The pairs of pieces that tie in each lane.
struct Active<'a, L: Lane> {
    frame: Frame<'a, L>,
    kinds: [Kind; 2],
    labels: [[Vectors<L>; 2]; 3],
    /// Where there is a second pair, and where a third.
    two: L::Mask,
    three: L::Mask,
}

/// Points of M and of A with their bends on both sides.
#[derive(Clone, Copy)]
struct Corner<L> {
    m: Vectors<L>,
    a: Vectors<L>,
    bends: [Bend<L>; 2],
}

impl<'a, L: Lane> Active<'a, L> {
    /// The pieces of the corners of a group, each pair once; `near` is the square of a distance within which vertices are the same.
    #[inline(always)]
    fn new(group: &'a Group, sides: &[Side<'_>; 2], near: L) -> Self {
        let frame = Frame::<L>::load(&group.rotation, &group.translation, &group.sizes, 0);
        let kinds = [sides[0].kind, sides[1].kind];
        let [c1, c2, c3] = &group.corners;
        let [a1, a2, a3] = &group.on_a;
        let mut labels = [[Vectors::load(a1); 2]; 3];
        for (labels, (m, a)) in labels.iter_mut().zip([(c1, a1), (c2, a2), (c3, a3)]) {
            let (m, a) = (Vectors::load(m), Vectors::load(a));
            *labels = [label(kinds[0], frame.sizes(0), a), label(kinds[1], frame.sizes(1), frame.seen_from_b(m + a))];
        }
        let [first, second, third] = labels;
        let second_is_new = differ(first, second, near);
        let third_is_new = L::and(differ(first, third, near), differ(second, third, near));
        let third_is_second = L::without(differ(first, third, near), second_is_new);
        labels[1] = [
            Vectors::select(third_is_second, third[0], second[0]),
            Vectors::select(third_is_second, third[1], second[1]),
        ];
        let two = L::or(second_is_new, third_is_second);
        Self { frame, kinds, labels, two, three: L::and(second_is_new, third_is_new) }
    }

    #[inline(always)]
    fn corner(&self, nth: usize, d: Vectors<L>, in_b: Vectors<L>) -> Corner<L> {
        let [of_a, of_b] = self.labels[nth];
        let (a, bend_a) = piece(self.kinds[0], self.frame.sizes(0), of_a, d);
        let (b, bend_b) = piece(self.kinds[1], self.frame.sizes(1), of_b, in_b);
        Corner { m: self.frame.of_b(b) - a, a, bends: [bend_a, bend_b] }
    }

    /// How a corner moves against a turn of the direction.
    #[inline(always)]
    fn turned(&self, corner: &Corner<L>, e: Vectors<L>) -> Vectors<L> {
        let [of_a, of_b] = &corner.bends;
        of_a.towards(e) + self.frame.turned(of_b.towards(self.frame.to_b(e)))
    }
}

/// Where two pairs of pieces are not the same.
#[inline(always)]
fn differ<L: Lane>(first: [Vectors<L>; 2], second: [Vectors<L>; 2], near: L) -> L::Mask {
    let (of_a, of_b) = (second[0] - first[0], second[1] - first[1]);
    of_a.dot(of_a).add(of_b.dot(of_b)).above(near)
}

/// Pairs of which a body is curved, from corners whose nearest point is near the solution.
#[inline(always)]
pub(super) fn curved<L: Lane>(group: &Group, sides: &[Side<'_>; 2]) -> Finished<L> {
    let error = L::load(&group.size).mul(L::splat(sigma(1.0)));
    let near = error.mul(L::splat(LANE_NEAR_SIGMAS));
    let active = Active::new(group, sides, near.mul(near));
    let nearest: Vectors<L> = Vectors::load(&group.nearest);
    let reach = nearest.dot(nearest).sqrt();
    let enough = reach.mul(L::splat(POLISHED_RESIDUAL)).add(error.mul(L::splat(4.0)));
    let start = nearest.unit();
    let mut d = start;
    let zero = L::splat(0.0);
    let mut rests = zero.above(zero);
    let mut steps = zero;
    for _ in 0..STEP_LIMIT {
        let next = turn(&active, d);
        let by = next - d;
        steps = steps.add(L::select(rests, zero, L::splat(1.0)));
        d = Vectors::select(rests, d, next);
        rests = L::or(rests, L::splat(NEWTON_REST * NEWTON_REST).above(by.dot(by)));
        if !L::bits(rests) & group.active == 0 {
            break;
        }
    }
    let found = at_rest(&active, sides, d, rests, [enough, error], steps);
    on_caps(&active, sides, start, [enough, error], found, group.active)
}

/// The next direction of each lane.
#[inline(always)]
fn turn<L: Lane>(active: &Active<'_, L>, d: Vectors<L>) -> Vectors<L> {
    let in_b = active.frame.to_b(d).negated();
    let first = active.corner(0, d, in_b);
    let by_two = turned_by_two(active, d, &first);
    if L::bits(active.two) == 0 {
        return by_two;
    }
    let second = active.corner(1, d, in_b);
    let next = Vectors::select(active.two, turned_about(active, d, &first, &second), by_two);
    if L::bits(active.three) == 0 {
        return next;
    }
    let third = active.corner(2, d, in_b);
    let normal = (second.m - first.m).cross(third.m - first.m).unit();
    let sign = L::splat(1.0).with_sign_of(normal.dot(d));
    Vectors::select(active.three, normal.scaled(sign), next)
}

/// Newton's step in both angles; no numbers if it is no maximum.
#[inline(always)]
fn turned_by_two<L: Lane>(active: &Active<'_, L>, d: Vectors<L>, corner: &Corner<L>) -> Vectors<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    // Across the axis that the direction is farther from, of x and y.
    let steep = d.x.mul(d.x).above(L::splat(0.5));
    let axis = Vectors { x: L::select(steep, zero, one), y: L::select(steep, one, zero), z: zero };
    let first = d.cross(axis).unit();
    let second = d.cross(first);
    let (of_first, of_second) = (active.turned(corner, first), active.turned(corner, second));
    let bound = d.dot(corner.m);
    let (xx, yy) = (first.dot(of_first).add(bound), second.dot(of_second).add(bound));
    let xy = first.dot(of_second).add(second.dot(of_first)).mul(L::splat(0.5));
    let determinant = xx.mul(yy).sub(xy.mul(xy));
    let (off_x, off_y) = (first.dot(corner.m), second.dot(corner.m));
    let scale = one.div(determinant);
    let along = yy.mul(off_x).sub(xy.mul(off_y)).mul(scale);
    let across = xx.mul(off_y).sub(xy.mul(off_x)).mul(scale);
    let step = first.scaled(along) + second.scaled(across);
    let is_maximum = L::and(determinant.above(zero), xx.above(zero));
    let nothing = L::splat(Real::NAN);
    limited(d, Vectors::select(is_maximum, step, Vectors { x: nothing, y: nothing, z: nothing }))
}

/// Newton's step about the line between two corners; no numbers if it is no maximum.
#[inline(always)]
fn turned_about<L: Lane>(active: &Active<'_, L>, d: Vectors<L>, first: &Corner<L>, second: &Corner<L>) -> Vectors<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let line = (second.m - first.m).unit();
    let d = (d - line.scaled(line.dot(d))).unit();
    let (from, to) = (first.m.dot(line), second.m.dot(line));
    let share = zero.sub(from).div(to.sub(from));
    let sideways = line.cross(d);
    let [of_first, of_second] =
        [sideways.dot(active.turned(first, sideways)), sideways.dot(active.turned(second, sideways))];
    let moved = of_first.mul(one.sub(share)).add(of_second.mul(share));
    let stiffness = moved.add(d.dot(first.m));
    let by = sideways.dot(first.m).div(stiffness);
    limited(d, sideways.scaled(L::select(stiffness.above(zero), by, L::splat(Real::NAN))))
}

/// The direction turned by a step, but not by more than about 45°.
#[inline(always)]
fn limited<L: Lane>(d: Vectors<L>, step: Vectors<L>) -> Vectors<L> {
    let one = L::splat(1.0);
    let square = step.dot(step);
    let scale = L::select(square.above(one), one.div(square.sqrt()), one);
    (d + step.scaled(scale)).unit()
}

/// What is known where the directions have come to rest.
#[inline(always)]
fn at_rest<L: Lane>(
    active: &Active<'_, L>,
    sides: &[Side<'_>; 2],
    d: Vectors<L>,
    rests: L::Mask,
    [enough, error]: [L; 2],
    steps: L,
) -> Finished<L> {
    let in_b = active.frame.to_b(d).negated();
    let [first, second, third] = [active.corner(0, d, in_b), active.corner(1, d, in_b), active.corner(2, d, in_b)];
    // Pairs that are not there are copies: of the first, or of the second.
    let m2 = Vectors::select(active.two, second.m, first.m);
    let a2 = Vectors::select(active.two, second.a, first.a);
    let m3 = Vectors::select(active.three, third.m, m2);
    let a3 = Vectors::select(active.three, third.a, a2);
    let lowest = first.m.dot(d).lesser(m2.dot(d)).lesser(m3.dot(d));
    let weights = weights([first.m, m2, m3], d.scaled(lowest));
    let (m, on_a) = (weighted([first.m, m2, m3], weights), weighted([first.a, a2, a3], weights));
    let [w, _] = active.frame.lowest(sides, d);
    let bound = d.dot(w);
    let missed = lowest.sub(bound).larger(L::splat(0.0));
    let off = m - d.scaled(lowest);
    let residual = off.dot(off).sqrt();
    let good = L::and(rests, L::without(bound.above(error), residual.above(enough)));
    let good = L::without(good, missed.above(error.mul(L::splat(4.0))));
    let upper = bound.add(residual).add(missed);
    Finished { points: [on_a, on_a + m], normal: d, distance: bound, lower: bound, upper, steps, good }
}

/// The same, or what a flat round face gives where the nearest point of the other body is above it.
#[inline(always)]
fn on_caps<L: Lane>(
    active: &Active<'_, L>,
    sides: &[Side<'_>; 2],
    start: Vectors<L>,
    [enough, error]: [L; 2],
    found: Finished<L>,
    asked: u32,
) -> Finished<L> {
    let mut found = found;
    for side in 0..2 {
        let kind = active.kinds[side];
        if !matches!(kind, Kind::Cylinder | Kind::Cone) {
            continue;
        }
        let own = if side == 0 { start } else { active.frame.to_b(start).negated() };
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let all = one.above(zero);
        let along = own.z.with_sign_of(one).above(L::splat(CAP_DIRECTION));
        // A cone has one such face, below.
        let along = L::without(along, if let Kind::Cone = kind { own.z.above(zero) } else { L::without(all, all) });
        if L::bits(along) & asked == 0 {
            continue;
        }
        let axis = Vectors { x: zero, y: zero, z: one.with_sign_of(own.z) };
        let d = if side == 0 { axis } else { active.frame.turned(axis).negated().unit() };
        let [w, on_a] = active.frame.lowest(sides, d);
        let bound = d.dot(w);
        let (sizes, other) =
            (active.frame.sizes(side), if side == 0 { w + on_a } else { active.frame.seen_from_b(on_a) });
        let z = match kind {
            Kind::Cone => sizes.z.mul(L::splat(-0.25)),
            _ => sizes.z.with_sign_of(own.z),
        };
        let below = Vectors { x: other.x, y: other.y, z };
        let outside = other.x.mul(other.x).add(other.y.mul(other.y)).above(sizes.x.mul(sizes.x));
        let points = if side == 0 { [below, w + on_a] } else { [on_a, active.frame.of_b(below)] };
        let off = points[1] - points[0] - d.scaled(bound);
        let residual = off.dot(off).sqrt();
        let good = L::without(L::and(along, bound.above(error)), L::or(outside, residual.above(enough)));
        let upper = bound.add(residual);
        let steps = L::splat(1.0);
        found = found.or(good, Finished { points, normal: d, distance: bound, lower: bound, upper, steps, good });
    }
    found
}
