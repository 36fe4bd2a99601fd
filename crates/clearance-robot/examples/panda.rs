//! What checks of a Franka Panda cost: `cargo run --release -p clearance-robot --example panda [DATA]`. DATA is the folder that has
//! `robots/panda`; by default `$CLEARANCE_DATA`, or `../shared/data` beside the project.
#![allow(missing_docs, reason = "an example")]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use clearance_robot::{ConfigOptions, Distance, MeshUse, Robot, RobotOptions, Verdict, Workcell};

type Failure = Box<dyn std::error::Error>;

/// The Panda of a data folder, with the joints of its arm; its fingers are held open.
fn panda(folder: &std::path::Path, meshes: MeshUse) -> Result<Robot, Failure> {
    let options = RobotOptions { meshes, mesh_folders: vec![folder.join("meshes")], ..RobotOptions::default() };
    let robot = Robot::load(folder.join("panda.urdf"), Some(&folder.join("panda.srdf")), &options)?;
    Ok(robot.with_locked(&[("panda_finger_joint1", 0.035)])?)
}

fn main() -> Result<(), Failure> {
    let given = std::env::args().nth(1).or_else(|| std::env::var("CLEARANCE_DATA").ok());
    let data =
        PathBuf::from(given.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").to_owned()));
    let folder = data.join("robots/panda");
    if !folder.is_dir() {
        println!("skipped: no data in {}", folder.display());
        return Ok(());
    }
    for meshes in [MeshUse::Hull, MeshUse::Exact] {
        let robot = panda(&folder, meshes)?;
        let cell = Workcell::new(&robot);
        println!("{meshes:?}: {} values, {} pairs", robot.dof(), cell.pair_count());
        let limits = robot.limits();
        let mut rng = fastrand::Rng::with_seed(1);
        let count = 20_000;
        let q: Vec<f64> =
            (0..count).flat_map(|_| limits.iter().map(|[l, h]| l + (h - l) * rng.f64()).collect::<Vec<_>>()).collect();
        for (name, distance) in
            [("boolean", Distance::None), ("when free", Distance::WhenFree), ("signed", Distance::Signed)]
        {
            let options = ConfigOptions { distance, ..ConfigOptions::default() };
            let count = if meshes == MeshUse::Exact && distance != Distance::None { 500 } else { count };
            let start = Instant::now();
            let found = black_box(cell.check_configs(&q[..count * robot.dof()], &options)?);
            let time = start.elapsed().as_secs_f64() / count as f64;
            let free = found.answers.iter().filter(|answer| answer.verdict == Verdict::Free).count();
            println!("  {name:9}: {:8.3} µs a configuration, {free} of {count} free", time * 1e6);
        }
        let start = Instant::now();
        black_box(robot.link_poses(&q)?);
        println!("  link poses: {:.3} µs", start.elapsed().as_secs_f64() / count as f64 * 1e6);
    }

    Ok(())
}
