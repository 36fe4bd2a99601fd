//! What a pair of bodies remembers between queries.

use crate::ccd::polyhedra::CastScratch;
use crate::concave::BodyCache;
use crate::narrow::PairCache;
use crate::narrow::contact_range::RangeCache;

/// What a pair of bodies remembers from one query to the next, for every verb and every kind of body. A cache changes the speed of an
/// answer, never the answer beyond its bounds. Cold by default; 72 bytes until a concave body, a cast or a range needs more.
#[derive(Debug, Clone, Default)]
pub struct Cache {
    pub(crate) convex: PairCache,
    more: Option<Box<More>>,
}

/// What two convex shapes at rest do not need.
#[derive(Debug, Clone, Default)]
pub(crate) struct More {
    pub body: BodyCache,
    pub range: RangeCache,
    pub scratch: CastScratch,
}

impl Cache {
    /// Forgets everything but the memory held.
    pub fn clear(&mut self) {
        self.convex = PairCache::default();
        if let Some(more) = &mut self.more {
            (more.body, more.range) = (BodyCache::default(), RangeCache::default());
        }
    }

    pub(crate) fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    pub(crate) fn body(&mut self) -> &mut BodyCache {
        &mut self.more().body
    }
}
