//! Meshes at rest against brute force over all pairs of triangles: booleans, distances, containment, bounds.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::meshes;
use clearance::concave::{BodyCache, closest, overlap};
use clearance::math::{widen, widen_real};
use clearance::shape::mesh::{Kind, Side};
use clearance::tolerance::{TOUCHING_SIGMAS, sigma};
use clearance::{Body, Compound, Contact, Witness};
use clearance::{Mesh, MeshOptions, Pose, Real, Shape, Vec3};
use clearance_testkit::{HitRate, Polyhedron, Rng, surfaces};
use glam::DVec3;
use meshes::{body, build, mesh, placed, pose, real};

/// Relative to the size of the pair: what f64 answers must agree to.
const AGREEMENT: f64 = if cfg!(single_precision) { 3e-6 } else { 1e-12 };

fn solid(body: &Body) -> &Mesh {
    match body {
        Body::Mesh(mesh) => mesh,
        _ => panic!("not a mesh"),
    }
}

/// Checks all that is promised of a pair of meshes against brute force; returns the true distance, zero if solids meet.
fn check(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    let (of_a, of_b) = (placed(solid(a), pose_a), placed(solid(b), pose_b));
    let between = (pose_a.translation() - pose_b.translation()).abs().element_sum();
    let size = widen_real(a.bounding_radius() + b.bounding_radius() + between);
    let error = AGREEMENT * size;
    let apart = surfaces::distance(&of_a, &of_b);
    let inside = |outer: &Body, surface: &[[DVec3; 3]], points: &[[DVec3; 3]]| {
        solid(outer).is_solid() && points.iter().any(|t| surfaces::winding(surface, t[0]) > 0.5)
    };
    let contained = apart > 0.0 && (inside(a, &of_a, &of_b) || inside(b, &of_b, &of_a));
    let truth = if contained { 0.0 } else { apart };
    let near = closest(a, pose_a, b, pose_b, &mut BodyCache::default());
    let met = overlap(a, pose_a, b, pose_b, &mut BodyCache::default());
    let c = &near;
    let values = format!("truth {truth} surfaces {apart} {near:?} {met:?}");
    assert!(c.lower <= c.distance && c.distance <= c.upper, "{values}");
    let [p, q] = c.points.map(widen);
    assert!((q - p - widen(c.normal) * widen_real(c.distance)).length() <= error, "{values}");
    assert!((widen(c.normal).length() - 1.0).abs() < 1e-6, "{values}");
    assert_eq!(met.overlap(), met.contact != Contact::Apart);
    if truth > error {
        assert!((widen_real(c.distance) - truth).abs() <= error, "{values}");
        assert!(widen_real(c.lower) <= truth && truth <= widen_real(c.upper), "{values}");
        assert_eq!((near.contact, met.contact), (Contact::Apart, Contact::Apart), "{values}");
        let Some(gap) = met.gap() else { panic!("{values}") };
        assert!(gap > 0.0 && widen_real(gap) <= truth + error, "{values}");
        assert!(c.upper - c.lower <= 8.0 * sigma(size as Real), "{values}");
    } else if truth == 0.0 {
        assert!(c.distance <= sigma(size as Real), "{values}");
        assert_ne!(near.contact, Contact::Apart, "{values}");
        assert_eq!(near.contact, met.contact, "{values}");
        let Witness::Point(point) = met.witness else { panic!("{values}") };
        for (outer, surface) in [(a, &of_a), (b, &of_b)] {
            let point = widen(point);
            let off = surfaces::distance(surface, &[[point, point + DVec3::X * 1e-30, point + DVec3::Y * 1e-30]]);
            let within = solid(outer).is_solid() && surfaces::winding(surface, point) > 0.5;
            assert!(within || off <= 1e3 * error, "{off} {values}");
        }
        if near.contact == Contact::Overlapping {
            assert!(c.distance < -TOUCHING_SIGMAS * sigma(size as Real) * 0.5, "{values}");
            separates(a, pose_a, b, pose_b, c.normal, -c.lower, error);
        }
    }
    swapped(a, pose_a, b, pose_b, widen_real(c.distance), error, apart > 0.0 && truth > 0.0);
    warm(a, pose_a, b, pose_b, c.distance, error);
    truth
}

