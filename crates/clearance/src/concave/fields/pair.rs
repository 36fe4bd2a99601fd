//! Two trees: their signed distance, whether they overlap, whether they are within a distance.
//!
//! The leaves that decided the last query of the pair are asked first, with what the narrow phase remembers of them: the walk then opens
//! only what may be nearer, which the direction between these leaves tells of most others. Any two leaves bound the distance from above, so that a cache from another pair costs one test and no answer.

use super::along::{Along, from_face};
use super::inside::{Inside, deepest_inside};
use super::tree::{Node, Piece, Relation, Tree};
use super::walk::Trees;
use crate::answer::{Closest, Contact, End, Feature, Overlap, Within, Witness};
use crate::bvh::Frame;
use crate::concave::local::Local;
use crate::concave::meeting::{BodyCache, Meeting};
use crate::concave::surfaces::CONTACT_PAIRS;
use crate::math::{Pose, Real, narrow_real, pair_size, widen, widen_real};
use crate::narrow::{self, PairCache};
use crate::support::VertexId;
use crate::tolerance::{TIE_SIGMAS, TOUCHING_SIGMAS, sigma};

/// Two bodies in the frame of the first.
pub(in crate::concave) struct Pair<'b, 'p> {
    pub trees: Trees<'b>,
    pose_a: &'p Pose,
    /// B's pose in the frame of A.
    b_in_a: Pose,
    pub sigma: Real,
}

/// The nearest pair of leaves so far, with what the narrow phase remembers of it.
struct Best {
    closest: Closest,
    leaves: Option<[Node; 2]>,
    cache: PairCache,
    /// From A to B where they are nearest.
    along: Option<Along>,
    /// A vertex of a convex body.
    hint: VertexId,
    least: Real,
    tested: u32,
    pairs: u32,
}

impl Best {
    fn none(cache: PairCache) -> Self {
        let (closest, least) = (Closest::UNKNOWN, Real::INFINITY);
        Self { closest, leaves: None, cache, along: None, hint: VertexId::NONE, least, tested: 0, pairs: 0 }
    }

    /// Remembered for the next query.
    fn kept(&self, cache: &mut BodyCache) {
        if let Some(leaves) = self.leaves {
            (cache.leaves, cache.convex) = (Some(leaves.map(Node::number)), self.cache);
        }
    }
}

impl<'b, 'p> Pair<'b, 'p> {
    pub fn new(a: Tree<'b>, pose_a: &'p Pose, b: Tree<'b>, pose_b: &Pose) -> Self {
        let b_in_a = pose_b.relative_to(pose_a);
        let size = pair_size([a.bounding_radius(), b.bounding_radius()], b_in_a.translation());
        let sigma = sigma(size);
        let relation = Relation::new(Frame::of(pose_b, pose_a));
        Self { trees: Trees { a, b, relation, error: widen_real(sigma) }, pose_a, b_in_a, sigma }
    }

