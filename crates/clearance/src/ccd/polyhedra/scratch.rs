//! Memory that casts reuse.

use super::answer::FeatureContact;
use super::candidates::Candidates;
use super::flats::Flats;
use super::posed::Posed;
use super::rotation::Rings;
use super::sides::SideCache;
use super::translation::Shadows;

/// Memory that casts reuse. It holds nothing that outlives a query but room: one for each thread, any bodies.
#[derive(Debug, Clone, Default)]
pub struct CastScratch {
    pub(super) posed: Posed,
    pub(super) found: Candidates,
    /// Signs of the world's edges and the body's points, and of the body's edges and the world's points.
    pub(super) sides: [SideCache; 2],
    pub(super) shadows: Shadows,
    pub(super) rings: Rings,
    /// The surfaces of simple shapes with flat faces that were cast lately.
    pub(in crate::ccd) flats: Flats,
    /// Contacts of two surfaces.
    pub(in crate::ccd) contacts: Vec<FeatureContact>,
}
