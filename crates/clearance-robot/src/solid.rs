//! A body of a workcell: on a frame of the robot or at rest, with what makes the checks of many pairs fast.

use clearance::{Aabb, Body, Cache, Pose, Quat, Shape, Vec3, project};

use crate::chain::Placed;
use crate::inside::inside_by;
use crate::support_table::SupportTable;

/// A frame of the world or of the robot's base: nothing on it moves.
pub const AT_REST: u32 = u32::MAX;

/// A body on a frame.
#[derive(Debug, Clone)]
pub struct Solid {
    /// The link or the other body that it is of, by its number among all of them.
    pub owner: u32,
    /// The frame that it moves with, or [`AT_REST`].
    pub frame: u32,
    /// How it is turned in its frame.
    pub turn: Quat,
    /// Where its origin is in its frame, around which it is measured.
    pub centre: Vec3,
    pub body: Body,
    /// A convex shape around it; the body itself if it is convex. None for concave bodies at rest.
    pub hull: Option<Shape>,
    pub is_convex: bool,
    /// A ball of this radius about the centre contains it.
    pub radius: f64,
    /// About the least that it reaches from its centre in any direction.
    pub least_reach: f64,
    /// Of its hull, in the axes of its frame.
    pub table: Option<SupportTable>,
    /// If it is at rest: its place, and its box.
    pub rest: Pose,
    pub bounds: Aabb,
    /// If it is a half-space at rest: normal and offset of its plane.
    pub plane: Option<(Vec3, f64)>,
}

/// What a body is made from.
pub struct Parts {
    pub owner: u32,
    pub body: Body,
    pub hull: Option<Shape>,
    pub is_convex: bool,
}

impl Solid {
    /// A body at a pose within a frame.
    pub fn new(parts: Parts, frame: u32, pose: &Pose) -> Self {
        let Parts { owner, body, hull, is_convex } = parts;
        let turn = pose.rotation();
        let table = hull.as_ref().map(|hull| SupportTable::new(hull, turn));
        let least_reach = table.as_ref().map_or(0.0, SupportTable::least);
        // A little more than the library says, for what is rounded on the way.
        let radius = body.bounding_radius() * (1.0 + f64::EPSILON);
        let bounds = body.aabb(pose);
        let plane = if let Body::HalfSpace(half_space) = &body {
            let posed = half_space.posed(pose);
            Some((posed.normal(), posed.offset()))
        } else {
            None
        };
        let centre = pose.translation();
        Self {
            owner,
            frame,
            turn,
            centre,
            body,
            hull,
            is_convex,
            radius,
            least_reach,
            table,
            rest: *pose,
            bounds,
            plane,
        }
    }

    pub fn is_at_rest(&self) -> bool {
        self.frame == AT_REST
    }

    /// Its centre in world space.
    #[inline]
    pub fn centre(&self, placed: &[Placed]) -> Vec3 {
        if self.frame == AT_REST {
            self.centre
        } else {
            let frame = &placed[self.frame as usize];
            frame.t + frame.m * self.centre
        }
    }

    /// Its pose in world space.
    #[inline]
    pub fn pose(&self, placed: &[Placed]) -> Pose {
        if self.frame == AT_REST { self.rest } else { placed[self.frame as usize].then(self.turn, self.centre).pose() }
    }

    /// Whether a world point is inside of it by more than twice the error. It may be where this says no.
    pub fn holds(&self, pose: &Pose, point: Vec3, error: f64) -> bool {
        match &self.body {
            Body::Convex(shape) => {
                inside_by(shape, pose.point_to_local(point)).is_some_and(|depth| depth > 2.0 * error)
            }
            Body::Mesh(mesh) if mesh.is_solid() => {
                project(&**mesh, pose, point, &mut Cache::default()).upper < -2.0 * error
            }
            _ => false,
        }
    }

    /// An upper bound of how far it reaches along a world direction from its centre; infinite if it has no table.
    #[inline]
    pub fn reach(&self, direction: Vec3, placed: &[Placed]) -> f64 {
        match &self.table {
            Some(table) if self.frame == AT_REST => table.reach(direction),
            Some(table) => table.reach(placed[self.frame as usize].to_local(direction)),
            None => f64::INFINITY,
        }
    }
}
