//! Two bodies that are not made of others: the one match over convex shapes and meshes.

use super::boolean::meets;
use super::convex::WithConvex;
use super::meeting::{BodyCache, Meeting};
use super::on_surface::face_at;
use super::surfaces::{CONTACT_PAIRS, Surfaces};
use crate::answer::{Closest, Contact, Element, End, Feature, Overlap, Witness};
use crate::math::triangle::{exit, triangles_meet};
use crate::math::{Pose, Real, Vec3, narrow, narrow_real, widen, widen_real};
use crate::narrow;
use crate::shape::mesh::Mesh;
use crate::shape::{Core, Geometry, Leaf, Shape};
use crate::tolerance::{TOUCHING_SIGMAS, sigma};

/// A convex shape or a mesh. A convex mesh is its polytope, with the mesh beside it for the names of its faces.
#[derive(Clone, Copy)]
pub(super) enum Piece<'b> {
    Convex(&'b Shape, Option<&'b Mesh>),
    Mesh(&'b Mesh),
}

impl<'b> Piece<'b> {
    pub fn of_leaf(leaf: &'b Leaf) -> Self {
        match leaf {
            Leaf::Convex(shape) => Self::Convex(shape, None),
            Leaf::Mesh(mesh) => Self::of_mesh(mesh),
        }
    }

    /// The body, unless it is made of others.
    pub fn of_body(body: Geometry<'b>) -> Option<Self> {
        match body {
            Geometry::Convex(shape) => Some(Self::Convex(shape, None)),
            Geometry::Mesh(mesh) => Some(Self::of_mesh(mesh)),
            _ => None,
        }
    }

    fn of_mesh(mesh: &'b Mesh) -> Self {
        mesh.convex().map_or(Self::Mesh(mesh), |shape| Self::Convex(shape, Some(mesh)))
    }

    /// The face of a convex mesh at a point of it that faces a direction, both in the world; no face for any other piece.
    pub fn face_at(&self, pose: &Pose, point: Vec3, direction: Vec3, error: Real) -> Option<Feature> {
        let Self::Convex(_, Some(mesh)) = self else {
            return None;
        };
        let (local, along) = (widen(pose.point_to_local(point)), widen(pose.direction_to_local(direction)));
        face_at(mesh, local, along, widen_real(error)).map(|triangle| Feature::given(0, mesh.given_face(triangle)))
    }

    /// The name of a feature of a convex mesh, given as that of its polytope: a face by the lowest of its corners. Others keep theirs.
    pub fn named(&self, feature: Feature, error: f64) -> Feature {
        let Self::Convex(shape, Some(mesh)) = self else {
            return feature;
        };
        let corner = |v: u32| mesh.hull_corner(v).unwrap_or(v);
        let element = match (feature.element, shape.core()) {
            (Element::Vertex(v), _) => Element::Vertex(corner(v)),
            (Element::Edge([v, w]), _) => Feature::edge(corner(v), corner(w)).element,
            (Element::Face(face), Core::Polytope(polytope)) if (face as usize) < polytope.face_count() => {
                let normal = widen(polytope.plane(face).normal);
                let place = polytope.face_vertices(face).min().map(|v| widen(polytope.vertices()[v as usize]));
                let triangle = place.and_then(|place| face_at(mesh, place, normal, error));
                triangle.map_or(Element::Whole, |t| Feature::given(0, mesh.given_face(t)).element)
            }
            (other, _) => other,
        };
        Feature { element, ..feature }
    }

    /// The body that the piece is.
    pub fn body(&self) -> Geometry<'b> {
        match *self {
            Self::Convex(_, Some(mesh)) | Self::Mesh(mesh) => Geometry::Mesh(mesh),
            Self::Convex(shape, None) => Geometry::Convex(shape),
        }
    }

    pub fn hull(&self) -> Option<&'b Shape> {
        match self {
            Self::Convex(shape, _) => Some(shape),
            Self::Mesh(_) => None,
        }
    }
}

/// The signed distance of two pieces.
pub(super) fn closest(a: Piece, pose_a: &Pose, b: Piece, pose_b: &Pose, cache: &mut BodyCache) -> Closest {
    match (a, b) {
        (Piece::Convex(shape_a, _), Piece::Convex(shape_b, _)) => {
            let near = narrow::closest(shape_a, pose_a, shape_b, pose_b, &mut cache.convex);
            named(near, [a, b], [pose_a, pose_b])
        }
        (Piece::Mesh(mesh), Piece::Convex(shape, _)) => {
            let pair = WithConvex::new(mesh, pose_a, shape, pose_b);
            let near = pair.closest(&mut cache.convex, Real::INFINITY).in_the_world(pose_a, pair.sigma);
            named(near, [a, b], [pose_a, pose_b])
        }
        (Piece::Convex(shape, _), Piece::Mesh(mesh)) => {
            let pair = WithConvex::new(mesh, pose_b, shape, pose_a);
            let near = pair.closest(&mut cache.convex, Real::INFINITY).swapped().in_the_world(pose_b, pair.sigma);
            named(near, [a, b], [pose_a, pose_b])
        }
        (Piece::Mesh(mesh_a), Piece::Mesh(mesh_b)) => {
            let pair = Surfaces::new(mesh_a, pose_a, mesh_b, pose_b);
            let start = pair.hull_start([pose_a, pose_b], &mut cache.convex);
            let near = match start {
                // As near as the hulls are: nothing is nearer.
                Some((lower, at)) => Some(pair.between(at)).filter(|near| near.distance <= lower + 2.0 * pair.sigma),
                None => None,
            };
            let near = near.unwrap_or_else(|| pair.distance(start.map(|(_, at)| at).or(cache.triangles)));
            cache.triangles = Some(near.triangles);
            let local = if start.is_some() {
                pair.apart(&near)
            } else if near.distance > pair.sigma {
                pair.contained()
                    .map_or_else(|| pair.apart(&near), |deep| pair.meeting(&near, (Some(deep), End::Converged)))
            } else {
                pair.meeting(&near, pair.contact(f64::INFINITY))
            };
            local.in_the_world(pose_a, narrow_real(pair.sigma))
        }
    }
}

