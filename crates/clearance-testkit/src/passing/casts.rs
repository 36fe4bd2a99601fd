//! Scenes: a world, bodies in it, and chains of casts, each from where the last one ended.

use glam::{DQuat, DVec3};

use super::judge::Case;
use super::motion::Motion;
use super::surface::{Fixed, Placed, Surface};
use super::tally::{Fault, Tally};
use super::{Answer, Caster, Kind, bodies, worlds};
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
    fn new(mut polyhedron: Polyhedron, kind: Kind, tally: &mut Tally) -> Option<Self> {
        polyhedron.vertices.iter_mut().for_each(|v| *v = C::held_vector(*v));
        let shape = C::shape(&polyhedron, kind).ok();
        *if shape.is_some() { &mut tally.made } else { &mut tally.unmade } += 1;
        Some(Self { surface: Surface::new(&polyhedron), shape: shape? })
    }
}

/// A world in its place, for scenes in it.
pub struct Arena<C: Caster> {
    world: Both<C>,
    pose: C::Pose,
    free: i32,
    /// The size of its rooms.
    scale: f64,
    kind: &'static str,
    /// Bodies start near its polygons, and not anywhere in its box: most of that is solid.
    is_map: bool,
    shift: DVec3,
}

impl<C: Caster> Arena<C> {
    fn random(scene: &Scene, rng: &mut Rng, tally: &mut Tally) -> Option<Self> {
        let made = worlds::world(rng.index(worlds::KINDS), rng);
        let scale = match scene.place {
            Place::Shifted => SHIFTED_SCALE,
            _ if rng.chance(0.3) => rng.log_uniform(0.01, 100.0),
            _ => 1.0,
        };
        let away = C::held_vector(rng.unit_vector() * Place::DISTANCE);
        let shift = if scene.place == Place::Shifted { away } else { DVec3::ZERO };
        let polyhedron = made.polyhedron.mapped(|v| v * scale + shift);
        let kind = match made.free {
            0 if rng.chance(0.5) => Kind::Pieces,
            0 => Kind::Solid,
            _ => Kind::Room,
        };
        let world = Both::new(polyhedron, kind, tally)?;
        let turn = if rng.chance(0.4) { DQuat::IDENTITY } else { rng.rotation() };
        let pose = match scene.place {
            Place::Origin => C::pose(rng.in_ball(scale), turn),
            Place::Far => C::pose(away, turn),
            Place::Shifted => C::pose(DVec3::ZERO, DQuat::IDENTITY),
        };
        Some(Self { world, pose, free: made.free, scale, kind: made.kind, is_map: false, shift })
    }

    /// A world of solid pieces at a place, shifted by as much as the seed says; nothing if the library does not take it.
    pub fn of_map(polyhedron: &Polyhedron, scale: f64, place: Place, seed: u64) -> Option<Self> {
        let mut rng = Rng::new(seed);
        let away = C::held_vector(rng.unit_vector() * Place::DISTANCE);
        let shift = if place == Place::Shifted { away } else { DVec3::ZERO };
        let world = Both::new(polyhedron.clone().mapped(|v| v + shift), Kind::Pieces, &mut Tally::default())?;
        let pose =
            if place == Place::Far { C::pose(away, rng.rotation()) } else { C::pose(DVec3::ZERO, DQuat::IDENTITY) };
        Some(Self { world, pose, free: 0, scale, kind: "map", is_map: true, shift })
    }

    /// The world as the judge sees it.
    pub fn fixed(&self) -> Fixed<'_> {
        Fixed::new(&self.world.surface, C::stored(&self.pose).0, Some(self.free))
    }

    /// By how much its vertices were moved.
    pub fn shift(&self) -> DVec3 {
        self.shift
    }

    /// The world as the library sees it, and where it is.
    pub fn world(&self) -> (&C::Shape, &C::Pose) {
        (&self.world.shape, &self.pose)
    }
}

struct Chain<'a, C: Caster> {
    scene: &'a Scene,
    arena: &'a Arena<C>,
    fixed: &'a Fixed<'a>,
    body: &'a Both<C>,
    kind: &'static str,
}

impl Scene {
    /// Runs and judges the scene in a random world.
    pub fn run<C: Caster>(&self, scratch: &mut C::Scratch) -> Tally {
        let (mut rng, mut tally) = (Rng::new(self.seed), Tally::default());
        match Arena::<C>::random(self, &mut rng, &mut tally) {
            Some(arena) => tally.plus(self.run_in(&arena, &arena.fixed(), scratch)),
            None => tally,
        }
    }

    /// Runs and judges the scene in a world.
    pub fn run_in<C: Caster>(&self, arena: &Arena<C>, fixed: &Fixed, scratch: &mut C::Scratch) -> Tally {
        let (mut rng, mut tally) = (Rng::new(self.seed ^ 0x5eed), Tally::default());
        let larger = if self.place == Place::Shifted { 1.5 } else { 1.0 };
        for _ in 0..self.bodies {
            let size = arena.scale * rng.log_uniform(0.1, 0.7) * larger;
            let kind = rng.index(bodies::KINDS);
            let polyhedron = bodies::body(kind, size, &mut rng);
            if let Some(body) = Both::<C>::new(polyhedron, Kind::Solid, &mut tally) {
                Chain { scene: self, arena, fixed, body: &body, kind: bodies::NAMES[kind] }
                    .run(&mut rng, scratch, &mut tally);
            }
        }
        for _ in 0..self.bodies {
            judge_point(arena, fixed, &mut rng, &mut tally);
        }
        tally
    }
}

