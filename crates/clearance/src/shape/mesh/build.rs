//! Making a [`Mesh`]: checks, the repairs that were asked for, features, tree.

use std::sync::Arc;

use glam::DVec3;

use super::edges::features;
use super::hull::hull_of;
use super::merge::merged;
use super::options::{Kind, MeshOptions, Repairs};
use super::topology::{Surface, check_edges, largest};
use super::triangulate::{triangulated, turns, vector_area};
use super::{Mesh, MeshError, NO_FACE, Triangle};
use crate::bvh::{Bvh, OrientedBoxes, WideTree};
use crate::derived::Derived;
use crate::math::predicates::collinear;
use crate::math::weld::representatives;
use crate::math::{Aabb, Real, Vec3, length, widen, widen_real};
use crate::shape::mass::MassProperties;
use crate::tolerance::{FLAT_EDGE, GIVEN_FACE_FLATNESS, LARGEST_SIZE, SMALLEST_SIZE};

impl Mesh {
    /// A mesh from vertices and convex faces, each a list of vertex indices, counter-clockwise seen from outside. It is a
    /// solid if it is closed.
    ///
    /// # Errors
    /// The first thing that is wrong, with its element; nothing is repaired.
    ///
    /// ```
    /// use clearance::{Mesh, Vec3};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
    /// let tetrahedron = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// assert!(tetrahedron.is_solid());
    /// assert!((tetrahedron.mass().0 - 1.0 / 6.0).abs() < 1e-6);
    /// # Ok::<(), clearance::MeshError>(())
    /// ```
    pub fn new<F: AsRef<[u32]>>(vertices: &[Vec3], faces: &[F]) -> Result<Self, MeshError> {
        Self::with_options(vertices, faces, &MeshOptions::default())
    }

    /// A mesh made as the options say.
    ///
    /// # Errors
    /// The first thing that is wrong and not to be repaired, with its element.
    pub fn with_options<F: AsRef<[u32]>>(
        vertices: &[Vec3],
        faces: &[F],
        options: &MeshOptions,
    ) -> Result<Self, MeshError> {
        check_sizes(vertices, faces)?;
        let mut repairs = Repairs::default();
        let mut surface = Surface::new(faces.iter().map(AsRef::as_ref));
        if options.weld {
            weld(vertices, options.weld_distance, &mut surface, &mut repairs)?;
        }
        check_faces(vertices, &mut surface, options, &mut repairs)?;
        let kept = check_used(vertices.len(), &mut surface, options, &mut repairs)?;
        let vertices: Vec<Vec3> = kept.iter().map(|&v| vertices[v as usize]).collect();
        let open = check_edges(&surface, &vertices, options.kind).map_err(|error| renamed(error, &kept))?;
        let closed = open == 0 && surface.count() > 0;
        let kind = if closed { options.kind } else { Kind::Surface };
        Self::assembled(vertices, surface, kind, options, repairs)
    }

    pub(super) fn assembled(
        vertices: Vec<Vec3>,
        surface: Surface,
        kind: Kind,
        options: &MeshOptions,
        repairs: Repairs,
    ) -> Result<Self, MeshError> {
        let mut mesh = Self {
            reach: vertices.iter().map(|&p| length(p)).fold(0.0, Real::max),
            bounds: Aabb::from_points(vertices.iter().copied()),
            vertices: vertices.into(),
            faces: Default::default(),
            edges: Box::default(),
            internal_vertices: Box::default(),
            triangles: Box::default(),
            surroundings: Box::default(),
            parts: Box::default(),
            tree: Bvh::new(),
            wide: WideTree::default(),
            boxes: OrientedBoxes::default(),
            solid: matches!(kind, Kind::Auto | Kind::Solid),
            room: kind == Kind::Room,
            hull: None,
            mass: MassProperties::without_volume(Vec3::ZERO),
            repairs,
            cast_surface: Derived::default(),
        };
        mesh.take_surface(&surface);
        if kind != Kind::Surface {
            let inverted = mesh.inverted_faces(&surface)?;
            if let Some(&face) = inverted.first() {
                if !options.turn_outward {
                    return Err(MeshError::InsideOut { face: surface.given[face as usize] as usize });
                }
                let mut surface = surface;
                surface.turn_over(&inverted);
                mesh.repairs.turned_faces = inverted.iter().map(|&face| surface.given[face as usize]).collect();
                let options = MeshOptions { turn_outward: false, ..*options };
                return Self::assembled(mesh.vertices.into_vec(), surface, kind, &options, mesh.repairs);
            }
        }
        mesh.mass = mesh.counted_mass(&surface);
        mesh.boxes = OrientedBoxes::new(&mesh.tree, |triangle| mesh.wide_triangle(triangle));
        mesh.faces = merged(&mesh.vertices, &surface);
        features(&mut mesh);
        mesh.hull = hull_of(&mesh).map(Arc::new);
        Ok(mesh)
    }

