//! Certificates hold when they are checked exactly, and say what the verbs say, to rounding.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::meshes;
use clearance::exact::{Certificate, NotCertified, certify, certify_cast, certify_within};
use clearance::math::widen_real;
use clearance::{
    Body, Cache, CastOptions, Compound, Contact, Core, HalfSpace, HeightField, Motion, PointCloud, Polytope, Pose,
    Real, Shape, Start, Support, SupportPoint, Vec3, VertexId, cast, closest, within,
};
use clearance_testkit::{HitRate, PairFamily, Polyhedron, Rng};
use common::bodies::catalogue;
use common::{narrowed, pose_of, random_pose};

fn verified(found: Result<Certificate, NotCertified>, what: &str) -> Certificate {
    let certificate = found.unwrap_or_else(|error| panic!("{what}: {error}"));
    certificate.verify().unwrap_or_else(|refused| panic!("{what}: {refused}\n{certificate}"));
    certificate
}

/// Bodies of every kind that has certificates.
fn bodies(rng: &mut Rng) -> Vec<Body> {
    let certain = |shape: &Shape| !matches!(shape.core(), Core::Custom(_));
    let mut all: Vec<Body> = catalogue(1.0).into_iter().map(|b| b.shape).filter(certain).map(Body::from).collect();
    let mesh = |polyhedron: &Polyhedron| Body::from(meshes::mesh(polyhedron));
    all.push(mesh(&Polyhedron::notched()));
    all.push(mesh(&Polyhedron::torus(1.0, 0.3, 10, 6)));
    all.push(mesh(&Polyhedron::notched()).padded(0.1).unwrap());
    let capsule = Body::from(Shape::capsule(0.5, 0.2).unwrap());
    let parts = [(mesh(&Polyhedron::notched()), random_pose(rng, 1.0)), (capsule, random_pose(rng, 1.0))];
    all.push(Compound::new(parts).unwrap().into());
    let heights: Vec<Vec<Real>> = (0..5).map(|_| (0..6).map(|_| rng.uniform(0.0, 0.5) as Real).collect()).collect();
    all.push(HeightField::new(&heights, [0.5, 0.5]).unwrap().into());
    let points: Vec<Vec3> = (0..20).map(|_| meshes::real(rng.in_ball(1.0))).collect();
    all.push(PointCloud::new(&points, 0.1).unwrap().into());
    all.push(HalfSpace::new(Vec3::new(0.3, -0.2, 1.0), 0.4).unwrap().into());
    all
}

#[test]
fn distances_of_bodies_of_every_kind() {
    let mut rng = Rng::new(51);
    let all = bodies(&mut rng);
    let [mut apart, mut both, mut tight] = ["apart", "both bounds", "tight"].map(HitRate::new);
    for i in 0..1500 {
        let (a, b) = (&all[rng.index(all.len())], &all[rng.index(all.len())]);
        let (pose_a, pose_b) = (random_pose(&mut rng, 2.0), random_pose(&mut rng, 2.0));
        if matches!((a, b), (Body::HalfSpace(_), Body::HalfSpace(_))) {
            continue;
        }
        let near = closest(a, &pose_a, b, &pose_b, &mut Cache::default());
        let proof = verified(certify(a, &pose_a, b, &pose_b, &mut Cache::default()), &format!("{i}: {near:?}"));
        let is_apart = apart.record(near.contact == Contact::Apart);
        let (lower, upper) = (proof.lower(), proof.upper());
        // What is proved contradicts nothing that was answered.
        assert!(lower.is_none_or(|lower| lower <= near.upper), "{i}: {near:?} {lower:?}");
        assert!(upper.is_none_or(|upper| upper >= near.lower), "{i}: {near:?} {upper:?}");
        both.record(lower.is_some() && upper.is_some());
        if let (true, Some(lower), Some(upper)) = (is_apart, lower, upper) {
            let room = if common::SINGLE { 1e-4 } else { 1e-9 };
            tight.record(widen_real(upper - lower) <= room * (1.0 + widen_real(near.distance)));
        }
    }
    apart.assert_between(0.3, 0.9);
    both.assert_between(0.75, 1.0);
    tight.assert_between(0.95, 1.0);
}

#[test]
fn polytopes_of_every_family() {
    let mut rng = Rng::new(52);
    for family in PairFamily::ALL {
        let [mut used, mut tight] = ["solid pairs", "tight"].map(HitRate::new);
        for i in 0..60 {
            let case = family.generate(&mut rng);
            let shapes = [&case.a, &case.b].map(|points| Polytope::from_points(&narrowed(points)).ok());
            used.record(shapes.iter().all(Option::is_some));
            let [Some(a), Some(b)] = shapes else { continue };
            let [pose_a, pose_b] = [case.pose_a, case.pose_b].map(|(rotation, at)| pose_of(at, rotation));
            let near = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
            let what = format!("{} {i}: {near:?}", family.name());
            let proof = verified(certify(&a, &pose_a, &b, &pose_b, &mut Cache::default()), &what);
            let (lower, upper) = (proof.lower().unwrap(), proof.upper().unwrap());
            assert!(lower <= near.upper && near.lower <= upper, "{what} {lower} {upper}");
            let size = a.bounding_radius() + b.bounding_radius() + widen_real(near.distance.abs()) as Real;
            tight.record(upper - lower <= 512.0 * Real::EPSILON * size);
        }
        used.assert_between(0.5, 1.0);
        tight.assert_between(0.8, 1.0);
    }
}

