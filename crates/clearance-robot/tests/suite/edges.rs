//! Edges: what is said to be free is free at thousands of configurations, and hits are hits.

use clearance_robot::{EdgeAnswer, EdgeOptions, EdgeVerdict, JointKind, MeshUse, Robot, RobotOptions};
use clearance_testkit::{HitRate, Rng};

use super::oracle::Oracle;
use super::robots::{random, random_surroundings, random_urdf, workcell};

/// The configuration at a share of an edge.
pub fn between(robot: &Robot, q0: &[f64], q1: &[f64], share: f64) -> Vec<f64> {
    let mut q: Vec<f64> = q0.iter().zip(q1).map(|(a, b)| a + share * (b - a)).collect();
    for joint in robot.joints().iter().filter(|joint| joint.kind == JointKind::Floating) {
        let at = joint.first_value + 3;
        let quaternion = |q: &[f64]| clearance::Quat::from_xyzw(q[at], q[at + 1], q[at + 2], q[at + 3]);
        let turn = quaternion(q0).slerp(quaternion(q1), share).normalize();
        q[at..at + 4].copy_from_slice(&turn.to_array());
    }
    q
}

/// Checks an answer against brute force at evenly spaced and random configurations.
pub fn confirm(
    robot: &Robot,
    oracle: &Oracle,
    q0: &[f64],
    q1: &[f64],
    answer: &EdgeAnswer,
    samples: usize,
    rng: &mut Rng,
) {
    let collides = |share: f64| oracle.collides(&between(robot, q0, q1, share));
    for sample in 0..=samples {
        let share = if sample % 2 == 0 { sample as f64 / samples as f64 } else { rng.uniform(0.0, 1.0) };
        let is_free = share < answer.free_from_start || share > 1.0 - answer.free_from_end;
        assert!(!is_free || !collides(share), "{share} {answer:?}");
    }
    if let Some(hits) = answer.hits {
        assert!(hits.iter().all(|hit| collides(*hit)), "{answer:?}");
        assert!(answer.free_from_start <= hits[0] && answer.free_from_end <= 1.0 - hits[1], "{answer:?}");
    }
    match answer.verdict {
        EdgeVerdict::Free => {
            assert!(answer.free_from_start == 1.0 && answer.free_from_end == 1.0 && answer.hits.is_none())
        }
        EdgeVerdict::Colliding => assert!(answer.hits.is_some() && answer.pair.is_some()),
        EdgeVerdict::Undecided => assert!(answer.hits.is_none() && answer.pair.is_some()),
        EdgeVerdict::Invalid => panic!("{answer:?}"),
    }
}

#[test]
fn free_is_free_and_hits_are_hits() {
    let mut rng = Rng::new(11);
    let (mut free, mut decided) = (HitRate::new("free"), HitRate::new("decided"));
    for _ in 0..60 {
        let padding = rng.pick(&[0.0, 0.005]);
        let options = RobotOptions { padding, ..RobotOptions::default() };
        let robot = Robot::parse(&random_urdf(&mut rng), "", &options).unwrap();
        let around = random_surroundings(&mut rng, 4);
        let cell = workcell(&robot, &around);
        let oracle = Oracle::new(&robot, &around, padding, MeshUse::Hull);
        for _ in 0..10 {
            let (q0, mut q1) = (random(&robot, &mut rng), random(&robot, &mut rng));
            if rng.chance(0.7) {
                q1 = between(&robot, &q0, &q1, rng.uniform(0.02, 0.3));
            }
            let answer = cell.check_edges(&q0, &q1, &EdgeOptions::default()).unwrap()[0];
            free.record(answer.verdict == EdgeVerdict::Free);
            decided.record(answer.verdict != EdgeVerdict::Undecided);
            confirm(&robot, &oracle, &q0, &q1, &answer, 200, &mut rng);
            if let Some(hits) = answer.hits {
                let resolution = EdgeOptions::default().resolution;
                let left = [hits[0] - answer.free_from_start, 1.0 - hits[1] - answer.free_from_end];
                assert!(
                    left.iter().all(|left| *left <= resolution),
                    "{answer:?} {}",
                    cell.name(answer.pair.unwrap()[1])
                );
            }
            let fast =
                cell.check_edges(&q0, &q1, &EdgeOptions { fractions: false, ..EdgeOptions::default() }).unwrap()[0];
            assert_eq!(fast.verdict, answer.verdict);
            confirm(&robot, &oracle, &q0, &q1, &fast, 50, &mut rng);
        }
    }
    free.assert_between(0.1, 0.7);
    decided.assert_between(0.99, 1.0);
}