    /// Triangles, parts and the tree.
    fn take_surface(&mut self, surface: &Surface) {
        self.triangles = triangles(&self.vertices, surface).into();
        self.parts = surface.parts(self.vertices.len()).into();
        let corners = |t: &Triangle| t.corners.map(|v| self.vertices[v as usize]);
        let boxes: Vec<Aabb> = self.triangles.iter().map(|t| Aabb::from_points(corners(t))).collect();
        self.tree = Bvh::from_boxes(&boxes);
        self.wide = WideTree::new(&self.tree);
    }
}

/// The given faces cut into triangles; points where there are no faces.
fn triangles(vertices: &[Vec3], surface: &Surface) -> Vec<Triangle> {
    if surface.count() == 0 {
        return (0..vertices.len() as u32).map(|v| Triangle { corners: [v; 3], given: NO_FACE }).collect();
    }
    let mut triangles = Vec::with_capacity(surface.loops.len() - 2 * surface.count());
    for (face, &given) in surface.given.iter().enumerate() {
        let corners = surface.corners(face);
        if let [a, b, c] = *corners {
            triangles.push(Triangle { corners: [a, b, c], given });
            continue;
        }
        let points: Vec<DVec3> = corners.iter().map(|&v| widen(vertices[v as usize])).collect();
        // Faces were checked to have triangles.
        let cut = triangulated(&points, vector_area(&points)).unwrap_or_default();
        triangles.extend(cut.into_iter().map(|cut| Triangle { corners: cut.map(|i| corners[i]), given }));
    }
    triangles
}

pub(super) fn check_sizes<F: AsRef<[u32]>>(vertices: &[Vec3], faces: &[F]) -> Result<(), MeshError> {
    let limit = (u32::MAX / 8) as usize;
    if vertices.is_empty() {
        return Err(MeshError::Empty);
    }
    if vertices.len() > limit {
        return Err(MeshError::TooMany { what: "vertices", count: vertices.len() });
    }
    let corners: usize = faces.iter().map(|face| face.as_ref().len()).sum();
    if corners > limit || faces.len() > limit {
        return Err(MeshError::TooMany { what: "faces", count: faces.len() });
    }
    for (index, p) in vertices.iter().enumerate() {
        for (axis, value) in ['x', 'y', 'z'].into_iter().zip(p.to_array()) {
            if !(value.abs() <= LARGEST_SIZE) {
                return Err(MeshError::Coordinate { index, axis, value });
            }
        }
    }
    let size = largest(vertices);
    if !faces.is_empty() && !(size >= widen_real(SMALLEST_SIZE)) {
        return Err(MeshError::TooSmall { size });
    }
    for (face, corners) in faces.iter().map(AsRef::as_ref).enumerate() {
        if corners.len() < 3 {
            return Err(MeshError::ShortFace { face, count: corners.len() });
        }
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
            return Err(MeshError::VertexIndex { face, vertex: vertex as usize, count: vertices.len() });
        }
    }
    Ok(())
}

/// Replaces each vertex by the first one at the same place, or within the distance of it.
fn weld(vertices: &[Vec3], distance: Real, surface: &mut Surface, repairs: &mut Repairs) -> Result<(), MeshError> {
    if !(0.0..=LARGEST_SIZE).contains(&distance) {
        return Err(MeshError::WeldDistance { value: distance });
    }
    let kept = representatives(vertices, distance);
    let moved = kept.iter().enumerate().filter(|&(v, &kept)| v as u32 != kept);
    repairs.welded.extend(moved.map(|(v, &kept)| [v as u32, kept]));
    surface.loops.iter_mut().for_each(|v| *v = kept[*v as usize]);
    Ok(())
}

