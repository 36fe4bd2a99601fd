//! The one match over kinds of bodies where one is a height field, a point cloud or a half-space.

use super::half_space::{Below, swapped_meeting};
use super::pair::Pair;
use super::tree::{Extent, Relation, Tree};
use crate::answer::{Closest, Contact, End, Feature, Within, Witness};
use crate::bvh::Frame;
use crate::concave::bounds::{bounded, pair_error};
use crate::concave::meeting::{BodyCache, Meeting};
use crate::math::{Pose, Real, narrow_real, pair_size, widen_real};
use crate::shape::{Compound, Geometry, Leaf};

impl<'b> Tree<'b> {
    /// The tree of a body that is neither a compound nor a half-space.
    pub(in crate::concave) fn of_body(body: Geometry<'b>) -> Option<Self> {
        match body {
            Geometry::Convex(shape) => Some(Self::of_shape(shape)),
            Geometry::Mesh(mesh) => Some(Self::Mesh(mesh)),
            Geometry::HeightField(field) => Some(Self::Field(field)),
            Geometry::PointCloud(cloud) => Some(Self::Cloud(cloud)),
            Geometry::Compound(_) | Geometry::HalfSpace(_) => None,
        }
    }

    pub(in crate::concave) fn of_leaf(leaf: &'b Leaf) -> Self {
        match leaf {
            Leaf::Convex(shape) => Self::of_shape(shape),
            Leaf::Mesh(mesh) => Self::Mesh(mesh),
        }
    }
}

/// The signed distance.
pub(in crate::concave) fn closest(
    a: Geometry<'_>,
    pose_a: &Pose,
    b: Geometry<'_>,
    pose_b: &Pose,
    cache: &mut BodyCache,
) -> Closest {
    let lowest = &mut cache.lowest;
    let near = match (a, b) {
        (Geometry::HalfSpace(half_space), _) => return Below::new(half_space, pose_a, b, pose_b).closest(lowest),
        (_, Geometry::HalfSpace(half_space)) => {
            return Below::new(half_space, pose_b, a, pose_a).closest(lowest).swapped();
        }
        (Geometry::Compound(compound), _) => compound_closest(compound, pose_a, b, pose_b, cache),
        (_, Geometry::Compound(compound)) => compound_closest(compound, pose_b, a, pose_a, cache).swapped(),
        _ => match (Tree::of_body(a), Tree::of_body(b)) {
            (Some(of_a), Some(of_b)) => Pair::new(of_a, pose_a, of_b, pose_b).closest(Real::INFINITY, cache),
            _ => Closest::UNKNOWN,
        },
    };
    bounded(near, a, pose_a, b, pose_b)
}

/// Whether the bodies share a point.
pub(in crate::concave) fn overlap(
    a: Geometry<'_>,
    pose_a: &Pose,
    b: Geometry<'_>,
    pose_b: &Pose,
    cache: &mut BodyCache,
) -> Meeting {
    let lowest = &mut cache.lowest;
    match (a, b) {
        (Geometry::HalfSpace(half_space), _) => Below::new(half_space, pose_a, b, pose_b).overlap(lowest),
        (_, Geometry::HalfSpace(half_space)) => {
            swapped_meeting(Below::new(half_space, pose_b, a, pose_a).overlap(lowest))
        }
        (Geometry::Compound(compound), _) => compound_overlap(compound, pose_a, b, pose_b, cache),
        (_, Geometry::Compound(compound)) => swapped_meeting(compound_overlap(compound, pose_b, a, pose_a, cache)),
        _ => match (Tree::of_body(a), Tree::of_body(b)) {
            (Some(of_a), Some(of_b)) => Pair::new(of_a, pose_a, of_b, pose_b).overlap(cache),
            _ => APART,
        },
    }
}

