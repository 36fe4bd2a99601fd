//! What of a polyhedron of many pieces is covered by its other pieces, and can never be met first.
//!
//! Section 4 spares casts the internal edges of one surface. Where a world is made of convex pieces that touch and overlap, most
//! that cannot be met lies between them: polygons pressed onto other pieces, edges between flush ones. Here
//!
//! - a polygon is hidden if other pieces leave nothing of it (`polygons`),
//! - an edge is internal if at each point of it the air around it takes up no more than half a turn (`edges`): that is decided
//!   for the union of all pieces, so that two of them never hide each other's edge where the union has one,
//! - a point is blunt if all its edges are internal, or it is inside another piece or on one of its polygons, away from its edges.
//!
//! "Inside" is to within the flatness of polygons, as "flat" is elsewhere; that is below an eighth of the expel zone of any cast.
//! What is in doubt stays: pieces that are not closed, not convex to rounding or larger than [`LARGEST_PIECE`] hide nothing,
//! and polygons with the same orientation in the same place do not hide each other. A polyhedron with a hollow hides nothing at all,
//! since the piece around the hollow is not solid there. All loops are over features: they end.

mod edges;
mod polygons;

use glam::DVec3;

use super::assemble::pieces as first_points;
use super::bounds::Bounds;
use super::parts::{Corner, Fill, NONE, Sight};
use super::polyhedron::Polyhedron;
use crate::bvh::Bvh;
use crate::math::{Aabb, Vec3, narrow, widen_real};
use crate::tolerance::POLYGON_FLATNESS;

/// Pieces with more polygons than this hide nothing: each of their planes is looked at for each feature nearby.
const LARGEST_PIECE: usize = 1024;

/// How much of a polyhedron is covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Covered {
    /// Polygons hidden by other pieces.
    pub faces: usize,
    /// Edges that are internal because of other pieces.
    pub edges: usize,
    /// Points that are blunt because of other pieces.
    pub points: usize,
}

/// A convex piece: its polygons.
#[derive(Debug, Clone)]
struct Piece {
    faces: Vec<u32>,
    /// Whether it is closed and convex to rounding: then the points below all its planes are in it.
    covers: bool,
}

/// The polyhedron and its pieces, while features are looked at.
struct Cover<'p> {
    solid: &'p Polyhedron,
    pieces: Vec<Piece>,
    /// The piece of each point; [`NONE`] for those that no polygon has.
    piece_of: Vec<u32>,
    tree: Bvh,
    /// What counts as nothing.
    flatness: f64,
}

impl Polyhedron {
    /// Marks what other pieces cover, so that casts and contacts leave it out. Answers stay the same to within the expel zone.
    /// For a solid of one piece, or a surface, nothing changes.
    ///
    /// ```
    /// use clearance::ccd::polyhedra::Polyhedron;
    /// use clearance::Vec3;
    /// // Two cubes side by side: what they press together is hidden, and the four edges around it are flat or inside.
    /// let corner = |i: u32| Vec3::new(((i & 1) + i / 8) as _, (i >> 1 & 1) as _, (i >> 2 & 1) as _);
    /// let points: Vec<Vec3> = (0..16).map(corner).collect();
    /// let cube = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    /// let faces: Vec<[u32; 4]> = cube.into_iter().chain(cube.map(|face| face.map(|v| v + 8))).collect();
    /// let mut row = Polyhedron::from_faces(&points, &faces)?;
    /// let covered = row.hide_covered();
    /// assert_eq!((covered.faces, covered.edges), (2, 8));
    /// # Ok::<(), clearance::MeshError>(())
    /// ```
    pub fn hide_covered(&mut self) -> Covered {
        if self.fill != Fill::Inside {
            return Covered::default();
        }
        let cover = Cover::new(self);
        if cover.pieces.len() < 2 || cover.pieces.iter().any(|piece| cover.is_hollow(piece)) {
            return Covered::default();
        }
        let hidden: Vec<bool> = (0..self.faces.len()).map(|face| cover.hides_face(face)).collect();
        let internal: Vec<bool> = self.edges.iter().map(|edge| edge.internal || cover.hides_edge(edge)).collect();
        let inside: Vec<bool> = (0..self.points.len()).map(|point| cover.hides_point(point)).collect();
        let mut covered = Covered { faces: hidden.iter().filter(|&&hidden| hidden).count(), ..Covered::default() };
        let mut blunt = vec![true; self.points.len()];
        for (edge, internal) in self.edges.iter_mut().zip(internal) {
            covered.edges += usize::from(internal && !edge.internal);
            edge.internal = internal;
            edge.ends.iter().for_each(|&v| blunt[v as usize] &= internal || inside[v as usize]);
        }
        covered.points = blunt.iter().zip(&self.blunt).filter(|&(&now, &before)| now && !before).count();
        self.blunt = blunt;
        for corner in &mut self.corners {
            corner.blunt = self.blunt[corner.point as usize];
            corner.internal = self.edges[corner.edge as usize].internal;
        }
        for (index, _) in hidden.iter().enumerate().filter(|&(_, &hidden)| hidden) {
            let face = self.faces[index];
            let is_left = |c: &Corner| !self.edges[c.edge as usize].internal || !self.blunt[c.point as usize];
            let seen = self.loop_of(&face).iter().any(is_left);
            self.faces[index].sight = if seen { Sight::Covered } else { Sight::Buried };
        }
        covered
    }

    /// Whether other pieces were found to cover all of a polygon.
    #[inline]
    pub fn is_hidden_face(&self, face: u32) -> bool {
        self.faces.get(face as usize).is_some_and(|face| face.sight != Sight::Open)
    }

