//! What two solids that overlap have in common: the curve in which their surfaces cross, the box and the volume of the overlap, and how
//! the one is in the other.
//!
//! Both surfaces are closed sets of triangles along the axes of the world, from the origin of A. Which edges pass through which triangles is decided by exact predicates
//! ([`cross`]), so that the curve is made of closed loops, and every edge enters and leaves the other solid as often as the sides of its
//! ends say ([`sides`] compares them). From the loops follow the pieces into which a surface is cut ([`pieces`]) and, by the divergence
//! theorem, the volume ([`measure`]): no polyhedron of the overlap is built.
//!
//! Where an edge meets an edge, or four points are in one plane, there is no general position: B is then moved by a few roundings of the
//! pair, and tried again. By how much counts in the bounds of the volume, and what is smaller than that is not told from touching. So flush
//! faces do not cut each other.
//!
//! Curved bodies take part as polyhedra inscribed in them; what these lack in volume is added to the upper bound. Bodies of several parts
//! are asked pair by pair.

mod cross;
mod loops;
mod measure;
mod pieces;
mod sides;
mod surface;

use glam::DVec3;

use crate::concave::pair_size;
use crate::math::{Aabb, Pose, Real, Vec3, narrow, narrow_real, widen, widen_real};
use crate::shape::{BodyRef, Geometry, Leaf};
use crate::tolerance::{INTERSECTION_SHIFT, sigma};
use cross::Crossing;
use surface::{Place, Surface};

/// How one of two solids that overlap is in the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Cut {
    /// One goes through the other: the rest of one of their surfaces is in several pieces.
    Piercing,
    /// One reaches into the other, and the rest of either is in one piece.
    Protruding,
    /// A is inside B, as a whole; their surfaces may touch.
    InsideB,
    /// B is inside A, as a whole; their surfaces may touch.
    InsideA,
    /// Both fill the same space.
    Duplicate,
}

/// What two solids that overlap have in common, in world space.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Intersection {
    /// How one is in the other.
    pub cut: Cut,
    /// The curve in which the surfaces cross, as closed polylines: the first point of each is its last one, too.
    pub curves: Vec<Vec<Vec3>>,
    /// A box around the overlap; places where the bodies only touch may be in it.
    pub bounds: Aabb,
    /// A lower and an upper bound of the volume of the overlap.
    pub volume: [Real; 2],
}

/// What two solids have in common; nothing if they do not overlap by more than rounding, or if one of them has no volume.
///
/// Solids are closed meshes, convex shapes, and compounds of these. Curves of curved bodies are those of polyhedra inscribed in them.
///
/// ```
/// use clearance::{Cut, Pose, Shape, intersection};
/// let (plate, rod) = (Shape::cuboid([1.0, 1.0, 0.1])?, Shape::cuboid([0.2, 0.2, 2.0])?);
/// let pose = Pose::from_translation([0.3, 0.1, 0.4])?;
/// let found = intersection(&plate, &Pose::IDENTITY, &rod, &pose).ok_or("they overlap")?;
/// assert_eq!(found.cut, Cut::Piercing);
/// assert_eq!(found.curves.len(), 2); // where the rod enters the plate, and where it leaves it
/// assert!(found.volume[0] <= 0.032 + 1e-7 && found.volume[1] >= 0.032 - 1e-7); // 0.4 × 0.4 × 0.2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn intersection<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
) -> Option<Intersection> {
    let (a, b) = (a.into(), b.into());
    let (body_a, body_b) = (a.geometry(), b.geometry());
    // Solids are those of the numbers given, in f64; touching has the meaning of the precision that they are given in.
    let touching = INTERSECTION_SHIFT * widen_real(sigma(pair_size(body_a, pose_a, body_b, pose_b)));
    let errors = Errors { touching, rounding: touching * (f64::EPSILON / widen_real(Real::EPSILON)) };
    let origin = widen(pose_a.translation());
    let of_a = solids(body_a, &Place::new(pose_a, origin));
    let of_b = solids(body_b, &Place::new(pose_b, origin));
    let mut whole: Option<Local> = None;
    for surface_a in &of_a {
        for surface_b in &of_b {
            let Some(found) = of_surfaces(surface_a, surface_b, &errors) else { continue };
            whole = Some(match whole {
                None => found,
                Some(before) => before.with(found),
            });
        }
    }
    let volumes = [&of_a, &of_b].map(|solids| solids.iter().map(|solid| solid.volume).sum::<f64>());
    let mut whole = whole?;
    if of_a.len() * of_b.len() > 1 {
        whole.cut = whole.cut_of_many(volumes);
    }
    Some(whole.in_the_world(origin))
}

/// The surfaces of the solids that a body is made of, in its place; none of what has no volume.
fn solids(body: Geometry<'_>, place: &Place) -> Vec<Surface> {
    match body {
        Geometry::Convex(shape) => Surface::of_convex(shape, place).into_iter().collect(),
        Geometry::Mesh(mesh) => Surface::of_mesh(mesh, place).into_iter().collect(),
        Geometry::Compound(compound) => compound
            .parts
            .iter()
            .filter_map(|(leaf, own)| match leaf {
                Leaf::Convex(shape) => Surface::of_convex(shape, &place.with(own)),
                Leaf::Mesh(mesh) => Surface::of_mesh(mesh, &place.with(own)),
            })
            .collect(),
        Geometry::HeightField(_) | Geometry::PointCloud(_) | Geometry::HalfSpace(_) => Vec::new(),
    }
}

