//! One frame as a line: of JSON for programs, of a table for people. No times: the lines of two runs are the same.

use std::io::{self, Write};

use clearance::Closest;
use clearance::world::{BodyId, ContactPair, Event, EventKind, NearPair};
use serde_json::{Map, Value, json};

use super::motion::Frame;
use super::scene::{ModeName, Scene};
use super::summary::Totals;

/// The head of the table.
pub const HEAD: &str = "   frame     pairs    tested  touching     begun     ended  supports";

/// Writes the frame's row of the table.
///
/// # Errors
/// If it cannot be written.
pub fn write_row(frame: &Frame<'_>, totals: &Totals, output: &mut dyn Write) -> io::Result<()> {
    let (of, Totals { begun, ended, .. }) = (&totals.statistics, totals);
    let (number, pairs, tested, touching, supports) = (frame.number, of.pairs, of.tested, of.touching, of.supports);
    writeln!(output, "{number:>8}  {pairs:>8}  {tested:>8}  {touching:>8}  {begun:>8}  {ended:>8}  {supports:>8}")
}

/// The frame as an object: events, what the mode finds out, and statistics.
pub fn to_json(frame: &Frame<'_>, totals: &Totals, scene: &Scene) -> Value {
    let events: Vec<Value> = frame.step.events.iter().map(|of| event(of, scene)).collect();
    let mut object = json!({"frame": frame.number, "events": events});
    match scene.mode {
        ModeName::Closest => object["near"] = frame.step.near.iter().map(|of| near(of, scene)).collect(),
        ModeName::Contacts => object["contacts"] = frame.step.contacts.iter().map(|of| contact(of, scene)).collect(),
        ModeName::Boolean | ModeName::Combined => {}
    }
    object["statistics"] = totals.to_json();
    object
}

/// The bodies by their numbers, and by their names if one has a name.
fn pair(bodies: [BodyId; 2], scene: &Scene) -> Map<String, Value> {
    let indices = bodies.map(BodyId::index);
    let names = indices.map(|index| scene.bodies.get(index).and_then(|body| body.name.as_ref()));
    let mut object = Map::new();
    object.insert("bodies".to_owned(), json!(indices));
    if names.iter().any(Option::is_some) {
        object.insert("names".to_owned(), json!(names));
    }
    object
}

fn event(event: &Event, scene: &Scene) -> Value {
    let kind = match event.kind {
        EventKind::Begin => "begin",
        EventKind::Persist => "persist",
        EventKind::End => "end",
    };
    let mut object = pair(event.bodies, scene);
    object.insert("kind".to_owned(), kind.into());
    if let Some(before) = &event.before {
        object.insert("before".to_owned(), closest(before).into());
    }
    object.into()
}

fn closest(of: &Closest) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("distance".to_owned(), of.distance.into());
    object.insert("points".to_owned(), json!(of.points.map(|point| point.to_array())));
    object.insert("normal".to_owned(), json!(of.normal.to_array()));
    object
}

fn near(of: &NearPair, scene: &Scene) -> Value {
    let mut object = pair(of.bodies, scene);
    object.extend(closest(&of.closest));
    object.into()
}

fn contact(of: &ContactPair, scene: &Scene) -> Value {
    let mut object = pair(of.bodies, scene);
    let points: Vec<_> =
        of.manifold.points.iter().map(|point| (0.5 * (point.points[0] + point.points[1])).to_array()).collect();
    object.insert("depth".to_owned(), of.manifold.depth().into());
    object.insert("normal".to_owned(), json!(of.manifold.normal.to_array()));
    object.insert("points".to_owned(), json!(points));
    object.into()
}
