//! Moving edges against resting edges (sections 2.3 and 3.2).

use glam::DVec3;

use super::super::sides::Side;
use super::stretch::Stretch;
use super::sweep::{Passed, Sweep, stopped};
use crate::ccd::polyhedra::answer::Feature;
use crate::ccd::polyhedra::bounds::Bounds;
use crate::ccd::polyhedra::first::Contact;
use crate::ccd::polyhedra::parts::NONE;
use crate::math::exact::Pair3;
use crate::tolerance::CROSS_ERROR;

impl Sweep<'_> {
    /// An edge of the world against the body's edges; the polygon that it was found by may face away. The edge itself, which is
    /// elsewhere in memory, is looked at only if the shadows cross.
    pub(super) fn edge_on_body(&mut self, theirs: &Passed, hidden: bool) {
        let (world, shadows) = (self.world, self.shadows);
        if self.shortcuts.back_edges && hidden {
            let edge = &world.edges[theirs.index as usize];
            let leads = |&face: &u32| face == NONE || world.faces[face as usize].normal.dot(self.way) < 0.0;
            if !edge.has_no_back() && !edge.polygons.iter().any(leads) {
                self.counts.back_edges += 1;
                return;
            }
        }
        shadows.edges_near(&theirs.shadow, |own, bounds| {
            if shadows.reach(bounds, &theirs.shadow, self.first.limit) {
                self.counts.edge_edge += 1;
                if self.shadows_cross(own, theirs) {
                    let entry = shadows.entry(bounds, &theirs.shadow);
                    self.edge_on_edge(own, theirs.index, entry);
                }
            }
        });
    }

    /// Whether two edges may pass each other between their ends.
    fn shadows_cross(&mut self, own: u32, theirs: &Passed) -> bool {
        let same = |a: Side, b: Side| a == b && a != Side::Either;
        let ([a, b], [c, d]) = (self.body.edges[own as usize].ends, theirs.ends);
        let (index, line) = (theirs.index, theirs.line);
        !same(self.world_side(index, line, a), self.world_side(index, line, b))
            && !same(self.body_side(own, c, line[0]), self.body_side(own, d, line[1]))
    }

    fn edge_on_edge(&mut self, own: u32, other: u32, entry: f64) {
        let (edge, theirs) = (&self.body.edges[own as usize], &self.world.edges[other as usize]);
        let ([a, b], [c, d]) = (edge.ends, theirs.ends);
        let ends = [self.posed.points[a as usize], self.posed.points[b as usize]];
        let fixed = [self.world.points[c as usize], self.world.points[d as usize]];
        let into = &self.posed.into[own as usize];
        let wedges = [theirs.wedge, edge.wedge];
        if is_beside([ends, fixed], -self.way, [&theirs.into, into], wedges) {
            return;
        }
        let Some(normal) = across(ends, fixed, -self.way, self.zone) else { return };
        if !is_between(normal, &theirs.into, wedges[0]) || !is_between(-normal, into, wedges[1]) {
            return;
        }
        let height = normal.dot(ends[0] - fixed[0]);
        let speed = normal.dot(self.way);
        if let Some(at) = stopped(height, speed, self.zone).filter(|&at| self.first.wants(at)) {
            let mut over = Stretch::of(height, speed, self.zone);
            over.crossing(ends, fixed, normal, self.way, 2.0 * self.zone);
            let Some(crossed) = over.start() else { return };
            let bounds = Bounds::of(fixed);
            let at = at.max(crossed).max(entry).max(self.swept.entry(bounds.min, bounds.max));
            let moved = ends.map(|p| p + self.way * at);
            let features = [Feature::Edge(other), Feature::Edge(own)];
            self.first.offer(Contact { at, normal, point: crossing(moved, fixed), features });
        }
    }
}

/// Whether the direction across two edges is certainly not out of both wedges, in plain doubles with their error.
fn is_beside(
    [own, fixed]: [[DVec3; 2]; 2],
    towards: DVec3,
    [theirs, into]: [&[DVec3; 2]; 2],
    wedges: [f64; 2],
) -> bool {
    let (u, w) = (own[1] - own[0], fixed[1] - fixed[0]);
    let normal = u.cross(w);
    let size = u.length() * w.length();
    let [of_theirs, of_own] = wedges.map(|wedge| wedge * normal.length() + CROSS_ERROR * size);
    let facing = normal.dot(towards);
    let normal = if facing < 0.0 { -normal } else { normal };
    let is_certain = facing.abs() > CROSS_ERROR * size * towards.length();
    is_certain && (theirs.iter().any(|v| normal.dot(*v) > of_theirs) || into.iter().any(|v| normal.dot(*v) < -of_own))
}

/// The unit vector across two edges that does not point against the given direction; none if they are parallel to within a fraction of the zone: then
/// the end of one is as near to the other as the edges are, and meets a polygon beside it.
pub(in super::super) fn across(own: [DVec3; 2], fixed: [DVec3; 2], towards: DVec3, zone: f64) -> Option<DVec3> {
    let (u, w) = (Pair3::difference(own[1], own[0]), Pair3::difference(fixed[1], fixed[0]));
    let normal = u.cross(&w).round();
    let length = normal.length();
    // |u × w| over the longer of the two: how far apart the shorter one's ends are across the other.
    if !(length > 0.25 * zone * u.round().length().max(w.round().length())) {
        return None;
    }
    let normal = normal / length;
    Some(if normal.dot(towards) < 0.0 { -normal } else { normal })
}

/// Whether a plane with this normal along an edge has the polygons beside the edge below it, or above it by no more than a sine.
pub(in super::super) fn is_between(normal: DVec3, into: &[DVec3; 2], wedge: f64) -> bool {
    into.iter().all(|v| normal.dot(*v) <= wedge)
}

/// Where the first edge passes the second one, on the second: the place nearest to where the first is nearest to the other's line, so that of
/// edges that are all but parallel it is beside both, not beyond the end of one.
pub(in super::super) fn crossing(own: [DVec3; 2], fixed: [DVec3; 2]) -> DVec3 {
    let (u, w, between) = (own[1] - own[0], fixed[1] - fixed[0], fixed[0] - own[0]);
    let normal = u.cross(w);
    let share = between.cross(w).dot(normal) / normal.length_squared();
    let place = own[0] + u * if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
    nearest_on(fixed, place)
}

/// The point of an edge nearest to a point.
pub(in super::super) fn nearest_on([from, to]: [DVec3; 2], point: DVec3) -> DVec3 {
    let along = to - from;
    let share = (point - from).dot(along) / along.length_squared();
    from + along * share.clamp(0.0, 1.0)
}

/// Whether the line through `fixed` passes between the ends of the first edge, seen along the normal.
fn spans(ends: [DVec3; 2], fixed: [DVec3; 2], normal: DVec3, margin: f64) -> bool {
    let beside = normal.cross((fixed[1] - fixed[0]).normalize_or_zero());
    let [first, second] = ends.map(|p| beside.dot(p - fixed[0]));
    first.min(second) <= margin && first.max(second) >= -margin
}

/// Whether two edges cross between the ends of both, seen along the normal, or as near to that as the margin.
pub(in super::super) fn cross_within(own: [DVec3; 2], fixed: [DVec3; 2], normal: DVec3, margin: f64) -> bool {
    spans(own, fixed, normal, margin) && spans(fixed, own, normal, margin)
}
