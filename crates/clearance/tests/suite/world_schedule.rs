//! Sleeping pairs: what a world tells with its tests scheduled is what it tells without, and at low speed most tests are skipped.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::world_twin;
use clearance::math::narrow_real;
use clearance::world::{BodyId, EventKind, Mode, MotionBounds, NewBody, PairRule, Statistics, World, WorldOptions};
use clearance::{ManifoldOptions, Pose, Real, Shape};
use clearance_testkit::{HitRate, Rng};
use common::pose_of;
use glam::{DQuat, DVec3};
use world_twin::scene::shapes;

/// A body whose speed and spin never exceed its bounds, which grow with time as it accelerates.
struct Mover {
    id: BodyId,
    at: DVec3,
    turn: DQuat,
    velocity: DVec3,
    axis: DVec3,
    spin: f64,
    /// The bounds as of now; they hold from frame to frame.
    speed: f64,
    most_spin: f64,
    acceleration: f64,
    spin_acceleration: f64,
}

impl Mover {
    fn motion(&self) -> MotionBounds {
        MotionBounds {
            speed: narrow_real(self.speed),
            spin: narrow_real(self.most_spin),
            acceleration: narrow_real(self.acceleration),
            spin_acceleration: narrow_real(self.spin_acceleration),
        }
    }

    fn pose(&self) -> Pose {
        pose_of(self.at, self.turn.normalize())
    }

    /// A frame at the very limit of the bounds, or below it, in a direction that may turn at any time.
    fn advance(&mut self, rng: &mut Rng, room: f64) {
        if rng.chance(0.05) {
            self.velocity = rng.unit_vector();
        }
        // Home from outside.
        if self.at.length() > room {
            self.velocity = (rng.in_ball(room) - self.at).normalize();
        }
        let share = if rng.chance(0.5) { 1.0 } else { rng.uniform(0.0, 1.0) };
        self.at += self.velocity * (share * (self.speed + 0.5 * self.acceleration));
        self.spin = share * (self.most_spin + 0.5 * self.spin_acceleration);
        self.turn = (DQuat::from_axis_angle(self.axis, self.spin) * self.turn).normalize();
        self.speed += self.acceleration;
        self.most_spin += self.spin_acceleration;
    }
}

struct Setting {
    mode: Mode,
    bodies: usize,
    room: f64,
    speeds: [f64; 2],
    accelerations: [f64; 2],
    frames: usize,
    /// How often a body does what it should not, or gets new bounds.
    mischief: f64,
    seed: u64,
}

struct Race {
    worlds: [World; 2],
    movers: Vec<Mover>,
    rng: Rng,
    shapes: Vec<Shape>,
}

impl Race {
    fn new(setting: &Setting) -> Self {
        let mut rng = Rng::new(setting.seed);
        let shapes = shapes(&mut rng);
        let worlds = [false, true]
            .map(|schedule| World::new(WorldOptions { mode: setting.mode, schedule, ..WorldOptions::default() }));
        let mut race = Self { worlds, movers: Vec::new(), rng, shapes };
        (0..setting.bodies).for_each(|_| race.add(setting));
        race
    }

    fn add(&mut self, setting: &Setting) {
        let rng = &mut self.rng;
        let shape = self.shapes[rng.index(self.shapes.len())].clone();
        let range = |rng: &mut Rng, [low, high]: [f64; 2]| if high > 0.0 { rng.log_uniform(low, high) } else { 0.0 };
        let mut mover = Mover {
            id: self
                .movers
                .first()
                .map_or_else(|| World::new(WorldOptions::default()).add(body_of(&shape)).unwrap(), |m| m.id),
            at: rng.in_ball(setting.room),
            turn: rng.rotation(),
            velocity: rng.unit_vector(),
            axis: rng.unit_vector(),
            spin: 0.0,
            speed: range(rng, setting.speeds),
            most_spin: range(rng, setting.speeds),
            acceleration: range(rng, setting.accelerations),
            spin_acceleration: range(rng, setting.accelerations),
        };
        let motion = rng.chance(0.97).then(|| mover.motion());
        let body = NewBody { motion, ..NewBody::new(shape, mover.pose()) };
        let [a, b] = self.worlds.each_mut().map(|world| world.add(body.clone()).unwrap());
        assert_eq!(a, b);
        mover.id = a;
        self.movers.push(mover);
    }

    fn each(&mut self, mut act: impl FnMut(&mut World)) {
        self.worlds.iter_mut().for_each(&mut act);
    }

