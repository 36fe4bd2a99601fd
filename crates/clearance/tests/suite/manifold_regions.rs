//! Contacts of meshes, compounds and height fields as a solver needs them: points of both bodies, names that stay, no side normals from
//! edges inside of a surface.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::meshes;
use clearance::math::{narrow_real, widen, widen_real};
use clearance::{Body, Cache, Feature, Manifold, ManifoldOptions, Pose, Shape, closest, manifold};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use common::{SINGLE, pose_of};
use glam::{DQuat, DVec3};
use meshes::body;

/// How far a point is outside of a body.
fn off(body: &Body, pose: &Pose, p: clearance::Vec3) -> f64 {
    let there = pose_of(widen(p), DQuat::IDENTITY);
    widen_real(closest(body, pose, &Shape::point(), &there, &mut Cache::default()).distance)
}

/// Every contact point of a mesh and a convex shape is on both, as near as `closest` is to the depth.
#[test]
fn contact_points_are_on_both_bodies() {
    let mut rng = Rng::new(0x0ff);
    let mut hits = HitRate::new("pairs in contact");
    let rounding = if SINGLE { 2e-4 } else { 1e-9 };
    for case in 0..300 {
        let kinds = [
            body(&Polyhedron::star(1, |_| rng.uniform(0.5, 1.0))),
            body(&Polyhedron::torus(0.8, 0.25, 12, 8)),
            body(&Polyhedron::notched().mapped(|p| p * 0.6)),
        ];
        let half = [0, 1, 2].map(|_| narrow_real(rng.uniform(0.2, 0.8)));
        let shape = match case % 4 {
            0 => Shape::cylinder(half[0], half[1]),
            1 => Shape::cone(2.0 * half[0], half[1]),
            _ => Shape::cuboid(half),
        };
        let (a, b) = (&kinds[rng.index(3)], Body::from(shape.unwrap()));
        let (pose_a, turn) = (pose_of(DVec3::ZERO, rng.rotation()), rng.rotation());
        let mut at = rng.unit_vector() * 3.0;
        let near = |at: DVec3| closest(a, &pose_a, &b, &pose_of(at, turn), &mut Cache::default());
        for _ in 0..20 {
            let gap = widen_real(near(at).distance);
            at -= at.normalize() * (gap + 0.02).max(-0.01);
            if gap < 0.0 {
                break;
            }
        }
        let pose_b = pose_of(at, turn);
        let found = manifold(a, &pose_a, &b, &pose_b, &mut Cache::default(), &ManifoldOptions::default());
        hits.record(found.is_some());
        let Some(found) = found else { continue };
        for p in &found.points {
            let off = [off(a, &pose_a, p.points[0]), off(&b, &pose_b, p.points[1])];
            assert!(off[0].max(off[1]) <= rounding, "{case}: off by {off:?}: {p:?}");
        }
    }
    hits.assert_between(0.7, 1.0);
}

/// A flat square floor of side eight in the plane z = 0, cut into triangles at random, with a point below it if it is to be solid.
fn floor(rng: &mut Rng, cells: u32, solid: bool) -> Body {
    let step = 8.0 / f64::from(cells);
    let at = |i: u32, j: u32| i * (cells + 1) + j;
    let mut vertices = Vec::new();
    for i in 0..=cells {
        for j in 0..=cells {
            let inner = |k: u32| if k == 0 || k == cells { 0.0 } else { 0.4 };
            let aside = DVec3::new(inner(i) * rng.uniform(-1.0, 1.0), inner(j) * rng.uniform(-1.0, 1.0), 0.0);
            vertices.push(
                DVec3::new(f64::from(i) - 0.5 * f64::from(cells), f64::from(j) - 0.5 * f64::from(cells), 0.0) * step
                    + aside * step,
            );
        }
    }
    let mut faces = Vec::new();
    for (i, j) in (0..cells).flat_map(|i| (0..cells).map(move |j| (i, j))) {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        faces.extend(if rng.index(2) == 0 { [vec![a, b, c], vec![a, c, d]] } else { [vec![a, b, d], vec![b, c, d]] });
    }
    if solid {
        let apex = vertices.len() as u32;
        vertices.push(DVec3::Z * -4.0);
        for i in 0..cells {
            faces.push(vec![at(i + 1, 0), at(i, 0), apex]);
            faces.push(vec![at(i, cells), at(i + 1, cells), apex]);
            faces.push(vec![at(0, i), at(0, i + 1), apex]);
            faces.push(vec![at(cells, i + 1), at(cells, i), apex]);
        }
    }
    body(&Polyhedron { vertices, faces })
}

