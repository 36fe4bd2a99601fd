//! All algorithms agree: GJK with both sub-algorithms, the boolean, portal refinement, closed forms and a dense search over
//! directions that shares no code with the library.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{Relative, narrow_real, widen, widen_real};
use clearance::narrow::gjk::{self, Goal, Start, State, SubAlgorithm};
use clearance::narrow::minkowski::Minkowski;
use clearance::narrow::mpr;
use clearance::tolerance::{COARSE_DEPTH_GAP, RELATIVE_GAP, STALL_SIGMAS, sigma};
use clearance::{Cache, Closest, End, Pose, Shape, VertexId, Witness, closest, overlap};
use clearance_testkit::{HitRate, Rng};
use common::membership::{beyond_cone, from_cone};
use common::{narrowed, pose_of, posed, unposed};
use glam::{DVec2, DVec3};

/// The farthest reach of a body in its own frame along a direction, in f64.
type Reach = Box<dyn Fn(DVec3) -> f64>;

struct Body {
    shape: Shape,
    reach: Reach,
}

fn real<const N: usize>(values: [f64; N]) -> [clearance::Real; N] {
    values.map(narrow_real)
}

/// The five bodies of the thesis's random benchmark.
fn bodies() -> [Body; 5] {
    let mut rng = Rng::new(50);
    let cloud: Vec<_> = narrowed(&(0..50).map(|_| rng.unit_vector()).collect::<Vec<_>>());
    let wide: Vec<DVec3> = cloud.iter().map(|&p| widen(p)).collect();
    let body = |shape: Shape, reach: Reach| Body { shape, reach };
    [
        body(Shape::cuboid(real([1.0; 3])).unwrap(), Box::new(|d| d.abs().element_sum())),
        body(Shape::ellipsoid(real([1.0, 2.0, 1.5])).unwrap(), Box::new(|d| (d * DVec3::new(1.0, 2.0, 1.5)).length())),
        body(Shape::round_box(real([1.0; 3]), 0.5).unwrap(), Box::new(|d| d.abs().element_sum() + 0.5 * d.length())),
        body(
            Shape::polytope(&cloud).unwrap(),
            Box::new(move |d| wide.iter().map(|p| p.dot(d)).fold(f64::MIN, f64::max)),
        ),
        body(Shape::cone(2.0, 1.0).unwrap(), Box::new(|d| (1.5 * d.z).max(d.x.hypot(d.y) - 0.5 * d.z))),
    ]
}

/// Two bodies, and half the side of the cube of offsets in which about half of the pairs meet.
const PAIRS: [(&str, usize, usize, f64); 6] = [
    ("box box", 0, 0, 2.8),
    ("ellipsoid ellipsoid", 1, 1, 3.03),
    ("box ellipsoid", 0, 1, 2.9),
    ("round box round box", 2, 2, 3.88),
    ("polytope polytope", 3, 3, 1.92),
    ("cone cone", 4, 4, 1.83),
];

/// A direction of the world in the frame of a body.
fn turned_back(pose: &Pose, d: DVec3) -> DVec3 {
    let m = pose.matrix();
    DVec3::new(widen(m.x_axis).dot(d), widen(m.y_axis).dot(d), widen(m.z_axis).dot(d))
}

struct Case<'a> {
    a: &'a Body,
    pose_a: Pose,
    b: &'a Body,
    pose_b: Pose,
}

