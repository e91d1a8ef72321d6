//! Growing a column value by value: how readers of nested data fill it.

use std::sync::Arc;

use super::{Cells, Column};
use crate::error::Error;
use crate::validity::Validity;
use crate::value::Value;

impl Column {
    /// Adds a row. The value must be of the column's type, or missing.
    pub fn push(&mut self, value: &Value) -> Result<(), Error> {
        if *value == Value::Missing {
            self.push_missing();
            return Ok(());
        }
        // Checked whole before the first buffer changes: a refused value leaves no half row.
        let of = self.type_of();
        if !value.conforms_to(&of) {
            return Err(Error::ValueType {
                value: value.to_string(),
                expected: of,
            });
        }
        self.push_checked(value);
        Ok(())
    }

    /// Adds a row without a value.
    pub fn push_missing(&mut self) {
        let rows = self.len();
        let validity = self
            .validity
            .get_or_insert_with(|| Validity::all_present(rows));
        validity.push(false);
        match &mut self.cells {
            Cells::Nominal { codes, .. } => codes.push(0),
            Cells::Numeric(numbers) => numbers.push(f64::NAN),
            Cells::DateTime(instants) => instants.push(0),
            Cells::String(texts) => texts.push(""),
            Cells::Collection { members, .. } => members.close_row(),
            Cells::Tuple { fields, rows, .. } => {
                fields.iter_mut().for_each(Column::push_missing);
                *rows += 1;
            }
            Cells::Tree(trees) => trees.push_missing(),
            Cells::Term(terms) => terms.push_missing(),
            Cells::Graph(graphs) => graphs.push_missing(),
            Cells::Ref { rows, .. } => rows.push(0),
        }
    }

    fn push_checked(&mut self, value: &Value) {
        if *value == Value::Missing {
            return self.push_missing();
        }
        match (&mut self.cells, value) {
            (Cells::Nominal { codes, dictionary }, Value::Symbol(label)) => {
                codes.push(match dictionary.code(label) {
                    Some(code) => code,
                    None => Arc::make_mut(dictionary).intern(label),
                });
            }
            (Cells::Numeric(numbers), Value::Number(number)) => numbers.push(*number),
            (Cells::DateTime(instants), Value::DateTime(instant)) => instants.push(*instant),
            (Cells::String(texts), Value::Text(text)) => texts.push(text),
            (
                Cells::Collection { members, .. },
                Value::List(values) | Value::Set(values) | Value::Bag(values),
            ) => {
                values
                    .iter()
                    .for_each(|value| members.child.push_checked(value));
                members.close_row();
            }
            (Cells::Tuple { fields, rows, .. }, Value::Tuple(values)) => {
                fields
                    .iter_mut()
                    .zip(values)
                    .for_each(|(field, value)| field.push_checked(value));
                *rows += 1;
            }
            (Cells::Tree(trees), Value::Tree(tree)) => trees.push(tree),
            (Cells::Term(terms), Value::Term(term)) => terms.push(term),
            (Cells::Graph(graphs), Value::Graph(graph)) => graphs.push(graph),
            (Cells::Ref { rows, .. }, Value::Ref(row)) => rows.push(*row),
            _ => unreachable!("the value was checked against the column's type"),
        }
        if let Some(validity) = &mut self.validity {
            validity.push(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Type;

    #[test]
    fn nested_values_come_back_as_pushed() {
        let of: Type = "set<tuple<nominal, numeric>>".parse().unwrap();
        let pair = |label: &str, number: f64| {
            Value::Tuple(vec![Value::Symbol(label.into()), Value::Number(number)])
        };
        let values = [
            Value::set(vec![pair("c", 0.1), pair("n", -0.5)]),
            Value::Missing,
            Value::set(vec![]),
            Value::set(vec![Value::Tuple(vec![Value::Missing, Value::Number(1.0)])]),
        ];
        let column = Column::from_values(&of, &values).unwrap();
        assert_eq!(column.len(), 4);
        assert_eq!(column.missing(), 1);
        assert_eq!(column.type_of(), of);
        for (row, value) in values.iter().enumerate() {
            assert_eq!(&column.value(row), value);
        }
    }

    #[test]
    fn a_value_of_another_type_is_refused_and_leaves_nothing() {
        let mut column = Column::empty(&"list<numeric>".parse().unwrap());
        let wrong = Value::List(vec![Value::Number(1.0), Value::Symbol("a".into())]);
        assert!(column.push(&wrong).is_err());
        assert_eq!(column.len(), 0);
        column.push(&Value::List(vec![Value::Number(1.0)])).unwrap();
        assert_eq!(column.value(0), Value::List(vec![Value::Number(1.0)]));
    }

    #[test]
    fn a_set_with_repeats_is_no_set() {
        let mut column = Column::empty(&"set<numeric>".parse().unwrap());
        let repeated = [2.0, 1.0, 2.0].map(Value::Number).to_vec();
        assert!(column.push(&Value::Set(repeated.clone())).is_err());
        column.push(&Value::set(repeated)).unwrap();
        assert_eq!(
            column.value(0),
            Value::Set([1.0, 2.0].map(Value::Number).to_vec())
        );
    }
}