/// A height field of the same size, flat, moved to the middle.
fn flat_field(cells: usize) -> (Body, Pose) {
    let rows = vec![vec![0.0 as clearance::Real; cells + 1]; cells + 1];
    let step = narrow_real(8.0 / cells as f64);
    let field = clearance::HeightField::new(&rows, [step; 2]).unwrap();
    (field.into(), pose_of(DVec3::new(-4.0, -4.0, 0.0), DQuat::IDENTITY))
}

fn is_each_once(found: &Manifold) -> bool {
    let names: Vec<[Feature; 2]> = found.points.iter().map(|p| p.features).collect();
    let mut sorted = names.clone();
    sorted.sort();
    sorted.dedup();
    sorted.len() == names.len()
}

/// Whatever slides over a flat floor is pushed straight up, whichever edges inside of the floor it crosses.
#[test]
fn no_ghost_contacts_on_flat_ground() {
    let mut rng = Rng::new(0x9057);
    let up = |found: &Manifold| found.points.iter().map(|p| (widen(p.normal) - DVec3::Z).length()).fold(0.0, f64::max);
    let exact = if SINGLE { 1e-6 } else { 1e-13 };
    for case in 0..24 {
        let cells = 3 + rng.index(12) as u32;
        let (ground, at) = match case % 3 {
            0 => (floor(&mut rng, cells, true), Pose::IDENTITY),
            1 => (floor(&mut rng, cells, false), Pose::IDENTITY),
            _ => flat_field(cells as usize),
        };
        let bodies = [
            ("box", Body::from(Shape::cuboid([0.5, 0.4, 0.3]).unwrap()), 0.3, 4),
            ("ball", Body::from(Shape::sphere(0.3).unwrap()), 0.3, 1),
            ("block", body(&Polyhedron::cuboid(DVec3::new(0.5, 0.4, 0.3))), 0.3, 4),
        ];
        for (what, slider, height, count) in &bodies {
            let (mut cache, start) = (Cache::default(), rng.in_ball(1.5));
            let way = DVec3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), 0.0);
            let turn = DQuat::from_rotation_z(rng.uniform(0.0, 6.0));
            let depth = [0.0, 0.003, -0.003][rng.index(3)];
            for frame in 0..60 {
                let place = DVec3::new(start.x, start.y, height - depth) + way * (f64::from(frame) / 60.0);
                let options = ManifoldOptions { margin: 0.01, ..ManifoldOptions::default() };
                let found = manifold(&ground, &at, slider, &pose_of(place, turn), &mut cache, &options).unwrap();
                let what = format!("{what} on {cells} cells, case {case}, frame {frame}, {depth}: {found:?}");
                assert!(up(&found) <= exact, "{what}");
                assert_eq!(found.points.len(), *count, "{what}");
                assert!(is_each_once(&found), "{what}");
            }
        }
    }
}

