//! The least clearance along a path in joint space, with bounds and its place: branch and bound over stretches of its edges.
//!
//! In the middle of a stretch each pair has its signed distance; over the stretch it cannot be less by more than the bodies move towards
//! each other. The stretch that may have the least distance is divided until the bounds agree. Velocities are exact and accelerations
//! bounded, as for edges, so that the bound of a stretch is off by its length squared.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use clearance::Vec3;

use crate::answer::Near;
use crate::batch::rows;
use crate::edges::{EdgeMotion, Middle};
use crate::error::BatchError;
use crate::gaps::best_plane;
use crate::workcell::Workcell;

/// What is asked about a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathOptions {
    /// How far apart the bounds of the clearance may be, in the robot's unit of length.
    pub accuracy: f64,
    /// The most configurations that are looked at; the bounds are what was proved by then.
    pub max_steps: u32,
}

impl Default for PathOptions {
    /// A ten-thousandth of the unit of length, a tenth of a millimetre in metres.
    fn default() -> Self {
        Self { accuracy: crate::tolerance::PATH_ACCURACY, max_steps: 100_000 }
    }
}

/// The least clearance along a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathClearance {
    /// The least signed distance that was found; negative if bodies overlap. Infinite without pairs.
    pub clearance: f64,
    /// The exact least distance is not less.
    pub lower: f64,
    /// The exact least distance is not more.
    pub upper: f64,
    /// Where the least distance was found: the number of the edge, and the share of it. As one number, the path's time.
    pub time: f64,
    /// The nearest or deepest pair there.
    pub near: Option<Near>,
    /// How many configurations were looked at.
    pub steps: u32,
}

/// A stretch of an edge, by the least distance it may have.
struct Stretch {
    lower: f64,
    edge: usize,
    low: f64,
    high: f64,
    pairs: Vec<u32>,
}

impl PartialEq for Stretch {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Stretch {}

impl PartialOrd for Stretch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Stretch {
    /// The least bound first; of equal ones the first along the path.
    fn cmp(&self, other: &Self) -> Ordering {
        other.lower.total_cmp(&self.lower).then(other.edge.cmp(&self.edge)).then(other.low.total_cmp(&self.low))
    }
}

/// The best of what was found so far.
struct Best {
    near: Option<Near>,
    upper: f64,
    time: f64,
    /// No stretch that was put aside can be less.
    floor: f64,
}

impl Workcell {
    /// The least signed distance of any pair along a path of straight edges through configurations, `dof` values each, with bounds and
    /// its place. A path of one configuration is that configuration.
    ///
    /// # Errors
    /// If the path is empty, its length is no multiple of the degrees of freedom, a value is not valid, or an option is out of range.
    ///
    /// ```
    /// use clearance::{Pose, Shape};
    /// use clearance_robot::{PathOptions, Robot, RobotOptions, Workcell};
    /// let slider = r#"<robot name="slider">
    ///   <link name="rail"/><link name="cart"><collision><geometry><sphere radius="0.5"/></geometry></collision></link>
    ///   <joint name="x" type="prismatic"><parent link="rail"/><child link="cart"/><limit lower="0" upper="9"/></joint>
    /// </robot>"#;
    /// let mut cell = Workcell::new(&Robot::parse(slider, "", &RobotOptions::default())?);
    /// cell.add("lamp", Shape::sphere(0.5)?, &Pose::from_translation([3.0, 0.0, 2.0])?)?;
    /// let least = cell.clearance_along(&[0.0, 1.0, 5.0], &PathOptions::default())?;
    /// assert!(least.lower <= 1.0 && 1.0 <= least.upper && least.upper - least.lower < 1e-3);
    /// assert!((least.time - 1.5).abs() < 0.1); // half of the second edge
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clearance_along(&self, path: &[f64], options: &PathOptions) -> Result<PathClearance, BatchError> {
        let dof = self.robot.dof();
        let count = rows("path", path, dof)?;
        if count == 0 {
            return Err(BatchError::EmptyPath);
        }
        if !(options.accuracy > 0.0) {
            return Err(BatchError::Option { option: "accuracy", value: options.accuracy, must: "above 0" });
        }
        let all: Vec<&[f64]> = path.chunks_exact(dof).collect();
        for (row, q) in all.iter().enumerate() {
            self.robot.check(q, row)?;
        }
        let mut along = Along::new(self, if count == 1 { vec![all[0], all[0]] } else { all });
        Ok(along.search(options))
    }
}

/// A search along a path.
struct Along<'p> {
    cell: &'p Workcell,
    path: Vec<&'p [f64]>,
    motion: EdgeMotion,
    /// The edge that the motion is of.
    prepared: usize,
    error: f64,
    middle: Middle,
    best: Best,
    steps: u32,
}

