//! The separating vector algorithm, the improved Gilbert algorithm and the two combined: right answers, and proofs that hold in
//! exact arithmetic.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{Relative, narrow_real, widen, widen_real};
use clearance::narrow::PairCache;
use clearance::narrow::combined::{CombinedCache, frame};
use clearance::narrow::gilbert;
use clearance::narrow::gjk::Start;
use clearance::narrow::minkowski::{Minkowski, Vertex};
use clearance::narrow::sa_gjk::Answer;
use clearance::narrow::separating_vector::{Existence, Options, Rule, STEP_LIMIT, Steps, decide, overlap_by};
use clearance::tolerance::{COARSE_DEPTH_GAP, RELATIVE_GAP, STALL_SIGMAS, sigma};
use clearance::{Cache, End, Overlap, Polytope, Pose, Real, Shape, Vec3, VertexId, Witness, closest, overlap};
use clearance_testkit::exact::posed;
use clearance_testkit::{
    Cloud, Exact3, HitRate, MinkowskiDifference, PairCase, PairFamily, PosedSolid, Rng, Separation, SignedDistance,
};
use common::bodies::catalogue;
use common::{SINGLE, narrowed, pose_of, random_pose, solid_of, u};
use glam::{DMat3, DQuat, DVec3};

/// Every rule with every test of existence.
fn all_options() -> Vec<Options> {
    let rules = [Rule::Greedy, Rule::Conservative, Rule::Blended(0.5)];
    let tests = [Existence::Hemisphere, Existence::HalfPlanes];
    rules.into_iter().flat_map(|rule| tests.map(|existence| Options { rule, existence })).collect()
}

fn matrix(pose: &Pose) -> DMat3 {
    let m = pose.matrix();
    DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis))
}