impl Case<'_> {
    fn size(&self) -> f64 {
        let t = widen(self.pose_b.translation() - self.pose_a.translation());
        widen_real(self.a.shape.bounding_radius() + self.b.shape.bounding_radius()) + t.length()
    }

    /// The error of a support value.
    fn error(&self) -> f64 {
        widen_real(sigma(narrow_real(self.size())))
    }

    fn margin(&self) -> f64 {
        widen_real(self.a.shape.radius() + self.b.shape.radius())
    }

    /// How far apart the bodies are along a unit direction: a lower bound on their signed distance.
    fn gap(&self, d: DVec3) -> f64 {
        let between = d.dot(widen(self.pose_b.translation()) - widen(self.pose_a.translation()));
        between - (self.a.reach)(turned_back(&self.pose_a, d)) - (self.b.reach)(turned_back(&self.pose_b, -d))
    }

    fn closest(&self) -> Closest {
        closest(&self.a.shape, &self.pose_a, &self.b.shape, &self.pose_b, &mut Cache::default())
    }

    /// The largest gap of all directions: patches about the best of a few thousand, searched by sections.
    fn signed_distance(&self) -> f64 {
        const COARSE: usize = 2500;
        let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
        let spread = (0..COARSE).map(|i| {
            let z = 1.0 - (2 * i + 1) as f64 / COARSE as f64;
            let (s, c) = (golden * i as f64).sin_cos();
            let rho = (1.0 - z * z).sqrt();
            let d = DVec3::new(rho * c, rho * s, z);
            (self.gap(d), d)
        });
        let mut starts: Vec<(f64, DVec3)> = spread.collect();
        starts.sort_by(|x, y| y.0.total_cmp(&x.0));
        let mut kept: Vec<DVec3> = Vec::new();
        for (_, d) in starts.iter().take(300) {
            if kept.len() < 12 && kept.iter().all(|other| other.dot(*d) < 0.99) {
                kept.push(*d);
            }
        }
        // Roughly from each, then carefully from the best.
        let rough = kept.into_iter().map(|start| self.climb(start, 0.08, 24));
        let mut best = rough.max_by(|x, y| x.0.total_cmp(&y.0)).unwrap();
        for _ in 0..6 {
            let from = best.1;
            best = self.climb(from, 0.05, 48);
            if from.distance(best.1) < 0.04 {
                break;
            }
        }
        best.0
    }

    /// The largest gap in a patch of directions. Over a plane that touches the sphere the gap is a concave function if
    /// positive, and near a peak behaves like one if not, so that one search by sections inside another finds its peak,
    /// along ridges too.
    fn climb(&self, start: DVec3, patch: f64, sections: usize) -> (f64, DVec3) {
        let (x, y) = start.any_orthonormal_pair();
        let best = std::cell::Cell::new((f64::MIN, start));
        peak(patch, sections, &|u| {
            peak(patch, sections, &|v| {
                let d = (start + x * u + y * v).normalize();
                let gap = self.gap(d);
                if gap > best.get().0 {
                    best.set((gap, d));
                }
                gap
            })
        });
        best.get()
    }
}

/// The largest value of a function with one peak in ±`reach`, by golden sections.
fn peak(reach: f64, sections: usize, value: &dyn Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (-reach, reach);
    let mut at = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    let mut values = at.map(value);
    for _ in 0..sections {
        if values[0] >= values[1] {
            high = at[1];
            at = [high - GOLDEN * (high - low), at[0]];
            values = [value(at[0]), values[0]];
        } else {
            low = at[0];
            at = [at[1], low + GOLDEN * (high - low)];
            values = [values[1], value(at[1])];
        }
    }
    values[0].max(values[1])
}

/// What the bounds may differ by: the stated gap of the cores' distance or depth, and rounding.
fn stated_gap(near: &Closest, margin: f64, error: f64) -> f64 {
    let of_cores = widen_real(near.distance) + margin;
    let relative = if of_cores > 0.0 { widen_real(STALL_SIGMAS * RELATIVE_GAP) } else { widen_real(COARSE_DEPTH_GAP) };
    1.01 * relative * of_cores.abs() + 100.0 * error
}

