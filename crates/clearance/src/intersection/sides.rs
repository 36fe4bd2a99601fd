//! Which vertices of a surface are inside the other solid.

use std::collections::BTreeMap;

use glam::DVec3;

use super::cross::Passing;
use super::surface::Surface;
use crate::shape::mesh::{crossing, winding};

/// Whether each vertex of a surface is inside the other solid: one vertex of each connected part is located, the others follow from how often
/// the edges enter and leave. Nothing if these contradict each other, or if a vertex is on the other surface.
pub(super) fn of_vertices(
    surface: &Surface,
    other: &Surface,
    passings: &BTreeMap<u32, Vec<Passing>>,
) -> Option<Vec<bool>> {
    let mut around = vec![Vec::new(); surface.points.len()];
    for (number, &[v, w]) in surface.edges.iter().enumerate() {
        around[v as usize].push((w, number as u32));
        around[w as usize].push((v, number as u32));
    }
    let mut sides = vec![None; surface.points.len()];
    let mut open = Vec::new();
    for first in 0..surface.points.len() {
        if sides[first].is_some() || around[first].is_empty() {
            continue;
        }
        sides[first] = Some(is_inside(other, surface.points[first])?);
        open.push(first);
        while let Some(v) = open.pop() {
            let here = sides[v]?;
            for &(w, edge) in &around[v] {
                let there = after(passings.get(&edge).map_or(&[][..], Vec::as_slice), here, (v as u32) < w)?;
                match sides[w as usize] {
                    Some(known) if known != there => return None,
                    Some(_) => {}
                    None => {
                        sides[w as usize] = Some(there);
                        open.push(w as usize);
                    }
                }
            }
        }
    }
    Some(sides.into_iter().map(|side| side.unwrap_or(false)).collect())
}

/// The side at the other end of an edge; nothing if it enters where it is inside, or leaves where it is not, in sum.
fn after(passings: &[Passing], here: bool, upwards: bool) -> Option<bool> {
    let change: i32 = passings.iter().map(|passing| if passing.enters == upwards { 1 } else { -1 }).sum();
    match i32::from(here) + change {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// Whether a point is inside a solid; nothing if it is on its surface, or if the solid is there several times.
fn is_inside(solid: &Surface, point: DVec3) -> Option<bool> {
    let [low, high] = solid.bounds;
    if point.cmplt(low).any() || point.cmpgt(high).any() {
        return Some(false);
    }
    match winding(&solid.tree, point, |triangle| crossing(solid.corners(triangle), point))? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}
