//! Rays against convex shapes: formulas for the simplest, the contact range of a point with everything else.

use glam::DVec3;

use super::input::{Ray, RayOptions};
use super::local::{LocalHit, LocalRay};
use super::triangle::{Count, Probe};
use crate::answer::{Element, Feature, RayHit, Side};
use crate::math::{Pose, Real, Vec3, narrow_real, widen, widen_real};
use crate::narrow::contact_range::{RangeCache, RangeEnd, contact_range};
use crate::shape::{Core, Shape};
use crate::tolerance::{BOX_ERROR, RAY_MEAN};

/// An end of the stretch of a ray that is in a convex body, in the body's frame.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    /// The parameter and its bounds; negative behind the origin.
    t: [f64; 3],
    normal: DVec3,
    element: Element,
}

/// What a formula says.
enum Formula {
    /// There is none for this shape.
    Unknown,
    Missed,
    Through([Crossing; 2]),
}

/// Where a ray first meets a convex shape padded by a distance; nothing if it does not, or only beyond the largest position.
///
/// The padding adds to the shape's radius; zero for the shape itself.
pub fn cast_ray_convex(shape: &Shape, pose: &Pose, padding: Real, ray: &Ray, options: &RayOptions) -> Option<RayHit> {
    let ends = convex_ends(shape, pose, padding, ray)?;
    choose(&ends, ray, options)
}

/// Where a ray enters and leaves a convex shape padded by a distance, in order, into `hits`, which is cleared first.
pub fn convex_crossings(
    shape: &Shape,
    pose: &Pose,
    padding: Real,
    ray: &Ray,
    options: &RayOptions,
    hits: &mut Vec<RayHit>,
) {
    hits.clear();
    let Some(ends) = convex_ends(shape, pose, padding, ray) else {
        return;
    };
    let inside = options.solid && ends[0].upper < 0.0 && ends[1].lower > 0.0;
    let sides = [Side::Front, Side::Back];
    let ahead = ends.iter().zip(sides).filter(|(end, _)| end.t >= 0.0 && end.t <= options.max);
    hits.extend(ahead.map(|(end, side)| RayHit { side, inside, lower: end.lower.max(0.0), ..*end }));
}

/// Both ends of the stretch of the line that is in the body; positions behind the origin are negative.
fn convex_ends(shape: &Shape, pose: &Pose, padding: Real, ray: &Ray) -> Option<[RayHit; 2]> {
    let local = LocalRay::new(ray, pose, shape.bounding_radius() + padding);
    match formula(shape, widen_real(padding), &local) {
        Formula::Missed => None,
        Formula::Through(crossings) => {
            let world = |crossing: Crossing| {
                let feature = Feature { part: 0, element: crossing.element };
                let [t, ..] = crossing.t;
                let hit = LocalHit {
                    t: crossing.t,
                    piece: [f64::NEG_INFINITY, f64::INFINITY],
                    point: local.at(t),
                    normal: crossing.normal,
                    feature,
                    side: Side::Front,
                    inside: false,
                };
                local.signed_in_the_world(&hit, pose)
            };
            Some(crossings.map(world))
        }
        Formula::Unknown => by_range(shape, pose, padding, ray, &local),
    }
}

/// The contact range of a point, or a ball as large as the padding, that moves along the ray.
fn by_range(shape: &Shape, pose: &Pose, padding: Real, ray: &Ray, local: &LocalRay) -> Option<[RayHit; 2]> {
    let ball = if padding > 0.0 { Shape::sphere(padding).ok()? } else { Shape::point() };
    let start = Pose::from_translation(ray.origin()).ok()?;
    // At a length of about one, and a power of two from the given one.
    let direction = ray.direction() / narrow_real(local.scale());
    let range = contact_range(shape, pose, &ball, &start, direction, &mut RangeCache::default()).ok()??;
    let scaled = |x: Real| local.position(widen_real(x));
    let world = |end: RangeEnd| RayHit {
        t: scaled(end.at),
        lower: scaled(end.lower).next_down(),
        upper: scaled(end.upper).next_up(),
        point: end.points[0] + end.normal * padding,
        normal: end.normal,
        feature: end.features[0],
        side: Side::Front,
        inside: false,
        end: end.end,
    };
    Some(range.ends.map(world))
}

