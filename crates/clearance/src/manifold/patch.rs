//! The part of a body that faces a given direction: a face, a line or a point, by the body's kind.
//!
//! A face is taken if it is tilted against the direction by no more than `FEATURE_TILT`, else an edge that is, else the
//! farthest point. Circles become polygons of sixteen corners on them, at angles fixed in the body (so that ids do not
//! change from frame to frame), with one more corner where a tilted circle is farthest (so that no depth is lost); not for a tilt that is
//! within the jitter of bodies at rest, with which that place would run around the circle.
//! Bodies known by their support only are sampled as in section 2.6 of the thesis, and the samples are taken for a face only
//! if they are flat and far enough apart to be one.

use arrayvec::ArrayVec;

use super::outline::{CORNERS, Corner, Outline};
use super::perturbed::sample;
use crate::math::{Real, Vec3, consts, length, unit_or};
use crate::narrow::Label;
use crate::polytope::Polytope;
use crate::shape::{Core, Shape};
use crate::support::{Support, VertexId};
use crate::tolerance::{FACE_FLATNESS, FEATURE_TILT, RIM_TILT, SAMPLED_FACE_ANGLE};

/// Corners of a circle.
const RING: usize = 16;
/// Half a side between two of them, relative to the radius: sin(π/16), rounded up. No place of the circle is farther from a corner.
const HALF_SIDE: Real = 0.1951;
/// Added to the indices of the lower of two circles.
const LOWER: u32 = 32;
/// The index of a side line and of its upper end.
const SIDE: u32 = 64;

/// The feature of the shape that faces the unit direction `d`, in the shape's frame.
pub(super) fn toward(shape: &Shape, d: Vec3) -> Outline {
    let mut outline = of_core(shape.core(), d);
    outline.round(shape.radius());
    outline
}

fn of_core(core: &Core, d: Vec3) -> Outline {
    match core {
        Core::Point => Outline::point(Label::Vertex(0), Vec3::ZERO, d),
        Core::Ellipsoid { .. } => smooth(core, d),
        Core::Segment { half_length } => {
            let end = |vertex, x: Real| Corner { p: Vec3::X * x, vertex, edge: 0 };
            edge_or_end([end(0, -half_length), end(1, *half_length)], d)
        }
        Core::Rectangle { half_extents: [x, y] } => {
            let corners =
                [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(i, j)| Vec3::new(i * x, j * y, 0.0));
            flat(&corners, Vec3::Z, d)
        }
        Core::Triangle(corners) => {
            flat(corners, unit_or((corners[1] - corners[0]).cross(corners[2] - corners[0]), Vec3::Z), d)
        }
        Core::Polygon(polygon) => flat(polygon.vertices(), polygon.plane().normal, d),
        Core::Cuboid { half_extents: h } => hexahedron([[h.x, h.y]; 2], [h.z, -h.z], d),
        Core::Frustum { bottom, top, bottom_z, top_z } => hexahedron([*top, *bottom], [*top_z, *bottom_z], d),
        Core::Disc { radius } => disc(core, [*radius; 2], d),
        Core::Ellipse { radii } => disc(core, *radii, d),
        Core::Cylinder { half_height, radius } => cylinder(core, *half_height, *radius, d),
        Core::Cone { height, radius } => cone(core, *height, *radius, d),
        Core::TaperedCylinder { radii, heights } => tapered_cylinder(core, *radii, *heights, d),
        Core::Drop { point, ball, radius } => drop(core, [*point, *ball], *radius, d),
        Core::Polytope(polytope) => of_polytope(polytope, d),
        Core::Posed(part) => toward(&part.shape, part.pose.direction_to_local(d)).posed(&part.pose),
        Core::Sum(_) | Core::Hull(_) | Core::Difference(_) | Core::Custom(_) => sampled(core, d),
    }
}

/// The cosine that belongs to the largest tilt of a feature.
fn least_cosine() -> Real {
    (1.0 - FEATURE_TILT * FEATURE_TILT).sqrt()
}

fn smooth(core: &Core, d: Vec3) -> Outline {
    Outline::point(Label::Smooth, core.support(d, VertexId::NONE).point, d)
}

/// The edge if it is nearly across the direction, else its farther end.
fn edge_or_end(ends: [Corner; 2], d: Vec3) -> Outline {
    let rise = d.dot(unit_or(ends[1].p - ends[0].p, Vec3::ZERO));
    if rise.abs() <= FEATURE_TILT {
        return Outline::line(ends, d);
    }
    let end = ends[usize::from(rise > 0.0)];
    Outline::point(Label::Vertex(end.vertex), end.p, d)
}

