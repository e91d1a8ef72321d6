//! Distances in SQL: how far a value of a row is from a constant, as an expression that SQLite and
//! PostgreSQL compute.
//!
//! A fitted distance has all its numbers, so it can be written where the arithmetic of SQL does:
//! differences, equality, sums, products, quotients. A distance that offers it implements
//! [`FittedDistance::sql`](crate::measure::FittedDistance::sql), or
//! [`Distance::sql`](crate::distance::Distance::sql) if it is a user's own; the others are refused
//! by name.

use kinwood_values::sql::{number, text};
use kinwood_values::{Type, Value};

/// What stands in SQL for a value that is compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A number, or a time in milliseconds since 1970-01-01 UTC.
    Number(Cell),
    /// A label or a string.
    Text(Cell),
    /// The fields of a row, in their order.
    Fields(Vec<Operand>),
    /// A value of a type that no column of SQL holds.
    Other(Type),
}

/// A value in SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// A name or an expression in parentheses; numbers are doubles. `NULL` if it is missing.
    pub sql: String,
    /// Whether it is never missing.
    pub known: bool,
}

impl Operand {
    /// A value of a type under a name. Numbers and times are to be doubles there, labels and
    /// strings texts.
    pub fn new(of: &Type, name: &str) -> Self {
        let cell = Cell {
            sql: name.to_owned(),
            known: false,
        };
        match of {
            Type::Numeric | Type::DateTime => Operand::Number(cell),
            Type::Nominal | Type::String => Operand::Text(cell),
            other => Operand::Other(other.clone()),
        }
    }

    /// The same where the value is not missing.
    pub fn known(&self) -> Self {
        let there = |cell: &Cell| Cell {
            known: true,
            ..cell.clone()
        };
        match self {
            Operand::Number(cell) => Operand::Number(there(cell)),
            Operand::Text(cell) => Operand::Text(there(cell)),
            Operand::Fields(_) | Operand::Other(_) => self.clone(),
        }
    }

    /// The condition that it is missing, if it may be. A row itself never is.
    pub fn missing(&self) -> Option<String> {
        match self {
            Operand::Number(cell) | Operand::Text(cell) => {
                (!cell.known).then(|| format!("{} IS NULL", cell.sql))
            }
            Operand::Fields(_) | Operand::Other(_) => None,
        }
    }
}

/// A distance in SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// A double, which binds at least as a product does: what follows it may divide or multiply it.
    pub sql: String,
    /// Whether it is the square of the distance. What only compares distances needs no roots, which
    /// not every SQLite can draw.
    pub squared: bool,
    /// Whether it may be `NULL`: where a missing value is left out.
    pub partial: bool,
}

impl Written {
    /// A distance that is always there.
    pub fn new(sql: String) -> Self {
        Self {
            sql,
            squared: false,
            partial: false,
        }
    }
}

/// Why a distance cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// A measure that SQL has no expression for.
    #[error("`{measure}` cannot be computed in SQL")]
    Measure {
        /// Its name.
        measure: String,
    },
    /// Values that a column of SQL does not hold.
    #[error("`{measure}` compares values of type `{of}`, which no column of SQL holds")]
    Values {
        /// The measure.
        measure: String,
        /// The type of the values.
        of: String,
    },
    /// A root that is added to something.
    #[error("`{measure}` draws a root inside of `{within}`, which not every SQLite can compute")]
    Root {
        /// What draws it.
        measure: String,
        /// What it is a part of.
        within: String,
    },
    /// A missing value, of which nobody says how far it is.
    #[error("`{measure}` does not say how far a missing value is: `far` says it")]
    NoFar {
        /// The measure.
        measure: String,
    },
    /// A text that SQL has no way to write.
    #[error("the text {text:?} has a character of code 0, which PostgreSQL cannot hold")]
    Character {
        /// The text.
        text: String,
    },
}

impl Refused {
    /// That a measure has no expression.
    pub fn measure(name: &str) -> Self {
        Refused::Measure {
            measure: name.to_owned(),
        }
    }
}

