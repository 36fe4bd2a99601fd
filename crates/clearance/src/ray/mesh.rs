//! Rays against meshes.

use glam::DVec3;

use super::input::{Ray, RayOptions};
use super::local::{LocalHit, LocalRay};
use super::triangle::{Count, Passage, Probe};
use crate::answer::{Feature, RayHit, Side};
use crate::bvh::{NodeBox, RayPath};
use crate::math::exact::triangle_normal;
use crate::math::{Aabb, Pose, Real, widen};
use crate::shape::mesh::{Mesh, NO_FACE, crossing, winding};
use crate::tolerance::SLIVER;

/// A triangle that is hit.
#[derive(Debug, Clone, Copy)]
struct Found {
    passage: Passage,
    triangle: u32,
}

impl Found {
    /// Whether it comes before another one: by its position, what faces the ray first, then by its number.
    fn is_before(&self, other: &Self) -> bool {
        let key = |found: &Self| (found.passage.facing, found.triangle);
        let (mine, others) = (self.passage.t[0], other.passage.t[0]);
        mine < others || (mine == others && key(self) < key(other))
    }
}

impl Found {
    /// What crossings are ordered by: where they are tied, entering comes before leaving. It is not before the box of the triangle, so
    /// that what a walk leaves out for its box is left out in every walk alike.
    fn key(&self, path: &RayPath, entry: f32) -> f64 {
        let [_, lower, upper] = self.passage.t;
        let least = path.start() + f64::from(entry);
        if self.passage.facing > 0 { upper.max(least) } else { lower.max(least) }
    }
}

/// Where a ray first meets a mesh; nothing if it does not, or only beyond the largest position.
///
/// A solid is entered from outside, and left if the ray starts inside; of a surface the nearest triangle is hit, from either side.
pub fn cast_ray_mesh(mesh: &Mesh, pose: &Pose, ray: &Ray, options: &RayOptions) -> Option<RayHit> {
    let probe = Probe::new(LocalRay::new(ray, pose, mesh.bounding_radius()));
    let origin = probe.ray.origin;
    let path = RayPath::new(mesh.tree(), origin, probe.ray.direction, probe.ray.size, 0.0)?;
    let most = probe.ray.parameter(options.max);
    if !(options.solid && (mesh.is_solid() || mesh.is_room())) {
        return nearest(mesh, &probe, &path, most, |_| true).map(|found| finish(mesh, &probe, &found, pose, false));
    }
    let bounds = mesh.bounds();
    let is_out = origin.cmplt(widen(bounds.min)).any() || origin.cmpgt(widen(bounds.max)).any();
    if is_out && mesh.is_solid() {
        // From outside a closed surface is met on its front: before whatever shows its back there is something nearer.
        return nearest(mesh, &probe, &path, most, |facing| facing <= 0)
            .map(|found| finish(mesh, &probe, &found, pose, false));
    }
    // A short ray that meets nothing does not need to know where it starts.
    if most < f64::INFINITY {
        nearest(mesh, &probe, &path, most, |_| true)?;
    }
    let (found, inside) = Survey::of(mesh, &probe, &path).outcome(mesh, &probe, &path, most)?;
    (found.passage.t[0] <= most).then(|| finish(mesh, &probe, &found, pose, inside))
}

/// Every crossing of a ray with a mesh up to the largest position, in order, into `hits`, which is cleared first.
///
/// Crossings are those of the ray moved by an infinitesimal step: for a closed mesh entering and leaving alternate (where pieces overlap,
/// they nest), also if the ray goes through edges and vertices.
pub fn mesh_crossings(mesh: &Mesh, pose: &Pose, ray: &Ray, options: &RayOptions, hits: &mut Vec<RayHit>) {
    hits.clear();
    let probe = Probe::new(LocalRay::new(ray, pose, mesh.bounding_radius()));
    let Some(path) = RayPath::new(mesh.tree(), probe.ray.origin, probe.ray.direction, probe.ray.size, 0.0) else {
        return;
    };
    mesh.wide_tree().along_ray(&path, f32::INFINITY, |triangle, _| {
        if let Some(passage) = crossed(mesh, &probe, triangle) {
            hits.push(finish(mesh, &probe, &Found { passage, triangle }, pose, false));
        }
        f32::INFINITY
    });
    let closed = mesh.is_solid() || mesh.is_room();
    let depth = if closed { hits.iter().map(|hit| if hit.side == Side::Back { 1 } else { -1 }).sum() } else { 0 };
    let depth = depth + i32::from(mesh.is_room());
    in_order(hits, depth);
    let inside = options.solid && closed && depth > 0;
    hits.iter_mut().for_each(|hit| hit.inside = inside);
    hits.retain(|hit| hit.t <= options.max);
}

