//! Casts of a box through worlds of brushes: what each shortcut of section 4 spares, how many edges are internal, what a cast costs
//! as the world grows, and the paper's axial BSP against the tree of boxes (van Waveren 2005, sections 4 to 6).
//!
//! The worlds are a generated building in several sizes and, where the data stand beside the project (`../shared/data` or
//! `$CLEARANCE_DATA`), maps of a game. The body is the box of a player; it starts where players do, and moves straight or turns about
//! a point nearby. What the pieces of a world cover of each other is marked first; edges that no piece shows are not counted as
//! internal, nor otherwise: the paper's figure is about what a player can see.

use std::hint::black_box;

use clearance::brush::{Faulty, Map, is_blocking, is_structural};
use clearance::ccd::polyhedra::{
    Cast, CastScratch, Polyhedron, Rotation, Shortcuts, TrajectoryOptions, cast_rotation, cast_translation,
};
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::{Polytope, Pose, Vec3};
use clearance_testkit::Rng;
use clearance_testkit::building::{Building, BuildingPlan};
use clearance_testkit::ccd::data_folder;
use glam::DVec3;

use crate::doom3_casts_report::{Measured, VARIANTS, report};
use crate::{Experiment, Failure, Progress, Report, Settings, interleaved};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "doom3-casts",
    title: "casts through brush worlds: tests spared, internal edges, cost against size, axial BSP against tree",
    reproduces: "sections 4 to 6",
    run,
};

/// How much is measured.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// Polygons of each building, at least.
    pub buildings: Vec<usize>,
    /// Casts of each kind in each world.
    pub casts: usize,
}

/// Half the sides of the player's box.
const PLAYER: DVec3 = DVec3::new(16.0, 16.0, 28.0);
/// The middle of the box is so far above the origin of a player; that is a little above the ground.
const ABOVE: f64 = 8.0;
/// Lengths of ways.
const WAYS: [f64; 2] = [4.0, 512.0];

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    let sizes = if settings.quick {
        Sizes { buildings: vec![5_000, 20_000], casts: 200 }
    } else {
        Sizes { buildings: vec![5_000, 10_000, 20_000, 50_000, 100_000], casts: 4_000 }
    };
    run_with(settings, progress, &sizes)
}

/// Runs the experiment with sizes of one's own.
///
/// # Errors
/// If a world cannot be read or made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut sources = maps()?;
    for &polygons in &sizes.buildings {
        let building = Building::new(&BuildingPlan::of_polygons(settings.seed, polygons));
        sources.push((format!("building {polygons}"), building.map_text()));
    }
    progress.start(sources.len() as u64, "worlds");
    let mut measured = Vec::new();
    for (name, text) in sources {
        let world = World::new(name, &text)?;
        for turning in [false, true] {
            let motions = world.motions(&mut Rng::new(settings.seed), turning, sizes.casts);
            measured.push(measure(settings, &world, turning, &motions));
        }
        progress.advance(1);
    }
    Ok(report(EXPERIMENT.name, &measured))
}

/// The maps of the data, by name; none if there are none.
pub(crate) fn maps() -> Result<Vec<(String, String)>, Failure> {
    let Some(folder) = data_folder("maps") else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "map") {
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            found.push((name, std::fs::read_to_string(&path)?));
        }
    }
    found.sort();
    Ok(found)
}

/// A world with both ways of finding its polygons, and the player who starts in it.
pub(crate) struct World {
    pub(crate) name: String,
    pub(crate) tree: Polyhedron,
    pub(crate) bsp: Polyhedron,
    /// Edges with polygons that face towards each other.
    pub(crate) concave: usize,
    player: Polyhedron,
    starts: Vec<DVec3>,
}

impl World {
    fn new(name: String, text: &str) -> Result<Self, Failure> {
        let map = Map::parse(text)?;
        let blocking = |entity: &_, brush: &_| is_structural(entity) && is_blocking(brush);
        let tree = map.world_of(blocking, Faulty::Refuse)?.polyhedron();
        let corners: Vec<Vec3> = (0..8)
            .map(|i| {
                narrow(PLAYER * (DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 2.0 - 1.0))
            })
            .collect();
        let player = Polyhedron::from(&Polytope::from_points(&corners)?);
        let concave = tree.concave_edge_count();
        let mut world = Self { name, bsp: tree.clone().with_axial_bsp(), tree, concave, player, starts: Vec::new() };
        let mut starts: Vec<DVec3> =
            ["info_player_start", "info_player_deathmatch"].iter().flat_map(|class| map.origins(class)).collect();
        starts.iter_mut().for_each(|start| *start += DVec3::Z * ABOVE);
        starts.retain(|&start| world.is_free(start));
        if starts.is_empty() {
            return Err(format!("{}: no place to start from is free", world.name).into());
        }
        world.starts = starts;
        Ok(world)
    }

    fn is_free(&self, start: DVec3) -> bool {
        let motion = Motion { start, way: Way::Straight(DVec3::ZERO) };
        motion
            .cast(&self.tree, &self.player, &TrajectoryOptions::default(), &mut CastScratch::default())
            .is_some_and(|c| c.overlap.is_none())
    }

