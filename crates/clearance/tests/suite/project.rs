//! The nearest point of a body to a point: bounds and signs against all triangles, parts and formulas.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::meshes;
use clearance::math::{widen, widen_real};
use clearance::narrow::PairCache;
use clearance::ray::{
    Ray, RayOptions, cast_ray_height_field, cast_ray_mesh, project_on_cloud, project_on_compound, project_on_convex,
    project_on_half_space, project_on_height_field, project_on_mesh,
};
use clearance::{Compound, HalfSpace, HeightField, Mesh, PointCloud, Pose, Real, Shape, Vec3};
use clearance::{Contact, Element};
use clearance_testkit::{HitRate, Polyhedron, Rng, surfaces};
use glam::DVec3;
use meshes::{mesh, placed, pose, real};

/// Random points around meshes: the distance is that from all triangles, the sign that of the winding number.
#[test]
fn meshes_by_brute_force() {
    let mut rng = Rng::new(21);
    let mut inside = HitRate::new("inside");
    let solids = [
        Polyhedron::cuboid(DVec3::ONE),
        Polyhedron::sphere(1.0, 3),
        Polyhedron::torus(1.0, 0.4, 16, 10),
        Polyhedron::notched(),
        Polyhedron::shell(1.0, 0.6, 2),
        Polyhedron::terrain(&mut rng, 8),
    ];
    for solid in solids {
        let body = mesh(&solid);
        for round in 0..300 {
            let middle = rng.in_ball(if round % 2 == 0 { 1.0 } else { 100.0 });
            let place = pose(&mut rng, middle);
            let point = place.point(real(rng.in_ball(2.0)));
            let triangles = placed(&body, &place);
            let near = project_on_mesh(&body, &place, point);
            let q = widen(point);
            let exact = surfaces::distance(&triangles, &[[q; 3]]);
            let is_inside = body.is_solid() && surfaces::winding(&triangles, q) > 0.5;
            let signed = if inside.record(is_inside) { -exact } else { exact };
            let rounding = 1e-13 * (q.length() + 2.0);
            assert!(
                widen_real(near.lower) <= signed + rounding && signed - rounding <= widen_real(near.upper),
                "{signed} {near:?}"
            );
            assert!(near.lower <= near.distance && near.distance <= near.upper);
            let noise = 64.0 * widen_real(Real::EPSILON) * (q.length() + 2.0);
            assert!(widen_real(near.upper) - widen_real(near.lower) <= noise, "{near:?}");
            let back = widen(near.nearest) + widen(near.normal) * widen_real(near.distance);
            assert!(back.distance(q) <= noise, "{near:?}");
            assert!(surfaces::distance(&triangles, &[[widen(near.nearest); 3]]) <= noise, "{near:?}");
        }
    }
    inside.assert_between(0.05, 0.5);
}

/// Faces, edges, corners, and the surface itself.
#[test]
fn features_and_signs() {
    let body = mesh(&Polyhedron::cuboid(DVec3::ONE));
    let at = |p: [f64; 3]| project_on_mesh(&body, &Pose::IDENTITY, real(p.into()));
    let face = at([0.25, 0.25, 3.0]);
    assert!(matches!(face.feature.element, Element::Face(_)), "{face:?}");
    assert_eq!((face.distance, face.normal, face.contact), (2.0, Vec3::Z, Contact::Apart));
    assert!(matches!(at([2.0, 2.0, 0.5]).feature.element, Element::Edge(_)));
    assert!(matches!(at([2.0, 2.0, -2.0]).feature.element, Element::Vertex(_)));
    let inner = at([0.0, 0.25, 0.5]);
    assert_eq!((inner.distance, inner.normal, inner.contact), (-0.5, Vec3::Z, Contact::Overlapping));
    let on = at([1.0, 0.25, 0.5]);
    assert_eq!((on.distance, on.normal, on.contact), (0.0, Vec3::X, Contact::Touching));
    assert!(project_on_mesh(&body, &Pose::IDENTITY, Vec3::NAN).lower == Real::NEG_INFINITY);
}

