//! The names of contact points: which features of two bodies are at a place, and those of the last frame.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::found::Found;
use crate::answer::{Element, Feature};
use crate::math::triangle::{Prepared, foot, foot_on_segment};
use crate::math::{Pose, Real, Vec3, consts, narrow, widen, widen_real};
use crate::shape::mesh::Mesh;
use crate::shape::{Core, Geometry, Leaf, Shape};
use crate::tolerance::{SAME_DEPTH, SAME_PLACE};

/// The names of the contact points of the last frame, up to 64.
#[derive(Debug, Clone, Default)]
pub(crate) struct BodyNames(ArrayVec<[Feature; 2], 64>);

impl BodyNames {
    pub fn contain(&self, name: [Feature; 2]) -> bool {
        self.0.contains(&name)
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Remembers these names instead of the last ones, as many as there is room for.
    pub fn remember(&mut self, names: impl Iterator<Item = [Feature; 2]>) {
        let room = self.0.capacity();
        self.0.clear();
        self.0.extend(names.take(room));
    }

    pub fn iter(&self) -> impl Iterator<Item = [Feature; 2]> + '_ {
        self.0.iter().copied()
    }
}

/// Two bodies at their places, to be asked whether a named feature is somewhere.
#[derive(Clone, Copy)]
pub(super) struct Bodies<'b> {
    pub bodies: [Geometry<'b>; 2],
    pub poses: [&'b Pose; 2],
    /// What is no farther away than this is at a place, and what differs in depth by no more than that is as deep.
    pub within: f64,
    pub still: f64,
}

impl<'b> Bodies<'b> {
    pub fn new(bodies: [Geometry<'b>; 2], poses: [&'b Pose; 2], slop: f64) -> Self {
        // Relative to the smaller of the two: a floor may be as large as it likes.
        let size = 2.0 * widen_real(bodies[0].bounding_radius().min(bodies[1].bounding_radius()));
        Self {
            bodies,
            poses,
            within: widen_real(SAME_PLACE) * size + slop,
            still: widen_real(SAME_DEPTH) * size + slop,
        }
    }
}

impl Bodies<'_> {
    /// Whether the features of a name are at a contact that has another name.
    pub fn have(&self, name: [Feature; 2], found: &Found) -> bool {
        let on_b = found.on_a - found.normal * found.depth;
        let is_place =
            name.iter().any(|f| matches!(f.element, Element::Vertex(_) | Element::Edge(_) | Element::Face(_)));
        is_place
            && (name[0] == found.features[0] || self.has(0, name[0], found.on_a, found.normal))
            && (name[1] == found.features[1] || self.has(1, name[1], on_b, -found.normal))
    }

    /// Whether a feature of a body is at a place of it in the world, where the body ends along a direction.
    fn has(&self, side: usize, feature: Feature, at: DVec3, out: DVec3) -> bool {
        let pose = self.poses[side];
        let posed;
        let (body, pose) = match self.bodies[side] {
            Geometry::Compound(compound) => {
                let Some((leaf, own)) = compound.parts.get(feature.part as usize) else { return false };
                posed = pose.compose(own);
                let body = match leaf {
                    Leaf::Convex(shape) => Geometry::Convex(shape),
                    Leaf::Mesh(mesh) => Geometry::Mesh(mesh),
                };
                (body, &posed)
            }
            _ if feature.part != 0 => return false,
            body => (body, pose),
        };
        let local = widen(pose.point_to_local(narrow(at)));
        match body {
            Geometry::Mesh(mesh) => self.is_on_mesh(mesh, feature.element, local),
            Geometry::HeightField(field) => {
                let corner = |v: u32| field.vertex(v).map(widen);
                let face = |face: u32| field.triangle(face).map(|corners| corners.map(widen));
                self.is_at(feature.element, local, corner, |f| face(f).is_some_and(|t| self.is_on(t, local)))
            }
            Geometry::Convex(shape) => {
                let core = local - widen(pose.direction_to_local(narrow(out))) * widen_real(shape.radius());
                let corner = |v: u32| corner_of(shape, v).map(widen);
                self.is_at(feature.element, core, corner, |face| self.is_on_face(shape, face, core))
            }
            _ => false,
        }
    }

    /// Whether an element is at a place, given where its vertices are and whether the place is on a face.
    fn is_at(
        &self,
        element: Element,
        at: DVec3,
        corner: impl Fn(u32) -> Option<DVec3>,
        face: impl Fn(u32) -> bool,
    ) -> bool {
        match element {
            Element::Vertex(v) => corner(v).is_some_and(|p| p.distance(at) <= self.within),
            Element::Edge([v, w]) => {
                corner(v).zip(corner(w)).is_some_and(|(p, q)| foot_on_segment([p, q], at).distance(at) <= self.within)
            }
            Element::Face(f) => face(f),
            Element::Smooth | Element::Whole => false,
        }
    }

    fn is_on(&self, triangle: [DVec3; 3], at: DVec3) -> bool {
        foot(&Prepared::new(triangle), at).distance(at) <= self.within
    }

    fn is_on_mesh(&self, mesh: &Mesh, element: Element, at: DVec3) -> bool {
        let corner = |v: u32| mesh.vertices().get(v as usize).map(|&p| widen(p));
        let face = |face: u32| mesh.triangles_of(face).any(|triangle| self.is_on(mesh.wide_triangle(triangle), at));
        self.is_at(element, at, corner, face)
    }

    /// Whether a place of a convex core is in the plane of a face.
    fn is_on_face(&self, shape: &Shape, face: u32, at: DVec3) -> bool {
        match shape.core() {
            Core::Cuboid { half_extents } if face < 6 => {
                let axis = (face / 2) as usize;
                let sign = if face & 1 == 0 { 1.0 } else { -1.0 };
                (at[axis] * sign - widen_real(half_extents[axis])).abs() <= self.within
            }
            Core::Cylinder { half_height, .. } if face < 2 => {
                (at.z * if face == 0 { 1.0 } else { -1.0 } - widen_real(*half_height)).abs() <= self.within
            }
            Core::Polytope(polytope) if (face as usize) < polytope.face_count() => {
                widen_real(polytope.plane(face).distance(narrow(at))).abs() <= self.within
            }
            _ => false,
        }
    }
}

