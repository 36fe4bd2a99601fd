//! Robots and surroundings for tests: the Panda of the shared data, and random ones.

use std::fmt::Write as _;
use std::path::PathBuf;

use clearance::{Body, HalfSpace, Pose, Shape};
use clearance_robot::{MeshUse, Robot, RobotOptions, Workcell};
use clearance_testkit::Rng;

/// The folder of the Panda, if the shared data is there.
pub fn panda_folder() -> Option<PathBuf> {
    let beside = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").to_owned();
    let folder = PathBuf::from(std::env::var("CLEARANCE_DATA").unwrap_or_else(|_| beside())).join("robots/panda");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no data");
    None
}

/// The Panda with its SRDF.
pub fn panda(meshes: MeshUse) -> Option<Robot> {
    let folder = panda_folder()?;
    let options = RobotOptions { meshes, mesh_folders: vec![folder.join("meshes")], ..RobotOptions::default() };
    Some(Robot::load(folder.join("panda.urdf"), Some(&folder.join("panda.srdf")), &options).unwrap())
}

/// Random configurations within the limits; half a turn where there are none; floating joints anywhere within one.
pub fn random(robot: &Robot, rng: &mut Rng) -> Vec<f64> {
    let mut q = robot.home();
    for joint in robot.joints() {
        let values = &mut q[joint.first_value..][..joint.kind.value_count()];
        let [low, high] = joint.limits.unwrap_or([-3.2, 3.2]);
        match values.len() {
            7 => {
                values[..3].iter_mut().for_each(|value| *value = rng.uniform(-1.0, 1.0));
                values[3..].copy_from_slice(&rng.rotation().to_array());
            }
            3 => {
                values[..2].iter_mut().for_each(|value| *value = rng.uniform(-1.0, 1.0));
                values[2] = rng.uniform(-3.2, 3.2);
            }
            _ => values[0] = rng.uniform(low, high),
        }
    }
    q
}

/// The text of a random arm of boxes, cylinders, spheres and capsules with joints of all kinds, and a branch of two mimic fingers.
pub fn random_urdf(rng: &mut Rng) -> String {
    let links = 3 + rng.index(4);
    let mut text = String::from(
        "<robot name='random'><link name='l0'><collision><geometry><box size='0.3 0.3 0.1'/></geometry></collision></link>",
    );
    let geometry = |rng: &mut Rng| {
        let [a, b, c] = [rng.uniform(0.04, 0.12), rng.uniform(0.04, 0.12), rng.uniform(0.1, 0.4)];
        match rng.index(4) {
            0 => format!("<box size='{a} {b} {c}'/>"),
            1 => format!("<cylinder radius='{a}' length='{c}'/>"),
            2 => format!("<sphere radius='{}'/>", a + 0.05),
            _ => format!("<capsule radius='{a}' length='{c}'/>"),
        }
    };
    let origin = |rng: &mut Rng, size: f64| {
        let [x, y, z] = rng.in_ball(size).to_array();
        let [r, p, w] = [rng.uniform(-3.0, 3.0), rng.uniform(-1.5, 1.5), rng.uniform(-3.0, 3.0)];
        format!("<origin xyz='{x} {y} {z}' rpy='{r} {p} {w}'/>")
    };
    for link in 1..=links {
        let (geometry, place) = (geometry(rng), origin(rng, 0.1));
        let _ =
            write!(text, "<link name='l{link}'><collision>{place}<geometry>{geometry}</geometry></collision></link>");
        let kind = match rng.index(12) {
            0 if link == 1 => "floating",
            1 if link == 1 => "planar",
            2 | 3 => "prismatic",
            4 => "continuous",
            5 => "fixed",
            _ => "revolute",
        };
        let [x, y, z] = rng.unit_vector().to_array();
        let place = origin(rng, 0.4);
        let limit = if kind == "prismatic" { "lower='-0.2' upper='0.3'" } else { "lower='-2.5' upper='2.5'" };
        let _ = write!(
            text,
            "<joint name='j{link}' type='{kind}'><parent link='l{}'/><child link='l{link}'/>{place}<axis xyz='{x} {y} {z}'/><limit {limit}/></joint>",
            link - 1
        );
    }
    for (finger, sign) in [("a", 1.0), ("b", -1.0)] {
        let mimic = if finger == "b" { "<mimic joint='ja' multiplier='-0.5' offset='0.1'/>" } else { "" };
        let _ = write!(
            text,
            "<link name='f{finger}'><collision><geometry><box size='0.1 0.02 0.2'/></geometry></collision></link>
             <joint name='j{finger}' type='revolute'><parent link='l{links}'/><child link='f{finger}'/><origin xyz='0 {} 0.2'/>
             <axis xyz='1 0 0'/><limit lower='-0.5' upper='0.5'/>{mimic}</joint>",
            0.1 * sign
        );
    }
    text + "</robot>"
}

/// A random robot alone; half of them with padded links.
pub fn random_robot(rng: &mut Rng) -> Robot {
    let padding = if rng.chance(0.5) { 0.01 } else { 0.0 };
    Robot::parse(&random_urdf(rng), "", &RobotOptions { padding, ..RobotOptions::default() }).unwrap()
}

/// Bodies around a robot, with their poses.
pub fn random_surroundings(rng: &mut Rng, count: usize) -> Vec<(Body, Pose)> {
    let mut all: Vec<(Body, Pose)> = (0..count)
        .map(|_| {
            let [a, b, c] = [rng.uniform(0.05, 0.3), rng.uniform(0.05, 0.3), rng.uniform(0.05, 0.3)];
            let shape = match rng.index(4) {
                0 => Shape::sphere(a),
                1 => Shape::cylinder(a, b),
                2 => Shape::round_box([a, b, c], 0.02),
                _ => Shape::cuboid([a, b, c]),
            };
            let pose = Pose::new(rng.unit_vector() * rng.uniform(0.6, 1.4), rng.rotation().to_array()).unwrap();
            (Body::from(shape.unwrap()), pose)
        })
        .collect();
    if rng.chance(0.5) {
        all.push((HalfSpace::new([0.1, 0.0, 1.0], -0.9).unwrap().into(), Pose::IDENTITY));
    }
    all
}

/// A workcell with these bodies.
pub fn workcell(robot: &Robot, surroundings: &[(Body, Pose)]) -> Workcell {
    let mut cell = Workcell::new(robot);
    for (index, (body, pose)) in surroundings.iter().enumerate() {
        cell.add(&format!("body {index}"), body.clone(), pose).unwrap();
    }
    cell
}
