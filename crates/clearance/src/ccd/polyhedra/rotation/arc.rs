//! A step of a rotation: where it takes points, and their heights above planes.

use glam::DVec3;

use crate::ccd::polyhedra::posed::Posed;
use crate::ccd::polyhedra::wave::Wave;
use crate::tolerance::ARC_NOISE;

/// A step of a rotation in the world's frame.
#[derive(Clone, Copy)]
pub(in super::super) struct Arc {
    pub axis: DVec3,
    pub origin: DVec3,
    /// tan of half the angle.
    pub limit: f64,
}

impl Arc {
    /// The parts of a point that go with the cosine and the sine.
    pub fn parts(&self, p: DVec3) -> [DVec3; 2] {
        let arm = p - self.origin;
        let sine = self.axis.cross(arm);
        [sine.cross(self.axis), sine]
    }

    /// The point at r = tan(α/2).
    pub fn at(&self, p: DVec3, r: f64) -> DVec3 {
        let [cosine, sine] = self.parts(p);
        p + (sine * (2.0 * r) - cosine * (2.0 * r * r)) / (1.0 + r * r)
    }

    /// The direction at r.
    pub fn direction_at(&self, v: DVec3, r: f64) -> DVec3 {
        Self { origin: DVec3::ZERO, ..*self }.at(v, r)
    }

    pub fn reversed(&self) -> Self {
        Self { axis: -self.axis, ..*self }
    }

    pub fn velocity(&self, p: DVec3) -> DVec3 {
        self.axis.cross(p - self.origin)
    }

    /// The height of a turning point above a plane.
    pub fn height(&self, p: DVec3, normal: DVec3, offset: f64) -> Wave {
        let [cosine, sine] = self.parts(p).map(|part| normal.dot(part));
        // A point on the axis, or that turns in the plane, stays where it is: rounding must not hold it there.
        let noise = ARC_NOISE * (p.abs().max_element() + self.origin.abs().max_element());
        let still = cosine.abs() + sine.abs() <= noise;
        let [cosine, sine] = if still { [0.0; 2] } else { [cosine, sine] };
        Wave { start: normal.dot(p) - offset, cosine, sine }
    }
}

impl Posed {
    /// Turns everything on by an angle.
    pub(super) fn turn(&mut self, about: &Arc, angle: f64) {
        if angle == 0.0 {
            return;
        }
        let quaternion = glam::DQuat::from_axis_angle(about.axis, angle);
        self.points.iter_mut().for_each(|p| *p = about.origin + quaternion * (*p - about.origin));
        for (normal, offset) in self.normals.iter_mut().zip(&mut self.offsets) {
            let on_plane = *normal * *offset;
            *normal = quaternion * *normal;
            *offset = normal.dot(about.origin + quaternion * (on_plane - about.origin));
        }
        self.into.iter_mut().flatten().for_each(|v| *v = quaternion * *v);
    }
}
