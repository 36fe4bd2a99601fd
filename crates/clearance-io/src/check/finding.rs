//! What is found about a pair of parts.

use clearance::{Aabb, Closest, Element, Feature, Vec3};
use serde::Serialize;

/// The kind of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One part goes through the other.
    Piercing,
    /// One part reaches into the other.
    Protruding,
    /// One part is inside the other.
    Contained,
    /// Both parts are the same body in the same place.
    Duplicate,
    /// The parts touch. That is no clash.
    Touching,
    /// The parts are apart, but nearer than is required.
    Clearance,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Piercing, Self::Protruding, Self::Contained, Self::Duplicate, Self::Touching, Self::Clearance];

    /// Whether it is something to be put right: all but touching.
    pub fn is_clash(self) -> bool {
        self != Self::Touching
    }

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Piercing => "piercing",
            Self::Protruding => "protruding",
            Self::Contained => "contained",
            Self::Duplicate => "duplicate",
            Self::Touching => "touching",
            Self::Clearance => "clearance",
        }
    }
}

/// A finding about a pair of parts.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The same for the same two parts in every run, whatever is found about them.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// One part.
    pub a: usize,
    /// The other, of a higher number.
    pub b: usize,
    /// The signed distance: below zero it is a depth.
    pub distance: f64,
    /// The exact distance is not less.
    pub lower: f64,
    /// The exact distance is not more.
    pub upper: f64,
    /// The clearance that is required, or minus the depth that is allowed, where a rule says so.
    pub required: Option<f64>,
    /// The nearest or deepest points of both.
    pub points: Option<[Vec3; 2]>,
    /// Unit vector from the one to the other.
    pub normal: Option<Vec3>,
    /// A translation of the other part after which they do not overlap, where they do.
    pub way_out: Option<Vec3>,
    /// What the points belong to.
    pub features: Option<[String; 2]>,
    /// The intersection curve, as polylines.
    pub curve: Vec<Vec<Vec3>>,
    /// A box around the overlap.
    pub bounds: Option<Aabb>,
    /// The volume of the overlap is between these.
    pub volume: Option<[f64; 2]>,
    /// The moment that all this belongs to: the worst one.
    pub time: Option<f64>,
    /// Times of collision.
    pub intervals: Vec<[f64; 2]>,
    /// The first contact is between these times.
    pub first_contact: Option<[f64; 2]>,
    /// Findings of one cause share it.
    pub group: Option<String>,
}

impl Finding {
    /// A finding at rest.
    pub(super) fn at_rest([a, b]: [usize; 2], names: [&str; 2], kind: Kind, near: &Closest) -> Self {
        Self {
            id: super::group::id(names),
            kind,
            a,
            b,
            distance: near.distance,
            lower: near.lower,
            upper: near.upper,
            required: None,
            points: Some(near.points),
            normal: Some(near.normal),
            way_out: None,
            features: Some(near.features.map(feature_name)),
            curve: Vec::new(),
            bounds: None,
            volume: None,
            time: None,
            intervals: Vec::new(),
            first_contact: None,
            group: None,
        }
    }
}

/// A feature as reports name it.
pub(super) fn feature_name(feature: Feature) -> String {
    let part = if feature.part == 0 { String::new() } else { format!(" of piece {}", feature.part) };
    match feature.element {
        Element::Vertex(v) => format!("vertex {v}{part}"),
        Element::Edge([v, w]) => format!("edge {v}-{w}{part}"),
        Element::Face(face) => format!("face {face}{part}"),
        Element::Smooth => format!("curved surface{part}"),
        Element::Whole => format!("whole{part}"),
    }
}

/// The least clearance of a pair over a motion.
#[derive(Debug, Clone)]
pub struct PairClearance {
    /// One part.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// When it is least.
    pub time: f64,
    /// The distance then; below zero a depth.
    pub distance: f64,
    /// At no time are the parts nearer.
    pub lower: f64,
    /// At some time they are as near.
    pub upper: f64,
    /// Times with the bounds of the distance then.
    pub samples: Vec<[f64; 3]>,
}
