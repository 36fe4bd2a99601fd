//! The oracle against closed forms, against a plain primal search, and against itself.

use super::*;
use crate::families::{Cloud, PairFamily};
use crate::guard::HitRate;
use crate::random::Rng;

/// A rotation by the 3-4-5 angle about z, scaled by five so that all entries are integers.
const THREE_FOUR_FIVE: DMat3 =
    DMat3::from_cols(DVec3::new(3.0, 4.0, 0.0), DVec3::new(-4.0, 3.0, 0.0), DVec3::new(0.0, 0.0, 5.0));

fn cube(x: f64, y: f64, z: f64) -> Solid {
    Solid::cuboid(DVec3::new(x, y, z), DVec3::ONE)
}

fn between(a: &Solid, b: &Solid) -> SignedDistance {
    let difference = MinkowskiDifference::new(&a.into(), &b.into());
    let swapped = MinkowskiDifference::new(&b.into(), &a.into()).signed_distance();
    let answer = difference.signed_distance();
    assert_eq!(answer.distance, swapped.distance);
    assert_eq!(answer.kind, swapped.kind);
    answer
}

#[track_caller]
fn expect(a: &Solid, b: &Solid, distance: f64, normal: Option<DVec3>) {
    let answer = between(a, b);
    assert_eq!(answer.distance, distance);
    let kind = match distance {
        d if d > 0.0 => Separation::Apart,
        d if d < 0.0 => Separation::Overlapping,
        _ => Separation::Touching,
    };
    assert_eq!(answer.kind, kind);
    if let Some(normal) = normal {
        assert!((answer.normal - normal).length() < 1e-15, "{answer:?}");
    }
}

#[test]
fn boxes_apart() {
    let a = cube(0.0, 0.0, 0.0);
    expect(&a, &cube(5.0, 0.5, 0.25), 3.0, Some(DVec3::X));
    expect(&a, &cube(5.0, -6.0, 0.0), 5.0, Some(DVec3::new(0.6, -0.8, 0.0)));
    let corner = DVec3::new(1.0, 2.0, 2.0) / 3.0;
    expect(&a, &cube(3.0, 4.0, 4.0), 3.0, Some(corner));
    expect(&a, &cube(3.0, 3.0, 3.0), 3.0_f64.sqrt(), None);
}

#[test]
fn boxes_touching() {
    let a = cube(0.0, 0.0, 0.0);
    expect(&a, &cube(2.0, 0.0, 0.0), 0.0, Some(DVec3::X));
    expect(&a, &cube(2.0, 0.5, -0.3), 0.0, Some(DVec3::X));
    expect(&a, &cube(2.0, 2.0, 0.0), 0.0, None);
    expect(&a, &cube(-2.0, 2.0, 2.0), 0.0, None);
}

#[test]
fn boxes_overlapping() {
    let a = cube(0.0, 0.0, 0.0);
    expect(&a, &a, -2.0, None);
    expect(&a, &cube(0.0, -1.5, 0.25), -0.5, Some(-DVec3::Y));
    let small = Solid::cuboid(DVec3::new(0.5, 0.0, 0.125), DVec3::splat(0.25));
    expect(&a, &small, -0.75, Some(DVec3::X));
}

#[test]
fn crossed_edges_have_the_classic_distance() {
    // Cubes standing on an edge, one along x, the other along y: edges meet at right angles.
    let lift = 2.0;
    let rod = |along: DVec3, across: DVec3, center: f64| {
        let ends = [along * 4.0, -along * 4.0];
        let rim = [across, -across, DVec3::Z, -DVec3::Z];
        let points = ends.map(|e| rim.map(|r| e + r + DVec3::Z * center));
        Solid::hull(points.as_flattened()).unwrap()
    };
    let a = rod(DVec3::X, DVec3::Y, 0.0);
    for gap in [3.0, 0.5, 1e-12, 0.0, -0.125] {
        let b = rod(DVec3::Y, DVec3::X, lift + gap);
        let exact = (lift + gap) - 2.0;
        let rounded = between(&a, &b).distance;
        // The points themselves are rounded: at most two ulp of the height.
        assert!((rounded - exact).abs() <= 1e-15, "{rounded} {exact}");
        assert!((between(&a, &b).normal - DVec3::Z).length() < 1e-15);
    }
}

#[test]
fn exact_rotations_keep_the_distance() {
    let a = cube(0.0, 0.0, 0.0);
    for (offset, distance) in [
        (DVec3::new(5.0, -6.0, 0.0), 5.0),
        (DVec3::new(0.25, 1.5, 0.0), -0.5),
        (DVec3::new(3.0, 4.0, 4.0), 3.0),
        (DVec3::new(2.0, 1.0, 0.0), 0.0),
    ] {
        let b = a.moved(offset);
        let place = DVec3::new(1e6, 3.0, -1e3);
        let turned = |s: &Solid| PosedSolid::new(s, THREE_FOUR_FIVE, place);
        let answer = MinkowskiDifference::new(&turned(&a), &turned(&b)).signed_distance();
        assert_eq!(answer.distance, 5.0 * distance);
        assert_eq!(answer.compare(5.0 * distance), Ordering::Equal);
        assert_eq!(answer.compare((5.0 * distance).next_up()), Ordering::Less);
        assert_eq!(answer.compare((5.0 * distance).next_down()), Ordering::Greater);
    }
}

