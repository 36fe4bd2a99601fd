//! Checks of configurations: free or not, the pair that collides, and the signed distance with its gradient.
//!
//! Most pairs are far apart. Balls and boxes around the bodies tell so first; then the plane across the line between their centres, by
//! tables of how far each body reaches. What is left, a few pairs of each configuration, is asked of the library, the ones that are
//! likely to collide first. Each configuration starts from nothing, so that no answer depends on the others of its batch.

use std::sync::atomic::{AtomicUsize, Ordering};

use clearance::{Aabb, Cache, Vec3, Witness, overlap, within};

use crate::answer::{ConfigAnswer, ConfigBatch, ConfigOptions, Distance, Verdict};
use crate::batch::{for_rows, rows};
use crate::chain::Placed;
use crate::error::BatchError;
use crate::gaps::{Plane, ball_gap, balls_apart, best_plane, box_apart, sort};
use crate::gradient::gradient;
use crate::solid::Solid;
use crate::workcell::Workcell;

/// Memory of a thread.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) frames: Vec<Placed>,
    pub(crate) centres: Vec<Vec3>,
    /// Pairs that are not known to be apart, with the best plane between them.
    pub(crate) open: Vec<(Plane, u32)>,
    /// Groups of pairs that are away from the robot, with lower bounds of their distances.
    pub(crate) far: Vec<(f64, u32)>,
}

