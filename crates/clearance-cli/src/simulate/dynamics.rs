//! Scenes with gravity, contacts and joints: those of `clearance-sim`, by name. Each frame can be told as the poses of all bodies. The
//! walker's is one of them by name and options; how it is played is in [`walker`].

use std::io::{self, Write};

use clearance_sim::{
    BodyKind, Phases, SimError, Simulation, SimulationOptions, SoftStep, Solver, StepReport,
    scenes::{self, Stack},
};
use clearance_terminal::Progress;
use serde_json::{Value, json};

use super::film::{Film, Filmed};
use super::told::{Stopped, pose_of, write_members};
use super::walker::{self, Walk};
use super::{Options, finish_film};
use crate::Outcome;

/// A scene of the simulator.
#[derive(Clone, Copy, Debug)]
pub struct DynamicScene {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it shows, in a line.
    pub title: &'static str,
    /// Steps a second.
    pub hertz: u32,
    /// Frames, if not said otherwise.
    pub frames: u32,
    /// Whether a seed changes it.
    has_seed: bool,
    play: Play,
}

/// How a scene is played.
#[derive(Clone, Copy, Debug)]
enum Play {
    /// The bodies move by forces and contacts.
    Forces(fn(SimulationOptions, u64) -> Result<Simulation, SimError>),
    /// One walks through bodies that do not move.
    Walker,
}

/// All scenes of the simulator.
pub const SCENES: &[DynamicScene] = &[
    DynamicScene {
        name: "stacking",
        title: "20 boxes of 4 x 2 x 4, moved aside by up to 0.2, in a stack",
        hertz: 200,
        frames: 2000,
        has_seed: true,
        play: Play::Forces(|options, seed| scenes::stacking(&Stack { count: 20, round: false, seed }, options)),
    },
    DynamicScene {
        name: "stacking-round",
        title: "20 round boxes of 4 x 2 x 4, moved aside by up to 0.2, in a stack",
        hertz: 200,
        frames: 2000,
        has_seed: true,
        play: Play::Forces(|options, seed| scenes::stacking(&Stack { count: 20, round: true, seed }, options)),
    },
    DynamicScene {
        name: "brick-wall",
        title: "a ball shot at a wall of 120 bricks",
        hertz: 60,
        frames: 300,
        has_seed: false,
        play: Play::Forces(|options, _| scenes::brick_wall(12, 10, options)),
    },
    DynamicScene {
        name: "figure",
        title: "a figure of 12 links falls down 10 stairs",
        hertz: 60,
        frames: 300,
        has_seed: false,
        play: Play::Forces(|options, _| scenes::figure_on_stairs(10, options)),
    },
    DynamicScene {
        name: "bowl",
        title: "1,000 bodies of seven kinds poured into a bowl",
        hertz: 60,
        frames: 600,
        has_seed: true,
        play: Play::Forces(|options, seed| scenes::bowl(1000, seed, options)),
    },
    DynamicScene {
        name: "card-house",
        title: "a card house of 4 storeys",
        hertz: 60,
        frames: 300,
        has_seed: false,
        play: Play::Forces(|options, _| scenes::card_house(4, options)),
    },
    DynamicScene {
        name: "dominoes",
        title: "a row of 40 dominoes of which the first is pushed over",
        hertz: 60,
        frames: 900,
        has_seed: false,
        play: Play::Forces(|options, _| scenes::dominoes(40, options)),
    },
    DynamicScene {
        name: "walker",
        title: "a walker wanders at random through a building of three storeys",
        hertz: 60,
        frames: 3600,
        has_seed: true,
        play: Play::Walker,
    },
];

/// The scene of this name.
pub fn find(name: &str) -> Option<&'static DynamicScene> {
    SCENES.iter().find(|scene| scene.name == name)
}

/// What a run has come to.
#[derive(Default)]
struct Totals {
    phases: Phases,
    stopped: usize,
    deepest: f64,
    last: StepReport,
}

/// Runs a scene of the simulator.
///
/// # Errors
/// If the output cannot be written.
pub fn run(
    scene: &DynamicScene,
    options: &Options,
    progress: &Progress,
    output: &mut (dyn Write + Send),
    errors: &mut dyn Write,
) -> io::Result<Outcome> {
    let overrides = &options.overrides;
    let given = [
        ("--mode", overrides.mode.is_some()),
        ("--broad", overrides.broad.is_some()),
        ("--seed", overrides.seed.is_some() && !scene.has_seed),
    ];
    if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
        writeln!(errors, "clearance: {}: {name} does not apply to this scene", scene.name)?;
        return Ok(Outcome::BadInput);
    }
    let ran = match scene.play {
        Play::Forces(build) => frames(scene, build, options, progress, output),
        Play::Walker => {
            let DynamicScene { name, title, hertz, .. } = *scene;
            let frames = overrides.frames.unwrap_or(scene.frames);
            walker::frames(&Walk { name, title, hertz, frames }, options, progress, output)
        }
    };
    match ran {
        Ok(()) => Ok(Outcome::Fine),
        Err(Stopped::Output(error)) => Err(error),
        Err(Stopped::Scene(error)) => {
            writeln!(errors, "clearance: {}: {error}", scene.name)?;
            Ok(Outcome::BadInput)
        }
        Err(Stopped::Film(error)) => {
            writeln!(errors, "clearance: {error}")?;
            Ok(Outcome::BadInput)
        }
    }
}

