//! A few seconds of `make fuzz`: nothing panics, and the grammar makes inputs that are read.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use crate::targets;
use clearance_testkit::HitRate;
use targets::TARGETS;

#[test]
fn inputs_that_are_nearly_right_are_read_or_refused() {
    for target in TARGETS {
        let mut accepted = HitRate::new(target.name);
        for seed in 0..1500 {
            accepted.record((target.read)(&target.input(1_000_000 + seed)));
        }
        accepted.assert_between(0.1, 0.95);
    }
}
