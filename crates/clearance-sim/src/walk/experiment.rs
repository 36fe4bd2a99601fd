//! A walker that wanders through a world at random: never in a solid, never stuck, the same way on every run.
//!
//! A [`Trial`] plays a game: wishes that change every second or so, jumps, crouching, gravity. What it reports is found by queries of the
//! world that the walker has no part in. Wishes depend on the seed and on time, not on frames, so that trials at different rates
//! are alike.

use clearance::brush::{Map, is_blocking, is_structural};
use clearance::world::{Filter, NewBody, World, WorldOptions};
use clearance::{Aabb, Cache, CastOptions, Motion, Pose, Quat, Real, Shape, Vec3};

use super::error::WalkError;
use super::options::Walk;
use super::walker::{Walked, Walker};

/// What to try.
#[derive(Debug, Clone)]
pub struct Trial {
    /// How many frames.
    pub frames: u32,
    /// Frames in a second.
    pub rate: Real,
    /// Decides the wishes.
    pub seed: u64,
    /// The body that walks.
    pub body: Shape,
    /// Its shape when it crouches.
    pub low: Option<Shape>,
    /// How the body is turned.
    pub rotation: Quat,
    /// How it walks.
    pub walk: Walk,
    /// Places to start from, in the air; after each stay it is put at the next one.
    pub starts: Vec<Vec3>,
    /// Seconds that it stays before it is put at the next place; infinite if it is not.
    pub stay: Real,
    /// The highest speed that is wanted.
    pub speed: Real,
    /// The speed of a jump.
    pub jump: Real,
    /// The acceleration downwards.
    pub gravity: Real,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Report {
    /// Frames played.
    pub frames: u32,
    /// Frames after which the walker had a point in common with a body.
    pub in_solid: u32,
    /// Frames in which the way ahead was free and the walker did not take it, from the third such frame in a row on.
    pub stuck: u32,
    /// Frames on the ground.
    pub grounded: u32,
    /// Frames after which the walker had no room.
    pub crushed: u32,
    /// Jumps.
    pub jumps: u32,
    /// Times that it was put back because it had fallen off everything.
    pub lost: u32,
    /// Frames with the low shape.
    pub crouched: u32,
    /// The way travelled, level.
    pub travelled: Real,
    /// The first frame in which the walker was in a solid or stuck.
    pub first_fault: Option<u32>,
    /// Depends on every pose of the way.
    pub path: u64,
    /// The least distance from any body after any frame, as a share of the skin; if faults are looked for.
    pub nearest: Real,
    /// Where it ended.
    pub end: Vec3,
}

impl Trial {
    /// Plays the game, with or without looking for faults, which takes longer than the game.
    ///
    /// # Errors
    /// If there is no place to start from, or the walker refuses a step.
    ///
    /// ```
    /// use clearance_sim::walk::experiment::{Trial, staircase};
    /// let (world, starts) = staircase(12)?;
    /// let trial = Trial { frames: 300, ..Trial::person(60.0, starts)? };
    /// let report = trial.run(&world, true)?;
    /// assert_eq!((report.in_solid, report.stuck), (0, 0));
    /// assert_eq!(report.path, trial.run(&world, false)?.path);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(&self, world: &World, looks: bool) -> Result<Report, WalkError> {
        let mut play = self.begin(world)?;
        for _ in 0..self.frames {
            play.frame(world, looks)?;
        }
        Ok(play.report())
    }

