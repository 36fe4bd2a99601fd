//! The points of two sets of convex pieces that are nearest to each other, as weights on named points; and a ball in their Minkowski
//! difference, as a surface of facets over named points.
//!
//! This is the search for a proof, in doubles: GJK with all faces of the simplex looked at, and EPA. What it finds is checked exactly by
//! whoever reads the certificate, so that nothing here has to be right, only good.

use glam::{DMat3, DVec3};

use super::block::Mark;
use crate::tolerance::{PROOF_GAP, PROOF_STEPS};

/// A point of each body, b − a, and their names.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub difference: DVec3,
    /// The pieces that the points are of.
    pub blocks: [u32; 2],
    pub marks: [Mark; 2],
}

/// Weights on points of the difference, and the point they make.
#[derive(Debug, Clone)]
pub(super) struct Simplex {
    pub points: Vec<Named>,
    pub weights: Vec<f64>,
    pub nearest: DVec3,
}

/// The nearest point of the difference to the origin; `lowest` gives a point of it that is least along a direction.
pub(super) fn nearest(first: DVec3, mut lowest: impl FnMut(DVec3) -> Named) -> Simplex {
    let start = lowest(first);
    let mut best = Simplex { nearest: start.difference, points: vec![start], weights: vec![1.0] };
    for _ in 0..PROOF_STEPS {
        let x = best.nearest;
        let square = x.length_squared();
        if square == 0.0 {
            break;
        }
        let next = lowest(x);
        let known = best.points.iter().any(|point| point.difference == next.difference);
        if known || square - x.dot(next.difference) <= PROOF_GAP * square {
            break;
        }
        best.points.push(next);
        let (weights, nearer) = of_simplex(&best.points);
        if !(nearer.length_squared() < square) {
            best.points.pop();
            break;
        }
        let kept: Vec<usize> = (0..weights.len()).filter(|&i| weights[i] > 0.0).collect();
        best.points = kept.iter().map(|&i| best.points[i].clone()).collect();
        best.weights = kept.iter().map(|&i| weights[i]).collect();
        best.nearest = nearer;
        if best.points.len() == 4 {
            break;
        }
    }
    best
}

/// The weights of the point of a simplex that is nearest to the origin, by looking at all of its faces.
fn of_simplex(points: &[Named]) -> (Vec<f64>, DVec3) {
    let mut best = (vec![0.0; points.len()], DVec3::INFINITY);
    for face in 1u32..1 << points.len() {
        let corners: Vec<usize> = (0..points.len()).filter(|&i| face >> i & 1 == 1).collect();
        let at = |i: usize| points[corners[i]].difference;
        let Some(weights) = affine(corners.len(), at) else { continue };
        if !weights.iter().all(|w| *w >= 0.0) {
            continue;
        }
        let inside = corners.len() == 4;
        let nearest = if inside { DVec3::ZERO } else { (0..corners.len()).map(|i| at(i) * weights[i]).sum() };
        if nearest.length_squared() < best.1.length_squared() {
            let mut all = vec![0.0; points.len()];
            corners.iter().zip(&weights).for_each(|(&corner, &weight)| all[corner] = weight);
            best = (all, nearest);
        }
    }
    best
}

/// The weights of the point nearest to the origin on the flat through up to four points; nothing if they span less.
fn affine(count: usize, at: impl Fn(usize) -> DVec3) -> Option<Vec<f64>> {
    let a = at(0);
    let positive = |x: f64| (x > 0.0).then_some(x);
    match count {
        1 => Some(vec![1.0]),
        2 => {
            let u = at(1) - a;
            let t = -a.dot(u) / positive(u.length_squared())?;
            Some(vec![1.0 - t, t])
        }
        3 => {
            let (u, v) = (at(1) - a, at(2) - a);
            let normal = u.cross(v);
            let under = positive(normal.length_squared())?;
            let (s, t) = (a.cross(v).dot(normal) / -under, u.cross(a).dot(normal) / -under);
            Some(vec![1.0 - s - t, s, t])
        }
        _ => {
            let edges = DMat3::from_cols(at(1) - a, at(2) - a, at(3) - a);
            let under = edges.determinant();
            if under == 0.0 {
                return None;
            }
            let [u, v, w] = [edges.x_axis, edges.y_axis, edges.z_axis];
            let [s, t, r] = [v.cross(w), w.cross(u), u.cross(v)].map(|normal| -a.dot(normal) / under);
            Some(vec![1.0 - s - t - r, s, t, r])
        }
    }
}

/// A closed surface of facets around the origin, inside of the difference.
#[derive(Debug, Clone)]
pub(super) struct Inner {
    pub points: Vec<Named>,
    pub facets: Vec<[u32; 3]>,
    /// The least distance of a facet's plane from the origin.
    pub radius: f64,
}

/// Normal and distance from the origin of the plane of a facet; a distance of zero or less if the origin is not behind it.
fn plane(points: &[Named], facet: [u32; 3]) -> (DVec3, f64) {
    let [a, b, c] = facet.map(|i| points[i as usize].difference);
    let normal = (b - a).cross(c - a).normalize_or_zero();
    (normal, normal.dot(a))
}

