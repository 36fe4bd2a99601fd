//! The paper's formulas for pairs of features, run over all features of two bodies, against the casts of whole bodies.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::ccd::polyhedra::{Cast, CastScratch, Rotation, TrajectoryOptions, cast_rotation, cast_translation};
use clearance::ccd::trajectory::{
    RestingEdge, RestingPolygon, Turn, translated_edge, translated_point, turned_edge, turned_point,
};
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance_testkit::{HitRate, Rng};
use common::voxels::{Poly, body, world};
use common::{SINGLE, pose_of};
use glam::{DQuat, DVec3};

const ZONE: f64 = if SINGLE { 1e-3 } else { 1e-6 };

#[derive(Clone, Copy, Debug)]
enum Way {
    Straight(DVec3),
    Turn(Turn),
}

impl Way {
    fn point(&self, a: DVec3, polygon: &RestingPolygon) -> Option<f64> {
        match self {
            Self::Straight(v) => translated_point(a, *v, polygon, ZONE),
            Self::Turn(turn) => turned_point(a, turn, polygon, ZONE),
        }
    }

    fn edge(&self, ends: [DVec3; 2], other: &RestingEdge) -> Option<f64> {
        match self {
            Self::Straight(v) => translated_edge(ends, *v, other, ZONE),
            Self::Turn(turn) => turned_edge(ends, turn, other, ZONE),
        }
    }

    /// The other body moves, as seen from the first.
    fn reversed(&self) -> Self {
        match *self {
            Self::Straight(v) => Self::Straight(-v),
            Self::Turn(turn) => Self::Turn(Turn { angle: -turn.angle, ..turn }),
        }
    }

    fn at(&self, p: DVec3, share: f64) -> DVec3 {
        match *self {
            Self::Straight(v) => p + v * share,
            Self::Turn(Turn { origin, axis, angle }) => {
                origin + DQuat::from_axis_angle(axis, angle * share) * (p - origin)
            }
        }
    }

    /// The speed of a point per unit of the fraction.
    fn speed(&self, p: DVec3) -> DVec3 {
        match *self {
            Self::Straight(v) => v,
            Self::Turn(Turn { origin, axis, angle }) => axis.cross(p - origin) * angle,
        }
    }
}

/// A body in place, as the paper sees it.
struct Features {
    points: Vec<DVec3>,
    polygons: Vec<(DVec3, f64, Vec<DVec3>)>,
    edges: Vec<RestingEdge>,
}

impl Features {
    fn new(poly: &Poly, place: impl Fn(DVec3) -> DVec3) -> Self {
        let points: Vec<DVec3> = poly.points.iter().map(|&p| place(p)).collect();
        let polygon = |face: &Vec<u32>| {
            let corners: Vec<DVec3> = face.iter().map(|&v| points[v as usize]).collect();
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
            (normal, normal.dot(corners[0]), corners)
        };
        let polygons: Vec<_> = poly.faces.iter().map(polygon).collect();
        let edges = poly.edges.iter().filter_map(|&[a, b]| {
            let beside = |face: &&Vec<u32>| face.contains(&a) && face.contains(&b);
            let faces: Vec<usize> = (0..poly.faces.len()).filter(|&f| beside(&&poly.faces[f])).collect();
            let [first, second] = faces[..] else { return None };
            let sum = polygons[first].0 + polygons[second].0;
            let middle = polygons[second].2.iter().sum::<DVec3>() / polygons[second].2.len() as f64;
            // Internal edges are left out (section 4).
            let convex = polygons[first].0.dot(middle) < polygons[first].1 - 1e-5;
            let ends = [a, b].map(|v| points[v as usize]);
            convex.then(|| RestingEdge { ends, outset: sum * (2.0 / sum.length_squared()) })
        });
        Self { edges: edges.collect(), points, polygons }
    }

