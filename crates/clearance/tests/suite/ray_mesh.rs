//! Rays against meshes: no leak, exact bounds, sides and crossings, judged by exact arithmetic over all triangles.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::exact_rays;
use crate::meshes;
use clearance::math::{narrow, widen, widen_real};
use clearance::ray::{Ray, RayError, RayOptions, cast_ray_mesh, mesh_crossings};
use clearance::shape::mesh::{Kind, Side as Place};
use clearance::{Element, RayHit, Side};
use clearance::{Mesh, MeshOptions, Pose, Real, Vec3};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use exact_rays::{Touch, first, touches};
use glam::DVec3;
use meshes::{build, mesh, placed, pose, real};

fn hit(mesh: &Mesh, ray: &Ray) -> Option<RayHit> {
    cast_ray_mesh(mesh, &Pose::IDENTITY, ray, &RayOptions::default())
}

fn surface_hit(mesh: &Mesh, ray: &Ray) -> Option<RayHit> {
    cast_ray_mesh(mesh, &Pose::IDENTITY, ray, &RayOptions::default().surface())
}

fn exact(triangles: &[[DVec3; 3]], ray: &Ray) -> Vec<Touch> {
    touches(triangles, widen(ray.origin()), widen(ray.direction()))
}

/// A grid of whole numbers on the sides of a box from 0 to `n`.
fn grid_cube(n: u32) -> Polyhedron {
    let mut all = Polyhedron::default();
    for axis in 0..3 {
        for side in 0..2 {
            let first = all.vertices.len() as u32;
            let at = |i: u32, j: u32| {
                let mut p = [0.0; 3];
                p[axis] = f64::from(side * n);
                (p[(axis + 1) % 3], p[(axis + 2) % 3]) = (f64::from(i), f64::from(j));
                DVec3::from_array(p)
            };
            all.vertices.extend((0..=n).flat_map(|i| (0..=n).map(move |j| (i, j))).map(|(i, j)| at(i, j)));
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let v = |i: u32, j: u32| first + i * (n + 1) + j;
                let [a, b, c, d] = [v(i, j), v(i + 1, j), v(i + 1, j + 1), v(i, j + 1)];
                let mut two = [vec![a, b, c], vec![a, c, d]];
                if side == 0 {
                    two.iter_mut().for_each(|face| face.reverse());
                }
                all.faces.extend(two);
            }
        }
    }
    welded(all)
}

/// The same with one vertex at each place.
fn welded(solid: Polyhedron) -> Polyhedron {
    let mut vertices: Vec<DVec3> = Vec::new();
    let numbers: Vec<u32> = solid
        .vertices
        .iter()
        .map(|p| {
            let known = vertices.iter().position(|q| q == p);
            known.unwrap_or_else(|| {
                vertices.push(*p);
                vertices.len() - 1
            }) as u32
        })
        .collect();
    let faces = solid.faces.iter().map(|face| face.iter().map(|&v| numbers[v as usize]).collect()).collect();
    Polyhedron { vertices, faces }
}

/// The lower bound holds for the exact first touch, and the upper one.
fn check_bounds(found: &RayHit, touched: &[Touch], what: &str) {
    let Some(first) = first(touched) else { panic!("{what}: a hit of nothing {found:?}") };
    let (lower, upper) = (widen_real(found.lower), widen_real(found.upper));
    assert!(first.at.is_within(lower, upper), "{what}: {} not in {lower}..{upper} {found:?}", first.at.to_f64());
    assert!(found.lower <= found.t && found.t <= found.upper, "{what}: {found:?}");
}

