//! Newton's method on the direction: where d·t − h(d) is largest near by.
//!
//! The point of the difference farthest against d is m(d) = t − x(d), and what of it is across d is the slope. At a maximum it is zero. Along
//! the second derivative the value falls: that of √(dᵀQd) is (Q − yyᵀ)/√(dᵀQd) with y = Qd/√(dᵀQd). A box bends the value only where a
//! part of d changes its sign: a part that is zero stays so for as long as the ellipsoid's point is above the face.

use super::{First, Round};
use crate::math::{Real, Vec3, length, unit_or};
use crate::narrow::closed::symmetric::Symmetric;
use crate::tolerance::{POLISHED_RESIDUAL, SUPPORT_ERROR};

/// Steps double the digits; a few more let parts of a direction come and go.
const MOST_STEPS: u32 = 10;

/// What is known about a direction.
struct Look {
    value: Real,
    /// The part of m across the direction.
    across: Vec3,
    /// How m falls against a turn, but for the value.
    bend: Symmetric,
    /// Parts of the direction that stay zero: one where they do.
    still: Vec3,
}

impl Round {
    /// The value along a unit direction: how far apart the bodies are along it.
    #[inline]
    pub(super) fn value(&self, d: Vec3) -> Real {
        let of_first = match self.first {
            First::Box(half) => half.dot(d.abs()),
            First::Ellipsoid(radii) => (radii * d).length(),
        };
        self.between.dot(d) - of_first - self.second.times(d).dot(d).sqrt()
    }

    /// The maximum near a unit direction, as a unit direction, and how many steps it took.
    #[inline]
    pub(super) fn climb(&self, start: Vec3) -> Option<(Vec3, u32)> {
        let mut d = start;
        let mut is_near = false;
        for step in 1..=MOST_STEPS {
            let look = self.look(d);
            let across = length(look.across);
            // One step more than enough: what is left is a part of the way by which the points are off the bodies.
            if is_near || across <= 2.0 * SUPPORT_ERROR {
                return Some((d, step));
            }
            is_near = across <= POLISHED_RESIDUAL * look.value.abs() + 4.0 * SUPPORT_ERROR;
            d = self.step(d, &look)?;
        }
        None
    }

    #[inline]
    fn look(&self, d: Vec3) -> Look {
        let of_d = self.second.times(d);
        let inverse = 1.0 / of_d.dot(d).sqrt();
        let y = of_d * inverse;
        let bend = self.second.with(inverse, y, -inverse);
        let from = self.between - y;
        match self.first {
            First::Ellipsoid(radii) => {
                let squares = radii * radii;
                let of_d = squares * d;
                let inverse = 1.0 / of_d.dot(d).sqrt();
                let x = of_d * inverse;
                let own = Symmetric { diagonal: squares, mixed: Vec3::ZERO }.with(inverse, x, -inverse);
                let m = from - x;
                let value = m.dot(d);
                let bend = Symmetric { diagonal: bend.diagonal + own.diagonal, mixed: bend.mixed + own.mixed };
                Look { value, across: m - d * value, bend, still: Vec3::ZERO }
            }
            First::Box(half) => {
                let (is_zero, is_above) = (d.cmpeq(Vec3::ZERO), from.abs().cmple(half));
                let m = from - Vec3::select(is_zero, from.clamp(-half, half), half.copysign(d));
                let value = m.dot(d);
                let still = Vec3::select(is_zero & is_above, Vec3::ONE, Vec3::ZERO);
                Look { value, across: m - d * value, bend, still }
            }
        }
    }

    /// The next direction.
    #[inline]
    fn step(&self, d: Vec3, look: &Look) -> Option<Vec3> {
        // Along d itself the second derivative is nothing; with one there, the step is across d.
        let along = |value: Real| {
            let mut matrix = look.bend.with(1.0, d, 1.0 - value);
            matrix.diagonal += Vec3::splat(value);
            let (free, still) = (Vec3::ONE - look.still, look.still);
            matrix.diagonal = matrix.diagonal * free + still;
            matrix.mixed *= Vec3::new(free.y * free.z, free.z * free.x, free.x * free.y);
            matrix.solve(look.across)
        };
        // Where it is no maximum, a step that goes up all the same.
        let step = along(look.value).or_else(|| along(0.0))?;
        let size = length(step);
        if !size.is_finite() {
            return None;
        }
        let mut next = d + if size > 1.0 { step * (1.0 / size) } else { step };
        if let First::Box(_) = self.first {
            // A part that changes its sign stops at zero, where the box bends.
            next = Vec3::select((next * d).cmplt(Vec3::ZERO), Vec3::ZERO, next);
        }
        Some(unit_or(next, d))
    }

    /// The best of a few directions to look for the depth from: the axes of both bodies, and the one given.
    #[inline]
    pub(super) fn shallow(&self, given: Vec3) -> Option<Vec3> {
        let towards = |axis: Vec3| if axis.dot(self.between) < 0.0 { -axis } else { axis };
        let own = [Vec3::X, Vec3::Y, Vec3::Z].map(towards);
        let other = [self.axes.x_axis, self.axes.y_axis, self.axes.z_axis].map(towards);
        let mut best = unit_or(given, own[0]);
        let mut value = self.value(best);
        for d in own.into_iter().chain(other) {
            let new = self.value(d);
            if new > value {
                (best, value) = (d, new);
            }
        }
        value.is_finite().then_some(best)
    }
}
