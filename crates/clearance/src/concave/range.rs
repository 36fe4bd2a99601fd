//! The contact range of concave bodies: the first and the last position along a direction at which any of their pieces touch.
//!
//! A body that comes from far away first touches another with its surface, and so it leaves: the ends are the least first end and the
//! greatest last end of all pairs of pieces (triangles of meshes and height fields, points of clouds, convex parts). Two walks down the trees, one for each end, look at the
//! pairs whose boxes meet earliest (or latest) first; pairs that cannot improve the end known are left out. Between the ends there may
//! be positions at which the bodies are apart.
//!
//! Every walk visits each pair of nodes at most once, so that it ends.

use super::fields::{self, Node, Piece, Tree, Trees};
use super::meeting::BodyCache;
use crate::answer::{Element, Feature};
use crate::math::{Aabb, Mat3, Pose, Real, Vec3, narrow, narrow_real, widen_real};
use crate::narrow::contact_range::{DirectionError, Range, RangeCache, RangeEnd, Side, contact_range};
use crate::shape::{Geometry, Shape};
use crate::tolerance::{SLAB_ERROR, sigma};

/// The positions along a direction at which B meets A: from the first contact to the last; nothing if it never does. Both bodies are
/// grown by their padding.
///
/// # Errors
/// If the direction is zero, not finite, or so short that positions would overflow.
pub(crate) fn range(
    [a, b]: [Geometry<'_>; 2],
    [pose_a, pose_b]: [&Pose; 2],
    padding: [Real; 2],
    direction: Vec3,
    cache: &mut BodyCache,
) -> Result<Option<Range>, DirectionError> {
    if let Some(answer) = fields::half_space_range([a, b], [pose_a, pose_b], padding, direction, &mut cache.lowest) {
        return answer;
    }
    let mut search = Search { direction, padding, found: None, iterations: 0 };
    for (i, (piece_a, own_a)) in pieces(a) {
        for (j, (piece_b, own_b)) in pieces(b) {
            let poses = [pose_a.compose(&own_a), pose_b.compose(&own_b)];
            let pair = Pair { pieces: [piece_a, piece_b], parts: [i, j], poses };
            pair.look(Side::First, &mut search)?;
            pair.look(Side::Last, &mut search)?;
        }
    }
    Ok(search.found.map(|found| Range { iterations: search.iterations, ..found }))
}

/// The pieces of a body with their numbers and poses in it.
fn pieces(body: Geometry<'_>) -> impl Iterator<Item = (u32, (Tree<'_>, Pose))> {
    let parts = if let Geometry::Compound(compound) = body { &*compound.parts } else { &[] };
    let whole = Tree::of_body(body).map(|piece| (piece, Pose::IDENTITY));
    let parts = parts.iter().map(|(leaf, pose)| (Tree::of_leaf(leaf), *pose));
    (0..).zip(whole.into_iter().chain(parts))
}

/// The ends found so far.
struct Search {
    direction: Vec3,
    padding: [Real; 2],
    found: Option<Range>,
    iterations: u32,
}

impl Search {
    /// Takes the ends of one pair of leaves.
    fn offer(&mut self, range: &Range) {
        self.iterations += range.iterations;
        let Some(known) = &mut self.found else {
            self.found = Some(*range);
            return;
        };
        // The exact end is the least (greatest) of all exact ends, so each bound is the least (greatest) of all.
        let [first, last] = &mut known.ends;
        let [new_first, new_last] = &range.ends;
        let (lower, upper) = (first.lower.min(new_first.lower), first.upper.min(new_first.upper));
        let earlier = if new_first.at < first.at { *new_first } else { *first };
        *first = RangeEnd { lower, upper: upper.max(earlier.at), ..earlier };
        let (lower, upper) = (last.lower.max(new_last.lower), last.upper.max(new_last.upper));
        let later = if new_last.at > last.at { *new_last } else { *last };
        *last = RangeEnd { lower: lower.min(later.at), upper, ..later };
        known.faces_visited = known.faces_visited.plus(range.faces_visited);
    }

    /// What a pair of boxes must be below to be of interest.
    fn bound(&self, side: Side) -> Real {
        match (&self.found, side) {
            (None, _) => Real::INFINITY,
            (Some(range), Side::First) => range.lo(),
            (Some(range), Side::Last) => -range.hi(),
        }
    }
}

/// Two pieces at their poses.
struct Pair<'b> {
    pieces: [Tree<'b>; 2],
    parts: [u32; 2],
    poses: [Pose; 2],
}

