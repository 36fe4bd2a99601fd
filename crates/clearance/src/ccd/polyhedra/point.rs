//! A moving point (section 6): a ray, for visibility tests. Points against polygons only, without an expel zone.

use glam::DVec3;

use super::error::CastError;
use super::polyhedron::Polyhedron;
use super::sides::{Side, side};
use crate::math::{Pose, Real, Vec3, narrow_real, rounded_down, widen};
use crate::tolerance::HEIGHT_ERROR;

/// Where a moving point meets a polyhedron.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointHit {
    /// The share of the way that is free.
    pub fraction: Real,
    /// Where, in world space.
    pub point: Vec3,
    /// Unit normal of the polygon met.
    pub normal: Vec3,
    /// Which polygon.
    pub face: u32,
}

/// The first polygon that a point meets from its front on its way from `from` by `translation`; nothing if the way is free. A point
/// that starts on a polygon and goes through it meets it at once. It does not slip through between two polygons that share an edge.
///
/// # Errors
/// If a number is not finite, or so large that the way is not.
///
/// ```
/// use clearance::ccd::polyhedra::{Polyhedron, cast_point};
/// use clearance::{Pose, Vec3};
/// let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
/// let screen = Polyhedron::from_faces(&triangle, &[[0, 1, 2]])?;
/// let hit = cast_point(&screen, &Pose::IDENTITY, Vec3::new(0.25, 0.25, 1.0), Vec3::new(0.0, 0.0, -2.0))?;
/// assert_eq!(hit.map(|hit| hit.fraction), Some(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_point(
    world: &Polyhedron,
    pose_w: &Pose,
    from: Vec3,
    translation: Vec3,
) -> Result<Option<PointHit>, CastError> {
    let (origin, way) = (pose_w.point_to_local(from), pose_w.direction_to_local(translation));
    if !(origin.is_finite() && way.is_finite() && (origin + way).is_finite()) {
        return Err(CastError::NotFinite);
    }
    let (start, along) = (widen(origin), widen(way));
    let mut best: Option<(f64, u32)> = None;
    world.tree.along(origin, way, 1.0, |index, limit| {
        let bound = best.map_or(1.0, |(at, _)| at);
        match meets(world, index, start, along, bound) {
            Some(at) => {
                best = Some((at, index));
                narrow_real(at).next_up().min(limit)
            }
            None => limit,
        }
    });
    let Some((at, face)) = best else { return Ok(None) };
    let fraction = rounded_down(at);
    let normal = pose_w.direction(crate::math::narrow(world.faces[face as usize].normal));
    Ok(Some(PointHit { fraction, point: from + translation * fraction, normal, face }))
}

/// Where the point meets the front of the polygon, not after the bound.
fn meets(world: &Polyhedron, index: u32, p: DVec3, way: DVec3, bound: f64) -> Option<f64> {
    let face = &world.faces[index as usize];
    let speed = face.normal.dot(way);
    let height = face.normal.dot(p) - face.offset;
    // A point on the polygon is below its plane by rounding, which goes through the outermost corner.
    let error = HEIGHT_ERROR * (p.abs().max_element() + face.offset.abs());
    if !(speed < 0.0) || height < -error || height + speed * bound > 0.0 {
        return None;
    }
    let passes = world.loop_of(face).iter().all(|corner| {
        let line = world.edges[corner.edge as usize].ends.map(|v| world.points[v as usize]);
        let wrong = if corner.side == 0 { Side::Right } else { Side::Left };
        side(p, way, line, 0.0) != wrong
    });
    passes.then(|| (height / -speed).clamp(0.0, bound))
}