/// Rays aimed at edges and vertices of closed meshes from inside and from outside: all hit.
#[test]
fn nothing_leaks() {
    let mut rng = Rng::new(1);
    let bumpy = |v: DVec3| 1.0 + 0.2 * (v * 5.0).to_array().map(f64::sin).iter().sum::<f64>();
    let solids = [
        (Polyhedron::cuboid(DVec3::ONE), 0.9),
        (Polyhedron::sphere(1.0, 0), 0.5),
        (Polyhedron::sphere(1.0, 3), 0.9),
        (Polyhedron::star(4, bumpy), 0.3),
        (grid_cube(6).mapped(|p| p / 3.0 - 1.0), 0.9),
    ];
    for (solid, core) in solids {
        let body = mesh(&solid);
        let poses = [Pose::IDENTITY, pose(&mut rng, DVec3::ZERO), pose(&mut rng, DVec3::new(300.0, -500.0, 800.0))];
        for place in poses {
            // Far away single precision moves the ray by more than the smallest triangles are wide; it must hit all the same.
            for _ in 0..4_000 {
                let face = &solid.faces[rng.index(solid.faces.len())];
                let corner = rng.index(face.len());
                let [a, b] = [face[corner], face[(corner + 1) % face.len()]].map(|v| solid.vertices[v as usize]);
                let share = rng.uniform(0.0, 1.0);
                let aim = rng.pick(&[a, (a + b) * 0.5, a + (b - a) * share]);
                let inner = rng.in_ball(core * 0.5);
                let outer = aim + (aim - inner) * rng.uniform(0.5, 3.0);
                for (from, to, inside) in [(inner, aim, true), (outer, inner, false), (outer, aim, false)] {
                    let [from, to] = [from, to].map(|p| place.point(real(p)));
                    let ray = Ray::between(from, to).unwrap();
                    let hit = cast_ray_mesh(&body, &place, &ray, &RayOptions::default());
                    let Some(hit) = hit else { panic!("leak: {ray:?} {place:?} {inside}") };
                    assert_eq!(hit.inside, inside, "{ray:?} {hit:?}");
                    assert_eq!(hit.side, if inside { Side::Back } else { Side::Front }, "{ray:?} {hit:?}");
                    assert!(hit.lower <= hit.t && hit.t <= hit.upper);
                    let along = widen(hit.normal).dot(widen(ray.direction()));
                    assert!((along >= 0.0) == inside, "{along} {hit:?}");
                }
            }
        }
    }
}

/// Rays between points of a grid, through edges and vertices exactly: the exact first touch, and crossings that alternate.
#[test]
fn on_a_grid() {
    let mut rng = Rng::new(2);
    let (cube, notched) = (grid_cube(4), Polyhedron::notched().mapped(|p| p * 2.0 + 2.0));
    let stairs = grid_cube(2).joined(&grid_cube(2).mapped(|p| p + DVec3::new(0.0, 0.0, 3.0)));
    let (mut through, mut misses, mut inside_rate) =
        (HitRate::new("edge or vertex"), HitRate::new("miss"), HitRate::new("inside"));
    for solid in [cube, notched, stairs] {
        let body = mesh(&solid);
        let triangles = placed(&body, &Pose::IDENTITY);
        let mut hits = Vec::new();
        for _ in 0..4_000 {
            let mut point = |lo, hi| DVec3::from_array([0; 3].map(|_| rng.integer(lo, hi) as f64 * 0.5));
            let (from, to) = (point(-4, 12), point(0, 8));
            let Ok(ray) = Ray::between(real(from), real(to)) else { continue };
            let touched = exact(&triangles, &ray);
            through.record(first(&touched).is_some_and(|touch| touch.zeros > 0));
            let found = surface_hit(&body, &ray);
            // Where an edge-on triangle of a closed mesh is touched, others are too, unless the ray starts on it.
            if body.locate(ray.origin()) != Place::Boundary && found.is_some() != first(&touched).is_some() {
                panic!("{ray:?} {found:?} {}", touched.len());
            }
            misses.record(found.is_none());
            let place = body.locate(ray.origin());
            match found {
                // The origin may be on a triangle that the oracle leaves out, since it is seen edge-on.
                Some(found) if place == Place::Boundary => assert_eq!((found.t, found.lower), (0.0, 0.0), "{ray:?}"),
                Some(found) => check_bounds(&found, &touched, "surface"),
                None => assert_ne!(place, Place::Boundary, "{ray:?}"),
            }
            let solid_hit = hit(&body, &ray);
            inside_rate.record(place == Place::Inside);
            match place {
                Place::Inside => {
                    let Some(exit) = solid_hit else { panic!("leak {ray:?}") };
                    assert!(exit.inside && exit.side == Side::Back, "{exit:?}");
                    // Up to there the ray is in the closed solid, and right behind it is out, or touches.
                    for k in 1..8 {
                        let t = widen_real(exit.t) * f64::from(k) / 8.0;
                        let at = narrow(widen(ray.origin()) + widen(ray.direction()) * t);
                        let exact_point = (widen(at) - widen(ray.origin()) - widen(ray.direction()) * t) == DVec3::ZERO;
                        assert!(!exact_point || body.locate(at) != Place::Outside, "{ray:?} {exit:?} {t}");
                    }
                }
                _ => {
                    assert_eq!(solid_hit.is_some(), found.is_some(), "{ray:?} {place:?}");
                    if let Some(entry) = solid_hit {
                        if place == Place::Outside {
                            check_bounds(&entry, &touched, "solid");
                        }
                        assert!(!entry.inside && (place == Place::Boundary || entry.side == Side::Front), "{entry:?}");
                    }
                }
            }
            mesh_crossings(&body, &Pose::IDENTITY, &ray, &RayOptions::default(), &mut hits);
            let depth = hits.iter().map(|hit| if hit.side == Side::Back { 1 } else { -1 }).sum::<i32>();
            if place != Place::Boundary {
                assert_eq!(depth, i32::from(place == Place::Inside), "{ray:?} {hits:?}");
            }
            assert!(hits.windows(2).all(|two| two[0].t <= two[1].t && two[0].side != two[1].side), "{ray:?} {hits:?}");
            for hit in &hits {
                let (lower, upper) = (widen_real(hit.lower), widen_real(hit.upper));
                assert!(touched.iter().any(|touch| touch.at.is_within(lower, upper)), "{ray:?} {hit:?}");
            }
        }
    }
    through.assert_between(0.2, 0.9);
    misses.assert_between(0.1, 0.7);
    inside_rate.assert_between(0.03, 0.6);
}

