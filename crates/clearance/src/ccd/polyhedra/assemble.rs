//! Putting a [`Polyhedron`] together: polygons, edges with what lies beside them, points, trees.

use glam::{DMat3, DVec3};

use super::around::Around;
use super::bounds::Bounds;
use super::finder::{in_corner_order, in_tree_order, is_convex, piece_boxes};
use super::parts::{Corner, Edge, Face, Fill, NONE, Sight};
use super::polygons::{Polygon, polygons};
use super::polyhedron::Polyhedron;
use crate::bvh::Bvh;
use crate::math::{Aabb, narrow, widen_real};
use crate::shape::mesh::{HalfEdge, half_edges};
use crate::tolerance::{EDGE_WEDGE, FLAT_FACING, LONGEST_INSET, LONGEST_MITRE, POLYGON_FLATNESS, THIN_SOLID};

pub(super) fn assembled(points: Vec<DVec3>, faces: impl Iterator<Item = Vec<u32>>, fill: Fill) -> Polyhedron {
    let radius = points.iter().map(|p| p.length()).fold(0.0, f64::max);
    let flatness = widen_real(POLYGON_FLATNESS) * radius;
    let polygons = in_tree_order(&points, polygons(&points, faces, flatness));
    let mut draft = Draft { points, flatness, faces: Vec::new(), corners: Vec::new() };
    let edges = in_corner_order(draft.take(&polygons), &mut draft.corners);
    for edge in edges.iter().filter(|edge| edge.polygons.contains(&NONE) || edge.has_no_back()) {
        for &face in edge.polygons.iter().filter(|&&face| face != NONE) {
            draft.faces[face as usize].has_rim = true;
        }
    }
    let blunt = draft.blunt(&edges);
    for corner in &mut draft.corners {
        corner.blunt = blunt[corner.point as usize];
        corner.internal = edges[corner.edge as usize].internal;
    }
    let insets = draft.insets();
    let pieces = pieces(&edges, draft.points.len());
    let (widths, thinnest) = draft.widths(&pieces, fill);
    let rooms = draft.rooms(&edges, &insets, &pieces, &widths);
    let anchors = draft.anchors(&pieces, &rooms);
    let point_box = |&v: &u32| Aabb::from_points([narrow(draft.points[v as usize])]);
    Polyhedron {
        tree: Bvh::from_boxes(&draft.faces.iter().map(|face| draft.bounds(face)).collect::<Vec<_>>()),
        axial: None,
        convex: is_convex(&draft.points, &draft.faces, flatness),
        around: Around::new(&edges, draft.points.len()),
        anchor_tree: Bvh::from_boxes(&anchors.iter().map(point_box).collect::<Vec<_>>()),
        piece_tree: Bvh::from_boxes(&piece_boxes(&draft.points, &draft.corners, &pieces)),
        bounds: Bounds::of(draft.points.iter().copied()),
        closed: !edges.is_empty() && edges.iter().all(|edge| !edge.polygons.contains(&NONE)),
        points: draft.points,
        edges,
        faces: draft.faces,
        corners: draft.corners,
        blunt,
        given: Vec::new(),
        insets,
        rooms,
        radius,
        fill,
        anchors,
        thin: fill == Fill::Inside && thinnest < THIN_SOLID * flatness,
    }
}

struct Draft {
    points: Vec<DVec3>,
    flatness: f64,
    faces: Vec<Face>,
    corners: Vec<Corner>,
}

impl Draft {
    /// Takes the polygons in and returns the edges.
    fn take(&mut self, polygons: &[Polygon]) -> Vec<Edge> {
        let (mut starts, mut loops) = (vec![0], Vec::new());
        for polygon in polygons {
            loops.extend_from_slice(&polygon.corners);
            starts.push(loops.len() as u32);
        }
        self.corners.extend(loops.iter().map(|&point| {
            let place = self.points[point as usize];
            Corner { place, point, edge: 0, side: 0, blunt: false, internal: false }
        }));
        let ranges = starts.windows(2).zip(polygons);
        self.faces.extend(ranges.map(|(range, polygon)| Face {
            normal: polygon.normal,
            offset: polygon.offset,
            start: range[0],
            end: range[1],
            has_rim: false,
            sight: Sight::Open,
        }));
        let half_edges = half_edges(&starts, &loops);
        let mut edges = Vec::with_capacity(half_edges.len().div_ceil(2));
        for sides in half_edges.chunk_by(|a, b| a.ends == b.ends) {
            edges.push(self.edge(sides, edges.len() as u32));
        }
        edges
    }

