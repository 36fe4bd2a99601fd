//! Volume, centroid and inertia tensor of solids of unit density.
//!
//! Everything is computed in f64 as moments: the integrals of 1, x and x xᵀ over the solid. Polyhedra are sums of signed
//! tetrahedra; rounded boxes and solids of revolution have closed forms.

use glam::{DMat3, DVec3};

use crate::math::{Mat3, Pose, Real, Vec3, narrow, narrow_real, widen, widen_real};
use crate::polytope::Polytope;

/// Volume, centroid and inertia tensor of a body of unit density; multiply `volume` and `inertia` by a density for others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// The volume; zero for flat shapes, surfaces and points.
    pub volume: Real,
    /// The centre of volume; of area or length where there is no volume.
    pub centroid: Vec3,
    /// The inertia tensor about the centroid, along the axes of the frame that the body is given in; zero without a volume.
    /// It grows with the fifth power of the size, and is infinite where that is beyond the range of the numbers.
    pub inertia: Mat3,
}

impl MassProperties {
    pub(crate) fn without_volume(centroid: Vec3) -> Self {
        Self { volume: 0.0, centroid, inertia: Mat3::ZERO }
    }

    /// Those of the body moved by a pose.
    ///
    /// ```
    /// use clearance::{Pose, Real, Shape, Vec3};
    /// let rod = Shape::cuboid([2.0, 0.1, 0.1])?.mass_properties();
    /// let turned = rod.posed(&Pose::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_2 as Real)?);
    /// assert!((turned.inertia.x_axis.x - rod.inertia.y_axis.y).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn posed(&self, pose: &Pose) -> Self {
        let turn = pose.matrix();
        Self {
            volume: self.volume,
            centroid: pose.point(self.centroid),
            inertia: symmetric(turn * self.inertia * turn.transpose()),
        }
    }

    /// The inertia tensor about another point (the parallel axis theorem).
    pub fn inertia_about(&self, point: Vec3) -> Mat3 {
        narrow_matrix(wide_matrix(self.inertia) + offset(widen_real(self.volume), widen(self.centroid) - widen(point)))
    }

    /// Those of several bodies together. Where bodies overlap, what they share counts for each of them. Without any volume, the
    /// centroid is the mean of theirs.
    pub fn combined(bodies: impl IntoIterator<Item = Self> + Clone) -> Self {
        let (mut volume, mut count, mut mean) = (0.0, 0.0, DVec3::ZERO);
        for body in bodies.clone() {
            volume += widen_real(body.volume);
            count += 1.0;
            mean += widen(body.centroid);
        }
        let share =
            |body: &Self| if volume > 0.0 { widen_real(body.volume) / volume } else { 1.0 / f64::max(count, 1.0) };
        // About the mean first: bodies far from the origin keep their digits.
        let mean = mean / f64::max(count, 1.0);
        let centroid = mean + bodies.clone().into_iter().map(|b| (widen(b.centroid) - mean) * share(&b)).sum::<DVec3>();
        let of =
            |body: Self| wide_matrix(body.inertia) + offset(widen_real(body.volume), widen(body.centroid) - centroid);
        let inertia = bodies.into_iter().map(of).fold(DMat3::ZERO, |sum, one| sum + one);
        Self { volume: narrow_real(volume), centroid: narrow(centroid), inertia: narrow_matrix(inertia) }
    }

    pub(super) fn moved(&self, by: Vec3) -> Self {
        Self { centroid: self.centroid + by, ..*self }
    }
}

/// The inertia tensor of a mass at an offset.
fn offset(mass: f64, by: DVec3) -> DMat3 {
    if mass == 0.0 {
        return DMat3::ZERO;
    }
    inertia_of(outer(by)) * mass
}

/// x xᵀ.
fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// From the integral of x xᵀ to the inertia tensor.
fn inertia_of(second: DMat3) -> DMat3 {
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    DMat3::from_diagonal(DVec3::splat(trace)) - second
}

fn symmetric(m: Mat3) -> Mat3 {
    (m + m.transpose()) * 0.5
}

fn wide_matrix(m: Mat3) -> DMat3 {
    DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis))
}

fn narrow_matrix(m: DMat3) -> Mat3 {
    let m = (m + m.transpose()) * 0.5;
    Mat3::from_cols(narrow(m.x_axis), narrow(m.y_axis), narrow(m.z_axis))
}

