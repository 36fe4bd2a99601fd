//! The tree of boxes: its invariants under every change, and every traversal against a linear scan.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use std::collections::BTreeMap;

use clearance::bvh::{Bvh, MAX_PAYLOAD, NodeBox, NodeId, height_limit};
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::{Aabb, Real, Vec3};
use clearance_testkit::{HitRate, Rng};
use glam::DVec3;

fn random_box(rng: &mut Rng, kind: usize) -> Aabb {
    let (center, half) = match kind {
        0 => (rng.in_box(DVec3::splat(10.0)), rng.in_box(DVec3::ONE).abs()),
        1 => (rng.in_box(DVec3::splat(10.0)), DVec3::splat(rng.log_uniform(1e-5, 5.0))),
        2 => (DVec3::splat(3.0), DVec3::ONE),
        3 => (DVec3::from_array([0; 3].map(|_| rng.integer(-5, 5) as f64)), DVec3::new(0.5, 0.5, 0.0)),
        4 => (DVec3::new(1e6, 1e6, -1e6) + rng.in_ball(5.0), DVec3::splat(0.3)),
        _ => (DVec3::X * rng.uniform(0.0, 1000.0), DVec3::splat(0.6)),
    };
    Aabb { min: narrow(center - half), max: narrow(center + half) }
}

const KINDS: usize = 6;

/// Every node contains its children, every leaf is found by its payload, and the tree is no taller than promised.
fn assert_sound(tree: &Bvh, leaves: &BTreeMap<u32, NodeBox>) {
    assert_eq!(tree.len(), leaves.len());
    assert_eq!(tree.is_empty(), leaves.is_empty());
    if leaves.is_empty() {
        return assert_eq!(tree.payload(NodeId(0)), None);
    }
    assert!(tree.height() <= height_limit(leaves.len()), "{} for {}", tree.height(), leaves.len());
    let (mut stack, mut seen, mut tallest) = (vec![(NodeId(0), 0)], BTreeMap::new(), 0);
    while let Some((id, depth)) = stack.pop() {
        let bounds = tree.node_bounds(id).unwrap();
        tallest = tallest.max(depth);
        match tree.children(id) {
            Some(children) => {
                assert_eq!(tree.payload(id), None);
                for child in children {
                    assert!((child.0 as usize) < tree.node_capacity());
                    assert!(bounds.contains(tree.node_bounds(child).unwrap()));
                    stack.push((child, depth + 1));
                }
            }
            None => {
                let payload = tree.payload(id).unwrap();
                assert_eq!(bounds.to_aabb(), leaves[&payload].to_aabb());
                assert_eq!(tree.leaf_bounds(payload).unwrap().to_aabb(), bounds.to_aabb());
                assert!(seen.insert(payload, ()).is_none(), "{payload} twice");
            }
        }
    }
    assert_eq!(seen.len(), leaves.len());
    assert_eq!(tallest, tree.height());
}

#[test]
fn boxes_are_rounded_outwards() {
    let mut rng = Rng::new(70);
    for _ in 0..20_000 {
        let [a, b] = [0, 1].map(|_| DVec3::from_array([0; 3].map(|_| rng.sign() * rng.log_uniform(1e-44, 1e38))));
        let exact = Aabb { min: narrow(a.min(b)), max: narrow(a.max(b)) };
        let bounds = NodeBox::enclosing(&exact);
        for axis in 0..3 {
            assert!(bounds.min()[axis] as Real <= exact.min[axis] && exact.max[axis] <= bounds.max()[axis] as Real);
            let slack =
                4.0 * f64::from(f32::EPSILON) * widen(exact.min)[axis].abs() + f64::from(f32::MIN_POSITIVE) * 4.0;
            assert!(f64::from(bounds.min()[axis]) >= widen(exact.min)[axis] - slack);
        }
        assert!(bounds.half_area().is_finite());
    }
    let all = NodeBox::enclosing(&Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY });
    assert!(all.contains(&NodeBox::enclosing(&Aabb { min: Vec3::MIN, max: Vec3::MAX })));
    assert!(all.half_area().is_finite());
    let corner = NodeBox::enclosing(&Aabb { min: Vec3::splat(Real::MAX), max: Vec3::INFINITY });
    assert!(corner.half_area().is_finite() && all.contains(&corner));
}

