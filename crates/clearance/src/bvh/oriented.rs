//! Oriented boxes beside a tree, one for each node (Gottschalk, Lin, Manocha, OBBTree, 1996).
//!
//! A box follows the principal axes of its triangles' area, so that around a piece of smooth surface it is as thin as the surface
//! is flat; an axis-aligned one is as thick as the piece is long. Boxes are kept in single precision, one line of the cache
//! each, and are grown by what that costs, so that what they say of distances holds for the triangles themselves.

use glam::{DMat3, DVec3, Vec3};

use super::{Bvh, NodeId};
use crate::math::{Aabb, Pose, widen};
use crate::tolerance::{ORIENTED_AXES, ORIENTED_GROWTH};

/// A box of any orientation that contains the triangles of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct OrientedBox {
    center: Vec3,
    half: Vec3,
    axes: [Vec3; 3],
}

/// The oriented boxes of all nodes of a tree.
#[derive(Debug, Clone, Default)]
pub struct OrientedBoxes(Box<[OrientedBox]>);

/// A motion that takes the frame of one tree to that of another, in f64.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// Its rotation.
    pub rotation: DMat3,
    /// Where the origin goes.
    pub translation: DVec3,
}

impl Frame {
    /// The frame of a pose seen from another one. Translations are subtracted first, and all of it is done in f64.
    pub fn of(pose: &Pose, seen_from: &Pose) -> Self {
        let wide = |pose: &Pose| {
            let m = pose.matrix();
            DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis))
        };
        let back = wide(seen_from).transpose();
        Self {
            rotation: back * wide(pose),
            translation: back * (widen(pose.translation()) - widen(seen_from.translation())),
        }
    }

    /// The point moved.
    #[inline]
    pub fn point(&self, p: DVec3) -> DVec3 {
        self.rotation * p + self.translation
    }

    /// The point moved back.
    #[inline]
    pub fn point_back(&self, p: DVec3) -> DVec3 {
        self.rotation.transpose() * (p - self.translation)
    }
}

/// Area, and its first and second moments about the origin of the tree.
#[derive(Clone, Copy)]
struct Moments {
    area: f64,
    first: DVec3,
    second: DMat3,
}

impl Moments {
    const NONE: Self = Self { area: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };

    /// Those of a triangle, and of its corners alone if it has no area.
    fn of([a, b, c]: [DVec3; 3]) -> Self {
        let area = (b - a).cross(c - a).length() * 0.5;
        let sum = a + b + c;
        let outer = |p: DVec3| DMat3::from_cols(p * p.x, p * p.y, p * p.z);
        let second = (outer(a) + outer(b) + outer(c) + outer(sum)) * (area / 12.0);
        Self { area, first: sum * (area / 3.0), second }
    }

    fn plus(&self, other: &Self) -> Self {
        Self { area: self.area + other.area, first: self.first + other.first, second: self.second + other.second }
    }

    fn axes(&self) -> DMat3 {
        let inverse = if self.area > 0.0 { 1.0 / self.area } else { 0.0 };
        let mean = self.first * inverse;
        principal_axes(self.second * inverse - DMat3::from_cols(mean * mean.x, mean * mean.y, mean * mean.z))
    }
}

/// Eigenvectors of a symmetric matrix by Jacobi's rotations; a few sweeps are as good as many for a box.
fn principal_axes(mut m: DMat3) -> DMat3 {
    let mut axes = DMat3::IDENTITY;
    for _ in 0..4 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = m.col(q)[p];
            if off == 0.0 || !off.is_finite() {
                continue;
            }
            let theta = (m.col(q)[q] - m.col(p)[p]) / (2.0 * off);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cos = 1.0 / (t * t + 1.0).sqrt();
            let sin = t * cos;
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cos;
            turn.col_mut(q)[q] = cos;
            turn.col_mut(q)[p] = sin;
            turn.col_mut(p)[q] = -sin;
            m = turn.transpose() * m * turn;
            axes *= turn;
        }
    }
    axes
}

/// A node in the order of a walk, parents first, with the range of its leaves in that order.
struct Visit {
    id: NodeId,
    first_leaf: usize,
    end_leaf: usize,
}

