//! Translations (sections 2.2, 2.3, 3.1, 3.2).
//!
//! Everything is looked at along the way: the shadow of a feature is its place across the way and its depth along it. Sides of lines
//! are determinants of two dimensions there, and features whose shadows have boxes apart do not meet. The world's polygons come from
//! its tree front to back, and only up to the first contact found so far.
//!
//! A contact is reported where a feature comes into the zone of another's plane, but not before the boxes of the features, grown by
//! two zones, meet: on a way that grazes, that is later, and nothing is near before. It also makes the answer independent
//! of the order in which polygons are found: one that was left out is entered only after the contact. Nor is it reported before the
//! features are over each other to within two zones, seen along the normal; a way along the plane of both is seen edge-on, and only
//! that tells whether they meet at all.

use glam::{DMat3, DVec3};

use super::answer::{Cast, TrajectoryOptions};
use super::bounds::Bounds;
use super::error::CastError;
use super::first::{Contact, First, answer};
use super::frame::Frame;
use super::meeting::{is_apart, is_outside};
use super::overlap::{met_by, start_overlap};
use super::polyhedron::Polyhedron;
use super::scratch::CastScratch;
use super::shortcuts::CastCounts;
use crate::bvh::SweptBox;
use crate::math::{Pose, Vec3, narrow, rounded_up, widen};
use crate::tolerance::SHADOW_ERROR;

mod buckets;
mod edges;
mod shadow;
mod stretch;
mod sweep;
mod witness;

pub(super) use edges::{across, cross_within, crossing, is_between, nearest_on};
pub(super) use shadow::Shadows;
use sweep::Sweep;
pub(super) use sweep::stands_on;
use witness::Passing;

/// How far the body may move along the translation before it meets the world, which rests.
///
/// # Errors
/// If the translation is not finite or leaves the range of poses, or the coordinates are too large for the precision.
///
/// ```
/// use clearance::ccd::polyhedra::{TrajectoryOptions, CastScratch, Polyhedron, cast_translation};
/// use clearance::{Polytope, Pose, Vec3};
/// let corners: Vec<Vec3> = (0..8).map(|i| Vec3::new((i & 1) as _, (i >> 1 & 1) as _, (i >> 2) as _)).collect();
/// let cube = Polyhedron::from(&Polytope::from_points(&corners)?);
/// let above = Pose::from_translation([0.25, 0.5, 3.0])?;
/// let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
/// let down = Vec3::new(0.0, 0.0, -4.0);
/// let cast = cast_translation(&cube, &Pose::IDENTITY, &cube, &above, down, &options, &mut scratch)?;
/// assert!((cast.fraction - 0.5).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_translation(
    world: &Polyhedron,
    pose_w: &Pose,
    body: &Polyhedron,
    pose_b: &Pose,
    translation: Vec3,
    options: &TrajectoryOptions,
    scratch: &mut CastScratch,
) -> Result<Cast, CastError> {
    if !translation.is_finite() {
        return Err(CastError::NotFinite);
    }
    Pose::from_translation(pose_b.translation() + translation).map_err(|_| CastError::Range)?;
    let frame = Frame::new(pose_w, pose_b);
    let way = frame.direction_in(translation);
    let zone = frame.zone(world.radius + body.radius, body.extent(), way.length(), options)?;
    let to = |fraction: f64| pose_b.moved_to(narrow(widen(pose_b.translation()) + widen(translation) * fraction));
    let straight = Straight { world, body, frame: &frame, way, zone, options };
    if way != DVec3::ZERO && straight.is_free() {
        return Ok(answer(&frame, None, 1.0, zone, to(1.0)));
    }
    let start = |may_be_clear: bool, scratch: &mut CastScratch| {
        let out = start_overlap(world, body, &frame, zone, may_be_clear, scratch)?;
        Some(Cast { overlap: Some(out), near_start: true, ..answer(&frame, None, 0.0, zone, *pose_b) })
    };
    // The polygons at the start are looked at on the way anyway, and mostly tell that it is clear.
    let early = options.shrink || way == DVec3::ZERO;
    if options.check_start
        && early
        && let Some(overlap) = start(true, scratch)
    {
        return Ok(overlap);
    }
    if way == DVec3::ZERO {
        return Ok(Cast { near_start: true, ..answer(&frame, None, 1.0, zone, *pose_b) });
    }
    let (contact, counts, clear) = straight.sweep(scratch);
    if options.check_start
        && !(early || clear)
        && let Some(overlap) = start(false, scratch)
    {
        return Ok(overlap);
    }
    let Some(found) = contact else {
        return Ok(Cast { counts, near_start: !clear, ..answer(&frame, None, 1.0, zone, to(1.0)) });
    };
    let passing = Passing { world, body, posed: &scratch.posed, way, zone };
    let height = passing.height(&found);
    let upper = passing.met_by(&found).unwrap_or_else(|| {
        let speed = found.normal.dot(way).abs();
        let pose = |share: f64| Some(to(share));
        met_by([world, body], pose_w, found.at, zone / speed, pose, zone, scratch)
    });
    Ok(Cast {
        counts,
        near_start: !clear,
        upper: rounded_up(upper),
        ..answer(&frame, Some((found, height)), found.at, zone, to(found.at))
    })
}

