//! The volume and the box of what two solids have in common.
//!
//! By the divergence theorem the volume is a third of the sum, over all that bounds the overlap, of an area times how high its plane is above
//! a point. What bounds it are the parts of A's triangles inside B, and of B's inside A. The area of such a part is that of its outline: of what
//! is inside of the triangle's edges, and of the curve.

use std::collections::BTreeMap;

use glam::DVec3;

use super::cross::{Crossing, Passing};
use super::surface::Surface;
use crate::tolerance::SUM_ERROR;

/// The volume with its bounds and their half width, the box, and the area of all triangles that take part.
pub(super) struct Shared {
    pub volume: [f64; 2],
    pub error: f64,
    pub area: f64,
    pub bounds: Option<[DVec3; 2]>,
}

/// What two solids have in common. Surfaces are known to within the error.
pub(super) fn shared(a: &Surface, b: &Surface, crossing: &Crossing, sides: &[Vec<bool>; 2], error: f64) -> Shared {
    let mut around: Option<[DVec3; 2]> = None;
    let mut enclose = |p: DVec3| {
        let [low, high] = around.unwrap_or([p; 2]);
        around = Some([low.min(p), high.max(p)]);
    };
    crossing.nodes.iter().for_each(|p| enclose(*p));
    for (surface, sides) in [a, b].into_iter().zip(sides) {
        surface.points.iter().zip(sides).filter(|(_, inside)| **inside).for_each(|(p, _)| enclose(*p));
    }
    let Some([low, high]) = around else {
        return Shared { volume: [0.0; 2], error: 0.0, area: 0.0, bounds: None };
    };
    // Heights above the middle of the overlap lose the fewest digits.
    let middle = (low + high) * 0.5;
    let of_a = Sum::of(a, &sides[0], &crossing.edges[0], crossing, 0, middle);
    let of_b = Sum::of(b, &sides[1], &crossing.edges[1], crossing, 1, middle);
    let volume = of_a.volume + of_b.volume;
    // Moving a bounding face by the error changes the volume by the face's area times that; and sums round.
    let grown = DVec3::splat(2.0 * error);
    let error = 2.0 * error * (of_a.area + of_b.area) + of_a.rounding + of_b.rounding;
    Shared {
        volume: [(volume - error).max(0.0), (volume + error).max(0.0)],
        error,
        area: of_a.area + of_b.area,
        bounds: Some([low - grown, high + grown]),
    }
}

/// The sum over the triangles of one surface.
struct Sum {
    volume: f64,
    /// The area of all triangles that take part, whole.
    area: f64,
    /// The rounding of all terms.
    rounding: f64,
}

impl Sum {
    fn of(
        surface: &Surface,
        sides: &[bool],
        passings: &BTreeMap<u32, Vec<Passing>>,
        crossing: &Crossing,
        side: usize,
        middle: DVec3,
    ) -> Self {
        let mut sum = Self { volume: 0.0, area: 0.0, rounding: 0.0 };
        let mut curve =
            crossing.segments.iter().map(|segment| (segment.triangles[side], segment.nodes)).collect::<Vec<_>>();
        curve.sort_unstable();
        let mut curve = curve.as_slice();
        for triangle in 0..surface.triangles.len() as u32 {
            let here = curve.iter().take_while(|(at, _)| *at == triangle).count();
            let (own, rest) = curve.split_at(here);
            curve = rest;
            let corners = surface.triangles[triangle as usize];
            if own.is_empty() && !sides[corners[0] as usize] {
                continue;
            }
            let [p, q, r] = surface.corners(triangle).map(|corner| corner - middle);
            let doubled = (q - p).cross(r - p);
            let (mut outline, mut off) = (DVec3::ZERO, 0.0);
            for (i, edge) in surface.sides[triangle as usize].into_iter().enumerate() {
                outline += inside(surface, edge, sides, passings) * [p, q, r][i].cross([q, r, p][i]);
            }
            for (_, nodes) in own {
                let [from, to] = nodes.map(|node| crossing.nodes[node as usize] - middle);
                // To the left on A's triangle is to the right on B's.
                let term = from.cross(to);
                outline += if side == 0 { term } else { -term };
                off += nodes.iter().map(|node| crossing.errors[*node as usize]).sum::<f64>()
                    * (p.length() + from.length());
            }
            // The outline is that of a flat figure: only what is along its normal counts.
            let (square, length) = (doubled.length_squared(), doubled.length());
            let share = if square > 0.0 { outline.dot(doubled) / square } else { 0.0 };
            let height = if length > 0.0 { p.dot(doubled).abs() / length } else { 0.0 };
            sum.volume += share.clamp(0.0, 1.0) * p.dot(doubled) / 6.0;
            sum.area += length * 0.5;
            let terms = p.length_squared() + q.length_squared() + r.length_squared();
            sum.rounding += height * (SUM_ERROR * terms + off) + SUM_ERROR * length * p.length();
        }
        sum
    }
}

/// The share of an edge that is inside the other solid.
fn inside(surface: &Surface, edge: u32, sides: &[bool], passings: &BTreeMap<u32, Vec<Passing>>) -> f64 {
    let [_, last] = surface.edges[edge as usize];
    let ends = f64::from(u8::from(sides[last as usize]));
    let cut = passings.get(&edge).into_iter().flatten();
    ends + cut.map(|passing| if passing.enters { -passing.at } else { passing.at }).sum::<f64>()
}
