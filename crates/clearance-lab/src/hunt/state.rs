//! What a hunt keeps between runs: how far it came, what it counted and what it found.

use std::path::Path;

use serde_json::{Value, json};

use super::case::FAMILIES;
use super::tally::Tally;
use crate::Failure;

/// Reproducers kept of one kind in one family; more of them tell nothing new.
const MOST_KEPT: usize = 20;

#[derive(Clone, Debug)]
pub(crate) struct State {
    seed: u64,
    /// The next number of each family.
    pub(crate) next: [u64; FAMILIES.len()],
    /// By family and precision.
    pub(crate) tallies: [[Tally; 2]; FAMILIES.len()],
    pub(crate) reproducers: Vec<String>,
    /// Cases whose answers did not converge.
    pub(crate) open: Vec<String>,
    pub(crate) seconds: f64,
}

impl State {
    /// The state in a file, or a new one.
    pub(crate) fn load(path: Option<&Path>, seed: u64) -> Result<Self, Failure> {
        let mut state = Self {
            seed,
            next: [0; FAMILIES.len()],
            tallies: Default::default(),
            reproducers: Vec::new(),
            open: Vec::new(),
            seconds: 0.0,
        };
        let Some(path) = path.filter(|path| path.exists()) else { return Ok(state) };
        let text = std::fs::read_to_string(path)?;
        let kept: Value = serde_json::from_str(&text)?;
        if kept["seed"] != json!(seed) {
            return Err(format!("{}: the state of another seed", path.display()).into());
        }
        for (place, family) in FAMILIES.iter().enumerate() {
            let of = &kept["families"][family.name()];
            state.next[place] = of["next"].as_u64().unwrap_or(0);
            for (precision, tally) in state.tallies[place].iter_mut().enumerate() {
                let count = |i: usize| of["counts"][precision][i].as_u64().unwrap_or(0);
                *tally = Tally::of_counts(count);
            }
        }
        [state.reproducers, state.open] = ["reproducers", "open"].map(|name| {
            let lines = kept[name].as_array().into_iter().flatten();
            lines.filter_map(|line| line.as_str().map(str::to_owned)).collect()
        });
        state.seconds = kept["seconds"].as_f64().unwrap_or(0.0);
        Ok(state)
    }

    /// Writes the state beside the old one and then puts it in its place.
    pub(crate) fn save(&self, path: Option<&Path>) -> Result<(), Failure> {
        let Some(path) = path else { return Ok(()) };
        let families: serde_json::Map<String, Value> = FAMILIES
            .iter()
            .zip(self.next)
            .zip(&self.tallies)
            .map(|((family, next), tallies)| {
                let counts: Vec<Vec<u64>> = tallies.iter().map(|tally| tally.counts().collect()).collect();
                (family.name().to_owned(), json!({"next": next, "counts": counts}))
            })
            .collect();
        let columns: Vec<String> = Tally::columns().collect();
        let text = json!({
            "seed": self.seed, "seconds": self.seconds, "columns": columns, "families": families,
            "reproducers": self.reproducers, "open": self.open,
        });
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let new = path.with_extension("new");
        std::fs::write(&new, text.to_string())?;
        std::fs::rename(new, path)?;
        Ok(())
    }
}

/// Keeps the first lines of each sort, `[sort, line]`.
pub(crate) fn keep(kept: &mut Vec<String>, lines: Vec<[String; 2]>) {
    for [sort, line] in lines {
        let found = kept.iter().filter(|line| line.contains(&sort)).count();
        if found < MOST_KEPT {
            kept.push(line);
        }
    }
}
