//! Point clouds that span a volume, from easy to barely.

use crate::random::Rng;
use crate::solid::is_flat;
use glam::{DMat3, DVec3};
use std::f64::consts::TAU;

/// Families of point clouds with a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cloud {
    /// On the unit sphere: every point is a vertex.
    Sphere,
    /// In the unit ball.
    Ball,
    /// In a box of random extents.
    Box,
    /// On an ellipsoid with radii 2, 4 and 5.
    Ellipsoid,
    /// On a small integer grid: many coplanar, collinear and equal points.
    Grid,
    /// On the surface of a cube, with corners and points on edges.
    CubeSurface,
    /// Lattice points on three tilted planes.
    FewPlanes,
    /// Ball points, each several times.
    Duplicates,
    /// Tetrahedron corners and exact points along its edges.
    CollinearOnEdges,
    /// A plate of 1 : 1 : 1e-4.
    Plate,
    /// A plate thinner still, down to 1e-12.
    ThinPlate,
    /// A needle of 1 : 1e-4 : 1e-4.
    Needle,
    /// All points within one unit in the last place of a horizontal plane.
    UlpSheet,
    /// All points within one unit in the last place of a tilted plane.
    UlpTilted,
    /// A fat body with one face within one unit in the last place of a plane.
    UlpFace,
    /// A unit ball 1e6 to 1e9 from the origin.
    FarFromOrigin,
    /// A ball of radius 1e-6.
    Tiny,
    /// A ball of radius 1e6.
    Huge,
    /// A prism with many-sided, exactly coplanar caps.
    Prism,
    /// An antiprism with many-sided, exactly coplanar caps.
    Antiprism,
    /// Clusters of points about 1e-12 apart.
    NearlyCoincident,
}

impl Cloud {
    /// Every family.
    pub const ALL: [Self; 21] = [
        Self::Sphere,
        Self::Ball,
        Self::Box,
        Self::Ellipsoid,
        Self::Grid,
        Self::CubeSurface,
        Self::FewPlanes,
        Self::Duplicates,
        Self::CollinearOnEdges,
        Self::Plate,
        Self::ThinPlate,
        Self::Needle,
        Self::UlpSheet,
        Self::UlpTilted,
        Self::UlpFace,
        Self::FarFromOrigin,
        Self::Tiny,
        Self::Huge,
        Self::Prism,
        Self::Antiprism,
        Self::NearlyCoincident,
    ];

    /// A short name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Ball => "ball",
            Self::Box => "box",
            Self::Ellipsoid => "ellipsoid",
            Self::Grid => "grid",
            Self::CubeSurface => "cube surface",
            Self::FewPlanes => "few planes",
            Self::Duplicates => "duplicates",
            Self::CollinearOnEdges => "collinear on edges",
            Self::Plate => "plate",
            Self::ThinPlate => "thin plate",
            Self::Needle => "needle",
            Self::UlpSheet => "ulp sheet",
            Self::UlpTilted => "ulp tilted",
            Self::UlpFace => "ulp face",
            Self::FarFromOrigin => "far from origin",
            Self::Tiny => "tiny",
            Self::Huge => "huge",
            Self::Prism => "prism",
            Self::Antiprism => "antiprism",
            Self::NearlyCoincident => "nearly coincident",
        }
    }

    /// Whether the cloud is far from flat at the precision of `f32`. The others have a volume as
    /// `f64` numbers, but it may be as thin as one rounding and vanish in [`round_to_f32`].
    ///
    /// [`round_to_f32`]: super::round_to_f32
    pub fn is_fat(self) -> bool {
        !matches!(self, Self::ThinPlate | Self::UlpSheet | Self::UlpTilted | Self::FarFromOrigin)
    }

    /// About `n` points of the family, at least four, with a volume greater than zero.
    pub fn generate(self, rng: &mut Rng, n: usize) -> Vec<DVec3> {
        let n = n.max(4);
        loop {
            let points = self.draw(rng, n);
            if !is_flat(&points) {
                return points;
            }
        }
    }

    fn draw(self, rng: &mut Rng, n: usize) -> Vec<DVec3> {
        match self {
            Self::Sphere => collect(n, || rng.unit_vector()),
            Self::Ball => ball(rng, n, 1.0),
            Self::Box => stretched_box(rng, n),
            Self::Ellipsoid => collect(n, || rng.unit_vector() * DVec3::new(2.0, 4.0, 5.0)),
            Self::Grid => collect(n, || integer_point(rng, 0, 3)),
            Self::CubeSurface => collect(n, || on_cube(rng)),
            Self::FewPlanes => few_planes(rng, n),
            Self::Duplicates => duplicates(rng, n),
            Self::CollinearOnEdges => on_edges(rng, n),
            Self::Plate => flattened(rng, n, DVec3::new(1.0, 1.0, 1e-4)),
            Self::ThinPlate => {
                let thickness = rng.log_uniform(1e-12, 1e-5);
                flattened(rng, n, DVec3::new(1.0, 1.0, thickness))
            }
            Self::Needle => flattened(rng, n, DVec3::new(1.0, 1e-4, 1e-4)),
            Self::UlpSheet => near_plane(rng, n, DVec3::new(0.0, 0.0, 1.3)),
            Self::UlpTilted => tilted_sheet(rng, n),
            Self::UlpFace => {
                let mut points = tilted_sheet(rng, n);
                let below = DVec3::new(0.0, 0.0, -3.0);
                points.extend(collect(4, || below + rng.in_ball(1.0)));
                points
            }
            Self::FarFromOrigin => {
                let offset = rng.unit_vector() * rng.log_uniform(1e6, 1e9);
                collect(n, || offset + rng.in_ball(1.0))
            }
            Self::Tiny => ball(rng, n, 1e-6),
            Self::Huge => ball(rng, n, 1e6),
            Self::Prism => capped(rng, n, 0.0),
            Self::Antiprism => capped(rng, n, 0.5),
            Self::NearlyCoincident => clusters(rng, n),
        }
    }
}

