//! Moving features against the exact truth: hit or not, and when, on random and degenerate motions and on the queries of others.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::ccd::feature::{FeatureError, FeatureHit, Stage, edge_edge, vertex_face};
use clearance::math::{narrow, widen, widen_real};
use clearance::{End, Real, Vec3};
use clearance_testkit::ccd::{FeatureFamily, FeatureKind, data_folder, feature_queries, first_contact};
use clearance_testkit::{Dyadic, HitRate, Rng};
use glam::DVec3;

type Points = [Vec3; 4];

fn ask(kind: FeatureKind, [t0, t1]: [Points; 2]) -> FeatureHit {
    match kind {
        FeatureKind::VertexFace => vertex_face(t0, t1).unwrap(),
        FeatureKind::EdgeEdge => edge_edge(t0, t1).unwrap(),
    }
}

fn rounded(motion: [[DVec3; 4]; 2]) -> [Points; 2] {
    motion.map(|points| points.map(narrow))
}

/// Asks and compares with the truth.
#[track_caller]
fn check(kind: FeatureKind, motion: [Points; 2], what: &str) -> FeatureHit {
    let answer = ask(kind, motion);
    let [t0, t1] = motion.map(|points| points.map(widen));
    let truth = first_contact(kind, t0, t1);
    assert_eq!(answer.hit, truth.is_some(), "{what}, {kind:?}: {answer:?}\n{motion:?}\n{truth:?}");
    assert_eq!(answer.end, End::Converged);
    assert!(0.0 <= answer.time && answer.time <= answer.latest && answer.latest <= 1.0, "{answer:?}");
    if let Some(first) = truth {
        let [time, latest] = [answer.time, answer.latest].map(|t| Dyadic::from(widen_real(t)));
        // Two moments nearer to each other than the truth's intervals may be taken for one another there.
        let slack = Dyadic::from(1.0).scaled(-59);
        let encloses = time <= &first.by + &slack && &latest + &slack >= first.after;
        assert!(encloses, "{what}, {kind:?}: {answer:?}\n{motion:?}\n{first:?}");
    }
    answer
}

/// How often a family hits, at least and at most, and how often it needs exact arithmetic, at least.
fn rates(family: FeatureFamily) -> [f64; 3] {
    use FeatureFamily as F;
    match family {
        F::Random => [0.02, 0.3, 0.0],
        F::Grid | F::Still | F::NearGrid | F::Mixed => [0.05, 0.5, 0.05],
        F::Coplanar | F::CoplanarReal => [0.3, 0.9, 0.5],
        F::Collinear => [0.8, 0.99, 0.8],
        F::TouchesAtStart => [1.0, 1.0, 0.9],
        F::TouchesAtEnd => [0.4, 0.95, 0.5],
        F::Tangential => [0.6, 0.95, 0.4],
        F::Parallel => [0.1, 0.9, 0.3],
        F::Collapsing => [0.6, 0.99, 0.8],
    }
}

#[test]
fn every_family_agrees_with_the_truth() {
    let mut rng = Rng::new(71);
    for family in FeatureFamily::ALL {
        for kind in FeatureKind::ALL {
            let (mut hits, mut exact) = (HitRate::new("hits"), HitRate::new("exact"));
            for _ in 0..150 {
                let answer = check(kind, rounded(family.motion(kind, &mut rng)), &format!("{family:?}"));
                hits.record(answer.hit);
                exact.record(matches!(answer.stage, Stage::Exact | Stage::Coplanar));
            }
            let [least, most, least_exact] = rates(family);
            hits.assert_between(least, most);
            exact.assert_between(least_exact, 1.0);
        }
    }
}

#[test]
fn coplanar_motions_reach_their_stage() {
    let mut rng = Rng::new(72);
    for kind in FeatureKind::ALL {
        let mut coplanar = HitRate::new("coplanar");
        for _ in 0..200 {
            let answer = ask(kind, rounded(FeatureFamily::Coplanar.motion(kind, &mut rng)));
            coplanar.record(answer.stage == Stage::Coplanar);
        }
        coplanar.assert_between(0.6, 0.98);
    }
}

/// The same motion told in another way.
fn retold(kind: FeatureKind, [a, b, c, d]: Points) -> Points {
    match kind {
        FeatureKind::VertexFace => [a, c, d, b],
        FeatureKind::EdgeEdge => [d, c, a, b],
    }
}