#[test]
fn changes_keep_the_tree_sound() {
    let mut rng = Rng::new(71);
    for kind in 0..KINDS {
        let (mut tree, mut leaves) = (Bvh::new(), BTreeMap::new());
        for round in 0..1200 {
            let payload = rng.index(300) as u32;
            let bounds = NodeBox::enclosing(&random_box(&mut rng, kind));
            let there = leaves.contains_key(&payload);
            let changed = match rng.index(if round < 400 { 4 } else { 6 }) {
                0..3 => {
                    assert_eq!(tree.insert(payload, &bounds), !there);
                    !there
                }
                3 => tree.relocate(payload, &bounds),
                4 => {
                    assert_eq!(tree.remove(payload), leaves.remove(&payload).is_some());
                    false
                }
                _ => {
                    let changed = tree.set_leaf_bounds(payload, &bounds);
                    tree.refit();
                    changed
                }
            };
            if changed {
                leaves.insert(payload, bounds);
            }
            assert_eq!(tree.contains(payload), leaves.contains_key(&payload));
            if round % 40 == 0 {
                assert_sound(&tree, &leaves);
            }
            if round % 300 == 299 {
                tree.rebuild();
                assert_sound(&tree, &leaves);
            }
        }
        for payload in 0..300 {
            assert_eq!(tree.remove(payload), leaves.remove(&payload).is_some());
        }
        assert_sound(&tree, &leaves);
    }
}

/// Sorted, identical and nested boxes, the usual enemies of insertion, stay within the height that traversals rely on.
#[test]
fn no_order_of_insertion_makes_a_tall_tree() {
    let at = |x: f64, half: f64| {
        let (center, half) = (Vec3::X * narrow_real(x), Vec3::splat(narrow_real(half)));
        NodeBox::enclosing(&Aabb { min: center - half, max: center + half })
    };
    let orders: [&dyn Fn(u32) -> NodeBox; 5] = [
        &|i| at(f64::from(i), 0.4),
        &|_| at(1.0, 1.0),
        &|i| at(0.0, f64::from(i)),
        &|i| at(0.0, 1.5f64.powi((i % 200) as i32 - 100)),
        &|i| at(1.01f64.powi(i as i32), 1.01f64.powi(i as i32)),
    ];
    for order in orders {
        let (mut tree, mut leaves) = (Bvh::new(), BTreeMap::new());
        for i in 0..3000 {
            let bounds = order(i);
            assert!(tree.insert(i, &bounds));
            leaves.insert(i, bounds);
            assert!(tree.height() <= height_limit(leaves.len()));
        }
        assert_sound(&tree, &leaves);
        assert!(tree.build(leaves.iter().map(|(&payload, &bounds)| (payload, bounds))));
        assert_sound(&tree, &leaves);
    }
}

#[test]
fn payloads_that_cannot_be_are_refused() {
    let bounds = NodeBox::enclosing(&Aabb { min: Vec3::ZERO, max: Vec3::ONE });
    let mut tree = Bvh::new();
    assert!(!tree.insert(MAX_PAYLOAD + 1, &bounds) && tree.is_empty());
    assert!(tree.insert(5, &bounds) && !tree.insert(5, &bounds) && tree.len() == 1);
    assert!(
        !tree.remove(4) && !tree.remove(u32::MAX) && !tree.relocate(4, &bounds) && !tree.set_leaf_bounds(4, &bounds)
    );
    assert!(!tree.build([(1, bounds), (2, bounds), (1, bounds)]) && tree.is_empty());
    assert!(!tree.build([(1, bounds), (u32::MAX, bounds)]) && tree.is_empty());
    assert!(tree.build([]) && tree.is_empty());
    assert!(tree.node_bounds(NodeId(77)).is_none() && tree.children(NodeId(77)).is_none());
}

