//! Bodies that are taken away: their joints go with them, what they touched wakes up, and their names mean nothing any more.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::{Pose, Real, Shape, Vec3};
use clearance_sim::doom::{NewMoving, Room, RoomOptions};
use clearance_sim::scenes::{LINKS, Stack, bowl, figure_on_stairs, stacking};
use clearance_sim::{BodyHandle, Joint, RigidBody, SimError, Simulation, SimulationOptions, Solver, Thesis, Velocity};

fn at(x: Real, y: Real, z: Real) -> Pose {
    Pose::from_translation([x, y, z]).unwrap()
}

fn cube(place: Pose) -> RigidBody {
    RigidBody::dynamic(Shape::cuboid([0.5, 0.5, 0.5]).unwrap(), place)
}

fn asleep(count: usize) -> (Simulation, Vec<BodyHandle>) {
    let mut simulation = stacking(&Stack { count, round: false, seed: 3 }, SimulationOptions::default()).unwrap();
    run(&mut simulation, 300);
    let bodies: Vec<_> = simulation.bodies().collect();
    assert!(bodies[1..].iter().all(|&body| simulation.is_asleep(body).unwrap()));
    (simulation, bodies)
}

fn run(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.step().unwrap();
    }
}

fn height(simulation: &Simulation, body: BodyHandle) -> Real {
    simulation.pose(body).unwrap().translation().z
}

#[test]
fn what_slept_on_a_body_wakes_and_comes_down() {
    let (mut simulation, bodies) = asleep(4);
    simulation.remove(bodies[2]).unwrap();
    assert!(simulation.contacts().all(|contact| !contact.bodies.contains(&bodies[2])));
    let report = simulation.step().unwrap();
    assert_eq!((report.awake, simulation.bodies().count()), (3, 4));
    run(&mut simulation, 300);
    // Boxes of height 2, of which one is gone.
    assert!((height(&simulation, bodies[4]) - 5.0).abs() < 0.05, "{}", height(&simulation, bodies[4]));
    assert!(simulation.is_asleep(bodies[4]).unwrap());
    simulation.remove(bodies[0]).unwrap();
    assert_eq!(simulation.step().unwrap().awake, 3);
    run(&mut simulation, 60);
    assert!(height(&simulation, bodies[1]) < -3.0, "without a floor all fall");
}

#[test]
fn joints_go_with_their_body() {
    let mut simulation = figure_on_stairs(4, SimulationOptions::default()).unwrap();
    run(&mut simulation, 20);
    let (bodies, joints): (Vec<_>, Vec<_>) = (simulation.bodies().collect(), simulation.joints().collect());
    let [pelvis, last] = [bodies[bodies.len() - LINKS], bodies[bodies.len() - 1]];
    // Of the abdomen and both thighs.
    simulation.remove(pelvis).unwrap();
    let left: Vec<_> = simulation.joints().collect();
    assert_eq!((joints.len(), left.len()), (11, 8));
    for joint in joints {
        let error = simulation.joint_error(joint);
        assert_eq!(left.contains(&joint), error.is_ok(), "{error:?}");
        assert!(error.is_ok() || error == Err(SimError::UnknownJoint { joint: joint.index() }));
    }
    for _ in 0..120 {
        simulation.step().unwrap();
        assert!(left.iter().all(|&joint| simulation.joint_error(joint).unwrap() < 3e-4));
    }
    let refused = simulation.add_joint(Joint::ball([pelvis, last], Vec3::ZERO));
    assert_eq!(refused, Err(SimError::UnknownBody { body: pelvis.index() }));
    // A number of a joint is not given again.
    let post = simulation.add(RigidBody::fixed(Shape::sphere(0.1).unwrap(), at(0.0, 0.0, 9.0))).unwrap();
    let anchor = simulation.pose(last).unwrap().translation();
    let next = simulation.add_joint(Joint::ball([post, last], anchor)).unwrap();
    assert_eq!(next.index(), 11);
    assert!(simulation.joint_error(next).unwrap() < 1e-3 && simulation.joint_error(left[7]).is_ok());
}

