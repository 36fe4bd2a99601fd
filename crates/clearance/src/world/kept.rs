//! Contacts kept from step to step: while two bodies hardly move against each other, their contact points move with them.
//!
//! What is kept is a manifold in the frames of its bodies, and how the smaller body lay in the frame of the larger. Points of rounded
//! bodies are kept as points of the core, which do not move when a ball or capsule rolls; those of curved cores on a face (a cylinder's rim,
//! an ellipsoid) are asked of the support mapping. Normals turn with the face, or stay across the edges: distances of vertices
//! from faces, edges and vertices, and of edges across each other, are exact for the features that are in contact; only which
//! features these are is a little old. That there is no contact is kept as well.

use super::id::BodyId;
use super::report::ContactPair;
use super::slot::{Ball, Slot, turn_between};
use crate::answer::{ContactPoint, ContactPoints, Element, End, Feature, Manifold};
use crate::concave::corner_of;
use crate::math::{Pose, Quat, Real, Vec3, widen_real};
use crate::shape::mesh::Mesh;
use crate::shape::{Body, Core, Geometry, Leaf, Shape};
use crate::support::{Support, VertexId};
use crate::tolerance::{CROSSING, FAR_CORES, KEPT_ERROR, KEPT_MARGIN, KEPT_STILL};

/// The number of a cylinder's side line and of its ends, and the corners of its caps.
const SIDE: u32 = 64;
const CAP: u32 = 32;
const CORNERS: u32 = 16;
/// Points of most contacts.
const FEW: usize = 4;

/// A contact point in the frames of the bodies.
#[derive(Debug, Clone, Copy)]
struct Point {
    sides: [Side; 2],
    /// In the frame of the holder.
    normal: Vec3,
    /// The body that the normal turns with: that of the face, if there is one.
    holder: u8,
    /// Whether a face holds the normal; else it is across the edges, or along the line between vertices.
    is_held: bool,
    /// The body whose point is given as it is; that of the other is straight below it.
    base: u8,
}

/// One body at a contact point.
#[derive(Debug, Clone, Copy)]
struct Side {
    feature: Feature,
    /// On the core.
    place: Vec3,
    /// By how much the surface is outside of the core.
    rounding: Real,
    /// Along the edge; zero of a vertex or a face.
    edge: Vec3,
    is_face: bool,
    /// Whether the place is the farthest point of a curved core.
    is_curved: bool,
}

/// The contact of a pair as it was found last, or that there was none. Little of it is read of most pairs: the points are elsewhere, in
/// memory that is taken at once and passed on from pair to pair.
#[derive(Debug)]
pub(super) struct Kept {
    /// How the smaller body lay in the frame of the other.
    translation: Vec3,
    rotation: Quat,
    /// How far a point of the smaller body may move; negative if nothing is kept.
    most: Real,
    /// The margin that was asked for.
    margin: Real,
    /// Nothing has moved by more as long as the bodies have not travelled farther than this together.
    until: f64,
    /// Whether they are in contact.
    is_contact: bool,
    /// Which of the bodies is the smaller one.
    smaller: u8,
    end: End,
    points: Vec<Point>,
}

/// How contacts are kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeepRule {
    /// [`WorldOptions::keep_contacts`](super::WorldOptions::keep_contacts).
    pub share: Real,
    /// Whether the pairs are only named: whoever is told of them moves the points.
    pub is_named: bool,
}

impl Kept {
    /// Nothing, with room for the points of most contacts.
    pub fn new() -> Self {
        Self {
            translation: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            most: -1.0,
            margin: 0.0,
            until: f64::NEG_INFINITY,
            is_contact: false,
            smaller: 0,
            end: End::Converged,
            points: Vec::with_capacity(FEW),
        }
    }

    pub fn clear(&mut self) {
        self.points.clear();
        (self.most, self.until) = (-1.0, f64::NEG_INFINITY);
    }

    /// Keeps what was found while no point of the smaller body moves by a part of the margin; if there is a contact, by no more than `share` of
    /// its radius; and if there is none, while it cannot have come within the margin, given a lower bound of the distance. `travel` is how
    /// far the bodies have come together.
    pub fn keep(
        &mut self,
        found: Result<&Manifold, Real>,
        slots: [&Slot; 2],
        balls: [Ball; 2],
        rule: &KeepRule,
        margin: Real,
        travel: f64,
    ) {
        self.clear();
        let poses = slots.map(|slot| &slot.pose);
        let smaller = usize::from(balls[1].radius < balls[0].radius);
        let mut most = KEPT_MARGIN * margin;
        match found {
            Ok(manifold) => {
                let turns = rule.is_named && manifold.points.iter().any(|point| rolls(point, slots).is_none());
                most = most.min(if turns { KEPT_STILL } else { rule.share } * balls[smaller].radius);
                for point in manifold.points.iter().filter(|_| !rule.is_named) {
                    let Some(point) = Point::of(point, manifold, slots, most) else { return };
                    self.points.push(point);
                }
                self.end = manifold.end;
            }
            Err(bound) => most = most.max((1.0 - KEPT_ERROR) * (bound - margin)),
        }
        (self.translation, self.rotation) = place(poses, smaller);
        (self.margin, self.most, self.smaller) = (margin, most, smaller as u8);
        (self.is_contact, self.until) = (found.is_ok(), travel + widen_real(most));
    }