/// The hit that the two ends amount to. An origin within the bounds of an end is on the surface there.
fn choose(ends: &[RayHit; 2], ray: &Ray, options: &RayOptions) -> Option<RayHit> {
    let [enter, leave] = ends;
    let at_origin =
        |end: &RayHit| RayHit { t: 0.0, lower: 0.0, upper: end.upper.max(0.0), point: ray.origin(), ..*end };
    let hit = if leave.upper < 0.0 {
        return None;
    } else if enter.t > 0.0 {
        RayHit { lower: enter.lower.max(0.0), ..*enter }
    } else if enter.upper >= 0.0 {
        at_origin(enter)
    } else if leave.lower <= 0.0 {
        RayHit { side: Side::Back, ..at_origin(leave) }
    } else {
        RayHit { side: Side::Back, inside: options.solid, ..*leave }
    };
    (hit.t <= options.max).then_some(hit)
}

/// Both ends by a formula, in the body's frame.
fn formula(shape: &Shape, padding: f64, ray: &LocalRay) -> Formula {
    let radius = widen_real(shape.radius()) + padding;
    match *shape.core() {
        Core::Point if radius > 0.0 => sphere(radius, ray),
        Core::Cuboid { half_extents } if radius == 0.0 => cuboid(half_extents, ray),
        Core::Cylinder { half_height, radius: own } if radius == 0.0 => {
            cylinder(widen_real(half_height), widen_real(own), ray)
        }
        Core::Triangle(corners) if radius == 0.0 => triangle(corners, ray),
        _ => Formula::Unknown,
    }
}

/// A quadratic surface across some coordinates: where the part `o + t · d` of the ray there is within a radius. The parameter where it is
/// nearest to the middle and the stretch to either side, each with bounds; nothing if it misses for certain.
fn round(o: DVec3, d: DVec3, radius: f64) -> Option<[[f64; 3]; 2]> {
    let square = d.length_squared();
    let middle = -o.dot(d) / square;
    let nearest = o + d * middle;
    let off = BOX_ERROR * (o.length() + (d * middle).length());
    let room = radius * radius - nearest.length_squared();
    let error = 2.0 * nearest.length() * off + off * off + BOX_ERROR * radius * radius;
    if room + error < 0.0 {
        return None;
    }
    let half = |x: f64| (x.max(0.0) / square).sqrt();
    let slack = off / square.sqrt();
    let (near, least, most) =
        (half(room), half(room - error) * (1.0 - BOX_ERROR), half(room + error) * (1.0 + BOX_ERROR));
    let enter = [middle - near, middle - most - slack, middle - least + slack];
    let leave = [middle + near, middle + least - slack, middle + most + slack];
    Some([enter, leave])
}

fn sphere(radius: f64, ray: &LocalRay) -> Formula {
    let Some(ends) = round(ray.origin, ray.direction, radius) else {
        return Formula::Missed;
    };
    let towards = -ray.direction.normalize();
    let at = |t: [f64; 3]| {
        let normal = ray.at(t[0]).try_normalize().unwrap_or(towards);
        Crossing { t, normal, element: Element::Smooth }
    };
    Formula::Through(ends.map(at))
}

/// The stretch between two planes across an axis, with the axis.
struct Slab {
    ends: [[f64; 3]; 2],
}

/// Where a coordinate is within `half`; all of the line if it does not change and is there.
fn slab(o: f64, d: f64, half: f64) -> Option<Slab> {
    if d == 0.0 {
        let all = [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]];
        return (o.abs() <= half).then_some(Slab { ends: all });
    }
    let at = |side: f64| {
        let t = (side - o) / d;
        let error = BOX_ERROR * t.abs();
        [t, t - error, t + error]
    };
    let side = half.copysign(d);
    Some(Slab { ends: [at(-side), at(side)] })
}

