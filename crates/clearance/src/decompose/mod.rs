//! Convex parts that together cover a solid, and how far they reach beyond it.
//!
//! The solid is cut by planes, and each piece is replaced by its convex hull, so that the parts cover the solid whatever the cuts are. The part that
//! reaches farthest beyond the solid is cut next (`excess`), by the plane that leaves the smallest hulls (`cuts`), until all are within
//! the tolerance or there are as many as may be. Parts whose common hull is still within the tolerance are then put together again.

mod cuts;
mod excess;
mod piece;

use crate::answer::End;
use crate::math::{Real, narrow_real, widen, widen_real};
use crate::polytope::Polytope;
use crate::shape::mesh::{Mesh, MeshError};
use crate::tolerance::DECOMPOSED_FLAT;
use excess::{Excess, Judge};
use piece::Piece;

/// Convex parts that together cover a solid.
#[derive(Debug, Clone)]
pub struct Decomposition {
    /// The parts: every point of the solid is in one of them, to rounding. Neighbours touch, and overlap where they reach beyond the solid.
    pub parts: Vec<Polytope>,
    /// How far a point of a part can be from the solid, at most.
    pub error: Real,
    /// [`End::Converged`] if that is within the tolerance, [`End::IterationLimit`] if it takes more parts than may be.
    pub end: End,
}

/// Convex parts that cover a solid mesh and reach no farther beyond it than the tolerance, at most so many of them.
///
/// # Errors
/// If the mesh is not closed, the tolerance is not a positive number, or there may be no part at all.
///
/// ```
/// use clearance::{Mesh, Vec3, decompose};
/// // A block with a step: two boxes.
/// let profile = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];
/// let corners: Vec<Vec3> = [0.0, 1.0].iter().flat_map(|&z| profile.map(|[x, y]| Vec3::new(x, y, z))).collect();
/// let mut faces = vec![vec![3, 2, 1, 0], vec![5, 4, 3, 0], vec![6, 7, 8, 9], vec![6, 9, 10, 11]];
/// faces.extend((0..6u32).map(|i| vec![i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6]));
/// let parts = decompose(&Mesh::new(&corners, &faces)?, 0.01, 8)?;
/// assert_eq!(parts.parts.len(), 2);
/// assert!(parts.error <= 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decompose(mesh: &Mesh, tolerance: Real, most_parts: usize) -> Result<Decomposition, MeshError> {
    if !mesh.is_solid() {
        return Err(MeshError::NotSolid);
    }
    if !(tolerance > 0.0 && tolerance.is_finite()) {
        return Err(MeshError::Tolerance { value: tolerance });
    }
    if most_parts == 0 {
        return Err(MeshError::NoParts);
    }
    let tolerance = widen_real(tolerance);
    let judge = Judge::new(mesh, tolerance);
    // A solid that is flat to rounding has no hull with a volume.
    let mut parts = vec![Part::new(Piece::whole(mesh), &judge).ok_or(MeshError::NotSolid)?];
    // The one that reaches farthest is cut; what cannot be cut stays.
    while parts.len() < most_parts {
        let worst = parts
            .iter()
            .enumerate()
            .filter(|(_, part)| part.excess.upper > tolerance && !part.is_final)
            .max_by(|(i, first), (j, second)| first.excess.upper.total_cmp(&second.excess.upper).then(j.cmp(i)))
            .map(|(nth, _)| nth);
        let Some(nth) = worst else { break };
        let halves = cuts::best(&parts[nth].piece, &parts[nth].excess, mesh);
        match halves.map(|halves| halves.map(|half| Part::new(half, &judge))) {
            Some([Some(first), Some(second)]) => {
                parts[nth] = first;
                parts.push(second);
            }
            _ => parts[nth].is_final = true,
        }
    }
    united(&mut parts, &judge, tolerance);
    let error = parts.iter().map(|part| part.excess.upper).fold(0.0, f64::max);
    let end = if error <= tolerance { End::Converged } else { End::IterationLimit };
    let parts = parts.into_iter().map(|part| part.hull).collect();
    Ok(Decomposition { parts, error: narrow_real(error).next_up(), end })
}

/// A piece of the solid with its hull.
struct Part {
    piece: Piece,
    hull: Polytope,
    excess: Excess,
    /// No plane cuts it any further.
    is_final: bool,
}

impl Part {
    /// Nothing if the piece is flat.
    fn new(piece: Piece, judge: &Judge<'_>) -> Option<Self> {
        let hull = piece.hull()?;
        let excess = judge.excess(&hull);
        Some(Self { piece, hull, excess, is_final: false })
    }
}

/// Puts parts together as long as the common hull of two is within the tolerance.
fn united(parts: &mut Vec<Part>, judge: &Judge<'_>, tolerance: f64) {
    let mut first = 0;
    while first < parts.len() {
        let mut second = first + 1;
        let mut grew = false;
        while second < parts.len() {
            let common = are_near(&parts[first], &parts[second])
                .then(|| Polytope::from_points(&corners(&parts[first], &parts[second])).ok())
                .flatten();
            // A hull that is much larger than its parts is not within any tolerance worth asking for.
            let volume = parts[first].hull.volume() + parts[second].hull.volume();
            let together = common.filter(|hull| hull.volume() <= 2.0 * volume).map(|hull| (judge.excess(&hull), hull));
            match together {
                Some((excess, hull)) if excess.upper <= tolerance => {
                    let gone = parts.remove(second);
                    parts[first].piece.add(gone.piece);
                    parts[first].hull = hull;
                    parts[first].excess = excess;
                    grew = true;
                }
                _ => second += 1,
            }
        }
        // A larger part may have new neighbours.
        first += usize::from(!grew);
    }
}

fn corners(first: &Part, second: &Part) -> Vec<crate::math::Vec3> {
    first.hull.vertices().iter().chain(second.hull.vertices()).copied().collect()
}

/// Whether the boxes of two parts touch.
fn are_near(first: &Part, second: &Part) -> bool {
    let span = |part: &Part| piece::span(part.hull.vertices().iter().map(|v| widen(*v)));
    let ([low, high], [other_low, other_high]) = (span(first), span(second));
    let slack = glam::DVec3::splat(DECOMPOSED_FLAT * (high - low).max_element());
    (low - slack).cmple(other_high).all() && (other_low - slack).cmple(high).all()
}