/// Of several edges that start at one corner, the one most nearly across the direction.
fn best_edge(edges: impl Iterator<Item = [Corner; 2]>, d: Vec3) -> Option<Outline> {
    let rise = |e: &[Corner; 2]| d.dot(unit_or(e[1].p - e[0].p, Vec3::ZERO)).abs();
    edges.min_by(|a, b| rise(a).total_cmp(&rise(b))).map(|ends| edge_or_end(ends, d))
}

/// A flat body: one of its two sides, an edge or a corner.
fn flat(corners: &[Vec3], normal: Vec3, d: Vec3) -> Outline {
    let count = corners.len();
    let corner = |i: usize| Corner { p: corners[i % count], vertex: (i % count) as u32, edge: (i % count) as u32 };
    let cosine = normal.dot(d);
    if cosine.abs() >= least_cosine() {
        let label = u32::from(cosine < 0.0);
        return Outline::face(label, (0..count).map(corner), normal * cosine.signum(), d);
    }
    let value = |&i: &usize| corners[i].dot(d);
    let best = (0..count).max_by(|i, j| value(i).total_cmp(&value(j))).unwrap_or(0);
    let edges = [[corner(best + count - 1), corner(best)], [corner(best), corner(best + 1)]];
    best_edge(edges.into_iter(), d).unwrap_or_else(|| Outline::point(Label::Vertex(best as u32), corners[best], d))
}

/// A box or a frustum: half extents and heights of the upper and the lower end.
fn hexahedron(ends: [[Real; 2]; 2], heights: [Real; 2], d: Vec3) -> Outline {
    let point = |v: u32| {
        let end = usize::from(v & 4 != 0);
        let sign = |bit: u32| if v & bit == 0 { 1.0 } else { -1.0 };
        Vec3::new(ends[end][0] * sign(1), ends[end][1] * sign(2), heights[end])
    };
    let corner = |from: u32, to: u32| Corner {
        p: point(from),
        vertex: from,
        edge: (from ^ to).trailing_zeros() * 8 + (from & to),
    };
    let normal = |face: u32| {
        let sign = if face & 1 == 0 { 1.0 } else { -1.0 };
        let height = heights[0] - heights[1];
        match face / 2 {
            0 => unit_or(Vec3::new(sign * height, 0.0, ends[1][0] - ends[0][0]), Vec3::X),
            1 => unit_or(Vec3::new(0.0, sign * height, ends[1][1] - ends[0][1]), Vec3::Y),
            _ => Vec3::Z * sign,
        }
    };
    let cosine = |face: u32| normal(face).dot(d);
    let face = (1..6).fold(0, |best, face| if cosine(face) > cosine(best) { face } else { best });
    if cosine(face) >= least_cosine() {
        let axis = face / 2;
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        let base = if face & 1 == 0 { 0 } else { 1 << axis };
        let around = [base, base | u, base | u | v, base | v];
        let corners = (0..4).map(|i: usize| corner(around[i], around[(i + 1) % 4]));
        return Outline::face(face, corners, normal(face), d);
    }
    let best = (1..8).fold(0, |best, v| if point(v).dot(d) > point(best).dot(d) { v } else { best });
    let edges = [1, 2, 4].map(|bit: u32| [corner(best, best ^ bit), corner(best ^ bit, best)]);
    best_edge(edges.into_iter(), d).unwrap_or_else(|| Outline::point(Label::Vertex(best), point(best), d))
}

/// A horizontal ellipse as a polygon, seen from above or from below.
fn cap(radii: [Real; 2], z: Real, label: u32, d: Vec3) -> Outline {
    let (s, c) = consts::FRAC_PI_8.sin_cos();
    let quarter = [(1.0, 0.0), (c, s), (consts::FRAC_1_SQRT_2, consts::FRAC_1_SQRT_2), (s, c)];
    let base = label * LOWER;
    let place = |x: Real, y: Real| Vec3::new(radii[0] * x, radii[1] * y, z);
    let mut corners: ArrayVec<Corner, { RING + 1 }> = (0..RING)
        .map(|i| {
            let (x, y) = quarter[i % 4];
            let (x, y) = [(x, y), (-y, x), (-x, -y), (y, -x)][i / 4];
            Corner { p: place(x, y), vertex: base + i as u32, edge: base + i as u32 }
        })
        .collect();
    let lateral = Vec3::new(radii[0] * d.x, radii[1] * d.y, 0.0);
    let tilt = length(Vec3::new(d.x, d.y, 0.0));
    let mut lost = 0.0;
    if tilt <= RIM_TILT {
        lost = tilt * radii[0].max(radii[1]) * HALF_SIDE;
    } else {
        let out = unit_or(lateral, Vec3::X);
        let turn = out.y.atan2(out.x).rem_euclid(consts::TAU) / consts::TAU;
        let after = ((turn * RING as Real) as usize).min(RING - 1);
        let index = base + RING as u32;
        corners.insert(after + 1, Corner { p: place(out.x, out.y), vertex: index, edge: index });
    }
    let normal = if label == 0 { Vec3::Z } else { -Vec3::Z };
    Outline { lost, ..Outline::face(label, corners.iter().copied(), normal, d) }
}

