//! Answers are the same bits for any number of threads and any division of a batch.

use clearance_robot::{ConfigOptions, Distance, EdgeOptions};
use clearance_testkit::Rng;

use super::robots::{random, random_robot, random_surroundings, workcell};

#[test]
fn threads_and_batches_change_nothing() {
    let mut rng = Rng::new(21);
    let robot = random_robot(&mut rng);
    let cell = workcell(&robot, &random_surroundings(&mut rng, 4));
    let dof = robot.dof();
    let q: Vec<f64> = (0..400).flat_map(|_| random(&robot, &mut rng)).collect();
    let (q0, q1) = q.split_at(200 * dof);
    let options = |threads| ConfigOptions { distance: Distance::Signed, gradient: true, threads, ..Default::default() };
    let one = cell.check_configs(&q, &options(1)).unwrap();
    let edges = cell.check_edges(q0, q1, &EdgeOptions::default()).unwrap();
    for threads in [2, 7] {
        assert_eq!(cell.check_configs(&q, &options(threads)).unwrap(), one);
        assert_eq!(cell.check_edges(q0, q1, &EdgeOptions { threads, ..Default::default() }).unwrap(), edges);
    }
    for row in [0, 57, 199] {
        let at = row * dof..(row + 1) * dof;
        assert_eq!(cell.check_configs(&q[at.clone()], &options(1)).unwrap().answers[0], one.answers[row]);
        let edge = cell.check_edges(&q0[at.clone()], &q1[at], &EdgeOptions::default()).unwrap();
        assert_eq!(edge[0], edges[row]);
    }
}
