//! The data of a report: what viewers and other programs read.

use std::collections::BTreeMap;

use clearance::{Pose, Vec3};
use rayon::prelude::*;
use serde::Serialize;

use super::packed::{packed_indices, packed_poses, packed_positions};
use crate::check::{Checked, Finding, Kind};
use crate::model::{Surface, Up};
use crate::scene::Assembly;

/// A report.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Always `clearance-report`.
    pub format: &'static str,
    /// The version of the format.
    pub version: u32,
    /// The title.
    pub title: String,
    /// The program and its version.
    pub generator: String,
    /// The unit of lengths, as stated.
    pub unit: Option<&'static str>,
    /// The axis that is up.
    pub up: Up,
    /// The meshes, each once; empty where they were not asked for.
    pub meshes: Vec<MeshData>,
    /// The parts.
    pub parts: Vec<PartData>,
    /// The findings.
    pub findings: Vec<FindingData>,
    /// The least clearances of pairs over the motion.
    pub clearances: Vec<ClearanceData>,
    /// How parts move.
    pub motion: Option<MotionData>,
    /// Counts.
    pub summary: Summary,
    /// What was noticed in the files.
    pub problems: Vec<String>,
}

/// A mesh for display, quantised and compressed.
#[derive(Debug, Clone, Serialize)]
pub struct MeshData {
    /// How many vertices.
    pub vertices: usize,
    /// How many triangles.
    pub triangles: usize,
    /// Where quantised positions begin.
    pub origin: [f64; 3],
    /// What one quantum is along each axis.
    pub scale: [f64; 3],
    /// Positions: base64 of deflated differences of 16-bit numbers.
    pub positions: String,
    /// Corners: base64 of deflated differences of 32-bit numbers.
    pub indices: String,
}

/// A rotation and a translation.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PoseData {
    /// Where the origin goes.
    pub translation: [f64; 3],
    /// A unit quaternion x, y, z, w.
    pub rotation: [f64; 4],
}

/// A part.
#[derive(Debug, Clone, Serialize)]
pub struct PartData {
    /// Its full name.
    pub name: String,
    /// The assemblies that it is in.
    pub path: Vec<String>,
    /// Its group.
    pub group: Option<String>,
    /// Its colour.
    pub colour: Option<[f64; 3]>,
    /// Its mesh.
    pub mesh: usize,
    /// Where it is at the start.
    pub pose: PoseData,
}

/// Something between two numbers.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Span {
    /// It is not less.
    pub lower: f64,
    /// It is not more.
    pub upper: f64,
}

/// A box.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Overlap {
    /// The least coordinates.
    pub min: [f64; 3],
    /// The largest.
    pub max: [f64; 3],
}

/// A finding; see [`Finding`].
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "the fields are those of Finding")]
pub struct FindingData {
    pub id: String,
    pub kind: Kind,
    pub a: usize,
    pub b: usize,
    pub distance: f64,
    pub lower: f64,
    pub upper: f64,
    pub required: Option<f64>,
    pub points: Option<[[f64; 3]; 2]>,
    pub normal: Option<[f64; 3]>,
    pub way_out: Option<[f64; 3]>,
    pub features: Option<[String; 2]>,
    pub curve: Vec<Vec<f64>>,
    #[serde(rename = "box")]
    pub bounds: Option<Overlap>,
    pub volume: Option<Span>,
    pub time: Option<f64>,
    pub intervals: Vec<[f64; 2]>,
    pub first_contact: Option<Span>,
    pub group: Option<String>,
}

/// The least clearance of a pair over the motion.
#[derive(Debug, Clone, Serialize)]
pub struct ClearanceData {
    /// One part.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// When it is least.
    pub time: f64,
    /// The distance then.
    pub distance: f64,
    /// At no time is it less.
    pub lower: f64,
    /// At some time it is not more.
    pub upper: f64,
    /// Times with bounds of the distance.
    pub samples: Vec<[f64; 3]>,
}

/// How parts move.
#[derive(Debug, Clone, Serialize)]
pub struct MotionData {
    /// When it starts.
    pub start: f64,
    /// When it ends.
    pub end: f64,
    /// What time is measured in.
    pub unit: String,
    /// The times at which poses are given.
    pub times: Vec<f64>,
    /// The parts that move.
    pub moving: Vec<MovingData>,
}

