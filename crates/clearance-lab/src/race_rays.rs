//! Rays against closed meshes, beside parry's triangle meshes, in both precisions: leaks and speed.
//!
//! Leaks: rays aimed at points of edges and at vertices of closed meshes, from inside outwards and from outside inwards. All of them
//! must hit, and where the mesh is convex at the point aimed at. Speed: rays from outside towards random points of the bounding
//! ball, and rays from random points of the inside.

use std::hint::black_box;

use clearance_testkit::{Polyhedron as Solid, Rng};
use glam::DVec3;

use crate::workload::{calls, race};
use crate::{Experiment, Failure, Plot, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "race-rays",
    title: "rays against closed meshes of 1,000 to 100,000 triangles: leaks and speed against parry",
    reproduces: "race",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Spheres of 8 times four to these powers triangles.
    pub subdivisions: &'static [u32],
    /// Rays that are timed, for each mesh and place of the origin.
    pub timed: usize,
    /// Rays aimed at edges and vertices, over all.
    pub aimed: usize,
}

const FULL: Sizes = Sizes { subdivisions: &[4, 5, 6, 7], timed: 4_000, aimed: 1_000_000 };
const QUICK: Sizes = Sizes { subdivisions: &[4, 5], timed: 1_000, aimed: 40_000 };

/// The ratio to reach.
const GOAL: f64 = 2.0;
/// A hit is where it was aimed at if its position is within this of one.
const AIMED: f64 = 1e-3;

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the race with sizes of one's own.
///
/// # Errors
/// If a mesh or a ray cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut rng = Rng::new(settings.seed);
    progress.start(2 * sizes.subdivisions.len() as u64, "meshes");
    let share = sizes.aimed / (2 * sizes.subdivisions.len());
    let mut cells = Vec::new();
    for &subdivisions in sizes.subdivisions {
        let phases = rng.in_box(DVec3::splat(3.0));
        let bumps = |v: DVec3| 1.0 + 0.15 * (v * 7.0 + phases).to_array().map(f64::sin).iter().sum::<f64>();
        let bodies = [
            Target { name: "sphere", solid: Solid::sphere(1.0, subdivisions), is_convex: true },
            Target { name: "bumpy", solid: Solid::star(subdivisions, bumps), is_convex: false },
        ];
        for target in bodies {
            let seed = settings.seed + u64::from(subdivisions);
            cells.extend(double::cells(&target, settings, sizes.timed, share, seed)?);
            cells.extend(single::cells(&target, settings, sizes.timed, share, seed)?);
            progress.advance(1);
        }
    }
    Ok(report(&cells, sizes))
}

struct Target {
    name: &'static str,
    solid: Solid,
    is_convex: bool,
}

impl Target {
    /// Origin and direction of a ray from outside or inside, not aimed at anything.
    fn random(&self, rng: &mut Rng, from_inside: bool) -> [DVec3; 2] {
        if from_inside {
            return [rng.in_ball(0.3), rng.unit_vector()];
        }
        let from = rng.unit_vector() * rng.uniform(2.0, 4.0);
        [from, rng.in_ball(1.2) - from]
    }

    /// A point of an edge, or a vertex.
    fn aim(&self, rng: &mut Rng) -> DVec3 {
        let face = &self.solid.faces[rng.index(self.solid.faces.len())];
        let [a, b] = [face[0], face[1]].map(|v| self.solid.vertices[v as usize]);
        match rng.index(4) {
            0 => a,
            1 => (a + b) * 0.5,
            _ => a + (b - a) * rng.uniform(0.0, 1.0),
        }
    }

    /// Origin and target of a ray that passes a point of an edge on its way out of, or into, the ball within.
    fn aimed(&self, rng: &mut Rng, from_inside: bool) -> [DVec3; 2] {
        let (aim, inner) = (self.aim(rng), rng.in_ball(0.3));
        if from_inside { [inner, aim] } else { [aim + (aim - inner) * rng.uniform(0.5, 3.0), aim] }
    }
}

