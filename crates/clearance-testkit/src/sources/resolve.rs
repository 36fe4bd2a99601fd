//! From a path as written to what it names.

use super::{Item, ModulePath, Sources, Use};

/// Re-exports of re-exports, before a path is given up.
const MOST_HOPS: usize = 32;

/// What a path names.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target<'a> {
    /// A module, by the first module path that has it.
    Module(&'a ModulePath),
    /// An item of a module.
    Item(&'a Item),
}

impl Sources {
    /// What a path names, if it is in this crate.
    pub(super) fn target(&self, of: &Use) -> Option<Target<'_>> {
        self.resolve(&of.module, &of.path, of.name.is_some(), 0)
    }

    /// The file of a target.
    pub(super) fn file_of(&self, target: Target<'_>) -> Option<usize> {
        match target {
            Target::Module(path) => self.modules.get(path).copied(),
            Target::Item(item) => self.modules.get(&item.module).copied(),
        }
    }

    /// `declared`: from a `use` declaration, whose first word may be any name in scope; else inside of the code, where other words than
    /// modules are types and enums, which are in scope by a declaration that counts already.
    fn resolve(&self, from: &ModulePath, path: &[String], declared: bool, hops: usize) -> Option<Target<'_>> {
        let (mut module, mut at) = (from.clone(), 0);
        while let Some(word) = path.get(at) {
            match word.as_str() {
                "crate" => module.clear(),
                "self" => {}
                "super" => drop(module.pop()),
                _ => break,
            }
            at += 1;
        }
        if at == 0 {
            let mut child = module.clone();
            child.push(path.first()?.clone());
            let known = self.modules.contains_key(&child) || (declared && self.has(&module, path.first()?));
            if !known {
                return None;
            }
        }
        self.within(module, &path[at..], hops)
    }

    /// Whether a module defines or imports a name.
    fn has(&self, module: &ModulePath, name: &str) -> bool {
        let Some(file) = self.modules.get(module).map(|file| &self.files[*file]) else { return false };
        let imported = |u: &Use| {
            u.module == *module && u.name.as_deref() == Some(name) && u.path.first().is_none_or(|first| first != name)
        };
        file.items.iter().any(|item| item.module == *module && item.name == name) || file.uses.iter().any(imported)
    }

    /// The rest of a path, from a module on.
    fn within(&self, mut module: ModulePath, path: &[String], hops: usize) -> Option<Target<'_>> {
        if hops > MOST_HOPS {
            return None;
        }
        for (at, word) in path.iter().enumerate() {
            let rest = &path[at + 1..];
            let (known, file) = self.modules.get_key_value(&module)?;
            let source = &self.files[*file];
            if word == "*" || word == "self" {
                return Some(Target::Module(known));
            }
            let mut child = module.clone();
            child.push(word.clone());
            let item = source.items.iter().find(|item| item.module == module && item.name == *word);
            let is_module = self.modules.contains_key(&child);
            if is_module && !(rest.is_empty() && item.is_some()) {
                // A private module may share its name with the function in it that its parent re-exports.
                let inner =
                    rest.is_empty().then(|| self.through_imports(&module, word, rest, hops)).flatten().flatten();
                if let Some(Target::Item(item)) = inner.filter(|_| rest.is_empty())
                    && item.module == child
                {
                    return Some(Target::Item(item));
                }
                module = child;
                continue;
            }
            if let Some(item) = item {
                return Some(Target::Item(item));
            }
            return self.through_imports(&module, word, rest, hops).unwrap_or(Some(Target::Module(known)));
        }
        self.modules.get_key_value(&module).map(|(path, _)| Target::Module(path))
    }

    /// A name that a module has from elsewhere. Nothing if it has no such name, and nothing inside if that is of another crate.
    fn through_imports(
        &self,
        module: &ModulePath,
        word: &str,
        rest: &[String],
        hops: usize,
    ) -> Option<Option<Target<'_>>> {
        let source = &self.files[*self.modules.get(module)?];
        let declared = || source.uses.iter().filter(|u| u.module == *module && u.name.is_some());
        if let Some(import) = declared().find(|u| u.name.as_deref() == Some(word)) {
            return Some(match self.resolve(module, &import.path, true, hops + 1) {
                Some(Target::Module(path)) if !rest.is_empty() => self.within(path.clone(), rest, hops + 1),
                other => other,
            });
        }
        for glob in declared().filter(|u| u.name.as_deref() == Some("*")) {
            let found = self.resolve(module, &glob.path, true, hops + 1);
            if let Some(Target::Module(path)) = found
                && path != module
                && let Some(Target::Item(item)) = self.within(path.clone(), &[word.to_owned()], hops + 1)
            {
                return Some(Some(Target::Item(item)));
            }
        }
        None
    }
}
