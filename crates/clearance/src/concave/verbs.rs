//! The verbs for bodies of any shape: pieces directly, compounds by a walk down their trees.

use super::bounds::{bounded, pair_error};
use super::fields;
use super::meeting::{BodyCache, Meeting};
use super::pieces::{self, Piece};
use crate::answer::{Closest, Contact, End, Feature, Witness};
use crate::bvh::{Frame, NodeId, OrientedBox};
use crate::math::{Pose, Real, narrow_real};
use crate::narrow::{self, PairCache};
use crate::shape::{Compound, Geometry, Shape};

/// The signed distance of two bodies of any shape; see the [module](super) for touching and for depths of concave bodies.
///
/// ```
/// use clearance::concave::{closest, BodyCache};
/// use clearance::{Body, Mesh, Pose, Shape, Vec3};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
/// let mesh: Body = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?.into();
/// let ball: Body = Shape::sphere(0.5)?.into();
/// let pose = Pose::from_translation([-1.0, 0.25, 0.25])?;
/// let near = closest(&mesh, &Pose::IDENTITY, &ball, &pose, &mut BodyCache::default());
/// assert!((near.distance - 0.5).abs() < 1e-6);
/// assert_eq!(near.features[0].face_index(), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest<'b>(
    a: impl Into<Geometry<'b>>,
    pose_a: &Pose,
    b: impl Into<Geometry<'b>>,
    pose_b: &Pose,
    cache: &mut BodyCache,
) -> Closest {
    let (a, b) = (a.into(), b.into());
    if a.is_field() || b.is_field() {
        return fields::closest(a, pose_a, b, pose_b, cache);
    }
    if let (Some(piece_a), Some(piece_b)) = (Piece::of_body(a), Piece::of_body(b)) {
        let near = pieces::closest(piece_a, pose_a, piece_b, pose_b, cache);
        let convex = piece_a.hull().is_some() && piece_b.hull().is_some();
        return if convex { near } else { bounded(near, a, pose_a, b, pose_b) };
    }
    // The nearest parts of the last time are a good bound to begin with.
    let known = cache.parts.and_then(|parts| Parts::of(a, pose_a, b, pose_b, parts));
    let mut best: Option<Closest> = known.map(|parts| parts.closest(cache));
    let mut least = best.map_or(Real::INFINITY, |best| best.lower);
    let mut iterations = best.map_or(0, |best| best.iterations);
    let first = best.map_or(Real::INFINITY, |best| best.distance.next_up());
    each_pair(a, pose_a, b, pose_b, first, |parts, bound| {
        let mut own = BodyCache::default();
        let near = parts.closest(&mut own);
        iterations += near.iterations;
        least = least.min(near.lower);
        if best.is_none_or(|best| near.distance < best.distance) {
            (best, *cache) = (Some(near), own);
        }
        best.map_or(bound, |best| best.distance.next_up())
    });
    // Compounds have parts, so that there is a pair.
    let mut near = best.unwrap_or(Closest::UNKNOWN);
    cache.parts = Some(near.features.map(|feature| feature.part));
    let error = pair_error(a, pose_a, b, pose_b);
    near.lower = near.lower.min(least) - error;
    near.upper += error;
    near.iterations = iterations;
    bounded(near, a, pose_a, b, pose_b)
}

