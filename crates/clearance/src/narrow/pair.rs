//! The verbs for two convex shapes.
//!
//! Shapes and poses become one relative pose; the cores are asked; radii are added; and only the answer goes back to world
//! space. Every answer carries bounds from the witnesses that the algorithms propose, widened by the error of a support.

use glam::DVec3;

use super::active;
use super::cache::PairCache;
use super::closed::{self, Decision};
use super::epa;
use super::gjk::{self, Gjk, Goal, Start, State, SubAlgorithm, SupportPlane};
use super::minkowski::{Minkowski, Vertex};
use super::polish::polish;
use super::sa_gjk::{self, Answer};
use super::separating_vector::{self, still_apart, still_meeting};
use super::witness::{aligned, common};
use crate::answer::{Closest, Contact, End, Overlap, Witness};
use crate::math::{Mat3, Pose, Real, Vec3, length, narrow, narrow_real, unit_or, widen};
use crate::shape::{Core, Shape};
use crate::support::{Support, VertexId};
use crate::tolerance::{
    COARSE_GAP, NEAR, POLISHED_RESIDUAL, RELATIVE_DEPTH_GAP, RELATIVE_GAP, SAFE_SQUARE_MAX, SAFE_SQUARE_MIN,
    STALL_SIGMAS, sigma,
};

/// The pair in the frame of A.
pub(super) struct Pair<'a> {
    pub(super) m: Minkowski<'a, Core, Core>,
    /// The sum of the radii.
    pub(super) margin: Real,
    pub(super) size: Real,
    pub(super) sigma: Real,
    /// Whether both cores have flat faces only, so that answers are exact.
    flat: bool,
}

impl<'a> Pair<'a> {
    #[inline]
    pub(super) fn new(a: &'a Shape, pose_a: &Pose, b: &'a Shape, pose_b: &Pose) -> Self {
        let of_b = pose_b.matrix();
        let rotation = Mat3::from_cols(
            pose_a.direction_to_local(of_b.x_axis),
            pose_a.direction_to_local(of_b.y_axis),
            pose_a.direction_to_local(of_b.z_axis),
        );
        let translation = pose_a.direction_to_local(pose_b.translation() - pose_a.translation());
        let size = a.bounding_radius() + b.bounding_radius() + translation.abs().element_sum();
        Self {
            m: Minkowski { a: a.core(), b: b.core(), rotation, translation },
            margin: a.radius() + b.radius(),
            size,
            sigma: sigma(size),
            flat: a.core().is_polyhedral() && b.core().is_polyhedral(),
        }
    }

    /// Where GJK starts: the cached direction, or the line between the origins.
    #[inline]
    pub(super) fn start(&self, cache: &PairCache, pose_a: &Pose) -> Start {
        let direction = if cache.warm { pose_a.direction_to_local(cache.direction) } else { self.m.translation };
        let square = direction.length_squared();
        // A vector too short or too long to square is as good as none until it has unit length.
        let plain = square > SAFE_SQUARE_MIN && square < SAFE_SQUARE_MAX;
        let direction = if plain { direction } else { unit_or(direction, Vec3::X) };
        Start { direction, hints: if cache.warm { cache.corners[0] } else { [VertexId::NONE; 2] } }
    }

    /// The cached simplex at the present poses, if both bodies have vertices.
    pub(super) fn warm_simplex(&self, cache: &PairCache) -> arrayvec::ArrayVec<Vertex, 4> {
        let mut vertices = arrayvec::ArrayVec::new();
        for ids in &cache.corners[..cache.len as usize] {
            if let (Some(a), Some(b)) = (self.m.a.vertex(ids[0]), self.m.b.vertex(ids[1])) {
                let b = self.m.rotation * b + self.m.translation;
                vertices.push(Vertex { m: b - a, a, ids: *ids });
            }
        }
        vertices
    }

    /// Whether a plane separates by more than the margin, or a point is nearer than that.
    #[inline]
    fn is_certain(&self, gjk: &Gjk) -> bool {
        gjk.plane.bound > self.margin + self.sigma || gjk.upper() <= self.margin + self.sigma
    }

    #[inline]
    fn goal(&self, boolean: bool) -> Goal {
        Goal {
            boolean,
            margin: self.margin,
            sigma: self.sigma,
            relative_gap: if self.flat || boolean { 0.0 } else { RELATIVE_GAP },
            sub_algorithm: SubAlgorithm::Regions,
        }
    }
}

/// Whether a shape is another one moved within its frame.
#[inline]
fn is_posed(shape: &Shape) -> bool {
    matches!(shape.core(), Core::Posed(_))
}

