//! Point clouds: many points, each with the same radius.
//!
//! Points are stored in the order of a balanced tree: a node of depth d is the i-th of 2^d equal shares of the points, so that it
//! needs neither links nor ranges, only its box in single precision. With the points' numbers in the input that is about 40 bytes for
//! each point in f64, 28 in f32.

use super::error::ShapeError;
use super::mass::MassProperties;
use crate::bvh::NodeBox;
use crate::math::{Aabb, Mat3, Pose, Real, Vec3, consts, length, narrow, unit_or, widen};
use crate::polytope::check_coordinates;
use crate::support::VertexId;
use crate::tolerance::LARGEST_SIZE;

/// The most points of a node without children.
const LEAF: usize = 8;
/// The most nodes that wait on the way down: one for each of 32 levels, and the points of a leaf.
const PATH: usize = 64;

/// Points with a common radius, such as a scan seen by a robot: the union of the balls around them. Immutable, shared between threads.
///
/// ```
/// use clearance::{PointCloud, Vec3};
/// let cloud = PointCloud::new(&[Vec3::ZERO, Vec3::X, Vec3::Y], 0.25)?;
/// assert_eq!(cloud.len(), 3);
/// assert_eq!(cloud.support(Vec3::X), (Vec3::new(1.25, 0.0, 0.0), 1));
/// # Ok::<(), clearance::ShapeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PointCloud {
    points: Box<[Vec3]>,
    /// The number of each in the input.
    numbers: Box<[u32]>,
    /// The least and the largest coordinates of each node, rounded outwards; the root is number 1, the children of k are 2k and 2k + 1.
    boxes: Box<[[[f32; 3]; 2]]>,
    depth: u32,
    radius: Real,
    bounds: Aabb,
    reach: Real,
}

/// A node of the tree, or a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CloudNode {
    Share(u32),
    Point(u32),
}

impl PointCloud {
    /// A cloud of points with a radius, which may be zero.
    ///
    /// # Errors
    /// If there are no points or too many, a coordinate is not finite or out of range, or the radius is negative or not finite.
    pub fn new(points: &[Vec3], radius: Real) -> Result<Self, ShapeError> {
        if points.is_empty() || points.len() > (u32::MAX / 8) as usize {
            return Err(ShapeError::PointCount { count: points.len() });
        }
        if !(0.0..=LARGEST_SIZE).contains(&radius) {
            return Err(ShapeError::Radius { value: radius });
        }
        check_coordinates(points)?;
        let mut order: Vec<(Vec3, u32)> = points.iter().zip(0..).map(|(&p, i)| (p, i)).collect();
        let depth = points.len().div_ceil(LEAF).next_power_of_two().ilog2();
        let mut boxes = vec![[[0.0; 3]; 2]; 2 << depth];
        // Shares are cut from the whole down; each is cut across its longest side.
        for node in 1..2 << depth {
            let range = share(points.len(), node);
            let bounds = Aabb::from_points(order[range.clone()].iter().map(|(p, _)| *p));
            let enclosing = NodeBox::enclosing(&bounds);
            boxes[node as usize] = [enclosing.min(), enclosing.max()];
            if node < 1 << depth {
                let side = bounds.max - bounds.min;
                let axis = (0..3).fold(0, |best, axis| if side[axis] > side[best] { axis } else { best });
                let middle = share(points.len(), 2 * node).end - range.start;
                order[range]
                    .select_nth_unstable_by(middle, |(p, i), (q, j)| p[axis].total_cmp(&q[axis]).then(i.cmp(j)));
            }
        }
        let reach = points.iter().map(|&p| length(p)).fold(0.0, Real::max) + radius;
        Ok(Self {
            bounds: Aabb::from_points(points.iter().copied()).grown(radius),
            points: order.iter().map(|(p, _)| *p).collect(),
            numbers: order.iter().map(|(_, i)| *i).collect(),
            boxes: boxes.into(),
            depth,
            radius,
            reach,
        })
    }

    /// How many points there are.
    #[inline]
    #[allow(clippy::len_without_is_empty)] // there is at least one
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The radius of every point.
    #[inline]
    pub fn radius(&self) -> Real {
        self.radius
    }