/// The place of a vertex of a convex shape's core that has vertices, in its frame.
pub(crate) fn corner_of(shape: &Shape, vertex: u32) -> Option<Vec3> {
    match shape.core() {
        Core::Cuboid { half_extents } if vertex < 8 => {
            let sign = |bit: u32| if vertex & bit == 0 { 1.0 } else { -1.0 };
            Some(*half_extents * Vec3::new(sign(1), sign(2), sign(4)))
        }
        Core::Polytope(polytope) => polytope.vertices().get(vertex as usize).copied(),
        Core::Cylinder { half_height, radius } if vertex % 32 < 16 && vertex < 64 => {
            let (sine, cosine) = (consts::FRAC_PI_8 * (vertex % 32) as Real).sin_cos();
            let z = if vertex < 32 { *half_height } else { -half_height };
            Some(Vec3::new(radius * cosine, radius * sine, z))
        }
        _ => None,
    }
}

/// The name of a feature of a triangle, given the numbers of its corners and what it is called as a face.
pub(super) fn of_triangle(element: Element, corners: [u32; 3], face: Feature) -> Feature {
    let corner = |i: u32| corners[i as usize % 3];
    match element {
        Element::Vertex(i) => Feature::vertex(corner(i)).of_part(face.part),
        Element::Edge([i, j]) => Feature::edge(corner(i), corner(j)).of_part(face.part),
        Element::Face(_) | Element::Smooth | Element::Whole => face,
    }
}
