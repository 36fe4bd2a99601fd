//! Words and numbers of text files, with the line they are on.

use crate::error::Fault;

/// The words of a text, with the number of their line; a word that begins with `#` ends its line.
pub(crate) struct Words<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    current: std::str::SplitAsciiWhitespace<'t>,
    line: usize,
    comments: bool,
}

impl<'t> Words<'t> {
    pub fn new(text: &'t str, comments: bool) -> Self {
        Self { lines: text.lines().enumerate(), current: "".split_ascii_whitespace(), line: 0, comments }
    }

    /// The next word, on whatever line.
    pub fn next(&mut self) -> Option<&'t str> {
        loop {
            match self.current.next() {
                Some(word) if self.comments && word.starts_with('#') => self.current = "".split_ascii_whitespace(),
                Some(word) => return Some(word),
                None => {
                    let (number, line) = self.lines.next()?;
                    (self.line, self.current) = (number + 1, line.split_ascii_whitespace());
                }
            }
        }
    }

    /// Passes over what is left of the line.
    pub fn end_line(&mut self) {
        self.current = "".split_ascii_whitespace();
    }

    /// What is left of the line: words with a space between them.
    pub fn rest(&mut self) -> String {
        let words: Vec<&str> = self.current.by_ref().collect();
        words.join(" ")
    }

    /// The line of the last word.
    pub fn line(&self) -> usize {
        self.line
    }

    pub fn number(&mut self, what: &str) -> Result<f64, Fault> {
        let word = self.next();
        number(word, self.line, what)
    }

    pub fn whole(&mut self, what: &str) -> Result<u64, Fault> {
        let word = self.next().ok_or_else(|| Fault::line(self.line, format!("ends where {what} should be")))?;
        let read = word.parse();
        read.map_err(|_| Fault::line(self.line, format!("{what} is '{}', no whole number", short(word))))
    }
}

/// A finite number.
pub(crate) fn number(word: Option<&str>, line: usize, what: &str) -> Result<f64, Fault> {
    let word = word.ok_or_else(|| Fault::line(line, format!("ends where {what} should be")))?;
    let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| Fault::line(line, format!("{what} is '{}', no finite number", short(word))))
}

/// Text as messages show it: on one line, and not longer than a word.
pub(crate) fn short(text: &str) -> String {
    let shown: String = text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if shown.len() < text.len() { shown + "…" } else { shown }
}
