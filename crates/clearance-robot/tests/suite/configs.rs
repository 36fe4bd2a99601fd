//! Checks of configurations are those of brute force.

use clearance_robot::{ConfigOptions, Distance, MeshUse, Verdict};
use clearance_testkit::{HitRate, Rng};

use super::oracle::Oracle;
use super::robots::{random, random_surroundings, random_urdf, workcell};

#[test]
fn random_robots_are_as_brute_force_says() {
    let mut rng = Rng::new(1);
    let mut free = HitRate::new("free");
    for _ in 0..40 {
        let padding = rng.pick(&[0.0, 0.01]);
        let options = clearance_robot::RobotOptions { padding, ..Default::default() };
        let robot = clearance_robot::Robot::parse(&random_urdf(&mut rng), "", &options).unwrap();
        let around = random_surroundings(&mut rng, 5);
        let cell = workcell(&robot, &around);
        let oracle = Oracle::new(&robot, &around, padding, MeshUse::Hull);
        for _ in 0..50 {
            let q = random(&robot, &mut rng);
            let plain = cell.check_configs(&q, &ConfigOptions::default()).unwrap().answers[0];
            let signed = ConfigOptions { distance: Distance::Signed, ..Default::default() };
            let measured = cell.check_configs(&q, &signed).unwrap().answers[0];
            let when_free = ConfigOptions { distance: Distance::WhenFree, ..Default::default() };
            let positive = cell.check_configs(&q, &when_free).unwrap().answers[0];
            let meeting = oracle.meeting(&q);
            assert_eq!(free.record(meeting.is_empty()), plain.verdict == Verdict::Free, "{meeting:?} {plain:?}");
            assert_eq!((measured.verdict, positive.verdict), (plain.verdict, plain.verdict));
            if let Some([a, b]) = plain.pair {
                assert!(meeting.contains(&[a, b]) || meeting.contains(&[b, a]), "{meeting:?} {plain:?}");
            }
            assert_eq!(positive.near.is_some(), plain.verdict == Verdict::Free);
            let least = oracle.distances(&q)[0];
            let near = measured.near.unwrap();
            assert!(near.lower <= least.upper && near.upper >= least.lower, "{near:?} {least:?}");
            assert!(near.lower <= near.distance && near.distance <= near.upper);
            assert!((near.points[1] - near.points[0] - near.normal * near.distance).length() < 1e-9);
            // Depths of curved pairs are within a thousandth.
            assert!(
                (near.distance - least.distance).abs() < 1e-7 + 2e-3 * least.distance.min(0.0).abs(),
                "{near:?} {least:?}"
            );
        }
    }
    free.assert_between(0.1, 0.7);
}

#[test]
fn gradients_are_those_of_differences() {
    let mut rng = Rng::new(2);
    let mut unique = HitRate::new("one nearest pair");
    for _ in 0..60 {
        let robot = super::robots::random_robot(&mut rng);
        let cell = workcell(&robot, &random_surroundings(&mut rng, 3));
        for _ in 0..10 {
            let q = random(&robot, &mut rng);
            let options = ConfigOptions { distance: Distance::Signed, gradient: true, ..Default::default() };
            let found = cell.check_configs(&q, &options).unwrap();
            let near = found.answers[0].near.unwrap();
            if near.distance < 0.01 {
                continue;
            }
            for value in 0..robot.dof() {
                let is_quaternion = robot.joints().iter().any(|joint| {
                    joint.kind.value_count() == 7 && (joint.first_value + 3..joint.first_value + 7).contains(&value)
                });
                let step = 1e-6;
                let at = |by: f64| {
                    let mut moved = q.clone();
                    moved[value] += by;
                    if is_quaternion {
                        let first = (value - 3) / 7 * 7 + 3;
                        let length = moved[first..first + 4].iter().map(|x| x * x).sum::<f64>().sqrt();
                        moved[first..first + 4].iter_mut().for_each(|x| *x /= length);
                    }
                    cell.check_configs(&moved, &options).unwrap()
                };
                let (before, after) = (at(-step), at(step));
                let [low, high] = [&before, &after].map(|found| found.answers[0].near.unwrap());
                // Where the nearest points jump there is no gradient.
                let jump = |near: clearance_robot::Near, i: usize| (near.points[i] - low.points[i]).length() > 1e-3;
                if !unique.record(low.pair == high.pair && !jump(high, 0) && !jump(high, 1)) {
                    continue;
                }
                let slope = (high.distance - low.distance) / (2.0 * step);
                let gradient = found.gradients[value];
                assert!((slope - gradient).abs() < 1e-3 * (1.0 + slope.abs()), "{slope} {gradient} {near:?}");
            }
        }
    }
    unique.assert_between(0.8, 1.0);
}

#[test]
fn rows_that_are_no_numbers_are_errors_of_their_own() {
    let mut rng = Rng::new(3);
    let robot = super::robots::random_robot(&mut rng);
    let cell = workcell(&robot, &[]);
    let mut q: Vec<f64> = (0..3).flat_map(|_| random(&robot, &mut rng)).collect();
    q[robot.dof()] = f64::NAN;
    for distance in [Distance::None, Distance::WhenFree, Distance::Signed] {
        let options = ConfigOptions { distance, gradient: true, ..Default::default() };
        let found = cell.check_configs(&q, &options).unwrap();
        let invalid: Vec<bool> = found.answers.iter().map(|answer| answer.verdict == Verdict::Invalid).collect();
        assert_eq!(invalid, [false, true, false]);
    }
    assert!(cell.check_configs(&q[1..], &ConfigOptions::default()).is_err());
}

#[test]
fn stopping_leaves_what_comes_after() {
    let mut rng = Rng::new(4);
    let robot = super::robots::random_robot(&mut rng);
    let cell = workcell(&robot, &random_surroundings(&mut rng, 8));
    let q: Vec<f64> = (0..500).flat_map(|_| random(&robot, &mut rng)).collect();
    let all = cell.check_configs(&q, &ConfigOptions::default()).unwrap().answers;
    let first = all.iter().position(|answer| answer.verdict == Verdict::Colliding).unwrap();
    for threads in [1, 3] {
        let options = ConfigOptions { stop_at_collision: true, threads, ..Default::default() };
        let found = cell.check_configs(&q, &options).unwrap().answers;
        assert_eq!(found[..=first], all[..=first]);
        assert!(found[first + 1..].iter().all(|answer| answer.verdict == Verdict::Unchecked));
    }
}
