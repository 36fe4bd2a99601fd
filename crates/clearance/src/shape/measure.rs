//! Volume and centroid: in closed form where there is one, exact for flat-faced bodies, and otherwise estimated.
//!
//! The estimate takes the hull of support points in evenly spread directions, at two resolutions. What an inscribed
//! polytope lacks shrinks like one over the number of points, so a step of Richardson extrapolation removes most of it; the
//! remaining error is within [`SAMPLED_VOLUME`](crate::tolerance::SAMPLED_VOLUME) of the volume and of the size.

use std::sync::Arc;

use super::Shape;
use super::core::{Core, Part};
use crate::math::{Aabb, Real, Vec3, consts};
use crate::polytope::{Polygon, Polytope};
use crate::support::{Support, VertexId};

/// Directions of the coarse resolution; the fine one has four times as many.
const COARSE: usize = 1000;
/// Sums of polytopes with more pairs of corners than this are estimated instead of computed from all pairs.
const MOST_CORNERS: usize = 20_000;

impl Shape {
    /// The volume; zero for flat shapes.
    ///
    /// In closed form for the primitives and their rounded versions, exact (to rounding) for bodies with flat faces, within
    /// 1e-3 relative for combinations with curved parts: these are sampled anew at each call, which takes milliseconds.
    pub fn volume(&self) -> Real {
        self.mass().0
    }

    /// The centre of volume, or of area or length for flat shapes; as accurate as [`Shape::volume`].
    pub fn centroid(&self) -> Vec3 {
        self.mass().1
    }

    /// Volume and centroid together, in local coordinates.
    pub fn mass(&self) -> (Real, Vec3) {
        if let Core::Posed(part) = &self.core {
            let inner = Self::new(part.shape.core.clone(), self.radius);
            let (volume, centroid) = inner.mass();
            return (volume, part.pose.point(centroid));
        }
        if let Some((here, offset)) = self.at_its_parts() {
            let (volume, centroid) = here.mass();
            return (volume, centroid + offset);
        }
        if self.radius == 0.0 { self.core.mass() } else { self.rounded_mass() }
    }

    /// A combination whose parts are far from the origin, moved to it, and by how much: its points would lose their digits.
    fn at_its_parts(&self) -> Option<(Self, Vec3)> {
        let (Core::Sum(parts) | Core::Difference(parts) | Core::Hull(parts)) = &self.core else {
            return None;
        };
        let [a, b] = [parts[0].pose.translation(), parts[1].pose.translation()];
        let (offset, of_b) = match &self.core {
            Core::Sum(_) => (a + b, Vec3::ZERO),
            Core::Difference(_) => (a - b, Vec3::ZERO),
            _ => (a, b - a),
        };
        let part = |i: usize, at: Vec3| Part { shape: parts[i].shape.clone(), pose: parts[i].pose.moved_to(at) };
        let moved = Arc::new([part(0, Vec3::ZERO), part(1, of_b)]);
        let core = match &self.core {
            Core::Sum(_) => Core::Sum(moved),
            Core::Difference(_) => Core::Difference(moved),
            _ => Core::Hull(moved),
        };
        (a != Vec3::ZERO || of_b != b).then(|| (Self::new(core, self.radius), offset))
    }

    fn rounded_mass(&self) -> (Real, Vec3) {
        let r = self.radius;
        let ball = 4.0 / 3.0 * consts::PI * r * r * r;
        // Steiner's formula: volume + surface · r + mean curvature · r² + ball; both sides of a flat body count.
        let steiner = |volume: Real, surface: Real, curvature: Real| volume + surface * r + curvature * r * r + ball;
        let volume = match &self.core {
            Core::Point => ball,
            Core::Segment { half_length } => steiner(0.0, 0.0, consts::TAU * half_length),
            Core::Rectangle { half_extents: [x, y] } => steiner(0.0, 8.0 * x * y, consts::TAU * (x + y)),
            Core::Cuboid { half_extents: h } => {
                steiner(8.0 * h.x * h.y * h.z, 8.0 * (h.x * h.y + h.y * h.z + h.z * h.x), consts::TAU * h.element_sum())
            }
            Core::Disc { radius } => steiner(0.0, consts::TAU * radius * radius, consts::PI * consts::PI * radius),
            _ => return self.estimated_mass(),
        };
        (volume, Vec3::ZERO)
    }

    /// From inscribed polytopes of two resolutions.
    fn estimated_mass(&self) -> (Real, Vec3) {
        let inscribed =
            |count: usize| -> Vec<Vec3> { spread(count).map(|d| self.support(d, VertexId::NONE).point).collect() };
        let fine = inscribed(4 * COARSE);
        match (Polytope::from_points(&inscribed(COARSE)), Polytope::from_points(&fine)) {
            (Ok(coarse), Ok(fine)) => {
                let volume = fine.volume() + (fine.volume() - coarse.volume()) / 3.0;
                let moment = |p: &Polytope| p.centroid() * (p.volume() / fine.volume());
                let moment = moment(&fine) + (moment(&fine) - moment(&coarse)) / 3.0;
                (volume, moment * (fine.volume() / volume))
            }
            _ => (0.0, flat_centroid(&fine)),
        }
    }
}

