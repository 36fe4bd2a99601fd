//! What to ask of `manifold`.

use super::outline::CORNERS;
use crate::math::Real;
use crate::tolerance::{FLAT_DIRECTION, PERTURBATION};

/// The most points a manifold holds.
pub const MAX_POINTS: usize = 16;

/// How the contact points are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Method {
    /// Cut the contact features against each other.
    #[default]
    Clip,
    /// The thesis's perturbed sampling: every point gets the depth of the whole.
    Perturbed,
}

/// What to ask of [`manifold`](crate::manifold()).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct ManifoldOptions {
    /// How the points are found.
    pub method: Method,
    /// At most so many points, from 1 to [`MAX_POINTS`].
    pub max_points: usize,
    /// Bodies up to this far apart count as in contact: speculative contacts. All points of the features turned towards each other that are
    /// no farther apart are given, each with its own distance, positive where they have not met.
    pub margin: Real,
    /// Samples per body of [`Method::Perturbed`], from 3 to 32.
    pub samples: usize,
    /// The angle (radians) by which [`Method::Perturbed`] turns the normal, up to a half.
    pub angle: Real,
}

impl Default for ManifoldOptions {
    fn default() -> Self {
        Self { method: Method::Clip, max_points: 4, margin: 0.0, samples: 8, angle: PERTURBATION }
    }
}

impl ManifoldOptions {
    /// Numbers out of range, NaN among them, become the nearest that make sense.
    pub(super) fn checked(&self) -> Self {
        Self {
            method: self.method,
            max_points: self.max_points.clamp(1, MAX_POINTS),
            margin: self.margin.max(0.0),
            samples: self.samples.clamp(3, CORNERS),
            angle: if self.angle > FLAT_DIRECTION { self.angle.min(0.5) } else { PERTURBATION },
        }
    }
}
