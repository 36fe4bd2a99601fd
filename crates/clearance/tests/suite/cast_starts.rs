//! Where casts of polyhedra start: overlap or not, exactly where it is known, among pieces that touch, overlap and nest.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::ccd::polyhedra::{
    Cast, CastScratch, Polyhedron, Rotation, TrajectoryOptions, cast_rotation, cast_translation,
};
use clearance::math::{narrow, widen, widen_real};
use clearance::narrow::contact_range::RangeCache;
use clearance::shape::mesh::Kind;
use clearance::{Cache, Mesh, MeshOptions, Polytope, Pose, Real, Shape, Vec3, closest};
use clearance_testkit::{HitRate, Rng};
use common::voxels::{Poly, cells};
use common::{narrowed, pose_of};
use glam::{DQuat, DVec3};

const FACES: [[u32; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

fn corners(low: DVec3, high: DVec3) -> [DVec3; 8] {
    std::array::from_fn(|i| DVec3::new([low.x, high.x][i & 1], [low.y, high.y][i >> 1 & 1], [low.z, high.z][i >> 2]))
}

/// One polyhedron of many boxes, each with points of its own.
fn boxes(of: &[[DVec3; 8]]) -> Polyhedron {
    let points: Vec<DVec3> = of.iter().flatten().copied().collect();
    let face = |i: usize| FACES.map(|face| face.map(|v| v + 8 * i as u32));
    let faces: Vec<[u32; 4]> = (0..of.len()).flat_map(face).collect();
    Polyhedron::from_faces(&narrowed(&points), &faces).unwrap()
}

fn cuboid(half: DVec3) -> Polyhedron {
    boxes(&[corners(-half, half)])
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    pose_of(DVec3::new(x, y, z), DQuat::IDENTITY)
}

/// A cast by nothing, which only looks at the start; turning by nothing has to say the same.
fn start(world: &Polyhedron, pose_w: &Pose, body: &Polyhedron, pose_b: &Pose, zone: Real) -> Cast {
    let (options, mut scratch) = (TrajectoryOptions { zone, ..TrajectoryOptions::default() }, CastScratch::default());
    let cast = cast_translation(world, pose_w, body, pose_b, Vec3::ZERO, &options, &mut scratch).unwrap();
    let rotation = Rotation { origin: pose_b.translation(), axis: Vec3::X, angle: 0.0 };
    let turned = cast_rotation(world, pose_w, body, pose_b, rotation, &options, &mut scratch).unwrap();
    assert_eq!(turned.overlap.is_some(), cast.overlap.is_some());
    assert_eq!(cast.fraction, if cast.overlap.is_some() { 0.0 } else { 1.0 });
    cast
}

fn moved(pose: &Pose, by: Vec3) -> Pose {
    let turn = DQuat::from_array(pose.rotation().to_array().map(widen_real));
    pose_of(widen(pose.translation()) + widen(by), turn)
}

/// Boxes with whole coordinates: whether the interiors have a point in common is a matter of whole numbers. Coincident, nested, flush
/// and touching ones are common among these.
#[test]
fn whole_boxes_start_as_whole_numbers_say() {
    let mut rng = Rng::new(3);
    let (mut overlaps, mut ways) = (HitRate::new("starts in overlap"), HitRate::new("overlaps with a free way out"));
    let (mut same, mut inside, mut around) = (0, 0, 0);
    for case in 0..3000 {
        let mut random_box = |reach: i64, most: i64| {
            let low = [(); 3].map(|()| rng.integer(-reach, reach));
            let high = low.map(|x| x + rng.integer(1, most));
            [low, high]
        };
        let mut pieces: Vec<[[i64; 3]; 2]> = (0..1 + case % 6).map(|_| random_box(2, 5)).collect();
        let grown = |[low, high]: [[i64; 3]; 2]| [low.map(|x| x - 1), high.map(|x| x + 1)];
        let [low, high] = match case % 11 {
            0 => pieces[0],
            1 => grown(pieces[0]),
            _ => random_box(3, if case % 3 == 0 { 8 } else { 3 }),
        };
        if case % 11 == 2 {
            pieces[0] = grown([low, high]);
        }
        let real = |p: [i64; 3]| DVec3::from_array(p.map(|x| x as f64));
        let world = boxes(&pieces.iter().map(|&[low, high]| corners(real(low), real(high))).collect::<Vec<_>>());
        // The body about its own middle, so that poses count.
        let middle = (real(low) + real(high)) * 0.5;
        let body = boxes(&[corners(real(low) - middle, real(high) - middle)]);
        let meets = |by: [i64; 3], [from, to]: &[[i64; 3]; 2]| {
            (0..3).all(|i| low[i] + by[i] < to[i] && from[i] < high[i] + by[i])
        };
        let truth = pieces.iter().any(|piece| meets([0; 3], piece));
        let pose = pose_of(middle, DQuat::IDENTITY);
        let cast = start(&world, &Pose::IDENTITY, &body, &pose, 0.0);
        assert_eq!(cast.overlap.is_some(), truth, "{case}: {pieces:?} {low:?} {high:?}: {cast:?}");
        overlaps.record(truth);
        let within = |[a, b]: [[i64; 3]; 2], [c, d]: [[i64; 3]; 2]| (0..3).all(|i| c[i] < a[i] && b[i] < d[i]);
        same += usize::from(pieces.contains(&[low, high]));
        inside += usize::from(pieces.iter().any(|&piece| within([low, high], piece)));
        around += usize::from(pieces.iter().any(|&piece| within(piece, [low, high])));
        if let Some(out) = cast.overlap {
            ways.record(out.is_free);
            assert!(out.is_free, "{case}: {pieces:?} {low:?} {high:?}");
            let there = start(&world, &Pose::IDENTITY, &body, &moved(&pose, out.translation), 0.0);
            assert!(there.overlap.is_none(), "{case}: {out:?}");
            // A translation to the side of a box is off a whole number by the zone at most.
            let by = widen(out.translation);
            let whole = by.round();
            assert!((by - whole).length() < 8.0 * widen_real(cast.zone), "{case}: {by}");
            let whole = whole.to_array().map(|x| x as i64);
            assert!(!pieces.iter().any(|piece| meets(whole, piece)), "{case}: {by}");
        }
    }
    overlaps.assert_between(0.4, 0.9);
    ways.assert_between(1.0, 1.0);
    assert!(same > 200 && inside > 200 && around > 200, "{same} coincident, {inside} inside, {around} around");
}

/// Turned boxes and hulls in poses, against the signed distances of the pieces, which another algorithm computes.
#[test]
fn turned_pieces_start_as_their_distances_say() {
    let mut rng = Rng::new(5);
    let (mut overlaps, mut ways) = (HitRate::new("starts in overlap"), HitRate::new("overlaps with a free way out"));
    for case in 0..400 {
        let placed = |rng: &mut Rng, reach: f64, half: f64| {
            let size = DVec3::new(rng.uniform(0.05, half), rng.uniform(0.05, half), rng.uniform(0.05, half));
            let (turn, place) = (rng.rotation(), rng.in_ball(reach));
            corners(-size, size).map(|p| widen(narrow(place + turn * p)))
        };
        let pieces: Vec<[DVec3; 8]> = (0..1 + rng.index(8)).map(|_| placed(&mut rng, 2.0, 1.5)).collect();
        let world = boxes(&pieces);
        let own = placed(&mut rng, 0.0, if case % 4 == 0 { 3.0 } else { 0.5 });
        let body = boxes(&[own]);
        let hull = |points: &[DVec3]| Shape::from(Polytope::from_points(&narrowed(points)).unwrap());
        let shapes: Vec<Shape> = pieces.iter().map(|piece| hull(piece)).collect();
        let own = hull(&own);
        let away = DVec3::X * if case % 3 == 0 { 1.0e3 } else { 0.0 };
        let pose_w = pose_of(away + rng.in_ball(1.0), rng.rotation());
        for _ in 0..5 {
            let pose_b = pose_of(common::posed(&pose_w, rng.in_ball(3.5)), rng.rotation());
            let distance = |pose_b: &Pose| {
                let near = |shape: &Shape| closest(shape, &pose_w, &own, pose_b, &mut Cache::default());
                let least = shapes.iter().map(|shape| near(shape).distance).fold(Real::INFINITY, Real::min);
                widen_real(least)
            };
            let cast = start(&world, &pose_w, &body, &pose_b, 0.0);
            let (least, zone) = (distance(&pose_b), widen_real(cast.zone));
            // Corners are drawn in by at most twice the zone.
            assert!(least > -4.0 * zone || cast.overlap.is_some(), "{case}: {least}, zone {zone}: {cast:?}");
            assert!(least < 0.0 || cast.overlap.is_none(), "{case}: {least}, zone {zone}: {cast:?}");
            overlaps.record(cast.overlap.is_some());
            if let Some(out) = cast.overlap {
                ways.record(out.is_free);
                if out.is_free {
                    let left = distance(&moved(&pose_b, out.translation));
                    assert!(left > 0.0, "{case}: {left}, zone {zone}: {out:?}");
                }
            }
        }
    }
    overlaps.assert_between(0.2, 0.8);
    ways.assert_between(0.98, 1.0);
}

/// A body stops where the first of the pieces stops it alone, which another algorithm computes; flush pieces and turned ones.
#[test]
fn many_pieces_stop_as_each_would() {
    let mut rng = Rng::new(13);
    let (mut hits, mut grazes) = (HitRate::new("casts that hit"), HitRate::new("casts that graze"));
    let mut scratch = CastScratch::default();
    for case in 0..300 {
        let flush = case % 2 == 0;
        let piece = |rng: &mut Rng| {
            let mut whole = |most: i64| DVec3::from_array([(); 3].map(|()| rng.integer(0, most) as f64));
            let (low, size) = (whole(5) - 3.0, whole(2) + 1.0);
            let turn = if flush { DQuat::IDENTITY } else { rng.rotation() };
            corners(low, low + size).map(|p| widen(narrow(turn * p)))
        };
        let pieces: Vec<[DVec3; 8]> = (0..2 + rng.index(10)).map(|_| piece(&mut rng)).collect();
        let world = boxes(&pieces);
        let half = DVec3::new(rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.6));
        let half = widen(narrow(half));
        let body = cuboid(half);
        let hull = |points: &[DVec3]| Shape::from(Polytope::from_points(&narrowed(points)).unwrap());
        let shapes: Vec<Shape> = pieces.iter().map(|piece| hull(piece)).collect();
        let own = hull(&corners(-half, half));
        let pose_w = pose_of(rng.in_ball(1.0), if case % 4 < 2 { DQuat::IDENTITY } else { rng.rotation() });
        let options = TrajectoryOptions::default();
        for _ in 0..8 {
            let [from, to] = [(); 2].map(|()| common::posed(&pose_w, rng.in_box(DVec3::splat(5.0))));
            let turn =
                if flush { DQuat::from_array(pose_w.rotation().to_array().map(widen_real)) } else { rng.rotation() };
            let (pose_b, by) = (pose_of(from, turn), narrow(to - from));
            let cast = cast_translation(&world, &pose_w, &body, &pose_b, by, &options, &mut scratch).unwrap();
            let alone = |shape: &Shape| {
                let cast = clearance::ccd::cast(shape, &pose_w, &own, &pose_b, by, &mut RangeCache::default()).unwrap();
                widen_real(cast.fraction())
            };
            let truth = shapes.iter().map(alone).fold(1.0, f64::min);
            if cast.overlap.is_some() {
                assert_eq!(truth, 0.0, "{case}: {cast:?}");
                continue;
            }
            let (zone, length) = (widen_real(cast.zone), widen(by).length());
            let early = (truth - widen_real(cast.fraction)) * length;
            let what = format!("{case}: {early} early, zone {zone}: {cast:?}");
            assert!(early > -1e2 * common::u() * 20.0, "{what}");
            hits.record(cast.hit.is_some());
            grazes.record(cast.hit.is_some() && truth == 1.0);
            if let Some(hit) = cast.hit.filter(|_| truth < 1.0) {
                let slope = (widen(hit.normal).dot(widen(by)) / length).abs();
                assert!(early * slope < 4.0 * zone, "{what}");
            }
        }
    }
    hits.assert_between(0.3, 0.8);
    grazes.assert_between(0.0, 0.005);
}

/// Sunk in by a part of the zone is as good as touching, by more than it is overlap; turned, at corners and along whole faces.
#[test]
fn sinking_in_counts_beyond_the_zone() {
    let mut rng = Rng::new(7);
    let (block, cube) = (cuboid(DVec3::splat(1.0)), cuboid(DVec3::splat(0.5)));
    for case in 0..200 {
        let frame = if case % 2 == 0 { DQuat::IDENTITY } else { rng.rotation() };
        let standing = if case % 4 < 2 { DQuat::IDENTITY } else { rng.rotation() };
        let pose_w = pose_of(rng.in_ball(2.0), frame);
        let lowest =
            corners(DVec3::splat(-0.5), DVec3::splat(0.5)).map(|p| (standing * p).z).into_iter().fold(0.0, f64::min);
        let beside = DVec3::new(rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), 0.0);
        let pose_at = |height: f64| {
            let place = beside + DVec3::Z * (1.0 - lowest + height);
            pose_of(widen(pose_w.translation()) + frame * place, frame * standing)
        };
        let zone = widen_real(start(&block, &pose_w, &cube, &pose_at(0.1), 0.0).zone);
        for (height, overlap) in [(0.0, false), (-0.4 * zone, false), (-4.0 * zone, true), (-0.1, true)] {
            let cast = start(&block, &pose_w, &cube, &pose_at(height), 0.0);
            assert_eq!(cast.overlap.is_some(), overlap, "{case}, {height}: {cast:?}");
        }
    }
}

