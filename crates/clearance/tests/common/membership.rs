//! Where a point lies relative to a body, in plain f64 and by definitions that share nothing with the library.

use clearance::Pose;
use clearance::math::widen;
use clearance_testkit::Solid;
use glam::{DMat3, DVec2, DVec3};

/// Distance from a box about the origin, zero inside; extents may be zero.
pub fn from_box(p: DVec3, half: DVec3) -> f64 {
    (p.abs() - half).max(DVec3::ZERO).length()
}

/// Signed: how far beyond the farthest side.
pub fn outside_box(p: DVec3, half: DVec3) -> f64 {
    (p.abs() - half).max_element()
}

pub fn from_segment(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let along = b - a;
    let t = ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    p.distance(a + along * t)
}

/// By the ratio to the surface along the ray from the centre, times the largest semi-axis.
pub fn beyond_ellipsoid(p: DVec3, radii: DVec3) -> f64 {
    ((p / radii).length() - 1.0) * radii.max_element()
}

/// Distance from a horizontal disc.
pub fn from_disc(p: DVec3, radius: f64) -> f64 {
    (p.x.hypot(p.y) - radius).max(0.0).hypot(p.z)
}

/// Signed: beyond the base or beyond the mantle of a cone with its base a quarter of the height below the origin.
pub fn beyond_cone(p: DVec3, height: f64, radius: f64) -> f64 {
    let mantle = DVec2::new(height, radius).normalize();
    let from_apex = DVec2::new(p.x.hypot(p.y), p.z - 0.75 * height);
    mantle.dot(from_apex).max(-0.25 * height - p.z)
}

/// Distance from the cone, through the triangle that is its profile; zero inside.
pub fn from_cone(p: DVec3, height: f64, radius: f64) -> f64 {
    if beyond_cone(p, height, radius) <= 0.0 {
        return 0.0;
    }
    let at = DVec3::new(p.x.hypot(p.y), 0.0, p.z);
    let (apex, rim) = (DVec3::Z * 0.75 * height, DVec3::new(radius, 0.0, -0.25 * height));
    let base = DVec3::new(0.0, 0.0, -0.25 * height);
    from_segment(at, apex, rim).min(from_segment(at, rim, base))
}

/// Signed: beyond one of the six sides.
pub fn beyond_frustum(p: DVec3, bottom: [f64; 2], top: [f64; 2], floor: f64, height: f64) -> f64 {
    let side = |i: usize| {
        let normal = DVec2::new(height, bottom[i] - top[i]).normalize();
        normal.dot(DVec2::new(p.to_array()[i].abs() - bottom[i], p.z - floor))
    };
    side(0).max(side(1)).max(floor - p.z).max(p.z - floor - height)
}

/// The largest of the distance from the plane and, within it, from the sides; corners counter-clockwise or clockwise.
pub fn beyond_polygon(corners: Vec<DVec3>) -> impl Fn(DVec3) -> f64 {
    let size = corners.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let unit: Vec<DVec3> = corners.iter().map(|&p| p / size).collect();
    let normal = (unit[1] - unit[0]).cross(unit[2] - unit[0]).normalize();
    move |p| {
        let p = p / size;
        let sides = (0..unit.len()).map(|i| {
            let (a, b) = (unit[i], unit[(i + 1) % unit.len()]);
            (b - a).cross(normal).normalize().dot(p - a)
        });
        size * sides.fold(normal.dot(p - unit[0]).abs(), f64::max)
    }
}

pub fn polygon_centroid(corners: &[DVec3]) -> DVec3 {
    let fans: Vec<(f64, DVec3)> = corners[1..]
        .windows(2)
        .map(|fan| {
            let area = (fan[0] - corners[0]).cross(fan[1] - corners[0]).length();
            (area, (corners[0] + fan[0] + fan[1]) / 3.0)
        })
        .collect();
    let whole: f64 = fans.iter().map(|fan| fan.0).sum();
    fans.iter().map(|fan| fan.1 * (fan.0 / whole)).sum()
}

/// Signed: beyond the plane of a face.
pub fn beyond_solid(solid: &Solid) -> impl Fn(DVec3) -> f64 + use<> {
    let size = solid.vertices.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let unit = |i: usize| solid.vertices[i] / size;
    let plane = |face: &Vec<usize>| {
        let [a, b, c] = [unit(face[0]), unit(face[1]), unit(face[2])];
        (a, (b - a).cross(c - a).normalize())
    };
    let planes: Vec<(DVec3, DVec3)> = solid.faces.iter().map(plane).collect();
    move |p| size * planes.iter().map(|(a, normal)| normal.dot(p / size - *a)).fold(f64::NEG_INFINITY, f64::max)
}