/// Asks about what was moved within the frames of two shapes instead, in the frame of A: closed forms and smooth pieces are known for that.
/// Moves within moves are taken off one at a time.
#[inline(never)]
fn in_frame_of_a<T>(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    ask: impl FnOnce(&Shape, &Pose, &Shape, &Pose) -> T,
) -> T {
    let inner = |shape: &Shape, pose: &Pose| match shape.core() {
        Core::Posed(part) => (Shape::with_radius(part.shape.core().clone(), shape.radius()), pose.compose(&part.pose)),
        _ => (shape.clone(), *pose),
    };
    let ((a, of_a), (b, of_b)) = (inner(a, &Pose::IDENTITY), inner(b, &pose_b.relative_to(pose_a)));
    ask(&a, &of_a, &b, &of_b)
}

/// An answer in the frame of A, in world space.
fn placed(near: Closest, pose_a: &Pose) -> Closest {
    let points = near.points.map(|point| pose_a.point(point));
    Closest { points, normal: pose_a.direction(near.normal), ..near }
}

/// Whether two bodies share a point. Touching counts; the answer carries a separating plane or a common point.
///
/// ```
/// use clearance::{PairCache, Pose, Shape, overlap};
/// let (cube, ball) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::sphere(0.5)?);
/// let mut cache = PairCache::default();
/// let pose = Pose::from_translation([1.4, 0.0, 0.0])?;
/// assert!(overlap(&cube, &Pose::IDENTITY, &ball, &pose, &mut cache).overlap);
/// let pose = Pose::from_translation([1.6, 0.0, 0.0])?;
/// assert!(!overlap(&cube, &Pose::IDENTITY, &ball, &pose, &mut cache).overlap);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Overlap {
    if is_posed(a) || is_posed(b) {
        let answer = in_frame_of_a(a, pose_a, b, pose_b, |a, of_a, b, of_b| overlap(a, of_a, b, of_b, cache));
        let witness = match answer.witness {
            Witness::Plane { normal, offset_a, offset_b } => {
                let normal = pose_a.direction(normal);
                let along = normal.dot(pose_a.translation());
                Witness::Plane { normal, offset_a: offset_a + along, offset_b: offset_b + along }
            }
            Witness::Point(point) => Witness::Point(pose_a.point(point)),
            other => other,
        };
        return Overlap { witness, ..answer };
    }
    match still_apart(a, pose_a, b, pose_b, cache) {
        Some(answer) => answer,
        None => overlap_anew(a, pose_a, b, pose_b, cache),
    }
}

