#![allow(clippy::unwrap_used, clippy::panic)]
#[cfg(single_precision)]
extern crate clearance_f32 as clearance;
mod common;
use clearance::ccd::polyhedra::CastScratch;
use clearance_testkit::passing::{Place, Scene, Tally};
use common::caster::Library;
#[test]
fn scenes() {
    let place = match std::env::var("PLACE").unwrap().as_str() {
        "o" => Place::Origin,
        "f" => Place::Far,
        _ => Place::Shifted,
    };
    let mut scratch = CastScratch::default();
    let mut total = Tally::default();
    for seed in std::env::var("SCENES").unwrap().split(',') {
        let (from, to) = seed.split_once('-').unwrap_or((seed, seed));
        for seed in from.parse::<u64>().unwrap()..=to.parse::<u64>().unwrap() {
            let tally = Scene { seed, place, bodies: 6, casts: 8 }.run::<Library>(&mut scratch);
            for note in &tally.notes {
                println!("{note}");
            }
            total = total.plus(tally);
        }
    }
    println!("{total:?}");
}
