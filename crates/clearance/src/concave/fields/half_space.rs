//! Half-spaces: the signed distance of anything is the height of its lowest point above the plane, exactly, for concave bodies too.

use crate::answer::{Closest, Contact, End, Feature, Witness};
use crate::concave::meeting::Meeting;
use crate::math::{Pose, Real, Vec3, length, narrow, narrow_real, pair_size, widen, widen_real};
use crate::narrow::contact_range::{DirectionError, FacesVisited, Range, RangeEnd};
use crate::shape::{Geometry, HalfSpace};
use crate::support::{Support, VertexId};
use crate::tolerance::{FLAT_DIRECTION, UNIT_ROUNDOFF, sigma};

/// A half-space at its place, and a body.
pub(crate) struct Below<'b> {
    /// The unit normal in world space.
    pub normal: Vec3,
    pub half_space: &'b HalfSpace,
    pub pose: &'b Pose,
    pub body: Geometry<'b>,
    pub pose_body: &'b Pose,
    pub sigma: Real,
}

impl<'b> Below<'b> {
    pub fn new(half_space: &'b HalfSpace, pose: &'b Pose, body: Geometry<'b>, pose_body: &'b Pose) -> Self {
        let between = pose_body.translation() - pose.translation();
        let reach = body.bounding_radius();
        let reach = if reach.is_finite() { reach } else { 0.0 };
        let size = pair_size([reach, half_space.offset().abs()], between);
        Self { normal: pose.direction(half_space.normal()), half_space, pose, body, pose_body, sigma: sigma(size) }
    }

    /// How far a point in the frame of the body is above the plane.
    pub fn height(&self, local: Vec3) -> f64 {
        let turn = self.pose_body.matrix();
        let p = widen(local);
        let turned = widen(turn.x_axis) * p.x + widen(turn.y_axis) * p.y + widen(turn.z_axis) * p.z;
        let between = widen(self.pose_body.translation()) - widen(self.pose.translation());
        widen(self.normal).dot(turned + between) - widen_real(self.half_space.offset())
    }

    /// The lowest point of the body in its own frame. `hint` is what was lowest the last time.
    fn lowest(&self, hint: &mut VertexId) -> (Vec3, Feature) {
        let down = self.pose_body.direction_to_local(-self.normal);
        match self.body {
            Geometry::Convex(shape) => {
                let lowest = shape.support(down, *hint);
                *hint = lowest.vertex;
                (lowest.point, Feature::WHOLE)
            }
            Geometry::Mesh(mesh) => {
                let (point, vertex) = mesh.support_from(down, hint);
                (point, Feature::vertex(vertex))
            }
            Geometry::HeightField(field) => {
                let (point, vertex) = field.support_from(down, hint);
                (point, Feature::vertex(vertex))
            }
            Geometry::PointCloud(cloud) => {
                let (point, number) = cloud.support_from(down, hint);
                (point, Feature::vertex(number))
            }
            Geometry::Compound(compound) => {
                let (point, part) = compound.support_from(down, *hint);
                *hint = VertexId(part);
                (point, Feature::WHOLE.of_part(part))
            }
            Geometry::HalfSpace(other) => (other.normal() * other.offset(), Feature::WHOLE),
        }
    }

    /// The signed distance, with the half-space as A. `hint` is what of the body was lowest the last time, by a number that need not
    /// have been this body's, and becomes what is.
    pub fn closest(&self, hint: &mut VertexId) -> Closest {
        if let Geometry::HalfSpace(other) = self.body
            && length(self.normal + self.pose_body.direction(other.normal())) > FLAT_DIRECTION
        {
            return self.without_end();
        }
        let (lowest, feature) = self.lowest(hint);
        let distance = narrow_real(self.height(lowest));
        let on_body = self.pose_body.point(lowest);
        Closest {
            distance,
            lower: distance - self.sigma,
            upper: distance + self.sigma,
            points: [on_body - self.normal * distance, on_body],
            normal: self.normal,
            features: [Feature::WHOLE, feature],
            contact: Contact::of(distance, distance - self.sigma, self.sigma),
            end: End::Converged,
            iterations: 1,
        }
    }

    /// Half-spaces whose planes are not parallel, or face the same way: no translation separates them.
    fn without_end(&self) -> Closest {
        let point = self.common_point();
        Closest {
            distance: Real::NEG_INFINITY,
            lower: Real::NEG_INFINITY,
            upper: Real::NEG_INFINITY,
            points: [point; 2],
            normal: self.normal,
            features: [Feature::WHOLE; 2],
            contact: Contact::Overlapping,
            end: End::Converged,
            iterations: 1,
        }
    }

