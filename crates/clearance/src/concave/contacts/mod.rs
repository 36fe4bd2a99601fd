//! Where two bodies of any shape are in contact: points with normals and depths, a few for each region.
//!
//! Two convex parts have their manifold. Two meshes have the contacts of their features: vertices over faces, faces over vertices, edges
//! across edges, along the normal of the face or across both edges. A mesh and a convex shape have, for each triangle, what is cut
//! out of both along the direction of their nearest points; where that direction leads along the surface to a neighbour of the
//! triangle, as at the rim of what stands on many small triangles, along the normal of the face.
//!
//! No contact comes from inside of a flat or concave part of a surface: a direction counts only if the surface around the point ends
//! there along it, and a vertex or an edge that lies flat in its surface is none.
//!
//! Depths are along the normal of the contact, and at most a few times that of [`closest`](super::closest()): what is farther behind a
//! face is not a contact with that face.
//!
//! A region is a pair of parts and a direction, to within [`SAME_DIRECTION`]: of its contacts the corners of their convex hull are
//! kept, at most as many as asked for, and the deepest. There are at most [`REGIONS`] regions, those with the deepest contacts. A body that
//! stands on four feet of one mesh has one region and four of its corners; one of four parts has four regions.
//!
//! It ends: every pair of pieces is looked at once, and at most `CONTACT_PAIRS` pairs of triangles.
//!
//! [`SAME_DIRECTION`]: crate::tolerance::SAME_DIRECTION

mod ball;
mod block;
mod box_distance;
mod close;
mod features;
mod fields;
mod found;
mod names;
mod nearby;
mod regions;
mod shaped;

use super::bounds::{bounded, pair_error};
use super::meeting::BodyCache;
use super::pieces::Piece;
use super::verbs::{Parts, each_pair_of_boxes};
use crate::answer::{Closest, Contact, End};
use crate::manifold::{MAX_POINTS, ManifoldOptions, along};
use crate::math::{Pose, Real, narrow_real, widen, widen_real};
use crate::shape::{Geometry, Shape};
use crate::tolerance::CONTACT_SIGMAS;
pub use found::{BodyContact, BodyManifold, BodyManifoldOptions, REGION_POINTS, REGIONS};
use found::{Found, Limits};
use names::Bodies;
pub(crate) use names::{BodyNames, corner_of};
use nearby::Room;
use regions::Regions;
use shaped::Shaped;

/// The contacts of two bodies of any shape; none if they are farther apart than the margin.
pub fn manifold<'b>(
    a: impl Into<Geometry<'b>>,
    pose_a: &Pose,
    b: impl Into<Geometry<'b>>,
    pose_b: &Pose,
    cache: &mut BodyCache,
    options: &BodyManifoldOptions,
) -> BodyManifold {
    let mut found = BodyManifold::none();
    find_contacts([a.into(), b.into()], [pose_a, pose_b], (cache, &mut BodyNames::default()), options, &mut found);
    found
}

