//! The promise: inertia tensors are those of the solid: formulas to rounding, counted cells, rigid motions, scaling, parts.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common;
use crate::meshes;
use clearance::math::{widen, widen_real};
use clearance::{Compound, MassProperties, Mat3, Part, Polytope, Pose, Real, Shape, Vec3};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use common::bodies::{Body, catalogue};
use common::u;
use glam::{DMat3, DVec3};
use meshes::{mesh, pose};

fn wide(m: Mat3) -> DMat3 {
    DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis))
}

fn off(a: DMat3, b: DMat3) -> f64 {
    let d = a - b;
    [d.x_axis, d.y_axis, d.z_axis].map(|c| c.abs().max_element()).into_iter().fold(0.0, f64::max)
}

/// The largest component that an inertia tensor of that size may have.
fn scale(m: &MassProperties, size: f64) -> f64 {
    widen_real(m.volume) * size * size
}

/// The tensor about the centroid from cells of a grid whose middles are inside.
fn counted(body: &Body) -> DMat3 {
    const CELLS: u32 = 60;
    let bounds = body.shape.aabb(&Pose::IDENTITY);
    let (min, cell) = (widen(bounds.min), (widen(bounds.max) - widen(bounds.min)) / f64::from(CELLS));
    let (mut sum, middle_of) = (DMat3::ZERO, body.centroid);
    for i in 0..CELLS.pow(3) {
        let at = DVec3::new(f64::from(i % CELLS), f64::from(i / CELLS % CELLS), f64::from(i / CELLS / CELLS));
        let middle = min + cell * (at + DVec3::splat(0.5));
        if (body.outside)(middle) <= 0.0 {
            let r = middle - middle_of;
            let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
            sum += (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer) * cell.element_product();
        }
    }
    sum
}

#[test]
fn tensors_match_counted_cells() {
    let mut solids = HitRate::new("solids");
    for body in catalogue(1.0) {
        let found = body.shape.mass_properties();
        if !solids.record(body.volume > 0.0) {
            assert_eq!(found.inertia, Mat3::ZERO, "{}", body.name);
            continue;
        }
        assert_eq!((found.volume, found.centroid), body.shape.mass());
        let apart = off(wide(found.inertia), counted(&body));
        assert!(apart < 0.01 * scale(&found, body.size), "{}: {apart} {found:?}", body.name);
    }
    solids.assert_between(0.6, 0.9);
}

fn assert_diagonal(name: &str, shape: &Shape, diagonal: [f64; 3], size: f64) {
    let found = shape.mass_properties();
    let apart = off(wide(found.inertia), DMat3::from_diagonal(DVec3::from(diagonal)));
    assert!(apart <= 64.0 * u() * scale(&found, size), "{name}: {found:?} for {diagonal:?}");
}

#[test]
fn tensors_match_formulas() {
    let pi = std::f64::consts::PI;
    for k in [1.0, 1024.0, 1.0 / 4096.0] {
        let r = |x: f64| (x * k) as Real;
        let k5 = k.powi(5);
        let [x, y, z] = [1.0, 2.0, 0.5];
        let m = 8.0 * x * y * z;
        let brick = Shape::cuboid([r(x), r(y), r(z)]).unwrap();
        let t = [y * y + z * z, x * x + z * z, x * x + y * y].map(|s| s * m / 3.0 * k5);
        assert_diagonal("box", &brick, t, 2.3 * k);
        let m = 4.0 / 3.0 * pi * 8.0;
        assert_diagonal("ball", &Shape::sphere(r(2.0)).unwrap(), [0.4 * m * 4.0 * k5; 3], 2.0 * k);
        let (h, radius) = (3.0, 1.5);
        let m = pi * radius * radius * h;
        let across = m * (3.0 * radius * radius + h * h) / 12.0;
        let t = [across, across, m * radius * radius / 2.0].map(|s| s * k5);
        assert_diagonal("cylinder", &Shape::cylinder(r(h / 2.0), r(radius)).unwrap(), t, 2.2 * k);
        let m = m / 3.0;
        let across = 3.0 / 20.0 * m * (radius * radius + h * h / 4.0);
        let t = [across, across, 0.3 * m * radius * radius].map(|s| s * k5);
        assert_diagonal("cone", &Shape::cone(r(h), r(radius)).unwrap(), t, 2.5 * k);
        let (half, radius) = (2.0, 0.5);
        let (rod, ball) = (pi * radius * radius * 2.0 * half, 4.0 / 3.0 * pi * radius * radius * radius);
        let along = rod * radius * radius / 2.0 + ball * 0.4 * radius * radius;
        let across = rod * (radius * radius / 4.0 + half * half / 3.0)
            + ball * (0.4 * radius * radius + half * half + 0.75 * half * radius);
        let t = [along, across, across].map(|s| s * k5);
        assert_diagonal("capsule", &Shape::capsule(r(half), r(radius)).unwrap(), t, 2.5 * k);
        let m = 4.0 / 3.0 * pi * x * y * z;
        let t = [y * y + z * z, x * x + z * z, x * x + y * y].map(|s| s * m / 5.0 * k5);
        assert_diagonal("ellipsoid", &Shape::ellipsoid([r(x), r(y), r(z)]).unwrap(), t, 2.0 * k);
    }
}

