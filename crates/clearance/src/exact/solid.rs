//! Bodies as integers: every point where its pose, as stored, puts it.

use std::cell::OnceCell;

use glam::DVec3;

use super::error::NotExact;
use super::nearest::Cloud;
use super::vector::{Dyadic, Int3, turn};
use crate::bvh::Bvh;
use crate::math::integer::Int;
use crate::math::{Aabb, Pose, Real, Vec3, rounded_down, rounded_up, widen, widen_real};
use crate::polytope::Polytope;
use crate::shape::mesh::Mesh;
use crate::shape::{BodyRef, Core, Geometry, Leaf, Shape};
use crate::tolerance::EXACT_ROUGHNESS;

/// Corners of boxes and frusta by one bit per axis, and their faces seen from outside.
const BOX_FACES: [[u32; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// A part of a body: a convex hull or a mesh.
#[derive(Debug, Clone, Default)]
pub(super) struct Solid {
    pub points: Vec<Int3>,
    /// The points in doubles of at most one.
    pub rough: Vec<DVec3>,
    /// The triangles of the surface, seen from outside; of a body without faces its segment or its points, with corners repeated.
    pub triangles: Vec<[u32; 3]>,
    /// One point of each connected part of the surface.
    pub seeds: Vec<u32>,
    /// Whether it is the hull of its points.
    pub convex: bool,
    /// Whether it has an inside.
    pub solid: bool,
    /// The tree of the triangles' boxes, made when it is first asked for.
    tree: OnceCell<Bvh>,
}

impl Solid {
    pub fn cloud(&self) -> Cloud<'_> {
        Cloud { points: &self.points, rough: &self.rough }
    }

    pub fn corners(&self, triangle: u32) -> [&Int3; 3] {
        self.triangles[triangle as usize].map(|v| &self.points[v as usize])
    }

    pub fn rough_corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|v| self.rough[v as usize])
    }

    /// The box of a triangle, a little larger than its corners as rounded.
    pub fn box_of(&self, triangle: u32) -> Aabb {
        let [a, b, c] = self.rough_corners(triangle);
        let [min, max] = [a.min(b).min(c) - EXACT_ROUGHNESS, a.max(b).max(c) + EXACT_ROUGHNESS];
        Aabb {
            min: Vec3::from_array(min.to_array().map(rounded_down)),
            max: Vec3::from_array(max.to_array().map(rounded_up)),
        }
    }

    /// The tree of these boxes.
    pub fn tree(&self) -> &Bvh {
        self.tree.get_or_init(|| {
            let boxes: Vec<Aabb> = (0..self.triangles.len() as u32).map(|t| self.box_of(t)).collect();
            Bvh::from_boxes(&boxes)
        })
    }

    /// Triangles of a convex solid turned so that they are seen from outside, whatever their order was.
    fn face_outwards(&mut self) {
        let span = self.cloud().span();
        let [a, b, c, d] = span.as_slice() else { return };
        let four_middle = a.plus(b).plus(c).plus(d);
        let four = Int::from(4);
        let inward = |&[p, q, r]: &[u32; 3]| {
            let [p, q, r] = [p, q, r].map(|v| &self.points[v as usize]);
            turn(&q.minus(p), &r.minus(p), &four_middle.minus(&p.times(&four))) > 0
        };
        let wrong: Vec<bool> = self.triangles.iter().map(inward).collect();
        drop(span);
        self.triangles.iter_mut().zip(wrong).filter(|(_, wrong)| *wrong).for_each(|(t, _)| t.swap(1, 2));
        self.solid = true;
    }
}

/// A part before it is brought to the common unit.
struct Draft {
    points: Vec<[Dyadic; 3]>,
    solid: Solid,
}

/// Two bodies as integers in one unit.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub parts: [Vec<Solid>; 2],
    /// The unit of all coordinates is two to this power.
    pub power: i32,
    /// All coordinates are below two to this power, in units.
    pub scale: u64,
}

