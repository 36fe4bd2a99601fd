//! The hierarchical representation of a polytope (Dobkin and Kirkpatrick; Q_COLLIDE, sections 2.5 and 5.3).
//!
//! P₁ is the polytope, and P₍ᵢ₊₁₎ the hull of Pᵢ without an independent set of its vertices, down to a simplex. A support
//! search starts at the simplex and comes back down. By Lemma 9 the supporting vertex of Pᵢ is that of P₍ᵢ₊₁₎ or one of
//! its neighbours in Pᵢ; and since it is new in Pᵢ, only the *removed* neighbours need a look. So a level stores for each
//! surviving vertex just those: every vertex occurs once for each neighbour it had when it was removed, at most
//! `DEGREE_LIMIT` times in all levels together.
//!
//! Construction is linear: a greedy independent set among vertices of small degree (a planar graph has enough of them for
//! a fixed fraction to go at each level), and the hole of each is closed by exact predicates among its neighbours alone:
//! three consecutive ones make a face if the removed vertex is above it, or in its plane (it was a corner of a larger flat
//! face), and no other neighbour is above. All vertices are strict corners, so no three are in line, and those of one plane
//! are in convex position: consecutive ones turn the right way.
//!
//! Vertices are renumbered by the level at which they go, last first, so that those of Pᵢ are a prefix and a search walks
//! through memory in order.

use glam::DVec3;

use super::PolytopeError;
use crate::math::predicates::orient3d;
use crate::math::{Real, Vec3};

/// Vertices with more neighbours stay: closing a hole costs the cube of this at worst.
const DEGREE_LIMIT: usize = 9;
/// A simplex: the top of the hierarchy.
const TOP: usize = 4;

#[derive(Debug, Clone)]
struct Level {
    /// Where the removed neighbours of each surviving vertex start, with one more entry at the end.
    starts: Box<[u32]>,
    removed: Box<[u32]>,
}

/// The levels, from the first removal (bottom) to the last (top), over vertices in order of rank.
#[derive(Debug, Clone)]
pub struct Hierarchy {
    levels: Box<[Level]>,
    /// Vertex positions by rank.
    points: Box<[Vec3]>,
    /// Vertex ids by rank.
    ids: Box<[u32]>,
}

impl Hierarchy {
    /// Builds the hierarchy of a polytope given by its corners (for the predicates: scaled) and polygon faces.
    pub(super) fn new(
        vertices: &[Vec3],
        scaled: &[DVec3],
        face_starts: &[u32],
        loops: &[u32],
    ) -> Result<Self, PolytopeError> {
        let mut surface = Surface::new(scaled, face_starts, loops);
        let mut removals: Vec<Vec<(u32, Vec<u32>)>> = Vec::new();
        while surface.alive.len() > TOP {
            let removed = surface.remove_independent_set()?;
            if removed.is_empty() {
                return Err(PolytopeError::Internal("no vertex of small degree"));
            }
            removals.push(removed);
        }
        let mut ids = surface.alive.clone();
        ids.extend(removals.iter().rev().flatten().map(|(vertex, _)| *vertex));
        let mut rank = vec![0; vertices.len()];
        for (r, &id) in ids.iter().enumerate() {
            rank[id as usize] = r as u32;
        }
        let mut survivors = TOP;
        let mut levels: Vec<Level> = Vec::with_capacity(removals.len());
        for removed in removals.iter().rev() {
            levels.push(level(removed, &rank, survivors));
            survivors += removed.len();
        }
        levels.reverse();
        let points = ids.iter().map(|&id| vertices[id as usize]).collect();
        Ok(Self { levels: levels.into(), points, ids: ids.into() })
    }

