//! Two meshes: the distance of their surfaces, and what their contact is.
//!
//! The distance comes from a walk down both trees, nearest pairs of oriented boxes first. If the surfaces do not meet, one solid
//! may still contain a part of the other: one vertex of each connected part tells. If they meet, all pairs of triangles that meet are
//! gone through for the deepest; where none is deep (coplanar faces, coincident surfaces) points inside both bodies tell whether
//! the solids overlap or only touch.

use std::cell::Cell;

use arrayvec::ArrayVec;
use glam::DVec3;

use super::local::Local;
use super::on_surface::{facing, first_hit, nearest_on};
use super::probes::{PROBES, Probe, Probes};
use crate::answer::{Contact, Feature};
use crate::bvh::{Frame, NodeId};
use crate::math::triangle::{
    Exit, Prepared, Shared, common_point, exit, foot, nearest, resting_points, shared, shared_middle, triangles_meet,
};
use crate::math::{Pose, Real, narrow, narrow_real, pair_size, widen, widen_real};
use crate::narrow::{End, PairCache};
use crate::shape::mesh::{Mesh, Side};
use crate::tolerance::{ORIENTED_AXES, TOUCHING_SIGMAS, sigma};

/// How many more are asked to decide whether bodies that touch do no more than that.
const MOST_PROBES: u32 = 1 << 14;
/// How many pairs of triangles are looked at in a contact before it ends with what was found: coincident surfaces have a dozen for
/// each triangle, and none of them deep.
pub(super) const CONTACT_PAIRS: u32 = 1 << 17;
/// The same for the depth of bodies that are known to overlap, as long as no two triangles are deep in each other.
const SHALLOW_PAIRS: u32 = 1 << 14;
/// How many vertices of a part inside the other body are asked how deep they are.
const DEPTH_VERTICES: usize = 64;

/// Two meshes in the frame of the first.
pub(super) struct Surfaces<'m> {
    pub a: &'m Mesh,
    pub b: &'m Mesh,
    pub frame: Frame,
    pub sigma: f64,
}

/// The nearest points of two surfaces; where they meet, a common point twice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Apart {
    pub distance: f64,
    pub points: [DVec3; 2],
    pub triangles: [u32; 2],
    pub tested: u32,
}

/// How deep two bodies are in each other, by one witness.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deep {
    pub depth: f64,
    pub normal: DVec3,
    pub points: [DVec3; 2],
    pub triangles: [u32; 2],
}

impl<'m> Surfaces<'m> {
    pub fn new(a: &'m Mesh, pose_a: &Pose, b: &'m Mesh, pose_b: &Pose) -> Self {
        let frame = Frame::of(pose_b, pose_a);
        let size = pair_size([a.bounding_radius(), b.bounding_radius()], narrow(frame.translation));
        Self { a, b, frame, sigma: widen_real(sigma(size)) }
    }

    pub fn triangle_a(&self, triangle: u32) -> Prepared {
        Prepared::new(self.a.wide_triangle(triangle))
    }

    pub fn triangle_b(&self, triangle: u32) -> Prepared {
        Prepared::new(self.b.wide_triangle(triangle).map(|p| self.frame.point(p)))
    }

    /// At most the distance of what is in two nodes.
    #[inline]
    fn separation(&self, a: NodeId, b: NodeId) -> f64 {
        self.a.oriented_boxes().get(a).separation(self.b.oriented_boxes().get(b), &self.frame) - self.sigma
    }

    /// The direction of two nearest points, from A to B, in the frames of A and of B.
    fn direction(&self, near: &Apart) -> [DVec3; 2] {
        let along = (near.points[1] - near.points[0]).normalize_or_zero();
        [along, self.frame.rotation.transpose() * along]
    }

