//! What a pair of bodies remembers between queries.

use crate::ccd::polyhedra::CastScratch;
use crate::concave::BodyCache;
use crate::narrow::contact_range::RangeCache;

/// What a pair of bodies remembers from one query to the next, for every verb and every kind of body. A cache changes the speed of an
/// answer, never the answer beyond its bounds. Cold by default; small until a verb needs more.
#[derive(Debug, Clone, Default)]
pub struct Cache {
    pub(crate) pair: BodyCache,
    more: Option<Box<More>>,
}

/// What only some verbs need.
#[derive(Debug, Clone, Default)]
pub(crate) struct More {
    pub range: RangeCache,
    pub scratch: CastScratch,
}

impl Cache {
    /// Forgets everything but the memory held.
    pub fn clear(&mut self) {
        self.pair = BodyCache::default();
        if let Some(more) = &mut self.more {
            more.range = RangeCache::default();
        }
    }

    pub(crate) fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }
}
