//! The path of a place in text that may be no JSON: what the parser was reading when it gave up.

use std::fmt::Write;

use super::suggest::quoted;

/// Levels that a path shows; deeper ones are left out.
const SHOWN: usize = 8;

/// A list with the index of its current element, or an object with its current key.
enum Frame<'t> {
    List(usize),
    Object(Option<&'t str>),
}

/// The path of the byte at `offset`, such as `a.points[2][0]`; empty for the line itself.
pub fn locate(text: &str, offset: usize) -> String {
    render(&frames(text, offset))
}

fn frames(text: &str, offset: usize) -> Vec<Frame<'_>> {
    let bytes = text.as_bytes();
    let mut frames = Vec::new();
    let mut at = 0;
    while at < offset.min(bytes.len()) {
        match bytes[at] {
            b'{' => frames.push(Frame::Object(None)),
            b'[' => frames.push(Frame::List(0)),
            b'}' | b']' => {
                frames.pop();
            }
            b',' => match frames.last_mut() {
                Some(Frame::List(index)) => *index += 1,
                Some(Frame::Object(key)) => *key = None,
                None => {}
            },
            b'"' => {
                let end = string_end(bytes, at + 1);
                if let Some(Frame::Object(key @ None)) = frames.last_mut() {
                    *key = text.get(at + 1..end);
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    frames
}

/// The index of the closing quotation mark of a string whose content starts at `at`, or the end of the text.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

fn render(frames: &[Frame<'_>]) -> String {
    let mut path = String::new();
    for frame in frames.iter().take(SHOWN) {
        // Writing to a string cannot fail.
        let _ = match frame {
            Frame::List(index) => write!(path, "[{index}]"),
            Frame::Object(None) => Ok(()),
            Frame::Object(Some(key)) => {
                let dot = if path.is_empty() { "" } else { "." };
                write!(path, "{dot}{}", quoted(key).trim_matches('\''))
            }
        };
    }
    if frames.len() > SHOWN {
        path.push('…');
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_the_place() {
        let text = r#"{"id":[1,{"x":2}],"a":{"k\"y":1,"points":[[0,1],[2,NaN]]}}"#;
        let at = |word: &str| locate(text, text.find(word).unwrap());
        assert_eq!(at("NaN"), "a.points[1][1]");
        assert_eq!(at("2}"), "id[1].x");
        assert_eq!(at("1,\"points"), "a.k\\\"y");
        assert_eq!(locate(text, 0), "");
        assert_eq!(locate(r#"{"open"#, 100), "open");
        assert!(locate(&"[".repeat(10_000), 10_000).len() < 100);
    }
}
