//! Boxes and nodes of the tree, in single precision whatever the build's precision is.
//!
//! A box is rounded outwards, so that it contains what it was made from: the tree answers with candidates, and whoever asks
//! compares exact data. Half the bytes are half the memory traffic.
//!
//! A node is a box whose two fourth lanes carry its links as bits: `−link` below, `payload` above. Read as floats these are
//! at most zero and at least zero, so that a comparison of all four lanes is the comparison of the three that matter.

use glam::{DVec3, Vec4};

use crate::math::{Aabb, Real, Vec3, widen};

/// Payloads are at most this: larger ones would read as infinite or as no number in the fourth lane.
pub const MAX_PAYLOAD: u32 = f32::MAX.to_bits();
/// How many pairs of nodes a tree may have, for the same reason.
pub(super) const MAX_PAIRS: usize = MAX_PAYLOAD as usize - 1;
const SIGN: u32 = 1 << 31;

/// The number of a node: 0 is the root. Below [`Bvh::node_capacity`](super::Bvh::node_capacity).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeId(pub u32);

impl NodeId {
    pub(super) const ROOT: Self = Self(0);
    pub(super) const NONE: Self = Self(u32::MAX);

    #[inline]
    pub(super) fn of(pair: u32, side: usize) -> Self {
        Self(2 * pair + 1 + side as u32)
    }

    /// The pair and the side in it; none for the root.
    #[inline]
    pub(super) fn position(self) -> Option<(u32, usize)> {
        self.0.checked_sub(1).map(|i| (i / 2, i as usize % 2))
    }
}

/// An axis-aligned box in single precision, rounded outwards from what it bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeBox {
    pub(super) min: Vec4,
    pub(super) max: Vec4,
}

impl NodeBox {
    /// The box that contains nothing.
    pub const EMPTY: Self = Self {
        min: Vec4::new(f32::INFINITY, f32::INFINITY, f32::INFINITY, 0.0),
        max: Vec4::new(f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, 0.0),
    };

    /// The smallest such box around an exact one, up to an ulp or two.
    #[inline]
    pub fn enclosing(bounds: &Aabb) -> Self {
        Self { min: rounded_down(bounds.min), max: -rounded_down(-bounds.max) }
    }

    /// The same around a box in f64, whatever the build's precision is.
    #[inline]
    pub(super) fn around(min: DVec3, max: DVec3) -> Self {
        let down = |v: DVec3| {
            let near = v.as_vec3().extend(0.0).min(Vec4::MAX);
            (near - (near.abs() * f32::EPSILON + Vec4::splat(f32::MIN_POSITIVE))).with_w(0.0)
        };
        Self { min: down(min), max: -down(-max) }
    }

    /// The corner with the smallest coordinates.
    #[inline]
    pub fn min(&self) -> [f32; 3] {
        self.min.truncate().to_array()
    }

    /// The corner with the largest coordinates.
    #[inline]
    pub fn max(&self) -> [f32; 3] {
        self.max.truncate().to_array()
    }

    /// Whether the closed boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (self.min.cmple(other.max) & other.min.cmple(self.max)).all()
    }

    /// How far the boxes are apart along the axis along which they are farthest apart, at least; not positive if they share a point.
    #[inline]
    pub fn separation(&self, other: &Self) -> f32 {
        let apart = (self.min - other.max).max(other.min - self.max).truncate();
        // Rounding of a difference: a positive one stays so.
        apart.max_element() * (1.0 - f32::EPSILON)
    }

    /// Whether the other box lies in this one, boundary included.
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        let (below, above) = (self.min.cmple(other.min), other.max.cmple(self.max));
        (below & above).bitmask() & 0b111 == 0b111
    }

    /// The smallest box around both.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min).with_w(0.0), max: self.max.max(other.max).with_w(0.0) }
    }

    /// Half the surface area, the measure of the surface-area heuristic; finite for every box that is not empty.
    #[inline]
    pub fn half_area(&self) -> f64 {
        let d = self.max.clamp(Vec4::MIN, Vec4::MAX) - self.min.clamp(Vec4::MIN, Vec4::MAX);
        let [x, y, z, _] = d.min(Vec4::MAX).to_array().map(f64::from);
        x * y + y * z + z * x
    }

    /// The middle, kept finite: where the box is sorted to when a tree is built.
    #[inline]
    pub(super) fn center(&self) -> Vec4 {
        (self.min.clamp(Vec4::MIN, Vec4::MAX) * 0.5 + self.max.clamp(Vec4::MIN, Vec4::MAX) * 0.5).with_w(0.0)
    }

    /// The middle and half the extents, in f64.
    #[inline]
    pub fn middle_and_half(&self) -> [DVec3; 2] {
        let (min, max) = (self.min.truncate().as_dvec3(), self.max.truncate().as_dvec3());
        [0.5 * (min + max), 0.5 * (max - min)]
    }

    /// The box in this build's precision.
    pub fn to_aabb(&self) -> Aabb {
        let real = |corner: [f32; 3]| Vec3::from_array(corner.map(Real::from));
        Aabb { min: real(self.min()), max: real(self.max()) }
    }
}

/// At most the given numbers: rounding is off by half an ulp, and one to two are taken off. The smallest normal number covers
/// those too small for a relative error.
#[cfg(not(single_precision))]
#[inline]
fn rounded_down(v: Vec3) -> Vec4 {
    let near = widen(v).as_vec3().extend(0.0).min(Vec4::MAX);
    (near - (near.abs() * f32::EPSILON + Vec4::splat(f32::MIN_POSITIVE))).with_w(0.0)
}

#[cfg(single_precision)]
#[inline]
fn rounded_down(v: Vec3) -> Vec4 {
    debug_assert!(!widen(v).is_nan());
    v.extend(0.0)
}

/// A leaf with its payload, or an inner node with the pair of its children.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node(NodeBox);

impl Node {
    pub const NONE: Self = Self(NodeBox::EMPTY);

    #[inline]
    pub fn leaf(payload: u32, bounds: &NodeBox) -> Self {
        Self(NodeBox { min: bounds.min.with_w(-0.0), max: bounds.max.with_w(f32::from_bits(payload)) })
    }

    #[inline]
    pub fn inner(children: u32, bounds: &NodeBox) -> Self {
        Self(NodeBox { min: bounds.min.with_w(f32::from_bits(SIGN | (children + 1))), max: bounds.max.with_w(0.0) })
    }

    /// The box; its fourth lanes are the links, which no operation on boxes looks at.
    #[inline]
    pub fn bounds(&self) -> &NodeBox {
        &self.0
    }

    /// The pair of children; none for a leaf.
    #[inline]
    pub fn children(&self) -> Option<u32> {
        (self.0.min.w.to_bits() & !SIGN).checked_sub(1)
    }

    #[inline]
    pub fn payload(&self) -> u32 {
        self.0.max.w.to_bits()
    }

    /// The same node with another box.
    #[inline]
    pub fn with_bounds(&self, bounds: &NodeBox) -> Self {
        Self(NodeBox { min: bounds.min.with_w(self.0.min.w), max: bounds.max.with_w(self.0.max.w) })
    }
}

/// Two siblings: one line of the cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Siblings(pub [Node; 2]);

impl Siblings {
    #[inline]
    pub fn bounds(&self) -> NodeBox {
        self.0[0].bounds().union(self.0[1].bounds())
    }
}