/// The same, written to where it is wanted: there is room for so many contacts that they are better not moved. If there are none, a lower
/// bound of the distance.
pub(crate) fn find_contacts(
    [a, b]: [Geometry<'_>; 2],
    poses: [&Pose; 2],
    (cache, known): (&mut BodyCache, &mut BodyNames),
    options: &BodyManifoldOptions,
    found: &mut BodyManifold,
) -> Real {
    let bound = gather([a, b], poses, cache, known, options, found);
    if !found.contacts.is_empty() {
        known.remember(found.contacts.iter().map(|contact| contact.features));
    }
    bound
}

fn gather(
    [a, b]: [Geometry<'_>; 2],
    [pose_a, pose_b]: [&Pose; 2],
    cache: &mut BodyCache,
    known: &BodyNames,
    options: &BodyManifoldOptions,
    found: &mut BodyManifold,
) -> Real {
    // What is no number asks for nothing.
    let margin = Real::max(0.0, options.margin);
    let most = options.max_points.clamp(1, REGION_POINTS);
    if a.is_field() || b.is_field() {
        return fields::find_contacts([a, b], [pose_a, pose_b], cache, known, margin, most, found);
    }
    let slop = CONTACT_SIGMAS * pair_error(a, pose_a, b, pose_b);
    let bodies = Bodies::new([a, b], [pose_a, pose_b], widen_real(slop));
    let asked = Asked { margin, slop, still: narrow_real(bodies.still) };
    let mut regions = Regions::new(asked.limits(0.0, 0.0), most, known);
    let deepest = if let (Some(of_a), Some(of_b)) = (Piece::of_body(a), Piece::of_body(b)) {
        let pair = Parts([(of_a, *pose_a, 0), (of_b, *pose_b, 0)]);
        asked.contacts(&pair, cache, &mut regions, &mut found.end).map(|near| (near, pair))
    } else {
        of_parts([a, b], [pose_a, pose_b], cache, &asked, &mut regions, &mut found.end)
    };
    let (near, pair) = match deepest {
        Ok(deepest) => deepest,
        Err(bound) => return bound,
    };
    regions.choose(&bodies, &mut found.contacts);
    if found.contacts.is_empty() {
        // Deep in each other, no two features face each other: the place that `closest` names is a contact all the same. What is near
        // tells the depth of a box along an axis, which may lead beside it.
        found.contacts.push(BodyContact::of(&if pair.are_convex() { near } else { pair.closest(cache) }));
    }
    0.0
}

/// The contacts of the parts of two bodies of which one is a compound; of the pair of parts that is deepest, or nearest, its signed
/// distance; if there are none, a lower bound of the distance. Each pair of parts starts where the last one has ended and has limits of its own: what is farther behind one of
/// them than they are deep in each other is no contact.
fn of_parts<'b>(
    [a, b]: [Geometry<'b>; 2],
    [pose_a, pose_b]: [&Pose; 2],
    cache: &mut BodyCache,
    asked: &Asked,
    regions: &mut Regions<'_>,
    end: &mut End,
) -> Result<(Closest, Parts<'b>), Real> {
    let mut deepest: Option<(Closest, Parts<'b>)> = None;
    let mut bound = Real::INFINITY;
    let beyond = each_pair_of_boxes([a, b], [pose_a, pose_b], asked.margin + asked.slop, |parts| {
        match asked.contacts(&parts, cache, regions, end) {
            Ok(near) if deepest.as_ref().is_some_and(|(best, _)| near.distance >= best.distance) => {}
            Ok(near) => deepest = Some((near, parts)),
            Err(apart) => bound = bound.min(apart),
        }
    });
    deepest.ok_or(bound.min(beyond))
}

/// What is asked of a pair: how near contacts may be, and what is rounding or jitter.
#[derive(Debug, Clone, Copy)]
struct Asked {
    margin: Real,
    slop: Real,
    still: Real,
}

impl Asked {
    fn limits(&self, distance: Real, lower: Real) -> Limits {
        Limits::of([distance, lower], self.margin, self.slop, self.still)
    }

    /// Adds the contacts of two pieces, if they are near enough; their signed distance then, otherwise a lower bound of it.
    fn contacts(
        &self,
        pair: &Parts<'_>,
        cache: &mut BodyCache,
        regions: &mut Regions<'_>,
        end: &mut End,
    ) -> Result<Closest, Real> {
        let [(of_a, pose_a, part_a), (of_b, pose_b, part_b)] = &pair.0;
        let (both, poses, parts) = ([*of_a, *of_b], [pose_a, pose_b], [*part_a, *part_b]);
        // A mesh and a shape are answered from the triangles near the shape, if these are few.
        let mut room = Room::default();
        let shaped = Shaped::of_pieces(both, poses, [self.margin + 2.0 * self.slop, self.slop], &mut room);
        if let Some(apart) = shaped.as_ref().filter(|shaped| shaped.is_apart()) {
            return Err(apart.least_gap(cache));
        }
        let near = shaped.as_ref().and_then(|shaped| shaped.closest(cache));
        let near = near.unwrap_or_else(|| {
            let near = pair.closest(cache);
            if pair.are_convex() { near } else { bounded(near, of_a.body(), pose_a, of_b.body(), pose_b) }
        });
        if near.contact == Contact::Apart && !(near.distance <= self.margin + self.slop) {
            return Err(shaped.map_or(near.lower, |shaped| shaped.least_gap(cache)));
        }
        *end = worse(*end, near.end);
        regions.limits = self.limits(near.distance, near.lower);
        let limits = regions.limits;
        match (both, shaped) {
            ([Piece::Mesh(a), Piece::Mesh(b)], _) => features::contacts([a, b], poses, parts, &limits, regions, end),
            (_, Some(shaped)) => of_shaped(&shaped, &both, parts, &limits, regions, end),
            ([Piece::Convex(a, _), Piece::Convex(b, _)], _) => of_convex([a, b], &both, poses, parts, &near, regions),
            _ => {}
        }
        Ok(near)
    }
}

/// How both have ended: the worse of two ends.
fn worse(one: End, other: End) -> End {
    if one == End::Converged { other } else { one }
}

/// The contacts of two convex pieces.
fn of_convex(
    shapes: [&Shape; 2],
    both: &[Piece<'_>; 2],
    poses: [&Pose; 2],
    parts: [u32; 2],
    near: &Closest,
    regions: &mut Regions<'_>,
) {
    let limits = regions.limits;
    let options =
        ManifoldOptions { max_points: MAX_POINTS, margin: narrow_real(limits.margin), ..ManifoldOptions::default() };
    for point in &along(shapes[0], poses[0], shapes[1], poses[1], near, &options, true).points {
        let features = [0, 1].map(|i| both[i].named(point.features[i], limits.slop).of_part(parts[i]));
        let (on_a, depth) = (widen(point.points[0]), widen_real(point.depth()));
        regions.add(Found { on_a, normal: widen(point.normal), depth, features });
    }
}

/// The contacts of a mesh and a shape, or the other way round.
fn of_shaped(
    shaped: &Shaped<'_>,
    both: &[Piece<'_>; 2],
    parts: [u32; 2],
    limits: &Limits,
    regions: &mut Regions<'_>,
    end: &mut End,
) {
    shaped.contacts(limits, end, |found| {
        let of_mesh = shaped.mesh_side();
        let [on_mesh, on_shape] = found.features;
        let on_shape = both[1 - of_mesh].named(on_shape, limits.slop);
        let features = if of_mesh == 0 { [on_mesh, on_shape] } else { [on_shape, on_mesh] };
        let features = [0, 1].map(|i| features[i].of_part(parts[i]));
        regions.add(if of_mesh == 1 {
            Found { on_a: found.on_a - found.normal * found.depth, normal: -found.normal, features, ..found }
        } else {
            Found { features, ..found }
        });
    });
}
