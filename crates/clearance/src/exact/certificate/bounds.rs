//! Proofs of bounds of the distance of two bodies.

use glam::DVec3;

use super::block::{Block, Form, Mark};
use super::cut::{NoCut, Scene, half_space};
use super::nearest::{Inner, Named, Simplex, inner};
use super::record::{NotCertified, Side};
use super::value::Value;
use crate::tolerance::PROOF_MARGIN;

/// A lower bound of the distance, as near to `wanted` as a proof is found for; of two convex pieces the best there is.
pub(super) fn lower(scene: &mut Scene<'_>, wanted: f64, hint: DVec3) -> Result<Option<Value>, NotCertified> {
    let all = scene.all();
    if let Some((_, direction, leaf)) = half_space(scene.sides) {
        let value = scene.gap(&all, direction) - scene.margin();
        return Ok(value.is_finite().then(|| bound(value, leaf)));
    }
    if scene.sides.iter().all(|side| side.blocks.len() == 1 && side.shells.is_empty()) {
        let own = scene.nearest(&all, hint).nearest.normalize_or(hint);
        let better = if scene.gap(&all, own) > scene.gap(&all, hint) { own } else { hint };
        let value = scene.gap(&all, better) - scene.margin();
        return Ok(Some(bound(value, Value::record([("n", better.into())]))));
    }
    for target in [wanted - 4.0 * scene.margin(), 0.9 * wanted, 0.5 * wanted, 0.0] {
        // Of solids a plane that both touch proves nothing.
        if !(target > 0.0 || target == 0.0 && scene.sides.iter().all(|side| side.shells.is_empty())) {
            continue;
        }
        match scene.cut(target, hint) {
            Ok(cut) => return Ok(with_outside(bound(target, cut), scene.sides)),
            Err(NoCut::Refused(error)) => return Err(error),
            Err(NoCut::Near(_) | NoCut::Plane) => {}
        }
    }
    Ok(None)
}

fn bound(value: f64, cut: Value) -> Value {
    Value::record([("value", value.into()), ("cut", cut)])
}

/// Adds the order of pieces to a claim by cuts, and where solids are concerned that none is in the other. Nothing if one is.
pub(super) fn with_outside(mut claim: Value, sides: [&Side; 2]) -> Option<Value> {
    for (side, name) in sides.iter().zip(["order_a", "order_b"]) {
        if side.order.len() > 1 {
            claim = claim.with(name, Value::counts(side.order.iter().copied()));
        }
    }
    // Of a motion the first step counts: bodies that are apart there stay so while their surfaces do not meet.
    let first =
        claim.field("steps").and_then(|steps| if let Value::List(steps) = steps { steps.first() } else { None });
    let one_leaf = first.unwrap_or(&claim).field("cut").is_some_and(|cut| cut.field("n").is_some());
    if one_leaf || sides.iter().all(|side| side.shells.is_empty()) {
        return Some(claim);
    }
    let mut outside = Vec::new();
    for side in 0..2 {
        for (place, winding) in places(sides, side)? {
            if winding > 0 {
                return None;
            }
            outside.push(place);
        }
    }
    Some(claim.with("outside", Value::List(outside)))
}

/// Where each component of a body is with respect to each closed mesh of the other: records, with winding numbers.
fn places(sides: [&Side; 2], side: usize) -> Option<Vec<(Value, i32)>> {
    let (own, other) = (sides[side], sides[1 - side]);
    let mut found = Vec::new();
    for &piece in &own.components {
        let (point, mark) = own.blocks[piece as usize].farthest(DVec3::X);
        for (mesh, shell) in (0u32..).zip(&other.shells) {
            let (winding, ray) = shell.winding(point)?;
            let place = Value::record([
                ("body", Value::Name(["a", "b"][side])),
                ("piece", piece.into()),
                ("point", Value::from(&mark)),
                ("mesh", mesh.into()),
                ("ray", ray.into()),
            ]);
            found.push((place, winding));
        }
    }
    Some(found)
}

/// An upper bound of the distance of two bodies, which is about `wanted`.
pub(super) fn upper(scene: &mut Scene<'_>, wanted: f64, hint: DVec3) -> Result<Option<Value>, NotCertified> {
    if let Some((side, direction, _)) = half_space(scene.sides) {
        return Ok(below_plane(scene, side, direction));
    }
    let all = scene.all();
    let margin = scene.margin();
    let found = if scene.sides.iter().all(|side| side.order.len() == 1) {
        Some(scene.nearest(&all, hint))
    } else if wanted > 0.0 {
        scene.pair_within(wanted + 8.0 * margin, hint)?
    } else {
        match scene.pair_within(-4.0 * margin, hint)? {
            None => scene.pair_within(margin, hint)?,
            found => found,
        }
    };
    let nested = || {
        let sides = scene.sides;
        let inside = (0..2).find_map(|side| places(sides, side)?.into_iter().find(|(_, winding)| *winding > 0));
        inside.map(|(place, _)| Value::record([("value", 0.0.into()), ("inside", place)]))
    };
    Ok(match found {
        Some(simplex) => Some(of_simplex(scene, &simplex, hint)),
        None => nested(),
    })
}

