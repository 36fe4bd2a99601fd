//! Planes of faces, volume and centroid, in f64 whatever the build's precision.

use glam::DVec3;

use crate::math::exact::triangle_normal;
use crate::math::{Plane, narrow, narrow_real, widen};

/// The outward plane of a convex polygon in scaled coordinates; `unscale` brings its offset back to the true size.
///
/// The normal is the sum of the fan's triangle normals, each computed with extra bits, so that slivers do not spoil it. The
/// offset is the largest over the corners: none of them is above the plane by more than the rounding of the offset.
pub(super) fn polygon_plane(corners: impl Iterator<Item = DVec3> + Clone, unscale: f64) -> Plane {
    let normal = narrow(unit(vector_area(corners.clone())));
    let offset = corners.map(|p| widen(normal).dot(p)).fold(f64::NEG_INFINITY, f64::max);
    Plane { normal, offset: narrow_real(offset * unscale) }
}

/// Twice the area of a polygon times its normal.
pub(super) fn vector_area(mut corners: impl Iterator<Item = DVec3>) -> DVec3 {
    let (Some(first), Some(mut previous)) = (corners.next(), corners.next()) else {
        return DVec3::ZERO;
    };
    let mut area = DVec3::ZERO;
    for corner in corners {
        area += triangle_normal(first, previous, corner);
        previous = corner;
    }
    area
}

/// Scaled by its largest component before squaring: areas of slivers may be as small as 1e-300.
pub(super) fn unit(v: DVec3) -> DVec3 {
    (v / v.abs().max_element()).normalize_or(DVec3::X)
}

/// Volume and centroid of a closed surface: tetrahedra from one vertex to the faces' fans.
pub(super) fn measure(points: &[DVec3], starts: &[u32], loops: &[u32]) -> (f64, DVec3) {
    let Some(&apex) = points.first() else {
        return (0.0, DVec3::ZERO);
    };
    let (mut six_volumes, mut moment) = (0.0, DVec3::ZERO);
    for range in starts.windows(2) {
        let corners = &loops[range[0] as usize..range[1] as usize];
        for fan in corners[1..].windows(2) {
            let [a, b, c] = [corners[0], fan[0], fan[1]].map(|v| points[v as usize]);
            let six_volume = (a - apex).dot(triangle_normal(a, b, c));
            six_volumes += six_volume;
            moment += six_volume * ((a - apex) + (b - apex) + (c - apex));
        }
    }
    let centroid = apex + moment / (4.0 * six_volumes);
    // A solid thinner than rounding may come out with no volume: any point of it then serves as its centroid.
    if centroid.is_finite() && within_bounds(points, centroid) {
        return (six_volumes / 6.0, centroid);
    }
    let mean = points.iter().map(|&p| p - apex).sum::<DVec3>() / points.len() as f64;
    (six_volumes / 6.0, apex + mean)
}

fn within_bounds(points: &[DVec3], p: DVec3) -> bool {
    let (min, max) = points.iter().fold((points[0], points[0]), |(min, max), &q| (min.min(q), max.max(q)));
    min.cmple(p).all() && p.cmple(max).all()
}
