//! Convex hull of a point cloud: quickhull (Barber, Dobkin, Huhdanpaa 1996) in which every decision is an exact predicate.
//!
//! Departures: a point sees a face only if it is *strictly* above its plane by an exact predicate. So coplanar points need
//! no tolerance: the surface stays a closed, weakly convex surface of triangles that are never degenerate (the new point is
//! strictly above one face at each horizon edge, hence never in line with the edge), and `merge` unites the triangles of a
//! plane afterwards. Which point is taken next (the farthest, in plain arithmetic) affects speed only.
//!
//! Invariants: `adjacent[i]` of a triangle lies across its edge `vertices[i] → vertices[i + 1]`; every point that is
//! outside the surface is listed at one triangle it is strictly above. A point of a removed triangle's list that is outside
//! the new surface is strictly above one of the *new* triangles: a path of faces it sees leads from the removed one across
//! the horizon, and at that edge the new triangle's normal is a conic combination of the two old ones. It ends because each
//! step makes one point a vertex of the surface.

use std::collections::BinaryHeap;

use glam::DVec3;

use super::PolytopeError;
use crate::math::predicates::{above, collinear, orient3d};

pub(super) const NONE: u32 = u32::MAX;

/// A triangle of the surface, counter-clockwise seen from outside.
#[derive(Debug, Clone)]
pub(super) struct Triangle {
    pub vertices: [u32; 3],
    pub adjacent: [u32; 3],
    pub alive: bool,
    visited: u32,
    outside: u32,
    farthest: u32,
    farthest_height: f64,
    normal: DVec3,
}

/// An edge between what a new point sees and what it does not.
struct HorizonEdge {
    from: u32,
    to: u32,
    beyond: u32,
}

pub(super) struct Builder<'a> {
    points: &'a [DVec3],
    pub triangles: Vec<Triangle>,
    free: Vec<u32>,
    next_outside: Vec<u32>,
    pending: Pending,
    /// Triangles made so far: what the work is counted by.
    made: usize,
    stamp: u32,
    visible: Vec<u32>,
    horizon: Vec<HorizonEdge>,
    starting_at: Vec<u32>,
    ending_at: Vec<u32>,
    created: Vec<u32>,
}

/// Up to so many points the triangle made last is looked at first. Of more, the one whose farthest point is farthest: a point far out divides
/// what it sees, where one near an end would take over nearly all of it, again and again (the rims of a prism).
const FEW: usize = 4096;

/// Triangles with points above them, and which of them is next.
enum Pending {
    Last(Vec<u32>),
    Farthest(BinaryHeap<(u64, u32)>),
}

impl Pending {
    fn new(points: usize) -> Self {
        if points <= FEW { Self::Last(Vec::new()) } else { Self::Farthest(BinaryHeap::new()) }
    }

    fn push(&mut self, triangle: u32, t: &Triangle) {
        match self {
            Self::Last(list) => list.push(triangle),
            // The bits of numbers that are not negative are in their order.
            Self::Farthest(heap) => {
                heap.push(((t.farthest_height / t.normal.length()).max(0.0).to_bits(), triangle));
            }
        }
    }

    fn pop(&mut self) -> Option<u32> {
        match self {
            Self::Last(list) => list.pop(),
            Self::Farthest(heap) => heap.pop().map(|(_, triangle)| triangle),
        }
    }
}

/// The triangulated hull of points whose coordinates are in the predicates' range; dead triangles are left in place.
pub(super) fn triangulated_hull(points: &[DVec3]) -> Result<Vec<Triangle>, PolytopeError> {
    counted_hull(points).map(|(triangles, _)| triangles)
}

/// The same, and how many triangles were made on the way.
fn counted_hull(points: &[DVec3]) -> Result<(Vec<Triangle>, usize), PolytopeError> {
    let simplex = initial_simplex(points)?;
    let mut builder = Builder {
        points,
        triangles: Vec::with_capacity(4 * points.len().min(1 << 16)),
        free: Vec::new(),
        next_outside: vec![NONE; points.len()],
        pending: Pending::new(points.len()),
        made: 0,
        stamp: 0,
        visible: Vec::new(),
        horizon: Vec::new(),
        starting_at: vec![NONE; points.len()],
        ending_at: vec![NONE; points.len()],
        created: Vec::new(),
    };
    builder.start(simplex);
    while let Some(triangle) = builder.pending.pop() {
        let t = &builder.triangles[triangle as usize];
        if t.alive && t.farthest != NONE {
            builder.add_point(triangle)?;
        }
    }
    Ok((builder.triangles, builder.made))
}

