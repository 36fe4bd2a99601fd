//! A concave body as its user took it apart, kept as given: a tree of convex hulls (Q_COLLIDE, section 5.6).
//!
//! A node is a group of parts, a leaf is convex or a mesh that is not taken apart any further (the thesis's torus). Each node has the convex
//! hull of what is below it. Two trees are asked from the top: hulls that separating vectors tell apart are left alone; where they meet,
//! all children of one are asked against all children of the other; leaves that are meshes are asked by their trees of oriented boxes.
//! So bodies are taken apart only where they are near each other.
//!
//! Departures: the corners of hulls are rounded where parts are turned, so that only a plane with more than a few errors between the hulls
//! tells them apart, and leaves that meet are decided by the verb. The thesis keeps the last separating vector of each pair of
//! nodes; here each query is cold. [`Compound`](crate::Compound) makes its own tree of boxes instead, whatever the order of its parts.
//!
//! It ends: each pair of nodes is expanded once.

use std::sync::Arc;

use thiserror::Error;

use super::{Cache, overlap};
use crate::answer::{End, Overlap, Witness};
use crate::math::{Pose, Relative, Vec3};
use crate::narrow::PairCache;
use crate::narrow::separating_vector::{Options, overlap_alone};
use crate::polytope::{Polytope, PolytopeError};
use crate::shape::Shape;
use crate::shape::mesh::Mesh;

/// Groups within groups at most: enough for any body, and far from the end of the stack.
const DEEPEST: usize = 64;

/// A part of a concave body.
#[derive(Debug, Clone)]
pub enum HullPart {
    /// A convex leaf.
    Convex(Polytope),
    /// A leaf that is not convex and not taken apart any further.
    Surface(Arc<Mesh>),
    /// Parts with their poses in the frame of the group.
    Group(Vec<(HullPart, Pose)>),
}

/// Why a tree of hulls cannot be made.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum HullTreeError {
    /// A group has no parts.
    #[error("part {path} is a group without parts")]
    EmptyGroup {
        /// The indices from the root down.
        path: String,
    },
    /// Groups are nested too deep.
    #[error("part {path} is nested deeper than {DEEPEST} groups")]
    TooDeep {
        /// The indices from the root down.
        path: String,
    },
    /// What is below a node has no hull: it is flat, or out of range.
    #[error("part {path} has no convex hull: {source}")]
    NoHull {
        /// The indices from the root down.
        path: String,
        /// Why.
        source: PolytopeError,
    },
}

#[derive(Debug, Clone)]
enum Below {
    Convex,
    Surface(Arc<Mesh>, Pose),
    Nodes(Vec<u32>),
}

#[derive(Debug, Clone)]
struct Node {
    /// The hull of all that is below, in the frame of the tree.
    hull: Shape,
    below: Below,
}

/// A concave body as a tree of convex hulls, as it was given.
///
/// ```
/// use clearance::study::hull_tree::{HullPart, HullTree, overlap};
/// use clearance::{Polytope, Pose, Vec3};
/// let cube = |half: Vec3| {
///     let corner = |i: u32| Vec3::from_array([0, 1, 2].map(|axis| if i >> axis & 1 == 1 { half[axis] } else { -half[axis] }));
///     Polytope::from_points(&[0, 1, 2, 3, 4, 5, 6, 7].map(corner)).map(HullPart::Convex)
/// };
/// // A table top and a leg below it.
/// let top = (cube(Vec3::new(2.0, 2.0, 0.1))?, Pose::IDENTITY);
/// let leg = (cube(Vec3::new(0.1, 0.1, 1.0))?, Pose::from_translation([1.8, 1.8, -1.1])?);
/// let table = HullTree::new(&HullPart::Group(vec![top, leg]))?;
/// let ball = HullTree::new(&cube(Vec3::splat(0.3))?)?;
/// let below = Pose::from_translation([-1.0, -1.0, -0.8])?; // beside the leg: outside of the table's parts
/// let answer = overlap(&table, &Pose::IDENTITY, &ball, &below);
/// assert!(!answer.overlap);
/// let at_the_leg = Pose::from_translation([1.6, 1.6, -0.8])?;
/// assert!(overlap(&table, &Pose::IDENTITY, &ball, &at_the_leg).overlap);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct HullTree {
    /// The root is the last.
    nodes: Vec<Node>,
    leaves: usize,
}

impl HullTree {
    /// Makes the hulls of all nodes.
    ///
    /// # Errors
    /// [`HullTreeError`] with the indices of the part.
    pub fn new(part: &HullPart) -> Result<Self, HullTreeError> {
        let mut tree = Self { nodes: Vec::new(), leaves: 0 };
        tree.add(part, &Pose::IDENTITY, &mut Vec::new())?;
        Ok(tree)
    }

    /// Nodes, leaves included.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Leaves.
    pub fn leaf_count(&self) -> usize {
        self.leaves
    }

