//! The ops `within` and `pairs`: which bodies are within a distance of each other; and `push_out`: a way out of an overlap.

use serde_json::{Value, json};

use super::answer::{Fields, Request, number, vector};
use super::error::{Code, QueryError};
use super::library::world::{Mode, NewBody, World, WorldOptions};
use super::library::{Aabb, Body, Cache, Pose, Real, Within, batch, push_out, within};
use super::pairs::{closest_fields, end_name, listed, poses_of, witness_value};

/// What [`within_op`] reads.
pub const WITHIN_FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b", "poses_b", "distance"];
/// What [`push_out_op`] reads.
pub const PUSH_OUT_FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b"];
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
    match poses_of(request)? {
        Some(poses) => listed(batch::within_at(&a, &pose_a, &b, &poses, distance).iter().map(within_fields)),
        None => {
            let pose_b = request.pose("pose_b")?;
            within_fields(&within(&a, &pose_a, &b, &pose_b, distance, &mut Cache::default()))
        }
    }
}

fn within_fields(answer: &Within) -> Result<Fields, QueryError> {
    let Within { within, witness, lower, upper, end, iterations } = answer;
    Ok(vec![
        ("within", Value::from(*within)),
        ("witness", witness_value(witness)?),
        ("lower", number("lower bound", *lower)?),
        ("upper", number("upper bound", *upper)?),
        ("end", Value::from(end_name(*end))),
        ("iterations", Value::from(*iterations)),
    ])
}

/// A translation of B out of an overlap with A, with the signed distance after it.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn push_out_op(request: &Request) -> Result<Fields, QueryError> {
    let (a, b) = (request.body("a")?, request.body("b")?);
    let (pose_a, pose_b) = (request.pose("pose_a")?, request.pose("pose_b")?);
    let out = push_out(&a, &pose_a, &b, &pose_b, &mut Cache::default());
    let after: serde_json::Map<String, Value> =
        closest_fields(&out.near)?.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Ok(vec![
        ("translation", vector("translation", out.translation)?),
        ("after", Value::Object(after)),
        ("end", Value::from(end_name(out.end))),
    ])
}

/// All pairs of a list of bodies that are within a distance of each other, in ascending order.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn pairs_op(request: &Request) -> Result<Fields, QueryError> {
    let (bodies, poses): (Vec<Body>, Vec<Pose>) = request.placed_bodies("bodies")?.into_iter().unzip();
    let reach = request.length("within")?.unwrap_or(0.0);
    let mut near = candidates(&bodies, &poses, reach)?;
    let answers = batch::within(&bodies, &poses, &near, reach)
        .map_err(|error| QueryError::new(Code::BadField, error.to_string()))?;
    let mut is_near = answers.iter().map(|answer| answer.within);
    near.retain(|_| is_near.next().unwrap_or(false));
    if near.len() > MOST_PAIRS {
        return Err(too_many("bodies within the distance", MOST_PAIRS));
    }
    let signed = batch::closest(&bodies, &poses, &near);
    let signed = signed.map_err(|error| QueryError::new(Code::BadField, error.to_string()))?;
    let mut pairs = Vec::with_capacity(near.len());
    for ([i, j], near) in near.into_iter().zip(&signed) {
        let mut pair = serde_json::Map::new();
        pair.insert("a".to_owned(), Value::from(i));
        pair.insert("b".to_owned(), Value::from(j));
        pair.extend(closest_fields(near)?.into_iter().map(|(name, value)| (name.to_owned(), value)));
        pairs.push(Value::Object(pair));
    }
    Ok(vec![("pairs", json!(pairs))])
}

/// Pairs in one answer.
pub const MOST_PAIRS: usize = 100_000;

/// Pairs of bodies that a world finds within the distance or a little farther, in ascending order.
fn candidates(bodies: &[Body], poses: &[Pose], reach: Real) -> Result<Vec<[u32; 2]>, QueryError> {
    let far = |bounds: Aabb| bounds.min.abs().max(bounds.max.abs()).max_element();
    let placed = || bodies.iter().zip(poses);
    let size = placed().map(|(body, pose)| far(body.aabb(pose))).filter(|far| far.is_finite());
    let within = reach + 64.0 * Real::EPSILON * (reach + size.fold(0.0, Real::max));
    let options = WorldOptions { queries: false, most_pairs: MOST_BOXES, ..WorldOptions::default() };
    let mut world = World::new(WorldOptions { mode: Mode::Closest { within }, ..options });
    for (i, (body, pose)) in placed().enumerate() {
        let added = world.add(NewBody::new(body.clone(), *pose));
        added.map_err(|error| QueryError::new(Code::BadField, format!("bodies[{i}]: {error}")))?;
    }
    let step = world.step();
    if !step.is_complete {
        return Err(too_many("overlapping boxes", MOST_BOXES));
    }
    Ok(step.near.iter().map(|pair| pair.bodies.map(|body| body.index() as u32)).collect())
}

/// Pairs of boxes that are looked at for one answer.
const MOST_BOXES: usize = 1 << 20;

fn too_many(what: &str, most: usize) -> QueryError {
    let message =
        format!("bodies has more than {most} pairs of {what}, the most for one answer; ask for fewer bodies at once");
    QueryError::new(Code::BadField, message)
}
