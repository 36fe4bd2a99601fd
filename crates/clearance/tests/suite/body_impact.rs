//! Moving bodies of any shape: never later than the first contact, no earlier than the tolerance allows, nothing missed.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::meshes;
use clearance::ccd::polyhedra::{self, CastScratch, Rotation, TrajectoryOptions, cast_rotation, cast_translation};
use clearance::ccd::{ImpactOptions, Motion, bodies};
use clearance::concave::{BodyCache, closest};
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::tolerance::{IMPACT_FAR, IMPACT_SIGMAS, IMPACT_TOLERANCE, UNIT_ROUNDOFF, sigma};
use clearance::{Body, Compound, Contact, HalfSpace};
use clearance::{End, Pose, Real, Shape};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use common::{SINGLE, narrowed, pose_of};
use glam::DVec3;
use meshes::body;

fn ask(a: &Body, of_a: &Motion, b: &Body, of_b: &Motion) -> clearance::ccd::BodyImpact {
    bodies::time_of_impact(a, of_a, b, of_b, &ImpactOptions::default())
}

/// Bodies about as large as one.
fn catalogue(rng: &mut Rng) -> Vec<Body> {
    let mut seeds = Rng::new(rng.index(1 << 30) as u64);
    let spiky = Polyhedron::star(2, |_| seeds.uniform(0.4, 1.0));
    let ring = body(&Polyhedron::torus(0.8, 0.2, 12, 6));
    let ball = Body::from(Shape::sphere(0.3).unwrap());
    let rod = Body::from(Shape::cuboid([0.9, 0.1, 0.1]).unwrap());
    let cone = Body::from(Shape::cone(0.8, 0.4).unwrap());
    let place = |x: f64, y: f64| pose_of(DVec3::new(x, y, 0.0), glam::DQuat::from_rotation_z(x + y));
    let parts = [(ring.clone(), place(0.0, 0.5)), (ball.clone(), place(0.9, 0.0)), (rod.clone(), place(-0.2, -0.6))];
    vec![
        body(&spiky),
        ring,
        body(&Polyhedron::trefoil(0.35, 30, 5).mapped(|p| p * 0.33)),
        body(&Polyhedron::notched().mapped(|p| p * 0.6)),
        body(&Polyhedron::terrain(rng, 8)),
        Compound::new(parts).unwrap().into(),
        ball,
        rod,
        cone,
    ]
}

fn random_motion(rng: &mut Rng, from: DVec3, to: DVec3) -> Motion {
    let start = pose_of(from, rng.rotation());
    match rng.index(3) {
        0 => Motion::between(start, pose_of(to, rng.rotation())),
        1 => {
            let fastest = if rng.chance(0.2) { 20.0 } else { 4.0 };
            let angular = rng.in_ball(fastest);
            Motion::with_velocity(start, narrow(to - from), narrow(angular)).unwrap()
        }
        _ => {
            let angle = narrow_real(rng.uniform(-8.0, 8.0));
            Motion::rotation(start, narrow(from + rng.in_ball(2.0)), narrow(rng.unit_vector()), angle).unwrap()
        }
    }
}

/// How near bodies of that size, so far apart and so far away, may be when they have met.
fn nearness(size: f64, apart: f64, far: f64) -> f64 {
    let rounding = widen_real(IMPACT_SIGMAS * sigma(narrow_real(size + apart)));
    let far = 3.0 * widen_real(IMPACT_FAR * UNIT_ROUNDOFF) * (far + apart);
    (widen_real(IMPACT_TOLERANCE) * size).max(rounding + far) * 1.01
}

