//! Files that are there whole or not at all: written beside their place, then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process;

/// Writes a file so that whoever looks sees the old one or the whole new one; what stops the program leaves no part of it under its
/// name.
///
/// # Errors
/// If it cannot be written; what was begun is removed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "is no name of a file"))?;
    let beside = path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), process::id()));
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let done = written.and_then(|()| fs::rename(&beside, path));
    if done.is_err() {
        // It may not be there; the error to tell is the first.
        let _ = fs::remove_file(&beside);
    }
    done
}
