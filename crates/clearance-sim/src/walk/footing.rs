//! What a walker stands on.

use clearance::{Pose, Real, Vec3};

use super::around::Mover;
use super::error::WalkError;
use super::tolerance::PROBES;
use super::walker::{Ground, Touch};

/// What a walker stands on, and where that was.
#[derive(Debug, Clone, Copy)]
pub(super) struct Footing {
    pub ground: Ground,
    /// The plane along which it goes on: that of the contact, or a level one on an edge.
    pub plane: Vec3,
    /// The height of the surface stood on, if it is one to measure steps from.
    pub base: Option<Real>,
    /// Where the body was when the walker stood on it last.
    pub pose: Pose,
}

impl Mover<'_> {
    /// What there is to stand on where the walker has come down on something, if there is.
    ///
    /// A surface that is not too steep; an edge with such a surface behind it, on the way up, if the surface is no more than a step above the
    /// last footing; an edge on the way down with a surface within reach below.
    pub fn footing(&mut self, touch: &Touch, way: Vec3) -> Result<Option<Footing>, WalkError> {
        let (walk, up) = (self.walk, self.walk.up);
        let pose = *self.world.pose(touch.body)?;
        let ground = Ground { body: touch.body, point: touch.point, normal: touch.normal, steep: false };
        if walk.is_walkable(touch.normal) {
            let base = Some(touch.point.dot(up));
            return Ok(Some(Footing { ground, plane: touch.normal, base, pose }));
        }
        if !(touch.normal.dot(up) > 0.0) || self.ground.is_none() {
            return Ok(None);
        }
        let level = walk.level(touch.normal);
        if level.dot(way) < 0.0 {
            let Some(normal) = self.surface_behind(touch)? else { return Ok(None) };
            let ground = Ground { normal, ..ground };
            return Ok(Some(Footing { ground, plane: up, base: None, pose }));
        }
        // Past the edge, or below the middle of the walker.
        let past = touch.point + level.normalize_or_zero() * (1.5 * walk.skin) + up * walk.skin;
        let feet = self.feet();
        for (from, reach) in [(past, walk.skin), (self.at.translation(), feet)] {
            let hit = self.below(from, reach + walk.snap + walk.skin)?;
            if let Some(hit) = hit.filter(|hit| !hit.inside && walk.is_walkable(hit.normal)) {
                let ground = Ground { normal: hit.normal, ..ground };
                return Ok(Some(Footing { ground, plane: up, base: Some(hit.point.dot(up)), pose }));
            }
        }
        Ok(None)
    }

    /// The normal of a surface to stand on behind a steep contact: no lower than it, and no more than a step above the last footing. It
    /// is looked for at a few places up to where a slope that is just too steep would have risen by a step.
    fn surface_behind(&mut self, touch: &Touch) -> Result<Option<Vec3>, WalkError> {
        let walk = self.walk;
        let highest = self.base + walk.step_height + walk.skin;
        let room = highest - touch.point.dot(walk.up);
        if !(room > 0.0) {
            return Ok(None);
        }
        let inward = -walk.level(touch.normal).normalize_or_zero();
        let farthest = walk.step_height / walk.max_slope.tan();
        for probe in 0..=PROBES {
            let reach = (farthest * probe as Real / PROBES as Real).max(0.5 * walk.skin);
            let from = touch.point + inward * reach + walk.up * room;
            let hit = self.below(from, room + walk.skin)?;
            match hit {
                Some(hit) if !hit.inside && walk.is_walkable(hit.normal) => return Ok(Some(hit.normal)),
                Some(hit) if hit.inside => return Ok(None),
                _ => {}
            }
        }
        Ok(None)
    }
}
