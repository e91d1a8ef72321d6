//! Conditions that reach a table: which column is compared with what.

use rusqlite::types::Value;

use crate::error::{Error, Result};

/// A comparison that a condition makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// `=`, or one of several by `IN`.
    Equal,
    /// `<>`.
    Unequal,
    /// `<`.
    Below,
    /// `<=`.
    AtMost,
    /// `>`.
    Above,
    /// `>=`.
    AtLeast,
}

impl Comparison {
    /// All with their signs, longer ones first.
    pub(crate) const ALL: [(Comparison, &'static str); 6] = [
        (Comparison::Unequal, "<>"),
        (Comparison::AtMost, "<="),
        (Comparison::AtLeast, ">="),
        (Comparison::Equal, "="),
        (Comparison::Below, "<"),
        (Comparison::Above, ">"),
    ];

    /// Its sign.
    pub(crate) fn sign(self) -> &'static str {
        let mut all = Self::ALL.iter();
        all.find(|(own, _)| *own == self)
            .map_or("", |(_, sign)| sign)
    }
}

/// A condition with its values: several of `IN`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Given {
    /// The column, or `limit` and `offset`.
    pub name: String,
    /// How it is compared.
    pub comparison: Comparison,
    /// With what.
    pub values: Vec<Value>,
}

/// All conditions that reach a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions(pub Vec<Given>);

impl Conditions {
    /// Those on a column.
    pub(crate) fn on<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Given> {
        self.0.iter().filter(move |given| given.name == name)
    }

    /// The value that a column is to equal, if it is to equal one.
    pub(crate) fn equal(&self, name: &str) -> Option<&Value> {
        let mut given = self.0.iter().filter(|given| given.name == name);
        let given = given.find(|given| given.comparison == Comparison::Equal)?;
        given.values.first()
    }

    /// The text of an argument; nothing where it is not given, or `NULL`.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>> {
        match self.equal(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text.clone())),
            Some(Value::Integer(number)) => Ok(Some(number.to_string())),
            Some(Value::Real(number)) => Ok(Some(number.to_string())),
            Some(Value::Blob(_)) => Err(Error::argument(name, "a text", "a blob")),
        }
    }

    /// The whole number of an argument.
    pub(crate) fn whole(&self, name: &str) -> Result<Option<i64>> {
        match self.equal(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Integer(number)) => Ok(Some(*number)),
            Some(Value::Real(number)) if number.fract() == 0.0 && number.abs() < 1e15 => {
                Ok(Some(*number as i64))
            }
            Some(Value::Text(text)) => match text.trim().parse() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(Error::argument(
                    name,
                    "a whole number",
                    &format!("`{text}`"),
                )),
            },
            Some(other) => Err(Error::argument(name, "a whole number", &shown(other))),
        }
    }
}

/// A value in a message.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(number) => format!("`{number}`"),
        Value::Real(number) => format!("`{number}`"),
        Value::Text(text) => format!("`{text}`"),
        Value::Blob(_) => "a blob".to_owned(),
    }
}