#[test]
fn order_time_size_and_place_do_not_matter() {
    let mut rng = Rng::new(73);
    #[cfg(not(single_precision))]
    let powers = [-1060, -400, -20, 20, 300, 1000];
    #[cfg(single_precision)]
    let powers = [-140, -60, -20, 20, 60, 120];
    let mut hits = HitRate::new("hits");
    for round in 0..4000 {
        let kind = FeatureKind::ALL[round % 2];
        let family = rng.pick(&[FeatureFamily::Grid, FeatureFamily::Collapsing, FeatureFamily::Parallel]);
        let motion = rounded(family.motion(kind, &mut rng));
        let plain = ask(kind, motion);
        hits.record(plain.hit);
        let same = |other: FeatureHit, what: &str| {
            assert_eq!(plain.hit, other.hit, "{what}: {motion:?}");
            let overlap = plain.time <= other.latest && other.time <= plain.latest;
            assert!(overlap, "{what}: {motion:?}\n{plain:?}\n{other:?}");
        };
        same(ask(kind, motion.map(|points| retold(kind, points))), "retold");
        let [t0, t1] = motion;
        assert_eq!(plain.hit, ask(kind, [t1, t0]).hit, "backwards: {motion:?}");
        let power = rng.pick(&powers);
        // In two steps: two to the power itself may be out of range. Small integers lose nothing.
        let half = (2.0 as Real).powi(power / 2);
        same(ask(kind, motion.map(|points| points.map(|p| p * half * half))), "scaled");
        let shift = Vec3::new(1.0, -3.0, 2.0) * (1 << 18) as Real;
        same(ask(kind, motion.map(|points| points.map(|p| p + shift))), "moved");
    }
    hits.assert_between(0.2, 0.7);
}

#[test]
fn the_whole_range_of_floats_is_exact() {
    let mut rng = Rng::new(74);
    let tiny = Real::MIN_POSITIVE * Real::EPSILON;
    let mut hits = HitRate::new("hits");
    for round in 0..24 {
        let kind = FeatureKind::ALL[round % 2];
        let motion = rounded(FeatureFamily::Grid.motion(kind, &mut rng));
        let off = |p: Vec3, k: usize| {
            let mut p = p;
            p[k % 3] += if p[k % 3] == 0.0 { tiny } else { 0.0 };
            p
        };
        let nudged = motion.map(|points| [off(points[0], round), points[1], off(points[2], round + 1), points[3]]);
        hits.record(check(kind, nudged, "subnormal").hit);
    }
    hits.assert_between(0.05, 0.6);
    let huge = Real::MAX;
    let at =
        |z: Real| [Vec3::new(0.0, 0.0, z), Vec3::new(huge, 0.0, 0.0), Vec3::new(-huge, huge, 0.0), Vec3::splat(-huge)];
    assert!(check(FeatureKind::VertexFace, [at(huge), at(-huge)], "huge").hit);
    assert!(!check(FeatureKind::VertexFace, [at(huge), at(huge)], "huge, at rest").hit);
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    let good = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    for bad in [Real::NAN, Real::INFINITY, Real::NEG_INFINITY] {
        for point in 0..4 {
            let mut points = good;
            points[point].y = bad;
            for (time, motion) in [[points, good], [good, points]].into_iter().enumerate() {
                let error = FeatureError::NotFinite { point, time };
                assert_eq!(vertex_face(motion[0], motion[1]), Err(error));
                assert_eq!(edge_edge(motion[0], motion[1]), Err(error));
            }
        }
    }
    let text = FeatureError::NotFinite { point: 2, time: 1 }.to_string();
    assert_eq!(text, "point 2 at t = 1 is not finite");
}

#[test]
fn the_times_of_ordinary_hits_are_narrow() {
    let mut rng = Rng::new(75);
    let mut hits = HitRate::new("hits");
    for round in 0..4000 {
        let kind = FeatureKind::ALL[round % 2];
        let answer = ask(kind, rounded(FeatureFamily::Random.motion(kind, &mut rng)));
        let width = widen_real(answer.latest) - widen_real(answer.time);
        assert!(width <= widen_real(Real::EPSILON).max(1e-9), "{answer:?}");
        hits.record(answer.hit);
    }
    hits.assert_between(0.05, 0.3);
}

#[test]
fn a_time_that_is_a_short_fraction_is_narrow_too() {
    // The search meets the root itself after one, two or three halvings.
    for eighths in 1..8 {
        let expected = eighths as Real / 8.0;
        let at = |z: Real| [Vec3::new(0.25, 0.25, z), Vec3::ZERO, Vec3::X, Vec3::Y];
        let answer = check(FeatureKind::VertexFace, [at(expected), at(expected - 1.0)], "falling");
        assert!(answer.latest - answer.time <= 1024.0 * Real::EPSILON, "{answer:?}");
    }
}

#[test]
fn queries_of_others_have_their_truth() {
    let Some(folder) = data_folder("ccd-queries") else {
        println!("skipped: no data");
        return;
    };
    let queries = feature_queries(&folder).unwrap();
    assert!(queries.len() > 1000);
    for query in &queries {
        let motion = rounded([query.t0, query.t1]);
        let answer = ask(query.kind, motion);
        // In single precision the points are others, and so may be the truth.
        if motion.map(|points| points.map(widen)) == [query.t0, query.t1] {
            assert_eq!(answer.hit, query.truth, "{} {}: {answer:?}", query.folder, query.place);
        } else if matches!(answer.stage, Stage::Exact | Stage::Coplanar) {
            check(query.kind, motion, &query.place);
        }
    }
}