/// The poses of a part over time.
#[derive(Debug, Clone, Serialize)]
pub struct MovingData {
    /// Which part.
    pub part: usize,
    /// Seven 32-bit floats for each time: base64 of deflated bytes.
    pub poses: String,
}

/// Counts.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// How many pairs were looked at closely.
    pub pairs_tested: u64,
    /// How many pairs there are.
    pub pairs_possible: u64,
    /// How many findings there are of each kind.
    pub by_kind: BTreeMap<&'static str, usize>,
    /// How long it took, if that is to be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// The report of what was found; with meshes for viewers, or without.
pub fn report(assembly: &Assembly, checked: &Checked, meshes: bool) -> Report {
    let mut by_kind: BTreeMap<&'static str, usize> = Kind::ALL.into_iter().map(|kind| (kind.name(), 0)).collect();
    checked.findings.iter().for_each(|finding| *by_kind.entry(finding.kind.name()).or_default() += 1);
    let clearance = |pair: &crate::check::PairClearance| ClearanceData {
        a: pair.a,
        b: pair.b,
        time: pair.time,
        distance: pair.distance,
        lower: pair.lower,
        upper: pair.upper,
        samples: pair.samples.clone(),
    };
    Report {
        format: "clearance-report",
        version: 1,
        title: assembly.title.clone(),
        generator: concat!("clearance ", env!("CARGO_PKG_VERSION")).to_owned(),
        unit: assembly.unit.map(|unit| unit.name()),
        up: assembly.up,
        meshes: if meshes { assembly.geometry.par_iter().map(|g| mesh(&g.surface)).collect() } else { Vec::new() },
        parts: assembly.parts.iter().map(part).collect(),
        findings: checked.findings.iter().map(finding).collect(),
        clearances: checked.clearances.iter().map(clearance).collect(),
        motion: motion(assembly, meshes),
        summary: Summary {
            pairs_tested: checked.pairs_tested,
            pairs_possible: checked.pairs_possible,
            by_kind,
            seconds: None,
        },
        problems: checked.notes.clone(),
    }
}

fn mesh(surface: &Surface) -> MeshData {
    let (origin, scale, positions) = packed_positions(&surface.vertices);
    MeshData {
        vertices: surface.vertices.len(),
        triangles: surface.triangles.len(),
        origin,
        scale,
        positions,
        indices: packed_indices(&surface.triangles),
    }
}

fn part(part: &crate::scene::Part) -> PartData {
    PartData {
        name: part.name.clone(),
        path: part.path.clone(),
        group: part.group.clone(),
        colour: part.colour,
        mesh: part.geometry,
        pose: pose(&part.pose),
    }
}

fn pose(pose: &Pose) -> PoseData {
    PoseData { translation: pose.translation().to_array(), rotation: pose.rotation().to_array() }
}

fn finding(finding: &Finding) -> FindingData {
    let span = |bounds: [f64; 2]| Span { lower: bounds[0], upper: bounds[1] };
    let flat = |line: &Vec<Vec3>| line.iter().flat_map(|point| point.to_array()).collect();
    FindingData {
        id: finding.id.clone(),
        kind: finding.kind,
        a: finding.a,
        b: finding.b,
        distance: finding.distance,
        lower: finding.lower,
        upper: finding.upper,
        required: finding.required,
        points: finding.points.map(|points| points.map(|point| point.to_array())),
        normal: finding.normal.map(|normal| normal.to_array()),
        way_out: finding.way_out.map(|by| by.to_array()),
        features: finding.features.clone(),
        curve: finding.curve.iter().map(flat).collect(),
        bounds: finding.bounds.map(|b| Overlap { min: b.min.to_array(), max: b.max.to_array() }),
        volume: finding.volume.map(span),
        time: finding.time,
        intervals: finding.intervals.clone(),
        first_contact: finding.first_contact.map(span),
        group: finding.group.clone(),
    }
}

fn motion(assembly: &Assembly, poses: bool) -> Option<MotionData> {
    let timeline = assembly.timeline.as_ref()?;
    let packed = |moving: &crate::scene::Moving| MovingData {
        part: moving.part,
        poses: if poses { packed_poses(&moving.poses) } else { String::new() },
    };
    Some(MotionData {
        start: *timeline.times.first()?,
        end: *timeline.times.last()?,
        unit: timeline.unit.clone(),
        times: timeline.times.clone(),
        moving: timeline.moving.iter().map(packed).collect(),
    })
}