/// Convex shapes, half-spaces and compounds.
#[test]
fn convex_and_compound() {
    let mut rng = Rng::new(22);
    let cache = &mut PairCache::default();
    let ball = Shape::sphere(0.5).unwrap();
    let cuboid = Shape::cuboid([1.0, 0.5, 0.25]).unwrap();
    let places: Vec<Pose> = (0..20)
        .map(|_| {
            let middle = rng.in_ball(3.0);
            pose(&mut rng, middle)
        })
        .collect();
    let shape = |i: usize| if i.is_multiple_of(2) { ball.clone() } else { cuboid.clone() };
    let parts = places.iter().enumerate().map(|(i, place)| (shape(i).into(), *place));
    let compound = Compound::new(parts).unwrap();
    let mut inside = HitRate::new("inside");
    for _ in 0..1_000 {
        let point = real(rng.in_ball(5.0));
        let near = project_on_compound(&compound, &Pose::IDENTITY, point, cache);
        let each = places.iter().enumerate();
        let each = each.map(|(i, place)| project_on_convex(&shape(i), &Pose::IDENTITY.compose(place), point, cache));
        let least = each.map(|part| part.distance).fold(Real::INFINITY, Real::min);
        inside.record(least < 0.0);
        assert!((near.distance - least).abs() <= 64.0 * Real::EPSILON * 8.0, "{near:?} {least}");
        assert!(near.lower <= near.distance && near.distance <= near.upper, "{near:?}");
    }
    inside.assert_between(0.02, 0.6);
    let near = project_on_convex(&ball, &Pose::IDENTITY, Vec3::new(2.0, 0.0, 0.0), cache);
    assert!((near.distance - 1.5).abs() < 1e-5 && (near.nearest - Vec3::X * 0.5).length() < 1e-5);
    let below =
        project_on_half_space(&HalfSpace::new(Vec3::Z, 1.0).unwrap(), &Pose::IDENTITY, Vec3::new(3.0, 0.0, -1.0));
    assert_eq!((below.distance, below.contact, below.nearest), (-2.0, Contact::Overlapping, Vec3::new(3.0, 0.0, 1.0)));
}

/// A height field answers rays and points as the mesh of its triangles does, through its grid lines and corners too.
#[test]
fn height_fields_are_their_triangles() {
    let mut rng = Rng::new(23);
    let rows: Vec<Vec<Option<Real>>> = (0..13)
        .map(|_| (0..9).map(|_| (!rng.chance(0.05)).then(|| rng.integer(0, 8) as Real * 0.25)).collect())
        .collect();
    let field = HeightField::with_holes(&rows, [0.5, 0.25]).unwrap();
    // Numbers of triangles without heights are left out of the mesh.
    let numbers: Vec<u32> = (0..2 * 8 * 12).filter(|&i| field.triangle(i).is_some()).collect();
    let corners: Vec<Vec3> = numbers.iter().flat_map(|&i| field.triangle(i).unwrap()).collect();
    let faces: Vec<Vec<u32>> = (0..numbers.len() as u32).map(|i| vec![3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let body = Mesh::new(&corners, &faces).unwrap();
    let mut hits = HitRate::new("hit");
    for round in 0..3_000 {
        let middle = rng.in_ball(3.0);
        let place = if round % 3 == 0 { pose(&mut rng, middle) } else { Pose::IDENTITY };
        // Between places of a grid, so that rays go through edges and corners exactly.
        let mut point = |z: i64| {
            let [x, y, z] = [rng.integer(0, 16), rng.integer(0, 24), rng.integer(z, z + 8)].map(|i| i as f64);
            place.point(real(DVec3::new(x * 0.25, y * 0.125, z * 0.25)))
        };
        let (from, to) = (point(12), point(-6));
        let Ok(ray) = Ray::between(from, to) else { continue };
        let options = RayOptions::default();
        let (of_field, of_mesh) =
            (cast_ray_height_field(&field, &place, &ray, &options), cast_ray_mesh(&body, &place, &ray, &options));
        assert_eq!(hits.record(of_field.is_some()), of_mesh.is_some(), "{ray:?} {of_field:?} {of_mesh:?}");
        if let (Some(a), Some(b)) = (of_field, of_mesh) {
            assert!(a.t == b.t && a.side == b.side, "{a:?} {b:?}");
        }
        let (a, b) = (project_on_height_field(&field, &place, from), project_on_mesh(&body, &place, from));
        assert_eq!(a.distance, b.distance);
    }
    hits.assert_between(0.5, 0.999);
}

/// A cloud is its balls.
#[test]
fn clouds_are_their_balls() {
    let mut rng = Rng::new(24);
    let points: Vec<Vec3> = (0..500).map(|_| real(rng.in_ball(3.0))).collect();
    let cloud = PointCloud::new(&points, 0.25).unwrap();
    let mut inside = HitRate::new("inside");
    for _ in 0..1_000 {
        let middle = rng.in_ball(3.0);
        let place = pose(&mut rng, middle);
        let point = place.point(real(rng.in_ball(4.0)));
        let near = project_on_cloud(&cloud, &place, point);
        let least = points.iter().map(|&p| (place.point(p) - point).length()).fold(Real::INFINITY, Real::min) - 0.25;
        inside.record(least < 0.0);
        assert!((near.distance - least).abs() <= 64.0 * Real::EPSILON * 10.0, "{near:?} {least}");
        assert!(
            near.lower <= near.distance
                && near.distance <= near.upper
                && matches!(near.feature.element, Element::Vertex(_))
        );
    }
    inside.assert_between(0.05, 0.6);
}
