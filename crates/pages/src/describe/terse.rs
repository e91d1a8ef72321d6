//! Numbers, shares and names as briefly as a terminal wants them.

/// A number with at most four significant digits: `0.3333`, `12.5`, `2000`, `1.235e5`.
///
/// A number of five to seven digits is written out only where that loses nothing: `20000`, but
/// `1.235e4` for 12345, so that a rounded number looks rounded.
pub(super) fn number(number: f64) -> String {
    let scientific = format!("{number:.3e}");
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let rounded: f64 = scientific.parse().unwrap_or(number);
    let magnitude: i32 = exponent.parse().unwrap_or_default();
    if rounded == 0.0 {
        "0".to_owned()
    } else if (-4..4).contains(&magnitude) || ((4..7).contains(&magnitude) && rounded == number) {
        rounded.to_string()
    } else {
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        format!("{digits}e{exponent}")
    }
}

/// A fraction as a percentage with at most one decimal; what is not quite none or all never looks
/// like it.
pub(super) fn percent(fraction: f64) -> String {
    let percent = fraction * 100.0;
    if percent > 0.0 && percent < 0.05 {
        return "<0.1 %".to_owned();
    }
    if (99.95..100.0).contains(&percent) {
        return ">99.9 %".to_owned();
    }
    let text = format!("{percent:.1}");
    format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
}

/// Text safe to show: characters that steer a terminal become `·`, whoever put them into the data.
pub(super) fn shown(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '·' } else { c })
        .collect()
}

/// Text of at most so many characters, cut with `…`.
pub(super) fn cut(text: &str, width: usize) -> String {
    kinwood_text::shortened(text, width)
}

/// A count and what is counted: `1 row`, `2 rows`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A sentence broken between words into lines of at most so many characters; a longer word keeps
/// its line.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_brief_and_honest() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (1.0 / 3.0, "0.3333"),
            (25.64, "25.64"),
            (999.96, "1000"),
            (1234.56, "1235"),
            (9999.6, "1e4"),
            (12345.0, "1.234e4"),
            (20000.0, "20000"),
            (1_500_000.0, "1500000"),
            (1e7, "1e7"),
            (123_456.0, "1.235e5"),
            (0.000123456, "0.0001235"),
            (0.00001, "1e-5"),
            (f64::MAX, "1.798e308"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn nearly_none_is_not_none() {
        for (fraction, text) in [
            (0.0, "0 %"),
            (0.0001, "<0.1 %"),
            (0.0005, "0.1 %"),
            (0.05, "5 %"),
            (0.0525, "5.2 %"),
            (0.9999, ">99.9 %"),
            (1.0, "100 %"),
        ] {
            assert_eq!(percent(fraction), text);
        }
    }

    #[test]
    fn long_text_is_cut_and_broken_by_characters() {
        assert_eq!(cut("äöüß", 4), "äöüß");
        assert_eq!(cut("äöüßx", 4), "äöü…");
        assert_eq!(shown("a\u{1b}[31mb\n"), "a·[31mb·");
        assert_eq!(wrapped("aa bb cccccc d", 5), ["aa bb", "cccccc", "d"]);
        assert_eq!(counted(1, "row"), "1 row");
        assert_eq!(counted(0, "row"), "0 rows");
    }

    proptest! {
        #[test]
        fn four_digits_are_within_half_a_unit_of_the_fourth(value in proptest::num::f64::NORMAL) {
            let text = number(value);
            let read: f64 = text.parse().unwrap();
            prop_assert!((read - value).abs() <= value.abs() * 0.000_500_1, "{value} as {text}");
            let digits = text.split('e').next().unwrap_or_default();
            let digits = digits.trim_start_matches(['-', '0', '.']).replace('.', "");
            prop_assert!(digits.trim_end_matches('0').len() <= 4, "{text}");
        }
    }
}
