//! Two bodies that are not made of others: the one match over convex shapes and meshes.

use super::convex::WithConvex;
use super::meeting::{BodyCache, Meeting};
use super::surfaces::{CONTACT_PAIRS, Surfaces};
use crate::answer::{Closest, Contact, End, Feature, Witness};
use crate::math::triangle::{exit, triangles_meet};
use crate::math::{Pose, Real, narrow, narrow_real};
use crate::narrow;
use crate::shape::mesh::Mesh;
use crate::shape::{Geometry, Leaf, Shape};

/// A convex shape or a mesh.
#[derive(Clone, Copy)]
pub(super) enum Piece<'b> {
    Convex(&'b Shape),
    Mesh(&'b Mesh),
}

impl<'b> Piece<'b> {
    pub fn of_leaf(leaf: &'b Leaf) -> Self {
        match leaf {
            Leaf::Convex(shape) => Self::Convex(shape),
            Leaf::Mesh(mesh) => Self::Mesh(mesh),
        }
    }

    /// The body, unless it is made of others.
    pub fn of_body(body: Geometry<'b>) -> Option<Self> {
        match body {
            Geometry::Convex(shape) => Some(Self::Convex(shape)),
            Geometry::Mesh(mesh) => Some(Self::Mesh(mesh)),
            _ => None,
        }
    }

    pub fn hull(&self) -> Option<&'b Shape> {
        match self {
            Self::Convex(shape) => Some(shape),
            Self::Mesh(_) => None,
        }
    }
}

/// The signed distance of two pieces.
pub(super) fn closest(a: Piece, pose_a: &Pose, b: Piece, pose_b: &Pose, cache: &mut BodyCache) -> Closest {
    match (a, b) {
        (Piece::Convex(a), Piece::Convex(b)) => narrow::closest(a, pose_a, b, pose_b, &mut cache.convex),
        (Piece::Mesh(mesh), Piece::Convex(shape)) => {
            let pair = WithConvex::new(mesh, pose_a, shape, pose_b);
            pair.closest(&mut cache.convex, Real::INFINITY).in_the_world(pose_a, pair.sigma)
        }
        (Piece::Convex(shape), Piece::Mesh(mesh)) => {
            let pair = WithConvex::new(mesh, pose_b, shape, pose_a);
            pair.closest(&mut cache.convex, Real::INFINITY).swapped().in_the_world(pose_b, pair.sigma)
        }
        (Piece::Mesh(mesh_a), Piece::Mesh(mesh_b)) => {
            let pair = Surfaces::new(mesh_a, pose_a, mesh_b, pose_b);
            let near = pair.distance(cache.triangles);
            cache.triangles = Some(near.triangles);
            let local = if near.distance > pair.sigma {
                pair.contained()
                    .map_or_else(|| pair.apart(&near), |deep| pair.meeting(&near, (Some(deep), End::Converged)))
            } else {
                pair.meeting(&near, pair.contact(f64::INFINITY))
            };
            local.in_the_world(pose_a, narrow_real(pair.sigma))
        }
    }
}

/// Whether two pieces share a point.
pub(super) fn overlap(a: Piece, pose_a: &Pose, b: Piece, pose_b: &Pose, cache: &mut BodyCache) -> Meeting {
    match (a, b) {
        (Piece::Convex(a), Piece::Convex(b)) => {
            let answer = narrow::overlap(a, pose_a, b, pose_b, &mut cache.convex);
            if !answer.overlap {
                return Meeting { witness: answer.witness, ..apart(0.0, answer.iterations) };
            }
            let near = narrow::closest(a, pose_a, b, pose_b, &mut cache.convex);
            let contact = if near.contact == Contact::Overlapping { Contact::Overlapping } else { Contact::Touching };
            Meeting { contact, witness: answer.witness, end: answer.end, ..meeting(&near) }
        }
        (Piece::Mesh(mesh), Piece::Convex(shape)) => {
            let pair = WithConvex::new(mesh, pose_a, shape, pose_b);
            let (found, gap, tested) = pair.overlap(&mut cache.convex);
            found.map_or_else(|| apart(gap, tested), |local| meeting(&local.in_the_world(pose_a, pair.sigma)))
        }
        (Piece::Convex(shape), Piece::Mesh(mesh)) => {
            let pair = WithConvex::new(mesh, pose_b, shape, pose_a);
            let (found, gap, tested) = pair.overlap(&mut cache.convex);
            found.map_or_else(|| apart(gap, tested), |local| meeting(&local.swapped().in_the_world(pose_b, pair.sigma)))
        }
        (Piece::Mesh(a), Piece::Mesh(b)) => mesh_overlap(&Surfaces::new(a, pose_a, b, pose_b), pose_a),
    }
}

fn mesh_overlap(pair: &Surfaces<'_>, pose_a: &Pose) -> Meeting {
    let (mut met, mut tested, mut crossing, mut nearest) = (None, 0, false, f64::INFINITY);
    let gap = pair.near_pairs(|i, j, bound| {
        tested += 1;
        let (a, b) = (pair.triangle_a(i), pair.triangle_b(j));
        let meets = triangles_meet(&a.corners, &b.corners);
        let distance = if meets { 0.0 } else { pair.between([i, j]).distance };
        nearest = nearest.min(distance);
        if distance <= pair.sigma {
            met = met.or(Some([i, j]));
            if exit(&a, &b, pair.sigma).is_some_and(|exit| exit.depth > pair.tolerance()) {
                met = Some([i, j]);
                crossing = true;
            }
        }
        match met {
            // All that is left to find is one that is deep.
            Some(_) if crossing || tested > CONTACT_PAIRS => Real::NEG_INFINITY,
            Some(_) => Real::min(bound, narrow_real(-pair.tolerance())),
            None => bound,
        }
    });
    let Some(triangles) = met else {
        let deep = pair.contained();
        let Some(deep) = deep else {
            return apart(narrow_real(gap.min(nearest - pair.sigma)), tested);
        };
        let [on_a, on_b] = deep.points;
        // The point inside, not the one on the surface.
        let point = if deep.triangles[0] == super::surfaces::NONE { on_a } else { on_b };
        return touching(pair, pose_a, deep.triangles, point, Contact::Overlapping, tested);
    };
    let (deep, end) = if crossing { (None, End::Converged) } else { pair.contact(pair.tolerance()) };
    let deep = crossing || deep.is_some_and(|deep| deep.depth > pair.tolerance());
    let contact = if deep { Contact::Overlapping } else { Contact::Touching };
    let [p, q] = pair.between(triangles).points;
    Meeting { end, ..touching(pair, pose_a, triangles, (p + q) * 0.5, contact, tested) }
}

fn touching(
    pair: &Surfaces<'_>,
    pose_a: &Pose,
    triangles: [u32; 2],
    point: glam::DVec3,
    contact: Contact,
    tested: u32,
) -> Meeting {
    Meeting {
        contact,
        witness: Witness::Point(pose_a.point(narrow(point))),
        features: pair.element(triangles),
        end: End::Converged,
        iterations: tested,
    }
}

fn apart(gap: Real, iterations: u32) -> Meeting {
    let end = End::Converged;
    Meeting { contact: Contact::Apart, witness: Witness::Gap(gap), features: [Feature::WHOLE; 2], end, iterations }
}

/// The boolean of a signed distance.
fn meeting(near: &Closest) -> Meeting {
    let [p, q] = near.points;
    Meeting {
        contact: near.contact,
        witness: Witness::Point(p + (q - p) * 0.5),
        features: near.features,
        end: near.end,
        iterations: near.iterations,
    }
}
