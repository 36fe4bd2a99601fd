//! What the examples share: the Panda of the shared data, and a table and a shelf with things on them around it.
#![allow(dead_code, reason = "each example uses a part of it")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use clearance::{Body, HalfSpace, Pose, Shape};
use clearance_robot::{MeshUse, Robot, RobotOptions, Workcell};

pub type Failure = Box<dyn std::error::Error>;

/// The folder of the Panda: below the first argument, `$CLEARANCE_DATA`, or `../shared/data` beside the project.
pub fn folder() -> Option<PathBuf> {
    let given = std::env::args().nth(1).or_else(|| std::env::var("CLEARANCE_DATA").ok());
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").to_owned();
    let folder = PathBuf::from(given.unwrap_or(beside)).join("robots/panda");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no data in {}", folder.display());
    None
}

/// The Panda with the seven joints of its arm; its fingers are held open.
pub fn panda(folder: &Path, meshes: MeshUse) -> Result<Robot, Failure> {
    let options = RobotOptions { meshes, mesh_folders: vec![folder.join("meshes")], ..RobotOptions::default() };
    let robot = Robot::load(folder.join("panda.urdf"), Some(&folder.join("panda.srdf")), &options)?;
    Ok(robot.with_locked(&[("panda_finger_joint1", 0.035)])?)
}

/// The robot beside a table with things on it, a shelf, a pillar and a floor: 17 bodies.
pub fn furnished(robot: &Robot) -> Result<Workcell, Failure> {
    let mut cell = Workcell::new(robot);
    let boxes: [(&str, [f64; 3], [f64; 3]); 13] = [
        ("table", [0.60, 0.0, 0.20], [0.25, 0.45, 0.02]),
        ("leg 1", [0.40, 0.40, 0.09], [0.02, 0.02, 0.09]),
        ("leg 2", [0.80, 0.40, 0.09], [0.02, 0.02, 0.09]),
        ("leg 3", [0.40, -0.40, 0.09], [0.02, 0.02, 0.09]),
        ("leg 4", [0.80, -0.40, 0.09], [0.02, 0.02, 0.09]),
        ("board 1", [0.0, 0.70, 0.25], [0.40, 0.15, 0.01]),
        ("board 2", [0.0, 0.70, 0.60], [0.40, 0.15, 0.01]),
        ("board 3", [0.0, 0.70, 0.95], [0.40, 0.15, 0.01]),
        ("side 1", [-0.41, 0.70, 0.48], [0.01, 0.15, 0.48]),
        ("side 2", [0.41, 0.70, 0.48], [0.01, 0.15, 0.48]),
        ("back", [0.0, 0.86, 0.48], [0.42, 0.01, 0.48]),
        ("crate", [0.65, -0.25, 0.30], [0.10, 0.10, 0.08]),
        ("pillar", [-0.45, -0.45, 0.60], [0.06, 0.06, 0.60]),
    ];
    for (name, at, half) in boxes {
        cell.add(name, Shape::cuboid(half)?, &Pose::from_translation(at)?)?;
    }
    cell.add("can", Shape::cylinder(0.06, 0.035)?, &Pose::from_translation([0.55, 0.15, 0.28])?)?;
    cell.add("ball", Shape::sphere(0.05)?, &Pose::from_translation([0.70, 0.25, 0.27])?)?;
    cell.add("bottle", Shape::cylinder(0.12, 0.04)?, &Pose::from_translation([0.1, 0.70, 0.74])?)?;
    cell.add("floor", Body::from(HalfSpace::new([0.0, 0.0, 1.0], -0.01)?), &Pose::IDENTITY)?;
    Ok(cell)
}

/// Random configurations within the limits.
pub fn random(robot: &Robot, count: usize, seed: u64) -> Vec<f64> {
    let limits = robot.limits();
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut q = Vec::with_capacity(count * limits.len());
    for _ in 0..count {
        q.extend(limits.iter().map(|[low, high]| low + (high - low) * rng.f64()));
    }
    q
}

/// Processor time of this thread so far where the system tells it, in seconds; otherwise the time by the clock.
pub fn processor_time(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()));
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

/// The least processor time of a few repetitions of some work, in seconds, and its result.
pub fn timed<T>(repetitions: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let origin = Instant::now();
    let mut best = f64::INFINITY;
    let mut once = || {
        let start = processor_time(origin);
        let result = work();
        best = best.min(processor_time(origin) - start);
        result
    };
    let mut result = once();
    for _ in 1..repetitions {
        result = once();
    }
    (best, result)
}

/// The least time by the clock of a few repetitions of some work, in seconds, and its result.
pub fn fastest<T>(repetitions: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut once = || {
        let start = Instant::now();
        let result = work();
        best = best.min(start.elapsed().as_secs_f64());
        result
    };
    let mut result = once();
    for _ in 1..repetitions {
        result = once();
    }
    (best, result)
}
