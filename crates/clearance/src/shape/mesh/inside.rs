//! Whether a point is inside a solid, exactly.
//!
//! The winding number of the surface about a point is the signed number of triangles that a ray upwards passes through. Whether
//! it passes through one is decided in the projection along the ray by exact predicates, with the point moved by an
//! infinitesimal step (down in y, and by its square along x): no projected edge or corner is ever hit, and two triangles that
//! share an edge agree about it. Triangles seen edge-on are never hit. A point is on the surface if it is in the plane of a
//! triangle and not outside it, without any such step.

use glam::DVec3;
use robust::Coord;

use super::topology::Surface;
use super::{Mesh, MeshError, Triangle};
use crate::bvh::{Bvh, RayPath};
use crate::math::predicates::{collinear, orient3d};
use crate::shape::mass::MassProperties;
use crate::tolerance::VOLUME_ERROR;

/// Where a point is with respect to a solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// In its interior.
    Inside,
    /// On its surface.
    Boundary,
    /// Not part of it.
    Outside,
}

impl Mesh {
    /// Where a point, in the frame of the mesh, is with respect to the solid, exactly: that of a room is outside of its surface.
    /// For a mesh that is neither solid nor room all is outside but its surface.
    pub fn locate(&self, point: crate::math::Vec3) -> Side {
        self.locate_wide(crate::math::widen(point))
    }

    pub(crate) fn locate_wide(&self, point: DVec3) -> Side {
        match self.winding(point, |_| true) {
            None => Side::Boundary,
            Some(winding) if (self.solid && winding > 0) || (self.room && winding >= 0) => Side::Inside,
            Some(_) => Side::Outside,
        }
    }

    /// The winding number of the triangles that count; nothing if the point is on one of them.
    fn winding(&self, point: DVec3, counts: impl Fn(&Triangle) -> bool) -> Option<i32> {
        winding(&self.tree, point, |index| {
            let triangle = &self.triangles[index as usize];
            if counts(triangle) { crossing(triangle.corners.map(|v| self.wide(v)), point) } else { Some(0) }
        })
    }

    /// Faces of closed parts that are inside out: a part that takes volume away must be a hollow of another one.
    /// In a room, which is a hollow of all space, there must be such a part.
    pub(super) fn inverted_faces(&self, surface: &Surface) -> Result<Vec<u32>, MeshError> {
        let of_vertices = surface.part_of_vertices(self.vertices.len());
        let part_of = |triangle: &Triangle| of_vertices[triangle.corners[0] as usize];
        let middle = crate::math::widen(self.bounds.center());
        let mut volumes = std::collections::BTreeMap::new();
        for triangle in &self.triangles {
            let [a, b, c] = triangle.corners.map(|v| self.wide(v) - middle);
            let six = a.dot(b.cross(c));
            let [sum, all] = volumes.entry(part_of(triangle)).or_insert([0.0; 2]);
            (*sum, *all) = (*sum + six, *all + six.abs());
        }
        // The first of its vertices that is not on another part, as those of pieces that touch are.
        let inverted = |&part: &u32| {
            let own = (part..self.vertices.len() as u32).filter(|&v| of_vertices[v as usize] == part);
            let mut around = own.filter_map(|v| self.winding(self.wide(v), |triangle| part_of(triangle) != part));
            around.next().is_some_and(|winding| winding + i32::from(self.room) < 1)
        };
        let takes_away = |&(_, [sum, all]): &(u32, [f64; 2])| sum < -VOLUME_ERROR * all;
        let mut hollows = volumes.into_iter().filter(takes_away).map(|(part, _)| part).peekable();
        if self.room && hollows.peek().is_none() {
            return Err(MeshError::NoRoom);
        }
        let wrong: Vec<u32> = hollows.filter(inverted).collect();
        let is_wrong =
            |face: &u32| wrong.binary_search(&of_vertices[surface.corners(*face as usize)[0] as usize]).is_ok();
        Ok((0..surface.count() as u32).filter(is_wrong).collect())
    }
}