/// Random rays against random meshes: the exact first touch, from either side.
#[test]
fn random_rays() {
    let mut rng = Rng::new(3);
    let mut hits = HitRate::new("hit");
    for round in 0..30 {
        let scale = rng.log_uniform(1e-3, 1e3);
        let solid = match round % 5 {
            0 => Polyhedron::torus(1.0, 0.4, 12, 8),
            1 => Polyhedron::shell(1.0, 0.6, 2),
            2 => Polyhedron::soup(&mut rng, 200, 0.3),
            3 => Polyhedron::sliver(&mut rng).mapped(|p| p * DVec3::new(1.0, 1.0, 1.0)),
            _ => Polyhedron::terrain(&mut rng, 10),
        };
        let body = build(&solid.mapped(|p| p * scale), &MeshOptions::default());
        let Ok(body) = body else { continue };
        let triangles = placed(&body, &Pose::IDENTITY);
        for _ in 0..300 {
            let reach = rng.pick(&[0.5, 2.0, 1e3]);
            let from = rng.in_ball(reach * scale);
            let corners = triangles[rng.index(triangles.len())];
            let (s, t) = (rng.uniform(0.0, 1.0), rng.uniform(0.0, 0.5));
            let near = corners[0] + (corners[1] - corners[0]) * s * 0.5 + (corners[2] - corners[0]) * t;
            let to = if rng.chance(0.5) { near } else { rng.in_ball(1.5 * scale) };
            let ray = Ray::new(real(from), real((to - from) * rng.log_uniform(1e-6, 1e6))).unwrap();
            let touched = exact(&triangles, &ray);
            let found = surface_hit(&body, &ray);
            assert_eq!(hits.record(found.is_some()), !touched.is_empty(), "{ray:?} {found:?}");
            let Some(found) = found else { continue };
            check_bounds(&found, &touched, "random");
            let width = widen_real(found.upper) - widen_real(found.lower);
            let size = widen_real(body.bounding_radius()) + from.length();
            let speed = widen(found.normal).dot(widen(ray.direction())).abs();
            let unit = if size_of::<Real>() == 4 { 1e-6 } else { 1e-9 };
            assert!(
                width * speed <= unit * size + 4.0 * widen_real(Real::EPSILON) * widen_real(found.t) * speed,
                "{found:?}"
            );
            // The face named is one that the exact first touch is on.
            if let Element::Face(face) = found.feature.element {
                let at = |touch: &&Touch| touch.at.is_within(widen_real(found.lower), widen_real(found.upper));
                assert!(touched.iter().filter(at).any(|touch| body.triangle(touch.triangle as u32).1 == face));
            }
            let facing = if found.side == Side::Back { 1 } else { -1 };
            let at = |touch: &&Touch| touch.at.is_within(widen_real(found.lower), widen_real(found.upper));
            assert!(touched.iter().filter(at).any(|touch| touch.facing == facing), "{found:?}");
            // Bounded rays: just short of it nothing is hit.
            let up_to =
                |max: Real| cast_ray_mesh(&body, &Pose::IDENTITY, &ray, &RayOptions::up_to(max).unwrap().surface());
            assert!(up_to(found.upper).is_some() && up_to(found.lower.next_down().max(0.0)).is_none_or(|h| h.t == 0.0));
        }
    }
    hits.assert_between(0.4, 0.95);
}

