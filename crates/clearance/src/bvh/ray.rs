//! A ray through the tree, front to back.
//!
//! Boxes are met in single precision, two siblings at a time, with margins for all rounding: no box that the ray touches is left
//! out. The ray starts where it enters the box of the whole tree, computed in f64, so that a far origin costs no precision.
//!
//! Invariant: the entry of a node is monotone, rounding included: a box within another is entered no earlier.

use arrayvec::ArrayVec;
use glam::{DVec3, Vec4};

use super::node::Node;
use super::query::PATH;
use super::{Bvh, NodeBox};
use crate::tolerance::RAY_NODE;

/// Marks a leaf among the links that wait on the stack.
const LEAF: u32 = 1 << 31;

/// A ray as the nodes of a tree see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RayPath {
    /// A box around the start of the path, rounded outwards.
    low: Vec4,
    high: Vec4,
    slope: Vec4,
    /// The ray's parameter where the path starts.
    start: f64,
}

impl RayPath {
    /// The ray `origin + t · direction`, `t ≥ 0`, through a tree; the largest component of the direction is between a half and four.
    /// Nothing if it misses the box of the tree for certain.
    pub fn new(tree: &Bvh, origin: DVec3, direction: DVec3) -> Option<Self> {
        let bounds = tree.bounds();
        let (min, max) = (bounds.min.truncate().as_dvec3(), bounds.max.truncate().as_dvec3());
        let (mut enter, mut leave) = (0.0, f64::INFINITY);
        for axis in 0..3 {
            let (low, high) = (min[axis] - origin[axis], max[axis] - origin[axis]);
            let margin = f64::EPSILON * (low.abs().max(high.abs()) + f64::from(f32::MIN_POSITIVE));
            if direction[axis] == 0.0 {
                if low > margin || high < -margin {
                    return None;
                }
                continue;
            }
            let (a, b) = ((low - margin) / direction[axis], (high + margin) / direction[axis]);
            let (c, d) = ((low + margin) / direction[axis], (high - margin) / direction[axis]);
            enter = f64::max(enter, a.min(b).min(c).min(d));
            leave = f64::min(leave, a.max(b).max(c).max(d));
        }
        let (enter, leave) = (enter * (1.0 - 4.0 * f64::EPSILON), leave * (1.0 + 4.0 * f64::EPSILON));
        if tree.is_empty() || !(enter <= leave && leave.is_finite()) {
            return None;
        }
        Some(Self::from(origin, direction, enter, leave - enter))
    }

    fn from(origin: DVec3, direction: DVec3, start: f64, length: f64) -> Self {
        let at = origin + direction * start;
        // A coordinate that hardly changes is taken as constant, within a box that covers its change.
        let still = f64::from(f32::MIN_POSITIVE) * f64::from(u32::MAX);
        let is_still = direction.abs().cmplt(DVec3::splat(still));
        let change = DVec3::select(is_still, direction.abs() * length, DVec3::ZERO);
        let error = (origin.abs() + direction.abs() * start) * (2.0 * f64::EPSILON) + change;
        let bounds = NodeBox::around(at - error, at + error);
        let slope = DVec3::select(is_still, DVec3::INFINITY, direction.recip()).as_vec3();
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

    /// Where the path enters a node's box and where it leaves; the box is missed if it leaves first.
    #[inline]
    fn interval(&self, node: &Node) -> [f32; 2] {
        let bounds = node.bounds();
        let (a, b) = ((bounds.min - self.high) * self.slope, (bounds.max - self.low) * self.slope);
        let enter = a.min(b).max_element().max(0.0) * (1.0 - RAY_NODE);
        let leave = a.max(b).min_element() * (1.0 + RAY_NODE);
        [enter, leave]
    }
}

impl Bvh {
    /// The leaves along a ray up to a limit, roughly from near to far. `visit` is given a payload and where the path enters its box at the
    /// earliest, and returns the limit from then on (see [`RayPath::limit`]), the same or smaller.
    #[inline]
    pub(crate) fn along_ray(&self, path: &RayPath, mut limit: f32, mut visit: impl FnMut(u32, f32) -> f32) {
        let mut stack = ArrayVec::<(f32, u32), PATH>::new();
        let [enter, leave] = path.interval(&self.root);
        if self.is_empty() || !(enter <= leave && enter <= limit) {
            return;
        }
        let (mut entry, mut here) = (enter, link(&self.root));
        loop {
            while here & LEAF == 0 {
                let [a, b] = &self.pairs[here as usize].0;
                let ([enter_a, leave_a], [enter_b, leave_b]) = (path.interval(a), path.interval(b));
                let (meets_a, meets_b) = (enter_a <= leave_a.min(limit), enter_b <= leave_b.min(limit));
                if meets_a && meets_b {
                    let (near, far) = ((enter_a, link(a)), (enter_b, link(b)));
                    let (near, far) = if far.0 < near.0 { (far, near) } else { (near, far) };
                    stack.push(far);
                    (entry, here) = near;
                } else if meets_a {
                    (entry, here) = (enter_a, link(a));
                } else if meets_b {
                    (entry, here) = (enter_b, link(b));
                } else {
                    entry = f32::INFINITY;
                    break;
                }
            }
            if here & LEAF != 0 && entry <= limit {
                limit = visit(here & !LEAF, entry);
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
fn link(node: &Node) -> u32 {
    node.children().unwrap_or_else(|| node.payload() | LEAF)
}
