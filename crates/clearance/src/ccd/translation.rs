//! The first contact of a convex body that moves straight: one end of its contact range along the translation.
//!
//! Nothing is advanced in steps, so no speed is too high and no gap too small. The first end of the range is searched alone, and
//! only until it is known to be beyond the translation; the other end tells overlap from moving away, where that is in doubt.
//!
//! Touching has the meaning it has everywhere: within the error of a support. A body that touches at the start and moves in is a
//! hit at once; one that moves away, or slides along without entering by more than the error, is free.

use crate::answer::{End, Feature};
use crate::math::{Pose, Real, Vec3, pair_size};
use crate::narrow::contact_range::{DirectionError, RangeCache, Side, Sweep};
use crate::narrow::{PairCache, closest};
use crate::shape::Shape;
use crate::tolerance::{TOUCHING_SIGMAS, sigma};

/// What becomes of a translation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cast {
    /// B may go all the way.
    Free,
    /// B meets A on the way.
    Hit(CastHit),
    /// B overlaps A before it moves, by more than touching.
    Overlapping,
}

/// The first contact on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CastHit {
    /// How much of the translation B goes until it touches A, from 0 to 1.
    pub fraction: Real,
    /// The true fraction is not less.
    pub lower: Real,
    /// The true fraction is not more.
    pub upper: Real,
    /// Where they touch, in world space.
    pub point: Vec3,
    /// Unit normal of the contact, out of A, in world space.
    pub normal: Vec3,
    /// What touches.
    pub features: [Feature; 2],
    /// How the search ended.
    pub end: End,
}

impl Cast {
    /// How much of the translation is free: 1 for all of it, 0 if they overlap at the start.
    pub fn fraction(&self) -> Real {
        match self {
            Self::Free => 1.0,
            Self::Hit(hit) => hit.fraction,
            Self::Overlapping => 0.0,
        }
    }
}

/// Moves B by a translation and finds where it first touches A.
///
/// # Errors
/// If a component of the translation is not finite, or it is so short, but not zero, that fractions of it would overflow.
pub fn cast(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    translation: Vec3,
    cache: &mut RangeCache,
) -> Result<Cast, DirectionError> {
    if translation == Vec3::ZERO {
        return Ok(at_rest(a, pose_a, b, pose_b));
    }
    // Seen against the translation, so that the first contact is the last of the range: where B starts is at zero, and where it
    // would end is at minus the length.
    let sweep = Sweep::new(a, pose_a, b, pose_b, -translation)?;
    let touching = sweep.touching();
    let Some(outline) = sweep.outline(cache).filter(|outline| outline.room > touching) else {
        return Ok(Cast::Free);
    };
    let first = sweep.exit(Side::Last, &outline, cache, Some(-1.0));
    cache.remember_last(&first);
    let length = sweep.length();
    if -first.outer > length || -(first.height + length) * first.normal.z > touching {
        return Ok(Cast::Free);
    }
    if first.height * first.normal.z > touching {
        let last = sweep.exit(Side::First, &outline, cache, None);
        let inside = last.height * last.normal.z > touching;
        return Ok(if inside { Cast::Overlapping } else { Cast::Free });
    }
    let end = sweep.end(Side::Last, &first);
    let [fraction, lower, upper] = [end.at, end.upper, end.lower].map(|x| (-x).clamp(0.0, 1.0));
    let (point, normal, features, end) = (end.points[0], end.normal, end.features, end.end);
    Ok(Cast::Hit(CastHit { fraction, lower, upper, point, normal, features, end }))
}

/// Without motion there is overlap or nothing.
fn at_rest(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Cast {
    let between = pose_b.translation() - pose_a.translation();
    let size = pair_size([a.bounding_radius(), b.bounding_radius()], between);
    let near = closest(a, pose_a, b, pose_b, &mut PairCache::default());
    if near.distance < -TOUCHING_SIGMAS * sigma(size) { Cast::Overlapping } else { Cast::Free }
}