    fn motions(&self, rng: &mut Rng, turning: bool, count: usize) -> Vec<Motion> {
        let motion = |rng: &mut Rng| {
            let start = *rng.pick(&self.starts.iter().collect::<Vec<_>>());
            let way = if turning {
                let origin = start + rng.in_ball(64.0);
                Way::Turn { origin, axis: rng.unit_vector(), angle: rng.sign() * rng.uniform(0.1, 3.0) }
            } else {
                Way::Straight(rng.unit_vector() * WAYS[0] * (WAYS[1] / WAYS[0]).powf(rng.uniform(0.0, 1.0)))
            };
            Motion { start, way }
        };
        (0..count).map(|_| motion(rng)).collect()
    }
}

#[derive(Clone, Copy)]
enum Way {
    Straight(DVec3),
    Turn { origin: DVec3, axis: DVec3, angle: f64 },
}

/// A motion of the player from a place.
pub(crate) struct Motion {
    start: DVec3,
    way: Way,
}

impl Motion {
    fn cast(
        &self,
        world: &Polyhedron,
        player: &Polyhedron,
        options: &TrajectoryOptions,
        scratch: &mut CastScratch,
    ) -> Option<Cast> {
        let pose = Pose::from_translation(narrow(self.start)).ok()?;
        match self.way {
            Way::Straight(way) => {
                cast_translation(world, &Pose::IDENTITY, player, &pose, narrow(way), options, scratch)
            }
            Way::Turn { origin, axis, angle } => {
                let rotation = Rotation { origin: narrow(origin), axis: narrow(axis), angle: narrow_real(angle) };
                cast_rotation(world, &Pose::IDENTITY, player, &pose, rotation, options, scratch)
            }
        }
        .ok()
    }

    /// How fast a point moves along a normal, per unit of the fraction.
    fn speed(&self, at: DVec3, normal: DVec3) -> f64 {
        match self.way {
            Way::Straight(way) => way.dot(normal).abs(),
            Way::Turn { origin, axis, angle } => (axis.cross(at - origin) * angle).dot(normal).abs(),
        }
    }
}

/// What may be switched off, with its name.
pub(crate) fn variants() -> [(&'static str, Shortcuts); VARIANTS] {
    let all = Shortcuts::default();
    [
        ("all shortcuts", all),
        ("without internal edges", Shortcuts { internal_edges: false, ..all }),
        ("without internal points", Shortcuts { internal_points: false, ..all }),
        ("without covered faces", Shortcuts { covered_faces: false, ..all }),
        ("without back faces", Shortcuts { back_faces: false, ..all }),
        ("without back edges", Shortcuts { back_edges: false, ..all }),
        ("without shared signs", Shortcuts { shared_sides: false, ..all }),
        ("without any shortcut", Shortcuts::NONE),
    ]
}

fn measure(settings: &Settings, world: &World, turning: bool, motions: &[Motion]) -> Measured {
    let mut measured = Measured::new(world, turning, motions.len());
    let mut scratch = CastScratch::default();
    let options = |shortcuts| TrajectoryOptions { shortcuts, ..TrajectoryOptions::default() };
    for motion in motions {
        let mut first: Option<Cast> = None;
        for (i, (_, shortcuts)) in variants().into_iter().enumerate() {
            let cast = motion.cast(&world.tree, &world.player, &options(shortcuts), &mut scratch);
            let same = match (&first, &cast) {
                (Some(first), Some(cast)) => is_same(motion, first, cast),
                (first, cast) => first.is_none() && cast.is_some(),
            };
            measured.add(i, cast.as_ref(), same);
            first = first.or(cast);
        }
        let other = motion.cast(&world.bsp, &world.player, &TrajectoryOptions::default(), &mut scratch);
        let bits = |cast: &Cast| (cast.fraction, cast.hit, cast.pose);
        measured.bsp_differs += usize::from(first.as_ref().map(bits) != other.as_ref().map(bits));
    }
    let mut scratches = [CastScratch::default(), CastScratch::default()];
    let [one, two] = &mut scratches;
    let all = |polyhedron: &Polyhedron, scratch: &mut CastScratch| {
        for motion in motions {
            black_box(motion.cast(polyhedron, &world.player, &TrajectoryOptions::default(), scratch));
        }
    };
    let times = interleaved(
        &mut [("tree", &mut || all(&world.tree, one)), ("bsp", &mut || all(&world.bsp, two))],
        motions.len(),
        settings,
    );
    measured.nanoseconds = [times[0].best, times[1].best];
    measured
}

/// Whether two casts end in the same place, to within two zones along the normal.
fn is_same(motion: &Motion, one: &Cast, other: &Cast) -> bool {
    let apart = (widen_real(one.fraction) - widen_real(other.fraction)).abs();
    match (&one.hit, &other.hit) {
        (None, None) => true,
        (Some(hit), _) | (None, Some(hit)) => {
            apart * motion.speed(widen(hit.point), widen(hit.normal)) <= 2.0 * widen_real(one.zone)
        }
    }
}
