//! Where a ray meets a body, and the nearest point of a body to a point.

use super::Cache;
use crate::answer::{Contact, End, Feature, Projection, RayHit, Side, Start};
use crate::ccd::{CastOptions, cast_body};
use crate::math::{Pose, Real, Vec3, length};
use crate::motion::Motion;
use crate::ray::{self, Ray, RayOptions};
use crate::shape::{BodyRef, Geometry, Leaf, Shape};
use crate::tolerance::sigma;

/// Hits of one body that [`cast_ray_all`] lists at most, where they are found one after the other.
const MOST_HITS: usize = 1 << 16;

/// Where a ray first meets a body; nothing if it does not, or only beyond `options.max`.
///
/// A ray that touches a surface, an edge or a vertex has hit it: meshes do not leak. If the ray starts inside of a solid, the hit is where
/// it leaves the solid. Of a mesh, a compound or a field that is padded, the way out from inside is not searched: then `t` is 0,
/// `upper` is where the ray has left the padded body for certain, and `end` says `Degenerate`.
///
/// ```
/// use clearance::{Pose, Ray, RayOptions, Shape, Side, cast_ray};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let ray = Ray::new([5.0, 0.5, 0.0], [-2.0, 0.0, 0.0])?;
/// let hit = cast_ray(&cube, &Pose::IDENTITY, &ray, &RayOptions::default()).ok_or("the ray meets the cube")?;
/// assert!((hit.t - 2.0).abs() < 1e-6 && hit.normal.x == 1.0 && hit.side == Side::Front);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_ray<'b>(body: impl Into<BodyRef<'b>>, pose: &Pose, ray: &Ray, options: &RayOptions) -> Option<RayHit> {
    let body = body.into();
    if body.padding > 0.0 {
        return on_padded(&body, pose, ray, options);
    }
    match body.geometry() {
        Geometry::Convex(shape) => ray::cast_ray_convex(shape, pose, 0.0, ray, options),
        Geometry::Mesh(mesh) => ray::cast_ray_mesh(mesh, pose, ray, options),
        Geometry::Compound(compound) => ray::cast_ray_compound(compound, pose, ray, options),
        Geometry::HeightField(field) => ray::cast_ray_height_field(field, pose, ray, options),
        Geometry::PointCloud(cloud) => ray::cast_ray_cloud(cloud, pose, ray, options),
        Geometry::HalfSpace(half_space) => ray::cast_ray_half_space(half_space, pose, ray, options),
    }
}

/// Every place up to `options.max` where a ray passes the surface of a body, in order, into `hits`, which is cleared first.
///
/// For a closed mesh entering and leaving alternate, also where the ray goes through edges and vertices. The parts of a compound are listed
/// each for itself. Of height fields, point clouds, half-spaces and padded bodies the hits are found one after the other: passes nearer to
/// each other than the error of a position may be listed once.
///
/// ```
/// use clearance::{Pose, Ray, RayOptions, Shape, cast_ray_all};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let (ray, mut hits) = (Ray::new([5.0, 0.5, 0.0], [-1.0, 0.0, 0.0])?, Vec::new());
/// cast_ray_all(&cube, &Pose::IDENTITY, &ray, &RayOptions::default(), &mut hits);
/// assert_eq!(hits.iter().map(|hit| hit.t).collect::<Vec<_>>(), [4.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_ray_all<'b>(
    body: impl Into<BodyRef<'b>>,
    pose: &Pose,
    ray: &Ray,
    options: &RayOptions,
    hits: &mut Vec<RayHit>,
) {
    let body = body.into();
    hits.clear();
    match body.geometry() {
        Geometry::Convex(shape) => ray::convex_crossings(shape, pose, body.padding, ray, options, hits),
        Geometry::Mesh(mesh) if body.padding == 0.0 => ray::mesh_crossings(mesh, pose, ray, options, hits),
        Geometry::Compound(compound) if body.padding == 0.0 => {
            let mut own = Vec::new();
            for (part, (leaf, place)) in (0..).zip(&compound.parts) {
                let place = pose.compose(place);
                match leaf {
                    Leaf::Convex(shape) => ray::convex_crossings(shape, &place, 0.0, ray, options, &mut own),
                    Leaf::Mesh(mesh) => ray::mesh_crossings(mesh, &place, ray, options, &mut own),
                }
                hits.extend(own.iter().map(|hit| RayHit { feature: hit.feature.of_part(part), ..*hit }));
            }
            hits.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.feature.cmp(&b.feature)));
        }
        _ => one_after_the_other(&body, pose, ray, options, hits),
    }
}

