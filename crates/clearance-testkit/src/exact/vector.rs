//! Exact vectors, and the exact image of a point under a pose as stored.

use super::Dyadic;
use glam::{DMat3, DVec3};
use std::ops::{Add, Neg, Sub};

/// A vector of three exact numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exact3 {
    /// First coordinate.
    pub x: Dyadic,
    /// Second coordinate.
    pub y: Dyadic,
    /// Third coordinate.
    pub z: Dyadic,
}

impl Exact3 {
    /// The sum of the products of the coordinates.
    pub fn dot(&self, other: &Self) -> Dyadic {
        &(&(&self.x * &other.x) + &(&self.y * &other.y)) + &(&self.z * &other.z)
    }

    /// The right-handed cross product.
    pub fn cross(&self, other: &Self) -> Self {
        Self {
            x: &(&self.y * &other.z) - &(&self.z * &other.y),
            y: &(&self.z * &other.x) - &(&self.x * &other.z),
            z: &(&self.x * &other.y) - &(&self.y * &other.x),
        }
    }

    /// The square of the length.
    pub fn length_squared(&self) -> Dyadic {
        self.dot(self)
    }

    /// Whether all coordinates are zero.
    pub fn is_zero(&self) -> bool {
        self.x.is_zero() && self.y.is_zero() && self.z.is_zero()
    }

    /// The vector times an exact number.
    pub fn times(&self, factor: &Dyadic) -> Self {
        self.map(|c| c * factor)
    }

    /// The vector times `2^power`.
    pub fn scaled(&self, power: i64) -> Self {
        self.map(|c| c.scaled(power))
    }

    /// The smallest `k` such that every coordinate is below `2^k` in size; nothing for zero.
    pub fn top(&self) -> Option<i64> {
        self.x.top().max(self.y.top()).max(self.z.top())
    }

    /// Each coordinate rounded to the nearest `f64`.
    pub fn to_dvec3(&self) -> DVec3 {
        DVec3::new(self.x.to_f64(), self.y.to_f64(), self.z.to_f64())
    }

    /// The direction, of length one within rounding whatever the vector's size; nothing for zero.
    pub fn unit(&self) -> Option<DVec3> {
        let top = self.top()?;
        Some(self.scaled(-top).to_dvec3().normalize())
    }

    fn map(&self, f: impl Fn(&Dyadic) -> Dyadic) -> Self {
        Self { x: f(&self.x), y: f(&self.y), z: f(&self.z) }
    }
}

impl From<DVec3> for Exact3 {
    fn from(v: DVec3) -> Self {
        Self { x: v.x.into(), y: v.y.into(), z: v.z.into() }
    }
}

impl Add for &Exact3 {
    type Output = Exact3;
    fn add(self, other: &Exact3) -> Exact3 {
        Exact3 { x: &self.x + &other.x, y: &self.y + &other.y, z: &self.z + &other.z }
    }
}

impl Sub for &Exact3 {
    type Output = Exact3;
    fn sub(self, other: &Exact3) -> Exact3 {
        Exact3 { x: &self.x - &other.x, y: &self.y - &other.y, z: &self.z - &other.z }
    }
}

impl Neg for &Exact3 {
    type Output = Exact3;
    fn neg(self) -> Exact3 {
        self.map(|c| -c)
    }
}

/// The exact value of `matrix · point + translation`, for the numbers as stored. The matrix need
/// not be a perfect rotation: a rounded one is taken for the linear map that it is.
pub fn posed(point: DVec3, matrix: DMat3, translation: DVec3) -> Exact3 {
    let point = Exact3::from(point);
    let row = |i: usize| Exact3::from(matrix.row(i)).dot(&point);
    let turned = Exact3 { x: row(0), y: row(1), z: row(2) };
    &turned + &Exact3::from(translation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_match_closed_forms() {
        let a = Exact3::from(DVec3::new(1.0, 2.0, 3.0));
        let b = Exact3::from(DVec3::new(-4.0, 0.5, 2.0));
        assert_eq!(a.dot(&b).to_f64(), 3.0);
        assert_eq!(a.cross(&b).to_dvec3(), DVec3::new(2.5, -14.0, 8.5));
        assert!(a.cross(&a).is_zero());
        assert_eq!((&(&a + &b) - &a), b);
        assert_eq!((-&a).times(&2.0.into()).x.to_f64(), -2.0);
    }

    #[test]
    fn directions_ignore_size() {
        let v = Exact3::from(DVec3::new(3.0, 0.0, -4.0));
        for power in [-5000, 0, 5000] {
            let unit = v.scaled(power).unit().unwrap();
            assert!((unit - DVec3::new(0.6, 0.0, -0.8)).length() < 1e-15);
        }
        assert!(Exact3::default().unit().is_none());
    }

    #[test]
    fn poses_do_not_round() {
        let turn = DMat3::from_cols(DVec3::new(0.0, 1.0, 0.0), DVec3::new(-1.0, 0.0, 0.0), DVec3::Z);
        let image = posed(DVec3::new(1e-30, 2.0, 3.0), turn, DVec3::new(1e10, 1e10, 0.0));
        let back = &image - &Exact3::from(DVec3::new(1e10, 1e10, 0.0));
        assert_eq!(back.to_dvec3(), DVec3::new(-2.0, 1e-30, 3.0));
    }
}