/// A tree that was built, one that was inserted and one that was moved about, with the same leaves.
fn trees(rng: &mut Rng, kind: usize, count: u32) -> (Vec<NodeBox>, [Bvh; 3]) {
    let boxes: Vec<Aabb> = (0..count).map(|_| random_box(rng, kind)).collect();
    let bounds: Vec<NodeBox> = boxes.iter().map(NodeBox::enclosing).collect();
    let built = Bvh::from_boxes(&boxes);
    let (mut inserted, mut moved) = (Bvh::new(), Bvh::new());
    for i in 0..count {
        assert!(inserted.insert(i, &bounds[i as usize]));
        assert!(moved.insert(i, &NodeBox::enclosing(&random_box(rng, 0))));
    }
    for i in 0..count {
        if i % 2 == 0 {
            assert!(moved.relocate(i, &bounds[i as usize]));
        } else {
            assert!(moved.set_leaf_bounds(i, &bounds[i as usize]));
        }
        moved.refit();
    }
    (bounds, [built, inserted, moved])
}

#[test]
fn overlaps_are_those_of_a_linear_scan() {
    let mut rng = Rng::new(72);
    let (mut hits, mut self_hits) = (HitRate::new("boxes met"), HitRate::new("pairs within"));
    for kind in 0..KINDS {
        for count in [0, 1, 2, 3, 130] {
            let (bounds, all) = trees(&mut rng, kind, count);
            let mut pairs = Vec::new();
            for a in 0..bounds.len() {
                let met = |b: &usize| self_hits.record(bounds[a].overlaps(&bounds[*b]));
                pairs.extend((a + 1..bounds.len()).filter(met).map(|b| [a as u32, b as u32]));
            }
            for tree in &all {
                for _ in 0..20 {
                    let query = NodeBox::enclosing(&random_box(&mut rng, if kind == 2 { 0 } else { kind }).grown(1.5));
                    let mut found = Vec::new();
                    tree.overlapping(&query, |payload| found.push(payload));
                    found.sort_unstable();
                    let met = |&i: &u32| hits.record(bounds[i as usize].overlaps(&query));
                    assert_eq!(found, (0..count).filter(met).collect::<Vec<_>>());
                }
                let mut found = Vec::new();
                tree.self_pairs(|a, b| found.push([a.min(b), a.max(b)]));
                found.sort_unstable();
                assert_eq!(found, pairs);
            }
        }
    }
    hits.assert_between(0.01, 0.5);
    self_hits.assert_between(0.05, 0.5);
}

#[test]
fn pairs_across_two_trees_are_all_pairs() {
    let mut rng = Rng::new(73);
    let mut hits = HitRate::new("pairs across");
    for kind in 0..KINDS {
        for (m, n) in [(0, 5), (1, 1), (1, 40), (60, 90)] {
            let (a, trees_a) = trees(&mut rng, kind, m);
            let (b, trees_b) = trees(&mut rng, kind, n);
            let all = (0..m).flat_map(|i| (0..n).map(move |j| [i, j]));
            let expected: Vec<_> = all.filter(|[i, j]| hits.record(a[*i as usize].overlaps(&b[*j as usize]))).collect();
            for (tree_a, tree_b) in trees_a.iter().zip(&trees_b) {
                let mut found = Vec::new();
                tree_a.pairs_with(tree_b, |_, x, _, y| x.overlaps(y), |i, j| found.push([i, j]));
                found.sort_unstable();
                assert_eq!(found, expected);
            }
        }
    }
    hits.assert_between(0.05, 0.5);
}

/// The distance between a point or a box and a box, squared.
fn gap(a: &NodeBox, b: &NodeBox) -> Real {
    let (a, b) = (a.to_aabb(), b.to_aabb());
    (a.min - b.max).max(b.min - a.max).max(Vec3::ZERO).length_squared()
}