/// A cast in the world's frame.
struct Straight<'a> {
    world: &'a Polyhedron,
    body: &'a Polyhedron,
    frame: &'a Frame,
    way: DVec3,
    zone: f64,
    options: &'a TrajectoryOptions,
}

impl Straight<'_> {
    /// Whether a box around the body meets no polygon's box on the way, and the body is out of the world's solid.
    fn is_free(&self) -> bool {
        let Self { world, body, frame, .. } = self;
        let (middle, half) = (0.5 * (body.bounds.min + body.bounds.max), 0.5 * (body.bounds.max - body.bounds.min));
        let DMat3 { x_axis, y_axis, z_axis } = frame.turn;
        let half = x_axis.abs() * half.x + y_axis.abs() * half.y + z_axis.abs() * half.z + 2.0 * self.zone;
        let middle = frame.turn * middle + frame.shift;
        let mut meets = world.faces.is_empty();
        world.on_way(&SweptBox::new(middle - half, middle + half, self.way), 1.0, |_, _, _| {
            meets = true;
            f64::NEG_INFINITY
        });
        let place = |v: u32| frame.turn * body.points[v as usize] + frame.shift;
        !meets && (!self.options.check_start || is_outside(world, body, self.zone, place))
    }

    /// The first contact, what it cost, and whether the start is certainly in no overlap, unless the body is drawn in.
    fn sweep(&self, scratch: &mut CastScratch) -> (Option<Contact>, CastCounts, bool) {
        let Self { world, body, frame, way, zone, options } = *self;
        let CastScratch { posed, found, sides, shadows, .. } = scratch;
        posed.place(body, frame.turn, frame.shift, if options.shrink { 0.5 * zone } else { 0.0 });
        shadows.cast(body, posed, way, frame.shift, 2.0 * zone, &options.shortcuts);
        found.seen.start(world);
        sides[0].reset(body.points.len(), options.shortcuts.shared_sides);
        sides[1].reset(body.edges.len(), options.shortcuts.shared_sides);
        let size = world.radius + body.radius + frame.shift.length() + way.length();
        let whole = Bounds::of(posed.points.iter().copied()).grown(2.0 * zone);
        let swept = SweptBox::new(whole.min, whole.max, way);
        let (first, counts, shortcuts) = (First::new(1.0), CastCounts::default(), options.shortcuts);
        let error = SHADOW_ERROR * size;
        let mut sweep =
            Sweep { world, body, posed, found, shadows, sides, swept, way, zone, error, first, counts, shortcuts };
        if world.faces.is_empty() {
            world.anchor_tree.swept(&swept, 1.0, |anchor, _, _| sweep.visit_point(world.anchors[anchor as usize]));
            return (sweep.first.contact, sweep.counts, false);
        }
        let mut clear = options.check_start;
        world.on_way(&swept, 1.0, |face, bounds, entry| {
            // A look at the box is cheaper than one at the polygon, which is elsewhere in memory.
            if !sweep.shadows.reach_box(bounds) {
                return sweep.first.limit;
            }
            clear = clear && (entry > 0.0 || is_apart(world, &world.faces[face as usize], body, sweep.posed, zone));
            sweep.visit(face)
        });
        let (contact, counts) = (sweep.first.contact, sweep.counts);
        clear = clear && is_outside(world, body, zone, |v| posed.points[v as usize]);
        (contact, counts, clear)
    }
}
