//! A point with a body that is turned about the z axis: a disc, a cylinder, a cone.
//!
//! In the half-plane of the axis and the point the body is a rectangle or a triangle with one side on the axis. The distance of a
//! point from a body changes by no more than the point moves, so the error is that of the point's coordinates.

use super::found::{Cores, Found};
use crate::math::{Real, Vec3, length, unit_or};

/// A point in the half-plane: its distance from the axis, its height, and the direction outward.
struct Profile {
    rho: Real,
    z: Real,
    outward: Vec3,
}

impl Profile {
    fn of(point: Vec3) -> Self {
        let horizontal = Vec3::new(point.x, point.y, 0.0);
        Self { rho: length(horizontal), z: point.z, outward: unit_or(horizontal, Vec3::X) }
    }

    /// From (ρ, z) to space.
    fn lift(&self, [rho, z]: [Real; 2]) -> Vec3 {
        self.outward * rho + Vec3::Z * z
    }

    /// The answer from the nearest point of the profile and the vector from there to the point. `corners` are those of the
    /// profile that may be farthest along the vector.
    fn apart(&self, point: Vec3, nearest: [Real; 2], vector: [Real; 2], corners: [[Real; 2]; 2]) -> Cores {
        let distance = length(Vec3::new(vector[0], vector[1], 0.0));
        let [rho, z] = vector.map(|x| x / distance);
        // Beside a corner rounding may turn a short vector anywhere, inward too, where the far side of the rim is farthest.
        let height = |corner: [Real; 2]| rho * self.rho - rho.abs() * corner[0] + z * (self.z - corner[1]);
        let bound = height(corners[0]).min(height(corners[1]));
        let normal = unit_or(self.lift([rho, z]), Vec3::Z);
        Cores::Apart(Found { points: [self.lift(nearest), point], normal, distance, bound })
    }

    /// The answer for a point in the body, from the normal of the side nearest to it and its height above that.
    fn inside(&self, point: Vec3, normal: [Real; 2], height: Real) -> Cores {
        let normal = self.lift(normal);
        Cores::Inside(Found { points: [point - normal * height, point], normal, distance: height, bound: height })
    }
}

/// A point with a cylinder, or with a disc if the half height is zero.
pub(super) fn cylinder(half_height: Real, radius: Real, point: Vec3) -> Cores {
    let profile = Profile::of(point);
    let up = (1.0 as Real).copysign(point.z);
    let (beyond, above) = (profile.rho - radius, point.z.abs() - half_height);
    if beyond <= 0.0 && above <= 0.0 {
        return if above >= beyond {
            profile.inside(point, [0.0, up], above)
        } else {
            profile.inside(point, [1.0, 0.0], beyond)
        };
    }
    let nearest = [profile.rho.min(radius), point.z.abs().min(half_height) * up];
    profile.apart(point, nearest, [beyond.max(0.0), above.max(0.0) * up], [[radius, half_height * up]; 2])
}

/// A point with a cone: its apex, its slant, the rim or the base.
pub(super) fn cone(height: Real, radius: Real, point: Vec3) -> Cores {
    let profile = Profile::of(point);
    let (rho, z) = (profile.rho, profile.z);
    let (base, apex) = (-0.25 * height, 0.75 * height);
    let slant = length(Vec3::new(height, radius, 0.0));
    // Along the slant from the apex, and outward from it.
    let (down, out) = ([radius / slant, -height / slant], [height / slant, radius / slant]);
    let along = down[0] * rho + down[1] * (z - apex);
    let above = out[0] * rho + out[1] * (z - apex);
    let below = base - z;
    let corners = [[0.0, apex], [radius, base]];
    if above <= 0.0 && below <= 0.0 {
        return if below >= above {
            profile.inside(point, [0.0, -1.0], below)
        } else {
            profile.inside(point, out, above)
        };
    }
    if below > 0.0 && rho <= radius {
        return profile.apart(point, [rho, base], [0.0, -below], corners);
    }
    if along <= 0.0 {
        return profile.apart(point, [0.0, apex], [rho, z - apex], corners);
    }
    if along < slant && above > 0.0 {
        let vector = out.map(|x| x * above);
        return profile.apart(point, [rho - vector[0], z - vector[1]], vector, corners);
    }
    if rho == radius && z == base {
        return profile.inside(point, [0.0, -1.0], 0.0);
    }
    profile.apart(point, [radius, base], [rho - radius, -below], corners)
}
