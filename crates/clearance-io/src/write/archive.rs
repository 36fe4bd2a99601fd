//! ZIP files of one entry without compression.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A ZIP file with one entry, stored as it is; empty if it cannot be written.
pub fn stored_zip(name: &str, content: &[u8]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let written = archive.start_file(name, options).is_ok() && archive.write_all(content).is_ok();
    archive.finish().ok().filter(|_| written).map_or_else(Vec::new, Cursor::into_inner)
}
