//! Asks the library, in one precision, and judges what it answers by certificates: bounds on the distance that come from a search of
//! its own. Included once for each precision; `library` is what it asks.

use glam::DVec3;

use super::super::case::{Case, Verb};
use super::super::solid::Place;
use super::super::tally::{Finding, Question, Tally};
use super::bodies::{body, pose, reach};
use super::library::exact::{Certificate, certify_unchecked as certify};
use super::library::math::{narrow, narrow_real, widen, widen_real};
use super::library::tolerance::{RELATIVE_GAP, TOUCHING_SIGMAS, sigma};
use super::library::{
    Body, Cache, Closest, Contact, End, ManifoldOptions, Pose, Ray, RayOptions, Shape, Vec3, Witness, cast_ray,
    closest, distance, manifold, overlap, project, within,
};
use super::ways::{cast_by, contacts_within, pushed_out, range_along, slid_by, turn_by};

/// One of so many certificates is checked exactly.
const CHECKED: u64 = 100;

/// Which claims of a certificate are asked for.
pub(crate) const LOWER: [bool; 2] = [true, false];
pub(crate) const UPPER: [bool; 2] = [false, true];

/// Errors of a support by which points may be off their bodies.
pub(crate) const POINT_SIGMAS: f64 = 64.0;

/// Two bodies of the library at their places.
pub(crate) struct Pair {
    pub(crate) bodies: [Body; 2],
    pub(crate) poses: [Pose; 2],
    /// The error of a support, with the rounding of coordinates far from the origin.
    pub(crate) error: f64,
    number: u64,
}

impl Pair {
    fn new(case: &Case) -> Option<Self> {
        let bodies = [body(&case.solids[0])?, body(&case.solids[1])?];
        let mut pair =
            Self { bodies, poses: [pose(&case.places[0])?, pose(&case.places[1])?], error: 0.0, number: case.number };
        if let Some(wanted) = case.touching {
            let [a, b] = &pair.bodies;
            let near = closest(a, &pair.poses[0], b, &pair.poses[1], &mut Cache::default());
            let size = reach(a) + reach(b);
            let by = widen(near.normal) * (wanted * size - widen_real(near.distance));
            pair.poses[1] = pair.poses[1].with_translation(narrow(widen(pair.poses[1].translation()) + by)).ok()?;
        }
        let [a, b] = &pair.poses;
        let between = (widen(b.translation()) - widen(a.translation())).abs().element_sum();
        let reach = pair.bodies.iter().map(reach).sum::<f64>();
        let far = widen(a.translation()).length().max(widen(b.translation()).length());
        pair.error = widen_real(sigma(narrow_real(reach + between))) + widen_real(sigma(narrow_real(far))) / 3.0;
        Some(pair)
    }

    /// How far a point is proved to be from a body at least.
    pub(crate) fn off(&self, side: usize, point: DVec3) -> f64 {
        let Ok(at) = Pose::from_translation(narrow(point)) else { return 0.0 };
        let (body, pose) = (&self.bodies[side], &self.poses[side]);
        let proof = certify(&Shape::point(), &at, body, pose, &mut Cache::default(), LOWER);
        proof.ok().and_then(|proof| proof.lower()).map_or(f64::NEG_INFINITY, widen_real)
    }

    pub(crate) fn on(&self, side: usize, point: DVec3, room: f64) -> bool {
        self.off(side, point) <= POINT_SIGMAS * self.error + room
    }

    /// A certificate of the distance; nothing is known without one. The first of a hundred is checked.
    fn proof(&self, tally: &mut Tally) -> Option<Certificate> {
        let ([a, b], [of_a, of_b]) = (&self.bodies, &self.poses);
        let found = certify(a, of_a, b, of_b, &mut Cache::default(), [true; 2]);
        if let Ok(proof) = &found
            && self.number.is_multiple_of(CHECKED)
        {
            verify(proof, tally);
        } else if found.is_err() {
            tally.unproved();
        }
        found.ok()
    }

