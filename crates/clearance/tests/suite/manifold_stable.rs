//! Contact points as a solver needs them: the same ones under the same names in the same order from frame to frame, while bodies jitter.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{narrow_real, widen, widen_real};
use clearance::{Cache, Feature, Manifold, ManifoldOptions, Pose, Real, Shape, manifold};
use clearance_testkit::{HitRate, Rng};
use common::{SINGLE, narrowed, pose_of};
use glam::{DQuat, DVec3};

const FRAMES: usize = 1000;

/// A pose in double precision, to be disturbed.
#[derive(Clone, Copy)]
struct Place {
    at: DVec3,
    turn: DQuat,
}

impl Place {
    fn jittered(&self, by: f64, size: f64, rng: &mut Rng) -> Pose {
        let spin = DQuat::from_scaled_axis(rng.in_ball(by));
        pose_of(self.at + rng.in_ball(by * size), (spin * self.turn).normalize())
    }

    fn moved(&self, frame: &Self) -> Self {
        Self { at: frame.at + frame.turn * self.at, turn: frame.turn * self.turn }
    }
}

fn margin(size: f64) -> ManifoldOptions {
    ManifoldOptions { margin: narrow_real(1e-3 * size), ..ManifoldOptions::default() }
}

fn names(found: &Manifold) -> Vec<[Feature; 2]> {
    found.points.iter().map(|point| point.features).collect()
}

/// How often the names of a pair change from the first frame to the second and after that, and how many points there are.
#[derive(Debug)]
struct Seen {
    first: usize,
    flips: usize,
    points: usize,
}

/// Follows a pair at these places over the frames.
fn follow(shapes: [&Shape; 2], places: [Place; 2], by: f64, frames: usize, rng: &mut Rng) -> Seen {
    let size = widen_real(shapes[0].bounding_radius() + shapes[1].bounding_radius());
    let options = margin(size);
    let mut cache = Cache::default();
    let (mut last, mut flips, mut first, mut points) = (Vec::new(), 0, 0, 0);
    for frame in 0..frames {
        let [a, b] = places.map(|place| place.jittered(by, size, rng));
        let found = manifold(shapes[0], &a, shapes[1], &b, &mut cache, &options).expect("in contact");
        let names = names(&found);
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "in the order of their features, each once: {names:?}");
        points = points.max(names.len());
        flips += usize::from(frame > 0 && names != last);
        if frame == 1 {
            (first, flips) = (flips, 0);
        }
        last = names;
    }
    Seen { first, flips, points }
}

fn cube(half: f64) -> Shape {
    Shape::cuboid([narrow_real(half); 3]).unwrap()
}

/// What a body of half height one stands on at height zero: the same body, one turned, shifted, larger or smaller.
fn stacked(rng: &mut Rng, kind: usize) -> [Place; 2] {
    let (shift, turn) = match kind {
        0 => (DVec3::ZERO, 0.0),                                          // all outlines coincide
        1 => (DVec3::new(rng.uniform(-1.0, 1.0), 0.0, 0.0), 0.0),         // two sides coincide
        2 => (DVec3::ZERO, std::f64::consts::FRAC_PI_4),                  // an octagon, any four corners as good
        3 => (DVec3::ZERO, std::f64::consts::FRAC_PI_2),                  // the same outlines, other names
        4 => (rng.in_ball(0.5), rng.uniform(0.0, std::f64::consts::TAU)), // whatever
        _ => (DVec3::new(1.0, 1.0, 0.0), 0.0),                            // a corner over the middle of a face
    };
    let shift = DVec3::new(shift.x, shift.y, 2.0);
    let frame = Place { at: rng.in_ball(4.0), turn: rng.rotation() };
    let turned = Place { at: shift, turn: DQuat::from_rotation_z(turn) };
    [Place { at: DVec3::ZERO, turn: DQuat::IDENTITY }.moved(&frame), turned.moved(&frame)]
}

