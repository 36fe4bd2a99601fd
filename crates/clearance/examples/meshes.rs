//! Bodies that are not convex are asked the same way: a gate of two walls, and a mesh that passes through it.
//!
//! `cargo run --release -p clearance --example meshes`

use clearance::{Body, Cache, Compound, Mesh, Pose, Shape, Vec3, closest, overlap};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wall = Body::from(Shape::cuboid([0.25, 1.0, 1.0])?);
    let beside = |x| Pose::from_translation([x, 0.0, 0.0]);
    let gate = Compound::new([(wall.clone(), beside(-1.5)?), (wall, beside(1.5)?)])?;

    let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
    let wedge = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;

    let mut cache = Cache::default();
    for x in [-0.5, 0.25, 0.75] {
        let pose = Pose::from_translation([x, 0.0, 0.0])?;
        let near = closest(&gate, &Pose::IDENTITY, &wedge, &pose, &mut cache);
        let met = overlap(&gate, &Pose::IDENTITY, &wedge, &pose, &mut cache);
        // A plane need not separate concave bodies: their witness is a gap that they are at least apart.
        let part = near.features[0].part;
        println!("x = {x:5}: {:?}, distance {:+.3} from part {part}, {:?}", near.contact, near.distance, met.witness);
    }
    Ok(())
}
