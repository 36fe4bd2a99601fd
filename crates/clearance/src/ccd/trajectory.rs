//! First contact of two features along a straight way or an arc, formula for formula as the paper has it.
//!
//! J.M.P. van Waveren, Robust Continuous Collision Detection Between Arbitrary Polyhedra (2005), sections 2.2 to 2.5 with the expel
//! zone of 3.1 to 3.4, on Plücker coordinates. [`polyhedra`](super::polyhedra) answers for whole bodies, from differences and with
//! margins that are proved; here are the paper's own formulas for one pair of features, for study and comparison. Their
//! error is relative to the distance from the origin, and the zone must be chosen large enough for it.
//!
//! Corrections to the print: the sign of the fraction in 2.2 and 3.1, the translated Plücker coordinates of 2.3, the root where the
//! leading coefficient is zero in 2.4 and 2.5 (the stable form is used, which needs no such case). Departures: a feature that
//! starts behind the other by more than the zone does not meet it (3.1 would stop it where it is); of two roots the first one at
//! which the motion goes inwards and within the bounds counts (3.3 takes the smaller one and may then find it out of bounds); what
//! leaves the zone and would come back only after half a turn is not stopped where it leaves.
//!
//! Positive angles turn right-handed about the axis. At most two roots are looked at: it ends.

use glam::DVec3;

use crate::math::Plucker;

/// A convex polygon: its unit normal, the offset of its plane (`normal·x = offset`) and its corners, counter-clockwise seen from the front.
#[derive(Debug, Clone, Copy)]
pub struct RestingPolygon<'a> {
    /// Unit vector to the front.
    pub normal: DVec3,
    /// The plane is where the product with the normal has this value.
    pub offset: f64,
    /// The corners.
    pub corners: &'a [DVec3],
}

impl RestingPolygon<'_> {
    /// Whether a point with this direction of motion passes between the edges, towards the back.
    fn is_passed(&self, point: DVec3, motion: DVec3) -> bool {
        let way = Plucker::along(point, motion);
        let count = self.corners.len();
        let edge = |i: usize| Plucker::through(self.corners[i], self.corners[(i + 1) % count]);
        (0..count).all(|i| way.side(&edge(i)) >= 0.0)
    }
}

/// An edge that rests: its ends, and by how much its line is moved where both planes beside it are moved out by one (section 3.2).
#[derive(Debug, Clone, Copy)]
pub struct RestingEdge {
    /// The ends.
    pub ends: [DVec3; 2],
    /// The move, times the thickness of the zone, to the line of the expanded planes.
    pub outset: DVec3,
}

impl RestingEdge {
    fn line(&self) -> Plucker {
        Plucker::through(self.ends[0], self.ends[1])
    }

    fn expanded(&self, zone: f64) -> Plucker {
        Plucker::through(self.ends[0] + self.outset * zone, self.ends[1] + self.outset * zone)
    }
}

/// A turn about an axis through a point by less than half a turn.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// A point of the axis.
    pub origin: DVec3,
    /// Unit vector.
    pub axis: DVec3,
    /// In radians, between −π and π.
    pub angle: f64,
}

/// The fraction of a translation after which a point meets a polygon (2.2, 3.1).
///
/// ```
/// use clearance::study::trajectory::{RestingPolygon, translated_point};
/// use glam::DVec3;
/// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let floor = RestingPolygon { normal: DVec3::Z, offset: 0.0, corners: &corners };
/// let from = DVec3::new(0.25, 0.25, 2.0);
/// assert_eq!(translated_point(from, DVec3::Z * -4.0, &floor, 0.0), Some(0.5));
/// assert_eq!(translated_point(from, DVec3::X, &floor, 0.0), None);
/// ```
pub fn translated_point(a: DVec3, v: DVec3, polygon: &RestingPolygon, zone: f64) -> Option<f64> {
    let alpha = polygon.normal.dot(a) - polygon.offset;
    let beta = polygon.normal.dot(v);
    if !(beta < 0.0) || alpha < -zone {
        return None;
    }
    let fraction = ((zone - alpha) / beta).max(0.0);
    (fraction <= 1.0 && polygon.is_passed(a, v)).then_some(fraction)
}

/// The fraction of a translation after which an edge meets a resting one (2.3, 3.2).
pub fn translated_edge(ends: [DVec3; 2], v: DVec3, other: &RestingEdge, zone: f64) -> Option<f64> {
    let p = Plucker::through(ends[0], ends[1]);
    let f1 = where_lines_meet(&p, v, &other.line())?;
    let f2 = where_lines_meet(&p, v, &other.expanded(zone))?;
    if f1 < 0.0 || f2 > 1.0 || f1 < f2 {
        return None;
    }
    is_within(ends, v, other.ends).then_some(f2.max(0.0))
}

