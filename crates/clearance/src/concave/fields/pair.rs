//! Two trees: their signed distance, whether they overlap, whether they are within a distance.

use super::inside::{Inside, deepest_inside};
use super::tree::{Node, Piece, Relation, Tree};
use super::walk::Trees;
use crate::answer::{Closest, Contact, End, Feature, Within, Witness};
use crate::bvh::Frame;
use crate::concave::local::Local;
use crate::concave::meeting::Meeting;
use crate::concave::surfaces::CONTACT_PAIRS;
use crate::math::{Pose, Real, narrow_real, pair_size, widen, widen_real};
use crate::narrow::{self, PairCache};
use crate::tolerance::sigma;

/// Two bodies in the frame of the first.
pub(in crate::concave) struct Pair<'b, 'p> {
    pub trees: Trees<'b>,
    pose_a: &'p Pose,
    /// B's pose in the frame of A.
    b_in_a: Pose,
    pub sigma: Real,
}

/// The nearest pair of leaves so far.
struct Best {
    closest: Closest,
    least: Real,
    tested: u32,
    pairs: u32,
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

    /// The signed distance of two leaves, in the frame of A.
    fn between(&self, a: Node, b: Node) -> Option<Closest> {
        let [(of_a, pose_a), (of_b, pose_b)] = self.pieces(a, b)?;
        let near = narrow::closest(&of_a.shape, &pose_a, &of_b.shape, &pose_b, &mut PairCache::default());
        Some(Closest { features: [of_a.feature, of_b.feature], ..near })
    }

    /// The signed distance if it is less than `bound`; otherwise whatever is not less.
    pub fn closest(&self, bound: Real) -> Closest {
        let mut best = Best { closest: Closest::UNKNOWN, least: Real::INFINITY, tested: 0, pairs: 0 };
        let left_out = self.trees.walk(widen_real(bound), |a, b, bound| {
            let Some(near) = self.between(a, b) else { return bound };
            best.tested += near.iterations.max(1);
            best.least = best.least.min(near.lower);
            if near.distance < best.closest.distance {
                best.closest = near;
            }
            best.pairs += u32::from(near.distance <= self.sigma);
            if best.pairs > CONTACT_PAIRS {
                return f64::NEG_INFINITY;
            }
            f64::min(bound, widen_real(best.closest.distance.next_up()))
        });
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

    /// Whether the bodies share a point.
    pub fn overlap(&self) -> Meeting {
        let (mut found, mut gap, mut tested, mut pairs): (Option<Closest>, Real, u32, u32) =
            (None, Real::INFINITY, 0, 0);
        let near = widen_real(self.sigma.next_up());
        let left_out = self.trees.walk(near, |a, b, bound| {
            let Some([(of_a, pose_a), (of_b, pose_b)]) = self.pieces(a, b) else { return bound };
            let mut cache = PairCache::default();
            let answer = narrow::overlap(&of_a.shape, &pose_a, &of_b.shape, &pose_b, &mut cache);
            tested += answer.iterations.max(1);
            if let Witness::Plane { offset_a, offset_b, .. } = answer.witness {
                gap = gap.min(offset_b - offset_a);
                return bound;
            }
            let near = narrow::closest(&of_a.shape, &pose_a, &of_b.shape, &pose_b, &mut cache);
            if found.is_none_or(|found| near.distance < found.distance) {
                found = Some(Closest { features: [of_a.feature, of_b.feature], ..near });
            }
            pairs += 1;
            let deep = found.is_some_and(|found| self.contact(&found) == Contact::Overlapping);
            if deep || pairs > CONTACT_PAIRS { f64::NEG_INFINITY } else { bound }
        });
        let end = if pairs > CONTACT_PAIRS { End::IterationLimit } else { End::Converged };
        let shallow = found.is_none_or(|found| self.contact(&found) != Contact::Overlapping);
        if shallow && let Some(inside) = deepest_inside(&self.trees, self.sigma) {
            let near = self.inside_local(&inside, tested).in_the_world(self.pose_a, self.sigma);
            // The point that is inside of the other body, not the one on its surface.
            let point = near.points[inside.inner];
            return Meeting { contact: Contact::Overlapping, witness: Witness::Point(point), ..meeting(&near) };
        }
        match found {
            Some(near) => {
                let [p, q] = near.points.map(|point| self.pose_a.point(point));
                Meeting {
                    contact: self.contact(&near),
                    witness: Witness::Point(p + (q - p) * 0.5),
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
    pub fn within(&self, distance: Real) -> Within {
        let reach = distance + self.sigma;
        let (mut found, mut nearest): (Option<Closest>, Option<Closest>) = (None, None);
        let (mut least, mut tested) = (Real::INFINITY, 0);
        let left_out = self.trees.walk(widen_real(reach.next_up()), |a, b, bound| {
            let Some(near) = self.between(a, b) else { return bound };
            tested += near.iterations.max(1);
            least = least.min(near.lower);
            if nearest.is_none_or(|nearest| near.distance < nearest.distance) {
                nearest = Some(near);
            }
            if near.distance <= reach {
                found = Some(near);
                return f64::NEG_INFINITY;
            }
            bound
        });
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
                let lower = least.min(narrow_real(left_out));
                let nearest = nearest.or_else(|| self.some_pair());
                Within {
                    within: false,
                    witness: Witness::Gap(lower),
                    lower,
                    upper: nearest.map_or(Real::INFINITY, |near| near.upper),
                    end: End::Converged,
                    iterations: tested,
                }
            }
        }
    }

    /// Any pair of leaves: its distance bounds that of the bodies from above.
    fn some_pair(&self) -> Option<Closest> {
        let mut found = None;
        self.trees.walk(f64::INFINITY, |a, b, _| {
            found = self.between(a, b);
            f64::NEG_INFINITY
        });
        found
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
