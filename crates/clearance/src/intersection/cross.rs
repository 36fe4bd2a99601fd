//! Which edges of one surface pass through which triangles of the other, exactly, and the segments in which triangles cross.

use std::collections::BTreeMap;

use glam::DVec3;

use super::surface::Surface;
use crate::math::predicates::orient3d;
use crate::tolerance::SUM_ERROR;

/// How often B is moved and tried again.
const TRIES: usize = 9;
/// A way along which nothing is expected to be symmetric.
const AWAY: [f64; 3] = [0.61, 0.35, 0.71];

/// The ways by which B is moved in turn, the first of them none, each with how far a vertex must be from a plane to be on one side of it. Where
/// no way leaves all vertices that far from all planes, any side that is certain will do.
pub(super) fn shifts(error: f64) -> impl Iterator<Item = (DVec3, f64)> {
    let way = move |i: usize| {
        let turned = [0, 1, 2].map(|k| AWAY[(k + i) % 3] * if i % 4 == k + 1 { -1.0 } else { 1.0 });
        DVec3::from_array(turned) * (error * i as f64)
    };
    [error / 8.0, 0.0].into_iter().flat_map(move |clear| (0..TRIES).map(move |i| (way(i), clear)))
}

/// An edge passes through a triangle of the other surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passing {
    /// The point, and the share of the edge before it.
    pub node: u32,
    pub at: f64,
    /// Whether it enters the other solid there, from the lower vertex to the higher one.
    pub enters: bool,
}

/// The curve within one triangle, from the edge that it comes in by to that by which it leaves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Path {
    pub edges: [u32; 2],
    pub nodes: [u32; 2],
}

/// Two triangles cross in a segment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub triangles: [u32; 2],
    /// Its ends, such that the inside of B is to the left on A's triangle, seen from outside of A.
    pub nodes: [u32; 2],
}

/// The places where two surfaces cross.
pub(super) struct Crossing {
    /// The points in which an edge passes through a triangle.
    pub nodes: Vec<DVec3>,
    /// How far along its edge each of them may be off by rounding.
    pub errors: Vec<f64>,
    pub segments: Vec<Segment>,
    /// For the edges of either surface that pass through triangles: where, in the order along the edge.
    pub edges: [BTreeMap<u32, Vec<Passing>>; 2],
    /// The curve within the triangles of either surface. What is closed within one triangle is not among them.
    pub paths: [Vec<Path>; 2],
}

/// A node by the surface whose edge it is on, the edge, and the triangle of the other.
type Name = (usize, u32, u32);

impl Crossing {
    /// Where the surfaces cross; nothing if they are not in general position.
    /// Vertices no farther from a plane than `clear` are on neither side.
    pub fn find(a: &Surface, b: &Surface, clear: f64) -> Option<Self> {
        let mut search =
            Search { surfaces: [a, b], clear, known: BTreeMap::new(), nodes: Vec::new(), errors: Vec::new() };
        let (mut segments, mut general) = (Vec::new(), true);
        a.tree.pairs_with(
            &b.tree,
            |_, of_a, _, of_b| of_a.overlaps(of_b),
            |i, j| {
                if general {
                    match search.segment(i, j) {
                        Some(found) => segments.extend(found),
                        None => general = false,
                    }
                }
            },
        );
        if !general {
            return None;
        }
        segments.sort_unstable_by_key(|segment: &Segment| segment.triangles);
        let mut edges = [BTreeMap::<u32, Vec<Passing>>::new(), BTreeMap::new()];
        for (&(side, edge, _), found) in &search.known {
            if let Some(passing) = found {
                edges[side].entry(edge).or_default().push(*passing);
            }
        }
        for passings in edges.iter_mut().flat_map(BTreeMap::values_mut) {
            passings.sort_by(|p, q| p.at.total_cmp(&q.at));
        }
        let names: BTreeMap<u32, Name> =
            search.known.iter().filter_map(|(name, found)| found.map(|p| (p.node, *name))).collect();
        let paths = [paths(&segments, 0, &names)?, paths(&segments, 1, &names)?];
        Some(Self { nodes: search.nodes, errors: search.errors, segments, edges, paths })
    }
}

struct Search<'s> {
    surfaces: [&'s Surface; 2],
    clear: f64,
    known: BTreeMap<Name, Option<Passing>>,
    nodes: Vec<DVec3>,
    errors: Vec<f64>,
}

