//! How far a convex part reaches beyond a solid.
//!
//! The greatest distance from a point of the part to the solid, by cubes that cover the part: the point q of the part nearest to the centre of
//! a cube is no farther from any point of the part in the cube than the centre is, so no such point is farther from the solid than q is by more than half
//! the cube's diagonal. The cube with the greatest bound is divided first.
//!
//! Where no face of the solid is deeper in the part than rounding (a *wall*) around a cube, and a point z of the part nearby is in the solid, what of
//! the part is in the cube is in the solid but for rounding: for a point x of it that is not in the solid, the way from z to x passes the
//! solid's surface at a point y on a face that is no wall, on or beyond a plane of the part to rounding. With D the depth of z below that
//! plane, y is so near to the end of the way that |x − y| is at most |x − z| · rounding / D.

use std::collections::BinaryHeap;

use glam::DVec3;

use super::piece::span;
use crate::bvh::NodeBox;
use crate::math::{Aabb, Pose, narrow, widen, widen_real};
use crate::narrow::PairCache;
use crate::polytope::Polytope;
use crate::ray::{project_on_convex, project_on_mesh};
use crate::shape::Shape;
use crate::shape::mesh::Mesh;
use crate::tolerance::DECOMPOSED_FLAT;

/// Cubes that are looked at for one part.
const MOST_CUBES: usize = 4096;

/// Rounds over all planes in which a point is moved inward: it is in a corner of three planes at most times.
const INWARD_STEPS: usize = 4;

/// Cubes that are beyond the solid by at most this many roundings are not divided: the bound of a cube without walls in a corner.
const NEGLIGIBLE: f64 = 8.0;

/// How far a part reaches beyond the solid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Excess {
    /// At most so far.
    pub upper: f64,
    /// The farthest point found.
    pub farthest: DVec3,
}

/// Tells how far parts reach beyond a solid.
pub(super) struct Judge<'a> {
    mesh: &'a Mesh,
    tolerance: f64,
}

/// A cube with the bound for what of the part is in it.
struct Cube {
    bound: f64,
    centre: DVec3,
    half: f64,
    /// When it was made: among equal bounds the oldest is divided first.
    number: usize,
}

impl PartialEq for Cube {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cube {}

impl PartialOrd for Cube {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cube {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.bound.total_cmp(&other.bound).then(other.number.cmp(&self.number))
    }
}

/// What is known while cubes are divided.
struct Search<'a> {
    judge: &'a Judge<'a>,
    shape: Shape,
    walls: Vec<bool>,
    planes: Vec<(DVec3, f64)>,
    /// The depth of the part's centroid.
    depth: f64,
    /// What is rounding in a part of its size.
    flat: f64,
    cubes: BinaryHeap<Cube>,
    made: usize,
    lower: f64,
    farthest: DVec3,
}

impl<'a> Judge<'a> {
    pub fn new(mesh: &'a Mesh, tolerance: f64) -> Self {
        Self { mesh, tolerance }
    }

    /// How far a part reaches.
    pub fn excess(&self, hull: &Polytope) -> Excess {
        let [low, high] = span(hull.vertices().iter().map(|v| widen(*v)));
        let flat = DECOMPOSED_FLAT * (high - low).max_element();
        let planes: Vec<(DVec3, f64)> = (0..hull.face_count() as u32)
            .map(|face| hull.plane(face))
            .map(|plane| (widen(plane.normal), widen_real(plane.offset)))
            .collect();
        let mut search = Search {
            judge: self,
            shape: hull.clone().into(),
            walls: self.walls(&planes, [low, high], flat),
            depth: depth(&planes, widen(hull.centroid())),
            planes,
            flat,
            cubes: BinaryHeap::new(),
            made: 0,
            lower: 0.0,
            farthest: (low + high) * 0.5,
        };
        search.add((low + high) * 0.5, 0.5 * (high - low).max_element());
        // A tenth of the tolerance is near enough to say whether it is kept; beyond it a quarter of itself says where to cut.
        while let Some(cube) = search.cubes.pop() {
            let enough =
                if search.lower > self.tolerance { 1.25 * search.lower } else { search.lower + 0.1 * self.tolerance };
            if cube.bound <= enough || search.made >= MOST_CUBES {
                return Excess { upper: cube.bound.max(search.lower) + NEGLIGIBLE * flat, farthest: search.farthest };
            }
            for octant in 0..8u8 {
                let sign = |bit: u8| if octant >> bit & 1 == 0 { -0.5 } else { 0.5 };
                search.add(cube.centre + DVec3::new(sign(0), sign(1), sign(2)) * cube.half, 0.5 * cube.half);
            }
        }
        Excess { upper: search.lower + NEGLIGIBLE * flat, farthest: search.farthest }
    }

