//! Random free configurations, and a free one near a given one.

use crate::answer::{Distance, Verdict};
use crate::batch::for_rows;
use crate::configs::Scratch;
use crate::error::BatchError;
use crate::gradient::gradient;
use crate::read::JointKind;
use crate::workcell::Workcell;

/// Candidates that are checked at a time.
const BLOCK: usize = 256;
/// Steps of an ascent.
const STEPS: usize = 40;
/// Ascents, the first one from the configuration itself.
const STARTS: usize = 64;
/// Halvings between a configuration and a free one.
const HALVINGS: usize = 24;

impl Workcell {
    /// Free configurations, random and uniform within the limits: `count` of them if `max_tries` candidates yield so many. The same seed
    /// gives the same configurations for any number of threads.
    ///
    /// Continuous joints and the angles of planar ones are within half a turn of zero, quaternions are uniform.
    ///
    /// # Errors
    /// If a joint moves along lengths without limits, as planar and floating ones do: lock them, or sample them yourself.
    ///
    /// ```
    /// use clearance_robot::{Robot, RobotOptions, Workcell};
    /// let robot = Robot::parse(r#"<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous">
    ///   <parent link="a"/><child link="b"/></joint></robot>"#, "", &RobotOptions::default())?;
    /// let q = Workcell::new(&robot).sample_free(10, 1, 1000, 1)?;
    /// assert_eq!(q.len(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample_free(
        &self,
        count: usize,
        seed: u64,
        max_tries: usize,
        threads: usize,
    ) -> Result<Vec<f64>, BatchError> {
        let unbounded = |kind| matches!(kind, JointKind::Floating | JointKind::Planar);
        if let Some(joint) = self.robot.joints.iter().find(|joint| unbounded(joint.kind)) {
            return Err(BatchError::Unbounded { name: joint.name.clone() });
        }
        let dof = self.robot.dof();
        let mut free = Vec::new();
        let mut first = 0;
        while free.len() < count * dof && first < max_tries {
            let block = BLOCK.max(count).min(max_tries - first);
            let found = for_rows(block, threads, |row, scratch: &mut Scratch| {
                let q = self.candidate(seed, (first + row) as u64);
                (self.check_config(&q, Distance::None, scratch).verdict == Verdict::Free).then_some(q)
            });
            for q in found.into_iter().flatten() {
                if free.len() < count * dof {
                    free.extend(q);
                }
            }
            first += block;
        }
        Ok(free)
    }

    /// The random configuration of a number: each has its own, so that it does not matter who makes it.
    fn candidate(&self, seed: u64, number: u64) -> Vec<f64> {
        let mut rng = fastrand::Rng::with_seed(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let half_turn = [-std::f64::consts::PI, std::f64::consts::PI];
        let value = |[low, high]: [f64; 2], share: f64| low + (high - low) * share;
        self.robot.joints.iter().map(|joint| value(joint.limits.unwrap_or(half_turn), rng.f64())).collect()
    }

    /// A free configuration near a given one and within the limits, if one is found; the configuration itself if it is free.
    ///
    /// Values ascend along the gradient of the signed distance, from the configuration and from random places around it, farther and farther
    /// away; then the way back is halved. What is returned is checked. It need not be the nearest one, and none may be found where
    /// one exists.
    ///
    /// # Errors
    /// If the number of values is wrong, or a value is not valid.
    ///
    /// ```
    /// use clearance::{Pose, Shape};
    /// use clearance_robot::{Robot, RobotOptions, Workcell};
    /// let slider = r#"<robot name="slider">
    ///   <link name="rail"/><link name="cart"><collision><geometry><sphere radius="0.5"/></geometry></collision></link>
    ///   <joint name="x" type="prismatic"><parent link="rail"/><child link="cart"/><limit lower="0" upper="9"/></joint>
    /// </robot>"#;
    /// let mut cell = Workcell::new(&Robot::parse(slider, "", &RobotOptions::default())?);
    /// cell.add("stop", Shape::cuboid([1.0, 1.0, 1.0])?, &Pose::from_translation([5.0, 0.0, 0.0])?)?;
    /// let free = cell.nearest_free(&[3.7], 1)?; // 0.2 too far
    /// assert!(free.is_some_and(|q| q[0] < 3.5 && q[0] > 3.4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest_free(&self, q: &[f64], seed: u64) -> Result<Option<Vec<f64>>, BatchError> {
        if q.len() != self.robot.dof() {
            return Err(BatchError::Length { what: "q", found: q.len(), dof: self.robot.dof() });
        }
        self.robot.check(q, 0)?;
        let mut scratch = Scratch::default();
        let limits = self.robot.limits();
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut best: Option<(f64, Vec<f64>)> = None;
        for start in 0..STARTS {
            // A free one was found nearer than all that is left to try.
            let around = start as f64 / STARTS as f64;
            if best.as_ref().is_some_and(|(distance, _)| *distance < around) {
                break;
            }
            let from: Vec<f64> = q.iter().map(|value| value + around * (2.0 * rng.f64() - 1.0)).collect();
            let from = if start == 0 { q.to_vec() } else { self.clamped(&from, &limits) };
            let Some(end) = self.ascend(from, &limits, &mut scratch) else { continue };
            let end = self.drawn_back(q, end, &limits, &mut scratch);
            let distance = q.iter().zip(&end).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, end));
            }
        }
        Ok(best.map(|(_, q)| q))
    }

    /// The values within their limits, with quaternions of unit length.
    fn clamped(&self, q: &[f64], limits: &[[f64; 2]]) -> Vec<f64> {
        let mut q: Vec<f64> = q.iter().zip(limits).map(|(value, [low, high])| value.max(*low).min(*high)).collect();
        for joint in self.robot.joints.iter().filter(|joint| joint.kind == JointKind::Floating) {
            let turn = &mut q[joint.first_value + 3..joint.first_value + 7];
            let length = turn.iter().map(|value| value * value).sum::<f64>().sqrt();
            turn.iter_mut().for_each(|value| *value /= length);
        }
        q
    }

    fn is_free(&self, q: &[f64], scratch: &mut Scratch) -> bool {
        self.check_config(q, Distance::None, scratch).verdict == Verdict::Free
    }

    /// Steps up the gradient until the configuration is free.
    fn ascend(&self, from: Vec<f64>, limits: &[[f64; 2]], scratch: &mut Scratch) -> Option<Vec<f64>> {
        let mut q = from;
        for _ in 0..STEPS {
            let answer = self.check_config(&q, Distance::Signed, scratch);
            if answer.verdict == Verdict::Free && q.iter().zip(limits).all(|(x, [low, high])| low <= x && x <= high) {
                return Some(q);
            }
            let near = answer.near?;
            let slope = gradient(self, &q, &scratch.frames, &near);
            let square: f64 = slope.iter().map(|value| value * value).sum();
            if !(square > 0.0) {
                return None;
            }
            // A step after which the distance would be a little above zero if it were linear.
            let step = (near.distance.abs() * 1.2 + self.size * crate::tolerance::STEP_BEYOND) / square;
            let moved: Vec<f64> =
                q.iter().zip(&slope).map(|(value, slope)| value + (step * slope).clamp(-0.5, 0.5)).collect();
            q = self.clamped(&moved, limits);
        }
        None
    }

    /// The free configuration nearest to the given one on the straight way from a free one, about.
    fn drawn_back(&self, q: &[f64], free: Vec<f64>, limits: &[[f64; 2]], scratch: &mut Scratch) -> Vec<f64> {
        let (mut low, mut best) = (0.0, free.clone());
        let mut high = 1.0;
        let is_within = |q: &[f64]| q.iter().zip(limits).all(|(x, [low, high])| low <= x && x <= high);
        for _ in 0..HALVINGS {
            let share = 0.5 * (low + high);
            let blended: Vec<f64> = q.iter().zip(&free).map(|(from, to)| from + share * (to - from)).collect();
            let middle = self.clamped(&blended, limits);
            if is_within(&middle) && self.is_free(&middle, scratch) {
                (high, best) = (share, middle);
            } else {
                low = share;
            }
        }
        best
    }
}
