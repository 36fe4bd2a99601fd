//! The ops about two bodies: whether they overlap, and their signed distance. A new algorithm is one row of a table.

use super::library::study::closest_features::{self, FeatureCache};
use super::library::study::gjk::{SubAlgorithm, closest_by, distance_by};
use super::library::study::{PairCache, combined, gilbert, linear_program, mpr, sa_gjk, separating_vector};
use super::library::{Cache, Closest, Core, End, Overlap, Polytope, Pose, Shape, Support, VertexId, Witness};
use super::library::{batch, closest, overlap};
use serde_json::{Value, json};

use super::answer::{Fields, Request, number, vector};
use super::concave::Concave;
use super::error::{Code, QueryError};
use super::suggest::{did_you_mean, list, quoted};

/// What [`overlap_op`] reads.
pub const OVERLAP_FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b", "poses_b", "algorithm"];
/// What [`closest_op`] reads.
pub const CLOSEST_FIELDS: &[&str] = &["a", "b", "pose_a", "pose_b", "poses_b", "algorithm", "depth"];

/// Two bodies at their places.
pub(super) struct Pair {
    pub a: Shape,
    pub pose_a: Pose,
    pub b: Shape,
    pub pose_b: Pose,
}

/// The names a field may have and what each stands for; nothing if this version does not have it. The first is the default.
pub(super) type Choices<T> = [(&'static str, Option<T>)];

/// A way to the boolean; not every body is fit for every way.
type Boolean = fn(&Pair) -> Result<Overlap, QueryError>;

const OVERLAPS: &Choices<Boolean> = &[
    ("auto", Some(|pair| Ok(the_best_way(pair)))),
    ("sa-gjk", Some(|pair| Ok(by_sa_gjk(pair)))),
    ("mpr", Some(|pair| Ok(by_mpr(pair)))),
    ("separating-vector", Some(|pair| Ok(by_separating_vector(pair)))),
    ("linear-program", Some(by_linear_program)),
    ("combined", Some(|pair| Ok(by_combined(pair)))),
];

/// How the distance of bodies that are apart is found.
#[derive(Clone, Copy)]
enum Distance {
    /// The best for the pair.
    Auto,
    Gjk,
    Johnson,
    Gilbert,
    /// Marching over features, which are part of the answer.
    Features,
}

const DISTANCES: &Choices<Distance> = &[
    ("auto", Some(Distance::Auto)),
    ("gjk", Some(Distance::Gjk)),
    ("gjk-johnson", Some(Distance::Johnson)),
    ("gilbert", Some(Distance::Gilbert)),
    ("closest-features", Some(Distance::Features)),
];

/// How the depth of bodies that overlap is found.
#[derive(Clone, Copy)]
enum Depth {
    Epa,
    /// An estimate from above: of the bounds of the distance only the lower one is near it.
    Mpr,
}

const DEPTHS: &Choices<Depth> = &[("epa", Some(Depth::Epa)), ("mpr", Some(Depth::Mpr))];

/// Whether two bodies share a point, and why.
///
/// # Errors
/// If a field is bad or the algorithm is not to be had; the message names the field.
pub fn overlap_op(request: &Request) -> Result<Fields, QueryError> {
    let run = choose(request, "algorithm", OVERLAPS)?;
    if let Some(concave) = Concave::read(request, &["algorithm"])? {
        let mut cache = Cache::default();
        return for_each_pose(request, |pose_b| concave.overlap(pose_b, &mut cache));
    }
    let mut pair = Pair::read(request)?;
    if let Some(poses) = poses_of(request)?.filter(|_| is_auto(request, "algorithm")) {
        let answers = batch::overlap_at(&pair.a, &pair.pose_a, &pair.b, &poses);
        return listed(answers.iter().map(overlap_fields));
    }
    for_each_pose(request, |pose_b| {
        pair.pose_b = *pose_b;
        overlap_fields(&run(&pair)?)
    })
}

fn overlap_fields(answer: &Overlap) -> Result<Fields, QueryError> {
    let Overlap { overlap, witness, end, iterations } = answer;
    Ok(vec![
        ("overlap", Value::from(*overlap)),
        ("witness", witness_value(witness)?),
        ("end", Value::from(end_name(*end))),
        ("iterations", Value::from(*iterations)),
    ])
}

/// Whether a field leaves the choice to the library.
fn is_auto(request: &Request, field: &str) -> bool {
    request.name(field).is_ok_and(|name| name.is_none_or(|name| name == "auto"))
}

/// The poses of `poses_b`, if that is given in place of `pose_b`.
pub(super) fn poses_of(request: &Request) -> Result<Option<Vec<Pose>>, QueryError> {
    let Some(poses) = request.poses("poses_b")? else { return Ok(None) };
    if let Some(node) = request.find("pose_b") {
        return Err(node.bad("and poses_b are both given; a query has one of them"));
    }
    Ok(Some(poses))
}

/// Several answers as one.
pub(super) fn listed(answers: impl Iterator<Item = Result<Fields, QueryError>>) -> Result<Fields, QueryError> {
    let object = |fields: Fields| fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let answers: Result<Vec<Value>, QueryError> = answers.map(|fields| Ok(Value::Object(object(fields?)))).collect();
    Ok(vec![("answers", Value::Array(answers?))])
}

/// Answers for `pose_b`, or for each of `poses_b` in a list.
pub(super) fn for_each_pose(
    request: &Request,
    mut answer: impl FnMut(&Pose) -> Result<Fields, QueryError>,
) -> Result<Fields, QueryError> {
    match poses_of(request)? {
        Some(poses) => listed(poses.iter().map(answer)),
        None => answer(&request.pose("pose_b")?),
    }
}

/// The signed distance of two bodies, with points, normal and bounds.
///
/// # Errors
/// If a field is bad or the algorithm is not to be had; the message names the field.
pub fn closest_op(request: &Request) -> Result<Fields, QueryError> {
    let distance = choose(request, "algorithm", DISTANCES)?;
    let depth = choose(request, "depth", DEPTHS)?;
    if let Some(concave) = Concave::read(request, &["algorithm", "depth"])? {
        let mut cache = Cache::default();
        return for_each_pose(request, |pose_b| concave.closest(pose_b, &mut cache));
    }
    let mut pair = Pair::read(request)?;
    if let (Distance::Auto, Depth::Epa, Some(poses)) = (distance, depth, poses_of(request)?) {
        let answers = batch::closest_at(&pair.a, &pair.pose_a, &pair.b, &poses);
        return listed(answers.iter().map(closest_fields));
    }
    for_each_pose(request, |pose_b| {
        pair.pose_b = *pose_b;
        let (answer, features) = match distance {
            Distance::Features => by_features(&pair, depth)?,
            _ => (signed_distance(&pair, distance, depth), None),
        };
        let mut fields = closest_fields(&answer)?;
        fields.extend(features.map(|features| ("features", features)));
        Ok(fields)
    })
}

/// The members of an answer about a signed distance.
pub(super) fn closest_fields(answer: &Closest) -> Result<Fields, QueryError> {
    let Closest { distance, lower, upper, points: [on_a, on_b], normal, end, iterations, .. } = *answer;
    Ok(vec![
        ("distance", number("distance", distance)?),
        ("lower", number("lower bound", lower)?),
        ("upper", number("upper bound", upper)?),
        ("points", Value::from(vec![vector("point of a", on_a)?, vector("point of b", on_b)?])),
        ("normal", vector("normal", normal)?),
        ("end", Value::from(end_name(end))),
        ("iterations", Value::from(iterations)),
    ])
}

impl Pair {
    /// The two bodies of a request.
    pub fn read(request: &Request) -> Result<Self, QueryError> {
        let (a, pose_a) = (request.shape("a")?, request.pose("pose_a")?);
        let (b, pose_b) = (request.shape("b")?, request.pose("pose_b")?);
        Ok(Self { a, pose_a, b, pose_b })
    }

    /// Their signed distance, cold.
    pub fn closest(&self) -> Closest {
        closest(&self.a, &self.pose_a, &self.b, &self.pose_b, &mut Cache::default())
    }
}

fn signed_distance(pair: &Pair, distance: Distance, depth: Depth) -> Closest {
    let Pair { a, pose_a, b, pose_b } = pair;
    let cache = &mut PairCache::default();
    let way = match distance {
        Distance::Auto | Distance::Features => return usual_distance(pair, depth),
        Distance::Gjk => SubAlgorithm::Regions,
        Distance::Johnson | Distance::Gilbert => SubAlgorithm::Johnson,
    };
    match (distance, depth) {
        (Distance::Gilbert, Depth::Epa) => gilbert::closest(a, pose_a, b, pose_b, cache),
        (_, Depth::Epa) => closest_by(way, a, pose_a, b, pose_b, cache),
        // The distance run tells whether there is a depth to be estimated.
        (_, Depth::Mpr) => {
            let looks = match distance_by(way, a, pose_a, b, pose_b, cache) {
                Ok(near) if near.distance > 0.0 => return near,
                Ok(near) => near.iterations,
                Err(looks) => looks,
            };
            let deep = mpr::depth(a, pose_a, b, pose_b);
            Closest { iterations: deep.iterations + looks, ..deep }
        }
    }
}

/// The best way for the pair; an estimate of a depth replaces the depth alone.
fn usual_distance(pair: &Pair, depth: Depth) -> Closest {
    let usual = pair.closest();
    match depth {
        Depth::Mpr if usual.distance <= 0.0 => mpr::depth(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b),
        _ => usual,
    }
}

fn the_best_way(pair: &Pair) -> Overlap {
    overlap(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &mut Cache::default())
}

fn by_sa_gjk(pair: &Pair) -> Overlap {
    sa_gjk::overlap(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &mut PairCache::default())
}

/// One frame of it: what the last one leaves behind is not part of a query.
fn by_combined(pair: &Pair) -> Overlap {
    let mut cache = combined::CombinedCache::default();
    combined::frame(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &mut cache).overlap
}

fn by_mpr(pair: &Pair) -> Overlap {
    mpr::overlap(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b)
}

fn by_separating_vector(pair: &Pair) -> Overlap {
    let Pair { a, pose_a, b, pose_b } = pair;
    let options = separating_vector::Options::default();
    separating_vector::overlap_by(&options, a, pose_a, b, pose_b, &mut PairCache::default()).0
}

fn by_linear_program(pair: &Pair) -> Result<Overlap, QueryError> {
    let program = linear_program::overlap(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
    program.map(|program| program.overlap).ok_or_else(|| {
        let curved = if linear_program::vertex_count(&pair.a).is_none() { "a" } else { "b" };
        lacking("linear-program", curved, "vertices and flat faces; it is curved or rounded")
    })
}

/// The signed distance by marching, and the features it is between; an estimate of a depth replaces the depth alone.
fn by_features(pair: &Pair, depth: Depth) -> Result<(Closest, Option<Value>), QueryError> {
    let [a, b] = [("a", &pair.a), ("b", &pair.b)].map(|(field, shape)| {
        faceted(shape)
            .ok_or_else(|| lacking("closest-features", field, "faces; only cuboids and polytopes have them here"))
    });
    let (a, b) = (a?, b?);
    let found = closest_features::of_shapes(&a, &pair.pose_a, &b, &pair.pose_b, &mut FeatureCache::default());
    let Some(answer) = found else {
        return Err(lacking("closest-features", "a or b", "faces"));
    };
    let estimated = matches!(depth, Depth::Mpr) && answer.closest.distance <= 0.0;
    let closest = if estimated { usual_distance(pair, depth) } else { answer.closest };
    let [of_a, of_b] = [(&a, answer.features[0]), (&b, answer.features[1])].map(|(shape, of)| feature_value(shape, of));
    Ok((closest, Some(json!({ "a": of_a, "b": of_b }))))
}

/// A sharp body with faces as a polytope: a cuboid's vertices keep their order.
fn faceted(shape: &Shape) -> Option<Shape> {
    match shape.core() {
        _ if shape.radius() > 0.0 => None,
        Core::Polytope(_) => Some(shape.clone()),
        core @ Core::Cuboid { .. } => {
            let corners: Vec<_> = (0..8).filter_map(|i| core.vertex(VertexId(i))).collect();
            Polytope::from_points(&corners).ok().map(Shape::from)
        }
        _ => None,
    }
}

/// A feature in answers: an edge by the vertices at its ends, the lower first.
fn feature_value(shape: &Shape, feature: closest_features::PolytopeFeature) -> Value {
    use closest_features::PolytopeFeature::{Edge, Face, Vertex};
    match feature {
        Vertex(i) => json!({ "vertex": i }),
        Face(i) => json!({ "face": i }),
        Edge(i) => {
            let Core::Polytope(polytope) = shape.core() else { return json!({ "edge": [] }) };
            let origin = |i: u32| polytope.half_edges().get(i as usize).map_or(0, |half_edge| half_edge.origin);
            let mut ends = [origin(i), origin(polytope.next(i))];
            ends.sort_unstable();
            json!({ "edge": ends })
        }
    }
}

/// The error for a shape that an algorithm has no use for.
fn lacking(algorithm: &str, field: &str, what: &str) -> QueryError {
    let message = format!("algorithm {} needs {field} to have {what}", quoted(algorithm));
    QueryError::new(Code::UnsupportedAlgorithm, message)
}

/// What the name in `field` stands for; the first choice if the field is absent.
pub(super) fn choose<T: Copy>(request: &Request, field: &str, choices: &Choices<T>) -> Result<T, QueryError> {
    let given = request.name(field)?;
    let chosen = match &given {
        None => choices.first(),
        Some(given) => choices.iter().find(|(name, _)| name == given),
    };
    match (chosen, given.unwrap_or_default()) {
        (Some((_, Some(run))), _) => Ok(*run),
        (Some((name, None)), _) => {
            let available = choices.iter().filter(|(_, run)| run.is_some()).map(|(name, _)| *name);
            let message = format!("{field} {} is not in this version; it has {}", quoted(name), list(available));
            Err(QueryError::new(Code::UnsupportedAlgorithm, message))
        }
        (None, given) => {
            let names = || choices.iter().map(|(name, _)| *name);
            let hint = did_you_mean(&given, names());
            let message = format!("{field} is {}, no known one{hint}; known: {}", quoted(&given), list(names()));
            Err(QueryError::new(Code::UnknownAlgorithm, message))
        }
    }
}

pub(super) fn witness_value(witness: &Witness) -> Result<Value, QueryError> {
    Ok(match *witness {
        Witness::Plane { normal, offset_a, offset_b } => json!({ "plane": {
            "normal": vector("normal of the plane", normal)?,
            "offset_a": number("offset of a", offset_a)?,
            "offset_b": number("offset of b", offset_b)?,
        }}),
        Witness::Point(point) => json!({ "point": vector("common point", point)? }),
        Witness::Gap(gap) => json!({ "gap": number("gap", gap)? }),
        Witness::Points([on_a, on_b]) => {
            json!({ "points": [vector("point of a", on_a)?, vector("point of b", on_b)?] })
        }
    })
}

/// The name of an end in answers.
pub(super) fn end_name(end: End) -> &'static str {
    match end {
        End::Converged => "converged",
        End::IterationLimit => "iteration-limit",
        End::Degenerate => "degenerate",
    }
}
