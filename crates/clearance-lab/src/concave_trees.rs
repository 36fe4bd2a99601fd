//! Concave bodies as trees of convex hulls, as their user took them apart: Q_COLLIDE, section 5.6.
//!
//! The thesis proposes the tree and measures nothing. Here a chair is a seat, a back of three slats and a rail, and four legs; a set is a
//! table with four chairs around it, and a ring is a torus that is not taken apart. Two of these in random poses, many of which have
//! one between the legs of the other, are asked by their trees of hulls; by every pair of parts; and as compounds, which make their own trees
//! of boxes. Compared are tests and times; answers must be the same.

use std::hint::black_box;

use clearance::study::hull_tree::{HullPart, HullTree, overlap as trees_overlap};
use clearance::{Body, Cache, Compound, Contact, Mesh, Polytope, Pose, Shape, Vec3, closest, overlap};
use clearance_testkit::{Polyhedron, Rng};
use glam::DVec3;

use crate::{Experiment, Failure, Progress, Report, Settings, interleaved};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "concave-trees",
    title: "concave bodies as trees of hulls, kept as given, against all pairs of parts and compounds",
    reproduces: "q-collide section 5.6",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Random poses of each pair.
    pub poses: usize,
}

const FULL: Sizes = Sizes { poses: 4000 };
const QUICK: Sizes = Sizes { poses: 400 };

/// A concave body, as a tree and flat.
struct Concave {
    tree: HullTree,
    parts: Vec<(Body, Pose)>,
    whole: Compound,
    reach: f64,
}

fn block(half: [f64; 3]) -> Result<HullPart, Failure> {
    let solid = Polyhedron::cuboid(DVec3::from_array(half));
    Ok(HullPart::Convex(Polytope::from_points(&solid.vertices)?))
}

fn at(part: HullPart, place: [f64; 3]) -> Result<(HullPart, Pose), Failure> {
    Ok((part, Pose::from_translation(place)?))
}

fn chair() -> Result<HullPart, Failure> {
    let mut legs = Vec::new();
    for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        legs.push(at(block([0.05, 0.05, 0.45])?, [0.4 * x, 0.4 * y, -0.5])?);
    }
    let mut back = vec![at(block([0.04, 0.45, 0.05])?, [-0.4, 0.0, 0.95])?];
    for y in [-0.3, 0.0, 0.3] {
        back.push(at(block([0.03, 0.04, 0.4])?, [-0.4, y, 0.45])?);
    }
    let groups = vec![at(block([0.45, 0.45, 0.05])?, [0.0; 3])?, at(HullPart::Group(back), [0.0; 3])?];
    let legs = at(HullPart::Group(legs), [0.0; 3])?;
    Ok(HullPart::Group(groups.into_iter().chain([legs]).collect()))
}

fn set() -> Result<HullPart, Failure> {
    let table = vec![at(block([1.2, 1.2, 0.05])?, [0.0, 0.0, 0.4])?, at(block([0.15, 0.15, 0.65])?, [0.0, 0.0, -0.3])?];
    let mut all = vec![at(HullPart::Group(table), [0.0; 3])?];
    for quarter in 0..4 {
        let turn = f64::from(quarter) * std::f64::consts::FRAC_PI_2;
        let pose = Pose::from_axis_angle(Vec3::Z, turn)?;
        let place = pose.point(Vec3::new(-1.6, 0.0, 0.0));
        all.push((chair()?, pose.with_translation(place)?));
    }
    Ok(HullPart::Group(all))
}

fn ring() -> Result<HullPart, Failure> {
    let torus = Polyhedron::torus(1.0, 0.2, 32, 12);
    Ok(HullPart::Surface(std::sync::Arc::new(Mesh::new(&torus.vertices, &torus.faces)?)))
}

impl Concave {
    fn new(part: &HullPart) -> Result<Self, Failure> {
        let mut parts = Vec::new();
        flatten(part, &Pose::IDENTITY, &mut parts);
        let whole = Compound::new(parts.clone())?;
        let reach = whole_reach(&parts);
        Ok(Self { tree: HullTree::new(part)?, parts, whole, reach })
    }
}

fn whole_reach(parts: &[(Body, Pose)]) -> f64 {
    let corner = |(body, pose): &(Body, Pose)| {
        let bounds = body.aabb(pose);
        bounds.min.abs().max(bounds.max.abs()).length()
    };
    parts.iter().map(corner).fold(0.0, f64::max)
}

fn flatten(part: &HullPart, pose: &Pose, parts: &mut Vec<(Body, Pose)>) {
    match part {
        HullPart::Convex(polytope) => parts.push((Shape::from(polytope.clone()).into(), *pose)),
        HullPart::Surface(mesh) => parts.push((mesh.as_ref().clone().into(), *pose)),
        HullPart::Group(group) => group.iter().for_each(|(part, inner)| flatten(part, &pose.compose(inner), parts)),
    }
}

