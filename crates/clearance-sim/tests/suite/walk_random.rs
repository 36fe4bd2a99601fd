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

#[test]
fn among_doors_and_lifts_it_is_in_nothing_unless_it_says_so() {
    let [crushed, ridden] = (0..10).map(among_movers).fold([0; 2], |sum, each| [sum[0] + each[0], sum[1] + each[1]]);
    assert!(ridden > 2000 && crushed > 20 && crushed < 10 * 60 * 174 / 10, "{crushed} {ridden}");
}

/// Walks at random among bodies that move; gives the frames in which it was crushed, and those on something that moves.
fn among_movers(seed: u64) -> [u32; 2] {
    let mut world = World::new(WorldOptions::default());
    let shape = |half: [Real; 3]| Shape::cuboid(half).unwrap();
    let at = |p: Vec3| Pose::from_translation(p).unwrap();
    world.add(NewBody::fixed(shape([8.0, 8.0, 0.5]), at(Vec3::new(0.0, 0.0, -0.5)))).unwrap();
    for side in [-1.0, 1.0] {
        world.add(NewBody::fixed(shape([0.5, 9.0, 4.0]), at(Vec3::new(8.5 * side, 0.0, 3.5)))).unwrap();
        world.add(NewBody::fixed(shape([9.0, 0.5, 4.0]), at(Vec3::new(0.0, 8.5 * side, 3.5)))).unwrap();
    }
    let fixed: Vec<_> = world.ids().collect();
    let mut rng = clearance_testkit::Rng::new(seed);
    // Boxes that go to and fro between two places and turn, each with its own time.
    let movers: Vec<_> = (0..12)
        .map(|i| {
            let height = if i % 3 == 0 { 0.2 } else { 0.95 };
            let from = Vec3::new(rng.uniform(-6.0, 6.0) as Real, rng.uniform(-6.0, 6.0) as Real, height);
            let way =
                if i % 3 == 0 { Vec3::Z * 1.2 } else { Vec3::new(rng.sign() as Real * 3.0, rng.sign() as Real, 0.0) };
            let half = if i % 3 == 0 { [2.0, 2.0, 0.15] } else { [0.8, 0.15, 0.9] };
            let id = world.add(NewBody::new(shape(half), at(from))).unwrap();
            (id, from, way, rng.uniform(0.3, 1.2) as Real)
        })
        .collect();
    let place = |&(_, from, way, rate): &(_, Vec3, Vec3, Real), time: Real| {
        let turn = Pose::from_axis_angle(Vec3::Z, 0.7 * rate * time).unwrap();
        turn.with_translation(from + way * (0.5 + 0.5 * (rate * time).sin())).unwrap()
    };
    let (mut crushed, mut ridden, mut found) = (0, 0, Vec::new());
    for rate in [30, 144] {
        let (_, body, rotation) = &super::walk_scene::bodies()[usize::from(rate == 30)];
        let pose = Pose::new([0.0, 0.0, 6.0], *rotation).unwrap();
        let mut walker = clearance_sim::walk::Walker::new(body.clone(), pose, Default::default()).unwrap();
        let (dt, mut fall, mut wish) = (1.0 / rate as Real, 0.0, Vec3::ZERO);
        for frame in 0..60 * rate {
            for mover in &movers {
                world.set_pose(mover.0, place(mover, frame as Real * dt)).unwrap();
            }
            world.step();
            if frame % (rate / 2) == 0 {
                let (x, y) = (rng.uniform(-4.0, 4.0) as Real, rng.uniform(-4.0, 4.0) as Real);
                wish = Vec3::new(x, y, 0.0);
            }
            let walked = walker.step(&world, wish + Vec3::Z * fall, dt).unwrap();
            let jump = if rng.chance(0.01) { 4.0 } else { 0.0 };
            fall = if walked.ground.is_some() { jump } else { walked.velocity.z - 9.81 * dt };
            world.overlapping(walker.shape(), walker.pose(), &clearance::world::Filter::default(), &mut found);
            assert!(found.is_empty() || walked.crushed, "{rate} Hz, frame {frame}: in {found:?}");
            assert!(found.iter().all(|id| !fixed.contains(id)), "{rate} Hz, frame {frame}: in a wall");
            crushed += u32::from(walked.crushed);
            ridden += u32::from(walked.ground.is_some_and(|ground| !fixed.contains(&ground.body)));
        }
    }
    [crushed, ridden]
}