    /// Begins the game, to be played frame by frame.
    ///
    /// # Errors
    /// If there is no place to start from.
    pub fn begin(&self, world: &World) -> Result<Play<'_>, WalkError> {
        let first = *self.starts.first().ok_or(WalkError::Number {
            name: "places to start from",
            value: 0.0,
            range: "one or more",
        })?;
        let mut walker = Walker::new(self.body.clone(), self.place(first)?, self.walk)?;
        if let Some(low) = &self.low {
            walker = walker.with_low_shape(low.clone());
        }
        let game = Game { wish: Wish::new(self.seed), fall: 0.0, grounded: false, slow: 0 };
        let report = Report { path: 0xcbf2_9ce4_8422_2325, nearest: Real::INFINITY, ..Report::default() };
        let lowest = lowest(world, walker.walk().up) - 100.0 * self.walk.step_height;
        Ok(Play { trial: self, walker, game, lowest, report })
    }

    fn place(&self, at: Vec3) -> Result<Pose, WalkError> {
        Ok(Pose::new(at, self.rotation.to_array())?)
    }

    /// A person in metres: a capsule of 1.8 by 0.6, walking at up to 5 metres a second.
    ///
    /// # Errors
    /// None for these numbers.
    pub fn person(rate: Real, starts: Vec<Vec3>) -> Result<Self, WalkError> {
        Ok(Self {
            frames: 1000,
            rate,
            seed: 1,
            body: Shape::capsule(0.6, 0.3)?,
            low: Some(Shape::capsule(0.2, 0.3)?),
            rotation: Quat::from_rotation_arc(Vec3::X, Vec3::Z),
            walk: Walk::default(),
            starts,
            stay: 10.0,
            speed: 5.0,
            jump: 4.0,
            gravity: 9.81,
        })
    }

    /// A player in the units of a map, of which 32 are a metre: a box of 56 by 32.
    ///
    /// # Errors
    /// None for these numbers.
    pub fn player(rate: Real, starts: Vec<Vec3>) -> Result<Self, WalkError> {
        let body = Shape::cuboid([16.0, 16.0, 28.0])?;
        let low = Some(Shape::cuboid([16.0, 16.0, 18.0])?);
        let walk = Walk { step_height: 18.0, snap: 18.0, skin: 0.5, ..Walk::default() };
        let rotation = Quat::IDENTITY;
        Ok(Self { body, low, walk, rotation, speed: 320.0, jump: 270.0, gravity: 800.0, ..Self::person(rate, starts)? })
    }

    /// Whether the way ahead is free, by more than the walker would go, for the body with nearly all of its skin: where there is less room
    /// than that it does not fit.
    fn is_free_ahead(&self, world: &World, walker: &Walker, way: Vec3) -> Result<bool, WalkError> {
        let length = way.length();
        if !(length > 0.0) {
            return Ok(false);
        }
        let far = way * ((2.0 * length + 2.0 * self.walk.skin) / length);
        let motion = Motion::translation(*walker.pose(), far)?;
        let options = CastOptions { clearance: 0.9 * self.walk.skin, ..CastOptions::default() };
        let found = world.cast(walker.shape(), &motion, &mut Cache::default(), &options, &Filter::default())?;
        Ok(found.is_none())
    }
}

/// A trial on its way.
///
/// ```
/// use clearance_sim::walk::experiment::{Trial, staircase};
/// let (world, starts) = staircase(12)?;
/// let trial = Trial { frames: 60, ..Trial::person(60.0, starts)? };
/// let mut play = trial.begin(&world)?;
/// for _ in 0..trial.frames {
///     let walked = play.frame(&world, false)?;
///     assert_eq!(walked.pose, *play.walker().pose());
/// }
/// assert_eq!(play.report(), trial.run(&world, false)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Play<'t> {
    trial: &'t Trial,
    walker: Walker,
    game: Game,
    /// Where it has fallen off everything.
    lowest: Real,
    report: Report,
}

impl Play<'_> {
    /// Plays another frame among the bodies as they are now, with or without looking for faults.
    ///
    /// # Errors
    /// If the walker refuses a step.
    pub fn frame(&mut self, world: &World, looks: bool) -> Result<Walked, WalkError> {
        self.put_elsewhere()?;
        let Self { trial, walker, game, report, .. } = self;
        let (dt, up) = (1.0 / trial.rate, walker.walk().up);
        game.wish.pass(dt);
        walker.crouch(game.wish.crouches);
        let level = game.wish.level(up) * trial.speed;
        let jumps = game.grounded && game.wish.take_jump();
        let rise = if jumps {
            trial.jump
        } else if game.grounded {
            0.0
        } else {
            game.fall - 0.5 * trial.gravity * dt
        };
        let before = *walker.pose();
        let ahead = looks && trial.is_free_ahead(world, walker, level * dt)?;
        let walked = walker.step(world, level + up * rise, dt)?;
        let left = walked.velocity.dot(up);
        let gravity = if game.grounded { 1.0 } else { 0.5 } * trial.gravity * dt;
        game.grounded = walked.ground.is_some();
        game.fall = if game.grounded { 0.0 } else { left - gravity };
        report.note(&walked, &before, jumps);
        if looks {
            report.look(world, walker, game, before, ahead.then_some(level * dt));
        }
        Ok(walked)
    }

    /// Puts the walker at the next place if its stay is over, or if it is lost.
    fn put_elsewhere(&mut self) -> Result<(), WalkError> {
        let (trial, frame) = (self.trial, self.report.frames);
        let frames_each = ((trial.stay * trial.rate) as u32).max(1);
        let is_lost = self.walker.pose().translation().dot(self.walker.walk().up) < self.lowest;
        if frame > 0 && (frame.is_multiple_of(frames_each) || is_lost) {
            let next = trial.starts.get((frame / frames_each) as usize % trial.starts.len().max(1));
            self.walker.teleport(trial.place(next.copied().unwrap_or(Vec3::ZERO))?);
            (self.game.fall, self.game.grounded, self.game.slow) = (0.0, false, 0);
            self.report.lost += u32::from(is_lost);
        }
        Ok(())
    }

    /// Who walks.
    pub fn walker(&self) -> &Walker {
        &self.walker
    }

    /// What was found so far.
    pub fn report(&self) -> Report {
        Report { end: self.walker.pose().translation(), ..self.report }
    }
}

