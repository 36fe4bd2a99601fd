//! Contact points as a solver needs them: the same ones under the same names in the same order from frame to frame, while bodies jitter.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{narrow_real, widen, widen_real};
use clearance::{Cache, Feature, Manifold, ManifoldOptions, Pose, Real, Shape, manifold};
use clearance_testkit::{Cloud, HitRate, Rng};
use common::{SINGLE, narrowed, pose_of};
use glam::{DQuat, DVec3};

const FRAMES: usize = 300;

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
fn follow(shapes: [&Shape; 2], places: [Place; 2], by: f64, rng: &mut Rng) -> Seen {
    let size = widen_real(shapes[0].bounding_radius() + shapes[1].bounding_radius());
    let options = margin(size);
    let mut cache = Cache::default();
    let (mut last, mut flips, mut first, mut points) = (Vec::new(), 0, 0, 0);
    for frame in 0..FRAMES {
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
                let seen = follow([&cube(1.0), &cube(size)], places, by, &mut rng);
                let what = format!("kind {kind}, a half side of {size}, jitter {by:e}: {seen:?}");
                if seen.first + seen.flips > 0 {
                    println!("{what}");
                }
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
                let seen = follow([a, b], places, 1e-6, &mut rng);
                if seen.first + seen.flips > 0 {
                    println!("kind {kind}, {above} on {below}: {seen:?}");
                }
            }
        }
    }
}
