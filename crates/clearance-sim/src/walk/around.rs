//! A walker in one frame: where it is, the bodies near it, and casts among them.

use clearance::world::{BodyId, World};
use clearance::{
    Aabb, Body, Cache, Cast, CastOptions, Closest, Motion, Pose, Ray, RayHit, RayOptions, Real, Shape, Start, Vec3,
    cast, cast_ray, closest,
};

use super::error::WalkError;
use super::footing::Footing;
use super::options::Walk;
use super::tolerance::{HELD, KEPT, PLANE, SLIDING};
use super::walker::Touch;

/// A body near the walker, with its box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near {
    pub id: BodyId,
    pub pose: Pose,
    pub bounds: Aabb,
    /// A direction from it to the walker, along which they were apart.
    pub axis: Option<Vec3>,
}

/// A body that was near in the last frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub id: BodyId,
    /// Where it was.
    pub pose: Pose,
    pub axis: Option<Vec3>,
}

/// What a walker keeps from frame to frame so as not to allocate.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    ids: Vec<BodyId>,
    /// In ascending order of the ids.
    pub near: Vec<Near>,
    /// The bodies near the walker in the last frame, in ascending order of their ids.
    pub seen: Vec<Seen>,
    pub touches: Vec<Touch>,
    cache: Cache,
}

impl Scratch {
    /// What is known of a body from the last frame.
    pub fn seen(&self, id: BodyId) -> Option<&Seen> {
        self.seen.get(self.seen.binary_search_by(|seen| seen.id.cmp(&id)).ok()?)
    }

    /// Remembers the bodies that are near for the next frame.
    pub fn remember(&mut self) {
        let Self { seen, near, .. } = self;
        seen.clear();
        seen.extend(near.iter().map(|&Near { id, pose, axis, .. }| Seen { id, pose, axis }));
    }
}

/// A walker that is being moved.
pub(super) struct Mover<'a> {
    pub world: &'a World,
    pub walk: &'a Walk,
    pub shape: &'a Shape,
    pub at: Pose,
    pub ground: Option<Footing>,
    /// The height of the last surface that was stood on, along the upward direction.
    pub base: Real,
    pub scratch: &'a mut Scratch,
    /// What the bodies near are known for.
    known: Option<Aabb>,
    /// The walker's box about its translation.
    extent: Aabb,
    /// A body that casts do not see.
    pub except: Option<BodyId>,
}

/// How far a cast went.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop {
    /// The way that was free.
    pub moved: Vec3,
    /// The share of the way that this is.
    pub share: Real,
    /// What was met.
    pub touch: Option<Touch>,
    /// How much nearer than the full distance the walker is to it.
    pub missing: Real,
}

impl<'a> Mover<'a> {
    pub fn new(world: &'a World, walk: &'a Walk, shape: &'a Shape, at: Pose, scratch: &'a mut Scratch) -> Self {
        let mut mover = Self {
            world,
            walk,
            shape,
            at,
            ground: None,
            base: 0.0,
            scratch,
            known: None,
            extent: Aabb { min: Vec3::ZERO, max: Vec3::ZERO },
            except: None,
        };
        mover.measure();
        mover
    }

    /// Takes the box of the walker as it is now: after it has turned or got another shape.
    pub fn measure(&mut self) {
        let (around, at) = (self.shape.aabb(&self.at), self.at.translation());
        self.extent = Aabb { min: around.min - at, max: around.max - at };
    }

    /// The walker's box where it is.
    pub fn bounds(&self) -> Aabb {
        let at = self.at.translation();
        Aabb { min: at + self.extent.min, max: at + self.extent.max }
    }

    /// How far the walker reaches down from its origin.
    pub fn feet(&self) -> Real {
        let down = self.at.direction_to_local(-self.walk.up);
        self.shape.extent(down)[1]
    }

    /// The distance at which casts stop.
    pub fn kept(&self) -> Real {
        KEPT * self.walk.skin
    }

    /// Sees to it that all bodies that reach into a box are known.
    pub fn look(&mut self, bounds: &Aabb) -> Result<(), WalkError> {
        let bounds = bounds.grown(2.0 * self.walk.skin);
        if self.known.is_some_and(|known| known.contains(bounds.min) && known.contains(bounds.max)) {
            return Ok(());
        }
        // Most of what a frame asks for.
        let wide = bounds.grown(0.5 * self.walk.step_height.max(self.walk.snap) + 2.0 * self.walk.skin);
        let wide = self.known.map_or(wide, |known| known.union(&wide));
        let scratch = &mut *self.scratch;
        self.world.overlapping_box(&wide, &self.walk.filter, &mut scratch.ids);
        scratch.near.clear();
        for index in 0..scratch.ids.len() {
            let Some(&id) = scratch.ids.get(index) else { break };
            let pose = *self.world.pose(id)?;
            let bounds = self.world.body(id)?.aabb(&pose);
            let axis = scratch.seen(id).and_then(|seen| seen.axis);
            scratch.near.push(Near { id, pose, bounds, axis });
        }
        self.known = Some(wide);
        Ok(())
    }

