//! Whether a cast starts in real overlap, deeper than the zone, and how to get out of it.
//!
//! The body is drawn in by the zone: if it still meets the world, an edge of one goes through a polygon of the other, or a whole
//! piece of one is inside the other; or it does so undiminished by more than the zone at its ends and sideways, which finds bodies
//! thinner than the zone. So bodies that touch, or overlap by rounding, start free. The way out is the shortest of the
//! translations tried that is found to be free: along the normals of the polygons gone through, until all of the body is in front
//! of them, or out of the world's box, which always is.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::CastCounts;
use super::polyhedron::{Corner, Face, Polyhedron};
use super::query::{Bounds, CastScratch, Frame, Posed};
use super::sides::{Side, side};
use crate::math::{Vec3, narrow};

/// A translation that takes a body out of an overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WayOut {
    /// By how much to move the body, in world space.
    pub translation: Vec3,
    /// Whether the body was found free there (not necessarily on the way). If none of those tried is free, as deep in the rock
    /// about a room, this is the shortest one.
    pub is_free: bool,
}

/// Normals of polygons gone through that are tried as ways out.
const MOST_WAYS: usize = 16;
/// Rays that decide together whether a point is inside: one may pass through an edge.
const RAYS: usize = 3;

/// What counts as meeting: the body drawn in by so much (grown, if negative), and through a polygon by more than a margin.
struct Reach {
    shrink: f64,
    margin: f64,
}

type Ways = ArrayVec<(DVec3, f64), MOST_WAYS>;

pub(super) fn start_overlap(
    world: &Polyhedron,
    body: &Polyhedron,
    frame: &Frame,
    zone: f64,
    scratch: &mut CastScratch,
) -> Option<WayOut> {
    let mut ways = Ways::new();
    let deep = [Reach { shrink: zone, margin: 0.0 }, Reach { shrink: 0.0, margin: zone }];
    if !deep.iter().any(|reach| meet(world, body, frame, frame.shift, reach, scratch, &mut ways)) {
        return None;
    }
    scratch.posed.place(body, frame.turn, frame.shift, 0.0);
    let points = &scratch.posed.points;
    let beyond = |normal: DVec3, offset: f64| {
        let lowest = points.iter().map(|p| normal.dot(*p)).fold(f64::INFINITY, f64::min);
        normal * (offset - lowest + 2.0 * zone).max(0.0)
    };
    if ways.is_empty() {
        nearest_faces(world, &mut ways, |face| beyond(face.normal, face.offset).length_squared());
    }
    let mut tries: ArrayVec<DVec3, { MOST_WAYS + 6 }> =
        ways.iter().map(|&(normal, offset)| beyond(normal, offset)).collect();
    let bounds = Bounds::of(world.points.iter().copied());
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        tries.push(beyond(axis, axis.dot(bounds.max)));
        tries.push(beyond(-axis, -axis.dot(bounds.min)));
    }
    tries.sort_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    let mut unused = Ways::new();
    // Since the place is rounded when the body is put there.
    let grown = Reach { shrink: -0.5 * zone, margin: 0.0 };
    let mut free = |by: &&DVec3| !meet(world, body, frame, frame.shift + **by, &grown, scratch, &mut unused);
    let found = tries.iter().find(&mut free);
    let way = found.or(tries.first())?;
    Some(WayOut { translation: frame.direction_out(*way), is_free: found.is_some() })
}

/// The polygons with the least cost, for a body that is inside and goes through none.
fn nearest_faces(world: &Polyhedron, ways: &mut Ways, cost: impl Fn(&Face) -> f64) {
    let mut costs = ArrayVec::<(f64, usize), MOST_WAYS>::new();
    for (index, face) in world.faces.iter().enumerate() {
        let here = cost(face);
        let place = costs.iter().position(|&(other, _)| here < other).unwrap_or(costs.len());
        if place < MOST_WAYS && here > 0.0 {
            if costs.is_full() {
                costs.pop();
            }
            costs.insert(place, (here, index));
        }
    }
    ways.extend(costs.into_iter().map(|(_, index)| (world.faces[index].normal, world.faces[index].offset)));
}

/// Whether the body meets the world; and the polygons of the world it goes through.
fn meet(
    world: &Polyhedron,
    body: &Polyhedron,
    frame: &Frame,
    shift: DVec3,
    reach: &Reach,
    scratch: &mut CastScratch,
    ways: &mut Ways,
) -> bool {
    let CastScratch { posed, found, .. } = scratch;
    posed.place(body, frame.turn, shift, reach.shrink);
    posed.sweep(body, 0.0, |p| Bounds { min: p, max: p });
    let whole = posed.whole.unwrap_or(Bounds::EMPTY);
    found.gather(world, &whole, &mut CastCounts::default(), |_| true);
    let mut pierced = false;
    for &index in &found.faces {
        let face = &world.faces[index as usize];
        if body_pierces(world, face, body, posed, reach.margin)
            || face_is_pierced(world, face, body, posed, reach.margin)
        {
            pierced = true;
            if ways.try_push((face.normal, face.offset)).is_err() {
                break;
            }
        }
    }
    let back = |p: DVec3| frame.turn.transpose() * (p - shift);
    pierced
        || body.anchors.iter().any(|&p| contains(world, posed.points[p as usize]))
        || world.anchors.iter().any(|&p| contains(body, back(world.points[p as usize])))
}

