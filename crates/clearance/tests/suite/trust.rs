//! Answers are proved by what they carry: bounds hold and points are in their bodies, judged exactly, for thin bodies too; and no cache,
//! whatever it remembers, changes an answer beyond its bounds.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::exact::{NotCertified, certify_unchecked};
use clearance::math::{narrow, widen, widen_real};
use clearance::tolerance::{UNIT_ROUNDOFF, sigma};
use clearance::{
    BodyRef, Cache, Closest, Core, End, Mesh, Overlap, Polytope, Pose, Shape, Vec3, Witness, closest, distance, overlap,
};
use clearance_testkit::{Cloud, HitRate, MinkowskiDifference, PairFamily, Polyhedron, Rng, Separation};
use common::bodies::catalogue;
use common::{narrowed, pose_of, posed_solid};
use glam::DVec3;

/// The error of a support of the pair, and the rounding of world coordinates.
fn errors(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> [f64; 2] {
    let between = (pose_b.translation() - pose_a.translation()).abs().element_sum();
    let error = widen_real(sigma(a.bounding_radius() + b.bounding_radius() + between));
    let far = widen(pose_a.translation()).length().max(widen(pose_b.translation()).length());
    [error, 8.0 * far * widen_real(UNIT_ROUNDOFF)]
}

/// Two polytopes, judged exactly.
fn judge(a: &Polytope, pose_a: &Pose, b: &Polytope, pose_b: &Pose, what: &str) -> Option<f64> {
    let solids = [posed_solid(a, pose_a), posed_solid(b, pose_b)];
    let difference = MinkowskiDifference::new(&solids[0], &solids[1]);
    let truth = difference.signed_distance();
    let [a, b] = [a, b].map(|polytope| Shape::from(polytope.clone()));
    let [error, far] = errors(&a, pose_a, &b, pose_b);
    let near = closest(&a, pose_a, &b, pose_b, &mut Cache::default());
    let what = format!("{what}: truly {} ({} errors), {near:?}", truth.distance, truth.distance / error);
    // The truth is rounded once.
    let rounding = 4.0 * f64::EPSILON * truth.distance.abs();
    assert!(widen_real(near.lower) <= truth.distance + rounding, "{what}");
    assert!(truth.distance - rounding <= widen_real(near.upper), "{what}");
    assert!((widen(near.normal).length() - 1.0).abs() < 16.0 * widen_real(UNIT_ROUNDOFF), "{what}");
    for (solid, point) in solids.iter().zip(near.points) {
        assert!(solid.outside_by(widen(point)) <= 64.0 * error + far, "{what}: {}", solid.outside_by(widen(point)));
    }
    let met = overlap(&a, pose_a, &b, pose_b, &mut Cache::default());
    let is_right = met.overlap == (truth.kind != Separation::Apart);
    assert!(is_right || truth.distance.abs() <= 4.0 * error, "{what}: {met:?}");
    for (point, solid) in shown(&met).into_iter().flatten().zip(&solids) {
        let outside = solid.outside_by(widen(point));
        assert!(outside <= 16.0 * error + far, "{what}: {met:?} {outside}");
    }
    (near.end == End::Converged).then_some(truth.distance)
}

#[test]
fn bounds_and_points_hold_in_every_family() {
    let mut rng = Rng::new(12);
    for family in PairFamily::ALL {
        let [mut used, mut converged] = ["solid pairs", "converged"].map(HitRate::new);
        for i in 0..1500 {
            let case = family.generate(&mut rng);
            let polytopes = [&case.a, &case.b].map(|points| Polytope::from_points(&narrowed(points)).ok());
            used.record(polytopes.iter().all(Option::is_some));
            let [Some(a), Some(b)] = polytopes else { continue };
            let [pose_a, pose_b] = [case.pose_a, case.pose_b].map(|(rotation, at)| pose_of(at, rotation));
            let found = judge(&a, &pose_a, &b, &pose_b, &format!("{} {i}", family.name()));
            converged.record(found.is_some());
        }
        used.assert_between(0.5, 1.0);
        converged.assert_between(0.99, 1.0);
    }
}

/// Plates and needles a millionth as thick as they are long, as far from a slab as they are thick.
#[test]
fn thin_hulls_near_a_slab() {
    let mut rng = Rng::new(13);
    let [mut apart, mut converged] = ["apart", "converged"].map(HitRate::new);
    for i in 0..3000 {
        let thin = rng.log_uniform(if common::SINGLE { 1e-3 } else { 1e-8 }, 1e-2);
        let semi_axes = DVec3::new(1.0, thin, if rng.chance(0.5) { 0.1 } else { thin });
        let points: Vec<DVec3> = (0..4 + rng.index(6)).map(|_| rng.in_ball(1.0) * semi_axes).collect();
        let slab: Vec<DVec3> = (0..8)
            .map(|k| {
                let side = |bit: u32| if k & bit == 0 { -1.0 } else { 1.0 };
                DVec3::new(side(1), side(2), if k & 4 == 0 { 0.0 } else { 0.5 + rng.uniform(-1e-9, 1e-9) })
            })
            .collect();
        let polytopes = [&points, &slab].map(|points| Polytope::from_points(&narrowed(points)).ok());
        let [Some(a), Some(b)] = polytopes else { continue };
        // The plate lies along a face, an edge or a corner of the slab.
        let turn = if rng.chance(0.5) { rng.rotation() } else { glam::DQuat::from_rotation_x(1.5) };
        let at = DVec3::new(rng.uniform(-1.2, 1.2), rng.uniform(-1.2, 1.2), -thin * rng.uniform(-2.0, 4.0));
        let found = judge(&a, &pose_of(at, turn), &b, &Pose::IDENTITY, &format!("thin {i}"));
        converged.record(found.is_some());
        apart.record(found.is_some_and(|distance| distance > 0.0));
    }
    apart.assert_between(0.05, 0.95);
    converged.assert_between(0.98, 1.0);
}

fn same(warm: &Closest, cold: &Closest, slack: f64, what: &str) {
    assert_eq!(warm.end, cold.end, "{what}: warm {warm:?} cold {cold:?}");
    let overlap = warm.lower <= cold.upper && cold.lower <= warm.upper;
    assert!(overlap, "{what}: warm {warm:?} cold {cold:?}");
    let widths = widen_real((warm.upper - warm.lower) + (cold.upper - cold.lower));
    let off = widen_real(warm.distance - cold.distance).abs();
    assert!(off <= widths + slack, "{what}: warm {warm:?} cold {cold:?}");
}

/// Caches of other pairs, of the same pair elsewhere, of the pair swapped, and of a slot used for other shapes.
#[test]
fn no_cache_changes_an_answer() {
    let mut rng = Rng::new(14);
    let mut bodies: Vec<Shape> = catalogue(1.0).into_iter().map(|body| body.shape).collect();
    for n in [4, 6, 8, 20] {
        bodies.push(Shape::polytope(&narrowed(&Cloud::Ball.generate(&mut rng, n))).unwrap());
    }
    // Aligned boxes as polytopes, with corners off by a little.
    let boxlike: Vec<DVec3> = (0..8)
        .map(|k| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) + rng.in_ball(1e-8))
        .collect();
    bodies.push(Shape::polytope(&narrowed(&boxlike)).unwrap());
    let last = bodies.len() - 1;
    let mut hits = HitRate::new("overlapping");
    let mut caches: Vec<Cache> = vec![Cache::default()];
    for i in 0..12000 {
        let pick = |rng: &mut Rng| if rng.chance(0.3) { last } else { rng.index(last + 1) };
        let (a, b) = (&bodies[pick(&mut rng)], &bodies[pick(&mut rng)]);
        let reach = widen_real(a.bounding_radius() + b.bounding_radius());
        let aligned = rng.chance(0.4);
        let turn = |rng: &mut Rng| if aligned { glam::DQuat::IDENTITY } else { rng.rotation() };
        let (pose_a, pose_b) =
            (pose_of(DVec3::ZERO, turn(&mut rng)), pose_of(rng.in_ball(0.8 * reach), turn(&mut rng)));
        let cold = closest(a, &pose_a, b, &pose_b, &mut Cache::default());
        let [error, _] = errors(a, &pose_a, b, &pose_b);
        let mut cache = caches[rng.index(caches.len())].clone();
        let warm = closest(a, &pose_a, b, &pose_b, &mut cache);
        let what = format!("{i}: {a:?} {b:?} {pose_a:?} {pose_b:?}");
        same(&warm, &cold, 40.0 * error, &what);
        let apart = distance(a, &pose_a, b, &pose_b, &mut caches[rng.index(caches.len())].clone());
        if let Some(near) = apart {
            same(&near, &cold, 40.0 * error, &what);
        }
        let met = overlap(a, &pose_a, b, &pose_b, &mut caches[rng.index(caches.len())].clone());
        let decided = widen_real(cold.distance).abs() > 8.0 * error;
        assert!(!decided || met.overlap == (cold.distance < 0.0), "{what}: {met:?} {cold:?}");
        hits.record(met.overlap);
        if caches.len() < 64 { caches.push(cache) } else { caches[i % 64] = cache }
    }
    hits.assert_between(0.2, 0.9);
}