/// All nodes, parents first, and the payloads of the leaves in the same order.
fn walk(tree: &Bvh) -> (Vec<Visit>, Vec<u32>) {
    let (mut nodes, mut leaves) = (Vec::with_capacity(tree.node_capacity()), Vec::with_capacity(tree.len()));
    let mut stack = if tree.is_empty() { Vec::new() } else { vec![NodeId::ROOT] };
    let mut place = vec![0; tree.node_capacity()];
    while let Some(id) = stack.pop() {
        place[id.0 as usize] = nodes.len();
        nodes.push(Visit { id, first_leaf: leaves.len(), end_leaf: leaves.len() });
        leaves.extend(tree.payload(id));
        stack.extend(tree.children(id).into_iter().flatten());
    }
    for i in (0..nodes.len()).rev() {
        let below = tree.children(nodes[i].id).into_iter().flatten();
        let end = below.map(|child| nodes[place[child.0 as usize]].end_leaf).max();
        nodes[i].end_leaf = end.unwrap_or(nodes[i].first_leaf + 1);
    }
    (nodes, leaves)
}

impl OrientedBoxes {
    /// The boxes of a tree whose payloads name these triangles.
    pub fn new(tree: &Bvh, triangle: impl Fn(u32) -> [DVec3; 3]) -> Self {
        let (nodes, leaves) = walk(tree);
        let corners: Vec<[DVec3; 3]> = leaves.iter().map(|&payload| triangle(payload)).collect();
        let origin = corners.first().map_or(DVec3::ZERO, |corners| corners[0]);
        let mut moments = vec![Moments::NONE; tree.node_capacity()];
        let mut boxes = vec![OrientedBox::NONE; tree.node_capacity()];
        for visit in nodes.iter().rev() {
            let of_leaf = || Moments::of(corners[visit.first_leaf].map(|p| p - origin));
            let sum = |[a, b]: [NodeId; 2]| moments[a.0 as usize].plus(&moments[b.0 as usize]);
            let here = tree.children(visit.id).map_or_else(of_leaf, sum);
            moments[visit.id.0 as usize] = here;
            let inside = &corners[visit.first_leaf..visit.end_leaf];
            boxes[visit.id.0 as usize] = OrientedBox::around(here.axes(), inside);
        }
        Self(boxes.into())
    }

    /// The box of a node; that of nothing if there is no such node.
    #[inline]
    pub fn get(&self, id: NodeId) -> &OrientedBox {
        self.0.get(id.0 as usize).unwrap_or(&OrientedBox::NONE)
    }
}

impl OrientedBox {
    const NONE: Self = Self { center: Vec3::ZERO, half: Vec3::ZERO, axes: [Vec3::X, Vec3::Y, Vec3::Z] };