    fn edge(&mut self, sides: &[HalfEdge], index: u32) -> Edge {
        let mut polygons = [NONE; 2];
        for side in sides {
            polygons[usize::from(side.backward)] = side.face;
            let corner = &mut self.corners[side.place as usize];
            (corner.edge, corner.side) = (index, u8::from(side.backward));
        }
        let ends = sides[0].ends;
        let along = self.points[ends[1] as usize] - self.points[ends[0] as usize];
        let largest = along.abs().max_element();
        let along = if largest > 0.0 { (along / largest).normalize() } else { DVec3::ZERO };
        let normal = |i: usize| self.faces.get(polygons[i] as usize).map_or(DVec3::ZERO, |face| face.normal);
        let normals = [normal(0), normal(1)];
        let into = [normals[0].cross(along), -normals[1].cross(along)];
        let outset = match polygons.iter().position(|&polygon| polygon == NONE) {
            // A dangling edge is also moved out in the plane of its polygon.
            Some(open) => normals[1 - open] - into[1 - open],
            None => mitre(normals, into),
        };
        let internal = !polygons.contains(&NONE) && self.is_internal(polygons);
        let wedge = (0..2)
            .filter(|&i| polygons[i] != NONE)
            .map(|i| self.tilt(polygons[i], into[i], ends[0]))
            .fold(0.0, f64::max);
        Edge { ends, polygons, into, outset, internal, seam: internal, wedge: EDGE_WEDGE + wedge }
    }

    /// How far (sine) a polygon may be turned about one of its edges: its points, and those of polygons that count as flat with it, are off
    /// its plane by rounding, which turns a narrow polygon by much.
    fn tilt(&self, polygon: u32, into: DVec3, end: u32) -> f64 {
        let face = &self.faces[polygon as usize];
        let corners = &self.corners[face.start as usize..face.end as usize];
        // Some corners of a large polygon tell enough.
        let step = corners.len().div_ceil(MOST_CORNERS).max(1);
        let from = self.points[end as usize];
        let extents = corners.iter().step_by(step).map(|corner| into.dot(self.points[corner.point as usize] - from));
        let extent = extents.fold(0.0, f64::max);
        if extent > 2.0 * self.flatness { 2.0 * self.flatness / extent } else { 1.0 }
    }