impl Scene {
    pub fn new(bodies: [&BodyRef<'_>; 2], poses: [&Pose; 2]) -> Result<Self, NotExact> {
        let [a, b] = [0, 1].map(|i: usize| drafts(bodies[i], poses[i], ['A', 'B'][i]));
        let drafts = [a?, b?];
        let coordinates = || drafts.iter().flatten().flat_map(|draft| &draft.points).flatten();
        let power = coordinates().filter_map(Dyadic::power).min().unwrap_or(0);
        let whole = |point: &[Dyadic; 3]| Int3(std::array::from_fn(|k| point[k].at(power)));
        // All are seen from one point, so that rounded coordinates have their digits where the bodies are.
        let first = drafts[0].first().and_then(|draft| draft.points.first());
        let origin = first.map_or_else(Int3::default, whole);
        let mut parts = drafts.map(|drafts| {
            let solid = |Draft { points, solid }| Solid {
                points: points.iter().map(|point| whole(point).minus(&origin)).collect(),
                ..solid
            };
            drafts.into_iter().map(solid).collect::<Vec<_>>()
        });
        let scale = parts.iter().flatten().flat_map(|part| &part.points).map(Int3::bits).max().unwrap_or(0);
        for part in parts.iter_mut().flatten() {
            part.rough = part.points.iter().map(|point| point.rough(scale)).collect();
            if part.convex {
                part.face_outwards();
            }
        }
        Ok(Self { parts, power, scale })
    }
}

/// An error if exact questions cannot be asked of a body; otherwise whether it consists of convex solids only.
pub(super) fn check(body: &BodyRef<'_>, name: char) -> Result<bool, NotExact> {
    if body.padding > 0.0 {
        return Err(NotExact::Padded { body: name });
    }
    match body.geometry() {
        Geometry::Convex(shape) => check_shape(shape, name, None),
        Geometry::Mesh(_) => Ok(false),
        Geometry::Compound(compound) => {
            let mut all = true;
            for (i, (leaf, _)) in compound.parts.iter().enumerate() {
                all &= match leaf {
                    Leaf::Convex(shape) => check_shape(shape, name, Some(i as u32))?,
                    Leaf::Mesh(_) => false,
                };
            }
            Ok(all)
        }
        Geometry::HeightField(_) | Geometry::PointCloud(_) | Geometry::HalfSpace(_) => {
            Err(NotExact::Field { body: name })
        }
    }
}

/// Whether a body has a room in it: a sheet here, and solid outside of its surface to others.
pub(super) fn has_room(body: &BodyRef<'_>) -> bool {
    match body.geometry() {
        Geometry::Mesh(mesh) => mesh.is_room(),
        Geometry::Compound(compound) => {
            compound.parts.iter().any(|(leaf, _)| matches!(leaf, Leaf::Mesh(mesh) if mesh.is_room()))
        }
        _ => false,
    }
}

fn check_shape(shape: &Shape, body: char, part: Option<u32>) -> Result<bool, NotExact> {
    if shape.radius() > 0.0 {
        return Err(NotExact::Rounded { body, part });
    }
    match shape.core() {
        Core::Cuboid { .. } | Core::Frustum { .. } | Core::Polytope(_) => Ok(true),
        Core::Point | Core::Segment { .. } | Core::Rectangle { .. } | Core::Triangle(_) | Core::Polygon(_) => Ok(false),
        Core::Posed(inner) => check_shape(&inner.shape, body, part),
        Core::Sum(_) | Core::Hull(_) | Core::Difference(_) => Err(NotExact::Combined { body, part }),
        _ => Err(NotExact::Curved { body, part }),
    }
}

fn drafts(body: &BodyRef<'_>, pose: &Pose, name: char) -> Result<Vec<Draft>, NotExact> {
    check(body, name)?;
    match body.geometry() {
        Geometry::Convex(shape) => Ok(vec![of_shape(shape, vec![pose], name, None)?]),
        Geometry::Mesh(mesh) => Ok(vec![of_mesh(mesh, &[pose])]),
        Geometry::Compound(compound) => {
            let parts = compound.parts.iter().zip(0..);
            let draft = |((leaf, own), i): (&(Leaf, Pose), u32)| match leaf {
                Leaf::Convex(shape) => of_shape(shape, vec![own, pose], name, Some(i)),
                Leaf::Mesh(mesh) => Ok(of_mesh(mesh, &[own, pose])),
            };
            parts.map(draft).collect()
        }
        _ => Err(NotExact::Field { body: name }),
    }
}

/// Where poses, the first one first, put a point: exactly.
fn posed(point: DVec3, poses: &[&Pose]) -> [Dyadic; 3] {
    let mut at = point.to_array().map(Dyadic::from);
    for pose in poses {
        let (matrix, translation) = (pose.matrix(), pose.translation());
        at = [0, 1, 2].map(|row: usize| {
            let mut sum = Dyadic::from(widen_real(translation[row]));
            for (column, coordinate) in at.iter().enumerate() {
                sum = sum.plus(&Dyadic::from(widen_real(matrix.col(column)[row])).times(coordinate));
            }
            sum
        });
    }
    at
}

fn of_mesh(mesh: &Mesh, poses: &[&Pose]) -> Draft {
    let triangles: Vec<[u32; 3]> = (0..mesh.triangle_count() as u32).map(|t| mesh.triangle_corners(t)).collect();
    let mut used = vec![false; mesh.vertices().len()];
    triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
    let seeds = mesh.part_vertices().iter().copied().filter(|&v| used[v as usize]).collect();
    Draft {
        points: mesh.vertices().iter().map(|&p| posed(widen(p), poses)).collect(),
        solid: Solid { triangles, seeds, solid: mesh.is_solid(), ..Solid::default() },
    }
}

fn of_shape<'p>(shape: &'p Shape, mut poses: Vec<&'p Pose>, body: char, part: Option<u32>) -> Result<Draft, NotExact> {
    let flat = |x, y, z| Vec3::new(x, y, z);
    let (points, faces): (Vec<Vec3>, Vec<Vec<u32>>) = match shape.core() {
        Core::Posed(inner) => {
            poses.insert(0, &inner.pose);
            return of_shape(&inner.shape, poses, body, part);
        }
        Core::Point => (vec![Vec3::ZERO], vec![vec![0, 0, 0]]),
        Core::Segment { half_length: x } => (vec![flat(-x, 0.0, 0.0), flat(*x, 0.0, 0.0)], vec![vec![0, 1, 1]]),
        Core::Rectangle { half_extents: [x, y] } => {
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            (corners.map(|[i, j]| flat(i * x, j * y, 0.0)).to_vec(), vec![vec![0, 1, 2, 3]])
        }
        Core::Triangle(corners) => (corners.to_vec(), vec![vec![0, 1, 2]]),
        Core::Cuboid { half_extents: half } => {
            let extents = [half.x, half.y];
            box_between([extents, extents], [-half.z, half.z])
        }
        Core::Frustum { bottom, top, bottom_z, top_z } => box_between([*bottom, *top], [*bottom_z, *top_z]),
        Core::Polytope(polytope) => of_polytope(polytope),
        Core::Polygon(polygon) => of_polygon(polygon.vertices()).ok_or(NotExact::NotFlat { body, part })?,
        _ => return Err(NotExact::Curved { body, part }),
    };
    let fan = |face: &Vec<u32>| face[1..].windows(2).map(|pair| [face[0], pair[0], pair[1]]).collect::<Vec<_>>();
    Ok(Draft {
        points: points.iter().map(|&p| posed(widen(p), &poses)).collect(),
        solid: Solid {
            triangles: faces.iter().flat_map(fan).collect(),
            seeds: vec![0],
            convex: true,
            ..Solid::default()
        },
    })
}