    /// The supporting vertex, and how many vertices were looked at.
    #[inline]
    pub fn farthest(&self, direction: Vec3) -> (u32, usize) {
        let value = |rank: usize| direction.dot(self.points[rank]);
        let mut best = 0;
        for rank in 1..TOP {
            if value(rank) > value(best) {
                best = rank;
            }
        }
        let mut visited = TOP;
        for level in self.levels.iter().rev() {
            let (from, to) = (level.starts[best] as usize, level.starts[best + 1] as usize);
            visited += to - from;
            let here = self.points[best];
            let mut gain: Real = 0.0;
            for &rank in &level.removed[from..to] {
                // The gain over the present vertex, from the edge between them: it keeps the digits that decide.
                let step = direction.dot(self.points[rank as usize] - here);
                if step > gain {
                    (best, gain) = (rank as usize, step);
                }
            }
        }
        (self.ids[best], visited)
    }

    /// How many polytopes the sequence has, the simplex included.
    pub fn height(&self) -> usize {
        self.levels.len() + 1
    }

    /// The supporting vertices of all polytopes of the sequence, from the simplex to the whole, for the test of Lemma 9.
    pub fn farthest_by_level(&self, direction: Vec3) -> Vec<u32> {
        let sizes = self.levels.iter().rev().map(|level| level.starts.len() - 1).chain([self.points.len()]);
        sizes
            .map(|size| {
                let farthest = (0..size).fold(0, |best, rank| {
                    if direction.dot(self.points[rank] - self.points[best]) > 0.0 { rank } else { best }
                });
                self.ids[farthest]
            })
            .collect()
    }

    /// The removed neighbours of a vertex at each level it survives, from the top: what Lemma 9 lets a search choose from.
    pub fn candidates_by_level(&self, vertex: u32) -> Vec<Vec<u32>> {
        let Some(rank) = self.ids.iter().position(|&id| id == vertex) else {
            return Vec::new();
        };
        let of_level = |level: &Level| match level.starts.get(rank + 1) {
            Some(&to) => {
                level.removed[level.starts[rank] as usize..to as usize].iter().map(|&r| self.ids[r as usize]).collect()
            }
            None => Vec::new(),
        };
        self.levels.iter().rev().map(of_level).collect()
    }

    /// Heap memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let levels = self.levels.iter().map(|level| size_of_val(&*level.starts) + size_of_val(&*level.removed));
        levels.sum::<usize>() + size_of_val(&*self.levels) + size_of_val(&*self.points) + size_of_val(&*self.ids)
    }
}

fn level(removed: &[(u32, Vec<u32>)], rank: &[u32], survivors: usize) -> Level {
    let mut starts = vec![0u32; survivors + 1];
    for neighbour in removed.iter().flat_map(|(_, link)| link) {
        starts[rank[*neighbour as usize] as usize + 1] += 1;
    }
    for i in 0..survivors {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut lists = vec![0; starts[survivors] as usize];
    for (vertex, link) in removed {
        for neighbour in link {
            let slot = &mut next[rank[*neighbour as usize] as usize];
            lists[*slot as usize] = rank[*vertex as usize];
            *slot += 1;
        }
    }
    Level { starts: starts.into(), removed: lists.into() }
}

/// The triangulated surface of the current polytope as cyclic neighbour lists (counter-clockwise seen from outside).
struct Surface<'a> {
    points: &'a [DVec3],
    links: Vec<Vec<u32>>,
    alive: Vec<u32>,
    blocked: Vec<bool>,
}

