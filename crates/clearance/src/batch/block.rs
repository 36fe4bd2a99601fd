//! Pairs as lanes take them, and what they decide.

use super::lane::{ROW, Row};
use crate::math::{Mat3, Real, Vec3};

/// The kinds of shapes that lanes have supports for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Half extents.
    Cuboid,
    /// Radii.
    Ellipsoid,
    /// Radius, unused, half height.
    Cylinder,
    /// Radius, unused, height.
    Cone,
    /// The vertices of the [`Side`].
    Hull,
}

/// What all first or all second shapes of a queue have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub kind: Kind,
    /// The vertices of a hull; none for other kinds.
    pub vertices: &'a [Vec3],
    /// A point of the interior.
    pub centre: Vec3,
    /// Whether they have a rounding radius.
    pub is_rounded: bool,
}

/// Pairs side by side: a row for each number of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// The columns of the rotations from the frames of B to those of A.
    pub rotation: [[Row; 3]; 3],
    pub translation: [Row; 3],
    /// The sizes of both shapes, by their kind.
    pub sizes: [[Row; 3]; 2],
    /// The sizes of the pairs.
    pub size: Row,
    /// The sums of the rounding radii.
    pub margin: Row,
}

impl Block {
    /// Pairs of a size that is no number: nothing is certain about them.
    pub const EMPTY: Self = Self {
        rotation: [[Row::ZERO; 3]; 3],
        translation: [Row::ZERO; 3],
        sizes: [[Row::ZERO; 3]; 2],
        size: Row([Real::NAN; ROW]),
        margin: Row::ZERO,
    };

    /// Puts a pair in a lane.
    #[inline]
    pub fn set(
        &mut self,
        lane: usize,
        rotation: &Mat3,
        translation: Vec3,
        sizes: [Vec3; 2],
        [size, margin]: [Real; 2],
    ) {
        let lane = lane % ROW;
        let [x, y, z] = &mut self.rotation;
        put(x, lane, rotation.x_axis);
        put(y, lane, rotation.y_axis);
        put(z, lane, rotation.z_axis);
        put(&mut self.translation, lane, translation);
        let [a, b] = &mut self.sizes;
        put(a, lane, sizes[0]);
        put(b, lane, sizes[1]);
        self.size.0[lane] = size;
        self.margin.0[lane] = margin;
    }
}

/// The distance of two cores with its bounds, to which the error of a support is still to be added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    /// Points of both.
    pub points: [Vec3; 2],
    /// Of unit length, from A to B.
    pub normal: Vec3,
    pub distance: Real,
    pub lower: Real,
    pub upper: Real,
    /// A point of A in the plane that bounds it from below.
    pub on_plane: Vec3,
    /// The size of the pair.
    pub size: Real,
    /// Supports that it took.
    pub steps: u32,
}

/// What is certain about a pair, in the frame of A, and the supports it took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Outcome {
    pub verdict: Verdict,
    pub steps: u32,
}

/// What is certain about a pair, in the frame of A.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Verdict {
    /// Nothing.
    Unclear,
    /// A plane separates the cores, by more than the rounding radii.
    Apart { direction: Vec3, bound: Real, on_a: Vec3 },
    /// A point of both.
    Common(Vec3),
    /// Points of the cores that are nearer to each other than the rounding radii.
    Near([Vec3; 2]),
}

/// The component of three rows in a lane.
#[inline(always)]
pub(super) fn at([x, y, z]: &[Row; 3], lane: usize) -> Vec3 {
    Vec3::new(x.0[lane], y.0[lane], z.0[lane])
}

#[inline(always)]
pub(super) fn put([x, y, z]: &mut [Row; 3], lane: usize, v: Vec3) {
    (x.0[lane], y.0[lane], z.0[lane]) = (v.x, v.y, v.z);
}
