//! A polyhedron as casts see it: points, edges with up to two polygons, convex polygons, in f64.
//!
//! It is made from a [`Mesh`], whose vertices keep their numbers, or from a [`Polytope`](crate::Polytope). What depends on the shape alone is computed
//! once (section 4): large polygons (`polygons`), edges with what lies beside them and which of them are internal, because
//! their polygons face each other or are flat, and points that only have such edges; these never meet anything first.

use glam::DVec3;

use super::around::Around;
use super::bounds::Bounds;
use super::parts::{Corner, Edge, Face, Fill, fan_crossings};
use crate::bvh::{AxialBsp, Bvh, NodeBox};
use crate::math::{Aabb, Real, Vec3, narrow, narrow_real};
use crate::shape::mesh::{Mesh, MeshError, winding};

/// A polyhedron prepared for casts. Its polygons are met from the front only: an open surface is one side, and
/// [`Polyhedron::other_side`] the other. It may be closed or open, convex or not, of one piece or many, which may
/// touch and overlap; or points.
#[derive(Debug, Clone)]
pub struct Polyhedron {
    pub(super) points: Vec<DVec3>,
    pub(super) edges: Vec<Edge>,
    pub(super) faces: Vec<Face>,
    pub(super) corners: Vec<Corner>,
    /// Points at which nothing can be met first.
    pub(super) blunt: Vec<bool>,
    /// The face, as it was given, that each polygon is of.
    pub(super) given: Vec<u32>,
    /// Where each point goes when the faces around it move in by one, as nearly as one point can.
    pub(super) insets: Vec<DVec3>,
    /// How far each point can follow its inset before the surface there turns inside out.
    pub(super) rooms: Vec<f64>,
    /// All of it is below each of its polygons' planes.
    pub(super) convex: bool,
    /// The polygons' boxes.
    pub(super) tree: Bvh,
    /// Asked in place of the tree where it is there.
    pub(super) axial: Option<AxialBsp>,
    pub(super) around: Around,
    pub(super) bounds: Bounds,
    pub(super) radius: f64,
    pub(super) closed: bool,
    pub(super) fill: Fill,
    /// A point of each piece of the surface, the one with the most room, and the tree of these points.
    pub(super) anchors: Vec<u32>,
    pub(super) anchor_tree: Bvh,
    /// The boxes of the pieces.
    pub(super) piece_tree: Bvh,
    /// A solid too thin for its features to be told.
    pub(in crate::ccd) thin: bool,
}

impl Polyhedron {
    /// A polyhedron from its points and its convex polygons, each a list of indices counter-clockwise seen from the free side: as
    /// [`Mesh::new`] and then [`Polyhedron::from`]. A closed one is solid. Rooms, other surfaces and repairs are a matter of
    /// [`Mesh::with_options`].
    ///
    /// # Errors
    /// The first thing that is wrong, with its element.
    ///
    /// ```
    /// use clearance::ccd::polyhedra::Polyhedron;
    /// use clearance::Vec3;
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
    /// let tetrahedron = Polyhedron::from_faces(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// assert!(tetrahedron.is_solid());
    /// assert_eq!(tetrahedron.edge_counts(), (6, 0));
    /// # Ok::<(), clearance::MeshError>(())
    /// ```
    pub fn from_faces<F: AsRef<[u32]>>(points: &[Vec3], faces: &[F]) -> Result<Self, MeshError> {
        Mesh::new(points, faces).map(|mesh| Self::from(&mesh))
    }

    /// The number of points.
    pub fn point_count(&self) -> usize {
        self.points.len()
    }

    /// The number of edges, and how many of them are internal: concave or flat, or so together with other pieces if
    /// [`Polyhedron::hide_covered`] was called.
    pub fn edge_counts(&self) -> (usize, usize) {
        (self.edges.len(), self.edges.iter().filter(|edge| edge.internal).count())
    }

    /// The number of polygons; fewer than were given if some are in one plane, more if some are not flat.
    pub fn face_count(&self) -> usize {
        self.faces.len()
    }

    /// Whether each edge has two polygons.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether what is inside, or outside of a room, counts as part of it.
    pub fn is_solid(&self) -> bool {
        self.fill != Fill::Nowhere
    }

    /// The radius of the smallest ball about the local origin that contains all points.
    pub fn bounding_radius(&self) -> Real {
        narrow_real(self.radius)
    }

    /// The corners of a polygon.
    pub fn face_points(&self, face: u32) -> impl Iterator<Item = Vec3> + '_ {
        let face = self.faces.get(face as usize).copied();
        let range = face.map_or(0..0, |face| face.start as usize..face.end as usize);
        self.corners[range].iter().map(|corner| narrow(self.points[corner.point as usize]))
    }

    pub(super) fn loop_of(&self, face: &Face) -> &[Corner] {
        &self.corners[face.start as usize..face.end as usize]
    }

    /// How far a point is inside of the polygon, across its sides; negative outside.
    pub(super) fn depth_across(&self, face: &Face, x: DVec3) -> f64 {
        let depth = |corner: &Corner| {
            let edge = &self.edges[corner.edge as usize];
            edge.into[corner.side as usize].dot(x - self.points[corner.point as usize])
        };
        self.loop_of(face).iter().map(depth).fold(f64::INFINITY, f64::min)
    }

    /// Half the diagonal of its box: its size wherever its origin is, zero for a point.
    pub(super) fn extent(&self) -> f64 {
        0.5 * (self.bounds.max - self.bounds.min).length()
    }

    /// Whether a point, in the polyhedron's frame, is in the interior of its solid, exactly; nothing if it is on its surface.
    pub(super) fn contains(&self, p: DVec3) -> Option<bool> {
        if self.fill == Fill::Nowhere {
            return Some(false);
        }
        // A closed piece does not wind around what is out of its box.
        let at = NodeBox::enclosing(&Aabb::from_points([narrow(p)]));
        let mut near = false;
        self.piece_tree.overlapping(&at, |_| near = true);
        if !near {
            return Some(self.fill.holds(0));
        }
        let crossings = |index: u32| fan_crossings(self.loop_of(&self.faces[index as usize]), &self.points, p);
        winding(&self.tree, p, crossings).map(|winding| self.fill.holds(winding))
    }
}
