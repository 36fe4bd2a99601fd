//! Bodies as trees of boxes with convex leaves, for walks in time, and the leaves.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::answer::Feature;
use crate::bvh::{Bvh, NodeId, OrientedBox};
use crate::concave::fields::{Node, Tree};
use crate::math::triangle::Prepared;
use crate::math::{Pose, Vec3, widen};
use crate::shape::mesh::Mesh;
use crate::shape::{Compound, Core, Geometry, Leaf, Shape};

/// A piece that is not made of others.
#[derive(Clone, Copy)]
pub(super) enum Piece<'b> {
    Convex(&'b Shape),
    Mesh(&'b Mesh),
    /// A height field or a point cloud.
    Field(Tree<'b>),
}

/// A part of a body, and its place if the body has several; none for a half-space, which has no tree.
pub(super) fn piece(body: Geometry<'_>, part: u32) -> Option<(Piece<'_>, Option<&Pose>)> {
    Some(match body {
        Geometry::Convex(shape) => (Piece::Convex(shape), None),
        Geometry::Mesh(mesh) => (Piece::Mesh(mesh), None),
        Geometry::Compound(compound) => match &compound.parts[part as usize] {
            (Leaf::Convex(shape), pose) => (Piece::Convex(shape), Some(pose)),
            (Leaf::Mesh(mesh), pose) => (Piece::Mesh(mesh), Some(pose)),
        },
        Geometry::HeightField(field) => (Piece::Field(Tree::Field(field)), None),
        Geometry::PointCloud(cloud) => (Piece::Field(Tree::Cloud(cloud)), None),
        Geometry::HalfSpace(_) => return None,
    })
}

/// The boxes of a body's parts, or of a piece's leaves.
pub(super) enum Volumes<'b> {
    Compound(&'b Compound),
    Mesh(&'b Mesh),
    Field(Tree<'b>),
    One(OrientedBox),
}

/// A node of one of the trees.
#[derive(Debug, Clone, Copy)]
pub(super) enum At {
    Tree(NodeId),
    Field(Node),
}

impl At {
    fn id(self) -> NodeId {
        match self {
            Self::Tree(id) => id,
            Self::Field(_) => NodeId::ROOT,
        }
    }
}

impl<'b> Volumes<'b> {
    /// The parts of a body.
    pub fn of(body: Geometry<'b>) -> Self {
        match body {
            Geometry::Compound(compound) => Self::Compound(compound),
            Geometry::Mesh(mesh) => Self::One(*mesh.oriented_boxes().get(NodeId::ROOT)),
            _ => Self::One(OrientedBox::from_aabb(&body.aabb(&Pose::IDENTITY))),
        }
    }

    /// The leaves of a piece.
    pub fn of_piece(piece: Piece<'b>) -> Self {
        match piece {
            Piece::Mesh(mesh) => Self::Mesh(mesh),
            Piece::Convex(shape) => Self::One(OrientedBox::from_aabb(&shape.aabb(&Pose::IDENTITY))),
            Piece::Field(tree) => Self::Field(tree),
        }
    }

    pub fn root(&self) -> At {
        match self {
            Self::Field(tree) => At::Field(tree.root()),
            _ => At::Tree(NodeId::ROOT),
        }
    }

    fn tree(&self) -> Option<&'b Bvh> {
        match self {
            Self::Compound(compound) => Some(&compound.tree),
            Self::Mesh(mesh) => Some(mesh.tree()),
            Self::One(_) | Self::Field(_) => None,
        }
    }

    pub fn bounds(&self, at: At) -> Cow<'_, OrientedBox> {
        match (self, at) {
            (Self::Compound(compound), _) => Cow::Borrowed(&compound.boxes[at.id().0 as usize]),
            (Self::Mesh(mesh), _) => Cow::Borrowed(mesh.oriented_boxes().get(at.id())),
            (Self::One(bounds), _) => Cow::Borrowed(bounds),
            (Self::Field(tree), At::Field(node)) => Cow::Owned(OrientedBox::from_aabb(&tree.bounds(node))),
            (Self::Field(tree), _) => Cow::Owned(OrientedBox::from_aabb(&tree.bounds(tree.root()))),
        }
    }

    /// What is below a node: its children, or itself.
    pub fn opened(&self, at: At) -> ArrayVec<At, 8> {
        let mut below = ArrayVec::new();
        match (self, at) {
            (Self::Field(tree), At::Field(node)) => tree.children(node, |child| {
                let room = below.try_push(At::Field(child)).is_ok();
                debug_assert!(room, "more children than there may be");
            }),
            _ => below.extend(self.tree().and_then(|tree| tree.children(at.id())).into_iter().flatten().map(At::Tree)),
        }
        if below.is_empty() {
            below.push(at);
        }
        below
    }

    pub fn is_leaf(&self, at: At) -> bool {
        match (self, at) {
            (Self::Field(tree), At::Field(node)) => tree.is_leaf(node),
            _ => self.number(at).is_some(),
        }
    }

    /// The number of the part or the triangle that a node of a tree is the leaf of; nothing if it is none.
    pub fn number(&self, at: At) -> Option<u32> {
        self.tree().map_or(Some(0), |tree| tree.payload(at.id()))
    }
}

/// A convex leaf of a piece.
pub(super) struct LeafShape<'b> {
    pub shape: Cow<'b, Shape>,
    /// Where its origin is in the frame of the piece.
    pub at: Vec3,
    pub feature: Feature,
    /// The way out of the solid that it is a face of.
    pub outward: Option<DVec3>,
}

impl<'b> Piece<'b> {
    /// The leaf at a node, of the part with this number.
    pub fn leaf(&self, at: At, part: u32) -> Option<LeafShape<'b>> {
        match (*self, at) {
            (Self::Convex(shape), _) => Some(LeafShape {
                shape: Cow::Borrowed(shape),
                at: Vec3::ZERO,
                feature: Feature::WHOLE.of_part(part),
                outward: None,
            }),
            (Self::Mesh(mesh), _) => {
                let (triangle, feature) = self.face(at, part)?;
                let outward = Prepared::new(triangle).normal.try_normalize().filter(|_| mesh.is_solid());
                let corners = mesh.triangle(mesh.tree().payload(at.id())?).0;
                let shape = Cow::Owned(Shape::sharp(Core::Triangle(corners)));
                Some(LeafShape { shape, at: Vec3::ZERO, feature, outward })
            }
            (Self::Field(tree), At::Field(node)) => {
                let piece = tree.piece(node)?;
                let feature = piece.feature.of_part(part);
                Some(LeafShape { shape: piece.shape, at: piece.at, feature, outward: None })
            }
            (Self::Field(_), _) => None,
        }
    }

    /// The corners of the triangle at a node, and what it is called; nothing if the leaf is none.
    pub fn face(&self, at: At, part: u32) -> Option<([DVec3; 3], Feature)> {
        match (*self, at) {
            (Self::Mesh(mesh), _) => {
                let number = mesh.tree().payload(at.id())?;
                Some((mesh.wide_triangle(number), Feature::given(part, mesh.given_face(number))))
            }
            (Self::Field(tree), At::Field(node)) => {
                let piece = tree.piece(node)?;
                match piece.shape.core() {
                    Core::Triangle(corners) => Some((corners.map(widen), piece.feature.of_part(part))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub fn is_solid(&self) -> bool {
        matches!(self, Self::Mesh(mesh) if mesh.is_solid())
    }
}
