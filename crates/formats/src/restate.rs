//! Columns in the type that a schema states, where the file holds them in another.
//!
//! Files that declare types of their own know fewer than we do: what was a set comes back as a
//! list, what was a tree as text. The schema says what it was, and nothing is lost on the way
//! through such a file.

use kinwood_values::column::Members;
use kinwood_values::notation::{self, Notation};
use kinwood_values::{Cells, Column, Kind, Type, Value};

/// The column in another type; nothing if some value of it cannot be of that type.
///
/// - Texts become whatever they write in any form of the type ([`notation::read`]), numbers also
///   labels and numbers of rows.
/// - Lists, sets and bags become one another; a tuple of one field in them stands for the field.
/// - Tuples of as many fields become one another, field by field.
pub fn restate(column: &Column, of: &Type) -> Option<Column> {
    restate_written(column, of, None)
}

/// The column in another type, its texts read by a notation.
pub(crate) fn restate_written(
    column: &Column,
    of: &Type,
    written: Option<Notation>,
) -> Option<Column> {
    if let (Cells::Collection { members, .. }, Type::Bag(element)) = (column.cells(), of)
        && members.child.type_of() == **element
    {
        // A bag has no order: its members may lie as they are.
        let cells = Cells::Collection {
            kind: Kind::Bag,
            members: Members::clone(members),
        };
        return Some(Column::new(cells, column.validity().cloned()));
    }
    let mut restated = Column::empty(of);
    for row in 0..column.len() {
        restated
            .push(&convert(column.value(row), of, written)?)
            .ok()?;
    }
    Some(restated)
}

fn convert(value: Value, of: &Type, written: Option<Notation>) -> Option<Value> {
    Some(match (value, of) {
        (Value::Missing, _) => Value::Missing,
        (Value::Symbol(text) | Value::Text(text), of) => notation::read(&text, of, written).ok()?,
        (Value::Number(number), Type::Ref(_)) => {
            Value::from_json(of, &Value::Number(number).to_json()).ok()?
        }
        (value @ (Value::Number(_) | Value::DateTime(_)), Type::Nominal) => {
            Value::Symbol(value.to_string())
        }
        (value @ (Value::Number(_) | Value::DateTime(_)), Type::String) => {
            Value::Text(value.to_string())
        }
        (Value::List(elements) | Value::Set(elements) | Value::Bag(elements), of) => {
            let all = |of: &Type| -> Option<Vec<Value>> {
                let elements = elements.into_iter();
                elements
                    .map(|element| convert_element(element, of, written))
                    .collect()
            };
            match of {
                Type::List(of) => Value::List(all(of)?),
                Type::Set(of) => Value::set(all(of)?),
                Type::Bag(of) => Value::bag(all(of)?),
                _ => return None,
            }
        }
        (Value::Tuple(values), Type::Tuple(fields)) if values.len() == fields.len() => {
            let fields = values.into_iter().zip(fields);
            let fields = fields.map(|(value, field)| convert(value, &field.of, written));
            Value::Tuple(fields.collect::<Option<_>>()?)
        }
        (value, of) => Some(value).filter(|value| value.conforms_to(of))?,
    })
}

fn convert_element(element: Value, of: &Type, written: Option<Notation>) -> Option<Value> {
    match (element, of) {
        (Value::Tuple(mut fields), of) if fields.len() == 1 && !matches!(of, Type::Tuple(_)) => {
            convert(fields.pop()?, of, written)
        }
        (element, of) => convert(element, of, written),
    }
}

#[cfg(test)]
mod tests {
    use kinwood_testing::any_typed_value;
    use proptest::prelude::*;

    use super::*;

    fn restated(from: &str, values: &[Value], to: &str) -> Option<Vec<String>> {
        let column = Column::from_values(&from.parse().unwrap(), values).unwrap();
        let restated = restate(&column, &to.parse().unwrap())?;
        let shown = (0..restated.len()).map(|row| restated.value(row).to_string());
        Some(shown.collect())
    }

    #[test]
    fn texts_numbers_and_collections_become_what_is_stated() {
        let text = |text: &str| Value::Text(text.to_owned());
        let one = |number| Value::Tuple(vec![Value::Number(number)]);
        /// A type, values of it, another type, and what the values are in that.
        type Case = (
            &'static str,
            Vec<Value>,
            &'static str,
            Option<Vec<&'static str>>,
        );
        let cases: [Case; 7] = [
            (
                "string",
                vec![text("a(b)"), Value::Missing],
                "tree",
                Some(vec!["a(b)", "?"]),
            ),
            (
                "string",
                vec![text("[2, 1]")],
                "set<numeric>",
                Some(vec!["{1, 2}"]),
            ),
            ("string", vec![text("x")], "numeric", None),
            (
                "numeric",
                vec![Value::Number(1.5)],
                "nominal",
                Some(vec!["1.5"]),
            ),
            (
                "numeric",
                vec![Value::Number(3.0)],
                "ref<t>",
                Some(vec!["#3"]),
            ),
            ("numeric", vec![Value::Number(0.0)], "ref<t>", None),
            (
                "bag<tuple<value: numeric>>",
                vec![Value::bag(vec![one(2.0), one(1.0)])],
                "list<numeric>",
                Some(vec!["[1, 2]"]),
            ),
        ];
        for (from, values, to, expected) in cases {
            let expected = expected.map(|all| all.into_iter().map(str::to_owned).collect());
            assert_eq!(restated(from, &values, to), expected, "{from} as {to}");
        }
    }

    proptest! {
        #[test]
        fn a_column_in_its_own_type_is_itself((of, value) in any_typed_value()) {
            let column = Column::from_values(&of, [&value]).unwrap();
            let restated = restate(&column, &of).unwrap();
            prop_assert_eq!(restated.value(0), value);
        }
    }
}
