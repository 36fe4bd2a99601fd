//! Contact ranges of polytopes against the explicit Minkowski difference: emptiness, ends, bounds, features and points.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::Element;
use clearance::math::{narrow, widen, widen_real};
use clearance::narrow::contact_range::RangeCache;
use clearance::narrow::contact_range::dual;
use clearance::tolerance::sigma;
use clearance::{Cache, Polytope, Pose, Range, Shape, Vec3, closest, contact_range};
use clearance_testkit::{HitRate, LineRange, MinkowskiDifference, PairCase, PairFamily, PosedSolid, Rng};
use common::{pose_of, solid_of, u};
use glam::{DMat3, DVec3};

struct Pair {
    polytopes: [Polytope; 2],
    shapes: [Shape; 2],
    poses: [Pose; 2],
}

fn matrix(pose: &Pose) -> DMat3 {
    let m = pose.matrix();
    DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis))
}

impl Pair {
    /// Nothing if a cloud is flat in this precision.
    fn new(case: &PairCase) -> Option<Self> {
        let polytope = |points: &[DVec3]| Polytope::from_points(&common::narrowed(points)).ok();
        let polytopes = [polytope(&case.a)?, polytope(&case.b)?];
        let shapes = polytopes.clone().map(Shape::from);
        let pose = |(rotation, translation): (glam::DQuat, DVec3)| pose_of(translation, rotation);
        Some(Self { polytopes, shapes, poses: [pose(case.pose_a), pose(case.pose_b)] })
    }

    fn truth(&self, direction: Vec3) -> LineRange {
        let posed = |i: usize| {
            let pose = &self.poses[i];
            PosedSolid::new(&solid_of(&self.polytopes[i]), matrix(pose), widen(pose.translation()))
        };
        MinkowskiDifference::new(&posed(0), &posed(1)).line_range(widen(direction))
    }

    fn range(&self, direction: Vec3, cache: &mut Cache) -> Option<Range> {
        let ([a, b], [pose_a, pose_b]) = (&self.shapes, &self.poses);
        contact_range(a, pose_a, b, pose_b, direction, cache).unwrap()
    }

    /// The error of a support.
    fn error(&self) -> f64 {
        let t = self.poses[1].translation() - self.poses[0].translation();
        widen_real(sigma(self.shapes[0].bounding_radius() + self.shapes[1].bounding_radius() + t.length()))
    }

    fn world(&self, body: usize, vertex: u32) -> DVec3 {
        let p = self.polytopes[body].vertices()[vertex as usize];
        common::posed(&self.poses[body], widen(p))
    }

    fn any_vertex(&self, rng: &mut Rng, body: usize) -> DVec3 {
        let count = self.polytopes[body].vertices().len();
        self.world(body, rng.index(count) as u32)
    }

    fn any_edge(&self, rng: &mut Rng, body: usize) -> [DVec3; 2] {
        let edge = self.polytopes[body].edge(rng.index(self.polytopes[body].edge_count()) as u32);
        edge.vertices.map(|v| self.world(body, v))
    }
}

/// A direction, ordinary or awkward: along an axis, along an edge, from a vertex to a vertex, from an edge's middle, in a face.
fn direction(pair: &Pair, rng: &mut Rng, kind: usize) -> Vec3 {
    let direction = match kind {
        0 => pair.any_vertex(rng, 0) - pair.any_vertex(rng, 1) + rng.in_ball(0.1),
        1 => DVec3::AXES[rng.index(3)] * rng.sign(),
        2 => {
            let body = rng.index(2);
            let [from, to] = pair.any_edge(rng, body);
            to - from
        }
        3 => pair.any_vertex(rng, 0) - pair.any_vertex(rng, 1),
        4 => {
            let [a, b] = [0, 1].map(|body| pair.any_edge(rng, body));
            (a[0] + a[1]) / 2.0 - (b[0] + b[1]) / 2.0
        }
        _ => rng.unit_vector(),
    };
    let direction = narrow(direction * rng.log_uniform(0.01, 100.0));
    if direction == Vec3::ZERO { Vec3::X } else { direction }
}

const KINDS: usize = 6;

#[derive(Default)]
struct Worst {
    /// Signed distance at an end, in errors.
    off: f64,
    supports: u32,
    /// Ends that the paper's search stopped short of.
    early: u32,
}

/// Checks one case; whether there is a range.
fn check(pair: &Pair, direction: Vec3, what: &str, worst: &mut Worst) -> bool {
    let (truth, error) = (pair.truth(direction), pair.error());
    let Some(range) = pair.range(direction, &mut Cache::default()) else {
        assert!(truth.depth <= 4.0 * error, "{what}: missed, but the line is {} errors deep", truth.depth / error);
        return false;
    };
    assert!(truth.depth >= -8.0 * error, "{what}: found, but the line passes by {} errors", -truth.depth / error);
    worst.supports = worst.supports.max(range.iterations);
    check_dual(pair, direction, &range, what, worst);
    for (i, end) in range.ends.iter().enumerate() {
        assert!(end.lower <= end.at && end.at <= end.upper, "{what}: {end:?}");
        if let Some(ends) = &truth.ends {
            let within =
                ends[i].compare(widen_real(end.lower)).is_ge() && ends[i].compare(widen_real(end.upper)).is_le();
            assert!(
                within,
                "{what}: end {i} is truly {} but {end:?}; depth {} errors",
                ends[i].value,
                truth.depth / error
            );
        }
        check_contact(pair, direction, &range, i, what, worst);
    }
    true
}

