//! Perturbed sampling against clipping: contact points of bodies that rest on a large box (implicit-objects, sections 2.6 and 5).
//!
//! The thesis has no figures for its manifolds, but says where they are good and where not: they "work for most cases", have "problems with
//! cones, cylinders and similar shapes", a small change of the normal can change much of them, and they are "quite slow". Each body
//! rests with a flat face of known area, turned about the vertical at random, a hundredth deep; the same again tilted by a
//! thousandth of a radian, ten times less than the samples are perturbed and than would lift a part of the face out. A manifold's area is that of the hull of its points.

use std::hint::black_box;

use clearance::{Cache, Manifold, ManifoldOptions, Method, Pose, Shape, manifold};
use clearance_testkit::Rng;
use glam::{DQuat, DVec2, DVec3};

use crate::{Failure, Report, Settings, interleaved};

/// How deep the bodies are in the box.
const DEPTH: f64 = 1e-2;
/// The tilt, in radians.
const TILT: f64 = 1e-3;
/// A manifold of less than this share of the face is a bad one, and one that changes by more of it has jumped.
const HALF: f64 = 0.5;

/// A body whose lower side is a flat face at this depth below its origin, with this area.
struct Resting {
    name: &'static str,
    shape: Shape,
    below: f64,
    area: f64,
    /// Whether it joins a curved surface to the face at a sharp angle.
    sharp_rim: bool,
}

fn bodies() -> Result<[Resting; 5], Failure> {
    use std::f64::consts::PI;
    let prism: Vec<DVec3> = (0..12)
        .map(|i| {
            let (s, c) = (PI / 3.0 * f64::from(i % 6)).sin_cos();
            DVec3::new(c, s, if i < 6 { -1.0 } else { 1.0 })
        })
        .collect();
    let body = |name, shape, below, area, sharp_rim| Resting { name, shape, below, area, sharp_rim };
    Ok([
        body("box", Shape::cuboid([1.0; 3])?, 1.0, 4.0, false),
        body("round box", Shape::round_box([1.0; 3], 0.5)?, 1.5, 4.0, false),
        body("hexagonal prism", Shape::polytope(&prism)?, 1.0, 1.5 * 3.0_f64.sqrt(), false),
        body("cone", Shape::cone(2.0, 1.0)?, 0.5, PI, true),
        body("cylinder", Shape::cylinder(1.0, 1.0)?, 1.0, PI, true),
    ])
}

/// What one method does with one body.
#[derive(Clone, Copy, Default)]
struct Quality {
    points: f64,
    /// Of the face's area: the mean; and how often less than half, flat and tilted.
    area: f64,
    bad: [f64; 2],
    /// How often a tilt changes the area by more than half of the face.
    jumps: f64,
    nanoseconds: f64,
}

/// Adds the claims about manifolds.
pub(crate) fn claims(report: &mut Report, settings: &Settings, count: usize) -> Result<(), Failure> {
    let floor = Shape::cuboid([6.0, 6.0, 1.0])?;
    let mut found = Vec::new();
    for body in bodies()? {
        let mut rng = Rng::new(settings.seed);
        let mut poses = Vec::new();
        for _ in 0..count.max(1) {
            poses.push(placed(&body, &mut rng)?);
        }
        let [clip, perturbed] = [Method::Clip, Method::Perturbed].map(|method| quality(&floor, &body, &poses, method));
        let times = times(settings, &floor, &body, &poses);
        let timed = |quality: Quality, nanoseconds| Quality { nanoseconds, ..quality };
        found.push((body, [timed(clip, times[0]), timed(perturbed, times[1])]));
    }
    say(report, &found);
    Ok(())
}

/// Flat on the floor, and tilted about a horizontal axis.
fn placed(body: &Resting, rng: &mut Rng) -> Result<[Pose; 2], Failure> {
    let spin = DQuat::from_rotation_z(rng.uniform(0.0, std::f64::consts::TAU));
    let place = DVec3::new(rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0), 1.0 + body.below - DEPTH);
    let axis = DQuat::from_rotation_z(rng.uniform(0.0, std::f64::consts::TAU)) * DVec3::X;
    let tilted = DQuat::from_axis_angle(axis, TILT) * spin;
    Ok([Pose::new(place, spin)?, Pose::new(place, tilted)?])
}

fn ask(floor: &Shape, body: &Resting, pose: &Pose, method: Method) -> Option<Manifold> {
    let options = ManifoldOptions { method, max_points: 16, ..ManifoldOptions::default() };
    manifold(floor, &Pose::IDENTITY, &body.shape, pose, &mut Cache::default(), &options)
}

