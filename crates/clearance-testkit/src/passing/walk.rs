//! A walk through a map: a body that is pushed about, falls, jumps and turns, and slides along what it meets.
//!
//! After each move the body must be outside of all solids, exactly. It is stuck in free space if nothing moves it in
//! `PATIENCE` moves into directions at random, though a straight way of `ROOM` zones is free in one of 26 directions, by the
//! exact judge. Places are counted by cells, so that a walk that stands still is noticed.

use std::collections::HashSet;

use glam::{DQuat, DVec3};

use super::casts::Arena;
use super::motion::Motion;
use super::surface::{Fixed, Placed, Surface};
use super::tally::least;
use super::{Caster, Kind};
use crate::meshes::Polyhedron;
use crate::random::Rng;

/// Moves in a row that get nowhere before the judge is asked whether there is room.
const PATIENCE: u32 = 12;
/// Zones that make room.
const ROOM: f64 = 64.0;
/// The side of the cells that are counted.
const CELL: f64 = 64.0;
/// Of a move.
const GRAVITY: f64 = 2.0;
/// All vertices of the body are looked at this often, one of them each time.
const ALL_VERTICES: u64 = 16;

/// What to walk.
#[derive(Clone, Debug)]
pub struct Walk {
    /// Decides the way.
    pub seed: u64,
    /// How many moves.
    pub moves: u64,
    /// The body, about the size of a player.
    pub body: Polyhedron,
    /// Turned about any axis, or about the vertical.
    pub tumbles: bool,
}

/// What came of a walk; those of several add up.
#[derive(Clone, Debug, Default)]
pub struct WalkTally {
    /// Slides.
    pub moves: u64,
    /// Slides that went all the way, along something or not.
    pub arrived: u64,
    /// Rotations.
    pub turns: u64,
    /// Rotations that were stopped.
    pub stopped_turns: u64,
    /// The sum of all displacements.
    pub distance: f64,
    /// Cells in which the body has been.
    pub cells: u64,
    /// Moves after which the surfaces shared a point.
    pub pierced: u64,
    /// Moves after which the body was in a solid.
    pub inside: u64,
    /// Starts that the library called an overlap though the judge did not.
    pub false_overlaps: u64,
    /// Times that the body was stuck in free space.
    pub stuck: u64,
    /// Times that it had no room to go anywhere.
    pub wedged: u64,
    /// Times that it left the box of the map, and was put back.
    pub left: u64,
    /// Casts that the library refused.
    pub refused: u64,
    /// The smallest gap, in zones.
    pub least_gap: Option<f64>,
    /// The first few faults in words.
    pub notes: Vec<String>,
}

impl WalkTally {
    /// How often something was wrong.
    pub fn wrong(&self) -> u64 {
        self.pierced + self.inside + self.false_overlaps + self.stuck + self.refused
    }

    /// Both together.
    #[must_use]
    pub fn plus(mut self, other: Self) -> Self {
        self.moves += other.moves;
        self.arrived += other.arrived;
        self.turns += other.turns;
        self.stopped_turns += other.stopped_turns;
        self.distance += other.distance;
        self.cells += other.cells;
        self.pierced += other.pierced;
        self.inside += other.inside;
        self.false_overlaps += other.false_overlaps;
        self.stuck += other.stuck;
        self.wedged += other.wedged;
        self.left += other.left;
        self.refused += other.refused;
        self.least_gap = least(self.least_gap, other.least_gap);
        self.notes.extend(other.notes);
        self.notes.truncate(8);
        self
    }

    fn note(&mut self, text: impl FnOnce() -> String) {
        if self.notes.len() < 8 {
            self.notes.push(text());
        }
    }
}

struct Walker<'a, C: Caster> {
    arena: &'a Arena<C>,
    fixed: &'a Fixed<'a>,
    surface: &'a Surface,
    shape: &'a C::Shape,
    pose: C::Pose,
    heading: DVec3,
    falling: f64,
    /// Moves in a row that got nowhere.
    idle: u32,
}