fn check_bounds(near: &Closest, margin: f64, error: f64, what: &str) {
    assert!(near.lower <= near.distance && near.distance <= near.upper, "{what}: {near:?}");
    assert_eq!(near.end, End::Converged, "{what}: {near:?}");
    let gap = widen_real(near.upper) - widen_real(near.lower);
    assert!(gap <= stated_gap(near, margin, error), "{what}: bounds differ by {} errors: {near:?}", gap / error);
    let off = widen(near.points[1] - near.points[0] - near.normal * near.distance).length();
    assert!(off <= stated_gap(near, margin, error) + 200.0 * error, "{what}: points off by {off}: {near:?}");
}

/// Both ways to the nearest point of a simplex; false if Johnson's way was stopped by rounding.
fn check_sub_algorithms(case: &Case, near: &Closest, what: &str) -> bool {
    let radii = [case.a.shape.bounding_radius(), case.b.shape.bounding_radius()];
    let relative = Relative::new(radii, &case.pose_a, &case.pose_b);
    let m = Minkowski::new(case.a.shape.core(), case.b.shape.core(), &relative);
    let flat = case.a.shape.core().is_polyhedral() && case.b.shape.core().is_polyhedral();
    let answers = [SubAlgorithm::Regions, SubAlgorithm::Johnson].map(|sub_algorithm| {
        let goal = Goal {
            boolean: false,
            margin: narrow_real(case.margin()),
            sigma: narrow_real(case.error()),
            relative_gap: if flat { 0.0 } else { RELATIVE_GAP },
            sub_algorithm,
        };
        let start = Start { direction: m.translation, hints: [VertexId::NONE; 2] };
        let gjk = gjk::run(&m, &start, &[], &goal);
        let distance = if gjk.state == State::Apart { widen_real(gjk.upper()) } else { 0.0 };
        (distance, gjk.end)
    });
    let tolerance = stated_gap(near, case.margin(), case.error()) + 16.0 * case.error();
    // A bare run may be stopped by rounding just before touching, where `closest` goes on with faces.
    assert!(answers[0].1 == End::Converged || answers[0].0 < 1e-3, "{what}: {answers:?}");
    // Stopped by rounding, Johnson's way says so, and what it has is an upper bound all the same.
    let converged = answers[1].1 == End::Converged;
    let off = answers[1].0 - answers[0].0;
    assert!(off >= -tolerance && (off <= tolerance || !converged), "{what}: sub-algorithms {answers:?}");
    converged
}

/// The boolean of each algorithm, and the witnesses; true if they meet.
fn check_booleans(case: &Case, near: &Closest, what: &str) -> bool {
    let hit = overlap(&case.a.shape, &case.pose_a, &case.b.shape, &case.pose_b, &mut Cache::default());
    let mpr = mpr::overlap(&case.a.shape, &case.pose_a, &case.b.shape, &case.pose_b);
    let error = case.error();
    assert_eq!((hit.end, mpr.end), (End::Converged, End::Converged), "{what}: {hit:?} {mpr:?}");
    let touching = widen_real(near.lower) <= 4.0 * error && widen_real(near.upper) >= -4.0 * error;
    for answer in [hit, mpr] {
        assert!(touching || answer.overlap == (near.distance < 0.0), "{what}: {answer:?} but {near:?}");
        match answer.witness {
            Witness::Plane { normal, offset_a, offset_b } => {
                assert!(!answer.overlap && offset_b > offset_a, "{what}: {answer:?}");
                let gap = case.gap(widen(normal).normalize());
                assert!((gap - widen_real(offset_b - offset_a)).abs() <= 8.0 * error, "{what}: {gap} {answer:?}");
            }
            Witness::Point(p) => {
                assert!(answer.overlap, "{what}: {answer:?}");
                // Inside either body along every direction tried.
                for d in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE.normalize(), widen(near.normal)] {
                    for (body, pose) in [(case.a, &case.pose_a), (case.b, &case.pose_b)] {
                        let (at, local) = (unposed(pose, widen(p)), turned_back(pose, d));
                        let outside = (local.dot(at) - (body.reach)(local)).max(-local.dot(at) - (body.reach)(-local));
                        assert!(outside <= 16.0 * error, "{what}: outside by {outside}: {answer:?}");
                    }
                }
            }
            other => panic!("{what}: {other:?}"),
        }
    }
    hit.overlap
}

