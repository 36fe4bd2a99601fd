//! Contact ranges and casts of every kind of shape, warm starts and bad directions: answers verified by the distance there, by
//! closed forms, and by each other.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::ccd::{Cast, cast};
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::narrow::contact_range::RangeCache;
use clearance::tolerance::{UNIT_ROUNDOFF, sigma};
use clearance::{
    Cache, DirectionError, End, Polytope, Pose, Range, Real, Shape, Vec3, closest, contact_range, project,
};
use clearance_testkit::{HitRate, Rng};
use common::{SINGLE, pose_of};
use glam::{DQuat, DVec3};

fn shapes(rng: &mut Rng) -> Vec<(&'static str, Shape)> {
    let cloud: Vec<DVec3> = (0..30).map(|_| rng.unit_vector()).collect();
    vec![
        ("point", Shape::point()),
        ("segment", Shape::segment(1.0).unwrap()),
        ("rectangle", Shape::rectangle([1.0, 0.5]).unwrap()),
        ("triangle", Shape::triangle([[0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [0.0, 1.0, 0.0]].map(Vec3::from)).unwrap()),
        ("cuboid", Shape::cuboid([1.0, 0.7, 0.4]).unwrap()),
        ("frustum", Shape::frustum([1.0, 0.8], [0.5, 0.3], 1.5).unwrap()),
        ("polytope", Polytope::from_points(&common::narrowed(&cloud)).unwrap().into()),
        ("disc", Shape::disc(1.0).unwrap()),
        ("sphere", Shape::sphere(0.8).unwrap()),
        ("ellipsoid", Shape::ellipsoid([1.0, 0.6, 1.4]).unwrap()),
        ("capsule", Shape::capsule(1.0, 0.3).unwrap()),
        ("round box", Shape::round_box([0.7, 0.5, 0.3], 0.2).unwrap()),
        ("cylinder", Shape::cylinder(1.0, 0.6).unwrap()),
        ("cone", Shape::cone(1.5, 0.8).unwrap()),
        ("wheel", Shape::wheel(0.8, 0.2).unwrap()),
    ]
}

fn size_of_pair(a: &Shape, b: &Shape, pose_a: &Pose, pose_b: &Pose) -> Real {
    a.bounding_radius() + b.bounding_radius() + (pose_b.translation() - pose_a.translation()).length()
}

fn moved(pose: &Pose, by: Vec3) -> Pose {
    Pose::new(pose.translation() + by, pose.rotation().to_array()).unwrap()
}

/// What certified distances allow: rounding of flat bodies, 1e-12 of the size and the stated gap of curved ones.
fn tolerance(size: Real) -> f64 {
    let curved = if SINGLE { 3e-6 } else { 1e-12 };
    widen_real(size) * curved + 16.0 * widen_real(sigma(size))
}

#[test]
fn every_pair_touches_at_both_ends() {
    let mut rng = Rng::new(5);
    let all = shapes(&mut rng);
    let mut met = HitRate::new("lines that meet");
    let mut supports = 0;
    for (name_a, a) in &all {
        for (name_b, b) in &all {
            for i in 0..60 {
                let what = format!("{name_a} and {name_b}, {i}");
                let [pose_a, pose_b] =
                    [pose_of(rng.in_ball(1.0), rng.rotation()), pose_of(rng.in_ball(3.0), rng.rotation())];
                let aim = widen(pose_a.translation() - pose_b.translation()) + rng.in_ball(1.5);
                let direction = narrow(aim * rng.log_uniform(0.1, 10.0));
                let range = contact_range(a, &pose_a, b, &pose_b, direction, &mut Cache::default()).unwrap();
                met.record(range.is_some());
                if let Some(range) = range {
                    supports = supports.max(range.iterations);
                    check(&what, [a, b], [&pose_a, &pose_b], direction, &range);
                }
            }
        }
    }
    println!("{} of {}, {supports} supports at most", met.hits(), met.trials());
    met.assert_between(0.4, 0.95);
}

fn check(what: &str, [a, b]: [&Shape; 2], [pose_a, pose_b]: [&Pose; 2], direction: Vec3, range: &Range) {
    let size = size_of_pair(a, b, pose_a, pose_b) + direction.length() * range.lo().abs().max(range.hi().abs());
    for end in &range.ends {
        assert!(end.lower <= end.at && end.at <= end.upper, "{what}: {end:?}");
        let near = closest(a, pose_a, b, &moved(pose_b, direction * end.at), &mut Cache::default());
        let (lower, upper) = (widen_real(near.lower), widen_real(near.upper));
        let allowed = tolerance(size);
        assert!(lower <= allowed && upper >= -allowed, "{what}: {near:?} at {end:?}");
        if end.end == End::Converged {
            // The distance of curved bodies near touching is itself known to its bounds only.
            let known = upper - lower;
            assert!(widen_real(near.distance).abs() <= 4.0 * allowed + known, "{what}: {near:?} at {end:?}");
        }
        let apart = widen((end.points[0] - end.points[1]) - direction * end.at).length();
        assert!(apart <= allowed, "{what}: {end:?}");
    }
    // Beyond the bounds they are apart, or do not enter.
    let past = direction * (range.ends[1].upper + (range.hi() - range.lo()).abs() * 0.1 + 64.0 * UNIT_ROUNDOFF);
    let near = closest(a, pose_a, b, &moved(pose_b, past), &mut Cache::default());
    assert!(widen_real(near.upper) >= -tolerance(size), "{what}: {near:?} past the last end of {range:?}");
}

/// A point of contact is on both bodies, or off one of them by no more than the width of the end's bounds.
#[test]
fn points_of_contact_are_on_both_bodies() {
    let mut rng = Rng::new(91);
    let all = shapes(&mut rng);
    let mut met = HitRate::new("lines that meet");
    for i in 0..12_000 {
        let [(name_a, a), (name_b, b)] = [0; 2].map(|_| &all[rng.index(all.len())]);
        let poses = [0; 2].map(|_| pose_of(rng.in_ball(1.0), rng.rotation()));
        let aim = widen(poses[0].translation() - poses[1].translation()) + rng.in_ball(1.5);
        let range = contact_range(a, &poses[0], b, &poses[1], narrow(aim), &mut Cache::default()).unwrap();
        met.record(range.is_some());
        let size = size_of_pair(a, b, &poses[0], &poses[1]);
        for end in range.iter().flat_map(|range| &range.ends) {
            let room = widen_real(end.upper - end.lower) * aim.length() + 64.0 * widen_real(sigma(size));
            for (side, shape) in [a, b].into_iter().enumerate() {
                let off = project(shape, &poses[side], end.points[side], &mut Cache::default());
                let far = widen_real(off.lower) > room;
                assert!(!far, "{i}, {name_a} and {name_b}, side {side}: {off:?} of {end:?}");
            }
        }
    }
    met.assert_between(0.4, 0.95);
}

/// Two segments on one line touch along a direction across it in one place, which is known to rounding; segments and plates in one plane,
/// along a direction out of it, likewise.
#[test]
fn flat_differences_have_ends_known_to_rounding() {
    let mut rng = Rng::new(92);
    let (mut across, mut along) = (HitRate::new("across"), HitRate::new("along"));
    for i in 0..2_000 {
        let [x, y] = [0; 2].map(|_| narrow_real(rng.log_uniform(0.05, 2.0)));
        let in_plane = i % 2 == 1;
        let shapes = if in_plane {
            [Shape::rectangle([x, y]).unwrap(), Shape::rectangle([y, x]).unwrap()]
        } else {
            [Shape::segment(x).unwrap(), Shape::segment(y).unwrap()]
        };
        let shift = if in_plane {
            DVec3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), 0.0)
        } else {
            DVec3::X * rng.uniform(-2.0, 2.0)
        };
        let steep = rng.in_ball(1.0) + DVec3::new(0.0, 0.0, 1.5);
        let direction = narrow(steep * rng.log_uniform(0.1, 10.0));
        let pose = pose_of(shift, DQuat::IDENTITY);
        let reach = if in_plane { [x + y; 2] } else { [x + y, 0.0] };
        let offset = pose.translation();
        let meets = offset.x.abs() <= reach[0] && offset.y.abs() <= reach[1];
        let near_rim = [offset.x.abs() - reach[0], if in_plane { offset.y.abs() - reach[1] } else { -1.0 }];
        if near_rim.iter().any(|off| off.abs() <= 64.0 * sigma(4.0)) {
            continue;
        }
        let range = contact_range(&shapes[0], &Pose::IDENTITY, &shapes[1], &pose, direction, &mut Cache::default());
        let range = range.unwrap();
        assert_eq!(range.is_some(), meets, "{i}: {range:?} of {shapes:?} at {shift}");
        if in_plane {
            along.record(meets)
        } else {
            across.record(meets)
        };
        for end in range.iter().flat_map(|range| &range.ends) {
            let room = 256.0 * widen_real(sigma(size_of_pair(&shapes[0], &shapes[1], &Pose::IDENTITY, &pose)));
            let length = widen(direction).z.abs();
            let bounds = [end.lower, end.at, end.upper].map(|at| widen_real(at).abs() * length);
            assert!(bounds.iter().all(|off| *off <= room), "{i}: {end:?} for {shapes:?} at {shift}");
            assert_eq!(end.end, End::Converged, "{i}: {end:?}");
        }
    }
    across.assert_between(0.3, 0.95);
    along.assert_between(0.3, 0.99);
}

