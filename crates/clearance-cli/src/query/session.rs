//! One conversation: a line in, an answer out, and the definitions between them.

use std::cell::RefCell;
use std::fmt;

use super::library::Cache;
use serde_json::Value;

use super::answer::{self, Fields};
use super::error::QueryError;
use super::parse::{Member, Object, Path, malformed, read_members};
use super::shapes::{self, Definitions};

/// The state of a conversation: the shapes defined so far, and memory for casts that holds nothing else.
#[derive(Debug, Default)]
pub struct Session {
    definitions: Definitions,
    scratch: RefCell<Cache>,
}

/// The answer to one line; its `Display` is one line of JSON.
#[derive(Clone, Debug)]
pub struct Answer {
    id: Option<String>,
    /// The members of the answer in their order, or why there is none.
    pub body: Result<Fields, QueryError>,
}

impl Session {
    /// A conversation without definitions.
    pub fn new() -> Self {
        Self::default()
    }

    /// A conversation in which paths of mesh files are relative to a folder; to the working directory where the file is not there.
    pub fn in_folder(folder: std::path::PathBuf) -> Self {
        Self { definitions: Definitions::in_folder(folder), ..Self::default() }
    }

    /// How many shapes are defined.
    pub fn definitions(&self) -> usize {
        self.definitions.len()
    }

    /// Answers one line; a blank one has no answer.
    ///
    /// ```
    /// let mut session = clearance_cli::query::Session::new();
    /// let answer = session.answer(r#"{"id":1,"op":"aabb","a":{"type":"sphere","radius":2}}"#);
    /// assert_eq!(answer.unwrap().to_string(), r#"{"id":1,"min":[-2.0,-2.0,-2.0],"max":[2.0,2.0,2.0]}"#);
    /// ```
    pub fn answer(&mut self, line: &str) -> Option<Answer> {
        if line.trim_ascii().is_empty() {
            return None;
        }
        let mut members = Vec::new();
        let read = read_members(line, &mut members);
        let id = members.iter().find(is_id).map(|(_, raw)| on_one_line(raw.get()));
        let body = match read {
            Ok(()) => self.body(members),
            Err(error) => Err(malformed(line, &error)),
        };
        Some(Answer { id, body })
    }

    fn body(&mut self, members: Vec<Member<'_>>) -> Result<Fields, QueryError> {
        let object = Object::new(&Path::Root, members)?;
        let Some(define) = object.find("define") else {
            return answer::answer(&object, &self.definitions, &self.scratch);
        };
        object.only(&["id", "define", "shape"])?;
        let name = define.string()?;
        if name.is_empty() {
            return Err(define.bad("is empty; it must be a name"));
        }
        let shape = shapes::shape(&object.get("shape")?, &self.definitions)?;
        self.definitions.insert(name.clone(), shape);
        Ok(vec![("defined", Value::from(name))])
    }
}

fn is_id(member: &&Member<'_>) -> bool {
    member.0 == "id"
}

/// A JSON text without the white space between its tokens, which might contain a line break.
fn on_one_line(text: &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    let keep = |c: &char| {
        let kept = in_string || !c.is_ascii_whitespace();
        if *c == '"' && !escaped {
            in_string = !in_string;
        }
        escaped = in_string && *c == '\\' && !escaped;
        kept
    };
    text.chars().filter(keep).collect()
}

impl Answer {
    /// The answer to a line that could not be read whole, with the `id` if it stands in the part that could.
    pub fn refused(beginning: &str, error: QueryError) -> Self {
        let mut members = Vec::new();
        // It ends in the middle, so this fails; what counts is what was read until then.
        let _ = read_members(beginning, &mut members);
        // A number at the very end may lack its last digits.
        let end = |text: &str| text.as_bytes().as_ptr_range().end;
        members.retain(|(_, raw)| end(raw.get()) != end(beginning));
        let id = members.iter().find(is_id).map(|(_, raw)| on_one_line(raw.get()));
        Self { id, body: Err(error) }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        if let Some(id) = &self.id {
            write!(f, "\"id\":{id},")?;
        }
        match &self.body {
            // Names of fields need no escapes.
            Ok(fields) => {
                for (i, (name, value)) in fields.iter().enumerate() {
                    let comma = if i == 0 { "" } else { "," };
                    write!(f, "{comma}\"{name}\":{value}")?;
                }
            }
            Err(QueryError { code, message }) => {
                write!(f, "\"error\":{{\"code\":\"{code}\",\"message\":{}}}", Value::from(message.as_str()))?;
            }
        }
        f.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::Code;
    use super::*;

    #[test]
    fn white_space_goes_but_not_inside_strings() {
        assert_eq!(on_one_line("[ 1,\r\n \"a b\\\" c\" , { } ]"), "[1,\"a b\\\" c\",{}]");
        assert_eq!(on_one_line(r#" "\\" "#), r#""\\""#);
    }

    #[test]
    fn an_id_that_may_be_cut_is_left_out() {
        let id = |text: &str| Answer::refused(text, QueryError::new(Code::NotUtf8, "")).id;
        assert_eq!(id(r#"{"id":12"#), None);
        assert_eq!(id(r#"{"id":12,"op":"#), Some("12".to_owned()));
        assert_eq!(id(r#"{"op":"#), None);
    }
}
