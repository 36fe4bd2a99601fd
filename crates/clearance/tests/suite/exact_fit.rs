//! Bodies that fill a corridor exactly: what only touches at the start of a motion does not overlap, and is free to go along the walls.
//! Walls and bodies have whole sides, so that whole numbers tell what overlaps and how far each way goes.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{narrow, widen, widen_real};
use clearance::{
    Body, BodyRef, Cache, Cast, CastOptions, Contact, Mesh, MeshOptions, Motion, Polytope, Pose, Rotation, Shape,
    SlideEnd, Start, Vec3, cast, closest, move_body, overlap, slide,
};
use clearance_testkit::passing::worlds::cells;
use clearance_testkit::{HitRate, Rng};
use common::{held, pose_of, u};
use glam::{DQuat, DVec3};

const SIDE: i32 = 5;

/// A block with corridors one cell wide; all around it is free, or solid for a room.
struct Maze {
    solid: Vec<bool>,
    body: Body,
    room: bool,
}

fn index([x, y, z]: [i32; 3]) -> usize {
    ((x * SIDE + y) * SIDE + z) as usize
}

impl Maze {
    fn random(rng: &mut Rng, room: bool) -> Self {
        loop {
            let mut solid = vec![true; (SIDE * SIDE * SIDE) as usize];
            let mut at = [(); 3].map(|()| rng.integer(1, 3) as i32);
            for _ in 0..4 + rng.index(14) {
                solid[index(at)] = false;
                let axis = rng.index(3);
                at[axis] = (at[axis] + if rng.chance(0.5) { 1 } else { -1 }).clamp(1, SIDE - 2);
            }
            let made = cells([SIDE; 3], room, 0.0, rng, |cell| solid[index(cell)]);
            let Some(poly) = made else { continue };
            let points: Vec<Vec3> = poly.vertices.iter().map(|&p| narrow(p)).collect();
            let kind = if room { clearance::Kind::Room } else { clearance::Kind::Auto };
            let options = MeshOptions { kind, ..MeshOptions::default() };
            let Ok(mesh) = Mesh::with_options(&points, &poly.faces, &options) else { continue };
            return Self { solid, body: mesh.into(), room };
        }
    }

    fn free_cells(&self) -> Vec<[i32; 3]> {
        let all = (0..SIDE).flat_map(|x| (0..SIDE).flat_map(move |y| (0..SIDE).map(move |z| [x, y, z])));
        all.filter(|&cell| !self.is_solid(cell)).collect()
    }

    fn is_solid(&self, cell: [i32; 3]) -> bool {
        let within = cell.iter().all(|x| (0..SIDE).contains(x));
        if within { self.solid[index(cell)] } else { self.room }
    }

    /// The free length ahead of a unit cube whose lowest corner is in a cell, shifted along an axis by a share of a cell.
    fn ahead(&self, cell: [i32; 3], axis: usize, step: i32, shift: f64) -> f64 {
        let mut at = cell;
        if step > 0 && shift > 0.0 {
            at[axis] += 1;
        }
        let mut free = 0.0;
        while free < f64::from(2 * SIDE) {
            at[axis] += step;
            if self.is_solid(at) {
                break;
            }
            free += 1.0;
        }
        free + if shift > 0.0 && step > 0 { 1.0 - shift } else { shift }
    }
}

/// A unit cube in a maze: where it is, the axis along which it may be between two cells, and the frame that both are in.
struct Fit {
    maze: Maze,
    cell: [i32; 3],
    axis: usize,
    shift: f64,
    frame: Pose,
    pose: Pose,
}

fn turned(frame: &Pose, v: DVec3) -> DVec3 {
    let m = frame.matrix();
    widen(m.x_axis) * v.x + widen(m.y_axis) * v.y + widen(m.z_axis) * v.z
}

fn moved(pose: &Pose, by: DVec3) -> Pose {
    Pose::new(narrow(widen(pose.translation()) + by), pose.rotation().to_array()).unwrap()
}

fn unit(axis: usize) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|i| f64::from(u8::from(i == axis))))
}

