//! The features of the world against those of a body that moves straight, one polygon after the other.

use glam::DVec3;

use super::shadow::Shadows;
use super::stretch::Stretch;
use crate::bvh::SweptBox;
use crate::ccd::polyhedra::answer::Feature;
use crate::ccd::polyhedra::bounds::Bounds;
use crate::ccd::polyhedra::candidates::Candidates;
use crate::ccd::polyhedra::first::{Contact, First};
use crate::ccd::polyhedra::parts::{Corner, Face};
use crate::ccd::polyhedra::polyhedron::Polyhedron;
use crate::ccd::polyhedra::posed::Posed;
use crate::ccd::polyhedra::shortcuts::{CastCounts, Shortcuts};
use crate::ccd::polyhedra::sides::{Side, SideCache, side_across};
use crate::tolerance::{EDGE_WEDGE, SIDE_MARGIN};

/// Where something at a height above a plane that moves by `speed` along its normal is stopped: it comes below half the zone, or is
/// below it already and goes deeper.
#[inline]
pub(super) fn stopped(height: f64, speed: f64, zone: f64) -> Option<f64> {
    let half = 0.5 * zone;
    if !(speed < 0.0) || height < -zone || (height >= half && height + speed >= half) {
        return None;
    }
    Some(((zone - height) / speed).max(0.0))
}

pub(super) struct Sweep<'a> {
    pub world: &'a Polyhedron,
    pub body: &'a Polyhedron,
    pub posed: &'a Posed,
    pub found: &'a mut Candidates,
    pub shadows: &'a Shadows,
    /// Signs of the world's edges and the body's points, and of the body's edges and the world's points.
    pub sides: &'a mut [SideCache; 2],
    /// The body's box, grown by two zones, on its way.
    pub swept: SweptBox,
    pub way: DVec3,
    pub zone: f64,
    /// Of a shadow's place.
    pub error: f64,
    pub first: First,
    pub counts: CastCounts,
    pub shortcuts: Shortcuts,
}

