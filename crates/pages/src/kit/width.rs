//! How much room text takes, without knowing the font: generous, so that nothing is cut off in any.

/// The width of a character as a share of the font's size, for the wider of the usual sans-serif
/// fonts.
fn of_character(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | ' ' | '!' => 0.36,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' => 0.45,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.0,
        '<' | '>' | '=' | '+' | '…' => 0.86,
        'A'..='Z' => 0.76,
        '\u{0}'..='\u{2fff}' => 0.65,
        // Ideographs and most signs beyond take a full square.
        _ => 1.05,
    }
}

/// The width of a text in pixels.
pub(crate) fn of(text: &str, size: f64) -> f64 {
    text.chars().map(of_character).sum::<f64>() * size
}

/// The text, cut so that it takes no more than so many pixels.
pub(crate) fn cut(text: &str, size: f64, most: f64) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if of(&clean, size) <= most {
        return clean;
    }
    let mut room = most - of("…", size);
    let kept = clean.chars().take_while(|&character| {
        room -= of_character(character) * size;
        room >= 0.0
    });
    kept.chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_to_their_room() {
        assert_eq!(cut("short", 13.0, 200.0), "short");
        let long = "a name that goes on and on";
        let kept = cut(long, 13.0, 100.0);
        assert!(kept.ends_with('…') && of(&kept, 13.0) <= 100.0, "{kept}");
        assert!(long.starts_with(kept.trim_end_matches('…')));
    }
}
