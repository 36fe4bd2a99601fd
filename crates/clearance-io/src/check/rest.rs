//! A pair at rest.

use clearance::{Body, Cache, Closest, Contact, End, Pose, Vec3, closest, overlap, push_out, within};

use super::finding::{Finding, Kind};
use super::region::region;
use crate::scene::{Assembly, PairRule};

/// What is found about a pair at rest.
pub(super) fn check(assembly: &Assembly, pair: [usize; 2], rule: &PairRule) -> Option<Finding> {
    let poses = pair.map(|part| &assembly.parts[part].pose);
    let bodies = bodies(assembly, pair)?;
    let mut cache = Cache::default();
    let near = near_enough(bodies, poses, rule.clearance, &mut cache)?;
    finding(assembly, pair, poses, rule, &near)
}

/// The bodies of two parts.
pub(super) fn bodies(assembly: &Assembly, pair: [usize; 2]) -> Option<[&Body; 2]> {
    let body = |part: usize| assembly.geometry[assembly.parts[part].geometry].body().ok();
    Some([body(pair[0])?, body(pair[1])?])
}

/// The signed distance, if it can be one that counts.
fn near_enough(bodies: [&Body; 2], poses: [&Pose; 2], clearance: f64, cache: &mut Cache) -> Option<Closest> {
    let ([a, b], [pose_a, pose_b]) = (bodies, poses);
    let counts = if clearance > 0.0 {
        within(a, pose_a, b, pose_b, clearance, cache).within
    } else {
        overlap(a, pose_a, b, pose_b, cache).overlap
    };
    counts.then(|| closest(a, pose_a, b, pose_b, cache))
}

/// What a signed distance means under a rule. A clearance never changes whether a hard clash is one.
pub(super) fn finding(
    assembly: &Assembly,
    pair: [usize; 2],
    poses: [&Pose; 2],
    rule: &PairRule,
    near: &Closest,
) -> Option<Finding> {
    let names = pair.map(|part| assembly.parts[part].name.as_str());
    let required = (rule.clearance > 0.0).then_some(rule.clearance);
    let plain = |kind| Finding { required, ..Finding::at_rest(pair, names, kind, near) };
    match near.contact {
        // Certainly nearer: a distance that is the required one to within its bounds is kept.
        Contact::Apart => (near.upper < rule.clearance).then(|| plain(Kind::Clearance)),
        Contact::Touching if required.is_some() => Some(plain(Kind::Clearance)),
        Contact::Touching => (!rule.may_touch).then(|| plain(Kind::Touching)),
        Contact::Overlapping if -near.distance <= rule.depth => None,
        Contact::Overlapping => {
            let geometry = pair.map(|part| &assembly.geometry[assembly.parts[part].geometry]);
            let region = region(geometry, poses);
            let required = if rule.depth > 0.0 { Some(-rule.depth) } else { required };
            let [a, b] = bodies(assembly, pair)?;
            let out = push_out(a, poses[0], b, poses[1], &mut Cache::default());
            let way_out = (out.end == End::Converged).then_some(out.translation);
            // A translation that separates them is no shorter than the depth; those that touch may still overlap by rounding.
            let shortest = |by: Vec3| out.near.lower.min(0.0) - by.length().next_up();
            let lower = way_out.map_or(near.lower, |by| near.lower.max(shortest(by)).min(near.distance));
            Some(Finding {
                required,
                way_out,
                lower,
                curve: region.curve,
                bounds: region.bounds,
                volume: region.volume,
                ..plain(region.kind)
            })
        }
    }
}
