//! The ops `within` and `pairs`: which bodies are within a distance of each other.

use serde_json::{Value, json};

use super::answer::{Fields, Request, number};
use super::error::{Code, QueryError};
use super::library::world::{BodyId, Mode, NewBody, World, WorldOptions};
use super::library::{Aabb, Body, Cache, Pose, Real, Within, closest, within};
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
    for [i, j] in candidates(&bodies, reach)? {
        let ([(a, pose_a), (b, pose_b)], mut cache) = ([&bodies[i], &bodies[j]], Cache::default());
        if !within(a, pose_a, b, pose_b, reach, &mut cache).within {
            continue;
        }
        if pairs.len() >= MOST_PAIRS {
            return Err(too_many("bodies within the distance", MOST_PAIRS));
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

/// Pairs in one answer.
pub const MOST_PAIRS: usize = 100_000;

/// Pairs of bodies that a world finds within the distance or a little farther, in ascending order.
fn candidates(bodies: &[(Body, Pose)], reach: Real) -> Result<Vec<[usize; 2]>, QueryError> {
    let far = |bounds: Aabb| bounds.min.abs().max(bounds.max.abs()).max_element();
    let size = bodies.iter().map(|(body, pose)| far(body.aabb(pose))).filter(|far| far.is_finite());
    let within = reach + 64.0 * Real::EPSILON * (reach + size.fold(0.0, Real::max));
    let options = WorldOptions { queries: false, most_pairs: MOST_BOXES, ..WorldOptions::default() };
    let mut world = World::new(WorldOptions { mode: Mode::Closest { within }, ..options });
    for (i, (body, pose)) in bodies.iter().enumerate() {
        let added = world.add(NewBody::new(body.clone(), *pose));
        added.map_err(|error| QueryError::new(Code::BadField, format!("bodies[{i}]: {error}")))?;
    }
    let step = world.step();
    if !step.is_complete {
        return Err(too_many("overlapping boxes", MOST_BOXES));
    }
    Ok(step.near.iter().map(|pair| pair.bodies.map(BodyId::index)).collect())
}

/// Pairs of boxes that are looked at for one answer.
const MOST_BOXES: usize = 1 << 20;

fn too_many(what: &str, most: usize) -> QueryError {
    let message =
        format!("bodies has more than {most} pairs of {what}, the most for one answer; ask for fewer bodies at once");
    QueryError::new(Code::BadField, message)
}
