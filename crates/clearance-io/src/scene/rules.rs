//! Rules for pairs of parts, looked up by part.

use super::Part;
use super::format::{PairEntry, RulesEntry, TouchingEntry};
use super::schema::nearest;

/// What holds for a pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairRule {
    /// Whether the pair is left out.
    pub ignore: bool,
    /// The clearance that it must keep.
    pub clearance: f64,
    /// Whether it may touch without being listed.
    pub may_touch: bool,
    /// How deep it may overlap.
    pub depth: f64,
}

/// The rules of an assembly.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    whole: PairRule,
    pairs: Vec<Pair>,
}

#[derive(Debug, Clone)]
struct Pair {
    /// Whether each part is meant, for both sides.
    meant: [Vec<bool>; 2],
    entry: PairEntry,
}

impl Rules {
    /// The same rules with another clearance for the pairs that no rule is about.
    #[must_use]
    pub fn with_clearance(mut self, clearance: f64) -> Self {
        self.whole.clearance = clearance;
        self
    }

    /// What holds for two parts: of several rules the last one that says something.
    pub fn of(&self, a: usize, b: usize) -> PairRule {
        let mut rule = self.whole;
        for Pair { meant: [of_a, of_b], entry } in &self.pairs {
            if !(of_a[a] && of_b[b] || of_a[b] && of_b[a]) {
                continue;
            }
            rule.ignore = entry.ignore.unwrap_or(rule.ignore);
            rule.clearance = entry.clearance.unwrap_or(rule.clearance);
            rule.depth = entry.depth.unwrap_or(rule.depth);
            rule.may_touch = entry.touching.map_or(rule.may_touch, |touching| touching == TouchingEntry::Allow);
        }
        rule
    }

    /// The largest clearance that any pair must keep.
    pub fn largest_clearance(&self) -> f64 {
        let of_pairs = self.pairs.iter().filter_map(|pair| pair.entry.clearance);
        of_pairs.fold(self.whole.clearance, f64::max)
    }

    /// Adds the rules of a file, whose parts have names that begin with `prefix`. What is wrong goes to `problems`.
    pub(super) fn add(&mut self, entry: &RulesEntry, prefix: &str, parts: &[Part], problems: &mut Vec<String>) {
        let length = |value: Option<f64>, what: &str, problems: &mut Vec<String>| {
            if let Some(value) = value.filter(|value| !(*value >= 0.0 && value.is_finite())) {
                problems.push(format!("{what}: is {value}; it must be finite and not negative"));
            }
        };
        length(entry.clearance, "rules.clearance", problems);
        if prefix.is_empty() {
            self.whole.clearance = entry.clearance.unwrap_or(0.0);
            self.whole.may_touch = entry.touching == Some(TouchingEntry::Allow);
        } else if entry.clearance.is_some() || entry.touching.is_some() {
            // What an inner scene says of all its pairs.
            let meant = || parts.iter().map(|part| part.name.starts_with(prefix)).collect::<Vec<_>>();
            let (clearance, touching) = (entry.clearance, entry.touching);
            let all = PairEntry { a: "*".into(), b: "*".into(), ignore: None, clearance, touching, depth: None };
            self.pairs.push(Pair { meant: [meant(), meant()], entry: all });
        }
        for (index, pair) in entry.pairs.iter().enumerate() {
            let path = format!("rules.pairs[{index}]");
            length(pair.clearance, &format!("{path}.clearance"), problems);
            length(pair.depth, &format!("{path}.depth"), problems);
            let [a, b] = [(&pair.a, "a"), (&pair.b, "b")].map(|(name, side)| match meant(name, prefix, parts) {
                Ok(meant) => meant,
                Err(error) => {
                    problems.push(format!("{path}.{side}: {error}"));
                    Vec::new()
                }
            });
            if a.len() == parts.len() && b.len() == parts.len() {
                self.pairs.push(Pair { meant: [a, b], entry: pair.clone() });
            }
        }
    }
}

/// Which parts a name means: those of that name, in an assembly of that name, or of a group of that name.
fn meant(name: &str, prefix: &str, parts: &[Part]) -> Result<Vec<bool>, String> {
    let full = format!("{prefix}{name}");
    let inside = format!("{full}/");
    let is_meant = |part: &Part| {
        part.name.starts_with(prefix)
            && (name == "*"
                || part.name == full
                || part.name.starts_with(&inside)
                || part.group.as_deref() == Some(name))
    };
    let meant: Vec<bool> = parts.iter().map(is_meant).collect();
    if meant.contains(&true) {
        return Ok(meant);
    }
    let groups = parts.iter().filter_map(|part| part.group.as_deref());
    let names = parts.iter().filter_map(|part| part.name.strip_prefix(prefix)).take(1000).chain(groups.take(1000));
    Err(format!("'{}' is no part, assembly or group{}", crate::text::short(name), nearest(name, names)))
}