/// Bodies without room for the zone within them: plates, polygons, points.
#[test]
fn bodies_thinner_than_the_zone() {
    let zone = 0.125;
    let block = cuboid(DVec3::splat(2.0));
    let halves = boxes(&[
        corners(DVec3::splat(-2.0), DVec3::new(0.0, 2.0, 2.0)),
        corners(DVec3::new(0.0, -2.0, -2.0), DVec3::splat(2.0)),
    ]);
    let plate = cuboid(DVec3::new(1.0, 1.0, 0.015625));
    let square = narrowed(&[[-1., -1., 0.], [1., -1., 0.], [1., 1., 0.], [-1., 1., 0.]].map(DVec3::from_array));
    let polygon = Polyhedron::from_faces(&square, &[[0, 1, 2, 3]]).unwrap();
    let point = Polyhedron::from(&Mesh::new::<[u32; 3]>(&[Vec3::ZERO], &[]).unwrap());
    let upright = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    for world in [&block, &halves] {
        for body in [&plate, &polygon] {
            let starts = |place: DVec3, turn: DQuat| start(world, &Pose::IDENTITY, body, &pose_of(place, turn), zone);
            // Lying on top, flush with the top from within, and beside it.
            for z in [2.5, 2.015625, 2.0, 1.984375] {
                assert!(starts(DVec3::Z * z, DQuat::IDENTITY).overlap.is_none(), "{z}");
            }
            // Wholly inside, standing half in it, and a little in it.
            for (z, turn) in [(0.0, DQuat::IDENTITY), (1.5, DQuat::IDENTITY), (2.0, upright), (2.8, upright)] {
                let cast = starts(DVec3::Z * z, turn);
                assert!(cast.overlap.is_some_and(|out| out.is_free), "{z}: {cast:?}");
            }
            assert!(starts(DVec3::Z * 2.95, upright).overlap.is_none());
        }
        for (z, overlap) in [(2.1, false), (2.0, false), (1.9, false), (1.5, true), (0.0, true)] {
            let cast = start(world, &Pose::IDENTITY, &point, &at(0.0, 0.0, z), zone);
            assert_eq!(cast.overlap.is_some(), overlap, "{z}");
            assert!(cast.overlap.is_none_or(|out| out.is_free));
        }
    }
    // Drawn in by the zone the cube is exactly as large as the world, or flush with the seam between two halves of it.
    let small = cuboid(DVec3::splat(0.375));
    let cube = cuboid(DVec3::splat(0.5));
    assert!(start(&small, &Pose::IDENTITY, &cube, &Pose::IDENTITY, zone).overlap.is_some_and(|out| out.is_free));
    assert!(start(&halves, &Pose::IDENTITY, &cube, &at(0.375, 0.0, 0.0), zone).overlap.is_some());
    assert!(start(&halves, &Pose::IDENTITY, &cube, &at(-0.375, 1.625, 0.0), zone).overlap.is_some());
    // A section that fits exactly: all its edges are in the surface.
    let section = narrowed(&[[-2., -2., 0.], [2., -2., 0.], [2., 2., 0.], [-2., 2., 0.]].map(DVec3::from_array));
    let section = Polyhedron::from_faces(&section, &[[0, 1, 2, 3]]).unwrap();
    assert!(start(&block, &Pose::IDENTITY, &section, &Pose::IDENTITY, zone).overlap.is_some());
    assert!(start(&block, &Pose::IDENTITY, &section, &at(0.0, 0.0, 2.0), zone).overlap.is_none());
}

