//! A scene: bodies, how they move, the room they move in, and what is asked of them.
//!
//! The format is JSON, described in `docs/scene.md`. Shapes and poses are those of `clearance query`, read by the same code; a
//! field that the format does not have is an error here too. Nothing of a scene is believed: sizes are bounded before anything
//! is made, and a body that does not fit into its room is refused.

use std::collections::HashSet;

use clap::ValueEnum;
use clearance::world::{Boxes, Broad, Group, Mode, WorldOptions};
use clearance::{ManifoldOptions, Pose, Shape, Vec3};
use clearance_testkit::Rng;

use super::room::{Room, RoomSize};
use super::swarm;
use crate::query::parse::{Node, Object};
use crate::query::shapes::{self, Definitions};
use crate::query::{Code, QueryError};
use crate::suggest::{Short, did_you_mean, list, quoted};
use clearance::LARGEST_SIZE;

/// The version of the format that this program reads.
pub const VERSION: u32 = 1;
/// Bodies that a scene may have.
pub const MAX_BODIES: usize = 100_000;
/// Frames that a run may have.
pub const MAX_FRAMES: u32 = 1_000_000;

/// Every field of a scene.
const FIELDS: &[&str] = &[
    "clearance",
    "title",
    "frames",
    "seed",
    "room",
    "mode",
    "within",
    "broad",
    "boxes",
    "schedule",
    "reaction",
    "ignore",
    "shapes",
    "bodies",
    "swarms",
];

/// What is asked about the pairs: the modes of a world, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, ValueEnum)]
pub enum ModeName {
    /// Whether they touch.
    #[default]
    Boolean,
    /// Whether they touch, and the nearest points of the frame before.
    Combined,
    /// The distances of all pairs within the scene's `within`.
    Closest,
    /// The contact points of those that touch.
    Contacts,
}

/// How pairs of boxes are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, ValueEnum)]
pub enum BroadName {
    /// A grid, sorted anew in each frame.
    #[default]
    Grid,
    /// A tree of boxes.
    Tree,
    /// Three sorted axes.
    SweepAndPrune,
    /// Three sorted axes in each region of a partition of space.
    PartitionedSweep,
    /// Every pair.
    BruteForce,
}

/// What kind of boxes follow the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, ValueEnum)]
pub enum BoxesName {
    /// Tight ones, or nearly so for polytopes with many vertices.
    #[default]
    Auto,
    /// Tight ones.
    Dynamic,
    /// Cubes of the bounding radius.
    Fixed,
}

/// What two bodies do when they begin to touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, ValueEnum)]
pub enum Reaction {
    /// Both turn back: velocity and spin are reversed.
    #[default]
    Reverse,
    /// Nothing: they pass through each other.
    Pass,
}

/// What the command line asks for in place of what the scene says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// How many frames.
    pub frames: Option<u32>,
    /// The seed of the swarms.
    pub seed: Option<u32>,
    /// What is asked about the pairs.
    pub mode: Option<ModeName>,
    /// How pairs of boxes are found.
    pub broad: Option<BroadName>,
}

/// A body and its motion; a frame is the unit of time.
#[derive(Clone, Debug)]
pub struct Mover {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its shape.
    pub shape: Shape,
    /// Where it is in the first frame.
    pub pose: Pose,
    /// How far it moves in a frame.
    pub velocity: Vec3,
    /// The axis it turns about, as long as its angle in a frame in radians.
    pub spin: Vec3,
    /// Its group.
    pub group: Group,
}

/// A scene, read and checked.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What it shows, in a line.
    pub title: Option<String>,
    /// How many frames are run.
    pub frames: u32,
    /// The seed of the swarms.
    pub seed: u32,
    /// The room, if there is one.
    pub room: Option<Room>,
    /// What is asked about the pairs, by name.
    pub mode: ModeName,
    /// How pairs of boxes are found, by name.
    pub broad: BroadName,
    /// The same and more, for the world.
    pub options: WorldOptions,
    /// What bodies do when they begin to touch.
    pub reaction: Reaction,
    /// Groups that are not tested against each other.
    pub ignored: Vec<[Group; 2]>,
    /// The bodies, those of swarms last.
    pub bodies: Vec<Mover>,
}

