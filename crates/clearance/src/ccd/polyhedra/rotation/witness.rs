//! By when a rotation has certainly brought two features together; see the same for translations.

use glam::DVec3;

use super::super::wave::Wave;
use super::arc::Arc;
use super::sweep::Sweep;
use crate::ccd::polyhedra::answer::Feature;
use crate::ccd::polyhedra::first::Contact;

impl Sweep<'_> {
    /// The place on the step's arc by which the features of a contact have met; nothing if they need not meet on it.
    pub(super) fn met_by(&self, contact: &Contact) -> Option<f64> {
        let (about, zone) = (self.about, self.zone);
        match contact.features {
            [Feature::Face(face), Feature::Vertex(point)] => {
                let (face, p) = (&self.world.faces[face as usize], self.posed.points[point as usize]);
                let wave = about.height(p, face.normal, face.offset);
                through(&wave, &about, p, contact.at, zone, |r| self.world.depth_across(face, about.at(p, r)))
            }
            [Feature::Vertex(point), Feature::Face(face)] => {
                let (p, back) = (self.world.points[point as usize], about.reversed());
                let wave = back.height(p, self.posed.normals[face as usize], self.posed.offsets[face as usize]);
                let face = &self.body.faces[face as usize];
                through(&wave, &back, p, contact.at, zone, |r| self.posed.depth_across(self.body, face, back.at(p, r)))
            }
            [Feature::Edge(theirs), Feature::Edge(own)] => self.edges_met_by(own, theirs, contact.at),
            _ => None,
        }
    }

    /// How far apart the features of a contact are there, along its normal.
    pub(super) fn height(&self, contact: &Contact) -> f64 {
        let (about, r) = (self.about, contact.at);
        match contact.features {
            [Feature::Face(face), Feature::Vertex(point)] => {
                let (face, p) = (&self.world.faces[face as usize], self.posed.points[point as usize]);
                about.height(p, face.normal, face.offset).at(r)
            }
            [Feature::Vertex(point), Feature::Face(face)] => {
                let (normal, offset) = (self.posed.normals[face as usize], self.posed.offsets[face as usize]);
                about.reversed().height(self.world.points[point as usize], normal, offset).at(r)
            }
            [Feature::Edge(theirs), Feature::Edge(own)] => {
                let own = self.posed.points[self.body.edges[own as usize].ends[0] as usize];
                let fixed = self.world.points[self.world.edges[theirs as usize].ends[0] as usize];
                contact.normal.dot(about.at(own, r) - fixed)
            }
            _ => 0.0,
        }
    }
}

/// Where a point that is half a zone above a plane has got a zone below it, if it is within the polygon by a zone all that way. Between
/// two places of an arc a depth is off its chord by no more than the arm times the square of the angle.
fn through(wave: &Wave, about: &Arc, p: DVec3, at: f64, zone: f64, depth: impl Fn(f64) -> f64) -> Option<f64> {
    let after = |level: f64| wave.reaches(level).into_iter().find(|&r| r >= at && wave.slope(r) < 0.0);
    let from = after(0.5 * zone)?;
    let to = after(-zone)?;
    let angle = 2.0 * (to - from);
    let margin = zone + (p - about.origin).length() * angle * angle;
    (from <= to && to <= about.limit && depth(from) >= margin && depth(to) >= margin).then_some(to)
}
