//! A tree of convex and concave parts (Chung 1996, section 5.6).
//!
//! Parts of parts are taken apart when the compound is made, so that a leaf is a convex shape or a mesh. Each node of the tree has
//! the convex hull of what is below it, as a support mapping; two nodes whose boxes do not tell them apart are compared by
//! their hulls before their children are. A hull of many parts costs as many supports, so that only nodes of up to
//! [`HULL_PARTS`] parts are compared that way; above, boxes alone decide.

use std::sync::Arc;

use super::kinds::{Part, Shape};
use super::mass::MassProperties;
use super::mesh::Mesh;
use crate::bvh::{Bvh, NodeBox, NodeId, OrientedBox};
use crate::math::{Aabb, Pose, Real, Vec3, length, narrow_real, widen, widen_real};
use crate::support::{Support, SupportPoint, VertexId};
use crate::tolerance::sigma;

/// How many parts a node may have for its hull to be asked.
pub(super) const HULL_PARTS: u32 = 16;

/// A part that is not made of others.
#[derive(Debug, Clone)]
pub(crate) enum Leaf {
    Convex(Shape),
    Mesh(Arc<Mesh>),
}

/// Several bodies that move as one.
#[derive(Debug, Clone)]
pub struct Compound {
    pub(crate) parts: Box<[(Leaf, Pose)]>,
    pub(crate) tree: Bvh,
    /// The hull of each node with few parts.
    pub(crate) hulls: Box<[Option<Shape>]>,
    /// The box of each node.
    pub(crate) boxes: Box<[OrientedBox]>,
    reach: Real,
}

/// A mesh known by its farthest points: its convex hull.
struct MeshHull(Arc<Mesh>);

impl Support for MeshHull {
    fn support(&self, direction: Vec3, _hint: VertexId) -> SupportPoint {
        let (point, vertex) = self.0.support(direction);
        SupportPoint { point, vertex: VertexId(vertex) }
    }

    fn vertex(&self, id: VertexId) -> Option<Vec3> {
        self.0.vertices().get(id.index()).copied()
    }
}

impl Leaf {
    fn aabb(&self, pose: &Pose) -> Aabb {
        match self {
            Self::Convex(shape) => shape.aabb(pose),
            Self::Mesh(mesh) => mesh.aabb(pose),
        }
    }

    fn reach(&self) -> Real {
        match self {
            Self::Convex(shape) => shape.bounding_radius(),
            Self::Mesh(mesh) => mesh.bounding_radius(),
        }
    }

    fn mass_properties(&self) -> MassProperties {
        match self {
            Self::Convex(shape) => shape.mass_properties(),
            Self::Mesh(mesh) => mesh.mass_properties(),
        }
    }

    fn hull(&self) -> Option<Shape> {
        match self {
            Self::Convex(shape) => Some(shape.clone()),
            Self::Mesh(mesh) => Shape::custom(Arc::new(MeshHull(mesh.clone()))).ok(),
        }
    }

    pub(crate) fn support(&self, direction: Vec3) -> Vec3 {
        match self {
            Self::Convex(shape) => shape.support(direction, VertexId::NONE).point,
            Self::Mesh(mesh) => mesh.support(direction).0,
        }
    }
}

impl Compound {
    /// The tree of these parts.
    pub(super) fn of_leaves(leaves: Vec<(Leaf, Pose)>) -> Self {
        let bounds: Vec<Aabb> = leaves.iter().map(|(leaf, pose)| leaf.aabb(pose)).collect();
        let tree = Bvh::from_boxes(&bounds);
        let reach = leaves.iter().map(|(leaf, pose)| leaf.reach() + pose.translation().length()).fold(0.0, Real::max);
        let (hulls, boxes) = volumes(&tree, &leaves);
        Self { parts: leaves.into(), tree, hulls: hulls.into(), boxes: boxes.into(), reach }
    }

    /// How many parts there are, none of them a compound.
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// The sum of the parts' volumes and its centre; the mean of the parts' centres if none has a volume.
    pub fn mass(&self) -> (Real, Vec3) {
        let properties = self.mass_properties();
        (properties.volume, properties.centroid)
    }

