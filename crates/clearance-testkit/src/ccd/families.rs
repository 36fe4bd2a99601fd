//! Motions of four points, random and degenerate.

use glam::DVec3;

use super::FeatureKind;
use crate::random::Rng;

/// The four points at t = 0 and at t = 1.
type Motion = [[DVec3; 4]; 2];

/// A kind of motion of two features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureFamily {
    /// All points anywhere.
    Random,
    /// Small integers: coplanar and collinear points, coincident ones, and all of that for a moment.
    Grid,
    /// Small integers, at rest.
    Still,
    /// Small integers, some a last place off.
    NearGrid,
    /// All in one plane, a tilted one, all the time.
    Coplanar,
    /// Any numbers, in a plane across an axis.
    CoplanarReal,
    /// All on one line, all the time.
    Collinear,
    /// In contact at t = 0 in a corner, a side or inside, nowhere near before.
    TouchesAtStart,
    /// In contact at t = 1 only, or a last place short of it.
    TouchesAtEnd,
    /// The cubic has a double root, or two or none very near.
    Tangential,
    /// Edges parallel all the time; triangles without area.
    Parallel,
    /// Features that meet where one is a point or a segment: the normal vanishes at the root.
    Collapsing,
    /// Coordinates of very different sizes.
    Mixed,
}

impl FeatureFamily {
    /// Every family.
    pub const ALL: [Self; 13] = [
        Self::Random,
        Self::Grid,
        Self::Still,
        Self::NearGrid,
        Self::Coplanar,
        Self::CoplanarReal,
        Self::Collinear,
        Self::TouchesAtStart,
        Self::TouchesAtEnd,
        Self::Tangential,
        Self::Parallel,
        Self::Collapsing,
        Self::Mixed,
    ];

    /// Four points at the beginning and at the end.
    pub fn motion(self, kind: FeatureKind, rng: &mut Rng) -> Motion {
        match self {
            Self::Random => any(|| rng.in_box(DVec3::ONE)),
            Self::Grid => any(|| grid(rng, 2)),
            Self::Still => {
                let [t0, _] = any(|| grid(rng, 1));
                [t0, t0]
            }
            Self::NearGrid => any(|| nudged(grid(rng, 1), rng)),
            Self::Coplanar => {
                let (u, v) = (grid(rng, 3), grid(rng, 3));
                any(|| u * rng.integer(-2, 2) as f64 + v * rng.integer(-2, 2) as f64)
            }
            Self::CoplanarReal => {
                let height = rng.uniform(-1.0, 1.0);
                any(|| rng.in_box(DVec3::new(1.0, 1.0, 0.0)) + DVec3::Z * height)
            }
            Self::Collinear => {
                let u = grid(rng, 3);
                any(|| u * rng.integer(-4, 4) as f64)
            }
            Self::TouchesAtStart => [touching(kind, rng), random(rng)],
            Self::TouchesAtEnd => {
                let mut end = touching(kind, rng);
                if rng.chance(0.5) {
                    end[0] = nudged(end[0], rng);
                }
                [random(rng), end]
            }
            Self::Tangential => tangential(kind, rng),
            Self::Parallel => parallel(kind, rng),
            Self::Collapsing => collapsing(kind, rng),
            Self::Mixed => any(|| DVec3::from_array([0; 3].map(|_| rng.sign() * rng.log_uniform(1e-12, 1e3)))),
        }
    }
}

fn any(mut point: impl FnMut() -> DVec3) -> Motion {
    [0; 2].map(|_| [0; 4].map(|_| point()))
}

fn random(rng: &mut Rng) -> [DVec3; 4] {
    [0; 4].map(|_| rng.in_box(DVec3::splat(3.0)))
}

fn grid(rng: &mut Rng, reach: i64) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| rng.integer(-reach, reach) as f64))
}

/// One coordinate a last place up or down, of double or of single precision; zero by as much as one.
fn nudged(mut point: DVec3, rng: &mut Rng) -> DVec3 {
    let (k, place) = (rng.index(3), rng.pick(&[f64::EPSILON, f64::from(f32::EPSILON)]));
    let size = if point[k] == 0.0 { 1.0 } else { point[k].abs() };
    point[k] += rng.sign() * size * place;
    point
}

/// In contact exactly: the coordinates are multiples of 1/8 so that combinations do not round.
fn touching(kind: FeatureKind, rng: &mut Rng) -> [DVec3; 4] {
    let mut eighths = || rng.integer(0, 8) as f64 / 8.0;
    let (s, r) = (eighths(), eighths());
    let [a, b, c] = [0; 3].map(|_| grid(rng, 8));
    match kind {
        FeatureKind::VertexFace => {
            let (s, r) = if s + r > 1.0 { (1.0 - s, 1.0 - r) } else { (s, r) };
            [a + (b - a) * s + (c - a) * r, a, b, c]
        }
        FeatureKind::EdgeEdge => {
            // c and d on either side of the point at s, in the ratio of r to 1 − r, less its division.
            let at = a + (b - a) * s;
            [a, b, at - c * r, at + c * (1.0 - r)]
        }
    }
}

/// A point over a plate that tilts, its height chosen so that it grazes: f(t) = −δ − s·(2t − 1)² times the width.
fn tangential(kind: FeatureKind, rng: &mut Rng) -> Motion {
    let bend = rng.pick(&[0.25, -0.25, 0.125]);
    let delta = rng.pick(&[0.0, 0.0, 1.0, -1.0]) * rng.pick(&[2f64.powi(-60), 2f64.powi(-20), 2f64.powi(-40)]);
    let across = rng.pick(&[0.25, 0.5, 0.0]);
    let at = |t: f64| {
        let c = 2.0 * t - 1.0;
        let w = DVec3::new(across, bend * c + 0.5, c * 0.5 - delta);
        let (e1, e2) = (DVec3::X, DVec3::new(0.0, 1.0, c));
        match kind {
            FeatureKind::VertexFace => [w, DVec3::ZERO, e1, e2],
            // The edge from the origin to e₁ against the one from w back by e₂.
            FeatureKind::EdgeEdge => [DVec3::ZERO, e1, w, w - e2],
        }
    };
    [at(0.0), at(1.0)]
}

fn parallel(kind: FeatureKind, rng: &mut Rng) -> Motion {
    let along = grid(rng, 2);
    let at = |rng: &mut Rng| {
        let stretch = |rng: &mut Rng| along * rng.integer(-2, 2) as f64;
        let a = grid(rng, 2);
        // On the same line, or anywhere.
        let b = if rng.chance(0.7) { a + stretch(rng) } else { grid(rng, 2) };
        match kind {
            FeatureKind::VertexFace => [b, a, a + stretch(rng), a + stretch(rng)],
            FeatureKind::EdgeEdge => [a, a + stretch(rng), b, b + stretch(rng)],
        }
    };
    [at(rng), at(rng)]
}

/// At t = 1/2 two points of one feature coincide, or three are on a line, and the other feature is there.
fn collapsing(kind: FeatureKind, rng: &mut Rng) -> Motion {
    let (meet, along) = (grid(rng, 2), grid(rng, 2));
    // Where each point is at half time: on a line through the meeting point.
    let half = [0; 4].map(|_| meet + along * rng.integer(-1, 1) as f64);
    let half = match kind {
        FeatureKind::VertexFace => [meet, half[1], half[2], half[3]],
        FeatureKind::EdgeEdge => half,
    };
    let step = [0; 4].map(|_| grid(rng, 3));
    [-1.0, 1.0].map(|way| [0, 1, 2, 3].map(|i| half[i] + step[i] * way))
}
