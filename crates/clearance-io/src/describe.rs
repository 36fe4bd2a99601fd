//! What a surface is and what is wrong with it, element by element; and repairs that are asked for by name.

use std::collections::HashMap;

use clearance::{Mesh, MeshError, MeshOptions, Repairs, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::Surface;
use crate::tolerance::SLIVER;

/// A repair that may be asked for; none is made otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// Make vertices at the same place one.
    Weld,
    /// Leave out triangles without area, triangles that are there twice, and vertices that none uses.
    DropDegenerate,
    /// Turn triangles so that neighbours agree and closed parts face outwards.
    Orient,
}

impl Repair {
    /// All repairs.
    pub const ALL: [Self; 3] = [Self::Weld, Self::DropDegenerate, Self::Orient];

    /// The name on the command line and in scenes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Weld => "weld",
            Self::DropDegenerate => "drop-degenerate",
            Self::Orient => "orient",
        }
    }
}

/// Something that is wrong with a surface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "defect", rename_all = "kebab-case")]
pub enum MeshDefect {
    /// An edge with a triangle on one side only.
    OpenEdge {
        /// Its vertices.
        vertices: [u32; 2],
        /// The triangle.
        triangle: u32,
    },
    /// An edge that two triangles run along in the same direction.
    TurnedOver {
        /// Its vertices.
        vertices: [u32; 2],
        /// The triangles.
        triangles: [u32; 2],
    },
    /// An edge of more than two triangles.
    NonManifoldEdge {
        /// Its vertices.
        vertices: [u32; 2],
        /// How many triangles share it.
        count: u32,
    },
    /// A triangle without area.
    Degenerate {
        /// Which.
        triangle: u32,
    },
    /// A triangle that is very thin.
    Sliver {
        /// Which.
        triangle: u32,
    },
    /// A triangle with the same vertices as an earlier one.
    Duplicate {
        /// Which.
        triangle: u32,
        /// The earlier one.
        of: u32,
    },
    /// Two triangles that pass through each other.
    SelfIntersection {
        /// Which.
        triangles: [u32; 2],
    },
    /// A vertex at the place of an earlier one.
    SamePlace {
        /// Which.
        vertex: u32,
        /// The earlier one.
        of: u32,
    },
    /// A vertex that no triangle uses.
    Unused {
        /// Which.
        vertex: u32,
    },
}

/// What a surface is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diagnosis {
    /// How many vertices it has.
    pub vertices: usize,
    /// How many triangles it has.
    pub triangles: usize,
    /// Whether every edge has two triangles.
    pub closed: bool,
    /// Whether neighbours agree on which side is outside.
    pub oriented: bool,
    /// Whether it is a convex solid, exactly.
    pub convex: bool,
    /// Whether it is usable as a solid.
    pub solid: bool,
    /// The number of loops of open edges.
    pub holes: usize,
    /// The smallest and largest coordinates.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// Its area.
    pub area: f64,
    /// Its volume; of a surface that is no solid, none.
    pub volume: Option<f64>,
    /// Its centroid.
    pub centroid: Option<[f64; 3]>,
    /// Its inertia tensor about the centroid for unit density, row by row; of a surface that is no solid, none.
    pub inertia: Option<[[f64; 3]; 3]>,
    /// What is wrong, at most [`Diagnosis::MOST_DEFECTS`] of each kind.
    pub defects: Vec<MeshDefect>,
    /// How many defects there are in all, pairs of triangles that intersect counted up to the limit.
    pub defect_count: usize,
    /// Why no body can be made of it; none if one can.
    pub refused: Option<String>,
}

impl Diagnosis {
    /// Defects of one kind that are listed.
    pub const MOST_DEFECTS: usize = 100;
}

/// Says what a surface is and what is wrong with it.
///
/// ```
/// use clearance_io::{Surface, describe};
/// use clearance::Vec3;
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
/// let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3]];
/// let open = describe(&Surface { name: String::new(), vertices: corners.to_vec(), triangles });
/// assert!(!open.closed && open.holes == 1);
/// ```
pub fn describe(surface: &Surface) -> Diagnosis {
    let (vertices, triangles) = (&surface.vertices, &surface.triangles);
    let mut found = Found::default();
    let open = edges(triangles, &mut found);
    each_triangle(surface, &mut found);
    each_vertex(surface, &mut found);
    let made = Mesh::new(vertices, triangles);
    if let Ok(mesh) = &made {
        let pairs = mesh.self_intersections(Diagnosis::MOST_DEFECTS);
        pairs.into_iter().for_each(|triangles| found.add(6, MeshDefect::SelfIntersection { triangles }));
    }
    let mass = made.as_ref().ok().filter(|mesh| mesh.is_solid()).map(Mesh::mass_properties);
    let bounds = vertices
        .iter()
        .fold(None, |bounds: Option<[Vec3; 2]>, &v| Some(bounds.map_or([v, v], |[min, max]| [min.min(v), max.max(v)])));
    let area = triangles.iter().map(|t| 0.5 * area_vector(surface, *t).length()).sum();
    Diagnosis {
        vertices: vertices.len(),
        triangles: triangles.len(),
        closed: found.counts[0] == 0 && found.counts[2] == 0 && !triangles.is_empty(),
        oriented: found.counts[1] == 0 && found.counts[2] == 0 && !triangles.is_empty(),
        convex: made.as_ref().is_ok_and(Mesh::is_convex),
        solid: made.as_ref().is_ok_and(Mesh::is_solid),
        holes: loops(&open),
        bounds: bounds.map(|bounds| bounds.map(|v| v.to_array())),
        area,
        volume: mass.map(|mass| mass.volume),
        centroid: mass.map(|mass| mass.centroid.to_array()),
        inertia: mass.map(|mass| mass.inertia.transpose().to_cols_array_2d()),
        defect_count: found.counts.iter().sum(),
        defects: found.defects,
        refused: made.err().map(|error| error.to_string()),
    }
}

