//! Pairs that have a formula, against the general algorithms on the same pair, against a support function of the same shape, and
//! against a slow search for the nearest points.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use std::sync::Arc;

use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::narrow::PairCache;
use clearance::narrow::closest_by;
use clearance::narrow::gjk::SubAlgorithm;
use clearance::tolerance::{POLISHED_RESIDUAL, sigma};
use clearance::{Cache, Closest, Core, Pose, Shape, Support, Vec3, VertexId, Witness, closest, distance, overlap};
use clearance_testkit::{HitRate, Rng};
use common::{SINGLE, pose_of, posed, u, unposed};
use glam::{DQuat, DVec3};

/// A shape of one family, with sizes between a third of the scale and the scale, or a needle or a plate.
fn shape(family: &str, rng: &mut Rng, scale: f64) -> Shape {
    let mut size = || narrow_real(scale * if rng.chance(0.15) { 1e-3 } else { rng.uniform(0.3, 1.0) });
    let sizes = [size(), size(), size()];
    let sharp = match family {
        "point" => Shape::point(),
        "segment" => Shape::segment(sizes[0]).unwrap(),
        "rectangle" => Shape::rectangle([sizes[0], sizes[1]]).unwrap(),
        "box" => Shape::cuboid(sizes).unwrap(),
        "disc" => Shape::disc(sizes[0]).unwrap(),
        "cylinder" => Shape::cylinder(sizes[0], sizes[1]).unwrap(),
        "cone" => Shape::cone(sizes[0], sizes[1]).unwrap(),
        "ellipsoid" => Shape::ellipsoid(sizes).unwrap(),
        _ => Shape::triangle([0; 3].map(|_| narrow(rng.in_ball(scale)))).unwrap(),
    };
    let radius = narrow_real(scale * rng.uniform(0.1, 0.6));
    if rng.chance(0.6) { sharp.rounded(radius).unwrap() } else { sharp }
}

/// The pairs that have a formula: for all that are apart, and for some.
const ALWAYS: [[&str; 2]; 11] = [
    ["point", "point"],
    ["point", "segment"],
    ["point", "rectangle"],
    ["point", "box"],
    ["segment", "segment"],
    ["segment", "rectangle"],
    ["segment", "box"],
    ["point", "disc"],
    ["point", "cylinder"],
    ["point", "cone"],
    ["point", "triangle"],
];
const SOMETIMES: [[&str; 2]; 3] = [["rectangle", "rectangle"], ["rectangle", "box"], ["box", "box"]];

#[derive(Debug)]
struct Case {
    shapes: [Shape; 2],
    poses: [Pose; 2],
}

impl Case {
    fn size(&self) -> f64 {
        let between = widen(self.poses[1].translation()) - widen(self.poses[0].translation());
        self.shapes.iter().map(|shape| widen_real(shape.bounding_radius())).sum::<f64>() + between.abs().element_sum()
    }

    fn sigma(&self) -> f64 {
        widen_real(sigma(narrow_real(self.size())))
    }

    /// What Newton's method may leave beside the normal: nothing where there are no ellipsoids.
    fn residual(&self, near: &Closest) -> f64 {
        let is_round = self.shapes.iter().any(|shape| matches!(shape.core(), Core::Ellipsoid { .. }));
        if is_round { widen_real(POLISHED_RESIDUAL) * (widen_real(near.distance) + self.margin()).abs() } else { 0.0 }
    }

    fn margin(&self) -> f64 {
        widen_real(self.shapes[0].radius() + self.shapes[1].radius())
    }

    fn closest(&self) -> Closest {
        let [a, b] = &self.shapes;
        closest(a, &self.poses[0], b, &self.poses[1], &mut Cache::default())
    }

    fn swapped(&self) -> Self {
        let ([a, b], [pose_a, pose_b]) = (self.shapes.clone(), self.poses);
        Self { shapes: [b, a], poses: [pose_b, pose_a] }
    }

