//! `clearance simulate`: a moving environment, frame by frame (Q_COLLIDE, chapter 6).
//!
//! - [`source`]: files and the program's own scenes; [`scene`]: their format; [`swarm`]: bodies made at random
//! - [`motion`]: how bodies move; [`room`]: the walls
//! - [`dynamics`]: scenes of the simulator, with gravity and contacts; [`walker`]: the one of a character in a building
//! - [`coherence`]: what remembering saves; [`frame`], [`summary`], `told`: what is told; [`film`]: the motion as a file
//!
//! The same scene and seed give the same output for any number of threads, but for the times.

pub mod coherence;
pub mod dynamics;
pub mod film;
pub mod frame;
pub mod motion;
pub mod room;
pub mod scene;
pub mod source;
pub mod summary;
pub mod swarm;
mod told;
pub mod walker;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clearance::Body;
use clearance_terminal::Progress;
use serde_json::json;

use crate::Outcome;
use coherence::{Sample, compare, sampled};
use film::{Film, Filmed, TooLong};
use motion::{RunError, Simulation};
use scene::{Overrides, Scene};
use summary::{Summary, Totals};

/// What to run and what to tell.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// In place of what the scene says.
    pub overrides: Overrides,
    /// How many threads; as many as there are processors if absent.
    pub threads: Option<usize>,
    /// JSON instead of text.
    pub json: bool,
    /// Every frame, and not only the summary.
    pub per_frame: bool,
    /// Where to write the motion as GLB.
    pub glb: Option<PathBuf>,
}

/// Lists the scenes that the program brings along.
///
/// # Errors
/// If the list cannot be written.
pub fn list(json: bool, output: &mut dyn Write) -> io::Result<Outcome> {
    let files = source::BUILT_IN.iter().map(|known| (known.name, known.title()));
    let dynamic = dynamics::SCENES.iter().map(|known| (known.name, known.title.to_owned()));
    for (name, title) in files.chain(dynamic) {
        if json {
            writeln!(output, "{}", json!({"name": name, "title": title}))?;
        } else {
            writeln!(output, "{name:<14} {title}")?;
        }
    }
    Ok(Outcome::Fine)
}

/// Runs a scene: a file, a built-in name, or `-` for standard input. Complaints go to `errors`.
///
/// # Errors
/// If the output cannot be written.
pub fn run(
    source: &str,
    options: &Options,
    progress: &Progress,
    output: &mut (dyn Write + Send),
    errors: &mut dyn Write,
) -> io::Result<Outcome> {
    let dynamic = dynamics::find(source);
    let scene = match dynamic.map_or_else(|| source::load(source, &options.overrides).map(Some), |_| Ok(None)) {
        Ok(scene) => scene,
        Err(error) => {
            writeln!(errors, "clearance: {error}")?;
            return Ok(Outcome::BadInput);
        }
    };
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(options.threads.unwrap_or(0)).build() {
        Ok(pool) => pool,
        Err(error) => {
            writeln!(errors, "clearance: cannot start the threads: {error}")?;
            return Ok(Outcome::BadInput);
        }
    };
    let ran = match (&scene, dynamic) {
        (Some(scene), _) => pool.install(|| run_scene(source, scene, options, progress, output)),
        (None, Some(dynamic)) => {
            let mut complaints = Vec::new();
            let outcome = pool.install(|| dynamics::run(dynamic, options, progress, output, &mut complaints));
            progress.finish();
            errors.write_all(&complaints)?;
            return outcome;
        }
        (None, None) => Ok(()),
    };
    progress.finish();
    match ran {
        Ok(()) => Ok(Outcome::Fine),
        Err(Stopped::Output(error)) => Err(error),
        Err(Stopped::Scene(error)) => {
            writeln!(errors, "clearance: {source}: {error}")?;
            Ok(Outcome::BadInput)
        }
        Err(Stopped::Film(error)) => {
            writeln!(errors, "clearance: {error}")?;
            Ok(Outcome::BadInput)
        }
    }
}

