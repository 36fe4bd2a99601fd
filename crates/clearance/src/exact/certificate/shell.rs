//! Whether a point is inside of a closed mesh, by the signed number of triangles that a ray meets.

use glam::DVec3;

use super::record::Shell;
use crate::tolerance::PROOF_MARGIN;

/// Directions of rays: no two in a plane with an axis.
const RAYS: u32 = 32;

impl Shell {
    /// The winding number about a point, with the ray that tells it; nothing if every ray passes too near to an edge.
    pub fn winding(&self, point: DVec3) -> Option<(i32, DVec3)> {
        (0..RAYS).find_map(|index| {
            let turn = f64::from(index) * std::f64::consts::TAU * 0.618;
            let height = 1.0 - (2.0 * f64::from(index) + 1.0) / f64::from(RAYS);
            let across = (1.0 - height * height).sqrt();
            let ray = DVec3::new(across * turn.cos(), across * turn.sin(), height);
            self.along(point, ray).map(|winding| (winding, ray))
        })
    }

    fn along(&self, point: DVec3, ray: DVec3) -> Option<i32> {
        self.triangles
            .iter()
            .try_fold(0, |sum, corners| Some(sum + crossing(corners.map(|corner| corner - point), ray)?))
    }
}

/// How a ray from the origin meets a triangle: 1 from behind, −1 from the front, 0 not at all; nothing if that is not certain.
fn crossing([a, b, c]: [DVec3; 3], ray: DVec3) -> Option<i32> {
    let size = a.length().max(b.length()).max(c.length());
    let sign = |volume: f64, scale: f64| {
        if volume.abs() > PROOF_MARGIN * scale { Some(if volume > 0.0 { 1 } else { -1 }) } else { None }
    };
    let sides = [a.cross(b), b.cross(c), c.cross(a)].map(|normal| sign(normal.dot(ray), size * size));
    let known = |wanted: i32| sides.contains(&Some(wanted));
    if known(1) && known(-1) {
        return Some(0);
    }
    let [Some(turn), Some(_), Some(_)] = sides else { return None };
    let ahead = sign(a.dot(b.cross(c)), size * size * size)?;
    Some(if ahead * turn > 0 { turn } else { 0 })
}