fn check_portal_depth(case: &Case, near: &Closest, what: &str) {
    let deep = mpr::depth(&case.a.shape, &case.pose_a, &case.b.shape, &case.pose_b);
    assert_eq!(deep.end, End::Converged, "{what}: {deep:?}");
    assert!(deep.lower <= deep.distance && deep.distance <= deep.upper, "{what}: {deep:?}");
    // An estimate from above of the depth: from below of the signed distance.
    let error = case.error();
    assert!(deep.distance <= near.upper, "{what}: {deep:?} {near:?}");
    assert!(deep.lower <= near.upper && deep.upper >= near.lower, "{what}: {deep:?} {near:?}");
    let gap = case.gap(widen(deep.normal).normalize());
    assert!(
        gap >= widen_real(deep.lower) - error && gap <= widen_real(deep.distance) + 8.0 * error,
        "{what}: {gap} {deep:?}"
    );
}

#[test]
fn the_six_pairs_of_the_thesis() {
    let bodies = bodies();
    for (name, a, b, half) in PAIRS {
        let mut rng = Rng::new(6);
        let mut hits = HitRate::new("pairs that meet");
        let mut johnson = HitRate::new("Johnson runs that converge");
        let (mut portal_depth, mut deep) = (0.0, 0);
        for i in 0..20_000 {
            let pose_a = pose_of(rng.in_box(DVec3::splat(4.0)), rng.rotation());
            let offset = rng.in_box(DVec3::splat(half));
            let pose_b = pose_of(widen(pose_a.translation()) + offset, rng.rotation());
            let case = Case { a: &bodies[a], pose_a, b: &bodies[b], pose_b };
            let what = format!("{name} {i}");
            let near = case.closest();
            check_bounds(&near, case.margin(), case.error(), &what);
            if hits.record(check_booleans(&case, &near, &what)) {
                check_portal_depth(&case, &near, &what);
                let estimate = mpr::depth(&case.a.shape, &case.pose_a, &case.b.shape, &case.pose_b);
                if near.distance < -0.01 {
                    portal_depth += widen_real(estimate.distance / near.distance) - 1.0;
                    deep += 1;
                }
            }
            johnson.record(check_sub_algorithms(&case, &near, &what));
        }
        println!(
            "{name}: {} of {} meet; portal depth {:+.2} %",
            hits.hits(),
            hits.trials(),
            100.0 * portal_depth / f64::from(deep)
        );
        hits.assert_between(0.4, 0.6);
        // Johnson's cofactors lose their signs on thin simplices, which curved bodies lead to: 94 % converge for cones.
        johnson.assert_between(0.9, 1.0);
    }
}

#[test]
fn the_six_pairs_against_a_search_over_directions() {
    let bodies = bodies();
    for (name, a, b, half) in PAIRS {
        let mut rng = Rng::new(66);
        let mut hits = HitRate::new("pairs that meet");
        for i in 0..150 {
            let pose_a = pose_of(rng.in_box(DVec3::splat(4.0)), rng.rotation());
            let pose_b = pose_of(widen(pose_a.translation()) + rng.in_box(DVec3::splat(half)), rng.rotation());
            let case = Case { a: &bodies[a], pose_a, b: &bodies[b], pose_b };
            let near = case.closest();
            let truth = case.signed_distance();
            hits.record(truth < 0.0);
            // The search finds a lower bound, near the truth by its last patch.
            assert!(truth <= widen_real(near.upper) + 1e-14, "{name} {i}: {near:?} but {truth}");
            assert!(truth >= widen_real(near.lower) - 1e-7, "{name} {i}: {near:?} but {truth}");
        }
        hits.assert_between(0.3, 0.7);
    }
}

