//! Minkowski portal refinement: the boolean of two bodies and an estimate of their depth (implicit-objects thesis, section
//! 2.4 with Algorithms 6 to 9, section 2.4.1; errata 4 and 7).
//!
//! From a point v inside M = B − A a ray goes through the origin. A *portal* is a triangle of points of M that the ray
//! passes. It is moved outwards until it has passed the origin (the bodies meet), a supporting plane shows the origin to be
//! beyond it (they are apart), or the portal has reached the surface of M (they touch, erratum 4).
//!
//! Departures.
//! - MPR proposes and two checks certify, the same as everywhere. *Apart* is said only if a support value exceeds its error;
//!   *meeting* only if the final tetrahedron or portal comes within a few errors of the origin, whatever the portal's tests
//!   said on the way. If neither holds when the refinement stops (a ray that grazes the surface, a difference without
//!   volume, whose portals are degenerate) a boolean GJK run from the best direction decides: [`Mpr::rescued`] says so.
//! - Bodies with radii are searched as rounded bodies, since MPR has no distance to compare a margin with. The check of a
//!   separating direction uses the support value of the cores and takes the margin off it, so it stays exact.
//! - Algorithm 7 can go round in a circle for ever (it did in one of 20,000 box pairs). Phase two is a search in the plane
//!   across the ray instead, which gets nearer at every step and takes as few supports.
//! - Touching counts as meeting; the thesis prefers the opposite.
//! - The depth is the lowest supporting plane seen: an *estimate*, never less than the true depth.
//! - Where v and the origin coincide the ray has no direction; the depth then starts from the best of the six axes.
//!
//! Invariants: portal corners are points of the (rounded) M; the ray passes the portal from the inside to the outside.
//!
//! It ends: every step takes a support, and there are at most [`ITERATION_LIMIT`] of them for the boolean, as many again for
//! each of the two phases of the depth, and those of one GJK run. Nothing is allocated.

use super::gjk::{self, Goal, Start, State, SubAlgorithm};
use super::minkowski::{Minkowski, Vertex};
use super::simplex::Simplex;
use super::{End, active};
use crate::math::{Real, Vec3, length, narrow, unit_or};
use crate::shape::{Core, Part};
use crate::support::{Support, VertexId};
use crate::tolerance::{FLAT_SIGMAS, RELATIVE_DEPTH_GAP};

mod verbs;

pub use verbs::{depth, depth_alone, overlap, overlap_alone};

/// Supports that the boolean may take, and each phase of the depth: 53 bits at about a bit each, and the two first phases.
pub const ITERATION_LIMIT: u32 = 128;

/// The result of a boolean run, in the frame of A.
#[derive(Debug, Clone, Copy)]
pub struct Mpr {
    /// Whether the bodies meet. They are apart only if `lower` exceeds the error of a support value.
    pub state: State,
    /// The best separating direction found, a unit vector from A to B.
    pub direction: Vec3,
    /// The gap between the bodies along it: a lower bound on their distance up to the error. Negative if they overlap there.
    pub lower: Real,
    /// If they meet: points of M that represent the origin, up to a few errors.
    pub simplex: Simplex,
    /// Supports evaluated.
    pub iterations: u32,
    /// Whether a GJK run had to decide.
    pub rescued: bool,
    /// How it ended.
    pub end: End,
}

/// The depth of two bodies that meet, in the frame of A.
#[derive(Debug, Clone, Copy)]
pub struct MprDepth {
    /// How deep at most, up to the error: moving B so far along the normal separates them. An estimate from above.
    pub estimate: Real,
    /// The thesis's own estimate: the distance from the origin to the last portal. It may be off either way.
    pub portal: Real,
    /// The direction in which B has to move, of unit length.
    pub normal: Vec3,
    /// A point of A and one of B on the last portal, near the deepest ones.
    pub points: [Vec3; 2],
    /// Supports evaluated, those of the boolean included.
    pub iterations: u32,
    /// Whether both portals reached the surface of M. It says nothing about how far the estimate is from the true depth.
    pub end: End,
}