    /// The same bodies, known by their support functions only.
    fn custom(&self) -> Self {
        let custom = |shape: &Shape| {
            let sharp = Shape::custom(Arc::new(shape.core().clone())).unwrap();
            if shape.radius() > 0.0 { sharp.rounded(shape.radius()).unwrap() } else { sharp }
        };
        Self { shapes: self.shapes.each_ref().map(custom), poses: self.poses }
    }

    /// The second body moved so that the signed distance becomes about `wanted`.
    fn moved_to(mut self, wanted: f64) -> Self {
        let near = self.closest();
        let by = widen(near.normal) * (wanted - widen_real(near.distance));
        let [_, pose_b] = &self.poses;
        let turn = DQuat::from_array(pose_b.rotation().to_array().map(widen_real));
        self.poses[1] = pose_of(widen(pose_b.translation()) + by, turn);
        self
    }

    /// The lowest value of `normal · (b − a)` over the bodies, in f64.
    fn gap_along(&self, normal: Vec3) -> f64 {
        let reach = |i: usize, d: DVec3| {
            let local = to_local(&self.poses[i], d);
            let point = self.shapes[i].core().support(narrow(local), VertexId::NONE).point;
            widen(point).dot(local) + widen_real(self.shapes[i].radius())
        };
        let between = widen(self.poses[1].translation()) - widen(self.poses[0].translation());
        between.dot(widen(normal)) - reach(0, widen(normal)) - reach(1, -widen(normal))
    }
}

/// A direction of the world in the frame of a body.
fn to_local(pose: &Pose, d: DVec3) -> DVec3 {
    let m = pose.matrix();
    DVec3::new(widen(m.x_axis).dot(d), widen(m.y_axis).dot(d), widen(m.z_axis).dot(d))
}

/// The least value of a convex function on an interval, by trisection.
fn least(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (low, high);
    let mut best = f(low).min(f(high));
    for _ in 0..120 {
        let [left, right] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        let [at_left, at_right] = [f(left), f(right)];
        best = best.min(at_left).min(at_right);
        if at_left < at_right { high = right } else { low = left }
    }
    best
}

/// The distance of a point from a core in its own frame: from the nearest of its slices.
fn from_core(core: &Core, q: DVec3) -> f64 {
    let outside = |half: DVec3| (q.abs() - half).max(DVec3::ZERO).length();
    let from_circle = |radius: f64, z: f64| (q.truncate().length() - radius).max(0.0).hypot(q.z - z);
    match core {
        Core::Point => q.length(),
        Core::Segment { half_length } => outside(DVec3::new(widen_real(*half_length), 0.0, 0.0)),
        Core::Rectangle { half_extents: [x, y] } => outside(DVec3::new(widen_real(*x), widen_real(*y), 0.0)),
        Core::Cuboid { half_extents } => outside(widen(*half_extents)),
        Core::Disc { radius } => from_circle(widen_real(*radius), 0.0),
        Core::Cylinder { half_height, radius } => {
            let half = widen_real(*half_height);
            least(-half, half, |z| from_circle(widen_real(*radius), z))
        }
        Core::Ellipsoid { radii } => {
            // To first order, which is all that a point next to the surface needs.
            let radii = widen(*radii);
            let reach = (q / radii).length();
            if reach > 1.0 { (reach - 1.0) * reach / (q / (radii * radii)).length() } else { 0.0 }
        }
        Core::Cone { height, radius } => {
            let (height, radius) = (widen_real(*height), widen_real(*radius));
            least(0.0, 1.0, |share| from_circle(radius * (1.0 - share), height * (share - 0.25)))
        }
        Core::Triangle(corners) => {
            let [a, b, c] = corners.map(widen);
            let from_segment = |p: DVec3, along: DVec3| {
                let share = along.dot(q - p) / along.length_squared().max(f64::MIN_POSITIVE);
                (p + along * share.clamp(0.0, 1.0) - q).length()
            };
            least(0.0, 1.0, |share| from_segment(a + (b - a) * share, (c - b) * share))
        }
        _ => panic!("no slices"),
    }
}

