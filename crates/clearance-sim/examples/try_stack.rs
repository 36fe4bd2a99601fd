use clearance::{HalfSpace, Pose, Real, Shape, Vec3};
use clearance_sim::*;
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let n: usize = args[1].parse()?;
    let seconds: Real = args[2].parse()?;
    let rate: Real = args[3].parse()?;
    let hertz: Real = args[4].parse()?;
    let off: Real = args[6].parse()?;
    let half: [Real; 3] = if args[7] == "cube" { [0.5, 0.5, 0.5] } else { [2.0, 2.0, 1.0] };
    let iterations: u32 = args[5].parse()?;
    let solver = if iterations == 0 {
        Solver::SoftStep(SoftStep { contact_hertz: hertz, ..SoftStep::default() })
    } else {
        let narrow = match args[8].as_str() {
            "swept" => Narrow::SweptGjk { radius: 0.05 },
            "sa" => Narrow::SaGjk,
            "mpr" => Narrow::Mpr,
            _ => Narrow::Verbs,
        };
        let manifold = if args[9] == "clip" { clearance::Method::Clip } else { clearance::Method::Perturbed };
        Solver::Thesis(Thesis {
            iterations,
            projection: args[10].parse()?,
            damping: args[11].parse()?,
            narrow,
            manifold,
            ..Thesis::default()
        })
    };
    let mut sim =
        Simulation::new(SimulationOptions { step: 1.0 / rate, solver, sleeping: false, ..Default::default() })?;
    let _ = HalfSpace::new(Vec3::Z, 0.0)?;
    sim.add(RigidBody::fixed(Shape::cuboid([50.0, 50.0, 1.0])?, Pose::from_translation([0.0, 0.0, -1.0])?))?;
    let mut seed = 1u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) as Real / (1u64 << 31) as Real) * 2.0 - 1.0
    };
    let mut all = vec![];
    for i in 0..n {
        let at = Vec3::new(off * random(), off * random(), half[2] * (2 * i + 1) as Real);
        all.push(sim.add(RigidBody::dynamic(Shape::cuboid(half)?, Pose::from_translation(at)?))?);
    }
    let top = *all.last().unwrap();
    let t = std::time::Instant::now();
    let steps = (seconds * rate) as usize;
    for i in 0..steps {
        sim.step()?;
        if (i + 1) % (steps / 10).max(1) == 0 {
            let p = sim.pose(top)?.translation();
            let deep = sim.contacts().map(|c| c.distance).fold(0.0, Real::min);
            println!(
                "t {:6.2} fastest {:.3e} top {:.5} {:.5} {:.5} deepest {:.5}",
                sim.time(),
                sim.fastest(),
                p.x,
                p.y,
                p.z,
                deep
            );
        }
    }
    println!("{:?}", t.elapsed());
    Ok(())
}
