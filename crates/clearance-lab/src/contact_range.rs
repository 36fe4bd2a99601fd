//! Directional contact range, section 4 of the paper: figure 8, the visited faces, the flat cones of figure 9, the cylinders of
//! figure 10; and agreement with the explicit Minkowski difference.
//!
//! "Printed" is the paper's search by duals as it is printed, "search" the same with shorter ways ([`Search`]), both certified; "verb" is `contact_range`, which goes by supports and a walk. Faces are
//! those that the paper's three searches construct for one end, in percent of all faces of A − B. Every end is verified by the
//! distance of the bodies there. The growth with the number of vertices is measured up to 10,000 of both bodies together.

use std::hint::black_box;

use clearance::study::contact_range::{self as dual, DualRange, RangeCache, Search};
use clearance::{Cache, FacesVisited, Polytope, Pose, Shape, Vec3, closest, contact_range};
use clearance_testkit::Rng;
use glam::{DMat3, DQuat, DVec3};

use crate::contact_range_bodies::{edge_faces, ellipsoid, flat_cone, prism, six, triangulated_cone};
use crate::contact_range_oracle::{self as oracle, Tally};
use crate::contact_range_report::report;
use crate::workload::{Placement, at_distance, calls, race};
use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "contact-range",
    title: "directional contact range: time, visited faces, flat cones, cylinders, agreement with the explicit difference",
    reproduces: "directional-contact-range figures 8–10",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Orientations of each pair, and directions at each place.
    pub turns: usize,
    /// Pairs of ellipsoids.
    pub ellipsoids: usize,
    /// The same with growing numbers of vertices, of each body.
    pub growth: &'static [usize],
    /// Cases compared with the explicit difference.
    pub cases: usize,
}

const FULL: Sizes =
    Sizes { turns: 40, ellipsoids: 10, growth: &[50, 100, 200, 500, 1_000, 2_000, 5_000], cases: 200_000 };
const QUICK: Sizes = Sizes { turns: 6, ellipsoids: 4, growth: &[50, 500, 5_000], cases: 2_000 };

/// Places of B at each orientation: signed distances from −1.5 to 1.5.
const PLACES: usize = 11;
const FARTHEST: f64 = 1.5;
/// Sides of the prisms in place of cylinders.
const SIDES: usize = 64;

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the experiment with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let mut rng = Rng::new(settings.seed);
    let bodies = six(&mut rng)?;
    let axes = DVec3::new(2.0, 4.0, 5.0);
    let pairs = [(1, 1), (0, 2), (5, 5), (3, 4), (3, 5)];
    progress.start((sizes.cases + 100 * (pairs.len() + sizes.ellipsoids + sizes.growth.len())) as u64, "cases");
    let mut cells = Vec::new();
    for (i, j) in pairs {
        let name = format!("P{}-P{}", i + 1, j + 1);
        let scene = Scene::new(&mut rng, [&bodies[i], &bodies[j]], sizes.turns)?;
        cells.push(scene.measure(settings, Group::Paper, name, true)?);
        progress.advance(100);
    }
    for i in 1..=sizes.ellipsoids {
        let n = 500 * i / sizes.ellipsoids;
        let [a, b] = [0; 2].map(|_| ellipsoid(&mut rng, n, axes));
        let scene = Scene::new(&mut rng, [&a, &b], sizes.turns)?;
        cells.push(scene.measure(settings, Group::Ellipsoids, format!("ellipsoids {}", 2 * n), true)?);
        progress.advance(100);
    }
    for &n in sizes.growth {
        let [a, b] = [0; 2].map(|_| ellipsoid(&mut rng, n, axes));
        let scene = Scene::new(&mut rng, [&a, &b], sizes.turns.min(12))?;
        cells.push(scene.measure(settings, Group::Growth, format!("growth {}", 2 * n), false)?);
        progress.advance(100);
    }
    let findings = Findings {
        cells,
        cones: [cones(&mut rng, &flat_cone())?, cones(&mut rng, &triangulated_cone())?],
        cylinders: cylinders()?,
        tally: Tally::default(),
    };
    let tally = oracle::run(sizes.cases, &mut rng, progress)?;
    Ok(report(&Findings { tally, ..findings }))
}

/// All that was measured.
pub(crate) struct Findings {
    pub cells: Vec<Cell>,
    /// With whole bases, and with bases in triangles.
    pub cones: [Cones; 2],
    pub cylinders: Vec<Turned>,
    pub tally: Tally,
}

/// Which experiment a pair is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Paper,
    Ellipsoids,
    Growth,
}

