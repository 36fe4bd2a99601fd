//! Stacks of boxes: tables 2 and 3 of the implicit-objects thesis (section 4.2), and the modern solver beside the thesis's.
//!
//! Boxes of 4 × 2 × 4, each moved aside by up to 0.2, at 200 steps a second; a stack is stable if it has not collapsed after five simulated
//! minutes. The thesis's solver with each of its three ways to find contacts, by the algorithm of its name, with 20, 40 and 60
//! iterations, in both precisions, with the thesis's manifold and with clipped ones. Times are of collision detection per pair and step.
//!
//! Departures: the thesis prints neither the share of an overlap that is projected away nor the damping; they are those of
//! [`clearance_sim::Thesis`]. A stack is one random draw, as in the thesis.

use rayon::prelude::*;

use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "stacking",
    title: "tallest stable stacks by collision algorithm, iterations, manifold and precision; the modern solver beside",
    reproduces: "implicit-objects tables 2 and 3",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Seconds that a stack must stand.
    pub seconds: f64,
    /// The tallest stack that is tried.
    pub most: usize,
    /// Boxes of the modern solver's stack.
    pub modern: usize,
}

const FULL: Sizes = Sizes { seconds: 300.0, most: 20, modern: 40 };
const QUICK: Sizes = Sizes { seconds: 5.0, most: 12, modern: 10 };

/// The collision algorithms of the tables.
const WAYS: [&str; 3] = ["swept GJK + EPA", "SA-GJK + EPA", "MPR"];
const ITERATIONS: [u32; 3] = [60, 40, 20];
const PRECISIONS: [&str; 2] = ["f64", "f32"];
/// The ball that bodies are swept by.
const SWEPT: f64 = 0.05;

/// The thesis's stacks: by shape, iterations, algorithm and precision.
const TABLES: [[[[usize; 2]; 3]; 3]; 2] = [
    [[[17, 16], [17, 17], [17, 17]], [[14, 14], [14, 14], [14, 13]], [[10, 9], [11, 10], [10, 10]]],
    [[[19, 17], [19, 19], [18, 18]], [[16, 15], [16, 16], [15, 15]], [[11, 10], [11, 10], [10, 10]]],
];

/// One cell of a table.
#[derive(Clone, Copy, Debug)]
struct Question {
    round: bool,
    iterations: usize,
    way: usize,
    precision: usize,
    perturbed: bool,
}

/// What was found: boxes, nanoseconds per pair, and how long the next taller stack stood.
type Found = (usize, f64, Option<f64>);

/// What a stack of the modern solver did: whether it stood, its highest speed at the end.
type Modern = (bool, f64);

macro_rules! precision {
    ($module:ident, $sim:ident, $clearance:ident) => {
        mod $module {
            use super::{Found, ITERATIONS, Modern, Question, SWEPT, Sizes};
            use crate::Failure;
            use $clearance::Method;
            use $clearance::math::{narrow_real, widen_real};
            use $sim::scenes::{Stack, stack_end, tallest_stack};
            use $sim::{Narrow, SimulationOptions, SoftStep, Solver, Thesis};

            pub(super) fn tallest(question: &Question, sizes: &Sizes, first: usize) -> Result<Found, Failure> {
                let narrow = match question.way {
                    0 => Narrow::SweptGjk { radius: narrow_real(SWEPT) },
                    1 => Narrow::SaGjk,
                    _ => Narrow::Mpr,
                };
                let manifold = if question.perturbed { Method::Perturbed } else { Method::Clip };
                let iterations = ITERATIONS[question.iterations];
                let solver = Solver::Thesis(Thesis { iterations, narrow, manifold, ..Thesis::default() });
                let options = SimulationOptions { step: 1.0 / 200.0, solver, ..SimulationOptions::default() };
                let stack = Stack { count: first, round: question.round, seed: 1 };
                let found = tallest_stack(&stack, options, narrow_real(sizes.seconds), sizes.most)?;
                Ok((found.count, found.per_pair.as_nanos() as f64, found.next.map(widen_real)))
            }

            pub(super) fn modern(count: usize, seconds: f64, sleeping: bool) -> Result<Modern, Failure> {
                let step = 1.0 / 240.0;
                let solver = Solver::SoftStep(SoftStep::for_step(step));
                let options = SimulationOptions { step, solver, sleeping, ..SimulationOptions::default() };
                let end = stack_end(&Stack { count, round: false, seed: 1 }, options, narrow_real(seconds))?;
                Ok((end.stands, widen_real(end.fastest)))
            }
        }
    };
}
precision!(double, clearance_sim, clearance);
precision!(single, clearance_sim_f32, clearance_f32);

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the experiment with sizes of one's own.
///
/// # Errors
/// If a stack cannot be built.
pub fn run_with(_: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut questions = Vec::new();
    for round in [false, true] {
        for iterations in 0..ITERATIONS.len() {
            for way in 0..WAYS.len() {
                for perturbed in [true, false] {
                    for precision in 0..PRECISIONS.len() {
                        questions.push(Question { round, iterations, way, precision, perturbed });
                    }
                }
            }
        }
    }
    progress.start(questions.len() as u64, "stacks");
    let found: Vec<Found> = questions
        .par_iter()
        .map(|question| {
            let first = paper(question).min(sizes.most);
            let found = match question.precision {
                0 => double::tallest(question, sizes, first),
                _ => single::tallest(question, sizes, first),
            };
            progress.advance(1);
            found
        })
        .collect::<Result<_, Failure>>()?;
    let mut report = Report::new(
        EXPERIMENT.name,
        &[
            "shape",
            "algorithm",
            "iterations",
            "manifold",
            "precision",
            "thesis",
            "tallest",
            "ns_per_pair",
            "next_stood_s",
        ],
    );
    for (question, (tallest, time, next)) in questions.iter().zip(&found) {
        report.row([
            shape(question.round).into(),
            WAYS[question.way].into(),
            ITERATIONS[question.iterations].into(),
            if question.perturbed { "perturbed" } else { "clipped" }.into(),
            PRECISIONS[question.precision].into(),
            paper(question).into(),
            (*tallest).into(),
            (*time).into(),
            next.map_or("–".into(), crate::Value::from),
        ]);
    }
    claims(&mut report, &questions, &found, sizes);
    modern(&mut report, sizes)?;
    Ok(report)
}

