//! Straight casts of a box and a hull through concave worlds, against parry's triangle meshes: hits and misses apart, in f64.
//!
//! Worlds of 1,000 to 100,000 polygons: terrain of triangles, and a lattice of boxes turned at random, of which the rival gets two
//! triangles for each side. Bodies start where they are free and move in random directions, by up to half the world's size. Hits
//! are verified on both sides: moved by the fraction, the bodies must touch and must not overlap. The library also looks whether
//! the start is free, as the rival does.

use std::hint::black_box;

use clearance::Body;
use clearance::ccd::polyhedra::{Cast, CastScratch, Polyhedron, TrajectoryOptions, cast_translation};
use clearance::concave::{BodyCache, closest};
use clearance::{Mesh, Polytope, Pose, Shape, Vec3};
use clearance_testkit::{Polyhedron as Solid, Rng};
use glam::DVec3;
use parry3d_f64::math::{Pose as RivalPose, Rotation, Vector};
use parry3d_f64::query::{ShapeCastOptions, cast_shapes};
use parry3d_f64::shape::{SharedShape, TriMesh};

use crate::workload::{calls, race};
use crate::{Experiment, Failure, Plot, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "race-mesh-cast",
    title: "straight casts of a box and a hull through worlds of 1,000 to 100,000 polygons against parry",
    reproduces: "race",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Polygons of the worlds, about.
    pub polygons: &'static [usize],
    /// Casts in each.
    pub casts: usize,
}

const FULL: Sizes = Sizes { polygons: &[1_000, 10_000, 100_000], casts: 2_000 };
const QUICK: Sizes = Sizes { polygons: &[1_000, 10_000], casts: 400 };

/// The ratio to reach.
const GOAL: f64 = 3.0;
/// Answers agree if the places where they stop differ by no more than this, relative to the world's size, along the normal.
const AGREEMENT: f64 = 1e-5;

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the race with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut rng = Rng::new(settings.seed);
    progress.start(4 * sizes.polygons.len() as u64, "worlds and bodies");
    let mut cells = Vec::new();
    for &polygons in sizes.polygons {
        for world in [World::terrain(&mut rng, polygons)?, World::lattice(&mut rng, polygons)?] {
            for thrown in [Thrown::cuboid()?, Thrown::hull(&mut rng)?] {
                let scene = Scene::new(&mut rng, &world, &thrown, sizes.casts)?;
                cells.extend(scene.measure(settings, polygons));
                progress.advance(1);
            }
        }
    }
    Ok(report(&cells))
}

/// A world on both sides, and the half extents of where bodies start.
struct World {
    name: &'static str,
    ours: Polyhedron,
    body: Body,
    rival: TriMesh,
    half: DVec3,
}

impl World {
    fn new(name: &'static str, solid: &Solid, half: DVec3) -> Result<Self, Failure> {
        let mesh = Mesh::new(&solid.vertices, &solid.faces)?;
        let vertices = solid.vertices.iter().map(|v| Vector::new(v.x, v.y, v.z)).collect();
        let fans = solid.faces.iter().flat_map(|face| (2..face.len()).map(|i| [face[0], face[i - 1], face[i]]));
        let rival = TriMesh::new(vertices, fans.collect())?;
        Ok(Self { name, ours: Polyhedron::from(&mesh), body: mesh.into(), rival, half })
    }

    /// A unit per cell; a solid, down to a point far below. Bodies start above.
    fn terrain(rng: &mut Rng, triangles: usize) -> Result<Self, Failure> {
        let cells = (triangles as f64 / 2.0).sqrt().round();
        let size = DVec3::new(cells, cells, 20.0) * 0.5;
        let mut solid = Solid::terrain(rng, cells as u32).mapped(|p| p * size - DVec3::Z * 6.0);
        let (cells, apex) = (cells as u32, solid.vertices.len() as u32);
        // Steeper than the terrain is anywhere, so that no side cuts through it.
        solid.vertices.push(DVec3::NEG_Z * (10.0 + 6.0 * size.x));
        let at = |i: u32, j: u32| i * (cells + 1) + j;
        for i in 0..cells {
            let rim = [[at(i + 1, 0), at(i, 0)], [at(cells, i + 1), at(cells, i)]];
            let far = [[at(i, cells), at(i + 1, cells)], [at(0, i), at(0, i + 1)]];
            solid.faces.extend(rim.into_iter().chain(far).map(|[a, b]| vec![a, b, apex]));
        }
        Self::new("terrain", &solid, DVec3::new(size.x, size.x, 4.0))
    }

