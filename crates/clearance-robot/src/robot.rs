//! A robot: its links, joints and collision bodies, and where its links are for given joint values.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clearance::Pose;

use crate::batch::{check_row, rows};
use crate::chain::{Chain, Placed};
use crate::error::{BatchError, RobotError, RobotFault};
use crate::link_body::{LinkBody, bodies_of};
use crate::mesh_files::MeshFiles;
use crate::read::{JointKind, Srdf, Tree, Urdf};

/// How the meshes of a robot are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MeshUse {
    /// The triangles as they are: a solid if they are closed, otherwise a surface. A mesh that is convex is recognised, and a hull around
    /// the others decides whatever it can.
    #[default]
    Exact,
    /// The convex hull of the vertices: larger than the mesh where it is not convex, and faster.
    Hull,
    /// Convex parts that cover the mesh and reach at most a hundredth of its size beyond it, each a body of its own; the mesh must be closed.
    Parts,
}

/// How a robot is made from its description.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RobotOptions {
    /// How meshes are used.
    pub meshes: MeshUse,
    /// How the meshes of single links are used, by the link's name.
    pub meshes_of: Vec<(String, MeshUse)>,
    /// The distance by which all links are grown.
    pub padding: f64,
    /// The distance by which single links are grown instead, by the link's name.
    pub padding_of: Vec<(String, f64)>,
    /// Folders of packages: `package://name/…` is looked for in the folder of that name.
    pub packages: Vec<(String, PathBuf)>,
    /// Folders in which a mesh that is found nowhere else is looked for by its file name alone.
    pub mesh_folders: Vec<PathBuf>,
}

/// A joint with values of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// Its first value in a configuration; joints have 1, 3 (planar) or 7 (floating) of them.
    pub first_value: usize,
    /// The lower and upper limit; none for continuous, floating and planar joints.
    pub limits: Option<[f64; 2]>,
}

/// A robot. Cheap to clone; immutable.
///
/// A *configuration* is the values of its joints one after the other, in the order of the joints in the URDF: joints that are fixed, follow
/// another one, are passive or were [locked](Robot::with_locked) have none. A batch of configurations is one slice of `n · dof` values.
#[derive(Debug, Clone)]
pub struct Robot {
    pub(crate) shared: Arc<Shared>,
    pub(crate) chain: Chain,
    pub(crate) joints: Vec<Joint>,
    pub(crate) dof: usize,
    /// Values of joints that are not in configurations, by the joint's index in the URDF.
    locked: Vec<(usize, Vec<f64>)>,
}

/// What copies of a robot share.
#[derive(Debug)]
pub struct Shared {
    pub urdf: Urdf,
    pub srdf: Srdf,
    pub tree: Tree,
    pub bodies: Vec<LinkBody>,
}