fn fit(rng: &mut Rng, case: usize) -> Fit {
    loop {
        let maze = Maze::random(rng, case % 4 == 3);
        let cell = [(); 3].map(|()| rng.integer(1, 3) as i32);
        let axis = rng.index(3);
        let mut next = cell;
        next[axis] += 1;
        if maze.is_solid(cell) {
            continue;
        }
        let shift = if maze.is_solid(next) { 0.0 } else { held(rng.uniform(0.0, 1.0)) };
        let frame = match case % 3 {
            0 => Pose::IDENTITY,
            1 => pose_of(DVec3::new(rng.integer(-64, 64) as f64, 3.0, -17.0), DQuat::IDENTITY),
            _ => pose_of(rng.in_ball(8.0), rng.rotation()),
        };
        let low = DVec3::from_array(cell.map(f64::from)) + unit(axis) * shift;
        let place = turned(&frame, low + 0.5) + widen(frame.translation());
        let rotation = frame.rotation().to_array();
        let pose = Pose::new(narrow(place), rotation).unwrap();
        return Fit { maze, cell, axis, shift, frame, pose };
    }
}

/// The cube by each of the ways to describe it.
fn cube(rng: &mut Rng) -> Body {
    let corners = [-0.5, 0.5].map(|x| [-0.5, 0.5].map(|y| [-0.5, 0.5].map(|z| Vec3::new(x, y, z))));
    let points: Vec<Vec3> = corners.into_iter().flatten().flatten().collect();
    match rng.index(3) {
        0 => Shape::cuboid([0.5, 0.5, 0.5]).unwrap().into(),
        1 => clearance::Polytope::from_points(&points).unwrap().into(),
        _ => {
            let faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
            Mesh::new(&points, &faces).unwrap().into()
        }
    }
}

fn along(fit: &Fit, body: &Body, way: DVec3) -> Cast {
    let motion = Motion::translation(fit.pose, narrow(turned(&fit.frame, way))).unwrap();
    let options = CastOptions::default();
    cast(&fit.maze.body, &fit.frame, body, &motion, &mut Cache::default(), &options).unwrap()
}

/// What a pose far from the origin is rounded by, and the zone, with room to spare.
fn slack() -> f64 {
    4096.0 * u()
}

#[test]
fn what_fits_exactly_starts_as_overlap_and_closest_say_and_goes_on_along_the_walls() {
    let mut rng = Rng::new(41);
    let (mut between, mut moved) = (HitRate::new("between two cells"), HitRate::new("free to go somewhere"));
    let mut reached = HitRate::new("ways gone to their end");
    for case in 0..300 {
        let (fit, body) = (fit(&mut rng, case), cube(&mut rng));
        between.record(fit.shift > 0.0);
        if !fit.maze.room {
            let near = closest(&fit.maze.body, &fit.frame, &body, &fit.pose, &mut Cache::default());
            let meets = overlap(&fit.maze.body, &fit.frame, &body, &fit.pose, &mut Cache::default());
            assert_ne!(near.contact, Contact::Overlapping, "{case}: {near:?}");
            assert!(near.contact == Contact::Apart || meets.overlap, "{case}: {meets:?}");
        }
        let step = if rng.chance(0.5) { 1 } else { -1 };
        let free = fit.maze.ahead(fit.cell, fit.axis, step, fit.shift);
        for length in [0.001, 1.0 + free] {
            let stop = along(&fit, &body, unit(fit.axis) * (f64::from(step) * length));
            assert!(!matches!(stop.start, Start::Overlapping { .. }), "{case}, {length}: {stop:?}");
            let (right, went) = (free.min(length), widen_real(stop.fraction) * length);
            let context = || {
                let Fit { axis, cell, shift, .. } = &fit;
                let cells = fit.maze.free_cells();
                format!(
                    "{case}: {went} of {length}, {right} is free, along {axis}·{step} from {cell:?} + {shift} in {cells:?}: {stop:?}"
                )
            };
            assert!(went <= right + slack() && widen_real(stop.upper) * length >= right - slack(), "{}", context());
            // A long way may be held by what it passes flush; a short one is free if there is room.
            reached.record(went >= right - slack() - 1e-6 * length);
            assert!(length > right || went >= right - slack(), "{}", context());
        }
        moved.record(free > 0.0);
        let obstacles = [(BodyRef::from(&fit.maze.body), fit.frame)];
        let way = turned(&fit.frame, unit(fit.axis) * (f64::from(step) * (1.0 + free)) + rng.in_ball(0.5));
        let options = CastOptions::default();
        let slid = slide(&obstacles, &body, &fit.pose, narrow(way), &mut Cache::default(), &options).unwrap();
        assert!(slid.end != SlideEnd::Overlapping && slid.way_out.is_none(), "{case}: {slid:?}");
        let turn = Rotation { origin: fit.pose.translation(), axis: narrow(rng.unit_vector()), angle: 0.3 };
        let moved =
            move_body(&obstacles, &body, &fit.pose, narrow(way), turn, &mut Cache::default(), &options).unwrap();
        for (_, part) in [moved.translation, moved.rotation] {
            assert!(!matches!(part.start, Start::Overlapping { .. }), "{case}: {moved:?}");
        }
    }
    reached.assert_between(0.95, 1.0);
    between.assert_between(0.2, 0.9);
    moved.assert_between(0.3, 1.0);
}

