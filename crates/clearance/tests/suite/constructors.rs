//! Shapes people expect: along any axis, tapered, prisms, scaled, welded, half-spaces, height fields, point clouds; and what is refused.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::meshes;
use clearance::concave::{BodyManifoldOptions, manifold};
use clearance::math::{widen, widen_real};
use clearance::{
    Body, Cache, Closest, Compound, End, HalfSpace, HeightField, Mesh, MeshError, MeshOptions, Part, PointCloud,
    Polytope, PolytopeError, Pose, PoseError, Real, Shape, ShapeError, Support, Vec3, VertexId, closest,
};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use glam::DVec3;
use meshes::{mesh, pose, real};

const ERROR: f64 = if cfg!(single_precision) { 1e-5 } else { 1e-12 };

fn height(shape: &Shape, d: Vec3) -> f64 {
    let point = shape.support(d, VertexId::NONE).point;
    widen(d).dot(widen(point))
}

/// Along any direction the farthest point of a shape between two points is that of its ends.
#[test]
fn shapes_between_points_reach_as_far_as_their_ends() {
    let mut rng = Rng::new(1);
    for round in 0..500 {
        let (p, q) = (rng.in_box(DVec3::splat(3.0)), rng.in_box(DVec3::splat(3.0)));
        // Along the axes, both ways, too.
        let q = if round < 6 {
            p + [DVec3::X, DVec3::Y, DVec3::Z][round % 3] * if round < 3 { 2.0 } else { -2.0 }
        } else {
            q
        };
        let (r, s) = (rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0));
        let (a, b) = (real(p), real(q));
        let capsule = Shape::capsule_between(a, b, r as Real).unwrap();
        let cylinder = Shape::cylinder_between(a, b, r as Real).unwrap();
        let cone = Shape::cone_between(a, b, r as Real).unwrap();
        let tapered = Shape::tapered_capsule_between(a, b, [r as Real, s as Real]).unwrap();
        let bucket = Shape::tapered_cylinder_between(a, b, [r as Real, s as Real]).unwrap();
        let axis = (q - p).normalize();
        for _ in 0..20 {
            let d = rng.unit_vector();
            let rim = (1.0 - d.dot(axis).powi(2)).max(0.0).sqrt();
            let [low, high] = [d.dot(p), d.dot(q)];
            let truths = [
                (&capsule, low.max(high) + r),
                (&cylinder, low.max(high) + r * rim),
                (&cone, high.max(low + r * rim)),
                (&tapered, (low + r).max(high + s)),
                (&bucket, (low + r * rim).max(high + s * rim)),
            ];
            for (shape, truth) in truths {
                assert!((height(shape, real(d)) - truth).abs() <= ERROR * 10.0, "{shape:?} {truth}");
                let [_, high] = shape.extent(real(d));
                assert!((widen_real(high) - truth).abs() <= ERROR * 10.0, "{shape:?} {truth}");
            }
        }
    }
}

