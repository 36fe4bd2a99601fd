//! Polytope pairs against the explicit Minkowski difference: sign, distance, bounds, points and normal.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use clearance::math::{narrow, widen, widen_real};
use clearance::tolerance::{UNIT_ROUNDOFF, sigma};
use clearance::{Cache, Polytope, Pose, Shape, Vec3, closest, overlap};
use clearance_testkit::{HitRate, MinkowskiDifference, PairCase, PairFamily, PosedSolid, Rng, Separation, Solid};
use glam::{DMat3, DVec3};

fn solid(polytope: &Polytope) -> Solid {
    let vertices = polytope.vertices().iter().map(|&p| widen(p)).collect();
    let faces = (0..polytope.face_count() as u32).map(|f| polytope.face_vertices(f).map(|v| v as usize).collect());
    Solid { vertices, faces: faces.collect() }
}

fn pose((rotation, translation): (glam::DQuat, DVec3)) -> Pose {
    let [x, y, z, w] = rotation.to_array().map(clearance::math::narrow_real);
    Pose::new(narrow(translation), clearance::Quat::from_xyzw(x, y, z, w).normalize()).unwrap()
}

fn matrix(pose: &Pose) -> DMat3 {
    let m = pose.matrix();
    DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis))
}

fn polytope(points: &[DVec3]) -> Option<Polytope> {
    Polytope::from_points(&points.iter().map(|&p| narrow(p)).collect::<Vec<Vec3>>()).ok()
}

struct Checked {
    separation: Separation,
}

/// Checks one pair; nothing if a cloud is flat in this precision.
fn check(case: &PairCase, what: &str) -> Option<Checked> {
    let (a, b) = (polytope(&case.a)?, polytope(&case.b)?);
    let shapes = (Shape::from(a.clone()), Shape::from(b.clone()));
    Some(check_shapes((a, b), shapes, case, what))
}

/// Checks two shapes against the polytopes that they are.
fn check_shapes((a, b): (Polytope, Polytope), shapes: (Shape, Shape), case: &PairCase, what: &str) -> Checked {
    let (pose_a, pose_b) = (pose(case.pose_a), pose(case.pose_b));
    let posed = |p: &Polytope, pose: &Pose| PosedSolid::new(&solid(p), matrix(pose), widen(pose.translation()));
    let (solid_a, solid_b) = (posed(&a, &pose_a), posed(&b, &pose_b));
    let truth = MinkowskiDifference::new(&solid_a, &solid_b).signed_distance();
    let (a, b) = shapes;
    let t = pose_b.translation() - pose_a.translation();
    let size = a.bounding_radius() + b.bounding_radius() + t.length();
    let error = widen_real(sigma(size));
    let near = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
    let off = (widen_real(near.distance) - truth.distance).abs();
    assert!(off <= 64.0 * error, "{what}: {near:?} but truly {truth:?}, off by {} errors; case {case:?}", off / error);
    let within = truth.compare(widen_real(near.lower)).is_ge() && truth.compare(widen_real(near.upper)).is_le();
    assert!(within, "{what}: {near:?} does not bound {}; case {case:?}", truth.distance);
    let gap = widen(near.points[1] - near.points[0] - near.normal * near.distance).length();
    // World coordinates round at their own size, which may be far larger than the pair's.
    let far = widen(pose_a.translation()).length() * widen_real(UNIT_ROUNDOFF);
    assert!(gap <= 64.0 * error + 8.0 * far, "{what}: points and normal disagree by {gap}: {near:?}");
    let hit = overlap(&a, &pose_a, &b, &pose_b, &mut Cache::default());
    let wrong = hit.overlap != (truth.kind != Separation::Apart);
    assert!(!wrong || truth.distance.abs() <= 4.0 * error, "{what}: {hit:?} but truly {}", truth.distance);
    for (i, body) in [&solid_a, &solid_b].into_iter().enumerate() {
        let outside = body.outside_by(widen(near.points[i]));
        assert!(outside <= 64.0 * error + 8.0 * far, "{what}: point {i} is {outside} outside: {near:?}");
    }
    Checked { separation: truth.kind }
}

#[test]
fn polytopes_agree_with_the_explicit_difference() {
    let mut rng = Rng::new(7);
    for family in PairFamily::ALL {
        let mut hits = HitRate::new("overlapping pairs");
        let mut used = HitRate::new("solid pairs");
        for i in 0..3000 {
            let case = family.generate(&mut rng);
            let checked = check(&case, &format!("{} {i}", family.name()));
            used.record(checked.is_some());
            if let Some(checked) = checked {
                hits.record(checked.separation != Separation::Apart);
            }
        }
        println!("{}: {} of {} overlap", family.name(), hits.hits(), hits.trials());
        used.assert_between(0.5, 1.0);
    }
}

/// The closed form of two boxes against the same truth: random, aligned, touching, one inside the other, thin.
#[test]
fn boxes_agree_with_the_explicit_difference() {
    let mut rng = Rng::new(11);
    let mut hits = HitRate::new("overlapping boxes");
    for i in 0..4000 {
        let mut size =
            || DVec3::new(rng.log_uniform(0.05, 2.0), rng.log_uniform(0.05, 2.0), rng.log_uniform(0.05, 2.0));
        let halves = [size(), size()].map(|half| widen(narrow(half)));
        let aligned = i % 4 == 0;
        let turn = |rng: &mut Rng| if aligned { glam::DQuat::IDENTITY } else { rng.rotation() };
        let far = if i % 7 == 0 { 1000.0 } else { 1.0 };
        let at = rng.in_box(DVec3::splat(far));
        let reach = halves[0].length() + halves[1].length();
        let mut offset = rng.in_box(DVec3::splat(0.6 * reach));
        if i % 8 == 0 {
            // Faces exactly upon each other.
            offset.z = halves[0].z + halves[1].z;
        }
        let corners = |half: DVec3| {
            let signs = [-1.0, 1.0];
            let corner = move |x: f64, y: f64, z: f64| DVec3::new(x, y, z) * half;
            signs
                .into_iter()
                .flat_map(move |x| signs.into_iter().flat_map(move |y| signs.map(|z| corner(x, y, z))))
                .collect()
        };
        let case = PairCase {
            a: corners(halves[0]),
            b: corners(halves[1]),
            pose_a: (turn(&mut rng), at),
            pose_b: (turn(&mut rng), at + offset),
        };
        let polytopes = (polytope(&case.a).unwrap(), polytope(&case.b).unwrap());
        let [a, b] = halves.map(|half| Shape::cuboid(narrow(half).to_array()).unwrap());
        let checked = check_shapes(polytopes, (a, b), &case, &format!("boxes {i}"));
        hits.record(checked.separation != Separation::Apart);
    }
    hits.assert_between(0.3, 0.8);
}