/// The corners and faces of a body between two rectangles.
fn box_between(extents: [[Real; 2]; 2], heights: [Real; 2]) -> (Vec<Vec3>, Vec<Vec<u32>>) {
    let corner = |i: usize| {
        let side = |bit: usize, x: Real| if i >> bit & 1 == 1 { x } else { -x };
        let [x, y] = extents[i >> 2];
        Vec3::new(side(0, x), side(1, y), heights[i >> 2])
    };
    ((0..8).map(corner).collect(), BOX_FACES.iter().map(|face| face.to_vec()).collect())
}

fn of_polytope(polytope: &Polytope) -> (Vec<Vec3>, Vec<Vec<u32>>) {
    let faces = (0..polytope.face_count() as u32).map(|face| polytope.face_vertices(face).collect()).collect();
    (polytope.vertices().to_vec(), faces)
}

/// A polygon, or the thin solid that it is if its corners are not exactly in one plane.
fn of_polygon(corners: &[Vec3]) -> Option<(Vec<Vec3>, Vec<Vec<u32>>)> {
    let points: Vec<[Dyadic; 3]> = corners.iter().map(|&p| posed(widen(p), &[])).collect();
    let power = points.iter().flatten().filter_map(Dyadic::power).min().unwrap_or(0);
    let points: Vec<Int3> = points.iter().map(|p| Int3(std::array::from_fn(|k| p[k].at(power)))).collect();
    if (Cloud { points: &points, rough: &[] }).span().len() < 4 {
        return Some((corners.to_vec(), vec![(0..corners.len() as u32).collect()]));
    }
    Polytope::from_points(corners).ok().map(|polytope| of_polytope(&polytope))
}
