//! Whether two surfaces share a point, and how often one winds about a point, exactly.
//!
//! Two surfaces of triangles share a point if a side of a triangle of one meets a triangle of the other (as closed sets); if they do
//! not, one is inside a solid of the other as a whole or not at all. Signs of 3 × 3 determinants decide both. A sign is first
//! sought from rounded coordinates: with each difference off by no more than η, a determinant is off by no more than what the sum
//! of its six products with all factors positive grows by when each factor grows by η, and by 16 roundings of that sum.

use glam::DVec3;

use super::double::ROUNDOFF;
use super::surface::{Fixed, Placed};
use crate::exact::{Dyadic, Exact3, orient3d_exact};
use crate::random::Rng;

/// A vertex of a placed surface, or any point given by its numbers.
#[derive(Clone, Copy)]
pub(super) enum Spot<'s, 'a> {
    Vertex(&'s Placed<'a>, u32),
    Number(DVec3),
}

impl Spot<'_, '_> {
    fn rounded(&self) -> DVec3 {
        match *self {
            Self::Vertex(placed, v) => placed.points[v as usize],
            Self::Number(p) => p,
        }
    }

    fn error(&self) -> f64 {
        match self {
            Self::Vertex(placed, _) => placed.error,
            Self::Number(_) => 0.0,
        }
    }

    fn exact(&self) -> Exact3 {
        match *self {
            Self::Vertex(placed, v) => placed.exact(v),
            Self::Number(p) => Exact3::from(p),
        }
    }
}

/// The six products of a determinant with all factors positive.
fn permanent(p: DVec3, q: DVec3, r: DVec3) -> f64 {
    p.x * (q.y * r.z + q.z * r.y) + p.y * (q.z * r.x + q.x * r.z) + p.z * (q.x * r.y + q.y * r.x)
}

/// The sign of the side of the last point: 1 below the plane of the others, where above is where they run counter-clockwise.
pub(super) fn side(spots: [Spot; 4]) -> i32 {
    let [a, b, c, d] = spots.map(|spot| spot.rounded());
    let (p, q, r) = (a - d, b - d, c - d);
    let value = p.dot(q.cross(r));
    let off = 2.0 * spots.iter().map(Spot::error).fold(0.0, f64::max);
    let (p, q, r) = (p.abs(), q.abs(), r.abs());
    let grown = permanent(p + off, q + off, r + off);
    let bound = 32.0 * ROUNDOFF * grown + (grown - permanent(p, q, r)).max(0.0);
    if value.abs() > bound && grown > UNDERFLOW {
        return if value > 0.0 { 1 } else { -1 };
    }
    let [a, b, c, d] = spots.map(|spot| spot.exact());
    orient3d_exact(&a, &b, &c, &d)
}

/// Products below this may have lost digits to underflow.
const UNDERFLOW: f64 = 1e-280;

/// Whether a segment and a triangle share a point.
fn segment_meets(p: Spot, q: Spot, t: [Spot; 3]) -> bool {
    let [at_p, at_q] = [p, q].map(|x| side([t[0], t[1], t[2], x]));
    if at_p * at_q > 0 {
        return false;
    }
    if at_p == 0 && at_q == 0 {
        return flat_meets([p, q].map(|s| s.exact()), t.map(|s| s.exact()));
    }
    let turn = |i: usize| side([p, q, t[i], t[(i + 1) % 3]]);
    let first = turn(0);
    let second = turn(1);
    if first * second < 0 {
        return false;
    }
    let third = turn(2);
    first * third >= 0 && second * third >= 0
}

type Flat = [Dyadic; 2];

fn turn(a: &Flat, b: &Flat, c: &Flat) -> i32 {
    let [p, q] = [a, b].map(|x| [&x[0] - &c[0], &x[1] - &c[1]]);
    (&(&p[0] * &q[1]) - &(&p[1] * &q[0])).sign()
}

