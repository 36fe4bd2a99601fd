//! The contact points of all touching pairs, with the impulses of the last step for those that are still there.
//!
//! Points are recognised by the features in contact; one whose features have changed, by its place on the body. Pairs of which no
//! body is awake are not looked at by the world; their points stay as they were.

use clearance::world::ContactPair;
use clearance::{ContactPoint, Feature, Real, Vec3};

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
    /// The point in the frame of the body that moves, the second if both do: there it stays while the other slides away.
    pub place: Vec3,
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
    /// Takes what the world has found, and keeps the pairs of which no body is awake.
    pub fn follow(&mut self, found: &[ContactPair], bodies: &[State]) {
        std::mem::swap(&mut self.pairs, &mut self.old_pairs);
        std::mem::swap(&mut self.points, &mut self.old_points);
        self.pairs.clear();
        self.points.clear();
        let mut old = 0;
        for pair in found {
            let key = pair.bodies.map(|id| id.index() as u32);
            while let Some(before) = self.old_pairs.get(old).copied().filter(|before| before.bodies < key) {
                self.keep(&before, bodies);
                old += 1;
            }
            let before = self.old_pairs.get(old).copied().filter(|before| before.bodies == key);
            old += usize::from(before.is_some());
            self.add(key, &pair.manifold.points, pair.is_kept, before, bodies);
        }
        for at in old..self.old_pairs.len() {
            let before = self.old_pairs[at];
            self.keep(&before, bodies);
        }
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

    /// Adds a pair, which must be in order, with the impulses of the one it was before; `is_kept` says that its points are those of the last
    /// step, or fewer.
    pub fn add(
        &mut self,
        key: [u32; 2],
        points: &[ContactPoint],
        is_kept: bool,
        before: Option<Touching>,
        bodies: &[State],
    ) {
        let [a, b] = key.map(|body| &bodies[body as usize]);
        let frame = if b.is_dynamic() { b } else { a };
        let back = frame.rotation.conjugate();
        let first = self.points.len();
        self.points.extend(points.iter().map(|found| {
            let point = (found.points[0] + found.points[1]) * 0.5;
            Touch {
                point,
                normal: found.normal,
                distance: found.distance,
                features: found.features,
                place: back * (point - frame.center),
                impulse: 0.0,
                friction: Vec3::ZERO,
            }
        }));
        if let Some(before) = before {
            let near = SAME_PLACE * a.radius.min(b.radius);
            let (old, new) = (&self.old_points[before.range()], &mut self.points[first..]);
            if !(is_kept && stays(old, new, near)) {
                hand_over(old, new, near, &mut self.used);
            }
        }
        self.pairs.push(Touching { bodies: key, first: first as u32, count: points.len() as u32 });
    }
}

/// Gives points the impulses of the same ones in the last step, in the same order, if they are the same and are near where they were.
fn stays(old: &[Touch], new: &mut [Touch], near: Real) -> bool {
    let is_same = |(old, new): (&Touch, &Touch)| {
        old.features == new.features && old.place.distance_squared(new.place) <= near * near
    };
    if old.len() != new.len() || !old.iter().zip(new.iter()).all(is_same) {
        return false;
    }
    for (old, new) in old.iter().zip(new) {
        (new.impulse, new.friction) = (old.impulse, old.friction);
    }
    true
}

/// Gives new points the impulses of old ones that are near: with the same features first, then the nearest that is left. Features
/// alone are not enough: the deepest point of two faces is of both faces wherever it is.
fn hand_over(old: &[Touch], new: &mut [Touch], near: Real, used: &mut Vec<bool>) {
    used.clear();
    used.resize(old.len() + new.len(), false);
    let (used, known) = used.split_at_mut(old.len());
    for same_features in [true, false] {
        for (point, known) in new.iter_mut().zip(known.iter_mut()).filter(|(_, known)| !**known) {
            let far = |at: usize| old[at].place.distance_squared(point.place);
            let fits = |&at: &usize| !used[at] && (!same_features || old[at].features == point.features);
            let nearest = (0..old.len()).filter(fits).min_by(|&i, &j| far(i).total_cmp(&far(j)));
            if let Some(at) = nearest.filter(|&at| far(at) <= near * near) {
                (used[at], *known) = (true, true);
                (point.impulse, point.friction) = (old[at].impulse, old[at].friction);
            }
        }
    }
}
