//! A map as a world to move in: what it consists of, how much of it is never met, and a fall from a place where players start.
//!
//! `cargo run --release -p clearance --example map -- FILE`; without a file, a generated building.

use std::time::Instant;

use clearance::brush::{Faulty, Map, is_blocking, is_structural};
use clearance::ccd::polyhedra::{CastScratch, Polyhedron, TrajectoryOptions, cast_translation};
use clearance::{Mesh, Pose, Vec3};
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
    let start = Instant::now();
    let world = solid.polyhedron();
    let (edges, internal) = world.edge_counts();
    println!("{} pieces, {} polygons ({} hidden)", solid.pieces.len(), world.face_count(), world.hidden_face_count());
    let share = 100.0 * internal as f64 / edges as f64;
    println!("{edges} edges, {internal} internal ({share:.1} %), found in {:.0?}", start.elapsed());

    let half = Vec3::new(16.0, 16.0, 28.0);
    let corners: Vec<Vec3> =
        (0..8).map(|i| half * Vec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) * 2.0 - half).collect();
    let cube = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let player = Polyhedron::from(&Mesh::new(&corners, &cube)?);
    let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
    for origin in map.origins("info_player_deathmatch").take(4) {
        let pose = Pose::from_translation(origin + Vec3::Z * 8.0)?;
        let down = Vec3::new(0.0, 0.0, -512.0);
        let cast = cast_translation(&world, &Pose::IDENTITY, &player, &pose, down, &options, &mut scratch)?;
        let [x, y, z] = origin.to_array();
        println!(
            "a player at ({x}, {y}, {z}) falls {:.4}; {:?}",
            512.0 * cast.fraction,
            cast.hit.map(|hit| hit.features)
        );
    }
    Ok(())
}
