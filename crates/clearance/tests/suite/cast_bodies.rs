//! What may be cast: meshes with their polygons kept large, single polygons, points; and what is refused.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::ccd::polyhedra::{
    Cast, CastError, CastScratch, Feature, Polyhedron, Rotation, TrajectoryOptions, cast_point, cast_rotation,
    cast_translation, contacts, move_body,
};
use clearance::math::{narrow, widen, widen_real};
use clearance::shape::mesh::Kind;
use clearance::{Mesh, MeshError, MeshOptions, Polytope, Pose, Real, Vec3};
use clearance_testkit::{HitRate, Rng};
use common::voxels::{Poly, world};
use common::{SINGLE, narrowed, pose_of};
use glam::{DQuat, DVec3};

const FACES: [[u32; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

fn translated(world: &Polyhedron, pose_w: &Pose, body: &Polyhedron, pose_b: &Pose, by: DVec3) -> Cast {
    let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
    cast_translation(world, pose_w, body, pose_b, narrow(by), &options, &mut scratch).unwrap()
}

fn point_at(p: DVec3) -> Polyhedron {
    Polyhedron::from(&Mesh::new::<[u32; 3]>(&[narrow(p)], &[]).unwrap())
}

fn turned_box(rng: &mut Rng) -> Vec<DVec3> {
    let half = DVec3::new(rng.uniform(0.05, 1.0), rng.uniform(0.05, 1.0), rng.uniform(0.05, 1.0));
    let (turn, place, scale) = (rng.rotation(), rng.in_ball(3.0), 10.0_f64.powf(rng.uniform(-5.0, 5.0)));
    let sign = |i: usize| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) * 2.0 - 1.0;
    (0..8).map(|i| (place + turn * (sign(i) * half)) * scale).collect()
}

/// A turned box has six polygons, whether its faces are given whole, as triangles, or found as a hull.
#[test]
fn a_turned_box_has_six_polygons() {
    let mut rng = Rng::new(3);
    for case in 0..300 {
        let corners = narrowed(&turned_box(&mut rng));
        let triangles: Vec<[u32; 3]> = FACES
            .iter()
            .flat_map(|&[a, b, c, d]| if rng.chance(0.5) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] })
            .collect();
        let made = [
            Polyhedron::from_faces(&corners, &FACES).unwrap(),
            Polyhedron::from_faces(&corners, &triangles).unwrap(),
            Polyhedron::from(&Polytope::from_points(&corners).unwrap()),
        ];
        for body in made {
            assert_eq!((body.face_count(), body.edge_counts(), body.point_count()), (6, (12, 0), 8), "{case}");
            assert!(body.is_closed() && body.is_solid());
            assert!((0..6).all(|face| body.face_points(face).count() == 4));
        }
    }
}

/// A face that is bent by more than rounding is two triangles, and no point of it can be reached from above without a contact.
#[test]
fn bent_faces_are_cut() {
    let bend = 1.0e-7;
    let corners = [[0.0, 0.0, bend], [8.0, 0.0, 0.0], [8.0, 8.0, bend], [0.0, 8.0, 0.0]].map(DVec3::from_array);
    let bent = Polyhedron::from_faces(&narrowed(&corners), &[[0, 1, 2, 3]]).unwrap();
    // In single precision that is less than rounding.
    assert_eq!(bent.face_count(), if SINGLE { 1 } else { 2 });
    assert!(!bent.is_closed() && !bent.is_solid());
    let flat = Polyhedron::from_faces(&narrowed(&corners.map(|p| p * DVec3::new(1.0, 1.0, 0.0))), &[[0, 1, 2, 3]]);
    assert_eq!(flat.unwrap().face_count(), 1);
    // A corner next to a long side, moved in by next to nothing: the line of the short edge must not cut the polygon off.
    let mut accepted = 0;
    for inset in [0.0, 0.5, 1.0, 2.0, 4.0, 64.0].map(|k| k * common::u() * 1024.0) {
        let outline = [[0.0, 0.0], [1.0, inset], [1024.0, 0.0], [1024.0, 1024.0], [0.0, 1024.0]];
        let outline = narrowed(&outline.map(|[x, y]| DVec3::new(x, y, 0.0)));
        let Ok(polygon) = Polyhedron::from_faces(&outline, &[[0, 1, 2, 3, 4]]) else { continue };
        accepted += 1;
        for [x, y] in [[1000.0, 0.0], [700.0, 0.0], [1023.0, 1.0], [500.0, 500.0]] {
            let from = DVec3::new(x, y + inset, 1.0);
            let hit = cast_point(&polygon, &Pose::IDENTITY, narrow(from), Vec3::new(0.0, 0.0, -2.0)).unwrap();
            assert_eq!(hit.map(|hit| hit.fraction), Some(0.5), "{inset}: {x}, {y}");
        }
    }
    assert!(accepted >= 4, "{accepted}");
}

