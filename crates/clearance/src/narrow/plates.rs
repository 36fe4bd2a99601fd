//! Common points of bodies of which one is a thin plate that the other passes through by a hair.
//!
//! The points that a search for the distance ends with are then as far apart as the bodies are deep in each other, and on one of them
//! each. A point of the one body in the plane of the other is on both if it is within the outline.

use std::cmp::Ordering;

use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};

use super::pair::Pair;
use crate::math::{Real, Vec3, narrow, widen, widen_real};
use crate::shape::Core;
use crate::support::{Support, VertexId};

/// A plane: the unit normal and the offset along it.
type Plane = (DVec3, f64);

/// The plane of a flat core in its own frame; nothing of others.
fn plane(core: &Core) -> Option<Plane> {
    match core {
        Core::Triangle([a, b, c]) => {
            let normal = (widen(*b) - widen(*a)).cross(widen(*c) - widen(*a)).try_normalize()?;
            Some((normal, normal.dot(widen(*a))))
        }
        Core::Rectangle { .. } | Core::Disc { .. } | Core::Ellipse { .. } => Some((DVec3::Z, 0.0)),
        Core::Polygon(polygon) => {
            let normal = widen(polygon.plane().normal).try_normalize()?;
            Some((normal, normal.dot(widen(*polygon.vertices().first()?))))
        }
        _ => None,
    }
}

/// Points in the frame of A that may be common to both: of each body in the plane of the other, on the way between its ends across the plane; and
/// of two plates the middle of what they have in common of the line in which their planes cross. Nothing unless a core is flat.
pub(super) fn crossings(pair: &Pair<'_>) -> ArrayVec<Vec3, 3> {
    let of_a = plane(pair.m.a);
    let rotation = [pair.m.rotation.x_axis, pair.m.rotation.y_axis, pair.m.rotation.z_axis].map(widen);
    let rotation = DMat3::from_cols(rotation[0], rotation[1], rotation[2]);
    let shift = widen(pair.m.translation);
    let of_b = plane(pair.m.b).map(|(normal, offset)| (rotation * normal, offset + (rotation * normal).dot(shift)));
    let mut found = ArrayVec::new();
    let end_of_a = |d: Vec3| pair.m.a.support(d, VertexId::NONE).point;
    let end_of_b = |d: Vec3| {
        let end = pair.m.b.support(pair.m.rotation.transpose() * d, VertexId::NONE).point;
        pair.m.rotation * end + pair.m.translation
    };
    found.extend(of_a.and_then(|plane| through(plane, end_of_b)));
    found.extend(of_b.and_then(|plane| through(plane, end_of_a)));
    let line = of_a.zip(of_b).and_then(|planes| meeting_line(planes, shift));
    found.extend(line.and_then(|(at, along)| {
        let back = rotation.transpose();
        let of_a = section(pair.m.a, [at, along])?;
        let of_b = section(pair.m.b, [back * (at - shift), back * along])?;
        let [low, high] = [of_a[0].max(of_b[0]), of_a[1].min(of_b[1])];
        Some(narrow(at + along * (0.5 * (low + high)))).filter(|point| point.is_finite())
    }));
    found
}

/// Where the way between the ends of a body across a plane passes through it.
fn through((normal, offset): Plane, end: impl Fn(Vec3) -> Vec3) -> Option<Vec3> {
    let [above, below] = [normal, -normal].map(|d| widen(end(narrow(d))));
    let [high, low] = [above, below].map(|p| normal.dot(p) - offset);
    let share = high / (high - low);
    (0.0..=1.0).contains(&share).then(|| narrow(above + (below - above) * share))
}

/// The line in which two planes cross: its point nearest to a point, and its direction; nothing if they are nearly parallel.
fn meeting_line(((a, of_a), (b, of_b)): (Plane, Plane), near: DVec3) -> Option<(DVec3, DVec3)> {
    let [off_a, off_b] = [of_a - a.dot(near), of_b - b.dot(near)];
    let along = a.cross(b);
    let under = along.length_squared();
    let cosine = a.dot(b);
    let [s, t] = [(off_a - cosine * off_b) / under, (off_b - cosine * off_a) / under];
    (under > f64::EPSILON).then(|| (near + a * s + b * t, along / under.sqrt()))
}

/// From where to where a line in the plane of a convex polygon is in it.
fn of_polygon(count: usize, corner: impl Fn(usize) -> DVec3, normal: DVec3, [at, along]: [DVec3; 2]) -> [f64; 2] {
    let mut ends = [f64::NEG_INFINITY, f64::INFINITY];
    for i in 0..count {
        let inward = normal.cross(corner((i + 1) % count) - corner(i));
        let (height, rise) = (inward.dot(at - corner(i)), inward.dot(along));
        match rise.partial_cmp(&0.0) {
            Some(Ordering::Greater) => ends[0] = ends[0].max(-height / rise),
            Some(Ordering::Less) => ends[1] = ends[1].min(-height / rise),
            _ => {}
        }
    }
    ends
}

/// From where to where a line in the plane of a flat core is in the core; nothing of other cores.
fn section(core: &Core, [at, along]: [DVec3; 2]) -> Option<[f64; 2]> {
    let of_ellipse = |radii: [Real; 2]| {
        let scale = DVec3::new(1.0 / widen_real(radii[0]), 1.0 / widen_real(radii[1]), 0.0);
        let (p, u) = (at * scale, along * scale);
        let (square, half) = (u.length_squared(), p.dot(u));
        // The line may pass beside it by rounding.
        let root = (half * half - square * (p.length_squared() - 1.0)).max(0.0).sqrt();
        [(-half - root) / square, (-half + root) / square]
    };
    let line = [at, along];
    Some(match core {
        Core::Triangle(corners) => of_polygon(3, |i| widen(corners[i]), plane(core)?.0, line),
        Core::Rectangle { half_extents: [x, y] } => {
            let [x, y] = [*x, *y].map(widen_real);
            let corners = [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| DVec3::new(x, y, 0.0));
            of_polygon(4, |i| corners[i], DVec3::Z, line)
        }
        Core::Polygon(polygon) => {
            let corners = polygon.vertices();
            of_polygon(corners.len(), |i| widen(corners[i]), plane(core)?.0, line)
        }
        Core::Disc { radius } => of_ellipse([*radius; 2]),
        Core::Ellipse { radii } => of_ellipse(*radii),
        _ => return None,
    })
}
