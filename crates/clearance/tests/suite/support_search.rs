//! The promise: every way of searching a polytope reaches the exact support value to within a few roundings of its size,
//! whatever the cloud, the direction, its length and the start.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common;
use clearance::math::{narrow, narrow_real, widen};
use clearance::{Polytope, Real, Support, Vec3, VertexId};
use clearance_testkit::support::support_value;
use clearance_testkit::{Cloud, Dyadic, Exact3, HitRate, Rng};
use common::{SINGLE, exact_dot, length_of, narrowed, radius_of, random_direction, u, widened};
use glam::DVec3;

/// A product of three terms is off by at most 3 u of the lengths' product, and a comparison has two of them: 6, and 2 for
/// the edges of a climb.
const ROUNDINGS: f64 = 8.0;

/// Every way of searching by name, from starts that are random, near and absent.
fn every_way(polytope: &Polytope, direction: Vec3, rng: &mut Rng) -> Vec<(&'static str, u32)> {
    let search = polytope.search();
    let count = polytope.vertices().len();
    let start = rng.index(count) as u32;
    let near = search.scan_plain(direction + narrow(rng.in_ball(0.1)) * direction.abs().max_element());
    let support = |hint: VertexId| {
        let found = polytope.support(direction, hint);
        assert_eq!(found.point, polytope.vertices()[found.vertex.index()]);
        found.vertex.0
    };
    vec![
        ("scan", search.scan(direction).vertex),
        ("plain scan", search.scan_plain(direction)),
        ("climb from anywhere", search.climb(direction, start).vertex),
        ("climb from a hint", search.climb(direction, near).vertex),
        ("climb from a start that does not exist", search.climb(direction, count as u32 + 7).vertex),
        ("climb from the table", search.climb_from_table(direction).vertex),
        ("descent", search.descend(direction).vertex),
        ("default, cold", support(VertexId::NONE)),
        ("default, with a hint", support(VertexId(start))),
    ]
}

/// Random directions, the axes, normals of faces as stored and a few roundings off, and tiny and huge ones.
fn directions(polytope: &Polytope, rng: &mut Rng, count: usize) -> Vec<Vec3> {
    let (tiny, huge) = if SINGLE { (1.0e-25, 1.0e25) } else { (1.0e-250, 1.0e250) };
    let mut all = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z].to_vec();
    for _ in 0..count {
        let normal = polytope.plane(rng.index(polytope.face_count()) as u32).normal;
        let tilted = widen(normal) + rng.in_ball(8.0 * u());
        all.extend([random_direction(rng), normal, narrow(tilted)]);
        all.extend([narrow_real(tiny), narrow_real(huge)].map(|length| random_direction(rng) * length));
    }
    all
}

/// By how many tolerances a vertex misses the exact support value.
fn miss(points: &[DVec3], radius: f64, vertex: Vec3, direction: Vec3) -> f64 {
    let best = support_value(points, widen(direction));
    (best - exact_dot(vertex, direction)) / (ROUNDINGS * u() * radius * length_of(direction))
}

fn assert_reached(polytope: &Polytope, points: &[DVec3], direction: Vec3, label: &str, rng: &mut Rng) {
    let radius = radius_of(points);
    for (way, vertex) in every_way(polytope, direction, rng) {
        let miss = miss(points, radius, polytope.vertices()[vertex as usize], direction);
        assert!(miss <= 1.0, "{label}, {way}, along {direction}: {miss} times the tolerance");
    }
}

#[test]
fn every_way_reaches_the_support_of_every_family() {
    let mut rng = Rng::new(501);
    let mut large = HitRate::new("polytopes beyond the limit of scanning");
    for family in Cloud::ALL.into_iter().filter(|family| family.is_fat()) {
        for n in [4, 8, 50, 97, 300, 2000] {
            let points = widened(&narrowed(&family.generate(&mut rng, n)));
            let polytope = Polytope::from_points(&narrowed(&points)).unwrap();
            large.record(polytope.vertices().len() > 96);
            let plain = polytope.clone();
            let polytope = polytope.with_all_searches().unwrap();
            let label = format!("{} {n}", family.name());
            for direction in directions(&polytope, &mut rng, 8) {
                assert_reached(&polytope, &points, direction, &label, &mut rng);
                let cold = plain.support(direction, VertexId::NONE);
                let miss = miss(&points, radius_of(&points), cold.point, direction);
                assert!(miss <= 1.0, "{label}, as built: {miss} times the tolerance");
                assert_eq!(cold, plain.support(direction, VertexId::NONE), "{label}: not the same twice");
            }
        }
    }
    // Of the 17 families, four keep all points as corners; the others few.
    large.assert_between(0.15, 0.6);
}

#[test]
fn every_way_reaches_the_support_of_twenty_thousand_points() {
    let mut rng = Rng::new(502);
    let points = widened(&narrowed(&Cloud::Ellipsoid.generate(&mut rng, 20_000)));
    let polytope = Polytope::from_points(&narrowed(&points)).unwrap().with_all_searches().unwrap();
    for direction in directions(&polytope, &mut rng, 60) {
        assert_reached(&polytope, &points, direction, "20,000", &mut rng);
    }
}

#[test]
fn directions_normal_to_large_faces_find_them_whole() {
    let mut rng = Rng::new(503);
    // A prism with caps of 400 corners: all of them are farthest along z.
    let points = widened(&narrowed(&Cloud::Prism.generate(&mut rng, 800)));
    let polytope = Polytope::from_points(&narrowed(&points)).unwrap().with_all_searches().unwrap();
    let top = points.iter().map(|p| p.z).fold(f64::NEG_INFINITY, f64::max);
    for direction in [Vec3::Z, -Vec3::Z] {
        for (way, vertex) in every_way(&polytope, direction, &mut rng) {
            let found = widen(polytope.vertices()[vertex as usize] * direction.z).z;
            assert_eq!(found, top, "{way}");
        }
    }
}

