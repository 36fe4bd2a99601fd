//! Convex shapes, meshes, height fields and point clouds as one kind of tree: nodes with boxes, leaves that are convex.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};

use crate::answer::Feature;
use crate::bvh::{Frame, NodeId};
use crate::math::{Aabb, Pose, Real, Vec3, rounded_down, rounded_up, widen, widen_real};
use crate::shape::mesh::Mesh;
use crate::shape::{CloudNode, Core, FieldNode, HeightField, PointCloud, Shape};

/// A body as a tree of boxes with convex leaves, made as they are asked for.
#[derive(Clone, Copy)]
pub(crate) enum Tree<'b> {
    /// With the box of its core, which would be costly to ask for again at every step.
    Convex(&'b Shape, Extent),
    Mesh(&'b Mesh),
    Field(&'b HeightField),
    Cloud(&'b PointCloud),
}

/// A node of a tree, by a number that the tree understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node(u64);

impl Node {
    /// The number by which a cache remembers it.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// Nodes that wait on the way down a tree: of a mesh one for each of 106 levels, of a field three for each of 30, of a cloud one for
/// each of 33 and a leaf's eight points.
pub(super) type Waiting = ArrayVec<Node, 128>;

/// Puts a node on a stack that has room for all that can wait.
pub(super) fn wait(stack: &mut Waiting, node: Node) {
    let room = stack.try_push(node).is_ok();
    debug_assert!(room, "more nodes wait than were counted");
}

/// Numbers of a cloud's points have this bit.
const POINT: u64 = 1 << 32;

/// A convex piece of a body with its place in the body's frame.
pub(crate) struct Piece<'b> {
    pub shape: Cow<'b, Shape>,
    /// Where the piece's origin is; pieces are not turned.
    pub at: Vec3,
    pub feature: Feature,
    /// The numbers of the corners of a triangle.
    pub corners: [u32; 3],
}

impl Piece<'_> {
    /// The pose of the piece, given that of the body.
    pub fn pose(&self, body: &Pose) -> Pose {
        if self.at == Vec3::ZERO { *body } else { body.moved_to(body.point(self.at)) }
    }
}

/// A box along the axes of a frame: its centre and half its extents.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub centre: DVec3,
    pub half: DVec3,
}

impl Extent {
    fn between([low, high]: [Vec3; 2]) -> Self {
        let (low, high) = (widen(low), widen(high));
        Self { centre: low + (high - low) * 0.5, half: (high - low) * 0.5 }
    }

    pub fn size(&self) -> f64 {
        self.half.max_element()
    }
}

impl<'b> Tree<'b> {
    pub fn of_shape(shape: &'b Shape) -> Self {
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| shape.core().extent(axis));
        Self::Convex(shape, Extent::between([0, 1].map(|end| Vec3::new(x[end], y[end], z[end]))))
    }

    pub fn root(&self) -> Node {
        match self {
            Self::Convex(..) | Self::Mesh(_) => Node(0),
            Self::Field(field) => Node(field.root().packed()),
            Self::Cloud(cloud) => Node(cloud_number(cloud.root())),
        }
    }

    /// Visits the children of a node, at most eight; none for a leaf.
    pub fn children(&self, node: Node, mut visit: impl FnMut(Node)) {
        match self {
            Self::Convex(..) => {}
            Self::Mesh(mesh) => {
                let below = mesh.tree().children(NodeId(node.0 as u32));
                below.into_iter().flatten().for_each(|child| visit(Node(u64::from(child.0))));
            }
            Self::Field(field) => field.children(FieldNode::unpacked(node.0), |child| visit(Node(child.packed()))),
            Self::Cloud(cloud) => cloud.children(cloud_node(node), |child| visit(Node(cloud_number(child)))),
        }
    }

    pub fn is_leaf(&self, node: Node) -> bool {
        match self {
            Self::Convex(..) => true,
            Self::Mesh(mesh) => mesh.tree().payload(NodeId(node.0 as u32)).is_some(),
            Self::Field(field) => field.leaf_number(FieldNode::unpacked(node.0)).is_some(),
            Self::Cloud(_) => node.0 & POINT != 0,
        }
    }

    /// The leaf with this number, if there is one: the number may have been another tree's.
    pub fn leaf_with(&self, number: u64) -> Option<Node> {
        let node = Node(number);
        let exists = match self {
            Self::Convex(..) => number == 0,
            Self::Mesh(mesh) => u32::try_from(number).is_ok_and(|id| mesh.tree().payload(NodeId(id)).is_some()),
            Self::Field(field) => field.has_leaf(FieldNode::unpacked(number)),
            Self::Cloud(cloud) => number & !u64::from(u32::MAX) == POINT && (number as u32 as usize) < cloud.len(),
        };
        exists.then_some(node)
    }

    /// The box of a node, without the radius of a cloud or a shape.
    pub fn extent(&self, node: Node) -> Extent {
        match self {
            Self::Convex(_, extent) => *extent,
            Self::Mesh(mesh) => {
                // A number of the tree: there is such a node.
                let bounds = mesh.tree().node_bounds(NodeId(node.0 as u32)).unwrap_or(mesh.tree().bounds());
                let [centre, half] = bounds.middle_and_half();
                Extent { centre, half }
            }
            Self::Field(field) => Extent::between(field.node_box(FieldNode::unpacked(node.0))),
            Self::Cloud(cloud) => Extent::between(cloud.node_box(cloud_node(node))),
        }
    }

    /// The box of all that is below a node, radius included.
    pub fn bounds(&self, node: Node) -> Aabb {
        let Extent { centre, half } = self.extent(node);
        let reach = half + DVec3::splat(self.radius());
        let [min, max] = [centre - reach, centre + reach];
        Aabb {
            min: Vec3::from_array(min.to_array().map(rounded_down)),
            max: Vec3::from_array(max.to_array().map(rounded_up)),
        }
    }

    /// How far the body reaches beyond its boxes.
    pub fn radius(&self) -> f64 {
        match self {
            Self::Convex(shape, _) => widen_real(shape.radius()),
            Self::Cloud(cloud) => widen_real(cloud.radius()),
            Self::Mesh(_) | Self::Field(_) => 0.0,
        }
    }

    /// The convex piece of a leaf.
    pub fn piece(&self, node: Node) -> Option<Piece<'b>> {
        let triangle = |places, corners, feature| {
            let shape = Cow::Owned(Shape::sharp(Core::Triangle(places)));
            Piece { shape, at: Vec3::ZERO, feature, corners }
        };
        let corners = [0; 3];
        match *self {
            Self::Convex(shape, _) => {
                Some(Piece { shape: Cow::Borrowed(shape), at: Vec3::ZERO, feature: Feature::WHOLE, corners })
            }
            Self::Mesh(mesh) => {
                let number = mesh.tree().payload(NodeId(node.0 as u32))?;
                let (places, given) = mesh.triangle(number);
                Some(triangle(places, mesh.triangle_corners(number), Feature::given(0, given)))
            }
            Self::Field(field) => {
                let node = FieldNode::unpacked(node.0);
                Some(triangle(field.leaf(node)?, field.leaf_corners(node), Feature::face(field.leaf_number(node)?)))
            }
            Self::Cloud(cloud) => {
                let CloudNode::Point(place) = cloud_node(node) else { return None };
                let (at, number) = cloud.at(place);
                let shape = Cow::Owned(ball(cloud.radius()));
                Some(Piece { shape, at, feature: Feature::vertex(number), corners })
            }
        }
    }

    /// The corners of a leaf that is a triangle.
    #[inline]
    pub fn corners(&self, node: Node) -> Option<[Vec3; 3]> {
        match self {
            Self::Mesh(mesh) => mesh.tree().payload(NodeId(node.0 as u32)).map(|number| mesh.triangle(number).0),
            Self::Field(field) => field.leaf(FieldNode::unpacked(node.0)),
            Self::Convex(..) | Self::Cloud(_) => None,
        }
    }

    /// Visits every leaf that passes the test together with all nodes above it.
    pub fn descend(&self, mut test: impl FnMut(Node) -> bool, mut visit: impl FnMut(Node)) {
        let mut stack = Waiting::new();
        stack.push(self.root());
        while let Some(node) = stack.pop() {
            if !test(node) {
                continue;
            }
            if self.is_leaf(node) {
                visit(node);
            } else {
                self.children(node, |child| wait(&mut stack, child));
            }
        }
    }

    /// A point of the body below a node.
    pub fn some_point(&self, node: Node) -> Option<(Vec3, Feature)> {
        match self {
            Self::Cloud(cloud) => {
                let (point, number) = cloud.at(cloud.first_below(cloud_node(node)));
                Some((point, Feature::vertex(number)))
            }
            _ => {
                let mut here = node;
                while !self.is_leaf(here) {
                    let mut next = None;
                    self.children(here, |child| next = next.or(Some(child)));
                    here = next?;
                }
                let piece = self.piece(here)?;
                let point = match piece.shape.core() {
                    Core::Triangle([a, _, _]) => *a,
                    _ => piece.at,
                };
                Some((point, piece.feature))
            }
        }
    }

    pub fn bounding_radius(&self) -> Real {
        match self {
            Self::Convex(shape, _) => shape.bounding_radius(),
            Self::Mesh(mesh) => mesh.bounding_radius(),
            Self::Field(field) => field.bounding_radius(),
            Self::Cloud(cloud) => cloud.bounding_radius(),
        }
    }
}

