//! The tables, claims and plots of the casts through brush worlds.

use clearance::ccd::polyhedra::Cast;

use crate::doom3_casts::{World, variants};
use crate::{Plot, Report, Value};

/// How many variants there are.
pub(crate) const VARIANTS: usize = 8;
/// The one without shared signs.
const WITHOUT_SIGNS: usize = 6;
/// More than this share of a game's edges are internal (section 6).
const INTERNAL: f64 = 0.3;
/// A cast looks at less than this share of the polygons of the largest world.
const TOUCHED: f64 = 0.01;
/// The least number of polygons of a world about which that is said.
const LARGE: usize = 100_000;

/// The sums of one variant.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    feature_tests: u64,
    signs: u64,
    shared: u64,
    differ: usize,
}

/// What was measured of one kind of motion in one world.
#[derive(Debug)]
pub(crate) struct Measured {
    world: String,
    motion: &'static str,
    polygons: usize,
    hidden: usize,
    edges: usize,
    internal: usize,
    concave: usize,
    casts: usize,
    hits: usize,
    candidates: u64,
    most_candidates: u32,
    sums: [Sums; VARIANTS],
    pub(crate) bsp_differs: usize,
    /// Of a cast, with the tree and with the axial BSP.
    pub(crate) nanoseconds: [f64; 2],
}

impl Measured {
    pub(crate) fn new(world: &World, turning: bool, casts: usize) -> Self {
        let (edges, internal) = world.tree.visible_edge_counts();
        Self {
            world: world.name.clone(),
            motion: if turning { "rotation" } else { "translation" },
            polygons: world.tree.face_count(),
            hidden: world.tree.hidden_face_count(),
            edges,
            internal,
            concave: world.concave,
            casts,
            hits: 0,
            candidates: 0,
            most_candidates: 0,
            sums: [Sums::default(); VARIANTS],
            bsp_differs: 0,
            nanoseconds: [0.0; 2],
        }
    }

    /// Adds a cast of one of the variants; no answer differs from any.
    pub(crate) fn add(&mut self, variant: usize, cast: Option<&Cast>, same: bool) {
        let sums = &mut self.sums[variant];
        sums.differ += usize::from(!same);
        let Some(cast) = cast else { return };
        let counts = &cast.counts;
        sums.feature_tests += u64::from(counts.point_face) + u64::from(counts.edge_edge);
        sums.signs += u64::from(counts.sides);
        sums.shared += u64::from(counts.shared_sides);
        if variant == 0 {
            self.hits += usize::from(cast.hit.is_some());
            self.candidates += u64::from(counts.candidates);
            self.most_candidates = self.most_candidates.max(counts.candidates);
        }
    }

    fn per_cast(&self, sum: u64) -> f64 {
        sum as f64 / self.casts.max(1) as f64
    }

    /// The share of the polygons that a cast looks at, in the mean.
    fn touched(&self) -> f64 {
        self.per_cast(self.candidates) / self.polygons.max(1) as f64
    }

    fn most_touched(&self) -> f64 {
        f64::from(self.most_candidates) / self.polygons.max(1) as f64
    }

    fn internal_share(&self) -> f64 {
        self.internal as f64 / self.edges.max(1) as f64
    }

    fn concave_share(&self) -> f64 {
        self.concave as f64 / self.edges.max(1) as f64
    }

    fn is_map(&self) -> bool {
        !self.world.starts_with("building")
    }

    /// What a variant does more than all shortcuts together: of feature tests, and for the signs of signs.
    fn spared(&self, variant: usize) -> f64 {
        let work = |sums: &Sums| if variant == WITHOUT_SIGNS { sums.signs } else { sums.feature_tests };
        work(&self.sums[variant]) as f64 / work(&self.sums[0]).max(1) as f64 - 1.0
    }
}

pub(crate) fn report(name: &str, measured: &[Measured]) -> Report {
    let columns = [
        "world",
        "polygons",
        "hidden",
        "edges",
        "internal_percent",
        "concave_percent",
        "motion",
        "variant",
        "casts",
        "hits",
        "candidates",
        "candidates_percent",
        "feature_tests",
        "signs",
        "shared_signs",
        "tree_us",
        "bsp_us",
        "differ",
    ];
    let mut report = Report::new(name, &columns);
    for one in measured {
        for (i, (variant, _)) in variants().into_iter().enumerate() {
            report.row(row(one, i, variant));
        }
    }
    claims(&mut report, measured);
    report.plot(plot(measured));
    report
}

