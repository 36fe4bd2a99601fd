//! Reports of what was found: JSON, CSV, BCF, GLB and one HTML page, all from the same [`Report`].
//!
//! The HTML page is a template with the report in it as JSON. Nothing of a file's text is markup in any of them.

mod bcf;
mod csv;
mod data;
mod glb;
mod html;
mod packed;

pub use bcf::bcf;
pub use csv::csv;
pub use data::{ClearanceData, FindingData, MeshData, MotionData, Overlap, PartData, Report, Span, Summary, report};
pub use glb::scene_glb;
pub use html::html;
