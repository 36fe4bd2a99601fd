//! Surfaces of triangles by brute force: every pair is looked at.

use glam::{DVec2, DVec3};

use crate::exact::{orient2d, orient3d};
use crate::features;

/// Whether two triangles with an area share a point, exactly.
pub fn triangles_meet(a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    let sides = |t: &[DVec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    sides(a).iter().any(|&side| segment_meets(side, b)) || sides(b).iter().any(|&side| segment_meets(side, a))
}

fn segment_meets([p, q]: [DVec3; 2], t: &[DVec3; 3]) -> bool {
    let [at_p, at_q] = [p, q].map(|x| orient3d(t[0], t[1], t[2], x));
    if at_p * at_q > 0 {
        return false;
    }
    if at_p == 0 && at_q == 0 {
        return flat_meet([p, q], t);
    }
    let turns = [0, 1, 2].map(|i| orient3d(p, q, t[i], t[(i + 1) % 3]));
    turns.iter().all(|&s| s >= 0) || turns.iter().all(|&s| s <= 0)
}

/// In one plane, seen along an axis along which the triangle has an area.
fn flat_meet(segment: [DVec3; 2], t: &[DVec3; 3]) -> bool {
    let views: [fn(DVec3) -> DVec2; 3] = [|p| DVec2::new(p.x, p.y), |p| DVec2::new(p.y, p.z), |p| DVec2::new(p.z, p.x)];
    let Some(view) = views.into_iter().find(|view| orient2d(view(t[0]), view(t[1]), view(t[2])) != 0) else {
        return false;
    };
    let ([p, q], t) = (segment.map(view), t.map(view));
    let turn = orient2d(t[0], t[1], t[2]);
    let inside = |x: DVec2| (0..3).all(|i| orient2d(t[i], t[(i + 1) % 3], x) * turn >= 0);
    inside(p) || inside(q) || (0..3).any(|i| flat_cross([p, q], [t[i], t[(i + 1) % 3]]))
}

fn flat_cross([p, q]: [DVec2; 2], [a, b]: [DVec2; 2]) -> bool {
    let (s, t) = (orient2d(a, b, p), orient2d(a, b, q));
    let (u, v) = (orient2d(p, q, a), orient2d(p, q, b));
    if s == 0 && t == 0 {
        let reach = |x: DVec2, y: DVec2| (x.min(y), x.max(y));
        let ((low, high), (low_2, high_2)) = (reach(p, q), reach(a, b));
        return low.cmple(high_2).all() && low_2.cmple(high).all();
    }
    s * t <= 0 && u * v <= 0
}

/// The distance of two surfaces over every pair of triangles; zero if any two meet.
pub fn distance(a: &[[DVec3; 3]], b: &[[DVec3; 3]]) -> f64 {
    let mut least = f64::INFINITY;
    for s in a {
        let (low, high) = (s[0].min(s[1]).min(s[2]), s[0].max(s[1]).max(s[2]));
        for t in b {
            // Boxes farther apart than what is known need no look.
            let (low_t, high_t) = (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]));
            let off = (low - high_t).max(low_t - high).max(DVec3::ZERO).length();
            if off > least {
                continue;
            }
            if triangles_meet(s, t) {
                return 0.0;
            }
            least = least.min(features::distance(s, t));
        }
    }
    least
}

/// How often a closed surface winds around a point that is not on it, by the solid angles of its triangles (van Oosterom and
/// Strackee, 1983).
pub fn winding(surface: &[[DVec3; 3]], point: DVec3) -> f64 {
    let angle = |t: &[DVec3; 3]| {
        let [a, b, c] = t.map(|p| p - point);
        let (x, y, z) = (a.length(), b.length(), c.length());
        let volume = a.dot(b.cross(c));
        2.0 * volume.atan2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
    };
    surface.iter().map(angle).sum::<f64>() / (2.0 * std::f64::consts::TAU)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Polyhedron;

    #[test]
    fn a_box_winds_once_around_its_inside() {
        let solid = Polyhedron::cuboid(DVec3::ONE).triangles();
        assert!((winding(&solid, DVec3::new(0.3, 0.2, -0.9)) - 1.0).abs() < 1e-12);
        assert!(winding(&solid, DVec3::new(1.3, 0.2, -0.9)).abs() < 1e-12);
        let apart = Polyhedron::cuboid(DVec3::ONE).mapped(|p| p + DVec3::new(2.5, 0.1, 0.2)).triangles();
        assert!((distance(&solid, &apart) - 0.5).abs() < 1e-12);
        let touching = Polyhedron::cuboid(DVec3::ONE).mapped(|p| p + DVec3::new(2.0, 0.1, 0.2)).triangles();
        assert_eq!(distance(&solid, &touching), 0.0);
    }
}
