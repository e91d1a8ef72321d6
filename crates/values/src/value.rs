//! One value of any type.
//!
//! Columns hold values in flat arrays; a `Value` is one of them taken out, to be shown, compared,
//! put into a set or written as JSON. All values are in one total order, so that sets and bags have
//! one form.

use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};

use crate::datetime;
use crate::graph::Graph;
use crate::term::Term;
use crate::text::{ParseError, finite, number_text, write_name};
use crate::tree::Tree;
use crate::types::Type;

/// A value, whatever its type.
///
/// ```
/// use kinwood_values::Value;
/// let set = Value::set(vec![Value::number(2.0)?, Value::number(1.0)?, Value::number(2.0)?]);
/// assert_eq!(set.to_string(), "{1, 2}");
/// # Ok::<(), kinwood_values::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub enum Value {
    /// Not known.
    Missing,
    /// A symbol of a nominal type.
    Symbol(String),
    /// A finite number; [`Value::number`] checks.
    Number(f64),
    /// Milliseconds since 1970-01-01 UTC.
    DateTime(i64),
    /// A string.
    Text(String),
    /// Elements in order.
    List(Vec<Value>),
    /// Elements in ascending order without repetition; [`Value::set`] sorts.
    Set(Vec<Value>),
    /// Elements in ascending order; [`Value::bag`] sorts.
    Bag(Vec<Value>),
    /// Fields.
    Tuple(Vec<Value>),
    /// A tree.
    Tree(Tree),
    /// A term.
    Term(Term),
    /// A graph.
    Graph(Graph),
    /// Number of a row of another table, from 0.
    Ref(u32),
}

impl Value {
    /// A number, unless it is infinite or not a number.
    pub fn number(number: f64) -> Result<Value, ParseError> {
        finite(number).map(Value::Number)
    }

    /// The set of the given elements: sorted, each once.
    pub fn set(mut elements: Vec<Value>) -> Value {
        elements.sort();
        elements.dedup();
        Value::Set(elements)
    }

    /// The bag of the given elements: sorted, repeated as often as given.
    pub fn bag(mut elements: Vec<Value>) -> Value {
        elements.sort();
        Value::Bag(elements)
    }

    /// Whether the value is of the type; a missing value is of any.
    ///
    /// Numbers must be finite, times in the calendar, sets and bags in their order. Whether the row
    /// of a reference exists is for its database to say.
    pub fn conforms_to(&self, of: &Type) -> bool {
        match (self, of) {
            (Value::Missing, _)
            | (Value::Symbol(_), Type::Nominal)
            | (Value::Text(_), Type::String)
            | (Value::Tree(_), Type::Tree)
            | (Value::Term(_), Type::Term)
            | (Value::Graph(_), Type::Graph)
            | (Value::Ref(_), Type::Ref(_)) => true,
            (Value::Number(number), Type::Numeric) => number.is_finite(),
            (Value::DateTime(time), Type::DateTime) => datetime::in_calendar(*time),
            (Value::List(elements), Type::List(of)) => all_conform(elements, of),
            (Value::Set(elements), Type::Set(of)) => {
                elements.is_sorted_by(|a, b| a < b) && all_conform(elements, of)
            }
            (Value::Bag(elements), Type::Bag(of)) => {
                elements.is_sorted() && all_conform(elements, of)
            }
            (Value::Tuple(values), Type::Tuple(fields)) => {
                values.len() == fields.len()
                    && values
                        .iter()
                        .zip(fields)
                        .all(|(value, field)| value.conforms_to(&field.of))
            }
            _ => false,
        }
    }

    /// Position of the kind of value in the order of values.
    fn rank(&self) -> u8 {
        match self {
            Value::Missing => 0,
            Value::Symbol(_) => 1,
            Value::Number(_) => 2,
            Value::DateTime(_) => 3,
            Value::Text(_) => 4,
            Value::List(_) => 5,
            Value::Set(_) => 6,
            Value::Bag(_) => 7,
            Value::Tuple(_) => 8,
            Value::Tree(_) => 9,
            Value::Term(_) => 10,
            Value::Graph(_) => 11,
            Value::Ref(_) => 12,
        }
    }
}

fn all_conform(elements: &[Value], of: &Type) -> bool {
    elements.iter().all(|element| element.conforms_to(of))
}

/// Values of one kind by content, values of different kinds in the order of the variants.
impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Symbol(a), Value::Symbol(b)) | (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (Value::Number(a), Value::Number(b)) => (a + 0.0).total_cmp(&(b + 0.0)),
            (Value::DateTime(a), Value::DateTime(b)) => a.cmp(b),
            (Value::List(a), Value::List(b))
            | (Value::Set(a), Value::Set(b))
            | (Value::Bag(a), Value::Bag(b))
            | (Value::Tuple(a), Value::Tuple(b)) => a.cmp(b),
            (Value::Tree(a), Value::Tree(b)) => a.cmp(b),
            (Value::Term(a), Value::Term(b)) => a.cmp(b),
            (Value::Graph(a), Value::Graph(b)) => a.cmp(b),
            (Value::Ref(a), Value::Ref(b)) => a.cmp(b),
            (a, b) => a.rank().cmp(&b.rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
        match self {
            Value::Missing => {}
            Value::Symbol(text) | Value::Text(text) => text.hash(state),
            Value::Number(number) => (number + 0.0).to_bits().hash(state),
            Value::DateTime(time) => time.hash(state),
            Value::List(values)
            | Value::Set(values)
            | Value::Bag(values)
            | Value::Tuple(values) => {
                values.hash(state);
            }
            Value::Tree(tree) => tree.hash(state),
            Value::Term(term) => term.hash(state),
            Value::Graph(graph) => graph.hash(state),
            Value::Ref(row) => row.hash(state),
        }
    }
}