/// A constant that a cell is compared with; none for a value that is missing or that SQL does not
/// write.
pub fn constant(value: &Value) -> Result<Option<String>, Refused> {
    let quoted = |label: &str| {
        text(label).ok_or_else(|| Refused::Character {
            text: label.to_owned(),
        })
    };
    match value {
        Value::Number(value) => Ok(Some(number(*value))),
        Value::DateTime(instant) => Ok(Some(number(*instant as f64))),
        Value::Symbol(label) | Value::Text(label) => quoted(label).map(Some),
        _ => Ok(None),
    }
}

/// One number where a value is missing, and another expression where it is not.
pub(crate) fn unless(missing: Option<String>, then: &str, otherwise: &str) -> String {
    match missing {
        Some(missing) => format!("CASE WHEN {missing} THEN {then} ELSE {otherwise} END"),
        None => otherwise.to_owned(),
    }
}

/// No number.
pub(crate) const NOTHING: &str = "CAST(NULL AS double precision)";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    fn written(expression: &str, of: &str, value: &Operand, other: Value) -> String {
        let of: Type = of.parse().unwrap();
        let expression = expression.parse().unwrap();
        let distance = Registry::builtin().distance(&expression, &of, None, "the values");
        match distance.unwrap().sql(value, &other) {
            Ok(written) => written.sql,
            Err(refused) => refused.to_string(),
        }
    }

    fn cell(of: &str) -> Operand {
        Operand::new(&of.parse().unwrap(), "v")
    }

    #[test]
    fn numbers_and_labels() {
        let number = cell("numeric");
        let plain = |expression: &str| {
            let known = number.known();
            written(expression, "numeric", &known, Value::Number(2.5))
        };
        assert_eq!(plain("absolute"), "ABS(v - 2.5)");
        assert_eq!(plain("absolute(range=4)"), "ABS(v - 2.5) * 0.25");
        assert_eq!(
            plain("absolute(least=1, greatest=1)"),
            "CASE WHEN v = 2.5 THEN CAST(0.0 AS double precision) ELSE CAST(1.0 AS double precision) END"
        );
        assert_eq!(plain("scaled(absolute, by=8)"), "ABS(v - 2.5) / 8.0");
        let red = Value::Symbol("it's".into());
        assert_eq!(
            written("discrete", "nominal", &cell("nominal").known(), red),
            "CASE WHEN v = 'it''s' THEN CAST(0.0 AS double precision) ELSE CAST(1.0 AS double precision) END"
        );
    }

    #[test]
    fn missing_values_by_policy() {
        let number = cell("numeric");
        let with = |expression: &str, other: Value| written(expression, "numeric", &number, other);
        assert_eq!(
            with("absolute(far=3)", Value::Number(2.0)),
            "CASE WHEN v IS NULL THEN CAST(3.0 AS double precision) ELSE ABS(v - 2.0) END"
        );
        assert_eq!(
            with("absolute(far=3)", Value::Missing),
            "CASE WHEN v IS NULL THEN CAST(0.0 AS double precision) ELSE CAST(3.0 AS double precision) END"
        );
        assert_eq!(
            with("absolute", Value::Number(2.0)),
            "`absolute` does not say how far a missing value is: `far` says it"
        );
    }

    #[test]
    fn what_has_no_expression_is_refused_by_name() {
        let string = cell("string").known();
        let word = || Value::Text("word".into());
        assert_eq!(
            written("scaled(edit, by=3)", "string", &string, word()),
            "`edit` cannot be computed in SQL"
        );
        let set = Value::set(vec![Value::Symbol("a".into())]);
        assert_eq!(
            written("jaccard", "set<nominal>", &cell("set<nominal>"), set),
            "`jaccard` compares values of type `set<nominal>`, which no column of SQL holds"
        );
        assert_eq!(
            written("discrete", "string", &string, Value::Text("a\0".into())),
            "the text \"a\\0\" has a character of code 0, which PostgreSQL cannot hold"
        );
    }
}