/// Where on its way along v the line p meets the line q: nowhere if they are parallel.
fn where_lines_meet(p: &Plucker, v: DVec3, q: &Plucker) -> Option<f64> {
    let alpha = p.side(q);
    let Plucker([_, _, p2, _, p4, p5]) = *p;
    let Plucker([_, _, q2, _, q4, q5]) = *q;
    let beta = q4 * (-p2 * v.y - p5 * v.x) + q5 * (-p2 * v.z + p4 * v.x) + q2 * (p5 * v.z + p4 * v.y);
    let fraction = alpha / beta;
    fraction.is_finite().then_some(fraction)
}

/// Whether the lines of two edges, the first moving along v, meet between the ends of both.
fn is_within(moving: [DVec3; 2], v: DVec3, resting: [DVec3; 2]) -> bool {
    let between = |line: [DVec3; 2], points: [DVec3; 2]| {
        let line = Plucker::through(line[0], line[1]);
        let sides = points.map(|point| Plucker::along(point, v).side(&line));
        sides[0] * sides[1] <= 0.0
    };
    between(resting, moving) && between(moving, resting)
}

/// The fraction of a turn after which a point meets a polygon (2.4, 3.3).
pub fn turned_point(a: DVec3, turn: &Turn, polygon: &RestingPolygon, zone: f64) -> Option<f64> {
    let frame = Frame::new(turn);
    let (a, normal) = (frame.point(a), frame.direction(polygon.normal));
    let offset = polygon.offset - polygon.normal.dot(turn.origin);
    let height =
        Arc { v0: normal.z * a.z - offset, v1: normal.x * a.y - normal.y * a.x, v2: normal.x * a.x + normal.y * a.y };
    let inside = height.at(0.0).abs() <= zone;
    let start = if inside { Start::Inside { outwards: 1.0, slope: height.v1 } } else { Start::Outside };
    let passes = |r: f64, place: Place| {
        let here = turned(a, r);
        let motion = match place {
            Place::Reached => frame.direction_back(motion(here)),
            Place::Highest => -polygon.normal,
        };
        frame.has(r) && polygon.is_passed(frame.back(here), motion)
    };
    first(&height.raised(-zone), start, passes).map(|r| frame.fraction(r))
}

/// The derivative of x' = x cos α + y sin α, y' = y cos α − x sin α.
fn motion(here: DVec3) -> DVec3 {
    DVec3::new(here.y, -here.x, 0.0)
}

/// The fraction of a turn after which an edge meets a resting one (2.5, 3.4).
pub fn turned_edge(ends: [DVec3; 2], turn: &Turn, other: &RestingEdge, zone: f64) -> Option<f64> {
    let frame = Frame::new(turn);
    let (own, rests) = (ends.map(|p| frame.point(p)), other.ends.map(|p| frame.point(p)));
    let outset = frame.direction(other.outset) * zone;
    let p = Plucker::through(own[0], own[1]);
    let near = Arc::of(&p, &Plucker::through(rests[0], rests[1]));
    let far = Arc::of(&p, &Plucker::through(rests[0] + outset, rests[1] + outset));
    let inside = near.at(0.0) * far.at(0.0) <= 0.0;
    // The side of the edge on which the expanded line is.
    let outwards = near.at(0.0).signum();
    let start = if inside { Start::Inside { outwards, slope: near.v1 * outwards } } else { Start::Outside };
    let passes = |r: f64, place: Place| {
        let ends = own.map(|p| turned(p, r));
        let inwards = inside || far.slope(r) * near.at(r) < 0.0;
        let motion = match place {
            Place::Reached => motion(crossing(ends, rests)),
            Place::Highest => -outset,
        };
        frame.has(r) && inwards && is_within(ends, motion, rests)
    };
    first(&far, start, passes).map(|r| frame.fraction(r))
}

/// The point of the second line nearest to the first.
fn crossing(own: [DVec3; 2], rests: [DVec3; 2]) -> DVec3 {
    let (u, w) = (own[1] - own[0], rests[1] - rests[0]);
    let normal = u.cross(w);
    rests[0] + w * (u.cross(rests[0] - own[0]).dot(normal) / -normal.length_squared())
}

/// Where a feature starts.
enum Start {
    Outside,
    /// In the zone. `outwards` is the sign with which the height grows, `slope` how fast it grows at first, outwards.
    Inside {
        outwards: f64,
        slope: f64,
    },
}

/// Where on an arc a feature is stopped.
#[derive(Clone, Copy)]
enum Place {
    /// On its way inwards: between the bounds as seen along the motion.
    Reached,
    /// Where it is farthest out and moves neither in nor out: between the bounds as seen from there.
    Highest,
}

