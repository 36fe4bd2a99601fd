//! A point with a triangle.
//!
//! Over the triangle the nearest point is the foot on its plane, elsewhere it is on an edge. In f64 in both builds, so that thin
//! triangles cost single precision nothing; what they cost double precision, the bounds show.

use glam::DVec3;

use super::found::{Cores, Found};
use crate::math::{Real, Vec3, narrow, narrow_real, wide_unit_or, widen};

/// How a point lies to a triangle; nothing if the point is on an edge and gives no direction.
pub(super) fn nearest(corners: &[Vec3; 3], point: Vec3) -> Option<Cores> {
    let q = widen(point);
    let [a, b, c] = corners.map(widen);
    let sides = [[a, b], [b, c], [c, a]];
    let upright = unit((b - a).cross(c - a))?;
    let over = sides.iter().all(|[from, to]| (*to - *from).cross(upright).dot(q - *from) <= 0.0);
    let (foot, normal) = if over {
        let height = upright.dot(q - a);
        (q - upright * height, if height < 0.0 { -upright } else { upright })
    } else {
        let foot = nearest_on_sides(&sides, q);
        (foot, unit(q - foot)?)
    };
    let distance = normal.dot(q - foot);
    let bound = [a, b, c].into_iter().map(|corner| normal.dot(q - corner)).fold(f64::INFINITY, f64::min);
    let found = Found {
        points: [narrow(foot), point],
        normal: narrow(normal),
        distance: narrow_real(distance),
        bound: narrow_real(bound),
    };
    Some(if over && !(distance > 0.0) {
        Cores::Inside(Found { distance: Real::min(found.distance, 0.0), ..found })
    } else {
        Cores::Apart(found)
    })
}

/// At length one, however short it is; nothing if it is zero.
fn unit(v: DVec3) -> Option<DVec3> {
    Some(wide_unit_or(v, DVec3::ZERO)).filter(|unit| *unit != DVec3::ZERO)
}

fn nearest_on_sides(sides: &[[DVec3; 2]; 3], q: DVec3) -> DVec3 {
    let feet = sides.map(|[from, to]| {
        let along = to - from;
        let share = along.dot(q - from) / along.length_squared();
        // From the nearer end, so that a foot beside it keeps its digits.
        if share > 0.5 { to + along * (share.min(1.0) - 1.0) } else { from + along * share.max(0.0) }
    });
    let nearer = |a: DVec3, b: DVec3| if b.distance_squared(q) < a.distance_squared(q) { b } else { a };
    nearer(nearer(feet[0], feet[1]), feet[2])
}