/// The integrals of 1, x and x xᵀ over a solid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moments {
    pub volume: f64,
    first: DVec3,
    second: DMat3,
}

impl Moments {
    pub const ZERO: Self = Self { volume: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };

    /// Of a solid that is symmetric about all three planes of coordinates.
    pub fn symmetric(volume: f64, second: DVec3) -> Self {
        Self { volume, first: DVec3::ZERO, second: DMat3::from_diagonal(second) }
    }

    /// Of the signed tetrahedron of the origin and a triangle.
    pub fn tetrahedron([a, b, c]: [DVec3; 3]) -> Self {
        Self::tetrahedron_of([a, b, c], a.dot(b.cross(c)))
    }

    /// The same, with six times its volume known.
    pub fn tetrahedron_of([a, b, c]: [DVec3; 3], six: f64) -> Self {
        let sum = a + b + c;
        let second = (outer(a) + outer(b) + outer(c) + outer(sum)) * (six / 120.0);
        Self { volume: six / 6.0, first: sum * (six / 24.0), second }
    }

    pub fn plus(&self, other: &Self) -> Self {
        self.plus_times(other, 1.0)
    }

    pub fn plus_times(&self, other: &Self, factor: f64) -> Self {
        Self {
            volume: self.volume + other.volume * factor,
            first: self.first + other.first * factor,
            second: self.second + other.second * factor,
        }
    }

    /// About the centroid. `unit` is the length of one in the frame of the moments, `origin` where their origin is.
    pub fn properties(&self, origin: DVec3, unit: f64) -> MassProperties {
        let centroid = self.first / self.volume;
        let inertia = inertia_of(self.second - outer(centroid) * self.volume);
        let volume = self.volume * unit * unit * unit;
        MassProperties {
            volume: narrow_real(volume),
            centroid: narrow(origin + centroid * unit),
            inertia: narrow_matrix(inertia * (unit * unit) * (unit * unit) * unit),
        }
    }

    /// Of the sum of a box, by its half extents, and a ball. Extents may be zero.
    ///
    /// Outside of the box along k axes, what the ball adds are the parts of a k-dimensional ball, one at each corner, edge or face.
    pub fn rounded_box(half: DVec3, radius: f64) -> Self {
        let pi = std::f64::consts::PI;
        // For balls of 0 to 3 dimensions: volume, and the means of |x| and x² along an axis, for a unit radius.
        let balls =
            [[1.0, 0.0, 0.0], [2.0, 0.5, 1.0 / 3.0], [pi, 4.0 / (3.0 * pi), 0.25], [4.0 / 3.0 * pi, 0.375, 0.2]];
        let mut sum = Self::ZERO;
        for outside in 0..8u32 {
            let k = outside.count_ones() as usize;
            let [volume, mean, square] = balls[k];
            let is_outside = |axis: usize| outside & (1 << axis) != 0;
            let sides: f64 = (0..3).filter(|&axis| !is_outside(axis)).map(|axis| 2.0 * half[axis]).product();
            let volume = sides * volume * radius.powi(k as i32);
            let along = |axis: usize| {
                let h = half[axis];
                if is_outside(axis) { h * h + 2.0 * h * mean * radius + square * radius * radius } else { h * h / 3.0 }
            };
            let second = DVec3::new(along(0), along(1), along(2)) * volume;
            sum = sum.plus(&Self::symmetric(volume, second));
        }
        sum
    }

    /// Of a solid of revolution about z between two heights. The square of its radius there is at most quadratic in z, so that all
    /// integrals are of degree four at most, and Gauss's rule of three points is exact.
    pub fn revolved(from: f64, to: f64, square_radius: impl Fn(f64) -> f64) -> Self {
        let (middle, half) = ((from + to) / 2.0, (to - from) / 2.0);
        let far = (3.0f64 / 5.0).sqrt();
        let mut sum = Self::ZERO;
        for (place, weight) in [(-far, 5.0 / 9.0), (0.0, 8.0 / 9.0), (far, 5.0 / 9.0)] {
            let z = middle + place * half;
            let square = square_radius(z);
            let volume = weight * half * std::f64::consts::PI * square;
            let second = DVec3::new(square / 4.0, square / 4.0, z * z) * volume;
            let slice = Self { volume, first: DVec3::Z * (z * volume), second: DMat3::from_diagonal(second) };
            sum = sum.plus(&slice);
        }
        sum
    }

