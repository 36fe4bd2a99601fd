//! Pours bodies into a bowl and prints what each phase of a step costs: `cargo run --release -p clearance-sim --example bowl -- 1000 600`.
//! More arguments: steps a second, the share of a body's radius within which contacts are kept in units of 1e-4, and a seed.

use clearance_sim::scenes::{BOWL_DEPTH, bowl};
use clearance_sim::{Phases, SimulationOptions, SoftStep, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |otherwise: usize| arguments.next().map_or(Ok(otherwise), |text| text.parse());
    let (bodies, frames, hertz) = (next(1000)?, next(600)?, next(60)?);
    let step = 1.0 / hertz as clearance::Real;
    let keep_contacts = 1e-4 * next(100)? as clearance::Real;
    let seed = next(1)? as u64;
    let solver = Solver::SoftStep(SoftStep { keep_contacts, ..SoftStep::default() });
    let mut simulation = bowl(bodies, seed, SimulationOptions { step, solver, ..SimulationOptions::default() })?;
    let (mut phases, mut stopped) = (Phases::default(), 0);
    println!(
        "{:>6} {:>6} {:>6} {:>7} {:>9} {:>9} {:>9} {:>9} {:>10}",
        "frame", "awake", "pairs", "points", "collide", "solve", "finish", "fastest", "deepest"
    );
    for frame in 1..=frames {
        let report = simulation.step()?;
        phases = phases.plus(&report.phases);
        stopped += report.stopped;
        if frame % (frames / 10).max(1) == 0 {
            let deepest = simulation.contacts().map(|contact| contact.distance).fold(0.0, clearance::Real::min);
            let ms = |time: std::time::Duration| 1e3 * time.as_secs_f64();
            println!(
                "{frame:>6} {:>6} {:>6} {:>7} {:>6.3} ms {:>6.3} ms {:>6.3} ms {:>9.4} {deepest:>10.5}",
                report.awake,
                report.pairs,
                report.points,
                ms(report.phases.collide),
                ms(report.phases.solve),
                ms(report.phases.finish),
                simulation.fastest(),
            );
        }
    }
    let mut lowest = clearance::Real::INFINITY;
    let mut over_the_rim = 0;
    for body in simulation.bodies().skip(2) {
        let at = simulation.pose(body)?.translation();
        lowest = lowest.min(at.z);
        over_the_rim += usize::from(at.z < BOWL_DEPTH && at.truncate().length() > 7.4);
    }
    println!(
        "all steps: collide {:?}, solve {:?}, finish {:?}; {stopped} stopped by casts",
        phases.collide, phases.solve, phases.finish
    );
    println!("lowest centre {lowest:.3}, {over_the_rim} over the rim");
    Ok(())
}