    /// A point of two half-spaces that are not opposite each other: below both planes.
    fn common_point(&self) -> Vec3 {
        let Geometry::HalfSpace(other) = self.body else { return Vec3::ZERO };
        let normals = [widen(self.normal), widen(self.pose_body.direction(other.normal()))];
        let origin = widen(self.pose.translation());
        let between = widen(self.pose_body.translation()) - origin;
        let offsets = [widen_real(self.half_space.offset()), widen_real(other.offset()) + normals[1].dot(between)];
        // Along the sum of both normals, which goes down in both as it is followed backwards.
        let down = normals[0] + normals[1];
        let slope = 1.0 + normals[0].dot(normals[1]);
        let on_first = normals[0] * offsets[0];
        let above = f64::max(0.0, normals[1].dot(on_first) - offsets[1]);
        let step = if slope > 0.0 { above / slope } else { 0.0 };
        narrow(origin + on_first - down * step)
    }

    /// Whether they share a point, with the half-space as A.
    pub fn overlap(&self, hint: &mut VertexId) -> Meeting {
        let near = self.closest(hint);
        let witness = if near.contact == Contact::Apart {
            let offset_a = narrow_real(
                widen(self.normal).dot(widen(self.pose.translation())) + widen_real(self.half_space.offset()),
            );
            Witness::Plane { normal: self.normal, offset_a, offset_b: offset_a + near.distance }
        } else {
            Witness::Point(near.points[1])
        };
        Meeting { contact: near.contact, witness, features: near.features, end: near.end, iterations: 1 }
    }
}

/// The boolean seen from the other body.
pub(super) fn swapped_meeting(found: Meeting) -> Meeting {
    let [of_a, of_b] = found.features;
    let witness = match found.witness {
        Witness::Plane { normal, offset_a, offset_b } => {
            Witness::Plane { normal: -normal, offset_a: -offset_b, offset_b: -offset_a }
        }
        Witness::Points([p, q]) => Witness::Points([q, p]),
        other => other,
    };
    Meeting { witness, features: [of_b, of_a], ..found }
}

/// The positions along a direction at which B meets A if one of them is a half-space: one end is the contact with its plane, the other is
/// infinite; both are if the direction is along the plane. Nothing if neither is a half-space.
pub(in crate::concave) fn half_space_range(
    [a, b]: [Geometry<'_>; 2],
    [pose_a, pose_b]: [&Pose; 2],
    padding: [Real; 2],
    direction: Vec3,
    hint: &mut VertexId,
) -> Option<Result<Option<Range>, DirectionError>> {
    let (below, moves) = match (a, b) {
        (Geometry::HalfSpace(half_space), _) => (Below::new(half_space, pose_a, b, pose_b), false),
        (_, Geometry::HalfSpace(half_space)) => (Below::new(half_space, pose_b, a, pose_a), true),
        _ => return None,
    };
    let padding = if moves { [padding[1], padding[0]] } else { padding };
    Some(below.range(direction, padding, moves, hint))
}

impl Below<'_> {
    /// `padding` is that of the half-space and that of the body; `moves` if the half-space is B.
    fn range(
        &self,
        direction: Vec3,
        padding: [Real; 2],
        moves: bool,
        hint: &mut VertexId,
    ) -> Result<Option<Range>, DirectionError> {
        for (axis, value) in ['x', 'y', 'z'].into_iter().zip(direction.to_array()) {
            if !value.is_finite() {
                return Err(DirectionError::NotFinite { axis, value });
            }
        }
        if direction == Vec3::ZERO {
            return Err(DirectionError::Zero);
        }
        let near = self.closest(hint);
        let near = if moves { near.swapped() } else { near };
        let (height, error) = (near.distance - padding[0] - padding[1], self.sigma);
        // How fast the gap grows with the position, whichever of the two moves.
        let rate = near.normal.dot(direction);
        let at = -height / rate;
        let along_plane = rate == 0.0 || !height.is_finite();
        if along_plane && height > error {
            return Ok(None);
        }
        if !along_plane && !at.is_finite() {
            return Err(DirectionError::TooShort { length: length(direction) });
        }
        // The point of the body that touches, and where the other one's is.
        let on_body = near.points[usize::from(!moves)] + near.normal * if moves { padding[1] } else { -padding[1] };
        let by = |at: Real| direction * if at.is_finite() { at } else { 0.0 };
        let contact = |at: Real, slack: Real| RangeEnd {
            at,
            lower: at - slack,
            upper: at + slack,
            points: if moves { [on_body, on_body - by(at)] } else { [on_body + by(at), on_body] },
            normal: near.normal,
            features: near.features,
            end: End::Converged,
        };
        let met = contact(at, error / rate.abs() + UNIT_ROUNDOFF * at.abs());
        let [first, last] = [contact(Real::NEG_INFINITY, 0.0), contact(Real::INFINITY, 0.0)];
        let ends = match (along_plane, rate < 0.0) {
            (true, _) => [first, last],
            (_, true) => [met, last],
            _ => [first, met],
        };
        Ok(Some(Range { ends, faces_visited: FacesVisited::default(), iterations: 1 }))
    }
}
