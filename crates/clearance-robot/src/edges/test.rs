//! One pair on one stretch of an edge: clear of each other, overlapping in the middle, or open.

use clearance::{Cache, Pose, Shape, Support, Vec3, VertexId, Witness, closest, overlap, within};

use super::motion::{EdgeMotion, Relative, Twist};
use crate::chain::Placed;
use crate::gaps::to_box;
use crate::pair::Seed;
use crate::solid::Solid;
use crate::workcell::Workcell;

/// How far tables may be off, as a share of the bodies' radii: where less is lacking, the library is asked.
const TABLE_SLACK: f64 = 0.05;

/// What the library says of a pair in the middle of a stretch, where the tables do not know.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Exact {
    /// A plane with this normal separates the hulls.
    Plane(Vec3),
    /// The bodies are at least so far apart.
    Gap(f64),
    /// They overlap by more than rounding.
    Overlap,
    /// They touch, or may touch.
    Touching,
}

/// Two bodies in the middle of a stretch.
pub struct Meeting<'c> {
    pub solids: [&'c Solid; 2],
    pub seeds: &'c [Seed],
    /// A lower bound of their distance by balls and boxes.
    pub gap: f64,
    pub centres: [Vec3; 2],
    pub frames: &'c [Placed],
    pub motion: Relative,
    /// Half the stretch.
    pub half: f64,
    pub error: f64,
}

/// Asks the library about two bodies in their places.
pub fn exact([a, b]: [&Solid; 2], frames: &[Placed], error: f64, cache: &mut Cache) -> Exact {
    let (pose_a, pose_b) = (a.pose(frames), b.pose(frames));
    if let (Some(hull_a), Some(hull_b)) = (&a.hull, &b.hull) {
        let answer = overlap(hull_a, &pose_a, hull_b, &pose_b, cache);
        match answer.witness {
            Witness::Plane { normal, .. } if !answer.overlap => return Exact::Plane(normal),
            // A point that is inside of both by more than the error is enough.
            Witness::Point(point) if a.holds(&pose_a, point, error) && b.holds(&pose_b, point, error) => {
                return Exact::Overlap;
            }
            _ => {}
        }
    }
    if let (Some((normal, offset)), Some(hull)) = (b.plane, &a.hull)
        && normal.dot(pose_a.translation()) - offset - reach(hull, &pose_a, -normal) > error
    {
        return Exact::Plane(-normal);
    }
    if !(a.is_convex && b.is_convex) {
        let answer = overlap(&a.body, &pose_a, &b.body, &pose_b, cache);
        if !answer.overlap {
            return Exact::Gap(if let Witness::Gap(gap) = answer.witness { gap } else { 0.0 });
        }
    }
    let near = closest(&a.body, &pose_a, &b.body, &pose_b, cache);
    if near.upper < -error { Exact::Overlap } else { Exact::Touching }
}

impl Meeting<'_> {
    /// Whether bodies that the tables know to be apart in the middle are so on the whole stretch.
    pub fn is_clear(&self, cache: &mut Cache) -> bool {
        let [a, b] = self.solids;
        if self.gap > self.motion.farthest(a.radius, self.half) + self.error {
            return true;
        }
        let lacking = self.lacking();
        if lacking < 0.0 {
            return true;
        }
        // What is lacking may be what the tables are off by.
        let slack = TABLE_SLACK * (a.radius + if b.is_at_rest() { 0.0 } else { b.radius });
        lacking < slack && {
            let exact = exact(self.solids, self.frames, self.error, cache);
            self.is_clear_by(exact, cache)
        }
    }

    /// The same by what the library says.
    pub fn is_clear_by(&self, exact: Exact, cache: &mut Cache) -> bool {
        let [a, b] = self.solids;
        let farthest = self.motion.farthest(a.radius, self.half) + self.error;
        match exact {
            Exact::Plane(normal) => self.is_clear_along(normal),
            Exact::Gap(gap) => {
                let (pose_a, pose_b) = (a.pose(self.frames), b.pose(self.frames));
                gap > farthest || !within(&a.body, &pose_a, &b.body, &pose_b, farthest, cache).within
            }
            Exact::Overlap | Exact::Touching => false,
        }
    }

    /// How much a plane of the tables lacks to keep the bodies apart for the whole stretch, the best that is found; negative if one does.
    fn lacking(&self) -> f64 {
        let [_, b] = self.solids;
        let [at_a, at_b] = self.centres;
        if let Some((normal, offset)) = b.plane {
            return self.lacking_along(-normal, normal.dot(at_a) - offset);
        }
        let mut least = f64::INFINITY;
        let between = at_b - at_a;
        if b.is_at_rest() {
            let to_box = to_box(at_a, &b.bounds);
            let length = to_box.length();
            if length > 0.0 {
                least = self.lacking_along(to_box / length, length);
            }
        } else {
            for seed in self.seeds.iter().take_while(|seed| seed.direction != Vec3::ZERO) {
                let normal = self.frames[b.frame as usize].m * seed.direction;
                least = least.min(self.lacking_along(normal, normal.dot(between) - seed.reach));
            }
        }
        let length = between.length();
        if !(least < 0.0) && length > 0.0 {
            let normal = between / length;
            least = least.min(match self.hopeless(normal, length - b.least_reach) {
                Some(lacking) => lacking,
                None => self.lacking_along(normal, length - b.reach(-normal, self.frames)),
            });
        }
        least
    }

    /// How much the first body lacks to stay below a plane that is `up_to` from its centre along a unit normal.
    #[inline]
    fn lacking_along(&self, normal: Vec3, up_to: f64) -> f64 {
        self.hopeless(normal, up_to)
            .unwrap_or_else(|| self.at_ends(normal, up_to, |direction| self.solids[0].reach(direction, self.frames)))
    }

    /// What is lacking at least, by what the body reaches in every direction, if that is too much for any table.
    #[inline]
    fn hopeless(&self, normal: Vec3, up_to: f64) -> Option<f64> {
        let a = self.solids[0];
        let closing = (normal.dot(self.motion.v) * self.half).abs() + self.motion.bend(self.half) + self.error;
        let at_least = closing + a.least_reach - up_to;
        (at_least > TABLE_SLACK * a.radius).then_some(at_least)
    }

    /// Whether the bodies' hulls stay apart along a normal, by their exact supports.
    fn is_clear_along(&self, normal: Vec3) -> bool {
        let [a, b] = self.solids;
        let Some(hull_a) = &a.hull else { return false };
        let (pose_a, pose_b) = (a.pose(self.frames), b.pose(self.frames));
        let up_to = match (b.plane, &b.hull) {
            (Some((up, offset)), _) => up.dot(self.centres[0]) - offset,
            (_, Some(hull_b)) => normal.dot(self.centres[1] - self.centres[0]) - reach(hull_b, &pose_b, -normal),
            _ => return false,
        };
        self.at_ends(normal, up_to, |direction| reach(hull_a, &pose_a, direction)) < 0.0
    }

    /// How much the first body lacks to stay below the plane at both ends of the stretch, with the points of a straight motion and what
    /// they can be off it. How far it reaches is convex in time, so that no time in between is worse.
    #[inline]
    fn at_ends(&self, normal: Vec3, up_to: f64, reach: impl Fn(Vec3) -> f64) -> f64 {
        let (turned, along) = (normal.cross(self.motion.w), normal.dot(self.motion.v));
        let at = |time: f64| time * along + reach(normal + turned * time);
        at(self.half).max(at(-self.half)) + self.motion.bend(self.half) + self.error - up_to
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
