//! Convex meshes are recognised exactly and answer as polytopes do; nearly convex ones answer as their triangles do; caches change
//! nothing but the speed, whichever pair they come from.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::meshes;
use clearance::concave::{BodyCache, BodyManifoldOptions, closest, manifold, overlap};
use clearance::math::{widen, widen_real};
use clearance::shape::mesh::Kind;
use clearance::{Body, Closest, Compound, Contact, Mesh, MeshOptions, Polytope, Real, Shape};
use clearance_testkit::{Cloud, Exact3, HitRate, Polyhedron, Rng};
use common::{narrowed, pose_of};
use glam::{DQuat, DVec3};
use meshes::{body, build, mesh};

/// Whether no vertex is above any triangle, in exact arithmetic: for a closed surface that covers nothing twice, whether it is convex.
fn nothing_is_above(mesh: &Mesh) -> bool {
    let vertices: Vec<Exact3> = mesh.vertices().iter().map(|&p| widen(p).into()).collect();
    (0..mesh.triangle_count() as u32).all(|t| {
        let [a, b, c] = mesh.triangle(t).0.map(|p| Exact3::from(widen(p)));
        let normal = (&b - &a).cross(&(&c - &a));
        vertices.iter().all(|p| normal.dot(&(p - &a)).sign() <= 0)
    })
}

/// A cube whose faces have a vertex in their middle, moved outwards by so many last places.
fn studded(places: i32) -> Polyhedron {
    let cube = Polyhedron::cuboid(DVec3::ONE);
    let (mut vertices, mut faces) = (cube.vertices.clone(), Vec::new());
    for face in &cube.faces {
        let middle: DVec3 = face.iter().map(|&v| cube.vertices[v as usize]).sum::<DVec3>() / face.len() as f64;
        let mut size: Real = 1.0;
        for _ in 0..places.abs() {
            size = if places > 0 { size.next_up() } else { size.next_down() };
        }
        let apex = vertices.len() as u32;
        vertices.push(middle * widen_real(size));
        faces.extend((0..face.len()).map(|i| vec![face[i], face[(i + 1) % face.len()], apex]));
    }
    Polyhedron { vertices, faces }
}

#[test]
fn convex_meshes_are_recognised() {
    for (places, expected) in [(0, true), (1, true), (5, true), (-1, false), (-5, false)] {
        assert_eq!(mesh(&studded(places)).is_convex(), expected, "moved by {places} last places");
        assert_eq!(nothing_is_above(&mesh(&studded(places))), expected);
    }
    let cube = Polyhedron::cuboid(DVec3::ONE);
    let flat = Polyhedron::cuboid(DVec3::new(1.0, 1.0, 1e-4));
    let far = Polyhedron::cuboid(DVec3::ONE).mapped(|p| p + DVec3::splat(1024.0));
    for solid in [&cube, &flat, &far] {
        assert!(mesh(solid).is_convex());
    }
    let open = Polyhedron { vertices: cube.vertices.clone(), faces: cube.faces[1..].to_vec() };
    let shifted = cube.clone().mapped(|p| p + DVec3::X * 4.0);
    for concave in [
        Polyhedron::shell(1.0, 0.5, 1),
        cube.clone().joined(&cube),
        cube.clone().joined(&shifted),
        cube.clone().joined(&cube.clone().mapped(|p| p * 0.5)),
        Polyhedron::notched(),
        Polyhedron::torus(1.0, 0.3, 12, 8),
        open,
    ] {
        assert!(!mesh(&concave).is_convex(), "{concave:?}");
    }
    let surface = MeshOptions { kind: Kind::Surface, ..MeshOptions::default() };
    assert!(!build(&cube, &surface).unwrap().is_convex());
}

/// Spheres as they come and slightly dented: as the exact oracle says.
#[test]
fn convexity_is_exact() {
    let mut rng = Rng::new(21);
    let mut convex = HitRate::new("convex spheres");
    for case in 0..200 {
        let dent = [0.0, 1e-15, 1e-3, 0.1, 0.3][case % 5];
        let level = 1 + (case / 5 % 2) as u32;
        let solid = mesh(&Polyhedron::star(level, |_| 1.0 - rng.uniform(0.0, 1.0) * dent));
        assert_eq!(solid.is_convex(), nothing_is_above(&solid), "{case}");
        convex.record(solid.is_convex());
    }
    convex.assert_between(0.2, 0.95);
}

