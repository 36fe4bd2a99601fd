//! Making a [`Polytope`]: from points by hull, from given faces by checking them against the hull.

use std::collections::HashMap;
use std::sync::Arc;

use glam::DVec3;

use super::hull::{NONE, triangulated_hull};
use super::measure::{measure, polygon_plane, vector_area};
use super::merge::{Faces, merge_coplanar};
use super::{Data, HalfEdge, Polytope, PolytopeError, SupportPolytope};
use crate::derived::Derived;
use crate::math::{Vec3, narrow, narrow_real, widen, widen_real};
use crate::support::{Support, VertexId};
use crate::tolerance::{GIVEN_FACE_FLATNESS, LARGEST_SIZE, PREDICATE_RANGE_LOG2};

impl Polytope {
    /// The convex hull of a cloud of points.
    ///
    /// Points inside the hull, on its faces or on its edges are no corners and are left out; the corners keep their order.
    ///
    /// # Errors
    /// If a coordinate is not finite or out of range, or the points do not span space: the message says whether they
    /// coincide, are on a line or in a plane.
    ///
    /// ```
    /// use clearance::{Polytope, Vec3};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [0.1, 0.1, 0.1]];
    /// let polytope = Polytope::from_points(&corners.map(Vec3::from))?;
    /// assert_eq!((polytope.vertices().len(), polytope.edge_count(), polytope.face_count()), (4, 6, 4));
    /// # Ok::<(), clearance::PolytopeError>(())
    /// ```
    pub fn from_points(points: &[Vec3]) -> Result<Self, PolytopeError> {
        Ok(hull_of(&Cloud::new(points)?, points)?.0)
    }

    /// The convex hull of a cloud of points and, for each of its vertices, the index of the point that it is.
    pub(crate) fn hull_with_corners(points: &[Vec3]) -> Result<(Self, Vec<u32>), PolytopeError> {
        hull_of(&Cloud::new(points)?, points)
    }

    /// A solid given by its vertices and faces, each face a list of vertex indices, counter-clockwise seen from outside.
    ///
    /// The solid is the exact hull of the vertices; the faces are checked to describe it: closed, oriented outwards, convex,
    /// every vertex a corner. A polygon that is flat only to the digits of a file (1e-6 of the size) is accepted; as the hull
    /// is exact, it may then appear as several nearly coplanar faces.
    ///
    /// # Errors
    /// Anything else is an error that names the face, the edge or the vertex.
    pub fn from_faces<F: AsRef<[u32]>>(vertices: &[Vec3], faces: &[F]) -> Result<Self, PolytopeError> {
        check_topology(vertices.len(), faces)?;
        let cloud = Cloud::new(vertices)?;
        check_orientation(&cloud.scaled, faces)?;
        let (polytope, corners) = hull_of(&cloud, vertices)?;
        check_faces(&cloud, &polytope, &corners, faces)?;
        if polytope.vertices().len() < vertices.len() {
            return Err(left_out(vertices, &corners));
        }
        Ok(polytope)
    }

    /// The same polytope with every search structure built, whether its size calls for it or not: for study and comparison.
    ///
    /// # Errors
    /// Only if an invariant of the library is broken.
    pub fn with_all_searches(mut self) -> Result<Self, PolytopeError> {
        let cloud = Cloud::new(self.vertices())?;
        let loops: Vec<u32> = self.data.half_edges.iter().map(|half_edge| half_edge.origin).collect();
        let data = Arc::make_mut(&mut self.data);
        data.search.build_all(&cloud.scaled, &data.face_starts, &loops)?;
        Ok(self)
    }
}

/// The hull and, for each of its vertices, the index of the point it came from.
fn hull_of(cloud: &Cloud, points: &[Vec3]) -> Result<(Polytope, Vec<u32>), PolytopeError> {
    let triangles = triangulated_hull(&cloud.scaled)?;
    let faces = merge_coplanar(&cloud.scaled, &triangles)?;
    Ok((assemble(points, cloud, &faces)?, faces.corners))
}

/// Points checked and scaled by a power of two so that the largest coordinate is about one.
pub(super) struct Cloud {
    pub scaled: Vec<DVec3>,
    /// Multiply a scaled length by this to get the true one.
    pub unscale: f64,
}

