//! Numbers and arrays from Python: anything that NumPy makes an array of floats of, with errors that name the argument.

use clearance::Vec3;
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::errors::argument;

/// An array of doubles of any strides, kept while it is read.
pub type Doubles<'py> = PyReadonlyArrayDyn<'py, f64>;

/// A function or class of NumPy.
pub fn numpy<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || Ok::<_, PyErr>(py.import("numpy")?.unbind()))?;
    module.bind(py).getattr(name)
}

/// The class of an object, for messages.
pub fn class_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string())
}

/// The shape of an array as Python writes it.
fn written(shape: &[usize]) -> String {
    let numbers: Vec<String> = shape.iter().map(ToString::to_string).collect();
    if let [one] = numbers.as_slice() { format!("({one},)") } else { format!("({})", numbers.join(", ")) }
}

/// An array of numbers, made of what is given by NumPy if need be. Booleans, strings and objects are no numbers.
pub fn doubles<'py>(field: &str, object: &Bound<'py, PyAny>) -> PyResult<Doubles<'py>> {
    if let Ok(array) = object.cast::<PyArrayDyn<f64>>() {
        return array.try_readonly().map_err(|error| argument(field, error));
    }
    let py = object.py();
    let array = numpy(py, "asarray")?.call1((object,));
    let array = array.map_err(|error| {
        if error.is_instance_of::<pyo3::exceptions::PyException>(py) {
            argument(field, format_args!("no array can be made of it: {}", error.value(py)))
        } else {
            error
        }
    })?;
    let kind: String = array.getattr(intern!(py, "dtype"))?.getattr(intern!(py, "kind"))?.extract()?;
    let size: usize = array.getattr(intern!(py, "size"))?.extract()?;
    if !matches!(kind.as_str(), "f" | "i" | "u") && size > 0 {
        let dtype = array.getattr(intern!(py, "dtype"))?;
        return Err(argument(field, format_args!("expected numbers (float64), got dtype {dtype}")));
    }
    let options = PyDict::new(py);
    options.set_item(intern!(py, "dtype"), intern!(py, "float64"))?;
    let array = numpy(py, "asarray")?.call((array,), Some(&options))?;
    let array = array.cast_into::<PyArrayDyn<f64>>().map_err(|error| argument(field, PyErr::from(error)))?;
    array.try_readonly().map_err(|error| argument(field, error))
}

/// So many numbers.
pub fn vector<const N: usize>(field: &str, object: &Bound<'_, PyAny>) -> PyResult<[f64; N]> {
    let is_plain = object.is_exact_instance_of::<PyTuple>() || object.is_exact_instance_of::<PyList>();
    if is_plain && let Ok(numbers) = object.extract::<[f64; N]>() {
        return Ok(numbers);
    }
    let array = doubles(field, object)?;
    let view = array.as_array();
    if view.shape() != [N] {
        return Err(argument(field, format_args!("expected {N} numbers, got shape {}", written(view.shape()))));
    }
    let mut numbers = [0.0; N];
    numbers.iter_mut().zip(view.iter()).for_each(|(to, from)| *to = *from);
    Ok(numbers)
}

/// A vector of three numbers.
pub fn vec3(field: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec3> {
    vector::<3>(field, object).map(Vec3::from_array)
}

/// Rows of so many numbers.
pub fn rows<const N: usize>(field: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<[f64; N]>> {
    let array = doubles(field, object)?;
    let view = array.as_array();
    // An empty list has one dimension.
    if view.is_empty() && view.ndim() <= 2 {
        return Ok(Vec::new());
    }
    if view.ndim() != 2 || view.shape()[1] != N {
        let message = format_args!("expected an array of shape (n, {N}), got {}", written(view.shape()));
        return Err(argument(field, message));
    }
    if let Some(numbers) = view.as_slice() {
        return Ok(numbers.as_chunks::<N>().0.to_vec());
    }
    Ok(view.outer_iter().map(|row| std::array::from_fn(|i| row[[i]])).collect())
}

/// Points.
pub fn points(field: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<Vec3>> {
    Ok(rows::<3>(field, object)?.into_iter().map(Vec3::from_array).collect())
}

/// Numbers with their shape, for arrays of which several shapes are taken.
pub fn shaped(field: &str, object: &Bound<'_, PyAny>) -> PyResult<(Vec<f64>, Vec<usize>)> {
    let array = doubles(field, object)?;
    let shape = array.shape().to_vec();
    let view = array.as_array();
    let numbers = view.as_slice().map_or_else(|| view.iter().copied().collect(), <[f64]>::to_vec);
    Ok((numbers, shape))
}

/// Whole numbers that name something: of any integer type, none negative. Rows of them are of any one length.
pub fn indices(field: &str, object: &Bound<'_, PyAny>) -> PyResult<(Vec<u32>, Vec<usize>)> {
    let py = object.py();
    let array = numpy(py, "asarray")?.call1((object,));
    let array =
        array.map_err(|error| argument(field, format_args!("no array can be made of it: {}", error.value(py))))?;
    let kind: String = array.getattr(intern!(py, "dtype"))?.getattr(intern!(py, "kind"))?.extract()?;
    let size: usize = array.getattr(intern!(py, "size"))?.extract()?;
    if !matches!(kind.as_str(), "i" | "u") && size > 0 {
        let dtype = array.getattr(intern!(py, "dtype"))?;
        return Err(argument(field, format_args!("expected whole numbers, got dtype {dtype}")));
    }
    if let Ok(array) = array.cast::<PyArrayDyn<u32>>() {
        let array = array.try_readonly().map_err(|error| argument(field, error))?;
        return Ok((array.as_array().iter().copied().collect(), array.shape().to_vec()));
    }
    let options = PyDict::new(py);
    options.set_item(intern!(py, "dtype"), intern!(py, "int64"))?;
    let array = numpy(py, "asarray")?.call((array,), Some(&options))?;
    let array = array.cast_into::<PyArrayDyn<i64>>().map_err(|error| argument(field, PyErr::from(error)))?;
    let array = array.try_readonly().map_err(|error| argument(field, error))?;
    let shape = array.shape().to_vec();
    let mut numbers = Vec::with_capacity(array.len());
    for (place, &value) in array.as_array().iter().enumerate() {
        let index = u32::try_from(value);
        numbers.push(index.map_err(|_| argument(field, format_args!("number {place} is {value}, which is no index")))?);
    }
    Ok((numbers, shape))
}

/// Pairs of indices.
pub fn pairs(field: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; 2]>> {
    let (numbers, shape) = indices(field, object)?;
    match shape.as_slice() {
        [0] => Ok(Vec::new()),
        [_, 2] => Ok(numbers.as_chunks::<2>().0.to_vec()),
        _ => Err(argument(field, format_args!("expected an array of shape (n, 2), got {}", written(&shape)))),
    }
}

/// One of some names.
pub fn choice<T: Copy>(field: &str, given: &str, choices: &[(&str, T)]) -> PyResult<T> {
    let found = choices.iter().find(|(name, _)| *name == given);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("'{name}'")).collect();
        argument(field, format_args!("'{given}' is none of {}", names.join(", ")))
    })
}