impl Workcell {
    /// Checks configurations, `dof` values each one after the other.
    ///
    /// # Errors
    /// If the number of values is no multiple of the degrees of freedom. A configuration with a value that is not valid is
    /// [`Verdict::Invalid`], and the others are answered.
    ///
    /// ```
    /// use clearance::{Pose, Shape};
    /// use clearance_robot::{ConfigOptions, Distance, Robot, RobotOptions, Workcell};
    /// let slider = r#"<robot name="slider">
    ///   <link name="rail"/><link name="cart"><collision><geometry><sphere radius="0.5"/></geometry></collision></link>
    ///   <joint name="x" type="prismatic"><parent link="rail"/><child link="cart"/><limit lower="0" upper="9"/></joint>
    /// </robot>"#;
    /// let mut cell = Workcell::new(&Robot::parse(slider, "", &RobotOptions::default())?);
    /// cell.add("stop", Shape::cuboid([1.0, 1.0, 1.0])?, &Pose::from_translation([5.0, 0.0, 0.0])?)?;
    /// let options = ConfigOptions { distance: Distance::Signed, gradient: true, ..ConfigOptions::default() };
    /// let found = cell.check_configs(&[1.0], &options)?;
    /// assert!(found.answers[0].near.is_some_and(|near| (near.distance - 2.5).abs() < 1e-9));
    /// assert!((found.gradients[0] + 1.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_configs(&self, q: &[f64], options: &ConfigOptions) -> Result<ConfigBatch, BatchError> {
        let dof = self.robot.dof();
        let count = rows("q", q, dof)?;
        let first = AtomicUsize::new(usize::MAX);
        let wants_gradient = options.gradient && options.distance != Distance::None;
        let results = for_rows(count, options.threads, |row, scratch: &mut Scratch| {
            if options.stop_at_collision && row > first.load(Ordering::Relaxed) {
                return (ConfigAnswer::plain(Verdict::Unchecked), None);
            }
            let q = &q[row * dof..][..dof];
            let answer = self.check_config(q, options.distance, scratch);
            if answer.verdict == Verdict::Colliding {
                first.fetch_min(row, Ordering::Relaxed);
            }
            let near = answer.near.filter(|_| wants_gradient);
            (answer, near.map(|near| gradient(self, q, &scratch.frames, &near)))
        });
        let mut answers = Vec::with_capacity(count);
        let mut gradients = Vec::with_capacity(if wants_gradient { q.len() } else { 0 });
        let first = if options.stop_at_collision { first.into_inner() } else { usize::MAX };
        for (row, (answer, gradient)) in results.into_iter().enumerate() {
            let is_after = row > first;
            answers.push(if is_after { ConfigAnswer::plain(Verdict::Unchecked) } else { answer });
            if wants_gradient {
                match gradient.filter(|_| !is_after) {
                    Some(gradient) => gradients.extend_from_slice(&gradient),
                    None => gradients.extend(std::iter::repeat_n(f64::NAN, dof)),
                }
            }
        }
        Ok(ConfigBatch { answers, gradients })
    }

    /// One configuration.
    pub(crate) fn check_config(&self, q: &[f64], distance: Distance, scratch: &mut Scratch) -> ConfigAnswer {
        if self.robot.check(q, 0).is_err() {
            return ConfigAnswer::plain(Verdict::Invalid);
        }
        self.place(q, scratch);
        let error = self.place_error(q);
        let (met, near) = match distance {
            Distance::None => (self.always.or_else(|| self.first_met(error, scratch)), None),
            Distance::WhenFree if self.always.is_some() => (self.always, None),
            Distance::WhenFree | Distance::Signed => {
                let near = self.nearest(error, distance == Distance::Signed, scratch);
                (near.filter(|near| near.lower <= 0.0).map(|near| near.pair).or(self.always), near)
            }
        };
        let near = near.filter(|_| met.is_none() || distance == Distance::Signed);
        let verdict = if met.is_some() { Verdict::Colliding } else { Verdict::Free };
        ConfigAnswer { verdict, pair: met, near }
    }

    /// Places frames and centres.
    #[inline]
    pub(crate) fn place(&self, q: &[f64], scratch: &mut Scratch) {
        self.robot.chain.place(q, &self.base, &mut scratch.frames);
        scratch.centres.clear();
        scratch.centres.extend(self.solids.iter().map(|solid| solid.centre(&scratch.frames)));
    }

    /// A bound on what two bodies' places together are off by, by rounding of the kinematics.
    pub(crate) fn place_error(&self, q: &[f64]) -> f64 {
        2.0 * self.robot.chain.error(q, &self.base, self.size + self.far)
    }

    /// A pair that touches or overlaps.
    fn first_met(&self, error: f64, scratch: &mut Scratch) -> Option<[u32; 2]> {
        let Scratch { frames, centres, open, .. } = scratch;
        open.clear();
        let (moving, resting) = self.quick.split_at(self.moving_pairs);
        let mut keep = |index: usize| {
            let plane = best_plane(&self.pairs[index], &self.solids, centres, frames, error);
            if !(plane.gap > error) {
                open.push((plane, index as u32));
            }
        };
        for (index, quick) in moving.iter().enumerate() {
            if !balls_apart(quick, centres, error) {
                keep(index);
            }
        }
        let around = self.box_of_moving(centres, error);
        for pairs in &self.groups {
            let bounds = &self.boxes[resting[pairs.start].b as usize];
            if !around.overlaps(bounds) {
                continue;
            }
            for index in pairs.clone() {
                if !box_apart(&resting[index], bounds, centres, error) {
                    keep(self.moving_pairs + index);
                }
            }
        }
        sort(open);
        let met = open.iter().find(|(plane, index)| {
            let pair = &self.pairs[*index as usize];
            self.meet([pair.a, pair.b], frames, error, &mut Cache::along(plane.normal))
        });
        met.map(|(_, index)| self.owners(*index))
    }

    /// A box around all moving bodies, grown by the error.
    #[inline]
    pub(crate) fn box_of_moving(&self, centres: &[Vec3], error: f64) -> Aabb {
        let moving = self.solids.iter().zip(centres).filter(|(solid, _)| !solid.is_at_rest());
        moving.fold(Aabb::EMPTY, |bounds, (solid, centre)| {
            let radius = Vec3::splat(solid.radius + error);
            bounds.union(&Aabb { min: *centre - radius, max: *centre + radius })
        })
    }

    /// A lower bound of a pair's signed distance by balls and boxes.
    #[inline]
    pub(crate) fn ball_gap(&self, index: usize, centres: &[Vec3]) -> f64 {
        let quick = &self.quick[index];
        let bounds = if index < self.moving_pairs { None } else { Some(&self.boxes[quick.b as usize]) };
        ball_gap(quick, bounds, centres)
    }

    pub(crate) fn solids_of(&self, pair: u32) -> [&Solid; 2] {
        let pair = &self.pairs[pair as usize];
        [&self.solids[pair.a as usize], &self.solids[pair.b as usize]]
    }

    pub(crate) fn owners(&self, pair: u32) -> [u32; 2] {
        let pair = &self.pairs[pair as usize];
        [pair.a, pair.b].map(|body| self.solids[body as usize].owner)
    }

    /// Whether two bodies at rest overlap.
    pub(crate) fn rest_overlaps(&self, pair: [u32; 2]) -> bool {
        self.meet(pair, &[], 0.0, &mut Cache::default())
    }

    /// Whether two bodies touch or overlap, or are apart by no more than the error.
    pub(crate) fn meet(&self, [a, b]: [u32; 2], frames: &[Placed], error: f64, cache: &mut Cache) -> bool {
        let (a, b) = (&self.solids[a as usize], &self.solids[b as usize]);
        let (pose_a, pose_b) = (a.pose(frames), b.pose(frames));
        if let (Some(hull_a), Some(hull_b)) = (&a.hull, &b.hull) {
            let answer = overlap(hull_a, &pose_a, hull_b, &pose_b, cache);
            let gap = match answer.witness {
                Witness::Plane { offset_a, offset_b, .. } if !answer.overlap => offset_b - offset_a,
                _ => f64::NEG_INFINITY,
            };
            if gap > error {
                return false;
            }
            if a.is_convex && b.is_convex {
                return true;
            }
            // A point that is inside of both is enough.
            if let Witness::Point(point) = answer.witness
                && a.holds(&pose_a, point, error)
                && b.holds(&pose_b, point, error)
            {
                return true;
            }
        }
        within(&a.body, &pose_a, &b.body, &pose_b, error, cache).within
    }
}