/// A polyhedron of one point goes as far as a ray, less the zone; and what comes towards a point at rest meets it just so.
#[test]
fn a_point_is_a_ray_with_a_zone() {
    let mut rng = Rng::new(5);
    let (mut hits, mut unlike) = (HitRate::new("points that hit"), HitRate::new("points unlike their rays"));
    for case in 0..300 {
        let world = world(&mut rng);
        let pose = pose_of(rng.in_ball(5.0), rng.rotation());
        let placed = world.placed(&pose);
        let own = if rng.chance(0.5) { DVec3::ZERO } else { rng.in_ball(0.5) };
        let point = point_at(own);
        for _ in 0..8 {
            let mut anywhere = || common::posed(&pose, rng.in_box(DVec3::splat(3.0)) + DVec3::splat(2.0));
            let (place, to) = (anywhere(), anywhere());
            let start = pose_of(place, rng.rotation());
            let from = common::posed(&start, widen(narrow(own)));
            let by = widen(narrow(to - from));
            if placed.is_solid(from) || placed.boundary_distance(from) < 1e-3 {
                continue;
            }
            let cast = translated(&world.cast, &pose, &point, &start, by);
            let ray = cast_point(&world.cast, &pose, narrow(from), narrow(by)).unwrap();
            assert!(cast.overlap.is_none());
            hits.record(cast.hit.is_some());
            unlike.record(cast.hit.is_some() != ray.is_some());
            // The same motion, seen from the world's side: the point rests and the world comes.
            let back = translated(&point, &start, &world.cast, &pose, -by);
            let zone = widen_real(cast.zone);
            let near = |cast: &Cast| placed.boundary_distance(from + by * widen_real(cast.fraction));
            for cast in [cast, back] {
                if let Some(hit) = cast.hit {
                    let slope = (widen(hit.normal).dot(by) / by.length()).abs().max(1e-3);
                    assert!(near(&cast) < 4.0 * zone / slope, "{case}: {cast:?}");
                }
            }
            assert_eq!(back.hit.is_some(), cast.hit.is_some(), "{case}");
            assert!((widen_real(back.fraction) - widen_real(cast.fraction)).abs() * by.length() < 1e4 * zone, "{case}");
            if let (Some(hit), Some(ray)) = (cast.hit, ray) {
                assert!(matches!(hit.features, [Feature::Face(_), Feature::Vertex(0)]));
                let short = (widen_real(ray.fraction) - widen_real(cast.fraction)) * by.length();
                let slope = (widen(ray.normal).dot(by) / by.length()).abs();
                assert!(short > 0.0 && (short * slope < 4.0 * zone || hit.normal != ray.normal), "{case}: {short}");
            }
        }
    }
    hits.assert_between(0.3, 0.9);
    unlike.assert_between(0.0, 0.002);
}

/// Polygons alone, open surfaces and clouds of points, as the world and as the body.
#[test]
fn surfaces_and_points_meet() {
    let square = narrowed(&[[-1., -1., 0.], [1., -1., 0.], [1., 1., 0.], [-1., 1., 0.]].map(DVec3::from_array));
    let polygon = Polyhedron::from_faces(&square, &[[0, 1, 2, 3]]).unwrap();
    let cube = Poly::cuboid(DVec3::splat(0.5)).cast;
    let cloud: Vec<DVec3> = (0..40).map(|i| DVec3::new(f64::from(i % 8) * 0.1, f64::from(i / 8) * 0.1, 0.25)).collect();
    let cloud = Polyhedron::from(&Mesh::new::<[u32; 3]>(&narrowed(&cloud), &[]).unwrap());
    let options = MeshOptions { kind: Kind::Surface, ..MeshOptions::default() };
    let corners = narrowed(&turned_box(&mut Rng::new(1)));
    let shell = Polyhedron::from(&Mesh::with_options(&corners, &FACES, &options).unwrap());
    assert!(shell.is_closed() && !shell.is_solid());
    let down = DVec3::new(0.0, 0.0, -4.0);
    let above = pose_of(DVec3::Z * 3.0, DQuat::IDENTITY);
    for (world, body, way) in
        [(&polygon, &cube, 2.5), (&cube, &cloud, 2.75), (&polygon, &cloud, 3.25), (&cloud, &cube, 2.25)]
    {
        let cast = translated(world, &Pose::IDENTITY, body, &above, down);
        let fallen = -down.z * widen_real(cast.fraction);
        assert!((fallen - way).abs() < 2.0 * widen_real(cast.zone), "{way}: {cast:?}");
        let rotation = Rotation { origin: narrow(DVec3::new(20.0, 0.0, 3.0)), axis: -Vec3::Y, angle: 0.5 };
        let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
        let turn = cast_rotation(world, &Pose::IDENTITY, body, &above, rotation, &options, &mut scratch).unwrap();
        assert!(turn.hit.is_some(), "{way}: {turn:?}");
    }
    // From behind, a polygon lets through.
    let below = pose_of(-DVec3::Z * 3.0, DQuat::IDENTITY);
    assert_eq!(translated(&polygon, &Pose::IDENTITY, &cloud, &below, -down).hit, None);
    // Inside of a surface there is nothing.
    let middle = corners.iter().map(|&p| widen(p)).sum::<DVec3>() / 8.0;
    let tiny = Poly::cuboid(DVec3::splat(widen_real(shell.bounding_radius()) * 1e-4)).cast;
    assert_eq!(
        translated(&shell, &Pose::IDENTITY, &tiny, &pose_of(middle, DQuat::IDENTITY), DVec3::ZERO).overlap,
        None
    );
}

