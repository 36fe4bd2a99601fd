//! A walker that wanders at random is never in a solid, never stuck while there is free space ahead, and takes the same way again.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::brush::Map;
use clearance::world::{NewBody, World, WorldOptions};
use clearance::{Pose, Real, Shape, Vec3};
use clearance_sim::walk::experiment::{Report, Trial, staircase, world_of_map};
use clearance_testkit::{Building, BuildingPlan};

use super::walk_scene::RATES;

/// Plays it with checks, then without, in a world made anew.
fn checked(trial: &Trial, make: impl Fn() -> World) -> Report {
    let report = trial.run(&make(), true).unwrap();
    assert_eq!((report.in_solid, report.stuck, report.crushed), (0, 0, 0), "{} Hz: {report:?}", trial.rate);
    assert!(report.nearest > 0.9, "{} Hz: the offset is not held: {report:?}", trial.rate);
    assert!(report.grounded > trial.frames / 3 && report.crouched > 0, "{report:?}");
    let again = trial.run(&make(), false).unwrap();
    assert_eq!((again.path, again.end), (report.path, report.end), "{} Hz: the same way again", trial.rate);
    report
}

fn building() -> (World, Vec<Vec3>) {
    let plan = BuildingPlan { seed: 5, rooms: [3, 2], storeys: 3 };
    world_of_map(&Map::parse(&Building::new(&plan).map_text()).unwrap()).unwrap()
}

#[test]
fn a_box_in_a_building() {
    for rate in RATES {
        let trial = Trial { frames: 20_000, seed: 2, ..Trial::player(rate as Real, building().1).unwrap() };
        let report = checked(&trial, || building().0);
        assert!(report.jumps > 10 && report.travelled > 100.0 * 20_000.0 / rate as Real, "{report:?}");
    }
}

#[test]
fn a_capsule_in_a_building() {
    for rate in RATES {
        let player = Trial::player(rate as Real, building().1).unwrap();
        let person = Trial::person(rate as Real, Vec::new()).unwrap();
        let (body, low) = (Shape::capsule(12.0, 16.0).unwrap(), Shape::capsule(2.0, 16.0).unwrap());
        let trial = Trial { frames: 20_000, seed: 3, body, low: Some(low), rotation: person.rotation, ..player };
        checked(&trial, || building().0);
    }
}

#[test]
fn a_capsule_on_a_staircase() {
    for rate in RATES {
        let trial = Trial { frames: 5_000, seed: 4, ..Trial::person(rate as Real, staircase(60).unwrap().1).unwrap() };
        checked(&trial, || staircase(60).unwrap().0);
    }
}

#[test]
fn a_world_that_is_one_mesh() {
    let plan = BuildingPlan { seed: 6, rooms: [1, 1], storeys: 2 };
    let building = Building::new(&plan);
    let map = Map::parse(&building.map_text()).unwrap();
    let world = || {
        let mut world = World::new(WorldOptions::default());
        world.add(NewBody::fixed(map.world().unwrap().mesh, Pose::IDENTITY)).unwrap();
        world
    };
    let starts = world_of_map(&map).unwrap().1;
    for (rate, frames) in [(30, 400), (300, 800)] {
        let trial = Trial { frames, seed: 7, ..Trial::player(rate as Real, starts.clone()).unwrap() };
        let report = trial.run(&world(), true).unwrap();
        assert_eq!((report.in_solid, report.stuck), (0, 0), "{rate} Hz: {report:?}");
        assert!(report.nearest > 0.95, "{rate} Hz: {report:?}");
    }
}
