//! Closest features of two polytopes by Voronoi marching (proximity-queries lecture, "Voronoi marching": Lin and Canny 1991,
//! with the cures of V-Clip, Mirtich 1998).
//!
//! The space outside a polytope is divided into the regions of its vertices, edges and faces: what is nearest to each. Two
//! features are the closest ones if the nearest point of each lies in the region of the other. If it lies beyond a plane of
//! that region, the feature on the other side of the plane takes over. From the features of the last frame this is a few
//! plane tests, however many features there are.
//!
//! Departures.
//! - Regions are asked about the nearest points of the two features, which gives the transitions of V-Clip where nearest points
//!   are unique; an edge over a face, where they need not be, is cut by the planes about the face as in V-Clip.
//! - The march *proposes*; an answer counts if the supporting planes along its normal bound the distance from below to within
//!   rounding of what the points bound it by from above. Otherwise GJK goes on from there, and [`Found::Gjk`] says so.
//! - A vertex behind the face it is over is inside, or in front of another face: the march goes on at the face it is highest
//!   above, as in V-Clip. Features that meet are a common point, and the depth is left to the expanding polytope: [`Found::Depth`].
//!
//! Invariants: a feature is one of its body; two faces are never a pair.
//!
//! It ends: a step to a feature of lower dimension keeps the distance of the two features and lowers the sum of their dimensions;
//! a step to one of higher dimension makes them nearer, by a decrease that exceeds rounding. So no pair comes twice, but
//! for the few escapes from behind a face, which are counted, and for rounding: a pair that does come again (Brent's
//! test, one comparison per step) ends the march where it is, and so does a limit of steps. Nothing is allocated.

mod feature;
mod geometry;
mod handover;
mod march;

use glam::DVec3;

pub use self::feature::PolytopeFeature;
use self::geometry::Body;
use self::march::{March, Nearest, Step};
use super::End;
use super::gjk::Start;
use super::minkowski::{Minkowski, Vertex};
use super::witness::aligned;
use crate::answer::Closest;
use crate::math::{Pose, Real, Relative, Vec3, length, narrow, narrow_real, unit_or, widen_real};
use crate::polytope::Polytope;
use crate::shape::{Core, Shape};
use crate::support::VertexId;
use crate::tolerance::{F64_SAFE, MARCH_ANGLE, STALL_SIGMAS};

/// Vertices that may turn out to be behind a face before GJK takes over: each sends the march to another side of a body.
const ESCAPE_LIMIT: u32 = 4;
/// Steps that any march may take, besides one for each edge of the bodies.
const STEP_LIMIT: u32 = 64;
/// Pairs of a cycle that are looked at for one whose bounds agree.
const CYCLE_LOOKS: u32 = 6;

/// What a pair of polytopes remembers from one query to the next: the last features. Cold by default; 16 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FeatureCache {
    features: Option<[PolytopeFeature; 2]>,
}

/// How an answer was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// By marching; the bounds agree.
    Marching,
    /// Rounding stopped the march, or its bounds did not agree: GJK went on.
    Gjk,
    /// The bodies meet, and the expanding polytope found how deep.
    Depth,
}

/// The closest features of two polytopes, and their signed distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureAnswer {
    /// Distance, bounds, points and normal, in world space; `iterations` counts supports.
    pub closest: Closest,
    /// The closest features of A and B; of bodies that meet, two features that do.
    pub features: [PolytopeFeature; 2],
    /// A common point, in world space, if the march met one.
    pub common: Option<Vec3>,
    /// Pairs of features looked at.
    pub steps: u32,
    /// How it was found.
    pub found: Found,
}

impl FeatureCache {
    /// A march that starts from these features of A and B; those that do not exist make it a cold one.
    pub fn starting_at(a: PolytopeFeature, b: PolytopeFeature) -> Self {
        Self { features: Some([a, b]) }
    }

    /// The features it starts from, if it is warm.
    pub fn features(&self) -> Option<[PolytopeFeature; 2]> {
        self.features
    }
}

/// How a march ended.
enum Outcome {
    Closest(Closest),
    Meeting(DVec3),
    Undecided,
}