    /// A unit per box.
    fn lattice(rng: &mut Rng, polygons: usize) -> Result<Self, Failure> {
        let along = (polygons as f64 / 6.0).cbrt().round() as i32;
        let middle = 0.5 * f64::from(along);
        let mut all = Solid::default();
        for i in 0..along * along * along {
            let cell = [i % along, i / along % along, i / (along * along)].map(f64::from);
            let (at, turn) = (DVec3::from_array(cell) + 0.5 - middle, rng.rotation());
            let half = DVec3::from_array([0; 3].map(|_| rng.uniform(0.1, 0.25)));
            all = all.joined(&Solid::cuboid(half).mapped(|p| turn * p + at));
        }
        Self::new("lattice", &all, DVec3::splat(middle))
    }
}

/// A body on both sides.
struct Thrown {
    name: &'static str,
    ours: Polyhedron,
    body: Body,
    rival: SharedShape,
}

impl Thrown {
    fn new(name: &'static str, points: &[DVec3], rival: SharedShape) -> Result<Self, Failure> {
        let polytope = Polytope::from_points(points)?;
        Ok(Self { name, ours: Polyhedron::from(&polytope), body: Shape::from(polytope).into(), rival })
    }

    fn cuboid() -> Result<Self, Failure> {
        let half = DVec3::new(0.2, 0.25, 0.3);
        let corners: Vec<DVec3> = Solid::cuboid(half).vertices;
        Self::new("box", &corners, SharedShape::cuboid(half.x, half.y, half.z))
    }

    fn hull(rng: &mut Rng) -> Result<Self, Failure> {
        let points: Vec<DVec3> = (0..20).map(|_| rng.unit_vector() * 0.3).collect();
        let theirs: Vec<_> = points.iter().map(|p| p.to_array().into()).collect();
        let rival = SharedShape::convex_hull(&theirs).ok_or("the rival makes no hull of these points")?;
        Self::new("hull", &points, rival)
    }
}

/// One cast, for the library and for the rival.
#[derive(Clone, Copy)]
struct Throw {
    pose: Pose,
    translation: Vec3,
    rival_pose: RivalPose,
}

struct Scene<'a> {
    world: &'a World,
    thrown: &'a Thrown,
    throws: Vec<Throw>,
}

impl<'a> Scene<'a> {
    /// Casts that start free.
    fn new(rng: &mut Rng, world: &'a World, thrown: &'a Thrown, count: usize) -> Result<Self, Failure> {
        let mut scene = Self { world, thrown, throws: Vec::new() };
        let mut scratch = CastScratch::default();
        // A start is free more often than one time in ten.
        for _ in 0..20 * count {
            let throw = scene.throw(rng)?;
            if scene.ours(&throw, &mut scratch)?.overlap.is_none() {
                scene.throws.push(throw);
            }
            if scene.throws.len() == count {
                return Ok(scene);
            }
        }
        Err("too few places are free".into())
    }

    fn throw(&self, rng: &mut Rng) -> Result<Throw, Failure> {
        let (from, rotation) = (rng.in_box(self.world.half), rng.rotation());
        let translation = rng.unit_vector() * rng.uniform(0.0, 1.0) * self.world.half.length();
        let [x, y, z, w] = rotation.to_array();
        let rival_pose = RivalPose { rotation: Rotation::from_xyzw(x, y, z, w), translation: from.to_array().into() };
        Ok(Throw { pose: Pose::new(from, rotation.to_array())?, translation, rival_pose })
    }

    fn ours(&self, throw: &Throw, scratch: &mut CastScratch) -> Result<Cast, Failure> {
        let (world, body) = black_box((&self.world.ours, &self.thrown.ours));
        let options = TrajectoryOptions::default();
        Ok(cast_translation(world, &Pose::IDENTITY, body, &throw.pose, throw.translation, &options, scratch)?)
    }

    fn theirs(&self, throw: &Throw) -> Option<f64> {
        let (world, body) = black_box((&self.world.rival, &self.thrown.rival));
        let still = DVec3::ZERO.to_array().into();
        let moving = throw.translation.to_array().into();
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let hit = cast_shapes(&RivalPose::IDENTITY, still, world, &throw.rival_pose, moving, &**body, options);
        hit.ok().flatten().map(|hit| hit.time_of_impact)
    }

    /// The signed distance when the body has gone that far.
    fn distance(&self, throw: &Throw, fraction: f64) -> f64 {
        let q = throw.pose.rotation().to_array();
        let Ok(pose) = Pose::new(throw.pose.translation() + throw.translation * fraction, q) else { return f64::NAN };
        let near = closest(&self.world.body, &Pose::IDENTITY, &self.thrown.body, &pose, &mut BodyCache::default());
        near.distance
    }

