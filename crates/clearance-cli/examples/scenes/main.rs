//! Makes the example scenes in `examples/scenes`, and a plant of any size.
//!
//! ```text
//! cargo run --release -p clearance-cli --example scenes                        writes examples/scenes
//! cargo run --release -p clearance-cli --example scenes -- plant 20000 DIR     writes DIR/plant.json and DIR/plant.glb
//! ```

mod make;
mod plant;

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/scenes");
            std::fs::create_dir_all(&folder)?;
            for (name, bytes) in make::all() {
                std::fs::write(folder.join(name), bytes)?;
            }
        }
        ["plant", parts, folder] => {
            std::fs::create_dir_all(folder)?;
            for (name, bytes) in plant::files(parts.parse()?) {
                std::fs::write(Path::new(folder).join(name), bytes)?;
            }
        }
        _ => return Err("usage: scenes [plant PARTS DIR]".into()),
    }
    Ok(())
}
