//! One pair on one stretch of an edge: clear of each other, overlapping in the middle, or open.

use clearance::{Cache, Pose, Shape, Support, Vec3, VertexId, Witness, closest, overlap, within};

use super::motion::{EdgeMotion, Relative, Twist};
use crate::chain::Placed;
use crate::gaps::{ball_gap, towards_origin};
use crate::pair::Seed;
use crate::solid::Solid;
use crate::workcell::Workcell;

/// Planes that are tried by the tables before the library is asked.
const PLANES: usize = 4;

/// What is known of a pair on a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The bodies are apart at all its times.
    Clear,
    /// They overlap in its middle, certainly.
    Hit,
    /// Neither is known.
    Open,
}

/// Two bodies in the middle of a stretch.
pub struct Meeting<'c> {
    pub solids: [&'c Solid; 2],
    pub seeds: &'c [Seed],
    pub centres: [Vec3; 2],
    pub frames: &'c [Placed],
    pub motion: Relative,
    /// Half the stretch.
    pub half: f64,
    pub error: f64,
}

impl Meeting<'_> {
    /// Decides the pair.
    pub fn outcome(&self, cache: &mut Cache) -> Outcome {
        let [a, b] = self.solids;
        let farthest = self.motion.farthest(a.radius, self.half) + self.error;
        if ball_gap(a, self.centres[0], b, self.centres[1]) > farthest {
            return Outcome::Clear;
        }
        match self.by_tables() {
            Some(true) => return Outcome::Clear,
            // Apart in the middle, and not long enough.
            Some(false) => return Outcome::Open,
            None => {}
        }
        if let (Some(hull_a), Some(hull_b)) = (&a.hull, &b.hull) {
            let poses = [a.pose(self.frames), b.pose(self.frames)];
            let answer = overlap(hull_a, &poses[0], hull_b, &poses[1], cache);
            if let (false, Witness::Plane { normal, .. }) = (answer.overlap, answer.witness) {
                return if self.is_clear_along(normal, [hull_a, hull_b]) { Outcome::Clear } else { Outcome::Open };
            }
        }
        if let (Some((normal, offset)), Some(hull)) = (b.plane, &a.hull) {
            let pose = a.pose(self.frames);
            let up_to = normal.dot(self.centres[0]) - offset;
            if self.both_ends(-normal, up_to, |direction| reach(hull, &pose, direction)) {
                return Outcome::Clear;
            }
        }
        self.by_bodies(farthest, cache)
    }

    /// Whether a plane of the tables keeps the bodies apart for the whole stretch; nothing if none does even in the middle.
    fn by_tables(&self) -> Option<bool> {
        let [_, b] = self.solids;
        let [at_a, at_b] = self.centres;
        if let Some((normal, offset)) = b.plane {
            return self.lasts(-normal, normal.dot(at_a) - offset);
        }
        let mut known = None;
        let between = at_b - at_a;
        let mut v = between;
        if b.is_at_rest() {
            let to_box = at_a.clamp(b.bounds.min, b.bounds.max) - at_a;
            let length = to_box.length();
            if length > 0.0 {
                known = self.lasts(to_box / length, length);
                v = to_box;
            }
        } else {
            for seed in self.seeds.iter().take_while(|seed| seed.direction != Vec3::ZERO) {
                let normal = self.frames[b.frame as usize].m * seed.direction;
                known = self.lasts(normal, normal.dot(between) - seed.reach).or(known);
                if known == Some(true) {
                    return known;
                }
            }
        }
        if known == Some(true) { known } else { self.search(between, v, known) }
    }

    /// Planes by supports of the tables, until one lasts.
    fn search(&self, between: Vec3, from: Vec3, mut known: Option<bool>) -> Option<bool> {
        let [a, b] = self.solids;
        let (Some(table_a), Some(table_b)) = (&a.table, &b.table) else { return known };
        let (axes_a, axes_b) = (a.axes(self.frames), b.axes(self.frames));
        let bend = self.motion.bend(self.half);
        let mut v = from;
        for _ in 0..PLANES {
            let square = v.length_squared();
            if !(square > 0.0) {
                break;
            }
            let (in_a, in_b) = (axes_a.to_local(v), axes_b.to_local(-v));
            let (on_a, on_b) = (table_a.farthest(in_a), table_b.farthest(in_b));
            let length = square.sqrt();
            let up_to = (v.dot(between) - in_b.dot(on_b)) / length;
            let gap = up_to - in_a.dot(on_a) / length;
            if gap > self.error {
                known = Some(false);
                let normal = v / length;
                if gap > self.error + bend && self.both_ends(normal, up_to, |d| table_a.reach(axes_a.to_local(d))) {
                    return Some(true);
                }
            }
            // Where the bodies are nearer than the bend, no plane lasts; that they are apart is enough to know.
            let Some(next) = towards_origin(v, between - axes_a.m * on_a + axes_b.m * on_b) else { break };
            if known.is_some() && next.length() <= bend {
                break;
            }
            v = next;
        }
        known
    }

    /// Whether the first body stays below a plane that is `up_to` from its centre along a normal; nothing if it is not below it even now.
    #[inline]
    fn lasts(&self, normal: Vec3, up_to: f64) -> Option<bool> {
        let a = self.solids[0];
        if !(up_to - a.reach(normal, self.frames) > self.error) {
            return None;
        }
        Some(self.both_ends(normal, up_to, |direction| a.reach(direction, self.frames)))
    }

    /// Whether the bodies' hulls stay apart along a normal, by their exact supports.
    fn is_clear_along(&self, normal: Vec3, [hull_a, hull_b]: [&Shape; 2]) -> bool {
        let [a, b] = self.solids;
        let (pose_a, pose_b) = (a.pose(self.frames), b.pose(self.frames));
        let up_to = normal.dot(self.centres[1] - self.centres[0]) - reach(hull_b, &pose_b, -normal);
        self.both_ends(normal, up_to, |direction| reach(hull_a, &pose_a, direction))
    }

    /// Whether the first body stays below the plane at both ends of the stretch, with the points of a straight motion and less what
    /// they can be off it. How far it reaches is convex in time, so that no time in between is worse.
    #[inline]
    fn both_ends(&self, normal: Vec3, up_to: f64, reach: impl Fn(Vec3) -> f64) -> bool {
        let (turned, along) = (normal.cross(self.motion.w), normal.dot(self.motion.v));
        let enough = up_to - self.motion.bend(self.half) - self.error;
        [-self.half, self.half].into_iter().all(|time| time * along + reach(normal + turned * time) < enough)
    }

    /// The bodies themselves: whether they are farther apart than they can move, or overlap.
    fn by_bodies(&self, farthest: f64, cache: &mut Cache) -> Outcome {
        let [a, b] = self.solids;
        let (pose_a, pose_b) = (a.pose(self.frames), b.pose(self.frames));
        if !(a.is_convex && b.is_convex) {
            if !within(&a.body, &pose_a, &b.body, &pose_b, farthest, cache).within {
                return Outcome::Clear;
            }
            if !overlap(&a.body, &pose_a, &b.body, &pose_b, cache).overlap {
                return Outcome::Open;
            }
        }
        let near = closest(&a.body, &pose_a, &b.body, &pose_b, cache);
        if near.upper < -self.error { Outcome::Hit } else { Outcome::Open }
    }
}

/// How far a shape reaches along a world direction from its origin.
fn reach(shape: &Shape, pose: &Pose, direction: Vec3) -> f64 {
    let local = pose.direction_to_local(direction);
    local.dot(shape.support(local, VertexId::NONE).point)
}

/// Frames in their places and their velocities, in the middle of a stretch.
#[derive(Debug, Default)]
pub struct Middle {
    pub q: Vec<f64>,
    pub frames: Vec<Placed>,
    pub centres: Vec<Vec3>,
    pub twists: Vec<Twist>,
}

impl Middle {
    /// Places the robot at a share of an edge.
    pub fn place(&mut self, cell: &Workcell, motion: &EdgeMotion, share: f64) {
        let chain = &cell.robot.chain;
        motion.configuration(share, &mut self.q);
        chain.place(&self.q, &cell.base, &mut self.frames);
        self.centres.clear();
        self.centres.extend(cell.solids.iter().map(|solid| solid.centre(&self.frames)));
        motion.twists(chain, &cell.base, &self.frames, &mut self.twists);
    }
}
