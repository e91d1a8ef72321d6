//! What a statement answers: columns and rows.

use kinwood_formats::write::csv;
use kinwood_text::{Align, TextTable, shortened};
use rusqlite::types::Value;
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// The columns of `EXPLAIN QUERY PLAN`.
const PLAN: [&str; 4] = ["id", "parent", "notused", "detail"];

/// What a statement answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The names of the columns, each once.
    pub columns: Vec<String>,
    /// The rows, a value for each column.
    pub rows: Vec<Vec<Value>>,
}

impl Answer {
    /// Names as SQLite has them; one that is there twice gets a number.
    pub(crate) fn named(names: &[String]) -> Vec<String> {
        let mut columns: Vec<String> = Vec::with_capacity(names.len());
        for name in names {
            let mut own = name.clone();
            let mut number = 1;
            while columns.contains(&own) {
                own = format!("{name}:{number}");
                number += 1;
            }
            columns.push(own);
        }
        columns
    }

    /// `{"columns": [...], "rows": [{...}]}`.
    pub fn to_json(&self) -> Json {
        let rows = self.rows.iter().map(|row| {
            let cells = self.columns.iter().cloned().zip(row.iter().map(cell_json));
            Json::Object(cells.collect::<Map<String, Json>>())
        });
        json!({"columns": self.columns, "rows": rows.collect::<Vec<Json>>()})
    }

    /// As a person reads it: a table, long texts cut off where they stand beside others.
    pub fn to_text(&self) -> String {
        if self.columns.is_empty() {
            return String::new();
        }
        if self.columns == PLAN {
            return self.plan();
        }
        if let ([_], [row]) = (self.columns.as_slice(), self.rows.as_slice())
            && let [Value::Text(text)] = row.as_slice()
            && text.contains('\n')
        {
            return format!("{}\n", text.trim_end());
        }
        let aligned = (0..self.columns.len()).map(|column| {
            let mut values = self.rows.iter().map(|row| &row[column]);
            let numbers = values.all(|value| !matches!(value, Value::Text(_) | Value::Blob(_)));
            match numbers && !self.rows.is_empty() {
                true => Align::Right,
                false => Align::Left,
            }
        });
        let mut table = TextTable::new(aligned);
        table.line(self.columns.iter().cloned());
        for row in &self.rows {
            self.line(row, &mut table);
        }
        table.to_string()
    }

    /// What SQLite would do, a step a line below the step that it belongs to; what steers a table,
    /// what only filters and what else there is to know stand below it.
    fn plan(&self) -> String {
        let mut text = String::new();
        let mut depths: Vec<(i64, usize)> = Vec::new();
        for row in &self.rows {
            let [
                Value::Integer(id),
                Value::Integer(parent),
                _,
                Value::Text(step),
            ] = row.as_slice()
            else {
                continue;
            };
            let above = depths.iter().find(|(id, _)| id == parent);
            let depth = above.map_or(0, |(_, depth)| depth + 1);
            depths.push((*id, depth));
            let indent = "  ".repeat(depth);
            let (step, told) = match step.split_once(" VIRTUAL TABLE INDEX ") {
                Some((step, told)) => (step, told.split_once(':').map_or("", |(_, told)| told)),
                None => (step.as_str(), ""),
            };
            text += &format!("{indent}{step}\n");
            for line in told.split("; ").filter(|line| !line.is_empty()) {
                text += &format!("{indent}    {line}\n");
            }
        }
        text
    }

    /// A row, on as many lines as its texts have.
    fn line(&self, row: &[Value], table: &mut TextTable) {
        let cells: Vec<Vec<String>> = row.iter().map(cell_lines).collect();
        let lines = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for line in 0..lines {
            let cells = cells.iter();
            table.line(cells.map(|cell| cell.get(line).cloned().unwrap_or_default()));
        }
    }

    /// As CSV, with a line of names.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        csv::record(out, &self.columns)?;
        for row in &self.rows {
            csv::record(out, &row.iter().map(cell_text).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// The bytes that it takes in memory, about.
    pub(crate) fn bytes_of(row: &[Value]) -> u64 {
        let of = |value: &Value| match value {
            Value::Text(text) => text.len(),
            Value::Blob(bytes) => bytes.len(),
            _ => 0,
        };
        row.iter().map(|value| 32 + of(value) as u64).sum()
    }
}

fn cell_json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Integer(number) => json!(number),
        Value::Real(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::Blob(bytes) => json!(hexadecimal(bytes)),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("x'{digits}'")
}

/// A value as CSV has it: nothing where there is none.
fn cell_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::Blob(bytes) => hexadecimal(bytes),
    }
}

/// Places of a line of text in a table.
const SHOWN: usize = 200;

fn cell_lines(value: &Value) -> Vec<String> {
    match value {
        Value::Null => vec!["NULL".to_owned()],
        Value::Text(text) => {
            let lines = text.trim_end().lines();
            lines.map(|line| shortened(line, SHOWN)).collect()
        }
        Value::Blob(bytes) => vec![format!("{} bytes", bytes.len())],
        other => vec![cell_text(other)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer() -> Answer {
        let names = ["a", "b", "a"].map(str::to_owned);
        Answer {
            columns: Answer::named(&names),
            rows: vec![
                vec![
                    Value::Integer(1),
                    Value::Text("x\ny".to_owned()),
                    Value::Null,
                ],
                vec![
                    Value::Real(0.5),
                    Value::Text("z".to_owned()),
                    Value::Blob(vec![1, 255]),
                ],
            ],
        }
    }

    #[test]
    fn programs_get_an_object_a_row() {
        assert_eq!(
            answer().to_json(),
            json!({"columns": ["a", "b", "a:1"], "rows": [
                {"a": 1, "b": "x\ny", "a:1": null},
                {"a": 0.5, "b": "z", "a:1": "x'01ff'"},
            ]})
        );
    }

    #[test]
    fn people_get_a_table() {
        let text = answer().to_text();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert_eq!(
            lines,
            ["  a  b  a:1", "  1  x  NULL", "     y", "0.5  z  2 bytes"]
        );
        let mut bytes = Vec::new();
        answer().write_csv(&mut bytes).unwrap();
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "a,b,a:1\n1,\"x\ny\",\n0.5,z,x'01ff'\n"
        );
    }
}
