//! A robot in its surroundings: bodies at rest, objects that it holds, and the pairs that are checked.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use clearance::{Aabb, Body, Polytope, Pose, Shape};

use crate::chain::{BASE, Placed};
use crate::error::WorkcellError;
use crate::pair::{Pair, Paths, Quick, SEEDS, Seed, pairs_of};
use crate::robot::Robot;
use crate::seeds;
use crate::solid::{AT_REST, Parts, Solid};

/// A robot with its base at a pose, the bodies around it, and the objects attached to its links.
///
/// **What is checked.** Every two links, except: those joined by a joint; those that the SRDF disables; those that no joint moves against
/// each other; those that were [allowed](Workcell::allow). Every link and attached object against every body of the surroundings, and
/// attached objects against all links but their own and those named when they were attached. Pairs that no joint moves, as a base link
/// and the floor, are checked for collision, and are not part of distances.
///
/// Links, and then the other bodies in the order in which they were added, are numbered; answers name pairs by these numbers, and
/// [`Workcell::name`] says which is which.
///
/// ```
/// use clearance::{Pose, Shape};
/// use clearance_robot::{ConfigOptions, Robot, RobotOptions, Verdict, Workcell};
/// let arm = r#"<robot name="arm">
///   <link name="base"/>
///   <link name="fore"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
///   <joint name="elbow" type="continuous"><parent link="base"/><child link="fore"/><axis xyz="0 0 1"/></joint>
/// </robot>"#;
/// let mut cell = Workcell::new(&Robot::parse(arm, "", &RobotOptions::default())?);
/// cell.add("post", Shape::cylinder(1.0, 0.1)?, &Pose::from_translation([0.0, 0.8, 0.0])?)?;
/// let found = cell.check_configs(&[0.0, 1.5, f64::NAN], &ConfigOptions::default())?;
/// assert_eq!(found.answers[0].verdict, Verdict::Free);
/// assert_eq!(found.answers[1].pair.map(|pair| pair.map(|body| cell.name(body))), Some(["fore", "post"]));
/// assert_eq!(found.answers[2].verdict, Verdict::Invalid);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Workcell {
    pub(crate) robot: Robot,
    pub(crate) base: Placed,
    base_pose: Pose,
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    extras: Vec<Extra>,
    allowed: HashSet<[u32; 2]>,
    pub(crate) solids: Vec<Solid>,
    pub(crate) pairs: Arc<[Pair]>,
    /// The same pairs for a first look; those of two moving bodies first.
    pub(crate) quick: Vec<Quick>,
    pub(crate) moving_pairs: usize,
    /// The pairs after those, by the body at rest that they have.
    pub(crate) groups: Vec<Range<usize>>,
    pub(crate) paths: Paths,
    /// The boxes of the bodies at rest.
    pub(crate) boxes: Vec<Aabb>,
    /// Directions that often separate two links, by their bodies.
    seeds: HashMap<[u32; 2], [Seed; SEEDS]>,
    /// A pair that overlaps in every configuration.
    pub(crate) always: Option<[u32; 2]>,
    /// No point of a moving body is farther from its frame.
    pub(crate) size: f64,
    /// No point of a bounded body at rest is farther from the origin.
    pub(crate) far: f64,
}

/// Vertices of a mesh around which a hull is made, at most.
const LARGEST_HULL: usize = 50_000;

/// A body that is no link.
#[derive(Debug, Clone)]
struct Extra {
    owner: u32,
    body: Body,
    pose: Pose,
    /// The link that it is attached to.
    link: Option<usize>,
}