    /// The pieces of two leaves with their poses in the frame of A.
    pub fn pieces(&self, a: Node, b: Node) -> Option<[(Piece<'b>, Pose); 2]> {
        let (of_a, of_b) = (self.trees.a.piece(a)?, self.trees.b.piece(b)?);
        let poses = [of_a.pose(&Pose::IDENTITY), of_b.pose(&self.b_in_a)];
        let [pose_a, pose_b] = poses;
        Some([(of_a, pose_a), (of_b, pose_b)])
    }

    /// The leaves that a cache remembers, if there are such leaves.
    fn known(&self, cache: &BodyCache) -> Option<[Node; 2]> {
        let [a, b] = cache.leaves?;
        Some([self.trees.a.leaf_with(a)?, self.trees.b.leaf_with(b)?])
    }

    /// The signed distance of two leaves, in the frame of A.
    fn between(&self, [a, b]: [Node; 2], cache: &mut PairCache) -> Option<Closest> {
        let [(of_a, pose_a), (of_b, pose_b)] = self.pieces(a, b)?;
        let near = narrow::closest(&of_a.shape, &pose_a, &of_b.shape, &pose_b, cache);
        Some(Closest { features: [of_a.feature, of_b.feature], ..near })
    }

    /// Asks for the distance of two leaves, and keeps it if they are the nearest.
    fn look(&self, leaves: [Node; 2], best: &mut Best) {
        let mut cache = best.cache;
        let Some(near) = self.between(leaves, &mut cache) else { return };
        best.tested += near.iterations.max(1);
        best.least = best.least.min(near.lower);
        if near.distance < best.closest.distance {
            (best.closest, best.leaves, best.cache) = (near, Some(leaves), cache);
            best.along = Along::new(&self.trees, near.normal);
        }
        best.pairs += u32::from(near.distance <= self.sigma);
    }

    /// At most the signed distance of what is below two nodes: along the direction, and where that is less than the bound, by boxes.
    #[inline]
    fn lower(&self, along: Option<&Along>, a: Node, b: Node, bound: f64) -> f64 {
        let gap = along.map_or(f64::NEG_INFINITY, |along| along.gap(&self.trees, a, b));
        if gap >= bound { gap } else { gap.max(self.trees.lower(a, b)) }
    }

    /// What is not nearer than this need not be looked at: what is as near as the best but for rounding is not, unless that decides whether
    /// the bodies touch.
    fn nearer(&self, best: &Best) -> f64 {
        let distance = best.closest.distance;
        if distance.abs() > TOUCHING_SIGMAS * self.sigma && best.leaves.is_some() {
            widen_real(distance - TIE_SIGMAS * self.sigma)
        } else {
            widen_real(distance.next_up())
        }
    }

    /// Looks at the pairs of leaves that may be nearer than the bound, near ones first, until `enough` says so; not at those known.
    fn search(&self, known: Option<[Node; 2]>, bound: f64, best: &mut Best, enough: impl Fn(&Best) -> bool) -> f64 {
        let lower = |best: &Best, a: Node, b: Node, bound: f64| self.lower(best.along.as_ref(), a, b, bound);
        self.trees.walk_by(bound, best, lower, |best, a, b, bound| {
            // The direction may be another one than when the leaves were put aside.
            let mut gap = best.along.as_ref().map_or(f64::NEG_INFINITY, |along| along.gap(&self.trees, a, b));
            if !(gap >= bound) {
                gap = from_face(&self.trees, a, b, &mut best.hint).map_or(gap, |over| gap.max(over));
            }
            if gap >= bound {
                best.least = best.least.min(narrow_real(gap).next_down());
            } else if known != Some([a, b]) {
                self.look([a, b], best);
            }
            if enough(best) { f64::NEG_INFINITY } else { f64::min(bound, self.nearer(best)) }
        })
    }

    /// The signed distance if it is less than `bound`; otherwise whatever is not less.
    pub fn closest(&self, bound: Real, cache: &mut BodyCache) -> Closest {
        let mut best = Best::none(cache.convex);
        let known = self.known(cache);
        if let Some(known) = known {
            self.look(known, &mut best);
        }
        let first = f64::min(widen_real(bound), self.nearer(&best));
        let left_out = self.search(known, first, &mut best, |best| best.pairs > CONTACT_PAIRS);
        best.least = best.least.min(narrow_real(self.nearer(&best)));
        best.kept(cache);
        let mut local = self.local(&best, left_out);
        if best.pairs > CONTACT_PAIRS {
            local.end = End::IterationLimit;
        }
        let inside =
            deepest_inside(&self.trees, self.sigma).filter(|inside| widen_real(inside.distance) < local.distance);
        if let Some(inside) = inside {
            local = self.inside_local(&inside, local.iterations);
        }
        local.in_the_world(self.pose_a, self.sigma)
    }

    fn local(&self, best: &Best, left_out: f64) -> Local {
        let near = &best.closest;
        // Where nothing was nearer than the bound, the bound is all that is known.
        let lower =
            if best.tested == 0 { left_out } else { f64::min(widen_real(near.lower.min(best.least)), left_out) };
        Local {
            contact: Contact::of(near.distance, narrow_real(lower), self.sigma),
            distance: widen_real(near.distance),
            lower,
            upper: widen_real(near.upper),
            points: near.points.map(widen),
            normal: widen(near.normal),
            features: near.features,
            end: near.end,
            iterations: best.tested,
        }
    }

    fn inside_local(&self, inside: &Inside, iterations: u32) -> Local {
        let error = widen_real(self.sigma);
        Local {
            contact: Contact::Overlapping,
            distance: widen_real(inside.distance),
            lower: widen_real(inside.distance) - error,
            upper: widen_real(inside.distance) + error,
            points: inside.points,
            normal: inside.normal,
            features: inside.features,
            end: End::Converged,
            iterations,
        }
    }

    /// Whether two leaves share a point.
    fn meet(&self, leaves: [Node; 2], met: &mut Met) {
        let Some([(of_a, pose_a), (of_b, pose_b)]) = self.pieces(leaves[0], leaves[1]) else { return };
        let answer = narrow::overlap(&of_a.shape, &pose_a, &of_b.shape, &pose_b, &mut met.cache);
        met.tested += answer.iterations.max(1);
        if let Witness::Plane { normal, offset_a, offset_b } = answer.witness {
            let gap = offset_b - offset_a;
            if gap < met.gap && met.found.is_none() {
                met.leaves = Some(leaves);
            }
            met.gap = met.gap.min(gap);
            met.along = Along::new(&self.trees, normal);
            return;
        }
        // What is remembered is the tetrahedron of the boolean, which answers the next one at once.
        let mut own = met.cache;
        let near = narrow::closest(&of_a.shape, &pose_a, &of_b.shape, &pose_b, &mut own);
        if met.found.is_none_or(|(found, _)| near.distance < found.distance) {
            met.found = Some((Closest { features: [of_a.feature, of_b.feature], ..near }, answer));
            met.leaves = Some(leaves);
        }
        met.pairs += 1;
    }

    /// Whether the bodies share a point.
    pub fn overlap(&self, cache: &mut BodyCache) -> Meeting {
        let known = self.known(cache);
        let mut met = Met::none(cache.convex);
        if let Some(known) = known {
            self.meet(known, &mut met);
        }
        let is_deep = |met: &Met| met.found.is_some_and(|(found, _)| self.contact(&found) == Contact::Overlapping);
        let near = if is_deep(&met) { f64::NEG_INFINITY } else { widen_real(self.sigma.next_up()) };
        let lower = |met: &Met, a: Node, b: Node, bound: f64| self.lower(met.along.as_ref(), a, b, bound);
        let left_out = self.trees.walk_by(near, &mut met, lower, |met, a, b, bound| {
            if known != Some([a, b]) {
                self.meet([a, b], met);
            }
            if is_deep(met) || met.pairs > CONTACT_PAIRS { f64::NEG_INFINITY } else { bound }
        });
        (cache.leaves, cache.convex) = (met.leaves.map(|leaves| leaves.map(Node::number)).or(cache.leaves), met.cache);
        let (gap, tested) = (met.gap, met.tested);
        let end = if met.pairs > CONTACT_PAIRS { End::IterationLimit } else { End::Converged };
        if !is_deep(&met)
            && let Some(inside) = deepest_inside(&self.trees, self.sigma)
        {
            let near = self.inside_local(&inside, tested).in_the_world(self.pose_a, self.sigma);
            // The point that is inside of the other body, not the one on its surface.
            let point = near.points[inside.inner];
            return Meeting { contact: Contact::Overlapping, witness: Witness::Point(point), ..meeting(&near) };
        }
        match met.found {
            Some((near, answer)) => {
                let [p, q] = near.points;
                // The deepest points of two pieces need not be in both.
                let common = if let Witness::Point(point) = answer.witness { point } else { p + (q - p) * 0.5 };
                let end = if end == End::Converged { answer.end } else { end };
                Meeting {
                    contact: self.contact(&near),
                    witness: Witness::Point(self.pose_a.point(common)),
                    features: near.features,
                    end,
                    iterations: tested,
                }
            }
            None => Meeting {
                contact: Contact::Apart,
                witness: Witness::Gap(gap.min(narrow_real(left_out))),
                features: [Feature::WHOLE; 2],
                end,
                iterations: tested,
            },
        }
    }

    /// Touching at least: what the narrow phase found to share a point does.
    fn contact(&self, near: &Closest) -> Contact {
        match Contact::of(near.distance, near.lower, self.sigma) {
            Contact::Apart => Contact::Touching,
            contact => contact,
        }
    }

    /// Whether the bodies are within a distance of each other; ends at the first pair of pieces that is.
    pub fn within(&self, distance: Real, cache: &mut BodyCache) -> Within {
        let reach = distance + self.sigma;
        let mut best = Best::none(cache.convex);
        let known = self.known(cache);
        if let Some(known) = known {
            self.look(known, &mut best);
        }
        let is_within = |best: &Best| best.leaves.is_some() && best.closest.distance <= reach;
        let bound = if is_within(&best) { f64::NEG_INFINITY } else { widen_real(reach.next_up()) };
        let left_out = self.search(known, bound, &mut best, is_within);
        if best.leaves.is_none() {
            self.look_at_some(&mut best);
        }
        best.kept(cache);
        let found = Some(best.closest).filter(|_| is_within(&best));
        let tested = best.tested;
        let inside = if found.is_none() { deepest_inside(&self.trees, self.sigma) } else { None };
        let inside = inside.filter(|inside| inside.distance <= reach);
        let found = found
            .map(|near| (near.points, near.upper))
            .or_else(|| inside.map(|inside| (inside.points.map(crate::math::narrow), inside.distance + self.sigma)));
        let world = |points: [crate::math::Vec3; 2]| points.map(|point| self.pose_a.point(point));
        match found {
            Some((points, upper)) => Within {
                within: true,
                witness: Witness::Points(world(points)),
                lower: narrow_real(self.trees.least()).min(upper),
                upper,
                end: End::Converged,
                iterations: tested,
            },
            None => {
                let lower = best.least.min(narrow_real(left_out));
                let (witness, upper) = (Witness::Gap(lower), best.closest.upper);
                Within { within: false, witness, lower, upper, end: End::Converged, iterations: tested }
            }
        }
    }

    /// Any pair of leaves: its distance bounds that of the bodies from above.
    fn look_at_some(&self, best: &mut Best) {
        self.trees.walk(f64::INFINITY, |a, b, _| {
            self.look([a, b], best);
            f64::NEG_INFINITY
        });
    }
}

/// The leaves that share a point, or those known to be nearest, with what the narrow phase remembers of the last two.
struct Met {
    found: Option<(Closest, Overlap)>,
    leaves: Option<[Node; 2]>,
    cache: PairCache,
    /// From A to B, across the last plane between two leaves.
    along: Option<Along>,
    gap: Real,
    tested: u32,
    pairs: u32,
}

impl Met {
    fn none(cache: PairCache) -> Self {
        Self { found: None, leaves: None, cache, along: None, gap: Real::INFINITY, tested: 0, pairs: 0 }
    }
}

/// The boolean of a signed distance.
fn meeting(near: &Closest) -> Meeting {
    let [p, q] = near.points;
    Meeting {
        contact: near.contact,
        witness: Witness::Point(p + (q - p) * 0.5),
        features: near.features,
        end: near.end,
        iterations: near.iterations,
    }
}
