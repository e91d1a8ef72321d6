//! From values to a column: its type, why it has it, and what was done to its values.

use kinwood_values::column::Texts;
use kinwood_values::json::infer_types;
use kinwood_values::{Cells, Column, Notice, NoticeKind, Type, Validity, Value};
use serde_json::Value as Json;

use super::builder::{Builder, Built, Plan, Told};
use super::declared::DeclaredColumn;
use crate::csv::evidence;

/// A column with the evidence for its type.
#[derive(Debug)]
pub(super) struct Finished {
    pub column: Column,
    pub evidence: String,
}

/// The column of a builder that is full; `None` if it is left out, which is told.
pub(super) fn finish(
    builder: Builder,
    table: &str,
    declared: &DeclaredColumn,
    notices: &mut Vec<Notice>,
) -> Option<Finished> {
    let (plan, built, told) = builder.finish()?;
    let name = &declared.name;
    let of = match declared.declared.as_str() {
        "" => "declared without a type".to_owned(),
        declared => format!("declared `{declared}`"),
    };
    let mut tell = |message: String| {
        notices.push(Notice::about(
            NoticeKind::Type,
            format!("column `{name}` of table `{table}` {message}"),
        ));
    };
    if matches!(built, Built::Binary) {
        tell("holds binary values, which are not read; it is left out".to_owned());
        return None;
    }
    report(&told, &of, &mut tell);
    let (column, why) = match built {
        Built::Column(column) => {
            let fixed = matches!(plan, Plan::Truth | Plan::Labels(_));
            match column.cells() {
                Cells::Nominal { dictionary, .. } if fixed => {
                    let labels = dictionary.len();
                    (column, format!("one of {labels} labels"))
                }
                Cells::Collection { members, .. } => {
                    let members = members.child.len();
                    (column, format!("{members} members in all"))
                }
                _ => {
                    let inferred = evidence::infer(column);
                    (inferred.column, inferred.evidence)
                }
            }
        }
        Built::Texts(texts, validity) if plan == Plan::Json => {
            structured(texts, validity, &mut tell)
        }
        Built::Texts(texts, validity) => {
            let column = Column::new(Cells::String(texts), Some(validity));
            (column, "written as text".to_owned())
        }
        Built::Binary => return None,
    };
    Some(Finished {
        column,
        evidence: format!("{of}; {why}"),
    })
}

/// Tells what was done to values.
fn report(told: &Told, of: &str, tell: &mut impl FnMut(String)) {
    if let Some(found) = &told.contradiction {
        let (example, row) = (&found.example, found.row);
        tell(if found.inexact {
            format!(
                "holds `{example}` in row {row}, which cannot be kept exactly; as part of a key it is read as nominal"
            )
        } else {
            format!("is {of}, but holds `{example}` in row {row}; it is read as nominal")
        });
    }
    for (count, one, many) in [
        (
            told.infinite,
            "value that is infinite, not a number or outside of the calendar; it is missing",
            "values that are infinite, not numbers or outside of the calendar; they are missing",
        ),
        (
            told.blobs,
            "binary value; it is missing",
            "binary values; they are missing",
        ),
        (
            told.blank,
            "empty text; it is missing",
            "empty texts; they are missing",
        ),
        (
            told.foreign,
            "text that is not UTF-8; it is read as Latin-1",
            "texts that are not UTF-8; they are read as Latin-1",
        ),
        (
            told.rounded,
            "whole number beyond 2^53; it is rounded",
            "whole numbers beyond 2^53; they are rounded",
        ),
        (
            told.flattened,
            "list of several dimensions; it is read as one list",
            "lists of several dimensions; they are read as one list each",
        ),
    ] {
        match count {
            0 => {}
            1 => tell(format!("holds 1 {one}")),
            _ => tell(format!("holds {count} {many}")),
        }
    }
}

/// The values that JSON texts mean, if one type holds them all; else the texts.
fn structured(texts: Texts, validity: Validity, tell: &mut impl FnMut(String)) -> (Column, String) {
    match understood(&texts, &validity) {
        Ok(column) => {
            let of = column.type_of();
            if matches!(of, Type::Nominal) {
                let inferred = evidence::infer(column);
                return (inferred.column, inferred.evidence);
            }
            (column, format!("all values are `{of}` as JSON"))
        }
        Err((row, reason)) => {
            tell(format!(
                "is read as string: its JSON values are not of one type (row {}: {reason})",
                row + 1
            ));
            let evidence = "JSON values of several types".to_owned();
            (Column::new(Cells::String(texts), Some(validity)), evidence)
        }
    }
}

fn understood(texts: &Texts, validity: &Validity) -> Result<Column, (usize, String)> {
    let mut values = Vec::with_capacity(texts.len());
    for row in 0..texts.len() {
        values.push(if validity.is_present(row) {
            serde_json::from_str::<Json>(texts.get(row)).map_err(|e| (row, e.to_string()))?
        } else {
            Json::Null
        });
    }
    let of = infer_types(&values).map_err(|error| {
        let (found, expected) = (error.found, error.expected);
        (error.index - 1, format!("a `{found}` after `{expected}`"))
    })?;
    let mut column = Column::empty(&of);
    for (row, json) in values.iter().enumerate() {
        let value = Value::from_json(&of, json).map_err(|error| (row, error.to_string()))?;
        let pushed = column.push(&value);
        pushed.map_err(|error| (row, error.to_string()))?;
    }
    Ok(column)
}