/// What is shown of bodies that meet, for each: a common point, or a point of each body where none was found and the answer says so.
fn shown(answer: &Overlap) -> Option<[Vec3; 2]> {
    match answer.witness {
        Witness::Point(point) => Some([point; 2]),
        Witness::Points(points) => {
            assert!(answer.overlap && answer.end != End::Converged, "{answer:?}");
            Some(points)
        }
        Witness::Plane { .. } | Witness::Gap(_) => None,
    }
}

/// How far a point is proved to be from a body at least.
fn off<'b>(point: Vec3, body: impl Into<BodyRef<'b>>, pose: &Pose) -> f64 {
    let dot = Pose::from_translation(point).unwrap();
    match certify_unchecked(&Shape::point(), &dot, body, pose, &mut Cache::default(), [true, false]) {
        Ok(proof) => proof.lower().map_or(0.0, widen_real),
        // A point of the body has no lower bound.
        Err(NotCertified::Unproved) => 0.0,
        Err(error) => panic!("{error}"),
    }
}

/// The common point of bodies that touch is in both, or the answer says that it did not converge.
#[test]
fn common_points_of_touching_bodies() {
    let mut rng = Rng::new(17);
    let shapes: Vec<Shape> = catalogue(1.0).into_iter().map(|body| body.shape).collect();
    let shapes: Vec<Shape> = shapes.into_iter().filter(|shape| !matches!(shape.core(), Core::Custom(_))).collect();
    let [mut met, mut converged] = ["meeting", "converged"].map(HitRate::new);
    for i in 0..12_000 {
        let (a, b) = if i % 2 == 0 {
            let case = PairFamily::Scales.generate(&mut rng);
            let hulls = [&case.a, &case.b].map(|points| Polytope::from_points(&narrowed(points)).ok());
            let [Some(a), Some(b)] = hulls else { continue };
            (Shape::from(a), Shape::from(b))
        } else {
            (shapes[rng.index(shapes.len())].clone(), shapes[rng.index(shapes.len())].clone())
        };
        let reach = widen_real(a.bounding_radius() + b.bounding_radius());
        let pose_a = pose_of(rng.in_ball(reach), rng.rotation());
        let mut pose_b = pose_of(rng.in_ball(reach), rng.rotation());
        let near = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
        let wanted = if rng.chance(0.3) { 0.0 } else { rng.sign() * rng.log_uniform(1e-17, 1e-8) * reach };
        let by = widen(near.normal) * (wanted - widen_real(near.distance));
        pose_b = pose_b.with_translation(narrow(widen(pose_b.translation()) + by)).unwrap();
        let answer = overlap(&a, &pose_a, &b, &pose_b, &mut Cache::default());
        let Some(shown) = shown(&answer) else { continue };
        met.record(answer.overlap);
        converged.record(answer.end == End::Converged);
        let [error, far] = errors(&a, &pose_a, &b, &pose_b);
        for (point, (shape, pose)) in shown.into_iter().zip([(&a, &pose_a), (&b, &pose_b)]) {
            let off = off(point, shape, pose);
            assert!(off <= 32.0 * error + far, "{i}: off by {off:e}, {} errors: {answer:?} {a:?} {b:?}", off / error);
        }
    }
    met.assert_between(0.9, 1.0);
    converged.assert_between(0.9993, 1.0);
}