    fn closest(&self, cache: &mut Cache) -> Closest {
        closest(&self.bodies[0], &self.poses[0], &self.bodies[1], &self.poses[1], cache)
    }
}

/// Asks a case and records what is wrong with the answer; false if the numbers make no bodies in this precision.
pub(crate) fn ask(case: &Case, remembered: &mut Cache, tally: &mut Tally) -> bool {
    let Some(pair) = Pair::new(case) else { return false };
    match case.verb {
        Verb::Closest => near(&pair, tally),
        Verb::Warm => warm(&pair, remembered, tally),
        Verb::Within(distance) => within_distance(&pair, distance, tally),
        Verb::Manifold => contacts(&pair, tally),
        Verb::Cast(by) => cast_by(&pair, by, tally),
        Verb::Turn(velocities) => turn_by(&pair, velocities, tally),
        Verb::Ray(ray) => ray_from(&pair, ray, tally),
        Verb::Project(point) => projection(&pair, point, tally),
        Verb::Range(direction) => range_along(&pair, direction, tally),
        Verb::PushOut => pushed_out(&pair, tally),
        Verb::Slide(by) => slid_by(&pair, by, tally),
        Verb::Contacts(distance) => contacts_within(&pair, distance, tally),
    }
    true
}

/// Whether depths of a body are a local measure.
fn is_concave(body: &Body) -> bool {
    !matches!(body, Body::Convex(_) | Body::HalfSpace(_))
}

pub(crate) fn is_unit(normal: Vec3) -> bool {
    (widen(normal).length() - 1.0).abs() <= 16.0 * widen_real(super::library::Real::EPSILON)
}

pub(crate) fn bounds_of(proof: &Certificate) -> [f64; 2] {
    [proof.lower().map_or(f64::NEG_INFINITY, widen_real), proof.upper().map_or(f64::INFINITY, widen_real)]
}

/// Bounds, points and normal of a distance.
fn near(pair: &Pair, tally: &mut Tally) {
    let answer = pair.closest(&mut Cache::default());
    let Some(proof) = pair.proof(tally) else { return };
    let wrong = tally.wrong();
    let [low, high] = bounds_of(&proof);
    let concave = pair.bodies.iter().any(is_concave);
    tally.ended(Question::Closest, answer.end == End::Converged);
    tally.check(widen_real(answer.lower) <= high, Finding::Bound, || format!("{answer:?}, proved {low:e} {high:e}"));
    // Depths of concave bodies are a local measure, whose bounds are of a translation that no certificate tells.
    let depth_of_concave = concave && answer.upper <= 0.0;
    let upper_holds = depth_of_concave || low <= widen_real(answer.upper);
    tally.check(upper_holds, Finding::Bound, || format!("{answer:?}, proved {low:e} {high:e}"));
    tally.check(is_unit(answer.normal), Finding::Normal, || format!("{answer:?}"));
    let [p, q] = answer.points.map(widen);
    let consistent = (q - p - widen(answer.normal) * widen_real(answer.distance)).length() <= POINT_SIGMAS * pair.error;
    // Points are as far apart as the distance says, and so off their bodies by up to the width of the bounds.
    let room = widen_real(answer.upper - answer.lower);
    let on = depth_of_concave || pair.on(0, p, room) && pair.on(1, q, room);
    tally.check(consistent && on, Finding::Point, || {
        format!("{answer:?}, off by {:e} {:e}", pair.off(0, p), pair.off(1, q))
    });
    let apart = distance(&pair.bodies[0], &pair.poses[0], &pair.bodies[1], &pair.poses[1], &mut Cache::default());
    tally.check(apart.is_some() == (answer.contact == Contact::Apart), Finding::Boolean, || {
        format!("{answer:?} {apart:?}")
    });
    boolean(pair, [low, high], tally);
    if tally.wrong() > wrong {
        verify(&proof, tally);
    }
}

/// Checks a certificate exactly.
fn verify(proof: &Certificate, tally: &mut Tally) {
    match proof.verify() {
        Ok(()) => tally.verified += 1,
        Err(refused) => tally.found(Finding::Certificate, refused.to_string()),
    }
}