/// What was found out about one pair of bodies.
struct Found {
    name: &'static str,
    all_pairs: usize,
    meeting: f64,
    hull_tests: f64,
    leaf_tests: f64,
    /// Of pairs apart, those told apart by the hulls of the wholes.
    at_the_top: f64,
    /// Hulls and leaves asked of pairs apart that the hulls of the wholes did not tell apart.
    below: f64,
    wrong: usize,
    /// Nanoseconds: trees, all pairs of parts, compounds.
    times: [f64; 3],
}

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the experiment with sizes of one's own.
///
/// # Errors
/// If a body cannot be made.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let [chair, set, ring] = [chair()?, set()?, ring()?].map(|part| Concave::new(&part));
    let (chair, set, ring) = (chair?, set?, ring?);
    let pairs = [
        ("two chairs", &chair, &chair),
        ("set and chair", &set, &chair),
        ("two sets", &set, &set),
        ("set and ring", &set, &ring),
    ];
    progress.start(pairs.len() as u64, "pairs");
    let mut found = Vec::new();
    for (name, a, b) in pairs {
        found.push(measure(settings, sizes, name, a, b)?);
        progress.advance(1);
    }
    Ok(report(&found))
}

/// Whether any two parts meet, each pair asked until one does.
fn any_parts(a: &Concave, pose_a: &Pose, b: &Concave, pose_b: &Pose) -> bool {
    a.parts.iter().any(|(part, of_a)| {
        let pose = pose_a.compose(of_a);
        let meets = |(other, of_b): &(Body, Pose)| {
            overlap(part, &pose, other, &pose_b.compose(of_b), &mut Cache::default()).overlap
        };
        b.parts.iter().any(meets)
    })
}

fn measure(settings: &Settings, sizes: &Sizes, name: &'static str, a: &Concave, b: &Concave) -> Result<Found, Failure> {
    let mut rng = Rng::new(settings.seed);
    let mut poses = Vec::new();
    for _ in 0..sizes.poses {
        poses.push([
            Pose::new(DVec3::ZERO, rng.rotation())?,
            Pose::new(rng.in_ball(a.reach + b.reach), rng.rotation())?,
        ]);
    }
    let (mut meeting, mut wrong, mut hulls, mut leaves) = (0, 0, 0, 0);
    let (mut top, mut deep, mut deep_tests) = (0, 0, 0);
    for [at_a, at_b] in &poses {
        let found = trees_overlap(&a.tree, at_a, &b.tree, at_b);
        let near = closest(&a.whole, at_a, &b.whole, at_b, &mut Cache::default());
        wrong +=
            usize::from(near.contact != Contact::Touching && found.overlap != (near.contact == Contact::Overlapping));
        meeting += usize::from(found.overlap);
        hulls += found.hull_tests;
        leaves += found.leaf_tests;
        if !found.overlap && found.hull_tests == 1 && found.leaf_tests == 0 {
            top += 1;
        } else if !found.overlap {
            (deep, deep_tests) = (deep + 1, deep_tests + found.hull_tests + found.leaf_tests);
        }
    }
    macro_rules! batch {
        ($ask:expr) => {
            &mut || poses.iter().for_each(|[at_a, at_b]| _ = black_box($ask(black_box(at_a), at_b)))
        };
    }
    let times = interleaved(
        &mut [
            ("trees", batch!(|at_a, at_b| trees_overlap(&a.tree, at_a, &b.tree, at_b))),
            ("parts", batch!(|at_a, at_b| any_parts(a, at_a, b, at_b))),
            ("compounds", batch!(|at_a, at_b| overlap(&a.whole, at_a, &b.whole, at_b, &mut Cache::default()))),
        ],
        poses.len(),
        settings,
    );
    let count = poses.len().max(1) as f64;
    Ok(Found {
        name,
        all_pairs: a.parts.len() * b.parts.len(),
        meeting: meeting as f64 / count,
        hull_tests: f64::from(hulls) / count,
        leaf_tests: f64::from(leaves) / count,
        at_the_top: top as f64 / (top + deep).max(1) as f64,
        below: f64::from(deep_tests) / deep.max(1) as f64,
        wrong,
        times: [times[0].best, times[1].best, times[2].best],
    })
}

fn report(found: &[Found]) -> Report {
    let columns = [
        "bodies",
        "pairs_of_parts",
        "meeting",
        "hull_tests",
        "leaf_tests",
        "apart_at_the_top",
        "tests_below_the_top",
        "trees_ns",
        "parts_ns",
        "compounds_ns",
    ];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for one in found {
        let counts = [one.meeting, one.hull_tests, one.leaf_tests, one.at_the_top, one.below];
        let numbers = counts.into_iter().chain(one.times).map(crate::Value::from);
        report.row([one.name.into(), one.all_pairs.into()].into_iter().chain(numbers));
    }
    let wrong: usize = found.iter().map(|one| one.wrong).sum();
    report.claim("trees of hulls and compounds answer alike", "–", format!("{wrong} differ"), wrong == 0);
    let paper = "decomposed only when necessary";
    for one in found {
        let tests = one.hull_tests + one.leaf_tests;
        let text = format!(
            "{tests:.1} tests on average for {} pairs of parts; {:.0} % of the pairs apart at the top",
            one.all_pairs,
            100.0 * one.at_the_top
        );
        let claim = format!("section 5.6, {}: fewer tests than pairs of parts", one.name);
        report.claim(claim, paper, text, tests < one.all_pairs as f64);
    }
    let efficient = found.iter().all(|one| one.times[0] < one.times[1]);
    let ratio = |of: usize| {
        found.iter().map(|one| format!("{:.1}", one.times[of] / one.times[0])).collect::<Vec<_>>().join(", ")
    };
    let claim = "section 5.6: the tree is faster than asking the parts";
    report.claim(claim, "can be done efficiently", format!("{} times", ratio(1)), efficient);
    let faster = found.iter().all(|one| one.times[0] < one.times[2]);
    report.claim("the tree as given is faster than a compound's own", "–", format!("{} times", ratio(2)), faster);
    report
}
