//! The op `trajectory`: the paper's formulas for one moving feature and one at rest, along a straight way or an arc.
//!
//! All formulas are homogeneous in the coordinates, so that these are scaled by a power of two to about one first: nothing overflows, and
//! tiny features keep their digits.

use serde_json::{Value, json};

use super::answer::{Fields, Request, wide};
use super::cast::rotation;
use super::error::{Code, QueryError};
use super::library::Vec3;
use super::library::glam::DVec3;
use super::library::study::trajectory::{
    RestingEdge, RestingPolygon, Turn, translated_edge, translated_point, turned_edge, turned_point,
};
use super::suggest::{did_you_mean, list, quoted};

/// What [`trajectory_op`] reads.
pub const FIELDS: &[&str] = &["kind", "moving", "resting", "outset", "translation", "rotation", "zone"];

const KINDS: [&str; 2] = ["vertex-face", "edge-edge"];

/// How the feature moves.
enum Way {
    Straight(DVec3),
    Arc(Turn),
}

/// The fraction of the way after which the feature meets the one at rest; without contact it is null.
///
/// # Errors
/// If a field is absent or bad; the message names it.
pub fn trajectory_op(request: &Request) -> Result<Fields, QueryError> {
    let is_edge = kind(request)?;
    let (moving, resting) = (request.point_list("moving")?, request.point_list("resting")?);
    counted("moving", moving.len(), if is_edge { 2..=2 } else { 1..=1 })?;
    counted("resting", resting.len(), if is_edge { 2..=2 } else { 3..=usize::MAX })?;
    if request.has("outset") && !is_edge {
        return Err(bad("outset is of edges only; a polygon's zone is along its normal"));
    }
    let outset = if request.has("outset") { widened(request.vector("outset")?) } else { DVec3::ZERO };
    let zone = request.length("zone")?.map_or(0.0, wide);
    let way = way(request)?;
    let scale = scale(moving.iter().chain(&resting).copied().chain(way.reach()), zone);
    let [moving, resting] = [moving, resting].map(|points| points.into_iter().map(|p| p * scale).collect::<Vec<_>>());
    let (way, zone) = (way.scaled(scale), zone * scale);
    let fraction = match (&moving[..], &resting[..]) {
        (&[from, to], &[first, second]) => {
            for (name, ends) in [("moving", [from, to]), ("resting", [first, second])] {
                if ends[0] == ends[1] {
                    return Err(bad(format!("{name} has two ends in one place")));
                }
            }
            way.edge([from, to], &RestingEdge { ends: [first, second], outset }, zone)
        }
        (&[point], corners) => {
            let (normal, offset) = plane(corners)?;
            way.point(point, &RestingPolygon { normal, offset, corners }, zone)
        }
        _ => None,
    };
    // A turn by nothing that starts in contact has met at once; the formula divides by the angle.
    let fraction = fraction.map(|at| if at.is_finite() { at } else { 0.0 });
    Ok(vec![("hit", Value::from(fraction.is_some())), ("fraction", fraction.map_or(Value::Null, |f| json!(f)))])
}

fn bad(message: impl Into<String>) -> QueryError {
    QueryError::new(Code::BadField, message.into())
}

/// Whether the features are edges.
fn kind(request: &Request) -> Result<bool, QueryError> {
    let Some(given) = request.name("kind")? else {
        return Err(QueryError::new(
            Code::MissingField,
            format!("kind is missing; known: {}", list(KINDS.into_iter())),
        ));
    };
    if !KINDS.contains(&given.as_str()) {
        let hint = did_you_mean(&given, KINDS);
        return Err(bad(format!("kind is {}, no known one{hint}; known: {}", quoted(&given), list(KINDS.into_iter()))));
    }
    Ok(given == KINDS[1])
}