fn row(one: &Measured, variant: usize, name: &str) -> Vec<Value> {
    let sums = &one.sums[variant];
    // Times, hits and candidates are those of all shortcuts.
    let first = |x: f64| if variant == 0 { Value::Number(x) } else { Value::Text("–".into()) };
    vec![
        one.world.as_str().into(),
        one.polygons.into(),
        one.hidden.into(),
        one.edges.into(),
        (100.0 * one.internal_share()).into(),
        (100.0 * one.concave_share()).into(),
        one.motion.into(),
        name.into(),
        one.casts.into(),
        one.hits.into(),
        first(one.per_cast(one.candidates)),
        first(100.0 * one.touched()),
        one.per_cast(sums.feature_tests).into(),
        one.per_cast(sums.signs).into(),
        one.per_cast(sums.shared).into(),
        first(one.nanoseconds[0] / 1e3),
        first(one.nanoseconds[1] / 1e3),
        sums.differ.into(),
    ]
}

fn claims(report: &mut Report, measured: &[Measured]) {
    for one in measured.iter().filter(|one| one.motion == "translation") {
        let [wide, concave] = [one.internal_share(), one.concave_share()];
        let claim = format!("section 6, {}: more than 30 % of the edges are internal, concave ones alone", one.world);
        report.claim(claim, "more than 30 % in DOOM III", format!("{:.1} %", 100.0 * concave), concave > INTERNAL);
        let claim = format!(
            "{}: more than 30 % of the edges can never collide: concave and flat ones and those covered by other brushes",
            one.world
        );
        report.claim(claim, "–", format!("{:.1} %", 100.0 * wide), wide > INTERNAL);
    }
    for (i, (name, _)) in variants().into_iter().enumerate().skip(1) {
        // Signs are only kept along straight ways.
        let of = || measured.iter().filter(|one| i != WITHOUT_SIGNS || one.motion == "translation");
        let (least, most) = of()
            .map(|one| one.spared(i))
            .fold((f64::INFINITY, 0.0), |(low, high), x| (f64::min(low, x), f64::max(high, x)));
        let work = if i == WITHOUT_SIGNS { "signs" } else { "feature tests" };
        let value = format!("{:.1} to {:.1} % more", 100.0 * least, 100.0 * most);
        report.claim(format!("{name} there are more {work}"), "each saves work", value, least > 0.0);
    }
    let differ: usize = measured.iter().flat_map(|one| one.sums.iter().map(|sums| sums.differ)).sum();
    report.claim("shortcuts change no answer", "–", format!("{differ} differ"), differ == 0);
    let differ: usize = measured.iter().map(|one| one.bsp_differs).sum();
    report.claim("tree and BSP give the same bits", "–", format!("{differ} differ"), differ == 0);
    cost(report, measured);
}

fn cost(report: &mut Report, measured: &[Measured]) {
    for motion in ["translation", "rotation"] {
        let of = || measured.iter().filter(|one| one.motion == motion);
        for large in of().filter(|one| one.polygons >= LARGE) {
            let value =
                format!("{:.3} % in the mean, {:.3} % at most", 100.0 * large.touched(), 100.0 * large.most_touched());
            let claim = format!("{}, {motion}: a cast looks at less than 1 % of the polygons", large.world);
            report.claim(claim, "goal", value, large.most_touched() < TOUCHED);
        }
        let buildings: Vec<&Measured> = of().filter(|one| !one.is_map()).collect();
        if let [first, .., last] = buildings[..] {
            let growth = last.nanoseconds[0] / first.nanoseconds[0];
            let larger = last.polygons as f64 / first.polygons as f64;
            let claim = format!("{motion}: the cost grows with less than the square root of the world");
            let value = format!("{growth:.2} times for {larger:.1} times the polygons");
            report.claim(claim, "–", value, growth < larger.sqrt());
            report.why_not("a goal of this project, no paper's claim");
        }
        let ratios = of().map(|one| one.nanoseconds[1] / one.nanoseconds[0]);
        let [low, high] = ratios.fold([f64::INFINITY, 0.0], |[low, high], x| [f64::min(low, x), f64::max(high, x)]);
        let claim = format!("section 5, {motion}: boxes and an axial BSP are faster than a tree of boxes");
        let paper = "the most efficient of several approaches";
        report.claim(claim, paper, format!("the BSP takes {low:.2} to {high:.2} times as long"), high < 1.0);
        report.why("the tree is built by the surface area heuristic and walked front to back, which the paper does not say of its own");
    }
}

/// The cost of a cast against the size of the building.
fn plot(measured: &[Measured]) -> Plot {
    let mut plot = Plot::new("cost", "Cost of a cast", "polygons", "microseconds").log(true, true);
    for motion in ["translation", "rotation"] {
        for (which, name) in ["tree", "axial BSP"].into_iter().enumerate() {
            let of = measured.iter().filter(|one| one.motion == motion && !one.is_map());
            let points = of.map(|one| (one.polygons as f64, one.nanoseconds[which] / 1e3));
            plot.line(format!("{motion}, {name}"), points);
        }
    }
    plot
}