impl Core {
    fn mass(&self) -> (Real, Vec3) {
        let third = 1.0 / 3.0;
        let volume = match self {
            Self::Cuboid { half_extents: h } => 8.0 * h.x * h.y * h.z,
            Self::Ellipsoid { radii } => 4.0 * third * consts::PI * radii.x * radii.y * radii.z,
            Self::Cylinder { half_height, radius } => consts::TAU * half_height * radius * radius,
            Self::Cone { height, radius } => third * consts::PI * radius * radius * height,
            Self::Frustum { bottom, top, bottom_z, top_z } => {
                let [dx, dy] = [top[0] - bottom[0], top[1] - bottom[1]];
                let mixed = bottom[0] * dy + bottom[1] * dx;
                4.0 * (top_z - bottom_z) * (bottom[0] * bottom[1] + mixed / 2.0 + dx * dy * third)
            }
            Self::Triangle([a, b, c]) => return (0.0, *a + ((*b - *a) + (*c - *a)) * third),
            Self::Polygon(polygon) => return (0.0, polygon.centroid()),
            Self::Polytope(polytope) => return (polytope.volume(), polytope.centroid()),
            Self::Sum(_) | Self::Hull(_) | Self::Difference(_) | Self::Custom(_) => return self.combined_mass(),
            _ => 0.0,
        };
        (volume, Vec3::ZERO)
    }

    fn combined_mass(&self) -> (Real, Vec3) {
        let Some(corners) = self.corners() else {
            return Shape::sharp(self.clone()).estimated_mass();
        };
        match Polytope::from_points(&corners) {
            Ok(polytope) => (polytope.volume(), polytope.centroid()),
            Err(_) => (0.0, flat_centroid(&corners)),
        }
    }

    /// A finite set of points whose hull is the body, if there is one of reasonable size.
    fn corners(&self) -> Option<Vec<Vec3>> {
        let signs = [-1.0, 1.0];
        let rectangle = |[x, y]: [Real; 2], z: Real| {
            signs.into_iter().flat_map(move |sx| signs.map(move |sy| Vec3::new(sx * x, sy * y, z)))
        };
        match self {
            Self::Point => Some(vec![Vec3::ZERO]),
            Self::Segment { half_length } => Some(signs.map(|s| Vec3::X * s * *half_length).into()),
            Self::Rectangle { half_extents } => Some(rectangle(*half_extents, 0.0).collect()),
            Self::Cuboid { half_extents: h } => {
                Some(signs.into_iter().flat_map(|s| rectangle([h.x, h.y], s * h.z)).collect())
            }
            Self::Frustum { bottom, top, bottom_z, top_z } => {
                Some(rectangle(*bottom, *bottom_z).chain(rectangle(*top, *top_z)).collect())
            }
            Self::Triangle(corners) => Some(corners.to_vec()),
            Self::Polygon(polygon) => Some(polygon.vertices().to_vec()),
            Self::Polytope(polytope) => Some(polytope.vertices().to_vec()),
            Self::Sum(parts) => pairwise(parts, |a, b| a + b),
            Self::Difference(parts) => pairwise(parts, |a, b| a - b),
            Self::Hull(parts) => Some([parts[0].corners()?, parts[1].corners()?].concat()),
            Self::Posed(part) => part.corners(),
            _ => None,
        }
    }
}

/// The centre of the hull of points without volume: of its area, or of its length if they are in line.
fn flat_centroid(points: &[Vec3]) -> Vec3 {
    match Polygon::from_points(points) {
        Ok(polygon) => polygon.centroid(),
        Err(_) => Aabb::from_points(points.iter().copied()).center(),
    }
}

fn pairwise(parts: &[Part; 2], combine: fn(Vec3, Vec3) -> Vec3) -> Option<Vec<Vec3>> {
    let (a, b) = (parts[0].corners()?, parts[1].corners()?);
    let few = a.len().saturating_mul(b.len()) <= MOST_CORNERS;
    few.then(|| a.iter().flat_map(|&p| b.iter().map(move |&q| combine(p, q))).collect())
}

impl Part {
    fn corners(&self) -> Option<Vec<Vec3>> {
        let sharp = self.shape.radius == 0.0;
        let local = sharp.then(|| self.shape.core.corners())??;
        Some(local.into_iter().map(|p| self.pose.point(p)).collect())
    }
}

/// Evenly spread unit directions: points of a golden-angle spiral.
fn spread(count: usize) -> impl Iterator<Item = Vec3> {
    let golden_angle = consts::PI * (3.0 - (5.0 as Real).sqrt());
    (0..count).map(move |i| {
        let z = 1.0 - (2 * i + 1) as Real / count as Real;
        let (radius, angle) = ((1.0 - z * z).sqrt(), golden_angle * i as Real);
        Vec3::new(radius * angle.cos(), radius * angle.sin(), z)
    })
}