/// How far surfaces are off by rounding, and how deep they may be in each other and still touch only.
struct Errors {
    rounding: f64,
    touching: f64,
}

/// What two surfaces have in common, along the axes of the world from the origin of A.
struct Local {
    cut: Cut,
    curves: Vec<Vec<DVec3>>,
    bounds: [DVec3; 2],
    volume: [f64; 2],
}

impl Local {
    /// That of two pairs of parts together. Parts of one body may overlap each other: what both have in common counts once at least.
    fn with(mut self, mut other: Self) -> Self {
        self.curves.append(&mut other.curves);
        Self {
            cut: if self.cut == Cut::Piercing { self.cut } else { other.cut },
            curves: self.curves,
            bounds: [self.bounds[0].min(other.bounds[0]), self.bounds[1].max(other.bounds[1])],
            volume: [self.volume[0].max(other.volume[0]), self.volume[1] + other.volume[1]],
        }
    }

    /// How bodies of several parts are in each other: as a whole only if the volume says so.
    fn cut_of_many(&self, volumes: [f64; 2]) -> Cut {
        let holds = volumes.map(|volume| self.volume[0] >= volume);
        match (holds, self.cut) {
            ([true, true], _) => Cut::Duplicate,
            ([true, false], _) => Cut::InsideB,
            ([false, true], _) => Cut::InsideA,
            (_, Cut::Piercing) => Cut::Piercing,
            _ => Cut::Protruding,
        }
    }

    fn in_the_world(self, origin: DVec3) -> Intersection {
        let curve = |points: &Vec<DVec3>| points.iter().map(|p| narrow(*p + origin)).collect();
        let [low, high] = self.bounds.map(|p| narrow(p + origin));
        let [lower, upper] = self.volume.map(narrow_real);
        // Narrowing may round inwards.
        let [down, up] = [Real::next_down, Real::next_up];
        Intersection {
            cut: self.cut,
            curves: self.curves.iter().map(curve).collect(),
            bounds: Aabb {
                min: Vec3::from_array(low.to_array().map(down)),
                max: Vec3::from_array(high.to_array().map(up)),
            },
            volume: [down(lower).max(0.0), up(upper)],
        }
    }
}

/// What two surfaces have in common, in the general position found first; nothing if there is no overlap.
fn of_surfaces(a: &Surface, b: &Surface, errors: &Errors) -> Option<Local> {
    let mut moved = 0.0;
    for (way, clear) in cross::shifts(errors.rounding) {
        let b = b.moved(way);
        moved = way.length();
        if let Some(found) = Crossing::find(a, &b, clear).and_then(|crossing| measured(a, &b, &crossing, moved, errors))
        {
            return found;
        }
    }
    // No general position was found: all that is certain is where it can be.
    let bounds = [a.bounds[0].max(b.bounds[0]), a.bounds[1].min(b.bounds[1])];
    let size = (bounds[1] - bounds[0]).max(DVec3::ZERO) + DVec3::splat(2.0 * moved);
    let most = (size.x * size.y * size.z).min(a.most_volume()).min(b.most_volume());
    Some(Local { cut: Cut::Protruding, curves: Vec::new(), bounds, volume: [0.0, most] })
}

/// What the crossings say; nothing if they contradict each other, and nothing in there if there is no overlap.
#[expect(clippy::option_option, reason = "contradictions and solids apart are two answers")]
fn measured(a: &Surface, b: &Surface, crossing: &Crossing, moved: f64, errors: &Errors) -> Option<Option<Local>> {
    let sides = [sides::of_vertices(a, b, &crossing.edges[0])?, sides::of_vertices(b, a, &crossing.edges[1])?];
    let shared = measure::shared(a, b, crossing, &sides, errors.rounding + moved);
    let deep = |area: f64| 2.0 * (errors.touching - errors.rounding) * area;
    let Some(bounds) = shared.bounds.filter(|_| shared.volume[0] > deep(shared.area)) else { return Some(None) };
    // What is missing of a solid that is inside the other is no more than the error of the volume.
    let is_inside = |solid: &Surface| {
        solid.volume - shared.volume[0] <= 2.0 * shared.error + 2.0 * (errors.touching + moved) * solid.area
    };
    let cut = match [a, b].map(is_inside) {
        [true, true] => Cut::Duplicate,
        [true, false] => Cut::InsideB,
        [false, true] => Cut::InsideA,
        _ if pieces::are_cut(a, &crossing.edges[0], &crossing.paths[0], &sides[0])
            || pieces::are_cut(b, &crossing.edges[1], &crossing.paths[1], &sides[1]) =>
        {
            Cut::Piercing
        }
        _ => Cut::Protruding,
    };
    let missing = a.missing + b.missing;
    let most = (shared.volume[1] + missing).min(a.most_volume()).min(b.most_volume());
    let volume = [shared.volume[0], most.max(shared.volume[0])];
    Some(Some(Local { cut, curves: loops::closed(crossing), bounds, volume }))
}