    /// Whether they are in contact, if it is certain from how far the bodies have travelled together that nothing of it has changed; for those
    /// who only want to know that.
    #[inline]
    pub fn still(&self, travel: f64, margin: Real) -> Option<bool> {
        (travel <= self.until && self.margin == margin).then_some(self.is_contact)
    }

    /// Whether they are in contact, if they have hardly moved against each other since that was found.
    pub fn stays(&mut self, slots: [&Slot; 2], margin: Real, travel: f64) -> Option<bool> {
        let moved = self.moved(slots, margin)?;
        self.until = travel + widen_real(self.most - moved);
        Some(self.is_contact)
    }

    /// How far a point of the smaller body has moved at most, if it is no more than it may.
    fn moved(&self, slots: [&Slot; 2], margin: Real) -> Option<Real> {
        if self.most < 0.0 || self.margin != margin {
            return None;
        }
        let smaller = usize::from(self.smaller);
        let (translation, rotation) = place(slots.map(|slot| &slot.pose), smaller);
        let turn = turn_between(self.rotation, rotation);
        let moved = (translation - self.translation).length() + turn * slots[smaller].radius;
        // Not a number is not near.
        (moved <= self.most).then_some(moved)
    }

    /// Whether they are in contact, if they have hardly moved against each other since that was found; the contact as it is now, with
    /// the points that are within the margin, is added to a list, where it is made.
    pub fn follow(
        &self,
        slots: [&Slot; 2],
        margin: Real,
        bodies: [BodyId; 2],
        contacts: &mut Vec<ContactPair>,
    ) -> Option<bool> {
        self.moved(slots, margin)?;
        if !self.is_contact {
            return Some(false);
        }
        let points = ContactPoints::default();
        let manifold = Manifold { normal: Vec3::ZERO, distance: Real::INFINITY, points, end: self.end };
        contacts.push(ContactPair { bodies, manifold, is_kept: true });
        let manifold = &mut contacts.last_mut()?.manifold;
        for point in self.points.iter().filter_map(|point| point.at(slots)).filter(|point| point.distance <= margin) {
            if point.distance < manifold.distance {
                (manifold.normal, manifold.distance) = (point.normal, point.distance);
            }
            manifold.points.push(point);
        }
        if manifold.points.is_empty() {
            contacts.pop();
            return None;
        }
        Some(true)
    }
}

impl Point {
    /// Nothing if it cannot be followed while the bodies move by `most`.
    fn of(found: &ContactPoint, all: &Manifold, slots: [&Slot; 2], most: Real) -> Option<Self> {
        let sides = [Side::of(found, 0, slots[0])?, Side::of(found, 1, slots[1])?];
        // Where the outlines of faces cross, edges have the normal of a face.
        let is_face = |point: &ContactPoint, side: usize| matches!(point.features[side].element, Element::Face(_));
        let is_in_face =
            |side: usize| all.points.iter().any(|point| point.normal == found.normal && is_face(point, side));
        let mut both = [0, 1].into_iter();
        let face = both.clone().find(|&side| sides[side].is_face).or_else(|| both.find(|&side| is_in_face(side)));
        if let Some(holder) = face {
            return Self::held(found, sides, slots, holder).filter(|point| point.is_same(found, slots, most));
        }
        if sides.iter().any(|side| side.is_curved) {
            return None;
        }
        // Across both edges or across one; along the line between two points of the cores; and of sharp edges with a normal of neither.
        let across = Self::across_edges(found, sides, slots, most).filter(|point| point.is_same(found, slots, most));
        let without = sides.map(|side| Side { edge: Vec3::ZERO, ..side });
        across
            .or_else(|| {
                Self::across_edges(found, without, slots, most).filter(|point| point.is_same(found, slots, most))
            })
            .or_else(|| {
                let is_sharp = sides.iter().all(|side| side.rounding == 0.0);
                Self::held(found, sides, slots, 0).filter(|point| is_sharp && point.is_same(found, slots, most))
            })
    }