/// A box that hovers tilted over a floor of any kind has its four lower corners, each with its own distance.
#[test]
fn a_margin_gives_points_that_have_not_met() {
    let mut rng = Rng::new(0x59ec);
    let slab = Body::from(Shape::cuboid([4.0, 4.0, 1.0]).unwrap());
    let below = pose_of(-DVec3::Z, DQuat::IDENTITY);
    let parts = clearance::Compound::new([(slab.clone(), below)]).unwrap();
    for case in 0..40 {
        let (field, there) = flat_field(5 + case % 7);
        let floors = [
            ("slab", slab.clone(), below),
            ("solid", floor(&mut rng, 5, true), Pose::IDENTITY),
            ("surface", floor(&mut rng, 9, false), Pose::IDENTITY),
            ("field", field, there),
            ("half-space", clearance::HalfSpace::new(clearance::Vec3::Z, 0.0).unwrap().into(), Pose::IDENTITY),
            ("parts", parts.clone().into(), Pose::IDENTITY),
        ];
        let half = DVec3::new(0.5, 0.4, 0.3);
        let tilt = DQuat::from_rotation_x(rng.uniform(-0.02, 0.02)) * DQuat::from_rotation_y(rng.uniform(-0.02, 0.02));
        let turn = tilt * DQuat::from_rotation_z(rng.uniform(0.0, 6.0));
        let gap = rng.uniform(0.0, 0.02);
        let corners = [0, 1, 2, 3].map(|i| {
            let sign = |bit: i32| if i & bit == 0 { 1.0 } else { -1.0 };
            turn * (half * DVec3::new(sign(1), sign(2), -1.0))
        });
        let low = corners.iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
        let at = DVec3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), gap - low);
        for shape in
            [Body::from(Shape::cuboid(half.to_array().map(narrow_real)).unwrap()), body(&Polyhedron::cuboid(half))]
        {
            for (what, floor, place) in &floors {
                let options = ManifoldOptions { margin: 0.06, ..ManifoldOptions::default() };
                let found =
                    manifold(floor, place, &shape, &pose_of(at, turn), &mut Cache::default(), &options).unwrap();
                let what = format!("{what}, case {case}: {found:?}");
                assert_eq!(found.points.len(), 4, "{what}");
                let rounding = if SINGLE { 1e-5 } else { 1e-9 };
                for corner in corners {
                    let corner = at + corner;
                    let near =
                        |p: &&clearance::ContactPoint| (widen(p.points[1]) - corner).truncate().length() < rounding;
                    let point = found.points.iter().find(near).unwrap_or_else(|| panic!("{corner} in {what}"));
                    assert!((widen_real(point.distance) - corner.z).abs() < rounding, "{corner}: {what}");
                }
                let deepest = found.deepest().unwrap();
                assert!((widen_real(deepest.distance) - gap).abs() < rounding, "{what}");
            }
        }
    }
}

/// Two cubes of half side one half beside each other, as one mesh.
fn twins() -> Polyhedron {
    let one = || Polyhedron::cuboid(DVec3::splat(0.5));
    one().joined(&one().mapped(|p| p + DVec3::X * 3.0))
}

/// Names stay while bodies jitter by a millionth of their size, where outlines coincide and corners stand on edges of the ground.
#[test]
fn names_stay_while_concave_bodies_jitter() {
    let mut rng = Rng::new(0x57ab);
    let cube = Body::from(Shape::cuboid([0.5; 3]).unwrap());
    let tin = Body::from(Shape::cylinder(0.5, 0.5).unwrap());
    let parts: Body = clearance::Compound::new([
        (cube.clone(), Pose::IDENTITY),
        (cube.clone(), pose_of(DVec3::X * 1.5, DQuat::IDENTITY)),
    ])
    .unwrap()
    .into();
    let (field, there) = flat_field(16);
    let half_space: Body = clearance::HalfSpace::new(clearance::Vec3::Z, 0.0).unwrap().into();
    let grounds = [
        ("solid floor", floor(&mut rng, 16, true), Pose::IDENTITY),
        ("surface", floor(&mut rng, 16, false), Pose::IDENTITY),
        ("field", field, there),
        ("half-space", half_space, Pose::IDENTITY),
        ("twins", body(&twins()), pose_of(DVec3::Z * -0.5, DQuat::IDENTITY)),
        ("parts", parts.clone(), pose_of(DVec3::Z * -0.5, DQuat::IDENTITY)),
    ];
    let stands = [
        ("cube", cube),
        ("tin", tin),
        ("parts", parts),
        ("twins", body(&twins())),
        ("convex mesh", body(&Polyhedron::cuboid(DVec3::splat(0.5)))),
    ];
    for (below, ground, place) in &grounds {
        for (above, stand) in &stands {
            for turn in [0.0, std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_4, 0.3] {
                let (mut cache, mut last) = (Cache::default(), Vec::new());
                let options = ManifoldOptions { margin: 1e-3, ..ManifoldOptions::default() };
                for frame in 0..25 {
                    let spin = DQuat::from_scaled_axis(rng.in_ball(1e-6)) * DQuat::from_rotation_z(turn);
                    let pose = pose_of(DVec3::Z * 0.5 + rng.in_ball(1e-6), spin.normalize());
                    let found = manifold(ground, place, stand, &pose, &mut cache, &options).unwrap();
                    let names: Vec<[Feature; 2]> = found.points.iter().map(|p| p.features).collect();
                    let what = format!("{above} on {below}, turned by {turn}, frame {frame}");
                    assert!(is_each_once(&found), "{what}: {names:?}");
                    // A round body may have one point more in the first frame, which knows of no other.
                    assert!(frame < 2 || names == last, "{what}: {last:?} {names:?}");
                    last = names;
                }
            }
        }
    }
}