#[test]
fn grazing_edges_are_never_said_to_be_free() {
    // A ball on a slider passes a ball by exactly what their radii leave, or by a little more or less.
    let text = "<robot name='r'><link name='a'/><link name='b'><collision><geometry><sphere radius='0.5'/></geometry></collision></link>
        <joint name='x' type='prismatic'><parent link='a'/><child link='b'/><axis xyz='1 0 0'/><limit lower='-9' upper='9'/></joint></robot>";
    let robot = Robot::parse(text, "", &RobotOptions::default()).unwrap();
    let ball = clearance::Shape::sphere(0.5).unwrap();
    let mut found = [0; 3];
    for (index, by) in [-1e-3, -1e-9, -1e-15, 0.0, 1e-15, 1e-9, 1e-3].into_iter().enumerate() {
        let at = clearance::Pose::from_translation([0.1, 1.0 + by, 0.0]).unwrap();
        let cell = workcell(&robot, &[(ball.clone().into(), at)]);
        let answer = cell.check_edges(&[-2.0], &[2.0], &EdgeOptions::default()).unwrap()[0];
        match answer.verdict {
            EdgeVerdict::Free => assert!(by > 0.0, "{by} {answer:?}"),
            EdgeVerdict::Colliding => assert!(by < 0.0, "{by} {answer:?}"),
            _ => assert!(by.abs() < 1e-8, "{by} {answer:?}"),
        }
        found[usize::from(index > 2) + usize::from(index > 3)] += u32::from(answer.verdict != EdgeVerdict::Undecided);
        assert!(answer.free_from_start > 0.4 && answer.free_from_end > 0.4, "{by} {answer:?}");
    }
    assert!(found[0] >= 1 && found[1] == 0 && found[2] >= 1, "{found:?}");
}

#[test]
fn edges_of_no_length_and_of_many_turns() {
    let mut rng = Rng::new(12);
    let robot = super::robots::random_robot(&mut rng);
    let around = random_surroundings(&mut rng, 3);
    let cell = workcell(&robot, &around);
    let q = random(&robot, &mut rng);
    let options = EdgeOptions::default();
    let still = cell.check_edges(&q, &q, &options).unwrap()[0];
    let plain = cell.check_configs(&q, &Default::default()).unwrap().answers[0];
    assert_eq!(still.verdict == EdgeVerdict::Free, plain.verdict == clearance_robot::Verdict::Free);
    let mut far = q.clone();
    far[robot.dof() - 1] += 1000.0;
    let turned = cell.check_edges(&q, &far, &options).unwrap()[0];
    assert!(turned.steps <= options.max_steps);
    let mut wrong = q.clone();
    wrong[0] = f64::INFINITY;
    assert_eq!(cell.check_edges(&q, &wrong, &options).unwrap()[0].verdict, EdgeVerdict::Invalid);
    assert!(cell.check_edges(&q, &q[1..], &options).is_err());
    assert!(cell.check_edges(&q, &q, &EdgeOptions { resolution: 0.0, ..options }).is_err());
}

#[test]
fn arms_that_graze_are_never_said_to_be_free() {
    // A ball on an arm of length one passes a ball on the same circle, or just inside or outside of it.
    let text = "<robot name='r'><link name='a'/><link name='b'><collision><origin xyz='1 0 0'/><geometry><sphere radius='0.1'/></geometry></collision></link>
        <joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint></robot>";
    let robot = Robot::parse(text, "", &RobotOptions::default()).unwrap();
    let ball = clearance::Shape::sphere(0.1).unwrap();
    let (mut free, mut hit) = (0, 0);
    for inside in [-1.0, 1.0] {
        for by in [-1e-2, -1e-5, -1e-8, -1e-11, 0.0, 1e-11, 1e-8, 1e-5, 1e-2] {
            // The least distance of the balls is that of the circle from the centre, less the radii: `by`.
            let radius = 1.0 + inside * (0.2 + by);
            let at = clearance::Pose::from_translation([0.6 * radius, 0.8 * radius, 0.0]).unwrap();
            let cell = workcell(&robot, &[(ball.clone().into(), at)]);
            let answer = cell.check_edges(&[-1.0], &[2.5], &EdgeOptions::default()).unwrap()[0];
            match answer.verdict {
                EdgeVerdict::Free => assert!(by > 0.0, "{by} {answer:?}"),
                EdgeVerdict::Colliding => assert!(by < 0.0, "{by} {answer:?}"),
                _ => assert!(by.abs() < 1e-7, "{by} {answer:?}"),
            }
            free += u32::from(answer.verdict == EdgeVerdict::Free);
            hit += u32::from(answer.verdict == EdgeVerdict::Colliding);
            let path = cell.clearance_along(&[-1.0, 2.5], &clearance_robot::PathOptions::default()).unwrap();
            assert!(path.lower <= by + 1e-12 && path.upper >= by - 1e-12, "{by} {path:?}");
            assert!(path.upper - path.lower <= 1.1e-4, "{by} {path:?}");
        }
    }
    assert!(free >= 6 && hit >= 4, "{free} {hit}");
}