    /// Something that breaks the bounds, or changes them. Whether it is a surprise.
    fn misbehave(&mut self, nth: usize, setting: &Setting) -> bool {
        let rng = &mut self.rng;
        let id = self.movers[nth].id;
        match rng.index(6) {
            0 | 1 => {
                let to = rng.in_ball(setting.room);
                self.movers[nth].at = to;
                let pose = self.movers[nth].pose();
                self.each(|world| world.set_pose(id, pose).unwrap());
                return true;
            }
            2 => {
                // Faster or slower from now on.
                let speed = rng.log_uniform(setting.speeds[0], 30.0 * setting.speeds[1]);
                (self.movers[nth].speed, self.movers[nth].most_spin) = (speed, speed);
                let motion = self.movers[nth].motion();
                self.each(|world| world.set_motion(id, Some(motion)).unwrap());
            }
            3 => self.each(|world| world.set_motion(id, None).unwrap()),
            4 => {
                let other = self.movers[rng.index(self.movers.len())].id;
                let margin = narrow_real(rng.uniform(0.0, 0.4));
                self.each(|world| _ = world.set_pair(id, other, Some(PairRule::Within(margin))));
            }
            _ => {
                self.each(|world| world.remove(id).unwrap());
                self.movers.swap_remove(nth);
                self.add(setting);
            }
        }
        false
    }
}

fn body_of(shape: &Shape) -> NewBody {
    NewBody::new(shape.clone(), Pose::IDENTITY)
}

/// Runs both worlds; the sum of the scheduled one's statistics and the number of frames with a beginning.
fn run(setting: &Setting) -> [Statistics; 2] {
    let mut race = Race::new(setting);
    let mut sums = [Statistics::default(); 2];
    let (mut begun, mut surprised) = (HitRate::new("frames with a beginning"), HitRate::new("surprises"));
    for frame in 0..setting.frames {
        for nth in (0..race.movers.len()).rev() {
            if race.rng.chance(setting.mischief) {
                surprised.record(race.misbehave(nth, setting));
                continue;
            }
            if race.rng.chance(0.9) {
                race.movers[nth].advance(&mut race.rng, setting.room);
            } else {
                // At rest: bounds that grow allow that, too.
                let mover = &mut race.movers[nth];
                mover.speed += mover.acceleration;
                mover.most_spin += mover.spin_acceleration;
            }
            let (id, pose) = (race.movers[nth].id, race.movers[nth].pose());
            race.each(|world| world.set_pose(id, pose).unwrap());
        }
        let [plain, scheduled] = &mut race.worlds;
        let (plain, scheduled) = (plain.step(), scheduled.step());
        let kinds = |events: &[clearance::world::Event]| -> Vec<(EventKind, [BodyId; 2])> {
            events.iter().map(|event| (event.kind, event.bodies)).collect()
        };
        assert_eq!(kinds(scheduled.events), kinds(plain.events), "frame {frame}");
        let [a, b] = [plain.near, scheduled.near].map(|near| near.iter().map(|near| near.bodies).collect::<Vec<_>>());
        assert_eq!(a, b, "frame {frame}");
        let [a, b] = [plain.contacts, scheduled.contacts].map(|c| c.iter().map(|c| c.bodies).collect::<Vec<_>>());
        assert_eq!(a, b, "frame {frame}");
        let before = |events: &[clearance::world::Event]| events.iter().map(|event| event.before).collect::<Vec<_>>();
        assert_eq!(before(plain.events), before(scheduled.events), "frame {frame}");
        begun.record(plain.events.iter().any(|event| event.kind == EventKind::Begin));
        for (sum, step) in sums.iter_mut().zip([plain.statistics, scheduled.statistics]) {
            sum.tested += step.tested;
            sum.beyond_spheres += step.beyond_spheres;
            sum.asleep += step.asleep;
            sum.surprises += step.surprises;
            sum.touching += step.touching;
        }
    }
    println!("{:?}: {begun:?} {surprised:?} plain {:?} scheduled {:?}", setting.mode, sums[0], sums[1]);
    if setting.mischief > 0.0 {
        surprised.assert_between(0.1, 0.9);
    } else {
        assert_eq!(sums[1].surprises, 0, "within their bounds");
    }
    begun.assert_between(0.01, 1.0);
    assert_eq!((sums[0].asleep, sums[0].surprises), (0, 0), "nothing sleeps unless asked to");
    sums
}

const MODES: [Mode; 4] = [
    Mode::Boolean,
    Mode::Combined,
    Mode::Closest { within: 0.3 },
    Mode::Contacts(ManifoldOptions {
        method: clearance::Method::Clip,
        max_points: 4,
        margin: 0.1,
        samples: 8,
        angle: 0.01,
    }),
];

/// At the limit of the bounds, without and with growing speeds.
#[test]
fn nothing_is_missed_within_the_bounds() {
    for (nth, mode) in MODES.into_iter().enumerate() {
        for accelerations in [[0.0; 2], [1e-6, 1e-3]] {
            let seed = 120 + nth as u64;
            let sums = run(&Setting {
                mode,
                bodies: 40,
                room: 4.0,
                speeds: [1e-3, 0.1],
                accelerations,
                frames: 600,
                mischief: 0.0,
                seed,
            });
            assert!(sums[1].asleep > 0);
        }
    }
}

