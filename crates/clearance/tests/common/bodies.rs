//! One specimen of every shape, each with independent plain f64 descriptions: by membership, by samples and by measure.

use std::f64::consts::PI;
use std::sync::Arc;

use clearance::math::{narrow, narrow_real, widen};
use clearance::tolerance::SAMPLED_VOLUME;
use clearance::{Part, Pose, Real, Shape, Support, SupportPoint, Vec3, VertexId};
use clearance_testkit::{Cloud, Rng, Solid};
use glam::DVec3;

use super::membership::*;
use super::{held, pose_of, posed, radius_of, u, widened};

/// How far a point is outside a body, at least; not positive inside.
pub type Outside = Box<dyn Fn(DVec3) -> f64>;

/// A shape next to everything that is known about it.
pub struct Body {
    pub name: &'static str,
    pub shape: Shape,
    pub outside: Outside,
    /// Points of the body; along any unit direction one of them is within `resolution` of the farthest.
    pub samples: Vec<DVec3>,
    pub resolution: f64,
    /// Distance of the farthest sample from the origin.
    pub size: f64,
    pub volume: f64,
    pub centroid: DVec3,
    /// Relative accuracy of volume and centroid.
    pub accuracy: f64,
    /// Its own constructor, with the centroid at the origin.
    pub primitive: bool,
}

impl Body {
    fn new(name: &'static str, shape: Shape, outside: impl Fn(DVec3) -> f64 + 'static, samples: Samples) -> Self {
        let size = radius_of(&samples.0);
        Self {
            name,
            shape,
            outside: Box::new(outside),
            samples: samples.0,
            resolution: samples.1,
            size,
            volume: 0.0,
            centroid: DVec3::ZERO,
            // Closed forms of up to five terms, each a product of up to five factors.
            accuracy: 16.0 * u(),
            primitive: false,
        }
    }

    fn primitive(mut self, volume: f64) -> Self {
        (self.volume, self.primitive) = (volume, true);
        self
    }

    fn measuring(mut self, volume: f64, centroid: DVec3) -> Self {
        (self.volume, self.centroid) = (volume, centroid);
        self
    }

    /// The volume has no closed form in the library.
    fn sampled(mut self) -> Self {
        self.accuracy = super::widen_real(SAMPLED_VOLUME);
        self
    }
}

/// Points and their resolution.
pub struct Samples(pub Vec<DVec3>, pub f64);

impl Samples {
    fn corners(points: impl IntoIterator<Item = DVec3>) -> Self {
        Self(points.into_iter().collect(), 0.0)
    }

    fn cuboid(half: DVec3) -> Self {
        Self::corners(Solid::cuboid(DVec3::ZERO, half).vertices)
    }

    /// Turns points (ρ, z) about the z axis, 64 steps; `coarse` is the resolution of the profile itself.
    fn turned(profile: impl IntoIterator<Item = [f64; 2]>, coarse: f64) -> Self {
        const STEPS: usize = 64;
        let profile: Vec<[f64; 2]> = profile.into_iter().collect();
        let widest = profile.iter().map(|p| p[0]).fold(0.0, f64::max);
        let turn = |step: usize| (2.0 * PI * step as f64 / STEPS as f64).sin_cos();
        let ring = |[rho, z]: [f64; 2]| (0..STEPS).map(turn).map(move |(s, c)| DVec3::new(rho * c, rho * s, z));
        // The farthest point is within half a step of a sample.
        Self(profile.into_iter().flat_map(ring).collect(), coarse + widest * (1.0 - (PI / STEPS as f64).cos()))
    }

    fn ball(center_z: f64, radius: f64) -> Self {
        Self::turned(half_circle(0.0, center_z, radius), radius * ARC)
    }

    fn plus(&self, other: &Self) -> Self {
        let sums = self.0.iter().flat_map(|&a| other.0.iter().map(move |&b| a + b));
        Self(sums.collect(), self.1 + other.1)
    }

    fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        Self(self.0, self.1.max(other.1))
    }

    fn map(self, f: impl Fn(DVec3) -> DVec3) -> Self {
        Self(self.0.into_iter().map(f).collect(), self.1)
    }
}

const ARC_STEPS: usize = 32;
/// 1 − cos of half a step of [`half_circle`].
const ARC: f64 = 1.3e-3;