/// The pair in the frame of A.
struct Pair<'p> {
    m: Minkowski<'p, Polytope, Polytope>,
    march: March<'p>,
    size: Real,
    sigma: Real,
}

/// The closest features of two polytopes with their signed distance; the cache holds the features from frame to frame.
///
/// ```
/// use clearance::study::closest_features::{PolytopeFeature, FeatureCache, closest_features};
/// use clearance::{Polytope, Pose, Vec3};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
/// let polytope = Polytope::from_points(&corners.map(Vec3::from))?;
/// let mut cache = FeatureCache::default();
/// let pose = Pose::from_translation([0.0, 0.0, 2.5])?;
/// let answer = closest_features(&polytope, &Pose::IDENTITY, &polytope, &pose, &mut cache);
/// assert!((answer.closest.distance - 1.5).abs() < 1e-6);
/// assert_eq!(answer.features[0], PolytopeFeature::Vertex(3)); // the tip of the lower one
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest_features(
    a: &Polytope,
    pose_a: &Pose,
    b: &Polytope,
    pose_b: &Pose,
    cache: &mut FeatureCache,
) -> FeatureAnswer {
    let pair = Pair::new(a, pose_a, b, pose_b);
    let mut features = pair.start(cache);
    let mut steps = 0;
    let outcome = if pair.is_in_range() { pair.follow(&mut features, &mut steps) } else { Outcome::Undecided };
    let (local, found, common) = match outcome {
        Outcome::Closest(local) => (local, Found::Marching, None),
        Outcome::Meeting(point) => {
            let (local, found, _) = pair.hand_over(Start { direction: pair.line(), hints: [VertexId::NONE; 2] });
            (local, found, Some(pose_a.point(narrow(point))).filter(|_| found == Found::Depth))
        }
        Outcome::Undecided => {
            let (local, found, touched) = pair.hand_over(Start { direction: pair.line(), hints: [VertexId::NONE; 2] });
            features = touched;
            (local, found, None)
        }
    };
    let features = [features[0].canonical(a), features[1].canonical(b)];
    cache.features = Some(features);
    let points = local.points.map(|point| pose_a.point(point));
    let closest = Closest { points, normal: pose_a.direction(local.normal), ..local };
    FeatureAnswer { closest, features, common, steps, found }
}

/// [`closest_features`] of two shapes; nothing unless both are sharp polytopes. Others with flat faces can be made polytopes by
/// [`Polytope::from_points`].
pub fn of_shapes(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut FeatureCache,
) -> Option<FeatureAnswer> {
    match (a.core(), b.core()) {
        (Core::Polytope(of_a), Core::Polytope(of_b)) if a.radius() == 0.0 && b.radius() == 0.0 => {
            Some(closest_features(of_a, pose_a, of_b, pose_b, cache))
        }
        _ => None,
    }
}

impl<'p> Pair<'p> {
    fn new(a: &'p Polytope, pose_a: &Pose, b: &'p Polytope, pose_b: &Pose) -> Self {
        let relative = Relative::new([a.bounding_radius(), b.bounding_radius()], pose_a, pose_b);
        let Relative { rotation, translation, size } = relative;
        let sigma = relative.sigma();
        Self {
            m: Minkowski::new(a, b, &relative),
            march: March { bodies: Body::pair(a, b, &rotation, translation), sigma: widen_real(sigma) },
            size,
            sigma,
        }
    }

    /// Whether products of four lengths keep their digits.
    fn is_in_range(&self) -> bool {
        let fourth = widen_real(self.size).powi(4);
        fourth < F64_SAFE && fourth > 1.0 / F64_SAFE
    }

    /// The line between the origins, to search along.
    fn line(&self) -> Vec3 {
        unit_or(self.m.translation, Vec3::X)
    }

    /// The features of the last query, or the vertices that face each other along the line of the origins.
    fn start(&self, cache: &FeatureCache) -> [PolytopeFeature; 2] {
        let known = cache.features.filter(|[a, b]| a.exists_in(self.m.a) && b.exists_in(self.m.b));
        known.map(|features| self.march.without_two_faces(features)).unwrap_or_else(|| {
            let corner = self.m.lowest(self.line(), [VertexId::NONE; 2]);
            corner.ids.map(|id| PolytopeFeature::Vertex(id.0))
        })
    }