#[test]
fn walks_through_exact_corridors_are_never_said_to_overlap() {
    let mut rng = Rng::new(42);
    let (options, mut cache) = (CastOptions::default(), Cache::default());
    let mut steps = HitRate::new("steps that went somewhere");
    for case in 0..60 {
        let (fit, body) = (fit(&mut rng, case), cube(&mut rng));
        let obstacles = [(BodyRef::from(&fit.maze.body), fit.frame)];
        let mut pose = fit.pose;
        for step in 0..20 {
            let way = narrow(turned(&fit.frame, unit(rng.index(3)) * rng.uniform(-1.5, 1.5) + rng.in_ball(0.1)));
            let before = pose.translation();
            if rng.chance(0.7) {
                let slid = slide(&obstacles, &body, &pose, way, &mut cache, &options).unwrap();
                assert!(slid.end != SlideEnd::Overlapping, "{case}.{step}: {slid:?}");
                pose = slid.pose;
            } else {
                let turn = Rotation { origin: before, axis: narrow(rng.unit_vector()), angle: 0.5 };
                let moved = move_body(&obstacles, &body, &pose, way, turn, &mut cache, &options).unwrap();
                for (_, part) in [moved.translation, moved.rotation] {
                    assert!(!matches!(part.start, Start::Overlapping { .. }), "{case}.{step}: {moved:?}");
                }
                pose = moved.pose;
            }
            steps.record((widen(pose.translation()) - widen(before)).length() > 1e-3);
        }
    }
    steps.assert_between(0.1, 0.95);
}

#[test]
fn what_is_in_a_wall_starts_in_overlap_with_a_way_out() {
    let mut rng = Rng::new(43);
    let mut overlaps = HitRate::new("in a wall");
    for case in 0..200 {
        let (mut fit, body) = (fit(&mut rng, case - case % 4), cube(&mut rng));
        let side = (fit.axis + 1 + rng.index(2)) % 3;
        let by = unit(side) * (rng.sign() * rng.log_uniform(if common::SINGLE { 0.01 } else { 1e-6 }, 0.4));
        let step = if by.element_sum() > 0.0 { 1 } else { -1 };
        fit.pose = moved(&fit.pose, turned(&fit.frame, by));
        let blocked = fit.maze.ahead(fit.cell, side, step, 0.0) == 0.0;
        let near = closest(&fit.maze.body, &fit.frame, &body, &fit.pose, &mut Cache::default());
        let stop = along(&fit, &body, unit(fit.axis) * 0.01);
        let is_overlap = matches!(stop.start, Start::Overlapping { .. });
        assert_eq!(is_overlap, near.contact == Contact::Overlapping, "{case}: {by} {near:?} {stop:?}");
        overlaps.record(is_overlap);
        if blocked {
            let Start::Overlapping { way_out } = stop.start else { panic!("{case}: {by} {stop:?}") };
            let out = moved(&fit.pose, widen(way_out));
            let after = closest(&fit.maze.body, &fit.frame, &body, &out, &mut Cache::default());
            assert_ne!(after.contact, Contact::Overlapping, "{case}: {way_out} {after:?}");
        }
    }
    overlaps.assert_between(0.3, 1.0);
}

