//! RRT-Connect with certified edges: a Panda between a table and a shelf, 100 random problems.
//! `cargo run --release -p clearance-robot --example rrt [DATA]`; DATA is the folder that has `robots/panda`.
//!
//! Every edge of a solution is proved free. Times are by the clock, on one thread.
#![allow(missing_docs, clippy::cast_precision_loss, reason = "an example")]

mod scene;

use std::time::Instant;

use clearance_robot::{EdgeOptions, EdgeVerdict, MeshUse, PathOptions, Workcell};
use scene::{Failure, folder, furnished, panda};

/// The longest edge, in radians.
const STEP: f64 = 1.5;
/// Samples before a problem is given up.
const SAMPLES: usize = 20_000;

/// Configurations and the numbers of their parents; the first one is its own.
struct Tree {
    nodes: Vec<Vec<f64>>,
    parents: Vec<usize>,
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

impl Tree {
    fn new(root: &[f64]) -> Self {
        Self { nodes: vec![root.to_vec()], parents: vec![0] }
    }

    fn nearest(&self, q: &[f64]) -> usize {
        let all = self.nodes.iter().map(|node| distance(node, q)).enumerate();
        all.min_by(|x, y| x.1.total_cmp(&y.1)).map_or(0, |(index, _)| index)
    }

    /// Grows from the nearest node towards a configuration, one step if `once`, and as far as edges are free otherwise. The new node, and
    /// whether it is the configuration.
    fn grow(&mut self, cell: &Workcell, target: &[f64], once: bool, edges: &mut u32) -> Result<(usize, bool), Failure> {
        let options = EdgeOptions { fractions: false, ..EdgeOptions::default() };
        let mut at = self.nearest(target);
        loop {
            let length = distance(&self.nodes[at], target);
            let share = (STEP / length).min(1.0);
            let next: Vec<f64> = self.nodes[at].iter().zip(target).map(|(a, b)| a + share * (b - a)).collect();
            let next = if share == 1.0 { target.to_vec() } else { next };
            *edges += 1;
            if cell.check_edges(&self.nodes[at], &next, &options)?[0].verdict != EdgeVerdict::Free {
                return Ok((at, false));
            }
            self.nodes.push(next);
            self.parents.push(at);
            at = self.nodes.len() - 1;
            if share == 1.0 || once {
                return Ok((at, share == 1.0));
            }
        }
    }

    /// The way from a node to the root.
    fn way(&self, from: usize) -> Vec<&[f64]> {
        let mut way = vec![self.nodes[from].as_slice()];
        let mut at = from;
        while self.parents[at] != at {
            at = self.parents[at];
            way.push(&self.nodes[at]);
        }
        way
    }
}

/// A path of free edges, and how many edges were checked.
fn solve(
    cell: &Workcell,
    start: &[f64],
    goal: &[f64],
    rng: &mut fastrand::Rng,
) -> Result<(Option<Vec<f64>>, u32), Failure> {
    let limits = cell.robot().limits();
    let (mut here, mut there) = (Tree::new(start), Tree::new(goal));
    let (mut swapped, mut edges) = (false, 0);
    for _ in 0..SAMPLES {
        let q: Vec<f64> = limits.iter().map(|[low, high]| low + (high - low) * rng.f64()).collect();
        let before = here.nodes.len();
        let (new, _) = here.grow(cell, &q, true, &mut edges)?;
        if here.nodes.len() > before {
            let target = here.nodes[new].clone();
            let (met, reached) = there.grow(cell, &target, false, &mut edges)?;
            if reached {
                let mut first = here.way(new);
                first.reverse();
                let mut path: Vec<&[f64]> = first;
                path.extend(there.way(met).into_iter().skip(1));
                if swapped {
                    path.reverse();
                }
                return Ok((Some(path.concat()), edges));
            }
        }
        std::mem::swap(&mut here, &mut there);
        swapped = !swapped;
    }
    Ok((None, edges))
}

fn main() -> Result<(), Failure> {
    let Some(folder) = folder() else { return Ok(()) };
    let robot = panda(&folder, MeshUse::Hull)?;
    let cell = furnished(&robot)?;
    let dof = robot.dof();
    let ends = cell.sample_free(200, 3, 1_000_000, 1)?;
    let mut rng = fastrand::Rng::with_seed(4);
    let (mut times, mut solved, mut all_edges, mut least) = (Vec::new(), 0, 0, f64::INFINITY);
    for problem in ends.chunks_exact(2 * dof) {
        let (start, goal) = problem.split_at(dof);
        let clock = Instant::now();
        let (path, edges) = solve(&cell, start, goal, &mut rng)?;
        times.push(clock.elapsed().as_secs_f64() * 1e3);
        all_edges += edges;
        if let Some(path) = path {
            solved += 1;
            let options = PathOptions { accuracy: 1e-3, ..PathOptions::default() };
            let clearance = cell.clearance_along(&path, &options)?;
            assert!(clearance.upper > 0.0, "a certified path has a clearance: {clearance:?}");
            least = least.min(clearance.clearance);
        }
    }
    times.sort_by(f64::total_cmp);
    let n = times.len();
    println!(
        "{solved} of {n} problems solved; {:.1} edges checked each; least clearance of all paths {:.2e}",
        f64::from(all_edges) / n as f64,
        least
    );
    println!(
        "median {:.2} ms, mean {:.2}, 90 % {:.2}, most {:.2}",
        times[n / 2],
        times.iter().sum::<f64>() / n as f64,
        times[n * 9 / 10],
        times[n - 1]
    );
    Ok(())
}
