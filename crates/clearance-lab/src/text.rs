//! A report for people at a terminal: an aligned table, then the claims.

use crate::{Claim, Report, Value};

/// Rows shown of a long table, half from its beginning and half from its end.
const ROWS_SHOWN: usize = 30;
/// Significant digits of a number; the CSV has them all.
const DIGITS: i32 = 4;

/// The report as text, ending in a line break.
pub fn render(report: &Report) -> String {
    let mut text = format!("{}\n", report.name);
    if !report.columns.is_empty() {
        text.push('\n');
        text.push_str(&table(report));
    }
    if !report.claims.is_empty() {
        text.push('\n');
        text.extend(report.claims.iter().map(claim));
        let held = report.claims.iter().filter(|claim| claim.holds).count();
        text.push_str(&format!("{held} of {} claims hold\n", report.claims.len()));
    }
    text
}

/// One claim: the verdict and the statement, then what the paper says and what was measured.
fn claim(claim: &Claim) -> String {
    let mark = if claim.holds { '✓' } else { '✗' };
    let why = claim.why.as_ref().map_or(String::new(), |why| format!("    why:      {why}\n"));
    format!("{mark} {}\n    paper:    {}\n    measured: {}\n{why}", claim.claim, claim.paper, cell(&claim.value))
}

fn table(report: &Report) -> String {
    let left_out = report.rows.len().saturating_sub(ROWS_SHOWN);
    let head = if left_out == 0 { report.rows.len() } else { ROWS_SHOWN / 2 };
    let (above, below) = (&report.rows[..head], &report.rows[head + left_out..]);
    let shown = || above.iter().chain(below);
    let widths: Vec<usize> = (0..report.columns.len())
        .map(|c| {
            let cells = shown().filter_map(|row| row.get(c)).map(|v| width(&cell(v)));
            cells.fold(width(&report.columns[c]), usize::max)
        })
        .collect();
    // A column of words reads from the left, and its head with it; figures align on the right.
    let left: Vec<bool> =
        (0..report.columns.len()).map(|c| shown().any(|row| matches!(row.get(c), Some(Value::Text(_))))).collect();
    let line = |cells: Vec<String>| {
        let fields = cells.iter().zip(&widths).zip(&left);
        let padded = fields.map(|((cell, &width), &left)| pad(cell, width, left));
        let line = padded.collect::<Vec<_>>().join("  ");
        format!("{}\n", line.trim_end())
    };
    let rows =
        |rows: &[Vec<Value>]| -> String { rows.iter().map(|row| line(row.iter().map(cell).collect())).collect() };
    let mut text = line(report.columns.clone());
    text.push_str(&line(widths.iter().map(|&w| "─".repeat(w)).collect()));
    text.push_str(&rows(above));
    if left_out > 0 {
        text.push_str(&format!("… {left_out} rows left out; the CSV has all {}\n", report.rows.len()));
    }
    text + &rows(below)
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn pad(cell: &str, width: usize, left: bool) -> String {
    if left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
}

/// One value on one line.
fn cell(value: &Value) -> String {
    match value {
        Value::Number(x) => number(*x),
        Value::Integer(n) => n.to_string(),
        Value::Text(s) => s.replace(char::is_control, " "),
    }
}

/// A number with [`DIGITS`] significant digits, in plain notation where that is short.
pub(crate) fn number(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let exponent = x.abs().log10().floor() as i32;
    if (-4..7).contains(&exponent) {
        let decimals = (DIGITS - 1 - exponent).max(0) as usize;
        format!("{x:.decimals$}")
    } else {
        format!("{x:.*e}", DIGITS as usize - 1)
    }
}