/// What the distance of a facet's plane is at least if corners are off by an error: they tilt a narrow or a small facet by as much over its least
/// height, and its plane moves at the origin by the tilt times how far away it is.
fn surely(points: &[Named], facet: [u32; 3], error: f64) -> f64 {
    let [a, b, c] = facet.map(|i| points[i as usize].difference);
    let (u, v) = (b - a, c - a);
    let longest = u.length().max(v.length()).max((c - b).length());
    let far = a.length().max(b.length()).max(c.length());
    plane(points, facet).1 - (error + PROOF_GAP * far) * (far * longest / u.cross(v).length())
}

/// Grows a tetrahedron around the origin where its surface is nearest to the origin, until the difference ends there.
/// Nothing if no tetrahedron around the origin is found. Corners are off by `error`.
pub(super) fn inner(
    known: &Simplex,
    normal: DVec3,
    error: f64,
    mut lowest: impl FnMut(DVec3) -> Named,
) -> Option<Inner> {
    let side = normal.any_orthonormal_vector();
    let frame = DMat3::from_cols(side, normal.cross(side), normal);
    let mut points = known.points.clone();
    for place in 0..27 {
        let direction = DVec3::new((place % 3) as f64, (place / 3 % 3) as f64, (place / 9) as f64) - 1.0;
        // Six along the axes and eight between them.
        if direction.length_squared() == 1.0 || direction.length_squared() == 3.0 {
            points.push(lowest(frame * direction));
        }
    }
    points.dedup_by(|a, b| a.difference == b.difference);
    let four = around(&points)?;
    let points: Vec<Named> = four.iter().map(|&i| points[i].clone()).collect();
    let mut found = Inner { points, facets: vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]], radius: 0.0 };
    for _ in 0..PROOF_STEPS {
        let planes: Vec<(DVec3, f64)> = found.facets.iter().map(|&facet| plane(&found.points, facet)).collect();
        let nearest = (0..planes.len()).min_by(|&i, &j| planes[i].1.total_cmp(&planes[j].1))?;
        let (normal, distance) = planes[nearest];
        let next = lowest(-normal);
        if next.difference.dot(normal) - distance <= PROOF_GAP * distance || !found.add(next, &planes) {
            break;
        }
    }
    Some(Inner::new(found.points, found.facets, error)).filter(|found| found.radius > 0.0)
}

impl Inner {
    pub fn new(points: Vec<Named>, facets: Vec<[u32; 3]>, error: f64) -> Self {
        let nearest = facets.iter().map(|&facet| surely(&points, facet, error)).fold(f64::INFINITY, f64::min);
        Self { points, facets, radius: nearest }
    }

    /// Adds a point: facets that it sees are replaced by those between it and their outline. Refused, without a change, if the
    /// surface would not stay around the origin.
    fn add(&mut self, point: Named, planes: &[(DVec3, f64)]) -> bool {
        let at = point.difference;
        let sees = |facet: usize| planes[facet].0.dot(at) > planes[facet].1;
        let edges = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
        let (seen, kept): (Vec<usize>, Vec<usize>) = (0..self.facets.len()).partition(|&facet| sees(facet));
        let outlines: Vec<[u32; 2]> = seen.iter().flat_map(|&facet| edges(&self.facets[facet])).collect();
        let outline = outlines.iter().filter(|[a, b]| !outlines.contains(&[*b, *a]));
        let number = self.points.len() as u32;
        let mut facets: Vec<[u32; 3]> = kept.iter().map(|&facet| self.facets[facet]).collect();
        let old = facets.len();
        facets.extend(outline.map(|&[a, b]| [a, b, number]));
        self.points.push(point);
        let around = facets[old..].iter().all(|&facet| {
            let [a, b, c] = facet.map(|i| self.points[i as usize].difference);
            let volume = a.dot(b.cross(c));
            volume > PROOF_GAP * a.length() * b.length() * c.length()
        });
        if !around || facets.len() == old {
            self.points.pop();
            return false;
        }
        self.facets = facets;
        true
    }
}

/// Four of some points, in the order in which [`inner`] wants them, whose tetrahedron holds the origin with the most room.
fn around(points: &[Named]) -> Option<[usize; 4]> {
    let at = |i: usize| points[i].difference;
    let mut best: Option<([usize; 4], f64)> = None;
    for i in 0..points.len() {
        for j in i + 1..points.len() {
            for k in j + 1..points.len() {
                let normal = (at(j) - at(i)).cross(at(k) - at(i)).normalize_or_zero();
                let front = normal.dot(at(i));
                let order = if front > 0.0 { [i, j, k] } else { [i, k, j] };
                // Every four once: their room does not depend on which of them is the apex.
                for l in k + 1..points.len() {
                    let least = best.map_or(0.0, |(_, best)| best);
                    if !(front.abs() > least) {
                        break;
                    }
                    if let Some(room) = room(order.map(at), at(l), least) {
                        best = Some(([order[0], order[1], order[2], l], room.min(front.abs())));
                    }
                }
            }
        }
    }
    best.map(|(four, _)| four)
}

/// The least distance from the origin to the planes of the three facets that a point makes with a triangle seen from outside, if it is more
/// than `least`.
fn room([a, b, c]: [DVec3; 3], apex: DVec3, least: f64) -> Option<f64> {
    [[b, a], [c, b], [a, c]].into_iter().try_fold(f64::INFINITY, |nearest, [p, q]| {
        let normal = (q - p).cross(apex - p);
        let volume = normal.dot(p);
        // Most tetrahedra do not hold the origin: no square root for them.
        if !(volume > 0.0) {
            return None;
        }
        let distance = volume / normal.length();
        (distance > least).then(|| nearest.min(distance))
    })
}