fn hull(rng: &mut Rng, count: usize) -> (Polytope, Mesh) {
    let points = narrowed(&Cloud::Sphere.generate(rng, count));
    let polytope = Polytope::from_points(&points).unwrap();
    let faces: Vec<Vec<u32>> =
        (0..polytope.face_count() as u32).map(|face| polytope.face_vertices(face).collect()).collect();
    let mesh = Mesh::new(polytope.vertices(), &faces).unwrap();
    (polytope, mesh)
}

fn gap(near: &Closest) -> [f64; 3] {
    [near.distance, near.lower, near.upper].map(widen_real)
}

/// A convex mesh has the distances and depths of its polytope, and names faces; apart, those of its surface.
#[test]
fn convex_meshes_answer_as_polytopes() {
    let mut rng = Rng::new(5);
    let mut met = HitRate::new("pairs that meet");
    let surface = MeshOptions { kind: Kind::Surface, ..MeshOptions::default() };
    for case in 0..400 {
        let (polytope, solid) = hull(&mut rng, 12 + case % 40);
        let (other_polytope, other_solid) = hull(&mut rng, 20);
        assert!(solid.is_convex() && other_solid.is_convex());
        let as_surface = {
            let faces: Vec<Vec<u32>> =
                (0..polytope.face_count() as u32).map(|face| polytope.face_vertices(face).collect()).collect();
            Body::from(Mesh::with_options(polytope.vertices(), &faces, &surface).unwrap())
        };
        let (body, other): (Body, Body) = (solid.into(), other_solid.into());
        let (shape, other_shape): (Body, Body) = (Shape::from(polytope).into(), Shape::from(other_polytope).into());
        let pose_a = pose_of(rng.in_ball(5.0), rng.rotation());
        let at = widen(pose_a.translation()) + rng.unit_vector() * rng.uniform(0.5, 4.0);
        let pose_b = pose_of(at, rng.rotation());
        let near = closest(&body, &pose_a, &other, &pose_b, &mut BodyCache::default());
        let same = closest(&shape, &pose_a, &other_shape, &pose_b, &mut BodyCache::default());
        let slack = 1e3 * common::u() * 20.0;
        assert!((gap(&near)[0] - gap(&same)[0]).abs() <= slack && near.contact == same.contact, "{near:?} {same:?}");
        assert!(near.features.iter().all(|feature| feature.face_index().is_some()), "{near:?}");
        assert_eq!(
            overlap(&body, &pose_a, &other, &pose_b, &mut BodyCache::default()).contact,
            overlap(&shape, &pose_a, &other_shape, &pose_b, &mut BodyCache::default()).contact
        );
        met.record(near.contact != Contact::Apart);
        if near.contact == Contact::Apart {
            let by_triangles = closest(&as_surface, &pose_a, &other, &pose_b, &mut BodyCache::default());
            assert!((gap(&near)[0] - gap(&by_triangles)[0]).abs() <= slack, "{near:?} {by_triangles:?}");
        }
    }
    met.assert_between(0.1, 0.9);
}

/// Nearly convex solids have the distance of their surfaces, to rounding.
#[test]
fn nearly_convex_meshes_answer_as_their_triangles() {
    let mut rng = Rng::new(6);
    let mut apart = HitRate::new("pairs that are apart");
    let surface = MeshOptions { kind: Kind::Surface, ..MeshOptions::default() };
    for case in 0..300 {
        let dent = [1e-7, 1e-4, 5e-3][case % 3];
        let dented = [0; 2].map(|_| Polyhedron::star(2, |_| 1.0 - rng.uniform(0.0, 1.0) * dent));
        let solids = [0, 1].map(|i| body(&dented[i]));
        let surfaces = [0, 1].map(|i| Body::from(build(&dented[i], &surface).unwrap()));
        let pose_a = pose_of(rng.in_ball(5.0), rng.rotation());
        let at = widen(pose_a.translation()) + rng.unit_vector() * rng.uniform(1.9, 4.0);
        let pose_b = pose_of(at, rng.rotation());
        let near = closest(&solids[0], &pose_a, &solids[1], &pose_b, &mut BodyCache::default());
        let plain = closest(&surfaces[0], &pose_a, &surfaces[1], &pose_b, &mut BodyCache::default());
        apart.record(near.contact == Contact::Apart);
        if near.contact == Contact::Apart {
            let slack = 2.0 * (gap(&plain)[2] - gap(&plain)[1]);
            assert!((gap(&near)[0] - gap(&plain)[0]).abs() <= slack, "{case}: {near:?} {plain:?}");
        }
    }
    apart.assert_between(0.5, 0.99);
}

