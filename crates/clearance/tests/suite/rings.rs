//! Bodies of revolution with one axis, with parallel axes, and nearly so: where the depth is the same, or nearly, all around. Judged by the
//! largest support value over the angles of one plane.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{narrow_real, widen, widen_real};
use clearance::narrow::gjk::SubAlgorithm;
use clearance::narrow::{PairCache, closest_by};
use clearance::tolerance::{RELATIVE_DEPTH_GAP, RELATIVE_GAP, sigma};
use clearance::{Cache, Closest, End, Pose, Shape, closest};
use clearance_testkit::{HitRate, Rng};
use common::{SINGLE, held, pose_of};
use glam::{DQuat, DVec3};

/// A body of revolution: circles (radius, height) whose hull it is, or an ellipse; and a rounding radius.
struct Turned {
    shape: Shape,
    axis: DVec3,
    rims: Vec<[f64; 2]>,
    ellipse: Option<[f64; 2]>,
    radius: f64,
}

impl Turned {
    fn new(shape: Shape, axis: DVec3, rims: &[[f64; 2]], radius: f64) -> Self {
        Self { shape, axis, rims: rims.to_vec(), ellipse: None, radius }
    }

    fn random(rng: &mut Rng) -> Self {
        let mut size = || held(rng.log_uniform(0.3, 3.0));
        let [r, s, h] = [size(), size(), size()];
        let [of_r, of_s, of_h] = [r, s, h].map(narrow_real);
        let (x, z) = (DVec3::X, DVec3::Z);
        match rng.index(10) {
            0 => Self::new(Shape::cone(of_h, of_r).unwrap(), z, &[[0.0, 0.75 * h], [r, -0.25 * h]], 0.0),
            1 => Self::new(Shape::cylinder(of_h, of_r).unwrap(), z, &[[r, h], [r, -h]], 0.0),
            2 => Self::new(Shape::disc(of_r).unwrap(), z, &[[r, 0.0]], 0.0),
            3 => Self::new(Shape::wheel(of_r, of_s).unwrap(), z, &[[r, 0.0]], s),
            4 => Self::new(Shape::capsule(of_h, of_r).unwrap(), x, &[[0.0, h], [0.0, -h]], r),
            5 => Self::new(Shape::sphere(of_r).unwrap(), z, &[[0.0, 0.0]], r),
            6 => {
                let shape = Shape::tapered_cylinder(of_r, of_s, of_h).unwrap();
                let ends = [-z, z].map(|d| widen_real(shape.extent(clearance::math::narrow(d))[1]));
                Self::new(shape, z, &[[r, -ends[0]], [s, ends[1]]], 0.0)
            }
            7 => {
                let cylinder = Shape::cylinder(of_h, of_r).unwrap().rounded(of_s).unwrap();
                Self::new(cylinder, z, &[[r, h], [r, -h]], s)
            }
            8 => {
                let shape = Shape::ellipsoid([of_r, of_r, of_h]).unwrap();
                Self { ellipse: Some([r, h]), ..Self::new(shape, z, &[], 0.0) }
            }
            _ => {
                let shape = Shape::ellipsoid([of_h, of_r, of_r]).unwrap();
                Self { ellipse: Some([r, h]), ..Self::new(shape, x, &[], 0.0) }
            }
        }
    }

    /// The support value along a direction with these parts across and along the axis.
    fn reach(&self, across: f64, along: f64) -> f64 {
        let rounded = self.radius * across.hypot(along);
        let of_rims = self.rims.iter().map(|[r, z]| r * across.abs() + z * along);
        match self.ellipse {
            Some([r, h]) => (r * across).hypot(h * along),
            None => of_rims.fold(f64::NEG_INFINITY, f64::max) + rounded,
        }
    }

    /// The turn of the body's frame that brings its axis to z or to −z.
    fn upright(&self, up: f64) -> DQuat {
        DQuat::from_rotation_arc(self.axis, DVec3::Z * up)
    }
}

