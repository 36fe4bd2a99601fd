//! Points of a cloud, and vertices of a height field, inside a solid mesh.
//!
//! A part of the cloud or field whose box meets no box of the mesh's triangles is all inside or all outside: one of its points tells. What
//! meets the surface is taken apart down to single points, and those are located exactly.

use glam::DVec3;

use super::tree::{Node, Tree, Waiting, wait};
use super::walk::Trees;
use crate::answer::Feature;
use crate::concave::on_surface::nearest_on;
use crate::math::{Real, narrow_real, widen, widen_real};
use crate::shape::Core;
use crate::shape::mesh::{Mesh, Side};
use crate::tolerance::TOUCHING_SIGMAS;

/// How many points inside are asked how deep they are.
const DEPTH_POINTS: usize = 64;

/// The deepest point found inside a solid, in the frame of A.
pub(super) struct Inside {
    pub distance: Real,
    pub points: [DVec3; 2],
    /// From A to B.
    pub normal: DVec3,
    pub features: [Feature; 2],
    /// Which of the two points is inside of the other body.
    pub inner: usize,
}

/// The deepest of some points of one body inside the other, if that is a solid mesh.
pub(super) fn deepest_inside(trees: &Trees<'_>, sigma: Real) -> Option<Inside> {
    match (trees.a, trees.b) {
        (Tree::Mesh(mesh), Tree::Field(_) | Tree::Cloud(_)) => Search { trees, mesh, in_a: true, sigma }.deepest(),
        (Tree::Field(_) | Tree::Cloud(_), Tree::Mesh(mesh)) => Search { trees, mesh, in_a: false, sigma }.deepest(),
        _ => None,
    }
}

struct Search<'s, 'b> {
    trees: &'s Trees<'b>,
    mesh: &'b Mesh,
    /// Whether the mesh is A.
    in_a: bool,
    sigma: Real,
}

impl Search<'_, '_> {
    fn other(&self) -> &Tree<'_> {
        if self.in_a { &self.trees.b } else { &self.trees.a }
    }

    /// A point of the other body in the frame of the mesh.
    fn seen(&self, point: DVec3) -> DVec3 {
        let frame = &self.trees.relation.frame;
        if self.in_a { frame.point(point) } else { frame.point_back(point) }
    }

    fn deepest(&self) -> Option<Inside> {
        if !self.mesh.is_solid() {
            return None;
        }
        let mut best: Option<Inside> = None;
        let mut asked = 0;
        let mut stack = Waiting::new();
        stack.push(self.other().root());
        while let Some(node) = stack.pop() {
            if asked >= DEPTH_POINTS || self.is_beyond(node) {
                continue;
            }
            if self.other().is_leaf(node) {
                self.points_of(node, |point, feature| self.ask(point, feature, &mut best, &mut asked));
            } else if self.meets_surface(node) {
                self.other().children(node, |child| wait(&mut stack, child));
            } else if let Some((point, feature)) = self.other().some_point(node) {
                let before = asked;
                self.ask(widen(point), feature, &mut best, &mut asked);
                // All of it is inside: more of its points may be deeper.
                if asked > before {
                    self.other().children(node, |child| wait(&mut stack, child));
                }
            }
        }
        best
    }

    /// The points of a leaf that count: the corners of a triangle, or the point of a cloud.
    fn points_of(&self, node: Node, mut visit: impl FnMut(DVec3, Feature)) {
        let Some(piece) = self.other().piece(node) else { return };
        match piece.shape.core() {
            Core::Triangle(corners) => corners.iter().for_each(|&corner| visit(widen(corner), piece.feature)),
            _ => visit(widen(piece.at), piece.feature),
        }
    }

    fn ask(&self, point: DVec3, feature: Feature, best: &mut Option<Inside>, asked: &mut usize) {
        let seen = self.seen(point);
        if self.mesh.locate_wide(seen) != Side::Inside {
            return;
        }
        *asked += 1;
        let Some((foot, triangle)) = nearest_on(self.mesh, seen) else { return };
        let out = foot.distance(seen);
        let depth = narrow_real(out + self.other().radius());
        if !(depth > TOUCHING_SIGMAS * self.sigma) || best.as_ref().is_some_and(|best| !(-depth < best.distance)) {
            return;
        }
        let frame = &self.trees.relation.frame;
        let towards = if out > 0.0 { (foot - seen) / out } else { DVec3::X };
        let deep = seen - towards * self.other().radius();
        let surface = Feature::given(0, self.mesh.given_face(triangle));
        *best = Some(if self.in_a {
            Inside { distance: -depth, points: [foot, deep], normal: towards, features: [surface, feature], inner: 1 }
        } else {
            let (foot, deep) = (frame.point(foot), frame.point(deep));
            let normal = -(frame.rotation * towards);
            Inside { distance: -depth, points: [deep, foot], normal, features: [feature, surface], inner: 0 }
        });
    }

    /// Whether a node is outside of the mesh's box.
    fn is_beyond(&self, node: Node) -> bool {
        let mesh_tree = Tree::Mesh(self.mesh);
        let (own, other) = (mesh_tree.extent(mesh_tree.root()), self.other().extent(node));
        let [a, b] = if self.in_a { [own, other] } else { [other, own] };
        self.trees.relation.separation(&a, &b) > widen_real(self.sigma)
    }

    /// Whether a node's box meets that of a triangle.
    fn meets_surface(&self, node: Node) -> bool {
        let mesh_tree = Tree::Mesh(self.mesh);
        let other = self.other().extent(node);
        let mut meets = false;
        mesh_tree.descend(
            |here| {
                let own = mesh_tree.extent(here);
                let [a, b] = if self.in_a { [&own, &other] } else { [&other, &own] };
                let near = !meets && self.trees.relation.separation(a, b) <= widen_real(self.sigma);
                meets |= near && mesh_tree.is_leaf(here);
                near
            },
            |_| (),
        );
        meets
    }
}
