//! Findings as a table for people.

use std::io::{self, Write};

use clearance_io::check::Kind;
use clearance_io::report::{FindingData, Report};

/// Findings of one group that are shown one by one.
const SHOWN_OF_GROUP: usize = 5;
/// Findings of one kind that are shown.
const SHOWN_OF_KIND: usize = 40;

/// Writes the report as a table.
pub(super) fn write(report: &Report, output: &mut impl Write) -> io::Result<()> {
    let unit = report.unit.map_or_else(String::new, |unit| format!(" {unit}"));
    let time = report.motion.as_ref().map_or_else(String::new, |motion| format!(" {}", motion.unit));
    writeln!(output, "{}", plain(&report.title))?;
    let summary = &report.summary;
    writeln!(
        output,
        "{} parts, {} pairs, {} looked at",
        report.parts.len(),
        summary.pairs_possible,
        summary.pairs_tested
    )?;
    let mut rows = vec![["", "kind", "between", "and", "distance", "bounds", "remarks"].map(str::to_owned)];
    let mut left_out = 0;
    for kind in Kind::ALL {
        let mut groups = std::collections::HashMap::<&str, usize>::new();
        let mut shown = 0;
        for finding in report.findings.iter().filter(|finding| finding.kind == kind) {
            let count = finding.group.as_deref().map_or(0, |group| {
                let count = groups.entry(group).or_default();
                *count += 1;
                *count
            });
            if count > SHOWN_OF_GROUP || shown >= SHOWN_OF_KIND {
                left_out += 1;
                continue;
            }
            shown += 1;
            rows.push(row(report, finding, &unit, &time));
        }
    }
    if rows.len() > 1 {
        aligned(&rows, output)?;
    }
    if left_out > 0 {
        writeln!(output, "and {left_out} more of these kinds (--json lists all)")?;
    }
    clearances(report, &unit, &time, output)?;
    for problem in &report.problems {
        writeln!(output, "note: {}", plain(problem))?;
    }
    conclusion(report, output)
}

fn row(report: &Report, finding: &FindingData, unit: &str, time: &str) -> [String; 7] {
    let name = |part: usize| report.parts.get(part).map_or_else(String::new, |part| plain(&part.name));
    let mut remarks = Vec::new();
    match finding.required {
        Some(required) if required >= 0.0 => remarks.push(format!("required {}{unit}", short(required))),
        Some(allowed) => remarks.push(format!("allowed depth {}{unit}", short(-allowed))),
        None => {}
    }
    if let Some(first) = finding.first_contact {
        remarks.push(format!("first at {}{time}", short(first.lower)));
    }
    for [from, to] in finding.intervals.iter().take(3) {
        remarks.push(format!("from {} to {}{time}", short(*from), short(*to)));
    }
    if let Some(worst) = finding.time {
        remarks.push(format!("worst at {}{time}", short(worst)));
    }
    let mark = if finding.kind.is_clash() { "!" } else { " " };
    [
        mark.to_owned(),
        finding.kind.name().to_owned(),
        name(finding.a),
        name(finding.b),
        format!("{}{unit}", short(finding.distance)),
        format!("[{}, {}]", short(finding.lower), short(finding.upper)),
        remarks.join(", "),
    ]
}

fn clearances(report: &Report, unit: &str, time: &str, output: &mut impl Write) -> io::Result<()> {
    if report.clearances.is_empty() {
        return Ok(());
    }
    writeln!(output, "least clearances over the motion")?;
    let name = |part: usize| report.parts.get(part).map_or_else(String::new, |part| plain(&part.name));
    let mut rows = vec![["", "", "between", "and", "distance", "bounds", "at"].map(str::to_owned)];
    for pair in report.clearances.iter().take(100) {
        let bounds = format!("[{}, {}]", short(pair.lower), short(pair.upper));
        let distance = format!("{}{unit}", short(pair.distance));
        rows.push([
            String::new(),
            String::new(),
            name(pair.a),
            name(pair.b),
            distance,
            bounds,
            format!("{}{time}", short(pair.time)),
        ]);
    }
    aligned(&rows, output)
}

fn conclusion(report: &Report, output: &mut impl Write) -> io::Result<()> {
    let counts: Vec<String> = Kind::ALL
        .iter()
        .filter_map(|kind| {
            report.summary.by_kind.get(kind.name()).filter(|n| **n > 0).map(|n| format!("{n} {}", kind.name()))
        })
        .collect();
    let clashes = report.findings.iter().filter(|finding| finding.kind.is_clash()).count();
    let counts = if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
    writeln!(output, "{clashes} {}{counts}", if clashes == 1 { "clash" } else { "clashes" })
}

/// Six digits are enough to look at; JSON has all.
fn short(number: f64) -> String {
    // Zero has two signs.
    let number = number + 0.0;
    let size = number.abs();
    if size == 0.0 || (0.001..1e7).contains(&size) {
        let digits = (5 - size.max(0.001).log10().floor() as i32).clamp(0, 8) as usize;
        let text = format!("{number:.digits$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    } else {
        format!("{number:.3e}")
    }
}

/// Text of a file without what a terminal would obey.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn aligned(rows: &[[String; 7]], output: &mut impl Write) -> io::Result<()> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 7] = std::array::from_fn(width);
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(widths)
            .filter(|(_, width)| *width > 0)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        writeln!(output, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}
