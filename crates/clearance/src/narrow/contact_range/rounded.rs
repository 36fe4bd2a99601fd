//! The last digits of an end where bodies have rounding radii: there the cores are as far apart as the radii reach.
//!
//! Along the edge of a rounded body the surface is curved one way and straight the other: no triangle of its points has the normal
//! better than the root of the gap, and Newton's method on the normal has no second curvature to divide by. But at the end the distance of the cores is
//! the sum of the radii, and the normal is the direction of that distance. The distance is convex along the line and its derivative is
//! the normal's component along it, so Newton's method on the position ends in a few steps, each of which is one distance.
//!
//! It ends: at most `STEPS` distances. An answer is taken only within the bounds of the search, and only if it is the better one.

use glam::DVec3;

use super::line::{Line, Seen};
use super::portal::Exit;
use crate::math::{narrow, narrow_real, widen, widen_real};
use crate::narrow::End;
use crate::narrow::closest::of_cores;
use crate::narrow::minkowski::Minkowski;
use crate::narrow::pair::Pair;
use crate::tolerance::{NEAR, SUPPORT_ERROR};

/// Newton's method doubles the digits with each step, from three.
const STEPS: u32 = 4;

/// The end with the normal and the position of the distance of the cores.
pub(super) fn refined(line: &Line<'_>, exit: Exit) -> Exit {
    let margin = line.radii[0] + line.radii[1];
    let size = line.error / (2.0 * widen_real(SUPPORT_ERROR));
    // Of cores nearer to each other than this the direction is less certain than that of the search.
    if !(widen_real(margin) > widen_real(NEAR) * size) || exit.end != End::Converged {
        return exit;
    }
    let mut best = exit;
    let [mut off, mut width] = [f64::INFINITY, 0.0];
    for _ in 0..STEPS {
        let Some((next, left, of_points)) = step(line, &best, size) else { break };
        // The position just left is the one that the distance and the normal belong to.
        if !(left < off) {
            break;
        }
        (best, off, width) = (next, left, of_points);
        if off <= line.error {
            break;
        }
    }
    if off > line.error {
        return exit;
    }
    // Points of the cores may be off them by the width of the distance's bounds, and so may the points of contact.
    let room = if width > line.error { 0.5 * width } else { 0.0 };
    Exit { inner: best.inner.min(best.height - room), outer: best.outer.max(best.height + room), ..best }
}

/// One step, how far the cores were from the distance of the radii, and the width of the bounds of that distance.
fn step(line: &Line<'_>, exit: &Exit, size: f64) -> Option<(Exit, f64, f64)> {
    let margin = line.radii[0] + line.radii[1];
    let shift = narrow(widen(line.m.translation) + line.frame.z_axis * exit.height);
    let m = Minkowski { translation: shift, ..line.m };
    let sigma = narrow_real(0.5 * line.error);
    let flat = m.a.is_polyhedral() && m.b.is_polyhedral();
    let pair = Pair { m, margin, size: narrow_real(size), sigma, flat };
    let local = of_cores(&pair);
    let apart = widen_real(local.distance);
    let normal = line.frame.transpose() * widen(local.normal);
    let steep = normal.z > widen_real(NEAR);
    if local.end != End::Converged || !steep || !(apart > -0.5 * widen_real(margin)) {
        return None;
    }
    let height = (exit.height - apart / normal.z).clamp(exit.inner, exit.outer);
    let width = widen_real(local.upper) - widen_real(local.lower);
    let on_a = local.points[0] + local.normal * line.radii[0];
    let corners = exit.corners.map(|corner| Seen { on_a, ..corner });
    let normal = normal.normalize_or(DVec3::Z);
    Some((Exit { corners, normal, height, ..*exit }, apart.abs(), width))
}