    /// Its normal turns with a body.
    fn held(found: &ContactPoint, sides: [Side; 2], slots: [&Slot; 2], holder: usize) -> Option<Self> {
        let normal = slots[holder].pose.direction_to_local(found.normal);
        let point = Self { sides, normal, holder: holder as u8, is_held: true, base: 1 - holder as u8 };
        (!sides[holder].is_curved).then_some(point)
    }

    /// Its normal stays across the edges. A direction between points that are near each other is none.
    fn across_edges(found: &ContactPoint, sides: [Side; 2], slots: [&Slot; 2], most: Real) -> Option<Self> {
        let between = found.distance + sides[0].rounding + sides[1].rounding;
        let [a, b] = [0, 1].map(|side| slots[side].pose.direction(sides[side].edge));
        let is_known = a.cross(b).length() > 2.0 * CROSSING || between > FAR_CORES * most;
        let (normal, base) = (slots[0].pose.direction_to_local(found.normal), u8::from(sides[0].edge != Vec3::ZERO));
        is_known.then_some(Self { sides, normal, holder: 0, is_held: false, base })
    }

    /// Whether it is where it was found, as long as nothing moves.
    fn is_same(&self, found: &ContactPoint, slots: [&Slot; 2], most: Real) -> bool {
        self.at(slots).is_some_and(|here| {
            (here.distance - found.distance).abs() <= KEPT_ERROR * most
                && here.normal.distance(found.normal) <= KEPT_ERROR
        })
    }

    #[inline]
    fn at(&self, slots: [&Slot; 2]) -> Option<ContactPoint> {
        let held = slots[usize::from(self.holder)].pose.direction(self.normal);
        let on_core = [self.sides[0].at(slots[0], held)?, self.sides[1].at(slots[1], -held)?];
        let normal = if self.is_held { held } else { self.across(slots, on_core[1] - on_core[0], held)? };
        let [a, b] = [on_core[0] + normal * self.sides[0].rounding, on_core[1] - normal * self.sides[1].rounding];
        let distance = normal.dot(b - a);
        let points = if self.base == 1 { [b - normal * distance, b] } else { [a, a + normal * distance] };
        Some(ContactPoint { points, normal, distance, features: self.sides.map(|side| side.feature) })
    }

    /// The normal across the edges, given the way from the one core to the other; it hardly differs from what it was.
    fn across(&self, slots: [&Slot; 2], between: Vec3, was: Vec3) -> Option<Vec3> {
        let [a, b] = [0, 1].map(|side| slots[side].pose.direction(self.sides[side].edge));
        let both = a.cross(b);
        let normal = if both.length_squared() > CROSSING * CROSSING {
            both * both.dot(was).signum()
        } else {
            let edge = if self.sides[0].edge == Vec3::ZERO { b } else { a };
            between - edge * edge.dot(between)
        };
        let normal = normal.try_normalize()?;
        (normal.dot(was) > 0.5).then_some(normal)
    }
}

impl Side {
    fn of(found: &ContactPoint, side: usize, slot: &Slot) -> Option<Self> {
        let (feature, body) = (found.features[side], slot.body.as_ref()?);
        let out = if side == 0 { found.normal } else { -found.normal };
        let is_face = matches!(feature.element, Element::Face(_));
        let (place, edge) = (Vec3::ZERO, Vec3::ZERO);
        let mut of = Self { feature, place, rounding: body.padding(), edge, is_face, is_curved: false };
        let part = part_of(body, feature.part)?;
        let mut edge = None;
        match part {
            Part::Shape(shape, _) => {
                let (beyond, is_curved) = beyond_core(shape, feature.element)?;
                (of.is_curved, of.rounding) = (is_curved, of.rounding + beyond + shape.radius());
                if let Element::Edge(ends) = feature.element {
                    edge = Some(edge_of(shape, ends)?);
                }
            }
            Part::Mesh(mesh, _) => {
                if let Element::Edge([v, w]) = feature.element {
                    let corner = |v: u32| mesh.vertices().get(v as usize).copied();
                    edge = Some(corner(w)? - corner(v)?);
                }
            }
            Part::HalfSpace => of.is_face = true,
            Part::Field if is_face => {}
            Part::Field => return None,
        }
        if let Some(edge) = edge {
            of.edge = part.direction(edge.try_normalize()?);
        }
        of.place = slot.pose.point_to_local(found.points[side] - out * of.rounding);
        Some(of)
    }

    /// Where the point of the core is, with the direction out of the body there.
    #[inline]
    fn at(&self, slot: &Slot, out: Vec3) -> Option<Vec3> {
        if self.is_curved { self.farthest(slot, out) } else { Some(slot.pose.point(self.place)) }
    }