/// Plates that dip into a solid by a hair meet its triangles, plates as well, in no point that is on both to rounding; a point of the plate
/// inside of the solid is one of both.
#[test]
fn common_points_of_plates_in_solids() {
    let mut rng = Rng::new(18);
    let solids = [Polyhedron::torus(1.0, 0.4, 12, 8), Polyhedron::torus(0.5, 0.2, 6, 4)];
    let solids = solids.map(|solid| Mesh::new(&narrowed(&solid.vertices), &solid.faces).unwrap());
    let plates =
        [Shape::disc(0.5).unwrap(), Shape::rectangle([0.5, 0.2]).unwrap(), Shape::ellipse([0.4, 0.1]).unwrap()];
    let [mut met, mut converged] = ["meeting", "converged"].map(HitRate::new);
    for i in 0..3000 {
        let (a, b) = (&solids[i % 2], &plates[i % 3]);
        let pose_a = pose_of(DVec3::ZERO, rng.rotation());
        let mut pose_b = pose_of(rng.unit_vector() * 3.0, rng.rotation());
        let near = closest(a, &pose_a, b, &pose_b, &mut Cache::default());
        let by = widen(near.normal) * (-rng.log_uniform(1e-16, 1e-8) - widen_real(near.distance));
        pose_b = pose_b.with_translation(narrow(widen(pose_b.translation()) + by)).unwrap();
        let answer = overlap(a, &pose_a, b, &pose_b, &mut Cache::default());
        let Some([p, q]) = shown(&answer) else { continue };
        met.record(answer.overlap);
        converged.record(answer.end == End::Converged);
        let error = widen_real(sigma(clearance::math::narrow_real(8.0)));
        let off = [off(p, a, &pose_a), off(q, b, &pose_b)];
        assert!(off.iter().all(|off| *off <= 32.0 * error), "{i}: off by {off:?}, {answer:?}");
    }
    met.assert_between(0.99, 1.0);
    converged.assert_between(0.9993, 1.0);
}

