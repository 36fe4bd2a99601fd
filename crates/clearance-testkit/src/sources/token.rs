//! Words and signs of Rust text, without comments.

/// A word, a path separator or a single sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub text: String,
    /// From 1.
    pub line: usize,
}

/// The tokens of a text. Comments and lifetimes are left out; a string is one token with its quotes.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let (mut at, mut line, mut found) = (0, 1, Vec::new());
    while at < chars.len() {
        let start = at;
        let c = chars[at];
        let rest = &chars[at..];
        if c == '/' && rest.get(1) == Some(&'/') {
            at += rest.iter().position(|c| *c == '\n').unwrap_or(rest.len());
        } else if c == '/' && rest.get(1) == Some(&'*') {
            at += block_comment(rest);
        } else if let Some(length) = string(rest) {
            at += length;
            found.push(Token { text: chars[start..at].iter().collect(), line });
        } else if c == '\'' {
            at += character(rest);
        } else if c.is_alphanumeric() || c == '_' {
            at += rest.iter().position(|c| !(c.is_alphanumeric() || *c == '_')).unwrap_or(rest.len());
            found.push(Token { text: chars[start..at].iter().collect(), line });
        } else {
            at += if c == ':' && rest.get(1) == Some(&':') { 2 } else { 1 };
            if !c.is_whitespace() {
                found.push(Token { text: chars[start..at].iter().collect(), line });
            }
        }
        line += chars[start..at].iter().filter(|c| **c == '\n').count();
    }
    found
}

/// The length of a block comment, which may contain others.
fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match (rest[at], rest.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of a string that starts here: plain, raw, of bytes.
fn string(rest: &[char]) -> Option<usize> {
    let prefix = rest.iter().take_while(|c| matches!(c, 'b' | 'c' | 'r')).count();
    let hashes = rest[prefix..].iter().take_while(|c| **c == '#').count();
    let raw = rest[..prefix].contains(&'r');
    if prefix > 2 || rest.get(prefix + hashes) != Some(&'"') || (hashes > 0 && !raw) {
        return None;
    }
    let mut at = prefix + hashes + 1;
    while at < rest.len() {
        match rest[at] {
            '\\' if !raw => at += 2,
            '"' if rest[at + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes => {
                return Some(at + 1 + hashes);
            }
            _ => at += 1,
        }
    }
    Some(rest.len())
}

/// The length of a character, or of a lifetime.
fn character(rest: &[char]) -> usize {
    match (rest.get(1), rest.get(2)) {
        (Some('\\'), _) => 3 + rest[3..].iter().position(|c| *c == '\'').unwrap_or(0) + 1,
        (Some(_), Some('\'')) => 3,
        _ => 1 + rest[1..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_strings_and_lifetimes_are_told_apart() {
        assert_eq!(words("a /* b /* c */ d */ e // f\ng"), ["a", "e", "g"]);
        assert_eq!(words(r##"x("a \" b", r#"c "quoted" d"#, 'e', '\'', '\n')"##).len(), 9); // characters are left out
        assert_eq!(words("fn f<'a>(x: &'a str)"), ["fn", "f", "<", ">", "(", "x", ":", "&", "str", ")"]);
        assert_eq!(words("crate::a::{b}"), ["crate", "::", "a", "::", "{", "b", "}"]);
        assert_eq!(tokens("a\n\"b\nc\"\nd").last().map(|token| token.line), Some(4));
    }
}
