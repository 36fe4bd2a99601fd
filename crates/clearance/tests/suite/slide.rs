//! Sliding: along walls without catching on their seams, into corners, along creases, down ramps.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::ccd::polyhedra::{
    CastScratch, MOST_SLIDE_STEPS, Polyhedron, Rotation, Slide, SlideEnd, TrajectoryOptions, cast_rotation, slide,
};
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::tolerance::{UNIT_ROUNDOFF, sigma};
use clearance::{Body, BodyRef, Cache, CastOptions, Mesh, MeshOptions, Polytope, Pose, Shape, Vec3, closest};
use clearance_testkit::{HitRate, Rng};
use common::{SINGLE, held, pose_of};
use glam::{DQuat, DVec3};

/// A frame to do all of it in: as it is, or turned and moved, so that nothing is exact.
fn frames(rng: &mut Rng) -> Vec<Pose> {
    let away = if SINGLE { 100.0 } else { 1.0e4 };
    let mut frames = vec![Pose::IDENTITY, pose_of(rng.in_ball(away), DQuat::IDENTITY)];
    frames.extend((0..4).map(|_| pose_of(rng.in_ball(away), rng.rotation())));
    frames
}

fn polyhedron(points: &[DVec3], faces: &[Vec<u32>]) -> Polyhedron {
    let points: Vec<Vec3> = points.iter().map(|&p| narrow(p)).collect();
    Polyhedron::from_faces(&points, faces).unwrap()
}

fn cuboid(low: DVec3, high: DVec3) -> (Vec<DVec3>, Vec<Vec<u32>>) {
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    ((0..8).map(|i| low + (high - low) * corner(i)).collect(), faces.iter().map(|f| f.to_vec()).collect())
}

fn solids(boxes: &[(DVec3, DVec3)]) -> Polyhedron {
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    for &(low, high) in boxes {
        let first = points.len() as u32;
        let (corners, sides) = cuboid(low, high);
        points.extend(corners);
        faces.extend(sides.into_iter().map(|side| side.into_iter().map(|v| v + first).collect()));
    }
    polyhedron(&points, &faces)
}

/// A body of half a unit to each side.
fn body() -> Polyhedron {
    solids(&[(DVec3::splat(-0.5), DVec3::splat(0.5))])
}

struct Ground<'a> {
    world: &'a Polyhedron,
    frame: Pose,
}

impl Ground<'_> {
    fn slide(&self, pose: &Pose, by: DVec3) -> Slide {
        let by = widen(narrow(turned(&self.frame, by)));
        let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
        let slid = slide(self.world, &self.frame, &body(), pose, narrow(by), &options, &mut scratch).unwrap();
        let left = widen(slid.pose.translation()) - widen(pose.translation());
        assert!(left.dot(by) >= -widen_real(slid.zone) * by.length(), "back: {left} for {by}");
        slid
    }

    /// The pose of a body in the ground's frame.
    fn at(&self, place: DVec3) -> Pose {
        let turn = DQuat::from_array(self.frame.rotation().to_array().map(widen_real));
        pose_of(common::posed(&self.frame, place), turn)
    }

    fn place(&self, pose: &Pose) -> DVec3 {
        common::unposed(&self.frame, widen(pose.translation()))
    }
}

fn turned(frame: &Pose, v: DVec3) -> DVec3 {
    common::posed(frame, v) - widen(frame.translation())
}

/// What places are off by: a few zones.
fn slack(slid: &Slide) -> f64 {
    4.0 * widen_real(slid.zone)
}

fn each_ground(world: &Polyhedron, mut check: impl FnMut(&Ground)) {
    let mut rng = Rng::new(11);
    frames(&mut rng).into_iter().for_each(|frame| check(&Ground { world, frame }));
}

/// A floor of many boxes side by side, their tops in one plane, all of them with seams.
fn tiles() -> Polyhedron {
    let tile = |i: i32, j: i32| {
        let low = DVec3::new(f64::from(i), f64::from(j), -1.0);
        (low, low + DVec3::ONE)
    };
    let tiles: Vec<_> = (0..20).flat_map(|i| (0..6).map(move |j| tile(i, j))).collect();
    solids(&tiles)
}

