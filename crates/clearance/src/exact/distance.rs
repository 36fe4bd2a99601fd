//! An exact distance: the square root of a fraction.

use std::cmp::Ordering;

use super::vector::{Dyadic, compare_ratios};
use crate::math::integer::Int;

/// An exact distance: the square root of a fraction of integers. It can be compared with any number, and gives its neighbours among the
/// doubles.
#[derive(Debug, Clone)]
pub struct Distance {
    /// The square in units of two to twice the power: numerator and positive denominator.
    pub(super) square: [Int; 2],
    pub(super) power: i32,
}

impl Distance {
    pub(super) fn new(square: [Int; 2], power: i32) -> Self {
        Self { square, power }
    }

    pub(super) fn zero() -> Self {
        Self { square: [Int::default(), Int::from(1)], power: 0 }
    }

    pub(super) fn is_less(&self, other: &Self) -> bool {
        // Two distances of one pair have one unit; zero is zero in any.
        let [a, b] = [self, other].map(|distance| [&distance.square[0], &distance.square[1]]);
        compare_ratios(a, b) == Ordering::Less
    }

    /// Whether the bodies have a point in common.
    pub fn is_zero(&self) -> bool {
        self.square[0].is_zero()
    }

    /// The distance compared with a number, exactly: `Less` if the distance is less. Nothing for NaN.
    ///
    /// ```
    /// use clearance::{Cache, Pose, Shape, exact};
    /// use std::cmp::Ordering;
    /// let (cube, point) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::point());
    /// let at = Pose::from_translation([4.0, 5.0, 1.0])?;
    /// let distance = exact::distance(&cube, &Pose::IDENTITY, &point, &at, &mut Cache::default())?;
    /// assert_eq!(distance.compare(5.0), Some(Ordering::Equal)); // 3, 4, 5
    /// assert_eq!(distance.bounds(), [5.0, 5.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(&self, value: f64) -> Option<Ordering> {
        if value.is_nan() {
            return None;
        }
        if value < 0.0 || value.is_infinite() {
            return Some(if value < 0.0 { Ordering::Greater } else { Ordering::Less });
        }
        let [over, under] = &self.square;
        let root = Dyadic::from(value);
        let Some(power) = root.power() else { return Some(over.sign().cmp(&0)) };
        let common = power.min(self.power);
        let own = over.times_power(2 * (self.power - common).unsigned_abs());
        let other = &root.at(common) * &root.at(common);
        Some((&own - &(&other * under)).sign().cmp(&0))
    }

    /// The largest double that is not above the distance, and the smallest that is not below it: equal where the distance is one.
    pub fn bounds(&self) -> [f64; 2] {
        neighbours(|value| self.compare(value))
    }

    /// The same of the square of the distance, which is a fraction.
    pub fn square_bounds(&self) -> [f64; 2] {
        let [over, under] = &self.square;
        neighbours(|value| {
            let value = Dyadic::from(value);
            let Some(power) = value.power() else { return Some(over.sign().cmp(&0)) };
            let common = power.min(2 * self.power);
            let own = over.times_power((2 * self.power - common).unsigned_abs());
            Some((&own - &(&value.at(common) * under)).sign().cmp(&0))
        })
    }
}

/// The doubles around a number that is not negative and can be compared with them, by halving the range of their bits.
fn neighbours(compare: impl Fn(f64) -> Option<Ordering>) -> [f64; 2] {
    let is_at_most = |bits: u64| compare(f64::from_bits(bits)).is_some_and(Ordering::is_ge);
    let (mut low, mut high) = (0, f64::MAX.to_bits());
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if is_at_most(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let below = f64::from_bits(low);
    [below, if compare(below) == Some(Ordering::Equal) { below } else { below.next_up() }]
}
