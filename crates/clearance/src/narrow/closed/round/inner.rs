//! That no other direction is less deep.
//!
//! The support value of an ellipsoid is |Bd|, with B the root of its matrix, that of the other |Ad|; an edge of a box adds |hᵢdᵢ|, which is
//! |uᵢhᵢdᵢ| for any unit vector uᵢ. Lengths add up to no less than the length of the sum, whatever rotation S is put before one of them:
//! |Ad| + |Bd| ≥ |Wd| with W = A + SB. So the ellipsoid with the root W is inside of the sum of the bodies, and if S turns Bd to Ad it touches the
//! sum from inside along d. Of an edge of the box that is not across d any part with its end there does: a smaller one asks less of the ball. Of
//! one across d a part does whose middle is the place where the sum is touched, if its uᵢ is at a right angle to Wd.
//!
//! If no value of K = WᵀW is below r|Wd|, that ellipsoid contains a ball of radius r that touches it along d: with K' = K − r|Wd|, and by
//! the inequality of Cauchy and Schwarz, |We||Wd| ≥ eᵀK'd + r|Wd| for every unit vector e, so |We| ≥ e·c + r with the centre
//! c = Kd/|Wd| − rd. Kd/|Wd| is where the sum is farthest along d. If that is on the line from the second centre along d, c is the second
//! centre but for what is left across d; so the depth is r, but for that.

use super::{First, Round};
use crate::math::{Real, Vec3, unit_or};
use crate::narrow::closed::symmetric::Symmetric;
use crate::tolerance::INNER_ERROR;

/// The parts of the edges of a box that are tried, one after the other (measured: the first two in three, both five in six).
const SHARES: [Real; 2] = [0.5, 0.0];

impl Round {
    /// Whether the sum of the bodies contains the ball of that radius that touches it from inside along a unit direction.
    #[inline]
    pub(super) fn contains_ball(&self, d: Vec3, radius: Real) -> bool {
        let root = Symmetric::of_axes(&self.axes, self.radii);
        let of_d = root.times(d);
        let reach = of_d.length();
        let unit = of_d * (1.0 / reach);
        match self.first {
            First::Ellipsoid(radii) => {
                let of_d = radii * d;
                let own_reach = of_d.length();
                let Some(columns) = turned(root.rows(), unit, of_d * (1.0 / own_reach)) else { return false };
                let own = [Vec3::X * radii.x, Vec3::Y * radii.y, Vec3::Z * radii.z];
                let sum = [0, 1, 2].map(|i: usize| columns[i] + own[i]);
                Symmetric::square(sum).is_above(radius * (reach + own_reach), INNER_ERROR)
            }
            First::Box(half) => {
                // Where the ellipsoid's point is above a face, of an edge only what is on both sides of it.
                let beside = self.between - self.second.times(d) * (1.0 / reach);
                let room = (half - beside.abs()).max(Vec3::ZERO).to_array();
                SHARES.into_iter().any(|share| {
                    let ends = half.copysign(d) * share;
                    let columns = with_edges(root.rows(), unit, d.to_array(), ends.to_array(), room);
                    Symmetric::square(columns).is_above(radius * (reach + ends.dot(d)), INNER_ERROR)
                })
            }
        }
    }
}

/// The columns turned by the least rotation that brings one unit vector to another, unless these are nearly opposite.
#[inline]
fn turned(columns: [Vec3; 3], from: Vec3, to: Vec3) -> Option<[Vec3; 3]> {
    let (axis, more) = (from.cross(to), 1.0 + from.dot(to));
    let scaled = axis * (1.0 / more);
    (more > 0.5).then(|| {
        columns.map(|v| {
            let turn = axis.cross(v);
            v + turn + scaled.cross(turn)
        })
    })
}

/// The columns with the edges of a box: along a unit vector for edges that are not across the direction; others at a right angle to the other
/// columns, and so to what these make of the direction.
#[inline]
fn with_edges(mut columns: [Vec3; 3], unit: Vec3, d: [Real; 3], ends: [Real; 3], room: [Real; 3]) -> [Vec3; 3] {
    for i in 0..3 {
        if d[i] != 0.0 {
            columns[i] += unit * ends[i];
        }
    }
    for i in 0..3 {
        if d[i] == 0.0 {
            let across = unit_or(columns[(i + 1) % 3].cross(columns[(i + 2) % 3]), Vec3::ZERO);
            columns[i] += across * room[i].copysign(across.dot(columns[i]));
        }
    }
    columns
}