#[test]
fn rooms_have_to_be_asked_for() {
    let corners = narrowed(&turned_box(&mut Rng::new(1)));
    let mut inward = FACES;
    inward.iter_mut().for_each(|face| face.reverse());
    assert!(matches!(Polyhedron::from_faces(&corners, &inward), Err(MeshError::InsideOut { .. })));
    let room = MeshOptions { kind: Kind::Room, ..MeshOptions::default() };
    assert!(Polyhedron::from(&Mesh::with_options(&corners, &inward, &room).unwrap()).is_solid());
    assert_eq!(Mesh::with_options(&corners, &FACES, &room).unwrap_err(), MeshError::NoRoom);
    assert!(matches!(Mesh::with_options(&corners, &inward[1..], &room).unwrap_err(), MeshError::OpenEdge { .. }));
    let nothing: [[u32; 3]; 0] = [];
    assert_eq!(Mesh::with_options(&corners, &nothing, &room).unwrap_err(), MeshError::NoFaces);
    // A room within the air of another is turned over.
    let twice: Vec<Vec3> = corners
        .iter()
        .copied()
        .chain(corners.iter().map(|&p| middle(&corners) + (p - middle(&corners)) * 0.5))
        .collect();
    let nested: Vec<[u32; 4]> = inward.iter().copied().chain(inward.map(|face| face.map(|v| v + 8))).collect();
    assert!(matches!(Mesh::with_options(&twice, &nested, &room), Err(MeshError::InsideOut { face: 6 })));
}

/// A piece that is turned over is found, also if its first corner is on the next piece.
#[test]
fn pieces_turned_over_are_named() {
    let corner = |i: u32, x: f64| DVec3::new(f64::from(i & 1) + x, f64::from(i >> 1 & 1), f64::from(i >> 2));
    for (apart, places) in [(1.0, [0.0, 1.0]), (1.5, [0.0, 1.5]), (0.5, [0.5, 0.0])] {
        let points: Vec<DVec3> = places.iter().flat_map(|&x| (0..8).map(move |i| corner(i, x))).collect();
        let second = FACES.map(|face| face.map(|v| v + 8));
        let mut faces: Vec<[u32; 4]> = FACES.into_iter().chain(second).collect();
        assert!(Polyhedron::from_faces(&narrowed(&points), &faces).is_ok(), "{apart}");
        faces[6..].iter_mut().for_each(|face| face.reverse());
        let refused = Polyhedron::from_faces(&narrowed(&points), &faces).unwrap_err();
        assert_eq!(refused, MeshError::InsideOut { face: 6 }, "{apart}");
    }
}

fn middle(points: &[Vec3]) -> Vec3 {
    points.iter().copied().sum::<Vec3>() / points.len() as Real
}