/// Teleports, new bounds, no bounds, new rules, other bodies: never a meeting missed, and surprises are counted.
#[test]
fn nothing_is_missed_beyond_the_bounds() {
    for (nth, mode) in MODES.into_iter().enumerate() {
        let sums = run(&Setting {
            mode,
            bodies: 40,
            room: 4.0,
            speeds: [1e-4, 1e-2],
            accelerations: [1e-8, 1e-6],
            frames: 1500,
            mischief: 2e-3,
            seed: 130 + nth as u64,
        });
        assert!(sums[1].surprises > 20, "{} surprises", sums[1].surprises);
        assert!(sums[1].asleep > sums[1].tested / 4);
    }
}

/// Long plates and rods: their boxes overlap for long while they are apart.
#[test]
fn at_low_speed_most_tests_are_skipped() {
    let sums = run(&Setting {
        mode: Mode::Boolean,
        bodies: 60,
        room: 5.0,
        speeds: [1e-4, 5e-3],
        accelerations: [0.0; 2],
        frames: 3000,
        mischief: 0.0,
        seed: 140,
    });
    // Pairs that touch are looked at in every frame, as they must be told in every frame.
    let [plain, scheduled] = sums.map(|sum| sum.tested + sum.beyond_spheres - sum.touching);
    assert!(5 * scheduled < plain, "{scheduled} of {plain} were looked at");
}

/// Two balls that run at each other exactly at their bounds begin in the frame in which they must, whatever the speed.
#[test]
fn the_first_frame_of_contact_is_never_late() {
    let mut rng = Rng::new(150);
    let mut asleep = HitRate::new("asleep");
    for trial in 0..3000 {
        let speed = rng.log_uniform(1e-3, 1.0);
        let frames = rng.integer(1, 40) as f64;
        let growth = if rng.chance(0.5) { rng.log_uniform(1e-5, 1e-2) } else { 0.0 };
        // Contact at a whole number of frames or just before or after; the boxes overlap from the start.
        let gap =
            (speed * frames + 0.5 * growth * frames * frames) * (1.0 + rng.pick(&[0.0, 1e-15, -1e-15, 1e-7, -1e-7]));
        let radius = 3.0 * gap;
        let across = DVec3::new(1.0, 1.0, 1.0).normalize();
        let start = across * (2.0 * radius + gap);
        let ball = Shape::sphere(narrow_real(radius)).unwrap();
        let (speed_now, growth_now): (Real, Real) = (narrow_real(speed), narrow_real(growth));
        let motion = Some(MotionBounds { speed: speed_now, acceleration: growth_now, ..MotionBounds::default() });
        let mut worlds = [false, true].map(|schedule| World::new(WorldOptions { schedule, ..WorldOptions::default() }));
        let ids = worlds.each_mut().map(|world| {
            world.add(NewBody { motion: Some(MotionBounds::default()), ..body_of(&ball) }).unwrap();
            world.add(NewBody { motion, ..NewBody::new(ball.clone(), pose_of(start, DQuat::IDENTITY)) }).unwrap()
        });
        for frame in 0..=frames as u32 + 1 {
            let time = f64::from(frame);
            let pose = pose_of(start - across * (speed * time + 0.5 * growth * time * time), DQuat::IDENTITY);
            let steps = [0, 1].map(|nth: usize| {
                worlds[nth].set_pose(ids[nth], pose).unwrap();
                let step = worlds[nth].step();
                (step.events.len(), step.statistics)
            });
            assert_eq!(steps[0].0, steps[1].0, "trial {trial} frame {frame}");
            asleep.record(steps[1].1.asleep > 0);
        }
        assert_eq!(worlds[1].step().statistics.touching, 1);
    }
    asleep.assert_between(0.3, 1.0);
}

/// Bodies that surprise in every frame do not fill the heap: memory does not grow with the frames.
#[test]
fn a_world_full_of_surprises_stays_small() {
    let mut world = World::new(WorldOptions { schedule: true, ..WorldOptions::default() });
    let ball = Shape::sphere(1.0).unwrap();
    let at = |x: Real| Pose::from_translation([x, 1.5, 1.5]).unwrap();
    world.add(NewBody { motion: Some(MotionBounds::default()), ..body_of(&ball) }).unwrap();
    let other = world.add(NewBody { motion: Some(MotionBounds::default()), ..NewBody::new(ball, at(0.5)) }).unwrap();
    for frame in 0..20_000 {
        world.set_pose(other, at(0.5 + 0.001 * (frame % 2) as Real)).unwrap();
        let statistics = world.step().statistics;
        assert_eq!((statistics.pairs, statistics.surprises), (1, u64::from(frame > 0)));
        assert!(world.sleeping() <= 300, "{} entries", world.sleeping());
    }
}