/// The outer half of a circle about (ρ, z) in the half-plane of a profile.
fn half_circle(rho: f64, z: f64, radius: f64) -> impl Iterator<Item = [f64; 2]> {
    (0..=ARC_STEPS).map(move |step| {
        let (s, c) = (PI * (step as f64 / ARC_STEPS as f64 - 0.5)).sin_cos();
        [(rho + radius * c).max(0.0), z + radius * s]
    })
}

/// The upper half of a ball, as a user's own shape.
pub struct Dome(pub Real);

impl Support for Dome {
    fn support(&self, d: Vec3, _hint: VertexId) -> SupportPoint {
        let toward = if d.z > 0.0 { d } else { Vec3::new(d.x, d.y, 0.0) };
        let largest = toward.abs().max_element();
        let point = if largest > 0.0 { (toward / largest).normalize() * self.0 } else { Vec3::ZERO };
        point.into()
    }
}

/// Every shape once, its sizes about `scale`.
pub fn catalogue(scale: f64) -> Vec<Body> {
    let mut all = sharp(scale);
    all.extend(round(scale));
    all.extend(turned(scale));
    all.extend(tapered(scale));
    all.extend(cornered(scale));
    all.extend(moved(scale));
    all.extend(combined(scale));
    all
}

/// Sizes that the build can hold, as f64 and as `Real`.
fn sizes<const N: usize>(scale: f64, values: [f64; N]) -> ([f64; N], [Real; N]) {
    let wide = values.map(|x| held(x * scale));
    (wide, wide.map(narrow_real))
}

/// A truncated cone and the hull of two balls.
fn tapered(scale: f64) -> Vec<Body> {
    let ([b, t, h], [rb, rt, rh]) = sizes(scale, [0.9, 0.4, 1.3]);
    let (volume, low) = truncated_cone(b, t, h);
    let ([half, small, large], [r_half, r_small, r_large]) = sizes(scale, [0.8, 0.35, 0.6]);
    // Along x, the larger ball on the left.
    let (hull, centroid) = two_balls(2.0 * half, small, large);
    let samples = Samples::ball(-half, large).and(Samples::ball(half, small)).map(|p| DVec3::new(p.z, p.y, p.x));
    vec![
        Body::new(
            "tapered cylinder",
            Shape::tapered_cylinder(rb, rt, rh).unwrap(),
            move |p| beyond_truncated_cone(p, b, t, -low, h),
            Samples::turned([[b, -low], [t, h - low]], 0.0),
        )
        .primitive(volume),
        Body::new(
            "tapered capsule",
            Shape::tapered_capsule(r_half, [r_large, r_small]).unwrap(),
            move |p| from_two_balls(p, half, large, small),
            samples,
        )
        .measuring(hull, DVec3::X * (half - centroid)),
    ]
}

fn ball_volume(r: f64) -> f64 {
    4.0 / 3.0 * PI * r * r * r
}

fn sharp(scale: f64) -> Vec<Body> {
    let ([x, y, z], [rx, ry, rz]) = sizes(scale, [0.7, 1.1, 0.45]);
    let circle = Samples::turned([[1.0, 0.0]], 0.0).map(|p| p * DVec3::new(x, y, 0.0));
    let (circle, ball) = (Samples(circle.0, circle.1 * y), Samples::ball(0.0, 1.0));
    let ellipsoid = Samples(ball.0.iter().map(|&p| p * DVec3::new(x, y, z)).collect(), ball.1 * y);
    vec![
        Body::new("point", Shape::point(), |p| p.length(), Samples::corners([DVec3::ZERO])).primitive(0.0),
        Body::new(
            "segment",
            Shape::segment(rx).unwrap(),
            move |p| from_box(p, DVec3::X * x),
            Samples::cuboid(DVec3::X * x),
        )
        .primitive(0.0),
        Body::new(
            "rectangle",
            Shape::rectangle([rx, ry]).unwrap(),
            move |p| from_box(p, DVec3::new(x, y, 0.0)),
            Samples::cuboid(DVec3::new(x, y, 0.0)),
        )
        .primitive(0.0),
        Body::new(
            "box",
            Shape::cuboid([rx, ry, rz]).unwrap(),
            move |p| outside_box(p, DVec3::new(x, y, z)),
            Samples::cuboid(DVec3::new(x, y, z)),
        )
        .primitive(8.0 * x * y * z),
        Body::new(
            "ellipse",
            Shape::ellipse([rx, ry]).unwrap(),
            move |p| beyond_ellipsoid(p, DVec3::new(x, y, x)).max(p.z.abs()),
            circle,
        )
        .primitive(0.0),
        Body::new(
            "ellipsoid",
            Shape::ellipsoid([rx, ry, rz]).unwrap(),
            move |p| beyond_ellipsoid(p, DVec3::new(x, y, z)),
            ellipsoid,
        )
        .primitive(4.0 / 3.0 * PI * x * y * z),
    ]
}