/// The signed distance of two such bodies with their axes along z (that of B up or down), B's origin at (ρ, z): the largest value of
/// `d·t − reach of A along d − reach of B against d`.
fn truth(a: &Turned, b: &Turned, up: f64, at: [f64; 2]) -> f64 {
    let value = |angle: f64| {
        let (z, r) = angle.sin_cos();
        r * at[0] + z * at[1] - a.reach(r, z) - b.reach(r, -z * up)
    };
    let steps = 2000;
    let turn = std::f64::consts::PI / f64::from(steps);
    let angle = |i: i32| -std::f64::consts::FRAC_PI_2 + turn * f64::from(i);
    let best = (0..=steps).max_by(|&i, &j| value(angle(i)).total_cmp(&value(angle(j)))).unwrap();
    let (mut low, mut high) = (angle(best - 1), angle(best + 1));
    for _ in 0..120 {
        let (p, q) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if value(p) < value(q) { low = p } else { high = q }
    }
    value(0.5 * (low + high)).max(value(angle(best)))
}

struct Case {
    a: Turned,
    b: Turned,
    poses: [Pose; 2],
    truth: f64,
    /// Across both axes and the line between them; zero where they are one.
    sideways: DVec3,
    between: f64,
    error: f64,
}

/// Two random bodies, the axis of B turned by `tilt` and then all of it anyhow.
fn case(rng: &mut Rng, tilt: f64) -> Case {
    let (a, b) = (Turned::random(rng), Turned::random(rng));
    let up = rng.sign();
    let reach = widen_real(a.shape.bounding_radius() + b.shape.bounding_radius());
    let rho = match rng.index(4) {
        0 => 0.0,
        1 => reach * rng.log_uniform(1e-12, 1e-2),
        _ => rng.uniform(0.0, 0.5 * reach),
    };
    let z = if rng.chance(0.3) { 0.0 } else { rng.uniform(-0.5, 0.5) * reach };
    let around = DQuat::from_rotation_z(rng.uniform(0.0, 6.0));
    let t = around * DVec3::new(rho, 0.0, z);
    let all = if rng.chance(0.5) { DQuat::IDENTITY } else { rng.rotation() };
    let turned = DQuat::from_axis_angle((around * DVec3::new(rng.uniform(-1.0, 1.0), 1.0, 0.0)).normalize(), tilt);
    let poses = [pose_of(DVec3::ZERO, all * a.upright(1.0)), pose_of(all * t, all * turned * b.upright(up))];
    let sideways = if rho > 0.0 { all * around * DVec3::Y } else { DVec3::ZERO };
    let error = widen_real(sigma(narrow_real(reach + t.abs().element_sum())));
    Case { truth: truth(&a, &b, up, [rho, z]), a, b, poses, sideways, between: rho, error }
}

impl Case {
    fn asked(&self) -> Closest {
        closest(&self.a.shape, &self.poses[0], &self.b.shape, &self.poses[1], &mut Cache::default())
    }

    /// The depth if it may be the same in all directions of the plane, where certifying it takes more supports than are spent.
    fn rounded_depth(&self) -> f64 {
        let is_round = |turned: &Turned| turned.ellipse.is_some() || turned.rims.iter().all(|[r, _]| *r == 0.0);
        if is_round(&self.a) || is_round(&self.b) { self.truth.abs() } else { 0.0 }
    }

    fn what(&self, near: &Closest) -> String {
        format!("truly {} {:?} {:?} {:?}: {near:?}", self.truth, self.a.shape, self.b.shape, self.poses)
    }

    /// The bounds hold for a truth known to within `slack`.
    fn judge(&self, near: &Closest, slack: f64) {
        let [lower, upper, distance] = [near.lower, near.upper, near.distance].map(widen_real);
        let what = || self.what(near);
        assert!(lower <= self.truth + slack && self.truth <= upper + slack, "{}", what());
        assert!(lower <= distance && distance <= upper, "{}", what());
    }
}