    /// Whether neither polygon falls below the other's plane by more than rounding. If both are in one plane to rounding, they must
    /// also face the same way: those of a needle or a plate as thin as that do not, and are sharp.
    fn is_internal(&self, [a, b]: [u32; 2]) -> bool {
        let heights = |from: u32, of: u32| {
            let (plane, face) = (&self.faces[from as usize], &self.faces[of as usize]);
            let corners = &self.corners[face.start as usize..face.end as usize];
            let heights = corners.iter().map(|c| plane.normal.dot(self.points[c.point as usize]) - plane.offset);
            heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], h| [low.min(h), high.max(h)])
        };
        let slack = 2.0 * self.flatness;
        let [first, second] = [heights(a, b), heights(b, a)];
        let rises = first[1].max(second[1]) > slack;
        let alike = self.faces[a as usize].normal.dot(self.faces[b as usize].normal) > FLAT_FACING;
        first[0] >= -slack && second[0] >= -slack && (rises || alike)
    }

    /// Least squares of "each face around the point moves in by one".
    fn insets(&self) -> Vec<DVec3> {
        let mut sums = vec![(DMat3::ZERO, DVec3::ZERO); self.points.len()];
        for face in &self.faces {
            let n = face.normal;
            for corner in &self.corners[face.start as usize..face.end as usize] {
                let (squares, total) = &mut sums[corner.point as usize];
                *squares += DMat3::from_cols(n * n.x, n * n.y, n * n.z);
                *total += n;
            }
        }
        let solve = |(squares, total): (DMat3, DVec3)| {
            // A little of the identity settles directions that no face constrains.
            let damped = squares + DMat3::IDENTITY * f64::from(f32::EPSILON);
            let inset = -(damped.inverse() * total);
            if inset.is_finite() { inset.clamp_length_max(LONGEST_INSET) } else { DVec3::ZERO }
        };
        sums.into_iter().map(solve).collect()
    }

    fn bounds(&self, face: &Face) -> Aabb {
        let corners = &self.corners[face.start as usize..face.end as usize];
        Aabb::from_points(corners.iter().map(|corner| narrow(self.points[corner.point as usize])))
    }

    /// Points with internal edges only, or none left in the middle of a polygon; but not points without polygons.
    fn blunt(&self, edges: &[Edge]) -> Vec<bool> {
        let mut blunt = vec![!self.faces.is_empty(); self.points.len()];
        for edge in edges.iter().filter(|edge| !edge.internal) {
            edge.ends.iter().for_each(|&v| blunt[v as usize] = false);
        }
        blunt
    }

    /// How far the points can follow their insets: until an edge has half its length, or a piece of a small body half its width.
    fn rooms(&self, edges: &[Edge], insets: &[DVec3], pieces: &[u32], widths: &[f64]) -> Vec<f64> {
        let mut rooms = vec![if self.faces.is_empty() { 0.0 } else { f64::INFINITY }; self.points.len()];
        for edge in edges {
            let [along, closing] =
                [&self.points, insets].map(|of| of[edge.ends[1] as usize] - of[edge.ends[0] as usize]);
            let speed = -along.dot(closing);
            let room = if speed > 0.0 { 0.5 * along.length_squared() / speed } else { f64::INFINITY };
            edge.ends.iter().for_each(|&v| rooms[v as usize] = rooms[v as usize].min(room));
        }
        rooms.iter_mut().zip(pieces).for_each(|(room, &piece)| *room = room.min(0.25 * widths[piece as usize]));
        rooms
    }

    /// The least width of each piece of a small body below one of its polygons, by its first point, infinite where it is not measured; and the
    /// least that any piece reaches on either side of one. The surface of a hollow has nothing below its polygons, and is not thin.
    fn widths(&self, pieces: &[u32], fill: Fill) -> (Vec<f64>, f64) {
        let (mut widths, mut thinnest) = (vec![f64::INFINITY; self.points.len()], f64::INFINITY);
        // The rock about a room is not thin.
        if self.faces.len() > SMALL_BODY || fill == Fill::Outside {
            return (widths, thinnest);
        }
        for face in &self.faces {
            let piece = pieces[self.corners[face.start as usize].point as usize];
            let own = self.points.iter().zip(pieces).filter(|(_, of)| **of == piece);
            let heights = own.map(|(p, _)| face.normal.dot(*p) - face.offset);
            let [low, high] =
                heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], h| [h.min(low), h.max(high)]);
            let width = &mut widths[piece as usize];
            *width = width.min(-low);
            thinnest = thinnest.min(f64::max(-low, high));
        }
        (widths, thinnest)
    }

    /// A point of each piece, the first with the most room; all of them where there are only points.
    fn anchors(&self, pieces: &[u32], rooms: &[f64]) -> Vec<u32> {
        let mut used = vec![self.faces.is_empty(); self.points.len()];
        self.corners.iter().for_each(|corner| used[corner.point as usize] = true);
        let mut anchors = vec![NONE; self.points.len()];
        for v in (0..self.points.len()).filter(|&v| used[v]) {
            let best = &mut anchors[pieces[v] as usize];
            if *best == NONE || rooms[v] > rooms[*best as usize] {
                *best = v as u32;
            }
        }
        anchors.retain(|&v| v != NONE);
        anchors
    }
}

/// The widths of a body with more polygons than this are not measured: they take the product of polygons and points.
const SMALL_BODY: usize = 512;

/// Corners of a polygon that are looked at for how far it reaches from each of its edges.
const MOST_CORNERS: usize = 64;

/// Where two planes meet that are both moved out by one; for the two sides of a plate without thickness, away from the plate.
fn mitre([a, b]: [DVec3; 2], into: [DVec3; 2]) -> DVec3 {
    let sum = a + b;
    let square = sum.length_squared();
    // |a + b|² = 2(1 + a·b), so that 2(a + b)/|a + b|² has an inner product of one with both.
    if square * (LONGEST_MITRE * LONGEST_MITRE) > 4.0 {
        return sum * (2.0 / square);
    }
    let outward = if square > f64::EPSILON { sum } else { -(into[0] + into[1]) };
    outward.normalize_or_zero() * LONGEST_MITRE
}

/// The connected piece of each point, by its first point: points joined by edges.
pub(super) fn pieces(edges: &[Edge], points: usize) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..points as u32).collect();
    let root = |parents: &mut Vec<u32>, mut v: u32| {
        while parents[v as usize] != v {
            parents[v as usize] = parents[parents[v as usize] as usize];
            v = parents[v as usize];
        }
        v
    };
    for edge in edges {
        let [a, b] = edge.ends.map(|v| root(&mut parents, v));
        // The smaller number becomes the root, so that paths only ever lead downwards and end.
        parents[a.max(b) as usize] = a.min(b);
    }
    (0..points as u32).map(|v| root(&mut parents, v)).collect()
}