fn round(scale: f64) -> Vec<Body> {
    let ([x, y, z, r], [rx, ry, rz, rr]) = sizes(scale, [0.7, 1.1, 0.45, 0.3]);
    let rounded = |half: DVec3| Samples::cuboid(half).plus(&Samples::ball(0.0, r));
    let lozenge = 8.0 * x * y * r + 2.0 * PI * r * r * (x + y) + ball_volume(r);
    let round_box = 8.0 * (x * y * z + r * (x * y + y * z + z * x)) + 2.0 * PI * r * r * (x + y + z) + ball_volume(r);
    vec![
        Body::new("sphere", Shape::sphere(rr).unwrap(), move |p| p.length() - r, Samples::ball(0.0, r))
            .primitive(ball_volume(r)),
        Body::new(
            "capsule",
            Shape::capsule(rx, rr).unwrap(),
            move |p| from_box(p, DVec3::X * x) - r,
            rounded(DVec3::X * x),
        )
        .primitive(2.0 * x * PI * r * r + ball_volume(r)),
        Body::new(
            "lozenge",
            Shape::lozenge([rx, ry], rr).unwrap(),
            move |p| from_box(p, DVec3::new(x, y, 0.0)) - r,
            rounded(DVec3::new(x, y, 0.0)),
        )
        .primitive(lozenge),
        Body::new(
            "round box",
            Shape::round_box([rx, ry, rz], rr).unwrap(),
            move |p| from_box(p, DVec3::new(x, y, z)) - r,
            rounded(DVec3::new(x, y, z)),
        )
        .primitive(round_box),
    ]
}

fn turned(scale: f64) -> Vec<Body> {
    let ([h, r, edge], [rh, rr, re]) = sizes(scale, [0.9, 0.65, 0.2]);
    let rounded_cone = move |p: DVec3| from_cone(p, h, r) - edge;
    let cone_profile = half_circle(r, -h / 4.0, edge).chain(half_circle(0.0, 0.75 * h, edge));
    let (cone_volume, cone_z) = turned_mass(rounded_cone, -h / 4.0 - edge, 0.75 * h + edge, r + edge);
    vec![
        Body::new("disc", Shape::disc(rr).unwrap(), move |p| from_disc(p, r), Samples::turned([[r, 0.0]], 0.0))
            .primitive(0.0),
        Body::new(
            "cylinder",
            Shape::cylinder(rh, rr).unwrap(),
            move |p| (p.x.hypot(p.y) - r).max(p.z.abs() - h),
            Samples::turned([[r, -h], [r, h]], 0.0),
        )
        .primitive(2.0 * h * PI * r * r),
        Body::new(
            "cone",
            Shape::cone(rh, rr).unwrap(),
            move |p| beyond_cone(p, h, r),
            Samples::turned([[r, -h / 4.0], [0.0, 0.75 * h]], 0.0),
        )
        .primitive(PI * r * r * h / 3.0),
        Body::new(
            "wheel",
            Shape::wheel(rr, re).unwrap(),
            move |p| from_disc(p, r) - edge,
            Samples::turned(half_circle(r, 0.0, edge), edge * ARC),
        )
        // A flat part, and half a disc turned about the axis at its centre of area (Pappus).
        .primitive(2.0 * edge * PI * r * r + PI * PI * edge * edge * (r + 4.0 * edge / (3.0 * PI))),
        Body::new(
            "rounded cone",
            Shape::cone(rh, rr).unwrap().rounded(re).unwrap(),
            rounded_cone,
            Samples::turned(cone_profile, edge * ARC),
        )
        .measuring(cone_volume, DVec3::Z * cone_z)
        .sampled(),
        dome(r),
    ]
}

