//! What casts share: the body in the world's frame, the zone, the candidates, the first contact found so far.

use glam::{DMat3, DVec3};

use super::candidates::Candidates;
use super::error::CastError;
use super::flats::Flats;
use super::polyhedron::{Face, Polyhedron};
use super::rotation::Rings;
use super::sides::SideCache;
use super::translation::Shadows;
use super::{Cast, CastCounts, CastHit, Feature, FeatureContact, TrajectoryOptions};
use crate::bvh::NodeBox;
use crate::math::{Aabb, Mat3, Pose, Vec3, narrow, narrow_real, rounded_down, widen, widen_real};
use crate::narrow::End;
use crate::tolerance::{LARGEST_ZONE, zone};

/// A box in f64.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub min: DVec3,
    pub max: DVec3,
}

impl Default for Bounds {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Bounds {
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    #[inline]
    pub fn with(self, p: DVec3) -> Self {
        let (lesser, greater) =
            (|a: f64, b: f64| if a < b { a } else { b }, |a: f64, b: f64| if a > b { a } else { b });
        let (min, max) = (self.min, self.max);
        Self {
            min: DVec3::new(lesser(min.x, p.x), lesser(min.y, p.y), lesser(min.z, p.z)),
            max: DVec3::new(greater(max.x, p.x), greater(max.y, p.y), greater(max.z, p.z)),
        }
    }

    /// The box of one point.
    #[inline]
    pub fn point(p: DVec3) -> Self {
        Self { min: p, max: p }
    }

    /// How far apart the boxes are in their first two coordinates; not positive if they overlap.
    #[inline]
    pub fn gap_across(&self, other: &Self) -> f64 {
        let x = greater(self.min.x - other.max.x, other.min.x - self.max.x);
        greater(x, greater(self.min.y - other.max.y, other.min.y - self.max.y))
    }

    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// What is in both; its sides are the wrong way round where that is nothing.
    pub fn intersection(self, other: &Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    #[inline]
    pub fn grown(self, by: f64) -> Self {
        Self { min: self.min - by, max: self.max + by }
    }

    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    #[inline]
    pub fn of(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }

    /// The tree's box; the zone by which it was grown is larger than the rounding here.
    pub fn node_box(&self) -> NodeBox {
        NodeBox::enclosing(&Aabb { min: narrow(self.min), max: narrow(self.max) })
    }
}

/// The lesser of two numbers, of which none is NaN: one instruction.
#[inline]
pub(super) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two numbers, of which none is NaN: one instruction.
#[inline]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

fn wide(m: Mat3) -> DMat3 {
    DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis))
}

/// The world's frame, and where the body is in it. Translations are subtracted first.
pub(super) struct Frame {
    pub turn: DMat3,
    pub shift: DVec3,
    world_turn: DMat3,
    world_shift: DVec3,
    far: f64,
}

impl Frame {
    pub fn new(world: &Pose, body: &Pose) -> Self {
        let world_turn = wide(world.matrix());
        let (to, from) = (widen(body.translation()), widen(world.translation()));
        let back = world_turn.transpose();
        let far = to.abs().max_element().max(from.abs().max_element());
        Self { turn: back * wide(body.matrix()), shift: back * (to - from), world_turn, world_shift: from, far }
    }

    pub fn direction_in(&self, v: Vec3) -> DVec3 {
        self.world_turn.transpose() * widen(v)
    }

    pub fn point_in(&self, p: Vec3) -> DVec3 {
        self.world_turn.transpose() * (widen(p) - self.world_shift)
    }

    pub fn direction_out(&self, v: DVec3) -> Vec3 {
        narrow(self.world_turn * v)
    }

    pub fn point_out(&self, p: DVec3) -> Vec3 {
        narrow(self.world_turn * p + self.world_shift)
    }

    /// The thickness of the zone for a way of the given length; an error if the body is not much larger than that.
    pub fn zone(&self, reach: f64, body: f64, way: f64, options: &TrajectoryOptions) -> Result<f64, CastError> {
        if !(options.zone >= 0.0 && options.zone.is_finite()) {
            return Err(CastError::Zone { zone: options.zone });
        }
        let local = narrow_real(reach + self.shift.length() + way);
        let derived = zone(local, narrow_real(self.far + way));
        if !derived.is_finite() {
            return Err(CastError::Range);
        }
        let radius = narrow_real(body);
        if derived > LARGEST_ZONE * radius && radius > 0.0 {
            return Err(CastError::TooLarge { zone: derived, radius });
        }
        Ok(widen_real(derived.max(options.zone)))
    }
}

/// The body in the world's frame, at the start of the motion, with the boxes of what its features sweep.
#[derive(Debug, Clone, Default)]
pub(super) struct Posed {
    pub points: Vec<DVec3>,
    pub normals: Vec<DVec3>,
    pub offsets: Vec<f64>,
    pub into: Vec<[DVec3; 2]>,
    pub point_boxes: Vec<Bounds>,
    pub edge_boxes: Vec<Bounds>,
    pub face_boxes: Vec<Bounds>,
    pub whole: Option<Bounds>,
}

