//! A brick wall that is shot at and a figure that falls down stairs, moved as DOOM III does: each body through the world by casts, with
//! impulses at what it meets (van Waveren 2005, section 6), at several update frequencies and in both precisions.
//!
//! The paper shows a picture and says that bricks do not sink into each other and that nothing blows up, whatever the frequency. Depths and
//! energies are measured here after every step, by queries that the mover has no part in.

use rayon::prelude::*;

use crate::{Experiment, Failure, Plot, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "brick-wall",
    title: "a brick wall shot at and a figure on stairs, moved by casts: depth and energy against update frequency",
    reproduces: "doom3 section 6 and figure 6",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Courses of the wall, and bricks of a course.
    pub wall: [u32; 2],
    /// Seconds simulated.
    pub seconds: f64,
}

const FULL: Sizes = Sizes { wall: [8, 6], seconds: 10.0 };
const QUICK: Sizes = Sizes { wall: [4, 3], seconds: 2.0 };

const RATES: [u32; 4] = [30, 60, 120, 240];
const PRECISIONS: [&str; 2] = ["f64", "f32"];
const SCENES: [&str; 2] = ["wall", "figure"];
/// The speed of what is shot at the wall.
const SPEED: f64 = 20.0;

/// What became of a scene.
struct Outcome {
    scene: usize,
    precision: usize,
    rate: u32,
    zone: f64,
    /// Of the figure: the length of its shortest link.
    length: f64,
    bodies: usize,
    depth: f64,
    growth: f64,
    removed: f64,
    energy: f64,
    lost: u32,
    resting: u32,
    joint: f64,
    moved: u32,
}

macro_rules! precision {
    ($module:ident, $sim:ident, $clearance:ident, $place:literal) => {
        mod $module {
            use super::{Outcome, SPEED, Sizes};
            use crate::Failure;
            use $clearance::math::{narrow_real, widen_real};
            use $sim::doom::RoomOptions;
            use $sim::doom::experiment::{brick_wall, figure_on_stairs};

            pub(super) fn scene(scene: usize, rate: u32, sizes: &Sizes) -> Result<Outcome, Failure> {
                let options = RoomOptions::default();
                let mut made = match scene {
                    0 => brick_wall(sizes.wall[0], sizes.wall[1], narrow_real(SPEED), options)?,
                    _ => figure_on_stairs(options)?,
                };
                let report = made.run(narrow_real(f64::from(rate)), narrow_real(sizes.seconds), true)?;
                Ok(Outcome {
                    scene,
                    precision: $place,
                    rate,
                    zone: widen_real(options.zone),
                    length: 0.2,
                    bodies: made.bodies.len(),
                    depth: widen_real(report.penetration),
                    growth: widen_real(report.growth),
                    removed: widen_real(report.removed),
                    energy: widen_real(report.energy),
                    lost: report.lost,
                    resting: report.resting,
                    joint: widen_real(report.joint_error),
                    moved: report.moved,
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
/// If a scene cannot be built.
pub fn run_with(_: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let questions: Vec<(usize, usize, u32)> = (0..SCENES.len())
        .flat_map(|scene| (0..PRECISIONS.len()).flat_map(move |p| RATES.map(|rate| (scene, p, rate))))
        .collect();
    progress.start(questions.len() as u64, "scenes");
    let outcomes: Vec<Outcome> = questions
        .par_iter()
        .map(|&(scene, precision, rate)| {
            let outcome =
                if precision == 0 { double::scene(scene, rate, sizes) } else { single::scene(scene, rate, sizes) };
            progress.advance(1);
            outcome
        })
        .collect::<Result<_, Failure>>()?;
    Ok(report(&outcomes))
}

fn report(outcomes: &[Outcome]) -> Report {
    let columns = [
        "scene",
        "precision",
        "rate",
        "bodies",
        "deepest",
        "growth",
        "removed",
        "energy",
        "lost",
        "resting",
        "joint_gap",
        "moved",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for one in outcomes {
        let labels = [SCENES[one.scene].into(), PRECISIONS[one.precision].into(), one.rate.into(), one.bodies.into()];
        let figures = [one.depth, one.growth, one.removed, one.energy].map(crate::Value::from);
        let rest = [one.lost.into(), one.resting.into(), one.joint.into(), one.moved.into()];
        report.row(labels.into_iter().chain(figures).chain(rest));
    }
    let most = |value: fn(&Outcome) -> f64| outcomes.iter().map(value).fold(0.0, f64::max);
    let depth = most(|one| one.depth / one.zone);
    let text = format!("{depth:.1e} of the zone");
    report.claim(
        "bodies overlap by no more than the expel zone, at any time and frequency",
        "never interpenetrate",
        text,
        depth <= 1.0,
    );
    let growth = most(|one| one.growth);
    report.claim("the energy never grows", "does not blow up", format!("{growth:.1e} of the start"), growth <= 1e-9);
    report.why_not("the wall's does not; the figure's grows by what drawing its joints together lifts it");
    let lost: u32 = outcomes.iter().map(|one| one.lost).sum();
    report.claim("no body is lost", "–", lost, lost == 0);
    let joint = outcomes.iter().filter(|one| one.scene == 1).map(|one| one.joint / one.length).fold(0.0, f64::max);
    report.claim("the figure's joints hold to 1e-3 of a link", "goal: 1e-3", joint, joint <= 1e-3);
    let walls = || outcomes.iter().filter(|one| one.scene == 0);
    let shares: Vec<f64> = walls().map(|one| f64::from(one.moved) / one.bodies as f64).collect();
    let text = shares.iter().map(|share| format!("{:.0} %", 100.0 * share)).collect::<Vec<_>>().join(", ");
    let claim = "the wall is blown apart at every frequency";
    report.claim(claim, "independent from the update frequency", text, shares.iter().all(|share| *share > 0.0));
    let mut plot = Plot::new("energy", "Energy left of the wall", "steps a second", "share of the start");
    for (place, name) in PRECISIONS.into_iter().enumerate() {
        let of = walls().filter(|one| one.precision == place);
        plot.line(name, of.map(|one| (f64::from(one.rate), one.energy)));
    }
    report.plot(plot);
    report
}
