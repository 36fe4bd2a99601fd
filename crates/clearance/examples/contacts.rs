//! Every vertex over a face and every two edges across each other within a distance, for those who want all of them.
//!
//! `cargo run --release -p clearance --example contacts`

use clearance::{Cache, Pose, Shape, contacts};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shelf = Shape::cuboid([2.0, 0.5, 0.1])?; // its top is at z = 0.1
    let book = Shape::cuboid([0.2, 0.8, 1.0])?; // deeper than the shelf: its corners stick out at both sides
    let pose = Pose::from_translation([0.5, 0.0, 1.101])?;
    let (mut cache, mut list) = (Cache::default(), Vec::new()); // both are used again from call to call
    contacts(&shelf, &Pose::IDENTITY, &book, &pose, 0.01, &mut cache, &mut list)?;
    println!("{} contacts within 0.01", list.len());
    for contact in &list {
        let [of_shelf, of_book] = contact.features.map(|feature| feature.element);
        println!(
            "  {:.3} apart at {:.2}: {of_shelf:?} of the shelf, {of_book:?} of the book",
            contact.distance, contact.points[0]
        );
    }
    // Curved bodies have no such list; `manifold` has points for them.
    let ball = Shape::sphere(1.0)?;
    match contacts(&shelf, &Pose::IDENTITY, &ball, &pose, 0.01, &mut cache, &mut list) {
        Ok(()) => println!("a ball has vertices?"),
        Err(error) => println!("a ball: {error}"),
    }
    Ok(())
}
