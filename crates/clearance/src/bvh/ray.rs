//! A ray through the tree, front to back.
//!
//! Boxes are met in single precision, two siblings at a time, with margins for all rounding: no box that the ray touches is left
//! out. The ray starts where it enters the box of the whole tree, computed in f64, so that a far origin costs no precision.
//!
//! Invariant: the entry of a node is monotone, rounding included: a box within another is entered no earlier.

use arrayvec::ArrayVec;
use glam::{DVec3, Vec4, Vec4Swizzles};

use super::node::Node;
use super::query::PATH;
use super::{Bvh, NodeBox};
use crate::tolerance::RAY_NODE;

/// A coordinate of a direction below this counts as constant on the way through a tree: its inverse would be too large for f32.
const STILL: f64 = f32::MIN_POSITIVE as f64 * u32::MAX as f64;
/// An origin is near a tree if its coordinates are at most this times the largest of the tree's.
const NEAR_TREE: f64 = 16.0;
/// Marks a leaf among the links that wait on the stack.
pub(super) const LEAF: u32 = 1 << 31;

/// A ray as the nodes of a tree see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RayPath {
    /// A box around the start of the path, rounded outwards.
    pub(super) low: Vec4,
    pub(super) high: Vec4,
    pub(super) slope: Vec4,
    /// The ray's parameter where the path starts.
    start: f64,
}

impl RayPath {
    /// The ray `origin + t · direction`, `t ≥ 0`, through a tree; the largest component of the direction is between a half and four. The
    /// size is at least the distance of the origin from anything in the tree; the ray's points are known to within the error. Nothing if it
    /// misses a far tree for certain.
    #[inline]
    pub fn new(tree: &Bvh, origin: DVec3, direction: DVec3, size: f64, error: f64) -> Option<Self> {
        let bounds = tree.bounds();
        // From a place near the tree the boxes' own precision is enough.
        let largest = f64::from(bounds.min.abs().max(bounds.max.abs()).with_w(0.0).max_element());
        if origin.abs().max_element() <= NEAR_TREE * largest {
            return Some(Self::from(origin, direction, 0.0, 4.0 * size, error));
        }
        Self::from_afar(bounds, origin, direction, size, error)
    }

    /// The same, starting where it enters the box of the whole tree.
    #[cold]
    fn from_afar(bounds: &NodeBox, origin: DVec3, direction: DVec3, size: f64, error: f64) -> Option<Self> {
        let (min, max) = (bounds.min.truncate().as_dvec3(), bounds.max.truncate().as_dvec3());
        let (mut enter, mut leave) = (0.0, f64::INFINITY);
        for axis in 0..3 {
            let (low, high) = (min[axis] - origin[axis], max[axis] - origin[axis]);
            let margin = error + f64::EPSILON * (low.abs().max(high.abs()) + f64::from(f32::MIN_POSITIVE));
            if direction[axis] == 0.0 {
                if low > margin || high < -margin {
                    return None;
                }
                continue;
            }
            let sides = [low - margin, low + margin, high - margin, high + margin].map(|x| x / direction[axis]);
            enter = sides.into_iter().fold(f64::INFINITY, f64::min).max(enter);
            leave = sides.into_iter().fold(f64::NEG_INFINITY, f64::max).min(leave);
        }
        let (enter, leave) = (enter * (1.0 - 4.0 * f64::EPSILON), leave * (1.0 + 4.0 * f64::EPSILON));
        (enter <= leave).then(|| Self::from(origin, direction, enter, 4.0 * size, error))
    }

    #[inline]
    fn from(origin: DVec3, direction: DVec3, start: f64, length: f64, error: f64) -> Self {
        let at = origin + direction * start;
        // A coordinate that hardly changes is taken as constant, within a box that covers its change.
        let is_still = direction.abs().cmplt(DVec3::splat(STILL));
        let mut error = (origin.abs() + direction.abs() * start) * (2.0 * f64::EPSILON) + DVec3::splat(error);
        let mut slope = direction.recip().as_vec3();
        if is_still.any() {
            error += DVec3::select(is_still, direction.abs() * length, DVec3::ZERO);
            slope =
                glam::Vec3::select(glam::BVec3::new(is_still.x, is_still.y, is_still.z), glam::Vec3::INFINITY, slope);
        }
        let bounds = NodeBox::around(at - error, at + error);
        Self {
            low: bounds.min.with_w(f32::NEG_INFINITY),
            high: bounds.max.with_w(f32::INFINITY),
            slope: slope.extend(1.0),
            start,
        }
    }

