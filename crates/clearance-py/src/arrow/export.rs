//! Columns as an Arrow array of records, or a stream of one: the data are owned by the structures.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;

use super::abi::{ArrowArray, ArrowArrayStream, ArrowSchema};

/// The data of a column in Arrow's layout: in words, which are aligned as Arrow wants it.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its name.
    pub name: CString,
    /// Arrow's name for the type of its values.
    pub format: CString,
    /// Its values.
    pub words: Vec<u64>,
}

/// Columns of one length.
#[derive(Debug, Clone)]
pub struct Columns {
    /// The columns.
    pub columns: Vec<Column>,
    /// How many rows there are.
    pub rows: usize,
}

/// What a schema points into.
struct SchemaOwner {
    _strings: [CString; 2],
    _children: Vec<ArrowSchema>,
    pointers: Vec<*mut ArrowSchema>,
}

/// What an array points into.
struct ArrayOwner {
    _words: Vec<u64>,
    buffers: Vec<*const c_void>,
    _children: Vec<ArrowArray>,
    pointers: Vec<*mut ArrowArray>,
}

/// What a stream has yet to give.
struct StreamOwner {
    columns: Columns,
    given: bool,
}

// The pointers to children stay good when their vector is moved into its owner: what it holds is on the heap.
fn schema(format: CString, name: CString, mut children: Vec<ArrowSchema>) -> ArrowSchema {
    let pointers = children.iter_mut().map(ptr::from_mut).collect();
    let (format_at, name_at) = (format.as_ptr(), name.as_ptr());
    let mut owner = Box::new(SchemaOwner { _strings: [format, name], _children: children, pointers });
    let n_children = owner.pointers.len() as i64;
    let children = owner.pointers.as_mut_ptr();
    let private_data = Box::into_raw(owner).cast::<c_void>();
    ArrowSchema {
        format: format_at,
        name: name_at,
        n_children,
        children,
        release: Some(release_schema),
        private_data,
        ..ArrowSchema::EMPTY
    }
}

fn array(rows: usize, words: Vec<u64>, is_record: bool, mut children: Vec<ArrowArray>) -> ArrowArray {
    let pointers = children.iter_mut().map(ptr::from_mut).collect();
    let data = words.as_ptr().cast::<c_void>();
    // The first buffer says which values are missing: none are.
    let buffers = if is_record { vec![ptr::null()] } else { vec![ptr::null(), data] };
    let mut owner = Box::new(ArrayOwner { _words: words, buffers, _children: children, pointers });
    let (n_buffers, n_children) = (owner.buffers.len() as i64, owner.pointers.len() as i64);
    let (buffers, children) = (owner.buffers.as_mut_ptr(), owner.pointers.as_mut_ptr());
    let private_data = Box::into_raw(owner).cast::<c_void>();
    ArrowArray {
        length: rows as i64,
        n_buffers,
        n_children,
        buffers,
        children,
        release: Some(release_array),
        private_data,
        ..ArrowArray::EMPTY
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: called once, with a structure made by `schema`, whose owner it has.
    unsafe {
        (*schema).release = None;
        drop(Box::from_raw((*schema).private_data.cast::<SchemaOwner>()));
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: called once, with a structure made by `array`, whose owner it has.
    unsafe {
        (*array).release = None;
        drop(Box::from_raw((*array).private_data.cast::<ArrayOwner>()));
    }
}

impl Columns {
    /// The type of the records.
    pub fn schema(&self) -> ArrowSchema {
        let child = |column: &Column| schema(column.format.clone(), column.name.clone(), Vec::new());
        schema(c"+s".to_owned(), CString::default(), self.columns.iter().map(child).collect())
    }

    /// The records.
    pub fn array(&self) -> ArrowArray {
        let child = |column: &Column| array(self.rows, column.words.clone(), false, Vec::new());
        array(self.rows, Vec::new(), true, self.columns.iter().map(child).collect())
    }

    /// A stream of the records.
    pub fn stream(&self) -> ArrowArrayStream {
        let owner = Box::new(StreamOwner { columns: self.clone(), given: false });
        ArrowArrayStream {
            get_schema: Some(stream_schema),
            get_next: Some(stream_next),
            get_last_error: Some(stream_error),
            release: Some(release_stream),
            private_data: Box::into_raw(owner).cast::<c_void>(),
        }
    }
}

unsafe extern "C" fn stream_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: called with a stream made by `stream` that is not released, and a place to write to that holds nothing.
    unsafe {
        let owner = &*(*stream).private_data.cast::<StreamOwner>();
        ptr::write(out, owner.columns.schema());
    }
    0
}

unsafe extern "C" fn stream_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as above.
    unsafe {
        let owner = &mut *(*stream).private_data.cast::<StreamOwner>();
        ptr::write(out, if owner.given { ArrowArray::EMPTY } else { owner.columns.array() });
        owner.given = true;
    }
    0
}

unsafe extern "C" fn stream_error(_: *mut ArrowArrayStream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: called once, with a structure made by `stream`, whose owner it has.
    unsafe {
        (*stream).release = None;
        drop(Box::from_raw((*stream).private_data.cast::<StreamOwner>()));
    }
}