#[test]
fn a_name_of_a_removed_body_is_an_error_for_ever() {
    let mut simulation = Simulation::new(SimulationOptions::default()).unwrap();
    let [first, second] = [0.0, 3.0].map(|x| simulation.add(cube(at(x, 0.0, 0.0))).unwrap());
    simulation.remove(first).unwrap();
    for _ in 0..3 {
        let stale = SimError::UnknownBody { body: 0 };
        assert_eq!(simulation.pose(first), Err(stale.clone()));
        assert_eq!(simulation.velocity(first), Err(stale.clone()));
        assert_eq!(simulation.set_velocity(first, Velocity::default()), Err(stale.clone()));
        assert_eq!(simulation.push(first, Vec3::X, Vec3::ZERO), Err(stale.clone()));
        assert_eq!(simulation.set_pose(first, Pose::IDENTITY), Err(stale.clone()));
        assert_eq!(simulation.is_asleep(first), Err(stale.clone()));
        assert_eq!(simulation.body(first).err(), Some(stale.clone()));
        assert_eq!(simulation.kind(first), Err(stale.clone()));
        assert_eq!(simulation.remove(first), Err(stale.clone()));
        assert_eq!(simulation.add_joint(Joint::ball([first, second], Vec3::ZERO)), Err(stale));
        // The next one has the number, and errors say so before it is there.
        let refused = simulation.add(cube(Pose::IDENTITY).with_mass(0.0));
        assert!(matches!(refused, Err(SimError::Mass { body: 0, .. })), "{refused:?}");
        let next = simulation.add(cube(Pose::IDENTITY)).unwrap();
        assert!(next != first && next.index() == 0 && simulation.bodies().eq([next, second]));
        simulation.step().unwrap();
        assert!(simulation.velocity(next).unwrap().linear.z < 0.0);
        simulation.remove(next).unwrap();
    }
    simulation.remove(second).unwrap();
    assert_eq!((simulation.bodies().count(), simulation.step().unwrap().awake), (0, 0));
    assert_eq!((simulation.energy().total(), simulation.fastest()), (0.0, 0.0));
}

/// A body in the place of one that slept, and had impulses there, begins with neither; a fixed one is not woken as the other was.
#[test]
fn a_number_that_is_used_again_inherits_nothing() {
    let (mut simulation, bodies) = asleep(3);
    let place = simulation.pose(bodies[3]).unwrap();
    simulation.remove(bodies[3]).unwrap();
    let slab = Shape::cuboid([2.0, 2.0, 1.0]).unwrap();
    let fixed = simulation.add(RigidBody::fixed(slab, place)).unwrap();
    assert_eq!(fixed.index(), bodies[3].index());
    run(&mut simulation, 300);
    assert_eq!(simulation.pose(fixed).unwrap(), place);
    assert!(bodies[1..3].iter().all(|&body| simulation.is_asleep(body).unwrap()));
    // Nor is it held by what the old one was joined to.
    let ball = RigidBody::dynamic(Shape::sphere(0.2).unwrap(), at(9.0, 0.0, 5.0));
    let hung = simulation.add(ball.clone()).unwrap();
    simulation.add_joint(Joint::ball([fixed, hung], Vec3::new(9.0, 0.0, 6.0))).unwrap();
    simulation.remove(hung).unwrap();
    let free = simulation.add(ball).unwrap();
    run(&mut simulation, 60);
    assert!(height(&simulation, free) < 1.0 && simulation.joints().count() == 0);
}

/// What came and went leaves no trace in what the others do.
#[test]
fn a_body_that_was_never_met_leaves_no_trace() {
    let places = |with: bool| {
        let mut simulation = stacking(&Stack { count: 6, round: true, seed: 5 }, SimulationOptions::default()).unwrap();
        for _ in 0..20 {
            let passer = with.then(|| simulation.add(cube(at(50.0, 0.0, 5.0))).unwrap());
            run(&mut simulation, 3);
            passer.into_iter().for_each(|passer| simulation.remove(passer).unwrap());
            run(&mut simulation, 2);
        }
        simulation.bodies().map(|body| simulation.pose(body).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(places(true), places(false));
}

/// A bowl from which bodies are taken and into which others fall.
fn churned(threads: usize) -> Vec<Real> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut simulation = bowl(150, 7, SimulationOptions::default()).unwrap();
        for round in 0..12 {
            run(&mut simulation, 12);
            let bodies: Vec<_> = simulation.bodies().skip(2).collect();
            for body in bodies.iter().skip(round).step_by(17) {
                simulation.remove(*body).unwrap();
            }
            for nth in 0..5 {
                let place = at(nth as Real - 2.0, 0.0, 6.0 + 0.1 * round as Real);
                simulation.add(cube(place).with_density(500.0 + nth as Real)).unwrap();
            }
        }
        let numbers = |body| {
            let (pose, velocity) = (simulation.pose(body).unwrap(), simulation.velocity(body).unwrap());
            let (place, turn) = (pose.translation().to_array(), pose.rotation().to_array());
            place.into_iter().chain(turn).chain(velocity.linear.to_array()).chain(velocity.angular.to_array())
        };
        simulation.bodies().flat_map(numbers).collect()
    })
}

#[test]
fn removals_are_the_same_bits_for_any_number_of_threads() {
    let one = churned(1);
    assert!(one.len() > 100 * 13 && one.iter().all(|x| x.is_finite()));
    for threads in [2, 4] {
        let other = churned(threads);
        assert!(one.len() == other.len(), "{threads} threads");
        assert!(one.iter().zip(&other).all(|(a, b)| a.to_bits() == b.to_bits()), "{threads} threads");
    }
}

