//! Arrays of answers: rows of 64-bit words that NumPy sees as records. No copy is made of them.

use clearance::{Closest, Feature, Overlap, Vec3, Within, Witness};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList};

use crate::answer::{contact_code, element_code, end_code};
use crate::input::numpy;

/// A field of a record: its name, NumPy's format, and the byte where it starts.
pub type Field = (&'static str, &'static str, usize);

/// An answer that is a row of an array.
pub trait Row<const WORDS: usize>: Send + Sync {
    /// The fields.
    const FIELDS: &'static [Field];
    /// The words of an answer.
    fn row(&self) -> [u64; WORDS];
    /// The words of a row whose input is wrong in this way.
    fn refused(error: u8) -> [u64; WORDS];
    /// Where the type of the records is kept.
    fn cell() -> &'static PyOnceLock<Py<PyAny>>;
}

/// The type of records of these fields.
pub fn record_type<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyAny>>,
    fields: &[Field],
    bytes: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let make = || {
        let description = PyDict::new(py);
        description.set_item("names", PyList::new(py, fields.iter().map(|field| field.0))?)?;
        description.set_item("formats", PyList::new(py, fields.iter().map(|field| field.1))?)?;
        description.set_item("offsets", PyList::new(py, fields.iter().map(|field| field.2))?)?;
        description.set_item("itemsize", bytes)?;
        Ok::<_, PyErr>(numpy(py, "dtype")?.call1((description,))?.unbind())
    };
    Ok(cell.get_or_try_init(py, make)?.bind(py).clone())
}

/// Words as an array of records, which takes them over.
pub fn records<'py>(py: Python<'py>, words: Vec<u64>, dtype: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if words.is_empty() {
        return numpy(py, "empty")?.call1((0, dtype));
    }
    PyArray1::from_vec(py, words).as_any().call_method1("view", (dtype,))
}

/// The array of rows.
pub fn array<'py, T: Row<W>, const W: usize>(py: Python<'py>, words: Vec<u64>) -> PyResult<Bound<'py, PyAny>> {
    records(py, words, &record_type(py, T::cell(), T::FIELDS, 8 * W)?)
}

/// Four bytes and a count in one word, in the order of memory.
pub fn packed(bytes: [u8; 4], count: u32) -> u64 {
    let [a, b, c, d] = bytes;
    let [e, f, g, h] = count.to_ne_bytes();
    u64::from_ne_bytes([a, b, c, d, e, f, g, h])
}

/// Two numbers of 32 bits in one word, in the order of memory.
pub fn both([a, b]: [u32; 2]) -> u64 {
    let ([a, b, c, d], [e, f, g, h]) = (a.to_ne_bytes(), b.to_ne_bytes());
    u64::from_ne_bytes([a, b, c, d, e, f, g, h])
}

const NAN: u64 = f64::NAN.to_bits();

fn words(vector: Vec3) -> [u64; 3] {
    vector.to_array().map(f64::to_bits)
}

impl Row<17> for Closest {
    const FIELDS: &'static [Field] = &[
        ("distance", "f8", 0),
        ("lower", "f8", 8),
        ("upper", "f8", 16),
        ("points", "(2,3)f8", 24),
        ("normal", "(3,)f8", 72),
        ("parts", "(2,)u4", 96),
        ("indices", "(2,2)u4", 104),
        ("elements", "(2,)u1", 120),
        ("contact", "u1", 128),
        ("end", "u1", 129),
        ("error", "u1", 130),
        ("iterations", "u4", 132),
    ];

    fn row(&self) -> [u64; 17] {
        let ([p, q], n) = (self.points.map(words), words(self.normal));
        let [a, b]: [Feature; 2] = self.features;
        let ((kind_a, index_a), (kind_b, index_b)) = (element_code(a.element), element_code(b.element));
        let numbers = [self.distance, self.lower, self.upper].map(f64::to_bits);
        let kinds = packed([kind_a, kind_b, 0, 0], 0);
        let flags = packed([contact_code(self.contact), end_code(self.end), 0, 0], self.iterations);
        let [d, l, u] = numbers;
        [
            d,
            l,
            u,
            p[0],
            p[1],
            p[2],
            q[0],
            q[1],
            q[2],
            n[0],
            n[1],
            n[2],
            both([a.part, b.part]),
            both(index_a),
            both(index_b),
            kinds,
            flags,
        ]
    }

    fn refused(error: u8) -> [u64; 17] {
        let mut row = [NAN; 17];
        row[12] = both([u32::MAX; 2]);
        (row[13], row[14]) = (row[12], row[12]);
        (row[15], row[16]) = (packed([4, 4, 0, 0], 0), packed([0, 2, error, 0], 0));
        row
    }

    fn cell() -> &'static PyOnceLock<Py<PyAny>> {
        static CELL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        &CELL
    }
}