impl Walk {
    /// Walks through a map from its spawns, relative to the map's own frame, and judges.
    pub fn run<C: Caster>(&self, arena: &Arena<C>, spawns: &[DVec3], scratch: &mut C::Scratch) -> WalkTally {
        let mut tally = WalkTally::default();
        let mut rng = Rng::new(self.seed);
        let fixed = arena.fixed();
        let mut body = self.body.clone();
        body.vertices.iter_mut().for_each(|v| *v = C::held_vector(*v));
        let surface = Surface::new(&body);
        let Ok(shape) = C::shape(&body, Kind::Solid) else { return tally };
        let pose = C::pose(DVec3::ZERO, DQuat::IDENTITY);
        let (heading, falling) = (DVec3::X, 0.0);
        let mut walker =
            Walker { arena, fixed: &fixed, surface: &surface, shape: &shape, pose, heading, falling, idle: 0 };
        if !walker.spawn(spawns, &mut rng) {
            return tally;
        }
        let mut cells = HashSet::new();
        for number in 0..self.moves {
            let before = walker.place();
            let well = walker.step(self, number, &mut rng, scratch, &mut tally);
            let after = walker.place();
            tally.distance += after.distance(before);
            cells.insert((after / CELL).floor().to_array().map(|x| x as i64));
            let [low, high] = fixed.bounds();
            let local = after - fixed.origin;
            let within = local.cmpge(low - CELL).all() && local.cmple(high + CELL).all();
            tally.left += u64::from(!within);
            if !within {
                tally
                    .note(|| format!("left the map: walk {}, move {number}, at {local} of {low} to {high}", self.seed));
            }
            if (!well || !within) && !walker.spawn(spawns, &mut rng) {
                break;
            }
        }
        tally.cells = cells.len() as u64;
        tally
    }
}

