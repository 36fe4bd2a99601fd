//! Bodies that are not solids of finite size: a floor without end, a terrain of heights with a hole, and a scan of points.
//!
//! `cargo run --release -p clearance --example terrain`

use clearance::{Body, Cache, HalfSpace, HeightField, PointCloud, Pose, Real, Shape, Vec3, closest};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sea = HalfSpace::new(Vec3::Z, 0.5)?; // solid where z ≤ 0.5
    // Heights of 5 × 5 places one apart, rows along y; the solid is the surface itself. One place is a well.
    let height = |i: usize, j: usize| if (i, j) == (1, 1) { None } else { Some(0.25 * (i + j) as Real) };
    let rows: Vec<Vec<Option<Real>>> = (0..5).map(|j| (0..5).map(|i| height(i, j)).collect()).collect();
    let hills = HeightField::with_holes(&rows, [1.0, 1.0])?;
    // A scan of a mast, each point with the error of the scanner as its radius.
    let scan: Vec<Vec3> = (0..100).map(|k| Vec3::new(3.0, 3.0, 0.05 * k as Real)).collect();
    let mast = PointCloud::new(&scan, 0.02)?;

    let boat = Shape::cuboid([0.5, 0.25, 0.25])?;
    let bodies = [("sea", Body::from(sea)), ("hills", Body::from(hills)), ("mast", Body::from(mast))];
    for (x, y, z) in [(1.0, 1.0, 1.0), (3.0, 3.0, 2.0), (2.0, 3.0, 4.0)] {
        let pose = Pose::from_translation([x, y, z])?;
        for (name, body) in &bodies {
            let near = closest(body, &Pose::IDENTITY, &boat, &pose, &mut Cache::default());
            println!(
                "at ({x}, {y}, {z}): {name} {:+.4}, {:?}, {:?}",
                near.distance, near.contact, near.features[0].element
            );
        }
    }
    Ok(())
}
