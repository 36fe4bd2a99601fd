//! The sharp part of a shape: what remains when its rounding radius is taken away.
//!
//! The support mappings are Table 1 of the implicit-objects thesis, about the centroid where the thesis has it there. A
//! disc's or a cap's answer for a direction exactly along its axis, which Table 1 leaves undefined, is its centre.
//!
//! `extent` gives the same information as two supports in closed form: the interval that the body covers along a direction.
//! A tight box under any pose is three of them.

use std::fmt;

use super::kinds::{Core, Part};
use crate::math::{Real, Vec3, length, unit_or};
use crate::piece::{Cap, Piece, ellipsoid, rim};
use crate::support::{Support, SupportPoint, VertexId};
use crate::tolerance::FLAT_DIRECTION;

impl Part {
    pub(super) fn support(&self, direction: Vec3) -> Vec3 {
        let local = self.shape.support(self.pose.direction_to_local(direction), VertexId::NONE);
        self.pose.point(local.point)
    }

    fn extent(&self, direction: Vec3) -> [Real; 2] {
        let along = self.pose.translation().dot(direction);
        self.shape.extent(self.pose.direction_to_local(direction)).map(|x| x + along)
    }
}

impl Support for Core {
    #[inline]
    fn support(&self, d: Vec3, hint: VertexId) -> SupportPoint {
        match self {
            Self::Cuboid { half_extents } => box_corner(*half_extents, d),
            Self::Polytope(polytope) => polytope.support(d, hint),
            Self::Point => Vec3::ZERO.into(),
            Self::Segment { half_length } => Vec3::new(half_length.copysign(d.x), 0.0, 0.0).into(),
            Self::Rectangle { half_extents: [x, y] } => Vec3::new(x.copysign(d.x), y.copysign(d.y), 0.0).into(),
            Self::Disc { radius } => rim(*radius, d, 0.0).into(),
            Self::Ellipse { radii: [x, y] } => ellipsoid(Vec3::new(*x, *y, 0.0), d).into(),
            Self::Ellipsoid { radii } => ellipsoid(*radii, d).into(),
            Self::Cylinder { half_height, radius } => rim(*radius, d, half_height.copysign(d.z)).into(),
            Self::Cone { height, radius } => cone(*height, *radius, d).into(),
            Self::TaperedCylinder { radii, heights } => {
                farther(rim(radii[0], d, heights[0]), rim(radii[1], d, heights[1]), d).into()
            }
            Self::Drop { point, ball, radius } => {
                farther(Vec3::X * *point, Vec3::X * *ball + unit_or(d, Vec3::X) * *radius, d).into()
            }
            Self::Frustum { bottom, top, bottom_z, top_z } => {
                let corner = |[x, y]: [Real; 2], z| Vec3::new(x.copysign(d.x), y.copysign(d.y), z);
                farther(corner(*bottom, *bottom_z), corner(*top, *top_z), d).into()
            }
            Self::Triangle([a, b, c]) => farther(farther(*a, *b, d), *c, d).into(),
            Self::Polygon(polygon) => polygon.support(d, hint),
            Self::Sum(parts) => (parts[0].support(d) + parts[1].support(d)).into(),
            Self::Hull(parts) => farther(parts[0].support(d), parts[1].support(d), d).into(),
            Self::Difference(parts) => (parts[0].support(d) - parts[1].support(-d)).into(),
            Self::Posed(part) => part.support(d).into(),
            Self::Custom(custom) => custom.support(d, hint),
        }
    }

    fn curvature(&self, d: Vec3, e: Vec3) -> Vec3 {
        match self {
            Self::Sum(parts) => parts[0].curvature(d, e) + parts[1].curvature(d, e),
            Self::Difference(parts) => parts[0].curvature(d, e) + parts[1].curvature(-d, e),
            Self::Hull(parts) => {
                let ahead = parts[1].extent(d)[1] > parts[0].extent(d)[1];
                parts[usize::from(ahead)].curvature(d, e)
            }
            Self::Posed(part) => part.curvature(d, e),
            Self::Custom(custom) => custom.curvature(d, e),
            _ => self.piece(self.support(d, VertexId::NONE).point).map_or(Vec3::ZERO, |piece| piece.at(d).1.towards(e)),
        }
    }