impl Workcell {
    /// A robot alone, its root link at the identity.
    pub fn new(robot: &Robot) -> Self {
        let mut cell = Self {
            robot: robot.clone(),
            base: Placed::IDENTITY,
            base_pose: Pose::IDENTITY,
            names: robot.link_names().map(str::to_owned).collect(),
            numbers: robot.link_names().zip(0..).map(|(name, number)| (name.to_owned(), number)).collect(),
            extras: Vec::new(),
            allowed: HashSet::new(),
            solids: Vec::new(),
            pairs: Arc::new([]),
            quick: Vec::new(),
            moving_pairs: 0,
            groups: Vec::new(),
            paths: Paths { steps: Vec::new(), of_pairs: Arc::new([]) },
            boxes: Vec::new(),
            seeds: HashMap::new(),
            always: None,
            size: 0.0,
            far: 0.0,
        };
        let joined = robot.urdf().joints.iter().map(|joint| [joint.parent as u32, joint.child as u32]);
        let index = |name: &String| robot.link_index(name).map(|index| index as u32);
        let disabled = robot.srdf().disabled.iter().filter_map(|[a, b]| Some([index(a)?, index(b)?]));
        cell.allowed = joined.chain(disabled).map(sorted).collect();
        cell.solids = cell.link_solids().collect();
        cell.connect();
        cell
    }

    /// The robot.
    pub fn robot(&self) -> &Robot {
        &self.robot
    }

    /// Puts the root link at a pose.
    pub fn set_base(&mut self, pose: &Pose) {
        (self.base_pose, self.base) = (*pose, Placed::of(pose));
        self.solids = self.link_solids().chain(self.extras.iter().map(|extra| self.extra_solid(extra))).collect();
        self.connect();
    }

    /// Where the root link is.
    pub fn base(&self) -> &Pose {
        &self.base_pose
    }

    /// Adds a body at rest to the surroundings; returns its number.
    ///
    /// # Errors
    /// If the name is taken.
    pub fn add(&mut self, name: &str, body: impl Into<Body>, pose: &Pose) -> Result<u32, WorkcellError> {
        let owner = self.insert(name, body.into(), pose, None)?;
        self.connect();
        Ok(owner)
    }

    /// Adds many bodies at rest to the surroundings, faster than one by one; returns the number of the first, and the others follow.
    ///
    /// # Errors
    /// If a name is taken; the bodies before it are added.
    pub fn add_all<'n>(
        &mut self,
        bodies: impl IntoIterator<Item = (&'n str, Body, Pose)>,
    ) -> Result<u32, WorkcellError> {
        let first = self.names.len() as u32;
        let added =
            bodies.into_iter().try_for_each(|(name, body, pose)| self.insert(name, body, &pose, None).map(|_| ()));
        self.connect();
        added.map(|()| first)
    }

