//! Unions of cells of a grid as bodies.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::math::narrow;
use clearance::shape::mesh::Kind;
use clearance::{Body, Compound, Contact, Mesh, MeshOptions, Pose, Real, Shape};
pub use clearance_testkit::Cells as Voxels;
use clearance_testkit::{HitRate, Separation};

/// What a union of cells is to the library.
pub trait Built {
    /// The surface; nothing where two cells share an edge only.
    fn mesh(&self, kind: Kind) -> Option<Mesh>;
    fn compound(&self) -> Compound;
    /// Contact, and four times the squared distance.
    fn judged(&self, other: &Self) -> (Contact, i64);
}

impl Built for Voxels {
    fn mesh(&self, kind: Kind) -> Option<Mesh> {
        let (points, faces) = self.surface();
        let points: Vec<_> = points.into_iter().map(narrow).collect();
        Mesh::with_options(&points, &faces, &MeshOptions { kind, ..MeshOptions::default() }).ok()
    }

    fn compound(&self) -> Compound {
        let half = Shape::cuboid([0.5; 3]).unwrap();
        let place = |cell| Pose::from_translation(self.low(cell).map(|x| (x + 1) as Real / 2.0)).unwrap();
        Compound::new(self.cells.iter().map(|cell| (Body::from(half.clone()), place(cell)))).unwrap()
    }

    fn judged(&self, other: &Self) -> (Contact, i64) {
        let (kind, square) = self.separation(other);
        (contact(kind), square)
    }
}

/// The oracle's word for it in the library's.
pub fn contact(kind: Separation) -> Contact {
    match kind {
        Separation::Apart => Contact::Apart,
        Separation::Touching => Contact::Touching,
        Separation::Overlapping => Contact::Overlapping,
    }
}

/// How often each of the three outcomes was met.
pub struct Rates(pub [HitRate; 3]);

impl Rates {
    pub fn new() -> Self {
        Self([HitRate::new("apart"), HitRate::new("touching"), HitRate::new("overlapping")])
    }

    pub fn record(&mut self, contact: Contact) {
        let all = [Contact::Apart, Contact::Touching, Contact::Overlapping];
        self.0.iter_mut().zip(all).for_each(|(rate, one)| _ = rate.record(one == contact));
    }

    #[track_caller]
    pub fn assert_at_least(&self, least: f64) {
        self.0.iter().for_each(|rate| rate.assert_between(least, 1.0));
    }
}
