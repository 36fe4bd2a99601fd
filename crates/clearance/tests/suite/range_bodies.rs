//! Contact ranges of meshes and compounds: against the ranges of all pairs of their pieces, and against the bodies at the ends.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::math::{narrow, widen, widen_real};
use clearance::{Body, Cache, Compound, Contact, Mesh, Pose, Range, Real, Shape, Vec3, closest, contact_range};
use clearance_testkit::{HitRate, Rng};
use glam::DVec3;

/// A solid L of two boxes as one mesh: concave, with known convex halves.
fn bracket() -> Mesh {
    let points = [[0., 0.], [3., 0.], [3., 1.], [1., 1.], [1., 3.], [0., 3.]];
    let corners: Vec<Vec3> =
        [-0.5, 0.5].iter().flat_map(|&z| points.map(|[x, y]| narrow(DVec3::new(x - 1.0, y - 1.0, z)))).collect();
    // The L is cut into two rectangles below and above.
    let mut faces: Vec<Vec<u32>> = vec![vec![0, 3, 2, 1], vec![0, 5, 4, 3], vec![6, 7, 8, 9], vec![6, 9, 10, 11]];
    for i in 0..6 {
        let j = (i + 1) % 6;
        faces.push(vec![i, j, 6 + j, 6 + i]);
    }
    Mesh::new(&corners, &faces).unwrap()
}

/// The same solid as two boxes.
fn boxes() -> Compound {
    let part = |half: [f64; 3], at: [f64; 3]| {
        let shape = Shape::cuboid(half.map(|x| x as Real)).unwrap();
        (Body::from(shape), Pose::from_translation(narrow(DVec3::from(at))).unwrap())
    };
    Compound::new([part([1.5, 0.5, 0.5], [0.5, -0.5, 0.0]), part([0.5, 1.0, 0.5], [-0.5, 1.0, 0.0])]).unwrap()
}

fn random_pose(rng: &mut Rng, reach: f64) -> Pose {
    Pose::new(narrow(rng.in_ball(reach)), rng.rotation().to_array().map(|x| x as Real)).unwrap()
}

fn ends(range: &Option<Range>) -> Option<[f64; 2]> {
    range.as_ref().map(|range| [widen_real(range.lo()), widen_real(range.hi())])
}

#[test]
fn a_mesh_has_the_range_of_its_convex_parts() {
    let (mesh, parts, ball) = (bracket(), boxes(), Shape::sphere(0.4).unwrap());
    let mut rng = Rng::new(17);
    let mut hits = HitRate::new("lines that meet the bodies");
    for _ in 0..400 {
        let (pose_a, pose_b) = (random_pose(&mut rng, 2.0), random_pose(&mut rng, 6.0));
        let direction: Vec3 = narrow(rng.unit_vector() * 3.0);
        let ask = |cache: &mut Cache| {
            [
                contact_range(&mesh, &pose_a, &mesh, &pose_b, direction, cache).unwrap(),
                contact_range(&parts, &pose_a, &parts, &pose_b, direction, cache).unwrap(),
                contact_range(&mesh, &pose_a, &parts, &pose_b, direction, cache).unwrap(),
            ]
        };
        let found = ask(&mut Cache::default());
        let tolerance = 64.0 * widen_real(Real::EPSILON) * 12.0;
        hits.record(found[0].is_some());
        for other in &found[1..] {
            match (ends(&found[0]), ends(other)) {
                (Some(a), Some(b)) => {
                    // Along a line that all but misses, the ends are as uncertain as the line.
                    let width = (a[1] - a[0]).min(b[1] - b[0]);
                    let slack = if width < 0.05 { 1.0 } else { 40.0 * tolerance / width };
                    assert!((a[0] - b[0]).abs() <= slack && (a[1] - b[1]).abs() <= slack, "{a:?} {b:?}");
                }
                (None, None) => {}
                (a, b) => {
                    let width = a.or(b).map_or(0.0, |[lo, hi]| hi - lo);
                    assert!(width < 0.05, "{a:?} {b:?}");
                }
            }
        }
        // At the ends the bodies touch, and beyond them they are apart.
        let range = contact_range(&mesh, &pose_a, &ball, &pose_b, direction, &mut Cache::default()).unwrap();
        if let Some(range) = range.filter(|range| range.hi() - range.lo() > 0.1) {
            let at = |t: Real| {
                let moved = Pose::new(pose_b.translation() + direction * t, pose_b.rotation().to_array()).unwrap();
                closest(&mesh, &pose_a, &ball, &moved, &mut Cache::default())
            };
            for end in &range.ends {
                assert!(end.lower <= end.at && end.at <= end.upper);
                let near = widen_real(at(end.at).distance);
                assert!(near.abs() <= 40.0 * tolerance.sqrt(), "{near} at {end:?}");
            }
            assert_eq!(at(range.lo() - 0.05).contact, Contact::Apart);
            assert_eq!(at(range.hi() + 0.05).contact, Contact::Apart);
        }
    }
    hits.assert_between(0.2, 0.9);
}

#[test]
fn padding_widens_the_range() {
    let (mesh, ball) = (Body::from(bracket()), Shape::sphere(0.5).unwrap());
    let wide = mesh.clone().padded(0.25).unwrap();
    let pose = Pose::from_translation(narrow(DVec3::new(-8.0, 0.0, 0.0))).unwrap();
    let along = |body: &Body| {
        let range = contact_range(body, &Pose::IDENTITY, &ball, &pose, Vec3::X, &mut Cache::default());
        ends(&range.unwrap()).unwrap()
    };
    let ([lo, hi], [wide_lo, wide_hi]) = (along(&mesh), along(&wide));
    assert!((lo - 6.5).abs() < 1e-5, "{lo}");
    assert!((wide_lo - (lo - 0.25)).abs() < 1e-5 && (wide_hi - (hi + 0.25)).abs() < 1e-5, "{wide_lo} {wide_hi}");
    assert!(widen(Vec3::X).x == 1.0);
}
