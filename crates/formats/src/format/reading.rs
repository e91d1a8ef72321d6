//! A file that is read: where its bytes are, and what is stated about it.

use std::path::Path;

use super::chosen::SqlOptions;
use super::stated::Stated;
use crate::dataset::{Origin, TableRead};
use crate::draft::{Draft, Part, overrule};
use crate::error::{Error, Result};
use crate::schema::{CsvOptions, TableSchema};
use crate::source::Source;

/// A file that is read.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// Where the bytes come from; more than once if need be.
    pub source: &'a Source,
    /// The path as it was given; `-` is standard input.
    pub path: &'a Path,
    /// The file as a schema would name it.
    pub file: &'a str,
    /// The name of the format.
    pub format: &'static str,
    /// What is stated about cells for this reading; it overrules what a schema states.
    pub cells: &'a CsvOptions,
    /// What is read of a database.
    pub sql: &'a SqlOptions,
    pub(crate) stated: Stated<'a>,
}

impl<'a> Reading<'a> {
    /// What a schema states about the only table of the file.
    pub fn stated_table(&self) -> Result<Option<&'a TableSchema>> {
        self.stated.only(self.source, self.file)
    }

    /// The tables, with what a schema states about them: other types where the values can be of
    /// them, roles, orders of labels, keys.
    pub fn draft(&self, tables: Vec<TableRead>) -> Result<Draft> {
        self.stated.check(&tables)?;
        let alone = tables.len() == 1;
        let mut parts = Vec::with_capacity(tables.len());
        for table in tables {
            let schema = self.stated.about(&table, alone);
            parts.push(Part {
                read: self.overruled(table, schema)?,
                format: self.format,
                origin: Origin {
                    file: if alone {
                        self.file.to_owned()
                    } else {
                        String::new()
                    },
                    options: CsvOptions::default(),
                },
                schema: schema.cloned(),
            });
        }
        Ok(Draft::new(parts))
    }

    /// The only table of the file as it is, with the schema that it was read by.
    pub(crate) fn one(
        &self,
        read: TableRead,
        format: &'static str,
        schema: Option<&TableSchema>,
    ) -> Draft {
        Draft::new(vec![Part {
            read,
            format,
            origin: Origin {
                file: self.file.to_owned(),
                options: CsvOptions::default(),
            },
            schema: schema.cloned(),
        }])
    }

    /// Takes over what a schema states about a table that has types of its own.
    pub(crate) fn overruled(
        &self,
        read: TableRead,
        schema: Option<&TableSchema>,
    ) -> Result<TableRead> {
        match schema {
            Some(schema) => overrule(read, schema, self.source.name()),
            None => Ok(read),
        }
    }

    /// The error of a reader that has its own, with the name of the file before it.
    pub fn failed(&self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        Error::Own {
            file: self.source.name().to_owned(),
            source: error.into(),
        }
    }
}
