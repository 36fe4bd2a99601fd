//! Edges along which the air takes up no more than half a turn.
//!
//! The edge is cut where it enters or leaves another piece or comes upon one of its planes. Between two cuts the planes of a
//! piece that it runs in are always the same ones, and seen along the edge the piece is the wedge behind them: all around if
//! there are none, a half-plane for one. A plane that it leaves through does not count; what little of it is beyond is nearer to
//! the piece than anything can come. The edge's own piece is the wedge behind its two polygons. The edge is internal there if
//! no gap between the wedges exceeds half a turn, or if it does so only by rounding: neither polygon at the gap falls below the
//! other's plane.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::{DVec2, DVec3};

use super::Cover;
use crate::ccd::polyhedra::bounds::Bounds;
use crate::ccd::polyhedra::parts::{Edge, NONE};
use crate::tolerance::{DOUBTFUL_GAP, LEAVING_EDGE};

/// A piece as it is seen along an edge: solid from one angle to another, with the polygons there.
#[derive(Debug, Clone, Copy)]
struct Wedge {
    from: f64,
    to: f64,
    faces: [u32; 2],
}

/// The planes of a piece with their heights above the two ends of an edge.
type Heights = Vec<(u32, [f64; 2])>;

impl Cover<'_> {
    /// Whether other pieces make an edge internal.
    pub(super) fn hides_edge(&self, edge: &Edge) -> bool {
        let closed_in = |wedges: Option<Vec<Wedge>>| match wedges {
            Some(wedges) => self.is_closed_in(wedges),
            None => true,
        };
        self.every_stretch(edge, closed_in) == Some(true)
    }

    /// Whether the polygons at an edge face towards each other wherever other pieces leave air around it: the internal edges of the paper.
    pub(super) fn is_concave(&self, edge: &Edge) -> bool {
        let mut has_air = false;
        let all = self.every_stretch(edge, |wedges| {
            let gap = wedges.map_or(0.0, widest_gap);
            has_air |= gap > DOUBTFUL_GAP;
            gap < PI - DOUBTFUL_GAP
        });
        all == Some(true) && has_air
    }

    /// Whether something holds along all of an edge, asked for each stretch of it with the wedges around it; with nothing where a piece is
    /// all around. Nothing if no other piece is near or the edge is too short.
    fn every_stretch(&self, edge: &Edge, mut holds: impl FnMut(Option<Vec<Wedge>>) -> bool) -> Option<bool> {
        let ends = edge.ends.map(|v| self.solid.points[v as usize]);
        let own = self.piece_of[edge.ends[0] as usize];
        let near: Vec<Heights> =
            self.near(Bounds::of(ends), own).into_iter().filter_map(|piece| self.heights(piece, ends)).collect();
        let length = (ends[1] - ends[0]).length();
        if near.is_empty() || !(length > self.flatness) {
            return None;
        }
        let shortest = 0.25 * self.flatness / length;
        let (u, v) = ((ends[1] - ends[0]) / length).any_orthonormal_pair();
        let seen = |face: u32| {
            let normal = self.solid.faces[face as usize].normal;
            DVec2::new(normal.dot(u), normal.dot(v))
        };
        let own: Option<Wedge> =
            (!edge.polygons.contains(&NONE)).then(|| wedge(edge.polygons.map(|face| (face, seen(face))))).flatten();
        let cuts = self.cuts(&near);
        let all = cuts.windows(2).filter(|pair| pair[1] - pair[0] > shortest).all(|pair| {
            let middle = 0.5 * (pair[0] + pair[1]);
            let mut wedges: Vec<Wedge> = own.into_iter().collect();
            for heights in &near {
                match self.piece_at(heights, middle, seen) {
                    Seen::AllAround => return holds(None),
                    Seen::Wedge(wedge) => wedges.push(wedge),
                    Seen::Not => {}
                }
            }
            holds(Some(wedges))
        });
        Some(all)
    }

    /// The piece's planes, unless the edge is outside one of them.
    fn heights(&self, piece: u32, ends: [DVec3; 2]) -> Option<Heights> {
        let faces = self.pieces[piece as usize].faces.iter();
        let heights: Heights = faces.map(|&face| (face, ends.map(|p| self.height(face, p)))).collect();
        heights.iter().all(|(_, h)| h[0].min(h[1]) <= self.flatness).then_some(heights)
    }

    /// Where the edge, from zero to one, comes within the flatness of a plane or leaves it.
    fn cuts(&self, near: &[Heights]) -> Vec<f64> {
        let mut cuts = vec![0.0, 1.0];
        for (_, [first, second]) in near.iter().flatten() {
            let crossing = |level: f64| (level - first) / (second - first);
            cuts.extend([self.flatness, -self.flatness].map(crossing).into_iter().filter(|s| *s > 0.0 && *s < 1.0));
        }
        cuts.sort_unstable_by(f64::total_cmp);
        cuts
    }

    /// What a piece is at a place between two cuts.
    fn piece_at(&self, heights: &Heights, place: f64, seen: impl Fn(u32) -> DVec2) -> Seen {
        let at = |h: &[f64; 2]| h[0] + (h[1] - h[0]) * place;
        if heights.iter().any(|(_, h)| at(h) > self.flatness) {
            return Seen::Not;
        }
        let on = heights.iter().filter(|(_, h)| at(h) >= -self.flatness).map(|&(face, _)| (face, seen(face)));
        // Where the edge leaves through a plane, it is inside up to the plane.
        let mut on = on.filter(|(_, normal)| 1.0 - normal.length_squared() < LEAVING_EDGE * LEAVING_EDGE).peekable();
        if on.peek().is_none() {
            return Seen::AllAround;
        }
        wedge(on).map_or(Seen::Not, Seen::Wedge)
    }

    /// Whether no gap between the wedges is wider than half a turn by more than rounding.
    fn is_closed_in(&self, mut wedges: Vec<Wedge>) -> bool {
        wedges.sort_unstable_by(|a, b| a.from.total_cmp(&b.from));
        let Some(mut reached) = wedges.iter().copied().max_by(|a, b| a.to.total_cmp(&b.to)) else { return false };
        // What reaches farthest comes around to where the first one begins.
        reached.to -= TAU;
        for wedge in wedges {
            let gap = wedge.from - reached.to;
            if gap > PI && !(gap < PI + DOUBTFUL_GAP && self.is_flat(reached.faces[1], wedge.faces[0])) {
                return false;
            }
            if wedge.to > reached.to {
                reached = wedge;
            }
        }
        true
    }

    /// Whether neither polygon falls below the other's plane by more than rounding.
    fn is_flat(&self, a: u32, b: u32) -> bool {
        let drop = |plane: u32, of: u32| {
            let corners = self.solid.loop_of(&self.solid.faces[of as usize]).iter();
            corners.map(|c| self.height(plane, self.solid.points[c.point as usize])).fold(f64::INFINITY, f64::min)
        };
        drop(a, b) >= -2.0 * self.flatness && drop(b, a) >= -2.0 * self.flatness
    }
}