    /// Adds a part with all below it; its number and its points.
    fn add(&mut self, part: &HullPart, pose: &Pose, path: &mut Vec<usize>) -> Result<(u32, Vec<Vec3>), HullTreeError> {
        if path.len() > DEEPEST {
            return Err(HullTreeError::TooDeep { path: named(path) });
        }
        let posed = |points: &[Vec3]| points.iter().map(|&p| pose.point(p)).collect::<Vec<_>>();
        let (points, below) = match part {
            HullPart::Convex(polytope) => (posed(polytope.vertices()), Below::Convex),
            HullPart::Surface(mesh) => (posed(mesh.vertices()), Below::Surface(Arc::clone(mesh), *pose)),
            HullPart::Group(parts) => {
                let (mut points, mut nodes) = (Vec::new(), Vec::new());
                for (i, (part, inner)) in parts.iter().enumerate() {
                    path.push(i);
                    let (node, of_part) = self.add(part, &pose.compose(inner), path)?;
                    path.pop();
                    points.extend(of_part);
                    nodes.push(node);
                }
                if nodes.is_empty() {
                    return Err(HullTreeError::EmptyGroup { path: named(path) });
                }
                (points, Below::Nodes(nodes))
            }
        };
        let hull = Polytope::from_points(&points);
        let hull = hull.map_err(|source| HullTreeError::NoHull { path: named(path), source })?;
        self.leaves += usize::from(!matches!(below, Below::Nodes(_)));
        // Only corners of the hull can be corners of a larger one.
        let corners = hull.vertices().to_vec();
        self.nodes.push(Node { hull: hull.into(), below });
        Ok((self.nodes.len() as u32 - 1, corners))
    }
}

fn named(path: &[usize]) -> String {
    if path.is_empty() {
        return "(root)".to_owned();
    }
    path.iter().map(usize::to_string).collect::<Vec<_>>().join(".")
}

/// Whether two trees of hulls have a point in common, and what it took to find out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HullTreeOverlap {
    /// Whether they have; touching counts.
    pub overlap: bool,
    /// Pairs of hulls asked.
    pub hull_tests: u32,
    /// Pairs of leaves decided by the verb: hulls that meet, or are too near to tell.
    pub leaf_tests: u32,
    /// How the query ended.
    pub end: End,
}

/// Whether two concave bodies have a point in common, from the tops of their trees (Q_COLLIDE, section 5.6).
pub fn overlap_of_trees(a: &HullTree, pose_a: &Pose, b: &HullTree, pose_b: &Pose) -> HullTreeOverlap {
    let mut answer = HullTreeOverlap { overlap: false, hull_tests: 0, leaf_tests: 0, end: End::Converged };
    let mut pairs = vec![[a.nodes.len() - 1, b.nodes.len() - 1]];
    while let Some([i, j]) = pairs.pop() {
        let nodes = [&a.nodes[i], &b.nodes[j]];
        answer.hull_tests += 1;
        if are_apart(&nodes[0].hull, pose_a, &nodes[1].hull, pose_b) {
            continue;
        }
        match (&nodes[0].below, &nodes[1].below) {
            (Below::Nodes(of_a), Below::Nodes(of_b)) => {
                pairs.extend(of_a.iter().flat_map(|&i| of_b.iter().map(move |&j| [i as usize, j as usize])));
            }
            (Below::Nodes(of_a), _) => pairs.extend(of_a.iter().map(|&i| [i as usize, j])),
            (_, Below::Nodes(of_b)) => pairs.extend(of_b.iter().map(|&j| [i, j as usize])),
            _ => {
                answer.leaf_tests += 1;
                let found = leaves_overlap(nodes, [pose_a, pose_b]);
                if found.end != End::Converged {
                    answer.end = found.end;
                }
                if found.overlap {
                    return HullTreeOverlap { overlap: true, end: found.end, ..answer };
                }
            }
        }
    }
    answer
}

/// Whether a plane separates two hulls by more than their corners are rounded.
fn are_apart(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> bool {
    let (found, _) = overlap_alone(&Options::default(), a, pose_a, b, pose_b, &mut PairCache::default());
    let Witness::Plane { offset_a, offset_b, .. } = found.witness else {
        return false;
    };
    let relative = Relative::new([a.bounding_radius(), b.bounding_radius()], pose_a, pose_b);
    !found.overlap && offset_b - offset_a > relative.touching()
}

fn leaves_overlap([a, b]: [&Node; 2], [pose_a, pose_b]: [&Pose; 2]) -> Overlap {
    let cache = &mut Cache::default();
    match (&a.below, &b.below) {
        (Below::Surface(a, of_a), Below::Surface(b, of_b)) => {
            overlap(a.as_ref(), &pose_a.compose(of_a), b.as_ref(), &pose_b.compose(of_b), cache)
        }
        (Below::Surface(a, of_a), _) => overlap(a.as_ref(), &pose_a.compose(of_a), &b.hull, pose_b, cache),
        (_, Below::Surface(b, of_b)) => overlap(&a.hull, pose_a, b.as_ref(), &pose_b.compose(of_b), cache),
        _ => overlap(&a.hull, pose_a, &b.hull, pose_b, cache),
    }
}