/// A pair with a closed form: shapes, and the signed distance for the pose of B in the frame of A.
struct Closed {
    name: &'static str,
    a: Shape,
    b: Shape,
    truth: fn(&Pose, &Pose) -> f64,
    turned: bool,
}

/// The origin of B in the frame of A.
fn center(pose_a: &Pose, pose_b: &Pose) -> DVec3 {
    unposed(pose_a, widen(pose_b.translation()))
}

fn signed_box(p: DVec3, half: DVec3) -> f64 {
    let q = p.abs() - half;
    q.max(DVec3::ZERO).length() + q.max_element().min(0.0)
}

fn signed_cylinder(p: DVec3, half: f64, radius: f64) -> f64 {
    let q = DVec2::new(p.x.hypot(p.y) - radius, p.z.abs() - half);
    q.max(DVec2::ZERO).length() + q.max_element().min(0.0)
}

fn signed_cone(p: DVec3, height: f64, radius: f64) -> f64 {
    let inside = beyond_cone(p, height, radius);
    if inside <= 0.0 { inside } else { from_cone(p, height, radius) }
}

/// The normal at the nearest surface point is proportional to the way there: x = r²p/(r² + t), with t from bisection.
fn signed_ellipsoid(p: DVec3, radii: DVec3) -> f64 {
    let square = radii * radii;
    let level = |t: f64| (radii * p / (square + DVec3::splat(t))).length_squared() - 1.0;
    let (mut low, mut high) = (-square.min_element(), radii.max_element() * p.length() + 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if level(middle) > 0.0 { low = middle } else { high = middle }
    }
    let nearest = square * p / (square + DVec3::splat(0.5 * (low + high)));
    (p - nearest).length() * level(0.0).signum()
}

