//! Where a scene comes from: a file, standard input, or the program itself.

use std::fmt;
use std::io::{self, Read};
use std::path::Path as FilePath;

use super::dynamics;
use super::scene::{Overrides, Scene};
use crate::locate::locate;
use crate::query::QueryError;
use crate::query::parse::{Object, Path, read_members};
use crate::suggest::{did_you_mean, list, quoted};

/// Bytes of the longest scene that is read.
pub const LONGEST_SCENE: u64 = 64 << 20;

/// A scene that the program brings along.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// What it is called on the command line.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

impl BuiltIn {
    /// What it shows, in a line; found without making its bodies.
    pub fn title(&self) -> String {
        let mut members = Vec::new();
        // A scene of the program is well formed: a test reads them all.
        let _ = read_members(self.text, &mut members);
        let title = members.iter().find(|(name, _)| name == "title");
        title.and_then(|(_, raw)| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    }
}

macro_rules! built_in {
    ($($name:literal),*) => {
        &[$(BuiltIn { name: $name, text: include_str!(concat!("../../../../scenes/", $name, ".json")) }),*]
    };
}

/// Every scene that the program brings along: the files in `scenes/`.
pub const BUILT_IN: &[BuiltIn] = built_in!["thesis-500", "thesis-100", "shapes"];

/// What is wrong with a scene, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// The file, or the name of the scene.
    pub source: String,
    /// Line and column, if the text is no JSON.
    pub place: Option<(usize, usize)>,
    /// What is wrong, with which field.
    pub message: String,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for SceneError {}

/// Finds and reads a scene: one of the program's own, a file, or `-` for standard input.
///
/// # Errors
/// If there is none, or it is bad.
pub fn load(source: &str, overrides: &Overrides) -> Result<Scene, SceneError> {
    if let Some(known) = BUILT_IN.iter().find(|known| known.name == source) {
        return parse(source, known.text, overrides);
    }
    let name = if source == "-" { "standard input" } else { source };
    let failed = |message: String| SceneError { source: name.to_owned(), place: None, message };
    let read = if source == "-" { all_of(io::stdin().lock()) } else { std::fs::File::open(source).and_then(all_of) };
    let bytes = read.map_err(|error| failed(unreadable(source, &error)))?;
    if bytes.len() as u64 > LONGEST_SCENE {
        return Err(failed(format!("is longer than {LONGEST_SCENE} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..valid];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        SceneError { place: Some((line, column)), ..failed("is not UTF-8 text".to_owned()) }
    })?;
    parse(name, &text, overrides)
}

fn all_of(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(LONGEST_SCENE + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Somebody who asks for a file that is not there may have misspelt a name.
fn unreadable(source: &str, error: &io::Error) -> String {
    let is_name = FilePath::new(source).components().count() == 1 && !source.contains('.');
    if error.kind() != io::ErrorKind::NotFound || !is_name {
        return format!("cannot read: {error}");
    }
    let known = || BUILT_IN.iter().map(|scene| scene.name).chain(dynamics::SCENES.iter().map(|scene| scene.name));
    let hint = did_you_mean(source, known());
    format!("there is no such file, and no scene {} in the program{hint}; known: {}", quoted(source), list(known()))
}

/// Reads the text of a scene.
///
/// # Errors
/// If it is bad: with line and column if it is no JSON, with the path of the field if it is no scene.
pub fn parse(source: &str, text: &str, overrides: &Overrides) -> Result<Scene, SceneError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let failed = |place, message| SceneError { source: source.to_owned(), place, message };
    let mut members = Vec::new();
    if let Err(error) = read_members(text, &mut members) {
        let place = (error.line(), error.column());
        return Err(failed(Some(place), malformed(text, &error)));
    }
    let told = |error: QueryError| failed(None, error.message);
    let object = Object::new(&Path::Root, members).map_err(told)?;
    Scene::from_object(&object, overrides).map_err(told)
}

fn malformed(text: &str, error: &serde_json::Error) -> String {
    if error.is_data() {
        return "a scene must be one JSON object".to_owned();
    }
    let lines_before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let path = locate(text, lines_before + error.column().saturating_sub(1));
    let place = if path.is_empty() { String::new() } else { format!("in {path}: ") };
    let reason = error.to_string();
    let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
    format!("{place}{reason}")
}
