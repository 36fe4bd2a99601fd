//! Scenes: a world, bodies in it, and chains of casts, each from where the last one ended.

use glam::{DQuat, DVec3};

use super::judge::Case;
use super::motion::Motion;
use super::surface::{Fixed, Placed, Surface};
use super::tally::{Fault, Tally};
use super::{Answer, Caster, bodies, worlds};
use crate::meshes::Polyhedron;
use crate::random::Rng;

/// Where a scene is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The world about the origin.
    Origin,
    /// The world posed ten thousand units away.
    Far,
    /// The vertices of the world ten thousand units away, the world's pose the identity.
    Shifted,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Origin, Self::Far, Self::Shifted];
    /// How far away.
    pub const DISTANCE: f64 = 10_000.0;

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Origin => "origin",
            Self::Far => "posed 10,000 away",
            Self::Shifted => "vertices 10,000 away",
        }
    }
}

/// A scene by its number.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// Decides everything.
    pub seed: u64,
    /// Where it is.
    pub place: Place,
    /// Bodies tried in the world.
    pub bodies: usize,
    /// Casts of each body.
    pub casts: usize,
}

/// Places tried for a body.
const TRIES: usize = 24;
/// The size of scenes with shifted vertices, so that single precision can tell their features apart.
const SHIFTED_SCALE: f64 = 32.0;

/// A body or a world for both sides.
struct Both<C: Caster> {
    surface: Surface,
    shape: C::Shape,
}

impl<C: Caster> Both<C> {
    /// As the precision holds it; nothing, and counted, if the library does not take it.
    fn new(mut polyhedron: Polyhedron, room: bool, tally: &mut Tally) -> Option<Self> {
        polyhedron.vertices.iter_mut().for_each(|v| *v = C::held_vector(*v));
        let shape = C::shape(&polyhedron.vertices, &polyhedron.faces, room).ok();
        *if shape.is_some() { &mut tally.made } else { &mut tally.unmade } += 1;
        Some(Self { surface: Surface::new(&polyhedron), shape: shape? })
    }
}

struct Chain<'a, C: Caster> {
    scene: &'a Scene,
    world: &'a Both<C>,
    pose_w: C::Pose,
    fixed: &'a Fixed<'a>,
    body: &'a Both<C>,
    scale: f64,
    kind: &'static str,
}

impl Scene {
    /// Runs and judges the scene.
    pub fn run<C: Caster>(&self, scratch: &mut C::Scratch) -> Tally {
        let mut rng = Rng::new(self.seed);
        let kind = rng.index(worlds::KINDS);
        let made = worlds::world(kind, &mut rng);
        let scale = match self.place {
            Place::Shifted => SHIFTED_SCALE,
            _ if rng.chance(0.3) => rng.log_uniform(0.01, 100.0),
            _ => 1.0,
        };
        let away = C::held_vector(rng.unit_vector() * Place::DISTANCE);
        let shift = if self.place == Place::Shifted { away } else { DVec3::ZERO };
        let polyhedron = made.polyhedron.mapped(|v| v * scale + shift);
        let mut tally = Tally::default();
        let Some(world) = Both::<C>::new(polyhedron, made.free < 0, &mut tally) else { return tally };
        let turn = if rng.chance(0.4) { DQuat::IDENTITY } else { rng.rotation() };
        let pose_w = match self.place {
            Place::Origin => C::pose(rng.in_ball(scale), turn),
            Place::Far => C::pose(away, turn),
            Place::Shifted => C::pose(DVec3::ZERO, DQuat::IDENTITY),
        };
        let fixed = Fixed::new(&world.surface, C::stored(&pose_w).0, Some(made.free));
        for _ in 0..self.bodies {
            let size = scale * rng.log_uniform(0.1, 0.7) * if self.place == Place::Shifted { 1.5 } else { 1.0 };
            let kind = rng.index(bodies::KINDS);
            let polyhedron = bodies::body(kind, size, &mut rng);
            let Some(body) = Both::<C>::new(polyhedron, false, &mut tally) else { continue };
            let chain =
                Chain { scene: self, world: &world, pose_w, fixed: &fixed, body: &body, scale, kind: made.kind };
            chain.run(&mut rng, scratch, &mut tally);
        }
        for _ in 0..self.bodies {
            judge_point::<C>(&world, &pose_w, &fixed, scale, &mut rng, &mut tally);
        }
        tally
    }
}

