//! The features of the world against those of a body that turns, a piece of its arc after the other.

use glam::DVec3;

use super::arc::Arc;
use super::rings::{Ring, Rings};
use crate::ccd::polyhedra::answer::Feature;
use crate::ccd::polyhedra::bounds::Bounds;
use crate::ccd::polyhedra::candidates::Candidates;
use crate::ccd::polyhedra::first::{Contact, First};
use crate::ccd::polyhedra::parts::{Face, NONE};
use crate::ccd::polyhedra::polyhedron::Polyhedron;
use crate::ccd::polyhedra::posed::Posed;
use crate::ccd::polyhedra::shortcuts::{CastCounts, Shortcuts};
use crate::ccd::polyhedra::translation::stands_on;
use crate::ccd::polyhedra::wave::{Low, last_before};
use crate::tolerance::SIDE_MARGIN;

/// A step of a rotation as it is looked at.
pub(super) struct Sweep<'a> {
    pub world: &'a Polyhedron,
    pub body: &'a Polyhedron,
    pub posed: &'a Posed,
    pub found: &'a mut Candidates,
    pub rings: &'a Rings,
    pub about: Arc,
    pub zone: f64,
    pub first: First,
    pub counts: &'a mut CastCounts,
    pub shortcuts: Shortcuts,
}

/// Boxes along a step at most.
const MOST_PIECES: f64 = 64.0;
/// The length of a piece of the arc, relative to the body's box.
const PIECE_LENGTH: f64 = 0.5;

