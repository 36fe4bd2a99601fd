//! Contact points by perturbed sampling: section 2.6 of the implicit-objects thesis.
//!
//! Each body is asked for its farthest points along directions around the normal (Algorithm 13); the points, projected on the
//! collision plane, are the outlines of the two contact features; a corner of one inside the other is a contact, and so is
//! every crossing of two sides. Where a surface is quadratic, the contact is the one point of `closest`; the rounding of a box is no
//! such surface, which the thesis stacks with several points.
//!
//! Corrections: the samples go to S (erratum 6), and with a normal from A to B it is B that is sampled against it. Departures: the
//! published test of a point against a polygon compares the point's side with the centre's, and passes every point if the polygon is a
//! point or a line, which have no inside; those are only tested against the other. The contact points are sorted around their centre.
//! As published, all points lie on the collision plane and have the depth of the whole.
//! It ends: three loops over the samples.

use arrayvec::ArrayVec;

use super::contact::{CANDIDATES, Candidate, Candidates, Contact, Whole};
use super::outline::{CORNERS, Corner, Corners, cross, flat};
use crate::math::{Real, Vec3, consts, length};
use crate::narrow::{Label, Labels};
use crate::shape::{Core, Shape};
use crate::support::{Support, VertexId};

/// Algorithm 13 in the body's own frame: farthest points along `count` directions at an angle around the unit vector `d`, in
/// order, each once; two nearer than `same` are one.
pub(super) fn sample<S: Support>(shape: &S, d: Vec3, count: usize, angle: Real, same: Real) -> Corners {
    let across = d.any_orthonormal_vector();
    let third = d.cross(across);
    let mut corners = Corners::new();
    for i in 0..count.min(CORNERS) {
        let (s, c) = (consts::TAU * i as Real / count as Real).sin_cos();
        let direction = d + (across * c + third * s) * angle.tan();
        let p = shape.support(direction, VertexId::NONE).point;
        if !corners.iter().any(|known| length(known.p - p) <= same) {
            corners.push(Corner { p, vertex: i as u32, edge: i as u32 });
        }
    }
    corners
}

/// Whether the surface is quadratic where it is farthest along `d`: curved by its core, or a rounded point or segment. The rounding of what
/// has faces does not count: a rounded box that is tilted a little still rests on a face.
fn is_quadric(shape: &Shape, d: Vec3) -> bool {
    match shape.core() {
        Core::Point | Core::Segment { .. } | Core::Drop { .. } => shape.is_curved(d),
        core => core.is_curved(d),
    }
}

/// The contact places, in counter-clockwise order, and a name for the whole.
pub(super) fn candidates(contact: &Contact<'_>, samples: usize, angle: Real) -> (Candidates, Whole) {
    let whole = Whole { feature: Labels { a: Label::Smooth, b: Label::Smooth }, lost: 0.0 };
    if (0..2).any(|i| is_quadric(contact.shapes[i], contact.toward[i])) {
        return (Candidates::new(), whole);
    }
    let outline = |i: usize| {
        let mut corners = sample(contact.shapes[i], contact.toward[i], samples, angle, contact.slop);
        for corner in &mut corners {
            corner.p = flat(contact.placements[i].point(corner.p));
        }
        corners
    };
    let (x, y) = (outline(0), outline(1));
    let mut found = Candidates::new();
    let mut contact_at = |p: Vec3, a: Label, b: Label| {
        let at = p + Vec3::Z * (contact.depth / 2.0);
        if !found.iter().any(|known| length(known.at - at) <= contact.slop) && !found.is_full() {
            found.push(Candidate { at, depth: contact.depth, feature: Labels { a, b } });
        }
    };
    for corner in x.iter().filter(|c| contains(&y, c.p, contact.slop)) {
        contact_at(corner.p, Label::Vertex(corner.vertex), Label::Face(0));
    }
    for corner in y.iter().filter(|c| contains(&x, c.p, contact.slop)) {
        contact_at(corner.p, Label::Face(0), Label::Vertex(corner.vertex));
    }
    for side_x in sides(&x) {
        for side_y in sides(&y) {
            if let Some(p) = meeting(side_x, side_y) {
                contact_at(p, Label::Edge(side_x[0].edge), Label::Edge(side_y[0].edge));
            }
        }
    }
    sort_around_centre(&mut found);
    (found, whole)
}

fn sides(corners: &[Corner]) -> impl Iterator<Item = [Corner; 2]> + '_ {
    let count = if corners.len() > 2 { corners.len() } else { corners.len().saturating_sub(1) };
    (0..count).map(|i| [corners[i], corners[(i + 1) % corners.len()]])
}

fn centre(points: impl ExactSizeIterator<Item = Vec3>) -> Vec3 {
    let count = points.len() as Real;
    points.sum::<Vec3>() / count
}

/// Whether a point is on the same side of each edge as the polygon's centre, to within rounding.
fn contains(polygon: &[Corner], p: Vec3, slop: Real) -> bool {
    if polygon.len() < 3 {
        return false;
    }
    let centre = centre(polygon.iter().map(|c| c.p));
    sides(polygon).all(|[start, end]| {
        let edge = end.p - start.p;
        let (of_point, of_centre) = (cross(edge, p - start.p), cross(edge, centre - start.p));
        of_point.abs() <= slop * length(edge) || of_point * of_centre >= 0.0
    })
}

/// Where two sides cross: in a plane the shortest line between two lines is the point where they meet.
fn meeting(x: [Corner; 2], y: [Corner; 2]) -> Option<Vec3> {
    let (along_x, along_y) = (x[1].p - x[0].p, y[1].p - y[0].p);
    let between = y[0].p - x[0].p;
    let area = cross(along_x, along_y);
    let (on_x, on_y) = (cross(between, along_y) / area, cross(between, along_x) / area);
    let within = |t: Real| (0.0..=1.0).contains(&t);
    (within(on_x) && within(on_y)).then(|| x[0].p + along_x * on_x)
}

fn sort_around_centre(found: &mut Candidates) {
    if found.is_empty() {
        return;
    }
    let centre = centre(found.iter().map(|c| c.at));
    let mut keyed: ArrayVec<(Real, Candidate), { CANDIDATES }> = found
        .iter()
        .map(|c| {
            let from = c.at - centre;
            (from.y.atan2(from.x), *c)
        })
        .collect();
    keyed.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    *found = keyed.into_iter().map(|(_, c)| c).collect();
}
