//! How much faster a batch is than one pair after the other, in one run.
//!
//! `RAYON_NUM_THREADS=1 cargo run --release -p clearance --example batch_speed`, with ` -- overlap` for overlaps alone.

use std::hint::black_box;
use std::time::Instant;

use clearance::{Cache, Polytope, Pose, Shape, Vec3, batch, closest, distance, overlap};

/// Poses of one round.
const COUNT: usize = 4096;
/// Rounds; the fastest counts.
const ROUNDS: usize = 15;

/// A generator of numbers that is good enough for places.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next() as _, self.next() as _, self.next() as _)
    }

    fn unit(&mut self) -> Vec3 {
        loop {
            let v = self.vector();
            if v.length_squared() <= 1.0 && v.length_squared() > 0.01 {
                return v.normalize();
            }
        }
    }
}

fn fastest(mut work: impl FnMut() -> usize) -> (f64, usize) {
    let mut best = (f64::INFINITY, 0);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let hits = black_box(work());
        best = (best.0.min(start.elapsed().as_secs_f64() * 1e9 / COUNT as f64), hits);
    }
    best
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let overlap_alone = std::env::args().nth(1).is_some_and(|verb| verb == "overlap");
    let mut numbers = Numbers(1);
    let mut hull = |count: usize| {
        let points: Vec<Vec3> = (0..count).map(|_| numbers.unit()).collect();
        Polytope::from_points(&points).map(Shape::from)
    };
    let pairs = [
        ("box", Shape::cuboid([0.8, 1.0, 0.6])?, Shape::cuboid([1.0, 0.7, 0.9])?),
        ("ellipsoid", Shape::ellipsoid([0.8, 1.0, 0.6])?, Shape::ellipsoid([1.0, 0.7, 0.9])?),
        ("box, ellipsoid", Shape::cuboid([0.8, 1.0, 0.6])?, Shape::ellipsoid([1.0, 0.7, 0.9])?),
        ("cone", Shape::cone(1.5, 0.8)?, Shape::cone(1.2, 1.0)?),
        ("rounded box", Shape::cuboid([0.8, 1.0, 0.6])?.rounded(0.2)?, Shape::cuboid([1.0, 0.7, 0.9])?.rounded(0.1)?),
        ("cylinder", Shape::cylinder(0.9, 0.7)?, Shape::cylinder(0.8, 1.0)?),
        ("hull of 20", hull(20)?, hull(20)?),
        ("hull of 50", hull(50)?, hull(50)?),
        ("hull of 200", hull(200)?, hull(200)?),
    ];
    println!(
        "{:16} {:>6} {:>10} {:>10} {:>7}   ns per pair, one by one and in a batch",
        "", "hits", "alone", "batch", "ratio"
    );
    for (name, a, b) in pairs.iter().filter(|pair| std::env::args().nth(2).is_none_or(|name| pair.0 == name)) {
        let reach = a.bounding_radius() + b.bounding_radius();
        let poses: Vec<Pose> = (0..COUNT)
            .map(|_| {
                let angle = numbers.next() as clearance::Real * 3.0;
                let turned = Pose::from_axis_angle(numbers.unit(), angle)?;
                turned.with_translation(numbers.vector() * reach * 0.8)
            })
            .collect::<Result<_, _>>()?;
        let at = Pose::from_axis_angle(numbers.unit(), 1.0)?;
        let one = |pose: &Pose| overlap(a, &at, b, pose, &mut Cache::default());
        let (alone, hits) =
            fastest(|| poses.iter().map(one).collect::<Vec<_>>().iter().filter(|one| one.overlap).count());
        let (many, same) = fastest(|| batch::overlap_at(a, &at, b, &poses).iter().filter(|one| one.overlap).count());
        assert_eq!(hits, same, "{name}");
        println!(
            "{name:16} {:5.1}% {alone:10.1} {many:10.1} {:7.2}   overlap",
            hits as f64 * 100.0 / COUNT as f64,
            alone / many
        );
        if overlap_alone {
            continue;
        }
        let one = |pose: &Pose| distance(a, &at, b, pose, &mut Cache::default());
        let (alone, apart) =
            fastest(|| poses.iter().map(one).collect::<Vec<_>>().iter().filter(|near| near.is_some()).count());
        let (many, same) =
            fastest(|| batch::distance_at(a, &at, b, &poses).iter().filter(|near| near.is_some()).count());
        assert_eq!(apart, same, "{name}");
        println!("{:16} {:>6} {alone:10.1} {many:10.1} {:7.2}   distance", "", "", alone / many);
        let one = |pose: &Pose| closest(a, &at, b, pose, &mut Cache::default());
        let (alone, hits) =
            fastest(|| poses.iter().map(one).collect::<Vec<_>>().iter().filter(|near| near.distance <= 0.0).count());
        let (many, same) =
            fastest(|| batch::closest_at(a, &at, b, &poses).iter().filter(|near| near.distance <= 0.0).count());
        assert_eq!(hits, same, "{name}");
        println!("{:16} {:>6} {alone:10.1} {many:10.1} {:7.2}   closest", "", "", alone / many);
    }
    Ok(())
}