/// Runs the frames and tells them, then the summary.
fn frames(
    scene: &DynamicScene,
    build: fn(SimulationOptions, u64) -> Result<Simulation, SimError>,
    options: &Options,
    progress: &Progress,
    output: &mut (dyn Write + Send),
) -> Result<(), Stopped> {
    let step = 1.0 / f64::from(scene.hertz);
    let solver = Solver::SoftStep(SoftStep::for_step(step));
    let wanted = SimulationOptions { step, solver, ..SimulationOptions::default() };
    let mut simulation = build(wanted, u64::from(options.overrides.seed.unwrap_or(1)))?;
    let frames = options.overrides.frames.unwrap_or(scene.frames);
    match (options.json, options.per_frame) {
        (true, true) => writeln!(output, "{}", head(scene, &simulation)?)?,
        (true, false) => {}
        (false, per_frame) => {
            writeln!(output, "{}: {}\n", scene.name, scene.title)?;
            if per_frame {
                writeln!(output, "{:>8} {:>8} {:>8} {:>8} {:>12}", "frame", "awake", "pairs", "points", "fastest")?;
            }
        }
    }
    let mut film = options.glb.as_ref().map(|_| film_of(&simulation)).transpose()?;
    let mut totals = Totals::default();
    progress.start(u64::from(frames), "frames");
    for frame in 1..=frames {
        let report = simulation.step()?;
        totals.phases = totals.phases.plus(&report.phases);
        totals.stopped += report.stopped;
        totals.deepest = simulation.contacts().map(|contact| contact.distance).fold(totals.deepest, f64::min);
        if options.per_frame && options.json {
            writeln!(output, "{}", poses(frame, &simulation)?)?;
        } else if options.per_frame {
            let StepReport { awake, pairs, points, .. } = report;
            writeln!(output, "{frame:>8} {awake:>8} {pairs:>8} {points:>8} {:>12.6}", simulation.fastest())?;
        }
        totals.last = report;
        if let Some(film) = &mut film {
            let bodies: Vec<_> = simulation.bodies().collect();
            film.take(frame, |body| simulation.pose(bodies[body]).ok())?;
        }
        progress.advance(1);
    }
    progress.finish();
    finish_film(film, options.glb.as_deref()).map_err(Stopped::Film)?;
    let summary = summary(scene, frames, &simulation, &totals);
    match (options.json, options.per_frame) {
        (true, true) => writeln!(output, "{}", json!({"summary": summary}))?,
        (true, false) => writeln!(output, "{summary}")?,
        (false, _) => write_summary(&summary, output)?,
    }
    Ok(())
}

/// A film of the bodies of a simulation.
fn film_of(simulation: &Simulation) -> Result<Film, SimError> {
    let filmed = simulation.bodies().map(|body| {
        Ok(Filmed {
            name: format!("body {}", body.index()),
            body: simulation.body(body)?,
            pose: simulation.pose(body)?,
            moves: simulation.kind(body)? != BodyKind::Fixed,
        })
    });
    let filmed = filmed.collect::<Result<Vec<_>, SimError>>()?;
    Ok(Film::new(filmed.into_iter(), simulation.options().step))
}

/// The line before the frames: what the poses are of.
fn head(scene: &DynamicScene, simulation: &Simulation) -> Result<Value, SimError> {
    let kinds = simulation.bodies().map(|body| {
        Ok(match simulation.kind(body)? {
            BodyKind::Fixed => "fixed",
            BodyKind::Kinematic => "kinematic",
            BodyKind::Dynamic => "dynamic",
        })
    });
    let kinds = kinds.collect::<Result<Vec<_>, SimError>>()?;
    Ok(json!({"scene": scene.name, "title": scene.title, "step": simulation.options().step, "bodies": kinds}))
}

/// A frame as a line: translation and rotation (x, y, z, w) of each body.
fn poses(frame: u32, simulation: &Simulation) -> Result<Value, SimError> {
    let pose = |body| Ok(pose_of(&simulation.pose(body)?));
    let poses = simulation.bodies().map(pose).collect::<Result<Vec<_>, SimError>>()?;
    Ok(json!({"frame": frame, "poses": poses}))
}

fn summary(scene: &DynamicScene, frames: u32, simulation: &Simulation, totals: &Totals) -> Value {
    let energy = simulation.energy();
    let seconds = |time: std::time::Duration| time.as_secs_f64();
    json!({
        "scene": scene.name,
        "frames": frames,
        "seconds": simulation.time(),
        "bodies": simulation.bodies().count(),
        "awake": totals.last.awake,
        "pairs": totals.last.pairs,
        "points": totals.last.points,
        "fastest": simulation.fastest(),
        "deepest_overlap": -totals.deepest,
        "kinetic_energy": energy.kinetic,
        "potential_energy": energy.potential,
        "stopped_by_casts": totals.stopped,
        "outside": totals.last.outside.iter().map(|body| body.index()).collect::<Vec<_>>(),
        "time": {
            "collide": seconds(totals.phases.collide),
            "solve": seconds(totals.phases.solve),
            "finish": seconds(totals.phases.finish),
            "threads": rayon::current_num_threads(),
        },
    })
}

/// The summary for people.
fn write_summary(summary: &Value, output: &mut dyn Write) -> io::Result<()> {
    write_members(summary, output)?;
    let of = |phase: &str| 1e3 * summary["time"][phase].as_f64().unwrap_or(0.0);
    let frames = summary["frames"].as_f64().unwrap_or(1.0).max(1.0);
    let [collide, solve, finish] = ["collide", "solve", "finish"].map(|phase| of(phase) / frames);
    writeln!(output, "ms per frame       {collide:.3} collide, {solve:.3} solve, {finish:.3} finish")
}
