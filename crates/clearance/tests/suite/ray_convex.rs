//! Rays against convex shapes, half-spaces, clouds of balls and compounds: bounds against formulas, membership and contact ranges.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{widen, widen_real};
use clearance::ray::{
    Ray, RayOptions, cast_ray_cloud, cast_ray_compound, cast_ray_convex, cast_ray_half_space, convex_crossings,
};
use clearance::{Compound, HalfSpace, Mesh, Part, PointCloud, Polytope, Pose, Real, Shape, Vec3};
use clearance::{Element, RayHit, Side};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use common::{SINGLE, narrowed, random_pose};
use glam::DVec3;

fn vector(v: DVec3) -> Vec3 {
    clearance::math::narrow(v)
}

fn shapes(rng: &mut Rng) -> Vec<Shape> {
    let cloud: Vec<DVec3> = (0..40).map(|_| rng.unit_vector()).collect();
    let corners = [DVec3::new(1.0, 0.0, 0.1), DVec3::new(-0.5, 1.0, 0.0), DVec3::new(-0.4, -0.9, 0.3)].map(vector);
    let (ball, cuboid) = (Shape::sphere(1.0).unwrap(), Shape::cuboid([0.5, 1.0, 0.75]).unwrap());
    let hull = Shape::hull(Part::from(ball.clone()), Part { shape: cuboid.clone(), pose: random_pose(rng, 1.0) });
    vec![
        ball,
        cuboid,
        Shape::cylinder(0.5, 1.5).unwrap(),
        Shape::capsule(0.5, 1.5).unwrap(),
        Shape::cone(0.8, 1.5).unwrap(),
        Shape::ellipsoid([0.5, 1.0, 1.5]).unwrap(),
        Shape::wheel(1.0, 0.25).unwrap(),
        Shape::from(Polytope::from_points(&narrowed(&cloud)).unwrap()),
        Shape::triangle(corners).unwrap(),
        hull,
    ]
}

/// A signed measure of how far a point is from a shape, from its own `closest`.
fn distance(shape: &Shape, pose: &Pose, point: DVec3) -> f64 {
    let place = Pose::from_translation(vector(point)).unwrap();
    let cache = &mut clearance::narrow::PairCache::default();
    widen_real(clearance::narrow::closest(shape, pose, &Shape::point(), &place, cache).distance)
}

fn tolerance() -> f64 {
    if SINGLE { 2e-4 } else { 1e-7 }
}

/// The hit is on the surface, before it the ray is outside, or inside if it starts there; a miss has no point inside.
#[test]
fn hits_are_where_the_surface_is() {
    let mut rng = Rng::new(11);
    let (mut hits, mut inside) = (HitRate::new("hit"), HitRate::new("inside"));
    for shape in shapes(&mut rng) {
        for _ in 0..300 {
            let pose = random_pose(&mut rng, 5.0);
            let middle = widen(pose.translation());
            let from = middle + rng.in_ball(1.0) * if rng.chance(0.3) { 0.4 } else { 4.0 };
            let to = middle + rng.in_ball(1.5);
            let ray = Ray::new(vector(from), vector((to - from) * rng.log_uniform(0.01, 100.0))).unwrap();
            let found = cast_ray_convex(&shape, &pose, 0.0, &ray, &RayOptions::default());
            let at = |t: f64| widen(ray.origin()) + widen(ray.direction()) * t;
            let length = widen(ray.direction()).length();
            let Some(hit) = found else {
                hits.record(false);
                for k in 0..40 {
                    let apart = distance(&shape, &pose, at(f64::from(k) * 0.25 / length));
                    assert!(apart > -tolerance(), "{shape:?} {ray:?} {apart}");
                }
                continue;
            };
            hits.record(true);
            inside.record(hit.inside);
            check(&shape, &pose, &ray, &hit, distance(&shape, &pose, from));
        }
    }
    hits.assert_between(0.3, 0.95);
    inside.assert_between(0.05, 0.6);
}