/// The distance of two bodies with f64 or f32 bounds; converged, and as tight as is stated for curved distances.
fn near(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Closest {
    let near = closest(a, pose_a, b, pose_b, &mut Cache::default());
    assert_eq!(near.end, End::Converged, "{a:?} {b:?} {near:?}");
    assert!(near.lower <= near.distance && near.distance <= near.upper, "{near:?}");
    near
}

/// A tapered capsule is the hull of two balls: the same distance, to the bounds, from everything; and from a ball by a formula.
#[test]
fn tapered_capsules_are_hulls_of_balls() {
    let mut rng = Rng::new(2);
    let mut hits = HitRate::new("pairs that overlap");
    let ball = |r: Real, x: Real| Part {
        shape: Shape::sphere(r).unwrap(),
        pose: Pose::from_translation([x, 0.0, 0.0]).unwrap(),
    };
    for _ in 0..600 {
        let (half, r, s) =
            (rng.uniform(0.3, 2.0) as Real, rng.uniform(0.1, 0.9) as Real, rng.uniform(0.1, 0.9) as Real);
        let tapered = Shape::tapered_capsule(half, [r, s]).unwrap();
        let hull = Shape::hull(ball(r, -half), ball(s, half));
        let other = match rng.index(4) {
            0 => Shape::sphere(0.4).unwrap(),
            1 => Shape::cuboid([0.5, 0.7, 0.3]).unwrap(),
            2 => Shape::tapered_cylinder(0.6, 0.2, 0.9).unwrap(),
            _ => Shape::tapered_capsule(0.5, [0.3, 0.5]).unwrap(),
        };
        let away = rng.unit_vector() * rng.uniform(0.5, 4.0);
        let (pose_a, pose_b) = (pose(&mut rng, DVec3::ZERO), pose(&mut rng, away));
        let ours = near(&tapered, &pose_a, &other, &pose_b);
        let plain = closest(&hull, &pose_a, &other, &pose_b, &mut Cache::default());
        hits.record(ours.distance < 0.0);
        assert!(ours.lower <= plain.upper && plain.lower <= ours.upper, "{ours:?} {plain:?}");
        // By the definition: the least over the balls along the axis; each ball against the other one is a point.
        if let (clearance::Core::Point, r_other) = (other.core(), widen_real(other.radius())) {
            let c = widen(pose_a.point_to_local(pose_b.translation()));
            let [half, r, s] = [half, r, s].map(widen_real);
            let to = |t: f64| c.distance(DVec3::X * (half * (2.0 * t - 1.0))) - (r + (s - r) * t) - r_other;
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..200 {
                let (x, y) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if to(x) < to(y) { high = y } else { low = x }
            }
            let truth = to(0.5 * (low + high));
            if truth > 0.0 {
                // What is stated for curved distances.
                let stated = if cfg!(single_precision) { 1.6e-4 } else { 1.6e-8 } * truth + ERROR;
                assert!((widen_real(ours.distance) - truth).abs() <= stated, "{truth} {ours:?}");
                assert!(widen_real(ours.lower) <= truth + ERROR && truth <= widen_real(ours.upper) + ERROR);
            }
        }
    }
    hits.assert_between(0.1, 0.6);
}

/// Tapered cylinders against the prism of many sides that they contain: never farther, and hardly nearer.
#[test]
fn tapered_cylinders_match_fine_frustums() {
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let shape = Shape::tapered_cylinder(0.8, 0.3, 1.2).unwrap();
        let clearance::Core::TaperedCylinder { heights, .. } = *shape.core() else { panic!() };
        let ring = |r: f64, z: Real| {
            (0..240).map(move |i| {
                let (s, c) = (f64::from(i) / 240.0 * std::f64::consts::TAU).sin_cos();
                Vec3::new((r * c) as Real, (r * s) as Real, z)
            })
        };
        let fine = Shape::polytope(&ring(0.8, heights[0]).chain(ring(0.3, heights[1])).collect::<Vec<_>>()).unwrap();
        let other = Shape::cuboid([0.3, 0.5, 0.4]).unwrap();
        let away = rng.unit_vector() * rng.uniform(0.8, 3.0);
        let (pose_a, pose_b) = (pose(&mut rng, DVec3::ZERO), pose(&mut rng, away));
        let ours = near(&shape, &pose_a, &other, &pose_b);
        let plain = near(&fine, &pose_a, &other, &pose_b);
        assert!(ours.distance <= plain.distance + 1e-4 && plain.distance - ours.distance < 5e-4, "{ours:?} {plain:?}");
    }
}

#[test]
fn prisms_and_scaled_polytopes_have_their_volumes() {
    let nut = Polytope::regular_prism(6, 2.0, 0.5).unwrap();
    assert!((nut.volume() - 6.0 * (3.0 as Real).sqrt()).abs() < 1e-5);
    let wedge = Polytope::prism(&[[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]], 1.5).unwrap();
    assert!((wedge.volume() - 3.0).abs() < 1e-5);
    assert_eq!((wedge.vertices().len(), wedge.face_count()), (6, 5));
    for sides in 3..40 {
        let prism = Polytope::regular_prism(sides, 1.0, 1.0).unwrap();
        assert_eq!(prism.vertices().len(), 2 * sides as usize);
        assert_eq!(prism.face_count(), sides as usize + 2);
    }
    let mirrored = wedge.scaled([-1.0, 2.0, 0.5]).unwrap();
    assert!((mirrored.volume() - 3.0).abs() < 1e-5);
    assert_eq!(mirrored.vertices().len(), 6);
    for face in 0..mirrored.face_count() as u32 {
        assert!(mirrored.plane(face).distance(mirrored.centroid()) < 0.0);
    }
    let solid = mesh(&Polyhedron::torus(2.0, 0.5, 12, 8));
    for factors in [[2.0, 1.0, 0.5], [-2.0, 1.0, 0.5], [-1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]] {
        let scaled = solid.scaled(factors).unwrap();
        assert!(scaled.is_solid() && scaled.triangle_count() == solid.triangle_count());
        let share: Real = factors.iter().product::<Real>().abs();
        assert!((scaled.mass_properties().volume / solid.mass_properties().volume / share - 1.0).abs() < 1e-5);
        assert_eq!(scaled.triangle(5).1, solid.triangle(5).1);
    }
    let room = MeshOptions { kind: clearance::shape::mesh::Kind::Room, ..MeshOptions::default() };
    let room = meshes::build(&Polyhedron::cuboid(DVec3::ONE).inside_out(), &room).unwrap();
    assert!(room.scaled([-1.0, 1.0, 3.0]).unwrap().is_room());
}

