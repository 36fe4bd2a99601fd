//! Every broad phase gives brute force's pairs and events, frame by frame, whatever the bodies do; bad input changes nothing.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::broad::{
    BoxTracker, BroadError, BroadPhase, BruteForce, Grid, MAX_BODY, PartitionedSweep, SweepAndPrune, Tree,
};
use clearance::math::{narrow, widen_real};
use clearance::tolerance::sigma;
use clearance::{Aabb, Core, Polytope, Pose, Real, Shape, Vec3};
use clearance_testkit::{HitRate, Rng};
use common::bodies::catalogue;
use common::pose_of;
use glam::{DQuat, DVec3};

fn rivals() -> [(&'static str, Box<dyn BroadPhase>); 7] {
    [
        ("sweep and prune", Box::new(SweepAndPrune::new())),
        ("partitioned sweep", Box::new(PartitionedSweep::new())),
        ("tree", Box::new(Tree::new())),
        ("tree without margin", Box::new(Tree::with_margin(0.0))),
        ("tree with a large margin", Box::new(Tree::with_margin(2.0))),
        ("tree with a bad margin", Box::new(Tree::with_margin(Real::NAN))),
        ("grid", Box::new(Grid::new())),
    ]
}

fn cube(center: DVec3, half: DVec3) -> Aabb {
    Aabb { min: narrow(center - half), max: narrow(center + half) }
}

/// What the bodies of a scene are like.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Family {
    Similar,
    Mixed,
    Lattice,
    Clustered,
    Flat,
    Far,
    Tiny,
    Infinite,
}

const FAMILIES: [Family; 8] = [
    Family::Similar,
    Family::Mixed,
    Family::Lattice,
    Family::Clustered,
    Family::Flat,
    Family::Far,
    Family::Tiny,
    Family::Infinite,
];

fn random_box(rng: &mut Rng, family: Family) -> Aabb {
    let sizes = |rng: &mut Rng, lo, hi| DVec3::new(rng.uniform(lo, hi), rng.uniform(lo, hi), rng.uniform(lo, hi));
    match family {
        Family::Similar => {
            let half = sizes(rng, 0.4, 1.0);
            cube(rng.in_box(DVec3::splat(6.0)), half)
        }
        Family::Mixed => {
            let half = DVec3::ONE * rng.log_uniform(1e-4, 8.0);
            cube(rng.in_box(DVec3::splat(20.0)), half)
        }
        // Whole coordinates: many boxes are identical and most of those that meet only touch.
        Family::Lattice => {
            let at = DVec3::from_array([0; 3].map(|_| rng.integer(-6, 6) as f64));
            Aabb { min: narrow(at), max: narrow(at + DVec3::from_array([0; 3].map(|_| rng.integer(0, 2) as f64))) }
        }
        Family::Clustered => {
            let spot = DVec3::splat(100.0 * rng.integer(0, 1) as f64);
            let half = sizes(rng, 0.01, 0.05);
            cube(spot + rng.in_ball(0.3), half)
        }
        Family::Flat => {
            let mut half = DVec3::splat(rng.uniform(0.5, 2.0));
            half[rng.index(3)] = 0.0;
            cube(DVec3::from_array([0; 3].map(|_| rng.integer(-40, 40) as f64 / 8.0)), half)
        }
        Family::Far => {
            let half = sizes(rng, 0.4, 1.0);
            cube(DVec3::new(1e6, -1e6, 1e6) + rng.in_box(DVec3::splat(5.0)), half)
        }
        Family::Tiny => {
            let half = sizes(rng, 0.4e-6, 1e-6);
            cube(rng.in_box(DVec3::splat(5e-6)), half)
        }
        Family::Infinite => {
            let mut bounds = random_box(rng, Family::Similar);
            let axis = rng.index(3);
            match rng.index(8) {
                0 => bounds.max[axis] = Real::INFINITY,
                1 => bounds.min[axis] = Real::NEG_INFINITY,
                2 => bounds = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY },
                3 => (bounds.min[axis], bounds.max[axis]) = (Real::INFINITY, Real::INFINITY),
                4 => (bounds.min[axis], bounds.max[axis]) = (-Real::MAX, Real::MAX),
                _ => (),
            }
            bounds
        }
    }
}