fn disc(core: &Core, radii: [Real; 2], d: Vec3) -> Outline {
    if d.z.abs() >= least_cosine() { cap(radii, 0.0, u32::from(d.z < 0.0), d) } else { smooth(core, d) }
}

/// A straight line on the side of a body of revolution. Across it the surface curves at the radius over the cosine of the mantle's slope.
fn side(top: Vec3, bottom: Vec3, bends: [Real; 2], d: Vec3) -> Outline {
    let end = |p, vertex| Corner { p, vertex, edge: SIDE };
    Outline { bends, ..Outline::line([end(top, SIDE), end(bottom, SIDE + 1)], d) }
}

fn cylinder(core: &Core, half_height: Real, radius: Real, d: Vec3) -> Outline {
    if d.z.abs() >= least_cosine() {
        return cap([radius; 2], half_height.copysign(d.z), u32::from(d.z < 0.0), d);
    }
    if d.z.abs() > FEATURE_TILT {
        return smooth(core, d);
    }
    let out = unit_or(Vec3::new(d.x, d.y, 0.0), Vec3::X) * radius;
    side(out + Vec3::Z * half_height, out - Vec3::Z * half_height, [radius; 2], d)
}

fn cone(core: &Core, height: Real, radius: Real, d: Vec3) -> Outline {
    let out = unit_or(Vec3::new(d.x, d.y, 0.0), Vec3::X);
    let mantle = unit_or(out * height + Vec3::Z * radius, out);
    let cosine = mantle.dot(d);
    if -d.z >= least_cosine() && -d.z >= cosine {
        return cap([radius; 2], -0.25 * height, 1, d);
    }
    if cosine < least_cosine() {
        return smooth(core, d);
    }
    let bends = [0.0, radius / mantle.dot(out)];
    side(Vec3::Z * (0.75 * height), out * radius - Vec3::Z * (0.25 * height), bends, d)
}

fn tapered_cylinder(core: &Core, radii: [Real; 2], heights: [Real; 2], d: Vec3) -> Outline {
    let out = unit_or(Vec3::new(d.x, d.y, 0.0), Vec3::X);
    let mantle = unit_or(out * (heights[1] - heights[0]) + Vec3::Z * (radii[0] - radii[1]), out);
    let cosine = mantle.dot(d);
    if d.z.abs() >= least_cosine() && d.z.abs() >= cosine {
        let up = usize::from(d.z > 0.0);
        return cap([radii[up]; 2], heights[up], u32::from(d.z < 0.0), d);
    }
    if cosine < least_cosine() {
        return smooth(core, d);
    }
    let bends = [radii[1], radii[0]].map(|radius| radius / mantle.dot(out));
    side(out * radii[1] + Vec3::Z * heights[1], out * radii[0] + Vec3::Z * heights[0], bends, d)
}

/// The hull of a point and a ball on the x axis: a line of its mantle, else the farthest point.
fn drop(core: &Core, [point, ball]: [Real; 2], radius: Real, d: Vec3) -> Outline {
    let (out, axis) = (unit_or(Vec3::new(0.0, d.y, d.z), Vec3::Y), Vec3::X * (point - ball).signum());
    let sine = radius / (point - ball).abs();
    let mantle = out * (1.0 - sine * sine).max(0.0).sqrt() + axis * sine;
    if mantle.dot(d) < least_cosine() {
        return smooth(core, d);
    }
    side(Vec3::X * point, Vec3::X * ball + mantle * radius, [0.0, radius], d)
}

/// Of the faces at the farthest vertex the one that faces `d` most, united with those in its plane.
fn of_polytope(polytope: &Polytope, d: Vec3) -> Outline {
    let vertex = polytope.support(d, VertexId::NONE).vertex.0;
    let cosine = |face: &u32| polytope.plane(*face).normal.dot(d);
    let face = polytope.faces_around(vertex).max_by(|f, g| cosine(f).total_cmp(&cosine(g))).unwrap_or(0);
    if cosine(&face) >= least_cosine() {
        return united(polytope, face, d);
    }
    let half_edges = polytope.half_edges();
    let first = polytope.vertex_half_edge(vertex);
    let turn = |&h: &u32| Some(polytope.next(half_edges[h as usize].twin)).filter(|&h| h != first);
    let edges = std::iter::successors(Some(first), turn).map(|h| {
        let twin = half_edges[h as usize].twin;
        [corner(polytope, h), corner(polytope, twin)]
    });
    let point = polytope.vertices()[vertex as usize];
    best_edge(edges, d).unwrap_or_else(|| Outline::point(Label::Vertex(vertex), point, d))
}