/// Four points that span space, as far apart as is cheap to find.
fn initial_simplex(points: &[DVec3]) -> Result<[u32; 4], PolytopeError> {
    let count = points.len();
    if count < 4 {
        return Err(PolytopeError::TooFewPoints { count, needed: 4 });
    }
    let first = 0;
    let farthest_by = |measure: &dyn Fn(DVec3) -> f64| {
        let heights = points.iter().map(|&p| measure(p));
        heights.enumerate().fold((0, f64::NEG_INFINITY), |best, (i, h)| if h > best.1 { (i, h) } else { best }).0
    };
    // The plain measures may round to zero, or pick a degenerate point where a good one exists: the exact test decides.
    let settle = |proposed: usize, good: &dyn Fn(DVec3) -> bool| {
        if good(points[proposed]) { Some(proposed) } else { points.iter().position(|&p| good(p)) }
    };
    let a = points[first];
    let second = settle(farthest_by(&|p| p.distance_squared(a)), &|p| p != a);
    let second = second.ok_or(PolytopeError::Coincident { count })?;
    let b = points[second];
    let third = settle(farthest_by(&|p| (b - a).cross(p - a).length_squared()), &|p| !collinear(a, b, p));
    let third = third.ok_or(PolytopeError::Collinear { count })?;
    let c = points[third];
    let normal = (b - a).cross(c - a);
    let fourth = settle(farthest_by(&|p| normal.dot(p - a).abs()), &|p| orient3d(a, b, c, p) != 0.0);
    let fourth = fourth.ok_or(PolytopeError::Coplanar { count })?;
    let mut simplex = [first, second, third, fourth].map(|i| i as u32);
    if orient3d(a, b, c, points[fourth]) < 0.0 {
        simplex.swap(1, 2);
    }
    Ok(simplex)
}

