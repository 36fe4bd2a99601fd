//! The ops `within` and `pairs`: which bodies are within a distance of each other.

use serde_json::{Value, json};

use super::answer::{Fields, Request, number};
use super::error::{Code, QueryError};
use super::library::{Body, Cache, Pose, Real, Within, closest, within};
use super::pairs::{closest_fields, end_name, for_each_pose, witness_value};

/// What [`within_op`] reads.
pub const WITHIN_FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b", "poses_b", "distance"];
/// What [`pairs_op`] reads.
pub const PAIRS_FIELDS: &[&str] = &["bodies", "within"];

/// Whether two bodies are within a distance of each other, with the witness.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn within_op(request: &Request) -> Result<Fields, QueryError> {
    let Some(distance) = request.length("distance")? else {
        return Err(QueryError::new(Code::MissingField, "distance is missing"));
    };
    let (a, b, pose_a) = (request.body("a")?, request.body("b")?, request.pose("pose_a")?);
    let mut cache = Cache::default();
    for_each_pose(request, |pose_b| {
        let Within { within, witness, lower, upper, end, iterations } =
            within(&a, &pose_a, &b, pose_b, distance, &mut cache);
        Ok(vec![
            ("within", Value::from(within)),
            ("witness", witness_value(&witness)?),
            ("lower", number("lower bound", lower)?),
            ("upper", number("upper bound", upper)?),
            ("end", Value::from(end_name(end))),
            ("iterations", Value::from(iterations)),
        ])
    })
}

/// All pairs of a list of bodies that are within a distance of each other, in ascending order.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn pairs_op(request: &Request) -> Result<Fields, QueryError> {
    let bodies = request.placed_bodies("bodies")?;
    let reach = request.length("within")?.unwrap_or(0.0);
    let mut pairs = Vec::new();
    for [i, j] in candidates(&bodies, reach) {
        let ([(a, pose_a), (b, pose_b)], mut cache) = ([&bodies[i], &bodies[j]], Cache::default());
        if !within(a, pose_a, b, pose_b, reach, &mut cache).within {
            continue;
        }
        let near = closest(a, pose_a, b, pose_b, &mut cache);
        let mut pair = serde_json::Map::new();
        pair.insert("a".to_owned(), Value::from(i));
        pair.insert("b".to_owned(), Value::from(j));
        pair.extend(closest_fields(&near)?.into_iter().map(|(name, value)| (name.to_owned(), value)));
        pairs.push(Value::Object(pair));
    }
    Ok(vec![("pairs", json!(pairs))])
}

/// Pairs of bodies whose boxes, grown by half the distance each and by rounding, overlap: along x in order, so that only those that
/// overlap there are compared.
fn candidates(bodies: &[(Body, Pose)], reach: Real) -> Vec<[usize; 2]> {
    let boxes: Vec<_> = bodies
        .iter()
        .map(|(body, pose)| {
            let bounds = body.aabb(pose);
            let far = bounds.min.abs().max(bounds.max.abs()).max_element();
            // A box without end stays so.
            let slack = if far.is_finite() { far * 64.0 * Real::EPSILON } else { 0.0 };
            bounds.grown(0.5 * reach + slack)
        })
        .collect();
    let mut order: Vec<usize> = (0..bodies.len()).collect();
    order.sort_by(|&i, &j| boxes[i].min.x.total_cmp(&boxes[j].min.x).then(i.cmp(&j)));
    let mut found = Vec::new();
    for (place, &i) in order.iter().enumerate() {
        for &j in order[place + 1..].iter().take_while(|&&j| boxes[j].min.x <= boxes[i].max.x) {
            if boxes[i].overlaps(&boxes[j]) {
                found.push([i.min(j), i.max(j)]);
            }
        }
    }
    found.sort_unstable();
    found
}