/// Every kind of pair under every kind of motion, near the origin and far from it, against a dense sampling of the distance.
#[test]
fn never_late_and_nothing_missed() {
    let mut rng = Rng::new(161);
    let (mut hits, mut converged) = (HitRate::new("meetings"), HitRate::new("converged"));
    let mut looks = 0;
    let cases = 400;
    for case in 0..cases {
        let list = catalogue(&mut rng);
        let (a, b) = (&list[rng.index(list.len())], &list[rng.index(6)]);
        let size = widen_real(a.bounding_radius() + b.bounding_radius());
        let far = if case % 4 == 0 { DVec3::new(3e3, -1e4, 2e3) } else { DVec3::ZERO };
        let mut place = |reach: f64| far + rng.unit_vector() * size * reach;
        let (first, second) = ([place(0.8), place(0.3)], [place(0.8), place(0.3)]);
        let of_a = random_motion(&mut rng, first[0], first[1]);
        let of_b = random_motion(&mut rng, second[0], second[1]);
        let impact = ask(a, &of_a, b, &of_b);
        let at = |time: Real| closest(a, &of_a.pose(time), b, &of_b.pose(time), &mut BodyCache::default());
        let what = format!("{case} {impact:?}");
        looks += u64::from(impact.impact.iterations);
        converged.record(impact.impact.end == End::Converged);
        let near = nearness(size, 6.0 * size, far.length());
        if impact.impact.at_start {
            assert!(widen_real(at(0.0).distance) <= near, "{what}: {:?}", at(0.0));
            continue;
        }
        let until = impact.impact.time.unwrap_or(1.0);
        let rounding = 0.5 * near.min(nearness(0.0, 6.0 * size, far.length()));
        for i in 0..=100 {
            let time = until * narrow_real(f64::from(i) / 100.0);
            let there = at(time);
            assert!(widen_real(there.distance) > -rounding, "{what}: {there:?} at {time}");
        }
        if let Some(time) = impact.impact.time {
            let there = at(time);
            let late = there.contact == Contact::Overlapping && widen_real(-there.distance) > rounding;
            assert!(!late && widen_real(there.distance) <= near, "{what}: {there:?}");
            let [p, q] = impact.impact.points.map(widen);
            assert!(p.distance(q) <= near && impact.impact.lower <= time, "{what}");
        }
        hits.record(impact.impact.time.is_some());
    }
    println!("{} of {} meet, {} looks each", hits.hits(), hits.trials(), looks as f64 / f64::from(cases));
    hits.assert_between(0.3, 0.9);
    converged.assert_between(if SINGLE { 0.97 } else { 0.99 }, 1.0);
}

/// Half-spaces that turn, against the height of bodies above them at many times.
#[test]
fn half_spaces_that_turn_meet_bodies_in_time() {
    let mut rng = Rng::new(163);
    let (mut hits, mut converged) = (HitRate::new("meetings"), HitRate::new("converged"));
    for case in 0..300 {
        let list = catalogue(&mut rng);
        let other = &list[rng.index(list.len())];
        let normal = narrow(rng.unit_vector());
        let floor = Body::from(HalfSpace::new(normal, narrow_real(rng.uniform(-0.5, 0.5))).unwrap());
        let turned = glam::DQuat::from_rotation_arc(widen(normal), rng.unit_vector());
        let up = turned * widen(normal);
        let start = pose_of(rng.in_ball(1.0), turned);
        let angular = narrow(rng.in_ball(2.0));
        let of_floor = Motion::with_velocity(start, narrow(rng.in_ball(1.0)), angular).unwrap();
        let above = up * rng.uniform(1.8, 4.0) + rng.in_ball(1.0);
        let to = above + rng.in_ball(2.0);
        let of_other = random_motion(&mut rng, above, to);
        let (pair, motions) = if rng.chance(0.5) {
            ([&floor, other], [&of_floor, &of_other])
        } else {
            ([other, &floor], [&of_other, &of_floor])
        };
        let impact = ask(pair[0], motions[0], pair[1], motions[1]).impact;
        let at = |time: Real| {
            let [a, b] = motions.map(|motion| motion.pose(time));
            widen_real(closest(pair[0], &a, pair[1], &b, &mut BodyCache::default()).distance)
        };
        let what = format!("{case} {impact:?}");
        // What of the half-space is followed: both origins, their ways and the body. Its points are rounded as those of a user's motion.
        let reach = 24.0;
        let rounding =
            widen_real(IMPACT_SIGMAS * sigma(narrow_real(reach))) + 512.0 * widen_real(UNIT_ROUNDOFF) * reach;
        let near = rounding.max(nearness(widen_real(other.bounding_radius()), 16.0, 0.0));
        if impact.at_start {
            assert!(at(0.0) <= near, "{what}");
            continue;
        }
        converged.record(impact.end == End::Converged);
        hits.record(impact.time.is_some());
        let until = widen_real(impact.time.unwrap_or(impact.lower));
        for i in 0..=100 {
            let there = at(narrow_real(until * f64::from(i) / 100.0));
            assert!(there > -near, "{what}: {there} at {i} %");
        }
        assert!(impact.time.is_none_or(|time| at(time) <= near), "{what}");
    }
    hits.assert_between(0.2, 0.8);
    converged.assert_between(0.99, 1.0);
}

