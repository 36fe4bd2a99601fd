//! Lower bounds of the distance of two bodies in their places, without asking the library: by balls, boxes and tables of reaches.

use clearance::{Aabb, Vec3};

use crate::chain::Placed;
use crate::pair::{Pair, Quick};
use crate::solid::Solid;

/// Planes that are tried for a pair.
pub const PLANES: usize = 6;

/// A number a little above one, for what squares, sums and roots are off by.
const ABOVE: f64 = 1.0 + 8.0 * f64::EPSILON;

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
    if length == 0.0 && bounds.is_some() { f64::NEG_INFINITY } else { length / ABOVE - quick.far }
}

/// How far apart two bodies are along a direction of any length, at least; `between` goes from the centre of the first to that of the second.
#[inline]
pub fn along(a: &Solid, b: &Solid, direction: Vec3, between: Vec3, frames: &[Placed]) -> f64 {
    let reach = a.reach(direction, frames) + b.reach(-direction, frames);
    (direction.dot(between) - reach) / direction.length()
}

/// A lower bound of the signed distance by planes, until one is above `enough`.
///
/// Directions that often separate the pair come first. Then the plane across the line between the centres, or for a body at rest across that to the nearest point of its box. That plane
/// has points of the tables where the bodies are about farthest; the next one is across the shortest vector between what is known of
/// the difference of the bodies (Gilbert's algorithm on approximate supports). What a plane says is certain, as the tables are.
#[inline]
pub fn plane_gap(pair: &Pair, solids: &[Solid], centres: &[Vec3], frames: &[Placed], enough: f64) -> f64 {
    let (a, b) = (&solids[pair.a as usize], &solids[pair.b as usize]);
    let (at_a, at_b) = (centres[pair.a as usize], centres[pair.b as usize]);
    if let Some((normal, offset)) = b.plane {
        return normal.dot(at_a) - offset - a.reach(-normal, frames);
    }
    let mut best = f64::NEG_INFINITY;
    let between = at_b - at_a;
    let mut v = between;
    if b.is_at_rest() {
        let to_box = to_box(at_a, &b.bounds);
        let length = to_box.length();
        if length > 0.0 {
            best = length - a.reach(to_box, frames) / length;
            v = to_box;
        }
    } else {
        for seed in pair.seeds.iter().take_while(|seed| seed.direction != Vec3::ZERO) {
            let normal = frames[b.frame as usize].m * seed.direction;
            best = best.max(normal.dot(between) - a.reach(normal, frames) - seed.reach);
            if best > enough {
                return best;
            }
        }
    }
    if best > enough {
        return best;
    }
    search(a, b, between, v, frames, enough, best)
}

/// The search by supports of the tables.
fn search(a: &Solid, b: &Solid, between: Vec3, from: Vec3, frames: &[Placed], enough: f64, mut best: f64) -> f64 {
    let (Some(table_a), Some(table_b)) = (&a.table, &b.table) else { return best };
    let (axes_a, axes_b) = (a.axes(frames), b.axes(frames));
    let mut v = from;
    for _ in 0..PLANES {
        let square = v.length_squared();
        if !(square > 0.0) {
            return best;
        }
        let (in_a, in_b) = (axes_a.to_local(v), axes_b.to_local(-v));
        let (on_a, on_b) = (table_a.farthest(in_a), table_b.farthest(in_b));
        let gap = (v.dot(between) - in_a.dot(on_a) - in_b.dot(on_b)) / square.sqrt();
        best = best.max(gap);
        if best > enough {
            return best;
        }
        let Some(next) = towards_origin(v, between - axes_a.m * on_a + axes_b.m * on_b) else { return best };
        v = next;
    }
    best
}

/// The nearest point to the origin between v and w; none if it is v.
#[inline]
pub fn towards_origin(v: Vec3, w: Vec3) -> Option<Vec3> {
    let edge = w - v;
    let share = (-v.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
    (share > 0.0).then(|| v + edge * share)
}