/// The sum of a box and an ellipsoid, both along the axes: the nearest point of the box, coordinate by coordinate, leaves
/// the smallest ratio.
pub fn beyond_swollen_box(p: DVec3, half: DVec3, radii: DVec3) -> f64 {
    beyond_ellipsoid((p.abs() - half).max(DVec3::ZERO), radii)
}

/// The hull of two spheres on the z axis is the union of the spheres between them: the smallest of a convex function of the
/// place between, by thirds; the ends are tried themselves, as there the smallest value need not be flat.
pub fn beyond_spheres(p: DVec3, low: f64, low_radius: f64, high: f64, high_radius: f64) -> f64 {
    let beyond = |t: f64| {
        let center = DVec3::Z * (low + (high - low) * t);
        p.distance(center) - (low_radius + (high_radius - low_radius) * t)
    };
    let (mut a, mut b) = (0.0, 1.0);
    for _ in 0..60 {
        let (s, t) = (a + (b - a) / 3.0, b - (b - a) / 3.0);
        if beyond(s) < beyond(t) { b = t } else { a = s }
    }
    beyond((a + b) / 2.0).min(beyond(0.0)).min(beyond(1.0))
}

/// Volume and height of the centroid of a body of revolution about z, from its membership: the radius at each height is
/// found by halving, the discs are summed by the midpoint rule.
pub fn turned_mass(outside: impl Fn(DVec3) -> f64, low: f64, high: f64, widest: f64) -> (f64, f64) {
    const SLICES: usize = 4000;
    let step = (high - low) / SLICES as f64;
    let (mut volume, mut moment) = (0.0, 0.0);
    for slice in 0..SLICES {
        let z = low + (slice as f64 + 0.5) * step;
        let (mut inside, mut beyond) = (0.0, 1.5 * widest);
        for _ in 0..40 {
            let middle = (inside + beyond) / 2.0;
            if outside(DVec3::new(middle, 0.0, z)) <= 0.0 { inside = middle } else { beyond = middle }
        }
        let disc = std::f64::consts::PI * inside * inside * step;
        (volume, moment) = (volume + disc, moment + disc * z);
    }
    (volume, moment / volume)
}

/// The point that the pose, as it is stored, puts at `p`: by the inverse of its matrix, which is a rotation to rounding only.
pub fn unposed_exactly(pose: &Pose, p: DVec3) -> DVec3 {
    let m = pose.matrix();
    let matrix = DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis));
    matrix.inverse() * (p - widen(pose.translation()))
}

/// Signed: beyond an end or beyond the mantle of a truncated cone along z.
pub fn beyond_truncated_cone(p: DVec3, bottom: f64, top: f64, floor: f64, height: f64) -> f64 {
    let mantle = DVec2::new(height, bottom - top).normalize();
    let side = mantle.dot(DVec2::new(p.x.hypot(p.y) - bottom, p.z - floor));
    side.max(floor - p.z).max(p.z - floor - height)
}

/// Volume of a truncated cone and the height of its centroid above the bottom.
pub fn truncated_cone(b: f64, t: f64, h: f64) -> (f64, f64) {
    let squares = b * b + b * t + t * t;
    (std::f64::consts::PI * h * squares / 3.0, h * (b * b + 2.0 * b * t + 3.0 * t * t) / (4.0 * squares))
}

/// Signed: beyond the hull of two balls at −half and half on the x axis. It is swept by a ball that goes from one to the other; how far
/// a point is beyond it is convex in the ball's place.
pub fn from_two_balls(p: DVec3, half: f64, left: f64, right: f64) -> f64 {
    let beyond = |t: f64| p.distance(DVec3::X * (half * (2.0 * t - 1.0))) - (left + (right - left) * t);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if beyond(a) < beyond(b) { high = b } else { low = a }
    }
    beyond(low).min(beyond(high))
}

/// Volume of the hull of two balls a length apart, and the distance of its centroid from the centre of the smaller one: two caps,
/// each with its own formula, and a truncated cone.
pub fn two_balls(length: f64, small: f64, large: f64) -> (f64, f64) {
    let sine = (large - small) / length;
    let cosine = (1.0 - sine * sine).sqrt();
    // A cap of a ball by its height: volume, and the distance of its centroid from the ball's centre.
    let cap = |r: f64, h: f64| {
        let volume = std::f64::consts::PI * h * h * (3.0 * r - h) / 3.0;
        (volume, 3.0 * (2.0 * r - h).powi(2) / (4.0 * (3.0 * r - h)))
    };
    let (v_small, c_small) = cap(small, small * (1.0 - sine));
    let (v_large, c_large) = cap(large, large * (1.0 + sine));
    let (start, end) = (-small * sine, length - large * sine);
    let (v_cone, c_cone) = truncated_cone(small * cosine, large * cosine, end - start);
    let volume = v_small + v_cone + v_large;
    (volume, (v_small * -c_small + v_cone * (start + c_cone) + v_large * (length + c_large)) / volume)
}