    /// At most the distance of what is in two nodes: their gap along a unit direction, given in both frames.
    #[inline]
    fn gap_along(&self, a: NodeId, b: NodeId, in_a: DVec3, in_b: DVec3) -> f64 {
        let [middle_a, reach_a] = self.a.oriented_boxes().get(a).span(in_a);
        let [middle_b, reach_b] = self.b.oriented_boxes().get(b).span(in_b);
        let gap = middle_b + in_a.dot(self.frame.translation) - middle_a - reach_a - reach_b;
        // A box beyond the range of single precision separates nothing.
        if gap.is_nan() { f64::NEG_INFINITY } else { gap * ORIENTED_AXES - self.sigma }
    }

    /// The distance by the hulls of two nearly convex meshes, if these are apart: a lower bound, and triangles at their nearest points.
    pub fn hull_start(&self, poses: [&Pose; 2], cache: &mut PairCache) -> Option<(f64, [u32; 2])> {
        let (a, b) = self.a.nearly_convex().zip(self.b.nearly_convex())?;
        let near = crate::narrow::closest(a, poses[0], b, poses[1], cache);
        if !(near.lower > 0.0 && near.distance > narrow_real(self.sigma)) {
            return None;
        }
        let at = [poses[0].point_to_local(near.points[0]), poses[1].point_to_local(near.points[1])].map(widen);
        let triangles = [nearest_on(self.a, at[0])?.1, nearest_on(self.b, at[1])?.1];
        Some((widen_real(near.lower), triangles))
    }

    /// Whether there are such triangles; a cache may be another pair's.
    pub fn has(&self, [a, b]: [u32; 2]) -> bool {
        (a as usize) < self.a.triangle_count() && (b as usize) < self.b.triangle_count()
    }

    /// Whether two triangles meet and are deeper in each other than what counts as touching.
    pub fn go_through(&self, [i, j]: [u32; 2]) -> bool {
        let (a, b) = (self.triangle_a(i), self.triangle_b(j));
        triangles_meet(&a.corners, &b.corners)
            && exit(&a, &b, self.sigma).is_some_and(|exit| exit.depth > self.tolerance())
    }

    pub fn between(&self, triangles: [u32; 2]) -> Apart {
        self.between_prepared(&[self.triangle_a(triangles[0]), self.triangle_b(triangles[1])], triangles)
    }

    /// Whether one of two triangles is all on one side of the other's plane, at least so far from it. Of surfaces that run beside
    /// each other most pairs are told apart by that alone.
    fn are_beyond(&self, [a, b]: &[Prepared; 2], distance: f64) -> bool {
        let beyond = |plane: &Prepared, other: &Prepared| {
            let heights = other.corners.map(|p| plane.normal.dot(p - plane.corners[0]));
            let limit = distance * plane.normal.length();
            limit > 0.0 && (heights.iter().all(|&h| h >= limit) || heights.iter().all(|&h| h <= -limit))
        };
        beyond(a, b) || beyond(b, a)
    }

    fn between_prepared(&self, [a, b]: &[Prepared; 2], triangles: [u32; 2]) -> Apart {
        if triangles_meet(&a.corners, &b.corners) {
            let point = common_point(a, b);
            return Apart { distance: 0.0, points: [point; 2], triangles, tested: 1 };
        }
        let near = nearest(a, b);
        Apart { distance: near.square.sqrt(), points: near.points, triangles, tested: 1 }
    }

    /// The distance of the surfaces, starting from a pair of triangles that may be near.
    pub fn distance(&self, start: Option<[u32; 2]>) -> Apart {
        let known = start.filter(|&triangles| self.has(triangles));
        let mut best = self.between(known.unwrap_or([0, 0]));
        // Nothing is nearer than a common point.
        if best.distance == 0.0 {
            return best;
        }
        let nearest = Cell::new((best.distance, self.direction(&best)));
        self.a.tree().nearest_pair(
            self.b.tree(),
            narrow_real(best.distance).next_up(),
            |a, _, b, _| {
                // Most nodes are as far apart as the best along its own direction, which costs less than to look for a better one.
                let (distance, [of_a, of_b]) = nearest.get();
                let along = self.gap_along(a, b, of_a, of_b);
                let apart = if along > distance { along } else { f64::max(0.0, self.separation(a, b)) };
                narrow_real(apart).next_down()
            },
            |a, b, bound| {
                best.tested += 1;
                let pair = [self.triangle_a(a), self.triangle_b(b)];
                if self.are_beyond(&pair, best.distance) {
                    return bound;
                }
                let here = self.between_prepared(&pair, [a, b]);
                if !(here.distance < best.distance) {
                    return bound;
                }
                best = Apart { tested: best.tested, ..here };
                nearest.set((best.distance, self.direction(&best)));
                if best.distance > 0.0 { narrow_real(best.distance).next_up() } else { -1.0 }
            },
        );
        best
    }

