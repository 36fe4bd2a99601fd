//! The names of bodies.

/// How many groups of bodies there are.
pub(super) const GROUPS: usize = 64;

/// Names a body of a world. The id of a removed body never becomes valid again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    pub(super) slot: u32,
    pub(super) generation: u32,
}

impl BodyId {
    /// Where the body is in tables indexed by body: small, and used again after a removal.
    #[inline]
    pub fn index(self) -> usize {
        self.slot as usize
    }
}
