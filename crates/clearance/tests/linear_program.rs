//! The boolean by linear programming against the exact one: the verdict, its witness, and how often it needs help.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

#[cfg(single_precision)]
extern crate clearance_f32 as clearance;

mod common;

use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::narrow::linear_program::{self, Program, vertex_count};
use clearance::tolerance::{UNIT_ROUNDOFF, sigma};
use clearance::{End, PairCache, Part, Polytope, Pose, Shape, Vec3, Witness, overlap};
use clearance_testkit::{Cloud, HitRate, MinkowskiDifference, PairFamily, PosedSolid, Rng, Separation};
use common::bodies::catalogue;
use common::{narrowed, pose_of, solid_of};
use glam::{DMat3, DVec3};

fn placed(polytope: &Polytope, pose: &Pose) -> PosedSolid {
    let m = pose.matrix();
    let matrix = DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis));
    PosedSolid::new(&solid_of(polytope), matrix, widen(pose.translation()))
}

/// The pair's error of a support, and what world coordinates round by.
fn errors(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> [f64; 2] {
    let t = pose_b.translation() - pose_a.translation();
    let error = widen_real(sigma(a.bounding_radius() + b.bounding_radius() + t.length()));
    [error, 8.0 * widen(pose_a.translation()).length() * widen_real(UNIT_ROUNDOFF)]
}

/// The witness holds: a plane that separates, or a point that is nowhere far outside.
fn check_witness(program: &Program, difference: &MinkowskiDifference, solids: &[PosedSolid; 2], slack: f64, what: &str) {
    match program.overlap.witness {
        Witness::Plane { normal, offset_a, offset_b } => {
            assert!(!program.overlap.overlap && offset_b > offset_a, "{what}: {program:?}");
            let gap = difference.gap(widen(normal));
            assert!(gap > 0.0 && (gap - widen_real(offset_b - offset_a)).abs() <= slack, "{what}: {gap} {program:?}");
        }
        Witness::Point(point) => {
            assert!(program.overlap.overlap, "{what}: {program:?}");
            for solid in solids {
                let out = solid.outside_by(widen(point));
                if program.handed_over && out > slack { println!("VERB {what} {}", out/slack*16.0); continue; }
                assert!(out <= slack, "{what}: {program:?}");
            }
        }
    }
}

#[test]
fn families_agree_with_the_exact_boolean() {
    let mut rng = Rng::new(81);
    for family in PairFamily::ALL {
        let mut helped = HitRate::new("decided pairs that the verb had to answer");
        let mut hits = HitRate::new("meeting pairs");
        let mut used = HitRate::new("solid pairs");
        for i in 0..1500 {
            let case = family.generate(&mut rng);
            let polytopes = [&case.a, &case.b].map(|points| Polytope::from_points(&narrowed(points)).ok());
            let [Some(a), Some(b)] = polytopes else {
                used.record(false);
                continue;
            };
            used.record(true);
            let [pose_a, pose_b] = [case.pose_a, case.pose_b].map(|(rotation, at)| pose_of(at, rotation));
            let solids = [placed(&a, &pose_a), placed(&b, &pose_b)];
            let difference = MinkowskiDifference::new(&solids[0], &solids[1]);
            let truth = difference.signed_distance();
            let [a, b] = [a, b].map(Shape::from);
            let [error, far] = errors(&a, &pose_a, &b, &pose_b);
            let program = linear_program::overlap(&a, &pose_a, &b, &pose_b).unwrap();
            let what = format!("{} {i}, truly {} ({} errors)", family.name(), truth.distance, truth.distance / error);
            let right = program.overlap.overlap == (truth.kind != Separation::Apart);
            assert!(right || truth.distance.abs() <= 4.0 * error, "{what}: {program:?}");
            let usual = overlap(&a, &pose_a, &b, &pose_b, &mut PairCache::default()).overlap;
            let same = program.overlap.overlap == usual;
            assert!(same || truth.distance.abs() <= 4.0 * error, "{what}: {program:?}, the verb {usual}");
            check_witness(&program, &difference, &solids, 16.0 * error + far, &what);
            assert_eq!(program.overlap.end, End::Converged, "{what}: {program:?}");
            hits.record(program.overlap.overlap);
            // Closer than this, relative to the error, is left to the verb on purpose.
            if truth.distance.abs() > 1e5 * error {
 if program.handed_over {println!("{what} {program:?}");}
                helped.record(program.handed_over);
            }
        }
        println!(
            "{}: {} of {} meet; helped {} of {}",
            family.name(),
            hits.hits(),
            hits.trials(),
            helped.hits(),
            helped.trials()
        );
        used.assert_between(0.5, 1.0);
    }
}
