//! The contacts of two meshes: vertices over faces, faces over vertices, edges across edges.

use std::cell::Cell;

use glam::DVec3;

use super::found::{Found, Limits};
use super::names::of_triangle;
use super::regions::Regions;
use crate::answer::{Element, Feature};
use crate::concave::surfaces::{CONTACT_PAIRS, Surfaces};
use crate::math::triangle::{Prepared, foot};
use crate::math::{Pose, narrow_real, widen, widen_real};
use crate::narrow::End;
use crate::shape::mesh::Mesh;
use crate::tolerance::{EDGE_WEDGE, PARALLEL_LINES};

/// Triangles that are looked at around points before the search ends with what was found: where many meet in one point, as at the pole
/// of a sphere, all pairs of them look at all of them.
const MOST_LOOKS: u32 = 1 << 22;

pub(super) fn contacts(
    meshes: [&Mesh; 2],
    [pose_a, pose_b]: [&Pose; 2],
    parts: [u32; 2],
    limits: &Limits,
    regions: &mut Regions<'_>,
    end: &mut End,
) {
    let pair = Surfaces::new(meshes[0], pose_a, meshes[1], pose_b);
    let turn = pose_a.matrix();
    let out = |d: DVec3| widen(turn.x_axis) * d.x + widen(turn.y_axis) * d.y + widen(turn.z_axis) * d.z;
    let mut near = Closest { pair: &pair, limits, looked: Cell::new(0) };
    let mut tested = 0;
    let reach = narrow_real(limits.margin + limits.slop);
    let mut visit = |i: u32, j: u32| {
        tested += 1;
        if tested > CONTACT_PAIRS || near.looked.get() > MOST_LOOKS {
            return false;
        }
        let faces =
            [Feature::given(parts[0], meshes[0].given_face(i)), Feature::given(parts[1], meshes[1].given_face(j))];
        let corners = [meshes[0].triangle_corners(i), meshes[1].triangle_corners(j)];
        near.triangles(i, j, &mut |touch: Touch| {
            let on_a = out(touch.on_a) + widen(pose_a.translation());
            let features = [0, 1].map(|side| of_triangle(touch.elements[side], corners[side], faces[side]));
            regions.add(Found { on_a, normal: out(touch.normal), depth: touch.depth, features });
        });
        true
    };
    pair.pairs_within(reach, &mut visit);
    if tested > CONTACT_PAIRS || near.looked.get() > MOST_LOOKS {
        *end = End::IterationLimit;
    }
}

struct Closest<'s, 'm> {
    pair: &'s Surfaces<'m>,
    limits: &'s Limits,
    /// Triangles looked at around points.
    looked: Cell<u32>,
}

/// A contact of two triangles in the frame of A; the elements have the numbers of corners within their triangles.
struct Touch {
    on_a: DVec3,
    normal: DVec3,
    depth: f64,
    elements: [Element; 2],
}

/// Which of the two bodies.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    A,
    B,
}

impl Closest<'_, '_> {
    fn triangles(&mut self, i: u32, j: u32, add: &mut impl FnMut(Touch)) {
        let (a, b) = (self.pair.triangle_a(i), self.pair.triangle_b(j));
        let corners_a = self.pair.a.triangle_corners(i);
        let corners_b = self.pair.b.triangle_corners(j);
        if let Some(normal) = a.normal.try_normalize() {
            for (k, (place, &vertex)) in b.corners.iter().zip(&corners_b).enumerate() {
                if let Some(height) = self.over(&a, normal, *place)
                    && !self.pair.b.is_internal_vertex(vertex)
                    && self.ends(Of::B, *place, -normal)
                {
                    let elements = [Element::Face(0), Element::Vertex(k as u32)];
                    add(Touch { on_a: *place - normal * height, normal, depth: -height, elements });
                }
            }
        }
        if let Some(normal) = b.normal.try_normalize() {
            for (k, (place, &vertex)) in a.corners.iter().zip(&corners_a).enumerate() {
                if let Some(height) = self.over(&b, normal, *place)
                    && !self.pair.a.is_internal_vertex(vertex)
                    && self.ends(Of::A, *place, -normal)
                {
                    let elements = [Element::Vertex(k as u32), Element::Face(0)];
                    add(Touch { on_a: *place, normal: -normal, depth: -height, elements });
                }
            }
        }
        self.edges(&a, &b, add);
    }

    /// How far a point is above a triangle, if it is within the limits and over it.
    fn over(&self, face: &Prepared, normal: DVec3, point: DVec3) -> Option<f64> {
        let height = normal.dot(point - face.corners[0]);
        let below = point - normal * height;
        (self.limits.accepts(-height) && foot(face, below).distance(below) <= self.limits.slop).then_some(height)
    }