    /// Volume, centroid and inertia tensor for unit density: those of the parts together. Where parts overlap, what they share counts for
    /// each of them.
    pub fn mass_properties(&self) -> MassProperties {
        let own: Vec<MassProperties> =
            self.parts.iter().map(|(leaf, pose)| leaf.mass_properties().posed(pose)).collect();
        MassProperties::combined(own.iter().copied())
    }

    pub(crate) fn bounding_radius(&self) -> Real {
        self.reach
    }

    pub(crate) fn aabb(&self, pose: &Pose) -> Aabb {
        let boxes = self.parts.iter().map(|(leaf, own)| leaf.aabb(&pose.compose(own)));
        boxes.fold(Aabb::EMPTY, |all, one| all.union(&one))
    }

    pub(crate) fn support(&self, direction: Vec3) -> Vec3 {
        self.support_part(direction).0
    }

    /// A point farthest along a direction, and its part.
    pub(crate) fn support_part(&self, direction: Vec3) -> (Vec3, u32) {
        self.support_from(direction, VertexId::NONE)
    }

    /// The same, given the number of a part that may reach about as far. Boxes that do not reach as far as what was found are left out.
    pub(crate) fn support_from(&self, direction: Vec3, hint: VertexId) -> (Vec3, u32) {
        let d = widen(direction);
        let mut best: Option<(f64, Vec3, u32)> = None;
        let mut offer = |part: u32| {
            let (leaf, pose) = &self.parts[part as usize];
            let point = pose.point(leaf.support(pose.direction_to_local(direction)));
            let value = d.dot(widen(point));
            if best.is_none_or(|(most, _, known)| value > most || value == most && part < known) {
                best = Some((value, point, part));
            }
            best.map_or(Real::INFINITY, |(most, ..)| narrow_real(-most).next_up())
        };
        let known = Some(hint.index()).filter(|&known| known < self.parts.len());
        let bound = known.map_or(Real::INFINITY, |known| offer(known as u32));
        let slack = widen_real(sigma(self.reach) * length(direction));
        let reach = |bounds: &NodeBox| {
            let [low, high] = [bounds.min(), bounds.max()].map(|p| glam::DVec3::from_array(p.map(f64::from)));
            (d * low).max(d * high).element_sum()
        };
        self.tree.nearest(bound, |_, bounds| narrow_real(-reach(bounds) - slack).next_down(), |part, _| offer(part));
        best.map_or((Vec3::ZERO, 0), |(_, point, part)| (point, part))
    }
}

/// Hulls and boxes of all nodes, children first.
fn volumes(tree: &Bvh, leaves: &[(Leaf, Pose)]) -> (Vec<Option<Shape>>, Vec<OrientedBox>) {
    let capacity = tree.node_capacity();
    let mut hulls: Vec<Option<(Shape, u32)>> = vec![None; capacity];
    let nothing = OrientedBox::from_aabb(&Aabb { min: Vec3::ZERO, max: Vec3::ZERO });
    let mut boxes = vec![nothing; capacity];
    let mut order = vec![NodeId(0)];
    let mut next = 0;
    while let Some(&id) = order.get(next) {
        order.extend(tree.children(id).into_iter().flatten());
        next += 1;
    }
    for &id in order.iter().rev() {
        if let Some(bounds) = tree.node_bounds(id) {
            boxes[id.0 as usize] = OrientedBox::from_aabb(&bounds.to_aabb());
        }
        hulls[id.0 as usize] = match (tree.payload(id), tree.children(id)) {
            (Some(part), _) => {
                let (leaf, pose) = &leaves[part as usize];
                leaf.hull().map(|hull| (hull.posed(*pose), 1))
            }
            (_, Some(children)) => {
                let [a, b] = children.map(|child| hulls[child.0 as usize].clone());
                a.zip(b)
                    .filter(|(a, b)| a.1 + b.1 <= HULL_PARTS)
                    .map(|((a, m), (b, n))| (Shape::hull(Part::from(a), Part::from(b)), m + n))
            }
            _ => None,
        };
    }
    (hulls.into_iter().map(|hull| hull.map(|(shape, _)| shape)).collect(), boxes)
}
