//! Each paper's algorithm by its own name, for study, comparison and cross-checking.
//!
//! The verbs at the root pick the best way for a pair. A function here is one published algorithm and nothing else, with its own options;
//! no formula comes before it and none of the others helps it out. Its answers keep the same contract: what it cannot decide ends with
//! [`End::Degenerate`](crate::End::Degenerate) or [`End::IterationLimit`](crate::End::IterationLimit), between bounds that hold, and
//! a boolean that is not decided counts as touching. Closest features and linear programs still hand over what does not check. What an
//! algorithm is, where it departs from the paper and why it ends is said in its source.

pub use crate::narrow::PairCache;

/// Distance by GJK, with the nearest point of a simplex found by regions or by Johnson's determinants; depth by the expanding polytope.
pub mod gjk {
    pub use crate::narrow::gjk::SubAlgorithm;
    pub use crate::narrow::named::{closest_by, distance_by};
}

/// Depth by the expanding polytope after the boolean of SA-GJK (thesis on implicit objects, section 2.5).
pub mod epa {
    pub use crate::narrow::named::depth;
}

/// The boolean by GJK that stops at the first certainty (SA-GJK, Algorithm 4 of the thesis on implicit objects).
pub mod sa_gjk {
    pub use crate::narrow::named::overlap;
}

/// GJK of bodies swept by a ball, with a margin (Algorithm 5 of the thesis on implicit objects, with its erratum).
pub mod swept_gjk {
    pub use crate::narrow::named::swept as closest;
}

/// The improved Gilbert algorithm (Q_COLLIDE, section 5.4).
pub mod gilbert {
    pub use crate::narrow::named::gilbert as closest;
}

/// The search for a supporting vertex by climbing, without and with marks on what was visited (Q_COLLIDE, section 3.3).
pub mod hill_climbing {
    pub use crate::polytope::{Climb, Marks, SupportPolytope};
}

/// Minkowski portal refinement: a boolean, and an estimate of the depth.
pub mod mpr {
    pub use crate::narrow::mpr::{depth_alone as depth, overlap_alone as overlap};
}

/// The separating vector algorithm (Q_COLLIDE, chapters 3 and 4).
pub mod separating_vector {
    pub use crate::narrow::separating_vector::{Existence, Options, Rule, Steps, overlap_alone as overlap_by};
}

/// The combined algorithm: a boolean per frame, and nearest points when a collision begins (Q_COLLIDE, section 5.5).
pub mod combined {
    pub use crate::narrow::combined::{CombinedCache, Frame, before_alone as before, frame_alone as frame};
}

/// Concave bodies as their users took them apart: trees of convex hulls, kept as given (Q_COLLIDE, section 5.6).
pub mod hull_tree {
    pub use crate::verbs::hull_tree::{
        HullPart, HullTree, HullTreeError, HullTreeOverlap, overlap_of_trees as overlap,
    };
}

/// Closest features of two polytopes by Voronoi marching (Lin and Canny, V-Clip).
pub mod closest_features {
    pub use crate::narrow::closest_features::{
        FeatureAnswer, FeatureCache, Found, PolytopeFeature, closest_features, of_shapes,
    };
}

/// A boolean by Seidel's linear program.
pub mod linear_program {
    pub use crate::narrow::linear_program::{Program, overlap, vertex_count};
}

/// Directional contact range by the paper's search of the faces of A − B in dual space.
pub mod contact_range {
    pub use crate::narrow::contact_range::RangeCache;
    pub use crate::narrow::contact_range::dual::{DualError, DualRange, Search, contact_range};
}

/// Vertex against face and edge against edge with linear trajectories, decided exactly.
pub mod feature_ccd {
    pub use crate::ccd::feature::{FeatureError, FeatureHit, Stage, edge_edge, vertex_face};
}

/// The trajectory formulas for one pair of features, as printed in the paper on casts.
pub mod trajectory {
    pub use crate::ccd::trajectory::{
        RestingEdge, RestingPolygon, Turn, translated_edge, translated_point, turned_edge, turned_point,
    };
}