/// Along random walks, with caches kept from pair to pair, all answers are those of new caches.
#[test]
fn warm_answers_are_cold_answers() {
    let mut rng = Rng::new(8);
    let block = Shape::cuboid([0.4, 0.3, 0.2]).unwrap();
    let parts = [-1.0, 0.0, 1.0].map(|x| (Body::from(block.clone()), pose_of(DVec3::X * x, DQuat::from_rotation_z(x))));
    let ring = body(&Polyhedron::torus(1.0, 0.3, 24, 12));
    let mixed: Body = Compound::new([
        (ring.clone(), pose_of(DVec3::Z, DQuat::IDENTITY)),
        (Body::from(block.clone()), pose_of(DVec3::Z * -1.0, DQuat::IDENTITY)),
    ])
    .unwrap()
    .into();
    let bodies = [
        Body::from(block),
        Compound::new(parts).unwrap().into(),
        mixed,
        ring,
        body(&Polyhedron::star(2, |v| 1.0 + 0.2 * (7.0 * v.x).sin())),
        body(&Polyhedron::star(2, |v| 1.0 - 2e-3 * (7.0 * v.x).sin())),
        body(&Polyhedron::cuboid(DVec3::splat(0.7))),
        body(&Polyhedron::terrain(&mut rng, 12).mapped(|p| p * 2.0)),
    ];
    let mut met = HitRate::new("answers that meet");
    let mut shared = BodyCache::default();
    let options = BodyManifoldOptions { margin: 0.02, ..BodyManifoldOptions::default() };
    for case in 0..120 {
        let (a, b) = (&bodies[rng.index(bodies.len())], &bodies[rng.index(bodies.len())]);
        let mut own = BodyCache::default();
        let (turn_a, turn_b) = (rng.rotation(), rng.rotation());
        let (start, step) = (rng.unit_vector() * rng.uniform(0.5, 2.5), rng.unit_vector() * 0.03);
        for k in 0..20 {
            let pose_a = pose_of(DVec3::ZERO, turn_a);
            let spin = DQuat::from_rotation_x(0.02 * f64::from(k));
            let pose_b = pose_of(start + step * f64::from(k), spin * turn_b);
            let cold = closest(a, &pose_a, b, &pose_b, &mut BodyCache::default());
            let boolean = overlap(a, &pose_a, b, &pose_b, &mut BodyCache::default());
            let contacts = manifold(a, &pose_a, b, &pose_b, &mut BodyCache::default(), &options).contacts.len();
            met.record(cold.contact != Contact::Apart);
            for cache in [&mut own, &mut shared] {
                let warm = closest(a, &pose_a, b, &pose_b, cache);
                let slack = 2.0 * (gap(&cold)[2] - gap(&cold)[0]).abs().min(1e-6) + 1e4 * common::u();
                assert!((gap(&warm)[0] - gap(&cold)[0]).abs() <= slack, "{case} {k}: {warm:?} {cold:?}");
                assert_eq!(warm.contact, cold.contact, "{case} {k}");
                let found = overlap(a, &pose_a, b, &pose_b, cache);
                assert_eq!((found.overlap(), found.contact), (boolean.overlap(), boolean.contact), "{case} {k}");
                let found = manifold(a, &pose_a, b, &pose_b, cache, &options);
                assert_eq!(found.contacts.is_empty(), contacts == 0, "{case} {k}: {found:?}");
            }
        }
    }
    met.assert_between(0.2, 0.9);
}