impl<C: Caster> Chain<'_, C> {
    fn run(&self, rng: &mut Rng, scratch: &mut C::Scratch, tally: &mut Tally) {
        let Some(mut pose) = self.start(rng, scratch, tally) else { return };
        let mut last: Option<DVec3> = None;
        for number in 0..self.scene.casts {
            let motion = self.motion(&pose, last, rng);
            match self.cast(&pose, &motion, number, scratch, tally) {
                Some((answer, true)) => {
                    pose = answer.pose;
                    last = answer.normal.or(last);
                }
                _ => {
                    let Some(again) = self.start(rng, scratch, tally) else { return };
                    (pose, last) = (again, None);
                }
            }
            // Off into the open: elsewhere there is more to meet.
            let apart = self.fixed.gap(&self.placed(&pose), 3.0 * self.scale);
            if apart >= 2.0 * self.scale {
                let Some(again) = self.start(rng, scratch, tally) else { return };
                (pose, last) = (again, None);
            }
        }
    }

    fn placed(&self, pose: &C::Pose) -> Placed<'_> {
        Placed::new(&self.body.surface, C::stored(pose).0, self.fixed.origin)
    }

    /// One cast, judged; the answer, and whether it may be built upon. Nothing if it was refused.
    fn cast(
        &self,
        pose: &C::Pose,
        motion: &Motion,
        number: usize,
        scratch: &mut C::Scratch,
        tally: &mut Tally,
    ) -> Option<(Answer<C::Pose>, bool)> {
        let shapes = [&self.world.shape, &self.body.shape];
        let Ok(answer) = C::cast(shapes, [&self.pose_w, pose], motion, scratch) else {
            tally.refused += 1;
            return None;
        };
        let start = C::stored(pose).0;
        let case = Case { fixed: self.fixed, body: &self.body.surface, start, motion: *motion };
        let note = || {
            let Scene { seed, place, .. } = self.scene;
            format!(
                "scene {seed} ({}, {}), cast {number}, {motion:?} from {}",
                place.name(),
                self.kind,
                start.translation
            )
        };
        let well = case.judge(&answer, C::stored(&answer.pose).0, tally, note);
        Some((answer, well))
    }

    /// A pose at which the body is free. Those tried that are not must be reported as overlaps.
    fn start(&self, rng: &mut Rng, scratch: &mut C::Scratch, tally: &mut Tally) -> Option<C::Pose> {
        let [low, high] = self.fixed.bounds();
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low) + 0.3 * self.scale);
        for attempt in 0..TRIES {
            let place = self.fixed.origin + middle + rng.in_box(half);
            let turn = if rng.chance(0.3) { C::stored(&self.pose_w).1 } else { rng.rotation() };
            let pose = C::pose(C::held_vector(place), turn);
            if !self.fixed.overlaps(&self.placed(&pose)) {
                return Some(pose);
            }
            if attempt == 0 {
                let motion = self.motion(&pose, None, rng);
                self.cast(&pose, &motion, 0, scratch, tally);
            }
        }
        None
    }

    fn motion(&self, pose: &C::Pose, last: Option<DVec3>, rng: &mut Rng) -> Motion {
        if rng.chance(0.5) { self.translation(last, rng) } else { self.rotation(pose, last, rng) }
    }

    /// Along anything: at random, an axis, an edge of the world or of the body, into or along what was met last.
    fn direction(&self, last: Option<DVec3>, rng: &mut Rng) -> DVec3 {
        let edge = |placed: &Placed, rng: &mut Rng| {
            let [a, b] = rng.pick(&placed.surface.edges).map(|v| placed.points[v as usize]);
            (b - a).normalize_or(DVec3::X)
        };
        match (rng.index(6), last) {
            (0, _) => rng.pick(&DVec3::AXES) * rng.sign(),
            (1, _) => edge(&self.fixed.placed, rng) * rng.sign(),
            (2, Some(normal)) => -normal,
            (3, Some(normal)) => normal.cross(rng.unit_vector()).normalize_or(DVec3::X),
            (4, Some(normal)) => (rng.unit_vector() - normal).normalize_or(normal),
            _ => rng.unit_vector(),
        }
    }

    fn translation(&self, last: Option<DVec3>, rng: &mut Rng) -> Motion {
        let length = match rng.index(8) {
            0 => rng.log_uniform(1e-9, 1e-2),
            1 => rng.log_uniform(10.0, 1000.0),
            _ => rng.uniform(0.05, 3.0),
        };
        Motion::Translation(C::held_vector(self.direction(last, rng) * (length * self.scale)))
    }

    fn rotation(&self, pose: &C::Pose, last: Option<DVec3>, rng: &mut Rng) -> Motion {
        let placed = self.placed(pose);
        let place = C::stored(pose).0.translation;
        let corner = |v: u32| placed.points[v as usize] + self.fixed.origin;
        let [from, to] = rng.pick(&placed.surface.edges).map(corner);
        let (origin, axis) = match rng.index(6) {
            0 => (corner(rng.index(placed.points.len()) as u32), rng.unit_vector()),
            1 => (from, (to - from).normalize_or(DVec3::Z)),
            2 => (place + rng.unit_vector() * (self.scale * rng.log_uniform(3.0, 30.0)), rng.unit_vector()),
            3 => (place, rng.pick(&DVec3::AXES)),
            4 => (place + rng.in_ball(self.scale), last.unwrap_or(DVec3::Z)),
            _ => (place + rng.in_ball(0.3 * self.scale), rng.unit_vector()),
        };
        let angle = match rng.index(8) {
            0 => rng.log_uniform(1e-9, 1e-2),
            1 => rng.uniform(3.0, 20.0),
            _ => rng.uniform(0.02, 3.0),
        };
        let [origin, axis] = [origin, axis].map(C::held_vector);
        Motion::Rotation { origin, axis, angle: C::held(angle * rng.sign()) }
    }
}