/// Defects by kind: as many as are listed, and all counted.
#[derive(Default)]
struct Found {
    defects: Vec<MeshDefect>,
    counts: [usize; 9],
}

impl Found {
    fn add(&mut self, kind: usize, defect: MeshDefect) {
        self.counts[kind] += 1;
        if self.counts[kind] <= Diagnosis::MOST_DEFECTS {
            self.defects.push(defect);
        }
    }
}

/// Looks at every edge and returns the open ones, from and to.
fn edges(triangles: &[[u32; 3]], found: &mut Found) -> Vec<[u32; 2]> {
    let mut sides: Vec<([u32; 2], bool, u32)> = Vec::with_capacity(3 * triangles.len());
    for (index, t) in triangles.iter().enumerate() {
        for [from, to] in [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]] {
            if from != to {
                sides.push(([from.min(to), from.max(to)], from > to, index as u32));
            }
        }
    }
    sides.sort_unstable();
    let mut open = Vec::new();
    for edge in sides.chunk_by(|a, b| a.0 == b.0) {
        let vertices = edge[0].0;
        match edge {
            [(_, backward, triangle)] => {
                open.push(if *backward { [vertices[1], vertices[0]] } else { vertices });
                found.add(0, MeshDefect::OpenEdge { vertices, triangle: *triangle });
            }
            [a, b] if a.1 == b.1 => found.add(1, MeshDefect::TurnedOver { vertices, triangles: [a.2, b.2] }),
            [_, _] => {}
            more => found.add(2, MeshDefect::NonManifoldEdge { vertices, count: more.len() as u32 }),
        }
    }
    open
}

/// The connected parts of open edges.
fn loops(open: &[[u32; 2]]) -> usize {
    let mut parent: HashMap<u32, u32> = HashMap::new();
    fn root(parent: &mut HashMap<u32, u32>, mut v: u32) -> u32 {
        while let Some(&up) = parent.get(&v).filter(|up| **up != v) {
            let above = parent.get(&up).copied().unwrap_or(up);
            parent.insert(v, above);
            v = up;
        }
        v
    }
    for &[a, b] in open {
        let (ra, rb) = (root(&mut parent, a), root(&mut parent, b));
        parent.entry(ra).or_insert(ra);
        parent.insert(rb, ra);
    }
    parent.iter().filter(|(v, up)| v == up).count()
}

fn area_vector(surface: &Surface, triangle: [u32; 3]) -> Vec3 {
    let [a, b, c] = triangle.map(|v| surface.vertices[v as usize]);
    (b - a).cross(c - a)
}

fn each_triangle(surface: &Surface, found: &mut Found) {
    let mut known: HashMap<[u32; 3], u32> = HashMap::with_capacity(surface.triangles.len());
    for (index, &triangle) in surface.triangles.iter().enumerate() {
        let number = index as u32;
        let [a, b, c] = triangle.map(|v| surface.vertices[v as usize]);
        let longest = (b - a).length().max((c - b).length()).max((a - c).length());
        let area = area_vector(surface, triangle).length();
        if area == 0.0 {
            found.add(3, MeshDefect::Degenerate { triangle: number });
        } else if area < SLIVER * longest * longest {
            found.add(4, MeshDefect::Sliver { triangle: number });
        }
        let mut sorted = triangle;
        sorted.sort_unstable();
        let of = *known.entry(sorted).or_insert(number);
        if of != number {
            found.add(5, MeshDefect::Duplicate { triangle: number, of });
        }
    }
}