/// Points within the distance become one; none moves by more; a distance of zero is exact.
#[test]
fn welding_joins_what_is_near() {
    let mut rng = Rng::new(4);
    for distance in [1e-3, 1e-2, 0.3] {
        let cube = Polyhedron::sphere(1.0, 2);
        // A soup of triangles, each corner off by less than half the distance.
        let (mut soup, mut faces) = (Vec::new(), Vec::new());
        for t in cube.triangles() {
            let first = soup.len() as u32;
            faces.push([first, first + 1, first + 2]);
            soup.extend(t.map(|p| real(p + rng.in_ball(0.2 * distance))));
        }
        let options = MeshOptions { weld: true, weld_distance: distance as Real, ..MeshOptions::default() };
        let exact = Mesh::with_options(&soup, &faces, &MeshOptions { weld: true, ..MeshOptions::default() }).unwrap();
        assert!(!exact.is_solid());
        match Mesh::with_options(&soup, &faces, &options) {
            Ok(welded) => {
                assert!(welded.is_solid() && welded.vertices().len() == cube.vertices.len());
                for [from, to] in &welded.repairs().welded {
                    let moved = widen(soup[*from as usize]).distance(widen(soup[*to as usize]));
                    assert!(moved <= distance * 1.000001);
                }
            }
            // A distance larger than the edges folds triangles.
            Err(error) => assert!(distance > 0.2 && matches!(error, MeshError::RepeatedVertex { .. }), "{error}"),
        }
        let hull = Polytope::from_points_welded(&soup, distance as Real).unwrap();
        let whole = Polytope::from_points(&soup).unwrap();
        assert!(hull.vertices().len() <= whole.vertices().len());
        for &p in &soup {
            let near = closest(
                &Shape::point(),
                &Pose::from_translation(p).unwrap(),
                &hull,
                &Pose::IDENTITY,
                &mut Cache::default(),
            );
            assert!(widen_real(near.distance) <= distance * 1.000001);
        }
    }
}

#[test]
fn rotations_by_axis_and_angle() {
    let turn = Pose::from_axis_angle([0.0, 0.0, 5.0], 0.3).unwrap();
    assert!((turn.point(Vec3::X) - Vec3::new((0.3 as Real).cos(), (0.3 as Real).sin(), 0.0)).length() < 1e-6);
    assert!(matches!(Pose::from_axis_angle(Vec3::ZERO, 1.0), Err(PoseError::Axis { .. })));
    assert!(matches!(Pose::from_axis_angle([Real::NAN, 0.0, 1.0], 1.0), Err(PoseError::Axis { .. })));
    assert!(matches!(Pose::from_axis_angle(Vec3::X, Real::INFINITY), Err(PoseError::Angle { .. })));
    assert!(matches!(turn.with_translation([Real::NAN, 0.0, 0.0]), Err(PoseError::Translation { axis: 'x', .. })));
}

