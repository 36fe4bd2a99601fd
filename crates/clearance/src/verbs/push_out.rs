//! A translation that takes one body out of another.

use super::{Cache, closest, slide};
use crate::answer::{Closest, Contact, End, PushOut};
use crate::ccd::CastOptions;
use crate::concave;
use crate::math::{Pose, Real, Vec3, length};
use crate::shape::BodyRef;
use crate::tolerance::{PUSH_GAIN, PUSH_SIGMAS, PUSH_SURPLUS, UNIT_ROUNDOFF};

/// Pushes before the extents tell a way, and slides back.
const MOST_PUSHES: usize = 32;
const MOST_SLIDES: usize = 8;

/// A translation of B, as short as is found, after which it does not overlap A any more.
///
/// B is pushed out along the normals of the overlap, which for bodies of several pieces may take some pushes, and slides back towards where it was
/// for as long as that makes the translation shorter. Convex bodies need one push, and no translation is shorter than theirs. For concave
/// ones it is a local minimum: their depth is at most its length, and what they may still overlap by rounding (`near.lower`), which is
/// often far less than `−lower` of [`closest`].
///
/// ```
/// use clearance::{Body, Cache, Compound, Contact, Pose, Shape, push_out};
/// // A groove between two walls, and a box that is in the left one by 0.25.
/// let wall = Body::from(Shape::cuboid([0.5, 5.0, 5.0])?);
/// let at = |x| Pose::from_translation([x, 0.0, 0.0]);
/// let groove = Compound::new([(wall.clone(), at(-2.0)?), (wall, at(2.0)?)])?;
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let out = push_out(&groove, &Pose::IDENTITY, &cube, &at(-0.75)?, &mut Cache::default());
/// assert_ne!(out.near.contact, Contact::Overlapping);
/// assert!((out.translation.x - 0.25).abs() < 1e-3 && out.translation.y.abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn push_out<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    cache: &mut Cache,
) -> PushOut {
    let mut search = Search { a: a.into(), pose_a, b: b.into(), pose_b, cache };
    let start = Found { by: Vec3::ZERO, near: search.near(Vec3::ZERO) };
    if start.is_out() {
        return start.answer();
    }
    let mut best = search.pushed(start);
    if let Some(by) = search.out_of_the_extents(start.near.normal, best.is_out().then(|| length(best.by))) {
        let found = Found { by, near: search.near(by) };
        best = if found.is_out() || !best.is_out() { found } else { best };
    }
    search.slid_back(best).answer()
}

/// A translation and what is known after it.
#[derive(Clone, Copy)]
struct Found {
    by: Vec3,
    near: Closest,
}

impl Found {
    fn is_out(&self) -> bool {
        self.near.contact != Contact::Overlapping && self.near.end == End::Converged
    }

    fn answer(self) -> PushOut {
        let end = if self.is_out() { End::Converged } else { End::IterationLimit };
        PushOut { translation: self.by, near: self.near, end }
    }
}

struct Search<'s, 'a, 'b> {
    a: BodyRef<'a>,
    pose_a: &'s Pose,
    b: BodyRef<'b>,
    pose_b: &'s Pose,
    cache: &'s mut Cache,
}

impl Search<'_, '_, '_> {
    fn moved(&self, by: Vec3) -> Pose {
        self.pose_b.moved_to(self.pose_b.translation() + by)
    }

    fn near(&mut self, by: Vec3) -> Closest {
        let pose = self.moved(by);
        closest(self.a.borrowed(), self.pose_a, self.b.borrowed(), &pose, self.cache)
    }

    /// Out of one piece after the other.
    fn pushed(&mut self, start: Found) -> Found {
        let mut found = start;
        // Far from the origin a place is rounded by more than the depth is known.
        let of_place = 2.0 * UNIT_ROUNDOFF * self.pose_b.translation().abs().max_element();
        for _ in 0..MOST_PUSHES {
            if found.is_out() || !found.near.normal.is_finite() || !found.near.distance.is_finite() {
                break;
            }
            let error = (found.near.upper - found.near.distance).abs();
            let depth = -found.near.distance * (1.0 + PUSH_SURPLUS) + PUSH_SIGMAS * error + of_place;
            let by = found.by + found.near.normal * depth.max(0.0);
            found = Found { by, near: self.near(by) };
        }
        found
    }

    /// The shortest way along which the extents of B leave those of A, if it is shorter than what is known.
    fn out_of_the_extents(&self, normal: Vec3, known: Option<Real>) -> Option<Vec3> {
        let (gap, direction) =
            concave::least_overlap(normal, self.a.geometry(), self.pose_a, self.b.geometry(), self.pose_b);
        let way = (self.a.padding + self.b.padding - gap) * (1.0 + PUSH_SURPLUS);
        (way.is_finite() && known.is_none_or(|known| way < known)).then(|| direction * way)
    }

    /// Slides towards where B was as long as that makes the translation shorter.
    fn slid_back(&mut self, start: Found) -> Found {
        let mut best = start;
        for _ in 0..MOST_SLIDES {
            if !best.is_out() || best.by == Vec3::ZERO {
                break;
            }
            let obstacles = [(self.a.borrowed(), *self.pose_a)];
            let options = CastOptions::default();
            let Ok(slid) = slide(&obstacles, self.b.borrowed(), &self.moved(best.by), -best.by, self.cache, &options)
            else {
                break;
            };
            let by = slid.pose.translation() - self.pose_b.translation();
            let is_shorter = length(by) < length(best.by);
            let gains = length(by) < length(best.by) * (1.0 - PUSH_GAIN);
            let found = Found { by, near: self.near(by) };
            if !is_shorter || !found.is_out() {
                break;
            }
            best = found;
            if !gains {
                break;
            }
        }
        best
    }
}
