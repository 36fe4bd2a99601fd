//! Winding numbers of solid meshes by counting what a ray meets, exactly.

use super::body::Body;
use super::read::{Node, Read};
use super::vector::{Vector, integers, lowest_power};
use crate::exact::vector::Int3;
use crate::math::integer::Int;

/// A point of a piece of one body, and whether it is in a solid mesh of the other.
pub(super) struct Containment {
    /// The body with the piece: 0 or 1.
    pub owner: usize,
    pub component: usize,
    pub mesh: usize,
    pub inside: bool,
}

impl Containment {
    pub fn read(bodies: &[Body; 2], node: &Node<'_>) -> Read<Self> {
        node.fields(&["body", "piece", "point", "mesh", "ray"], &[])?;
        let owner = node.get("body")?.body()?;
        let (own, other) = (&bodies[owner], &bodies[1 - owner]);
        let piece = node.get("piece")?.count(own.pieces.len())?;
        let mesh = node.get("mesh")?.count(other.solids.len())?;
        let point = own.point(piece, &node.get("point")?)?;
        let ray = node.get("ray")?;
        let sum = winding(other, mesh, &point, &ray.direction()?).map_err(|reason| ray.refused(reason))?;
        Ok(Self { owner, component: own.pieces[piece].component, mesh, inside: sum > 0 })
    }
}

/// The sum of the signs of the triangles that a ray meets; a reason if it does not tell.
fn winding(body: &Body, mesh: usize, origin: &Vector, ray: &Vector) -> Result<i64, String> {
    let direction = integers(ray, lowest_power([ray]));
    let power = body.power.min(lowest_power([origin]));
    let (origin, shift) = (integers(origin, power), body.power.abs_diff(power));
    let range = body.solids[mesh].clone();
    let mut total = 0;
    for (number, piece) in body.pieces[range].iter().enumerate() {
        let arms: Vec<Int3> = piece.corners.iter().map(|&corner| arm(&body.corners[corner], shift, &origin)).collect();
        let [a, b, c] = &arms[..] else { continue };
        total += crossing(&direction, [a, b, c]).map_err(|reason| format!("the ray {reason} of triangle {number}"))?;
    }
    Ok(total)
}

fn arm(corner: &Int3, shift: u32, origin: &Int3) -> Int3 {
    let corner = if shift == 0 { corner.clone() } else { Int3(corner.0.each_ref().map(|x| x.times_power(shift))) };
    corner.minus(origin)
}

/// 1 if a ray from zero leaves through a triangle, −1 if it enters, 0 if it does not meet it.
fn crossing(ray: &Int3, [a, b, c]: [&Int3; 3]) -> Result<i64, &'static str> {
    let [ab, bc, ca] = [a.cross(b), b.cross(c), c.cross(a)];
    let sides = [&ab, &bc, &ca].map(|side| ray.dot(side).sign());
    if sides.contains(&1) && sides.contains(&-1) {
        return Ok(0);
    }
    if sides == [0; 3] {
        let meets = [[a, b], [b, c], [c, a]].into_iter().any(|[from, to]| meets_segment(ray, from, to));
        return if meets { Err("lies in the plane") } else { Ok(0) };
    }
    let sign = if sides.contains(&1) { 1 } else { -1 };
    match a.dot(&bc).sign() * sign {
        ..=-1 => Ok(0),
        0 => Err("starts in the plane"),
        _ if sides.contains(&0) => Err("meets the border"),
        _ => Ok(i64::from(sign)),
    }
}

/// Whether a ray from zero meets a segment in a plane with it.
fn meets_segment(ray: &Int3, a: &Int3, b: &Int3) -> bool {
    let (p, q) = (a.cross(ray), b.cross(ray));
    let (along_a, along_b): (Int, Int) = (a.dot(ray), b.dot(ray));
    if p.is_zero() && q.is_zero() {
        return along_a.sign() >= 0 || along_b.sign() >= 0;
    }
    if p.dot(&q).sign() > 0 {
        return false;
    }
    // The point with the shares p·(p − q) of b and q·(q − p) of a is on the line of the ray.
    let between = p.minus(&q);
    let (of_b, of_a) = (p.dot(&between), q.dot(&between.negative()));
    (&(&of_a * &along_a) + &(&of_b * &along_b)).sign() >= 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int3(x: [i64; 3]) -> Int3 {
        Int3(x.map(|x| Int::shifted(x.unsigned_abs(), 0, x < 0)))
    }

    #[test]
    fn rays_cross_miss_or_touch() {
        let triangle = [[4, -1, -1], [4, 2, -1], [4, -1, 3]].map(int3);
        let count = |ray| crossing(&int3(ray), triangle.each_ref());
        assert_eq!(count([1, 0, 0]), Ok(1));
        assert_eq!(count([-1, 0, 0]), Ok(0));
        assert_eq!(count([0, 1, 0]), Ok(0));
        assert_eq!(count([1, 3, 0]), Ok(0));
        assert!(count([4, 1, -1]).is_err() && count([4, -1, 3]).is_err());
        let [a, b, c] = triangle.each_ref();
        assert_eq!(crossing(&int3([1, 0, 0]), [a, c, b]), Ok(-1));
    }

    #[test]
    fn rays_in_the_plane_are_refused_where_they_meet_the_triangle() {
        let triangle = [[2, -1, 0], [4, 0, 0], [2, 3, 0]].map(int3);
        let count = |ray| crossing(&int3(ray), triangle.each_ref());
        assert!(count([1, 0, 0]).is_err() && count([2, -1, 0]).is_err());
        assert_eq!([count([-1, 0, 0]), count([1, 2, 0]), count([0, 0, 1])], [Ok(0), Ok(0), Ok(0)]);
        let needle = [[2, 0, 0], [4, 0, 0], [3, 0, 0]].map(int3);
        assert!(crossing(&int3([1, 0, 0]), needle.each_ref()).is_err());
        assert_eq!(crossing(&int3([-1, 0, 0]), needle.each_ref()), Ok(0));
        assert_eq!(crossing(&int3([1, 1, 5]), needle.each_ref()), Ok(0));
    }
}
