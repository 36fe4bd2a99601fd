//! The axial BSP of section 5: the same polygons as the tree of boxes for every question, and the same casts to the last bit.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::Aabb;
use clearance::bvh::{AxialBsp, Bvh, NodeBox, SweptBox};
use clearance::ccd::polyhedra::{CastScratch, Rotation, TrajectoryOptions, cast_rotation, cast_translation};
use clearance::math::{narrow, narrow_real, widen};
use clearance_testkit::{HitRate, Rng};
use common::pose_of;
use common::voxels::{body, world};
use glam::DVec3;

const KINDS: usize = 8;

fn random_box(rng: &mut Rng, kind: usize) -> Aabb {
    let grid = |rng: &mut Rng| DVec3::from_array([0; 3].map(|_| rng.integer(-5, 5) as f64));
    let (center, half) = match kind {
        0 => (rng.in_box(DVec3::splat(10.0)), rng.in_box(DVec3::ONE).abs()),
        1 => (rng.in_box(DVec3::splat(10.0)), DVec3::splat(rng.log_uniform(1e-5, 5.0))),
        // All the same.
        2 => (DVec3::splat(3.0), DVec3::ONE),
        // Flat, on a grid: many sides in one plane.
        3 => (grid(rng), rng.pick(&[DVec3::new(0.5, 0.5, 0.0), DVec3::new(0.0, 0.5, 0.5), DVec3::new(0.5, 0.0, 0.5)])),
        4 => (DVec3::new(1e6, 1e6, -1e6) + rng.in_ball(5.0), DVec3::splat(0.3)),
        5 => (DVec3::X * rng.uniform(0.0, 1000.0), DVec3::splat(0.6)),
        // Points, often the same.
        6 => (grid(rng), DVec3::ZERO),
        // One in the other.
        _ => (DVec3::ZERO, DVec3::splat(rng.log_uniform(1e-3, 1e3))),
    };
    Aabb { min: narrow(center - half), max: narrow(center + half) }
}

#[test]
fn it_finds_what_the_tree_finds() {
    let mut rng = Rng::new(601);
    let mut hits = HitRate::new("boxes found");
    for kind in 0..KINDS {
        for count in [0, 1, 2, 5, 40, 700] {
            let boxes: Vec<Aabb> = (0..count).map(|_| random_box(&mut rng, kind)).collect();
            let (tree, axial) = (Bvh::from_boxes(&boxes), AxialBsp::from_boxes(&boxes));
            assert_eq!((axial.len(), axial.is_empty()), (boxes.len(), boxes.is_empty()));
            assert!(axial.height() <= 75, "{}", axial.height());
            for _ in 0..120 {
                let query = NodeBox::enclosing(&random_box(&mut rng, kind));
                let (mut of_tree, mut of_axial) = (Vec::new(), Vec::new());
                tree.overlapping(&query, |i| of_tree.push(i));
                axial.overlapping(&query, |i| of_axial.push(i));
                let exact: Vec<u32> =
                    (0..count as u32).filter(|&i| NodeBox::enclosing(&boxes[i as usize]).overlaps(&query)).collect();
                for one in &boxes {
                    hits.record(NodeBox::enclosing(one).overlaps(&query));
                }
                of_tree.sort_unstable();
                of_axial.sort_unstable();
                assert_eq!(of_axial, exact, "kind {kind}, {count} boxes");
                assert_eq!(of_tree, exact, "kind {kind}, {count} boxes");
            }
        }
    }
    hits.assert_between(0.1, 0.6);
}

/// A box on its way meets the same boxes in both, up to any limit; none that it meets by sampling is missing.
#[test]
fn a_moving_box_meets_the_same() {
    let mut rng = Rng::new(607);
    let (mut hits, mut early) = (HitRate::new("boxes met"), HitRate::new("met before the limit"));
    for kind in 0..KINDS {
        for count in [1, 5, 40, 700] {
            let boxes: Vec<Aabb> = (0..count).map(|_| random_box(&mut rng, kind)).collect();
            let (tree, axial) = (Bvh::from_boxes(&boxes), AxialBsp::from_boxes(&boxes));
            for _ in 0..60 {
                let (from, to) = (random_box(&mut rng, kind), random_box(&mut rng, kind));
                let mut way = widen(to.min) - widen(from.min);
                if rng.chance(0.4) {
                    way[rng.index(3)] = 0.0;
                }
                let sweep = SweptBox::new(widen(from.min), widen(from.max), way);
                let limit = if rng.chance(0.5) { 1.0 } else { rng.uniform(0.0, 1.0) };
                let (mut of_tree, mut of_axial) = (Vec::new(), Vec::new());
                tree.swept(&sweep, limit, |i, _, _| {
                    of_tree.push(i);
                    limit
                });
                axial.swept(&sweep, limit, |i, _, _| {
                    of_axial.push(i);
                    limit
                });
                of_tree.sort_unstable();
                of_axial.sort_unstable();
                assert_eq!(of_tree, of_axial, "kind {kind}, {count} boxes");
                for (i, one) in boxes.iter().enumerate() {
                    let met = of_tree.contains(&(i as u32));
                    hits.record(met);
                    let entry = sweep.node_entry(&NodeBox::enclosing(one));
                    assert_eq!(met, entry <= limit);
                    early.record(entry <= 1.0);
                    for step in 0..=8 {
                        let share = f64::from(step) / 8.0;
                        let [low, high] = [from.min, from.max].map(|p| widen(p) + way * share);
                        let apart = low.cmpgt(widen(one.max)).any() || widen(one.min).cmpgt(high).any();
                        assert!(apart || entry <= share, "kind {kind}: met at {share}, not from {entry}");
                    }
                }
            }
        }
    }
    hits.assert_between(0.1, 0.7);
    early.assert_between(0.1, 0.7);
}

