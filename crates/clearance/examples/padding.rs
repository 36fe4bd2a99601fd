//! Bodies that count as larger by a safety margin, whatever they are: convex, a mesh, a compound, a terrain.
//!
//! `cargo run --release -p clearance --example padding`

use clearance::{Body, Cache, HeightField, Mesh, Pose, Shape, Vec3, closest, overlap};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corners = [[0., 0., 0.], [4., 0., 0.], [4., 4., 0.], [0., 4., 0.]].map(Vec3::from);
    let bodies = [
        ("box", Body::from(Shape::cuboid([4.0, 4.0, 0.25])?), -0.25),
        ("sheet", Body::from(Mesh::new(&corners, &[[0, 1, 2], [0, 2, 3]])?), 0.0),
        ("terrain", Body::from(HeightField::new(&[[0.0; 3]; 3], [2.0, 2.0])?), 0.0),
    ];
    let drone = Shape::sphere(0.5)?;
    let above = Pose::from_translation([2.0, 1.5, 0.8])?; // 0.3 above the top of each
    for (name, body, z) in bodies {
        let place = Pose::from_translation([0.0, 0.0, z])?;
        for padding in [0.0, 0.2, 0.4] {
            // Every point within the padding counts as the body's own: corners become round.
            let wide = body.clone().padded(padding)?;
            let near = closest(&wide, &place, &drone, &above, &mut Cache::default());
            let met = overlap(&wide, &place, &drone, &above, &mut Cache::default()).overlap;
            println!("{name} padded by {padding}: distance {:+.3}, overlap {met}", near.distance);
        }
    }
    Ok(())
}