impl<C: Caster> Chain<'_, C> {
    fn run(&self, rng: &mut Rng, scratch: &mut C::Scratch, tally: &mut Tally) {
        let mut standing: Option<(C::Pose, Option<DVec3>)> = None;
        for number in 0..self.scene.casts {
            let drawn = standing.is_none();
            let (pose, last) = match standing {
                Some(standing) => standing,
                None => match self.start(rng, scratch, tally) {
                    Some(pose) => (pose, None),
                    None => return,
                },
            };
            let motion = self.motion(&pose, last, rng);
            let cast = self.cast(&pose, &motion, number, drawn, scratch, tally);
            let ended = cast.filter(|(_, well)| *well).map(|(answer, _)| (answer.pose, answer.normal.or(last)));
            // Off into the open is no place to go on from: elsewhere there is more to meet.
            let limit = 2.0 * self.arena.scale;
            standing = ended.filter(|(pose, _)| self.fixed.gap(&self.placed(pose), limit) < limit);
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
        drawn: bool,
        scratch: &mut C::Scratch,
        tally: &mut Tally,
    ) -> Option<(Answer<C::Pose>, bool)> {
        let shapes = [&self.arena.world.shape, &self.body.shape];
        let Ok(answer) = C::cast(shapes, [&self.arena.pose, pose], motion, scratch) else {
            tally.refused += 1;
            return None;
        };
        let start = C::stored(pose).0;
        let case = Case { fixed: self.fixed, body: &self.body.surface, start, motion: *motion, drawn };
        let note = || {
            let (Scene { seed, place, .. }, start) = (self.scene, start.translation);
            let (place, world, body) = (place.name(), self.arena.kind, self.kind);
            format!("scene {seed} ({place}, {body} in {world}), cast {number}, {motion:?} from {start}")
        };
        let well = case.judge(&answer, C::stored(&answer.pose).0, tally, note);
        Some((answer, well))
    }

    /// A pose at which the body is free. Those tried that are not must be reported as overlaps.
    fn start(&self, rng: &mut Rng, scratch: &mut C::Scratch, tally: &mut Tally) -> Option<C::Pose> {
        for attempt in 0..TRIES {
            let place = self.fixed.origin + self.somewhere(rng);
            let turn = if rng.chance(0.3) { C::stored(&self.arena.pose).1 } else { rng.rotation() };
            let pose = C::pose(C::held_vector(place), turn);
            if !self.fixed.overlaps(&self.placed(&pose)) {
                return Some(pose);
            }
            if attempt == 0 {
                let motion = self.motion(&pose, None, rng);
                self.cast(&pose, &motion, 0, true, scratch, tally);
            }
        }
        None
    }

    /// A place in the world's box, or near a polygon, relative to the origin.
    fn somewhere(&self, rng: &mut Rng) -> DVec3 {
        if self.arena.is_map {
            let corners = self.fixed.placed.corners(rng.index(self.fixed.placed.surface.triangles.len()) as u32);
            return corners.iter().sum::<DVec3>() / 3.0 + rng.in_ball(self.arena.scale);
        }
        let [low, high] = self.fixed.bounds();
        0.5 * (low + high) + rng.in_box(0.5 * (high - low) + 0.3 * self.arena.scale)
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
        Motion::Translation(C::held_vector(self.direction(last, rng) * (length * self.arena.scale)))
    }

    fn rotation(&self, pose: &C::Pose, last: Option<DVec3>, rng: &mut Rng) -> Motion {
        let placed = self.placed(pose);
        let place = C::stored(pose).0.translation;
        let corner = |v: u32| placed.points[v as usize] + self.fixed.origin;
        let [from, to] = rng.pick(&placed.surface.edges).map(corner);
        let (origin, axis) = match rng.index(6) {
            0 => (corner(rng.index(placed.points.len()) as u32), rng.unit_vector()),
            1 => (from, (to - from).normalize_or(DVec3::Z)),
            2 => (place + rng.unit_vector() * (self.arena.scale * rng.log_uniform(3.0, 30.0)), rng.unit_vector()),
            3 => (place, rng.pick(&DVec3::AXES)),
            4 => (place + rng.in_ball(self.arena.scale), last.unwrap_or(DVec3::Z)),
            _ => (place + rng.in_ball(0.3 * self.arena.scale), rng.unit_vector()),
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
fn judge_point<C: Caster>(arena: &Arena<C>, fixed: &Fixed, rng: &mut Rng, tally: &mut Tally) {
    let (world, pose, scale) = (&arena.world, &arena.pose, arena.scale);
    let [low, high] = fixed.bounds();
    let from = C::held_vector(fixed.origin + 0.5 * (low + high) + rng.in_box(0.6 * (high - low)));
    let by = C::held_vector(rng.unit_vector() * (scale * rng.uniform(0.5, 8.0)));
    let fraction = C::cast_point(&world.shape, pose, from, by);
    tally.points += 1;
    tally.point_hits += u64::from(fraction < 1.0);
    // The way is brought into the world's frame in the library's precision.
    let size = world.surface.reach() + from.abs().max_element() + by.length();
    let slack = 32.0 * C::roundoff() * size;
    let start = from - fixed.origin;
    let note = |at: f64| format!("a point from {from} by {by}: {fraction}, first front at {at}");
    let first = fixed.first_front(start, by, slack);
    // Through the front by more than rounding, seen across it.
    if let Some((at, _)) = first.filter(|&(at, sinking)| (fraction - at) * sinking > 4.0 * slack) {
        let fault = if fraction < 1.0 { Fault::Earlier } else { Fault::Missed };
        tally.fault(fault, || note(at));
    }
    if fraction < 1.0 && fixed.surface_distance(start + by * fraction) > 4.0 * slack {
        tally.fault(Fault::Nothing, || note(first.map_or(1.0, |(at, _)| at)));
    }
}
