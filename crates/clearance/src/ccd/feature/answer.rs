//! The answer of a query on two moving features.

use thiserror::Error;

use crate::answer::End;
use crate::math::Real;

/// Whether and when two moving features touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureHit {
    /// Whether they touch at some time in \[0, 1\].
    pub hit: bool,
    /// A lower bound of the time of first contact, in \[0, 1\]; 1 without contact.
    pub time: Real,
    /// An upper bound of the time of first contact; 1 without contact.
    pub latest: Real,
    /// [`End::Converged`]: decided. Anything else comes with `hit`, for what is not decided is not excluded.
    pub end: End,
    /// What decided it.
    pub stage: Stage,
}

/// The stages of a query, from cheap to certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// A coordinate axis separates the features all the time.
    Axis,
    /// The four points are never coplanar, in floating point.
    Plane,
    /// Parts of the time, in floating point.
    Interval,
    /// Exact arithmetic at the roots of the cubic.
    Exact,
    /// Exact arithmetic, the points being coplanar all the time.
    Coplanar,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Self; 5] = [Self::Axis, Self::Plane, Self::Interval, Self::Exact, Self::Coplanar];
}

/// Why a query was not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FeatureError {
    /// A coordinate is NaN or infinite.
    #[error("point {point} at t = {time} is not finite")]
    NotFinite {
        /// Which of the four points.
        point: usize,
        /// 0 or 1.
        time: usize,
    },
}

/// What e₁ and e₂ span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    Triangle,
    Parallelogram,
}