/// The bodies' order does not matter.
fn swapped(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, distance: f64, error: f64, apart: bool) {
    let other = closest(b, pose_b, a, pose_a, &mut BodyCache::default());
    let difference = (widen_real(other.distance) - distance).abs();
    assert!(!apart || difference <= error, "{distance} {other:?}");
}

/// A cache changes nothing.
fn warm(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, distance: Real, error: f64) {
    let mut cache = BodyCache::default();
    for _ in 0..2 {
        let near = closest(a, pose_a, b, pose_b, &mut cache);
        assert!(widen_real((near.distance - distance).abs()) <= error, "{distance} {near:?}");
    }
}

/// Moving B by what the lower bound says along some axis gets it out; less than the depth along the normal does not.
fn separates(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, normal: Vec3, depth: Real, error: f64) {
    let near = closest(a, pose_a, b, pose_b, &mut BodyCache::default());
    assert!(depth >= -near.distance);
    let shift = normal * (-near.distance * 0.9);
    let moved = Pose::new(pose_b.translation() + shift, pose_b.rotation().to_array()).unwrap();
    let still = overlap(a, pose_a, b, &moved, &mut BodyCache::default());
    assert!(still.overlap() || widen_real(-near.distance) < 1e2 * error, "{near:?} {still:?}");
}

fn random_solids(rng: &mut Rng) -> Vec<Polyhedron> {
    let mut bumpy = || {
        let mut seeds = rng.clone();
        *rng = Rng::new(seeds.index(1 << 30) as u64);
        Polyhedron::star(2, |_| seeds.uniform(0.4, 1.0))
    };
    vec![
        bumpy(),
        bumpy(),
        Polyhedron::torus(0.8, 0.25, 14, 8),
        Polyhedron::trefoil(0.35, 40, 6).mapped(|p| p * 0.33),
        Polyhedron::notched().mapped(|p| p * 0.6),
        Polyhedron::shell(1.0, 0.6, 1),
    ]
}

#[test]
fn random_solids_against_brute_force() {
    let mut rng = Rng::new(11);
    let solids: Vec<Body> = random_solids(&mut rng).iter().map(body).collect();
    let mut meeting = HitRate::new("solids meet");
    for i in 0..120 {
        let (a, b) = (&solids[i % solids.len()], &solids[rng.index(solids.len())]);
        let offset = rng.unit_vector() * rng.uniform(0.0, 3.0);
        let (pose_a, pose_b) = (pose(&mut rng, DVec3::ZERO), pose(&mut rng, offset));
        meeting.record(check(a, &pose_a, b, &pose_b) == 0.0);
    }
    meeting.assert_between(0.3, 0.7);
}

#[test]
fn surfaces_soups_and_terrain() {
    let mut rng = Rng::new(12);
    let mut meeting = HitRate::new("surfaces meet");
    for i in 0..60 {
        let soup = body(&Polyhedron::soup(&mut rng, 40, 0.25));
        let other =
            if i % 2 == 0 { body(&Polyhedron::terrain(&mut rng, 6)) } else { body(&Polyhedron::star(1, |_| 0.3)) };
        let offset = rng.unit_vector() * rng.uniform(0.0, 4.0);
        let (pose_a, pose_b) = (pose(&mut rng, DVec3::ZERO), pose(&mut rng, offset));
        meeting.record(check(&soup, &pose_a, &other, &pose_b) == 0.0);
    }
    meeting.assert_between(0.2, 0.7);
}

#[test]
fn slivers_and_scales() {
    let mut rng = Rng::new(13);
    let mut meeting = HitRate::new("slivers meet");
    for i in 0..150 {
        let scale = [1.0, 1e-6, 1e6][i % 3];
        let a = body(&Polyhedron::sliver(&mut rng).mapped(|p| p * scale));
        let b = if i % 2 == 0 {
            body(&Polyhedron::sliver(&mut rng).mapped(|p| p * scale))
        } else {
            body(&Polyhedron::notched().mapped(|p| p * scale * 0.3))
        };
        let offset = rng.unit_vector() * rng.uniform(0.0, 0.8) * scale;
        let (pose_a, pose_b) = (pose(&mut rng, DVec3::ZERO), pose(&mut rng, offset));
        meeting.record(check(&a, &pose_a, &b, &pose_b) == 0.0);
    }
    meeting.assert_between(0.05, 0.6);
}