fn check(shape: &Shape, pose: &Pose, ray: &Ray, hit: &RayHit, start: f64) {
    let at = |t: f64| widen(ray.origin()) + widen(ray.direction()) * t;
    let what = || format!("{shape:?} {ray:?} {hit:?}");
    assert!(hit.lower <= hit.t && hit.t <= hit.upper && hit.lower >= 0.0, "{}", what());
    assert!(distance(shape, pose, at(widen_real(hit.t))).abs() <= tolerance(), "{}", what());
    assert!(distance(shape, pose, widen(hit.point)).abs() <= tolerance(), "{}", what());
    assert!((widen(hit.normal).length() - 1.0).abs() <= tolerance());
    let along = widen(hit.normal).dot(widen(ray.direction()).normalize());
    let sign = if hit.side == Side::Front { -1.0 } else { 1.0 };
    assert!(along * sign >= -1e-3, "{} {along}", what());
    if start.abs() > tolerance() {
        assert_eq!(hit.inside, start < 0.0, "{} {start}", what());
    }
    for k in 0..8 {
        let before = distance(shape, pose, at(widen_real(hit.lower) * f64::from(k) / 8.0));
        assert!(if hit.inside { before < tolerance() } else { before > -tolerance() }, "{} {before}", what());
    }
}