    fn measure(&self, settings: &Settings, polygons: usize) -> Vec<Cell> {
        let mut scratch = CastScratch::default();
        let answers: Vec<Option<Cast>> = self.throws.iter().map(|throw| self.ours(throw, &mut scratch).ok()).collect();
        let mut cells = Vec::new();
        for hits in [true, false] {
            let chosen: Vec<(Throw, Cast)> = self
                .throws
                .iter()
                .zip(&answers)
                .filter_map(|(throw, cast)| cast.filter(|cast| cast.hit.is_some() == hits).map(|cast| (*throw, cast)))
                .collect();
            let [ours, rival] = race(
                chosen.len(),
                [
                    ("ours", calls!(i => self.ours(black_box(&chosen[i].0), &mut scratch).ok())),
                    ("rival", calls!(i => self.theirs(black_box(&chosen[i].0)))),
                ],
                settings,
            );
            let mut cell = Cell { world: self.world.name, body: self.thrown.name, polygons, hits, ..Cell::default() };
            (cell.casts, cell.ours, cell.rival) = (chosen.len(), ours, rival);
            for (throw, cast) in &chosen {
                self.compare(&mut cell, throw, cast);
            }
            cells.push(cell);
        }
        cells
    }

    /// Both answers for one cast.
    fn compare(&self, cell: &mut Cell, throw: &Throw, cast: &Cast) {
        cell.candidates += f64::from(cast.counts.candidates) / cell.casts as f64;
        let theirs = self.theirs(throw);
        let size = self.world.half.length();
        let speed = cast.hit.map_or(0.0, |hit| hit.normal.dot(throw.translation).abs());
        let agree = match theirs {
            Some(time) => cell.hits && (time - cast.fraction).abs() * speed <= AGREEMENT * size,
            None => !cell.hits,
        };
        cell.disagree += usize::from(!agree);
        if cell.hits {
            let here = self.distance(throw, cast.fraction);
            cell.gap = cell.gap.max(here);
            cell.passed += usize::from(here < 0.0);
        }
        if !agree {
            // Where the answers differ: does the rival stop too early or too late?
            let there = self.distance(throw, theirs.unwrap_or(1.0));
            cell.rival_wrong += usize::from(there.abs() > AGREEMENT * size);
        }
    }
}

#[derive(Default)]
struct Cell {
    world: &'static str,
    body: &'static str,
    polygons: usize,
    hits: bool,
    casts: usize,
    ours: f64,
    rival: f64,
    /// Polygons looked at, on average.
    candidates: f64,
    /// Casts where the rival says otherwise, and where it stops neither at a contact nor free of it.
    disagree: usize,
    rival_wrong: usize,
    /// The largest gap at a hit, and hits that overlap.
    gap: f64,
    passed: usize,
}

impl Cell {
    fn ratio(&self) -> f64 {
        self.rival / self.ours
    }

    fn name(&self) -> &'static str {
        if self.hits { "hits" } else { "misses" }
    }
}

fn report(cells: &[Cell]) -> Report {
    let columns = [
        "world",
        "body",
        "polygons",
        "casts",
        "count",
        "ours_ns",
        "parry_ns",
        "ratio",
        "candidates",
        "disagree",
        "parry_wrong",
        "gap",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        let labels = [cell.world.into(), cell.body.into(), cell.polygons.into(), cell.name().into(), cell.casts.into()];
        let times = [cell.ours.into(), cell.rival.into(), cell.ratio().into(), cell.candidates.into()];
        let answers = [cell.disagree.into(), cell.rival_wrong.into(), cell.gap.into()];
        report.row(labels.into_iter().chain(times).chain(answers));
    }
    for hits in [true, false] {
        let chosen = cells.iter().filter(|cell| cell.hits == hits && cell.casts > 0);
        let least = chosen.map(Cell::ratio).fold(f64::INFINITY, f64::min);
        let name = if hits { "hits" } else { "misses" };
        let claim = format!("{name}: at least {GOAL} times faster than parry");
        report.claim(claim, format!("goal: {GOAL} times"), format!("{least:.2} at least"), least >= GOAL);
    }
    let passed: usize = cells.iter().map(|cell| cell.passed).sum();
    report.claim("no body stops in another", "0", format!("{passed}"), passed == 0);
    let explained = cells.iter().all(|cell| cell.disagree == cell.rival_wrong);
    let [disagree, wrong] = [|cell: &Cell| cell.disagree, |cell: &Cell| cell.rival_wrong]
        .map(|count| cells.iter().map(count).sum::<usize>());
    let text = format!("{disagree} differ; parry stops off the contact in {wrong}");
    report.claim("where the answers differ, parry's is not a contact", "all", text, explained);
    let mut plot =
        Plot::new("time", "Time of a cast of a box through terrain", "polygons", "nanoseconds").log(true, true);
    for hits in [true, false] {
        let chosen = || cells.iter().filter(|cell| cell.hits == hits && cell.world == "terrain" && cell.body == "box");
        let name = if hits { "hits" } else { "misses" };
        plot.line(format!("{name}, ours"), chosen().map(|cell| (cell.polygons as f64, cell.ours)));
        plot.line(format!("{name}, parry"), chosen().map(|cell| (cell.polygons as f64, cell.rival)));
    }
    report.plot(plot);
    report
}