/// Moved with its ray, a body answers the same within the bounds.
#[test]
fn rigid_motions() {
    let mut rng = Rng::new(4);
    let body = mesh(&Polyhedron::sphere(1.0, 3));
    for _ in 0..2_000 {
        let middle = rng.in_ball(10.0);
        let place = pose(&mut rng, middle);
        let (from, to) = (rng.unit_vector() * rng.uniform(0.0, 3.0), rng.in_ball(0.7));
        let Ok(ray) = Ray::between(real(from), real(to)) else { continue };
        let moved = Ray::new(place.point(ray.origin()), place.direction(ray.direction())).unwrap();
        let (here, there) = (hit(&body, &ray), cast_ray_mesh(&body, &place, &moved, &RayOptions::default()));
        let (Some(here), Some(there)) = (here, there) else { panic!("{ray:?} {here:?} {there:?}") };
        let slack = 64.0 * Real::EPSILON * (10.0 + 3.0) / widen_real(here.normal.dot(ray.direction()).abs()) as Real;
        assert!((here.t - there.t).abs() <= slack, "{here:?} {there:?}");
        assert!((place.point(here.point) - there.point).length() <= 64.0 * Real::EPSILON * 13.0 + slack * 4.0);
    }
}

/// Along faces and edges, on the surface, through points, from a corner.
#[test]
fn degenerate_rays() {
    let cube = mesh(&Polyhedron::cuboid(DVec3::ONE));
    let cast = |from: [f64; 3], to: [f64; 3]| hit(&cube, &Ray::new(real(from.into()), real(to.into())).unwrap());
    // In the plane of the top, along an edge, towards a corner, past an edge, and just beside.
    for (from, way, t) in [
        ([-3.0, 0.25, 1.0], [1.0, 0.0, 0.0], Some(2.0)),
        ([-3.0, 1.0, 1.0], [1.0, 0.0, 0.0], Some(2.0)),
        ([-3.0, -3.0, -3.0], [1.0, 1.0, 1.0], Some(2.0)),
        ([-3.0, 3.0, 1.0], [2.0, -1.0, 0.0], Some(2.0)),
        ([-2.0, 0.0, 0.0], [1.0, 1.0, 0.0], Some(1.0)),
        ([-3.0, 0.0, 0.0], [1.0, 1.0, 0.0], None),
        ([1.0, 0.5, 0.5], [1.0, 0.0, 0.0], Some(0.0)),
        ([1.0, 0.5, 0.5], [-1.0, 0.0, 0.0], Some(0.0)),
        ([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], Some(0.0)),
        ([1.5, 0.0, 0.0], [1.0, 0.0, 0.0], None),
        ([0.0, 0.0, 0.0], [0.5, 0.5, 0.5], Some(2.0)),
        ([0.0, 0.0, 0.0], [0.0, 0.0, -4.0], Some(0.25)),
    ] {
        let found = cast(from, way);
        assert_eq!(found.map(|hit| widen_real(hit.t)), t, "{from:?} {way:?} {found:?}");
    }
    let corner = cast([-3.0, -3.0, -3.0], [1.0, 1.0, 1.0]).unwrap();
    assert!(matches!(corner.feature.element, Element::Vertex(_)), "{corner:?}");
    let edge = cast([-2.0, -2.0, 0.3], [1.0, 1.0, 0.0]).unwrap();
    assert!(matches!(edge.feature.element, Element::Edge(_)), "{edge:?}");
    // The diagonal of a square is no edge.
    let face = cast([0.25, 0.25, -3.0], [0.0, 0.0, 1.0]).unwrap();
    assert!(matches!(face.feature.element, Element::Face(_)), "{face:?}");
    assert_eq!((face.normal, face.point), (Vec3::NEG_Z, real(DVec3::new(0.25, 0.25, -1.0))));
    // A lone triangle edge-on, one without area, and one from behind.
    let flat = build(
        &Polyhedron { vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y], faces: vec![vec![0, 1, 2]] },
        &MeshOptions::default(),
    )
    .unwrap();
    let cast = |from: [f64; 3], to: [f64; 3]| hit(&flat, &Ray::new(real(from.into()), real(to.into())).unwrap());
    let edge_on = cast([-1.0, 0.25, 0.0], [2.0, 0.0, 0.0]).unwrap();
    assert_eq!(edge_on.t, 0.5);
    assert!(cast([-1.0, 1.25, 0.0], [2.0, 0.0, 0.0]).is_none());
    let behind = cast([0.25, 0.25, -1.0], [0.0, 0.0, 1.0]).unwrap();
    assert_eq!((behind.side, behind.normal, behind.inside), (Side::Back, Vec3::Z, false));
}

