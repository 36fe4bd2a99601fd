//! Whether two polyhedra at rest go through each other, or one is in the other, and by how much.

use glam::DVec3;

use super::bounds::{Bounds, greater, lesser};
use super::frame::Frame;
use super::parts::{Corner, Edge, Face, Fill, fan_crossings};
use super::polyhedron::Polyhedron;
use super::posed::Posed;
use super::sides::{Side, side};
use crate::math::predicates::orient3d;
use crate::tolerance::LONGEST_INSET;

/// The body somewhere in the world's frame, and the world's polygons near it.
pub(super) struct Meeting<'a> {
    pub world: &'a Polyhedron,
    pub body: &'a Polyhedron,
    pub frame: &'a Frame,
    pub posed: &'a mut Posed,
    pub near: &'a mut Vec<u32>,
    /// By how much the body is drawn in where it has the room.
    pub drawn_in: f64,
    /// Features of the body with at least this room at all their points are not looked at.
    pub least_room: f64,
}

impl Meeting<'_> {
    pub fn is_deep(&mut self, zone: f64) -> bool {
        self.place(DVec3::ZERO, zone);
        let drawn_in = self.goes_through(0.0) || self.is_inside(zone);
        self.place(DVec3::ZERO, 0.0);
        // A corner of faces that face all ways may be drawn out of some of them: the body itself has to meet the world too.
        if drawn_in && (self.goes_through(0.0) || self.is_inside(zone) || self.shares_a_middle(zone)) {
            return true;
        }
        // What has room was looked at drawn in: as it is, it may touch along all its sides, where seams have no margin.
        self.least_room = zone;
        let goes_through = self.goes_through(zone);
        self.least_room = f64::INFINITY;
        goes_through || self.thin_middles(zone).any(|p| self.is_deep_inside(p, zone))
    }

    /// Whether the body is certainly in no overlap, by a cheap look: every polygon near it is apart from it.
    pub fn is_clear(&mut self, zone: f64) -> bool {
        let Self { world, body, posed, frame, near, .. } = self;
        posed.place(body, frame.turn, frame.shift, 0.0);
        near.clear();
        let around = Bounds::of(posed.points.iter().copied()).grown(2.0 * zone);
        world.tree.overlapping(&around.node_box(), |face| near.push(face));
        near.iter().all(|&face| is_apart(world, &world.faces[face as usize], body, posed, zone))
            && is_outside(world, body, zone, |v| posed.points[v as usize])
    }

    /// Puts the body that far from where it is, drawn in by so much, and finds the polygons near it.
    pub fn place(&mut self, by: DVec3, shrink: f64) {
        self.drawn_in = shrink.max(0.0);
        self.posed.place(self.body, self.frame.turn, self.frame.shift + by, shrink);
        self.posed.sweep(self.body, 0.0, |p| Bounds { min: p, max: p });
        self.near.clear();
        let whole = self.posed.whole.unwrap_or(Bounds::EMPTY);
        self.world.tree.overlapping(&whole.node_box(), |face| self.near.push(face));
    }

    fn has_room(&self, point: u32, for_this: f64) -> bool {
        self.body.rooms[point as usize] >= for_this
    }

    /// The margin of a feature of the body: at least what it could not be drawn in by.
    fn margin(&self, base: f64, mut points: impl Iterator<Item = u32>) -> f64 {
        if points.all(|v| self.has_room(v, self.drawn_in)) { base } else { base.max(self.drawn_in) }
    }

    /// Whether the surfaces go through each other, by more than the margin.
    pub fn goes_through(&self, margin: f64) -> bool {
        self.pierced(margin).next().is_some()
    }

    /// The world's polygons that the body's surface goes through.
    pub fn pierced(&self, margin: f64) -> impl Iterator<Item = u32> + '_ {
        self.near.iter().copied().filter(move |&index| {
            let face = &self.world.faces[index as usize];
            !is_apart(self.world, face, self.body, self.posed, 0.0)
                && (self.body_pierces(face, margin) || self.face_pierces(face, margin))
        })
    }

    /// Whether a piece of one is in the solid of the other, if their surfaces do not go through each other.
    pub fn is_inside(&self, zone: f64) -> bool {
        let mut flush = false;
        let mut holds = |answer: Option<bool>| {
            flush |= answer.is_none();
            answer == Some(true)
        };
        let anchors = self.body.anchors.iter().filter(|&&v| self.has_room(v, self.drawn_in));
        let mut own = anchors.map(|&v| self.world.contains(self.posed.points[v as usize]));
        if own.any(&mut holds) || self.body_contains_a_piece(&mut holds) {
            return true;
        }
        // A point in the other's surface does not tell. The middles of polygons do, those of flush ones from a little within.
        flush
            && (self.middles(0.5 * zone).any(|p| self.world.contains(p) == Some(true)) || self.body_contains_a_middle())
    }

    /// Whether a point a little below the middle of a polygon of one is in the solid of the other. What reaches from a side of the other to the one
    /// opposite has corners that rounding puts outside, and polygons are pushed out to their outermost corner: neither tells then.
    fn shares_a_middle(&self, zone: f64) -> bool {
        let within = 0.5 * zone;
        let of_world = self.near.iter().map(|&index| &self.world.faces[index as usize]);
        let mut of_world =
            of_world.map(|face| middle(self.world.loop_of(face), &self.world.points) - face.normal * within);
        self.middles(within).any(|p| self.world.contains(p) == Some(true))
            || of_world.any(|p| self.body_contains(p) == Some(true))
    }

    fn body_contains_a_piece(&self, mut holds: impl FnMut(Option<bool>) -> bool) -> bool {
        let whole = self.posed.whole.unwrap_or(Bounds::EMPTY);
        let roomy = self.body.anchors.iter().any(|&v| self.has_room(v, self.drawn_in));
        if self.body.fill == Fill::Nowhere || !roomy {
            return false;
        }
        // What is not near a room is in the rock around it.
        if self.body.fill == Fill::Outside && !whole.contains(&self.world.bounds) {
            return true;
        }
        let mut found = false;
        self.world.anchor_tree.overlapping(&whole.node_box(), |index| {
            let anchor = self.world.anchors[index as usize];
            found = found || holds(self.body_contains(self.world.points[anchor as usize]));
        });
        found
    }

    fn body_contains_a_middle(&self) -> bool {
        self.near.iter().any(|&index| {
            let corners = self.world.loop_of(&self.world.faces[index as usize]);
            self.body_contains(middle(corners, &self.world.points)) == Some(true)
        })
    }

    /// Whether a point is in the body's solid as it is placed; nothing if it is on its surface.
    fn body_contains(&self, p: DVec3) -> Option<bool> {
        let mut winding = 0;
        for (face, bounds) in self.body.faces.iter().zip(&self.posed.face_boxes) {
            let above = p.z <= bounds.max.z && p.truncate().cmpge(bounds.min.truncate()).all();
            if above && p.truncate().cmple(bounds.max.truncate()).all() {
                winding += fan_crossings(self.body.loop_of(face), &self.posed.points, p)?;
            }
        }
        Some(self.body.fill.holds(winding))
    }

    /// The middles of the body's polygons, moved in by so much, where it has the room.
    fn middles(&self, within: f64) -> impl Iterator<Item = DVec3> + '_ {
        let faces = self.body.faces.iter().zip(&self.posed.normals);
        let roomy = faces.filter(move |(face, _)| self.face_has_room(face, self.drawn_in));
        roomy.map(move |(face, normal)| middle(self.body.loop_of(face), &self.posed.points) - *normal * within)
    }

    /// The middles of polygons where the body has no room for the zone; its points if there are no polygons.
    fn thin_middles(&self, zone: f64) -> impl Iterator<Item = DVec3> + '_ {
        let thin = self.body.faces.iter().filter(move |face| !self.face_has_room(face, zone));
        let of_faces = thin.map(move |face| middle(self.body.loop_of(face), &self.posed.points));
        let points = if self.body.faces.is_empty() { self.posed.points.as_slice() } else { &[] };
        of_faces.chain(points.iter().copied())
    }

    fn face_has_room(&self, face: &Face, for_this: f64) -> bool {
        self.body.loop_of(face).iter().all(|corner| self.has_room(corner.point, for_this))
    }

    /// Whether a point is in the world's solid and not near its surface, but for polygons with solid on both sides.
    fn is_deep_inside(&self, p: DVec3, zone: f64) -> bool {
        let is_solid = |p: DVec3| self.world.contains(p) == Some(true);
        let (mut deep, mut near_some) = (true, false);
        let around = Bounds { min: p, max: p }.grown(zone);
        self.world.tree.overlapping(&around.node_box(), |index| {
            let face = &self.world.faces[index as usize];
            let height = face.normal.dot(p) - face.offset;
            if deep && height.abs() <= zone && self.world.depth_across(face, p) >= -zone {
                let beside = face.normal * (2.0 * zone);
                (deep, near_some) = (is_solid(p + beside) && is_solid(p - beside), true);
            }
        });
        deep && (near_some || is_solid(p))
    }

    /// Whether an edge of the body goes through the world's polygon.
    fn body_pierces(&self, face: &Face, margin: f64) -> bool {
        let (world, posed) = (self.world, &*self.posed);
        let bounds = Bounds::of(world.loop_of(face).iter().map(|c| world.points[c.point as usize]));
        let sides = |segment: [DVec3; 2], margin: f64| {
            world.loop_of(face).iter().all(|corner| {
                let edge = &world.edges[corner.edge as usize];
                let line = edge.ends.map(|v| world.points[v as usize]);
                is_within(segment, line, corner, beside(edge, margin))
            })
        };
        self.body.edges.iter().zip(&posed.edge_boxes).any(|(edge, edge_box)| {
            let ends = edge.ends.map(|v| posed.points[v as usize]);
            let margin = || self.margin(margin, edge.ends.into_iter());
            edge_box.overlaps(&bounds)
                && !edge.ends.iter().all(|&v| self.has_room(v, self.least_room))
                && goes_through(ends, face.normal, face.offset, margin(), sides)
        })
    }

    /// Whether an edge of the world's polygon goes through a polygon of the body.
    fn face_pierces(&self, face: &Face, margin: f64) -> bool {
        let (world, body, posed) = (self.world, self.body, &*self.posed);
        world.loop_of(face).iter().any(|corner| {
            let ends = world.edges[corner.edge as usize].ends.map(|v| world.points[v as usize]);
            let bounds = Bounds::of(ends);
            body.faces.iter().enumerate().any(|(index, own)| {
                let sides = |segment: [DVec3; 2], margin: f64| {
                    body.loop_of(own).iter().all(|corner| {
                        let edge = &body.edges[corner.edge as usize];
                        let line = edge.ends.map(|v| posed.points[v as usize]);
                        is_within(segment, line, corner, beside(edge, margin))
                    })
                };
                let margin = || self.margin(margin, body.loop_of(own).iter().map(|corner| corner.point));
                posed.face_boxes[index].overlaps(&bounds)
                    && !self.face_has_room(own, self.least_room)
                    && goes_through(ends, posed.normals[index], posed.offsets[index], margin(), sides)
            })
        })
    }
}

