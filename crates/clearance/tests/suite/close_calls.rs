//! Bodies with flat faces that all but touch: no two verbs differ on whether they do, nor do batches differ from them.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use crate::common::pose_of;
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::tolerance::sigma;
use clearance::{Cache, Contact, End, Polytope, Pose, Shape, Vec3, batch, closest, distance, overlap, within};
use clearance_testkit::{Cloud, HitRate, Rng};
use glam::{DQuat, DVec3};

const KINDS: usize = 4;

fn shape(rng: &mut Rng, kind: usize, scale: f64) -> Shape {
    let mut size = || narrow_real(rng.log_uniform(0.2, 1.5) * scale);
    let [x, y, z] = [size(), size(), size()];
    match kind {
        0 => Shape::cuboid([x, y, z]).unwrap(),
        1 => Shape::round_box([x, y, z], 0.3 * x).unwrap(),
        2 => Shape::frustum([x, y], [0.5 * y, 0.25 * x], z).unwrap(),
        _ => {
            let count = 6 + rng.index(30);
            let points: Vec<Vec3> =
                Cloud::Ball.generate(rng, count).into_iter().map(|point| narrow(point * scale)).collect();
            Polytope::from_points(&points).unwrap().into()
        }
    }
}

/// The error of a pair.
fn error([a, b]: [&Shape; 2], between: Vec3) -> f64 {
    let size = widen_real(a.bounding_radius() + b.bounding_radius()) + widen(between).length();
    widen_real(sigma(narrow_real(size)))
}

/// B moved along the normal until the signed distance is this many errors, but for rounding.
fn moved(shapes: [&Shape; 2], pose_a: &Pose, mut pose_b: Pose, errors: f64) -> Pose {
    for _ in 0..2 {
        let near = closest(shapes[0], pose_a, shapes[1], &pose_b, &mut Cache::default());
        let wanted = errors * error(shapes, pose_b.translation() - pose_a.translation());
        let by = widen(near.normal) * (wanted - widen_real(near.distance));
        pose_b = pose_b.with_translation(narrow(widen(pose_b.translation()) + by)).unwrap();
    }
    pose_b
}

/// Asks every verb and batch; gives how the pairs lie.
fn check([a, b]: [&Shape; 2], pose_a: &Pose, poses: &[Pose], what: &str) -> Vec<Contact> {
    let cold = Cache::default;
    let overlaps = batch::overlap_at(a, pose_a, b, poses);
    let signed = batch::closest_at(a, pose_a, b, poses);
    let distances = batch::distance_at(a, pose_a, b, poses);
    let mut warm = Cache::default();
    let ask = |(nth, pose_b): (usize, &Pose)| {
        let near = closest(a, pose_a, b, pose_b, &mut cold());
        let is_apart = near.contact == Contact::Apart;
        let alone = overlap(a, pose_a, b, pose_b, &mut cold());
        let what = format!("{what}, pose {nth}: {a:?} at {pose_a:?} and {b:?} at {pose_b:?}: {near:?}");
        assert_eq!(alone.overlap, !is_apart, "overlap, {what}: {alone:?}");
        assert_eq!(alone.end, End::Converged, "overlap, {what}: {alone:?}");
        assert_eq!(overlap(a, pose_a, b, pose_b, &mut warm).overlap, !is_apart, "overlap, warm, {what}");
        assert_eq!(distance(a, pose_a, b, pose_b, &mut cold()).is_some(), is_apart, "distance, {what}");
        assert_eq!(within(a, pose_a, b, pose_b, 0.0, &mut cold()).within, !is_apart, "within, {what}");
        assert_eq!(overlaps[nth].overlap, !is_apart, "batch of overlaps, {what}: {:?}", overlaps[nth]);
        assert_eq!(distances[nth].is_some(), is_apart, "batch of distances, {what}: {:?}", distances[nth]);
        assert_eq!(signed[nth].contact, near.contact, "batch of signed distances, {what}: {:?}", signed[nth]);
        near.contact
    };
    poses.iter().enumerate().map(ask).collect()
}

/// Distances swept through zero at the scale of the last places.
#[test]
fn verbs_agree_on_what_all_but_touches() {
    let mut rng = Rng::new(1507);
    for (kind_a, kind_b) in (0..KINDS).flat_map(|a| (a..KINDS).map(move |b| (a, b))) {
        let [mut apart, mut touching] = ["apart", "touching"].map(HitRate::new);
        for round in 0..if kind_b == 0 { 400 } else { 60 } {
            let scale = [1.0, 1e-6, 1.0, 1e5, 30.0][round % 5];
            let other = scale * rng.log_uniform(0.3, 2.0);
            let (a, b) = (shape(&mut rng, kind_a, scale), shape(&mut rng, kind_b, other));
            let is_aligned = round % 10 == 3;
            let turn = |rng: &mut Rng| if is_aligned { DQuat::IDENTITY } else { rng.rotation() };
            let reach = widen_real(a.bounding_radius() + b.bounding_radius());
            let pose_a = pose_of(DVec3::ZERO, turn(&mut rng));
            let poses: Vec<Pose> = (0..100)
                .map(|_| {
                    let pose_b = pose_of(rng.in_ball(reach), turn(&mut rng));
                    moved([&a, &b], &pose_a, pose_b, rng.uniform(-4.0, 4.0))
                })
                .collect();
            for contact in check([&a, &b], &pose_a, &poses, &format!("kinds {kind_a} and {kind_b}, round {round}")) {
                apart.record(contact == Contact::Apart);
                touching.record(contact == Contact::Touching);
            }
        }
        apart.assert_between(0.2, 0.6);
        touching.assert_between(0.4, 0.8);
    }
}