#[derive(Clone, Debug)]
struct Cell {
    precision: &'static str,
    target: &'static str,
    triangles: usize,
    from: &'static str,
    /// Nanoseconds for a ray: as a solid, as a surface, and the rival's.
    solid: f64,
    surface: f64,
    rival: f64,
    hits: usize,
    timed: usize,
    /// Rays aimed, and those that miss or go through.
    aimed: usize,
    leaks: usize,
    rival_leaks: usize,
}

macro_rules! in_precision {
    ($module:ident, $ours:ident, $rival:ident, $real:ty, $name:literal) => {
        mod $module {
            use super::*;
            use $ours::RayHit;
            use $ours::ray::{Ray, RayOptions, cast_ray_mesh};
            use $ours::{Mesh, Pose, Vec3};
            use $rival::query::{Ray as RivalRay, RayCast};
            use $rival::shape::TriMesh;

            struct Pair {
                ours: Mesh,
                rival: TriMesh,
            }

            #[derive(Clone, Copy)]
            struct Shot {
                ours: Ray,
                rival: RivalRay,
            }

            fn vector(v: DVec3) -> Vec3 {
                Vec3::from_array(v.to_array().map(|x| x as $real))
            }

            impl Shot {
                fn new(from: Vec3, direction: Vec3) -> Result<Self, Failure> {
                    let rival = RivalRay::new(from.to_array().into(), direction.to_array().into());
                    Ok(Self { ours: Ray::new(from, direction)?, rival })
                }
            }

            impl Pair {
                fn new(solid: &Solid) -> Result<Self, Failure> {
                    let vertices: Vec<Vec3> = solid.vertices.iter().map(|&v| vector(v)).collect();
                    let corners = vertices.iter().map(|v| v.to_array().into()).collect();
                    let rival = TriMesh::new(corners, solid.faces.iter().map(|f| [f[0], f[1], f[2]]).collect())?;
                    Ok(Self { ours: Mesh::new(&vertices, &solid.faces)?, rival })
                }

                fn ours(&self, shot: &Shot, options: &RayOptions) -> Option<RayHit> {
                    cast_ray_mesh(&self.ours, &Pose::IDENTITY, &shot.ours, options)
                }

                fn theirs(&self, shot: &Shot) -> Option<$real> {
                    let hit = self.rival.cast_local_ray_and_get_normal(&shot.rival, <$real>::MAX, false);
                    hit.map(|hit| hit.time_of_impact)
                }
            }

            pub(super) fn cells(
                target: &Target,
                settings: &Settings,
                timed: usize,
                aimed: usize,
                seed: u64,
            ) -> Result<[Cell; 2], Failure> {
                let pair = Pair::new(&target.solid)?;
                Ok([cell(target, &pair, settings, [timed, aimed], seed, false)?, cell(target, &pair, settings, [timed, aimed], seed, true)?])
            }

            fn cell(
                target: &Target,
                pair: &Pair,
                settings: &Settings,
                [timed, aimed]: [usize; 2],
                seed: u64,
                from_inside: bool,
            ) -> Result<Cell, Failure> {
                let mut rng = Rng::new(seed);
                let shots = (0..timed).map(|_| {
                    let [from, direction] = target.random(&mut rng, from_inside).map(vector);
                    Shot::new(from, direction)
                });
                let shots = shots.collect::<Result<Vec<_>, _>>()?;
                let (solid, surface) = (RayOptions::default(), RayOptions::default().surface());
                let times = race(
                    shots.len(),
                    [
                        ("solid", calls!(i => pair.ours(black_box(&shots[i]), &solid))),
                        ("surface", calls!(i => pair.ours(black_box(&shots[i]), &surface))),
                        ("rival", calls!(i => pair.theirs(black_box(&shots[i])))),
                    ],
                    settings,
                );
                let mut cell = Cell {
                    precision: $name,
                    target: target.name,
                    triangles: target.solid.faces.len(),
                    from: if from_inside { "inside" } else { "outside" },
                    solid: times[0],
                    surface: times[1],
                    rival: times[2],
                    hits: shots.iter().filter(|shot| pair.ours(shot, &solid).is_some()).count(),
                    timed,
                    aimed: aimed / 2,
                    leaks: 0,
                    rival_leaks: 0,
                };
                for _ in 0..cell.aimed {
                    let [from, aim] = target.aimed(&mut rng, from_inside).map(vector);
                    let shot = Shot::new(from, aim - from)?;
                    let leaks = |t: Option<$real>| match t {
                        None => true,
                        Some(t) => target.is_convex && (f64::from(t) - 1.0).abs() > AIMED,
                    };
                    cell.leaks += usize::from(leaks(pair.ours(&shot, &solid).map(|hit| hit.t)));
                    cell.rival_leaks += usize::from(leaks(pair.theirs(&shot)));
                }
                Ok(cell)
            }
        }
    };
}

