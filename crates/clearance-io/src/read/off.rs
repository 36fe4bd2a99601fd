//! OFF: a count of vertices and faces, then both.

use clearance::Vec3;

use crate::error::{Fault, at_most};
use crate::limits::Limits;
use crate::model::{Format, Model, Surface};
use crate::text::{Words, short};
use crate::triangulate::{MOST_CORNERS, add_polygon};

pub(super) fn parse(bytes: &[u8], limits: &Limits) -> Result<Model, Fault> {
    let mut words = Words::new(super::text(bytes)?, true);
    // A vertex may have a normal, a colour and texture coordinates; these stand behind its place and are passed over.
    let first = words.next().unwrap_or_default();
    if !["OFF", "COFF", "NOFF", "STOFF", "CNOFF"].contains(&first) {
        return Err(Fault::line(words.line().max(1), format!("begins with '{}', not with OFF", short(first))));
    }
    let [vertices, faces, _] =
        [words.whole("the count of vertices")?, words.whole("the count of faces")?, edges(&mut words)?];
    at_most("vertices", vertices, limits.vertices)?;
    at_most("faces", faces, limits.triangles)?;
    // Each of them needs several letters of the text.
    for (what, count) in [("vertices", vertices), ("faces", faces)] {
        let found = bytes.len() as u64 / 2;
        if count > found {
            return Err(Fault::Truncated { what, promised: count, found });
        }
    }
    words.end_line();
    let mut surface = Surface::default();
    for _ in 0..vertices {
        let place = Vec3::new(words.number("x")?, words.number("y")?, words.number("z")?);
        surface.vertices.push(place);
        words.end_line();
    }
    for _ in 0..faces {
        let corners = face(&mut words, vertices)?;
        words.end_line();
        add_polygon(&surface.vertices, &corners, &mut surface.triangles);
        at_most("triangles", surface.triangles.len() as u64, limits.triangles)?;
    }
    Ok(Model::of_surfaces(Format::Off, vec![surface]))
}

/// The count of edges, which some writers leave out and nobody needs.
fn edges(words: &mut Words<'_>) -> Result<u64, Fault> {
    words.rest();
    Ok(0)
}

fn face(words: &mut Words<'_>, vertices: u64) -> Result<Vec<u32>, Fault> {
    let count = words.whole("the count of corners")?;
    let line = words.line();
    if !(3..=MOST_CORNERS as u64).contains(&count) {
        return Err(Fault::line(line, format!("a face has {count} corners; it must have 3 to {MOST_CORNERS}")));
    }
    let mut corners = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let corner = words.whole("a corner")?;
        if corner >= vertices {
            return Err(Fault::line(
                line,
                format!("a face refers to vertex {corner}, but there are {vertices} vertices"),
            ));
        }
        corners.push(corner as u32);
    }
    Ok(corners)
}