    /// Goes through all pairs of triangles whose boxes are within the error of each other, those that overlap most first.
    /// `visit` may lower the bound of what is of interest; nothing is of more interest than minus its depth. Returns the least
    /// separation of those left out.
    pub fn near_pairs(&self, visit: impl FnMut(u32, u32, Real) -> Real) -> f64 {
        let mut gap = f64::INFINITY;
        self.a.tree().nearest_pair(
            self.b.tree(),
            narrow_real(self.sigma).next_up(),
            |a, _, b, _| {
                let separation = self.separation(a, b);
                if separation > self.sigma {
                    gap = gap.min(separation);
                    return Real::INFINITY;
                }
                narrow_real(separation).next_down()
            },
            visit,
        );
        gap
    }

    /// Pairs of triangles whose boxes are within a distance of each other, until `visit` returns false.
    pub fn pairs_within(&self, distance: Real, mut visit: impl FnMut(u32, u32) -> bool) {
        let near = widen_real(distance);
        let going_on = Cell::new(true);
        self.a.tree().pairs_with(
            self.b.tree(),
            |a, _, b, _| going_on.get() && self.separation(a, b) <= near,
            |i, j| going_on.set(going_on.get() && visit(i, j)),
        );
    }

    /// A part of one solid inside the other, if the surfaces do not meet.
    pub fn contained(&self) -> Option<Deep> {
        let of_b = self.b.part_vertices().iter().map(|&v| self.frame.point(self.b.wide(v)));
        let inside_a = || of_b.clone().position(|p| self.a.locate_wide(p) == Side::Inside);
        let of_a = self.a.part_vertices().iter().map(|&v| self.frame.point_back(self.a.wide(v)));
        let inside_b = || of_a.clone().position(|p| self.b.locate_wide(p) == Side::Inside);
        let in_a = if self.a.is_solid() { inside_a() } else { None };
        let in_b = if self.b.is_solid() && in_a.is_none() { inside_b() } else { None };
        let (inner, part) = match (in_a, in_b) {
            (Some(part), _) => (self.b, self.b.part_vertices()[part]),
            (_, Some(part)) => (self.a, self.a.part_vertices()[part]),
            _ => return None,
        };
        // Vertices of a part have no order of their own: those that happen to be inside count.
        let step = inner.vertices().len().div_ceil(DEPTH_VERTICES).max(1);
        let sample = (0..inner.vertices().len() as u32).step_by(step).chain([part]);
        let places = sample.map(|v| if in_a.is_some() { self.frame.point(inner.wide(v)) } else { inner.wide(v) });
        places.filter_map(|p| self.depth_at(p, in_a.is_some())).reduce(deeper)
    }

    /// How deep a point of one body is in the other one, A or B, in the frame of A.
    fn depth_at(&self, point: DVec3, in_a: bool) -> Option<Deep> {
        let (mesh, local) = if in_a { (self.a, point) } else { (self.b, self.frame.point_back(point)) };
        if !mesh.is_solid() || mesh.locate_wide(local) != Side::Inside {
            return None;
        }
        let (near, triangle) = nearest_on(mesh, local)?;
        let foot = if in_a { near } else { self.frame.point(near) };
        let depth = point.distance(foot);
        // Out of A is from the point to the surface; out of B, for the point of A, the other way round.
        let out = (foot - point).normalize_or(DVec3::X);
        Some(if in_a {
            Deep { depth, normal: out, points: [foot, point], triangles: [triangle, NONE] }
        } else {
            Deep { depth, normal: -out, points: [point, foot], triangles: [NONE, triangle] }
        })
    }