fn each_vertex(surface: &Surface, found: &mut Found) {
    let mut used = vec![false; surface.vertices.len()];
    surface.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
    let mut known: HashMap<[u64; 3], u32> = HashMap::with_capacity(surface.vertices.len());
    for (index, &vertex) in surface.vertices.iter().enumerate() {
        let number = index as u32;
        if !used[index] {
            found.add(8, MeshDefect::Unused { vertex: number });
        }
        let of = *known.entry((vertex + Vec3::ZERO).to_array().map(f64::to_bits)).or_insert(number);
        if of != number {
            found.add(7, MeshDefect::SamePlace { vertex: number, of });
        }
    }
}

/// What was repaired.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Repaired {
    /// Vertices that became another one: which, and which one.
    pub welded: Vec<[u32; 2]>,
    /// Triangles that were left out.
    pub dropped_triangles: Vec<u32>,
    /// Vertices that were left out.
    pub dropped_vertices: Vec<u32>,
    /// Triangles that were turned over.
    pub turned_triangles: Vec<u32>,
}

impl Repaired {
    /// One line of what was done; empty if nothing was.
    pub fn summary(&self) -> String {
        let counts = [
            (self.welded.len(), "vertices welded"),
            (self.dropped_triangles.len(), "triangles dropped"),
            (self.dropped_vertices.len(), "vertices dropped"),
            (self.turned_triangles.len(), "triangles turned over"),
        ];
        let told: Vec<String> = counts.iter().filter(|c| c.0 > 0).map(|(n, what)| format!("{n} {what}")).collect();
        told.join(", ")
    }
}

/// A mesh of a surface with the repairs that are asked for, and what they did.
///
/// # Errors
/// The first thing that is wrong and not repaired, with its element.
///
/// ```
/// use clearance::Vec3;
/// use clearance_io::{Repair, Surface, repaired};
/// let vertices = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from).to_vec();
/// // The last triangle is turned over.
/// let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 2, 3]];
/// let surface = Surface { name: String::new(), vertices, triangles };
/// let (mesh, done) = repaired(&surface, &[Repair::Orient])?;
/// assert!(mesh.is_solid() && done.turned_triangles == [3]);
/// # Ok::<(), clearance::MeshError>(())
/// ```
pub fn repaired(surface: &Surface, repairs: &[Repair]) -> Result<(Mesh, Repaired), MeshError> {
    let asked = |repair: Repair| repairs.contains(&repair);
    if repairs.is_empty() {
        return Mesh::new(&surface.vertices, &surface.triangles).map(|mesh| (mesh, Repaired::default()));
    }
    let mut triangles = surface.triangles.clone();
    let mut done = Repaired::default();
    let mut numbers: Vec<u32> = (0..triangles.len() as u32).collect();
    if asked(Repair::DropDegenerate) {
        drop_duplicates(&mut triangles, &mut numbers, &mut done);
    }
    if asked(Repair::Orient) {
        done.turned_triangles =
            crate::describe::orient::agree(&mut triangles).into_iter().map(|t| numbers[t as usize]).collect();
    }
    let options = MeshOptions {
        weld: asked(Repair::Weld),
        drop_degenerate: asked(Repair::DropDegenerate),
        drop_unused: asked(Repair::DropDegenerate),
        turn_outward: asked(Repair::Orient),
        ..MeshOptions::default()
    };
    let mesh = Mesh::with_options(&surface.vertices, &triangles, &options)?;
    note(mesh.repairs(), &numbers, &mut done);
    Ok((mesh, done))
}

/// Leaves out triangles with the vertices of an earlier one.
fn drop_duplicates(triangles: &mut Vec<[u32; 3]>, numbers: &mut Vec<u32>, done: &mut Repaired) {
    let mut known = std::collections::HashSet::with_capacity(triangles.len());
    let keep: Vec<bool> = triangles
        .iter()
        .map(|t| {
            let mut sorted = *t;
            sorted.sort_unstable();
            known.insert(sorted)
        })
        .collect();
    done.dropped_triangles.extend(numbers.iter().filter(|n| !keep[**n as usize]));
    let mut kept = keep.iter();
    triangles.retain(|_| kept.next().copied().unwrap_or(true));
    let mut kept = keep.iter();
    numbers.retain(|_| kept.next().copied().unwrap_or(true));
}

/// The library's list, in the numbers of the surface; a triangle turned twice is as it was.
fn note(repairs: &Repairs, numbers: &[u32], done: &mut Repaired) {
    done.welded.clone_from(&repairs.welded);
    done.dropped_triangles.extend(repairs.dropped_faces.iter().map(|t| numbers[*t as usize]));
    done.dropped_triangles.sort_unstable();
    done.dropped_vertices.clone_from(&repairs.dropped_vertices);
    for turned in repairs.turned_faces.iter().map(|t| numbers[*t as usize]) {
        match done.turned_triangles.iter().position(|t| *t == turned) {
            Some(at) => _ = done.turned_triangles.swap_remove(at),
            None => done.turned_triangles.push(turned),
        }
    }
    done.turned_triangles.sort_unstable();
}

mod orient;