impl Pair<'_> {
    fn look(&self, side: Side, search: &mut Search) -> Result<(), DirectionError> {
        let [a, b] = self.pieces;
        let grown = search.padding[0] + search.padding[1] + narrow_real(a.radius() + b.radius());
        let way = Way::new(&self.poses, search.direction, grown);
        let mut refused = None;
        let bounds = |tree: Tree<'_>, node: Node| {
            let extent = tree.extent(node);
            Aabb { min: narrow(extent.centre - extent.half), max: narrow(extent.centre + extent.half) }
        };
        let trees = Trees::unplaced(a, b);
        trees.walk_by(
            widen_real(search.bound(side)),
            search,
            |_, i, j, _| widen_real(way.key(&bounds(a, i), &bounds(b, j), side)),
            |search, i, j, _| {
                if let (Some(of_a), Some(of_b)) = (a.piece(i), b.piece(j))
                    && let Err(error) = self.leaf([&of_a, &of_b], search)
                {
                    refused = Some(error);
                }
                widen_real(search.bound(side))
            },
        );
        refused.map_or(Ok(()), Err)
    }

    /// Asks the narrow phase about two leaves.
    fn leaf(&self, pieces: [&Piece<'_>; 2], search: &mut Search) -> Result<(), DirectionError> {
        let [pose_a, pose_b] = [0, 1].map(|side| pieces[side].pose(&self.poses[side]));
        let [a, b] = [0, 1].map(|side| padded(pieces[side].shape.as_ref(), self.pieces[side], search.padding[side]));
        let (Some(a), Some(b)) = (a, b) else {
            return Ok(());
        };
        let found = contact_range(&a, &pose_a, &b, &pose_b, search.direction, &mut RangeCache::default())?;
        if let Some(mut range) = found {
            for end in &mut range.ends {
                end.features =
                    [0, 1].map(|side| named(pieces[side].feature, end.features[side]).of_part(self.parts[side]));
            }
            search.offer(&range);
        }
        Ok(())
    }
}

/// What a piece is called, or what the narrow phase calls it if it is a shape as a whole.
fn named(piece: Feature, own: Feature) -> Feature {
    if piece.element == Element::Whole { own } else { piece }
}

/// A piece with its padding; a convex shape has its own already.
fn padded(shape: &Shape, of: Tree<'_>, padding: Real) -> Option<Shape> {
    let grows = padding > 0.0 && !matches!(of, Tree::Convex(..));
    if grows { shape.clone().rounded(padding).ok() } else { Some(shape.clone()) }
}

/// The frame of B seen from A, and the direction there.
struct Way {
    rotation: Mat3,
    translation: Vec3,
    direction: Vec3,
    grown: Real,
}

impl Way {
    fn new([pose_a, pose_b]: &[Pose; 2], direction: Vec3, grown: Real) -> Self {
        let relative = pose_b.relative_to(pose_a);
        Self {
            rotation: relative.matrix(),
            translation: relative.translation(),
            direction: pose_a.direction_to_local(direction),
            grown,
        }
    }

    /// The position at which box B, in its own frame, first meets box A, or minus the one at which it leaves it; at most what it is, by a
    /// margin for rounding. Infinity if it never does.
    fn key(&self, a: &Aabb, b: &Aabb, side: Side) -> Real {
        let (middle, half) = ((b.min + b.max) * 0.5, (b.max - b.min) * 0.5);
        let m = &self.rotation;
        let half = m.x_axis.abs() * half.x + m.y_axis.abs() * half.y + m.z_axis.abs() * half.z;
        let middle = m.mul_vec3(middle) + self.translation;
        let reach = a.min.abs().max(a.max.abs()).element_sum() + middle.abs().element_sum() + half.element_sum();
        let margin = self.grown + sigma(reach);
        let (low, high) = (a.min - (middle + half) - margin, a.max - (middle - half) + margin);
        let (mut enter, mut leave) = (Real::NEG_INFINITY, Real::INFINITY);
        for axis in 0..3 {
            let along = self.direction[axis];
            if along == 0.0 {
                if !(low[axis] <= 0.0 && 0.0 <= high[axis]) {
                    return Real::INFINITY;
                }
                continue;
            }
            let [s, t] = [low[axis] / along, high[axis] / along];
            let slack = |t: Real| t.abs() * SLAB_ERROR as Real;
            enter = enter.max(s.min(t) - slack(s.min(t)));
            leave = leave.min(s.max(t) + slack(s.max(t)));
        }
        if !(enter <= leave) {
            return Real::INFINITY;
        }
        // What begins exactly at the bound is of interest, too.
        if side == Side::First { enter.next_down() } else { (-leave).next_down() }
    }
}
