//! Random bodies that are added, moved, removed and told whom to mind, in several worlds and the twin at once.

use clearance::math::narrow_real;
use clearance::world::{BodyId, Mode, NewBody, PairRule, World, WorldOptions};
use clearance::{Body, Compound, Mesh, Polytope, Pose, Shape};
use clearance_testkit::{Cloud, Polyhedron, Rng};
use glam::{DQuat, DVec3};

use super::Twin;
use crate::common::{narrowed, pose_of};

/// Where bodies gather: two places near each other, one far away.
const SITES: [DVec3; 3] = [DVec3::ZERO, DVec3::new(4.0, 0.0, 1.0), DVec3::new(1e6, -1e6, 1e6)];
const GROUPS: usize = 4;

/// A body under way.
#[derive(Clone, Copy)]
struct Mover {
    id: BodyId,
    at: DVec3,
    turn: DQuat,
    velocity: DVec3,
    spin: DQuat,
}

impl Mover {
    fn pose(&self) -> Pose {
        pose_of(self.at, self.turn.normalize())
    }
}

pub struct Scene {
    pub worlds: Vec<World>,
    pub twin: Twin,
    rng: Rng,
    palette: Vec<Body>,
    /// How many of the bodies are fixed.
    fixed: f64,
    movers: Vec<Mover>,
    gone: Vec<BodyId>,
    most: usize,
}

/// The mesh of a polyhedron, scaled and moved away from its origin.
fn mesh(polyhedron: &Polyhedron, scale: f64, offset: DVec3) -> Body {
    let points: Vec<DVec3> = polyhedron.vertices.iter().map(|v| *v * scale + offset).collect();
    Mesh::new(&narrowed(&points), &polyhedron.faces).unwrap().into()
}

/// Meshes, solid and open, about their origins and far from them, and compounds of all kinds.
pub fn concave_bodies(rng: &mut Rng) -> Vec<Body> {
    let convex = shapes(rng);
    let at = |x: f64, y: f64, z: f64| pose_of(DVec3::new(x, y, z), DQuat::IDENTITY);
    let notched = mesh(&Polyhedron::notched(), 0.7, DVec3::ZERO);
    let two = [(Body::from(convex[3].clone()), at(-0.6, 0.0, 0.1)), (Body::from(convex[5].clone()), at(0.5, 0.2, 0.0))];
    let mixed = [(notched.clone(), at(0.0, 0.0, 0.5)), (Body::from(convex[7].clone()), at(0.3, -0.6, -0.4))];
    vec![
        notched,
        mesh(&Polyhedron::torus(0.7, 0.25, 10, 6), 1.0, DVec3::ZERO),
        mesh(&Polyhedron::notched(), 0.5, DVec3::new(0.4, 0.9, -0.2)),
        mesh(&Polyhedron::terrain(rng, 4), 1.2, DVec3::ZERO),
        Compound::new(two).unwrap().into(),
        Compound::new(mixed).unwrap().into(),
    ]
}

pub fn shapes(rng: &mut Rng) -> Vec<Shape> {
    let mut hull = |count: usize, scale: f64| {
        let points: Vec<DVec3> = Cloud::Ball.generate(rng, count).iter().map(|p| *p * scale).collect();
        Shape::from(Polytope::from_points(&narrowed(&points)).unwrap())
    };
    vec![
        hull(12, 0.9),
        hull(40, 1.0),
        hull(120, 0.8),
        Shape::cuboid([0.6, 0.5, 0.4]).unwrap(),
        Shape::cuboid([1.2, 0.3, 0.2]).unwrap(),
        Shape::sphere(0.6).unwrap(),
        Shape::cone(1.2, 0.5).unwrap(),
        Shape::capsule(0.5, 0.3).unwrap(),
        Shape::cylinder(0.5, 0.4).unwrap(),
        Shape::cuboid([0.1, 0.1, 0.1]).unwrap(),
    ]
}

impl Scene {
    pub fn new(options: &[WorldOptions], mode: Mode, most: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let palette = shapes(&mut rng).into_iter().map(Body::from).collect();
        Self::with_palette(options, mode, most, rng, palette)
    }

    fn with_palette(options: &[WorldOptions], mode: Mode, most: usize, rng: Rng, palette: Vec<Body>) -> Self {
        let worlds = options.iter().map(|options| World::new(WorldOptions { mode, ..*options })).collect();
        let twin = Twin::new(mode);
        Self { worlds, twin, rng, palette, fixed: 0.0, movers: Vec::new(), gone: Vec::new(), most }
    }

    /// Convex and concave bodies, a quarter of them fixed.
    pub fn mixed(options: &[WorldOptions], mode: Mode, most: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut palette: Vec<Body> = shapes(&mut rng).into_iter().map(Body::from).collect();
        palette.extend(concave_bodies(&mut rng));
        palette.extend(concave_bodies(&mut rng));
        Self { fixed: 0.25, ..Self::with_palette(options, mode, most, rng, palette) }
    }

    fn anywhere(&mut self) -> DVec3 {
        let site = self.rng.pick(&SITES);
        site + self.rng.in_ball(2.2)
    }

