//! Rust source as words and marks: enough to follow paths and to find comments.
//!
//! A full parser would build for longer than all commands together. What is looked at here, paths,
//! items and comments, can be told from tokens, as long as comments, strings and characters are
//! never mistaken for code.

/// One piece of source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// The line it begins on, counted from 1.
    pub(crate) line: usize,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a keyword; `r#type` is `type`.
    Word(String),
    /// A mark: one character, or `::`, which is `':'` here while a single colon is `Colon`.
    Mark(char),
    /// A single colon.
    Colon,
    /// A string, a character or a number, as it is written.
    Literal(String),
}

impl Token {
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(crate) fn literal(&self) -> Option<&str> {
        match &self.kind {
            Kind::Literal(literal) => Some(literal),
            _ => None,
        }
    }

    pub(crate) fn is(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }
}

/// The mark that stands for `::`.
pub(crate) const PATH: char = ':';

/// A source file cut up: its tokens, and the lines that are line comments and nothing else.
pub(crate) struct Source {
    pub(crate) tokens: Vec<Token>,
    /// Numbers of lines whose first mark is `//`, counted from 1.
    pub(crate) comments: Vec<usize>,
}

/// Cuts a source file into tokens. Text that is no Rust gives tokens nobody relies on, no failure.
pub(crate) fn cut(text: &str) -> Source {
    let mut cutter = Cutter {
        rest: text,
        line: 1,
        fresh: true,
        source: Source {
            tokens: Vec::new(),
            comments: Vec::new(),
        },
    };
    while !cutter.rest.is_empty() {
        cutter.step();
    }
    cutter.source
}

struct Cutter<'a> {
    rest: &'a str,
    line: usize,
    /// Whether nothing but space came before on this line.
    fresh: bool,
    source: Source,
}

impl Cutter<'_> {
    fn step(&mut self) {
        let first = self.rest.chars().next().expect("there is a rest");
        if first.is_whitespace() {
            self.skip(first.len_utf8());
        } else if self.rest.starts_with("//") {
            if self.fresh {
                self.source.comments.push(self.line);
            }
            self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
        } else if self.rest.starts_with("/*") {
            self.skip(block_comment(self.rest));
        } else if let Some(length) = literal(self.rest) {
            self.push(Kind::Literal(self.rest[..length].to_owned()));
            self.skip(length);
        } else if first == '\'' {
            // A lifetime or a label: nothing that a path could begin with.
            self.skip(1 + word_length(&self.rest[1..]));
        } else if first == '_' || first.is_alphabetic() {
            let raw = if self.rest.starts_with("r#") { 2 } else { 0 };
            let length = raw + word_length(&self.rest[raw..]);
            self.push(Kind::Word(self.rest[raw..length].to_owned()));
            self.skip(length);
        } else if self.rest.starts_with("::") {
            self.push(Kind::Mark(PATH));
            self.skip(2);
        } else {
            let kind = if first == ':' {
                Kind::Colon
            } else {
                Kind::Mark(first)
            };
            self.push(kind);
            self.skip(first.len_utf8());
        }
    }

    fn push(&mut self, kind: Kind) {
        let line = self.line;
        self.source.tokens.push(Token { kind, line });
    }

    /// Goes on by so many bytes, counting lines.
    fn skip(&mut self, length: usize) {
        let (skipped, rest) = self.rest.split_at(length);
        self.line += skipped.matches('\n').count();
        let tail = skipped.rsplit('\n').next().unwrap_or_default();
        let new_line = skipped.contains('\n');
        self.fresh = (self.fresh || new_line) && tail.chars().all(char::is_whitespace);
        self.rest = rest;
    }
}

fn word_length(text: &str) -> usize {
    let end = text.find(|c: char| c != '_' && !c.is_alphanumeric());
    end.unwrap_or(text.len())
}