#[test]
fn names_stay_while_boxes_jitter() {
    let mut rng = Rng::new(0x57ab1e);
    let levels = if SINGLE { [1e-7, 1e-6, 1e-6] } else { [1e-15, 1e-9, 1e-6] };
    for kind in 0..6 {
        for size in [1.0, 0.5, 1.5] {
            for by in levels {
                let mut places = stacked(&mut rng, kind);
                let up = (places[1].at - places[0].at).normalize();
                if kind == 0 {
                    places[1].at = places[0].at + up * (1.0 + size);
                }
                let z = places[0].turn * DVec3::Z;
                places[1].at += z * (1.0 + size - z.dot(places[1].at - places[0].at));
                let seen = follow([&cube(1.0), &cube(size)], places, by, FRAMES / 2, &mut rng);
                let what = format!("kind {kind}, a half side of {size}, jitter {by:e}: {seen:?}");
                assert!(seen.first + seen.flips == 0, "{what}");
                assert!(seen.points == 4 || kind > 3, "{what}");
            }
        }
    }
}

/// Shapes with a flat bottom at minus one and a flat top at one.
fn standing() -> Vec<(&'static str, Shape)> {
    let prism = |corners: usize| {
        let corner = |i: usize, z: f64| {
            let angle = std::f64::consts::TAU * i as f64 / corners as f64;
            DVec3::new(angle.cos(), angle.sin(), z)
        };
        let points: Vec<DVec3> = (0..corners).flat_map(|i| [corner(i, -1.0), corner(i, 1.0)]).collect();
        Shape::from(clearance::Polytope::from_points(&narrowed(&points)).unwrap())
    };
    let one: Real = 1.0;
    vec![
        ("box", cube(1.0)),
        ("box of points", Shape::from(clearance::Polytope::cuboid([1.0, 1.0, 1.0]).unwrap())),
        ("cylinder", Shape::cylinder(one, one).unwrap()),
        ("hexagonal prism", prism(6)),
        ("prism of 11", prism(11)),
        ("round box", Shape::round_box([0.75, 0.75, 0.75], 0.25).unwrap()),
    ]
}

#[test]
fn names_stay_on_whatever_stands() {
    let mut rng = Rng::new(0x57a9d);
    let shapes = standing();
    for (above, b) in &shapes {
        for (below, a) in &shapes {
            for kind in 0..6 {
                let places = stacked(&mut rng, kind);
                let seen = follow([a, b], places, 1e-6, FRAMES / 10, &mut rng);
                let is_round = [above, below].iter().any(|name| ["cylinder", "round box"].contains(*name));
                let what = format!("kind {kind}, {above} on {below}: {seen:?}");
                // A round body may have one point more in the first frame, which knows of no other.
                assert!(seen.flips == 0 && (seen.first == 0 || is_round) && seen.points > 0, "{what}");
            }
        }
    }
}

/// Ten boxes on each other, each jittering by itself: a thousand frames, no name changes and no order.
#[test]
fn a_stack_of_ten_keeps_its_names() {
    let mut rng = Rng::new(0x57ac);
    let shape = cube(0.5);
    let (mut caches, mut last) = (vec![Cache::default(); 9], vec![Vec::new(); 9]);
    let (mut flips, mut hits) = (0, HitRate::new("pairs with four points"));
    for frame in 0..FRAMES {
        let by = 10.0_f64.powf(rng.uniform(-9.0, -6.0));
        let poses: Vec<Pose> = (0..10)
            .map(|i| {
                let place = Place { at: DVec3::Z * f64::from(i), turn: DQuat::IDENTITY };
                place.jittered(by, 1.0, &mut rng)
            })
            .collect();
        for (i, pair) in poses.windows(2).enumerate() {
            let found = manifold(&shape, &pair[0], &shape, &pair[1], &mut caches[i], &margin(1.0)).expect("in contact");
            let names = names(&found);
            hits.record(names.len() == 4);
            flips += usize::from(frame > 0 && names != last[i]);
            last[i] = names;
        }
    }
    assert_eq!(flips, 0);
    hits.assert_between(1.0, 1.0);
}

