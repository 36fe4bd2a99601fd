//! When two moving bodies of any shape meet: meshes, compounds and convex shapes, by walks down their trees.
//!
//! Two nodes whose boxes are apart stay so for a time that is certain (`moving`); so each pair of nodes has a time before which nothing
//! in it meets, and what is below it starts from that time. Pairs are opened the earliest first, and those that cannot meet before
//! the earliest meeting found so far are left out. At the leaves two triangles, or a triangle and a convex shape, or two convex shapes
//! are advanced by themselves (`advance`). So no pair is looked at at times that do not concern it, which a step of all bodies at
//! once by their least distance would do.
//!
//! Solids that overlap at time 0, one inside the other too, meet then; solids that are apart meet first with their surfaces.
//! Bodies that touch at time 0 are held to the same as convex ones, piece by piece. Faces of a solid that rest on another face have
//! one way out, that of the face. If bodies that started touching are deep in each other at one of a few dozen times before what was
//! found, though no pieces were found to get deeper (what has no volume, faces that coincide and face the same way), the answer is
//! time 0 with [`End::Degenerate`].
//!
//! It ends: each pair of nodes is looked at once, each pair of leaves at most `STEP_LIMIT` times, and all together at most four
//! million times; the earliest time then left open is the answer, with [`End::IterationLimit`].

use arrayvec::ArrayVec;
use glam::DVec3;

use super::advance::{Found, Search, Shapes, Triangles, advance};
use super::answer::{BodyImpact, ImpactOptions};
use super::moving::{Mover, Relative};
use super::volumes::{At, Piece, Volumes, piece};
use super::{above, custom};
use crate::answer::{Closest, Contact, Feature};
use crate::bvh::OrientedBox;
use crate::concave::{self, BodyCache};
use crate::math::{Pose, Vec3, narrow_real, widen, widen_real};
use crate::motion::{Motion, Steady};
use crate::narrow::{End, PairCache};
use crate::shape::Geometry;

/// Steps of two boxes before their children are looked at.
const BOX_STEPS: u32 = 3;
/// Pairs of nodes that may wait: four trees' heights, as in any walk down two trees.
const WAITING: usize = 512;

/// Times at which bodies that started touching are looked at again: so many evenly, and as many halvings towards the start.
const SINK_TIMES: u32 = 16;

