//! Clouds without volume, exactly: what a solid must refuse.

use crate::random::Rng;
use glam::DVec3;

/// Point clouds that are degenerate exactly, also after rounding to `f32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlatCloud {
    /// No points.
    Empty,
    /// One point.
    Point,
    /// Many copies of one point.
    Coincident,
    /// Points on one line, along an axis or tilted.
    Line,
    /// Points on one plane, axis-aligned or tilted.
    Plane,
}

impl FlatCloud {
    /// Every family.
    pub const ALL: [Self; 5] = [Self::Empty, Self::Point, Self::Coincident, Self::Line, Self::Plane];

    /// A short name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Point => "point",
            Self::Coincident => "coincident",
            Self::Line => "line",
            Self::Plane => "plane",
        }
    }

    /// About `n` points of the family.
    pub fn generate(self, rng: &mut Rng, n: usize) -> Vec<DVec3> {
        match self {
            Self::Empty => Vec::new(),
            Self::Point => vec![rng.in_ball(1.0)],
            Self::Coincident => vec![rng.in_ball(1.0); n],
            Self::Line if rng.chance(0.5) => {
                let base = rng.in_ball(1.0);
                let free = DVec3::AXES[rng.index(3)];
                let keep = DVec3::ONE - free;
                let along = |_| base * keep + free * rng.uniform(-1.0, 1.0);
                (0..n).map(along).collect()
            }
            Self::Plane if rng.chance(0.5) => {
                let keep = DVec3::AXES[rng.index(3)];
                let base = rng.in_ball(1.0) * keep;
                let within = |_| base + rng.in_ball(1.0) * (DVec3::ONE - keep);
                (0..n).map(within).collect()
            }
            Self::Line | Self::Plane => lattice(rng, n, self == Self::Plane),
        }
    }
}

/// Small integer combinations of one or two small integer vectors, divided by a power of two:
/// every coordinate is exact, in `f32` too.
fn lattice(rng: &mut Rng, n: usize, plane: bool) -> Vec<DVec3> {
    let mut vector = || DVec3::from_array([0; 3].map(|_| rng.integer(-9, 9) as f64));
    let (base, u, v) = (vector(), vector(), vector());
    let point = |_| {
        let i = rng.integer(-20, 20) as f64;
        let j = rng.integer(-20, 20) as f64;
        (base + u * i + if plane { v * j } else { DVec3::ZERO }) / 64.0
    };
    (0..n).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::collinear;
    use crate::families::round_to_f32;
    use crate::guard::HitRate;
    use crate::solid::is_flat;

    #[test]
    fn flatness_is_exact_and_survives_single_precision() {
        let mut rng = Rng::new(41);
        let mut planes = HitRate::new("planes that are not lines");
        for _ in 0..200 {
            for family in FlatCloud::ALL {
                let points = family.generate(&mut rng, 15);
                assert!(is_flat(&points), "{}", family.name());
                assert!(is_flat(&round_to_f32(&points)), "{}", family.name());
                let straight = points.iter().all(|&p| {
                    let last = points.len() - 1;
                    collinear(points[0], points[last], p)
                });
                match family {
                    FlatCloud::Line => assert!(straight),
                    FlatCloud::Plane => drop(planes.record(!straight)),
                    _ => (),
                }
            }
        }
        planes.assert_between(0.8, 1.0);
    }
}