#[test]
fn spheres_and_boxes_have_closed_forms() {
    let (ball, cube) = (Shape::sphere(1.0).unwrap(), Shape::cuboid([1.0; 3]).unwrap());
    let exact = if SINGLE { 4e-5 } else { 1e-11 };
    let mut rng = Rng::new(8);
    for _ in 0..200 {
        // Two balls: the line passes the middle at a distance p.
        let p = rng.uniform(-1.9, 1.9);
        let pose = pose_of(DVec3::new(6.0, p, 0.0), rng.rotation());
        let direction = Vec3::new(-2.0, 0.0, 0.0);
        let range = contact_range(&ball, &Pose::IDENTITY, &ball, &pose, direction, &mut Cache::default());
        let range = range.unwrap().unwrap();
        let half = (4.0 - p * p).sqrt();
        for (end, truth) in range.ends.iter().zip([(6.0 - half) / 2.0, (6.0 + half) / 2.0]) {
            // Where the line grazes, the error across it counts for more along it.
            let off = (widen_real(end.at) - truth).abs();
            assert!(off <= exact * (1.0 + 2.0 / half), "{end:?} but truly {truth}");
            let slack = widen_real(UNIT_ROUNDOFF) * 64.0 * (1.0 + 2.0 / half);
            let within = widen_real(end.lower) <= truth + slack && truth <= widen_real(end.upper) + slack;
            assert!(within, "{end:?} but truly {truth}");
        }
    }
    // Boxes in line, exactly: entering, sliding along a face, along an edge, and past.
    for (y, z, meets) in [(0.0, 0.0, true), (2.0, 0.0, true), (2.0, 2.0, true), (2.25, 0.0, false)] {
        let pose = Pose::from_translation([5.0, y, z]).unwrap();
        let range = contact_range(&cube, &Pose::IDENTITY, &cube, &pose, -Vec3::X, &mut Cache::default()).unwrap();
        assert_eq!(range.is_some(), meets, "{y} {z}: {range:?}");
        if let Some(range) = range {
            assert_eq!((range.lo(), range.hi()), (3.0, 7.0), "{y} {z}: {range:?}");
            assert_eq!(range.distance(), 3.0);
        }
    }
}

