//! Closest features by Voronoi marching, against the explicit Minkowski difference and brute force over all pairs of features:
//! cold, from any features, and along motions.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{widen, widen_real};
use clearance::narrow::closest_features::{
    FeatureAnswer, FeatureCache, Found, PolytopeFeature, closest_features, of_shapes,
};
use clearance::tolerance::{STALL_SIGMAS, UNIT_ROUNDOFF, sigma};
use clearance::{Cache, End, Polytope, Pose, Shape, closest};
use clearance_testkit::features::{distance, least_distance};
use clearance_testkit::{Cloud, HitRate, MinkowskiDifference, PairCase, PairFamily, PosedSolid, Rng, Separation};
use common::{narrowed, pose_of, solid_of};
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
        let place = |p: &Polytope, pose: &Pose| PosedSolid::new(&solid_of(p), matrix(pose), widen(pose.translation()));
        [place(&self.a, &self.pose_a), place(&self.b, &self.pose_b)]
    }

    /// The corners of a feature of A or B, relative to the place of A so that nothing is lost far from the origin.
    fn corners(&self, body: usize, feature: PolytopeFeature) -> Vec<DVec3> {
        let (polytope, pose) = if body == 0 { (&self.a, &self.pose_a) } else { (&self.b, &self.pose_b) };
        let near = widen(pose.translation()) - widen(self.pose_a.translation());
        let half_edges = polytope.half_edges();
        let ids: Vec<u32> = match feature {
            PolytopeFeature::Vertex(v) => vec![v],
            PolytopeFeature::Edge(h) => {
                let half_edge = half_edges[h as usize];
                assert!(h < half_edge.twin, "an edge is named by its lower half");
                vec![half_edge.origin, half_edges[half_edge.twin as usize].origin]
            }
            PolytopeFeature::Face(f) => polytope.face_vertices(f).collect(),
        };
        let turn = matrix(pose);
        ids.iter().map(|&v| turn * widen(polytope.vertices()[v as usize]) + near).collect()
    }

    fn faces(&self, body: usize) -> Vec<Vec<DVec3>> {
        let polytope = if body == 0 { &self.a } else { &self.b };
        (0..polytope.face_count() as u32).map(|face| self.corners(body, PolytopeFeature::Face(face))).collect()
    }

    fn random_feature(&self, body: usize, rng: &mut Rng) -> PolytopeFeature {
        let polytope = if body == 0 { &self.a } else { &self.b };
        match rng.index(3) {
            0 => PolytopeFeature::Vertex(rng.index(polytope.vertices().len()) as u32),
            1 => PolytopeFeature::Edge(rng.index(polytope.half_edges().len()) as u32),
            _ => PolytopeFeature::Face(rng.index(polytope.face_count()) as u32),
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
        for i in 0..500 {
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
        if by_gjk.trials() > 0 {
            by_gjk.assert_between(0.0, 0.002);
        }
    }
}

/// Against brute force over all pairs of features, which knows nothing of directions.
#[test]
fn no_other_pair_of_features_is_nearer() {
    let mut rng = Rng::new(72);
    let mut apart = HitRate::new("pairs apart");
    for i in 0..400 {
        let case = PairFamily::Random.generate(&mut rng);
        let Some(pair) = Pair::new(&case) else {
            continue;
        };
        let answer = pair.ask(&mut FeatureCache::default());
        if apart.record(answer.found == Found::Marching) {
            let least = least_distance(&pair.faces(0), &pair.faces(1));
            let named = distance(&pair.corners(0, answer.features[0]), &pair.corners(1, answer.features[1]));
            let error = 64.0 * pair.error();
            let context = || format!("{i}: {answer:?}, but {least}, the features {named}");
            assert!((widen_real(answer.closest.distance) - least).abs() <= error, "{}", context());
            assert!((named - least).abs() <= error, "{}", context());
        }
    }
    apart.assert_between(0.25, 0.75);
}

fn cuboid(half: [f64; 3]) -> Polytope {
    let signs =
        |i: usize| DVec3::from_array([0, 1, 2].map(|axis| if i >> axis & 1 == 0 { half[axis] } else { -half[axis] }));
    polytope(&(0..8).map(signs).collect::<Vec<_>>()).unwrap()
}

fn every_feature(polytope: &Polytope) -> Vec<PolytopeFeature> {
    let half_edges = polytope.half_edges();
    let edges = (0..half_edges.len() as u32).filter(|&h| h < half_edges[h as usize].twin).map(PolytopeFeature::Edge);
    let vertices = (0..polytope.vertices().len() as u32).map(PolytopeFeature::Vertex);
    vertices.chain(edges).chain((0..polytope.face_count() as u32).map(PolytopeFeature::Face)).collect()
}

/// Boxes whose features are parallel or meet exactly, from every pair of features, in any common turn and at any size.
#[test]
fn boxes_from_every_pair_of_features() {
    let eighth = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
    let root = 2.0_f64.sqrt();
    // The turn and place of the second cube, and the distance.
    let cases = [
        ("face over face", DQuat::IDENTITY, [2.5, 0.25, 0.5], 0.5),
        ("face on face", DQuat::IDENTITY, [2.0, 0.25, 0.5], 0.0),
        ("faces flush", DQuat::IDENTITY, [2.5, 0.0, 0.0], 0.5),
        ("edge beside edge", DQuat::IDENTITY, [2.5, 2.5, 0.5], 0.5 * root),
        ("vertex to vertex", DQuat::IDENTITY, [2.5, 2.5, 2.5], 0.75_f64.sqrt()),
        ("vertex on vertex", DQuat::IDENTITY, [2.0, 2.0, 2.0], 0.0),
        ("edge over face", eighth, [1.5 + root, 0.0, 0.5], 0.5),
        ("edge over edge, parallel", eighth, [1.5 + root, 1.0, 0.0], 0.5),
        ("edge across edge", eighth, [0.0, 0.0, 2.25], 0.25),
        ("the same", DQuat::IDENTITY, [0.0; 3], -2.0),
        ("half inside", DQuat::IDENTITY, [1.5, 0.5, 0.0], -0.5),
    ];
    let mut rng = Rng::new(73);
    let mut marched = HitRate::new("found by marching");
    for (i, (name, turn, place, expected)) in cases.into_iter().enumerate() {
        for scale in [1.0, 1e-6, 1e6, 3.0] {
            let common = if scale == 1.0 { DQuat::IDENTITY } else { rng.rotation() };
            let cube = cuboid([scale; 3]);
            let place = common * DVec3::from_array(place) * scale;
            let pair = Pair {
                a: cube.clone(),
                pose_a: pose((common, DVec3::ZERO)),
                b: cube.clone(),
                pose_b: pose((common * turn, place)),
            };
            for of_a in every_feature(&cube) {
                for of_b in every_feature(&cube) {
                    let answer = pair.ask(&mut FeatureCache::starting_at(of_a, of_b));
                    let what = format!("{name} at {scale} from {of_a:?} {of_b:?}: {answer:?}");
                    let off = (widen_real(answer.closest.distance) - expected * scale).abs();
                    assert!(off <= 64.0 * pair.error(), "{what}");
                    assert!(answer.closest.end == End::Converged && answer.steps <= 24, "{what}");
                    assert!(answer.closest.lower <= answer.closest.distance, "{what}");
                    assert!(answer.closest.distance <= answer.closest.upper, "{what}");
                    if expected > 0.0 {
                        marched.record(answer.found == Found::Marching);
                        let named =
                            distance(&pair.corners(0, answer.features[0]), &pair.corners(1, answer.features[1]));
                        assert!((named - expected * scale).abs() <= 64.0 * pair.error(), "{what}: {named}");
                    } else {
                        assert!(answer.found != Found::Marching, "{what}");
                    }
                }
            }
            check(&pair, &pair.ask(&mut FeatureCache::default()), &format!("case {i} at {scale}"));
        }
    }
    marched.assert_between(0.995, 1.0);
}

/// Boxes and prisms tilted against each other by next to nothing, at gaps from large to next to nothing, from anywhere: what
/// rounding makes of parallel features.
#[test]
fn nearly_parallel_features() {
    let mut rng = Rng::new(75);
    let mut by_gjk = HitRate::new("apart but not by marching");
    let tiny = if common::SINGLE { 1e-8 } else { 1e-17 };
    for i in 0..1500 {
        let mut body = || match rng.index(3) {
            0 => polytope(&Cloud::Prism.generate(&mut rng, 24)).unwrap(),
            _ => cuboid([0; 3].map(|_| rng.uniform(0.5, 1.5))),
        };
        let (a, b) = (body(), body());
        let common = rng.rotation();
        let tilt = DQuat::from_axis_angle(rng.unit_vector(), rng.log_uniform(tiny, 1e-2));
        let gap = rng.log_uniform(if common::SINGLE { 1e-4 } else { 1e-11 }, 1.0);
        // Along an axis, a diagonal of two, or that of all three: faces, edges or corners.
        let way = DVec3::from_array([1.0, rng.index(2) as f64, rng.index(2) as f64]).normalize();
        let mut pair =
            Pair { a, pose_a: pose((common, DVec3::ZERO)), b, pose_b: pose((common * tilt, common * way * 6.0)) };
        let far = pair.ask(&mut FeatureCache::default()).closest;
        let place = common * way * 6.0 - widen(far.normal) * (widen_real(far.distance) - gap);
        pair.pose_b = pose((common * tilt, place));
        let start = FeatureCache::starting_at(pair.random_feature(0, &mut rng), pair.random_feature(1, &mut rng));
        for mut cache in [FeatureCache::default(), start] {
            let answer = pair.ask(&mut cache);
            let (truth, _) = check(&pair, &answer, &format!("nearly parallel {i} from {start:?}"));
            assert_eq!(answer.closest.end, End::Converged, "{i}: {answer:?}");
            if truth > 4.0 * pair.error() {
                by_gjk.record(answer.found != Found::Marching);
            }
        }
    }
    println!("nearly parallel: by GJK {} of {}", by_gjk.hits(), by_gjk.trials());
    by_gjk.assert_between(0.0, 0.01);
    assert!(by_gjk.trials() > 2000);
}

/// Along coherent motions, with jumps: warm is cold, at a few steps a frame.
#[test]
fn warm_is_cold_along_motions() {
    let mut rng = Rng::new(74);
    let mut hits = HitRate::new("frames in which they meet");
    let mut by_gjk = HitRate::new("apart but not by marching");
    let (mut warm_steps, mut cold_steps) = (0, 0);
    for i in 0..60 {
        let [a, b] = [40, 300].map(|n| polytope(&Cloud::Ball.generate(&mut rng, n)).unwrap());
        let shapes = [Shape::from(a.clone()), Shape::from(b.clone())];
        let (axis, way, turn) = (rng.unit_vector(), rng.unit_vector(), rng.rotation());
        let aside = way.cross(axis).normalize_or(way.any_orthonormal_vector()) * rng.uniform(0.9, 2.1);
        let mut cache = FeatureCache::default();
        for frame in 0..60 {
            let time = if frame < 45 { f64::from(frame) } else { f64::from(frame) + 700.0 };
            let spin = DQuat::from_axis_angle(axis, 0.05 * time) * turn;
            let pose_b = pose((spin, aside + way * (3.0 * (0.03 * time).sin())));
            let pair = Pair { a: a.clone(), pose_a: pose((spin.inverse(), DVec3::ZERO)), b: b.clone(), pose_b };
            let (warm, cold) = (pair.ask(&mut cache), pair.ask(&mut FeatureCache::default()));
            let near = closest(&shapes[0], &pair.pose_a, &shapes[1], &pair.pose_b, &mut Cache::default());
            let error = 40.0 * pair.error();
            let context = || format!("{i} frame {frame}: warm {warm:?} cold {cold:?}, but {near:?}");
            for answer in [&warm, &cold] {
                assert!(widen_real(answer.closest.distance - near.distance).abs() <= error, "{}", context());
                assert_eq!(answer.closest.end, End::Converged, "{}", context());
            }
            if widen_real(near.distance) > error {
                by_gjk.record(warm.found != Found::Marching);
                by_gjk.record(cold.found != Found::Marching);
                warm_steps += warm.steps;
                cold_steps += cold.steps;
            }
            hits.record(near.distance < 0.0);
        }
    }
    println!("steps: {warm_steps} warm, {cold_steps} cold in {} queries each", by_gjk.trials() / 2);
    hits.assert_between(0.1, 0.7);
    by_gjk.assert_between(0.0, 0.001);
    assert!(3 * warm_steps < 2 * cold_steps, "a cache that does not pay: {warm_steps} warm, {cold_steps} cold");
    assert!(f64::from(warm_steps) < 4.0 * by_gjk.trials() as f64 / 2.0, "{warm_steps} warm steps");
}

#[test]
fn other_shapes_other_caches_and_extreme_sizes() {
    let cube = Shape::from(cuboid([1.0; 3]));
    let pose_b = pose((DQuat::IDENTITY, DVec3::new(3.0, 0.0, 0.0)));
    let ask = |a: &Shape, b: &Shape, cache: &mut FeatureCache| of_shapes(a, &Pose::IDENTITY, b, &pose_b, cache);
    for other in [Shape::sphere(1.0).unwrap(), Shape::cuboid([1.0; 3]).unwrap(), cube.clone().rounded(0.5).unwrap()] {
        assert_eq!(ask(&cube, &other, &mut FeatureCache::default()), None);
        assert_eq!(ask(&other, &cube, &mut FeatureCache::default()), None);
    }
    // Features that these bodies do not have.
    let beyond = [PolytopeFeature::Vertex(u32::MAX), PolytopeFeature::Edge(24), PolytopeFeature::Face(6)];
    for a in beyond {
        for b in beyond {
            let answer = ask(&cube, &cube, &mut FeatureCache::starting_at(a, b)).unwrap();
            assert_eq!(Some(answer), ask(&cube, &cube, &mut FeatureCache::default()));
            assert!(widen_real(answer.closest.distance - 1.0).abs() < 1e-5, "{answer:?}");
        }
    }
    assert!(size_of::<FeatureCache>() <= 16);
    let sizes: [f64; 4] = if common::SINGLE { [1e-8, 1e-4, 1e4, 1e8] } else { [1e-72, 1e-60, 1e60, 1e72] };
    for size in sizes {
        let cube = cuboid([size; 3]);
        let pose_b = pose((DQuat::IDENTITY, DVec3::new(3.0, 0.5, 0.0) * size));
        let answer = closest_features(&cube, &Pose::IDENTITY, &cube, &pose_b, &mut FeatureCache::default());
        let off = widen_real(answer.closest.distance) / size - 1.0;
        assert!(off.abs() < 1e-5 && answer.closest.end == End::Converged, "{size}: {answer:?}");
        // Where products of four lengths would lose their digits, GJK answers and says so.
        let extreme = !(1e-70..1e70).contains(&size);
        assert_eq!(answer.found, if extreme { Found::Gjk } else { Found::Marching }, "{size}: {answer:?}");
    }
}