/// What a run has to know besides the cores.
#[derive(Debug, Clone, Copy)]
pub struct Problem {
    /// The radii of A and of B.
    pub radii: [Real; 2],
    /// A point inside A and one inside B, both in the frame of A; best the centroids.
    pub interior: [Vec3; 2],
    /// The error of a support value, absolute: `tolerance::sigma`.
    pub sigma: Real,
}

/// Whether two bodies meet.
pub fn run<A: Support, B: Support>(m: &Minkowski<'_, A, B>, problem: &Problem) -> Mpr {
    Search::new(m, problem).decide().0
}

/// How deep two bodies overlap, at most; nothing if they are apart.
pub fn penetration<A: Support, B: Support>(m: &Minkowski<'_, A, B>, problem: &Problem) -> (Mpr, Option<MprDepth>) {
    let mut search = Search::new(m, problem);
    let (mpr, portal) = search.decide();
    (mpr, (mpr.state == State::Meeting).then(|| search.estimate(portal, mpr.simplex)))
}

/// The origin ray, the point it starts from, and a triangle of M that it passes.
#[derive(Debug, Clone, Copy)]
struct Portal {
    inside: Vertex,
    ray: Vec3,
    corners: [Vertex; 3],
}

/// How the first phase ends: with a portal, with the ray meeting its first corner, or with no extent of M beside the ray that
/// could be told from its error.
enum Opening {
    Portal,
    Line,
    Flat,
}

/// How the refinement ends: behind the origin, on the surface of M, or undecided.
enum Refined {
    Passed,
    Surface,
    Lost,
}

struct Search<'m, 's, A, B> {
    m: &'m Minkowski<'s, A, B>,
    problem: Problem,
    margin: Real,
    iterations: u32,
    limit: u32,
    hints: [VertexId; 2],
    /// The lowest height of a supporting plane over the origin, margin included, and its outward direction.
    low: Real,
    low_direction: Vec3,
    /// Whether what is left open stays so.
    alone: bool,
}

impl Portal {
    fn new(inside: Vertex, ray: Vec3) -> Self {
        Self { inside, ray, corners: [inside; 3] }
    }

    /// Outward normal of unit length, or zero if the triangle has no area.
    fn normal(&self) -> Vec3 {
        let [a, b, c] = self.corners.map(|corner| corner.m);
        unit_or((c - a).cross(b - a), Vec3::ZERO)
    }

    /// Height of its highest corner.
    fn height(&self, normal: Vec3) -> Real {
        self.corners.iter().map(|corner| normal.dot(corner.m)).fold(Real::NEG_INFINITY, Real::max)
    }

    /// The corners seen along the ray from v, as points of the plane across it.
    fn seen(&self) -> [Vec3; 3] {
        self.corners.map(|corner| corner.m - self.inside.m).map(|p| p - self.ray * self.ray.dot(p))
    }

    /// Turns the corners so that the normals of the sides through v point outwards.
    fn orient(&mut self) {
        let [a, b, c] = self.seen();
        if self.ray.dot((b - a).cross(c - a)) > 0.0 {
            self.corners.swap(0, 1);
        }
    }

