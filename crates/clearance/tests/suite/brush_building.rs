//! The generated building goes through the same pipeline as maps do: text, planes, pieces, one world.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::Body;
use clearance::brush::{Brush, BrushFace, Entity, Map};
use clearance::concave::{BodyCache, overlap};
use clearance::math::{narrow, widen_real};
use clearance::{Contact, Pose, Shape};
use clearance_testkit::{Building, BuildingPlan};

/// The building's brushes without a detour through text.
fn as_map(building: &Building) -> Map {
    let face = |points: [glam::DVec3; 3], texture: &str| BrushFace { points, texture: texture.to_string() };
    let brushes = building
        .brushes
        .iter()
        .map(|brush| Brush { faces: brush.faces.iter().map(|&points| face(points, brush.texture)).collect(), line: 0 });
    let world = Entity { properties: vec![("classname".into(), "worldspawn".into())], brushes: brushes.collect() };
    Map { entities: vec![world] }
}

/// Lines are where the brushes were read, and no part of what they are.
fn without_lines(mut map: Map) -> Map {
    map.entities.iter_mut().flat_map(|entity| &mut entity.brushes).for_each(|brush| brush.line = 0);
    map
}

#[test]
fn text_and_data_give_the_same_world() {
    for plan in [BuildingPlan::default(), BuildingPlan { seed: 7, rooms: [2, 2], storeys: 4 }] {
        let building = Building::new(&plan);
        let read = Map::parse(&building.map_text()).unwrap();
        assert_eq!(read.entities[0].brushes.len(), building.brushes.len());
        let made = as_map(&building);
        assert_eq!(without_lines(read.clone()).entities[0], made.entities[0]);
        assert_eq!(read.origins("info_player_deathmatch").collect::<Vec<_>>(), building.spawns);
        let again = Map::parse(&read.to_string()).unwrap();
        assert_eq!(without_lines(again), without_lines(read.clone()));
        let (a, b) = (read.world().unwrap(), made.world().unwrap());
        assert_eq!(a.mesh.vertices(), b.mesh.vertices());
        assert_eq!(a.mesh.edges(), b.mesh.edges());
        assert_eq!(a.pieces, b.pieces);
        assert!(a.skipped.is_empty());
    }
}

#[test]
fn it_has_enough_polygons_and_every_brush_a_volume() {
    let building = Building::new(&BuildingPlan::default());
    let world = as_map(&building).world().unwrap();
    let polygons: u32 = world.pieces.iter().map(|piece| piece.faces).sum();
    assert!(polygons >= 5000, "{polygons}");
    assert_eq!(polygons as usize, building.polygon_count(), "no plane is redundant");
    let mut sum = 0.0;
    for brush in as_map(&building).entities.iter().flat_map(|entity| &entity.brushes) {
        let piece = brush.piece().unwrap();
        assert!(piece.volume > 1.0, "{piece:?}");
        assert!(piece.redundant.is_empty());
        sum += widen_real(piece.volume);
    }
    let whole = widen_real(world.mesh.mass().0);
    // A piece that lies inside of another counts once in the solid.
    assert!(whole < (1.0 + 1e-5) * sum && whole > (1.0 - 1e-4) * sum, "{whole} {sum}");
}

#[test]
fn there_is_room_around_each_place_to_start_from() {
    let building = Building::new(&BuildingPlan::default());
    let world = Body::from(as_map(&building).world().unwrap().mesh);
    let body = Body::from(Shape::cuboid([28.0, 28.0, 40.0]).unwrap());
    assert_eq!(building.spawns.len(), 36);
    for &spawn in &building.spawns {
        let pose = Pose::from_translation(narrow(spawn)).unwrap();
        let met = overlap(&world, &Pose::IDENTITY, &body, &pose, &mut BodyCache::default());
        assert_eq!(met.contact, Contact::Apart, "{spawn}");
    }
    let large = Body::from(Shape::cuboid([200.0, 28.0, 40.0]).unwrap());
    let pose = Pose::from_translation(narrow(building.spawns[0])).unwrap();
    let met = overlap(&world, &Pose::IDENTITY, &large, &pose, &mut BodyCache::default());
    assert_eq!(met.contact, Contact::Overlapping, "a body through a wall");
}

#[test]
fn the_same_seed_builds_the_same_and_sizes_are_as_asked() {
    let plan = BuildingPlan::of_polygons(3, 100_000);
    let building = Building::new(&plan);
    assert!((100_000..140_000).contains(&building.polygon_count()), "{}", building.polygon_count());
    assert_eq!(building, Building::new(&plan));
    assert_ne!(building, Building::new(&BuildingPlan { seed: 4, ..plan }));
    let eighths = building.brushes.iter().flat_map(|brush| &brush.faces).flatten();
    assert!(eighths.flat_map(|p| p.to_array()).all(|x| (8.0 * x).fract() == 0.0 && x.abs() <= 4096.0));
}