    /// The parameter at which the path starts: those of nodes count from there.
    #[inline]
    pub fn start(&self) -> f64 {
        self.start
    }

    /// The largest parameter of a node that may hold something at `t` or before, as a limit of a walk.
    #[inline]
    pub fn limit(&self, t: f64) -> f32 {
        let limit = (t - self.start) * (1.0 + 4.0 * f64::EPSILON) + f64::EPSILON * t.abs();
        if limit < 0.0 { f32::MIN_POSITIVE } else { (limit as f32).next_up() }
    }

    /// Where the path enters a box along each axis, at the latest, and where it leaves.
    #[inline]
    fn sides(&self, bounds: &NodeBox) -> [Vec4; 2] {
        let (a, b) = ((bounds.min - self.high) * self.slope, (bounds.max - self.low) * self.slope);
        [a.min(b), a.max(b)]
    }

    /// Where the path enters two boxes; infinite for a box that it misses or enters beyond the limit.
    #[inline]
    fn entries(&self, [a, b]: [&NodeBox; 2], limit: f32) -> [f32; 2] {
        let ([enter_a, leave_a], [enter_b, leave_b]) = (self.sides(a), self.sides(b));
        // Both boxes in one vector: x and y of the two, then z and the fourth lane, which never counts.
        let pack = |a: Vec4, b: Vec4| [Vec4::new(a.x, b.x, a.y, b.y), Vec4::new(a.z, b.z, a.w, b.w)];
        let ([p, q], [r, s]) = (pack(enter_a, enter_b), pack(leave_a, leave_b));
        let (enter, leave) = (p.max(q), r.min(s));
        let enter = enter.max(enter.zwxy()).max(Vec4::ZERO) * (1.0 - RAY_NODE);
        let leave = (leave.min(leave.zwxy()) * (1.0 + RAY_NODE)).min(Vec4::splat(limit));
        let met = Vec4::select(enter.cmple(leave), enter, Vec4::INFINITY);
        [met.x, met.y]
    }
}

impl Bvh {
    /// The leaves along a ray up to a limit, roughly from near to far. `visit` is given a payload and where the path enters its box at the
    /// earliest, and returns the limit from then on (see [`RayPath::limit`]), the same or smaller.
    #[inline]
    pub(crate) fn along_ray(&self, path: &RayPath, mut limit: f32, mut visit: impl FnMut(u32, f32) -> f32) {
        let mut stack = ArrayVec::<(f32, u32), PATH>::new();
        let [enter, _] = path.entries([self.root.bounds(); 2], limit);
        if self.is_empty() || enter == f32::INFINITY {
            return;
        }
        let (mut entry, mut here) = (enter, link(&self.root));
        loop {
            if here & LEAF != 0 {
                limit = visit(here & !LEAF, entry);
            } else {
                let [a, b] = &self.pairs[here as usize].0;
                let [enter_a, enter_b] = path.entries([a.bounds(), b.bounds()], limit);
                let swap = enter_b < enter_a;
                let (near, far) = if swap { (b, a) } else { (a, b) };
                let (enter_near, enter_far) = if swap { (enter_b, enter_a) } else { (enter_a, enter_b) };
                if enter_near < f32::INFINITY {
                    if enter_far < f32::INFINITY {
                        stack.push((enter_far, link(far)));
                    }
                    (entry, here) = (enter_near, link(near));
                    continue;
                }
            }
            loop {
                match stack.pop() {
                    None => return,
                    Some(next) if next.0 <= limit => {
                        (entry, here) = next;
                        break;
                    }
                    Some(_) => {}
                }
            }
        }
    }
}

/// The pair of a node's children, or its payload with a mark.
#[inline]
pub(super) fn link(node: &Node) -> u32 {
    match node.children() {
        Some(pair) => pair,
        None => node.payload() | LEAF,
    }
}
