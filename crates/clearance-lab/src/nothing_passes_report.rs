//! What was judged, as rows and claims.

use clearance_testkit::passing::tally::Fault;
use clearance_testkit::passing::{Tally, WalkTally};

use crate::nothing_passes::Outcome;
use crate::nothing_passes_library::{Library, double::Double, single::Single};
use crate::{Report, Value};

/// The part of the zone that is never entered from half of it or more.
const NEVER_ENTERED: f64 = 0.25;
/// What a walk covers at least in a move, in units of the maps; moves are of 2 to 20 units across, and into walls too.
const GETS_AROUND: f64 = 3.0;

fn number(value: Option<f64>) -> Value {
    value.unwrap_or(f64::NAN).into()
}

pub(crate) fn report(name: &str, outcomes: &[Outcome]) -> Report {
    let of_casts = ["casts", "turns", "hits", "touching", "overlaps", "refused", "sharp", "bounded", "tight"];
    let head = ["precision", "place", "world"];
    let tail = ["least_gap", "wrong", "moves", "distance", "cells", "walk_gap", "walk_wrong", "left"];
    let columns: Vec<&str> = head.into_iter().chain(of_casts).chain(tail).collect();
    let mut report = Report::new(name, &columns);
    for Outcome { precision, place, world, casts, walks } in outcomes {
        let head = [(*precision).into(), place.name().into(), world.as_str().into()];
        let counts = [
            casts.casts,
            casts.turns,
            casts.hits,
            casts.touching,
            casts.overlaps,
            casts.refused,
            casts.sharp,
            casts.bounded,
            casts.tight,
        ];
        let tail = [
            number(casts.least_gap_from_half),
            casts.wrong().into(),
            walks.moves.into(),
            walks.distance.into(),
            walks.cells.into(),
            number(walks.least_gap),
            walks.wrong().into(),
            walks.left.into(),
        ];
        report.row(head.into_iter().chain(counts.map(Value::from)).chain(tail));
    }
    for precision in [Double::NAME, Single::NAME] {
        let of = || outcomes.iter().filter(|outcome| outcome.precision == precision);
        cast_claims(&mut report, precision, &of().fold(Tally::default(), |sum, one| sum.plus(one.casts.clone())));
        walk_claims(&mut report, precision, &of().fold(WalkTally::default(), |sum, one| sum.plus(one.walks.clone())));
    }
    report
}

/// What is claimed of each kind of fault.
fn statement(fault: Fault) -> &'static str {
    match fault {
        Fault::Pierced => "nothing interpenetrates where it was moved to",
        Fault::Contained => "nothing is inside a solid where it was moved to",
        Fault::Earlier => "no contact is earlier than the one reported",
        Fault::Missed => "no contact is missed",
        Fault::Nothing => "whatever stops is in contact",
        Fault::FalseOverlap => "no start that is apart is called an overlap",
        Fault::MissedOverlap => "every start in an overlap is told",
        Fault::Inconsistent => "fraction, pose and end fit together",
        Fault::Bounds => "the first contact is within the bounds",
    }
}

fn cast_claims(report: &mut Report, precision: &str, casts: &Tally) {
    for fault in Fault::ALL {
        let count = casts.count(fault);
        let judged = format!("{count} wrong of {} casts and {} rays", casts.casts, casts.points);
        let notes = casts.notes.iter().filter(|note| note.starts_with(fault.name())).take(2);
        let measured = notes.fold(judged, |all, note| all + "; " + note);
        let claim = format!("{precision}: {}", statement(fault));
        report.claim(claim, "polyhedra never interpenetrate (3)", measured, count == 0 && casts.casts > 0);
    }
    let [bounded, tight] = [casts.bounded, casts.tight].map(|count| count as f64 / casts.hits.max(1) as f64);
    let measured = format!(
        "{:.1} % of {} hits before the end, {:.1} % within 16 zones",
        100.0 * bounded,
        casts.hits,
        100.0 * tight
    );
    let claim = format!("{precision}: most stops are bounded from above before the end of the motion");
    report.claim(claim, "not in the paper", measured, bounded > 0.9);
    let gap = casts.least_gap_from_half.unwrap_or(f64::NAN);
    let claim = format!("{precision}: what starts half a zone away or more never comes nearer than a quarter of it");
    report.claim(claim, "the zone exceeds the error (3)", format!("{gap:.3} zones at least"), gap >= NEVER_ENTERED);
}

fn walk_claims(report: &mut Report, precision: &str, walks: &WalkTally) {
    let paper = "suitable for player movement (6)";
    let inside = walks.pierced + walks.inside;
    let notes: String = walks.notes.iter().take(2).map(|note| format!("; {note}")).collect();
    let measured = format!("{inside} of {} moves and {} turns{notes}", walks.moves, walks.turns);
    report.claim(format!("{precision}: walks are never in a solid"), paper, measured, inside == 0 && walks.moves > 0);
    let held = walks.stuck + walks.refused + walks.false_overlaps;
    let measured = format!(
        "{} stuck, {} refused, {} called overlaps; {} wedged, {} left the map",
        walks.stuck, walks.refused, walks.false_overlaps, walks.wedged, walks.left
    );
    report.claim(format!("{precision}: walks are never stuck in free space"), paper, measured, held == 0);
    let far = walks.distance / walks.moves.max(1) as f64;
    let measured = format!("{far:.2} units a move, {} cells of 64 units", walks.cells);
    let claim = format!("{precision}: walks get around, by {GETS_AROUND} units a move");
    report.claim(claim, paper, measured, far >= GETS_AROUND);
}