/// The sum of a parabola's arc `(i, c·i²)` for `|i| ≤ n` and a long segment along z. Coordinates are exact. Along directions
/// near `(0, −1, 1)` the product is the height plus terms of which each step changes less than the height's rounding.
struct FineArc {
    polytope: Polytope,
    n: i64,
    curvature: f64,
    radius: f64,
}

impl FineArc {
    fn new() -> Self {
        // Squares of n must fit the mantissa. A step gains at most 2 n c, which is u · height; all together n / 2 times that.
        let (n, height) = if SINGLE { (4096, 16_384.0) } else { (8192, 65_536.0) };
        let curvature = u() * height / (2.0 * n as f64);
        let point = |i: i64, z: f64| narrow(DVec3::new(i as f64, curvature * (i * i) as f64, z));
        let points: Vec<Vec3> = (-n..=n).flat_map(|i| [point(i, -height), point(i, height)]).collect();
        let polytope = Polytope::from_points(&points).unwrap().with_all_searches().unwrap();
        assert_eq!(polytope.vertices(), points);
        Self { polytope, n, curvature, radius: radius_of(&widened(&points)) }
    }

    /// A direction in which the vertex `k` of the arc is farthest.
    fn toward(&self, k: i64) -> Vec3 {
        narrow(DVec3::new(2.0 * self.curvature * k as f64, -1.0, 1.0))
    }
}

#[test]
fn a_chain_of_gains_below_rounding_is_climbed_to_the_end() {
    let mut rng = Rng::new(504);
    let arc = FineArc::new();
    let points = widened(arc.polytope.vertices());
    let count = points.len() as u32;
    let value = |vertex: u32, d: Vec3| Exact3::from(points[vertex as usize]).dot(&widen(d).into());
    for round in 0..40 {
        let k = if round % 8 == 0 { arc.n / 2 } else { rng.integer(-arc.n, arc.n) };
        let direction = arc.toward(k);
        // From the far side: the products of start and goal differ by far more than the tolerance, those of two neighbours
        // by less than they are rounded.
        let start = if k > 0 { rng.index(100) as u32 } else { count - 1 - rng.index(100) as u32 };
        let found = arc.polytope.search().climb(direction, start).vertex;
        let start_miss = miss(&points, arc.radius, arc.polytope.vertices()[start as usize], direction);
        assert!(start_miss > 20.0, "the start is no challenge: {start_miss}");
        let miss = miss(&points, arc.radius, arc.polytope.vertices()[found as usize], direction);
        assert!(miss <= 1.0, "stopped {miss} tolerances short");
        // Gains are computed from edges, so that nothing at all is lost: the direction's own terms are exact here.
        let best: Dyadic = (0..count).map(|v| value(v, direction)).max().unwrap();
        assert!(value(found, direction) == best, "not the farthest vertex");
    }
}

#[test]
fn every_way_reaches_the_support_of_a_finely_divided_body() {
    let mut rng = Rng::new(505);
    let arc = FineArc::new();
    let points = widened(arc.polytope.vertices());
    for round in 0..40 {
        let k = rng.integer(-arc.n, arc.n);
        let bend = if round % 2 == 0 { DVec3::ZERO } else { rng.in_ball(4.0 * u()) };
        let direction = narrow(widen(arc.toward(k)) + bend);
        assert_reached(&arc.polytope, &points, direction, "fine arc", &mut rng);
    }
}

/// A cap of a paraboloid so shallow that its height is a few hundred roundings of its place: `z = H − c (x² + y²)`, exact.
#[test]
fn every_way_reaches_the_support_of_a_shallow_lens() {
    let mut rng = Rng::new(506);
    let n = 40_i64;
    for place in [1.0, 1024.0] {
        let step = 2.0 * u() * place; // one last place of the height
        let point = |x: i64, y: i64| {
            let z = place - step * (x * x + y * y) as f64;
            DVec3::new(x as f64 * place / 64.0, y as f64 * place / 64.0, z)
        };
        let cap = (-n..=n).flat_map(|x| (-n..=n).map(move |y| point(x, y)));
        let below = [DVec3::ZERO; 1];
        let points: Vec<DVec3> = cap.chain(below).collect();
        assert_eq!(widened(&narrowed(&points)), points);
        let polytope = Polytope::from_points(&narrowed(&points)).unwrap().with_all_searches().unwrap();
        assert!(polytope.vertices().len() > 6000);
        for _ in 0..100 {
            // The normals of the cap's facets: slopes of up to 2 n c over a step of place / 64.
            let slope = 128.0 * step / place * rng.uniform(0.0, n as f64);
            let turn = rng.uniform(0.0, std::f64::consts::TAU);
            let direction = narrow(DVec3::new(slope * turn.cos(), slope * turn.sin(), 1.0));
            assert_reached(&polytope, &points, direction, "lens", &mut rng);
        }
    }
}

#[test]
fn directions_that_are_not_numbers_end_at_some_vertex() {
    let mut rng = Rng::new(507);
    for n in [8, 97, 500] {
        let points = narrowed(&Cloud::Sphere.generate(&mut rng, n));
        let polytope = Polytope::from_points(&points).unwrap().with_all_searches().unwrap();
        for bad in [Vec3::ZERO, Vec3::splat(Real::NAN), Vec3::INFINITY, Vec3::new(0.0, Real::NEG_INFINITY, 1.0)] {
            for (way, vertex) in every_way(&polytope, bad, &mut rng) {
                assert!((vertex as usize) < polytope.vertices().len(), "{way}");
            }
        }
    }
}