/// The length of the block comment that the text begins with; they nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of the literal that the text begins with, if it begins with one.
fn literal(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if first.is_ascii_digit() {
        return Some(number(text));
    }
    if first == '\'' {
        return character(text);
    }
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| {
        let quoted = text.strip_prefix(prefix);
        let quoted = quoted.map(|rest| match prefix.ends_with('r') {
            true => rest.trim_start_matches('#'),
            false => rest,
        });
        quoted
            .is_some_and(|rest| rest.starts_with('"') || (*prefix == "b" && rest.starts_with('\'')))
    })?;
    let body = &text[prefix.len()..];
    let length = if body.starts_with('\'') {
        character(body)?
    } else if prefix.ends_with('r') {
        raw_string(body)
    } else {
        string(body)
    };
    Some(prefix.len() + length)
}

fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn raw_string(text: &str) -> usize {
    let hashes = text.len() - text.trim_start_matches('#').len();
    let end = format!("\"{}", "#".repeat(hashes));
    let body = hashes + 1;
    text[body..]
        .find(&end)
        .map_or(text.len(), |at| body + at + end.len())
}

/// The length of a character literal; none for a lifetime.
fn character(text: &str) -> Option<usize> {
    let mut inner = text.char_indices().skip(1);
    let (_, first) = inner.next()?;
    if first != '\\' {
        let (at, end) = inner.next()?;
        return (end == '\'').then_some(at + 1);
    }
    inner.next()?;
    inner.find(|(_, c)| *c == '\'').map(|(at, _)| at + 1)
}

/// A number with its suffix; `1..2` ends before the points, `1.max(2)` before the point.
fn number(text: &str) -> usize {
    let whole = word_length(text);
    let rest = &text[whole..];
    let fraction = rest
        .strip_prefix('.')
        .filter(|after| after.starts_with(|c: char| c.is_ascii_digit()));
    let mut length = whole + fraction.map_or(0, |after| 1 + word_length(after));
    let exponent = text[..length].ends_with(['e', 'E']) && !text.starts_with("0x");
    if exponent && text[length..].starts_with(['+', '-']) {
        length += 1 + word_length(&text[length + 1..]);
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let tokens = cut(text).tokens.into_iter();
        tokens
            .filter_map(|token| token.word().map(str::to_owned))
            .collect()
    }

    #[test]
    fn comments_are_no_code() {
        assert_eq!(
            words("a // b\n/* c /* d */ e */ f /// g\nh"),
            ["a", "f", "h"]
        );
    }

    #[test]
    fn strings_are_no_code() {
        let text =
            r####"a "b \" c" d r#"e " f"# g br"h" i b"j" c"k" 'l' '\'' m '\u{6e}' n b'o' p"####;
        assert_eq!(words(text), ["a", "d", "g", "i", "m", "n", "p"]);
    }

    #[test]
    fn lifetimes_are_no_characters() {
        assert_eq!(
            words("fn f<'a, 'b>(x: &'a str) {}"),
            ["fn", "f", "x", "str"]
        );
        assert_eq!(words("'outer: loop { break 'outer }"), ["loop", "break"]);
    }

    #[test]
    fn numbers_end_where_they_end() {
        assert_eq!(
            words("1e-5 + 2.max(x) .. 0xfe_u8 1..y 1.5e+3f64 z"),
            ["max", "x", "y", "z"]
        );
    }

    #[test]
    fn raw_names_are_names() {
        assert_eq!(words("r#type br rb"), ["type", "br", "rb"]);
    }

    #[test]
    fn lines_are_counted() {
        let source = cut("a\n\"b\n\nc\" d\n/* \n */ e");
        let lines: Vec<usize> = source.tokens.iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 2, 4, 6]);
    }

    #[test]
    fn comment_lines_are_found() {
        let text = "// one\nlet x = 1; // no\n    /// four\nlet y = \"\n// no\n\";\n/* no\n// no */\n//! nine";
        assert_eq!(cut(text).comments, [1, 3, 9]);
    }

    #[test]
    fn what_does_not_end_ends_with_the_file() {
        for text in ["\"a", "r#\"a\"", "/* a", "'", "'\\", "b'", "1e+"] {
            cut(text);
        }
    }
}