fn radius_of(scene: &Scene<'_>, blocks: [u32; 2]) -> f64 {
    let [a, b] = [0, 1].map(|side: usize| scene.sides[side].blocks[blocks[side] as usize].sure);
    a + b
}

/// The bound that points of two pieces give: a ball in their difference, a common point, or two points with weights.
pub(super) fn of_simplex(scene: &Scene<'_>, simplex: &Simplex, hint: DVec3) -> Value {
    let blocks = simplex.points[0].blocks;
    let place = |block: u32, side: usize| {
        let at = scene.sides[side].order.iter().position(|&other| other == block).unwrap_or(0);
        at..at + 1
    };
    let parts = [place(blocks[0], 0), place(blocks[1], 1)];
    let (margin, rounding) = (scene.margin(), radius_of(scene, blocks));
    if simplex.points.len() == 4 {
        let found = inner(simplex, hint, scene.margin(), |direction| scene.lowest(&parts, direction));
        if let Some(inner) = found.filter(|inner| inner.radius > 4.0 * margin) {
            return ball(&inner, blocks, margin - rounding);
        }
    }
    // The origin is in four points to rounding only: that it is, is not proved, but how near they come to it.
    let sum: DVec3 =
        simplex.points.iter().zip(&simplex.weights).map(|(point, weight)| point.difference * *weight).sum();
    let nearest = sum.length() / simplex.weights.iter().sum::<f64>();
    let pairs = pairs(&simplex.points, blocks, nearest + margin - rounding);
    pairs.with("weights", Value::numbers(simplex.weights.iter().copied()))
}

fn pairs(points: &[Named], blocks: [u32; 2], value: f64) -> Value {
    let pair = |named: &Named| Value::List(named.marks.iter().map(Value::from).collect());
    Value::record([
        ("value", value.into()),
        ("pieces", Value::counts(blocks)),
        ("pairs", Value::List(points.iter().map(pair).collect())),
    ])
}

/// The bound that the lowest point of a body over, or in, a half-space gives.
pub(super) fn below_plane(scene: &Scene<'_>, side: usize, direction: DVec3) -> Option<Value> {
    let lowest = scene.lowest(&scene.all(), direction);
    let Block { form: Form::HalfSpace(normal, offset), map, .. } = &scene.sides[side].blocks[0] else { return None };
    let other = &scene.sides[1 - side].blocks[lowest.blocks[1 - side] as usize];
    if matches!(other.form, Form::HalfSpace(..)) {
        return None;
    }
    let sign = [1.0, -1.0][side];
    let point = map.at(*normal * (*offset / normal.length_squared())) + lowest.difference * sign;
    let mark = lowest.marks[1 - side].clone();
    let rounding = other.sure;
    let local = map.matrix.inverse() * (point - map.shift);
    let margin = scene.margin() + PROOF_MARGIN * (local.length() + offset.abs());
    let depth = (offset - normal.dot(local)) / normal.length_squared();
    let foot = local + *normal * (depth - margin);
    let named = |at: DVec3| {
        let there = Mark::At(at);
        let marks = if side == 0 { [there, mark.clone()] } else { [mark.clone(), there] };
        let difference = (point - map.at(at)) * sign;
        Named { difference, blocks: lowest.blocks, marks }
    };
    if depth <= 4.0 * margin {
        let found = named(foot);
        let value = found.difference.length() + margin - rounding;
        return Some(pairs(&[found], lowest.blocks, value).with("weights", Value::numbers([1.0])));
    }
    // A tetrahedron with one face in the plane; the other faces are farther from the point.
    let unit = normal.normalize_or(DVec3::Z);
    let across = unit.any_orthonormal_vector();
    let around = [across, unit.cross(across), -across - unit.cross(across)];
    let mut points: Vec<Named> = around.iter().map(|&out| named(foot + out * (16.0 * depth))).collect();
    points.push(named(local - *normal * (8.0 * depth)));
    let [a, b, c] = [0, 1, 2].map(|i: usize| points[i].difference);
    let outward = a.dot(b.cross(c)) > 0.0;
    let facets = if outward {
        vec![[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]]
    } else {
        vec![[0, 2, 1], [1, 2, 3], [2, 0, 3], [0, 1, 3]]
    };
    Some(ball(&Inner::new(points, facets, margin), lowest.blocks, margin - rounding))
}

/// The bound that a ball in the difference gives; `more` is added to it.
fn ball(inner: &Inner, blocks: [u32; 2], more: f64) -> Value {
    let facets = Value::List(inner.facets.iter().map(|facet| Value::counts(*facet)).collect());
    pairs(&inner.points, blocks, more - inner.radius).with("facets", facets)
}