fn cuboid(half: Vec3, ray: &LocalRay) -> Formula {
    let (o, d, half) = (ray.origin, ray.direction, widen(half));
    let mut slabs = [[[0.0; 3]; 2]; 3];
    for axis in 0..3 {
        match slab(o[axis], d[axis], half[axis]) {
            Some(slab) => slabs[axis] = slab.ends,
            None => return Formula::Missed,
        }
    }
    let end = |side: usize| {
        let later = |a: f64, b: f64| if side == 0 { a > b } else { a < b };
        let axis = (1..3).fold(0, |best, i| if later(slabs[i][side][0], slabs[best][side][0]) { i } else { best });
        // The bound over all slabs, for each of the three numbers.
        let combine = |k: usize| {
            let all = slabs.map(|slab| slab[side][k]);
            if side == 0 {
                all.into_iter().fold(f64::NEG_INFINITY, f64::max)
            } else {
                all.into_iter().fold(f64::INFINITY, f64::min)
            }
        };
        let t = [combine(0), combine(1), combine(2)];
        let is_out = |i: usize| if side == 0 { d[i] > 0.0 } else { d[i] < 0.0 };
        let tied = [0, 1, 2].map(|i| slabs[i][side][0] == t[0]);
        let mut normal = DVec3::ZERO;
        normal[axis] = if is_out(axis) { -1.0 } else { 1.0 };
        Crossing { t, normal, element: box_element(tied, [0, 1, 2].map(is_out), axis) }
    };
    let crossings = [end(0), end(1)];
    if crossings[0].t[1] > crossings[1].t[2] { Formula::Missed } else { Formula::Through(crossings) }
}

/// The face, edge or corner of a box where the sides of the tied axes meet: corners by one bit for each axis on the negative side.
fn box_element(tied: [bool; 3], negative: [bool; 3], axis: usize) -> Element {
    let bit = |i: usize| u32::from(tied[i] && negative[i]) << i;
    let corner = bit(0) | bit(1) | bit(2);
    match tied.iter().filter(|&&is| is).count() {
        3 => Element::Vertex(corner),
        2 => {
            let free = tied.iter().position(|&is| !is).unwrap_or(0);
            Element::Edge([corner, corner | 1 << free])
        }
        _ => Element::Face(2 * axis as u32 + u32::from(negative[axis])),
    }
}

fn cylinder(half_height: f64, radius: f64, ray: &LocalRay) -> Formula {
    let flat = |v: DVec3| DVec3::new(v.x, v.y, 0.0);
    let (o, d) = (flat(ray.origin), flat(ray.direction));
    let Some(slab) = slab(ray.origin.z, ray.direction.z, half_height) else {
        return Formula::Missed;
    };
    let side = if d == DVec3::ZERO {
        if o.length() > radius * (1.0 + BOX_ERROR) {
            return Formula::Missed;
        }
        [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]]
    } else {
        match round(o, d, radius) {
            Some(ends) => ends,
            None => return Formula::Missed,
        }
    };
    let end = |i: usize| {
        let (a, b) = (slab.ends[i], side[i]);
        let cap_last = if i == 0 { a[0] > b[0] } else { a[0] < b[0] };
        let pick = |k: usize| if i == 0 { a[k].max(b[k]) } else { a[k].min(b[k]) };
        let t = [pick(0), pick(1), pick(2)];
        if cap_last || !b[0].is_finite() {
            let up = (ray.direction.z > 0.0) == (i == 1);
            return Crossing { t, normal: if up { DVec3::Z } else { DVec3::NEG_Z }, element: Element::Whole };
        }
        let normal = flat(ray.at(t[0])).try_normalize().unwrap_or(DVec3::X);
        Crossing { t, normal, element: Element::Smooth }
    };
    let crossings = [end(0), end(1)];
    if crossings[0].t[1] > crossings[1].t[2] { Formula::Missed } else { Formula::Through(crossings) }
}

/// A triangle is met at one place: entered and left at once.
fn triangle(corners: [Vec3; 3], ray: &LocalRay) -> Formula {
    let probe = Probe::new(*ray);
    let corners = corners.map(widen);
    let Some(passage) = probe.passage(&corners, Count::Touched) else {
        return Formula::Missed;
    };
    let towards = -ray.direction.normalize();
    let outward = super::mesh::outward(corners).unwrap_or(towards);
    let normal = if passage.facing > 0 { -outward } else { outward };
    let crossing = |t: [f64; 3], normal: DVec3| Crossing { t, normal, element: Element::Face(0) };
    let last = if passage.facing == 0 { [passage.piece[1]; 3] } else { passage.t };
    let slack = RAY_MEAN * ray.size;
    let last = if passage.facing == 0 { [last[0], last[1] - slack, last[2] + slack] } else { last };
    Formula::Through([crossing(passage.t, normal), crossing(last, -normal)])
}