/// On a lattice everything is exact: faces coplanar, edges and corners coincident, one inside the other.
#[test]
fn lattice_boxes_touch_overlap_or_are_apart() {
    let mut rng = Rng::new(14);
    let half = |rng: &mut Rng| DVec3::from_array([0; 3].map(|_| rng.integer(1, 3) as f64 * 0.5));
    let mut touching = HitRate::new("boxes touch");
    let mut overlapping = HitRate::new("boxes overlap");
    for _ in 0..400 {
        let (ha, hb) = (half(&mut rng), half(&mut rng));
        let offset = DVec3::from_array([0; 3].map(|_| rng.integer(-4, 4) as f64 * 0.5));
        let (a, b) = (body(&Polyhedron::cuboid(ha)), body(&Polyhedron::cuboid(hb)));
        let pose_b = Pose::from_translation(real(offset)).unwrap();
        let gap = offset.abs() - ha - hb;
        let apart = gap.max(DVec3::ZERO).length();
        let near = closest(&a, &Pose::IDENTITY, &b, &pose_b, &mut BodyCache::default());
        let met = overlap(&a, &Pose::IDENTITY, &b, &pose_b, &mut BodyCache::default());
        let expected = match gap.max_element() {
            g if g > 0.0 => Contact::Apart,
            0.0 => Contact::Touching,
            _ => Contact::Overlapping,
        };
        touching.record(expected == Contact::Touching);
        overlapping.record(expected == Contact::Overlapping);
        assert_eq!((near.contact, met.contact), (expected, expected), "{ha} {hb} {offset} {near:?} {met:?}");
        let distance = widen_real(near.distance);
        match expected {
            Contact::Overlapping => {
                let depth = -gap.max_element();
                assert!(distance < 0.0 && -distance <= depth + 1e-6, "{depth} {near:?}");
                assert!(widen_real(near.lower) <= -depth, "{depth} {near:?}");
            }
            _ => assert!((distance - apart).abs() <= AGREEMENT * 8.0, "{apart} {near:?}"),
        }
        check(&a, &Pose::IDENTITY, &b, &pose_b);
    }
    touching.assert_between(0.2, 0.6);
    overlapping.assert_between(0.2, 0.6);
}

/// Boxes resting on each other, turned and far away: touching, whatever rounding does.
#[test]
fn resting_faces_touch() {
    let mut rng = Rng::new(15);
    for _ in 0..100 {
        let (ha, hb) = (
            DVec3::from_array([0; 3].map(|_| rng.uniform(0.5, 2.0))),
            DVec3::from_array([0; 3].map(|_| rng.uniform(0.5, 2.0))),
        );
        let (a, b) = (body(&Polyhedron::cuboid(ha)), body(&Polyhedron::cuboid(hb)));
        let pose_a = pose(&mut rng, DVec3::new(3.0, -2.0, 1.0));
        let offset = DVec3::new(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), ha.z + hb.z);
        let pose_b = pose_a.compose(&Pose::from_translation(real(offset)).unwrap());
        let near = closest(&a, &pose_a, &b, &pose_b, &mut BodyCache::default());
        let met = overlap(&a, &pose_a, &b, &pose_b, &mut BodyCache::default());
        assert_eq!((near.contact, met.contact), (Contact::Touching, Contact::Touching), "{near:?} {met:?}");
        assert!(near.lower <= 0.0 && near.upper >= 0.0, "{near:?}");
        let up = pose_a.direction(Vec3::Z);
        assert!(near.normal.dot(up) > 0.99, "{near:?} {up}");
    }
}

/// The same solid at the same place overlaps itself though no two of its faces cross.
#[test]
fn coincident_solids_overlap() {
    let mut rng = Rng::new(16);
    let cube = Polyhedron::cuboid(DVec3::new(1.0, 0.5, 0.25));
    for polyhedron in random_solids(&mut rng).into_iter().chain([cube]) {
        let a = body(&polyhedron);
        let here = pose(&mut rng, DVec3::new(1.0, 2.0, 3.0));
        let near = closest(&a, &here, &a, &here, &mut BodyCache::default());
        let met = overlap(&a, &here, &a, &here, &mut BodyCache::default());
        assert_eq!((near.contact, met.contact), (Contact::Overlapping, Contact::Overlapping), "{near:?} {met:?}");
        assert!(near.distance < -1e-3, "{near:?}");
    }
}