#[test]
fn bad_shapes_are_refused_by_name() {
    let (nan, inf) = (Real::NAN, Real::INFINITY);
    let field = |result: Result<Shape, ShapeError>| match result {
        Err(ShapeError::Size { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    assert_eq!(field(Shape::tapered_capsule(1.0, [1.0, 0.0])), "radii[1]");
    assert_eq!(field(Shape::tapered_cylinder(nan, 1.0, 1.0)), "bottom_radius");
    assert_eq!(field(Shape::capsule_between(Vec3::X, Vec3::X, 1.0)), "length");
    assert_eq!(field(Shape::cone_between(Vec3::X, Vec3::Y, -1.0)), "radius");
    assert!(matches!(Shape::cylinder_between(Vec3::X, Vec3::splat(nan), 1.0), Err(ShapeError::Points(_))));
    assert!(matches!(Polytope::cuboid([1.0, 0.0, 1.0]), Err(PolytopeError::Size { field: "half_extents[1]", .. })));
    assert!(matches!(Polytope::regular_prism(2, 1.0, 1.0), Err(PolytopeError::TooFewPoints { .. })));
    assert!(matches!(Polytope::regular_prism(5, inf, 1.0), Err(PolytopeError::Size { field: "radius", .. })));
    assert!(matches!(Polytope::prism(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], 1.0), Err(PolytopeError::Coplanar { .. })));
    let cube = Polytope::cuboid([1.0; 3]).unwrap();
    for bad in [0.0, nan, inf] {
        assert!(matches!(cube.scaled([1.0, bad, 1.0]), Err(PolytopeError::Factor { axis: 'y', .. })));
        let solid = mesh(&Polyhedron::cuboid(DVec3::ONE));
        assert!(matches!(solid.scaled([1.0, 1.0, bad]), Err(MeshError::Factor { axis: 'z', .. })));
    }
    for bad in [-1.0, nan, inf] {
        assert!(matches!(Polytope::from_points_welded(cube.vertices(), bad), Err(PolytopeError::WeldDistance { .. })));
        let options = MeshOptions { weld: true, weld_distance: bad, ..MeshOptions::default() };
        let made = meshes::build(&Polyhedron::cuboid(DVec3::ONE), &options);
        assert!(matches!(made, Err(MeshError::WeldDistance { .. })));
    }
    assert!(matches!(HalfSpace::new(Vec3::ZERO, 1.0), Err(ShapeError::Normal { .. })));
    assert!(matches!(HalfSpace::new(Vec3::splat(nan), 1.0), Err(ShapeError::Normal { .. })));
    assert!(matches!(HalfSpace::new(Vec3::X, nan), Err(ShapeError::Offset { .. })));
    assert!(matches!(HalfSpace::new(Vec3::X, inf), Err(ShapeError::Offset { .. })));
    let twice = HalfSpace::new(Vec3::new(0.0, 0.0, 2.0), 3.0).unwrap();
    assert_eq!((twice.normal(), twice.offset()), (Vec3::Z, 1.5));
}

#[test]
fn bad_fields_and_clouds_are_refused_by_element() {
    let (nan, inf) = (Real::NAN, Real::INFINITY);
    let none: &[Vec<Real>] = &[];
    assert!(matches!(HeightField::new(none, [1.0; 2]), Err(ShapeError::NoCells { rows: 0, columns: 0 })));
    assert!(matches!(HeightField::new(&[vec![1.0, 2.0]], [1.0; 2]), Err(ShapeError::NoCells { rows: 1, columns: 2 })));
    assert!(matches!(HeightField::new(&[[1.0], [2.0]], [1.0; 2]), Err(ShapeError::NoCells { .. })));
    assert!(matches!(HeightField::new(&[vec![], vec![]], [1.0; 2]), Err(ShapeError::NoCells { rows: 2, columns: 0 })));
    let ragged = HeightField::new(&[vec![1.0, 2.0], vec![1.0]], [1.0; 2]);
    assert!(matches!(ragged, Err(ShapeError::Ragged { row: 1, count: 1, expected: 2 })));
    for bad in [nan, inf, -inf] {
        let made = HeightField::new(&[[1.0, 2.0], [1.0, bad]], [1.0; 2]);
        assert!(matches!(made, Err(ShapeError::Height { row: 1, column: 1, .. })));
        let made = HeightField::with_holes(&[[None, Some(2.0)], [Some(bad), None]], [1.0; 2]);
        assert!(matches!(made, Err(ShapeError::Height { row: 1, column: 0, .. })));
    }
    for bad in [0.0, -1.0, nan, inf] {
        let made = HeightField::new(&[[1.0, 2.0], [1.0, 1.0]], [1.0, bad]);
        assert!(matches!(made, Err(ShapeError::Size { field: "cell[1]", .. })));
    }
    assert!(matches!(HeightField::with_holes(&[[None, None], [None, None]], [1.0; 2]), Err(ShapeError::OnlyHoles)));
    // Heights, but no three of them at one triangle.
    let made = HeightField::with_holes(&[[Some(1.0), Some(0.0)], [Some(0.0), None]], [1.0; 2]);
    assert!(matches!(made, Err(ShapeError::OnlyHoles)));
    let made = HeightField::with_holes(&[[None, Some(0.0)], [Some(0.0), Some(2.0)]], [1.0; 2]);
    assert!(matches!(made, Err(ShapeError::OnlyHoles)));
    assert!(matches!(PointCloud::new(&[], 0.1), Err(ShapeError::PointCount { count: 0 })));
    for bad in [-0.1, nan, inf] {
        assert!(matches!(PointCloud::new(&[Vec3::ZERO], bad), Err(ShapeError::Radius { .. })));
        let made = PointCloud::new(&[Vec3::ZERO, Vec3::new(0.0, 0.0, 1.0 / (bad - bad).abs().min(0.0))], 0.0);
        assert!(matches!(made, Err(ShapeError::Points(_))), "{made:?}");
    }
    let same = PointCloud::new(&[Vec3::ONE; 100], 0.0).unwrap();
    assert_eq!(same.support(Vec3::X), (Vec3::ONE, 0));
    let cloud = Body::from(PointCloud::new(&[Vec3::ZERO], 0.0).unwrap());
    assert!(matches!(cloud.clone().padded(-1.0), Err(ShapeError::Padding { .. })));
    assert!(matches!(Compound::new([(cloud, Pose::IDENTITY)]), Err(ShapeError::Part { index: 0 })));
    let floor = Body::from(HalfSpace::new(Vec3::Z, 1.0).unwrap());
    let Body::HalfSpace(padded) = floor.clone().padded(0.5).unwrap() else { panic!() };
    assert_eq!(padded.offset(), 1.5);
    for bad in [-1.0, nan, inf] {
        assert!(matches!(floor.clone().padded(bad), Err(ShapeError::Padding { .. })));
    }
}

fn flat_field() -> Body {
    HeightField::new(&[[0.5 as Real; 12]; 12], [0.5, 0.5]).unwrap().into()
}

/// A box, a mesh and a compound rest on a flat field and on a half-space at the same height: the corners of what rests, straight up.
#[test]
fn what_rests_has_its_corners_as_contacts() {
    let depth: Real = 1.0 / 128.0;
    let floors = [(flat_field(), "field"), (HalfSpace::new(Vec3::Z, 0.5).unwrap().into(), "half-space")];
    let cube = Body::from(Shape::cuboid([1.0, 0.75, 0.5]).unwrap());
    let of_mesh = Body::from(mesh(&Polyhedron::cuboid(DVec3::new(1.0, 0.75, 0.5))));
    let at = |x: Real| Pose::from_translation([x, 0.0, 0.0]).unwrap();
    let leg = Body::from(Shape::cuboid([0.25, 0.25, 0.5]).unwrap());
    let table = Body::from(Compound::new([(leg.clone(), at(-1.0)), (leg, at(1.0))]).unwrap());
    let dots = Body::from(PointCloud::new(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE], 0.5).unwrap());
    let place = Pose::from_translation([2.6, 2.7, 1.0 - depth]).unwrap();
    for (floor, name) in &floors {
        for (body, count) in [(&cube, 4), (&of_mesh, 4), (&table, 8), (&dots, 3)] {
            for swapped in [false, true] {
                let options = BodyManifoldOptions::default();
                let found = if swapped {
                    manifold(
                        body,
                        &place,
                        floor,
                        &Pose::IDENTITY,
                        &mut clearance::concave::BodyCache::default(),
                        &options,
                    )
                } else {
                    manifold(
                        floor,
                        &Pose::IDENTITY,
                        body,
                        &place,
                        &mut clearance::concave::BodyCache::default(),
                        &options,
                    )
                };
                assert_eq!(found.contacts.len(), count, "{name} {swapped} {body:?} {found:?}");
                for contact in &found.contacts {
                    let up = if swapped { -contact.normal } else { contact.normal };
                    assert!((up - Vec3::Z).length() < 1e-5, "{name} {found:?}");
                    assert!((contact.depth - depth).abs() < 1e-5, "{name} {found:?}");
                    assert!((contact.on_b - contact.on_a + contact.normal * contact.depth).length() < 1e-5);
                    let on_floor = if swapped { contact.on_b } else { contact.on_a };
                    assert!((on_floor.z - 0.5).abs() < 1e-5);
                }
            }
        }
    }
}

/// Apart by more than the margin there is nothing; within it contacts have negative depths.
#[test]
fn margins_of_contacts() {
    let cube = Body::from(Shape::cuboid([1.0, 0.75, 0.5]).unwrap());
    let place = Pose::from_translation([2.6, 2.7, 1.125]).unwrap();
    for floor in [flat_field(), HalfSpace::new(Vec3::Z, 0.5).unwrap().into()] {
        let ask = |margin: Real| {
            let options = BodyManifoldOptions { margin, ..Default::default() };
            manifold(&floor, &Pose::IDENTITY, &cube, &place, &mut clearance::concave::BodyCache::default(), &options)
        };
        assert!(ask(0.0).contacts.is_empty() && ask(0.1).contacts.is_empty());
        let found = ask(0.25);
        assert_eq!(found.contacts.len(), 4, "{found:?}");
        assert!(found.contacts.iter().all(|contact| (contact.depth + 0.125).abs() < 1e-5));
    }
}