    /// If the ray passes beside the portal by more than the error: the corner that is not needed, and the point of the portal
    /// nearest to the ray, as seen along it.
    fn missed(&self, sigma: Real) -> Option<(usize, Vec3)> {
        let seen = self.seen();
        let side = |[i, j, opposite]: [usize; 3]| {
            let (p, along) = (seen[i], seen[j] - seen[i]);
            let outside = self.ray.dot(p.cross(along)) > 0.0;
            let fraction = (-p.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            (outside && fraction.is_finite()).then(|| (opposite, p + along * fraction))
        };
        let missed = [[0, 1, 2], [1, 2, 0], [2, 0, 1]].into_iter().filter_map(side);
        let nearest = missed.min_by(|x, y| x.1.length_squared().total_cmp(&y.1.length_squared()))?;
        (length(nearest.1) > sigma).then_some(nearest)
    }

    /// Puts a point beyond the portal in the place of the corner that the ray does not need: of the three triangles of it
    /// and an edge the one that the ray passes.
    fn advance(&mut self, p: Vertex) {
        let from = self.inside.m;
        let sheet = self.ray.cross(p.m - from);
        let positive = |i: usize| sheet.dot(self.corners[i].m - from) < 0.0;
        let replaced = match (positive(0), positive(1), positive(2)) {
            (true, false, _) => 2,
            (true, true, _) | (false, _, false) => 0,
            (false, _, true) => 1,
        };
        self.corners[replaced] = p;
    }
}

impl<'m, 's, A: Support, B: Support> Search<'m, 's, A, B> {
    fn new(m: &'m Minkowski<'s, A, B>, problem: &Problem) -> Self {
        Self {
            m,
            problem: *problem,
            margin: problem.radii[0] + problem.radii[1],
            iterations: 0,
            limit: ITERATION_LIMIT,
            hints: [VertexId::NONE; 2],
            low: Real::INFINITY,
            low_direction: Vec3::X,
            alone: false,
        }
    }

    /// The point of the rounded M farthest along `d`, of unit length; nothing once a supporting plane separates.
    fn farthest(&mut self, d: Vec3) -> Option<Vertex> {
        self.iterations += 1;
        let core = self.m.lowest(-d, self.hints);
        self.hints = core.ids;
        let height = d.dot(core.m) + self.margin;
        if height < self.low {
            (self.low, self.low_direction) = (height, d);
        }
        let a = core.a - d * self.problem.radii[0];
        (!self.is_apart()).then_some(Vertex { m: core.m + d * self.margin, a, ids: core.ids })
    }

    fn is_apart(&self) -> bool {
        self.low < -self.problem.sigma
    }

    /// The three phases, then the checks. The portal comes along if the ray passes one.
    fn decide(&mut self) -> (Mpr, Option<Portal>) {
        let [a, b] = self.problem.interior;
        let inside = Vertex { m: b - a, a, ids: [VertexId::NONE; 2] };
        let ray = unit_or(-inside.m, Vec3::ZERO);
        if ray == Vec3::ZERO || length(inside.m) <= self.problem.sigma {
            return (self.meeting(&[inside]), None);
        }
        let mut portal = Portal::new(inside, ray);
        let mpr = match self.open(&mut portal) {
            None => self.answer(State::Apart, Simplex::default()),
            Some(Opening::Flat) => self.rescue(),
            Some(Opening::Line) => return (self.meeting(&[inside, portal.corners[0]]), None),
            Some(Opening::Portal) => match self.refine(&mut portal) {
                None => self.answer(State::Apart, Simplex::default()),
                Some(Refined::Lost) => self.rescue(),
                Some(Refined::Surface) => self.meeting(&portal.corners),
                Some(Refined::Passed) => {
                    let [a, b, c] = portal.corners;
                    self.meeting(&[inside, a, b, c])
                }
            },
        };
        (mpr, (!mpr.rescued).then_some(portal))
    }

    /// Phase one (Algorithm 6): three points on the surface of M.
    fn open(&mut self, portal: &mut Portal) -> Option<Opening> {
        let (ray, inside) = (portal.ray, portal.inside.m);
        let a = self.farthest(ray)?;
        portal.corners = [a; 3];
        // How far the ray passes the point by.
        let beside = ray.cross(a.m - inside);
        let across = unit_or(beside, Vec3::ZERO);
        if across == Vec3::ZERO || length(beside) <= self.problem.sigma {
            return Some(Opening::Line);
        }
        let b = self.farthest(across)?;
        let side = (a.m - inside).cross(b.m - inside);
        let normal = unit_or(if side.dot(ray) < 0.0 { -side } else { side }, Vec3::ZERO);
        if normal == Vec3::ZERO {
            return Some(Opening::Flat);
        }
        let c = self.farthest(normal)?;
        portal.corners = [a, b, c];
        portal.orient();
        let wide = normal.dot(c.m - inside) > FLAT_SIGMAS * self.problem.sigma;
        Some(if wide { Opening::Portal } else { Opening::Flat })
    }

