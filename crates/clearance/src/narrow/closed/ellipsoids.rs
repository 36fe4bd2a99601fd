//! Whether two ellipsoids meet, by points in which scaled copies of them touch (Perram and Wertheim, 1985).
//!
//! The support value of A along n is √(nᵀPn), that of B √(nᵀQn), and t is the way between the centres. For a share λ and M = (1 − λ)P + λQ, the point
//! x = (1 − λ)Pn with n = M⁻¹t is on the ellipsoids scaled about their centres by (1 − λ)√(nᵀPn) and λ√(nᵀQn), which touch in it with the normal n.
//! If both scales are at most one, x is a common point; the ellipsoids are apart along n if λ(1 − λ) n·t is more than one, whatever the share. The
//! share at which both scales are equal decides, and is the limit of the shares that would make them equal for the normal before.
//!
//! Neither rests on how well M can be inverted: the point is asked of both ellipsoids, the normal of both supports.

use super::found::Decision;
use crate::math::{Real, Vec3, length};
use crate::narrow::gjk::SupportPlane;
use crate::narrow::pair::Pair;
use crate::support::VertexId;

/// Shares that are tried; what is as near to touching as that is left open.
const MOST_SHARES: u32 = 4;

/// Two ellipsoids at a size of about one.
struct Ellipsoids {
    /// The squares of A's radii: P is diagonal.
    p: Vec3,
    /// Q: its diagonal, and what is beside it (yz, zx, xy).
    q: Vec3,
    q_mixed: Vec3,
    between: Vec3,
}

/// The boolean, if it is certain.
#[inline(never)]
pub(super) fn overlap(pair: &Pair<'_>, [radii_a, radii_b]: [Vec3; 2]) -> Option<Decision> {
    let scale = 1.0 / pair.size;
    let both = Ellipsoids::new(pair, [radii_a * scale, radii_b * scale], scale);
    let along = both.q_times(both.between).dot(both.between);
    let mut widths = [(both.p * both.between).dot(both.between).sqrt(), along.sqrt()];
    if !(widths[0] + widths[1] > 0.0) {
        widths = [1.0; 2];
    }
    for _ in 0..MOST_SHARES {
        let share = widths[0] / (widths[0] + widths[1]);
        let normal = both.normal(share);
        let [from_p, from_q] = [both.p * normal, both.q_times(normal)];
        let [p, q] = [from_p.dot(normal), from_q.dot(normal)];
        if share * (1.0 - share) * normal.dot(both.between) > 1.0 {
            if let Some(plane) = separating(pair, normal) {
                return Some(Decision::Apart(plane));
            }
        } else if (1.0 - share) * (1.0 - share) * p <= 1.0 && share * share * q <= 1.0 {
            let point = from_p * ((1.0 - share) * pair.size);
            if is_in(point, radii_a, pair.sigma) && is_in(pair.m.into_b(point), radii_b, pair.sigma) {
                return Some(Decision::Common([point; 2]));
            }
        }
        widths = [p.sqrt(), q.sqrt()];
    }
    None
}

impl Ellipsoids {
    #[inline]
    fn new(pair: &Pair<'_>, [a, b]: [Vec3; 2], scale: Real) -> Self {
        let axes = &pair.m.rotation;
        let (x, y, z) = (axes.x_axis * b.x, axes.y_axis * b.y, axes.z_axis * b.z);
        let mixed = |v: Vec3| Vec3::new(v.y * v.z, v.z * v.x, v.x * v.y);
        Self {
            p: a * a,
            q: x * x + y * y + z * z,
            q_mixed: mixed(x) + mixed(y) + mixed(z),
            between: pair.m.translation * scale,
        }
    }

    #[inline]
    fn q_times(&self, v: Vec3) -> Vec3 {
        let (q, mixed) = (self.q, self.q_mixed);
        Vec3::new(
            q.x * v.x + mixed.z * v.y + mixed.y * v.z,
            mixed.z * v.x + q.y * v.y + mixed.x * v.z,
            mixed.y * v.x + mixed.x * v.y + q.z * v.z,
        )
    }

    /// M⁻¹t.
    #[inline]
    fn normal(&self, share: Real) -> Vec3 {
        let (m, mixed) = (self.p * (1.0 - share) + self.q * share, self.q_mixed * share);
        let rows =
            [Vec3::new(m.x, mixed.z, mixed.y), Vec3::new(mixed.z, m.y, mixed.x), Vec3::new(mixed.y, mixed.x, m.z)];
        let (yz, zx, xy) = (rows[1].cross(rows[2]), rows[2].cross(rows[0]), rows[0].cross(rows[1]));
        let t = self.between;
        (yz * t.x + zx * t.y + xy * t.z) * (1.0 / rows[0].dot(yz))
    }
}

/// The plane along a direction, if it separates for certain.
#[inline]
fn separating(pair: &Pair<'_>, direction: Vec3) -> Option<SupportPlane> {
    let lowest = pair.m.lowest(direction, [VertexId::NONE; 2]);
    let bound = direction.dot(lowest.m) / length(direction) - pair.margin;
    (bound > pair.sigma).then_some(SupportPlane { direction, bound, on_a: lowest.a })
}

/// Whether a point is in an ellipsoid by more than an error.
#[inline]
fn is_in(point: Vec3, radii: Vec3, error: Real) -> bool {
    ((point.abs() + Vec3::splat(error)) / radii).length_squared() <= 1.0
}
