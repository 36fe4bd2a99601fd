//! The nearest point of a body to a point: bounds and signs against all triangles, parts and formulas.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

#[cfg(single_precision)]
extern crate clearance_f32 as clearance;

#[path = "common/meshes.rs"]
mod meshes;

use clearance::answer::{Contact, Element};
use clearance::math::{widen, widen_real};
use clearance::narrow::PairCache;
use clearance::ray::{project_on_compound, project_on_convex, project_on_half_space, project_on_mesh};
use clearance::{Compound, Pose, Real, Shape, Vec3};
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
    let shape = |i: usize| if i % 2 == 0 { ball.clone() } else { cuboid.clone() };
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
    let below = project_on_half_space(Vec3::Z, 1.0, &Pose::IDENTITY, Vec3::new(3.0, 0.0, -1.0));
    assert_eq!((below.distance, below.contact, below.nearest), (-2.0, Contact::Overlapping, Vec3::new(3.0, 0.0, 1.0)));
}
