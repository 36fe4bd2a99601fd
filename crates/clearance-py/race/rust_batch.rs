//! Times the Rust batches on the pairs that `race/batch.py` wrote, for its comparison: seconds and a sum for each.
//!
//! Input: a file of doubles. Two counts (boxes or hulls: 0 or 1, pairs), then for boxes the half extents of each body, for hulls 50 points of
//! each; then the poses (7 numbers each); pairs are body 2i with body 2i + 1 of the table.
#![allow(clippy::expect_used)] // a race says what went wrong by failing

use std::time::Instant;

use clearance::{Pose, Shape, Vec3, batch};

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let bytes = std::fs::read(path).expect("readable");
    let numbers: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|word| f64::from_ne_bytes(*word)).collect();
    let (hulls, count, each) = (numbers[0] > 0.0, numbers[1] as usize, if numbers[0] > 0.0 { 150 } else { 3 });
    let (shapes, poses) = numbers[2..].split_at(numbers[2..].len() - 7 * count);
    let shape = |row: &[f64]| {
        let points: Vec<Vec3> = row.as_chunks::<3>().0.iter().map(|p| Vec3::from_array(*p)).collect();
        if hulls { Shape::polytope(&points) } else { Shape::cuboid(points[0].to_array()) }.expect("a shape")
    };
    let bodies: Vec<clearance::Body> = shapes.chunks_exact(each).map(|row| shape(row).into()).collect();
    let pose = |&[x, y, z, a, b, c, d]: &[f64; 7]| Pose::new([x, y, z], [a, b, c, d]).expect("a pose");
    let poses: Vec<Pose> = poses.as_chunks::<7>().0.iter().map(pose).collect();
    // As many bodies as poses: shapes are used in turn.
    let bodies: Vec<clearance::Body> = (0..count).map(|i| bodies[i % bodies.len()].clone()).collect();
    let pairs: Vec<[u32; 2]> = (0..count as u32 / 2).map(|i| [2 * i, 2 * i + 1]).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for _ in 0..3 {
        let start = Instant::now();
        let answers = pool.install(|| batch::overlap(&bodies, &poses, &pairs)).expect("answers");
        let (took, sum) = (start.elapsed().as_secs_f64(), answers.iter().filter(|a| a.overlap).count());
        println!("overlap {took} {sum}");
        let start = Instant::now();
        let answers = pool.install(|| batch::closest(&bodies, &poses, &pairs)).expect("answers");
        let (took, sum) = (start.elapsed().as_secs_f64(), answers.iter().map(|a| a.distance).sum::<f64>());
        println!("closest {took} {sum}");
    }
}
