//! The verbs for bodies of any shape: pieces directly, compounds by a walk down their trees.

use super::compound::Compound;
use super::pieces::{self, Piece};
use super::{Body, BodyCache, Contact, Meeting, NO_ELEMENT, Near, Reason};
use crate::bvh::{Frame, NodeId, OrientedBox};
use crate::math::{Pose, Real, Vec3, narrow_real};
use crate::narrow::{self, Closest, End, PairCache};
use crate::shape::Shape;
use crate::tolerance::sigma;

/// The signed distance of two bodies of any shape; see the [module](super) for touching and for depths of concave bodies.
///
/// ```
/// use clearance::mesh_query::{closest, Body, BodyCache};
/// use clearance::{Mesh, Pose, Shape, Vec3};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
/// let mesh: Body = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?.into();
/// let ball: Body = Shape::sphere(0.5)?.into();
/// let pose = Pose::from_translation([-1.0, 0.25, 0.25])?;
/// let near = closest(&mesh, &Pose::IDENTITY, &ball, &pose, &mut BodyCache::default());
/// assert!((near.closest.distance - 0.5).abs() < 1e-6);
/// assert_eq!(near.elements[0].face(), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, cache: &mut BodyCache) -> Near {
    if let (Some(piece_a), Some(piece_b)) = (Piece::of_body(a), Piece::of_body(b)) {
        let near = pieces::closest(piece_a, pose_a, piece_b, pose_b, cache);
        let convex = piece_a.hull().is_some() && piece_b.hull().is_some();
        return if convex { near } else { bounded(near, a, pose_a, b, pose_b) };
    }
    // The nearest parts of the last time are a good bound to begin with.
    let known = cache.parts.and_then(|parts| Parts::of(a, pose_a, b, pose_b, parts));
    let mut best: Option<Near> = known.map(|parts| parts.closest(cache));
    let mut least = best.map_or(Real::INFINITY, |best| best.closest.lower);
    let mut iterations = best.map_or(0, |best| best.closest.iterations);
    let first = best.map_or(Real::INFINITY, |best| best.closest.distance.next_up());
    each_pair(a, pose_a, b, pose_b, first, |parts, bound| {
        let mut own = BodyCache::default();
        let near = parts.closest(&mut own);
        iterations += near.closest.iterations;
        least = least.min(near.closest.lower);
        if best.is_none_or(|best| near.closest.distance < best.closest.distance) {
            (best, *cache) = (Some(near), own);
        }
        best.map_or(bound, |best| best.closest.distance.next_up())
    });
    // Compounds have parts, so that there is a pair.
    let mut near = best.unwrap_or(NOTHING);
    cache.parts = Some(near.elements.map(|element| element.part));
    let error = pair_error(a, pose_a, b, pose_b);
    near.closest.lower = near.closest.lower.min(least) - error;
    near.closest.upper += error;
    near.closest.iterations = iterations;
    bounded(near, a, pose_a, b, pose_b)
}

/// Whether two bodies of any shape share a point, and whether they only touch.
///
/// ```
/// use clearance::mesh_query::{overlap, Body, BodyCache, Compound, Contact};
/// use clearance::{Pose, Shape};
/// let cube = Body::from(Shape::cuboid([1.0, 1.0, 1.0])?);
/// let parts = [-3.0, 3.0].map(|x| (cube.clone(), Pose::from_translation([x, 0.0, 0.0]).unwrap()));
/// let pair: Body = Compound::new(parts).unwrap().into();
/// let found = overlap(&pair, &Pose::IDENTITY, &cube, &Pose::IDENTITY, &mut BodyCache::default());
/// assert!(!found.overlap);
/// let pose = Pose::from_translation([1.0, 0.0, 0.0])?;
/// let found = overlap(&pair, &Pose::IDENTITY, &cube, &pose, &mut BodyCache::default());
/// assert!(found.overlap && found.contact == Contact::Touching);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, cache: &mut BodyCache) -> Meeting {
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
        found = Some(answer).filter(|answer| answer.overlap);
    }
    let touching = 2.0 * pair_error(a, pose_a, b, pose_b);
    let left_out = each_pair(a, pose_a, b, pose_b, touching, |parts, bound| {
        let mut own = BodyCache::default();
        let answer = parts.overlap(&mut own);
        iterations += answer.iterations;
        match answer.reason {
            Reason::Gap(apart) => gap = gap.min(apart),
            Reason::Point(_) if found.is_none() || answer.contact == Contact::Overlapping => {
                found = Some(answer);
                *cache = BodyCache { parts: Some(answer.elements.map(|element| element.part)), ..own };
            }
            Reason::Point(_) => {}
        }
        let done = found.is_some_and(|found| found.contact == Contact::Overlapping);
        if done { Real::NEG_INFINITY } else { bound }
    });
    let apart = Meeting {
        overlap: false,
        contact: Contact::Apart,
        reason: Reason::Gap(gap.min(left_out)),
        elements: NOTHING.elements,
        end: End::Converged,
        iterations,
    };
    found.map_or(apart, |found| Meeting { iterations, ..found })
}

/// What is known of a pair without pieces.
const NOTHING: Near = Near {
    closest: Closest {
        distance: Real::MAX,
        lower: Real::NEG_INFINITY,
        upper: Real::INFINITY,
        points: [Vec3::ZERO; 2],
        normal: Vec3::X,
        end: End::Degenerate,
        iterations: 0,
    },
    contact: Contact::Apart,
    elements: [NO_ELEMENT; 2],
};

