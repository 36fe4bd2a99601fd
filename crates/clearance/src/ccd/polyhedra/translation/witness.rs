//! By when a translation has certainly brought two features together: a point that goes through a polygon, or an edge through an edge.
//!
//! The zone is thicker than the error of all that is computed. So a point that goes from half a zone above a plane to a zone below it,
//! and all that way is within the polygon by a zone, has met the polygon of the bodies as given.

use super::edges::{across, cross_within};
use crate::ccd::polyhedra::answer::Feature;
use crate::ccd::polyhedra::first::Contact;
use crate::ccd::polyhedra::parts::Edge;
use crate::ccd::polyhedra::polyhedron::Polyhedron;
use crate::ccd::polyhedra::posed::Posed;
use glam::DVec3;

/// What a translation is looked at with: all in the world's frame, the body where it starts.
pub(super) struct Passing<'a> {
    pub world: &'a Polyhedron,
    pub body: &'a Polyhedron,
    pub posed: &'a Posed,
    pub way: DVec3,
    pub zone: f64,
}

impl Passing<'_> {
    /// The share of the way by which the features of a contact have met; nothing if they need not meet.
    pub fn met_by(&self, contact: &Contact) -> Option<f64> {
        let Self { world, body, posed, way, zone } = *self;
        match contact.features {
            [Feature::Face(face), Feature::Vertex(point)] => {
                let (face, p) = (&world.faces[face as usize], posed.points[point as usize]);
                let (height, speed) = (face.normal.dot(p) - face.offset, face.normal.dot(way));
                let mut within = self.through(height, speed, contact.at)?;
                world.across(face, p, way, |depth, speed| within.keep(depth, speed, zone));
                within.end()
            }
            [Feature::Vertex(point), Feature::Face(face)] => {
                let (normal, p) = (posed.normals[face as usize], world.points[point as usize]);
                let (height, speed) = (normal.dot(p) - posed.offsets[face as usize], -normal.dot(way));
                let mut within = self.through(height, speed, contact.at)?;
                let face = &body.faces[face as usize];
                posed.across(body, face, p, -way, |depth, speed| within.keep(depth, speed, zone));
                within.end()
            }
            [Feature::Edge(theirs), Feature::Edge(own)] => {
                let ends = body.edges[own as usize].ends.map(|v| posed.points[v as usize]);
                let fixed = world.edges[theirs as usize].ends.map(|v| world.points[v as usize]);
                let normal = across(ends, fixed, -way, zone)?;
                let within = self.through(normal.dot(ends[0] - fixed[0]), normal.dot(way), contact.at)?;
                let crosses = |at: f64| cross_within(ends.map(|p| p + way * at), fixed, normal, -zone);
                (crosses(within.from) && crosses(within.to)).then_some(within.to)
            }
            _ => None,
        }
    }

    /// How far apart the features of a contact are there, along its normal.
    pub fn height(&self, contact: &Contact) -> f64 {
        let Self { world, body, posed, way, .. } = *self;
        let shift = way * contact.at;
        match contact.features {
            [Feature::Face(face), Feature::Vertex(point)] => {
                let face = &world.faces[face as usize];
                face.normal.dot(posed.points[point as usize] + shift) - face.offset
            }
            [Feature::Vertex(point), Feature::Face(face)] => {
                posed.normals[face as usize].dot(world.points[point as usize] - shift) - posed.offsets[face as usize]
            }
            [Feature::Edge(theirs), Feature::Edge(own)] => {
                let start = |edge: &Edge, points: &[DVec3]| points[edge.ends[0] as usize];
                let own = start(&body.edges[own as usize], &posed.points);
                contact.normal.dot(own + shift - start(&world.edges[theirs as usize], &world.points))
            }
            _ => 0.0,
        }
    }

    /// The part of the way from half a zone above a surface to a zone below it, if it begins at the contact or after.
    fn through(&self, height: f64, speed: f64, at: f64) -> Option<Through> {
        if !(speed < 0.0 && height + speed * at >= 0.5 * self.zone) {
            return None;
        }
        let [from, to] = [0.5 * self.zone, -self.zone].map(|level| (level - height) / speed);
        (to <= 1.0 && from >= at).then_some(Through { from, to, holds: true })
    }
}

/// A part of the way on which a feature goes through another, while it is within its sides.
struct Through {
    from: f64,
    to: f64,
    holds: bool,
}

impl Through {
    /// Asks for a depth within a side, which grows evenly, to be as large as the margin.
    fn keep(&mut self, depth: f64, speed: f64, margin: f64) {
        self.holds &= depth + speed * self.from >= margin && depth + speed * self.to >= margin;
    }

    fn end(&self) -> Option<f64> {
        self.holds.then_some(self.to)
    }
}
