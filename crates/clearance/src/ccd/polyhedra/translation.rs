//! Translations (sections 2.2, 2.3, 3.1, 3.2).

use glam::DVec3;

use super::error::CastError;
use super::overlap::start_overlap;
use super::polyhedron::{Corner, Edge, Face, NONE, Polyhedron};
use super::query::{Bounds, Candidates, CastScratch, Contact, First, Frame, Posed, answer};
use super::sides::{Side, SideCache, side};
use super::{Cast, CastCounts, CastOptions, Feature};
use crate::math::exact::Pair3;
use crate::math::{Pose, Vec3, narrow, widen};
use crate::tolerance::{EDGE_WEDGE, SIDE_MARGIN};

/// How far the body may move along the translation before it meets the world, which rests.
///
/// # Errors
/// If the translation is not finite or leaves the range of poses, or the coordinates are too large for the precision.
///
/// ```
/// use clearance::ccd::polyhedra::{CastOptions, CastScratch, Polyhedron, cast_translation};
/// use clearance::{Polytope, Pose, Vec3};
/// let corners: Vec<Vec3> = (0..8).map(|i| Vec3::new((i & 1) as _, (i >> 1 & 1) as _, (i >> 2) as _)).collect();
/// let cube = Polyhedron::from(&Polytope::from_points(&corners)?);
/// let above = Pose::from_translation([0.25, 0.5, 3.0])?;
/// let (options, mut scratch) = (CastOptions::default(), CastScratch::default());
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
    options: &CastOptions,
    scratch: &mut CastScratch,
) -> Result<Cast, CastError> {
    if !translation.is_finite() {
        return Err(CastError::NotFinite);
    }
    Pose::from_translation(pose_b.translation() + translation).map_err(|_| CastError::Range)?;
    let frame = Frame::new(pose_w, pose_b);
    let way = frame.direction_in(translation);
    let zone = frame.zone(world.radius + body.radius, body.extent(), way.length(), options)?;
    let mut counts = CastCounts::default();
    if options.check_start
        && let Some(out) = start_overlap(world, body, &frame, zone, scratch)
    {
        return Ok(Cast { overlap: Some(out), counts, ..answer(&frame, None, 0.0, zone, *pose_b) });
    }
    let shrink = if options.shrink { 0.5 * zone } else { 0.0 };
    let CastScratch { posed, found, sides } = scratch;
    posed.place(body, frame.turn, frame.shift, shrink);
    posed.sweep(body, 2.0 * zone, |p| Bounds::EMPTY.with(p).with(p + way));
    let whole = posed.whole.unwrap_or(Bounds::EMPTY);
    found.gather(world, &whole, &mut counts, |face| face.normal.dot(way) < 0.0);
    sides[0].reset(found.seen[0], body.points.len());
    sides[1].reset(body.edges.len(), found.seen[1]);
    let mut sweep = Sweep { world, body, posed, found, way, zone, sides, first: First::new(1.0), counts: &mut counts };
    sweep.points_on_world();
    sweep.points_on_body();
    sweep.edges();
    let contact = sweep.first.contact;
    let fraction = contact.map_or(1.0, |contact| contact.at);
    let to = narrow(widen(pose_b.translation()) + widen(translation) * fraction);
    Ok(Cast { counts, ..answer(&frame, contact, fraction, zone, pose_b.moved_to(to)) })
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
    found: &'a Candidates,
    way: DVec3,
    zone: f64,
    sides: &'a mut [SideCache; 2],
    first: First,
    counts: &'a mut CastCounts,
}

