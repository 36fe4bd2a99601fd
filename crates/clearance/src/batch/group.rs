//! Pairs that a search for nearest points works on, in the lanes of one vector, and what it found.

use super::block::{Block, Found, at, put};
use super::frame::{Frame, copy};
use super::lane::{Lane, ROW, Row};
use crate::math::Vec3;

/// What lanes found about a pair, in the frame of A.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Nearest {
    /// Nothing.
    Unclear,
    /// The cores have a common point for certain: these corners of M contain the origin.
    Meeting(Inside),
    /// The cores are apart, and these corners have the nearest point.
    Ended(Corners),
    /// The cores are apart by this.
    Finished(Found),
}

/// Where a search has ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Corners {
    /// Corners of M, of which some may be equal, and their points of A.
    pub corners: [Vec3; 3],
    pub on_a: [Vec3; 3],
    /// A direction and the lowest point of M along it.
    pub direction: Vec3,
    pub lowest: Vec3,
    /// Supports that it took.
    pub steps: u32,
}

/// A tetrahedron that contains the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Inside {
    /// Corners of M and their points of A.
    pub corners: [Vec3; 4],
    pub on_a: [Vec3; 4],
    /// Supports that it took.
    pub steps: u32,
}

/// Pairs that go on, in the lanes of one vector.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub rotation: [[Row; 3]; 3],
    pub translation: [Row; 3],
    pub sizes: [[Row; 3]; 2],
    /// The sizes of the pairs.
    pub size: Row,
    /// The sums of the rounding radii.
    pub margin: Row,
    pub corners: [[Row; 3]; 3],
    pub on_a: [[Row; 3]; 3],
    /// The nearest point of the corners.
    pub nearest: [Row; 3],
    /// The last support, and its point of A.
    pub lowest: [Row; 3],
    pub lowest_on_a: [Row; 3],
    pub steps: Row,
    /// Which pair of the queue is in each lane.
    pub owners: [usize; ROW],
    /// The lanes that hold a pair.
    pub active: u32,
}

impl Group {
    pub const EMPTY: Self = Self {
        rotation: [[Row::ZERO; 3]; 3],
        translation: [Row::ZERO; 3],
        sizes: [[Row::ZERO; 3]; 2],
        size: Row::ZERO,
        margin: Row::ZERO,
        corners: [[Row::ZERO; 3]; 3],
        on_a: [[Row::ZERO; 3]; 3],
        nearest: [Row::ZERO; 3],
        lowest: [Row::ZERO; 3],
        lowest_on_a: [Row::ZERO; 3],
        steps: Row::ZERO,
        owners: [0; ROW],
        active: 0,
    };

    /// Stores how fresh pairs lie, with one corner and its point of A.
    #[inline(always)]
    pub fn open<L: Lane>(&mut self, frame: &Frame<'_, L>, block: &Block, position: usize) {
        frame.store(&mut self.rotation, &mut self.translation, &mut self.sizes);
        L::load_at(&block.size, position).store(&mut self.size);
        L::load_at(&block.margin, position).store(&mut self.margin);
        L::splat(1.0).store(&mut self.steps);
    }

    /// Takes a pair from the lane of another group into a free one.
    #[inline(always)]
    pub fn take(&mut self, from: &Self, lane: usize) {
        let free = (!self.active).trailing_zeros() as usize % ROW;
        self.active |= 1 << free;
        self.owners[free] = from.owners[lane];
        copy(&mut self.rotation, free, &from.rotation, lane);
        copy(&mut self.sizes, free, &from.sizes, lane);
        put(&mut self.translation, free, at(&from.translation, lane));
        copy(&mut self.corners, free, &from.corners, lane);
        copy(&mut self.on_a, free, &from.on_a, lane);
        put(&mut self.nearest, free, at(&from.nearest, lane));
        put(&mut self.lowest, free, at(&from.lowest, lane));
        put(&mut self.lowest_on_a, free, at(&from.lowest_on_a, lane));
        self.margin.0[free] = from.margin.0[lane];
        self.size.0[free] = from.size.0[lane];
        self.steps.0[free] = from.steps.0[lane];
    }

    /// The corners of the pair in a lane and its last support.
    #[inline(always)]
    pub fn inside(&self, lane: usize) -> Inside {
        let Corners { corners: [c1, c2, c3], on_a: [a1, a2, a3], lowest, steps, .. } = self.corners(lane);
        Inside { corners: [c1, c2, c3, lowest], on_a: [a1, a2, a3, at(&self.lowest_on_a, lane)], steps }
    }

    /// Where the search of the pair in a lane stands.
    #[inline(always)]
    pub fn corners(&self, lane: usize) -> Corners {
        let [c1, c2, c3] = &self.corners;
        let [a1, a2, a3] = &self.on_a;
        Corners {
            corners: [at(c1, lane), at(c2, lane), at(c3, lane)],
            on_a: [at(a1, lane), at(a2, lane), at(a3, lane)],
            direction: at(&self.nearest, lane),
            lowest: at(&self.lowest, lane),
            steps: self.steps.0[lane] as u32,
        }
    }
}