    /// The points with their numbers in the input, in an order of the tree's own.
    pub fn points(&self) -> impl ExactSizeIterator<Item = (u32, Vec3)> + '_ {
        self.numbers.iter().copied().zip(self.points.iter().copied())
    }

    /// The tight box of the cloud in its own frame, the radius included.
    #[inline]
    pub fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// A ball of this radius about the local origin contains the cloud.
    #[inline]
    pub fn bounding_radius(&self) -> Real {
        self.reach
    }

    /// The tight axis-aligned box under a pose.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        let rows = pose.matrix().transpose();
        let reach = |row: Vec3| [-row, row].map(|d| self.farthest(d).0.dot(row));
        let [x, y, z] = [rows.x_axis, rows.y_axis, rows.z_axis].map(reach);
        let t = pose.translation();
        Aabb { min: t + Vec3::new(x[0], y[0], z[0]), max: t + Vec3::new(x[1], y[1], z[1]) }.grown(self.radius)
    }

    /// A point of the cloud farthest along `direction`, and the number of the given point it belongs to.
    pub fn support(&self, direction: Vec3) -> (Vec3, u32) {
        self.support_from(direction, &mut VertexId::default())
    }

    /// The same. `hint` is the place in the tree of a point that may be about as far, and becomes that of the farthest.
    pub(crate) fn support_from(&self, direction: Vec3, hint: &mut VertexId) -> (Vec3, u32) {
        let (point, number) = self.farthest_from(direction, hint);
        let out = if self.radius > 0.0 { unit_or(direction, Vec3::X) * self.radius } else { Vec3::ZERO };
        (point + out, number)
    }

    /// Volume, centroid and inertia tensor of all balls, each counting for itself also where they overlap.
    pub fn mass_properties(&self) -> MassProperties {
        let r = self.radius;
        let volume = 4.0 / 3.0 * consts::PI * r * r * r;
        let inertia = Mat3::from_diagonal(Vec3::splat(0.4 * volume * r * r));
        MassProperties::combined(self.points.iter().map(|&centroid| MassProperties { volume, centroid, inertia }))
    }

    /// Heap memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        size_of_val(&*self.points) + size_of_val(&*self.numbers) + size_of_val(&*self.boxes)
    }

    fn farthest(&self, direction: Vec3) -> (Vec3, u32) {
        self.farthest_from(direction, &mut VertexId::default())
    }

    fn farthest_from(&self, direction: Vec3, hint: &mut VertexId) -> (Vec3, u32) {
        let d = widen(direction);
        let (mut best, mut found) = (f64::NEG_INFINITY, 0);
        if let Some(&known) = self.points.get(hint.index()) {
            (best, found) = (d.dot(widen(known)), hint.index());
        }
        let mut stack = arrayvec::ArrayVec::<u32, PATH>::new();
        stack.push(1);
        let reach = |node: u32| {
            let [low, high] = self.boxes[node as usize].map(|p| glam::DVec3::from_array(p.map(f64::from)));
            (d * low).max(d * high).element_sum()
        };
        while let Some(node) = stack.pop() {
            if !(reach(node) >= best) {
                continue;
            }
            if node >= 1 << self.depth {
                for i in share(self.points.len(), node) {
                    let value = d.dot(widen(self.points[i]));
                    if value > best || value == best && self.numbers[i] < self.numbers[found] {
                        (best, found) = (value, i);
                    }
                }
                continue;
            }
            let (a, b) = (2 * node, 2 * node + 1);
            stack.extend(if reach(a) > reach(b) { [b, a] } else { [a, b] });
        }
        *hint = VertexId(found as u32);
        (self.points[found], self.numbers[found])
    }

    pub(crate) fn root(&self) -> CloudNode {
        CloudNode::Share(1)
    }

    /// Visits the two halves of a share, or the points of one that is not divided; none for a point.
    pub(crate) fn children(&self, node: CloudNode, mut visit: impl FnMut(CloudNode)) {
        match node {
            CloudNode::Point(_) => {}
            CloudNode::Share(node) if node < 1 << self.depth => {
                visit(CloudNode::Share(2 * node));
                visit(CloudNode::Share(2 * node + 1));
            }
            CloudNode::Share(node) => {
                share(self.points.len(), node).for_each(|i| visit(CloudNode::Point(i as u32)));
            }
        }
    }

    /// The box of a node, without the radius.
    pub(crate) fn node_box(&self, node: CloudNode) -> [Vec3; 2] {
        match node {
            CloudNode::Point(i) => [self.points[i as usize]; 2],
            CloudNode::Share(node) => {
                self.boxes[node as usize].map(|corner| narrow(glam::DVec3::from_array(corner.map(f64::from))))
            }
        }
    }

    /// A point in the order of the tree, and its number in the input.
    pub(crate) fn at(&self, place: u32) -> (Vec3, u32) {
        (self.points[place as usize], self.numbers[place as usize])
    }

    /// A place of a point below a node.
    pub(crate) fn first_below(&self, node: CloudNode) -> u32 {
        match node {
            CloudNode::Point(i) => i,
            CloudNode::Share(node) => share(self.points.len(), node).start as u32,
        }
    }
}

/// The points of a node: the i-th of 2^d equal shares.
fn share(count: usize, node: u32) -> std::ops::Range<usize> {
    let depth = node.ilog2();
    let place = u64::from(node) - (1 << depth);
    let at = |place: u64| ((place * count as u64) >> depth) as usize;
    at(place)..at(place + 1)
}
