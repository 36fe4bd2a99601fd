//! What searches in lanes have in common: how the pairs of a vector lie, the lowest point of their difference, and what a step has decided.
//!
//! No closures here and in the searches: they are not compiled for the processor's feature and would not be inlined.

use super::block::{Side, at, put};
use super::lane::{Lane, Row};
use super::support::support;
use super::vectors::Vectors;

/// How the pairs in the lanes of a vector lie: B's axes and place in the frame of A.
pub(super) struct Frame<'a, L> {
    x: Vectors<L>,
    y: Vectors<L>,
    z: Vectors<L>,
    translation: Vectors<L>,
    sizes: &'a [[Row; 3]; 2],
    position: usize,
}

impl<'a, L: Lane> Frame<'a, L> {
    #[inline(always)]
    pub fn load([x, y, z]: &[[Row; 3]; 3], translation: &[Row; 3], sizes: &'a [[Row; 3]; 2], position: usize) -> Self {
        Self {
            x: Vectors::load_at(x, position),
            y: Vectors::load_at(y, position),
            z: Vectors::load_at(z, position),
            translation: Vectors::load_at(translation, position),
            sizes,
            position,
        }
    }

    /// Stores the frame in other rows.
    #[inline(always)]
    pub fn store(&self, [x, y, z]: &mut [[Row; 3]; 3], translation: &mut [Row; 3], sizes: &mut [[Row; 3]; 2]) {
        self.x.store(x);
        self.y.store(y);
        self.z.store(z);
        self.translation.store(translation);
        for (to, from) in sizes.iter_mut().zip(self.sizes) {
            Vectors::<L>::load_at(from, self.position).store(to);
        }
    }

    /// A direction in the frame of B.
    #[inline(always)]
    pub fn to_b(&self, direction: Vectors<L>) -> Vectors<L> {
        Vectors { x: self.x.dot(direction), y: self.y.dot(direction), z: self.z.dot(direction) }
    }

    /// A point in the frame of B.
    #[inline(always)]
    pub fn seen_from_b(&self, point: Vectors<L>) -> Vectors<L> {
        self.to_b(point - self.translation)
    }

    /// A direction given in the frame of B.
    #[inline(always)]
    pub fn turned(&self, direction: Vectors<L>) -> Vectors<L> {
        self.x.scaled(direction.x) + self.y.scaled(direction.y) + self.z.scaled(direction.z)
    }

    /// The sizes of the shapes of one side.
    #[inline(always)]
    pub fn sizes(&self, side: usize) -> Vectors<L> {
        Vectors::load_at(&self.sizes[side], self.position)
    }

    /// A point given in the frame of B.
    #[inline(always)]
    pub fn of_b(&self, point: Vectors<L>) -> Vectors<L> {
        self.turned(point) + self.translation
    }

    /// From the inner point of A to that of B: a point of M = B − A.
    #[inline(always)]
    pub fn between(&self, sides: &[Side<'_>; 2]) -> Vectors<L> {
        self.of_b(Vectors::splat(sides[1].centre)) - Vectors::splat(sides[0].centre)
    }

    /// The lowest point of M along a direction, and its point of A.
    #[inline(always)]
    pub fn lowest(&self, sides: &[Side<'_>; 2], direction: Vectors<L>) -> [Vectors<L>; 2] {
        let back = direction.negated();
        let on_a = support(&sides[0], &self.sizes[0], self.position, direction);
        let on_b = support(&sides[1], &self.sizes[1], self.position, self.to_b(back));
        [self.of_b(on_b) - on_a, on_a]
    }
}

/// What a step has decided, one bit for each lane.
pub(super) struct Decided {
    pub apart: u32,
    pub meeting: u32,
    pub unclear: u32,
}

impl Decided {
    #[inline(always)]
    pub fn any(&self) -> u32 {
        self.apart | self.meeting | self.unclear
    }
}

/// Copies the vectors in one lane of some rows into a lane of others.
#[inline(always)]
pub(super) fn copy<const N: usize>(to: &mut [[Row; 3]; N], lane: usize, from: &[[Row; 3]; N], other: usize) {
    for (to, from) in to.iter_mut().zip(from) {
        put(to, lane, at(from, other));
    }
}
