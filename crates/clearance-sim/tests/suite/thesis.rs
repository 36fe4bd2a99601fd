//! The thesis's solver stacks boxes with each of its narrow phases. The full tables are an experiment of the lab.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::{Method, Real};
use clearance_sim::scenes::{Stack, stack_end, tallest_stack};
use clearance_sim::{Narrow, SimulationOptions, Solver, Thesis};

fn options(thesis: Thesis) -> SimulationOptions {
    SimulationOptions { step: 1.0 / 200.0, solver: Solver::Thesis(thesis), ..SimulationOptions::default() }
}

#[test]
fn every_narrow_phase_stacks_with_both_manifolds() {
    let narrows = [Narrow::Verbs, Narrow::SweptGjk { radius: 0.05 }, Narrow::SaGjk, Narrow::Mpr];
    for narrow in narrows {
        for manifold in [Method::Clip, Method::Perturbed] {
            for round in [false, true] {
                let thesis = Thesis { iterations: 20, narrow, manifold, ..Thesis::default() };
                let end = stack_end(&Stack { count: 5, round, seed: 1 }, options(thesis), 4.0).unwrap();
                assert!(end.stands, "{narrow:?} {manifold:?} round {round}: {end:?}");
                assert!(end.per_pair.as_nanos() > 0);
            }
        }
    }
}

#[test]
fn the_search_ends_at_the_first_stack_that_falls() {
    // Two iterations hold little.
    let thesis = Thesis { iterations: 2, ..Thesis::default() };
    let found = tallest_stack(&Stack { count: 4, round: false, seed: 1 }, options(thesis), 10.0, 12).unwrap();
    assert!(found.count < 12 && found.next.is_some_and(|seconds: Real| seconds < 10.0), "{found:?}");
    let next = Stack { count: found.count + 1, round: false, seed: 1 };
    assert!(!stack_end(&next, options(thesis), 10.0).unwrap().stands);
}