fn segments(p: [DVec3; 2], q: [DVec3; 2]) -> f64 {
    let (u, v, w) = (p[1] - p[0], q[1] - q[0], p[0] - q[0]);
    let from = |x: DVec3, s: [DVec3; 2]| common::membership::from_segment(x, s[0], s[1]);
    let ends = from(p[0], q).min(from(p[1], q)).min(from(q[0], p)).min(from(q[1], p));
    let (a, b, c, d, e) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let det = a * c - b * b;
    let (s, t) = ((b * e - c * d) / det, (a * e - b * d) / det);
    let crossing = det > 0.0 && (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    if crossing { ends.min((w + u * s - v * t).length()) } else { ends }
}

/// Bodies turned any way.
fn turned_forms() -> Vec<Closed> {
    let sphere = || Shape::sphere(0.75).unwrap();
    let closed = |name, a, b, truth| Closed { name, a, b, truth, turned: true };
    vec![
        closed("sphere sphere", Shape::sphere(1.25).unwrap(), sphere(), |a, b| center(a, b).length() - 2.0),
        closed("box sphere", Shape::cuboid([1.0, 0.5, 2.0]).unwrap(), sphere(), |a, b| {
            signed_box(center(a, b), DVec3::new(1.0, 0.5, 2.0)) - 0.75
        }),
        closed("box point", Shape::cuboid([1.0, 0.5, 2.0]).unwrap(), Shape::point(), |a, b| {
            signed_box(center(a, b), DVec3::new(1.0, 0.5, 2.0))
        }),
        closed("capsule capsule", Shape::capsule(1.5, 0.5).unwrap(), Shape::capsule(0.75, 0.25).unwrap(), |a, b| {
            let ends = |pose: &Pose, x: f64| [-x, x].map(|x| posed(pose, DVec3::X * x) - widen(a.translation()));
            segments(ends(a, 1.5), ends(b, 0.75)) - 0.75
        }),
        closed("cone sphere", Shape::cone(2.0, 1.0).unwrap(), sphere(), |a, b| {
            signed_cone(center(a, b), 2.0, 1.0) - 0.75
        }),
        closed("cylinder sphere", Shape::cylinder(1.5, 1.0).unwrap(), sphere(), |a, b| {
            signed_cylinder(center(a, b), 1.5, 1.0) - 0.75
        }),
        closed("cylinder point", Shape::cylinder(1.5, 1.0).unwrap(), Shape::point(), |a, b| {
            signed_cylinder(center(a, b), 1.5, 1.0)
        }),
        closed("ellipsoid point", Shape::ellipsoid([1.0, 2.0, 1.5]).unwrap(), Shape::point(), |a, b| {
            signed_ellipsoid(center(a, b), DVec3::new(1.0, 2.0, 1.5))
        }),
        closed(
            "ellipsoid sphere",
            Shape::ellipsoid([1.0, 2.0, 1.5]).unwrap(),
            Shape::sphere(0.125).unwrap(),
            |a, b| signed_ellipsoid(center(a, b), DVec3::new(1.0, 2.0, 1.5)) - 0.125,
        ),
    ]
}

/// Bodies with parallel axes, whose difference is a body of the same kind.
fn parallel_forms() -> Vec<Closed> {
    let closed = |name, a, b, truth| Closed { name, a, b, truth, turned: false };
    vec![
        closed(
            "parallel cylinders",
            Shape::cylinder(1.5, 1.0).unwrap(),
            Shape::cylinder(0.25, 0.5).unwrap(),
            |a, b| signed_cylinder(center(a, b), 1.75, 1.5),
        ),
        closed("parallel boxes", Shape::cuboid([1.0, 0.5, 2.0]).unwrap(), Shape::cuboid([0.5; 3]).unwrap(), |a, b| {
            signed_box(center(a, b), DVec3::new(1.5, 1.0, 2.5))
        }),
        closed(
            "parallel ellipsoids",
            Shape::ellipsoid([0.5, 1.0, 0.75]).unwrap(),
            Shape::ellipsoid([0.5, 1.0, 0.75]).unwrap(),
            |a, b| signed_ellipsoid(center(a, b), DVec3::new(1.0, 2.0, 1.5)),
        ),
        closed("disc over cylinder", Shape::disc(1.0).unwrap(), Shape::cylinder(0.5, 0.25).unwrap(), |a, b| {
            signed_cylinder(center(a, b), 0.5, 1.25)
        }),
    ]
}

#[test]
fn closed_forms_agree() {
    for Closed { name, a, b, truth, turned } in turned_forms().into_iter().chain(parallel_forms()) {
        let mut rng = Rng::new(13);
        let mut hits = HitRate::new("pairs that meet");
        let reach = widen_real(a.bounding_radius() + b.bounding_radius());
        for i in 0..3000 {
            let pose_a =
                pose_of(rng.in_box(DVec3::splat(2.0)), if turned { rng.rotation() } else { glam::DQuat::IDENTITY });
            let offset = rng.unit_vector() * rng.uniform(0.02, 1.3) * reach;
            let turn = if turned { rng.rotation() } else { glam::DQuat::IDENTITY };
            let pose_b = pose_of(widen(pose_a.translation()) + offset, turn);
            let truth = truth(&pose_a, &pose_b);
            let error = widen_real(sigma(narrow_real(reach + offset.length())));
            let near = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
            let what = format!("{name} {i}");
            check_bounds(&near, widen_real(a.radius() + b.radius()), error, &what);
            // The closed forms are iterated in f64 and have a rounding of their own.
            let within = widen_real(near.lower) <= truth + 1e-12 && truth <= widen_real(near.upper) + 1e-12;
            assert!(within, "{what}: {near:?} does not bound {truth}");
            let hit = overlap(&a, &pose_a, &b, &pose_b, &mut Cache::default()).overlap;
            let mpr = mpr::overlap(&a, &pose_a, &b, &pose_b).overlap;
            for hit in [hit, mpr] {
                assert!(hit == (truth <= 0.0) || truth.abs() <= 4.0 * error, "{what}: overlap {hit} but {truth}");
            }
            hits.record(hit);
        }
        hits.assert_between(0.25, 0.85);
    }
}