    /// Which triangles of the solid are deeper in a part than rounding, in part at least.
    fn walls(&self, planes: &[(DVec3, f64)], [low, high]: [DVec3; 2], flat: f64) -> Vec<bool> {
        let mut walls = vec![false; self.mesh.triangle_count()];
        let around = NodeBox::enclosing(&Aabb { min: narrow(low), max: narrow(high) });
        self.mesh.tree().overlapping(&around, |nth| {
            let corners = self.mesh.triangle(nth).0.map(widen);
            // On or beyond one plane of the part it is no wall.
            walls[nth as usize] = !planes
                .iter()
                .any(|(normal, offset)| corners.iter().all(|corner| normal.dot(*corner) - offset >= -flat));
        });
        walls
    }
}

impl Search<'_> {
    /// Looks at a cube, and keeps it if it may hold a point that is farther than what is known.
    fn add(&mut self, centre: DVec3, half: f64) {
        self.made += 1;
        let reach = half * 3f64.sqrt();
        let on_part = project_on_convex(&self.shape, &Pose::IDENTITY, narrow(centre), &mut PairCache::default());
        // The projection of a point inside the part is the point itself.
        let q = if on_part.distance <= 0.0 { centre } else { widen(on_part.nearest) };
        if widen_real(on_part.lower) > reach {
            return;
        }
        let beyond = self.beyond(q);
        if beyond > self.lower {
            (self.lower, self.farthest) = (beyond, q);
        }
        let bound = (beyond + reach).min(self.beside_walls(centre, q, half));
        if bound > self.lower.max(NEGLIGIBLE * self.flat) {
            self.cubes.push(Cube { bound, centre, half, number: self.made });
        }
    }

    /// How far a point is from the solid, at most.
    fn beyond(&self, point: DVec3) -> f64 {
        widen_real(project_on_mesh(self.judge.mesh, &Pose::IDENTITY, narrow(point)).upper)
    }

    /// How far what of the part is in a cube is beyond the solid, at most, where there is no wall; `q` is the point of the part nearest to the
    /// centre.
    fn beside_walls(&self, centre: DVec3, q: DVec3, half: f64) -> f64 {
        let z = self.below(q, half.min(self.depth));
        let deep = depth(&self.planes, z);
        // The way from z to a point of the cube is in the box of both.
        if deep <= 0.0 || self.has_wall(centre, half.max((z - centre).abs().max_element())) || self.beyond(z) > 0.0 {
            return f64::INFINITY;
        }
        ((z - centre).length() + half * 3f64.sqrt()) * self.flat / deep
    }

    /// A point near one of the part that is so deep in it, or nearly.
    fn below(&self, point: DVec3, depth: f64) -> DVec3 {
        let mut z = point;
        for _ in 0..INWARD_STEPS {
            for (normal, offset) in &self.planes {
                z -= *normal * (normal.dot(z) - (offset - depth)).max(0.0);
            }
        }
        z
    }

    /// Whether the box of a wall meets a cube.
    fn has_wall(&self, centre: DVec3, half: f64) -> bool {
        let reach = DVec3::splat(half);
        let cube = NodeBox::enclosing(&Aabb { min: narrow(centre - reach), max: narrow(centre + reach) });
        let mut found = false;
        self.judge.mesh.tree().overlapping(&cube, |nth| found |= self.walls[nth as usize]);
        found
    }
}

/// How far a point is below the nearest of some planes.
fn depth(planes: &[(DVec3, f64)], point: DVec3) -> f64 {
    planes.iter().map(|(normal, offset)| offset - normal.dot(point)).fold(f64::INFINITY, f64::min)
}
