//! The pairs of touching triangles that tell the most about whether two solids overlap.

use arrayvec::ArrayVec;

/// How many touching pairs of triangles are asked for points inside both bodies for the sake of the depth.
pub(super) const PROBES: usize = 16;

/// Two touching triangles to be asked for points inside both bodies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Probe {
    /// How deep they are; of those not deep, zero if they are likely to tell something.
    pub weight: f64,
    pub triangles: [u32; 2],
}

/// The weightiest, those of equal weight by their numbers: whichever way they were come upon.
#[derive(Default)]
pub(super) struct Probes(pub ArrayVec<Probe, PROBES>);

impl Probes {
    /// The weight of the last, once all places are taken.
    pub fn least(&self) -> Option<f64> {
        self.0.last().filter(|_| self.0.is_full()).map(|last| last.weight)
    }

    pub fn offer(&mut self, probe: Probe) {
        let before = |other: &Probe| (other.weight, probe.triangles) >= (probe.weight, other.triangles);
        let place = self.0.iter().position(|other| !before(other)).unwrap_or(self.0.len());
        if self.0.is_full() {
            if place == PROBES {
                return;
            }
            self.0.pop();
        }
        self.0.insert(place, probe);
    }
}
