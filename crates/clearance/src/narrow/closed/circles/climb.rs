//! The steps.
//!
//! With shares λ and μ of the second circles, m(d) = b(d) − a(d) is stationary in d but for the shares, d·m is the distance along d, and what of m is
//! across d its slope. Turned by s, m falls by (K + d·m)s, where K is r/ρ along each circle's tangent, ρ the sine of the angle between d and the
//! axis. A body that lies on its side has the difference u of its two points at a right angle to d: u·s makes up for what is missing. So s, λ
//! and μ are the solution of at most four linear equations; a share that leaves 0…1 is let go, and a circle that would be passed is taken in.

use super::body::{Circles, Nearest};
use crate::math::{Real, Vec3, length, unit_or};
use crate::narrow::pair::Pair;
use crate::support::VertexId;
use crate::tolerance::{END_DIRECTION, LEAST_STIFFNESS, NEWTON_NEAR, POLISHED_RESIDUAL};

/// Steps double the digits; nearly all that get there take four to six.
const MOST_STEPS: u32 = 9;

/// How often circles are taken in or let go within a step.
const MOST_CHANGES: u32 = 4;

/// How the search ended.
pub(super) enum Ended {
    Nearest(Nearest),
    /// The direction to start from does not separate.
    Behind,
    Lost,
}

/// Which of the circles count.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Touched {
    First,
    Second,
    Both,
}

/// A vector in the plane across the direction.
type Flat = [Real; 2];

/// A body along a direction.
struct Seen {
    /// The farthest point of the first circle.
    point: Vec3,
    /// From there to that of the second one, and how much farther that is.
    side: Vec3,
    farther: Real,
    /// The tangent of the circles, and the inverse of the sine of the angle between the direction and the axis.
    tangent: Vec3,
    inverse: Real,
    /// Part of the direction along the axis.
    along: Real,
}

impl Circles {
    #[inline]
    fn seen(&self, d: Vec3) -> Seen {
        let [x, y, along] = [self.axes.x_axis, self.axes.y_axis, self.axes.z_axis].map(|axis| axis.dot(d));
        let sine = (x * x + y * y).sqrt();
        let inverse = if sine > 0.0 { 1.0 / sine } else { 0.0 };
        let (x, y) = (x * inverse, y * inverse);
        let outward = self.axes.x_axis * x + self.axes.y_axis * y;
        let wider = self.radii[1] - self.radii[0];
        let higher = self.heights[1] - self.heights[0];
        Seen {
            point: self.centre + self.axes.z_axis * self.heights[0] + outward * self.radii[0],
            side: self.axes.z_axis * higher + outward * wider,
            farther: higher * along + wider * sine,
            tangent: self.axes.y_axis * x - self.axes.x_axis * y,
            inverse,
            along,
        }
    }

    /// How much the tangent bends the value, given the share of the second circle.
    #[inline]
    fn bend(&self, seen: &Seen, share: Real) -> Real {
        (self.radii[0] + share * (self.radii[1] - self.radii[0])) * seen.inverse
    }

    /// The flat end that looks up or down the axis: its normal, its centre and its radius.
    #[inline]
    fn on_end(&self, along: Real) -> (Vec3, Vec3, Real) {
        let is_up = along > 0.0;
        let end = usize::from(is_up == (self.heights[1] > self.heights[0]));
        let normal = if is_up { self.axes.z_axis } else { -self.axes.z_axis };
        (normal, self.centre + self.axes.z_axis * self.heights[end], self.radii[end])
    }
}

impl Touched {
    #[inline]
    fn of(seen: &Seen) -> Self {
        if seen.farther > 0.0 { Self::Second } else { Self::First }
    }

    #[inline]
    fn share(self, if_both: Real) -> Real {
        match self {
            Self::First => 0.0,
            Self::Second => 1.0,
            Self::Both => if_both,
        }
    }

    /// What counts given the share and how much farther the second circle would be after the step.
    #[inline]
    fn changed(self, share: Real, farther: Real) -> Self {
        match self {
            Self::Both if share < 0.0 => Self::First,
            Self::Both if share > 1.0 => Self::Second,
            Self::First if farther > 0.0 => Self::Both,
            Self::Second if farther < 0.0 => Self::Both,
            same => same,
        }
    }
}