impl Sweep<'_> {
    /// Points of the body against the world's polygons.
    fn points_on_world(&mut self) {
        for &index in &self.found.faces {
            let face = self.world.faces[index as usize];
            let bounds = Bounds::of(self.world.loop_of(&face).iter().map(|c| self.world.points[c.point as usize]));
            let speed = face.normal.dot(self.way);
            for (i, &p) in self.posed.points.iter().enumerate() {
                if self.body.blunt[i] || !self.posed.point_boxes[i].overlaps(&bounds) {
                    continue;
                }
                self.counts.point_face += 1;
                let height = face.normal.dot(p) - face.offset;
                let Some(at) = stopped(height, speed, self.zone).filter(|&at| self.first.wants(at)) else {
                    continue;
                };
                let cone = |sweep: &Self| stands_on(sweep.body, i as u32, face.normal, &sweep.posed.points);
                if self.meets_face(height, |sweep| sweep.passes_world_face(&face, i), cone) {
                    let features = [Feature::Face(index), Feature::Vertex(i as u32)];
                    self.first.offer(Contact { at, normal: face.normal, point: p + self.way * at, features });
                }
            }
        }
    }

    /// Points of the world, moving backwards, against the body's polygons.
    fn points_on_body(&mut self) {
        for (index, face) in self.body.faces.iter().enumerate() {
            let normal = self.posed.normals[index];
            let speed = -normal.dot(self.way);
            if !(speed < 0.0) {
                continue;
            }
            for &i in &self.found.points {
                let p = self.world.points[i as usize];
                if !self.posed.face_boxes[index].overlaps(&Bounds { min: p, max: p }) {
                    continue;
                }
                self.counts.point_face += 1;
                let height = normal.dot(p) - self.posed.offsets[index];
                let Some(at) = stopped(height, speed, self.zone).filter(|&at| self.first.wants(at)) else {
                    continue;
                };
                let cone = |sweep: &Self| stands_on(sweep.world, i, normal, &sweep.world.points);
                if self.meets_face(height, |sweep| sweep.passes_body_face(face, i), cone) {
                    let features = [Feature::Vertex(i), Feature::Face(index as u32)];
                    self.first.offer(Contact { at, normal: -normal, point: p, features });
                }
            }
        }
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
    fn passes_world_face(&mut self, face: &Face, point: usize) -> Passage {
        let world = self.world;
        passage(world.loop_of(face), |edge| self.world_side(edge, point))
    }

    fn passes_body_face(&mut self, face: &Face, point: u32) -> Passage {
        let body = self.body;
        passage(body.loop_of(face), |edge| self.body_side(edge, point))
    }

    fn world_side(&mut self, edge: u32, point: usize) -> Side {
        let line = self.world.edges[edge as usize].ends.map(|v| self.world.points[v as usize]);
        let (p, way, margin) = (self.posed.points[point], self.way, SIDE_MARGIN * self.zone);
        let slot = self.found.edge_slots[edge as usize] as usize;
        let (sign, known) = self.sides[0].get(slot, point, || side(p, way, line, margin));
        self.count(known);
        sign
    }

    fn body_side(&mut self, edge: u32, point: u32) -> Side {
        let line = self.body.edges[edge as usize].ends.map(|v| self.posed.points[v as usize]);
        let (p, way, margin) = (self.world.points[point as usize], -self.way, SIDE_MARGIN * self.zone);
        let slot = self.found.point_slots[point as usize] as usize;
        let (sign, known) = self.sides[1].get(edge as usize, slot, || side(p, way, line, margin));
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

    fn edges(&mut self) {
        for (own, edge) in self.body.edges.iter().enumerate() {
            let leads = |&face: &u32| face == NONE || self.posed.normals[face as usize].dot(self.way) > 0.0;
            if edge.internal || !(edge.is_sharp() || edge.polygons.iter().any(leads)) {
                continue;
            }
            for &other in &self.found.edges {
                let theirs = &self.world.edges[other as usize];
                let bounds = Bounds::of(theirs.ends.map(|v| self.world.points[v as usize]));
                if self.posed.edge_boxes[own].overlaps(&bounds) {
                    self.counts.edge_edge += 1;
                    self.edge_on_edge(own, edge, other, theirs);
                }
            }
        }
    }

    fn edge_on_edge(&mut self, own: usize, edge: &Edge, other: u32, theirs: &Edge) {
        let ends = edge.ends.map(|v| self.posed.points[v as usize]);
        let fixed = theirs.ends.map(|v| self.world.points[v as usize]);
        let same = |a: Side, b: Side| a == b && a != Side::Either;
        if same(self.world_side(other, edge.ends[0] as usize), self.world_side(other, edge.ends[1] as usize))
            || same(self.body_side(own as u32, theirs.ends[0]), self.body_side(own as u32, theirs.ends[1]))
        {
            return;
        }
        let Some(normal) = across(ends, fixed, -self.way, self.zone) else { return };
        if !is_between(normal, &theirs.into) || !is_between(-normal, &self.posed.into[own]) {
            return;
        }
        let height = normal.dot(ends[0] - fixed[0]);
        if let Some(at) = stopped(height, normal.dot(self.way), self.zone).filter(|&at| self.first.wants(at)) {
            let moved = ends.map(|p| p + self.way * at);
            let features = [Feature::Edge(other), Feature::Edge(own as u32)];
            self.first.offer(Contact { at, normal, point: crossing(moved, fixed), features });
        }
    }
}

/// Where a moving point passes a polygon.
enum Passage {
    Inside,
    Outside,
    /// Nearer to an edge than rounding, and certainly outside of none.
    Border,
}

fn passage(corners: &[Corner], mut side: impl FnMut(u32) -> Side) -> Passage {
    let mut passage = Passage::Inside;
    for corner in corners {
        match (side(corner.edge), corner.side) {
            (Side::Right, 0) | (Side::Left, 1) => return Passage::Outside,
            (Side::Either, _) => passage = Passage::Border,
            _ => {}
        }
    }
    passage
}

/// Whether all edges at a point lead away from a plane through it, to the side of its normal.
pub(super) fn stands_on(solid: &Polyhedron, point: u32, normal: DVec3, points: &[DVec3]) -> bool {
    solid.edges.iter().filter(|edge| edge.ends.contains(&point)).all(|edge| {
        let other = edge.ends[usize::from(edge.ends[0] == point)];
        let along = points[other as usize] - points[point as usize];
        normal.dot(along) >= -EDGE_WEDGE * along.length()
    })
}

/// The unit vector across two edges that does not point against the given direction; none if they are parallel to within a fraction of the zone: then
/// the end of one is as near to the other as the edges are, and meets a polygon beside it.
pub(super) fn across(own: [DVec3; 2], fixed: [DVec3; 2], towards: DVec3, zone: f64) -> Option<DVec3> {
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

/// Whether a plane with this normal along an edge has the polygons beside the edge below it.
pub(super) fn is_between(normal: DVec3, into: &[DVec3; 2]) -> bool {
    into.iter().all(|v| normal.dot(*v) <= EDGE_WEDGE)
}

/// Where the first edge passes the second one, on the second.
pub(super) fn crossing(own: [DVec3; 2], fixed: [DVec3; 2]) -> DVec3 {
    let (u, w, between) = (own[1] - own[0], fixed[1] - fixed[0], own[0] - fixed[0]);
    let normal = u.cross(w);
    let share = u.cross(-between).dot(normal) / -normal.length_squared();
    fixed[0] + w * if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 }
}
