//! Joints of articulated figures, by Lagrange multipliers.
//!
//! A joint holds a point of one body at a point of another: three rows. The rows of all joints of a figure are solved at once: the matrix of
//! what impulses at each joint do at each other is symmetric and positive definite, and small.

use clearance::world::BodyId;
use clearance::{Mat3, Real, Vec3};

use super::contact::{Contact, push_apart, relative};
use super::error::RoomError;
use super::mass::Moving;
use super::room::Room;
use super::tolerance::{JOINED, MOST_PULLS, PULL_HITS};
use crate::walk::Planes;

/// Names a joint of a room. No other joint gets the name, ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(u64);

/// Two bodies that share a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joint {
    id: JointId,
    pub ids: [BodyId; 2],
    /// The point in the frames of both.
    points: [Vec3; 2],
    figure: usize,
}

impl Joint {
    pub fn bodies(&self) -> [usize; 2] {
        self.ids.map(|id| id.index())
    }

    /// The point as each body has it.
    fn ends(&self, room: &Room) -> [Vec3; 2] {
        [0, 1]
            .map(|side| room.world.pose(self.ids[side]).map_or(self.points[side], |pose| pose.point(self.points[side])))
    }
}

impl Room {
    /// Joins two bodies at a point of the world, about which they turn freely; at least one of them moves. Bodies that move and are
    /// joined, directly or by others, are a figure: they do not collide with each other. With a fixed body that they hang from they do.
    ///
    /// # Errors
    /// If both are the same body, both are fixed, they are already of two figures, the point is none, or there are more than 63 figures.
    ///
    /// ```
    /// use clearance::{Pose, Shape, Vec3};
    /// use clearance_sim::doom::{NewMoving, Room, RoomOptions};
    /// let mut room = Room::new(RoomOptions::default())?;
    /// let hook = room.add_fixed(Shape::sphere(0.05)?, Pose::IDENTITY)?;
    /// let rod = NewMoving::new(Shape::cuboid([0.5, 0.05, 0.05])?, Pose::from_translation([0.65, 0.0, 0.0])?, 1.0);
    /// let rod = room.add(rod)?;
    /// room.join(hook, rod, Vec3::new(0.15, 0.0, 0.0))?;
    /// let mut error = 0.0;
    /// for _ in 0..60 {
    ///     error = room.step(1.0 / 60.0)?.joint_error.max(error);
    /// }
    /// assert!(error < 1e-3 && room.pose(rod)?.translation().z < 0.0); // it swings
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn join(&mut self, a: BodyId, b: BodyId, point: Vec3) -> Result<JointId, RoomError> {
        if a == b {
            return Err(RoomError::SameBody { body: a });
        }
        let ids = [a, b];
        let wrong = |why: &'static str| RoomError::Joint { bodies: ids, why };
        let poses = [*self.world.pose(a)?, *self.world.pose(b)?];
        if !point.is_finite() {
            return Err(wrong("the point is not finite"));
        }
        let moves = |id: BodyId| self.moving.get(id.index()).is_some_and(Option::is_some);
        let figure_of = |id: BodyId| self.moving.get(id.index())?.as_ref()?.figure;
        if !ids.into_iter().any(moves) {
            return Err(wrong("both are fixed"));
        }
        let figure = match ids.map(figure_of) {
            [Some(one), Some(other)] if one != other => {
                return Err(wrong("they are of two figures; join these from one end"));
            }
            [Some(one), _] | [_, Some(one)] => one,
            [None, None] => self.free_figure(),
        };
        let group = Self::group(figure)?;
        self.world.set_groups(group, group, false);
        for id in ids.into_iter().filter(|&id| moves(id)) {
            self.world.set_group(id, group)?;
        }
        for id in ids {
            if let Some(Some(one)) = self.moving.get_mut(id.index()) {
                one.figure = Some(figure);
            }
        }
        let points = poses.map(|pose| pose.point_to_local(point));
        let id = JointId(self.joints_added);
        self.joints_added += 1;
        self.joints.push(Joint { id, ids, points, figure });
        Ok(id)
    }

