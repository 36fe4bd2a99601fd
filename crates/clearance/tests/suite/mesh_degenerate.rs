//! Meshes in awkward places: far away, swept through touching, corner on corner, and curved shapes triangle by triangle.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::meshes;
use clearance::concave::{BodyCache, closest, overlap};
use clearance::math::widen_real;
use clearance::tolerance::{TOUCHING_SIGMAS, sigma};
use clearance::{Body, Contact};
use clearance::{Cache, Pose, Real, Shape, Vec3};
use clearance_testkit::{HitRate, Polyhedron, Rng, surfaces};
use glam::DVec3;
use meshes::{body, mesh, placed, pose, real};

fn near(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> clearance::Closest {
    let near = closest(a, pose_a, b, pose_b, &mut BodyCache::default());
    let met = overlap(a, pose_a, b, pose_b, &mut BodyCache::default());
    // The two verbs round differently: one error from touching the one may still say that the bodies are apart.
    let between = widen_real((pose_b.translation() - pose_a.translation()).length());
    let undecided = near.distance.abs() <= error(a, b, between)
        && near.contact != Contact::Overlapping
        && met.contact != Contact::Overlapping;
    assert!(near.contact == met.contact || undecided, "{near:?} {met:?} {pose_a:?} {pose_b:?}");
    assert!(near.lower <= near.distance && near.distance <= near.upper, "{near:?}");
    near
}

fn error(a: &Body, b: &Body, between: f64) -> Real {
    sigma(a.bounding_radius() + b.bounding_radius() + between as Real)
}

/// A hook above a notch, lowered from apart through touching to overlapping: one signed distance, no jump at zero.
#[test]
fn through_touching() {
    let mut rng = Rng::new(31);
    // The boxes of trees are kept in single precision whatever the build's.
    let beyond_boxes: &[f64] = if cfg!(single_precision) { &[] } else { &[1e-60, 1e-42, 1e42, 1e60] };
    for &scale in [1e-6, 1.0, 1e6].iter().chain(beyond_boxes) {
        let a = body(&Polyhedron::notched().mapped(|p| p * scale));
        let b = body(&Polyhedron::cuboid(DVec3::splat(0.375 * scale)));
        for turned in [false, true] {
            let pose_a = if turned { pose(&mut rng, DVec3::splat(scale)) } else { Pose::IDENTITY };
            let step = widen_real(error(&a, &b, 0.5 * scale));
            for k in [-1e9, -1e6, -1e3, -64.0, -1.0, 0.0, 1.0, 64.0, 1e3, 1e6, 1e9] {
                let gap = k * step;
                if gap.abs() > 0.1 * scale {
                    continue;
                }
                // In the notch, above its floor, away from its walls.
                let place = pose_a.compose(&Pose::from_translation(real(DVec3::Z * (0.375 * scale + gap))).unwrap());
                let near = near(&a, &pose_a, &b, &place);
                let c = near;
                let noise = 8.0 * step;
                match near.contact {
                    Contact::Apart => {
                        assert!((widen_real(c.distance) - gap).abs() <= noise && gap > 0.0, "{gap} {near:?}")
                    }
                    Contact::Touching => {
                        assert!(gap.abs() <= 24.0 * step && c.distance.abs() <= error(&a, &b, scale), "{gap} {near:?}")
                    }
                    Contact::Overlapping => {
                        assert!(gap < 0.0 && c.distance < 0.0, "{gap} {near:?}");
                        // Four edges of the box go through the floor: the shortest way out is up.
                        assert!(
                            (widen_real(c.distance) - gap).abs() <= noise || widen_real(c.distance) < gap,
                            "{gap} {near:?}"
                        );
                        assert!(
                            widen_real(c.upper) >= gap - noise || widen_real(c.lower) <= gap + noise,
                            "{gap} {near:?}"
                        );
                    }
                }
                if k.abs() >= 64.0 {
                    let expected = if k > 0.0 { Contact::Apart } else { Contact::Overlapping };
                    assert_eq!(near.contact, expected, "{k} {near:?}");
                }
            }
        }
    }
}

/// Moved a million away, the same pair gives the same answer up to the rounding of its place.
#[test]
fn far_from_the_origin() {
    let mut rng = Rng::new(32);
    let knot = body(&Polyhedron::trefoil(0.3, 40, 6));
    let ring = body(&Polyhedron::torus(1.0, 0.3, 20, 10));
    let far = if cfg!(single_precision) { 1024.0 } else { 1048576.0 };
    for _ in 0..40 {
        let offset = DVec3::from_array(rng.in_ball(4.0).to_array().map(|x| (x * 64.0).round() / 64.0));
        let (pose_a, pose_b) = (pose(&mut rng, DVec3::ZERO), pose(&mut rng, offset));
        let moved = |pose: &Pose| {
            let at = pose.translation() + Vec3::splat(far as Real);
            Pose::new(at, pose.rotation().to_array()).unwrap()
        };
        let here = near(&knot, &pose_a, &ring, &pose_b);
        let there = near(&knot, &moved(&pose_a), &ring, &moved(&pose_b));
        assert_eq!(here.contact, there.contact);
        assert!((here.distance - there.distance).abs() <= 4.0 * error(&knot, &ring, 8.0), "{here:?} {there:?}");
    }
}

/// Corners on corners, corners on edges, edges across edges: touching, from outside and from within.
#[test]
fn corners_and_edges() {
    let cube = body(&Polyhedron::cuboid(DVec3::ONE));
    let spike = Polyhedron::cuboid(DVec3::ONE).mapped(|p| DVec3::new((p.x - p.y) * 0.5, (p.x + p.y) * 0.5, p.z));
    let turned = body(&spike);
    let at = |p: [f64; 3]| Pose::from_translation(real(DVec3::from(p))).unwrap();
    for place in [[2., 2., 2.], [2., 2., 0.5], [2., 0.5, 0.25], [-2., 2., -2.]] {
        assert_eq!(near(&cube, &Pose::IDENTITY, &cube, &at(place)).contact, Contact::Touching, "{place:?}");
    }
    // The vertical edge of the turned box at a face, at an edge, and corner to corner; then a little further.
    for place in [[2., 0., 0.], [2., 1., 0.], [2., 1., 2.], [2., 0., 2.]] {
        assert_eq!(near(&cube, &Pose::IDENTITY, &turned, &at(place)).contact, Contact::Touching, "{place:?}");
        let deeper = [place[0] - 0.125, place[1], place[2]];
        let expected = if place[2] == 2.0 { Contact::Touching } else { Contact::Overlapping };
        assert_eq!(near(&cube, &Pose::IDENTITY, &turned, &at(deeper)).contact, expected, "{deeper:?}");
        let away = [place[0] + 0.125, place[1], place[2]];
        assert_eq!(near(&cube, &Pose::IDENTITY, &turned, &at(away)).contact, Contact::Apart, "{away:?}");
    }
    // Inside, with faces, edges or corners on the surface: overlapping, as solids do.
    let small = body(&Polyhedron::cuboid(DVec3::splat(0.5)));
    for place in [[0.5, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.5, 0.5], [-0.5, 0.25, 0.5]] {
        assert_eq!(near(&cube, &Pose::IDENTITY, &small, &at(place)).contact, Contact::Overlapping, "{place:?}");
        assert_eq!(near(&small, &at(place), &cube, &Pose::IDENTITY).contact, Contact::Overlapping, "{place:?}");
    }
}

/// Curved shapes against every triangle in turn.
#[test]
fn curved_shapes_against_every_triangle() {
    let mut rng = Rng::new(33);
    let polyhedron = Polyhedron::star(2, |_| rng.uniform(0.5, 1.0));
    let surface = mesh(&polyhedron);
    let solid = body(&polyhedron);
    let shapes = [
        Shape::sphere(0.3).unwrap(),
        Shape::capsule(0.4, 0.1).unwrap(),
        Shape::cylinder(0.3, 0.2).unwrap(),
        Shape::ellipsoid([0.1, 0.2, 0.4]).unwrap(),
        Shape::cone(0.5, 0.3).unwrap(),
        Shape::disc(0.3).unwrap(),
    ];
    let mut meeting = HitRate::new("curved shapes meet a mesh");
    for i in 0..120 {
        let shape = &shapes[i % shapes.len()];
        let offset = rng.unit_vector() * rng.uniform(0.5, 2.0);
        let (pose_a, pose_b) = (pose(&mut rng, DVec3::ZERO), pose(&mut rng, offset));
        let mut least = Real::INFINITY;
        for t in 0..surface.triangle_count() as u32 {
            let triangle = Shape::triangle(surface.triangle(t).0).unwrap();
            let near = clearance::closest(&triangle, &pose_a, shape, &pose_b, &mut Cache::default());
            least = least.min(near.distance);
        }
        let other = Body::from(shape.clone());
        let near = near(&solid, &pose_a, &other, &pose_b);
        meeting.record(near.contact == Contact::Overlapping);
        let gap = if cfg!(single_precision) { 1e-4 } else { 1e-8 };
        if least > 0.0 && near.contact == Contact::Apart {
            assert!((near.distance - least).abs() <= gap * (1.0 + least), "{least} {near:?}");
        } else if least > 0.0 {
            let inside = surfaces::winding(&placed(&surface, &pose_a), clearance::math::widen(pose_b.translation()));
            assert!(inside > 0.5, "{inside} {near:?}");
        } else {
            // The depth is that of the deepest triangle, or of a point still deeper.
            assert!(near.distance <= least * 0.99 + gap, "{least} {near:?}");
        }
    }
    meeting.assert_between(0.2, 0.8);
}

/// The measure of depth is a lower bound: moved by less in any direction, the bodies still meet.
#[test]
fn no_shorter_translation_separates() {
    let mut rng = Rng::new(34);
    let bodies = [
        body(&Polyhedron::star(2, |_| rng.uniform(0.5, 1.0))),
        body(&Polyhedron::torus(0.8, 0.3, 16, 8)),
        body(&Polyhedron::notched().mapped(|p| p * 0.7)),
        Shape::cuboid([0.4, 0.5, 0.6]).unwrap().into(),
        Shape::sphere(0.5).unwrap().into(),
    ];
    let mut deep = HitRate::new("bodies overlap");
    for i in 0..100 {
        let (a, b) = (&bodies[i % 3], &bodies[rng.index(bodies.len())]);
        let offset = rng.in_ball(1.5);
        let (pose_a, pose_b) = (pose(&mut rng, DVec3::ZERO), pose(&mut rng, offset));
        let found = near(a, &pose_a, b, &pose_b);
        if !deep.record(found.contact == Contact::Overlapping) {
            continue;
        }
        let depth = -found.distance;
        assert!(depth > TOUCHING_SIGMAS * error(a, b, 0.0) * 0.5);
        for k in 0..20 {
            let direction = if k == 0 { found.normal } else { real(rng.unit_vector()) };
            let moved = pose_b.translation() + direction * (depth * 0.98);
            let moved = Pose::new(moved, pose_b.rotation().to_array()).unwrap();
            assert!(overlap(a, &pose_a, b, &moved, &mut BodyCache::default()).overlap(), "{direction} {found:?}");
        }
        // And the lower bound is enough in some direction: along an axis or the normal.
        let m = pose_a.matrix();
        let far = -found.lower * 1.001;
        let out = [found.normal, m.x_axis, m.y_axis, m.z_axis, -m.x_axis, -m.y_axis, -m.z_axis];
        let freed = out.into_iter().any(|d| {
            let moved = Pose::new(pose_b.translation() + d * far, pose_b.rotation().to_array()).unwrap();
            overlap(a, &pose_a, b, &moved, &mut BodyCache::default()).contact != Contact::Overlapping
        });
        assert!(freed, "{found:?}");
    }
    deep.assert_between(0.4, 0.95);
}
