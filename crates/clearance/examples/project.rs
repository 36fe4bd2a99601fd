//! The nearest point of a body to a point, with the signed distance: a distance field without a grid.
//!
//! `cargo run --release -p clearance --example project`

use clearance::{Cache, Mesh, Pose, Vec3, project};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
    let wedge = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    let mut cache = Cache::default();
    for point in [[2., 0., 0.], [0.5, -1., 0.], [0.3, 0.3, -0.5], [0.3, 0.3, 0.0], [0.2, 0.2, 0.1]].map(Vec3::from) {
        let near = project(&wedge, &Pose::IDENTITY, point, &mut cache);
        // The feature tells a corner from an edge and a face.
        println!(
            "{point}: {:?}, {:+.4} from {:.3}, {:?}",
            near.contact, near.distance, near.nearest, near.feature.element
        );
    }
    Ok(())
}
