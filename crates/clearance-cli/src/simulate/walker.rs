//! The scene of a character that wanders through a generated building, and is nowhere in a solid: the walker of `clearance-sim`.
//!
//! Nothing else moves, so that a frame is told as one pose. Lengths are in units of maps, of which 32 are a metre.

use std::io::Write;
use std::time::{Duration, Instant};

use clearance::brush::Map;
use clearance::world::World;
use clearance::{Body, Real};
use clearance_sim::walk::experiment::{Play, Trial, world_of_map};
use clearance_terminal::Progress;
use clearance_testkit::{Building, BuildingPlan};
use serde_json::{Value, json};

use super::film::{Film, Filmed};
use super::told::{Stopped, pose_of, write_members};
use super::{Options, finish_film};

/// What is played.
pub(super) struct Walk {
    pub name: &'static str,
    pub title: &'static str,
    /// Frames a second.
    pub hertz: u32,
    pub frames: u32,
}

/// Runs the frames and tells them, then the summary. The seed decides the building and the way.
pub(super) fn frames(
    scene: &Walk,
    options: &Options,
    progress: &Progress,
    output: &mut (dyn Write + Send),
) -> Result<(), Stopped> {
    let seed = u64::from(options.overrides.seed.unwrap_or(1));
    let frames = scene.frames;
    let building = Building::new(&BuildingPlan { seed, ..BuildingPlan::default() });
    let (world, starts) = world_of_map(&Map::parse(&building.map_text())?)?;
    // It has one shape, as a film shows it, and stays where its way leads.
    let player = Trial::player(Real::from(scene.hertz), starts)?;
    let trial = Trial { frames, seed, low: None, stay: Real::INFINITY, ..player };
    let mut play = trial.begin(&world)?;
    write_head(scene, options, &world, output)?;
    let walker = Body::from(trial.body.clone());
    let mut film = options.glb.as_ref().map(|_| film_of(scene, &world, &walker, &play));
    let mut time = Duration::ZERO;
    progress.start(u64::from(frames), "frames");
    for frame in 1..=frames {
        let begin = Instant::now();
        let walked = play.frame(&world, true)?;
        time += begin.elapsed();
        if options.per_frame && options.json {
            let told = json!({"frame": frame, "grounded": walked.ground.is_some(), "poses": [pose_of(&walked.pose)]});
            writeln!(output, "{told}")?;
        } else if options.per_frame {
            let ([x, y, z], speed) = (walked.pose.translation().to_array(), walked.velocity.length());
            let ground = if walked.ground.is_some() { "yes" } else { "no" };
            writeln!(output, "{frame:>8} {x:>10.3} {y:>10.3} {z:>10.3} {ground:>8} {speed:>10.3}")?;
        }
        if let Some(film) = &mut film {
            film.take(frame, |_| Some(walked.pose))?;
        }
        progress.advance(1);
    }
    progress.finish();
    finish_film(film, options.glb.as_deref()).map_err(Stopped::Film)?;
    let summary = summary(scene, &play, &world, time);
    match (options.json, options.per_frame) {
        (true, true) => writeln!(output, "{}", json!({"summary": summary}))?,
        (true, false) => writeln!(output, "{summary}")?,
        (false, _) => {
            write_members(&summary, output)?;
            let per_frame = 1e3 * time.as_secs_f64() / f64::from(frames.max(1));
            writeln!(output, "ms per frame       {per_frame:.3} with the search for faults")?;
        }
    }
    Ok(())
}

/// What comes before the frames.
fn write_head(scene: &Walk, options: &Options, world: &World, output: &mut (dyn Write + Send)) -> Result<(), Stopped> {
    if options.json && options.per_frame {
        let step = 1.0 / f64::from(scene.hertz);
        let head = json!({"scene": scene.name, "title": scene.title, "step": step, "bodies": ["walker"], "fixed": world.len()});
        writeln!(output, "{head}")?;
    } else if !options.json {
        writeln!(output, "{}: {}\n", scene.name, scene.title)?;
        if options.per_frame {
            let [x, y, z] = ["x", "y", "z"];
            writeln!(output, "{:>8} {x:>10} {y:>10} {z:>10} {:>8} {:>10}", "frame", "grounded", "speed")?;
        }
    }
    Ok(())
}

/// A film of the walker, which comes first, and of the building.
fn film_of(scene: &Walk, world: &World, walker: &Body, play: &Play<'_>) -> Film {
    let walker = Filmed { name: "walker".to_owned(), body: walker, pose: *play.walker().pose(), moves: true };
    let fixed = world.ids().filter_map(|id| {
        let (body, pose) = (world.body(id).ok()?, *world.pose(id).ok()?);
        Some(Filmed { name: format!("brush {}", id.index()), body, pose, moves: false })
    });
    Film::new(std::iter::once(walker).chain(fixed), 1.0 / f64::from(scene.hertz))
}

fn summary(scene: &Walk, play: &Play<'_>, world: &World, time: Duration) -> Value {
    let report = play.report();
    // It is the only body that could be lost.
    let outside: &[u32] = if report.lost > 0 { &[0] } else { &[] };
    json!({
        "scene": scene.name,
        "frames": report.frames,
        "seconds": f64::from(report.frames) / f64::from(scene.hertz),
        "bodies": 1 + world.len(),
        "grounded": report.grounded,
        "jumps": report.jumps,
        "travelled": report.travelled,
        "nearest": report.nearest * play.walker().walk().skin,
        "in_solid": report.in_solid,
        "stuck": report.stuck,
        "crushed": report.crushed,
        "outside": outside,
        "time": {"walk": time.as_secs_f64(), "threads": rayon::current_num_threads()},
    })
}
