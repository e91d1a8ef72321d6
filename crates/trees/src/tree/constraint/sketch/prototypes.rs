//! The prototypes that a partial tree names: values of a column, in the notation in which they are
//! shown and in which files hold them.

use kinwood_values::{Type, Value, datetime};

use crate::contents::Item;
use crate::tree::Test;
use crate::tree::constraint::Input;

/// The columns whose values are compared with prototypes.
pub trait PrototypeValues {
    /// What a column holds, if its values can be prototypes.
    fn type_of(&self, column: u32) -> Option<Type>;
    /// The value of a column that is shown so, if one alone of the data is.
    fn shown(&self, column: u32, text: &str) -> Option<Value>;
    /// The test which of these values a value is nearest to; if there is none, why.
    fn nearest(
        &mut self,
        column: u32,
        prototypes: &[Value],
        drawn: Boundaries,
    ) -> Result<Test, String>;
    /// The test whether a value contains one of these items; if there is none, why.
    fn has(&mut self, column: u32, items: &[Item]) -> Result<Test, String>;
    /// The test whether a value has at least such a size; if there is none, why.
    fn sized(&self, column: u32, least: u32) -> Result<Test, String>;
}

/// Where one prototype attracts no longer and another does.
#[derive(Clone, Debug, PartialEq)]
pub enum Boundaries {
    /// The nearest attracts.
    Midway,
    /// The nearest in units of these attracts, one a prototype.
    Reach(Vec<f64>),
    /// A number in one of the cells between these bounds belongs to the prototype of the cell;
    /// without cells, each prototype has its own.
    Cells {
        /// Where cells end.
        bounds: Vec<f64>,
        /// The prototype of each cell.
        cells: Option<Vec<u32>>,
    },
}

/// No column's values can be prototypes.
pub struct NoPrototypes;

impl PrototypeValues for NoPrototypes {
    fn type_of(&self, _: u32) -> Option<Type> {
        None
    }

    fn shown(&self, _: u32, _: &str) -> Option<Value> {
        None
    }

    fn nearest(&mut self, _: u32, _: &[Value], _: Boundaries) -> Result<Test, String> {
        Err("no column is compared with prototypes here".to_owned())
    }

    fn has(&mut self, _: u32, _: &[Item]) -> Result<Test, String> {
        Err("no column is asked for its contents here".to_owned())
    }

    fn sized(&self, _: u32, _: u32) -> Result<Test, String> {
        Err("no column is asked for its size here".to_owned())
    }
}

/// Reads a value of a type as people write it: labels, texts, numbers, dates, trees and terms as
/// they are, everything else in JSON.
pub fn written(of: &Type, text: &str) -> Result<Value, String> {
    let json = |text: &str| -> Result<Value, String> {
        let json = serde_json::from_str(text).map_err(|error| error.to_string())?;
        Value::from_json(of, &json).map_err(|error| error.to_string())
    };
    match of {
        Type::Nominal => Ok(Value::Symbol(text.to_owned())),
        Type::String => Ok(Value::Text(text.to_owned())),
        Type::Numeric => {
            let number = text.parse::<f64>().map_err(|error| error.to_string())?;
            Value::number(number).map_err(|error| error.to_string())
        }
        Type::DateTime => datetime::parse(text)
            .map(Value::DateTime)
            .map_err(|error| error.to_string()),
        Type::Tree | Type::Term => {
            let text = serde_json::Value::String(text.to_owned());
            Value::from_json(of, &text).map_err(|error| error.to_string())
        }
        _ => json(text),
    }
}

/// Whether a value can be a prototype of a column; if not, why, and the label that was perhaps
/// meant.
pub fn checked(input: &Input, value: Value) -> Result<Value, (String, Option<String>)> {
    match (&value, &input.labels) {
        (Value::Missing, _) => Err(("a missing value is no prototype".to_owned(), None)),
        (Value::Symbol(label), Some(labels)) if labels.code(label).is_none() => {
            let meant = kinwood_values::suggest::nearest(label, labels.labels());
            Err((format!("unknown label `{label}`"), meant))
        }
        _ => Ok(value),
    }
}
