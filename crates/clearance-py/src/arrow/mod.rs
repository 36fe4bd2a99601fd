//! Arrow through the PyCapsule interface, both ways, without pyarrow: answers as records, and columns of numbers as poses or configurations.
//!
//! The C data interface is pointers by agreement; this is the one module with unsafe code.
#![allow(unsafe_code)]

mod abi;
mod export;
mod import;

pub use import::{NumberColumn, columns, is_arrow};

use std::ffi::CString;

use numpy::{PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::argument;
use export::{Column, Columns};

/// Columns of numbers that hand themselves out as Arrow data; `clearance.arrow.Records` makes it of an array of records.
#[pyclass(frozen, subclass, name = "ArrowColumns", module = "clearance")]
#[derive(Debug)]
pub struct ArrowColumns(Columns);

/// The words of an array's values, the last filled up with zeros.
fn words(bytes: &[u8]) -> Vec<u64> {
    let (whole, rest) = bytes.as_chunks::<8>();
    let mut words: Vec<u64> = whole.iter().map(|word| u64::from_ne_bytes(*word)).collect();
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        words.push(u64::from_ne_bytes(last));
    }
    words
}

/// Arrow's format of a type of numbers, by NumPy's name for it; booleans are packed into bits before.
fn format_of(name: &str) -> Option<&'static str> {
    let formats = [
        ("float64", "g"),
        ("float32", "f"),
        ("int64", "l"),
        ("uint64", "L"),
        ("int32", "i"),
        ("uint32", "I"),
        ("uint16", "S"),
        ("uint8", "C"),
    ];
    formats.into_iter().find(|(known, _)| *known == name).map(|(_, format)| format)
}

#[pymethods]
impl ArrowColumns {
    /// Columns by name, each a one-dimensional array of numbers or booleans.
    #[new]
    fn new(columns: Vec<(String, Bound<'_, PyAny>)>) -> PyResult<Self> {
        let (mut taken, mut rows) = (Vec::with_capacity(columns.len()), None);
        for (name, array) in columns {
            let py = array.py();
            let array = crate::input::numpy(py, "ascontiguousarray")?.call1((array,))?;
            let untyped = array.cast::<PyUntypedArray>().map_err(PyErr::from)?;
            let (kind, count) = (untyped.dtype().to_string(), untyped.len());
            if untyped.ndim() != 1 || rows.is_some_and(|rows| rows != count) {
                return Err(argument(&name, "columns must have one dimension and be of one length"));
            }
            rows = Some(count);
            let (format, values) = if kind == "bool" {
                let options = pyo3::types::PyDict::new(py);
                options.set_item("bitorder", "little")?;
                ("b", crate::input::numpy(py, "packbits")?.call((array,), Some(&options))?)
            } else {
                let format =
                    format_of(&kind).ok_or_else(|| argument(&name, format_args!("{kind} is no type of numbers")))?;
                (format, array.call_method1("view", ("uint8",))?)
            };
            let bytes =
                values.cast::<PyArray1<u8>>().map_err(PyErr::from)?.to_vec().map_err(|error| argument(&name, error))?;
            let text = |text: &str| CString::new(text).map_err(|error| argument(text, error));
            taken.push(Column { name: text(&name)?, format: text(format)?, words: words(&bytes) });
        }
        Ok(Self(Columns { columns: taken, rows: rows.unwrap_or(0) }))
    }

    /// The schema and the records, as capsules.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema; // a wish, which may be ignored
        let schema = PyCapsule::new_with_value(py, self.0.schema(), c"arrow_schema")?;
        Ok((schema, PyCapsule::new_with_value(py, self.0.array(), c"arrow_array")?))
    }

    /// The type of the records, as a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, self.0.schema(), c"arrow_schema")
    }

    /// A stream of the records, as a capsule.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // a wish, which may be ignored
        PyCapsule::new_with_value(py, self.0.stream(), c"arrow_array_stream")
    }
}

/// The columns of numbers of an object that hands out Arrow data, by name: arrays of one dimension, or of two for lists of fixed size. What is
/// missing is NaN; columns of other types are left out.
#[pyfunction]
pub fn arrow_columns<'py>(table: &Bound<'py, PyAny>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
    let py = table.py();
    if !is_arrow(table)? {
        return Err(argument("table", "it has neither __arrow_c_stream__ nor __arrow_c_array__"));
    }
    let found = pyo3::types::PyDict::new(py);
    for column in columns("table", table)? {
        let (rows, width) = (column.numbers.len() / column.width.max(1), column.width);
        let array = PyArray1::from_vec(py, column.numbers);
        let array = if width == 1 { array.into_any() } else { array.reshape([rows, width])?.into_any() };
        found.set_item(column.name, array)?;
    }
    Ok(found)
}

/// One column of several numbers, or several columns side by side: the numbers row by row, if all of them are there.
pub fn side_by_side(found: &[NumberColumn], whole: &str, parts: &[&str]) -> Option<Vec<f64>> {
    if let Some(column) = found.iter().find(|column| column.name == whole && column.width == parts.len()) {
        return Some(column.numbers.clone());
    }
    let columns: Option<Vec<&NumberColumn>> =
        parts.iter().map(|name| found.iter().find(|column| column.name == *name && column.width == 1)).collect();
    let columns = columns?;
    let rows = columns.first().map_or(0, |column| column.numbers.len());
    Some((0..rows).flat_map(|row| columns.iter().map(move |column| column.numbers[row])).collect())
}