/// The expel zone of 3.3 and 3.4: the place at which a feature is stopped, given where it reaches the outside of its zone.
fn first(outer: &Arc, start: Start, passes: impl Fn(f64, Place) -> bool) -> Option<f64> {
    let roots = outer.roots();
    let Start::Inside { outwards, slope } = start else {
        let [low, high] = if roots[1] < roots[0] { [roots[1], roots[0]] } else { roots };
        return [low, high].into_iter().find(|&r| r >= 0.0 && passes(r, Place::Reached));
    };
    if slope < 0.0 {
        return passes(0.0, Place::Reached).then_some(0.0);
    }
    if roots[0].is_nan() {
        return outer.turning_point().filter(|&r| passes(r, Place::Highest));
    }
    // The way back in; if that is beyond half a turn, the larger root is the way out.
    let back = roots[0].max(roots[1]);
    (back >= 0.0 && outer.slope(back) * outwards < 0.0 && passes(back, Place::Reached)).then_some(back)
}

/// Space turned so that the axis is z, in the paper's sense of rotation.
struct Frame {
    origin: DVec3,
    axes: [DVec3; 3],
    angle: f64,
}

impl Frame {
    fn new(turn: &Turn) -> Self {
        // The paper turns clockwise seen from +z, where we turn right-handed.
        let z = if turn.angle > 0.0 { -turn.axis } else { turn.axis };
        let x = z.any_orthonormal_vector();
        Self { origin: turn.origin, axes: [x, z.cross(x), z], angle: turn.angle.abs() }
    }

    fn direction(&self, v: DVec3) -> DVec3 {
        DVec3::from_array(self.axes.map(|axis| axis.dot(v)))
    }

    fn point(&self, p: DVec3) -> DVec3 {
        self.direction(p - self.origin)
    }

    fn direction_back(&self, v: DVec3) -> DVec3 {
        self.axes[0] * v.x + self.axes[1] * v.y + self.axes[2] * v.z
    }

    fn back(&self, p: DVec3) -> DVec3 {
        self.origin + self.direction_back(p)
    }

    /// Whether the turn comes as far as r = tan(α/2).
    fn has(&self, r: f64) -> bool {
        r <= (0.5 * self.angle).tan()
    }

    fn fraction(&self, r: f64) -> f64 {
        // A turn by nothing is over when it begins.
        if self.angle > 0.0 { 2.0 * r.atan() / self.angle } else { 0.0 }
    }
}

fn turned(p: DVec3, r: f64) -> DVec3 {
    let square = 1.0 + r * r;
    let (sine, cosine) = (2.0 * r / square, (1.0 - r * r) / square);
    DVec3::new(p.x * cosine + p.y * sine, p.y * cosine - p.x * sine, p.z)
}

/// `v2 cos α + v1 sin α + v0`.
struct Arc {
    v0: f64,
    v1: f64,
    v2: f64,
}

impl Arc {
    /// The product of a turning line p and a resting line q (2.5).
    fn of(p: &Plucker, q: &Plucker) -> Self {
        let (Plucker(p), Plucker(q)) = (p, q);
        Self {
            v0: q[0] * p[4] + q[4] * p[0],
            v1: q[1] * p[2] - q[2] * p[1] + q[5] * p[3] - q[3] * p[5],
            v2: q[1] * p[5] + q[2] * p[3] + q[5] * p[1] + q[3] * p[2],
        }
    }

    fn raised(&self, by: f64) -> Self {
        Self { v0: self.v0 + by, ..*self }
    }

    fn at(&self, r: f64) -> f64 {
        let square = 1.0 + r * r;
        self.v0 + (self.v2 * (1.0 - r * r) + self.v1 * 2.0 * r) / square
    }

    /// The derivative, up to a positive factor.
    fn slope(&self, r: f64) -> f64 {
        self.v1 * (1.0 - r * r) - self.v2 * 2.0 * r
    }

    /// Where it is zero; not a number or infinite where there is no such place.
    fn roots(&self) -> [f64; 2] {
        let (a, b, c) = (self.v0 - self.v2, self.v1, self.v0 + self.v2);
        let root = (b * b - a * c).sqrt();
        let q = -(b + root.copysign(b));
        [q / a, c / q]
    }

    /// The first place after the start at which the derivative is zero.
    fn turning_point(&self) -> Option<f64> {
        // −v1 r² − 2 v2 r + v1 = 0.
        let root = self.v2.hypot(self.v1);
        let q = self.v2 + root.copysign(self.v2);
        [q / -self.v1, self.v1 / q].into_iter().filter(|r| *r > 0.0 && r.is_finite()).reduce(f64::min)
    }
}