/// Whether two bodies of any shape share a point, and whether they only touch.
pub fn overlap<'b>(
    a: impl Into<Geometry<'b>>,
    pose_a: &Pose,
    b: impl Into<Geometry<'b>>,
    pose_b: &Pose,
    cache: &mut BodyCache,
) -> Meeting {
    let (a, b) = (a.into(), b.into());
    if a.is_field() || b.is_field() {
        return fields::overlap(a, pose_a, b, pose_b, cache);
    }
    if let (Some(piece_a), Some(piece_b)) = (Piece::of_body(a), Piece::of_body(b)) {
        return pieces::overlap(piece_a, pose_a, piece_b, pose_b, cache);
    }
    let mut found: Option<Meeting> = None;
    let (mut gap, mut iterations) = (Real::INFINITY, 0);
    // Parts that met the last time are likely to meet again.
    if let Some(parts) = cache.parts.and_then(|parts| Parts::of(a, pose_a, b, pose_b, parts)) {
        let answer = parts.overlap(cache);
        if answer.contact == Contact::Overlapping {
            return answer;
        }
        iterations += answer.iterations;
        found = Some(answer).filter(Meeting::overlap);
    }
    let touching = 2.0 * pair_error(a, pose_a, b, pose_b);
    let left_out = each_pair(a, pose_a, b, pose_b, touching, |parts, bound| {
        let mut own = BodyCache::default();
        let answer = parts.overlap(&mut own);
        iterations += answer.iterations;
        match answer.gap() {
            Some(apart) => gap = gap.min(apart),
            None if found.is_none() || answer.contact == Contact::Overlapping => {
                found = Some(answer);
                *cache = BodyCache { parts: Some(answer.features.map(|feature| feature.part)), ..own };
            }
            None => {}
        }
        let done = found.is_some_and(|found| found.contact == Contact::Overlapping);
        if done { Real::NEG_INFINITY } else { bound }
    });
    let apart = Meeting {
        contact: Contact::Apart,
        witness: Witness::Gap(gap.min(left_out)),
        features: [Feature::WHOLE; 2],
        end: End::Converged,
        iterations,
    };
    found.map_or(apart, |found| Meeting { iterations, ..found })
}

/// Two parts at their places, with their numbers.
pub(super) struct Parts<'b>(pub [(Piece<'b>, Pose, u32); 2]);

impl<'b> Parts<'b> {
    /// Two parts by their numbers, if there are such parts.
    fn of(a: Geometry<'b>, pose_a: &Pose, b: Geometry<'b>, pose_b: &Pose, parts: [u32; 2]) -> Option<Self> {
        let of = |body: Geometry<'b>, pose: &Pose, number: u32| match body {
            Geometry::Compound(compound) => {
                ((number as usize) < compound.part_count()).then(|| part(compound, number, pose))
            }
            _ => Piece::of_body(body).map(|piece| (piece, *pose, 0)),
        };
        Some(Self([of(a, pose_a, parts[0])?, of(b, pose_b, parts[1])?]))
    }

    fn overlap(&self, cache: &mut BodyCache) -> Meeting {
        let [(a, pose_a, part_a), (b, pose_b, part_b)] = &self.0;
        let mut answer = pieces::overlap(*a, pose_a, *b, pose_b, cache);
        answer.features[0].part = *part_a;
        answer.features[1].part = *part_b;
        answer
    }

    /// Whether both are convex.
    pub fn are_convex(&self) -> bool {
        self.0.iter().all(|(piece, ..)| piece.hull().is_some())
    }

    pub fn closest(&self, cache: &mut BodyCache) -> Closest {
        let [(a, pose_a, part_a), (b, pose_b, part_b)] = &self.0;
        let mut near = pieces::closest(*a, pose_a, *b, pose_b, cache);
        near.features[0].part = *part_a;
        near.features[1].part = *part_b;
        near
    }
}

/// What is around a node or a body: a box, and its hull if that is cheap to ask.
struct Volume<'b> {
    bounds: OrientedBox,
    hull: Option<&'b Shape>,
}

impl<'b> Volume<'b> {
    fn of_node(compound: &'b Compound, id: NodeId) -> Self {
        Self { bounds: compound.boxes[id.0 as usize], hull: compound.hulls[id.0 as usize].as_ref() }
    }

    fn of_body(body: Geometry<'b>) -> Self {
        let hull = Piece::of_body(body).and_then(|piece| piece.hull());
        Self { bounds: OrientedBox::from_aabb(&body.aabb(&Pose::IDENTITY)), hull }
    }
}

/// Two poses, and what they say of volumes.
struct Places<'p> {
    poses: [&'p Pose; 2],
    frame: Frame,
    error: Real,
}

impl<'p> Places<'p> {
    fn new([a, b]: [Geometry<'_>; 2], poses: [&'p Pose; 2]) -> Self {
        let [pose_a, pose_b] = poses;
        Self { poses, frame: Frame::of(pose_b, pose_a), error: pair_error(a, pose_a, b, pose_b) }
    }

    /// At most the distance of what is in two volumes, by their boxes: zero or less if these overlap.
    fn boxes(&self, a: &Volume, b: &Volume) -> Real {
        narrow_real(a.bounds.separation(&b.bounds, &self.frame)) - self.error
    }