#[test]
fn casts_hit_overlap_slide_and_leave() {
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let corners = [-1.0, 1.0].into_iter().flat_map(|x| [-1.0, 1.0].map(|y| (x, y)));
    let corners: Vec<Vec3> = corners.flat_map(|(x, y)| [-1.0, 1.0].map(|z| Vec3::new(x, y, z))).collect();
    let solid = Shape::from(Polytope::from_points(&corners).unwrap());
    let go = |from: [Real; 3], by: [Real; 3]| {
        [&cube, &solid].map(|body| {
            let pose = Pose::from_translation(from).unwrap();
            cast(&cube, &Pose::IDENTITY, body, &pose, by.into(), &mut RangeCache::default()).unwrap()
        })
    };
    let fractions = |casts: [Cast; 2]| casts.map(|cast| if let Cast::Hit(hit) = cast { hit.fraction } else { -1.0 });
    assert_eq!(fractions(go([5.0, 0.3, 0.0], [-6.0, 0.0, 0.0])), [0.5; 2]);
    assert_eq!(fractions(go([5.0, 0.3, 0.0], [-3.0, 0.0, 0.0])), [1.0; 2], "contact at the very end is one");
    assert_eq!(go([5.0, 0.3, 0.0], [-2.9, 0.0, 0.0]), [Cast::Free; 2], "too short");
    assert_eq!(go([5.0, 2.0, 0.0], [-9.0, 0.0, 0.0]), [Cast::Free; 2], "sliding along a face");
    assert_eq!(go([5.0, 2.5, 0.0], [-9.0, 0.0, 0.0]), [Cast::Free; 2], "past");
    assert_eq!(fractions(go([2.0, 0.3, 0.0], [-1.0, 0.0, 0.0])), [0.0; 2], "touching and moving in");
    assert_eq!(go([2.0, 0.3, 0.0], [1.0, 0.0, 0.0]), [Cast::Free; 2], "touching and moving away");
    assert_eq!(go([2.0, 0.3, 0.0], [0.0, 1.0, 0.0]), [Cast::Free; 2], "touching and sliding");
    assert_eq!(go([1.5, 0.3, 0.0], [1.0, 0.0, 0.0]), [Cast::Overlapping; 2]);
    assert_eq!(go([1.5, 0.3, 0.0], [-1.0, 0.0, 0.0]), [Cast::Overlapping; 2]);
    assert_eq!(go([1.5, 0.3, 0.0], [0.0; 3]), [Cast::Overlapping; 2]);
    assert_eq!(go([2.5, 0.3, 0.0], [0.0; 3]), [Cast::Free; 2]);
}