impl Posed {
    /// Puts the body where it starts; `shrink` draws its surface in by that much, or where it is thin as far as it can be.
    pub fn place(&mut self, body: &Polyhedron, turn: DMat3, shift: DVec3, shrink: f64) {
        self.points.clear();
        let pairs = body.points.iter().zip(body.insets.iter().zip(&body.rooms));
        let drawn = |(&p, (&inset, &room)): (&DVec3, (&DVec3, &f64))| p + inset * shrink.min(room);
        self.points.extend(pairs.map(|pair| turn * drawn(pair) + shift));
        self.normals.clear();
        self.normals.extend(body.faces.iter().map(|face| turn * face.normal));
        self.offsets.clear();
        for (face, normal) in body.faces.iter().zip(&self.normals) {
            let heights = body.loop_of(face).iter().map(|corner| normal.dot(self.points[corner.point as usize]));
            self.offsets.push(heights.fold(f64::NEG_INFINITY, f64::max));
        }
        self.into.clear();
        self.into.extend(body.edges.iter().map(|edge| edge.into.map(|v| turn * v)));
    }

    /// The boxes of what the features sweep, given that of each point; the zone is added.
    pub fn sweep(&mut self, body: &Polyhedron, margin: f64, of_point: impl Fn(DVec3) -> Bounds) {
        self.point_boxes.clear();
        self.point_boxes.extend(self.points.iter().map(|&p| of_point(p).grown(margin)));
        let boxes = &self.point_boxes;
        self.edge_boxes.clear();
        self.edge_boxes
            .extend(body.edges.iter().map(|edge| boxes[edge.ends[0] as usize].union(boxes[edge.ends[1] as usize])));
        self.face_boxes.clear();
        self.face_boxes.extend(body.faces.iter().map(|face| {
            body.loop_of(face).iter().fold(Bounds::EMPTY, |all, corner| all.union(boxes[corner.point as usize]))
        }));
        self.whole = Some(self.point_boxes.iter().fold(Bounds::EMPTY, |all, &one| all.union(one)));
    }

    /// How far a point is inside of the body's polygon across its sides.
    pub fn depth_across(&self, body: &Polyhedron, face: &Face, x: DVec3) -> f64 {
        let depths = body.loop_of(face).iter().map(|corner| {
            self.into[corner.edge as usize][corner.side as usize].dot(x - self.points[corner.point as usize])
        });
        depths.fold(f64::INFINITY, f64::min)
    }
}

/// Memory that casts reuse. It holds nothing that outlives a query but room: one for each thread, any bodies.
#[derive(Debug, Clone, Default)]
pub struct CastScratch {
    pub(super) posed: Posed,
    pub(super) found: Candidates,
    /// Signs of the world's edges and the body's points, and of the body's edges and the world's points.
    pub(super) sides: [SideCache; 2],
    pub(super) shadows: Shadows,
    pub(super) rings: Rings,
    /// The surfaces of simple shapes with flat faces that were cast lately.
    pub(in crate::ccd) flats: Flats,
    /// Contacts of two surfaces.
    pub(in crate::ccd) contacts: Vec<FeatureContact>,
}

/// A contact in the world's frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contact {
    /// How far along: a fraction, or the tangent of half the angle.
    pub at: f64,
    /// Unit vector out of the world.
    pub normal: DVec3,
    pub point: DVec3,
    pub features: [Feature; 2],
}

impl Contact {
    /// Orders contacts by where they are; of those at one place a polygon of the world comes first, then one of the body, and then
    /// what has smaller numbers. So the first one does not depend on the order in which they are found.
    fn is_before(&self, other: &Self) -> bool {
        (self.at, self.rank()) < (other.at, other.rank())
    }

    fn rank(&self) -> (u8, u32, u32) {
        let numbers = self.features.map(|feature| match feature {
            Feature::Vertex(i) | Feature::Edge(i) | Feature::Face(i) => i,
        });
        let kind = match self.features[0] {
            Feature::Face(_) => 0,
            Feature::Vertex(_) => 1,
            Feature::Edge(_) => 2,
        };
        (kind, numbers[0], numbers[1])
    }
}

/// The first contact so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct First {
    /// Where it is, or how far the motion goes.
    pub limit: f64,
    pub contact: Option<Contact>,
}

impl First {
    pub fn new(limit: f64) -> Self {
        Self { limit, contact: None }
    }

    /// Whether a contact there may be the first.
    #[inline]
    pub fn wants(&self, at: f64) -> bool {
        at <= self.limit
    }

    pub fn offer(&mut self, contact: Contact) {
        if self.wants(contact.at) && self.contact.is_none_or(|first| contact.is_before(&first)) {
            self.limit = contact.at;
            self.contact = Some(contact);
        }
    }
}

/// The answer in the world's space; a contact with the height of the body's feature above the world's.
pub(super) fn answer(frame: &Frame, contact: Option<(Contact, f64)>, fraction: f64, zone: f64, pose: Pose) -> Cast {
    let hit = contact.map(|(contact, height)| CastHit {
        point: frame.point_out(contact.point),
        normal: frame.direction_out(contact.normal),
        distance: narrow_real(height),
        features: contact.features,
    });
    Cast {
        fraction: rounded_down(fraction),
        lower: rounded_down(fraction),
        upper: 1.0,
        hit,
        pose,
        overlap: None,
        near_start: false,
        zone: narrow_real(zone),
        end: End::Converged,
        counts: CastCounts::default(),
    }
}
