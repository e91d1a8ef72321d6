//! Names and texts in quotes, with their escapes.

use super::cursor::{Spot, Tokens};
use crate::error::{Error, Result};

/// Reads what stands between the quote that comes next and the one that closes it.
pub(crate) fn read(tokens: &mut Tokens<'_>) -> Result<()> {
    let opened = tokens.here();
    let Some(quote) = tokens.characters.next() else {
        return Err(tokens.cut_off(opened, "a quote"));
    };
    loop {
        let spot = tokens.here();
        match tokens.characters.next() {
            None => return Err(unclosed(tokens, opened, quote)),
            Some('\\') => {
                if tokens.characters.peek().is_none() {
                    return Err(unclosed(tokens, opened, quote));
                }
                let character = escape(tokens, spot)?;
                tokens.text.extend(character);
            }
            Some(character) if character == quote => {
                if !tokens.characters.eat(quote) {
                    return Ok(());
                }
                tokens.text.push(quote);
            }
            Some(character) => tokens.text.push(character),
        }
    }
}

fn unclosed(tokens: &mut Tokens<'_>, opened: Spot, quote: char) -> Error {
    if let Some(failure) = tokens.characters.failure() {
        return tokens.source.failed(failure);
    }
    let clause = tokens.clause;
    Error::UnclosedQuote {
        file: tokens.source.name().to_owned(),
        line: opened.line,
        column: opened.column,
        quote,
        hint: format!(
            ", in the clause that begins at {}:{}",
            clause.line, clause.column
        ),
    }
}

/// The character that stands behind a backslash at `spot`; none for a line that goes on.
pub(crate) fn escape(tokens: &mut Tokens<'_>, spot: Spot) -> Result<Option<char>> {
    let Some(letter) = tokens.characters.next() else {
        return Err(tokens.cut_off(spot, "an escape such as `\\n`"));
    };
    let character = match letter {
        '\n' => return Ok(None),
        '\\' | '\'' | '"' | '`' => letter,
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        's' => ' ',
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        'e' => '\u{1b}',
        'd' => '\u{7f}',
        'x' => {
            let code = digits(tokens, None, 16, usize::MAX);
            tokens.characters.eat('\\');
            return coded(tokens, spot, code);
        }
        '0'..='7' => {
            let code = digits(tokens, letter.to_digit(8), 8, usize::MAX);
            tokens.characters.eat('\\');
            return coded(tokens, spot, code);
        }
        'u' | 'U' => {
            let most = if letter == 'u' { 4 } else { 8 };
            let code = digits(tokens, None, 16, most);
            return coded(tokens, spot, code);
        }
        other => {
            let found = format!("`\\{other}`");
            return Err(tokens.unexpected(spot, "an escape such as `\\n` or `\\\\`", found));
        }
    };
    Ok(Some(character))
}

/// The value of at most so many digits behind a first one; larger than any character if there are
/// too many.
fn digits(tokens: &mut Tokens<'_>, first: Option<u32>, radix: u32, most: usize) -> Option<u32> {
    let mut code = first;
    for _ in 0..most {
        let Some(digit) = tokens.characters.peek().and_then(|c| c.to_digit(radix)) else {
            break;
        };
        tokens.characters.next();
        let shifted = code.unwrap_or_default().saturating_mul(radix);
        code = Some(shifted.saturating_add(digit));
    }
    code
}

fn coded(tokens: &Tokens<'_>, spot: Spot, code: Option<u32>) -> Result<Option<char>> {
    let Some(character) = code.and_then(char::from_u32) else {
        let found = code.map_or_else(
            || "an escape without a number".to_owned(),
            |code| format!("an escape with the number {code:#x}"),
        );
        return Err(tokens.unexpected(spot, "the number of a character", found));
    };
    Ok(Some(character))
}

#[cfg(test)]
mod tests {
    use super::super::characters::Encoding;
    use super::super::token::Token;
    use super::*;
    use crate::source::Source;

    fn name(text: &str) -> Result<(Token, String)> {
        let source = Source::from_bytes("f.pl", text.as_bytes());
        let mut tokens = Tokens::new(&source, Encoding::Utf8)?;
        Ok((tokens.next()?, tokens.text))
    }

    #[test]
    fn escapes_are_undone() {
        for (text, inside) in [
            (r"'don\'t'", "don't"),
            ("'don''t'", "don't"),
            (r"'a\nb\\c\td'", "a\nb\\c\td"),
            (r"'\x41\B'", "AB"),
            (r"'\101\B'", "AB"),
            (r"'\u00e9\U0001D11E'", "é𝄞"),
            ("'a\\\nb'", "ab"),
            ("'a\nb'", "a\nb"),
            ("''", ""),
            ("'say \"x\"'", "say \"x\""),
            (r"'\a\b\f\v\e\s\d\r'", "\u{7}\u{8}\u{c}\u{b}\u{1b} \u{7f}\r"),
        ] {
            assert_eq!(
                name(text).unwrap(),
                (Token::Name, inside.to_owned()),
                "{text}"
            );
        }
        assert_eq!(
            name(r#""a""b\"c'd""#).unwrap(),
            (Token::Text, "a\"b\"c'd".to_owned())
        );
        assert_eq!(name("`a`").unwrap(), (Token::Text, "a".to_owned()));
    }

    #[test]
    fn wrong_quotes_are_named() {
        for (text, expected) in [
            (
                "  'abc",
                "f.pl:1:3: the quote ' opened here is never closed, in the clause that begins at 1:1",
            ),
            (
                "'abc\\",
                "f.pl:1:1: the quote ' opened here is never closed, in the clause that begins at 1:1",
            ),
            (
                r"'ab\qc'",
                "f.pl:1:4: expected an escape such as `\\n` or `\\\\`, found `\\q`",
            ),
            (
                r"'\xd800\'",
                "f.pl:1:2: expected the number of a character, found an escape with the number 0xd800",
            ),
            (
                r"'\x'",
                "f.pl:1:2: expected the number of a character, found an escape without a number",
            ),
            (
                r"'\xffffffffffff\'",
                "f.pl:1:2: expected the number of a character, found an escape with the number 0xffffffff",
            ),
        ] {
            assert_eq!(name(text).unwrap_err().to_string(), expected);
        }
    }
}
