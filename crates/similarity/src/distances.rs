//! The distances, one file a type of value.

pub(crate) mod collection;
pub(crate) mod counted;
mod date;
mod dense;
pub(crate) mod foreign;
pub(crate) mod fourlayer;
pub(crate) mod graph;
pub mod nominal;
pub mod real;
mod scaled;
pub(crate) mod sequence;
mod set;
pub(crate) mod table;
pub(crate) mod term;
mod text;
pub(crate) mod tree;
pub(crate) mod tuple;

use crate::entry::Entry;

/// Every distance of the catalogue.
pub(crate) fn entries() -> impl Iterator<Item = Entry> {
    [
        nominal::DISCRETE,
        real::ABSOLUTE,
        date::DATE,
        scaled::SCALED,
        text::TFIDF,
        tree::TREE_EDIT,
        fourlayer::FOURLAYER,
    ]
    .into_iter()
    .chain(sequence::entries())
    .chain(tuple::ENTRIES)
    .chain(set::entries())
    .chain(term::ENTRIES)
    .chain(graph::ENTRIES)
}