#[test]
fn a_turned_cube_meets_a_face_with_its_edge() {
    let a = Solid::cuboid(DVec3::ZERO, DVec3::splat(5.0));
    let b = cube(0.0, 0.0, 0.0);
    // The turned cube (side 10) reaches 7 along x.
    for (x, distance) in [(12.0, 0.0), (12.5, 0.5), (11.0, -1.0), (12.0 + 1e-13, 0.0)] {
        let place = DVec3::new(x, 0.0, 0.0);
        let posed = PosedSolid::new(&b, THREE_FOUR_FIVE, place);
        let answer = MinkowskiDifference::new(&(&a).into(), &posed).signed_distance();
        assert_eq!(answer.distance, if x == 12.0 + 1e-13 { x - 12.0 } else { distance });
        assert!((answer.normal - DVec3::X).length() < 1e-15);
    }
}

/// Closest distance of two points sets by the plain primal search: all pairs of edges, and all
/// vertices over faces. Valid for solids that are apart.
fn primal_distance(a: &Solid, b: &Solid) -> f64 {
    let mut best = f64::INFINITY;
    for [i, j] in a.edges() {
        for [k, l] in b.edges() {
            let ends = [a.vertices[i], a.vertices[j], b.vertices[k], b.vertices[l]];
            best = best.min(segment_distance(ends));
        }
    }
    for (s, t) in [(a, b), (b, a)] {
        for &p in &s.vertices {
            best = t.faces.iter().filter_map(|f| over_face(t, f, p)).fold(best, f64::min);
        }
    }
    best
}

fn point_segment(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    (a + (b - a) * t - p).length()
}

fn segment_distance([a, b, c, d]: [DVec3; 4]) -> f64 {
    let ends = [point_segment(a, c, d), point_segment(b, c, d), point_segment(c, a, b), point_segment(d, a, b)];
    let best = ends.into_iter().fold(f64::INFINITY, f64::min);
    let (u, v, w) = (b - a, d - c, c - a);
    let n = u.cross(v);
    let s = w.cross(v).dot(n) / n.length_squared();
    let t = w.cross(u).dot(n) / n.length_squared();
    let within = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    if within { best.min((w + v * t - u * s).length()) } else { best }
}

fn over_face(solid: &Solid, face: &[usize], p: DVec3) -> Option<f64> {
    let point = |i: usize| solid.vertices[face[i % face.len()]];
    let normal = (point(1) - point(0)).cross(point(2) - point(0)).normalize();
    let inside = (0..face.len()).all(|i| {
        let edge = point(i + 1) - point(i);
        edge.cross(p - point(i)).dot(normal) >= 0.0
    });
    let height = normal.dot(p - point(0));
    (inside && height > 0.0).then_some(height)
}

#[test]
fn agrees_with_the_primal_search_where_apart() {
    let mut rng = Rng::new(61);
    let mut apart = HitRate::new("pairs apart");
    for _ in 0..150 {
        let mut hull = |center: DVec3| {
            let n = 4 + rng.index(10);
            let points = rng.pick(&[Cloud::Ball, Cloud::Grid, Cloud::Prism]).generate(&mut rng, n);
            let solid = Solid::hull(&points).unwrap();
            solid.moved(center)
        };
        let (a, b) = (hull(DVec3::ZERO), hull(DVec3::new(1.5, 1.5, 1.5)));
        if a.check().is_err() || b.check().is_err() {
            continue;
        }
        let answer = between(&a, &b);
        if apart.record(answer.kind == Separation::Apart) {
            let primal = primal_distance(&a, &b);
            assert!((answer.distance - primal).abs() < 1e-13, "{answer:?} {primal}");
        }
    }
    apart.assert_between(0.2, 0.95);
    assert!(apart.trials() > 100);
}

#[test]
fn no_direction_beats_the_answer_and_its_own_normal_attains_it() {
    let mut rng = Rng::new(62);
    for family in PairFamily::ALL {
        let mut overlapping = HitRate::new(family.name());
        for _ in 0..25 {
            let difference = family.generate(&mut rng).difference().unwrap();
            let answer = difference.signed_distance();
            overlapping.record(answer.kind == Separation::Overlapping);
            let size = 2.0_f64.powi(difference.power as i32);
            let attained = difference.gap(answer.normal);
            assert!((attained - answer.distance).abs() < 1e-14 * size, "{answer:?}");
            for spread in [2.0, 1e-3, 1e-8] {
                let other = answer.normal + rng.in_ball(spread);
                let gap = difference.gap(other);
                let beaten = answer.compare(gap.next_down()) != Ordering::Less;
                assert!(beaten, "{} {answer:?} {gap}", family.name());
            }
        }
        let range = match family {
            PairFamily::Inside => (0.9, 1.0),
            PairFamily::CoincidentVertices => (0.2, 1.0),
            _ => (0.1, 0.9),
        };
        overlapping.assert_between(range.0, range.1);
    }
}

