//! The first contact found so far, and the answer made of it.

use glam::DVec3;

use super::answer::{Cast, CastHit, Feature};
use super::frame::Frame;
use super::shortcuts::CastCounts;
use crate::answer::End;
use crate::math::{Pose, narrow_real, rounded_down};

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