fn shape(round: bool) -> &'static str {
    if round { "round boxes" } else { "boxes" }
}

fn paper(question: &Question) -> usize {
    TABLES[usize::from(question.round)][question.iterations][question.way][question.precision]
}

fn claims(report: &mut Report, questions: &[Question], found: &[Found], sizes: &Sizes) {
    for perturbed in [true, false] {
        for round in [false, true] {
            let of = || questions.iter().zip(found).filter(move |(q, _)| q.round == round && q.perturbed == perturbed);
            let short: Vec<String> = of()
                .filter(|(question, found)| found.0 < paper(question).min(sizes.most))
                .map(|(question, found)| {
                    let (way, iterations) = (WAYS[question.way], ITERATIONS[question.iterations]);
                    format!(
                        "{way} ({iterations}) {}: {} of {}",
                        PRECISIONS[question.precision],
                        found.0,
                        paper(question)
                    )
                })
                .collect();
            let manifold = if perturbed { "the thesis's manifold" } else { "clipped manifolds" };
            let table = if round { 3 } else { 2 };
            let claim = format!(
                "table {table}: with {manifold} stacks of {} are as tall as the thesis's in every row",
                shape(round)
            );
            let text = if short.is_empty() { "all 18".to_owned() } else { short.join("; ") };
            report.claim(
                claim,
                "17, 14, 10 boxes; 19, 16, 11 round boxes with 60, 40, 20 iterations",
                text,
                short.is_empty(),
            );
            report.why_not("a stack is one random draw, and the share of an overlap that is projected away is not printed: see how long the next taller one stood");
        }
    }
    let tallest = |q: &dyn Fn(&Question) -> bool| {
        let chosen: Vec<usize> =
            questions.iter().zip(found).filter(|(question, _)| q(question)).map(|(_, f)| f.0).collect();
        chosen.iter().sum::<usize>() as f64 / chosen.len().max(1) as f64
    };
    let [many, few] = [0, 2].map(|i| tallest(&|q: &Question| q.iterations == i));
    let [swept, sa, mpr] = [0, 1, 2].map(|way| tallest(&|q: &Question| q.way == way));
    let spread = swept.max(sa).max(mpr) - swept.min(sa).min(mpr);
    let claim = "4.2.1: the solver's quality matters more than the collision algorithm";
    let text = format!("iterations {few:.1} to {many:.1}, algorithms {swept:.1}, {sa:.1}, {mpr:.1}");
    report.claim(claim, "significantly", text, many - few > spread);
    let [sharp, round] = [false, true].map(|round| tallest(&|q: &Question| q.round == round));
    let claim = "4.2.2: stacks of round boxes are taller";
    report.claim(claim, "taller", format!("{round:.1} against {sharp:.1}"), round > sharp);
    report.why_not(
        "the faces that round boxes rest on are smaller by the rounding, whose radius the thesis does not print",
    );
}

fn modern(report: &mut Report, sizes: &Sizes) -> Result<(), Failure> {
    let of = |count, seconds, sleeping| -> Result<[Modern; 2], Failure> {
        Ok([double::modern(count, seconds, sleeping)?, single::modern(count, seconds, sleeping)?])
    };
    let tall = of(sizes.modern, sizes.seconds, false)?;
    let text = format!("f64 {}, f32 {}", word(tall[0].0), word(tall[1].0));
    let claim = format!(
        "the modern solver: {} boxes stand for {} s, without sleep, 240 steps a second",
        sizes.modern, sizes.seconds
    );
    report.claim(claim, "goal: 40 boxes, 5 minutes", text, tall.iter().all(|end| end.0));
    let rest = of(10, 10.0, false)?;
    let text = format!("f64 {:.1e}, f32 {:.1e} m/s", rest[0].1, rest[1].1);
    let claim = "the modern solver: 10 boxes rest below 1e-6 m/s after 10 s, without sleep";
    report.claim(claim, "goal: 1e-6", text, rest.iter().all(|end| end.1 < 1e-6));
    report
        .why_not("in single precision a unit in the last place of a height of 20 is 4.6e-4 m/s at 240 steps a second");
    Ok(())
}

fn word(stands: bool) -> &'static str {
    if stands { "stands" } else { "falls" }
}