fn dome(r: f64) -> Body {
    let shape = Shape::custom(Arc::new(Dome(narrow_real(r)))).unwrap();
    let profile = half_circle(0.0, 0.0, r).map(|[rho, z]| [rho, z.max(0.0)]);
    Body::new("custom dome", shape, move |p| (p.length() - r).max(-p.z), Samples::turned(profile, r * ARC))
        .measuring(ball_volume(r) / 2.0, DVec3::Z * (3.0 / 8.0 * r))
        .sampled()
}

fn cornered(scale: f64) -> Vec<Body> {
    let ([bx, by, tx, ty, h], [b0, b1, t0, t1, rh]) = sizes(scale, [0.9, 0.5, 0.3, 0.8, 1.2]);
    let (bottom, top) = (4.0 * bx * by, 4.0 * tx * ty);
    let middle = (bx + tx) * (by + ty);
    // Simpson's rule is exact for the area, a polynomial of the second degree in the height, and its moment.
    let frustum = h / 6.0 * (bottom + 4.0 * middle + top);
    let floor = -h * (h / 6.0 * (2.0 * middle + top)) / frustum;
    let corner = |x: f64, y: f64, z: f64| Samples::cuboid(DVec3::new(x, y, 0.0)).map(move |p| p + DVec3::Z * z);
    let triangle = [[0.2, -0.5, 0.9], [1.1, 0.3, -0.2], [-0.8, 0.7, 0.1]].map(|p| narrow(DVec3::from(p) * scale));
    let wide = triangle.map(widen);
    let flat: Vec<Vec3> = (0..7)
        .map(|i| {
            let (s, c) = (f64::from(i) * 0.9).sin_cos();
            narrow(DVec3::new(c, s * 0.7, 0.25) * scale)
        })
        .collect();
    let points = widened(&super::narrowed(&Cloud::Ball.generate(&mut Rng::new(900), 40)))
        .into_iter()
        .map(|p| widen(narrow(p * scale)))
        .collect::<Vec<_>>();
    let solid = Solid::hull(&points).unwrap();
    let polytope = Shape::polytope(&super::narrowed(&points)).unwrap();
    let (volume, centroid) = (solid.volume(), solid.centroid());
    vec![
        Body::new(
            "frustum",
            Shape::frustum([b0, b1], [t0, t1], rh).unwrap(),
            move |p| beyond_frustum(p, [bx, by], [tx, ty], floor, h),
            corner(bx, by, floor).and(corner(tx, ty, floor + h)),
        )
        .primitive(frustum),
        Body::new(
            "triangle",
            Shape::triangle(triangle).unwrap(),
            beyond_polygon(wide.to_vec()),
            Samples::corners(wide),
        )
        .measuring(0.0, (wide[0] + wide[1] + wide[2]) / 3.0),
        Body::new(
            "polygon",
            Shape::polygon(&flat).unwrap(),
            beyond_polygon(widened(&flat)),
            Samples::corners(widened(&flat)),
        )
        .measuring(0.0, polygon_centroid(&widened(&flat))),
        Body::new("polytope", polytope, beyond_solid(&solid), Samples::corners(points)).measuring(volume, centroid),
    ]
}

fn part(shape: Shape, pose: Pose) -> Part {
    Part { shape, pose }
}

fn moved(scale: f64) -> Vec<Body> {
    let mut rng = Rng::new(901);
    let ([x, y, z, r], [rx, ry, rz, rr]) = sizes(scale, [0.7, 0.4, 0.55, 0.25]);
    let half = DVec3::new(x, y, z);
    let pose = pose_of(rng.in_ball(1.0) * scale, rng.rotation());
    let ends = [-x, x].map(|x| posed(&pose, DVec3::X * x));
    vec![
        Body::new(
            "posed capsule",
            Shape::capsule(rx, rr).unwrap().posed(pose),
            move |p| from_segment(p, ends[0], ends[1]) - r,
            Samples::corners(ends).plus(&Samples::ball(0.0, r)),
        )
        .measuring(2.0 * x * PI * r * r + ball_volume(r), widen(pose.translation())),
        Body::new(
            "posed box",
            Shape::cuboid([rx, ry, rz]).unwrap().posed(pose),
            move |p| outside_box(unposed_exactly(&pose, p), half),
            Samples::cuboid(half).map(|p| posed(&pose, p)),
        )
        .measuring(8.0 * x * y * z, widen(pose.translation())),
    ]
}

