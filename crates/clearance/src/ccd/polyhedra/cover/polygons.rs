//! Polygons of which other pieces leave nothing.
//!
//! A piece covers of a polygon what is inside of it or pressed onto it from outside: the points below all of its planes. Only planes
//! that face as the polygon does must be above it, by more than rounding: a piece that ends where the polygon is does not cover it,
//! or two pieces that share a place would hide each other there. The polygon is cut along the planes; what is left after the
//! last piece is seen.

use glam::DVec3;

use super::Cover;
use crate::ccd::polyhedra::bounds::Bounds;
use crate::tolerance::SAME_FACING;

/// A polygon that has been cut into more parts than this is taken as seen.
const MOST_PARTS: usize = 64;

/// A half-space: points with `normal · x ≤ offset`.
type Cut = (DVec3, f64);

impl Cover<'_> {
    /// Whether other pieces cover all of a polygon.
    pub(super) fn hides_face(&self, index: usize) -> bool {
        let face = &self.solid.faces[index];
        let corners: Vec<DVec3> =
            self.solid.loop_of(face).iter().map(|corner| self.solid.points[corner.point as usize]).collect();
        let own = self.piece_of[self.solid.loop_of(face)[0].point as usize];
        let near = self.near(Bounds::of(corners.iter().copied()), own);
        let mut parts = vec![corners];
        for piece in near {
            let cuts: Vec<Cut> = self.pieces[piece as usize]
                .faces
                .iter()
                .map(|&other| {
                    let plane = &self.solid.faces[other as usize];
                    let same = plane.normal.dot(face.normal) > SAME_FACING;
                    (plane.normal, plane.offset + if same { -self.flatness } else { self.flatness })
                })
                .collect();
            let mut left = Vec::new();
            for part in parts {
                self.subtract(part, &cuts, &mut left);
            }
            parts = left;
            if parts.is_empty() {
                return true;
            }
            if parts.len() > MOST_PARTS {
                return false;
            }
        }
        false
    }

    /// Adds what is left of a part outside of the half-spaces' intersection.
    fn subtract(&self, part: Vec<DVec3>, cuts: &[Cut], left: &mut Vec<Vec<DVec3>>) {
        let mut inside = part.clone();
        for cut in cuts {
            inside = self.clipped(&inside, *cut);
            if inside.is_empty() {
                left.push(part);
                return;
            }
        }
        let mut rest = part;
        for &(normal, offset) in cuts {
            let outside = self.clipped(&rest, (-normal, -offset));
            if !outside.is_empty() {
                left.push(outside);
                rest = self.clipped(&rest, (normal, offset));
            }
        }
    }

    /// The part of a convex polygon in a half-space; nothing if it reaches into it by no more than rounding.
    fn clipped(&self, part: &[DVec3], (normal, offset): Cut) -> Vec<DVec3> {
        let height = |p: DVec3| normal.dot(p) - offset;
        if part.iter().all(|&p| height(p) > -ROUNDING * self.flatness) {
            return Vec::new();
        }
        let mut kept = Vec::with_capacity(part.len() + 1);
        for (i, &p) in part.iter().enumerate() {
            let q = part[(i + 1) % part.len()];
            let [h, k] = [p, q].map(height);
            if h <= 0.0 {
                kept.push(p);
            }
            if (h < 0.0 && k > 0.0) || (h > 0.0 && k < 0.0) {
                kept.push(p + (q - p) * (h / (h - k)));
            }
        }
        kept
    }
}

/// Points computed on a cut are off it by less than this part of the flatness.
const ROUNDING: f64 = 0.125;