/// Casts again from just beyond each hit.
fn one_after_the_other(body: &BodyRef<'_>, pose: &Pose, ray: &Ray, options: &RayOptions, hits: &mut Vec<RayHit>) {
    let mut passed: Real = 0.0;
    while hits.len() < MOST_HITS {
        let origin = ray.at(passed);
        let Ok(rest) = Ray::new(origin, ray.direction()) else { return };
        let asked = RayOptions { max: options.max - passed, ..*options };
        let Some(hit) = cast_ray(body, pose, &rest, &asked) else { return };
        let [t, lower, upper] = [hit.t, hit.lower, hit.upper].map(|t| t + passed);
        hits.push(RayHit { t, lower, upper, ..hit });
        // Beyond the hit by more than the rounding of the next origin.
        let step = 4.0 * sigma(length(origin) + length(pose.translation())) / length(ray.direction());
        let next = upper.max(t) + step.max(t * 4.0 * Real::EPSILON);
        if !(next > passed && next <= options.max) || hit.end != End::Converged {
            return;
        }
        passed = next;
    }
}

/// A padded body: a ball of the padding's radius is cast along the ray.
fn on_padded(body: &BodyRef<'_>, pose: &Pose, ray: &Ray, options: &RayOptions) -> Option<RayHit> {
    let (geometry, padding) = (body.geometry(), body.padding);
    if let Geometry::Convex(shape) = geometry {
        return ray::cast_ray_convex(shape, pose, padding, ray, options);
    }
    let reach = geometry.bounding_radius() + padding + length(ray.origin() - pose.translation());
    let far = (2.0 * reach / length(ray.direction())).min(options.max);
    let (Ok(ball), Ok(start)) = (Shape::sphere(padding), Pose::from_translation(ray.origin())) else {
        return None;
    };
    // A half-space has no end: as far as poses go.
    let far = if far.is_finite() { far } else { crate::tolerance::LARGEST_SIZE / length(ray.direction()) / 4.0 };
    let motion = Motion::translation(start, ray.direction() * far).ok()?;
    let scratch = &mut crate::ccd::polyhedra::CastScratch::default();
    let stop = cast_body(geometry, pose, &ball, &motion, &CastOptions::default(), scratch).ok()?;
    let inside = matches!(stop.start, Start::Overlapping { .. });
    let hit = stop.hit?;
    let point = hit.points[0] + hit.normal * padding;
    Some(RayHit {
        t: stop.fraction * far,
        lower: stop.lower * far,
        upper: if inside { far } else { stop.upper * far },
        point,
        normal: hit.normal,
        feature: hit.features[0],
        side: if inside { Side::Back } else { Side::Front },
        inside: inside && options.solid,
        end: if inside { End::Degenerate } else { stop.end },
    })
}

/// The point of a body nearest to a point, with the signed distance: negative inside of a solid.
///
/// ```
/// use clearance::{Cache, Pose, Shape, Vec3, project};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let mut cache = Cache::default();
/// let near = project(&cube, &Pose::IDENTITY, Vec3::new(3.0, 0.5, 0.0), &mut cache);
/// assert!((near.distance - 2.0).abs() < 1e-6 && (near.nearest - Vec3::new(1.0, 0.5, 0.0)).length() < 1e-6);
/// let near = project(&cube, &Pose::IDENTITY, Vec3::new(0.75, 0.5, 0.0), &mut cache);
/// assert!((near.distance + 0.25).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn project<'b>(body: impl Into<BodyRef<'b>>, pose: &Pose, point: Vec3, cache: &mut Cache) -> Projection {
    let body = body.into();
    let near = match body.geometry() {
        Geometry::Convex(shape) => ray::project_on_convex(shape, pose, point, &mut cache.convex),
        Geometry::Mesh(mesh) => ray::project_on_mesh(mesh, pose, point),
        Geometry::Compound(compound) => ray::project_on_compound(compound, pose, point, &mut cache.convex),
        Geometry::HeightField(field) => ray::project_on_height_field(field, pose, point),
        Geometry::PointCloud(cloud) => ray::project_on_cloud(cloud, pose, point),
        Geometry::HalfSpace(half_space) => ray::project_on_half_space(half_space, pose, point),
    };
    if body.padding > 0.0 { padded(near, &body, pose, point) } else { near }
}

/// The projection on a padded body. Outside of the body without padding the distance shifts exactly; inside of it, the shifted distance
/// is the least that the surface can be away.
fn padded(near: Projection, body: &BodyRef<'_>, pose: &Pose, point: Vec3) -> Projection {
    let (padding, geometry) = (body.padding, body.geometry());
    let finite = |x: Real| if x.is_finite() { x } else { 0.0 };
    let size = finite(geometry.bounding_radius()) + padding + length(point - pose.translation());
    let error = sigma(size);
    let distance = near.distance - padding;
    let lower = near.lower - padding - error;
    // From within a concave body the padded surface may be farther away than that: at most out of the whole.
    let is_exact = near.distance >= 0.0 && distance >= 0.0 || matches!(geometry, Geometry::HalfSpace(_));
    let lower = if is_exact { lower } else { lower.min(-(2.0 * size)) };
    Projection {
        distance,
        lower,
        upper: near.upper - padding + error,
        nearest: near.nearest + near.normal * padding,
        contact: Contact::of(distance, near.lower - padding - error, error),
        feature: Feature { ..near.feature },
        ..near
    }
}