impl Mesh {
    /// Mass properties with what is solid counted once: parts that change nothing about what is solid are left out, those that face
    /// outwards inside of another one and hollows in what is solid twice.
    pub(super) fn counted_mass(&self, surface: &Surface) -> MassProperties {
        if !self.solid || self.parts.len() < 2 {
            return self.measured(|_| 1.0);
        }
        let of_vertices = surface.part_of_vertices(self.vertices.len());
        let part_of = |triangle: &Triangle| of_vertices[triangle.corners[0] as usize];
        let middle = crate::math::widen(self.bounds.center());
        let mut volumes = vec![0.0; self.vertices.len()];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.corners.map(|v| self.wide(v) - middle);
            volumes[part_of(triangle) as usize] += a.dot(b.cross(c));
        }
        let mut vertices_of = vec![Vec::new(); self.vertices.len()];
        for (v, &part) in of_vertices.iter().enumerate() {
            vertices_of[part as usize].push(v as u32);
        }
        // Whether all vertices that are not on the other parts are where the part makes no difference; the first tells for most.
        let is_idle = |&part: &u32| {
            let outwards = volumes[part as usize] >= 0.0;
            let windings = vertices_of[part as usize].iter();
            let mut windings =
                windings.filter_map(|&v| self.winding(self.wide(v), |triangle| part_of(triangle) != part)).peekable();
            windings.peek().is_some() && windings.all(|w| if outwards { w >= 1 } else { w >= 2 })
        };
        let idle: std::collections::HashSet<u32> = self.parts.iter().copied().filter(is_idle).collect();
        self.measured(|triangle| if idle.contains(&part_of(triangle)) { 0.0 } else { 1.0 })
    }
}

/// The winding number about a point: the sum of what the leaves of a tree of polygons' boxes say of the ray upwards from it (see
/// [`crossing`]); nothing if one of them says that the point is on it.
pub(crate) fn winding(tree: &Bvh, point: DVec3, mut crossings: impl FnMut(u32) -> Option<i32>) -> Option<i32> {
    let mut winding = Some(0);
    let [middle, half] = tree.bounds().middle_and_half();
    let size = (middle - point).abs().max_element() + half.max_element();
    if let Some(path) = RayPath::new(tree, point, DVec3::Z, size, 0.0) {
        tree.along_ray(&path, f32::INFINITY, |index, _| {
            winding = winding.and_then(|sum| Some(sum + crossings(index)?));
            if winding.is_some() { f32::INFINITY } else { f32::NEG_INFINITY }
        });
    }
    winding
}

/// How the ray upwards from the point crosses a triangle: 1 if it leaves through it, −1 if it enters, 0 if it misses;
/// nothing if the point is on the triangle.
pub(crate) fn crossing([a, b, c]: [DVec3; 3], point: DVec3) -> Option<i32> {
    let turns = [[a, b], [b, c], [c, a]].map(|[p, q]| flat_turn(p, q, point));
    // Beside the triangle as seen from above: neither on it nor below.
    if turns.iter().any(|&turn| turn > 0.0) && turns.iter().any(|&turn| turn < 0.0) {
        return Some(0);
    }
    let below = orient3d(a, b, c, point);
    if below == 0.0 && in_triangle([a, b, c], point) {
        return None;
    }
    let turns = [moved(turns[0], a, b), moved(turns[1], b, c), moved(turns[2], c, a)];
    let seen = turns[0];
    if seen == 0 || turns[1] != seen || turns[2] != seen || below == 0.0 {
        return Some(0);
    }
    // Seen from above it turns to the left: its outside is above it, and the point is on the inner side if it is below.
    let point_is_below = (below > 0.0) == (seen > 0);
    Some(if point_is_below { seen } else { 0 })
}

/// The turn from `p` to `q` to the point, seen from above.
fn flat_turn(p: DVec3, q: DVec3, point: DVec3) -> f64 {
    let flat = |v: DVec3| Coord { x: v.x, y: v.y };
    robust::orient2d(flat(p), flat(q), flat(point))
}

/// The sign of that turn for the point moved by its infinitesimal step; zero only if p and q are above each other.
fn moved(turn: f64, p: DVec3, q: DVec3) -> i32 {
    let sign = |x: f64| i32::from(x > 0.0) - i32::from(x < 0.0);
    match sign(turn) {
        0 => match sign(p.x - q.x) {
            0 => sign(p.y - q.y),
            along => along,
        },
        sign => sign,
    }
}

/// Whether a point in the plane of a triangle, or of a degenerate one, is in it, boundary included.
fn in_triangle([a, b, c]: [DVec3; 3], point: DVec3) -> bool {
    if collinear(a, b, c) {
        return on_segment([a, b], point) || on_segment([b, c], point) || on_segment([c, a], point);
    }
    let axes: [fn(DVec3) -> Coord<f64>; 3] =
        [|v| Coord { x: v.x, y: v.y }, |v| Coord { x: v.y, y: v.z }, |v| Coord { x: v.z, y: v.x }];
    axes.into_iter().all(|flat| {
        let turn = |p: DVec3, q: DVec3, r: DVec3| robust::orient2d(flat(p), flat(q), flat(r));
        let whole = turn(a, b, c);
        whole == 0.0 || [[a, b], [b, c], [c, a]].iter().all(|[p, q]| turn(*p, *q, point) * whole.signum() >= 0.0)
    })
}

fn on_segment([a, b]: [DVec3; 2], point: DVec3) -> bool {
    collinear(a, b, point) && a.min(b).cmple(point).all() && point.cmple(a.max(b)).all()
}