/// A corridor with a niche, where an edge of the cube passes through the corner of a polygon beyond whose sides the surface goes on: in all
/// directions, with the cube anywhere along it.
#[test]
fn an_edge_through_a_corner_of_seams_is_no_overlap() {
    const FREE: [[i32; 3]; 5] = [[2, 1, 1], [2, 2, 1], [2, 2, 2], [2, 3, 1], [3, 3, 1]];
    let mut rng = Rng::new(44);
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for mirrors in 0..8 {
            let mirror = |i: usize, x: f64| if mirrors >> i & 1 == 1 { f64::from(SIDE) - x } else { x };
            let place = |p: DVec3| DVec3::from_array(std::array::from_fn(|i| mirror(i, p[order[i]])));
            let open = FREE
                .map(|cell| place(DVec3::from_array(cell.map(f64::from)) + 0.5).floor().to_array().map(|x| x as i32));
            let poly = cells([SIDE; 3], false, 0.0, &mut rng, |cell| !open.contains(&cell)).unwrap();
            let points: Vec<Vec3> = poly.vertices.iter().map(|&p| narrow(p)).collect();
            let maze: Body = Mesh::new(&points, &poly.faces).unwrap().into();
            let x = held(rng.uniform(2.51, 3.4));
            let [start, end] = [x, x + 0.001].map(|x| place(DVec3::new(x, 3.5, 1.5)));
            let motion = Motion::translation(pose_of(start, DQuat::IDENTITY), narrow(end - start)).unwrap();
            let (body, options) = (cube(&mut rng), CastOptions::default());
            let stop = cast(&maze, &Pose::IDENTITY, &body, &motion, &mut Cache::default(), &options).unwrap();
            assert_eq!((stop.start, stop.fraction), (Start::Touching, 1.0), "{order:?} {mirrors} {x}: {stop:?}");
        }
    }
}

/// Hulls inside of a box that reach from one of its faces to the one opposite: deep in it however flush they are.
#[test]
fn what_is_flush_inside_starts_in_overlap() {
    let mut rng = Rng::new(47);
    let half = DVec3::new(1.0, 0.75, 0.75);
    let mut told = HitRate::new("told");
    for case in 0..4000 {
        let corners: Vec<Vec3> = (0..8).map(|i| narrow(corner_of(half, i))).collect();
        let cut = &corners[usize::from(rng.chance(0.5))..];
        let mut inner: Vec<Vec3> = (0..4)
            .map(|i| {
                let within = DVec3::new(0.25, 1.0, 1.0 / 3.0) * half;
                narrow(corner_of(within, [0b011, 0b101, 0b110, 0b111][i]))
            })
            .collect();
        if rng.chance(0.5) {
            inner.push(narrow(rng.in_box(half * 0.2)));
        }
        let [a, b] = [&inner[..], cut].map(|points| Body::from(Polytope::from_points(points).unwrap()));
        let turn = rng.rotation();
        let at = if rng.chance(0.5) { DVec3::ZERO } else { rng.in_ball(4.0) };
        let place = pose_of(at, turn);
        let by = narrow(rng.in_ball(1.0));
        for bodies in [[&a, &b], [&b, &a]] {
            let obstacles = [(BodyRef::from(bodies[0]), place)];
            let options = CastOptions::default();
            let slid = slide(&obstacles, bodies[1], &place, by, &mut Cache::default(), &options).unwrap();
            told.record(slid.end == SlideEnd::Overlapping);
            assert_eq!(slid.end, SlideEnd::Overlapping, "{case}: {place:?} {inner:?} {cut:?} {by}: {slid:?}");
        }
    }
    told.assert_between(1.0, 1.0);
}

fn corner_of(half: DVec3, i: usize) -> DVec3 {
    let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
    half * DVec3::new(sign(0), sign(1), sign(2))
}
