//! Modules, items, imports and functions of one file.

use std::collections::BTreeMap;

use super::ModulePath;
use super::token::{Token, tokens};

/// A path that one file uses of another: from a `use` declaration or inside of the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Where.
    pub line: usize,
    /// The module it stands in.
    pub module: ModulePath,
    /// As written, nested braces taken apart; `*` for all names.
    pub path: Vec<String>,
    /// The name it has here: the last of the path, or what follows `as`. None for paths inside of the code.
    pub name: Option<String>,
    /// `pub`, without restriction.
    pub public: bool,
    /// `pub` of any kind.
    pub re_export: bool,
}

/// A struct, function or other item of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// `struct`, `enum`, `fn`, …
    pub keyword: String,
    /// Where.
    pub line: usize,
    /// The module it stands in.
    pub module: ModulePath,
    /// `pub`, without restriction.
    pub public: bool,
}

/// A function with its length, methods and nested ones included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub line: usize,
    /// From its first line to its closing brace.
    pub lines: usize,
}

/// `mod name;`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Child {
    pub path: ModulePath,
    pub public: bool,
}

/// What is in one file, modules for tests left out.
#[derive(Debug)]
pub struct Source {
    /// From the folder of `lib.rs`.
    pub path: String,
    /// The module that the file is.
    pub module: ModulePath,
    /// Lines of the file.
    pub lines: usize,
    /// Paths it uses.
    pub uses: Vec<Use>,
    /// Items of its modules.
    pub items: Vec<Item>,
    /// All functions.
    pub functions: Vec<Function>,
    /// Modules in files of their own.
    pub(super) children: Vec<Child>,
    /// Modules written out in this file.
    pub(super) inline_modules: Vec<ModulePath>,
    /// The public ones of these.
    pub(super) public_inline: Vec<ModulePath>,
    /// How often each word occurs outside of `use` declarations.
    pub(super) words: BTreeMap<String, usize>,
}

/// What a brace has opened.
#[derive(PartialEq)]
enum Scope {
    Module,
    Other,
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    scopes: Vec<Scope>,
    module: ModulePath,
    /// The next module is behind a feature that is off by default.
    gated: bool,
    source: Source,
}

impl Source {
    /// Reads the text of a file.
    pub fn parse(path: String, module: ModulePath, text: &str) -> Self {
        let tokens = tokens(text);
        let source = Self {
            path,
            module: module.clone(),
            lines: text.lines().count(),
            uses: Vec::new(),
            items: Vec::new(),
            functions: Vec::new(),
            children: Vec::new(),
            inline_modules: Vec::new(),
            public_inline: Vec::new(),
            words: BTreeMap::new(),
        };
        let mut parser = Parser { tokens: &tokens, at: 0, scopes: Vec::new(), module, gated: false, source };
        while parser.at < tokens.len() {
            parser.step();
        }
        parser.source
    }
}