/// Directions of any length and origins far away; what cannot be is refused.
#[test]
fn extremes() {
    let ball = mesh(&Polyhedron::sphere(1.0, 2));
    let longest = if size_of::<Real>() == 4 { 1e38 } else { 1e300_f64 } as Real;
    let shortest = if size_of::<Real>() == 4 { 1e-25 } else { 1e-200_f64 } as Real;
    for length in [longest, 1.0, shortest] {
        let ray = Ray::new(Vec3::new(-3.0, 0.1, 0.2), Vec3::X * length).unwrap();
        let found = hit(&ball, &ray).unwrap();
        let plain = hit(&ball, &Ray::new(ray.origin(), Vec3::X).unwrap()).unwrap();
        assert!((found.t * length / plain.t - 1.0).abs() <= 4.0 * Real::EPSILON || found.t == 0.0, "{found:?}");
        assert!(found.lower <= found.t && found.t <= found.upper);
    }
    let far: Real = if size_of::<Real>() == 4 { 1e6 } else { 1e12 };
    let ray = Ray::new(Vec3::new(-far, 0.0, 0.0), Vec3::X).unwrap();
    assert!(hit(&ball, &ray).is_some_and(|hit| (hit.t - (far - 1.0)).abs() <= 1.0));
    // A component so small that it would underflow.
    let tiny = Real::MIN_POSITIVE;
    assert!(hit(&ball, &Ray::new(Vec3::new(-3.0, tiny, 0.0), Vec3::new(1.0, tiny, -tiny)).unwrap()).is_some());
    let zero = Vec3::ZERO;
    assert_eq!(Ray::new(zero, zero), Err(RayError::Zero));
    assert!(matches!(Ray::new(zero, Vec3::splat(Real::MIN_POSITIVE)), Err(RayError::TooShort { .. })));
    assert!(matches!(Ray::new(Vec3::NAN, Vec3::X), Err(RayError::Origin { axis: 'x', .. })));
    assert!(matches!(Ray::new(zero, Vec3::new(0.0, Real::INFINITY, 0.0)), Err(RayError::Direction { axis: 'y', .. })));
    assert!(RayOptions::up_to(Real::NAN).is_err() && RayOptions::up_to(-1.0).is_err());
}

/// A room is left through its walls from within its solid, and entered from its free space.
#[test]
fn rooms_and_pieces_that_touch() {
    let options = MeshOptions { kind: Kind::Room, ..Default::default() };
    let room = build(&Polyhedron::cuboid(DVec3::ONE).inside_out(), &options).unwrap();
    let from_free = hit(&room, &Ray::new(Vec3::ZERO, Vec3::X).unwrap()).unwrap();
    assert_eq!((from_free.t, from_free.side, from_free.inside), (1.0, Side::Front, false));
    let from_solid = hit(&room, &Ray::new(Vec3::X * 3.0, Vec3::NEG_X).unwrap()).unwrap();
    assert_eq!((from_solid.t, from_solid.side, from_solid.inside), (2.0, Side::Back, true));
    // Two boxes that share a wall: the ray leaves the second one; two that overlap: likewise.
    for shift in [2.0, 1.5] {
        let two = Polyhedron::cuboid(DVec3::ONE);
        let two = two.joined(&Polyhedron::cuboid(DVec3::ONE).mapped(|p| p + DVec3::X * shift));
        let body = mesh(&two);
        let out = hit(&body, &Ray::new(Vec3::new(0.0, 0.1, 0.2), Vec3::X).unwrap()).unwrap();
        assert_eq!((widen_real(out.t), out.inside), (1.0 + shift, true));
        let mut hits = Vec::new();
        mesh_crossings(
            &body,
            &Pose::IDENTITY,
            &Ray::new(Vec3::new(-2.0, 0.1, 0.2), Vec3::X).unwrap(),
            &RayOptions::default(),
            &mut hits,
        );
        assert_eq!(hits.len(), 4, "{hits:?}");
    }
}