/// A cache changes which of equal points are given, nothing else: the same normal and distance, points that a cold query has, too, and one
/// as deep as the deepest, to the tolerances of jitter.
#[test]
fn warm_points_are_cold_points() {
    let mut rng = Rng::new(0x3a4);
    let shapes = standing();
    let mut hits = HitRate::new("frames with other points than a cold query");
    for round in 0..40 {
        let (a, b) = (&shapes[rng.index(shapes.len())].1, &shapes[rng.index(shapes.len())].1);
        let (places, mut cache) = (stacked(&mut rng, round % 6), Cache::default());
        let options = margin(2.0);
        for _ in 0..20 {
            let [at_a, at_b] = places.map(|place| place.jittered(1e-6, 2.0, &mut rng));
            let warm = manifold(a, &at_a, b, &at_b, &mut cache, &options).expect("in contact");
            let cold = manifold(a, &at_a, b, &at_b, &mut Cache::default(), &options).expect("in contact");
            let all = ManifoldOptions { max_points: 16, ..options };
            let all = manifold(a, &at_a, b, &at_b, &mut Cache::default(), &all).expect("in contact");
            hits.record(names(&warm) != names(&cold));
            // Either of two faces that are tilted by jitter may give the normal.
            let off = [widen(warm.normal - cold.normal).length(), widen_real(warm.distance - cold.distance).abs()];
            assert!(off[0] <= 1e-5 && off[1] <= if SINGLE { 1e-5 } else { 1e-8 }, "{off:?} {warm:?} {cold:?}");
            let rounding = if SINGLE { 1e-4 } else { 1e-9 };
            for point in &warm.points {
                let near =
                    |p: &clearance::ContactPoint| widen(p.points[0]).distance(widen(point.points[0])) <= rounding;
                // A ring of more places than are given may lack it.
                assert!(all.points.iter().any(near) || all.points.len() == 16, "{point:?} {all:?}");
            }
            let deepest = |m: &Manifold| widen_real(m.deepest().expect("a point").distance);
            assert!(deepest(&warm) <= deepest(&cold) + 4e-6 * 4.0 + rounding, "{warm:?} {cold:?}");
        }
    }
    hits.assert_between(0.05, 0.95);
}

/// Moved and turned together, bodies have the same points under the same names in the same order.
#[test]
fn names_do_not_depend_on_the_frame() {
    let mut rng = Rng::new(0xf4a3e);
    let (a, b) = (&Shape::cuboid([1.0, 0.8, 1.0]).unwrap(), &Shape::cuboid([0.7, 0.9, 1.0]).unwrap());
    for _ in 0..200 {
        let mut places = stacked(&mut rng, 4);
        places[1].at -= places[0].turn * DVec3::Z * 0.01;
        let ask = |frame: &Place| {
            let [at_a, at_b] = places.map(|place| place.moved(frame).jittered(0.0, 1.0, &mut Rng::new(1)));
            names(&manifold(a, &at_a, b, &at_b, &mut Cache::default(), &margin(1.0)).expect("in contact"))
        };
        let here = ask(&Place { at: DVec3::ZERO, turn: DQuat::IDENTITY });
        let there = ask(&Place { at: rng.in_ball(1.0), turn: rng.rotation() });
        assert_eq!(here, there);
    }
}

/// The example's solver: ten boxes that fall a centimetre each come to rest. In single precision heights are known to a millionth and the
/// speed that this jitter makes in a frame, a sixtieth of a second, is what is left.
#[test]
fn ten_boxes_come_to_rest() {
    let mut stack = stack::Stack::new(10).unwrap();
    for _ in 0..600 {
        stack.step().unwrap();
    }
    let top = widen(stack.bodies[10].pose.translation());
    assert!((top.z - 9.5).abs() < 0.005 && top.truncate().length() < 0.005, "{top}");
    let bound = if SINGLE { 1e-3 } else { 1e-6 };
    assert!(widen_real(stack.speed()) < bound, "{:e}", stack.speed());
}

#[path = "../../examples/stack.rs"]
mod stack;