    /// At most the signed distance of what is in two volumes; hulls are asked where boxes do not tell them apart. A solid mesh may
    /// contain what its triangles are far from, so that its depth has no such bound.
    fn lower(&self, a: &Volume, b: &Volume) -> Real {
        let apart = self.boxes(a, b);
        if apart > 0.0 {
            return apart;
        }
        let (Some(hull_a), Some(hull_b)) = (a.hull, b.hull) else {
            return -Real::MAX;
        };
        let [pose_a, pose_b] = self.poses;
        let near = narrow::distance(hull_a, pose_a, hull_b, pose_b, &mut PairCache::default());
        near.map(|near| near.lower - self.error).filter(|&lower| lower > 0.0).unwrap_or(-Real::MAX)
    }
}

fn part<'b>(compound: &'b Compound, part: u32, pose: &Pose) -> (Piece<'b>, Pose, u32) {
    let (leaf, own) = &compound.parts[part as usize];
    (Piece::of_leaf(leaf), pose.compose(own), part)
}

/// Goes through the pairs of parts nearest first, while they may be nearer than the bound, which `visit` lowers. Returns the
/// least separation at or above the bound given.
fn each_pair<'b>(
    a: Geometry<'b>,
    pose_a: &Pose,
    b: Geometry<'b>,
    pose_b: &Pose,
    bound: Real,
    visit: impl FnMut(Parts<'b>, Real) -> Real,
) -> Real {
    let places = Places::new([a, b], [pose_a, pose_b]);
    let mut left_out = Real::INFINITY;
    let lower = |a: &Volume, b: &Volume| {
        let lower = places.lower(a, b);
        if lower >= bound {
            left_out = left_out.min(lower);
        }
        lower
    };
    walk([a, b], [pose_a, pose_b], bound, lower, visit);
    left_out
}

/// Goes through the pairs of parts whose boxes are no farther apart than the bound. Returns the least separation of the others.
pub(super) fn each_pair_of_boxes<'b>(
    bodies: [Geometry<'b>; 2],
    poses: [&Pose; 2],
    bound: Real,
    mut visit: impl FnMut(Parts<'b>),
) -> Real {
    let places = Places::new(bodies, poses);
    let mut left_out = Real::INFINITY;
    let lower = |a: &Volume, b: &Volume| {
        let apart = places.boxes(a, b);
        if apart > bound {
            left_out = left_out.min(apart);
        }
        apart
    };
    let go_on = |parts: Parts<'b>, bound: Real| {
        visit(parts);
        bound
    };
    walk(bodies, poses, bound.next_up(), lower, go_on);
    left_out
}

/// Goes through the pairs of parts of two bodies, of which one is a compound, by the least distance of the volumes around them.
fn walk<'b>(
    [a, b]: [Geometry<'b>; 2],
    [pose_a, pose_b]: [&Pose; 2],
    bound: Real,
    mut lower: impl FnMut(&Volume<'b>, &Volume<'b>) -> Real,
    mut visit: impl FnMut(Parts<'b>, Real) -> Real,
) {
    match (a, b) {
        (Geometry::Compound(tree_a), Geometry::Compound(tree_b)) => {
            tree_a.tree.nearest_pair(
                &tree_b.tree,
                bound,
                |i, _, j, _| lower(&Volume::of_node(tree_a, i), &Volume::of_node(tree_b, j)),
                |i, j, bound| visit(Parts([part(tree_a, i, pose_a), part(tree_b, j, pose_b)]), bound),
            );
        }
        (Geometry::Compound(tree), other) => {
            let (Some(piece), volume) = (Piece::of_body(other), Volume::of_body(other)) else { return };
            tree.tree.nearest(
                bound,
                |i, _| lower(&Volume::of_node(tree, i), &volume),
                |i, bound| visit(Parts([part(tree, i, pose_a), (piece, *pose_b, 0)]), bound),
            );
        }
        (other, Geometry::Compound(tree)) => {
            let (Some(piece), volume) = (Piece::of_body(other), Volume::of_body(other)) else { return };
            tree.tree.nearest(
                bound,
                |i, _| lower(&volume, &Volume::of_node(tree, i)),
                |i, bound| visit(Parts([(piece, *pose_a, 0), part(tree, i, pose_b)]), bound),
            );
        }
        _ => {}
    }
}