/// The paper's search finds the same ends, within the bounds of both: as printed, and shortened.
fn check_dual(pair: &Pair, direction: Vec3, range: &Range, what: &str, worst: &mut Worst) {
    let ([a, b], [pose_a, pose_b]) = (&pair.shapes, &pair.poses);
    for search in [dual::Search::Shortened, dual::Search::Printed] {
        let found = dual::contact_range(search, a, pose_a, b, pose_b, direction, &mut RangeCache::default()).unwrap();
        let found = found.unwrap_or_else(|| panic!("{what}: the search by duals misses"));
        worst.early += found.stopped_early.iter().map(|&early| u32::from(early)).sum::<u32>();
        for (ours, theirs) in range.ends.iter().zip(&found.range.ends) {
            let agree = ours.lower <= theirs.upper && theirs.lower <= ours.upper;
            assert!(agree, "{what}: {ours:?} but {search:?} {theirs:?}");
        }
    }
}

/// Moves B to an end and asks for the distance there.
fn check_contact(pair: &Pair, direction: Vec3, range: &Range, i: usize, what: &str, worst: &mut Worst) {
    let end = &range.ends[i];
    let ([a, b], [pose_a, pose_b]) = (&pair.shapes, &pair.poses);
    let moved = widen(pose_b.translation()) + widen(direction) * widen_real(end.at);
    let pose = pose_of(moved, glam::DQuat::from_array(pose_b.rotation().to_array().map(widen_real)));
    let far = u() * (moved.length() + widen(pose_a.translation()).length());
    let error = pair.error() + u() * (moved - widen(pose_a.translation())).length() + 4.0 * far;
    let near = closest(a, pose_a, b, &pose, &mut Cache::default());
    let off = widen_real(near.distance).abs() / error;
    worst.off = worst.off.max(off);
    assert!(off <= 16.0, "{what}: at end {i} the distance is {off} errors: {near:?}, {end:?}");
    for (body, point) in end.points.iter().enumerate() {
        let solid = PosedSolid::new(
            &solid_of(&pair.polytopes[body]),
            matrix(&pair.poses[body]),
            widen(pair.poses[body].translation()),
        );
        let outside = solid.outside_by(widen(*point));
        assert!(
            outside <= 32.0 * error,
            "{what}: point {body} of end {i} is {} errors outside: {end:?}",
            outside / error
        );
        check_feature(pair, body, end.features[body].element, widen(*point), 64.0 * error, what);
    }
    let kinds = matches!(
        (end.features[0].element, end.features[1].element),
        (Element::Face(_), Element::Vertex(_))
            | (Element::Vertex(_), Element::Face(_))
            | (Element::Edge(_), Element::Edge(_))
    );
    assert!(kinds, "{what}: {end:?}");
}

/// A feature named in an answer has the point in it.
fn check_feature(pair: &Pair, body: usize, feature: Element, point: DVec3, error: f64, what: &str) {
    let polytope = &pair.polytopes[body];
    let off = match feature {
        Element::Vertex(v) => pair.world(body, v).distance(point),
        Element::Edge([from, to]) => {
            assert!(polytope.neighbours(from).contains(&to), "{what}: no edge joins {from} and {to}");
            let (from, to) = (pair.world(body, from), pair.world(body, to));
            let along = ((point - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
            (from + (to - from) * along).distance(point)
        }
        Element::Face(face) => {
            let corner = polytope.face_vertices(face).next().unwrap();
            let normal = widen(pair.poses[body].direction(polytope.plane(face).normal));
            normal.dot(point - pair.world(body, corner)).abs()
        }
        Element::Smooth | Element::Whole => f64::INFINITY,
    };
    assert!(off <= error, "{what}: the point {point} of body {body} is {off} off its {feature:?}, allowed {error}");
}

#[test]
fn ranges_agree_with_the_explicit_difference() {
    let mut rng = Rng::new(17);
    for family in PairFamily::ALL {
        let mut found = HitRate::new("lines that meet");
        let mut used = HitRate::new("solid pairs");
        let mut worst = Worst::default();
        for i in 0..120 {
            let pair = Pair::new(&family.generate(&mut rng));
            used.record(pair.is_some());
            let Some(pair) = pair else { continue };
            for kind in 0..KINDS {
                let direction = direction(&pair, &mut rng, kind);
                found.record(check(&pair, direction, &format!("{} {i} kind {kind}", family.name()), &mut worst));
            }
        }
        println!(
            "{}: {} of {}; worst {} errors, {} supports, {} early",
            family.name(),
            found.hits(),
            found.trials(),
            worst.off,
            worst.supports,
            worst.early
        );
        used.assert_between(0.5, 1.0);
        found.assert_between(0.3, 1.0);
    }
}

/// A face made of a speck's edge and a giant's is so thin that the weights of a point in it did not add up to one.
#[test]
fn a_speck_against_a_giant_keeps_its_bounds() {
    let mut rng = Rng::new(23);
    let mut found = HitRate::new("lines that meet");
    for i in 0..150 {
        let mut case = PairFamily::Random.generate(&mut rng);
        let ratio = if common::SINGLE { 1e4 } else { 1e11 };
        let scaled = if i % 2 == 0 { &mut case.a } else { &mut case.b };
        scaled.iter_mut().for_each(|p| *p *= ratio);
        case.pose_b.1 = case.pose_a.1 + rng.unit_vector() * (1.5 * ratio);
        let Some(pair) = Pair::new(&case) else { continue };
        let direction = direction(&pair, &mut rng, 4);
        found.record(check(&pair, direction, &format!("speck {i}"), &mut Worst::default()));
    }
    found.assert_between(0.5, 1.0);
}