#[test]
fn bad_motions_are_errors() {
    let cube = Poly::cuboid(DVec3::splat(0.5)).cast;
    let far = pose_of(DVec3::X * 3.0, DQuat::IDENTITY);
    let mut scratch = CastScratch::default();
    let mut slide = |by: Vec3, options: &TrajectoryOptions| {
        cast_translation(&cube, &Pose::IDENTITY, &cube, &far, by, options, &mut scratch).unwrap_err()
    };
    let usual = TrajectoryOptions::default();
    for bad in [Real::NAN, Real::INFINITY, Real::NEG_INFINITY] {
        assert_eq!(slide(Vec3::new(0.0, bad, 0.0), &usual), CastError::NotFinite);
    }
    assert_eq!(slide(Vec3::X * Real::MAX, &usual), CastError::Range);
    for zone in [Real::NAN, Real::INFINITY, -1.0, -Real::MIN_POSITIVE] {
        let error = slide(Vec3::X, &TrajectoryOptions { zone, ..usual });
        assert!(matches!(error, CastError::Zone { .. }), "{zone}: {error}");
    }
    let mut turn = |origin: Vec3, axis: Vec3, angle: Real, zone: Real| {
        let (rotation, options) = (Rotation { origin, axis, angle }, TrajectoryOptions { zone, ..usual });
        cast_rotation(&cube, &Pose::IDENTITY, &cube, &far, rotation, &options, &mut scratch).unwrap_err()
    };
    assert_eq!(turn(Vec3::ZERO, Vec3::ZERO, 1.0, 0.0), CastError::NoAxis);
    assert_eq!(turn(Vec3::ZERO, Vec3::Z, Real::NAN, 0.0), CastError::NotFinite);
    assert_eq!(turn(Vec3::ZERO, Vec3::Z, Real::INFINITY, 0.0), CastError::NotFinite);
    assert_eq!(turn(Vec3::ZERO, Vec3::splat(Real::NAN), 1.0, 0.0), CastError::NotFinite);
    assert_eq!(turn(Vec3::splat(Real::INFINITY), Vec3::Z, 1.0, 0.0), CastError::NotFinite);
    assert!(matches!(turn(Vec3::ZERO, Vec3::Z, 1.0, Real::NAN), CastError::Zone { .. }));
    assert!(matches!(turn(Vec3::splat(Real::MAX), Vec3::Z, 1.0, 0.0), CastError::Range | CastError::TooLarge { .. }));
    let rotation = Rotation { origin: Vec3::ZERO, axis: Vec3::ZERO, angle: 1.0 };
    let moved = move_body(&cube, &Pose::IDENTITY, &cube, &far, Vec3::X, rotation, &usual, &mut scratch);
    assert_eq!(moved.unwrap_err(), CastError::NoAxis);
    for distance in [Real::NAN, Real::INFINITY, -1.0] {
        let found = contacts(&cube, &Pose::IDENTITY, &cube, &far, distance, &mut scratch, &mut Vec::new());
        assert!(matches!(found, Err(CastError::Distance { .. })));
    }
    for (from, by) in [(Vec3::splat(Real::NAN), Vec3::X), (Vec3::X, Vec3::splat(Real::INFINITY))] {
        assert_eq!(cast_point(&cube, &Pose::IDENTITY, from, by), Err(CastError::NotFinite));
    }
}

/// A world so large that the zone is as thick as the body; a point has no thickness to compare with.
#[test]
fn worlds_too_large_for_the_precision_are_errors() {
    let size = if SINGLE { 1.0e6 } else { 1.0e15 };
    let floor = Poly::cuboid(DVec3::new(size, size, 1.0)).cast;
    let above = pose_of(DVec3::Z * 4.0, DQuat::IDENTITY);
    let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
    for half in [1.0e-3, 0.5] {
        let body = Poly::cuboid(DVec3::splat(half)).cast;
        let by = Vec3::new(0.0, 0.0, -1.0);
        let cast = cast_translation(&floor, &Pose::IDENTITY, &body, &above, by, &options, &mut scratch);
        let Err(CastError::TooLarge { zone, radius }) = cast else { panic!("{cast:?}") };
        assert!(zone > 0.125 * radius && widen_real(radius) > half);
        let rotation = Rotation { origin: Vec3::ZERO, axis: Vec3::Z, angle: 1.0 };
        let cast = cast_rotation(&floor, &Pose::IDENTITY, &body, &above, rotation, &options, &mut scratch);
        assert!(matches!(cast, Err(CastError::TooLarge { .. })), "{cast:?}");
        let found = contacts(&floor, &Pose::IDENTITY, &body, &above, 1.0, &mut scratch, &mut Vec::new());
        assert!(matches!(found, Err(CastError::TooLarge { .. })));
        // A body that is far from its own origin is no larger for that.
        let corners: Vec<Vec3> = (0..8u8)
            .map(|i| {
                narrow(
                    DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))
                        + DVec3::X * size.sqrt() * 30.0,
                )
            })
            .collect();
        let outlier = Polyhedron::from(&Polytope::from_points(&corners).unwrap());
        let cast = cast_translation(&floor, &Pose::IDENTITY, &outlier, &above, by, &options, &mut scratch);
        assert!(matches!(cast, Err(CastError::TooLarge { .. })), "{cast:?}");
    }
    let point = point_at(DVec3::ZERO);
    let cast = translated(&floor, &Pose::IDENTITY, &point, &above, DVec3::new(0.0, 0.0, -8.0));
    assert!(cast.hit.is_some());
}
