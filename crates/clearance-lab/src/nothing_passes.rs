//! Nothing passes: casts, rotations and slides of bodies of any shape in concave worlds, each judged in exact arithmetic.
//!
//! Chains of casts, each from where the last one ended, in random worlds and in a building and maps: at the pose reached the surfaces
//! share no point and neither is inside the other, exactly; on the way a dense sampling finds no earlier contact and no
//! missed hit; where a body stopped, something is there. Walks with sliding through the building and the maps: never in a solid, never
//! stuck in free space. Both precisions; at the origin, posed 10,000 units away, and with vertices 10,000 units away.
//!
//! The maps stand beside the project (`../shared/data` or `$CLEARANCE_DATA`); without them the building is all.

use clearance_testkit::ccd::data_folder;
use clearance_testkit::passing::{Arena, Place, Scene, Tally, Walk, WalkTally};
use clearance_testkit::{Building, BuildingPlan, Polyhedron};
use glam::DVec3;
use rayon::prelude::*;

use crate::nothing_passes_library::{Library, double::Double, single::Single};
use crate::{Experiment, Failure, Progress, Report, Settings, nothing_passes_report};

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

/// What came of one precision at one place in one world.
pub(crate) struct Outcome {
    pub(crate) precision: &'static str,
    pub(crate) place: Place,
    pub(crate) world: String,
    pub(crate) casts: Tally,
    pub(crate) walks: WalkTally,
}

/// Runs the experiment with sizes of one's own.
///
/// # Errors
/// If a map cannot be read.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut outcomes = Vec::new();
    progress.start(sizes.casts.iter().sum::<u64>() + 6 * sizes.moves, "casts and moves");
    judge::<Double>(settings, progress, sizes, sizes.casts[0], &mut outcomes)?;
    judge::<Single>(settings, progress, sizes, sizes.casts[1], &mut outcomes)?;
    Ok(nothing_passes_report::report(EXPERIMENT.name, &outcomes))
}

fn judge<L: Library>(
    settings: &Settings,
    progress: &Progress,
    sizes: &Sizes,
    casts: u64,
    outcomes: &mut Vec<Outcome>,
) -> Result<(), Failure> {
    let maps = maps::<L>(settings.seed, sizes)?;
    let count = maps.len() as u64;
    for (number, place) in Place::ALL.into_iter().enumerate() {
        let base = (settings.seed << 40) + ((number as u64) << 32);
        let here = casts.div_ceil(Place::ALL.len() as u64);
        let on_maps = here / MAP_SHARE;
        let judged = scenes(base, place, here - on_maps, progress, |scene| scene.run::<L>(&mut L::Scratch::default()));
        let precision = L::NAME;
        outcomes.push(Outcome { precision, place, world: "random".into(), casts: judged, walks: WalkTally::default() });
        let arenas = maps.iter().map(|map| {
            let arena = Arena::<L>::of_map(&map.polyhedron, MAP_SCALE, place, settings.seed);
            arena.ok_or_else(|| format!("{}: the library refuses it in {}", map.name, L::NAME))
        });
        let arenas: Vec<Arena<L>> = arenas.collect::<Result<_, _>>()?;
        let walks = walks(&maps, &arenas, settings.seed, sizes.moves / count, progress);
        for ((map, arena), walks) in maps.iter().zip(&arenas).zip(walks) {
            let fixed = arena.fixed();
            let run = |scene: Scene| scene.run_in(arena, &fixed, &mut L::Scratch::default());
            let judged = scenes(base, place, on_maps.div_ceil(count), progress, run);
            outcomes.push(Outcome { precision, place, world: map.name.clone(), casts: judged, walks });
        }
    }
    Ok(())
}

/// The walks of all bodies through each map, so many moves together.
fn walks<L: Library>(
    maps: &[MapWorld],
    arenas: &[Arena<L>],
    seed: u64,
    moves: u64,
    progress: &Progress,
) -> Vec<WalkTally> {
    let each = moves / WALKERS as u64;
    let tasks: Vec<(usize, usize)> =
        (0..maps.len()).flat_map(|map| (0..WALKERS).map(move |body| (map, body))).collect();
    let walked: Vec<(usize, WalkTally)> = tasks
        .into_par_iter()
        .map(|(map, body)| {
            let tally =
                walk(body, seed + body as u64, each).run(&arenas[map], &maps[map].spawns, &mut Default::default());
            progress.advance(each);
            (map, tally)
        })
        .collect();
    let mut tallies = vec![WalkTally::default(); maps.len()];
    for (map, tally) in walked {
        tallies[map] = std::mem::take(&mut tallies[map]).plus(tally);
    }
    tallies
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

/// Walks through each map.
const WALKERS: usize = 4;

/// A player's box that turns about the vertical, or a concave body that tumbles.
fn walk(body: usize, seed: u64, moves: u64) -> Walk {
    let (body, tumbles) = match body % 2 {
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
