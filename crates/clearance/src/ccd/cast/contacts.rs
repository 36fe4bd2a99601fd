//! All contacts within a distance of bodies with flat faces: every vertex over a face, every two edges across each other.

use super::super::polyhedra::{self, CastError, CastScratch, FeatureContact, Polyhedron};
use super::features::{contact_point, of_polyhedron};
use super::pair::Placed;
use super::parts::{part_count, placed};
use crate::answer::ContactPoint;
use crate::math::{Pose, Real, Vec3};
use crate::shape::BodyRef;

/// All contacts of a vertex of one body with a face of the other, and of two edges, that are within a distance. Those found are appended
/// to the list. Parts of compounds are looked at one by one.
///
/// # Errors
/// If the distance is negative or not finite, a part of a body is curved, or the coordinates are too large for the precision.
///
/// ```
/// use clearance::ccd::{contacts_between, polyhedra::CastScratch};
/// use clearance::{Body, Pose, Shape, Vec3};
/// let (cube, floor) = (Body::from(Shape::cuboid([0.5, 0.5, 0.5])?), Body::from(Shape::cuboid([4.0, 4.0, 1.0])?));
/// let (above, mut list) = (Pose::from_translation([0.0, 0.0, 1.75])?, Vec::new());
/// contacts_between(&floor, &Pose::IDENTITY, &cube, &above, 0.5, &mut CastScratch::default(), &mut list)?;
/// assert!(list.len() == 4 && list.iter().all(|contact| contact.normal == Vec3::Z));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts_between<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    distance: Real,
    scratch: &mut CastScratch,
    list: &mut Vec<ContactPoint>,
) -> Result<(), CastError> {
    let (a, b) = (a.into(), b.into());
    for (side, body) in [('a', &a), ('b', &b)] {
        if body.padding > 0.0 {
            return Err(CastError::Curved { body: side, part: 0 });
        }
    }
    let (a, b) = (a.geometry(), b.geometry());
    for i in 0..part_count(a) {
        let Some(part_a) = placed(a, i, pose_a) else { continue };
        for j in 0..part_count(b) {
            let Some(part_b) = placed(b, j, pose_b) else { continue };
            of_parts([&part_a, &part_b], distance, scratch, list)?;
        }
    }
    Ok(())
}

fn of_parts(
    parts: [&Placed<'_>; 2],
    distance: Real,
    scratch: &mut CastScratch,
    list: &mut Vec<ContactPoint>,
) -> Result<(), CastError> {
    let sides = |side: usize, scratch: &mut CastScratch| {
        let curved = CastError::Curved { body: ['a', 'b'][side], part: parts[side].number };
        parts[side].sides(scratch).ok_or(curved)
    };
    let (sides_a, sides_b) = (sides(0, scratch)?, sides(1, scratch)?);
    let bounds = parts[1].body.aabb(&parts[1].pose);
    let begin = list.len();
    let mut new = std::mem::take(&mut scratch.contacts);
    for a in sides_a.iter() {
        for b in sides_b.iter() {
            new.clear();
            polyhedra::contacts(a, &parts[0].pose, b, &parts[1].pose, distance, scratch, &mut new)?;
            let others = begin..list.len();
            for found in &new {
                add(list, others.clone(), point(found, [a, b], parts), bounds.center());
            }
        }
    }
    scratch.contacts = new;
    Ok(())
}

fn point(found: &FeatureContact, sides: [&Polyhedron; 2], parts: [&Placed<'_>; 2]) -> ContactPoint {
    let features = [0, 1].map(|i| of_polyhedron(sides[i], found.features[i], parts[i].number));
    contact_point(found.point, found.normal, found.distance, features)
}

/// Adds a contact. What touches a sheet is near both its sides: of the two, the one counts that b is on.
fn add(list: &mut Vec<ContactPoint>, others: std::ops::Range<usize>, new: ContactPoint, of_b: Vec3) {
    let toward = |contact: &ContactPoint| contact.normal.dot(of_b - contact.points[0]);
    // The place of a contact is the point of the feature that is one.
    let same = |other: &&mut ContactPoint| {
        other.features == new.features && (other.points[0] == new.points[0] || other.points[1] == new.points[1])
    };
    match list[others].iter_mut().find(same) {
        Some(known) if toward(known) < toward(&new) => *known = new,
        Some(_) => {}
        None => list.push(new),
    }
}