/// For people: `{1, 2}`, `[a, b]`, `{|a, a|}`, `(a, 1)`, `?`. A row of another table is `#1`,
/// counted from 1.
///
/// Symbols and strings stand as they are; inside of other values, in `'…'` where they could be
/// misread.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Missing => f.write_char('?'),
            Value::Symbol(text) | Value::Text(text) => f.write_str(text),
            Value::Number(number) => f.write_str(&number_text(*number)),
            Value::DateTime(time) => f.write_str(&datetime::print(*time)),
            Value::List(values) => write_values(f, "[", values, "]"),
            Value::Set(values) => write_values(f, "{", values, "}"),
            Value::Bag(values) => write_values(f, "{|", values, "|}"),
            Value::Tuple(values) => write_values(f, "(", values, ")"),
            Value::Tree(tree) => tree.fmt(f),
            Value::Term(term) => term.fmt(f),
            Value::Graph(graph) => graph.fmt(f),
            Value::Ref(row) => write!(f, "#{}", u64::from(*row) + 1),
        }
    }
}

fn write_values(
    f: &mut fmt::Formatter<'_>,
    open: &str,
    values: &[Value],
    close: &str,
) -> fmt::Result {
    f.write_str(open)?;
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        match value {
            Value::Symbol(text) | Value::Text(text) => write_name(f, text, unmistakable(text))?,
            value => write!(f, "{value}")?,
        }
    }
    f.write_str(close)
}

fn unmistakable(text: &str) -> bool {
    let misread = |c: char| c.is_control() || "[]{}()|,'".contains(c);
    !text.is_empty() && text != "?" && text.trim() == text && !text.contains(misread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

    fn symbol(text: &str) -> Value {
        Value::Symbol(text.into())
    }

    #[test]
    fn only_finite_numbers_are_values() {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Value::number(number).is_err());
            assert!(!Value::Number(number).conforms_to(&Type::Numeric));
        }
        let Value::Number(zero) = Value::number(-0.0).unwrap() else {
            panic!("a number")
        };
        assert!(zero.is_sign_positive());
    }

    #[test]
    fn zero_has_one_sign() {
        let zeros = [Value::Number(0.0), Value::Number(-0.0)];
        assert_eq!(zeros[0], zeros[1]);
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        assert_eq!(hasher.hash_one(&zeros[0]), hasher.hash_one(&zeros[1]));
        assert_eq!(Value::set(zeros.to_vec()).to_string(), "{0}");
    }

    #[test]
    fn sets_and_bags_have_one_form() {
        let elements = || vec![symbol("b"), Value::Missing, symbol("a"), symbol("b")];
        assert_eq!(Value::set(elements()).to_string(), "{?, a, b}");
        assert_eq!(Value::bag(elements()).to_string(), "{|?, a, b, b|}");
        let set_type = Type::Set(Box::new(Type::Nominal));
        assert!(Value::set(elements()).conforms_to(&set_type));
        assert!(!Value::Set(elements()).conforms_to(&set_type));
        assert!(!Value::Set(vec![symbol("a"), symbol("a")]).conforms_to(&set_type));
        assert!(!Value::Bag(elements()).conforms_to(&Type::Bag(Box::new(Type::Nominal))));
    }

    #[test]
    fn prints_for_people() {
        let tuple = Value::Tuple(vec![
            symbol("a"),
            Value::Number(1.0),
            Value::Text("b, c".into()),
            Value::DateTime(0),
            Value::Ref(u32::MAX),
            Value::Tree("a(b)".parse().unwrap()),
            Value::List(vec![symbol("?"), Value::Missing]),
        ]);
        assert_eq!(
            tuple.to_string(),
            "(a, 1, 'b, c', 1970-01-01, #4294967296, a(b), ['?', ?])"
        );
        assert_eq!(Value::Text("b, c".into()).to_string(), "b, c");
    }

    #[test]
    fn types_are_told_apart() {
        assert!(!symbol("a").conforms_to(&Type::String));
        assert!(!Value::DateTime(i64::MAX).conforms_to(&Type::DateTime));
        assert!(!Value::Tuple(vec![symbol("a")]).conforms_to(&Type::Tuple(vec![])));
        assert!(
            !Value::List(vec![Value::Number(1.0)]).conforms_to(&Type::List(Box::new(Type::Tree)))
        );
    }
}
