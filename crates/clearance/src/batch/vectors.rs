//! Vectors of three numbers for each lane.

use std::ops::{Add, Mul, Sub};

use super::lane::{Lane, Row};
use crate::math::Vec3;

/// A vector for each lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vectors<L> {
    pub x: L,
    pub y: L,
    pub z: L,
}

impl<L: Lane> Vectors<L> {
    #[inline(always)]
    pub fn splat(v: Vec3) -> Self {
        Self { x: L::splat(v.x), y: L::splat(v.y), z: L::splat(v.z) }
    }

    #[inline(always)]
    pub fn load_at([x, y, z]: &[Row; 3], position: usize) -> Self {
        Self { x: L::load_at(x, position), y: L::load_at(y, position), z: L::load_at(z, position) }
    }

    #[inline(always)]
    pub fn load(rows: &[Row; 3]) -> Self {
        Self::load_at(rows, 0)
    }

    #[inline(always)]
    pub fn store(self, [x, y, z]: &mut [Row; 3]) {
        self.x.store(x);
        self.y.store(y);
        self.z.store(z);
    }

    #[inline(always)]
    pub fn scaled(self, by: L) -> Self {
        Self { x: self.x.mul(by), y: self.y.mul(by), z: self.z.mul(by) }
    }

    #[inline(always)]
    pub fn negated(self) -> Self {
        let zero = L::splat(0.0);
        Self { x: zero.sub(self.x), y: zero.sub(self.y), z: zero.sub(self.z) }
    }

    /// Of unit length; no numbers if there is none.
    #[inline(always)]
    pub fn unit(self) -> Self {
        self.scaled(L::splat(1.0).div(self.dot(self).sqrt()))
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> L {
        self.x.mul(other.x).add(self.y.mul(other.y)).add(self.z.mul(other.z))
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y.mul(other.z).sub(self.z.mul(other.y)),
            y: self.z.mul(other.x).sub(self.x.mul(other.z)),
            z: self.x.mul(other.y).sub(self.y.mul(other.x)),
        }
    }

    #[inline(always)]
    pub fn select(mask: L::Mask, this: Self, other: Self) -> Self {
        Self {
            x: L::select(mask, this.x, other.x),
            y: L::select(mask, this.y, other.y),
            z: L::select(mask, this.z, other.z),
        }
    }
}

impl<L: Lane> Add for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x.add(other.x), y: self.y.add(other.y), z: self.z.add(other.z) }
    }
}

impl<L: Lane> Sub for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x.sub(other.x), y: self.y.sub(other.y), z: self.z.sub(other.z) }
    }
}

impl<L: Lane> Mul for Vectors<L> {
    type Output = Self;

    /// Component by component.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self { x: self.x.mul(other.x), y: self.y.mul(other.y), z: self.z.mul(other.z) }
    }
}