/// Every face flat, convex and with an area, or left out if that is wanted.
pub(super) fn check_faces(
    vertices: &[Vec3],
    surface: &mut Surface,
    options: &MeshOptions,
    repairs: &mut Repairs,
) -> Result<(), MeshError> {
    let mut sound = Surface::default();
    for (face, &given) in surface.given.iter().enumerate() {
        let corners = surface.corners(face);
        match check_face(vertices, corners, given as usize) {
            Ok(()) => sound.push(corners, given),
            Err(MeshError::DegenerateFace { .. } | MeshError::RepeatedVertex { .. }) if options.drop_degenerate => {
                repairs.dropped_faces.push(given);
            }
            Err(error) => return Err(error),
        }
    }
    *surface = sound;
    Ok(())
}

fn check_face(vertices: &[Vec3], corners: &[u32], face: usize) -> Result<(), MeshError> {
    let mut sorted = corners.to_vec();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(MeshError::RepeatedVertex { face, vertex: pair[0] as usize });
    }
    let at = |i: usize| widen(vertices[corners[i % corners.len()] as usize]);
    if (1..corners.len() - 1).all(|i| collinear(at(0), at(i), at(i + 1))) {
        return Err(MeshError::DegenerateFace { face });
    }
    if corners.len() == 3 {
        return Ok(());
    }
    let points: Vec<DVec3> = (0..corners.len()).map(at).collect();
    let normal = vector_area(&points).normalize_or_zero();
    let size = points.iter().map(|&p| (p - points[0]).abs().max_element()).fold(0.0, f64::max);
    let far = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    // The digits of a file, or those of the precision far from the origin.
    let flat = (GIVEN_FACE_FLATNESS * size).max(widen_real(FLAT_EDGE) * far);
    let height = |p: DVec3| normal.dot(p - points[0]).abs();
    if let Some(i) = points.iter().position(|&p| !(height(p) <= flat)) {
        return Err(MeshError::NotFlat { face, vertex: corners[i] as usize, off: height(points[i]) });
    }
    let n = points.len();
    // How far a corner is inside of the line past it, which a short side of it does not change.
    let bent = (0..n).find(|&i| {
        let (before, after) = (at(i + n - 1), at(i + 1));
        let outward = (after - before).cross(normal).normalize_or_zero();
        outward.dot(at(i) - before) < -flat
    });
    // Left turns alone may go around twice.
    let bent = bent.or_else(|| (!(turns(&points, normal) < 1.5)).then_some(0));
    let bent = bent.map_or_else(|| triangulated(&points, normal).map(|_| ()), Err);
    bent.map_err(|i| MeshError::NotConvexFace { face, vertex: corners[i] as usize })
}

/// The vertices that are kept, by their numbers in the input; the surface is renumbered to them.
fn check_used(
    count: usize,
    surface: &mut Surface,
    options: &MeshOptions,
    repairs: &mut Repairs,
) -> Result<Vec<u32>, MeshError> {
    if surface.count() == 0 && repairs.dropped_faces.is_empty() {
        if options.kind.must_be_closed() {
            return Err(MeshError::NoFaces);
        }
        return Ok((0..count as u32).collect());
    }
    let mut used = vec![false; count];
    surface.loops.iter().for_each(|&v| used[v as usize] = true);
    let welded: std::collections::HashSet<u32> = repairs.welded.iter().map(|[v, _]| *v).collect();
    let mut kept = Vec::with_capacity(count);
    let mut renamed = vec![u32::MAX; count];
    for v in 0..count as u32 {
        if used[v as usize] {
            renamed[v as usize] = kept.len() as u32;
            kept.push(v);
        } else if !welded.contains(&v) {
            if !options.drop_unused {
                return Err(MeshError::UnusedVertex { vertex: v as usize });
            }
            repairs.dropped_vertices.push(v);
        }
    }
    if kept.is_empty() {
        return Err(MeshError::Empty);
    }
    surface.loops.iter_mut().for_each(|v| *v = renamed[*v as usize]);
    Ok(kept)
}

/// The error with the vertices' numbers in the input.
fn renamed(error: MeshError, kept: &[u32]) -> MeshError {
    let name = |v: usize| kept.get(v).map_or(v, |&v| v as usize);
    match error {
        MeshError::TurnedOver { from, to, first, second } => {
            MeshError::TurnedOver { from: name(from), to: name(to), first, second }
        }
        MeshError::NonManifoldEdge { from, to, count, first, second } => {
            MeshError::NonManifoldEdge { from: name(from), to: name(to), count, first, second }
        }
        MeshError::OpenEdge { face, from, to, count, unwelded } => {
            MeshError::OpenEdge { face, from: name(from), to: name(to), count, unwelded }
        }
        other => other,
    }
}
