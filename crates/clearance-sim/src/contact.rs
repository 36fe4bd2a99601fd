//! The contact points of all touching pairs, with the impulses of the last step for those that are still there.
//!
//! Points are recognised by the features in contact; one whose features have changed, by its place on the body. Pairs of which no
//! body is awake are not looked at by the world; their points stay as they were.

use clearance::world::{BodyId, Step};
use clearance::{ContactPoint, Element, Feature, Mat3, Real, Vec3};

use crate::body::State;
use crate::tolerance::{ROUND_SHARE, SAME_PLACE};

/// A contact point and what pushes there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touch {
    pub point: Vec3,
    /// From the first body to the second.
    pub normal: Vec3,
    pub distance: Real,
    pub features: [Feature; 2],
    /// What stays in place on both bodies while they hardly move against each other, each in the frame of its own, and by how much the surfaces
    /// lie outside of that: the centre and the radius of a ball.
    pub places: [Vec3; 2],
    pub roundings: [Real; 2],
    /// The normal in the frame of the body with which it turns, if it does not lead from what stays in place on one body to that on the other.
    pub held: Vec3,
    pub holder: Option<u8>,
    /// Impulse along the normal in the last sub-step.
    pub impulse: Real,
    /// Impulse of friction in the last sub-step.
    pub friction: Vec3,
}

/// A pair of bodies in contact, and which points are its.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touching {
    pub bodies: [u32; 2],
    pub first: u32,
    pub count: u32,
}

impl Touching {
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// All pairs in contact, in ascending order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Contacts {
    pub pairs: Vec<Touching>,
    pub points: Vec<Touch>,
    old_pairs: Vec<Touching>,
    old_points: Vec<Touch>,
    used: Vec<bool>,
}

impl Contacts {
    /// Takes what the world has found, moves what it has kept with the bodies, and keeps the pairs of which no body is awake.
    pub fn follow(&mut self, step: &Step<'_>, bodies: &[State]) {
        std::mem::swap(&mut self.pairs, &mut self.old_pairs);
        std::mem::swap(&mut self.points, &mut self.old_points);
        self.pairs.clear();
        self.points.clear();
        let key = |ids: [BodyId; 2]| ids.map(|id| id.index() as u32);
        let mut kept = step.kept.iter().map(|ids| key(*ids)).peekable();
        let mut roundings = step.roundings;
        let with_roundings = step.contacts.iter().map(|pair| {
            let (own, others) = roundings.split_at(pair.manifold.points.len().min(roundings.len()));
            roundings = others;
            (pair, own)
        });
        let mut found = with_roundings.peekable();
        for at in 0..self.old_pairs.len() {
            let before = self.old_pairs[at];
            while let Some((pair, own)) = found.next_if(|(pair, _)| key(pair.bodies) < before.bodies) {
                self.add(key(pair.bodies), &pair.manifold.points, own, None, bodies);
            }
            if kept.next_if_eq(&before.bodies).is_some() {
                self.carry(&before, bodies);
            } else if let Some((pair, own)) = found.next_if(|(pair, _)| key(pair.bodies) == before.bodies) {
                self.add(before.bodies, &pair.manifold.points, own, Some(before), bodies);
            } else {
                self.keep(&before, bodies);
            }
        }
        found.for_each(|(pair, own)| self.add(key(pair.bodies), &pair.manifold.points, own, None, bodies));
        debug_assert!(kept.next().is_none(), "the world keeps contacts that are not known here");
    }

    /// Moves the points of a pair with its bodies.
    fn carry(&mut self, before: &Touching, bodies: &[State]) {
        let [a, b] = before.bodies.map(|body| &bodies[body as usize]);
        let turns = [a, b].map(|body| Mat3::from_quat(body.rotation));
        let first = self.points.len() as u32;
        self.points.extend(self.old_points[before.range()].iter().map(|touch| {
            let [on_a, on_b] = [turns[0] * touch.places[0] + a.center, turns[1] * touch.places[1] + b.center];
            let normal = match touch.holder {
                Some(holder) => turns[usize::from(holder)] * touch.held,
                None => (on_b - on_a).normalize_or(touch.normal),
            };
            let (on_a, on_b) = (on_a + normal * touch.roundings[0], on_b - normal * touch.roundings[1]);
            let distance = normal.dot(on_b - on_a);
            // Where the body without the face is: on the other the point moves along.
            let point = match touch.holder {
                Some(0) => on_b - normal * (0.5 * distance),
                Some(_) => on_a + normal * (0.5 * distance),
                None => (on_a + on_b) * 0.5,
            };
            Touch { point, normal, distance, ..*touch }
        }));
        self.pairs.push(Touching { first, ..*before });
    }

