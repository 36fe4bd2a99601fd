//! The words of a map, with their lines.

use super::MapError;

/// The most characters of the text that an error repeats.
const LONGEST_EXCERPT: usize = 32;

/// A piece of text that means one thing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'t> {
    /// Between quotation marks, without them.
    Quoted(&'t str),
    /// Anything else between white space; braces, brackets and parentheses by themselves are words of one character.
    Word(&'t str),
    End,
}

impl Token<'_> {
    pub fn describe(&self) -> String {
        match self {
            Token::Quoted(text) => format!("\"{}\"", shortened(text)),
            Token::Word(text) => format!("`{}`", shortened(text)),
            Token::End => "the end of the text".to_string(),
        }
    }
}

pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Reads tokens from left to right; each call moves on or is at the end.
pub(super) struct Tokens<'t> {
    rest: &'t str,
    pub line: u32,
}

impl<'t> Tokens<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1 }
    }

    /// White space and comments, which start with `//` where a token could start and end with the line.
    fn skip_space(&mut self) {
        loop {
            let trimmed = self.rest.trim_start();
            let skipped = &self.rest[..self.rest.len() - trimmed.len()];
            self.line = self.line.saturating_add(skipped.matches('\n').count() as u32);
            self.rest = trimmed;
            if !trimmed.starts_with("//") {
                return;
            }
            self.rest = trimmed.find('\n').map_or("", |end| &trimmed[end..]);
        }
    }

    /// The next token.
    pub fn next(&mut self) -> Result<Token<'t>, MapError> {
        self.skip_space();
        if let Some(quoted) = self.rest.strip_prefix('"') {
            return match quoted.find(['"', '\n']) {
                Some(end) if quoted.as_bytes()[end] == b'"' => {
                    self.rest = &quoted[end + 1..];
                    Ok(Token::Quoted(&quoted[..end]))
                }
                _ => Err(MapError::OpenQuote { line: self.line }),
            };
        }
        match self.rest.chars().next() {
            None => Ok(Token::End),
            Some(mark) if is_mark(mark) => Ok(self.take(mark.len_utf8())),
            Some(_) => {
                let end = self.rest.find(|c: char| c.is_whitespace() || is_mark(c) || c == '"');
                Ok(self.take(end.unwrap_or(self.rest.len())))
            }
        }
    }

    /// All up to white space, as names of textures may contain any other character; or quoted text.
    pub fn name(&mut self) -> Result<Token<'t>, MapError> {
        self.skip_space();
        if self.rest.is_empty() || self.rest.starts_with('"') {
            return self.next();
        }
        let end = self.rest.find(char::is_whitespace);
        Ok(self.take(end.unwrap_or(self.rest.len())))
    }

    /// The next token, left where it is.
    pub fn peek(&self) -> Result<Token<'t>, MapError> {
        Tokens { rest: self.rest, line: self.line }.next()
    }

    fn take(&mut self, length: usize) -> Token<'t> {
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        Token::Word(word)
    }
}

fn is_mark(c: char) -> bool {
    matches!(c, '{' | '}' | '(' | ')' | '[' | ']')
}