/// Formulas in closed form against exact values.
#[test]
fn known_answers() {
    let ray = |from: [f64; 3], way: [f64; 3]| Ray::new(vector(from.into()), vector(way.into())).unwrap();
    let cast = |shape: &Shape, ray: &Ray| cast_ray_convex(shape, &Pose::IDENTITY, 0.0, ray, &RayOptions::default());
    let cube = Shape::cuboid([1.0, 1.0, 1.0]).unwrap();
    let hit = cast(&cube, &ray([-3.0, 0.5, 0.25], [2.0, 0.0, 0.0])).unwrap();
    assert_eq!((hit.t, hit.normal, hit.side, hit.feature.element), (1.0, Vec3::NEG_X, Side::Front, Element::Face(1)));
    let hit = cast(&cube, &ray([0.5, 0.0, 0.0], [2.0, 0.0, 0.0])).unwrap();
    assert_eq!((hit.t, hit.normal, hit.side, hit.inside), (0.25, Vec3::X, Side::Back, true));
    let corner = cast(&cube, &ray([-3.0, -3.0, -3.0], [1.0, 1.0, 1.0])).unwrap();
    assert_eq!((corner.t, corner.feature.element), (2.0, Element::Vertex(7)));
    let edge = cast(&cube, &ray([3.0, 3.0, 0.5], [-1.0, -1.0, 0.0])).unwrap();
    assert_eq!((edge.t, edge.feature.element), (2.0, Element::Edge([0, 4])));
    assert_eq!(cast(&cube, &ray([1.0, 0.0, 0.0], [1.0, 0.0, 0.0])).unwrap().t, 0.0);
    assert!(cast(&cube, &ray([1.5, 0.0, 0.0], [1.0, 0.0, 0.0])).is_none());
    let ball = Shape::sphere(2.0).unwrap();
    let hit = cast(&ball, &ray([0.0, 0.0, -5.0], [0.0, 0.0, 0.5])).unwrap();
    assert!((widen_real(hit.t) - 6.0).abs() < 1e-5 && hit.lower <= 6.0 && hit.upper >= 6.0);
    // A graze counts; its bounds say how little is known of it.
    let graze = cast(&ball, &ray([2.0, 0.0, -5.0], [0.0, 0.0, 1.0])).unwrap();
    assert!(graze.lower <= 5.0 && graze.upper >= 5.0);
    assert!(cast(&ball, &ray([2.001, 0.0, -5.0], [0.0, 0.0, 1.0])).is_none());
    // Padded, the cube's side is farther out.
    let padded =
        cast_ray_convex(&cube, &Pose::IDENTITY, 0.5, &ray([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]), &RayOptions::default());
    assert!((widen_real(padded.unwrap().t) - 1.5).abs() < 1e-4);
    let mut hits = Vec::new();
    convex_crossings(
        &cube,
        &Pose::IDENTITY,
        0.0,
        &ray([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        &RayOptions::default(),
        &mut hits,
    );
    assert_eq!(hits.iter().map(|hit| (hit.t, hit.side)).collect::<Vec<_>>(), [(2.0, Side::Front), (4.0, Side::Back)]);
    let short = RayOptions::up_to(1.0).unwrap();
    assert!(cast_ray_convex(&cube, &Pose::IDENTITY, 0.0, &ray([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]), &short).is_none());
}

/// The formulas and the contact range of a point agree within their bounds.
#[test]
fn formulas_agree_with_contact_ranges() {
    let mut rng = Rng::new(12);
    let mut hits = HitRate::new("hit");
    for shape in shapes(&mut rng).into_iter().take(3) {
        for _ in 0..500 {
            let pose = random_pose(&mut rng, 5.0);
            let middle = widen(pose.translation());
            let from = middle + rng.unit_vector() * rng.uniform(2.5, 6.0);
            let ray = Ray::between(vector(from), vector(middle + rng.in_ball(1.5))).unwrap();
            let found = cast_ray_convex(&shape, &pose, 0.0, &ray, &RayOptions::default());
            let start = Pose::from_translation(ray.origin()).unwrap();
            let cache = &mut clearance::narrow::contact_range::RangeCache::default();
            let point = Shape::point();
            let range =
                clearance::narrow::contact_range::contact_range(&shape, &pose, &point, &start, ray.direction(), cache)
                    .unwrap();
            hits.record(found.is_some());
            if let (Some(found), Some(range)) = (found, range) {
                let [first, _] = range.ends;
                assert!(found.lower <= first.upper && first.lower <= found.upper, "{shape:?} {found:?} {first:?}");
            }
        }
    }
    hits.assert_between(0.3, 0.98);
}

/// A half-space from both sides, along it and on it.
#[test]
fn half_spaces() {
    let up = |from: [f64; 3], way: [f64; 3]| {
        let ray = Ray::new(vector(from.into()), vector(way.into())).unwrap();
        cast_ray_half_space(&HalfSpace::new(Vec3::Z, 1.0).unwrap(), &Pose::IDENTITY, &ray, &RayOptions::default())
    };
    let hit = up([0.0, 0.0, 3.0], [0.5, 0.0, -1.0]).unwrap();
    assert_eq!((hit.t, hit.side, hit.inside, hit.normal), (2.0, Side::Front, false, Vec3::Z));
    let hit = up([0.0, 0.0, -1.0], [0.0, 0.0, 4.0]).unwrap();
    assert_eq!((hit.t, hit.side, hit.inside), (0.5, Side::Back, true));
    assert!(up([0.0, 0.0, 3.0], [1.0, 0.0, 0.0]).is_none() && up([0.0, 0.0, 3.0], [0.0, 0.0, 1.0]).is_none());
    assert!(up([0.0, 0.0, -3.0], [0.0, 0.0, -1.0]).is_none());
    assert_eq!(up([5.0, 0.0, 1.0], [1.0, 0.0, 1.0]).map(|hit| hit.t), Some(0.0));
}

/// Clouds and compounds against all their parts.
#[test]
fn many_parts() {
    let mut rng = Rng::new(13);
    let points: Vec<Vec3> = (0..300).map(|_| vector(rng.in_ball(3.0))).collect();
    let radius: Real = 0.125;
    let cloud = PointCloud::new(&points, radius).unwrap();
    let ball = Shape::sphere(radius).unwrap();
    let parts: Vec<(Shape, Pose)> =
        shapes(&mut rng).into_iter().cycle().take(40).map(|shape| (shape, random_pose(&mut rng, 8.0))).collect();
    let compound = Compound::new(parts.iter().map(|(shape, pose)| (shape.clone().into(), *pose))).unwrap();
    let (mut hits, mut inside) = (HitRate::new("hit"), HitRate::new("inside"));
    for _ in 0..500 {
        let pose = random_pose(&mut rng, 4.0);
        let ray = Ray::between(pose.point(vector(rng.in_ball(6.0))), pose.point(vector(rng.in_ball(3.0)))).unwrap();
        let options = RayOptions::default();
        let found = cast_ray_cloud(&cloud, &pose, &ray, &options);
        let each = points.iter().filter_map(|&p| {
            cast_ray_convex(&ball, &Pose::from_translation(pose.point(p)).unwrap(), 0.0, &ray, &options)
        });
        let least = each.filter(|hit| !hit.inside).map(|hit| hit.t).fold(Real::INFINITY, Real::min);
        match found {
            Some(hit) if !hit.inside => {
                assert!(hit.t == least && matches!(hit.feature.element, Element::Vertex(i) if i < 300), "{hit:?}");
            }
            Some(_) => {}
            None => assert_eq!(least, Real::INFINITY),
        }
        let each =
            parts.iter().filter_map(|(shape, own)| cast_ray_convex(shape, &pose.compose(own), 0.0, &ray, &options));
        let each: Vec<RayHit> = each.collect();
        let found = cast_ray_compound(&compound, &pose, &ray, &options);
        assert_eq!(hits.record(found.is_some()), !each.is_empty(), "{ray:?}");
        let Some(found) = found else { continue };
        let starts_inside = each.iter().any(|hit| hit.inside);
        assert_eq!(inside.record(found.inside), starts_inside);
        if !starts_inside {
            let first = each.iter().map(|hit| hit.t).fold(Real::INFINITY, Real::min);
            assert_eq!(found.t, first);
            continue;
        }
        // Up to the end some part is around the ray, and right behind it none.
        let least = |t: f64| {
            let at = widen(ray.origin()) + widen(ray.direction()) * t;
            parts.iter().map(|(shape, own)| distance(shape, &pose.compose(own), at)).fold(f64::INFINITY, f64::min)
        };
        for k in 0..6 {
            assert!(least(widen_real(found.t) * f64::from(k) / 6.0) <= tolerance(), "{ray:?} {found:?}");
        }
        assert!(least(widen_real(found.upper)).abs() <= 100.0 * tolerance(), "{ray:?} {found:?}");
    }
    hits.assert_between(0.4, 0.99);
    inside.assert_between(0.03, 0.8);
}

/// A mesh among the parts, and its number in the answer.
#[test]
fn parts_are_named() {
    let solid = Polyhedron::cuboid(DVec3::ONE);
    let mesh = Mesh::new(&narrowed(&solid.vertices), &solid.faces).unwrap();
    let place = |x: Real| Pose::from_translation([x, 0.0, 0.0]).unwrap();
    let ball = Shape::sphere(0.5).unwrap();
    let compound = Compound::new([(ball.into(), place(4.0)), (mesh.into(), place(0.0))]).unwrap();
    let cast = |x: Real, way: Real| {
        let ray = Ray::new(Vec3::new(x, 0.25, 0.0), Vec3::X * way).unwrap();
        cast_ray_compound(&compound, &Pose::IDENTITY, &ray, &RayOptions::default())
    };
    assert_eq!(cast(-3.0, 1.0).map(|hit| (hit.feature.part, hit.t)), Some((1, 2.0)));
    assert_eq!(cast(9.0, -1.0).map(|hit| hit.feature.part), Some(0));
    assert_eq!(cast(0.0, 1.0).map(|hit| (hit.feature.part, hit.inside, hit.t)), Some((1, true, 1.0)));
}