/// The widest gap between wedges, in radians; a whole turn if there are none.
fn widest_gap(mut wedges: Vec<Wedge>) -> f64 {
    wedges.sort_unstable_by(|a, b| a.from.total_cmp(&b.from));
    let farthest = wedges.iter().map(|wedge| wedge.to).fold(f64::NEG_INFINITY, f64::max);
    let (mut reached, mut widest) = (farthest - TAU, if wedges.is_empty() { TAU } else { 0.0 });
    for wedge in wedges {
        widest = f64::max(widest, wedge.from - reached);
        reached = reached.max(wedge.to);
    }
    widest
}

enum Seen {
    Not,
    AllAround,
    Wedge(Wedge),
}

/// The wedge behind some planes through an edge, by their normals across it; nothing if they leave nothing.
fn wedge(planes: impl IntoIterator<Item = (u32, DVec2)>) -> Option<Wedge> {
    let mut planes = planes.into_iter();
    let (face, first) = planes.next()?;
    let middle = first.to_angle();
    let (mut low, mut high) = ((0.0, face), (0.0, face));
    for (face, normal) in planes {
        let turn = first.angle_to(normal);
        if turn < low.0 {
            low = (turn, face);
        }
        if turn > high.0 {
            high = (turn, face);
        }
    }
    let size = PI - (high.0 - low.0);
    // Solid is a quarter turn and more away from each normal.
    let from = (middle + high.0 + FRAC_PI_2).rem_euclid(TAU);
    (size > 0.0).then_some(Wedge { from, to: from + size, faces: [high.1, low.1] })
}