    /// Attaches an object to a link, at a pose in the link's frame; it may touch that link and those named in `touching`.
    ///
    /// # Errors
    /// If the name is taken, or a link does not exist.
    ///
    /// ```
    /// use clearance::{Pose, Shape};
    /// use clearance_robot::{ConfigOptions, Robot, RobotOptions, Verdict, Workcell};
    /// let slider = r#"<robot name="slider">
    ///   <link name="rail"/><link name="cart"><collision><geometry><sphere radius="0.5"/></geometry></collision></link>
    ///   <joint name="x" type="prismatic"><parent link="rail"/><child link="cart"/><limit lower="0" upper="9"/></joint>
    /// </robot>"#;
    /// let mut cell = Workcell::new(&Robot::parse(slider, "", &RobotOptions::default())?);
    /// cell.add("stop", Shape::cuboid([1.0, 1.0, 1.0])?, &Pose::from_translation([5.0, 0.0, 0.0])?)?;
    /// let free = |cell: &Workcell| Ok::<_, Box<dyn std::error::Error>>(
    ///     cell.check_configs(&[3.0], &ConfigOptions::default())?.answers[0].verdict == Verdict::Free,
    /// );
    /// assert!(free(&cell)?);
    /// cell.attach("pole", "cart", Shape::capsule(1.0, 0.1)?, &Pose::IDENTITY, &[])?;
    /// assert!(!free(&cell)?);
    /// cell.remove("pole")?;
    /// assert!(free(&cell)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attach(
        &mut self,
        name: &str,
        link: &str,
        body: impl Into<Body>,
        pose: &Pose,
        touching: &[&str],
    ) -> Result<u32, WorkcellError> {
        let at = self.link(link)?;
        let touching = touching.iter().map(|name| self.link(name)).collect::<Result<Vec<_>, _>>()?;
        let owner = self.insert(name, body.into(), pose, Some(at))?;
        self.allowed.extend(touching.iter().chain([&at]).map(|link| sorted([owner, *link as u32])));
        self.connect();
        Ok(owner)
    }

    /// Takes a body of the surroundings or an attached object away. The numbers of the others stay.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn remove(&mut self, name: &str) -> Result<(), WorkcellError> {
        let owner = self.body(name)?;
        if (owner as usize) < self.robot.urdf().links.len() {
            return Err(WorkcellError::UnknownBody { name: name.to_owned() });
        }
        self.extras.retain(|extra| extra.owner != owner);
        self.solids.retain(|solid| solid.owner != owner);
        self.allowed.retain(|pair| !pair.contains(&owner));
        // The number is not used again, and the name may be.
        self.names[owner as usize].clear();
        self.numbers.remove(name);
        self.connect();
        Ok(())
    }

    /// Allows two links or bodies to touch and overlap: their pair is not checked any more.
    ///
    /// # Errors
    /// If there is no such link or body.
    pub fn allow(&mut self, a: &str, b: &str) -> Result<(), WorkcellError> {
        let pair = sorted([self.body(a)?, self.body(b)?]);
        self.allowed.insert(pair);
        self.connect();
        Ok(())
    }

    /// Forbids two links or bodies to touch again, also those joined by a joint or disabled by the SRDF.
    ///
    /// # Errors
    /// If there is no such link or body.
    pub fn forbid(&mut self, a: &str, b: &str) -> Result<(), WorkcellError> {
        let pair = sorted([self.body(a)?, self.body(b)?]);
        self.allowed.remove(&pair);
        self.connect();
        Ok(())
    }

    /// The name of a link or body; empty if there is none of that number.
    pub fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", String::as_str)
    }

    /// The names of links and bodies by their numbers; those of bodies that were removed are empty.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many pairs of bodies are checked for each configuration.
    pub fn pair_count(&self) -> usize {
        self.pairs.len()
    }

    /// The frame that a link or an attached object moves with.
    pub(crate) fn frame_of(&self, owner: u32) -> Option<u32> {
        let link = match self.robot.chain.links.get(owner as usize) {
            Some(_) => Some(owner as usize),
            None => self.extras.iter().find(|extra| extra.owner == owner).and_then(|extra| extra.link),
        };
        link.map(|link| self.robot.chain.links[link].0).filter(|frame| *frame != BASE)
    }

    fn link(&self, name: &str) -> Result<usize, WorkcellError> {
        self.robot.link_index(name).ok_or_else(|| WorkcellError::UnknownLink { name: name.to_owned() })
    }

    fn body(&self, name: &str) -> Result<u32, WorkcellError> {
        let found = self.numbers.get(name).copied();
        found.ok_or_else(|| WorkcellError::UnknownBody { name: name.to_owned() })
    }

    fn insert(&mut self, name: &str, body: Body, pose: &Pose, link: Option<usize>) -> Result<u32, WorkcellError> {
        if name.is_empty() || self.numbers.contains_key(name) {
            return Err(WorkcellError::NameTaken { name: name.to_owned() });
        }
        let owner = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), owner);
        self.extras.push(Extra { owner, body, pose: *pose, link });
        self.solids.extend(self.extras.last().map(|extra| self.extra_solid(extra)));
        Ok(owner)
    }

    /// Makes the pairs anew.
    fn connect(&mut self) {
        let moving = self.solids.iter().filter(|solid| !solid.is_at_rest());
        self.size = moving.map(|solid| solid.centre.length() + solid.radius).fold(0.0, f64::max);
        let resting = self.solids.iter().filter(|solid| solid.is_at_rest());
        let reach = |solid: &Solid| solid.centre.length() + if solid.radius.is_finite() { solid.radius } else { 0.0 };
        self.far = resting.map(reach).fold(0.0, f64::max);
        let is_allowed = |a: &Solid, b: &Solid| self.allowed.contains(&sorted([a.owner, b.owner]));
        let links = self.robot.urdf().links.len() as u32;
        let (mut pairs, resting) = pairs_of(&self.solids, links, is_allowed);
        self.seed(&mut pairs);
        let is_moving = |pair: &&Pair| !self.solids[pair.b as usize].is_at_rest();
        self.moving_pairs = pairs.iter().filter(is_moving).count();
        let radius = |body: u32| self.solids[body as usize].radius;
        let far = |pair: &Pair| radius(pair.a) + if is_moving(&pair) { radius(pair.b) } else { 0.0 };
        self.quick = pairs.iter().map(|pair| Quick { a: pair.a, b: pair.b, far: far(pair) }).collect();
        let around = &self.quick[self.moving_pairs..];
        let mut next = 0;
        let group = |pairs: &[Quick]| {
            next += pairs.len();
            next - pairs.len()..next
        };
        self.groups = around.chunk_by(|one, other| one.b == other.b).map(group).collect();
        self.boxes = self.solids.iter().map(|solid| solid.bounds).collect();
        self.paths = Paths::of(&pairs, &self.solids, &self.robot.chain);
        self.pairs = pairs.into();
        let met = resting.into_iter().find(|pair| self.rest_overlaps(*pair));
        self.always = met.map(|[a, b]| [self.solids[a as usize].owner, self.solids[b as usize].owner]);
    }

    /// Gives pairs of links the directions that often separate them, which do not depend on the surroundings.
    fn seed(&mut self, pairs: &mut [Pair]) {
        let mut samples = None;
        let links = self.robot.shared.bodies.len() as u32;
        for pair in pairs.iter_mut().filter(|pair| pair.a < links && pair.b < links) {
            if self.solids[pair.b as usize].is_at_rest() {
                continue;
            }
            pair.seeds = *self.seeds.entry([pair.a, pair.b]).or_insert_with(|| {
                let samples = samples.get_or_insert_with(|| seeds::samples(&self.robot));
                seeds::learn(pair, &self.solids, samples)
            });
        }
    }

    /// Where a link is: its frame, and its pose there; in world space for what the base carries.
    fn on_link(&self, link: usize, pose: &Pose) -> (u32, Pose) {
        let (frame, offset) = self.robot.chain.links[link];
        let inner = offset.compose(pose);
        if frame == BASE { (AT_REST, self.base_pose.compose(&inner)) } else { (frame, inner) }
    }

    fn link_solids(&self) -> impl Iterator<Item = Solid> {
        self.robot.shared.bodies.iter().map(|on| {
            let (frame, pose) = self.on_link(on.link, &on.origin);
            let (body, hull) = (on.body.clone(), on.hull.clone());
            Solid::new(Parts { owner: on.link as u32, body, hull, is_convex: on.is_convex }, frame, &pose)
        })
    }

    fn extra_solid(&self, extra: &Extra) -> Solid {
        let (frame, pose) = match extra.link {
            Some(link) => self.on_link(link, &extra.pose),
            None => (AT_REST, extra.pose),
        };
        let hull = match &extra.body {
            Body::Convex(shape) => Some(shape.clone()),
            // What a room encloses is free, and a hull around very many points takes long.
            Body::Mesh(mesh) if !mesh.is_room() && mesh.vertices().len() <= LARGEST_HULL => {
                Polytope::from_points(mesh.vertices()).ok().map(Shape::from)
            }
            _ => None,
        };
        let is_convex = matches!(extra.body, Body::Convex(_) | Body::HalfSpace(_));
        Solid::new(Parts { owner: extra.owner, body: extra.body.clone(), hull, is_convex }, frame, &pose)
    }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    if a <= b { [a, b] } else { [b, a] }
}