impl Sweep<'_> {
    /// Looks at the world along the step, a piece at a time, until the first contact.
    pub fn pieces(&mut self, angle: f64) {
        let start = Bounds::of(self.posed.points.iter().copied());
        let radius = self.rings.whole.radius();
        let wanted = radius * angle / (PIECE_LENGTH * (start.max - start.min).max_element());
        let count = if wanted > 0.0 { wanted.ceil().min(MOST_PIECES) } else { 1.0 };
        // An arc is as far from its chord as this at most.
        let bulge = radius * (1.0 - (0.5 * angle / count).cos()) + 2.0 * self.zone;
        let tangent = |piece: f64| (0.5 * angle * piece / count).tan();
        let at = |sweep: &Self, r: f64| Bounds::of(sweep.posed.points.iter().map(|&p| sweep.about.at(p, r)));
        let ends = start.union(at(self, self.about.limit));
        let whole = ends.grown(radius * (1.0 - (0.5 * angle).cos()) + 2.0 * self.zone);
        if !self.world.has_any_in(&whole.node_box()) {
            return;
        }
        let mut before = start;
        for piece in 1..=count as u32 {
            let end = tangent(f64::from(piece));
            let after = at(self, end);
            let world = self.world;
            let near = before.union(after).grown(bulge).node_box();
            if world.faces.is_empty() {
                world.anchor_tree.overlapping(&near, |anchor| self.visit_point(world.anchors[anchor as usize]));
            } else {
                world.in_box(&near, |face| self.visit(face, &whole));
            }
            if self.first.contact.is_some_and(|contact| contact.at <= end) {
                return;
            }
            before = after;
        }
    }

    /// A polygon of the world near the arc, with those of its points and edges that were not seen before.
    fn visit(&mut self, index: u32, whole: &Bounds) {
        if !self.found.seen.face(index) {
            return;
        }
        self.counts.candidates += 1;
        let (world, rings) = (self.world, self.rings);
        let face = &world.faces[index as usize];
        if self.shortcuts.leave_out(face.sight) {
            self.counts.covered_faces += 1;
            return;
        }
        let corners = world.loop_of(face);
        let nexts = corners.iter().skip(1).chain(corners.first());
        let ring = Ring::of_polygon(corners.iter().zip(nexts).map(|(a, b)| [rings.of(a.place), rings.of(b.place)]));
        if !rings.whole.overlaps(&ring) {
            return;
        }
        self.counts.reached += 1;
        self.points_on_face(index, face, &ring, whole);
        for corner in corners {
            self.visit_point(corner.point);
        }
        for corner in corners {
            if self.shortcuts.internal_edges && corner.internal {
                self.counts.internal_edges += u32::from(corner.side == 0);
            } else if self.found.seen.edge(corner.edge) {
                self.edge_on_body(corner.edge);
            }
        }
    }

    fn visit_point(&mut self, point: u32) {
        if self.found.seen.point(point) {
            self.point_on_body(point);
        }
    }

    /// Points of the body against a polygon of the world.
    fn points_on_face(&mut self, index: u32, face: &Face, ring: &Ring, whole: &Bounds) {
        if self.shortcuts.leave_out_face(face.sight) {
            self.counts.covered_faces += 1;
            return;
        }
        if self.shortcuts.back_faces && !self.is_approached(face, whole) {
            self.counts.back_faces += 1;
            return;
        }
        let rings = self.rings;
        for (i, own) in &rings.points {
            if !own.overlaps(ring) {
                continue;
            }
            self.counts.point_face += 1;
            let (about, p) = (self.about, self.posed.points[*i as usize]);
            let wave = about.height(p, face.normal, face.offset);
            if !wave.may_sink(self.zone, about.limit) {
                continue;
            }
            for low in wave.lows(self.zone, about.limit) {
                let depth = |r: f64| self.world.depth_across(face, about.at(p, r));
                let cone = || stands_on(self.body, *i, face.normal, &self.posed.points);
                if let Some(at) = self.stopped(&low, depth, cone) {
                    let features = [Feature::Face(index), Feature::Vertex(*i)];
                    self.first.offer(Contact { at, normal: face.normal, point: about.at(p, at), features });
                }
            }
        }
    }

    /// A point of the world, turning backwards, against the body's polygons.
    fn point_on_body(&mut self, i: u32) {
        if self.shortcuts.internal_points && self.world.blunt[i as usize] {
            self.counts.internal_points += 1;
            return;
        }
        let (back, rings) = (self.about.reversed(), self.rings);
        let p = self.world.points[i as usize];
        let ring = Ring::of_point(rings.of(p));
        for (index, own) in &rings.faces {
            if !own.overlaps(&ring) {
                continue;
            }
            self.counts.point_face += 1;
            let (normal, offset) = (self.posed.normals[*index as usize], self.posed.offsets[*index as usize]);
            let wave = back.height(p, normal, offset);
            if !wave.may_sink(self.zone, back.limit) {
                continue;
            }
            let face = &self.body.faces[*index as usize];
            for low in wave.lows(self.zone, back.limit) {
                let depth = |r: f64| self.posed.depth_across(self.body, face, back.at(p, r));
                let cone = || stands_on(self.world, i, normal, &self.world.points);
                if let Some(at) = self.stopped(&low, depth, cone) {
                    let features = [Feature::Vertex(i), Feature::Face(*index)];
                    let normal = -self.about.direction_at(normal, at);
                    self.first.offer(Contact { at, normal, point: p, features });
                }
            }
        }
    }

    /// Where a point that is low on a stretch of its arc is stopped, if that is above the polygon: where it came into the zone, or
    /// from the side. At the start, what is behind a point on the border of a polygon decides whether it is on it.
    pub fn stopped(&self, low: &Low, depth: impl Fn(f64) -> f64, stands_on: impl Fn() -> bool) -> Option<f64> {
        if !self.first.wants(low.report) {
            return None;
        }
        let margin = SIDE_MARGIN * self.zone;
        let inside = depth(low.from);
        if inside >= -margin && (low.from > 0.0 || inside > margin || stands_on()) {
            return Some(low.report);
        }
        let above = |r: f64| depth(r) >= -margin;
        (inside < -margin && above(low.to)).then(|| last_before(low.from, low.to, above))
    }

    /// Whether a point of the body may come nearer to a polygon of the world where it is above it.
    pub fn is_approached(&self, face: &Face, whole: &Bounds) -> bool {
        let closing = face.normal.cross(self.about.axis);
        let arms = self.world.loop_of(face).iter().map(|c| c.place);
        let near = Bounds::of(arms.clone()).grown(self.zone).intersection(whole);
        // The corner of the box that is least along it; a polygon is met within a zone of itself.
        let least = DVec3::select(closing.cmplt(DVec3::ZERO), near.max, near.min);
        closing != DVec3::ZERO
            && closing.dot(least - self.about.origin) < self.zone
            && arms.into_iter().any(|p| closing.dot(p - self.about.origin) < self.zone)
    }

    /// Whether some place on an edge of the world moves against a polygon beside it, seen from the body.
    pub fn edge_is_approached(&self, ends: [DVec3; 2], polygons: [u32; 2]) -> bool {
        polygons.iter().any(|&face| {
            let Some(face) = self.world.faces.get(face as usize).filter(|_| face != NONE) else { return true };
            let closing = face.normal.cross(self.about.axis);
            closing != DVec3::ZERO && ends.iter().any(|&p| closing.dot(p - self.about.origin) < self.zone)
        })
    }
}
