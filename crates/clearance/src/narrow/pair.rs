//! Two convex shapes as the algorithms see them: the cores in the frame of A, the radii, the size and the error.

use arrayvec::ArrayVec;

use super::cache::PairCache;
use super::gjk::{Gjk, Goal, Start, State, SubAlgorithm};
use super::local::Local;
use super::minkowski::{Minkowski, Vertex};
use crate::answer::End;
use crate::math::{Pose, Real, Relative, Vec3, unit_or};
use crate::shape::{Core, Shape};
use crate::support::{Support, VertexId};
use crate::tolerance::{
    BARE_SIGMAS, COARSE_DEPTH_GAP, RELATIVE_GAP, SAFE_SQUARE_MAX, SAFE_SQUARE_MIN, STALL_SIGMAS, STATED_SIGMAS,
};

/// The pair in the frame of A.
pub(super) struct Pair<'a> {
    pub(super) m: Minkowski<'a, Core, Core>,
    /// The sum of the radii.
    pub(super) margin: Real,
    pub(super) size: Real,
    pub(super) sigma: Real,
    /// Whether both cores have flat faces only, so that answers are exact.
    pub(super) flat: bool,
}

impl<'a> Pair<'a> {
    #[inline]
    pub(super) fn new(a: &'a Shape, pose_a: &Pose, b: &'a Shape, pose_b: &Pose) -> Self {
        let relative = Relative::new([a.bounding_radius(), b.bounding_radius()], pose_a, pose_b);
        Self {
            m: Minkowski::new(a.core(), b.core(), &relative),
            margin: a.radius() + b.radius(),
            size: relative.size,
            sigma: relative.sigma(),
            flat: a.core().is_polyhedral() && b.core().is_polyhedral(),
        }
    }

    /// Where GJK starts: the cached direction, or the line between the origins.
    #[inline]
    pub(super) fn start(&self, cache: &PairCache, pose_a: &Pose) -> Start {
        let direction = if cache.warm { pose_a.direction_to_local(cache.direction) } else { self.m.translation };
        let square = direction.length_squared();
        // A vector too short or too long to square is as good as none until it has unit length.
        let plain = square > SAFE_SQUARE_MIN && square < SAFE_SQUARE_MAX;
        let direction = if plain { direction } else { unit_or(direction, Vec3::X) };
        Start { direction, hints: if cache.warm { cache.corners[0] } else { [VertexId::NONE; 2] } }
    }

    /// The cached simplex at the present poses, if both bodies have vertices.
    pub(super) fn warm_simplex(&self, cache: &PairCache) -> ArrayVec<Vertex, 4> {
        let mut vertices = ArrayVec::new();
        for ids in &cache.corners[..cache.len as usize] {
            if let (Some(a), Some(b)) = (self.m.a.vertex(ids[0]), self.m.b.vertex(ids[1])) {
                let b = self.m.rotation * b + self.m.translation;
                vertices.push(Vertex { m: b - a, a, ids: *ids });
            }
        }
        vertices
    }

    /// Whether a plane separates by more than the margin, or a point is nearer than that.
    #[inline]
    pub(super) fn is_certain(&self, gjk: &Gjk) -> bool {
        gjk.plane.bound > self.margin + self.sigma || gjk.upper() <= self.margin + self.sigma
    }

    /// Whether flat-faced bodies were found to meet because they come within the error of each other, but not much nearer: their faces may
    /// say that they are apart.
    #[inline]
    pub(super) fn barely_meets(&self, gjk: &Gjk) -> bool {
        let is_bare = self.flat && self.margin == 0.0 && gjk.state == State::Meeting;
        is_bare && gjk.upper() > BARE_SIGMAS * self.sigma
    }

    /// Whether an answer converged with bounds as close as is stated.
    #[inline]
    pub(super) fn is_as_stated(&self, local: &Local) -> bool {
        is_as_stated(local, self.margin, self.sigma, self.flat)
    }

    #[inline]
    pub(super) fn goal(&self, boolean: bool) -> Goal {
        Goal {
            boolean,
            margin: self.margin,
            sigma: self.sigma,
            relative_gap: if self.flat || boolean { 0.0 } else { RELATIVE_GAP },
            sub_algorithm: SubAlgorithm::Regions,
        }
    }
}

/// Whether an answer converged with bounds as close as is stated: within rounding for flat faces, within the relative gaps of distances
/// and depths for others.
#[inline]
pub(super) fn is_as_stated(local: &Local, margin: Real, sigma: Real, is_flat: bool) -> bool {
    let core = local.distance + margin;
    let relative = match (is_flat, core > 0.0) {
        (true, _) => 0.0,
        (_, true) => STALL_SIGMAS * RELATIVE_GAP,
        _ => COARSE_DEPTH_GAP,
    };
    let (width, most) = (local.upper - local.lower, STATED_SIGMAS * sigma + relative * core.abs());
    // Written so that NaN and infinity are not as stated.
    local.end == End::Converged && width >= 0.0 && width <= most && most < Real::INFINITY
}
