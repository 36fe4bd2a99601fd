//! Each scene keeps its promise.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::{Real, Vec3};
use clearance_sim::scenes::{BOWL_DEPTH, LINKS, bowl, brick_wall, card_house, dominoes, figure_on_stairs};
use clearance_sim::{Simulation, SimulationOptions, SoftStep, Solver};

fn at(hertz: Real) -> SimulationOptions {
    let step = 1.0 / hertz;
    SimulationOptions { step, solver: Solver::SoftStep(SoftStep::for_step(step)), ..SimulationOptions::default() }
}

fn run(simulation: &mut Simulation, seconds: Real) {
    let steps = (seconds / simulation.options().step) as usize;
    for _ in 0..steps {
        let report = simulation.step().unwrap();
        assert!(report.outside.is_empty());
    }
}

fn places(simulation: &Simulation) -> Vec<Vec3> {
    simulation.bodies().map(|body| simulation.pose(body).unwrap().translation()).collect()
}

#[test]
fn no_brick_is_lost_at_any_frequency() {
    for hertz in [30.0, 60.0, 120.0, 240.0] {
        let mut simulation = brick_wall(6, 6, at(hertz)).unwrap();
        run(&mut simulation, 3.0);
        let places = places(&simulation);
        assert!(places[1..].iter().all(|at| at.z > 0.05 && at.truncate().length() < 90.0), "{hertz} Hz");
        // The ball has come through the wall or bounced off it, and the wall has a hole.
        let moved = places[2..].iter().filter(|at| at.y.abs() > 0.2).count();
        assert!(moved >= 2, "{hertz} Hz: {moved} bricks moved");
    }
}

#[test]
fn the_figure_stays_together_and_above_the_stairs() {
    for hertz in [30.0, 60.0, 240.0] {
        let mut simulation = figure_on_stairs(8, at(hertz)).unwrap();
        let steps = (4.0 * hertz) as usize;
        let first = places(&simulation);
        for _ in 0..steps {
            simulation.step().unwrap();
            for joint in simulation.joints() {
                // A thousandth of the shortest link.
                assert!(simulation.joint_error(joint).unwrap() < 1e-3 * 0.3);
            }
        }
        let last = places(&simulation);
        for (at, first) in last.iter().zip(&first).rev().take(LINKS) {
            let stair = 0.2 * (8.0 - (at.x / 0.3).floor()).clamp(0.0, 8.0);
            assert!(at.z > stair.min(1.6) - 0.05, "{hertz} Hz: {at:?} in the stairs at {stair}");
            assert!(at.z < first.z, "{hertz} Hz: has not fallen");
        }
    }
}

#[test]
fn all_bodies_stay_in_the_bowl() {
    for hertz in [30.0, 60.0, 240.0] {
        let mut simulation = bowl(30, 3, at(hertz)).unwrap();
        run(&mut simulation, 3.0);
        for at in &places(&simulation)[2..] {
            let surface = 0.4 + BOWL_DEPTH * at.truncate().length_squared() / 49.0;
            assert!(at.z > surface - 0.1 && at.z < BOWL_DEPTH, "{hertz} Hz: {at:?}, surface at {surface}");
        }
    }
}

#[test]
fn the_card_house_stands() {
    for hertz in [60.0, 240.0] {
        let mut simulation = card_house(3, SimulationOptions { sleeping: false, ..at(hertz) }).unwrap();
        let first = places(&simulation);
        run(&mut simulation, 5.0);
        for (now, then) in places(&simulation).iter().zip(first) {
            assert!(now.distance(then) < 0.05, "{hertz} Hz: {now:?} {then:?}");
        }
    }
}

#[test]
fn all_dominoes_fall() {
    for hertz in [60.0, 240.0] {
        let mut simulation = dominoes(10, at(hertz)).unwrap();
        run(&mut simulation, 6.0);
        for body in simulation.bodies().skip(1) {
            let up = simulation.pose(body).unwrap().direction(Vec3::Z);
            assert!(up.x > 0.7, "{hertz} Hz: {body:?} stands: {up:?}");
        }
    }
}