    /// Visits the bodies whose boxes come within twice the skin of a box.
    pub fn each_near(
        &mut self,
        bounds: &Aabb,
        mut visit: impl FnMut(&mut Near, &Body, &mut Cache) -> Result<(), WalkError>,
    ) -> Result<(), WalkError> {
        self.look(bounds)?;
        let grown = bounds.grown(2.0 * self.walk.skin);
        let Scratch { near, cache, .. } = &mut *self.scratch;
        for other in near.iter_mut() {
            if self.except != Some(other.id) && !is_apart(&grown, &other.bounds) {
                visit(other, self.world.body(other.id)?, cache)?;
            }
        }
        Ok(())
    }

    /// How far the walker can go along a way; it stays where it is.
    pub fn cast(&mut self, way: Vec3) -> Result<Stop, WalkError> {
        let length = way.length();
        if !(length > 0.0) {
            return Ok(Stop { moved: Vec3::ZERO, share: 1.0, touch: None, missing: 0.0 });
        }
        let motion = Motion::translation(self.at, way)?;
        let start = self.bounds();
        let swept = start.union(&Aabb { min: start.min + way, max: start.max + way });
        let (shape, skin) = (self.shape, self.walk.skin);
        let mut first: Option<(Met, BodyId)> = None;
        self.each_near(&swept, |other, body, cache| {
            let ask = Ask { body, pose: &other.pose, shape, motion: &motion, way, skin };
            let met = match body {
                Body::Convex(obstacle) => ask.convex(obstacle, &mut other.axis, cache)?,
                _ => ask.concave(cache)?,
            };
            if let Some(met) = met
                && first.is_none_or(|(best, _)| met.fraction < best.fraction)
            {
                first = Some((met, other.id));
            }
            Ok(())
        })?;
        let Some((met, body)) = first else {
            return Ok(Stop { moved: way, share: 1.0, touch: None, missing: 0.0 });
        };
        let touch = Touch { body, point: met.point, normal: met.normal };
        Ok(Stop { moved: way * met.fraction, share: met.fraction, touch: Some(touch), missing: skin - met.kept })
    }

    /// Moves the walker, without asking.
    pub fn advance(&mut self, by: Vec3) -> Result<(), WalkError> {
        self.at = self.at.with_translation(self.at.translation() + by)?;
        Ok(())
    }

    /// Notes what was touched.
    pub fn note(&mut self, touch: Touch) {
        let is_same = |known: &Touch| known.body == touch.body && known.normal == touch.normal;
        if !self.scratch.touches.iter().any(is_same) {
            self.scratch.touches.push(touch);
        }
    }

    /// Visits the signed distances of the walker from the bodies within twice the skin.
    pub fn each_distance(&mut self, mut visit: impl FnMut(&Near, &Closest)) -> Result<(), WalkError> {
        let (bounds, shape, at) = (self.bounds(), self.shape, self.at);
        self.each_near(&bounds, |other, body, cache| {
            cache.clear();
            visit(other, &closest(body, &other.pose, shape, &at, cache));
            Ok(())
        })
    }

    /// The first surface below a point, no deeper than a length.
    pub fn below(&mut self, point: Vec3, length: Real) -> Result<Option<RayHit>, WalkError> {
        let down = -self.walk.up;
        let (Ok(ray), Ok(options)) = (Ray::new(point, down), RayOptions::up_to(length)) else { return Ok(None) };
        let end = point + down * length;
        let bounds = Aabb { min: point.min(end), max: point.max(end) };
        let mut first: Option<RayHit> = None;
        self.each_near(&bounds, |other, body, _| {
            if let Some(hit) = cast_ray(body, &other.pose, &ray, &options)
                && first.is_none_or(|best| hit.inside || hit.t < best.t)
            {
                first = Some(hit);
            }
            Ok(())
        })?;
        Ok(first)
    }
}

/// Whether two boxes are certainly apart.
fn is_apart(a: &Aabb, b: &Aabb) -> bool {
    a.min.cmpgt(b.max).any() || b.min.cmpgt(a.max).any()
}

/// Where a walker comes as near to a body as it may.
#[derive(Debug, Clone, Copy)]
pub(super) struct Met {
    /// The share of the way.
    pub fraction: Real,
    normal: Vec3,
    point: Vec3,
    /// How near that is.
    kept: Real,
}