    /// Keeps a pair that was not looked at because nothing of it moves.
    fn keep(&mut self, before: &Touching, bodies: &[State]) {
        let [a, b] = before.bodies.map(|body| &bodies[body as usize]);
        let asleep = |body: &State| body.island.is_some() || body.outside;
        if a.is_awake() || b.is_awake() || !(asleep(a) || asleep(b)) {
            return;
        }
        let first = self.points.len() as u32;
        self.points.extend_from_slice(&self.old_points[before.range()]);
        self.pairs.push(Touching { first, ..*before });
    }

    /// Forgets the pairs of a body.
    pub fn forget(&mut self, body: u32) {
        std::mem::swap(&mut self.pairs, &mut self.old_pairs);
        std::mem::swap(&mut self.points, &mut self.old_points);
        self.clear();
        for before in self.old_pairs.iter().filter(|pair| !pair.bodies.contains(&body)) {
            let first = self.points.len() as u32;
            self.points.extend_from_slice(&self.old_points[before.range()]);
            self.pairs.push(Touching { first, ..*before });
        }
    }

    /// Forgets all pairs.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.points.clear();
    }

    /// Adds a pair, which must be in order, with the impulses of the one it was before.
    pub fn add(
        &mut self,
        key: [u32; 2],
        points: &[ContactPoint],
        roundings: &[[Real; 2]],
        before: Option<Touching>,
        bodies: &[State],
    ) {
        let [a, b] = key.map(|body| &bodies[body as usize]);
        let back = [a, b].map(|body| Mat3::from_quat(body.rotation.conjugate()));
        let first = self.points.len();
        let are_planes = [a, b].map(|body| !body.radius.is_finite());
        // Between what is as near as this a direction is none.
        let least = ROUND_SHARE * a.radius.min(b.radius);
        let roundings = roundings.iter().copied().chain(std::iter::repeat([0.0; 2]));
        self.points.extend(points.iter().zip(roundings).map(|(found, roundings)| {
            let [on_a, on_b] = found.points;
            let cores = [on_a - found.normal * roundings[0], on_b + found.normal * roundings[1]];
            let holder = holder(found, points, are_planes).or((roundings[0] + roundings[1] <= least).then_some(0));
            Touch {
                point: (on_a + on_b) * 0.5,
                normal: found.normal,
                distance: found.distance,
                features: found.features,
                places: [back[0] * (cores[0] - a.center), back[1] * (cores[1] - b.center)],
                roundings,
                held: holder.map_or(Vec3::ZERO, |holder| back[usize::from(holder)] * found.normal),
                holder,
                impulse: 0.0,
                friction: Vec3::ZERO,
            }
        }));
        if let Some(before) = before {
            // In the frame of the body that moves, the second if both do: there points stay while the other slides away.
            let frame = usize::from(b.is_dynamic());
            let near = SAME_PLACE * a.radius.min(b.radius);
            let (old, new) = (&self.old_points[before.range()], &mut self.points[first..]);
            hand_over(old, new, frame, near, &mut self.used);
        }
        self.pairs.push(Touching { bodies: key, first: first as u32, count: points.len() as u32 });
    }
}

/// The body with which the normal of a point turns: that whose face it is over, or that of a point with the same normal, as where the outlines
/// of faces cross; none if there is no face. A half-space is all face.
fn holder(found: &ContactPoint, all: &[ContactPoint], are_planes: [bool; 2]) -> Option<u8> {
    let is_face = |point: &ContactPoint, side: usize| {
        are_planes[side] || matches!(point.features[side].element, Element::Face(_))
    };
    let is_in_face = |side: usize| all.iter().any(|point| point.normal == found.normal && is_face(point, side));
    let of_face = (0..2).find(|&side| is_face(found, side));
    of_face.or_else(|| (0..2).find(|&side| is_in_face(side))).map(|side| side as u8)
}

/// Gives new points the impulses of old ones that are near: with the same features first, then the nearest that is left. Features
/// alone are not enough: the deepest point of two faces is of both faces wherever it is.
fn hand_over(old: &[Touch], new: &mut [Touch], frame: usize, near: Real, used: &mut Vec<bool>) {
    used.clear();
    used.resize(old.len() + new.len(), false);
    let (used, known) = used.split_at_mut(old.len());
    for same_features in [true, false] {
        for (point, known) in new.iter_mut().zip(known.iter_mut()).filter(|(_, known)| !**known) {
            let far = |at: usize| old[at].places[frame].distance_squared(point.places[frame]);
            let fits = |&at: &usize| !used[at] && (!same_features || old[at].features == point.features);
            let nearest = (0..old.len()).filter(fits).min_by(|&i, &j| far(i).total_cmp(&far(j)));
            if let Some(at) = nearest.filter(|&at| far(at) <= near * near) {
                (used[at], *known) = (true, true);
                (point.impulse, point.friction) = (old[at].impulse, old[at].friction);
            }
        }
    }
}
