//! Two bodies of a broad phase.

/// Two bodies, the smaller number first.
pub type Pair = [u32; 2];
