//! Every pair of bodies: the plain twin that the other ways are tested against, and the fastest for a few bodies.

use super::pairs::Pairs;
use super::{Bodies, BroadPhase, Update};

/// Compares all boxes with all others.
#[derive(Debug, Clone, Default)]
pub struct BruteForce {
    bodies: Bodies,
    pairs: Pairs,
}

impl BruteForce {
    /// Without bodies.
    pub fn new() -> Self {
        Self::default()
    }
}

impl BroadPhase for BruteForce {
    fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    fn bodies_mut(&mut self) -> &mut Bodies {
        &mut self.bodies
    }

    fn update(&mut self) -> Update<'_> {
        self.bodies.prepare();
        let (found, bodies) = (self.pairs.found(), &self.bodies);
        for (a, bounds) in bodies.iter() {
            if found.len() > bodies.most_pairs() {
                break;
            }
            let moves = !bodies.is_fixed(a);
            let before = bodies.iter().take_while(|(b, _)| *b < a).filter(|(b, _)| moves || !bodies.is_fixed(*b));
            found.extend(before.filter(|(_, other)| other.overlaps(bounds)).map(|(b, _)| [b, a]));
        }
        self.pairs.finish(&mut self.bodies);
        self.pairs.update()
    }
}
