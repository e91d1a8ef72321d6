//! Keys that a database system keeps: who declared them, and what to do where they are not unique.

use kinwood_values::{ForeignKey, Table};

use crate::error::Error;
use crate::schema::Schema;

/// The keys of a database system.
pub(super) struct Kept {
    place: String,
    /// The tables without their rows.
    tables: Vec<Table>,
    foreign_keys: Vec<ForeignKey>,
}

impl Kept {
    /// The keys of tables that are about to be put together; `place` names the database.
    pub fn new(place: String, tables: &[Table], foreign_keys: &[ForeignKey]) -> Self {
        Self {
            place,
            tables: tables.iter().map(|table| table.gather(&[])).collect(),
            foreign_keys: foreign_keys.to_vec(),
        }
    }

    /// Adds to a key that is not unique who declared it, and what to do; what a schema states is
    /// the schema's fault.
    pub fn explained(
        &self,
        source: kinwood_values::Error,
        schema: Option<&Schema>,
        file: &str,
    ) -> Error {
        if let kinwood_values::Error::DuplicateKey { table, key, .. } = &source
            && let Some(position) = self.tables.iter().position(|t| t.name() == table)
            && !schema.is_some_and(|schema| states(schema, table, key))
        {
            let named = |columns: &[usize]| {
                let name = |&column: &usize| &self.tables[position].attribute(column).name;
                columns.iter().map(name).eq(key)
            };
            let refers =
                |foreign: &&ForeignKey| foreign.to == position && named(&foreign.to_columns);
            let primary = self.tables[position].key().is_some_and(named);
            let (declared, without) = match self.foreign_keys.iter().find(refers) {
                Some(foreign) if !primary => {
                    let from = self.tables[foreign.from].name();
                    let declared = format!(
                        "foreign key `{}` of table `{from}` refers to it",
                        foreign.name
                    );
                    (declared, format!("`{from}` or `{table}`"))
                }
                _ => (
                    "it is declared as primary key".to_owned(),
                    format!("`{table}`"),
                ),
            };
            return Error::NotUnique {
                place: self.place.clone(),
                advice: format!(
                    "remove the repeated rows, or name the tables to read and leave {without} out"
                ),
                declared,
                source: Box::new(source),
            };
        }
        Error::Values {
            file: file.to_owned(),
            source,
        }
    }
}

/// Whether a schema states the key of a table, or refers to it.
fn states(schema: &Schema, table: &str, key: &[String]) -> bool {
    let primary = schema.table(table).is_some_and(|of| of.key == key);
    let mut foreign = schema.tables.iter().flat_map(|of| &of.foreign_keys);
    primary || foreign.any(|of| of.references == table && (of.to.is_empty() || of.to == key))
}
