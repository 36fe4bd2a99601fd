//! The Panda with its SRDF: configurations and edges as brute force says.

use clearance::{Body, Pose, Shape};
use clearance_robot::{ConfigOptions, Distance, EdgeOptions, EdgeVerdict, MeshUse, Verdict, Workcell};
use clearance_testkit::{HitRate, Rng};

use super::edges::confirm;
use super::oracle::Oracle;
use super::robots::{panda, random, workcell};

fn table_and_post() -> Vec<(Body, Pose)> {
    let at = |x, y, z| Pose::from_translation([x, y, z]).unwrap();
    vec![
        (Shape::cuboid([0.25, 0.45, 0.02]).unwrap().into(), at(0.6, 0.0, 0.2)),
        (Shape::cuboid([0.05, 0.05, 0.6]).unwrap().into(), at(-0.4, -0.4, 0.6)),
        (Shape::cylinder(0.1, 0.05).unwrap().into(), at(0.5, 0.2, 0.32)),
    ]
}

#[test]
fn configurations_are_as_brute_force_says() {
    for (meshes, count) in [(MeshUse::Hull, 2_000), (MeshUse::Exact, 25)] {
        let Some(robot) = panda(meshes) else { return };
        let around = table_and_post();
        let cell = workcell(&robot, &around);
        let oracle = Oracle::new(&robot, &around, 0.0, meshes);
        let mut rng = Rng::new(41);
        let mut free = HitRate::new("free");
        for row in 0..count {
            let q = random(&robot, &mut rng);
            let found = cell.check_configs(&q, &ConfigOptions::default()).unwrap().answers[0];
            let meeting = oracle.meeting(&q);
            assert_eq!(free.record(found.verdict == Verdict::Free), meeting.is_empty(), "{q:?} {meeting:?}");
            if let Some([a, b]) = found.pair {
                assert!(meeting.contains(&[a, b]) || meeting.contains(&[b, a]));
            }
            if row % 10 == 0 {
                let options = ConfigOptions { distance: Distance::Signed, ..Default::default() };
                let near = cell.check_configs(&q, &options).unwrap().answers[0].near.unwrap();
                let least = oracle.distances(&q)[0];
                assert!(near.lower <= least.upper && near.upper >= least.lower, "{near:?} {least:?}");
            }
        }
        free.assert_between(0.5, 0.9);
    }
}

/// Verdicts and distances of exact meshes against every pair of triangles, for so many configurations.
fn against_triangles(count: usize) {
    let Some(robot) = panda(MeshUse::Exact) else { return };
    let cell = Workcell::new(&robot);
    let oracle = Oracle::new(&robot, &[], 0.0, MeshUse::Exact);
    let mut rng = Rng::new(43);
    let mut free = HitRate::new("free");
    for row in 0..count {
        let q = random(&robot, &mut rng);
        let options = ConfigOptions { distance: Distance::WhenFree, ..Default::default() };
        let found = cell.check_configs(&q, &options).unwrap().answers[0];
        let distance = oracle.distance_by_triangles(&q);
        assert_eq!(free.record(found.verdict == Verdict::Free), distance > 0.0, "{row}: {q:?} {distance}");
        if let Some(near) = found.near.filter(|_| distance > 0.0) {
            // The oracle's own rounding, for arms of a metre.
            let rounding = 1e-13;
            assert!(
                near.lower <= distance + rounding && distance <= near.upper + rounding,
                "{row}: {near:?} {distance}"
            );
        }
    }
    free.assert_between(0.5, 0.95);
}

#[test]
fn meshes_are_as_their_triangles_say() {
    against_triangles(60);
}

#[test]
#[ignore = "a campaign of several minutes: cargo test --release -p clearance-robot -- --ignored triangles"]
fn ten_thousand_configurations_are_as_their_triangles_say() {
    against_triangles(10_000);
}

#[test]
fn edges_are_as_brute_force_says() {
    for (meshes, count, samples) in [(MeshUse::Hull, 150, 300), (MeshUse::Exact, 15, 10)] {
        let Some(robot) = panda(meshes) else { return };
        let around = table_and_post();
        let cell = workcell(&robot, &around);
        let oracle = Oracle::new(&robot, &around, 0.0, meshes);
        let mut rng = Rng::new(42);
        let (mut free, mut decided) = (HitRate::new("free"), HitRate::new("decided"));
        for _ in 0..count {
            let (q0, q1) = (random(&robot, &mut rng), random(&robot, &mut rng));
            let answer = cell.check_edges(&q0, &q1, &EdgeOptions::default()).unwrap()[0];
            free.record(answer.verdict == EdgeVerdict::Free);
            decided.record(answer.verdict != EdgeVerdict::Undecided);
            confirm(&robot, &oracle, &q0, &q1, &answer, samples, &mut rng);
        }
        free.assert_between(0.1, 0.6);
        decided.assert_between(0.999, 1.0);
    }
}

#[test]
fn convex_parts_are_between_the_meshes_and_their_hulls() {
    let all = [MeshUse::Exact, MeshUse::Parts, MeshUse::Hull].map(panda);
    let [Some(exact), Some(parts), Some(hull)] = all else { return };
    let mut rng = Rng::new(5);
    let mut hits = HitRate::new("colliding by hulls");
    let count = 25;
    let q: Vec<f64> = (0..count).flat_map(|_| random(&exact, &mut rng)).collect();
    let collides = |robot| {
        let found = Workcell::new(robot).check_configs(&q, &ConfigOptions::default()).unwrap();
        found.answers.iter().map(|answer| answer.verdict == Verdict::Colliding).collect::<Vec<_>>()
    };
    let [exact, parts, hull] = [&exact, &parts, &hull].map(collides);
    for nth in 0..count {
        assert!(parts[nth] || !exact[nth], "{nth}: the meshes collide and their parts do not");
        assert!(hull[nth] || !parts[nth], "{nth}: the parts collide and their hulls do not");
        hits.record(hull[nth]);
    }
    hits.assert_between(0.1, 0.9);
}
