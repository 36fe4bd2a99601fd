//! The faces that a search has seen (section 3.3.5), without allocation.

/// Places for keys; a search that sees more forgets the newest, and may then look at a face twice.
const PLACES: usize = 1024;

/// A set of pairs of indices.
pub(super) struct Visited {
    places: [(u32, u32); PLACES],
    count: usize,
}

const NONE: (u32, u32) = (u32::MAX, u32::MAX);

impl Visited {
    pub fn new() -> Self {
        Self { places: [NONE; PLACES], count: 0 }
    }

    /// Adds a key; whether it is new.
    pub fn insert(&mut self, key: (u32, u32)) -> bool {
        let hash = key.0.wrapping_mul(0x9E37_79B1) ^ key.1.wrapping_mul(0x85EB_CA77);
        let first = (hash >> 16) as usize % PLACES;
        for i in 0..PLACES {
            let place = &mut self.places[(first + i) % PLACES];
            if *place == key {
                return false;
            }
            if *place == NONE {
                if self.count < PLACES / 2 {
                    *place = key;
                    self.count += 1;
                }
                return true;
            }
        }
        true
    }
}
