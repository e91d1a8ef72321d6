//! One cell after the other: the general way, which knows quotes, padding and blanks as delimiters.
//!
//! It reads from windows of text that end with a line end, so an unquoted cell always ends inside
//! of its window.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::marks::Marks;

/// A cell as it stands in a row.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cell<'a> {
    /// What it says, without quotes and padding.
    pub text: Cow<'a, str>,
    /// Where the next cell or row begins.
    pub next: usize,
    /// Whether the row ends with it.
    pub ends_row: bool,
    /// Whether it stands in quotes.
    pub quoted: bool,
}

/// The cells of a row.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row<'a> {
    pub cells: Vec<Cow<'a, str>>,
    /// Where the next row begins.
    pub next: usize,
    /// How many of the cells stand in quotes.
    pub quoted: usize,
}

/// Why a cell cannot be taken from a window.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Torn {
    /// The quote that opens here is not closed in the window.
    Open(usize),
    /// Something stands here between a closing quote and the next delimiter.
    Tail(usize),
}

/// The cell that begins at `at`.
pub(super) fn cell(text: &str, at: usize, marks: Marks) -> Result<Cell<'_>, Torn> {
    let bytes = text.as_bytes();
    let mut start = at;
    while marks.pads(bytes[start]) {
        start += 1;
    }
    if marks.quote == Some(bytes[start]) {
        return quoted(text, start, marks);
    }
    let rest = &bytes[start..];
    let length = if marks.blank {
        rest.iter()
            .position(|&byte| matches!(byte, b' ' | b'\t' | b'\n'))
    } else {
        memchr2(marks.delimiter, b'\n', rest)
    };
    let mut end = start + length.expect("a window ends with a line end");
    let (next, ends_row) = after(bytes, end, marks);
    if bytes[end] == b'\n' && end > start && bytes[end - 1] == b'\r' {
        end -= 1;
    }
    while end > start && marks.pads(bytes[end - 1]) {
        end -= 1;
    }
    Ok(Cell {
        text: Cow::Borrowed(&text[start..end]),
        next,
        ends_row,
        quoted: false,
    })
}

/// Where to go on after a cell whose delimiter or line end stands at `end`, and whether the row is
/// over.
fn after(bytes: &[u8], end: usize, marks: Marks) -> (usize, bool) {
    if !marks.blank {
        return (end + 1, bytes[end] == b'\n');
    }
    let mut next = end;
    while marks.pads(bytes[next]) {
        next += 1;
    }
    match bytes[next] {
        b'\n' => (next + 1, true),
        b'\r' if bytes[next + 1] == b'\n' => (next + 2, true),
        _ => (next, false),
    }
}

fn quoted(text: &str, open: usize, marks: Marks) -> Result<Cell<'_>, Torn> {
    let bytes = text.as_bytes();
    let quote = bytes[open];
    let mut doubled = false;
    let mut from = open + 1;
    let close = loop {
        let Some(found) = memchr(quote, &bytes[from..]) else {
            return Err(Torn::Open(open));
        };
        let close = from + found;
        if bytes.get(close + 1) != Some(&quote) {
            break close;
        }
        doubled = true;
        from = close + 2;
    };
    let inside = &text[open + 1..close];
    let inside = if doubled {
        let quote = char::from(quote);
        Cow::Owned(inside.replace(&format!("{quote}{quote}"), &quote.to_string()))
    } else {
        Cow::Borrowed(inside)
    };
    let mut end = close + 1;
    while end < bytes.len() && marks.pads(bytes[end]) {
        end += 1;
    }
    let (next, ends_row) = match &bytes[end..] {
        [] => return Err(Torn::Open(open)),
        [b'\n', ..] => (end + 1, true),
        [b'\r', b'\n', ..] => (end + 2, true),
        [byte, ..] if *byte == marks.delimiter && !marks.blank => (end + 1, false),
        // Blanks were skipped above, so that the next cell follows at once.
        [_, ..] if marks.blank && end > close + 1 => (end, false),
        _ => return Err(Torn::Tail(end)),
    };
    Ok(Cell {
        text: inside,
        next,
        ends_row,
        quoted: true,
    })
}

/// Where the next line begins, if this one holds nothing but padding.
#[inline]
pub(super) fn after_blank_line(bytes: &[u8], at: usize, marks: Marks) -> Option<usize> {
    let mut end = at;
    while marks.pads(bytes[end]) {
        end += 1;
    }
    match bytes[end] {
        b'\n' => Some(end + 1),
        b'\r' if bytes.get(end + 1) == Some(&b'\n') => Some(end + 2),
        _ => None,
    }
}

/// The row that begins at `at`.
pub(super) fn row(text: &str, at: usize, marks: Marks) -> Result<Row<'_>, Torn> {
    let mut row = Row {
        cells: Vec::new(),
        next: at,
        quoted: 0,
    };
    loop {
        let cell = cell(text, row.next, marks)?;
        row.cells.push(cell.text);
        row.next = cell.next;
        row.quoted += usize::from(cell.quoted);
        if cell.ends_row {
            return Ok(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Delimiter, Quote};

    fn cells(text: &str, delimiter: Delimiter) -> Vec<String> {
        let row = row(text, 0, Marks::new(delimiter, Quote::Double)).unwrap();
        assert_eq!(row.next, text.len());
        row.cells.into_iter().map(Cow::into_owned).collect()
    }

    #[test]
    fn cells_lose_padding_and_quotes() {
        let comma = Delimiter::Comma;
        assert_eq!(
            cells("a, b ,,\"c,\"\"d\"\" \n\" \r\n", comma),
            ["a", "b", "", "c,\"d\" \n"]
        );
        assert_eq!(cells("5\" pipe,'x'\r\n", comma), ["5\" pipe", "'x'"]);
        assert_eq!(cells("a\t\t b \t\n", Delimiter::Tab), ["a", "", "b", ""]);
        assert_eq!(cells("\n", comma), [""]);
    }

    #[test]
    fn any_number_of_blanks_separates() {
        let blank = Delimiter::Blank;
        assert_eq!(cells(" 1  2\t3 \r\n", blank), ["1", "2", "3"]);
        assert_eq!(cells("\"a b\" \"c\"\n", blank), ["a b", "c"]);
    }

    #[test]
    fn torn_cells_are_told() {
        let marks = Marks::new(Delimiter::Comma, Quote::Double);
        assert_eq!(row("a,\"b\nc\n", 0, marks).unwrap_err(), Torn::Open(2));
        assert_eq!(row("a,\"b\"c\n", 0, marks).unwrap_err(), Torn::Tail(5));
    }

    #[test]
    fn blank_lines_hold_padding_only() {
        let comma = Marks::new(Delimiter::Comma, Quote::Double);
        let tab = Marks::new(Delimiter::Tab, Quote::Double);
        assert_eq!(after_blank_line(b" \t\r\nx\n", 0, comma), Some(4));
        assert_eq!(after_blank_line(b" \t\r\nx\n", 0, tab), None);
        assert_eq!(after_blank_line(b"x\n", 0, comma), None);
    }
}
