//! A cursor over a short text that is parsed by hand: where it is, what comes next, and the tokens
//! that all our small languages share. What is expected where, and the error if it is not there, is
//! each language's own.

/// A place in a text.
///
/// ```
/// use kinwood_values::cursor::Cursor;
/// let mut cursor = Cursor::new("size <= 11");
/// assert_eq!(cursor.take_while(char::is_alphabetic), "size");
/// assert!(cursor.take("<="));
/// cursor.skip_blanks();
/// assert_eq!((cursor.rest(), cursor.column()), ("11", 9));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    /// In bytes.
    at: usize,
}

/// A quote that is opened and never closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unclosed {
    /// The column where it opens.
    pub column: usize,
}

impl<'a> Cursor<'a> {
    /// The beginning of a text.
    pub fn new(text: &'a str) -> Self {
        Cursor { text, at: 0 }
    }

    /// The place, in bytes from 0.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The place, in characters from 1.
    pub fn column(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }

    /// What is left.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// What stands between an earlier place, in bytes, and here.
    pub fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    /// The next character.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The longest run of characters that come next and satisfy a condition, possibly empty.
    pub fn peek_while(&self, holds: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        &rest[..rest.find(|c| !holds(c)).unwrap_or(rest.len())]
    }

    /// What comes next that begins like a number and could be one, possibly nothing: a sign,
    /// letters, digits and points, and a sign after `e`.
    pub fn peek_number(&self) -> &'a str {
        let rest = self.rest();
        let mut last = 'e';
        let end = rest.find(|c: char| {
            let sign = matches!(c, '+' | '-') && matches!(last, 'e' | 'E');
            last = c;
            !(c.is_ascii_alphanumeric() || c == '.' || sign)
        });
        &rest[..end.unwrap_or(rest.len())]
    }

    /// Steps over what was looked at: so many bytes.
    ///
    /// # Panics
    /// Later, if a character does not end there: a mistake of the caller.
    pub fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Goes back to a place, in bytes.
    pub fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Steps over blanks.
    pub fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Takes the longest run of characters that satisfy a condition, possibly an empty one.
    pub fn take_while(&mut self, holds: impl Fn(char) -> bool) -> &'a str {
        let taken = self.peek_while(holds);
        self.at += taken.len();
        taken
    }

    /// Steps over blanks, then takes the text if it comes next.
    pub fn take(&mut self, wanted: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(wanted);
        if found {
            self.at += wanted.len();
        }
        found
    }

    /// The inside of a text in quotes, if one opens here; a quote inside is doubled. Of one that is
    /// never closed, the cursor is at the end of the text.
    pub fn quoted(&mut self, quote: char) -> Option<Result<String, Unclosed>> {
        if self.peek() != Some(quote) {
            return None;
        }
        let opened = *self;
        let width = quote.len_utf8();
        let mut inside = String::new();
        loop {
            self.at += width;
            inside.push_str(self.take_while(|c| c != quote));
            if self.peek().is_none() {
                let column = opened.column();
                return Some(Err(Unclosed { column }));
            }
            self.at += width;
            if self.peek() != Some(quote) {
                return Some(Ok(inside));
            }
            inside.push(quote);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_inside_quotes_are_doubled_and_columns_count_characters() {
        let mut cursor = Cursor::new("é 'it''s' x");
        assert!(cursor.take("é"));
        cursor.skip_blanks();
        assert_eq!(cursor.quoted('\''), Some(Ok("it's".to_owned())));
        assert_eq!(cursor.column(), 10);
        assert_eq!(cursor.quoted('\''), None);
        let mut open = Cursor::new("ab 'c");
        open.advance(3);
        assert_eq!(open.quoted('\''), Some(Err(Unclosed { column: 4 })));
        assert_eq!(open.rest(), "");
    }

    #[test]
    fn what_could_be_a_number_is_seen_whole() {
        for (text, expected) in [
            ("-1.5e-3,", "-1.5e-3"),
            ("1-2", "1"),
            ("12ab)", "12ab"),
            ("(1", ""),
            ("+", "+"),
            ("--1", "-"),
        ] {
            assert_eq!(Cursor::new(text).peek_number(), expected, "{text}");
        }
    }
}
