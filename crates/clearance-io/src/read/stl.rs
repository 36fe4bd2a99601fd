//! STL, text and binary. Corners at the same place become one vertex: the format has no numbers for them.
//!
//! A file is binary if its length is what its count of triangles asks for, or if it does not begin with `solid`. Facet normals are
//! passed over: the order of the corners says which side is outside.

use std::collections::HashMap;
use std::io::Read;

use clearance::Vec3;

use super::binary::{point_at, u32_at};
use crate::error::{Fault, at_most};
use crate::limits::Limits;
use crate::model::{Format, Model, Surface};
use crate::text::{Words, short};

/// Bytes before the first triangle of a binary file, and of each triangle.
const HEADER: usize = 84;
const FACET: usize = 50;
/// Triangles that are read at once.
const BLOCK: usize = 4096;

pub(super) fn parse(bytes: &[u8], limits: &Limits) -> Result<Model, Fault> {
    let count = u32_at(bytes, 80).map_or(0, |count| count as usize);
    let is_binary = bytes.len() >= HEADER && bytes.len() == HEADER + FACET * count;
    let begins = bytes.trim_ascii_start();
    if !is_binary && begins.len() >= 5 && begins[..5].eq_ignore_ascii_case(b"solid") {
        return ascii(bytes, limits);
    }
    Ok(Model::of_surfaces(Format::Stl, vec![binary(bytes, limits)?]))
}

fn binary(bytes: &[u8], limits: &Limits) -> Result<Surface, Fault> {
    let Some(count) = u32_at(bytes, 80) else {
        return Err(Fault::Truncated { what: "bytes of a header", promised: HEADER as u64, found: bytes.len() as u64 });
    };
    at_most("triangles", u64::from(count), limits.triangles)?;
    let found = (bytes.len() - HEADER) / FACET;
    if found < count as usize {
        return Err(Fault::Truncated { what: "triangles", promised: u64::from(count), found: found as u64 });
    }
    triangles(&bytes[HEADER..], count as usize)
}

/// Triangles of a binary file, block by block.
fn triangles(mut source: impl Read, count: usize) -> Result<Surface, Fault> {
    let mut welded = Welded::with_capacity(count);
    let mut block = vec![0; FACET * BLOCK.min(count)];
    let mut first = 0;
    while first < count {
        let facets = &mut block[..FACET * BLOCK.min(count - first)];
        source.read_exact(facets)?;
        for (nth, facet) in facets.chunks_exact(FACET).enumerate() {
            let corner = |i: usize| point_at(facet, 12 + 12 * i).unwrap_or(Vec3::NAN);
            let corners = [corner(0), corner(1), corner(2)];
            if !corners.iter().all(|corner| corner.is_finite()) {
                return Err(Fault::element(format!("triangles[{}]", first + nth), "a coordinate is not finite"));
            }
            welded.push(corners);
        }
        first += BLOCK;
    }
    Ok(welded.surface)
}

/// A binary file of this length, read block by block: it takes no more memory than its triangles. Nothing if it is not surely binary.
pub(super) fn streamed(mut source: impl Read, length: u64, limits: &Limits) -> Result<Option<Model>, Fault> {
    if length < HEADER as u64 {
        return Ok(None);
    }
    let mut header = [0; HEADER];
    source.read_exact(&mut header)?;
    let count = u32_at(&header, 80).unwrap_or(0);
    if length != HEADER as u64 + FACET as u64 * u64::from(count) {
        return Ok(None);
    }
    at_most("triangles", u64::from(count), limits.triangles)?;
    Ok(Some(Model::of_surfaces(Format::Stl, vec![triangles(source, count as usize)?])))
}

/// The text form; each `solid` is a surface of its own.
fn ascii(bytes: &[u8], limits: &Limits) -> Result<Model, Fault> {
    let mut words = Words::new(super::text(bytes)?, false);
    let mut surfaces: Vec<Surface> = Vec::new();
    let mut open: Option<Welded> = None;
    let mut total = 0;
    while let Some(word) = words.next() {
        let line = words.line();
        match (word.to_ascii_lowercase().as_str(), &mut open) {
            ("solid", None) => {
                at_most("solids", surfaces.len() as u64 + 1, limits.parts)?;
                open = Some(Welded::named(words.rest()));
            }
            ("facet", Some(welded)) => {
                total += 1;
                at_most("triangles", total, limits.triangles)?;
                words.end_line();
                welded.push(facet(&mut words)?);
            }
            ("endsolid", Some(_)) => {
                words.end_line();
                surfaces.extend(open.take().map(|welded| welded.surface));
            }
            (other, _) => return Err(Fault::line(line, format!("'{}' is not expected here", short(other)))),
        }
    }
    if open.is_some() {
        return Err(Fault::line(words.line(), "the file ends before 'endsolid'"));
    }
    Ok(Model::of_surfaces(Format::Stl, surfaces))
}

fn facet(words: &mut Words<'_>) -> Result<[Vec3; 3], Fault> {
    expect(words, "outer")?;
    expect(words, "loop")?;
    let mut corners = [Vec3::ZERO; 3];
    for corner in &mut corners {
        expect(words, "vertex")?;
        *corner = Vec3::new(words.number("x")?, words.number("y")?, words.number("z")?);
    }
    expect(words, "endloop")?;
    expect(words, "endfacet")?;
    Ok(corners)
}

fn expect(words: &mut Words<'_>, wanted: &str) -> Result<(), Fault> {
    match words.next() {
        Some(word) if word.eq_ignore_ascii_case(wanted) => Ok(()),
        Some(word) => Err(Fault::line(words.line(), format!("'{}' stands where '{wanted}' should be", short(word)))),
        None => Err(Fault::line(words.line(), format!("the file ends where '{wanted}' should be"))),
    }
}

/// A surface whose equal corners are one vertex.
#[derive(Default)]
struct Welded {
    surface: Surface,
    known: HashMap<[u64; 3], u32>,
}

impl Welded {
    fn named(name: String) -> Self {
        Self { surface: Surface { name, ..Surface::default() }, ..Self::default() }
    }

    /// Room for a closed surface of so many triangles.
    fn with_capacity(triangles: usize) -> Self {
        let mut welded = Self::default();
        welded.surface.triangles.reserve(triangles);
        welded.surface.vertices.reserve(triangles / 2 + 2);
        welded.known.reserve(triangles / 2 + 2);
        welded
    }

    fn push(&mut self, corners: [Vec3; 3]) {
        let triangle = corners.map(|corner| {
            // Zero has two signs and is one place.
            let corner = corner + Vec3::ZERO;
            let next = self.surface.vertices.len() as u32;
            *self.known.entry(corner.to_array().map(f64::to_bits)).or_insert_with(|| {
                self.surface.vertices.push(corner);
                next
            })
        });
        self.surface.triangles.push(triangle);
    }
}