/// The distance of two cores of which one is a point or a segment, by search.
fn truth(case: &Case) -> f64 {
    let rod = usize::from(matches!(case.shapes[1].core(), Core::Point | Core::Segment { .. }));
    let (shape, pose) = (case.shapes[1 - rod].core(), &case.poses[1 - rod]);
    let half = match case.shapes[rod].core() {
        Core::Segment { half_length } => widen_real(*half_length),
        _ => 0.0,
    };
    // The translations are subtracted first: far from the origin their digits are all that the sum would have.
    let between = widen(case.poses[rod].translation()) - widen(pose.translation());
    let axis = widen(case.poses[rod].matrix().x_axis);
    let ends = [-half, half].map(|x| to_local(pose, axis * x + between));
    if half == 0.0 {
        return from_core(shape, ends[0]);
    }
    least(0.0, 1.0, |share| from_core(shape, ends[0] + (ends[1] - ends[0]) * share))
}

fn check_sound(near: &Closest, case: &Case, what: &str) {
    assert!(near.lower <= near.distance && near.distance <= near.upper, "{what}: {near:?}");
    assert!((widen(near.normal).length() - 1.0).abs() <= 16.0 * u(), "{what}: {near:?}");
    let off = widen(near.points[1] - near.points[0] - near.normal * near.distance).length();
    let away = case.poses.iter().map(|pose| widen(pose.translation()).length()).fold(0.0, f64::max);
    assert!(off <= 4.0 * case.sigma() + 8.0 * u() * away, "{what}: points off by {off:e}: {near:?}");
    for (i, point) in near.points.into_iter().enumerate() {
        let (core, radius) = (case.shapes[i].core(), widen_real(case.shapes[i].radius()));
        let outside = from_core(core, unposed(&case.poses[i], widen(point))) - radius;
        let allowed = 40.0 * case.sigma() + 8.0 * u() * away + case.residual(near);
        assert!(outside <= allowed, "{what}: point {i} is {outside:e} outside, {near:?}");
    }
}

/// The answer of the formula against everything else known about the pair.
fn check(case: &Case, what: &str) -> Closest {
    let near = case.closest();
    let (error, [a, b], [pose_a, pose_b]) = (case.sigma(), &case.shapes, &case.poses);
    if near.end != clearance::End::Converged {
        panic!("{what}: {near:?}");
    }
    check_sound(&near, case, what);
    let swapped = case.swapped();
    let custom = case.custom();
    let twins = [
        closest_by(SubAlgorithm::Regions, a, pose_a, b, pose_b, &mut PairCache::default()),
        custom.closest(),
        swapped.closest(),
    ];
    for (i, twin) in twins.iter().enumerate() {
        assert!(near.lower <= twin.upper && twin.lower <= near.upper, "{what}: twin {i} {twin:?} but {near:?}");
    }
    // No point is closer along the normal, on either side of zero.
    let gap = case.gap_along(near.normal);
    assert!(gap >= widen_real(near.distance) - 20.0 * error, "{what}: {gap:e} along the normal of {near:?}");
    let value = distance(a, pose_a, b, pose_b, &mut Cache::default());
    let apart = widen_real(near.distance);
    assert!(value.is_some() || apart <= 40.0 * error, "{what}: no distance but {near:?}");
    assert!(value.is_none() || apart >= -40.0 * error, "{what}: {value:?} but {near:?}");
    assert!(value.is_none_or(|value| value.lower <= near.upper && near.lower <= value.upper), "{what}: {value:?}");
    check_overlap(case, &near, what);
    near
}