#[test]
fn moving_by_the_answer_makes_contact() {
    let mut rng = Rng::new(63);
    let mut deep = HitRate::new("overlaps undone");
    for _ in 0..100 {
        let mut case = PairFamily::Random.generate(&mut rng);
        let before = case.difference().unwrap().signed_distance();
        case.pose_b.1 -= before.normal * before.distance;
        let after = case.difference().unwrap().signed_distance();
        assert!(after.distance.abs() < 1e-14, "{before:?} {after:?}");
        deep.record(before.distance < 0.0);
    }
    deep.assert_between(0.2, 0.8);
}

#[test]
fn touching_pairs_are_close_and_of_both_signs() {
    let mut rng = Rng::new(64);
    let mut tiny = HitRate::new("distances below 1e-12 of the size");
    let mut apart = HitRate::new("touching pairs apart");
    for _ in 0..120 {
        let difference = PairFamily::Touching.generate(&mut rng).difference().unwrap();
        let answer = difference.signed_distance();
        let relative = answer.distance / 2.0_f64.powi(difference.power as i32);
        assert!(relative.abs() < 1.1e-3, "{answer:?}");
        tiny.record(relative.abs() < 1e-12);
        apart.record(answer.kind == Separation::Apart);
    }
    tiny.assert_between(0.3, 0.8);
    apart.assert_between(0.25, 0.75);
}

#[test]
fn points_of_a_posed_solid() {
    let solid = PosedSolid::new(&cube(0.0, 0.0, 0.0), THREE_FOUR_FIVE, DVec3::ZERO);
    let corner = &solid.vertices[7];
    assert_eq!(solid.contains(corner), Containment::Boundary);
    assert_eq!(solid.contains(&Exact3::default()), Containment::Inside);
    assert_eq!(solid.contains(&corner.scaled(1)), Containment::Outside);
    assert_eq!(solid.outside_by(DVec3::ZERO), -5.0);
    assert_eq!(solid.outside_by(DVec3::new(0.0, 0.0, 7.0)), 2.0);
}

/// Points on a grid of 1/64, so that differences of two are exact in `f64`.
fn coarse(rng: &mut Rng) -> Solid {
    loop {
        let family = rng.pick(&[Cloud::Ball, Cloud::Grid, Cloud::Prism, Cloud::CubeSurface]);
        let points = family.generate(rng, 8);
        let rounded: Vec<_> = points.iter().map(|p| (p * 64.0).round() / 64.0).collect();
        if let Some(solid) = Solid::hull(&rounded) {
            return solid;
        }
    }
}

#[test]
fn agrees_with_the_explicit_hull_of_all_differences() {
    let mut rng = Rng::new(66);
    let mut overlapping = HitRate::new("pairs overlapping");
    let mut touching = HitRate::new("pairs touching");
    for round in 0..120 {
        let a = coarse(&mut rng);
        let mut b = coarse(&mut rng);
        let offset = if round % 4 == 0 {
            rng.pick(&a.vertices) - rng.pick(&b.vertices)
        } else {
            (rng.in_ball(2.0) * 64.0).round() / 64.0
        };
        b = b.moved(offset);
        let all = a.vertices.iter().flat_map(|&p| b.vertices.iter().map(move |&q| q - p));
        let hull = Solid::hull(&all.collect::<Vec<_>>()).unwrap();
        let origin = hull.contains(DVec3::ZERO);
        let expected = match origin {
            Containment::Inside => Separation::Overlapping,
            Containment::Boundary => Separation::Touching,
            Containment::Outside => Separation::Apart,
        };
        let answer = between(&a, &b);
        assert_eq!(answer.kind, expected);
        let height = PosedSolid::from(&hull).outside_by(DVec3::ZERO);
        if overlapping.record(origin == Containment::Inside) {
            assert_eq!(answer.distance, height);
        } else {
            assert!(answer.distance >= height);
        }
        touching.record(origin == Containment::Boundary);
    }
    overlapping.assert_between(0.2, 0.8);
    touching.assert_between(0.03, 0.5);
}

#[test]
fn crowded_ties_have_an_answer() {
    let mut rng = Rng::new(65);
    for family in Cloud::ALL {
        let hull = Solid::hull(&family.generate(&mut rng, 40)).unwrap();
        let itself = MinkowskiDifference::new(&(&hull).into(), &(&hull).into());
        let answer = itself.signed_distance();
        assert_eq!(answer.kind, Separation::Overlapping, "{}", family.name());
        assert!((answer.normal.length() - 1.0).abs() < 1e-15);
    }
}