/// A limit that falls while looking: the first box met is the same, and what is left out lies beyond it.
#[test]
fn the_first_box_met_is_the_same() {
    let mut rng = Rng::new(613);
    for kind in [0, 1, 3, 5] {
        let boxes: Vec<Aabb> = (0..2000).map(|_| random_box(&mut rng, kind)).collect();
        let (tree, axial) = (Bvh::from_boxes(&boxes), AxialBsp::from_boxes(&boxes));
        let entry = |sweep: &SweptBox, i: u32| sweep.node_entry(&NodeBox::enclosing(&boxes[i as usize]));
        for _ in 0..200 {
            let from = random_box(&mut rng, kind);
            let sweep = SweptBox::new(widen(from.min), widen(from.max), rng.in_ball(12.0));
            let least = (0..2000).map(|i| entry(&sweep, i)).fold(f64::INFINITY, f64::min);
            let (mut first, mut seen) = ([f64::INFINITY; 2], [0; 2]);
            tree.swept(&sweep, 1.0, |i, bounds, at| {
                assert_eq!(bounds.to_aabb(), NodeBox::enclosing(&boxes[i as usize]).to_aabb());
                assert_eq!(at, entry(&sweep, i));
                seen[0] += 1;
                first[0] = f64::min(first[0], entry(&sweep, i));
                first[0]
            });
            axial.swept(&sweep, 1.0, |i, bounds, at| {
                assert_eq!(bounds.to_aabb(), NodeBox::enclosing(&boxes[i as usize]).to_aabb());
                assert_eq!(at, entry(&sweep, i));
                seen[1] += 1;
                first[1] = f64::min(first[1], entry(&sweep, i));
                first[1]
            });
            assert_eq!(first, [least; 2]);
            assert!(least.is_infinite() || (seen[0] > 0 && seen[1] > 0 && seen[0] < 600), "{seen:?}");
        }
    }
}

#[test]
fn casts_are_the_same_bits() {
    let mut rng = Rng::new(617);
    let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
    let mut hits = HitRate::new("casts that hit");
    for _ in 0..150 {
        let (fixed, pose_w) = (world(&mut rng), pose_of(rng.in_ball(2.0), rng.rotation()));
        let axial = fixed.cast.clone().with_axial_bsp();
        assert!(axial.axial_bsp().is_some_and(|bsp| bsp.len() == axial.face_count()));
        for _ in 0..8 {
            let moving = body(&mut rng).cast;
            let place = common::posed(&pose_w, rng.in_box(DVec3::splat(2.5)) + DVec3::splat(2.0));
            let pose = pose_of(place, rng.rotation());
            let by = narrow(rng.in_ball(6.0));
            let [a, b] = [&fixed.cast, &axial]
                .map(|world| cast_translation(world, &pose_w, &moving, &pose, by, &options, &mut scratch).unwrap());
            assert_eq!((a.fraction, a.hit, a.pose, a.overlap), (b.fraction, b.hit, b.pose, b.overlap));
            if a.overlap.is_some() {
                continue;
            }
            hits.record(a.hit.is_some());
            let [origin, axis] = [place + rng.in_ball(2.0), rng.unit_vector()].map(narrow);
            let rotation = Rotation { origin, axis, angle: narrow_real(rng.uniform(-4.0, 4.0)) };
            let [a, b] = [&fixed.cast, &axial]
                .map(|world| cast_rotation(world, &pose_w, &moving, &pose, rotation, &options, &mut scratch).unwrap());
            assert_eq!((a.fraction, a.hit, a.pose, a.overlap), (b.fraction, b.hit, b.pose, b.overlap));
            // Pieces of an arc are asked for by boxes: the same features are looked at.
            assert_eq!(a.counts.candidates, b.counts.candidates);
            hits.record(a.hit.is_some());
        }
    }
    hits.assert_between(0.2, 0.9);
}
