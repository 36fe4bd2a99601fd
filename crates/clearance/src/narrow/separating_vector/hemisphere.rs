//! The hemisphere method (Q_COLLIDE, section 4.2.1 and `FindHalfPlane` of Appendix I).
//!
//! A vector `w` with a positive product with every unit vector seen so far is kept. A new vector `r` on its positive side
//! changes nothing. Any other is on the boundary of what the vectors span, so a plane that has them all on one side can be
//! turned until it contains `r`: seen along `r`, the others must fit into half a turn. Whether they do is found by widening a
//! wedge; its bisector is the new `w`.
//!
//! If they do not, three of them have the origin between them as seen along `r`: their combination is a multiple of `r`,
//! and a negative one, because its product with the old `w` is positive and that of `r` is not. So the three and `r` enclose
//! the origin, and that is the answer.
//!
//! Departures (erratum 3, and rounding): the new vector is not compared with itself; vectors parallel to it are passed over;
//! the basis across `r` is defined for every `r`; a wedge of no width and one of exactly half a turn have their own cases; and
//! `w`, which the thesis leaves at a right angle to `r`, is tilted towards `r` by half of what the others allow, so that a
//! search restarted along it may separate strictly.

use glam::{DVec2, DVec3};

use super::existence::PlaneTest;
use crate::tolerance::PARALLEL_UNITS;

/// The vector that has all seen so far on its side.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hemisphere {
    w: DVec3,
}

/// A direction across the new vector, and which of the earlier vectors it belongs to.
type Flat = (usize, DVec2);

impl PlaneTest for Hemisphere {
    fn w(&self, _seen: &[DVec3]) -> DVec3 {
        self.w
    }

    #[inline]
    fn add(&mut self, earlier: &[DVec3], r: DVec3) -> Option<[usize; 3]> {
        match earlier {
            [] => {
                self.w = r;
                return None;
            }
            [first] if (*first + r).length_squared() > PARALLEL_UNITS * PARALLEL_UNITS => {
                self.w = (*first + r).normalize();
                return None;
            }
            [_] => {}
            _ if self.w.dot(r) > 0.0 => return None,
            _ => {}
        }
        self.turn(earlier, r)
    }
}

impl Hemisphere {
    /// Turns `w` so that it is at a right angle to `r`, and then a little towards it, with the others on its side.
    fn turn(&mut self, earlier: &[DVec3], r: DVec3) -> Option<[usize; 3]> {
        let (e, f) = r.any_orthonormal_pair();
        let bisector = match wedge(earlier.iter().map(|v| DVec2::new(e.dot(*v), f.dot(*v)))) {
            Ok(bisector) => bisector,
            Err(enclosing) => return Some(enclosing),
        };
        self.w = tilted(e * bisector.x + f * bisector.y, r, earlier);
        None
    }
}

/// The bisector of the smallest wedge that contains all vectors, or three of them with the origin between them.
fn wedge(vectors: impl Iterator<Item = DVec2>) -> Result<DVec2, [usize; 3]> {
    // Counter-clockwise from the first to the second, by at most half a turn.
    let mut sides: Option<(Flat, Flat)> = None;
    for (j, t) in vectors.enumerate() {
        if !(t.length_squared() > PARALLEL_UNITS * PARALLEL_UNITS) {
            continue;
        }
        let Some((a, b)) = &mut sides else {
            sides = Some(((j, t), (j, t)));
            continue;
        };
        match (a.1.perp_dot(t) >= 0.0, b.1.perp_dot(t) <= 0.0) {
            // Opposite to a wedge of no width: from here on it is half a turn.
            (true, true) if a.1.dot(t) < 0.0 && b.1.dot(t) < 0.0 => *b = (j, t),
            (true, true) => {}
            (true, false) => *b = (j, t),
            (false, true) => *a = (j, t),
            (false, false) => return Err([a.0, b.0, j]),
        }
    }
    let Some(((_, a), (_, b))) = sides else {
        return Ok(DVec2::X);
    };
    let sum = a.normalize() + b.normalize();
    let half_a_turn = !(sum.length_squared() > PARALLEL_UNITS * PARALLEL_UNITS);
    Ok(if half_a_turn { a.perp() } else { sum }.normalize())
}

/// `w` turned towards `r` by half of what the earlier vectors allow.
fn tilted(w: DVec3, r: DVec3, earlier: &[DVec3]) -> DVec3 {
    let allowed = |v: &DVec3| if r.dot(*v) < 0.0 { w.dot(*v) / -r.dot(*v) } else { 1.0 };
    let share = 0.5 * earlier.iter().map(allowed).fold(1.0, f64::min).max(0.0);
    (w + r * share).normalize()
}
