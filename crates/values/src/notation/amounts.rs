//! Numbers as people write them: `1,234.50`, `1.234,5`, `$12`, `12 EUR`, `12.5 %`, `(3.20)`.
//!
//! A percentage is the number that is written: `12.5 %` is 12.5. Groups of thousands have three
//! figures each, so that a list of numbers is not taken for one.

/// What stands before decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decimal {
    /// `1,234.5`.
    Point,
    /// `1.234,5`.
    Comma,
}

/// What a number is an amount of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit<'a> {
    /// Nothing is written.
    None,
    /// Hundredths.
    Percent,
    /// Money, by its symbol or code.
    Currency(&'a str),
}

/// A number with its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount<'a> {
    /// The number.
    pub number: f64,
    /// What it is an amount of.
    pub unit: Unit<'a>,
}

/// What the marks of a number tell about decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Nothing: there is no mark.
    Nothing,
    /// A point stands before decimals, or a comma between thousands.
    Point,
    /// A comma stands before decimals, or a point between thousands.
    Comma,
    /// `1,234`: thousands if points stand before decimals, decimals if commas do.
    CommaAndThree,
    /// `1.234`.
    PointAndThree,
}

const SYMBOLS: [&str; 10] = ["$", "€", "£", "¥", "₹", "₽", "₩", "US$", "C$", "A$"];
const CODES: [&str; 14] = [
    "USD", "EUR", "GBP", "JPY", "CHF", "CNY", "INR", "SEK", "NOK", "DKK", "PLN", "CZK", "CAD",
    "AUD",
];

/// The amount that the text writes, with this mark before decimals.
pub fn read(text: &str, decimal: Decimal) -> Option<Amount<'_>> {
    let Stripped {
        negative,
        figures,
        unit,
    } = strip(text)?;
    let (point, group) = match decimal {
        Decimal::Point => ('.', ','),
        Decimal::Comma => (',', '.'),
    };
    if let (Unit::None, Decimal::Point, Ok(number)) = (unit, decimal, figures.parse::<f64>()) {
        return finish(number, negative, unit);
    }
    let (whole, part) = match figures.split_once(point) {
        Some((whole, part)) => (whole, Some(part)),
        None => (figures, None),
    };
    let whole = ungrouped(whole, group)?;
    let plain = match part {
        Some(part) if part.bytes().all(|byte| byte.is_ascii_digit()) => format!("{whole}.{part}"),
        Some(_) => return None,
        None => whole,
    };
    if !plain.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    finish(plain.parse().ok()?, negative, unit)
}

fn finish(number: f64, negative: bool, unit: Unit<'_>) -> Option<Amount<'_>> {
    let number = if negative { -number } else { number };
    // Adding zero drops a minus zero.
    number.is_finite().then_some(Amount {
        number: number + 0.0,
        unit,
    })
}

/// What the text tells about decimals, and its unit; nothing if it is no amount either way.
pub fn told(text: &str) -> Option<(Told, Unit<'_>)> {
    let point = read(text, Decimal::Point);
    let comma = read(text, Decimal::Comma);
    let Stripped { figures, unit, .. } = strip(text)?;
    let told = match (point, comma) {
        (None, None) => return None,
        (Some(_), None) => Told::Point,
        (None, Some(_)) => Told::Comma,
        (Some(one), Some(other)) if one.number == other.number => Told::Nothing,
        (Some(_), Some(_)) if figures.contains(',') => Told::CommaAndThree,
        (Some(_), Some(_)) => Told::PointAndThree,
    };
    Some((told, unit))
}

/// A number without sign, brackets and unit.
struct Stripped<'a> {
    negative: bool,
    figures: &'a str,
    unit: Unit<'a>,
}

fn strip(text: &str) -> Option<Stripped<'_>> {
    let blank = |character: char| matches!(character, ' ' | '\t' | '\u{a0}' | '\u{202f}');
    let mut rest = text.trim_matches(blank);
    let mut negative = false;
    // Of accounts: what stands in brackets is owed.
    if let Some(inside) = rest
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        (rest, negative) = (inside.trim_matches(blank), true);
    }
    let mut sign = |rest: &mut &str| {
        for (mark, minus) in [("-", true), ("\u{2212}", true), ("+", false)] {
            if let Some(after) = rest.strip_prefix(mark) {
                (*rest, negative) = (after.trim_start_matches(blank), negative ^ minus);
                return true;
            }
        }
        false
    };
    let signed = sign(&mut rest);
    let mut unit = Unit::None;
    if let Some(after) = rest
        .strip_suffix(['%', '\u{2030}'])
        .filter(|_| rest.ends_with('%'))
    {
        (rest, unit) = (after.trim_end_matches(blank), Unit::Percent);
    } else if let Some((before, after)) = currency(rest) {
        (rest, unit) = (after.trim_matches(blank), Unit::Currency(before));
    }
    if !signed {
        sign(&mut rest);
    }
    rest.starts_with(|first: char| first.is_ascii_digit() || first == '.' || first == ',')
        .then_some(Stripped {
            negative,
            figures: rest,
            unit,
        })
}