impl Cloud {
    pub fn new(points: &[Vec3]) -> Result<Self, PolytopeError> {
        if points.len() < 4 {
            return Err(PolytopeError::TooFewPoints { count: points.len(), needed: 4 });
        }
        if points.len() >= (NONE / 8) as usize {
            return Err(PolytopeError::TooManyPoints { count: points.len() });
        }
        check_coordinates(points)?;
        let largest = points.iter().map(|&p| widen_real(p.abs().max_element())).fold(0.0, f64::max);
        if largest == 0.0 {
            return Err(PolytopeError::Coincident { count: points.len() });
        }
        let exponent = largest.log2().floor() as i32;
        let smallest = 2f64.powi(-PREDICATE_RANGE_LOG2) * largest;
        for (index, &p) in points.iter().enumerate() {
            for (axis, value) in ['x', 'y', 'z'].into_iter().zip(widen(p).to_array()) {
                if value != 0.0 && value.abs() < smallest {
                    return Err(PolytopeError::CoordinateRange { index, axis, value, largest });
                }
            }
        }
        // In two steps: for subnormal coordinates the whole factor, or its inverse, would leave the range.
        let halves = [exponent / 2, exponent - exponent / 2];
        let [first, second] = halves.map(|half| 2f64.powi(-half));
        Ok(Self {
            scaled: points.iter().map(|&p| widen(p) * first * second).collect(),
            unscale: 2f64.powi(halves[0]) * 2f64.powi(halves[1]),
        })
    }
}

pub(crate) fn check_coordinates(points: &[Vec3]) -> Result<(), PolytopeError> {
    for (index, p) in points.iter().enumerate() {
        for (axis, value) in ['x', 'y', 'z'].into_iter().zip(p.to_array()) {
            if !(value.abs() <= LARGEST_SIZE) {
                return Err(PolytopeError::Coordinate { index, axis, value });
            }
        }
    }
    Ok(())
}

fn assemble(points: &[Vec3], cloud: &Cloud, faces: &Faces) -> Result<Polytope, PolytopeError> {
    let vertices: Vec<Vec3> = faces.corners.iter().map(|&v| points[v as usize]).collect();
    let scaled: Vec<DVec3> = faces.corners.iter().map(|&v| cloud.scaled[v as usize]).collect();
    let half_edges = half_edges(faces)?;
    let mut vertex_edges = vec![NONE; vertices.len()];
    let mut edges = Vec::with_capacity(half_edges.len() / 2);
    for (i, half_edge) in half_edges.iter().enumerate() {
        vertex_edges[half_edge.origin as usize] = i as u32;
        if (i as u32) < half_edge.twin {
            edges.push(i as u32);
        }
    }
    let planes = faces.starts.windows(2).map(|range| {
        let corners = &faces.loops[range[0] as usize..range[1] as usize];
        polygon_plane(corners.iter().map(|&v| scaled[v as usize]), cloud.unscale)
    });
    let data = Data {
        planes: planes.collect(),
        half_edges: half_edges.into(),
        face_starts: faces.starts.clone().into(),
        edges: edges.into(),
        vertex_edges: vertex_edges.into(),
        search: SupportPolytope::unconnected(vertices),
        volume: 0.0,
        centroid: Vec3::ZERO,
        cast_surface: Derived::default(),
    };
    let mut polytope = Polytope { data: Arc::new(data) };
    let (mut neighbour_starts, mut neighbours) = (vec![0], Vec::with_capacity(polytope.data.half_edges.len()));
    for v in 0..polytope.vertices().len() as u32 {
        neighbours.extend(around(&polytope, v));
        neighbour_starts.push(neighbours.len() as u32);
    }
    let data = Arc::make_mut(&mut polytope.data);
    data.search.connect(neighbour_starts, neighbours);
    data.search.prepare(&scaled, &faces.starts, &faces.loops)?;
    let (volume, centroid) = measure(&scaled, &faces.starts, &faces.loops);
    data.volume = narrow_real(volume * cloud.unscale * cloud.unscale * cloud.unscale);
    data.centroid = narrow(centroid * cloud.unscale);
    Ok(polytope)
}

/// The neighbours of a vertex in order around it.
fn around(polytope: &Polytope, vertex: u32) -> impl Iterator<Item = u32> + '_ {
    let first = polytope.vertex_half_edge(vertex);
    // Clockwise turning by next(twin) would reverse the order; the previous half-edge's twin turns counter-clockwise.
    let turn = move |half_edge: u32| {
        let range = polytope.face_half_edges(polytope.data.half_edges[half_edge as usize].face);
        let previous = if half_edge == range.start { range.end - 1 } else { half_edge - 1 };
        Some(polytope.data.half_edges[previous as usize].twin).filter(|&next| next != first)
    };
    std::iter::successors(Some(first), move |&half_edge| turn(half_edge))
        .map(|half_edge| polytope.data.half_edges[polytope.data.half_edges[half_edge as usize].twin as usize].origin)
}