fn counted(field: &str, count: usize, allowed: std::ops::RangeInclusive<usize>) -> Result<(), QueryError> {
    if allowed.contains(&count) {
        return Ok(());
    }
    let least = allowed.start();
    let more = if allowed.end() > least { " or more" } else { "" };
    let points = if *least == 1 { "point" } else { "points" };
    Err(bad(format!("{field} must have {least}{more} {points}, not {count}")))
}

fn way(request: &Request) -> Result<Way, QueryError> {
    match (request.has("translation"), request.find("rotation")) {
        (true, None) => Ok(Way::Straight(widened(request.vector("translation")?))),
        (false, Some(node)) => {
            let turn = rotation(&node)?;
            let angle = wide(turn.angle);
            if angle.abs() >= std::f64::consts::PI {
                return Err(bad("rotation.angle must be less than half a turn either way, which the formulas are for"));
            }
            let axis = widened(turn.axis);
            let axis = (axis / axis.abs().max_element()).normalize();
            Ok(Way::Arc(Turn { origin: widened(turn.origin), axis, angle }))
        }
        (true, Some(_)) => Err(bad("translation and rotation are both given; a trajectory is one of them")),
        (false, None) => {
            Err(QueryError::new(Code::MissingField, "translation is missing; a trajectory has it or a rotation"))
        }
    }
}

impl Way {
    /// A point that tells how large its numbers are.
    fn reach(&self) -> Option<DVec3> {
        match self {
            Self::Straight(v) => Some(*v),
            Self::Arc(turn) => Some(turn.origin),
        }
    }

    fn scaled(self, scale: f64) -> Self {
        match self {
            Self::Straight(v) => Self::Straight(v * scale),
            Self::Arc(turn) => Self::Arc(Turn { origin: turn.origin * scale, ..turn }),
        }
    }

    fn point(&self, point: DVec3, polygon: &RestingPolygon, zone: f64) -> Option<f64> {
        match self {
            Self::Straight(v) => translated_point(point, *v, polygon, zone),
            Self::Arc(turn) => turned_point(point, turn, polygon, zone),
        }
    }

    fn edge(&self, ends: [DVec3; 2], other: &RestingEdge, zone: f64) -> Option<f64> {
        match self {
            Self::Straight(v) => translated_edge(ends, *v, other, zone),
            Self::Arc(turn) => turned_edge(ends, turn, other, zone),
        }
    }
}

/// A power of two that brings the largest of the numbers to between a half and one; one if all are zero.
fn scale(points: impl Iterator<Item = DVec3>, zone: f64) -> f64 {
    let largest = points.map(|p| p.abs().max_element()).fold(zone, f64::max);
    // A tiny number's inverse may overflow: such are scaled as far as a power of two can.
    if largest > 0.0 { 2.0_f64.powi(-(largest.log2().floor() as i32 + 1).max(-1022)) } else { 1.0 }
}

/// The unit normal and the offset of a convex polygon's plane, through the mean of its corners.
fn plane(corners: &[DVec3]) -> Result<(DVec3, f64), QueryError> {
    let count = corners.len();
    let at = |i: usize| corners[i % count];
    let mean = corners.iter().sum::<DVec3>() / count as f64;
    let area: DVec3 = (0..count).map(|i| (at(i) - mean).cross(at(i + 1) - mean)).sum();
    let largest = area.abs().max_element();
    if !(largest > 0.0) {
        return Err(bad("resting has no area; it must be a polygon"));
    }
    let normal = (area / largest).normalize();
    let turns_in = |i: usize| (at(i + 1) - at(i)).cross(at(i + 2) - at(i + 1)).dot(normal) >= 0.0;
    if let Some(i) = (0..count).find(|&i| !turns_in(i)) {
        return Err(bad(format!("resting[{}] is a concave corner; the polygon must be convex", (i + 1) % count)));
    }
    Ok((normal, normal.dot(mean)))
}

fn widened(v: Vec3) -> DVec3 {
    DVec3::from_array(v.to_array().map(wide))
}
