//! How much of a file is read: counts are compared with these, and with the bytes that are there, before memory is taken.

/// Limits of what is read from one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file, and of what it unpacks to.
    pub bytes: u64,
    /// Vertices of all meshes.
    pub vertices: u64,
    /// Triangles of all meshes.
    pub triangles: u64,
    /// Meshes, and parts that place them.
    pub parts: u64,
}

impl Default for Limits {
    /// 4 GiB, a hundred million vertices and triangles, a million parts.
    fn default() -> Self {
        Self { bytes: 4 << 30, vertices: 100_000_000, triangles: 100_000_000, parts: 1_000_000 }
    }
}
