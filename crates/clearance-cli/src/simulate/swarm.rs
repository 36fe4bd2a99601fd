//! Swarms: many polytopes of one kind, made and placed at random (Q_COLLIDE, section 6.2).
//!
//! The thesis samples points on an ellipsoid, a thin rod and a flat plate, without saying of which proportions. Here all three are
//! ellipsoids, of semi-axes 1 : ¾ : ½, 1 : ⅒ : ⅒ and 1 : 1 : ⅒, because every point of an ellipsoid becomes a vertex of the hull
//! while points inside a flat end would not. Bodies are placed in cells of one lattice over the room, shaken within their cells,
//! so that they begin apart as long as the cells are wider than the bodies.

use crate::suggest::Short;
use clearance::{Pose, Shape, Vec3};
use clearance_testkit::Rng;

use super::room::Room;
use super::scene::{MAX_BODIES, Mover, at_most_a_turn, group, in_range, none_of};
use crate::query::parse::{Node, Object};
use crate::query::{Code, QueryError};

/// Vertices of a polytope of a swarm.
const MAX_VERTICES: u32 = 100_000;
/// Vertices of all polytopes that a swarm makes.
const MAX_TOTAL: u64 = 10_000_000;
/// Different polytopes that a swarm makes unless asked for more: its bodies share them.
const MODELS: u32 = 100;

/// Every kind of a swarm's bodies, with the semi-axes; those of `mixed` are taken in turn.
const KINDS: [(&str, Vec3); 3] =
    [("ellipsoid", Vec3::new(1.0, 0.75, 0.5)), ("rod", Vec3::new(1.0, 0.1, 0.1)), ("plate", Vec3::new(1.0, 1.0, 0.1))];
const MIXED: &str = "mixed";

/// Makes the bodies of all swarms, still in the origin.
///
/// # Errors
/// If a swarm is none; the message names the field.
pub fn read(object: &Object, rng: &mut Rng, bodies: &mut Vec<Mover>) -> Result<(), QueryError> {
    let Some(node) = object.find("swarms") else {
        return Ok(());
    };
    for swarm in node.elements()? {
        let made = make(&swarm, rng)?;
        if bodies.len() + made.len() > MAX_BODIES {
            return Err(swarm.bad(format!("makes more than {MAX_BODIES} bodies, together with those before")));
        }
        bodies.extend(made);
    }
    Ok(())
}

fn make(node: &Node, rng: &mut Rng) -> Result<Vec<Mover>, QueryError> {
    let object = node.object()?;
    object.only(&["count", "kind", "vertices", "models", "radius", "speed", "spin_degrees", "group"])?;
    let count = object.get("count")?.whole(1..=MAX_BODIES as u32)?;
    let axes = kind(&object.get("kind")?)?;
    let vertices = object.get("vertices")?.whole(4..=MAX_VERTICES)?;
    let models = object.find("models").map_or(Ok(MODELS.min(count)), |node| node.whole(1..=count))?;
    if u64::from(models) * u64::from(vertices) > MAX_TOTAL {
        return Err(node.bad(format!("has {models} models of {vertices} vertices, more than {MAX_TOTAL} in all")));
    }
    let radius = positive(&object.get("radius")?)?;
    let pace = object.get("speed")?;
    let speed = radius * pace.length()?;
    in_range(&pace, speed)?;
    let turn = object.get("spin_degrees")?;
    let spin = turn.length()?.to_radians();
    at_most_a_turn(&turn, turn.length()?)?;
    let group = object.find("group").map(|number| group(&number)).transpose()?.unwrap_or_default();
    let models = (0..models as usize)
        .map(|i| {
            let axes = axes[i % axes.len()] * radius;
            let points: Vec<Vec3> = (0..vertices).map(|_| rng.unit_vector() * axes).collect();
            Shape::polytope(&points).map_err(|error| QueryError::new(Code::BadShape, format!("{}: {error}", node.path)))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mover = |i: usize| Mover {
        name: None,
        shape: models[i % models.len()].clone(),
        pose: Pose::IDENTITY,
        velocity: rng.unit_vector() * speed,
        spin: rng.unit_vector() * spin,
        group,
    };
    Ok((0..count as usize).map(mover).collect())
}

fn kind(node: &Node) -> Result<Vec<Vec3>, QueryError> {
    let given = node.string()?;
    let chosen: Vec<Vec3> =
        KINDS.iter().filter(|(name, _)| given == MIXED || given == *name).map(|(_, axes)| *axes).collect();
    if !chosen.is_empty() {
        return Ok(chosen);
    }
    let known: Vec<String> = KINDS.iter().map(|(name, _)| *name).chain([MIXED]).map(str::to_owned).collect();
    Err(none_of(node, &given, &known))
}

fn positive(node: &Node) -> Result<f64, QueryError> {
    let number = node.number()?;
    if number > 0.0 { Ok(number) } else { Err(node.bad(format!("is {}; it must be positive", Short(number)))) }
}

/// Puts each body somewhere in the room, turned at random.
///
/// # Errors
/// If the room is larger than a pose can say.
pub fn place(bodies: &mut [Mover], room: &Room, rng: &mut Rng) -> Result<(), QueryError> {
    let counts = cells(bodies.len(), room.half_extents);
    let size = 2.0 * room.half_extents / Vec3::from(counts.map(|count| count as f64));
    let mut order: Vec<usize> = (0..counts.iter().product()).collect();
    for (i, body) in bodies.iter_mut().enumerate() {
        // Shuffles no more of the cells than are needed.
        let chosen = i + rng.index(order.len() - i);
        order.swap(i, chosen);
        let cell = order[i];
        let indices = [cell % counts[0], cell / counts[0] % counts[1], cell / counts[0] / counts[1]];
        let middle = (Vec3::from(indices.map(|index| index as f64)) + 0.5) * size - room.half_extents;
        let radius = body.shape.bounding_radius();
        let shaken = rng.in_box((0.5 * size - Vec3::splat(radius)).max(Vec3::ZERO));
        let at = room.nearest(room.center + middle + shaken, radius);
        body.pose = Pose::new(at, rng.rotation())
            .map_err(|error| QueryError::new(Code::BadField, format!("room: a body cannot be placed: {error}")))?;
    }
    Ok(())
}

/// Cells along each axis: as many as there are bodies, fewer than twice as many, about as wide as high.
fn cells(count: usize, half_extents: Vec3) -> [usize; 3] {
    let mut counts = [1; 3];
    while counts.iter().product::<usize>() < count {
        let width = |axis: &usize| half_extents[*axis] / counts[*axis] as f64;
        let widest = (0..3).max_by(|a, b| width(a).total_cmp(&width(b))).unwrap_or(0);
        counts[widest] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_has_a_cell_for_each_body_and_follows_the_room() {
        assert_eq!(cells(1, Vec3::ONE), [1, 1, 1]);
        assert_eq!(cells(1000, Vec3::ONE), [10, 10, 10]);
        assert_eq!(cells(50, Vec3::new(1e9, 1.0, 1.0)), [50, 1, 1]);
        for count in [2, 3, 7, 499, 500, 100_000] {
            let cells: usize = cells(count, Vec3::new(3.0, 2.0, 1.0)).iter().product();
            assert!((count..2 * count).contains(&cells), "{count}: {cells}");
        }
    }
}
