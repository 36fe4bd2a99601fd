//! Bodies moved one by one through the others.

use clearance::world::{BodyId, Filter};
use clearance::{Cast, Real, Rotation, Vec3};

use super::error::RoomError;
use super::mass::Moving;
use super::room::Room;
use super::tolerance::{MOST_HITS, NEAR, STILL};
use crate::walk::Planes;

impl Room {
    /// Moves all bodies that are awake for a time, the lowest first: what is below makes room.
    pub(super) fn move_all(&mut self, dt: Real) -> Result<(), RoomError> {
        let down = self.options.gravity;
        let height = |id: &BodyId| {
            let moving = self.moving.get(id.index()).and_then(Option::as_ref);
            moving.filter(|moving| !moving.is_resting).map(|moving| (*id, -down.dot(moving.center())))
        };
        let mut order: Vec<(BodyId, Real)> = self.ids.iter().filter_map(height).collect();
        order.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        for (id, _) in order {
            self.move_one(id, dt)?;
        }
        Ok(())
    }

    /// Moves a body for a time. What it meets gets an impulse, and it goes on with the time that is left, along what it has met: impulses
    /// end what approaches only as far as one contact at a time can tell.
    fn move_one(&mut self, id: BodyId, dt: Real) -> Result<(), RoomError> {
        // Times that are left of the translation and of the rotation, and what stands against them.
        let (mut left, mut planes, mut axes) = ([dt; 2], Planes::default(), Planes::default());
        let still = STILL * self.options.zone;
        for _ in 0..MOST_HITS {
            let Some(moving) = self.moving.get(id.index()).and_then(Option::as_ref) else { return Ok(()) };
            // In free flight with the mean of the velocities, which is exact.
            let free = if moving.has_met { Vec3::ZERO } else { self.options.gravity * (0.5 * dt) };
            let way = (moving.velocity - free) * left[0];
            let way = planes.along(way + self.too_high(moving, way));
            let turn = axes.along(moving.angular * left[1]);
            let (length, arc) = (way.length(), turn.length() * moving.radius);
            if length + arc < still {
                break;
            }
            let [first, second] = self.shift(id, way, turn)?;
            let shares = [first.1.fraction, second.1.fraction];
            left = [left[0] * (1.0 - shares[0]), left[1] * (1.0 - shares[1])];
            if shares[0] * length + shares[1] * arc > NEAR * self.options.zone {
                (planes, axes) = (Planes::default(), Planes::default());
            }
            for ((other, cast), is_turn) in [(first, false), (second, true)] {
                if let Some(hit) = cast.hit.filter(|_| cast.fraction < 1.0) {
                    self.collide(id.index(), other, &hit);
                    let arm = self.arm(id, hit.points[1]);
                    if is_turn {
                        axes.meet(arm.cross(hit.normal).normalize_or_zero());
                    } else {
                        planes.meet(hit.normal);
                    }
                }
            }
        }
        Ok(())
    }

    /// What leads down from a way that rises by more than the kinetic energy of the body can pay for: a small velocity upwards at the start of a
    /// long step ends soon.
    fn too_high(&self, moving: &Moving, way: Vec3) -> Vec3 {
        let gravity = self.options.gravity;
        let work = -moving.mass * gravity.dot(way);
        let excess = work - moving.kinetic();
        if excess > 0.0 { gravity * (excess / (moving.mass * gravity.length_squared())) } else { Vec3::ZERO }
    }

    /// From a body's centre of mass to a point.
    fn arm(&self, id: BodyId, point: Vec3) -> Vec3 {
        self.moving.get(id.index()).and_then(Option::as_ref).map_or(Vec3::ZERO, |moving| point - moving.center())
    }

    /// Moves a body by a translation and then a rotation about its centre of mass, each until something is in the way; gives how each
    /// went, with the index of what was met. How a ball is turned is not kept.
    pub(super) fn shift(&mut self, id: BodyId, way: Vec3, turn: Vec3) -> Result<[(usize, Cast); 2], RoomError> {
        let options = self.cast_options();
        let Some(moving) = self.moving.get(id.index()).and_then(Option::as_ref) else {
            return Err(RoomError::Fixed { body: id });
        };
        let filter = match moving.figure {
            Some(figure) => Filter::default().without_group(Self::group(figure)?),
            None => Filter::default(),
        };
        let angle = if moving.is_ball { 0.0 } else { turn.length() };
        let axis = if angle > 0.0 { turn } else { Vec3::X };
        let rotation = Rotation { origin: moving.center(), axis, angle };
        let moved = self.world.move_body(id, way, rotation, &mut self.cache, &options, &filter);
        let moved = moved.map_err(|source| RoomError::Move { body: id.index(), source })?;
        if let Some(Some(moving)) = self.moving.get_mut(id.index()) {
            moving.take(moved.pose);
        }
        Ok([moved.translation, moved.rotation])
    }
}
