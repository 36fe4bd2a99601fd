//! The brick wall that is shot at and a figure that falls down stairs, as DOOM III moves bodies, at several rates: overlaps, energy,
//! rest, time per step.
//!
//! `cargo run --release -p clearance-sim --example brick_wall -- [COURSES] [SECONDS]`

use std::time::Instant;

use clearance::Real;
use clearance_sim::doom::RoomOptions;
use clearance_sim::doom::experiment::{Scene, brick_wall, figure_on_stairs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let courses = args.next().map_or(Ok(8), |courses| courses.parse())?;
    let seconds = args.next().map_or(Ok(10.0), |seconds| seconds.parse())?;
    println!(
        "scene, rate, steps, deepest, growth, energy, removed, lost, resting, rested at, joint gap, moved, ms/step"
    );
    let plain = RoomOptions { longest_step: Real::INFINITY, ..RoomOptions::default() };
    for (kind, options) in [("", RoomOptions::default()), (", undivided", plain)] {
        for rate in [30.0, 60.0, 120.0, 240.0] {
            row(&format!("wall{kind}"), brick_wall(courses, 6, 20.0, options)?, rate, seconds)?;
            row(&format!("figure{kind}"), figure_on_stairs(options)?, rate, seconds)?;
        }
    }
    Ok(())
}

fn row(name: &str, mut scene: Scene, rate: Real, seconds: Real) -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let report = scene.run(rate, seconds, true)?;
    let ms = start.elapsed().as_secs_f64() * 1e3 / f64::from(report.steps);
    println!(
        "{name}, {rate}, {}, {:.2e}, {:.2e}, {:.4}, {:.2e}, {}, {} of {}, {:?}, {:.2e}, {}, {ms:.2}",
        report.steps,
        report.penetration,
        report.growth,
        report.energy,
        report.removed,
        report.lost,
        report.resting,
        scene.bodies.len(),
        report.rested_at,
        report.joint_error,
        report.moved,
    );
    Ok(())
}
