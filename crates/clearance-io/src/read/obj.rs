//! Wavefront OBJ: vertices and faces; each object or group with faces is a surface of its own. Normals, texture coordinates, materials,
//! lines and points are passed over; free-form surfaces are refused.

use clearance::Vec3;

use crate::error::{Fault, at_most};
use crate::limits::Limits;
use crate::model::{Format, Model, Surface};
use crate::text::{number, short};
use crate::triangulate::{MOST_CORNERS, add_polygon};

/// Statements that have no part in the surface.
const PASSED_OVER: &[&str] = &[
    "vn",
    "vt",
    "vp",
    "usemtl",
    "mtllib",
    "s",
    "l",
    "p",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "mg",
];

pub(super) fn parse(bytes: &[u8], limits: &Limits) -> Result<Model, Fault> {
    let text = super::text(bytes)?;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    // Where the triangles of each named part begin.
    let mut parts: Vec<(String, usize)> = vec![(String::new(), 0)];
    let mut corners = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let at = index + 1;
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let mut coordinate = |what| number(words.next(), at, what);
                vertices.push(Vec3::new(coordinate("x")?, coordinate("y")?, coordinate("z")?));
            }
            Some("f") => {
                face(words, vertices.len(), at, &mut corners)?;
                add_polygon(&vertices, &corners, &mut triangles);
            }
            Some("o" | "g") => parts.push((words.collect::<Vec<_>>().join(" "), triangles.len())),
            Some(word) if word.starts_with('#') || PASSED_OVER.contains(&word) => {}
            Some(word) => return Err(Fault::line(at, format!("'{}' is no statement that is read", short(word)))),
            None => {}
        }
        at_most("vertices", vertices.len() as u64, limits.vertices)?;
        at_most("triangles", triangles.len() as u64, limits.triangles)?;
    }
    at_most("groups", parts.len() as u64, limits.parts)?;
    Ok(Model::of_surfaces(Format::Obj, surfaces(&vertices, &triangles, parts)))
}

fn face<'t>(
    words: impl Iterator<Item = &'t str>,
    count: usize,
    line: usize,
    corners: &mut Vec<u32>,
) -> Result<(), Fault> {
    corners.clear();
    for word in words {
        if word.starts_with('#') {
            break;
        }
        let given = word.split('/').next().unwrap_or_default();
        let index = given.parse::<i64>().ok().filter(|&index| index != 0);
        let index = index.ok_or_else(|| Fault::line(line, format!("'{}' is no vertex number", short(word))))?;
        // Numbers count from 1; negative ones from the last vertex backwards.
        let vertex = if index > 0 { index - 1 } else { count as i64 + index };
        if !(0..count as i64).contains(&vertex) {
            return Err(Fault::line(
                line,
                format!("a face refers to vertex {index}, but {count} vertices stand before it"),
            ));
        }
        corners.push(vertex as u32);
        if corners.len() > MOST_CORNERS {
            return Err(Fault::line(line, format!("a face has more than {MOST_CORNERS} corners")));
        }
    }
    if corners.len() < 3 {
        return Err(Fault::line(line, format!("a face has {} corners; it needs at least three", corners.len())));
    }
    Ok(())
}

/// The parts that have triangles, each with its own vertices.
fn surfaces(vertices: &[Vec3], triangles: &[[u32; 3]], parts: Vec<(String, usize)>) -> Vec<Surface> {
    let ends: Vec<usize> = parts.iter().skip(1).map(|part| part.1).chain([triangles.len()]).collect();
    let mut surfaces = Vec::new();
    for ((name, start), end) in parts.into_iter().zip(ends) {
        if start == end {
            continue;
        }
        let own = &triangles[start..end];
        // In the order of the file; what the part does not use is left out.
        let mut used: Vec<u32> = own.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let number = |vertex: u32| used.binary_search(&vertex).unwrap_or_default() as u32;
        let surface = Surface {
            name,
            vertices: used.iter().map(|vertex| vertices[*vertex as usize]).collect(),
            triangles: own.iter().map(|corners| corners.map(number)).collect(),
        };
        surfaces.push(surface);
    }
    surfaces
}
