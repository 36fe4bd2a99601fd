//! The moving environment of Q_COLLIDE's experiments (section 6.2): polytopes of one shape and size in a closed cube, each with
//! a steady velocity of 5 % of its radius and a steady turn of 10° per frame, both reversed by a collision.
//!
//! The thesis names its three shapes without dimensions: an ellipsoid, a thin rod and a flat plate, hulls of random points on
//! their surfaces. Rods and plates are made in three ways here: as ellipsoids of 1 : 1 : 10 and 10 : 10 : 1, as cylinders and as boxes of the same
//! proportions; the largest half axis is one. On ellipsoids all points are vertices; on the others those are that the hull keeps.
//! Bodies start on a lattice that keeps them apart, so that every collision is one of the motion.

use std::collections::HashMap;

use clearance::{Aabb, Pose, Shape};
use clearance_testkit::Rng;
use glam::DVec3;

use crate::Failure;
use crate::trajectory::{Motion, Mover, cells_along};

/// Edge of the cell that each body starts in, in radii: at least two keep them apart.
const CELL: f64 = 2.5;
/// The thesis's: 5 % of the radius and 10° per frame.
pub(crate) const MOTION: Motion = Motion { speed: 0.05, turn_degrees: 10.0, cell: CELL };
/// Different hulls among the bodies.
const HULLS: usize = 20;

/// One of the shapes of section 6.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Figure {
    Ellipsoid,
    Rod,
    Plate,
    RodCylinder,
    PlateCylinder,
    RodBox,
    PlateBox,
}

impl Figure {
    /// As ellipsoids.
    pub(crate) const ALL: [Self; 3] = [Self::Ellipsoid, Self::Rod, Self::Plate];
    /// With the other ways to make rods and plates.
    pub(crate) const EVERY: [Self; 7] =
        [Self::Ellipsoid, Self::Rod, Self::Plate, Self::RodCylinder, Self::PlateCylinder, Self::RodBox, Self::PlateBox];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ellipsoid => "ellipsoid",
            Self::Rod => "rod (ellipsoid)",
            Self::Plate => "plate (ellipsoid)",
            Self::RodCylinder => "rod (cylinder)",
            Self::PlateCylinder => "plate (cylinder)",
            Self::RodBox => "rod (box)",
            Self::PlateBox => "plate (box)",
        }
    }

    /// Half axes, the largest one.
    fn half_axes(self) -> DVec3 {
        match self {
            Self::Ellipsoid => DVec3::new(0.4, 0.8, 1.0),
            Self::Rod | Self::RodCylinder | Self::RodBox => DVec3::new(0.1, 0.1, 1.0),
            Self::Plate | Self::PlateCylinder | Self::PlateBox => DVec3::new(1.0, 1.0, 0.1),
        }
    }

    /// `n` random points on the surface.
    pub(crate) fn points(self, rng: &mut Rng, n: usize) -> Vec<DVec3> {
        let half = self.half_axes();
        (0..n)
            .map(|_| {
                half * match self {
                    Self::Ellipsoid | Self::Rod | Self::Plate => rng.unit_vector(),
                    Self::RodCylinder | Self::PlateCylinder => on_cylinder(rng, half),
                    Self::RodBox | Self::PlateBox => on_box(rng, half),
                }
            })
            .collect()
    }
}

/// A point of the surface of a cylinder along z, each part by its area, in units of its half axes.
fn on_cylinder(rng: &mut Rng, half: DVec3) -> DVec3 {
    let (side, caps) = (4.0 * half.x * half.z, 2.0 * half.x * half.x);
    let angle = rng.uniform(0.0, std::f64::consts::TAU);
    let on_cap = rng.uniform(0.0, side + caps) < caps;
    let radius = if on_cap { rng.uniform(0.0, 1.0).sqrt() } else { 1.0 };
    let z = if on_cap { rng.sign() } else { rng.uniform(-1.0, 1.0) };
    DVec3::new(radius * angle.cos(), radius * angle.sin(), z)
}

/// A point of the surface of a box, each face by its area, in units of its half axes.
fn on_box(rng: &mut Rng, half: DVec3) -> DVec3 {
    let areas = [half.y * half.z, half.z * half.x, half.x * half.y];
    let mut at = rng.uniform(0.0, areas.iter().sum());
    let mut p = rng.in_box(DVec3::ONE);
    for (axis, area) in areas.into_iter().enumerate() {
        if at < area || axis == 2 {
            p[axis] = rng.sign();
            break;
        }
        at -= area;
    }
    p
}

/// The bodies, and what each pair whose boxes overlap remembers.
pub(crate) struct Environment<Cache> {
    hulls: Vec<Shape>,
    hull_of: Vec<usize>,
    bodies: Vec<Mover>,
    edge: f64,
    caches: HashMap<[usize; 2], Cache>,
}

impl<Cache: Default + Copy> Environment<Cache> {
    pub(crate) fn new(rng: &mut Rng, figure: Figure, n: usize, count: usize) -> Result<Self, Failure> {
        let mut hulls = Vec::with_capacity(HULLS);
        for _ in 0..HULLS.min(count) {
            hulls.push(Shape::polytope(&figure.points(rng, n))?);
        }
        let cells = cells_along(count);
        let hull_of = (0..count).map(|i| i % hulls.len().max(1)).collect();
        let bodies = (0..count).map(|i| Mover::new(rng, &MOTION, i, cells)).collect();
        Ok(Self { hulls, hull_of, bodies, edge: cells as f64 * CELL, caches: HashMap::new() })
    }

    /// Moves everything by one frame, asks `collide` about every pair whose tight boxes overlap, and reverses those that
    /// collide.
    pub(crate) fn frame(
        &mut self,
        mut collide: impl FnMut(&Shape, &Pose, &Shape, &Pose, &mut Cache) -> bool,
    ) -> Result<(), Failure> {
        self.bodies.iter_mut().for_each(|body| body.advance(self.edge));
        let mut poses = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            poses.push(body.pose()?);
        }
        let shape = |i: usize| &self.hulls[self.hull_of[i]];
        let boxes: Vec<Aabb> = (0..poses.len()).map(|i| shape(i).aabb(&poses[i])).collect();
        // A pair whose boxes part forgets: the next time it starts cold, as in the thesis.
        let mut caches = HashMap::new();
        let mut reversed = vec![false; poses.len()];
        for [i, j] in overlapping(&boxes) {
            let mut cache = self.caches.get(&[i, j]).copied().unwrap_or_default();
            if collide(shape(i), &poses[i], shape(j), &poses[j], &mut cache) {
                (reversed[i], reversed[j]) = (true, true);
            }
            caches.insert([i, j], cache);
        }
        self.caches = caches;
        for (body, _) in self.bodies.iter_mut().zip(reversed).filter(|(_, reversed)| *reversed) {
            body.reverse();
        }
        Ok(())
    }
}

/// All pairs of boxes that overlap, by sweeping along x.
fn overlapping(boxes: &[Aabb]) -> Vec<[usize; 2]> {
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|&i, &j| boxes[i].min.x.total_cmp(&boxes[j].min.x));
    let mut pairs = Vec::new();
    for (rank, &i) in order.iter().enumerate() {
        for &j in order[rank + 1..].iter().take_while(|&&j| boxes[j].min.x <= boxes[i].max.x) {
            let (a, b) = (&boxes[i], &boxes[j]);
            if a.min.cmple(b.max).all() && b.min.cmple(a.max).all() {
                pairs.push([i.min(j), i.max(j)]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}
