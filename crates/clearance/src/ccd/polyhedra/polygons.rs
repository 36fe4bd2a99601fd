//! The polygons of a polyhedron: faces as they are if they are flat and convex to rounding, otherwise their triangles; and
//! neighbours in one plane to rounding united, so that casts look at few and large ones.
//!
//! A polygon is the part of its plane within the lines of all its edges. So flat and convex mean that no corner is farther than the
//! flatness from the plane or beyond any edge's line; a turn at one corner alone would not do, since the line of a short edge that is
//! bent by rounding is far off at the other end of the polygon. Flatness is far below the margins of casts.

use glam::DVec3;

use crate::shape::mesh::{Judge, half_edges, triangulated, united, vector_area};
use crate::tolerance::FLAT_FACING;

/// United polygons have no more corners than this: each is looked at whenever the polygon is.
const MOST_CORNERS: usize = 32;

/// A convex polygon with its plane, which no point of it is above.
#[derive(Debug, Clone)]
pub(super) struct Polygon {
    pub corners: Vec<u32>,
    pub normal: DVec3,
    pub offset: f64,
}

/// The polygons of some faces, each a loop of points.
pub(super) fn polygons(points: &[DVec3], faces: impl Iterator<Item = Vec<u32>>, flatness: f64) -> Vec<Polygon> {
    let judge = Roughly { points, flatness, groups: Vec::new() };
    let mut loops = Vec::new();
    for corners in faces {
        let normal = judge.normal(&corners);
        if corners.len() == 3 || judge.is_flat(&corners, normal) && judge.is_convex_loop(&corners, normal) {
            loops.push(corners);
            continue;
        }
        let places: Vec<DVec3> = corners.iter().map(|&v| points[v as usize]).collect();
        match triangulated(&places, normal) {
            Ok(cut) => loops.extend(cut.into_iter().map(|triangle| triangle.map(|i| corners[i]).to_vec())),
            // Not a face of a mesh: those have triangles.
            Err(_) => loops.push(corners),
        }
    }
    let (groups, loops) = judge.united(loops);
    let finished = |(corners, group): (Vec<u32>, Group)| {
        let heights = group.members.iter().map(|&v| group.normal.dot(points[v as usize]));
        Polygon { corners, normal: group.normal, offset: heights.fold(f64::NEG_INFINITY, f64::max) }
    };
    loops.into_iter().zip(groups).map(finished).collect()
}

/// United are polygons that are flat and convex together, to rounding.
struct Roughly<'p> {
    points: &'p [DVec3],
    flatness: f64,
    groups: Vec<Group>,
}

/// What a polygon is made of: all points of it, also those that are no corners any more.
#[derive(Debug, Clone, Default)]
struct Group {
    normal: DVec3,
    members: Vec<u32>,
}

impl Roughly<'_> {
    fn united(mut self, loops: Vec<Vec<u32>>) -> (Vec<Group>, Vec<Vec<u32>>) {
        self.groups = loops.iter().map(|c| Group { normal: self.normal(c), members: c.clone() }).collect();
        let mut starts = vec![0];
        starts.extend(loops.iter().scan(0, |end, corners| {
            *end += corners.len() as u32;
            Some(*end)
        }));
        let half_edges = half_edges(&starts, &loops.concat());
        let loops = united(loops, &half_edges, &mut self);
        self.groups.retain(|group| !group.members.is_empty());
        (self.groups, loops)
    }

    fn at(&self, v: u32) -> DVec3 {
        self.points[v as usize]
    }

    /// The unit normal of a loop.
    fn normal(&self, corners: &[u32]) -> DVec3 {
        let places: Vec<DVec3> = corners.iter().map(|&v| self.at(v)).collect();
        let area = vector_area(&places);
        let largest = area.abs().max_element();
        if largest > 0.0 { (area / largest).normalize() } else { DVec3::Z }
    }

    fn is_flat(&self, points: &[u32], normal: DVec3) -> bool {
        let heights = points.iter().map(|&v| normal.dot(self.at(v)));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)));
        high - low <= self.flatness
    }

    /// Whether no corner is beyond the line of an edge.
    fn is_convex_loop(&self, corners: &[u32], normal: DVec3) -> bool {
        (0..corners.len()).all(|i| {
            let (from, to) = (self.at(corners[i]), self.at(corners[(i + 1) % corners.len()]));
            let inward = normal.cross(to - from).normalize_or_zero();
            corners.iter().all(|&v| inward.dot(self.at(v) - from) >= -self.flatness)
        })
    }
}

impl Judge for Roughly<'_> {
    fn in_one_plane(&self, left: u32, right: u32) -> bool {
        let [a, b] = [left, right].map(|face| &self.groups[face as usize]);
        let (large, small) = if a.members.len() < b.members.len() { (b, a) } else { (a, b) };
        let from = self.at(large.members[0]);
        let near = |v: &u32| large.normal.dot(self.at(*v) - from).abs() <= self.flatness;
        large.normal.dot(small.normal) > FLAT_FACING && small.members.iter().all(near)
    }

    fn is_convex(&self, left: u32, right: u32, joined: &[u32], _seams: [usize; 2]) -> bool {
        if joined.len() > MOST_CORNERS {
            return false;
        }
        let normal = self.normal(joined);
        let [a, b] = [left, right].map(|face| &self.groups[face as usize].members);
        let members: Vec<u32> = a.iter().chain(b).copied().collect();
        self.is_flat(&members, normal) && self.is_convex_loop(joined, normal)
    }

    fn united(&mut self, left: u32, right: u32, joined: &[u32]) {
        let mut inner = std::mem::take(&mut self.groups[right as usize].members);
        let normal = self.normal(joined);
        let group = &mut self.groups[left as usize];
        inner.retain(|v| !group.members.contains(v));
        group.members.extend(inner);
        group.normal = normal;
    }
}
