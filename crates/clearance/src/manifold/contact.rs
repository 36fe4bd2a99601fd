//! A contact of two bodies in its own frame.

use arrayvec::ArrayVec;

use super::outline::{CORNERS, Outline, Placement, add};
use crate::answer::Closest;
use crate::math::{Mat3, Pose, Real, Relative, Vec3};
use crate::narrow::{Label, Labels, Names, PairCache, distance};
use crate::shape::Shape;
use crate::tolerance::{CONTACT_SIGMAS, SAME_DEPTH, SAME_PLACE};

/// Two convex outlines of so many corners meet in one of at most their sum; and the point of `closest`.
pub(super) const CANDIDATES: usize = 2 * CORNERS + 1;

/// A contact place in the contact frame: a point of A, and how far below it (along z) B's is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub at: Vec3,
    pub depth: Real,
    pub feature: Labels,
}

/// The two features in contact as a whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whole {
    pub feature: Labels,
    /// By how much the bodies may be deeper than any of the places.
    pub lost: Real,
}

pub(super) type Candidates = ArrayVec<Candidate, CANDIDATES>;

/// Two bodies with the answer of `closest`, seen from the contact frame.
pub(super) struct Contact<'a> {
    pub shapes: [&'a Shape; 2],
    /// Unit directions toward the other body, each in its body's frame.
    pub toward: [Vec3; 2],
    pub placements: [Placement; 2],
    /// The contact frame's axes in A's frame and its origin there.
    pub axes: Mat3,
    pub origin: Vec3,
    pub depth: Real,
    /// Lengths below this are rounding.
    pub slop: Real,
    /// Twice the bounding radius of the smaller body: a floor may be as large as it likes.
    pub size: Real,
}

impl<'a> Contact<'a> {
    pub fn new(a: &'a Shape, pose_a: &Pose, b: &'a Shape, pose_b: &Pose, near: &Closest) -> Self {
        let relative = Relative::new([a.bounding_radius(), b.bounding_radius()], pose_a, pose_b);
        let normal = pose_a.direction_to_local(near.normal);
        let across = normal.any_orthonormal_vector();
        let axes = Mat3::from_cols(across, normal.cross(across), normal);
        let middle = near.points[0] + (near.points[1] - near.points[0]) / 2.0;
        let origin = pose_a.point_to_local(middle);
        let back = axes.transpose();
        Self {
            shapes: [a, b],
            toward: [normal, -relative.to_b(normal)],
            placements: [
                Placement { rotation: back, translation: -(back * origin) },
                Placement { rotation: back * relative.rotation, translation: back * (relative.translation - origin) },
            ],
            axes,
            origin,
            depth: -near.distance,
            slop: CONTACT_SIGMAS * relative.sigma(),
            size: 2.0 * a.bounding_radius().min(b.bounding_radius()),
        }
    }

    /// Gives the names of the last frame back to the places that have the features of these names, and others by rounding: where several
    /// features coincide, a place has as many names.
    pub fn settle(&self, candidates: &mut [Candidate], outlines: [&Outline; 2], known: &Names) {
        let within = SAME_PLACE * self.size + self.slop;
        for name in known.iter() {
            let is_place = [name.a, name.b].iter().any(|label| matches!(label, Label::Vertex(_) | Label::Edge(_)));
            if !is_place || candidates.iter().any(|c| c.feature == name) {
                continue;
            }
            let holds = |c: &&mut Candidate| {
                !known.contain(c.feature)
                    && outlines[0].has(name.a, c.at, within)
                    && outlines[1].has(name.b, c.at, within)
            };
            if let Some(same) = candidates.iter_mut().find(holds) {
                same.feature = name;
            }
        }
    }

    /// Whether no point of a contact is outside of its body by more than rounding, as `distance` has it.
    pub fn is_on_both(&self, candidate: &Candidate) -> bool {
        let on_a = candidate.at;
        let on_b = on_a - Vec3::Z * candidate.depth;
        let is_on = |i: usize, p: Vec3| {
            let Placement { rotation, translation } = self.placements[i];
            let local = rotation.transpose() * (p - translation);
            let at = Pose::IDENTITY.moved_to(local);
            let off = distance(&Shape::point(), &at, self.shapes[i], &Pose::IDENTITY, &mut PairCache::default());
            off.is_none_or(|near| near.distance <= 2.0 * self.slop)
        };
        is_on(0, on_a) && is_on(1, on_b)
    }

    /// Depths that differ by no more than this count as the same where points are chosen.
    pub fn still(&self) -> Real {
        SAME_DEPTH * self.size + self.slop
    }

    /// Drops the points that have not met, and adds that of `closest` if no other is as deep; whether it was added. `was_in_contact` says
    /// that there was a contact in the last frame, to be gone on with: then depths within the jitter of bodies at rest are the same.
    pub fn complete(&self, candidates: &mut Candidates, margin: Real, whole: Whole, was_in_contact: bool) -> bool {
        candidates.retain(|c| c.depth >= -margin - self.slop);
        for c in candidates.iter_mut().filter(|c| c.depth > self.depth + self.slop) {
            // No two points are deeper along the normal; what a sampled face has more is its flatness.
            c.at.z -= 0.5 * (c.depth - self.depth);
            c.depth = self.depth;
        }
        let deepest = candidates.iter().map(|c| c.depth).fold(Real::NEG_INFINITY, Real::max);
        let same = if was_in_contact { self.still() } else { self.slop + whole.lost };
        let missing = !(deepest >= self.depth - same);
        if missing {
            let at = Vec3::new(0.0, 0.0, self.depth / 2.0);
            add(candidates, Candidate { at, depth: self.depth, feature: whole.feature });
        }
        missing
    }
}
