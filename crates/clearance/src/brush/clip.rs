//! The intersection of half-spaces as a polyhedron: a large cube, cut by one plane after the other.
//!
//! A vertex is the meeting point of three planes, in homogeneous coordinates and pairs of doubles (about 100 bits), so that the side
//! of a plane it is on is a determinant of numbers as given: in differences from the first point, scaled by a power of two. A
//! determinant within its rounding is zero, and the vertex on the plane. New vertices belong to an edge and are shared by the
//! faces beside it; the new face is the hole that a cut leaves. A cut goes over all faces once: it ends.

use std::collections::HashMap;

use glam::DVec3;

use super::{BrushFace, BrushFault, MOST_FACES};
use crate::math::exact::{Pair, Pair3};
use crate::math::widen_real;
use crate::tolerance::{BRUSH_REACH, BRUSH_SIGN, LARGEST_SIZE};

/// The points x with `normal · x ≤ offset`; the largest component of the normal is between one and two.
struct HalfSpace {
    normal: Pair3,
    offset: Pair,
}

/// `place / weight`, with a positive weight.
struct Vertex {
    place: Pair3,
    weight: Pair,
}

struct Face {
    plane: u32,
    corners: Vec<u32>,
}

/// Vertices in f64 and faces as loops of them, counter-clockwise from outside; each face is that of one plane.
pub(super) struct Clipped {
    pub vertices: Vec<DVec3>,
    pub faces: Vec<Vec<u32>>,
    /// The plane of each face.
    pub planes: Vec<u32>,
}

struct Clipper {
    planes: Vec<HalfSpace>,
    vertices: Vec<Vertex>,
    faces: Vec<Face>,
}

#[derive(Clone, Copy, PartialEq)]
enum Place {
    Unknown,
    Inside,
    On,
    Outside,
}

/// The number of planes of the cube, which come first.
const CUBE: usize = 6;

/// The solid behind all faces.
pub(super) fn clipped(faces: &[BrushFace]) -> Result<Clipped, BrushFault> {
    check(faces)?;
    let origin = faces[0].points[0];
    let largest = faces.iter().flat_map(|face| face.points).map(|p| (p - origin).abs().max_element());
    let scale = power_of_two(largest.fold(0.0, f64::max));
    let mut clipper = Clipper::cube();
    for (index, face) in faces.iter().enumerate() {
        let plane = half_space(face, origin, scale).ok_or(BrushFault::NoPlane { face: index })?;
        clipper.planes.push(plane);
    }
    for plane in CUBE..clipper.planes.len() {
        clipper.cut(plane as u32)?;
    }
    if clipper.faces.iter().any(|face| (face.plane as usize) < CUBE) {
        return Err(BrushFault::Unbounded);
    }
    Ok(clipper.finish(origin, scale))
}

fn check(faces: &[BrushFace]) -> Result<(), BrushFault> {
    let count = faces.len();
    if count < 4 {
        return Err(BrushFault::TooFewFaces { count });
    }
    if count > MOST_FACES {
        return Err(BrushFault::TooManyFaces { count });
    }
    let in_range = |p: &DVec3| p.abs().max_element() <= widen_real(LARGEST_SIZE) && p.is_finite();
    match faces.iter().position(|face| !face.points.iter().all(in_range)) {
        Some(face) => Err(BrushFault::Coordinate { face }),
        None => Ok(()),
    }
}

/// A power of two that brings a positive number to between one half and two; one for zero.
fn power_of_two(x: f64) -> f64 {
    if x > 0.0 { (-x.log2().floor()).exp2() } else { 1.0 }
}