impl<'p> Along<'p> {
    fn new(cell: &'p Workcell, path: Vec<&'p [f64]>) -> Self {
        let best = Best { near: None, upper: f64::INFINITY, time: 0.0, floor: f64::INFINITY };
        let (motion, middle) = (EdgeMotion::default(), Middle::default());
        Self { cell, path, motion, prepared: usize::MAX, error: 0.0, middle, best, steps: 0 }
    }

    fn search(&mut self, options: &PathOptions) -> PathClearance {
        let pairs: Vec<u32> = (0..self.cell.pairs.len() as u32).collect();
        let mut open = BinaryHeap::new();
        for edge in 0..self.path.len() - 1 {
            let whole = Stretch { lower: f64::NEG_INFINITY, edge, low: 0.0, high: 1.0, pairs: pairs.clone() };
            self.examine(whole, &mut open);
        }
        while let Some(stretch) = open.pop() {
            if stretch.lower >= self.best.upper - options.accuracy || self.steps >= options.max_steps {
                open.push(stretch);
                break;
            }
            let middle = 0.5 * (stretch.low + stretch.high);
            if stretch.high - stretch.low < 2.0 * crate::tolerance::SHORTEST_STRETCH {
                self.best.floor = self.best.floor.min(stretch.lower);
                continue;
            }
            self.examine(Stretch { high: middle, pairs: stretch.pairs.clone(), ..stretch }, &mut open);
            self.examine(Stretch { low: middle, ..stretch }, &mut open);
        }
        let bound = open.peek().map_or(f64::INFINITY, |stretch| stretch.lower);
        let Best { near, upper, time, floor } = self.best;
        let clearance = near.map_or(f64::INFINITY, |near| near.distance);
        PathClearance { clearance, lower: bound.min(floor).min(clearance), upper, time, near, steps: self.steps }
    }

    /// Measures the pairs in the middle of a stretch; what may have less than the best is open.
    fn examine(&mut self, stretch: Stretch, open: &mut BinaryHeap<Stretch>) {
        self.steps += 1;
        let middle = 0.5 * (stretch.low + stretch.high);
        let half = 0.5 * (stretch.high - stretch.low);
        self.place(stretch.edge, middle);
        let (mut lower, mut pairs) = (f64::INFINITY, Vec::new());
        for &index in &stretch.pairs {
            let bound = self.bound(index, half, stretch.edge as f64 + middle);
            if bound < self.best.upper {
                lower = bound.min(lower);
                pairs.push(index);
            }
        }
        if !pairs.is_empty() {
            open.push(Stretch { lower, pairs, ..stretch });
        }
    }

    fn place(&mut self, edge: usize, share: f64) {
        let cell = self.cell;
        if self.prepared != edge {
            self.motion.prepare(&cell.robot, &cell.paths, self.path[edge], self.path[edge + 1]);
            self.motion.largest_values(&mut self.middle.q);
            self.error = cell.place_error(&self.middle.q);
            self.prepared = edge;
        }
        self.middle.place(cell, &self.motion, share);
    }

    /// The least distance that a pair may have within half a stretch of the middle. The best is updated with what is measured.
    fn bound(&mut self, index: u32, half: f64, time: f64) -> f64 {
        let (cell, middle) = (self.cell, &self.middle);
        let pair = &cell.pairs[index as usize];
        let solids = [&cell.solids[pair.a as usize], &cell.solids[pair.b as usize]];
        let centres = [middle.centres[pair.a as usize], middle.centres[pair.b as usize]];
        let motion = self.motion.relative(index, solids, centres[0], &middle.frames, &middle.twists);
        let farthest = motion.farthest(solids[0].radius, half) + self.error;
        let enough = self.best.upper + farthest;
        // Not less than the best anywhere on the stretch.
        if cell.ball_gap(index as usize, &middle.centres) > enough {
            return f64::INFINITY;
        }
        let plane = best_plane(pair, &cell.solids, &middle.centres, &middle.frames, enough);
        if plane.gap > enough {
            return f64::INFINITY;
        }
        let near = cell.near(index, &middle.frames, self.error, plane.normal);
        if near.upper < self.best.upper {
            self.best.upper = near.upper;
        }
        if self.best.near.is_none_or(|best| near.distance < best.distance) {
            (self.best.near, self.best.time) = (Some(near), time);
        }
        let is_convex = solids.iter().all(|solid| solid.is_convex);
        if is_convex {
            let closing = |normal: Vec3| {
                let turning = normal.cross(motion.w).length() * solids[0].radius;
                (normal.dot(motion.v).abs() + turning) * half + motion.bend(half)
            };
            near.lower - closing(near.normal).min(farthest)
        } else if near.lower > 0.0 {
            // Distances of bodies that are apart change by no more than their points move; no more is known where they meet.
            let bound = near.lower - farthest;
            if bound > 0.0 { bound } else { -(solids[0].radius + solids[1].radius) }
        } else {
            self.best.floor = self.best.floor.min(-(solids[0].radius + solids[1].radius));
            f64::INFINITY
        }
    }
}
