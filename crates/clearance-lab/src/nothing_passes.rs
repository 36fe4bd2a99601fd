//! Nothing passes: casts, rotations and slides of bodies of any shape in concave worlds, each judged in exact arithmetic.
//!
//! Chains of casts, each from where the last one ended, in random worlds and in a building and maps: at the pose reached the surfaces
//! share no point and neither is inside the other, exactly; on the way a dense sampling finds no earlier contact and no
//! missed hit; where a body stopped, something is there. Walks with sliding through the building and the maps: never in a solid, never
//! stuck in free space. Both precisions; at the origin, posed 10,000 units away, and with vertices 10,000 units away.
//!
//! The maps stand beside the project (`../shared/data` or `$CLEARANCE_DATA`); without them the building is all.

use clearance_testkit::ccd::data_folder;
use clearance_testkit::passing::tally::Fault;
use clearance_testkit::passing::{Arena, Fixed, Place, Scene, Tally, Walk, WalkTally};
use clearance_testkit::{Building, BuildingPlan, Polyhedron};
use glam::DVec3;
use rayon::prelude::*;

use crate::nothing_passes_library::{Library, double::Double, single::Single};
use crate::{Experiment, Failure, Progress, Report, Settings, Value};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "nothing-passes",
    title: "casts, rotations and sliding walks of concave bodies in concave worlds, judged in exact arithmetic",
    reproduces: "DOOM III, sections 3 and 6",
    run,
};

/// How much is judged.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Casts in double and in single precision, over all places.
    pub casts: [u64; 2],
    /// Moves of the walks in each precision and place.
    pub moves: u64,
    /// The building's rooms along x and y, and its storeys.
    pub building: [u32; 3],
}

const FULL: Sizes = Sizes { casts: [1_000_000, 200_000], moves: 100_000, building: [4, 3, 3] };
const QUICK: Sizes = Sizes { casts: [6_000, 3_000], moves: 600, building: [2, 1, 2] };

/// Scenes that are handed to the threads at once.
const BATCH: u64 = 128;
/// Of all casts, those in the building and the maps: one in this many.
const MAP_SHARE: u64 = 8;
/// Bodies of a scene, and casts of each.
const SCENE: [usize; 2] = [6, 8];
/// The size of rooms in maps, in their units.
const MAP_SCALE: f64 = 100.0;

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// A world of brushes.
struct MapWorld {
    name: String,
    polyhedron: Polyhedron,
    spawns: Vec<DVec3>,
}

/// What came of one precision at one place in one kind of world.
struct Outcome<T> {
    precision: &'static str,
    place: Place,
    world: String,
    tally: T,
}

#[derive(Default)]
struct Outcomes {
    casts: Vec<Outcome<Tally>>,
    walks: Vec<Outcome<WalkTally>>,
}

/// Runs the experiment with sizes of one's own.
///
/// # Errors
/// If a map cannot be read.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut outcomes = Outcomes::default();
    progress.start(sizes.casts.iter().sum::<u64>() + 6 * sizes.moves, "casts and moves");
    judge::<Double>(settings, progress, sizes, sizes.casts[0], &mut outcomes)?;
    judge::<Single>(settings, progress, sizes, sizes.casts[1], &mut outcomes)?;
    Ok(report(&outcomes))
}

fn judge<L: Library>(
    settings: &Settings,
    progress: &Progress,
    sizes: &Sizes,
    casts: u64,
    outcomes: &mut Outcomes,
) -> Result<(), Failure> {
    let maps = maps::<L>(settings.seed, sizes)?;
    let places = Place::ALL.len() as u64;
    for (number, place) in Place::ALL.into_iter().enumerate() {
        let base = (settings.seed << 40) + ((number as u64) << 32);
        let on_maps = casts / places / MAP_SHARE;
        let goal = (casts / places + 1).saturating_sub(on_maps);
        let tally = scenes(base, place, goal, progress, |scene| scene.run::<L>(&mut L::Scratch::default()));
        outcomes.casts.push(Outcome { precision: L::NAME, place, world: "random".into(), tally });
        let arenas: Vec<Option<Arena<L>>> =
            maps.iter().map(|map| Arena::of_map(&map.polyhedron, MAP_SCALE, place, settings.seed)).collect();
        for (map, arena) in maps.iter().zip(&arenas) {
            let arena = arena.as_ref().ok_or_else(|| format!("{}: the library refuses it in {}", map.name, L::NAME))?;
            let fixed: Fixed = arena.fixed();
            let goal = on_maps / maps.len() as u64 + 1;
            let tally =
                scenes(base, place, goal, progress, |scene| scene.run_in(arena, &fixed, &mut L::Scratch::default()));
            outcomes.casts.push(Outcome { precision: L::NAME, place, world: map.name.clone(), tally });
        }
        let moves = sizes.moves / (BODIES * maps.len()) as u64;
        let tasks: Vec<(usize, usize)> =
            (0..maps.len()).flat_map(|map| (0..BODIES).map(move |body| (map, body))).collect();
        let walked: Vec<(usize, WalkTally)> = tasks
            .into_par_iter()
            .filter_map(|(map, body)| {
                let walk = walk(body, settings.seed + body as u64, moves);
                let tally = walk.run(arenas[map].as_ref()?, &maps[map].spawns, &mut L::Scratch::default());
                progress.advance(moves);
                Some((map, tally))
            })
            .collect();
        for (map, tally) in walked {
            outcomes.walks.push(Outcome { precision: L::NAME, place, world: maps[map].name.clone(), tally });
        }
    }
    Ok(())
}

