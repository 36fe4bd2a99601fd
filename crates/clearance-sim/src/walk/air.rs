//! A walker in the air: along its velocity, until it lands.

use clearance::Vec3;

use super::around::{Mover, Stop};
use super::error::WalkError;
use super::footing::Footing;
use super::ground::along_plane;
use super::planes::Planes;
use super::tolerance::{MOST_CASTS, NEGLIGIBLE, WEDGED};
use super::walker::{Ground, Touch};

/// What a way or a velocity loses to what was met.
#[derive(Clone, Copy, Default)]
pub(super) struct Limits {
    planes: Planes,
    /// Of surfaces that are too steep: what leads up to them does not lead up along them.
    walls: Planes,
    /// A surface to stand on.
    floor: Option<Vec3>,
}

impl Limits {
    fn clear(&mut self) {
        self.planes.clear();
        self.walls.clear();
        self.floor = None;
    }

    /// What is left of a way or a velocity. What falls on a surface to stand on does not slide down along it.
    fn along(&self, want: Vec3, up: Vec3) -> Vec3 {
        let want = self.walls.along(want);
        let want = match self.floor {
            Some(floor) if floor.dot(want) < 0.0 => along_plane(want - up * up.dot(want), floor, up),
            _ => want,
        };
        self.planes.along(want)
    }
}

impl Mover<'_> {
    /// Moves along a way through the air, and on along what is met; gives what is left of a velocity.
    pub fn fly(&mut self, way: Vec3, velocity: Vec3) -> Result<Vec3, WalkError> {
        let up = self.walk.up;
        let (mut here, mut met) = (Limits::default(), Limits::default());
        let (mut left, mut lift, mut owed) = (1.0, Vec3::ZERO, Vec3::ZERO);
        for _ in 0..MOST_CASTS {
            let along = here.along(way * left, up);
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
            self.note(touch);
            if moved.length() > self.walk.skin {
                here.clear();
            }
            let is_known = here.planes.meet(touch.normal);
            self.limit(&mut here, touch.normal);
            self.limit(&mut met, touch.normal);
            lift = self.lift(&touch, missing, is_known);
        }
        self.lift_by(owed)?;
        Ok(met.along(velocity, up))
    }

    /// What a surface takes of a way or a velocity, but for its plane, where it is too steep to stand on: what falls on it keeps its
    /// speed, of which the surface lets through a part in every frame.
    fn limit(&self, limits: &mut Limits, normal: Vec3) {
        let walk = self.walk;
        if walk.is_walkable(normal) {
            limits.floor = Some(normal);
        } else if normal.dot(walk.up) > 0.0 {
            limits.walls.meet(walk.level(normal).normalize_or_zero());
        } else {
            limits.planes.meet(normal);
        }
    }

    /// Looks for ground just below the feet of a walker that does not rise.
    pub fn land(&mut self) -> Result<(), WalkError> {
        let stop = self.cast(self.walk.up * -self.walk.skin)?;
        let Some(touch) = stop.touch else { return Ok(()) };
        if self.walk.is_walkable(touch.normal) {
            self.advance(stop.moved)?;
            let footing = self.footing(&touch, Vec3::ZERO)?;
            self.base = footing.and_then(|footing| footing.base).unwrap_or(self.base);
            self.ground = footing;
            self.note(touch);
        } else if let Some(footing) = self.wedged(&touch)? {
            self.base = footing.base.unwrap_or(self.base);
            self.ground = Some(footing);
        }
        Ok(())
    }

    /// A footing between surfaces that are too steep to stand on one of them, if the walker cannot slide down.
    pub fn wedged(&mut self, touch: &Touch) -> Result<Option<Footing>, WalkError> {
        let (up, start) = (self.walk.up, self.at);
        let fall = up * -self.walk.skin;
        let noted = self.scratch.touches.len();
        self.fly(fall, fall)?;
        self.scratch.touches.truncate(noted);
        let sunk = (start.translation() - self.at.translation()).dot(up);
        self.at = start;
        if sunk > WEDGED * self.walk.skin {
            return Ok(None);
        }
        let ground = Ground { body: touch.body, point: touch.point, normal: touch.normal, steep: true };
        let pose = *self.world.pose(touch.body)?;
        Ok(Some(Footing { ground, plane: up, base: Some(touch.point.dot(up)), pose }))
    }
}