#[test]
fn a_torus_and_a_knot_inside_each_other() {
    let torus = body(&Polyhedron::torus(2.0, 0.8, 40, 16));
    let knot = Polyhedron::trefoil(0.2, 90, 8);
    // The knot winds around the ring's tube; small, it lies inside it; in the hole it is apart.
    let mut seen = Vec::new();
    for (scale, x) in [(1.0, 0.0), (0.2, 2.0), (0.2, 0.0), (3.0, 0.0)] {
        let knot = body(&knot.clone().mapped(|p| p * scale));
        let pose_b = Pose::from_translation([x, 0.0, 0.0]).unwrap();
        check(&torus, &Pose::IDENTITY, &knot, &pose_b);
        seen.push(overlap(&torus, &Pose::IDENTITY, &knot, &pose_b, &mut BodyCache::default()).contact);
    }
    assert_eq!(seen[..3], [Contact::Overlapping, Contact::Overlapping, Contact::Apart]);
}

#[test]
fn a_box_in_a_shell() {
    let small = body(&Polyhedron::cuboid(DVec3::splat(0.25)));
    let sphere = Polyhedron::sphere(1.0, 3);
    let at = |x: Real| Pose::from_translation([x, 0.0, 0.0]).unwrap();
    let contact = |a: &Body, b: &Body, x: Real| {
        check(a, &Pose::IDENTITY, b, &at(x));
        overlap(a, &Pose::IDENTITY, b, &at(x), &mut BodyCache::default()).contact
    };
    let solid = body(&sphere);
    let surface: Body = build(&sphere, &MeshOptions { kind: Kind::Surface, ..MeshOptions::default() }).unwrap().into();
    assert_eq!(contact(&solid, &small, 0.1), Contact::Overlapping);
    assert_eq!(contact(&small, &solid, 0.1), Contact::Overlapping);
    assert_eq!(contact(&surface, &small, 0.1), Contact::Apart);
    // In the hollow it is apart, in the wall it overlaps.
    let shell = body(&Polyhedron::shell(1.0, 0.5, 3));
    assert_eq!(contact(&shell, &small, 0.0), Contact::Apart);
    let tiny = body(&Polyhedron::cuboid(DVec3::splat(0.05)));
    assert_eq!(contact(&shell, &tiny, 0.7), Contact::Overlapping);
}

#[test]
fn points_in_solids_are_located_exactly() {
    let mut rng = Rng::new(17);
    let mut inside = HitRate::new("points are inside");
    for polyhedron in random_solids(&mut rng) {
        let mesh = mesh(&polyhedron);
        let triangles = placed(&mesh, &Pose::IDENTITY);
        for _ in 0..300 {
            let point = real(rng.in_box(DVec3::splat(1.1)));
            let winding = surfaces::winding(&triangles, widen(point));
            let expected = if winding > 0.5 { Side::Inside } else { Side::Outside };
            inside.record(expected == Side::Inside);
            assert_eq!(mesh.locate(point), expected, "{point} {winding}");
        }
        // Straight above and below corners and edges the ray meets nothing but special cases.
        for &v in mesh.vertices() {
            assert_eq!(mesh.locate(v), Side::Boundary);
            for z in [-0.1, 0.1] {
                let point = v + Vec3::Z * z;
                let off = surfaces::distance(
                    &triangles,
                    &[[widen(point), widen(point) + DVec3::X * 1e-30, widen(point) + DVec3::Y * 1e-30]],
                );
                if off > 1e-6 {
                    let expected =
                        if surfaces::winding(&triangles, widen(point)) > 0.5 { Side::Inside } else { Side::Outside };
                    assert_eq!(mesh.locate(point), expected, "{point}");
                }
            }
        }
    }
    inside.assert_between(0.05, 0.6);
}