    /// Phase two: replaces corners until the ray passes the portal. False if it does not come to that.
    ///
    /// In the plane across the ray this is a search for a triangle about the foot of the ray. Each support is taken against the
    /// point of the triangle nearest to it, which brings the triangle nearer.
    fn aim(&mut self, portal: &mut Portal) -> Option<bool> {
        while self.iterations < self.limit {
            let Some((opposite, nearest)) = portal.missed(self.problem.sigma) else {
                return Some(true);
            };
            let toward = unit_or(-nearest, Vec3::ZERO);
            let p = self.farthest(toward)?;
            if !(toward.dot(p.m - portal.inside.m - nearest) > 0.0) {
                break;
            }
            portal.corners[opposite] = p;
            portal.orient();
        }
        Some(false)
    }

    /// Phases two and three (Algorithm 8, erratum 4).
    fn refine(&mut self, portal: &mut Portal) -> Option<Refined> {
        let mut aimed = self.aim(portal)?;
        while aimed && self.iterations < self.limit {
            let normal = portal.normal();
            let height = portal.height(normal);
            if normal == Vec3::ZERO {
                aimed = false;
            } else if height >= 0.0 {
                return Some(Refined::Passed);
            } else {
                let p = self.farthest(normal)?;
                if !(normal.dot(p.m) - height > self.problem.sigma) {
                    return Some(Refined::Surface);
                }
                portal.advance(p);
            }
        }
        Some(Refined::Lost)
    }

    fn answer(&self, state: State, simplex: Simplex) -> Mpr {
        let (direction, lower) = (-self.low_direction, -self.low);
        Mpr { state, direction, lower, simplex, iterations: self.iterations, rescued: false, end: End::Converged }
    }

    /// Meeting, if these points of M confirm it.
    fn meeting(&mut self, vertices: &[Vertex]) -> Mpr {
        let mut simplex = Simplex::default();
        vertices.iter().for_each(|vertex| simplex.push(*vertex));
        if length(narrow(simplex.reduce())) <= FLAT_SIGMAS * self.problem.sigma {
            return self.answer(State::Meeting, simplex);
        }
        if self.alone { self.undecided(simplex) } else { self.rescue() }
    }

    /// Neither apart nor in a known point: touching, for all that is known.
    fn undecided(&self, simplex: Simplex) -> Mpr {
        let end = if self.iterations < self.limit { End::Degenerate } else { End::IterationLimit };
        Mpr { end, ..self.answer(State::Meeting, simplex) }
    }

    /// A boolean GJK run from the best direction so far.
    fn rescue(&mut self) -> Mpr {
        if self.alone {
            let [a, b] = self.problem.interior;
            let mut simplex = Simplex::default();
            simplex.push(Vertex { m: b - a, a, ids: self.hints });
            simplex.reduce();
            return self.undecided(simplex);
        }
        let (sigma, margin) = (self.problem.sigma, self.margin);
        let goal = Goal { boolean: true, margin, sigma, relative_gap: 0.0, sub_algorithm: SubAlgorithm::Regions };
        let start = Start { direction: -self.low_direction, hints: self.hints };
        let gjk = gjk::run(self.m, &start, &[], &goal);
        self.iterations += gjk.iterations;
        let plane = active::sharpened(self.m, &gjk, margin, sigma);
        if margin - plane.bound < self.low {
            (self.low, self.low_direction) = (margin - plane.bound, -unit_or(plane.direction, self.low_direction));
        }
        if self.is_apart() {
            return Mpr { rescued: true, end: gjk.end, ..self.answer(State::Apart, Simplex::default()) };
        }
        // The nearest points of the cores, moved towards each other by the radii or until they coincide.
        let [a, b] = gjk.simplex.points();
        let share = if margin > 0.0 { (length(b - a) / margin).min(1.0) } else { 0.0 };
        let step = unit_or(b - a, Vec3::ZERO) * share;
        let a = a + step * self.problem.radii[0];
        let m = b - step * self.problem.radii[1] - a;
        let mut simplex = Simplex::default();
        simplex.push(Vertex { m, a, ids: gjk.hints });
        Mpr { rescued: true, end: gjk.end, ..self.answer(State::Meeting, simplex) }
    }