/// What one pair needed.
pub(crate) struct Cell {
    pub group: Group,
    pub name: String,
    /// Of both bodies.
    pub vertices: usize,
    pub verb: f64,
    pub search: f64,
    pub printed: f64,
    /// The share of directions with a range.
    pub met: f64,
    /// Faces constructed by the paper's searches for one end, of all and of those of two edges, in percent; not counted of
    /// the largest. By the shortened search and by the printed one.
    pub faces: Option<[[f64; 2]; 2]>,
    /// The distance at an end relative to the size of the pair: mean and worst.
    pub mean: f64,
    pub worst: f64,
}

struct Scene {
    shapes: [Shape; 2],
    polytopes: [Polytope; 2],
    /// Poses of B with the number of their orientation.
    places: Vec<(Pose, usize)>,
    directions: Vec<Vec3>,
    turns: Vec<DQuat>,
}

impl Scene {
    fn new(rng: &mut Rng, points: [&Vec<DVec3>; 2], turns: usize) -> Result<Self, Failure> {
        let polytopes = [Polytope::from_points(points[0])?, Polytope::from_points(points[1])?];
        let shapes = polytopes.clone().map(Shape::from);
        let orientations: Vec<DQuat> = (0..turns).map(|_| rng.rotation()).collect();
        let still = Placement { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };
        let (mut places, mut directions) = (Vec::new(), Vec::new());
        for (turn, &rotation) in orientations.iter().enumerate() {
            let way = rng.unit_vector();
            for i in 0..PLACES {
                let wanted = FARTHEST * (2.0 * i as f64 / (PLACES - 1) as f64 - 1.0);
                let start = [still, Placement { rotation, translation: DVec3::ZERO }];
                let [_, b] = at_distance(shapes.each_ref(), &start, way, wanted, 10.0)?;
                places.push((Pose::new(b.translation, b.rotation.to_array())?, turn));
                directions.extend((0..turns).map(|_| rng.unit_vector()));
            }
        }
        Ok(Self { shapes, polytopes, places, directions, turns: orientations })
    }

    fn pose(&self, i: usize) -> &Pose {
        &self.places[i / self.turns.len()].0
    }

    fn by_verb(&self, i: usize) -> Option<clearance::Range> {
        let [a, b] = black_box(&self.shapes);
        contact_range(a, &Pose::IDENTITY, b, self.pose(i), self.directions[i], &mut Cache::default()).ok()?
    }

    fn by_search(&self, search: Search, i: usize) -> Option<DualRange> {
        let [a, b] = black_box(&self.shapes);
        let cache = &mut RangeCache::default();
        dual::contact_range(search, a, &Pose::IDENTITY, b, self.pose(i), self.directions[i], cache).ok()?
    }

    /// How far apart the bodies are at an end, relative to the size of the pair.
    fn off(&self, i: usize, at: f64) -> f64 {
        let [a, b] = &self.shapes;
        let pose = self.pose(i);
        let moved = pose.translation() + self.directions[i] * at;
        let Ok(pose) = Pose::new(moved, pose.rotation().to_array()) else { return f64::NAN };
        let near = closest(a, &Pose::IDENTITY, b, &pose, &mut Cache::default());
        near.distance.abs() / (a.bounding_radius() + b.bounding_radius())
    }

    fn measure(&self, settings: &Settings, group: Group, name: String, count: bool) -> Result<Cell, Failure> {
        let cases = self.directions.len();
        let [verb, search, printed] = race(
            cases,
            [
                ("verb", calls!(i => self.by_verb(black_box(i)))),
                ("search", calls!(i => self.by_search(Search::Shortened, black_box(i)))),
                ("printed", calls!(i => self.by_search(Search::Printed, black_box(i)))),
            ],
            settings,
        );
        let totals: Vec<[f64; 2]> =
            if count { self.turns.iter().map(|&turn| self.totals(turn)).collect() } else { vec![] };
        let (mut met, mut sum, mut worst) = (0, 0.0, 0.0_f64);
        let mut shares = [[0.0; 2]; 2];
        for i in 0..cases {
            let Some(found) = self.by_search(Search::Shortened, i) else { continue };
            let printed = self.by_search(Search::Printed, i);
            met += 1;
            let ends = [Some(found.range), printed.map(|found| found.range), self.by_verb(i)];
            for end in ends.iter().flatten().flat_map(|range| &range.ends) {
                let off = self.off(i, end.at);
                sum += off / 6.0;
                worst = worst.max(off);
            }
            let Some([all, edges]) = totals.get(self.places[i / self.turns.len()].1) else { continue };
            for (shares, found) in shares.iter_mut().zip([Some(found), printed]) {
                for FacesVisited { face_vertex, vertex_face, edge_edge } in found.into_iter().flat_map(|f| f.searched) {
                    shares[0] += 50.0 * f64::from(face_vertex + vertex_face + edge_edge) / all;
                    shares[1] += 50.0 * f64::from(edge_edge) / edges;
                }
            }
        }
        let vertices = self.polytopes.iter().map(|polytope| polytope.vertices().len()).sum();
        let met_count = f64::from(met).max(1.0);
        Ok(Cell {
            group,
            name,
            vertices,
            verb,
            search,
            printed,
            met: f64::from(met) / cases as f64,
            faces: count.then(|| shares.map(|of| of.map(|share| share / met_count))),
            mean: sum / met_count,
            worst,
        })
    }

