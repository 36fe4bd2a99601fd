//! Clearances along paths are bounds of what dense samples find; free configurations that are handed out are free.

use clearance_robot::{MeshUse, PathOptions, Robot, RobotOptions, Verdict};
use clearance_testkit::{HitRate, Rng};

use super::edges::between;
use super::oracle::Oracle;
use super::robots::{panda, random, random_surroundings, random_urdf, workcell};

#[test]
fn least_clearances_are_those_of_samples() {
    let mut rng = Rng::new(61);
    let mut apart = HitRate::new("apart");
    for _ in 0..40 {
        let robot = Robot::parse(&random_urdf(&mut rng), "", &RobotOptions::default()).unwrap();
        let around = random_surroundings(&mut rng, 2);
        let cell = workcell(&robot, &around);
        let oracle = Oracle::new(&robot, &around, 0.0, MeshUse::Hull);
        let mut path = vec![random(&robot, &mut rng)];
        for _ in 0..2 {
            let next = random(&robot, &mut rng);
            let near = between(&robot, &path[path.len() - 1], &next, rng.uniform(0.05, 0.3));
            path.push(near);
        }
        let accuracy = 1e-3;
        let options = PathOptions { accuracy, ..PathOptions::default() };
        let least = cell.clearance_along(&path.concat(), &options).unwrap();
        let mut sampled = f64::INFINITY;
        for edge in 0..2 {
            for sample in 0..=60 {
                let q = between(&robot, &path[edge], &path[edge + 1], f64::from(sample) / 60.0);
                sampled = sampled.min(oracle.distances(&q)[0].distance);
            }
        }
        apart.record(sampled > 0.0);
        assert!(least.lower <= sampled + 1e-9, "{least:?} {sampled}");
        // Depths of curved bodies are known to a thousandth of them.
        assert!(least.upper - least.lower <= accuracy + 2e-3 * sampled.abs(), "{least:?}");
        assert!(least.lower <= least.clearance && least.clearance <= least.upper + 1e-9, "{least:?}");
        let edge = (least.time as usize).min(1);
        let q = between(&robot, &path[edge], &path[edge + 1], least.time - edge as f64);
        let there = oracle.distances(&q)[0];
        assert!((there.distance - least.clearance).abs() < 1e-6 + 2e-3 * there.distance.abs(), "{least:?} {there:?}");
    }
    apart.assert_between(0.1, 0.9);
}

#[test]
fn samples_are_free_and_the_same_for_any_number_of_threads() {
    let Some(robot) = panda(MeshUse::Hull) else { return };
    let mut rng = Rng::new(62);
    let around = random_surroundings(&mut rng, 5);
    let cell = workcell(&robot, &around);
    let q = cell.sample_free(200, 7, 100_000, 1).unwrap();
    assert_eq!(q.len(), 200 * robot.dof());
    assert_eq!(cell.sample_free(200, 7, 100_000, 3).unwrap(), q);
    assert!(q.chunks(robot.dof()).all(|q| robot.is_within_limits(q)));
    let found = cell.check_configs(&q, &Default::default()).unwrap();
    assert!(found.answers.iter().all(|answer| answer.verdict == Verdict::Free));
    assert!(cell.sample_free(1_000_000, 7, 1000, 1).unwrap().len() < 1_000 * robot.dof());
}

#[test]
fn near_colliding_configurations_there_are_free_ones() {
    let Some(robot) = panda(MeshUse::Hull) else { return };
    let mut rng = Rng::new(63);
    let around = random_surroundings(&mut rng, 4);
    let cell = workcell(&robot, &around);
    let mut found = HitRate::new("found");
    for _ in 0..60 {
        let q = random(&robot, &mut rng);
        let near = cell.nearest_free(&q, 1).unwrap();
        let was_free = cell.check_configs(&q, &Default::default()).unwrap().answers[0].verdict == Verdict::Free;
        found.record(near.is_some());
        if let Some(near) = near {
            let answer = cell.check_configs(&near, &Default::default()).unwrap().answers[0];
            assert!(answer.verdict == Verdict::Free && robot.is_within_limits(&near));
            assert!(!was_free || near.iter().zip(&q).all(|(a, b)| (a - b).abs() < 1e-6));
        }
    }
    found.assert_between(0.9, 1.0);
    assert!(cell.nearest_free(&[0.0], 1).is_err());
}