    fn points_meet(&self, way: &Way, other: &Self) -> Option<f64> {
        let of = |(normal, offset, corners): &(DVec3, f64, Vec<DVec3>)| {
            let polygon = RestingPolygon { normal: *normal, offset: *offset, corners };
            self.points.iter().filter_map(|&p| way.point(p, &polygon)).reduce(f64::min)
        };
        other.polygons.iter().filter_map(of).reduce(f64::min)
    }

    /// The first contact of this, moving, with another that rests.
    fn first_contact(&self, way: &Way, other: &Self) -> Option<f64> {
        let pairs = other.edges.iter().flat_map(|rests| self.edges.iter().map(move |edge| (edge, rests)));
        let edges = pairs.filter_map(|(edge, rests)| way.edge(edge.ends, rests)).reduce(f64::min);
        [self.points_meet(way, other), other.points_meet(&way.reversed(), self), edges]
            .into_iter()
            .flatten()
            .reduce(f64::min)
    }
}

fn random_way(rng: &mut Rng, turning: bool, place: DVec3) -> Way {
    if !turning {
        return Way::Straight(widen(narrow(rng.unit_vector() * rng.uniform(0.5, 6.0))));
    }
    let origin = widen(narrow(place + rng.in_ball(2.0)));
    // The stored axis is not quite of length one; the paper's frame wants it so.
    let axis = widen(narrow(rng.unit_vector())).normalize();
    Way::Turn(Turn { origin, axis, angle: widen_real(narrow_real(rng.sign() * rng.uniform(0.05, 3.0))) })
}

fn cast(way: &Way, world: &Poly, pose_w: &clearance::Pose, body: &Poly, pose_b: &clearance::Pose) -> Cast {
    let options = TrajectoryOptions { zone: narrow_real(ZONE), ..TrajectoryOptions::default() };
    let mut scratch = CastScratch::default();
    match *way {
        Way::Straight(v) => {
            cast_translation(&world.cast, pose_w, &body.cast, pose_b, narrow(v), &options, &mut scratch).unwrap()
        }
        Way::Turn(Turn { origin, axis, angle }) => {
            let rotation = Rotation { origin: narrow(origin), axis: narrow(axis), angle: narrow_real(angle) };
            cast_rotation(&world.cast, pose_w, &body.cast, pose_b, rotation, &options, &mut scratch).unwrap()
        }
    }
}

fn both_find_the_same(seed: u64, turning: bool) {
    let mut rng = Rng::new(seed);
    let (mut hits, mut grazing) = (HitRate::new("contacts"), HitRate::new("grazing ways"));
    for case in 0..1200 {
        let (world, body) = (world(&mut rng), body(&mut rng));
        let pose_w = pose_of(rng.in_ball(1.0), rng.rotation());
        let near = common::posed(&pose_w, rng.in_box(DVec3::splat(3.0)) + DVec3::splat(2.0));
        let pose_b = pose_of(near, rng.rotation());
        let way = random_way(&mut rng, turning, widen(pose_b.translation()));
        let fixed = world.placed(&pose_w);
        let start = body.placed(&pose_b);
        if fixed.is_solid(start.points[0]) || fixed.meets(&start, 0.0) || fixed.distance(&start, 1.0) < 4.0 * ZONE {
            continue;
        }
        let answer = cast(&way, &world, &pose_w, &body, &pose_b);
        let resting = Features::new(&world, |p| common::posed(&pose_w, p));
        let moving = Features::new(&body, |p| common::posed(&pose_b, p));
        let paper = moving.first_contact(&way, &resting);
        hits.record(paper.is_some());
        let ours = answer.hit.map(|hit| (widen_real(answer.fraction), hit));
        let what = format!("seed {seed}, case {case}: {paper:?}, {answer:?}");
        let same = match (ours, paper) {
            (None, None) => true,
            (Some((fraction, hit)), Some(paper)) => {
                let speed = way.speed(widen(hit.point)).dot(widen(hit.normal)).abs();
                (fraction - paper).abs() * speed <= 4.0 * ZONE
            }
            _ => false,
        };
        grazing.record(!same);
        if !same {
            // Where one stops and the other goes on they have all but touched, and do not go through each other before the later.
            let at = |share: f64| body.placed_at(|p| way.at(common::posed(&pose_b, p), share));
            let stops = [ours.map(|(fraction, _)| fraction), paper];
            let (early, late) = stops
                .iter()
                .map(|stop| stop.unwrap_or(1.0))
                .fold((1.0, 0.0), |(low, high), stop| (f64::min(low, stop), f64::max(high, stop)));
            let near = fixed.distance(&at(early), 1.0);
            assert!(near <= 4.0 * ZONE, "{what}: {near} apart where one stops");
            for i in 0..=100 {
                let share = early + (late - early) * f64::from(i) / 100.0;
                assert!(!fixed.meets(&at(share), ZONE), "{what}: passes at {share}");
            }
        }
    }
    println!("{} of {} meet, {} grazing", hits.hits(), hits.trials(), grazing.hits());
    hits.assert_between(0.2, 0.95);
    grazing.assert_between(0.0, 0.03);
}

