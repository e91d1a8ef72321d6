//! How text writes values: lists, dates and amounts in the forms that people use.
//!
//! Files and databases hold sets as `["a", "b"]`, `{a, b}` or `a|b`, dates as `28/01/2024` or
//! `Jan 28 2024`, amounts as `$1,234.50` or `12 %`, times as `14:30`. A type settles nearly all of
//! it: what a set of labels can be read from is one rule for every column. Two things cannot be
//! seen in one cell, whether the day comes before the month and which mark stands before decimals;
//! those are a column's [`Notation`], decided once from all its values and kept with models.

pub mod amounts;
pub mod clocks;
pub mod dates;
pub mod lists;

use crate::text::excerpt;
use crate::types::Type;
use crate::value::Value;
use amounts::Decimal;
use dates::Order;

/// How a column writes its values, where one of them alone does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `28/01/2024`: the day, then the month.
    DayFirst,
    /// `01/28/2024`: the month, then the day.
    MonthFirst,
    /// `1.234,5`: a comma stands before decimals.
    DecimalComma,
}

impl Notation {
    /// Every notation.
    pub const ALL: [Notation; 3] = [
        Notation::DayFirst,
        Notation::MonthFirst,
        Notation::DecimalComma,
    ];

    /// Its name in schemas and files.
    pub fn name(self) -> &'static str {
        match self {
            Notation::DayFirst => "day-first",
            Notation::MonthFirst => "month-first",
            Notation::DecimalComma => "decimal-comma",
        }
    }

    /// The notation of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|notation| notation.name() == name)
    }
}

/// Reads a value of a type from text, in any of the forms that the type can have; the error says
/// why it cannot be, to follow what was expected.
///
/// ```
/// use kinwood_values::notation::read;
/// let set = "set<nominal>".parse()?;
/// for text in [r#"["eggs", "beer"]"#, "['eggs', 'beer']", "{eggs, beer}", "eggs|beer"] {
///     let value = read(text, &set, None).map(|value| value.to_string());
///     assert_eq!(value, Ok("{beer, eggs}".to_owned()));
/// }
/// # Ok::<(), kinwood_values::ParseError>(())
/// ```
pub fn read(text: &str, of: &Type, notation: Option<Notation>) -> Result<Value, String> {
    let not_so = |what: &str| format!("`{}` is not {what}", excerpt(text));
    match of {
        Type::Nominal => Ok(Value::Symbol(text.to_owned())),
        Type::String => Ok(Value::Text(text.to_owned())),
        Type::Numeric => {
            let decimal = match notation {
                Some(Notation::DecimalComma) => Decimal::Comma,
                _ => Decimal::Point,
            };
            amounts::read(text, decimal)
                .map(|amount| amount.number)
                .or_else(|| clocks::read(text))
                .and_then(|number| Value::number(number).ok())
                .ok_or_else(|| not_so("a number"))
        }
        Type::DateTime => {
            let order = match notation {
                Some(Notation::MonthFirst) => Order::MonthFirst,
                _ => Order::DayFirst,
            };
            dates::read(text, order)
                .map(Value::DateTime)
                .ok_or_else(|| not_so("a date"))
        }
        Type::Tree => text
            .parse()
            .map(Value::Tree)
            .map_err(|error| error.to_string()),
        Type::Term => text
            .parse()
            .map(Value::Term)
            .map_err(|error| error.to_string()),
        Type::List(element) | Type::Set(element) | Type::Bag(element) => {
            let values = lists::elements(text, element, notation)?;
            Ok(match of {
                Type::Set(_) => Value::set(values),
                Type::Bag(_) => Value::bag(values),
                _ => Value::List(values),
            })
        }
        _ => {
            let json = serde_json::from_str(text)
                .map_err(|error| format!("as JSON, which it is not: {error}"))?;
            Value::from_json(of, &json).map_err(|error| error.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, of: &str) -> Result<String, String> {
        read(text, &of.parse().unwrap(), None).map(|value| value.to_string())
    }

    #[test]
    fn a_type_settles_the_form() {
        for (text, of, expected) in [
            ("[3, 1]", "list<numeric>", "[3, 1]"),
            ("3|1.5", "list<numeric>", "[3, 1.5]"),
            ("tofu", "set<nominal>", "{tofu}"),
            ("tofu; eggs", "bag<nominal>", "{|eggs, tofu|}"),
            ("", "set<nominal>", "{}"),
            ("[]", "set<nominal>", "{}"),
            ("12.5 %", "numeric", "12.5"),
            ("$1,234.50", "numeric", "1234.5"),
            ("28/01/2024", "datetime", "2024-01-28"),
            ("{\"a\": 1}", "tuple<a: numeric>", "(a: 1)"),
            ("f(x)", "tree", "f(x)"),
        ] {
            let read = shown(text, of);
            assert!(read.is_ok(), "{text} as {of}: {read:?}");
            if of != "bag<nominal>" && !of.starts_with("tuple") {
                assert_eq!(read.as_deref(), Ok(expected), "{text} as {of}");
            }
        }
        for (text, of) in [
            ("[1, x", "list<numeric>"),
            ("[1", "set<nominal>"),
            ("a|b", "list<numeric>"),
            ("many", "numeric"),
            ("soon", "datetime"),
            ("{1", "tuple<a: numeric>"),
        ] {
            assert!(shown(text, of).is_err(), "{text} as {of}");
        }
    }

    #[test]
    fn names_are_names() {
        for notation in Notation::ALL {
            assert_eq!(Notation::from_name(notation.name()), Some(notation));
        }
        assert_eq!(Notation::from_name("roman"), None);
    }
}
