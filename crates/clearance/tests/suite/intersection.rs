//! What two solids have in common, against counting cells, clipping by planes, closed forms and cases known by construction.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::math::{narrow, widen, widen_real};
use clearance::shape::mesh::Kind;
use clearance::{
    Body, BodyRef, Cache, Compound, Cut, End, Intersection, Mesh, Polytope, Pose, Real, Shape, Vec3, intersection,
    project,
};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use glam::DVec3;

use crate::cells::{Built, Voxels};
use crate::meshes::{mesh, pose};

/// The relative width of what is known exactly but for rounding.
const WIDTH: f64 = if cfg!(single_precision) { 1e-3 } else { 1e-9 };

/// How far places given in this precision are off what they are meant to be, for solids of a few units.
const PLACE: f64 = if cfg!(single_precision) { 2e-6 } else { 1e-14 };

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(narrow(DVec3::new(x, y, z))).unwrap()
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid([x, y, z].map(|side| side as Real)).unwrap()
}

/// The volume is within the bounds, and these are near each other.
fn assert_volume(found: &Intersection, volume: f64, name: &str) {
    let [lower, upper] = found.volume.map(widen_real);
    assert!(lower <= volume + 10.0 * PLACE && volume - 10.0 * PLACE <= upper, "{name}: {volume} of {lower} to {upper}");
    // Solids of a few units: what is not known is a thin layer around them.
    assert!(upper - lower <= WIDTH * volume.max(1.0), "{name}: {lower} to {upper} is wide");
}

#[test]
fn unions_of_cells_have_the_cells_in_common() {
    let mut rng = Rng::new(3);
    let [mut met, mut inside, mut same] = ["overlap", "inside", "duplicate"].map(HitRate::new);
    for i in 0..1_500 {
        let a = Voxels::random(&mut rng, 2);
        let mut b = if rng.chance(0.3) { a.clone() } else { Voxels::random(&mut rng, 2) };
        if rng.chance(0.6) {
            // The first of them are still connected.
            b.cells.truncate(b.cells.len().div_ceil(2));
        }
        let (Some(mesh_a), Some(mesh_b)) = (a.mesh(Kind::Solid), b.mesh(Kind::Solid)) else { continue };
        let (volume, [low, high]) = common(&a, &b);
        // Turned and moved together, they have the same in common; not turned, all is flush.
        let place = if rng.chance(0.5) { Pose::IDENTITY } else { pose(&mut rng, DVec3::new(1.0, -2.0, 3.0)) };
        let found = intersection(&mesh_a, &place, &mesh_b, &place);
        if !met.record(volume > 0.0) {
            assert!(found.is_none(), "{i}: {found:?} of cells that do not overlap");
            continue;
        }
        let found = found.unwrap_or_else(|| panic!("{i}: nothing, of {volume}"));
        assert_volume(&found, volume, &i.to_string());
        let [in_b, in_a] = [&a, &b].map(|cells| (cells.cells.len() as f64 - volume).abs() < 0.01);
        let expected = match [in_b, in_a] {
            [true, true] => Some(Cut::Duplicate),
            [true, false] => Some(Cut::InsideB),
            [false, true] => Some(Cut::InsideA),
            _ => None,
        };
        inside.record(matches!(expected, Some(Cut::InsideA | Cut::InsideB)));
        same.record(expected == Some(Cut::Duplicate));
        match expected {
            Some(cut) => assert_eq!(found.cut, Some(cut), "{i}: {a:?} {b:?}"),
            None => assert!(matches!(found.cut, Some(Cut::Piercing | Cut::Protruding)), "{i}: {:?}", found.cut),
        }
        if place == Pose::IDENTITY {
            let slack = if cfg!(single_precision) { 1e-4 } else { 1e-11 };
            let [min, max] = [found.bounds.min, found.bounds.max].map(widen);
            assert!(min.cmple(low).all() && max.cmpge(high).all(), "{i}: {found:?} of {low} to {high}");
            // Where they only touch is not told from where they overlap by a hair.
            let (_, [low, high]) = common_closed(&a, &b);
            assert!((low - min).max_element() <= slack && (max - high).max_element() <= slack, "{i}: {found:?}");
        }
        check_curves(&found, [(&mesh_a).into(), (&mesh_b).into()], [&place, &place], &i.to_string());
    }
    met.assert_between(0.4, 0.9);
    inside.assert_between(0.05, 0.5);
    same.assert_between(0.05, 0.5);
}

