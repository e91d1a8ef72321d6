//! Distances between sequences: strings by their characters, lists by their items.

mod alignment;
mod edit;

use kinwood_values::{Cells, Column, Type};

use super::collection::{children, offsets};
use crate::error::Error;
use crate::registry::Entry;
use crate::symbols::{Characters, Symbols};

/// Every distance of the catalogue.
pub(crate) const ENTRIES: [Entry; 2] = [edit::EDIT, alignment::SMITH_WATERMAN];

/// What the measures are of.
pub(crate) const SEQUENCES: &str = "a string or a list";

/// Whether a type is a sequence.
pub(crate) fn is_sequence(of: &Type) -> bool {
    matches!(of, Type::String | Type::List(_))
}

/// The sequences of two columns as symbols in one numbering: equal characters, or equal items, are equal symbols.
pub(crate) struct Sequences {
    pub(crate) queries: Vec<Vec<u32>>,
    pub(crate) references: Vec<Vec<u32>>,
}

impl Sequences {
    pub(crate) fn of(queries: &Column, references: &Column, measure: &str) -> Result<Self, Error> {
        if let (Cells::String(first), Cells::String(second)) = (queries.cells(), references.cells())
        {
            let characters = Characters::of(
                (0..first.len()).map(|row| first.get(row)),
                (0..second.len()).map(|row| second.get(row)),
            );
            return Ok(Self {
                queries: characters.queries,
                references: characters.references,
            });
        }
        let (first, second) = children(queries, references, measure)?;
        let symbols = Symbols::of(first, second);
        let split = |column: &Column, symbols: &[u32]| {
            let offsets = offsets(column);
            (0..column.len())
                .map(|row| symbols[offsets.range(row)].to_vec())
                .collect()
        };
        Ok(Self {
            queries: split(queries, &symbols.queries),
            references: split(references, &symbols.references),
        })
    }
}

/// The characters or items of the first row, as text.
pub(crate) fn items(column: &Column) -> Vec<String> {
    match column.cells() {
        Cells::String(texts) if !texts.is_empty() => {
            texts.get(0).chars().map(|c| format!("`{c}`")).collect()
        }
        Cells::Collection { members, .. } if !members.is_empty() => members
            .range(0)
            .map(|member| members.child.value(member).to_string())
            .collect(),
        _ => Vec::new(),
    }
}
