//! Small batches of every kind that lanes take, against the verbs for one pair: small enough for Miri (`make miri`), which watches what is
//! read and written.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

#[cfg(single_precision)]
extern crate clearance_f32 as clearance;

use clearance::batch::{self, BatchError};
use clearance::{Body, Cache, Pose, Real, Shape, Vec3, distance, overlap};

/// Bodies that lanes take.
fn bodies() -> Vec<Body> {
    let points: Vec<Vec3> = (0..9)
        .map(|i| i as Real)
        .map(|t| Vec3::new((1.3 * t).sin(), (2.1 * t).cos(), (0.7 * t).sin() * (1.9 * t).cos()))
        .collect();
    let shapes = [
        Shape::cuboid([1.0, 0.5, 0.7]),
        Shape::cuboid([0.6, 0.5, 0.4]),
        Shape::ellipsoid([1.0, 0.5, 0.7]),
        Shape::ellipsoid([0.6, 0.9, 0.7]),
        Shape::cone(1.0, 0.5),
        Shape::cylinder(1.0, 0.5),
        Shape::polytope(&points),
    ];
    shapes.map(|shape| Body::from(shape.unwrap())).into()
}

fn at(x: Real, y: Real, z: Real) -> Pose {
    Pose::from_translation([x, y, z]).unwrap()
}

#[test]
fn tables_and_poses_are_answered_as_one_by_one() {
    let bodies = bodies();
    let poses: Vec<Pose> = (0..7).map(|i| at(0.9 * i as Real, 0.2 * (i * i % 5) as Real, 0.1)).collect();
    let all = (0..7).flat_map(|i| (0..7).map(move |j| [i, j]));
    let pairs: Vec<[u32; 2]> = all.filter(|[i, j]| i != j).collect();
    let booleans = batch::overlap(&bodies, &poses, &pairs).unwrap();
    let gaps = batch::distance(&bodies, &poses, &pairs).unwrap();
    assert!(booleans.iter().filter(|answer| answer.overlap).count() > 5 && gaps.iter().flatten().count() > 5);
    for (([i, j], found), gap) in pairs.into_iter().zip(booleans).zip(gaps) {
        let (a, b) = (i as usize, j as usize);
        let one = overlap(&bodies[a], &poses[a], &bodies[b], &poses[b], &mut Cache::default());
        assert_eq!(found.overlap, one.overlap, "{i} {j}");
        let one = distance(&bodies[a], &poses[a], &bodies[b], &poses[b], &mut Cache::default());
        assert_eq!(gap.is_some(), one.is_some(), "{i} {j}");
        assert!(gap.zip(one).is_none_or(|(gap, one)| gap.lower <= one.upper && one.lower <= gap.upper), "{i} {j}");
    }
    // No multiple of any number of lanes.
    let places: Vec<Pose> = (0..21).map(|i| at(0.15 * i as Real, 0.1, 0.2)).collect();
    for (a, b) in [(0, 1), (2, 3), (4, 5), (6, 6), (6, 2)] {
        let (a, b) = (&bodies[a], &bodies[b]);
        for (place, found) in places.iter().zip(batch::overlap_at(a, &Pose::IDENTITY, b, &places)) {
            assert_eq!(found.overlap, overlap(a, &Pose::IDENTITY, b, place, &mut Cache::default()).overlap);
        }
        assert_eq!(batch::distance_at(a, &Pose::IDENTITY, b, &places).len(), places.len());
    }
}

#[test]
fn wrong_indices_and_lengths_are_refused() {
    let (bodies, poses) = (bodies(), [at(0.0, 0.0, 0.0); 7]);
    for pairs in [vec![[0, 7]], vec![[0, 1], [u32::MAX, 2]]] {
        assert!(matches!(batch::overlap(&bodies, &poses, &pairs), Err(BatchError::Index { bodies: 7, .. })));
        assert!(batch::distance(&bodies, &poses, &pairs).is_err() && batch::closest(&bodies, &poses, &pairs).is_err());
    }
    let short = batch::overlap(&bodies, &poses[..3], &[[0, 1]]);
    assert_eq!(short.unwrap_err(), BatchError::Lengths { bodies: 7, poses: 3 });
    assert!(batch::overlap(&bodies, &poses, &[]).unwrap().is_empty());
    assert!(batch::overlap::<Body>(&[], &[], &[]).unwrap().is_empty());
    assert!(batch::overlap_at(&bodies[0], &poses[0], &bodies[1], &[]).is_empty());
}