    #[inline]
    fn vertex(&self, id: VertexId) -> Option<Vec3> {
        match self {
            Self::Polytope(polytope) => polytope.vertex(id),
            Self::Polygon(polygon) => polygon.vertex(id),
            Self::Cuboid { half_extents } => {
                let side = |bit: u32, half: Real| if id.0 & bit == 0 { half } else { -half };
                (id.0 < 8).then(|| Vec3::new(side(1, half_extents.x), side(2, half_extents.y), side(4, half_extents.z)))
            }
            Self::Custom(custom) => custom.vertex(id),
            _ => None,
        }
    }

    fn piece(&self, of: Vec3) -> Option<Piece> {
        Some(match self {
            Self::Disc { radius } => Piece::Rim { radius: *radius, z: 0.0 },
            Self::Ellipse { radii: [x, y] } => Piece::Ellipsoid(Vec3::new(*x, *y, 0.0)),
            Self::Ellipsoid { radii } => Piece::Ellipsoid(*radii),
            Self::Cylinder { half_height, radius } => Piece::Rim { radius: *radius, z: half_height.copysign(of.z) },
            Self::Cone { height, radius } if of.z < 0.0 => Piece::Rim { radius: *radius, z: -0.25 * height },
            // The apex as a circle too, so that the kind of piece of a cone is always the same.
            Self::Cone { height, .. } => Piece::Rim { radius: 0.0, z: 0.75 * height },
            Self::TaperedCylinder { radii, heights } => {
                let end = usize::from(of.z - heights[0] > heights[1] - of.z);
                Piece::Rim { radius: radii[end], z: heights[end] }
            }
            Self::Drop { point, ball, radius } => {
                let centre = Vec3::X * *ball;
                // The point is farther from the centre than the ball's surface: half-way between them tells which of the two it is.
                let is_point = 2.0 * length(of - centre) > radius + (point - ball).abs();
                if is_point { Piece::Vertex(Vec3::X * *point) } else { Piece::Ball { centre, radius: *radius } }
            }
            Self::Sum(_) | Self::Hull(_) | Self::Difference(_) | Self::Posed(_) => return None,
            Self::Custom(custom) => return custom.piece(of),
            _ => Piece::Vertex(of),
        })
    }

    fn cap(&self, d: Vec3) -> Option<Cap> {
        let (normal, up) = (Vec3::Z.copysign(Vec3::new(0.0, 0.0, d.z)), !d.z.is_sign_negative());
        match *self {
            Self::Disc { radius } => Some(Cap { normal, z: 0.0, radius }),
            Self::Cylinder { half_height, radius } => Some(Cap { normal, z: half_height.copysign(d.z), radius }),
            Self::Cone { height, radius } if !up => Some(Cap { normal, z: -0.25 * height, radius }),
            Self::TaperedCylinder { radii, heights } => {
                Some(Cap { normal, z: heights[usize::from(up)], radius: radii[usize::from(up)] })
            }
            Self::Custom(ref custom) => custom.cap(d),
            _ => None,
        }
    }
}

#[inline]
fn box_corner(half: Vec3, d: Vec3) -> SupportPoint {
    let id = u32::from(d.x.is_sign_negative())
        | u32::from(d.y.is_sign_negative()) << 1
        | u32::from(d.z.is_sign_negative()) << 2;
    let point = Vec3::new(half.x.copysign(d.x), half.y.copysign(d.y), half.z.copysign(d.z));
    SupportPoint { point, vertex: VertexId(id) }
}

#[inline]
fn cone(height: Real, radius: Real, d: Vec3) -> Vec3 {
    farther(rim(radius, d, -0.25 * height), Vec3::new(0.0, 0.0, 0.75 * height), d)
}

/// By the difference of the points, not of two products: near a tie it keeps the digits that decide.
#[inline]
fn farther(a: Vec3, b: Vec3, d: Vec3) -> Vec3 {
    if d.dot(b - a) > 0.0 { b } else { a }
}

/// Distance from the z axis.
#[inline]
fn radial(d: Vec3) -> Real {
    length(Vec3::new(d.x, d.y, 0.0))
}