/// A small step, of the size of the body.
fn moved(rng: &mut Rng, bounds: &Aabb, family: Family) -> Aabb {
    let half = bounds.half_extents();
    let size = if half.is_finite() { half.max_element() } else { 1.0 };
    let mut step = narrow(rng.in_ball(1.0)) * (size * 0.2);
    if family == Family::Lattice {
        step = Vec3::ZERO;
        step[rng.index(3)] = rng.sign() as Real;
    }
    Aabb { min: bounds.min + step, max: bounds.max + step }
}

struct Scene {
    truth: BruteForce,
    rivals: [(&'static str, Box<dyn BroadPhase>); 7],
}

impl Scene {
    fn each(&mut self, mut act: impl FnMut(&mut dyn BroadPhase) -> Result<(), BroadError>) -> Result<(), BroadError> {
        let expected = act(&mut self.truth);
        for (name, rival) in &mut self.rivals {
            assert_eq!(act(rival.as_mut()), expected, "{name}");
        }
        expected
    }

    /// A fixed body or a moving one.
    fn add(&mut self, rng: &mut Rng, id: u32, bounds: Aabb) {
        let fixed = rng.chance(0.3);
        self.each(|broad| if fixed { broad.add_fixed(id, bounds) } else { broad.add(id, bounds) }).unwrap();
    }

    fn change(&mut self, rng: &mut Rng, family: Family, most: u32) {
        for id in 0..most {
            let Some(&bounds) = self.truth.bodies().get(id) else {
                if rng.chance(0.1) {
                    let bounds = random_box(rng, family);
                    self.add(rng, id, bounds);
                }
                continue;
            };
            match rng.index(40) {
                0 => self.each(|broad| broad.remove(id)).unwrap(),
                1 => {
                    // Another body under the same number, in the same place or elsewhere.
                    let bounds = if rng.chance(0.5) { bounds } else { random_box(rng, family) };
                    self.each(|broad| broad.remove(id)).unwrap();
                    self.add(rng, id, bounds);
                }
                2 => {
                    let bounds = random_box(rng, family);
                    self.each(|broad| broad.set(id, bounds)).unwrap();
                }
                // What is fixed moves rarely.
                3..20 if !self.truth.bodies().is_fixed(id) || rng.chance(0.1) => {
                    let bounds = moved(rng, &bounds, family);
                    if bounds.min.cmple(bounds.max).all() {
                        self.each(|broad| broad.set(id, bounds)).unwrap();
                    }
                }
                _ => (),
            }
        }
    }

    fn compare(&mut self, what: &str) {
        let expected = self.truth.update();
        for (name, rival) in &mut self.rivals {
            assert_eq!(rival.update(), expected, "{name}, {what}");
        }
    }
}

#[test]
fn every_broad_phase_is_brute_force() {
    let mut rng = Rng::new(61);
    let (mut entered, mut left, mut paired) =
        (HitRate::new("frames with pairs entering"), HitRate::new("frames with pairs leaving"), HitRate::new("pairs"));
    for family in FAMILIES {
        for most in [6, 120] {
            let mut scene = Scene { truth: BruteForce::new(), rivals: rivals() };
            for frame in 0..125 {
                scene.change(&mut rng, family, most);
                scene.compare(&format!("{family:?}, {most} bodies, frame {frame}"));
                let update = scene.truth.update();
                assert!(update.entered.is_empty() && update.left.is_empty(), "nothing has changed");
                let pairs = update.pairs.len();
                scene.compare("again");
                let bodies = scene.truth.bodies().len();
                for pair in 0..bodies * bodies.saturating_sub(1) / 2 {
                    paired.record(pair < pairs);
                }
            }
            for _ in 0..10 {
                scene.change(&mut rng, family, most);
                let update = scene.truth.update();
                entered.record(!update.entered.is_empty());
                left.record(!update.left.is_empty());
                scene.rivals.iter_mut().for_each(|(name, rival)| {
                    assert_eq!(rival.update(), update, "{name}");
                });
            }
        }
    }
    entered.assert_between(0.5, 1.0);
    left.assert_between(0.4, 1.0);
    paired.assert_between(0.01, 0.5);
}

/// Brute force against the definition, with lists kept here.
#[test]
fn brute_force_is_the_definition() {
    let mut rng = Rng::new(62);
    let mut broad = BruteForce::new();
    let mut before: Vec<[u32; 2]> = Vec::new();
    let mut hits = HitRate::new("overlap");
    for id in 0..40 {
        let bounds = random_box(&mut rng, Family::Lattice);
        if id % 4 == 0 { broad.add_fixed(id, bounds) } else { broad.add(id, bounds) }.unwrap();
    }
    for _ in 0..50 {
        for id in 0..40 {
            broad.set(id, random_box(&mut rng, Family::Lattice)).unwrap();
        }
        let mut now = Vec::new();
        for a in 0..40 {
            for b in a + 1..40 {
                let [x, y] = [a, b].map(|id| *broad.bodies().get(id).unwrap());
                let apart = (0..3).any(|axis| x.max[axis] < y.min[axis] || y.max[axis] < x.min[axis]);
                let both_fixed = a % 4 == 0 && b % 4 == 0;
                if hits.record(!apart) && !both_fixed {
                    now.push([a, b]);
                }
            }
        }
        let update = broad.update();
        assert_eq!(update.pairs, now);
        let missing = |from: &[[u32; 2]], list: &[[u32; 2]]| -> Vec<[u32; 2]> {
            list.iter().filter(|pair| !from.contains(pair)).copied().collect()
        };
        assert_eq!(update.entered, missing(&before, &now));
        assert_eq!(update.left, missing(&now, &before));
        before = now;
    }
    hits.assert_between(0.01, 0.3);
}

/// A number used again is another body: its pairs leave and enter, though the boxes are the same.
#[test]
fn a_number_used_again_is_another_body() {
    let box_at = |x: f64| cube(DVec3::X * x, DVec3::ONE);
    let mut scene = Scene { truth: BruteForce::new(), rivals: rivals() };
    for id in 0..3 {
        scene.each(|broad| broad.add(id, box_at(f64::from(id)))).unwrap();
    }
    scene.compare("three in a row");
    assert_eq!(scene.truth.update().pairs, [[0, 1], [0, 2], [1, 2]]);
    scene.compare("at rest");
    scene.each(|broad| broad.remove(1)).unwrap();
    scene.each(|broad| broad.add(1, box_at(1.0))).unwrap();
    scene.compare("exchanged");
    let mut grid = scene.rivals.into_iter().next_back().unwrap().1;
    grid.remove(1).unwrap();
    grid.add(1, box_at(1.0)).unwrap();
    let update = grid.update();
    assert_eq!(update.entered, [[0, 1], [1, 2]]);
    assert_eq!(update.left, [[0, 1], [1, 2]]);
    assert_eq!(update.pairs, [[0, 1], [0, 2], [1, 2]]);
}

#[test]
fn bad_input_is_an_error_and_changes_nothing() {
    let good = cube(DVec3::ZERO, DVec3::ONE);
    let mut scene = Scene { truth: BruteForce::new(), rivals: rivals() };
    for id in [0, 3] {
        scene.each(|broad| broad.add(id, good)).unwrap();
    }
    scene.compare("two");
    let mut bad = Vec::new();
    for axis in 0..3 {
        for value in [Real::NAN, 2.0, Real::INFINITY] {
            let mut bounds = good;
            bounds.min[axis] = value;
            bad.push((axis, bounds));
        }
        let mut bounds = good;
        bounds.max[axis] = Real::NAN;
        bad.push((axis, bounds));
    }
    for (axis, bounds) in bad {
        let name = ['x', 'y', 'z'][axis];
        let named = |error: Result<(), BroadError>, of: u32| {
            assert!(matches!(error, Err(BroadError::BadBox { id, axis, .. }) if axis == name && id == of), "{error:?}");
        };
        // Compared by hand: an error that carries NaN is not equal to itself.
        for broad in scene.rivals.iter_mut().map(|(_, rival)| rival.as_mut()) {
            named(broad.add(1, bounds), 1);
            named(broad.set(3, bounds), 3);
        }
        named(scene.truth.add(1, bounds), 1);
        named(scene.truth.set(3, bounds), 3);
    }
    assert_eq!(scene.each(|broad| broad.add(0, good)), Err(BroadError::DuplicateBody { id: 0 }));
    for id in [1, 9, u32::MAX] {
        assert_eq!(scene.each(|broad| broad.set(id, good)), Err(BroadError::UnknownBody { id }));
        assert_eq!(scene.each(|broad| broad.remove(id)), Err(BroadError::UnknownBody { id }));
    }
    let id = MAX_BODY + 1;
    assert_eq!(scene.each(|broad| broad.add(id, good)), Err(BroadError::NumberTooLarge { id }));
    scene.compare("after all that");
    for (name, rival) in &mut scene.rivals {
        let update = rival.update();
        assert_eq!(update.pairs, [[0, 3]], "{name}");
        assert!(update.entered.is_empty() && update.left.is_empty(), "{name}");
        assert_eq!(rival.bodies().len(), 2);
    }
    let message = BroadError::BadBox { id: 4, axis: 'y', min: 2.0, max: 1.0 }.to_string();
    assert_eq!(message, "body 4: the box runs from 2 to 1 along y");
}

/// Thousands of bodies, most of which do not fit the grid: all at one place, plates, one floor under everything.
#[test]
fn crowds_and_giants() {
    let mut rng = Rng::new(63);
    let mut crowded = HitRate::new("outside the cells");
    let mut partitioned = HitRate::new("scenes in more than eight regions");
    for kind in 0..3 {
        let (mut grid, mut tree, mut sweep) = (Grid::new(), Tree::new(), SweepAndPrune::new());
        let mut regions = PartitionedSweep::new();
        for id in 0..1500u32 {
            let small = DVec3::splat(rng.uniform(0.1, 0.4));
            let bounds = match kind {
                0 if id % 3 > 0 => cube(rng.in_ball(0.1), DVec3::splat(1e-3)),
                1 => cube(DVec3::Z * f64::from(id), DVec3::new(50.0, 50.0, 0.25)),
                2 if id % 100 == 0 => cube(rng.in_ball(10.0), DVec3::splat(rng.log_uniform(1.0, 10.0))),
                _ => cube(rng.in_ball(10.0), small),
            };
            for broad in [&mut grid as &mut dyn BroadPhase, &mut tree, &mut sweep, &mut regions] {
                broad.add(id, bounds).unwrap();
            }
        }
        let found = grid.update().pairs.to_vec();
        assert_eq!(tree.update().pairs, found);
        assert_eq!(sweep.update().pairs, found);
        assert_eq!(regions.update().pairs, found);
        partitioned.record(regions.regions() > 8);
        crowded.record(grid.outside_cells() > 0);
        let all: Vec<_> = tree.bodies().iter().map(|(id, bounds)| (id, *bounds)).collect();
        let slow: usize = all
            .iter()
            .map(|(id, bounds)| all[*id as usize + 1..].iter().filter(|(_, b)| b.overlaps(bounds)).count())
            .sum();
        assert_eq!(found.len(), slow);
    }
    crowded.assert_between(0.9, 1.0);
    partitioned.assert_between(0.9, 1.0);
}

/// Bodies that wander through many regions, spread out, gather and come and go: brute force's pairs in each frame, by exchanges in regions.
#[test]
fn regions_follow_the_bodies() {
    let mut rng = Rng::new(65);
    let (mut truth, mut regions) = (BruteForce::new(), PartitionedSweep::new());
    let half = |rng: &mut Rng| DVec3::splat(if rng.chance(0.02) { 6.0 } else { rng.uniform(0.1, 0.5) });
    let mut bodies: Vec<(DVec3, DVec3)> = (0..900).map(|_| (rng.in_box(DVec3::splat(9.0)), half(&mut rng))).collect();
    for (id, (at, half)) in bodies.iter().enumerate() {
        truth.add(id as u32, cube(*at, *half)).unwrap();
        regions.add(id as u32, cube(*at, *half)).unwrap();
    }
    let [mut entered, mut many] = ["frames in which pairs enter", "frames with many regions"].map(HitRate::new);
    for frame in 0..160 {
        // Spread out, then gather.
        let pull = if frame < 80 { 1.01 } else { 0.97 };
        for (id, (at, half)) in bodies.iter_mut().enumerate() {
            *at = *at * pull + rng.in_ball(0.1);
            if rng.chance(0.002) {
                truth.remove(id as u32).unwrap();
                regions.remove(id as u32).unwrap();
                *at = rng.in_box(DVec3::splat(9.0));
                truth.add(id as u32, cube(*at, *half)).unwrap();
                regions.add(id as u32, cube(*at, *half)).unwrap();
            }
            truth.set(id as u32, cube(*at, *half)).unwrap();
            regions.set(id as u32, cube(*at, *half)).unwrap();
        }
        let (expected, found) = (truth.update(), regions.update());
        assert_eq!(found, expected, "frame {frame}");
        entered.record(!expected.entered.is_empty());
        many.record(regions.regions() >= 8);
    }
    entered.assert_between(0.9, 1.0);
    many.assert_between(0.9, 1.0);
}

/// The dynamic box is the shape's own along a motion with jumps, and the fixed cube contains it.
#[test]
fn trackers_follow_every_shape() {
    let mut rng = Rng::new(64);
    let mut shapes: Vec<Shape> = catalogue(1.0).into_iter().map(|body| body.shape).collect();
    for count in [20, 150, 400, 4000] {
        let points: Vec<Vec3> = (0..count).map(|_| narrow(rng.unit_vector() * DVec3::new(2.0, 4.0, 5.0))).collect();
        let polytope = Shape::from(Polytope::from_points(&points).unwrap());
        shapes.push(polytope.clone().rounded(0.25).unwrap());
        shapes.push(polytope);
    }
    for shape in &shapes {
        let (mut tracker, mut cube) = (BoxTracker::DYNAMIC, BoxTracker::Fixed);
        let (mut casing, mut room) = (BoxTracker::Casing, 0.0);
        let (axis, start, origin) = (rng.unit_vector(), rng.rotation(), rng.in_ball(30.0));
        for frame in 0..40 {
            let angle = if frame % 13 == 12 { 2.0 } else { 0.17 } * f64::from(frame);
            let turn = DQuat::from_axis_angle(axis, angle) * start;
            let pose: Pose = pose_of(origin + axis * f64::from(frame), turn.normalize());
            let (tight, expected) = (tracker.aabb(shape, &pose), shape.aabb(&pose));
            let error = sigma(shape.bounding_radius() + pose.translation().length());
            let off = (tight.min - expected.min).abs().max((tight.max - expected.max).abs()).max_element();
            assert!(off <= error, "{shape:?} off by {off}");
            let outer = cube.aabb(shape, &pose).grown(error);
            assert!(outer.contains(tight.min) && outer.contains(tight.max));
            assert_eq!(cube, BoxTracker::Fixed);
            // Around every point of the body, and little larger than the tight box if that is round.
            let outer = casing.aabb(shape, &pose);
            assert!(outer.grown(error).contains(tight.min) && outer.grown(error).contains(tight.max), "{shape:?}");
            room += widen_real((outer.max - outer.min).element_sum() / (tight.max - tight.min).element_sum()) / 40.0;
        }
        let round = matches!(shape.core(), Core::Polytope(polytope) if polytope.vertices().len() >= 150);
        assert!(!round || room < 1.05, "{shape:?}: {room}");
    }
    assert!(size_of::<BoxTracker>() <= 32);
}
