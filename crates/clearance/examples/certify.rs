//! A proof that a robot's arm keeps clear of a machine along a motion, for someone who trusts nobody.
//!
//! `cargo run --release -p clearance --example certify`

use clearance::{Cache, CastOptions, Motion, Pose, Shape, exact};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (machine, arm) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::capsule(0.8, 0.15)?);
    let pose = Pose::from_translation([0.0, 0.0, 1.4])?;
    let mut cache = Cache::default();

    // How far apart they are: two numbers with a proof between which the distance is.
    let proof = exact::certify(&machine, &Pose::IDENTITY, &arm, &pose, &mut cache)?;
    println!("the distance is between {:?} and {:?}", proof.lower(), proof.upper());
    proof.verify()?; // in exact arithmetic, with nothing from the code that found the proof

    // A turn about the vertical axis of the machine that keeps a tenth of a unit away from it.
    let motion = Motion::rotation(pose, [0.0; 3], [0.0, 0.0, 1.0], 3.0)?;
    let options = CastOptions { clearance: 0.1, ..CastOptions::default() };
    let proof = exact::certify_cast(&machine, &Pose::IDENTITY, &arm, &motion, &mut cache, &options)?;
    println!("the motion is free until {:?} of it", proof.free_until());
    proof.verify()?;

    // The record is JSON; `clearance verify` and `tools/check_certificate.py` check it.
    println!("{proof}");
    Ok(())
}
