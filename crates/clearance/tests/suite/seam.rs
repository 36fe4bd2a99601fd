//! The seam: one signed distance from apart through touching into overlap, at many scales.
//!
//! B is moved along the normal of its nearest approach to A. Until they touch, the distance is exactly what is left to go. As a
//! function of the way the true signed distance is convex and never changes faster than B moves; and it falls on through zero
//! if the way leads into A, as it does where a surface is smooth or faces meet. Off a sharp corner it may lead past A.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::tolerance::{COARSE_DEPTH_GAP, RELATIVE_GAP, STALL_SIGMAS, sigma};
use clearance::{Cache, Closest, Pose, Real, Shape, Vec3, closest};
use clearance_testkit::Rng;
use common::{SINGLE, pose_of};
use glam::{DQuat, DVec3};

fn shapes(scale: f64) -> Vec<(&'static str, Shape)> {
    let at = |x: f64| narrow_real(x * scale);
    let mut rng = Rng::new(70);
    let cloud: Vec<Vec3> = (0..30).map(|_| narrow(rng.unit_vector() * scale)).collect();
    let corners = [[0.2, -0.5, 0.9], [1.1, 0.3, -0.2], [-0.8, 0.7, 0.1]].map(|p| narrow(DVec3::from(p) * scale));
    vec![
        ("point", Shape::point()),
        ("segment", Shape::segment(at(0.8)).unwrap()),
        ("rectangle", Shape::rectangle([at(0.8), at(0.5)]).unwrap()),
        ("triangle", Shape::triangle(corners).unwrap()),
        ("disc", Shape::disc(at(0.7)).unwrap()),
        ("sphere", Shape::sphere(at(0.6)).unwrap()),
        ("box", Shape::cuboid([at(0.6), at(0.9), at(0.4)]).unwrap()),
        ("polytope", Shape::polytope(&cloud).unwrap()),
        ("ellipsoid", Shape::ellipsoid([at(0.6), at(1.0), at(0.4)]).unwrap()),
        ("capsule", Shape::capsule(at(0.7), at(0.3)).unwrap()),
        ("round box", Shape::round_box([at(0.5), at(0.7), at(0.3)], at(0.2)).unwrap()),
        ("cylinder", Shape::cylinder(at(0.8), at(0.5)).unwrap()),
        ("cone", Shape::cone(at(1.4), at(0.6)).unwrap()),
        ("wheel", Shape::wheel(at(0.6), at(0.2)).unwrap()),
    ]
}

/// Scales at which the pairs are swept.
fn scales() -> &'static [f64] {
    if SINGLE { &[1e-3, 1.0, 1e3] } else { &[1e-6, 1.0, 1e6] }
}

struct Sweep<'a> {
    what: String,
    a: &'a Shape,
    b: &'a Shape,
    pose_a: Pose,
    /// B where it touches A, in f64: a pose rounds.
    touching: DVec3,
    turn: DQuat,
    normal: DVec3,
    size: f64,
    error: f64,
    /// Whether the way leads into A.
    enters: bool,
    /// Whether the bodies have no volume between them.
    thin: bool,
}

/// The dimension of a body.
fn dimension(name: &str) -> usize {
    match name {
        "point" => 0,
        "segment" => 1,
        "rectangle" | "triangle" | "disc" => 2,
        _ => 3,
    }
}

fn is_smooth(name: &str) -> bool {
    ["sphere", "ellipsoid", "capsule", "round box", "wheel"].contains(&name)
}

impl<'a> Sweep<'a> {
    fn new(a: &'a (&str, Shape), b: &'a (&str, Shape), rng: &mut Rng, turned: bool) -> Option<Self> {
        let what = format!("{} {}{}", a.0, b.0, if turned { "" } else { " upright" });
        let dimensions = [dimension(a.0), dimension(b.0)];
        let most = if turned { dimensions[0] + dimensions[1] } else { dimensions[0].max(dimensions[1]) };
        let thin = most < 3;
        let enters = is_smooth(a.0) || is_smooth(b.0) || !turned && !thin;
        let (a, b) = (&a.1, &b.1);
        let reach = widen_real(a.bounding_radius() + b.bounding_radius());
        let turn = |rng: &mut Rng| if turned { rng.rotation() } else { DQuat::IDENTITY };
        let pose_a = pose_of(rng.in_ball(0.5 * reach), turn(rng));
        let turn = turn(rng);
        // Along z the faces of upright bodies face each other.
        let side = if turned { rng.unit_vector() } else { DVec3::new(0.05, 0.03, 1.0) };
        let start = widen(pose_a.translation()) + side * (1.5 * reach);
        let pose_b = pose_of(start, turn);
        let far = closest(a, &pose_a, b, &pose_b, &mut Cache::default());
        let normal = widen(far.normal).normalize();
        let touching = widen(pose_b.translation()) - normal * widen_real(far.distance);
        let (size, error) = (3.0 * reach, widen_real(sigma(narrow_real(3.0 * reach))));
        (reach > 0.0).then_some(Self { what, a, b, pose_a, touching, turn, normal, size, error, enters, thin })
    }

    /// The answer with B moved off the touching position, and how far it really is off, after rounding, along the normal.
    fn at(&self, offset: f64) -> (f64, Closest) {
        let pose_b = pose_of(self.touching + self.normal * offset, self.turn);
        let real = (widen(pose_b.translation()) - self.touching).dot(self.normal);
        (real, closest(self.a, &self.pose_a, self.b, &pose_b, &mut Cache::default()))
    }

