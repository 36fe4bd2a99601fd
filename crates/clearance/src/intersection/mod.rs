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

use crate::answer::{Contact, End};
use crate::concave::{BodyCache, closest, pair_size};
use crate::math::{Aabb, Pose, Real, Vec3, narrow, narrow_real, widen, widen_real};
use crate::shape::{BodyRef, Geometry, Leaf};
use crate::tolerance::{INSCRIBED_REACH, INTERSECTION_SHIFT, sigma};
use cross::Crossing;
use surface::{Place, Surface};

/// How one of two solids that overlap is in the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Cut {
    /// One goes through the other: the part of one's surface that is outside of the other is in several pieces. Pieces of surface are counted,
    /// not pieces of the solid: a rod that fills the hole of a ring leaves the ring in one piece, but its own surface in two.
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
    /// How one is in the other; not known if the query ended [`End::Degenerate`], or if curved bodies overlap by so little that the
    /// polyhedra inscribed in them do not.
    pub cut: Option<Cut>,
    /// The curve in which the surfaces cross, as closed polylines: the first point of each is its last one, too.
    pub curves: Vec<Vec<Vec3>>,
    /// A box around the overlap; places where the bodies only touch may be in it.
    pub bounds: Aabb,
    /// A lower and an upper bound of the volume of the overlap.
    pub volume: [Real; 2],
    /// How the query ended. [`End::Converged`]: all of it holds to rounding. [`End::IterationLimit`]: a curved body took part as a polyhedron
    /// inscribed in it, of which cut and curves are told; box and volume hold for the body. [`End::Degenerate`]: no general position
    /// was found; only box and volume hold.
    pub end: End,
}

/// What two solids have in common; nothing if they do not overlap by more than rounding, or if one of them has no volume.
///
/// Solids are closed meshes, convex shapes, and compounds of these. Curves of curved bodies, and which of them is in which, are those of
/// polyhedra inscribed in them, and [`Intersection::end`] says so.
///
/// ```
/// use clearance::{Cut, Pose, Shape, intersection};
/// let (plate, rod) = (Shape::cuboid([1.0, 1.0, 0.1])?, Shape::cuboid([0.2, 0.2, 2.0])?);
/// let pose = Pose::from_translation([0.3, 0.1, 0.4])?;
/// let found = intersection(&plate, &Pose::IDENTITY, &rod, &pose).ok_or("they overlap")?;
/// assert_eq!(found.cut, Some(Cut::Piercing));
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
    // What curved parts may have in common that the polyhedra inscribed in them have not.
    let mut unseen = 0.0;
    for surface_a in &of_a {
        for surface_b in &of_b {
            let Some(found) = of_surfaces(surface_a, surface_b, &errors) else {
                unseen += unseen_volume(surface_a, surface_b, &errors);
                continue;
            };
            whole = Some(match whole {
                None => found,
                Some(before) => before.with(found),
            });
        }
    }
    let is_curved = of_a.iter().chain(&of_b).any(|solid| solid.missing > 0.0);
    let mut whole = match whole {
        Some(whole) => Local { volume: [whole.volume[0], whole.volume[1] + unseen], ..whole },
        None if unseen > 0.0 => {
            let near = closest(body_a, pose_a, body_b, pose_b, &mut BodyCache::default());
            Local::unknown([0.0, unseen], End::IterationLimit).filter(|_| near.contact == Contact::Overlapping)?
        }
        None => return None,
    };
    if of_a.len() * of_b.len() > 1 {
        whole.cut =
            whole.cut_of_many([&of_a, &of_b].map(|solids| solids.iter().map(|solid| solid.volume).sum::<f64>()));
    }
    if is_curved || whole.end == End::Degenerate {
        whole.end = if whole.end == End::Converged { End::IterationLimit } else { whole.end };
        whole.bounds = common_box(body_a.aabb(pose_a), body_b.aabb(pose_b), origin);
    }
    Some(whole.in_the_world(origin))
}