/// Straight ways and turns of polyhedra: the same first contact as the trajectories of their features have.
#[test]
fn casts_of_features_agree() {
    let mut rng = Rng::new(167);
    let (mut straight, mut turned) = (HitRate::new("translations that meet"), HitRate::new("rotations that meet"));
    for case in 0..300 {
        let kinds = [
            Polyhedron::star(1, |_| rng.uniform(0.4, 1.0)),
            Polyhedron::torus(0.8, 0.2, 10, 5),
            Polyhedron::notched().mapped(|p| p * 0.6),
        ];
        let [of_a, of_b] = [&kinds[case % 3], &kinds[case / 3 % 3]];
        let [a, b] = [of_a, of_b].map(body);
        let cast_of = |p: &Polyhedron| polyhedra::Polyhedron::from_faces(&narrowed(&p.vertices), &p.faces).unwrap();
        let [world, moved] = [of_a, of_b].map(cast_of);
        let pose_a = pose_of(DVec3::ZERO, rng.rotation());
        let from = rng.unit_vector() * rng.uniform(1.2, 2.4);
        let pose_b = pose_of(from, rng.rotation());
        let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
        let tolerance = if SINGLE { 1.0e-4 } else { 1.0e-9 };
        let still = Motion::still(pose_a);
        let is_turn = case % 2 == 0;
        let (cast, motion) = if is_turn {
            let angle = narrow_real(rng.uniform(-3.0, 3.0));
            let (origin, axis) = (narrow(from + rng.in_ball(1.5)), narrow(rng.unit_vector()));
            let rotation = Rotation { origin, axis, angle };
            let cast = cast_rotation(&world, &pose_a, &moved, &pose_b, rotation, &options, &mut scratch).unwrap();
            (cast, Motion::rotation(pose_b, origin, axis, angle).unwrap())
        } else {
            let way = narrow(-from * rng.uniform(0.3, 1.5) + rng.in_ball(1.0));
            let cast = cast_translation(&world, &pose_a, &moved, &pose_b, way, &options, &mut scratch).unwrap();
            (cast, Motion::with_velocity(pose_b, way, [0.0; 3]).unwrap())
        };
        let impact =
            bodies::time_of_impact(&a, &still, &b, &motion, &ImpactOptions { tolerance, ..ImpactOptions::default() })
                .impact;
        if cast.overlap.is_some() || impact.at_start {
            assert!(impact.at_start && (cast.overlap.is_some() || cast.fraction == 0.0), "{case}: {cast:?} {impact:?}");
            continue;
        }
        if is_turn { &mut turned } else { &mut straight }.record(cast.hit.is_some());
        // Advancement is early by its tolerance, the cast by its zone; a graze stretches both.
        let slack = widen_real((4.0 * tolerance.max(cast.zone)).sqrt());
        let fraction = widen_real(cast.fraction);
        match impact.time {
            Some(time) => assert!((fraction - widen_real(time)).abs() < slack, "{case}: {cast:?} {impact:?}"),
            None => assert!(fraction > 1.0 - slack, "{case}: {cast:?} {impact:?}"),
        }
    }
    straight.assert_between(0.3, 0.9);
    turned.assert_between(0.1, 0.9);
}

