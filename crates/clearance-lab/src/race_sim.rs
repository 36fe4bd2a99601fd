//! The simulator beside rapier3d on the same scenes, in single precision and on one thread: mixed bodies poured into a bowl, which is a mesh,
//! and a stack of boxes. Time per step by phase, drift, depth of overlaps, energy.
//!
//! Both start from the same bodies, poses, densities, friction and step. Rapier's collision phase is what its own counters call collision
//! detection; ours is [`clearance_sim_f32::Phases`]. The compound of two boxes is two colliders of one body there, and rapier's cylinders lie along
//! y. Its solver keeps its own defaults.

use std::time::Duration;

use clearance_f32::{Body, Cache, Core, Pose, Shape, closest};
use clearance_sim_f32::scenes::{Stack, bowl, stacking};
use clearance_sim_f32::{Simulation, SimulationOptions};
use rapier3d::prelude::*;

use crate::{Experiment, Failure, Progress, Report, Settings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "race-sim",
    title: "the simulator and rapier3d on the same scenes: time by phase, drift, depth and energy",
    reproduces: "race",
    run,
};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Bodies in the bowl.
    pub bodies: usize,
    /// Boxes of the stack.
    pub stack: usize,
    /// Steps of a sixtieth of a second.
    pub steps: usize,
}

const FULL: Sizes = Sizes { bodies: 1000, stack: 10, steps: 600 };
const QUICK: Sizes = Sizes { bodies: 100, stack: 5, steps: 120 };

/// Builds a scene.
type Make<'a> = Box<dyn Fn() -> Result<Simulation, Failure> + Sync + 'a>;

/// What one of them needed for a scene.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    collide: f64,
    solve: f64,
    whole: f64,
    /// The deepest overlap of two bodies at the end.
    deepest: f64,
    /// The lowest body at the end.
    lowest: f64,
    /// The highest speed at the end.
    fastest: f64,
}

fn run(settings: &Settings, progress: &Progress) -> Result<Report, Failure> {
    run_with(settings, progress, if settings.quick { &QUICK } else { &FULL })
}