fn corner(polytope: &Polytope, half_edge: u32) -> Corner {
    let h = polytope.half_edges()[half_edge as usize];
    Corner { p: polytope.vertices()[h.origin as usize], vertex: h.origin, edge: half_edge.min(h.twin) }
}

/// Faces of one plane, spread from `face` over its neighbours, and their common boundary. A hull is exact, so rounded
/// coordinates split a flat face into pieces whose corners are off its plane by little.
fn united(polytope: &Polytope, face: u32, d: Vec3) -> Outline {
    let half_edges = polytope.half_edges();
    let plane = polytope.plane(face);
    let flatness = FACE_FLATNESS * polytope.bounding_radius();
    let in_plane = |f: u32| {
        polytope.plane(f).normal.dot(plane.normal) > 0.0
            && polytope.face_vertices(f).all(|v| plane.distance(polytope.vertices()[v as usize]).abs() <= flatness)
    };
    let mut faces: ArrayVec<u32, CORNERS> = ArrayVec::new();
    faces.push(face);
    let mut next = 0;
    while next < faces.len() {
        for h in polytope.face_half_edges(faces[next]) {
            let beyond = half_edges[half_edges[h as usize].twin as usize].face;
            if !faces.is_full() && !faces.contains(&beyond) && in_plane(beyond) {
                faces.push(beyond);
            }
        }
        next += 1;
    }
    if faces.len() == 1 {
        let corners = polytope.face_half_edges(face).map(|h| corner(polytope, h));
        return Outline::face(face, corners, plane.normal, d);
    }
    let label = faces.iter().copied().min().unwrap_or(face);
    let boundary = boundary(polytope, &faces);
    Outline { rough: true, ..Outline::face(label, boundary.iter().copied(), vector_area(&boundary), d) }
}

/// The half-edges around a connected set of faces, as many as there is room for.
fn boundary(polytope: &Polytope, faces: &[u32]) -> ArrayVec<Corner, { 4 * CORNERS }> {
    let half_edges = polytope.half_edges();
    let inner = |h: u32| faces.contains(&half_edges[half_edges[h as usize].twin as usize].face);
    let mut corners = ArrayVec::new();
    let Some(first) = faces.iter().flat_map(|&f| polytope.face_half_edges(f)).find(|&h| !inner(h)) else {
        return corners;
    };
    let mut at = first;
    loop {
        corners.push(corner(polytope, at));
        at = polytope.next(at);
        // Turn about the vertex, past the edges inside the set; not all edges of a vertex of the boundary are.
        let mut turns = 0;
        while inner(at) && turns < half_edges.len() {
            at = polytope.next(half_edges[at as usize].twin);
            turns += 1;
        }
        if at == first || corners.is_full() {
            return corners;
        }
    }
}

/// The normal of a nearly flat polygon, scaled by its area.
fn vector_area(corners: &[Corner]) -> Vec3 {
    let first = corners[0].p;
    corners.windows(2).map(|pair| (pair[0].p - first).cross(pair[1].p - first)).sum()
}

/// A body known by its support only.
fn sampled(core: &Core, d: Vec3) -> Outline {
    if core.is_curved(d) {
        return smooth(core, d);
    }
    let reach = core.bounding_radius();
    let mut samples = sample(core, d, RING, SAMPLED_FACE_ANGLE, FACE_FLATNESS * reach);
    if !core.is_polyhedral() {
        // A rounded rim is a little lower beside the face: its samples belong to the face.
        let height = d.dot(core.support(d, VertexId::NONE).point);
        for corner in &mut samples {
            let low = height - d.dot(corner.p);
            corner.p += d * if low <= FACE_FLATNESS * reach { low } else { 0.0 };
        }
    }
    // A curved surface that does not call itself so gives samples this near to each other.
    let near = 4.0 * SAMPLED_FACE_ANGLE * reach;
    let farthest = |from: Vec3| {
        let far = |c: &&Corner| length(c.p - from);
        samples.iter().max_by(|a, b| far(a).total_cmp(&far(b))).copied()
    };
    let Some((start, end)) = samples.first().and_then(|c| farthest(c.p)).and_then(|s| Some((s, farthest(s.p)?))) else {
        return smooth(core, d);
    };
    if length(end.p - start.p) <= near {
        return smooth(core, d);
    }
    let along = unit_or(end.p - start.p, Vec3::X);
    if samples.iter().all(|c| length(along.cross(c.p - start.p)) <= near) {
        return edge_or_end([start, end], d);
    }
    let normal = unit_or(vector_area(&samples), d);
    let is_flat = samples.iter().all(|c| normal.dot(c.p - start.p).abs() <= FACE_FLATNESS * reach);
    if is_flat && normal.dot(d) >= least_cosine() {
        return Outline::face(0, samples.iter().copied(), normal, d);
    }
    smooth(core, d)
}