    /// Of a solid with a rectangular section at each height between two, by its half extents, which are linear in the height.
    pub fn stacked(from: f64, to: f64, half: impl Fn(f64) -> [f64; 2]) -> Self {
        let (middle, half_height) = ((from + to) / 2.0, (to - from) / 2.0);
        let far = (3.0f64 / 5.0).sqrt();
        let mut sum = Self::ZERO;
        for (place, weight) in [(-far, 5.0 / 9.0), (0.0, 8.0 / 9.0), (far, 5.0 / 9.0)] {
            let z = middle + place * half_height;
            let [x, y] = half(z);
            let volume = weight * half_height * 4.0 * x * y;
            let second = DVec3::new(x * x / 3.0, y * y / 3.0, z * z) * volume;
            let slice = Self { volume, first: DVec3::Z * (z * volume), second: DMat3::from_diagonal(second) };
            sum = sum.plus(&slice);
        }
        sum
    }

    /// Mirrored in the plane of x and y; the solid is one of revolution about z.
    pub fn mirrored_z(&self) -> Self {
        Self { first: -self.first, ..*self }
    }

    /// With z and x exchanged.
    pub fn along_x(&self) -> Self {
        let swap = DMat3::from_cols(DVec3::Z, DVec3::Y, DVec3::X);
        Self { volume: self.volume, first: swap * self.first, second: swap * self.second * swap }
    }

    /// Of the sum of a disc in the plane of x and y and a ball: its radius at height z is R + s with s² = r² − z².
    pub fn wheel(disc: f64, r: f64) -> Self {
        let pi = std::f64::consts::PI;
        let (r2, r3) = (r * r, r * r * r);
        // Integrals of s, s², s³ and s⁴ over the height, and of z² s and z² s².
        let (s1, s2, s3, s4) = (pi * r2 / 2.0, 4.0 * r3 / 3.0, 3.0 * pi * r2 * r2 / 8.0, 16.0 * r2 * r3 / 15.0);
        let (z1, z2) = (pi * r2 * r2 / 8.0, 4.0 * r2 * r3 / 15.0);
        let d2 = disc * disc;
        let volume = pi * (2.0 * r * d2 + 2.0 * disc * s1 + s2);
        let fourth = 2.0 * r * d2 * d2 + 4.0 * d2 * disc * s1 + 6.0 * d2 * s2 + 4.0 * disc * s3 + s4;
        let across = pi / 4.0 * fourth;
        let along = pi * (2.0 * r3 / 3.0 * d2 + 2.0 * disc * z1 + z2);
        Self::symmetric(volume, DVec3::new(across, across, along))
    }
}

impl Polytope {
    /// Volume, centroid and inertia tensor, to rounding relative to volume times the square of the size.
    pub fn mass_properties(&self) -> MassProperties {
        let moments = self.moments();
        let (origin, unit) = (widen(self.centroid()), widen_real(self.bounding_radius()));
        let inertia = moments.properties(origin, unit).inertia;
        MassProperties { volume: self.volume(), centroid: self.centroid(), inertia }
    }

    /// About the centroid, in units of the bounding radius.
    fn moments(&self) -> Moments {
        let (origin, unit) = (widen(self.centroid()), widen_real(self.bounding_radius()));
        let at = |v: u32| (widen(self.vertices()[v as usize]) - origin) / unit;
        let mut sum = Moments::ZERO;
        for face in 0..self.face_count() as u32 {
            let mut corners = self.face_vertices(face);
            let (Some(first), Some(mut previous)) = (corners.next().map(at), corners.next().map(at)) else { continue };
            for corner in corners.map(at) {
                sum = sum.plus(&Moments::tetrahedron([first, previous, corner]));
                previous = corner;
            }
        }
        sum
    }

    /// The integrals about the origin, in units of a length.
    pub(super) fn moments_in(&self, unit: f64) -> Moments {
        let own = self.moments();
        let (ratio, at) = (widen_real(self.bounding_radius()) / unit, widen(self.centroid()) / unit);
        let volume = own.volume * ratio.powi(3);
        let first = own.first * ratio.powi(4) + at * volume;
        let (cross, off) = (own.first * ratio.powi(4), at);
        let mixed = DMat3::from_cols(cross * off.x, cross * off.y, cross * off.z);
        let second = own.second * ratio.powi(5) + mixed + mixed.transpose() + outer(at) * volume;
        Moments { volume, first, second }
    }
}
