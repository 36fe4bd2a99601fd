//! Pairs of clouds with poses, placed so that a query between their hulls is ordinary or awkward.

use super::Cloud;
use crate::minkowski::{MinkowskiDifference, PosedSolid};
use crate::random::Rng;
use crate::solid::Solid;
use glam::{DMat3, DQuat, DVec3};

/// Two point clouds in local frames, each with a rotation and a translation into the world.
#[derive(Clone, Debug)]
pub struct PairCase {
    /// Local points of the first body.
    pub a: Vec<DVec3>,
    /// Local points of the second body.
    pub b: Vec<DVec3>,
    /// World pose of the first body.
    pub pose_a: (DQuat, DVec3),
    /// World pose of the second body.
    pub pose_b: (DQuat, DVec3),
}

impl PairCase {
    /// The exact difference of the two hulls under the matrices of the poses; nothing if a cloud is
    /// flat.
    pub fn difference(&self) -> Option<MinkowskiDifference> {
        let posed = |points: &[DVec3], pose: (DQuat, DVec3)| {
            let solid = Solid::hull(points)?;
            Some(PosedSolid::new(&solid, DMat3::from_quat(pose.0), pose.1))
        };
        let a = posed(&self.a, self.pose_a)?;
        let b = posed(&self.b, self.pose_b)?;
        Some(MinkowskiDifference::new(&a, &b))
    }
}

/// Families of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairFamily {
    /// Ordinary hulls, about half of them overlapping.
    Random,
    /// Signed distance between −1e-3 and 1e-3 of the size, down to rounding and exactly as close to
    /// zero as the numbers allow.
    Touching,
    /// Boxes and prisms in one orientation: gaps, exact contact and overlap along an axis.
    ParallelFaces,
    /// Bodies that share vertices exactly.
    CoincidentVertices,
    /// Needles and plates of 1 : 1e-4 that cross or nearly cross.
    Needles,
    /// One body deep inside the other.
    Inside,
    /// Ordinary pairs 1e6 to 1e9 from the origin.
    FarFromOrigin,
    /// Ordinary pairs of size 1e-6 to 1e6, and bodies of very different size.
    Scales,
}

impl PairFamily {
    /// Every family.
    pub const ALL: [Self; 8] = [
        Self::Random,
        Self::Touching,
        Self::ParallelFaces,
        Self::CoincidentVertices,
        Self::Needles,
        Self::Inside,
        Self::FarFromOrigin,
        Self::Scales,
    ];

    /// A short name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Touching => "touching",
            Self::ParallelFaces => "parallel faces",
            Self::CoincidentVertices => "coincident vertices",
            Self::Needles => "needles",
            Self::Inside => "inside",
            Self::FarFromOrigin => "far from origin",
            Self::Scales => "scales",
        }
    }

    /// A pair of the family.
    pub fn generate(self, rng: &mut Rng) -> PairCase {
        match self {
            Self::Random => random(rng),
            Self::Touching => touching(rng),
            Self::ParallelFaces => parallel_faces(rng),
            Self::CoincidentVertices => coincident_vertices(rng),
            Self::Needles => needles(rng),
            Self::Inside => inside(rng),
            Self::FarFromOrigin => far_from_origin(rng),
            Self::Scales => scales(rng),
        }
    }
}

const ORDINARY: [Cloud; 6] =
    [Cloud::Sphere, Cloud::Ball, Cloud::Box, Cloud::CubeSurface, Cloud::Prism, Cloud::Antiprism];

fn ordinary(rng: &mut Rng) -> Vec<DVec3> {
    let n = 4 + rng.index(16);
    rng.pick(&ORDINARY).generate(rng, n)
}

fn random(rng: &mut Rng) -> PairCase {
    let (a, b) = (ordinary(rng), ordinary(rng));
    let center = rng.in_ball(1.0);
    let away = rng.unit_vector() * rng.uniform(0.0, 3.0);
    PairCase { a, b, pose_a: (rng.rotation(), center), pose_b: (rng.rotation(), center + away) }
}

/// A random pair, the second body then moved along the normal until the distance is as wanted, at
/// some scale.
fn touching(rng: &mut Rng) -> PairCase {
    let mut case = random(rng);
    let wanted = match rng.index(3) {
        0 => 0.0,
        _ => rng.sign() * rng.log_uniform(1e-16, 1e-3),
    };
    case.pose_b.1 += rng.unit_vector() * 3.0;
    for _ in 0..2 {
        let Some(difference) = case.difference() else {
            break;
        };
        let now = difference.signed_distance();
        case.pose_b.1 -= now.normal * (now.distance - wanted);
    }
    let scale = rng.pick(&[1.0, 1.0, 1e-6, 1e-3, 1e3, 1e6]);
    scaled(case, scale, scale)
}

