//! What is asked about configurations, and what is answered.

use clearance::Vec3;

/// What is asked of distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Distance {
    /// Nothing: free or not is the fastest answer.
    #[default]
    None,
    /// The least distance of free configurations; colliding ones are as fast as without.
    WhenFree,
    /// The least signed distance of all pairs: negative for colliding ones, by how deep the deepest pair is.
    Signed,
}

/// What is asked about configurations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConfigOptions {
    /// What is asked of distances.
    pub distance: Distance,
    /// Whether the gradient of the distance by the values is asked for, too; only with a distance.
    pub gradient: bool,
    /// Whether configurations after the first one that collides are left [unchecked](Verdict::Unchecked).
    pub stop_at_collision: bool,
    /// How many threads share the batch; the answers are the same for any number.
    pub threads: usize,
}

impl Default for ConfigOptions {
    fn default() -> Self {
        Self { distance: Distance::None, gradient: false, stop_at_collision: false, threads: 1 }
    }
}

/// What is known about a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All pairs are apart, certainly.
    Free,
    /// A pair touches or overlaps, or is apart by no more than rounding.
    Colliding,
    /// A value is NaN, infinite or out of range, or a quaternion has not unit length.
    Invalid,
    /// It was not looked at, since one before it collides.
    Unchecked,
}

/// The nearest or deepest pair of a configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// The numbers of the two links or bodies.
    pub pair: [u32; 2],
    /// The signed distance; negative if they overlap.
    pub distance: f64,
    /// The exact distance is not less, rounding of the kinematics included.
    pub lower: f64,
    /// The exact distance is not more.
    pub upper: f64,
    /// The nearest or deepest points of the two: `points[1] − points[0] = distance · normal`.
    pub points: [Vec3; 2],
    /// Unit vector from the first to the second.
    pub normal: Vec3,
}

/// The answer about one configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConfigAnswer {
    /// Free, colliding or invalid.
    pub verdict: Verdict,
    /// The pair that collides, by the numbers of the two links or bodies: the first one that was found, always the same.
    pub pair: Option<[u32; 2]>,
    /// The nearest or deepest pair, if distances were asked for.
    pub near: Option<Near>,
}

/// The answers about a batch of configurations.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfigBatch {
    /// One for each configuration.
    pub answers: Vec<ConfigAnswer>,
    /// The gradients of the distances one after the other, `dof` values each; NaN where there is no distance. Empty if not asked for.
    pub gradients: Vec<f64>,
}

impl ConfigAnswer {
    pub(crate) const fn plain(verdict: Verdict) -> Self {
        Self { verdict, pair: None, near: None }
    }
}
