//! Closest features by Voronoi marching, against the explicit Minkowski difference and brute force over all pairs of features:
//! cold, from any features, and along motions.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

#[cfg(single_precision)]
extern crate clearance_f32 as clearance;

mod common;

use clearance::math::{narrow_real, widen, widen_real};
use clearance::narrow::closest_features::{Feature, FeatureAnswer, FeatureCache, Found, closest_features, of_shapes};
use clearance::tolerance::{STALL_SIGMAS, UNIT_ROUNDOFF, sigma};
use clearance::{End, PairCache, Polytope, Pose, Real, Shape, closest, overlap};
use clearance_testkit::features::{distance, least_distance};
use clearance_testkit::{Cloud, HitRate, MinkowskiDifference, PairCase, PairFamily, PosedSolid, Rng, Separation};
use common::{narrowed, pose_of, posed, solid_of};
use glam::{DMat3, DQuat, DVec3};

fn polytope(points: &[DVec3]) -> Option<Polytope> {
    Polytope::from_points(&narrowed(points)).ok()
}

/// Two polytopes at their places.
struct Pair {
    a: Polytope,
    pose_a: Pose,
    b: Polytope,
    pose_b: Pose,
}

impl Pair {
    fn new(case: &PairCase) -> Option<Self> {
        let (a, b) = (polytope(&case.a)?, polytope(&case.b)?);
        Some(Self { a, pose_a: pose(case.pose_a), b, pose_b: pose(case.pose_b) })
    }

    fn ask(&self, cache: &mut FeatureCache) -> FeatureAnswer {
        closest_features(&self.a, &self.pose_a, &self.b, &self.pose_b, cache)
    }

    /// The error of a support value.
    fn error(&self) -> f64 {
        let t = self.pose_b.translation() - self.pose_a.translation();
        widen_real(sigma(self.a.bounding_radius() + self.b.bounding_radius() + t.length()))
    }

    /// World coordinates round at their own size.
    fn far(&self) -> f64 {
        8.0 * widen(self.pose_a.translation()).length() * widen_real(UNIT_ROUNDOFF)
    }

    fn solids(&self) -> [PosedSolid; 2] {
        let place = |p: &Polytope, pose: &Pose| {
            PosedSolid::new(&solid_of(p), matrix(pose), widen(pose.translation()))
        };
        [place(&self.a, &self.pose_a), place(&self.b, &self.pose_b)]
    }

    /// The corners of a feature of A or B, relative to the place of A so that nothing is lost far from the origin.
    fn corners(&self, body: usize, feature: Feature) -> Vec<DVec3> {
        let (polytope, pose) = if body == 0 { (&self.a, &self.pose_a) } else { (&self.b, &self.pose_b) };
        let near = widen(pose.translation()) - widen(self.pose_a.translation());
        let half_edges = polytope.half_edges();
        let ids: Vec<u32> = match feature {
            Feature::Vertex(v) => vec![v],
            Feature::Edge(h) => {
                let half_edge = half_edges[h as usize];
                assert!(h < half_edge.twin, "an edge is named by its lower half");
                vec![half_edge.origin, half_edges[half_edge.twin as usize].origin]
            }
            Feature::Face(f) => polytope.face_vertices(f).collect(),
        };
        let turn = matrix(pose);
        ids.iter().map(|&v| turn * widen(polytope.vertices()[v as usize]) + near).collect()
    }

    fn faces(&self, body: usize) -> Vec<Vec<DVec3>> {
        let polytope = if body == 0 { &self.a } else { &self.b };
        (0..polytope.face_count() as u32).map(|face| self.corners(body, Feature::Face(face))).collect()
    }

    fn random_feature(&self, body: usize, rng: &mut Rng) -> Feature {
        let polytope = if body == 0 { &self.a } else { &self.b };
        match rng.index(3) {
            0 => Feature::Vertex(rng.index(polytope.vertices().len()) as u32),
            1 => Feature::Edge(rng.index(polytope.half_edges().len()) as u32),
            _ => Feature::Face(rng.index(polytope.face_count()) as u32),
        }
    }

