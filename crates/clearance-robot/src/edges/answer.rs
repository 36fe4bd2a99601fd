//! What is asked about edges, and what is answered.

/// What is asked about edges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeOptions {
    /// Whether an edge that collides is searched for how far it is free from either end. If not, the first hit that is found ends the
    /// search, and the free shares are what was proved by then.
    pub fractions: bool,
    /// How close the free share of a colliding edge is to be to a certain hit, as a share of the edge.
    pub resolution: f64,
    /// The most configurations that are looked at on one edge; what is not decided by then is undecided.
    pub max_steps: u32,
    /// How many threads share the batch; the answers are the same for any number.
    pub threads: usize,
}

impl Default for EdgeOptions {
    fn default() -> Self {
        Self { fractions: true, resolution: 1.0 / 256.0, max_steps: 20_000, threads: 1 }
    }
}

/// What is known about an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeVerdict {
    /// Every configuration of the edge is free, with proof.
    Free,
    /// A configuration of the edge overlaps, certainly.
    Colliding,
    /// Neither was proved: somewhere the bodies touch or nearly so, or the steps were used up.
    Undecided,
    /// A value is NaN, infinite or out of range, or a quaternion has not unit length.
    Invalid,
}

/// The answer about one edge. Shares are from 0, the first configuration, to 1, the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeAnswer {
    /// Free, colliding, undecided or invalid.
    pub verdict: EdgeVerdict,
    /// Every configuration up to this share of the edge is free, with proof; 1 for free edges.
    pub free_from_start: f64,
    /// Every configuration within this share of the edge from its end is free, with proof; 1 for free edges.
    pub free_from_end: f64,
    /// Where a configuration overlaps with certainty, for colliding edges: the hits nearest to the start and to the end that were found.
    pub hits: Option<[f64; 2]>,
    /// The pair that overlaps at the first hit, or that is not decided, by the numbers of the two links or bodies.
    pub pair: Option<[u32; 2]>,
    /// How many configurations were looked at.
    pub steps: u32,
}

impl EdgeAnswer {
    pub(crate) const INVALID: Self = Self {
        verdict: EdgeVerdict::Invalid,
        free_from_start: 0.0,
        free_from_end: 0.0,
        hits: None,
        pair: None,
        steps: 0,
    };
}
