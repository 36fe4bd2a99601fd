//! The work of the races and of the thesis: bodies, configurations, and both competitors' view of them.
//!
//! Bodies and configurations are made once, in f64; a [`Scene`] holds them in one precision, for the library and the rival, in
//! arrays of their own, so that neither pays for the other's data.

use std::hint::black_box;

use clearance_testkit::Rng;
use glam::{DQuat, DVec3};

use crate::precision::{Double, Precision};
use crate::trajectory::{Replay, per_visit, visits};
use crate::{Failure, Settings};

/// A body, as numbers in f64.
#[derive(Clone, Debug)]
pub(crate) enum Recipe {
    /// Half extents.
    Cuboid([f64; 3]),
    /// Semi-axes.
    Ellipsoid([f64; 3]),
    /// Half extents and radius.
    RoundBox([f64; 3], f64),
    /// The same, with the ball in its support mapping: nothing of it is known to be a radius.
    SweptBox([f64; 3], f64),
    /// A cone about its centroid, along z.
    Cone { height: f64, radius: f64 },
    /// The hull of points.
    Hull(Vec<DVec3>),
}

impl Recipe {
    /// The hull of `count` random points on an ellipsoid.
    pub(crate) fn random_hull(rng: &mut Rng, count: usize, semi_axes: DVec3) -> Self {
        Self::Hull((0..count).map(|_| rng.unit_vector() * semi_axes).collect())
    }

    /// The corners of a body with flat faces; none of a curved one.
    pub(crate) fn corners(&self) -> Vec<DVec3> {
        match self {
            Self::Cuboid(half) => {
                let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 1 { half[axis] } else { -half[axis] };
                (0..8).map(|corner| DVec3::from_array([0, 1, 2].map(|axis| sign(corner, axis)))).collect()
            }
            Self::Hull(points) => points.clone(),
            Self::Ellipsoid(_) | Self::RoundBox(..) | Self::SweptBox(..) | Self::Cone { .. } => Vec::new(),
        }
    }
}

/// Two bodies with a name.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) name: &'static str,
    pub(crate) bodies: [Recipe; 2],
}

/// The six pairs of the thesis, section 4.1, with its ellipsoid read the way its box is: the dimensions are full lengths;
/// and a round box whose ball is part of its support mapping.
pub(crate) fn thesis_pairs(rng: &mut Rng) -> [Pair; 6] {
    six_pairs(rng).map(|pair| Pair {
        bodies: pair.bodies.map(|body| match body {
            Recipe::Ellipsoid(radii) => Recipe::Ellipsoid(radii.map(|radius| 0.5 * radius)),
            Recipe::RoundBox(half, radius) => Recipe::SweptBox(half, radius),
            body => body,
        }),
        ..pair
    })
}

/// The six pairs of the races: those of the thesis, with an ellipsoid twice as large.
pub(crate) fn six_pairs(rng: &mut Rng) -> [Pair; 6] {
    let cuboid = || Recipe::Cuboid([1.0; 3]);
    let ellipsoid = || Recipe::Ellipsoid([1.0, 2.0, 1.5]);
    let round_box = || Recipe::RoundBox([1.0; 3], 0.5);
    let cone = || Recipe::Cone { height: 2.0, radius: 1.0 };
    let poly = [0; 2].map(|_| Recipe::random_hull(rng, 50, DVec3::ONE));
    [
        Pair { name: "Box-Box", bodies: [cuboid(), cuboid()] },
        Pair { name: "Ell-Ell", bodies: [ellipsoid(), ellipsoid()] },
        Pair { name: "Box-Ell", bodies: [cuboid(), ellipsoid()] },
        Pair { name: "RBox-RBox", bodies: [round_box(), round_box()] },
        Pair { name: "Poly-Poly", bodies: poly },
        Pair { name: "Cone-Cone", bodies: [cone(), cone()] },
    ]
}

/// Where a body is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    pub(crate) rotation: DQuat,
    pub(crate) translation: DVec3,
}

/// Where two bodies are.
pub(crate) type Configuration = [Placement; 2];

/// Random orientations; the first body at the origin, the second in a cube about it with this half edge.
pub(crate) fn offset_in_cube(rng: &mut Rng, half: f64) -> Configuration {
    let b = Placement { rotation: rng.rotation(), translation: rng.in_box(DVec3::splat(half)) };
    [Placement { rotation: rng.rotation(), translation: DVec3::ZERO }, b]
}

/// Random orientations; both bodies in a cube with this half edge.
pub(crate) fn both_in_cube(rng: &mut Rng, half: f64) -> Configuration {
    [0; 2].map(|_| Placement { rotation: rng.rotation(), translation: rng.in_box(DVec3::splat(half)) })
}

