//! The paper's own search, by the duals of the faces of A − B (section 3), for two polytopes: for study and comparison.
//!
//! Seen from a centre `c` on the line, before the difference, a face with plane `N·x = k` has the dual point `N/(k − N·c)`, and
//! the end of the line is on the face whose dual point is farthest along the direction (equation (1), of which the rest is a
//! monotone map). Three searches look for it: over the faces of A, over those of B, and over pairs of edges. They climb along the
//! adjacency of the polytopes, which need not be that of the difference (erratum 1): a climb may stop early. So the face that was
//! found is checked to contain the line, and if it does not, a walk over faces of the difference goes on from it; the end is
//! certified by a support either way.
//!
//! Departures: the centre comes from bounding balls, which every shape knows, instead of boxes; the first face is the best one at
//! the vertex of A farthest along the direction, instead of the best aligned of all, which would be a scan; spans of coplanar
//! faces need no care, because the polytopes' faces are whole; `k` may have any sign (erratum 2); a face that contains the line
//! ends the search at once; and the search over edges starts around the edge that the line is beyond, instead of all of a face's.
//! [`Search::Printed`] has the first face, the ends of the searches and the start of the one over edges as the paper prints them.
//!
//! It ends: every climb goes to a face with a larger value, and there are finitely many.

mod climb;
mod visited;

use thiserror::Error;

use super::answer::{DirectionError, FacesVisited, Range};
use super::line::Seen;
use super::verb::{RangeCache, Side, Sweep};
use crate::math::{Pose, Vec3};
use crate::shape::Shape;
use climb::Climb;
pub use climb::Search;

/// Why the search could not be made.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum DualError {
    /// The direction is zero or not finite.
    #[error(transparent)]
    Direction(#[from] DirectionError),
    /// It walks over faces, edges and vertices, which only sharp polytopes have.
    #[error("the search by duals needs two polytopes without a rounding radius")]
    NotPolytopes,
}

/// What the search found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DualRange {
    /// The certified range. The faces that it counts are those of both searches and of the walks after them.
    pub range: Range,
    /// For either end, the faces that the paper's three searches constructed.
    pub searched: [FacesVisited; 2],
    /// For either end, whether the paper's search stopped at a face that does not contain the end, nor has it in its plane.
    pub stopped_early: [bool; 2],
}

/// The contact range by the paper's search. The faces of the last call seed the next one.
///
/// # Errors
/// If the direction is bad or a body is no polytope.
pub fn contact_range(
    search: Search,
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    direction: Vec3,
    cache: &mut RangeCache,
) -> Result<Option<DualRange>, DualError> {
    let sweep = Sweep::new(a, pose_a, b, pose_b, direction)?;
    let Some(bodies) = sweep.polytopes() else { return Err(DualError::NotPolytopes) };
    let Some(outline) = sweep.outline(cache) else { return Ok(None) };
    let seeds = cache.corners_if_warm();
    let mut searched = [FacesVisited::default(); 2];
    let mut stopped_early = [false; 2];
    let exits = [Side::First, Side::Last].map(|side| {
        let i = side as usize;
        let (line, outline) = sweep.toward(side, &outline);
        let mut climb = Climb::new(&line, bodies, outline.inside, sweep.reach(), search);
        let best = climb.run(seeds.map(|corners| corners[i]));
        searched[i] = climb.visited;
        let start = best.and_then(|face| climb.containing(&face));
        let inside = start.is_some();
        let seed = |corner: Seen| climb.walk(&corner);
        let (start, walked) = match start {
            Some(corners) => (Some(corners), FacesVisited::default()),
            None => best.and_then(|face| climb.corner(&face)).map(seed).unwrap_or_default(),
        };
        let mut exit = sweep.certify(&line, &outline, start);
        // A face that lies in a larger one, as where two parallel faces meet, has the right plane all the same.
        stopped_early[i] = !inside && best.is_none_or(|face| climb.is_beyond(&face, exit.height));
        exit.visited = climb.visited.plus(walked);
        exit
    });
    cache.remember(&exits);
    Ok(Some(DualRange { range: sweep.range(&exits), searched, stopped_early }))
}
