//! A walker at random through a world at several frame rates: frames in solids, stuck frames, time per frame.
//!
//! `cargo run --release -p clearance-sim --example walk -- [FRAMES] [WORLD …]`; a world is `building` (a generated one), `staircase` or
//! the path of a map. The first two if none is given.

use std::time::Instant;

use clearance::brush::Map;
use clearance::world::World;
use clearance::{Real, Vec3};
use clearance_sim::walk::WalkError;
use clearance_sim::walk::experiment::{Trial, staircase, world_of_map};
use clearance_testkit::{Building, BuildingPlan};

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let frames = args.next().map_or(Ok(20_000), |frames| frames.parse())?;
    println!(
        "world, rate, frames, in solid, stuck, grounded, jumps, crouched, metres, µs/frame, same again, first fault, nearest/skin"
    );
    let mut worlds: Vec<String> = args.collect();
    if worlds.is_empty() {
        worlds = vec!["building".into(), "staircase".into()];
    }
    for name in worlds {
        let text = match name.as_str() {
            "staircase" => {
                let (world, starts) = staircase(60)?;
                table(&name, &world, &starts, frames, Trial::person)?;
                continue;
            }
            "building" => Building::new(&BuildingPlan::default()).map_text(),
            path => std::fs::read_to_string(path)?,
        };
        let (world, starts) = world_of_map(&Map::parse(&text)?)?;
        table(&name, &world, &starts, frames, Trial::player)?;
    }
    Ok(())
}

fn table(
    name: &str,
    world: &World,
    starts: &[Vec3],
    frames: u32,
    make: fn(Real, Vec<Vec3>) -> Result<Trial, WalkError>,
) -> Result<(), Failure> {
    for rate in [30.0, 60.0, 144.0, 300.0] {
        let trial = Trial { frames, ..make(rate, starts.to_vec())? };
        let start = Instant::now();
        let quick = trial.run(world, false)?;
        let micros = start.elapsed().as_secs_f64() * 1e6 / f64::from(frames);
        let report = trial.run(world, true)?;
        println!(
            "{name}, {rate}, {frames}, {}, {}, {}, {}, {}, {:.0}, {micros:.2}, {}, {:?}, {:.3}",
            report.in_solid,
            report.stuck,
            report.grounded,
            report.jumps,
            report.crouched,
            report.travelled,
            quick.path == report.path && quick.end == report.end,
            report.first_fault,
            report.nearest,
        );
    }
    Ok(())
}