fn middle(corners: &[Corner], points: &[DVec3]) -> DVec3 {
    corners.iter().map(|corner| points[corner.point as usize]).sum::<DVec3>() / corners.len() as f64
}

/// Whether a body that goes through no polygon is in no overlap: a point of each of its pieces is out of the world's solid. No piece of
/// the world is in the body, since its polygons would not be apart from the body. Not certain of rooms, of bodies with thin parts and of
/// worlds of points.
pub(super) fn is_outside(world: &Polyhedron, body: &Polyhedron, zone: f64, place: impl Fn(u32) -> DVec3) -> bool {
    body.fill != Fill::Outside
        && (body.fill == Fill::Nowhere || !world.faces.is_empty())
        && body.rooms.iter().all(|room| *room >= zone)
        && (world.fill == Fill::Nowhere || body.anchors.iter().all(|&v| world.contains(place(v)) == Some(false)))
}

/// Whether the body and a polygon of the world are apart along the normal of the polygon or, if the body is convex, of one of its
/// own, by more than a body is moved when it is drawn in by the zone.
pub(super) fn is_apart(world: &Polyhedron, face: &Face, body: &Polyhedron, posed: &Posed, zone: f64) -> bool {
    let slack = 2.0 * LONGEST_INSET * zone;
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for p in &posed.points {
        let height = face.normal.dot(*p);
        (lowest, highest) = (lesser(height, lowest), greater(height, highest));
    }
    if lowest - face.offset > slack || highest - face.offset < -slack {
        return true;
    }
    let lowest_corner = |normal: &DVec3| {
        world.loop_of(face).iter().fold(f64::INFINITY, |least, corner| lesser(normal.dot(corner.place), least))
    };
    let mut planes = posed.normals.iter().zip(&posed.offsets);
    body.convex && planes.any(|(normal, offset)| lowest_corner(normal) - offset > slack)
        || is_beside(world, face, posed, slack)
}

