//! A way out of an overlap.
//!
//! Translations are tried from the shortest on: along the normals of the polygons gone through, until all of the body is in front
//! of one, or of those nearest to it if it is wholly inside; where it is not free there, as in a world of many pieces, on from there in the
//! same way. After a number of these, out of the world's box, which always is free. It ends because the tries are counted.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::answer::WayOut;
use super::bounds::Bounds;
use super::meeting::Meeting;
use super::parts::Fill;
use crate::bvh::NodeBox;
use crate::math::{Real, narrow_real};

/// Polygons whose normals are tried from one place.
const MOST_WAYS: usize = 16;
/// Places tried before the body is moved out of the world.
const MOST_TRIES: usize = 24;
/// Places that wait to be tried, the nearest.
const MOST_WAITING: usize = 32;

/// The least of something, in order, with their numbers.
type Least<const N: usize, T> = ArrayVec<(f64, T), N>;

pub(super) fn way_out(meeting: &mut Meeting, zone: f64) -> WayOut {
    let mut waiting = Least::<MOST_WAITING, DVec3>::new();
    meeting.place(DVec3::ZERO, 0.0);
    ways_from(meeting, DVec3::ZERO, zone, &mut waiting);
    let leave = leave_world(meeting, zone);
    let shortest = waiting.first().or(leave.first()).map_or(DVec3::ZERO, |&(_, by)| by);
    let out =
        |meeting: &Meeting, by: DVec3, is_free: bool| WayOut { translation: meeting.frame.direction_out(by), is_free };
    let is_free = |meeting: &mut Meeting, by: DVec3| {
        // Grown, since the place is rounded when the body is put there.
        meeting.place(by, -0.5 * zone);
        !meeting.goes_through(0.0) && !meeting.is_inside(0.5 * zone)
    };
    for _ in 0..MOST_TRIES {
        let Some((_, by)) = waiting.pop_at(0) else { break };
        if is_free(meeting, by) {
            return out(meeting, by, true);
        }
        ways_from(meeting, by, zone, &mut waiting);
    }
    for (_, by) in leave {
        if is_free(meeting, by) {
            return out(meeting, by, true);
        }
    }
    out(meeting, shortest, false)
}

/// Adds the ways that lead on from where the body is placed, `by` away from where it started.
fn ways_from(meeting: &Meeting, by: DVec3, zone: f64, waiting: &mut Least<MOST_WAITING, DVec3>) {
    let mut ways = Least::<MOST_WAYS, DVec3>::new();
    let mut add = |index: u32| {
        let face = &meeting.world.faces[index as usize];
        let way = beyond(meeting, face.normal, face.offset, zone);
        if way != DVec3::ZERO {
            insert(&mut ways, way.length_squared(), way);
        }
    };
    let mut pierced = meeting.pierced(0.0).peekable();
    if pierced.peek().is_some() {
        pierced.for_each(&mut add);
    } else {
        nearest_faces(meeting).into_iter().for_each(|(_, index)| add(index));
    }
    for (_, way) in ways {
        let way = by + way;
        insert(waiting, way.length_squared(), way);
    }
}

/// The translation that puts all of the body in front of a plane.
fn beyond(meeting: &Meeting, normal: DVec3, offset: f64, zone: f64) -> DVec3 {
    let lowest = meeting.posed.points.iter().map(|p| normal.dot(*p)).fold(f64::INFINITY, f64::min);
    normal * (offset - lowest + 2.0 * zone).max(0.0)
}

/// The ways out of the world's box, the shortest first; about a room there is only rock.
fn leave_world(meeting: &Meeting, zone: f64) -> Least<6, DVec3> {
    let mut ways = Least::new();
    let Bounds { min, max } = meeting.world.bounds;
    if meeting.world.fill != Fill::Outside {
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            for (normal, offset) in [(axis, axis.dot(max)), (-axis, -axis.dot(min))] {
                let way = beyond(meeting, normal, offset, zone);
                insert(&mut ways, way.length_squared(), way);
            }
        }
    }
    ways
}

/// The world's polygons nearest to the middle of the body.
fn nearest_faces(meeting: &Meeting) -> Least<MOST_WAYS, u32> {
    let Bounds { min, max } = meeting.posed.whole.unwrap_or(Bounds::EMPTY);
    let middle = 0.5 * (min + max);
    let world = meeting.world;
    let lower = |bounds: &NodeBox| {
        let [low, high] = [bounds.min(), bounds.max()].map(|p| DVec3::from_array(p.map(f64::from)));
        narrow_real(middle.distance(middle.clamp(low, high)))
    };
    let mut nearest = Least::new();
    world.tree.nearest(
        Real::INFINITY,
        |_, bounds| lower(bounds),
        |index, _| {
            let face = &world.faces[index as usize];
            let height = face.normal.dot(middle) - face.offset;
            // How far it is at least; which of the nearest are found does not matter much.
            insert(&mut nearest, height.abs().max(-world.depth_across(face, middle)), index);
            if nearest.is_full() {
                nearest.last().map_or(Real::INFINITY, |last| narrow_real(last.0))
            } else {
                Real::INFINITY
            }
        },
    );
    nearest
}

/// Puts something in its place by its cost; the last one makes room.
fn insert<const N: usize, T>(least: &mut Least<N, T>, cost: f64, what: T) {
    let place = least.iter().position(|(other, _)| cost < *other).unwrap_or(least.len());
    if place < N {
        if least.is_full() {
            least.pop();
        }
        least.insert(place, (cost, what));
    }
}