/// A cast is the first end of the range, and until then the bodies do not overlap.
#[test]
fn casts_agree_with_ranges() {
    let mut rng = Rng::new(21);
    let all = shapes(&mut rng);
    let mut hits = HitRate::new("hits");
    for i in 0..20_000 {
        let ((name_a, a), (name_b, b)) = (&all[rng.index(all.len())], &all[rng.index(all.len())]);
        let pose_a = pose_of(rng.in_ball(1.0), rng.rotation());
        let pose_b = pose_of(rng.in_ball(5.0), rng.rotation());
        let aim = widen(pose_a.translation() - pose_b.translation()) + rng.in_ball(1.0);
        let way = narrow(aim * rng.uniform(0.3, 1.5));
        let answer = cast(a, &pose_a, b, &pose_b, way, &mut RangeCache::default()).unwrap();
        let range = contact_range(a, &pose_a, b, &pose_b, way, &mut Cache::default()).unwrap();
        let what = format!("{i}: {name_a} and {name_b}: {answer:?}, {range:?}");
        hits.record(matches!(answer, Cast::Hit(_)));
        let slack = narrow_real(tolerance(size_of_pair(a, b, &pose_a, &pose_b)) / widen(way).length()) * 64.0;
        match (answer, range) {
            (Cast::Hit(hit), Some(range)) => {
                let first = range.lo().max(0.0);
                assert!((hit.fraction - first).abs() <= slack + (range.ends[0].upper - range.ends[0].lower), "{what}");
            }
            (Cast::Overlapping, Some(range)) => assert!(range.lo() < 0.0 && range.hi() > 0.0, "{what}"),
            (Cast::Free, Some(range)) => {
                let narrow_range = range.hi() - range.lo() <= 0.2;
                let outside = range.lo() >= 1.0 - slack || range.hi() <= slack;
                // Flat bodies may pass through each other edge on, with no width to enter by.
                assert!(outside || narrow_range || is_thin(name_a) && is_thin(name_b), "{what}");
            }
            (Cast::Free, None) => {}
            _ => panic!("{what}"),
        }
    }
    hits.assert_between(0.3, 0.9);
}