    /// What the contact of two surfaces that meet is like: the deepest witness; if none is deep, the widest faces that rest on
    /// each other. The first that is deeper than `enough` ends the search.
    pub fn contact(&self, enough: f64) -> (Option<Deep>, End) {
        let (mut best, mut rest): (Option<Deep>, Option<(f64, Deep)>) = (None, None);
        let mut probes = Probes::default();
        let (mut pairs, mut tellings, mut limit, mut early) = (0, 0, CONTACT_PAIRS, None);
        self.near_pairs(|i, j, bound| {
            pairs += 1;
            if pairs > limit {
                return Real::NEG_INFINITY;
            }
            let (a, b) = (self.triangle_a(i), self.triangle_b(j));
            let Some(exit) = exit(&a, &b, self.sigma).filter(|exit| exit.depth >= -self.sigma) else {
                return bound;
            };
            let found = Deep { depth: exit.depth, normal: exit.direction, points: [DVec3::ZERO; 2], triangles: [i, j] };
            best = Some(best.map_or(found, |best| deeper(best, found)));
            if found.depth > enough {
                return Real::NEG_INFINITY;
            }
            let shared = shared(&a, &b, self.tolerance());
            if let Shared::Rest(width) = shared
                && rest.is_none_or(|(widest, _)| width > widest)
            {
                rest = Some((width, Deep { normal: a.normal.normalize_or(found.normal), ..found }));
            }
            let telling = self.is_telling(&a, &b, shared);
            tellings += u32::from(telling);
            let is_deep = best.is_some_and(|best| best.depth > self.tolerance());
            if telling && tellings.is_power_of_two() && !is_deep && early.is_none() {
                early = self.probe([i, j]).filter(|deep| deep.depth > self.tolerance());
            }
            limit = if early.is_some() && !is_deep { SHALLOW_PAIRS } else { CONTACT_PAIRS };
            if early.is_some_and(|deep| deep.depth > enough) {
                return Real::NEG_INFINITY;
            }
            let weight = if found.depth > self.tolerance() { found.depth } else { -f64::from(u8::from(!telling)) };
            probes.offer(Probe { weight, triangles: [i, j] });
            // What is not as deep as the last of the deepest is of no interest any more.
            let least = probes.least().filter(|&least| least > self.tolerance());
            least.map_or(bound, |least| Real::min(bound, narrow_real(-least).next_up()))
        });
        let best = best.map(|best| self.with_points(best));
        let inner = probes.0.iter().filter_map(|probe| self.probe(probe.triangles)).reduce(deeper);
        let deepest = best.into_iter().chain(inner).chain(early).reduce(deeper);
        let mut end = if pairs > limit { End::IterationLimit } else { End::Converged };
        let is_shallow = |deep: Option<Deep>| !deep.is_some_and(|deep| deep.depth > self.tolerance());
        let decided = if is_shallow(deepest) { self.decide(tellings, &mut end) } else { None };
        let deepest = deepest.into_iter().chain(decided).reduce(deeper);
        let found = deepest.map(|deep| match rest {
            Some((_, rest)) if !(deep.depth > self.tolerance()) => rest,
            _ => deep,
        });
        (found, end)
    }

    /// Whether two touching triangles may have points inside both bodies beside them: they face the same way in one plane, or one
    /// reaches behind the other.
    fn is_telling(&self, a: &Prepared, b: &Prepared, shared: Shared) -> bool {
        shared == Shared::Side || dips(a, b, self.tolerance()) || dips(b, a, self.tolerance())
    }