impl Builder<'_> {
    fn point(&self, index: u32) -> DVec3 {
        self.points[index as usize]
    }

    fn sees(&self, point: u32, triangle: u32) -> bool {
        let [a, b, c] = self.triangles[triangle as usize].vertices.map(|v| self.point(v));
        above(a, b, c, self.point(point))
    }

    /// The tetrahedron a, b, c, d with d below the plane of a, b, c, and every other point at a face it is above.
    fn start(&mut self, [a, b, c, d]: [u32; 4]) {
        for vertices in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
            let triangle = self.new_triangle(vertices);
            self.created.push(triangle);
        }
        for (triangle, adjacent) in [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]].into_iter().enumerate() {
            self.triangles[triangle].adjacent = adjacent;
        }
        for point in 0..self.points.len() as u32 {
            if ![a, b, c, d].contains(&point) {
                self.assign(point);
            }
        }
        let Self { pending, created, triangles, .. } = self;
        created.drain(..).for_each(|t| pending.push(t, &triangles[t as usize]));
    }

    fn new_triangle(&mut self, vertices: [u32; 3]) -> u32 {
        self.made += 1;
        let [a, b, c] = vertices.map(|v| self.point(v));
        let triangle = Triangle {
            vertices,
            adjacent: [NONE; 3],
            alive: true,
            visited: 0,
            outside: NONE,
            farthest: NONE,
            farthest_height: f64::NEG_INFINITY,
            normal: (b - a).cross(c - a),
        };
        if let Some(slot) = self.free.pop() {
            self.triangles[slot as usize] = triangle;
            return slot;
        }
        self.triangles.push(triangle);
        self.triangles.len() as u32 - 1
    }

    /// Lists the point at the first of the triangles just created that it is strictly above; a point above none of them is
    /// inside or on the surface and is forgotten.
    fn assign(&mut self, point: u32) {
        let Some(triangle) = self.created.iter().copied().find(|&t| self.sees(point, t)) else {
            return;
        };
        let position = self.point(point);
        let origin = self.point(self.triangles[triangle as usize].vertices[0]);
        let t = &mut self.triangles[triangle as usize];
        let height = t.normal.dot(position - origin);
        self.next_outside[point as usize] = t.outside;
        t.outside = point;
        if t.farthest == NONE || height > t.farthest_height {
            (t.farthest, t.farthest_height) = (point, height);
        }
    }

    fn add_point(&mut self, triangle: u32) -> Result<(), PolytopeError> {
        let apex = self.triangles[triangle as usize].farthest;
        self.find_horizon(apex, triangle);
        self.created.clear();
        for i in 0..self.horizon.len() {
            let HorizonEdge { from, to, beyond } = self.horizon[i];
            let new = self.new_triangle([from, to, apex]);
            self.created.push(new);
            self.starting_at[from as usize] = new;
            self.ending_at[to as usize] = new;
            self.triangles[new as usize].adjacent[0] = beyond;
            let neighbour = &mut self.triangles[beyond as usize];
            let edge = neighbour.vertices.iter().position(|&v| v == to);
            neighbour.adjacent[edge.ok_or(PolytopeError::Internal("a horizon edge has lost its face"))?] = new;
        }
        self.join_created()?;
        self.reassign(apex);
        let Self { pending, created, triangles, .. } = self;
        let waiting = created.iter().filter(|&&t| triangles[t as usize].farthest != NONE);
        waiting.for_each(|&t| pending.push(t, &triangles[t as usize]));
        Ok(())
    }

    /// Links the new triangles to each other around the apex: the horizon is one simple cycle.
    fn join_created(&mut self) -> Result<(), PolytopeError> {
        for &new in &self.created {
            let [from, to, _] = self.triangles[new as usize].vertices;
            let (after, before) = (self.starting_at[to as usize], self.ending_at[from as usize]);
            if after == NONE || before == NONE {
                return Err(PolytopeError::Internal("the horizon is not closed"));
            }
            self.triangles[new as usize].adjacent[1] = after;
            self.triangles[new as usize].adjacent[2] = before;
        }
        for edge in &self.horizon {
            self.starting_at[edge.from as usize] = NONE;
            self.ending_at[edge.to as usize] = NONE;
        }
        Ok(())
    }

    /// Collects the triangles the apex sees, from one of them outwards, and the edges that bound them.
    fn find_horizon(&mut self, apex: u32, start: u32) {
        self.stamp += 1;
        self.visible.clear();
        self.horizon.clear();
        self.visible.push(start);
        self.triangles[start as usize].visited = self.stamp;
        let mut next = 0;
        while next < self.visible.len() {
            let Triangle { vertices, adjacent, .. } = self.triangles[self.visible[next] as usize];
            next += 1;
            for edge in 0..3 {
                let beyond = adjacent[edge];
                if self.triangles[beyond as usize].visited == self.stamp {
                    continue;
                }
                if self.sees(apex, beyond) {
                    self.triangles[beyond as usize].visited = self.stamp;
                    self.visible.push(beyond);
                } else {
                    self.horizon.push(HorizonEdge { from: vertices[edge], to: vertices[(edge + 1) % 3], beyond });
                }
            }
        }
    }

    /// Removes the visible triangles and hands their points to the new ones.
    fn reassign(&mut self, apex: u32) {
        for i in 0..self.visible.len() {
            let triangle = self.visible[i];
            let mut point = self.triangles[triangle as usize].outside;
            self.triangles[triangle as usize].alive = false;
            while point != NONE {
                let next = self.next_outside[point as usize];
                if point != apex {
                    self.assign(point);
                }
                point = next;
            }
        }
        self.free.append(&mut self.visible);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prism(sides: usize) -> Vec<DVec3> {
        let corner = |i: usize| {
            let angle = std::f64::consts::TAU * (i / 2) as f64 / sides as f64;
            DVec3::new(angle.cos(), angle.sin(), (i % 2) as f64)
        };
        (0..2 * sides).map(corner).collect()
    }

    /// Points of a family, by their number.
    type Family = fn(usize) -> Vec<DVec3>;

    fn cone(sides: usize) -> Vec<DVec3> {
        let rim = prism(sides).into_iter().filter(|p| p.z == 0.0);
        rim.chain([DVec3::new(0.1, 0.2, 1.0), DVec3::new(0.0, 0.1, -0.5)]).collect()
    }

    /// Two rims, one turned against the other, and one smaller.
    fn twisted(sides: usize) -> Vec<DVec3> {
        prism(sides).into_iter().map(|p| if p.z > 0.0 { DVec3::new(0.5 * p.y, -0.5 * p.x, p.z) } else { p }).collect()
    }

    /// A spiral on a ball.
    fn ball(count: usize) -> Vec<DVec3> {
        let point = |i: usize| {
            let (z, angle) = (1.0 - (2 * i + 1) as f64 / count as f64, 2.4 * i as f64);
            let r = (1.0 - z * z).sqrt();
            DVec3::new(r * angle.cos(), r * angle.sin(), z)
        };
        (0..count).map(point).collect()
    }

    #[test]
    fn the_work_grows_no_faster_than_n_log_n() {
        for family in [prism as Family, cone, twisted, ball] {
            for count in [1_000, 4_000, 16_000] {
                let points = family(count);
                let Ok((triangles, made)) = counted_hull(&points) else { unreachable!("a hull") };
                let alive = triangles.iter().filter(|t| t.alive).count();
                let few = points.len() <= FEW;
                assert!(alive >= points.len() / 2, "{alive} of {count}");
                let log = (points.len() as f64).log2();
                assert!(few || (made as f64) < 3.0 * points.len() as f64 * log, "{made} triangles of {count}");
            }
        }
    }
}
