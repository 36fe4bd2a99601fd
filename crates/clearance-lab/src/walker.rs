//! A walker that wanders through worlds at random, at several frame rates and in both precisions: never in a solid, never stuck while the way
//! ahead is free, the same way on every run, and what a frame costs.
//!
//! The worlds are a generated building, a generated staircase and, where the data stand beside the project, maps of a game. Faults are looked
//! for by queries that the walker has no part in; times are of runs without them.

use std::time::Instant;

use clearance_testkit::{Building, BuildingPlan};
use rayon::prelude::*;

use crate::doom3_casts::maps;
use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "walker",
    title: "a character that wanders at random: frames in solids, stuck frames, the same way again, time per frame",
    reproduces: "doom3 section 6, player movement",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Frames in each world at each rate.
    pub frames: u32,
    /// Frames that are timed.
    pub timed: u32,
}

const FULL: Sizes = Sizes { frames: 250_000, timed: 20_000 };
const QUICK: Sizes = Sizes { frames: 2_000, timed: 1_000 };

const RATES: [u32; 4] = [30, 60, 144, 300];
const PRECISIONS: [&str; 2] = ["f64", "f32"];
/// Microseconds that a frame may take on a map.
const BUDGET: f64 = 50.0;

/// Where it walks: the text of a map, or a staircase.
struct Place {
    name: String,
    map: Option<String>,
}

/// What was found.
struct Outcome {
    place: usize,
    precision: usize,
    rate: u32,
    frames: u32,
    in_solid: u32,
    stuck: u32,
    crushed: u32,
    travelled: f64,
    nearest: f64,
    same: bool,
    micros: f64,
}

macro_rules! precision {
    ($module:ident, $sim:ident, $clearance:ident, $place:literal) => {
        mod $module {
            use super::{Instant, Outcome, Place, Sizes};
            use crate::Failure;
            use $clearance::brush::Map;
            use $clearance::math::{narrow_real, widen_real};
            use $sim::walk::experiment::{Trial, staircase, world_of_map};

            pub(super) fn walk(
                number: usize,
                place: &Place,
                rate: u32,
                seed: u64,
                sizes: &Sizes,
            ) -> Result<Outcome, Failure> {
                let per_second = narrow_real(f64::from(rate));
                let (world, trial) = match &place.map {
                    Some(text) => {
                        let (world, starts) = world_of_map(&Map::parse(text)?)?;
                        (world, Trial::player(per_second, starts)?)
                    }
                    None => {
                        let (world, starts) = staircase(60)?;
                        (world, Trial::person(per_second, starts)?)
                    }
                };
                let trial = Trial { frames: sizes.frames, seed, ..trial };
                let found = trial.run(&world, true)?;
                let again = trial.run(&world, false)?;
                let timed = Trial { frames: sizes.timed, ..trial };
                let start = Instant::now();
                timed.run(&world, false)?;
                let micros = start.elapsed().as_secs_f64() * 1e6 / f64::from(sizes.timed.max(1));
                Ok(Outcome {
                    place: number,
                    precision: $place,
                    rate,
                    frames: found.frames,
                    in_solid: found.in_solid,
                    stuck: found.stuck,
                    crushed: found.crushed,
                    travelled: widen_real(found.travelled),
                    nearest: widen_real(found.nearest),
                    same: found.path == again.path && found.end == again.end,
                    micros,
                })
            }
        }
    };
}
precision!(double, clearance_sim, clearance, 0);
precision!(single, clearance_sim_f32, clearance_f32, 1);

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the experiment with sizes of one's own.
///
/// # Errors
/// If a world cannot be built.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let building = Building::new(&BuildingPlan::default());
    let mut places = vec![
        Place { name: "building".to_owned(), map: Some(building.map_text()) },
        Place { name: "staircase".to_owned(), map: None },
    ];
    places.extend(maps()?.into_iter().map(|(name, text)| Place { name, map: Some(text) }));
    let questions: Vec<(usize, usize, u32)> = (0..places.len())
        .flat_map(|place| (0..PRECISIONS.len()).flat_map(move |p| RATES.map(|rate| (place, p, rate))))
        .collect();
    progress.start(questions.len() as u64, "walks");
    let outcomes: Vec<Outcome> = questions
        .par_iter()
        .map(|&(number, precision, rate)| {
            let (place, seed) = (&places[number], settings.seed);
            let outcome = match precision {
                0 => double::walk(number, place, rate, seed, sizes),
                _ => single::walk(number, place, rate, seed, sizes),
            };
            progress.advance(1);
            outcome
        })
        .collect::<Result<_, Failure>>()?;
    Ok(report(&places, &outcomes))
}

fn report(places: &[Place], outcomes: &[Outcome]) -> Report {
    let columns = [
        "world",
        "precision",
        "rate",
        "frames",
        "in_solid",
        "stuck",
        "crushed",
        "travelled",
        "nearest_of_skin",
        "us_per_frame",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for one in outcomes {
        let name = places[one.place].name.as_str();
        let labels = [name.into(), PRECISIONS[one.precision].into(), one.rate.into(), one.frames.into()];
        let faults = [one.in_solid, one.stuck, one.crushed].map(crate::Value::from);
        let figures = [one.travelled, one.nearest, one.micros].map(crate::Value::from);
        report.row(labels.into_iter().chain(faults).chain(figures));
    }
    let frames: u64 = outcomes.iter().map(|one| u64::from(one.frames)).sum();
    let sum = |value: fn(&Outcome) -> u32| outcomes.iter().map(|one| u64::from(value(one))).sum::<u64>();
    for (what, count) in
        [("in a solid", sum(|one| one.in_solid)), ("stuck while the way ahead is free", sum(|one| one.stuck))]
    {
        report.claim(
            format!("the walker is never {what}"),
            "goal: never",
            format!("{count} of {frames} frames"),
            count == 0,
        );
    }
    let differ = outcomes.iter().filter(|one| !one.same).count();
    report.claim("it goes the same way on every run", "goal: always", format!("{differ} walks differ"), differ == 0);
    let slowest =
        outcomes.iter().filter(|one| places[one.place].map.is_some()).map(|one| one.micros).fold(0.0, f64::max);
    let text = format!("{slowest:.1} µs at most");
    report.claim(format!("a frame takes less than {BUDGET} µs on maps"), "goal: 0.05 ms", text, slowest < BUDGET);
    report
}
