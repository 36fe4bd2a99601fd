//! Whether the curve cuts what is left of a surface outside the other solid into several pieces.
//!
//! Edges are divided where they pass through the other surface. Divisions that end at one vertex are connected, and so are those on either
//! side of a path of the curve across a triangle: outside with outside, inside with inside.

use std::collections::{BTreeMap, BTreeSet};

use super::cross::{Passing, Path};
use super::surface::Surface;

/// Whether a connected part of a surface has several pieces outside of the other solid.
pub(super) fn are_cut(
    surface: &Surface,
    passings: &BTreeMap<u32, Vec<Passing>>,
    paths: &[Path],
    sides: &[bool],
) -> bool {
    let cut = Divided::new(surface, passings);
    let mut pieces = Groups::new(cut.count);
    let mut parts = Groups::new(surface.points.len());
    let mut at_vertex = vec![None; surface.points.len()];
    for (number, ends) in surface.edges.iter().enumerate() {
        parts.join(ends[0] as usize, ends[1] as usize);
        for (end, piece) in ends.iter().zip(cut.at_ends(number)) {
            match at_vertex[*end as usize] {
                Some(known) => pieces.join(known, piece),
                None => at_vertex[*end as usize] = Some(piece),
            }
        }
    }
    for path in paths {
        let [[out, within], [far_out, far_within]] =
            [0, 1].map(|end| cut.beside(path.edges[end], path.nodes[end], passings));
        pieces.join(out, far_out);
        pieces.join(within, far_within);
    }
    // The pieces outside, each with the connected part of the surface that it is of.
    let mut outside = BTreeSet::new();
    for (number, ends) in surface.edges.iter().enumerate() {
        let part = parts.of(ends[0] as usize);
        let mut is_inside = sides[ends[0] as usize];
        for piece in cut.of_edge(number) {
            if !is_inside {
                outside.insert((part, pieces.of(piece)));
            }
            is_inside = !is_inside;
        }
    }
    let parts: Vec<usize> = outside.iter().map(|(part, _)| *part).collect();
    parts.windows(2).any(|two| two[0] == two[1])
}

/// The divisions of all edges, numbered edge after edge.
struct Divided {
    first: Vec<usize>,
    count: usize,
}

impl Divided {
    fn new(surface: &Surface, passings: &BTreeMap<u32, Vec<Passing>>) -> Self {
        let mut count = 0;
        let begin = |edge: usize| {
            let first = count;
            count += 1 + passings.get(&(edge as u32)).map_or(0, Vec::len);
            first
        };
        let mut first: Vec<usize> = (0..surface.edges.len()).map(begin).collect();
        first.push(count);
        Self { first, count }
    }

    fn of_edge(&self, edge: usize) -> std::ops::Range<usize> {
        self.first[edge]..self.first[edge + 1]
    }

    fn at_ends(&self, edge: usize) -> [usize; 2] {
        [self.first[edge], self.first[edge + 1] - 1]
    }

    /// The divisions outside and inside of a place where an edge passes through the other surface.
    fn beside(&self, edge: u32, node: u32, passings: &BTreeMap<u32, Vec<Passing>>) -> [usize; 2] {
        let before = self.first[edge as usize];
        let found = passings.get(&edge).into_iter().flatten().enumerate().find(|(_, passing)| passing.node == node);
        match found {
            Some((i, passing)) if passing.enters => [before + i, before + i + 1],
            Some((i, _)) => [before + i + 1, before + i],
            None => [before; 2],
        }
    }
}

/// Disjoint sets of numbers.
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn of(&mut self, mut number: usize) -> usize {
        while self.0[number] != number {
            self.0[number] = self.0[self.0[number]];
            number = self.0[number];
        }
        number
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other)] = one.min(other);
    }
}
