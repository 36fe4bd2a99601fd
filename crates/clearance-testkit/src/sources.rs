//! Reads the sources of a library: which file imports which, how long files and functions are, which names are public.
//!
//! A plain reader of Rust text, without macros and types: it sees modules, items, `use` declarations and paths. That is enough to
//! hold a library to the order of its modules, to find cycles among files and to list what is public.
//!
//! - [`Sources::read`] reads a crate from its root file
//! - [`Sources::against_order`], [`Sources::cycles`]: what the architecture forbids
//! - [`Sources::public_names`]: what a user of the crate can name

mod graph;
mod names;
mod parse;
mod resolve;
mod token;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

pub use graph::Dependency;
pub use names::{Kind, PublicName};
pub use parse::{Function, Item, Source, Use};

/// So many structs and enums a library may have without its optional features, that a person can know them.
pub const MOST_PUBLIC_TYPES: usize = 103;

/// The path of a module from the root of its crate; empty for the root.
pub type ModulePath = Vec<String>;

/// All files of one crate.
#[derive(Debug)]
pub struct Sources {
    /// The files, `lib.rs` first.
    pub files: Vec<Source>,
    /// In which file each module stands.
    modules: BTreeMap<ModulePath, usize>,
}

impl Sources {
    /// Reads a crate from the folder that its `lib.rs` stands in. Modules behind `#[cfg(test)]` are left out.
    ///
    /// # Errors
    /// If a file cannot be read, or a module has no file.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let mut sources = Self { files: Vec::new(), modules: BTreeMap::new() };
        sources.add(folder, "lib.rs".to_owned(), Vec::new())?;
        Ok(sources)
    }

    /// From the text of files, by their paths: for tests.
    ///
    /// # Errors
    /// If a module has no file.
    pub fn from_texts(texts: &[(&str, &str)]) -> Result<Self, String> {
        let mut sources = Self { files: Vec::new(), modules: BTreeMap::new() };
        let find = |path: &str| texts.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned());
        sources.add_from(&find, "lib.rs".to_owned(), Vec::new())?;
        Ok(sources)
    }

    fn add(&mut self, folder: &Path, path: String, module: ModulePath) -> Result<(), String> {
        let find = |path: &str| fs::read_to_string(folder.join(path)).ok();
        self.add_from(&find, path, module)
    }

    fn add_from(
        &mut self,
        find: &dyn Fn(&str) -> Option<String>,
        path: String,
        module: ModulePath,
    ) -> Result<(), String> {
        let text = find(&path).ok_or_else(|| format!("{path}: cannot be read"))?;
        let source = Source::parse(path, module.clone(), &text);
        let index = self.files.len();
        for inner in &source.inline_modules {
            self.modules.insert(inner.clone(), index);
        }
        self.modules.insert(module, index);
        let children: Vec<ModulePath> = source.children.iter().map(|child| child.path.clone()).collect();
        self.files.push(source);
        for child in children {
            if self.modules.contains_key(&child) {
                continue; // declared twice, under different conditions
            }
            let base = child.join("/");
            let path = [format!("{base}.rs"), format!("{base}/mod.rs")].into_iter().find(|path| find(path).is_some());
            let path = path.ok_or_else(|| format!("{base}: no file for this module"))?;
            self.add_from(find, path, child)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(texts: &[(&str, &str)]) -> Sources {
        Sources::from_texts(texts).expect("every module has a file")
    }

    fn order(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn an_import_against_the_order_is_found_however_it_is_written() {
        let root = "mod high; mod low; pub use low::Thing;";
        let ways = [
            "use crate::low::Thing;",
            "use crate::{low::{inner::Other as Mine, Thing}};",
            "use super::low;",
            "pub(crate) use crate::low::inner::*;",
            "fn f() { let x: crate::low::Thing; }",
            "fn f() { super::low::inner::g() }",
            "fn f() { use crate::low::Thing; }",
            "use crate::Thing;", // re-exported by the root
            "impl crate::low::inner::Other {}",
        ];
        let low = ("low/mod.rs", "pub mod inner; pub struct Thing;");
        let inner = ("low/inner.rs", "pub struct Other; pub fn g() {}");
        for way in ways {
            let sources = read(&[("lib.rs", root), ("high.rs", way), low, inner]);
            assert!(!sources.against_order(&order(&["high", "low"])).is_empty(), "{way}");
            assert!(sources.against_order(&order(&["low", "high"])).is_empty(), "{way}");
        }
        let harmless = [
            "// use crate::low::Thing;",
            "#[cfg(test)] mod tests { use crate::low::Thing; }",
            "/// [`Thing`](crate::low::Thing)\nfn f() { let s = \"crate::low::Thing\"; }",
            "use low::Thing;", // another crate
            "fn f() -> impl Sized + use<'_> { low::g() }",
        ];
        for way in harmless {
            let sources = read(&[("lib.rs", root), ("high.rs", way), low, inner]);
            assert!(sources.against_order(&order(&["high", "low"])).is_empty(), "{way}");
        }
        assert_eq!(read(&[("lib.rs", root), ("high.rs", ""), low, inner]).not_in(&order(&["high"])), ["low"]);
    }

    #[test]
    fn a_cycle_among_the_files_of_a_module_is_found_and_a_re_export_is_none() {
        let cases = [
            ("mod a; mod b;", "use super::b::g; pub fn f() {}", "use super::a::f; pub fn g() {}", true),
            ("mod a; mod b; pub use a::f;", "use super::b::g; pub fn f() {}", "use super::f; pub fn g() {}", true),
            ("mod a; mod b;", "use super::b::g; pub fn f() {}", "pub fn g() {}", false),
            ("mod a; mod b; pub struct S;", "use super::S;", "use super::S; fn g() { super::a::f() }", false),
            ("mod a; mod b; pub struct S; fn h() { a::f() }", "use super::S; pub fn f() {}", "", true),
            ("mod a; mod b; pub use a::f; pub struct S;", "use super::S; pub fn f() {}", "", false),
            ("mod a; mod b; pub use a::f; pub struct S; fn h() { f() }", "use super::S; pub fn f() {}", "", true),
            ("mod a; mod b; use crate::m::a::*; pub struct S;", "use super::S; pub fn f() {}", "", true),
        ];
        for (parent, a, b, cyclic) in cases {
            let sources = read(&[("lib.rs", "mod m;"), ("m/mod.rs", parent), ("m/a.rs", a), ("m/b.rs", b)]);
            assert_eq!(!sources.cycles().is_empty(), cyclic, "{parent} | {a} | {b}");
        }
    }

    #[test]
    fn public_names_are_those_that_a_user_can_reach() {
        let root = "#[cfg(feature = \"internals\")] #[doc(hidden)] pub mod hidden;
            #[cfg(not(feature = \"internals\"))] mod hidden;
            pub mod shown; pub use hidden::{Known, known as called}; pub mod inline { pub use crate::hidden::deep; }";
        let hidden = "pub mod deep; pub struct Known; pub struct Unknown; pub fn known() {} pub(crate) struct Inner;";
        let deep = "pub enum Deep { A } struct Private; impl Deep { pub fn method() {} pub const C: u8 = 0; }";
        let texts =
            [("lib.rs", root), ("hidden/mod.rs", hidden), ("hidden/deep.rs", deep), ("shown.rs", "pub trait Seen {}")];
        let names: Vec<String> = read(&texts).public_names().into_iter().map(|name| name.path).collect();
        assert_eq!(names, ["inline::deep::Deep", "Known", "shown::Seen", "called"]); // types, traits, functions
        let gated = "#[cfg(feature = \"study\")] pub mod a; pub mod b;";
        let gated = [("lib.rs", gated), ("a.rs", "pub struct S;"), ("b.rs", "pub struct S; pub struct T;")];
        assert_eq!(read(&gated).public_names().len(), 2);
        assert_eq!(read(&gated).names_of_two_types(&["a"]).len(), 1);
        let twice = [("lib.rs", "pub mod a; pub mod b;"), ("a.rs", "pub struct S;"), ("b.rs", "pub struct S;")];
        assert_eq!(read(&twice).names_of_two_types(&[]).len(), 1);
        let once = [("lib.rs", "pub mod a; pub mod b;"), ("a.rs", "pub struct S;"), ("b.rs", "pub use crate::a::S;")];
        assert!(read(&once).names_of_two_types(&[]).is_empty());
    }

    #[test]
    fn lengths_are_counted_from_the_first_line_to_the_closing_brace() {
        let text = "impl S {\n    fn short(&self) -> [u8; 3];\n    fn f<T>(\n        x: [u8; 2],\n    ) {\n        g(\"}\");\n    }\n}\n";
        let source = Source::parse("a.rs".to_owned(), Vec::new(), text);
        assert_eq!(source.lines, 8);
        assert_eq!(source.functions, [Function { name: "f".to_owned(), line: 3, lines: 5 }]);
    }
}