/// Scenes one after the other until so many casts were judged. Which scenes these are does not depend on the number of threads.
fn scenes(base: u64, place: Place, goal: u64, progress: &Progress, run: impl Fn(Scene) -> Tally + Sync) -> Tally {
    let mut total = Tally::default();
    let mut next = base;
    while total.casts < goal {
        let batch = BATCH.min((goal - total.casts).div_ceil(32));
        let scene = |seed| Scene { seed, place, bodies: SCENE[0], casts: SCENE[1] };
        let tallies: Vec<Tally> = (next..next + batch).into_par_iter().map(|seed| run(scene(seed))).collect();
        let before = total.casts;
        total = tallies.into_iter().fold(total, Tally::plus);
        progress.advance(total.casts - before);
        next += batch;
        if total.casts == before {
            break;
        }
    }
    total
}

/// Bodies that walk.
const BODIES: usize = 2;

/// A player's box that turns about the vertical, or a concave body that tumbles.
fn walk(body: usize, seed: u64, moves: u64) -> Walk {
    let (body, tumbles) = match body {
        0 => (Polyhedron::cuboid(DVec3::new(15.0, 15.0, 28.0)), false),
        _ => (Polyhedron::notched().mapped(|v| v * DVec3::new(18.0, 12.0, 16.0)), true),
    };
    Walk { seed, moves, body, tumbles }
}

fn maps<L: Library>(seed: u64, sizes: &Sizes) -> Result<Vec<MapWorld>, Failure> {
    let [columns, rows, storeys] = sizes.building;
    let building = Building::new(&BuildingPlan { seed, rooms: [columns, rows], storeys });
    let (polyhedron, spawns) = L::building(&building)?;
    let mut maps = vec![MapWorld { name: "building".into(), polyhedron, spawns }];
    if let Some(folder) = data_folder("maps") {
        for name in ["lqdm1", "lqdm2"] {
            let file = folder.join(name).with_extension("map");
            let text =
                std::fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            let (polyhedron, spawns) = L::map(&text)?;
            maps.push(MapWorld { name: name.into(), polyhedron, spawns });
        }
    }
    Ok(maps)
}

fn number(value: Option<f64>) -> Value {
    value.unwrap_or(f64::NAN).into()
}

fn report(outcomes: &Outcomes) -> Report {
    let columns = [
        "what",
        "precision",
        "place",
        "world",
        "casts",
        "turns",
        "hits",
        "touching",
        "overlaps",
        "refused",
        "grazing",
        "sharp",
        "least_gap",
        "wrong",
        "distance",
        "cells",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for Outcome { precision, place, world, tally } in &outcomes.casts {
        let counts = [
            tally.casts,
            tally.turns,
            tally.hits,
            tally.touching,
            tally.overlaps,
            tally.refused,
            tally.grazing,
            tally.sharp,
        ];
        let head = ["casts".into(), (*precision).into(), place.name().into(), world.as_str().into()];
        let tail = [number(tally.least_gap_from_half), tally.wrong().into(), f64::NAN.into(), 0_u64.into()];
        report.row(head.into_iter().chain(counts.map(Value::from)).chain(tail));
    }
    for Outcome { precision, place, world, tally } in &outcomes.walks {
        let blocked = tally.moves - tally.arrived + tally.stopped_turns;
        let counts = [tally.moves, tally.turns, blocked, tally.moves, 0, tally.refused, 0, 0];
        let head = ["walk".into(), (*precision).into(), place.name().into(), world.as_str().into()];
        let tail = [number(tally.least_gap), tally.wrong().into(), tally.distance.into(), tally.cells.into()];
        report.row(head.into_iter().chain(counts.map(Value::from)).chain(tail));
    }
    claims(&mut report, outcomes);
    report
}

fn claims(report: &mut Report, outcomes: &Outcomes) {
    for precision in [Double::NAME, Single::NAME] {
        let of = outcomes.casts.iter().filter(|outcome| outcome.precision == precision);
        let casts = of.fold(Tally::default(), |sum, outcome| sum.plus(outcome.tally.clone()));
        for fault in Fault::ALL {
            let count = casts.count(fault);
            let claim = format!("{precision}: no {}", fault.name());
            let notes = casts.notes.iter().filter(|note| note.starts_with(fault.name())).take(2);
            let measured = notes
                .fold(format!("{count} in {} casts, {} rays", casts.casts, casts.points), |all, note| {
                    all + "; " + note
                });
            report.claim(claim, "never interpenetrate (3)", measured, count == 0 && casts.casts > 0);
        }
        let gap = casts.least_gap_from_half.unwrap_or(f64::NAN);
        let claim = format!("{precision}: from half a zone away, never nearer than a quarter of it");
        report.claim(claim, "the zone exceeds the error (3)", gap, gap >= 0.25);
        let of = outcomes.walks.iter().filter(|outcome| outcome.precision == precision);
        let walks = of.fold(WalkTally::default(), |sum, outcome| sum.plus(outcome.tally.clone()));
        let notes = walks.notes.join("; ");
        let claim = format!("{precision}: walks are never in a solid");
        let inside =
            format!("{} of {} moves and {} turns {notes}", walks.pierced + walks.inside, walks.moves, walks.turns);
        report.claim(claim, "player movement (6)", inside, walks.pierced + walks.inside == 0);
        let claim = format!("{precision}: walks are never stuck in free space, refused or told to overlap");
        let stuck = format!(
            "{} stuck, {} refused, {} overlaps; {} wedged, {} left the map",
            walks.stuck, walks.refused, walks.false_overlaps, walks.wedged, walks.left
        );
        report.claim(claim, "player movement (6)", stuck, walks.stuck + walks.refused + walks.false_overlaps == 0);
        let claim = format!("{precision}: walks get around, at least three units a move");
        let far = walks.distance / walks.moves.max(1) as f64;
        report.claim(claim, "player movement (6)", format!("{far:.2} units a move, {} cells", walks.cells), far >= 3.0);
    }
}
