//! What a step of a world costs: growth from 1,000 to 100,000 bodies at one density, and two threads against one.
//!
//! `cargo bench -p clearance --bench world [-- growth|threads|frames COUNT] [queries]`. With `queries` the worlds keep their tree for
//! queries up to date. Growth is in processor time, averages; threads are by
//! the clock, minima over frames.
#![allow(missing_docs)] // the macro-free main of a bench

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use clearance::math::narrow;
use clearance::world::{BodyId, NewBody, World, WorldOptions};
use clearance::{Polytope, Pose, Shape};
use clearance_testkit::{Cloud, Rng};
use glam::{DQuat, DVec3};

type Failure = Box<dyn std::error::Error>;

struct Scene {
    world: World,
    bodies: Vec<(BodyId, DVec3, DVec3, DVec3, DQuat)>,
    half: f64,
}

/// Polytopes of 20 vertices in a box, a tenth of which they fill; they drift and turn as in the thesis's moving environment.
fn scene(count: usize) -> Result<Scene, Failure> {
    let mut rng = Rng::new(1);
    let mut shapes = Vec::new();
    for _ in 0..16 {
        let points: Vec<_> = Cloud::Sphere.generate(&mut rng, 20).iter().map(|p| narrow(*p * 0.5)).collect();
        shapes.push(Shape::from(Polytope::from_points(&points)?));
    }
    let half = 0.5 * (count as f64 * 0.3 / 0.1).cbrt();
    let mut world =
        World::new(WorldOptions { queries: std::env::args().any(|wish| wish == "queries"), ..WorldOptions::default() });
    let mut bodies = Vec::new();
    for nth in 0..count {
        let at = rng.in_box(DVec3::splat(half));
        let id = world.add(NewBody::new(shapes[nth % shapes.len()].clone(), Pose::IDENTITY))?;
        bodies.push((id, at, rng.unit_vector() * 0.025, rng.unit_vector() * 0.1, rng.rotation()));
    }
    Ok(Scene { world, bodies, half })
}

impl Scene {
    fn advance(&mut self) -> Result<(), Failure> {
        for (id, at, velocity, spin, turn) in &mut self.bodies {
            for axis in 0..3 {
                if at[axis].abs() > self.half {
                    velocity[axis] = -velocity[axis].abs() * at[axis].signum();
                }
            }
            *at += *velocity;
            *turn = (DQuat::from_scaled_axis(*spin) * *turn).normalize();
            let pose = Pose::new(narrow(*at), turn.to_array().map(clearance::math::narrow_real))?;
            self.world.set_pose(*id, pose)?;
        }
        Ok(())
    }

    /// The shortest of some steps.
    fn fastest(&mut self, frames: usize) -> Result<Duration, Failure> {
        let mut best = Duration::MAX;
        for _ in 0..frames {
            self.advance()?;
            let start = Instant::now();
            self.world.step();
            best = best.min(start.elapsed());
        }
        Ok(best)
    }

    /// What a step takes of this thread's time, on average.
    fn average(&mut self, frames: u32) -> Result<Duration, Failure> {
        let start = own_time();
        for _ in 0..frames {
            self.advance()?;
            self.world.step();
        }
        let between = own_time();
        (0..frames).try_for_each(|_| self.advance())?;
        Ok(((between - start).saturating_sub(own_time() - between)) / frames)
    }
}

/// How long this thread has run, where the system tells: others on the machine do not count. Otherwise what a watch says.
fn own_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next().and_then(|first| first.parse().ok()));
    nanoseconds.map_or_else(watch, Duration::from_nanos)
}

fn watch() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

fn growth() -> Result<(), Failure> {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut first = None;
    for count in [1_000, 10_000, 100_000] {
        let frames = 3_000_000 / count as u32;
        let time = one.install(|| scene(count).and_then(|mut s| s.average(frames)).map_err(|e| e.to_string()))?;
        let first = first.get_or_insert(time);
        println!("{count:>7} bodies: {time:>10.1?} per step, {:.1} times", time.as_secs_f64() / first.as_secs_f64());
    }
    Ok(())
}

fn threads() -> Result<(), Failure> {
    let mut worlds = Vec::new();
    for threads in [1, 2] {
        worlds.push((rayon::ThreadPoolBuilder::new().num_threads(threads).build()?, scene(10_000)?));
    }
    for _ in 0..8 {
        let mut times = Vec::new();
        for (pool, scene) in &mut worlds {
            times.push(pool.install(|| scene.fastest(40).map_err(|e| e.to_string()))?);
        }
        let ratio = times[0].as_secs_f64() / times[1].as_secs_f64();
        println!("10000 bodies: one thread {:.2?}, two {:.2?}: {ratio:.2} times", times[0], times[1]);
    }
    Ok(())
}

/// Steps on one thread, for a profiler.
fn frames(count: usize) -> Result<(), Failure> {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let time = one.install(|| scene(count).and_then(|mut s| s.average(100)).map_err(|e| e.to_string()))?;
    println!("{count} bodies: {time:.2?}");
    Ok(())
}

fn main() -> Result<(), Failure> {
    let wishes: Vec<String> = std::env::args().skip(1).filter(|wish| !wish.starts_with("--")).collect();
    match wishes.first().map(String::as_str) {
        Some("growth") => growth(),
        Some("threads") => threads(),
        Some("frames") => frames(wishes.get(1).map_or(Ok(10_000), |count| count.parse())?),
        _ => growth().and_then(|()| threads()),
    }
}