/// The maximum near a direction of any length, from which the search turns away if it does not separate and that is asked for.
#[inline]
pub(super) fn climb(pair: &Pair<'_>, bodies: [&Circles; 2], start: Vec3, is_asked: bool) -> Ended {
    let mut d = unit_or(start, Vec3::X);
    let mut touched = None;
    let mut shares = [0.0; 2];
    let mut turned = Real::INFINITY;
    let mut ends_tried = [false; 2];
    for step in 1..=MOST_STEPS {
        let seen = [bodies[0].seen(d), bodies[1].seen(-d)];
        let mut now = touched.unwrap_or_else(|| [Touched::of(&seen[0]), Touched::of(&seen[1])]);
        shares = [now[0].share(shares[0]), now[1].share(shares[1])];
        let points = [0, 1].map(|i: usize| seen[i].point + seen[i].side * shares[i]);
        let m = points[1] - points[0];
        let value = d.dot(m);
        if is_asked && step == 1 && !(value > pair.sigma) {
            return Ended::Behind;
        }
        for i in 0..2 {
            if seen[i].along.abs() > END_DIRECTION && !ends_tried[i] {
                ends_tried[i] = true;
                if let Some(nearest) = on_end(pair, bodies[i], seen[i].along, i == 1, step) {
                    return Ended::Nearest(nearest);
                }
            }
        }
        if turned <= NEWTON_NEAR {
            let residual = length(m - d * value);
            if residual <= POLISHED_RESIDUAL * value + 4.0 * pair.sigma {
                let bound = d.dot(pair.m.lowest(d, [VertexId::NONE; 2]).m);
                let missed = (value - bound).max(0.0);
                if missed <= 4.0 * pair.sigma && bound > pair.sigma {
                    let residual = residual + missed;
                    return Ended::Nearest(Nearest { direction: d, bound, points, residual, steps: step });
                }
                // Of other circles.
                now = [Touched::of(&seen[0]), Touched::of(&seen[1])];
                shares = [now[0].share(0.0), now[1].share(0.0)];
            }
        }
        let system = System::new(bodies, &seen, d, m, shares);
        let Some((next, by, of)) = system.solved(now) else { return Ended::Lost };
        (touched, shares) = (Some(next), of);
        let square = by[0] * by[0] + by[1] * by[1];
        turned = square.sqrt();
        if !turned.is_finite() {
            return Ended::Lost;
        }
        let scale = if turned > 1.0 { 1.0 / turned } else { 1.0 };
        d = unit_or(d + (system.basis[0] * by[0] + system.basis[1] * by[1]) * scale, d);
    }
    Ended::Lost
}

/// The answer if a flat end of one body is nearest to the other.
fn on_end(pair: &Pair<'_>, body: &Circles, along: Real, is_b: bool, steps: u32) -> Option<Nearest> {
    let (normal, centre, radius) = body.on_end(along);
    let direction = unit_or(if is_b { -normal } else { normal }, normal);
    let lowest = pair.m.lowest(direction, [VertexId::NONE; 2]);
    let bound = direction.dot(lowest.m);
    let other = if is_b { lowest.a } else { lowest.a + lowest.m };
    let from_centre = other - centre;
    let foot = other - normal * normal.dot(from_centre);
    let is_over = (foot - centre).length_squared() <= radius * radius;
    let points = if is_b { [other, foot] } else { [foot, other] };
    let residual = length(points[1] - points[0] - direction * bound);
    let is_nearest = is_over && bound > pair.sigma && residual <= POLISHED_RESIDUAL * bound + 4.0 * pair.sigma;
    is_nearest.then_some(Nearest { direction, bound, points, residual, steps })
}

/// The equations of a step, in a plane across the direction.
struct System {
    basis: [Vec3; 2],
    /// The matrix: both on the diagonal and the one beside it; and the inverse of its determinant.
    matrix: [Real; 3],
    inverse: Real,
    /// Between the first circles' points.
    m: Flat,
    /// From first to second circles, and how much farther these are along the direction and against it.
    sides: [Flat; 2],
    farther: [Real; 2],
}

