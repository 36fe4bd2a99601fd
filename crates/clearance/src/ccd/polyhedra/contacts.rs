//! All contacts within a distance (section 2.6): features moved out along the normals of polygons and of pairs of edges.
//!
//! Contacts belong to poses, not to a motion, so that they are the same after a translation and a rotation.

use glam::DVec3;

use super::answer::{Feature, FeatureContact, TrajectoryOptions};
use super::bounds::Bounds;
use super::error::CastError;
use super::frame::Frame;
use super::polyhedron::Polyhedron;
use super::scratch::CastScratch;
use super::translation::{across, cross_within, crossing, is_between, nearest_on};
use crate::math::{Pose, Real, narrow_real, widen_real};
use crate::tolerance::RIM_ZONES;

/// All contacts of a point and a polygon, and of two edges, that are within a distance. Those found are appended to the list.
///
/// # Errors
/// If the distance is negative or not finite, or the coordinates are too large for the precision.
///
/// ```
/// use clearance::ccd::polyhedra::{CastScratch, Feature, Polyhedron, contacts};
/// use clearance::{Polytope, Pose, Vec3};
/// let corners: Vec<Vec3> = (0..8).map(|i| Vec3::new((i & 1) as _, (i >> 1 & 1) as _, (i >> 2) as _)).collect();
/// let (cube, floor) = (Polytope::from_points(&corners)?, corners.iter().map(|p| *p * 4.0).collect::<Vec<_>>());
/// let (cube, floor) = (Polyhedron::from(&cube), Polyhedron::from(&Polytope::from_points(&floor)?));
/// let (above, mut list) = (Pose::from_translation([1.5, 1.5, 4.25])?, Vec::new());
/// contacts(&floor, &Pose::IDENTITY, &cube, &above, 0.5, &mut CastScratch::default(), &mut list)?;
/// assert_eq!(list.len(), 4);
/// assert!(list.iter().all(|c| c.normal == Vec3::Z && matches!(c.features, [Feature::Face(_), Feature::Vertex(_)])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts(
    world: &Polyhedron,
    pose_w: &Pose,
    body: &Polyhedron,
    pose_b: &Pose,
    distance: Real,
    scratch: &mut CastScratch,
    list: &mut Vec<FeatureContact>,
) -> Result<(), CastError> {
    if !(distance >= 0.0 && distance.is_finite()) {
        return Err(CastError::Distance { distance });
    }
    let frame = Frame::new(pose_w, pose_b);
    let zone = frame.zone(world.radius + body.radius, body.extent(), 0.0, &TrajectoryOptions::default())?;
    let reach = widen_real(distance);
    let CastScratch { posed, found, .. } = &mut *scratch;
    posed.place(body, frame.turn, frame.shift, 0.0);
    posed.sweep(body, reach + 2.0 * zone, |p| Bounds { min: p, max: p });
    let whole = posed.whole.unwrap_or(Bounds::EMPTY);
    found.gather(world, &whole);
    let mut near = Near { world, body, scratch, frame: &frame, zone, reach, list };
    near.points_on_world();
    near.points_on_body();
    near.edges();
    Ok(())
}

struct Near<'a> {
    world: &'a Polyhedron,
    body: &'a Polyhedron,
    scratch: &'a CastScratch,
    frame: &'a Frame,
    zone: f64,
    reach: f64,
    list: &'a mut Vec<FeatureContact>,
}

impl Near<'_> {
    fn add(&mut self, point: DVec3, normal: DVec3, height: f64, features: [Feature; 2]) {
        self.list.push(FeatureContact {
            point: self.frame.point_out(point),
            normal: self.frame.direction_out(normal),
            distance: narrow_real(height),
            features,
        });
    }

    fn is_near(&self, height: f64) -> bool {
        height <= self.reach && height >= -self.zone
    }

    /// Whether a point of a polygon's plane is on the polygon, by its depth within the sides; where that is little, also by its distance from
    /// the sides themselves, since a narrow polygon may be turned by what rounding leaves.
    fn is_on<C: Iterator<Item = DVec3> + Clone>(&self, depth: f64, foot: DVec3, corners: impl Fn() -> C) -> bool {
        let near = |(from, to)| self.is_beside([from, to], foot);
        let sides = || corners().zip(corners().cycle().skip(1));
        depth >= self.zone || depth >= -self.zone && sides().any(near)
    }

    /// Whether a point is as near to a side as what is within a zone of it may be.
    fn is_beside(&self, side: [DVec3; 2], point: DVec3) -> bool {
        nearest_on(side, point).distance(point) <= RIM_ZONES * self.zone
    }

    fn points_on_world(&mut self) {
        for &index in &self.scratch.found.faces {
            let face = &self.world.faces[index as usize];
            for (i, &p) in self.scratch.posed.points.iter().enumerate() {
                let height = face.normal.dot(p) - face.offset;
                if self.body.blunt[i] || !self.is_near(height) {
                    continue;
                }
                let depth = self.world.depth_across(face, p);
                let corners = || self.world.loop_of(face).iter().map(|corner| corner.place);
                if self.is_on(depth, p - face.normal * height, corners) {
                    self.add(p, face.normal, height, [Feature::Face(index), Feature::Vertex(i as u32)]);
                }
            }
        }
    }

    fn points_on_body(&mut self) {
        let posed = &self.scratch.posed;
        for (index, face) in self.body.faces.iter().enumerate() {
            let (normal, offset) = (posed.normals[index], posed.offsets[index]);
            for &i in &self.scratch.found.points {
                let p = self.world.points[i as usize];
                let height = normal.dot(p) - offset;
                if !self.is_near(height) {
                    continue;
                }
                let depth = posed.depth_across(self.body, face, p);
                let corners = || self.body.loop_of(face).iter().map(|corner| posed.points[corner.point as usize]);
                if self.is_on(depth, p - normal * height, corners) {
                    self.add(p, -normal, height, [Feature::Vertex(i), Feature::Face(index as u32)]);
                }
            }
        }
    }

    fn edges(&mut self) {
        let posed = &self.scratch.posed;
        for (own, edge) in self.body.edges.iter().enumerate().filter(|(_, edge)| !edge.internal) {
            let ends = edge.ends.map(|v| posed.points[v as usize]);
            for &other in &self.scratch.found.edges {
                let theirs = &self.world.edges[other as usize];
                let fixed = theirs.ends.map(|v| self.world.points[v as usize]);
                if !posed.edge_boxes[own].overlaps(&Bounds::of(fixed)) {
                    continue;
                }
                let Some(normal) = across(ends, fixed, theirs.outset, self.zone) else { continue };
                // Both ways round: along a plate without thickness the outward one cannot be told from the edge alone.
                for normal in [normal, -normal] {
                    let height = normal.dot(ends[0] - fixed[0]);
                    let wedged = is_between(normal, &theirs.into, theirs.wedge)
                        && is_between(-normal, &posed.into[own], edge.wedge);
                    if !(wedged && self.is_near(height) && cross_within(ends, fixed, normal, self.zone)) {
                        continue;
                    }
                    // Edges that are all but parallel may be within a zone of each other's lines beyond their ends; these meet polygons.
                    let point = crossing(ends, fixed);
                    if self.is_beside(ends, point + normal * height) {
                        let features = [Feature::Edge(other), Feature::Edge(own as u32)];
                        self.add(point, normal, height, features);
                    }
                    break;
                }
            }
        }
    }
}