impl Core {
    /// Whether all faces are flat: the hull of finitely many points.
    #[inline]
    pub fn is_polyhedral(&self) -> bool {
        match self {
            Self::Disc { .. } | Self::Ellipse { .. } | Self::Ellipsoid { .. } => false,
            Self::Cylinder { .. } | Self::Cone { .. } | Self::Custom(_) => false,
            Self::TaperedCylinder { .. } | Self::Drop { .. } => false,
            Self::Sum(_) | Self::Hull(_) | Self::Difference(_) | Self::Posed(_) => self.has_polyhedral_parts(),
            _ => true,
        }
    }

    /// Apart from the rest, so that simple cores are told by one look at their kind.
    #[inline(never)]
    fn has_polyhedral_parts(&self) -> bool {
        match self {
            Self::Sum(parts) | Self::Hull(parts) | Self::Difference(parts) => {
                parts.iter().all(|part| part.shape.radius() == 0.0 && part.shape.core().is_polyhedral())
            }
            Self::Posed(part) => part.shape.core().is_polyhedral(),
            _ => self.is_polyhedral(),
        }
    }

    /// The interval `[lowest, highest]` of `d · x` over the body.
    pub fn extent(&self, d: Vec3) -> [Real; 2] {
        let symmetric = |reach: Real| [-reach, reach];
        match self {
            Self::Point => [0.0, 0.0],
            Self::Segment { half_length } => symmetric(half_length * d.x.abs()),
            Self::Rectangle { half_extents: [x, y] } => symmetric(x * d.x.abs() + y * d.y.abs()),
            Self::Cuboid { half_extents } => symmetric(half_extents.dot(d.abs())),
            Self::Disc { radius } => symmetric(radius * radial(d)),
            Self::Ellipse { radii: [x, y] } => symmetric(length(Vec3::new(x * d.x, y * d.y, 0.0))),
            Self::Ellipsoid { radii } => symmetric(length(*radii * d)),
            Self::Cylinder { half_height, radius } => symmetric(half_height * d.z.abs() + radius * radial(d)),
            Self::Cone { height, radius } => {
                let (base, apex, reach) = (-0.25 * height * d.z, 0.75 * height * d.z, radius * radial(d));
                [apex.min(base - reach), apex.max(base + reach)]
            }
            Self::TaperedCylinder { radii, heights } => {
                let (out, [low, high]) = (radial(d), heights.map(|z| z * d.z));
                let [below, above] = radii.map(|radius| radius * out);
                [(low - below).min(high - above), (low + below).max(high + above)]
            }
            Self::Drop { point, ball, radius } => {
                let (point, ball, reach) = (point * d.x, ball * d.x, radius * length(d));
                [point.min(ball - reach), point.max(ball + reach)]
            }
            Self::Frustum { bottom, top, bottom_z, top_z } => {
                let reach = |[x, y]: [Real; 2]| x * d.x.abs() + y * d.y.abs();
                let (low, high) = (bottom_z * d.z, top_z * d.z);
                [(low - reach(*bottom)).min(high - reach(*top)), (low + reach(*bottom)).max(high + reach(*top))]
            }
            Self::Triangle(corners) => of_points(corners, d),
            Self::Polygon(polygon) => of_points(polygon.vertices(), d),
            Self::Polytope(polytope) => [-d, d].map(|d| polytope.support(d, VertexId::NONE).point).map(|p| p.dot(d)),
            Self::Sum(parts) => {
                let [a, b] = [parts[0].extent(d), parts[1].extent(d)];
                [a[0] + b[0], a[1] + b[1]]
            }
            Self::Hull(parts) => {
                let [a, b] = [parts[0].extent(d), parts[1].extent(d)];
                [a[0].min(b[0]), a[1].max(b[1])]
            }
            Self::Difference(parts) => {
                let [a, b] = [parts[0].extent(d), parts[1].extent(d)];
                [a[0] - b[1], a[1] - b[0]]
            }
            Self::Posed(part) => part.extent(d),
            Self::Custom(custom) => [-d, d].map(|d| custom.support(d, VertexId::NONE).point).map(|p| p.dot(d)),
        }
    }