impl Report {
    fn note(&mut self, walked: &Walked, before: &Pose, jumps: bool) {
        self.frames += 1;
        self.grounded += u32::from(walked.ground.is_some());
        self.crushed += u32::from(walked.crushed);
        self.crouched += u32::from(walked.crouched);
        self.jumps += u32::from(jumps);
        let way = walked.pose.translation() - before.translation();
        self.travelled += way.length();
        for byte in walked.pose.translation().to_array().into_iter().flat_map(Real::to_le_bytes) {
            self.path = (self.path ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Looks for faults: overlaps, and a free way that was not taken.
    fn look(&mut self, world: &World, walker: &Walker, game: &mut Game, before: Pose, ahead: Option<Vec3>) {
        let (mut found, mut near) = (Vec::new(), Vec::new());
        world.overlapping(walker.shape(), walker.pose(), &Filter::default(), &mut found);
        world.nearest(1, walker.shape(), walker.pose(), &Filter::default(), &mut near);
        let nearest = near.first().map_or(Real::INFINITY, |near| near.closest.distance / walker.walk().skin);
        self.nearest = self.nearest.min(nearest);
        let way = walker.pose().translation() - before.translation();
        let is_slow = ahead.is_some_and(|ahead| way.dot(ahead) < 0.25 * ahead.length_squared());
        game.slow = if is_slow { game.slow + 1 } else { 0 };
        let is_stuck = game.slow >= 3;
        self.in_solid += u32::from(!found.is_empty());
        self.stuck += u32::from(is_stuck);
        if (is_stuck || !found.is_empty()) && self.first_fault.is_none() {
            self.first_fault = Some(self.frames - 1);
        }
    }
}

/// What a game remembers between frames.
#[derive(Debug, Clone)]
struct Game {
    wish: Wish,
    fall: Real,
    grounded: bool,
    /// Frames in a row in which a free way was not taken.
    slow: u32,
}

/// What the player wants, for a while.
#[derive(Debug, Clone)]
struct Wish {
    state: u64,
    left: Real,
    level: [Real; 2],
    jumps: bool,
    crouches: bool,
}

impl Wish {
    fn new(seed: u64) -> Self {
        Self { state: seed, left: 0.0, level: [0.0; 2], jumps: false, crouches: false }
    }

    /// A number from 0 to 1 (Steele, Lea and Flood's generator, as published).
    fn random(&mut self) -> Real {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as Real / (1u64 << 24) as Real
    }

    /// Lets time pass; another wish if it is over.
    fn pass(&mut self, dt: Real) {
        self.left -= dt;
        if self.left > 0.0 {
            return;
        }
        self.left = 0.1 + 1.4 * self.random();
        // By rejection: no trigonometry, whose rounding differs between machines.
        self.level = loop {
            let [x, y] = [self.random(), self.random()].map(|x| 2.0 * x - 1.0);
            if x * x + y * y <= 1.0 {
                break [x, y];
            }
        };
        if self.random() < 0.5 {
            // Full speed.
            let length = self.level[0].hypot(self.level[1]).max(0.1);
            self.level = self.level.map(|x| x / length);
        }
        self.jumps = self.random() < 0.3;
        self.crouches = self.random() < 0.2;
    }

    fn take_jump(&mut self) -> bool {
        std::mem::take(&mut self.jumps)
    }

    fn level(&self, up: Vec3) -> Vec3 {
        let x = up.any_orthonormal_vector();
        x * self.level[0] + up.cross(x) * self.level[1]
    }
}

/// The lowest point of all bodies that have one.
fn lowest(world: &World, up: Vec3) -> Real {
    let bodies = world.ids().filter_map(|id| Some((world.body(id).ok()?, world.pose(id).ok()?)));
    let lows = bodies.map(|(body, pose)| corner(&body.aabb(pose), up)).filter(|low| low.is_finite());
    lows.fold(0.0, Real::min)
}

fn corner(bounds: &Aabb, up: Vec3) -> Real {
    let half = bounds.half_extents();
    up.dot(bounds.center()) - up.abs().dot(half)
}

/// A hall with a winding flight of stairs of several widths and heights, in metres, and places to start from.
///
/// # Errors
/// None for these numbers.
pub fn staircase(steps: u32) -> Result<(World, Vec<Vec3>), WalkError> {
    let mut world = World::new(WorldOptions::default());
    let mut block = |min: Vec3, max: Vec3| -> Result<(), WalkError> {
        let shape = Shape::cuboid(((max - min) * 0.5).to_array())?;
        world.add(NewBody::fixed(shape, Pose::from_translation((min + max) * 0.5)?))?;
        Ok(())
    };
    block(Vec3::new(-12.0, -12.0, -1.0), Vec3::new(12.0, 12.0, 0.0))?;
    for side in [-1.0, 1.0] {
        let (low, high) = (side * 12.0 - 0.5, side * 12.0 + 0.5);
        block(Vec3::new(low, -12.0, 0.0), Vec3::new(high, 12.0, 100.0))?;
        block(Vec3::new(-12.0, low, 0.0), Vec3::new(12.0, high, 100.0))?;
    }
    let mut starts = vec![Vec3::new(8.0, 8.0, 1.5)];
    let (mut height, mut x, mut y, mut forward) = (0.0, -8.0, -9.0, 1.0);
    for step in 0..steps {
        // Rises from 0.12 to 0.3 and treads from 0.24 to 0.4.
        let (rise, tread) = (0.12 + 0.06 * (step % 4) as Real, 0.24 + 0.04 * (step % 5) as Real);
        height += rise;
        block(Vec3::new(x, y, height - 0.25), Vec3::new(x + tread, y + 2.0, height))?;
        x += forward * tread;
        if !(-8.0..8.0).contains(&x) {
            // A landing, and back beside it.
            block(Vec3::new(x - 1.5, y, height - 0.25), Vec3::new(x + 2.0, y + 5.0, height))?;
            starts.push(Vec3::new(x, y + 1.0, height + 1.5));
            (y, forward) = (y + 3.0, -forward);
        }
        if y > 8.0 {
            break;
        }
    }
    Ok((world, starts))
}

/// The solid brushes of a map as bodies of a world, one each, and the places where players start.
///
/// # Errors
/// If no brush is solid, or a brush cannot be a body.
pub fn world_of_map(map: &Map) -> Result<(World, Vec<Vec3>), WalkError> {
    let mut world = World::new(WorldOptions::default());
    for entity in map.entities.iter().filter(|entity| is_structural(entity)) {
        for brush in entity.brushes.iter().filter(|brush| is_blocking(brush)) {
            let Ok(piece) = brush.piece() else { continue };
            let middle = Aabb::from_points(piece.vertices.iter().copied()).center();
            let points: Vec<Vec3> = piece.vertices.iter().map(|&p| p - middle).collect();
            let Ok(shape) = Shape::polytope(&points) else { continue };
            world.add(NewBody::fixed(shape, Pose::from_translation(middle)?))?;
        }
    }
    if world.is_empty() {
        return Err(clearance::brush::MapError::NoBrushes.into());
    }
    let kinds = ["info_player_deathmatch", "info_player_start"];
    let starts = kinds.iter().flat_map(|kind| map.origins(kind)).map(|at| {
        let at = Vec3::from_array(at.to_array().map(|x| x as Real));
        at + Vec3::Z * 8.0
    });
    let starts = starts.collect();
    world.step();
    Ok((world, starts))
}
