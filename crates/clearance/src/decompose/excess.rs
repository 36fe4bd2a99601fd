//! How far a convex part reaches beyond a solid.
//!
//! The greatest distance from a point of the part to the solid, by cubes that cover the part: the point q of the part nearest to the centre of
//! a cube is no farther from any point of the part in the cube than the centre is, so no such point is farther from the solid than q is by more than half
//! the cube's diagonal. The cube with the greatest bound is divided first.
//!
//! A cube needs no dividing if no face of the solid is deeper in the part than rounding there, and q is in the solid, or on it to rounding: what
//! is convex and has no wall in it is on one side.

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
    /// What is rounding.
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
        let mut search = Search {
            judge: self,
            shape: hull.clone().into(),
            walls: self.walls(hull, [low, high], flat),
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
                return Excess { upper: cube.bound.max(search.lower) + 2.0 * flat, farthest: search.farthest };
            }
            for octant in 0..8u8 {
                let sign = |bit: u8| if octant >> bit & 1 == 0 { -0.5 } else { 0.5 };
                search.add(cube.centre + DVec3::new(sign(0), sign(1), sign(2)) * cube.half, 0.5 * cube.half);
            }
        }
        Excess { upper: search.lower + 2.0 * flat, farthest: search.farthest }
    }

    /// Which triangles of the solid are deeper in a part than rounding, in part at least.
    fn walls(&self, hull: &Polytope, [low, high]: [DVec3; 2], flat: f64) -> Vec<bool> {
        let planes: Vec<_> = (0..hull.face_count() as u32).map(|face| hull.plane(face)).collect();
        let mut walls = vec![false; self.mesh.triangle_count()];
        let around = NodeBox::enclosing(&Aabb { min: narrow(low), max: narrow(high) });
        self.mesh.tree().overlapping(&around, |nth| {
            let corners = self.mesh.triangle(nth).0.map(widen);
            // On or beyond one plane of the part it is no wall.
            walls[nth as usize] = !planes.iter().any(|plane| {
                let (normal, offset) = (widen(plane.normal), widen_real(plane.offset));
                corners.iter().all(|corner| normal.dot(*corner) - offset >= -flat)
            });
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
        if (q - centre).abs().max_element() > half * (1.0 + DECOMPOSED_FLAT) && widen_real(on_part.lower) > reach {
            return;
        }
        let beyond = widen_real(project_on_mesh(self.judge.mesh, &Pose::IDENTITY, narrow(q)).distance);
        if beyond > self.lower {
            (self.lower, self.farthest) = (beyond, q);
        }
        if beyond <= self.flat && !self.has_wall(centre, half) {
            return;
        }
        let bound = beyond + reach;
        if bound > self.lower {
            self.cubes.push(Cube { bound, centre, half, number: self.made });
        }
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
