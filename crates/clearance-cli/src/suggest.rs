//! Did you mean …? And how to quote what was given without repeating a megabyte of it.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

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
    let near = candidates.into_iter().filter_map(|candidate| Some((slips(given, candidate)?, candidate))).min();
    near.map(|(_, candidate)| format!(" (did you mean {}?)", quoted(candidate))).unwrap_or_default()
}

/// How many slips lead from a name to what was given, if they are few against its length.
fn slips(given: &str, candidate: &str) -> Option<usize> {
    // A character is at most four bytes; what is much longer is not near, and is not to be compared letter by letter.
    if candidate.len() > 8 * given.len() {
        return None;
    }
    let (distance, length) = (edits(candidate, given), candidate.chars().count());
    (distance <= length.div_ceil(3) && distance < length).then_some(distance)
}

/// Names that are compared with what was given; of more than these only some are.
const COMPARED: usize = 256;
/// What a slip of the finger puts in a name.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. ";

/// [`did_you_mean`] for names that may be very many. Of more than a few hundred, those one slip away are looked up, and then those are
/// compared that come next in order before and after what was given: a few thousand looks, however many names there are.
pub fn did_you_mean_of<T>(given: &str, known: &BTreeMap<String, T>) -> String {
    if known.len() <= COMPARED || given.chars().nth(QUOTED).is_some() {
        return did_you_mean(given, known.keys().map(String::as_str));
    }
    let one_slip = one_slip_from(given).into_iter().filter(|name| known.contains_key(name)).min();
    if let Some(name) = one_slip {
        return format!(" (did you mean {}?)", quoted(&name));
    }
    let after = known.range(given.to_owned()..).take(COMPARED / 2);
    let before = known.range(..given.to_owned()).rev().take(COMPARED / 2);
    did_you_mean(given, after.chain(before).map(|(name, _)| name.as_str()))
}

/// Every name that one slip makes of a name: two letters exchanged, one left out, another one, or one too many.
fn one_slip_from(given: &str) -> Vec<String> {
    let letters: Vec<char> = given.chars().collect();
    let mut names = Vec::new();
    let mut add = |before: &[char], with: &[char], after: &[char]| {
        names.push([before, with, after].concat().into_iter().collect());
    };
    for at in 0..=letters.len() {
        let (before, rest) = letters.split_at(at);
        LETTERS.chars().for_each(|letter| add(before, &[letter], rest));
        if let [_, after @ ..] = rest {
            add(before, &[], after);
            LETTERS.chars().for_each(|letter| add(before, &[letter], after));
        }
        if let [first, second, after @ ..] = rest {
            add(before, &[*second, *first], after);
        }
    }
    names
}

/// A number as messages show it: as it is, or with an exponent where it would have dozens of zeros.
pub struct Short<T>(pub T);

impl<T: Copy + Into<f64> + fmt::Display + fmt::LowerExp> fmt::Display for Short<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size: f64 = self.0.into().abs();
        let is_plain = size == 0.0 || !size.is_finite() || (1e-5..1e16).contains(&size);
        if is_plain { fmt::Display::fmt(&self.0, f) } else { fmt::LowerExp::fmt(&self.0, f) }
    }
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
    fn of_very_many_names_a_near_one_is_found_without_comparing_all() {
        let known: BTreeMap<String, ()> = (0..100_000).map(|i| (format!("part{i}"), ())).collect();
        for (given, name) in [
            ("prat77", "part77"),
            ("part4x2", "part402"),
            ("qart99999", "part99999"),
            ("part100000", "part10000"),
            ("pat5", "part5"),
        ] {
            assert_eq!(did_you_mean_of(given, &known), format!(" (did you mean '{name}'?)"), "{given}");
        }
        assert_eq!(did_you_mean_of("colour", &known), "");
        // The work does not grow with the names: so many are looked up, and no more than `COMPARED` are compared.
        assert!(one_slip_from("part100000").len() < 2_000);
        let few: BTreeMap<String, ()> = [("radius".to_owned(), ())].into();
        assert_eq!(did_you_mean_of("raduis", &few), " (did you mean 'radius'?)");
        let long: BTreeMap<String, ()> = (0..300).map(|i| (format!("{i}{}", "x".repeat(1 << 16)), ())).collect();
        assert_eq!(did_you_mean_of("radius", &long), "");
    }

    #[test]
    fn numbers_are_shown_short() {
        let shown = [0.0, -1.0, 0.1, 1e300, -1e-300].map(|x| Short(x).to_string());
        assert_eq!(shown, ["0", "-1", "0.1", "1e300", "-1e-300"]);
    }

    #[test]
    fn long_texts_are_cut_and_stay_on_one_line() {
        assert_eq!(quoted("a\nb"), "'a b'");
        assert_eq!(quoted(&"x".repeat(1000)).chars().count(), QUOTED + 3);
    }
}