/// Grid boxes or prisms in one common orientation, half of the time axis-aligned and at grid offsets
/// so that contact is exact.
fn parallel_faces(rng: &mut Rng) -> PairCase {
    let turn = if rng.chance(0.5) { DQuat::IDENTITY } else { rng.rotation() };
    let mut body = || match rng.index(3) {
        0 => Cloud::Prism.generate(rng, 16),
        _ => {
            let half = DVec3::from_array([0; 3].map(|_| rng.integer(1, 4) as f64 / 4.0));
            Solid::cuboid(DVec3::ZERO, half).vertices
        }
    };
    let (a, b) = (body(), body());
    let offset = DVec3::from_array([0; 3].map(|_| rng.integer(-8, 8) as f64 / 4.0));
    let base = (rng.in_ball(1.0) * 1024.0).round() / 1024.0;
    PairCase { a, b, pose_a: (turn, base), pose_b: (turn, base + turn * offset) }
}

/// The second body either starts at a vertex of the first or is built from several of its points.
fn coincident_vertices(rng: &mut Rng) -> PairCase {
    let short = |points: Vec<DVec3>| -> Vec<DVec3> {
        // A few bits only, so that the differences below are exact.
        let rounded = points.iter().map(|p| (p * 1024.0).round() / 1024.0);
        rounded.collect()
    };
    let solid = |rng: &mut Rng| loop {
        if let Some(solid) = Solid::hull(&short(ordinary(rng))) {
            return solid.vertices;
        }
    };
    let (a, mut b) = (solid(rng), solid(rng));
    let mut offset = DVec3::ZERO;
    if rng.chance(0.5) {
        offset = rng.pick(&a) - rng.pick(&b);
    } else {
        let shared = 1 + rng.index(3);
        let outward = rng.pick(&a) * 4.0;
        b.iter_mut().for_each(|p| *p += outward);
        b.extend((0..shared).map(|_| rng.pick(&a)));
    }
    PairCase { a, b, pose_a: (DQuat::IDENTITY, DVec3::ZERO), pose_b: (DQuat::IDENTITY, offset) }
}

fn needles(rng: &mut Rng) -> PairCase {
    let mut body = || {
        let family = rng.pick(&[Cloud::Needle, Cloud::Needle, Cloud::Plate]);
        family.generate(rng, 12)
    };
    let (a, b) = (body(), body());
    let near = rng.log_uniform(1e-5, 1e-1);
    PairCase { a, b, pose_a: (rng.rotation(), DVec3::ZERO), pose_b: (rng.rotation(), rng.in_ball(near)) }
}

fn inside(rng: &mut Rng) -> PairCase {
    let a = Cloud::Sphere.generate(rng, 24);
    let size = rng.log_uniform(1e-4, 0.05);
    let b = ordinary(rng).iter().map(|&p| p * size).collect();
    let mut case = PairCase { a, b, pose_a: (rng.rotation(), DVec3::ZERO), pose_b: (rng.rotation(), rng.in_ball(0.1)) };
    if rng.chance(0.5) {
        std::mem::swap(&mut case.a, &mut case.b);
        std::mem::swap(&mut case.pose_a, &mut case.pose_b);
    }
    case
}

fn far_from_origin(rng: &mut Rng) -> PairCase {
    let mut case = random(rng);
    let offset = rng.unit_vector() * rng.log_uniform(1e6, 1e9);
    case.pose_a.1 += offset;
    case.pose_b.1 += offset;
    case
}

fn scales(rng: &mut Rng) -> PairCase {
    let mut case = random(rng);
    let scale = rng.log_uniform(1e-6, 1e6);
    if rng.chance(0.5) {
        return scaled(case, scale, scale);
    }
    let other = rng.log_uniform(1e-6, 1e6);
    case = scaled(case, scale, other);
    let reach = rng.uniform(0.0, 2.0) * (scale + other);
    case.pose_b.1 = case.pose_a.1 + rng.unit_vector() * reach;
    case
}

/// Bodies scaled each by its own factor, translations by the first.
fn scaled(mut case: PairCase, scale_a: f64, scale_b: f64) -> PairCase {
    case.a.iter_mut().for_each(|p| *p *= scale_a);
    case.b.iter_mut().for_each(|p| *p *= scale_b);
    case.pose_a.1 *= scale_a;
    case.pose_b.1 *= scale_a;
    case
}
