//! The half-plane intersection method (Q_COLLIDE, section 4.2.2).
//!
//! Vectors `w` with `w · r₀ > 0` are points of the plane `w · r₀ = 1`; every further vector `r` leaves the half of it where
//! `w · r ≥ 0`. What is left is a convex polygon, cut once per vector. If nothing is left, no plane has all vectors on one
//! side.
//!
//! Departures. The section prints the half plane on `z = −1` as `x X + y Y > −z`; with `r₀ = (0, 0, −1)` the product `w · r`
//! is `x X + y Y − z`, so it is `x X + y Y > z`: as printed, the half plane of `r₀` itself would be empty. Corners are kept in
//! homogeneous coordinates, as vectors: the polygon starts as the whole plane with four corners at infinity, no basis has to be
//! chosen, and a cut is a positive combination of two corners. A side of more than a quarter turn has a corner in its middle,
//! because opposite corners do not say which way the side between them goes. The new `w`, lost with figure 4.2, is the sum of the corners.
//!
//! Every side of the polygon knows its vector. The vectors of the sides span all that the vectors seen so far span; so if
//! nothing is left, the opposite of the new vector is a combination of two neighbours and the first: those and the new one
//! enclose the origin.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::existence::{PlaneTest, STEP_LIMIT};

/// Every cut adds at most two corners to the first four: a side more, and a point in its middle.
const CORNERS: usize = 2 * STEP_LIMIT + 4;

/// A corner, of any length, and the vector of the side from it to the next.
#[derive(Debug, Clone, Copy)]
struct Corner {
    at: DVec3,
    side: usize,
}

/// What is left for `w`.
#[derive(Debug, Clone, Default)]
pub(super) struct HalfPlanes {
    corners: ArrayVec<Corner, CORNERS>,
}

impl PlaneTest for HalfPlanes {
    fn w(&self, seen: &[DVec3]) -> DVec3 {
        let sum: DVec3 = self.corners.iter().map(|corner| corner.at).sum();
        let inside = |corner: &Corner| seen.get(corner.side).is_some_and(|r| sum.dot(*r) > 0.0);
        if self.corners.iter().all(inside) {
            return sum.normalize_or_zero();
        }
        // Between two sides that meet at opposite corners the sum may lie on one of them.
        let mut sides = self.corners.iter().filter_map(|corner| seen.get(corner.side).map(|r| (corner.side, *r)));
        let first = sides.next().unwrap_or_default();
        let other = sides.find(|side| side.0 != first.0).unwrap_or_default();
        (first.1 + other.1).normalize_or(first.1)
    }

    fn add(&mut self, earlier: &[DVec3], r: DVec3) -> Option<[usize; 3]> {
        if earlier.is_empty() {
            let (e, f) = r.any_orthonormal_pair();
            self.corners = [e, f, -e, -f].into_iter().map(|at| Corner { at, side: 0 }).collect();
            return None;
        }
        if self.corners.iter().all(|corner| !(corner.at.dot(r) > 0.0)) {
            // The whole plane has its corners at infinity only; so a vector parallel to the first leaves it as it is.
            let parallel = self.w(earlier).dot(r) > 0.0;
            return (!parallel).then(|| self.enclosing(earlier, r));
        }
        if !self.corners.iter().all(|corner| corner.at.dot(r) >= 0.0) {
            self.corners = self.cut(earlier, r);
        }
        None
    }
}

impl HalfPlanes {
    /// The part of the polygon on the side of `r`.
    fn cut(&self, earlier: &[DVec3], r: DVec3) -> ArrayVec<Corner, CORNERS> {
        let index = earlier.len();
        let mut left = ArrayVec::<Corner, CORNERS>::new();
        let mut opens = None;
        let next = self.corners.iter().cycle().skip(1);
        for (corner, next) in self.corners.iter().zip(next) {
            let (here, there) = (corner.at.dot(r), next.at.dot(r));
            if here >= 0.0 {
                let opened = here == 0.0 && there < 0.0;
                let _ = left.try_push(Corner { at: corner.at, side: if opened { index } else { corner.side } });
                if here > 0.0 && there < 0.0 {
                    let _ = left.try_push(Corner { at: crossing(corner.at, next.at, r), side: index });
                }
                if there < 0.0 {
                    opens = Some(left.len());
                }
            } else if there > 0.0 {
                let _ = left.try_push(Corner { at: crossing(corner.at, next.at, r), side: corner.side });
            }
        }
        if let Some(place) = opens {
            self.halve(&mut left, place, r, index, self.w(earlier));
        }
        left
    }

    /// Puts a corner inside the side just before `place` if that is long; `inside` is a point inside the whole polygon.
    fn halve(&self, left: &mut ArrayVec<Corner, CORNERS>, place: usize, r: DVec3, side: usize, inside: DVec3) {
        let from = left.get(place.wrapping_sub(1)).map(|corner| corner.at);
        let to = left.get(place).or(left.first()).map(|corner| corner.at);
        if let (Some(from), Some(to)) = (from, to)
            && from.dot(to) < 0.0
            && !left.is_full()
        {
            // From the inside to the farthest corner on the other side.
            let beyond = |corner: &&Corner| -corner.at.dot(r) * inside.dot(r).signum();
            let farthest = self.corners.iter().max_by(|p, q| beyond(p).total_cmp(&beyond(q)));
            let at = farthest.map_or(inside, |corner| crossing(inside, corner.at, r));
            left.insert(place, Corner { at, side });
        }
    }

    /// Of the tetrahedra that `r` forms with the first side and two neighbours, the one with the origin farthest inside.
    fn enclosing(&self, earlier: &[DVec3], r: DVec3) -> [usize; 3] {
        let vector = |i: usize| earlier.get(i).copied().unwrap_or_default();
        let sides = || self.corners.iter().map(|corner| corner.side);
        let first = sides().next().unwrap_or_default();
        let mut best = ([first; 3], f64::NEG_INFINITY);
        for (b, c) in sides().zip(sides().skip(1)) {
            let least = super::existence::shares([r, vector(first), vector(b), vector(c)]);
            let least = least.into_iter().fold(f64::INFINITY, f64::min);
            if least > best.1 {
                best = ([first, b, c], least);
            }
        }
        best.0
    }
}

/// The point in the plane across `r` between a point on one side of it and one on the other.
fn crossing(p: DVec3, q: DVec3, r: DVec3) -> DVec3 {
    (p * q.dot(r).abs() + q * p.dot(r).abs()).normalize_or_zero()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As printed, the half plane of the first vector would be empty, and that of its opposite everything.
    #[test]
    fn the_half_plane_of_the_first_vector_is_the_whole_plane() {
        let down = -DVec3::Z;
        let mut left = HalfPlanes::default();
        assert_eq!(left.add(&[], down), None);
        assert_eq!(left.add(&[down], down), None);
        assert_eq!(left.w(&[down, down]), down);
        // To the right of x = 2 on the plane z = -1: x X > z with r = (1, 0, 2) / |r|.
        let r = DVec3::new(1.0, 0.0, 2.0).normalize();
        assert_eq!(left.add(&[down, down], r), None);
        let w = left.w(&[down, down, r]);
        assert!(w.z < 0.0 && w.x > -2.0 * w.z, "{w}");
        assert!(left.add(&[down, down, r], DVec3::new(-1.0, 0.0, -1.0).normalize()).is_some());
    }
}
