//! Tables as CSV: a header, commas, quotes where needed, nothing for a missing value.

use std::io::{self, Write};

use kinwood_values::{Cells, Column, Notice, NoticeKind, Table, Value};

use crate::schema::{CsvOptions, Delimiter, Header, Quote};

/// How missing values stand in a table's cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// What stands for a missing value where an empty cell does not.
    marker: String,
    /// Whether the first row names the columns: it cannot name one that is blank or has blanks
    /// around its name.
    header: bool,
    /// Whether a schema goes along that makes empty cells a label where a column has that label.
    described: bool,
}

impl Dialect {
    /// The dialect in which no value of the table reads as missing.
    pub fn of(table: &Table) -> Self {
        let taken = |marker: &str| {
            table
                .attributes()
                .iter()
                .any(|attribute| match attribute.column.cells() {
                    Cells::Nominal { dictionary, .. } => dictionary.code(marker).is_some(),
                    Cells::String(texts) => (0..texts.len()).any(|row| texts.get(row) == marker),
                    _ => false,
                })
        };
        let mut marker = "?".to_owned();
        while taken(&marker) {
            marker.push('?');
        }
        let nameable = |name: &str| !name.is_empty() && name.trim() == name;
        let header = table.attributes().iter().all(|of| nameable(&of.name));
        Self {
            marker,
            header,
            described: true,
        }
    }

    /// Whether a column needs the marker: alone in its table it would leave an empty line, without
    /// header its empty cells could be taken for no column, and next to a label without characters
    /// an empty cell would be that label.
    fn marks(&self, table: &Table, column: &Column) -> bool {
        !self.header || table.attributes().len() == 1 || (self.described && has_empty_label(column))
    }

    /// Says in the options how the table is written.
    pub fn state(&self, table: &Table, options: &mut CsvOptions) {
        options.header = if self.header {
            Header::Yes
        } else {
            Header::None
        };
        options.delimiter = Some(Delimiter::Comma);
        options.quote = Some(Quote::Double);
        let marked = |column: &Column| column.missing() > 0 && self.marks(table, column);
        let columns = table.attributes().iter().map(|attribute| &attribute.column);
        let any = columns.clone().any(|column| marked(column));
        options.missing = Some(Vec::from_iter(any.then(|| self.marker.clone())));
        for (column, stated) in columns.zip(&mut options.columns) {
            if let (true, Cells::Nominal { dictionary, .. }) =
                (has_empty_label(column), column.cells())
            {
                stated.values = Some(dictionary.labels().map(str::to_owned).collect());
            }
        }
    }
}

fn has_empty_label(column: &Column) -> bool {
    matches!(column.cells(), Cells::Nominal { dictionary, .. } if dictionary.code("").is_some())
}

/// What the cells cannot tell from missing values.
pub(crate) fn losses(table: &Table) -> Vec<Notice> {
    let blank = |text: &str| text.trim_matches([' ', '\t']).is_empty();
    let mut notices = Vec::new();
    for attribute in table.attributes() {
        let column = &attribute.column;
        let lost = |row: &usize| {
            column.is_present(*row)
                && match column.cells() {
                    Cells::String(texts) => blank(texts.get(*row)),
                    Cells::Nominal { codes, dictionary } => {
                        let label = dictionary.label(codes[*row]);
                        !label.is_empty() && blank(label)
                    }
                    _ => false,
                }
        };
        let count = (0..table.rows()).filter(lost).count();
        if count > 0 {
            notices.push(Notice::about(
                NoticeKind::Loss,
                format!(
                    "{count} texts of column `{}` are empty or blank: in CSV they read as missing",
                    attribute.name
                ),
            ));
        }
    }
    notices
}

/// Writes a table in the dialect.
pub(crate) fn write(out: &mut dyn Write, table: &Table, dialect: &Dialect) -> io::Result<()> {
    let attributes = table.attributes();
    let header: Vec<&str> = attributes.iter().map(|of| of.name.as_str()).collect();
    if dialect.header {
        record(out, &header)?;
    }
    let marked: Vec<bool> = attributes
        .iter()
        .map(|attribute| dialect.marks(table, &attribute.column))
        .collect();
    for row in 0..table.rows() {
        let cells = attributes.iter().zip(&marked);
        let cells = cells.map(|(attribute, marked)| match attribute.column.value(row) {
            Value::Missing if *marked => Ok(dialect.marker.clone()),
            // For readers that tell an empty text from none.
            Value::Symbol(text) | Value::Text(text) if text.is_empty() => Ok("\"\"".to_owned()),
            value => {
                let text = text(&value);
                // It would make the file a binary one, for us and for others.
                if text.contains('\0') {
                    return Err(io::Error::other(format!(
                        "row {} of column `{}` holds the character U+0000, which no text file does; \
                         JSON and Parquet hold it",
                        row + 1,
                        attribute.name
                    )));
                }
                Ok(quoted(&text))
            }
        });
        line(out, cells)?;
    }
    Ok(())
}

/// Writes a table as CSV: a header, commas, quotes where needed, nothing for a missing value.
pub fn write_table(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    let dialect = Dialect {
        marker: "?".to_owned(),
        header: true,
        described: false,
    };
    write(out, table, &dialect)
}

/// A value as a CSV cell: plain text for scalars, the JSON form for structures, nothing for
/// missing.
pub fn text(value: &Value) -> String {
    match value {
        Value::Missing => String::new(),
        Value::Symbol(text) | Value::Text(text) => text.clone(),
        Value::Number(_) | Value::DateTime(_) | Value::Tree(_) | Value::Term(_) => {
            value.to_string()
        }
        structured => structured.to_json().to_string(),
    }
}

/// Writes one record, quoting where needed.
pub fn record<S: AsRef<str>>(out: &mut dyn Write, cells: &[S]) -> io::Result<()> {
    line(out, cells.iter().map(|cell| Ok(quoted(cell.as_ref()))))
}

fn line(out: &mut dyn Write, cells: impl Iterator<Item = io::Result<String>>) -> io::Result<()> {
    for (position, cell) in cells.enumerate() {
        let cell = cell?;
        if position > 0 {
            out.write_all(b",")?;
        }
        out.write_all(cell.as_bytes())?;
    }
    out.write_all(b"\n")
}

/// A cell as it stands in the file: in quotes if it could be misread.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