    /// The first figure of which there is no link.
    fn free_figure(&self) -> usize {
        let mut taken: Vec<usize> = self.moving.iter().flatten().filter_map(|one| one.figure).collect();
        taken.sort_unstable();
        taken.dedup();
        taken.iter().zip(0..).take_while(|(figure, nth)| *figure == nth).count()
    }

    /// How far apart the two ends of a joint are; nothing if there is no such joint.
    pub fn joint_error(&self, joint: JointId) -> Option<Real> {
        let found = self.joints.binary_search_by_key(&joint, |known| known.id).ok()?;
        let [a, b] = self.joints.get(found)?.ends(self);
        Some((b - a).length())
    }

    /// The largest distance between the two ends of a joint.
    pub(super) fn largest_joint_error(&self) -> Real {
        self.gaps().iter().map(|gap| gap.length()).fold(0.0, Real::max)
    }

    /// From the first end of each joint to the second.
    fn gaps(&self) -> Vec<Vec3> {
        let gap = |joint: &Joint| {
            let [a, b] = joint.ends(self);
            b - a
        };
        self.joints.iter().map(gap).collect()
    }

    /// Draws the links of figures together where moves that were held have pulled them apart.
    pub(super) fn pull_together(&mut self) -> Result<(), RoomError> {
        for _ in 0..MOST_PULLS {
            if !(self.largest_joint_error() > JOINED * self.options.zone) {
                break;
            }
            for (id, [way, turn]) in self.ways_together(&self.gaps())? {
                self.pull(id, way, turn)?;
            }
        }
        Ok(())
    }

    /// Translations and rotations of links after which the ends of joints meet and nothing comes nearer than its contacts allow: velocities for
    /// a unit of time, found as those of a step are.
    fn ways_together(&mut self, apart: &[Vec3]) -> Result<Vec<(BodyId, [Vec3; 2])>, RoomError> {
        self.find_contacts()?;
        let mut pulled = self.moving.clone();
        for one in pulled.iter_mut().flatten() {
            (one.velocity, one.angular) = (Vec3::ZERO, Vec3::ZERO);
            // Bodies that are no links are not pulled.
            one.is_resting |= one.figure.is_none();
        }
        let mut contacts: Vec<Contact> = self.contacts.iter().map(|contact| contact.smooth()).collect();
        contacts.iter_mut().for_each(|contact| contact.prepare(&pulled));
        let figures = Figures::new(&self.joints, &pulled);
        for _ in 0..self.options.iterations {
            figures.relax(&mut pulled, |joint| -apart[joint]);
            contacts.iter_mut().for_each(|contact| contact.relax(&mut pulled, 1.0));
        }
        let way = |id: &BodyId| {
            let one = pulled.get(id.index())?.as_ref().filter(|one| !one.is_resting)?;
            Some((*id, [one.velocity, one.angular]))
        };
        Ok(self.ids.iter().filter_map(way).collect())
    }

    /// Moves a link by a translation and a rotation, and on along what it meets.
    fn pull(&mut self, id: BodyId, way: Vec3, turn: Vec3) -> Result<(), RoomError> {
        let (mut planes, mut left) = (Planes::default(), [way, turn]);
        for _ in 0..PULL_HITS {
            let [first, second] = self.shift(id, left[0], left[1])?;
            left = [left[0] * (1.0 - first.1.fraction), left[1] * (1.0 - second.1.fraction)];
            let Some(hit) = first.1.hit.filter(|_| first.1.fraction < 1.0) else { break };
            planes.meet(hit.normal);
            left[0] = planes.along(left[0]);
        }
        if let Some(Some(one)) = self.moving.get_mut(id.index()) {
            one.has_met = true;
        }
        Ok(())
    }
}

/// The joints of all figures, with the factors of their matrices.
pub(super) struct Figures<'j> {
    joints: &'j [Joint],
    /// The joints of each figure that is awake, and the lower triangle of the factor of its matrix, by rows.
    systems: Vec<(Vec<usize>, Vec<Real>)>,
    points: Vec<Vec3>,
}

