//! `clearance query`: JSON Lines in, JSON Lines out, one answer per line, in order, as the lines arrive.
//!
//! - [`session`]: one line to one answer, with the definitions between
//! - [`parse`]: a cursor over JSON that knows its path; `locate`: the path of a syntax error
//! - [`shapes`]: shapes and poses; [`answer`]: the ops; [`pairs`], [`manifold`], [`range`], [`cast`], [`contacts`], [`impact`]: those
//!   about two bodies; [`features`], [`trajectory`]: moving vertices, faces and edges; `certify`: proofs of answers
//! - [`error`]: the stable codes; `suggest`: did you mean …?
//!
//! This file is the loop. It holds one line at a time, at most [`LONGEST_LINE`] of it.

pub mod answer;
pub mod cast;
mod certify;
mod concave;
pub mod contacts;
pub mod features;
pub mod impact;
pub mod manifold;
pub mod moves;
pub mod near;
pub mod pairs;
pub mod parse;
pub mod range;
pub mod rays;
pub mod session;
pub mod shapes;
pub mod trajectory;

use std::io::{self, BufRead, Write};

use super::library;
pub use crate::error::{self, Code, QueryError};
pub use crate::stream::{StreamError, Summary};
use crate::{locate, suggest};
pub use session::{Answer, Session};

/// Bytes of the longest line that is read; longer ones are passed over and answered by an error.
pub const LONGEST_LINE: usize = 64 << 20;

/// A buffer that held a long line is cut back to this, lest one long line occupies its memory for good.
const KEPT_BUFFER: usize = 1 << 20;

/// Answers every line of `input`, flushing each answer before the next line is read. `advance` is told the bytes of each line.
///
/// # Errors
/// [`StreamError`] if reading or writing fails. A line that cannot be answered is no such error.
pub fn answer_lines(
    input: impl BufRead,
    output: impl Write,
    longest: usize,
    advance: impl FnMut(u64),
) -> Result<Summary, StreamError> {
    converse(Session::new(), input, output, longest, advance)
}

/// The same in a conversation that has begun.
///
/// # Errors
/// As [`answer_lines`].
pub fn converse(
    mut session: Session,
    mut input: impl BufRead,
    mut output: impl Write,
    longest: usize,
    mut advance: impl FnMut(u64),
) -> Result<Summary, StreamError> {
    let mut summary = Summary::default();
    let mut buffer = Vec::new();
    let mut number = 0;
    while let Some(line) = read_line(&mut input, &mut buffer, longest).map_err(StreamError::Read)? {
        number += 1;
        advance(line.bytes);
        if let Some(answer) = answer_bytes(&mut session, &buffer, line.whole, number == 1) {
            writeln!(output, "{answer}").and_then(|()| output.flush()).map_err(StreamError::Write)?;
            summary.answers += 1;
            if let Err(error) = answer.body {
                summary.errors += 1;
                summary.first_error.get_or_insert((number, error));
            }
        }
        buffer.shrink_to(KEPT_BUFFER);
    }
    Ok(summary)
}

fn answer_bytes(session: &mut Session, bytes: &[u8], whole: bool, first: bool) -> Option<Answer> {
    // Some editors begin a file with a byte-order mark, which is no part of its first line.
    let bytes = if first { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes) } else { bytes };
    let text = std::str::from_utf8(bytes);
    let valid = text.map_or_else(|error| &bytes[..error.valid_up_to()], |_| bytes);
    let beginning = std::str::from_utf8(valid).unwrap_or_default();
    if !whole {
        let message = format!("the line is longer than {} bytes", bytes.len());
        return Some(Answer::refused(beginning, QueryError::new(Code::LineTooLong, message)));
    }
    match text {
        Ok(text) => session.answer(text),
        Err(error) => {
            let message = format!("byte {} of the line is not UTF-8", error.valid_up_to() + 1);
            Some(Answer::refused(beginning, QueryError::new(Code::NotUtf8, message)))
        }
    }
}

/// What is known of a line besides its text.
struct Line {
    /// All its bytes, with its line break.
    bytes: u64,
    /// Whether the buffer holds all of it.
    whole: bool,
}

/// Reads a line into `buffer`, without its line break and at most `longest` bytes of it; none at the end of the input.
fn read_line(input: &mut impl BufRead, buffer: &mut Vec<u8>, longest: usize) -> io::Result<Option<Line>> {
    buffer.clear();
    let mut line = Line { bytes: 0, whole: true };
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        if chunk.is_empty() {
            return Ok((line.bytes > 0).then_some(line));
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let text = &chunk[..end.unwrap_or(chunk.len())];
        let room = longest - buffer.len();
        line.whole &= text.len() <= room;
        buffer.extend_from_slice(&text[..text.len().min(room)]);
        let used = text.len() + usize::from(end.is_some());
        line.bytes += used as u64;
        input.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}
