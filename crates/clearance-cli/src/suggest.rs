//! Did you mean …? And how to quote what was given without repeating a megabyte of it.

use std::fmt::Write;

use clearance_terminal::edits;

/// Characters of a given text that a message repeats.
const QUOTED: usize = 60;

/// `given` in quotation marks, cut if it is long, on one line.
pub fn quoted(given: &str) -> String {
    let shown: String = given.chars().take(QUOTED).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let cut = if shown.len() < given.len() && given.chars().nth(QUOTED).is_some() { "…" } else { "" };
    format!("'{shown}{cut}'")
}

/// ` (did you mean 'x'?)` for the candidate nearest to `given`, or nothing if none is near.
pub fn did_you_mean<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    // Nothing that long is a slip of the finger, and comparing it would cost its square.
    if given.chars().nth(QUOTED).is_some() {
        return String::new();
    }
    let near = candidates
        .into_iter()
        .map(|candidate| (edits(candidate, given), candidate))
        .filter(|(distance, candidate)| {
            let length = candidate.chars().count();
            *distance <= length.div_ceil(3) && *distance < length
        })
        .min();
    near.map(|(_, candidate)| format!(" (did you mean {}?)", quoted(candidate))).unwrap_or_default()
}

/// The names, separated by commas.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for name in names {
        let comma = if text.is_empty() { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}{name}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        assert_eq!(did_you_mean("raduis", ["radius", "height"]), " (did you mean 'radius'?)");
        assert_eq!(did_you_mean("colour", ["radius", "height"]), "");
        assert_eq!(did_you_mean("", ["radius"]), "");
    }

    #[test]
    fn long_texts_are_cut_and_stay_on_one_line() {
        assert_eq!(quoted("a\nb"), "'a b'");
        assert_eq!(quoted(&"x".repeat(1000)).chars().count(), QUOTED + 3);
    }
}