/// Whether all of the body is beyond one side of the polygon, by more than the slack.
fn is_beside(world: &Polyhedron, face: &Face, posed: &Posed, slack: f64) -> bool {
    let corners = world.loop_of(face);
    let nexts = corners.iter().skip(1).chain(corners.first());
    corners.iter().zip(nexts).any(|(corner, next)| {
        let outward = (next.place - corner.place).cross(face.normal);
        let least = slack * outward.length();
        let nearest = posed.points.iter().fold(f64::INFINITY, |nearest, p| lesser(outward.dot(*p), nearest));
        nearest - outward.dot(corner.place) > least
    })
}

/// The margin sideways at an edge: none where the surface goes on beyond it, flat or rising, or a seam would hide what goes through it.
fn beside(edge: &Edge, margin: f64) -> f64 {
    if edge.seam { 0.0 } else { margin }
}

/// Whether a segment passes the line of a polygon's edge on the side of the polygon, by more than a margin. Without one, exactly or
/// on the border: an error of the sign would grow with how nearly parallel they are, and reach what only touches.
fn is_within(segment: [DVec3; 2], line: [DVec3; 2], corner: &Corner, margin: f64) -> bool {
    let [upper, lower] = segment;
    if margin > 0.0 {
        return match side(upper, lower - upper, line, margin) {
            Side::Left => corner.side == 0,
            Side::Right => corner.side != 0,
            Side::Either => false,
        };
    }
    let left = orient3d(upper, lower, line[0], line[1]);
    if corner.side == 0 { left >= 0.0 } else { left <= 0.0 }
}

/// Whether a segment goes through a plane by more than the margin and, seen along it, between the polygon's edges.
fn goes_through(
    ends: [DVec3; 2],
    normal: DVec3,
    offset: f64,
    margin: f64,
    sides: impl Fn([DVec3; 2], f64) -> bool,
) -> bool {
    let heights = ends.map(|p| normal.dot(p) - offset);
    let [upper, lower] = if heights[0] > heights[1] { ends } else { [ends[1], ends[0]] };
    heights[0].max(heights[1]) > margin && heights[0].min(heights[1]) < -margin && sides([upper, lower], margin)
}
