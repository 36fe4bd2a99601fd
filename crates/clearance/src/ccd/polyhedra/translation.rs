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

use super::candidates::Candidates;
use super::error::CastError;
use super::overlap::{is_apart, is_outside, met_by, start_overlap};
use super::polyhedron::{Corner, Face, Polyhedron};
use super::query::{Bounds, CastScratch, Contact, First, Frame, Posed, answer};
use super::sides::{Side, SideCache, side_across};
use super::{Cast, CastCounts, Feature, Shortcuts, TrajectoryOptions};
use crate::bvh::SweptBox;
use crate::math::{Pose, Vec3, narrow, rounded_up, widen};
use crate::tolerance::{EDGE_WEDGE, SHADOW_ERROR, SIDE_MARGIN};

mod edges;
mod shadow;
mod stretch;
mod witness;

pub(super) use edges::{across, cross_within, crossing, is_between};
pub(super) use shadow::Shadows;
use stretch::Stretch;
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
    let near_start = !clear;
    if options.check_start
        && !(early || clear)
        && let Some(overlap) = start(false, scratch)
    {
        return Ok(overlap);
    }
    let Some(found) = contact else {
        return Ok(Cast { counts, near_start, ..answer(&frame, None, 1.0, zone, to(1.0)) });
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
        near_start,
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

struct Sweep<'a> {
    world: &'a Polyhedron,
    body: &'a Polyhedron,
    posed: &'a Posed,
    found: &'a mut Candidates,
    shadows: &'a Shadows,
    /// Signs of the world's edges and the body's points, and of the body's edges and the world's points.
    sides: &'a mut [SideCache; 2],
    /// The body's box, grown by two zones, on its way.
    swept: SweptBox,
    way: DVec3,
    zone: f64,
    /// Of a shadow's place.
    error: f64,
    first: First,
    counts: CastCounts,
    shortcuts: Shortcuts,
}

impl Sweep<'_> {
    /// A polygon of the world on the way, with those of its points and edges that were not seen before; says how far to look on.
    fn visit(&mut self, index: u32) -> f64 {
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
    fn visit_point(&mut self, point: u32) -> f64 {
        if self.found.seen.point(point) {
            let p = self.world.points[point as usize];
            self.point_on_body(point, p, self.shadows.of(p), false);
        }
        self.first.limit
    }

    /// Points of the body against a polygon of the world.
    fn points_on_face(&mut self, index: u32, face: &Face, speed: f64, shadow: &Bounds, places: &[DVec3]) {
        let shadows = self.shadows;
        for &i in &shadows.points {
            let own = shadows.point_box(i);
            if !shadows.reach(&own, shadow, self.first.limit) {
                continue;
            }
            self.counts.point_face += 1;
            let p = self.posed.points[i as usize];
            let height = face.normal.dot(p) - face.offset;
            let Some(at) = stopped(height, speed, self.zone).filter(|&at| self.first.wants(at)) else {
                continue;
            };
            let cone = |sweep: &Self| stands_on(sweep.body, i, face.normal, &sweep.posed.points);
            if self.meets_face(height, |sweep| sweep.passes_world_face(face, i, places), cone) {
                let mut over = Stretch::of(height, speed, self.zone);
                self.world.across(face, p, self.way, |depth, speed| over.above(depth, speed, 2.0 * self.zone));
                let Some(entry) = over.start() else { continue };
                let at = at.max(entry).max(shadows.entry(&own, shadow));
                let bounds = self.face_bounds(face);
                let features = [Feature::Face(index), Feature::Vertex(i)];
                self.offer(Contact { at, normal: face.normal, point: p, features }, &bounds);
            }
        }
    }

    /// A point of the world, moving backwards, against the body's polygons.
    fn point_on_body(&mut self, i: u32, p: DVec3, place: DVec3, blunt: bool) {
        if self.shortcuts.internal_points && blunt {
            self.counts.internal_points += 1;
            return;
        }
        let shadows = self.shadows;
        let at_place = Bounds::point(place);
        for (index, own) in &shadows.faces {
            if !shadows.reach(own, &at_place, self.first.limit) {
                continue;
            }
            self.counts.point_face += 1;
            let normal = self.posed.normals[*index as usize];
            let height = normal.dot(p) - self.posed.offsets[*index as usize];
            let speed = -normal.dot(self.way);
            let Some(at) = stopped(height, speed, self.zone).filter(|&at| self.first.wants(at)) else {
                continue;
            };
            let cone = |sweep: &Self| stands_on(sweep.world, i, normal, &sweep.world.points);
            let face = &self.body.faces[*index as usize];
            if self.meets_face(height, |sweep| sweep.passes_body_face(face, i, place), cone) {
                let mut over = Stretch::of(height, speed, self.zone);
                let margin = 2.0 * self.zone;
                self.posed.across(self.body, face, p, -self.way, |depth, speed| over.above(depth, speed, margin));
                let Some(entry) = over.start() else { continue };
                let at = at.max(entry).max(shadows.entry(own, &at_place));
                let features = [Feature::Vertex(i), Feature::Face(*index)];
                self.offer(Contact { at, normal: -normal, point: p, features }, &Bounds::point(p));
            }
        }
    }

    /// A contact with a feature of the world in a box: not before the body's box gets there. A point of the body is moved along.
    fn offer(&mut self, contact: Contact, bounds: &Bounds) {
        let at = contact.at.max(self.swept.entry(bounds.min, bounds.max));
        let moves = matches!(contact.features[1], Feature::Vertex(_));
        let point = if moves { contact.point + self.way * at } else { contact.point };
        self.first.offer(Contact { at, point, ..contact });
    }

    fn face_bounds(&self, face: &Face) -> Bounds {
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
    fn world_side(&mut self, edge: u32, line: [DVec3; 2], point: u32) -> Side {
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
    fn body_side(&mut self, edge: u32, point: u32, place: DVec3) -> Side {
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
struct Passed {
    index: u32,
    ends: [u32; 2],
    line: [DVec3; 2],
    shadow: Bounds,
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
pub(super) fn stands_on(solid: &Polyhedron, point: u32, normal: DVec3, points: &[DVec3]) -> bool {
    solid.around.of(point).iter().all(|&edge| {
        let ends = solid.edges[edge as usize].ends;
        let other = ends[usize::from(ends[0] == point)];
        let along = points[other as usize] - points[point as usize];
        normal.dot(along) >= -EDGE_WEDGE * along.length()
    })
}

/// Axes across a way and along it, in that order, and its length.
fn axes_along(way: DVec3) -> (DMat3, f64) {
    // Brought to size one first, so that no square leaves the range.
    let largest = way.abs().max_element();
    let scaled = way / largest;
    let length = scaled.length();
    let z = scaled / length;
    let x = z.any_orthonormal_vector();
    (DMat3::from_cols(x, z.cross(x), z).transpose(), length * largest)
}