    /// A ball of this radius about the local origin contains the body.
    pub fn bounding_radius(&self) -> Real {
        let planar = |[x, y]: [Real; 2], z: Real| length(Vec3::new(x, y, z));
        let part = |part: &Part| part.shape.bounding_radius() + length(part.pose.translation());
        match self {
            Self::Point => 0.0,
            Self::Segment { half_length } => *half_length,
            Self::Rectangle { half_extents } => planar(*half_extents, 0.0),
            Self::Cuboid { half_extents } => length(*half_extents),
            Self::Disc { radius } => *radius,
            Self::Ellipse { radii: [x, y] } => x.max(*y),
            Self::Ellipsoid { radii } => radii.max_element(),
            Self::Cylinder { half_height, radius } => planar([*radius, 0.0], *half_height),
            Self::Cone { height, radius } => planar([*radius, 0.0], 0.25 * height).max(0.75 * height),
            Self::TaperedCylinder { radii, heights } => {
                planar([radii[0], 0.0], heights[0]).max(planar([radii[1], 0.0], heights[1]))
            }
            Self::Drop { point, ball, radius } => point.abs().max(ball.abs() + radius),
            Self::Frustum { bottom, top, bottom_z, top_z } => planar(*bottom, *bottom_z).max(planar(*top, *top_z)),
            Self::Triangle(corners) => corners.iter().map(|&p| length(p)).fold(0.0, Real::max),
            Self::Polygon(polygon) => polygon.bounding_radius(),
            Self::Polytope(polytope) => polytope.bounding_radius(),
            Self::Sum(parts) | Self::Difference(parts) => part(&parts[0]) + part(&parts[1]),
            Self::Hull(parts) => part(&parts[0]).max(part(&parts[1])),
            Self::Posed(posed) => part(posed),
            Self::Custom(_) => {
                let reach = |axis| self.extent(axis).map(Real::abs).into_iter().fold(0.0, Real::max);
                length(Vec3::new(reach(Vec3::X), reach(Vec3::Y), reach(Vec3::Z)))
            }
        }
    }

    /// Whether the farthest points along `d` form a flat face.
    pub fn is_flat(&self, d: Vec3) -> bool {
        let along = |normal: Vec3| length(d.cross(normal)) <= FLAT_DIRECTION * length(d) && d.dot(normal) > 0.0;
        let vertical = || radial(d) <= FLAT_DIRECTION * length(d);
        let of_plane = |normal: Vec3| along(normal) || along(-normal);
        match self {
            Self::Point | Self::Segment { .. } | Self::Ellipsoid { .. } | Self::Drop { .. } | Self::Custom(_) => false,
            Self::Rectangle { .. } | Self::Disc { .. } | Self::Ellipse { .. } => vertical(),
            Self::Cylinder { .. } | Self::TaperedCylinder { .. } => vertical(),
            Self::Cuboid { .. } => [Vec3::X, Vec3::Y, Vec3::Z].into_iter().any(of_plane),
            Self::Cone { .. } => along(-Vec3::Z),
            Self::Frustum { bottom, top, bottom_z, top_z } => {
                let height = top_z - bottom_z;
                let side = |axis: Vec3, slope: Real| unit_or(axis * height + Vec3::Z * slope, axis);
                let sides = [(Vec3::X, bottom[0] - top[0]), (Vec3::Y, bottom[1] - top[1])];
                vertical()
                    || sides.into_iter().any(|(axis, slope)| along(side(axis, slope)) || along(side(-axis, slope)))
            }
            Self::Triangle([a, b, c]) => of_plane(unit_or((*b - *a).cross(*c - *a), Vec3::ZERO)),
            Self::Polygon(polygon) => of_plane(polygon.plane().normal),
            Self::Polytope(polytope) => {
                let vertex = polytope.support(d, VertexId::NONE).vertex.0;
                polytope.faces_around(vertex).any(|face| along(polytope.plane(face).normal))
            }
            Self::Sum(parts) => parts[0].is_flat(d) || parts[1].is_flat(d),
            Self::Hull(parts) => self.leading(parts, d).any(|part| part.is_flat(d)),
            Self::Difference(parts) => parts[0].is_flat(d) || parts[1].is_flat(-d),
            Self::Posed(part) => part.is_flat(d),
        }
    }