impl Search<'_> {
    /// The segment in which two triangles cross, if they do; nothing if they are not in general position.
    #[expect(clippy::option_option, reason = "no general position and no segment are two answers")]
    fn segment(&mut self, i: u32, j: u32) -> Option<Option<Segment>> {
        let (mut begin, mut end) = (None, None);
        for (side, triangle, other) in [(0, i, j), (1, j, i)] {
            let surface = self.surfaces[side];
            let corners = surface.triangles[triangle as usize];
            for (number, edge) in surface.sides[triangle as usize].into_iter().enumerate() {
                let Some(passing) = self.passing(side, edge, other)? else { continue };
                // Around A's triangle the curve begins where an edge leaves B, and inside is to the left; around B's it is the other way.
                let upwards = corners[number] == surface.edges[edge as usize][0];
                let place = if (passing.enters == upwards) == (side == 0) { &mut end } else { &mut begin };
                if place.replace(passing.node).is_some() {
                    return None;
                }
            }
        }
        match (begin, end) {
            (Some(begin), Some(end)) => Some(Some(Segment { triangles: [i, j], nodes: [begin, end] })),
            (None, None) => Some(None),
            _ => None,
        }
    }

    /// Where an edge of one surface passes through a triangle of the other, if it does; nothing if they are not in general position.
    #[expect(clippy::option_option, reason = "no general position and no passing are two answers")]
    fn passing(&mut self, side: usize, edge: u32, triangle: u32) -> Option<Option<Passing>> {
        let name = (side, edge, triangle);
        if let Some(found) = self.known.get(&name) {
            return Some(*found);
        }
        let ([from, to], [a, b, c]) = (self.surfaces[side].ends(edge), self.surfaces[1 - side].corners(triangle));
        let [low, high] = [from, to].map(|p| orient3d(a, b, c, p));
        let least = self.clear * (b - a).cross(c - a).length();
        if !(low.abs() > least && high.abs() > least) {
            return None;
        }
        let mut found = None;
        if (low > 0.0) != (high > 0.0) {
            let turns = [orient3d(from, to, a, b), orient3d(from, to, b, c), orient3d(from, to, c, a)];
            if turns.contains(&0.0) {
                return None;
            }
            if turns.iter().all(|turn| *turn > 0.0) || turns.iter().all(|turn| *turn < 0.0) {
                let at = (low / (low - high)).clamp(0.0, 1.0);
                // Below a triangle is inside.
                found = Some(Passing { node: self.nodes.len() as u32, at, enters: high > 0.0 });
                self.nodes.push(from + (to - from) * at);
                let reach = (from - a).length() + (to - a).length();
                let rounding = SUM_ERROR * reach * (b - a).length() * (c - a).length() / (low - high).abs();
                self.errors.push(rounding.min(1.0) * (to - from).length());
            }
        }
        self.known.insert(name, found);
        Some(found)
    }
}

/// The curve within the triangles of one surface: from an edge of the triangle to another, over the edges of the other surface in between.
/// Nothing if a path does not end at an edge.
fn paths(segments: &[Segment], side: usize, names: &BTreeMap<u32, Name>) -> Option<Vec<Path>> {
    // The ends of the segments in each triangle, by node.
    let mut ends = BTreeMap::<(u32, u32), arrayvec::ArrayVec<u32, 2>>::new();
    for segment in segments {
        let [p, q] = segment.nodes;
        for (from, to) in [(p, q), (q, p)] {
            ends.entry((segment.triangles[side], from)).or_default().try_push(to).ok()?;
        }
    }
    let edge = |node: u32| names.get(&node).filter(|(of, ..)| *of == side).map(|(_, edge, _)| *edge);
    let mut found = Vec::new();
    for (&(triangle, first), next) in &ends {
        let Some(begin) = edge(first) else { continue };
        let &[mut here] = next.as_slice() else { return None };
        let mut before = first;
        let mut left = segments.len();
        while edge(here).is_none() {
            let around = ends.get(&(triangle, here))?;
            let after = *around.iter().find(|after| **after != before).or(around.first())?;
            (before, here, left) = (here, after, left.checked_sub(1)?);
        }
        // Found from both ends.
        if first < here {
            found.push(Path { edges: [begin, edge(here)?], nodes: [first, here] });
        }
    }
    Some(found)
}