/// The error of a support value of the pair.
pub(super) fn pair_error(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Real {
    let between = (pose_b.translation() - pose_a.translation()).abs().element_sum();
    sigma(a.bounding_radius() + b.bounding_radius() + between)
}

/// The lower bound of bodies that meet: however they are moved out of each other along the normal or an axis of A, it takes no
/// more than what they overlap along it.
fn bounded(mut near: Near, a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Near {
    if near.contact == Contact::Apart {
        return near;
    }
    let between = pose_b.translation() - pose_a.translation();
    let gap = |d: Vec3| {
        let of_a = pose_a.direction(a.support(pose_a.direction_to_local(d)));
        let of_b = pose_b.direction(b.support(pose_b.direction_to_local(-d)));
        d.dot(of_b - of_a + between)
    };
    let m = pose_a.matrix();
    let axes = [near.closest.normal, m.x_axis, m.y_axis, m.z_axis, -m.x_axis, -m.y_axis, -m.z_axis];
    let best = axes.into_iter().map(gap).fold(Real::NEG_INFINITY, Real::max);
    near.closest.lower = best.min(near.closest.distance) - 2.0 * pair_error(a, pose_a, b, pose_b);
    near.closest.upper = near.closest.upper.max(near.closest.distance);
    near
}

/// Two parts at their places, with their numbers.
pub(super) struct Parts<'b>(pub [(Piece<'b>, Pose, u32); 2]);

impl<'b> Parts<'b> {
    /// Two parts by their numbers, if there are such parts.
    fn of(a: &'b Body, pose_a: &Pose, b: &'b Body, pose_b: &Pose, parts: [u32; 2]) -> Option<Self> {
        let of = |body: &'b Body, pose: &Pose, number: u32| match body {
            Body::Compound(compound) => {
                ((number as usize) < compound.part_count()).then(|| part(compound, number, pose))
            }
            _ => Piece::of_body(body).map(|piece| (piece, *pose, 0)),
        };
        Some(Self([of(a, pose_a, parts[0])?, of(b, pose_b, parts[1])?]))
    }

    fn overlap(&self, cache: &mut BodyCache) -> Meeting {
        let [(a, pose_a, part_a), (b, pose_b, part_b)] = &self.0;
        let mut answer = pieces::overlap(*a, pose_a, *b, pose_b, cache);
        answer.elements[0].part = *part_a;
        answer.elements[1].part = *part_b;
        answer
    }

    fn closest(&self, cache: &mut BodyCache) -> Near {
        let [(a, pose_a, part_a), (b, pose_b, part_b)] = &self.0;
        let mut near = pieces::closest(*a, pose_a, *b, pose_b, cache);
        near.elements[0].part = *part_a;
        near.elements[1].part = *part_b;
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

    fn of_body(body: &'b Body) -> Self {
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

impl Places<'_> {
    /// At most the signed distance of what is in two volumes; hulls are asked where boxes do not tell them apart. A solid mesh may
    /// contain what its triangles are far from, so that its depth has no such bound.
    fn lower(&self, a: &Volume, b: &Volume) -> Real {
        let apart = narrow_real(a.bounds.separation(&b.bounds, &self.frame)) - self.error;
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
pub(super) fn each_pair<'b>(
    a: &'b Body,
    pose_a: &Pose,
    b: &'b Body,
    pose_b: &Pose,
    bound: Real,
    mut visit: impl FnMut(Parts<'b>, Real) -> Real,
) -> Real {
    let error = pair_error(a, pose_a, b, pose_b);
    let places = Places { poses: [pose_a, pose_b], frame: Frame::of(pose_b, pose_a), error };
    let left_out = std::cell::Cell::new(Real::INFINITY);
    let seen = |lower: Real| {
        if lower >= bound {
            left_out.set(left_out.get().min(lower));
        }
        lower
    };
    match (a, b) {
        (Body::Compound(tree_a), Body::Compound(tree_b)) => {
            tree_a.tree.nearest_pair(
                &tree_b.tree,
                bound,
                |i, _, j, _| seen(places.lower(&Volume::of_node(tree_a, i), &Volume::of_node(tree_b, j))),
                |i, j, bound| visit(Parts([part(tree_a, i, pose_a), part(tree_b, j, pose_b)]), bound),
            );
        }
        (Body::Compound(tree), other) => {
            let (Some(piece), volume) = (Piece::of_body(other), Volume::of_body(other)) else {
                return bound;
            };
            tree.tree.nearest(
                bound,
                |i, _| seen(places.lower(&Volume::of_node(tree, i), &volume)),
                |i, bound| visit(Parts([part(tree, i, pose_a), (piece, *pose_b, 0)]), bound),
            );
        }
        (other, Body::Compound(tree)) => {
            let (Some(piece), volume) = (Piece::of_body(other), Volume::of_body(other)) else {
                return bound;
            };
            tree.tree.nearest(
                bound,
                |i, _| seen(places.lower(&volume, &Volume::of_node(tree, i))),
                |i, bound| visit(Parts([(piece, *pose_a, 0), part(tree, i, pose_b)]), bound),
            );
        }
        _ => {}
    }
    left_out.get()
}