/// Convex shapes against a mesh of the same shape and against the triangles one by one.
#[test]
fn convex_shapes_against_meshes() {
    let mut rng = Rng::new(18);
    let solids: Vec<Body> = random_solids(&mut rng).iter().map(body).collect();
    let half = DVec3::new(0.3, 0.5, 0.4);
    let cuboid: Body = Shape::cuboid(half.to_array().map(|x| x as Real)).unwrap().into();
    let twin = body(&Polyhedron::cuboid(half));
    let mut meeting = HitRate::new("a box meets a mesh");
    for i in 0..150 {
        let a = &solids[i % solids.len()];
        let offset = rng.unit_vector() * rng.uniform(0.0, 2.5);
        let (pose_a, pose_b) = (pose(&mut rng, DVec3::ZERO), pose(&mut rng, offset));
        let truth = check(a, &pose_a, &twin, &pose_b);
        let near = closest(a, &pose_a, &cuboid, &pose_b, &mut BodyCache::default());
        let met = overlap(a, &pose_a, &cuboid, &pose_b, &mut BodyCache::default());
        let turned = closest(&cuboid, &pose_b, a, &pose_a, &mut BodyCache::default());
        meeting.record(met.overlap());
        assert_eq!(met.overlap(), truth == 0.0, "{truth} {near:?} {met:?}");
        assert_eq!(near.contact, met.contact, "{near:?} {met:?}");
        assert_eq!(near.distance, turned.distance);
        let c = near;
        assert!(c.lower <= c.distance && c.distance <= c.upper);
        if truth > 0.0 {
            assert!((widen_real(c.distance) - truth).abs() <= 4.0 * AGREEMENT, "{truth} {near:?}");
        }
    }
    meeting.assert_between(0.3, 0.7);
}

#[test]
fn curved_shapes_in_and_around_meshes() {
    let ball: Body = Shape::sphere(0.25).unwrap().into();
    let torus = body(&Polyhedron::torus(1.0, 0.4, 200, 80));
    let at = |x: Real, y: Real, z: Real| Pose::from_translation([x, y, z]).unwrap();
    let near = |place: Pose| closest(&torus, &Pose::IDENTITY, &ball, &place, &mut BodyCache::default());
    // In the hole, in the tube, above, and touching the crest from above.
    assert!((near(at(0.0, 0.0, 0.0)).distance - 0.35).abs() < 1e-3);
    let inside = near(at(1.0, 0.0, 0.0));
    assert_eq!(inside.contact, Contact::Overlapping);
    assert!((inside.distance + 0.4).abs() < 1e-3, "{inside:?}");
    assert!((near(at(1.0, 0.0, 1.0)).distance - 0.35).abs() < 1e-3);
    let resting = near(at(1.0, 0.0, 0.65));
    assert!(resting.distance.abs() < 1e-3, "{resting:?}");
}

/// A compound of boxes is the union of its parts.
#[test]
fn compounds_are_their_parts() {
    let mut rng = Rng::new(19);
    let mut meeting = HitRate::new("compounds meet");
    for _ in 0..60 {
        let mut parts = Vec::new();
        for i in 0..6 {
            let half = DVec3::from_array([0; 3].map(|_| rng.uniform(0.1, 0.4)));
            let place = rng.in_box(DVec3::ONE);
            let place = pose(&mut rng, place);
            let part: Body = match i % 3 {
                0 => body(&Polyhedron::cuboid(half)),
                1 => body(&Polyhedron::notched().mapped(|p| p * 0.3)),
                _ => Shape::cuboid(half.to_array().map(|x| x as Real)).unwrap().into(),
            };
            parts.push((part, place));
        }
        let a = Body::from(Compound::new(parts[..3].to_vec()).unwrap());
        // A compound within a compound is taken apart.
        let inner = Body::from(Compound::new(parts[4..].to_vec()).unwrap());
        let shift = pose(&mut rng, DVec3::ZERO);
        let b = Body::from(Compound::new([parts[3].clone(), (inner, shift)]).unwrap());
        let offset = rng.unit_vector() * rng.uniform(0.5, 3.0);
        let (pose_a, pose_b) = (pose(&mut rng, DVec3::ZERO), pose(&mut rng, offset));
        let mut least = Real::INFINITY;
        for (p, own) in &parts[..3] {
            for (k, (q, other)) in parts[3..].iter().enumerate() {
                let other = if k == 0 { *other } else { shift.compose(other) };
                let (pa, pb) = (pose_a.compose(own), pose_b.compose(&other));
                least = least.min(closest(p, &pa, q, &pb, &mut BodyCache::default()).distance);
            }
        }
        let near = closest(&a, &pose_a, &b, &pose_b, &mut BodyCache::default());
        let met = overlap(&a, &pose_a, &b, &pose_b, &mut BodyCache::default());
        meeting.record(met.overlap());
        assert!(widen_real((near.distance - least).abs()) <= 8.0 * AGREEMENT, "{least} {near:?}");
        assert_eq!(near.contact, met.contact, "{near:?} {met:?}");
        let alone = &parts[5].0;
        let with_one = closest(&a, &pose_a, alone, &pose_b, &mut BodyCache::default());
        let turned = closest(alone, &pose_b, &a, &pose_a, &mut BodyCache::default());
        assert!(widen_real((with_one.distance - turned.distance).abs()) <= 8.0 * AGREEMENT);
        assert_eq!(with_one.features[0].part, turned.features[1].part);
    }
    meeting.assert_between(0.2, 0.8);
}