#[test]
fn the_nearest_is_the_nearest_and_few_are_looked_at() {
    let mut rng = Rng::new(74);
    let (mut looked, mut looked_pairs) = (HitRate::new("leaves looked at"), HitRate::new("pairs looked at"));
    for kind in [0, 1, 3, 4, 5] {
        let (bounds, all) = trees(&mut rng, kind, 300);
        let (others, other_trees) = trees(&mut rng, 0, 200);
        for (tree, other) in all.iter().zip(&other_trees) {
            for _ in 0..20 {
                let query = NodeBox::enclosing(&random_box(&mut rng, kind));
                let mut visited = vec![false; bounds.len()];
                let nearest = tree.nearest(
                    Real::INFINITY,
                    |_, node| gap(node, &query),
                    |i, bound| {
                        assert!(!std::mem::replace(&mut visited[i as usize], true), "{i} twice");
                        bound.min(gap(&bounds[i as usize], &query))
                    },
                );
                for &visited in &visited {
                    looked.record(visited);
                }
                assert_eq!(nearest, bounds.iter().map(|b| gap(b, &query)).fold(Real::INFINITY, Real::min));
                // Nothing is nearer than the nearest.
                assert_eq!(tree.nearest(nearest, |_, node| gap(node, &query), |_, _| panic!("looked")), nearest);
            }
            let mut visits = 0;
            let nearest = tree.nearest_pair(
                other,
                Real::INFINITY,
                |_, x, _, y| gap(x, y),
                |i, j, bound| {
                    visits += 1;
                    bound.min(gap(&bounds[i as usize], &others[j as usize]))
                },
            );
            for i in 0..bounds.len() * others.len() {
                looked_pairs.record(i < visits);
            }
            let expected = bounds.iter().flat_map(|a| others.iter().map(|b| gap(a, b)));
            assert_eq!(nearest, expected.fold(Real::INFINITY, Real::min));
        }
    }
    looked.assert_between(0.001, 0.1);
    looked_pairs.assert_between(1e-6, 0.02);
    assert_eq!(Bvh::new().nearest(7.0, |_, _| 0.0, |_, _| 0.0), 7.0);
}

#[test]
fn lines_meet_the_leaves_of_a_linear_scan() {
    let mut rng = Rng::new(75);
    let mut hits = HitRate::new("leaves on a line");
    for kind in [0, 1, 3, 4, 5] {
        let (bounds, all) = trees(&mut rng, kind, 200);
        for trial in 0..60 {
            let [from, to] = [0, 1].map(|_| random_box(&mut rng, kind).center());
            let mut direction = to - from;
            if trial % 3 == 0 {
                // Along an axis, and along the sides of boxes.
                let axis = rng.index(3);
                direction = Vec3::ZERO;
                direction[axis] = 1.0;
            }
            let limit = if trial % 2 == 0 { 1.0 } else { Real::INFINITY };
            let entries: Vec<_> = bounds.iter().map(|b| b.entry(from, direction, limit)).collect();
            for (bounds, entry) in bounds.iter().zip(&entries) {
                hits.record(entry.is_some());
                // A point of the line in the box, by sampling in f64, is proof.
                let (min, max) = (bounds.min().map(f64::from), bounds.max().map(f64::from));
                let inside = (0..=64).map(|i| Real::from(i as u8) / 64.0).filter(|&t| t <= limit).find(|&t| {
                    let point = widen(from) + widen(direction) * widen_real(t);
                    (0..3).all(|axis| min[axis] <= point[axis] && point[axis] <= max[axis])
                });
                assert!(inside.is_none_or(|t| entry.is_some_and(|entry| entry <= t)), "{bounds:?} {from} {direction}");
            }
            for tree in &all {
                let mut found = Vec::new();
                assert_eq!(
                    tree.along(from, direction, limit, |i, bound| {
                        found.push(i);
                        bound
                    }),
                    limit
                );
                found.sort_unstable();
                let expected: Vec<u32> = (0..200).filter(|&i| entries[i as usize].is_some()).collect();
                assert_eq!(found, expected);
                let first = tree.along(from, direction, limit, |i, bound| entries[i as usize].unwrap().min(bound));
                assert_eq!(first, entries.iter().flatten().copied().fold(limit, Real::min));
            }
        }
    }
    hits.assert_between(0.01, 0.5);
}

/// The same calls give the same tree and the same order of answers.
#[test]
fn the_same_calls_give_the_same_answers() {
    let order = || {
        let (_, trees) = trees(&mut Rng::new(76), 0, 200);
        trees.map(|tree| {
            let mut order = Vec::new();
            tree.self_pairs(|a, b| order.push([a, b]));
            order
        })
    };
    assert_eq!(order(), order());
}