impl Robot {
    /// Reads a URDF file, its SRDF if there is one, and the meshes that it names.
    ///
    /// # Errors
    /// If a file cannot be read or is wrong, with the file, the element and its line.
    ///
    /// ```
    /// use clearance_robot::{Robot, RobotOptions};
    /// let path = std::env::temp_dir().join("clearance-doc-robot.urdf");
    /// std::fs::write(&path, r#"<robot name="r"><link name="a"/></robot>"#)?;
    /// assert_eq!(Robot::load(&path, None, &RobotOptions::default())?.name(), "r");
    /// let options = RobotOptions { packages: vec![("arm".into(), "/opt/arm".into())], ..RobotOptions::default() };
    /// assert!(Robot::load("missing.urdf", None, &options).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(urdf: impl AsRef<Path>, srdf: Option<&Path>, options: &RobotOptions) -> Result<Self, RobotError> {
        let path = urdf.as_ref();
        let in_file = |path: &Path, mut error: RobotError| {
            error.file = path.display().to_string();
            error
        };
        let text = read_text(path)?;
        let urdf = Urdf::parse(&text).map_err(|error| in_file(path, error))?;
        let srdf = match srdf {
            Some(file) => Srdf::parse(&read_text(file)?, &urdf).map_err(|error| in_file(file, error))?,
            None => Srdf::default(),
        };
        let files = MeshFiles::new(options, path.parent().unwrap_or(Path::new("")));
        Self::new(urdf, srdf, &|file| files.read(file), options).map_err(|error| in_file(path, error))
    }

    /// A robot from the text of a URDF and of an SRDF; an empty SRDF says nothing. Meshes are found by the options alone.
    ///
    /// # Errors
    /// If a text is wrong or a mesh cannot be read.
    ///
    /// ```
    /// use clearance_robot::{Robot, RobotOptions};
    /// let arm = r#"<robot name="arm">
    ///   <link name="base"/>
    ///   <link name="fore"><collision><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
    ///   <joint name="elbow" type="revolute"><origin xyz="0 0 1"/><parent link="base"/><child link="fore"/>
    ///     <axis xyz="0 1 0"/><limit lower="-2" upper="2"/></joint>
    /// </robot>"#;
    /// let robot = Robot::parse(arm, "", &RobotOptions::default())?;
    /// assert_eq!((robot.dof(), robot.limits()[0]), (1, [-2.0, 2.0]));
    /// # Ok::<(), clearance_robot::RobotError>(())
    /// ```
    pub fn parse(urdf: &str, srdf: &str, options: &RobotOptions) -> Result<Self, RobotError> {
        let urdf = Urdf::parse(urdf)?;
        let srdf = if srdf.trim().is_empty() { Srdf::default() } else { Srdf::parse(srdf, &urdf)? };
        let files = MeshFiles::new(options, Path::new(""));
        Self::new(urdf, srdf, &|file| files.read(file), options)
    }

    /// A robot from descriptions, with meshes by a function that is given the name of a file as the URDF has it.
    ///
    /// # Errors
    /// If a mesh or a size is wrong, or an option names a link that does not exist.
    pub fn new(urdf: Urdf, srdf: Srdf, meshes: MeshLoader<'_>, options: &RobotOptions) -> Result<Self, RobotError> {
        let tree = Tree::new(&urdf)?;
        let bodies = bodies_of(&urdf, meshes, options)?;
        let passive: Vec<(usize, Vec<f64>)> = urdf
            .joints
            .iter()
            .enumerate()
            .filter(|(_, joint)| srdf.passive.contains(&joint.name) && joint.mimic.is_none())
            .map(|(at, joint)| (at, home_of(joint.kind, joint.limits)))
            .collect();
        let shared = Arc::new(Shared { urdf, srdf, tree, bodies });
        Self::with_values(shared, passive)
    }

    fn with_values(shared: Arc<Shared>, locked: Vec<(usize, Vec<f64>)>) -> Result<Self, RobotError> {
        let (chain, joints, dof) = crate::assemble::assemble(&shared.urdf, &shared.tree, &locked)?;
        Ok(Self { shared, chain, joints, dof, locked })
    }

    /// The same robot with some joints held at values: they are not in its configurations any more.
    ///
    /// # Errors
    /// If a joint does not exist or has no value of its own, or a value is not finite.
    ///
    /// ```
    /// use clearance_robot::{Robot, RobotOptions};
    /// let robot = Robot::parse(r#"<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
    ///   <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
    ///   <joint name="k" type="continuous"><parent link="b"/><child link="c"/></joint></robot>"#, "", &RobotOptions::default())?;
    /// let held = robot.with_locked(&[("j", 0.5)])?;
    /// assert_eq!((robot.dof(), held.dof()), (2, 1));
    /// # Ok::<(), clearance_robot::RobotError>(())
    /// ```
    pub fn with_locked(&self, values: &[(&str, f64)]) -> Result<Self, RobotError> {
        let mut locked = self.locked.clone();
        for (name, value) in values {
            let error = |fault| RobotError {
                file: String::new(),
                line: 0,
                element: format!("joint '{name}'"),
                fault: Box::new(fault),
            };
            let at = self.shared.urdf.joints.iter().position(|joint| joint.name == *name);
            let single = |at: &usize| {
                let joint = &self.shared.urdf.joints[*at];
                joint.kind.value_count() == 1 && joint.mimic.is_none()
            };
            let at = at.filter(single).ok_or_else(|| error(RobotFault::UnknownJoint { name: (*name).to_owned() }))?;
            if !(value.abs() <= crate::tolerance::LARGEST_VALUE) {
                let fault = RobotFault::Numbers { attribute: "value", text: value.to_string(), count: 1 };
                return Err(error(fault));
            }
            locked.retain(|(joint, _)| *joint != at);
            locked.push((at, vec![*value]));
        }
        Self::with_values(self.shared.clone(), locked)
    }

    /// The same robot with the joints of one group of its SRDF only; the others are held at their home values.
    ///
    /// # Errors
    /// If there is no such group.
    ///
    /// ```
    /// use clearance_robot::{Robot, RobotOptions};
    /// let urdf = r#"<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
    ///   <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
    ///   <joint name="k" type="continuous"><parent link="b"/><child link="c"/></joint></robot>"#;
    /// let srdf = r#"<robot name="r"><group name="wrist"><joint name="k"/></group></robot>"#;
    /// let wrist = Robot::parse(urdf, srdf, &RobotOptions::default())?.with_group("wrist")?;
    /// assert_eq!(wrist.value_names(), ["k"]);
    /// # Ok::<(), clearance_robot::RobotError>(())
    /// ```
    pub fn with_group(&self, name: &str) -> Result<Self, RobotError> {
        let Some(group) = self.shared.srdf.group(name) else {
            let fault = RobotFault::UnknownGroup { name: name.to_owned() };
            return Err(RobotError {
                file: String::new(),
                line: 0,
                element: "group".to_owned(),
                fault: Box::new(fault),
            });
        };
        let mut locked = self.locked.clone();
        for (at, joint) in self.shared.urdf.joints.iter().enumerate() {
            let held = locked.iter().any(|(held, _)| *held == at);
            if !held && joint.mimic.is_none() && !group.joints.contains(&joint.name) {
                locked.push((at, home_of(joint.kind, joint.limits)));
            }
        }
        Self::with_values(self.shared.clone(), locked)
    }

    /// The robot's name.
    pub fn name(&self) -> &str {
        &self.shared.urdf.name
    }

    /// The description that it was made from.
    pub fn urdf(&self) -> &Urdf {
        &self.shared.urdf
    }

    /// What the SRDF says.
    pub fn srdf(&self) -> &Srdf {
        &self.shared.srdf
    }

    /// How many values a configuration has.
    pub fn dof(&self) -> usize {
        self.dof
    }

    /// The joints whose values are in configurations, in their order.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The names of the values of a configuration: those of the joints; of planar and floating ones with `/x` and so on.
    pub fn value_names(&self) -> Vec<String> {
        let parts = |kind| -> &[&str] {
            match kind {
                JointKind::Planar => &["/x", "/y", "/angle"],
                JointKind::Floating => &["/x", "/y", "/z", "/qx", "/qy", "/qz", "/qw"],
                _ => &[""],
            }
        };
        self.joints
            .iter()
            .flat_map(|joint| parts(joint.kind).iter().map(|part| format!("{}{part}", joint.name)))
            .collect()
    }

    /// The limits of each value; infinite where there are none.
    pub fn limits(&self) -> Vec<[f64; 2]> {
        let of = |joint: &Joint| {
            let limits = joint.limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            std::iter::repeat_n(limits, joint.kind.value_count())
        };
        self.joints.iter().flat_map(of).collect()
    }

    /// The names of the links, in the order of the URDF.
    pub fn link_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.shared.urdf.links.iter().map(|link| link.name.as_str())
    }

    /// The bodies of the links: each with the index of its link and its pose in the link's frame.
    pub fn link_bodies(&self) -> impl Iterator<Item = (usize, &clearance::Body, &Pose)> {
        self.shared.bodies.iter().map(|body| (body.link, &body.body, &body.origin))
    }

    /// The index of a link.
    pub fn link_index(&self, name: &str) -> Option<usize> {
        self.shared.urdf.links.iter().position(|link| link.name == name)
    }

    /// The configuration with all values at zero, or at the limit nearest to it; floating joints at the identity.
    pub fn home(&self) -> Vec<f64> {
        self.joints.iter().flat_map(|joint| home_of(joint.kind, joint.limits)).collect()
    }

    /// The configuration of a named state of the SRDF; values that it does not give are those of [`Robot::home`].
    pub fn state(&self, name: &str) -> Option<Vec<f64>> {
        let state = self.shared.srdf.states.iter().find(|state| state.name == name)?;
        let mut q = self.home();
        for (name, values) in &state.values {
            let joint = self.joints.iter().find(|joint| joint.name == *name);
            if let Some(joint) = joint.filter(|joint| joint.kind.value_count() == values.len()) {
                q[joint.first_value..joint.first_value + values.len()].copy_from_slice(values);
            }
        }
        Some(q)
    }

    /// Whether a configuration is made of valid numbers, all within their limits.
    pub fn is_within_limits(&self, q: &[f64]) -> bool {
        let within = |([low, high], value): ([f64; 2], &f64)| low <= *value && *value <= high;
        q.len() == self.dof && self.check(q, 0).is_ok() && self.limits().into_iter().zip(q).all(within)
    }

    /// The poses of all links for each configuration of a batch: link after link in the order of the URDF, configuration after
    /// configuration. The root link is at the identity.
    ///
    /// # Errors
    /// If the number of values is no multiple of [`Robot::dof`], or a value is not valid.
    ///
    /// ```
    /// use clearance_robot::{Robot, RobotOptions};
    /// let robot = Robot::parse(r#"<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="prismatic">
    ///   <parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="0" upper="2"/></joint></robot>"#, "", &RobotOptions::default())?;
    /// let poses = robot.link_poses(&[0.5, 1.5])?;
    /// assert_eq!((poses.len(), poses[3].translation().z), (4, 1.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn link_poses(&self, q: &[f64]) -> Result<Vec<Pose>, BatchError> {
        let count = rows("q", q, self.dof)?;
        let mut poses = Vec::with_capacity(count * self.chain.links.len());
        let mut frames = Vec::new();
        for row in 0..count {
            let q = &q[row * self.dof..][..self.dof];
            self.check(q, row)?;
            self.chain.place(q, &Placed::IDENTITY, &mut frames);
            poses.extend(
                self.chain
                    .links
                    .iter()
                    .map(|(frame, offset)| self.chain.at(*frame, &Placed::IDENTITY, &frames).pose().compose(offset)),
            );
        }
        Ok(poses)
    }

    /// Checks the numbers of one configuration.
    pub(crate) fn check(&self, q: &[f64], row: usize) -> Result<(), BatchError> {
        check_row(&self.joints, q, row)
    }
}

/// Reads the triangles of a mesh file, by its name as a URDF has it; or says why not.
pub type MeshLoader<'l> = &'l dyn Fn(&str) -> Result<clearance_io::Surface, String>;

/// Zero, or the limit nearest to it; the identity.
pub fn home_of(kind: JointKind, limits: Option<[f64; 2]>) -> Vec<f64> {
    match kind {
        JointKind::Floating => vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        _ => vec![limits.map_or(0.0, |[low, high]| 0.0_f64.max(low).min(high)); kind.value_count()],
    }
}

fn read_text(path: &Path) -> Result<String, RobotError> {
    std::fs::read_to_string(path).map_err(|error| RobotError {
        file: path.display().to_string(),
        line: 0,
        element: "file".to_owned(),
        fault: Box::new(error.into()),
    })
}