    /// The farthest point of the core of its part.
    #[inline(never)]
    fn farthest(&self, slot: &Slot, out: Vec3) -> Option<Vec3> {
        let Part::Shape(shape, pose) = part_of(slot.body.as_ref()?, self.feature.part)? else { return None };
        let local = slot.pose.direction_to_local(out);
        let local = match pose {
            Some(pose) => pose.point(shape.core().support(pose.direction_to_local(local), VertexId::NONE).point),
            None => shape.core().support(local, VertexId::NONE).point,
        };
        Some(slot.pose.point(local))
    }
}

/// A part of a body that is none of others, with its pose in the body.
#[derive(Debug, Clone, Copy)]
enum Part<'a> {
    Shape(&'a Shape, Option<&'a Pose>),
    Mesh(&'a Mesh, Option<&'a Pose>),
    HalfSpace,
    Field,
}

impl Part<'_> {
    fn direction(self, local: Vec3) -> Vec3 {
        match self {
            Self::Shape(_, Some(pose)) | Self::Mesh(_, Some(pose)) => pose.direction(local),
            _ => local,
        }
    }
}

fn part_of(body: &Body, part: u32) -> Option<Part<'_>> {
    Some(match body.geometry() {
        Geometry::Convex(shape) => Part::Shape(shape, None),
        Geometry::Mesh(mesh) => Part::Mesh(mesh, None),
        Geometry::Compound(compound) => match compound.parts.get(part as usize)? {
            (Leaf::Convex(shape), pose) => Part::Shape(shape, Some(pose)),
            (Leaf::Mesh(mesh), pose) => Part::Mesh(mesh, Some(pose)),
        },
        Geometry::HalfSpace(_) => Part::HalfSpace,
        Geometry::HeightField(_) => Part::Field,
        Geometry::PointCloud(_) => return None,
    })
}

/// By how much the surfaces of both bodies lie outside of what stays in place at a contact point while they roll; nothing where that is not
/// known, as of an ellipsoid.
pub(super) fn rolls(point: &ContactPoint, slots: [&Slot; 2]) -> Option<[Real; 2]> {
    let of = |side: usize| {
        let (feature, body) = (point.features[side], slots[side].body.as_ref()?);
        let beyond = match part_of(body, feature.part)? {
            Part::Shape(shape, _) => {
                let (beyond, _) = beyond_core(shape, feature.element).filter(|(_, is_curved)| !is_curved)?;
                beyond + shape.radius()
            }
            Part::Mesh(..) | Part::HalfSpace | Part::Field => 0.0,
        };
        Some(body.padding() + beyond)
    };
    Some([of(0)?, of(1)?])
}

/// By how much the surface lies outside of what stays in place while a core rolls, and whether it is curved there; nothing of what is not
/// known.
fn beyond_core(shape: &Shape, element: Element) -> Option<(Real, bool)> {
    match (shape.core(), element) {
        (_, Element::Whole) => None,
        (_, Element::Face(_))
        | (
            Core::Point
            | Core::Segment { .. }
            | Core::Rectangle { .. }
            | Core::Cuboid { .. }
            | Core::Frustum { .. }
            | Core::Triangle(_)
            | Core::Polygon(_)
            | Core::Polytope(_),
            Element::Vertex(_) | Element::Edge(_),
        ) => Some((0.0, false)),
        // The axis stays in place while a cylinder rolls; the corners of its caps are of a cap that lies flat.
        (Core::Cylinder { radius, .. }, Element::Edge([SIDE, _]) | Element::Vertex(SIDE..)) => Some((*radius, false)),
        (Core::Cylinder { .. }, Element::Vertex(corner)) if corner % CAP < CORNERS => Some((0.0, false)),
        (Core::Cylinder { .. }, Element::Edge(_)) => Some((0.0, false)),
        (Core::Posed(_) | Core::Sum(_) | Core::Hull(_) | Core::Difference(_) | Core::Custom(_), _) => None,
        _ => Some((0.0, true)),
    }
}

/// Along an edge of a shape, from its one vertex to the other.
fn edge_of(shape: &Shape, [v, w]: [u32; 2]) -> Option<Vec3> {
    match shape.core() {
        Core::Segment { .. } => Some(Vec3::X),
        Core::Cylinder { .. } if v == SIDE => Some(Vec3::Z),
        _ => Some(corner_of(shape, w)? - corner_of(shape, v)?),
    }
}

/// How the smaller body lies in the frame of the other.
fn place(poses: [&Pose; 2], smaller: usize) -> (Vec3, Quat) {
    let [this, frame] = [poses[smaller], poses[1 - smaller]];
    (frame.direction_to_local(this.translation() - frame.translation()), frame.rotation().conjugate() * this.rotation())
}