/// The boolean with its witness.
fn boolean(pair: &Pair, [low, high]: [f64; 2], tally: &mut Tally) {
    let answer = overlap(&pair.bodies[0], &pair.poses[0], &pair.bodies[1], &pair.poses[1], &mut Cache::default());
    let touching = widen_real(TOUCHING_SIGMAS) * pair.error;
    let right = if answer.overlap { low <= touching } else { high >= -touching };
    tally.check(right, Finding::Boolean, || format!("{answer:?}, proved {low:e} {high:e}"));
    tally.ended(Question::Overlap, answer.end == End::Converged);
    match answer.witness {
        Witness::Point(point) => {
            let on = (0..2).all(|side| pair.on(side, widen(point), touching));
            let off = || [0, 1].map(|side: usize| pair.off(side, widen(point)));
            tally.check(on, Finding::Point, || {
                format!("{answer:?}, off by {:?} at an error of {:e}", off(), pair.error)
            });
        }
        Witness::Points(points) => {
            let on = (0..2).all(|side| pair.on(side, widen(points[side]), touching));
            let is_told = answer.overlap && answer.end != End::Converged;
            tally.check(on && is_told, Finding::Point, || format!("{answer:?} at an error of {:e}", pair.error));
        }
        _ => tally.check(!answer.overlap, Finding::Boolean, || format!("{answer:?}")),
    }
}

fn warm(pair: &Pair, remembered: &mut Cache, tally: &mut Tally) {
    let (cold, warm) = (pair.closest(&mut Cache::default()), pair.closest(remembered));
    let agree = warm.lower <= cold.upper && cold.lower <= warm.upper;
    tally.check(agree, Finding::Warm, || format!("cold {cold:?}, warm {warm:?}"));
    let worse = warm.end != End::Converged && cold.end == End::Converged;
    tally.check(!worse, Finding::Warm, || format!("cold {cold:?}, warm {warm:?}"));
    tally.ended(Question::Warm, warm.end == End::Converged);
}

fn within_distance(pair: &Pair, asked: f64, tally: &mut Tally) {
    let asked = narrow_real(asked);
    let answer = within(&pair.bodies[0], &pair.poses[0], &pair.bodies[1], &pair.poses[1], asked, &mut Cache::default());
    let Some(proof) = pair.proof(tally) else { return };
    let wrong = tally.wrong();
    let ([low, high], asked) = (bounds_of(&proof), widen_real(asked));
    let room = widen_real(TOUCHING_SIGMAS) * pair.error;
    let right = if answer.within { low <= asked + room } else { high >= asked - room };
    tally.check(right, Finding::Boolean, || format!("{answer:?}, proved {low:e} {high:e}"));
    tally.ended(Question::Within, answer.end == End::Converged);
    if tally.wrong() > wrong {
        verify(&proof, tally);
    }
}

fn contacts(pair: &Pair, tally: &mut Tally) {
    let options = ManifoldOptions::default();
    let found =
        manifold(&pair.bodies[0], &pair.poses[0], &pair.bodies[1], &pair.poses[1], &mut Cache::default(), &options);
    let concave = pair.bodies.iter().any(is_concave);
    let Some(found) = found else { return };
    tally.ended(Question::Manifold, found.end == End::Converged);
    // What did not converge is known to the bounds of the signed distance, which says the same.
    let unknown = if found.end == End::Converged {
        0.0
    } else {
        let near = pair.closest(&mut Cache::default());
        widen_real(near.upper - near.lower)
    };
    for point in found.points.iter() {
        tally.check(is_unit(point.normal), Finding::Normal, || format!("{point:?}"));
        // Points of a manifold are on the faces in contact, which are parallel to some angle only: off by a share of the depth; and
        // depths of curved bodies are known to a relative gap.
        let share = widen_real(point.distance.abs()) * if concave { 2.0 } else { 0.125 };
        let room = share + unknown + widen_real(RELATIVE_GAP) * pair.error / widen_real(sigma(1.0));
        let on = (0..2).all(|side| pair.on(side, widen(point.points[side]), room));
        tally.check(on, Finding::Contact, || {
            let off = [0, 1].map(|side: usize| pair.off(side, widen(point.points[side])));
            format!("{point:?}, off by {off:?}")
        });
    }
}

