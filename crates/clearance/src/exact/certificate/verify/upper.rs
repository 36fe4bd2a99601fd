//! Upper bounds: points of two pieces near each other, a common point, a shell of the Minkowski difference around zero, or a point inside
//! of a solid.

use std::collections::HashSet;

use super::body::Body;
use super::motion::Motion;
use super::number::Num;
use super::read::{Node, Read};
use super::vector::{Vector, dot, integers, length_above, lowest_power, minus, plus, times};
use super::winding::Containment;
use crate::exact::vector::{Int3, turn};

pub(super) fn upper(bodies: &[Body; 2], node: &Node<'_>) -> Read<()> {
    let field = node.get("value")?;
    let value = field.number()?;
    if let Some(inside) = node.field("inside") {
        node.fields(&["value", "inside"], &[])?;
        field.size()?;
        let found = Containment::read(bodies, &inside)?;
        return if found.inside { Ok(()) } else { inside.fails("the point is not inside") };
    }
    node.fields(&["value", "pairs"], &["pieces", "weights", "facets"])?;
    let named = Named::read(bodies, node)?;
    let limit = &value + &named.radius;
    match (node.field("weights"), node.field("facets")) {
        (Some(_), Some(_)) => node.fails("both weights and facets"),
        (Some(weights), None) => {
            let [p, q, total] = named.weighted(&weights)?;
            let gap = minus(&p, &q);
            near_enough(&gap, &(&limit * &total[0]), &field)
        }
        (None, Some(facets)) => {
            let (points, power) = named.differences();
            shell(&points, &(-&limit).times_power(-power), &facets)
        }
        (None, None) => {
            if !contains_zero(&named.differences().0) {
                return node.get("pairs")?.fails("no unique combination of the pairs is a common point");
            }
            if limit.sign() < 0 { field.fails("a common point alone does not prove that depth") } else { Ok(()) }
        }
    }
}

pub(super) fn near(bodies: &[Body; 2], motion: &Motion, node: &Node<'_>) -> Read<()> {
    node.fields(&["time", "value", "pairs", "weights"], &["pieces"])?;
    let time = node.get("time")?.size()?;
    let field = node.get("value")?;
    let value = field.number()?;
    let named = Named::read(bodies, node)?;
    let [p, q, [total, ..]] = named.weighted(&node.get("weights")?)?;
    let Some((rotation, error)) = motion.rotation(&time) else {
        return node.get("time")?.fails("turns by more than 1024 radians");
    };
    let arm = minus(&q, &times(&motion.centre, &total));
    let path = plus(&motion.centre, &times(&motion.linear, &time));
    let moved = plus(&rotation.times(&arm), &times(&path, &total));
    let limit = &(&(&value + &named.radius) * &total) - &(&error * &length_above(&arm));
    near_enough(&minus(&p, &moved), &limit, &field)
}

fn near_enough(gap: &Vector, limit: &Num, field: &Node<'_>) -> Read<()> {
    if limit.sign() < 0 || dot(gap, gap) > limit * limit {
        return field.fails("the points are farther apart than the value allows");
    }
    Ok(())
}

/// The points of two pieces that a proof names, in the world, and the sum of the effective radii.
struct Named {
    pairs: Vec<[Vector; 2]>,
    radius: Num,
}

impl Named {
    fn read(bodies: &[Body; 2], node: &Node<'_>) -> Read<Self> {
        let mut chosen = [0, 0];
        if let Some(pieces) = node.field("pieces") {
            let [a, b] = pieces.exactly()?;
            chosen = [a.count(bodies[0].pieces.len())?, b.count(bodies[1].pieces.len())?];
        }
        let mut pairs = Vec::new();
        for item in node.get("pairs")?.items()? {
            let [p, q] = item.exactly()?;
            pairs.push([bodies[0].point(chosen[0], &p)?, bodies[1].point(chosen[1], &q)?]);
        }
        let radius = &bodies[0].effective_radius(chosen[0]) + &bodies[1].effective_radius(chosen[1]);
        Ok(Self { pairs, radius })
    }

    /// The sums of points times weights, and in all components of the third vector the sum of the weights.
    fn weighted(&self, weights: &Node<'_>) -> Read<[Vector; 3]> {
        let items = weights.items()?;
        if items.len() != self.pairs.len() {
            return weights.fails(format!("a list of {} instead of {}", items.len(), self.pairs.len()));
        }
        let (mut sums, mut total) = ([Vector::default(), Vector::default()], Num::default());
        for (item, pair) in items.zip(&self.pairs) {
            let weight = item.size()?;
            total = &total + &weight;
            sums = std::array::from_fn(|side| plus(&sums[side], &times(&pair[side], &weight)));
        }
        if total.is_zero() {
            return weights.fails("all zero");
        }
        let [p, q] = sums;
        Ok([p, q, [total.clone(), total.clone(), total]])
    }

    /// `q − p` of all pairs in units of two to a power.
    fn differences(&self) -> (Vec<Int3>, i32) {
        let points: Vec<Vector> = self.pairs.iter().map(|[p, q]| minus(q, p)).collect();
        let power = lowest_power(&points);
        (points.iter().map(|point| integers(point, power)).collect(), power)
    }
}

/// Whether four or fewer points are affinely independent and have zero in their hull.
fn contains_zero(points: &[Int3]) -> bool {
    match points {
        [a] => a.is_zero(),
        [a, b] => a != b && a.cross(b).is_zero() && a.dot(b).sign() <= 0,
        [a, b, c] => {
            let normal = b.minus(a).cross(&c.minus(a));
            let sides = [[a, b], [b, c], [c, a]].map(|[from, to]| normal.dot(&from.cross(to)).sign());
            !normal.is_zero() && normal.dot(a).is_zero() && sides.iter().all(|side| *side >= 0)
        }
        [a, b, c, d] => {
            let whole = turn(&b.minus(a), &c.minus(a), &d.minus(a));
            let parts = [turn(b, c, d), -turn(a, c, d), turn(a, b, d), -turn(a, b, c)];
            whole != 0 && parts.iter().all(|part| part * whole >= 0)
        }
        _ => false,
    }
}

/// Whether triangles make a closed surface around zero that is nowhere nearer than a depth, in the units of the points.
fn shell(points: &[Int3], depth: &Num, facets: &Node<'_>) -> Read<()> {
    let mut edges = HashSet::new();
    for item in facets.items()? {
        let [i, j, k] = item.exactly()?;
        let corners = [i.count(points.len())?, j.count(points.len())?, k.count(points.len())?];
        for side in 0..3 {
            let (from, to) = (corners[side], corners[(side + 1) % 3]);
            if from == to || !edges.insert((from, to)) {
                return item.fails(format!("the edge from {from} to {to} occurs twice"));
            }
        }
        let [a, b, c] = corners.map(|corner| &points[corner]);
        let height = a.dot(&b.cross(c));
        if height.sign() <= 0 {
            return item.fails("does not face away from the origin");
        }
        let normal = b.minus(a).cross(&c.minus(a));
        let square = &Num::new(normal.square(), 0) * &(depth * depth);
        if depth.sign() > 0 && Num::new(&height * &height, 0) < square {
            return item.fails("nearer to the origin than the value allows");
        }
    }
    match edges.iter().filter(|(from, to)| !edges.contains(&(*to, *from))).min() {
        Some((from, to)) => facets.fails(format!("open at the edge from {from} to {to}")),
        None => Ok(()),
    }
}