/// Bodies that overlap have no distance: the numbers are NaN, and the contact says why.
impl Row<17> for Option<Closest> {
    const FIELDS: &'static [Field] = Closest::FIELDS;

    fn row(&self) -> [u64; 17] {
        self.as_ref().map_or_else(
            || {
                let mut row = Closest::refused(0);
                row[16] = packed([2, 0, 0, 0], 0);
                row
            },
            Closest::row,
        )
    }

    fn refused(error: u8) -> [u64; 17] {
        Closest::refused(error)
    }

    fn cell() -> &'static PyOnceLock<Py<PyAny>> {
        Closest::cell()
    }
}

/// The kind of a witness, and of a plane or gap the normal and the offsets.
fn witness(of: &Witness) -> (u8, [u64; 3], [u64; 2]) {
    match *of {
        Witness::Plane { normal, offset_a, offset_b } => (0, words(normal), [offset_a, offset_b].map(f64::to_bits)),
        Witness::Point(point) => (1, words(point), [NAN; 2]),
        Witness::Gap(gap) => (2, [NAN; 3], [0.0, gap].map(f64::to_bits)),
        Witness::Points(_) => (3, [NAN; 3], [NAN; 2]),
    }
}

impl Row<6> for Overlap {
    const FIELDS: &'static [Field] = &[
        ("overlap", "?", 0),
        ("witness", "u1", 1),
        ("end", "u1", 2),
        ("error", "u1", 3),
        ("iterations", "u4", 4),
        ("vector", "(3,)f8", 8),
        ("offsets", "(2,)f8", 32),
    ];

    fn row(&self) -> [u64; 6] {
        let (kind, [x, y, z], [a, b]) = witness(&self.witness);
        [packed([u8::from(self.overlap), kind, end_code(self.end), 0], self.iterations), x, y, z, a, b]
    }

    fn refused(error: u8) -> [u64; 6] {
        let mut row = [NAN; 6];
        row[0] = packed([0, 0, 2, error], 0);
        row
    }

    fn cell() -> &'static PyOnceLock<Py<PyAny>> {
        static CELL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        &CELL
    }
}

impl Row<14> for Within {
    const FIELDS: &'static [Field] = &[
        ("within", "?", 0),
        ("witness", "u1", 1),
        ("end", "u1", 2),
        ("error", "u1", 3),
        ("iterations", "u4", 4),
        ("lower", "f8", 8),
        ("upper", "f8", 16),
        ("vector", "(3,)f8", 24),
        ("offsets", "(2,)f8", 48),
        ("points", "(2,3)f8", 64),
    ];

    fn row(&self) -> [u64; 14] {
        let (kind, [x, y, z], [a, b]) = witness(&self.witness);
        let (p, q) =
            if let Witness::Points([p, q]) = self.witness { (words(p), words(q)) } else { ([NAN; 3], [NAN; 3]) };
        let flags = packed([u8::from(self.within), kind, end_code(self.end), 0], self.iterations);
        let (lower, upper) = (self.lower.to_bits(), self.upper.to_bits());
        [flags, lower, upper, x, y, z, a, b, p[0], p[1], p[2], q[0], q[1], q[2]]
    }

    fn refused(error: u8) -> [u64; 14] {
        let mut row = [NAN; 14];
        row[0] = packed([0, 0, 2, error], 0);
        row
    }

    fn cell() -> &'static PyOnceLock<Py<PyAny>> {
        static CELL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        &CELL
    }
}

/// Two bodies of a world within the distance asked for, with the fields of their distance.
pub struct NearRow(pub clearance::world::NearPair);

impl Row<18> for NearRow {
    const FIELDS: &'static [Field] = &[
        ("distance", "f8", 0),
        ("lower", "f8", 8),
        ("upper", "f8", 16),
        ("points", "(2,3)f8", 24),
        ("normal", "(3,)f8", 72),
        ("parts", "(2,)u4", 96),
        ("indices", "(2,2)u4", 104),
        ("elements", "(2,)u1", 120),
        ("contact", "u1", 128),
        ("end", "u1", 129),
        ("error", "u1", 130),
        ("iterations", "u4", 132),
        ("bodies", "(2,)u4", 136),
    ];

    fn row(&self) -> [u64; 18] {
        let mut row = [0; 18];
        row[..17].copy_from_slice(&self.0.closest.row());
        row[17] = both(self.0.bodies.map(|body| body.index() as u32));
        row
    }

    fn refused(error: u8) -> [u64; 18] {
        let mut row = [u64::MAX; 18];
        row[..17].copy_from_slice(&Closest::refused(error));
        row
    }

    fn cell() -> &'static PyOnceLock<Py<PyAny>> {
        static CELL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        &CELL
    }
}
