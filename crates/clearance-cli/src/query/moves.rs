//! The ops `slide` and `move`: a body among obstacles.

use serde_json::{Value, json};

use super::answer::{Fields, Request, number, vector};
use super::cast::{feature_values, refused, rotation};
use super::error::{Code, QueryError};
use super::library::{
    Body, BodyRef, Cache, Cast, CastOptions, ContactPoint, Pose, Rotation, SlideEnd, Start, Vec3, move_body, slide,
};
use super::pairs::end_name;

/// What [`slide_op`] reads.
pub const SLIDE_FIELDS: &[&str] = &["b", "pose_b", "translation", "obstacles", "clearance"];
/// What [`move_op`] reads.
pub const MOVE_FIELDS: &[&str] = &["b", "pose_b", "translation", "rotation", "obstacles", "clearance"];

/// Moves b along a translation, and on along what it meets.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn slide_op(request: &Request) -> Result<Fields, QueryError> {
    let (b, pose_b, translation) = (request.body("b")?, request.pose("pose_b")?, request.vector("translation")?);
    let (obstacles, options) = (request.placed_bodies("obstacles")?, options(request)?);
    let slid = slide(&borrowed(&obstacles), &b, &pose_b, translation, &mut Cache::default(), &options)
        .map_err(|error| refused(&error))?;
    let contacts: Vec<Value> =
        slid.hits.iter().map(|(index, hit)| contact(&obstacles, &b, *index, hit)).collect::<Result<_, _>>()?;
    let end = match slid.end {
        SlideEnd::Free => "free",
        SlideEnd::Slid => "slid",
        SlideEnd::Stopped => "stopped",
        SlideEnd::StepLimit => "iteration-limit",
        SlideEnd::Overlapping => "overlapping",
    };
    let moved = slid.pose.translation() - pose_b.translation();
    let whole = translation.length();
    let fraction = if whole > 0.0 { (moved.length() / whole).min(1.0) } else { 1.0 };
    let mut fields = vec![
        ("pose", pose_value(&slid.pose)?),
        ("fraction", number("fraction", fraction)?),
        ("contacts", Value::Array(contacts)),
        ("left", vector("what is left", slid.left)?),
    ];
    if let Some(out) = slid.way_out {
        fields.push(("way_out", vector("way out", out)?));
    }
    fields.push(("end", Value::from(end)));
    Ok(fields)
}

/// Moves b along a translation and then turns it, each as far as it is free.
///
/// # Errors
/// If a field is bad; the message names it.
pub fn move_op(request: &Request) -> Result<Fields, QueryError> {
    let (b, pose_b) = (request.body("b")?, request.pose("pose_b")?);
    let (obstacles, options) = (request.placed_bodies("obstacles")?, options(request)?);
    let translation = if request.has("translation") { request.vector("translation")? } else { Vec3::ZERO };
    let turn = request.find("rotation").map(|node| rotation(&node)).transpose()?;
    if turn.is_none() && !request.has("translation") {
        return Err(QueryError::new(Code::MissingField, "translation is missing; a move has it, a rotation, or both"));
    }
    let still = Rotation { origin: pose_b.translation(), axis: Vec3::Z, angle: 0.0 };
    let list = borrowed(&obstacles);
    let moved = move_body(&list, &b, &pose_b, translation, turn.unwrap_or(still), &mut Cache::default(), &options)
        .map_err(|error| refused(&error))?;
    let stops = [moved.translation, moved.rotation];
    let fractions = stops.iter().map(|(_, cast)| number("fraction", cast.fraction)).collect::<Result<Vec<_>, _>>()?;
    let bounds =
        |of: fn(&Cast) -> _| stops.iter().map(|(_, cast)| number("bound", of(cast))).collect::<Result<Vec<_>, _>>();
    let mut contacts = Vec::new();
    for (index, cast) in &stops {
        if let Some(hit) = &cast.hit {
            contacts.push(contact(&obstacles, &b, *index, hit)?);
        }
    }
    let mut fields = vec![
        ("pose", pose_value(&moved.pose)?),
        ("fractions", json!(fractions)),
        ("lower", json!(bounds(|cast| cast.lower)?)),
        ("upper", json!(bounds(|cast| cast.upper)?)),
        ("contacts", Value::Array(contacts)),
    ];
    if let Start::Overlapping { way_out } = stops[0].1.start {
        fields.push(("way_out", vector("way out", way_out)?));
    }
    fields.push(("end", json!(stops.map(|(_, cast)| end_name(cast.end)))));
    Ok(fields)
}

fn options(request: &Request) -> Result<CastOptions, QueryError> {
    let mut options = CastOptions::default();
    if let Some(clearance) = request.length("clearance")? {
        options.clearance = clearance;
    }
    Ok(options)
}

fn borrowed(obstacles: &[(Body, Pose)]) -> Vec<(BodyRef<'_>, Pose)> {
    obstacles.iter().map(|(body, pose)| (BodyRef::from(body), *pose)).collect()
}

fn contact(obstacles: &[(Body, Pose)], b: &Body, index: usize, hit: &ContactPoint) -> Result<Value, QueryError> {
    let [on_a, on_b] = hit.points;
    let bodies = obstacles.get(index).map_or([b, b], |(body, _)| [body, b]);
    Ok(json!({
        "obstacle": index,
        "point": vector("point", on_a + (on_b - on_a) / 2.0)?,
        "normal": vector("normal", hit.normal)?,
        "distance": number("distance", hit.distance)?,
        "features": feature_values(bodies, hit.features),
    }))
}

fn pose_value(pose: &Pose) -> Result<Value, QueryError> {
    let rotation =
        pose.rotation().to_array().into_iter().map(|x| number("rotation", x)).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({ "translation": vector("translation", pose.translation())?, "rotation": rotation }))
}