#[test]
fn the_solver_of_the_thesis_goes_on_without_a_body() {
    let solver = Solver::Thesis(Thesis { iterations: 20, ..Thesis::default() });
    let options = SimulationOptions { step: 1.0 / 200.0, solver, ..SimulationOptions::default() };
    let mut simulation = stacking(&Stack { count: 4, round: false, seed: 2 }, options).unwrap();
    let bodies: Vec<_> = simulation.bodies().collect();
    run(&mut simulation, 200);
    simulation.remove(bodies[1]).unwrap();
    let ball = simulation.add(RigidBody::dynamic(Shape::sphere(0.5).unwrap(), at(9.0, 0.0, 3.0))).unwrap();
    run(&mut simulation, 400);
    assert!((height(&simulation, bodies[4]) - 5.0).abs() < 0.1, "{}", height(&simulation, bodies[4]));
    assert!((height(&simulation, ball) - 0.5).abs() < 0.05, "{}", height(&simulation, ball));
    assert!(ball.index() == 1 && simulation.pose(bodies[1]).is_err());
}

/// A rod that hangs from two posts swings on the one that is left, and goes through neither.
#[test]
fn a_rod_on_two_posts_keeps_the_other_one() {
    for gone in [0, 1] {
        let mut simulation = Simulation::new(SimulationOptions::default()).unwrap();
        let posts = [-0.5, 0.5]
            .map(|x| simulation.add(RigidBody::fixed(Shape::sphere(0.1).unwrap(), at(x, 0.0, 0.0))).unwrap());
        let rod = RigidBody::dynamic(Shape::cuboid([0.5, 0.1, 0.1]).unwrap(), Pose::IDENTITY);
        let rod = simulation.add(rod).unwrap();
        let joints = [0, 1].map(|side| {
            let anchor = Vec3::new(side as Real - 0.5, 0.0, 0.0);
            simulation.add_joint(Joint::ball([posts[side], rod], anchor)).unwrap()
        });
        run(&mut simulation, 120);
        assert!(height(&simulation, rod) > -1e-3 && simulation.is_asleep(rod).unwrap());
        simulation.remove(posts[gone]).unwrap();
        assert!(!simulation.is_asleep(rod).unwrap());
        let mut lowest: Real = 0.0;
        for _ in 0..120 {
            simulation.step().unwrap();
            assert!(simulation.joint_error(joints[1 - gone]).unwrap() < 1e-3);
            lowest = lowest.min(height(&simulation, rod));
        }
        assert!(lowest < -0.49, "{lowest}");
    }
}

#[test]
fn a_room_of_bodies_moved_one_by_one() {
    let mut room = Room::new(RoomOptions::default()).unwrap();
    let slab = Shape::cuboid([5.0, 5.0, 0.5]).unwrap();
    room.add_fixed(slab, at(0.0, 0.0, -0.5)).unwrap();
    let brick = |z: Real| NewMoving::new(Shape::cuboid([0.5, 0.5, 0.25]).unwrap(), at(0.0, 0.0, z), 1.0);
    let bricks = [0, 1, 2, 3].map(|row| room.add(brick(0.252 + 0.502 * row as Real)).unwrap());
    let step = |room: &mut Room, count: usize| {
        for _ in 0..count {
            room.step(1.0 / 60.0).unwrap();
        }
    };
    step(&mut room, 180);
    assert!(bricks.iter().all(|&brick| room.is_resting(brick).unwrap()));
    room.remove(bricks[1]).unwrap();
    assert!(room.remove(bricks[1]).is_err() && room.pose(bricks[1]).is_err() && room.velocity(bricks[1]).is_err());
    assert!([2, 3].iter().all(|&row| !room.is_resting(bricks[row]).unwrap()), "all above wake");
    let next = room.add(brick(4.0)).unwrap();
    assert!(next.index() == bricks[1].index() && next != bricks[1] && !room.is_resting(next).unwrap());
    step(&mut room, 240);
    for (row, brick) in [(0, bricks[0]), (1, bricks[2]), (2, bricks[3]), (3, next)] {
        let height = room.pose(brick).unwrap().translation().z;
        assert!((height - 0.25 - 0.5 * row as Real).abs() < 0.02, "row {row} at {height}");
    }
    // A chain from a hook: what is below the link that goes falls, the rest hangs.
    let hook = room.add_fixed(Shape::sphere(0.05).unwrap(), at(3.0, 0.0, 3.0)).unwrap();
    let link = |z: Real| NewMoving::new(Shape::cuboid([0.05, 0.05, 0.2]).unwrap(), at(3.0, 0.0, z), 1.0);
    let links = [2.7, 2.2, 1.7].map(|z| room.add(link(z)).unwrap());
    let joints = [(hook, links[0], 2.925), (links[0], links[1], 2.45), (links[1], links[2], 1.95)]
        .map(|(a, b, z)| room.join(a, b, Vec3::new(3.0, 0.0, z)).unwrap());
    step(&mut room, 30);
    room.remove(links[1]).unwrap();
    let errors = joints.map(|joint| room.joint_error(joint));
    assert!(errors[0].is_some_and(|error| error < 1e-3) && errors[1].is_none() && errors[2].is_none(), "{errors:?}");
    step(&mut room, 120);
    let [first, last] = [links[0], links[2]].map(|link| room.pose(link).unwrap().translation().z);
    assert!((first - 2.7).abs() < 0.05 && last < 0.3, "{first} {last}");
}