/// Where the plane of the last frame does not separate any more.
#[inline(never)]
fn overlap_anew(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Overlap {
    let pair = Pair::new(a, pose_a, b, pose_b);
    if let Some(decision) = closed::overlap(&pair) {
        let (overlap, witness) = match decision {
            Decision::Apart(plane) => (false, separation(a, pose_a, &plane, plane.bound)),
            Decision::Common(points) => (true, Witness::Point(pose_a.point(common(a, b, points)))),
        };
        return Overlap { overlap, witness, end: End::Converged, iterations: 0 };
    }
    if let Some(simplex) = still_meeting(&pair, cache) {
        let witness = Witness::Point(pose_a.point(common(a, b, simplex.points())));
        return Overlap { overlap: true, witness, end: End::Converged, iterations: 0 };
    }
    let mut start = pair.start(cache, pose_a);
    let mut iterations = 0;
    if pair.margin == 0.0 {
        let verdict = quickly(&pair, &start);
        iterations = verdict.iterations;
        start.hints = verdict.hints;
        match verdict.answer {
            Answer::Apart(plane) => {
                cache.remember(pose_a.direction(plane.direction), &[], verdict.hints);
                let witness = separation(a, pose_a, &plane, plane.bound);
                return Overlap { overlap: false, witness, end: End::Converged, iterations };
            }
            Answer::Meeting(simplex) => {
                cache.remember(pose_a.direction(start.direction), simplex.vertices(), verdict.hints);
                let [on_a, on_b] = simplex.points();
                let witness = Witness::Point(pose_a.point((on_a + on_b) * 0.5));
                return Overlap { overlap: true, witness, end: End::Converged, iterations };
            }
            Answer::Unclear(direction) => start.direction = direction,
        }
    }
    let mut gjk = gjk::run(&pair.m, &start, &[], &pair.goal(true));
    let mut points = gjk.simplex.points();
    if gjk.state == State::Apart && !pair.is_certain(&gjk) {
        points = settle(&pair, &mut gjk).unwrap_or(points);
    }
    let bound = gjk.plane.bound - pair.margin;
    let apart = bound > pair.sigma;
    let direction = if apart { gjk.plane.direction } else { start.direction };
    cache.remember(pose_a.direction(direction), gjk.simplex.vertices(), gjk.hints);
    let witness = if apart {
        separation(a, pose_a, &gjk.plane, bound)
    } else {
        Witness::Point(pose_a.point(common(a, b, points)))
    };
    Overlap { overlap: !apart, witness, end: gjk.end, iterations: iterations + gjk.iterations }
}

/// The boolean where it is clear: by separating vectors for bodies large enough to be climbed, else by SA-GJK (both measured).
#[inline]
fn quickly(pair: &Pair<'_>, start: &Start) -> sa_gjk::Verdict {
    match (pair.m.a, pair.m.b) {
        (Core::Polytope(a), Core::Polytope(b)) if a.search().is_climbed() && b.search().is_climbed() => {
            let options = separating_vector::Options::default();
            let verdict = separating_vector::decide(&pair.m, start, &options, pair.sigma, pair.size);
            sa_gjk::Verdict { answer: verdict.answer, hints: verdict.hints, iterations: verdict.steps.k }
        }
        _ => sa_gjk::decide(&pair.m, start, pair.sigma, pair.size),
    }
}

/// A boolean run that rounding stopped before it was certain: a plane that separates may still be found by Newton's method, or
/// be that of the distance itself; and if the distance is known to rounding, that is the answer, with its points.
fn settle(pair: &Pair<'_>, gjk: &mut Gjk) -> Option<[Vec3; 2]> {
    if !pair.flat {
        gjk.plane = active::sharpened(&pair.m, gjk, pair.margin, pair.sigma);
        if gjk.plane.bound > pair.margin + pair.sigma {
            gjk.end = End::Converged;
            return None;
        }
    }
    let answer = near(pair, gjk, apart(pair, gjk));
    let w = pair.m.lowest(answer.normal, gjk.hints);
    let bound = answer.normal.dot(w.m);
    if bound > gjk.plane.bound {
        gjk.plane = SupportPlane { direction: answer.normal, bound, on_a: w.a };
    }
    gjk.end = answer.end;
    gjk.iterations = answer.iterations + 1;
    Some(answer.points)
}

/// A plane that separates the bodies by `bound`, in world space.
pub(super) fn separation(a: &Shape, pose_a: &Pose, plane: &SupportPlane, bound: Real) -> Witness {
    let direction = unit_or(plane.direction, Vec3::X);
    let normal = pose_a.direction(direction);
    let offset_a = direction.dot(plane.on_a) + a.radius() + normal.dot(pose_a.translation());
    Witness::Plane { normal, offset_a, offset_b: offset_a + bound }
}

/// The signed distance of two bodies with their nearest or deepest points, from far apart to deep inside.
///
/// ```
/// use clearance::{PairCache, Pose, Shape, closest};
/// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let mut cache = PairCache::default();
/// for x in [2.5, 1.5] {
///     let pose = Pose::from_translation([x, 0.0, 0.0])?;
///     let near = closest(&cube, &Pose::IDENTITY, &cube, &pose, &mut cache);
///     assert!((near.distance - (x - 2.0)).abs() < 1e-6);
///     assert!(near.lower <= near.distance && near.distance <= near.upper);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Closest {
    if is_posed(a) || is_posed(b) {
        let near = in_frame_of_a(a, pose_a, b, pose_b, |a, of_a, b, of_b| closest(a, of_a, b, of_b, cache));
        return placed(near, pose_a);
    }
    let pair = Pair::new(a, pose_a, b, pose_b);
    if let Some(local) = closed::closest(&pair) {
        return in_the_world(local, pair.sigma, a, pose_a, b);
    }
    let start = pair.start(cache, pose_a);
    let mut gjk = Gjk::new(&start);
    let local = pair.separation(&mut gjk, &start, cache, SubAlgorithm::Regions);
    let local = local.or_else(|| closed::depth(&pair, &gjk.simplex, gjk.iterations));
    let local = local.unwrap_or_else(|| meeting(&pair, &gjk));
    cache.remember(pose_a.direction(local.normal), gjk.simplex.vertices(), gjk.hints);
    in_the_world(local, pair.sigma, a, pose_a, b)
}

