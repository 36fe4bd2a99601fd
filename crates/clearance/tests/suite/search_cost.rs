//! The promise: the hierarchy obeys Lemma 9 of Q_COLLIDE and is logarithmic, a hint makes a search short, and a polytope
//! holds no more memory than it says.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common;
use clearance::math::{narrow, widen};
use clearance::polytope::Hierarchy;
use clearance::study::hill_climbing::Marks;
use clearance::{Polytope, Vec3};
use clearance_testkit::{Cloud, HitRate, Rng};
use common::{SINGLE, exact_dot, narrowed, radius_of, random_direction, u, widened};
use glam::DQuat;

fn sphere(n: usize, seed: u64) -> Polytope {
    let points = narrowed(&Cloud::Sphere.generate(&mut Rng::new(seed), n));
    Polytope::from_points(&points).unwrap().with_all_searches().unwrap()
}

/// Checks the lemma level by level; returns in how many steps the farthest vertex changed, and the number of steps.
fn check_lemma(polytope: &Polytope, hierarchy: &Hierarchy, direction: Vec3, label: &str) -> (usize, usize) {
    let value = |v: u32| exact_dot(polytope.vertices()[v as usize], direction);
    // The oracle by level compares products of differences, each right to 4 u of a distance below twice the radius.
    let tolerance = 8.0 * u() * radius_of(&widened(polytope.vertices())) * widen(direction).length();
    let best = hierarchy.farthest_by_level(direction);
    assert_eq!(best.len(), hierarchy.height(), "{label}");
    for (step, pair) in best.windows(2).enumerate() {
        let candidates = &hierarchy.candidates_by_level(pair[0])[step];
        let reached = candidates.iter().map(|&v| value(v)).fold(value(pair[0]), f64::max);
        assert!((reached - value(pair[1])).abs() <= tolerance, "{label}: Lemma 9 fails at step {step}");
    }
    (best.windows(2).filter(|pair| pair[0] != pair[1]).count(), best.len() - 1)
}

#[test]
fn the_farthest_vertex_of_a_level_is_that_of_the_level_above_or_a_removed_neighbour() {
    let mut rng = Rng::new(601);
    let mut changes = HitRate::new("levels at which the farthest vertex changes");
    for family in [Cloud::Sphere, Cloud::Ball, Cloud::Ellipsoid, Cloud::CubeSurface, Cloud::Antiprism, Cloud::Needle] {
        for n in [4, 5, 12, 60, 300, 1500] {
            let points = narrowed(&family.generate(&mut rng, n));
            let polytope = Polytope::from_points(&points).unwrap().with_all_searches().unwrap();
            let hierarchy = polytope.search().hierarchy().unwrap();
            for _ in 0..20 {
                let direction = random_direction(&mut rng);
                let label = format!("{} {n}", family.name());
                let (changed, steps) = check_lemma(&polytope, hierarchy, direction, &label);
                for i in 0..steps {
                    changes.record(i < changed);
                }
            }
        }
    }
    changes.assert_between(0.1, 0.9);
}

#[test]
fn candidates_are_removed_neighbours_and_each_vertex_is_removed_once() {
    let polytope = sphere(500, 602);
    let hierarchy = polytope.search().hierarchy().unwrap();
    let mut removed_at = vec![None; polytope.vertices().len()];
    for v in 0..polytope.vertices().len() as u32 {
        for (level, removed) in hierarchy.candidates_by_level(v).into_iter().enumerate() {
            for w in removed {
                let before = removed_at[w as usize].replace(level);
                assert!(before.is_none_or(|other| other == level), "vertex {w} goes at two levels");
            }
        }
    }
    // All but the simplex on top.
    assert_eq!(removed_at.iter().filter(|level| level.is_none()).count(), 4);
}

#[test]
fn the_hierarchy_is_logarithmic_in_height() {
    for n in [4, 5, 6, 10, 100, 1000, 10_000] {
        let polytope = sphere(n, 603);
        let (height, bound) = (polytope.search().hierarchy().unwrap().height(), 4.0 * (n as f64).log2());
        assert!(height as f64 <= bound, "{height} levels for {n} vertices");
    }
    // Caps of many corners: their fans start with one vertex of very large degree.
    let mut rng = Rng::new(604);
    let points = narrowed(&Cloud::Prism.generate(&mut rng, 10_000));
    let polytope = Polytope::from_points(&points).unwrap().with_all_searches().unwrap();
    let n = polytope.vertices().len() as f64;
    assert!(polytope.search().hierarchy().unwrap().height() as f64 <= 4.0 * n.log2());
}