    /// Whether solids that touch, with no triangles deep in each other, overlap.
    ///
    /// What they share, if they do, is bounded by parts of their surfaces: by a part of one inside of the other, which begins where
    /// it leaves the other's surface and goes behind a triangle of it, or is all of a piece that meets nothing; or by faces that
    /// coincide and face the same way. So a point of each piece, and points beside all pairs of triangles that are like that, decide.
    fn decide(&self, tellings: u32, end: &mut End) -> Option<Deep> {
        if !(self.a.is_solid() || self.b.is_solid()) {
            return None;
        }
        if let Some(inner) = self.contained().filter(|deep| deep.depth > self.tolerance()) {
            return Some(inner);
        }
        if tellings as usize <= PROBES {
            return None;
        }
        let (mut found, mut asked): (Option<Deep>, u32) = (None, 0);
        self.near_pairs(|i, j, bound| {
            let (a, b) = (self.triangle_a(i), self.triangle_b(j));
            let touch = exit(&a, &b, self.sigma).is_some_and(|exit| exit.depth >= -self.sigma);
            if touch && self.is_telling(&a, &b, shared(&a, &b, self.tolerance())) {
                asked += 1;
                found = self.probe([i, j]).filter(|deep| deep.depth > self.tolerance());
            }
            if found.is_some() || asked >= MOST_PROBES { Real::NEG_INFINITY } else { bound }
        });
        if found.is_none() && asked >= MOST_PROBES {
            *end = End::IterationLimit;
        }
        found
    }

    fn with_points(&self, deep: Deep) -> Deep {
        let (a, b) = (self.triangle_a(deep.triangles[0]), self.triangle_b(deep.triangles[1]));
        let exit = Exit { direction: deep.normal, depth: deep.depth };
        Deep { points: resting_points(&a, &b, &exit), ..deep }
    }

    /// Depths beyond this are overlap, up to it touch.
    pub fn tolerance(&self) -> f64 {
        widen_real(TOUCHING_SIGMAS) * self.sigma
    }

    /// How deep points inside both bodies near two touching triangles are: the middles of the triangles, half-way along the
    /// common chord that starts there and goes into both, and half-way along the triangles to where they leave the other body.
    fn probe(&self, [i, j]: [u32; 2]) -> Option<Deep> {
        let (a, b) = (self.triangle_a(i), self.triangle_b(j));
        let middle = |t: &Prepared| (t.corners[0] + t.corners[1] + t.corners[2]) / 3.0;
        let flat = shared(&a, &b, self.tolerance()) == Shared::Side;
        let from = shared_middle(&a, &b).filter(|_| flat).unwrap_or_else(|| self.touching_point(&a, &b));
        let into = -(a.normal.normalize_or_zero() + b.normal.normalize_or_zero());
        let chord = into.try_normalize().and_then(|into| self.chord_middle(from, into));
        let inside = |p: &DVec3| {
            self.a.locate_wide(*p) == Side::Inside && self.b.locate_wide(self.frame.point_back(*p)) == Side::Inside
        };
        let chord = chord.filter(inside);
        let [of_a, of_b] = [(&a, &b, false), (&b, &a, true)].map(|(own, other, in_a)| {
            let below = own.corners.into_iter().filter(|&p| height(other, p) < -self.tolerance());
            below.filter_map(|p| self.slide(from, p, in_a)).collect::<ArrayVec<DVec3, 3>>()
        });
        let in_a = of_b.into_iter().chain(chord).chain([middle(&b)]).filter_map(|p| self.depth_at(p, true));
        let in_b = of_a.into_iter().chain(chord).chain([middle(&a)]).filter_map(|p| self.depth_at(p, false));
        let best = in_a.chain(in_b).reduce(deeper);
        best.map(|deep| Deep { triangles: [pick(deep.triangles[0], i), pick(deep.triangles[1], j)], ..deep })
    }

    /// Whether there are points inside both bodies near two touching triangles.
    pub fn overlap_beside(&self, triangles: [u32; 2]) -> bool {
        self.probe(triangles).is_some_and(|deep| deep.depth > self.tolerance())
    }

    /// A point of both triangles. Where an edge of one lies in the other's plane to rounding, where it passes through is noise.
    fn touching_point(&self, a: &Prepared, b: &Prepared) -> DVec3 {
        let point = common_point(a, b);
        if [a, b].into_iter().all(|t| foot(t, point).distance(point) <= self.sigma) {
            return point;
        }
        let [p, q] = nearest(a, b).points;
        (p + q) * 0.5
    }