/// The half edge of the cube in which `probability` of the configurations drawn by `draw` overlap. Both bodies contain their
/// origins, so that whatever is apart stays apart when the cube grows: the share falls, and bisection finds it.
pub(crate) fn calibrate(
    pair: &Pair,
    probability: f64,
    samples: usize,
    seed: u64,
    draw: fn(&mut Rng, f64) -> Configuration,
) -> Result<f64, Failure> {
    let [a, b] = [Double::shape(&pair.bodies[0])?, Double::shape(&pair.bodies[1])?];
    let share = |half: f64| -> Result<f64, Failure> {
        let mut rng = Rng::new(seed);
        let mut hits = 0;
        for _ in 0..samples {
            let [pose_a, pose_b] = draw(&mut rng, half);
            let poses = [Double::pose(&pose_a)?, Double::pose(&pose_b)?];
            hits += usize::from(Double::hit(&Double::overlap([&a, &b], &poses, &mut Default::default())).overlap);
        }
        Ok(hits as f64 / samples as f64)
    };
    let (mut small, mut large) = (0.0, 64.0);
    for _ in 0..20 {
        let middle = 0.5 * (small + large);
        if share(middle)? > probability { small = middle } else { large = middle }
    }
    Ok(0.5 * (small + large))
}

/// The configuration with the second body moved along `direction`, from where the bodies' origins coincide, until the signed
/// distance is `wanted`; `start` is a guess at how far. Distance grows along the way and is convex there, so that the secant
/// through the last two points and bisection as a fallback reach it; the exact value is not needed, only one near it.
pub(crate) fn at_distance(
    bodies: [&<Double as Precision>::Shape; 2],
    configuration: &Configuration,
    direction: DVec3,
    wanted: f64,
    start: f64,
) -> Result<Configuration, Failure> {
    let at = |way: f64| {
        let b = Placement { translation: configuration[0].translation + direction * way, ..configuration[1] };
        [configuration[0], b]
    };
    let off = |way: f64| -> Result<f64, Failure> {
        let [a, b] = at(way);
        let poses = [Double::pose(&a)?, Double::pose(&b)?];
        Ok(Double::near(&Double::closest(bodies, &poses, &mut Default::default())).distance - wanted)
    };
    let (mut low, mut high) = (0.0, start);
    while off(high)? < 0.0 {
        high *= 2.0;
    }
    let (mut at_low, mut at_high) = (off(low)?, off(high)?);
    for step in 0..60 {
        if at_high.abs() <= wanted.abs() * 1e-6 || high - low <= f64::EPSILON * high {
            break;
        }
        // Regula falsi from below a convex function never overshoots; every third step halves the rest.
        let secant = low + (high - low) * (-at_low / (at_high - at_low));
        let middle = if step % 3 == 2 || !(secant > low && secant < high) { 0.5 * (low + high) } else { secant };
        let value = off(middle)?;
        if value.abs() <= wanted.abs() * 1e-6 {
            return Ok(at(middle));
        }
        if value < 0.0 { (low, at_low) = (middle, value) } else { (high, at_high) = (middle, value) }
    }
    Ok(at(high))
}

/// Two bodies and their configurations in one precision, for the library and for the rival.
pub(crate) struct Scene<P: Precision> {
    bodies: [P::Shape; 2],
    poses: Vec<[P::Pose; 2]>,
    rivals: [P::Rival; 2],
    rival_poses: Vec<[P::RivalPose; 2]>,
}

impl<P: Precision> Scene<P> {
    pub(crate) fn new(recipes: &[Recipe; 2], configurations: &[Configuration]) -> Result<Self, Failure> {
        let [a, b] = recipes;
        let bodies = [P::shape(a)?, P::shape(b)?];
        let rivals = [P::rival(a)?, P::rival(b)?];
        let mut poses = Vec::with_capacity(configurations.len());
        let mut rival_poses = Vec::with_capacity(configurations.len());
        for [a, b] in configurations {
            let pair = [P::pose(a)?, P::pose(b)?];
            rival_poses.push([P::rival_pose(&rivals[0], &pair[0]), P::rival_pose(&rivals[1], &pair[1])]);
            poses.push(pair);
        }
        Ok(Self { bodies, poses, rivals, rival_poses })
    }

    /// How many configurations there are.
    pub(crate) fn len(&self) -> usize {
        self.poses.len()
    }

    pub(crate) fn bodies(&self) -> [&P::Shape; 2] {
        self.bodies.each_ref()
    }

    pub(crate) fn poses(&self, i: usize) -> &[P::Pose; 2] {
        &self.poses[i]
    }

    /// The size of a configuration, that tolerances are relative to.
    pub(crate) fn size(&self, i: usize) -> f64 {
        P::size(self.bodies(), &self.poses[i])
    }