impl<C: Caster> Walker<'_, C> {
    fn place(&self) -> DVec3 {
        C::stored(&self.pose).0.translation
    }

    fn placed(&self) -> Placed<'_> {
        Placed::new(self.surface, C::stored(&self.pose).0, self.fixed.origin)
    }

    /// The map's own upward direction.
    fn up(&self) -> DVec3 {
        C::stored(self.arena.world().1).0.matrix * DVec3::Z
    }

    /// Puts the body at a spawn at which it is free.
    fn spawn(&mut self, spawns: &[DVec3], rng: &mut Rng) -> bool {
        let (at, turn) = C::stored(self.arena.world().1);
        (self.falling, self.idle) = (0.0, 0);
        for i in 0..8 * spawns.len() {
            let spawn = rng.pick(spawns) + DVec3::Z * (i as f64 * 0.5) + self.arena.shift();
            self.pose = C::pose(C::held_vector(at.point(spawn)), turn);
            if !self.fixed.overlaps(&self.placed()) {
                self.turn_round(rng);
                return true;
            }
        }
        false
    }

    fn turn_round(&mut self, rng: &mut Rng) {
        let up = self.up();
        self.heading = up.cross(rng.unit_vector()).normalize_or(up.any_orthonormal_vector());
    }

    /// One move: a slide, and sometimes a rotation. Whether the body may stay where it is.
    fn step(
        &mut self,
        walk: &Walk,
        number: u64,
        rng: &mut Rng,
        scratch: &mut C::Scratch,
        tally: &mut WalkTally,
    ) -> bool {
        let up = self.up();
        let wanted = if self.idle > 2 {
            rng.unit_vector() * 16.0
        } else {
            self.falling = if rng.chance(0.03) { -14.0 } else { (self.falling + GRAVITY).min(40.0) };
            self.heading * rng.uniform(2.0, 20.0) - up * self.falling
        };
        let before = self.place();
        let shapes = [self.arena.world().0, self.shape];
        let slid = C::slide(shapes, [self.arena.world().1, &self.pose], C::held_vector(wanted), scratch);
        tally.moves += 1;
        let Ok(slid) = slid else {
            tally.refused += 1;
            tally.note(|| format!("walk {}, move {number}: {}", walk.seed, slid.err().unwrap_or_default()));
            return false;
        };
        tally.arrived += u64::from(slid.arrived);
        self.pose = slid.pose;
        let moved = self.place() - before;
        let name = |what: &str| format!("{what}: walk {}, move {number}, {wanted} from {before}", walk.seed);
        if slid.overlaps {
            tally.false_overlaps += 1;
            tally.note(|| name("false overlap"));
            return false;
        }
        if moved.dot(up) > -0.5 * self.falling {
            self.falling = self.falling.min(0.0);
        }
        let across = wanted - up * up.dot(wanted);
        if moved.dot(across) < 0.3 * across.length_squared() || rng.chance(0.02) {
            self.turn_round(rng);
        }
        self.idle = if moved.length() > 4.0 * slid.zone { 0 } else { self.idle + 1 };
        if !self.is_well(number, slid.zone, tally, || name("slide")) {
            return false;
        }
        if self.idle >= PATIENCE {
            let free = self.has_room(slid.zone);
            *if free { &mut tally.stuck } else { &mut tally.wedged } += 1;
            if free {
                tally.note(|| name("stuck"));
            }
            return false;
        }
        !rng.chance(0.3) || self.turn(walk, number, rng, scratch, tally)
    }

    fn turn(
        &mut self,
        walk: &Walk,
        number: u64,
        rng: &mut Rng,
        scratch: &mut C::Scratch,
        tally: &mut WalkTally,
    ) -> bool {
        let axis = if walk.tumbles { rng.unit_vector() } else { self.up() };
        let origin = C::held_vector(self.place());
        let angle = C::held(rng.uniform(-0.5, 0.5));
        let motion = Motion::Rotation { origin, axis: C::held_vector(axis), angle };
        let shapes = [self.arena.world().0, self.shape];
        tally.turns += 1;
        let Ok(answer) = C::cast(shapes, [self.arena.world().1, &self.pose], &motion, scratch) else {
            tally.refused += 1;
            return false;
        };
        let name = || format!("turn: walk {}, move {number}, {motion:?}", walk.seed);
        if answer.overlaps {
            tally.false_overlaps += 1;
            tally.note(name);
            return false;
        }
        tally.stopped_turns += u64::from(answer.normal.is_some());
        self.pose = answer.pose;
        self.is_well(number, answer.zone, tally, name)
    }

    /// Whether the body is outside of all solids, exactly.
    fn is_well(&self, number: u64, zone: f64, tally: &mut WalkTally, name: impl FnOnce() -> String) -> bool {
        let body = self.placed();
        let pierced = self.fixed.meets(&body);
        let all = number.is_multiple_of(ALL_VERTICES);
        let inside = !pierced
            && (self.fixed.contains(&body) || all && (0..body.points.len() as u32).any(|v| self.fixed.holds(&body, v)));
        tally.pierced += u64::from(pierced);
        tally.inside += u64::from(inside);
        if pierced || inside {
            tally.note(|| format!("{}: {}", if pierced { "interpenetrating" } else { "inside" }, name()));
            return false;
        }
        tally.least_gap = least(tally.least_gap, Some(self.fixed.gap(&body, 2.0 * zone) / zone));
        true
    }

    /// Whether the body can be moved straight by some zones in one of 26 directions, by the exact judge.
    fn has_room(&self, zone: f64) -> bool {
        let start = self.placed();
        let mut body = start.clone();
        let directions = (0..27).map(|i| DVec3::new(f64::from(i % 3), f64::from(i / 3 % 3), f64::from(i / 9)) - 1.0);
        directions.filter(|d| *d != DVec3::ZERO).any(|d| {
            (1..=16).all(|step| {
                let by = d.normalize() * (ROOM * zone * f64::from(step) / 16.0);
                body.put(|i| start.points[i] + by);
                !self.fixed.overlaps(&body)
            })
        })
    }
}
