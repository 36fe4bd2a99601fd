//! Where a cylinder touches the table: standing, half over the edge, and lying on its side.

use clearance::{Cache, ManifoldOptions, Pose, Shape, manifold};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let table = Shape::cuboid([1.0, 1.0, 0.1])?; // its top is at z = 0.1
    let tin = Shape::cylinder(0.3, 0.2)?;
    let quarter_turn = [0.0, 0.5, 0.0, 0.5].map(f64::sqrt); // about y
    let scenes = [
        ("standing", Pose::from_translation([0.0, 0.0, 0.399])?),
        ("half over the edge", Pose::from_translation([1.0, 0.0, 0.399])?),
        ("lying", Pose::new([0.0, 0.0, 0.299], quarter_turn)?),
        ("in the air", Pose::from_translation([0.0, 0.0, 1.0])?),
    ];
    for (name, pose) in scenes {
        // Keep one cache per pair from frame to frame; feature ids say which contact is which.
        let mut cache = Cache::default();
        match manifold(&table, &Pose::IDENTITY, &tin, &pose, &mut cache, &ManifoldOptions::default()) {
            None => println!("{name}: no contact"),
            Some(contact) => {
                println!("{name}: normal {:.3}, depth {:.4}", contact.normal, contact.depth());
                for point in &contact.points {
                    println!("  at {:.3}, depth {:.4}, {:?}", point.points[0], point.depth(), point.features);
                }
            }
        }
    }
    Ok(())
}
