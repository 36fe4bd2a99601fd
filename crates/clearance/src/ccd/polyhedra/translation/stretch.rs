//! The part of a way on which features are over each other, seen along the normal of their contact. All distances across are linear in
//! the share of the way, so that it is one stretch.

use glam::DVec3;

use crate::ccd::polyhedra::parts::Face;
use crate::ccd::polyhedra::polyhedron::Polyhedron;
use crate::ccd::polyhedra::posed::Posed;

/// Shares of a way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    from: f64,
    to: f64,
}

impl Stretch {
    /// The way until something that is at a height and sinks is through the plane by the zone.
    pub fn of(height: f64, speed: f64, zone: f64) -> Self {
        Self { from: 0.0, to: ((-zone - height) / speed).clamp(0.0, 1.0) }
    }

    /// Cuts off where a distance that grows at some speed is below minus the margin.
    pub fn above(&mut self, distance: f64, speed: f64, margin: f64) {
        let at = (-margin - distance) / speed;
        if speed > 0.0 {
            self.from = self.from.max(at);
        } else if speed < 0.0 {
            self.to = self.to.min(at);
        } else if distance < -margin {
            self.to = f64::NEG_INFINITY;
        }
    }

    /// Where it begins; none if there is none.
    pub fn start(&self) -> Option<f64> {
        (self.from <= self.to).then_some(self.from)
    }

    /// Cuts off where two edges do not cross, seen along the normal; both ways round.
    pub fn crossing(&mut self, own: [DVec3; 2], fixed: [DVec3; 2], normal: DVec3, way: DVec3, margin: f64) {
        self.spans(own, fixed, normal, way, margin);
        self.spans(fixed, own, normal, -way, margin);
    }

    /// Cuts off where the moving ends are both on one side of a line.
    fn spans(&mut self, ends: [DVec3; 2], line: [DVec3; 2], normal: DVec3, way: DVec3, margin: f64) {
        let beside = normal.cross((line[1] - line[0]).normalize_or_zero());
        let [one, two] = ends.map(|p| beside.dot(p - line[0]));
        let speed = beside.dot(way);
        self.above(one.max(two), speed, margin);
        self.above(-one.min(two), -speed, margin);
    }
}

impl Polyhedron {
    /// The depths of a moving point within the sides of a polygon, and how fast they grow.
    pub(super) fn across(&self, face: &Face, p: DVec3, way: DVec3, mut side: impl FnMut(f64, f64)) {
        for corner in self.loop_of(face) {
            let into = self.edges[corner.edge as usize].into[corner.side as usize];
            side(into.dot(p - self.points[corner.point as usize]), into.dot(way));
        }
    }
}

impl Posed {
    /// The same for a polygon of the body.
    pub(super) fn across(&self, body: &Polyhedron, face: &Face, p: DVec3, way: DVec3, mut side: impl FnMut(f64, f64)) {
        for corner in body.loop_of(face) {
            let into = self.into[corner.edge as usize][corner.side as usize];
            side(into.dot(p - self.points[corner.point as usize]), into.dot(way));
        }
    }
}