/// Mean number of vertices looked at.
fn mean_visited(polytope: &Polytope, rng: &mut Rng, search: impl Fn(&Polytope, Vec3, &mut Rng) -> usize) -> f64 {
    let rounds = 2000;
    let total: usize = (0..rounds)
        .map(|_| {
            let direction = random_direction(rng);
            search(polytope, direction, rng)
        })
        .sum();
    total as f64 / f64::from(rounds)
}

#[test]
fn a_descent_at_100000_vertices_visits_at_most_three_times_as_many_as_at_1000() {
    let mut rng = Rng::new(605);
    let descent = |p: &Polytope, d: Vec3, _: &mut Rng| p.search().descend(d).visited;
    let small = mean_visited(&sphere(1000, 606), &mut rng, descent);
    let large = sphere(100_000, 607);
    assert!(large.vertices().len() > 99_900);
    let height = large.search().hierarchy().unwrap().height();
    assert!(height as f64 <= 4.0 * 100_000f64.log2(), "{height}");
    let large = mean_visited(&large, &mut rng, descent);
    println!("visited by descent: {small:.1} of 1,000, {large:.1} of 100,000; {height} levels");
    assert!(small > 4.0 && large <= 3.0 * small, "{small} and {large}");
}

#[test]
fn a_hint_ten_degrees_old_takes_fewer_than_forty_visits() {
    let mut rng = Rng::new(608);
    let polytope = sphere(1000, 609);
    let mut moved = HitRate::new("searches that leave their hint");
    let mut visits = Vec::new();
    for _ in 0..2000 {
        let old = rng.unit_vector();
        let axis = old.cross(rng.unit_vector()).normalize();
        let direction = narrow(DQuat::from_axis_angle(axis, 10f64.to_radians()) * old);
        let hint = polytope.search().scan_plain(narrow(old));
        let found = polytope.search().climb(direction, hint);
        moved.record(found.vertex != hint);
        visits.push(found.visited as f64);
    }
    moved.assert_between(0.9, 1.0);
    let mean = visits.iter().sum::<f64>() / visits.len() as f64;
    println!("visited from a hint 10 degrees old: {mean:.1}");
    assert!(mean < 40.0, "{mean}");
}

#[test]
fn memory_per_vertex_is_bounded() {
    for (n, seed) in [(1000, 610), (10_000, 611), (100_000, 612)] {
        let polytope = sphere(n, seed);
        let per_vertex = |bytes: usize| bytes as f64 / polytope.vertices().len() as f64;
        let whole = per_vertex(polytope.memory_bytes());
        let plain = Polytope::from_points(polytope.vertices()).unwrap();
        let default = per_vertex(plain.memory_bytes());
        // What a caller keeps for support alone: of the default polytope, not of one with every search built.
        let support = per_vertex(plain.to_support_only().memory_bytes());
        println!(
            "{n}: {whole:.0} bytes per vertex with all searches, {default:.0} by default, {support:.0} for support"
        );
        let full_support = per_vertex(polytope.to_support_only().memory_bytes());
        assert!(full_support < 100.0, "{full_support}");
        let (most, least) = if SINGLE { (450.0, 150.0) } else { (600.0, 200.0) };
        assert!(whole < most && whole > least, "{whole}");
        assert!(default <= whole && support < 100.0 && support >= 3.0 * size_of::<clearance::Real>() as f64);
        let kept = plain.to_support_only();
        let direction = Vec3::new(0.3, -0.5, 0.8);
        assert_eq!(kept.points()[kept.climb_from_table(direction).vertex as usize].to_array().len(), 3);
        assert_eq!(kept.climb_from_table(direction), plain.search().climb_from_table(direction));
    }
}

/// Climbs with marks end at a farthest vertex and never look at more vertices than climbs without; after one step and more, at fewer.
#[test]
fn marks_save_looks_and_change_nothing() {
    let mut rng = Rng::new(33);
    let mut marks = Marks::default();
    let mut saved = HitRate::new("climbs with fewer looks");
    for n in [4, 20, 100, 500, 3000] {
        let polytope = sphere(n, n as u64);
        for _ in 0..300 {
            let (direction, start) = (random_direction(&mut rng), rng.index(n) as u32);
            let plain = polytope.search().climb(direction, start);
            let marked = polytope.search().climb_marked(direction, start, &mut marks);
            let value = |v: u32| exact_dot(polytope.vertices()[v as usize], direction);
            let tolerance = 8.0 * u() * radius_of(&widened(polytope.vertices()));
            assert!((value(plain.vertex) - value(marked.vertex)).abs() <= tolerance, "{n}: {plain:?} {marked:?}");
            assert!(
                marked.visited <= plain.visited && marked.visited <= polytope.vertices().len(),
                "{plain:?} {marked:?}"
            );
            saved.record(marked.visited < plain.visited);
        }
    }
    saved.assert_between(0.8, 1.0);
}