/// Points and single polygons are bodies too.
#[test]
fn points_and_polygons() {
    let point: Body = Mesh::new(&[Vec3::ZERO], &[] as &[[u32; 3]]).unwrap().into();
    let square: Body =
        Mesh::new(&[[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]].map(Vec3::from), &[[0, 1, 2, 3]])
            .unwrap()
            .into();
    let cube = body(&Polyhedron::cuboid(DVec3::ONE));
    let at = |p: [Real; 3]| Pose::from_translation(p).unwrap();
    let near = |a: &Body, b: &Body, p| closest(a, &Pose::IDENTITY, b, &at(p), &mut BodyCache::default());
    assert_eq!(near(&square, &point, [0.5, 0.25, 2.0]).distance, 2.0);
    assert_eq!(near(&square, &point, [0.5, 0.25, 0.0]).contact, Contact::Touching);
    assert_eq!(near(&point, &point, [3.0, 4.0, 0.0]).distance, 5.0);
    assert_eq!(near(&cube, &point, [0.5, 0.25, 0.5]).contact, Contact::Overlapping);
    assert_eq!(near(&cube, &point, [0.5, 0.25, 0.5]).distance, -0.5);
    assert_eq!(near(&cube, &point, [0.5, 0.25, 1.5]).distance, 0.5);
    assert_eq!(near(&cube, &square, [0.5, 0.25, 0.5]).contact, Contact::Overlapping);
    assert_eq!(near(&cube, &square, [0.5, 0.25, 1.0]).contact, Contact::Touching);
    assert_eq!(near(&square, &square, [0.5, 0.25, 1.0]).distance, 1.0);
}

/// A plate in a tower that is divided just where the plate's lower side is: no two triangles cross, and yet they overlap.
#[test]
fn overlap_along_seams_is_found() {
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let level = |z: f64| [corner(-1., -1., z), corner(1., -1., z), corner(1., 1., z), corner(-1., 1., z)];
    let vertices = [level(-1.0), level(0.0), level(1.0)].concat();
    let mut faces = vec![vec![3, 2, 1, 0], vec![8, 9, 10, 11]];
    for floor in [0, 4] {
        faces.extend((0..4).map(|i| vec![floor + i, floor + (i + 1) % 4, floor + 4 + (i + 1) % 4, floor + 4 + i]));
    }
    let tower = body(&Polyhedron { vertices, faces });
    for (half, x) in
        [(DVec3::new(3.0, 3.0, 1.0), 0.0), (DVec3::new(3.0, 0.5, 1.0), 0.25), (DVec3::new(0.25, 0.25, 1.0), 0.0)]
    {
        let plate = body(&Polyhedron::cuboid(half));
        let place = Pose::from_translation([x as Real, 0.0, 1.0]).unwrap();
        for (a, pose_a, b, pose_b) in [(&tower, Pose::IDENTITY, &plate, place), (&plate, place, &tower, Pose::IDENTITY)]
        {
            let near = closest(a, &pose_a, b, &pose_b, &mut BodyCache::default());
            let met = overlap(a, &pose_a, b, &pose_b, &mut BodyCache::default());
            assert_eq!((near.contact, met.contact), (Contact::Overlapping, Contact::Overlapping), "{half} {near:?}");
            assert!(near.distance >= -1.0 - 1e-6, "{near:?}");
        }
    }
}
