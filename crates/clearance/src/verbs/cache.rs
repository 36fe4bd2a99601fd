//! What a pair of bodies remembers between queries.

use crate::ccd::polyhedra::CastScratch;
use crate::concave::{BodyCache, BodyNames};
use crate::math::Vec3;
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
    /// The cache of a pair of which nothing is known but a direction from A towards B, in world space, that may separate them: where the
    /// first query starts. Of any length but zero; a direction that does not separate them costs a little time.
    ///
    /// ```
    /// use clearance::{Cache, Pose, Shape, Vec3, overlap};
    /// let cube = Shape::cuboid([1.0, 1.0, 1.0])?;
    /// let pose = Pose::from_translation([2.5, 1.0, 0.0])?;
    /// let answer = overlap(&cube, &Pose::IDENTITY, &cube, &pose, &mut Cache::along(Vec3::X));
    /// assert!(!answer.overlap && answer.iterations == 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn along(direction: Vec3) -> Self {
        Self { convex: PairCache::along(direction), more: Rest::default() }
    }

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