/// The volume that two unions of cells have in common and the box around it, in units.
fn common(a: &Voxels, b: &Voxels) -> (f64, [DVec3; 2]) {
    in_common(a, b, 1)
}

/// The same with the box around all that they have in common, touching included.
fn common_closed(a: &Voxels, b: &Voxels) -> (f64, [DVec3; 2]) {
    in_common(a, b, 0)
}

fn in_common(a: &Voxels, b: &Voxels, least: i64) -> (f64, [DVec3; 2]) {
    let (mut volume, mut around) = (0.0, [DVec3::INFINITY, DVec3::NEG_INFINITY]);
    for p in a.cells.iter().map(|cell| a.low(cell)) {
        for q in b.cells.iter().map(|cell| b.low(cell)) {
            let low = [0, 1, 2].map(|k: usize| p[k].max(q[k]));
            let high = [0, 1, 2].map(|k: usize| p[k].min(q[k]) + 2);
            let size = [0, 1, 2].map(|k: usize| high[k] - low[k]);
            if size.iter().all(|size| *size >= least) {
                volume += size.iter().product::<i64>() as f64 / 8.0;
                let [low, high] = [low, high].map(|p| DVec3::from_array(p.map(|x| x as f64 / 2.0)));
                around = [around[0].min(low), around[1].max(high)];
            }
        }
    }
    (volume, around)
}

