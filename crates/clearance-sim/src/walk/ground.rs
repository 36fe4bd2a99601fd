//! A walker on the ground: along it, over steps, beside walls, and down again.

use clearance::{Pose, Real, Vec3};

use super::around::{Mover, Stop};
use super::error::WalkError;
use super::footing::Footing;
use super::planes::Planes;
use super::tolerance::{MOST_CASTS, MOST_PIECES, NEGLIGIBLE, SLIDING};
use super::walker::Touch;

/// Where a try has led.
#[derive(Clone, Copy)]
struct Reached {
    at: Pose,
    ground: Option<Footing>,
    base: Real,
}

impl Mover<'_> {
    /// Walks along a level way, in pieces short enough that no slope that can be walked on rises by more than a step in one.
    pub fn walk(&mut self, way: Vec3) -> Result<(), WalkError> {
        let longest = self.walk.step_height / self.walk.max_slope.tan();
        let pieces = (way.length() / longest).ceil().clamp(1.0, MOST_PIECES as Real);
        for piece in 0..pieces as usize {
            self.walk_piece(way / pieces)?;
            if self.ground.is_none() {
                let rest = way * (1.0 - (piece + 1) as Real / pieces);
                self.fly(rest, rest)?;
                break;
            }
        }
        Ok(())
    }

    fn walk_piece(&mut self, way: Vec3) -> Result<(), WalkError> {
        if way == Vec3::ZERO {
            self.settle(0.0, way)?;
            return Ok(());
        }
        let along = self.on_ground(way);
        let stop = self.cast(along)?;
        if stop.touch.is_none() {
            self.advance(along)?;
            self.settle(0.0, way)?;
            return Ok(());
        }
        let start = self.reached();
        let stepped = self.step_over(way)?;
        let gain = |reached: &Reached| (reached.at.translation() - start.at.translation()).dot(way);
        let whole = way.length_squared();
        if let Some(stepped) = stepped.filter(|stepped| gain(stepped) >= (1.0 - NEGLIGIBLE) * whole) {
            self.take(stepped);
            return Ok(());
        }
        self.take(start);
        self.slide_level(way, true)?;
        self.settle(0.0, way)?;
        let mut best = self.reached();
        if gain(&best) < 0.25 * whole && start.ground.is_some_and(|footing| footing.plane != self.walk.up) {
            // Down along the ground leads into something; level it may be free, off an edge.
            self.take(start);
            self.slide_level(way, false)?;
            self.settle(0.0, way)?;
            if gain(&self.reached()) > gain(&best) + NEGLIGIBLE * whole {
                best = self.reached();
            }
        }
        let stepped = stepped.filter(|stepped| gain(stepped) > gain(&best) + NEGLIGIBLE * whole);
        self.take(stepped.unwrap_or(best));
        Ok(())
    }

    fn reached(&self) -> Reached {
        Reached { at: self.at, ground: self.ground, base: self.base }
    }

    fn take(&mut self, reached: Reached) {
        (self.at, self.ground, self.base) = (reached.at, reached.ground, reached.base);
    }

    /// A level way as one along the ground, of the same level length.
    fn on_ground(&self, way: Vec3) -> Vec3 {
        self.ground.map_or(way, |footing| along_plane(way, footing.plane, self.walk.up))
    }

    /// Up by a step or as far as there is room, forward, and down again; nothing if there is nothing to stand on.
    fn step_over(&mut self, way: Vec3) -> Result<Option<Reached>, WalkError> {
        let up = self.walk.up;
        let raised = self.cast(up * self.walk.step_height)?.moved;
        self.advance(raised)?;
        self.slide_level(way, false)?;
        self.settle(raised.dot(up), way)?;
        Ok(self.ground.is_some().then(|| self.reached()))
    }

    /// Slides along a level way, along the ground or in the air above it. What is met is a wall, however it leans, but for slopes
    /// that can be walked on, on the ground.
    fn slide_level(&mut self, way: Vec3, on_ground: bool) -> Result<(), WalkError> {
        let up = self.walk.up;
        let (mut planes, mut left) = (Planes::default(), 1.0);
        let (mut lift, mut owed) = (Vec3::ZERO, Vec3::ZERO);
        let mut slope = if on_ground { self.ground.map_or(up, |footing| footing.plane) } else { up };
        for _ in 0..MOST_CASTS {
            let level = planes.along(way * left);
            if !(level.length() > NEGLIGIBLE * way.length()) {
                break;
            }
            let along = along_plane(level, slope, up);
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
                planes.clear();
            }
            if on_ground && self.walk.is_walkable(touch.normal) {
                lift = self.lift(&touch, missing, slope == touch.normal);
                slope = touch.normal;
                continue;
            }
            let wall = self.walk.level(touch.normal).normalize_or_zero();
            let is_known = wall == Vec3::ZERO || planes.meet(wall);
            lift = self.lift(&touch, missing, is_known);
        }
        self.lift_by(owed)
    }

    /// Goes back to the full distance from what was met last, as far as there is room.
    pub fn lift_by(&mut self, owed: Vec3) -> Result<(), WalkError> {
        if owed == Vec3::ZERO {
            return Ok(());
        }
        let lifted = self.cast(owed)?.moved;
        self.advance(lifted)
    }

    /// How far the next cast of a slide leads away from what was met: to the full distance from it, and a little if it is met again.
    pub fn lift(&self, touch: &Touch, missing: Real, is_known: bool) -> Vec3 {
        touch.normal * if is_known { missing.max(SLIDING * self.walk.skin) } else { missing }
    }

    /// Lets the walker down on what is below: by what it was raised before, and by the snap if it finds ground there. Without ground it
    /// is back at the height that it had.
    pub fn settle(&mut self, raised: Real, way: Vec3) -> Result<(), WalkError> {
        let up = self.walk.up;
        let stop = self.cast(up * -(raised + self.walk.snap))?;
        let Some(touch) = stop.touch else {
            self.ground = None;
            return self.advance(up * -raised);
        };
        let high = self.at;
        self.advance(stop.moved)?;
        let footing = match self.footing(&touch, way)? {
            None if stop.moved.length() <= raised + self.walk.skin => self.wedged(&touch)?,
            found => found,
        };
        if let Some(footing) = footing {
            self.stand(footing, &stop)?;
            return Ok(());
        }
        self.ground = None;
        self.at = high;
        let back = raised.min(stop.moved.length());
        self.advance(up * -back)
    }

    /// Takes a footing, at the full distance from it.
    fn stand(&mut self, footing: Footing, stop: &Stop) -> Result<(), WalkError> {
        if let Some(base) = footing.base {
            self.base = base;
        }
        self.ground = Some(footing);
        self.note(Touch {
            body: footing.ground.body,
            point: footing.ground.point,
            normal: stop.touch.map_or(footing.ground.normal, |touch| touch.normal),
        });
        if stop.missing > 0.0 {
            let up = self.walk.up;
            self.lift_by(up * (stop.missing / footing.plane.dot(up)))?;
        }
        Ok(())
    }
}

/// A level way as one along a plane, of the same level length.
pub(super) fn along_plane(way: Vec3, normal: Vec3, up: Vec3) -> Vec3 {
    let rise = normal.dot(up);
    if rise > 0.0 { way - up * (normal.dot(way) / rise) } else { way }
}
