//! Text for terminals: how wide it is, how it is shortened, and tables of it.
//!
//! Widths are those of terminals: a Chinese character takes two places, a combining accent none.
#![forbid(unsafe_code)]

mod table;

use unicode_width::UnicodeWidthChar;

pub use table::{Align, TextTable};

/// How many places a text takes in a line of a terminal.
///
/// ```
/// assert_eq!(kinwood_text::width("naïve"), 5);
/// assert_eq!(kinwood_text::width("木"), 2);
/// ```
pub fn width(text: &str) -> usize {
    text.chars().map(places).sum()
}

/// A control character is counted as one place: whoever prints it shows something in its stead.
fn places(character: char) -> usize {
    character.width().unwrap_or(1)
}

/// The text, or as much of its beginning as fits into so many places with an ellipsis behind it.
///
/// ```
/// assert_eq!(kinwood_text::shortened("molecule", 5), "mole…");
/// assert_eq!(kinwood_text::shortened("atom", 5), "atom");
/// ```
pub fn shortened(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(1);
    let mut short = String::new();
    for character in text.chars() {
        let own = places(character);
        if own > left {
            break;
        }
        left -= own;
        short.push(character);
    }
    short.push('…');
    short
}

/// The text with blanks before or behind it, so that it takes so many places.
pub fn padded(text: &str, places: usize, align: Align) -> String {
    let blanks = " ".repeat(places.saturating_sub(width(text)));
    match align {
        Align::Left => format!("{text}{blanks}"),
        Align::Right => format!("{blanks}{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_combining_characters_take_the_places_of_a_terminal() {
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(width("分子"), 4);
        assert_eq!(width("a\tb"), 3);
        assert_eq!(padded("分子", 6, Align::Right), "  分子");
    }

    #[test]
    fn a_shortened_text_never_takes_more_places() {
        for most in 0..8 {
            for text in ["", "abc", "分子分子", "e\u{301}e\u{301}e\u{301}e\u{301}"] {
                assert!(
                    width(&shortened(text, most)) <= most.max(1),
                    "{text} {most}"
                );
            }
        }
        // A character of two places does not fit into the one that is left.
        assert_eq!(shortened("分子分", 4), "分…");
    }
}
