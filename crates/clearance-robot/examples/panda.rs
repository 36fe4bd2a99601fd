//! What checks of a Franka Panda cost, in processor time of one thread: `cargo run --release -p clearance-robot --example panda [DATA]`.
//! DATA is the folder that has `robots/panda`; by default `$CLEARANCE_DATA`, or `../shared/data` beside the project.
#![allow(missing_docs, clippy::cast_precision_loss, reason = "an example")]

mod scene;

use clearance_robot::{ConfigOptions, Distance, EdgeOptions, EdgeVerdict, MeshUse, Robot, Verdict, Workcell};
use scene::{Failure, fastest, folder, furnished, panda, random, timed};

/// Times of booleans and of distances, of so many configurations.
fn configurations(name: &str, robot: &Robot, cell: &Workcell, counts: [usize; 2]) -> Result<(), Failure> {
    println!("{name}: {} pairs, random configurations", cell.pair_count());
    for (kind, distance, count) in [
        ("boolean", Distance::None, counts[0]),
        ("distance when free", Distance::WhenFree, counts[1]),
        ("signed distance", Distance::Signed, counts[1]),
    ] {
        let q = random(robot, count, 1);
        let options = ConfigOptions { distance, ..ConfigOptions::default() };
        let (time, found) = timed(7, || cell.check_configs(&q, &options));
        let free = found?.answers.iter().filter(|answer| answer.verdict == Verdict::Free).count();
        println!("  {kind:18} {:9.3} µs each, {free} of {count} free", time * 1e6 / count as f64);
    }
    Ok(())
}

fn edges(name: &str, robot: &Robot, cell: &Workcell, count: usize, options: &EdgeOptions) -> Result<(), Failure> {
    let all = random(robot, 6 * count, 2);
    let free = cell.check_configs(&all, &ConfigOptions::default())?;

    let dof = robot.dof();
    let free: Vec<&[f64]> =
        free.answers.iter().zip(all.chunks(dof)).filter(|(a, _)| a.verdict == Verdict::Free).map(|(_, q)| q).collect();
    let (mut times, mut steps) = (Vec::new(), 0);
    let mut verdicts = [0; 3];
    for ends in free.chunks_exact(2).take(count) {
        let (time, answer) = fastest(3, || cell.check_edges(ends[0], ends[1], options));
        let answer = answer?[0];
        times.push(time * 1e6);
        steps += answer.steps;
        match answer.verdict {
            EdgeVerdict::Free => verdicts[0] += 1,
            EdgeVerdict::Colliding => verdicts[1] += 1,
            _ => verdicts[2] += 1,
        }
    }
    times.sort_by(f64::total_cmp);
    let n = times.len();
    let [free, hit, open] = verdicts;
    println!(
        "{name}: {n} edges between free configurations: {free} free, {hit} colliding, {open} undecided; {:.1} steps each",
        f64::from(steps) / n as f64
    );
    println!(
        "  median {:.1} µs, mean {:.1}, 90 % {:.1}, most {:.1}",
        times[n / 2],
        times.iter().sum::<f64>() / n as f64,
        times[n * 9 / 10],
        times[n - 1]
    );
    Ok(())
}

/// Looks at 10,000 configurations of each of some edges that were proved free, and at the certain hits and free shares of the others.
fn confirm(robot: &Robot, cell: &Workcell, count: usize) -> Result<(), Failure> {
    let (dof, samples) = (robot.dof(), 10_000);
    let ends = cell.sample_free(2 * count, 5, 1_000_000, 1)?;
    let (mut free, mut hits, mut wrong) = (0, 0, 0);
    for edge in ends.chunks_exact(2 * dof) {
        let (q0, q1) = edge.split_at(dof);
        let answer = cell.check_edges(q0, q1, &EdgeOptions::default())?[0];
        let at = |share: f64| q0.iter().zip(q1).map(move |(a, b)| a + share * (b - a));
        let shares = (0..samples).map(|i| f64::from(i) / f64::from(samples - 1));
        let q: Vec<f64> = shares.clone().flat_map(at).collect();
        let found = cell.check_configs(&q, &ConfigOptions::default())?.answers;
        for (share, found) in shares.zip(found) {
            let is_free = share < answer.free_from_start || share > 1.0 - answer.free_from_end;
            wrong += u32::from(is_free && found.verdict != Verdict::Free);
        }
        free += u32::from(answer.verdict == EdgeVerdict::Free);
        for hit in answer.hits.into_iter().flatten() {
            hits += 1;
            let q: Vec<f64> = at(hit).collect();
            let found = cell.check_configs(&q, &ConfigOptions::default())?.answers[0];
            wrong += u32::from(found.verdict != Verdict::Colliding);
        }
    }
    println!("{count} edges at {samples} configurations each: {free} free, {hits} certain hits, {wrong} wrong");
    Ok(())
}

fn main() -> Result<(), Failure> {
    let Some(folder) = folder() else { return Ok(()) };
    let robot = panda(&folder, MeshUse::Hull)?;
    let (alone, scene) = (Workcell::new(&robot), furnished(&robot)?);
    configurations("hulls, self-collision", &robot, &alone, [20_000; 2])?;
    configurations("hulls, table and shelf", &robot, &scene, [20_000; 2])?;
    let plain = EdgeOptions { fractions: false, ..EdgeOptions::default() };
    edges("hulls, table and shelf, boolean", &robot, &scene, 10_000, &plain)?;
    edges("hulls, table and shelf, with fractions", &robot, &scene, 10_000, &EdgeOptions::default())?;
    confirm(&robot, &scene, 400)?;
    let robot = panda(&folder, MeshUse::Exact)?;
    let (alone, scene) = (Workcell::new(&robot), furnished(&robot)?);
    configurations("meshes, self-collision", &robot, &alone, [20_000, 300])?;
    edges("meshes, table and shelf, with fractions", &robot, &scene, 100, &EdgeOptions::default())
}