/// Curves are closed, and all their points are on both surfaces.
fn check_curves(found: &Intersection, bodies: [BodyRef<'_>; 2], poses: [&Pose; 2], name: &str) {
    let slack = if cfg!(single_precision) { 1e-3 } else { 1e-9 };
    for curve in &found.curves {
        assert!(curve.len() >= 4 && curve.first() == curve.last(), "{name}: {} points, not closed", curve.len());
        for (body, pose) in bodies.iter().zip(poses) {
            for point in curve {
                let off = widen_real(project(body.clone(), pose, *point, &mut Cache::default()).distance).abs();
                assert!(off <= slack, "{name}: {point:?} is {off:e} off a surface");
            }
        }
    }
}

#[test]
fn convex_solids_against_their_planes() {
    let mut rng = Rng::new(5);
    let mut met = HitRate::new("overlap");
    for i in 0..400 {
        let [a, b] = [0, 1].map(|_| {
            let points: Vec<Vec3> = (0..rng.integer(4, 10)).map(|_| narrow(rng.in_ball(1.0))).collect();
            Polytope::from_points(&points)
        });
        let (Ok(a), Ok(b)) = (a, b) else { continue };
        let away = rng.in_ball(1.0);
        let place = pose(&mut rng, away);
        let volume = clipped(&a, &b, &place);
        let found = intersection(&a, &Pose::IDENTITY, &b, &place);
        met.record(found.is_some());
        match found {
            None => assert!(volume < if cfg!(single_precision) { 1e-3 } else { 1e-11 }, "{i}: nothing, of {volume}"),
            Some(found) => {
                let [lower, upper] = found.volume.map(widen_real);
                let slack = if cfg!(single_precision) { 1e-6 } else { 1e-11 };
                assert!(lower <= volume + slack && volume - slack <= upper, "{i}: {volume}, {lower} to {upper}");
                assert!(upper - lower <= slack, "{i}: {lower} to {upper} is wide");
                check_curves(&found, [(&a).into(), (&b).into()], [&Pose::IDENTITY, &place], &i.to_string());
            }
        }
    }
    met.assert_between(0.3, 0.9);
}

/// The volume of two convex polyhedra by the corners of all their planes.
fn clipped(a: &Polytope, b: &Polytope, place: &Pose) -> f64 {
    let plane = |polytope: &Polytope, face: u32, pose: &Pose| {
        let corners: Vec<DVec3> = polytope
            .face_vertices(face)
            .map(|v| {
                let (m, v) = (pose.matrix(), widen(polytope.vertices()[v as usize]));
                widen(m.x_axis) * v.x + widen(m.y_axis) * v.y + widen(m.z_axis) * v.z + widen(pose.translation())
            })
            .collect();
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
        (normal, normal.dot(corners[0]))
    };
    let mut planes: Vec<_> = (0..a.face_count() as u32).map(|face| plane(a, face, &Pose::IDENTITY)).collect();
    planes.extend((0..b.face_count() as u32).map(|face| plane(b, face, place)));
    let mut corners = Vec::new();
    for i in 0..planes.len() {
        for j in 0..i {
            for k in 0..j {
                let [(p, d), (q, e), (r, f)] = [planes[i], planes[j], planes[k]];
                let det = p.dot(q.cross(r));
                let corner = (q.cross(r) * d + r.cross(p) * e + p.cross(q) * f) / det;
                if det.abs() > 1e-12 && planes.iter().all(|(n, d)| n.dot(corner) <= d + 1e-12) {
                    corners.push(corner);
                }
            }
        }
    }
    volume_of_hull(&corners)
}

/// The volume of a convex hull: every triangle of corners that has all others below it is a part of a face, and faces of more than three corners
/// are taken once, as fans around their lowest corner.
fn volume_of_hull(corners: &[DVec3]) -> f64 {
    let mut distinct: Vec<DVec3> = Vec::new();
    for corner in corners {
        if !distinct.iter().any(|other| other.distance(*corner) < 1e-9) {
            distinct.push(*corner);
        }
    }
    let count = distinct.len();
    let middle = distinct.iter().sum::<DVec3>() / count.max(1) as f64;
    let mut faces: Vec<Vec<usize>> = Vec::new();
    for i in 0..count {
        for j in 0..i {
            for k in 0..j {
                let normal = (distinct[j] - distinct[i]).cross(distinct[k] - distinct[i]);
                if normal.length() < 1e-12 {
                    continue;
                }
                let unit = normal.normalize() * (distinct[i] - middle).dot(normal).signum();
                let height = |p: &DVec3| unit.dot(*p - distinct[i]);
                if distinct.iter().all(|p| height(p) <= 1e-9) {
                    let face: Vec<usize> = (0..count).filter(|&p| height(&distinct[p]).abs() <= 1e-9).collect();
                    if !faces.contains(&face) {
                        faces.push(face);
                    }
                }
            }
        }
    }
    let volume = |face: &Vec<usize>| {
        let center = face.iter().map(|&p| distinct[p]).sum::<DVec3>() / face.len() as f64;
        let normal = (center - middle).normalize_or(DVec3::X);
        let u = normal.any_orthonormal_vector();
        let angle = |&p: &usize| {
            let way = distinct[p] - center;
            way.dot(normal.cross(u)).atan2(way.dot(u))
        };
        let mut around = face.clone();
        around.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
        let next = around.iter().cycle().skip(1);
        let part =
            |(p, q): (&usize, &usize)| (distinct[*p] - middle).cross(distinct[*q] - middle).dot(center - middle).abs();
        around.iter().zip(next).map(part).sum::<f64>() / 6.0
    };
    faces.iter().map(volume).sum()
}

#[test]
fn balls_share_a_lens() {
    for away in [0.2, 0.7, 1.3, 1.9] {
        let ball = Shape::sphere(1.0).unwrap();
        let found = intersection(&ball, &Pose::IDENTITY, &ball, &at(away, 0.0, 0.0)).unwrap();
        let lens = std::f64::consts::PI * (4.0 + away) * (2.0 - away).powi(2) / 12.0;
        let [lower, upper] = found.volume.map(widen_real);
        assert!(lower <= lens && lens <= upper, "{away}: {lens}, {lower} to {upper}");
        assert!(upper - lower < 0.15, "{away}: {lower} to {upper}");
        assert_eq!((found.cut, found.curves.len()), (Some(Cut::Protruding), 1));
    }
}

#[test]
fn what_is_not_certain_is_said() {
    // Overlapping by less than the polyhedra inscribed in them lack: no curve and no cut, but bounds that hold.
    let ball = Shape::sphere(1.0).unwrap();
    let mut rng = Rng::new(21);
    let least = if cfg!(single_precision) { 1e-4 } else { 1e-9 }; // well above what still counts as touching
    for i in 0..40 {
        let away = 2.0 - rng.log_uniform(least, 1e-2);
        let way = rng.unit_vector() * away;
        let found = intersection(&ball, &Pose::IDENTITY, &ball, &at(way.x, way.y, way.z)).unwrap();
        let lens = std::f64::consts::PI * (4.0 + away) * (2.0 - away).powi(2) / 12.0;
        let [lower, upper] = found.volume.map(widen_real);
        assert!(lower <= lens && lens <= upper, "{i}: {lens}, {lower} to {upper}");
        assert_eq!(found.end, End::IterationLimit);
        let middle = narrow(way * 0.5);
        assert!(found.bounds.min.cmple(middle).all() && found.bounds.max.cmpge(middle).all(), "{i}: {found:?}");
    }
    let cube = cuboid(1.0, 1.0, 1.0);
    assert_eq!(intersection(&cube, &Pose::IDENTITY, &cube, &at(0.5, 0.25, 0.125)).unwrap().end, End::Converged);
}

#[test]
fn parts_that_barely_overlap_count() {
    // Two balls: one shares a lens with the box, the other less than the polyhedron inscribed in it lacks.
    let ball = Body::from(Shape::sphere(1.0).unwrap());
    let wall = cuboid(1.0, 10.0, 10.0);
    let cap = |depth: f64| std::f64::consts::PI * depth * depth * (3.0 - depth) / 3.0;
    let mut widened = HitRate::new("upper bound above the lens alone");
    for depth in [1e-3, 5e-4, 1e-4] {
        let parts = [(ball.clone(), at(1.5, -3.0, 0.0)), (ball.clone(), at(2.0 - depth, 3.0, 0.1))];
        let pair = Compound::new(parts).unwrap();
        let found = intersection(&pair, &Pose::IDENTITY, &wall, &Pose::IDENTITY).unwrap();
        let volume = cap(0.5) + cap(depth);
        let [lower, upper] = found.volume.map(widen_real);
        assert!(lower <= volume && volume <= upper, "{depth}: {volume} of {lower} to {upper}");
        assert_eq!(found.end, End::IterationLimit);
        let alone = intersection(&ball, &at(1.5, -3.0, 0.0), &wall, &Pose::IDENTITY).unwrap();
        widened.record(upper > widen_real(alone.volume[1]));
        // One ball that is far off adds nothing.
        let parts = [(ball.clone(), at(1.5, -3.0, 0.0)), (ball.clone(), at(4.0, 3.0, 0.1))];
        let far = intersection(&Compound::new(parts).unwrap(), &Pose::IDENTITY, &wall, &Pose::IDENTITY).unwrap();
        assert!(far.volume[1] <= alone.volume[1] * 1.001, "{:?} and {:?}", far.volume, alone.volume);
    }
    widened.assert_between(0.9, 1.0);
}

#[test]
fn a_needle_that_sticks_out_is_not_inside() {
    // A block with a needle far thinner than it is long: next to no volume is outside of the box around the block.
    let width = if cfg!(single_precision) { 1e-4 } else { 1e-8 };
    let corners = [
        [-1., -1., -1.],
        [1., -1., -1.],
        [1., 1., -1.],
        [-1., 1., -1.],
        [-1., -1., 1.],
        [1., -1., 1.],
        [1., 1., 1.],
        [-1., 1., 1.],
    ];
    let mut points: Vec<Vec3> = corners.into_iter().map(Vec3::from).collect();
    // The top is divided about the foot of the needle, a small triangle, whose tip is two above.
    let foot = [[-width, -width], [width, -width], [0.0, width]];
    points.extend(foot.map(|[x, y]| Vec3::new(x, y, 1.0)));
    points.push(Vec3::new(0.0, 0.0, 3.0));
    let faces: Vec<Vec<u32>> = vec![
        vec![0, 3, 2, 1],
        vec![0, 1, 5, 4],
        vec![1, 2, 6, 5],
        vec![2, 3, 7, 6],
        vec![3, 0, 4, 7],
        vec![4, 5, 8],
        vec![5, 9, 8],
        vec![5, 6, 9],
        vec![6, 10, 9],
        vec![6, 7, 10],
        vec![7, 8, 10],
        vec![7, 4, 8],
        vec![8, 9, 11],
        vec![9, 10, 11],
        vec![10, 8, 11],
    ];
    let block = Mesh::new(&points, &faces).unwrap();
    assert!(block.is_solid());
    let around = cuboid(1.5, 1.5, 1.5);
    let found = intersection(&block, &Pose::IDENTITY, &around, &Pose::IDENTITY).unwrap();
    assert!(!matches!(found.cut, Some(Cut::InsideB | Cut::Duplicate)), "{found:?}");
    let large = cuboid(4.0, 4.0, 4.0);
    assert_eq!(intersection(&block, &Pose::IDENTITY, &large, &Pose::IDENTITY).unwrap().cut, Some(Cut::InsideB));
}

#[test]
fn how_one_is_in_the_other() {
    let plate = cuboid(1.0, 1.0, 0.1);
    let cases: [(&str, Shape, Pose, Cut, usize); 7] = [
        ("a rod through a plate", cuboid(0.1, 0.1, 2.0), at(0.2, 0.1, 0.0), Cut::Piercing, 2),
        ("a peg in a plate", cuboid(0.1, 0.1, 2.0), at(0.2, 0.1, 2.05), Cut::Protruding, 1),
        ("a bar across a plate", cuboid(2.0, 0.1, 0.05), at(0.0, 0.1, 0.0), Cut::Piercing, 2),
        ("a corner in a corner", cuboid(1.0, 1.0, 0.1), at(1.5, 1.6, 0.1), Cut::Protruding, 1),
        ("a block in a plate", cuboid(0.1, 0.1, 0.05), at(0.2, 0.1, 0.0), Cut::InsideA, 0),
        ("a block flush in a plate", cuboid(0.1, 0.1, 0.05), at(0.9, 0.9, 0.05), Cut::InsideA, 0),
        ("the same plate", cuboid(1.0, 1.0, 0.1), at(0.0, 0.0, 0.0), Cut::Duplicate, 0),
    ];
    for (name, b, place, cut, curves) in &cases {
        // Sizes from a millimetre to a kilometre, and away from the origin, where coordinates have fewer digits.
        for (scale, far) in [(1.0, 0.0), (1e-3, 0.0), (1e3, 0.0), (1.0, 1e3)] {
            if cfg!(single_precision) && far > 0.0 {
                continue;
            }
            let scaled = |shape: &Shape| Shape::from(Polytope::from_points(&scaled_corners(shape, scale)).unwrap());
            let moved = |pose: &Pose| {
                Pose::from_translation(narrow(widen(pose.translation()) * scale + DVec3::splat(far))).unwrap()
            };
            let (a, b) = (scaled(&plate), scaled(b));
            let (at_a, at_b) = (moved(&Pose::IDENTITY), moved(place));
            let found = intersection(&a, &at_a, &b, &at_b).unwrap_or_else(|| panic!("{name} at {scale}: nothing"));
            assert_eq!(found.cut, Some(*cut), "{name} at {scale}, {far} away");
            if matches!(cut, Cut::Piercing | Cut::Protruding) {
                assert_eq!(found.curves.len(), *curves, "{name} at {scale}");
            }
            let swapped = match cut {
                Cut::InsideA => Cut::InsideB,
                other => *other,
            };
            assert_eq!(intersection(&b, &at_b, &a, &at_a).unwrap().cut, Some(swapped), "{name} swapped");
        }
    }
}

fn scaled_corners(shape: &Shape, scale: f64) -> Vec<Vec3> {
    let aabb = shape.aabb(&Pose::IDENTITY);
    let [low, high] = [aabb.min, aabb.max].map(widen);
    (0..8)
        .map(|i| {
            let pick = |bit: usize| if i >> bit & 1 == 0 { low[bit] } else { high[bit] };
            narrow(DVec3::new(pick(0), pick(1), pick(2)) * scale)
        })
        .collect()
}

#[test]
fn fine_meshes_are_told_as_coarse_ones() {
    // A ring around a rod: cut by none.
    let ring = mesh(&Polyhedron::torus(1.0, 0.3, 48, 24));
    let rod = Shape::cylinder(3.0, 0.5).unwrap();
    assert!(intersection(&ring, &Pose::IDENTITY, &rod, &Pose::IDENTITY).is_none());
    let thick = Shape::cylinder(3.0, 0.8).unwrap();
    let found = intersection(&ring, &Pose::IDENTITY, &thick, &Pose::IDENTITY).unwrap();
    assert_eq!((found.cut, found.curves.len()), (Some(Cut::Piercing), 2)); // the rod is in two pieces outside of the ring
    let ball = mesh(&Polyhedron::sphere(0.5, 3));
    let found = intersection(&ring, &Pose::IDENTITY, &ball, &at(1.0, 0.0, 0.0)).unwrap();
    // The tube of the ring passes through the ball, but what is left of either is in one piece.
    assert_eq!((found.cut, found.curves.len()), (Some(Cut::Protruding), 2));
    let small = mesh(&Polyhedron::sphere(0.1, 2));
    assert_eq!(intersection(&ring, &Pose::IDENTITY, &small, &at(1.0, 0.0, 0.0)).unwrap().cut, Some(Cut::InsideA));
    let edge = intersection(&ring, &Pose::IDENTITY, &small, &at(1.3, 0.0, 0.0)).unwrap();
    assert_eq!((edge.cut, edge.curves.len()), (Some(Cut::Protruding), 1));
}

#[test]
fn touching_open_and_flat_bodies_have_nothing_in_common() {
    let cube = cuboid(1.0, 1.0, 1.0);
    for away in [[2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [2.0, 2.0, 2.0], [0.0, 2.0, 0.5], [5.0, 0.0, 0.0]] {
        let found = intersection(&cube, &Pose::IDENTITY, &cube, &at(away[0], away[1], away[2]));
        assert!(found.is_none(), "{away:?}: {found:?}");
    }
    let flat = Shape::rectangle([1.0 as Real, 1.0]).unwrap();
    assert!(intersection(&cube, &Pose::IDENTITY, &flat, &Pose::IDENTITY).is_none());
    let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(Vec3::from);
    let open = Mesh::new(&corners, &[[0, 1, 2]]).unwrap();
    assert!(intersection(&open, &Pose::IDENTITY, &cube, &Pose::IDENTITY).is_none());
}

#[test]
fn compounds_are_their_parts() {
    let mut rng = Rng::new(9);
    for i in 0..60 {
        let (a, b) = (Voxels::random(&mut rng, 1), Voxels::random(&mut rng, 1));
        let (volume, _) = common(&a, &b);
        let [a, b] = [&a, &b].map(|cells| Body::from(cells.compound()));
        match intersection(&a, &Pose::IDENTITY, &b, &Pose::IDENTITY) {
            None => assert_eq!(volume, 0.0, "{i}"),
            Some(found) => assert!(
                widen_real(found.volume[0]) <= volume && volume <= widen_real(found.volume[1]) * 1.000_001,
                "{i}: {volume} {found:?}"
            ),
        }
    }
}