/// Why a run ended early.
enum Stopped {
    Output(io::Error),
    Scene(RunError),
    /// What is wrong with the file of the motion.
    Film(String),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<TooLong> for Stopped {
    fn from(error: TooLong) -> Self {
        Self::Film(error.to_string())
    }
}

impl From<RunError> for Stopped {
    fn from(error: RunError) -> Self {
        Self::Scene(error)
    }
}

fn run_scene(
    source: &str,
    scene: &Scene,
    options: &Options,
    progress: &Progress,
    output: &mut (dyn Write + Send),
) -> Result<(), Stopped> {
    if !options.json {
        writeln!(output, "{source}{}\n", scene.title.as_ref().map_or(String::new(), |title| format!(": {title}")))?;
        if options.per_frame {
            writeln!(output, "{}", frame::HEAD)?;
        }
    }
    let mut summary = Summary {
        source: source.to_owned(),
        totals: Totals::default(),
        times: Vec::new(),
        threads: rayon::current_num_threads(),
        coherence: None,
    };
    let samples = run_frames(scene, options, progress, &mut summary, output)?;
    summary.coherence = compare(scene, &samples)?;
    progress.finish();
    if !options.json {
        if options.per_frame {
            writeln!(output)?;
        }
        summary.write(scene, output)?;
    } else if options.per_frame {
        writeln!(output, "{}", json!({"summary": summary.to_json(scene)}))?;
    } else {
        writeln!(output, "{}", summary.to_json(scene))?;
    }
    Ok(())
}

fn run_frames(
    scene: &Scene,
    options: &Options,
    progress: &Progress,
    summary: &mut Summary,
    output: &mut (dyn Write + Send),
) -> Result<Vec<Sample>, Stopped> {
    let mut simulation = Simulation::new(scene)?;
    let recorded = sampled(scene.frames, scene.bodies.len());
    let (mut samples, mut before) = (Vec::with_capacity(recorded.len()), Vec::new());
    let mut film = options.glb.as_ref().map(|_| film_of(scene));
    progress.start(u64::from(scene.frames), "frames");
    for number in 1..=scene.frames {
        let frame = simulation.advance()?;
        let totals = Totals::of(&frame);
        film.as_mut().map_or(Ok(()), |film| film.take(number, |body| frame.poses.get(body).copied()))?;
        if options.per_frame && options.json {
            writeln!(output, "{}", frame::to_json(&frame, &totals, scene))?;
        } else if options.per_frame {
            frame::write_row(&frame, &totals, output)?;
        }
        summary.totals.add(&totals);
        summary.times.push(frame.time);
        if recorded.binary_search(&number).is_ok() {
            samples.push(Sample::new(std::mem::take(&mut before), &frame));
        }
        if recorded.binary_search(&(number + 1)).is_ok() {
            before = frame.poses.to_vec();
        }
        progress.advance(1);
    }
    finish_film(film, options.glb.as_deref()).map_err(Stopped::Film)?;
    Ok(samples)
}

/// A film of the bodies of a scene, at 60 frames a second.
fn film_of(scene: &Scene) -> Film {
    let bodies: Vec<Body> = scene.bodies.iter().map(|mover| mover.shape.clone().into()).collect();
    let filmed = scene.bodies.iter().zip(&bodies).enumerate().map(|(number, (mover, body))| Filmed {
        name: mover.name.clone().unwrap_or_else(|| format!("body {number}")),
        body,
        pose: mover.pose,
        moves: true,
    });
    Film::new(filmed, 1.0 / 60.0)
}

/// Writes the film, if there is one.
fn finish_film(film: Option<Film>, path: Option<&Path>) -> Result<(), String> {
    let Some((film, path)) = film.zip(path) else { return Ok(()) };
    film.write(path).map_err(|error| format!("{}: cannot write: {error}", path.display()))
}