impl Parser<'_> {
    /// The token so many places from here; empty beyond the end.
    fn word(&self, offset: usize) -> &str {
        self.tokens.get(self.at + offset).map_or("", |token| token.text.as_str())
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at.min(self.tokens.len() - 1)).map_or(0, |token| token.line)
    }

    fn in_module(&self) -> bool {
        self.scopes.iter().all(|scope| *scope == Scope::Module)
    }

    fn step(&mut self) {
        if self.word(0) == "#" && (self.word(1) == "[" || self.word(2) == "[") {
            self.attribute();
            return;
        }
        if self.word(0) == "{" {
            self.scopes.push(Scope::Other);
            self.at += 1;
            return;
        }
        if self.word(0) == "}" {
            self.close();
            return;
        }
        let public = self.word(0) == "pub";
        let mut re_export = false;
        let mut restricted = false;
        let start = self.at;
        if public {
            re_export = true;
            self.at += 1;
            if self.word(0) == "(" && matches!(self.word(1), "crate" | "super" | "self" | "in") {
                restricted = true;
                self.skip_group();
            }
        }
        let public = public && !restricted;
        if self.word(0) == "use" && self.word(1) != "<" {
            self.gated = false;
            self.declaration(public, re_export);
        } else if self.word(0) == "mod" {
            self.submodule(public);
        } else if !self.item(public) && self.at == start {
            self.path_or_word();
        }
    }

    /// Past an attribute, and past what it belongs to if that is for tests only.
    fn attribute(&mut self) {
        let start = self.at;
        self.at += if self.word(1) == "[" { 1 } else { 2 };
        self.skip_group();
        let words: Vec<&str> = self.tokens[start..self.at].iter().map(|token| token.text.as_str()).collect();
        let condition = words.contains(&"cfg") && !words.contains(&"not");
        let internal = words.contains(&"\"internals\"") && matches!(self.kind_of_next_item(), "mod" | "use");
        // Both precisions have the same names.
        let twin = words.contains(&"single_precision");
        self.gated |= condition && words.contains(&"feature");
        if condition && (words.contains(&"test") || internal || twin) {
            self.skip_item();
            self.gated = false;
        }
    }

    /// The keyword behind `pub` of the item that follows, other attributes aside.
    fn kind_of_next_item(&self) -> &str {
        let rest = &self.tokens[self.at..];
        let visible = rest.iter().take_while(|token| token.text != ";").position(|token| token.text == "pub");
        visible.map_or("", |at| rest.get(at + 1).map_or("", |token| token.text.as_str()))
    }

    /// From an opening bracket to behind the one that closes it.
    fn skip_group(&mut self) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            match self.word(0) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Past an item: to its semicolon or the end of its braces.
    fn skip_item(&mut self) {
        while self.at < self.tokens.len() {
            match self.word(0) {
                ";" => {
                    self.at += 1;
                    return;
                }
                "{" => {
                    self.skip_group();
                    return;
                }
                "(" | "[" => self.skip_group(),
                _ => self.at += 1,
            }
        }
    }

    fn close(&mut self) {
        if self.scopes.pop() == Some(Scope::Module) {
            self.module.pop();
        }
        self.at += 1;
    }

    fn submodule(&mut self, public: bool) {
        let public = public && !std::mem::take(&mut self.gated);
        let mut path = self.module.clone();
        path.push(self.word(1).to_owned());
        let inline = self.word(2) == "{";
        self.at += 3;
        if inline {
            self.scopes.push(Scope::Module);
            self.module.clone_from(&path);
            if public {
                self.source.public_inline.push(path.clone());
            }
            self.source.inline_modules.push(path);
        } else {
            self.source.children.push(Child { path, public });
        }
    }

    /// An item with a name; true if there was one.
    fn item(&mut self, public: bool) -> bool {
        let keyword = self.word(0).to_owned();
        let name = self.word(1).to_owned();
        let named = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        match keyword.as_str() {
            "fn" if named => self.function(&name),
            "struct" | "enum" | "union" | "trait" | "type" | "static" | "const" if named && self.in_module() => {
                if keyword == "const" && matches!(name.as_str(), "fn" | "unsafe" | "extern") {
                    self.at += 1;
                    return self.item(public);
                }
            }
            "macro_rules" => {
                self.at += 2;
                self.skip_item();
                return true;
            }
            _ => return false,
        }
        self.gated = false;
        if self.in_module() {
            let item = Item { name, keyword, line: self.line(), module: self.module.clone(), public };
            self.source.items.push(item);
        }
        self.at += 2;
        true
    }

    /// Notes where the body of a function ends.
    fn function(&mut self, name: &str) {
        let line = self.line();
        let mut depth = 0;
        for (offset, token) in self.tokens[self.at..].iter().enumerate() {
            match token.text.as_str() {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                ";" if depth == 0 => return,
                "{" if depth == 0 => {
                    let end = self.end_of_group(self.at + offset);
                    let lines = end + 1 - line;
                    self.source.functions.push(Function { name: name.to_owned(), line, lines });
                    return;
                }
                _ => {}
            }
        }
    }

    /// The line of the bracket that closes the one at this place.
    fn end_of_group(&self, start: usize) -> usize {
        let mut depth = 0;
        for token in &self.tokens[start..] {
            match token.text.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return token.line;
            }
        }
        self.line()
    }

    /// A `use` declaration.
    fn declaration(&mut self, public: bool, re_export: bool) {
        self.at += 1;
        self.tree(&mut Vec::new(), public, re_export);
        self.at += 1;
    }

    /// One branch of a `use` tree, to the comma or bracket behind it.
    fn tree(&mut self, prefix: &mut Vec<String>, public: bool, re_export: bool) {
        let depth = prefix.len();
        let line = self.line();
        let mut name = None;
        while self.at < self.tokens.len() {
            match self.word(0) {
                "::" => {}
                "{" => {
                    self.at += 1;
                    while !matches!(self.word(0), "}" | ";" | "") {
                        self.tree(&mut prefix.clone(), public, re_export);
                        if self.word(0) == "," {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    prefix.truncate(depth);
                    return;
                }
                "," | "}" | ";" => break,
                "as" => {
                    self.at += 1;
                    name = Some(self.word(0).to_owned());
                }
                word => prefix.push(word.to_owned()),
            }
            self.at += 1;
        }
        // A `self` at the end is the module itself, and no function of the same name.
        let name = name.or_else(|| prefix.iter().rev().find(|word| *word != "self").cloned());
        let path = prefix.clone();
        self.source.uses.push(Use { line, module: self.module.clone(), path, name, public, re_export });
        prefix.truncate(depth);
    }

    /// A path inside of the code, or a single word.
    fn path_or_word(&mut self) {
        let first = self.word(0).to_owned();
        let line = self.line();
        let is_word = first.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if is_word {
            *self.source.words.entry(first.clone()).or_default() += 1;
        }
        self.at += 1;
        let continued = self.at >= 2 && self.tokens[self.at - 2].text == "::";
        if !is_word || continued || self.word(0) != "::" {
            return;
        }
        let mut path = vec![first];
        while self.word(0) == "::" && self.word(1).starts_with(|c: char| c.is_alphabetic() || c == '_') {
            let word = self.word(1).to_owned();
            *self.source.words.entry(word.clone()).or_default() += 1;
            path.push(word);
            self.at += 2;
        }
        let module = self.module.clone();
        self.source.uses.push(Use { line, module, path, name: None, public: false, re_export: false });
    }
}