/// The volume that two solids may have in common though what stands for them has none, at most: what the inscribed polyhedra lack of curved
/// bodies, and what counts as touching.
fn unseen_volume(a: &Surface, b: &Surface, errors: &Errors) -> f64 {
    let missing = a.missing + b.missing;
    // How far a body reaches beyond its polyhedron, at most.
    let reach = |solid: &Surface| {
        if solid.missing > 0.0 { INSCRIBED_REACH * (solid.bounds[1] - solid.bounds[0]).length() } else { 0.0 }
    };
    let gap = (a.bounds[0] - b.bounds[1]).max(b.bounds[0] - a.bounds[1]).max_element();
    if missing == 0.0 || gap > reach(a) + reach(b) {
        return 0.0;
    }
    missing + 2.0 * errors.touching * a.area.min(b.area)
}

/// The box that two boxes have in common, seen from a point.
fn common_box(a: Aabb, b: Aabb, origin: DVec3) -> [DVec3; 2] {
    [widen(a.min.max(b.min)) - origin, widen(a.max.min(b.max)) - origin]
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
    cut: Option<Cut>,
    curves: Vec<Vec<DVec3>>,
    bounds: [DVec3; 2],
    volume: [f64; 2],
    end: End,
}

impl Local {
    /// An overlap of which only the volume is known.
    fn unknown(volume: [f64; 2], end: End) -> Option<Self> {
        Some(Self { cut: None, curves: Vec::new(), bounds: [DVec3::ZERO; 2], volume, end })
    }

    /// That of two pairs of parts together. Parts of one body may overlap each other: what both have in common counts once at least.
    fn with(mut self, mut other: Self) -> Self {
        self.curves.append(&mut other.curves);
        Self {
            cut: if self.cut == Some(Cut::Piercing) { self.cut } else { self.cut.and(other.cut) },
            curves: self.curves,
            bounds: [self.bounds[0].min(other.bounds[0]), self.bounds[1].max(other.bounds[1])],
            volume: [self.volume[0].max(other.volume[0]), self.volume[1] + other.volume[1]],
            end: if self.end == End::Converged { other.end } else { self.end },
        }
    }

    /// How bodies of several parts are in each other: as a whole only if the volume says so.
    fn cut_of_many(&self, volumes: [f64; 2]) -> Option<Cut> {
        let cut = self.cut?;
        Some(match volumes.map(|volume| self.volume[0] >= volume) {
            [true, true] => Cut::Duplicate,
            [true, false] => Cut::InsideB,
            [false, true] => Cut::InsideA,
            _ if cut == Cut::Piercing => cut,
            _ => Cut::Protruding,
        })
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
            end: self.end,
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
    let size = a.bounds[1].min(b.bounds[1]) - a.bounds[0].max(b.bounds[0]) + DVec3::splat(2.0 * moved);
    if size.min_element() <= 0.0 {
        return None;
    }
    let most = (size.x * size.y * size.z + a.missing + b.missing).min(a.most_volume()).min(b.most_volume());
    Local::unknown([0.0, most], End::Degenerate)
}

/// What the crossings say; nothing if they contradict each other, and nothing in there if there is no overlap.
#[expect(clippy::option_option, reason = "contradictions and solids apart are two answers")]
fn measured(a: &Surface, b: &Surface, crossing: &Crossing, moved: f64, errors: &Errors) -> Option<Option<Local>> {
    let sides = [sides::of_vertices(a, b, &crossing.edges[0])?, sides::of_vertices(b, a, &crossing.edges[1])?];
    let shared = measure::shared(a, b, crossing, &sides, errors.rounding + moved);
    let deep = |area: f64| 2.0 * (errors.touching - errors.rounding) * area;
    let Some(bounds) = shared.bounds.filter(|_| shared.volume[0] > deep(shared.area)) else { return Some(None) };
    // Of a solid that is inside the other no more volume is missing than the error, no vertex is outside, and none of the other's vertices is
    // inside: a needle may stick out that has next to no volume.
    let within = 2.0 * (errors.touching + moved);
    let is_inside = |inner: usize| {
        let (solid, other) = if inner == 0 { (a, b) } else { (b, a) };
        solid.volume - shared.volume[0] <= 2.0 * shared.error + within * solid.area
            && !solid.has_vertex_off(other, &sides[inner], false, 2.0 * within)
            && !other.has_vertex_off(solid, &sides[1 - inner], true, 2.0 * within)
    };
    let cut = match [0, 1].map(is_inside) {
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
    Some(Some(Local { cut: Some(cut), curves: loops::closed(crossing), bounds, volume, end: End::Converged }))
}
