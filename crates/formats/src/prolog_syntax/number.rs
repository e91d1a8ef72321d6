//! Numbers: `12`, `1.5`, `1e-3`, `0x1F`, `0o17`, `0b101`, and `0'c`, the code of a character.

use super::cursor::{Tokens, excerpt};
use super::quoted;
use crate::error::Result;

/// The number that begins with the digit that comes next.
pub(crate) fn read(tokens: &mut Tokens<'_>) -> Result<f64> {
    if tokens.characters.byte(0) == Some(b'0') {
        match tokens.characters.byte(1) {
            Some(b'\'') if starts_code(tokens) => return read_code(tokens),
            Some(b'x') if digit_follows(tokens, 16) => return read_radix(tokens, 16),
            Some(b'o') if digit_follows(tokens, 8) => return read_radix(tokens, 8),
            Some(b'b') if digit_follows(tokens, 2) => return read_radix(tokens, 2),
            _ => {}
        }
    }
    take_digits(tokens);
    let is_digit = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
    if tokens.characters.byte(0) == Some(b'.') && is_digit(tokens.characters.byte(1)) {
        take(tokens);
        take_digits(tokens);
    }
    if matches!(tokens.characters.byte(0), Some(b'e' | b'E')) {
        let signed = matches!(tokens.characters.byte(1), Some(b'+' | b'-'));
        if is_digit(tokens.characters.byte(1 + usize::from(signed))) {
            take(tokens);
            take(tokens);
            take_digits(tokens);
        }
    }
    let number = fast_float2::parse(&tokens.text).unwrap_or(f64::INFINITY);
    finite(tokens, number)
}

fn take(tokens: &mut Tokens<'_>) {
    if let Some(character) = tokens.characters.next() {
        tokens.text.push(character);
    }
}

fn take_digits(tokens: &mut Tokens<'_>) {
    while tokens
        .characters
        .byte(0)
        .is_some_and(|byte| byte.is_ascii_digit())
    {
        take(tokens);
    }
}

fn finite(tokens: &Tokens<'_>, number: f64) -> Result<f64> {
    if number.is_finite() {
        return Ok(number);
    }
    let found = format!("`{}`", excerpt(&tokens.text));
    Err(tokens.unexpected(tokens.spot, "a finite number", found))
}

fn digit_follows(tokens: &mut Tokens<'_>, radix: u32) -> bool {
    let byte = tokens.characters.byte(2);
    byte.is_some_and(|byte| char::from(byte).is_digit(radix))
}

fn read_radix(tokens: &mut Tokens<'_>, radix: u32) -> Result<f64> {
    take(tokens);
    take(tokens);
    let mut number = 0.0;
    while let Some(digit) = tokens.characters.peek().and_then(|c| c.to_digit(radix)) {
        number = number * f64::from(radix) + f64::from(digit);
        take(tokens);
    }
    finite(tokens, number)
}

/// Whether `0'` goes on with a character, and is not a zero before a quoted name.
fn starts_code(tokens: &mut Tokens<'_>) -> bool {
    match tokens.characters.byte(2) {
        None => false,
        Some(b'\'') => tokens.characters.byte(3) == Some(b'\''),
        Some(_) => true,
    }
}

fn read_code(tokens: &mut Tokens<'_>) -> Result<f64> {
    take(tokens);
    take(tokens);
    let spot = tokens.here();
    let character = match tokens.characters.next() {
        Some('\'') => tokens.characters.next(),
        Some('\\') => quoted::escape(tokens, spot)?,
        character => character,
    };
    // What stands for no character, as a backslash at the end of a line, has no code.
    let Some(character) = character else {
        return Err(tokens.unexpected(spot, "a character behind `0'`", "none".to_owned()));
    };
    Ok(f64::from(u32::from(character)))
}

#[cfg(test)]
mod tests {
    use super::super::characters::Encoding;
    use super::super::token::Token;
    use super::*;
    use crate::source::Source;

    fn first(text: &str) -> Result<Token> {
        let source = Source::from_bytes("f.pl", text.as_bytes());
        Tokens::new(&source, Encoding::Utf8)?.next()
    }

    #[test]
    fn numbers_of_all_kinds() {
        for (text, number) in [
            ("12", 12.0),
            ("12.", 12.0),
            ("1.5", 1.5),
            ("1.5e3", 1500.0),
            ("1e-3", 0.001),
            ("2E+2", 200.0),
            ("1e", 1.0),
            ("1e+", 1.0),
            ("0x1F", 31.0),
            ("0o17", 15.0),
            ("0b101", 5.0),
            ("0x", 0.0),
            ("0", 0.0),
            ("0'a", 97.0),
            ("0'\\n", 10.0),
            ("0'\\x41\\", 65.0),
            ("0'''", 39.0),
            ("0''", 0.0),
            ("0'é", 233.0),
            ("0' ", 32.0),
            ("007", 7.0),
        ] {
            assert_eq!(first(text).unwrap(), Token::Number(number), "{text}");
        }
    }

    #[test]
    fn numbers_are_finite() {
        let hex = format!("0x{}", "f".repeat(300));
        for text in ["1e999", hex.as_str()] {
            let message = first(text).unwrap_err().to_string();
            assert!(
                message.starts_with("f.pl:1:1: expected a finite number, found `"),
                "{message}"
            );
        }
        assert_eq!(
            first("0'\\\n").unwrap_err().to_string(),
            "f.pl:1:3: expected a character behind `0'`, found none"
        );
    }
}
