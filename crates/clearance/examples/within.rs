//! Is the required clearance kept? A boolean with its reason, cheaper than the distance itself.
//!
//! `cargo run --release -p clearance --example within`

use clearance::{Cache, Pose, Shape, Witness, within};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (machine, arm) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::capsule(0.8, 0.15)?);
    let pose = Pose::from_translation([0.0, 0.0, 1.4])?; // a quarter of a unit above the machine
    let mut cache = Cache::default();
    for required in [0.1, 0.2, 0.3] {
        let answer = within(&machine, &Pose::IDENTITY, &arm, &pose, required, &mut cache);
        let reason = match answer.witness {
            Witness::Plane { offset_a, offset_b, .. } => format!("a slab {:.3} thick is free", offset_b - offset_a),
            Witness::Gap(gap) => format!("they are at least {gap:.3} apart"),
            Witness::Points([on_a, on_b]) => format!("{on_a:.3} and {on_b:.3} are that near"),
            Witness::Point(point) => format!("they share {point:.3}"),
        };
        let verdict = if answer.within { "too near" } else { "kept" };
        println!("clearance of {required}: {verdict}; {reason}");
    }
    Ok(())
}