fn check_overlap(case: &Case, near: &Closest, what: &str) {
    let (error, [a, b], [pose_a, pose_b]) = (case.sigma(), &case.shapes, &case.poses);
    let hit = overlap(a, pose_a, b, pose_b, &mut Cache::default());
    let wrong = if hit.overlap { widen_real(near.lower) > 4.0 * error } else { widen_real(near.upper) < -4.0 * error };
    assert!(!wrong, "{what}: {hit:?} but {near:?}");
    let away = case.poses.iter().map(|pose| widen(pose.translation()).length()).fold(0.0, f64::max);
    let slack = 4.0 * error + 8.0 * u() * away;
    match hit.witness {
        Witness::Plane { normal, offset_a, offset_b } => {
            assert!(!hit.overlap && offset_b >= offset_a, "{what}: {hit:?}");
            assert!(case.gap_along(normal) >= widen_real(offset_b - offset_a) - slack, "{what}: {hit:?}");
        }
        Witness::Point(point) => {
            for (shape, pose) in case.shapes.iter().zip(&case.poses) {
                let outside = from_core(shape.core(), unposed(pose, widen(point))) - widen_real(shape.radius());
                // The general algorithm, which took supports, combines points of corners far apart.
                let errors = if hit.iterations > 0 { 64.0 } else { 16.0 };
                let wide = outside <= errors * error + slack;
                assert!(hit.overlap && wide, "{what}: {outside:e} outside, {hit:?}");
            }
        }
        other => panic!("{what}: {other:?}"),
    }
}

/// The bounds hold the true distance, where the cores are apart; the search is off by a third of the error.
fn check_truth(case: &Case, near: &Closest, what: &str) {
    let (core, slack) = (truth(case), case.sigma() / 3.0);
    if core > slack {
        let truth = core - case.margin();
        let held = widen_real(near.lower) - slack <= truth && truth <= widen_real(near.upper) + slack;
        assert!(held, "{what}: {truth:e} but {near:?}");
    }
}

fn scales() -> [f64; 3] {
    [1e-6, 1.0, 1e6]
}

/// Runs `draw` for each pair with a formula, both ways round, and checks the cases; how often a formula gave the answer.
fn on_pairs(seed: u64, count: usize, draw: fn(&mut Rng, [Shape; 2], f64) -> Case) -> [HitRate; 2] {
    let mut rng = Rng::new(seed);
    let mut rates = [HitRate::new("by formula"), HitRate::new("boxes by formula")];
    for i in 0..count {
        let pairs = ALWAYS.len() + SOMETIMES.len();
        let index = i % pairs;
        let [first, second] = if index < ALWAYS.len() { ALWAYS[index] } else { SOMETIMES[index - ALWAYS.len()] };
        let scale = scales()[rng.index(3)];
        let mut shapes = [shape(first, &mut rng, scale), shape(second, &mut rng, scale)];
        if rng.chance(0.5) {
            shapes.reverse();
        }
        let case = draw(&mut rng, shapes, scale);
        let what = format!("{first} {second} {i} at {scale:e}");
        let near = check(&case, &what);
        rates[usize::from(index >= ALWAYS.len())].record(near.iterations <= 1);
        if index < ALWAYS.len() {
            check_truth(&case, &near, &what);
        }
    }
    rates
}

/// Random poses with the bodies near each other.
fn anywhere(rng: &mut Rng, shapes: [Shape; 2], scale: f64) -> Case {
    let at = rng.in_ball(scale);
    let reach: f64 = shapes.iter().map(|shape| widen_real(shape.bounding_radius())).sum();
    let offset = rng.in_ball(1.2 * reach);
    Case { shapes, poses: [pose_of(at, rng.rotation()), pose_of(at + offset, rng.rotation())] }
}

#[test]
fn random_poses() {
    let [rods, boxes] = on_pairs(300, 42_000, anywhere);
    rods.assert_between(0.99, 1.0);
    boxes.assert_between(0.15, 0.95);
}