/// Sorts hits by position. Where their bounds overlap, leaving and entering alternate, starting inside of so many surfaces.
fn in_order(hits: &mut [RayHit], mut depth: i32) {
    let key = |hit: &RayHit| (hit.side, hit.feature);
    hits.sort_by(|a, b| a.t.total_cmp(&b.t).then(key(a).cmp(&key(b))));
    for i in 0..hits.len() {
        let wanted = if depth > 0 { Side::Back } else { Side::Front };
        let upper = hits[i].upper;
        let tied = hits[i..].iter().take_while(|hit| hit.lower <= upper);
        if let Some(ahead) = tied.into_iter().position(|hit| hit.side == wanted) {
            hits[i..=i + ahead].rotate_right(1);
        }
        depth += if hits[i].side == Side::Front { 1 } else { -1 };
        // What was brought forward is at the place of those it passed, within its bounds.
        let before = if i > 0 { hits[i - 1].t } else { 0.0 };
        let here = &mut hits[i];
        here.t = Real::max(here.t, before);
        here.upper = Real::max(here.upper, here.t);
    }
}

/// What is along all of a ray: where it starts follows from how often it is crossed.
struct Survey {
    /// The winding number of the surface about the origin.
    winding: i32,
    /// The nearest triangle that is touched on its front or edge-on.
    front: Option<Found>,
    /// The first crossing, by its key.
    first: Option<(f64, Found)>,
    /// Whether the origin may be on the surface.
    on_surface: bool,
}

impl Survey {
    fn of(mesh: &Mesh, probe: &Probe, path: &RayPath) -> Self {
        let mut survey = Self { winding: 0, front: None, first: None, on_surface: false };
        mesh.wide_tree().along_ray(path, f32::INFINITY, |triangle, entry| {
            if let Some(passage) = probe.passage(&mesh.wide_triangle(triangle), Count::Touched) {
                survey.add(mesh, probe, path, Found { passage, triangle }, entry);
            }
            f32::INFINITY
        });
        survey
    }

    fn add(&mut self, mesh: &Mesh, probe: &Probe, path: &RayPath, found: Found, entry: f32) {
        self.on_surface |= found.passage.t[0] <= 0.0;
        if found.passage.facing <= 0 {
            self.front = Some(self.front.map_or(found, |old| first_of(found, old)));
        }
        // Through an edge or a corner it is up to the infinitesimal step which of the triangles there are crossed.
        let is_plain = found.passage.weights.iter().all(|&weight| weight > 0.0);
        if !is_plain && crossed(mesh, probe, found.triangle).is_none() {
            return;
        }
        self.winding += found.passage.facing;
        let key = found.key(path, entry);
        let is_first = self.first.is_none_or(|(best, old)| (key, found.triangle) < (best, old.triangle));
        if is_first {
            self.first = Some((key, found));
        }
    }

    /// The hit, and whether the ray starts inside.
    fn outcome(self, mesh: &Mesh, probe: &Probe, path: &RayPath, most: f64) -> Option<(Found, bool)> {
        let origin = probe.ray.origin;
        let is_on = || winding(mesh.tree(), origin, |i| crossing(mesh.wide_triangle(i), origin)).is_none();
        if self.on_surface && is_on() {
            return nearest(mesh, probe, path, most, |_| true).map(|found| (found, false));
        }
        let depth = self.winding + i32::from(mesh.is_room());
        if depth <= 0 {
            return self.front.map(|found| (found, false));
        }
        match self.first {
            Some((_, found)) if depth == 1 && found.passage.facing > 0 => Some((found, true)),
            _ => first_exit(mesh, probe, path, most, depth).map(|found| (found, true)),
        }
    }
}

/// The nearest triangle that is touched and of which the side counts.
fn nearest(mesh: &Mesh, probe: &Probe, path: &RayPath, most: f64, counts: impl Fn(i32) -> bool) -> Option<Found> {
    let mut best: Option<Found> = None;
    let mut limit = path.limit(most);
    mesh.wide_tree().along_ray(path, limit, |triangle, _| {
        let Some(passage) = probe.passage(&mesh.wide_triangle(triangle), Count::Touched) else {
            return limit;
        };
        if counts(passage.facing) && passage.t[1] <= most {
            let found = Found { passage, triangle };
            let first = best.map_or(found, |old| first_of(found, old));
            limit = path.limit(first.passage.t[2].min(most));
            best = Some(first);
        }
        limit
    });
    best.filter(|found| found.passage.t[0] <= most)
}

/// The first of two hits. The exact one is not before the lower bound of either, and not beyond any of the upper bounds.
fn first_of(a: Found, b: Found) -> Found {
    let mut first = if a.is_before(&b) { a } else { b };
    first.passage.t[1] = a.passage.t[1].min(b.passage.t[1]);
    first.passage.t[2] = a.passage.t[2].min(b.passage.t[2]);
    first
}

