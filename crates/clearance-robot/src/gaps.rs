//! Lower bounds of the distance of two bodies in their places, without asking the library: by balls, boxes and tables of reaches.

use clearance::{Aabb, Vec3};

use crate::chain::Placed;
use crate::pair::{Pair, Quick};
use crate::solid::Solid;

/// A number a little above one, for what squares, sums and roots are off by.
const ABOVE: f64 = 1.0 + 8.0 * f64::EPSILON;
/// And a little below one.
pub const BELOW: f64 = 1.0 - 8.0 * f64::EPSILON;

/// Whether the balls around two moving bodies are apart by more than the error.
#[inline]
pub fn balls_apart(quick: &Quick, centres: &[Vec3], error: f64) -> bool {
    let far = quick.far + error;
    (centres[quick.b as usize] - centres[quick.a as usize]).length_squared() > far * far * ABOVE
}

/// Whether the ball around a body and a box at rest are apart by more than the error.
#[inline]
pub fn box_apart(quick: &Quick, bounds: &Aabb, centres: &[Vec3], error: f64) -> bool {
    let far = quick.far + error;
    to_box(centres[quick.a as usize], bounds).length_squared() > far * far * ABOVE
}

/// From a point to the nearest point of a box.
#[inline]
pub fn to_box(at: Vec3, bounds: &Aabb) -> Vec3 {
    // Not `clamp`, which asks whether the box is one.
    at.max(bounds.min).min(bounds.max) - at
}

/// A lower bound of the signed distance by the balls around the bodies, or by the ball around the first and the box around the second if
/// that is at rest.
#[inline]
pub fn ball_gap(quick: &Quick, bounds: Option<&Aabb>, centres: &[Vec3]) -> f64 {
    let at = centres[quick.a as usize];
    let between = match bounds {
        None => centres[quick.b as usize] - at,
        Some(bounds) => to_box(at, bounds),
    };
    let length = between.length();
    // A centre inside of a box may be at any depth.
    if length == 0.0 && bounds.is_some() { f64::NEG_INFINITY } else { length * BELOW - quick.far }
}

/// How far apart two bodies are along a direction of any length, at least; `between` goes from the centre of the first to that of the second.
#[inline]
pub fn along(a: &Solid, b: &Solid, direction: Vec3, between: Vec3, frames: &[Placed]) -> f64 {
    let reach = a.reach(direction, frames) + b.reach(-direction, frames);
    (direction.dot(between) - reach) / direction.length()
}

/// A plane between two bodies: how far apart it keeps them, negative if it does not, and its normal, of any length.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    pub gap: f64,
    pub normal: Vec3,
}

impl Plane {
    #[inline]
    fn offer(&mut self, gap: f64, normal: Vec3) {
        if gap > self.gap {
            *self = Self { gap, normal };
        }
    }
}

/// By their gaps, and pairs of equal gaps by their numbers.
pub fn sort(open: &mut [(Plane, u32)]) {
    open.sort_unstable_by(|x, y| x.0.gap.total_cmp(&y.0.gap).then(x.1.cmp(&y.1)));
}

/// The best of a few planes between two bodies: a lower bound of their signed distance. The search ends when one is above `enough`.
///
/// Directions that often separate the pair come first; then that to the nearest point of the box of a body at rest; then the line between
/// the centres. What a plane says is certain, as the tables are. Better planes are left to the library, which starts from the best of these
/// and is as fast (measured).
#[inline]
pub fn best_plane(pair: &Pair, solids: &[Solid], centres: &[Vec3], frames: &[Placed], enough: f64) -> Plane {
    let (a, b) = (&solids[pair.a as usize], &solids[pair.b as usize]);
    let (at_a, at_b) = (centres[pair.a as usize], centres[pair.b as usize]);
    if let Some((normal, offset)) = b.plane {
        return Plane { gap: normal.dot(at_a) - offset - a.reach(-normal, frames), normal: -normal };
    }
    let between = at_b - at_a;
    let mut best = Plane { gap: f64::NEG_INFINITY, normal: between };
    if b.is_at_rest() {
        let to_box = to_box(at_a, &b.bounds);
        let length = to_box.length();
        if length > 0.0 {
            best.offer(length - a.reach(to_box, frames) / length, to_box);
        }
    } else {
        for seed in pair.seeds.iter().take_while(|seed| seed.direction != Vec3::ZERO) {
            let normal = frames[b.frame as usize].m * seed.direction;
            best.offer(normal.dot(between) - a.reach(normal, frames) - seed.reach, normal);
            if best.gap > enough {
                return best;
            }
        }
    }
    if !(best.gap > enough) && between != Vec3::ZERO {
        best.offer(along(a, b, between, between, frames), between);
    }
    best
}
