//! Unions of cells of a grid, with everything about them decided by counting.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use std::collections::HashMap;

use clearance::shape::mesh::Kind;
use clearance::{Body, Compound, Contact, Mesh, MeshOptions, Pose, Real, Shape, Vec3};
use clearance_testkit::{HitRate, Rng};

/// A union of cells of a grid, in half units: each cell is two wide.
#[derive(Debug, Clone)]
pub struct Voxels {
    pub cells: Vec<[i64; 3]>,
    pub offset: [i64; 3],
}

impl Voxels {
    /// Cells added to each other's sides, or anywhere in a small grid.
    pub fn random(rng: &mut Rng, reach: i64) -> Self {
        let mut cells = vec![[0; 3]];
        for _ in 0..rng.integer(0, 6) {
            let mut next = rng.pick(&cells);
            next[rng.index(3)] += rng.sign() as i64;
            if rng.chance(0.1) {
                next = [0; 3].map(|_| rng.integer(-2, 2));
            }
            if !cells.contains(&next) {
                cells.push(next);
            }
        }
        Self { cells, offset: [0; 3].map(|_| rng.integer(-reach, reach)) }
    }

    pub fn low(&self, cell: &[i64; 3]) -> [i64; 3] {
        [0, 1, 2].map(|k: usize| 2 * cell[k] + self.offset[k])
    }

    pub fn has(&self, cell: [i64; 3]) -> bool {
        self.cells.contains(&cell)
    }

    /// The surface; nothing where two cells share an edge only.
    pub fn mesh(&self, kind: Kind) -> Option<Mesh> {
        let (mut numbers, mut points, mut faces) = (HashMap::new(), Vec::new(), Vec::new());
        for cell in &self.cells {
            for (axis, up) in [(0, false), (0, true), (1, false), (1, true), (2, false), (2, true)] {
                let mut next = *cell;
                next[axis] += if up { 1 } else { -1 };
                if self.has(next) {
                    continue;
                }
                let mut square = [[0, 0], [1, 0], [1, 1], [0, 1]];
                if !up {
                    square.reverse();
                }
                let face = square.map(|[u, v]| {
                    let mut corner = self.low(cell);
                    corner[axis] += if up { 2 } else { 0 };
                    corner[(axis + 1) % 3] += 2 * u;
                    corner[(axis + 2) % 3] += 2 * v;
                    *numbers.entry(corner).or_insert_with(|| {
                        points.push(Vec3::from_array(corner.map(|x| x as Real / 2.0)));
                        points.len() as u32 - 1
                    })
                });
                faces.push(face);
            }
        }
        Mesh::with_options(&points, &faces, &MeshOptions { kind, ..MeshOptions::default() }).ok()
    }

    pub fn compound(&self) -> Compound {
        let half = Shape::cuboid([0.5; 3]).unwrap();
        let place = |cell| Pose::from_translation(self.low(cell).map(|x| (x + 1) as Real / 2.0)).unwrap();
        Compound::new(self.cells.iter().map(|cell| (Body::from(half.clone()), place(cell)))).unwrap()
    }

    /// By the gaps of all pairs of cells: contact, and four times the squared distance.
    pub fn judged(&self, other: &Self) -> (Contact, i64) {
        let (mut contact, mut least) = (Contact::Apart, i64::MAX);
        for a in &self.cells {
            for b in &other.cells {
                let (p, q) = (self.low(a), other.low(b));
                let gaps = [0, 1, 2].map(|k: usize| (p[k] - q[k]).abs() - 2);
                if gaps.iter().all(|&gap| gap < 0) {
                    return (Contact::Overlapping, 0);
                }
                if gaps.iter().all(|&gap| gap <= 0) {
                    contact = Contact::Touching;
                }
                least = least.min(gaps.iter().map(|&gap| gap.max(0).pow(2)).sum());
            }
        }
        (contact, least)
    }

    /// Whether a point, in quarter units, is in the solid, and whether it is inside.
    pub fn holds(&self, p: [i64; 3]) -> [bool; 2] {
        // The cells around the point: two along an axis where it is between cells.
        let ranges = [0, 1, 2].map(|k: usize| {
            let x = p[k] - 2 * self.offset[k];
            if x.rem_euclid(4) == 0 { [x / 4 - 1, x / 4] } else { [x.div_euclid(4); 2] }
        });
        let around = (0..8).map(|i: usize| [0, 1, 2].map(|k: usize| ranges[k][i >> k & 1]));
        let found: Vec<bool> = around.map(|cell| self.has(cell)).collect();
        [found.contains(&true), !found.contains(&false)]
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