/// A distance swept through zero, by as little as the error of a support, for bodies and for their cores.
#[test]
fn touching() {
    let [rods, boxes] = on_pairs(301, 42_000, |rng, shapes, scale| {
        let case = anywhere(rng, shapes, scale);
        let wanted = case.sigma() * rng.sign() * rng.log_uniform(0.1, 1e6);
        let wanted = if rng.chance(0.3) { wanted - case.margin() } else { wanted };
        case.moved_to(wanted)
    });
    rods.assert_between(0.85, 1.0);
    boxes.assert_between(0.15, 0.95);
}

/// Turned against each other by quarter turns and angles from nothing to rounding, shifted along a few axes only.
#[test]
fn parallel() {
    let [rods, boxes] = on_pairs(302, 42_000, |rng, shapes, scale| {
        let own = if rng.chance(0.5) { DQuat::IDENTITY } else { rng.rotation() };
        let quarter = DQuat::from_axis_angle(rng.pick(&[DVec3::X, DVec3::Y, DVec3::Z]), 0.5 * std::f64::consts::PI);
        let angle = if rng.chance(0.4) { 0.0 } else { rng.log_uniform(1e-17, 1e-2) };
        let tilt = DQuat::from_axis_angle(rng.unit_vector(), angle);
        let turn = own * tilt * if rng.chance(0.5) { quarter } else { DQuat::IDENTITY };
        let steps = DVec3::from_array([0; 3].map(|_| rng.pick(&[0.0, 0.0, 0.25, 1.0, -1.5])));
        Case { shapes, poses: [pose_of(DVec3::ZERO, own), pose_of(own * (steps * scale), turn)] }
    });
    rods.assert_between(0.85, 1.0);
    boxes.assert_between(0.3, 0.95);
}

/// The same place, or a corner or an end of one at the centre of the other.
#[test]
fn coincident() {
    let [rods, boxes] = on_pairs(303, 42_000, |rng, shapes, _| {
        let turns = [rng.rotation(), if rng.chance(0.5) { DQuat::IDENTITY } else { rng.rotation() }];
        let pose = pose_of(DVec3::ZERO, turns[0]);
        let corner = shapes[0].core().support(narrow(rng.unit_vector()), VertexId::NONE).point;
        let at = if rng.chance(0.5) { DVec3::ZERO } else { posed(&pose, widen(corner)) };
        let turn = if rng.chance(0.3) { turns[0] } else { turns[1] };
        Case { shapes, poses: [pose, pose_of(at, turn)] }
    });
    rods.assert_between(0.8, 1.0);
    boxes.assert_between(0.7, 1.0);
}

/// Far from each other, and both far from the origin.
#[test]
fn far_away() {
    let draw = |rng: &mut Rng, shapes: [Shape; 2], scale: f64| {
        let most = if SINGLE { 1e3 } else { 1e9 };
        let mut case = anywhere(rng, shapes, scale);
        let far = rng.unit_vector() * rng.log_uniform(1.0, most) * scale;
        let both = rng.chance(0.5);
        for (i, pose) in case.poses.iter_mut().enumerate() {
            let turn = DQuat::from_array(pose.rotation().to_array().map(widen_real));
            if both || i == 1 {
                *pose = pose_of(widen(pose.translation()) + far, turn);
            }
        }
        case
    };
    let [rods, boxes] = on_pairs(304, 42_000, draw);
    rods.assert_between(0.99, 1.0);
    boxes.assert_between(0.1, 0.95);
}

fn shapes_are_plump(case: &Case, scale: f64) -> bool {
    case.shapes.iter().all(|shape| match shape.core() {
        Core::Ellipsoid { radii: sizes } | Core::Cuboid { half_extents: sizes } => {
            widen(*sizes).min_element() > 0.2 * scale
        }
        _ => true,
    })
}

