//! What a user of the crate can name.

use std::collections::BTreeSet;

use super::resolve::Target;
use super::{Item, ModulePath, Sources};

/// What a public name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A struct, enum, union, trait or alias.
    Type,
    /// A function.
    Function,
    /// A constant or static.
    Constant,
}

/// A public name and the item it stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PublicName {
    /// What it is.
    pub kind: Kind,
    /// The name.
    pub name: String,
    /// Where a user finds it first, with `::`.
    pub path: String,
    /// File and line of its definition.
    pub defined: String,
}

impl Kind {
    fn of(item: &Item) -> Self {
        match item.keyword.as_str() {
            "fn" => Self::Function,
            "const" | "static" => Self::Constant,
            _ => Self::Type,
        }
    }
}

impl Sources {
    /// Every public item once, by its shortest path. Modules behind the feature `internals` are not public.
    pub fn public_names(&self) -> Vec<PublicName> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        self.walk(&Vec::new(), &Vec::new(), &mut seen, &mut found);
        found.sort_by(|a, b| {
            let depth = |name: &PublicName| name.path.matches("::").count();
            (&a.defined, &a.name, depth(a), &a.path).cmp(&(&b.defined, &b.name, depth(b), &b.path))
        });
        found.dedup_by(|a, b| a.defined == b.defined && a.name == b.name);
        found.sort();
        found
    }

    /// Names that stand for more than one type.
    pub fn types_of_one_name(&self) -> Vec<[PublicName; 2]> {
        let types: Vec<PublicName> = self.public_names().into_iter().filter(|name| name.kind == Kind::Type).collect();
        types
            .windows(2)
            .filter(|pair| pair[0].name == pair[1].name)
            .map(|pair| [pair[0].clone(), pair[1].clone()])
            .collect()
    }

    /// The public names of a module that users know by the path `shown`.
    fn walk(
        &self,
        module: &ModulePath,
        shown: &ModulePath,
        seen: &mut BTreeSet<(ModulePath, ModulePath)>,
        found: &mut Vec<PublicName>,
    ) {
        if !seen.insert((module.clone(), shown.clone())) || shown.len() > 8 {
            return;
        }
        let Some(source) = self.modules.get(module).map(|file| &self.files[*file]) else { return };
        for item in source.items.iter().filter(|item| item.module == *module && item.public) {
            found.push(self.public_name(item, &item.name, shown));
        }
        let below = |name: &String| shown.iter().cloned().chain([name.clone()]).collect::<ModulePath>();
        let children = source.children.iter().filter(|child| child.public).map(|child| &child.path);
        for child in children.chain(&source.public_inline) {
            if let Some((name, parent)) = child.split_last()
                && *parent == module[..]
            {
                self.walk(child, &below(name), seen, found);
            }
        }
        for import in source.uses.iter().filter(|u| u.public && u.module == *module) {
            let Some(name) = &import.name else { continue };
            match self.target(import) {
                Some(Target::Module(path)) if name == "*" => self.walk(path, shown, seen, found),
                Some(Target::Module(path)) => self.walk(path, &below(name), seen, found),
                Some(Target::Item(item)) => found.push(self.public_name(item, name, shown)),
                None => {}
            }
        }
    }

    fn public_name(&self, item: &Item, name: &str, shown: &ModulePath) -> PublicName {
        let file = self.modules.get(&item.module).map_or("", |file| self.files[*file].path.as_str());
        let path = shown.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("::");
        PublicName { kind: Kind::of(item), name: name.to_owned(), path, defined: format!("{file}:{}", item.line) }
    }
}