    /// The ends of an edge, and whether it is internal.
    pub fn edge(&self, edge: u32) -> Option<([Vec3; 2], bool)> {
        let edge = self.edges.get(edge as usize)?;
        Some((edge.ends.map(|v| narrow(self.points[v as usize])), edge.internal))
    }

    /// The number of edges beside polygons that are not covered, and how many of them are internal.
    pub fn visible_edge_counts(&self) -> (usize, usize) {
        let shown = |&polygon: &u32| polygon != NONE && !self.is_hidden_face(polygon);
        let visible = || self.edges.iter().filter(|edge| edge.polygons.iter().any(shown));
        (visible().count(), visible().filter(|edge| edge.internal).count())
    }

    /// Of the edges beside polygons that are not covered, how many have polygons that face towards each other: the internal edges of the
    /// paper, without flat ones and those inside of pieces. For worlds of convex pieces.
    pub fn concave_edge_count(&self) -> usize {
        let cover = Cover::new(self);
        let shown = |&polygon: &u32| polygon != NONE && !self.is_hidden_face(polygon);
        self.edges.iter().filter(|edge| edge.polygons.iter().any(shown) && cover.is_concave(edge)).count()
    }

    /// The number of polygons that other pieces cover.
    pub fn hidden_face_count(&self) -> usize {
        self.faces.iter().filter(|face| face.sight != Sight::Open).count()
    }
}

impl<'p> Cover<'p> {
    fn new(solid: &'p Polyhedron) -> Self {
        let flatness = widen_real(POLYGON_FLATNESS) * solid.radius;
        let (mut pieces, mut numbers) = (Vec::new(), vec![NONE; solid.points.len()]);
        let first_of = first_points(&solid.edges, solid.points.len());
        for (index, face) in solid.faces.iter().enumerate() {
            let number = &mut numbers[first_of[solid.loop_of(face)[0].point as usize] as usize];
            if *number == NONE {
                *number = pieces.len() as u32;
                pieces.push(Piece { faces: Vec::new(), covers: true });
            }
            pieces[*number as usize].faces.push(index as u32);
        }
        let piece_of: Vec<u32> = first_of.iter().map(|&first| numbers[first as usize]).collect();
        for edge in solid.edges.iter().filter(|edge| edge.polygons.contains(&NONE)) {
            pieces[piece_of[edge.ends[0] as usize] as usize].covers = false;
        }
        let mut cover = Self { solid, pieces, piece_of, tree: Bvh::new(), flatness };
        for index in 0..cover.pieces.len() {
            let piece = &cover.pieces[index];
            let covers = piece.covers && piece.faces.len() <= LARGEST_PIECE && cover.is_convex(piece);
            cover.pieces[index].covers = covers;
        }
        let boxes: Vec<Aabb> = cover.pieces.iter().map(|piece| cover.bounds(piece)).collect();
        cover.tree = Bvh::from_boxes(&boxes);
        cover
    }

    fn corners<'s>(&'s self, piece: &'s Piece) -> impl Iterator<Item = DVec3> + 's {
        let faces = piece.faces.iter().map(|&face| &self.solid.faces[face as usize]);
        faces.flat_map(|face| self.solid.loop_of(face)).map(|corner| self.solid.points[corner.point as usize])
    }

    fn bounds(&self, piece: &Piece) -> Aabb {
        Aabb::from_points(self.corners(piece).map(narrow))
    }

    /// Whether no point of the piece is above any of its planes. Each point is asked once for each plane of a small piece.
    fn is_convex(&self, piece: &Piece) -> bool {
        let mut points: Vec<u32> = piece
            .faces
            .iter()
            .flat_map(|&face| self.solid.loop_of(&self.solid.faces[face as usize]))
            .map(|corner| corner.point)
            .collect();
        points.sort_unstable();
        points.dedup();
        let below =
            |face: u32| points.iter().all(|&p| self.height(face, self.solid.points[p as usize]) <= self.flatness);
        piece.faces.iter().all(|&face| below(face))
    }

    /// Whether the piece is the surface of a hollow: its volume is negative.
    fn is_hollow(&self, piece: &Piece) -> bool {
        let Some(origin) = self.corners(piece).next() else { return false };
        let volume_of = |&face: &u32| {
            let corners = self.solid.loop_of(&self.solid.faces[face as usize]);
            let at = |corner: &Corner| self.solid.points[corner.point as usize] - origin;
            let fan = corners.windows(2).skip(1).map(|pair| at(&corners[0]).dot(at(&pair[0]).cross(at(&pair[1]))));
            fan.sum::<f64>()
        };
        piece.faces.iter().map(volume_of).sum::<f64>() < 0.0
    }

    fn height(&self, face: u32, p: DVec3) -> f64 {
        let face = &self.solid.faces[face as usize];
        face.normal.dot(p) - face.offset
    }

    /// The other pieces that cover something and whose boxes are near.
    fn near(&self, bounds: Bounds, own: u32) -> Vec<u32> {
        let mut near = Vec::new();
        self.tree.overlapping(&bounds.grown(2.0 * self.flatness).node_box(), |piece| {
            if piece != own && self.pieces[piece as usize].covers {
                near.push(piece);
            }
        });
        // The tree's order depends on its shape only; theirs should not even on that.
        near.sort_unstable();
        near
    }

    /// Whether a point is inside another piece, or on one of its polygons and not on a second one.
    fn hides_point(&self, point: usize) -> bool {
        let (p, own) = (self.solid.points[point], self.piece_of[point]);
        self.near(Bounds { min: p, max: p }, own).into_iter().any(|piece| {
            let heights = || self.pieces[piece as usize].faces.iter().map(|&face| self.height(face, p));
            heights().all(|h| h <= self.flatness) && heights().filter(|&h| h >= -self.flatness).count() <= 1
        })
    }
}