fn cube_mesh() -> Body {
    body(&Polyhedron::cuboid(DVec3::ONE))
}

fn at(x: Real, y: Real, z: Real) -> Pose {
    Pose::from_translation([x, y, z]).unwrap()
}

fn straight(from: Pose, velocity: [Real; 3]) -> Motion {
    Motion::with_velocity(from, velocity, [0.0; 3]).unwrap()
}

/// Two cubes that rest on each other exactly, as meshes, as shapes and as parts.
fn cubes() -> Vec<[Body; 2]> {
    let shape = Body::from(Shape::cuboid([1.0; 3]).unwrap());
    let part: Body = Compound::new([(shape.clone(), at(0.0, 0.0, 0.0))]).unwrap().into();
    let mesh = cube_mesh();
    vec![[mesh.clone(), mesh.clone()], [mesh.clone(), shape.clone()], [shape.clone(), mesh.clone()], [part, mesh]]
}

#[test]
fn touching_bodies_may_part_and_slide_and_may_not_enter() {
    let still = Motion::still(Pose::IDENTITY);
    for [a, b] in cubes() {
        for (offset, what) in [(0.0, "aligned"), (0.25, "shifted"), (2.0, "edge to edge")] {
            let start = at(offset, 0.0, 2.0);
            let up = ask(&a, &still, &b, &straight(start, [0.0, 0.0, 3.0])).impact;
            assert!(up.time.is_none() && up.end == End::Converged, "{what}: {up:?}");
            let aside = ask(&a, &still, &b, &straight(start, [5.0, 0.3, 0.0])).impact;
            assert!(aside.time.is_none() && aside.end == End::Converged, "{what}: {aside:?}");
            let down = ask(&a, &still, &b, &straight(start, [-0.5, 0.0, -1.0])).impact;
            assert!(down.at_start, "{what}: {down:?}");
            // Away, round and back: the second contact counts, and not the first.
            let round = Motion::rotation(start, [offset - 4.0, 0.0, 2.0], [0.0, 1.0, 0.0], -6.5).unwrap();
            let back = ask(&a, &still, &b, &round).impact;
            assert!(back.time.is_some_and(|time| time > 0.3), "{what}: {back:?}");
        }
        let spinning = Motion::with_velocity(at(0.0, 0.0, 2.0), [0.0; 3], [0.0, 0.0, 7.0]).unwrap();
        let spin = ask(&a, &still, &b, &spinning).impact;
        assert!(spin.time.is_none() && spin.end == End::Converged, "{spin:?}");
        let tilting = Motion::with_velocity(at(0.0, 0.0, 2.0), [0.0; 3], [1.0, 0.0, 0.0]).unwrap();
        assert!(ask(&a, &still, &b, &tilting).impact.at_start);
    }
}

#[test]
fn one_inside_the_other_has_met() {
    let (large, small) = (body(&Polyhedron::sphere(3.0, 2)), body(&Polyhedron::torus(0.5, 0.1, 10, 5)));
    let still = Motion::still(Pose::IDENTITY);
    let inside = ask(&large, &still, &small, &straight(at(0.2, 0.0, 0.0), [9.0, 0.0, 0.0])).impact;
    assert!(inside.at_start && inside.time == Some(0.0) && inside.distance < 0.0, "{inside:?}");
    let ball = Body::from(Shape::sphere(0.5).unwrap());
    assert!(ask(&ball, &still, &large, &straight(at(0.2, 0.0, 0.0), [9.0, 0.0, 0.0])).impact.at_start);
}