#[test]
fn translations() {
    both_find_the_same(211, false);
}

#[test]
fn rotations() {
    both_find_the_same(223, true);
}

/// Figures 2 to 4 of section 3.3: a point that starts in the zone above a floor, and an edge above an edge.
#[test]
fn what_starts_in_the_zone_may_only_move_out() {
    let corners = [DVec3::new(-9.0, -9.0, 0.0), DVec3::new(9.0, -9.0, 0.0), DVec3::new(0.0, 9.0, 0.0)];
    let floor = RestingPolygon { normal: DVec3::Z, offset: 0.0, corners: &corners };
    let ridge = RestingEdge { ends: [DVec3::new(2.0, -1.0, 0.0), DVec3::new(2.0, 1.0, 0.0)], outset: DVec3::Z };
    // At a quarter of the zone; turned about an axis along y, beside it at the same height.
    let (zone, height) = (0.1, 0.025);
    let at = DVec3::new(2.0, 0.0, height);
    let above = [at - DVec3::X * 0.25, at + DVec3::X * 0.25];
    let turn = |beside: f64, angle: f64| Turn { origin: at - DVec3::X * beside, axis: DVec3::Y, angle };
    let point = |beside: f64, angle: f64| turned_point(at, &turn(beside, angle), &floor, zone);
    // Down from the start: stopped at once (figure 2).
    assert_eq!(point(1.0, 1.0), Some(0.0));
    assert_eq!(turned_edge(above, &turn(1.0, 1.0), &ridge, zone), Some(0.0));
    // A turn by nothing, either way, has no fraction but its beginning.
    for beside in [1.0, -1.0] {
        let found = [point(beside, 0.0), turned_edge(above, &turn(beside, 0.0), &ridge, zone)];
        assert!(
            found.iter().flatten().all(|&fraction| fraction == 0.0)
                && found.iter().any(Option::is_some) == (beside < 0.0),
            "{found:?}"
        );
    }
    // Up, but not out of the zone: to the highest place (figure 3).
    let highest = point(0.04, -3.0).unwrap();
    assert!((highest * 3.0 - std::f64::consts::FRAC_PI_2).abs() < 1e-12, "{highest}");
    assert_eq!(point(0.04, -1.0), None);
    // Out and back in: to where the zone is reached again (figure 4).
    let back = point(1.0, -3.1).unwrap();
    assert!((back * 3.1 - (std::f64::consts::PI - (zone - height).asin())).abs() < 1e-12, "{back}");
    assert_eq!(point(1.0, -3.0), None);
    assert_eq!(turned_edge(above, &turn(1.0, -1.0), &ridge, zone), None);
    // Straight ways: in is stopped, along and out are free.
    let [down, along, up] = [DVec3::NEG_Z, DVec3::X, DVec3::Z]
        .map(|way| [translated_point(at, way, &floor, zone), translated_edge(above, way, &ridge, zone)]);
    assert_eq!((down, along, up), ([Some(0.0); 2], [None; 2], [None; 2]));
}