/// Ellipsoids with each other and with boxes, needles and plates among them, anywhere and next to touching: against the other ways, and no
/// direction is less deep or farther apart than what is stated.
#[test]
fn ellipsoids() {
    let mut rng = Rng::new(305);
    let mut meeting = HitRate::new("meeting");
    let mut by_formula = ["booleans", "distances", "depths of ellipsoids", "depths in boxes"].map(HitRate::new);
    for i in 0..20_000 {
        let scale = scales()[rng.index(3)];
        let other = rng.pick(&["ellipsoid", "box"]);
        let mut shapes = [other, "ellipsoid"].map(|family| shape(family, &mut rng, scale));
        if rng.chance(0.5) {
            shapes.reverse();
        }
        let mut case = anywhere(&mut rng, shapes, scale);
        let is_near = rng.chance(0.4);
        if is_near {
            let wanted = case.sigma() * rng.sign() * rng.log_uniform(0.1, 1e6);
            case = case.moved_to(wanted);
        } else if rng.chance(0.1) {
            case.poses[1] = case.poses[0];
        }
        let what = format!("{other} {i} at {scale:e}");
        let ([a, b], [pose_a, pose_b]) = (&case.shapes, &case.poses);
        // A formula leaves nothing in a cache.
        let (mut cache, fresh) = (PairCache::default(), PairCache::default());
        let near = clearance::narrow::closest(a, pose_a, b, pose_b, &mut cache);
        let is_formula = format!("{cache:?}") == format!("{fresh:?}");
        if is_formula {
            check(&case, &what);
        } else {
            check_overlap(&case, &near, &what);
        }
        for _ in 0..100 {
            let gap = case.gap_along(narrow(rng.unit_vector()));
            assert!(gap <= widen_real(near.upper) + 4.0 * case.sigma(), "{what}: {gap:e} apart but {near:?}");
        }
        let hit = overlap(a, pose_a, b, pose_b, &mut Cache::default());
        meeting.record(hit.overlap);
        // Rounded ones meet where their cores are apart, which takes a distance.
        if !is_near && case.margin() == 0.0 {
            by_formula[0].record(hit.iterations == 0);
            let kind = if !hit.overlap {
                1
            } else if other == "box" {
                3
            } else {
                2
            };
            // Depths of needles and plates are seldom shown by an ellipsoid inside.
            if kind == 1 || shapes_are_plump(&case, scale) {
                by_formula[kind].record(is_formula);
            }
        }
    }
    meeting.assert_between(0.3, 0.7);
    for (rate, least) in by_formula.iter().zip([0.9, 0.8, 0.6, 0.4]) {
        rate.assert_between(least, 1.0);
    }
}

/// Cones, cylinders, boxes and ellipsoids that meet on the line between their centres: told at once, by points of both.
#[test]
fn central() {
    let mut rng = Rng::new(306);
    let mut at_once = HitRate::new("overlaps told at once");
    for i in 0..20_000 {
        let scale = scales()[rng.index(3)];
        let other = rng.pick(&["cone", "cylinder", "box", "ellipsoid"]);
        let mut shapes = [other, rng.pick(&["cone", "cylinder"])].map(|family| shape(family, &mut rng, scale));
        if rng.chance(0.5) {
            shapes.reverse();
        }
        let mut case = anywhere(&mut rng, shapes, scale);
        if rng.chance(0.3) {
            let wanted = case.sigma() * rng.sign() * rng.log_uniform(0.1, 1e6);
            case = case.moved_to(wanted);
        } else if rng.chance(0.1) {
            case.poses[1] = case.poses[0];
        }
        let what = format!("{other} {i} at {scale:e}");
        let near = case.closest();
        check_overlap(&case, &near, &what);
        let ([a, b], [pose_a, pose_b]) = (&case.shapes, &case.poses);
        let hit = overlap(a, pose_a, b, pose_b, &mut Cache::default());
        let apart = distance(a, pose_a, b, pose_b, &mut Cache::default());
        assert!(apart.is_none() || widen_real(near.distance) >= -40.0 * case.sigma(), "{what}: {apart:?} but {near:?}");
        if hit.overlap {
            at_once.record(hit.iterations == 0);
        }
    }
    at_once.assert_between(0.2, 0.95);
}
