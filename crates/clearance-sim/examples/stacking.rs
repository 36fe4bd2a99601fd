//! Searches the tallest stack that the thesis's solver keeps standing (Tables 2 and 3 of the thesis on implicit objects):
//! `cargo run --release -p clearance-sim --features study --example stacking -- swept 60 box clip 300 17`, or `soft` for the modern
//! solver. Arguments: narrow phase (verbs, swept, sa, mpr, soft), iterations, box or round, clip or perturbed, seconds, first height.

use clearance::{Method, Real};
use clearance_sim::scenes::{Stack, tallest_stack};
use clearance_sim::{Narrow, SimulationOptions, SoftStep, Solver, Thesis};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = |at: usize, otherwise: &'static str| arguments.get(at).map_or(otherwise, String::as_str).to_owned();
    let narrow = match text(0, "verbs").as_str() {
        "swept" => Narrow::SweptGjk { radius: 0.05 },
        "sa" => Narrow::SaGjk,
        "mpr" => Narrow::Mpr,
        _ => Narrow::Verbs,
    };
    let iterations = text(1, "60").parse()?;
    let manifold = if text(3, "clip") == "clip" { Method::Clip } else { Method::Perturbed };
    let (seconds, count): (Real, usize) = (text(4, "300").parse()?, text(5, "17").parse()?);
    let most = text(6, "100").parse()?;
    let step = 1.0 / 200.0;
    let solver = match text(0, "verbs").as_str() {
        "soft" => Solver::SoftStep(SoftStep::for_step(step)),
        _ => Solver::Thesis(Thesis { iterations, narrow, manifold, ..Thesis::default() }),
    };
    let options = SimulationOptions { step, solver, sleeping: false, ..SimulationOptions::default() };
    let first = Stack { count, round: text(2, "box") == "round", seed: text(7, "1").parse()? };
    let found = tallest_stack(&first, options, seconds, most)?;
    println!("{} boxes, {:?} per pair, the next one stood {:?} s", found.count, found.per_pair, found.next);
    Ok(())
}