fn half_space(face: &BrushFace, origin: DVec3, scale: f64) -> Option<HalfSpace> {
    let [a, b, c] = face.points;
    let side = |to: DVec3, from: DVec3| Pair3::difference(to, from).times(scale.into());
    let normal = side(a, b).cross(&side(c, b));
    let largest = normal.round().abs().max_element();
    if !(largest > 0.0) {
        return None;
    }
    let normal = normal.times(power_of_two(largest).into());
    let offset = normal.dot(&side(a, origin));
    // Three points too near each other for their distances to be squared are no plane.
    (normal.round().is_finite() && offset.round().is_finite()).then_some(HalfSpace { normal, offset })
}

impl Clipper {
    fn cube() -> Self {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let planes = axes.into_iter().flat_map(|axis| [-axis, axis]);
        let planes = planes.map(|n| HalfSpace { normal: Pair3::from(n), offset: BRUSH_REACH.into() }).collect();
        let corner = |i: u32, axis: u32| if i >> axis & 1 == 0 { -BRUSH_REACH } else { BRUSH_REACH };
        let at = |i: u32| Pair3::from(DVec3::new(corner(i, 0), corner(i, 1), corner(i, 2)));
        let vertices = (0..8).map(|i| Vertex { place: at(i), weight: 1.0.into() }).collect();
        let loops = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let faces = loops.into_iter().zip(0..).map(|(corners, plane)| Face { plane, corners: corners.to_vec() });
        Self { planes, vertices, faces: faces.collect() }
    }

    fn place_of(&self, vertex: &Vertex, plane: u32) -> Place {
        let plane = &self.planes[plane as usize];
        let height = (plane.normal.dot(&vertex.place) - plane.offset * vertex.weight).round();
        if height > BRUSH_SIGN {
            Place::Outside
        } else if height < -BRUSH_SIGN {
            Place::Inside
        } else {
            Place::On
        }
    }

    /// Where three planes meet; nothing if they are parallel to one line.
    fn meeting(&self, planes: [u32; 3]) -> Option<Vertex> {
        let [a, b, c] = planes.map(|plane| &self.planes[plane as usize]);
        let (bc, ca, ab) = (b.normal.cross(&c.normal), c.normal.cross(&a.normal), a.normal.cross(&b.normal));
        let weight = a.normal.dot(&bc);
        let place = bc.times(a.offset).plus(&ca.times(b.offset)).plus(&ab.times(c.offset));
        let size = weight.round();
        if size > BRUSH_SIGN {
            Some(Vertex { place, weight })
        } else if size < -BRUSH_SIGN {
            Some(Vertex { place: place.times((-1.0).into()), weight: -weight })
        } else {
            None
        }
    }

    fn cut(&mut self, plane: u32) -> Result<(), BrushFault> {
        let mut places = vec![Place::Unknown; self.vertices.len()];
        for &v in self.faces.iter().flat_map(|face| &face.corners) {
            if places[v as usize] == Place::Unknown {
                places[v as usize] = self.place_of(&self.vertices[v as usize], plane);
            }
        }
        if !places.contains(&Place::Outside) {
            return Ok(());
        }
        if !places.contains(&Place::Inside) {
            return Err(BrushFault::NoVolume);
        }
        let beside = self.faces_beside();
        let mut crossings = HashMap::new();
        for face in std::mem::take(&mut self.faces) {
            if let Some(face) = self.cut_face(face, plane, &places, &beside, &mut crossings)? {
                self.faces.push(face);
            }
        }
        let corners = self.hole()?;
        self.faces.push(Face { plane, corners });
        Ok(())
    }

    fn faces_beside(&self) -> Beside {
        let edges = self.faces.iter().flat_map(|face| edges_of(&face.corners).map(|edge| (edge, face.plane)));
        let mut edges: Vec<_> = edges.collect();
        edges.sort_unstable();
        Beside(edges)
    }

