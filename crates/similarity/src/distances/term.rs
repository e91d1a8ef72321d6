//! Distances between first-order terms.

mod generalisation;
mod nienhuys_cheng;
mod symbol_count;

use std::ops::Range;

use kinwood_values::column::{TermNode, Terms};
use kinwood_values::{Cells, Column, Term};

use crate::entry::Entry;
use crate::error::Error;
use crate::symbols::Labels;

/// Every distance of the catalogue.
pub(crate) const ENTRIES: [Entry; 3] = [
    nienhuys_cheng::NIENHUYS_CHENG,
    generalisation::LGG,
    symbol_count::SYMBOLS,
];

/// What the measures are of.
pub(crate) const TERMS: &str = "a first-order term";

/// Part of a term as text, by its nodes.
fn subterm(of: &Term, nodes: Range<usize>) -> String {
    Term::new(of.nodes()[nodes].to_vec())
        .expect("the nodes are those of a subterm")
        .to_string()
}

/// The terms of two columns, the symbols of both in the numbering of the first, what is new behind
/// it.
pub(crate) fn numbered(
    queries: &Column,
    references: &Column,
    measure: &str,
) -> Result<(Terms, Terms), Error> {
    let (Cells::Term(first), Cells::Term(second)) = (queries.cells(), references.cells()) else {
        return Err(Error::Layout {
            column: measure.to_owned(),
        });
    };
    let labels = Labels::of(&first.dictionary, &second.dictionary);
    let mut renumbered = second.clone();
    for (symbol, kind) in renumbered.symbols.iter_mut().zip(&second.kinds) {
        // A number has no symbol, and the code in its place means nothing.
        if *kind != TermNode::Number {
            *symbol = labels.second[*symbol as usize];
        }
    }
    Ok((first.clone(), renumbered))
}
