//! Checks of straight edges in joint space: free with a proof, colliding with a certain hit, or undecided with what was proved.
//!
//! A stretch of the edge is free of a pair if the bodies are apart in its middle, by a plane, by more than they can move towards each
//! other along the plane's normal within half the stretch. What is left is divided (adaptive bisection, as in Schwarzer, Saha and
//! Latombe, "Exact collision checking of robot paths", 2002; the bounds are tighter than theirs: velocities are exact and only
//! accelerations are bounded, and they are measured along the normal). Nothing is concluded from samples alone, but for a hit: there the
//! bodies overlap by more than rounding.

mod answer;
mod motion;
mod search;
mod test;

use crate::batch::{for_rows, rows};
use crate::error::BatchError;
use crate::workcell::Workcell;

pub use answer::{EdgeAnswer, EdgeOptions, EdgeVerdict};
pub(crate) use motion::EdgeMotion;
pub(crate) use search::EdgeScratch;
pub(crate) use test::Middle;

impl Workcell {
    /// Checks the straight edges from the configurations in `q0` to those in `q1`, `dof` values each one after the other.
    ///
    /// All values change linearly; continuous joints are not wrapped, so that a change of more than a turn is one. Quaternions of floating
    /// joints turn at a constant rate, the shorter way.
    ///
    /// # Errors
    /// If the arrays differ in length, their length is no multiple of the degrees of freedom, or an option is out of range. An edge with
    /// a value that is not valid is [`EdgeVerdict::Invalid`], and the others are answered.
    ///
    /// ```
    /// use clearance::{Pose, Shape};
    /// use clearance_robot::{EdgeOptions, EdgeVerdict, Robot, RobotOptions, Workcell};
    /// let arm = r#"<robot name="arm">
    ///   <link name="base"/>
    ///   <link name="fore"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
    ///   <joint name="elbow" type="continuous"><parent link="base"/><child link="fore"/><axis xyz="0 0 1"/></joint>
    /// </robot>"#;
    /// let mut cell = Workcell::new(&Robot::parse(arm, "", &RobotOptions::default())?);
    /// cell.add("post", Shape::cylinder(1.0, 0.1)?, &Pose::from_translation([0.0, 0.8, 0.0])?)?;
    /// let found = cell.check_edges(&[0.0, 0.0], &[1.0, 3.0], &EdgeOptions::default())?;
    /// assert_eq!(found[0].verdict, EdgeVerdict::Free);
    /// assert_eq!(found[1].verdict, EdgeVerdict::Colliding);
    /// // The arm is free until it is near the post, from either side.
    /// assert!(found[1].free_from_start > 0.4 && found[1].free_from_end > 0.3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_edges(&self, q0: &[f64], q1: &[f64], options: &EdgeOptions) -> Result<Vec<EdgeAnswer>, BatchError> {
        let dof = self.robot.dof();
        if q0.len() != q1.len() {
            return Err(BatchError::Different { q0: q0.len(), q1: q1.len() });
        }
        let count = rows("q0", q0, dof)?;
        if !(options.resolution > 0.0 && options.resolution <= 1.0) {
            let (option, must) = ("resolution", "above 0 and at most 1");
            return Err(BatchError::Option { option, value: options.resolution, must });
        }
        let of = |all: &'_ [f64], row: usize| -> std::ops::Range<usize> {
            debug_assert!((row + 1) * dof <= all.len());
            row * dof..(row + 1) * dof
        };
        Ok(for_rows(count, options.threads, |row, scratch: &mut EdgeScratch| {
            let (q0, q1) = (&q0[of(q0, row)], &q1[of(q1, row)]);
            if self.robot.check(q0, row).is_err() || self.robot.check(q1, row).is_err() {
                return EdgeAnswer::INVALID;
            }
            self.check_edge(q0, q1, options, scratch)
        }))
    }
}