    fn edges(&self) -> usize {
        self.a.edge_count() + self.b.edge_count()
    }
}

fn matrix(pose: &Pose) -> DMat3 {
    let m = pose.matrix();
    DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis))
}

fn pose((rotation, translation): (DQuat, DVec3)) -> Pose {
    pose_of(translation, rotation)
}

/// The answer against the exact signed distance, which is handed back.
fn check(pair: &Pair, answer: &FeatureAnswer, what: &str) -> (f64, Separation) {
    let solids = pair.solids();
    let truth = MinkowskiDifference::new(&solids[0], &solids[1]).signed_distance();
    let near = &answer.closest;
    let (error, far) = (pair.error(), pair.far());
    let context = || format!("{what}: {answer:?}, but truly {} ({:?})", truth.distance, truth.kind);
    let off = (widen_real(near.distance) - truth.distance).abs();
    assert!(off <= 64.0 * error, "{} off by {} errors", context(), off / error);
    let within = truth.compare(widen_real(near.lower)).is_ge() && truth.compare(widen_real(near.upper)).is_le();
    assert!(within, "{}", context());
    let gap = widen(near.points[1] - near.points[0] - near.normal * near.distance).length();
    assert!(gap <= 64.0 * error + far, "{}", context());
    for (solid, point) in solids.iter().zip(near.points) {
        assert!(solid.outside_by(widen(point)) <= 64.0 * error + far, "{}", context());
    }
    if answer.found == Found::Marching {
        assert_eq!(near.end, End::Converged, "{}", context());
        let width = widen_real(near.upper - near.lower);
        assert!(width <= (widen_real(STALL_SIGMAS) + 3.0) * error, "{}", context());
        assert!(truth.kind == Separation::Apart, "{}", context());
        let named = distance(&pair.corners(0, answer.features[0]), &pair.corners(1, answer.features[1]));
        assert!((named - truth.distance).abs() <= 64.0 * error, "{}: the features are {named} apart", context());
    }
    if answer.found == Found::Depth {
        assert!(truth.distance <= 64.0 * error, "{}", context());
    }
    if let Some(common) = answer.common {
        for solid in &solids {
            assert!(solid.outside_by(widen(common)) <= 64.0 * error + far, "{}: the common point", context());
        }
    }
    (truth.distance, truth.kind)
}

#[test]
fn families_from_anywhere() {
    let mut rng = Rng::new(71);
    for family in PairFamily::ALL {
        let mut by_gjk = HitRate::new("apart but not by marching");
        let mut used = HitRate::new("solid pairs");
        let mut hits = HitRate::new("meeting pairs");
        let (mut most, mut sum, mut count) = (0, 0, 0);
        for i in 0..1500 {
            let case = family.generate(&mut rng);
            let Some(pair) = Pair::new(&case) else {
                used.record(false);
                continue;
            };
            used.record(true);
            let start = FeatureCache::starting_at(pair.random_feature(0, &mut rng), pair.random_feature(1, &mut rng));
            for (name, cache) in [("cold", FeatureCache::default()), ("anywhere", start)] {
                let what = format!("{} {i} {name} {start:?}", family.name());
                let answer = pair.ask(&mut { cache });
                let (truth, kind) = check(&pair, &answer, &what);
                hits.record(kind != Separation::Apart);
                if truth > 4.0 * pair.error() {
                    if answer.found != Found::Marching {println!("{what} {} errors, {:?} {}", truth/pair.error(), answer.found, answer.steps);}
                    by_gjk.record(answer.found != Found::Marching);
                }
                let limit = 12 + pair.edges();
                assert!(answer.steps as usize <= limit, "{what}: {} steps, {} edges", answer.steps, pair.edges());
                most = most.max(answer.steps);
                (sum, count) = (sum + answer.steps, count + 1);
            }
        }
        println!(
            "{}: {} meet of {}; by GJK {} of {}; steps at most {most}, mean {:.2}",
            family.name(),
            hits.hits(),
            hits.trials(),
            by_gjk.hits(),
            by_gjk.trials(),
            f64::from(sum) / f64::from(count)
        );
        used.assert_between(0.5, 1.0);
    }
}
