//! Taking chosen rows of a column into a new one.

use std::sync::Arc;

use super::{Cells, Column};
use crate::validity::Validity;

impl Column {
    /// The rows named, in that order; a row may be named again. Dictionaries are shared, so codes
    /// keep their meaning.
    pub fn gather(&self, rows: &[u32]) -> Column {
        let validity = self.validity.as_ref().map(|validity| {
            Validity::from_bits(rows.iter().map(|&row| validity.is_present(row as usize)))
        });
        let cells = match &self.cells {
            Cells::Nominal { codes, dictionary } => Cells::Nominal {
                codes: pick(codes, rows),
                dictionary: Arc::clone(dictionary),
            },
            Cells::Numeric(numbers) => Cells::Numeric(pick(numbers, rows)),
            Cells::DateTime(instants) => Cells::DateTime(pick(instants, rows)),
            Cells::String(texts) => Cells::String(texts.gather(rows)),
            Cells::Collection { kind, members } => Cells::Collection {
                kind: *kind,
                members: members.gather(rows),
            },
            Cells::Tuple { names, fields, .. } => Cells::Tuple {
                names: names.clone(),
                fields: fields.iter().map(|field| field.gather(rows)).collect(),
                rows: rows.len(),
            },
            Cells::Tree(trees) => Cells::Tree(trees.gather(rows)),
            Cells::Term(terms) => Cells::Term(terms.gather(rows)),
            Cells::Graph(graphs) => Cells::Graph(graphs.gather(rows)),
            Cells::Ref {
                table,
                rows: targets,
            } => Cells::Ref {
                table: table.clone(),
                rows: pick(targets, rows),
            },
        };
        Column::new(cells, validity)
    }
}

/// The chosen elements.
pub(super) fn pick<T: Copy>(all: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|&row| all[row as usize]).collect()
}