/// The currency that stands before or behind a number, and the number.
fn currency(text: &str) -> Option<(&'static str, &str)> {
    // The longest first: `US$` ends as `$` does.
    let marks = || SYMBOLS.iter().rev().chain(&CODES).copied();
    marks()
        .find_map(|mark| Some((mark, text.strip_prefix(mark)?)))
        .or_else(|| marks().find_map(|mark| Some((mark, text.strip_suffix(mark)?))))
}

/// Figures without marks between thousands; nothing if a group has not three figures.
fn ungrouped(figures: &str, group: char) -> Option<String> {
    let other = |mark: char| matches!(mark, '\'' | '\u{2019}' | ' ' | '\u{a0}' | '\u{202f}');
    let mark = figures.chars().find(|&mark| mark == group || other(mark));
    let Some(mark) = mark else {
        let digits = figures.bytes().all(|byte| byte.is_ascii_digit());
        return digits.then(|| figures.to_owned());
    };
    let mut groups = figures.split(mark);
    let first = groups
        .next()
        .filter(|first| (1..=3).contains(&first.len()))?;
    let mut plain = first.to_owned();
    for group in groups {
        if group.len() != 3 {
            return None;
        }
        plain.push_str(group);
    }
    let digits = plain.bytes().all(|byte| byte.is_ascii_digit());
    (digits && !plain.starts_with('0')).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_with_points() {
        for (text, number, unit) in [
            ("12", 12.0, Unit::None),
            ("-1.5e3", -1500.0, Unit::None),
            ("1,234", 1234.0, Unit::None),
            ("1,234,567.25", 1_234_567.25, Unit::None),
            ("1 234.5", 1234.5, Unit::None),
            ("1'234", 1234.0, Unit::None),
            ("$12", 12.0, Unit::Currency("$")),
            ("-$1,234.50", -1234.5, Unit::Currency("$")),
            ("$-3", -3.0, Unit::Currency("$")),
            ("US$ 5", 5.0, Unit::Currency("US$")),
            ("12 EUR", 12.0, Unit::Currency("EUR")),
            ("€.50", 0.5, Unit::Currency("€")),
            ("(3.20)", -3.2, Unit::None),
            ("12.5 %", 12.5, Unit::Percent),
            ("7%", 7.0, Unit::Percent),
            ("\u{2212}7%", -7.0, Unit::Percent),
        ] {
            let amount = Amount { number, unit };
            assert_eq!(read(text, Decimal::Point), Some(amount), "{text}");
        }
    }

    #[test]
    fn amounts_with_commas() {
        for (text, number) in [
            ("1,5", 1.5),
            ("1.234,5", 1234.5),
            ("1.234", 1234.0),
            ("12,50 €", 12.5),
            ("99", 99.0),
        ] {
            let read = read(text, Decimal::Comma).map(|amount| amount.number);
            assert_eq!(read, Some(number), "{text}");
        }
    }

    #[test]
    fn what_is_no_amount() {
        for text in [
            "", "%", "$", "EUR", "1,2,3", "1,23", "1.2.3", "12 kg", "a1", "--1", "1,2345", "1e999",
            "0,123", "$ %", "1 2", "12-34", "(1", "1,234,56", ".", "nan", "inf",
        ] {
            assert_eq!(read(text, Decimal::Point), None, "{text}");
        }
    }

    #[test]
    fn what_marks_tell() {
        for (text, expected) in [
            ("12", Told::Nothing),
            ("12.5", Told::Point),
            ("1,234.5", Told::Point),
            ("12,5", Told::Comma),
            ("1.234,5", Told::Comma),
            ("1,234", Told::CommaAndThree),
            ("1.234", Told::PointAndThree),
        ] {
            assert_eq!(told(text).map(|(told, _)| told), Some(expected), "{text}");
        }
        assert_eq!(told("many"), None);
    }
}