fn quality(floor: &Shape, body: &Resting, poses: &[[Pose; 2]], method: Method) -> Quality {
    let mut sum = Quality::default();
    for poses in poses {
        let [flat, tilted] = poses.map(|pose| ask(floor, body, &pose, method));
        let share = |found: &Option<Manifold>| found.as_ref().map_or(0.0, area) / body.area;
        let (flat_share, tilted_share) = (share(&flat), share(&tilted));
        sum.points += flat.map_or(0, |found| found.points.len()) as f64;
        sum.area += flat_share;
        sum.bad[0] += f64::from(flat_share < HALF);
        sum.bad[1] += f64::from(tilted_share < HALF);
        sum.jumps += f64::from((flat_share - tilted_share).abs() > HALF);
    }
    let count = poses.len() as f64;
    let [points, area, jumps] = [sum.points, sum.area, sum.jumps].map(|x| x / count);
    Quality { points, area, bad: sum.bad.map(|x| x / count), jumps, nanoseconds: 0.0 }
}

/// Nanoseconds of clipping and of sampling.
fn times(settings: &Settings, floor: &Shape, body: &Resting, poses: &[[Pose; 2]]) -> [f64; 2] {
    let poses = &poses[..poses.len().min(500)];
    macro_rules! batch {
        ($method:expr) => {
            &mut || poses.iter().for_each(|[pose, _]| _ = black_box(ask(floor, body, black_box(pose), $method)))
        };
    }
    let times = interleaved(
        &mut [("clip", batch!(Method::Clip)), ("perturbed", batch!(Method::Perturbed))],
        poses.len(),
        settings,
    );
    [times[0].best, times[1].best]
}

/// The area of the hull of a manifold's points, seen from above.
fn area(found: &Manifold) -> f64 {
    let mut points: Vec<DVec2> = found.points.iter().map(|point| point.points[0].truncate()).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let chain = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut hull: Vec<DVec2> = Vec::new();
        for p in points {
            while hull.len() > 1
                && (hull[hull.len() - 1] - hull[hull.len() - 2]).perp_dot(p - hull[hull.len() - 1]) <= 0.0
            {
                hull.pop();
            }
            hull.push(p);
        }
        hull
    };
    let mut hull = chain(&mut points.iter().copied());
    let mut upper = chain(&mut points.iter().rev().copied());
    hull.pop();
    upper.pop();
    hull.append(&mut upper);
    let twice: f64 = (0..hull.len()).map(|i| hull[i].perp_dot(hull[(i + 1) % hull.len()])).sum();
    0.5 * twice.abs()
}

fn say(report: &mut Report, found: &[(Resting, [Quality; 2])]) {
    let list = |text: &dyn Fn(&[Quality; 2]) -> String, sharp: Option<bool>| {
        let chosen = found.iter().filter(|(body, _)| sharp.is_none_or(|sharp| body.sharp_rim == sharp));
        chosen.map(|(body, of)| format!("{}: {}", body.name, text(of))).collect::<Vec<_>>().join("; ")
    };
    let areas = |[clip, perturbed]: &[Quality; 2]| {
        let part =
            |quality: &Quality| format!("{:.0} % of the face by {:.1} points", 100.0 * quality.area, quality.points);
        format!("{}, clipped {}", part(perturbed), part(clip))
    };
    let of = |sharp: bool| found.iter().filter(move |(body, _)| body.sharp_rim == sharp);
    let good = of(false).all(|(_, [_, perturbed])| perturbed.bad[0] < 0.01);
    let claim =
        "section 5: perturbed manifolds have at least half of the face of boxes, round boxes and prisms that lie flat";
    report.claim(claim, "seem to work for most cases", list(&areas, Some(false)), good);
    let bad = |[clip, perturbed]: &[Quality; 2]| {
        let part =
            |quality: &Quality| format!("{:.0} % flat, {:.0} % tilted", 100.0 * quality.bad[0], 100.0 * quality.bad[1]);
        format!("{}, clipped {}", part(perturbed), part(clip))
    };
    let worse = of(true).all(|(_, [clip, perturbed])| perturbed.bad[1] > 0.5 && clip.bad[1] < 0.01);
    let claim = "section 5: cones and cylinders on their flat ends, tilted by 0.001, have perturbed manifolds of less than half of the face";
    let paper = "problems with cones, cylinders and similar shapes";
    report.claim(claim, paper, list(&bad, None), worse);
    let jumps = |[clip, perturbed]: &[Quality; 2]| {
        format!("{:.0} %, clipped {:.0} %", 100.0 * perturbed.jumps, 100.0 * clip.jumps)
    };
    let jumpy = found.iter().any(|(_, [clip, perturbed])| perturbed.jumps > clip.jumps);
    let claim =
        "section 2.6: a tilt of 0.001 changes perturbed manifolds by half of the face more often than clipped ones";
    report.claim(claim, "a small change can result in a large change", list(&jumps, None), jumpy);
    let slow = |[clip, perturbed]: &[Quality; 2]| format!("{:.2} times", perturbed.nanoseconds / clip.nanoseconds);
    let slower = found.iter().all(|(_, [clip, perturbed])| perturbed.nanoseconds > clip.nanoseconds);
    let claim = "section 5: perturbed sampling is slower than clipping, by the time of a manifold with its depth";
    report.claim(claim, "quite slow", list(&slow, None), slower);
    report.why(
        "the depth is most of the time of either, and a cut of two round faces has twice the points of eight samples",
    );
}