/// Whether the bodies are within a distance of each other; early where either is certain.
pub(crate) fn within(
    [a, b]: [Geometry<'_>; 2],
    [pose_a, pose_b]: [&Pose; 2],
    distance: Real,
    cache: &mut BodyCache,
) -> Within {
    if let (Some(of_a), Some(of_b)) = (Tree::of_body(a), Tree::of_body(b)) {
        return Pair::new(of_a, pose_a, of_b, pose_b).within(distance, cache);
    }
    let near = closest(a, pose_a, b, pose_b, cache);
    let within = near.lower <= distance;
    let witness = if within { Witness::Points(near.points) } else { Witness::Gap(near.lower) };
    Within { within, witness, lower: near.lower, upper: near.upper, end: near.end, iterations: near.iterations }
}

const APART: Meeting = Meeting {
    contact: Contact::Apart,
    witness: Witness::Gap(Real::INFINITY),
    features: [Feature::WHOLE; 2],
    end: End::Degenerate,
    iterations: 0,
};

/// Goes through the parts of a compound that may be nearer to a body than the bound, near ones first. `visit` may lower the bound. Returns
/// the least bound of what was left out because of the first.
pub(in crate::concave) fn each_part<'b>(
    compound: &'b Compound,
    pose: &Pose,
    other: &Tree<'_>,
    pose_other: &Pose,
    bound: Real,
    mut visit: impl FnMut(Tree<'b>, Pose, u32, Real) -> Real,
) -> Real {
    let relation = Relation::new(Frame::of(pose_other, pose));
    let whole = other.extent(other.root());
    let between = pose_other.translation() - pose.translation();
    let size = pair_size([compound.bounding_radius(), other.bounding_radius()], between);
    let error = widen_real(crate::tolerance::sigma(size)) + other.radius();
    let left_out = std::cell::Cell::new(Real::INFINITY);
    compound.tree.nearest(
        bound,
        |_, bounds| {
            let [centre, half] = bounds.middle_and_half();
            let apart = narrow_real(relation.separation(&Extent { centre, half }, &whole) - error);
            // A mesh may contain what its triangles are far from.
            let least = if apart > 0.0 { apart } else { -Real::MAX };
            if least >= bound {
                left_out.set(left_out.get().min(least));
            }
            least
        },
        |part, bound| {
            let (leaf, own) = &compound.parts[part as usize];
            visit(Tree::of_leaf(leaf), pose.compose(own), part, bound)
        },
    );
    left_out.get()
}

/// The part that a cache remembers, if there is such a part, with its pose and its number.
fn known_part<'b>(compound: &'b Compound, pose: &Pose, cache: &BodyCache) -> Option<(Tree<'b>, Pose, u32)> {
    let [number, _] = cache.parts?;
    let (leaf, own) = compound.parts.get(number as usize)?;
    Some((Tree::of_leaf(leaf), pose.compose(own), number))
}

/// The signed distance, with the compound as A. The part that was nearest the last time is asked first.
fn compound_closest(
    compound: &Compound,
    pose: &Pose,
    other: Geometry<'_>,
    pose_other: &Pose,
    cache: &mut BodyCache,
) -> Closest {
    let Some(tree) = Tree::of_body(other) else { return Closest::UNKNOWN };
    let mut best = Closest::UNKNOWN;
    let (mut least, mut iterations) = (Real::INFINITY, 0);
    let mut look = |part: Tree<'_>, at: &Pose, number: u32, bound: Real, own: &mut BodyCache| {
        let near = Pair::new(part, at, tree, pose_other).closest(bound, own);
        iterations += near.iterations;
        least = least.min(near.lower);
        let nearer = near.distance < best.distance;
        if nearer {
            best = near;
            best.features[0].part = number;
        }
        (bound.min(best.distance.next_up()), nearer)
    };
    let known = known_part(compound, pose, cache);
    let bound = known.map_or(Real::INFINITY, |(part, at, number)| look(part, &at, number, Real::INFINITY, cache).0);
    let left_out = each_part(compound, pose, &tree, pose_other, bound, |part, at, number, bound| {
        if known.is_some_and(|(.., known)| known == number) {
            return bound;
        }
        let mut own = BodyCache::default();
        let (bound, nearer) = look(part, &at, number, bound, &mut own);
        if nearer {
            *cache = BodyCache { parts: Some([number, 0]), ..own };
        }
        bound
    });
    let least = least.min(left_out);
    let error = pair_error(Geometry::Compound(compound), pose, other, pose_other);
    Closest { lower: best.lower.min(least) - error, upper: best.upper + error, iterations, ..best }
}

/// Whether they share a point, with the compound as A.
fn compound_overlap(
    compound: &Compound,
    pose: &Pose,
    other: Geometry<'_>,
    pose_other: &Pose,
    cache: &mut BodyCache,
) -> Meeting {
    let Some(tree) = Tree::of_body(other) else { return APART };
    let touching = 2.0 * pair_error(Geometry::Compound(compound), pose, other, pose_other);
    let mut found: Option<Meeting> = None;
    let (mut gap, mut iterations) = (Real::INFINITY, 0);
    let mut look = |part: Tree<'_>, at: &Pose, number: u32, own: &mut BodyCache| {
        let mut answer = Pair::new(part, at, tree, pose_other).overlap(own);
        iterations += answer.iterations;
        answer.features[0].part = number;
        let met = match answer.gap() {
            Some(apart) => {
                gap = gap.min(apart);
                false
            }
            None => found.is_none() || answer.contact == Contact::Overlapping,
        };
        found = if met { Some(answer) } else { found };
        (met, found.is_some_and(|found| found.contact == Contact::Overlapping))
    };
    let known = known_part(compound, pose, cache);
    let done = known.is_some_and(|(part, at, number)| look(part, &at, number, cache).1);
    let bound = if done { Real::NEG_INFINITY } else { touching };
    let left_out = each_part(compound, pose, &tree, pose_other, bound, |part, at, number, bound| {
        if known.is_some_and(|(.., known)| known == number) {
            return bound;
        }
        let mut own = BodyCache::default();
        let (met, done) = look(part, &at, number, &mut own);
        if met {
            *cache = BodyCache { parts: Some([number, 0]), ..own };
        }
        if done { Real::NEG_INFINITY } else { bound }
    });
    let apart = Meeting { witness: Witness::Gap(gap.min(left_out)), end: End::Converged, ..APART };
    found.map_or(Meeting { iterations, ..apart }, |found| Meeting { iterations, ..found })
}
