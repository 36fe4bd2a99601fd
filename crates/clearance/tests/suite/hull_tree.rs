//! Trees of hulls kept as their user gave them answer what a compound of the same parts does, for fewer tests than all parts have pairs.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::meshes::mesh;
use clearance::study::hull_tree::{HullPart, HullTree, HullTreeError, overlap};
use clearance::{Body, Cache, Compound, Contact, End, Polytope, Pose, closest};
use clearance_testkit::{Cloud, HitRate, Polyhedron, Rng};
use common::{narrowed, pose_of};
use glam::DVec3;

/// A random body: a group of groups, with a torus among its leaves; and its parts one by one.
fn body(rng: &mut Rng, deep: usize) -> (HullPart, Vec<(Body, Pose)>) {
    if deep == 0 {
        if rng.chance(0.2) {
            let torus = mesh(&Polyhedron::torus(0.5, 0.15, 10, 6));
            return (HullPart::Surface(std::sync::Arc::new(torus.clone())), vec![(torus.into(), Pose::IDENTITY)]);
        }
        let points: Vec<DVec3> = Cloud::Sphere.generate(rng, 12).iter().map(|p| *p * 0.5).collect();
        let hull = Polytope::from_points(&narrowed(&points)).unwrap();
        return (HullPart::Convex(hull.clone()), vec![(clearance::Shape::from(hull).into(), Pose::IDENTITY)]);
    }
    let (mut parts, mut flat) = (Vec::new(), Vec::new());
    for _ in 0..2 + rng.index(2) {
        let pose = pose_of(rng.in_ball(0.5 + 0.5 * deep as f64), rng.rotation());
        let (part, below) = body(rng, deep - 1);
        flat.extend(below.into_iter().map(|(leaf, inner)| (leaf, pose.compose(&inner))));
        parts.push((part, pose));
    }
    (HullPart::Group(parts), flat)
}

#[test]
fn trees_answer_as_compounds_do() {
    let mut rng = Rng::new(56);
    let [mut meet, mut fewer] =
        ["pairs that meet", "answers with fewer leaf tests than a tenth of all pairs"].map(HitRate::new);
    for i in 0..60 {
        let [(part_a, flat_a), (part_b, flat_b)] = [body(&mut rng, 2), body(&mut rng, 2)];
        let [a, b] = [&part_a, &part_b].map(|part| HullTree::new(part).unwrap());
        assert_eq!((a.leaf_count(), b.leaf_count()), (flat_a.len(), flat_b.len()));
        let all = flat_a.len() * flat_b.len();
        let [whole_a, whole_b] = [flat_a, flat_b].map(|parts| Compound::new(parts).unwrap());
        for _ in 0..20 {
            let poses = [pose_of(rng.in_ball(1.0), rng.rotation()), pose_of(rng.in_ball(4.0), rng.rotation())];
            let found = overlap(&a, &poses[0], &b, &poses[1]);
            let truth = closest(&whole_a, &poses[0], &whole_b, &poses[1], &mut Cache::default());
            assert_eq!(found.end, End::Converged, "{i}: {found:?}");
            // What touches within rounding may be told either way: hulls have rounded corners.
            if truth.contact != Contact::Touching {
                assert_eq!(found.overlap, truth.contact == Contact::Overlapping, "{i}: {found:?} {truth:?}");
            }
            meet.record(found.overlap);
            fewer.record(10 * (found.leaf_tests as usize) < all);
        }
    }
    meet.assert_between(0.1, 0.9);
    fewer.assert_between(0.7, 1.0);
}

/// Bodies far apart are never taken apart, and swapping them changes no answer.
#[test]
fn taken_apart_only_where_near() {
    let mut rng = Rng::new(57);
    let [a, b] = [body(&mut rng, 2).0, body(&mut rng, 2).0].map(|part| HullTree::new(&part).unwrap());
    let far = pose_of(DVec3::X * 50.0, rng.rotation());
    let found = overlap(&a, &Pose::IDENTITY, &b, &far);
    assert_eq!((found.overlap, found.hull_tests, found.leaf_tests), (false, 1, 0));
    for _ in 0..50 {
        let pose = pose_of(rng.in_ball(6.0), rng.rotation());
        let found = [overlap(&a, &Pose::IDENTITY, &b, &pose), overlap(&b, &pose, &a, &Pose::IDENTITY)];
        assert_eq!(found[0].overlap, found[1].overlap);
    }
}

#[test]
fn bad_trees_are_named() {
    let cube = || HullPart::Convex(Polytope::from_points(&common::cube(1.0).0).unwrap());
    let group = |part| HullPart::Group(vec![(cube(), Pose::IDENTITY), (part, Pose::IDENTITY)]);
    let empty = HullTree::new(&group(HullPart::Group(Vec::new()))).unwrap_err();
    assert_eq!(empty, HullTreeError::EmptyGroup { path: "1".to_owned() });
    assert_eq!(empty.to_string(), "part 1 is a group without parts");
    let flat = Polyhedron::terrain(&mut Rng::new(1), 3).mapped(|p| DVec3::new(p.x, p.y, 0.0));
    let error = HullTree::new(&group(group(HullPart::Surface(std::sync::Arc::new(mesh(&flat)))))).unwrap_err();
    assert!(error.to_string().starts_with("part 1.1 has no convex hull"), "{error}");
    let mut deep = cube();
    for _ in 0..70 {
        deep = HullPart::Group(vec![(deep, Pose::IDENTITY)]);
    }
    assert!(matches!(HullTree::new(&deep), Err(HullTreeError::TooDeep { .. })));
}
