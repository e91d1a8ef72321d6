//! Cells in rows: CSV, TSV and their relatives, with or without header, with whatever delimiter.
//!
//! What nobody states is decided from the first rows (delimiter, quote, header) or from all of them
//! (types), and told. The file passes through in blocks; numbers and labels go straight into their
//! columns. A column that turns out to be text after all is read again: a second pass costs less
//! than keeping the text of all cells.

mod blocks;
mod builder;
mod cell;
mod detect;
pub(crate) mod evidence;
pub use evidence::labels_or_text;
mod labels;
mod marks;
mod missing;
mod notes;
mod number;
mod plan;
mod rows;
mod sample;
pub mod write;

use std::collections::BTreeSet;

use kinwood_values::{Attribute, Column, Notice, NoticeKind, Table, Type};

use crate::dataset::TableRead;
use crate::error::{Error, Result};
pub use crate::schema::{CsvOptions, Delimiter, Header, Quote, StatedColumn};
use crate::source::Source;
use blocks::{Blocks, Encoding, Halt, LONGEST_ROW};
use builder::Builder;
use plan::Reading;
use rows::Pass;
use sample::Sample;

/// Bytes in memory at a time: large enough to hide the cost of reading, small enough for the cache.
const BLOCK: usize = 1 << 20;

/// Reads a table.
///
/// ```
/// use kinwood_formats::{Source, csv};
/// let source = Source::from_bytes("pets", b"name,weight\nTom,4.5\nRex,?\n".as_slice());
/// let read = csv::read(&source, &csv::CsvOptions::default())?;
/// assert_eq!(read.table.rows(), 2);
/// assert_eq!(read.evidence, ["2 distinct values in 2 rows", "1 of 1 values are numbers"]);
/// # Ok::<(), kinwood_formats::Error>(())
/// ```
pub fn read(source: &Source, options: &CsvOptions) -> Result<TableRead> {
    read_in_blocks(source, options, BLOCK)
}

/// Whether the beginning of the source splits into rows of equally many cells, more than one.
pub(crate) fn looks_like_a_table(source: &Source) -> Result<bool> {
    let sample = match Sample::take(source, Encoding::Utf8) {
        Err(Halt::NotUtf8 { .. }) => Sample::take(source, Encoding::Latin1),
        taken => taken,
    };
    match sample {
        Ok(sample) => {
            let split = detect::split(&sample, None, None);
            Ok(split.width > 1 && split.agreement == 1.0)
        }
        Err(Halt::Error(error)) => Err(error),
        Err(Halt::NotUtf8 { .. } | Halt::LastCellCounts) => Ok(false),
    }
}

fn read_in_blocks(source: &Source, options: &CsvOptions, block: usize) -> Result<TableRead> {
    let mut encoding = Encoding::Utf8;
    let mut trailing_allowed = true;
    let mut notices = Vec::new();
    // Each reason to begin again can come once.
    loop {
        let attempt = Sample::take(source, encoding).and_then(|sample| {
            let noted = notes::find(options, &sample);
            let stated = noted.as_ref().map_or(options, |noted| &noted.options);
            let rows = noted.as_ref().map_or(0, |_| notes::ROWS);
            let planned = Reading::plan(source, stated, &sample, encoding, trailing_allowed, rows)?;
            let read = planned.read(block)?;
            Ok(match noted {
                Some(noted) => noted.apply(read, source.name()),
                None => read,
            })
        });
        match attempt {
            Ok(mut read) => {
                notices.append(&mut read.notices);
                read.notices = notices;
                return Ok(read);
            }
            Err(Halt::Error(error)) => return Err(error),
            Err(Halt::NotUtf8 { position }) => {
                encoding = Encoding::Latin1;
                notices.push(Notice::about(
                    NoticeKind::File,
                    format!(
                        "`{}` is not UTF-8 (byte {position}); it is read as Latin-1",
                        source.name()
                    ),
                ));
            }
            Err(Halt::LastCellCounts) => trailing_allowed = false,
        }
    }
}