impl System {
    #[inline]
    fn new(bodies: [&Circles; 2], seen: &[Seen; 2], d: Vec3, m: Vec3, shares: [Real; 2]) -> Self {
        let (x, y) = d.any_orthonormal_pair();
        let flat = |v: Vec3| [v.dot(x), v.dot(y)];
        // Far from the maximum the value means little; at it, it is the length.
        let stiffness = d.dot(m).max(LEAST_STIFFNESS * length(m));
        let mut matrix = [stiffness, stiffness, 0.0];
        for i in 0..2 {
            let [tx, ty] = flat(seen[i].tangent);
            let bend = bodies[i].bend(&seen[i], shares[i]);
            matrix[0] += bend * tx * tx;
            matrix[1] += bend * ty * ty;
            matrix[2] += bend * tx * ty;
        }
        Self {
            basis: [x, y],
            matrix,
            inverse: 1.0 / (matrix[0] * matrix[1] - matrix[2] * matrix[2]),
            m: flat(seen[1].point - seen[0].point),
            sides: [flat(seen[0].side), flat(seen[1].side)],
            farther: [seen[0].farther, seen[1].farther],
        }
    }

    /// What makes the matrix this vector.
    #[inline]
    fn before(&self, v: Flat) -> Flat {
        let [xx, yy, xy] = self.matrix;
        [(yy * v[0] - xy * v[1]) * self.inverse, (xx * v[1] - xy * v[0]) * self.inverse]
    }

    /// The circles that count, the step and the shares.
    #[inline]
    fn solved(&self, from: [Touched; 2]) -> Option<([Touched; 2], Flat, [Real; 2])> {
        let mut touched = from;
        for _ in 0..MOST_CHANGES {
            let (step, shares) = self.step(touched);
            let [u, v] = self.sides;
            // Seen against the direction, the second body turns the other way.
            let farther = [self.farther[0] + dot(u, step), self.farther[1] - dot(v, step)];
            let changed = [0, 1].map(|i: usize| touched[i].changed(shares[i], farther[i]));
            if changed == touched {
                return Some((touched, step, shares));
            }
            touched = changed;
        }
        let (step, shares) = self.step(touched);
        Some((touched, step, shares.map(|share| share.clamp(0.0, 1.0))))
    }

    /// The step and the shares if these circles count.
    #[inline]
    fn step(&self, touched: [Touched; 2]) -> (Flat, [Real; 2]) {
        let ([u, v], [of_a, of_b]) = (self.sides, self.farther);
        match touched {
            [Touched::Both, Touched::Both] => {
                let inverse = 1.0 / cross(u, v);
                let step = [-(of_a * v[1] + of_b * u[1]) * inverse, (of_a * v[0] + of_b * u[0]) * inverse];
                let [xx, yy, xy] = self.matrix;
                let rest = [xx * step[0] + xy * step[1] - self.m[0], xy * step[0] + yy * step[1] - self.m[1]];
                (step, [-cross(rest, v) * inverse, cross(u, rest) * inverse])
            }
            [Touched::Both, second] => {
                let share = second.share(0.0);
                let (of_side, of_m) = (self.before(u), self.before(plus(self.m, v, share)));
                let other = (dot(u, of_m) + of_a) / dot(u, of_side);
                (plus(of_m, of_side, -other), [other, share])
            }
            [first, Touched::Both] => {
                let share = first.share(0.0);
                let (of_side, of_m) = (self.before(v), self.before(plus(self.m, u, -share)));
                let other = (of_b - dot(v, of_m)) / dot(v, of_side);
                (plus(of_m, of_side, other), [share, other])
            }
            [first, second] => {
                let shares = [first.share(0.0), second.share(0.0)];
                (self.before(plus(plus(self.m, v, shares[1]), u, -shares[0])), shares)
            }
        }
    }
}

#[inline]
fn dot(a: Flat, b: Flat) -> Real {
    a[0] * b[0] + a[1] * b[1]
}

#[inline]
fn cross(a: Flat, b: Flat) -> Real {
    a[0] * b[1] - a[1] * b[0]
}

#[inline]
fn plus(a: Flat, b: Flat, times: Real) -> Flat {
    [a[0] + b[0] * times, a[1] + b[1] * times]
}