impl<'j> Figures<'j> {
    pub fn new(joints: &'j [Joint], moving: &[Option<Moving>]) -> Self {
        let place = |joint: &Joint| {
            let of = |side: usize| {
                let one = moving.get(joint.ids[side].index())?.as_ref()?;
                Some(one.pose.point(joint.points[side]))
            };
            of(1).or_else(|| of(0)).unwrap_or_default()
        };
        let points: Vec<Vec3> = joints.iter().map(place).collect();
        let count = joints.iter().map(|joint| joint.figure + 1).max().unwrap_or(0);
        let mut systems = Vec::new();
        for figure in 0..count {
            let of_figure: Vec<usize> = (0..joints.len())
                .filter(|&at| joints[at].figure == figure)
                .filter(|&at| joints[at].bodies().iter().any(|&body| super::contact::awake(moving, body).is_some()))
                .collect();
            if !of_figure.is_empty() {
                let factor = factor(&matrix(joints, &of_figure, &points, moving), 3 * of_figure.len());
                systems.push((of_figure, factor));
            }
        }
        Self { joints, systems, points }
    }

    /// Impulses after which the ends of all joints move relative to each other as wanted.
    pub fn relax(&self, moving: &mut [Option<Moving>], wanted: impl Fn(usize) -> Vec3) {
        for (of_figure, factor) in &self.systems {
            let change =
                |&joint: &usize| wanted(joint) - relative(moving, self.joints[joint].bodies(), self.points[joint]);
            let mut x: Vec<Real> = of_figure.iter().map(change).flat_map(|change| change.to_array()).collect();
            solve(factor, &mut x);
            for (at, &joint) in of_figure.iter().enumerate() {
                let impulse = Vec3::new(x[3 * at], x[3 * at + 1], x[3 * at + 2]);
                if impulse.is_finite() {
                    push_apart(moving, self.joints[joint].bodies(), impulse, self.points[joint]);
                }
            }
        }
    }
}

/// What impulses at each joint do to the relative velocity at each other.
fn matrix(joints: &[Joint], of_figure: &[usize], points: &[Vec3], moving: &[Option<Moving>]) -> Vec<Real> {
    let size = 3 * of_figure.len();
    let mut matrix = vec![0.0; size * size];
    for (i, &to) in of_figure.iter().enumerate() {
        for (j, &from) in of_figure.iter().enumerate() {
            let mut block = Mat3::ZERO;
            for (side, &body) in joints[to].bodies().iter().enumerate() {
                let shared = joints[from].bodies().iter().position(|&other| other == body);
                if let (Some(other), Some(one)) = (shared, super::contact::awake(moving, body)) {
                    let response = one.response_between(points[from], points[to]);
                    block += if side == other { response } else { -response };
                }
            }
            for column in 0..3 {
                for row in 0..3 {
                    matrix[(3 * i + row) * size + 3 * j + column] = block.col(column)[row];
                }
            }
        }
    }
    matrix
}

/// The factor of Cholesky of a matrix; rows that depend on others are left out.
fn factor(matrix: &[Real], size: usize) -> Vec<Real> {
    let mut l = vec![0.0; size * size];
    for i in 0..size {
        for j in 0..=i {
            let known: Real = (0..j).map(|k| l[i * size + k] * l[j * size + k]).sum();
            let rest = matrix[i * size + j] - known;
            l[i * size + j] = if i == j {
                let is_free = rest > matrix[i * size + i] * Real::EPSILON * size as Real;
                if is_free { rest.sqrt() } else { Real::INFINITY }
            } else if l[j * size + j].is_finite() {
                rest / l[j * size + j]
            } else {
                0.0
            };
        }
    }
    l
}

/// Solves with a factor, in place.
fn solve(l: &[Real], x: &mut [Real]) {
    let size = x.len();
    for i in 0..size {
        let known: Real = (0..i).map(|k| l[i * size + k] * x[k]).sum();
        x[i] = (x[i] - known) / l[i * size + i];
    }
    for i in (0..size).rev() {
        let known: Real = (i + 1..size).map(|k| l[k * size + i] * x[k]).sum();
        x[i] = (x[i] - known) / l[i * size + i];
    }
}
