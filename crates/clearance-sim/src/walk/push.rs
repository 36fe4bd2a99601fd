//! What moves a walker: the body it stands on, and bodies that come into it.

use clearance::world::BodyId;
use clearance::{Aabb, Body, Cache, CastOptions, Motion, Pose, Quat, Real, Vec3, contact_range, time_of_impact};

use super::around::{Ask, Mover, Seen, Stop};
use super::error::WalkError;
use super::footing::Footing;
use super::planes::Planes;
use super::tolerance::{MOST_CASTS, MOST_PUSHES, NEGLIGIBLE, PUSHED};

impl Mover<'_> {
    /// Takes the walker along with the body it stands on.
    pub fn carry(&mut self, footing: &Footing) -> Result<(), WalkError> {
        let id = footing.ground.body;
        let Ok(&now) = self.world.pose(id) else { return Ok(()) };
        if now == footing.pose {
            return Ok(());
        }
        let at = self.at.translation();
        let there = now.point(footing.pose.point_to_local(at));
        self.base += (there - at).dot(self.walk.up);
        self.except = Some(id);
        self.shove(there - at)?;
        self.turn(yaw(&footing.pose, &now, self.walk.up))?;
        self.except = None;
        Ok(())
    }

    /// Turns the walker about the upward axis through its origin as far as there is room; gives the angle.
    pub fn turn(&mut self, angle: Real) -> Result<Real, WalkError> {
        if angle == 0.0 {
            return Ok(0.0);
        }
        let at = self.at;
        let motion = Motion::rotation(at, at.translation(), self.walk.up, angle)?;
        let radius = self.shape.bounding_radius();
        let around = Vec3::splat(radius);
        let bounds = Aabb { min: at.translation() - around, max: at.translation() + around };
        let (shape, skin) = (self.shape, self.walk.skin);
        let mut free: Real = 1.0;
        self.each_near(&bounds, |other, body, cache| {
            let ask = Ask { body, pose: &other.pose, shape, motion: &motion, way: Vec3::ZERO, skin };
            let found = ask.any(cache)?;
            free = found.map_or(free, |met| free.min(met.fraction));
            Ok(())
        })?;
        self.at = motion.pose(free);
        self.measure();
        Ok(angle * free)
    }

    /// Moves the walker along a way as far as there is room, and on along what is in the way.
    fn shove(&mut self, way: Vec3) -> Result<(), WalkError> {
        let (mut planes, mut left) = (Planes::default(), 1.0);
        let (mut lift, mut owed) = (Vec3::ZERO, Vec3::ZERO);
        for _ in 0..MOST_CASTS {
            let along = planes.along(way * left);
            if !(along.length() > NEGLIGIBLE * way.length()) {
                break;
            }
            let Stop { moved, share, touch, missing } = self.cast(along + lift)?;
            self.advance(moved)?;
            left *= 1.0 - share;
            let Some(touch) = touch else {
                owed = Vec3::ZERO;
                break;
            };
            owed = touch.normal * missing;
            if moved.length() > self.walk.skin {
                planes.clear();
            }
            let is_known = planes.meet(touch.normal);
            lift = self.lift(&touch, missing, is_known);
        }
        self.lift_by(owed)
    }

    /// Pushes the walker before the bodies that have come to it since the last frame, to the side on which they met it.
    pub fn pushed(&mut self, ground: Option<BodyId>) -> Result<(), WalkError> {
        for index in 0..self.scratch.seen.len() {
            let Some(&Seen { id, pose: old, .. }) = self.scratch.seen.get(index) else { break };
            // One that was removed pushes nothing.
            let (Ok(&new), Ok(body)) = (self.world.pose(id), self.world.body(id)) else { continue };
            if new == old || ground == Some(id) {
                continue;
            }
            if let Some(push) = self.push_of(body, &old, &new)? {
                self.except = Some(id);
                self.shove(push)?;
                self.except = None;
            }
        }
        Ok(())
    }

    /// The way that a body which has moved pushes the walker.
    fn push_of(&self, body: &Body, old: &Pose, new: &Pose) -> Result<Option<Vec3>, WalkError> {
        let motion = Motion::between(*old, *new);
        // No point of the body is farther from where it was, or will be, than half of its way.
        let reach = 0.5 * motion.speed(body.bounding_radius()) + 2.0 * self.walk.skin;
        let swept = body.aabb(old).union(&body.aabb(new)).grown(reach);
        if !swept.overlaps(&self.bounds()) {
            return Ok(None);
        }
        let mut cache = Cache::default();
        let options = CastOptions { clearance: self.kept(), ..CastOptions::default() };
        let impact = time_of_impact(body, &motion, self.shape, &Motion::still(self.at), &mut cache, &options)?;
        let Some(hit) = impact.hit else { return Ok(None) };
        let then = motion.pose(impact.fraction);
        let normal = new.direction(then.direction_to_local(hit.normal));
        if matches!(body, Body::Convex(_)) {
            let range = contact_range(body, new, self.shape, &self.at, normal, &mut cache)?;
            let beyond = range.map_or(0.0, |range| range.hi() + self.walk.skin);
            return Ok(Some(normal * beyond.max(0.0)));
        }
        let way = new.point(then.point_to_local(hit.points[0])) - hit.points[0];
        Ok(Some(normal * normal.dot(way).max(0.0)))
    }

    /// Whether something near is elsewhere than in the last frame, or was not there.
    pub fn is_disturbed(&mut self) -> Result<bool, WalkError> {
        let bounds = self.bounds();
        self.look(&bounds)?;
        let grown = bounds.grown(2.0 * self.walk.skin);
        let scratch = &*self.scratch;
        Ok(scratch
            .near
            .iter()
            .filter(|near| near.bounds.overlaps(&grown))
            .any(|near| scratch.seen(near.id).is_none_or(|seen| seen.pose != near.pose)))
    }

    /// Moves the walker out of what it is in, or too near to; gives whether it is still in something.
    pub fn expelled(&mut self) -> Result<bool, WalkError> {
        for _ in 0..MOST_PUSHES {
            let mut worst: Option<(BodyId, Vec3, Real)> = None;
            self.each_distance(|other, near| {
                if worst.is_none_or(|(_, _, distance)| near.distance < distance) {
                    worst = Some((other.id, near.normal, near.distance));
                }
            })?;
            let Some((id, normal, distance)) = worst.filter(|(_, _, distance)| *distance < self.kept()) else {
                return Ok(false);
            };
            let before = self.at.translation();
            self.except = Some(id);
            self.shove(normal * (self.walk.skin - distance))?;
            self.except = None;
            if !((self.at.translation() - before).dot(normal) > PUSHED * self.walk.skin) {
                return Ok(distance <= 0.0);
            }
        }
        let mut least = Real::INFINITY;
        self.each_distance(|_, near| least = least.min(near.distance))?;
        Ok(least <= 0.0)
    }
}

/// The angle by which a body has turned about an axis.
fn yaw(old: &Pose, new: &Pose, up: Vec3) -> Real {
    let turn: Quat = new.rotation() * old.rotation().conjugate();
    let along = Vec3::new(turn.x, turn.y, turn.z).dot(up);
    if along == 0.0 { 0.0 } else { wrapped(2.0 * along.atan2(turn.w)) }
}

/// The same angle within half a turn.
fn wrapped(angle: Real) -> Real {
    let turn = Real::to_radians(360.0);
    angle - turn * (angle / turn).round()
}
