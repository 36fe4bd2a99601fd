//! Contact ranges against the explicit Minkowski difference: emptiness, ends and bounds, on random and degenerate pairs and
//! directions; and how often the paper's search, left to itself, stops early.

use clearance::Element;
use clearance::narrow::contact_range::RangeCache;
use clearance::narrow::contact_range::dual;
use clearance::tolerance::sigma;
use clearance::{Cache, Polytope, Pose, Range, Shape, contact_range};
use clearance_testkit::{LineRange, MinkowskiDifference, PairCase, PairFamily, PosedSolid, Rng, Solid};
use glam::DVec3;

use crate::{Failure, Progress};

/// Directions asked of each pair: along an axis, along an edge, between vertices, between middles of edges, at random.
const DIRECTIONS: usize = 5;

/// What became of the cases.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub cases: usize,
    pub found: usize,
    /// Whether the line meets is wrong, though it is not within the error of grazing.
    pub wrong_emptiness: usize,
    /// An end is not within its bounds.
    pub outside_bounds: usize,
    /// An end is off by more than the error, measured across the face that it is on.
    pub wrong_end: usize,
    /// Features are none of the three kinds.
    pub wrong_features: usize,
    /// The search by duals has another answer.
    pub dual_differs: usize,
    /// Ends at which the search by duals stopped early.
    pub stopped_early: usize,
    /// The largest error of an end across its face, relative to the size of the pair.
    pub worst: f64,
}

struct Pair {
    polytopes: [Polytope; 2],
    shapes: [Shape; 2],
    poses: [Pose; 2],
}

impl Pair {
    fn new(case: &PairCase) -> Option<Self> {
        let polytopes = [Polytope::from_points(&case.a).ok()?, Polytope::from_points(&case.b).ok()?];
        let pose = |(rotation, translation): (glam::DQuat, DVec3)| Pose::new(translation, rotation.to_array()).ok();
        let poses = [pose(case.pose_a)?, pose(case.pose_b)?];
        Some(Self { shapes: polytopes.clone().map(Shape::from), polytopes, poses })
    }

    fn difference(&self) -> MinkowskiDifference {
        let [a, b] = [0, 1].map(|i| {
            let polytope: &Polytope = &self.polytopes[i];
            let face = |f: u32| polytope.face_vertices(f).map(|v| v as usize).collect();
            let faces = (0..polytope.face_count() as u32).map(face).collect();
            let solid = Solid { vertices: polytope.vertices().to_vec(), faces };
            PosedSolid::new(&solid, self.poses[i].matrix(), self.poses[i].translation())
        });
        MinkowskiDifference::new(&a, &b)
    }

    fn size(&self) -> f64 {
        let t = self.poses[1].translation() - self.poses[0].translation();
        self.shapes[0].bounding_radius() + self.shapes[1].bounding_radius() + t.length()
    }

    fn vertex(&self, rng: &mut Rng, body: usize) -> DVec3 {
        self.poses[body].point(rng.pick(self.polytopes[body].vertices()))
    }

    fn edge(&self, rng: &mut Rng, body: usize) -> [DVec3; 2] {
        let edge = self.polytopes[body].edge(rng.index(self.polytopes[body].edge_count()) as u32);
        edge.vertices.map(|v| self.poses[body].point(self.polytopes[body].vertices()[v as usize]))
    }

    fn direction(&self, rng: &mut Rng, kind: usize) -> DVec3 {
        let direction = match kind {
            0 => DVec3::AXES[rng.index(3)] * rng.sign(),
            1 => {
                let body = rng.index(2);
                let [from, to] = self.edge(rng, body);
                to - from
            }
            2 => self.vertex(rng, 0) - self.vertex(rng, 1),
            3 => {
                let [a, b] = [self.edge(rng, 0), self.edge(rng, 1)];
                (a[0] + a[1] - b[0] - b[1]) / 2.0
            }
            _ => rng.unit_vector(),
        };
        if direction == DVec3::ZERO { DVec3::X } else { direction * rng.log_uniform(0.1, 10.0) }
    }
}

/// Runs so many cases, spread over all families.
pub(crate) fn run(count: usize, rng: &mut Rng, progress: &Progress) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let families = PairFamily::ALL;
    while tally.cases < count {
        let family = families[(tally.cases / DIRECTIONS) % families.len()];
        let Some(pair) = Pair::new(&family.generate(rng)) else { continue };
        let difference = pair.difference();
        for kind in 0..DIRECTIONS {
            let direction = pair.direction(rng, kind);
            tally.judge(&pair, direction, &difference.line_range(direction))?;
        }
        progress.advance(DIRECTIONS as u64);
    }
    Ok(tally)
}

impl Tally {
    fn judge(&mut self, pair: &Pair, direction: DVec3, truth: &LineRange) -> Result<(), Failure> {
        let ([a, b], [pose_a, pose_b]) = (&pair.shapes, &pair.poses);
        let size = pair.size();
        let error = 4.0 * sigma(size);
        let range = contact_range(a, pose_a, b, pose_b, direction, &mut Cache::default())?;
        let by_duals =
            dual::contact_range(dual::Search::Shortened, a, pose_a, b, pose_b, direction, &mut RangeCache::default())?;
        self.cases += 1;
        self.found += usize::from(range.is_some());
        self.dual_differs += usize::from(range.is_some() != by_duals.is_some());
        if truth.depth.abs() > error {
            self.wrong_emptiness += usize::from(range.is_some() != (truth.depth > 0.0));
        }
        if let (Some(range), Some(by_duals)) = (range, by_duals) {
            self.stopped_early += by_duals.stopped_early.iter().filter(|&&early| early).count();
            let apart = |i: usize| {
                let [ours, theirs] = [&range.ends[i], &by_duals.range.ends[i]];
                ours.lower > theirs.upper || theirs.lower > ours.upper
            };
            self.dual_differs += usize::from(apart(0) || apart(1));
            self.judge_ends(&range, truth, direction, size);
        }
        Ok(())
    }

    fn judge_ends(&mut self, range: &Range, truth: &LineRange, direction: DVec3, size: f64) {
        let Some(ends) = &truth.ends else { return };
        for (end, truth_end) in range.ends.iter().zip(ends) {
            let within = truth_end.compare(end.lower).is_ge() && truth_end.compare(end.upper).is_le();
            self.outside_bounds += usize::from(!within);
            let kinds = matches!(
                (end.features[0].element, end.features[1].element),
                (Element::Face(_), Element::Vertex(_))
                    | (Element::Vertex(_), Element::Face(_))
                    | (Element::Edge(_), Element::Edge(_))
            );
            self.wrong_features += usize::from(!kinds);
            // Seen across the face: along a line that all but lies in it, the same error is arbitrarily large.
            let off = (end.at - truth_end.value).abs() * truth_end.normal.dot(direction).abs() / size;
            if truth.depth > 4.0 * sigma(size) {
                self.worst = self.worst.max(off);
                self.wrong_end += usize::from(off > 1e-12);
            }
        }
    }
}