    /// Around triangles, along axes of about unit length and about perpendicular.
    fn around(axes: DMat3, triangles: &[[DVec3; 3]]) -> Self {
        // What is stored is what the extents are taken along.
        let axes = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| axis.as_vec3());
        let wide = axes.map(|axis| axis.as_dvec3());
        let origin = triangles.first().map_or(DVec3::ZERO, |corners| corners[0]);
        let along = |p: DVec3| DVec3::new(wide[0].dot(p), wide[1].dot(p), wide[2].dot(p));
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &corner in triangles.iter().flatten() {
            let p = along(corner - origin);
            (low, high) = (low.min(p), high.max(p));
        }
        let middle = (low + high) * 0.5;
        let center = origin + wide[0] * middle.x + wide[1] * middle.y + wide[2] * middle.z;
        let stored = center.as_vec3();
        // The rounding of the centre, and of axes that are neither quite unit nor quite perpendicular.
        let moved = (stored.as_dvec3() - center).abs().element_sum();
        let half = (high - low) * 0.5;
        let growth = half.element_sum() * ORIENTED_GROWTH + moved * 2.0;
        // Never less than that, below the range of single precision either.
        let half = (half + DVec3::splat(growth)).as_vec3() * (1.0 + f32::EPSILON) + Vec3::splat(f32::MIN_POSITIVE);
        Self { center: stored, half, axes }
    }

    /// Around an axis-aligned box.
    pub fn from_aabb(bounds: &Aabb) -> Self {
        let [low, high] = [widen(bounds.min), widen(bounds.max)];
        Self::around(DMat3::IDENTITY, &[[low, high, high]])
    }

    /// At most the signed distance of convex bodies in two boxes, the other one moved into this one's frame: where no axis tried
    /// separates them, they overlap along one by no more than this, negated. The axes are the normals of the faces of both
    /// and the line between their centres. Gaps along the three axes of one box add up as the sides of a right angle do, since what
    /// is in the other is in a box along them, too: patches of two surfaces that are beside each other count as that.
    #[inline]
    pub fn separation(&self, other: &Self, frame: &Frame) -> f64 {
        let own = self.axes.map(|axis| axis.as_dvec3());
        let (own_half, half) = (self.half.as_dvec3(), other.half.as_dvec3());
        let turned = other.axes.map(|axis| frame.rotation * axis.as_dvec3());
        let between = frame.rotation * other.center.as_dvec3() + (frame.translation - self.center.as_dvec3());
        let mut reach = DVec3::ZERO;
        let mut along_own = DVec3::ZERO;
        for (i, axis) in own.into_iter().enumerate() {
            let across = DVec3::new(axis.dot(turned[0]), axis.dot(turned[1]), axis.dot(turned[2])).abs();
            along_own[i] = axis.dot(between).abs() - own_half[i] - half.dot(across);
            reach += across * own_half[i];
        }
        let along =
            DVec3::new(turned[0].dot(between), turned[1].dot(between), turned[2].dot(between)).abs() - half - reach;
        let mut best = f64::max(along_own.max_element(), along.max_element());
        if best > 0.0 {
            let square = |gaps: DVec3| gaps.max(DVec3::ZERO).length_squared();
            best = f64::max(square(along_own), square(along)).sqrt();
        }
        let length = between.length();
        if length > 0.0 {
            let line = between / length;
            let of = |axes: [DVec3; 3], half: DVec3| {
                half.dot(DVec3::new(axes[0].dot(line), axes[1].dot(line), axes[2].dot(line)).abs())
            };
            best = f64::max(best, length - of(own, own_half) - of(turned, half));
        }
        if best.is_nan() {
            // A box beyond the range of single precision separates nothing.
            return f64::NEG_INFINITY;
        }
        if best > 0.0 { best * ORIENTED_AXES } else { best / ORIENTED_AXES }
    }

    /// The largest gap along one axis, and the axis, pointing from this box to the other: of unit length, or as good as that.
    pub fn separating_axis(&self, other: &Self, frame: &Frame) -> (f64, DVec3) {
        let own = self.axes.map(|axis| axis.as_dvec3());
        let (own_half, half) = (self.half.as_dvec3(), other.half.as_dvec3());
        let turned = other.axes.map(|axis| frame.rotation * axis.as_dvec3());
        let between = frame.rotation * other.center.as_dvec3() + (frame.translation - self.center.as_dvec3());
        let across = |axes: &[DVec3; 3], half: DVec3, d: DVec3| {
            half.dot(DVec3::new(axes[0].dot(d), axes[1].dot(d), axes[2].dot(d)).abs())
        };
        let mut best = (f64::NEG_INFINITY, DVec3::X);
        let line = between.try_normalize();
        for axis in own.into_iter().chain(turned).chain(line) {
            let along = axis.dot(between);
            let gap = along.abs() - across(&own, own_half, axis) - across(&turned, half, axis);
            if gap > best.0 {
                best = (gap, if along < 0.0 { -axis } else { axis });
            }
        }
        let (gap, axis) = best;
        (if gap > 0.0 { gap * ORIENTED_AXES } else { gap / ORIENTED_AXES }, axis)
    }

    /// The middle of the box along a direction, in its own frame, and how far it reaches to either side of it.
    pub fn span(&self, direction: DVec3) -> [f64; 2] {
        let along = self.axes.map(|axis| axis.as_dvec3().dot(direction).abs());
        [self.center.as_dvec3().dot(direction), self.half.as_dvec3().dot(DVec3::from_array(along))]
    }

    /// A ball of this radius about the origin of its frame contains the box.
    pub fn reach(&self) -> f64 {
        self.center.as_dvec3().length() + self.half.as_dvec3().length() / ORIENTED_AXES
    }
}
