//! Volume, centroid and inertia: in closed form where there is one, exact for flat-faced bodies, and otherwise estimated.
//!
//! The estimate takes the hull of support points in evenly spread directions, at two resolutions. What an inscribed
//! polytope lacks shrinks like one over the number of points, so a step of Richardson extrapolation removes most of it; the
//! remaining error is within [`SAMPLED_VOLUME`](crate::tolerance::SAMPLED_VOLUME) of the volume and of the size.

use std::sync::Arc;

use glam::DVec3;

use super::kinds::{Core, Part, Shape};
use super::mass::{MassProperties, Moments};
use crate::math::{Aabb, Real, Vec3, consts, widen, widen_real};
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
        self.mass_properties().volume
    }

    /// The centre of volume, or of area or length for flat shapes; as accurate as [`Shape::volume`].
    pub fn centroid(&self) -> Vec3 {
        self.mass_properties().centroid
    }

    /// Volume and centroid together, in local coordinates.
    pub fn mass(&self) -> (Real, Vec3) {
        let properties = self.mass_properties();
        (properties.volume, properties.centroid)
    }

    /// Volume, centroid and inertia tensor for unit density, in local coordinates.
    ///
    /// As accurate as [`Shape::volume`]: the inertia tensor is off by at most that share of volume times the square of the size.
    ///
    /// ```
    /// use clearance::Shape;
    /// let ball = Shape::sphere(2.0)?.mass_properties();
    /// // 2/5 m r²
    /// assert!((ball.inertia.x_axis.x - 0.4 * ball.volume * 4.0).abs() < 1e-3);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    pub fn mass_properties(&self) -> MassProperties {
        if let Core::Posed(part) = &self.core {
            return Self::new(part.shape.core.clone(), self.radius).mass_properties().posed(&part.pose);
        }
        if let Some((here, offset)) = self.at_its_parts() {
            return here.mass_properties().moved(offset);
        }
        // In units of its own size, so that no power of it overflows.
        let unit = widen_real(self.reach);
        if let Some(moments) = self.moments(unit).filter(|moments| moments.volume > 0.0) {
            return moments.properties(DVec3::ZERO, unit);
        }
        if self.radius == 0.0 { self.core.mass() } else { self.estimated_mass() }
    }

    /// The integrals over the solid in units of a length, where there is a closed form; of no volume for flat ones.
    fn moments(&self, unit: f64) -> Option<Moments> {
        let scaled = |x: Real| widen_real(x) / unit;
        let r = scaled(self.radius);
        let boxed = |h: Vec3| Some(Moments::rounded_box(widen(h) / unit, r));
        match &self.core {
            Core::Point => boxed(Vec3::ZERO),
            Core::Segment { half_length } => boxed(Vec3::X * *half_length),
            Core::Rectangle { half_extents: [x, y] } => boxed(Vec3::new(*x, *y, 0.0)),
            Core::Cuboid { half_extents } => boxed(*half_extents),
            Core::Disc { radius } if r > 0.0 => Some(Moments::wheel(scaled(*radius), r)),
            Core::Drop { point, ball, radius } => Some(drop([*point, *ball, *radius].map(scaled), r)),
            _ if r > 0.0 => None,
            Core::Ellipsoid { radii } => {
                let radii = widen(*radii) / unit;
                let volume = 4.0 / 3.0 * std::f64::consts::PI * radii.x * radii.y * radii.z;
                Some(Moments::symmetric(volume, radii * radii * (volume / 5.0)))
            }
            Core::Cylinder { half_height, radius } => {
                let (h, square) = (scaled(*half_height), scaled(*radius).powi(2));
                Some(Moments::revolved(-h, h, |_| square))
            }
            Core::Cone { height, radius } => {
                let (h, radius) = (scaled(*height), scaled(*radius));
                Some(Moments::revolved(-0.25 * h, 0.75 * h, |z| (radius * (0.75 - z / h)).powi(2)))
            }
            Core::TaperedCylinder { radii, heights } => {
                let ([b, t], [low, high]) = (radii.map(scaled), heights.map(scaled));
                Some(Moments::revolved(low, high, |z| (b + (t - b) * ((z - low) / (high - low))).powi(2)))
            }
            Core::Frustum { bottom, top, bottom_z, top_z } => {
                Some(frustum(bottom.map(scaled), top.map(scaled), [*bottom_z, *top_z].map(scaled)))
            }
            _ => None,
        }
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

    /// From inscribed polytopes of two resolutions.
    fn estimated_mass(&self) -> MassProperties {
        let inscribed =
            |count: usize| -> Vec<Vec3> { spread(count).map(|d| self.support(d, VertexId::NONE).point).collect() };
        let fine = inscribed(4 * COARSE);
        match (Polytope::from_points(&inscribed(COARSE)), Polytope::from_points(&fine)) {
            (Ok(coarse), Ok(fine)) => {
                let unit = widen_real(self.reach);
                let [coarse, fine] = [coarse, fine].map(|polytope| polytope.moments_in(unit));
                fine.plus_times(&fine, 1.0 / 3.0).plus_times(&coarse, -1.0 / 3.0).properties(DVec3::ZERO, unit)
            }
            _ => MassProperties::without_volume(flat_centroid(&fine)),
        }
    }
}