/// In the hollow of a shell all is free; what moves hits it from inside, when the formula says.
#[test]
fn in_a_shell() {
    let shell = body(&Polyhedron::shell(3.0, 2.0, 3));
    let ring = body(&Polyhedron::torus(0.8, 0.3, 24, 12));
    let still = Motion::still(Pose::IDENTITY);
    let spinning = Motion::with_velocity(Pose::IDENTITY, [0.0; 3], [3.0, 9.0, -4.0]).unwrap();
    let free = ask(&shell, &still, &ring, &spinning);
    assert!(free.impact.time.is_none() && free.impact.end == End::Converged, "{free:?}");
    // As large as the hollow but for a hundredth, turning all the time.
    let tight = body(&Polyhedron::sphere(1.9, 3));
    let free = ask(&shell, &still, &tight, &spinning);
    assert!(free.impact.time.is_none() && free.impact.end == End::Converged, "{free:?}");
    println!("{} looks at a ball in a tight shell", free.impact.iterations);
    let ball = Body::from(Shape::sphere(0.5).unwrap());
    let flying = Motion::with_velocity(Pose::IDENTITY, [0.0, 0.0, 4.0], [1.0, 2.0, 3.0]).unwrap();
    let hit = ask(&shell, &still, &ball, &flying).impact;
    // A vertex of the hollow is at the top.
    assert!(hit.time.is_some_and(|time| (0.36..0.3751).contains(&time)), "{hit:?}");
}

/// A pass that leaves a gap is free however small the gap; one that grazes by as much is a hit.
#[test]
fn grazing() {
    let ring = body(&Polyhedron::torus(1.0, 0.25, 48, 16));
    let ball = Body::from(Shape::sphere(0.25).unwrap());
    let still = Motion::still(Pose::IDENTITY);
    let near = if SINGLE { 1e-2 } else { 1e-4 };
    for gap in [near, -near] {
        // Over the top of the tube, along the direction of the tube, where a vertex is.
        let over = straight(at(1.0, -3.0, 0.5 + gap), [0.0, 6.0, 0.0]);
        let pass = ask(&ring, &still, &ball, &over).impact;
        assert_eq!(pass.time.is_none(), gap > 0.0, "{gap}: {pass:?}");
        assert_eq!(pass.end, End::Converged);
        let turning = Motion::rotation(at(1.0, 0.0, 0.5 + gap), [1.0, 0.0, 4.0], [1.0, 0.0, 0.0], 0.5).unwrap();
        let swing = ask(&ring, &still, &ball, &turning).impact;
        assert_eq!(swing.time.is_none(), gap > 0.0, "{gap}: {swing:?}");
    }
}

/// The pair's size and its place do not matter, and the same question has the same answer to the last bit.
#[test]
fn scales_and_repeats() {
    for scale in [1e-3, 1.0, 1e3] {
        let a = body(&Polyhedron::notched().mapped(|p| p * scale));
        let b = body(&Polyhedron::torus(0.8, 0.2, 12, 6).mapped(|p| p * scale));
        let place = |z: f64| pose_of(DVec3::new(0.1, 0.0, z) * scale, glam::DQuat::from_rotation_x(0.4));
        let (of_a, of_b) = (Motion::still(Pose::IDENTITY), Motion::between(place(3.0), place(-1.0)));
        let [first, second] = [(); 2].map(|()| ask(&a, &of_a, &b, &of_b));
        assert_eq!(first, second);
        let time = widen_real(first.impact.time.unwrap());
        assert!((time - 0.33).abs() < 0.1, "{scale}: {time}");
        let swapped = ask(&b, &of_b, &a, &of_a).impact;
        let slack = 10.0 * widen_real(IMPACT_TOLERANCE);
        assert!((widen_real(swapped.time.unwrap()) - time).abs() < slack, "{swapped:?} {first:?}");
    }
}