/// The distance of two bodies whose cores do not meet, as [`closest`] has it; nothing if they do. For those who do not need
/// depths: bodies that overlap cost no more than a boolean.
pub fn distance(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, cache: &mut PairCache) -> Option<Closest> {
    if is_posed(a) || is_posed(b) {
        let near = in_frame_of_a(a, pose_a, b, pose_b, |a, of_a, b, of_b| distance(a, of_a, b, of_b, cache));
        return near.map(|near| placed(near, pose_a));
    }
    let pair = Pair::new(a, pose_a, b, pose_b);
    if let Some(local) = closed::distance(&pair) {
        return local.map(|local| in_the_world(local, pair.sigma, a, pose_a, b));
    }
    let start = pair.start(cache, pose_a);
    let mut gjk = Gjk::new(&start);
    let local = pair.separation(&mut gjk, &start, cache, SubAlgorithm::Regions);
    let direction = local.map_or(cache.direction, |local| pose_a.direction(local.normal));
    cache.remember(direction, gjk.simplex.vertices(), gjk.hints);
    local.map(|local| in_the_world(local, pair.sigma, a, pose_a, b))
}

/// [`closest`] with the nearest point of a simplex found the given way, two boxes like others: for study and comparison.
pub fn closest_by(
    way: SubAlgorithm,
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> Closest {
    let pair = Pair::new(a, pose_a, b, pose_b);
    let start = pair.start(cache, pose_a);
    let mut gjk = Gjk::new(&start);
    let local = pair.separation(&mut gjk, &start, cache, way).unwrap_or_else(|| meeting(&pair, &gjk));
    cache.remember(pose_a.direction(local.normal), gjk.simplex.vertices(), gjk.hints);
    in_the_world(local, pair.sigma, a, pose_a, b)
}

impl Pair<'_> {
    /// The distance of the cores with the margin taken off, unless they meet. `gjk` is fresh, and becomes the last run.
    fn separation(&self, gjk: &mut Gjk, start: &Start, cache: &PairCache, way: SubAlgorithm) -> Option<Closest> {
        let mut goal = Goal { sub_algorithm: way, ..self.goal(false) };
        let fine = goal.relative_gap;
        if !self.flat {
            goal.relative_gap = COARSE_GAP;
        }
        gjk.advance(&self.m, start, &self.warm_simplex(cache), &goal);
        if gjk.state == State::Meeting {
            return None;
        }
        if self.flat {
            return Some(near(self, gjk, apart(self, gjk)));
        }
        if let Some(smooth) = on_pieces(self, gjk).or_else(|| smooth(self, gjk)) {
            return Some(smooth);
        }
        goal.relative_gap = fine;
        let coarse = *gjk;
        let start = Start { direction: narrow(coarse.nearest), hints: coarse.hints };
        *gjk = gjk::run(&self.m, &start, coarse.simplex.vertices(), &goal);
        gjk.iterations += coarse.iterations;
        if coarse.plane.bound > gjk.plane.bound {
            gjk.plane = coarse.plane;
        }
        (gjk.state == State::Apart).then(|| near(self, gjk, apart(self, gjk)))
    }
}

/// An answer about the cores in the frame of A, for the whole bodies in world space.
fn in_the_world(local: Closest, sigma: Real, a: &Shape, pose_a: &Pose, b: &Shape) -> Closest {
    let [on_a, on_b] = local.points;
    Closest {
        points: [on_a + local.normal * a.radius(), on_b - local.normal * b.radius()].map(|p| pose_a.point(p)),
        normal: pose_a.direction(local.normal),
        contact: Contact::of(local.distance, local.lower, sigma),
        ..local
    }
}

/// The answer of GJK, with the margin taken off; points are those of the cores.
fn apart(pair: &Pair<'_>, gjk: &Gjk) -> Closest {
    let upper = gjk.upper();
    let mut normal = narrow(gjk.nearest.normalize_or(DVec3::X));
    let mut distance = upper;
    if let Some(face) = gjk.simplex.triangle_normal().filter(|_| pair.flat) {
        // The direction of a face is known better than that of a short vector.
        let face = face.normalize_or(widen(normal));
        let face = if face.dot(widen(normal)) < 0.0 { -face } else { face };
        distance = narrow_real(face.dot(widen(gjk.simplex.vertices()[0].m)));
        normal = narrow(face);
    }
    let mut simplex = gjk.simplex;
    simplex.refine(widen(normal * distance));
    let points = simplex.points();
    // A combination of corners is a point of M whatever the rounding; the vector to it is an upper bound.
    let upper = upper.max(length(points[1] - points[0]));
    let mut lower = gjk.plane.bound;
    let mut end = gjk.end;
    if upper - lower > STALL_SIGMAS * pair.sigma + pair.goal(false).relative_gap * upper {
        // The plane that belongs to the answer may be a better one than those on the way to it.
        lower = lower.max(normal.dot(pair.m.lowest(normal, gjk.hints).m));
        let close = upper - lower <= STALL_SIGMAS * (pair.sigma + pair.goal(false).relative_gap * upper);
        end = if close { End::Converged } else { end };
    }
    Closest {
        distance: distance - pair.margin,
        lower: lower.min(distance) - pair.sigma - pair.margin,
        upper: upper.max(distance) + pair.sigma - pair.margin,
        points: aligned(points, normal * distance),
        normal,
        end,
        iterations: gjk.iterations,
        ..Closest::UNKNOWN
    }
}