#[test]
fn seams_do_not_catch() {
    let mut rng = Rng::new(7);
    each_ground(&tiles(), |ground| {
        for _ in 0..20 {
            let from = DVec3::new(rng.uniform(1.0, 3.0), rng.uniform(1.0, 5.0), rng.uniform(0.6, 3.0));
            let by = DVec3::new(rng.uniform(3.0, 15.0), 0.0, -rng.uniform(4.0, 9.0));
            let slid = ground.slide(&ground.at(from), by);
            let reached = ground.place(&slid.pose);
            let expected = DVec3::new(from.x + by.x, from.y, 0.5);
            assert!((reached - expected).length() < slack(&slid), "{reached} for {expected}: {slid:?}");
            assert_eq!(slid.end, SlideEnd::Slid);
            assert_eq!(slid.hits.len(), 1, "{slid:?}");
        }
    });
}

/// Many slides, each from where the last one ended, and pressed down each time: no seam holds the body, and it does not sink.
#[test]
fn a_long_way_over_seams_in_steps() {
    each_ground(&tiles(), |ground| {
        let mut pose = ground.at(DVec3::new(1.0, 3.0, 0.7));
        let (mut asked, mut lowest) = (1.0, f64::INFINITY);
        for i in 0..300 {
            let by = DVec3::new(if i % 60 < 30 { 0.5 } else { -0.5 }, 0.0, -0.3);
            let slid = ground.slide(&pose, by);
            pose = slid.pose;
            asked += by.x;
            let place = ground.place(&pose);
            lowest = f64::min(lowest, (place.z - 0.5) / widen_real(slid.zone));
            assert!((place.x - asked).abs() < slack(&slid) * f64::from(i + 1), "{i}: {} for {asked}", place.x);
        }
        assert!(lowest > 0.25, "{lowest} zones");
    });
}

#[test]
fn straight_on_a_wall_stops() {
    let wall = solids(&[(DVec3::new(5.0, -10.0, -10.0), DVec3::new(6.0, 10.0, 10.0))]);
    each_ground(&wall, |ground| {
        let slid = ground.slide(&ground.at(DVec3::ZERO), DVec3::X * 20.0);
        assert!((ground.place(&slid.pose) - DVec3::X * 4.5).length() < slack(&slid), "{slid:?}");
        assert_eq!((slid.end, slid.hits.len()), (SlideEnd::Stopped, 1), "{slid:?}");
        // Pressed against it again, it stays.
        let again = ground.slide(&slid.pose, DVec3::X);
        assert!((widen(again.pose.translation()) - widen(slid.pose.translation())).length() < slack(&again));
        assert_eq!(again.end, SlideEnd::Stopped);
    });
}

/// Two walls at a right angle and a floor: along one wall, along the crease, into the corner.
fn corner() -> Polyhedron {
    solids(&[
        (DVec3::new(5.0, -20.0, -20.0), DVec3::new(6.0, 20.0, 20.0)),
        (DVec3::new(-20.0, 5.0, -20.0), DVec3::new(20.0, 6.0, 20.0)),
        (DVec3::new(-20.0, -20.0, -6.0), DVec3::new(20.0, 20.0, -5.0)),
    ])
}

#[test]
fn along_a_crease_and_into_a_corner() {
    each_ground(&corner(), |ground| {
        // Both walls: what is left is the way up, along their crease.
        let up = ground.slide(&ground.at(DVec3::ZERO), DVec3::new(9.0, 12.0, 3.0));
        let expected = DVec3::new(4.5, 4.5, 3.0);
        assert!((ground.place(&up.pose) - expected).length() < slack(&up), "{up:?}");
        assert_eq!(up.end, SlideEnd::Slid);
        assert!(up.hits.len() <= 4, "{up:?}");
        // Down, onto the floor as well.
        let down = ground.slide(&ground.at(DVec3::ZERO), DVec3::new(9.0, 12.0, -30.0));
        let expected = DVec3::new(4.5, 4.5, -4.5);
        assert!((ground.place(&down.pose) - expected).length() < slack(&down), "{down:?}");
        assert_eq!(down.end, SlideEnd::Stopped);
        // In the corner, nothing that leads into it moves it; what leads out does.
        let mut rng = Rng::new(13);
        for _ in 0..20 {
            let into = DVec3::from_array([0; 3].map(|_| rng.uniform(0.1, 1.0))) * DVec3::new(1.0, 1.0, -1.0);
            let held = ground.slide(&down.pose, into);
            assert!((ground.place(&held.pose) - expected).length() < slack(&held), "{held:?}");
            assert_ne!(held.end, SlideEnd::Free);
            let out = ground.slide(&down.pose, -into);
            assert!((ground.place(&out.pose) - (expected - into)).length() < slack(&out), "{out:?}");
            assert_eq!(out.end, SlideEnd::Free);
        }
    });
}