in_precision!(double, clearance, parry3d_f64, f64, "f64");
in_precision!(single, clearance_f32, parry3d, f32, "f32");

impl Cell {
    fn ratio(&self) -> f64 {
        self.rival / self.solid
    }

    fn surface_ratio(&self) -> f64 {
        self.rival / self.surface
    }
}

fn report(cells: &[Cell], sizes: &Sizes) -> Report {
    let columns = [
        "precision",
        "mesh",
        "triangles",
        "from",
        "rays",
        "hits",
        "solid_ns",
        "surface_ns",
        "parry_ns",
        "ratio",
        "surface_ratio",
        "aimed",
        "leaks",
        "parry_leaks",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for cell in cells {
        let labels = [cell.precision.into(), cell.target.into(), cell.triangles.into(), cell.from.into()];
        let times = [cell.solid.into(), cell.surface.into(), cell.rival.into(), cell.ratio().into()];
        let counts = [cell.aimed.into(), cell.leaks.into(), cell.rival_leaks.into()];
        let rays = [cell.timed.into(), cell.hits.into()];
        report.row(labels.into_iter().chain(rays).chain(times).chain([cell.surface_ratio().into()]).chain(counts));
    }
    let [aimed, leaks, theirs] = [|c: &Cell| c.aimed, |c: &Cell| c.leaks, |c: &Cell| c.rival_leaks]
        .map(|count| cells.iter().map(count).sum::<usize>());
    let text = format!("{leaks} of {aimed} (parry: {theirs})");
    report.claim("no ray leaks through an edge or a vertex of a closed mesh", "0", text, leaks == 0);
    for precision in ["f64", "f32"] {
        let least = |ratio: fn(&Cell) -> f64| {
            cells.iter().filter(|c| c.precision == precision).map(ratio).fold(f64::INFINITY, f64::min)
        };
        let (solid, surface) = (least(Cell::ratio), least(Cell::surface_ratio));
        let claim = format!("{precision}: at least {GOAL} times faster than parry");
        let text = format!("{solid:.2} at least; {surface:.2} without asking whether the origin is inside");
        report.claim(claim, format!("goal: {GOAL} times"), text, solid >= GOAL);
    }
    let mut plot =
        Plot::new("time", "Time of a ray from outside a sphere, f64", "triangles", "nanoseconds").log(true, true);
    let chosen = || cells.iter().filter(|c| c.precision == "f64" && c.target == "sphere" && c.from == "outside");
    plot.line("ours".to_owned(), chosen().map(|c| (c.triangles as f64, c.solid)));
    plot.line("parry".to_owned(), chosen().map(|c| (c.triangles as f64, c.rival)));
    if !sizes.subdivisions.is_empty() {
        report.plot(plot);
    }
    report
}
