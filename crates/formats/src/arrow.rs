//! Parquet and Arrow IPC: columns that come as columns.
//!
//! Both arrive as Arrow arrays, batch by batch, and both lay out numbers, offsets and dictionaries as our columns do:
//! they are copied once, whole buffers at a time, without ever becoming single values. What the arrays cannot say
//! (sets and bags, trees, roles, keys) stands in the file's metadata where Kinwood wrote it, as a schema.

mod bounds;
mod column;
mod footer;
mod input;
mod lists;

use std::collections::BTreeSet;

use arrow_schema::Schema as ArrowSchema;
use kinwood_values::{Attribute, Notice, Table};

use crate::csv::evidence;
use crate::dataset::TableRead;
use crate::error::{Error, Result};
use crate::guard::guarded;
use crate::schema::Schema;
use crate::source::Source;
use column::{Growing, Losses};
use input::{Batches, broken};

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
/// - Truth values and texts are nominal, texts also strings, by the rule that holds for CSV. A dictionary keeps its
///   order.
/// - Numbers of all kinds are numeric, dates and timestamps datetimes (UTC where there is no zone), in milliseconds.
/// - Lists are lists, maps lists of tuples, structs tuples with names.
/// - NaN and infinite numbers are missing, which is told. Columns of other types are left out, which is told.
pub fn read(source: &Source, form: Form) -> Result<ArrowRead> {
    guarded(|| read_unguarded(source, form))
        .unwrap_or_else(|reason| Err(broken(source, form, reason)))
}

fn read_unguarded(source: &Source, form: Form) -> Result<ArrowRead> {
    let batches = Batches::open(source, form)?;
    let arrow_schema = batches.schema();
    let mut notices = Vec::new();
    let mut growing: Vec<Option<Growing>> = Vec::new();
    for field in arrow_schema.fields() {
        growing.push(match Growing::new(field.data_type(), 1) {
            Ok(growing) => Some(growing),
            Err(reason) => {
                notices.push(Notice::new(format!(
                    "column `{}` of `{}` is left out: {reason}",
                    field.name(),
                    source.name()
                )));
                None
            }
        });
    }
    if growing.iter().all(Option::is_none) {
        return Err(Error::Empty {
            file: source.name().to_owned(),
            expected: "expected a column that can be read".to_owned(),
        });
    }
    let mut losses = vec![Losses::default(); growing.len()];
    batches.each(|batch| {
        let arrays = batch.columns().iter().zip(&mut growing).zip(&mut losses);
        for ((array, growing), losses) in arrays {
            if let Some(growing) = growing {
                growing.append(array.as_ref(), None, losses)?;
            }
        }
        Ok(())
    })?;
    let table = assemble(source, &arrow_schema, growing, losses, notices)?;
    Ok(ArrowRead {
        read: table,
        schema: embedded(source, &arrow_schema)?,
    })
}

fn assemble(
    source: &Source,
    schema: &ArrowSchema,
    growing: Vec<Option<Growing>>,
    losses: Vec<Losses>,
    mut notices: Vec<Notice>,
) -> Result<TableRead> {
    let mut attributes = Vec::with_capacity(growing.len());
    let mut reasons = Vec::with_capacity(growing.len());
    for ((field, growing), losses) in schema.fields().iter().zip(growing).zip(losses) {
        let Some(growing) = growing else { continue };
        let place = format!("column `{}` of `{}`", field.name(), source.name());
        notices.extend(losses.notices(&place));
        let declared = growing.is_declared();
        let mut column = growing.finish();
        if !declared && column.codes().is_some() {
            column = evidence::infer(column).column;
        }
        attributes.push(Attribute::new(field.name(), column));
        reasons.push(format!("declared {}", field.data_type()));
    }
    let table = Table::new(source.table_name(), attributes).map_err(|error| Error::Values {
        file: source.name().to_owned(),
        source: error,
    })?;
    Ok(TableRead {
        table,
        evidence: reasons,
        stated_roles: BTreeSet::new(),
        customary_target: None,
        foreign_keys: Vec::new(),
        notices,
    })
}

/// The schema that Kinwood left in the metadata.
fn embedded(source: &Source, schema: &ArrowSchema) -> Result<Option<Schema>> {
    let text = schema.metadata().get(SCHEMA_KEY);
    let place = format!("{}, its `{SCHEMA_KEY}`", source.name());
    text.map(|text| Schema::parse(text, &place)).transpose()
}

#[cfg(test)]
mod tests;