#[test]
fn polytopes_meshes_and_boxes_agree() {
    let half = [1.0 as Real, 2.0, 0.5];
    let of_shape = Shape::cuboid(half).unwrap().mass_properties();
    let of_polytope = Polytope::cuboid(half).unwrap().mass_properties();
    let of_mesh = mesh(&Polyhedron::cuboid(DVec3::new(1.0, 2.0, 0.5))).mass_properties();
    for other in [of_polytope, of_mesh] {
        assert!(off(wide(of_shape.inertia), wide(other.inertia)) <= 64.0 * u() * scale(&of_shape, 2.3), "{other:?}");
        assert!((of_shape.volume - other.volume).abs() <= 8.0 as Real * u() as Real * of_shape.volume);
    }
    // A prism with many sides is nearly a cylinder.
    let prism = Polytope::regular_prism(360, 1.5, 1.5).unwrap().mass_properties();
    let cylinder = Shape::cylinder(1.5, 1.5).unwrap().mass_properties();
    assert!(off(wide(prism.inertia), wide(cylinder.inertia)) < 1e-3 * scale(&cylinder, 2.2));
}

/// Rigid motions: R I Rᵀ about the moved centroid; scaling: the fifth power; mirroring: the mirrored tensor.
#[test]
fn tensors_follow_motions_and_scales() {
    let mut rng = Rng::new(31);
    for seed in 0..20 {
        let lump = Polyhedron::star(1, |_| 1.0 + 0.3 * rng.uniform(-1.0, 1.0));
        let own = mesh(&lump);
        let found = own.mass_properties();
        let place = pose(&mut rng, DVec3::new(1.0, -2.0, 0.5));
        let moved = found.posed(&place);
        let turned: Vec<Vec3> = own.vertices().iter().map(|&p| place.point(p)).collect();
        let faces: Vec<[u32; 3]> = (0..own.triangle_count() as u32).map(|t| corners(&own, t)).collect();
        let anew = clearance::Mesh::new(&turned, &faces).unwrap().mass_properties();
        let error = 200.0 * u() * scale(&found, 4.0);
        assert!(off(wide(moved.inertia), wide(anew.inertia)) <= error, "{seed}: {moved:?} {anew:?}");
        assert!((widen(moved.centroid) - widen(anew.centroid)).length() <= 100.0 * u() * 4.0);
        let large = own.scaled([4.0; 3]).unwrap().mass_properties();
        assert!(off(wide(large.inertia), wide(found.inertia) * 1024.0) <= 1024.0 * error);
        let mirrored = own.scaled([-1.0, 1.0, 1.0]).unwrap();
        assert!(mirrored.is_solid());
        let flip = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
        let tensor = mirrored.mass_properties();
        assert!(off(wide(tensor.inertia), flip * wide(found.inertia) * flip) <= error);
        assert!((tensor.volume - found.volume).abs() <= 64.0 * u() as Real * found.volume);
        // The parallel axis: about the origin the tensor is that about the centroid and the centroid's own.
        let c = widen(found.centroid);
        let outer = DMat3::from_cols(c * c.x, c * c.y, c * c.z);
        let steiner = (DMat3::from_diagonal(DVec3::splat(c.length_squared())) - outer) * widen_real(found.volume);
        assert!(off(wide(found.inertia_about(Vec3::ZERO)), wide(found.inertia) + steiner) <= error);
    }
}

fn corners(mesh: &clearance::Mesh, triangle: u32) -> [u32; 3] {
    let (points, _) = mesh.triangle(triangle);
    points.map(|p| mesh.vertices().iter().position(|&v| v == p).unwrap() as u32)
}

