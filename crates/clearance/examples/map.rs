//! A map as a world to move in: what it consists of, and a fall from the places where players start.
//!
//! `cargo run --release -p clearance --example map -- FILE`; without a file, a generated building.

use clearance::brush::{Faulty, Map, is_blocking, is_structural};
use clearance::{Cache, CastOptions, Motion, Pose, Shape, Vec3, cast};
use clearance_testkit::{Building, BuildingPlan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path)?,
        None => Building::new(&BuildingPlan::default()).map_text(),
    };
    let map = Map::parse(&text)?;
    let brushes = map.entities.iter().map(|entity| entity.brushes.len()).sum::<usize>();
    println!("{} entities with {brushes} brushes", map.entities.len());

    let solid = map.world_of(|entity, brush| is_structural(entity) && is_blocking(brush), Faulty::Skip)?;
    solid.skipped.iter().for_each(|fault| println!("left out: {fault}"));
    println!("{} pieces with {} faces", solid.pieces.len(), solid.mesh.face_count());

    let (player, mut cache) = (Shape::cuboid([16.0, 16.0, 28.0])?, Cache::default());
    for origin in map.origins("info_player_deathmatch").take(4) {
        let start = Pose::from_translation(origin + Vec3::Z * 8.0)?;
        let fall = Motion::translation(start, [0.0, 0.0, -512.0])?;
        let stop = cast(&solid.mesh, &Pose::IDENTITY, &player, &fall, &mut cache, &CastOptions::default())?;
        let features = stop.hit.map(|hit| hit.features.map(|feature| feature.element));
        println!("a player at {origin} falls {:.4}; {features:?}", 512.0 * stop.fraction);
    }
    Ok(())
}