    /// The two phases of section 2.4.1: on to the surface along the origin ray for a normal; then from the origin along that
    /// normal for the depth.
    fn estimate(&mut self, portal: Option<Portal>, mut simplex: Simplex) -> MprDepth {
        let mut end = End::Converged;
        let mut normal = self.low_direction;
        self.limit = self.iterations + ITERATION_LIMIT;
        if let Some(mut portal) = portal {
            (normal, end) = self.surface(&mut portal, normal);
        } else if self.iterations == 0 {
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                self.farthest(axis);
                self.farthest(-axis);
            }
            normal = self.low_direction;
        }
        self.limit = self.iterations + ITERATION_LIMIT;
        // From the origin, which is in M: the ray goes along the normal.
        let mut portal = Portal::new(Vertex::ZERO, normal);
        if let Some(Opening::Portal) = self.open(&mut portal) {
            let aimed = self.aim(&mut portal) != Some(false);
            let reached = if aimed { self.surface(&mut portal, normal).1 } else { End::Degenerate };
            end = if end == End::Converged { reached } else { end };
        }
        // A touching pair may turn out just separable; then the boolean's simplex is all there is.
        if !self.is_apart() {
            simplex = Simplex::default();
            portal.corners.iter().for_each(|corner| simplex.push(*corner));
        }
        let portal = length(narrow(simplex.reduce()));
        let points = simplex.points();
        MprDepth { estimate: self.low, portal, normal: -self.low_direction, points, iterations: self.iterations, end }
    }

    /// Moves a portal out until it lies in the surface of M; its normal there.
    fn surface(&mut self, portal: &mut Portal, otherwise: Vec3) -> (Vec3, End) {
        let mut best = otherwise;
        while self.iterations < self.limit {
            let normal = portal.normal();
            if normal == Vec3::ZERO {
                return (best, End::Degenerate);
            }
            best = normal;
            let Some(p) = self.farthest(normal) else {
                return (best, End::Converged);
            };
            let (reached, possible) = (portal.height(normal), normal.dot(p.m));
            if !(possible - reached > RELATIVE_DEPTH_GAP * possible.abs() + self.problem.sigma) {
                return (best, End::Converged);
            }
            portal.advance(p);
        }
        (best, End::IterationLimit)
    }
}

/// A point inside a shape, cheap: the centroid, or for combinations that of centroids of their parts.
pub(super) fn interior(core: &Core) -> Vec3 {
    let part = |part: &Part| part.pose.point(interior(part.shape.core()));
    match core {
        Core::Triangle([a, b, c]) => *a + ((*b - *a) + (*c - *a)) * (1.0 / 3.0),
        Core::Polygon(polygon) => polygon.centroid(),
        Core::Polytope(polytope) => polytope.centroid(),
        Core::Sum(parts) => part(&parts[0]) + part(&parts[1]),
        Core::Difference(parts) => part(&parts[0]) - part(&parts[1]),
        Core::Hull(parts) => (part(&parts[0]) + part(&parts[1])) * 0.5,
        Core::Posed(posed) => part(posed),
        Core::Custom(custom) => {
            // The eight diagonals too: along the axes alone, a body may show one of its faces only.
            let diagonals =
                [Vec3::ONE, Vec3::new(1.0, 1.0, -1.0), Vec3::new(1.0, -1.0, 1.0), Vec3::new(-1.0, 1.0, 1.0)];
            let ways = diagonals.into_iter().chain([Vec3::X, Vec3::Y, Vec3::Z]).flat_map(|d| [d, -d]);
            ways.map(|d| custom.support(d, VertexId::NONE).point * (1.0 / 14.0)).sum()
        }
        _ => Vec3::ZERO,
    }
}
