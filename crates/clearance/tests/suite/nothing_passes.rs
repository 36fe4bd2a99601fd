//! Nothing passes: chains of casts and rotations of bodies of any shape in concave worlds, each moved to its fraction, judged
//! exactly there and densely on the way. The full numbers are `clearance lab run nothing-passes`.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::brush::Map;
use clearance::ccd::polyhedra::CastScratch;
use clearance::math::widen;
use clearance_testkit::passing::{Arena, Caster, Kind, Motion, Place, Scene, Tally, Walk, WalkTally};
use clearance_testkit::{Building, BuildingPlan, Polyhedron};
use common::caster::Library;
use glam::{DQuat, DVec3};

fn run(place: Place, seed: u64, scenes: u64) -> Tally {
    let mut scratch = CastScratch::default();
    let run = |i: u64| Scene { seed: seed + i, place, bodies: 6, casts: 8 }.run::<Library>(&mut scratch);
    (0..scenes).map(run).fold(Tally::default(), Tally::plus)
}

fn nothing_passes(place: Place, seed: u64, scenes: u64) {
    let tally = run(place, seed, scenes);
    println!("{tally:#?}");
    assert_eq!(tally.wrong(), 0, "{:#?}", tally.notes);
    let casts = tally.casts as f64;
    assert!(casts > 20.0 * scenes as f64, "{casts} casts");
    let share = |count: u64| count as f64 / casts;
    assert!(share(tally.turns) > 0.4 && share(tally.turns) < 0.6, "{} turns", tally.turns);
    assert!(share(tally.hits) > 0.25 && share(tally.hits) < 0.9, "{} hits", tally.hits);
    assert!(share(tally.touching) > 0.2, "{} start touching", tally.touching);
    assert!(share(tally.grazing) < 0.05, "{} graze", tally.grazing);
    let of_hits = |count: u64| count as f64 / tally.hits as f64;
    assert!(
        of_hits(tally.bounded) > 0.8 && of_hits(tally.tight) > 0.5,
        "{} bounded, {} tightly",
        tally.bounded,
        tally.tight
    );
    assert!(share(tally.overlaps) > 0.02, "{} start in an overlap", tally.overlaps);
}

#[test]
fn at_the_origin() {
    nothing_passes(Place::Origin, 1, SCENES);
}

#[test]
fn posed_far_away() {
    nothing_passes(Place::Far, 100_001, SCENES);
}

#[test]
fn with_vertices_far_away() {
    nothing_passes(Place::Shifted, 200_001, SCENES);
}

const SCENES: u64 = 60;

/// The building as one solid, as this build holds it.
fn building() -> (Polyhedron, Vec<DVec3>) {
    let building = Building::new(&BuildingPlan { seed: 5, rooms: [2, 2], storeys: 2 });
    let mesh = Map::parse(&building.map_text()).unwrap().world().unwrap().mesh;
    let faces = (0..mesh.face_count() as u32).map(|face| mesh.face_vertices(face).to_vec()).collect();
    (Polyhedron { vertices: mesh.vertices().iter().map(|&v| widen(v)).collect(), faces }, building.spawns)
}

/// Casts in the building, and walks of a player's box and of a concave body: never in a solid, never stuck, and they get around.
#[test]
fn walks_through_a_building() {
    let (polyhedron, spawns) = building();
    let concave = Polyhedron::notched().mapped(|v| v * DVec3::new(18.0, 12.0, 16.0));
    let bodies = [(Polyhedron::cuboid(DVec3::new(15.0, 15.0, 28.0)), false), (concave, true)];
    let mut scratch = CastScratch::default();
    for place in Place::ALL {
        let arena = Arena::<Library>::of_map(&polyhedron, 100.0, place, 3).unwrap();
        let fixed = arena.fixed();
        let run = |seed| Scene { seed, place, bodies: 6, casts: 8 }.run_in(&arena, &fixed, &mut scratch);
        let casts = (0..6).map(run).fold(Tally::default(), Tally::plus);
        assert_eq!(casts.wrong(), 0, "{:#?}", casts.notes);
        assert!(casts.casts > 200 && casts.hits > 60, "{casts:#?}");
        let mut total = WalkTally::default();
        for (seed, (body, tumbles)) in bodies.iter().enumerate() {
            let walk = Walk { seed: seed as u64, moves: 400, body: body.clone(), tumbles: *tumbles };
            total = total.plus(walk.run(&arena, &spawns, &mut scratch));
        }
        println!("{place:?}: {total:?}");
        assert_eq!(total.wrong(), 0, "{:#?}", total.notes);
        assert_eq!((total.moves, total.left), (800, 0));
        assert!(total.distance > 3000.0 && total.cells > 30 && total.arrived > 400, "{total:?}");
        assert!(total.least_gap.is_some_and(|gap| gap < 1.01), "never in contact: {total:?}");
    }
}

/// A block with a hollow in its middle, prepared so that what pieces cover is left out: the walls of the hollow are not.
#[test]
fn a_body_in_a_hollow_stays_there() {
    let outer = Polyhedron::cuboid(DVec3::splat(1.5));
    let inner = Polyhedron::cuboid(DVec3::splat(0.5)).inside_out();
    let world = Library::shape(&outer.joined(&inner), Kind::Pieces).unwrap();
    let body = Library::shape(&Polyhedron::cuboid(DVec3::splat(0.2)), Kind::Solid).unwrap();
    let rest = Library::pose(DVec3::ZERO, DQuat::IDENTITY);
    let mut scratch = CastScratch::default();
    for axis in DVec3::AXES {
        let motion = Motion::Translation(axis * 4.0);
        let cast = Library::cast([&world, &body], [&rest, &rest], &motion, &mut scratch).unwrap();
        assert!((cast.fraction * 4.0 - 0.3).abs() < 1e-4, "{cast:?}");
        let motion = Motion::Rotation { origin: axis * 1.0, axis: axis.any_orthogonal_vector(), angle: 3.0 };
        let cast = Library::cast([&world, &body], [&rest, &rest], &motion, &mut scratch).unwrap();
        assert!(cast.normal.is_some() && cast.fraction < 0.3, "{cast:?}");
    }
}
