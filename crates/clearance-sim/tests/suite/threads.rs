//! The same bits for any number of threads.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::Real;
use clearance_sim::SimulationOptions;
use clearance_sim::scenes::bowl;

fn poses(threads: usize) -> Vec<Real> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut simulation = bowl(300, 7, SimulationOptions::default()).unwrap();
        for _ in 0..110 {
            simulation.step().unwrap();
        }
        let numbers = |body| {
            let (pose, velocity) = (simulation.pose(body).unwrap(), simulation.velocity(body).unwrap());
            let (at, turn) = (pose.translation().to_array(), pose.rotation().to_array());
            at.into_iter().chain(turn).chain(velocity.linear.to_array()).chain(velocity.angular.to_array())
        };
        simulation.bodies().flat_map(numbers).collect()
    })
}

#[test]
fn the_bowl_is_the_same_bits_with_one_two_and_four_threads() {
    let one = poses(1);
    assert!(one.iter().all(|x| x.is_finite()));
    for threads in [2, 4] {
        let other = poses(threads);
        assert!(one.iter().zip(&other).all(|(a, b)| a.to_bits() == b.to_bits()), "{threads} threads");
    }
}
