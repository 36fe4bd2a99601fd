//! Warm equals cold: along coherent motions a kept cache gives the answers of a new one, only sooner.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{narrow_real, widen, widen_real};
use clearance::tolerance::{COARSE_DEPTH_GAP, RELATIVE_GAP, STALL_SIGMAS, sigma};
use clearance::{Cache, Pose, Shape, closest, overlap};
use clearance_testkit::{Cloud, HitRate, Rng};
use common::bodies::catalogue;
use common::{narrowed, pose_of};
use glam::{DQuat, DVec3};

/// A body under way: it turns and drifts about a point, with now and then a jump.
struct Motion {
    center: DVec3,
    swing: DVec3,
    phase: f64,
    axis: DVec3,
    turn: DQuat,
    speed: f64,
}

impl Motion {
    fn new(rng: &mut Rng, reach: f64) -> Self {
        Self {
            center: rng.in_ball(0.5 * reach),
            swing: rng.in_ball(0.8 * reach),
            phase: rng.uniform(0.0, 6.0),
            axis: rng.unit_vector(),
            turn: rng.rotation(),
            speed: rng.log_uniform(1e-3, 0.3),
        }
    }

    fn at(&self, frame: usize) -> Pose {
        let angle = self.phase + self.speed * frame as f64;
        let spin = DQuat::from_axis_angle(self.axis, angle);
        pose_of(self.center + self.swing * angle.sin(), (spin * self.turn).normalize())
    }
}

struct Counts {
    hits: HitRate,
    warm: u64,
    cold: u64,
}

fn follow(a: &Shape, b: &Shape, rng: &mut Rng, what: &str, counts: &mut Counts) {
    let reach = widen_real(a.bounding_radius() + b.bounding_radius()) + 0.05;
    let motions = [Motion::new(rng, reach), Motion::new(rng, reach)];
    let (mut cache, mut boolean) = (Cache::default(), Cache::default());
    for frame in 0..60 {
        // A jump must not matter either.
        let frame = if frame >= 45 { frame + 1000 } else { frame };
        let [pose_a, pose_b] = [motions[0].at(frame), motions[1].at(frame)];
        let warm = closest(a, &pose_a, b, &pose_b, &mut cache);
        let cold = closest(a, &pose_a, b, &pose_b, &mut Cache::default());
        let size = reach + widen(pose_b.translation() - pose_a.translation()).length();
        let error = widen_real(sigma(narrow_real(size)));
        let core = widen_real(cold.distance + a.radius() + b.radius());
        let relative = widen_real(if core > 0.0 { STALL_SIGMAS * RELATIVE_GAP } else { COARSE_DEPTH_GAP });
        let tolerance = relative * core.abs() + 40.0 * error;
        let off = widen_real(warm.distance - cold.distance).abs();
        assert!(off <= tolerance, "{what} frame {frame}: warm {warm:?} cold {cold:?}");
        let bounded = warm.lower <= warm.distance && warm.distance <= warm.upper;
        let consistent = warm.lower <= cold.upper && cold.lower <= warm.upper;
        assert!(bounded && consistent, "{what} frame {frame}: warm {warm:?} cold {cold:?}");
        assert_eq!(warm.end, cold.end, "{what} frame {frame}: warm {warm:?} cold {cold:?}");
        let hit = overlap(a, &pose_a, b, &pose_b, &mut boolean);
        let cold_hit = overlap(a, &pose_a, b, &pose_b, &mut Cache::default());
        let decided = widen_real(cold.distance).abs() > 4.0 * error + tolerance;
        for answer in [hit, cold_hit] {
            let right = answer.overlap == (cold.distance < 0.0);
            assert!(right || !decided, "{what} frame {frame}: {answer:?} but {cold:?}");
        }
        assert!(hit.overlap == cold_hit.overlap || widen_real(cold.distance).abs() <= 4.0 * error, "{what}: {hit:?}");
        counts.hits.record(cold_hit.overlap);
        counts.warm += u64::from(warm.iterations) + u64::from(hit.iterations);
        counts.cold += u64::from(cold.iterations) + u64::from(cold_hit.iterations);
    }
}

#[test]
fn all_shapes_under_way() {
    let bodies = catalogue(1.0);
    let mut rng = Rng::new(60);
    let mut counts = Counts { hits: HitRate::new("frames in which they meet"), warm: 0, cold: 0 };
    for a in &bodies {
        for b in &bodies {
            follow(&a.shape, &b.shape, &mut rng, &format!("{} {}", a.name, b.name), &mut counts);
        }
    }
    println!("supports: {} warm, {} cold", counts.warm, counts.cold);
    counts.hits.assert_between(0.2, 0.8);
}

#[test]
fn polytopes_under_way() {
    let mut rng = Rng::new(61);
    let mut counts = Counts { hits: HitRate::new("frames in which they meet"), warm: 0, cold: 0 };
    for i in 0..150 {
        let mut polytope = |n| Shape::polytope(&narrowed(&Cloud::Ball.generate(&mut rng, n))).unwrap();
        let (a, b) = (polytope(40), polytope(200));
        follow(&a, &b, &mut rng, &format!("polytopes {i}"), &mut counts);
    }
    println!("supports: {} warm, {} cold", counts.warm, counts.cold);
    counts.hits.assert_between(0.2, 0.8);
    assert!(counts.warm <= counts.cold, "a cache that costs: {} warm, {} cold", counts.warm, counts.cold);
}

#[test]
fn a_cache_is_small_and_cold_by_default() {
    assert!(size_of::<Cache>() <= 128, "{} bytes", size_of::<Cache>());
}