impl<'a> Surface<'a> {
    fn new(points: &'a [DVec3], face_starts: &[u32], loops: &[u32]) -> Self {
        // For each vertex the pairs (b, c) of its triangles (v, b, c): chained they are the cycle of its neighbours.
        let mut wings: Vec<Vec<(u32, u32)>> = vec![Vec::new(); points.len()];
        for range in face_starts.windows(2) {
            let corners = &loops[range[0] as usize..range[1] as usize];
            for fan in corners[1..].windows(2) {
                let [a, b, c] = [corners[0], fan[0], fan[1]];
                wings[a as usize].push((b, c));
                wings[b as usize].push((c, a));
                wings[c as usize].push((a, b));
            }
        }
        let chain = |pairs: &Vec<(u32, u32)>| {
            let Some(&(first, mut at)) = pairs.first() else {
                return Vec::new();
            };
            let mut cycle = vec![first];
            while at != first && cycle.len() <= pairs.len() {
                cycle.push(at);
                at = pairs.iter().find(|pair| pair.0 == at).map_or(first, |pair| pair.1);
            }
            cycle
        };
        let links = wings.iter().map(chain).collect();
        Self { points, links, alive: (0..points.len() as u32).collect(), blocked: vec![false; points.len()] }
    }

    /// Removes a maximal independent set of vertices of small degree, those of smallest degree first, and returns each with
    /// the neighbours it had. At least a simplex remains.
    fn remove_independent_set(&mut self) -> Result<Vec<(u32, Vec<u32>)>, PolytopeError> {
        let mut by_degree = vec![Vec::new(); DEGREE_LIMIT + 1];
        for &v in &self.alive {
            self.blocked[v as usize] = false;
            if let Some(bucket) = by_degree.get_mut(self.links[v as usize].len()) {
                bucket.push(v);
            }
        }
        let mut removed = Vec::new();
        for v in by_degree.into_iter().flatten() {
            if self.blocked[v as usize] {
                continue;
            }
            if self.alive.len() - removed.len() <= TOP {
                break;
            }
            let link = std::mem::take(&mut self.links[v as usize]);
            // Neighbours must not go at this level; the link itself was not changed by it, since none of it is removed.
            for &neighbour in &link {
                self.blocked[neighbour as usize] = true;
            }
            self.blocked[v as usize] = true;
            self.close_hole(v, &link)?;
            removed.push((v, link));
        }
        let mut gone: Vec<u32> = removed.iter().map(|(v, _)| *v).collect();
        gone.sort_unstable();
        self.alive.retain(|v| gone.binary_search(v).is_err());
        Ok(removed)
    }

    /// Fills the hole left by `apex` with the faces of the hull of its neighbours that `apex` sees, ear by ear.
    fn close_hole(&mut self, apex: u32, link: &[u32]) -> Result<(), PolytopeError> {
        for &v in link {
            self.links[v as usize].retain(|&n| n != apex);
        }
        let mut rest = link.to_vec();
        while rest.len() > 3 {
            let ear = (0..rest.len()).find(|&i| self.is_ear(apex, &rest, i));
            let ear = ear.ok_or(PolytopeError::Internal("a hole has no ear"))?;
            let (before, after) = (rest[(ear + rest.len() - 1) % rest.len()], rest[(ear + 1) % rest.len()]);
            self.join(before, after, rest[ear]);
            rest.remove(ear);
        }
        Ok(())
    }

    fn is_ear(&self, apex: u32, rest: &[u32], at: usize) -> bool {
        let count = rest.len();
        let corners = [rest[(at + count - 1) % count], rest[at], rest[(at + 1) % count]];
        let [a, b, c] = corners.map(|v| self.points[v as usize]);
        let side = |v: u32| orient3d(a, b, c, self.points[v as usize]);
        side(apex) <= 0.0 && !rest.iter().any(|&v| !corners.contains(&v) && side(v) < 0.0)
    }

    /// Adds the edge from `before` to `after` that cuts off the ear at `tip`, in the cyclic order of both ends.
    fn join(&mut self, before: u32, after: u32, tip: u32) {
        // Around `before` (counter-clockwise from outside) the tip comes first and the new neighbour after it; around
        // `after` it is the other way round.
        for (vertex, new, offset) in [(before, after, 1), (after, before, 0)] {
            let link = &mut self.links[vertex as usize];
            let position = link.iter().position(|&n| n == tip).map_or(link.len(), |p| p + offset);
            link.insert(position, new);
        }
    }
}
