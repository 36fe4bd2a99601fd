//! Questions asked of a world are brute force over the verbs, between steps and after them, from any number of threads.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::world_twin;
use clearance::math::{narrow, widen_real};
use clearance::world::{BodyId, Broad, Filter, Group, NearBody, NewBody, World, WorldOptions};
use clearance::{Aabb, Body, Cache, HalfSpace, Pose, Real, Shape, Vec3, closest, overlap};
use clearance_testkit::{HitRate, Rng};
use common::pose_of;
use glam::DVec3;
use rayon::prelude::*;
use world_twin::scene::{concave_bodies, shapes};

struct Scene {
    world: World,
    bodies: Vec<(BodyId, Body, Pose, usize)>,
    palette: Vec<Body>,
    rng: Rng,
}

fn group(number: usize) -> Group {
    Group::new(number).unwrap()
}

impl Scene {
    fn new(options: WorldOptions, count: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut palette: Vec<Body> = shapes(&mut rng).into_iter().map(Body::from).collect();
        palette.extend(concave_bodies(&mut rng));
        let mut scene = Self { world: World::new(options), bodies: Vec::new(), palette, rng };
        (0..count).for_each(|_| scene.add());
        scene
    }

    fn anywhere(&mut self) -> Pose {
        let at = self.rng.in_box(DVec3::new(12.0, 12.0, 3.0));
        pose_of(at, self.rng.rotation())
    }

    fn add(&mut self) {
        let (pose, number) = (self.anywhere(), self.rng.index(4));
        let body = self.palette[self.rng.index(self.palette.len())].clone();
        let fixed = self.rng.chance(0.4);
        let new = NewBody { group: group(number), fixed, ..NewBody::new(body.clone(), pose) };
        let id = self.world.add(new).unwrap();
        self.bodies.push((id, body, pose, number));
    }

    /// Moves, removes and adds some; sometimes a step follows.
    fn change(&mut self) {
        for _ in 0..self.rng.index(6) {
            let nth = self.rng.index(self.bodies.len());
            if self.rng.chance(0.3) {
                self.world.remove(self.bodies.swap_remove(nth).0).unwrap();
                self.add();
            } else {
                let pose = self.anywhere();
                self.bodies[nth].2 = pose;
                self.world.set_pose(self.bodies[nth].0, pose).unwrap();
            }
        }
        if self.rng.chance(0.6) {
            self.world.step();
        }
    }

    fn filter(&mut self) -> (Filter, Vec<bool>) {
        let rng = &mut self.rng;
        let included: Vec<usize> = (0..4).filter(|_| rng.chance(0.7)).collect();
        let except = self.bodies[rng.index(self.bodies.len())].0;
        let filter = Filter::groups(included.iter().map(|&number| group(number))).without(except);
        let admitted = self.bodies.iter().map(|(id, _, _, number)| included.contains(number) && *id != except);
        (filter, admitted.collect())
    }

    /// The bodies the filter admits.
    fn admitted<'a>(&'a self, admitted: &'a [bool]) -> impl Iterator<Item = &'a (BodyId, Body, Pose, usize)> {
        self.bodies.iter().zip(admitted).filter(|(_, admitted)| **admitted).map(|(body, _)| body)
    }
}

fn all_options() -> [WorldOptions; 4] {
    let with = |broad, queries| WorldOptions { broad, queries, ..WorldOptions::default() };
    [with(Broad::Grid, true), with(Broad::Grid, false), with(Broad::Tree, true), with(Broad::BruteForce, false)]
}

#[test]
fn overlapping_is_brute_force() {
    let mut hits = HitRate::new("queries with an answer");
    for (nth, options) in all_options().into_iter().enumerate() {
        let mut scene = Scene::new(options, 120, 400 + nth as u64);
        let mut found = Vec::new();
        for trial in 0..400 {
            scene.change();
            let (pose, (filter, admitted)) = (scene.anywhere(), scene.filter());
            let probe = scene.palette[scene.rng.index(scene.palette.len())].clone();
            scene.world.overlapping(&probe, &pose, &filter, &mut found);
            let meets = |(_, body, at, _): &&(BodyId, Body, Pose, usize)| {
                overlap(&probe, &pose, body, at, &mut Cache::default()).overlap
            };
            let mut expected: Vec<BodyId> = scene.admitted(&admitted).filter(meets).map(|body| body.0).collect();
            expected.sort_unstable();
            assert_eq!(found, expected, "{options:?}, trial {trial}");
            hits.record(!found.is_empty());
        }
    }
    hits.assert_between(0.2, 0.9);
}