fn half_edges(faces: &Faces) -> Result<Vec<HalfEdge>, PolytopeError> {
    let mut half_edges = Vec::with_capacity(faces.loops.len());
    for (face, range) in faces.starts.windows(2).enumerate() {
        let corners = &faces.loops[range[0] as usize..range[1] as usize];
        half_edges.extend(corners.iter().map(|&origin| HalfEdge { origin, twin: NONE, face: face as u32 }));
    }
    let mut by_ends = HashMap::with_capacity(half_edges.len());
    for (face, range) in faces.starts.windows(2).enumerate() {
        for i in range[0]..range[1] {
            let next = if i + 1 == range[1] { range[0] } else { i + 1 };
            let (from, to) = (faces.loops[i as usize], faces.loops[next as usize]);
            if let Some(twin) = by_ends.remove(&(to, from)) {
                half_edges[i as usize].twin = twin;
                half_edges[twin as usize].twin = i;
            } else if by_ends.insert((from, to), i).is_some() {
                return Err(PolytopeError::Internal("an edge occurs twice in one direction"));
            }
        }
        debug_assert!(range[1] >= range[0] + 3, "face {face} has fewer than three corners");
    }
    if !by_ends.is_empty() {
        return Err(PolytopeError::Internal("the merged surface is open"));
    }
    Ok(half_edges)
}

fn check_topology<F: AsRef<[u32]>>(count: usize, faces: &[F]) -> Result<(), PolytopeError> {
    let mut used = vec![false; count];
    let mut directed: HashMap<(u32, u32), usize> = HashMap::new();
    for (face, corners) in faces.iter().enumerate() {
        let corners = corners.as_ref();
        if corners.len() < 3 {
            return Err(PolytopeError::ShortFace { face, count: corners.len() });
        }
        for (i, &vertex) in corners.iter().enumerate() {
            let slot = used.get_mut(vertex as usize);
            *slot.ok_or(PolytopeError::VertexIndex { face, vertex: vertex as usize, count })? = true;
            if corners[..i].contains(&vertex) {
                return Err(PolytopeError::RepeatedVertex { face, vertex: vertex as usize });
            }
            let next = corners[(i + 1) % corners.len()];
            if let Some(first) = directed.insert((vertex, next), face) {
                return Err(PolytopeError::EdgeTwice { from: vertex as usize, to: next as usize, first, second: face });
            }
        }
    }
    if let Some(vertex) = used.iter().position(|used| !used) {
        return Err(PolytopeError::UnusedVertex { vertex });
    }
    let open = directed.iter().filter(|((from, to), _)| !directed.contains_key(&(*to, *from)));
    match open.map(|(&(from, to), &face)| (face, from, to)).min() {
        Some((face, from, to)) => Err(PolytopeError::OpenEdge { face, from: from as usize, to: to as usize }),
        None => Ok(()),
    }
}

fn check_orientation<F: AsRef<[u32]>>(points: &[DVec3], faces: &[F]) -> Result<(), PolytopeError> {
    let mut starts = vec![0];
    let mut loops = Vec::new();
    for face in faces {
        loops.extend_from_slice(face.as_ref());
        starts.push(loops.len() as u32);
    }
    if measure(points, &starts, &loops).0 < 0.0 { Err(PolytopeError::InsideOut) } else { Ok(()) }
}

/// Every face flat and nothing above it; what is above a face is asked of the hull, by support.
fn check_faces<F: AsRef<[u32]>>(
    cloud: &Cloud,
    hull: &Polytope,
    corners: &[u32],
    faces: &[F],
) -> Result<(), PolytopeError> {
    for (face, given) in faces.iter().map(AsRef::as_ref).enumerate() {
        let points = given.iter().map(|&v| cloud.scaled[v as usize]);
        // Corners in line make no plane. One of them is then no corner of the hull, which is said later.
        if vector_area(points.clone()) == DVec3::ZERO {
            continue;
        }
        let plane = polygon_plane(points, 1.0);
        let (normal, offset) = (widen(plane.normal), widen_real(plane.offset));
        let height = |v: u32| normal.dot(cloud.scaled[v as usize]) - offset;
        if let Some(&v) = given.iter().find(|&&v| height(v).abs() > GIVEN_FACE_FLATNESS) {
            return Err(PolytopeError::NotFlat { face, vertex: v as usize, off: height(v).abs() * cloud.unscale });
        }
        let highest = corners[hull.support(plane.normal, VertexId::NONE).vertex.index()];
        if height(highest) > GIVEN_FACE_FLATNESS {
            let above = height(highest) * cloud.unscale;
            return Err(PolytopeError::NotConvex { face, vertex: highest as usize, above });
        }
    }
    Ok(())
}

/// Names a given vertex that the hull left out: the twin of another one, or no corner.
fn left_out(given: &[Vec3], corners: &[u32]) -> PolytopeError {
    let missing = (0..given.len()).find(|&v| corners.binary_search(&(v as u32)).is_err());
    let Some(vertex) = missing else {
        return PolytopeError::Internal("a corner was lost");
    };
    match (0..given.len()).find(|&v| v != vertex && given[v] == given[vertex]) {
        Some(twin) => PolytopeError::DuplicateVertex { first: vertex.min(twin), second: vertex.max(twin) },
        None => PolytopeError::NotACorner { vertex },
    }
}
