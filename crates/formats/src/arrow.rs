//! Parquet and Arrow IPC: columns that come as columns.
//!
//! Both arrive as Arrow arrays, batch by batch, and both lay out numbers, offsets and dictionaries
//! as our columns do: they are copied once, whole buffers at a time, without ever becoming single
//! values. What the arrays cannot say (sets and bags, trees, roles, keys) stands in the file's
//! metadata where Kinwood wrote it, as a schema.

mod bounds;
mod column;
mod footer;
mod input;
mod lists;
pub mod write;

use std::collections::BTreeSet;

use arrow_array::RecordBatch;
use arrow_schema::Schema as ArrowSchema;
use kinwood_values::{Attribute, Notice, NoticeKind, Table};

use crate::csv::evidence;
use crate::dataset::TableRead;
use crate::error::{Error, Result};
use crate::guard::guarded;
use crate::schema::Schema;
use crate::source::Source;
use column::{Growing, Losses};
use input::{Batches, TOO_MANY, broken};
use lists::TooMany;

/// Under which key of a file's metadata its schema stands, as the text of a `schema.toml`.
pub const SCHEMA_KEY: &str = "kinwood.schema";

/// How arrays are kept in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Parquet.
    Parquet,
    /// Arrow IPC with a footer: `.arrow`, `.feather`.
    File,
    /// Arrow IPC without one, as it comes through a pipe.
    Stream,
}

impl Form {
    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Form::Parquet => "Parquet",
            Form::File => "Arrow",
            Form::Stream => "Arrow stream",
        }
    }
}

/// A table, and the schema that stands in its file.
#[derive(Clone, Debug)]
pub struct ArrowRead {
    /// The table by the file's own types; the schema is not applied.
    pub read: TableRead,
    /// What whoever wrote the file stated beyond that.
    pub schema: Option<Schema>,
}

/// Reads a table.
///
/// - Truth values and texts are nominal, texts also strings, by the rule that holds for CSV. A
///   dictionary keeps its order.
/// - Numbers of all kinds are numeric, dates and timestamps datetimes (UTC where there is no zone),
///   in milliseconds.
/// - Lists are lists, maps lists of tuples, structs tuples with names.
/// - NaN and infinite numbers are missing, which is told. Columns of other types are left out,
///   which is told.
pub fn read(source: &Source, form: Form) -> Result<ArrowRead> {
    guarded(|| read_unguarded(source, form))
        .unwrap_or_else(|reason| Err(broken(source, form, reason)))
}

/// A table of batches that are in memory already, such as those that another program hands over.
/// What it is called by is its name in messages too.
///
/// Batches that share their buffers cost nothing to hold, so they are all at hand, rows are
/// counted, and every buffer is copied once to where it stays.
pub fn gather(
    name: &str,
    schema: &ArrowSchema,
    batches: &[RecordBatch],
) -> Result<ArrowRead, Error> {
    let place = Place { name, table: name };
    let gathered = || {
        let mut columns = Columns::new(&place, schema)?;
        columns.reserve(batches.iter().map(RecordBatch::num_rows).sum());
        for batch in batches {
            columns
                .append(batch)
                .map_err(|TooMany| place.broken("Arrow", TOO_MANY.to_owned()))?;
        }
        columns.finish(&place, schema)
    };
    guarded(gathered).unwrap_or_else(|reason| Err(place.broken("Arrow", reason)))
}

fn read_unguarded(source: &Source, form: Form) -> Result<ArrowRead> {
    let batches = Batches::open(source, form)?;
    let schema = batches.schema();
    let table = source.table_name();
    let place = Place {
        name: source.name(),
        table: &table,
    };
    let mut columns = Columns::new(&place, &schema)?;
    batches.each(|batch| columns.append(batch))?;
    columns.finish(&place, &schema)
}

/// What a table and what it was read from are called.
struct Place<'a> {
    name: &'a str,
    table: &'a str,
}

impl Place<'_> {
    fn broken(&self, format: &'static str, reason: String) -> Error {
        Error::Broken {
            file: self.name.to_owned(),
            format,
            reason,
        }
    }
}

/// The columns of a table while batches come in.
struct Columns {
    growing: Vec<Option<Growing>>,
    losses: Vec<Losses>,
    notices: Vec<Notice>,
}

impl Columns {
    /// Columns for what the schema announces; what cannot be read is left out, which is told.
    fn new(place: &Place<'_>, schema: &ArrowSchema) -> Result<Self> {
        let mut notices = Vec::new();
        let mut growing: Vec<Option<Growing>> = Vec::new();
        for field in schema.fields() {
            growing.push(match Growing::new(field.data_type(), 1) {
                Ok(growing) => Some(growing),
                Err(reason) => {
                    notices.push(Notice::about(
                        NoticeKind::LeftOut,
                        format!(
                            "column `{}` of `{}` is left out: {reason}",
                            field.name(),
                            place.name
                        ),
                    ));
                    None
                }
            });
        }
        if growing.iter().all(Option::is_none) {
            return Err(Error::Empty {
                file: place.name.to_owned(),
                expected: "expected a column that can be read".to_owned(),
            });
        }
        Ok(Self {
            losses: vec![Losses::default(); growing.len()],
            growing,
            notices,
        })
    }

    /// Makes room for so many rows.
    fn reserve(&mut self, rows: usize) {
        for growing in self.growing.iter_mut().flatten() {
            growing.reserve(rows);
        }
    }

    fn append(&mut self, batch: &RecordBatch) -> Result<(), TooMany> {
        let arrays = batch.columns().iter().zip(&mut self.growing);
        for ((array, growing), losses) in arrays.zip(&mut self.losses) {
            if let Some(growing) = growing {
                growing.append(array.as_ref(), None, losses)?;
            }
        }
        Ok(())
    }

    fn finish(mut self, place: &Place<'_>, schema: &ArrowSchema) -> Result<ArrowRead> {
        let mut attributes = Vec::with_capacity(self.growing.len());
        let mut reasons = Vec::with_capacity(self.growing.len());
        let grown = self.growing.into_iter().zip(self.losses);
        for (field, (growing, losses)) in schema.fields().iter().zip(grown) {
            let Some(growing) = growing else { continue };
            let column = format!("column `{}` of `{}`", field.name(), place.name);
            self.notices.extend(losses.notices(&column));
            let declared = growing.is_declared();
            let mut column = growing.finish();
            if !declared {
                column = evidence::labels_or_text(column);
            }
            attributes.push(Attribute::new(field.name(), column));
            reasons.push(format!("declared {}", field.data_type()));
        }
        let table = Table::new(place.table, attributes).map_err(|error| Error::Values {
            file: place.name.to_owned(),
            source: error,
        })?;
        Ok(ArrowRead {
            read: TableRead {
                table,
                evidence: reasons,
                stated_roles: BTreeSet::new(),
                customary_target: None,
                foreign_keys: Vec::new(),
                notices: self.notices,
            },
            schema: embedded(place, schema)?,
        })
    }
}

/// The schema that Kinwood left in the metadata.
fn embedded(place: &Place<'_>, schema: &ArrowSchema) -> Result<Option<Schema>> {
    let text = schema.metadata().get(SCHEMA_KEY);
    let place = format!("{}, its `{SCHEMA_KEY}`", place.name);
    text.map(|text| Schema::parse(text, &place)).transpose()
}

#[cfg(test)]
mod tests;