/// Where a ray that starts within so many surfaces is out of all of them: entering counts before leaving where they are tied.
fn first_exit(mesh: &Mesh, probe: &Probe, path: &RayPath, most: f64, mut depth: i32) -> Option<Found> {
    let mut last = (f64::NEG_INFINITY, 0);
    // Every round finds another crossing.
    for _ in 0..=mesh.triangle_count() {
        let mut next: Option<(f64, Found)> = None;
        mesh.wide_tree().along_ray(path, path.limit(most), |triangle, entry| {
            let Some(passage) = crossed(mesh, probe, triangle) else {
                return path.limit(next.map_or(most, |(key, _)| key));
            };
            let found = Found { passage, triangle };
            let key = found.key(path, entry);
            let is_next = next.is_none_or(|(best, old)| (key, triangle) < (best, old.triangle));
            if passage.t[0] <= most && (key, triangle) > last && is_next {
                next = Some((key, found));
            }
            path.limit(next.map_or(most, |(key, _)| key))
        });
        let (key, found) = next?;
        last = (key, found.triangle);
        depth -= found.passage.facing;
        if depth <= 0 {
            return Some(found).filter(|found| found.passage.t[0] <= most);
        }
    }
    None
}

/// Whether and where a triangle is crossed.
fn crossed(mesh: &Mesh, probe: &Probe, triangle: u32) -> Option<Passage> {
    let corners = mesh.wide_triangle(triangle);
    let passage = probe.passage(&corners, Count::Crossed)?;
    let at_origin = passage.t[1] <= 0.0;
    (!at_origin || probe.is_ahead_of_step(&corners, passage.facing)).then_some(passage)
}

/// The answer in world space.
fn finish(mesh: &Mesh, probe: &Probe, found: &Found, pose: &Pose, inside: bool) -> RayHit {
    let corners = mesh.wide_triangle(found.triangle);
    place_hit(probe, &corners, &found.passage, feature(mesh, found), pose, inside)
}

/// A triangle that is hit as an answer in world space.
pub(super) fn place_hit(
    probe: &Probe,
    corners: &[DVec3; 3],
    passage: &Passage,
    feature: Feature,
    pose: &Pose,
    inside: bool,
) -> RayHit {
    let ([a, b, c], [u, v, w]) = (*corners, passage.weights);
    let point = if passage.facing == 0 { probe.ray.at(passage.t[0]) } else { (a * u + b * v + c * w) / (u + v + w) };
    let normal = outward([a, b, c]).unwrap_or_else(|| -probe.ray.direction.normalize());
    let side = if passage.facing > 0 { Side::Back } else { Side::Front };
    let local = LocalHit { t: passage.t, piece: passage.piece, point, normal, feature, side, inside };
    probe.ray.in_the_world(&local, pose)
}

/// The unit normal of a triangle; nothing if it has no area.
pub(super) fn outward([a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    let (u, v, w) = (b - a, c - a, c - b);
    let normal = u.cross(v);
    let longest = u.length_squared().max(v.length_squared()).max(w.length_squared());
    if normal.length_squared() > SLIVER * SLIVER * longest * longest {
        return Some(normal.normalize());
    }
    triangle_normal(a, b, c).try_normalize()
}

/// The vertex, edge or face of a mesh that a hit is on.
fn feature(mesh: &Mesh, found: &Found) -> Feature {
    let corners = mesh.triangle_corners(found.triangle);
    let face = mesh.given_face(found.triangle);
    let zero = found.passage.weights.map(|w| w == 0.0);
    let count = zero.iter().filter(|&&is_zero| is_zero).count();
    let place = |is_zero: bool| zero.iter().position(|&z| z == is_zero).unwrap_or(0);
    match count {
        _ if face == NO_FACE => Feature::vertex(corners[0]),
        2 => Feature::vertex(corners[place(false)]),
        1 => {
            let opposite = place(true);
            edge_or_face(mesh, found.triangle, [corners[(opposite + 1) % 3], corners[(opposite + 2) % 3]])
        }
        _ => Feature::face(face),
    }
}

/// The edge between two corners of a triangle, or the face if the edge is inside of a face as given.
pub(super) fn edge_or_face(mesh: &Mesh, triangle: u32, [a, b]: [u32; 2]) -> Feature {
    let face = mesh.given_face(triangle);
    let ends = [a, b].map(|v| mesh.vertices()[v as usize]);
    let mut is_inner = false;
    mesh.tree().overlapping(&NodeBox::enclosing(&Aabb::from_points(ends)), |other| {
        let corners = mesh.triangle_corners(other);
        is_inner |= other != triangle && mesh.given_face(other) == face && corners.contains(&a) && corners.contains(&b);
    });
    if is_inner { Feature::face(face) } else { Feature::edge(a, b) }
}