#[test]
fn within_is_proved_either_way() {
    let mut rng = Rng::new(53);
    let all = bodies(&mut rng);
    let mut near = HitRate::new("within");
    for i in 0..600 {
        let (a, b) = (&all[rng.index(all.len())], &all[rng.index(all.len())]);
        if matches!((a, b), (Body::HalfSpace(_), Body::HalfSpace(_))) {
            continue;
        }
        let (pose_a, pose_b) = (random_pose(&mut rng, 2.0), random_pose(&mut rng, 2.0));
        let distance = if rng.chance(0.5) { 0.0 } else { rng.uniform(0.0, 1.0) as Real };
        let answer = within(a, &pose_a, b, &pose_b, distance, &mut Cache::default());
        let proof = certify_within(a, &pose_a, b, &pose_b, distance, &mut Cache::default());
        let proof = verified(proof, &format!("{i}: {answer:?}"));
        if near.record(answer.within) {
            let room = 256.0 * Real::EPSILON * (8.0 + distance);
            assert!(proof.upper().is_some_and(|upper| upper <= distance + room), "{i}: {answer:?} {proof}");
        } else {
            assert!(proof.lower().is_some_and(|lower| lower > distance), "{i}: {answer:?} {proof}");
        }
    }
    near.assert_between(0.3, 0.9);
}

#[test]
fn motions_are_proved_free_up_to_the_contact() {
    let mut rng = Rng::new(54);
    let all = bodies(&mut rng);
    let [mut hits, mut proved, mut whole] = ["hits", "proved", "all of the free part"].map(HitRate::new);
    for i in 0..500 {
        let (a, b) = (&all[rng.index(all.len())], &all[rng.index(all.len())]);
        if matches!(b, Body::HalfSpace(_)) {
            continue;
        }
        let (pose_a, pose_b) = (random_pose(&mut rng, 1.0), pose_of(rng.unit_vector() * 5.0, rng.rotation()));
        let motion = match i % 4 {
            0 | 1 => Motion::translation(pose_b, meshes::real(rng.in_ball(1.0)) - pose_b.translation()).unwrap(),
            2 => Motion::rotation(pose_b, [0.5, 0.0, 0.0], [0.0, 1.0, 0.3], rng.uniform(-2.0, 2.0) as Real).unwrap(),
            _ => Motion::between(pose_b, random_pose(&mut rng, 3.0)),
        };
        let options = CastOptions::default();
        let Ok(answer) = cast(a, &pose_a, b, &motion, &mut Cache::default(), &options) else { continue };
        if !matches!(answer.start, Start::Apart) {
            continue;
        }
        hits.record(answer.hit.is_some());
        let proof = certify_cast(a, &pose_a, b, &motion, &mut Cache::default(), &options);
        if !proved.record(proof.is_ok()) {
            continue;
        }
        let proof = verified(proof, &format!("{i}: {answer:?}"));
        let until = proof.free_until().unwrap_or(0.0);
        assert!(until <= answer.upper, "{i}: {answer:?} {until}");
        whole.record(until >= answer.lower - 1e-3);
    }
    hits.assert_between(0.3, 0.9);
    proved.assert_between(0.95, 1.0);
    whole.assert_between(0.9, 1.0);
}

#[test]
fn what_has_no_certificate_is_said() {
    #[derive(Debug)]
    struct Own;
    impl Support for Own {
        fn support(&self, direction: Vec3, _: VertexId) -> SupportPoint {
            (direction / direction.length()).into()
        }
    }
    let own = Shape::custom(std::sync::Arc::new(Own)).unwrap();
    let found = certify(&own, &Pose::IDENTITY, &Shape::point(), &Pose::IDENTITY, &mut Cache::default());
    assert_eq!(found, Err(NotCertified::Custom { body: 'A' }));
    let spheres = [Shape::sphere(1.0).unwrap(), Shape::sphere(0.5).unwrap()];
    let nested = certify(&spheres[0], &Pose::IDENTITY, &spheres[1], &Pose::IDENTITY, &mut Cache::default());
    let nested = verified(nested, "nested spheres");
    assert!(nested.upper().is_some_and(|upper| (upper + 1.5).abs() < 1e-5), "{nested}");
    assert!(nested.free_until().is_none());
}