/// A cube with a fin, a plate without thickness or next to none: the fin may rest, the cube still counts.
#[test]
fn bodies_with_thin_parts() {
    let zone = 0.0625;
    for thickness in [0.0, 0.015625] {
        let fin = corners(DVec3::new(0.5, -0.5, -thickness), DVec3::new(2.5, 0.5, 0.0));
        let cube = corners(DVec3::splat(-0.5), DVec3::splat(0.5));
        let body = if thickness > 0.0 {
            boxes(&[cube, fin])
        } else {
            let points: Vec<DVec3> = cube.into_iter().chain(fin[4..].iter().copied()).collect();
            let plate = [[8, 9, 11, 10], [10, 11, 9, 8]];
            Polyhedron::from_faces(&narrowed(&points), &[FACES.as_slice(), &plate].concat()).unwrap()
        };
        let small = cuboid(DVec3::splat(0.125));
        let shelf = boxes(&[corners(DVec3::new(1.0, -2.0, -4.0), DVec3::new(4.0, 2.0, 0.0))]);
        let starts = |world: &Polyhedron, pose: &Pose| start(world, &Pose::IDENTITY, &body, pose, zone).overlap;
        // At the same place as itself, around a small cube, with the cube in a block, with the fin through one or wholly in it.
        for (world, place) in [
            (&body, DVec3::ZERO),
            (&small, DVec3::new(0.0, 0.2, 0.0)),
            (&shelf, DVec3::new(2.0, 0.0, -2.0)),
            (&small, DVec3::new(-1.5, 0.0, 0.0)),
            (&shelf, DVec3::new(0.0, 0.0, -0.5)),
        ] {
            let pose = pose_of(place, DQuat::IDENTITY);
            let out = starts(world, &pose);
            assert!(out.is_some_and(|out| out.is_free), "{thickness}, {place}: {out:?}");
            let there = out.map(|out| moved(&pose, out.translation)).unwrap();
            assert_eq!(starts(world, &there), None, "{thickness}, {place}");
        }
        // The fin on the shelf, sunk in a little, and beside the small cube.
        for (world, place) in [
            (&shelf, DVec3::Z * thickness),
            (&shelf, DVec3::Z * (thickness - 0.03125)),
            (&small, DVec3::new(-1.5, 0.0, 0.125 + thickness)),
            (&small, DVec3::new(-1.5, 0.0, -0.125)),
        ] {
            assert_eq!(starts(world, &pose_of(place, DQuat::IDENTITY)), None, "{thickness}, {place}");
        }
    }
}

