//! t
use clearance::Real;
use clearance_sim::scenes::*;
use clearance_sim::*;
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let rate: Real = args[2].parse()?;
    let seconds: Real = args[3].parse()?;
    let n: usize = args[4].parse()?;
    let soft = if args.len() > 5 { SoftStep::for_step(1.0 / rate) } else { SoftStep::default() };
    let options = SimulationOptions { step: 1.0 / rate, solver: Solver::SoftStep(soft), ..Default::default() };
    let mut sim = match args[1].as_str() {
        "wall" => brick_wall(n, n, options)?,
        "figure" => figure_on_stairs(n, options)?,
        "cards" => card_house(n, options)?,
        "dominoes" => dominoes(n, options)?,
        _ => bowl(n, 1, options)?,
    };
    let steps = (seconds * rate) as usize;
    let mut worst: Real = 0.0;
    let mut deepest: Real = 0.0;
    for i in 0..steps {
        let r = sim.step()?;
        for j in sim.joints() {
            worst = worst.max(sim.joint_error(j)?);
        }
        deepest = sim.contacts().map(|c| c.distance).fold(deepest, Real::min);
        if (i + 1) % (steps / 10).max(1) == 0 {
            let e = sim.energy();
            let mut low = Real::INFINITY;
            let mut top: Real = 0.0;
            for b in sim.bodies().skip(1) {
                low = low.min(sim.pose(b)?.translation().z);
                top = top.max(sim.pose(b)?.translation().z);
            }
            println!(
                "t {:6.2} fastest {:.3e} awake {} pairs {} stopped {} energy {:.2} low {low:.4} top {top:.4} joint {worst:.2e} deepest {deepest:.4}",
                sim.time(),
                sim.fastest(),
                r.awake,
                r.pairs,
                r.stopped,
                e.total()
            );
        }
    }
    Ok(())
}
