//! The rows of the file, written column by column as they are read.
//!
//! Numbers, codes and dates go straight into their buffers; only nested values are built up as
//! values first.

use std::sync::Arc;

use kinwood_values::column::Texts;
use kinwood_values::{Cells, Column, Dictionary, Validity};

use super::date::Pattern;
use super::document::{Document, Line};
use super::header::{Declaration, Domain};
use super::row::{self, Cell, Sink};
use super::value;
use crate::error::{Error, Result};
use crate::source::Source;

/// Cells between two questions whether to go on.
const CELLS: usize = 1 << 18;

/// The rows read so far.
pub(super) struct Rows<'a> {
    declared: &'a [Declaration],
    source: &'a Source,
    /// Cells since it was asked whether to go on.
    since: usize,
    columns: Vec<Filling<'a>>,
    rows: usize,
    weights: Option<Vec<f64>>,
}

/// A column being filled.
struct Filling<'a> {
    buffer: Buffer<'a>,
    /// The rows without a value, in order; numbers and nested values know by themselves.
    missing: Vec<usize>,
}

enum Buffer<'a> {
    /// NaN where missing.
    Numeric(Vec<f64>),
    Nominal(Vec<u32>, &'a Arc<Dictionary>),
    Key(Vec<u32>, Dictionary),
    Text(Texts),
    Date(Vec<i64>, &'a Pattern),
    Nested(Column),
}

impl<'a> Rows<'a> {
    pub(super) fn new(declared: &'a [Declaration], source: &'a Source) -> Self {
        let buffer = |of: &'a Declaration| match &of.domain {
            Domain::Numeric => Buffer::Numeric(Vec::new()),
            Domain::Nominal(dictionary) => Buffer::Nominal(Vec::new(), dictionary),
            Domain::Key => Buffer::Key(Vec::new(), Dictionary::new()),
            Domain::Text => Buffer::Text(Texts::default()),
            Domain::Date(pattern) => Buffer::Date(Vec::new(), pattern),
            domain @ (Domain::Hierarchy(_) | Domain::Bag(_)) => {
                Buffer::Nested(value::empty_column(domain))
            }
        };
        let columns = declared
            .iter()
            .map(|of| Filling {
                buffer: buffer(of),
                missing: Vec::new(),
            })
            .collect();
        Self {
            declared,
            source,
            since: 0,
            columns,
            rows: 0,
            weights: None,
        }
    }

    /// Reads the lines from a byte of the document to its end.
    pub(super) fn read(&mut self, document: &Document<'_>, start: usize) -> Result<()> {
        let mut at = start;
        while at < document.text.len() {
            let (line, next) = document.line_at(at);
            at = next;
            if row::is_blank(line.text) {
                continue;
            }
            self.ask()?;
            let weight = row::read(&line, self.declared.len(), self)?;
            if weight.is_some() || self.weights.is_some() {
                let weights = self.weights.get_or_insert_with(|| vec![1.0; self.rows]);
                weights.push(weight.unwrap_or(1.0));
            }
            self.rows += 1;
        }
        Ok(())
    }

    /// Fails where rows take more than they may: a sparse row of two characters has a cell in every
    /// column.
    fn ask(&mut self) -> Result<()> {
        self.since += self.declared.len();
        if self.since < CELLS {
            return Ok(());
        }
        self.since = 0;
        let cells = (self.rows as u64 + 1).saturating_mul(self.declared.len() as u64);
        let allowance = self.source.allowance();
        let asked = allowance.needs(cells.saturating_mul(4));
        let asked = asked.and_then(|()| allowance.check());
        asked.map_err(|halted| self.source.halted(halted))
    }

    /// The columns, and the weights if any row had one.
    pub(super) fn finish(self) -> (Vec<Column>, Option<Vec<f64>>) {
        let columns = self
            .columns
            .into_iter()
            .map(|filling| filling.finish(self.rows))
            .collect();
        (columns, self.weights)
    }
}

impl Sink for Rows<'_> {
    fn put(&mut self, column: usize, cell: &Cell<'_>, line: &Line<'_>) -> Result<()> {
        let of = &self.declared[column];
        let filling = &mut self.columns[column];
        if cell.is_missing() {
            filling.push_missing(self.rows);
            return Ok(());
        }
        match &mut filling.buffer {
            Buffer::Numeric(numbers) => numbers.push(value::number(cell, line)?),
            Buffer::Nominal(codes, dictionary) => {
                codes.push(value::code(dictionary, &of.name, cell, line)?);
            }
            Buffer::Key(codes, dictionary) => codes.push(dictionary.intern(&cell.text)),
            Buffer::Text(texts) => texts.push(&cell.text),
            Buffer::Date(instants, pattern) => instants.push(value::instant(pattern, cell, line)?),
            Buffer::Nested(column) => {
                let value = value::value(of, cell, line)?;
                column.push(&value).map_err(|source| Error::Values {
                    file: line.file().to_owned(),
                    source,
                })?;
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, column: usize) {
        let filling = &mut self.columns[column];
        match &mut filling.buffer {
            Buffer::Numeric(numbers) => numbers.push(0.0),
            Buffer::Nominal(codes, dictionary) if !dictionary.is_empty() => codes.push(0),
            Buffer::Nominal(..) | Buffer::Key(..) => filling.push_missing(self.rows),
            Buffer::Text(texts) => texts.push(""),
            Buffer::Date(instants, _) => instants.push(0),
            Buffer::Nested(nested) => nested
                .push(&value::left_out(&self.declared[column].domain))
                .expect("an empty collection is of every collection's type"),
        }
    }
}

impl Filling<'_> {
    fn push_missing(&mut self, row: usize) {
        match &mut self.buffer {
            Buffer::Numeric(numbers) => return numbers.push(f64::NAN),
            Buffer::Nested(column) => return column.push_missing(),
            Buffer::Nominal(codes, _) | Buffer::Key(codes, _) => codes.push(0),
            Buffer::Text(texts) => texts.push(""),
            Buffer::Date(instants, _) => instants.push(0),
        }
        self.missing.push(row);
    }

    fn finish(self, rows: usize) -> Column {
        let cells = match self.buffer {
            Buffer::Numeric(numbers) => return Column::numeric(numbers),
            Buffer::Nested(column) => return column,
            Buffer::Nominal(codes, dictionary) => Cells::Nominal {
                codes,
                dictionary: Arc::clone(dictionary),
            },
            Buffer::Key(codes, dictionary) => Cells::Nominal {
                codes,
                dictionary: Arc::new(dictionary),
            },
            Buffer::Text(texts) => Cells::String(texts),
            Buffer::Date(instants, _) => Cells::DateTime(instants),
        };
        let mut validity = Validity::all_present(rows);
        for row in self.missing {
            validity.clear(row);
        }
        Column::new(cells, Some(validity))
    }
}
