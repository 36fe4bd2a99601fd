//! Whether the solid of a closed mesh is convex, exactly; and the convex hull of a mesh that is, or nearly is.
//!
//! **Exactly convex.** Let H be the exact hull of the vertices. The solid is H if and only if
//! 1. every triangle with an area lies in the boundary of H and faces outwards: no vertex of H is above its plane, and
//! 2. one of these triangles is covered by no other one.
//!
//! Why that is enough: all triangles lie in H, and those without an area do not count towards any winding number. By (1) the others are
//! a closed surface within the sphere that the boundary of H is, all of it facing the same way, so that it covers every point of that
//! sphere equally often; by (2) once. Then the winding number is one inside of H and zero outside. It is necessary, too: the
//! boundary of a convex solid has nothing above any of its planes and covers nothing twice.
//!
//! For (1) it is enough to look at the neighbours in H of a corner that is a vertex of H: a linear function without a greater value
//! at a neighbour has its greatest value there. Triangles without such a corner, in the middle of a face of H, are compared with
//! all vertices. All signs are exact.
//!
//! **Nearly convex.** Files of convex parts have rounded coordinates or were thinned out, and at some edges the surface is concave by a
//! little. Such a mesh keeps its hull as a start for distances: it contains the mesh, so that its distance is a lower bound, and
//! its nearest points lie beside the nearest triangles. How near to convex is near enough decides about speed, never about an answer.
//!
//! Most meshes are neither: the first edge that is concave by more than [`NEARLY_CONVEX`] ends the search for a hull.

use glam::DVec3;
use robust::Coord;

use super::{Hull, Mesh, NO_FACE};
use crate::math::predicates::{collinear, orient3d};
use crate::math::{widen, widen_real};
use crate::polytope::Polytope;
use crate::shape::Shape;
use crate::tolerance::NEARLY_CONVEX;

impl Mesh {
    /// Whether it is a solid and that solid is convex, exactly.
    #[inline]
    pub fn is_convex(&self) -> bool {
        self.hull.as_ref().is_some_and(|hull| hull.exact)
    }

    /// The solid as a polytope, if it is convex.
    #[inline]
    pub(crate) fn convex(&self) -> Option<&Shape> {
        self.hull.as_deref().filter(|hull| hull.exact).map(|hull| &hull.shape)
    }

    /// The vertex that a vertex of the hull is.
    #[inline]
    pub(crate) fn hull_corner(&self, vertex: u32) -> Option<u32> {
        self.hull.as_deref().and_then(|hull| hull.corners.get(vertex as usize).copied())
    }

    /// The convex hull of a mesh that is nearly convex, as a start for distances.
    #[inline]
    pub(crate) fn nearly_convex(&self) -> Option<&Shape> {
        self.hull.as_deref().map(|hull| &hull.shape)
    }
}

/// The hull of a solid that is convex or nearly so.
pub(super) fn hull_of(mesh: &Mesh) -> Option<Hull> {
    if !mesh.solid || !is_nearly_convex(mesh) {
        return None;
    }
    let (polytope, corners) = Polytope::hull_with_corners(&mesh.vertices).ok()?;
    let exact = is_hull(mesh, &polytope, &corners);
    Some(Hull { shape: Shape::from(polytope), exact, corners: corners.into() })
}

/// Whether no edge is concave by more than the tolerance.
fn is_nearly_convex(mesh: &Mesh) -> bool {
    let most = NEARLY_CONVEX * widen_real(mesh.reach);
    let height = |edge: &super::MeshEdge| {
        let plane = mesh.faces.planes[edge.faces[0] as usize];
        let (normal, offset) = (widen(plane.normal), widen_real(plane.offset));
        let heights = mesh.faces.corners(edge.faces[1]).iter().map(|&v| normal.dot(mesh.wide(v)) - offset);
        heights.fold(f64::NEG_INFINITY, f64::max)
    };
    mesh.edges.iter().all(|edge| edge.faces[1] != NO_FACE && height(edge) <= most)
}

/// Whether the triangles cover the boundary of the hull of their vertices once, facing outwards. `corners` are the mesh's vertices
/// that are vertices of the hull.
fn is_hull(mesh: &Mesh, polytope: &Polytope, corners: &[u32]) -> bool {
    let mut place = vec![u32::MAX; mesh.vertices.len()];
    for (i, &v) in corners.iter().enumerate() {
        place[v as usize] = i as u32;
    }
    let wide: Vec<DVec3> = polytope.vertices().iter().map(|&p| widen(p)).collect();
    let has_area = |t: &[DVec3; 3]| !collinear(t[0], t[1], t[2]);
    let supports = |index: usize, [a, b, c]: [DVec3; 3]| {
        let not_above = |v: u32| orient3d(a, b, c, wide[v as usize]) >= 0.0;
        let on_hull = mesh.triangles[index].corners.into_iter().map(|v| place[v as usize]).find(|&v| v != u32::MAX);
        match on_hull {
            Some(v) => polytope.neighbours(v).iter().all(|&v| not_above(v)),
            None => (0..wide.len() as u32).all(not_above),
        }
    };
    let triangles =
        || (0..mesh.triangles.len()).map(|i| (i, mesh.wide_triangle(i as u32))).filter(|(_, t)| has_area(t));
    if !triangles().all(|(i, t)| supports(i, t)) {
        return false;
    }
    let Some((first, one)) = triangles().next() else {
        return false;
    };
    !triangles().any(|(i, other)| i != first && overlap_in_plane(&one, &other))
}

/// Whether two triangles with an area lie in one plane and share an area there, exactly.
fn overlap_in_plane(one: &[DVec3; 3], other: &[DVec3; 3]) -> bool {
    let [a, b, c] = *one;
    if other.iter().any(|&p| orient3d(a, b, c, p) != 0.0) {
        return false;
    }
    let axes: [fn(DVec3) -> Coord<f64>; 3] =
        [|v| Coord { x: v.x, y: v.y }, |v| Coord { x: v.y, y: v.z }, |v| Coord { x: v.z, y: v.x }];
    let turn = |t: &[Coord<f64>; 3]| robust::orient2d(t[0], t[1], t[2]);
    // Along one of the axes the plane is not seen edge-on.
    let seen = axes.into_iter().map(|flat| [one.map(flat), other.map(flat)]).find(|[one, _]| turn(one) != 0.0);
    let Some([one, other]) = seen else {
        return false;
    };
    let separates = |own: &[Coord<f64>; 3], rest: &[Coord<f64>; 3]| {
        let way = turn(own).signum();
        (0..3).any(|i| rest.iter().all(|&p| robust::orient2d(own[i], own[(i + 1) % 3], p) * way <= 0.0))
    };
    !(separates(&one, &other) || separates(&other, &one))
}