    /// Half-way from a point towards the end of its triangle, or to where that leaves the other body, A or B.
    fn slide(&self, from: DVec3, end: DVec3, in_a: bool) -> Option<DVec3> {
        let along = (end - from).try_normalize()?;
        let hit = if in_a { self.hit_a(from, along) } else { self.hit_b(from, along) };
        let reach = f64::min(end.distance(from), hit.unwrap_or(f64::INFINITY));
        (reach > self.tolerance()).then(|| from + along * (reach * 0.5))
    }

    /// The middle of the way from a point to the first surface along a direction.
    fn chord_middle(&self, from: DVec3, along: DVec3) -> Option<DVec3> {
        let reach = self.hit_a(from, along).into_iter().chain(self.hit_b(from, along)).reduce(f64::min)?;
        Some(from + along * (reach * 0.5))
    }

    fn hit_a(&self, from: DVec3, along: DVec3) -> Option<f64> {
        first_hit(self.a, from, along, self.tolerance())
    }

    fn hit_b(&self, from: DVec3, along: DVec3) -> Option<f64> {
        first_hit(self.b, self.frame.point_back(from), self.frame.rotation.transpose() * along, self.tolerance())
    }

    pub fn element(&self, triangles: [u32; 2]) -> [Feature; 2] {
        let of = |mesh: &Mesh, triangle: u32| {
            Feature::given(0, if triangle == NONE { NONE } else { mesh.given_face(triangle) })
        };
        [of(self.a, triangles[0]), of(self.b, triangles[1])]
    }

    /// Of the triangles that the nearest points are on, those that face along the normal.
    fn facing(&self, near: &Apart, normal: DVec3) -> [Feature; 2] {
        let back = self.frame.rotation.transpose() * -normal;
        let [i, j] = near.triangles;
        let of_a = facing(self.a, near.points[0], normal, self.sigma, i);
        let of_b = facing(self.b, self.frame.point_back(near.points[1]), back, self.sigma, j);
        self.element([of_a, of_b])
    }

    /// The answer about bodies that are apart.
    pub fn apart(&self, near: &Apart) -> Local {
        let [p, q] = near.points;
        let normal = (q - p).normalize_or(DVec3::X);
        Local {
            contact: Contact::Apart,
            distance: near.distance,
            lower: near.distance - self.sigma,
            upper: near.distance + self.sigma,
            points: near.points,
            normal,
            features: self.facing(near, normal),
            end: End::Converged,
            iterations: near.tested,
        }
    }

    /// The answer about bodies that meet.
    pub fn meeting(&self, near: &Apart, (deep, end): (Option<Deep>, End)) -> Local {
        let touching = Local { contact: Contact::Touching, end, ..self.apart(near) };
        let Some(deep) = deep else {
            return touching;
        };
        if !(deep.depth > self.tolerance()) {
            // The direction of a face is known better than that of a vector as short as the error.
            let middle = (near.points[0] + near.points[1]) * 0.5;
            let features = self.facing(near, deep.normal);
            return Local { distance: 0.0, points: [middle; 2], normal: deep.normal, features, ..touching };
        }
        Local {
            contact: Contact::Overlapping,
            distance: -deep.depth,
            lower: -deep.depth - self.sigma,
            upper: -deep.depth + self.sigma,
            points: deep.points,
            normal: deep.normal,
            features: self.element(deep.triangles),
            ..touching
        }
    }
}

/// No triangle.
pub(super) const NONE: u32 = u32::MAX;

/// How far a point is above the plane of a triangle.
fn height(triangle: &Prepared, point: DVec3) -> f64 {
    triangle.normal.normalize_or_zero().dot(point - triangle.corners[0])
}

/// Whether a triangle reaches below the plane of another.
fn dips(own: &Prepared, other: &Prepared, tolerance: f64) -> bool {
    own.corners.into_iter().any(|p| height(other, p) < -tolerance)
}

fn pick(own: u32, other: u32) -> u32 {
    if own == NONE { other } else { own }
}

pub(super) fn deeper(a: Deep, b: Deep) -> Deep {
    if b.depth > a.depth { b } else { a }
}