#[test]
fn down_a_ramp_and_over_its_foot() {
    // A ramp that falls by three over four along x, on a floor.
    let (points, faces) = (
        vec![
            DVec3::new(-8.0, -5.0, 6.0),
            DVec3::new(0.0, -5.0, 0.0),
            DVec3::new(0.0, 5.0, 0.0),
            DVec3::new(-8.0, 5.0, 6.0),
            DVec3::new(-8.0, -5.0, -1.0),
            DVec3::new(8.0, -5.0, -1.0),
            DVec3::new(8.0, 5.0, -1.0),
            DVec3::new(-8.0, 5.0, -1.0),
            DVec3::new(8.0, -5.0, 0.0),
            DVec3::new(8.0, 5.0, 0.0),
            DVec3::new(0.0, -5.0, -1.0),
            DVec3::new(0.0, 5.0, -1.0),
        ],
        vec![
            vec![0, 1, 2, 3],
            vec![1, 8, 9, 2],
            vec![4, 10, 1, 0],
            vec![10, 5, 8, 1],
            vec![5, 6, 9, 8],
            vec![6, 11, 2, 9],
            vec![11, 7, 3, 2],
            vec![7, 4, 0, 3],
            vec![10, 4, 7, 11],
            vec![5, 10, 11, 6],
        ],
    );
    each_ground(&polyhedron(&points, &faces), |ground| {
        // The lower edge of the body that faces down the ramp touches first; falling becomes sliding down.
        let mut pose = ground.at(DVec3::new(-5.0, 0.0, 8.0));
        let mut last = f64::NEG_INFINITY;
        for step in 0..40 {
            let slid = ground.slide(&pose, DVec3::Z * -1.0);
            pose = slid.pose;
            let place = ground.place(&pose);
            assert!(place.x >= last - slack(&slid), "step {step}: {place}");
            last = place.x;
        }
        // It came down: flat on the floor with its lower corner past the foot of the ramp.
        let place = ground.place(&pose);
        assert!((place.z - 0.5).abs() < 1e-3 && place.x > 0.4, "{place}");
    });
}

#[test]
fn parallel_to_a_wall_goes_all_the_way() {
    let wall = solids(&[(DVec3::new(-50.0, 0.5, -10.0), DVec3::new(50.0, 2.0, 10.0))]);
    each_ground(&wall, |ground| {
        // From contact, exactly along.
        let start = ground.slide(&ground.at(DVec3::new(-20.0, -1.0, 0.0)), DVec3::Y * 3.0).pose;
        for by in [0.01, 1.0, 30.0] {
            let slid = ground.slide(&start, DVec3::X * by);
            let moved = ground.place(&slid.pose).x - ground.place(&start).x;
            assert!((moved - held(by)).abs() < slack(&slid), "{moved} of {by}: {slid:?}");
        }
    });
}

#[test]
fn nothing_to_do_and_nothing_to_find() {
    each_ground(&corner(), |ground| {
        let pose = ground.at(DVec3::ZERO);
        let slid = ground.slide(&pose, DVec3::ZERO);
        assert_eq!((slid.end, slid.hits.len(), slid.pose), (SlideEnd::Free, 0, pose));
        let slid = ground.slide(&pose, DVec3::new(1.0, 2.0, 3.0));
        assert_eq!((slid.end, slid.left), (SlideEnd::Free, Vec3::ZERO));
    });
}

#[test]
fn a_start_inside_is_told() {
    let ground = Ground { world: &corner(), frame: Pose::IDENTITY };
    let pose = ground.at(DVec3::new(5.0, 0.0, 0.0));
    let slid = ground.slide(&pose, DVec3::X);
    assert_eq!((slid.end, slid.pose), (SlideEnd::Overlapping, pose));
    assert!(slid.overlap.is_some_and(|out| out.is_free));
    let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
    let refused = slide(
        &corner(),
        &Pose::IDENTITY,
        &body(),
        &Pose::IDENTITY,
        narrow(DVec3::X * f64::NAN),
        &options,
        &mut scratch,
    );
    assert!(refused.is_err());
}

