//! Which file depends on which, and what of that is against the architecture.

use std::collections::{BTreeMap, BTreeSet};

use super::resolve::Target;
use super::{ModulePath, Source, Sources, Use};

/// One file's use of another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependency {
    /// The file that uses.
    pub from: usize,
    /// The file that is used.
    pub to: usize,
    /// Where in the first.
    pub line: usize,
    /// As written.
    pub path: String,
}

/// The top-level module of a path; empty for the root.
fn top(module: &ModulePath) -> &str {
    module.first().map_or("", String::as_str)
}

impl Sources {
    /// All uses of one file in another, the root file aside: it declares and re-exports everything.
    pub fn dependencies(&self) -> Vec<Dependency> {
        let mut found = BTreeSet::new();
        for (from, source) in self.files.iter().enumerate().filter(|(_, source)| !source.module.is_empty()) {
            for of in &source.uses {
                let Some(target) = self.target(of) else { continue };
                let Some(to) = self.file_of(target).filter(|to| *to != from && *to != 0) else { continue };
                if !is_re_export(source, of, target) {
                    found.insert(Dependency { from, to, line: of.line, path: of.path.join("::") });
                }
            }
        }
        found.into_iter().collect()
    }

    /// Top-level modules that are not in this list.
    pub fn not_in(&self, order: &[String]) -> Vec<String> {
        let known = |name: &str| order.iter().any(|other| other == name);
        let modules = self.modules.keys().filter(|path| path.len() == 1 && !known(&path[0]));
        modules.map(|path| path[0].clone()).collect()
    }

    /// Uses of a module that comes later in the order than the one that uses it, each as a line to print.
    pub fn against_order(&self, order: &[String]) -> Vec<String> {
        let place = |file: usize| order.iter().position(|name| name == top(&self.files[file].module));
        let dependencies = self.dependencies();
        let wrong = dependencies.iter().filter(|d| place(d.to) > place(d.from));
        wrong.map(|d| format!("{}: below in the map", self.line(d))).collect()
    }

    /// Cycles among the files of one top-level module: for each the uses that make it, as lines to print.
    pub fn cycles(&self) -> Vec<Vec<String>> {
        let mut edges: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let inner = |d: &Dependency| top(&self.files[d.from].module) == top(&self.files[d.to].module);
        let dependencies: Vec<Dependency> = self.dependencies().into_iter().filter(inner).collect();
        for d in &dependencies {
            edges.entry(d.from).or_default().insert(d.to);
        }
        let reach: Vec<BTreeSet<usize>> = (0..self.files.len()).map(|file| reachable(&edges, file)).collect();
        let mut seen = BTreeSet::new();
        let mut cycles = Vec::new();
        for file in 0..self.files.len() {
            if !reach[file].contains(&file) || !seen.insert(file) {
                continue;
            }
            let round: BTreeSet<usize> =
                reach[file].iter().copied().filter(|other| reach[*other].contains(&file)).collect();
            seen.extend(&round);
            let of_it = dependencies.iter().filter(|d| round.contains(&d.from) && round.contains(&d.to));
            cycles.push(of_it.map(|d| self.line(d)).collect());
        }
        cycles
    }

    fn line(&self, d: &Dependency) -> String {
        format!("{}:{}: {} ({})", self.files[d.from].path, d.line, d.path, self.files[d.to].path)
    }
}

/// All files that one leads to.
fn reachable(edges: &BTreeMap<usize, BTreeSet<usize>>, from: usize) -> BTreeSet<usize> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(file) = open.pop() {
        for next in edges.get(&file).into_iter().flatten() {
            if found.insert(*next) {
                open.push(*next);
            }
        }
    }
    found
}

/// Whether a use only makes something of a module's own child visible, and the module does nothing with it.
fn is_re_export(source: &Source, of: &Use, target: Target<'_>) -> bool {
    let path = match target {
        Target::Module(path) => path,
        Target::Item(item) => &item.module,
    };
    let below = path.len() > source.module.len() && path.starts_with(&source.module);
    let used = of.name.as_ref().is_some_and(|name| source.words.contains_key(name));
    below && of.re_export && !used
}