/// Behind a sharp rim the deepest point of a segment, or of a plate's side, need not be in the body: a common point is one of the segment.
#[test]
fn common_points_of_segments_behind_sharp_rims() {
    let mut rng = Rng::new(19);
    let [mut met, mut converged] = ["meeting", "converged"].map(HitRate::new);
    for i in 0..6000 {
        let mut size = || clearance::math::narrow_real(rng.log_uniform(0.05, 1.5));
        let cone = Shape::cone(size(), size()).unwrap();
        let thin = match i % 3 {
            0 => Shape::segment(size()),
            1 => Shape::rectangle([size(), size()]),
            _ => Shape::triangle([Vec3::ZERO, Vec3::X * size(), Vec3::new(0.1, size(), 0.0)]),
        };
        let (thin, pose_a) = (thin.unwrap(), pose_of(rng.in_ball(2.0), rng.rotation()));
        let mut pose_b = pose_of(rng.in_ball(2.0), rng.rotation());
        let near = closest(&cone, &pose_a, &thin, &pose_b, &mut Cache::default());
        let by = widen(near.normal) * (-rng.log_uniform(1e-15, 1e-8) - widen_real(near.distance));
        pose_b = pose_b.with_translation(narrow(widen(pose_b.translation()) + by)).unwrap();
        let answer = overlap(&cone, &pose_a, &thin, &pose_b, &mut Cache::default());
        let Some([p, q]) = shown(&answer) else { continue };
        met.record(answer.overlap);
        converged.record(answer.end == End::Converged);
        let [error, far] = errors(&cone, &pose_a, &thin, &pose_b);
        let off = [off(p, &cone, &pose_a), off(q, &thin, &pose_b)];
        assert!(off.iter().all(|off| *off <= 32.0 * error + far), "{i}: off by {off:?}, {answer:?}");
    }
    met.assert_between(0.9, 1.0);
    converged.assert_between(0.9998, 1.0);
}