/// How far a ray goes, in units of its direction.
const RAY_LENGTH: f64 = 4.0;

/// A ray against A: the hit is on the body, and the body is not before it.
fn ray_from(pair: &Pair, [origin, direction]: [DVec3; 2], tally: &mut Tally) {
    let (Ok(ray), Ok(options)) =
        (Ray::new(narrow(origin), narrow(direction)), RayOptions::up_to(narrow_real(RAY_LENGTH)))
    else {
        return;
    };
    let found = cast_ray(&pair.bodies[0], &pair.poses[0], &ray, &options);
    tally.ended(Question::Ray, found.is_none_or(|hit| hit.end == End::Converged));
    let [origin, direction] = [widen(ray.origin()), widen(ray.direction())];
    let room = POINT_SIGMAS * widen_real(sigma(narrow_real(origin.length() + RAY_LENGTH * direction.length())));
    if let Some(hit) = &found {
        tally.check(is_unit(hit.normal), Finding::Normal, || format!("{hit:?}"));
        let width = widen_real(hit.upper - hit.lower) * direction.length();
        let on = pair.on(0, widen(hit.point), room + width) && (!hit.inside || pair.on(0, origin, room));
        tally.check(on, Finding::Point, || format!("{hit:?}, off by {:e}", pair.off(0, widen(hit.point))));
    }
    // A ray that does not leave the body as far as it goes has no hit.
    if found.is_none() && !(pair.off(0, origin) > room) {
        return;
    }
    let until = found.map_or(RAY_LENGTH, |hit| if hit.inside { 0.0 } else { widen_real(hit.lower) });
    let half = 0.5 * until * direction.length();
    let turn = glam::DQuat::from_rotation_arc(DVec3::X, direction.normalize_or(DVec3::X));
    let middle = Place { rotation: turn, at: origin + direction * (0.5 * until) };
    let (Ok(free), Some(place)) = (Shape::segment(narrow_real(half)), pose(&middle)) else { return };
    let proof = certify(&free, &place, &pair.bodies[0], &pair.poses[0], &mut Cache::default(), UPPER);
    let Some(high) = proof.ok().map(|proof| bounds_of(&proof)[1]) else { return tally.unproved() };
    tally.check(high >= -room, Finding::Passed, || format!("{found:?}, before it proved {high:e}"));
}

/// The point of A nearest to a point.
fn projection(pair: &Pair, point: DVec3, tally: &mut Tally) {
    let answer = project(&pair.bodies[0], &pair.poses[0], narrow(point), &mut Cache::default());
    tally.ended(Question::Project, answer.end == End::Converged);
    let Ok(at) = Pose::from_translation(narrow(point)) else { return };
    let proof = certify(&pair.bodies[0], &pair.poses[0], &Shape::point(), &at, &mut Cache::default(), [true; 2]);
    let Some([low, high]) = proof.ok().map(|proof| bounds_of(&proof)) else { return tally.unproved() };
    let depth_of_concave = is_concave(&pair.bodies[0]) && answer.upper <= 0.0;
    let upper_holds = depth_of_concave || low <= widen_real(answer.upper);
    let holds = widen_real(answer.lower) <= high && upper_holds;
    tally.check(holds, Finding::Bound, || format!("{answer:?}, proved {low:e} {high:e}"));
    tally.check(is_unit(answer.normal), Finding::Normal, || format!("{answer:?}"));
    let on = pair.on(0, widen(answer.nearest), widen_real(answer.upper - answer.lower));
    tally.check(on, Finding::Point, || format!("{answer:?}, off by {:e}", pair.off(0, widen(answer.nearest))));
}