/// In one plane, seen along an axis along which the triangle has an area.
fn flat_meets(segment: [Exact3; 2], t: [Exact3; 3]) -> bool {
    let views: [fn(&Exact3) -> Flat; 3] =
        [|p| [p.x.clone(), p.y.clone()], |p| [p.y.clone(), p.z.clone()], |p| [p.z.clone(), p.x.clone()]];
    for view in views {
        let ([p, q], t) = (segment.each_ref().map(view), t.each_ref().map(view));
        let whole = turn(&t[0], &t[1], &t[2]);
        if whole != 0 {
            let inside = |x: &Flat| (0..3).all(|i| turn(&t[i], &t[(i + 1) % 3], x) * whole >= 0);
            return inside(&p) || inside(&q) || (0..3).any(|i| flat_cross([&p, &q], [&t[i], &t[(i + 1) % 3]]));
        }
    }
    false
}

fn flat_cross([p, q]: [&Flat; 2], [a, b]: [&Flat; 2]) -> bool {
    let (s, t) = (turn(a, b, p), turn(a, b, q));
    if s == 0 && t == 0 {
        let within = |i: usize| {
            let (low, high) = ((&p[i]).min(&q[i]), (&p[i]).max(&q[i]));
            let (low_2, high_2) = ((&a[i]).min(&b[i]), (&a[i]).max(&b[i]));
            low <= high_2 && low_2 <= high
        };
        return within(0) && within(1);
    }
    s * t <= 0 && turn(p, q, a) * turn(p, q, b) <= 0
}

fn corners<'s, 'a>(placed: &'s Placed<'a>, triangle: usize) -> [Spot<'s, 'a>; 3] {
    placed.surface.triangles[triangle].map(|v| Spot::Vertex(placed, v))
}

impl Fixed<'_> {
    /// Whether the surfaces share a point.
    pub fn meets(&self, body: &Placed) -> bool {
        let mut found = false;
        let world = &self.placed;
        self.tree.overlapping(&body.whole, |index| {
            let index = index as usize;
            let t = corners(world, index);
            let own = &world.triangle_boxes[index];
            if !own.overlaps(&body.whole) {
                return false;
            }
            let edges = body.surface.edges.iter().zip(&body.edge_boxes);
            let pierced = edges.filter(|(_, bounds)| bounds.overlaps(own)).any(|(edge, _)| {
                let [p, q] = edge.map(|v| Spot::Vertex(body, v));
                segment_meets(p, q, t)
            });
            found = pierced || self.sides_meet(index, body);
            found
        });
        found
    }

    /// Whether a side of a triangle of the world meets a triangle of the body.
    fn sides_meet(&self, index: usize, body: &Placed) -> bool {
        let t = corners(&self.placed, index);
        let own = &self.placed.triangle_boxes[index];
        let near = body.triangle_boxes.iter().enumerate().filter(|(_, bounds)| bounds.overlaps(own));
        near.into_iter().any(|(i, _)| {
            let other = corners(body, i);
            (0..3).any(|i| segment_meets(t[i], t[(i + 1) % 3], other))
        })
    }

    /// How often the surface winds about a vertex of a body that is not on it; nothing if all rays tried were degenerate.
    fn winding(&self, at: Spot, rng: &mut Rng) -> Option<i32> {
        let [low, high] = self.bounds();
        let size = (high - low).length() + at.rounded().length();
        (0..RAYS).find_map(|_| {
            let away = at.rounded() + rng.unit_vector() * (3.0 * size);
            self.crossings(at, away)
        })
    }

    /// The signed number of crossings of a segment; nothing if it meets a side.
    fn crossings(&self, at: Spot, to: DVec3) -> Option<i32> {
        let (mut sum, mut degenerate) = (0, false);
        let from = at.rounded();
        let slack = at.error() + self.placed.error;
        self.tree.along(from, to - from, |index| {
            let bounds = &self.placed.triangle_boxes[index as usize].grown(slack);
            if !super::tree::Bounds::of([from, to]).overlaps(bounds) {
                return false;
            }
            let t = corners(&self.placed, index as usize);
            let [here, there] = [at, Spot::Number(to)].map(|x| side([t[0], t[1], t[2], x]));
            if here * there > 0 {
                return false;
            }
            let turns = [0, 1, 2].map(|i| side([at, Spot::Number(to), t[i], t[(i + 1) % 3]]));
            let all = |sign: i32| turns.iter().all(|&s| s * sign >= 0);
            if all(1) || all(-1) {
                degenerate |= here * there == 0 || turns.contains(&0);
                sum += here;
            }
            degenerate
        });
        (!degenerate).then_some(sum)
    }

    /// Whether a vertex of a placed surface that is not on this one is inside a solid; also if that could not be told.
    pub fn holds(&self, body: &Placed, vertex: u32) -> bool {
        let Some(free) = self.free else { return false };
        let mut rng = Rng::new(u64::from(vertex));
        self.winding(Spot::Vertex(body, vertex), &mut rng) != Some(free)
    }

    /// Whether a point, relative to the origin, is inside a solid.
    pub fn holds_point(&self, p: DVec3) -> bool {
        let Some(free) = self.free else { return false };
        self.winding(Spot::Number(p), &mut Rng::new(1)) != Some(free)
    }

    /// Whether a body goes through this or is inside a solid, or a piece of this is inside the body if that is closed.
    pub fn overlaps(&self, body: &Placed) -> bool {
        self.meets(body) || self.contains(body)
    }

    /// Whether a body whose surface does not meet this one is inside a solid, or the other way round.
    pub fn contains(&self, body: &Placed) -> bool {
        if body.surface.anchors.iter().any(|&v| self.holds(body, v)) {
            return true;
        }
        body.surface.closed && self.placed.surface.anchors.iter().any(|&v| winds(body, Spot::Vertex(&self.placed, v)))
    }
}