/// The answer with the faces of convex meshes named.
fn named(mut near: Closest, pieces: [Piece; 2], poses: [&Pose; 2]) -> Closest {
    if !pieces.iter().any(|piece| matches!(piece, Piece::Convex(_, Some(_)))) {
        return near;
    }
    if near.contact == Contact::Touching {
        // What touches is at a distance of zero, as other meshes are.
        let [p, q] = near.points;
        let (lower, upper) = (near.lower.min(0.0), near.upper.max(0.0));
        near = Closest { distance: 0.0, lower, upper, points: [p + (q - p) / 2.0; 2], ..near };
    }
    let error = TOUCHING_SIGMAS * pair_sigma(pieces, poses);
    for (i, sign) in [(0, 1.0), (1, -1.0)] {
        if let Some(face) = pieces[i].face_at(poses[i], near.points[i], near.normal * sign, error) {
            near.features[i] = face;
        }
    }
    near
}

fn pair_sigma(pieces: [Piece; 2], poses: [&Pose; 2]) -> Real {
    let reach = |piece: Piece| match piece {
        Piece::Convex(shape, _) => shape.bounding_radius(),
        Piece::Mesh(mesh) => mesh.bounding_radius(),
    };
    // Points come from the world and go back to a mesh's frame, where they are off by the rounding of the world's coordinates.
    let world = poses.map(|pose| pose.translation().abs().element_sum());
    sigma(reach(pieces[0]) + reach(pieces[1]) + world[0] + world[1])
}

/// Whether two pieces share a point.
pub(super) fn overlap(a: Piece, pose_a: &Pose, b: Piece, pose_b: &Pose, cache: &mut BodyCache) -> Meeting {
    match (a, b) {
        (Piece::Convex(shape_a, _), Piece::Convex(shape_b, _)) => {
            let answer = narrow::overlap(shape_a, pose_a, shape_b, pose_b, &mut cache.convex);
            if !answer.overlap {
                return Meeting { witness: answer.witness, ..apart(0.0, answer.iterations) };
            }
            let near =
                named(narrow::closest(shape_a, pose_a, shape_b, pose_b, &mut cache.convex), [a, b], [pose_a, pose_b]);
            let contact = if near.contact == Contact::Overlapping { Contact::Overlapping } else { Contact::Touching };
            Meeting { contact, witness: answer.witness, end: answer.end, ..meeting(&near) }
        }
        (Piece::Mesh(mesh), Piece::Convex(shape, _)) => {
            let pair = WithConvex::new(mesh, pose_a, shape, pose_b);
            let (found, gap, tested) = pair.overlap(&mut cache.convex);
            let Some(local) = found else { return apart(gap, tested) };
            let near = local.in_the_world(pose_a, pair.sigma);
            shown(meeting(&near), || meets(mesh, pose_a, shape, pose_b, cache))
        }
        (Piece::Convex(shape, _), Piece::Mesh(mesh)) => {
            let pair = WithConvex::new(mesh, pose_b, shape, pose_a);
            let (found, gap, tested) = pair.overlap(&mut cache.convex);
            let Some(local) = found else { return apart(gap, tested) };
            let near = local.swapped().in_the_world(pose_b, pair.sigma);
            shown(meeting(&near), || meets(mesh, pose_b, shape, pose_a, cache))
        }
        (Piece::Mesh(a), Piece::Mesh(b)) => mesh_overlap(&Surfaces::new(a, pose_a, b, pose_b), pose_a, cache),
    }
}

fn mesh_overlap(pair: &Surfaces<'_>, pose_a: &Pose, cache: &mut BodyCache) -> Meeting {
    // Triangles that went through each other the last time are likely to do so again.
    if let Some(triangles) = cache.triangles.filter(|&triangles| pair.has(triangles))
        && pair.go_through(triangles)
    {
        let [p, q] = pair.between(triangles).points;
        return touching(pair, pose_a, triangles, (p + q) * 0.5, Contact::Overlapping, 1);
    }
    let (mut met, mut tested, mut touched, mut crossing, mut nearest) = (None, 0, 0, false, f64::INFINITY);
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
            } else {
                // Surfaces that coincide have many such pairs, and none that is deep.
                touched += 1_u32;
                crossing = touched.is_power_of_two() && pair.overlap_beside([i, j]);
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
    cache.triangles = Some(triangles);
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

/// A common point from a boolean query, if there is one: the deepest points of two pieces need not be in both.
fn shown(met: Meeting, ask: impl FnOnce() -> Overlap) -> Meeting {
    if met.contact != Contact::Overlapping {
        return met;
    }
    let asked = ask();
    match asked.witness {
        Witness::Point(point) => {
            let end = if met.end == End::Converged { asked.end } else { met.end };
            Meeting { witness: Witness::Point(point), end, ..met }
        }
        _ => met,
    }
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