    #[inline]
    pub(crate) fn overlap(&self, i: usize, cache: &mut P::Cache) -> P::Overlap {
        P::overlap(black_box(self.bodies()), black_box(&self.poses[i]), cache)
    }

    #[inline]
    pub(crate) fn closest(&self, i: usize, cache: &mut P::Cache) -> P::Closest {
        P::closest(black_box(self.bodies()), black_box(&self.poses[i]), cache)
    }

    #[inline]
    pub(crate) fn distance(&self, i: usize, cache: &mut P::Cache) -> Option<P::Closest> {
        P::distance(black_box(self.bodies()), black_box(&self.poses[i]), cache)
    }

    #[inline]
    pub(crate) fn sa_gjk(&self, i: usize) -> P::Overlap {
        P::sa_gjk(black_box(self.bodies()), black_box(&self.poses[i]))
    }

    #[inline]
    pub(crate) fn gjk(&self, johnson: bool, i: usize) -> Result<P::Closest, u32> {
        P::gjk(johnson, black_box(self.bodies()), black_box(&self.poses[i]))
    }

    #[inline]
    pub(crate) fn epa(&self, i: usize) -> Result<P::Closest, P::Overlap> {
        P::epa(black_box(self.bodies()), black_box(&self.poses[i]))
    }

    #[inline]
    pub(crate) fn mpr_overlap(&self, i: usize) -> P::Overlap {
        P::mpr_overlap(black_box(self.bodies()), black_box(&self.poses[i]))
    }

    #[inline]
    pub(crate) fn mpr_depth(&self, i: usize) -> P::Closest {
        P::mpr_depth(black_box(self.bodies()), black_box(&self.poses[i]))
    }

    #[inline]
    pub(crate) fn rival_overlap(&self, i: usize) -> bool {
        P::rival_overlap(black_box(self.rivals.each_ref()), black_box(&self.rival_poses[i]))
    }

    #[inline]
    pub(crate) fn rival_closest(&self, i: usize) -> Option<P::RivalPoints> {
        P::rival_closest(black_box(self.rivals.each_ref()), black_box(&self.rival_poses[i]))
    }

    #[inline]
    pub(crate) fn rival_contact(&self, i: usize) -> Option<P::RivalContact> {
        P::rival_contact(black_box(self.rivals.each_ref()), black_box(&self.rival_poses[i]))
    }
}

/// One competitor on one configuration.
pub(crate) type Call<'a> = (&'static str, &'a mut dyn FnMut(std::ops::Range<usize>));

/// A competitor that makes one call per configuration and has its answer looked at.
macro_rules! calls {
    ($i:ident => $call:expr) => {
        &mut |range: std::ops::Range<usize>| {
            for $i in range {
                let _ = std::hint::black_box($call);
            }
        }
    };
}
pub(crate) use calls;

/// Configurations per block: the poses of a block stay in the second-level cache.
const BLOCK: usize = 5_000;
/// Configurations timed together: so few that even a slow competitor finds a quiet moment for them on a busy machine, and
/// the fast one is not the only one to.
const PART: usize = 100;
/// Rounds over a block.
const ROUNDS: usize = 21;
/// The same, where there are many blocks or quickness was asked for.
const ROUNDS_QUICK: usize = 5;

/// Nanoseconds per call of each competitor over `count` configurations: block by block, the best of some rounds of each part
/// of a block, all competitors in turn, averaged. All of a block is gone through before any of it comes again, so that no
/// branch is predicted from memory.
pub(crate) fn race<const N: usize>(count: usize, competitors: [Call<'_>; N], settings: &Settings) -> [f64; N] {
    race_by(PART, count, competitors, settings)
}

/// The same by parts of another size.
pub(crate) fn race_by<const N: usize>(
    size: usize,
    count: usize,
    mut competitors: [Call<'_>; N],
    settings: &Settings,
) -> [f64; N] {
    let rounds = if count > BLOCK || settings.quick { ROUNDS_QUICK } else { ROUNDS };
    let mut total = [0.0; N];
    for start in (0..count).step_by(BLOCK) {
        let end = (start + BLOCK).min(count);
        let parts = (end - start).div_ceil(size);
        let part = |at: usize| start + at * size..(start + (at + 1) * size).min(end);
        let mut replays = competitors.each_mut().map(|(_, call)| || visits(0..parts, |at| call(part(at))));
        let times = per_visit(replays.each_mut().map(|replay| replay as Replay<'_>), rounds);
        total.iter_mut().zip(times).for_each(|(sum, time)| *sum += time * parts as f64);
    }
    total.map(|sum| sum / count.max(1) as f64)
}
