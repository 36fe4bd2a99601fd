//! The types of a scene file. The published schema is made from them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::describe::Repair;
use crate::model::{Unit, Up};

/// A scene: parts in their places, how they move, and what is allowed of them.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SceneFile {
    /// The version of the format: 1.
    pub clearance_scene: u32,
    /// One line that is shown above the findings.
    pub title: Option<String>,
    /// The unit of all coordinates. Files that state a unit are converted to it.
    pub unit: Option<Unit>,
    /// The axis that points up; z if absent.
    pub up: Option<Up>,
    /// The parts.
    #[serde(default)]
    pub parts: Vec<PartEntry>,
    /// How parts move.
    pub motion: Option<MotionEntry>,
    /// What is allowed and what is required of pairs of parts.
    pub rules: Option<RulesEntry>,
}

/// A part, a file of parts, or an assembly of parts. Exactly one of `file`, `shape`, `scene` and `parts` is given.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PartEntry {
    /// The name; no two parts of one assembly have the same.
    pub name: String,
    /// A mesh file, relative to the scene file. A file of several parts is an assembly of them.
    pub file: Option<String>,
    /// A shape as `clearance query` takes it, such as `{"type":"cuboid","half_extents":[1,1,1]}`.
    pub shape: Option<BTreeMap<String, Value>>,
    /// Another scene file, relative to this one, whose parts and rules are taken over.
    pub scene: Option<String>,
    /// Parts of an assembly, in its frame.
    pub parts: Option<Vec<PartEntry>>,
    /// How the mesh of a file is taken: as it is, as its convex hull, or as convex parts.
    #[serde(rename = "as")]
    pub taken: Option<TakenEntry>,
    /// The unit of the file, if the file does not state it.
    pub unit: Option<Unit>,
    /// Repairs of the file's meshes: none are made unless they are asked for.
    #[serde(default)]
    pub repair: Vec<Repair>,
    /// Where it is in its assembly.
    pub pose: Option<PoseEntry>,
    /// A name that rules use for several parts; parts of an assembly have its group unless they have their own.
    pub group: Option<String>,
    /// Red, green and blue, from 0 to 1.
    pub colour: Option<[f64; 3]>,
}

/// How the mesh of a file is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TakenEntry {
    /// As it is, exactly.
    Mesh,
    /// As its convex hull.
    Hull,
    /// As convex parts that cover it and reach no farther beyond it than a hundredth of its size.
    Parts,
}

/// A rotation followed by a translation. The rotation is a quaternion or a turn about an axis through the origin.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PoseEntry {
    /// Where the origin goes.
    pub translation: Option<[f64; 3]>,
    /// A unit quaternion x, y, z, w.
    pub rotation: Option<[f64; 4]>,
    /// A turn, in place of `rotation`.
    pub turn: Option<TurnEntry>,
}

/// A right-handed turn about an axis.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnEntry {
    /// The axis, of any length but zero.
    pub axis: [f64; 3],
    /// The angle in degrees.
    pub degrees: f64,
}

/// How parts move over time.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MotionEntry {
    /// The time at which the motion starts; 0 if absent.
    pub start: Option<f64>,
    /// The time at which it ends.
    pub end: f64,
    /// What the time is measured in, as it is shown: s, deg …
    pub unit: Option<String>,
    /// The moves, at most one for each part.
    pub moves: Vec<MoveEntry>,
}

/// How a part or an assembly moves. Exactly one of `keyframes`, `screw` and `joint` is given.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveEntry {
    /// The name of the part or assembly, with those of the assemblies it is in: `arm/hand`.
    pub part: String,
    /// Its poses at times; between two of them it moves along a screw, before the first and after the last it rests.
    pub keyframes: Option<Vec<KeyframeEntry>>,
    /// The screw from its pose to another one, over the whole time.
    pub screw: Option<ScrewEntry>,
    /// A joint between its assembly and itself.
    pub joint: Option<JointEntry>,
}

/// A pose at a time.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyframeEntry {
    /// The time.
    pub time: f64,
    /// The pose in its assembly, in place of the part's own.
    pub pose: PoseEntry,
}

/// The end of a screw.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScrewEntry {
    /// The pose at the end, by the shorter turn.
    pub to: PoseEntry,
}

/// A joint that turns about an axis or slides along it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointEntry {
    /// What it does.
    #[serde(rename = "type")]
    pub kind: JointKind,
    /// The axis, in the frame of the assembly, of any length but zero.
    pub axis: [f64; 3],
    /// A point of the axis; the origin if absent.
    pub origin: Option<[f64; 3]>,
    /// Times and values: degrees of a revolute joint, lengths of a prismatic one. Between two of them the value changes evenly.
    pub values: Vec<[f64; 2]>,
}

/// What a joint does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JointKind {
    /// It turns about the axis.
    Revolute,
    /// It slides along the axis.
    Prismatic,
}

/// What is allowed and required. Of several rules for a pair the last one that says something counts.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RulesEntry {
    /// The clearance that all pairs must keep; 0 if absent.
    pub clearance: Option<f64>,
    /// Whether touching parts are listed; they are no clash in either case.
    pub touching: Option<TouchingEntry>,
    /// Rules for pairs.
    #[serde(default)]
    pub pairs: Vec<PairEntry>,
}

/// Whether touching parts are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TouchingEntry {
    /// They are listed.
    Report,
    /// They are not.
    Allow,
}

/// A rule for pairs of parts.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairEntry {
    /// A part, an assembly, a group, or `*` for all.
    pub a: String,
    /// The same for the other part of the pair.
    pub b: String,
    /// Whether the pair is left out.
    pub ignore: Option<bool>,
    /// The clearance that the pair must keep.
    pub clearance: Option<f64>,
    /// Whether the pair may touch without being listed.
    pub touching: Option<TouchingEntry>,
    /// How deep the pair may overlap, as a press fit does.
    pub depth: Option<f64>,
}