impl<'a> Reading<'a> {
    fn read(mut self, block: usize) -> Result<TableRead, Halt> {
        let builders = (0..self.layout.width)
            .map(|column| self.builder(column))
            .collect();
        let mut pass = Pass::new(self.source.name(), &self.layout, builders);
        pass.run(self.blocks(block)?)?;
        let (rows, blank_lines) = (pass.rows, pass.blank_lines);
        let contradicted: Vec<bool> = pass
            .columns
            .iter()
            .map(|column| column.contradicted)
            .collect();
        let mut columns: Vec<(Option<Column>, bool)> = pass
            .columns
            .into_iter()
            .map(|builder| (builder.is_stated(), builder))
            .map(|(stated, builder)| (builder.finish(rows), stated))
            .collect();
        if contradicted.contains(&true) {
            let again = self.read_again(&contradicted, rows, block)?;
            for ((column, _), again) in columns.iter_mut().zip(again) {
                if again.is_some() {
                    *column = again;
                }
            }
        }
        if blank_lines > 0 {
            self.notices.push(Notice::about(
                NoticeKind::File,
                format!(
                    "{blank_lines} blank lines between the rows of `{}` are passed over",
                    self.source.name()
                ),
            ));
        }
        Ok(self.table(columns)?)
    }

    /// Reads the columns that turned out to be text.
    fn read_again(
        &self,
        contradicted: &[bool],
        rows: usize,
        block: usize,
    ) -> Result<Vec<Option<Column>>, Halt> {
        let builders = contradicted
            .iter()
            .map(|contradicted| match contradicted {
                true => Builder::text(&self.missing, rows),
                false => Builder::passed(&self.missing),
            })
            .collect();
        let mut pass = Pass::new(self.source.name(), &self.layout, builders);
        pass.run(self.blocks(block)?)?;
        if pass.rows != rows {
            let changed = std::io::Error::other("it changed while it was read");
            return Err(Halt::Error(self.source.failed(changed)));
        }
        Ok(pass
            .columns
            .into_iter()
            .map(|builder| builder.finish(rows))
            .collect())
    }

    fn blocks(&self, block: usize) -> Result<Blocks<'a>> {
        Blocks::new(self.source, self.encoding, block, LONGEST_ROW)
    }

    fn builder(&self, column: usize) -> Builder {
        let stated = self.stated[column];
        let values = stated.and_then(|stated| stated.values.as_deref());
        let of = stated.and_then(|stated| stated.of.as_ref());
        let notation = stated.and_then(|stated| stated.notation);
        match (self.types[column].as_ref().or(of), values) {
            (Some(of), values) => {
                Builder::stated(of, values, notation, &self.missing, self.capacity)
            }
            (None, Some(_)) => {
                Builder::stated(&Type::Nominal, values, None, &self.missing, self.capacity)
            }
            (None, None) if self.text[column] => Builder::text(&self.missing, self.capacity),
            (None, None) => Builder::undecided(&self.missing, self.capacity),
        }
    }

    fn table(self, columns: Vec<(Option<Column>, bool)>) -> Result<TableRead> {
        let notices = self.notices;
        let mut attributes = Vec::with_capacity(columns.len());
        let mut evidence = Vec::with_capacity(columns.len());
        let mut stated_roles = BTreeSet::new();
        for (position, ((column, type_stated), name)) in
            columns.into_iter().zip(self.names).enumerate()
        {
            let column = column.expect("every column was read in the first pass or again");
            let column = if type_stated {
                evidence.push("stated in the schema".to_owned());
                column
            } else {
                let inferred = evidence::infer(column);
                evidence.push(inferred.evidence);
                inferred.column
            };
            let mut attribute = Attribute::new(name, column);
            if let Some(stated) = self.stated[position] {
                attribute.hierarchy = stated.hierarchy;
                attribute.distance.clone_from(&stated.distance);
                attribute.ordered = stated.ordered;
                attribute.notation = stated.notation;
                if let Some(role) = stated.role {
                    attribute.role = role;
                    stated_roles.insert(position);
                }
            }
            attributes.push(attribute);
        }
        let table =
            Table::new(self.source.table_name(), attributes).map_err(|source| Error::Values {
                file: self.source.name().to_owned(),
                source,
            })?;
        Ok(TableRead {
            table,
            evidence,
            stated_roles,
            customary_target: None,
            foreign_keys: Vec::new(),
            notices,
        })
    }
}

#[cfg(test)]
mod tests;
