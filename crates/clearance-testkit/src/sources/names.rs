//! What a user of the crate can name.

use std::collections::BTreeSet;

use super::resolve::Target;
use super::{Item, ModulePath, Sources};

/// What a public name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A struct, enum or union.
    Type,
    /// A trait.
    Trait,
    /// Another name of a type.
    Alias,
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
            "trait" => Self::Trait,
            "type" => Self::Alias,
            _ => Self::Type,
        }
    }
}

impl Sources {
    /// Every public item once, by its shortest path. Modules behind a feature are not public.
    pub fn public_names(&self) -> Vec<PublicName> {
        self.names_under(&[])
    }

    /// Every public item of a module once, by its shortest path in it.
    pub fn names_under(&self, module: &[&str]) -> Vec<PublicName> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        let module: ModulePath = module.iter().map(|name| (*name).to_owned()).collect();
        self.walk(&module, &module, &mut seen, &mut found);
        found.sort_by(|a, b| {
            let depth = |name: &PublicName| name.path.matches("::").count();
            (&a.defined, &a.name, depth(a), &a.path).cmp(&(&b.defined, &b.name, depth(b), &b.path))
        });
        found.dedup_by(|a, b| a.defined == b.defined && a.name == b.name);
        found.sort();
        found
    }

    /// Names that stand for more than one type, trait or alias; with those of these modules behind a feature.
    pub fn names_of_two_types(&self, behind_features: &[&str]) -> Vec<[PublicName; 2]> {
        let behind = behind_features.iter().flat_map(|module| self.names_under(&[module]));
        let mut types: Vec<PublicName> = self.public_names().into_iter().chain(behind).collect();
        types.retain(|name| matches!(name.kind, Kind::Type | Kind::Trait | Kind::Alias));
        types.sort_by(|a, b| (&a.name, &a.defined).cmp(&(&b.name, &b.defined)));
        types.dedup_by(|a, b| a.name == b.name && a.defined == b.defined);
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