    fn add(&mut self, at: DVec3) {
        let rng = &mut self.rng;
        let turn = rng.rotation();
        let velocity = rng.unit_vector() * rng.log_uniform(1e-3, 0.2);
        let spin = DQuat::from_axis_angle(rng.unit_vector(), rng.log_uniform(1e-3, 0.3));
        let group = rng.index(GROUPS);
        let mut body = NewBody::new(self.palette[rng.index(self.palette.len())].clone(), pose_of(at, turn));
        body.fixed = self.fixed > 0.0 && rng.chance(self.fixed);
        body.group = Twin::group(group);
        if rng.chance(0.3) {
            body.margin = narrow_real(rng.uniform(0.01, 0.2));
        }
        let ids: Vec<BodyId> = self.worlds.iter_mut().map(|world| world.add(body.clone()).unwrap()).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "the same calls give the same ids");
        assert!(!self.gone.contains(&ids[0]), "an id is never used again");
        self.twin.add(ids[0], &body, group);
        self.movers.push(Mover { id: ids[0], at, turn, velocity, spin });
    }

    fn remove(&mut self, nth: usize) -> DVec3 {
        let mover = self.movers.swap_remove(nth);
        for world in &mut self.worlds {
            world.remove(mover.id).unwrap();
            assert!(world.remove(mover.id).is_err() && world.pose(mover.id).is_err());
        }
        self.twin.remove(mover.id);
        self.gone.push(mover.id);
        mover.at
    }

    fn put(&mut self, nth: usize) {
        let (id, pose) = (self.movers[nth].id, self.movers[nth].pose());
        self.worlds.iter_mut().for_each(|world| world.set_pose(id, pose).unwrap());
        self.twin.bodies.get_mut(&id).unwrap().pose = pose;
    }

    fn drift(&mut self, nth: usize) {
        let rng = &mut self.rng;
        let mover = &mut self.movers[nth];
        // Back toward the nearest site now and then, so that they keep meeting.
        let site = SITES.into_iter().min_by(|a, b| a.distance(mover.at).total_cmp(&b.distance(mover.at))).unwrap();
        if mover.at.distance(site) > 2.5 {
            mover.velocity = (site - mover.at).normalize() * mover.velocity.length().max(0.01);
        } else if rng.chance(0.02) {
            mover.velocity = rng.unit_vector() * rng.log_uniform(1e-3, 0.2);
        }
        mover.at += mover.velocity;
        mover.turn = (mover.spin * mover.turn).normalize();
        self.put(nth);
    }

    fn rule(&mut self) {
        let rng = &mut self.rng;
        if self.movers.len() < 2 {
            return;
        }
        let [a, b] = [0; 2].map(|_| self.movers[rng.index(self.movers.len())].id);
        let rule = match rng.index(4) {
            0 => Some(PairRule::Ignore),
            1 => Some(PairRule::Within(0.0)),
            2 => Some(PairRule::Within(narrow_real(rng.uniform(0.0, 0.8)))),
            _ => None,
        };
        for world in &mut self.worlds {
            assert_eq!(world.set_pair(a, b, rule).is_ok(), a != b);
        }
        if a != b {
            self.twin.set_rule(a, b, rule);
        }
    }

    fn regroup(&mut self) {
        let rng = &mut self.rng;
        let [a, b] = [0; 2].map(|_| rng.index(GROUPS));
        if rng.chance(0.5) && !self.movers.is_empty() {
            let id = self.movers[rng.index(self.movers.len())].id;
            self.worlds.iter_mut().for_each(|world| world.set_group(id, Twin::group(a)).unwrap());
            self.twin.bodies.get_mut(&id).unwrap().group = a;
        } else {
            let enabled = rng.chance(0.7);
            self.worlds.iter_mut().for_each(|world| world.set_groups(Twin::group(a), Twin::group(b), enabled));
            self.twin.set_groups(a, b, enabled);
        }
    }

    /// Everything that happens between two steps.
    pub fn change(&mut self) {
        if self.movers.len() < self.most && self.rng.chance(0.3) {
            let at = self.anywhere();
            self.add(at);
        }
        for nth in (0..self.movers.len()).rev() {
            match self.rng.index(400) {
                0 => {
                    self.remove(nth);
                }
                1 => {
                    // Another one in its place at once, under the same number; sometimes that one goes again, too.
                    let at = self.remove(nth);
                    self.add(at);
                    if self.rng.chance(0.3) {
                        self.remove(self.movers.len() - 1);
                    }
                }
                2..4 => {
                    self.movers[nth].at = self.anywhere();
                    self.put(nth);
                }
                4 => {
                    self.movers[nth].at += DVec3::X * 1e6;
                    self.put(nth);
                    self.movers[nth].at -= DVec3::X * 1e6;
                }
                // What is fixed moves rarely.
                5..300 if !self.twin.bodies[&self.movers[nth].id].fixed || self.rng.chance(0.01) => self.drift(nth),
                _ => (),
            }
        }
        if self.rng.chance(0.3) {
            self.rule();
        }
        if self.rng.chance(0.1) {
            self.regroup();
        }
    }
}