/// A body, and a walker that moves.
pub(super) struct Ask<'b> {
    pub body: &'b Body,
    pub pose: &'b Pose,
    pub shape: &'b Shape,
    pub motion: &'b Motion,
    /// The translation; zero for another motion.
    pub way: Vec3,
    pub skin: Real,
}

impl Ask<'_> {
    /// Where a walker that moves straight comes as near to a convex body as the skin.
    ///
    /// A plane between the two tells how near they can come along the way: most bodies are answered by that of the last cast. One that
    /// the walker is as near to as that, and nearer to than that after a push, stops what leads to it and nothing else.
    fn convex(&self, obstacle: &Shape, axis: &mut Option<Vec3>, cache: &mut Cache) -> Result<Option<Met>, WalkError> {
        let Self { body, pose, shape, motion, way, skin } = *self;
        let start = motion.start();
        let slack = PLANE * skin;
        let approach = |normal: Vec3| normal.dot(way).min(0.0);
        if let Some(normal) = *axis {
            let between = (start.translation() - pose.translation()).dot(normal);
            let [low, _] = shape.extent(start.direction_to_local(normal));
            let [_, high] = obstacle.extent(pose.direction_to_local(normal));
            if between + low - high + approach(normal) >= skin - slack {
                return Ok(None);
            }
        }
        cache.clear();
        let near = closest(body, pose, shape, start, cache);
        *axis = Some(near.normal);
        let after = near.distance + approach(near.normal);
        if !(near.normal.dot(way) < 0.0) || after >= skin - slack {
            return Ok(None);
        }
        if near.distance <= skin + slack {
            let kept = near.distance.min(skin);
            return Ok(Some(Met { fraction: 0.0, normal: near.normal, point: near.points[0], kept }));
        }
        let met = self.keeping(skin, cache)?;
        *axis = met.map_or(*axis, |met| Some(met.normal));
        Ok(met)
    }

    /// Where a walker that moves straight comes as near to a concave body as the skin, or as it is if that is less. The nearest place stops
    /// what leads to it; for the others a cast is needed.
    fn concave(&self, cache: &mut Cache) -> Result<Option<Met>, WalkError> {
        let Self { body, pose, shape, motion, way, skin } = *self;
        cache.clear();
        let near = closest(body, pose, shape, motion.start(), cache);
        let slack = PLANE * skin;
        if near.distance - way.length() >= skin - slack {
            return Ok(None);
        }
        let after = near.distance + near.normal.dot(way);
        let leads_there = near.normal.dot(way) < 0.0 && after < skin - slack;
        if near.distance <= 0.0 || leads_there && near.distance <= skin + slack {
            let kept = near.distance.min(skin);
            return Ok(Some(Met { fraction: 0.0, normal: near.normal, point: near.points[0], kept }));
        }
        self.keeping(near.distance.min(skin), cache)
    }

    /// Where the walker comes as near to a body as the skin. A walker that starts nearer than that keeps what it has, but for a part
    /// of the skin that sliding may use up; one that is in the body does not move.
    pub fn any(&self, cache: &mut Cache) -> Result<Option<Met>, WalkError> {
        self.keeping(self.skin, cache)
    }

    /// The same for another distance.
    fn keeping(&self, distance: Real, cache: &mut Cache) -> Result<Option<Met>, WalkError> {
        let Self { body, pose, shape, motion, way, skin } = *self;
        let mut kept = distance;
        loop {
            let options = CastOptions { clearance: kept, ..CastOptions::default() };
            let Cast { fraction, start, hit, .. } = cast(body, pose, shape, motion, cache, &options)?;
            let Start::Overlapping { way_out } = start else {
                let there = motion.start().translation() + way * fraction;
                let met = |normal: Vec3, point: Vec3| Some(Met { fraction, normal, point, kept });
                return Ok(match hit {
                    Some(hit) => met(hit.normal, hit.points[0]),
                    None if fraction < 1.0 => met(-way.normalize_or_zero(), there),
                    None => None,
                });
            };
            let distance = hit.map_or(0.0, |hit| hit.distance);
            let least = KEPT * skin;
            let nearer = if distance > least { (distance - SLIDING * skin).max(least) } else { HELD * distance };
            if nearer > 0.0 && nearer < kept {
                kept = nearer;
                continue;
            }
            let normal = hit.map_or(way_out.normalize_or_zero(), |hit| hit.normal);
            let point = hit.map_or(motion.start().translation(), |hit| hit.points[0]);
            return Ok(Some(Met { fraction: 0.0, normal, point, kept }));
        }
    }
}
