//! Solids whose surfaces coincide: touching or overlapping is a decision, held against whole cells of a grid.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use std::collections::HashSet;

use clearance::concave::{BodyCache, closest, overlap};
use clearance::{Body, Contact};
use clearance::{End, Mesh, Pose};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use common::voxels::cells;
use common::{narrowed, pose_of};
use glam::{DQuat, DVec3};

type Cell = [i32; 3];

/// A random solid of cells, grown from one so that it hangs together, with its mesh.
fn solid(rng: &mut Rng, size: Cell) -> Option<(HashSet<Cell>, Body)> {
    let mut filled = HashSet::from([size.map(|n| rng.index(n as usize) as i32)]);
    for _ in 0..200 {
        let list: Vec<Cell> = {
            let mut list: Vec<Cell> = filled.iter().copied().collect();
            list.sort_unstable();
            list
        };
        let mut next = list[rng.index(list.len())];
        next[rng.index(3)] += if rng.chance(0.5) { 1 } else { -1 };
        if (0..3).all(|k| (0..size[k]).contains(&next[k])) && filled.len() < 14 {
            filled.insert(next);
        }
    }
    let poly = cells(size, false, 0.0, rng, |cell| filled.contains(&cell))?;
    let mesh = Mesh::new(&narrowed(&poly.points), &poly.faces).ok()?;
    Some((filled, mesh.into()))
}

/// What two sets of cells are to each other, the second moved by whole cells.
fn truth(a: &HashSet<Cell>, b: &HashSet<Cell>, by: Cell) -> Contact {
    let moved = |cell: &Cell| [cell[0] + by[0], cell[1] + by[1], cell[2] + by[2]];
    if b.iter().any(|cell| a.contains(&moved(cell))) {
        return Contact::Overlapping;
    }
    let near = |p: &Cell, q: &Cell| (0..3).all(|k| (p[k] - q[k]).abs() <= 1);
    if b.iter().any(|cell| a.iter().any(|other| near(other, &moved(cell)))) {
        Contact::Touching
    } else {
        Contact::Apart
    }
}

#[test]
fn cells_of_a_grid_touch_or_overlap() {
    let mut rng = Rng::new(71);
    let (mut overlapping, mut touching) = (HitRate::new("overlapping"), HitRate::new("touching"));
    let mut made = 0;
    while made < 120 {
        let (Some((a, body_a)), Some((b, body_b))) = (solid(&mut rng, [4, 4, 3]), solid(&mut rng, [3, 3, 3])) else {
            continue;
        };
        made += 1;
        for _ in 0..6 {
            let by = [7, 8, 6].map(|n| rng.index(n) as i32 - 3);
            let expected = truth(&a, &b, by);
            let turn = if rng.chance(0.5) { DQuat::IDENTITY } else { rng.rotation() };
            let pose_a = pose_of(DVec3::ZERO, turn);
            // Turned by the build's own rotation, so that the grids stay aligned to rounding.
            let at = common::posed(&pose_a, DVec3::from(by.map(f64::from)));
            let pose_b = Pose::new(clearance::math::narrow(at), pose_a.rotation().to_array()).unwrap();
            let near = closest(&body_a, &pose_a, &body_b, &pose_b, &mut BodyCache::default());
            let met = overlap(&body_a, &pose_a, &body_b, &pose_b, &mut BodyCache::default());
            let what = format!("{a:?} {b:?} {by:?} {turn:?}: {near:?} {met:?}");
            assert_eq!((near.contact, met.contact), (expected, expected), "{what}");
            assert_eq!((near.end, met.end), (End::Converged, End::Converged), "{what}");
            overlapping.record(expected == Contact::Overlapping);
            touching.record(expected == Contact::Touching);
        }
    }
    overlapping.assert_between(0.2, 0.9);
    touching.assert_between(0.1, 0.8);
}

fn body(polyhedron: &Polyhedron) -> Body {
    Mesh::new(&narrowed(&polyhedron.vertices), &polyhedron.faces).unwrap().into()
}

/// A ball in a hollow that fits it exactly touches all over; the same ball twice overlaps. More pairs than are looked at say so.
#[test]
fn surfaces_that_coincide_all_over() {
    for (levels, fine) in [(2, false), (6, true)] {
        let ball = body(&Polyhedron::sphere(1.0, levels));
        let shell = body(&Polyhedron::shell(2.0, 1.0, levels));
        let near = closest(&ball, &Pose::IDENTITY, &ball, &Pose::IDENTITY, &mut BodyCache::default());
        let met = overlap(&ball, &Pose::IDENTITY, &ball, &Pose::IDENTITY, &mut BodyCache::default());
        assert_eq!((near.contact, met.contact), (Contact::Overlapping, Contact::Overlapping), "{near:?} {met:?}");
        // More pairs of triangles than are looked at for the depth.
        assert_eq!(near.end, if fine { End::IterationLimit } else { End::Converged }, "{near:?}");
        let near = closest(&shell, &Pose::IDENTITY, &ball, &Pose::IDENTITY, &mut BodyCache::default());
        let met = overlap(&shell, &Pose::IDENTITY, &ball, &Pose::IDENTITY, &mut BodyCache::default());
        assert_eq!((near.contact, met.contact), (Contact::Touching, Contact::Touching), "{near:?} {met:?}");
        // The ball is convex: one body against each triangle of the hollow.
        assert_eq!(near.end, End::Converged, "{near:?}");
        assert_eq!(near.distance, 0.0, "{near:?}");
    }
}

/// That a solid overlaps itself is seen beside the first triangles that are looked at, however many coincide, cold and warm.
#[test]
fn few_triangles_tell_that_coincident_solids_overlap() {
    let torus = body(&Polyhedron::torus(2.0, 0.8, 160, 80));
    let mut cache = BodyCache::default();
    for _ in 0..2 {
        let met = overlap(&torus, &Pose::IDENTITY, &torus, &Pose::IDENTITY, &mut cache);
        assert!(met.contact == Contact::Overlapping && met.iterations < 100, "{met:?}");
        let near = closest(&torus, &Pose::IDENTITY, &torus, &Pose::IDENTITY, &mut cache);
        assert!(near.contact == Contact::Overlapping && near.iterations < 100, "{near:?}");
        // The tube is 0.8 thick, of a polygon with 80 sides.
        assert!(near.distance < -0.7 && near.lower <= near.distance, "{near:?}");
    }
}

/// One piece of a body touches another body and another piece is inside of it, meeting nothing.
#[test]
fn a_piece_inside_counts_though_another_touches() {
    let large = body(&Polyhedron::cuboid(DVec3::splat(2.0)));
    let outside = Polyhedron::cuboid(DVec3::ONE).mapped(|p| p + DVec3::X * 3.0);
    let inside = Polyhedron::cuboid(DVec3::splat(0.5));
    for (pieces, expected) in [(outside.clone(), Contact::Touching), (outside.joined(&inside), Contact::Overlapping)] {
        for (a, b) in [(&large, &body(&pieces)), (&body(&pieces), &large)] {
            let near = closest(a, &Pose::IDENTITY, b, &Pose::IDENTITY, &mut BodyCache::default());
            let met = overlap(a, &Pose::IDENTITY, b, &Pose::IDENTITY, &mut BodyCache::default());
            assert_eq!((near.contact, met.contact), (expected, expected), "{near:?} {met:?}");
        }
    }
}