    /// Marches to the end.
    fn follow(&self, features: &mut [PolytopeFeature; 2], steps: &mut u32) -> Outcome {
        let edges = self.m.a.edge_count() + self.m.b.edge_count();
        let limit = (edges as u32).saturating_add(STEP_LIMIT);
        let (mut landmark, mut next_landmark) = (*features, 2);
        let mut escapes = 0;
        while *steps < limit {
            *steps += 1;
            match self.march.step(*features, widen_real(MARCH_ANGLE)) {
                Step::Closest(nearest) => return self.verified(nearest),
                Step::Meeting(point) => return Outcome::Meeting(point),
                Step::Behind { body, vertex } => match self.escape(body, vertex) {
                    Ok(elsewhere) if escapes < ESCAPE_LIMIT => {
                        escapes += 1;
                        *features = elsewhere;
                    }
                    Ok(_) => return Outcome::Undecided,
                    Err(inside) => return Outcome::Meeting(inside),
                },
                Step::To(next) => *features = next,
            }
            if *features == landmark {
                return self.settle(features, steps);
            }
            if *steps == next_landmark {
                (landmark, next_landmark) = (*features, 2 * next_landmark);
            }
        }
        Outcome::Undecided
    }

    /// Goes round a cycle once more. Its pairs differ by rounding; any whose bounds agree is the answer.
    #[cold]
    fn settle(&self, features: &mut [PolytopeFeature; 2], steps: &mut u32) -> Outcome {
        for _ in 0..CYCLE_LOOKS {
            *steps += 1;
            if let Step::Closest(nearest) = self.march.step(*features, f64::INFINITY)
                && let answer @ Outcome::Closest(_) = self.verified(nearest)
            {
                return answer;
            }
            let Step::To(next) = self.march.step(*features, widen_real(MARCH_ANGLE)) else {
                break;
            };
            *features = next;
        }
        Outcome::Undecided
    }

    /// The face that a vertex is highest above; its place in the frame of A if it is above none.
    fn escape(&self, body: usize, vertex: u32) -> Result<[PolytopeFeature; 2], DVec3> {
        let bodies = &self.march.bodies;
        let point = bodies[body].moved(vertex);
        let (face, height) = bodies[1 - body].highest_above(point);
        if !(height > self.march.sigma) {
            return Err(if body == 0 { bodies[0].own(vertex) } else { point });
        }
        let pair = [PolytopeFeature::Vertex(vertex), PolytopeFeature::Face(face)];
        Ok(if body == 0 { pair } else { [pair[1], pair[0]] })
    }

    /// An answer, if the supporting planes along its normal agree with its points.
    fn verified(&self, nearest: Nearest) -> Outcome {
        let normal = narrow(nearest.normal);
        let w = self.lowest_near(normal, nearest.vertices);
        let lower = normal.dot(w.m);
        let points = nearest.points.map(narrow);
        let upper = length(points[1] - points[0]);
        if !(upper - lower <= STALL_SIGMAS * self.sigma) || !(lower > self.sigma) {
            return Outcome::Undecided;
        }
        let distance = narrow_real(nearest.distance);
        let local = Closest {
            distance,
            lower: lower.min(distance) - self.sigma,
            upper: upper.max(distance) + self.sigma,
            points: aligned(points, normal * distance),
            normal,
            end: End::Converged,
            iterations: 1,
            ..Closest::UNKNOWN
        };
        Outcome::Closest(local)
    }

    /// The point of M lowest along a direction, by climbing from these vertices: at the end of a march they are it.
    fn lowest_near(&self, d: Vec3, [near_a, near_b]: [u32; 2]) -> Vertex {
        let a = self.m.a.search().climb(d, near_a).vertex;
        let b = self.m.b.search().climb(-self.m.to_b(d), near_b).vertex;
        let on_a = self.m.a.vertices()[a as usize];
        let on_b = self.m.rotation * self.m.b.vertices()[b as usize] + self.m.translation;
        Vertex { m: on_b - on_a, a: on_a, ids: [VertexId(a), VertexId(b)] }
    }
}