/// A point, or a ball about the origin.
fn ball(radius: Real) -> Shape {
    Shape::with_radius(Core::Point, radius)
}

fn cloud_number(node: CloudNode) -> u64 {
    match node {
        CloudNode::Share(share) => u64::from(share),
        CloudNode::Point(place) => u64::from(place) | POINT,
    }
}

fn cloud_node(node: Node) -> CloudNode {
    let number = node.0 as u32;
    if node.0 & POINT == 0 { CloudNode::Share(number) } else { CloudNode::Point(number) }
}

/// The frame of B seen from A, with what every comparison of boxes needs.
pub(crate) struct Relation {
    pub frame: Frame,
    back: DMat3,
    spread: DMat3,
    spread_back: DMat3,
}

impl Relation {
    pub fn new(frame: Frame) -> Self {
        let abs = |m: DMat3| DMat3::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs());
        let back = frame.rotation.transpose();
        Self { frame, back, spread: abs(frame.rotation), spread_back: abs(back) }
    }

    /// At most the signed distance of convex bodies in two boxes, but for rounding: the largest gap along the axes of either box, or,
    /// where gaps are along several, their diagonal; negative if the boxes overlap along all of them.
    pub fn separation(&self, a: &Extent, b: &Extent) -> f64 {
        let between = self.frame.rotation * b.centre + (self.frame.translation - a.centre);
        let of_a = between.abs() - a.half - self.spread * b.half;
        let of_b = (self.back * between).abs() - b.half - self.spread_back * a.half;
        // What is no number, as differences of infinite boxes are, says nothing.
        let most = |gaps: DVec3| {
            gaps.to_array().into_iter().fold(f64::NEG_INFINITY, |best, x| if x > best { x } else { best })
        };
        let best = most(of_a).max(most(of_b));
        if !(best > 0.0) {
            return best;
        }
        let diagonal = |gaps: DVec3| gaps.max(DVec3::ZERO).length();
        [diagonal(of_a), diagonal(of_b)].into_iter().fold(best, |best, x| if x > best { x } else { best })
    }
}