/// In a room the air is free, pillars and the rock are solid; also pillars that reach into the rock and rooms with many pieces.
#[test]
fn rooms_are_solid_outside() {
    let mut rng = Rng::new(11);
    let cube = Poly::cuboid(DVec3::splat(0.2));
    let mut free = HitRate::new("places in the air");
    for round in 0..60 {
        let pillars: Vec<[f64; 2]> = (0..3).map(|_| [rng.uniform(1.0, 4.0), rng.uniform(1.0, 4.0)]).collect();
        let outer = corners(DVec3::ZERO, DVec3::splat(5.0));
        let pieces = pillars
            .iter()
            .map(|&[x, y]| corners(DVec3::new(x - 0.5, y - 0.5, -1.0), DVec3::new(x + 0.5, y + 0.5, 3.0)));
        let all: Vec<[DVec3; 8]> = std::iter::once(outer).chain(pieces).collect();
        let faces = |i: usize| FACES.map(|face| face.map(|v| v + 8 * i as u32));
        let mut faces: Vec<[u32; 4]> = (0..all.len()).flat_map(faces).collect();
        faces[..6].iter_mut().for_each(|face| face.reverse());
        let options = MeshOptions { kind: Kind::Room, ..MeshOptions::default() };
        let points = narrowed(&all.iter().flatten().copied().collect::<Vec<_>>());
        let mesh = Mesh::with_options(&points, &faces, &options).unwrap();
        assert!(mesh.is_room() && !mesh.is_solid());
        let room = Polyhedron::from(&mesh);
        let pose_w = pose_of(rng.in_ball(3.0), rng.rotation());
        for case in 0..40 {
            let place = DVec3::new(rng.uniform(-2.0, 7.0), rng.uniform(-2.0, 7.0), rng.uniform(-2.0, 7.0));
            let place = if rng.chance(0.6) { place.clamp(DVec3::splat(0.4), DVec3::splat(4.6)) } else { place };
            let to_wall = place.min_element().min(5.0 - place.max_element());
            let beside = |&[x, y]: &[f64; 2]| {
                let out = DVec3::new((place.x - x).abs() - 0.5, (place.y - y).abs() - 0.5, place.z - 3.0);
                if out.max_element() < 0.0 { out.max_element() } else { out.max(DVec3::ZERO).length() }
            };
            let apart = pillars.iter().map(beside).fold(to_wall, f64::min);
            let pose_b = pose_of(common::posed(&pose_w, place), rng.rotation());
            let cast = start(&room, &pose_w, &cube.cast, &pose_b, 0.0);
            let what = format!("{round}, {case}: {apart} at {place}");
            // The cube reaches 0.2 to 0.35 from its middle.
            if !(0.2..=0.35).contains(&apart) {
                assert_eq!(cast.overlap.is_none(), apart > 0.35, "{what}: {cast:?}");
                free.record(apart > 0.35);
            }
            if let Some(out) = cast.overlap.filter(|out| out.is_free) {
                assert!(start(&room, &pose_w, &cube.cast, &moved(&pose_b, out.translation), 0.0).overlap.is_none());
            }
            assert_eq!(mesh.locate(narrow(place)) == clearance::shape::mesh::Side::Outside, apart > 0.0, "{what}");
        }
        // Far away it is all rock; a room may be the body, too, and the world be in it.
        assert!(start(&room, &pose_w, &cube.cast, &at(100.0, 0.0, 0.0), 0.0).overlap.is_some());
        let inside = pose_of(common::posed(&pose_w, DVec3::new(0.5, 0.5, 4.5)), DQuat::IDENTITY);
        assert!(start(&cube.cast, &inside, &room, &pose_w, 0.0).overlap.is_none());
        assert!(start(&cube.cast, &at(100.0, 0.0, 0.0), &room, &pose_w, 0.0).overlap.is_some());
    }
    free.assert_between(0.2, 0.7);
    let hollow = cells([3, 3, 3], false, 0.0, &mut rng, |c| c != [1, 1, 1]).unwrap();
    assert!(start(&hollow.cast, &Pose::IDENTITY, &cube.cast, &at(1.5, 1.5, 1.5), 0.0).overlap.is_none());
    assert!(start(&hollow.cast, &Pose::IDENTITY, &cube.cast, &at(0.5, 1.5, 1.5), 0.0).overlap.is_some());
}