/// A distance so near to zero that GJK's direction is noise, by the directions of faces; the answer with the closer bounds.
fn near(pair: &Pair<'_>, gjk: &Gjk, answer: Closest) -> Closest {
    if answer.end == End::Converged || !(gjk.upper() <= NEAR * pair.size) {
        return answer;
    }
    let mut by_faces = meeting(pair, gjk);
    let width = by_faces.upper - by_faces.lower;
    if !(width < answer.upper - answer.lower) {
        return answer;
    }
    // What is stated for distances, not for depths.
    let stated = STALL_SIGMAS * (4.0 * pair.sigma + pair.goal(false).relative_gap * gjk.upper());
    if by_faces.distance > -pair.margin && width > stated {
        by_faces.end = End::Degenerate;
    }
    by_faces
}

/// Newton's answer from a coarse one, if the bodies are smooth where they are nearest.
fn smooth(pair: &Pair<'_>, gjk: &Gjk) -> Option<Closest> {
    let polished = polish(&pair.m, narrow(gjk.nearest.normalize_or(DVec3::X)), pair.sigma);
    let distance = polished.bound;
    let reached = polished.residual <= POLISHED_RESIDUAL * distance + 4.0 * pair.sigma;
    // The point and the plane bound the distance from above and below.
    let upper = length(polished.vertex.m);
    (distance > pair.sigma && reached).then(|| Closest {
        distance: distance - pair.margin,
        lower: distance - pair.sigma - pair.margin,
        upper: upper + pair.sigma - pair.margin,
        points: [polished.vertex.a, polished.vertex.a + polished.direction * distance],
        normal: polished.direction,
        end: End::Converged,
        iterations: gjk.iterations + polished.iterations,
        ..Closest::UNKNOWN
    })
}

/// Newton's answer from a coarse one, if the bodies are made of known pieces.
fn on_pieces(pair: &Pair<'_>, gjk: &Gjk) -> Option<Closest> {
    let direction = narrow(gjk.nearest.normalize_or(DVec3::X));
    let enough = POLISHED_RESIDUAL * gjk.upper() + 4.0 * pair.sigma;
    let found = active::polish(&pair.m, gjk.simplex.vertices(), direction, enough, pair.sigma)?;
    let upper = found.bound + found.residual;
    (found.bound > pair.sigma).then(|| Closest {
        distance: found.bound - pair.margin,
        lower: found.bound - pair.sigma - pair.margin,
        upper: upper + pair.sigma - pair.margin,
        points: aligned(found.points, found.direction * found.bound),
        normal: found.direction,
        end: End::Converged,
        iterations: gjk.iterations + found.iterations,
        ..Closest::UNKNOWN
    })
}

/// The answer of the expanding polytope, with the margin taken off.
fn meeting(pair: &Pair<'_>, gjk: &Gjk) -> Closest {
    let gap = if pair.flat { 0.0 } else { RELATIVE_DEPTH_GAP };
    let depth = epa::depth(&pair.m, &gjk.simplex, pair.sigma, gap);
    // GJK came within this of a common point, whatever became of the expansion: a combination of corners is a point of M.
    let [on_a, on_b] = gjk.simplex.points();
    let upper = (-depth.lower).min(gjk.upper().max(length(on_b - on_a))).max(-depth.depth);
    let close = upper + depth.upper <= STALL_SIGMAS * pair.sigma;
    Closest {
        distance: -depth.depth - pair.margin,
        lower: -depth.upper - pair.sigma - pair.margin,
        upper: upper + pair.sigma - pair.margin,
        points: aligned(depth.points, depth.normal * -depth.depth),
        normal: depth.normal,
        end: if close { End::Converged } else { depth.end },
        iterations: gjk.iterations + depth.iterations,
        ..Closest::UNKNOWN
    }
}
