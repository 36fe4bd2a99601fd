//! Files that are there whole or not at all: written beside their place, then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

/// Where this process writes a file before it is whole: what a handler of Ctrl-C removes.
pub fn part_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", process::id()))
}

/// Writes a file so that whoever looks sees the old one or the whole new one; what stops the program leaves no part of it under its
/// name.
///
/// # Errors
/// If it cannot be written; what was begun is removed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.file_name().is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is no name of a file"));
    }
    let beside = part_of(path);
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