/// Runs the race with sizes of one's own.
///
/// # Errors
/// If a scene cannot be built.
pub fn run_with(settings: &Settings, progress: &Progress, sizes: &Sizes) -> Result<Report, Failure> {
    let options = SimulationOptions::default();
    let scenes: [(&str, Make<'_>); 2] = [
        ("bowl", Box::new(|| Ok(bowl(sizes.bodies, settings.seed, options)?))),
        (
            "stack",
            Box::new(|| Ok(stacking(&Stack { count: sizes.stack, round: false, seed: settings.seed }, options)?)),
        ),
    ];
    progress.start(4, "runs");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let columns = ["scene", "who", "collide_us", "solve_us", "whole_us", "deepest", "lowest", "fastest"];
    let mut report = Report::new(EXPERIMENT.name, &columns);
    for (name, make) in &scenes {
        let rival = Rival::new(&make()?)?.run(sizes.steps);
        progress.advance(1);
        let ours = pool.install(|| ours(make()?, sizes.steps))?;
        progress.advance(1);
        for (who, run) in [("clearance-sim-f32", &ours), ("rapier3d", &rival)] {
            let figures = [run.collide, run.solve, run.whole, run.deepest, run.lowest, run.fastest];
            report.row([(*name).into(), who.into()].into_iter().chain(figures.map(crate::Value::from)));
        }
        let ratio = rival.collide / ours.collide;
        let text = format!("{ratio:.2} times ({:.0} and {:.0} µs a step)", ours.collide, rival.collide);
        report.claim(
            format!("{name}: our collision phases are at least twice as fast as rapier's"),
            "goal: 2",
            text,
            ratio >= 2.0,
        );
        let ratio = rival.whole / ours.whole;
        report.claim(
            format!("{name}: a step takes no longer than rapier's"),
            "–",
            format!("{ratio:.2} times"),
            ratio >= 1.0,
        );
        let text = format!("{:.1e} and {:.1e}", ours.deepest, rival.deepest);
        report.claim(
            format!("{name}: bodies overlap no deeper than rapier's"),
            "–",
            text,
            ours.deepest <= rival.deepest,
        );
        report.claim(format!("{name}: nothing falls through"), "goal", ours.lowest, ours.lowest > -0.1);
    }
    Ok(report)
}

fn ours(mut simulation: Simulation, steps: usize) -> Result<Run, Failure> {
    let mut phases = clearance_sim_f32::Phases::default();
    for _ in 0..steps {
        phases = phases.plus(&simulation.step()?.phases);
    }
    let per_step = |time: Duration| time.as_secs_f64() * 1e6 / steps.max(1) as f64;
    let world = simulation.world();
    let mut bodies = Vec::new();
    for id in world.ids() {
        bodies.push((world.body(id)?.clone(), *world.pose(id)?));
    }
    Ok(Run {
        collide: per_step(phases.collide),
        solve: per_step(phases.solve),
        whole: per_step(phases.collide + phases.solve + phases.finish),
        deepest: deepest(&bodies),
        lowest: lowest(&bodies),
        fastest: f64::from(simulation.fastest()),
    })
}

/// The deepest overlap of two convex bodies, as the library measures it.
fn deepest(bodies: &[(Body, Pose)]) -> f64 {
    let mut deepest: f64 = 0.0;
    for (i, (a, at_a)) in bodies.iter().enumerate() {
        for (b, at_b) in &bodies[i + 1..] {
            if !matches!((a, b), (Body::Convex(_), Body::Convex(_))) {
                continue;
            }
            let apart = (at_b.translation() - at_a.translation()).length();
            if apart < a.bounding_radius() + b.bounding_radius() {
                let near = closest(a, at_a, b, at_b, &mut Cache::default());
                deepest = deepest.max(-f64::from(near.distance));
            }
        }
    }
    deepest
}

fn lowest(bodies: &[(Body, Pose)]) -> f64 {
    bodies.iter().skip(1).map(|(_, pose)| f64::from(pose.translation().z)).fold(f64::INFINITY, f64::min)
}

/// The same scene in rapier.
struct Rival {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    handles: Vec<RigidBodyHandle>,
    shapes: Vec<Body>,
}

impl Rival {
    fn new(simulation: &Simulation) -> Result<Self, Failure> {
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        let (mut handles, mut shapes) = (Vec::new(), Vec::new());
        let world = simulation.world();
        for (handle, id) in simulation.bodies().zip(world.ids()) {
            let (body, pose) = (world.body(id)?, world.pose(id)?);
            let fixed = simulation.kind(handle)? != clearance_sim_f32::BodyKind::Dynamic;
            let builder = if fixed { RigidBodyBuilder::fixed() } else { RigidBodyBuilder::dynamic() };
            let number = bodies.insert(builder.pose(rival_pose(pose)));
            for (shape, local) in rival_shapes(body)? {
                // The simulator's friction is the geometric mean of both, 0.6 by default; rapier averages.
                let collider = ColliderBuilder::new(shape).position(local).density(1.0).friction(0.6);
                colliders.insert_with_parent(collider, number, &mut bodies);
            }
            handles.push(number);
            shapes.push(body.clone());
        }
        Ok(Self { bodies, colliders, handles, shapes })
    }

    fn run(mut self, steps: usize) -> Run {
        let mut pipeline = PhysicsPipeline::new();
        pipeline.counters.enable();
        let parameters = IntegrationParameters::default();
        let mut islands = IslandManager::new();
        let (mut broad, mut narrow) = (DefaultBroadPhase::new(), NarrowPhase::new());
        let (mut joints, mut multibodies, mut soft) =
            (ImpulseJointSet::new(), MultibodyJointSet::new(), SoftBodySet::new());
        let mut ccd = CCDSolver::new();
        let (mut collide, mut solve, mut whole) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        for _ in 0..steps {
            let start = std::time::Instant::now();
            pipeline.step(
                Vector::new(0.0, 0.0, -9.81),
                &parameters,
                &mut islands,
                &mut broad,
                &mut narrow,
                &mut self.bodies,
                &mut self.colliders,
                &mut joints,
                &mut multibodies,
                &mut soft,
                &mut ccd,
                &(),
                &(),
            );
            whole += start.elapsed();
            collide += pipeline.counters.stages.collision_detection_time.time();
            solve += pipeline.counters.stages.solver_time.time();
        }
        let per_step = |time: Duration| time.as_secs_f64() * 1e6 / steps.max(1) as f64;
        let placed: Vec<(Body, Pose)> = self
            .handles
            .iter()
            .zip(&self.shapes)
            .filter_map(|(handle, shape)| {
                let at = self.bodies[*handle].position();
                let pose = Pose::new(at.translation.to_array(), at.rotation.normalize().to_array()).ok()?;
                Some((shape.clone(), pose))
            })
            .collect();
        let fastest = self.handles.iter().map(|handle| self.bodies[*handle].linvel().length()).fold(0.0, f32::max);
        Run {
            collide: per_step(collide),
            solve: per_step(solve),
            whole: per_step(whole),
            deepest: deepest(&placed),
            lowest: lowest(&placed),
            fastest: f64::from(fastest),
        }
    }
}

fn rival_pose(pose: &Pose) -> rapier3d::math::Pose {
    let rotation = rapier3d::math::Rotation::from_array(pose.rotation().to_array());
    rapier3d::math::Pose::from_parts(Vector::from_array(pose.translation().to_array()), rotation)
}

/// Colliders of a body, each with its pose in it.
fn rival_shapes(body: &Body) -> Result<Vec<(SharedShape, rapier3d::math::Pose)>, Failure> {
    let here = rapier3d::math::Pose::IDENTITY;
    match body {
        Body::Convex(shape) => Ok(vec![rival_shape(shape)?]),
        Body::Mesh(mesh) => {
            let vertices = mesh.vertices().iter().map(|v| Vector::from_array(v.to_array())).collect();
            let faces: Vec<[u32; 3]> = (0..mesh.face_count() as u32)
                .filter_map(|face| <[u32; 3]>::try_from(mesh.face_vertices(face)).ok())
                .collect();
            Ok(vec![(SharedShape::trimesh(vertices, faces)?, here)])
        }
        Body::HalfSpace(plane) => {
            let normal = Vector::from_array(plane.normal().to_array());
            let local = rapier3d::math::Pose::from_translation(normal * plane.offset());
            Ok(vec![(SharedShape::halfspace(normal), local)])
        }
        // The only compound of the scenes: the angle of the bowl.
        Body::Compound(_) => Ok([([0.25, 0.08, 0.08], [0.0, -0.08, 0.0]), ([0.08, 0.16, 0.08], [-0.17, 0.16, 0.0])]
            .map(|(half, at): ([f32; 3], [f32; 3])| {
                let local = rapier3d::math::Pose::from_translation(Vector::from_array(at));
                (SharedShape::cuboid(half[0], half[1], half[2]), local)
            })
            .to_vec()),
        _ => Err("the rival has no such body".into()),
    }
}

fn rival_shape(shape: &Shape) -> Result<(SharedShape, rapier3d::math::Pose), Failure> {
    let here = rapier3d::math::Pose::IDENTITY;
    let rounding = shape.radius();
    Ok(match shape.core() {
        Core::Point => (SharedShape::ball(rounding), here),
        Core::Segment { half_length } => (SharedShape::capsule_x(*half_length, rounding), here),
        Core::Cuboid { half_extents: h } if rounding > 0.0 => {
            (SharedShape::round_cuboid(h.x, h.y, h.z, rounding), here)
        }
        Core::Cuboid { half_extents: h } => (SharedShape::cuboid(h.x, h.y, h.z), here),
        Core::Cylinder { half_height, radius } => {
            let turn = rapier3d::math::Rotation::from_rotation_x(std::f32::consts::FRAC_PI_2);
            let local = rapier3d::math::Pose::from_parts(Vector::ZERO, turn);
            (SharedShape::cylinder(*half_height, *radius), local)
        }
        Core::Polytope(polytope) => {
            let points: Vec<Vector> = polytope.vertices().iter().map(|v| Vector::from_array(v.to_array())).collect();
            (SharedShape::convex_hull(&points).ok_or("the rival refuses a hull")?, here)
        }
        _ => return Err("the rival has no such shape".into()),
    })
}