    /// How many faces A − B has, and how many of them are of two edges.
    fn totals(&self, turn: DQuat) -> [f64; 2] {
        let [a, b] = &self.polytopes;
        let edges = edge_faces(a, b, DMat3::from_quat(turn)) as f64;
        [edges + (a.face_count() + b.face_count()) as f64, edges]
    }
}

/// Faces constructed for the flat cones, for one end.
pub(crate) struct Cones {
    /// The most over all directions, by kind, of the shortened search and of the printed one.
    pub most: [FacesVisited; 2],
    /// The mean of all kinds together.
    pub mean: [f64; 2],
    /// How many faces a cone has, and how many faces of two edges there are.
    pub faces: usize,
    pub edge_faces: usize,
}

fn cones(rng: &mut Rng, points: &[DVec3]) -> Result<Cones, Failure> {
    let polytope = Polytope::from_points(points)?;
    let faces = polytope.face_count();
    let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let edge_faces = edge_faces(&polytope, &polytope, DMat3::from_quat(turn));
    let shape = Shape::from(polytope);
    let pose = Pose::new([0.0; 3], turn.to_array())?;
    let mut cones = Cones { most: [FacesVisited::default(); 2], mean: [0.0; 2], faces, edge_faces };
    let directions: Vec<DVec3> = DVec3::AXES.into_iter().chain((0..200).map(|_| rng.unit_vector())).collect();
    for &direction in &directions {
        for (i, search) in [Search::Shortened, Search::Printed].into_iter().enumerate() {
            let cache = &mut RangeCache::default();
            let found = dual::contact_range(search, &shape, &Pose::IDENTITY, &shape, &pose, direction, cache)?;
            let most = &mut cones.most[i];
            for visited in found.iter().flat_map(|found| found.searched) {
                let FacesVisited { face_vertex, vertex_face, edge_edge } = visited;
                most.face_vertex = most.face_vertex.max(face_vertex);
                most.vertex_face = most.vertex_face.max(vertex_face);
                most.edge_edge = most.edge_edge.max(edge_edge);
                cones.mean[i] += f64::from(face_vertex + vertex_face + edge_edge) / (2 * directions.len()) as f64;
            }
        }
    }
    Ok(cones)
}

/// One position of figure 10.
pub(crate) struct Turned {
    pub degrees: u32,
    /// Of the prisms, of the cylinders themselves, and in closed form.
    pub prisms: [f64; 2],
    pub cylinders: [f64; 2],
    pub closed: [f64; 2],
}

fn cylinders() -> Result<Vec<Turned>, Failure> {
    let polygon = Shape::from(Polytope::from_points(&prism(SIDES))?);
    let round = Shape::cylinder(2.0, 1.0)?;
    let mut all = Vec::new();
    for degrees in (0..=360).step_by(10) {
        let turn = DQuat::from_rotation_x(f64::from(degrees).to_radians());
        let pose = Pose::new([0.0, 0.0, 4.0], turn.to_array())?;
        let range = |shape: &Shape| -> Result<[f64; 2], Failure> {
            let found = contact_range(shape, &Pose::IDENTITY, shape, &pose, DVec3::Z, &mut Cache::default())?;
            Ok(found.map_or([f64::NAN; 2], |range| [range.lo(), range.hi()]))
        };
        let half = half_height(f64::from(degrees).to_radians());
        let closed = [-4.0 - half, -4.0 + half];
        all.push(Turned { degrees, prisms: range(&polygon)?, cylinders: range(&round)?, closed });
    }
    Ok(all)
}

/// How far the sum of the two cylinders reaches along z: the least `h(n)` over `n = (0, y, 1)`, which is linear between the
/// normals of flat ends and of sides.
fn half_height(angle: f64) -> f64 {
    let (s, c) = angle.sin_cos();
    let height = |y: f64| 2.0 + y.abs() + 2.0 * (c - y * s).abs() + (y * c + s).abs();
    [0.0, c / s, -s / c].into_iter().filter(|y| y.is_finite()).map(height).fold(f64::INFINITY, f64::min)
}