/// The way of a point through the world, against the first front that it goes through by more than rounding.
fn judge_point<C: Caster>(
    world: &Both<C>,
    pose: &C::Pose,
    fixed: &Fixed,
    scale: f64,
    rng: &mut Rng,
    tally: &mut Tally,
) {
    let [low, high] = fixed.bounds();
    let from = C::held_vector(fixed.origin + 0.5 * (low + high) + rng.in_box(0.6 * (high - low)));
    let by = C::held_vector(rng.unit_vector() * (scale * rng.uniform(0.5, 8.0)));
    let fraction = C::cast_point(&world.shape, pose, from, by);
    tally.points += 1;
    tally.point_hits += u64::from(fraction < 1.0);
    // The way is brought into the world's frame in the library's precision.
    let size = world.surface.reach() + from.abs().max_element() + by.length();
    let slack = 32.0 * C::ROUNDOFF * size;
    let start = from - fixed.origin;
    let note = |at: f64| format!("a point from {from} by {by}: {fraction}, first front at {at}");
    let first = fixed.first_front(start, by, slack);
    if let Some(at) = first.filter(|&at| at * by.length() + 4.0 * slack < fraction * by.length()) {
        let fault = if fraction < 1.0 { Fault::Earlier } else { Fault::Missed };
        tally.fault(fault, || note(at));
    }
    if fraction < 1.0 && fixed.from_surface(start + by * fraction) > 4.0 * slack {
        tally.fault(Fault::Nothing, || note(first.unwrap_or(1.0)));
    }
}
