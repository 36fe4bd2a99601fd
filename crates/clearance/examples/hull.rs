//! The exact convex hull of a cloud of points: what it takes, and what it holds.
//!
//! `cargo run --release -p clearance --example hull [points]`

use std::time::Instant;

use clearance::{Polytope, Vec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).map_or(Ok(100_000), |arg| arg.parse())?;
    // A spiral with some noise: points all over the unit sphere.
    let mut noise = 1u32;
    let mut random = || {
        noise = noise.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        f64::from(noise >> 8) / f64::from(1u32 << 24)
    };
    let points: Vec<Vec3> = (0..count)
        .map(|_| {
            let (z, angle) = (2.0 * random() - 1.0, std::f64::consts::TAU * random());
            let radius = (1.0 - z * z).sqrt();
            Vec3::new(radius * angle.cos(), radius * angle.sin(), z)
        })
        .collect();
    let start = Instant::now();
    let polytope = Polytope::from_points(&points)?;
    let time = start.elapsed();
    polytope.validate()?;
    let vertices = polytope.vertices().len();
    println!(
        "{count} points: {vertices} vertices, {} edges, {} faces in {time:.2?}",
        polytope.edge_count(),
        polytope.face_count()
    );
    println!("{} bytes per vertex", polytope.memory_bytes() / vertices);
    println!("{} bytes per vertex for support queries alone", polytope.to_support_only().memory_bytes() / vertices);
    println!(
        "{} bytes per vertex with every search structure",
        polytope.with_all_searches()?.memory_bytes() / vertices
    );
    Ok(())
}