impl Sweep<'_> {
    /// A polygon of the world on the way, with those of its points and edges that were not seen before; says how far to look on.
    pub fn visit(&mut self, index: u32) -> f64 {
        self.counts.candidates += 1;
        let world = self.world;
        let face = &world.faces[index as usize];
        if self.shortcuts.leave_out(face.sight) {
            self.counts.covered_faces += 1;
            return self.first.limit;
        }
        let speed = face.normal.dot(self.way);
        let hidden = !(speed < 0.0);
        if hidden && !face.has_rim && self.shortcuts.back_faces && self.shortcuts.back_edges {
            self.counts.back_faces += 1;
            return self.first.limit;
        }
        let mut places = std::mem::take(&mut self.found.corners);
        self.visit_corners(index, face, speed, &mut places);
        self.found.corners = places;
        self.first.limit
    }

    /// The same, with room for the shadows of the corners.
    fn visit_corners(&mut self, index: u32, face: &Face, speed: f64, places: &mut Vec<DVec3>) {
        let (world, shadows) = (self.world, self.shadows);
        let corners = world.loop_of(face);
        places.clear();
        let mut shadow = Bounds::EMPTY;
        for corner in corners {
            let place = shadows.of(corner.place);
            shadow = shadow.with(place);
            places.push(place);
        }
        if !shadows.reach(&shadows.whole, &shadow, self.first.limit) {
            return;
        }
        self.counts.reached += 1;
        let hidden = !(speed < 0.0);
        for (corner, &place) in corners.iter().zip(places.iter()) {
            if shadows.reach(&shadows.whole, &Bounds::point(place), self.first.limit)
                && self.found.seen.point(corner.point)
            {
                self.point_on_body(corner.point, corner.place, place, corner.blunt);
            }
        }
        for (i, corner) in corners.iter().enumerate() {
            if self.shortcuts.internal_edges && corner.internal {
                self.counts.internal_edges += u32::from(corner.side == 0);
                continue;
            }
            let line = line_of(corner, places, i);
            let shadow = Bounds::point(line[0]).with(line[1]);
            if shadows.reach(&shadows.whole, &shadow, self.first.limit) && self.found.seen.edge(corner.edge) {
                let next = &corners[if i + 1 < corners.len() { i + 1 } else { 0 }];
                let ends = if corner.side == 0 { [corner.point, next.point] } else { [next.point, corner.point] };
                self.edge_on_body(&Passed { index: corner.edge, ends, line, shadow }, hidden);
            }
        }
        if self.shortcuts.leave_out_face(face.sight) {
            self.counts.covered_faces += 1;
        } else if self.shortcuts.back_faces && hidden {
            self.counts.back_faces += 1;
        } else {
            self.points_on_face(index, face, speed, &shadow, places);
        }
    }

    /// A point of a world that has no polygons.
    pub fn visit_point(&mut self, point: u32) -> f64 {
        if self.found.seen.point(point) {
            let p = self.world.points[point as usize];
            self.point_on_body(point, p, self.shadows.of(p), false);
        }
        self.first.limit
    }

    /// Points of the body against a polygon of the world.
    fn points_on_face(&mut self, index: u32, face: &Face, speed: f64, shadow: &Bounds, places: &[DVec3]) {
        let shadows = self.shadows;
        shadows.points_near(shadow, |i| {
            let own = shadows.point_box(i);
            if !shadows.reach(&own, shadow, self.first.limit) {
                return;
            }
            self.counts.point_face += 1;
            let p = self.posed.points[i as usize];
            let height = face.normal.dot(p) - face.offset;
            let Some(at) = stopped(height, speed, self.zone).filter(|&at| self.first.wants(at)) else {
                return;
            };
            let cone = |sweep: &Self| stands_on(sweep.body, i, face.normal, &sweep.posed.points);
            if self.meets_face(height, |sweep| sweep.passes_world_face(face, i, places), cone) {
                let mut over = Stretch::of(height, speed, self.zone);
                self.world.across(face, p, self.way, |depth, speed| over.above(depth, speed, 2.0 * self.zone));
                let Some(entry) = over.start() else { return };
                let at = at.max(entry).max(shadows.entry(&own, shadow));
                let bounds = self.face_bounds(face);
                let features = [Feature::Face(index), Feature::Vertex(i)];
                self.offer(Contact { at, normal: face.normal, point: p, features }, &bounds);
            }
        });
    }

    /// A point of the world, moving backwards, against the body's polygons.
    fn point_on_body(&mut self, i: u32, p: DVec3, place: DVec3, blunt: bool) {
        if self.shortcuts.internal_points && blunt {
            self.counts.internal_points += 1;
            return;
        }
        let shadows = self.shadows;
        let at_place = Bounds::point(place);
        shadows.faces_near(&at_place, |index, own| {
            if !shadows.reach(own, &at_place, self.first.limit) {
                return;
            }
            self.counts.point_face += 1;
            let normal = self.posed.normals[index as usize];
            let height = normal.dot(p) - self.posed.offsets[index as usize];
            let speed = -normal.dot(self.way);
            let Some(at) = stopped(height, speed, self.zone).filter(|&at| self.first.wants(at)) else {
                return;
            };
            let cone = |sweep: &Self| stands_on(sweep.world, i, normal, &sweep.world.points);
            let face = &self.body.faces[index as usize];
            if self.meets_face(height, |sweep| sweep.passes_body_face(face, i, place), cone) {
                let mut over = Stretch::of(height, speed, self.zone);
                let margin = 2.0 * self.zone;
                self.posed.across(self.body, face, p, -self.way, |depth, speed| over.above(depth, speed, margin));
                let Some(entry) = over.start() else { return };
                let at = at.max(entry).max(shadows.entry(own, &at_place));
                let features = [Feature::Vertex(i), Feature::Face(index)];
                self.offer(Contact { at, normal: -normal, point: p, features }, &Bounds::point(p));
            }
        });
    }

    /// A contact with a feature of the world in a box: not before the body's box gets there. A point of the body is moved along.
    pub fn offer(&mut self, contact: Contact, bounds: &Bounds) {
        let at = contact.at.max(self.swept.entry(bounds.min, bounds.max));
        let moves = matches!(contact.features[1], Feature::Vertex(_));
        let point = if moves { contact.point + self.way * at } else { contact.point };
        self.first.offer(Contact { at, point, ..contact });
    }

    pub fn face_bounds(&self, face: &Face) -> Bounds {
        Bounds::of(self.world.loop_of(face).iter().map(|c| c.place))
    }

    /// Whether a point that reaches a polygon's plane meets the polygon. Bodies that touch exactly, edge to edge, have points on
    /// the border of polygons that they only slide along: there what is behind the point decides.
    fn meets_face(
        &mut self,
        height: f64,
        passes: impl Fn(&mut Self) -> Passage,
        stands_on: impl Fn(&Self) -> bool,
    ) -> bool {
        match passes(self) {
            Passage::Outside => false,
            Passage::Inside => true,
            Passage::Border => height >= 0.5 * self.zone || stands_on(self),
        }
    }

    /// Whether the body's point passes between the polygon's edges.
    fn passes_world_face(&mut self, face: &Face, point: u32, places: &[DVec3]) -> Passage {
        let corners = self.world.loop_of(face);
        passage(corners, |i, corner| self.world_side(corner.edge, line_of(corner, places, i), point))
    }

    fn passes_body_face(&mut self, face: &Face, point: u32, place: DVec3) -> Passage {
        let corners = self.body.loop_of(face);
        passage(corners, |_, corner| self.body_side(corner.edge, point, place))
    }

    /// The side of the world's edge, whose shadow is the line, on which the body's point passes.
    #[inline]
    pub fn world_side(&mut self, edge: u32, line: [DVec3; 2], point: u32) -> Side {
        let place = self.shadows.places[point as usize];
        let (margin, error) = (SIDE_MARGIN * self.zone, self.error);
        let table = &mut self.sides[0];
        let row = self.found.seen.edge_row(edge, || table.add_row());
        let (sign, known) = table.get(row, point as usize, || side_across(place, line, margin, error));
        self.count(known);
        sign
    }

    /// The side of the body's edge on which the world's point passes, seen against the way.
    #[inline]
    pub fn body_side(&mut self, edge: u32, point: u32, place: DVec3) -> Side {
        let (places, [from, to]) = (&self.shadows.places, self.body.edges[edge as usize].ends);
        let line = [places[to as usize], places[from as usize]];
        let (margin, error) = (SIDE_MARGIN * self.zone, self.error);
        let table = &mut self.sides[1];
        let row = self.found.seen.point_row(point, || table.add_row());
        let (sign, known) = table.get(row, edge as usize, || side_across(place, line, margin, error));
        self.count(known);
        sign
    }

    fn count(&mut self, known: bool) {
        if known {
            self.counts.shared_sides += 1;
        } else {
            self.counts.sides += 1;
        }
    }
}