/// When two bodies of any shape meet that move from time 0 to time 1, with the promises of
/// [`ccd::time_of_impact`](super::time_of_impact()): never later than the first contact, early by no more than what it takes to cross the
/// tolerance.
pub fn time_of_impact<'b>(
    a: impl Into<Geometry<'b>>,
    of_a: &Motion,
    b: impl Into<Geometry<'b>>,
    of_b: &Motion,
    options: &ImpactOptions,
) -> BodyImpact {
    let (a, b) = (a.into(), b.into());
    if let (Geometry::Convex(a), Geometry::Convex(b)) = (a, b) {
        return BodyImpact { impact: super::time_of_impact(a, of_a, b, of_b, options), features: [Feature::WHOLE; 2] };
    }
    let Some(steady) = of_a.steady().zip(of_b.steady()) else {
        return custom::time_of_impact(a, of_a, b, of_b, options);
    };
    if matches!(a, Geometry::HalfSpace(_)) || matches!(b, Geometry::HalfSpace(_)) {
        let above = above::time_of_impact([a, b], steady.into(), options);
        return above.unwrap_or_else(|| custom::time_of_impact(a, of_a, b, of_b, options));
    }
    let (of_a, of_b) = steady;
    let mut search = Search::new([a.bounding_radius(), b.bounding_radius()], [of_a, of_b], options);
    let start = concave::overlap(a, of_a.start(), b, of_b.start(), &mut BodyCache::default());
    let there = || concave::closest(a, of_a.start(), b, of_b.start(), &mut BodyCache::default());
    if start.contact == Contact::Overlapping {
        return BodyImpact::at_start(&there(), End::Converged);
    }
    // How far they are apart beyond the clearance, if that may be within rounding.
    let above = match start.gap() {
        Some(gap) if widen_real(gap) - search.clearance > search.rounding => f64::INFINITY,
        None if search.clearance == 0.0 => 0.0,
        _ => widen_real(there().distance) - search.clearance,
    };
    if above < -search.rounding {
        return BodyImpact::at_start(&there(), End::Converged);
    }
    search.touching = Some(above <= search.rounding);
    let movers = [Mover::new(of_a), Mover::new(of_b)];
    let mut cache = PairCache::default();
    let volumes = [Volumes::of(a), Volumes::of(b)];
    walk([&volumes[0], &volumes[1]], movers, 0.0, &mut search, |at, from, search| {
        let [Some(i), Some(j)] = [0, 1].map(|side| volumes[side].number(at[side])) else { return };
        let (Some((piece_a, pose_a)), Some((piece_b, pose_b))) = (piece(a, i), piece(b, j)) else { return };
        let placed = [place(&movers[0], pose_a), place(&movers[1], pose_b)];
        pieces([piece_a, piece_b], placed, [i, j], from, search, &mut cache);
    });
    if search.touching == Some(true) && sinks([a, b], [of_a, of_b], &search) {
        return BodyImpact::at_start(&there(), End::Degenerate);
    }
    if search.found.is_none() && search.looked.is_none() {
        // Nothing came near anything: what there is to show is the start.
        search.looked = Some(found(&there()));
    }
    let features = search.found.or(search.looked).map_or([Feature::WHOLE; 2], |found| found.features);
    let mut impact = search.impact();
    if start.end != End::Converged && impact.end == End::Converged {
        // Whether they overlapped at the start was not decided.
        impact.end = start.end;
    }
    BodyImpact { impact, features }
}

/// Whether bodies that started touching are deep in each other before what was found, at one of the times looked at. What has no volume
/// enters a solid without its surface ever being deep in that of the solid; nor are faces that coincide and face the same way.
fn sinks([a, b]: [Geometry<'_>; 2], [of_a, of_b]: [&Steady; 2], search: &Search) -> bool {
    let until = search.found.map_or(1.0, |found| found.time * (1.0 - 1.0 / f64::from(SINK_TIMES)));
    let evenly = (1..=SINK_TIMES).map(|i| f64::from(i) / f64::from(SINK_TIMES));
    let early = (5..=SINK_TIMES).map(|i| 0.5_f64.powi(i as i32));
    evenly.chain(early).any(|share| {
        let time = narrow_real(until * share);
        let (at_a, at_b) = (of_a.pose(time), of_b.pose(time));
        let near = concave::closest(a, &at_a, b, &at_b, &mut BodyCache::default());
        let is_met = near.contact == Contact::Overlapping || search.clearance > 0.0;
        let error = search.error(widen(at_b.translation()) - widen(at_a.translation()), widen_real(time));
        let enough = search.rounding(error, widen_real(time)).max(search.asked);
        is_met && search.clearance - widen_real(near.distance) > enough
    })
}

fn found(near: &Closest) -> Found {
    Found {
        time: 0.0,
        distance: widen_real(near.distance),
        normal: widen(near.normal),
        points: near.points.map(widen),
        features: near.features,
        end: near.end,
    }
}

fn place<'m>(mover: &Mover<'m>, pose: Option<&Pose>) -> Mover<'m> {
    pose.map_or(*mover, |pose| mover.part(pose))
}

/// Two nodes and the time before which nothing in them meets.
type Waiting = (f64, [At; 2]);