fn is_thin(name: &str) -> bool {
    ["point", "segment", "rectangle", "triangle", "disc"].contains(&name)
}

/// A cache of another place or another direction changes nothing beyond the bounds.
#[test]
fn warm_is_cold() {
    let mut rng = Rng::new(31);
    let all = shapes(&mut rng);
    let mut same = HitRate::new("lines that meet");
    for _ in 0..1500 {
        let (a, b) = (&all[rng.index(all.len())].1, &all[rng.index(all.len())].1);
        let (at, turn) = (rng.in_ball(2.0), rng.rotation());
        let way = rng.unit_vector();
        let mut cache = Cache::default();
        for step in 0..12 {
            let pose = pose_of(at + rng.in_ball(0.05) * f64::from(step % 4), turn);
            let direction = if step % 5 == 4 { rng.unit_vector() } else { way + rng.in_ball(0.02) };
            let direction = narrow(direction);
            let warm = contact_range(a, &Pose::IDENTITY, b, &pose, direction, &mut cache).unwrap();
            let cold = contact_range(a, &Pose::IDENTITY, b, &pose, direction, &mut Cache::default()).unwrap();
            same.record(cold.is_some());
            assert_eq!(warm.is_some(), cold.is_some());
            let (Some(warm), Some(cold)) = (warm, cold) else { continue };
            for (warm, cold) in warm.ends.iter().zip(&cold.ends) {
                assert!(warm.lower <= cold.upper && cold.lower <= warm.upper, "{warm:?} but cold {cold:?}");
            }
        }
    }
    same.assert_between(0.2, 0.95);
}

#[test]
fn bad_directions_are_errors() {
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let ask = |direction: Vec3| {
        contact_range(&cube, &Pose::IDENTITY, &cube, &Pose::IDENTITY, direction, &mut Cache::default())
    };
    assert_eq!(ask(Vec3::ZERO), Err(DirectionError::Zero));
    assert_eq!(
        ask(Vec3::new(0.0, Real::INFINITY, 0.0)).unwrap_err().to_string(),
        "direction: component y is inf; it must be finite"
    );
    assert!(matches!(ask(Vec3::new(1.0, 0.0, Real::NAN)), Err(DirectionError::NotFinite { axis: 'z', .. })));
    assert!(matches!(ask(Vec3::X * Real::MIN_POSITIVE * 0.25), Err(DirectionError::TooShort { .. })));
    let cast = |by: Vec3| cast(&cube, &Pose::IDENTITY, &cube, &Pose::IDENTITY, by, &mut RangeCache::default());
    assert!(cast(Vec3::splat(Real::NAN)).is_err());
    // Extreme but fine.
    for scale in [Real::MIN_POSITIVE * 64.0, Real::MAX / 4.0] {
        let range = ask(Vec3::Y * scale).unwrap().unwrap();
        assert!((range.hi() * scale - 2.0).abs() < 1e-3, "{range:?}");
    }
}