impl Scene {
    /// Reads the members of a scene.
    ///
    /// # Errors
    /// If they make no scene; the message names the field.
    pub fn from_object(object: &Object, overrides: &Overrides) -> Result<Self, QueryError> {
        check_version(object)?;
        object.only(FIELDS)?;
        let frames = overrides.frames.map_or_else(|| object.get("frames")?.whole(1..=MAX_FRAMES), Ok)?;
        let written_seed = object.find("seed").map(|seed| seed.index()).transpose()?.unwrap_or(1);
        let seed = overrides.seed.unwrap_or(written_seed);
        let written_mode: ModeName = choice(object, "mode")?;
        let within = within(object, written_mode)?;
        let mode = overrides.mode.unwrap_or(written_mode);
        let written_broad: BroadName = choice(object, "broad")?;
        let broad = overrides.broad.unwrap_or(written_broad);
        let schedule = object.find("schedule").map(|flag| flag.boolean()).transpose()?.unwrap_or(false);
        let (bodies, room) = populate(object, seed)?;
        Ok(Self {
            title: object.find("title").map(|title| title.string()).transpose()?,
            frames,
            seed,
            room,
            mode,
            broad,
            options: WorldOptions {
                mode: world_mode(mode, within),
                broad: world_broad(broad),
                boxes: match choice(object, "boxes")? {
                    BoxesName::Auto => Boxes::Auto,
                    BoxesName::Dynamic => Boxes::Dynamic,
                    BoxesName::Fixed => Boxes::Fixed,
                },
                queries: false,
                schedule,
                ..WorldOptions::default()
            },
            reaction: choice(object, "reaction")?,
            ignored: ignored(object)?,
            bodies,
        })
    }
}

fn check_version(object: &Object) -> Result<(), QueryError> {
    let missing =
        || format!("clearance is missing; a scene begins with \"clearance\": {VERSION}, the version of its format");
    let version = object.find("clearance").ok_or_else(|| QueryError::new(Code::MissingField, missing()))?;
    match version.index()? {
        VERSION => Ok(()),
        other => Err(version.bad(format!("is {other}; this program reads version {VERSION} of the format"))),
    }
}

fn world_mode(mode: ModeName, within: f64) -> Mode {
    match mode {
        ModeName::Boolean => Mode::Boolean,
        ModeName::Combined => Mode::Combined,
        ModeName::Closest => Mode::Closest { within },
        ModeName::Contacts => Mode::Contacts(ManifoldOptions::default()),
    }
}

fn world_broad(broad: BroadName) -> Broad {
    match broad {
        BroadName::Grid => Broad::Grid,
        BroadName::Tree => Broad::Tree,
        BroadName::SweepAndPrune => Broad::SweepAndPrune,
        BroadName::PartitionedSweep => Broad::PartitionedSweep,
        BroadName::BruteForce => Broad::BruteForce,
    }
}

/// One of the names of `T`; the first if the field is absent.
fn choice<T: ValueEnum + Default>(object: &Object, field: &str) -> Result<T, QueryError> {
    let Some(node) = object.find(field) else {
        return Ok(T::default());
    };
    let given = node.string()?;
    T::from_str(&given, false).map_err(|_| none_of(&node, &given, &names::<T>()))
}

/// The names of a choice.
pub fn names<T: ValueEnum>() -> Vec<String> {
    let named = |variant: &T| variant.to_possible_value().map(|value| value.get_name().to_owned());
    T::value_variants().iter().filter_map(named).collect()
}