#[test]
fn parallel_axes_are_exact() {
    let mut rng = Rng::new(1101);
    let [mut deep, mut coaxial] = ["deep", "one axis"].map(HitRate::new);
    for _ in 0..4000 {
        let case = case(&mut rng, 0.0);
        let near = case.asked();
        let what = || case.what(&near);
        case.judge(&near, 4.0 * case.error);
        assert_eq!(near.end, End::Converged, "{}", what());
        deep.record(near.distance < 0.0);
        coaxial.record(case.between == 0.0);
        if near.distance >= 0.0 {
            continue;
        }
        // Depths are known to rounding, and certified to what the expanding polytope aims at where it can.
        let off = (widen_real(near.distance) - case.truth).abs();
        // Rounded bodies whose cores are apart have a distance with a sign, known to its relative gap.
        let core = widen_real(near.distance + case.a.shape.radius() + case.b.shape.radius()).max(0.0);
        let most = 8.0 * case.error + 2.0 * widen_real(RELATIVE_GAP) * core;
        assert!(off <= most, "off by {} errors: {}", off / case.error, what());
        let gap = widen_real(RELATIVE_DEPTH_GAP) * case.truth.abs();
        let width = widen_real(near.upper - near.lower);
        assert!(
            width <= 16.0 * case.error + gap + 16.0 * widen_real(RELATIVE_GAP) * core + 1e-3 * case.rounded_depth(),
            "{}",
            what()
        );
        // The normal is in the plane of the axes.
        let aside = widen(near.normal).dot(case.sideways).abs();
        let most = 64.0 * case.error + if core > 0.0 { widen_real(RELATIVE_GAP).sqrt() * core } else { 0.0 };
        assert!(aside * case.between <= most, "aside by {aside}: {}", what());
    }
    deep.assert_between(0.3, 0.95);
    coaxial.assert_between(0.1, 0.4);
}

/// Axes that are parallel but for a small angle: the truth is known to within how far that moves a point.
#[test]
fn nearly_parallel_axes_are_no_worse() {
    let mut rng = Rng::new(1102);
    let [mut deep, mut converged, mut better] = ["deep", "converged", "bounds closer than in space"].map(HitRate::new);
    for _ in 0..2500 {
        let tilt = rng.log_uniform(if SINGLE { 1e-7 } else { 1e-13 }, 1e-3);
        let case = case(&mut rng, tilt);
        let near = case.asked();
        let moved = 1.1 * tilt * widen_real(case.b.shape.bounding_radius());
        case.judge(&near, 4.0 * case.error + moved);
        deep.record(near.distance < 0.0);
        if near.distance >= 0.0 {
            continue;
        }
        converged.record(near.end == End::Converged);
        let [a, b] = [&case.a.shape, &case.b.shape];
        let cold = &mut PairCache::default();
        let in_space = closest_by(SubAlgorithm::Regions, a, &case.poses[0], b, &case.poses[1], cold);
        // Either depth separates the bodies, so that the lesser one is the better one.
        let slack = widen_real(RELATIVE_DEPTH_GAP) * case.truth.abs() + 16.0 * case.error;
        let what = || format!("tilt {tilt}: {} but {in_space:?}", case.what(&near));
        assert!(widen_real(near.distance) >= widen_real(in_space.distance) - slack - 0.5 * moved, "{}", what());
        let [width, in_space] = [&near, &in_space].map(|near| widen_real(near.upper - near.lower));
        assert!(width <= in_space.max(slack), "{}", case.what(&near));
        better.record(width <= in_space);
    }
    deep.assert_between(0.3, 0.95);
    // Those that do not are nearly as round as balls, with more than 4e-4 between their axes, and say so.
    converged.assert_between(0.995, 1.0);
    better.assert_between(0.6, 1.0);
}

/// Cones of radius 5 and height 10 in each other: the depth is the height of the base above the opposite mantle, 20/√5.
#[test]
fn coincident_cones_and_what_is_beside_them() {
    let cone = Shape::cone(10.0, 5.0).unwrap();
    let cylinder = Shape::cylinder(5.0, 5.0).unwrap();
    let depth = |a: &Shape, b: &Shape, at: [f64; 3]| {
        let pose = pose_of(DVec3::from_array(at), DQuat::IDENTITY);
        let near = closest(a, &Pose::IDENTITY, b, &pose, &mut Cache::default());
        assert_eq!(near.end, End::Converged);
        (widen_real(near.distance), widen_real(near.upper - near.lower), widen(near.normal))
    };
    let tight = if SINGLE { 1e-4 } else { 1e-12 };
    let (distance, width, _) = depth(&cone, &cone, [0.0; 3]);
    assert!((distance + 20.0 / 5f64.sqrt()).abs() < tight && width < 4.0 * tight, "{distance} {width}");
    // A cylinder as high as the cone, around it: over the mantle and down by the same.
    let (distance, width, _) = depth(&cone, &cylinder, [0.0, 0.0, 2.5]);
    assert!(width < 4.0 * tight && distance < -8.9, "{distance} {width}");
    let (distance, _, normal) = depth(&cylinder, &cylinder, [9.9, 0.0, 0.0]);
    assert!((distance + 0.1).abs() < tight && (normal - DVec3::X).length() < tight, "{distance} {normal}");
}
