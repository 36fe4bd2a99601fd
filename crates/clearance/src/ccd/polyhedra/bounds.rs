//! Boxes in f64.

use glam::DVec3;

use crate::bvh::NodeBox;
use crate::math::{Aabb, narrow};

/// A box in f64.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub min: DVec3,
    pub max: DVec3,
}

impl Default for Bounds {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Bounds {
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    #[inline]
    pub fn with(self, p: DVec3) -> Self {
        let (lesser, greater) =
            (|a: f64, b: f64| if a < b { a } else { b }, |a: f64, b: f64| if a > b { a } else { b });
        let (min, max) = (self.min, self.max);
        Self {
            min: DVec3::new(lesser(min.x, p.x), lesser(min.y, p.y), lesser(min.z, p.z)),
            max: DVec3::new(greater(max.x, p.x), greater(max.y, p.y), greater(max.z, p.z)),
        }
    }

    /// The box of one point.
    #[inline]
    pub fn point(p: DVec3) -> Self {
        Self { min: p, max: p }
    }

    /// How far apart the boxes are in their first two coordinates; not positive if they overlap.
    #[inline]
    pub fn gap_across(&self, other: &Self) -> f64 {
        let x = greater(self.min.x - other.max.x, other.min.x - self.max.x);
        greater(x, greater(self.min.y - other.max.y, other.min.y - self.max.y))
    }

    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// What is in both; its sides are the wrong way round where that is nothing.
    pub fn intersection(self, other: &Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    #[inline]
    pub fn grown(self, by: f64) -> Self {
        Self { min: self.min - by, max: self.max + by }
    }

    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    #[inline]
    pub fn of(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }

    /// The tree's box; the zone by which it was grown is larger than the rounding here.
    pub fn node_box(&self) -> NodeBox {
        NodeBox::enclosing(&Aabb { min: narrow(self.min), max: narrow(self.max) })
    }
}

/// The lesser of two numbers, of which none is NaN: one instruction.
#[inline]
pub(super) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two numbers, of which none is NaN: one instruction.
#[inline]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