/// The name of one.
pub fn name<T: ValueEnum>(variant: T) -> String {
    variant.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// The error of a name that is none of the known ones.
pub(super) fn none_of(node: &Node, given: &str, known: &[String]) -> QueryError {
    let known = || known.iter().map(String::as_str);
    node.bad(format!("is {}{}; known: {}", quoted(given), did_you_mean(given, known()), list(known())))
}

fn within(object: &Object, mode: ModeName) -> Result<f64, QueryError> {
    let Some(node) = object.find("within") else {
        return Ok(0.0);
    };
    if mode != ModeName::Closest {
        return Err(node.bad("is of use only if mode is 'closest'"));
    }
    node.length()
}

fn ignored(object: &Object) -> Result<Vec<[Group; 2]>, QueryError> {
    let Some(node) = object.find("ignore") else {
        return Ok(Vec::new());
    };
    let pair = |pair: Node| {
        let groups = pair.elements()?.map(|number| group(&number)).collect::<Result<Vec<_>, _>>()?;
        let count = groups.len();
        <[Group; 2]>::try_from(groups).map_err(|_| pair.bad(format!("must have 2 groups, not {count}")))
    };
    node.elements()?.map(pair).collect()
}

/// A group by its number.
pub(super) fn group(node: &Node) -> Result<Group, QueryError> {
    let number = node.whole(0..=Group::COUNT as u32 - 1)?;
    Group::new(number as usize).map_err(|error| node.bad(error))
}

/// All bodies in their places, and their room.
fn populate(object: &Object, seed: u32) -> Result<(Vec<Mover>, Option<Room>), QueryError> {
    let mut rng = Rng::new(u64::from(seed));
    let definitions = definitions(object)?;
    let mut bodies = written_bodies(object, &definitions)?;
    let written = bodies.len();
    swarm::read(object, &mut rng, &mut bodies)?;
    if bodies.is_empty() {
        return Err(QueryError::new(Code::MissingField, "bodies and swarms are missing: nothing moves here"));
    }
    let size = object.find("room").map(|room| RoomSize::read(&room)).transpose()?;
    let Some(size) = size else {
        if written < bodies.len() {
            return Err(QueryError::new(Code::MissingField, "room is missing: swarms need one to be placed in"));
        }
        return Ok((bodies, None));
    };
    let radii = || bodies.iter().map(|body| body.shape.bounding_radius());
    let room = size.room(radii());
    if !(room.half_extents.max_element() <= LARGEST_SIZE) {
        return Err(QueryError::new(Code::BadField, format!("room is more than {LARGEST_SIZE:e} wide")));
    }
    let largest = radii().fold(0.0, f64::max);
    if room.half_extents.min_element() < largest {
        let message = format!(
            "room has half extents {}, less than the radius {} of the largest body",
            shown(room.half_extents),
            Short(largest)
        );
        return Err(QueryError::new(Code::BadField, message));
    }
    swarm::place(&mut bodies[written..], &room, &mut rng)?;
    let outside = |body: &Mover| !room.holds(body.pose.translation(), body.shape.bounding_radius());
    match bodies[..written].iter().position(outside) {
        None => Ok((bodies, Some(room))),
        Some(i) => {
            let (at, radius) = (shown(bodies[i].pose.translation()), Short(bodies[i].shape.bounding_radius()));
            let message =
                format!("bodies[{i}].pose.translation is {at}: a ball of radius {radius} there reaches beyond a wall");
            Err(QueryError::new(Code::BadField, message))
        }
    }
}

fn shown(vector: Vec3) -> String {
    format!("{:?}", vector.to_array())
}

fn definitions(object: &Object) -> Result<Definitions, QueryError> {
    let mut definitions = Definitions::new();
    let Some(node) = object.find("shapes") else {
        return Ok(definitions);
    };
    let members = node.object()?;
    for name in members.names() {
        let built = shapes::shape(&members.get(name)?, &definitions)?;
        definitions.insert(name.to_owned(), built);
    }
    Ok(definitions)
}

fn written_bodies(object: &Object, definitions: &Definitions) -> Result<Vec<Mover>, QueryError> {
    let Some(node) = object.find("bodies") else {
        return Ok(Vec::new());
    };
    let elements = node.elements()?;
    if elements.len() > MAX_BODIES {
        return Err(node.bad(format!("are {}, more than {MAX_BODIES}", elements.len())));
    }
    let mut known = HashSet::new();
    let mut bodies = Vec::with_capacity(elements.len());
    for element in elements {
        let body = mover(&element, definitions)?;
        if let Some(name) = body.name.as_ref().filter(|name| !known.insert((*name).clone())) {
            return Err(element.bad(format!("has the name {}, as another body has", quoted(name))));
        }
        bodies.push(body);
    }
    Ok(bodies)
}

fn mover(node: &Node, definitions: &Definitions) -> Result<Mover, QueryError> {
    let object = node.object()?;
    object.only(&["name", "shape", "pose", "velocity", "spin_degrees", "group"])?;
    Ok(Mover {
        name: object.find("name").map(|name| name.string()).transpose()?,
        shape: {
            let node = object.get("shape")?;
            shapes::shape(&node, definitions)?.convex(&node)?
        },
        pose: shapes::pose(&object, "pose")?,
        velocity: object.find("velocity").map_or(Ok(Vec3::ZERO), |node| velocity(&node))?,
        spin: object.find("spin_degrees").map_or(Ok(Vec3::ZERO), |node| spin(&node))?,
        group: object.find("group").map(|number| group(&number)).transpose()?.unwrap_or_default(),
    })
}

fn velocity(node: &Node) -> Result<Vec3, QueryError> {
    let velocity = shapes::vector(node)?;
    in_range(node, velocity.length())?;
    Ok(velocity)
}

/// A body faster than space is wide cannot be followed.
pub(super) fn in_range(node: &Node, speed: f64) -> Result<(), QueryError> {
    if speed <= LARGEST_SIZE { Ok(()) } else { Err(node.bad(format!("is more than {LARGEST_SIZE:e} in a frame"))) }
}

fn spin(node: &Node) -> Result<Vec3, QueryError> {
    let degrees = shapes::vector(node)?;
    at_most_a_turn(node, degrees.length())?;
    Ok(degrees.map(f64::to_radians))
}

/// Turning farther than once around in a frame looks like turning less.
pub(super) fn at_most_a_turn(node: &Node, degrees: f64) -> Result<(), QueryError> {
    if degrees <= 360.0 {
        Ok(())
    } else {
        Err(node.bad(format!("is {} degrees in a frame; the most is 360", Short(degrees))))
    }
}
