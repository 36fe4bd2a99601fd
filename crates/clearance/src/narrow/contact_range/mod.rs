//! Directional contact range (Choi, Li, Rong, Wang, Cameron): at which positions along a line does one body touch another?
//!
//! B moved by `t · direction` meets A exactly if `t · direction` is in A − B (erratum 4), so the answer is the part of a line
//! inside a convex body: an interval, or nothing. [`contact_range`](contact_range()) is the verb. Three parts make it:
//!
//! - `line`: the line test of section 3.1 on the shadows of the bodies, which also finds points of A − B around the line
//! - `portal`: each end by supports, for every convex body, certified from both sides
//! - `feature`: the features in contact at an end
//!
//! [`dual`] is the paper's own search of the faces of A − B for two polytopes, certified as erratum 1 asks.
//!
//! Positions are in units of the length of the direction: `t = 1` is B moved by just the direction. Concave bodies will have
//! several disjoint ranges, each a [`Range`] of its own, in order.

mod answer;
pub mod dual;
mod features;
mod line;
mod portal;
mod rounded;
mod verb;
mod walk;

pub use answer::{DirectionError, FacesVisited, Range, RangeEnd};
pub use verb::{RangeCache, contact_range};
pub(crate) use verb::{Side, Sweep};