/// Two halves of a box, in a compound and far from the origin, are the box.
#[test]
fn compounds_add_up() {
    let half = Shape::cuboid([0.5, 1.0, 2.0]).unwrap();
    let at = |x: Real| Pose::from_translation([x, 3.0, -7.0]).unwrap();
    let both = Compound::new([(half.clone().into(), at(9.5)), (half.into(), at(10.5))]).unwrap().mass_properties();
    let whole = Shape::cuboid([1.0, 1.0, 2.0]).unwrap().mass_properties().posed(&at(10.0));
    assert!(off(wide(both.inertia), wide(whole.inertia)) <= 64.0 * u() * scale(&whole, 13.0));
    assert!((widen(both.centroid) - widen(whole.centroid)).length() <= 8.0 * u() * 13.0);
    let points = Compound::new([(Shape::point().into(), at(1.0)), (Shape::point().into(), at(3.0))]).unwrap();
    let none = points.mass_properties();
    assert_eq!((none.volume, none.inertia, none.centroid.x), (0.0, Mat3::ZERO, 2.0));
}

/// A shell inside of another one: what is solid counts once; a hollow is taken away.
#[test]
fn nested_shells_count_once() {
    let outer = Polyhedron::cuboid(DVec3::new(3.0, 3.0, 4.0));
    let inner = Polyhedron::cuboid(DVec3::splat(1.0));
    let small = Polyhedron::cuboid(DVec3::splat(0.5));
    let near = |found: Real, truth: f64| (widen_real(found) - truth).abs() <= 64.0 * u() * 300.0;
    let volume = |p: &Polyhedron| mesh(p).mass_properties().volume;
    assert!(near(volume(&outer.clone().joined(&inner)), 288.0));
    let hollow = outer.clone().joined(&inner.clone().inside_out());
    assert!(near(volume(&hollow), 280.0));
    // Something in the hollow counts; twice solid with a hollow in it is still solid.
    assert!(near(volume(&hollow.joined(&small)), 281.0));
    assert!(near(volume(&outer.clone().joined(&inner).joined(&small.clone().inside_out())), 288.0));
    // Side by side they add up.
    let beside = inner.mapped(|p| p + DVec3::X * 10.0);
    assert!(near(volume(&outer.joined(&beside)), 296.0));
}

/// Combinations have the stated accuracy: known bodies made in a roundabout way.
#[test]
fn sampled_tensors_are_within_a_thousandth() {
    let at = |x: Real| Pose::from_translation([x, 0.0, 0.0]).unwrap();
    let ball = |r: Real, x: Real| Part { shape: Shape::sphere(r).unwrap(), pose: at(x) };
    let hull = Shape::hull(ball(0.6, -0.8), ball(0.35, 0.8)).mass_properties();
    let tapered = Shape::tapered_capsule(0.8, [0.6, 0.35]).unwrap().mass_properties();
    assert!(off(wide(hull.inertia), wide(tapered.inertia)) <= 1e-3 * scale(&tapered, 1.4), "{hull:?} {tapered:?}");
    assert!((hull.volume / tapered.volume - 1.0).abs() < 1e-3);
    let disc = Part::from(Shape::disc(1.0).unwrap());
    let sum = Shape::sum(
        disc.clone(),
        Shape::segment(0.5)
            .unwrap()
            .posed(Pose::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2 as Real).unwrap())
            .into(),
    );
    let (sum, cylinder) = (sum.mass_properties(), Shape::cylinder(0.5, 1.0).unwrap().mass_properties());
    assert!(off(wide(sum.inertia), wide(cylinder.inertia)) <= 2e-3 * scale(&cylinder, 1.2), "{sum:?} {cylinder:?}");
}

/// The largest and the smallest sizes: finite where the numbers reach, never NaN.
#[test]
fn extreme_sizes_are_not_nan() {
    for size in [2.0 * clearance::tolerance::SMALLEST_SIZE, clearance::tolerance::LARGEST_SIZE / 4.0] {
        for shape in [
            Shape::cuboid([size; 3]).unwrap(),
            Shape::sphere(size).unwrap(),
            Shape::tapered_capsule(size, [size, size / 2.0]).unwrap(),
            Polytope::cuboid([size; 3]).unwrap().into(),
        ] {
            let found = shape.mass_properties();
            assert!(found.volume > 0.0 && found.volume.is_finite(), "{shape:?} {found:?}");
            assert!(!found.inertia.is_nan() && found.centroid.is_finite(), "{shape:?} {found:?}");
        }
    }
}