fn combined(scale: f64) -> Vec<Body> {
    let ([x, y, z, a, b, c, r], [rx, ry, rz, ra, rb, rc, rr]) = sizes(scale, [0.7, 0.4, 0.55, 0.3, 0.5, 0.2, 0.25]);
    let (half, radii) = (DVec3::new(x, y, z), DVec3::new(a, b, c));
    let shift = widen(narrow(DVec3::new(0.3, -0.2, 0.6) * scale));
    let shifted = Pose::from_translation(narrow(shift)).unwrap();
    let cuboid = || Shape::cuboid([rx, ry, rz]).unwrap();
    let ellipsoid = || Shape::ellipsoid([ra, rb, rc]).unwrap();
    let ball = Samples::ball(0.0, 1.0);
    let squeezed = Samples(ball.0.iter().map(|&p| p * radii).collect(), ball.1 * b);
    let swollen = Samples::cuboid(half).plus(&squeezed);
    // The faces move out by a semi-axis each, the edges become elliptic cylinders, the corners the ellipsoid.
    let volume = 8.0 * (x * y * z + y * z * a + z * x * b + x * y * c)
        + 2.0 * PI * (x * b * c + y * c * a + z * a * b)
        + 4.0 / 3.0 * PI * a * b * c;
    let longer = half + DVec3::X * a;
    let round_volume = 8.0 * (longer.x * y * z + r * (longer.x * y + y * z + z * longer.x))
        + 2.0 * PI * r * r * longer.element_sum()
        + ball_volume(r);
    vec![
        Body::new(
            "sum",
            Shape::sum(cuboid().into(), part(ellipsoid(), shifted)),
            move |p| beyond_swollen_box(p - shift, half, radii),
            Samples(swollen.0.clone(), swollen.1).map(|p| p + shift),
        )
        .measuring(volume, shift)
        .sampled(),
        Body::new(
            "difference",
            Shape::difference(cuboid().into(), part(ellipsoid(), shifted)),
            move |p| beyond_swollen_box(p + shift, half, radii),
            swollen.map(|p| p - shift),
        )
        .measuring(volume, -shift)
        .sampled(),
        Body::new(
            "sum with a capsule",
            Shape::sum(cuboid().into(), Shape::capsule(ra, rr).unwrap().into()),
            move |p| from_box(p, longer) - r,
            Samples::cuboid(longer).plus(&Samples::ball(0.0, r)),
        )
        .measuring(round_volume, DVec3::ZERO)
        .sampled(),
        equal_hull(scale),
        tapered_hull(scale),
    ]
}

fn equal_hull(scale: f64) -> Body {
    let ([r], [rr]) = sizes(scale, [0.35]);
    let ends = [[-0.4, 0.1, 0.3], [0.6, -0.5, 0.2]].map(|p| widen(narrow(DVec3::from(p) * scale)));
    let at = |p: DVec3| part(Shape::sphere(rr).unwrap(), Pose::from_translation(narrow(p)).unwrap());
    Body::new(
        "hull of equal radii",
        Shape::hull(at(ends[0]), at(ends[1])),
        move |p| from_segment(p, ends[0], ends[1]) - r,
        Samples::corners(ends).plus(&Samples::ball(0.0, r)),
    )
    .measuring(ends[0].distance(ends[1]) * PI * r * r + ball_volume(r), (ends[0] + ends[1]) / 2.0)
    .sampled()
}

fn tapered_hull(scale: f64) -> Body {
    let ([big, small, low, high], [rb, rs, rl, rh]) = sizes(scale, [0.6, 0.25, -0.5, 0.7]);
    let at =
        |radius: Real, z: Real| part(Shape::sphere(radius).unwrap(), Pose::from_translation([0.0, 0.0, z]).unwrap());
    let outside = move |p: DVec3| beyond_spheres(p, low, big, high, small);
    let (volume, z) = turned_mass(outside, low - big, high + small, big);
    Body::new(
        "hull of different radii",
        Shape::hull(at(rb, rl), at(rs, rh)),
        outside,
        Samples::ball(low, big).and(Samples::ball(high, small)),
    )
    .measuring(volume, DVec3::Z * z)
    .sampled()
}