/// Whether an edge of the body goes through the world's polygon.
fn body_pierces(world: &Polyhedron, face: &Face, body: &Polyhedron, posed: &Posed, margin: f64) -> bool {
    let bounds = Bounds::of(world.loop_of(face).iter().map(|c| world.points[c.point as usize]));
    let sides = |p: DVec3, way: DVec3| {
        world.loop_of(face).iter().all(|corner| {
            let line = world.edges[corner.edge as usize].ends.map(|v| world.points[v as usize]);
            is_inside(side(p, way, line, margin), corner, margin)
        })
    };
    body.edges.iter().zip(&posed.edge_boxes).any(|(edge, edge_box)| {
        let ends = edge.ends.map(|v| posed.points[v as usize]);
        edge_box.overlaps(&bounds) && goes_through(ends, face.normal, face.offset, margin, sides)
    })
}

/// Whether an edge of the world's polygon goes through a polygon of the body.
fn face_is_pierced(world: &Polyhedron, face: &Face, body: &Polyhedron, posed: &Posed, margin: f64) -> bool {
    world.loop_of(face).iter().any(|corner| {
        let ends = world.edges[corner.edge as usize].ends.map(|v| world.points[v as usize]);
        let bounds = Bounds::of(ends);
        body.faces.iter().enumerate().any(|(index, own)| {
            let sides = |p: DVec3, way: DVec3| {
                body.loop_of(own).iter().all(|corner| {
                    let line = body.edges[corner.edge as usize].ends.map(|v| posed.points[v as usize]);
                    is_inside(side(p, way, line, margin), corner, margin)
                })
            };
            posed.face_boxes[index].overlaps(&bounds)
                && goes_through(ends, posed.normals[index], posed.offsets[index], margin, sides)
        })
    })
}

/// Whether a side is that of the polygon's inside; without a margin, the border is.
fn is_inside(side: Side, corner: &Corner, margin: f64) -> bool {
    match side {
        Side::Left => corner.side == 0,
        Side::Right => corner.side != 0,
        Side::Either => margin == 0.0,
    }
}

/// Whether a segment goes through a plane by more than the margin and, seen along it, between the polygon's edges.
fn goes_through(
    ends: [DVec3; 2],
    normal: DVec3,
    offset: f64,
    margin: f64,
    sides: impl Fn(DVec3, DVec3) -> bool,
) -> bool {
    let heights = ends.map(|p| normal.dot(p) - offset);
    let [upper, lower] = if heights[0] > heights[1] { ends } else { [ends[1], ends[0]] };
    heights[0].max(heights[1]) > margin && heights[0].min(heights[1]) < -margin && sides(upper, lower - upper)
}

/// Whether a point is in the solid of a closed polyhedron, in its frame: rays to the middles of polygons meet the back of one first.
fn contains(solid: &Polyhedron, p: DVec3) -> bool {
    if !solid.closed {
        return false;
    }
    let at = solid.tree.bounds().to_aabb();
    if !at.contains(narrow(p)) {
        return solid.inside_out;
    }
    let count = solid.faces.len();
    let inside = (0..RAYS).filter(|i| {
        let face = &solid.faces[i * (count - 1) / (RAYS - 1)];
        let corners = solid.loop_of(face);
        let middle = corners.iter().map(|c| solid.points[c.point as usize]).sum::<DVec3>() / corners.len() as f64;
        first_is_back(solid, p, (middle - p) * 2.0)
    });
    2 * inside.count() > RAYS
}

fn first_is_back(solid: &Polyhedron, p: DVec3, way: DVec3) -> bool {
    let mut first = (1.0, solid.inside_out);
    solid.tree.along(narrow(p), narrow(way), 1.0, |index, limit| {
        let face = &solid.faces[index as usize];
        let speed = face.normal.dot(way);
        let at = (face.offset - face.normal.dot(p)) / speed;
        if at >= 0.0 && at < first.0 {
            // Seen from behind, the edges run the other way round.
            let way = if speed < 0.0 { way } else { -way };
            let passes = solid.loop_of(face).iter().all(|corner| {
                let line = solid.edges[corner.edge as usize].ends.map(|v| solid.points[v as usize]);
                is_inside(side(p, way, line, 0.0), corner, 0.0)
            });
            if passes {
                first = (at, speed > 0.0);
            }
        }
        limit
    });
    first.1
}