fn collect(n: usize, point: impl FnMut() -> DVec3) -> Vec<DVec3> {
    std::iter::repeat_with(point).take(n).collect()
}

fn ball(rng: &mut Rng, n: usize, radius: f64) -> Vec<DVec3> {
    collect(n, || rng.in_ball(radius))
}

fn stretched_box(rng: &mut Rng, n: usize) -> Vec<DVec3> {
    let half = DVec3::from_array([0; 3].map(|_| rng.uniform(0.2, 2.0)));
    collect(n, || rng.in_box(half))
}

fn integer_point(rng: &mut Rng, lo: i64, hi: i64) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| rng.integer(lo, hi) as f64))
}

/// A point with one, two or three coordinates at ±1.
fn on_cube(rng: &mut Rng) -> DVec3 {
    let mut point = rng.in_box(DVec3::ONE).to_array();
    for _ in 0..=rng.index(3) {
        point[rng.index(3)] = rng.sign();
    }
    point.into()
}

fn few_planes(rng: &mut Rng, n: usize) -> Vec<DVec3> {
    let planes = [0; 3].map(|_| [0; 3].map(|_| integer_point(rng, -4, 4)));
    collect(n, || {
        let [base, u, v] = rng.pick(&planes);
        let (i, j) = (rng.integer(-8, 8) as f64, rng.integer(-8, 8) as f64);
        (base + u * i + v * j) / 16.0
    })
}

fn duplicates(rng: &mut Rng, n: usize) -> Vec<DVec3> {
    let distinct = ball(rng, (n / 3).max(4), 1.0);
    let extra = collect(n - distinct.len().min(n), || rng.pick(&distinct));
    [distinct, extra].concat()
}

/// Multiples of 1/16 along the edges of an integer tetrahedron: exactly collinear.
fn on_edges(rng: &mut Rng, n: usize) -> Vec<DVec3> {
    let corners = [0; 4].map(|_| integer_point(rng, -8, 8));
    let mut points = corners.to_vec();
    points.extend(collect(n - 4, || {
        let (a, b) = (rng.pick(&corners), rng.pick(&corners));
        a + (b - a) * (rng.integer(0, 16) as f64 / 16.0)
    }));
    points
}

/// A ball squeezed along the axes and turned at random.
fn flattened(rng: &mut Rng, n: usize, radii: DVec3) -> Vec<DVec3> {
    let turn = DMat3::from_quat(rng.rotation());
    collect(n, || turn * (rng.in_ball(1.0) * radii))
}

fn tilted_sheet(rng: &mut Rng, n: usize) -> Vec<DVec3> {
    let plane = DVec3::new(rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4), 1.3);
    near_plane(rng, n, plane)
}

/// Points of `z = plane.x · x + plane.y · y + plane.z`, each `z` moved by −1, 0 or 1 ulp.
fn near_plane(rng: &mut Rng, n: usize, plane: DVec3) -> Vec<DVec3> {
    collect(n, || {
        let (x, y) = (rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0));
        let z = DVec3::new(x, y, 1.0).dot(plane);
        DVec3::new(x, y, rng.pick(&[z.next_down(), z, z.next_up()]))
    })
}

/// Two caps with half the points each, the upper one turned by a fraction of a step.
fn capped(rng: &mut Rng, n: usize, turn: f64) -> Vec<DVec3> {
    let sides = (n / 2).max(3);
    let half = rng.uniform(0.2, 2.0);
    let phase = rng.uniform(0.0, TAU);
    let corner = |step: f64, z: f64| {
        let angle = phase + TAU * step / sides as f64;
        DVec3::new(angle.cos(), angle.sin(), z)
    };
    (0..sides).map(|i| i as f64).flat_map(|i| [corner(i, -half), corner(i + turn, half)]).collect()
}

fn clusters(rng: &mut Rng, n: usize) -> Vec<DVec3> {
    let centers = ball(rng, (n / 4).max(4), 1.0);
    let near = collect(n, || rng.pick(&centers) + rng.in_ball(1e-12));
    [centers, near].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::round_to_f32;

    #[test]
    fn every_cloud_has_volume_and_fat_ones_keep_it_in_single_precision() {
        let mut rng = Rng::new(51);
        for family in Cloud::ALL {
            for n in [0, 4, 7, 30, 200] {
                let points = family.generate(&mut rng, n);
                assert!(points.len() >= n && points.len() >= 4 || n % 2 == 1);
                assert!(points.iter().all(|p| p.is_finite()));
                assert!(!is_flat(&points), "{}", family.name());
                if family.is_fat() {
                    assert!(!is_flat(&round_to_f32(&points)), "{}", family.name());
                }
            }
        }
    }

    #[test]
    fn the_seed_decides_the_cloud() {
        for family in Cloud::ALL {
            let draw = |seed| family.generate(&mut Rng::new(seed), 20);
            assert_eq!(draw(5), draw(5), "{}", family.name());
            assert_ne!(draw(5), draw(6), "{}", family.name());
        }
    }
}