#[test]
fn overlapping_boxes_are_brute_force() {
    let mut hits = HitRate::new("queries with an answer");
    let mut scene = Scene::new(WorldOptions::default(), 120, 410);
    let mut found = Vec::new();
    for trial in 0..600 {
        scene.change();
        let (filter, admitted) = scene.filter();
        let (middle, half) = (scene.rng.in_box(DVec3::new(12.0, 12.0, 3.0)), scene.rng.log_uniform(0.01, 5.0));
        let bounds = Aabb { min: narrow(middle - DVec3::splat(half)), max: narrow(middle + DVec3::splat(half)) };
        scene.world.overlapping_box(&bounds, &filter, &mut found);
        let shape = Shape::cuboid(bounds.half_extents().to_array()).unwrap();
        let pose = Pose::from_translation(bounds.center()).unwrap();
        let mut doubtful = false;
        let mut expected = Vec::new();
        for (id, body, at, _) in scene.admitted(&admitted) {
            let near = closest(&shape, &pose, body, at, &mut Cache::default());
            doubtful |= widen_real(near.distance).abs() < 1e-4;
            if near.lower <= 0.0 {
                expected.push(*id);
            }
        }
        expected.sort_unstable();
        assert!(found == expected || doubtful, "trial {trial}: {found:?} but {expected:?}");
        hits.record(!found.is_empty());
    }
    hits.assert_between(0.2, 0.9);
    // Boxes without end have all bodies, and those that are none, nothing.
    let everything = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
    scene.world.overlapping_box(&everything, &Filter::default(), &mut found);
    assert_eq!(found.len(), scene.world.len());
    scene.world.overlapping_box(&Aabb::EMPTY, &Filter::default(), &mut found);
    assert!(found.is_empty());
    scene.world.overlapping_box(&Aabb { min: Vec3::NAN, max: Vec3::NAN }, &Filter::default(), &mut found);
    assert!(found.is_empty());
}

#[test]
fn nearest_is_brute_force() {
    let mut overlapping = HitRate::new("the nearest overlaps");
    for (nth, options) in all_options().into_iter().enumerate() {
        let mut scene = Scene::new(options, 120, 420 + nth as u64);
        let mut found: Vec<NearBody> = Vec::new();
        for trial in 0..150 {
            scene.change();
            let (pose, (filter, admitted)) = (scene.anywhere(), scene.filter());
            let k = scene.rng.index(8);
            let of_point = scene.rng.chance(0.3);
            let probe = match of_point {
                true => Shape::point().into(),
                false => scene.palette[scene.rng.index(scene.palette.len())].clone(),
            };
            let pose = if of_point { Pose::from_translation(pose.translation()).unwrap() } else { pose };
            match of_point {
                true => scene.world.nearest_to_point(k, pose.translation(), &filter, &mut found),
                false => scene.world.nearest(k, &probe, &pose, &filter, &mut found),
            }
            let near = |(id, body, at, _): &(BodyId, Body, Pose, usize)| NearBody {
                body: *id,
                closest: closest(&probe, &pose, body, at, &mut Cache::default()),
            };
            let mut expected: Vec<NearBody> = scene.admitted(&admitted).map(near).collect();
            expected.sort_by(|a, b| a.closest.distance.total_cmp(&b.closest.distance).then(a.body.cmp(&b.body)));
            expected.truncate(k);
            assert_eq!(found, expected, "{options:?}, trial {trial}");
            if let Some(first) = found.first() {
                overlapping.record(first.closest.distance < 0.0);
            }
        }
    }
    overlapping.assert_between(0.1, 0.9);
}

/// Many threads ask one world at once.
#[test]
fn many_threads_may_ask() {
    let mut scene = Scene::new(WorldOptions::default(), 200, 430);
    scene.world.step();
    let probes: Vec<(Pose, Filter)> = (0..200).map(|_| (scene.anywhere(), scene.filter().0)).collect();
    let ask = |(pose, filter): &(Pose, Filter)| {
        let (probe, mut found, mut near) = (Shape::sphere(1.0).unwrap(), Vec::new(), Vec::new());
        scene.world.overlapping(&probe, pose, filter, &mut found);
        scene.world.nearest(3, &probe, pose, filter, &mut near);
        (found, near)
    };
    let alone: Vec<_> = probes.iter().map(ask).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
    let shared: Vec<_> = pool.install(|| probes.par_iter().map(ask).collect());
    assert!(alone == shared);
}

#[test]
fn nothing_asked_is_nothing_found() {
    let mut scene = Scene::new(WorldOptions::default(), 30, 440);
    let floor = NewBody::fixed(HalfSpace::new(Vec3::Z, -50.0).unwrap(), Pose::IDENTITY);
    let floor = scene.world.add(floor).unwrap();
    for _ in 0..2 {
        let (mut found, mut near) = (Vec::new(), Vec::new());
        let probe = Shape::sphere(100.0).unwrap();
        let (world, pose) = (&scene.world, Pose::IDENTITY);
        world.nearest(0, &probe, &pose, &Filter::default(), &mut near);
        assert!(near.is_empty());
        let none = Filter::groups([]);
        world.nearest(5, &probe, &pose, &none, &mut near);
        world.overlapping(&probe, &pose, &none, &mut found);
        assert!(near.is_empty() && found.is_empty());
        world.overlapping(&probe, &pose, &Filter::default(), &mut found);
        assert_eq!(found.len(), world.len());
        world.nearest_to_point(3, Vec3::NAN, &Filter::default(), &mut near);
        assert!(near.is_empty());
        world.nearest(world.len() + 7, &probe, &pose, &Filter::except(floor), &mut near);
        assert_eq!(near.len(), world.len() - 1);
        // A body without end is near to everything.
        let deep = Vec3::new(1000.0 as Real, 0.0, -49.0);
        world.nearest_to_point(1, deep, &Filter::default(), &mut near);
        assert_eq!(near[0].body, floor);
        scene.world.step();
    }
}
