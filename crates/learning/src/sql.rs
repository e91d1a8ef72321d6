//! Models as SQL: expressions over the columns of a table, and how names, texts and numbers are
//! written so that SQLite and PostgreSQL read the same.

use std::fmt::Write;

use kinwood_values::Remedy;

/// What expressions are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// What is predicted of each target.
    Answers,
    /// What is predicted, and the share of each class.
    Shares,
    /// What is predicted, and nothing (`NULL`) where a value is missing that the prediction needs:
    /// shorter than the answers.
    Known,
}

/// An expression over the columns of a table, and the name of what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The name, as the heading of predictions has it.
    pub name: String,
    /// The expression.
    pub sql: String,
}

/// Why a model cannot be written as SQL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Gap {
    /// Several trees answer together.
    #[error("{trees} trees answer together and only one can be written: choose it")]
    Several {
        /// How many.
        trees: usize,
    },
    /// The model is of a table that linked tables were flattened to.
    #[error(
        "it was fitted with flatten={flatten}, on columns of linked tables that its own table does not have"
    )]
    Flattened {
        /// The kind of flattening.
        flatten: &'static str,
    },
    /// The target is of a kind that SQL has no value for.
    #[error("the target `{target}` is {kind}, which SQL has no value for")]
    Target {
        /// The target.
        target: String,
        /// What it is, with an article.
        kind: &'static str,
    },
    /// A test of a time.
    #[error("it tests the time `{column}`, and databases do not agree on how times are written")]
    Moment {
        /// The column.
        column: String,
    },
    /// A test by prototypes.
    #[error(
        "it compares `{column}` with prototypes, for which SQL has no distance, or with more than two"
    )]
    Prototypes {
        /// The column.
        column: String,
    },
    /// A test on what a structured value contains that SQL cannot ask alike everywhere.
    #[error(
        "it asks of `{column}` {what}, which SQLite and PostgreSQL have no common expression for"
    )]
    Contents {
        /// The column.
        column: String,
        /// What is asked.
        what: &'static str,
    },
    /// A label that SQL has no way to write.
    #[error("the label {label:?} has a character of code 0, which PostgreSQL cannot hold")]
    Character {
        /// The label.
        label: String,
    },
    /// Tests too far below each other.
    #[error(
        "it has {found} tests below each other, and databases take {most}; a tree fitted with a `depth` is not so deep"
    )]
    Deep {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// More of something than databases take.
    #[error(
        "it has {found} {what}, and databases take {most} where rows with missing values are to be answered; \
         a tree fitted with a `size` is smaller"
    )]
    Large {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
}

impl Gap {
    /// What the user can do about it, for an interface to word.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Gap::Several { .. } => Some(Remedy::ChooseMember),
            Gap::Large { .. } => Some(Remedy::AnswerKnown),
            _ => None,
        }
    }
}

/// A name as SQL writes it.
pub fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text as SQL writes it; `None` for one with a character of code 0, which PostgreSQL cannot
/// hold.
pub fn text(text: &str) -> Option<String> {
    (!text.contains('\0')).then(|| format!("'{}'", text.replace('\'', "''")))
}

/// A finite number as a double: arithmetic with it is that of doubles, not of decimals.
pub fn double(value: f64) -> String {
    match number(value) {
        exact if exact.starts_with('(') => exact,
        decimal => format!("CAST({decimal} AS double precision)"),
    }
}

/// A finite number as SQL writes it: read as a double, or compared with one, it is the same double
/// everywhere.
///
/// Up to 15 digits and moderate powers of ten are read exactly everywhere. SQLite has rounded
/// longer ones by its own rules, different ones over the years; they are written as a whole number
/// times or over powers of two, which is exact.
pub fn number(number: f64) -> String {
    let shortest = number.to_string();
    let digits = shortest.bytes().filter(u8::is_ascii_digit).count();
    if digits <= 15 {
        let decimal = if shortest.contains('.') { "" } else { ".0" };
        return format!("{shortest}{decimal}");
    }
    let bits = number.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (mut whole, mut power) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    };
    let twos = (whole.trailing_zeros() as i32).min(-power).max(0);
    whole >>= twos;
    power += twos;
    let sign = if number < 0.0 { "-" } else { "" };
    let mut sql = format!("(CAST({sign}{whole} AS double precision)");
    while power != 0 {
        let step = power.unsigned_abs().min(62);
        let mark = if power < 0 { '/' } else { '*' };
        let _ = write!(sql, " {mark} {}", 1u64 << step);
        power -= power.signum() * step as i32;
    }
    sql + ")"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_texts_are_quoted() {
        assert_eq!(identifier("a \"b\""), "\"a \"\"b\"\"\"");
        assert_eq!(text("it's").as_deref(), Some("'it''s'"));
        assert_eq!(text("a\0b"), None);
    }

    #[test]
    fn short_numbers_are_decimal_and_long_ones_exact_fractions() {
        assert_eq!((number(1.5), number(-2.0)), ("1.5".into(), "-2.0".into()));
        assert_eq!(
            number(1.0 / 3.0),
            "(CAST(6004799503160661 AS double precision) / 18014398509481984)"
        );
        // The fraction is worked out again: doubles divide by powers of two without loss.
        for written in [
            0.1 + 0.2,
            -1.0e300 / 3.0,
            5e-324,
            123456789.12345679,
            1e22 / 7.0,
        ] {
            let sql = number(written);
            let inner = sql.trim_start_matches("(CAST(").trim_end_matches(')');
            let (whole, rest) = inner.split_once(" AS double precision)").unwrap();
            let mut value: f64 = whole.parse().unwrap();
            let mut words = rest.split_whitespace();
            while let (Some(mark), Some(power)) = (words.next(), words.next()) {
                let power: f64 = power.parse().unwrap();
                value = if mark == "/" {
                    value / power
                } else {
                    value * power
                };
            }
            assert_eq!(value, written, "{sql}");
        }
    }
}
