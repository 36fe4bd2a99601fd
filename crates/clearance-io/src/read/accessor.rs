//! Numbers of glTF buffers, each range compared with the bytes that are there.

use clearance::Vec3;

use super::document::{Accessor, Document};
use crate::error::{Fault, at_most};

const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;

/// The positions that an accessor describes.
pub(super) fn positions(
    document: &Document,
    buffers: &[Vec<u8>],
    index: usize,
    limit: u64,
) -> Result<Vec<Vec3>, Fault> {
    let name = format!("accessors[{index}]");
    let accessor = accessor(document, index)?;
    if accessor.component_type != FLOAT || accessor.kind != "VEC3" || accessor.normalized {
        return Err(Fault::element(name, "positions must be VEC3 of floats"));
    }
    at_most("vertices", accessor.count, limit)?;
    let elements = elements(document, buffers, accessor, &name, 12)?;
    let mut points = Vec::with_capacity(elements.len());
    for (i, bytes) in elements.enumerate() {
        let point = super::binary::point_at(bytes, 0).filter(|point| point.is_finite());
        points.push(point.ok_or_else(|| Fault::element(format!("{name}[{i}]"), "a coordinate is not finite"))?);
    }
    Ok(points)
}

/// The vertex numbers that an accessor describes.
pub(super) fn indices(document: &Document, buffers: &[Vec<u8>], index: usize, limit: u64) -> Result<Vec<u32>, Fault> {
    let name = format!("accessors[{index}]");
    let accessor = accessor(document, index)?;
    let size = match accessor.component_type {
        UNSIGNED_BYTE => 1,
        UNSIGNED_SHORT => 2,
        UNSIGNED_INT => 4,
        other => return Err(Fault::element(name, format!("componentType {other} is none of vertex numbers"))),
    };
    if accessor.kind != "SCALAR" {
        return Err(Fault::element(name, "vertex numbers must be SCALAR"));
    }
    at_most("corners", accessor.count, 3 * limit)?;
    let number = |bytes: &[u8]| {
        let mut wide = [0; 4];
        wide[..size].copy_from_slice(&bytes[..size]);
        u32::from_le_bytes(wide)
    };
    Ok(elements(document, buffers, accessor, &name, size)?.map(number).collect())
}

fn accessor(document: &Document, index: usize) -> Result<&Accessor, Fault> {
    let missing = || Fault::element(format!("accessors[{index}]"), "does not exist");
    let accessor = document.accessors.get(index).ok_or_else(missing)?;
    if accessor.sparse.is_some() {
        return Err(Fault::Unsupported(format!("accessors[{index}]: sparse accessors are not read")));
    }
    Ok(accessor)
}

/// The bytes of each element of an accessor.
fn elements<'b>(
    document: &Document,
    buffers: &'b [Vec<u8>],
    accessor: &Accessor,
    name: &str,
    size: usize,
) -> Result<impl ExactSizeIterator<Item = &'b [u8]> + use<'b>, Fault> {
    let view = accessor.buffer_view.ok_or_else(|| Fault::element(name, "has no bufferView"))?;
    let missing = || Fault::element(name, format!("bufferViews[{view}] does not exist"));
    let view = document.buffer_views.get(view).ok_or_else(missing)?;
    let buffer = view.buffer;
    let missing = || Fault::element(name, format!("buffers[{buffer}] does not exist"));
    let whole = buffers.get(buffer).ok_or_else(missing)?;
    let range = |from: u64, length: u64, of: &'b [u8]| {
        of.get(usize::try_from(from).ok()?..usize::try_from(from.checked_add(length)?).ok()?)
    };
    let beyond = || Fault::element(name, format!("goes beyond the end of buffers[{buffer}]"));
    let bytes = range(view.byte_offset, view.byte_length, whole).ok_or_else(beyond)?;
    let stride = view.byte_stride.unwrap_or(size as u64);
    if !(size as u64..=252).contains(&stride) {
        return Err(Fault::element(name, format!("byteStride is {stride}; it must be {size} to 252")));
    }
    // The last element has no gap behind it.
    let length = match accessor.count {
        0 => 0,
        count => (count - 1).checked_mul(stride).and_then(|l| l.checked_add(size as u64)).ok_or_else(beyond)?,
    };
    let bytes = range(accessor.byte_offset, length, bytes).ok_or_else(beyond)?;
    let (stride, count) = (stride as usize, accessor.count as usize);
    Ok((0..count).map(move |i| &bytes[i * stride..i * stride + size]))
}
