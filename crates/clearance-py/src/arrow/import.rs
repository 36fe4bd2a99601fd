//! Columns of numbers out of Arrow arrays and streams of records, of any library that hands them out.

use std::ffi::CStr;

use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods, PyTuple};

use super::abi::{ArrowArray, ArrowArrayStream, ArrowSchema};
use crate::errors::argument;

/// A column of numbers: rows of one number, or of as many as a list of fixed size has. What is missing is NaN.
#[derive(Debug, Clone)]
pub struct NumberColumn {
    /// Its name.
    pub name: String,
    /// How many numbers a row has.
    pub width: usize,
    /// The numbers, row after row.
    pub numbers: Vec<f64>,
}

/// Whether an object hands out Arrow data.
pub fn is_arrow(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.hasattr("__arrow_c_stream__")? || object.hasattr("__arrow_c_array__")?)
}

/// The columns of numbers of an object that hands out Arrow data; others are left out.
pub fn columns(field: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<NumberColumn>> {
    let wrong = |message: String| argument(field, message);
    if object.hasattr("__arrow_c_stream__")? {
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let capsule = capsule.cast_into::<PyCapsule>().map_err(PyErr::from)?;
        let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast::<ArrowArrayStream>();
        // SAFETY: a capsule of this name holds a stream, says the interface, and keeps it while it lives.
        return unsafe { of_stream(&mut *stream.as_ptr()) }.map_err(wrong);
    }
    let pair = object.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>().map_err(PyErr::from)?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = {
        let [schema, array] = [pair.get_item(0)?, pair.get_item(1)?];
        (schema.cast_into().map_err(PyErr::from)?, array.cast_into().map_err(PyErr::from)?)
    };
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?.cast::<ArrowSchema>();
    let array = array.pointer_checked(Some(c"arrow_array"))?.cast::<ArrowArray>();
    let mut found = Vec::new();
    // SAFETY: capsules of these names hold a schema and an array of it, says the interface, and keep them while they live.
    unsafe { read_records(schema.as_ref(), array.as_ref(), &mut found) }.map_err(wrong)?;
    Ok(found)
}

/// # Safety
/// The stream is as the interface says.
unsafe fn of_stream(stream: &mut ArrowArrayStream) -> Result<Vec<NumberColumn>, String> {
    let (Some(get_schema), Some(get_next), Some(_)) = (stream.get_schema, stream.get_next, stream.release) else {
        return Err("the Arrow stream was released".to_owned());
    };
    let (mut schema, mut found) = (ArrowSchema::EMPTY, Vec::new());
    // SAFETY: the functions of a stream that is not released may be called; what they write is dropped, which releases it.
    unsafe {
        if get_schema(stream, &raw mut schema) != 0 {
            return Err("the Arrow stream has no schema".to_owned());
        }
        loop {
            let mut array = ArrowArray::EMPTY;
            if get_next(stream, &raw mut array) != 0 {
                return Err("the Arrow stream ended with an error".to_owned());
            }
            if array.release.is_none() {
                // A stream of no arrays still has columns.
                return if found.is_empty() { empty(&schema) } else { Ok(found) };
            }
            read_records(&schema, &array, &mut found)?;
        }
    }
}

/// # Safety
/// The schema is as the interface says.
unsafe fn empty(schema: &ArrowSchema) -> Result<Vec<NumberColumn>, String> {
    let mut found = Vec::new();
    // SAFETY: so the caller promises.
    for child in unsafe { children(schema.children, schema.n_children) }? {
        let (format, name) = unsafe { (text(child.format), text(child.name)) };
        if let Some(width) = width_of(&format, child) {
            found.push(NumberColumn { name, width, numbers: Vec::new() });
        }
    }
    Ok(found)
}

/// # Safety
/// A null pointer or a text that ends with a zero.
unsafe fn text(at: *const std::ffi::c_char) -> String {
    // SAFETY: so the caller promises.
    if at.is_null() { String::new() } else { unsafe { CStr::from_ptr(at) }.to_string_lossy().into_owned() }
}

/// # Safety
/// As many pointers to structures as said.
unsafe fn children<'a, T>(at: *mut *mut T, count: i64) -> Result<Vec<&'a T>, String> {
    let count = usize::try_from(count).map_err(|_| "an Arrow structure has less than no children".to_owned())?;
    if count == 0 {
        return Ok(Vec::new());
    }
    if at.is_null() {
        return Err("an Arrow structure has no children where it says so".to_owned());
    }
    // SAFETY: so the caller promises.
    let pointers = unsafe { std::slice::from_raw_parts(at, count) };
    let child = |pointer: &*mut T| unsafe { pointer.as_ref() }.ok_or_else(|| "an Arrow child is missing".to_owned());
    pointers.iter().map(child).collect()
}

/// How many numbers a row of a column has; nothing if it is no column of numbers.
fn width_of(format: &str, schema: &ArrowSchema) -> Option<usize> {
    if schema.dictionary.is_null() && size_of_number(format).is_some() {
        return Some(1);
    }
    let width = format.strip_prefix("+w:")?.parse().ok()?;
    // SAFETY: a list has one child, says the interface.
    let inner = unsafe { children(schema.children, schema.n_children) }.ok()?;
    let inner_format = unsafe { text(inner.first()?.format) };
    size_of_number(&inner_format).map(|_| width)
}

fn size_of_number(format: &str) -> Option<usize> {
    match format {
        "c" | "C" => Some(1),
        "s" | "S" => Some(2),
        "i" | "I" | "f" => Some(4),
        "l" | "L" | "g" => Some(8),
        _ => None,
    }
}

/// Adds the rows of an array of records to the columns.
///
/// # Safety
/// The schema and the array of it are as the interface says.
unsafe fn read_records(schema: &ArrowSchema, array: &ArrowArray, found: &mut Vec<NumberColumn>) -> Result<(), String> {
    // SAFETY: so the caller promises, here and below.
    let (types, data) = unsafe {
        if text(schema.format) != "+s" {
            return Err(format!("the Arrow array is of type '{}', and no table of columns", text(schema.format)));
        }
        (children(schema.children, schema.n_children)?, children(array.children, array.n_children)?)
    };
    let is_first = found.is_empty();
    let rows = usize::try_from(array.length).map_err(|_| "negative length".to_owned())?;
    let skipped = usize::try_from(array.offset).map_err(|_| "negative offset".to_owned())?;
    let mut next = 0;
    for (of, values) in types.into_iter().zip(data) {
        let (format, name) = unsafe { (text(of.format), text(of.name)) };
        let Some(width) = width_of(&format, of) else { continue };
        let numbers = unsafe { read_column(of, values, &format, skipped, rows) }?;
        if is_first {
            found.push(NumberColumn { name, width, numbers });
        } else if let Some(column) = found.get_mut(next) {
            column.numbers.extend(numbers);
        }
        next += 1;
    }
    Ok(())
}

/// # Safety
/// As above.
unsafe fn read_column(
    schema: &ArrowSchema,
    array: &ArrowArray,
    format: &str,
    skipped: usize,
    rows: usize,
) -> Result<Vec<f64>, String> {
    let start = skipped + usize::try_from(array.offset).map_err(|_| "negative offset".to_owned())?;
    // SAFETY: so the caller promises, here and below.
    unsafe {
        let Some(width) = format.strip_prefix("+w:").and_then(|width| width.parse::<usize>().ok()) else {
            let present = validity(array, start, rows)?;
            return read_numbers(array, format, start, rows, |row| present.as_ref().is_none_or(|bits| bits[row]));
        };
        let (types, data) =
            (children(schema.children, schema.n_children)?, children(array.children, array.n_children)?);
        let (Some(of), Some(values)) = (types.first(), data.first()) else {
            return Err("a list without values".to_owned());
        };
        let first = start * width + usize::try_from(values.offset).map_err(|_| "negative offset".to_owned())?;
        let (lists, inner) = (validity(array, start, rows)?, validity(values, first, rows * width)?);
        let is_present = |at: usize| {
            lists.as_ref().is_none_or(|bits| bits[at / width]) && inner.as_ref().is_none_or(|bits| bits[at])
        };
        read_numbers(values, &text(of.format), first, rows * width, is_present)
    }
}

/// Which rows are there; nothing if all are.
///
/// # Safety
/// The array is as the interface says, with so many rows from the first on.
unsafe fn validity(array: &ArrowArray, first: usize, rows: usize) -> Result<Option<Vec<bool>>, String> {
    if array.null_count == 0 || array.n_buffers < 1 || array.buffers.is_null() {
        return Ok(None);
    }
    // SAFETY: so the caller promises.
    let bits = unsafe { *array.buffers }.cast::<u8>();
    if bits.is_null() {
        return Ok(None);
    }
    let bit = |row: usize| unsafe { *bits.add(row / 8) } >> (row % 8) & 1 == 1;
    Ok(Some((first..first + rows).map(bit).collect()))
}

/// # Safety
/// The array is as the interface says, of this format, with so many values from the first on.
unsafe fn read_numbers(
    array: &ArrowArray,
    format: &str,
    first: usize,
    count: usize,
    is_present: impl Fn(usize) -> bool,
) -> Result<Vec<f64>, String> {
    if count == 0 {
        return Ok(Vec::new());
    }
    if array.n_buffers < 2 || array.buffers.is_null() {
        return Err("an Arrow column has no values".to_owned());
    }
    // SAFETY: so the caller promises. Values may not be aligned.
    unsafe {
        let data = *array.buffers.add(1);
        if data.is_null() {
            return Err("an Arrow column has no values".to_owned());
        }
        macro_rules! read {
            ($kind:ty) => {
                (0..count)
                    .map(|at| {
                        let value = data.cast::<$kind>().add(first + at).read_unaligned() as f64;
                        if is_present(at) { value } else { f64::NAN }
                    })
                    .collect()
            };
        }
        Ok(match format {
            "g" => read!(f64),
            "f" => read!(f32),
            "l" => read!(i64),
            "L" => read!(u64),
            "i" => read!(i32),
            "I" => read!(u32),
            "s" => read!(i16),
            "S" => read!(u16),
            "c" => read!(i8),
            "C" => read!(u8),
            other => return Err(format!("an Arrow column of type '{other}' has no numbers")),
        })
    }
}
