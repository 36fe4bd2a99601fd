//! The rival's way through a frame of many bodies: its tree of boxes and its test of each pair of overlapping boxes.
//!
//! Parry has no world of its own; this is what its tree is made for. All leaves get their boxes, the tree is refitted, and
//! traversed against itself. The tree can be kept up in several ways, and the boxes be tight or turned from those at rest,
//! which costs less and gives more pairs; a race counts the best of them.

use clearance::Pose;
use glam::DVec3;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::{Pose as RivalPose, Rotation, Vector};
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d_f64::query;
use parry3d_f64::shape::SharedShape;

use crate::Failure;

/// How the tree and the boxes follow the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Upkeep {
    /// The tree is refitted and its nodes put in order.
    Refit,
    /// Besides, some of its subtrees are built anew in each frame.
    Optimised,
    /// It is refitted where its nodes are.
    InPlace,
    /// As optimised, with boxes turned from those at rest.
    TurnedBoxes,
}

impl Upkeep {
    pub(crate) const ALL: [Self; 4] = [Self::Refit, Self::Optimised, Self::InPlace, Self::TurnedBoxes];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Refit => "refitted",
            Self::Optimised => "optimised",
            Self::InPlace => "refitted in place",
            Self::TurnedBoxes => "optimised, turned boxes",
        }
    }
}

/// The bodies and their recorded poses, as the rival has them.
pub(crate) struct RivalBodies {
    shapes: Vec<SharedShape>,
    /// The boxes at rest, by shape.
    at_rest: Vec<Aabb>,
    shape_of: Vec<usize>,
    frames: Vec<Vec<RivalPose>>,
}

impl RivalBodies {
    pub(crate) fn new(points: &[Vec<DVec3>], shape_of: &[usize], frames: &[Vec<Pose>]) -> Result<Self, Failure> {
        let vector = |v: DVec3| Vector::from_array(v.to_array());
        let hull = |points: &Vec<DVec3>| {
            let points: Vec<Vector> = points.iter().map(|&point| vector(point)).collect();
            SharedShape::convex_hull(&points).ok_or("the rival refuses the hull")
        };
        let pose = |pose: &Pose| {
            RivalPose::from_parts(vector(pose.translation()), Rotation::from_array(pose.rotation().to_array()))
        };
        let shapes = points.iter().map(hull).collect::<Result<Vec<_>, _>>()?;
        let at_rest = shapes.iter().map(|shape| shape.compute_local_aabb()).collect();
        let frames = frames.iter().map(|poses| poses.iter().map(pose).collect()).collect();
        Ok(Self { shapes, at_rest, shape_of: shape_of.to_vec(), frames })
    }
}

/// The rival's tree.
pub(crate) struct RivalWorld<'a> {
    bodies: &'a RivalBodies,
    upkeep: Upkeep,
    bvh: Bvh,
    workspace: BvhWorkspace,
}

impl<'a> RivalWorld<'a> {
    pub(crate) fn new(bodies: &'a RivalBodies, upkeep: Upkeep) -> Self {
        let mut world = Self { bodies, upkeep, bvh: Bvh::new(), workspace: BvhWorkspace::default() };
        if let Some(poses) = bodies.frames.first() {
            let boxes: Vec<Aabb> = poses.iter().enumerate().map(|(body, pose)| world.bounds(body, pose)).collect();
            world.bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        }
        world
    }

    #[inline]
    fn bounds(&self, body: usize, pose: &RivalPose) -> Aabb {
        let shape = self.bodies.shape_of[body];
        match self.upkeep {
            Upkeep::TurnedBoxes => self.bodies.at_rest[shape].transform_by(pose),
            _ => self.bodies.shapes[shape].compute_aabb(pose),
        }
    }

    /// Goes to a frame and collects the pairs that touch.
    pub(crate) fn frame(&mut self, frame: usize, touching: &mut Vec<[u32; 2]>) {
        let poses = &self.bodies.frames[frame];
        for (body, pose) in poses.iter().enumerate() {
            let bounds = self.bounds(body, pose);
            self.bvh.insert_or_update_partially(bounds, body as u32, 0.0);
        }
        match self.upkeep {
            Upkeep::Refit => self.bvh.refit(&mut self.workspace),
            Upkeep::InPlace => self.bvh.refit_without_opt(),
            Upkeep::Optimised | Upkeep::TurnedBoxes => {
                self.bvh.optimize_incremental(&mut self.workspace);
                self.bvh.refit(&mut self.workspace);
            }
        }
        touching.clear();
        let bodies = self.bodies;
        self.bvh.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |i, j| {
            let [a, b] = [i, j].map(|body| &*bodies.shapes[bodies.shape_of[body as usize]]);
            let answer = query::intersection_test(&poses[i as usize], a, &poses[j as usize], b);
            if answer.is_ok_and(|answer| answer.intersecting) {
                touching.push([i.min(j), i.max(j)]);
            }
        });
    }
}