/// Visits the leaves that may meet before the search's latest time, roughly the earliest first, with the time before which they do
/// not.
fn walk<'m>(
    [a, b]: [&Volumes<'_>; 2],
    movers: [Mover<'m>; 2],
    from: f64,
    search: &mut Search,
    mut visit: impl FnMut([At; 2], f64, &mut Search),
) {
    let mut stack = ArrayVec::<Waiting, WAITING>::new();
    stack.push((from, [a.root(), b.root()]));
    while let Some((from, [i, j])) = stack.pop() {
        if !(from < search.latest) {
            continue;
        }
        if search.is_spent() {
            give_up(from, search);
            continue;
        }
        if a.is_leaf(i) && b.is_leaf(j) {
            visit([i, j], from, search);
            continue;
        }
        let here = Relative::new(movers, from);
        let mut below = ArrayVec::<Waiting, 64>::new();
        for i in a.opened(i) {
            let bounds = a.bounds(i);
            for j in b.opened(j) {
                let free = free_until([&bounds, &b.bounds(j)], movers, &here, from, search);
                if free < search.latest {
                    below.push((free, [i, j]));
                }
            }
        }
        // The earliest goes on top.
        below.sort_by(|a, b| b.0.total_cmp(&a.0));
        for pair in below {
            if stack.try_push(pair).is_err() {
                give_up(pair.0, search);
            }
        }
    }
}

/// What is not looked at may meet from this time on.
fn give_up(time: f64, search: &mut Search) {
    let shown = search.looked.unwrap_or(Found {
        time,
        distance: 0.0,
        normal: DVec3::X,
        points: [DVec3::ZERO; 2],
        features: [Feature::WHOLE; 2],
        end: End::IterationLimit,
    });
    if time < search.latest {
        search.latest = time;
        search.found = Some(Found { time, end: End::IterationLimit, ..shown });
    }
}

/// A time up to which two boxes are certain to be apart, from one up to which what is in them is.
fn free_until(
    [a, b]: [&OrientedBox; 2],
    movers: [Mover<'_>; 2],
    here: &Relative<'_>,
    from: f64,
    search: &Search,
) -> f64 {
    let step = |here: &Relative<'_>, time: f64| {
        here.boxes(a, b).lasts(search.clearance + search.error(here.frame.translation, time))
    };
    let Some(first) = step(here, from) else {
        return from;
    };
    let (mut free, mut last) = (from + first, first);
    for _ in 1..BOX_STEPS {
        if !(free < search.latest) {
            break;
        }
        let Some(step) = step(&Relative::new(movers, free), free) else {
            break;
        };
        free += step;
        // Steps that shrink this fast lead to boxes that meet.
        if step < 0.25 * last {
            break;
        }
        last = step;
    }
    free
}

/// Two pieces, from a time up to which they are apart.
fn pieces(
    both: [Piece<'_>; 2],
    movers: [Mover<'_>; 2],
    parts: [u32; 2],
    from: f64,
    search: &mut Search,
    cache: &mut PairCache,
) {
    let volumes = both.map(Volumes::of_piece);
    walk([&volumes[0], &volumes[1]], movers, from, search, |at, from, search| {
        if let [Some((a, of_a)), Some((b, of_b))] = [0, 1].map(|side| both[side].face(at[side], parts[side])) {
            let solid = both.map(|piece| piece.is_solid());
            advance(&mut Triangles::new(movers, [a, b], [of_a, of_b], solid, from), from, search);
            return;
        }
        let [Some(a), Some(b)] = [0, 1].map(|side| both[side].leaf(at[side], parts[side])) else { return };
        let outward = a.outward.map(|out| (0, out)).or(b.outward.map(|out| (1, out)));
        let movers = [moved_to(&movers[0], a.at), moved_to(&movers[1], b.at)];
        let features = [a.feature, b.feature];
        advance(&mut Shapes::new(movers, [&a.shape, &b.shape], features, outward, cache), from, search);
    });
}

/// The mover of a leaf that is elsewhere in its piece.
fn moved_to<'m>(mover: &Mover<'m>, at: Vec3) -> Mover<'m> {
    if at == Vec3::ZERO { *mover } else { mover.part(&Pose::IDENTITY.moved_to(at)) }
}
