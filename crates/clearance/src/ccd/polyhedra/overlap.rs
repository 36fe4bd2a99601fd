//! Whether a cast starts in real overlap, deeper than the zone.
//!
//! The body is drawn in by the zone: if it still meets the world, an edge of one goes through a polygon of the other, or a whole
//! piece of one is inside the other's solid, which any one of its points tells, exactly and however many pieces of the world
//! overlap there. Or it goes through undiminished by more than the zone at its ends and sideways. Parts of a body without that much
//! room within, as a polygon, a fin or a point, are not drawn in so far: of them only what goes through by more than the zone counts,
//! or a middle of a polygon that is inside by more than that. So bodies that touch, or overlap by rounding, start free.
//!
//! The work is that of what is near: a tree finds the world's polygons and the points that stand for its pieces.

use super::answer::WayOut;
use super::escape::way_out;
use super::frame::Frame;
use super::meeting::Meeting;
use super::polyhedron::Polyhedron;
use super::scratch::CastScratch;
use crate::math::Pose;

/// A way out of the overlap at the start, if there is one; otherwise the body is left where it is, not drawn in. Whether a cheap look
/// may find that there is none is up to the caller, who may have had it.
pub(super) fn start_overlap(
    world: &Polyhedron,
    body: &Polyhedron,
    frame: &Frame,
    zone: f64,
    may_be_clear: bool,
    scratch: &mut CastScratch,
) -> Option<WayOut> {
    let CastScratch { posed, found, .. } = scratch;
    let mut meeting =
        Meeting { world, body, frame, posed, near: &mut found.faces, drawn_in: 0.0, least_room: f64::INFINITY };
    if may_be_clear && meeting.is_clear(zone) {
        return None;
    }
    meeting.is_deep(zone).then(|| way_out(&mut meeting, zone))
}

/// Whether the bodies are certainly apart at the start by some zones, by a cheap look.
pub(super) fn is_clear(
    world: &Polyhedron,
    body: &Polyhedron,
    frame: &Frame,
    zone: f64,
    scratch: &mut CastScratch,
) -> bool {
    let CastScratch { posed, found, .. } = scratch;
    Meeting { world, body, frame, posed, near: &mut found.faces, drawn_in: 0.0, least_room: f64::INFINITY }
        .is_clear(zone)
}

/// Places looked at beyond a stop for an overlap, each so many times as far as the one before.
const PLACES: i32 = 6;
const FARTHER: f64 = 4.0;

/// A share of a motion by which the bodies overlap by more than the zone, looked for from a stop on; 1 if none is found. At first it is
/// looked for where they have sunk by a few zones, at the speed they have at the stop.
pub(super) fn met_by(
    [world, body]: [&Polyhedron; 2],
    pose_w: &Pose,
    from: f64,
    per_zone: f64,
    pose: impl Fn(f64) -> Option<Pose>,
    zone: f64,
    scratch: &mut CastScratch,
) -> f64 {
    let CastScratch { posed, found, .. } = scratch;
    for place in 0..PLACES {
        let share = from + 4.0 * per_zone * FARTHER.powi(place);
        let Some(there) = pose(share).filter(|_| share < 1.0) else { break };
        let frame = Frame::new(pose_w, &there);
        let mut meeting = Meeting {
            world,
            body,
            frame: &frame,
            posed,
            near: &mut found.faces,
            drawn_in: 0.0,
            least_room: f64::INFINITY,
        };
        if meeting.is_deep(zone) {
            return share;
        }
    }
    1.0
}