    fn edges(&self, a: &Prepared, b: &Prepared, add: &mut impl FnMut(Touch)) {
        let sides = |t: &Prepared| {
            let [p, q, r] = t.corners;
            [[p, q], [q, r], [r, p]]
        };
        let [face_a, face_b] = [a, b].map(|t| t.normal.try_normalize());
        for (m, s) in sides(a).into_iter().enumerate() {
            for (n, t) in sides(b).into_iter().enumerate() {
                let elements = [m as u32, n as u32].map(|i| Element::Edge([i, (i + 1) % 3]));
                // The sides of a face cut off what rests on it, whatever is beyond them.
                if let Some(normal) = face_a
                    && let Some([p, q]) = crossing(s, t, normal, self.limits.slop)
                    && self.limits.accepts(-normal.dot(q - p))
                    && self.is_side(Of::A, p, normal)
                    && self.is_edge(Of::B, q, -normal)
                {
                    add(Touch { on_a: p, normal, depth: -normal.dot(q - p), elements });
                    continue;
                }
                if let Some(normal) = face_b.map(|normal| -normal)
                    && let Some([p, q]) = crossing(s, t, normal, self.limits.slop)
                    && self.limits.accepts(-normal.dot(q - p))
                    && self.is_side(Of::B, q, -normal)
                    && self.is_edge(Of::A, p, normal)
                {
                    add(Touch { on_a: p, normal, depth: -normal.dot(q - p), elements });
                    continue;
                }
                let Some(normal) = across(s, t) else { continue };
                let Some([p, q]) = crossing(s, t, normal, self.limits.slop) else { continue };
                // Outwards from A is where neither body goes on.
                for normal in [normal, -normal] {
                    let height = normal.dot(q - p);
                    if self.limits.accepts(-height) && self.is_edge(Of::A, p, normal) && self.is_edge(Of::B, q, -normal)
                    {
                        add(Touch { on_a: p, normal, depth: -height, elements });
                        break;
                    }
                }
            }
        }
    }

    /// Whether the surface around a point of it ends there along a direction.
    fn ends(&self, of: Of, point: DVec3, direction: DVec3) -> bool {
        let around = self.around(of, point, direction);
        around.most <= EDGE_WEDGE && around.faces
    }

    /// Whether it is an edge there, and not a line within a flat part: something falls off beside it, or there is nothing.
    fn is_edge(&self, of: Of, point: DVec3, direction: DVec3) -> bool {
        let around = self.around(of, point, direction);
        around.most <= EDGE_WEDGE && around.faces && (around.least < -EDGE_WEDGE || around.count < 2)
    }

    /// Whether a face with this normal ends at the point: something else begins there, or nothing does.
    fn is_side(&self, of: Of, point: DVec3, normal: DVec3) -> bool {
        let around = self.around(of, point, normal);
        around.most > EDGE_WEDGE || around.least < -EDGE_WEDGE || around.count < 2
    }

    /// The triangles around a point of a surface, seen along a direction.
    fn around(&self, of: Of, point: DVec3, direction: DVec3) -> Around {
        let (mesh, local, along) = match of {
            Of::A => (self.pair.a, point, direction),
            Of::B => (self.pair.b, self.pair.frame.point_back(point), self.pair.frame.rotation.transpose() * direction),
        };
        let slop = self.limits.slop;
        let mut around = Around { least: 0.0, most: 0.0, count: 0, faces: !mesh.is_solid() };
        mesh.tree().descend(
            |_, bounds| {
                let [low, high] = [bounds.min(), bounds.max()].map(|p| DVec3::from_array(p.map(f64::from)));
                (low - local).max(local - high).max_element() <= slop
            },
            |triangle| {
                self.looked.set(self.looked.get() + 1);
                let t = Prepared::new(mesh.wide_triangle(triangle));
                if foot(&t, local).distance(local) > slop {
                    return;
                }
                around.count += 1;
                around.faces |= t.normal.normalize_or_zero().dot(along) > EDGE_WEDGE;
                for corner in t.corners {
                    let arm = corner - local;
                    // A corner at the point itself has no slope.
                    let length = arm.length();
                    if length > 4.0 * slop {
                        let slope = (along.dot(arm).abs() - slop).max(0.0).copysign(along.dot(arm)) / length;
                        around.least = around.least.min(slope);
                        around.most = around.most.max(slope);
                    }
                }
            },
        );
        around
    }
}

/// What a surface is like around a point, along a direction.
struct Around {
    /// The least and the greatest slope (sine) of its triangles.
    least: f64,
    most: f64,
    count: u32,
    /// Whether one of them faces that way; any surface without an inside does.
    faces: bool,
}

/// The unit direction across two segments, unless they are parallel.
fn across([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Option<DVec3> {
    let (u, v) = (b - a, d - c);
    let normal = u.cross(v);
    let length = normal.length();
    (length > widen_real(PARALLEL_LINES) * u.length() * v.length()).then(|| normal / length)
}

/// Where two segments pass each other, seen along the direction across both, if it is within both.
fn crossing([a, b]: [DVec3; 2], [c, d]: [DVec3; 2], normal: DVec3, slop: f64) -> Option<[DVec3; 2]> {
    let (u, v, w) = (b - a, d - c, c - a);
    let area = u.cross(v).dot(normal);
    if !(area.abs() > widen_real(PARALLEL_LINES) * u.length() * v.length()) {
        return None;
    }
    let (s, t) = (w.cross(v).dot(normal) / area, w.cross(u).dot(normal) / area);
    let within = |share: f64, side: DVec3| {
        let margin = slop / side.length();
        share >= -margin && share <= 1.0 + margin
    };
    (within(s, u) && within(t, v)).then(|| [a + u * s.clamp(0.0, 1.0), c + v * t.clamp(0.0, 1.0)])
}
