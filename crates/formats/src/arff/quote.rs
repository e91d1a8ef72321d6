//! Quoted names and values: `'…'` or `"…"`, with backslash escapes or doubled quotes.

use std::borrow::Cow;

/// The text in the quotes that open at byte `at`, and the byte after them; `None` if the line ends
/// before they do.
///
/// A backslash before any other character than those with a meaning is dropped, as Weka does.
pub(super) fn quoted(text: &str, at: usize) -> Option<(Cow<'_, str>, usize)> {
    let bytes = text.as_bytes();
    let mark = bytes[at];
    let mut out = String::new();
    let mut start = at + 1;
    let mut position = start;
    loop {
        match *bytes.get(position)? {
            b'\n' | b'\r' => return None,
            b'\\' => {
                out.push_str(&text[start..position]);
                position = escaped(text, position + 1, &mut out)?;
                start = position;
            }
            byte if byte == mark => {
                if bytes.get(position + 1) == Some(&mark) {
                    out.push_str(&text[start..=position]);
                    position += 2;
                    start = position;
                    continue;
                }
                let rest = &text[start..position];
                if start == at + 1 {
                    return Some((Cow::Borrowed(rest), position + 1));
                }
                out.push_str(rest);
                return Some((Cow::Owned(out), position + 1));
            }
            _ => position += 1,
        }
    }
}

/// Appends the character that the escape after a backslash means; the byte after the escape.
fn escaped(text: &str, at: usize, out: &mut String) -> Option<usize> {
    let letter = text[at..].chars().next()?;
    let after = at + letter.len_utf8();
    out.push(match letter {
        't' => '\t',
        'n' => '\n',
        'r' => '\r',
        'u' => match unicode(text, after) {
            Some((character, after)) => {
                out.push(character);
                return Some(after);
            }
            None => 'u',
        },
        '\n' | '\r' => return None,
        other => other,
    });
    Some(after)
}

/// The character of four hexadecimal digits, or of two such escapes that are halves of one
/// character.
fn unicode(text: &str, at: usize) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 4)?;
        let all_digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| all_digits)
    };
    let first = unit(at)?;
    if let Some(character) = char::from_u32(first.into()) {
        return Some((character, at + 4));
    }
    let second = text
        .get(at + 4..at + 6)
        .filter(|&mark| mark == "\\u")
        .and_then(|_| unit(at + 6));
    let pair = second.and_then(|second| char::decode_utf16([first, second]).next()?.ok());
    Some(match pair {
        Some(character) => (character, at + 10),
        None => (char::REPLACEMENT_CHARACTER, at + 4),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_doubled_quotes_are_undone() {
        for (text, expected) in [
            ("'a b'", "a b"),
            ("\"a, 'b'\"", "a, 'b'"),
            (r"'it\'s'", "it's"),
            ("'it''s'", "it's"),
            ("''", ""),
            ("''''", "'"),
            (r"'\\n'", r"\n"),
            (r"'a\tb\nc\rd\%e\q'", "a\tb\nc\rd%eq"),
            (r"'\u0041\u00e9'", "Aé"),
            (r"'\ud83d\ude00\ud83d!'", "😀\u{fffd}!"),
            (r"'\u00g1\u+041'", "u00g1u+041"),
            (r"'\é'", "é"),
        ] {
            let (unquoted, end) = quoted(text, 0).unwrap();
            assert_eq!(unquoted, expected, "{text}");
            assert_eq!(end, text.len(), "{text}");
        }
        assert_eq!(quoted("x'','b'", 1), Some((Cow::Borrowed(""), 3)));
    }

    #[test]
    fn quotes_close_on_their_line() {
        for text in [
            "'", "'a", "'a''", r"'a\'", "'a\n'", "'a\\\n'", r"'\u00", "'\\",
        ] {
            assert_eq!(quoted(text, 0), None, "{text}");
        }
    }
}