/// Rays tried from a point: each is degenerate only if it meets an edge exactly.
const RAYS: usize = 16;

/// Whether a closed surface without a tree winds about a point that is not on it.
fn winds(body: &Placed, at: Spot) -> bool {
    let p = at.rounded();
    let slack = at.error();
    let inside = body.whole.grown(slack);
    if !inside.overlaps(&super::tree::Bounds { min: p, max: p }) {
        return false;
    }
    let mut rng = Rng::new(7);
    let size = (body.whole.max - body.whole.min).length() + p.length();
    for _ in 0..RAYS {
        let to = Spot::Number(p + rng.unit_vector() * (3.0 * size));
        let mut sum = Some(0);
        for index in 0..body.surface.triangles.len() {
            let t = corners(body, index);
            let [here, there] = [at, to].map(|x| side([t[0], t[1], t[2], x]));
            if here * there > 0 {
                continue;
            }
            let turns = [0, 1, 2].map(|i| side([at, to, t[i], t[(i + 1) % 3]]));
            let all = |sign: i32| turns.iter().all(|&s| s * sign >= 0);
            if all(1) || all(-1) {
                let degenerate = here * there == 0 || turns.contains(&0);
                sum = sum.filter(|_| !degenerate).map(|sum| sum + here);
            }
        }
        if let Some(sum) = sum {
            return sum != 0;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DQuat};

    use super::*;
    use crate::HitRate;
    use crate::meshes::Polyhedron;
    use crate::passing::{Placement, Surface};
    use crate::surfaces::triangles_meet;

    fn random_placement(rng: &mut Rng, away: DVec3) -> Placement {
        let turn = if rng.chance(0.3) { DQuat::IDENTITY } else { rng.rotation() };
        let step = rng.pick(&[0.25, 1e-3, 1e-9]);
        let place = (rng.in_ball(2.0) / step).round() * step;
        Placement { matrix: DMat3::from_quat(turn), translation: away + place }
    }

    /// Against exact tests of all pairs of triangles, on coordinates without rounding: quarters, so that much is coplanar.
    #[test]
    fn meeting_is_exact() {
        let mut rng = Rng::new(21);
        let mut meets = HitRate::new("surfaces that meet");
        for round in 0..600 {
            let solids = [0; 2].map(|_| {
                let half = DVec3::from_array([0; 3].map(|_| rng.integer(1, 4) as f64 * 0.25));
                if rng.chance(0.5) { Polyhedron::cuboid(half) } else { Polyhedron::notched().mapped(|v| v * half) }
            });
            let shift = (rng.in_ball(2.5) * 4.0).round() * 0.25;
            let surfaces = solids.each_ref().map(Surface::new);
            let rest = |translation| Placement { matrix: DMat3::IDENTITY, translation };
            let away = rng.pick(&[DVec3::ZERO, DVec3::new(1e4, -2e4, 3e4)]);
            let fixed = Fixed::new(&surfaces[0], rest(away), Some(0));
            let body = Placed::new(&surfaces[1], rest(away + shift), fixed.origin);
            let moved = solids[1].clone().mapped(|v| v + shift);
            let [a, b] = [solids[0].triangles(), moved.triangles()];
            let expected = a.iter().any(|s| b.iter().any(|t| triangles_meet(s, t)));
            assert_eq!(fixed.meets(&body), expected, "round {round}");
            meets.record(expected);
        }
        meets.assert_between(0.3, 0.9);
    }

    /// A cube above another one by less than any rounding of its coordinates, and a cube on it, and one in it.
    #[test]
    fn a_gap_of_next_to_nothing_is_a_gap() {
        let cube = Surface::new(&Polyhedron::cuboid(DVec3::ONE));
        let at = |z: f64| Placement { matrix: DMat3::IDENTITY, translation: DVec3::new(1e4, 0.25, z) };
        let fixed = Fixed::new(&cube, at(0.0), Some(0));
        let tiny = 2.0 * f64::EPSILON;
        for (height, meets) in [(2.0 + tiny, false), (2.0, true), (2.0 - tiny, true)] {
            let body = Placed::new(&cube, at(height), fixed.origin);
            assert_eq!(fixed.meets(&body), meets, "{height}");
        }
        let small = Surface::new(&Polyhedron::cuboid(DVec3::splat(0.5)));
        let inside = Placed::new(&small, at(0.25), fixed.origin);
        assert!(!fixed.meets(&inside) && fixed.contains(&inside));
        let shell = Fixed::new(&small, at(0.25), Some(0));
        let around = Placed::new(&cube, at(0.0), shell.origin);
        assert!(!shell.meets(&around) && shell.contains(&around));
    }

    /// Signs by the filter and exactly, where coordinates are large and features near each other.
    #[test]
    fn the_filter_never_contradicts_exact_arithmetic() {
        let mut rng = Rng::new(22);
        let cube = Surface::new(&Polyhedron::cuboid(DVec3::new(1.0, 0.5, 0.25)));
        let mut unclear = HitRate::new("signs of zero");
        for _ in 0..300 {
            let away = rng.unit_vector() * 1e4;
            let fixed = Fixed::new(&cube, random_placement(&mut rng, away), Some(0));
            let body = Placed::new(&cube, random_placement(&mut rng, away), fixed.origin);
            for _ in 0..40 {
                let pick = |rng: &mut Rng| match rng.index(2) {
                    0 => Spot::Vertex(&fixed.placed, rng.index(8) as u32),
                    _ => Spot::Vertex(&body, rng.index(8) as u32),
                };
                let spots = [0; 4].map(|_| pick(&mut rng));
                let [a, b, c, d] = spots.map(|spot| spot.exact());
                let exact = orient3d_exact(&a, &b, &c, &d);
                assert_eq!(side(spots), exact);
                unclear.record(exact == 0);
            }
        }
        unclear.assert_between(0.1, 0.9);
    }

    /// Rounded places are as near to the exact ones as they say.
    #[test]
    fn places_are_off_by_no_more_than_their_error() {
        let mut rng = Rng::new(23);
        let cube = Surface::new(&Polyhedron::cuboid(DVec3::new(0.3, 0.7, 0.1)));
        for _ in 0..200 {
            let away = rng.unit_vector() * rng.log_uniform(1.0, 1e6);
            let placed = Placed::new(&cube, random_placement(&mut rng, away), away);
            for v in 0..8 {
                let off = &placed.exact(v) - &Exact3::from(placed.points[v as usize]);
                assert!(off.to_dvec3().abs().max_element() <= placed.error);
            }
            assert!(placed.error < 1e-15);
        }
    }
}