fn size_of_pair(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Real {
    a.bounding_radius() + b.bounding_radius() + (pose_b.translation() - pose_a.translation()).length()
}

/// Two polytopes at their places, with the truth about them.
struct Scene {
    polytopes: [Polytope; 2],
    shapes: [Shape; 2],
    poses: [Pose; 2],
    solids: [PosedSolid; 2],
    difference: MinkowskiDifference,
    truth: SignedDistance,
    error: f64,
}

impl Scene {
    /// Nothing if a cloud is flat in this precision.
    fn new(case: &PairCase) -> Option<Self> {
        let polytopes =
            [Polytope::from_points(&narrowed(&case.a)).ok()?, Polytope::from_points(&narrowed(&case.b)).ok()?];
        let poses = [pose_of(case.pose_a.1, case.pose_a.0), pose_of(case.pose_b.1, case.pose_b.0)];
        let solid = |i: usize| {
            let pose: &Pose = &poses[i];
            PosedSolid::new(&solid_of(&polytopes[i]), matrix(pose), widen(pose.translation()))
        };
        let solids = [solid(0), solid(1)];
        let difference = MinkowskiDifference::new(&solids[0], &solids[1]);
        let truth = difference.signed_distance();
        let shapes = polytopes.clone().map(Shape::from);
        let error = widen_real(sigma(size_of_pair(&shapes[0], &poses[0], &shapes[1], &poses[1])));
        Some(Self { polytopes, shapes, poses, solids, difference, truth, error })
    }

    fn ask(&self, options: &Options, cache: &mut PairCache) -> (Overlap, Steps) {
        overlap_by(options, &self.shapes[0], &self.poses[0], &self.shapes[1], &self.poses[1], cache)
    }

    /// Rounding of world coordinates, which may be far larger than the pair.
    fn far(&self) -> f64 {
        let size = |pose: &Pose| widen(pose.translation()).length();
        8.0 * u() * size(&self.poses[0]).max(size(&self.poses[1]))
    }

    /// The boolean against the exact one, and its witness against the bodies themselves.
    fn check(&self, (answer, steps): (Overlap, Steps), what: &str) {
        let Self { truth, error, solids, .. } = self;
        assert!(steps.k as usize <= STEP_LIMIT, "{what}: {steps:?}");
        let right = answer.overlap == (truth.kind != Separation::Apart);
        assert!(right || truth.distance.abs() <= 4.0 * error, "{what}: {answer:?} but truly {}", truth.distance);
        let tolerance = 4.0 * error + 2.0 * self.far();
        match answer.witness {
            Witness::Plane { normal, offset_a, offset_b } => {
                assert!(!answer.overlap && (widen(normal).length() - 1.0).abs() <= 16.0 * u(), "{what}: {answer:?}");
                assert!(self.difference.gap(widen(normal)) > 0.0, "{what}: {normal} does not separate");
                let along = |vertex: &Exact3| vertex.dot(&widen(normal).into()).to_f64();
                let reach_a = solids[0].vertices.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
                let reach_b = solids[1].vertices.iter().map(along).fold(f64::INFINITY, f64::min);
                assert!((reach_a - widen_real(offset_a)).abs() <= tolerance, "{what}: A up to {reach_a}, {answer:?}");
                assert!((reach_b - widen_real(offset_b)).abs() <= tolerance, "{what}: B from {reach_b}, {answer:?}");
            }
            Witness::Point(point) => {
                assert!(answer.overlap, "{what}: {answer:?}");
                for solid in solids {
                    let outside = solid.outside_by(widen(point));
                    assert!(outside <= 16.0 * error + self.far(), "{what}: {outside} outside, {answer:?}");
                }
            }
            other => panic!("{what}: {other:?}"),
        }
    }

    /// The algorithm itself, without the way out: what it says is proved exactly.
    fn check_proof(&self, options: &Options, what: &str) -> Proof {
        let [a, b] = &self.polytopes;
        let radii = [a.bounding_radius(), b.bounding_radius()];
        let relative = Relative::new(radii, &self.poses[0], &self.poses[1]);
        let start = Start { direction: relative.translation, hints: [VertexId::NONE; 2] };
        let size = radii[0] + radii[1] + relative.translation.length();
        let verdict = decide(&Minkowski::new(a, b, &relative), &start, options, sigma(size), size);
        assert!(verdict.steps.k as usize <= STEP_LIMIT, "{what}: {:?}", verdict.steps);
        match verdict.answer {
            Answer::Apart(plane) => {
                let normal = widen(self.poses[0].direction(plane.direction));
                assert!(self.difference.gap(normal) > 0.0, "{what}: {normal} does not separate");
                Proof::Plane
            }
            Answer::Meeting(simplex) => match simplex.vertices() {
                [w] => {
                    assert!(w.m.length() <= sigma(size), "{what}: {w:?}");
                    Proof::Point
                }
                corners => {
                    let corners: [&Vertex; 4] = std::array::from_fn(|i| &corners[i]);
                    assert!(has_origin(&corners.map(|c| widen(c.m).into())), "{what}: {corners:?}");
                    let exact = corners.map(|c| {
                        let [va, vb] = [0, 1].map(|i| {
                            let (pose, id) = (&self.poses[i], c.ids[i].index());
                            posed(widen(self.polytopes[i].vertices()[id]), matrix(pose), widen(pose.translation()))
                        });
                        &vb - &va
                    });
                    assert!(has_origin(&exact), "{what}: the bodies themselves, {corners:?}");
                    Proof::Tetrahedron
                }
            },
            Answer::Unclear(_) => Proof::None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Proof {
    Plane,
    Tetrahedron,
    Point,
    None,
}

/// Whether a tetrahedron has the origin strictly inside, exactly.
fn has_origin([a, b, c, d]: &[Exact3; 4]) -> bool {
    let volume = |p: &Exact3, q: &Exact3, r: &Exact3| p.dot(&q.cross(r)).sign();
    let signs = [volume(b, c, d), -volume(a, c, d), volume(a, b, d), -volume(a, b, c)];
    signs == [1; 4] || signs == [-1; 4]
}

#[test]
fn all_rules_and_tests_agree_with_the_explicit_difference() {
    let mut rng = Rng::new(71);
    for family in PairFamily::ALL {
        let mut used = HitRate::new("solid pairs");
        let (mut meets, mut proved) = (HitRate::new("overlapping"), HitRate::new("proved without the distance"));
        let mut restarted = HitRate::new("apart after a restart");
        for i in 0..400 {
            let case = family.generate(&mut rng);
            let scene = Scene::new(&case);
            used.record(scene.is_some());
            let Some(scene) = scene else { continue };
            meets.record(scene.truth.kind != Separation::Apart);
            for options in all_options() {
                let what = format!("{} {i} {options:?}", family.name());
                let (answer, steps) = scene.ask(&options, &mut PairCache::default());
                scene.check((answer, steps), &what);
                proved.record(!steps.by_distance);
                restarted.record(!answer.overlap && steps.restarts > 0 && !steps.by_distance);
            }
        }
        println!(
            "{}: {:.3} overlap, {:.3} proved, {:.3} solid",
            family.name(),
            meets.rate(),
            proved.rate(),
            used.rate()
        );
        used.assert_between(0.5, 1.0);
        let (least, most) = match family {
            PairFamily::Touching => (0.1, 1.0),
            PairFamily::ParallelFaces | PairFamily::CoincidentVertices => (0.8, 1.0),
            _ => (0.95, 1.0),
        };
        proved.assert_between(least, most);
        if family == PairFamily::Random {
            restarted.assert_between(0.01, 0.2);
        }
    }
}

#[test]
fn certificates_hold_in_exact_arithmetic() {
    let mut rng = Rng::new(72);
    let mut counts = [Proof::Plane, Proof::Tetrahedron, Proof::Point, Proof::None].map(|proof| (proof, 0));
    for family in PairFamily::ALL {
        for i in 0..250 {
            if let Some(scene) = Scene::new(&family.generate(&mut rng)) {
                for options in all_options() {
                    let proof = scene.check_proof(&options, &format!("{} {i} {options:?}", family.name()));
                    counts.iter_mut().filter(|count| count.0 == proof).for_each(|count| count.1 += 1);
                }
            }
        }
    }
    let total: i32 = counts.iter().map(|count| count.1).sum();
    println!("planes, tetrahedra, points, none: {:?}", counts.map(|count| count.1));
    for (proof, count) in counts {
        let (least, most) = match proof {
            Proof::Plane | Proof::Tetrahedron => (0.2, 0.8),
            Proof::Point => (0.001, 0.1),
            Proof::None => (0.0, 0.25),
        };
        let share = f64::from(count) / f64::from(total);
        assert!(share >= least && share <= most, "{:?}", counts.map(|count| count.1));
    }
}

/// Curved and rounded bodies, flat ones, users' own: the verb's answer, and the distance's sign.
#[test]
fn every_shape_agrees_with_overlap() {
    let bodies = catalogue(1.0);
    let mut rng = Rng::new(73);
    let (mut meets, mut proved) = (HitRate::new("overlapping"), HitRate::new("proved without the distance"));
    for a in &bodies {
        for b in &bodies {
            let reach = widen_real(a.shape.bounding_radius() + b.shape.bounding_radius());
            for (i, options) in all_options().into_iter().enumerate() {
                let (pose_a, pose_b) = (random_pose(&mut rng, 0.4 * reach), random_pose(&mut rng, 0.4 * reach));
                let what = format!("{} {} {i}", a.name, b.name);
                let near = closest(&a.shape, &pose_a, &b.shape, &pose_b, &mut Cache::default());
                let error = sigma(size_of_pair(&a.shape, &pose_a, &b.shape, &pose_b));
                let cache = &mut PairCache::default();
                let (answer, steps) = overlap_by(&options, &a.shape, &pose_a, &b.shape, &pose_b, cache);
                let usual = overlap(&a.shape, &pose_a, &b.shape, &pose_b, &mut Cache::default());
                let doubt = 4.0 * error;
                let allowed = if answer.overlap { near.lower <= doubt } else { near.upper >= -doubt };
                assert!(allowed, "{what}: {answer:?} but {near:?}");
                assert!(
                    answer.overlap == usual.overlap || near.distance.abs() <= doubt,
                    "{what}: {answer:?} {usual:?}"
                );
                assert_eq!(answer.end, End::Converged, "{what}: {answer:?} {near:?}");
                if let Witness::Plane { normal, offset_a, offset_b } = answer.witness {
                    let extent = |shape: &Shape, pose: &Pose| {
                        let along = normal.dot(pose.translation());
                        shape.extent(pose.direction_to_local(normal)).map(|x| x + along)
                    };
                    let ([_, high], [low, _]) = (extent(&a.shape, &pose_a), extent(&b.shape, &pose_b));
                    assert!(low > high, "{what}: {answer:?}");
                    assert!((high - offset_a).abs() <= doubt && (low - offset_b).abs() <= doubt, "{what}: {answer:?}");
                }
                meets.record(answer.overlap);
                proved.record(!steps.by_distance);
            }
        }
    }
    println!("{:.3} overlap, {:.3} proved", meets.rate(), proved.rate());
    meets.assert_between(0.2, 0.8);
    proved.assert_between(0.5, 1.0);
}

/// A pair under way: both turn and drift, with a jump.
fn motion(rng: &mut Rng, reach: f64) -> impl Fn(usize) -> Pose + use<> {
    let (center, swing, axis) = (rng.in_ball(0.6 * reach), rng.in_ball(reach), rng.unit_vector());
    let (phase, speed, turn) = (rng.uniform(0.0, 6.0), rng.log_uniform(1e-3, 0.3), rng.rotation());
    move |frame| {
        let frame = if frame < 40 { frame } else { frame + 1000 };
        let angle = phase + speed * frame as f64;
        pose_of(center + swing * angle.sin(), (DQuat::from_axis_angle(axis, angle) * turn).normalize())
    }
}

#[test]
fn warm_equals_cold() {
    let mut rng = Rng::new(74);
    let bodies = catalogue(1.0);
    let (mut meets, mut one) = (HitRate::new("overlapping"), HitRate::new("warm in at most one step"));
    let (mut warm_steps, mut cold_steps) = (0, 0);
    for i in 0..160 {
        let hull = |rng: &mut Rng, n| Shape::polytope(&narrowed(&Cloud::Ball.generate(rng, n))).unwrap();
        let (a, b) = if i % 2 == 0 {
            (hull(&mut rng, 40), hull(&mut rng, 300))
        } else {
            let pick = |rng: &mut Rng| bodies[rng.index(bodies.len())].shape.clone();
            (pick(&mut rng), pick(&mut rng))
        };
        let options = all_options()[i % 6];
        let reach = widen_real(a.bounding_radius() + b.bounding_radius()) + 0.05;
        let (move_a, move_b) = (motion(&mut rng, reach), motion(&mut rng, reach));
        let mut cache = PairCache::default();
        for frame in 0..50 {
            let (pose_a, pose_b) = (move_a(frame), move_b(frame));
            let (warm, warm_k) = overlap_by(&options, &a, &pose_a, &b, &pose_b, &mut cache);
            let (cold, cold_k) = overlap_by(&options, &a, &pose_a, &b, &pose_b, &mut PairCache::default());
            if warm.overlap != cold.overlap {
                let near = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
                let doubt = 4.0 * sigma(size_of_pair(&a, &pose_a, &b, &pose_b));
                assert!(near.distance.abs() <= doubt, "{i} frame {frame}: {warm:?} {cold:?} {near:?}");
            }
            meets.record(cold.overlap);
            one.record(warm_k.k <= 1 && !warm_k.by_distance);
            warm_steps += warm_k.k;
            cold_steps += cold_k.k;
        }
    }
    println!("{:.3} overlap, {:.3} in one step, {warm_steps} warm, {cold_steps} cold", meets.rate(), one.rate());
    meets.assert_between(0.2, 0.8);
    one.assert_between(0.5, 1.0);
    assert!(warm_steps < cold_steps, "{warm_steps} warm, {cold_steps} cold");
}

#[test]
fn bodies_without_a_direction_between_them() {
    let mut rng = Rng::new(75);
    for body in catalogue(1.0) {
        for options in all_options() {
            let pose = random_pose(&mut rng, 3.0);
            let turned = pose_of(widen(pose.translation()), rng.rotation());
            // Turned about a point of their own they still meet.
            let others = if body.primitive { vec![pose, turned] } else { vec![pose] };
            for other in others {
                let cache = &mut PairCache::default();
                let (answer, steps) = overlap_by(&options, &body.shape, &pose, &body.shape, &other, cache);
                assert!(answer.overlap && steps.k as usize <= STEP_LIMIT, "{}: {answer:?}", body.name);
                assert!(matches!(answer.witness, Witness::Point(_)), "{}: {answer:?}", body.name);
            }
        }
    }
    // Start directions of no length and of any.
    let cube = Polytope::from_points(&common::cube(1.0).0).unwrap();
    let far = Pose::from_translation(Vec3::new(3.0, 0.5, 0.25)).unwrap();
    let far = Relative::new([cube.bounding_radius(); 2], &Pose::IDENTITY, &far);
    let tiny = Real::MIN_POSITIVE;
    for direction in [Vec3::ZERO, Vec3::NAN, Vec3::Y * tiny, Vec3::Y * Real::MAX, -Vec3::X, Vec3::X * 1e-20] {
        let start = Start { direction, hints: [VertexId(7), VertexId(4_000_000)] };
        for options in all_options() {
            let verdict = decide(&Minkowski::new(&cube, &cube, &far), &start, &options, sigma(7.0), 7.0);
            assert!(matches!(verdict.answer, Answer::Apart(_)), "{direction} {options:?}");
        }
    }
}

/// Boxes exactly upon each other, edges and corners that touch, and a hair's breadth on either side.
#[test]
fn touching_counts_and_a_hair_decides() {
    let cube = Shape::cuboid([1.0, 1.0, 1.0]).unwrap();
    let hull = Shape::polytope(&common::cube(1.0).0).unwrap();
    for shape in [&cube, &hull] {
        for offset in [[2.0, 0.0, 0.0], [2.0, 0.5, -0.75], [2.0, 2.0, 0.0], [2.0, 2.0, 2.0]] {
            for options in all_options() {
                let ask = |scale: Real| {
                    let pose = Pose::from_translation(Vec3::from(offset) * scale).unwrap();
                    overlap_by(&options, shape, &Pose::IDENTITY, shape, &pose, &mut PairCache::default()).0.overlap
                };
                let hair = if SINGLE { 1e-4 } else { 1e-12 };
                assert!(ask(1.0), "{offset:?} {options:?}");
                assert!(ask(1.0 - narrow_real(hair)), "{offset:?} {options:?}");
                assert!(!ask(1.0 + narrow_real(hair)), "{offset:?} {options:?}");
            }
        }
    }
}

/// Gilbert's distance is the usual one, warm and cold.
#[test]
fn gilbert_agrees_with_closest() {
    let bodies = catalogue(1.0);
    let mut rng = Rng::new(76);
    let (mut meets, mut converged) = (HitRate::new("overlapping"), HitRate::new("converged"));
    for i in 0..60 {
        let pick = |rng: &mut Rng| bodies[rng.index(bodies.len())].shape.clone();
        let (a, b) = (pick(&mut rng), pick(&mut rng));
        let reach = widen_real(a.bounding_radius() + b.bounding_radius()) + 0.05;
        let (move_a, move_b) = (motion(&mut rng, reach), motion(&mut rng, reach));
        let mut cache = PairCache::default();
        for frame in 0..50 {
            let (pose_a, pose_b) = (move_a(frame), move_b(frame));
            let warm = gilbert::closest(&a, &pose_a, &b, &pose_b, &mut cache);
            let usual = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
            let error = widen_real(sigma(size_of_pair(&a, &pose_a, &b, &pose_b)));
            let core = widen_real(usual.distance + a.radius() + b.radius());
            let relative = widen_real(if core > 0.0 { STALL_SIGMAS * RELATIVE_GAP } else { COARSE_DEPTH_GAP });
            let off = widen_real(warm.distance - usual.distance).abs();
            // Rounding may stop Johnson's determinants sooner; then that is said, and the bounds are what they are.
            if converged.record(warm.end == End::Converged) {
                assert!(off <= relative * core.abs() + 40.0 * error, "{i} frame {frame}: {warm:?} but {usual:?}");
            }
            assert!(warm.lower <= usual.upper && usual.lower <= warm.upper, "{i} frame {frame}: {warm:?} {usual:?}");
            meets.record(usual.distance < 0.0);
        }
    }
    println!("{:.3} overlap, {:.3} converged", meets.rate(), converged.rate());
    meets.assert_between(0.2, 0.8);
    converged.assert_between(0.95, 1.0);
}

/// When a collision begins, the nearest points are those of the frame before it; and only then are they asked for.
#[test]
fn the_combined_algorithm_looks_back_once_per_collision() {
    let mut rng = Rng::new(77);
    let (mut began, mut meets) = (HitRate::new("collisions that begin"), HitRate::new("overlapping"));
    let mut without_search = HitRate::new("collisions that go on, known without a search");
    for i in 0..120 {
        let hull = |rng: &mut Rng, n| Shape::polytope(&narrowed(&Cloud::Ball.generate(rng, n))).unwrap();
        let (a, b) = (hull(&mut rng, 30), hull(&mut rng, 200));
        let reach = widen_real(a.bounding_radius() + b.bounding_radius()) + 0.05;
        let (move_a, move_b) = (motion(&mut rng, reach), motion(&mut rng, reach));
        let mut cache = CombinedCache::default();
        let mut last: Option<(bool, [Pose; 2])> = None;
        for at in 0..50 {
            let poses = [move_a(at), move_b(at)];
            let answer = frame(&a, &poses[0], &b, &poses[1], &mut cache);
            let usual = overlap(&a, &poses[0], &b, &poses[1], &mut Cache::default());
            assert_eq!(answer.overlap.overlap, usual.overlap, "{i} frame {at}");
            let begins = usual.overlap && last.is_some_and(|(met, _)| !met);
            assert_eq!(answer.before.is_some(), begins, "{i} frame {at}");
            if let (Some(before), Some((_, [pose_a, pose_b]))) = (answer.before, last) {
                let truth = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
                let error = sigma(size_of_pair(&a, &pose_a, &b, &pose_b));
                assert!((before.distance - truth.distance).abs() <= 40.0 * error, "{before:?} {truth:?}");
                assert!(before.distance > 0.0, "{before:?}");
            }
            if usual.overlap && last.is_some_and(|(met, _)| met) {
                without_search.record(answer.steps.k == 0);
            }
            meets.record(usual.overlap);
            began.record(begins);
            last = Some((usual.overlap, poses));
        }
    }
    println!("{:.3} overlap, {:.3} begin, {:.3} kept", meets.rate(), began.rate(), without_search.rate());
    meets.assert_between(0.2, 0.8);
    began.assert_between(0.01, 0.3);
    without_search.assert_between(0.5, 1.0);
}

/// A plane is needed only where points are: the needles of 1:1e4, on which the greedy rule takes the most steps.
#[test]
fn thin_bodies_end_within_the_limit() {
    let mut rng = Rng::new(78);
    let mut most = 0;
    for _ in 0..300 {
        let body = |rng: &mut Rng| {
            let radii = DVec3::new(1.0, 1e-4, if rng.chance(0.5) { 1e-4 } else { 1.0 });
            let points: Vec<DVec3> = (0..60).map(|_| rng.unit_vector() * radii).collect();
            Shape::polytope(&narrowed(&points)).unwrap()
        };
        let (a, b) = (body(&mut rng), body(&mut rng));
        let (pose_a, pose_b) = (random_pose(&mut rng, 0.3), random_pose(&mut rng, 0.3));
        let near = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
        let doubt = 4.0 * sigma(size_of_pair(&a, &pose_a, &b, &pose_b));
        for options in all_options() {
            let (answer, steps) = overlap_by(&options, &a, &pose_a, &b, &pose_b, &mut PairCache::default());
            most = most.max(steps.k);
            assert!(steps.k as usize <= STEP_LIMIT);
            assert!(answer.overlap == (near.distance < 0.0) || near.distance.abs() <= doubt, "{answer:?} {near:?}");
        }
    }
    println!("at most {most} steps");
}