    /// What an answer may be off by: rounding of the supports, of the poses and of the direction of the sweep, and the stated
    /// gap between the bounds of curved bodies.
    fn tolerance(&self, distance: f64) -> f64 {
        let curved = self.is_curved();
        let relative = if curved { widen_real(STALL_SIGMAS * RELATIVE_GAP) } else { 0.0 };
        let deep = if curved { widen_real(COARSE_DEPTH_GAP) } else { 0.0 };
        40.0 * self.error + relative * self.size + 2.0 * deep * distance.abs()
    }

    fn is_curved(&self) -> bool {
        !(self.a.core().is_polyhedral() && self.b.core().is_polyhedral())
    }

    fn check(&self, range: f64, steps: usize) {
        let what = &self.what;
        let mut last: Option<(f64, f64)> = None;
        let mut slope = f64::NEG_INFINITY;
        for step in 0..=steps {
            let offset = range * (1.0 - 2.0 * step as f64 / steps as f64);
            let (offset, near) = self.at(offset);
            let distance = widen_real(near.distance);
            let tolerance = self.tolerance(distance);
            assert!(near.lower <= near.distance && near.distance <= near.upper, "{what} {offset:e}: {near:?}");
            let width = widen_real(near.upper - near.lower);
            assert!(width <= 2.0 * tolerance, "{what} at {offset:e}: bounds {width:e} apart: {near:?}");
            if offset > 0.0 {
                assert!((distance - offset).abs() <= tolerance, "{what} at {offset:e}: {near:?}");
                let core = offset + widen_real(self.a.radius() + self.b.radius());
                let off = (widen(near.normal) - self.normal).length();
                assert!(off <= (8.0 * tolerance / core).sqrt(), "{what} at {offset:e}: normal off by {off}: {near:?}");
            }
            let points = widen(near.points[1] - near.points[0] - near.normal * near.distance).length();
            assert!(points <= 4.0 * tolerance, "{what} at {offset:e}: points off by {points:e}: {near:?}");
            if let Some((before, was)) = last {
                let (moved, change) = (before - offset, distance - was);
                let jump = change.abs() > moved + 2.0 * tolerance || self.enters && change > tolerance;
                assert!(!jump, "{what} at {offset:e}: jumped from {was:e} to {distance:e}");
                // Convex: it never falls faster than before.
                let faster = moved > 0.0 && change / moved < slope - 4.0 * tolerance / moved;
                assert!(
                    !faster,
                    "{what} at {offset:e}: fell from {was:e} to {distance:e}, before by a slope of {slope}"
                );
                slope = if moved > 0.0 { change / moved } else { slope };
            }
            last = Some((offset, distance));
        }
    }
}

#[test]
fn all_pairs_through_zero() {
    for &scale in scales() {
        let shapes = shapes(scale);
        let mut rng = Rng::new(71);
        for (i, a) in shapes.iter().enumerate() {
            for b in &shapes[i..] {
                let Some(sweep) = Sweep::new(a, b, &mut rng, true) else {
                    continue;
                };
                // Visible steps, small ones, and steps of the size of the error.
                sweep.check(0.02 * scale, 200);
                sweep.check(2e-6 * scale, 100);
                sweep.check(50.0 * sweep.error, 200);
            }
        }
    }
}

/// Ten thousand steps of a single error each.
#[test]
fn ten_thousand_steps() {
    let shapes = shapes(1.0);
    let mut rng = Rng::new(72);
    for (i, j) in [(6, 6), (6, 7), (5, 6), (8, 8), (11, 12), (9, 13), (3, 3)] {
        Sweep::new(&shapes[i], &shapes[j], &mut rng, true).unwrap().check(5000.0 * widen_real(sigma(3.0)), 10_000);
    }
}

/// Upright bodies that meet face to face: the normal is the faces' on both sides of zero, to rounding if they are flat.
#[test]
fn face_contacts_keep_their_normal() {
    let upright = |name: &str| ["box", "cylinder", "polytope block", "frustum", "disc", "rectangle"].contains(&name);
    for &scale in scales() {
        let at = |x: f64| narrow_real(x * scale);
        let block: Vec<Vec3> = (0..8)
            .map(|i| Vec3::new(at(0.5), at(0.4), at(0.3)) * Vec3::new(sign(i & 1), sign(i & 2), sign(i & 4)))
            .collect();
        let mut bodies = shapes(scale);
        bodies.push(("polytope block", Shape::polytope(&block).unwrap()));
        bodies.push(("frustum", Shape::frustum([at(0.5); 2], [at(0.3); 2], at(0.8)).unwrap()));
        let bodies: Vec<_> = bodies.into_iter().filter(|(name, _)| upright(name)).collect();
        let mut rng = Rng::new(73);
        for a in &bodies {
            for b in &bodies {
                let sweep = Sweep::new(a, b, &mut rng, false).unwrap();
                for range in [0.02 * scale, 2e-6 * scale, 50.0 * sweep.error] {
                    sweep.check(range, 40);
                    for step in 0..=40 {
                        let (offset, near) = sweep.at(range * (1.0 - f64::from(step) / 20.0));
                        let off = (widen(near.normal) - DVec3::Z).length();
                        // Two flat bodies in one plane have no depth: the normal is either way across it.
                        let either = sweep.thin && offset <= 4.0 * sweep.error && near.normal.z < 0.0;
                        // The stated gap of curved bodies leaves the normal this free, of flat ones nothing but rounding.
                        let gap = if sweep.is_curved() { widen_real(STALL_SIGMAS * RELATIVE_GAP) } else { 0.0 };
                        let allowed = (8.0 * gap).sqrt() + 1e3 * sweep.error / scale;
                        assert!(
                            off <= allowed || either,
                            "{} at {offset:e} of {scale:e}: normal {:?}",
                            sweep.what,
                            near.normal
                        );
                    }
                }
            }
        }
    }
}

fn sign(bit: usize) -> Real {
    if bit == 0 { -1.0 } else { 1.0 }
}
