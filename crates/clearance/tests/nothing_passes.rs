//! Nothing passes: chains of casts and rotations of bodies of any shape in concave worlds, each moved to its fraction, judged
//! exactly there and densely on the way. The full numbers are `clearance lab run nothing-passes`.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

#[cfg(single_precision)]
extern crate clearance_f32 as clearance;

mod common;

use clearance::ccd::polyhedra::CastScratch;
use clearance_testkit::passing::{Place, Scene, Tally};
use common::caster::Library;

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
