//! The contact points of all touching pairs, with the impulses of the last step for those that are still there.
//!
//! Points are recognised by the features in contact; one whose features have changed, by its place on the body. Pairs of which no
//! body is awake are not looked at by the world; their points stay as they were.

use clearance::world::{BodyId, ContactPair};
use clearance::{ContactPoint, Element, Feature, Mat3, Real, Vec3};

use crate::body::State;
use crate::tolerance::SAME_PLACE;

/// A contact point and what pushes there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touch {
    pub point: Vec3,
    /// From the first body to the second.
    pub normal: Vec3,
    pub distance: Real,
    pub features: [Feature; 2],
    /// The points of both bodies, each in the frame of its own: there they stay while the bodies hardly move against each other.
    pub places: [Vec3; 2],
    /// The normal in the frame of the body with which it turns: that of the face, if there is one.
    pub held: Vec3,
    pub holder: u8,
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
    pub fn follow(&mut self, found: &[ContactPair], kept: &[[BodyId; 2]], bodies: &[State]) {
        std::mem::swap(&mut self.pairs, &mut self.old_pairs);
        std::mem::swap(&mut self.points, &mut self.old_points);
        self.pairs.clear();
        self.points.clear();
        let key = |ids: [BodyId; 2]| ids.map(|id| id.index() as u32);
        let (mut found, mut kept) = (found.iter().peekable(), kept.iter().map(|ids| key(*ids)).peekable());
        for at in 0..self.old_pairs.len() {
            let before = self.old_pairs[at];
            while let Some(pair) = found.next_if(|pair| key(pair.bodies) < before.bodies) {
                self.add(key(pair.bodies), &pair.manifold.points, None, bodies);
            }
            if kept.next_if_eq(&before.bodies).is_some() {
                self.carry(&before, bodies);
            } else if let Some(pair) = found.next_if(|pair| key(pair.bodies) == before.bodies) {
                self.add(before.bodies, &pair.manifold.points, Some(before), bodies);
            } else {
                self.keep(&before, bodies);
            }
        }
        found.for_each(|pair| self.add(key(pair.bodies), &pair.manifold.points, None, bodies));
        debug_assert!(kept.next().is_none(), "the world keeps contacts that are not known here");
    }

    /// Moves the points of a pair with its bodies.
    fn carry(&mut self, before: &Touching, bodies: &[State]) {
        let [a, b] = before.bodies.map(|body| &bodies[body as usize]);
        let turns = [a, b].map(|body| Mat3::from_quat(body.rotation));
        let first = self.points.len() as u32;
        self.points.extend(self.old_points[before.range()].iter().map(|touch| {
            let on_a = turns[0] * touch.places[0] + a.center;
            let on_b = turns[1] * touch.places[1] + b.center;
            let normal = turns[usize::from(touch.holder)] * touch.held;
            Touch { point: (on_a + on_b) * 0.5, normal, distance: normal.dot(on_b - on_a), ..*touch }
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
    pub fn add(&mut self, key: [u32; 2], points: &[ContactPoint], before: Option<Touching>, bodies: &[State]) {
        let [a, b] = key.map(|body| &bodies[body as usize]);
        let back = [a, b].map(|body| Mat3::from_quat(body.rotation.conjugate()));
        let first = self.points.len();
        self.points.extend(points.iter().map(|found| {
            let holder = usize::from(!is_face(&found.features[0]) && is_face(&found.features[1]));
            Touch {
                point: (found.points[0] + found.points[1]) * 0.5,
                normal: found.normal,
                distance: found.distance,
                features: found.features,
                places: [back[0] * (found.points[0] - a.center), back[1] * (found.points[1] - b.center)],
                held: back[holder] * found.normal,
                holder: holder as u8,
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

fn is_face(feature: &Feature) -> bool {
    matches!(feature.element, Element::Face(_))
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