/// An edge of the world as it is passed.
pub(super) struct Passed {
    pub index: u32,
    pub ends: [u32; 2],
    pub line: [DVec3; 2],
    pub shadow: Bounds,
}

/// The shadow of the edge that leaves a corner, along the edge's own direction.
#[inline]
fn line_of(corner: &Corner, places: &[DVec3], i: usize) -> [DVec3; 2] {
    let (from, to) = (places[i], places[if i + 1 < places.len() { i + 1 } else { 0 }]);
    if corner.side == 0 { [from, to] } else { [to, from] }
}

/// Where a moving point passes a polygon.
enum Passage {
    Inside,
    Outside,
    /// Nearer to an edge than rounding, and certainly outside of none.
    Border,
}

fn passage(corners: &[Corner], mut side: impl FnMut(usize, &Corner) -> Side) -> Passage {
    let mut passage = Passage::Inside;
    for (i, corner) in corners.iter().enumerate() {
        match (side(i, corner), corner.side) {
            (Side::Right, 0) | (Side::Left, 1) => return Passage::Outside,
            (Side::Either, _) => passage = Passage::Border,
            _ => {}
        }
    }
    passage
}

/// Whether all edges at a point lead away from a plane through it, to the side of its normal.
pub(in super::super) fn stands_on(solid: &Polyhedron, point: u32, normal: DVec3, points: &[DVec3]) -> bool {
    solid.around.of(point).iter().all(|&edge| {
        let ends = solid.edges[edge as usize].ends;
        let other = ends[usize::from(ends[0] == point)];
        let along = points[other as usize] - points[point as usize];
        normal.dot(along) >= -EDGE_WEDGE * along.length()
    })
}