/// In a wedge of any angle it ends in a bounded number of steps, outside of both walls, and slides and turns go together.
#[test]
fn wedges_and_turns() {
    let mut rng = Rng::new(17);
    for case in 0..200 {
        let half = rng.log_uniform(0.02, 1.4);
        let depth = 8.0;
        let (sin, cos) = half.sin_cos();
        let rim = DVec3::new(-depth * cos, depth * sin, 0.0);
        let side = |sign: f64| {
            let rim = rim * DVec3::new(1.0, sign, 1.0);
            let out = DVec3::new(0.0, sign * 40.0, 0.0);
            let mut points: Vec<DVec3> = Vec::new();
            for z in [-9.0, 9.0] {
                points.extend([DVec3::ZERO, rim, rim + out, DVec3::X * 3.0 + out].map(|p| p + DVec3::Z * z));
            }
            points
        };
        let mut points = side(1.0);
        points.extend(side(-1.0));
        let prism = [
            vec![0, 1, 2, 3],
            vec![7, 6, 5, 4],
            vec![0, 4, 5, 1],
            vec![1, 5, 6, 2],
            vec![2, 6, 7, 3],
            vec![3, 7, 4, 0],
        ];
        let faces: Vec<Vec<u32>> =
            [0, 8].iter().flat_map(|first| prism.iter().map(move |f| f.iter().map(|v| v + first).collect())).collect();
        let points: Vec<Vec3> = points.into_iter().map(narrow).collect();
        let options = MeshOptions { turn_outward: true, ..MeshOptions::default() };
        let world = Polyhedron::from(&Mesh::with_options(&points, &faces, &options).unwrap());
        let ground = Ground { world: &world, frame: pose_of(rng.in_ball(10.0), rng.rotation()) };
        let small = 0.3;
        let shape = solids(&[(DVec3::splat(-0.5 * small), DVec3::splat(0.5 * small))]);
        let mut pose = ground.at(DVec3::new(-depth - 1.0, rng.uniform(-0.2, 0.2), 0.0));
        let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
        for _ in 0..6 {
            let by = turned(
                &ground.frame,
                DVec3::new(rng.uniform(2.0, 12.0), rng.uniform(-2.0, 2.0), rng.uniform(-1.0, 1.0)),
            );
            let slid = slide(&world, &ground.frame, &shape, &pose, narrow(by), &options, &mut scratch).unwrap();
            assert!(slid.overlap.is_none() && slid.hits.len() <= MOST_SLIDE_STEPS, "case {case}: {slid:?}");
            assert_ne!(slid.end, SlideEnd::StepLimit, "case {case}: {slid:?}");
            let spin =
                Rotation { origin: slid.pose.translation(), axis: narrow(rng.unit_vector()), angle: narrow_real(0.7) };
            let turn = cast_rotation(&world, &ground.frame, &shape, &slid.pose, spin, &options, &mut scratch).unwrap();
            assert!(turn.overlap.is_none(), "case {case}: {turn:?}");
            pose = turn.pose;
        }
        assert!(ground.place(&pose).x < 0.0, "case {case}: through the wedge");
    }
}

/// Plates as thin as the rounding of their coordinates, whose narrow polygons face anywhere: what slides does not pass through them.
#[test]
fn nothing_slides_through_plates_as_thin_as_rounding() {
    let mut rng = Rng::new(64);
    let mut met = HitRate::new("met");
    for i in 0..1_500 {
        let thickness = rng.log_uniform(8.0, 512.0) * widen_real(UNIT_ROUNDOFF);
        let flat = |rng: &mut Rng| rng.in_ball(1.0) * DVec3::new(1.0, 1.0, thickness);
        let points: Vec<Vec3> = (0..6 + rng.index(4)).map(|_| narrow(flat(&mut rng))).collect();
        let Ok(plate) = Polytope::from_points(&points) else { continue };
        let plate = Body::from(plate);
        let slab = Body::from(
            Shape::cuboid([1.0, rng.uniform(0.1, 1.0), rng.log_uniform(1e-3, 0.5)].map(narrow_real)).unwrap(),
        );
        let places = [DVec3::ZERO, rng.unit_vector() * 2.5].map(|at| pose_of(at, rng.rotation()));
        let by = narrow(widen(-places[1].translation()) * rng.uniform(0.5, 1.5) + rng.in_ball(0.8));
        let obstacles = [(BodyRef::from(&plate), places[0])];
        let options = CastOptions::default();
        let slid = clearance::slide(&obstacles, &slab, &places[1], by, &mut Cache::default(), &options).unwrap();
        if slid.end == SlideEnd::Overlapping {
            continue;
        }
        met.record(!slid.hits.is_empty());
        let after = closest(&plate, &places[0], &slab, &slid.pose, &mut Cache::default());
        let most = 256.0 * widen_real(sigma(8.0));
        assert!(widen_real(after.distance) >= -most, "{i}: {slid:?}, then {after:?}");
    }
    met.assert_between(0.3, 0.95);
}