/// The sum of a ball and the hull of a point and a ball on the x axis, given by their places and the radius of the second: caps of
/// two spheres and a truncated cone that touches both.
fn drop([point, ball, radius]: [f64; 3], rounding: f64) -> Moments {
    // Along z, with the larger ball at the upper end.
    let flip = (ball - point).signum();
    let (low, high) = (point * flip, ball * flip);
    let (small, large) = (rounding, radius + rounding);
    // Both spheres are left at the same slope: the sine of the cone's half angle.
    let sine = radius / (high - low);
    let cosine = (1.0 - sine * sine).max(0.0).sqrt();
    let (leave_small, leave_large) = (low - small * sine, high - large * sine);
    let [thin, wide] = [small, large].map(|r| r * cosine);
    let cone = move |z: f64| (thin + (wide - thin) * ((z - leave_small) / (leave_large - leave_small))).powi(2);
    let sphere = |centre: f64, r: f64| move |z: f64| r * r - (z - centre).powi(2);
    let parts = [
        Moments::revolved(low - small, leave_small, sphere(low, small)),
        Moments::revolved(leave_small, leave_large, cone),
        Moments::revolved(leave_large, high + large, sphere(high, large)),
    ];
    let whole = parts.iter().fold(Moments::ZERO, |sum, part| sum.plus(part));
    if flip < 0.0 { whole.mirrored_z().along_x() } else { whole.along_x() }
}

/// A frustum with rectangular ends, by their half extents and heights. The half extents are linear in z.
fn frustum(bottom: [f64; 2], top: [f64; 2], [low, high]: [f64; 2]) -> Moments {
    let half = move |axis: usize, z: f64| bottom[axis] + (top[axis] - bottom[axis]) * ((z - low) / (high - low));
    Moments::stacked(low, high, move |z| [half(0, z), half(1, z)])
}

impl Core {
    /// For cores without a closed form, and those without a volume.
    fn mass(&self) -> MassProperties {
        let centroid = match self {
            Self::Triangle([a, b, c]) => *a + ((*b - *a) + (*c - *a)) * (1.0 / 3.0),
            Self::Polygon(polygon) => polygon.centroid(),
            Self::Polytope(polytope) => return polytope.mass_properties(),
            Self::Sum(_) | Self::Hull(_) | Self::Difference(_) | Self::Custom(_) => return self.combined_mass(),
            _ => Vec3::ZERO,
        };
        MassProperties::without_volume(centroid)
    }

    fn combined_mass(&self) -> MassProperties {
        let Some(corners) = self.corners() else {
            return Shape::sharp(self.clone()).estimated_mass();
        };
        match Polytope::from_points(&corners) {
            Ok(polytope) => polytope.mass_properties(),
            Err(_) => MassProperties::without_volume(flat_centroid(&corners)),
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