    /// What a cut leaves of a face; nothing if that has no area.
    fn cut_face(
        &mut self,
        face: Face,
        plane: u32,
        places: &[Place],
        beside: &Beside,
        crossings: &mut HashMap<[u32; 2], u32>,
    ) -> Result<Option<Face>, BrushFault> {
        let place = |v: u32| places[v as usize];
        if face.corners.iter().all(|&v| place(v) != Place::Outside) {
            return Ok(Some(face));
        }
        if face.corners.iter().all(|&v| place(v) != Place::Inside) {
            return Ok(None);
        }
        let leaves = edges_of(&face.corners).filter(|&[a, b]| place(a) != Place::Outside && place(b) == Place::Outside);
        if leaves.count() != 1 {
            return Err(BrushFault::Indistinct);
        }
        let mut corners = Vec::with_capacity(face.corners.len() + 1);
        for [a, b] in edges_of(&face.corners) {
            if place(a) != Place::Outside {
                corners.push(a);
            }
            if matches!([place(a), place(b)], [Place::Inside, Place::Outside] | [Place::Outside, Place::Inside]) {
                let key = [a.min(b), a.max(b)];
                if let Some(&crossing) = crossings.get(&key) {
                    corners.push(crossing);
                    continue;
                }
                let other = beside.along([b, a]).ok_or(BrushFault::Indistinct)?;
                let vertex = self.meeting([face.plane, other, plane]).ok_or(BrushFault::Indistinct)?;
                crossings.insert(key, self.vertices.len() as u32);
                corners.push(self.vertices.len() as u32);
                self.vertices.push(vertex);
            }
        }
        Ok((corners.len() >= 3).then_some(Face { plane: face.plane, corners }))
    }

    /// The loop along the edges that have a face on one side only.
    fn hole(&self) -> Result<Vec<u32>, BrushFault> {
        let beside = self.faces_beside();
        let mut next = HashMap::new();
        let mut start = u32::MAX;
        for [a, b] in self.faces.iter().flat_map(|face| edges_of(&face.corners)) {
            if beside.along([b, a]).is_none() {
                if next.insert(b, a).is_some() {
                    return Err(BrushFault::Indistinct);
                }
                start = start.min(b);
            }
        }
        let mut corners = Vec::with_capacity(next.len());
        let mut at = start;
        for _ in 0..next.len() {
            corners.push(at);
            at = *next.get(&at).ok_or(BrushFault::Indistinct)?;
            if at == start {
                break;
            }
        }
        let whole = corners.len() == next.len() && corners.len() >= 3 && at == start;
        whole.then_some(corners).ok_or(BrushFault::Indistinct)
    }

    fn finish(self, origin: DVec3, scale: f64) -> Clipped {
        let at = |vertex: &Vertex| {
            let share = DVec3::from_array(vertex.place.to_array().map(|x| x.quotient(vertex.weight)));
            origin + share / scale
        };
        let mut renamed = vec![u32::MAX; self.vertices.len()];
        let mut vertices = Vec::new();
        let (mut faces, mut planes) = (Vec::new(), Vec::new());
        for mut face in self.faces {
            for v in &mut face.corners {
                let slot = &mut renamed[*v as usize];
                if *slot == u32::MAX {
                    *slot = vertices.len() as u32;
                    vertices.push(at(&self.vertices[*v as usize]));
                }
                *v = *slot;
            }
            faces.push(face.corners);
            planes.push(face.plane - CUBE as u32);
        }
        Clipped { vertices, faces, planes }
    }
}

/// The edges of all faces, each in the direction of its face, with that face's plane; sorted.
struct Beside(Vec<([u32; 2], u32)>);

impl Beside {
    /// The plane of the face that runs along an edge in this direction.
    fn along(&self, edge: [u32; 2]) -> Option<u32> {
        let place = self.0.binary_search_by_key(&edge, |&(edge, _)| edge).ok()?;
        Some(self.0[place].1)
    }
}

/// The edges of a loop, in its direction.
pub(super) fn edges_of(corners: &[u32]) -> impl Iterator<Item = [u32; 2]> + '_ {
    let next = corners.iter().skip(1).chain(corners.first());
    corners.iter().zip(next).map(|(&a, &b)| [a, b])
}