    /// Whether the surface is curved where it is farthest along `d`: a small turn of `d` moves the farthest point a little,
    /// instead of leaving it where it is or making it jump across a face (the thesis's `quadric`).
    pub fn is_curved(&self, d: Vec3) -> bool {
        match self {
            Self::Ellipsoid { .. } => true,
            Self::Disc { .. } | Self::Ellipse { .. } => !self.is_flat(d),
            Self::Cylinder { .. } | Self::TaperedCylinder { .. } => !self.is_flat(d),
            Self::Drop { point, ball, radius } => (point - ball) * d.x <= radius * length(d),
            Self::Cone { height, radius } => !self.is_flat(d) && d.z * height <= radius * radial(d),
            Self::Sum(parts) => !self.is_flat(d) && (parts[0].is_curved(d) || parts[1].is_curved(d)),
            Self::Difference(parts) => !self.is_flat(d) && (parts[0].is_curved(d) || parts[1].is_curved(-d)),
            Self::Hull(parts) => self.leading(parts, d).any(|part| part.is_curved(d)),
            Self::Posed(part) => part.is_curved(d),
            _ => false,
        }
    }

    /// The parts of a hull that reach farthest along `d`: one, or both in a tie.
    fn leading<'a>(&self, parts: &'a [Part; 2], d: Vec3) -> impl Iterator<Item = &'a Part> {
        let highest = parts[0].extent(d)[1].max(parts[1].extent(d)[1]);
        parts.iter().filter(move |part| part.extent(d)[1] >= highest)
    }
}

impl Part {
    fn is_flat(&self, d: Vec3) -> bool {
        self.shape.core().is_flat(self.pose.direction_to_local(d))
    }

    fn is_curved(&self, d: Vec3) -> bool {
        self.shape.is_curved(self.pose.direction_to_local(d))
    }

    fn curvature(&self, d: Vec3, e: Vec3) -> Vec3 {
        let to_local = |v: Vec3| self.pose.direction_to_local(v);
        self.pose.direction(self.shape.curvature(to_local(d), to_local(e)))
    }
}

fn of_points(points: &[Vec3], d: Vec3) -> [Real; 2] {
    points
        .iter()
        .map(|p| p.dot(d))
        .fold([Real::INFINITY, Real::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point => write!(f, "Point"),
            Self::Segment { half_length } => write!(f, "Segment({half_length})"),
            Self::Rectangle { half_extents } => write!(f, "Rectangle({half_extents:?})"),
            Self::Cuboid { half_extents } => write!(f, "Cuboid({half_extents})"),
            Self::Disc { radius } => write!(f, "Disc({radius})"),
            Self::Ellipse { radii } => write!(f, "Ellipse({radii:?})"),
            Self::Ellipsoid { radii } => write!(f, "Ellipsoid({radii})"),
            Self::Cylinder { half_height, radius } => write!(f, "Cylinder({half_height}, {radius})"),
            Self::Cone { height, radius } => write!(f, "Cone({height}, {radius})"),
            Self::TaperedCylinder { radii, heights } => {
                write!(f, "TaperedCylinder({radii:?}, {})", heights[1] - heights[0])
            }
            Self::Drop { point, ball, radius } => write!(f, "Drop({point}, {ball}, {radius})"),
            Self::Frustum { bottom, top, bottom_z, top_z } => {
                write!(f, "Frustum({bottom:?}, {top:?}, {})", top_z - bottom_z)
            }
            Self::Triangle(corners) => write!(f, "Triangle({corners:?})"),
            Self::Polygon(polygon) => write!(f, "Polygon({} corners)", polygon.vertices().len()),
            Self::Polytope(polytope) => write!(f, "Polytope({} vertices)", polytope.vertices().len()),
            Self::Sum(parts) => write!(f, "Sum({parts:?})"),
            Self::Hull(parts) => write!(f, "Hull({parts:?})"),
            Self::Difference(parts) => write!(f, "Difference({parts:?})"),
            Self::Posed(part) => write!(f, "Posed({part:?})"),
            Self::Custom(_) => write!(f, "Custom"),
        }
    }
}
