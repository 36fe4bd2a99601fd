//! The convex hull by definition: a plane through three points is a face if nothing lies above it.
//!
//! Every triple is tried, every side is decided exactly. There is no incremental state that
//! could go wrong, which is the whole point of this slow twin.

use super::Solid;
use crate::exact::{collinear, orient2d, orient3d};
use glam::{DVec2, DVec3};

impl Solid {
    /// The exact convex hull of the points, coplanar triangles merged, with extreme points only;
    /// nothing if all points lie in one plane. For up to about a hundred points.
    pub fn hull(points: &[DVec3]) -> Option<Self> {
        let points = distinct(points);
        if is_flat(&points) {
            return None;
        }
        let mut on_face: Vec<Vec<bool>> = Vec::new();
        let mut faces = Vec::new();
        for i in 0..points.len() {
            for j in 0..i {
                for k in 0..j {
                    if on_face.iter().any(|on| on[i] && on[j] && on[k]) {
                        continue;
                    }
                    if let Some((polygon, on)) = supporting_face(&points, [i, j, k]) {
                        on_face.push(on);
                        faces.push(polygon);
                    }
                }
            }
        }
        Some(compact(&points, faces))
    }
}

/// Whether all points lie in one plane, exactly; fewer than four do.
pub fn is_flat(points: &[DVec3]) -> bool {
    let Some(&a) = points.first() else {
        return true;
    };
    let Some(&b) = points.iter().find(|&&p| p != a) else {
        return true;
    };
    let Some(&c) = points.iter().find(|&&p| !collinear(a, b, p)) else {
        return true;
    };
    points.iter().all(|&p| orient3d(a, b, c, p) == 0)
}

/// The points without repetitions, sorted by coordinates.
fn distinct(points: &[DVec3]) -> Vec<DVec3> {
    // Adding zero turns −0 into 0, so that equal points also compare equal here.
    let mut sorted: Vec<_> = points.iter().map(|&p| p + DVec3::ZERO).collect();
    sorted.sort_by(|p, q| {
        let by_plane = p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y));
        by_plane.then(p.z.total_cmp(&q.z))
    });
    sorted.dedup();
    sorted
}

/// The face in the plane of three points if all points lie on one side of it: its polygon, and
/// which points are on the plane.
fn supporting_face(points: &[DVec3], triple: [usize; 3]) -> Option<(Vec<usize>, Vec<bool>)> {
    let [a, b, c] = triple.map(|i| points[i]);
    if collinear(a, b, c) {
        return None;
    }
    let mut below = 0;
    let mut on = vec![false; points.len()];
    for (index, &p) in points.iter().enumerate() {
        let side = if triple.contains(&index) { 0 } else { orient3d(a, b, c, p) };
        on[index] = side == 0;
        if side * below < 0 {
            return None;
        }
        if side != 0 {
            below = side;
        }
    }
    // `below` is 1 when the triple runs counter-clockwise seen from outside.
    let (project, turn) = projection(a, b, c)?;
    let mut polygon = planar_hull(points, &on, project);
    if turn * below < 0 {
        polygon.reverse();
    }
    Some((polygon, on))
}

/// Drops a coordinate.
type Projection = fn(DVec3) -> DVec2;

/// A coordinate plane in which the triple is not flattened, and the triple's sense of turn there.
fn projection(a: DVec3, b: DVec3, c: DVec3) -> Option<(Projection, i32)> {
    let choices: [Projection; 3] = [|p| DVec2::new(p.x, p.y), |p| DVec2::new(p.y, p.z), |p| DVec2::new(p.z, p.x)];
    choices.into_iter().map(|f| (f, orient2d(f(a), f(b), f(c)))).find(|&(_, turn)| turn != 0)
}

/// The extreme points among the marked ones, counter-clockwise in the projection.
fn planar_hull(points: &[DVec3], on: &[bool], project: Projection) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).filter(|&i| on[i]).collect();
    let flat = |i: usize| project(points[i]);
    order.sort_by(|&i, &j| {
        let (p, q) = (flat(i), flat(j));
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y))
    });
    let lower = chain(order.iter().copied(), flat);
    let upper = chain(order.iter().rev().copied(), flat);
    lower.into_iter().chain(upper).collect()
}

/// One side of a planar hull in sweep order, left turns only, without its last point.
fn chain(order: impl Iterator<Item = usize>, flat: impl Fn(usize) -> DVec2) -> Vec<usize> {
    let mut chain: Vec<usize> = Vec::new();
    for next in order {
        while let [.., before, last] = chain[..] {
            if orient2d(flat(before), flat(last), flat(next)) > 0 {
                break;
            }
            chain.pop();
        }
        chain.push(next);
    }
    chain.pop();
    chain
}

/// Keeps the points that some face uses, and renumbers the faces.
fn compact(points: &[DVec3], mut faces: Vec<Vec<usize>>) -> Solid {
    let mut number = vec![usize::MAX; points.len()];
    let mut vertices = Vec::new();
    for index in faces.iter_mut().flatten() {
        if number[*index] == usize::MAX {
            number[*index] = vertices.len();
            vertices.push(points[*index]);
        }
        *index = number[*index];
    }
    Solid { vertices, faces }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::{Cloud, FlatCloud};
    use crate::random::Rng;
    use crate::support::support_value;

    #[test]
    fn a_cube_full_of_grid_points_has_six_quads() {
        let mut points = Vec::new();
        for i in 0..27 {
            let p = DVec3::new(f64::from(i % 3), f64::from(i / 3 % 3), f64::from(i / 9));
            points.extend([p, p]);
        }
        let solid = Solid::hull(&points).unwrap();
        assert_eq!(solid.vertices.len(), 8);
        assert_eq!(solid.faces.len(), 6);
        assert!(solid.faces.iter().all(|face| face.len() == 4));
        assert_eq!(solid.check(), Ok(()));
        assert_eq!(solid.volume(), 8.0);
    }

    #[test]
    fn an_octahedron_has_eight_triangles() {
        let points = [DVec3::X, DVec3::Y, DVec3::Z].map(|p| [p, -p]).concat();
        let solid = Solid::hull(&points).unwrap();
        assert_eq!((solid.vertices.len(), solid.faces.len()), (6, 8));
        assert_eq!(solid.check(), Ok(()));
        assert_eq!(solid.volume(), 4.0 / 3.0);
    }

    #[test]
    fn flat_clouds_have_no_hull() {
        let mut rng = Rng::new(31);
        for family in FlatCloud::ALL {
            for n in [1, 3, 4, 20] {
                assert_eq!(Solid::hull(&family.generate(&mut rng, n)), None);
            }
        }
    }

    #[test]
    fn every_family_gives_a_valid_hull_with_the_supports_of_its_points() {
        let mut rng = Rng::new(32);
        for family in Cloud::ALL {
            for n in [4, 12, 40] {
                let points = family.generate(&mut rng, n);
                let solid = Solid::hull(&points).unwrap();
                assert_eq!(solid.check(), Ok(()), "{}", family.name());
                assert_eq!(solid.contains_all(&points), Ok(()), "{}", family.name());
                for _ in 0..10 {
                    let dir = rng.unit_vector();
                    let expected = support_value(&points, dir);
                    assert_eq!(support_value(&solid.vertices, dir), expected);
                }
            }
        }
    }
}
