//! `clearance demo`: what the library answers, on two parts that come together and on an embedded file of queries.

use std::error::Error;
use std::io::{self, Write};

use clearance::{Cache, Part, Polytope, Pose, Shape, Vec3, Witness, closest, overlap};

use crate::Outcome;
use crate::query::Session;
use crate::query::answer::feature_counts;

/// The queries that the demonstration asks.
const QUERIES: &str = include_str!("../examples/demo.jsonl");

/// The slope of the wedge rises by 3 over 4, so its normal is this.
const SLOPE: Vec3 = Vec3::new(0.6, 0.0, 0.8);
/// Where the wheel stands when it touches the middle of the slope.
const TOUCHING: Vec3 = Vec3::new(2.6, 0.0, 2.3);
/// Distances at which the wheel is shown: apart, near, touching, deep.
const DISTANCES: [f64; 4] = [0.5, 0.001, 0.0, -0.25];

/// Points of the cloud that becomes a pebble.
const CLOUD: usize = 300;

type Made<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Writes the demonstration.
///
/// # Errors
/// If it cannot be written.
pub fn run(output: &mut impl Write) -> io::Result<Outcome> {
    let approach = Approach::new().map_err(io::Error::other)?;
    writeln!(
        output,
        "clearance tells whether two solids collide, how far apart or how deep inside each other they are,"
    )?;
    writeln!(output, "and where. A wheel of radius 1 is pushed into a wedge, square to its slope of 3 : 4:\n")?;
    approach.table(output)?;
    writeln!(
        output,
        "\nA negative distance is the depth: moving the wheel by it along the normal parts them. Each answer"
    )?;
    writeln!(output, "brings its reason, so that it need not be believed:\n")?;
    approach.reasons(output)?;
    writeln!(
        output,
        "\nAny solid against any other, by the same call; each at the origin, with the touching wheel:\n"
    )?;
    approach.others(&solids().map_err(io::Error::other)?, output)?;
    writeln!(output, "\nThe same from any language, by `clearance query`: a line of JSON in (>), a line out (<).")?;
    writeln!(output, "Bad input is an error that names what is wrong, never a plausible number.\n")?;
    let mut session = Session::new();
    for line in QUERIES.lines() {
        if let Some(answer) = session.answer(line) {
            writeln!(output, "> {line}\n< {answer}")?;
        }
    }
    writeln!(output, "\nNext: `clearance query --help` for every shape and op, `clearance lab list` for experiments.")?;
    Ok(Outcome::Fine)
}

/// A wheel that comes nearer to a wedge.
struct Approach {
    wedge: Shape,
    wheel: Shape,
    /// Of the wheel, one for each distance.
    poses: Vec<Pose>,
}

impl Approach {
    fn new() -> Made<Self> {
        let corners = [[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]].map(|[x, z]| [-1.0, 1.0].map(|y| Vec3::new(x, y, z)));
        let pose = |distance: f64| Pose::new((TOUCHING + SLOPE * distance).to_array(), [-0.5, -0.5, -0.5, 0.5]);
        Ok(Self {
            wedge: Polytope::from_points(corners.as_flattened())?.into(),
            wheel: Shape::wheel(0.75, 0.25)?,
            poses: DISTANCES.map(pose).into_iter().collect::<Result<_, _>>()?,
        })
    }

    fn table(&self, output: &mut impl Write) -> io::Result<()> {
        let [wheel_at, on_wedge, on_wheel] = ["wheel at", "point of the wedge", "point of the wheel"];
        writeln!(output, "{wheel_at:<21}  collide  distance  {on_wedge:<21}  {on_wheel:<21}  normal")?;
        // One cache for the pair: a question is answered faster if one like it came before.
        let mut cache = Cache::default();
        for pose in &self.poses {
            let collide = overlap(&self.wedge, &Pose::IDENTITY, &self.wheel, pose, &mut cache).overlap;
            let near = closest(&self.wedge, &Pose::IDENTITY, &self.wheel, pose, &mut cache);
            let (at, [on_wedge, on_wheel]) = (point(pose.translation()), near.points.map(point));
            let (collide, distance, normal) =
                (if collide { "yes" } else { "no" }, decimals(near.distance), point(near.normal));
            writeln!(output, "{at:<21}  {collide:<7}  {distance:>8}  {on_wedge:<21}  {on_wheel:<21}  {normal}")?;
        }
        Ok(())
    }

    /// The witnesses of the first and the last position, and the bounds of the last.
    fn reasons(&self, output: &mut impl Write) -> io::Result<()> {
        for pose in self.poses.iter().take(1).chain(self.poses.last()) {
            let answer = overlap(&self.wedge, &Pose::IDENTITY, &self.wheel, pose, &mut Cache::default());
            let at = point(pose.translation());
            match answer.witness {
                Witness::Plane { normal, offset_a, offset_b } => {
                    let (normal, ends, begins) = (point(normal), decimals(offset_a), decimals(offset_b));
                    writeln!(
                        output,
                        "{at}  apart: along {normal} the wedge ends at {ends}, the wheel begins at {begins}"
                    )?;
                }
                Witness::Gap(_) | Witness::Points(_) => {}
                Witness::Point(common) => writeln!(output, "{at}  collide: {} is a point of both", point(common))?,
            }
        }
        if let Some(pose) = self.poses.last() {
            let near = closest(&self.wedge, &Pose::IDENTITY, &self.wheel, pose, &mut Cache::default());
            let (at, error) = (point(pose.translation()), near.upper - near.lower);
            writeln!(output, "{at}  the distance lies between two proven bounds, {error:.0e} apart")?;
        }
        Ok(())
    }

    fn others(&self, solids: &[(&str, Shape)], output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "{:<34} {:>9} {:>8} {:>9}  normal", "solid", "corners", "volume", "distance")?;
        let [_, _, pose, _] = &self.poses[..] else { return Ok(()) };
        for (name, solid) in solids {
            let corners = feature_counts(solid).map_or("curved".to_owned(), |[vertices, ..]| vertices.to_string());
            let near = closest(solid, &Pose::IDENTITY, &self.wheel, pose, &mut Cache::default());
            let (distance, normal) = (decimals(near.distance), point(near.normal));
            writeln!(output, "{name:<34} {corners:>9} {:>8.3} {distance:>9}  {normal}", solid.volume())?;
        }
        Ok(())
    }
}

fn solids() -> Made<Vec<(&'static str, Shape)>> {
    let cloud: Vec<Vec3> = cloud(CLOUD).collect();
    let ball_above = Part { shape: Shape::sphere(0.5)?, pose: Pose::from_translation([0.0, 0.0, 2.0])? };
    Ok(vec![
        ("pebble: hull of 300 points", Polytope::from_points(&cloud)?.into()),
        ("block: box of 4 x 2 x 2", Shape::cuboid([2.0, 1.0, 1.0])?),
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
    let [x, y, z] = p.to_array().map(decimals);
    format!("({x}, {y}, {z})")
}

/// A number to three decimals.
fn decimals(x: f64) -> String {
    // Adding zero turns minus zero into zero; a number that rounds to it from below would still keep its sign.
    format!("{:.3}", (x * 1000.0).round() / 1000.0 + 0.0)
}
