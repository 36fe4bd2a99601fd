//! `clearance demo`: what the library answers, on a few shapes and on an embedded file of queries.

use std::error::Error;
use std::io::{self, Write};

use clearance::{Part, Polytope, Pose, Shape, Support, Vec3, VertexId};

use crate::Outcome;
use crate::query::Session;
use crate::query::answer::feature_counts;

/// The queries that the demonstration asks.
const QUERIES: &str = include_str!("../examples/demo.jsonl");

/// Points of the cloud that becomes a pebble.
const CLOUD: usize = 300;

/// Writes the demonstration.
///
/// # Errors
/// If it cannot be written.
pub fn run(output: &mut impl Write) -> io::Result<Outcome> {
    let shapes = shapes().map_err(io::Error::other)?;
    writeln!(output, "clearance answers questions about convex solids. A few solids, and what is known of them:\n")?;
    writeln!(output, "{:<34} {:>9} {:>8}  box, low to high corner", "solid", "corners", "volume")?;
    for (name, shape) in &shapes {
        let corners = feature_counts(shape).map_or("curved".to_owned(), |[vertices, ..]| vertices.to_string());
        let bounds = shape.aabb(&Pose::IDENTITY);
        let (low, high) = (point(bounds.min), point(bounds.max));
        writeln!(output, "{name:<34} {corners:>9} {:>8.3}  {low} to {high}", shape.volume())?;
    }
    writeln!(
        output,
        "\nThe farthest point of each along (1, 1, 0), the one question from which all others are answered:\n"
    )?;
    for (name, shape) in &shapes {
        let farthest = shape.support(Vec3::new(1.0, 1.0, 0.0), VertexId::NONE).point;
        writeln!(output, "{name:<34} {}", point(farthest))?;
    }
    writeln!(output, "\nThe same from any language, by `clearance query`: a line of JSON in (>), a line out (<).")?;
    writeln!(output, "Bad input is an error that names what is wrong, never a plausible number.\n")?;
    let mut session = Session::new();
    for line in QUERIES.lines() {
        if let Some(answer) = session.answer(line) {
            writeln!(output, "> {line}\n< {answer}")?;
        }
    }
    writeln!(
        output,
        "\nNext: `clearance query --help` for every shape and op, `clearance lab list` for the experiments."
    )?;
    Ok(Outcome::Fine)
}

fn shapes() -> Result<Vec<(&'static str, Shape)>, Box<dyn Error + Send + Sync>> {
    let cloud: Vec<Vec3> = cloud(CLOUD).collect();
    let ball_above = Part { shape: Shape::sphere(0.5)?, pose: Pose::from_translation([0.0, 0.0, 2.0])? };
    Ok(vec![
        ("pebble: hull of 300 points", Polytope::from_points(&cloud)?.into()),
        ("box: 2 x 1 x 1", Shape::cuboid([1.0, 0.5, 0.5])?),
        ("wheel: disc 0.8, tyre 0.2", Shape::wheel(0.8, 0.2)?),
        ("frustum: 2 x 2 to 1 x 1, 1 high", Shape::frustum([1.0, 1.0], [0.5, 0.5], 1.0)?),
        ("pin: hull of a disc and a ball", Shape::hull(Shape::disc(1.0)?.into(), ball_above)),
    ])
}

/// Points that fill an ellipsoid evenly: a spiral of golden angles whose radius varies.
fn cloud(count: usize) -> impl Iterator<Item = Vec3> {
    let golden_angle = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..count).map(move |i| {
        let z = 1.0 - (2 * i + 1) as f64 / count as f64;
        let (sin, cos) = (golden_angle * i as f64).sin_cos();
        let ring = (1.0 - z * z).sqrt();
        let inward = 1.0 - 0.2 * (i % 7) as f64 / 7.0;
        Vec3::new(1.0 * ring * cos, 0.7 * ring * sin, 0.4 * z) * inward
    })
}

fn point(p: Vec3) -> String {
    // Adding zero turns minus zero into zero; a number that rounds to it from below would still keep its sign.
    let [x, y, z] = p.to_array().map(|x| (x * 1000.0).round() / 1000.0 + 0.0);
    format!("({x:.3}, {y:.3}, {z:.3})")
}
