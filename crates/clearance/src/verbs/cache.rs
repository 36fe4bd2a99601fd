//! What a pair of bodies remembers between queries.

use crate::ccd::polyhedra::CastScratch;
use crate::concave::{BodyCache, BodyNames};
use crate::narrow::PairCache;
use crate::narrow::contact_range::RangeCache;

/// What a pair of bodies remembers from one query to the next, for every verb and every kind of body. A cache changes the speed of an
/// answer, never the answer beyond its bounds. Cold by default; 104 bytes (in single precision 88) until a concave body, a cast or a
/// range needs more.
///
/// One thing depends on it: which of equally good contact points [`manifold`](crate::manifold()) gives and by which of several true names,
/// so that a solver finds the same ones frame after frame.
#[derive(Debug, Clone, Default)]
pub struct Cache {
    pub(crate) convex: PairCache,
    more: Rest,
}

/// What is asked for on first use. Two convex shapes never do; their caches are dropped by one comparison, in place.
#[derive(Debug, Clone, Default)]
struct Rest(Option<Box<More>>);

impl Drop for Rest {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(more) = self.0.take() {
            release(more);
        }
    }
}

#[cold]
#[inline(never)]
fn release(more: Box<More>) {
    drop(more);
}

/// What two convex shapes at rest do not need.
#[derive(Debug, Clone, Default)]
pub(crate) struct More {
    pub body: BodyCache,
    pub names: BodyNames,
    pub range: RangeCache,
    pub scratch: CastScratch,
}

impl Cache {
    /// Forgets everything but the memory held.
    pub fn clear(&mut self) {
        self.convex = PairCache::default();
        if let Some(more) = &mut self.more.0 {
            (more.body, more.range) = (BodyCache::default(), RangeCache::default());
            more.names.clear();
        }
    }

    /// Takes the memory that concave bodies need, so that the first query does not.
    pub(crate) fn reserve(&mut self) {
        _ = self.more();
    }

    pub(crate) fn more(&mut self) -> &mut More {
        self.more.0.get_or_insert_default()
    }

    pub(crate) fn body(&mut self) -> &mut BodyCache {
        &mut self.more().body
    }
}
